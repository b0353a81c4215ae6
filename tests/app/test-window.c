/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../widgets/rig.h"

#include "app/compare-dialog.h"
#include "app/export-dialog.h"
#include "app/shown.h"
#include "app/window.h"
#include "engine/moment.h"
#include "plan/edit.h"
#include "widgets/panels.h"
#include "widgets/picture-view.h"
#include "widgets/player.h"

#include <glib/gstdio.h>

typedef struct
{
  PlgApplication *application;
  PlgWindow *window;
  char *folder;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->folder = g_dir_make_tmp ("parallelogram-XXXXXX", NULL);
  rig->application = (PlgApplication *) data;
  rig->window = plg_window_new (rig->application);
  gtk_window_present (GTK_WINDOW (rig->window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (rig->window))));
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  g_autofree char *pattern = g_strdup_printf ("rm -r '%s'", rig->folder);
  PlgDocument *document = plg_window_document (rig->window);

  g_object_add_weak_pointer (G_OBJECT (rig->window), (gpointer *) &rig->window);
  g_object_add_weak_pointer (G_OBJECT (document), (gpointer *) &document);
  gtk_window_destroy (GTK_WINDOW (rig->window));
  rig_until (rig->window == NULL);
  g_assert_null (document);
  g_assert_true (g_spawn_command_line_sync (pattern, NULL, NULL, NULL, NULL));
  g_free (rig->folder);
}

static GFile *
file_in (Rig *rig, const char *name)
{
  g_autofree char *path = g_build_filename (rig->folder, name, NULL);

  return g_file_new_for_path (path);
}

static gboolean
act (Rig *rig, const char *action)
{
  return gtk_widget_activate_action (GTK_WIDGET (rig->window), action, NULL);
}

static gboolean
has_action (GtkWidget *widget, gpointer name)
{
  return g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), name) == 0;
}

/* Whether the button in the header bar can be pressed. */
static gboolean
is_enabled (Rig *rig, const char *name)
{
  GtkWidget *button = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, has_action,
                                (gpointer) name);

  g_assert_nonnull (button);
  return gtk_widget_is_sensitive (button);
}

static void
test_undo_by_action (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);

  g_assert_false (is_enabled (rig, "win.undo"));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (is_enabled (rig, "win.undo"));
  g_assert_true (act (rig, "win.undo"));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_true (is_enabled (rig, "win.redo"));
  g_assert_true (act (rig, "win.redo"));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 4);
}

static void
test_title (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = file_in (rig, "a.plan.xml");

  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (rig->window)), ==,
                   "Llama 3 70B on 64 × H100 SXM");
  g_assert_true (plg_window_is_pristine (rig->window));
  /* The title says what the plan is now, not what it was. */
  g_assert_true (plg_document_set (document, "model.name", "llama3-8b", NULL));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (rig->window)), ==,
                   "Llama 3 8B on 64 × H100 SXM");
  g_assert_false (plg_window_is_pristine (rig->window));
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_false (plg_document_is_modified (document));
}

/* A file that cannot be read leaves the plan as it is. */
static void
test_broken_file (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = file_in (rig, "broken.plan.xml");
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));

  g_assert_true (g_file_replace_contents (file, "<plan version='1'><clus", 23, NULL, FALSE, 0, NULL,
                                          NULL, NULL));
  g_assert_false (plg_window_open (rig->window, file, NULL));
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
  g_assert_null (plg_document_file (document));
}

static GPtrArray *
message_dialogs (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GPtrArray *dialogs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window))
        g_ptr_array_add (dialogs, g_steal_pointer (&window));
    }
  return dialogs;
}

