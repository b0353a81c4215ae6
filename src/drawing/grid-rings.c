/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

/* The logical view: who sends to whom. */

/* How far the rings beside the one that stands out go towards what is behind them. */
#define PALE 0.5
/* So wide are rings at most, in points, where the whole is seen; between racks this share of the
 * room. */
#define MOST_WIDTH 8.0
#define MOST_SHARE 0.25
/* Of the numbers in a ring. */
#define ORDER_RADIUS 7.0
#define ORDER_SIZE 9.0

static int
degree (const PlgGrid *grid, PlgAxis axis)
{
  return grid->plan->parallelism.degree[axis];
}

/* A rank whose groups stand for all others: chosen so that the rings do not lie on each other. */
static int
representative (const PlgGrid *grid, PlgAxis axis)
{
  PlgCoordinate at = { 0 };

  if (axis == PLG_AXIS_PP)
    at.index[PLG_AXIS_TP] = degree (grid, PLG_AXIS_TP) * 5 / 8;
  else if (axis == PLG_AXIS_DP)
    at.index[PLG_AXIS_TP] = degree (grid, PLG_AXIS_TP) - 1;
  else if (axis == PLG_AXIS_CP || axis == PLG_AXIS_EP)
    at.index[PLG_AXIS_TP] = degree (grid, PLG_AXIS_TP) / 4;
  return plg_coordinate_rank (&grid->plan->parallelism, &at);
}

/* The rank whose ring of AXIS is drawn: of what is pointed at, which comes last, else of a pin,
 * else of what is selected; -1 where none of them is about one. A lit group says nothing of the
 * other axes, or their rings would jump away from under the pointer. */
static int
shown_rank (const PlgGrid *grid, PlgAxis axis)
{
  for (int i = grid->options->n_lit - 1; i >= 0; i--)
    {
      PlgThing thing = grid->options->lit[i];
      int rank = plg_grid_rank_of (grid, thing);

      if (rank >= 0 && (thing.kind != PLG_THING_GROUP || thing.axis == axis))
        return rank;
    }
  return plg_grid_rank_of (grid, grid->options->selected);
}

static gboolean
shows_one_axis (const PlgGrid *grid)
{
  return grid->options->show >= PLG_SHOW_TP && grid->options->show <= PLG_SHOW_DP;
}

gboolean
plg_grid_draws_rings (const PlgGrid *grid, PlgAxis axis)
{
  return degree (grid, axis) > 1 &&
         (!shows_one_axis (grid) || grid->options->show - PLG_SHOW_TP == (int) axis);
}

gboolean
plg_grid_has_all_rings (const PlgGrid *grid, PlgAxis axis)
{
  return shows_one_axis (grid) && plg_grid_draws_rings (grid, axis) &&
         plg_axis_groups (&grid->plan->parallelism, axis) > 1;
}

/* Between cards of a row of nodes, and between rows of what rings go round. */
static PlgPoint
far_gap (const PlgGridLayout *layout)
{
  double column = layout->node_rows * layout->node_step_y;
  double row = layout->is_rack_tile ? layout->band_step - column : 0;

  return (PlgPoint) { layout->node_step_x - layout->card_width,
                      MAX (row, layout->node_step_y - layout->card_height) };
}

static double
most_width (const PlgGrid *grid)
{
  return MAX (MOST_WIDTH, far_gap (&grid->layout).y * MOST_SHARE);
}

PlgGridLook
plg_grid_pale_ring_look (const PlgGrid *grid, PlgAxis axis)
{
  PlgGridLook look = plg_grid_ring_look (grid, axis);

  look.color = plg_color_mix (look.color, grid->theme->role[PLG_ROLE_CARD], PALE);
  look.width = plg_grid_legible (grid, MAX (look.width * 0.5, 1.2), most_width (grid) / 3);
  return look;
}

/* From afar: from node to node within a rack, and else from rack to rack, so that what many rings
 * do alike is one arrow. */

typedef struct
{
  PlgRect from, to;
  gint64 key; /* 0: both ends are in one box */
  int lane;
} Hop;

/* In files there are no racks. */
static int
rack_of (const PlgGridLayout *layout, int node)
{
  return layout->rack_nodes > 0 ? plg_grid_layout_rack_of (layout, node) : 0;
}

