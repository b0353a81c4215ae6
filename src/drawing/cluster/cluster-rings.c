/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-rings.h"
#include "drawing/cluster/cluster-snapshot.h"

/* The share of the background colour in pale rings. */
#define PALE 0.5
/* The maximum width of rings when the whole cluster is visible [points], and their maximum width
 * between racks as a share of the gap. */
#define MAX_WIDTH 8.0
#define MAX_SHARE 0.25
/* The radius of the discs under the numbers of a ring, and the text size of these numbers
 * [points]. */
#define ORDER_RADIUS 7.0
#define ORDER_SIZE 9.0

static int
degree (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  return drawing->plan->parallelism.degree[axis];
}

static gboolean
shows_one_axis (const PlgClusterDrawing *drawing)
{
  return drawing->options->show >= PLG_SHOW_TP && drawing->options->show <= PLG_SHOW_DP;
}

gboolean
plg_cluster_draws_rings (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  return degree (drawing, axis) > 1 &&
         (!shows_one_axis (drawing) || drawing->options->show - PLG_SHOW_TP == (int) axis);
}

gboolean
plg_cluster_has_all_rings (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  return shows_one_axis (drawing) && plg_cluster_draws_rings (drawing, axis) &&
         plg_axis_groups (&drawing->plan->parallelism, axis) > 1;
}

/* Returns the gap between the boxes in a row of nodes, and the gap between rows of nodes or
 * racks. */
static PlgPoint
far_gap (const PlgClusterLayout *layout)
{
  double column = layout->node_rows * layout->node_step_y;
  double row = layout->is_rack_tile ? layout->band_step - column : 0;

  return (PlgPoint) { layout->node_step_x - layout->card_width,
                      MAX (row, layout->node_step_y - layout->card_height) };
}

static double
most_width (const PlgClusterDrawing *drawing)
{
  return MAX (MAX_WIDTH, far_gap (&drawing->layout).y * MAX_SHARE);
}

PlgClusterLinkStyle
plg_cluster_pale_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  PlgClusterLinkStyle style = plg_cluster_ring_style (drawing, axis);

  style.color = plg_color_mix (style.color, drawing->theme->role[PLG_ROLE_CARD], PALE);
  style.width = plg_cluster_legible_length (drawing, MAX (style.width * 0.5, 1.2),
                                            most_width (drawing) / 3);
  return style;
}

/* An arrow in a zoomed-out view, between two nodes of a rack or between two racks. It represents
 * all rings that pass between the two. */
typedef struct
{
  PlgRect from, to;
  gint64 key; /* identifies the two nodes or racks that the arrow connects; 0 if no arrow is
                 needed because both ends are in the same node or rack */
  int lane;
} Hop;

/* Returns the rack of a node; 0 if the layout has no racks. */
static int
rack_of_node (const PlgClusterLayout *layout, int node)
{
  return layout->rack_nodes > 0 ? plg_cluster_layout_rack_of_node (layout, node) : 0;
}

static Hop
hop_between (const PlgClusterDrawing *drawing, int from, int to)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int a = from / layout->gpus_per_node, b = to / layout->gpus_per_node;
  int rack_a = rack_of_node (layout, a), rack_b = rack_of_node (layout, b);

  if (a == b || (rack_a == rack_b && layout->is_rack_tile))
    return (Hop) { .key = 0 };
  if (rack_a == rack_b)
    return (Hop) { .from = plg_cluster_layout_node (layout, a),
                   .to = plg_cluster_layout_node (layout, b),
                   .key = ((gint64) (a + 1) << 32) | (guint32) b,
                   .lane = a };
  return (Hop) { .from = plg_cluster_layout_rack (layout, rack_a),
                 .to = plg_cluster_layout_rack (layout, rack_b),
                 .key = -(((gint64) (rack_a + 1) << 32) | (guint32) rack_b) };
}

