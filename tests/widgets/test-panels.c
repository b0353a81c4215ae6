/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "engine/report/redaction.h"
#include "io/reports/similar-runs-text.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"
#include "widgets/panels/card.h"
#include "widgets/panels/panels.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/tables/table-window.h"

static gboolean
has_text (GtkWidget *widget, gpointer text)
{
  return strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
}

/* The panel shows the numbers of the report, before and after a change. */
static void
test_numbers (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  for (int tp = 8; tp >= 4; tp -= 4)
    {
      const PlgReport *report;
      g_autofree char *value = g_strdup_printf ("%d", tp);
      g_autofree char *mfu = NULL;
      g_autofree char *memory = NULL;

      g_assert_true (plg_document_set (document, "parallelism.tp", value, NULL));
      report = plg_document_report (document);
      rig_until (plg_document_known_similar_runs (document) != NULL);
      mfu = plg_similar_runs_share (plg_document_known_similar_runs (document), report->step.mfu);
      rig_until (rig_find (panels, GTK_TYPE_LABEL, has_text, mfu) != NULL);
      memory = plg_format_memory (report->memory_peak);
      g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, mfu));
      g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, memory));
    }
  rig_close (window);
}

/* The table of collectives names the stage of its numbers, and the numbers match that stage. */
static void
test_stage_of_calls (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  const PlgReport *report = plg_document_report (document);
  GtkWindow *window;
  g_autofree char *whose = g_strdup_printf ("of the step is spent waiting for links\nPer step, "
                                            "for each GPU of stage %d:",
                                            report->step.busiest_stage);

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, whose));
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) "TP all-gather"));
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) "Stage"));
  for (guint i = 0; i < report->collectives->len; i++)
    {
      int stage = g_array_index (report->collectives, PlgCollective, i).stage;
      g_autofree char *calls = plg_format_count (plg_report_stage_calls (report, i, stage)->calls);

      g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, calls));
    }
  g_assert_true (plg_document_set (document, "parallelism.pp", "1", NULL));
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text,
                              (gpointer) "of the step is spent waiting for links\nPer step, for "
                                         "each GPU:"));
  rig_close (window);
}

/* The panel of the training run shows what the report says, and why a run makes no progress. */
static void
test_run (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  const PlgReport *report;
  GtkWindow *window;
  g_autofree char *cost = NULL;
  g_autofree char *goodput = NULL;
  g_autofree char *problem = NULL;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 2000);
  report = plg_document_report (document);
  cost = plg_format_money (report->run.cost);
  goodput = plg_format_share (report->run.share[PLG_RUN_PROGRESS]);
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, cost));
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, goodput));
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) "no progress"));

  g_assert_true (plg_document_set (document, "reliability.mtbf", "0.001", NULL));
  problem = plg_training_run_problem (plg_document_plan (document),
                                      &plg_document_report (document)->run);
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) "no progress"));
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, problem));
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, has_text, cost));
  rig_close (window);
}

static gboolean
is_try_it (GtkWidget *widget, gpointer data)
{
  return g_object_get_data (G_OBJECT (widget), "edits") != NULL;
}

/* One click applies an advice, and undo reverts the change. */
static void
test_advice (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;
  GtkWidget *button;

  /* With this batch the bubble is clearly too large. */
  g_assert_true (plg_document_set (document, "training.global-batch", "8", NULL));
  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  button = rig_find (panels, GTK_TYPE_BUTTON, is_try_it, NULL);
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (plg_plan_check (plg_document_plan (document), NULL));
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->training.global_batch, ==, 8);
  rig_close (window);
}

static gboolean
is_better_plan (GtkWidget *widget, gpointer data)
{
  return strstr (gtk_label_get_text (GTK_LABEL (widget)), "A search found a plan") != NULL;
}

/* Some time after the last edit, a search adds a better plan to the advice. A lesson removes the
 * result of the search. */
