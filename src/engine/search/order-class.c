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

/* Returns the extents of all groups of PLAN and of the hops between its stages, as an array of
 * PlgGroupExtent. Two plans with equal extents that differ only in their order have equal
 * figures. */
static GArray *
group_extents (const PlgPlan *plan)
{
  GArray *extents = g_array_new (FALSE, FALSE, sizeof (PlgGroupExtent));
  int stages = plan->parallelism.degree[PLG_AXIS_PP];
  PlgGroupExtent extent;
  PlgFabric fabric;
  PlgGroups groups;

  plg_fabric_of_plan (&fabric, plan);
  for (int kind = 0; kind < PLG_N_GROUP_KINDS; kind++)
    {
      plg_groups_init (&groups, &plan->parallelism, kind);
      extent = plg_groups_extent (&groups, plan, &fabric);
      g_array_append_val (extents, extent);
      if (kind == PLG_GROUP_CP)
        {
          extent = plg_groups_neighbours (&groups, plan, &fabric);
          g_array_append_val (extents, extent);
        }
    }
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_PP);
  for (int i = 0; i < stages && stages > 1; i++)
    {
      extent = plg_groups_hop (&groups, plan, &fabric, i, (i + 1) % stages);
      g_array_append_val (extents, extent);
    }
  return extents;
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
plg_order_classes_join (GArray *classes, PlgPlan *plan)
{
  g_autoptr (GPtrArray) extents = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  if (plan->cluster.n_faults > 0)
    return;
  for (guint i = 0; i < classes->len;)
    {
      GArray *own;
      gboolean is_new = TRUE;

      memcpy (plan->parallelism.order,
              plg_search_order (g_array_index (classes, PlgOrderClass, i).order),
              sizeof plan->parallelism.order);
      own = group_extents (plan);
      for (guint j = 0; j < extents->len && is_new; j++)
        {
          const GArray *other = g_ptr_array_index (extents, j);

          is_new = FALSE;
          for (guint k = 0; k < own->len && !is_new; k++)
            is_new = !equal_extents (&g_array_index (own, PlgGroupExtent, k),
                                     &g_array_index (other, PlgGroupExtent, k));
          if (!is_new)
            g_array_index (classes, PlgOrderClass, j).n++;
        }
      if (is_new)
        {
          g_ptr_array_add (extents, own);
          i++;
          continue;
        }
      g_array_unref (own);
      g_array_remove_index (classes, i);
    }
}
