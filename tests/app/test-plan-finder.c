/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "plan/edit.h"
#include "plan/quantity.h"
#include "widgets/search/plan-finder.h"
#include "widgets/search/plan-row.h"
#include "widgets/search/plan-scatter.h"
#include "widgets/search/search-form.h"

#include <string.h>

/* The page that finds better plans, in the whole window. */

static PlgPlanFinder *
open_finder (AppRig *rig)
{
  GtkWidget *finder = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAN_FINDER, NULL, NULL);

  g_assert_nonnull (finder);
  g_assert_true (app_rig_act (rig, "win.find-plans"));
  return PLG_PLAN_FINDER (finder);
}

static PlgPlanSearch *
wait_for_search (PlgPlanFinder *finder)
{
  PlgPlanSearch *search = plg_plan_finder_get_search (finder);
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!plg_plan_search_progress (search).is_complete && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (plg_plan_search_progress (search).is_complete);
  return search;
}

static GtkColumnView *
table_of (PlgPlanFinder *finder)
{
  return GTK_COLUMN_VIEW (rig_find (GTK_WIDGET (finder), GTK_TYPE_COLUMN_VIEW, NULL, NULL));
}

/* A selected row is previewed, Escape ends the preview, and Enter takes the plan in one step. */
static void
test_preview_and_take (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlanFinder *finder = open_finder (rig);
  double before = plg_document_report (document)->step.time;
  GtkColumnView *table = table_of (finder);
  GtkSelectionModel *model = gtk_column_view_get_model (table);
  g_autoptr (PlgPlanRow) row = NULL;

  wait_for_search (finder);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), >, 10);
  row = g_list_model_get_item (G_LIST_MODEL (model), 0);
  gtk_selection_model_select_item (model, 0, TRUE);
  g_assert_true (plg_document_is_previewing (document));
  g_assert_cmpfloat_with_epsilon (plg_document_report (document)->step.time,
                                  plg_plan_row_found (row)->time, 1e-9);
  g_assert_true (rig_press (GTK_WIDGET (finder), GDK_KEY_Escape, 0));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpfloat (plg_document_report (document)->step.time, ==, before);

  g_signal_emit_by_name (table, "activate", 0);
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpfloat (plg_document_report (document)->step.time, <, before);
  g_assert_true (app_rig_act (rig, "win.undo"));
  g_assert_cmpfloat (plg_document_report (document)->step.time, ==, before);
}

/* A change of the plan starts a new search, and hiding the page ends the preview. */
static void
test_follows_the_plan (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanSearch *search = wait_for_search (finder);
  guint generation = plg_plan_search_generation (search);

  g_assert_true (plg_document_set (document, "training.global-batch", "128", NULL));
  rig_until (plg_plan_search_generation (search) > generation);
  wait_for_search (finder);
  g_assert_cmpint ((int) plg_plan_search_start_report (search)->micro_batches, ==, 64);

  gtk_selection_model_select_item (gtk_column_view_get_model (table_of (finder)), 1, TRUE);
  g_assert_true (plg_document_is_previewing (document));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", "timeline");
  rig_until (!plg_document_is_previewing (document));
}

/* The find bar of the cluster has a search entry too. */
static gboolean
is_filter (GtkWidget *widget, gpointer unused)
{
  g_autofree char *text = NULL;

  g_object_get (widget, "placeholder-text", &text, NULL);
  return text != NULL && g_str_has_prefix (text, "Filter");
}

/* A held setting keeps its value in each found plan, and the filter hides the other rows. */
static void
test_hold_and_filter (AppRig *rig, gconstpointer data)
{
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanSearch *search = wait_for_search (finder);
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (table_of (finder)));
  GtkWidget *filter = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_SEARCH_ENTRY, is_filter, NULL);

  plg_plan_search_set_kept (search, PLG_SEARCH_SCHEDULE, TRUE);
  wait_for_search (finder);
  for (guint i = 0; i < plg_plan_search_best (search)->len; i++)
    g_assert_cmpint (g_array_index (plg_plan_search_best (search), PlgFoundPlan, i).point.schedule,
                     ==, PLG_SCHEDULE_1F1B);
  g_assert_nonnull (filter);
  gtk_editable_set_text (GTK_EDITABLE (filter), "tp=4");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_cmpuint (g_list_model_get_n_items (model), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (PlgPlanRow) row = g_list_model_get_item (model, i);

      g_assert_cmpint (plg_plan_row_found (row)->point.tp, ==, 4);
    }
}

