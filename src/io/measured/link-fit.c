/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/measured/link-fit.h"

#include "engine/network/collective.h"

#include <string.h>

#define MIN_EFFICIENCY 0.01
#define MAX_LATENCY 1e-3
/* The number of times that the bisection halves the range. 2⁻⁴⁰ of a range is far below the
 * precision of any measurement. */
#define BISECTION_STEPS 40
/* The relative error by which a measured time may be outside the range of predicted times. */
#define TIME_TOLERANCE 1e-3

double
plg_link_fit_predict_time (const PlgLinkFitTest *test, const PlgCluster *cluster, double bytes)
{
  static const PlgAxis order[PLG_N_NESTED_AXES] = { PLG_AXIS_CP, PLG_AXIS_TP, PLG_AXIS_PP,
                                                    PLG_AXIS_DP };
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  int *degree = plan->parallelism.degree;
  PlgFabric fabric;
  PlgGroups groups;
  PlgGroupExtent extent;

  /* Make a plan in which the GPUs of the test form one data-parallel group (DP × CP). If a node
   * has more GPUs than the test used, add more such groups by means of TP. All groups send at
   * the same time, so each GPU uses only its own share of the NICs. */
  plan->cluster = *cluster;
  plan->cluster.nodes = test->nodes;
  plan->cluster.n_faults = 0;
  if (cluster->gpus_per_node % test->per_node != 0)
    plan->cluster.gpus_per_node = test->per_node;
  memcpy (plan->parallelism.order, order, sizeof order);
  degree[PLG_AXIS_CP] = test->per_node;
  degree[PLG_AXIS_TP] = plan->cluster.gpus_per_node / test->per_node;
  degree[PLG_AXIS_DP] = test->nodes;
  plg_fabric_init (&fabric, &plan->cluster);
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_DATA);
  extent = test->kind == PLG_COLLECTIVE_SEND_RECV ? plg_groups_neighbours (&groups, plan, &fabric)
                                                  : plg_groups_extent (&groups, plan, &fabric);
  return plg_collective_time (&fabric, &extent, test->kind, bytes);
}

/* Sets *VALUE, a member of CLUSTER, to the number between LOW and HIGH that makes the predicted
 * time equal to TIME [s]. The predicted time must be longest at LOW and decrease steadily
 * towards HIGH. Returns FALSE and leaves *VALUE unchanged if no number fits. */
static gboolean
bisect (const PlgLinkFitTest *test,
        PlgCluster *cluster,
        double *value,
        double low,
        double high,
        double bytes,
        double time)
{
  double before = *value;

  for (int i = 0; i < 2; i++)
    {
      double end;

      *value = i == 0 ? low : high;
      end = plg_link_fit_predict_time (test, cluster, bytes);
      if (i == 0 ? end < time * (1.0 - TIME_TOLERANCE) : end > time * (1.0 + TIME_TOLERANCE))
        {
          *value = before;
          return FALSE;
        }
    }
  for (int i = 0; i < BISECTION_STEPS; i++)
    {
      *value = (low + high) / 2.0;
      if (plg_link_fit_predict_time (test, cluster, bytes) > time)
        low = *value;
      else
        high = *value;
    }
  return TRUE;
}

gboolean
plg_link_fit_efficiency (const PlgLinkFitTest *test, PlgCluster *cluster, double bytes, double time)
{
  return bisect (test, cluster,
                 test->nodes > 1 ? &cluster->inter_efficiency : &cluster->intra_efficiency,
                 MIN_EFFICIENCY, 1.0, bytes, time);
}

gboolean
plg_link_fit_latency (const PlgLinkFitTest *test, PlgCluster *cluster, double bytes, double time)
{
  return bisect (test, cluster, test->nodes > 1 ? &cluster->inter_latency : &cluster->intra_latency,
                 MAX_LATENCY, 0.0, bytes, time);
}
