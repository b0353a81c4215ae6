/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/plan-repair.h"

#include "plan/settings/setting.h"

#include <string.h>

#define MAX_CHOICES 512

typedef struct
{
  const PlgPlan *plan; /* the plan before the settings are applied */
  PlgPlan *wanted;     /* the plan after the settings are applied, before any repair; possibly
                          invalid */
  const PlgCatalogue *catalogue;
  const char *const *settings;
  gboolean keep_nodes; /* TRUE while the repair must not change the number of nodes */
} PlanRepair;

static gboolean
is_given (const PlanRepair *repair, const char *key)
{
  gsize n = strlen (key);

  for (int i = 0; repair->settings[i] != NULL; i++)
    if (strncmp (repair->settings[i], key, n) == 0 && repair->settings[i][n] == '=')
      return TRUE;
  return FALSE;
}

/* Adds KEY=VALUE to ALL unless the file sets KEY. */
static void
add (const PlanRepair *repair, GPtrArray *all, const char *key, gint64 value)
{
  if (!is_given (repair, key))
    g_ptr_array_add (all, g_strdup_printf ("%s=%lld", key, (long long) value));
}

/* Returns the number of nodes for degrees whose product without DP is PRODUCT:
 * - the current number, if the repair must not change it;
 * - if the file sets DP, the number of nodes that the degrees fill, or the current number if they
 *   do not fill whole nodes;
 * - otherwise the current number if PRODUCT divides its GPUs, or else the smallest number of nodes
 *   whose GPUs are a multiple of PRODUCT. */
static gint64
nodes_for (const PlanRepair *repair, gint64 product)
{
  const PlgCluster *cluster = &repair->wanted->cluster;
  gint64 gpus = cluster->gpus_per_node;
  gint64 unit;

  if (repair->keep_nodes)
    return cluster->nodes;
  if (is_given (repair, "parallelism.dp"))
    {
      product *= repair->wanted->parallelism.degree[PLG_AXIS_DP];
      return product % gpus == 0 ? product / gpus : cluster->nodes;
    }
  unit = product / plg_greatest_common_divisor (product, gpus);
  return cluster->nodes % unit == 0 ? cluster->nodes : unit;
}

/* Applies the settings with the degrees TP and PP. Derives CP, EP, the number of nodes and the
 * global batch unless the settings include them. */