static gboolean
is_why_button (GtkWidget *widget, gpointer unused)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Why") == 0;
}

/* Why explains the selected plan: the changes add up, are copied, and follow the selection. */
static void
test_why (AppRig *rig, gconstpointer data)
{
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanSearch *search = wait_for_search (finder);
  PlgPlanWhy *why = plg_plan_finder_get_why (finder);
  GtkSelectionModel *model = gtk_column_view_get_model (table_of (finder));
  GtkWidget *button = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_TOGGLE_BUTTON, is_why_button,
                                NULL);
  g_autofree char
      *time = plg_format_time (g_array_index (plg_plan_search_best (search), PlgFoundPlan, 0).time);
  g_autofree char *first = NULL, *second = NULL, *slower = NULL;

  g_assert_nonnull (button);
  gtk_selection_model_select_item (model, 0, TRUE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  rig_until (!plg_plan_why_is_busy (why) && plg_plan_why_text (why) != NULL);
  first = plg_plan_why_text (why);
  g_assert_nonnull (strstr (first, time));
  g_assert_nonnull (strstr (first, "together"));
  g_assert_true (rig_press (GTK_WIDGET (finder), GDK_KEY_c, GDK_CONTROL_MASK));

  gtk_widget_grab_focus (GTK_WIDGET (why));
  g_assert_true (rig_press (GTK_WIDGET (why), GDK_KEY_Down, 0));
  g_assert_true (gtk_selection_model_is_selected (model, 1));
  rig_until (!plg_plan_why_is_busy (why));
  second = plg_plan_why_text (why);
  g_assert_cmpstr (first, !=, second);
  /* The second plan can be as fast as the best one. The last row is slower. */
  gtk_selection_model_select_item (model, g_list_model_get_n_items (G_LIST_MODEL (model)) - 1,
                                   TRUE);
  rig_until (!plg_plan_why_is_busy (why));
  slower = plg_plan_why_text (why);
  g_assert_nonnull (strstr (slower, "slower than the best plan"));
  g_assert_true (rig_press (GTK_WIDGET (finder), GDK_KEY_Escape, 0));
  g_assert_null (plg_plan_why_text (why));
}

/* A plan that is pointed at before Why is pressed is explained. Afterwards a selected plan is. */
static void
test_why_of_pointed (AppRig *rig, gconstpointer data)
{
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanWhy *why = plg_plan_finder_get_why (finder);
  GtkWidget *plot = rig_find (GTK_WIDGET (finder), PLG_TYPE_PLAN_SCATTER, NULL, NULL);
  GtkSelectionModel *model = gtk_column_view_get_model (table_of (finder));
  g_autofree char *pointed = NULL, *selected = NULL;

  wait_for_search (finder);
  g_signal_emit_by_name (plot, "pointed", 3);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rig_find (GTK_WIDGET (rig->window),
                                                             GTK_TYPE_TOGGLE_BUTTON, is_why_button,
                                                             NULL)),
                                TRUE);
  rig_until (!plg_plan_why_is_busy (why) && plg_plan_why_text (why) != NULL);
  pointed = plg_plan_why_text (why);
  gtk_selection_model_select_item (model, 0, TRUE);
  rig_until (!plg_plan_why_is_busy (why));
  selected = plg_plan_why_text (why);
  g_assert_nonnull (selected);
  g_assert_cmpstr (pointed, !=, selected);
}

/* The first press of Down selects the best plan, and of Up the last row. Enter takes the plan. */
static void
test_first_row (AppRig *rig, gconstpointer data)
{
  PlgPlanFinder *finder = open_finder (rig);
  GtkWidget *table = GTK_WIDGET (table_of (finder));
  GtkSelectionModel *model = gtk_column_view_get_model (GTK_COLUMN_VIEW (table));
  PlgPlanSearch *search = wait_for_search (finder);

  gtk_widget_grab_focus (table);
  g_assert_true (rig_press (table, GDK_KEY_Down, 0));
  g_assert_true (gtk_selection_model_is_selected (model, 0));
  g_assert_true (rig_press (GTK_WIDGET (finder), GDK_KEY_Escape, 0));
  g_assert_true (rig_press (table, GDK_KEY_Up, 0));
  g_assert_true (gtk_selection_model_is_selected (model,
                                                  g_list_model_get_n_items (G_LIST_MODEL (model)) -
                                                      1));
  g_assert_true (rig_press (GTK_WIDGET (finder), GDK_KEY_Escape, 0));
  g_assert_true (rig_press (table, GDK_KEY_Down, 0));
  g_assert_true (rig_press (table, GDK_KEY_Return, 0));
  g_assert_cmpfloat_with_epsilon (plg_document_committed_report (plg_window_document (rig->window))
                                      ->step.time,
                                  g_array_index (plg_plan_search_best (search), PlgFoundPlan, 0)
                                      .time,
                                  1e-9);
}

