/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The canvas object: properties, allocation, and the updates of all parts after a change in the
 * document. */

#include "widgets/canvas/canvas-private.h"

#include "widgets/announcer.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (PlgCanvas, plg_canvas, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_DOCUMENT,
  PROP_PALETTE,
  PROP_TIME,
  PROP_ZOOM,
  PROP_ZOOM_TEXT,
  PROP_LEGEND_HEIGHT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

/* Allocation ----------------------------------------------------------------------------------- */

static void
plg_canvas_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 360 : 240;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 820 : 640;
}

void
plg_canvas_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  /* Do not fit the cluster during a drag, because the cluster must not move under the pointer. */
  gboolean fits = plg_canvas_is_fitted (self) && !plg_canvas_is_dragging (self);
  gboolean fits_solo_node;
  const PlgFigure *figure;
  int free_height;

  if (self->document == NULL)
    return;
  plg_canvas_ensure_legend (self, width);
  free_height = plg_canvas_free_height_of (self, height);
  fits_solo_node = fits && plg_canvas_fit_solo_node (self, width, free_height);
  if (fits && !fits_solo_node && !plg_canvas_has_figure (self))
    plg_canvas_fit_layout (self, width, free_height);
  figure = plg_canvas_figure (self);
  if (!fits || fits_solo_node)
    plg_canvas_keep_in_sight (self, figure, width, free_height);
  else
    /* Fit the figure up to twice, because the new zoom may change the number of lines in the
     * legend and therefore the height left for the cluster. */
    for (int i = 0, before = -1; i < 2 && free_height != before; i++)
      {
        before = free_height;
        plg_canvas_fit_figure (self, figure, width, free_height);
        plg_canvas_ensure_legend (self, width);
        free_height = plg_canvas_free_height_of (self, height);
      }
  plg_canvas_ensure_legend (self, width);
  plg_canvas_allocate_cells (self);
  plg_canvas_allocate_edges (self, figure);
  plg_canvas_allocate_drag_label (self, width, height);
  plg_canvas_allocate_minimap (self, width, free_height);
  plg_canvas_present_popover (self);
}

/* The document --------------------------------------------------------------------------------- */

static void
document_changed_cb (PlgCanvas *self)
{
  plg_canvas_clear_step_snapshot (self);
  plg_canvas_clear_announcement (self);
  /* Cancel the drag if the plan has changed since the drag started, because a drop would undo
   * that change. */
  if (plg_canvas_is_drag_outdated (self))
    plg_canvas_drag_cancel (self);
  plg_canvas_refresh_selection (self);
  plg_canvas_refresh_highlight (self);
  if (!plg_document_is_previewing (self->document))
    plg_canvas_drop_minimap_figure (self);
  /* Do not update the accessible GPU cells during a pointer drag, because no screen reader needs
   * them then. A drag that has not left its start has no preview, so check for both a drag and a
   * preview. */
  if (plg_canvas_is_keyboard_drag (self) ||
      (!plg_canvas_is_dragging (self) && !plg_document_is_previewing (self->document)))
    plg_canvas_update_cells (self);
  plg_canvas_update_edges (self);
  plg_canvas_invalidate (self);
}

static void
highlight_changed_cb (PlgCanvas *self)
{
  /* Discard the snapshot before the cell is described. After a change of the report, this
   * handler runs before the document emits "changed", so the snapshot may be outdated. */
  plg_canvas_clear_step_snapshot (self);
  plg_canvas_describe_cell (self, plg_canvas_focused (self));
  plg_canvas_invalidate (self);
}

static void
canvas_set_document (PlgCanvas *self, PlgDocument *document)
{
  if (document == self->document)
    return;
  plg_canvas_drag_cancel (self);
  if (self->document != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->document, document_changed_cb, self);
      g_signal_handlers_disconnect_by_func (plg_document_highlight_model (self->document),
                                            highlight_changed_cb, self);
    }
  g_set_object (&self->document, document);
  if (document != NULL)
    {
      g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (plg_document_highlight_model (document), "changed",
                               G_CALLBACK (highlight_changed_cb), self, G_CONNECT_SWAPPED);
      document_changed_cb (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DOCUMENT]);
}

void
plg_canvas_set_time (PlgCanvas *self, double time)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (plg_canvas_shows_time (self, time))
    return;
  plg_canvas_announce (self, NULL);
  if (plg_canvas_set_step_time (self, time))
    plg_canvas_update_minimap_time (self);
  plg_canvas_update_activity (self);
  /* Clear the highlight, because a resting pointer must not dim entities during playback. */
  plg_canvas_clear_hover (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIME]);
}

/* Cancels only the first of these that is active, in this order: the drag, the playback, the
 * locked highlight, the pins. Returns FALSE if nothing is active. */
gboolean
plg_canvas_escape (PlgCanvas *self)
{
  if (plg_canvas_is_dragging (self))
    plg_canvas_drag_cancel (self);
  else if (plg_canvas_is_playing_step (self))
    plg_canvas_set_time (self, -1);
  else if (self->document != NULL && plg_canvas_has_locked_highlight (self))
    plg_canvas_clear_highlight (self);
  else
    return self->document != NULL &&
           plg_highlight_model_unpin_all (plg_document_highlight_model (self->document));
  return TRUE;
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return plg_canvas_escape (PLG_CANVAS (widget));
}

/* Object --------------------------------------------------------------------------------------- */

static gboolean
plg_canvas_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return plg_canvas_move_focus (PLG_CANVAS (widget), direction);
}

static gboolean
plg_canvas_grab_focus (GtkWidget *widget)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  GtkWidget *cell = NULL;

  if (self->document != NULL)
    cell = plg_canvas_cell (self, plg_canvas_focused (self));
  return cell != NULL ? gtk_widget_grab_focus (cell)
                      : GTK_WIDGET_CLASS (plg_canvas_parent_class)->grab_focus (widget);
}

