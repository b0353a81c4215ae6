/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* The extents of the groups of a plan. Each extent is measured when it is needed first. Plans with
 * the same degrees, replicate, nesting order and placement on the same fabric can share a cache.
 * They may differ in the stage with the copy of the embedding (plg_parallelism_copy_stage()). */
typedef struct
{
  int copy_stage; /* the stage for which the extent of PLG_GROUP_EMBEDDING is known */
  guint known;    /* mask of 1 << PlgGroupKind; the bit PLG_N_GROUP_KINDS stands for NEIGHBOURS */
  PlgGroupExtent extent[PLG_N_GROUP_KINDS];
  PlgGroupExtent neighbours; /* the worst hop around the rings of CP */
} PlgExtentCache;

/* Forgets all extents of CACHE. Only this function may be used on a cache that is not set. */
void plg_extent_cache_clear (PlgExtentCache *cache);
/* Returns TRUE if the extent of the groups of KIND in PLAN is known. */
gboolean plg_extent_cache_has (const PlgExtentCache *cache, PlgGroupKind kind, const PlgPlan *plan);
/* Returns the extent of the groups of KIND (plg_groups_extent()). PLAN and FABRIC must place all
 * groups like those of the calls before. FABRIC may be NULL if the extent is known. */
PlgGroupExtent plg_extent_cache_get (PlgExtentCache *cache,
                                     PlgGroupKind kind,
                                     const PlgPlan *plan,
                                     const PlgFabric *fabric);
/* Returns the worst hop around the rings of CP (plg_groups_neighbours()). */
PlgGroupExtent
plg_extent_cache_neighbours (PlgExtentCache *cache, const PlgPlan *plan, const PlgFabric *fabric);

G_END_DECLS
