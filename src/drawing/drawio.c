/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/drawio.h"

#include "drawing/markup.h"
#include "drawing/outline.h"
#include "drawing/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Of the cells that draw.io itself expects. */
#define ROOT_ID "0"

/* Text stands a little to the right of where its cell begins. */
#define TEXT_PAD 2.0

typedef struct
{
  char *id;
  PlgRect rect;
} Cell;

typedef struct
{
  GString *out;
  const PlgFigure *figure;
  const PlgTheme *theme;
  PlgLayers layers;
  const PlgPlan *plan;
  const PlgReport *report;
  GHashTable *ids;   /* those that are taken */
  GHashTable *cells; /* id -> Cell, of what edges can join and children lie in */
  /* Of the group that the current shape is in: */
  const PlgShape *group;
  char *parent; /* the cell in which its further shapes lie, or NULL */
  gboolean is_titled;
  gboolean is_wrapped;   /* the cell that is being written has a tooltip */
  const PlgShape *label; /* the text that this cell bears itself */
  int n_named;           /* cells that have no name of their own are numbered */
} Writer;

static void
cell_free (gpointer data)
{
  Cell *cell = data;

  g_free (cell->id);
  g_free (cell);
}

static const char *
layer_id (PlgLayer layer)
{
  static const char *const ids[PLG_N_LAYERS] = { "layer-cluster", "layer-links", "layer-groups",
                                                 "layer-handles", "layer-legend" };

  return ids[layer];
}

/* WANTED, or, where it is NULL or taken, a number. g_free(). */
static char *
new_id (Writer *writer, const char *wanted)
{
  char *id = wanted != NULL && !g_hash_table_contains (writer->ids, wanted)
                 ? g_strdup (wanted)
                 : g_strdup_printf ("cell-%d", ++writer->n_named);

  g_hash_table_add (writer->ids, g_strdup (id));
  return id;
}

/* Styles --------------------------------------------------------------------------------------- */

static void
add_number_style (GString *style, const char *key, double value)
{
  g_string_append_printf (style, "%s=", key);
  plg_markup_number (style, value);
  g_string_append_c (style, ';');
}

static void
add_color_style (GString *style, const char *key, PlgColor color, const char *opacity)
{
  if (color.alpha <= 0)
    {
      g_string_append_printf (style, "%s=none;", key);
      return;
    }
  g_string_append_printf (style, "%s=#%06X;", key, plg_color_to_rgb (color));
  if (color.alpha < 1)
    add_number_style (style, opacity, color.alpha * 100);
}

