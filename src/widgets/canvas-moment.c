/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The canvas at one second of the step. */

#include "widgets/canvas-private.h"

#include "drawing/activity.h"

gboolean
plg_canvas_has_moment (PlgCanvas *self)
{
  return self->moment >= 0;
}

static PlgMoment *
moment_at (PlgCanvas *self, double time)
{
  if (time < 0 || self->document == NULL)
    return NULL;
  return plg_moment_new (plg_document_plan (self->document), plg_document_report (self->document),
                         time);
}

/* Between two events nothing on the canvas changes, and nothing is drawn. Coming and going may
 * change the legend, and so where everything lies; so may the end of a step, which has entries of
 * its own. */
void
plg_canvas_set_moment (PlgCanvas *self, double time)
{
  g_autoptr (PlgMoment) moment = NULL;
  gboolean had = plg_canvas_has_moment (self);
  gboolean changes;

  g_return_if_fail (PLG_IS_CANVAS (self));

  if (time == self->moment && (time < 0 || self->shown_moment != NULL))
    return;
  moment = moment_at (self, time);
  self->moment = time;
  plg_canvas_say (self, NULL);
  changes = had != plg_canvas_has_moment (self) || !plg_moment_equal (moment, self->shown_moment);
  if (had != plg_canvas_has_moment (self) ||
      plg_activity_rarely_on (moment) != plg_activity_rarely_on (self->shown_moment))
    plg_canvas_invalidate (self);
  else if (changes)
    plg_canvas_invalidate_figure (self);
  if (changes)
    plg_canvas_play_map (self);
  g_clear_pointer (&self->shown_moment, plg_moment_free);
  self->shown_moment = g_steal_pointer (&moment);
  plg_canvas_tell_activity (self);
  /* A pointer that was left somewhere must not dim what is played. */
  plg_canvas_let_go (self);
  g_object_notify (G_OBJECT (self), "moment");
}

/* What is known of it belongs to another report. */
void
plg_canvas_forget_moment (PlgCanvas *self)
{
  g_clear_pointer (&self->shown_moment, plg_moment_free);
}

void
plg_canvas_set_moment_options (PlgCanvas *self, PlgPictureOptions *options)
{
  options->has_moment = plg_canvas_has_moment (self);
  options->moment = self->moment;
}

char *
plg_canvas_activity_of (PlgCanvas *self, int gpu)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgMoment *moment;
  const PlgStageMoment *at;
  int stage;

  if (self->shown_moment == NULL)
    self->shown_moment = moment_at (self, self->moment);
  moment = self->shown_moment;
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
