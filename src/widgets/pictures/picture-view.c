/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/picture-view.h"

#include "drawing/charts/order-comparison.h"
#include "drawing/plans/plans-figure.h"
#include "drawing/export/paint.h"
#include "widgets/accessible-names.h"
#include "widgets/pictures/picture-overlay.h"
#include "widgets/rendering/surface.h"
#include "widgets/widget-theme.h"

#include <string.h>

/* The height at normal text size [points]. */
#define TIMELINE_HEIGHT 132

struct _PlgPictureView
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *palette;
  PlgPicture picture;

  /* The options of the picture. PlgPictureOptions explains them. */
  double moment; /* the time of the cursor [s], or -1 */
  int collective;
  int rank;
  int frame;
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  PlgComparedPlan *compared; /* the plan to compare with, or NULL */
  PlgRange nodes;
  PlgRange columns;
  PlgSweep *sweep; /* the sweep to show, or NULL; owned */

  PlgTheme theme;
  PlgFigure *figure;
  PlgTimelineSpan span; /* the part of the step that a timeline shows */
  int laid_out_width;   /* the width for which the figure is laid out [pixels] */
  int height;           /* the height reserved for the figure [points] */
  PlgSurfacePool *surface_pool;
  GskRenderNode *node;
  int painted_scale;          /* the scale at which the render node was painted [device pixels
                                 per pixel] */
  PlgOrderComparison *orders; /* the last comparison of nesting orders, or NULL; used to find the
                                 entity at a point */

  char *title;
  char *description;
  char *announcement;
  guint notify_idle_id;
  PlgEntity marked_entity;
  int edge; /* the stage before the edge that has a handle, or -1 */
};

G_DEFINE_FINAL_TYPE (PlgPictureView, plg_picture_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_DOCUMENT,
  PROP_PALETTE,
  PROP_PICTURE,
  PROP_DESCRIPTION,
  PROP_TIME,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
fill_options (PlgPictureView *self, PlgPictureOptions *options)
{
  options->collective = self->collective;
  options->rank = self->rank;
  options->frame = self->frame;
  options->nodes = self->nodes;
  options->columns = self->columns;
  options->compared = self->compared;
  options->has_other_order = self->has_other_order;
  options->sweep = self->sweep;
  memcpy (options->other_order, self->other_order, sizeof options->other_order);
}

/* Sentences for screen readers and tooltips */

static char *
describe_entity (PlgPictureView *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);
  PlgPictureOptions options = { 0 };

  /* A sweep would reveal what the report hides. */
  if (entity.kind == PLG_ENTITY_POINT && self->sweep != NULL && report->redaction == 0 &&
      entity.index < self->sweep->columns * self->sweep->rows)
    return plg_sweep_describe_point (self->sweep, entity.index % self->sweep->columns,
                                     entity.index / self->sweep->columns);
  if (entity.kind != PLG_ENTITY_PAIR)
    return plg_describe_entity (plan, report, entity);
  fill_options (self, &options);
  return plg_describe_pair (plan, report, &options, entity.index);
}

/* Sets the accessible name to the description of the marked entity or, if no entity is marked,
 * to the title and the announcement. */
