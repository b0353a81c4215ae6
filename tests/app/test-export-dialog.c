/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export-rig.h"

#include "app/screen-picture.h"
#include "plan/edit.h"
#include "widgets/search/plan-finder.h"

#include <string.h>

/* The export dialog: what is taken from the window, the choices, and the command line for the same
 * file. */

/* Returns the bytes that DIALOG writes for PICTURE. */
static GBytes *
written (AppRig *rig, PlgExportDialog *dialog, PlgPicture picture)
{
  g_autoptr (GFile) file = app_rig_file (rig, "written.svg");
  g_autoptr (GError) error = NULL;

  export_rig_choose (dialog, "picture", picture);
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  return export_rig_take (rig, "written.svg");
}

/* Returns the bytes of PICTURE as the window's command line draws the picture. */
static GBytes *
commanded (AppRig *rig, PlgPicture picture)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_auto (PlgRequest) request = { 0 };
  g_autofree char *line = NULL;

  plg_screen_picture_request (plg_window_canvas (rig->window), document, picture, &request);
  request.file.attachment = plg_document_plan_bytes (document);
  line = plg_screen_picture_command (document, &request, NULL);
  g_assert_nonnull (line);
  return export_rig_run (rig, line);
}

/* Returns PICTURE of the plan without highlights, playback or crop. */
static GBytes *
plain (AppRig *rig, PlgPicture picture)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_auto (PlgRequest) request = { 0 };

  plg_request_init (&request, plg_document_plan (document), PLG_PALETTE_LIGHT);
  request.picture = picture;
  request.file.attachment = plg_document_plan_bytes (document);
  return plg_request_export (&request, plg_document_plan (document), plg_document_report (document),
                             NULL);
}

/* Each picture includes the state of the window, as does the command line: the ledger of the pinned
 * link, the timeline with its cursor, the cluster with both, and the memory at that time. */
static void
test_export_takes_window_state (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgExportDialog *dialog;

  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_NODE, 0, 3 });
  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_LINK, 0, 1 });
  g_object_set (canvas, "time", 1.21, NULL);
  /* The view is outside the pinned area. */
  plg_canvas_set_zoom (canvas, 6);
  rig_next_frame (GTK_WIDGET (canvas));
  dialog = export_rig_open (rig);
  for (int i = 0; i < PLG_PICTURE_SEARCH; i++)
    {
      g_autoptr (GBytes) file = written (rig, dialog, i);
      g_autoptr (GBytes) made = commanded (rig, i), bare = plain (rig, i);
      gboolean is_altered = i == PLG_PICTURE_CLUSTER || i == PLG_PICTURE_TIMELINE ||
                            i == PLG_PICTURE_LEDGER || i == PLG_PICTURE_COMPARE;

      if (!g_bytes_equal (file, made))
        g_error ("%s differs from the file of its command line", plg_picture_name (i));
      if (g_bytes_equal (file, bare) == is_altered)
        g_error ("%s %s", plg_picture_name (i), is_altered ? "shows nothing" : "is altered");
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The picture of a search is offered once the search of the page Plans is done. Its command line
 * draws the same file. */
static void
test_export_search (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlanFinder *finder = PLG_PLAN_FINDER (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAN_FINDER,
                                                     NULL, NULL));
  PlgPlanSearch *search = plg_plan_finder_get_search (finder);
  const char *const require[] = { "memory<=75GiB", NULL };
  PlgExportDialog *dialog;
  g_autoptr (GBytes) file = NULL, made = NULL;
  g_autofree char *line = NULL;

  g_assert_null (plg_plan_finder_picture (finder));
  g_assert_true (app_rig_act (rig, "win.find-plans"));
  plg_plan_search_set_kept (search, PLG_SEARCH_SCHEDULE, TRUE);
  g_assert_true (plg_plan_search_set_requirements (search, require, NULL));
  rig_until (plg_plan_search_progress (search).is_complete);
  dialog = export_rig_open (rig);
  file = written (rig, dialog, PLG_PICTURE_SEARCH);
  line = plg_export_dialog_command (dialog, NULL);
  g_assert_nonnull (line);
  g_assert_nonnull (strstr (line, "--keep training.schedule"));
  made = export_rig_run (rig, line);
  g_assert_true (g_bytes_equal (file, made));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_false (plg_document_is_previewing (document));
}

