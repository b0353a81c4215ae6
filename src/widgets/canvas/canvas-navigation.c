/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Navigation in a cluster that is larger than the canvas: zoom, page keys and search results. */

#include "widgets/canvas/canvas-private.h"

#include <math.h>

/* Rank numbers are not readable at a zoom below READABLE_ZOOM. At such a low zoom, a search
 * changes the zoom to SEARCH_ZOOM. */
#define READABLE_ZOOM 0.36
#define SEARCH_ZOOM 0.7
/* The fraction of the canvas size by which a page key moves the view. */
#define PAGE_SHARE 0.8

void
plg_canvas_center_on (PlgCanvas *self, double x, double y)
{
  double zoom = plg_canvas_get_zoom (self);

  plg_canvas_leave_solo_node (self);
  plg_canvas_set_origin (self,
                         (PlgPoint) { gtk_widget_get_width (GTK_WIDGET (self)) / 2.0 - x * zoom,
                                      plg_canvas_free_height (self) / 2.0 - y * zoom });
}

static gboolean
is_rect_in_sight (PlgCanvas *self, PlgRect rect)
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
  if (!plg_canvas_is_fitted (self) && !is_rect_in_sight (self, rect))
    plg_canvas_center_on (self, rect.x + rect.width / 2, rect.y + rect.height / 2);
}

void
plg_canvas_zoom_to_group (PlgCanvas *self, int gpu)
{
  PlgRect rect = plg_canvas_cell_rect (self, gpu);
  double zoom = MIN (gtk_widget_get_width (GTK_WIDGET (self)) / rect.width,
                     plg_canvas_free_height (self) / rect.height);

  plg_canvas_set_zoom (self, CLAMP (zoom * 0.9, 2 * plg_canvas_get_zoom (self), 1));
  plg_canvas_center_on (self, rect.x + rect.width / 2, rect.y + rect.height / 2);
}

/* Entities ------------------------------------------------------------------------------------- */

/* Finds the rectangle of @entity. A link inside a node has the rectangle of its GPU, and a NIC
 * link has the rectangle of its node. A link between switches has the rectangle of the first
 * node below its leaf switch. */
gboolean
plg_canvas_entity_rect (PlgCanvas *self, PlgEntity entity, PlgRect *rect)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  const GArray *links = plg_document_report (self->document)->links;
  const PlgLink *link;
  int gpu;

  if (entity.kind == PLG_ENTITY_GPU && entity.index < plg_cluster_gpus (&plan->cluster))
    *rect = plg_canvas_gpu_rect (self, entity.index);
  else if (entity.kind == PLG_ENTITY_NODE && entity.index < plan->cluster.nodes)
    *rect = plg_canvas_node_rect (self, entity.index);
  else if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) links->len)
    {
      link = &g_array_index (links, PlgLink, entity.index);
      gpu = plg_canvas_gpu_of_link (self, link);
      *rect = link->node >= 0 && link->tier != PLG_TIER_NIC
                  ? plg_canvas_gpu_rect (self, gpu)
                  : plg_canvas_node_rect (self, gpu / plan->cluster.gpus_per_node);
    }
  else
    return FALSE;
  return TRUE;
}

int
plg_canvas_first_gpu_of (PlgCanvas *self, PlgEntity entity)
{
  const GArray *links = plg_document_report (self->document)->links;

  if (entity.kind == PLG_ENTITY_NODE)
    return entity.index * plg_canvas_plan (self)->cluster.gpus_per_node;
  if (entity.kind == PLG_ENTITY_LINK)
    return plg_canvas_gpu_of_link (self, &g_array_index (links, PlgLink, entity.index));
  return entity.index;
}

void
plg_canvas_show_entity (PlgCanvas *self, PlgEntity entity)
{
  PlgEntity none = { .kind = PLG_ENTITY_NONE };
  PlgRect rect;
  int gpu;

  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || !plg_canvas_entity_rect (self, entity, &rect))
    return;
  if (plg_canvas_get_zoom (self) < READABLE_ZOOM)
    plg_canvas_set_zoom (self, SEARCH_ZOOM);
  if (!plg_canvas_is_fitted (self) || !is_rect_in_sight (self, rect))
    plg_canvas_center_on (self, rect.x + rect.width / 2, rect.y + rect.height / 2);
  gpu = plg_canvas_first_gpu_of (self, entity);
  plg_canvas_set_focused (self, gpu);
  plg_canvas_select (self, gpu);
  plg_canvas_describe_cell (self, gpu);
  plg_canvas_set_found_entity (self, entity);
  plg_canvas_clear_hovered (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  plg_canvas_lock_highlight (self, entity.kind == PLG_ENTITY_NODE ? none : entity);
  plg_canvas_mark_rect (self, rect);
}

