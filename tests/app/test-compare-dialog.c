/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/compare-dialog.h"
#include "widgets/pictures/picture-view.h"

#include <string.h>

/* Two orders side by side. */

static gboolean
is_labelled (GtkWidget *widget, gpointer label)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

/* Returns the text of ITEM of DROP_DOWN. Borrowed. */
static const char *
item_text (GtkDropDown *drop_down, guint item)
{
  return gtk_string_list_get_string (GTK_STRING_LIST (gtk_drop_down_get_model (drop_down)), item);
}

static gboolean
lists_orders (GtkWidget *widget, gpointer data)
{
  return strstr (item_text (GTK_DROP_DOWN (widget), 0), "→") != NULL;
}

static gboolean
lists_choices (GtkWidget *widget, gpointer data)
{
  return strcmp (item_text (GTK_DROP_DOWN (widget), 0), "another order") == 0;
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
assert_order (AppRig *rig, const char *wanted)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *order = plg_order_to_string (&plg_document_plan (document)->parallelism);

  g_assert_cmpstr (order, ==, wanted);
}

static gboolean
is_described (PlgPictureView *view, double x, double y)
{
  g_autofree char *text = plg_picture_view_describe (view, x, y);

  return text != NULL;
}

/* Both figures describe the element below the pointer, each in its own order. A focused GPU of the
 * main window dims nothing here. */
static void
test_compare_tooltips (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPictureView *view;
  GtkWidget *dialog;
  g_autofree char *command = NULL;
  gboolean differ = FALSE;
  int width;

  g_assert_true (plg_document_set (document, "parallelism.order", "tp-pp-dp", NULL));
  plg_highlight_model_set_hovered (plg_document_highlight_model (document),
                                   (PlgEntity) { PLG_ENTITY_GPU, 0, 20 });
  g_assert_true (app_rig_act (rig, "win.compare-orders"));
  dialog = compare_dialog ();
  view = PLG_PICTURE_VIEW (rig_find (dialog, PLG_TYPE_PICTURE_VIEW, NULL, NULL));
  rig_until (is_described (view, gtk_widget_get_width (GTK_WIDGET (view)) / 4.0, 120));
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
  g_assert_true (gtk_widget_activate_action (dialog, "picture.copy-command", NULL));
  command = app_rig_copied (dialog);
  g_assert_nonnull (strstr (command, "--view compare"));
  g_assert_null (strstr (command, "gpu:20"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* With 64 GPUs, both clusters and their tables fit into the dialog. */
static void
test_compare_is_whole (AppRig *rig, gconstpointer data)
{
  GtkWidget *dialog, *view, *scrolled;
  GtkAdjustment *vertical, *horizontal;

  g_assert_true (app_rig_act (rig, "win.compare-orders"));
  dialog = compare_dialog ();
  view = rig_find (dialog, PLG_TYPE_PICTURE_VIEW, NULL, NULL);
  scrolled = gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW);
  vertical = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  horizontal = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled));
  rig_until (gtk_adjustment_get_page_size (vertical) > 600);
  g_assert_cmpfloat (gtk_adjustment_get_upper (vertical), <=,
                     gtk_adjustment_get_page_size (vertical));
  g_assert_cmpfloat (gtk_adjustment_get_upper (horizontal), <=,
                     gtk_adjustment_get_page_size (horizontal));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The other order becomes the plan's order in one undoable step, and the former order becomes the
 * other one. */
static void
test_compare_orders (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *dialog, *use, *others;
  guint n;

  g_assert_true (plg_document_set (document, "parallelism.order", "tp-pp-dp", NULL));
  g_assert_true (app_rig_act (rig, "win.compare-orders"));
  dialog = compare_dialog ();
  use = rig_find (dialog, GTK_TYPE_BUTTON, is_labelled, (gpointer) "_Use This Order");
  others = rig_find (dialog, GTK_TYPE_DROP_DOWN, lists_orders, NULL);
  g_assert_nonnull (use);
  /* TP, PP and DP can be nested in six ways, one of which is the plan's. */
  n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (others)));
  g_assert_cmpuint (n, ==, 5);
  g_signal_emit_by_name (use, "clicked");
  assert_order (rig, "tp-cp-dp-pp");
  g_signal_emit_by_name (use, "clicked");
  assert_order (rig, "tp-cp-pp-dp");
  g_assert_true (plg_document_undo (document));
  assert_order (rig, "tp-cp-dp-pp");
  /* The list follows the plan: with CP there are more orders. */
  g_assert_true (plg_document_set (document, "parallelism.pp", "2", NULL));
  g_assert_true (plg_document_set (document, "parallelism.cp", "2", NULL));
  n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (others)));
  g_assert_cmpuint (n, ==, 23);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Returns whether a description in the picture, on the left (side 0) or on the right, contains
 * TEXT. */