/* While a plan is previewed, an edit starts from it, and the selection of the page ends. */
static void
test_edit_of_previewed (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlanFinder *finder = open_finder (rig);
  g_autoptr (PlgPlan) edited = NULL;
  const PlgPlan *shown, *plan;

  wait_for_search (finder);
  gtk_selection_model_select_item (gtk_column_view_get_model (table_of (finder)), 0, TRUE);
  shown = plg_document_plan (document);
  edited = plg_document_plan_to_edit (document);
  g_assert_true (plg_plan_same_design (edited, shown));
  g_assert_false (plg_plan_same_design (edited, plg_document_committed_plan (document)));
  edited->training.global_batch *= 2;
  g_assert_true (plg_document_apply (document, edited, "Batch", NULL, NULL));
  plan = plg_document_plan (document);
  g_assert_false (plg_document_is_previewing (document));
  g_assert_true (plg_plan_same_design (plan, edited));
  g_assert_false (rig_press (GTK_WIDGET (finder), GDK_KEY_Escape, 0));
}

/* A previewed plan becomes a variant, and stays previewed. A design is not kept twice. */
static void
test_variant_of_previewed (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlanFinder *finder = open_finder (rig);
  g_autoptr (PlgPlan) shown = NULL;
  g_autoptr (PlgPlan) kept = NULL;
  g_autoptr (GError) error = NULL;
  const PlgVariants *variants;

  wait_for_search (finder);
  gtk_selection_model_select_item (gtk_column_view_get_model (table_of (finder)), 0, TRUE);
  shown = plg_document_plan_to_edit (document);
  g_assert_true (app_rig_act (rig, "win.add-variant"));
  variants = plg_document_committed_plan (document)->variants;
  g_assert_cmpint (plg_variants_count (variants), ==, 1);
  kept = plg_variant_apply (plg_variants_nth (variants, 0), shown);
  g_assert_true (plg_plan_same_design (kept, shown));
  rig_until (plg_document_is_previewing (document));
  g_assert_true (plg_plan_same_design (plg_document_plan (document), shown));
  g_assert_false (plg_document_add_variant (document, NULL, &error));
  g_assert_nonnull (strstr (error->message, "has this design already"));
}

/* The table shows the plans of the rectangle from the first on, also those that are neither among the
 * best nor on the front. */
static void
test_rectangle (AppRig *rig, gconstpointer data)
{
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanSearch *search = wait_for_search (finder);
  PlgPlanScatter *plot = PLG_PLAN_SCATTER (rig_find (GTK_WIDGET (finder), PLG_TYPE_PLAN_SCATTER,
                                                     NULL, NULL));
  GtkSelectionModel *model = gtk_column_view_get_model (table_of (finder));
  GtkAdjustment *scrolled;
  guint expected = 0;

  scrolled = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (
      gtk_widget_get_ancestor (GTK_WIDGET (table_of (finder)), GTK_TYPE_SCROLLED_WINDOW)));
  rig_next_frame (GTK_WIDGET (rig->window));
  gtk_adjustment_set_value (scrolled, gtk_adjustment_get_upper (scrolled) / 2);
  g_assert_cmpfloat (gtk_adjustment_get_value (scrolled), >, 0.0);
  /* The rectangle is drawn around the first plan of the front, and each press makes it larger. */
  g_signal_emit_by_name (plot, "picked", plg_plan_search_found (search)->len);
  rig_next_frame (GTK_WIDGET (rig->window));
  gtk_widget_grab_focus (GTK_WIDGET (plot));
  g_assert_true (rig_press (GTK_WIDGET (plot), GDK_KEY_Right, GDK_SHIFT_MASK));
  for (guint i = 0; i < plg_plan_search_found (search)->len; i++)
    expected += plg_plan_scatter_is_in_brush (plot, g_array_index (plg_plan_search_found (search),
                                                                   PlgFoundPlan, i)
                                                        .front);
  g_assert_cmpuint (expected, >, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), >=, MIN (expected, 1000));
  rig_until (gtk_adjustment_get_value (scrolled) == 0.0);
}

