/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/drawio.h"

#include "drawing/export/markup.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define ROOT_ID "0"  /* id of the root cell that draw.io requires */
#define TEXT_PAD 2.0 /* distance of a text from the left side of its cell */

/* The cell of a node, GPU, NIC or switch. Edges can connect to the cell, and the cell can
 * contain other cells. */
typedef struct
{
  char *id;
  PlgRect rect;
} DrawioCell;

typedef struct
{
  GString *out;
  const PlgFigure *figure;
  const PlgTheme *theme;
  PlgLayers layers;
  const PlgPlan *plan;
  const PlgReport *report;
  GHashTable *ids;       /* set of the ids in use */
  GHashTable *cells;     /* maps an id to a DrawioCell, a cell that edges can connect to and that
                            can contain other cells */
  const PlgShape *group; /* shape that opens the current group, or NULL outside all groups */
  char *parent;          /* id of the cell that becomes the parent of the group's remaining
                            shapes, or NULL */
  gboolean is_titled;    /* whether a cell of the group already has the group's tooltip */
  gboolean is_wrapped;   /* whether the current cell has a tooltip and is therefore inside an
                            <object> */
  const PlgShape *label; /* text that is the label of the current cell, or NULL */
  PlgRect cut;           /* crop of the current shape; width 0 if the shape is not cropped */
  int n_named;           /* number of ids that were made for cells without an id */
} DrawioWriter;

static void
drawio_cell_free (gpointer data)
{
  DrawioCell *cell = data;

  g_free (cell->id);
  g_free (cell);
}

/* Styles --------------------------------------------------------------------------------------- */

static void
drawio_style_number (GString *style, const char *key, double value)
{
  g_string_append_printf (style, "%s=", key);
  plg_markup_number (style, value);
  g_string_append_c (style, ';');
}

static void
drawio_style_color (GString *style, const char *key, PlgColor color, const char *opacity)
{
  if (color.alpha <= 0)
    {
      g_string_append_printf (style, "%s=none;", key);
      return;
    }
  g_string_append_printf (style, "%s=#%06X;", key, plg_color_to_rgb (color));
  if (color.alpha < 1)
    drawio_style_number (style, opacity, color.alpha * 100);
}

static void
drawio_style_stroke (GString *style, const PlgShape *shape)
{
  double lengths[PLG_MAX_DASHES];
  int n_lengths = plg_shape_dashes (shape, lengths);
  PlgColor none = PLG_COLOR_NONE;

  if (!plg_shape_has_stroke (shape))
    {
      drawio_style_color (style, "strokeColor", none, "strokeOpacity");
      return;
    }
  drawio_style_color (style, "strokeColor", shape->stroke, "strokeOpacity");
  drawio_style_number (style, "strokeWidth", shape->stroke_width);
  if (n_lengths == 0)
    return;
  g_string_append (style, "dashed=1;fixDash=1;dashPattern=");
  for (int i = 0; i < n_lengths; i++)
    {
      g_string_append (style, i > 0 ? " " : "");
      plg_markup_number (style, lengths[i]);
    }
  g_string_append_c (style, ';');
}

static void
drawio_style_box (GString *style, const PlgShape *shape)
{
  double radius = MIN (shape->radius, MIN (shape->rect.width, shape->rect.height) / 2);

  if (radius > 0)
    {
      g_string_append (style, "rounded=1;absoluteArcSize=1;");
      drawio_style_number (style, "arcSize", 2 * radius);
    }
  drawio_style_color (style, "fillColor", shape->fill, "fillOpacity");
  drawio_style_stroke (style, shape);
}

/* Writes the style of TEXT. Text is never treated as HTML, because names from files may contain
 * markup. */
static void
drawio_style_text (GString *style, const PlgShape *text)
{
  static const char *const aligns[] = { "left", "center", "right" };

  g_string_append_printf (style, "html=0;align=%s;spacing=0;%s", aligns[text->anchor],
                          text->bold ? "fontStyle=1;" : "");
  drawio_style_number (style, "fontSize", text->font_size);
  drawio_style_color (style, "fontColor", text->fill, "textOpacity");
}

