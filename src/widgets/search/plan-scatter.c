/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/plan-scatter.h"

#include "drawing/export/paint.h"
#include "widgets/accessible-names.h"
#include "widgets/rendering/surface.h"
#include "widgets/widget-theme.h"

#include <math.h>

/* The distance within which the pointer finds a dot [points]. */
#define REACH 10.0
/* The distance after which a press becomes a drag [pixels]. */
#define DRAG_DISTANCE 6.0

struct _PlgPlanScatter
{
  GtkWidget parent_instance;

  PlgSearchPicture *picture; /* may be NULL */
  char *palette;
  PlgTheme theme;
  PlgSearchScale scale;
  PlgSurfacePool *surface_pool;
  GskRenderNode *node; /* the painted figure; NULL if it must be painted */
  int painted_width, painted_height;
  int pointed; /* the dot under the pointer, or -1 */

  gboolean has_brush;
  double brush[2][2]; /* lowest and highest value on both axes */
  PlgRect dragged;    /* the rectangle of the current drag [pixels] */
  gboolean is_dragging;
};

G_DEFINE_FINAL_TYPE (PlgPlanScatter, plg_plan_scatter, GTK_TYPE_WIDGET)

enum
{
  POINTED,
  PICKED,
  ACTIVATED,
  BRUSHED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
invalidate (PlgPlanScatter *self)
{
  g_clear_pointer (&self->node, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_plan_scatter_set_picture (PlgPlanScatter *self, PlgSearchPicture *picture)
{
  g_return_if_fail (PLG_IS_PLAN_SCATTER (self));

  if (picture != NULL)
    plg_search_picture_ref (picture);
  g_clear_pointer (&self->picture, plg_search_picture_unref);
  self->picture = picture;
  invalidate (self);
}

void
plg_plan_scatter_set_palette (PlgPlanScatter *self, const char *palette)
{
  g_return_if_fail (PLG_IS_PLAN_SCATTER (self));

  if (g_strcmp0 (self->palette, palette) == 0)
    return;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  invalidate (self);
}

gboolean
plg_plan_scatter_is_in_brush (PlgPlanScatter *self, const double value[2])
{
  g_return_val_if_fail (PLG_IS_PLAN_SCATTER (self), TRUE);

  for (int axis = 0; axis < 2 && self->has_brush; axis++)
    if (value[axis] < self->brush[axis][0] || value[axis] > self->brush[axis][1])
      return FALSE;
  return TRUE;
}

gboolean
plg_plan_scatter_clear_brush (PlgPlanScatter *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SCATTER (self), FALSE);

  if (!self->has_brush)
    return FALSE;
  self->has_brush = FALSE;
  g_signal_emit (self, signals[BRUSHED], 0);
  return TRUE;
}

/* Painting ------------------------------------------------------------------------------------- */

static void
plg_plan_scatter_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  double scale = plg_widget_theme_text_scale (widget);

  *minimum = (int) ((orientation == GTK_ORIENTATION_HORIZONTAL ? 220 : 132) * scale);
  *natural = (int) ((orientation == GTK_ORIENTATION_HORIZONTAL ? 420 : 160) * scale);
}

static void
paint (PlgPlanScatter *self, int width, int height)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double scale = plg_widget_theme_text_scale (widget);
  g_autoptr (PlgFigure) figure = NULL;
  PlgPictureOptions options = { .embedded = TRUE, .without_ids = TRUE, .legend = PLG_LEGEND_BELOW };

  plg_widget_theme_init (self->palette, &self->theme);
  options.width = width / scale;
  options.height = height / scale;
  figure = plg_search_figure (self->picture, &self->theme, &options, &self->scale);
  self->node = plg_surface_pool_draw_figure (self->surface_pool, widget, figure, &self->theme,
                                             scale, width, height);
  self->painted_width = width;
  self->painted_height = height;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  plg_figure_title (figure), -1);
  plg_accessible_set_description (widget, plg_figure_description (figure));
}

/* Returns the rectangle of the brush [pixels]. */
static graphene_rect_t
brush_rect (PlgPlanScatter *self)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  PlgPoint low, high;

  if (self->is_dragging)
    return GRAPHENE_RECT_INIT (self->dragged.x, self->dragged.y, self->dragged.width,
                               self->dragged.height);
  low = plg_search_scale_point (&self->scale,
                                (const double[2]) { self->brush[0][0], self->brush[1][0] });
  high = plg_search_scale_point (&self->scale,
                                 (const double[2]) { self->brush[0][1], self->brush[1][1] });
  return GRAPHENE_RECT_INIT (low.x * scale, high.y * scale, (high.x - low.x) * scale,
                             (low.y - high.y) * scale);
}

