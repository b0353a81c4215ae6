/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/plan-finder.h"

#include "plan/quantity.h"
#include "plan/settings/setting.h"
#include "widgets/accessible-names.h"
#include "widgets/announcer.h"
#include "widgets/clipboard.h"
#include "widgets/search/plan-row.h"
#include "widgets/search/plan-scatter.h"
#include "widgets/search/search-form.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _PlgPlanFinder
{
  GtkWidget parent_instance;

  PlgDocument *document;
  PlgPlanSearch *search;
  guint generation; /* the search whose plans are shown */

  GtkWidget *bar; /* the controls; unparented from this widget by plg_plan_finder_move_bar() */
  GtkDropDown *metric_x;
  GtkDropDown *metric_y;
  GtkDropDown *classes;
  PlgSearchForm *form;
  GtkSearchEntry *filter;
  GtkLabel *progress;
  GtkToggleButton *why_button;
  GtkWidget *take;
  PlgPlanScatter *scatter;
  GtkStack *side;
  GtkColumnView *view;
  GtkColumnViewColumn *columns[PLG_N_PLAN_COLUMNS]; /* borrowed from VIEW */
  PlgPlanWhy *why;

  GListStore *rows;          /* PlgPlanRow */
  GHashTable *row_of_point;  /* from PlgSearchPoint to PlgPlanRow, for the rows in ROWS */
  const PlgReport *compared; /* the report with which the rows compare their plans; not owned */
  guint n_in_brush;          /* number of evaluated plans in the rectangle of the plot */
  GtkFilter *row_filter;
  GtkSingleSelection *selection;
  gboolean is_updating;  /* whether the rows change, so that selections mean nothing */
  gboolean has_selected; /* whether SELECTED is valid */
  PlgSearchPoint selected;
  gboolean has_pointed; /* whether POINTED is valid: the pointer is at a dot */
  PlgSearchPoint pointed;
  gboolean is_previewing; /* whether this page has set the preview of the document */
  guint preview_idle_id;  /* previews the selected plan again */
  gboolean was_running;
};

G_DEFINE_FINAL_TYPE (PlgPlanFinder, plg_plan_finder, GTK_TYPE_WIDGET)