static const char *
drawio_layer (PlgLayer layer)
{
  static const char *const ids[] = {
    [PLG_LAYER_CLUSTER] = "layer-cluster", [PLG_LAYER_LINKS] = "layer-links",
    [PLG_LAYER_GROUPS] = "layer-groups",   [PLG_LAYER_HANDLES] = "layer-handles",
    [PLG_LAYER_LEGEND] = "layer-legend",
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (ids) == PLG_N_LAYERS);
  return ids[layer];
}

/* Returns: (transfer full): WANTED, or a new numbered id if WANTED is NULL or already in use. */
static char *
drawio_make_id (DrawioWriter *writer, const char *wanted)
{
  char *id = wanted != NULL && !g_hash_table_contains (writer->ids, wanted)
                 ? g_strdup (wanted)
                 : g_strdup_printf ("cell-%d", ++writer->n_named);

  g_hash_table_add (writer->ids, g_strdup (id));
  return id;
}

/* Cells ---------------------------------------------------------------------------------------- */

/* Writes the start of an <mxCell> with LABEL as its value. If there is a tooltip, puts the cell
 * inside an <object>, because an <mxCell> itself cannot have a tooltip. KIND is "vertex" or
 * "edge". The caller then writes the geometry and calls drawio_close_cell(). */
static void
drawio_open_cell (DrawioWriter *writer,
                  const char *id,
                  const char *label,
                  const char *tooltip,
                  const char *style,
                  const char *parent,
                  const char *kind)
{
  GString *out = writer->out;

  writer->is_wrapped = tooltip != NULL;
  g_string_append (out, writer->is_wrapped ? "<object" : "<mxCell");
  if (label != NULL || writer->is_wrapped)
    plg_markup_text_attribute (out, writer->is_wrapped ? "label" : "value",
                               label != NULL ? label : "");
  if (tooltip != NULL)
    plg_markup_text_attribute (out, "tooltip", tooltip);
  plg_markup_text_attribute (out, "id", id);
  if (writer->is_wrapped)
    g_string_append (out, "><mxCell");
  plg_markup_text_attribute (out, "style", style);
  plg_markup_text_attribute (out, "parent", parent);
  plg_markup_text_attribute (out, kind, "1");
}

static void
drawio_close_cell (DrawioWriter *writer)
{
  g_string_append (writer->out, writer->is_wrapped ? "</mxCell></object>\n" : "</mxCell>\n");
}

static void
drawio_add_vertex (DrawioWriter *writer,
                   const char *id,
                   const char *label,
                   const char *tooltip,
                   const GString *style,
                   const char *parent,
                   PlgRect rect)
{
  /* draw.io expects the position of a child relative to its parent. */
  const DrawioCell *container = g_hash_table_lookup (writer->cells, parent);
  GString *out = writer->out;

  drawio_open_cell (writer, id, label, tooltip, style->str, parent, "vertex");
  if (writer->cut.width > 0)
    {
      rect.width = MIN (rect.width, writer->cut.width - rect.x);
      rect.height = MIN (rect.height, writer->cut.height - rect.y);
    }
  g_string_append (out, "><mxGeometry");
  plg_markup_number_attribute (out, "x", rect.x - (container != NULL ? container->rect.x : 0));
  plg_markup_number_attribute (out, "y", rect.y - (container != NULL ? container->rect.y : 0));
  plg_markup_number_attribute (out, "width", rect.width);
  plg_markup_number_attribute (out, "height", rect.height);
  g_string_append (out, " as=\"geometry\"/>");
  drawio_close_cell (writer);
}

/* Registers the cell, so that edges can connect to it and it can contain other cells. */
static void
drawio_register_cell (DrawioWriter *writer, const char *id, PlgRect rect)
{
  DrawioCell *cell = g_new (DrawioCell, 1);

  *cell = (DrawioCell) { g_strdup (id), rect };
  g_hash_table_insert (writer->cells, cell->id, cell);
}

/* Returns the id of the cell of NODE, or of the layer of SHAPE if NODE has no cell. */
static const char *
drawio_node_or_layer (const DrawioWriter *writer, int node, const PlgShape *shape)
{
  g_autofree char *id = g_strdup_printf ("node-%d", node);
  const DrawioCell *cell = g_hash_table_lookup (writer->cells, id);

  return cell != NULL ? cell->id : drawio_layer (shape->layer);
}