/* The keys of the plot pick the plans of the front, draw a rectangle and take a plan. */
static void
test_plot_keys (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlanFinder *finder = open_finder (rig);
  GtkWidget *plot = rig_find (GTK_WIDGET (finder), PLG_TYPE_PLAN_SCATTER, NULL, NULL);
  GListModel *rows = G_LIST_MODEL (gtk_column_view_get_model (table_of (finder)));
  const GArray *front = plg_plan_search_front (wait_for_search (finder));
  double before = plg_document_report (document)->step.time;
  guint n = g_list_model_get_n_items (rows);

  rig_next_frame (plot);
  gtk_widget_grab_focus (plot);
  g_assert_true (rig_press (plot, GDK_KEY_Home, 0));
  g_assert_cmpfloat_with_epsilon (plg_document_report (document)->step.time,
                                  g_array_index (front, PlgFoundPlan, 0).time, 1e-9);
  g_assert_true (rig_press (plot, GDK_KEY_Right, 0));
  g_assert_cmpfloat_with_epsilon (plg_document_report (document)->step.time,
                                  g_array_index (front, PlgFoundPlan, 1).time, 1e-9);
  g_assert_true (rig_press (plot, GDK_KEY_Down, GDK_SHIFT_MASK));
  g_assert_cmpuint (g_list_model_get_n_items (rows), <, n);
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, 0);
  g_assert_true (rig_press (plot, GDK_KEY_Return, 0));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpfloat (plg_document_report (document)->step.time, <, before);
}

static GtkEditable *
entry_with (PlgSearchForm *form, const char *name)
{
  return GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (form), PLG_TYPE_SEARCH_FORM,
                                                      name));
}

static const char *
message_of (PlgSearchForm *form, const char *name)
{
  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (form),
                                                                       PLG_TYPE_SEARCH_FORM,
                                                                       name)));
}

/* Texts in the form are checked as on the command line, and change the search only if they are
 * right. */
static void
test_options (AppRig *rig, gconstpointer data)
{
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanSearch *search = wait_for_search (finder);
  PlgSearchForm *form = PLG_SEARCH_FORM (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_SEARCH_FORM,
                                                   NULL, NULL));
  static const PlgSearchKey held[] = { PLG_SEARCH_ORDER, PLG_SEARCH_SCHEDULE, PLG_SEARCH_CHUNKS,
                                       PLG_SEARCH_CP, PLG_SEARCH_ZERO };
  guint generation;

  /* A small space is searched quickly. */
  for (gsize i = 0; i < G_N_ELEMENTS (held); i++)
    plg_plan_search_set_kept (search, held[i], TRUE);
  generation = plg_plan_search_generation (search);
  g_assert_nonnull (form);
  gtk_editable_set_text (entry_with (form, "vary"), "parallelism.tp=zz");
  rig_until (strstr (message_of (form, "vary_message"), "zz") != NULL);
  gtk_editable_set_text (entry_with (form, "require"), "memory<=x");
  rig_until (strstr (message_of (form, "require_message"), "not a number") != NULL);
  g_assert_cmpuint (plg_plan_search_generation (search), ==, generation);

  gtk_editable_set_text (entry_with (form, "vary"), "parallelism.tp=4 cluster.nodes=4,8");
  gtk_editable_set_text (entry_with (form, "require"), "memory<=70GiB, tp-in-node");
  rig_until (plg_plan_search_generation (search) >= generation + 2);
  wait_for_search (finder);
  g_assert_cmpuint (plg_plan_search_best (search)->len, >, 0);
  for (guint i = 0; i < plg_plan_search_best (search)->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (plg_plan_search_best (search), PlgFoundPlan, i);

      g_assert_cmpint (found->point.tp, ==, 4);
      g_assert_cmpfloat (found->memory, <=, 70.0 * PLG_GIB);
    }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (gtk_widget_get_template_child (GTK_WIDGET (form),
                                                                            PLG_TYPE_SEARCH_FORM,
                                                                            "by")),
                              1);
  wait_for_search (finder);
  g_assert_cmpstr (plg_plan_search_get_by (search)->name, ==, "memory");
  g_assert_cmpfloat (g_array_index (plg_plan_search_best (search), PlgFoundPlan, 0).memory, <=,
                     g_array_index (plg_plan_search_best (search), PlgFoundPlan, 1).memory);
}