/* During playback the file equals the picture in the dialog. */
static void
test_export_equals_picture (AppRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgExportDialog *dialog;

  g_object_set (canvas, "time", 1.21, NULL);
  dialog = export_rig_open (rig);
  for (int i = 0; i < PLG_PICTURE_SEARCH; i++)
    {
      g_autoptr (GBytes) before = written (rig, dialog, i), after = NULL;

      g_object_set (canvas, "time", 2.5, NULL);
      after = written (rig, dialog, i);
      g_assert_true (g_bytes_equal (before, after));
      g_object_set (canvas, "time", 1.21, NULL);
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* All pictures are written into a folder without overwriting files. The crop of the cluster does
 * not apply to other pictures. */
static void
test_export_all_pictures (AppRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  g_autoptr (GFile) folder = g_file_new_for_path (rig->folder);
  g_autoptr (GError) error = NULL;
  PlgExportDialog *dialog;

  plg_canvas_set_zoom (canvas, 4);
  rig_next_frame (GTK_WIDGET (canvas));
  dialog = export_rig_open (rig);
  g_assert_true (plg_export_dialog_write_all (dialog, folder, &error));
  g_assert_no_error (error);
  g_assert_false (plg_export_dialog_write_all (dialog, folder, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  for (int i = 0; i < PLG_PICTURE_SEARCH; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.svg", plg_picture_name (i));
      g_autoptr (GBytes) file = export_rig_take (rig, name), bare = plain (rig, i);

      g_assert_true (g_bytes_equal (file, bare) == (i != PLG_PICTURE_CLUSTER));
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The file extension selects the format, and an SVG contains the plan regardless of the format
 * selected before. */
static void
test_plan_inside_by_name (AppRig *rig, gconstpointer data)
{
  PlgExportDialog *dialog = export_rig_open (rig);
  g_autoptr (GFile) file = app_rig_file (rig, "named.svg");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  export_rig_choose (dialog, "format", PLG_EXPORT_PNG);
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "<metadata"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The default PNG of many GPUs is not larger than a screen, and the width is limited to what can be
 * written; a PNG of another picture is sharp as well. A chosen width applies to all pictures. */
static void
test_export_width (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = app_rig_file (rig, "most.png");
  PlgExportDialog *dialog;
  GtkSpinButton *width;
  g_autoptr (GError) error = NULL;
  double widest;

  g_assert_true (plg_document_set (document, "training.global-batch", "4096", NULL));
  g_assert_true (plg_document_set (document, "cluster.nodes", "2048", NULL));
  rig_next_frame (GTK_WIDGET (plg_window_canvas (rig->window)));
  dialog = export_rig_open (rig);
  width = GTK_SPIN_BUTTON (export_rig_row (dialog, "scale"));
  g_assert_cmpfloat (gtk_spin_button_get_value (width), <, 8000);
  gtk_spin_button_get_range (width, NULL, &widest);
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  gtk_spin_button_set_value (width, 1e6);
  g_assert_cmpfloat (gtk_spin_button_get_value (width), ==, widest);
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  gtk_window_destroy (GTK_WINDOW (dialog));
  dialog = export_rig_open (rig);
  width = GTK_SPIN_BUTTON (export_rig_row (dialog, "scale"));
  export_rig_choose (dialog, "picture", PLG_PICTURE_MEMORY);
  g_assert_cmpfloat (gtk_spin_button_get_value (width), >=, 1000);
  gtk_spin_button_set_value (width, 1919);
  export_rig_choose (dialog, "picture", PLG_PICTURE_MFU);
  g_assert_cmpfloat (gtk_spin_button_get_value (width), ==, 1919);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Return activates the focused widget: first the export button; on a row Return does not open the
 * file chooser. The written file is announced. */
static void
test_export_announces_file (AppRig *rig, gconstpointer data)
{
  g_autoptr (GFile) file = app_rig_file (rig, "named.svg");
  PlgExportDialog *dialog = export_rig_open (rig);
  GtkWindow *window = GTK_WINDOW (dialog);
  g_autoptr (GError) error = NULL;

  g_assert_null (gtk_window_get_default_widget (window));
  g_assert_true (GTK_IS_BUTTON (gtk_window_get_focus (window)));
  g_assert_true (gtk_widget_has_css_class (gtk_window_get_focus (window), "suggested-action"));
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  rig_until (app_rig_has_label (GTK_WIDGET (rig->window), "Written: named.svg"));
  gtk_window_destroy (window);
}

/* In the order of the dialog's row. */
enum
{
  WHOLE,
  ON_SCREEN,
  NODES,
  GROUPS,
};

/* Checks that DIALOG writes the same bytes as its command line, and returns the bytes. */
static GBytes *
assert_says_what_it_writes (AppRig *rig, PlgExportDialog *dialog)
{
  guint format = adw_combo_row_get_selected (ADW_COMBO_ROW (export_rig_row (dialog, "format")));
  g_autofree char *name = g_strconcat ("file.", plg_export_format_name (format), NULL);
  g_autoptr (GFile) file = app_rig_file (rig, name);
  g_autoptr (GError) error = NULL;
  g_autofree char *line = plg_export_dialog_command (dialog, &error);
  g_autoptr (GBytes) made = NULL;
  GBytes *bytes;

  g_assert_no_error (error);
  g_assert_true (plg_export_dialog_write (dialog, file, &error));
  g_assert_no_error (error);
  bytes = export_rig_take (rig, name);
  made = export_rig_run (rig, line);
  if (!g_bytes_equal (bytes, made))
    g_error ("%s writes another file", line);
  return bytes;
}

/* Returns the width in the header of a PNG. */
static guint32
width_of (GBytes *png)
{
  const guint8 *head = g_bytes_get_data (png, NULL);

  g_assert_cmpuint (g_bytes_get_size (png), >, 24);
  return (guint32) head[16] << 24 | (guint32) head[17] << 16 | (guint32) head[18] << 8 | head[19];
}

/* A PNG has the requested width, from the window and from the command line. */
static void
test_width_in_pixels (AppRig *rig, gconstpointer data)
{
  static const PlgPicture pictures[] = { PLG_PICTURE_CLUSTER, PLG_PICTURE_MFU, PLG_PICTURE_MATRIX };
  PlgExportDialog *dialog = export_rig_open (rig);

  export_rig_choose (dialog, "format", PLG_EXPORT_PNG);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    for (int width = 333; width < 4000; width = 2 * width + 1)
      {
        g_autoptr (GBytes) png = NULL;

        export_rig_choose (dialog, "picture", pictures[i]);
        gtk_spin_button_set_value (GTK_SPIN_BUTTON (export_rig_row (dialog, "scale")), width);
        png = assert_says_what_it_writes (rig, dialog);
        g_assert_cmpuint (width_of (png), ==, width);
      }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Opens the dialog with a pin, a selection, playback and a crop. */
static PlgExportDialog *
open_with_all_states (AppRig *rig)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);

  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_NODE, 0, 3 });
  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_LINK, 0, 1 });
  plg_canvas_select (canvas, 9);
  g_object_set (canvas, "time", 1.21, NULL);
  plg_canvas_set_zoom (canvas, 2);
  rig_next_frame (GTK_WIDGET (canvas));
  return export_rig_open (rig);
}

/* Every picture in every format, with every other choice changed. */
static void
test_formats (AppRig *rig, gconstpointer data)
{
  PlgExportDialog *dialog = open_with_all_states (rig);

  export_rig_choose (dialog, "palette", PLG_PALETTE_PROJECTOR);
  export_rig_choose (dialog, "legend", PLG_LEGEND_RIGHT);
  export_rig_choose (dialog, "page", PLG_PAGE_A4);
  for (int picture = 0; picture < PLG_PICTURE_SEARCH; picture++)
    for (int format = 0; format < PLG_N_EXPORT_FORMATS; format++)
      {
        g_autoptr (GBytes) bytes = NULL;

        export_rig_choose (dialog, "picture", picture);
        export_rig_choose (dialog, "format", format);
        bytes = assert_says_what_it_writes (rig, dialog);
      }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Every part of each picture that has parts. */
static void
test_parts (AppRig *rig, gconstpointer data)
{
  static const PlgPicture pictures[] = { PLG_PICTURE_CLUSTER, PLG_PICTURE_MATRIX,
                                         PLG_PICTURE_COMPARE };
  PlgExportDialog *dialog = open_with_all_states (rig);

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (export_rig_row (dialog, "first_node")), 3);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (export_rig_row (dialog, "last_node")), 2);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autoptr (GBytes) whole = NULL, part = NULL;

      export_rig_choose (dialog, "picture", pictures[i]);
      export_rig_choose (dialog, "content", WHOLE);
      whole = assert_says_what_it_writes (rig, dialog);
      for (int content = ON_SCREEN; content <= GROUPS; content++)
        {
          export_rig_choose (dialog, "content", content);
          g_clear_pointer (&part, g_bytes_unref);
          part = assert_says_what_it_writes (rig, dialog);
          g_assert_true (content != NODES || !g_bytes_equal (whole, part));
        }
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The matrix of chosen nodes, among themselves or with others. Other pictures have no columns. */
static void
test_nodes_of_matrix (AppRig *rig, gconstpointer data)
{
  PlgExportDialog *dialog = export_rig_open (rig);
  g_autofree char *themselves = NULL, *others = NULL, *cluster = NULL;

  export_rig_choose (dialog, "picture", PLG_PICTURE_MATRIX);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (export_rig_row (dialog, "content"))));
  export_rig_choose (dialog, "content", NODES);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (export_rig_row (dialog, "last_node")), 1);
  themselves = plg_export_dialog_command (dialog, NULL);
  g_assert_nonnull (strstr (themselves, "--nodes 0-1"));
  g_assert_null (strstr (themselves, "--columns"));
  gtk_switch_set_active (GTK_SWITCH (export_rig_row (dialog, "others")), TRUE);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (export_rig_row (dialog, "first_other")), 4);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (export_rig_row (dialog, "last_other_row"))));
  others = plg_export_dialog_command (dialog, NULL);
  g_assert_nonnull (strstr (others, "--nodes 0-1 --columns 4-7"));
  g_bytes_unref (assert_says_what_it_writes (rig, dialog));
  export_rig_choose (dialog, "picture", PLG_PICTURE_CLUSTER);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (export_rig_row (dialog, "others_row"))));
  cluster = plg_export_dialog_command (dialog, NULL);
  g_assert_null (strstr (cluster, "--columns"));
  export_rig_choose (dialog, "picture", PLG_PICTURE_MFU);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (export_rig_row (dialog, "part"))));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Highlights stay if they touch the chosen nodes; others dim nothing. The whole cluster includes
 * highlights out of view. */
