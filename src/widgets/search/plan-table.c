/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/plan-table.h"

#include "widgets/search/plan-row.h"

#include <string.h>

struct _PlgPlanTable
{
  GtkWidget parent_instance;

  PlgPlanSearch *search;
  PlgPlanScatter *scatter;

  GtkColumnView *view;
  GtkColumnViewColumn *columns[PLG_N_PLAN_COLUMNS]; /* borrowed from VIEW */

  GListStore *rows;          /* PlgPlanRow */
  GHashTable *row_of_point;  /* from PlgSearchPoint to PlgPlanRow, for the rows in ROWS */
  guint generation;          /* the search that found the plans in ROWS */
  const PlgReport *compared; /* the report with which the rows compare their plans; not owned */
  guint n_in_brush;          /* number of evaluated plans in the rectangle of the plot */
  char **words;              /* the folded words of the filter; owned */
  GtkFilter *filter;
  GtkSingleSelection *selection;
  gboolean is_updating;  /* whether the rows change, so that selections mean nothing */
  gboolean has_selected; /* whether SELECTED is valid */
  PlgSearchPoint selected;
};

G_DEFINE_FINAL_TYPE (PlgPlanTable, plg_plan_table, GTK_TYPE_WIDGET)

enum
{
  SELECTED,
  ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

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

static PlgPlanRow *
row_new (PlgPlanTable *self, const PlgFoundPlan *found)
{
  g_autoptr (PlgPlan) plan = plg_plan_search_plan (self->search, &found->point);
  const PlgReport *compared = plg_plan_search_start_report (self->search);

  return plg_plan_row_new (found, plan, compared->step.time, plg_plan_search_get_by (self->search),
                           plg_plan_search_space (self->search)->other_keys);
}

/* Adds the rows of PLANS to ROWS, unless ROW_OF_POINT has them. Uses the rows that the table has
 * already. */
static void
add_rows (PlgPlanTable *self, GPtrArray *rows, GHashTable *row_of_point, const GArray *plans)
{
  for (guint i = 0; i < plans->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (plans, PlgFoundPlan, i);
      PlgPlanRow *row = g_hash_table_lookup (self->row_of_point, &found->point);

      if (g_hash_table_contains (row_of_point, &found->point))
        continue;
      row = row != NULL ? g_object_ref (row) : row_new (self, found);
      g_ptr_array_add (rows, row);
      g_hash_table_insert (row_of_point, (gpointer) &plg_plan_row_found (row)->point, row);
    }
}

/* Returns the fastest evaluated plans in the rectangle of the plot, at most
 * PLG_MAX_EVALUATED_ROWS. Free with g_array_unref(). */
static GArray *
fastest_in_brush (PlgPlanTable *self)
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
      if (low == PLG_MAX_EVALUATED_ROWS)
        continue;
      g_array_insert_val (fastest, low, *plan);
      if (fastest->len > PLG_MAX_EVALUATED_ROWS)
        g_array_set_size (fastest, PLG_MAX_EVALUATED_ROWS);
    }
  return fastest;
}

/* Selects the row of the selected plan, if the table has one. */
static void
select_row (PlgPlanTable *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint position = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < g_list_model_get_n_items (model) && self->has_selected; i++)
    {
      g_autoptr (PlgPlanRow) row = g_list_model_get_item (model, i);

      if (points_are_equal (&plg_plan_row_found (row)->point, &self->selected))
        position = i;
    }
  self->is_updating = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->is_updating = FALSE;
}