static Hop
hop_between (const PlgGrid *grid, int from, int to)
{
  const PlgGridLayout *layout = &grid->layout;
  int a = from / layout->gpus_per_node, b = to / layout->gpus_per_node;
  int rack_a = rack_of (layout, a), rack_b = rack_of (layout, b);

  if (a == b || (rack_a == rack_b && layout->is_rack_tile))
    return (Hop) { .key = 0 };
  if (rack_a == rack_b)
    return (Hop) { .from = plg_grid_layout_node (layout, a),
                   .to = plg_grid_layout_node (layout, b),
                   .key = ((gint64) (a + 1) << 32) | (guint32) b,
                   .lane = a };
  return (Hop) { .from = plg_grid_layout_rack (layout, rack_a),
                 .to = plg_grid_layout_rack (layout, rack_b),
                 .key = -(((gint64) (rack_a + 1) << 32) | (guint32) rack_b) };
}

/* The ring of RANK without those arrows that are in SEEN. */
static void
add_far_ring (PlgGrid *grid, PlgAxis axis, int rank, PlgGridLook look, GHashTable *seen)
{
  g_autoptr (GArray) gpus = plg_grid_ring_gpus (grid, axis, rank);
  int n = gpus->len, arrows = plg_grid_ring_arrows (axis, n);
  /* An arrow stands for those of several rings. */
  PlgThing none = { PLG_THING_NONE, axis, 0 };
  PlgPoint gap = far_gap (&grid->layout);

  for (int i = 0; i < arrows; i++)
    {
      Hop hop = hop_between (grid, g_array_index (gpus, int, i),
                             g_array_index (gpus, int, (i + 1) % n));

      if (hop.key != 0 && g_hash_table_add (seen, g_memdup2 (&hop.key, sizeof hop.key)))
        plg_grid_add_arrow (grid, hop.from, hop.to, gap, none, look, hop.lane);
    }
}

static gboolean
leaves_its_box (const PlgGrid *grid, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_ring_gpus (grid, axis, rank);
  int n = gpus->len, arrows = plg_grid_ring_arrows (axis, n);

  for (int i = 0; i < arrows; i++)
    if (hop_between (grid, g_array_index (gpus, int, i), g_array_index (gpus, int, (i + 1) % n))
            .key != 0)
      return TRUE;
  return FALSE;
}

gboolean
plg_grid_shows_rings (const PlgGrid *grid, PlgAxis axis)
{
  int groups = 0;

  if (!plg_grid_is_ranked (grid->plan) || !plg_grid_draws_rings (grid, axis))
    return FALSE;
  if (plg_grid_can_outline (grid))
    return TRUE;
  /* Groups are numbered by their lowest rank. */
  for (int rank = 0; shows_one_axis (grid) && rank < grid->gpus; rank++)
    if (plg_axis_group_of (&grid->plan->parallelism, axis, rank) == groups)
      {
        groups++;
        if (leaves_its_box (grid, axis, rank))
          return TRUE;
      }
  return FALSE;
}

static void
add_ring (PlgGrid *grid, PlgAxis axis, int rank, PlgGridLook look, GHashTable *seen)
{
  if (plg_grid_can_outline (grid))
    plg_grid_add_chain (grid, axis, rank, look, plg_grid_has_all_rings (grid, axis));
  else
    add_far_ring (grid, axis, rank, look, seen);
}

/* LOOK as a ring has it that is lit or not. */
static PlgGridLook
look_of_ring (const PlgGrid *grid, PlgGridLook look, gboolean is_lit)
{
  look.color = plg_grid_fade (grid, look.color, is_lit);
  return look;
}

/* Those rings of AXIS that are lit, or not, but the one of CHOSEN, which stands out. */
static void
add_other_rings (PlgGrid *grid, PlgAxis axis, int chosen, gboolean is_lit)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autofree gboolean *is_drawn = g_new0 (gboolean, plg_axis_groups (parallelism, axis));
  PlgGridLook look = look_of_ring (grid, plg_grid_pale_ring_look (grid, axis), is_lit);

  is_drawn[plg_axis_group_of (parallelism, axis, chosen)] = TRUE;
  for (int rank = 0; rank < grid->gpus; rank++)
    {
      int group = plg_axis_group_of (parallelism, axis, rank);

      if (is_drawn[group])
        continue;
      is_drawn[group] = TRUE;
      if (plg_grid_axis_runs (grid, axis, rank) && plg_grid_group_lit (grid, axis, rank) == is_lit)
        add_ring (grid, axis, rank, look, seen);
    }
}