/* Several files that cannot be read are told of in one dialog, each with its name and reason. */
static void
test_broken_files (Rig *rig, gconstpointer data)
{
  static const char *const names[] = { "one.plan.xml", "two.plan.xml", "three.plan.xml" };
  GFile *files[G_N_ELEMENTS (names)];
  g_autoptr (GPtrArray) dialogs = NULL;
  GtkWindow *parent;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      files[i] = file_in (rig, names[i]);
      g_assert_true (g_file_replace_contents (files[i], "<plan", 5, NULL, FALSE, 0, NULL, NULL,
                                              NULL));
    }
  plg_application_open_files (rig->application, files, G_N_ELEMENTS (files));
  dialogs = message_dialogs ();
  g_assert_cmpint (dialogs->len, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_nonnull (strstr (adw_message_dialog_get_body (dialogs->pdata[0]), names[i]));
      g_object_unref (files[i]);
    }
  g_assert_nonnull (strstr (adw_message_dialog_get_heading (dialogs->pdata[0]), "3"));
  parent = gtk_window_get_transient_for (dialogs->pdata[0]);
  gtk_window_destroy (dialogs->pdata[0]);
  if (parent != GTK_WINDOW (rig->window))
    gtk_window_destroy (parent);
}

static void
test_view_actions (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *window = GTK_WIDGET (rig->window);

  gtk_widget_activate_action (window, "win.show", "s", "pp");
  g_assert_cmpint (plg_document_plan (document)->view.show, ==, PLG_SHOW_PP);
  gtk_widget_activate_action (window, "win.link-color", "s", "time");
  g_assert_cmpint (plg_document_plan (document)->view.link_color, ==, PLG_LINK_COLOR_TIME);
  act (rig, "win.rings");
  g_assert_true (plg_document_plan (document)->view.rings);
  /* Looking is no change. */
  g_assert_false (plg_document_is_modified (document));
  g_assert_null (plg_document_undo_label (document));
}

/* The step is played from anywhere; a plan that changes keeps what it can of it. */
static void
test_playing (Rig *rig, gconstpointer data)
{
  PlgPlayer *player = PLG_PLAYER (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAYER, NULL, NULL));

  g_assert_true (act (rig, "win.play-next"));
  g_assert_true (rig_says (plg_window_canvas (rig->window), 0, "forward 0"));
  g_assert_true (act (rig, "win.play"));
  rig_until (plg_player_time (player) > 0);
  g_assert_true (act (rig, "win.play"));
  g_assert_false (plg_player_is_playing (player));
  plg_player_seek (player, G_MAXDOUBLE);
  g_assert_true (plg_document_set (plg_window_document (rig->window), "training.global-batch", "8",
                                   NULL));
  g_assert_cmpfloat (plg_player_time (player), ==,
                     plg_moment_end (plg_document_report (plg_window_document (rig->window))));
}

/* Who chooses a view while a second of the step is shown wants to see that view. */
static void
test_view_ends_playing (Rig *rig, gconstpointer data)
{
  PlgPlayer *player = PLG_PLAYER (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAYER, NULL, NULL));

  g_assert_true (act (rig, "win.play-next"));
  g_assert_true (rig_says (plg_window_canvas (rig->window), 0, "forward 0"));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s", "memory");
  g_assert_cmpfloat (plg_player_time (player), ==, -1);
  g_assert_false (rig_says (plg_window_canvas (rig->window), 0, "forward 0"));
}

/* Every dialog opens, and shows no visible control without a name. */
static void
test_dialogs (Rig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  guint before = g_list_model_get_n_items (toplevels);

  g_assert_true (act (rig, "win.export"));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 1);
  g_assert_true (act (rig, "win.play-collective"));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 2);
  g_assert_true (act (rig, "win.compare-orders"));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 3);
  g_assert_true (act (rig, "win.show-help-overlay"));
  rig_until (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (rig->window)) !=
             NULL);
  /* GTK warns of labels with a width below 0 where a section needs two pages. */
  rig_next_frame (
      GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (rig->window))));
  g_action_group_activate_action (G_ACTION_GROUP (rig->application), "about", NULL);
  for (guint i = g_list_model_get_n_items (toplevels); i > 0; i--)
    {
      g_autoptr (GtkWindow) toplevel = g_list_model_get_item (toplevels, i - 1);
      if (toplevel != GTK_WINDOW (rig->window))
        gtk_window_destroy (toplevel);
    }
}

static void
find_chosen (GtkWidget *widget, gpointer chosen)
{
  if (GTK_IS_DROP_DOWN (widget))
    *(guint *) chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_chosen (child, chosen);
}