/* Shows the columns in which the plans differ. */
static void
update_columns (PlgPlanTable *self, const GPtrArray *rows)
{
  const PlgSearchSpace *space = plg_plan_search_space (self->search);
  const PlgMetric *by = plg_plan_search_get_by (self->search);
  g_autofree char *title = plg_metric_title (by);
  gboolean is_moe = FALSE, has_replicas = FALSE;

  for (guint i = 0; space != NULL && i < space->bases->len && !is_moe; i++)
    {
      const PlgPlan *base = g_ptr_array_index (space->bases, i);

      is_moe = plg_transformer_is_moe (&base->model);
    }
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

void
plg_plan_table_update (PlgPlanTable *self)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) row_of_point = g_hash_table_new (hash_point, points_are_equal);
  g_autoptr (GArray) fastest = NULL;
  const PlgReport *compared;
  guint generation;

  g_return_if_fail (PLG_IS_PLAN_TABLE (self) && self->search != NULL);

  fastest = fastest_in_brush (self);
  compared = plg_plan_search_start_report (self->search);
  generation = plg_plan_search_generation (self->search);
  if (compared != self->compared || generation != self->generation)
    g_hash_table_remove_all (self->row_of_point);
  self->compared = compared;
  self->generation = generation;
  add_rows (self, rows, row_of_point, plg_plan_search_best (self->search));
  add_rows (self, rows, row_of_point, plg_plan_search_front (self->search));
  add_rows (self, rows, row_of_point, fastest);
  update_columns (self, rows);
  g_hash_table_unref (self->row_of_point);
  self->row_of_point = g_steal_pointer (&row_of_point);
  self->is_updating = TRUE;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, rows->len);
  /* The rectangle of the plot may have changed. */
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  self->is_updating = FALSE;
  select_row (self);
}

void
plg_plan_table_scroll_to_start (PlgPlanTable *self)
{
  g_return_if_fail (PLG_IS_PLAN_TABLE (self));

  /* An adjustment cannot be set before the rows have their new places. */
  if (plg_plan_table_count (self) > 0)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)),
                                "list.scroll-to-item", "u", 0);
}

/* Filter --------------------------------------------------------------------------------------- */

static gboolean
row_matches_word (PlgPlanTable *self, PlgPlanRow *row, const char *word)
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
  PlgPlanTable *self = data;

  for (int i = 0; self->words != NULL && self->words[i] != NULL; i++)
    if (*self->words[i] != '\0' && !row_matches_word (self, item, self->words[i]))
      return FALSE;
  return plg_plan_scatter_is_in_brush (self->scatter, plg_plan_row_found (item)->front);
}

void
plg_plan_table_filter (PlgPlanTable *self, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  g_return_if_fail (PLG_IS_PLAN_TABLE (self));

  g_strfreev (self->words);
  self->words = g_strsplit_set (folded, " ,", -1);
  self->is_updating = TRUE;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  self->is_updating = FALSE;
  select_row (self);
}

/* Selection ------------------------------------------------------------------------------------ */

static void
select_point (PlgPlanTable *self, const PlgSearchPoint *point)
{
  self->has_selected = point != NULL;
  if (point != NULL)
    self->selected = *point;
}

const PlgSearchPoint *
plg_plan_table_selected (PlgPlanTable *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_TABLE (self), NULL);

  return self->has_selected ? &self->selected : NULL;
}

void
plg_plan_table_select (PlgPlanTable *self, const PlgSearchPoint *point)
{
  g_return_if_fail (PLG_IS_PLAN_TABLE (self));

  select_point (self, point);
  select_row (self);
}

void
plg_plan_table_step (PlgPlanTable *self, int direction)
{
  guint n, selected;

  g_return_if_fail (PLG_IS_PLAN_TABLE (self));

  n = plg_plan_table_count (self);
  selected = gtk_single_selection_get_selected (self->selection);
  if (n == 0)
    return;
  if (selected == GTK_INVALID_LIST_POSITION)
    selected = direction > 0 ? 0 : n - 1;
  else if (direction > 0 ? selected + 1 < n : selected > 0)
    selected += direction;
  gtk_single_selection_set_selected (self->selection, selected);
}

static void
selected_cb (PlgPlanTable *self)
{
  PlgPlanRow *row = gtk_single_selection_get_selected_item (self->selection);

  if (self->is_updating || row == NULL)
    return;
  select_point (self, &plg_plan_row_found (row)->point);
  g_signal_emit (self, signals[SELECTED], 0);
}

static void
activate_cb (PlgPlanTable *self, guint position)
{
  g_autoptr (PlgPlanRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row == NULL)
    return;
  select_point (self, &plg_plan_row_found (row)->point);
  g_signal_emit (self, signals[SELECTED], 0);
  g_signal_emit (self, signals[ACTIVATED], 0);
}

/* Selects the first or the last row if none is selected. The table itself would move from its
 * focused row, which is the first one, to the second. */
static gboolean
begin_selection_cb (GtkWidget *widget, GVariant *direction, gpointer data)
{
  PlgPlanTable *self = data;

  if (gtk_single_selection_get_selected (self->selection) != GTK_INVALID_LIST_POSITION)
    return FALSE;
  plg_plan_table_step (self, g_variant_get_int32 (direction));
  return TRUE;
}

