/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The canvas at one second of the step. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/figure/activity.h"

gboolean
plg_canvas_is_playing_step (PlgCanvas *self)
{
  return self->moment >= 0;
}

static PlgSnapshot *
moment_at (PlgCanvas *self, double time)
{
  if (time < 0 || self->document == NULL)
    return NULL;
  return plg_snapshot_new (plg_document_plan (self->document), plg_document_report (self->document),
                           time);
}

/* Between two events nothing on the canvas changes, and nothing is drawn. Coming and going may
 * change the legend, and so where everything lies; so may the end of a step, which has entries of
 * its own. */
void
plg_canvas_set_time (PlgCanvas *self, double time)
{
  g_autoptr (PlgSnapshot) moment = NULL;
  gboolean had = plg_canvas_is_playing_step (self);
  gboolean changes;

  g_return_if_fail (PLG_IS_CANVAS (self));

  if (time == self->moment && (time < 0 || self->step_snapshot != NULL))
    return;
  moment = moment_at (self, time);
  self->moment = time;
  plg_canvas_announce (self, NULL);
  changes = had != plg_canvas_is_playing_step (self) ||
            !plg_snapshot_equal (moment, self->step_snapshot);
  if (had != plg_canvas_is_playing_step (self) ||
      plg_activity_unusual_mask (moment) != plg_activity_unusual_mask (self->step_snapshot))
    plg_canvas_invalidate (self);
  else if (changes)
    plg_canvas_invalidate_figure (self);
  if (changes)
    plg_canvas_update_map_time (self);
  g_clear_pointer (&self->step_snapshot, plg_snapshot_free);
  self->step_snapshot = g_steal_pointer (&moment);
  plg_canvas_update_activity (self);
  /* A pointer that was left somewhere must not dim what is played. */
  plg_canvas_clear_hover (self);
  g_object_notify (G_OBJECT (self), "time");
}

/* What is known of it belongs to another report. */
void
plg_canvas_clear_step_snapshot (PlgCanvas *self)
{
  g_clear_pointer (&self->step_snapshot, plg_snapshot_free);
}

void
plg_canvas_fill_time_options (PlgCanvas *self, PlgPictureOptions *options)
{
  options->has_moment = plg_canvas_is_playing_step (self);
  options->moment = self->moment;
}

char *
plg_canvas_gpu_activity (PlgCanvas *self, int gpu)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgSnapshot *moment;
  const PlgStageSnapshot *at;
  int stage;

  if (self->step_snapshot == NULL)
    self->step_snapshot = moment_at (self, self->moment);
  moment = self->step_snapshot;
  if (moment == NULL)
    return NULL;
  stage = plg_rank_coordinate (&plan->parallelism, plg_canvas_rank_of_gpu (self, gpu))
              .index[PLG_AXIS_PP];
  if (stage >= moment->n_stages)
    return NULL;
  at = &moment->stages[stage];
  if (at->block < 0)
    return g_strdup (plg_activity_title (at->activity));
  return g_strdup_printf ("%s %d", plg_activity_title (at->activity),
                          g_array_index (plg_document_report (self->document)->blocks, PlgBlock,
                                         at->block)
                              .micro_batch);
}
