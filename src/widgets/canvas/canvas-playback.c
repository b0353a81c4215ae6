/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Shows the activity of the cluster at a given time in the step. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/figure/activity.h"

gboolean
plg_canvas_is_playing_step (PlgCanvas *self)
{
  return self->rendering.time >= 0;
}

double
plg_canvas_time (PlgCanvas *self)
{
  return self->rendering.time;
}

void
plg_canvas_clear_step_snapshot (PlgCanvas *self)
{
  g_clear_pointer (&self->rendering.step_snapshot, plg_snapshot_free);
}

static PlgSnapshot *
snapshot_at (PlgCanvas *self, double time)
{
  if (time < 0 || self->document == NULL)
    return NULL;
  return plg_snapshot_new (plg_document_plan (self->document), plg_document_report (self->document),
                           time);
}

gboolean
plg_canvas_set_step_time (PlgCanvas *self, double time)
{
  g_autoptr (PlgSnapshot) snapshot = NULL;
  PlgSnapshot *previous = self->rendering.step_snapshot;
  gboolean was_playing = plg_canvas_is_playing_step (self), is_playing, is_changed;

  snapshot = snapshot_at (self, time);
  self->rendering.time = time;
  is_playing = plg_canvas_is_playing_step (self);
  is_changed = was_playing != is_playing || !plg_snapshot_equal (snapshot, previous);
  /* The start and end of playback change the legend and therefore the layout. Gradient
   * synchronization and the optimizer change the legend too, because each has its own legend
   * entry. */
  if (was_playing != is_playing ||
      plg_activity_unusual_mask (snapshot) != plg_activity_unusual_mask (previous))
    plg_canvas_invalidate (self);
  else if (is_changed)
    plg_canvas_invalidate_figure (self);
  plg_canvas_clear_step_snapshot (self);
  self->rendering.step_snapshot = g_steal_pointer (&snapshot);
  return is_changed;
}

gboolean
plg_canvas_shows_time (PlgCanvas *self, double time)
{
  return time == self->rendering.time && (time < 0 || self->rendering.step_snapshot != NULL);
}

char *
plg_canvas_gpu_activity (PlgCanvas *self, int gpu)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgSnapshot *snapshot;
  const PlgStageSnapshot *at;
  PlgCoordinate coordinate;
  int stage;

  if (self->rendering.step_snapshot == NULL)
    self->rendering.step_snapshot = snapshot_at (self, self->rendering.time);
  snapshot = self->rendering.step_snapshot;
  if (snapshot == NULL)
    return NULL;
  coordinate = plg_rank_coordinate (&plan->parallelism, plg_canvas_rank_of_gpu (self, gpu));
  stage = coordinate.index[PLG_AXIS_PP];
  if (stage >= snapshot->n_stages)
    return NULL;
  at = &snapshot->stages[stage];
  if (at->block < 0)
    return g_strdup (plg_activity_title (at->activity));
  return g_strdup_printf ("%s %d", plg_activity_title (at->activity),
                          g_array_index (plg_document_report (self->document)->blocks, PlgBlock,
                                         at->block)
                              .micro_batch);
}
