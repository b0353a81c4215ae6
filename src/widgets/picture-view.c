/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/picture-view.h"

#include "drawing/orders.h"
#include "drawing/paint.h"
#include "widgets/look.h"
#include "widgets/overlay.h"
#include "widgets/slate.h"

#include <string.h>

/* Points, at normal text size. */
#define TIMELINE_HEIGHT 132

struct _PlgPictureView
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *palette;
  PlgPicture picture;

  PlgTheme theme;
  PlgFigure *figure;
  PlgSlateRack *rack;
  GskRenderNode *node;
  int painted_scale; /* pixels a point of the node */
  PlgOrders *orders; /* of a comparison, once something of the other side was pointed at */
  int laid_out_width;
  int height; /* that the figure needs at this width */
  char *description;
  guint notify_id;
  double moment; /* -1: none */
  PlgTimelineSpan span;
  int collective;
  int rank;
  int frame;
  PlgThing marked;
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  PlgRange nodes;
  PlgRange columns;
};

G_DEFINE_FINAL_TYPE (PlgPictureView, plg_picture_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_DOCUMENT,
  PROP_PALETTE,
  PROP_PICTURE,
  PROP_DESCRIPTION,
  PROP_MOMENT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

/* What of the plan the picture is of. */
static void
set_choice (PlgPictureView *self, PlgPictureOptions *options)
{
  options->collective = self->collective;
  options->rank = self->rank;
  options->frame = self->frame;
  options->nodes = self->nodes;
  options->columns = self->columns;
  options->has_other_order = self->has_other_order;
  memcpy (options->other_order, self->other_order, sizeof options->other_order);
}

static PlgFigure *
lay_out (PlgPictureView *self, int width)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  PlgPictureOptions options;

  plg_look_theme (self->palette, &self->theme);
  plg_picture_options_init (&options, plg_document_plan (self->document));
  options.width = width / scale;
  options.legend = TRUE;
  options.embedded = TRUE;
  options.nameless = TRUE;
  set_choice (self, &options);
  /* However many stages there are, the window must not grow with them. */
  if (self->picture == PLG_PICTURE_TIMELINE)
    {
      options.height = TIMELINE_HEIGHT;
      options.has_moment = self->moment >= 0;
      options.moment = self->moment;
      self->span = plg_timeline_span (plg_document_plan (self->document),
                                      plg_document_report (self->document), &self->theme, &options);
    }
  options.lit = plg_spotlight_lit (plg_document_spotlight (self->document), &options.n_lit,
                                   &options.n_pins);
  /* What is pointed at is in the main window, and the focus there lasts. */
  if (self->picture == PLG_PICTURE_COMPARE)
    options.n_lit = options.n_pins;
  return plg_picture_figure (self->picture, plg_document_plan (self->document),
                             plg_document_report (self->document), &self->theme, &options);
}

static gboolean
notify_description_cb (gpointer data)
{
  PlgPictureView *self = data;

  self->notify_id = 0;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DESCRIPTION]);
  return G_SOURCE_REMOVE;
}

/* THING of this picture in words; g_free(). */
static char *
describe (PlgPictureView *self, PlgThing thing)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);
  PlgPictureOptions options = { 0 };

  set_choice (self, &options);
  return thing.kind == PLG_THING_PAIR ? plg_describe_pair (plan, report, &options, thing.index)
                                      : plg_describe_thing (plan, report, thing);
}

/* What the picture is, or what is marked of it. */
static void
tell_label (PlgPictureView *self, const char *title)
{
  g_autofree char *words = NULL, *marked = NULL;
  g_auto (GStrv) lines = NULL;

  if (self->marked.kind != PLG_THING_NONE)
    {
      words = describe (self, self->marked);
      lines = g_strsplit (words, "\n", -1);
      marked = g_strjoinv (", ", lines);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  marked != NULL ? marked : title, -1);
}

/* Screen readers hear the picture's own description, and the bus is spared what did not change.
 * Others are told a little later, for this may be an allocation, when a label that shows it must
 * not ask for another size. */
static void
take_description (PlgPictureView *self, const char *title, const char *description)
{
  if (g_strcmp0 (description, self->description) == 0)
    return;
  g_free (self->description);
  self->description = g_strdup (description);
  tell_label (self, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
  if (self->notify_id == 0)
    self->notify_id = g_idle_add (notify_description_cb, self);
}

static void
update_description (PlgPictureView *self)
{
  take_description (self, plg_figure_title (self->figure), plg_figure_description (self->figure));
}

static void
clear_figure (PlgPictureView *self)
{
  g_clear_pointer (&self->figure, plg_figure_unref);
  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->orders, plg_orders_free);
}

