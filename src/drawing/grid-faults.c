/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-network.h"

#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* Signs on what is slow or has failed, above all else, at every level of detail: a full disc with a
 * cross on what has failed, an empty one with a point down on what is slow, which goes on. */

/* The radius in files. */
#define RADIUS 5.5
#define SMALL_RADIUS 4.5
/* On the screen it is never smaller across than so many pixels, and than what is read from the back
 * row, at any zoom that shows the same figure. */
#define LEAST_PIXELS 14.0
/* For the back row no larger than there is room between GPUs. */
#define MOST_RADIUS 16.0
/* From the lower edge of a GPU up to what may lie over it: below its number. */
#define BELOW_NUMBER 14.0
/* As wide as the name of a rail. */
#define RAIL_NAME 46.0
/* Of the words on a GPU. */
#define WORDS_SIZE 7.5
#define WORDS_HEIGHT 9.0

static void
add_cross (PlgGrid *grid, double x, double y, double arm, double width)
{
  PlgColor ink = plg_theme_text_on (grid->theme, grid->theme->role[PLG_ROLE_ERROR]);
  const PlgPoint up[] = { { x - arm, y + arm }, { x + arm, y - arm } };
  const PlgPoint down[] = { { x - arm, y - arm }, { x + arm, y + arm } };

  plg_figure_path (grid->figure, up, 2, ink, width);
  plg_figure_path (grid->figure, down, 2, ink, width);
}

static void
add_point_down (PlgGrid *grid, double x, double y, double arm)
{
  const PlgPoint corners[] = { { x - arm, y - arm * 0.55 },
                               { x + arm, y - arm * 0.55 },
                               { x, y + arm } };
  PlgShape *shape = plg_figure_path (grid->figure, corners, 3, PLG_COLOR_NONE, 0);

  shape->closed = TRUE;
  shape->fill = grid->theme->role[PLG_ROLE_ERROR];
}

void
plg_grid_add_fault_mark (PlgGrid *grid, double x, double y, double size, double rate)
{
  const PlgColor *role = grid->theme->role;
  gboolean has_failed = rate <= 0.0;
  double width = size * (has_failed ? 0.3 : 0.24);
  PlgShape *disc = plg_figure_rect (grid->figure, x - size, y - size, 2 * size, 2 * size, size,
                                    role[has_failed ? PLG_ROLE_ERROR : PLG_ROLE_CARD]);

  /* What has failed has an edge that keeps it apart from any colour beside it. */
  disc->stroke = role[has_failed ? PLG_ROLE_CARD : PLG_ROLE_ERROR];
  disc->stroke_width = width;
  if (has_failed)
    add_cross (grid, x, y, size * 0.46, width);
  else
    add_point_down (grid, x, y, size * 0.56);
}

/* Where they are ------------------------------------------------------------------------------- */

static double
sign_radius (const PlgGrid *grid)
{
  double zoom = grid->options->zoom, least = grid->options->least_text;

  if (!(zoom > 0))
    return plg_grid_is_small (grid) ? SMALL_RADIUS : RADIUS;
  if (least > 0)
    return MAX (LEAST_PIXELS / 2 / zoom, MIN (least / 2 / zoom, MOST_RADIUS));
  return LEAST_PIXELS / 2 / MIN (plg_grid_zoom_step (zoom), PLG_GRID_FULL_ZOOM);
}

/* The node that FAULT is in, or is seen at: an uplink at the first node below its leaf. */
static int
node_of (const PlgGrid *grid, const PlgGridWires *wires, const PlgFault *fault)
{
  int unit, node = 0;

  if (fault->kind == PLG_FAULT_NIC)
    return fault->first;
  if (fault->kind != PLG_FAULT_UPLINK)
    return fault->first / grid->layout.gpus_per_node;
  if (grid->plan->cluster.network == PLG_NETWORK_TREE)
    node = fault->first * wires->fabric.nodes_per_leaf;
  else
    {
      plg_fabric_rail (&wires->fabric, fault->first, &unit);
      node = unit * wires->fabric.nodes_per_leaf;
    }
  return CLAMP (node, 0, grid->layout.nodes - 1);
}

