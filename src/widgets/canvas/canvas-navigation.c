/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How one gets about in a cluster that is larger than the canvas: the map in the corner, keys that
 * turn the page, and what was looked for. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"

#include <glib/gi18n-lib.h>

/* Below the one a rank cannot be read; what was looked for is then shown at the other. */
#define READABLE_ZOOM 0.36
#define LEGIBLE_ZOOM 0.7
/* How long what was found is marked. */
#define MARK_MILLISECONDS 1800
/* What of a page stays in sight when it is turned. */
#define PAGE_SHARE 0.8
#define MAP_MARGIN 12
/* With more than this of the cluster in sight, a map of the whole would hide more than it tells. */
#define MAP_MAX_VISIBLE_SHARE 0.85
/* While a step is played, the map is made anew no sooner than after so long. */
#define MAP_MILLISECONDS 100

/* The view ------------------------------------------------------------------------------------- */

void
plg_canvas_center_on (PlgCanvas *self, double x, double y)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->fit = FALSE;
  self->solo_node = -1;
  self->origin.x = gtk_widget_get_width (widget) / 2.0 - x * self->zoom;
  self->origin.y = plg_canvas_free_height (self) / 2.0 - y * self->zoom;
  plg_canvas_invalidate_view (self);
}

static gboolean
is_in_sight (PlgCanvas *self, PlgRect rect)
{
  double left, top, right, bottom;

  plg_canvas_to_widget (self, rect.x, rect.y, &left, &top);
  plg_canvas_to_widget (self, rect.x + rect.width, rect.y + rect.height, &right, &bottom);
  return left >= 0 && top >= 0 && right <= gtk_widget_get_width (GTK_WIDGET (self)) &&
         bottom <= plg_canvas_free_height (self);
}

void
plg_canvas_reveal_rect (PlgCanvas *self, PlgRect rect)
{
  if (!self->fit && !is_in_sight (self, rect))
    plg_canvas_center_on (self, rect.x + rect.width / 2, rect.y + rect.height / 2);
}

/* What was looked for ---------------------------------------------------------------------------
 */

/* Where a link is: at its GPU, or at its node, or at the first node below its leaf. */
static PlgRect
link_rect (PlgCanvas *self, const PlgLink *link)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  int gpu = plg_canvas_gpu_of_link (self, link);

  if (link->node >= 0 && link->tier != PLG_TIER_NIC)
    return plg_cluster_gpu_rect (plan, gpu);
  return plg_cluster_node_rect (plan, gpu / plan->cluster.gpus_per_node);
}

static gboolean
entity_rect (PlgCanvas *self, PlgEntity entity, PlgRect *rect)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  const PlgReport *report = plg_document_report (self->document);

  if (entity.kind == PLG_ENTITY_GPU && entity.index < plg_cluster_gpus (&plan->cluster))
    *rect = plg_cluster_gpu_rect (plan, entity.index);
  else if (entity.kind == PLG_ENTITY_NODE && entity.index < plan->cluster.nodes)
    *rect = plg_cluster_node_rect (plan, entity.index);
  else if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) report->links->len)
    *rect = link_rect (self, &g_array_index (report->links, PlgLink, entity.index));
  else
    return FALSE;
  return TRUE;
}

/* The GPU where keys go on from THING. */
static int
first_gpu_of (PlgCanvas *self, PlgEntity entity)
{
  const PlgReport *report = plg_document_report (self->document);

  if (entity.kind == PLG_ENTITY_NODE)
    return entity.index * plg_canvas_plan (self)->cluster.gpus_per_node;
  if (entity.kind == PLG_ENTITY_LINK)
    return plg_canvas_gpu_of_link (self, &g_array_index (report->links, PlgLink, entity.index));
  return entity.index;
}

/* Nor does a click on a node leave the GPU of it that has the focus. */
static gboolean
moves_focus (PlgCanvas *self, PlgEntity entity)
{
  if (entity.kind == PLG_ENTITY_NODE)
    return entity.index != plg_canvas_focused_node (self);
  return entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_LINK;
}

