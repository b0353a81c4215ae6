/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/plan-why.h"

#include "drawing/charts/chart.h"
#include "drawing/export/paint.h"
#include "drawing/plans/changes-figure.h"
#include "engine/evaluate.h"
#include "widgets/accessible-names.h"
#include "widgets/rendering/surface.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>

/* The picture of another plan disappears if the comparison takes longer than this, so that quick
 * comparisons do not flicker. */
#define STALE_MILLISECONDS 150
#define NATURAL_WIDTH 420

/* The plans of a comparison, and its result. */
typedef struct
{
  PlgPlan *open;
  PlgPlan *best;
  PlgPlan *plan;
  PlgCatalogue *catalogue;
  gboolean is_selected;

  GArray *changes; /* PlgPlanChange */
  char *lost;      /* the change that costs the plan most against the best plan; may be NULL */
  double slower;   /* the time by which the plan is slower than the best plan [s] */
} Comparison;

struct _PlgPlanWhy
{
  GtkWidget parent_instance;

  Comparison *shown;   /* NULL without a picture */
  Comparison *pending; /* the next comparison, while another one runs; may be NULL */
  gboolean is_running;
  gboolean is_unwanted; /* whether the running comparison is for a plan that is no longer shown */
  guint stale_timeout_id;

  char *palette;
  PlgTheme theme;
  PlgSurfacePool *surface_pool;
  GskRenderNode *node; /* the painted figure; NULL if it must be painted */
  int painted_width, painted_height;
};

G_DEFINE_FINAL_TYPE (PlgPlanWhy, plg_plan_why, GTK_TYPE_WIDGET)

enum
{
  EXPLAINED,
  STEPPED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void start (PlgPlanWhy *self, Comparison *comparison);

/* The comparison ------------------------------------------------------------------------------- */

static void
comparison_free (gpointer data)
{
  Comparison *comparison = data;

  plg_plan_free (comparison->open);
  plg_plan_free (comparison->best);
  plg_plan_free (comparison->plan);
  g_clear_pointer (&comparison->catalogue, plg_catalogue_unref);
  g_clear_pointer (&comparison->changes, g_array_unref);
  g_free (comparison->lost);
  g_free (comparison);
}

/* Compares the plans of DATA. Runs in another thread. */
static void
comparison_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Comparison *comparison = data;
  g_autoptr (PlgReport) best = plg_evaluate (comparison->best, PLG_EVALUATE_TOTALS, NULL);
  g_autoptr (PlgReport) plan = plg_evaluate (comparison->plan, PLG_EVALUATE_TOTALS, NULL);

  comparison->changes = plg_plan_changes (comparison->open, comparison->plan,
                                          comparison->catalogue);
  if (best != NULL && plan != NULL)
    comparison->slower = plan->step.time - best->step.time;
  if (comparison->slower > 0)
    comparison->lost = plg_plan_changes_lost (comparison->best, comparison->plan,
                                              comparison->catalogue);
  g_task_return_boolean (task, TRUE);
}

static void
invalidate (PlgPlanWhy *self)
{
  g_clear_pointer (&self->node, gsk_render_node_unref);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Shows COMPARISON, or no picture if it is NULL. Takes COMPARISON. */
static void
set_shown (PlgPlanWhy *self, Comparison *comparison)
{
  g_clear_handle_id (&self->stale_timeout_id, g_source_remove);
  g_clear_pointer (&self->shown, comparison_free);
  self->shown = comparison;
  invalidate (self);
}

static gboolean
stale_cb (gpointer data)
{
  PlgPlanWhy *self = data;

  self->stale_timeout_id = 0;
  set_shown (self, NULL);
  return G_SOURCE_REMOVE;
}

static void
done_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  PlgPlanWhy *self = PLG_PLAN_WHY (object);
  Comparison *comparison = g_object_steal_data (G_OBJECT (result), "comparison");
  gboolean is_selected = comparison->is_selected;

  self->is_running = FALSE;
  if (self->pending != NULL)
    {
      comparison_free (comparison);
      start (self, g_steal_pointer (&self->pending));
      return;
    }
  if (self->is_unwanted)
    {
      comparison_free (comparison);
      return;
    }
  set_shown (self, comparison);
  g_signal_emit (self, signals[EXPLAINED], 0, is_selected);
}

