/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/canvas/canvas-private.h"

#include "document/fault-impact.h"
#include "widgets/canvas/gpu-cell.h"
#include "widgets/canvas/edge-handle.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>

/* Threads that paint the picture: more would wait for each other's memory. */
#define MAX_PAINT_THREADS 4

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

enum
{
  REFUSED,
  ANNOUNCED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* Drawing -------------------------------------------------------------------------------------- */

static PlgEntity
nothing (void)
{
  return (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

/* The groups of the selected GPU would be taken for those of what is lit, unless people are at it.
 * Whether GTK shows the focus says little of that: it stops after some seconds. */
static gboolean
shows_selection (PlgCanvas *self)
{
  int n_highlighted;

  plg_highlight_model_entities (plg_document_highlight_model (self->document), &n_highlighted,
                                NULL);
  return n_highlighted == 0 || self->hovered.kind == PLG_ENTITY_GPU ||
         (self->keyboard_mode && gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL);
}

int
plg_canvas_outlined (PlgCanvas *self)
{
  if (!shows_selection (self))
    return -1;
  return self->hovered_gpu >= 0 ? self->hovered_gpu : self->selected;
}

void
plg_canvas_get_options (PlgCanvas *self, PlgPictureOptions *options)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  plg_picture_options_init (options, plg_document_plan (self->document));
  options->legend = PLG_LEGEND_BELOW;
  options->handles = TRUE;
  options->min_text_size = self->min_text_size;
  plg_canvas_fill_time_options (self, options);
  if (self->drag == NULL)
    options
        ->highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document),
                                                      &options->n_highlighted, &options->n_pins);
  if (self->drag != NULL)
    options->selected = (PlgEntity) { .kind = PLG_ENTITY_HANDLE,
                                      .axis = self->drag_axis,
                                      .index = self->drag_rank };
  else if (plg_canvas_outlined (self) >= 0)
    options->selected = (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = plg_canvas_outlined (self) };
}

static void
update_edges (PlgCanvas *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    plg_edge_handle_set_degree (PLG_EDGE_HANDLE (self->edges[axis]),
                                plan->parallelism.degree[axis]);
}

/* Nothing is laid out here: however often this is called, there is one layout a frame, in the
 * allocation or the snapshot that follows. */
void
plg_canvas_invalidate (PlgCanvas *self)
{
  g_clear_pointer (&self->figure, plg_figure_unref);
  self->figure_is_changed = TRUE;
  self->legend_zoom = 0;
  plg_canvas_invalidate_view (self);
}