static void
ensure_figure (PlgPictureView *self, int width)
{
  if (self->document == NULL || (self->figure != NULL && self->laid_out_width == width))
    return;
  clear_figure (self);
  self->figure = lay_out (self, width);
  self->laid_out_width = width;
  update_description (self);
}

static void
invalidate (PlgPictureView *self)
{
  clear_figure (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A drag goes through many heights, as stages and kinds of loss come and go: until it ends, the
 * picture keeps the greatest, or all that stands below would jump, and be painted, each time. */
static int
height_of (PlgPictureView *self)
{
  int height = plg_figure_height (self->figure);

  return plg_document_is_previewing (self->document) ? MAX (height, self->height) : height;
}

/* An equal height spares the whole window a new layout. */
static void
document_changed_cb (PlgPictureView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = self->height;

  /* No drag changes which way leads from GPU to GPU, and there may be thousands of cells. */
  if (self->picture == PLG_PICTURE_MATRIX && plg_document_is_previewing (self->document))
    return;
  /* What is on no screen is drawn when it gets there. Until then it has nothing to say: what it
   * said before was of another plan, and may be what a question is about. */
  if (width <= 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      take_description (self, "", NULL);
      invalidate (self);
      return;
    }
  g_clear_pointer (&self->figure, plg_figure_unref);
  ensure_figure (self, width);
  if (height_of (self) == height)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  else
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
spotlight_changed_cb (PlgPictureView *self)
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
  double scale = plg_look_text_scale (widget);
  int width = for_size > 0 ? for_size : MAX (gtk_widget_get_width (widget), (int) (260 * scale));

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = 240 * scale;
      return;
    }
  ensure_figure (self, width);
  if (self->figure != NULL)
    self->height = height_of (self);
  *minimum = *natural = self->height * scale;
}

/* The cursor of a timeline is drawn here for each frame; all else stays. */
static PlgLayers
layers_kept (PlgPictureView *self)
{
  return self->picture == PLG_PICTURE_TIMELINE ? PLG_LAYERS_EXPORT & ~(1u << PLG_LAYER_GROUPS)
                                               : PLG_LAYERS_EXPORT;
}

static void
snapshot_mark (PlgPictureView *self, GtkSnapshot *snapshot)
{
  PlgRect rect;

  if (plg_picture_view_marked_rect (self, &rect))
    plg_overlay_frame (snapshot, &self->theme, rect);
}

/* A timeline that shows a part of the step turns the page when the moment leaves it. */
static void
set_moment (PlgPictureView *self, double moment)
{
  gboolean had = self->moment >= 0, has = moment >= 0;

  if (moment == self->moment)
    return;
  self->moment = moment;
  if (had != has || (has && (moment < self->span.from || moment > self->span.to)))
    {
      g_clear_pointer (&self->figure, plg_figure_unref);
      g_clear_pointer (&self->node, gsk_render_node_unref);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MOMENT]);
}

/* Painted once, not whenever something beside the picture changes. */
static GskRenderNode *
paint (PlgPictureView *self, int width, int height)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  PlgSlate *slate;
  cairo_t *cr;

  self->painted_scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  slate = plg_slate_take (self->rack, width, height, self->painted_scale);
  cr = cairo_create (plg_slate_surface (slate));
  cairo_scale (cr, scale, scale);
  plg_paint_quickly (cr, self->figure, &self->theme, layers_kept (self));
  cairo_destroy (cr);
  return plg_slate_show (slate);
}

static void
plg_picture_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  double scale = plg_look_text_scale (widget);

  if (self->document == NULL || width <= 0 || height <= 0)
    return;
  ensure_figure (self, width);
  if (self->node != NULL && self->painted_scale != gtk_widget_get_scale_factor (widget))
    g_clear_pointer (&self->node, gsk_render_node_unref);
  if (self->node == NULL)
    self->node = paint (self, width, height);
  gtk_snapshot_append_node (snapshot, self->node);
  if (self->moment >= 0 && self->picture == PLG_PICTURE_TIMELINE)
    plg_overlay_cursor (snapshot, &self->theme, &self->span, self->moment, scale);
  snapshot_mark (self, snapshot);
}

/* The plan in the other order and its report; NULL where that cannot be. */
static const PlgOrderSide *
other_side (PlgPictureView *self)
{
  PlgPictureOptions options = { .has_other_order = self->has_other_order };

  memcpy (options.other_order, self->other_order, sizeof options.other_order);
  if (self->orders == NULL)
    self->orders = plg_orders_new (plg_document_plan (self->document),
                                   plg_document_report (self->document), &options, NULL);
  return self->orders != NULL ? &self->orders->sides[1] : NULL;
}

