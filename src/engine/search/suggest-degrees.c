/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/suggest-degrees.h"

#include "engine/search/fitting-plan.h"
#include "plan/plan-check.h"
#include "plan/settings/setting.h"

/* The number of micro-batches per replica per step in a new plan, which is enough for a small
 * bubble. */
#define MICRO_BATCHES 32

/* The degrees of TP, PP and EP that are tried first. */
static const int degrees[] = { 8, 4, 2, 1 };

static void
set_degree (PlgPlan *plan, const char *const *held, PlgAxis axis, int degree)
{
  g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (axis), NULL);

  if (!plg_settings_have_key (held, key))
    plan->parallelism.degree[axis] = degree;
}

/* Sets the DP degree that fills the cluster, and scales the batch with DP. Fills at most
 * PLG_MAX_GPUS GPUs, so that the error for a larger cluster names the cluster and not a DP
 * degree that nobody set. */
static void
fill_cluster (PlgPlan *plan, const char *const *held)
{
  const int *degree = plan->parallelism.degree;
  gint64 others = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  gint64 batch;

  set_degree (plan, held, PLG_AXIS_DP,
              (int) MAX (1, MIN (plg_cluster_gpus (&plan->cluster), PLG_MAX_GPUS) / others));
  batch = (gint64) MICRO_BATCHES * plan->training.micro_batch * degree[PLG_AXIS_DP];
  if (!plg_settings_have_key (held, "training.global-batch"))
    plan->training.global_batch = (int) MIN (batch, G_MAXINT);
}

/* Chooses degrees with which the plan can exist. Prefers the largest TP within a node, then the
 * largest PP, then the largest EP. Keeps the degrees in HELD. */
static gboolean
choose_degrees (PlgPlan *plan, const char *const *held, GError **error)
{
  gsize n = G_N_ELEMENTS (degrees);

  for (gsize i = 0; i < n * n * n; i++)
    {
      int tp = degrees[i / (n * n)], pp = degrees[i / n % n], ep = degrees[i % n];

      if ((plan->cluster.gpus_per_node % tp != 0 && tp > 1) || pp > 4 ||
          (ep > 1 && !plg_transformer_is_moe (&plan->model)))
        continue;
      set_degree (plan, held, PLG_AXIS_TP, tp);
      set_degree (plan, held, PLG_AXIS_PP, pp);
      set_degree (plan, held, PLG_AXIS_EP, ep);
      fill_cluster (plan, held);
      if (error != NULL)
        g_clear_error (error);
      if (plg_plan_check (plan, error))
        return TRUE;
    }
  return FALSE;
}

/* Takes back what can prevent every choice of TP, PP and EP, except for the values in HELD: CP, ETP,
 * chunks, and a schedule other than 1F1B. */
static void
simplify (PlgPlan *plan, const char *const *held)
{
  set_degree (plan, held, PLG_AXIS_CP, 1);
  if (!plg_settings_have_key (held, "parallelism.etp"))
    plan->parallelism.etp = 1;
  if (!plg_settings_have_key (held, "training.schedule") &&
      !plg_settings_have_key (held, "parallelism.chunks"))
    {
      plan->training.schedule = PLG_SCHEDULE_1F1B;
      plan->parallelism.chunks = 1;
    }
}

gboolean
plg_suggest_degrees (PlgPlan *plan, const char *const *held, GError **error)
{
  g_autoptr (PlgPlan) suggested = plg_plan_copy (plan);
  g_autoptr (GError) refusal = NULL;

  /* A placement and layers that were set by hand suit other degrees. */
  plg_placement_clear (&suggested->placement);
  if (!plg_settings_have_key (held, "parallelism.first-layers") &&
      !plg_settings_have_key (held, "parallelism.last-layers"))
    plg_parallelism_clear_layers (&suggested->parallelism);

  /* No training run could use a longer sequence. */
  if (plan->model.positions > 0 && !plg_settings_have_key (held, "training.sequence"))
    suggested->training.sequence = MIN (plan->training.sequence, plan->model.positions);

  if (!choose_degrees (suggested, held, &refusal))
    {
      simplify (suggested, held);
      if (!choose_degrees (suggested, held, NULL))
        {
          g_propagate_error (error, g_steal_pointer (&refusal));
          return FALSE;
        }
    }
  plg_search_fitting_plan (suggested, held, MICRO_BATCHES);
  plg_plan_assign (plan, suggested);
  return TRUE;
}