gboolean
plg_cluster_shows_rings (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  int groups = 0;

  if (!plg_cluster_layout_is_ranked (drawing->plan) || !plg_cluster_draws_rings (drawing, axis))
    return FALSE;
  if (plg_cluster_can_outline (drawing))
    return TRUE;
  /* Look at each group only once, at its lowest rank. Groups are numbered in the order of their
   * lowest ranks, so this is the first rank that belongs to the next group. */
  for (int rank = 0; shows_one_axis (drawing) && rank < drawing->gpus; rank++)
    if (plg_axis_group_of (&drawing->plan->parallelism, axis, rank) == groups)
      {
        groups++;

        g_autoptr (GArray) gpus = plg_cluster_ring_gpus (drawing, axis, rank);
        int n = gpus->len, arrows = plg_cluster_n_ring_arrows (axis, n);

        for (int i = 0; i < arrows; i++)
          if (hop_between (drawing, g_array_index (gpus, int, i),
                           g_array_index (gpus, int, (i + 1) % n))
                  .key != 0)
            return TRUE;
      }
  return FALSE;
}

static void
add_ring (PlgClusterDrawing *drawing,
          PlgAxis axis,
          int rank,
          PlgClusterLinkStyle style,
          GHashTable *seen)
{
  if (plg_cluster_can_outline (drawing))
    plg_cluster_add_ring_arrows (drawing, axis, rank, style,
                                 plg_cluster_has_all_rings (drawing, axis));
  else
    {
      /* Skip the arrows in SEEN, because other rings have already added them. */
      g_autoptr (GArray) gpus = plg_cluster_ring_gpus (drawing, axis, rank);
      int n = gpus->len, arrows = plg_cluster_n_ring_arrows (axis, n);
      /* An arrow belongs to several rings and therefore has no single entity. */
      PlgEntity none = { PLG_ENTITY_NONE, axis, 0 };
      PlgPoint gap = far_gap (&drawing->layout);

      for (int i = 0; i < arrows; i++)
        {
          Hop hop = hop_between (drawing, g_array_index (gpus, int, i),
                                 g_array_index (gpus, int, (i + 1) % n));

          if (hop.key != 0 && g_hash_table_add (seen, g_memdup2 (&hop.key, sizeof hop.key)))
            plg_cluster_add_arrow (drawing, hop.from, hop.to, gap, none, style, hop.lane);
        }
    }
}

/* Returns STYLE, dimmed if the ring is not highlighted. */
static PlgClusterLinkStyle
ring_style (const PlgClusterDrawing *drawing, PlgClusterLinkStyle style, gboolean is_lit)
{
  style.color = plg_cluster_dim (drawing, style.color, is_lit);
  return style;
}

/* Adds the pale rings of AXIS: the highlighted ones if IS_LIT, otherwise the dimmed ones. Leaves
 * out the ring of rank CHOSEN, because it is drawn separately. */
static void
add_other_rings (PlgClusterDrawing *drawing, PlgAxis axis, int chosen, gboolean is_lit)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autofree gboolean *is_drawn = g_new0 (gboolean, plg_axis_groups (parallelism, axis));
  PlgClusterLinkStyle style = ring_style (drawing, plg_cluster_pale_ring_style (drawing, axis),
                                          is_lit);

  is_drawn[plg_axis_group_of (parallelism, axis, chosen)] = TRUE;
  for (int rank = 0; rank < drawing->gpus; rank++)
    {
      int group = plg_axis_group_of (parallelism, axis, rank);

      if (is_drawn[group])
        continue;
      is_drawn[group] = TRUE;
      if (plg_cluster_is_axis_active (drawing, axis, rank) &&
          plg_cluster_is_group_highlighted (drawing, axis, rank) == is_lit)
        add_ring (drawing, axis, rank, style, seen);
    }
}

/* Returns the rank whose ring of AXIS stands out. This is the rank of the last highlighted
 * entity (pins come first, the entity under the pointer last), or otherwise of the selected
 * entity, or otherwise a representative rank. If the ring of this rank is dimmed, for example
 * because a node is highlighted, returns a rank in the first highlighted ring. */
