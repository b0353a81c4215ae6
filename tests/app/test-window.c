/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "plan/edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/order-menu.h"
#include "widgets/tables/link-table.h"
#include "widgets/panels/panels.h"
#include "widgets/pictures/picture-view.h"

#include <glib/gstdio.h>

static gboolean
has_action (GtkWidget *widget, gpointer name)
{
  return g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), name) == 0;
}

/* Returns whether the button in the header bar is sensitive. */
static gboolean
is_enabled (AppRig *rig, const char *name)
{
  GtkWidget *button = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, has_action,
                                (gpointer) name);

  g_assert_nonnull (button);
  return gtk_widget_is_sensitive (button);
}

static void
test_undo_by_action (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);

  g_assert_false (is_enabled (rig, "win.undo"));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (is_enabled (rig, "win.undo"));
  g_assert_true (app_rig_act (rig, "win.undo"));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_true (is_enabled (rig, "win.redo"));
  g_assert_true (app_rig_act (rig, "win.redo"));
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 4);
}

/* Undo first cancels a drag in progress and keeps earlier changes. */
static void
test_undo_in_a_drag (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  GtkEventController *drag = rig_controller (GTK_WIDGET (canvas), GTK_TYPE_GESTURE_DRAG);

  for (int steps = 0; steps < 2; steps++)
    {
      g_autofree char *before = NULL;
      PlgPoint from, to;

      if (steps > 0)
        g_assert_true (plg_document_set (document, "training.global-batch", "128", NULL));
      rig_next_frame (GTK_WIDGET (canvas));
      from = rig_middle_of_gpu (canvas, plg_document_plan (document), 9);
      to = rig_middle_of_gpu (canvas, plg_document_plan (document), 18);
      before = g_strdup (plg_document_undo_label (document));
      g_signal_emit_by_name (drag, "drag-begin", from.x, from.y);
      g_signal_emit_by_name (drag, "drag-update", to.x - from.x, to.y - from.y);
      g_assert_true (plg_document_is_previewing (document));
      g_assert_true (app_rig_act (rig, "win.undo"));
      g_assert_false (plg_document_is_previewing (document));
      g_assert_false (plg_canvas_is_dragging (canvas));
      g_signal_emit_by_name (drag, "drag-end", to.x - from.x, to.y - from.y);
      g_assert_cmpint (plg_document_plan (document)->placement.size, ==, 0);
      g_assert_cmpstr (plg_document_undo_label (document), ==, before);
      g_assert_null (plg_document_redo_label (document));
    }
}

/* A toast, such as the one after Undo, does not cover the label of a drag. */
static void
test_toast_in_a_drag (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  GtkEventController *drag = rig_controller (GTK_WIDGET (canvas), GTK_TYPE_GESTURE_DRAG);
  GtkWidget *overlay = rig_find (GTK_WIDGET (rig->window), ADW_TYPE_TOAST_OVERLAY, NULL, NULL);
  PlgPoint from, to;

  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_true (app_rig_act (rig, "win.undo"));
  rig_until (app_rig_shows (overlay, "Undone"));
  rig_next_frame (GTK_WIDGET (canvas));
  from = rig_middle_of_gpu (canvas, plg_document_plan (document), 9);
  to = rig_middle_of_gpu (canvas, plg_document_plan (document), 18);
  g_signal_emit_by_name (drag, "drag-begin", from.x, from.y);
  g_signal_emit_by_name (drag, "drag-update", to.x - from.x, to.y - from.y);
  g_assert_true (plg_canvas_is_dragging (canvas));
  rig_until (!app_rig_shows (overlay, "Undone"));
  g_assert_true (plg_canvas_is_dragging (canvas));
  g_signal_emit_by_name (drag, "drag-end", to.x - from.x, to.y - from.y);
}

static void
test_title (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = app_rig_file (rig, "a.plan.xml");

  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (rig->window)), ==,
                   "Llama 3 70B on 64 × H100 SXM");
  g_assert_true (plg_window_is_pristine (rig->window));
  /* The title follows the plan. */
  g_assert_true (plg_document_set (document, "model.name", "llama3-8b", NULL));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (rig->window)), ==,
                   "Llama 3 8B on 64 × H100 SXM");
  g_assert_false (plg_window_is_pristine (rig->window));
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_false (plg_document_is_modified (document));
}

/* An unreadable file leaves the plan unchanged. */
static void
test_broken_file (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = app_rig_file (rig, "broken.plan.xml");
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));

  g_assert_true (g_file_replace_contents (file, "<plan version='1'><clus", 23, NULL, FALSE, 0, NULL,
                                          NULL, NULL));
  g_assert_false (plg_document_open (document, file, NULL, NULL));
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

