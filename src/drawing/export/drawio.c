/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/drawio.h"

#include "drawing/export/drawio-private.h"
#include "drawing/export/markup.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define ROOT_ID "0"  /* id of the root cell that draw.io requires */
#define TEXT_PAD 2.0 /* distance of a text from the left side of its cell */

void
plg_drawio_cell_free (gpointer data)
{
  PlgDrawioCell *cell = data;

  g_free (cell->id);
  g_free (cell);
}

const char *
plg_drawio_layer (PlgLayer layer)
{
  static const char *const ids[] = {
    [PLG_LAYER_CLUSTER] = "layer-cluster", [PLG_LAYER_LINKS] = "layer-links",
    [PLG_LAYER_GROUPS] = "layer-groups",   [PLG_LAYER_HANDLES] = "layer-handles",
    [PLG_LAYER_LEGEND] = "layer-legend",
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (ids) == PLG_N_LAYERS);
  return ids[layer];
}

char *
plg_drawio_make_id (PlgDrawio *writer, const char *wanted)
{
  char *id = wanted != NULL && !g_hash_table_contains (writer->ids, wanted)
                 ? g_strdup (wanted)
                 : g_strdup_printf ("cell-%d", ++writer->n_named);

  g_hash_table_add (writer->ids, g_strdup (id));
  return id;
}

/* Cells ---------------------------------------------------------------------------------------- */

void
plg_drawio_open_cell (PlgDrawio *writer,
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

void
plg_drawio_close_cell (PlgDrawio *writer)
{
  g_string_append (writer->out, writer->is_wrapped ? "</mxCell></object>\n" : "</mxCell>\n");
}

void
plg_drawio_add_vertex (PlgDrawio *writer,
                       const char *id,
                       const char *label,
                       const char *tooltip,
                       const GString *style,
                       const char *parent,
                       PlgRect rect)
{
  /* The place of a child is relative to its parent. */
  const PlgDrawioCell *container = g_hash_table_lookup (writer->cells, parent);
  GString *out = writer->out;

  plg_drawio_open_cell (writer, id, label, tooltip, style->str, parent, "vertex");
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
  plg_drawio_close_cell (writer);
}

void
plg_drawio_register_cell (PlgDrawio *writer, const char *id, PlgRect rect)
{
  PlgDrawioCell *cell = g_new (PlgDrawioCell, 1);

  *cell = (PlgDrawioCell) { g_strdup (id), rect };
  g_hash_table_insert (writer->cells, cell->id, cell);
}

const char *
plg_drawio_node_or_layer (const PlgDrawio *writer, int node, const PlgShape *shape)
{
  g_autofree char *id = g_strdup_printf ("node-%d", node);
  const PlgDrawioCell *cell = g_hash_table_lookup (writer->cells, id);

  return cell != NULL ? cell->id : plg_drawio_layer (shape->layer);
}

static const char *
parent_of (const PlgDrawio *writer, const PlgShape *shape)
{
  return writer->parent != NULL ? writer->parent : plg_drawio_layer (shape->layer);
}

const char *
plg_drawio_take_tooltip (PlgDrawio *writer, const PlgShape *shape)
{
  if (shape->title != NULL || writer->group == NULL || writer->is_titled)
    return shape->title;
  writer->is_titled = TRUE;
  return writer->group->title;
}

/* draw.io has five patterns, and no pattern of only horizontal or vertical lines. Each direction of
 * lines has its own pattern; a hatch of two directions becomes two cells unless both are diagonal.
 * */
static void
add_hatch (PlgDrawio *writer, const PlgShape *shape, const char *parent)
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
  PlgHatchLines left = plg_hatch_lines (shape->hatch);
  PlgColor color = plg_shape_hatch_color (shape);

  for (guint i = 0; i < G_N_ELEMENTS (patterns) && color.alpha > 0; i++)
    {
      g_autoptr (GString) style = g_string_new ("connectable=0;strokeColor=none;");
      g_autofree char *id = NULL;

      if (left == 0 || (left & patterns[i].lines) != patterns[i].lines)
        continue;
      left &= ~patterns[i].lines;
      g_string_append_printf (style, "fillStyle=%s;", patterns[i].pattern);
      plg_drawio_style_color (style, "fillColor", color, "fillOpacity");
      id = plg_drawio_make_id (writer, NULL);
      plg_drawio_add_vertex (writer, id, NULL, NULL, style, parent, shape->rect);
    }
}