/* Above the name of its rail, which it must not hide; where it is too large for that, left of it.
 */
static PlgPoint
place_of_uplink (const PlgGrid *grid, const PlgGridWires *wires, const PlgFault *fault)
{
  PlgPoint at = plg_grid_uplink_point (grid, wires, fault->first, fault->second);
  int head = node_of (grid, wires, fault);
  double radius = sign_radius (grid), lower = plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP);

  if (grid->plan->cluster.network == PLG_NETWORK_TREE || grid->layout.detail > PLG_GRID_SHORT)
    return at;
  at.y = MAX (MIN (at.y, lower - radius), radius);
  if (at.y + radius > lower + 1)
    at.x -= RAIL_NAME / 2 + radius;
  return at;
}

/* Below the numbers of the GPUs beside it, which may be as wide as these. */
static PlgPoint
place_of_nic (const PlgGrid *grid, const PlgGridWires *wires, const PlgFault *fault)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgPoint at = plg_grid_nic_point (grid, wires, fault->first, fault->second);
  double bottom = plg_grid_layout_node (layout, fault->first).y + layout->pad_top +
                  layout->tile_height;

  if (grid->options->zoom > 0 && layout->detail <= PLG_GRID_SHORT)
    at.y = MAX (at.y, bottom - BELOW_NUMBER + sign_radius (grid));
  return at;
}

static PlgPoint
place_of (const PlgGrid *grid, const PlgGridWires *wires, const PlgFault *fault)
{
  PlgRect tile;

  if (fault->kind == PLG_FAULT_NIC)
    return place_of_nic (grid, wires, fault);
  if (fault->kind == PLG_FAULT_UPLINK)
    return place_of_uplink (grid, wires, fault);
  tile = plg_grid_layout_gpu (&grid->layout, fault->first);
  if (fault->kind == PLG_FAULT_PORT)
    return (PlgPoint) { tile.x + tile.width / 2,
                        tile.y + tile.height + (plg_grid_is_small (grid) ? 2.5 : 4) };
  /* In the lower left corner, clear of the number, however large it must be. */
  if (grid->layout.detail <= PLG_GRID_SHORT && grid->options->zoom > 0)
    return (PlgPoint) { tile.x + 4, tile.y + tile.height - BELOW_NUMBER + sign_radius (grid) };
  /* Within the ring around what has the focus. */
  if (grid->layout.detail <= PLG_GRID_SHORT)
    return (PlgPoint) { tile.x + tile.width - 3 - sign_radius (grid),
                        tile.y + 3 + sign_radius (grid) };
  return (PlgPoint) { tile.x + tile.width / 2, tile.y + tile.height / 2 };
}

/* Where a node is one tile its faults lie in it, one beside the other as far as there is room. */
static PlgPoint
place_on_node (const PlgGrid *grid, const PlgGridWires *wires, const PlgFault *fault)
{
  PlgPoint at = place_of (grid, wires, fault);
  PlgRect card = plg_grid_layout_node (&grid->layout, node_of (grid, wires, fault));
  double inside = MIN (sign_radius (grid), card.width / 2);

  if (fault->kind == PLG_FAULT_UPLINK)
    return at;
  return (PlgPoint) { CLAMP (at.x, card.x + inside, card.x + card.width - inside),
                      card.y + card.height / 2 };
}