enum
{
  REFUSED,
  ANNOUNCED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* The table has at most this number of evaluated plans besides the best plans and the front. */
#define MAX_EVALUATED_ROWS 1000

/* The settings that can colour the dots. */
static const PlgSearchKey class_keys[] = {
  PLG_SEARCH_TP,          PLG_SEARCH_PP,        PLG_SEARCH_CP,       PLG_SEARCH_EP,
  PLG_SEARCH_DP,          PLG_SEARCH_ZERO,      PLG_SEARCH_SCHEDULE, PLG_SEARCH_RECOMPUTE,
  PLG_SEARCH_MICRO_BATCH, PLG_SEARCH_REPLICATE,
};

/* Preview -------------------------------------------------------------------------------------- */

static void
preview (PlgPlanFinder *self, const PlgSearchPoint *point)
{
  g_autoptr (PlgPlan) plan = NULL;

  if (point == NULL && !self->is_previewing)
    return;
  self->is_previewing = point != NULL;
  plan = point != NULL ? plg_plan_search_plan (self->search, point) : NULL;
  plg_document_preview (self->document, plan);
}

static void
preview_selected (PlgPlanFinder *self)
{
  preview (self, self->has_selected ? &self->selected : NULL);
}

static gboolean
shows_why (PlgPlanFinder *self)
{
  return gtk_toggle_button_get_active (self->why_button);
}

/* While the page shows changes, explains the plan that is pointed at, or else the selected plan. */
static void
explain (PlgPlanFinder *self)
{
  const GArray *best = plg_plan_search_best (self->search);
  gboolean is_selected = !self->has_pointed && self->has_selected;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (PlgPlan) best_plan = NULL;

  if (!shows_why (self))
    return;
  if (plg_plan_search_space (self->search) == NULL)
    {
      plg_plan_why_show (self->why, NULL, NULL, NULL, FALSE, NULL);
      return;
    }
  if (self->has_pointed || is_selected)
    plan = plg_plan_search_plan (self->search, is_selected ? &self->selected : &self->pointed);
  if (best->len > 0)
    best_plan = plg_plan_search_plan (self->search, &g_array_index (best, PlgFoundPlan, 0).point);
  /* The open plan can be a found plan that was taken, from which no new search has started. */
  plg_plan_why_show (self->why, plg_document_committed_plan (self->document), best_plan, plan,
                     is_selected, plg_document_catalogue (self->document));
}

static const PlgFoundPlan *
found_of_dot (PlgPlanFinder *self, int dot)
{
  const GArray *found = plg_plan_search_found (self->search);
  const GArray *front = plg_plan_search_front (self->search);
  const GArray *best = plg_plan_search_best (self->search);

  if (dot < 0)
    return NULL;
  if (dot < (int) found->len)
    return &g_array_index (found, PlgFoundPlan, dot);
  dot -= (int) found->len;
  if (dot < (int) front->len)
    return &g_array_index (front, PlgFoundPlan, dot);
  dot -= (int) front->len;
  return dot < (int) best->len ? &g_array_index (best, PlgFoundPlan, dot) : NULL;
}

/* Dots ----------------------------------------------------------------------------------------- */

static PlgSearchKey
chosen_class (PlgPlanFinder *self)
{
  return class_keys[gtk_drop_down_get_selected (self->classes)];
}

/* Fills the scatter plot with the plans found so far. */
static void
update_dots (PlgPlanFinder *self)
{
  PlgSearchPictureSource source;
  g_autoptr (PlgSearchPicture) picture = NULL;

  if (!plg_plan_search_source (self->search, chosen_class (self), &source))
    {
      plg_plan_scatter_set_picture (self->scatter, NULL);
      return;
    }
  picture = plg_search_picture_new (&source);
  for (guint i = 0; i < picture->dots->len; i++)
    {
      PlgSearchDot *dot = &g_array_index (picture->dots, PlgSearchDot, i);

      dot->is_dimmed = !plg_plan_scatter_is_in_brush (self->scatter, dot->value);
      if (self->has_selected && memcmp (&found_of_dot (self, (int) i)->point, &self->selected,
                                        sizeof self->selected) == 0)
        picture->selected = (int) i;
    }
  plg_plan_scatter_set_picture (self->scatter, picture);
}

/* Rows ----------------------------------------------------------------------------------------- */

static guint
hash_point (gconstpointer point)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (point, sizeof (PlgSearchPoint));

  return g_bytes_hash (bytes);
}

static gboolean
points_are_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (PlgSearchPoint)) == 0;
}

/* Adds the row of FOUND to ROWS, unless ROW_OF_POINT has it. Takes a row that the table has already,
 * or else makes one. */
static void
add_row (PlgPlanFinder *self, GPtrArray *rows, GHashTable *row_of_point, const PlgFoundPlan *found)
{
  PlgPlanRow *row = g_hash_table_lookup (self->row_of_point, &found->point);

  if (g_hash_table_contains (row_of_point, &found->point))
    return;
  if (row != NULL)
    g_object_ref (row);
  else
    {
      g_autoptr (PlgPlan) plan = plg_plan_search_plan (self->search, &found->point);

      row = plg_plan_row_new (found, plan, self->compared->step.time,
                              plg_plan_search_get_by (self->search),
                              plg_plan_search_space (self->search)->other_keys);
    }
  g_ptr_array_add (rows, row);
  g_hash_table_insert (row_of_point, (gpointer) &plg_plan_row_found (row)->point, row);
}

/* Returns the fastest evaluated plans in the rectangle of the plot, at most MAX_EVALUATED_ROWS. Free
 * with g_array_unref(). */
static GArray *
fastest_in_brush (PlgPlanFinder *self)
{
  const GArray *found = plg_plan_search_found (self->search);
  GArray *fastest = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));

  self->n_in_brush = 0;
  for (guint i = 0; i < found->len; i++)
    {
      const PlgFoundPlan *plan = &g_array_index (found, PlgFoundPlan, i);
      guint low = 0, high = fastest->len;

      if (!plg_plan_scatter_is_in_brush (self->scatter, plan->front))
        continue;
      self->n_in_brush++;
      while (low < high)
        {
          guint middle = (low + high) / 2;

          if (g_array_index (fastest, PlgFoundPlan, middle).time <= plan->time)
            low = middle + 1;
          else
            high = middle;
        }
      if (low == MAX_EVALUATED_ROWS)
        continue;
      g_array_insert_val (fastest, low, *plan);
      if (fastest->len > MAX_EVALUATED_ROWS)
        g_array_set_size (fastest, MAX_EVALUATED_ROWS);
    }
  return fastest;
}