/* Returns the first text after SHAPE in its group, which becomes the label of its cell. */
static const PlgShape *
find_label (const PlgDrawio *writer, const PlgShape *shape)
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

void
plg_drawio_add_owner (PlgDrawio *writer,
                      const PlgShape *shape,
                      const char *wanted,
                      const char *parent)
{
  g_autoptr (GString) style = g_string_new ("container=1;collapsible=0;expand=0;");
  char *id = plg_drawio_make_id (writer, wanted);

  plg_drawio_style_box (style, shape);
  if (writer->label != NULL)
    {
      const PlgShape *label = writer->label;

      plg_drawio_style_text (style, label);
      g_string_append (style, "verticalAlign=top;");
      plg_drawio_style_number (style, "spacingTop",
                               label->at.y - label->font_size * PLG_TEXT_ASCENT - shape->rect.y);
      if (label->anchor == PLG_ANCHOR_START)
        plg_drawio_style_number (style, "spacingLeft", label->at.x - shape->rect.x);
    }
  plg_drawio_add_vertex (writer, id, writer->label != NULL ? writer->label->text : NULL,
                         plg_drawio_take_tooltip (writer, shape), style, parent, shape->rect);
  plg_drawio_register_cell (writer, id, shape->rect);
  g_free (writer->parent);
  writer->parent = id;
}

/* All shapes ----------------------------------------------------------------------------------- */

static void
set_group (PlgDrawio *writer, const PlgShape *group)
{
  writer->group = group;
  writer->is_titled = FALSE;
  writer->label = NULL;
  g_clear_pointer (&writer->parent, g_free);
}

static void
append_path (PlgDrawio *writer, const PlgShape *shape)
{
  if (shape->closed || shape->fill.alpha > 0)
    {
      const PlgPoint *p = plg_figure_points (writer->figure, shape);
      g_autoptr (GString) style = g_string_new ("shape=mxgraph.basic.polygon;connectable=0;"
                                                "polyCoords=[");
      g_autofree char *id = plg_drawio_make_id (writer, shape->id);
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
      plg_drawio_style_color (style, "fillColor", shape->fill, "fillOpacity");
      plg_drawio_style_stroke (style, shape);
      plg_drawio_add_vertex (writer, id, NULL, plg_drawio_take_tooltip (writer, shape), style,
                             parent_of (writer, shape), r);
    }
  else
    plg_drawio_add_line (writer, shape);
}

/* Adds a rectangle that contains other cells or has edges; returns FALSE for another rectangle. */
static gboolean
append_owner (PlgDrawio *writer, const PlgShape *shape)
{
  gboolean is_first = writer->parent == NULL && writer->group != NULL;
  const char *classes = is_first ? writer->group->classes : NULL;
  static const char *const switches[] = { "rail", "leaf", "spine", NULL };

  if (plg_drawio_is_link (writer, shape) &&
      plg_drawio_link (writer, shape->entity.index)->tier == PLG_TIER_NIC)
    plg_drawio_add_nic (writer, shape);
  else if (is_first && shape->entity.kind == PLG_ENTITY_NODE)
    {
      g_autofree char *wanted = g_strdup_printf ("node-%d", shape->entity.index);

      plg_drawio_add_owner (writer, shape, wanted, plg_drawio_layer (shape->layer));
    }
  else if (is_first && shape->entity.kind == PLG_ENTITY_GPU)
    {
      g_autofree char *wanted = g_strdup_printf ("gpu-%d", shape->entity.index);
      int node = writer->plan != NULL ? shape->entity.index / writer->plan->cluster.gpus_per_node
                                      : -1;

      writer->label = find_label (writer, shape);
      plg_drawio_add_owner (writer, shape, wanted, plg_drawio_node_or_layer (writer, node, shape));
    }
  else if (classes != NULL && g_strv_contains (switches, classes))
    {
      /* A switch between nodes has a label and edges. */
      writer->label = find_label (writer, shape);
      plg_drawio_add_owner (writer, shape, writer->group->id, plg_drawio_layer (shape->layer));
    }
  else
    return FALSE;
  return TRUE;
}