static const char *
parent_of (const DrawioWriter *writer, const PlgShape *shape)
{
  return writer->parent != NULL ? writer->parent : drawio_layer (shape->layer);
}

/* Returns the tooltip for SHAPE: the title of SHAPE or, for the first shape without a title in a
 * group, the title of the group. */
static const char *
drawio_take_tooltip (DrawioWriter *writer, const PlgShape *shape)
{
  if (shape->title != NULL || writer->group == NULL || writer->is_titled)
    return shape->title;
  writer->is_titled = TRUE;
  return writer->group->title;
}

/* Returns the first text after SHAPE in the same group, which becomes the label of SHAPE's cell. */
static const PlgShape *
find_label (const DrawioWriter *writer, const PlgShape *shape)
{
  int n = plg_figure_n_shapes (writer->figure);
  int first = (int) (shape - plg_figure_shape (writer->figure, 0)) + 1;

  for (int i = first; i < n; i++)
    {
      const PlgShape *other = plg_figure_shape (writer->figure, i);

      if (other->kind == PLG_SHAPE_CLOSE || other->kind == PLG_SHAPE_OPEN)
        return NULL;
      if (other->kind == PLG_SHAPE_TEXT && plg_shape_is_visible_in_layers (other, writer->layers))
        return other;
    }
  return NULL;
}

/* Adds SHAPE as a cell that can contain other cells. If writer->label is set, it becomes the
 * label of the cell. */
static void
drawio_add_owner (DrawioWriter *writer,
                  const PlgShape *shape,
                  const char *wanted,
                  const char *parent)
{
  g_autoptr (GString) style = g_string_new ("container=1;collapsible=0;expand=0;");
  char *id = drawio_make_id (writer, wanted);

  drawio_style_box (style, shape);
  if (writer->label != NULL)
    {
      const PlgShape *label = writer->label;

      drawio_style_text (style, label);
      g_string_append (style, "verticalAlign=top;");
      drawio_style_number (style, "spacingTop",
                           label->at.y - label->font_size * PLG_TEXT_ASCENT - shape->rect.y);
      if (label->anchor == PLG_ANCHOR_START)
        drawio_style_number (style, "spacingLeft", label->at.x - shape->rect.x);
    }
  drawio_add_vertex (writer, id, writer->label != NULL ? writer->label->text : NULL,
                     drawio_take_tooltip (writer, shape), style, parent, shape->rect);
  drawio_register_cell (writer, id, shape->rect);
  g_free (writer->parent);
  writer->parent = id;
}

/* Links ---------------------------------------------------------------------------------------- */

static gboolean
drawio_has_links (const DrawioWriter *writer)
{
  return writer->plan != NULL && writer->report != NULL;
}

static gboolean
drawio_is_link (const DrawioWriter *writer, const PlgShape *shape)
{
  return drawio_has_links (writer) && shape->entity.kind == PLG_ENTITY_LINK &&
         shape->entity.index >= 0 && shape->entity.index < (int) writer->report->links->len;
}

static const PlgLink *
drawio_link (const DrawioWriter *writer, int index)
{
  return &g_array_index (writer->report->links, PlgLink, index);
}

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

/* Writes the points of SHAPE between its first and last point. For a curve, writes three points
 * on each segment. */
static void
append_waypoints (DrawioWriter *writer, const PlgShape *shape)
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

/* Adds a line as a child of its layer, not of another cell. A layer is at the origin of the
 * page, so the points of the line need no conversion. */
static void
drawio_add_line (DrawioWriter *writer, const PlgShape *shape)
{
  const PlgPoint *p = plg_figure_points (writer->figure, shape);
  g_autoptr (GString) style = g_string_new ("connectable=0;");
  g_autofree char *id = drawio_make_id (writer, shape->id);

  g_string_append_printf (style, "%sendArrow=%s;", shape->smooth ? "rounded=1;curved=1;" : "",
                          shape->arrow ? "block" : "none");
  drawio_style_stroke (style, shape);
  drawio_open_cell (writer, id, NULL, drawio_take_tooltip (writer, shape), style->str,
                    drawio_layer (shape->layer), "edge");
  g_string_append (writer->out, "><mxGeometry relative=\"1\" as=\"geometry\">");
  append_mx_point (writer->out, p[0], "sourcePoint");
  append_mx_point (writer->out, p[shape->n_points - 1], "targetPoint");
  append_waypoints (writer, shape);
  g_string_append (writer->out, "</mxGeometry>");
  drawio_close_cell (writer);
}