void
plg_canvas_grab_focus_at (PlgCanvas *self, PlgEntity entity)
{
  if (moves_focus (self, entity))
    {
      self->focused = first_gpu_of (self, entity);
      plg_canvas_select (self, self->focused);
      plg_canvas_describe_cell (self, self->focused);
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static gboolean
middle_in_sight (PlgCanvas *self, PlgEntity entity, PlgPoint *middle)
{
  PlgRect rect;

  if (self->document == NULL || entity.index < 0 || !entity_rect (self, entity, &rect))
    return FALSE;
  plg_canvas_to_widget (self, rect.x + rect.width / 2, rect.y + rect.height / 2, &middle->x,
                        &middle->y);
  return middle->x >= 0 && middle->x < gtk_widget_get_width (GTK_WIDGET (self)) && middle->y >= 0 &&
         middle->y < plg_canvas_free_height (self);
}

PlgPoint
plg_canvas_zoom_center (PlgCanvas *self)
{
  PlgEntity selected = { .kind = PLG_ENTITY_GPU, .index = self->selected };
  PlgPoint middle;

  if (middle_in_sight (self, self->found_entity, &middle) ||
      middle_in_sight (self, selected, &middle))
    return middle;
  return (PlgPoint) { gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                      plg_canvas_free_height (self) / 2.0 };
}

static gboolean
unmark_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->mark_timeout_id = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

static void
mark (PlgCanvas *self, PlgRect rect)
{
  self->found_rect = rect;
  g_clear_handle_id (&self->mark_timeout_id, g_source_remove);
  self->mark_timeout_id = g_timeout_add (MARK_MILLISECONDS, unmark_cb, self);
}

void
plg_canvas_snapshot_mark (PlgCanvas *self, GtkSnapshot *snapshot)
{
  PlgColor accent = self->theme.role[PLG_ROLE_ACCENT];
  GdkRGBA color = { accent.red, accent.green, accent.blue, 1 };
  float width[4] = { 4, 4, 4, 4 };
  graphene_rect_t bounds;
  GskRoundedRect outline;
  double x, y;

  if (self->mark_timeout_id == 0)
    return;
  plg_canvas_to_widget (self, self->found_rect.x, self->found_rect.y, &x, &y);
  graphene_rect_init (&bounds, x, y, self->found_rect.width * self->zoom,
                      self->found_rect.height * self->zoom);
  graphene_rect_inset (&bounds, -8, -8);
  gsk_rounded_rect_init_from_rect (&outline, &bounds, 10);
  gtk_snapshot_append_border (snapshot, &outline, width,
                              (GdkRGBA[4]) { color, color, color, color });
}

void
plg_canvas_show_entity (PlgCanvas *self, PlgEntity entity)
{
  PlgRect rect;

  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || !entity_rect (self, entity, &rect))
    return;
  if (self->zoom < READABLE_ZOOM)
    plg_canvas_set_zoom (self, LEGIBLE_ZOOM);
  if (!self->fit || !is_in_sight (self, rect))
    plg_canvas_center_on (self, rect.x + rect.width / 2, rect.y + rect.height / 2);
  self->focused = first_gpu_of (self, entity);
  plg_canvas_select (self, self->focused);
  plg_canvas_describe_cell (self, self->focused);
  self->found_entity = entity;
  self->hovered = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  plg_canvas_lock_highlight (self, entity.kind == PLG_ENTITY_NODE ? self->hovered : entity);
  mark (self, rect);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

char *
plg_canvas_entity_name (PlgCanvas *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  const PlgReport *report = plg_document_report (self->document);
  const char *name = entity.kind == PLG_ENTITY_NODE
                         ? plg_node_names_get (&plan->node_names, entity.index)
                         : NULL;

  if (entity.kind == PLG_ENTITY_GPU)
    return plg_canvas_gpu_name (self, entity.index, plg_canvas_rank_of_gpu (self, entity.index));
  if (name != NULL)
    return g_strdup_printf (_ ("Node %d, %s"), entity.index, name);
  if (entity.kind == PLG_ENTITY_NODE)
    return g_strdup_printf (_ ("Node %d"), entity.index);
  if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) report->links->len)
    return plg_describe_link (plan, &g_array_index (report->links, PlgLink, entity.index));
  return g_strdup ("");
}

/* The map ---------------------------------------------------------------------------------------
 */

static void
moved_cb (PlgCanvas *self, double x, double y)
{
  plg_canvas_center_on (self, x, y);
}