/* The last window that is not the main one. */
static GtkWindow *
dialog_of (Rig *rig)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  GtkWindow *dialog = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWindow) toplevel = g_list_model_get_item (toplevels, i);

      if (toplevel != GTK_WINDOW (rig->window))
        dialog = toplevel; /* GTK keeps it */
    }
  g_assert_nonnull (dialog);
  return dialog;
}

/* A row of the communication table can be played: the dialog has its collective chosen. */
static void
test_play_row (Rig *rig, gconstpointer data)
{
  guint chosen = G_MAXUINT;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.play-this-collective",
                                             "i", 3));
  find_chosen (GTK_WIDGET (dialog_of (rig)), &chosen);
  g_assert_cmpuint (chosen, ==, 3);
  gtk_window_destroy (dialog_of (rig));
}

/* A number that is typed and not yet taken is taken when the focus leaves it: also when its window
 * goes, with the document that it is about. */
static void
test_typed_and_closed (Rig *rig, gconstpointer data)
{
  static const char *const actions[] = { "win.play-collective", "win.export" };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      GtkWidget *number;

      g_assert_true (act (rig, actions[i]));
      number = rig_find (GTK_WIDGET (dialog_of (rig)), GTK_TYPE_SPIN_BUTTON, NULL, NULL);
      gtk_widget_grab_focus (number);
      gtk_editable_set_text (GTK_EDITABLE (number), "3");
      gtk_window_destroy (dialog_of (rig));
    }
}

/* What is copied is there as a picture and as text. */
static void
test_copy (Rig *rig, gconstpointer data)
{
  GdkContentFormats *formats;

  g_assert_true (act (rig, "win.copy-picture"));
  formats = gdk_clipboard_get_formats (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  g_assert_true (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING));
}

static void
text_cb (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* The command line that the window copies; g_free(). */
static char *
copied_command (Rig *rig)
{
  char *text = NULL;

  g_assert_true (act (rig, "win.copy-command"));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)), NULL, text_cb,
                                 &text);
  rig_until (text != NULL);
  g_assert_true (g_str_has_prefix (text, "parallelogram-cli export "));
  return text;
}

/* What the shell makes of LINE, with our own program, in the folder of the test. */
static GBytes *
run_command (Rig *rig, const char *line)
{
  const char *options = line + strlen ("parallelogram-cli ");
  g_autofree char *script = g_strdup_printf ("cd '%s' && '%s' %s", rig->folder, PLG_CLI, options);
  const char *const words[] = { "sh", "-c", script, NULL };
  g_autoptr (GDir) folder = NULL;
  const char *name;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  folder = g_dir_open (rig->folder, 0, NULL);
  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".svg"))
      {
        g_autofree char *path = g_build_filename (rig->folder, name, NULL);
        char *data;
        gsize size;

        g_assert_true (g_file_get_contents (path, &data, &size, NULL));
        g_assert_cmpint (g_remove (path), ==, 0);
        return g_bytes_new_take (data, size);
      }
  g_assert_not_reached ();
}

/* The command line makes the very bytes that the window exports of what it shows. */
static void
assert_command_is_right (Rig *rig)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *line = copied_command (rig);
  g_autoptr (GBytes) made = run_command (rig, line), shown = NULL;
  g_auto (PlgRequest) request = { 0 };

  plg_shown_request (plg_window_canvas (rig->window), document, &request);
  request.file.attachment = plg_document_plan_bytes (document);
  shown = plg_request_export (&request, plg_document_plan (document),
                              plg_document_report (document), NULL);
  if (!g_bytes_equal (made, shown))
    g_error ("%s makes another picture", line);
}