static void
plg_plan_scatter_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgPlanScatter *self = PLG_PLAN_SCATTER (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (self->picture == NULL || width <= 0 || height <= 0)
    return;
  if (self->node == NULL || self->painted_width != width || self->painted_height != height)
    {
      g_clear_pointer (&self->node, gsk_render_node_unref);
      paint (self, width, height);
    }
  gtk_snapshot_append_node (snapshot, self->node);
  if (self->has_brush || self->is_dragging)
    {
      graphene_rect_t rect = brush_rect (self);
      GskRoundedRect border;
      PlgColor accent = self->theme.role[PLG_ROLE_ACCENT];
      GdkRGBA color = { accent.red, accent.green, accent.blue, 1.0 };
      const GdkRGBA colors[4] = { color, color, color, color };
      const float widths[4] = { 1, 1, 1, 1 };

      gsk_rounded_rect_init_from_rect (&border, &rect, 0);
      gtk_snapshot_append_border (snapshot, &border, widths, colors);
    }
}

/* The pointer ---------------------------------------------------------------------------------- */

static int
dot_at (PlgPlanScatter *self, double x, double y)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));

  if (self->picture == NULL || self->node == NULL)
    return -1;
  return plg_search_picture_find (self->picture, &self->scale, x / scale, y / scale, REACH);
}

static void
set_pointed (PlgPlanScatter *self, int pointed)
{
  if (pointed == self->pointed)
    return;
  self->pointed = pointed;
  g_signal_emit (self, signals[POINTED], 0, pointed);
}

static void
motion_cb (PlgPlanScatter *self, double x, double y)
{
  if (!self->is_dragging)
    set_pointed (self, dot_at (self, x, y));
}

static void
leave_cb (PlgPlanScatter *self)
{
  set_pointed (self, -1);
}