void
plg_canvas_invalidate_figure (PlgCanvas *self)
{
  g_clear_pointer (&self->figure, plg_figure_unref);
  self->figure_is_changed = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_canvas_invalidate_view (PlgCanvas *self)
{
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Selection and edits ---------------------------------------------------------------------------
 */

PlgAxis
plg_canvas_drag_axis (PlgCanvas *self)
{
  switch (plg_document_plan (self->document)->view.show)
    {
    case PLG_SHOW_CP:
      return PLG_AXIS_CP;
    case PLG_SHOW_EP:
      return PLG_AXIS_EP;
    case PLG_SHOW_PP:
      return PLG_AXIS_PP;
    case PLG_SHOW_DP:
      return PLG_AXIS_DP;
    case PLG_SHOW_ALL:
    case PLG_SHOW_TP:
    case PLG_SHOW_MEMORY:
    default:
      return PLG_AXIS_TP;
    }
}

PlgDragKind
plg_canvas_tile_drag_kind (PlgCanvas *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  gboolean all = plan->view.show == PLG_SHOW_ALL || plan->view.show == PLG_SHOW_MEMORY;

  return all || plan->parallelism.degree[plg_canvas_drag_axis (self)] <= 1 ? PLG_DRAG_RANK
                                                                           : PLG_DRAG_GROUP;
}

int
plg_canvas_rank_of_gpu (PlgCanvas *self, int gpu)
{
  return plg_placement_rank (&plg_document_plan (self->document)->placement, gpu);
}

void
plg_canvas_select (PlgCanvas *self, int gpu)
{
  GtkWidget *old = plg_canvas_cell (self, self->selected), *cell = plg_canvas_cell (self, gpu);

  self->found_entity = nothing ();
  if (self->selected == gpu && self->hovered_gpu < 0)
    return;
  if (old != NULL)
    plg_gpu_cell_set_selected (PLG_GPU_CELL (old), FALSE);
  if (cell != NULL)
    plg_gpu_cell_set_selected (PLG_GPU_CELL (cell), TRUE);
  self->selected = gpu;
  self->hovered_gpu = -1;
  plg_canvas_invalidate (self);
}

void
plg_canvas_emit_refused (PlgCanvas *self, const GError *error)
{
  plg_canvas_announce (self, error->message);
  g_signal_emit (self, signals[REFUSED], 0, error->message);
}

void
plg_canvas_emit_announced (PlgCanvas *self, const char *message)
{
  plg_canvas_announce (self, message);
  g_signal_emit (self, signals[ANNOUNCED], 0, message);
}

gboolean
plg_canvas_apply (PlgCanvas *self, const PlgPlan *plan, const char *label)
{
  g_autoptr (PlgReport) before = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = NULL;

  before = plg_report_ref ((PlgReport *) plg_document_committed_report (self->document));
  if (!plg_document_apply (self->document, plan, label, NULL, &error))
    {
      plg_canvas_emit_refused (self, error);
      return FALSE;
    }
  told = plg_fault_impact_describe_change (label, before,
                                           plg_document_committed_report (self->document));
  plg_canvas_emit_announced (self, told);
  return TRUE;
}

/* The link that the pointer has lit, as the new report numbers it: where it leaves, that goes out.
 */
static PlgEntity
pointed_link (PlgCanvas *self)
{
  PlgEntity entity = plg_highlight_model_hovered (plg_document_highlight_model (self->document));

  return !self->highlight_locked && entity.kind == PLG_ENTITY_LINK && entity.index >= 0
             ? entity
             : nothing ();
}

static void
document_changed_cb (PlgCanvas *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  int gpus = plg_cluster_gpus (&plan->cluster);

  plg_canvas_clear_step_snapshot (self);
  g_clear_pointer (&self->announcement, g_free);
  /* A drop would put the plan back to what it was before somebody else changed it. */
  if (self->drag != NULL && self->drag_report != plg_document_committed_report (self->document))
    plg_canvas_drag_cancel (self);
  if (self->selected >= gpus)
    self->selected = -1;
  if (self->hovered_gpu >= gpus)
    self->hovered_gpu = -1;
  self->focused = CLAMP (self->focused, 0, gpus - 1);
  /* Link numbers mean something else in the new report. */
  if (self->hovered.kind == PLG_ENTITY_LINK)
    self->hovered = pointed_link (self);
  if (self->found_entity.kind == PLG_ENTITY_LINK)
    self->found_entity = nothing ();
  g_clear_handle_id (&self->highlight_timeout_id, g_source_remove);
  /* What was lit to be looked at in another plan. */
  if (self->highlight_locked &&
      self->highlight_locked_report != plg_document_committed_report (self->document))
    plg_canvas_clear_highlight (self);
  if (!plg_document_is_previewing (self->document))
    self->has_map = FALSE;
  /* While a pointer drags, nobody listens to 64 cells a frame; over where it began there is nothing
   * to preview. */
  if (self->drag_by_keyboard ||
      (self->drag == NULL && !plg_document_is_previewing (self->document)))
    plg_canvas_update_cells (self);
  update_edges (self);
  plg_canvas_invalidate (self);
}

static void
highlight_changed_cb (PlgCanvas *self)
{
  /* It also changes with the report, before the document tells of that. */
  plg_canvas_clear_step_snapshot (self);
  plg_canvas_describe_cell (self, self->focused);
  plg_canvas_invalidate (self);
}

static void
set_document (PlgCanvas *self, PlgDocument *document)
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

static void
look_changed_cb (PlgCanvas *self)
{
  self->has_map = FALSE;
  plg_canvas_invalidate (self);
}

static void
set_palette (PlgCanvas *self, const char *palette)
{
  if (g_strcmp0 (palette, self->palette) == 0)
    return;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  look_changed_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PALETTE]);
}

void
plg_canvas_set_min_text_size (PlgCanvas *self, double pixels)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (pixels == self->min_text_size)
    return;
  self->min_text_size = pixels;
  plg_canvas_invalidate (self);
}

/* Tests and benchmarks ------------------------------------------------------------------------- */

PlgPalette
plg_canvas_get_palette (PlgCanvas *self)
{
  PlgTheme theme;

  g_return_val_if_fail (PLG_IS_CANVAS (self), PLG_PALETTE_LIGHT);
  plg_widget_theme_init (self->palette, &theme);
  return theme.palette;
}

int
plg_canvas_get_selected (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);
  return self->selected;
}

guint
plg_canvas_n_layouts (PlgCanvas *self)
{
  return self->n_layouts;
}

guint
plg_canvas_n_paints (PlgCanvas *self)
{
  return self->n_paints;
}

gboolean
plg_canvas_is_sharp (PlgCanvas *self)
{
  return plg_tiles_are_sharp (self->tiles);
}

const PlgFigure *
plg_canvas_figure (PlgCanvas *self)
{
  plg_canvas_ensure_figure (self);
  return self->figure;
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

  if (self->document != NULL && plg_canvas_cell (self, self->focused) != NULL)
    return gtk_widget_grab_focus (plg_canvas_cell (self, self->focused));
  return GTK_WIDGET_CLASS (plg_canvas_parent_class)->grab_focus (widget);
}

