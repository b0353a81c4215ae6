/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The inspector and the panels at the sides of the cluster. In a narrow window a side that folds is
 * hidden, and comes again when there is room; not so beside a lesson, which stays in sight (over
 * the cluster, where there is no other room), and not while presenting. */

#include "app/window-private.h"

/* In which a window manager gives a window its size again, and in which it is laid out then. */
#define FRAMES_TO_SETTLE 60
#define FRAMES_OF_LAYOUT 4

static void
set_locked (PlgWindow *self, gboolean locked)
{
  adw_flap_set_locked (self->inspector_flap, locked);
  adw_flap_set_locked (self->panels_flap, locked);
}

void
plg_window_update_sides (PlgWindow *self)
{
  gboolean has_lesson = self->run != NULL;

  self->settling = 0;
  set_locked (self, has_lesson || self->show != NULL);
  /* A click beside a lesson is for the cluster, and does not hide the lesson. */
  adw_flap_set_modal (self->inspector_flap, !has_lesson);
}

static gboolean
settle_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgWindow *self = PLG_WINDOW (widget);

  if (self->settling == 0)
    return G_SOURCE_REMOVE;
  if (gtk_widget_get_width (widget) == self->width_to_settle)
    self->settling = MIN (self->settling, FRAMES_OF_LAYOUT);
  if (--self->settling > 0)
    return G_SOURCE_CONTINUE;
  plg_window_update_sides (self);
  return G_SOURCE_REMOVE;
}

void
plg_window_settle_sides (PlgWindow *self, int width)
{
  gboolean is_settling = self->settling > 0;

  self->settling = FRAMES_TO_SETTLE;
  self->width_to_settle = width;
  if (!is_settling)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), settle_cb, NULL, NULL);
}