/* Adds each switch inside a node as one bar. The figure shows such a switch only as the ends of
 * its links, so the bar spans all of these ends. */
static void
drawio_add_bars (DrawioWriter *writer)
{
  g_autoptr (GPtrArray) bars = g_ptr_array_new_with_free_func (drawio_cell_free);
  g_autoptr (GPtrArray) shapes = g_ptr_array_new ();
  g_autoptr (GHashTable) found = g_hash_table_new (g_str_hash, g_str_equal);

  for (int i = 0; i < plg_figure_n_shapes (writer->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer->figure, i);
      g_autofree char *id = NULL;
      DrawioCell *bar;
      const PlgLink *link;

      if (!plg_shape_is_visible_in_layers (shape, writer->layers) ||
          shape->kind != PLG_SHAPE_PATH || !drawio_is_link (writer, shape))
        continue;
      link = drawio_link (writer, shape->entity.index);
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
      bar = g_new (DrawioCell, 1);
      *bar = (DrawioCell) { g_steal_pointer (&id), shape->rect };
      g_ptr_array_add (bars, bar);
      g_ptr_array_add (shapes, (gpointer) shape);
      g_hash_table_insert (found, bar->id, bar);
    }
  for (guint i = 0; i < bars->len; i++)
    {
      const DrawioCell *bar = g_ptr_array_index (bars, i);
      const PlgShape *shape = g_ptr_array_index (shapes, i);
      int node = drawio_link (writer, shape->entity.index)->node;
      PlgRect rect = { bar->rect.x, bar->rect.y + bar->rect.height - 1.5, bar->rect.width, 3 };
      g_autoptr (GString) style = g_string_new ("rounded=1;strokeColor=none;");
      g_autofree char *id = drawio_make_id (writer, bar->id);

      drawio_style_color (style, "fillColor", writer->theme->role[PLG_ROLE_TEXT_DIM],
                          "fillOpacity");
      drawio_add_vertex (writer, id, NULL, id, style, drawio_node_or_layer (writer, node, shape),
                         rect);
      drawio_register_cell (writer, id, rect);
    }
}

static PlgPoint
middle_of (PlgRect r)
{
  return (PlgPoint) { r.x + r.width / 2, r.y + r.height / 2 };
}

/* Adds the point on the upper or lower side of CELL where an edge towards AIM is attached. Makes
 * the edge vertical if possible. NAME is "exit" or "entry". */
static void
add_port_style (GString *style, const char *name, PlgRect cell, PlgRect aim)
{
  double x = (middle_of (aim).x - cell.x) / MAX (cell.width, 1);
  gboolean is_below = middle_of (aim).y > middle_of (cell).y;
  g_autofree char *x_key = g_strconcat (name, "X", NULL), *y_key = g_strconcat (name, "Y", NULL);

  if (cell.width < aim.width)
    x = 0.5;
  drawio_style_number (style, x_key, CLAMP (x, 0, 1));
  drawio_style_number (style, y_key, is_below ? 1 : 0);
  g_string_append_printf (style, "%sPerimeter=0;", name);
}