static void
add_rows (PlgPlanFinder *self, GPtrArray *rows, GHashTable *row_of_point, const GArray *plans)
{
  for (guint i = 0; i < plans->len; i++)
    add_row (self, rows, row_of_point, &g_array_index (plans, PlgFoundPlan, i));
}

/* Selects the row of the selected plan, if the table has one. */
static void
select_row (PlgPlanFinder *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint position = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < g_list_model_get_n_items (model) && self->has_selected; i++)
    {
      g_autoptr (PlgPlanRow) row = g_list_model_get_item (model, i);

      if (memcmp (&plg_plan_row_found (row)->point, &self->selected, sizeof self->selected) == 0)
        position = i;
    }
  self->is_updating = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->is_updating = FALSE;
}

/* Shows the columns that tell the plans apart. */
static void
update_columns (PlgPlanFinder *self, const GPtrArray *rows)
{
  const PlgSearchSpace *space = plg_plan_search_space (self->search);
  const PlgMetric *by = plg_plan_search_get_by (self->search);
  g_autofree char *title = plg_metric_title (by);
  gboolean is_moe = plg_transformer_is_moe (&plg_document_committed_plan (self->document)->model);
  gboolean has_replicas = FALSE;

  for (guint i = 0; i < rows->len && !has_replicas; i++)
    has_replicas = !g_str_equal (plg_plan_row_text (g_ptr_array_index (rows, i),
                                                    PLG_PLAN_COLUMN_REPLICATE),
                                 "1");
  gtk_column_view_column_set_title (self->columns[PLG_PLAN_COLUMN_BY], title);
  gtk_column_view_column_set_visible (self->columns[PLG_PLAN_COLUMN_BY],
                                      by != plg_metric_find ("step-time") &&
                                          by != plg_metric_find ("memory"));
  gtk_column_view_column_set_visible (self->columns[PLG_PLAN_COLUMN_EP], is_moe);
  gtk_column_view_column_set_visible (self->columns[PLG_PLAN_COLUMN_ETP], is_moe);
  gtk_column_view_column_set_visible (self->columns[PLG_PLAN_COLUMN_REPLICATE], has_replicas);
  gtk_column_view_column_set_visible (self->columns[PLG_PLAN_COLUMN_OTHER],
                                      space != NULL && space->other_keys->len > 0);
}

/* Fills the table with the best plans, the front and the fastest evaluated plans. */
static void
update_rows (PlgPlanFinder *self)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) row_of_point = g_hash_table_new (hash_point, points_are_equal);
  g_autoptr (GArray) fastest = fastest_in_brush (self);
  const PlgReport *compared = plg_plan_search_start_report (self->search);

  if (compared != self->compared)
    g_hash_table_remove_all (self->row_of_point);
  self->compared = compared;
  add_rows (self, rows, row_of_point, plg_plan_search_best (self->search));
  add_rows (self, rows, row_of_point, plg_plan_search_front (self->search));
  add_rows (self, rows, row_of_point, fastest);
  update_columns (self, rows);
  g_hash_table_unref (self->row_of_point);
  self->row_of_point = g_steal_pointer (&row_of_point);
  self->is_updating = TRUE;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, rows->len);
  self->is_updating = FALSE;
  select_row (self);
}

/* Returns how many of the tried plans have met which fate. */
static char *
describe_progress (const PlgSearchProgress *progress)
{
  g_autofree char *plans = plg_format_count (progress->plans);
  g_autofree char *illegal = plg_format_count (progress->illegal);
  g_autofree char *too_large = plg_format_count (progress->too_large);
  g_autofree char *bounded = plg_format_count (progress->bounded);
  g_autofree char *judged = plg_format_count (progress->judged);

  return g_strdup_printf (_ ("%s plans tried: %s with degrees that do not match, %s too large for "
                             "the memory, %s that cannot be better by their lower bound, %s "
                             "evaluated"),
                          plans, illegal, too_large, bounded, judged);
}