/* Whether a rack has the same sign for an earlier fault already; how many OTHERS it has. */
static gboolean
has_sign (const PlgGrid *grid, const PlgGridWires *wires, int index, int *others)
{
  const PlgFault *faults = grid->plan->cluster.faults;
  int rack = plg_grid_layout_rack_of (&grid->layout, node_of (grid, wires, &faults[index]));

  *others = 0;
  for (int i = 0; i < index; i++)
    {
      if (faults[i].rate >= 1.0 || faults[i].kind == PLG_FAULT_UPLINK ||
          plg_grid_layout_rack_of (&grid->layout, node_of (grid, wires, &faults[i])) != rack)
        continue;
      if ((faults[i].rate <= 0.0) == (faults[index].rate <= 0.0))
        return TRUE;
      *others = 1;
    }
  return FALSE;
}

/* In the upper right corner of a rack, whose name is in its middle. */
static gboolean
place_on_rack (const PlgGrid *grid, const PlgGridWires *wires, int index, PlgPoint *at)
{
  const PlgFault *fault = &grid->plan->cluster.faults[index];
  int rack = plg_grid_layout_rack_of (&grid->layout, node_of (grid, wires, fault)), others;
  PlgRect tile = plg_grid_layout_rack (&grid->layout, rack);
  double radius = sign_radius (grid);

  if (fault->kind == PLG_FAULT_UPLINK)
    {
      *at = plg_grid_uplink_point (grid, wires, fault->first, fault->second);
      return TRUE;
    }
  if (has_sign (grid, wires, index, &others))
    return FALSE;
  *at = (PlgPoint) { tile.x + tile.width - radius * (1 + 2.2 * others), tile.y + radius };
  return TRUE;
}

static gboolean
find_place (const PlgGrid *grid, const PlgGridWires *wires, int index, PlgPoint *at)
{
  const PlgFault *fault = &grid->plan->cluster.faults[index];

  if (grid->layout.is_rack_tile)
    return place_on_rack (grid, wires, index, at);
  *at = grid->layout.detail == PLG_GRID_NODES ? place_on_node (grid, wires, fault)
                                              : place_of (grid, wires, fault);
  return TRUE;
}

/* Between the rank of a GPU and its memory, where neither outlines of groups nor the focus lie, and
 * with what is left of its rate. FALSE where there is no room for that, and on the screen, where it
 * would be too small to be read. */
static gboolean
add_words (PlgGrid *grid, const PlgFault *fault)
{
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, fault->first);
  g_autofree char *percent = plg_format_number (100.0 * fault->rate, 3);
  g_autofree char *words = g_strdup_printf ("%s\u00a0%%", percent);
  double radius = WORDS_HEIGHT / 2;
  double width = plg_text_width (words, WORDS_SIZE, TRUE) + 2 * radius + 5;
  double x = tile.x + 4, y = tile.y + tile.height - 12.5 - WORDS_HEIGHT;
  PlgShape *box;

  if (fault->kind != PLG_FAULT_GPU || grid->layout.detail != PLG_GRID_FULL ||
      plg_grid_is_small (grid) || plg_grid_has_stacked_texts (grid) || width > tile.width / 2 + 4 ||
      grid->options->zoom > 0)
    return FALSE;
  box = plg_figure_rect (grid->figure, x, y, width, WORDS_HEIGHT, radius,
                         grid->theme->role[PLG_ROLE_CARD]);
  box->stroke = grid->theme->role[PLG_ROLE_ERROR];
  box->stroke_width = 1;
  plg_figure_text (grid->figure, x + 2 * radius + 2, y + radius + WORDS_SIZE * 0.36,
                   PLG_ANCHOR_START, WORDS_SIZE, TRUE, grid->theme->role[PLG_ROLE_TEXT], words);
  plg_grid_add_fault_mark (grid, x + radius, y + radius, radius, fault->rate);
  return TRUE;
}