static void
update_accessible_name (PlgPictureView *self)
{
  const char *title = self->title != NULL ? self->title : "";
  g_autofree char *text = NULL, *name = NULL;
  g_auto (GStrv) lines = NULL;

  if (self->marked_entity.kind != PLG_ENTITY_NONE)
    {
      text = describe_entity (self, self->marked_entity);
      lines = g_strsplit (text, "\n", -1);
      name = g_strjoinv (", ", lines);
    }
  else if (self->announcement != NULL)
    name = g_strdup_printf ("%s. %s", title, self->announcement);
  else
    name = g_strdup (title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static gboolean
notify_description_cb (gpointer data)
{
  PlgPictureView *self = data;

  self->notify_idle_id = 0;
  g_object_notify (G_OBJECT (self), "description");
  return G_SOURCE_REMOVE;
}

/* Sets the title and the description if the description has changed; otherwise does nothing, to
 * avoid messages on the accessibility bus. Emits "notify::description" in an idle callback,
 * because a label that shows the description must not request a new size during an allocation. */
static void
set_description (PlgPictureView *self, const char *title, const char *description)
{
  if (g_strcmp0 (description, self->description) == 0)
    return;
  g_free (self->description);
  self->description = g_strdup (description);
  g_free (self->title);
  self->title = g_strdup (title);
  update_accessible_name (self);
  plg_accessible_set_description (GTK_WIDGET (self), description);
  if (self->notify_idle_id == 0)
    self->notify_idle_id = g_idle_add (notify_description_cb, self);
}

/* The figure ----------------------------------------------------------------------------------- */

static void
clear_figure (PlgPictureView *self)
{
  g_clear_pointer (&self->figure, plg_figure_unref);
  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->orders, plg_order_comparison_free);
}

static void
ensure_figure (PlgPictureView *self, int width)
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgPictureOptions options;

  if (self->document == NULL || (self->figure != NULL && self->laid_out_width == width))
    return;
  clear_figure (self);
  plan = plg_document_plan (self->document);
  report = plg_document_report (self->document);
  plg_widget_theme_init (self->palette, &self->theme);
  plg_picture_options_init (&options, plan);
  options.width = width / plg_widget_theme_text_scale (GTK_WIDGET (self));
  options.legend = PLG_LEGEND_BELOW;
  options.embedded = TRUE;
  options.without_ids = TRUE;
  fill_options (self, &options);
  /* Use a fixed height for a timeline, because the window must not grow with the number of
   * stages. */
  if (self->picture == PLG_PICTURE_TIMELINE)
    {
      options.height = TIMELINE_HEIGHT;
      options.has_moment = self->moment >= 0;
      options.moment = self->moment;
      self->span = plg_timeline_span (plan, report, &self->theme, &options);
    }
  options.highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document),
                                                      &options.n_highlighted, &options.n_pins);
  /* In a comparison, highlight only pins, because the other highlights follow the pointer and
   * the focus in the main window. */
  if (self->picture == PLG_PICTURE_COMPARE)
    options.n_highlighted = options.n_pins;
  self->figure = plg_picture_figure (self->picture, plan, report, &self->theme, &options);
  self->laid_out_width = width;
  set_description (self, plg_figure_title (self->figure), plg_figure_description (self->figure));
}

static void
invalidate (PlgPictureView *self)
{
  clear_figure (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Returns the height of the picture. The height changes often during a drag, so the picture
 * keeps its largest height until the drag ends. The widgets below the picture then neither move
 * nor need to be drawn again. */
static int
height_of (PlgPictureView *self)
{
  int height;

  g_assert (self->figure != NULL);
  height = plg_figure_height (self->figure);
  return plg_document_is_previewing (self->document) ? MAX (height, self->height) : height;
}

static void
document_changed_cb (PlgPictureView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = self->height;

  /* Do not update the matrix during a drag, because a drag does not change the routes between
   * GPUs and a matrix may have thousands of cells. */
  if (self->picture == PLG_PICTURE_MATRIX && plg_document_is_previewing (self->document))
    return;
  /* Do not lay out a hidden picture until it is shown. Clear its description now, because the
   * old description is about another plan and may reveal the answer to a question in a lesson. */
  if (width <= 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      set_description (self, "", NULL);
      invalidate (self);
      return;
    }
  g_clear_pointer (&self->figure, plg_figure_unref);
  ensure_figure (self, width);
  /* The window needs a new layout only if the height has changed. */
  if (height_of (self) == height)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  else
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
highlight_changed_cb (PlgPictureView *self)
{
  if (self->picture == PLG_PICTURE_LEDGER || self->picture == PLG_PICTURE_COMPARE)
    document_changed_cb (self);
}

static GtkSizeRequestMode
plg_picture_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
plg_picture_view_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (widget);
  double scale = plg_widget_theme_text_scale (widget);
  int width = for_size > 0 ? for_size : MAX (gtk_widget_get_width (widget), (int) (260 * scale));

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      /* A chart needs a width of at least 200 points (drawing/charts/chart.c). */
      *minimum = 200 * scale;
      *natural = 240 * scale;
      return;
    }
  ensure_figure (self, width);
  if (self->figure != NULL)
    self->height = height_of (self);
  *minimum = *natural = self->height * scale;
}

/* Sets the time of the cursor. Discards the figure if the cursor appears or disappears, or if
 * the shown part of the step does not contain MOMENT, because the timeline may then have to show
 * another part. */
static void
set_moment (PlgPictureView *self, double moment)
{
  gboolean had_moment = self->moment >= 0, has_moment = moment >= 0;

  if (moment == self->moment)
    return;
  self->moment = moment;
  if (had_moment != has_moment ||
      (has_moment && (moment < self->span.from || moment > self->span.to)))
    {
      g_clear_pointer (&self->figure, plg_figure_unref);
      g_clear_pointer (&self->node, gsk_render_node_unref);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIME]);
}