/* The messages of the form name settings by their titles and no options of the command line. */
static void
test_words_of_options (AppRig *rig, gconstpointer data)
{
  static const struct
  {
    const char *entry, *typed, *message;
  } rows[] = {
    { "require", "foo<3", "There is no metric “foo”. Similar: " },
    { "require", "qqqqqqqq", "There is no metric “qqqqqqqq”; use, for example, memory" },
    { "require", "memory=3", "There is no metric “memory=3”" },
    { "require", "tp-in-node, memory<1foo", "“foo” is not a unit of memory" },
    { "vary", "parallelism.tp=4", "“Tensor (TP)” is held" },
    { "vary", "parallelism.pp=4,4", "“Pipeline (PP)” has the value 4 twice" },
    { "vary", "parallelism.pp=", "“Pipeline (PP)” has no values here; write parallelism.pp alone" },
    { "vary", "parallelism.pp=2 parallelism.pp=4", "“Pipeline (PP)” appears twice" },
    { "vary", "parallelism.pp=zz", "“Pipeline (PP)”" },
    { "vary", "paralelism.pp=2", "parallelism.pp" },
  };
  PlgPlanFinder *finder = open_finder (rig);
  PlgPlanSearch *search = plg_plan_finder_get_search (finder);
  PlgSearchForm *form = PLG_SEARCH_FORM (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_SEARCH_FORM,
                                                   NULL, NULL));

  plg_plan_search_set_kept (search, PLG_SEARCH_TP, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *label = g_strconcat (rows[i].entry, "_message", NULL);

      g_test_message ("%s", rows[i].typed);
      gtk_editable_set_text (entry_with (form, rows[i].entry), rows[i].typed);
      rig_until (strstr (message_of (form, label), rows[i].message) != NULL);
      g_assert_null (strstr (message_of (form, label), "--"));
      g_assert_null (strstr (message_of (form, label), "parallelogram-cli"));
      gtk_editable_set_text (entry_with (form, rows[i].entry), "");
      rig_until (strstr (message_of (form, label), "separated by") != NULL);
      g_assert_null (strstr (message_of (form, label), "--"));
    }
}

/* Tab visits each option once, and letters lead to the choices and entries. */
static void
test_keys_of_options (AppRig *rig, gconstpointer data)
{
  static const char *const mnemonics = "bvr";
  PlgPlanFinder *finder = open_finder (rig);
  GtkWidget *form = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_SEARCH_FORM, NULL, NULL);
  GtkWidget *button = gtk_widget_get_ancestor (form, GTK_TYPE_MENU_BUTTON);
  GtkRoot *root = GTK_ROOT (rig->window);
  GtkWidget *before = NULL;
  int stops = 0, letters = 0;

  g_assert_nonnull (finder);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  rig_until (gtk_widget_get_mapped (form));
  gtk_widget_grab_focus (GTK_WIDGET (gtk_widget_get_template_child (form, PLG_TYPE_SEARCH_FORM,
                                                                    "by")));
  do
    {
      g_assert_true (gtk_root_get_focus (root) != before);
      before = gtk_root_get_focus (root);
      stops++;
    }
  while (gtk_widget_child_focus (form, GTK_DIR_TAB_FORWARD));
  g_assert_cmpint (stops, ==, 3 + PLG_N_SEARCH_KEYS);

  for (GtkWidget *child = gtk_widget_get_first_child (form); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child) && gtk_label_get_mnemonic_widget (GTK_LABEL (child)) != NULL)
      g_assert_cmpint (gdk_keyval_to_lower (gtk_label_get_mnemonic_keyval (GTK_LABEL (child))), ==,
                       mnemonics[letters++]);
  g_assert_cmpint (letters, ==, 3);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/plan-finder/preview-and-take", test_preview_and_take },
    { "/plan-finder/follows-the-plan", test_follows_the_plan },
    { "/plan-finder/hold-and-filter", test_hold_and_filter },
    { "/plan-finder/why", test_why },
    { "/plan-finder/first-row", test_first_row },
    { "/plan-finder/edit-of-previewed", test_edit_of_previewed },
    { "/plan-finder/variant-of-previewed", test_variant_of_previewed },
    { "/plan-finder/rectangle", test_rectangle },
    { "/plan-finder/why-of-pointed", test_why_of_pointed },
    { "/plan-finder/plot-keys", test_plot_keys },
    { "/plan-finder/options", test_options },
    { "/plan-finder/words-of-options", test_words_of_options },
    { "/plan-finder/keys-of-options", test_keys_of_options },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