static void
start (PlgPlanWhy *self, Comparison *comparison)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, done_cb, NULL);

  self->is_running = TRUE;
  self->is_unwanted = FALSE;
  g_task_set_task_data (task, comparison, NULL);
  g_object_set_data_full (G_OBJECT (task), "comparison", comparison, comparison_free);
  g_task_run_in_thread (task, comparison_run);
}

void
plg_plan_why_show (PlgPlanWhy *self,
                   const PlgPlan *open,
                   const PlgPlan *best,
                   const PlgPlan *plan,
                   gboolean is_selected,
                   PlgCatalogue *catalogue)
{
  Comparison *comparison;

  g_return_if_fail (PLG_IS_PLAN_WHY (self));

  g_clear_pointer (&self->pending, comparison_free);
  self->is_unwanted = TRUE;
  if (open == NULL || best == NULL || plan == NULL)
    {
      set_shown (self, NULL);
      return;
    }
  if (self->shown != NULL && !self->is_running && plg_plan_same_design (self->shown->open, open) &&
      plg_plan_same_design (self->shown->best, best) &&
      plg_plan_same_design (self->shown->plan, plan))
    {
      if (is_selected && !self->shown->is_selected)
        g_signal_emit (self, signals[EXPLAINED], 0, TRUE);
      self->shown->is_selected = is_selected;
      return;
    }
  comparison = g_new0 (Comparison, 1);
  comparison->open = plg_plan_copy (open);
  comparison->best = plg_plan_copy (best);
  comparison->plan = plg_plan_copy (plan);
  comparison->catalogue = plg_catalogue_ref (catalogue);
  comparison->is_selected = is_selected;
  if (self->shown == NULL)
    invalidate (self);
  else if (self->stale_timeout_id == 0)
    self->stale_timeout_id = g_timeout_add (STALE_MILLISECONDS, stale_cb, self);
  if (self->is_running)
    self->pending = comparison;
  else
    start (self, comparison);
}

gboolean
plg_plan_why_is_busy (PlgPlanWhy *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_WHY (self), FALSE);

  return self->is_running;
}

/* The picture ---------------------------------------------------------------------------------- */

static PlgChangesPicture
shown_picture (PlgPlanWhy *self)
{
  return (PlgChangesPicture) { .changes = self->shown->changes,
                               .from = _ ("Open plan"),
                               .to = _ ("Found plan"),
                               .slower = self->shown->slower,
                               .lost = self->shown->lost };
}

static gboolean
has_changes (PlgPlanWhy *self)
{
  return self->shown != NULL && self->shown->changes->len > 0;
}

char *
plg_plan_why_text (PlgPlanWhy *self)
{
  PlgChangesPicture picture;

  g_return_val_if_fail (PLG_IS_PLAN_WHY (self), NULL);

  if (!has_changes (self))
    return NULL;
  picture = shown_picture (self);
  return plg_changes_text (&picture);
}

/* Draws the changes, or a sentence that says why there are none. */
static PlgFigure *
draw (PlgPlanWhy *self, double width)
{
  PlgPictureOptions options = { .embedded = TRUE, .without_ids = TRUE, .width = width };
  const char *note = self->is_running && !self->is_unwanted
                         ? _ ("Comparing the plans…")
                         : _ ("Point at a dot, or select a plan with the arrow keys, to see which "
                              "changes lead from the open plan to it.");
  PlgChangesPicture picture;
  PlgChart chart;

  plg_widget_theme_init (self->palette, &self->theme);
  if (has_changes (self))
    {
      picture = shown_picture (self);
      return plg_changes_figure (&picture, &self->theme, &options);
    }
  if (self->shown != NULL)
    note = _ ("This is the open plan.");
  plg_chart_begin (&chart, &self->theme, &options, NATURAL_WIDTH);
  plg_figure_describe (chart.figure, _ ("Why a plan is faster"), note);
  plg_chart_add_note (&chart, note, chart.font_size);
  return plg_chart_end (&chart);
}