gboolean
plg_picture_view_stage_rows (PlgPictureView *self, PlgStageRows *rows)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  const PlgShape *shapes[2] = { NULL };
  int stages;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self) && rows != NULL, FALSE);

  if (self->document == NULL || self->figure == NULL ||
      (self->picture != PLG_PICTURE_TIMELINE && self->picture != PLG_PICTURE_MEMORY))
    return FALSE;
  stages = plg_document_report (self->document)->stages->len;
  if (stages < 2)
    return FALSE;
  for (int i = 0; i < 2; i++)
    shapes[i] = plg_figure_find_entity (self->figure, (PlgEntity) { PLG_ENTITY_STAGE, 0, i });
  if (shapes[0] == NULL || shapes[1] == NULL)
    return FALSE;
  *rows = (PlgStageRows) {
    .stages = stages,
    .first = (shapes[0]->rect.y + shapes[0]->rect.height / 2) * scale,
    .pitch = (shapes[1]->rect.y - shapes[0]->rect.y) * scale,
    .left = shapes[0]->rect.x * scale,
  };
  return rows->pitch > 0;
}

gboolean
plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;
  PlgStageRows rows;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self) && rect != NULL, FALSE);

  if (self->marked_entity.kind == PLG_ENTITY_STAGE && plg_picture_view_stage_rows (self, &rows))
    {
      double top = rows.first + (self->marked_entity.index - 0.5) * rows.pitch;

      /* Keep the frame off the name of the stage and inside the widget. */
      *rect = (PlgRect) { rows.left, top, gtk_widget_get_width (GTK_WIDGET (self)) - rows.left - 4,
                          rows.pitch };
      return TRUE;
    }
  if (self->figure != NULL && self->marked_entity.kind != PLG_ENTITY_NONE)
    shape = plg_figure_find_entity (self->figure, self->marked_entity);
  if (shape == NULL)
    return FALSE;
  *rect = (PlgRect) { shape->rect.x * scale, shape->rect.y * scale, shape->rect.width * scale,
                      shape->rect.height * scale };
  return TRUE;
}

/* Draws the picture. The picture itself is painted only once. The time cursor and the outline of
 * the marked entity are drawn over it in each frame. */
static void
plg_picture_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (widget);
  gboolean is_timeline = self->picture == PLG_PICTURE_TIMELINE;
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  int device_scale = gtk_widget_get_scale_factor (widget);
  double scale = plg_widget_theme_text_scale (widget);
  PlgSurface *surface;
  PlgStageRows rows;
  PlgRect rect;
  cairo_t *cr;

  if (self->document == NULL || width <= 0 || height <= 0)
    return;
  ensure_figure (self, width);
  if (self->node != NULL && self->painted_scale != device_scale)
    g_clear_pointer (&self->node, gsk_render_node_unref);
  if (self->node == NULL)
    {
      self->painted_scale = device_scale;
      surface = plg_surface_pool_take (self->surface_pool, width, height, device_scale);
      cr = cairo_create (plg_surface_cairo (surface));
      cairo_scale (cr, scale, scale);
      plg_paint_on_screen (cr, self->figure, &self->theme,
                           is_timeline ? PLG_LAYERS_EXPORT & ~(1u << PLG_LAYER_GROUPS)
                                       : PLG_LAYERS_EXPORT);
      cairo_destroy (cr);
      self->node = plg_surface_to_node (surface);
    }
  gtk_snapshot_append_node (snapshot, self->node);
  if (self->moment >= 0 && is_timeline)
    plg_picture_overlay_cursor (snapshot, &self->theme, &self->span, self->moment, scale);
  if (plg_picture_view_marked_rect (self, &rect))
    plg_picture_overlay_frame (snapshot, &self->theme, rect);
  if (self->edge >= 0 && plg_picture_view_stage_rows (self, &rows))
    plg_picture_overlay_edge (snapshot, &self->theme, width,
                              rows.first + (self->edge + 0.5) * rows.pitch);
}

/* Describes the entity at a point [points] in one of the pictures of a comparison. Returns NULL if
 * there is no entity, or if the nesting order of the second cluster is impossible for the plan. */
