/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/plan.h"

#include <glib/gi18n-lib.h>

PlgPlan *
plg_plan_new (void)
{
  PlgPlan *plan = g_new0 (PlgPlan, 1);

  plan->title = g_strdup ("");
  plan->notes = g_strdup ("");

  /* Set the smallest valid values. If a caller then sets only some fields and one of them is
   * invalid, the check reports that field and not a field that the caller has not set. */
  PlgCluster *cluster = &plan->cluster;

  g_strlcpy (cluster->gpu.name, "custom", PLG_NAME_SIZE);
  g_strlcpy (cluster->gpu.title, "Custom", PLG_NAME_SIZE);
  for (int i = 0; i < PLG_N_PRECISIONS; i++)
    {
      cluster->gpu.peak[i] = 1e12;
      cluster->gpu.matrix_efficiency[i] = 1;
    }
  cluster->gpu.vector_peak = 1e12;
  cluster->gpu.memory = cluster->memory = 1024.0 * 1024.0 * 1024.0;
  cluster->gpu.memory_bandwidth = cluster->memory_bandwidth = 1e9;
  cluster->gpu.memory_efficiency = 1;
  cluster->gpu.pcie_bandwidth = cluster->intra_bandwidth = 1e9;
  cluster->intra = PLG_INTRA_PCIE;
  cluster->inter_bandwidth = 1e9;
  g_strlcpy (cluster->node, "custom", PLG_NAME_SIZE);
  cluster->nodes = cluster->gpus_per_node = cluster->nics_per_node = 1;
  cluster->oversubscription = 1;
  cluster->rdma = TRUE;
  cluster->intra_efficiency = cluster->inter_efficiency = 1;

  PlgTransformer *model = &plan->model;

  g_strlcpy (model->name, "custom", PLG_NAME_SIZE);
  g_strlcpy (model->title, "Custom", PLG_NAME_SIZE);
  model->layers = model->hidden = model->ffn = model->vocabulary = 1;
  model->heads = model->kv_heads = model->head_dim = 1;

  PlgTraining *training = &plan->training;

  training->sequence = training->micro_batch = training->global_batch = 1;
  training->gradient_precision = PLG_PRECISION_FP32;
  training->schedule = PLG_SCHEDULE_1F1B;
  training->flash_attention = training->causal = TRUE;
  training->muon_steps = 5;
  training->expert_load = 1;
  training->recompute_layers = 1;

  PlgParallelism *parallelism = &plan->parallelism;
  static const PlgAxis order[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };

  for (int i = 0; i < PLG_N_AXES; i++)
    parallelism->degree[i] = 1;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    parallelism->order[i] = order[i];
  parallelism->etp = parallelism->chunks = parallelism->replicate = 1;

  plg_cost_init (&plan->cost);
  plg_reliability_init (&plan->reliability);

  return plan;
}

PlgPlan *
plg_plan_copy (const PlgPlan *plan)
{
  PlgPlan *copy = g_new0 (PlgPlan, 1);

  plg_plan_assign (copy, plan);
  return copy;
}

static void
assign_text (char **to, const char *from)
{
  if (*to != NULL && g_str_equal (*to, from))
    return;
  g_free (*to);
  *to = g_strdup (from);
}

void
plg_plan_assign (PlgPlan *to, const PlgPlan *from)
{
  if (to == from)
    return;
  assign_text (&to->title, from->title);
  assign_text (&to->notes, from->notes);
  to->cluster = from->cluster;
  plg_node_topology_copy (&to->node_topology, &from->node_topology);
  plg_node_names_copy (&to->node_names, &from->node_names);
  to->model = from->model;
  to->training = from->training;
  to->parallelism = from->parallelism;
  plg_placement_copy (&to->placement, &from->placement);
  to->cost = from->cost;
  to->reliability = from->reliability;
  to->profile = from->profile;
  to->view = from->view;
  if (to->variants != from->variants)
    {
      plg_variants_unref (to->variants);
      to->variants = plg_variants_ref (from->variants);
    }
}

void
plg_plan_free (PlgPlan *plan)
{
  if (plan == NULL)
    return;
  g_free (plan->title);
  g_free (plan->notes);
  plg_placement_clear (&plan->placement);
  plg_node_topology_clear (&plan->node_topology);
  plg_node_names_clear (&plan->node_names);
  plg_variants_unref (plan->variants);
  g_free (plan);
}

gboolean
plg_plan_same_design (const PlgPlan *a, const PlgPlan *b)
{
  return a->profile == b->profile && plg_parallelism_equal (&a->parallelism, &b->parallelism) &&
         plg_training_equal (&a->training, &b->training) &&
         plg_transformer_equal (&a->model, &b->model) &&
         plg_cluster_equal (&a->cluster, &b->cluster) && plg_cost_equal (&a->cost, &b->cost) &&
         plg_reliability_equal (&a->reliability, &b->reliability) &&
         plg_node_topology_equal (&a->node_topology, &b->node_topology) &&
         plg_placement_equal (&a->placement, &b->placement);
}

gboolean
plg_plan_equal (const PlgPlan *a, const PlgPlan *b)
{
  return g_str_equal (a->title, b->title) && g_str_equal (a->notes, b->notes) &&
         plg_node_names_equal (&a->node_names, &b->node_names) && a->view.show == b->view.show &&
         a->view.link_color == b->view.link_color && !a->view.rings == !b->view.rings &&
         a->view.pairs == b->view.pairs && plg_variants_equal (a->variants, b->variants) &&
         plg_plan_same_design (a, b);
}

char *
plg_plan_display_title (const PlgPlan *plan)
{
  if (*plan->title != '\0')
    return g_strdup (plan->title);
  return g_strdup_printf (_ ("%s on %d × %s"), plan->model.title, plg_cluster_gpus (&plan->cluster),
                          plan->cluster.gpu.title);
}

int
plg_plan_world (const PlgPlan *plan)
{
  return plg_cluster_gpus (&plan->cluster);
}

int *
plg_plan_rank_of_gpus (const PlgPlan *plan)
{
  int world = plg_plan_world (plan);
  int *rank_of_gpu = g_new (int, world);

  plg_placement_invert (&plan->placement, world, rank_of_gpu);
  return rank_of_gpu;
}

int
plg_plan_micro_batches (const PlgPlan *plan)
{
  gint64 samples = (gint64) plan->training.micro_batch * plan->parallelism.degree[PLG_AXIS_DP];

  return (int) (plan->training.global_batch / MAX (1, samples));
}

char *
plg_plan_node_title (const PlgPlan *plan, int node)
{
  const char *name = plg_node_names_get (&plan->node_names, node);

  return name != NULL ? g_strdup (name) : g_strdup_printf (_ ("node %d"), node);
}

int
plg_plan_node_of_rank (const PlgPlan *plan, int rank)
{
  return plg_placement_gpu (&plan->placement, rank) / plan->cluster.gpus_per_node;
}
