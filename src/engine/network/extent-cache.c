/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/extent-cache.h"

void
plg_extent_cache_clear (PlgExtentCache *cache)
{
  cache->known = 0;
}

gboolean
plg_extent_cache_has (const PlgExtentCache *cache, PlgGroupKind kind, const PlgPlan *plan)
{
  return (cache->known & (1u << kind)) != 0 &&
         (kind != PLG_GROUP_EMBEDDING ||
          cache->copy_stage == plg_parallelism_copy_stage (&plan->parallelism));
}

PlgGroupExtent
plg_extent_cache_get (PlgExtentCache *cache,
                      PlgGroupKind kind,
                      const PlgPlan *plan,
                      const PlgFabric *fabric)
{
  PlgGroups groups;

  if (!plg_extent_cache_has (cache, kind, plan))
    {
      if (kind == PLG_GROUP_EMBEDDING)
        cache->copy_stage = plg_parallelism_copy_stage (&plan->parallelism);
      plg_groups_init (&groups, &plan->parallelism, kind);
      cache->extent[kind] = plg_groups_extent (&groups, plan, fabric);
      cache->known |= 1u << kind;
    }
  return cache->extent[kind];
}

PlgGroupExtent
plg_extent_cache_neighbours (PlgExtentCache *cache, const PlgPlan *plan, const PlgFabric *fabric)
{
  PlgGroups groups;

  if ((cache->known & (1u << PLG_N_GROUP_KINDS)) == 0)
    {
      plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_CP);
      cache->neighbours = plg_groups_neighbours (&groups, plan, fabric);
      cache->known |= 1u << PLG_N_GROUP_KINDS;
    }
  return cache->neighbours;
}