void
plg_canvas_add_map (PlgCanvas *self)
{
  self->map = PLG_MINIMAP (plg_minimap_new ());
  g_signal_connect_object (self->map, "position-requested", G_CALLBACK (moved_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->map, "state-flags-changed", G_CALLBACK (gtk_widget_queue_allocate),
                           self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (self->map), GTK_WIDGET (self));
}

/* Made anew when the plan is another. While one drags in a large plan the last one will do. */
static void
update_map (PlgCanvas *self)
{
  g_autoptr (PlgFigure) figure = NULL;
  PlgPictureOptions options;

  if (self->has_map)
    return;
  plg_canvas_get_options (self, &options);
  options.handles = FALSE;
  options.selected.kind = PLG_ENTITY_NONE;
  options.n_highlighted = 0;
  options.legend = PLG_LEGEND_OFF;
  options.zoom = plg_minimap_zoom (plg_figure_width (self->figure),
                                   plg_figure_height (self->figure));
  figure = plg_cluster_figure (plg_canvas_plan (self), plg_document_report (self->document),
                               &self->theme, &options);
  plg_minimap_set_figure (self->map, figure, &self->theme);
  self->has_map = TRUE;
}

static void
rebuild_map (PlgCanvas *self)
{
  self->has_map = FALSE;
  if (self->map_is_needed)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static gboolean
update_map_time_cb (gpointer data)
{
  PlgCanvas *self = data;

  if (!self->map_is_stale)
    {
      self->map_timeout_id = 0;
      return G_SOURCE_REMOVE;
    }
  self->map_is_stale = FALSE;
  rebuild_map (self);
  return G_SOURCE_CONTINUE;
}

/* In the map one sees where on the cluster something goes on, for which a few times a second will
 * do: frames are for what is played large. It ends with what was played last. */
void
plg_canvas_update_map_time (PlgCanvas *self)
{
  if (self->map_timeout_id != 0)
    {
      self->map_is_stale = TRUE;
      return;
    }
  rebuild_map (self);
  self->map_timeout_id = g_timeout_add (MAP_MILLISECONDS, update_map_time_cb, self);
}

/* How much of the figure is in sight, of 1. */
static double
share_in_sight (PlgCanvas *self, int width, int height)
{
  double figure_width = plg_figure_width (self->figure) * self->zoom;
  double figure_height = plg_figure_height (self->figure) * self->zoom;
  double across = MIN (self->origin.x + figure_width, width) - MAX (self->origin.x, 0);
  double down = MIN (self->origin.y + figure_height, height) - MAX (self->origin.y, 0);

  return MAX (across, 0) * MAX (down, 0) / (figure_width * figure_height);
}

/* Where what is lit is to be found. */
static void
mark_highlighted (PlgCanvas *self)
{
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (PlgRect));
  PlgPictureOptions options;
  PlgRect rect;

  plg_canvas_get_options (self, &options);
  for (int i = 0; i < options.n_highlighted; i++)
    if (entity_rect (self, options.highlighted[i], &rect))
      g_array_append_val (rects, rect);
  plg_minimap_set_highlight (self->map, (const PlgRect *) (gconstpointer) rects->data, rects->len);
}

/* Of the map's area; by so much less a corner must hide to be better than the one where it is. */
#define MIN_CORNER_GAIN 0.2

static double
overlap (PlgRect a, PlgRect b)
{
  double across = MIN (a.x + a.width, b.x + b.width) - MAX (a.x, b.x);
  double down = MIN (a.y + a.height, b.y + b.height) - MAX (a.y, b.y);

  return across > 0 && down > 0 ? across * down : 0;
}

/* What a map at PLACE hides: of nodes as much as lies under it, and the GPU where people are counts
 * as much as all of it. Pixels. */
static double
hidden_by (PlgCanvas *self, const GtkAllocation *place)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, self->zoom);
  PlgPoint corner = plg_canvas_to_figure (self, place->x, place->y);
  PlgRect part = { corner.x, corner.y, place->width / self->zoom, place->height / self->zoom };
  double hidden = 0;

  for (int node = 0; node < layout.nodes; node++)
    {
      PlgRect card = plg_cluster_layout_node (&layout, node);

      card.x -= layout.label_width;
      card.width += layout.label_width;
      hidden += overlap (part, card);
    }
  if (self->selected >= 0 && overlap (part, plg_cluster_layout_gpu (&layout, self->selected)) > 0)
    hidden += part.width * part.height;
  return hidden * self->zoom * self->zoom;
}