static void
test_highlighted_nodes (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgExportDialog *dialog;
  GtkSpinButton *first;
  g_autofree char *seen = NULL, *there = NULL, *elsewhere = NULL, *whole = NULL;

  plg_highlight_model_toggle (plg_document_highlight_model (document),
                              (PlgEntity) { PLG_ENTITY_NODE, 0, 7 });
  plg_canvas_set_zoom (canvas, 6);
  rig_next_frame (GTK_WIDGET (canvas));
  dialog = export_rig_open (rig);
  first = GTK_SPIN_BUTTON (export_rig_row (dialog, "first_node"));
  seen = plg_export_dialog_command (dialog, NULL);
  g_assert_null (strstr (seen, "--pin"));
  export_rig_choose (dialog, "content", WHOLE);
  whole = plg_export_dialog_command (dialog, NULL);
  g_assert_nonnull (strstr (whole, "--pin node:7"));
  export_rig_choose (dialog, "content", NODES);
  gtk_spin_button_set_value (first, 6);
  there = plg_export_dialog_command (dialog, NULL);
  g_assert_nonnull (strstr (there, "--pin node:7 --nodes 6-7"));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (export_rig_row (dialog, "last_node")), 6);
  elsewhere = plg_export_dialog_command (dialog, NULL);
  g_assert_null (strstr (elsewhere, "--pin"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/export-dialog/takes-window-state", test_export_takes_window_state },
    { "/export-dialog/equals-picture", test_export_equals_picture },
    { "/export-dialog/search", test_export_search },
    { "/export-dialog/all-pictures", test_export_all_pictures },
    { "/export-dialog/plan-inside-by-name", test_plan_inside_by_name },
    { "/export-dialog/width", test_export_width },
    { "/export-dialog/width-in-pixels", test_width_in_pixels },
    { "/export-dialog/announces-file", test_export_announces_file },
    { "/export-dialog/formats", test_formats },
    { "/export-dialog/parts", test_parts },
    { "/export-dialog/nodes-of-matrix", test_nodes_of_matrix },
    { "/export-dialog/highlighted-nodes", test_highlighted_nodes },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