/* Zoom ----------------------------------------------------------------------------------------- */

static gboolean
is_entity_in_sight (PlgCanvas *self, PlgEntity entity, PlgPoint *middle)
{
  PlgRect rect;

  if (self->document == NULL || entity.index < 0 || !plg_canvas_entity_rect (self, entity, &rect))
    return FALSE;
  plg_canvas_to_widget (self, rect.x + rect.width / 2, rect.y + rect.height / 2, &middle->x,
                        &middle->y);
  return middle->x >= 0 && middle->x < gtk_widget_get_width (GTK_WIDGET (self)) && middle->y >= 0 &&
         middle->y < plg_canvas_free_height (self);
}

/* Sets the zoom. The search result, the selected GPU or, if neither is visible, the middle of
 * the view keeps its position on screen. */
void
plg_canvas_set_zoom (PlgCanvas *self, double zoom)
{
  PlgEntity selected = { .kind = PLG_ENTITY_GPU, .index = plg_canvas_get_selected (self) };
  PlgPoint fixed;

  g_return_if_fail (PLG_IS_CANVAS (self));

  if (!is_entity_in_sight (self, plg_canvas_found_entity (self), &fixed) &&
      !is_entity_in_sight (self, selected, &fixed))
    fixed = (PlgPoint) { gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                         plg_canvas_free_height (self) / 2.0 };
  plg_canvas_zoom_around (self, zoom, fixed.x, fixed.y);
}

void
plg_canvas_zoom_by (PlgCanvas *self, double factor)
{
  g_return_if_fail (PLG_IS_CANVAS (self));
  plg_canvas_set_zoom (self, plg_canvas_get_zoom (self) * factor);
}

void
plg_canvas_get_view (PlgCanvas *self, PlgRect *view)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const PlgFigure *figure;
  PlgPoint from, to;
  double width, height;

  g_return_if_fail (PLG_IS_CANVAS (self));

  *view = (PlgRect) { 0, 0, 0, 0 };
  figure = plg_canvas_figure (self);
  if (figure == NULL || gtk_widget_get_width (widget) <= 0)
    return;
  width = plg_figure_width (figure);
  height = plg_figure_height (figure);
  from = plg_canvas_to_figure (self, 0, 0);
  to = plg_canvas_to_figure (self, gtk_widget_get_width (widget), plg_canvas_free_height (self));
  /* Extend the visible part to whole points, because the view of an export is given in whole
   * points. */
  from = (PlgPoint) { MAX (floor (from.x), 0), MAX (floor (from.y), 0) };
  to = (PlgPoint) { MIN (ceil (to.x), width), MIN (ceil (to.y), height) };
  if ((from.x > 0 || from.y > 0 || to.x < width || to.y < height) && to.x >= from.x + 1 &&
      to.y >= from.y + 1)
    *view = (PlgRect) { from.x, from.y, to.x - from.x, to.y - from.y };
}

/* Pages ---------------------------------------------------------------------------------------- */

static void
page_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  PlgPoint origin = plg_canvas_origin (self);
  int across, down;

  if (self->document == NULL)
    return;
  g_variant_get (parameter, "(ii)", &across, &down);
  origin.x -= across * PAGE_SHARE * gtk_widget_get_width (widget);
  origin.y -= down * PAGE_SHARE * plg_canvas_free_height (self);
  plg_canvas_set_origin (self, origin);
}

/* Moves the view by a page. If the whole cluster is visible, does not handle the key, because
 * the lesson then uses it to turn pages. */
static gboolean
page_key_cb (GtkWidget *widget, GVariant *pages, gpointer data)
{
  if (plg_canvas_is_fitted (PLG_CANVAS (widget)))
    return FALSE;
  page_action (widget, NULL, pages);
  return TRUE;
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
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    gtk_widget_class_add_binding (widget_class, pages[i].key, pages[i].modifiers, page_key_cb,
                                  "(ii)", pages[i].across, pages[i].down);
}
