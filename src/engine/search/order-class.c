/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/order-class.h"

#include "engine/network/groups.h"
#include "plan/order-preset.h"

#include <string.h>

static gboolean
equal_extents (const PlgGroupExtent *a, const PlgGroupExtent *b)
{
  return a->size == b->size && a->nodes == b->nodes && a->per_node == b->per_node &&
         a->ring_uplink_use == b->ring_uplink_use && a->pair_uplink_use == b->pair_uplink_use &&
         a->intra_loss == b->intra_loss && a->inter_loss == b->inter_loss && a->inside == b->inside;
}

/* How an order places the groups of a plan. Two plans with equal placements that differ only in
 * their order have equal figures: each stage has the same work at the same speed, and each
 * collective and message of a stage takes the same time. */
typedef struct
{
  GArray *extents; /* PlgGroupExtent: the groups that call collectives, on each kind of stages, and
                      the hops between stages */
  GArray *stages;  /* guint32, only with faults: the faults that slow the links of each stage; then
                      the stage of each slow GPU */
} OrderPlacement;

static void
order_placement_free (OrderPlacement *placement)
{
  g_array_unref (placement->extents);
  g_array_unref (placement->stages);
  g_free (placement);
}

/* Returns TRUE if a plan with the degrees of PLAN calls collectives in groups of KIND. */
static gboolean
uses_groups (const PlgPlan *plan, PlgGroupKind kind)
{
  gboolean is_moe = plg_transformer_is_moe (&plan->model);
  gboolean has_levels = plan->parallelism.replicate > 1;

  switch (kind)
    {
    case PLG_GROUP_SHARD:
    case PLG_GROUP_REPLICATE:
      return has_levels;
    case PLG_GROUP_EP:
    case PLG_GROUP_ETP:
    case PLG_GROUP_EXPERT_DATA:
      return is_moe;
    case PLG_GROUP_EXPERT_SHARD:
    case PLG_GROUP_EXPERT_REPLICATE:
      return is_moe && has_levels;
    case PLG_GROUP_TP:
    case PLG_GROUP_CP:
    case PLG_GROUP_PP:
    case PLG_GROUP_DATA:
    case PLG_GROUP_EMBEDDING:
    default:
      return TRUE;
    }
}

/* Adds the extents of all groups on stages that FAULTS slow. */
static void
add_extents (GArray *extents, PlgEvaluation *evaluation, guint32 faults)
{
  PlgGroupExtent extent;

  for (int kind = 0; kind < PLG_N_GROUP_KINDS; kind++)
    if (uses_groups (evaluation->plan, kind))
      {
        extent = plg_evaluation_extent (evaluation, faults, kind);
        g_array_append_val (extents, extent);
      }
  if (evaluation->plan->parallelism.degree[PLG_AXIS_CP] > 1)
    {
      extent = plg_evaluation_neighbours (evaluation, faults);
      g_array_append_val (extents, extent);
    }
}