static void
test_searched_advice (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, is_better_plan, NULL));
  rig_until (rig_find (panels, GTK_TYPE_LABEL, is_better_plan, NULL) != NULL);
  plg_document_set_policy (document, &(PlgEditPolicy) { .awaits_answer = TRUE });
  rig_until (rig_find (panels, GTK_TYPE_LABEL, is_better_plan, NULL) == NULL);
  rig_close (window);
}

static gboolean
is_cut (GtkWidget *widget, gpointer data)
{
  return gtk_widget_get_mapped (widget) &&
         pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
}

/* The column is wide enough for each word, and no value makes the column wider. */
static void
test_width (void)
{
  static const char *const sizes[][2] = {
    { "training.global-batch", "64" },      { "training.global-batch", "1000000" },
    { "cluster.inter-bandwidth", "0.001" }, { "cluster.memory-bandwidth", "0.001" },
    { "cluster.memory", "0.001" },          { "cluster.peak", "0.001" },
    { "cluster.peak", "1000000" },          { "training.tokens", "1000000000000000000" },
    { "cost.gpu-hour", "1000000" },         { "reliability.mtbf", "0.001" },
  };
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;
  GtkWidget *cut;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 330, 2000);
  cut = rig_find (panels, GTK_TYPE_LABEL, is_cut, NULL);
  g_assert_cmpstr (cut != NULL ? gtk_label_get_text (GTK_LABEL (cut)) : NULL, ==, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      int least;

      plg_document_set (document, sizes[i][0], sizes[i][1], &error);
      g_assert_no_error (error);
      gtk_widget_measure (panels, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <=, 330);
    }
  rig_close (window);
}

/* One GPU sends exactly zero bytes. */
static void
test_one_gpu (void)
{
  static const char *const alone[] = { "model.name=llama3-8b",    "parallelism.tp=1",
                                       "parallelism.pp=1",        "cluster.nodes=1",
                                       "cluster.gpus-per-node=1", NULL };
  g_autoptr (PlgDocument) document = rig_document ();
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GError) error = NULL;
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  plg_settings_apply (plan, plg_document_catalogue (document), alone, &error);
  g_assert_no_error (error);
  g_assert_true (plg_document_apply (document, plan, "One GPU", NULL, NULL));
  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) "0\u00a0%"));
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text,
                              (gpointer) "A single GPU: nothing to send"));
  rig_close (window);
}

static gboolean
is_panel (GtkWidget *widget, gpointer name)
{
  g_autofree char *panel = NULL;

  g_object_get (widget, "panel", &panel, NULL);
  return g_strcmp0 (panel, name) == 0;
}

static gboolean
calls_itself (GtkWidget *widget, gpointer label)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static GtkWindow *
newest_window (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GtkWindow) window = g_list_model_get_item (windows, 0);

  for (guint i = 1; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) other = g_list_model_get_item (windows, i);

      if (PLG_IS_TABLE_WINDOW (other))
        g_set_object (&window, other);
    }
  g_assert_true (PLG_IS_TABLE_WINDOW (window));
  return window; /* owned by GTK */
}

/* Returns the busy time of the links of the last stage in the first replica: the largest time of
 * the GPU's own link or one of its NICs. */
static char *
busy_with_pipeline (PlgDocument *document)
{
  const PlgReport *report = plg_document_report (document);
  const PlgPlan *plan = plg_document_plan (document);
  int tp = plan->parallelism.degree[PLG_AXIS_TP], first = 3 * tp;
  double most = 0;

  for (guint i = 0; i < report->link_shares->len; i++)
    {
      const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare, i);
      const PlgLink *link = &g_array_index (report->links, PlgLink, 0);

      while (i >= (guint) (link->first_share + link->n_shares))
        link++;
      if (link->node == first / 8 && link->local >= first % 8 && link->local < first % 8 + tp &&
          g_array_index (report->collectives, PlgCollective, share->collective).axis == PLG_AXIS_PP)
        most = MAX (most, share->time);
    }
  g_assert_cmpfloat (most, >, 0);
  return plg_format_time (most);
}

