/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export-rig.h"

#include "app/dialogs/collective-dialog.h"
#include "app/dialogs/compare-dialog.h"
#include "app/screen-picture.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"

#include <string.h>

/* Copies, command lines and exported pictures of the window. */

/* A copy has a picture and a text. */
static void
test_copy (AppRig *rig, gconstpointer data)
{
  GdkContentFormats *formats;

  g_assert_true (app_rig_act (rig, "win.copy-picture"));
  formats = gdk_clipboard_get_formats (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  g_assert_true (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING));
}

static void
texture_cb (GObject *clipboard, GAsyncResult *result, gpointer texture)
{
  *(GdkTexture **) texture = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (clipboard), result,
                                                                NULL);
}

/* The largest cluster is copied in a size that other programs accept. */
static void
test_copy_of_largest_cluster (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GdkTexture) texture = NULL;

  g_assert_true (plg_document_set (document, "training.global-batch", "4096", NULL));
  g_assert_true (plg_document_set (document, "cluster.nodes", "2048", NULL));
  rig_next_frame (GTK_WIDGET (plg_window_canvas (rig->window)));
  g_assert_true (app_rig_act (rig, "win.copy-picture"));
  gdk_clipboard_read_texture_async (gtk_widget_get_clipboard (window), NULL, texture_cb, &texture);
  rig_until (texture != NULL);
  g_assert_cmpint (gdk_texture_get_width (texture), >, 1000);
  g_assert_cmpint (gdk_texture_get_width (texture) * gdk_texture_get_height (texture), <=,
                   3840 * 2160);
}

/* Returns the command line that the window copies (transfer full). */
static char *
copied_command (AppRig *rig)
{
  char *text;

  g_assert_true (app_rig_act (rig, "win.copy-command"));
  text = app_rig_copied (GTK_WIDGET (rig->window));
  g_assert_true (g_str_has_prefix (text, "parallelogram-cli export "));
  return text;
}

/* The command line writes the same bytes as an export from the window. */
static void
assert_command_is_right (AppRig *rig)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *line = copied_command (rig);
  g_autoptr (GBytes) made = export_rig_run (rig, line), shown = NULL;
  g_auto (PlgRequest) request = { 0 };

  plg_screen_picture_request (plg_window_canvas (rig->window), document, PLG_PICTURE_CLUSTER,
                              &request);
  request.file.attachment = plg_document_plan_bytes (document);
  shown = plg_request_export (&request, plg_document_plan (document),
                              plg_document_report (document), NULL);
  if (!g_bytes_equal (made, shown))
    g_error ("%s writes another picture", line);
}

static void
test_command_line (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  g_autoptr (GFile) file = app_rig_file (rig, "it's $HOME; `a` \"b\" é.plan.xml");
  g_autoptr (PlgPlan) plan = NULL;

  assert_command_is_right (rig);
  /* An unsaved plan is described by its differences. */
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (plg_document_set (document, "training.recompute", "full", NULL));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s", "pp");
  assert_command_is_right (rig);
  /* A saved plan with special characters in its name, a manual placement, pins and a zoom. */
  plan = plg_plan_copy (plg_document_plan (document));
  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[3] = 40;
  plan->placement.gpu_of_rank[40] = 3;
  g_assert_true (plg_document_apply (document, plan, "x", NULL, NULL));
  g_assert_true (plg_document_save (document, file, NULL));
  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_GPU, 0, 9 });
  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_LINK, 0, 5 });
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.link-color", "s", "bytes");
  plg_canvas_set_zoom (canvas, 2.2);
  rig_next_frame (GTK_WIDGET (canvas));
  assert_command_is_right (rig);
}

