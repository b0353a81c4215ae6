/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Playback of one training step: the player drives the timeline and the canvas. */

#include "app/dialogs/collective-dialog.h"
#include "app/window/window-private.h"

#include "drawing/figure/activity.h"
#include "widgets/pictures/stage-edges.h"
#include "widgets/pictures/timeline-seek.h"

/* The playback time of one training step at normal speed [s]. */
#define SECONDS 20.0

static double
step_cb (double time, int direction, gpointer data)
{
  PlgWindow *self = data;
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);

  return direction > 0 ? plg_snapshot_next (plan, report, time)
                       : plg_snapshot_previous (plan, report, time);
}

static void
time_changed_cb (PlgWindow *self)
{
  const PlgReport *report = plg_document_report (self->document);
  double time = plg_player_time (self->player);
  g_autoptr (PlgSnapshot) moment = NULL;
  g_autofree char *at = NULL, *what = NULL, *text = NULL;

  if (time < 0)
    return;
  moment = plg_snapshot_new (plg_document_plan (self->document), report, time);
  if (moment == NULL)
    return;
  at = plg_snapshot_describe_time (moment->time, moment->end);
  what = plg_snapshot_describe (report, moment);
  text = g_strdup_printf ("%s · %s", at, what);
  plg_player_set_text (self->player, text);
}

/* Keeps the playback time within the training step of the changed plan. Pauses playback while a
 * drag is previewed. */
static void
document_changed_cb (PlgWindow *self)
{
  if (plg_document_is_previewing (self->document))
    plg_player_play (self->player, FALSE);
  plg_player_set_length (self->player, plg_snapshot_end (plg_document_report (self->document)),
                         SECONDS);
  time_changed_cb (self);
}

void
plg_window_set_up_player (PlgWindow *self)
{
  plg_player_set_step (self->player, step_cb, self);
  g_signal_connect_object (self->player, "notify::time", G_CALLBACK (time_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_object_bind_property (self->player, "time", self->canvas, "time",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  plg_timeline_seek_install (self->timeline, self->player);
  plg_stage_edges_install (self->timeline);
  document_changed_cb (self);
}

/* Opens the page with the timeline and returns its player. */
static PlgPlayer *
show_player (GtkWidget *widget)
{
  gtk_widget_activate_action (widget, "win.page", "s", "timeline");
  return PLG_WINDOW (widget)->player;
}

static void
play_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_player_toggle (show_player (widget));
}

static void
play_next_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_player_step (show_player (widget), 1);
}

static void
play_previous_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_player_step (show_player (widget), -1);
}

static void
play_faster_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_player_change_speed (show_player (widget), 1);
}

static void
play_slower_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_player_change_speed (show_player (widget), -1);
}

static void
play_again_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_player_toggle_repeat (show_player (widget));
}

static void
play_collective (PlgWindow *self, int row)
{
  int gpu = plg_canvas_get_selected (self->canvas);

  plg_collective_dialog_present (GTK_WINDOW (self), self->document, self->canvas, self->settings,
                                 row,
                                 gpu < 0 ? 0
                                         : plg_placement_rank (&plg_document_plan (self->document)
                                                                    ->placement,
                                                               gpu));
}

/* If the view shows a single axis, returns the row of the first collective of that axis;
 * otherwise returns -1. */
static int
first_row_of_shown_axis (PlgWindow *self)
{
  static const PlgShow shows[] = {
    [PLG_AXIS_TP] = PLG_SHOW_TP, [PLG_AXIS_CP] = PLG_SHOW_CP, [PLG_AXIS_EP] = PLG_SHOW_EP,
    [PLG_AXIS_PP] = PLG_SHOW_PP, [PLG_AXIS_DP] = PLG_SHOW_DP,
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (shows) == PLG_N_AXES);
  const GArray *collectives = plg_document_report (self->document)->collectives;
  PlgShow show = plg_document_plan (self->document)->view.show;

  for (guint i = 0; i < collectives->len; i++)
    if (shows[g_array_index (collectives, PlgCollective, i).axis] == show)
      return (int) i;
  return -1;
}

/* Plays the highlighted or last pinned collective. Without such a collective, plays the first
 * collective of the shown axis or, failing that, of the plan. */
static void
play_collective_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  PlgHighlightModel *spotlight = plg_document_highlight_model (self->document);
  PlgEntity pointed = plg_highlight_model_hovered (spotlight);
  int n, row = pointed.kind == PLG_ENTITY_COLLECTIVE ? pointed.index : -1;
  const PlgEntity *highlighted = plg_highlight_model_entities (spotlight, &n, NULL);

  for (int i = n - 1; i >= 0 && row < 0; i--)
    if (highlighted[i].kind == PLG_ENTITY_COLLECTIVE)
      row = highlighted[i].index;
  play_collective (self, row >= 0 ? row : first_row_of_shown_axis (self));
}

static void
play_this_collective_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  play_collective (PLG_WINDOW (widget), g_variant_get_int32 (parameter));
}

void
plg_window_install_playing (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.play", NULL, play_action);
  gtk_widget_class_install_action (widget_class, "win.play-next", NULL, play_next_action);
  gtk_widget_class_install_action (widget_class, "win.play-previous", NULL, play_previous_action);
  gtk_widget_class_install_action (widget_class, "win.play-faster", NULL, play_faster_action);
  gtk_widget_class_install_action (widget_class, "win.play-slower", NULL, play_slower_action);
  gtk_widget_class_install_action (widget_class, "win.play-again", NULL, play_again_action);
  gtk_widget_class_install_action (widget_class, "win.play-collective", NULL,
                                   play_collective_action);
  gtk_widget_class_install_action (widget_class, "win.play-this-collective", "i",
                                   play_this_collective_action);
}