static void
add_sign (PlgGrid *grid, const PlgGridWires *wires, int index)
{
  const PlgFault *fault = &grid->plan->cluster.faults[index];
  g_autofree char *name = plg_fault_to_string (fault);
  g_autofree char *title = plg_fault_describe (&grid->plan->cluster, &grid->plan->node_names,
                                               fault);
  PlgPoint at;

  if (!find_place (grid, wires, index, &at))
    return;
  g_strdelimit (name, ":.=", '-');
  plg_figure_open (grid->figure, plg_figure_string (grid->figure, "fault-%s", name), "fault",
                   title);
  if (!add_words (grid, fault))
    plg_grid_add_fault_mark (grid, at.x, at.y, sign_radius (grid), fault->rate);
  plg_figure_close (grid->figure);
}

void
plg_grid_add_faults (PlgGrid *grid, const PlgGridWires *wires)
{
  const PlgCluster *cluster = &grid->plan->cluster;

  plg_figure_set_layer (grid->figure, PLG_LAYER_GROUPS);
  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].rate < 1.0 &&
        plg_grid_shows_node (grid, node_of (grid, wires, &cluster->faults[i])))
      add_sign (grid, wires, i);
}

/* The legend ----------------------------------------------------------------------------------- */

/* The rates of what is slow, GPUs or links; MOST 0: nothing is. */
typedef struct
{
  double least, most;
} Rates;

static void
add_rate (Rates *rates, double rate)
{
  rates->least = rates->most > 0.0 ? MIN (rates->least, rate) : rate;
  rates->most = MAX (rates->most, rate);
}

static void
add_entry (PlgGrid *grid, PlgLegend *legend, double rate, const char *name)
{
  double radius = legend->font_size * 0.5;

  plg_legend_keep (legend, 3 * radius + plg_text_width (name, legend->font_size, FALSE));
  plg_grid_add_fault_mark (grid, legend->x + radius, legend->y, radius, rate);
  legend->x += 3 * radius;
  plg_legend_note (legend, name);
}

/* "slow link, at 50 %", or from the slowest to the fastest of them. */
static void
add_slow_entry (PlgGrid *grid, PlgLegend *legend, const Rates *rates, gboolean are_gpus)
{
  g_autofree char *from = plg_format_number (100.0 * rates->least, 3);
  g_autofree char *to = plg_format_number (100.0 * rates->most, 3);
  g_autofree char *words = NULL;

  if (!(rates->most > 0.0))
    return;
  if (legend->fold >= PLG_FOLD_WORDS)
    words = rates->least < rates->most ? g_strdup_printf ("%s–%s\u00a0%%", from, to)
                                       : g_strdup_printf ("%s\u00a0%%", from);
  else if (rates->least < rates->most)
    words = g_strdup_printf (are_gpus ? _ ("slow GPU, at %s to %s %%")
                                      : _ ("slow link, at %s to %s %%"),
                             from, to);
  else
    words = g_strdup_printf (are_gpus ? _ ("slow GPU, at %s %%") : _ ("slow link, at %s %%"), from);
  add_entry (grid, legend, rates->most, words);
}

void
plg_grid_add_fault_legend (PlgGrid *grid, PlgLegend *legend)
{
  const PlgCluster *cluster = &grid->plan->cluster;
  Rates links = { 0 }, gpus = { 0 };
  gboolean has_failed = FALSE;

  for (int i = 0; i < cluster->n_faults; i++)
    {
      double rate = cluster->faults[i].rate;

      if (rate <= 0.0)
        has_failed = TRUE;
      else if (rate < 1.0)
        add_rate (cluster->faults[i].kind == PLG_FAULT_GPU ? &gpus : &links, rate);
    }
  if (legend->fold >= PLG_FOLD_LEAST)
    return;
  if (has_failed || links.most > 0.0 || gpus.most > 0.0)
    plg_legend_space (legend);
  if (has_failed)
    add_entry (grid, legend, 0.0, legend->fold >= PLG_FOLD_WORDS ? "0\u00a0%" : _ ("failed link"));
  add_slow_entry (grid, legend, &links, FALSE);
  add_slow_entry (grid, legend, &gpus, TRUE);
}