/* What stands at (X, Y) of one of the clusters of a comparison, in words, or NULL. */
static char *
describe_in_comparison (PlgPictureView *self, double x, double y)
{
  for (int side = 0; side < 2; side++)
    {
      PlgPoint at = { x, y };
      const PlgFigure *part = plg_figure_placed (self->figure, side, &at);
      const PlgShape *shape = part != NULL ? plg_figure_hit (part, at.x, at.y, 2) : NULL;
      const PlgOrderSide *other = shape != NULL && side == 1 ? other_side (self) : NULL;

      if (shape != NULL && side == 0)
        return plg_describe_thing (plg_document_plan (self->document),
                                   plg_document_report (self->document), shape->thing);
      if (other != NULL)
        return plg_describe_thing (other->plan, other->report, shape->thing);
    }
  return NULL;
}

PlgThing
plg_picture_view_thing_at (PlgPictureView *self, double x, double y)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), (PlgThing) { .kind = PLG_THING_NONE });

  if (self->figure != NULL)
    shape = plg_figure_hit (self->figure, x / scale, y / scale, 2);
  return shape != NULL ? shape->thing : (PlgThing) { .kind = PLG_THING_NONE };
}

char *
plg_picture_view_describe (PlgPictureView *self, double x, double y)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  PlgThing thing;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), NULL);

  if (self->document == NULL || self->figure == NULL)
    return NULL;
  if (self->picture == PLG_PICTURE_COMPARE)
    return describe_in_comparison (self, x / scale, y / scale);
  thing = plg_picture_view_thing_at (self, x, y);
  return thing.kind == PLG_THING_NONE ? NULL : describe (self, thing);
}

static gboolean
query_tooltip_cb (PlgPictureView *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = keyboard ? NULL : plg_picture_view_describe (self, x, y);

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
      g_signal_connect_object (document, "followed", G_CALLBACK (document_changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (plg_document_spotlight (document), "changed",
                               G_CALLBACK (spotlight_changed_cb), self, G_CONNECT_SWAPPED);
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
    case PROP_MOMENT:
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
    case PROP_MOMENT:
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

  g_clear_handle_id (&self->notify_id, g_source_remove);
  g_clear_object (&self->document);
  clear_figure (self);
  G_OBJECT_CLASS (plg_picture_view_parent_class)->dispose (object);
}

static void
plg_picture_view_finalize (GObject *object)
{
  PlgPictureView *self = PLG_PICTURE_VIEW (object);

  plg_slate_rack_unref (self->rack);
  g_free (self->palette);
  g_free (self->description);
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
  properties[PROP_MOMENT] = g_param_spec_double ("moment", NULL, NULL, -1, G_MAXDOUBLE, -1, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "pictureview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_picture_view_init (PlgPictureView *self)
{
  self->picture = PLG_PICTURE_MFU;
  self->moment = -1;
  self->rack = plg_slate_rack_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  plg_look_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}

GtkWidget *
plg_picture_view_new (void)
{
  return g_object_new (PLG_TYPE_PICTURE_VIEW, NULL);
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
  scale = plg_look_text_scale (GTK_WIDGET (self));
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
plg_picture_view_set_part (PlgPictureView *self, PlgRange nodes, PlgRange columns)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  self->nodes = nodes;
  self->columns = columns;
  /* Its cells are others. */
  self->marked = (PlgThing) { .kind = PLG_THING_NONE };
  if (self->document != NULL)
    document_changed_cb (self);
}

void
plg_picture_view_mark (PlgPictureView *self, PlgThing thing)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (plg_thing_equal (self->marked, thing))
    return;
  self->marked = thing;
  if (self->figure != NULL)
    tell_label (self, plg_figure_title (self->figure));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self) && rect != NULL, FALSE);

  if (self->figure != NULL && self->marked.kind != PLG_THING_NONE)
    shape = plg_figure_find_thing (self->figure, self->marked);
  if (shape == NULL)
    return FALSE;
  *rect = (PlgRect) { shape->rect.x * scale, shape->rect.y * scale, shape->rect.width * scale,
                      shape->rect.height * scale };
  return TRUE;
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
plg_picture_view_request (PlgPictureView *self, PlgRequest *request)
{
  int n_pins;
  const PlgThing *lit;

  g_return_if_fail (PLG_IS_PICTURE_VIEW (self) && self->document != NULL);

  plg_look_theme (self->palette, &self->theme);
  plg_request_init (request, plg_document_plan (self->document), self->theme.palette);
  request->picture = self->picture;
  request->options.width = gtk_widget_get_width (GTK_WIDGET (self)) /
                           plg_look_text_scale (GTK_WIDGET (self));
  set_choice (self, &request->options);
  lit = plg_spotlight_lit (plg_document_spotlight (self->document), NULL, &n_pins);
  for (int i = 0; i < n_pins; i++)
    plg_request_light (request, lit[i], TRUE);
}