/* Returns a sentence that says why the complete search has found no plan. */
static const char *
why_none_found (PlgPlanFinder *self)
{
  gboolean holds = plg_plan_search_holds_any (self->search);

  if (plg_plan_search_progress (self->search).rejected > 0)
    return holds ? _ ("No plan fits in memory and meets the requirements. Relax a requirement, use "
                      "more nodes, or hold fewer settings fixed.")
                 : _ ("No plan fits in memory and meets the requirements. Relax a requirement, or "
                      "use more nodes.");
  return holds ? _ ("No plan fits in memory. Use more nodes, or hold fewer settings fixed.")
               : _ ("No plan fits in memory. Use more nodes.");
}

static void
update_progress (PlgPlanFinder *self)
{
  PlgSearchProgress progress = plg_plan_search_progress (self->search);
  const char *why_not = plg_plan_search_why_not (self->search);
  g_autofree char *plans = plg_format_count (progress.plans);
  g_autofree char *judged = plg_format_count (progress.judged);
  g_autofree char *details = progress.plans > 0 ? describe_progress (&progress) : NULL;
  g_autofree char *text = NULL;

  if (why_not != NULL)
    text = g_strdup (why_not);
  else if (plg_plan_search_is_running (self->search) && progress.plans == 0)
    text = g_strdup (_ ("Searching…"));
  else if (plg_plan_search_is_running (self->search))
    text = g_strdup_printf (_ ("Searching, %.0f %%: %s plans tried, %s evaluated"),
                            100.0 * progress.share_done, plans, judged);
  else if (progress.is_complete && plg_plan_search_best (self->search)->len == 0)
    text = g_strdup (why_none_found (self));
  else if (self->n_in_brush > MAX_EVALUATED_ROWS)
    {
      g_autofree char *rows = plg_format_count (MAX_EVALUATED_ROWS);
      g_autofree char *in_brush = plg_format_count (self->n_in_brush);

      text = g_strdup_printf (_ ("%s plans tried, %s evaluated. The table has the fastest %s of "
                                 "the %s plans in the plot"),
                              plans, judged, rows, in_brush);
    }
  else
    text = g_strdup_printf (_ ("%s plans tried, %s evaluated"), plans, judged);
  gtk_label_set_text (self->progress, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->progress), details != NULL ? details : text);
}

/* Announces the result of a search that has ended. */
static void
announce_result (PlgPlanFinder *self)
{
  const GArray *best = plg_plan_search_best (self->search);
  const PlgReport *start = plg_plan_search_start_report (self->search);
  const PlgMetric *by = plg_plan_search_get_by (self->search);
  g_autofree char *time = NULL;
  g_autofree char *change = NULL;
  g_autofree char *text = NULL;

  if (best->len == 0 || start == NULL)
    return;
  if (by != plg_metric_find ("step-time"))
    {
      g_autofree char *title = plg_metric_title (by);
      g_autofree char *value = plg_measure_text (by->measure,
                                                 g_array_index (best, PlgFoundPlan, 0).by);

      text = g_strdup_printf (_ ("%s: %s with the best plan"), title, value);
      g_signal_emit (self, signals[ANNOUNCED], 0, text);
      return;
    }
  time = plg_format_time (g_array_index (best, PlgFoundPlan, 0).time);
  change = plg_format_change (start->step.time, g_array_index (best, PlgFoundPlan, 0).time);
  text = g_strdup_printf (_ ("The fastest plan takes %s per step (%s)"), time, change);
  g_signal_emit (self, signals[ANNOUNCED], 0, text);
}

void
plg_plan_finder_deselect (PlgPlanFinder *self)
{
  g_return_if_fail (PLG_IS_PLAN_FINDER (self));

  if (!self->has_selected && !self->is_previewing)
    return;
  self->has_pointed = self->has_selected = FALSE;
  gtk_widget_set_sensitive (self->take, FALSE);
  preview (self, NULL);
  explain (self);
  update_dots (self);
  select_row (self);
}

static gboolean
preview_again_cb (gpointer data)
{
  PlgPlanFinder *self = data;

  self->preview_idle_id = 0;
  preview_selected (self);
  return G_SOURCE_REMOVE;
}

/* Explains the selected plan again after a change of the open plan, such as undo. An edit elsewhere
 * has ended the preview: shows it again if only the variants have changed, and ends the selection
 * if the design has. */
