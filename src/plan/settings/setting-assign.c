/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting.h"

#include "plan/fault.h"
#include "plan/order-preset.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Sets several settings together. Adjusts settings that would contradict the given keys, unless
 * their own keys are given too. */

/* Adjusts the precision and the FP8 recipe of PLAN if GIVEN sets a GPU or a node that does not
 * support them. */
static void
follow_precision (PlgPlan *plan, const char *const *given)
{
  static const PlgPrecision order[] = { PLG_PRECISION_FP4, PLG_PRECISION_FP8, PLG_PRECISION_BF16,
                                        PLG_PRECISION_FP16, PLG_PRECISION_FP32 };
  gboolean has_gpu = plg_settings_have_key (given, "cluster.gpu") ||
                     plg_settings_have_key (given, "cluster.node");
  guint i = 0;

  if (has_gpu && !plg_settings_have_key (given, "training.fp8-recipe") &&
      plan->training.fp8_recipe == PLG_FP8_RECIPE_MXFP8 && !plg_cluster_has_mxfp8 (&plan->cluster))
    plan->training.fp8_recipe = PLG_FP8_RECIPE_AUTO;

  if (!has_gpu || plg_settings_have_key (given, "training.precision") || plan->cluster.peak > 0)
    return;
  while (order[i] != plan->training.precision)
    i++;
  while (i + 1 < G_N_ELEMENTS (order) && !(plan->cluster.gpu.peak[order[i]] > 0))
    i++;
  plan->training.precision = order[i];
}

/* Removes the topology if it does not fit the plan's node any more. A change of only the GPU
 * does not remove the topology if the links of the new GPU have the same type and bandwidths as
 * those of the old GPU. Then applies the node's topology from CATALOGUE, if CATALOGUE (may be
 * NULL) has one. */
static void
follow_topology (const PlgPlan *before, PlgPlan *plan, const PlgCatalogue *catalogue)
{
  const PlgCluster *old = &before->cluster, *new = &plan->cluster;
  const PlgNodeTopology *topology = &plan->node_topology;

  if (topology->gpus != new->gpus_per_node ||
      (topology->nics > 0 && topology->nics != new->nics_per_node) ||
      (!g_str_equal (old->node, new->node) && !g_str_equal (new->node, "custom")) ||
      old->intra != new->intra || old->gpu.link_bandwidth != new->gpu.link_bandwidth ||
      old->gpu.pcie_bandwidth != new->gpu.pcie_bandwidth)
    plg_node_topology_clear (&plan->node_topology);
  /* The code for advice passes NULL as CATALOGUE, because it does not try other nodes. */
  if (catalogue != NULL)
    plg_catalogue_apply_topology (catalogue, plan);
}

/* Makes PLAN consistent after the keys in GIVEN were set: a given layout resets the settings that
 * it replaces and decides the chunks and the schedule; other keys remove a layout that no longer
 * fits. */
static void
follow_layout (PlgPlan *plan, const char *const *given)
{
  static const char *const replaced[] = { "parallelism.first-layers", "parallelism.last-layers",
                                          "parallelism.embedding-slot", "parallelism.loss-slot" };
  static const char *const none[] = { "0", "0", "false", "false" };
  PlgParallelism *parallelism = &plan->parallelism;
  int pp = parallelism->degree[PLG_AXIS_PP], stages = parallelism->layout.stages;
  gboolean has_replaced = FALSE;

  if (stages == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (replaced); i++)
    if (plg_settings_have_key (given, replaced[i]))
      has_replaced = TRUE;
    else if (plg_settings_have_key (given, "parallelism.layout"))
      plg_setting_set (plan, NULL, replaced[i], none[i], NULL);
  if (!plg_settings_have_key (given, "parallelism.layout"))
    {
      if (has_replaced || !plg_plan_check_layout (plan, NULL))
        parallelism->layout.stages = 0;
      return;
    }
  /* Let the layout decide how many chunks a stage has, as in Megatron-LM. */
  if (pp > 1 && stages % pp == 0 && plan->training.schedule != PLG_SCHEDULE_ZB_V &&
      !plg_settings_have_key (given, "parallelism.chunks") &&
      !plg_settings_have_key (given, "training.schedule"))
    {
      parallelism->chunks = stages / pp;
      if (stages > pp)
        plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
      else if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
        plan->training.schedule = PLG_SCHEDULE_1F1B;
    }
}