static void
test_command_line (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  g_autoptr (GFile) file = file_in (rig, "it's $HOME; `a` \"b\" é.plan.xml");
  g_autoptr (PlgPlan) plan = NULL;

  assert_command_is_right (rig);
  /* Not saved: what differs is told. */
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (plg_document_set (document, "training.recompute", "full", NULL));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s", "pp");
  assert_command_is_right (rig);
  /* Saved under a name that shells would take apart, with a placement by hand, pins and a zoom. */
  plan = plg_plan_copy (plg_document_plan (document));
  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[3] = 40;
  plan->placement.gpu_of_rank[40] = 3;
  g_assert_true (plg_document_apply (document, plan, "x", NULL, NULL));
  g_assert_true (plg_document_save (document, file, NULL));
  plg_spotlight_toggle (plg_document_spotlight (document), (PlgThing) { PLG_THING_GPU, 0, 9 });
  plg_spotlight_toggle (plg_document_spotlight (document), (PlgThing) { PLG_THING_LINK, 0, 5 });
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

/* A part of the cluster in which nothing lies of what is pinned is copied as it is seen: nothing of
 * it fades for something that is elsewhere. */
static void
test_copied_part (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgPlan *plan = plg_document_plan (document);
  int n_seen = 0;

  plg_canvas_set_zoom (canvas, 4);
  rig_next_frame (GTK_WIDGET (canvas));
  for (int node = 0; node < 8; node++)
    {
      PlgThing pin = { PLG_THING_NODE, 0, node };
      g_auto (PlgRequest) request = { 0 };
      gboolean is_seen = FALSE;

      plg_spotlight_toggle (plg_document_spotlight (document), pin);
      plg_shown_request (canvas, document, &request);
      g_assert_cmpfloat (request.crop.width, >, 0);
      for (int gpu = node * 8; gpu < node * 8 + 8; gpu++)
        is_seen = is_seen || lies_in (plg_grid_gpu_rect (plan, gpu), request.crop);
      g_assert_cmpuint (request.lit->len, ==, is_seen ? 1 : 0);
      g_assert_cmpint (request.options.n_pins, ==, is_seen ? 1 : 0);
      n_seen += is_seen;
      plg_spotlight_toggle (plg_document_spotlight (document), pin);
    }
  g_assert_cmpint (n_seen, >, 0);
  g_assert_cmpint (n_seen, <, 8);
}

/* What cannot be told in options is to be saved first; nothing is copied then. */
static void
test_command_line_of_hand_made (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[3] = 40;
  plan->placement.gpu_of_rank[40] = 3;
  g_assert_true (plg_document_apply (document, plan, "x", NULL, NULL));
  plg_shown_request (plg_window_canvas (rig->window), document, &request);
  g_assert_null (plg_shown_command (document, &request, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

/* All pictures go into a folder, and nothing that is there already is replaced. */
static void
test_export_all (Rig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  g_autoptr (GFile) folder = g_file_new_for_path (rig->folder);
  g_autoptr (GtkWindow) dialog = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (act (rig, "win.export"));
  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (toplevels, i);
      if (PLG_IS_EXPORT_DIALOG (window))
        g_set_object (&dialog, window);
    }
  g_assert_nonnull (dialog);
  g_assert_true (plg_export_dialog_write_all (PLG_EXPORT_DIALOG (dialog), folder, &error));
  g_assert_no_error (error);
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.svg", plg_picture_name (i));
      g_autoptr (GFile) file = file_in (rig, name);

      g_assert_true (g_file_query_exists (file, NULL));
    }
  g_assert_false (plg_export_dialog_write_all (PLG_EXPORT_DIALOG (dialog), folder, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  gtk_window_destroy (dialog);
}

static gboolean
tells (GtkWidget *widget, gpointer text)
{
  return gtk_widget_get_mapped (widget) &&
         strcmp (gtk_label_get_label (GTK_LABEL (widget)), text) == 0;
}

/* In the export dialog Return is for what has the focus: at first that is its button; on a row it
 * does not ask for a file. What was written is told. */
static void
test_export_tells (Rig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  g_autoptr (GFile) file = file_in (rig, "told.svg");
  g_autoptr (GtkWindow) dialog = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (act (rig, "win.export"));
  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (toplevels, i);
      if (PLG_IS_EXPORT_DIALOG (window))
        g_set_object (&dialog, window);
    }
  g_assert_nonnull (dialog);
  g_assert_null (gtk_window_get_default_widget (dialog));
  g_assert_true (GTK_IS_BUTTON (gtk_window_get_focus (dialog)));
  g_assert_true (gtk_widget_has_css_class (gtk_window_get_focus (dialog), "suggested-action"));
  g_assert_true (plg_export_dialog_write (PLG_EXPORT_DIALOG (dialog), file, &error));
  g_assert_no_error (error);
  rig_until (rig_find (GTK_WIDGET (rig->window), GTK_TYPE_LABEL, tells,
                       (gpointer) "Written: told.svg") != NULL);
  gtk_window_destroy (dialog);
}

static gboolean
is_close_of_toast (GtkWidget *widget, gpointer data)
{
  return gtk_widget_get_mapped (widget) &&
         g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), "window-close-symbolic") == 0 &&
         strcmp (gtk_widget_get_css_name (gtk_widget_get_parent (widget)), "toast") == 0;
}

/* Toasts that are dismissed as soon as they come, again and again, as Escape does it: what is told
 * last is shown, and nothing is freed twice. */
static void
test_toasts_in_a_row (Rig *rig, gconstpointer data)
{
  GtkWidget *overlay = rig_find (GTK_WIDGET (rig->window), ADW_TYPE_TOAST_OVERLAY, NULL, NULL);

  for (int i = 0; i < 4; i++)
    {
      g_autofree char *text = g_strdup_printf ("toast %d", i);
      GtkWidget *closing;

      plg_window_toast (rig->window, "replaced at once");
      plg_window_toast (rig->window, text);
      rig_until (rig_find (overlay, GTK_TYPE_LABEL, tells, text) != NULL);
      rig_next_frame (overlay);
      closing = rig_find (overlay, GTK_TYPE_BUTTON, is_close_of_toast, NULL);
      g_assert_nonnull (closing);
      g_signal_emit_by_name (closing, "clicked");
    }
}

/* Closing with unsaved changes asks, and nothing is lost while the question is open. */
static void
test_close_asks (Rig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  guint before = g_list_model_get_n_items (toplevels);
  g_autoptr (GtkWindow) question = NULL;

  g_assert_true (plg_document_set (plg_window_document (rig->window), "parallelism.tp", "4", NULL));
  gtk_window_close (GTK_WINDOW (rig->window));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (rig->window)));
  for (guint i = 0; i <= before; i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (toplevels, i);
      if (ADW_IS_MESSAGE_DIALOG (window))
        g_set_object (&question, window);
    }
  g_assert_nonnull (question);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (question), "cancel");
  g_assert_true (plg_document_is_modified (plg_window_document (rig->window)));
}