static void
document_changed_cb (PlgPlanFinder *self)
{
  if (plg_document_is_previewing (self->document))
    return;
  if (self->is_previewing)
    {
      self->is_previewing = FALSE;
      /* A preview is another change of the document, which must wait until this one is complete. */
      if (plg_plan_search_is_current (self->search))
        self->preview_idle_id = g_idle_add (preview_again_cb, self);
      else
        plg_plan_finder_deselect (self);
    }
  explain (self);
}

static void
search_changed_cb (PlgPlanFinder *self)
{
  gboolean is_running = plg_plan_search_is_running (self->search);

  if (plg_plan_search_generation (self->search) != self->generation)
    {
      self->generation = plg_plan_search_generation (self->search);
      self->has_pointed = self->has_selected = FALSE;
      gtk_widget_set_sensitive (self->take, FALSE);
      preview (self, NULL);
      g_hash_table_remove_all (self->row_of_point);
    }
  update_rows (self);
  update_progress (self);
  update_dots (self);
  if (!is_running)
    explain (self);
  if (self->was_running && !is_running && gtk_widget_get_mapped (GTK_WIDGET (self)))
    announce_result (self);
  self->was_running = is_running;
}

/* Filter --------------------------------------------------------------------------------------- */

/* Returns TRUE if ROW matches WORD: "tp=4" compares one column, and any other word is searched in
 * all cells. */
static gboolean
row_matches_word (PlgPlanFinder *self, PlgPlanRow *row, const char *word)
{
  const char *equals = strchr (word, '=');

  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    {
      g_autofree char *text = g_utf8_casefold (plg_plan_row_text (row, i), -1);
      g_autofree char *title = g_utf8_casefold (gtk_column_view_column_get_title (self->columns[i]),
                                                -1);

      if (equals == NULL && strstr (text, word) != NULL)
        return TRUE;
      if (equals != NULL && strncmp (title, word, equals - word) == 0 &&
          title[equals - word] == '\0' && g_str_equal (text, equals + 1))
        return TRUE;
    }
  return FALSE;
}

static gboolean
row_is_shown (gpointer item, gpointer data)
{
  PlgPlanFinder *self = data;
  g_autofree char *text = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->filter)), -1);
  g_auto (GStrv) words = g_strsplit_set (text, " ,", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && !row_matches_word (self, item, words[i]))
      return FALSE;
  return plg_plan_scatter_is_in_brush (self->scatter, plg_plan_row_found (item)->front);
}

static void
filter_changed_cb (PlgPlanFinder *self)
{
  self->is_updating = TRUE;
  gtk_filter_changed (self->row_filter, GTK_FILTER_CHANGE_DIFFERENT);
  self->is_updating = FALSE;
  if (self->search != NULL)
    select_row (self);
}

static void
announce (PlgPlanFinder *self, const char *text)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    plg_announcer_announce (GTK_WINDOW (root), text);
}

static void
brushed_cb (PlgPlanFinder *self)
{
  guint n;
  g_autofree char *text = NULL;

  update_rows (self);
  filter_changed_cb (self);
  update_dots (self);
  update_progress (self);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "The table shows %u plan",
                                       "The table shows %u plans", n),
                          n);
  announce (self, text);
}

/* Selection ------------------------------------------------------------------------------------ */

static void
select_point (PlgPlanFinder *self, const PlgSearchPoint *point)
{
  self->has_pointed = FALSE;
  self->has_selected = point != NULL;
  if (point != NULL)
    self->selected = *point;
  gtk_widget_set_sensitive (self->take, self->has_selected);
  preview_selected (self);
  explain (self);
  update_dots (self);
}

static void
selected_cb (PlgPlanFinder *self)
{
  PlgPlanRow *row = gtk_single_selection_get_selected_item (self->selection);

  if (!self->is_updating && row != NULL)
    select_point (self, &plg_plan_row_found (row)->point);
}

static void
pointed_cb (PlgPlanFinder *self, int dot)
{
  const PlgFoundPlan *found = found_of_dot (self, dot);

  self->has_pointed = found != NULL;
  if (found != NULL)
    {
      self->pointed = found->point;
      preview (self, &found->point);
    }
  else
    preview_selected (self);
  explain (self);
}