static void
append_box (PlgDrawio *writer, const PlgShape *shape)
{
  g_autoptr (GString) style = g_string_new (NULL);
  const char *parent = parent_of (writer, shape);
  gboolean is_outline = shape->fill.alpha <= 0;
  gboolean is_first = writer->parent == NULL && writer->group != NULL;
  g_autofree char *id = plg_drawio_make_id (writer, shape->id == NULL && is_first
                                                        ? writer->group->id
                                                        : shape->id);

  plg_drawio_style_box (style, shape);
  /* The pointer must not select an outline instead of a cell, or connect to a part of a cell. */
  if (is_outline)
    g_string_append (style, "pointerEvents=0;");
  if (is_outline || writer->parent != NULL)
    g_string_append (style, "connectable=0;");
  plg_drawio_add_vertex (writer, id, NULL, plg_drawio_take_tooltip (writer, shape), style, parent,
                         shape->rect);
  add_hatch (writer, shape, parent);
}

static void
append_text (PlgDrawio *writer, const PlgShape *shape)
{
  g_autoptr (GString) style = g_string_new ("text;strokeColor=none;fillColor=none;"
                                            "verticalAlign=middle;overflow=visible;"
                                            "connectable=0;");
  PlgRect rect = { 0, shape->at.y - shape->font_size * PLG_TEXT_ASCENT, 0,
                   shape->font_size * (PLG_TEXT_ASCENT + PLG_TEXT_DESCENT) };
  double width = plg_text_width (shape->text, shape->font_size, shape->bold);
  g_autofree char *id = plg_drawio_make_id (writer, shape->id);

  rect.x = plg_text_left (shape->at.x, shape->anchor, width) -
           (shape->anchor == PLG_ANCHOR_START ? 0 : TEXT_PAD);
  rect.width = width + (shape->anchor == PLG_ANCHOR_MIDDLE ? 2 : 1) * TEXT_PAD;
  if (shape->anchor == PLG_ANCHOR_END)
    rect.x = shape->at.x - rect.width;
  plg_drawio_style_text (style, shape);
  plg_drawio_add_vertex (writer, id, shape->text, plg_drawio_take_tooltip (writer, shape), style,
                         parent_of (writer, shape), rect);
}

/* Adds everything but links, whose edges need all cells first. */
static void
append_shape (PlgDrawio *writer, const PlgShape *shape)
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
      append_text (writer, shape);
      break;
    case PLG_SHAPE_PATH:
      if (!plg_drawio_is_link (writer, shape))
        append_path (writer, shape);
      break;
    case PLG_SHAPE_OPEN:
    case PLG_SHAPE_CLOSE:
    default:
      break;
    }
}

static void
append_shapes (PlgDrawio *writer, void (*append) (PlgDrawio *, const PlgShape *))
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
  PlgDrawio writer = { .out = g_string_new (NULL),
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
  writer.cells = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, plg_drawio_cell_free);

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
      plg_markup_text_attribute (out, "id", plg_drawio_layer (layer));
      plg_markup_text_attribute (out, "value", _ (titles[layer]));
      plg_markup_text_attribute (out, "parent", ROOT_ID);
      g_string_append (out, "/>\n");
      g_hash_table_add (writer.ids, g_strdup (plg_drawio_layer (layer)));
    }

  append_shapes (&writer, append_shape);
  if (plg_drawio_has_links (&writer))
    plg_drawio_add_bars (&writer);
  append_shapes (&writer, plg_drawio_append_link);
  g_string_append (out, "      </root>\n    </mxGraphModel>\n  </diagram>\n</mxfile>\n");
  g_hash_table_unref (writer.cells);
  g_hash_table_unref (writer.ids);
  return g_string_free (out, FALSE);
}