static void
drag_update_cb (PlgPlanScatter *self, double dx, double dy, GtkGestureDrag *drag)
{
  double x, y;

  if (!self->is_dragging && dx * dx + dy * dy < DRAG_DISTANCE * DRAG_DISTANCE)
    return;
  gtk_gesture_drag_get_start_point (drag, &x, &y);
  self->is_dragging = TRUE;
  self->dragged = (PlgRect) { MIN (x, x + dx), MIN (y, y + dy), ABS (dx), ABS (dy) };
  set_pointed (self, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Ends a drag: the rectangle becomes the brush. A click picks a dot, or removes the brush. */
static void
drag_end_cb (PlgPlanScatter *self, double dx, double dy, GtkGestureDrag *drag)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self)), x, y;
  const PlgRect *area = &self->scale.area;
  int dot;

  gtk_gesture_drag_get_start_point (drag, &x, &y);
  if (!self->is_dragging)
    {
      dot = dot_at (self, x, y);
      if (dot >= 0)
        g_signal_emit (self, signals[PICKED], 0, dot);
      else
        plg_plan_scatter_clear_brush (self);
      return;
    }
  self->is_dragging = FALSE;
  self->has_brush = TRUE;
  for (int axis = 0; axis < 2; axis++)
    {
      double from = (axis == 0 ? self->dragged.x : self->dragged.y) / scale;
      double size = (axis == 0 ? self->dragged.width : self->dragged.height) / scale;
      double start = axis == 0 ? area->x : area->y, length = axis == 0 ? area->width : area->height;
      double low = CLAMP ((from - start) / length, 0.0, 1.0);
      double high = CLAMP ((from + size - start) / length, 0.0, 1.0);
      double range = self->scale.last[axis] - self->scale.first[axis];

      self->brush[axis][0] = self->scale.first[axis] + range * (axis == 0 ? low : 1.0 - high);
      self->brush[axis][1] = self->scale.first[axis] + range * (axis == 0 ? high : 1.0 - low);
    }
  g_signal_emit (self, signals[BRUSHED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_cancel_cb (PlgPlanScatter *self)
{
  self->is_dragging = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The keyboard --------------------------------------------------------------------------------- */

/* The share of an axis by which a key moves an edge of the rectangle. */
#define BRUSH_STEP 0.05

static const PlgSearchDot *
dot_with_index (PlgPlanScatter *self, int dot)
{
  return &g_array_index (self->picture->dots, PlgSearchDot, dot);
}

/* Returns the dot of the front, not hidden by the rectangle, that follows VALUE on the horizontal
 * axis in DIRECTION, or -1. */
static int
next_on_front (PlgPlanScatter *self, double value, int direction)
{
  int next = -1;

  for (int i = 0; i < (int) self->picture->dots->len; i++)
    {
      const PlgSearchDot *dot = dot_with_index (self, i);

      if (dot->is_front && !dot->is_outside && !dot->is_dimmed &&
          direction * dot->value[0] > direction * value &&
          (next < 0 ||
           direction * dot->value[0] < direction * dot_with_index (self, next)->value[0]))
        next = i;
    }
  return next;
}

/* Picks the next dot of the front to the left (-1) or to the right (1), or the last one in that
 * direction (-2, 2). */
static gboolean
pick_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanScatter *self = PLG_PLAN_SCATTER (widget);
  int step = g_variant_get_int32 (arguments), direction = step > 0 ? 1 : -1, dot;
  gboolean is_end = step != direction;

  if (self->picture == NULL)
    return FALSE;
  if (is_end)
    dot = next_on_front (self, direction * INFINITY, -direction);
  else if (self->picture->selected >= 0)
    dot = next_on_front (self, dot_with_index (self, self->picture->selected)->value[0], direction);
  else
    dot = next_on_front (self, -direction * INFINITY, direction);
  if (dot >= 0)
    g_signal_emit (self, signals[PICKED], 0, dot);
  return TRUE;
}

/* Moves the right (1) or the left (-1) edge of the rectangle outwards on axis 0, or the upper or
 * lower edge on axis 1. The rectangle starts at the selected plan or, without one, at the open
 * plan. */
static gboolean
grow_brush_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPlanScatter *self = PLG_PLAN_SCATTER (widget);
  const double *start;
  int axis, direction;

  g_variant_get (arguments, "(ii)", &axis, &direction);
  /* The scale is that of the last painted picture. */
  if (self->picture == NULL || self->scale.area.width <= 0 ||
      (self->picture->selected < 0 && !self->picture->has_own))
    return FALSE;
  start = self->picture->selected >= 0 ? dot_with_index (self, self->picture->selected)->value
                                       : self->picture->own;
  for (int i = 0; i < 2 && !self->has_brush; i++)
    {
      double range = (self->scale.last[i] - self->scale.first[i]) * BRUSH_STEP;

      self->brush[i][0] = MAX (start[i] - range, self->scale.first[i]);
      self->brush[i][1] = MIN (start[i] + range, self->scale.last[i]);
    }
  self->has_brush = TRUE;
  self->brush[axis][direction > 0] += direction * BRUSH_STEP *
                                      (self->scale.last[axis] - self->scale.first[axis]);
  self->brush[axis][direction > 0] = CLAMP (self->brush[axis][direction > 0],
                                            self->scale.first[axis], self->scale.last[axis]);
  g_signal_emit (self, signals[BRUSHED], 0);
  gtk_widget_queue_draw (widget);
  return TRUE;
}

static gboolean
activate_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  g_signal_emit (widget, signals[ACTIVATED], 0);
  return TRUE;
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_plan_scatter_finalize (GObject *object)
{
  PlgPlanScatter *self = PLG_PLAN_SCATTER (object);

  g_clear_pointer (&self->node, gsk_render_node_unref);
  plg_surface_pool_unref (self->surface_pool);
  g_clear_pointer (&self->picture, plg_search_picture_unref);
  g_free (self->palette);
  G_OBJECT_CLASS (plg_plan_scatter_parent_class)->finalize (object);
}

static void
plg_plan_scatter_class_init (PlgPlanScatterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_plan_scatter_finalize;
  widget_class->measure = plg_plan_scatter_measure;
  widget_class->snapshot = plg_plan_scatter_snapshot;
  signals[POINTED] = g_signal_new ("pointed", PLG_TYPE_PLAN_SCATTER, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[PICKED] = g_signal_new ("picked", PLG_TYPE_PLAN_SCATTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[ACTIVATED] = g_signal_new ("activated", PLG_TYPE_PLAN_SCATTER, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  signals[BRUSHED] = g_signal_new ("brushed", PLG_TYPE_PLAN_SCATTER, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, pick_cb, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, pick_cb, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, pick_cb, "i", -2);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_End, 0, pick_cb, "i", 2);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_SHIFT_MASK, grow_brush_cb, "(ii)",
                                0, -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_SHIFT_MASK, grow_brush_cb, "(ii)",
                                0, 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_SHIFT_MASK, grow_brush_cb, "(ii)",
                                1, -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_SHIFT_MASK, grow_brush_cb, "(ii)", 1,
                                1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, activate_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, activate_cb, NULL);
  gtk_widget_class_set_css_name (widget_class, "planscatter");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_plan_scatter_init (PlgPlanScatter *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->pointed = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  self->surface_pool = plg_surface_pool_new ();
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (drag_end_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "cancel", G_CALLBACK (drag_cancel_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  plg_widget_theme_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}
