/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-snapshot.h"

void
plg_cluster_set_snapshot (PlgClusterDrawing *drawing)
{
  if (!drawing->options->has_moment || !plg_cluster_layout_is_ranked (drawing->plan))
    return;
  drawing->moment = plg_snapshot_new (drawing->plan, drawing->report, drawing->options->moment);
  if (drawing->moment == NULL)
    return;
  drawing->active_link = g_new0 (guint8, drawing->report->links->len);
  plg_snapshot_links (drawing->moment, drawing->plan, drawing->report, drawing->active_link);
}

const PlgStageSnapshot *
plg_cluster_stage_snapshot (const PlgClusterDrawing *drawing, int stage)
{
  if (drawing->moment == NULL || stage < 0 || stage >= drawing->moment->n_stages)
    return NULL;
  return &drawing->moment->stages[stage];
}

gboolean
plg_cluster_is_axis_active (const PlgClusterDrawing *drawing, PlgAxis axis, int rank)
{
  PlgCoordinate at = plg_rank_coordinate (&drawing->plan->parallelism, rank);
  const PlgStageSnapshot *moment = plg_cluster_stage_snapshot (drawing, at.index[PLG_AXIS_PP]);

  if (moment == NULL)
    return TRUE;
  for (guint i = 0; i < drawing->report->collectives->len && i < 32; i++)
    if ((moment->running & (1u << i)) != 0 &&
        g_array_index (drawing->report->collectives, PlgCollective, i).axis == axis)
      return TRUE;
  return FALSE;
}

gboolean
plg_cluster_is_link_active (const PlgClusterDrawing *drawing, int link)
{
  return drawing->active_link == NULL || (link >= 0 && drawing->active_link[link]);
}

char *
plg_cluster_activity_text (const PlgClusterDrawing *drawing, const PlgStageSnapshot *moment)
{
  const char *letter = plg_activity_letter (moment->activity);

  if (moment->block < 0)
    return g_strdup (letter);
  return g_strdup_printf ("%s\u00a0%d", letter,
                          g_array_index (drawing->report->blocks, PlgBlock, moment->block)
                              .micro_batch);
}

const char *
plg_cluster_activity_title (const PlgClusterDrawing *drawing, const PlgStageSnapshot *moment)
{
  const char *title = plg_activity_title (moment->activity);

  if (moment->block < 0)
    return title;
  return plg_figure_string (drawing->figure, "%s %d", title,
                            g_array_index (drawing->report->blocks, PlgBlock, moment->block)
                                .micro_batch);
}