static GtkSizeRequestMode
plg_plan_why_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
plg_plan_why_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  double scale = plg_widget_theme_text_scale (widget);
  g_autoptr (PlgFigure) figure = NULL;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) (280 * scale);
      *natural = (int) (NATURAL_WIDTH * scale);
      return;
    }
  figure = draw (PLG_PLAN_WHY (widget), (for_size > 0 ? for_size : NATURAL_WIDTH) / scale);
  *minimum = *natural = (int) (plg_figure_height (figure) * scale) + 1;
}

static void
paint (PlgPlanWhy *self, int width, int height)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double scale = plg_widget_theme_text_scale (widget);
  g_autoptr (PlgFigure) figure = draw (self, width / scale);

  self->node = plg_surface_pool_draw_figure (self->surface_pool, widget, figure, &self->theme,
                                             scale, width, height);
  self->painted_width = width;
  self->painted_height = height;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  plg_figure_title (figure), -1);
  plg_accessible_set_description (widget, plg_figure_description (figure));
}

static void
plg_plan_why_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgPlanWhy *self = PLG_PLAN_WHY (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (width <= 0 || height <= 0)
    return;
  if (self->node == NULL || self->painted_width != width || self->painted_height != height)
    {
      g_clear_pointer (&self->node, gsk_render_node_unref);
      paint (self, width, height);
    }
  gtk_snapshot_append_node (snapshot, self->node);
}

void
plg_plan_why_set_palette (PlgPlanWhy *self, const char *palette)
{
  g_return_if_fail (PLG_IS_PLAN_WHY (self));

  if (g_strcmp0 (self->palette, palette) == 0)
    return;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  invalidate (self);
}

/* Object --------------------------------------------------------------------------------------- */

static gboolean
step_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  g_signal_emit (widget, signals[STEPPED], 0, g_variant_get_int32 (arguments));
  return TRUE;
}

static void
plg_plan_why_dispose (GObject *object)
{
  PlgPlanWhy *self = PLG_PLAN_WHY (object);

  g_clear_handle_id (&self->stale_timeout_id, g_source_remove);
  g_clear_pointer (&self->pending, comparison_free);
  g_clear_pointer (&self->shown, comparison_free);
  self->is_unwanted = TRUE;
  G_OBJECT_CLASS (plg_plan_why_parent_class)->dispose (object);
}

static void
plg_plan_why_finalize (GObject *object)
{
  PlgPlanWhy *self = PLG_PLAN_WHY (object);

  g_clear_pointer (&self->node, gsk_render_node_unref);
  plg_surface_pool_unref (self->surface_pool);
  g_free (self->palette);
  G_OBJECT_CLASS (plg_plan_why_parent_class)->finalize (object);
}

static void
plg_plan_why_class_init (PlgPlanWhyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = plg_plan_why_dispose;
  object_class->finalize = plg_plan_why_finalize;
  widget_class->get_request_mode = plg_plan_why_get_request_mode;
  widget_class->measure = plg_plan_why_measure;
  widget_class->snapshot = plg_plan_why_snapshot;
  signals[EXPLAINED] = g_signal_new ("explained", PLG_TYPE_PLAN_WHY, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[STEPPED] = g_signal_new ("stepped", PLG_TYPE_PLAN_WHY, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, 0, step_cb, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, 0, step_cb, "i", 1);
  gtk_widget_class_set_css_name (widget_class, "planwhy");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_plan_why_init (PlgPlanWhy *self)
{
  self->surface_pool = plg_surface_pool_new ();
  self->is_unwanted = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  plg_widget_theme_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}