static gboolean
is_labelled (GtkWidget *widget, gpointer label)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static GtkWidget *
undo_in_toast (Rig *rig)
{
  return rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, is_labelled, (gpointer) "Undo");
}

static GtkWidget *
compare_dialog (void)
{
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, i);
      if (PLG_IS_COMPARE_DIALOG (window))
        return window;
    }
  g_assert_not_reached ();
}

static void
assert_order (Rig *rig, const char *wanted)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *order = plg_order_to_string (&plg_document_plan (document)->parallelism);

  g_assert_cmpstr (order, ==, wanted);
}

/* Both sides say what the pointer is on, each of its own order, and a GPU that has the focus in the
 * main window fades nothing here. */
static void
test_compare_tooltips (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPictureView *view;
  GtkWidget *dialog;
  g_autofree char *command = NULL;
  gboolean differ = FALSE;
  int width;

  g_assert_true (plg_document_set (document, "parallelism.order", "tp-pp-dp", NULL));
  plg_spotlight_point (plg_document_spotlight (document), (PlgThing) { PLG_THING_GPU, 0, 20 });
  g_assert_true (act (rig, "win.compare-orders"));
  dialog = compare_dialog ();
  view = PLG_PICTURE_VIEW (rig_find (dialog, PLG_TYPE_PICTURE_VIEW, NULL, NULL));
  rig_until (plg_picture_view_describe (view, gtk_widget_get_width (GTK_WIDGET (view)) / 4.0,
                                        120) != NULL);
  width = gtk_widget_get_width (GTK_WIDGET (view));
  for (int y = 40; y < 400; y += 4)
    for (int x = 30; x < width / 2 - 20; x += 4)
      {
        g_autofree char *own = plg_picture_view_describe (view, x, y);
        g_autofree char *other = plg_picture_view_describe (view, x + (width + 24) / 2 - 8, y);

        differ |= own != NULL && other != NULL && strstr (own, "PP 1, DP 0") != NULL &&
                  strstr (other, "PP 0, DP 1") != NULL;
      }
  g_assert_true (differ);
  g_assert_null (plg_picture_view_describe (view, 2, 2));
  g_assert_true (gtk_widget_activate_action (dialog, "compare.copy-command", NULL));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (dialog), NULL, text_cb, &command);
  rig_until (command != NULL);
  g_assert_nonnull (strstr (command, "--view compare"));
  g_assert_null (strstr (command, "gpu:20"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The order beside the plan's becomes the plan's, in one step; then the former one stands there. */
static void
test_compare_orders (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *dialog, *use, *others;
  guint n;

  g_assert_true (plg_document_set (document, "parallelism.order", "tp-pp-dp", NULL));
  g_assert_true (act (rig, "win.compare-orders"));
  dialog = compare_dialog ();
  use = rig_find (dialog, GTK_TYPE_BUTTON, is_labelled, (gpointer) "_Use This Order");
  others = rig_find (dialog, GTK_TYPE_DROP_DOWN, NULL, NULL);
  g_assert_nonnull (use);
  /* TP, PP and DP can be nested in six ways, of which one is the plan's. */
  n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (others)));
  g_assert_cmpuint (n, ==, 5);
  g_signal_emit_by_name (use, "clicked");
  assert_order (rig, "tp-cp-dp-pp");
  g_signal_emit_by_name (use, "clicked");
  assert_order (rig, "tp-cp-pp-dp");
  g_assert_true (plg_document_undo (document));
  assert_order (rig, "tp-cp-dp-pp");
  /* It follows the plan: with CP there are more. */
  g_assert_true (plg_document_set (document, "parallelism.pp", "2", NULL));
  g_assert_true (plg_document_set (document, "parallelism.cp", "2", NULL));
  n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (others)));
  g_assert_cmpuint (n, ==, 23);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A placement made by hand does not go without a word, and the word has a way back, until another
 * step comes that the button would take back instead. */
