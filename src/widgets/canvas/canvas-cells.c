/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The cells for the keyboard and for assistive technology, and the selection. In a cluster with
 * at most PLG_CANVAS_MAX_CELLS GPUs, each GPU has a cell. In a larger cluster, a single cell
 * represents the focused GPU or, at a low zoom, its node or rack. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"
#include "widgets/canvas/edge-handle.h"
#include "widgets/canvas/gpu-cell.h"

static void
unparent_cell (gpointer cell)
{
  gtk_widget_unparent (GTK_WIDGET (cell));
}

void
plg_canvas_init_keyboard (PlgCanvas *self)
{
  self->keyboard.cells = g_ptr_array_new_with_free_func (unparent_cell);
  self->keyboard.selected = -1;
  self->keyboard.found_entity = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  for (int edge = 0; edge < PLG_N_EDGES; edge++)
    {
      self->keyboard.edges[edge] = plg_edge_handle_new (edge);
      gtk_widget_set_parent (self->keyboard.edges[edge], GTK_WIDGET (self));
    }
}

void
plg_canvas_dispose_keyboard (PlgCanvas *self)
{
  g_clear_handle_id (&self->keyboard.activity_timeout_id, g_source_remove);
  g_ptr_array_set_size (self->keyboard.cells, 0);
  for (int edge = 0; edge < PLG_N_EDGES; edge++)
    g_clear_pointer (&self->keyboard.edges[edge], gtk_widget_unparent);
}

void
plg_canvas_finalize_keyboard (PlgCanvas *self)
{
  g_ptr_array_unref (self->keyboard.cells);
  g_free (self->keyboard.announcement);
}

/* Focus and selection -------------------------------------------------------------------------- */

int
plg_canvas_focused (PlgCanvas *self)
{
  return self->keyboard.focused;
}

void
plg_canvas_set_focused (PlgCanvas *self, int gpu)
{
  self->keyboard.focused = gpu;
}

int
plg_canvas_focused_node (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);

  if (self->document == NULL)
    return -1;
  return self->keyboard.focused / plg_canvas_plan (self)->cluster.gpus_per_node;
}

PlgEntity
plg_canvas_found_entity (PlgCanvas *self)
{
  return self->keyboard.found_entity;
}

void
plg_canvas_set_found_entity (PlgCanvas *self, PlgEntity entity)
{
  self->keyboard.found_entity = entity;
}

int
plg_canvas_get_selected (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);
  return self->keyboard.selected;
}

void
plg_canvas_select (PlgCanvas *self, int gpu)
{
  GtkWidget *old = plg_canvas_cell (self, self->keyboard.selected);
  GtkWidget *cell = plg_canvas_cell (self, gpu);

  self->keyboard.found_entity = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  if (self->keyboard.selected == gpu && plg_canvas_hovered_gpu (self) < 0)
    return;
  if (old != NULL)
    plg_gpu_cell_set_selected (PLG_GPU_CELL (old), FALSE);
  if (cell != NULL)
    plg_gpu_cell_set_selected (PLG_GPU_CELL (cell), TRUE);
  self->keyboard.selected = gpu;
  plg_canvas_clear_hovered_gpu (self);
  plg_canvas_invalidate (self);
}

