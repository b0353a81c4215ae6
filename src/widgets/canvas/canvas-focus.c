/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The cells that the keyboard and assistive technology find on the canvas. Each GPU has its own up
 * to PLG_CANVAS_MAX_CELLS; above that one goes about for all, and stands for the GPU where people
 * are, or seen from afar for its node or rack. */

#include "widgets/canvas/canvas-private.h"
#include "widgets/canvas/gpu-cell.h"

#include "drawing/cluster/cluster-layout.h"

static int
n_gpus (PlgCanvas *self)
{
  return plg_cluster_gpus (&plg_canvas_plan (self)->cluster);
}

static gboolean
has_one_cell (PlgCanvas *self)
{
  return n_gpus (self) > PLG_CANVAS_MAX_CELLS;
}

PlgFocusLevel
plg_canvas_focus_level (PlgCanvas *self)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plg_canvas_plan (self), self->zoom);

  if (!has_one_cell (self) || layout.detail != PLG_CLUSTER_DETAIL_NODES)
    return PLG_FOCUS_GPUS;
  return layout.is_rack_tile ? PLG_FOCUS_RACKS : PLG_FOCUS_NODES;
}

GtkWidget *
plg_canvas_cell (PlgCanvas *self, int gpu)
{
  if (self->cells->len == 0 || gpu < 0)
    return NULL;
  if (has_one_cell (self))
    return gpu == self->focused ? g_ptr_array_index (self->cells, 0) : NULL;
  return gpu < (int) self->cells->len ? g_ptr_array_index (self->cells, gpu) : NULL;
}

/* Where GPU is, or what stands for it. */
static PlgRect
rect_of (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plg_canvas_plan (self), self->zoom);
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

/* The first GPU of what stands for GPU. */
static int
first_gpu_of_group (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plg_canvas_plan (self), self->zoom);
  int node = gpu / layout.gpus_per_node, n;

  switch (plg_canvas_focus_level (self))
    {
    case PLG_FOCUS_RACKS:
      return plg_cluster_layout_rack_first (&layout,
                                            plg_cluster_layout_rack_of_node (&layout, node), &n) *
             layout.gpus_per_node;
    case PLG_FOCUS_NODES:
      return node * layout.gpus_per_node;
    case PLG_FOCUS_GPUS:
    default:
      return gpu;
    }
}

PlgEntity
plg_canvas_focus_entity (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plg_canvas_plan (self), self->zoom);
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

/* A step that leads nowhere may be between two rows of columns, which have headers: it goes on over
 * them. */
int
plg_canvas_neighbour (PlgCanvas *self, int gpu, GtkDirectionType direction)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, self->zoom);
  PlgRect here = rect_of (self, gpu);
  gboolean is_across = direction == GTK_DIR_LEFT || direction == GTK_DIR_RIGHT;
  int sign = direction == GTK_DIR_LEFT || direction == GTK_DIR_UP ? -1 : 1;
  /* Three quarters of a tile beyond the edge, or a tile, is the next one, whatever the gaps are. */
  double step = is_across ? 0.75 * layout.tile_width : layout.tile_height;
  double most = is_across ? step : layout.header + layout.node_step_y;

  if (plg_canvas_focus_level (self) != PLG_FOCUS_GPUS && is_across)
    most = step = layout.node_step_x - here.width / 2;
  for (double beyond = step; beyond <= most + step; beyond += step)
    {
      double away = sign * ((is_across ? here.width : here.height) / 2 + beyond);
      int next = plg_cluster_gpu_near (plan, here.x + here.width / 2 + (is_across ? away : 0),
                                       here.y + here.height / 2 + (is_across ? 0 : away));

      if (plg_canvas_focus_level (self) == PLG_FOCUS_GPUS
              ? next != gpu
              : first_gpu_of_group (self, next) != first_gpu_of_group (self, gpu))
        return first_gpu_of_group (self, next);
    }
  return -1;
}

/* Cells -----------------------------------------------------------------------------------------
 */