/* Announces all columns of FOUND, which was selected in the plot. */
static void
announce_selected (PlgPlanFinder *self, const PlgFoundPlan *found)
{
  g_autoptr (PlgPlan) plan = plg_plan_search_plan (self->search, &found->point);
  g_autoptr (PlgPlanRow)
                 row = plg_plan_row_new (found, plan,
                                         plg_plan_search_start_report (self->search)->step.time,
                                         plg_plan_search_get_by (self->search),
                                         plg_plan_search_space (self->search)->other_keys);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    if (gtk_column_view_column_get_visible (self->columns[i]))
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "",
                              gtk_column_view_column_get_title (self->columns[i]),
                              plg_plan_row_text (row, i));
  announce (self, text->str);
}

static void
picked_cb (PlgPlanFinder *self, int dot)
{
  const PlgFoundPlan *found = found_of_dot (self, dot);

  if (found == NULL)
    return;
  select_point (self, &found->point);
  select_row (self);
  announce_selected (self, found);
}

/* Selects the row that follows the selected one in DIRECTION, in the order of the table. */
static void
stepped_cb (PlgPlanFinder *self, int direction)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint selected = gtk_single_selection_get_selected (self->selection);

  if (n == 0)
    return;
  if (selected == GTK_INVALID_LIST_POSITION)
    selected = direction > 0 ? 0 : n - 1;
  else if (direction > 0 ? selected + 1 < n : selected > 0)
    selected += direction;
  gtk_single_selection_set_selected (self->selection, selected);
}

static void
why_toggled_cb (PlgPlanFinder *self)
{
  gtk_stack_set_visible_child_name (self->side, shows_why (self) ? "why" : "table");
  if (self->search != NULL)
    explain (self);
}

/* Announces the difference between the open plan and the selected plan. */
static void
explained_cb (PlgPlanFinder *self, gboolean is_selected)
{
  g_autofree char *text = plg_plan_why_text (self->why);

  /* The first line is the sum of all changes. The picture shows the rest. */
  if (!is_selected || text == NULL)
    return;
  text[strcspn (text, "\n")] = '\0';
  announce (self, text);
}

static void
take_cb (PlgPlanFinder *self)
{
  g_autoptr (GError) error = NULL;
  PlgSearchPoint point = self->selected;

  if (!self->has_selected)
    return;
  preview (self, NULL);
  if (!plg_plan_search_take (self->search, &point, &error))
    g_signal_emit (self, signals[REFUSED], 0, error->message);
  explain (self);
}

static void
activate_cb (PlgPlanFinder *self, guint position)
{
  g_autoptr (PlgPlanRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row == NULL)
    return;
  select_point (self, &plg_plan_row_found (row)->point);
  take_cb (self);
}

/* Ends the preview, then removes the rectangle in the plot. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (widget);

  if (!self->has_selected)
    return plg_plan_scatter_clear_brush (self->scatter);
  plg_plan_finder_deselect (self);
  return TRUE;
}

/* Selects the first or the last row if none is selected. The table itself would move from its
 * focused row, which is the first one, to the second. */
static gboolean
begin_selection_cb (GtkWidget *widget, GVariant *direction, gpointer data)
{
  PlgPlanFinder *self = data;

  if (gtk_single_selection_get_selected (self->selection) != GTK_INVALID_LIST_POSITION)
    return FALSE;
  stepped_cb (self, g_variant_get_int32 (direction));
  return TRUE;
}

/* Takes the selected plan, also if the focus is on the table but on none of its rows. */
static gboolean
take_selected_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanFinder *self = data;

  if (!self->has_selected)
    return FALSE;
  take_cb (self);
  return TRUE;
}

static void
add_take_key (PlgPlanFinder *self, GtkEventController *keys, guint key)
{
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (key, 0),
                                                          gtk_callback_action_new (take_selected_cb,
                                                                                   self, NULL)));
}

static void
add_arrow_key (PlgPlanFinder *self, GtkEventController *keys, guint key, int direction)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, 0),
                                            gtk_callback_action_new (begin_selection_cb, self,
                                                                     NULL));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 (direction));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), shortcut);
}

/* Copies the changes or, if the table is shown, its rows and visible columns in their order, with
 * tabs between the cells. */
