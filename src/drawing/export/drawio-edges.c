/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/drawio-private.h"

#include "drawing/export/markup.h"
#include "drawing/figure/stroke-geometry.h"

#include <math.h>

static void
append_mx_point (GString *out, PlgPoint point, const char *as)
{
  g_string_append (out, "<mxPoint");
  plg_markup_number_attribute (out, "x", point.x);
  plg_markup_number_attribute (out, "y", point.y);
  if (as != NULL)
    plg_markup_text_attribute (out, "as", as);
  g_string_append (out, "/>");
}

/* Writes the points between the ends, and for a curve three points of each segment. */
static void
append_waypoints (PlgDrawio *writer, const PlgShape *shape)
{
  const PlgPoint *p = plg_figure_points (writer->figure, shape);
  int last = shape->n_points - 1;

  if (last < 2)
    return;
  g_string_append (writer->out, "<Array as=\"points\">");
  for (int i = 1; !shape->smooth && i < last; i++)
    append_mx_point (writer->out, p[i], NULL);
  for (int i = 0; shape->smooth && i + 3 <= last; i += 3)
    for (int step = 1; step < 4; step++)
      {
        const PlgPoint *q = p + i;
        double t = step / 4.0, u = 1 - t;
        double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
        PlgPoint point = { a * q[0].x + b * q[1].x + c * q[2].x + d * q[3].x,
                           a * q[0].y + b * q[1].y + c * q[2].y + d * q[3].y };

        append_mx_point (writer->out, point, NULL);
      }
  g_string_append (writer->out, "</Array>");
}

/* The points of an edge are not relative to its parent, so a line is a child of its layer. */
void
plg_drawio_add_line (PlgDrawio *writer, const PlgShape *shape)
{
  const PlgPoint *p = plg_figure_points (writer->figure, shape);
  g_autoptr (GString) style = g_string_new ("connectable=0;");
  g_autofree char *id = plg_drawio_make_id (writer, shape->id);

  g_string_append_printf (style, "%sendArrow=%s;", shape->smooth ? "rounded=1;curved=1;" : "",
                          shape->arrow ? "block" : "none");
  plg_drawio_style_stroke (style, shape);
  plg_drawio_open_cell (writer, id, NULL, plg_drawio_take_tooltip (writer, shape), style->str,
                        plg_drawio_layer (shape->layer), "edge");
  g_string_append (writer->out, "><mxGeometry relative=\"1\" as=\"geometry\">");
  append_mx_point (writer->out, p[0], "sourcePoint");
  append_mx_point (writer->out, p[shape->n_points - 1], "targetPoint");
  append_waypoints (writer, shape);
  g_string_append (writer->out, "</mxGeometry>");
  plg_drawio_close_cell (writer);
}

gboolean
plg_drawio_has_links (const PlgDrawio *writer)
{
  return writer->plan != NULL && writer->report != NULL;
}

gboolean
plg_drawio_is_link (const PlgDrawio *writer, const PlgShape *shape)
{
  return plg_drawio_has_links (writer) && shape->entity.kind == PLG_ENTITY_LINK &&
         shape->entity.index >= 0 && shape->entity.index < (int) writer->report->links->len;
}

const PlgLink *
plg_drawio_link (const PlgDrawio *writer, int index)
{
  return &g_array_index (writer->report->links, PlgLink, index);
}

/* The box of a NIC, which stands for its link, becomes a cell inside its node. */
void
plg_drawio_add_nic (PlgDrawio *writer, const PlgShape *shape)
{
  g_autofree char *wanted = plg_link_from (plg_drawio_link (writer, shape->entity.index),
                                           writer->plan);
  int node = plg_drawio_link (writer, shape->entity.index)->node;
  g_autofree char *parent = g_steal_pointer (&writer->parent);

  plg_drawio_add_owner (writer, shape, wanted, plg_drawio_node_or_layer (writer, node, shape));
  g_free (writer->parent);
  writer->parent = g_steal_pointer (&parent);
}

/* The switch of a node is drawn as the ends of its links; in the file it becomes one bar as wide as
 * all of them. */