static gboolean
try_degrees (const PlanRepair *repair, PlgPlan *plan, gint64 tp, gint64 pp, GError **error)
{
  const PlgPlan *wanted = repair->wanted;
  const int *degree = wanted->parallelism.degree;
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  gint64 cp = degree[PLG_AXIS_CP], gpus = wanted->cluster.gpus_per_node;
  gint64 nodes = nodes_for (repair, tp * cp * pp);
  gboolean has_dp = is_given (repair, "parallelism.dp");
  gint64 world = nodes * gpus, dp, unit;

  if (!is_given (repair, "parallelism.cp") &&
      world % (tp * cp * pp * (has_dp ? degree[PLG_AXIS_DP] : 1)) != 0)
    cp = 1;
  dp = has_dp ? degree[PLG_AXIS_DP] : MAX (world / (tp * cp * pp), 1);
  if (repair->keep_nodes && tp * cp * pp * dp != world)
    return FALSE;
  unit = dp * wanted->training.micro_batch;
  for (int i = 0; repair->settings[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (repair->settings[i]));
  add (repair, all, "cluster.nodes", nodes);
  add (repair, all, "parallelism.tp", tp);
  add (repair, all, "parallelism.pp", pp);
  add (repair, all, "parallelism.cp", cp);
  add (repair, all, "parallelism.ep",
       wanted->model.experts > 0
           ? plg_greatest_common_divisor (plg_greatest_common_divisor (degree[PLG_AXIS_EP],
                                                                       tp * cp * dp),
                                          wanted->model.experts)
           : 1);
  add (repair, all, "training.global-batch",
       (wanted->training.global_batch + unit - 1) / unit * unit);
  g_ptr_array_add (all, NULL);
  return plg_settings_apply (plan, repair->catalogue, (const char *const *) all->pdata, error);
}

/* Fills ALL with the degrees to try for the axis KEY: VALUE and, unless the file sets KEY, the
 * divisors of WORLD. The divisors below VALUE come first, then those above it. Returns the
 * number of degrees. */
static int
choices (const PlanRepair *repair, const char *key, gint64 value, gint64 world, int *all)
{
  int n = 0;

  all[n++] = (int) value;
  if (is_given (repair, key))
    return n;
  for (gint64 d = value - 1; d >= 1 && n < MAX_CHOICES; d--)
    if (world % d == 0)
      all[n++] = (int) d;
  for (gint64 d = value + 1; d <= world && n < MAX_CHOICES; d++)
    if (world % d == 0)
      all[n++] = (int) d;
  return n;
}

static gboolean
search (const PlanRepair *repair, PlgPlan *plan, GError **error)
{
  const int *degree = repair->wanted->parallelism.degree;
  int gpus = repair->wanted->cluster.gpus_per_node;
  gint64 world = (gint64) repair->wanted->cluster.nodes * gpus;
  gint64 first_tp = degree[PLG_AXIS_TP];
  int tp[MAX_CHOICES], pp[MAX_CHOICES];
  int n_tp, n_pp = choices (repair, "parallelism.pp", degree[PLG_AXIS_PP], world, pp);

  /* If the plan's TP fits within its nodes and the settings make the nodes smaller, reduce TP to
   * fit within the smaller nodes. TP across nodes would be a different design and need more
   * nodes. */
  if (!is_given (repair, "parallelism.tp") && repair->plan->cluster.gpus_per_node % first_tp == 0)
    first_tp = plg_greatest_common_divisor (first_tp, gpus);
  n_tp = choices (repair, "parallelism.tp", first_tp, world, tp);
  for (int i = 0; i < n_tp; i++)
    for (int j = 0; j < n_pp; j++)
      if (try_degrees (repair, plan, tp[i], pp[j], i == 0 && j == 0 ? error : NULL))
        {
          g_clear_error (error);
          return TRUE;
        }
  return FALSE;
}

/* Tries all possible degrees of TP and PP. A file with DP but without a number of nodes most
 * likely describes the open cluster, so for such a file other degrees are tried before other
 * numbers of nodes. */
static gboolean
search_all (PlanRepair *repair, PlgPlan *plan, GError **error)
{
  gboolean found = FALSE;

  repair->keep_nodes = is_given (repair, "parallelism.dp") && !is_given (repair, "cluster.nodes");
  if (repair->keep_nodes)
    found = search (repair, plan, NULL);
  repair->keep_nodes = FALSE;
  return found || search (repair, plan, error);
}

gboolean
plg_plan_repair (PlgPlan *plan,
                 const PlgCatalogue *catalogue,
                 const char *const *settings,
                 GError **error)
{
  g_autoptr (PlgPlan) wanted = plg_plan_copy (plan);
  PlanRepair repair = { plan, wanted, catalogue, settings, FALSE };
  PlgNodeNames names = plan->node_names;
  gboolean found;

  for (int i = 0; settings[i] != NULL; i++)
    if (!plg_setting_assign (wanted, catalogue, settings[i], error))
      return FALSE;

  /* Detach the node names during the search, because each attempt copies the plan and a large
   * cluster has thousands of names. If the settings include node names, the search needs them. */
  if (is_given (&repair, "cluster.node-names"))
    return search_all (&repair, plan, error);
  plan->node_names = (PlgNodeNames) { 0 };
  found = search_all (&repair, plan, error);
  plg_node_names_clear (&plan->node_names);
  plan->node_names = names;
  if (found)
    plg_node_names_prune (&plan->node_names, plan->cluster.nodes,
                          plg_cluster_hosts_per_node (&plan->cluster));
  return found;
}
