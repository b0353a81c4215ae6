/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/figure.h"

#include <math.h>

static const char *const shape_names[] = {
  [PLG_SHAPE_RECT] = "rect", [PLG_SHAPE_PATH] = "path",   [PLG_SHAPE_TEXT] = "text",
  [PLG_SHAPE_OPEN] = "open", [PLG_SHAPE_CLOSE] = "close",
};
G_STATIC_ASSERT (G_N_ELEMENTS (shape_names) == PLG_N_SHAPE_KINDS);

static const char *const layer_names[] = {
  [PLG_LAYER_CLUSTER] = "cluster", [PLG_LAYER_LINKS] = "links",   [PLG_LAYER_GROUPS] = "groups",
  [PLG_LAYER_HANDLES] = "handles", [PLG_LAYER_LEGEND] = "legend",
};
G_STATIC_ASSERT (G_N_ELEMENTS (layer_names) == PLG_N_LAYERS);

static const char *const anchor_names[] = {
  [PLG_ANCHOR_START] = "start",
  [PLG_ANCHOR_MIDDLE] = "middle",
  [PLG_ANCHOR_END] = "end",
};
G_STATIC_ASSERT (G_N_ELEMENTS (anchor_names) == PLG_N_ANCHORS);

static const char *const entity_names[] = {
  [PLG_ENTITY_NONE] = "none",
  [PLG_ENTITY_GPU] = "gpu",
  [PLG_ENTITY_NODE] = "node",
  [PLG_ENTITY_LINK] = "link",
  [PLG_ENTITY_GROUP] = "group",
  [PLG_ENTITY_HANDLE] = "handle",
  [PLG_ENTITY_STAGE] = "stage",
  [PLG_ENTITY_BLOCK] = "block",
  [PLG_ENTITY_PART] = "part",
  [PLG_ENTITY_LEGEND] = "legend",
  [PLG_ENTITY_COLLECTIVE] = "collective",
  [PLG_ENTITY_PAIR] = "pair",
  [PLG_ENTITY_RACK] = "rack",
  [PLG_ENTITY_SHARD] = "shard",
  [PLG_ENTITY_POINT] = "point",
};
G_STATIC_ASSERT (G_N_ELEMENTS (entity_names) == PLG_N_ENTITY_KINDS);

static const char *const dash_names[] = {
  [PLG_DASH_NONE] = "",
  [PLG_DASH_SHORT] = " dashed",
  [PLG_DASH_DOTS] = " dotted",
  [PLG_DASH_DOT_DASH] = " dot-dashed",
  [PLG_DASH_LONG] = " long-dashed",
};
G_STATIC_ASSERT (G_N_ELEMENTS (dash_names) == PLG_N_DASHES);

static void
dump_number (GString *out, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  double rounded = round (value * 100) / 100;

  /* Adding zero turns -0 into 0, so golden files do not depend on the sign of zero. */
  g_string_append (out, g_ascii_formatd (buffer, sizeof buffer, "%.10g", rounded + 0.0));
}

static void
dump_numbers (GString *out, const char *name, const double *values, int n)
{
  g_string_append_printf (out, " %s", name);
  for (int i = 0; i < n; i++)
    {
      g_string_append_c (out, i == 0 ? ' ' : ',');
      dump_number (out, values[i]);
    }
}

static void
dump_color (GString *out, const char *name, PlgColor color)
{
  g_string_append_printf (out, " %s #%06x", name, plg_color_to_rgb (color));
  if (color.alpha < 1)
    g_string_append_printf (out, "%02x", (int) lround (color.alpha * 255.0));
}

static void
dump_quoted (GString *out, const char *name, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (out, " %s \"", name);
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '\n')
        g_string_append (out, "\\n");
      else if (*c == '"' || *c == '\\')
        g_string_append_printf (out, "\\%c", *c);
      else
        g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

