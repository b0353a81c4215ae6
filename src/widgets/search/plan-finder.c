/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/plan-finder.h"

#include "plan/quantity.h"
#include "plan/settings/setting.h"
#include "widgets/accessible-names.h"
#include "widgets/announcer.h"
#include "widgets/clipboard.h"
#include "widgets/search/plan-scatter.h"
#include "widgets/search/plan-table.h"
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
  PlgPlanTable *table;
  PlgPlanWhy *why;

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
  preview (self, plg_plan_table_selected (self->table));
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
  const PlgSearchPoint *selected = plg_plan_table_selected (self->table);
  const PlgSearchPoint *point = self->has_pointed ? &self->pointed : selected;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (PlgPlan) best_plan = NULL;

  if (!shows_why (self))
    return;
  if (plg_plan_search_space (self->search) == NULL)
    {
      plg_plan_why_show (self->why, NULL, NULL, NULL, FALSE, NULL);
      return;
    }
  if (point != NULL)
    plan = plg_plan_search_plan (self->search, point);
  if (best->len > 0)
    best_plan = plg_plan_search_plan (self->search, &g_array_index (best, PlgFoundPlan, 0).point);
  /* The open plan can be a found plan that was taken, from which no new search has started. */
  plg_plan_why_show (self->why, plg_document_committed_plan (self->document), best_plan, plan,
                     point != NULL && point == selected, plg_document_catalogue (self->document));
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
  const PlgSearchPoint *selected = plg_plan_table_selected (self->table);
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
      if (selected != NULL &&
          memcmp (&found_of_dot (self, (int) i)->point, selected, sizeof *selected) == 0)
        picture->selected = (int) i;
    }
  plg_plan_scatter_set_picture (self->scatter, picture);
}

/* Previews, explains and marks the selected plan. */
static void
show_selected (PlgPlanFinder *self)
{
  self->has_pointed = FALSE;
  gtk_widget_set_sensitive (self->take, plg_plan_table_selected (self->table) != NULL);
  preview_selected (self);
  explain (self);
  update_dots (self);
}

/* Progress ------------------------------------------------------------------------------------- */

static void
update_progress (PlgPlanFinder *self)
{
  PlgSearchProgress progress = plg_plan_search_progress (self->search);
  const char *why_not = plg_plan_search_why_not (self->search);
  guint n_in_brush = plg_plan_table_count_in_brush (self->table);
  g_autofree char *plans = plg_format_count (progress.plans);
  g_autofree char *judged = plg_format_count (progress.judged);
  g_autofree char *details = progress.plans > 0 ? plg_search_progress_describe (&progress) : NULL;
  g_autofree char *text = NULL;

  if (why_not != NULL)
    text = g_strdup (why_not);
  else if (plg_plan_search_is_running (self->search) && progress.plans == 0)
    text = g_strdup (_ ("Searching…"));
  else if (plg_plan_search_is_running (self->search))
    text = g_strdup_printf (_ ("Searching, %.0f %%: %s plans tried, %s evaluated"),
                            100.0 * progress.share_done, plans, judged);
  else if (progress.is_complete && plg_plan_search_best (self->search)->len == 0)
    text = g_strdup (
        plg_search_progress_describe_failure (&progress, plg_plan_search_holds_any (self->search)));
  else if (n_in_brush > PLG_MAX_EVALUATED_ROWS)
    {
      g_autofree char *rows = plg_format_count (PLG_MAX_EVALUATED_ROWS);
      g_autofree char *in_brush = plg_format_count (n_in_brush);

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

  if (plg_plan_table_selected (self->table) == NULL && !self->is_previewing)
    return;
  plg_plan_table_select (self->table, NULL);
  show_selected (self);
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
      self->has_pointed = FALSE;
      plg_plan_table_select (self->table, NULL);
      gtk_widget_set_sensitive (self->take, FALSE);
      preview (self, NULL);
    }
  plg_plan_table_update (self->table);
  update_progress (self);
  update_dots (self);
  if (!is_running)
    explain (self);
  if (self->was_running && !is_running && gtk_widget_get_mapped (GTK_WIDGET (self)))
    announce_result (self);
  self->was_running = is_running;
}