void
plg_canvas_refresh_selection (PlgCanvas *self)
{
  int gpus = plg_cluster_gpus (&plg_document_plan (self->document)->cluster);

  if (self->keyboard.selected >= gpus)
    self->keyboard.selected = -1;
  self->keyboard.focused = CLAMP (self->keyboard.focused, 0, gpus - 1);
  /* Forget a link found by a search, because the new report numbers the links differently. */
  if (self->keyboard.found_entity.kind == PLG_ENTITY_LINK)
    self->keyboard.found_entity = (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

/* Returns the GPU whose groups are outlined, or -1. While an entity is highlighted, the outlined
 * groups of the selected GPU would look like groups of the highlighted entity. During a
 * highlight, the outline is therefore shown only while the pointer is on a GPU or the keyboard
 * is in use. A visible focus ring is not the test for keyboard use, because GTK hides the ring
 * after a few seconds. */
int
plg_canvas_outlined (PlgCanvas *self)
{
  gboolean is_keyboard_used = self->keyboard.is_active &&
                              gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  int hovered_gpu = plg_canvas_hovered_gpu (self), n_highlighted;

  plg_highlight_model_entities (plg_document_highlight_model (self->document), &n_highlighted,
                                NULL);
  if (n_highlighted > 0 && plg_canvas_hovered (self).kind != PLG_ENTITY_GPU && !is_keyboard_used)
    return -1;
  return hovered_gpu >= 0 ? hovered_gpu : self->keyboard.selected;
}

/* Cells ---------------------------------------------------------------------------------------- */

gboolean
plg_canvas_has_single_cell (PlgCanvas *self)
{
  return plg_cluster_gpus (&plg_canvas_plan (self)->cluster) > PLG_CANVAS_MAX_CELLS;
}

GtkWidget *
plg_canvas_cell (PlgCanvas *self, int gpu)
{
  const GPtrArray *cells = self->keyboard.cells;

  if (cells->len == 0 || gpu < 0)
    return NULL;
  if (plg_canvas_has_single_cell (self))
    return gpu == self->keyboard.focused ? g_ptr_array_index (cells, 0) : NULL;
  return gpu < (int) cells->len ? g_ptr_array_index (cells, gpu) : NULL;
}

static PlgClusterLayout
cells_layout (PlgCanvas *self)
{
  return plg_canvas_layout (self, plg_canvas_get_zoom (self));
}

PlgFocusLevel
plg_canvas_focus_level (PlgCanvas *self)
{
  PlgClusterLayout layout = cells_layout (self);

  if (!plg_canvas_has_single_cell (self) || layout.detail != PLG_CLUSTER_DETAIL_NODES)
    return PLG_FOCUS_GPUS;
  return layout.is_rack_tile ? PLG_FOCUS_RACKS : PLG_FOCUS_NODES;
}

PlgRect
plg_canvas_cell_rect (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = cells_layout (self);
  int node = gpu / layout.gpus_per_node;

  switch (plg_canvas_focus_level (self))
    {
    case PLG_FOCUS_RACKS:
      return plg_cluster_layout_rack (&layout, plg_cluster_layout_rack_of_node (&layout, node));
    case PLG_FOCUS_NODES:
      return plg_cluster_layout_node (&layout, node);
    case PLG_FOCUS_GPUS:
    default:
      return plg_cluster_layout_gpu (&layout, gpu);
    }
}

PlgEntity
plg_canvas_focus_entity (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = cells_layout (self);
  int node = gpu / layout.gpus_per_node;

  switch (plg_canvas_focus_level (self))
    {
    case PLG_FOCUS_RACKS:
      return (PlgEntity) { PLG_ENTITY_RACK, 0, plg_cluster_layout_rack_of_node (&layout, node) };
    case PLG_FOCUS_NODES:
      return (PlgEntity) { PLG_ENTITY_NODE, 0, node };
    case PLG_FOCUS_GPUS:
    default:
      return (PlgEntity) { PLG_ENTITY_GPU, 0, gpu };
    }
}

/* If the cell of @gpu represents a node or a rack, returns the first GPU of this node or rack;
 * otherwise returns @gpu. */
static int
cells_first_gpu (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = cells_layout (self);
  PlgEntity entity = plg_canvas_focus_entity (self, gpu);
  int n;

  if (entity.kind == PLG_ENTITY_RACK)
    return plg_cluster_layout_rack_first (&layout, entity.index, &n) * layout.gpus_per_node;
  return entity.kind == PLG_ENTITY_NODE ? entity.index * layout.gpus_per_node : gpu;
}

/* Returns the neighbour of @gpu in @direction. Tries points at increasing distances, because the
 * first point may be on the headers between two rows of nodes. */
int
plg_canvas_neighbour (PlgCanvas *self, int gpu, GtkDirectionType direction)
{
  PlgClusterLayout layout = cells_layout (self);
  PlgRect here = plg_canvas_cell_rect (self, gpu);
  gboolean is_across = direction == GTK_DIR_LEFT || direction == GTK_DIR_RIGHT;
  int sign = direction == GTK_DIR_LEFT || direction == GTK_DIR_UP ? -1 : 1;
  /* A point 0.75 tiles to the side, or one tile up or down, is on the next tile regardless of
   * the gap between the tiles. */
  double step = is_across ? 0.75 * layout.tile_width : layout.tile_height;
  double most = is_across ? step : layout.header + layout.node_step_y;

  if (plg_canvas_focus_level (self) != PLG_FOCUS_GPUS && is_across)
    most = step = layout.node_step_x - here.width / 2;
  for (double beyond = step; beyond <= most + step; beyond += step)
    {
      double distance = sign * ((is_across ? here.width : here.height) / 2 + beyond);
      double x = here.x + here.width / 2 + (is_across ? distance : 0);
      double y = here.y + here.height / 2 + (is_across ? 0 : distance);
      int next = cells_first_gpu (self, plg_cluster_layout_gpu_near (&layout, x, y));

      if (next != cells_first_gpu (self, gpu))
        return next;
    }
  return -1;
}