/* One dialog lists several unreadable files, each with name and reason. */
static void
test_broken_files (AppRig *rig, gconstpointer data)
{
  static const char *const names[] = { "one.plan.xml", "two.plan.xml", "three.plan.xml" };
  GFile *files[G_N_ELEMENTS (names)];
  g_autoptr (GPtrArray) dialogs = NULL;
  GtkWindow *parent;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      files[i] = app_rig_file (rig, names[i]);
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
test_view_actions (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *window = GTK_WIDGET (rig->window);

  gtk_widget_activate_action (window, "win.show", "s", "pp");
  g_assert_cmpint (plg_document_plan (document)->view.show, ==, PLG_SHOW_PP);
  gtk_widget_activate_action (window, "win.link-color", "s", "time");
  g_assert_cmpint (plg_document_plan (document)->view.link_color, ==, PLG_LINK_COLOR_TIME);
  app_rig_act (rig, "win.rings");
  g_assert_true (plg_document_plan (document)->view.rings);
  /* A change of the view does not modify the plan. */
  g_assert_false (plg_document_is_modified (document));
  g_assert_null (plg_document_undo_label (document));
}

static gboolean
is_ledger (GtkWidget *widget, gpointer data)
{
  g_autofree char *picture = NULL;

  g_object_get (widget, "picture", &picture, NULL);
  return g_strcmp0 (picture, "ledger") == 0;
}

/* The link of a row stays highlighted while its ledger has the focus. */
static void
test_ledger_of_row (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window), *table, *ledger;
  PlgHighlightModel
      *highlight_model = plg_document_highlight_model (plg_window_document (rig->window));
  GtkColumnView *view;
  int highlighted;

  g_assert_true (gtk_widget_activate_action (window, "win.page", "s", "links"));
  table = rig_find (window, PLG_TYPE_LINK_TABLE, NULL, NULL);
  ledger = rig_find (window, PLG_TYPE_PICTURE_VIEW, is_ledger, NULL);
  view = GTK_COLUMN_VIEW (rig_find (table, GTK_TYPE_COLUMN_VIEW, NULL, NULL));
  rig_until (gtk_widget_get_mapped (table) && gtk_widget_get_mapped (ledger));
  rig_next_frame (table);
  gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD);
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_column_view_get_model (view)), 5);
  highlighted = plg_highlight_model_hovered (highlight_model).index;
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_LINK);
  g_assert_true (gtk_widget_grab_focus (ledger));
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_LINK);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).index, ==, highlighted);
  gtk_widget_grab_focus (GTK_WIDGET (plg_window_canvas (rig->window)));
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_NONE);
}

static gboolean
compares_orders (GtkWidget *widget, gpointer data)
{
  return g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)),
                    "win.compare-orders") == 0;
}

/* The name occurs once, without the underscore of its mnemonic. */
static void
test_name_of_mnemonic (AppRig *rig, gconstpointer data)
{
  GtkWidget *button = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, compares_orders, NULL);

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Compare Orders…");
  g_assert_false (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (button),
                                                    GTK_ACCESSIBLE_RELATION_LABELLED_BY));
}

/* Menus and toggles of the view have shortcuts, and each shortcut has one effect. */
static void
test_keys_of_view (AppRig *rig, gconstpointer data)
{
  static const char *const actions[] = { "win.link-color::frequency",
                                         "win.link-color::bytes",
                                         "win.link-color::time",
                                         "win.link-color::off",
                                         "win.pairs::bandwidth",
                                         "win.pairs::traffic",
                                         "win.rings",
                                         "win.tidy",
                                         "win.place",
                                         "win.play-slower",
                                         "win.play-faster",
                                         "win.play-again" };
  GtkApplication *application = GTK_APPLICATION (rig->application);

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_auto (GStrv) keys = gtk_application_get_accels_for_action (application, actions[i]);
      g_auto (GStrv) taken = NULL;

      g_assert_nonnull (keys[0]);
      taken = gtk_application_get_actions_for_accel (application, keys[0]);
      g_assert_cmpuint (g_strv_length (taken), ==, 1);
    }
}

/* Returns whether the bar with the placement that was found is shown. */
static gboolean
offers_placement (AppRig *rig)
{
  GtkWidget *button = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, has_action,
                                (gpointer) "win.place-apply");

  return button != NULL && gtk_widget_get_mapped (button);
}