void
plg_drawio_add_bars (PlgDrawio *writer)
{
  g_autoptr (GPtrArray) bars = g_ptr_array_new_with_free_func (plg_drawio_cell_free);
  g_autoptr (GPtrArray) shapes = g_ptr_array_new ();
  g_autoptr (GHashTable) found = g_hash_table_new (g_str_hash, g_str_equal);

  for (int i = 0; i < plg_figure_n_shapes (writer->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer->figure, i);
      g_autofree char *id = NULL;
      PlgDrawioCell *bar;
      const PlgLink *link;

      if (!plg_shape_is_visible_in_layers (shape, writer->layers) ||
          shape->kind != PLG_SHAPE_PATH || !plg_drawio_is_link (writer, shape))
        continue;
      link = plg_drawio_link (writer, shape->entity.index);
      if ((link->tier != PLG_TIER_NVLINK && link->tier != PLG_TIER_PCIE) || link->other >= 0)
        continue;

      id = plg_link_to (link, writer->plan);
      bar = g_hash_table_lookup (found, id);
      if (bar != NULL)
        {
          PlgRect a = bar->rect, b = shape->rect;
          double left = MIN (a.x, b.x), top = MIN (a.y, b.y);

          bar->rect = (PlgRect) { left, top, MAX (a.x + a.width, b.x + b.width) - left,
                                  MAX (a.y + a.height, b.y + b.height) - top };
          continue;
        }
      bar = g_new (PlgDrawioCell, 1);
      *bar = (PlgDrawioCell) { g_steal_pointer (&id), shape->rect };
      g_ptr_array_add (bars, bar);
      g_ptr_array_add (shapes, (gpointer) shape);
      g_hash_table_insert (found, bar->id, bar);
    }
  for (guint i = 0; i < bars->len; i++)
    {
      const PlgDrawioCell *bar = g_ptr_array_index (bars, i);
      const PlgShape *shape = g_ptr_array_index (shapes, i);
      int node = plg_drawio_link (writer, shape->entity.index)->node;
      PlgRect rect = { bar->rect.x, bar->rect.y + bar->rect.height - 1.5, bar->rect.width, 3 };
      g_autoptr (GString) style = g_string_new ("rounded=1;strokeColor=none;");
      g_autofree char *id = plg_drawio_make_id (writer, bar->id);

      plg_drawio_style_color (style, "fillColor", writer->theme->role[PLG_ROLE_TEXT_DIM],
                              "fillOpacity");
      plg_drawio_add_vertex (writer, id, NULL, id, style,
                             plg_drawio_node_or_layer (writer, node, shape), rect);
      plg_drawio_register_cell (writer, id, rect);
    }
}

static PlgPoint
middle_of (PlgRect r)
{
  return (PlgPoint) { r.x + r.width / 2, r.y + r.height / 2 };
}

/* Adds the point where an edge leaves CELL for AIM, vertically if possible. NAME is "exit" or
 * "entry". */
static void
add_port_style (GString *style, const char *name, PlgRect cell, PlgRect aim)
{
  double x = (middle_of (aim).x - cell.x) / MAX (cell.width, 1);
  gboolean is_below = middle_of (aim).y > middle_of (cell).y;
  g_autofree char *x_key = g_strconcat (name, "X", NULL), *y_key = g_strconcat (name, "Y", NULL);

  if (cell.width < aim.width)
    x = 0.5;
  plg_drawio_style_number (style, x_key, CLAMP (x, 0, 1));
  plg_drawio_style_number (style, y_key, is_below ? 1 : 0);
  g_string_append_printf (style, "%sPerimeter=0;", name);
}

static void
append_edge (PlgDrawio *writer,
             const PlgShape *shape,
             const char *wanted,
             const PlgDrawioCell *source,
             const PlgDrawioCell *target)
{
  g_autoptr (GString) style = g_string_new ("endArrow=none;edgeStyle=none;");
  g_autofree char *id = plg_drawio_make_id (writer, wanted);

  g_string_append (style, shape->smooth ? "curved=1;" : "");
  plg_drawio_style_stroke (style, shape);
  add_port_style (style, "exit", source->rect, target->rect);
  add_port_style (style, "entry", target->rect, source->rect);
  plg_drawio_open_cell (writer, id, NULL, writer->group != NULL ? writer->group->title : NULL,
                        style->str, plg_drawio_layer (shape->layer), "edge");
  plg_markup_text_attribute (writer->out, "source", source->id);
  plg_markup_text_attribute (writer->out, "target", target->id);
  g_string_append (writer->out, "><mxGeometry relative=\"1\" as=\"geometry\">");
  if (shape->smooth)
    append_waypoints (writer, shape);
  g_string_append (writer->out, "</mxGeometry>");
  plg_drawio_close_cell (writer);
}

void
plg_drawio_append_link (PlgDrawio *writer, const PlgShape *shape)
{
  g_autofree char *from = NULL, *to = NULL, *name = NULL, *wanted = NULL;
  const PlgDrawioCell *source, *target;
  const PlgLink *link;

  if (shape->kind != PLG_SHAPE_PATH || !plg_drawio_is_link (writer, shape))
    return;
  link = plg_drawio_link (writer, shape->entity.index);
  from = plg_link_from (link, writer->plan);
  to = plg_link_to (link, writer->plan);
  name = plg_link_id (link);
  wanted = g_strconcat ("link-", name, NULL);
  source = g_hash_table_lookup (writer->cells, from);
  target = g_hash_table_lookup (writer->cells, to);
  /* A link between two cells becomes one edge, even if it is drawn in several parts. */
  if (source == NULL || target == NULL)
    plg_drawio_add_line (writer, shape);
  else if (!g_hash_table_contains (writer->ids, wanted))
    append_edge (writer, shape, wanted, source, target);
}