static gboolean
copy_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (widget);
  GListModel *model = G_LIST_MODEL (self->selection);
  guint n = g_list_model_get_n_items (model);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *changes = shows_why (self) ? plg_plan_why_text (self->why) : NULL;
  g_autofree char *message = NULL;

  if (changes != NULL)
    {
      plg_clipboard_set_text (gtk_widget_get_clipboard (widget), changes);
      g_signal_emit (self, signals[ANNOUNCED], 0, _ ("The changes are copied"));
      return TRUE;
    }
  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    if (gtk_column_view_column_get_visible (self->columns[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\t" : "",
                              gtk_column_view_column_get_title (self->columns[i]));
  for (guint row = 0; row < n; row++)
    {
      g_autoptr (PlgPlanRow) item = g_list_model_get_item (model, row);
      char separator = '\n';

      for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
        if (gtk_column_view_column_get_visible (self->columns[i]))
          {
            g_string_append_printf (text, "%c%s", separator, plg_plan_row_text (item, i));
            separator = '\t';
          }
    }
  plg_clipboard_set_text (gtk_widget_get_clipboard (widget), text->str);
  message = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u plan is copied",
                                          "%u plans are copied", n),
                             n);
  g_signal_emit (self, signals[ANNOUNCED], 0, message);
  return TRUE;
}

/* Columns -------------------------------------------------------------------------------------- */

static void
setup_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (item));
  PlgPlanColumn column = GPOINTER_TO_INT (data);

  gtk_label_set_xalign (label, plg_plan_column_is_number (column) ? 1.0f : 0.0f);
  gtk_label_set_text (label, plg_plan_row_text (gtk_list_item_get_item (item), column));
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  return plg_plan_row_compare ((gpointer) a, (gpointer) b, GPOINTER_TO_INT (data));
}

static void
add_columns (PlgPlanFinder *self)
{
  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_rows,
                                                                        GINT_TO_POINTER (i), NULL));

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cell_cb), NULL);
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell_cb), GINT_TO_POINTER (i));
      column = gtk_column_view_column_new (plg_plan_column_title (i), factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_append_column (self->view, column);
      self->columns[i] = column;
    }
}

/* Object --------------------------------------------------------------------------------------- */

static void
metrics_changed_cb (PlgPlanFinder *self)
{
  const PlgMetric *x = plg_search_form_metric (gtk_drop_down_get_selected (self->metric_x));
  const PlgMetric *y = plg_search_form_metric (gtk_drop_down_get_selected (self->metric_y));

  if (self->search == NULL)
    return;
  plg_plan_scatter_clear_brush (self->scatter);
  plg_plan_search_set_front (self->search, x, y);
}

static void
classes_changed_cb (PlgPlanFinder *self)
{
  if (self->search != NULL)
    update_dots (self);
}

static void
plg_plan_finder_map (GtkWidget *widget)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (widget);

  GTK_WIDGET_CLASS (plg_plan_finder_parent_class)->map (widget);
  if (self->search != NULL)
    plg_plan_search_start (self->search);
}

static void
plg_plan_finder_unmap (GtkWidget *widget)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (widget);

  GTK_WIDGET_CLASS (plg_plan_finder_parent_class)->unmap (widget);
  if (self->search == NULL)
    return;
  plg_plan_search_stop (self->search);
  g_clear_handle_id (&self->preview_idle_id, g_source_remove);
  preview (self, NULL);
}

static gboolean
plg_plan_finder_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (PLG_PLAN_FINDER (widget)->view));
}

void
plg_plan_finder_set_document (PlgPlanFinder *self, PlgDocument *document)
{
  g_return_if_fail (PLG_IS_PLAN_FINDER (self) && PLG_IS_DOCUMENT (document));
  g_return_if_fail (self->document == NULL);

  self->document = g_object_ref (document);
  self->search = plg_plan_search_new (document);
  g_signal_connect_object (self->search, "changed", G_CALLBACK (search_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "progressed", G_CALLBACK (update_progress), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  plg_search_form_set_search (self->form, self->search);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    plg_plan_search_start (self->search);
}

void
plg_plan_finder_set_palette (PlgPlanFinder *self, const char *palette)
{
  g_return_if_fail (PLG_IS_PLAN_FINDER (self));

  plg_plan_scatter_set_palette (self->scatter, palette);
  plg_plan_why_set_palette (self->why, palette);
}

void
plg_plan_finder_move_bar (PlgPlanFinder *self, GtkBox *box)
{
  g_return_if_fail (PLG_IS_PLAN_FINDER (self) && GTK_IS_BOX (box));

  g_object_ref (self->bar);
  gtk_widget_unparent (self->bar);
  gtk_box_append (box, self->bar);
  g_object_unref (self->bar);
}

PlgPlanSearch *
plg_plan_finder_get_search (PlgPlanFinder *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_FINDER (self), NULL);

  return self->search;
}

PlgSearchPicture *
plg_plan_finder_picture (PlgPlanFinder *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_FINDER (self), NULL);

  return plg_plan_search_picture (self->search, chosen_class (self));
}

