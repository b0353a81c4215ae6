/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"
#include "drawing/outline.h"

#include <math.h>

#define RADIUS 8.0

static PlgPoint
middle_of (PlgRect rect)
{
  return (PlgPoint) { rect.x + rect.width / 2, rect.y + rect.height / 2 };
}

/* Of the length of a piece of line that a mark on it may take: beyond that it would hide what it
 * marks, and stands beside it. */
#define MOST_COVERED 0.4

/* The middle of the longest piece of a line, and not where it bends or ends: on it, or where that
 * is short beside it. */
static PlgPoint
middle_of_path (const PlgGrid *grid, const PlgShape *shape, double radius)
{
  const PlgPoint *points = plg_figure_points (grid->figure, shape);
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
  if (2 * radius > MOST_COVERED * longest)
    middle = (PlgPoint) { middle.x + fabs (along.y) * beside, middle.y - fabs (along.x) * beside };
  return middle;
}

/* Where a link has no line of its own, as in a node that is one tile, its node has the mark. */
static gboolean
place_on_node_of_link (const PlgGrid *grid, int index, PlgPoint *place)
{
  const PlgLink *link;
  PlgRect card;

  if (index < 0 || index >= (int) grid->report->links->len)
    return FALSE;
  link = &g_array_index (grid->report->links, PlgLink, index);
  if (link->node < 0 || link->node >= grid->layout.nodes)
    return FALSE;
  card = plg_grid_layout_node (&grid->layout, link->node);
  *place = (PlgPoint) { card.x + card.width, card.y + card.height };
  return TRUE;
}

/* Beside the name of a group, not on it. */
static gboolean
place_beside_tab (const PlgGrid *grid, PlgThing thing, double radius, PlgPoint *place)
{
  for (guint i = 0; grid->tabs != NULL && i < grid->tabs->len; i++)
    {
      const PlgGridTab *tab = &g_array_index (grid->tabs, PlgGridTab, i);

      if (!plg_thing_equal (tab->thing, thing))
        continue;
      *place = (PlgPoint) { tab->rect.x + tab->rect.width + radius + 1,
                            tab->rect.y + tab->rect.height / 2 };
      return TRUE;
    }
  return FALSE;
}

static gboolean
lies_on_tab (const PlgGrid *grid, PlgPoint at, double radius)
{
  PlgRect mark = { at.x - radius, at.y - radius, 2 * radius, 2 * radius };

  for (guint i = 0; grid->tabs != NULL && i < grid->tabs->len; i++)
    if (plg_rect_meets (mark, g_array_index (grid->tabs, PlgGridTab, i).rect))
      return TRUE;
  return FALSE;
}

/* The upper right corner, or the lower one where the name of a group stands at that. */
static PlgPoint
corner_of (const PlgGrid *grid, PlgRect rect, double radius)
{
  PlgPoint upper = { rect.x + rect.width, rect.y };
  PlgPoint lower = { upper.x, rect.y + rect.height };

  return lies_on_tab (grid, upper, radius) && !lies_on_tab (grid, lower, radius) ? lower : upper;
}

/* Where the mark of THING goes; FALSE where the picture does not show it. */
static gboolean
place_of (const PlgGrid *grid, PlgThing thing, double radius, PlgPoint *place)
{
  const PlgShape *shape = plg_figure_find_thing (grid->figure, thing);

  if (place_beside_tab (grid, thing, radius, place))
    return TRUE;
  if (shape == NULL)
    return thing.kind == PLG_THING_LINK && place_on_node_of_link (grid, thing.index, place);
  if (thing.kind == PLG_THING_LINK)
    *place = shape->kind == PLG_SHAPE_PATH ? middle_of_path (grid, shape, radius)
                                           : middle_of (shape->rect);
  else
    *place = corner_of (grid, shape->rect, radius);
  return TRUE;
}

/* The number of a pin on what it pins, as the list of pins has it. */
void
plg_grid_add_pins (PlgGrid *grid)
{
  PlgColor accent = grid->theme->role[PLG_ROLE_ACCENT];
  double radius = MAX (plg_grid_is_small (grid) ? 0.8 * RADIUS : RADIUS,
                       plg_grid_legible (grid, 6, 40));

  plg_figure_set_layer (grid->figure, PLG_LAYER_GROUPS);
  for (int i = 0; i < grid->options->n_pins && i < grid->options->n_lit; i++)
    {
      PlgThing thing = grid->options->lit[i];
      const char *number = plg_figure_string (grid->figure, "%d", i + 1);
      PlgPoint at;
      PlgShape *shape;

      if (!place_of (grid, thing, radius, &at))
        continue;
      shape = plg_figure_rect (grid->figure, at.x - radius, at.y - radius, 2 * radius, 2 * radius,
                               radius, accent);
      shape->id = plg_figure_string (grid->figure, "pin-%d", i + 1);
      shape->stroke = grid->theme->role[PLG_ROLE_CARD];
      shape->stroke_width = 1.5;
      shape->thing = thing;
      shape->is_mark = TRUE;
      plg_figure_text (grid->figure, at.x, at.y + radius * 0.45, PLG_ANCHOR_MIDDLE, radius * 1.3,
                       TRUE, plg_theme_text_on (grid->theme, accent), number)
          ->is_mark = TRUE;
    }
}