static void
drawio_append_link (DrawioWriter *writer, const PlgShape *shape)
{
  g_autofree char *from = NULL, *to = NULL, *name = NULL, *wanted = NULL;
  const DrawioCell *source, *target;
  const PlgLink *link;

  if (shape->kind != PLG_SHAPE_PATH || !drawio_is_link (writer, shape))
    return;
  link = drawio_link (writer, shape->entity.index);
  from = plg_link_from (link, writer->plan);
  to = plg_link_to (link, writer->plan);
  name = plg_link_id (link);
  wanted = g_strconcat ("link-", name, NULL);
  source = g_hash_table_lookup (writer->cells, from);
  target = g_hash_table_lookup (writer->cells, to);
  /* Write a link between two cells as one edge. If several shapes draw the link, skip all but
   * the first. */
  if (source == NULL || target == NULL)
    drawio_add_line (writer, shape);
  else if (!g_hash_table_contains (writer->ids, wanted))
    {
      g_autoptr (GString) style = g_string_new ("endArrow=none;edgeStyle=none;");
      g_autofree char *id = drawio_make_id (writer, wanted);

      g_string_append (style, shape->smooth ? "curved=1;" : "");
      drawio_style_stroke (style, shape);
      add_port_style (style, "exit", source->rect, target->rect);
      add_port_style (style, "entry", target->rect, source->rect);
      drawio_open_cell (writer, id, NULL, writer->group != NULL ? writer->group->title : NULL,
                        style->str, drawio_layer (shape->layer), "edge");
      plg_markup_text_attribute (writer->out, "source", source->id);
      plg_markup_text_attribute (writer->out, "target", target->id);
      g_string_append (writer->out, "><mxGeometry relative=\"1\" as=\"geometry\">");
      if (shape->smooth)
        append_waypoints (writer, shape);
      g_string_append (writer->out, "</mxGeometry>");
      drawio_close_cell (writer);
    }
}

/* All shapes ----------------------------------------------------------------------------------- */

static void
set_group (DrawioWriter *writer, const PlgShape *group)
{
  writer->group = group;
  writer->is_titled = FALSE;
  writer->label = NULL;
  g_clear_pointer (&writer->parent, g_free);
}

/* Adds the rectangle SHAPE as a cell that can contain other cells or have edges, if SHAPE is the
 * box of a node, GPU, NIC or switch. Otherwise adds nothing and returns FALSE. */
static gboolean
append_owner (DrawioWriter *writer, const PlgShape *shape)
{
  gboolean is_first = writer->parent == NULL && writer->group != NULL;
  const char *classes = is_first ? writer->group->classes : NULL;
  static const char *const switches[] = { "rail", "leaf", "spine", NULL };

  if (drawio_is_link (writer, shape) &&
      drawio_link (writer, shape->entity.index)->tier == PLG_TIER_NIC)
    {
      /* The box of a NIC represents the NIC's link. Add the box as a cell inside its node. */
      g_autofree char *wanted = plg_link_from (drawio_link (writer, shape->entity.index),
                                               writer->plan);
      int node = drawio_link (writer, shape->entity.index)->node;
      g_autofree char *parent = g_steal_pointer (&writer->parent);

      drawio_add_owner (writer, shape, wanted, drawio_node_or_layer (writer, node, shape));
      g_free (writer->parent);
      writer->parent = g_steal_pointer (&parent);
    }
  else if (is_first && shape->entity.kind == PLG_ENTITY_NODE)
    {
      g_autofree char *wanted = g_strdup_printf ("node-%d", shape->entity.index);

      drawio_add_owner (writer, shape, wanted, drawio_layer (shape->layer));
    }
  else if (is_first && shape->entity.kind == PLG_ENTITY_GPU)
    {
      g_autofree char *wanted = g_strdup_printf ("gpu-%d", shape->entity.index);
      int node = writer->plan != NULL ? shape->entity.index / writer->plan->cluster.gpus_per_node
                                      : -1;

      writer->label = find_label (writer, shape);
      drawio_add_owner (writer, shape, wanted, drawio_node_or_layer (writer, node, shape));
    }
  else if (classes != NULL && g_strv_contains (switches, classes))
    {
      /* Add a switch between nodes with its label, as a cell that edges can connect to. */
      writer->label = find_label (writer, shape);
      drawio_add_owner (writer, shape, writer->group->id, drawio_layer (shape->layer));
    }
  else
    return FALSE;
  return TRUE;
}