/* Place for Me shows the fastest placement, which can be left, and which is one undo step. */
static void
test_place_for_me (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  double before;

  g_assert_true (plg_document_set (document, "cluster.faults", "gpu:25=0.7", NULL));
  before = plg_document_report (document)->step.time;
  g_assert_true (app_rig_act (rig, "win.place"));
  rig_until (offers_placement (rig));
  g_assert_true (plg_document_is_previewing (document));
  g_assert_cmpfloat (plg_document_report (document)->step.time, <, before);
  g_assert_cmpint (plg_document_committed_plan (document)->placement.size, ==, 0);
  g_assert_true (app_rig_shows (GTK_WIDGET (rig->window), "↔ node 3"));

  g_assert_true (app_rig_act (rig, "win.place-leave"));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_false (offers_placement (rig));
  g_assert_cmpfloat (plg_document_report (document)->step.time, ==, before);

  g_assert_true (app_rig_act (rig, "win.place"));
  rig_until (offers_placement (rig));
  g_assert_true (app_rig_act (rig, "win.place-apply"));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpfloat (plg_document_report (document)->step.time, <, before);
  g_assert_true (app_rig_act (rig, "win.undo"));
  g_assert_cmpint (plg_document_plan (document)->placement.size, ==, 0);
  g_assert_cmpint (plg_document_plan (document)->cluster.n_faults, ==, 1);
}

/* A change in the plan ends the preview, and a plan in its fastest placement only gets a message. */
static void
test_place_for_me_in_vain (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);

  g_assert_true (plg_document_set (document, "cluster.faults", "gpu:25=0.7", NULL));
  g_assert_true (app_rig_act (rig, "win.place"));
  rig_until (offers_placement (rig));
  g_assert_true (plg_document_set (document, "cluster.faults", "", NULL));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_false (offers_placement (rig));
  g_assert_true (app_rig_act (rig, "win.place"));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "No other assignment is faster"));
  g_assert_false (offers_placement (rig));

  /* A search that a change overtakes has no effect. */
  g_assert_true (plg_document_set (document, "cluster.faults", "gpu:25=0.7", NULL));
  g_assert_true (app_rig_act (rig, "win.place"));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  for (int i = 0; i < 20; i++)
    rig_next_frame (GTK_WIDGET (rig->window));
  g_assert_false (offers_placement (rig));
}

/* Every dialog opens, and every visible control has a name. */
static void
test_dialogs (AppRig *rig, gconstpointer data)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  guint before = g_list_model_get_n_items (toplevels);

  g_assert_true (app_rig_act (rig, "win.export"));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 1);
  g_assert_true (app_rig_act (rig, "win.play-collective"));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 2);
  g_assert_true (app_rig_act (rig, "win.compare-orders"));
  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, before + 3);
  g_assert_true (app_rig_act (rig, "win.show-help-overlay"));
  rig_until (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (rig->window)) !=
             NULL);
  /* GTK warns of labels with a negative width in sections of two pages. */
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

/* The pages of links and pairs show the time of the cluster, and say that their numbers are of the
 * whole step. */
static void
test_time_is_shown (AppRig *rig, gconstpointer data)
{
  static const char *const pages[] = { "links", "pairs" };
  static const char note[] = "The numbers below cover the whole step.";

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_object_set (plg_window_canvas (rig->window), "time", 1.21, NULL);
      gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", pages[i]);
      rig_until (app_rig_has_label (GTK_WIDGET (rig->window), note));
      g_object_set (plg_window_canvas (rig->window), "time", -1.0, NULL);
      rig_until (!app_rig_has_label (GTK_WIDGET (rig->window), note));
    }
}

static gboolean
is_open (GtkWidget *menu, gpointer data)
{
  return gtk_widget_get_mapped (menu);
}

/* The menu of orders opens by a shortcut from any focus, also while the inspector is hidden. */
static void
test_orders_by_key (AppRig *rig, gconstpointer data)
{
  g_assert_true (app_rig_act (rig, "win.inspector"));
  rig_next_frame (GTK_WIDGET (rig->window));
  g_assert_true (app_rig_act (rig, "win.orders"));
  rig_until (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_ORDER_MENU, is_open, NULL) != NULL);
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

/* Returns the last window except the main window. */
static GtkWindow *
dialog_of (AppRig *rig)
{
  GListModel *toplevels = gtk_window_get_toplevels ();
  GtkWindow *dialog = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWindow) toplevel = g_list_model_get_item (toplevels, i);

      if (toplevel != GTK_WINDOW (rig->window))
        dialog = toplevel; /* owned by GTK */
    }
  g_assert_nonnull (dialog);
  return dialog;
}