static char *
describe_in_comparison (PlgPictureView *self, double x, double y)
{
  int n = self->compared != NULL ? 2 * PLG_PLANS_FIGURE_PAIRS : 2;
  PlgPictureOptions options = { 0 };
  const PlgOrderSide *other;

  g_assert (self->figure != NULL);
  for (int nth = 0; nth < n; nth++)
    {
      PlgPoint at = { x, y };
      const PlgFigure *part = plg_figure_get_embedded (self->figure, nth, &at);
      const PlgShape *shape = part != NULL ? plg_figure_hit_test (part, at.x, at.y, 2) : NULL;

      if (shape == NULL)
        continue;
      if (nth % 2 == 0)
        return plg_describe_entity (plg_document_plan (self->document),
                                    plg_document_report (self->document), shape->entity);
      if (self->compared != NULL)
        return plg_describe_entity (self->compared->plan, self->compared->report, shape->entity);
      options.has_other_order = self->has_other_order;
      memcpy (options.other_order, self->other_order, sizeof options.other_order);
      if (self->orders == NULL)
        self->orders = plg_order_comparison_new (plg_document_plan (self->document),
                                                 plg_document_report (self->document), &options,
                                                 NULL);
      if (self->orders == NULL)
        return NULL;
      other = &self->orders->sides[1];
      return plg_describe_entity (other->plan, other->report, shape->entity);
    }
  return NULL;
}

PlgEntity
plg_picture_view_entity_at (PlgPictureView *self, double x, double y)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), (PlgEntity) { .kind = PLG_ENTITY_NONE });

  if (self->figure != NULL)
    shape = plg_figure_hit_test (self->figure, x / scale, y / scale, 2);
  return shape != NULL ? shape->entity : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

char *
plg_picture_view_describe (PlgPictureView *self, double x, double y)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  PlgEntity entity;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), NULL);

  if (self->document == NULL || self->figure == NULL)
    return NULL;
  if (self->picture == PLG_PICTURE_COMPARE)
    return describe_in_comparison (self, x / scale, y / scale);
  entity = plg_picture_view_entity_at (self, x, y);
  return entity.kind == PLG_ENTITY_NONE ? NULL : describe_entity (self, entity);
}

void
plg_picture_view_mark (PlgPictureView *self, PlgEntity entity)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (plg_entity_equal (self->marked_entity, entity))
    return;
  self->marked_entity = entity;
  if (self->figure != NULL)
    update_accessible_name (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_picture_view_announce (PlgPictureView *self, const char *sentence)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (g_strcmp0 (sentence, self->announcement) == 0)
    return;
  g_free (self->announcement);
  self->announcement = g_strdup (sentence);
  if (self->title != NULL)
    update_accessible_name (self);
}

static gboolean
query_tooltip_cb (PlgPictureView *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = is_keyboard ? NULL : plg_picture_view_describe (self, x, y);

  if (text == NULL || *text == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 4, y - 4, 8, 8 });
  return TRUE;
}

static void
set_document (PlgPictureView *self, PlgDocument *document)
{
  if (!g_set_object (&self->document, document))
    return;
  if (document != NULL)
    {
      g_signal_connect_object (document, "pictures-changed", G_CALLBACK (document_changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (plg_document_highlight_model (document), "changed",
                               G_CALLBACK (highlight_changed_cb), self, G_CONNECT_SWAPPED);
    }
  invalidate (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DOCUMENT]);
}

static void
plg_picture_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_PALETTE:
      g_value_set_string (value, self->palette);
      break;
    case PROP_PICTURE:
      g_value_set_string (value, plg_picture_name (self->picture));
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, self->description);
      break;
    case PROP_TIME:
      g_value_set_double (value, self->moment);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_picture_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      set_document (self, g_value_get_object (value));
      break;
    case PROP_PALETTE:
      g_free (self->palette);
      self->palette = g_value_dup_string (value);
      invalidate (self);
      break;
    case PROP_PICTURE:
      if (!plg_picture_from_name (g_value_get_string (value), &self->picture))
        g_warning ("There is no picture \"%s\"", g_value_get_string (value));
      invalidate (self);
      break;
    case PROP_TIME:
      set_moment (self, g_value_get_double (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_picture_view_dispose (GObject *object)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (object);

  g_clear_handle_id (&self->notify_idle_id, g_source_remove);
  g_clear_object (&self->document);
  g_clear_pointer (&self->sweep, plg_sweep_unref);
  clear_figure (self);
  G_OBJECT_CLASS (plg_picture_view_parent_class)->dispose (object);
}

static void
plg_picture_view_finalize (GObject *object)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (object);

  plg_compared_plan_unref (self->compared);
  plg_surface_pool_unref (self->surface_pool);
  g_free (self->palette);
  g_free (self->description);
  g_free (self->title);
  g_free (self->announcement);
  G_OBJECT_CLASS (plg_picture_view_parent_class)->finalize (object);
}