static gboolean
query_tooltip_cb (PlgCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL, *activity = NULL, *all = NULL;
  PlgEntity entity = self->hovered;

  if (keyboard && self->document != NULL)
    entity = plg_canvas_focus_entity (self, self->focused);
  /* To who sits far away it would be large, and lie over what the pointer rests beside. */
  if (self->min_text_size > 0 && !keyboard)
    return FALSE;
  if (self->document == NULL || self->drag != NULL || entity.kind == PLG_ENTITY_NONE)
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
      g_value_set_string (value, self->palette);
      break;
    case PROP_TIME:
      g_value_set_double (value, self->moment);
      break;
    case PROP_ZOOM:
      g_value_set_double (value, self->zoom);
      break;
    case PROP_ZOOM_TEXT:
      g_value_take_string (value, g_strdup_printf ("%.0f\u00a0%%", self->zoom * 100));
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
      set_document (self, g_value_get_object (value));
      break;
    case PROP_PALETTE:
      set_palette (self, g_value_get_string (value));
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

  g_clear_handle_id (&self->notify_idle_id, g_source_remove);
  g_clear_handle_id (&self->highlight_timeout_id, g_source_remove);
  g_clear_handle_id (&self->activity_timeout_id, g_source_remove);
  g_clear_handle_id (&self->map_timeout_id, g_source_remove);
  g_clear_pointer (&self->drag, plg_drag_free);
  plg_canvas_clear_step_snapshot (self);
  plg_canvas_clear_popovers (self);
  g_ptr_array_set_size (self->cells, 0);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    g_clear_pointer (&self->edges[axis], gtk_widget_unparent);
  if (self->drag_label != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->drag_label));
  self->drag_label = NULL;
  if (self->map != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->map));
  self->map = NULL;
  g_clear_handle_id (&self->mark_timeout_id, g_source_remove);
  g_clear_object (&self->document);
  g_clear_pointer (&self->figure, plg_figure_unref);
  g_clear_pointer (&self->legend, plg_figure_unref);
  G_OBJECT_CLASS (plg_canvas_parent_class)->dispose (object);
}

static void
plg_canvas_finalize (GObject *object)
{
  PlgCanvas *self = PLG_CANVAS (object);

  g_ptr_array_unref (self->cells);
  plg_tiles_free (self->tiles);
  plg_tiles_free (self->legend_tiles);
  g_free (self->palette);
  g_free (self->announcement);
  G_OBJECT_CLASS (plg_canvas_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  GParamFlags read_write = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GParamFlags read_only = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

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
}

static void
plg_canvas_class_init (PlgCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = plg_canvas_get_property;
  object_class->set_property = plg_canvas_set_property;
  object_class->dispose = plg_canvas_dispose;
  object_class->finalize = plg_canvas_finalize;
  widget_class->snapshot = plg_canvas_snapshot;
  widget_class->measure = plg_canvas_measure;
  widget_class->size_allocate = plg_canvas_allocate;
  widget_class->focus = plg_canvas_focus;
  widget_class->grab_focus = plg_canvas_grab_focus;

  install_properties (object_class);
  signals[REFUSED] = g_signal_new ("refused", PLG_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANNOUNCED] = g_signal_new ("announced", PLG_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  plg_canvas_install_keys (widget_class);
  plg_canvas_install_page_keys (widget_class);
  plg_canvas_install_menu (widget_class);
  plg_canvas_install_link_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "plgcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GRID);
}

static void
remove_cell (gpointer cell)
{
  gtk_widget_unparent (GTK_WIDGET (cell));
}

static void
plg_canvas_init (PlgCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->tiles = plg_tiles_new (MAX_PAINT_THREADS);
  self->legend_tiles = plg_tiles_new (1);
  self->zoom = 1;
  self->fit = TRUE;
  self->solo_node = -1;
  self->selected = self->hovered_gpu = -1;
  self->moment = -1;
  self->hovered = self->found_entity = nothing ();
  self->pointer_rest_position = (PlgPoint) { -1, -1 };
  self->cells = g_ptr_array_new_with_free_func (remove_cell);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      self->edges[axis] = plg_edge_handle_new (axis);
      gtk_widget_set_parent (self->edges[axis], widget);
    }
  plg_canvas_add_map (self);
  self->drag_label = PLG_DRAG_LABEL (plg_drag_label_new ());
  gtk_widget_set_visible (GTK_WIDGET (self->drag_label), FALSE);
  gtk_widget_set_parent (GTK_WIDGET (self->drag_label), widget);

  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Cluster"), -1);
  plg_canvas_add_menu (self);
  plg_canvas_add_drop_target (self);
  plg_canvas_add_controllers (self);
  plg_widget_theme_watch (widget, G_CALLBACK (look_changed_cb));
}

GtkWidget *
plg_canvas_new (void)
{
  return g_object_new (PLG_TYPE_CANVAS, NULL);
}