/* Gives a new mixer the usual sizes, unless they are in GIVEN or were set before. These are the
 * defaults of Megatron-LM (training/arguments.py), with attention in every fourth layer, as in
 * Qwen3-Next. */
static void
follow_mixer (const PlgPlan *before, PlgPlan *edited, const char *const *given)
{
  PlgTransformer *model = &edited->model;
  gboolean is_mamba = model->mixer == PLG_MIXER_MAMBA2;
  int heads = is_mamba ? MAX (model->hidden / 32, 1) : 32;
  const struct
  {
    const char *key;
    int *size;
    int usual;
  } sizes[] = {
    { "model.attention-layers", &model->attention_layers, model->layers / 4 },
    { "model.mixer-heads", &model->mixer_heads, heads },
    { "model.mixer-head-dim", &model->mixer_head_dim, is_mamba ? 64 : 128 },
    { "model.mixer-groups", &model->mixer_groups, is_mamba ? (heads % 8 == 0 ? 8 : 1) : 16 },
    { "model.mixer-state", &model->mixer_state, 128 },
    { "model.mixer-conv", &model->mixer_conv, 4 },
  };

  if (model->mixer == PLG_MIXER_NONE || before->model.mixer != PLG_MIXER_NONE ||
      !plg_settings_have_key (given, "model.mixer"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (*sizes[i].size == 0 && !plg_settings_have_key (given, sizes[i].key))
      *sizes[i].size = sizes[i].usual;
}

/* Applies all assignments to EDITED, a copy of BEFORE. */
static gboolean
assign_all (const PlgPlan *before,
            PlgPlan *edited,
            const PlgCatalogue *catalogue,
            const char *const *given,
            GError **error)
{
  for (int i = 0; given[i] != NULL; i++)
    if (!plg_setting_assign (edited, catalogue, given[i], error))
      return FALSE;

  /* Adjust the chunks if only the schedule is given, and the schedule if only the chunks are
   * given. */
  PlgSchedule *schedule = &edited->training.schedule;
  int *chunks = &edited->parallelism.chunks;
  gboolean has_chunks = plg_settings_have_key (given, "parallelism.chunks");
  gboolean has_schedule = plg_settings_have_key (given, "training.schedule");

  if (has_chunks && !has_schedule)
    {
      if (*chunks > 1 && *schedule == PLG_SCHEDULE_1F1B)
        *schedule = PLG_SCHEDULE_INTERLEAVED;
      else if (*chunks == 1 && *schedule == PLG_SCHEDULE_INTERLEAVED)
        *schedule = PLG_SCHEDULE_1F1B;
    }
  else if (has_schedule && !has_chunks)
    {
      if (*schedule != PLG_SCHEDULE_INTERLEAVED)
        *chunks = 1;
      else if (*chunks == 1)
        *chunks = 2;
    }

  follow_precision (edited, given);
  follow_mixer (before, edited, given);

  /* Reset EP and ETP, because a dense model has no experts to distribute. */
  gboolean has_model = plg_settings_have_key (given, "model.name") ||
                       plg_settings_have_key (given, "model.experts");

  if (has_model && !plg_transformer_is_moe (&edited->model))
    {
      if (!plg_settings_have_key (given, "parallelism.ep"))
        edited->parallelism.degree[PLG_AXIS_EP] = 1;
      if (!plg_settings_have_key (given, "parallelism.etp"))
        edited->parallelism.etp = 1;
    }

  /* Reset the numbers of layers per stage that were set by hand, because they are valid only for
   * one PP degree and one total number of layers. */
  gboolean has_layers = plg_settings_have_key (given, "parallelism.first-layers") ||
                        plg_settings_have_key (given, "parallelism.last-layers");

  if (!has_layers &&
      (before->model.layers != edited->model.layers ||
       before->parallelism.degree[PLG_AXIS_PP] != edited->parallelism.degree[PLG_AXIS_PP]))
    edited->parallelism.first_layers = edited->parallelism.last_layers = 0;
  follow_layout (edited, given);

  follow_topology (before, edited, catalogue);

  /* Keep the number of GPUs per host if it divides the new number of GPUs per node; otherwise
   * make the node a single host. */
  PlgCluster *cluster = &edited->cluster;

  if (!plg_settings_have_key (given, "cluster.gpus-per-host") && cluster->gpus_per_host > 0 &&
      cluster->gpus_per_node % cluster->gpus_per_host != 0)
    cluster->gpus_per_host = 0;
  if (!plg_settings_have_key (given, "cluster.faults"))
    plg_faults_prune (&edited->cluster);
  if (!plg_settings_have_key (given, "cluster.node-names"))
    plg_node_names_prune (&edited->node_names, edited->cluster.nodes,
                          plg_cluster_hosts_per_node (&edited->cluster));
  return TRUE;
}

static gboolean
fill_dp (PlgPlan *plan, GError **error)
{
  int *degree = plan->parallelism.degree;
  gint64 world = plg_plan_world (plan);
  gint64 product = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  g_autofree char *cp = degree[PLG_AXIS_CP] > 1 ? g_strdup_printf ("CP %d × ", degree[PLG_AXIS_CP])
                                                : g_strdup ("");

  if (world % product != 0)
    {
      const char *const *causes = degree[PLG_AXIS_CP] > 1
                                      ? PLG_CAUSES ("parallelism.tp", "parallelism.pp",
                                                    "parallelism.cp", "cluster.nodes")
                                      : PLG_CAUSES ("parallelism.tp", "parallelism.pp",
                                                    "cluster.nodes");

      return plg_plan_problem_set (
          error, PLG_PLAN_ERROR_WORLD, causes,
          g_dngettext (GETTEXT_PACKAGE,
                       "TP %d × %sPP %d = %lld does not divide %lld GPU; use degrees whose "
                       "product divides %lld",
                       "TP %d × %sPP %d = %lld does not divide %lld GPUs; use degrees whose "
                       "product divides %lld",
                       (gulong) world),
          degree[PLG_AXIS_TP], cp, degree[PLG_AXIS_PP], (long long) product, (long long) world,
          (long long) world);
    }
  degree[PLG_AXIS_DP] = (int) (world / product);
  return TRUE;
}

/* Returns TRUE if the world size, the degrees and the rank order are the same in both plans. A
 * placement made by hand in one plan is then also valid for the other plan. */
static gboolean
same_groups (const PlgPlan *a, const PlgPlan *b)
{
  for (int i = 0; i < PLG_N_AXES; i++)
    if (i != PLG_AXIS_EP && a->parallelism.degree[i] != b->parallelism.degree[i])
      return FALSE;
  return plg_order_is_used (a->parallelism.order, &b->parallelism) &&
         plg_plan_world (a) == plg_plan_world (b);
}

gboolean
plg_settings_have_key (const char *const *assignments, const char *key)
{
  gsize length = strlen (key);

  for (int i = 0; assignments != NULL && assignments[i] != NULL; i++)
    if (strncmp (assignments[i], key, length) == 0 && assignments[i][length] == '=')
      return TRUE;
  return FALSE;
}

gboolean
plg_settings_lost_layout (const PlgPlan *before,
                          const PlgPlan *after,
                          const char *const *assignments)
{
  return before->parallelism.layout.stages > 0 && after->parallelism.layout.stages == 0 &&
         !plg_settings_have_key (assignments, "parallelism.layout");
}

gboolean
plg_settings_assign (PlgPlan *plan,
                     const PlgCatalogue *catalogue,
                     const char *const *assignments,
                     GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  if (!assign_all (plan, edited, catalogue, assignments, error))
    return FALSE;
  plg_plan_assign (plan, edited);
  return TRUE;
}

gboolean
plg_settings_apply (PlgPlan *plan,
                    const PlgCatalogue *catalogue,
                    const char *const *assignments,
                    GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);

  if (!assign_all (plan, edited, catalogue, assignments, error) ||
      (!plg_settings_have_key (assignments, "parallelism.dp") && !fill_dp (edited, error)))
    return FALSE;
  if (!plg_settings_have_key (assignments, "parallelism.replicate"))
    plg_parallelism_fit_replicate (&edited->parallelism);
  if (!same_groups (plan, edited))
    plg_placement_clear (&edited->placement);
  if (!plg_plan_check (edited, error))
    return FALSE;
  plg_plan_assign (plan, edited);
  return TRUE;
}