/* The window of exact values has every value of the report, not cut off, and copies them as
 * text. */
static void
test_exact_values (void)
{
  static const char *const cards[] = { "memory", "communication" };
  static const char *const words[] = { "Activations", "reduce-scatter" };
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  g_assert_true (plg_document_set (document, "parallelism.first-layers", "17", NULL));
  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    {
      GtkWidget *card = rig_find (panels, PLG_TYPE_CARD, is_panel, (gpointer) cards[i]);
      GtkWidget *button = rig_find (card, GTK_TYPE_BUTTON, calls_itself,
                                    (gpointer) "Exact Values…");
      g_autofree char *text = NULL;
      g_autofree char *pipeline = busy_with_pipeline (document);
      g_auto (GStrv) lines = NULL;
      GtkWindow *values;
      GtkWidget *cut;

      g_signal_emit_by_name (button, "clicked");
      values = newest_window ();
      rig_until (gtk_widget_get_mapped (GTK_WIDGET (values)));
      rig_next_frame (GTK_WIDGET (values));
      cut = rig_find (GTK_WIDGET (values), GTK_TYPE_LABEL, is_cut, NULL);
      g_assert_null (cut);
      text = plg_table_to_text (plg_table_window_get_table (PLG_TABLE_WINDOW (values)));
      g_assert_nonnull (strstr (text, words[i]));
      if (i == 1)
        g_assert_nonnull (strstr (text, pipeline));
      lines = g_strsplit (text, "\n", -1);
      g_assert_cmpint (g_strv_length (lines) - 2, ==,
                       i == 0 ? plg_document_report (document)->stages->len
                              : plg_document_report (document)->collectives->len);
      if (i == 0)
        g_assert_true (g_str_has_prefix (lines[1], "0\t17\t"));
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (values), "table.copy", NULL));
      gtk_window_destroy (values);
      g_assert_true (plg_document_set (document, "parallelism.tp", i == 0 ? "4" : "8", NULL));
    }
  rig_close (window);
}

/* Hidden values and formulas are described by these words. */
static void
test_hidden_values (void)
{
  static const char *const cards[] = { "memory", "communication" };
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  for (guint redaction = 1; redaction <= PLG_REDACT_ALL;
       redaction = redaction < PLG_REDACT_FAULTS ? 2 * redaction
                                                 : redaction + PLG_REDACT_FAULTS - 1)
    for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
      {
        GtkWidget *card = rig_find (panels, PLG_TYPE_CARD, is_panel, (gpointer) cards[i]);
        GtkExpander *formulas = GTK_EXPANDER (rig_find (card, GTK_TYPE_EXPANDER, NULL, NULL));
        g_autofree char *text = NULL;
        GtkWindow *values;

        plg_document_set_policy (document, &(PlgEditPolicy) { .redaction = redaction });
        gtk_expander_set_expanded (formulas, TRUE);
        g_assert_nonnull (rig_find (gtk_expander_get_child (formulas), GTK_TYPE_LABEL, has_text,
                                    (gpointer) "Shown after you answer"));
        g_signal_emit_by_name (rig_find (card, GTK_TYPE_BUTTON, calls_itself,
                                         (gpointer) "Exact Values…"),
                               "clicked");
        values = newest_window ();
        text = plg_table_to_text (plg_table_window_get_table (PLG_TABLE_WINDOW (values)));
        g_assert_null (strstr (text, "nan"));
        if (redaction == PLG_REDACT_MEMORY && i == 0)
          g_assert_nonnull (strstr (text, "0\t20\t–\t–\t–\t–\t–\t–\t–\n"));
        gtk_window_destroy (values);
        plg_document_set_policy (document, NULL);
        g_assert_null (rig_find (gtk_expander_get_child (formulas), GTK_TYPE_LABEL, has_text,
                                 (gpointer) "Shown after you answer"));
      }
  rig_close (window);
}