static gboolean
says (PlgPictureView *view, int side, const char *text)
{
  int width = gtk_widget_get_width (GTK_WIDGET (view));
  int height = gtk_widget_get_height (GTK_WIDGET (view));

  for (int y = 200; y < height; y += 5)
    for (int x = side * width / 2 + 10; x < (side + 1) * width / 2; x += 9)
      {
        g_autofree char *description = plg_picture_view_describe (view, x, y);

        if (description != NULL && strstr (description, text) != NULL)
          return TRUE;
      }
  return FALSE;
}

/* The plan is compared with a variant, and the variant becomes the plan in one step. */
static void
test_compare_variant (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *dialog, *use, *choices;
  PlgPictureView *view;
  g_autofree char *description = NULL;

  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (plg_document_add_variant (document, "four", NULL));
  g_assert_true (plg_document_set (document, "parallelism.tp", "8", NULL));
  g_assert_true (plg_document_set (document, "parallelism.pp", "4", NULL));
  g_assert_true (app_rig_act (rig, "win.compare-plans"));
  dialog = compare_dialog ();
  choices = rig_find (dialog, GTK_TYPE_DROP_DOWN, lists_choices, NULL);
  g_assert_cmpstr (item_text (GTK_DROP_DOWN (choices),
                              gtk_drop_down_get_selected (GTK_DROP_DOWN (choices))),
                   ==, "variant “four”");
  view = PLG_PICTURE_VIEW (rig_find (dialog, PLG_TYPE_PICTURE_VIEW, NULL, NULL));
  rig_until (gtk_widget_get_height (GTK_WIDGET (view)) > 900);
  g_object_get (view, "description", &description, NULL);
  g_assert_nonnull (strstr (description, "differ"));
  /* Each picture describes its own plan: a TP group has 8 ranks on the left and 4 on the right. */
  g_assert_true (says (view, 0, "TP group 0: ranks 0–7"));
  g_assert_false (says (view, 0, "TP group 0: ranks 0–3"));
  g_assert_true (says (view, 1, "TP group 0: ranks 0–3"));
  g_assert_false (says (view, 1, "TP group 0: ranks 0–7"));
  g_assert_true (says (view, 1, "Stage"));

  use = rig_find (dialog, GTK_TYPE_BUTTON, is_labelled, (gpointer) "_Use This Plan");
  g_assert_nonnull (use);
  g_signal_emit_by_name (use, "clicked");
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 4);
  g_assert_cmpint (plg_variants_count (plg_document_plan (document)->variants), ==, 1);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);

  /* If the variant goes, the dialog compares orders again. */
  g_assert_true (plg_document_remove_variant (document, 0, NULL));
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (choices)), ==, 0);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* The plan is compared with its saved state and with another file. */
static void
test_compare_files (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) saved = app_rig_file (rig, "saved.plan.xml");
  g_autoptr (GFile) other = app_rig_put (rig, "other.plan.xml",
                                         "<plan version=\"1\"><parallelism tp=\"2\"/></plan>");
  g_autoptr (GFile) broken = app_rig_put (rig, "broken.plan.xml", "<plan");
  g_autofree char *command = NULL, *saved_path = g_file_get_path (saved);
  GtkWidget *dialog, *choices, *use;
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_document_save (document, saved, &error));
  g_assert_no_error (error);
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (app_rig_act (rig, "win.compare-plans"));
  dialog = compare_dialog ();
  choices = rig_find (dialog, GTK_TYPE_DROP_DOWN, lists_choices, NULL);
  g_assert_cmpstr (item_text (GTK_DROP_DOWN (choices),
                              gtk_drop_down_get_selected (GTK_DROP_DOWN (choices))),
                   ==, "the saved plan");
  g_assert_true (gtk_widget_activate_action (dialog, "picture.copy-command", NULL));
  command = app_rig_copied (dialog);
  g_assert_nonnull (strstr (command, "--with "));
  g_assert_nonnull (strstr (command, saved_path));

  plg_compare_dialog_set_file (PLG_COMPARE_DIALOG (dialog), other);
  g_assert_cmpstr (item_text (GTK_DROP_DOWN (choices),
                              gtk_drop_down_get_selected (GTK_DROP_DOWN (choices))),
                   ==, "other.plan.xml");
  plg_compare_dialog_set_file (PLG_COMPARE_DIALOG (dialog), broken);
  rig_until (app_rig_shows (dialog, "not well-formed"));
  use = rig_find (dialog, GTK_TYPE_BUTTON, is_labelled, (gpointer) "_Use This Plan");
  g_signal_emit_by_name (use, "clicked");
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 2);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Plan from other.plan.xml");
  gtk_window_destroy (GTK_WINDOW (dialog));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/compare-dialog/orders", test_compare_orders },
    { "/compare-dialog/tooltips", test_compare_tooltips },
    { "/compare-dialog/whole", test_compare_is_whole },
    { "/compare-dialog/variant", test_compare_variant },
    { "/compare-dialog/files", test_compare_files },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