static gboolean
lies_in (PlgRect a, PlgRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* A part of the cluster without pins is copied as shown: pins elsewhere do not dim the part. */
static void
test_copied_part (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgPlan *plan = plg_document_plan (document);
  int n_seen = 0;

  plg_canvas_set_zoom (canvas, 4);
  rig_next_frame (GTK_WIDGET (canvas));
  for (int node = 0; node < 8; node++)
    {
      PlgEntity pin = { PLG_ENTITY_NODE, 0, node };
      g_auto (PlgRequest) request = { 0 };
      gboolean is_seen = FALSE;

      plg_highlight_model_toggle (plg_document_highlight_model (document), pin);
      plg_screen_picture_request (canvas, document, PLG_PICTURE_CLUSTER, &request);
      g_assert_cmpfloat (request.crop.width, >, 0);
      for (int gpu = node * 8; gpu < node * 8 + 8; gpu++)
        is_seen = is_seen || lies_in (plg_cluster_gpu_rect (plan, gpu), request.crop);
      g_assert_cmpuint (request.highlighted->len, ==, is_seen ? 1 : 0);
      g_assert_cmpint (request.options.n_pins, ==, is_seen ? 1 : 0);
      n_seen += is_seen;
      plg_highlight_model_toggle (plg_document_highlight_model (document), pin);
    }
  g_assert_cmpint (n_seen, >, 0);
  g_assert_cmpint (n_seen, <, 8);
}

/* A plan that options cannot describe must be saved first; nothing is copied. */
static void
test_command_line_needs_saved_plan (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[3] = 40;
  plan->placement.gpu_of_rank[40] = 3;
  g_assert_true (plg_document_apply (document, plan, "x", NULL, NULL));
  plg_screen_picture_request (plg_window_canvas (rig->window), document, PLG_PICTURE_CLUSTER,
                              &request);
  g_assert_null (plg_screen_picture_command (document, &request, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

/* Checks that export and copied command line of WINDOW, which shows VIEW, agree; the command line
 * contains WORDS. */
static void
assert_own_picture (AppRig *rig, GtkWidget *window, GtkWidget *view, const char *words)
{
  g_autoptr (GFile) file = app_rig_file (rig, "own.svg");
  g_autoptr (GBytes) exported = NULL, made = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;
  PlgExportDialog *dialog;

  rig_until (gtk_widget_get_width (view) > 0);
  g_assert_true (gtk_widget_activate_action (window, "picture.export", NULL));
  dialog = PLG_EXPORT_DIALOG (app_rig_open_window (PLG_TYPE_EXPORT_DIALOG));
  g_assert_true (gtk_window_get_transient_for (GTK_WINDOW (dialog)) == GTK_WINDOW (window));
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  gtk_window_destroy (GTK_WINDOW (dialog));
  rig_until (app_rig_has_label (window, "Written: own.svg"));
  exported = export_rig_take (rig, "own.svg");
  g_assert_true (gtk_widget_activate_action (window, "picture.copy-command", NULL));
  line = app_rig_copied (window);
  if (strstr (line, words) == NULL)
    g_error ("%s does not contain %s", line, words);
  made = export_rig_run (rig, line);
  g_assert_true (g_bytes_equal (exported, made));
}

/* The window of one collective exports and copies its state: the collective, its group and the
 * finished steps, or the split. */
static void
test_one_collective (AppRig *rig, gconstpointer data)
{
  GtkWidget *window, *view, *what, *rank, *player;
  GdkContentFormats *formats;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.play-this-collective",
                                             "i", 1));
  window = app_rig_open_window (PLG_TYPE_COLLECTIVE_DIALOG);
  view = rig_find (window, PLG_TYPE_PICTURE_VIEW, NULL, NULL);
  what = rig_find (window, GTK_TYPE_DROP_DOWN, NULL, NULL);
  rank = rig_find (window, GTK_TYPE_SPIN_BUTTON, NULL, NULL);
  player = rig_find (window, PLG_TYPE_PLAYER, NULL, NULL);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (rank), 21);
  plg_player_seek (PLG_PLAYER (player), 3);
  assert_own_picture (rig, window, view, "--collective tp:reduce-scatter --rank 21 --frame 3");
  g_assert_true (gtk_widget_activate_action (window, "picture.copy", NULL));
  formats = gdk_clipboard_get_formats (gtk_widget_get_clipboard (window));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (what),
      g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (what))) - 1);
  plg_player_seek (PLG_PLAYER (player), 2);
  assert_own_picture (rig, window, view, "--view split --frame 2");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* TP collectives of layers and of the loss have separate commands. */
static void
test_collective_of_loss (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  const char *const edits[] = { "parallelism.sequence=false", NULL };
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GError) error = NULL;
  GtkWidget *window;

  g_assert_true (plg_settings_apply (plan, NULL, edits, &error));
  g_assert_true (plg_document_apply (document, plan, "x", NULL, NULL));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.play-this-collective",
                                             "i", 1));
  window = app_rig_open_window (PLG_TYPE_COLLECTIVE_DIALOG);
  assert_own_picture (rig, window, rig_find (window, PLG_TYPE_PICTURE_VIEW, NULL, NULL),
                      "--collective tp:all-reduce:loss --rank");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The dialog shows the group of the selected GPU, even if another element is pinned. */
static void
test_collective_of_selected (AppRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  GtkWidget *window, *rank;

  plg_canvas_select (canvas, 21);
  plg_highlight_model_toggle (plg_document_highlight_model (plg_window_document (rig->window)),
                              (PlgEntity) { PLG_ENTITY_NODE, 0, 6 });
  g_assert_true (app_rig_act (rig, "win.play-collective"));
  window = app_rig_open_window (PLG_TYPE_COLLECTIVE_DIALOG);
  rank = rig_find (window, GTK_TYPE_SPIN_BUTTON, NULL, NULL);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (rank)), ==, 21);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The axis shown alone is played unless a table row is pinned. */