/* Takes the selected plan, also if the focus is on the table but on none of its rows. */
static gboolean
take_selected_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanTable *self = data;

  if (!self->has_selected)
    return FALSE;
  g_signal_emit (self, signals[ACTIVATED], 0);
  return TRUE;
}

/* Calls CALLBACK with ARGUMENT when KEY is pressed, before the rows get the key. */
static void
add_key (PlgPlanTable *self,
         GtkEventController *keys,
         guint key,
         GtkShortcutFunc callback,
         int argument)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, 0),
                                            gtk_callback_action_new (callback, self, NULL));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 (argument));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), shortcut);
}

/* Texts ---------------------------------------------------------------------------------------- */

guint
plg_plan_table_count (PlgPlanTable *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_TABLE (self), 0);

  return g_list_model_get_n_items (G_LIST_MODEL (self->selection));
}

guint
plg_plan_table_count_in_brush (PlgPlanTable *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_TABLE (self), 0);

  return self->n_in_brush;
}

char *
plg_plan_table_text (PlgPlanTable *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (PLG_IS_PLAN_TABLE (self), NULL);

  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    if (gtk_column_view_column_get_visible (self->columns[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\t" : "",
                              gtk_column_view_column_get_title (self->columns[i]));
  for (guint row = 0; row < plg_plan_table_count (self); row++)
    {
      g_autoptr (PlgPlanRow) item = g_list_model_get_item (G_LIST_MODEL (self->selection), row);
      char separator = '\n';

      for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
        if (gtk_column_view_column_get_visible (self->columns[i]))
          {
            g_string_append_printf (text, "%c%s", separator, plg_plan_row_text (item, i));
            separator = '\t';
          }
    }
  return g_string_free (text, FALSE);
}

char *
plg_plan_table_describe (PlgPlanTable *self, const PlgFoundPlan *found)
{
  g_autoptr (PlgPlanRow) row = NULL;
  GString *text;

  g_return_val_if_fail (PLG_IS_PLAN_TABLE (self), NULL);

  row = row_new (self, found);
  text = g_string_new (NULL);
  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    if (gtk_column_view_column_get_visible (self->columns[i]))
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "",
                              gtk_column_view_column_get_title (self->columns[i]),
                              plg_plan_row_text (row, i));
  return g_string_free (text, FALSE);
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
add_columns (PlgPlanTable *self)
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

static gboolean
plg_plan_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (PLG_PLAN_TABLE (widget)->view));
}

void
plg_plan_table_set_search (PlgPlanTable *self, PlgPlanSearch *search, PlgPlanScatter *scatter)
{
  g_return_if_fail (PLG_IS_PLAN_TABLE (self) && PLG_IS_PLAN_SEARCH (search));
  g_return_if_fail (self->search == NULL);

  self->search = g_object_ref (search);
  self->scatter = g_object_ref (scatter);
}

static void
plg_plan_table_dispose (GObject *object)
{
  PlgPlanTable *self = PLG_PLAN_TABLE (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->search);
  g_clear_object (&self->scatter);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->row_of_point, g_hash_table_unref);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->words, g_strfreev);
  G_OBJECT_CLASS (plg_plan_table_parent_class)->dispose (object);
}

static void
plg_plan_table_class_init (PlgPlanTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_plan_table_dispose;
  widget_class->grab_focus = plg_plan_table_grab_focus;
  signals[SELECTED] = g_signal_new ("selected", PLG_TYPE_PLAN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", PLG_TYPE_PLAN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/plan-table.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgPlanTable, view);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
plg_plan_table_init (PlgPlanTable *self)
{
  GtkSortListModel *sorted;
  GtkFilterListModel *filtered;
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (PLG_TYPE_PLAN_ROW);
  self->row_of_point = g_hash_table_new (hash_point, points_are_equal);
  self->filter = GTK_FILTER (gtk_custom_filter_new (row_is_shown, self, NULL));
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)), self->filter);
  add_columns (self);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  add_key (self, keys, GDK_KEY_Down, begin_selection_cb, 1);
  add_key (self, keys, GDK_KEY_Up, begin_selection_cb, -1);
  add_key (self, keys, GDK_KEY_Return, take_selected_cb, 0);
  add_key (self, keys, GDK_KEY_KP_Enter, take_selected_cb, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
}