static void
test_placement_lost (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  GtkWidget *undo;

  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  g_assert_true (plg_document_apply (document, plan, "Exchange", NULL, NULL));
  g_assert_null (undo_in_toast (rig));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_cmpint (plg_document_plan (document)->placement.size, ==, 0);
  undo = undo_in_toast (rig);
  g_assert_nonnull (undo);
  g_signal_emit_by_name (undo, "clicked");
  g_assert_cmpint (plg_document_plan (document)->placement.size, >, 0);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (plg_document_set (document, "training.micro-batch", "2", NULL));
  undo = undo_in_toast (rig);
  g_assert_true (undo == NULL || !gtk_widget_get_visible (undo));
}

int
main (int argc, char **argv)
{
  g_autoptr (PlgApplication) application = NULL;

  if (!rig_init (&argc, &argv))
    return 0;
  application = plg_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
#define ADD(name, function) \
  g_test_add ("/window/" name, Rig, application, set_up, function, tear_down)
  ADD ("undo-by-action", test_undo_by_action);
  ADD ("broken-files", test_broken_files);
  ADD ("title", test_title);
  ADD ("broken-file", test_broken_file);
  ADD ("view-actions", test_view_actions);
  ADD ("playing", test_playing);
  ADD ("view-ends-playing", test_view_ends_playing);
  ADD ("dialogs", test_dialogs);
  ADD ("play-row", test_play_row);
  ADD ("typed-and-closed", test_typed_and_closed);
  ADD ("copy", test_copy);
  ADD ("command-line", test_command_line);
  ADD ("command-line-of-hand-made", test_command_line_of_hand_made);
  ADD ("copied-part", test_copied_part);
  ADD ("export-all", test_export_all);
  ADD ("export-tells", test_export_tells);
  ADD ("toasts-in-a-row", test_toasts_in_a_row);
  ADD ("compare-orders", test_compare_orders);
  ADD ("compare-tooltips", test_compare_tooltips);
  ADD ("placement-lost", test_placement_lost);
  ADD ("close-asks", test_close_asks);
#undef ADD
  return g_test_run ();
}
