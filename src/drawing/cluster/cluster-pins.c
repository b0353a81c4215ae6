/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-marks.h"

#include "drawing/figure/stroke-geometry.h"

#include <math.h>

#define RADIUS 8.0

static PlgPoint
middle_of (PlgRect rect)
{
  return (PlgPoint) { rect.x + rect.width / 2, rect.y + rect.height / 2 };
}

/* The largest fraction of a line segment that a mark may cover. If the mark would cover more,
 * the mark is placed next to the line. */
#define MAX_COVERED 0.4

/* Returns the position of a mark on a line: the middle of the line's longest segment or, if the
 * mark would cover too much of this segment, a point next to it. */
static PlgPoint
middle_of_path (const PlgClusterDrawing *drawing, const PlgShape *shape, double radius)
{
  const PlgPoint *points = plg_figure_points (drawing->figure, shape);
  PlgPoint middle = middle_of (shape->rect), along = { 0, 0 };
  double longest = 0, beside = radius + shape->stroke_width / 2 + 1;

  if (shape->smooth)
    return middle;
  for (int i = 1; i < shape->n_points; i++)
    {
      double dx = points[i].x - points[i - 1].x, dy = points[i].y - points[i - 1].y;

      if (hypot (dx, dy) <= longest)
        continue;
      longest = hypot (dx, dy);
      along = (PlgPoint) { dx / longest, dy / longest };
      middle = (PlgPoint) { points[i - 1].x + dx / 2, points[i - 1].y + dy / 2 };
    }
  if (2 * radius > MAX_COVERED * longest)
    middle = (PlgPoint) { middle.x + fabs (along.y) * beside, middle.y - fabs (along.x) * beside };
  return middle;
}

static gboolean
overlaps_tab (const PlgClusterDrawing *drawing, PlgPoint at, double radius)
{
  PlgRect mark = { at.x - radius, at.y - radius, 2 * radius, 2 * radius };

  for (guint i = 0; drawing->tabs != NULL && i < drawing->tabs->len; i++)
    if (plg_rect_intersects (mark, g_array_index (drawing->tabs, PlgClusterGroupTab, i).rect))
      return TRUE;
  return FALSE;
}

/* Finds the position of the pin's mark on ENTITY. Returns FALSE if the picture does not show
 * ENTITY. */
static gboolean
pin_place (const PlgClusterDrawing *drawing, PlgEntity entity, double radius, PlgPoint *place)
{
  const PlgShape *shape = plg_figure_find_entity (drawing->figure, entity);

  /* Place the mark of a group next to the group's name. */
  for (guint i = 0; drawing->tabs != NULL && i < drawing->tabs->len; i++)
    {
      const PlgClusterGroupTab *tab = &g_array_index (drawing->tabs, PlgClusterGroupTab, i);

      if (!plg_entity_equal (tab->entity, entity))
        continue;
      *place = (PlgPoint) { tab->rect.x + tab->rect.width + radius + 1,
                            tab->rect.y + tab->rect.height / 2 };
      return TRUE;
    }
  if (shape == NULL)
    {
      const PlgLink *link;
      PlgRect card;

      /* If a link has no line, for example because its node is one tile, place the mark on the
       * node. */
      if (entity.kind != PLG_ENTITY_LINK || entity.index < 0 ||
          entity.index >= (int) drawing->report->links->len)
        return FALSE;
      link = &g_array_index (drawing->report->links, PlgLink, entity.index);
      if (link->node < 0 || link->node >= drawing->layout.nodes)
        return FALSE;
      card = plg_cluster_layout_node (&drawing->layout, link->node);
      *place = (PlgPoint) { card.x + card.width, card.y + card.height };
      return TRUE;
    }
  if (entity.kind == PLG_ENTITY_LINK)
    *place = shape->kind == PLG_SHAPE_PATH ? middle_of_path (drawing, shape, radius)
                                           : middle_of (shape->rect);
  else
    {
      /* Place the mark in the upper right corner, or in the lower right corner if the name of a
       * group covers the upper one. */
      PlgRect rect = shape->rect;
      PlgPoint upper = { rect.x + rect.width, rect.y };
      PlgPoint lower = { upper.x, rect.y + rect.height };

      *place = overlaps_tab (drawing, upper, radius) && !overlaps_tab (drawing, lower, radius)
                   ? lower
                   : upper;
    }
  return TRUE;
}

void
plg_cluster_add_pins (PlgClusterDrawing *drawing)
{
  PlgColor accent = drawing->theme->role[PLG_ROLE_ACCENT];
  double radius = MAX (plg_cluster_is_small (drawing) ? 0.8 * RADIUS : RADIUS,
                       plg_cluster_legible_length (drawing, 6, 40));

  plg_figure_set_layer (drawing->figure, PLG_LAYER_GROUPS);
  for (int i = 0; i < drawing->options->n_pins && i < drawing->options->n_highlighted; i++)
    {
      PlgEntity entity = drawing->options->highlighted[i];
      const char *number = plg_figure_string (drawing->figure, "%d", i + 1);
      PlgPoint at;
      PlgShape *shape;

      if (!pin_place (drawing, entity, radius, &at))

        continue;
      shape = plg_figure_rect (drawing->figure, at.x - radius, at.y - radius, 2 * radius,
                               2 * radius, radius, accent);
      shape->id = plg_figure_string (drawing->figure, "pin-%d", i + 1);
      shape->stroke = drawing->theme->role[PLG_ROLE_CARD];
      shape->stroke_width = 1.5;
      shape->entity = entity;
      shape->is_mark = TRUE;
      plg_figure_text (drawing->figure, at.x, at.y + radius * 0.45, PLG_ANCHOR_MIDDLE, radius * 1.3,
                       TRUE, plg_theme_text_on (drawing->theme, accent), number)
          ->is_mark = TRUE;
    }
}