/* Filter --------------------------------------------------------------------------------------- */

static void
filter_changed_cb (PlgPlanFinder *self)
{
  plg_plan_table_filter (self->table, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
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

  plg_plan_table_update (self->table);
  plg_plan_table_scroll_to_start (self->table);
  update_dots (self);
  update_progress (self);
  n = plg_plan_table_count (self->table);
  text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "The table shows %u plan",
                                       "The table shows %u plans", n),
                          n);
  announce (self, text);
}

/* Selection ------------------------------------------------------------------------------------ */

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

static void
picked_cb (PlgPlanFinder *self, int dot)
{
  const PlgFoundPlan *found = found_of_dot (self, dot);
  g_autofree char *text = NULL;

  if (found == NULL)
    return;
  plg_plan_table_select (self->table, &found->point);
  show_selected (self);
  text = plg_plan_table_describe (self->table, found);
  announce (self, text);
}

static void
stepped_cb (PlgPlanFinder *self, int direction)
{
  plg_plan_table_step (self->table, direction);
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
  const PlgSearchPoint *selected = plg_plan_table_selected (self->table);
  g_autoptr (GError) error = NULL;
  PlgSearchPoint point;

  if (selected == NULL)
    return;
  point = *selected;
  preview (self, NULL);
  if (!plg_plan_search_take (self->search, &point, &error))
    g_signal_emit (self, signals[REFUSED], 0, error->message);
  explain (self);
}

/* Ends the preview, then removes the rectangle in the plot. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (widget);

  if (plg_plan_table_selected (self->table) == NULL)
    return plg_plan_scatter_clear_brush (self->scatter);
  plg_plan_finder_deselect (self);
  return TRUE;
}

/* Copies the changes or, if the table is shown, its rows and visible columns in their order, with
 * tabs between the cells. */
static gboolean
copy_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanFinder *self = PLG_PLAN_FINDER (widget);
  g_autofree char *changes = shows_why (self) ? plg_plan_why_text (self->why) : NULL;
  g_autofree char *rows = NULL, *message = NULL;
  guint n = plg_plan_table_count (self->table);

  if (changes != NULL)
    {
      plg_clipboard_set_text (gtk_widget_get_clipboard (widget), changes);
      g_signal_emit (self, signals[ANNOUNCED], 0, _ ("The changes are copied"));
      return TRUE;
    }
  rows = plg_plan_table_text (self->table);
  plg_clipboard_set_text (gtk_widget_get_clipboard (widget), rows);
  message = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u plan is copied",
                                          "%u plans are copied", n),
                             n);
  g_signal_emit (self, signals[ANNOUNCED], 0, message);
  return TRUE;
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
  return gtk_widget_grab_focus (GTK_WIDGET (PLG_PLAN_FINDER (widget)->table));
}

void
plg_plan_finder_set_document (PlgPlanFinder *self, PlgDocument *document)
{
  g_return_if_fail (PLG_IS_PLAN_FINDER (self) && PLG_IS_DOCUMENT (document));
  g_return_if_fail (self->document == NULL);

  self->document = g_object_ref (document);
  self->search = plg_plan_search_new (document);
  plg_plan_table_set_search (self->table, self->search, self->scatter);
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
  g_type_ensure (PLG_TYPE_PLAN_TABLE);
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
  gtk_widget_class_bind_template_child (widget_class, PlgPlanFinder, table);
  gtk_widget_class_bind_template_callback (widget_class, take_cb);
  gtk_widget_class_bind_template_callback (widget_class, pointed_cb);
  gtk_widget_class_bind_template_callback (widget_class, picked_cb);
  gtk_widget_class_bind_template_callback (widget_class, brushed_cb);
  gtk_widget_class_bind_template_callback (widget_class, why_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, stepped_cb);
  gtk_widget_class_bind_template_callback (widget_class, explained_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_selected);
  gtk_widget_class_set_css_name (widget_class, "planfinder");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, copy_cb, NULL);
}

static void
plg_plan_finder_init (PlgPlanFinder *self)
{
  g_autoptr (GtkStringList) metrics = plg_search_form_metric_titles ();
  g_autoptr (GtkStringList) classes = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
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
}
