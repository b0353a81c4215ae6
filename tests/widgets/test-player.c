/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "engine/schedule/snapshot.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/pictures/timeline-seek.h"

/* A player, a canvas and a timeline, connected as in the window. */
typedef struct
{
  PlgDocument *document;
  PlgPlayer *player;
  PlgCanvas *canvas;
  PlgPictureView *timeline;
  GtkWindow *window;
} Rig;

static double
step_cb (double time, int direction, gpointer data)
{
  PlgDocument *document = data;
  const PlgPlan *plan = plg_document_plan (document);
  const PlgReport *report = plg_document_report (document);

  return direction > 0 ? plg_snapshot_next (plan, report, time)
                       : plg_snapshot_previous (plan, report, time);
}

static double
end_of (Rig *rig)
{
  return plg_snapshot_end (plg_document_report (rig->document));
}

static void
set_up (Rig *rig, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  rig->document = rig_document ();
  rig->player = g_object_new (PLG_TYPE_PLAYER, NULL);
  rig->canvas = PLG_CANVAS (plg_canvas_new ());
  rig->timeline = g_object_new (PLG_TYPE_PICTURE_VIEW, "picture", "timeline", NULL);
  g_object_set (rig->canvas, "document", rig->document, NULL);
  g_object_set (rig->timeline, "document", rig->document, NULL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (rig->player));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (rig->canvas));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (rig->timeline));
  plg_player_set_length (rig->player, end_of (rig), 20);
  plg_player_set_step (rig->player, step_cb, rig->document);
  g_object_bind_property (rig->player, "time", rig->canvas, "time",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  plg_timeline_seek_install (rig->timeline, rig->player);
  rig->window = rig_show (box, 1100, 900);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_clear_object (&rig->document);
}

/* The time advances during playback and stops on request. */
static void
test_plays (Rig *rig, gconstpointer data)
{
  double time;

  g_assert_cmpfloat (plg_player_time (rig->player), ==, -1);
  plg_player_play (rig->player, TRUE);
  g_assert_true (plg_player_is_playing (rig->player));
  rig_until (plg_player_time (rig->player) > 0);
  plg_player_play (rig->player, FALSE);
  time = plg_player_time (rig->player);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, time);
  g_assert_false (plg_player_is_playing (rig->player));
}

/* At the end, playback stops or starts again. */
static void
test_ends (Rig *rig, gconstpointer data)
{
  plg_player_set_length (rig->player, end_of (rig), 1e-6);
  plg_player_play (rig->player, TRUE);
  rig_until (!plg_player_is_playing (rig->player));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, end_of (rig));
  plg_player_toggle (rig->player);
  g_assert_cmpfloat (plg_player_time (rig->player), ==, 0);
}

/* A step shows the first event, then the next; canvas and cursor follow. */
static void
test_steps (Rig *rig, gconstpointer data)
{
  const PlgReport *report = plg_document_report (rig->document);
  double moment;

  plg_player_step (rig->player, 1);
  g_assert_cmpfloat (plg_player_time (rig->player), ==, 0);
  g_assert_true (rig_says (rig->canvas, 0, "forward 0"));
  g_assert_true (rig_says (rig->canvas, 8, "idle"));
  plg_player_step (rig->player, 1);
  g_assert_cmpfloat_with_epsilon (plg_player_time (rig->player),
                                  g_array_index (report->blocks, PlgBlock, 0).end, 1e-9);
  g_assert_true (rig_says (rig->canvas, 0, "forward 1"));
  g_object_get (rig->timeline, "time", &moment, NULL);
  g_assert_cmpfloat (moment, ==, plg_player_time (rig->player));
  plg_player_step (rig->player, -1);
  g_assert_cmpfloat (plg_player_time (rig->player), ==, 0);
  plg_player_seek (rig->player, -1);
  g_assert_false (rig_says (rig->canvas, 0, "forward 0"));
}

/* Between two events the canvas is neither laid out nor painted. */
static void
test_quiet_between_events (Rig *rig, gconstpointer data)
{
  double first = step_cb (0, 1, rig->document);
  guint layouts, paints;

  plg_player_seek (rig->player, first * 0.1);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  layouts = plg_canvas_n_layouts (rig->canvas);
  paints = plg_canvas_n_paints (rig->canvas);
  plg_player_seek (rig->player, first * 0.5);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), ==, layouts);
  g_assert_cmpuint (plg_canvas_n_paints (rig->canvas), ==, paints);
  plg_player_seek (rig->player, first * 1.1);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), ==, layouts + 1);
}