/* Where something is lit that is about no rank, such as a node, a ring of it, if it has one. */
static int
rank_that_stands_out (const PlgGrid *grid, PlgAxis axis)
{
  int rank = shown_rank (grid, axis);

  if (rank < 0)
    rank = representative (grid, axis);
  if (plg_grid_group_lit (grid, axis, rank))
    return rank;
  for (int other = 0; other < grid->gpus; other++)
    if (plg_grid_group_lit (grid, axis, other))
      return other;
  return rank;
}

void
plg_grid_add_other_rings (PlgGrid *grid)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (!plg_grid_is_ranked (grid->plan))
    return;
  for (int axis = PLG_N_AXES - 1; axis >= 0; axis--)
    if (plg_grid_has_all_rings (grid, axis))
      {
        int chosen = rank_that_stands_out (grid, axis);

        if (plg_grid_fades (grid))
          add_other_rings (grid, axis, chosen, FALSE);
        add_other_rings (grid, axis, chosen, TRUE);
      }
}

static void
add_number (PlgGrid *grid, int gpu, int number, PlgColor fill, PlgColor stroke)
{
  PlgPoint stop = plg_grid_ring_stop (grid, gpu);
  PlgShape *disc = plg_figure_rect (grid->figure, stop.x - ORDER_RADIUS, stop.y - ORDER_RADIUS,
                                    2 * ORDER_RADIUS, 2 * ORDER_RADIUS, ORDER_RADIUS, fill);

  disc->stroke = stroke;
  disc->stroke_width = 1.2;
  plg_figure_text (grid->figure, stop.x, stop.y + ORDER_SIZE * 0.36, PLG_ANCHOR_MIDDLE, ORDER_SIZE,
                   TRUE, plg_theme_text_on (grid->theme, fill),
                   plg_figure_string (grid->figure, "%d", number));
}

/* Which GPU of a ring that jumps comes when, from 1: its arrows alone are hard to follow there. The
 * numbers are below the GPUs, as the names of groups are above. The first is filled. */
static void
add_order (PlgGrid *grid, PlgAxis axis, int rank, PlgColor color)
{
  g_autoptr (GArray) gpus = plg_grid_ring_gpus (grid, axis, rank);
  PlgColor card = grid->theme->role[PLG_ROLE_CARD];

  if (axis == PLG_AXIS_PP || grid->layout.detail != PLG_GRID_FULL ||
      !(plg_grid_ring_jumps (grid, gpus, TRUE) || plg_grid_ring_jumps (grid, gpus, FALSE)))
    return;
  for (guint i = 0; i < gpus->len; i++)
    {
      int gpu = g_array_index (gpus, int, i);

      if (plg_grid_layout_has_place (&grid->layout, gpu / grid->layout.gpus_per_node))
        add_number (grid, gpu, i + 1, i == 0 ? color : card, color);
    }
}

static void
add_ring_that_stands_out (PlgGrid *grid, PlgAxis axis)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  int rank = rank_that_stands_out (grid, axis);
  gboolean is_lit = plg_grid_group_lit (grid, axis, rank);
  PlgGridLook look = look_of_ring (grid, plg_grid_ring_look (grid, axis), is_lit);

  look.width = plg_grid_legible (grid, look.width, MAX (look.width, most_width (grid)));
  if (!plg_grid_axis_runs (grid, axis, rank))
    return;
  add_ring (grid, axis, rank, look, seen);
  if (is_lit)
    add_order (grid, axis, rank, look.color);
}

void
plg_grid_add_rings (PlgGrid *grid)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (!plg_grid_is_ranked (grid->plan))
    return;
  for (int axis = PLG_N_AXES - 1; axis >= 0; axis--)
    if (plg_grid_draws_rings (grid, axis) && (plg_grid_can_outline (grid) || shows_one_axis (grid)))
      add_ring_that_stands_out (grid, axis);
}