PlgPlanWhy *
plg_plan_finder_get_why (PlgPlanFinder *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_FINDER (self), NULL);

  return self->why;
}

static void
plg_plan_finder_dispose (GObject *object)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (object);
  GtkWidget *child;

  g_clear_handle_id (&self->preview_idle_id, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->search);
  g_clear_object (&self->document);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->row_of_point, g_hash_table_unref);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (plg_plan_finder_parent_class)->dispose (object);
}

static void
plg_plan_finder_class_init (PlgPlanFinderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = plg_plan_finder_dispose;
  widget_class->map = plg_plan_finder_map;
  widget_class->unmap = plg_plan_finder_unmap;
  widget_class->grab_focus = plg_plan_finder_grab_focus;
  signals[REFUSED] = g_signal_new ("refused", PLG_TYPE_PLAN_FINDER, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANNOUNCED] = g_signal_new ("announced", PLG_TYPE_PLAN_FINDER, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (PLG_TYPE_PLAN_SCATTER);
  g_type_ensure (PLG_TYPE_PLAN_WHY);
  g_type_ensure (PLG_TYPE_SEARCH_FORM);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/parallelogram/Parallelogram/ui/plan-finder.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, bar);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, metric_x);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, metric_y);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, classes);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, form);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, why_button);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, side);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, why);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, filter);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, progress);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, take);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, scatter);
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, view);
  gtk_widget_class_bind_template_callback (widget_class, take_cb);
  gtk_widget_class_bind_template_callback (widget_class, pointed_cb);
  gtk_widget_class_bind_template_callback (widget_class, picked_cb);
  gtk_widget_class_bind_template_callback (widget_class, brushed_cb);
  gtk_widget_class_bind_template_callback (widget_class, why_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, stepped_cb);
  gtk_widget_class_bind_template_callback (widget_class, explained_cb);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_set_css_name (widget_class, "planfinder");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, copy_cb, NULL);
}

static void
plg_plan_finder_init (PlgPlanFinder *self)
{
  g_autoptr (GtkStringList) metrics = plg_search_form_metric_titles ();
  g_autoptr (GtkStringList) classes = gtk_string_list_new (NULL);
  GtkSortListModel *sorted;
  GtkFilterListModel *filtered;
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (PLG_TYPE_PLAN_ROW);
  self->row_of_point = g_hash_table_new (hash_point, points_are_equal);
  self->row_filter = GTK_FILTER (gtk_custom_filter_new (row_is_shown, self, NULL));
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)), self->row_filter);
  add_columns (self);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Found plans"), -1);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  add_arrow_key (self, keys, GDK_KEY_Down, 1);
  add_arrow_key (self, keys, GDK_KEY_Up, -1);
  add_take_key (self, keys, GDK_KEY_Return);
  add_take_key (self, keys, GDK_KEY_KP_Enter);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);

  gtk_drop_down_set_model (self->metric_x, G_LIST_MODEL (metrics));
  gtk_drop_down_set_model (self->metric_y, G_LIST_MODEL (metrics));
  gtk_drop_down_set_selected (self->metric_y, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (class_keys); i++)
    gtk_string_list_append (classes,
                            _ (plg_setting_find (plg_search_key_setting (class_keys[i]))->title));
  gtk_drop_down_set_model (self->classes, G_LIST_MODEL (classes));
  plg_accessible_name_drop_down (GTK_WIDGET (self->metric_x), _ ("Horizontal axis"));
  plg_accessible_name_drop_down (GTK_WIDGET (self->metric_y), _ ("Vertical axis"));
  plg_accessible_name_drop_down (GTK_WIDGET (self->classes), _ ("Colour and shape of the dots"));
  g_signal_connect_object (self->metric_x, "notify::selected", G_CALLBACK (metrics_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->metric_y, "notify::selected", G_CALLBACK (metrics_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->classes, "notify::selected", G_CALLBACK (classes_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filter, "search-changed", G_CALLBACK (filter_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
}
