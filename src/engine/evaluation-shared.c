/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/evaluation.h"

/* The extents of groups, the hops and the workloads that an evaluation keeps, because many plans of
 * a search share them. */

/* Returns the kind of the stages that FAULTS slow. Never replaces the selected workload. */
static PlgStageKind *
find_kind (PlgEvaluation *evaluation, guint32 faults)
{
  PlgStageKind *kind;

  for (int i = 0; i < evaluation->n_kinds; i++)
    if (evaluation->kinds[i].faults == faults)
      return &evaluation->kinds[i];
  if (evaluation->n_kinds < PLG_MAX_STAGE_KINDS)
    kind = &evaluation->kinds[evaluation->n_kinds++];
  else
    {
      kind = &evaluation->kinds[PLG_MAX_STAGE_KINDS - 1];
      if (&kind->workload == evaluation->workload)
        kind--;
    }
  kind->faults = faults;
  kind->has_workload = FALSE;
  plg_extent_cache_clear (&kind->extents);
  return kind;
}

/* Returns the fabric with FAULTS: that of the selected workload if it has the same faults, else OWN,
 * which is then set. */
static const PlgFabric *
evaluation_fabric (const PlgEvaluation *evaluation, guint32 faults, PlgFabric *own)
{
  gboolean has_all = evaluation->plan->cluster.n_faults == 0 || faults == PLG_ALL_FAULTS;

  if (evaluation->workload != NULL && has_all)
    return &evaluation->workload->fabric;
  plg_workload_fabric (own, evaluation->plan, faults);
  return own;
}

PlgGroupExtent
plg_evaluation_extent (PlgEvaluation *evaluation, guint32 faults, PlgGroupKind group)
{
  PlgStageKind *kind = find_kind (evaluation, evaluation->plan->cluster.n_faults > 0 ? faults : 0);
  PlgFabric own;

  if (plg_extent_cache_has (&kind->extents, group, evaluation->plan))
    return plg_extent_cache_get (&kind->extents, group, evaluation->plan, NULL);
  return plg_extent_cache_get (&kind->extents, group, evaluation->plan,
                               evaluation_fabric (evaluation, faults, &own));
}

PlgGroupExtent
plg_evaluation_hop (PlgEvaluation *evaluation, int i, int j)
{
  const PlgPlan *plan = evaluation->plan;
  int stages = plan->parallelism.degree[PLG_AXIS_PP];
  gboolean is_next = j == (i + 1) % stages;
  gboolean is_kept = stages <= PLG_MAX_KEPT_HOPS && (is_next || i == (j + 1) % stages);
  PlgGroupExtent hop;
  PlgGroups chains;
  PlgFabric own;

  if (is_kept && evaluation->has_hop[!is_next][i])
    return evaluation->hops[!is_next][i];
  plg_groups_init (&chains, &plan->parallelism, PLG_GROUP_PP);
  hop = plg_groups_hop (&chains, plan, evaluation_fabric (evaluation, PLG_ALL_FAULTS, &own), i, j);
  if (is_kept)
    {
      evaluation->hops[!is_next][i] = hop;
      evaluation->has_hop[!is_next][i] = TRUE;
    }
  return hop;
}

PlgGroupExtent
plg_evaluation_neighbours (PlgEvaluation *evaluation, guint32 faults)
{
  PlgStageKind *kind = find_kind (evaluation, faults);
  PlgFabric own;

  return plg_extent_cache_neighbours (&kind->extents, evaluation->plan,
                                      evaluation_fabric (evaluation, faults, &own));
}

guint32
plg_evaluation_select_workload (PlgEvaluation *evaluation, int stage)
{
  PlgStageKind *kind = find_kind (evaluation, plg_workload_faults (evaluation->plan, stage));

  if (!kind->has_workload)
    plg_workload_init (&kind->workload, evaluation->plan, kind->faults, &kind->extents);
  kind->has_workload = TRUE;
  evaluation->workload = &kind->workload;
  return kind->faults;
}