/* A row of the communication table can be played: the dialog shows its collective. */
static void
test_play_row (AppRig *rig, gconstpointer data)
{
  guint chosen = G_MAXUINT;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.play-this-collective",
                                             "i", 3));
  find_chosen (GTK_WIDGET (dialog_of (rig)), &chosen);
  g_assert_cmpuint (chosen, ==, 3);
  gtk_window_destroy (dialog_of (rig));
}

/* A typed number is applied when the focus leaves the entry, also while its window closes. */
static void
test_typed_and_closed (AppRig *rig, gconstpointer data)
{
  static const char *const actions[] = { "win.play-collective", "win.export" };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      GtkWidget *number;

      g_assert_true (app_rig_act (rig, actions[i]));
      number = rig_find (GTK_WIDGET (dialog_of (rig)), GTK_TYPE_SPIN_BUTTON, NULL, NULL);
      gtk_widget_grab_focus (number);
      gtk_editable_set_text (GTK_EDITABLE (number), "3");
      gtk_window_destroy (dialog_of (rig));
    }
}

static gboolean
is_close_of_toast (GtkWidget *widget, gpointer data)
{
  return gtk_widget_get_mapped (widget) &&
         g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), "window-close-symbolic") == 0 &&
         strcmp (gtk_widget_get_css_name (gtk_widget_get_parent (widget)), "toast") == 0;
}

/* Toasts dismissed by Escape as soon as they appear: the last message is shown, and no memory is
 * freed twice. */
static void
test_toasts_in_a_row (AppRig *rig, gconstpointer data)
{
  GtkWidget *overlay = rig_find (GTK_WIDGET (rig->window), ADW_TYPE_TOAST_OVERLAY, NULL, NULL);

  for (int i = 0; i < 4; i++)
    {
      g_autofree char *text = g_strdup_printf ("toast %d", i);
      GtkWidget *closing;

      plg_window_toast (rig->window, "replaced at once");
      plg_window_toast (rig->window, text);
      rig_until (app_rig_has_label (overlay, text));
      rig_next_frame (overlay);
      closing = rig_find (overlay, GTK_TYPE_BUTTON, is_close_of_toast, NULL);
      g_assert_nonnull (closing);
      g_signal_emit_by_name (closing, "clicked");
    }
}

static gboolean
is_title_of_toast (GtkWidget *label, gpointer text)
{
  return gtk_widget_get_mapped (label) &&
         strcmp (gtk_label_get_label (GTK_LABEL (label)), text) == 0;
}

/* A later message has its own toast with the full time, and the focused cluster announces the
 * message. */
static void
test_toast_after_toast (AppRig *rig, gconstpointer data)
{
  GtkWidget *overlay = rig_find (GTK_WIDGET (rig->window), ADW_TYPE_TOAST_OVERLAY, NULL, NULL);
  GtkWidget *canvas = GTK_WIDGET (plg_window_canvas (rig->window)), *first;
  g_autofree char *said = NULL;

  gtk_widget_grab_focus (canvas);
  plg_window_toast (rig->window, "first");
  first = rig_find (overlay, GTK_TYPE_LABEL, is_title_of_toast, (gpointer) "first");
  g_assert_nonnull (first);
  g_object_add_weak_pointer (G_OBJECT (first), (gpointer *) &first);
  plg_window_toast (rig->window, "second");
  rig_until (app_rig_has_label (overlay, "second"));
  g_assert_true (first == NULL || first != rig_find (overlay, GTK_TYPE_LABEL, is_title_of_toast,
                                                     (gpointer) "second"));
  g_clear_weak_pointer (&first);
  said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (gtk_widget_get_focus_child (canvas)),
                                             GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  g_assert_true (g_str_has_suffix (said, ". second"));
}

static void
assert_hears (GtkWidget *canvas, const char *news)
{
  g_autofree char *said = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (gtk_widget_get_focus_child (canvas)), GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  g_autofree char *end = g_strdup_printf (". %s", news);

  g_test_message ("%s", said);
  g_assert_true (g_str_has_suffix (said, end));
}

/* Shortcuts that change the view announce the new view. */
static void
test_view_is_heard (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);
  GtkWidget *canvas = GTK_WIDGET (plg_window_canvas (rig->window));

  gtk_widget_grab_focus (canvas);
  g_assert_true (rig_press (window, GDK_KEY_1, 0));
  assert_hears (canvas, "Tensor parallel groups only");
  g_assert_true (rig_press (window, GDK_KEY_0, 0));
  assert_hears (canvas, "All axes at once");
  g_assert_true (gtk_widget_activate_action (window, "win.link-color", "s", "bytes"));
  assert_hears (canvas, "Link colour: bytes per step");
  g_assert_true (gtk_widget_activate_action (window, "win.rings", NULL));
  assert_hears (canvas, "Rings instead of physical links");
}