/* Returns the placement with the order of PLAN, and begins EVALUATION with it. */
static OrderPlacement *
order_placement_new (const PlgPlan *plan, PlgEvaluation *evaluation)
{
  OrderPlacement *placement = g_new (OrderPlacement, 1);
  int stages = plan->parallelism.degree[PLG_AXIS_PP];
  PlgGroupExtent extent;

  placement->extents = g_array_new (FALSE, FALSE, sizeof (PlgGroupExtent));
  placement->stages = g_array_new (FALSE, FALSE, sizeof (guint32));
  plg_evaluation_begin (evaluation);
  evaluation->plan = plan;
  if (plan->cluster.n_faults == 0)
    add_extents (placement->extents, evaluation, 0);
  else
    {
      /* The message between the first and the last stage can meet any fault. */
      extent = plg_evaluation_extent (evaluation, PLG_ALL_FAULTS, PLG_GROUP_EMBEDDING);
      g_array_append_val (placement->extents, extent);
      for (int stage = 0; stage < stages; stage++)
        {
          guint32 faults = plg_workload_faults (plan, stage);
          gboolean is_new = TRUE;

          for (guint i = 0; i < placement->stages->len && is_new; i++)
            is_new = g_array_index (placement->stages, guint32, i) != faults;
          if (is_new)
            add_extents (placement->extents, evaluation, faults);
          g_array_append_val (placement->stages, faults);
        }
      for (int i = 0; i < plan->cluster.n_faults; i++)
        if (plan->cluster.faults[i].kind == PLG_FAULT_GPU)
          {
            guint32 stage = (guint32) plg_rank_coordinate (&plan->parallelism,
                                                           plan->cluster.faults[i].first)
                                .index[PLG_AXIS_PP];

            g_array_append_val (placement->stages, stage);
          }
    }
  for (int i = 0; i < stages && stages > 1; i++)
    {
      extent = plg_evaluation_hop (evaluation, i, (i + 1) % stages);
      g_array_append_val (placement->extents, extent);
    }
  /* The search keeps the layout by hand for some schedules only, so the copy of the embedding can
   * be on the last stage or on that of the MTP layers. */
  if (plan->parallelism.layout.mtp_layers > 0 && stages > 1)
    for (int i = 0; i < 2; i++)
      {
        extent = plg_evaluation_hop (evaluation, 0,
                                     i == 0 ? plan->parallelism.layout.mtp % stages : stages - 1);
        g_array_append_val (placement->extents, extent);
      }
  return placement;
}

static gboolean
equal_placements (const OrderPlacement *a, const OrderPlacement *b)
{
  if (a->stages->len != b->stages->len || a->extents->len != b->extents->len ||
      memcmp (a->stages->data, b->stages->data, a->stages->len * sizeof (guint32)) != 0)
    return FALSE;
  for (guint i = 0; i < a->extents->len; i++)
    if (!equal_extents (&g_array_index (a->extents, PlgGroupExtent, i),
                        &g_array_index (b->extents, PlgGroupExtent, i)))
      return FALSE;
  return TRUE;
}

void
plg_order_classes_list (GArray *classes,
                        const PlgSearchSpace *space,
                        const PlgPlan *base,
                        const PlgParallelism *parallelism)
{
  PlgParallelism other = *parallelism;

  g_array_set_size (classes, 0);
  for (int i = -1; i < PLG_N_ORDERS; i++)
    {
      PlgOrderClass class = { i < 0 ? plg_search_order_index (base->parallelism.order) : i, 1,
                              0.0 };
      gboolean is_new = TRUE;

      memcpy (other.order, plg_search_order (class.order), sizeof other.order);
      for (guint j = 0; j < classes->len && is_new; j++)
        {
          const PlgOrderClass *listed = &g_array_index (classes, PlgOrderClass, j);

          is_new = !plg_order_is_used (plg_search_order (listed->order), &other);
        }
      if (is_new && plg_search_space_allows (space, PLG_SEARCH_ORDER, class.order))
        g_array_append_val (classes, class);
    }
}

void
plg_order_classes_join (GArray *classes, PlgPlan *plan, PlgEvaluation *evaluations)
{
  g_autoptr (GPtrArray) placements = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                                                         order_placement_free);

  for (guint i = 0; i < classes->len;)
    {
      OrderPlacement *placement;
      gboolean is_new = TRUE;

      memcpy (plan->parallelism.order,
              plg_search_order (g_array_index (classes, PlgOrderClass, i).order),
              sizeof plan->parallelism.order);
      placement = order_placement_new (plan, &evaluations[i]);
      for (guint j = 0; j < placements->len && is_new; j++)
        {
          is_new = !equal_placements (placement, g_ptr_array_index (placements, j));
          if (!is_new)
            g_array_index (classes, PlgOrderClass, j).n++;
        }
      if (is_new)
        {
          g_ptr_array_add (placements, placement);
          i++;
          continue;
        }
      order_placement_free (placement);
      g_array_remove_index (classes, i);
    }
}