static void
test_collective_of_axis_alone (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  const GArray *rows;
  GtkWidget *window, *what;
  guint row;

  g_assert_true (plg_document_set (document, "view.show", "dp", NULL));
  g_assert_true (app_rig_act (rig, "win.play-collective"));
  window = app_rig_open_window (PLG_TYPE_COLLECTIVE_DIALOG);
  what = rig_find (window, GTK_TYPE_DROP_DOWN, NULL, NULL);
  row = gtk_drop_down_get_selected (GTK_DROP_DOWN (what));
  rows = plg_document_report (document)->collectives;
  g_assert_cmpint (g_array_index (rows, PlgCollective, 0).axis, ==, PLG_AXIS_TP);
  g_assert_cmpuint (row, <, rows->len);
  g_assert_cmpint (g_array_index (rows, PlgCollective, row).axis, ==, PLG_AXIS_DP);
  gtk_window_destroy (GTK_WINDOW (window));
  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_COLLECTIVE, 0, 0 });
  g_assert_true (app_rig_act (rig, "win.play-collective"));
  window = app_rig_open_window (PLG_TYPE_COLLECTIVE_DIALOG);
  what = rig_find (window, GTK_TYPE_DROP_DOWN, NULL, NULL);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (what)), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The traffic matrix is exported and copied as shown, with its part of the cluster. The shortcuts
 * apply to the matrix while the matrix has the focus. */
static void
test_traffic_matrix (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window), *view;
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *line = NULL;

  g_assert_true (plg_document_set (document, "cluster.nodes", "128", NULL));
  g_assert_true (plg_document_set (document, "view.pairs", "traffic", NULL));
  g_assert_true (gtk_widget_activate_action (window, "win.node-pairs", "i", 17));
  view = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (PLG_IS_PICTURE_VIEW (view));
  assert_own_picture (rig, window, view, "--view matrix --pairs traffic --nodes 17-17");
  g_assert_true (gtk_widget_activate_action (window, "pair.leave", NULL));
  g_signal_emit_by_name (rig_controller (view, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed",
                         GDK_KEY_Right, 0, 0, &(gboolean) { FALSE });
  g_assert_true (gtk_widget_activate_action (window, "pair.enter", NULL));
  assert_own_picture (rig, window, view, "--nodes 0-1 --columns 2-3");
  gtk_widget_grab_focus (view);
  line = copied_command (rig);
  g_assert_nonnull (strstr (line, "--view matrix --pairs traffic --nodes 0-1 --columns 2-3"));
}

/* A new choice starts at time 0; after a change of the plan, the same collective keeps its time. */
static void
test_collective_keeps_its_time (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *window, *what, *player;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.play-this-collective",
                                             "i", 1));
  window = app_rig_open_window (PLG_TYPE_COLLECTIVE_DIALOG);
  what = rig_find (window, GTK_TYPE_DROP_DOWN, NULL, NULL);
  player = rig_find (window, PLG_TYPE_PLAYER, NULL, NULL);
  plg_player_seek (PLG_PLAYER (player), 3);
  g_assert_true (plg_document_set (document, "training.global-batch", "256", NULL));
  g_assert_cmpfloat (plg_player_time (PLG_PLAYER (player)), ==, 3);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (what)), ==, 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (what), 0);
  g_assert_cmpfloat (plg_player_time (PLG_PLAYER (player)), ==, 0);
  /* Without TP the first collective is shown. */
  plg_player_seek (PLG_PLAYER (player), 3);
  g_assert_true (plg_document_set (document, "parallelism.tp", "1", NULL));
  g_assert_cmpfloat (plg_player_time (PLG_PLAYER (player)), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Two compared orders are exported as shown. */
static void
test_compared_orders (AppRig *rig, gconstpointer data)
{
  GtkWidget *window;

  plg_highlight_model_toggle (plg_document_highlight_model (plg_window_document (rig->window)),
                              (PlgEntity) { PLG_ENTITY_GPU, 0, 9 });
  g_assert_true (app_rig_act (rig, "win.compare-orders"));
  window = app_rig_open_window (PLG_TYPE_COMPARE_DIALOG);
  assert_own_picture (rig, window, rig_find (window, PLG_TYPE_PICTURE_VIEW, NULL, NULL),
                      "--view compare");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The command line of a large cluster draws the same picture: near and far, during playback, with a
 * selected GPU. */
static void
test_command_line_of_large_cluster (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  static const double zooms[] = { 0.3, 1, 3 };

  g_assert_true (plg_document_set (document, "cluster.nodes", "128", NULL));
  plg_canvas_select (canvas, 77);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_object_set (canvas, "time", i * 0.4 - 0.2, NULL);
      plg_canvas_set_zoom (canvas, zooms[i]);
      rig_next_frame (GTK_WIDGET (canvas));
      assert_command_is_right (rig);
    }
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/export/copy", test_copy },
    { "/export/copy-of-largest-cluster", test_copy_of_largest_cluster },
    { "/export/command-line", test_command_line },
    { "/export/command-line-needs-saved-plan", test_command_line_needs_saved_plan },
    { "/export/copied-part", test_copied_part },
    { "/export/one-collective", test_one_collective },
    { "/export/collective-keeps-its-time", test_collective_keeps_its_time },
    { "/export/collective-of-axis-alone", test_collective_of_axis_alone },
    { "/export/collective-of-loss", test_collective_of_loss },
    { "/export/collective-of-selected", test_collective_of_selected },
    { "/export/compared-orders", test_compared_orders },
    { "/export/traffic-matrix", test_traffic_matrix },
    { "/export/command-line-of-large-cluster", test_command_line_of_large_cluster },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