static gboolean
has_call (GtkWidget *widget, gpointer words)
{
  g_autofree char *said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                                              GTK_ACCESSIBLE_PROPERTY_LABEL, "");

  return said != NULL && strstr (said, words) != NULL;
}

/* One call is singular, also in the accessible name. */
static void
test_one_call (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  g_assert_true (plg_document_set (document, "parallelism.overlap-dp", "false", NULL));
  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  g_assert_nonnull (rig_find (panels, GTK_TYPE_WIDGET, has_call, (gpointer) ": 1 call, "));
  g_assert_null (rig_find (panels, GTK_TYPE_WIDGET, has_call, (gpointer) ": 1 calls, "));
  rig_close (window);
}

/* Tab skips collapsed formulas and enters expanded formulas. */
static void
test_collapsed_formulas (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWidget *card, *expander, *formulas;
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  card = rig_find (panels, PLG_TYPE_CARD, is_panel, (gpointer) "memory");
  expander = rig_find (card, GTK_TYPE_EXPANDER, NULL, NULL);
  formulas = gtk_expander_get_child (GTK_EXPANDER (expander));
  for (int unfolded = 0; unfolded < 3; unfolded++)
    {
      gtk_expander_set_expanded (GTK_EXPANDER (expander), unfolded == 1);
      rig_next_frame (panels);
      for (GtkDirectionType way = GTK_DIR_TAB_FORWARD; way <= GTK_DIR_RIGHT; way++)
        {
          g_assert_true (gtk_widget_grab_focus (expander));
          gtk_widget_child_focus (expander, way);
        }
      g_assert_true (gtk_widget_grab_focus (expander));
      gtk_widget_child_focus (expander, GTK_DIR_TAB_FORWARD);
      g_assert_true ((gtk_widget_get_focus_child (formulas) != NULL) == (unfolded == 1));
    }
  rig_close (window);
}

/* Focused formulas keep the focus when they are updated. */
static void
test_focused_formulas (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWidget *card, *expander, *line;
  GtkWindow *window;
  g_autofree char *before = NULL;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  card = rig_find (panels, PLG_TYPE_CARD, is_panel, (gpointer) "memory");
  expander = rig_find (card, GTK_TYPE_EXPANDER, NULL, NULL);
  gtk_expander_set_expanded (GTK_EXPANDER (expander), TRUE);
  line = gtk_widget_get_first_child (gtk_expander_get_child (GTK_EXPANDER (expander)));
  before = g_strdup (gtk_label_get_text (GTK_LABEL (line)));
  rig_next_frame (panels);
  g_assert_true (gtk_widget_grab_focus (line));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  rig_until (strcmp (gtk_label_get_text (GTK_LABEL (line)), before) != 0);
  rig_next_frame (panels);
  g_assert_true (gtk_window_get_focus (window) == line);
  rig_close (window);
}

static gboolean
has_title (GtkWidget *widget, gpointer title)
{
  return strcmp (gtk_expander_get_label (GTK_EXPANDER (widget)), title) == 0;
}

/* The card of the MFU lists the published runs like the plan with their sources, and hides them
 * while a lesson hides the step time. */
static void
test_similar_runs (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  const PlgSimilarRuns *similar;
  GtkWidget *expander;
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  rig_until (plg_document_known_similar_runs (document) != NULL);
  expander = rig_find (panels, GTK_TYPE_EXPANDER, has_title,
                       (gpointer) "Published runs like this plan");
  rig_until (gtk_widget_get_visible (expander));
  gtk_expander_set_expanded (GTK_EXPANDER (expander), TRUE);
  similar = plg_document_known_similar_runs (document);
  for (int i = 0; i < similar->n; i++)
    {
      g_auto (PlgSimilarRunText) text = plg_similar_run_text (&similar->runs[i]);
      g_autofree char *source = g_strdup_printf ("Source: %s; %s", text.source, text.locator);

      g_assert_nonnull (rig_find (expander, GTK_TYPE_LABEL, has_text, text.title));
      g_assert_nonnull (rig_find (expander, GTK_TYPE_LABEL, has_text, source));
    }
  plg_document_set_policy (document, &(PlgEditPolicy) { .redaction = PLG_REDACT_TIME });
  rig_until (!gtk_widget_get_visible (expander));
  plg_document_set_policy (document, NULL);
  rig_until (gtk_widget_get_visible (expander));
  rig_close (window);
}