static void
append_box (DrawioWriter *writer, const PlgShape *shape)
{
  /* draw.io has no patterns of only horizontal or only vertical lines, so dashes and dots
   * represent them. A hatch with lines in two directions becomes two cells, unless both
   * directions are diagonal. */
  static const struct
  {
    PlgHatchLines lines;
    const char *pattern;
  } patterns[] = { { PLG_HATCH_RISING | PLG_HATCH_FALLING, "cross-hatch" },
                   { PLG_HATCH_RISING, "hatch" },
                   { PLG_HATCH_FALLING, "zigzag-line" },
                   { PLG_HATCH_LEVEL, "dashed" },
                   { PLG_HATCH_UPRIGHT, "dots" } };
  g_autoptr (GString) style = g_string_new (NULL);
  const char *parent = parent_of (writer, shape);
  gboolean is_outline = shape->fill.alpha <= 0;
  gboolean is_first = writer->parent == NULL && writer->group != NULL;
  g_autofree char *id = drawio_make_id (writer, shape->id == NULL && is_first ? writer->group->id
                                                                              : shape->id);
  PlgHatchLines left = plg_hatch_lines (shape->hatch);
  PlgColor color = plg_shape_hatch_color (shape);

  drawio_style_box (style, shape);
  /* Make outlines ignore the pointer. Otherwise a click would select the outline instead of the
   * cell, and an edge could connect to the outline. */
  if (is_outline)
    g_string_append (style, "pointerEvents=0;");
  if (is_outline || writer->parent != NULL)
    g_string_append (style, "connectable=0;");
  drawio_add_vertex (writer, id, NULL, drawio_take_tooltip (writer, shape), style, parent,
                     shape->rect);
  for (guint i = 0; i < G_N_ELEMENTS (patterns) && color.alpha > 0; i++)
    {
      g_autoptr (GString) hatch_style = g_string_new ("connectable=0;strokeColor=none;");
      g_autofree char *hatch_id = NULL;

      if (left == 0 || (left & patterns[i].lines) != patterns[i].lines)
        continue;
      left &= ~patterns[i].lines;
      g_string_append_printf (hatch_style, "fillStyle=%s;", patterns[i].pattern);
      drawio_style_color (hatch_style, "fillColor", color, "fillOpacity");
      hatch_id = drawio_make_id (writer, NULL);
      drawio_add_vertex (writer, hatch_id, NULL, NULL, hatch_style, parent, shape->rect);
    }
}

/* Adds SHAPE unless it is the line of a link. Links are added later, because their edges refer
 * to cells that must already exist. */
static void
append_shape (DrawioWriter *writer, const PlgShape *shape)
{
  if (shape == writer->label)
    return;
  switch (shape->kind)
    {
    case PLG_SHAPE_RECT:
      if (!append_owner (writer, shape))
        append_box (writer, shape);
      break;
    case PLG_SHAPE_TEXT:
      {
        g_autoptr (GString) style = g_string_new ("text;strokeColor=none;fillColor=none;"
                                                  "verticalAlign=middle;overflow=visible;"
                                                  "connectable=0;");
        PlgRect rect = { 0, shape->at.y - shape->font_size * PLG_TEXT_ASCENT, 0,
                         shape->font_size * (PLG_TEXT_ASCENT + PLG_TEXT_DESCENT) };
        double width = plg_text_width (shape->text, shape->font_size, shape->bold);
        g_autofree char *id = drawio_make_id (writer, shape->id);

        rect.x = plg_text_left (shape->at.x, shape->anchor, width) -
                 (shape->anchor == PLG_ANCHOR_START ? 0 : TEXT_PAD);
        rect.width = width + (shape->anchor == PLG_ANCHOR_MIDDLE ? 2 : 1) * TEXT_PAD;
        if (shape->anchor == PLG_ANCHOR_END)
          rect.x = shape->at.x - rect.width;
        drawio_style_text (style, shape);
        drawio_add_vertex (writer, id, shape->text, drawio_take_tooltip (writer, shape), style,
                           parent_of (writer, shape), rect);
      }
      break;
    case PLG_SHAPE_PATH:
      if (!drawio_is_link (writer, shape))
        {
          if (shape->closed || shape->fill.alpha > 0)
            {
              const PlgPoint *p = plg_figure_points (writer->figure, shape);
              g_autoptr (GString) style = g_string_new ("shape=mxgraph.basic.polygon;connectable=0;"
                                                        "polyCoords=[");
              g_autofree char *id = drawio_make_id (writer, shape->id);
              PlgRect r = shape->rect;

              for (int i = 0; i < shape->n_points; i++)
                {
                  g_string_append (style, i > 0 ? ",[" : "[");
                  plg_markup_number (style, r.width > 0 ? (p[i].x - r.x) / r.width : 0);
                  g_string_append_c (style, ',');
                  plg_markup_number (style, r.height > 0 ? (p[i].y - r.y) / r.height : 0);
                  g_string_append_c (style, ']');
                }
              g_string_append (style, "];polyline=0;");
              drawio_style_color (style, "fillColor", shape->fill, "fillOpacity");
              drawio_style_stroke (style, shape);
              drawio_add_vertex (writer, id, NULL, drawio_take_tooltip (writer, shape), style,
                                 parent_of (writer, shape), r);
            }
          else
            drawio_add_line (writer, shape);
        }
      break;
    case PLG_SHAPE_OPEN:
    case PLG_SHAPE_CLOSE:
    default:
      break;
    }
}

