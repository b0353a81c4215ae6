/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/export-dialog.h"
#include "app/shown.h"
#include "plan/edit.h"

#include <glib/gstdio.h>
#include <string.h>

/* What leaves the window: copies, command lines, pictures in files. */

/* What is copied is there as a picture and as text. */
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

/* The command line that the window copies; g_free(). */
static char *
copied_command (AppRig *rig)
{
  char *text;

  g_assert_true (app_rig_act (rig, "win.copy-command"));
  text = app_rig_copied (GTK_WIDGET (rig->window));
  g_assert_true (g_str_has_prefix (text, "parallelogram-cli export "));
  return text;
}

/* What the shell makes of LINE, with our own program, in the folder of the test. */
static GBytes *
run_command (AppRig *rig, const char *line)
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
assert_command_is_right (AppRig *rig)
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
test_command_line (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  g_autoptr (GFile) file = app_rig_file (rig, "it's $HOME; `a` \"b\" é.plan.xml");
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
test_command_line_of_hand_made (AppRig *rig, gconstpointer data)
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
test_export_all (AppRig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  g_autoptr (GFile) folder = g_file_new_for_path (rig->folder);
  g_autoptr (GtkWindow) dialog = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (app_rig_act (rig, "win.export"));
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
      g_autoptr (GFile) file = app_rig_file (rig, name);

      g_assert_true (g_file_query_exists (file, NULL));
    }
  g_assert_false (plg_export_dialog_write_all (PLG_EXPORT_DIALOG (dialog), folder, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  gtk_window_destroy (dialog);
}

/* In the export dialog Return is for what has the focus: at first that is its button; on a row it
 * does not ask for a file. What was written is told. */
static void
test_export_tells (AppRig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  g_autoptr (GFile) file = app_rig_file (rig, "told.svg");
  g_autoptr (GtkWindow) dialog = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (app_rig_act (rig, "win.export"));
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
  rig_until (app_rig_tells (GTK_WIDGET (rig->window), "Written: told.svg"));
  gtk_window_destroy (dialog);
}

int
main (int argc, char **argv)
{
  g_autoptr (PlgApplication) application = app_rig_application (&argc, &argv);

  if (application == NULL)
    return 0;
#define ADD(name, function) \
  g_test_add ("/export/" name, AppRig, application, app_rig_set_up, function, app_rig_tear_down)
  ADD ("copy", test_copy);
  ADD ("command-line", test_command_line);
  ADD ("command-line-of-hand-made", test_command_line_of_hand_made);
  ADD ("copied-part", test_copied_part);
  ADD ("export-all", test_export_all);
  ADD ("export-tells", test_export_tells);
#undef ADD
  return g_test_run ();
}