/* A press on the timeline seeks, and keys continue from there. */
static void
test_seeks (Rig *rig, gconstpointer data)
{
  GtkEventController *drag = rig_controller (GTK_WIDGET (rig->timeline), GTK_TYPE_GESTURE_DRAG);
  int width = gtk_widget_get_width (GTK_WIDGET (rig->timeline));
  double wanted, before;

  g_assert_true (plg_picture_view_time_at (rig->timeline, width / 2.0, &wanted));
  g_assert_cmpfloat (wanted, >, 0);
  g_signal_emit_by_name (drag, "drag-begin", width / 2.0, 20.0);
  g_assert_cmpfloat (plg_player_time (rig->player), ==, wanted);
  before = plg_player_time (rig->player);
  g_assert_true (plg_player_key (rig->player, GDK_KEY_Right, 0));
  g_assert_cmpfloat (plg_player_time (rig->player), >, before);
  g_assert_true (plg_player_key (rig->player, GDK_KEY_End, 0));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, end_of (rig));
  g_assert_true (plg_player_key (rig->player, GDK_KEY_Home, 0));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, 0);
  g_assert_true (plg_player_key (rig->player, GDK_KEY_space, 0));
  g_assert_true (plg_player_is_playing (rig->player));
  g_assert_true (plg_player_key (rig->player, GDK_KEY_Escape, 0));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, -1);
  g_assert_false (plg_player_is_playing (rig->player));
}

/* A highlight under a pointer at rest does not dim playback. A highlight by keys stays and shows
 * when the entity is active. */
static void
test_highlights (Rig *rig, gconstpointer data)
{
  PlgEntity link = { .kind = PLG_ENTITY_LINK, .index = 3 };
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);

  rig->canvas->pointer.hovered = link;
  plg_highlight_model_set_hovered (highlight_model, link);
  plg_player_step (rig->player, 1);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_NONE);
  plg_highlight_model_set_hovered (highlight_model, link);
  plg_player_step (rig->player, 1);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_LINK);
}

/* On the canvas, the first Escape ends playback, and the next one removes pins. */
static void
test_escape (Rig *rig, gconstpointer data)
{
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  PlgEntity gpu = { .kind = PLG_ENTITY_GPU, .index = 3 };

  plg_highlight_model_toggle (highlight_model, gpu);
  plg_player_seek (rig->player, 0);
  plg_player_play (rig->player, TRUE);
  g_assert_true (plg_canvas_escape (rig->canvas));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, -1);
  g_assert_false (plg_player_is_playing (rig->player));
  g_assert_false (rig_says (rig->canvas, 0, "forward 0"));
  g_assert_true (plg_highlight_model_is_pinned (highlight_model, gpu));
  g_assert_true (plg_canvas_escape (rig->canvas));
  g_assert_false (plg_highlight_model_is_pinned (highlight_model, gpu));
  g_assert_false (plg_canvas_escape (rig->canvas));
}

/* A speed is shown as the duration of the whole playback. */
static void
test_speeds (Rig *rig, gconstpointer data)
{
  GtkDropDown *speed = GTK_DROP_DOWN (rig_find (GTK_WIDGET (rig->player), GTK_TYPE_DROP_DOWN, NULL,
                                                NULL));
  GtkStringObject *name = gtk_drop_down_get_selected_item (speed);

  g_assert_cmpstr (gtk_string_object_get_string (name), ==, "in 20 s");
  gtk_drop_down_set_selected (speed, 0);
  plg_player_set_length (rig->player, end_of (rig), 4);
  name = gtk_drop_down_get_selected_item (speed);
  g_assert_cmpstr (gtk_string_object_get_string (name), ==, "in 32 s");
}

/* A timeline that shows a part of a long step follows the time. */
static void
test_timeline_follows_time (Rig *rig, gconstpointer data)
{
  double late, end = end_of (rig);
  int width = gtk_widget_get_width (GTK_WIDGET (rig->timeline));

  g_assert_true (plg_document_set (rig->document, "training.global-batch", "512", NULL));
  end = end_of (rig);
  plg_player_set_length (rig->player, end, 20);
  rig_next_frame (GTK_WIDGET (rig->timeline));
  g_assert_true (plg_picture_view_time_at (rig->timeline, width, &late));
  g_assert_cmpfloat (late, <, end);
  plg_player_seek (rig->player, end);
  rig_next_frame (GTK_WIDGET (rig->timeline));
  g_assert_true (plg_picture_view_time_at (rig->timeline, width, &late));
  g_assert_cmpfloat_with_epsilon (late, end, end * 1e-9);
}

/* A plan with a shorter step lacks the time shown. */
static void
test_shorter_step (Rig *rig, gconstpointer data)
{
  double before = end_of (rig);

  plg_player_seek (rig->player, before);
  g_assert_true (plg_document_set (rig->document, "training.global-batch", "16", NULL));
  g_assert_cmpfloat (end_of (rig), <, before);
  plg_player_set_length (rig->player, end_of (rig), 20);
  g_assert_cmpfloat (plg_player_time (rig->player), ==, end_of (rig));
  plg_player_set_length (rig->player, 0, 20);
  g_assert_cmpfloat (plg_player_time (rig->player), ==, -1);
  plg_player_play (rig->player, TRUE);
  g_assert_false (plg_player_is_playing (rig->player));
}