static void
make_cells (PlgCanvas *self, int wanted)
{
  while ((int) self->cells->len > wanted)
    g_ptr_array_remove_index (self->cells, self->cells->len - 1);
  while ((int) self->cells->len < wanted)
    {
      GtkWidget *cell = plg_gpu_cell_new (self->cells->len);

      gtk_widget_set_parent (cell, GTK_WIDGET (self));
      g_ptr_array_add (self->cells, cell);
    }
}

void
plg_canvas_update_cells (PlgCanvas *self)
{
  int gpus = n_gpus (self);
  gboolean had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  g_autofree int *rank_of_gpu = NULL;

  make_cells (self, has_one_cell (self) ? 1 : gpus);
  self->focused = CLAMP (self->focused, 0, gpus - 1);
  if (had_focus && gtk_widget_get_focus_child (GTK_WIDGET (self)) == NULL)
    gtk_widget_grab_focus (plg_canvas_cell (self, self->focused));
  if (has_one_cell (self))
    {
      plg_canvas_describe_cell (self, self->focused);
      return;
    }
  rank_of_gpu = g_new (int, gpus);
  plg_placement_invert (&plg_canvas_plan (self)->placement, gpus, rank_of_gpu);
  for (int gpu = 0; gpu < gpus; gpu++)
    plg_canvas_describe_rank (self, gpu, rank_of_gpu[gpu]);
}

/* What the one cell stands for depends on the zoom, too. */
void
plg_canvas_allocate_cells (PlgCanvas *self)
{
  if (self->cells->len == 0)
    return;
  if (has_one_cell (self))
    {
      if (plg_canvas_focus_level (self) != self->focus_level_shown)
        plg_canvas_describe_cell (self, self->focused);
      self->focus_level_shown = plg_canvas_focus_level (self);
      plg_canvas_allocate_on_figure (self, g_ptr_array_index (self->cells, 0),
                                     rect_of (self, self->focused));
      return;
    }
  for (guint gpu = 0; gpu < self->cells->len; gpu++)
    plg_canvas_allocate_on_figure (self, g_ptr_array_index (self->cells, gpu),
                                   plg_cluster_gpu_rect (plg_canvas_plan (self), gpu));
}

void
plg_canvas_set_keyboard_mode (PlgCanvas *self, gboolean keyboard_mode)
{
  int outlined = plg_canvas_outlined (self);

  self->keyboard_mode = keyboard_mode;
  if (plg_canvas_outlined (self) != outlined)
    plg_canvas_invalidate_figure (self);
}

/* Who walks by keys must see where they are: GTK hides the ring after a click, and shows it again
 * only for keys that it handles itself. */
static void
show_focus (PlgCanvas *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    gtk_window_set_focus_visible (GTK_WINDOW (root), TRUE);
  plg_canvas_set_keyboard_mode (self, TRUE);
}

void
plg_canvas_focus_gpu (PlgCanvas *self, int gpu)
{
  plg_canvas_clear_link_focus (self);
  if (gpu != self->focused)
    plg_canvas_announce (self, NULL);
  self->focused = gpu;
  plg_canvas_select (self, gpu);
  plg_canvas_follow_solo_node (self, gpu);
  plg_canvas_reveal_rect (self, rect_of (self, gpu));
  plg_canvas_describe_cell (self, gpu);
  gtk_widget_grab_focus (plg_canvas_cell (self, gpu));
  show_focus (self);
  plg_canvas_invalidate_view (self);
}

void
plg_canvas_zoom_to_group (PlgCanvas *self, int gpu)
{
  PlgRect rect = rect_of (self, gpu);
  double free_height = MIN (gtk_widget_get_width (GTK_WIDGET (self)) / rect.width,
                            plg_canvas_free_height (self) / rect.height);

  plg_canvas_set_zoom (self, CLAMP (free_height * 0.9, 2 * self->zoom, 1));
  plg_canvas_center_on (self, rect.x + rect.width / 2, rect.y + rect.height / 2);
}