static void
plg_picture_view_class_init (PlgPictureViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = plg_picture_view_get_property;
  object_class->set_property = plg_picture_view_set_property;
  object_class->dispose = plg_picture_view_dispose;
  object_class->finalize = plg_picture_view_finalize;
  widget_class->get_request_mode = plg_picture_view_get_request_mode;
  widget_class->measure = plg_picture_view_measure;
  widget_class->snapshot = plg_picture_view_snapshot;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, PLG_TYPE_DOCUMENT,
                                                   flags);
  properties[PROP_PALETTE] = g_param_spec_string ("palette", NULL, NULL, NULL, flags);
  properties[PROP_PICTURE] = g_param_spec_string ("picture", NULL, NULL, "mfu", flags);
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL,
                                                      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS |
                                                          G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_TIME] = g_param_spec_double ("time", NULL, NULL, -1, G_MAXDOUBLE, -1, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "pictureview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_picture_view_init (PlgPictureView *self)
{
  self->picture = PLG_PICTURE_MFU;
  self->moment = -1;
  self->edge = -1;
  self->surface_pool = plg_surface_pool_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  plg_widget_theme_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}

void
plg_picture_view_set_edge (PlgPictureView *self, int stage)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (self->edge == stage)
    return;
  self->edge = stage;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
plg_picture_view_is_timeline (PlgPictureView *self)
{
  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), FALSE);
  return self->picture == PLG_PICTURE_TIMELINE;
}

gboolean
plg_picture_view_time_at (PlgPictureView *self, double x, double *seconds)
{
  const PlgTimelineSpan *span = &self->span;
  double scale, share;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self) && seconds != NULL, FALSE);

  if (self->picture != PLG_PICTURE_TIMELINE || !(span->right > span->left) ||
      !(span->to > span->from))
    return FALSE;
  scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  share = (x / scale - span->left) / (span->right - span->left);
  *seconds = span->from + CLAMP (share, 0, 1) * (span->to - span->from);
  return TRUE;
}

void
plg_picture_view_set_collective (PlgPictureView *self, int collective, int rank, int frame)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (self->collective == collective && self->rank == rank && self->frame == frame)
    return;
  self->collective = collective;
  self->rank = rank;
  self->frame = frame;
  if (self->document != NULL)
    document_changed_cb (self);
}

void
plg_picture_view_set_sweep (PlgPictureView *self, PlgSweep *sweep)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (sweep != NULL)
    plg_sweep_ref (sweep);
  g_clear_pointer (&self->sweep, plg_sweep_unref);
  self->sweep = sweep;
  /* Clear the marked entity, because its index refers to a point of the former sweep. */
  self->marked_entity = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  invalidate (self);
}

void
plg_picture_view_set_part (PlgPictureView *self, PlgRange nodes, PlgRange columns)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  self->nodes = nodes;
  self->columns = columns;
  /* Clear the marked entity, because its index refers to a cell of the part of the cluster that
   * was shown before. */
  self->marked_entity = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  if (self->document != NULL)
    document_changed_cb (self);
}

void
plg_picture_view_set_other_order (PlgPictureView *self, const PlgAxis order[PLG_N_NESTED_AXES])
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (self->has_other_order && memcmp (self->other_order, order, sizeof self->other_order) == 0)
    return;
  self->has_other_order = TRUE;
  memcpy (self->other_order, order, sizeof self->other_order);
  invalidate (self);
}

void
plg_picture_view_set_compared (PlgPictureView *self, PlgComparedPlan *compared)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (compared != NULL)
    plg_compared_plan_ref (compared);
  plg_compared_plan_unref (self->compared);
  self->compared = compared;
  invalidate (self);
}

void
plg_picture_view_request (PlgPictureView *self, PlgRequest *request)
{
  int n_pins;
  const PlgEntity *highlighted;

  g_return_if_fail (PLG_IS_PICTURE_VIEW (self) && self->document != NULL);

  plg_widget_theme_init (self->palette, &self->theme);
  plg_request_init (request, plg_document_plan (self->document), self->theme.palette);
  request->picture = self->picture;
  request->options.width = gtk_widget_get_width (GTK_WIDGET (self)) /
                           plg_widget_theme_text_scale (GTK_WIDGET (self));
  fill_options (self, &request->options);
  request->sweep = self->sweep != NULL ? plg_sweep_ref (self->sweep) : NULL;
  if (self->compared != NULL)
    request->compared = plg_compared_plan_ref (self->compared);
  highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document), NULL,
                                              &n_pins);
  for (int i = 0; i < n_pins; i++)
    plg_request_highlight (request, highlighted[i], TRUE);
}