static void
append_shapes (DrawioWriter *writer, void (*append) (DrawioWriter *, const PlgShape *))
{
  PlgRect cut;
  int n_cut = plg_figure_get_crop (writer->figure, &cut);

  for (int i = 0; i < plg_figure_n_shapes (writer->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer->figure, i);

      writer->cut = i < n_cut ? cut : (PlgRect) { 0 };
      if (shape->kind == PLG_SHAPE_OPEN || shape->kind == PLG_SHAPE_CLOSE)
        set_group (writer, shape->kind == PLG_SHAPE_OPEN ? shape : NULL);
      else if (plg_shape_is_visible_in_layers (shape, writer->layers))
        append (writer, shape);
    }
  set_group (writer, NULL);
}

char *
plg_drawio_write (const PlgFigure *figure,
                  const PlgTheme *theme,
                  PlgLayers layers,
                  PlgColor background,
                  const PlgPlan *plan,
                  const PlgReport *report)
{
  DrawioWriter writer = { .out = g_string_new (NULL),
                          .figure = figure,
                          .theme = theme,
                          .layers = layers,
                          .plan = plan,
                          .report = report };
  static const char *const titles[] = {
    [PLG_LAYER_CLUSTER] = N_ ("Cluster"), [PLG_LAYER_LINKS] = N_ ("Links"),
    [PLG_LAYER_GROUPS] = N_ ("Groups"),   [PLG_LAYER_HANDLES] = N_ ("Handles"),
    [PLG_LAYER_LEGEND] = N_ ("Legend"),
  };
  GString *out = writer.out;

  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == PLG_N_LAYERS);
  writer.ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  writer.cells = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, drawio_cell_free);

  g_string_append (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<mxfile host=\"Parallelogram\">\n  <diagram id=\"picture\"");
  plg_markup_text_attribute (out, "name", plg_figure_title (figure));
  g_string_append (out, ">\n    <mxGraphModel grid=\"0\" guides=\"1\" tooltips=\"1\" connect=\"1\" "
                        "arrows=\"1\" fold=\"1\" page=\"1\" pageScale=\"1\" math=\"0\" "
                        "shadow=\"0\"");
  plg_markup_number_attribute (out, "pageWidth", ceil (plg_figure_width (figure)));
  plg_markup_number_attribute (out, "pageHeight", ceil (plg_figure_height (figure)));
  if (background.alpha > 0)
    {
      g_autofree char *color = g_strdup_printf ("#%06X", plg_color_to_rgb (background));

      plg_markup_text_attribute (out, "background", color);
    }
  g_string_append (out, ">\n      <root>\n        <mxCell id=\"" ROOT_ID "\"/>\n");
  g_hash_table_add (writer.ids, g_strdup (ROOT_ID));

  for (int layer = 0; layer < PLG_N_LAYERS; layer++)
    {
      if ((layers & 1u << layer) == 0)
        continue;
      g_string_append (out, "        <mxCell");
      plg_markup_text_attribute (out, "id", drawio_layer (layer));
      plg_markup_text_attribute (out, "value", _ (titles[layer]));
      plg_markup_text_attribute (out, "parent", ROOT_ID);
      g_string_append (out, "/>\n");
      g_hash_table_add (writer.ids, g_strdup (drawio_layer (layer)));
    }

  append_shapes (&writer, append_shape);
  if (drawio_has_links (&writer))
    drawio_add_bars (&writer);
  append_shapes (&writer, drawio_append_link);
  g_string_append (out, "      </root>\n    </mxGraphModel>\n  </diagram>\n</mxfile>\n");
  g_hash_table_unref (writer.cells);
  g_hash_table_unref (writer.ids);
  return g_string_free (out, FALSE);
}