static gboolean
query_tooltip_cb (PlgCanvas *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL, *activity = NULL, *all = NULL;
  PlgEntity entity = plg_canvas_hovered (self);

  if (is_keyboard && self->document != NULL)
    entity = plg_canvas_focus_entity (self, plg_canvas_focused (self));
  /* Show no tooltip in a presentation, because the tooltip would be large and hide the entities
   * next to the pointer. */
  if (plg_canvas_min_text_size (self) > 0 && !is_keyboard)
    return FALSE;
  if (self->document == NULL || plg_canvas_is_dragging (self) || entity.kind == PLG_ENTITY_NONE)
    return FALSE;
  text = plg_describe_entity (plg_document_plan (self->document),
                              plg_document_report (self->document), entity);
  if (text == NULL || *text == '\0')
    return FALSE;
  activity = entity.kind == PLG_ENTITY_GPU ? plg_canvas_gpu_activity (self, entity.index) : NULL;
  all = activity != NULL ? g_strdup_printf ("%s\n%s", activity, text) : NULL;
  gtk_tooltip_set_text (tooltip, all != NULL ? all : text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 4, y - 4, 8, 8 });
  return TRUE;
}

static void
plg_canvas_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgCanvas *self = PLG_CANVAS (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_PALETTE:
      g_value_set_string (value, plg_canvas_palette (self));
      break;
    case PROP_TIME:
      g_value_set_double (value, plg_canvas_time (self));
      break;
    case PROP_ZOOM:
      g_value_set_double (value, plg_canvas_get_zoom (self));
      break;
    case PROP_ZOOM_TEXT:
      g_value_take_string (value,
                           g_strdup_printf ("%.0f\u00a0%%", plg_canvas_get_zoom (self) * 100));
      break;
    case PROP_LEGEND_HEIGHT:
      g_value_set_int (value, plg_canvas_legend_height (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_canvas_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgCanvas *self = PLG_CANVAS (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      canvas_set_document (self, g_value_get_object (value));
      break;
    case PROP_PALETTE:
      plg_canvas_set_palette (self, g_value_get_string (value));
      break;
    case PROP_TIME:
      plg_canvas_set_time (self, g_value_get_double (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_canvas_dispose (GObject *object)
{
  PlgCanvas *self = PLG_CANVAS (object);

  plg_canvas_dispose_view (self);
  plg_canvas_dispose_pointer (self);
  plg_canvas_dispose_drag (self);
  plg_canvas_clear_popovers (self);
  plg_canvas_dispose_keyboard (self);
  plg_canvas_dispose_rendering (self);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (plg_canvas_parent_class)->dispose (object);
}

static void
plg_canvas_finalize (GObject *object)
{
  plg_canvas_finalize_keyboard (PLG_CANVAS (object));
  plg_canvas_finalize_rendering (PLG_CANVAS (object));
  G_OBJECT_CLASS (plg_canvas_parent_class)->finalize (object);
}

static void
plg_canvas_class_init (PlgCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags read_write = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GParamFlags read_only = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = plg_canvas_get_property;
  object_class->set_property = plg_canvas_set_property;
  object_class->dispose = plg_canvas_dispose;
  object_class->finalize = plg_canvas_finalize;
  widget_class->snapshot = plg_canvas_snapshot;
  widget_class->measure = plg_canvas_measure;
  widget_class->size_allocate = plg_canvas_allocate;
  widget_class->focus = plg_canvas_focus;
  widget_class->grab_focus = plg_canvas_grab_focus;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, PLG_TYPE_DOCUMENT,
                                                   read_write);
  properties[PROP_PALETTE] = g_param_spec_string ("palette", NULL, NULL, NULL, read_write);
  properties[PROP_TIME] = g_param_spec_double ("time", NULL, NULL, -1, G_MAXDOUBLE, -1, read_write);
  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, PLG_CANVAS_MIN_ZOOM,
                                               PLG_CANVAS_MAX_ZOOM, 1, read_only);
  properties[PROP_ZOOM_TEXT] = g_param_spec_string ("zoom-text", NULL, NULL, NULL, read_only);
  properties[PROP_LEGEND_HEIGHT] = g_param_spec_int ("legend-height", NULL, NULL, 0, G_MAXINT, 0,
                                                     read_only);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  g_signal_new ("refused", PLG_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
  g_signal_new ("drag-started", PLG_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  g_signal_new ("announced", PLG_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_STRING);

  plg_canvas_install_keys (widget_class);
  plg_canvas_install_page_keys (widget_class);
  plg_canvas_install_menu (widget_class);
  plg_canvas_install_link_keys (widget_class);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_set_css_name (widget_class, "plgcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GRID);
}

static void
announce_cb (GtkWidget *widget, const char *text)
{
  plg_canvas_set_announcement (PLG_CANVAS (widget), text);
}

static void
plg_canvas_init (PlgCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  plg_canvas_init_view (self);
  plg_canvas_init_rendering (self);
  plg_canvas_init_pointer (self);
  plg_canvas_init_keyboard (self);
  plg_canvas_add_minimap (self);
  plg_canvas_init_drag (self);

  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Cluster"), -1);
  plg_announcer_set_function (widget, announce_cb);
  plg_canvas_add_menu (self);
  plg_canvas_add_drop_target (self);
  plg_canvas_add_controllers (self);
  plg_widget_theme_watch (widget, G_CALLBACK (plg_canvas_update_theme));
}

GtkWidget *
plg_canvas_new (void)
{
  return g_object_new (PLG_TYPE_CANVAS, NULL);
}