/* An open prediction hides advice, and the panel says so. */
static void
test_advice_hidden_by_question (void)
{
  static const char waits[] = "Shown after you answer", none[] = "Nothing stands out";
  static const char quiet[] = "None in this step of the lesson";
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  g_assert_true (plg_document_set (document, "training.micro-batch", "4", NULL));
  plg_document_set_policy (document, &(PlgEditPolicy) { .redaction = PLG_REDACT_MEMORY });
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) waits));
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) none));
  plg_document_set_policy (document, NULL);
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) waits));
  g_assert_null (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) none));
  plg_document_set_policy (document, &(PlgEditPolicy) { .hides_findings = TRUE });
  g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, (gpointer) quiet));
  g_assert_cmpint (plg_document_report (document)->findings->len, ==, 0);
  rig_close (window);
}

static gboolean
is_memory_picture (GtkWidget *widget, gpointer data)
{
  g_autofree char *picture = NULL;

  g_object_get (widget, "picture", &picture, NULL);
  return strcmp (picture, "memory") == 0;
}

static void
preview_stages (PlgDocument *document, int pp, int dp)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (document));

  plan->parallelism.degree[PLG_AXIS_PP] = pp;
  plan->parallelism.degree[PLG_AXIS_DP] = dp;
  g_assert_true (plg_document_preview (document, plan));
}

/* During a drag from 8 stages to 2 and on to 4, a picture keeps its height until the end of the
 * drag. */
static void
test_height_during_drag (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL), *picture;
  GtkWindow *window;
  int before, most;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  picture = rig_find (panels, PLG_TYPE_PICTURE_VIEW, is_memory_picture, NULL);
  before = gtk_widget_get_height (picture);
  preview_stages (document, 8, 1);
  rig_until (gtk_widget_get_height (picture) > before);
  most = gtk_widget_get_height (picture);
  for (int pp = 2; pp <= 4; pp += 2)
    {
      preview_stages (document, pp, 8 / pp);
      for (int i = 0; i < 5; i++)
        rig_next_frame (picture);
      g_assert_cmpint (gtk_widget_get_height (picture), ==, most);
    }
  plg_document_preview (document, NULL);
  rig_until (gtk_widget_get_height (picture) == before);
  rig_close (window);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
  g_test_add_func ("/panels/numbers", test_numbers);
  g_test_add_func ("/panels/stage-of-calls", test_stage_of_calls);
  g_test_add_func ("/panels/run", test_run);
  g_test_add_func ("/panels/advice", test_advice);
  g_test_add_func ("/panels/searched-advice", test_searched_advice);
  g_test_add_func ("/panels/advice-hidden-by-question", test_advice_hidden_by_question);
  g_test_add_func ("/panels/width", test_width);
  g_test_add_func ("/panels/one-gpu", test_one_gpu);
  g_test_add_func ("/panels/collapsed-formulas", test_collapsed_formulas);
  g_test_add_func ("/panels/focused-formulas", test_focused_formulas);
  g_test_add_func ("/panels/similar-runs", test_similar_runs);
  g_test_add_func ("/panels/exact-values", test_exact_values);
  g_test_add_func ("/panels/hidden-values", test_hidden_values);
  g_test_add_func ("/panels/one-call", test_one_call);
  g_test_add_func ("/panels/height-during-drag", test_height_during_drag);
  return g_test_run ();
}