static int
emphasized_rank (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  int rank = -1;

  for (int i = drawing->options->n_highlighted - 1; i >= 0 && rank < 0; i--)
    {
      PlgEntity entity = drawing->options->highlighted[i];

      /* A highlighted group determines only the ring of its own axis. Otherwise the rings of
       * other axes would move while the pointer is on a ring. */
      if (entity.kind != PLG_ENTITY_GROUP || entity.axis == axis)
        rank = plg_cluster_rank_of (drawing, entity);
    }
  if (rank < 0)
    rank = plg_cluster_rank_of (drawing, drawing->options->selected);
  if (rank < 0)
    {
      /* Choose the representative rank so that the rings of the axes do not overlap. */
      PlgCoordinate at = { 0 };

      if (axis == PLG_AXIS_PP)
        at.index[PLG_AXIS_TP] = degree (drawing, PLG_AXIS_TP) * 5 / 8;
      else if (axis == PLG_AXIS_DP)
        at.index[PLG_AXIS_TP] = degree (drawing, PLG_AXIS_TP) - 1;
      else if (axis == PLG_AXIS_CP || axis == PLG_AXIS_EP)
        at.index[PLG_AXIS_TP] = degree (drawing, PLG_AXIS_TP) / 4;
      rank = plg_coordinate_rank (&drawing->plan->parallelism, &at);
    }
  if (plg_cluster_is_group_highlighted (drawing, axis, rank))
    return rank;
  for (int other = 0; other < drawing->gpus; other++)
    if (plg_cluster_is_group_highlighted (drawing, axis, other))
      return other;
  return rank;
}

void
plg_cluster_add_other_rings (PlgClusterDrawing *drawing)
{
  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  if (!plg_cluster_layout_is_ranked (drawing->plan))
    return;
  for (int axis = PLG_N_AXES - 1; axis >= 0; axis--)
    if (plg_cluster_has_all_rings (drawing, axis))
      {
        int chosen = emphasized_rank (drawing, axis);

        if (plg_cluster_has_dimmed (drawing))
          add_other_rings (drawing, axis, chosen, FALSE);
        add_other_rings (drawing, axis, chosen, TRUE);
      }
}

/* Numbers the GPUs of RANK's ring of AXIS from 1 if the ring changes direction so often that its
 * arrows are hard to follow. The numbers are below the GPUs because the names of groups are
 * above them. The disc under the first number is filled. */
static void
add_order (PlgClusterDrawing *drawing, PlgAxis axis, int rank, PlgColor color)
{
  g_autoptr (GArray) gpus = plg_cluster_ring_gpus (drawing, axis, rank);
  PlgColor card = drawing->theme->role[PLG_ROLE_CARD];

  if (axis == PLG_AXIS_PP || drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL ||
      !(plg_cluster_ring_turns_back (drawing, gpus, TRUE) ||
        plg_cluster_ring_turns_back (drawing, gpus, FALSE)))
    return;
  for (guint i = 0; i < gpus->len; i++)
    {
      int gpu = g_array_index (gpus, int, i);

      if (plg_cluster_layout_has_place (&drawing->layout, gpu / drawing->layout.gpus_per_node))
        {
          int number = i + 1;
          PlgColor fill = i == 0 ? color : card;
          PlgPoint stop = plg_cluster_ring_point (drawing, gpu);
          PlgShape *disc = plg_figure_rect (drawing->figure, stop.x - ORDER_RADIUS,
                                            stop.y - ORDER_RADIUS, 2 * ORDER_RADIUS,
                                            2 * ORDER_RADIUS, ORDER_RADIUS, fill);

          disc->stroke = color;
          disc->stroke_width = 1.2;
          plg_figure_text (drawing->figure, stop.x, stop.y + ORDER_SIZE * 0.36, PLG_ANCHOR_MIDDLE,
                           ORDER_SIZE, TRUE, plg_theme_text_on (drawing->theme, fill),
                           plg_figure_string (drawing->figure, "%d", number));
        }
    }
}

void
plg_cluster_add_rings (PlgClusterDrawing *drawing)
{
  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  if (!plg_cluster_layout_is_ranked (drawing->plan))
    return;
  for (int axis = PLG_N_AXES - 1; axis >= 0; axis--)
    if (plg_cluster_draws_rings (drawing, axis) &&
        (plg_cluster_can_outline (drawing) || shows_one_axis (drawing)))
      {
        g_autoptr (GHashTable)
                       seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
        int rank = emphasized_rank (drawing, axis);
        gboolean is_lit = plg_cluster_is_group_highlighted (drawing, axis, rank);
        PlgClusterLinkStyle style = ring_style (drawing, plg_cluster_ring_style (drawing, axis),
                                                is_lit);

        style.width = plg_cluster_legible_length (drawing, style.width,
                                                  MAX (style.width, most_width (drawing)));
        if (!plg_cluster_is_axis_active (drawing, axis, rank))
          continue;
        add_ring (drawing, axis, rank, style, seen);
        if (is_lit)
          add_order (drawing, axis, rank, style.color);
      }
}