static void
dump_shape (GString *out, const PlgFigure *figure, const PlgShape *shape)
{
  PlgEntity entity = shape->entity;

  g_assert (shape->kind < PLG_N_SHAPE_KINDS && entity.kind < PLG_N_ENTITY_KINDS);
  g_string_append (out, shape_names[shape->kind]);
  if (shape->kind == PLG_SHAPE_CLOSE)
    return;
  g_string_append_printf (out, " %s", layer_names[shape->layer]);
  if (shape->kind == PLG_SHAPE_RECT)
    {
      const double rect[] = { shape->rect.x, shape->rect.y, shape->rect.width, shape->rect.height };

      dump_numbers (out, "at", rect, 4);
      if (shape->radius > 0)
        dump_numbers (out, "radius", &shape->radius, 1);
    }
  else if (shape->kind == PLG_SHAPE_PATH)
    {
      const PlgPoint *points = plg_figure_points (figure, shape);

      g_string_append (out, shape->smooth ? " curve" : " line");
      for (int i = 0; i < shape->n_points; i++)
        {
          g_string_append_c (out, ' ');
          dump_number (out, points[i].x);
          g_string_append_c (out, ',');
          dump_number (out, points[i].y);
        }
      g_string_append (out, shape->closed ? " closed" : "");
      g_string_append (out, shape->arrow ? " arrow" : "");
    }
  else if (shape->kind == PLG_SHAPE_TEXT)
    {
      const double at[] = { shape->at.x, shape->at.y };

      dump_quoted (out, "says", shape->text);
      dump_numbers (out, "at", at, 2);
      g_string_append_printf (out, " %s", anchor_names[shape->anchor]);
      dump_numbers (out, "size", &shape->font_size, 1);
      g_string_append (out, shape->bold ? " bold" : "");
    }
  if (shape->fill.alpha > 0)
    dump_color (out, "fill", shape->fill);
  if (shape->stroke.alpha > 0 && (shape->stroke_width > 0 || shape->hatch != 0))
    {
      dump_color (out, "stroke", shape->stroke);
      dump_numbers (out, "width", &shape->stroke_width, 1);
    }
  g_string_append (out, dash_names[shape->dashed]);
  if (shape->hatch != 0)
    g_string_append_printf (out, " hatch %d", shape->hatch);
  if (shape->hatch != 0 && shape->hatch_color.alpha > 0)
    dump_color (out, "in", shape->hatch_color);
  if (entity.kind != PLG_ENTITY_NONE)
    g_string_append_printf (out, " is %s", entity_names[entity.kind]);
  if (entity.kind == PLG_ENTITY_GROUP || entity.kind == PLG_ENTITY_HANDLE)
    g_string_append_printf (out, " %s", plg_axis_name (entity.axis));
  if (entity.kind != PLG_ENTITY_NONE)
    g_string_append_printf (out, " %d", entity.index);
  dump_quoted (out, "id", shape->id);
  dump_quoted (out, "class", shape->classes);
  dump_quoted (out, "title", shape->title);
}

char *
plg_figure_dump (const PlgFigure *figure)
{
  GString *out = g_string_new ("figure");
  const double size[] = { plg_figure_width (figure), plg_figure_height (figure) };
  PlgColor background = plg_figure_background (figure);
  int depth = 0;

  dump_numbers (out, "size", size, 2);
  if (background.alpha > 0)
    dump_color (out, "background", background);
  dump_quoted (out, "title", plg_figure_title (figure));
  dump_quoted (out, "description", plg_figure_description (figure));
  g_string_append_c (out, '\n');
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      depth -= shape->kind == PLG_SHAPE_CLOSE;
      for (int k = 0; k < depth; k++)
        g_string_append (out, "  ");
      dump_shape (out, figure, shape);
      g_string_append_c (out, '\n');
      depth += shape->kind == PLG_SHAPE_OPEN;
    }
  return g_string_free (out, FALSE);
}