/* Without animations, playback works in larger steps, and single steps work as usual. */
static void
test_without_animations (Rig *rig, gconstpointer data)
{
  GtkSettings *settings = gtk_settings_get_default ();

  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  plg_player_play (rig->player, TRUE);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpfloat (plg_player_time (rig->player), ==, 0);
  plg_player_step (rig->player, 1);
  g_assert_cmpfloat (plg_player_time (rig->player), >, 0);
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
}

static gboolean
is_readout (GtkWidget *widget, gpointer text)
{
  return strstr (gtk_label_get_label (GTK_LABEL (widget)), text) != NULL;
}

/* The text of a time wraps where one line is too short, keeps the height of two lines, and is never
 * cut. */
static void
test_text_of_time (Rig *rig, gconstpointer data)
{
  g_autofree char *words = g_strnfill (300, 'a');
  GtkWidget *label;
  int height, at_rest;

  for (int i = 9; i < 300; i += 10)
    words[i] = ' ';
  at_rest = gtk_widget_get_height (GTK_WIDGET (rig->player));
  plg_player_seek (rig->player, 1);
  plg_player_set_text (rig->player, "marked 1–2");
  label = rig_find (GTK_WIDGET (rig->player), GTK_TYPE_LABEL, is_readout, (gpointer) "marked");
  g_assert_nonnull (label);
  plg_player_set_text (rig->player, words);
  rig_next_frame (label);
  height = gtk_widget_get_height (label);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (label))), >, 1);
  plg_player_set_text (rig->player, "less");
  rig_next_frame (label);
  g_assert_cmpint (gtk_widget_get_height (label), ==, height);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (rig->player)), ==, at_rest);
}

/* The focused timeline announces single steps, but not playback. */
static void
test_timeline_is_announced (Rig *rig, gconstpointer data)
{
  g_autofree char *rest = NULL, *stepped = NULL, *after = NULL;

  rest = gtk_test_accessible_check_property (GTK_ACCESSIBLE (rig->timeline),
                                             GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  plg_player_step (rig->player, 1);
  plg_player_set_text (rig->player, "0 s of 10 s · stage 0 forward");
  stepped = g_strconcat (rest, ". 0 s of 10 s · stage 0 forward", NULL);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (rig->timeline),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, stepped);
  plg_player_play (rig->player, TRUE);
  plg_player_set_text (rig->player, "1 s");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (rig->timeline),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, stepped);
  plg_player_play (rig->player, FALSE);
  after = g_strconcat (rest, ". 1 s", NULL);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (rig->timeline),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, after);
  plg_player_seek (rig->player, -1);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (rig->timeline),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, rest);
}

/* The index of the focused row in the list of speeds; -1 without a focused row. */
static int
focused_row (Rig *rig)
{
  GtkWidget *row = gtk_window_get_focus (rig->window);
  int place = 0;

  if (row == NULL || !GTK_IS_LIST_VIEW (gtk_widget_get_parent (row)))
    return -1;
  while ((row = gtk_widget_get_prev_sibling (row)) != NULL)
    place++;
  return place;
}

/* A key opens the list of speeds at the current speed. */
static void
test_speeds_by_key (Rig *rig, gconstpointer data)
{
  GtkWidget *speed = rig_find (GTK_WIDGET (rig->player), GTK_TYPE_DROP_DOWN, NULL, NULL);
  static const int chosen[] = { 3, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (speed), chosen[i]);
      gtk_widget_grab_focus (speed);
      g_assert_true (gtk_widget_activate (gtk_window_get_focus (rig->window)));
      rig_until (focused_row (rig) == chosen[i]);
      g_assert_true (gtk_widget_activate (gtk_window_get_focus (rig->window)));
      rig_until (focused_row (rig) < 0);
      g_assert_cmpint (gtk_drop_down_get_selected (GTK_DROP_DOWN (speed)), ==, chosen[i]);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Rig *, gconstpointer);
  } tests[] = {
    { "/player/plays", test_plays },
    { "/player/ends", test_ends },
    { "/player/steps", test_steps },
    { "/player/quiet-between-events", test_quiet_between_events },
    { "/player/seeks", test_seeks },
    { "/player/highlights", test_highlights },
    { "/player/escape", test_escape },
    { "/player/speeds", test_speeds },
    { "/player/speeds-by-key", test_speeds_by_key },
    { "/player/timeline-follows-time", test_timeline_follows_time },
    { "/player/shorter-step", test_shorter_step },
    { "/player/timeline-is-announced", test_timeline_is_announced },
    { "/player/text-of-time", test_text_of_time },
    { "/player/without-animations", test_without_animations },
  };

  if (!rig_init (&argc, &argv))
    return 0;
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Rig, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