static void
add_stroke_style (GString *style, const PlgShape *shape)
{
  double lengths[PLG_MAX_DASHES];
  int n_lengths = plg_outline_dashes (shape, lengths);
  PlgColor none = PLG_COLOR_NONE;

  if (!plg_outline_is_stroked (shape))
    {
      add_color_style (style, "strokeColor", none, "strokeOpacity");
      return;
    }
  add_color_style (style, "strokeColor", shape->stroke, "strokeOpacity");
  add_number_style (style, "strokeWidth", shape->stroke_width);
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
add_box_style (GString *style, const PlgShape *shape)
{
  double radius = MIN (shape->radius, MIN (shape->rect.width, shape->rect.height) / 2);

  if (radius > 0)
    {
      g_string_append (style, "rounded=1;absoluteArcSize=1;");
      add_number_style (style, "arcSize", 2 * radius);
    }
  add_color_style (style, "fillColor", shape->fill, "fillOpacity");
  add_stroke_style (style, shape);
}

/* Plain text, never HTML: names come from files. What is the default is not written. */
static void
add_text_style (GString *style, const PlgShape *text)
{
  static const char *const aligns[] = { "left", "center", "right" };

  g_string_append_printf (style, "html=0;align=%s;spacing=0;%s", aligns[text->anchor],
                          text->bold ? "fontStyle=1;" : "");
  add_number_style (style, "fontSize", text->font_size);
  add_color_style (style, "fontColor", text->fill, "textOpacity");
}

/* Cells ---------------------------------------------------------------------------------------- */

/* <mxCell>, with the label as its value, and only where there is a tooltip, which a cell alone
 * cannot bear, <object> around it: of large clusters there are very many. KIND is vertex or edge;
 * to be ended with close_cell(). */
static void
open_cell (Writer *writer,
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
close_cell (Writer *writer)
{
  g_string_append (writer->out, writer->is_wrapped ? "</mxCell></object>\n" : "</mxCell>\n");
}

/* RECT is the figure's; a child's place is told from the corner of its parent. */
static void
append_box (Writer *writer, PlgRect rect, const char *parent)
{
  const Cell *around = g_hash_table_lookup (writer->cells, parent);
  GString *out = writer->out;

  g_string_append (out, "><mxGeometry");
  plg_markup_number_attribute (out, "x", rect.x - (around != NULL ? around->rect.x : 0));
  plg_markup_number_attribute (out, "y", rect.y - (around != NULL ? around->rect.y : 0));
  plg_markup_number_attribute (out, "width", rect.width);
  plg_markup_number_attribute (out, "height", rect.height);
  g_string_append (out, " as=\"geometry\"/>");
}

static void
add_vertex (Writer *writer,
            const char *id,
            const char *label,
            const char *tooltip,
            const GString *style,
            const char *parent,
            PlgRect rect)
{
  open_cell (writer, id, label, tooltip, style->str, parent, "vertex");
  append_box (writer, rect, parent);
  close_cell (writer);
}

static void
keep_cell (Writer *writer, const char *id, PlgRect rect)
{
  Cell *cell = g_new (Cell, 1);

  *cell = (Cell) { g_strdup (id), rect };
  g_hash_table_insert (writer->cells, cell->id, cell);
}

/* The id of the cell of NODE, or else that of the layer of SHAPE. */
static const char *
node_or_layer (const Writer *writer, int node, const PlgShape *shape)
{
  g_autofree char *id = g_strdup_printf ("node-%d", node);
  const Cell *cell = g_hash_table_lookup (writer->cells, id);

  return cell != NULL ? cell->id : layer_id (shape->layer);
}

static const char *
parent_of (const Writer *writer, const PlgShape *shape)
{
  return writer->parent != NULL ? writer->parent : layer_id (shape->layer);
}

/* What a group is about, as the tooltip of its first cell. */
static const char *
take_tooltip (Writer *writer, const PlgShape *shape)
{
  if (shape->title != NULL || writer->group == NULL || writer->is_titled)
    return shape->title;
  writer->is_titled = TRUE;
  return writer->group->title;
}

/* draw.io has five patterns, and none of level or upright lines alone. Each direction has one of
 * its own, so that what consists of two of them is both, one on the other; only what is slanted
 * both ways is there as one. */
static void
add_hatch (Writer *writer, const PlgShape *shape, const char *parent)
{
  static const struct
  {
    PlgHatchLines lines;
    const char *pattern;
  } patterns[] = { { PLG_HATCH_RISING | PLG_HATCH_FALLING, "cross-hatch" },
                   { PLG_HATCH_RISING, "hatch" },
                   { PLG_HATCH_FALLING, "zigzag-line" },
                   { PLG_HATCH_LEVEL, "dashed" },
                   { PLG_HATCH_UPRIGHT, "dots" } };
  PlgHatchLines left = plg_outline_hatch (shape->hatch);
  PlgColor color = plg_outline_hatch_color (shape);

  for (guint i = 0; i < G_N_ELEMENTS (patterns) && color.alpha > 0; i++)
    {
      g_autoptr (GString) style = g_string_new ("connectable=0;strokeColor=none;");
      g_autofree char *id = NULL;

      if (left == 0 || (left & patterns[i].lines) != patterns[i].lines)
        continue;
      left &= ~patterns[i].lines;
      g_string_append_printf (style, "fillStyle=%s;", patterns[i].pattern);
      add_color_style (style, "fillColor", color, "fillOpacity");
      id = new_id (writer, NULL);
      add_vertex (writer, id, NULL, NULL, style, parent, shape->rect);
    }
}

static void
add_rect (Writer *writer, const PlgShape *shape)
{
  g_autoptr (GString) style = g_string_new (NULL);
  const char *parent = parent_of (writer, shape);
  gboolean is_outline = shape->fill.alpha <= 0;
  gboolean is_first = writer->parent == NULL && writer->group != NULL;
  g_autofree char *id = new_id (writer,
                                shape->id == NULL && is_first ? writer->group->id : shape->id);

  add_box_style (style, shape);
  /* What is only an outline, or part of another cell, must not catch the pointer. */
  if (is_outline)
    g_string_append (style, "pointerEvents=0;");
  if (is_outline || writer->parent != NULL)
    g_string_append (style, "connectable=0;");
  add_vertex (writer, id, NULL, take_tooltip (writer, shape), style, parent, shape->rect);
  add_hatch (writer, shape, parent);
}

/* The switches between nodes are cells that links join and that bear their names. */
static gboolean
is_switch (const Writer *writer, const PlgShape *shape)
{
  const char *classes = writer->group != NULL ? writer->group->classes : NULL;

  return shape->kind == PLG_SHAPE_RECT && writer->parent == NULL && classes != NULL &&
         (strcmp (classes, "rail") == 0 || strcmp (classes, "leaf") == 0 ||
          strcmp (classes, "spine") == 0);
}

/* The first text of the group of SHAPE, which its cell bears itself. */
static const PlgShape *
label_of (const Writer *writer, const PlgShape *shape)
{
  int n = plg_figure_n_shapes (writer->figure);
  int first = (int) (shape - plg_figure_shape (writer->figure, 0)) + 1;

  for (int i = first; i < n; i++)
    {
      const PlgShape *other = plg_figure_shape (writer->figure, i);

      if (other->kind == PLG_SHAPE_CLOSE || other->kind == PLG_SHAPE_OPEN)
        return NULL;
      if (other->kind == PLG_SHAPE_TEXT && plg_outline_is_wanted (other, writer->layers))
        return other;
    }
  return NULL;
}

static void
add_label_style (GString *style, const PlgShape *shape, const PlgShape *label)
{
  add_text_style (style, label);
  g_string_append (style, "verticalAlign=top;");
  add_number_style (style, "spacingTop",
                    label->at.y - label->font_size * PLG_TEXT_ASCENT - shape->rect.y);
  if (label->anchor == PLG_ANCHOR_START)
    add_number_style (style, "spacingLeft", label->at.x - shape->rect.x);
}

/* A cell with a name that has others in it. */
static void
add_owner (Writer *writer, const PlgShape *shape, const char *wanted, const char *parent)
{
  g_autoptr (GString) style = g_string_new ("container=1;collapsible=0;expand=0;");
  char *id = new_id (writer, wanted);

  add_box_style (style, shape);
  if (writer->label != NULL)
    add_label_style (style, shape, writer->label);
  add_vertex (writer, id, writer->label != NULL ? writer->label->text : NULL,
              take_tooltip (writer, shape), style, parent, shape->rect);
  keep_cell (writer, id, shape->rect);
  g_free (writer->parent);
  writer->parent = id;
}

static void
add_node (Writer *writer, const PlgShape *shape)
{
  g_autofree char *wanted = g_strdup_printf ("node-%d", shape->thing.index);

  add_owner (writer, shape, wanted, layer_id (shape->layer));
}

static void
add_gpu (Writer *writer, const PlgShape *shape)
{
  g_autofree char *wanted = g_strdup_printf ("gpu-%d", shape->thing.index);
  int node = writer->plan != NULL ? shape->thing.index / writer->plan->cluster.gpus_per_node : -1;

  writer->label = label_of (writer, shape);
  add_owner (writer, shape, wanted, node_or_layer (writer, node, shape));
}

static void
add_text (Writer *writer, const PlgShape *shape)
{
  g_autoptr (GString) style = g_string_new ("text;strokeColor=none;fillColor=none;"
                                            "verticalAlign=middle;overflow=visible;"
                                            "connectable=0;");
  PlgRect rect = { 0, shape->at.y - shape->font_size * PLG_TEXT_ASCENT, 0,
                   shape->font_size * (PLG_TEXT_ASCENT + PLG_TEXT_DESCENT) };
  double width = plg_text_width (shape->text, shape->font_size, shape->bold);
  g_autofree char *id = new_id (writer, shape->id);

  rect.x = plg_text_left (shape->at.x, shape->anchor, width) -
           (shape->anchor == PLG_ANCHOR_START ? 0 : TEXT_PAD);
  rect.width = width + (shape->anchor == PLG_ANCHOR_MIDDLE ? 2 : 1) * TEXT_PAD;
  if (shape->anchor == PLG_ANCHOR_END)
    rect.x = shape->at.x - rect.width;
  add_text_style (style, shape);
  add_vertex (writer, id, shape->text, take_tooltip (writer, shape), style,
              parent_of (writer, shape), rect);
}

/* Paths ---------------------------------------------------------------------------------------- */

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

static PlgPoint
curve_point (const PlgPoint *p, double t)
{
  double u = 1 - t;
  double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;

  return (PlgPoint) { a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                      a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y };
}

/* The way between the ends; curves as the points that they pass. */
static void
append_way (Writer *writer, const PlgShape *shape)
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
      append_mx_point (writer->out, curve_point (p + i, step / 4.0), NULL);
  g_string_append (writer->out, "</Array>");
}

/* Lines that join nothing lie on their layer: an edge's points are not told from its parent. */
static void
add_line (Writer *writer, const PlgShape *shape)
{
  const PlgPoint *p = plg_figure_points (writer->figure, shape);
  g_autoptr (GString) style = g_string_new ("connectable=0;");
  g_autofree char *id = new_id (writer, shape->id);

  g_string_append_printf (style, "%sendArrow=%s;", shape->smooth ? "rounded=1;curved=1;" : "",
                          shape->arrow ? "block" : "none");
  add_stroke_style (style, shape);
  open_cell (writer, id, NULL, take_tooltip (writer, shape), style->str, layer_id (shape->layer),
             "edge");
  g_string_append (writer->out, "><mxGeometry relative=\"1\" as=\"geometry\">");
  append_mx_point (writer->out, p[0], "sourcePoint");
  append_mx_point (writer->out, p[shape->n_points - 1], "targetPoint");
  append_way (writer, shape);
  g_string_append (writer->out, "</mxGeometry>");
  close_cell (writer);
}

static void
add_polygon (Writer *writer, const PlgShape *shape)
{
  const PlgPoint *p = plg_figure_points (writer->figure, shape);
  g_autoptr (GString) style = g_string_new ("shape=mxgraph.basic.polygon;connectable=0;"
                                            "polyCoords=[");
  g_autofree char *id = new_id (writer, shape->id);
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
  add_color_style (style, "fillColor", shape->fill, "fillOpacity");
  add_stroke_style (style, shape);
  add_vertex (writer, id, NULL, take_tooltip (writer, shape), style, parent_of (writer, shape), r);
}

/* Links ---------------------------------------------------------------------------------------- */

static gboolean
has_links (const Writer *writer)
{
  return writer->plan != NULL && writer->report != NULL;
}

static gboolean
is_link (const Writer *writer, const PlgShape *shape)
{
  return has_links (writer) && shape->thing.kind == PLG_THING_LINK && shape->thing.index >= 0 &&
         shape->thing.index < (int) writer->report->links->len;
}

static const PlgLink *
nth_link (const Writer *writer, int index)
{
  return &g_array_index (writer->report->links, PlgLink, index);
}

/* A NIC is drawn as a box that stands for its link; it becomes a cell of its node. */
static void
add_nic (Writer *writer, const PlgShape *shape)
{
  g_autofree char *wanted = plg_link_from (nth_link (writer, shape->thing.index), writer->plan);
  int node = nth_link (writer, shape->thing.index)->node;
  g_autofree char *parent = g_steal_pointer (&writer->parent);

  add_owner (writer, shape, wanted, node_or_layer (writer, node, shape));
  g_free (writer->parent);
  writer->parent = g_steal_pointer (&parent);
}

static PlgRect
rect_union (PlgRect a, PlgRect b)
{
  double left = MIN (a.x, b.x), top = MIN (a.y, b.y);

  return (PlgRect) { left, top, MAX (a.x + a.width, b.x + b.width) - left,
                     MAX (a.y + a.height, b.y + b.height) - top };
}

/* Whether SHAPE is a piece of a node's switch, or of the root of its tree. */
static gboolean
is_of_bar (const Writer *writer, const PlgShape *shape)
{
  const PlgLink *link;

  if (!plg_outline_is_wanted (shape, writer->layers) || shape->kind != PLG_SHAPE_PATH ||
      !is_link (writer, shape))
    return FALSE;
  link = nth_link (writer, shape->thing.index);
  return (link->tier == PLG_TIER_NVLINK || link->tier == PLG_TIER_PCIE) && link->other < 0;
}

static void
add_bar (Writer *writer, const Cell *pieces, const PlgShape *shape)
{
  PlgRect rect = { pieces->rect.x, pieces->rect.y + pieces->rect.height - 1.5, pieces->rect.width,
                   3 };
  g_autoptr (GString) style = g_string_new ("rounded=1;strokeColor=none;");
  g_autofree char *id = new_id (writer, pieces->id);

  add_color_style (style, "fillColor", writer->theme->role[PLG_ROLE_TEXT_DIM], "fillOpacity");
  add_vertex (writer, id, NULL, id, style,
              node_or_layer (writer, nth_link (writer, shape->thing.index)->node, shape), rect);
  keep_cell (writer, id, rect);
}

/* The switch of a node is drawn as pieces of its links. It becomes one bar as wide as all of them,
 * where they end. */
static void
add_bars (Writer *writer)
{
  g_autoptr (GPtrArray) bars = g_ptr_array_new_with_free_func (cell_free);
  g_autoptr (GPtrArray) shapes = g_ptr_array_new ();
  g_autoptr (GHashTable) found = g_hash_table_new (g_str_hash, g_str_equal);

  for (int i = 0; i < plg_figure_n_shapes (writer->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer->figure, i);
      g_autofree char *id = NULL;
      Cell *bar;

      if (!is_of_bar (writer, shape))
        continue;
      id = plg_link_to (nth_link (writer, shape->thing.index), writer->plan);
      bar = g_hash_table_lookup (found, id);
      if (bar != NULL)
        {
          bar->rect = rect_union (bar->rect, shape->rect);
          continue;
        }
      bar = g_new (Cell, 1);
      *bar = (Cell) { g_steal_pointer (&id), shape->rect };
      g_ptr_array_add (bars, bar);
      g_ptr_array_add (shapes, (gpointer) shape);
      g_hash_table_insert (found, bar->id, bar);
    }
  for (guint i = 0; i < bars->len; i++)
    add_bar (writer, g_ptr_array_index (bars, i), g_ptr_array_index (shapes, i));
}

static PlgPoint
middle_of (PlgRect r)
{
  return (PlgPoint) { r.x + r.width / 2, r.y + r.height / 2 };
}

/* Where an edge leaves CELL for what lies around AIM: straight up or down where that is possible.
 * NAME is exit or entry. */
static void
add_port_style (GString *style, const char *name, PlgRect cell, PlgRect aim)
{
  double x = (middle_of (aim).x - cell.x) / MAX (cell.width, 1);
  gboolean is_below = middle_of (aim).y > middle_of (cell).y;
  g_autofree char *x_key = g_strconcat (name, "X", NULL), *y_key = g_strconcat (name, "Y", NULL);

  if (cell.width < aim.width)
    x = 0.5;
  add_number_style (style, x_key, CLAMP (x, 0, 1));
  add_number_style (style, y_key, is_below ? 1 : 0);
  g_string_append_printf (style, "%sPerimeter=0;", name);
}

/* Where both ends are cells, an edge between them; else the line as it is drawn. */
static void
add_link (Writer *writer, const PlgShape *shape)
{
  const PlgLink *link = nth_link (writer, shape->thing.index);
  g_autofree char *from = plg_link_from (link, writer->plan);
  g_autofree char *to = plg_link_to (link, writer->plan);
  g_autofree char *name = plg_link_id (link), *wanted = g_strconcat ("link-", name, NULL);
  const Cell *source = g_hash_table_lookup (writer->cells, from);
  const Cell *target = g_hash_table_lookup (writer->cells, to);
  g_autoptr (GString) style = g_string_new ("endArrow=none;edgeStyle=none;");
  g_autofree char *id = NULL;

  /* A link of several pieces is one edge. */
  if (source != NULL && target != NULL && g_hash_table_contains (writer->ids, wanted))
    return;
  if (source == NULL || target == NULL)
    {
      add_line (writer, shape);
      return;
    }
  g_string_append (style, shape->smooth ? "curved=1;" : "");
  add_stroke_style (style, shape);
  add_port_style (style, "exit", source->rect, target->rect);
  add_port_style (style, "entry", target->rect, source->rect);
  id = new_id (writer, wanted);
  open_cell (writer, id, NULL, writer->group != NULL ? writer->group->title : NULL, style->str,
             layer_id (shape->layer), "edge");
  plg_markup_text_attribute (writer->out, "source", source->id);
  plg_markup_text_attribute (writer->out, "target", target->id);
  g_string_append (writer->out, "><mxGeometry relative=\"1\" as=\"geometry\">");
  if (shape->smooth)
    append_way (writer, shape);
  g_string_append (writer->out, "</mxGeometry>");
  close_cell (writer);
}

/* All shapes ----------------------------------------------------------------------------------- */

static void
open_group (Writer *writer, const PlgShape *shape)
{
  writer->group = shape;
  writer->is_titled = FALSE;
  writer->label = NULL;
  g_clear_pointer (&writer->parent, g_free);
}

static void
close_group (Writer *writer)
{
  writer->group = NULL;
  writer->label = NULL;
  g_clear_pointer (&writer->parent, g_free);
}

static void
append_path (Writer *writer, const PlgShape *shape)
{
  if (shape->closed || shape->fill.alpha > 0)
    add_polygon (writer, shape);
  else
    add_line (writer, shape);
}

/* A rectangle that is a cell for others to lie in or to be joined to. */
static gboolean
append_owner (Writer *writer, const PlgShape *shape)
{
  gboolean is_first = writer->parent == NULL && writer->group != NULL;

  if (is_link (writer, shape) && nth_link (writer, shape->thing.index)->tier == PLG_TIER_NIC)
    add_nic (writer, shape);
  else if (is_first && shape->thing.kind == PLG_THING_NODE)
    add_node (writer, shape);
  else if (is_first && shape->thing.kind == PLG_THING_GPU)
    add_gpu (writer, shape);
  else if (is_switch (writer, shape))
    {
      writer->label = label_of (writer, shape);
      add_owner (writer, shape, writer->group->id, layer_id (shape->layer));
    }
  else
    return FALSE;
  return TRUE;
}

/* What is no link: all cells must be there before edges join them. */
static void
append_shape (Writer *writer, const PlgShape *shape)
{
  if (shape == writer->label)
    return;
  switch (shape->kind)
    {
    case PLG_SHAPE_RECT:
      if (!append_owner (writer, shape))
        add_rect (writer, shape);
      break;
    case PLG_SHAPE_TEXT:
      add_text (writer, shape);
      break;
    case PLG_SHAPE_PATH:
      if (!is_link (writer, shape))
        append_path (writer, shape);
      break;
    case PLG_SHAPE_OPEN:
    case PLG_SHAPE_CLOSE:
    default:
      break;
    }
}

static void
append_shapes (Writer *writer, void (*append) (Writer *, const PlgShape *))
{
  for (int i = 0; i < plg_figure_n_shapes (writer->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer->figure, i);

      if (shape->kind == PLG_SHAPE_OPEN)
        open_group (writer, shape);
      else if (shape->kind == PLG_SHAPE_CLOSE)
        close_group (writer);
      else if (plg_outline_is_wanted (shape, writer->layers))
        append (writer, shape);
    }
  close_group (writer);
}

static void
append_link (Writer *writer, const PlgShape *shape)
{
  if (shape->kind == PLG_SHAPE_PATH && is_link (writer, shape))
    add_link (writer, shape);
}

static void
append_layers (Writer *writer)
{
  const char *const titles[PLG_N_LAYERS] = { _ ("Cluster"), _ ("Links"), _ ("Groups"),
                                             _ ("Handles"), _ ("Legend") };

  for (int layer = 0; layer < PLG_N_LAYERS; layer++)
    {
      if ((writer->layers & 1u << layer) == 0)
        continue;
      g_string_append (writer->out, "        <mxCell");
      plg_markup_text_attribute (writer->out, "id", layer_id (layer));
      plg_markup_text_attribute (writer->out, "value", titles[layer]);
      plg_markup_text_attribute (writer->out, "parent", ROOT_ID);
      g_string_append (writer->out, "/>\n");
      g_hash_table_add (writer->ids, g_strdup (layer_id (layer)));
    }
}

static void
append_head (Writer *writer, PlgColor background)
{
  GString *out = writer->out;

  g_string_append (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<mxfile host=\"Parallelogram\">\n  <diagram id=\"picture\"");
  plg_markup_text_attribute (out, "name", plg_figure_title (writer->figure));
  g_string_append (out, ">\n    <mxGraphModel grid=\"0\" guides=\"1\" tooltips=\"1\" connect=\"1\" "
                        "arrows=\"1\" fold=\"1\" page=\"1\" pageScale=\"1\" math=\"0\" "
                        "shadow=\"0\"");
  plg_markup_number_attribute (out, "pageWidth", ceil (plg_figure_width (writer->figure)));
  plg_markup_number_attribute (out, "pageHeight", ceil (plg_figure_height (writer->figure)));
  if (background.alpha > 0)
    {
      g_autofree char *color = g_strdup_printf ("#%06X", plg_color_to_rgb (background));

      plg_markup_text_attribute (out, "background", color);
    }
  g_string_append (out, ">\n      <root>\n        <mxCell id=\"" ROOT_ID "\"/>\n");
  g_hash_table_add (writer->ids, g_strdup (ROOT_ID));
}

char *
plg_drawio_write (const PlgFigure *figure,
                  const PlgTheme *theme,
                  PlgLayers layers,
                  PlgColor background,
                  const PlgPlan *plan,
                  const PlgReport *report)
{
  Writer writer = { .out = g_string_new (NULL),
                    .figure = figure,
                    .theme = theme,
                    .layers = layers,
                    .plan = plan,
                    .report = report };

  writer.ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  writer.cells = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, cell_free);
  append_head (&writer, background);
  append_layers (&writer);
  append_shapes (&writer, append_shape);
  if (has_links (&writer))
    add_bars (&writer);
  append_shapes (&writer, append_link);
  g_string_append (writer.out, "      </root>\n    </mxGraphModel>\n  </diagram>\n</mxfile>\n");
  g_hash_table_unref (writer.cells);
  g_hash_table_unref (writer.ids);
  return g_string_free (writer.out, FALSE);
}