/* Comparing pins focuses their ledgers, also if the page is open already. */
static void
test_compare_pins (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);

  for (int i = 0; i < 2; i++)
    {
      gtk_widget_grab_focus (GTK_WIDGET (plg_window_canvas (rig->window)));
      g_assert_true (gtk_widget_activate_action (window, "win.compare-pins", NULL));
      g_assert_true (PLG_IS_PICTURE_VIEW (gtk_window_get_focus (GTK_WINDOW (window))));
      g_assert_true (gtk_widget_get_mapped (gtk_window_get_focus (GTK_WINDOW (window))));
    }
}

/* Keys that highlight a link show its traffic and keep the focus. */
static void
test_link_by_keys_is_read (AppRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);
  GtkWidget *canvas = GTK_WIDGET (plg_window_canvas (rig->window)), *focus;
  g_autoptr (GVariant) page = NULL;

  g_assert_true (gtk_widget_activate_action (window, "win.page", "s", "timeline"));
  gtk_widget_grab_focus (canvas);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.next-link", NULL));
  page = g_action_group_get_action_state (G_ACTION_GROUP (window), "page");
  g_assert_cmpstr (g_variant_get_string (page, NULL), ==, "links");
  focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (focus == canvas || gtk_widget_is_ancestor (focus, canvas));
}

static gboolean
is_shown_button (GtkWidget *button, gpointer data)
{
  return gtk_widget_get_mapped (button);
}

/* The focused widget, also in the inspector, announces a toast as long as the toast is visible. */
static void
test_toast_is_heard (AppRig *rig, gconstpointer data)
{
  GtkWidget *overlay = rig_find (GTK_WIDGET (rig->window), ADW_TYPE_TOAST_OVERLAY, NULL, NULL);
  GtkWidget *inspector = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_INSPECTOR, NULL, NULL);
  GtkWidget *spin = rig_find (inspector, GTK_TYPE_SPIN_BUTTON, NULL, NULL), *words, *toast;
  g_autofree char *said = NULL;

  gtk_widget_grab_focus (spin);
  plg_window_toast (rig->window, "done");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "done");
  words = rig_find (overlay, GTK_TYPE_LABEL, is_title_of_toast, (gpointer) "done");
  toast = gtk_widget_get_parent (gtk_widget_get_parent (words));
  g_signal_emit_by_name (rig_find (toast, GTK_TYPE_BUTTON, is_shown_button, NULL), "clicked");
  said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (spin),
                                             GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  g_assert_cmpstr (said, ==, "undefined");
}

/* Closing with unsaved changes asks, and nothing is lost while the question is open. */
static void
test_close_asks (AppRig *rig, gconstpointer data)
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
undo_in_toast (AppRig *rig)
{
  return rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, is_labelled, (gpointer) "Undo");
}

/* Losing a manual placement is announced with an undo button, which disappears after the next
 * change. */
static void
test_placement_lost (AppRig *rig, gconstpointer data)
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
  static const AppRigCase cases[] = {
    { "/window/undo-by-action", test_undo_by_action },
    { "/window/undo-in-a-drag", test_undo_in_a_drag },
    { "/window/toast-in-a-drag", test_toast_in_a_drag },
    { "/window/broken-files", test_broken_files },
    { "/window/title", test_title },
    { "/window/broken-file", test_broken_file },
    { "/window/view-actions", test_view_actions },
    { "/window/ledger-of-row", test_ledger_of_row },
    { "/window/name-of-mnemonic", test_name_of_mnemonic },
    { "/window/keys-of-view", test_keys_of_view },
    { "/window/time-is-shown", test_time_is_shown },
    { "/window/orders-by-key", test_orders_by_key },
    { "/window/place-for-me", test_place_for_me },
    { "/window/place-for-me-in-vain", test_place_for_me_in_vain },
    { "/window/dialogs", test_dialogs },
    { "/window/play-row", test_play_row },
    { "/window/typed-and-closed", test_typed_and_closed },
    { "/window/toasts-in-a-row", test_toasts_in_a_row },
    { "/window/toast-after-toast", test_toast_after_toast },
    { "/window/toast-is-heard", test_toast_is_heard },
    { "/window/placement-lost", test_placement_lost },
    { "/window/view-is-heard", test_view_is_heard },
    { "/window/compare-pins", test_compare_pins },
    { "/window/link-by-keys", test_link_by_keys_is_read },
    { "/window/close-asks", test_close_asks },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
