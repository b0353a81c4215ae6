/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The keyboard focus, and the number and positions of the cells and edge handles. */

#include "widgets/canvas/canvas-private.h"

#include "widgets/canvas/edge-handle.h"
#include "widgets/canvas/gpu-cell.h"

/* Cells and edge handles ----------------------------------------------------------------------- */

void
plg_canvas_update_cells (PlgCanvas *self)
{
  GPtrArray *cells = self->keyboard.cells;
  int gpus = plg_cluster_gpus (&plg_canvas_plan (self)->cluster);
  int wanted = plg_canvas_has_single_cell (self) ? 1 : gpus;
  gboolean had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  g_autofree int *rank_of_gpu = NULL;

  while ((int) cells->len > wanted)
    g_ptr_array_remove_index (cells, cells->len - 1);
  while ((int) cells->len < wanted)
    {
      GtkWidget *cell = plg_gpu_cell_new (cells->len);

      gtk_widget_set_parent (cell, GTK_WIDGET (self));
      g_ptr_array_add (cells, cell);
    }
  self->keyboard.focused = CLAMP (self->keyboard.focused, 0, gpus - 1);
  if (had_focus && gtk_widget_get_focus_child (GTK_WIDGET (self)) == NULL)
    gtk_widget_grab_focus (plg_canvas_cell (self, self->keyboard.focused));
  if (plg_canvas_has_single_cell (self))
    {
      plg_canvas_describe_cell (self, self->keyboard.focused);
      return;
    }
  rank_of_gpu = g_new (int, gpus);
  plg_placement_invert (&plg_canvas_plan (self)->placement, gpus, rank_of_gpu);
  for (int gpu = 0; gpu < gpus; gpu++)
    plg_canvas_describe_rank (self, gpu, rank_of_gpu[gpu]);
}

void
plg_canvas_allocate_cells (PlgCanvas *self)
{
  GPtrArray *cells = self->keyboard.cells;
  PlgFocusLevel level;

  if (cells->len == 0)
    return;
  if (plg_canvas_has_single_cell (self))
    {
      /* The zoom determines whether the cell represents a GPU, a node or a rack. */
      level = plg_canvas_focus_level (self);
      if (level != self->keyboard.described_level)
        plg_canvas_describe_cell (self, self->keyboard.focused);
      self->keyboard.described_level = level;
      plg_canvas_allocate_on_figure (self, g_ptr_array_index (cells, 0),
                                     plg_canvas_cell_rect (self, self->keyboard.focused));
      return;
    }
  for (guint gpu = 0; gpu < cells->len; gpu++)
    plg_canvas_allocate_on_figure (self, g_ptr_array_index (cells, gpu),
                                   plg_canvas_gpu_rect (self, gpu));
}

void
plg_canvas_update_edges (PlgCanvas *self)
{
  const PlgParallelism *parallelism = &plg_document_plan (self->document)->parallelism;

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    plg_edge_handle_set_degree (PLG_EDGE_HANDLE (self->keyboard.edges[axis]),
                                parallelism->degree[axis]);
  plg_edge_handle_set_degree (PLG_EDGE_HANDLE (self->keyboard.edges[PLG_EDGE_SHARD]),
                              parallelism->replicate);
}

void
plg_canvas_allocate_edges (PlgCanvas *self, const PlgFigure *figure)
{
  const PlgShape *handles[PLG_N_EDGES] = { NULL };

  for (int i = plg_figure_n_shapes (figure) - 1; i >= 0; i--)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->entity.kind == PLG_ENTITY_HANDLE)
        handles[shape->entity.axis] = shape;
      else if (shape->entity.kind == PLG_ENTITY_SHARD)
        handles[PLG_EDGE_SHARD] = shape;
    }
  for (int i = 0; i < PLG_N_EDGES; i++)
    {
      GtkWidget *edge = self->keyboard.edges[i];

      gtk_widget_set_child_visible (edge, handles[i] != NULL);
      plg_edge_handle_set_present (PLG_EDGE_HANDLE (edge), handles[i] != NULL);
      if (handles[i] != NULL)
        plg_canvas_allocate_on_figure (self, edge, handles[i]->rect);
    }
}

/* Focus ---------------------------------------------------------------------------------------- */

gboolean
plg_canvas_is_keyboard_active (PlgCanvas *self)
{
  return self->keyboard.is_active;
}

void
plg_canvas_set_keyboard_active (PlgCanvas *self, gboolean is_active)
{
  int outlined = plg_canvas_outlined (self);

  self->keyboard.is_active = is_active;
  if (plg_canvas_outlined (self) != outlined)
    plg_canvas_invalidate_figure (self);
}

void
plg_canvas_focus_gpu (PlgCanvas *self, int gpu)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  plg_canvas_clear_highlight (self);
  if (gpu != self->keyboard.focused)
    plg_canvas_announce (self, NULL);
  self->keyboard.focused = gpu;
  plg_canvas_select (self, gpu);
  plg_canvas_follow_solo_node (self, gpu);
  plg_canvas_reveal_rect (self, plg_canvas_cell_rect (self, gpu));
  plg_canvas_describe_cell (self, gpu);
  gtk_widget_grab_focus (plg_canvas_cell (self, gpu));
  /* Show the focus ring, because GTK hides it after a click and shows it again only for keys
   * that GTK itself handles. */
  if (GTK_IS_WINDOW (root))
    gtk_window_set_focus_visible (GTK_WINDOW (root), TRUE);
  plg_canvas_set_keyboard_active (self, TRUE);
  plg_canvas_invalidate_view (self);
}

void
plg_canvas_grab_focus_at (PlgCanvas *self, PlgEntity entity)
{
  /* After a click on a node, keep the focus on the focused GPU if this GPU is in the node. */
  if (entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_LINK ||
      (entity.kind == PLG_ENTITY_NODE && entity.index != plg_canvas_focused_node (self)))
    {
      self->keyboard.focused = plg_canvas_first_gpu_of (self, entity);
      plg_canvas_select (self, self->keyboard.focused);
      plg_canvas_describe_cell (self, self->keyboard.focused);
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
}
