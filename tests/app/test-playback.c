/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/collective-dialog.h"
#include "engine/schedule/snapshot.h"
#include "widgets/pictures/player.h"

/* Playback of one training step in the window, and of one collective. */

/* Playback starts from any focus; a changed plan keeps the time if possible. */
static void
test_any_focus (AppRig *rig, gconstpointer data)
{
  PlgPlayer *player = PLG_PLAYER (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAYER, NULL, NULL));

  g_assert_true (app_rig_act (rig, "win.play-next"));
  g_assert_true (rig_says (plg_window_canvas (rig->window), 0, "forward 0"));
  g_assert_true (app_rig_act (rig, "win.play"));
  rig_until (plg_player_time (player) > 0);
  g_assert_true (app_rig_act (rig, "win.play"));
  g_assert_false (plg_player_is_playing (player));
  plg_player_seek (player, G_MAXDOUBLE);
  g_assert_true (plg_document_set (plg_window_document (rig->window), "training.global-batch", "8",
                                   NULL));
  g_assert_cmpfloat (plg_player_time (player), ==,
                     plg_snapshot_end (plg_document_report (plg_window_document (rig->window))));
}

/* Choosing a view ends playback, so that the view is visible. */
static void
test_view_ends_playback (AppRig *rig, gconstpointer data)
{
  PlgPlayer *player = PLG_PLAYER (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAYER, NULL, NULL));

  g_assert_true (app_rig_act (rig, "win.play-next"));
  g_assert_true (rig_says (plg_window_canvas (rig->window), 0, "forward 0"));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s", "memory");
  g_assert_cmpfloat (plg_player_time (player), ==, -1);
  g_assert_false (rig_says (plg_window_canvas (rig->window), 0, "forward 0"));
}

static gboolean
is_loop (GtkWidget *widget, gpointer data)
{
  return g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)),
                    "media-playlist-repeat-symbolic") == 0;
}

static const char *
speed_of (GtkWidget *root)
{
  GtkWidget *player = rig_find (root, PLG_TYPE_PLAYER, NULL, NULL);
  GtkWidget *list = rig_find (player, GTK_TYPE_DROP_DOWN, NULL, NULL);

  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (GTK_DROP_DOWN (list)));
}

static gboolean
plays_again (GtkWidget *root)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (rig_find (root, GTK_TYPE_TOGGLE_BUTTON,
                                                                    is_loop, NULL)));
}

/* The focused cell announces the message. */
static gboolean
hears (AppRig *rig, const char *news)
{
  GtkWidget *cell = gtk_window_get_focus (GTK_WINDOW (rig->window));
  g_autofree char *said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (cell),
                                                              GTK_ACCESSIBLE_PROPERTY_LABEL, "");

  return said != NULL && g_str_has_suffix (said, news);
}

/* Speed and repeat have shortcuts, and the canvas announces their effect. */
static void
test_speed_by_key (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);

  gtk_widget_grab_focus (GTK_WIDGET (plg_window_canvas (rig->window)));
  g_assert_cmpstr (speed_of (window), ==, "in 20 s");
  g_assert_true (app_rig_act (rig, "win.play-faster"));
  g_assert_cmpstr (speed_of (window), ==, "in 10 s");
  g_assert_true (hears (rig, "Playback takes 10 s"));
  for (int i = 0; i < 3; i++)
    g_assert_true (app_rig_act (rig, "win.play-faster"));
  g_assert_cmpstr (speed_of (window), ==, "in 5 s");
  for (int i = 0; i < 9; i++)
    g_assert_true (app_rig_act (rig, "win.play-slower"));
  g_assert_true (hears (rig, "Playback takes 160 s"));
  g_assert_true (app_rig_act (rig, "win.play-again"));
  g_assert_true (plays_again (window) && hears (rig, "Plays in a loop"));
  g_assert_true (app_rig_act (rig, "win.play-again"));
  g_assert_true (!plays_again (window) && hears (rig, "Plays once"));
}

static void
press_in (GtkWidget *window, guint key, GdkModifierType modifiers)
{
  gboolean done;

  g_signal_emit_by_name (rig_controller (window, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key,
                         0, modifiers, &done);
  g_assert_true (done);
}

/* The dialog of a collective has the same shortcuts. */
static void
test_speed_of_collective (AppRig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  g_autoptr (GtkWidget) dialog = NULL;
  g_autofree char *normal = NULL;

  g_assert_true (app_rig_act (rig, "win.play-collective"));
  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWidget) one = g_list_model_get_item (toplevels, i);

      if (PLG_IS_COLLECTIVE_DIALOG (one))
        g_set_object (&dialog, one);
    }
  g_assert_nonnull (dialog);
  normal = g_strdup (speed_of (dialog));
  press_in (dialog, GDK_KEY_comma, GDK_CONTROL_MASK);
  g_assert_cmpstr (speed_of (dialog), !=, normal);
  press_in (dialog, GDK_KEY_period, GDK_CONTROL_MASK);
  g_assert_cmpstr (speed_of (dialog), ==, normal);
  press_in (dialog, GDK_KEY_L, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_assert_true (plays_again (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/playback/any-focus", test_any_focus },
    { "/playback/view-ends-playback", test_view_ends_playback },
    { "/playback/speed-by-key", test_speed_by_key },
    { "/playback/speed-of-collective", test_speed_of_collective },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