static void
move_to_corner (GtkAllocation *place, int corner, int width, int height)
{
  place->x = corner & 1 ? MAP_MARGIN : width - place->width - MAP_MARGIN;
  place->y = corner & 2 ? MAP_MARGIN : height - place->height - MAP_MARGIN;
}

/* In the corner where it hides least: it stays where it is unless another is much better, and under
 * the pointer, where the next press would be on what it hid. */
static void
place_map (PlgCanvas *self, GtkAllocation *place, int width, int height)
{
  double least;

  move_to_corner (place, self->map_corner, width, height);
  if (gtk_widget_get_state_flags (GTK_WIDGET (self->map)) & GTK_STATE_FLAG_PRELIGHT)
    return;
  least = hidden_by (self, place) - MIN_CORNER_GAIN * place->width * place->height;
  for (int corner = 0; corner < 4; corner++)
    {
      double hidden;

      move_to_corner (place, corner, width, height);
      hidden = hidden_by (self, place);
      if (corner == self->map_corner || hidden >= least)
        continue;
      least = hidden;
      self->map_corner = corner;
    }
  move_to_corner (place, self->map_corner, width, height);
}

/* The map is always there, but neither seen nor touched where it is of no use: to hide it would
 * change the layout, which an allocation must not. */
void
plg_canvas_allocate_map (PlgCanvas *self, int width, int height)
{
  GtkWidget *map = GTK_WIDGET (self->map);
  PlgPoint from = plg_canvas_to_figure (self, 0, 0);
  GtkAllocation place = { 0, 0, 1, 1 };

  self->map_is_needed = share_in_sight (self, width, height) < MAP_MAX_VISIBLE_SHARE &&
                        self->drag == NULL && self->solo_node < 0;
  gtk_widget_set_can_target (map, self->map_is_needed);
  gtk_accessible_update_state (GTK_ACCESSIBLE (map), GTK_ACCESSIBLE_STATE_HIDDEN,
                               !self->map_is_needed, -1);
  if (self->map_is_needed)
    {
      update_map (self);
      mark_highlighted (self);
      plg_minimap_set_visible_rect (self->map, (PlgRect) { from.x, from.y, width / self->zoom,
                                                           height / self->zoom });
      plg_minimap_get_size (self->map, &place.width, &place.height);
      place_map (self, &place, width, height);
    }
  else
    self->map_corner = 0;
  gtk_widget_size_allocate (map, &place, -1);
}

/* Pages -----------------------------------------------------------------------------------------
 */

static void
page_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  int across, down;

  if (self->document == NULL)
    return;
  g_variant_get (parameter, "(ii)", &across, &down);
  self->fit = FALSE;
  self->origin.x -= across * PAGE_SHARE * gtk_widget_get_width (widget);
  self->origin.y -= down * PAGE_SHARE * plg_canvas_free_height (self);
  plg_canvas_invalidate_view (self);
}

/* Where all is in sight there is nothing to page through; the keys may turn a lesson's pages. */
static gboolean
page_key_cb (GtkWidget *widget, GVariant *pages, gpointer data)
{
  if (PLG_CANVAS (widget)->fit)
    return FALSE;
  page_action (widget, NULL, pages);
  return TRUE;
}

static void
end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  gboolean is_last = g_variant_get_boolean (parameter);
  PlgEntity entity = { .kind = PLG_ENTITY_GPU };

  if (self->document == NULL || self->drag != NULL)
    return;
  if (is_last)
    entity.index = plg_cluster_gpus (&plg_canvas_plan (self)->cluster) - 1;
  plg_canvas_focus_gpu (self, entity.index);
}

void
plg_canvas_install_page_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    int across, down;
  } pages[] = {
    { GDK_KEY_Page_Up, 0, 0, -1 },
    { GDK_KEY_Page_Down, 0, 0, 1 },
    { GDK_KEY_Page_Up, GDK_SHIFT_MASK, -1, 0 },
    { GDK_KEY_Page_Down, GDK_SHIFT_MASK, 1, 0 },
  };

  gtk_widget_class_install_action (widget_class, "canvas.page", "(ii)", page_action);
  gtk_widget_class_install_action (widget_class, "canvas.end", "b", end_action);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    gtk_widget_class_add_binding (widget_class, pages[i].key, pages[i].modifiers, page_key_cb,
                                  "(ii)", pages[i].across, pages[i].down);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Home, 0, "canvas.end", "b", FALSE);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_End, 0, "canvas.end", "b", TRUE);
}
