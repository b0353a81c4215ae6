/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/sweep-dialog.h"
#include "widgets/pictures/picture-view.h"

#include <string.h>

/* A metric against settings, in a window of its own. */

static GtkWidget *
sweep_dialog (void)
{
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, i);
      if (PLG_IS_SWEEP_DIALOG (window))
        return window;
    }
  g_assert_not_reached ();
}

static gboolean
is_nth (GtkWidget *widget, gpointer nth)
{
  int *left = nth;

  return (*left)-- == 0;
}

/* Returns widget NTH of TYPE, from 0. */
static GtkWidget *
nth_widget (GtkWidget *dialog, GType type, int nth)
{
  GtkWidget *widget = rig_find (dialog, type, is_nth, &nth);

  g_assert_nonnull (widget);
  return widget;
}

static gboolean
is_use (GtkWidget *widget, gpointer data)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Use This Plan") == 0;
}

static gboolean
is_error (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "error");
}

static char *
description_of (PlgPictureView *view)
{
  char *text = NULL;

  g_object_get (view, "description", &text, NULL);
  return text != NULL ? text : g_strdup ("");
}

static gboolean
is_described (PlgPictureView *view, const char *part)
{
  g_autofree char *text = description_of (view);

  return strstr (text, part) != NULL;
}

static void
choose (GtkWidget *dialog, int nth, const char *title)
{
  GtkDropDown *drop_down = GTK_DROP_DOWN (nth_widget (dialog, GTK_TYPE_DROP_DOWN, nth));
  GListModel *model = gtk_drop_down_get_model (drop_down);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    if (g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i), title))
      {
        gtk_drop_down_set_selected (drop_down, i);
        return;
      }
  g_assert_not_reached ();
}

static gboolean
press_key (GtkWidget *widget, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean is_handled = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &is_handled);
    }
  return is_handled;
}

/* The keys mark points and preview their plans in the main window; Enter makes the marked plan the
 * open plan in one undo step, and Escape goes back. */
static void
test_points (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *dialog, *view, *use;

  g_assert_true (app_rig_act (rig, "win.sweep"));
  dialog = sweep_dialog ();
  view = nth_widget (dialog, PLG_TYPE_PICTURE_VIEW, 0);
  use = rig_find (dialog, GTK_TYPE_BUTTON, is_use, NULL);
  rig_until (is_described (PLG_PICTURE_VIEW (view), "This plan: Tensor (TP) 8: 10.2"));
  g_assert_false (gtk_widget_get_sensitive (use));

  /* The first key marks the plan itself. */
  g_assert_true (press_key (view, GDK_KEY_Right));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_false (gtk_widget_get_sensitive (use));
  g_assert_true (press_key (view, GDK_KEY_Right));
  g_assert_true (plg_document_is_previewing (document));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 16);
  g_assert_cmpint (plg_document_committed_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_true (gtk_widget_get_sensitive (use));
  /* A plan that is not possible is marked, but neither shown nor used. */
  g_assert_true (press_key (view, GDK_KEY_Right));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_false (gtk_widget_get_sensitive (use));
  g_assert_true (press_key (view, GDK_KEY_Left));
  g_assert_true (press_key (view, GDK_KEY_Escape));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);

  press_key (view, GDK_KEY_Right);
  press_key (view, GDK_KEY_Right);
  g_assert_true (press_key (view, GDK_KEY_Return));
  g_assert_cmpint (plg_document_committed_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 16);
  rig_until (is_described (PLG_PICTURE_VIEW (view), "This plan: Tensor (TP) 16: 12.8"));
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_committed_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);
  rig_until (is_described (PLG_PICTURE_VIEW (view), "This plan: Tensor (TP) 8: 10.2"));

  /* A closed window leaves no preview. */
  press_key (view, GDK_KEY_Right);
  press_key (view, GDK_KEY_Right);
  g_assert_true (plg_document_is_previewing (document));
  gtk_window_destroy (GTK_WINDOW (dialog));
  rig_until (!plg_document_is_previewing (document));
}

/* Metric, keys and values can be chosen, a wrong value is explained while the picture stays, and
 * the copied command line makes the same picture. */
static void
test_choices (AppRig *rig, gconstpointer data)
{
  PlgPictureView *view;
  GtkWidget *dialog, *message;
  GtkEditable *values;
  g_autofree char *command = NULL;

  g_assert_true (app_rig_act (rig, "win.sweep"));
  dialog = sweep_dialog ();
  view = PLG_PICTURE_VIEW (nth_widget (dialog, PLG_TYPE_PICTURE_VIEW, 0));
  values = GTK_EDITABLE (nth_widget (dialog, GTK_TYPE_ENTRY, 1));
  choose (dialog, 0, "Memory of the fullest GPU");
  choose (dialog, 1, "Sequence length");
  choose (dialog, 2, "Micro-batch");
  rig_until (is_described (view, "Sequence length 8\u202f192, Micro-batch 1: 53.1"));
  gtk_editable_set_text (values, "1..oops");
  message = gtk_widget_get_parent (gtk_widget_get_parent (GTK_WIDGET (values)));
  message = rig_find (message, GTK_TYPE_LABEL, is_error, NULL);
  rig_until (gtk_widget_get_visible (message));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (message)), "1..oops"));
  g_assert_true (is_described (view, "Micro-batch 1: 53.1"));
  gtk_editable_set_text (values, "1..2");
  rig_until (!gtk_widget_get_visible (message) && !is_described (view, "Micro-batch 4"));
  g_assert_true (gtk_widget_activate_action (dialog, "picture.copy-command", NULL));
  command = app_rig_copied (dialog);
  g_assert_nonnull (strstr (command, "--view sweep"));
  g_assert_nonnull (strstr (command, "--y training.micro-batch=1,2 --metric memory"));
  choose (dialog, 1, "Number of GPUs, weak and strong scaling");
  rig_until (is_described (view, "Same global batch:"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A window that closes while a sweep runs on another thread is released. */
static void
test_close_at_once (AppRig *rig, gconstpointer data)
{
  GtkWidget *dialog;

  g_assert_true (app_rig_act (rig, "win.sweep"));
  dialog = sweep_dialog ();
  g_object_add_weak_pointer (G_OBJECT (dialog), (gpointer *) &dialog);
  choose (dialog, 1, "GPU");
  choose (dialog, 2, "Model");
  gtk_window_destroy (GTK_WINDOW (dialog));
  rig_until (dialog == NULL);
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/sweep-dialog/points", test_points },
    { "/sweep-dialog/choices", test_choices },
    { "/sweep-dialog/close-at-once", test_close_at_once },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
