/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "engine/traffic.h"

#include <string.h>

#define ALL_AXES ((1u << PLG_N_AXES) - 1)

gboolean
plg_grid_fades (const PlgGrid *grid)
{
  gboolean is_pins_only = grid->options->n_lit <= grid->options->n_pins;

  return grid->lit_gpu != NULL && !(grid->options->has_moment && is_pins_only);
}

gboolean
plg_grid_gpu_lit (const PlgGrid *grid, int gpu)
{
  return !plg_grid_fades (grid) || grid->lit_gpu[gpu];
}

gboolean
plg_grid_link_lit (const PlgGrid *grid, int link)
{
  return !plg_grid_fades (grid) || (link >= 0 && grid->lit_link != NULL && grid->lit_link[link]);
}

gboolean
plg_grid_group_lit (const PlgGrid *grid, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = NULL;

  if (!plg_grid_fades (grid))
    return TRUE;
  /* Most are not, and many are asked. */
  if (!(grid->lit_gpu[plg_placement_gpu (&grid->plan->placement, rank)] & 1u << axis))
    return FALSE;
  gpus = plg_grid_group_gpus (grid, axis, rank);
  for (guint i = 0; i < gpus->len; i++)
    if (!(grid->lit_gpu[g_array_index (gpus, int, i)] & 1u << axis))
      return FALSE;
  return TRUE;
}

PlgColor
plg_grid_fade (const PlgGrid *grid, PlgColor color, gboolean is_lit)
{
  if (is_lit)
    return color;
  /* Not by alpha: nothing may shine through. */
  return plg_color_mix (color, grid->theme->role[PLG_ROLE_CARD], plg_theme_fading (grid->theme));
}

int
plg_grid_first_rank (const PlgGrid *grid, PlgAxis axis, int group)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;

  if (!plg_grid_is_ranked (grid->plan) || group < 0)
    return -1;
  /* Groups are numbered by their lowest rank, so none begins before the rank of its number. */
  for (int rank = group; rank < grid->gpus; rank++)
    if (plg_axis_group_of (parallelism, axis, rank) == group)
      return rank;
  return -1;
}

int
plg_grid_rank_of (const PlgGrid *grid, PlgThing thing)
{
  switch (thing.kind)
    {
    case PLG_THING_GPU:
      return thing.index >= 0 && thing.index < grid->gpus ? grid->rank_of_gpu[thing.index] : -1;
    case PLG_THING_HANDLE:
      return plg_grid_is_ranked (grid->plan) && thing.index >= 0 && thing.index < grid->gpus
                 ? thing.index
                 : -1;
    case PLG_THING_GROUP:
      return plg_grid_first_rank (grid, thing.axis, thing.index);
    case PLG_THING_NONE:
    case PLG_THING_NODE:
    case PLG_THING_LINK:
    case PLG_THING_STAGE:
    case PLG_THING_BLOCK:
    case PLG_THING_PART:
    case PLG_THING_COLLECTIVE:
    case PLG_THING_PAIR:
    case PLG_THING_LEGEND:
    case PLG_THING_RACK:
    default:
      return -1;
    }
}

GArray *
plg_grid_group_gpus (const PlgGrid *grid, PlgAxis axis, int rank)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;
  int n = parallelism->degree[axis];
  GArray *gpus = g_array_sized_new (FALSE, FALSE, sizeof (int), n);

  g_array_set_size (gpus, n);
  plg_axis_group_members (parallelism, axis, rank, (int *) (gpointer) gpus->data);
  for (int i = 0; i < n; i++)
    {
      int *gpu = &g_array_index (gpus, int, i);

      *gpu = plg_placement_gpu (&grid->plan->placement, *gpu);
    }
  return gpus;
}

gboolean
plg_grid_gpus_of_link (const PlgGrid *grid, const PlgLink *link, int *first, int *last)
{
  int per_node = grid->layout.gpus_per_node, nics = grid->plan->cluster.nics_per_node;

  if (link->node < 0 || link->node >= grid->layout.nodes || link->local < 0)
    return FALSE;
  *first = *last = link->local;
  if (link->tier == PLG_TIER_NIC && nics > 0)
    {
      /* The GPUs that share a NIC, as the fabric divides them. */
      *first = (int) ((gint64) link->local * per_node / nics);
      *last = (int) ((((gint64) link->local + 1) * per_node - 1) / nics);
    }
  if (*last >= per_node)
    return FALSE;
  *first += link->node * per_node;
  *last += link->node * per_node;
  return TRUE;
}

static void
light_group (PlgGrid *grid, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, axis, rank);

  for (guint i = 0; i < gpus->len; i++)
    grid->lit_gpu[g_array_index (gpus, int, i)] |= 1u << axis;
}

static void
light_groups_of (PlgGrid *grid, int rank, guint axes)
{
  if (rank < 0)
    return;
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (axes & (1u << axis))
      light_group (grid, axis, rank);
}

static void
light_all_gpus (PlgGrid *grid, guint axes)
{
  memset (grid->lit_gpu, axes, grid->gpus);
}

static void
light_stage (PlgGrid *grid, int stage)
{
  for (int gpu = 0; gpu < grid->gpus; gpu++)
    {
      int rank = grid->rank_of_gpu[gpu];

      if (rank >= 0 &&
          plg_rank_coordinate (&grid->plan->parallelism, rank).index[PLG_AXIS_PP] == stage)
        grid->lit_gpu[gpu] = ALL_AXES;
    }
}

static void
light_node (PlgGrid *grid, int node)
{
  if (node < 0 || node >= grid->layout.nodes)
    return;
  memset (grid->lit_gpu + (gsize) node * grid->layout.gpus_per_node, ALL_AXES,
          grid->layout.gpus_per_node);
}

/* A link lights up with a GPU at its end that is lit for an axis whose traffic it carries; a link
 * of a pair with both. */
static gboolean
touches_lit (const PlgGrid *grid, const PlgLink *link)
{
  int first, last;
  guint lit = 0;

  if (!plg_grid_gpus_of_link (grid, link, &first, &last))
    return FALSE;
  for (int gpu = first; gpu <= last; gpu++)
    lit |= grid->lit_gpu[gpu] & link->axes;
  if (lit != 0 && plg_link_is_pair (link) && link->other < grid->layout.gpus_per_node)
    lit &= grid->lit_gpu[link->node * grid->layout.gpus_per_node + link->other];
  return lit != 0;
}

static void
light_links_of_gpus (PlgGrid *grid)
{
  for (guint i = 0; i < grid->report->links->len; i++)
    grid->lit_link[i] = touches_lit (grid, &g_array_index (grid->report->links, PlgLink, i));
}

static void
light_links_of_axes (PlgGrid *grid, guint axes)
{
  for (guint i = 0; i < grid->report->links->len; i++)
    grid->lit_link[i] = (g_array_index (grid->report->links, PlgLink, i).axes & axes) != 0;
}

/* Whether it is known which groups cross which link: not of a report of another plan, or of one
 * without the calls of its stages. */
static gboolean
has_routes (const PlgGrid *grid)
{
  return plg_grid_is_ranked (grid->plan) && plg_traffic_is_traceable (grid->plan, grid->report);
}

/* The groups with one of RANKS light up what their collectives of AXES cross. */
static void
light_routes (PlgGrid *grid, const guint8 *ranks, guint axes)
{
  for (guint i = 0; i < grid->report->collectives->len; i++)
    if (axes & 1u << g_array_index (grid->report->collectives, PlgCollective, i).axis)
      plg_traffic_links_of (grid->plan, grid->report, i, ranks, grid->lit_link);
}

static void
light_routes_of_gpus (PlgGrid *grid, const int *gpus, int n, guint axes)
{
  g_autofree guint8 *ranks = g_new0 (guint8, grid->gpus);

  for (int i = 0; i < n; i++)
    if (grid->rank_of_gpu[gpus[i]] >= 0)
      ranks[grid->rank_of_gpu[gpus[i]]] = TRUE;
  light_routes (grid, ranks, axes);
}

/* The groups that cross a link. */
static void
light_users (PlgGrid *grid, int index)
{
  const PlgLink *link = &g_array_index (grid->report->links, PlgLink, index);

  for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
    {
      int row = g_array_index (grid->report->link_shares, PlgLinkShare, i).collective;
      PlgAxis axis = g_array_index (grid->report->collectives, PlgCollective, row).axis;
      g_autofree guint8 *ranks = g_new0 (guint8, grid->gpus);

      plg_traffic_ranks_on (grid->plan, grid->report, row, index, ranks);
      for (int rank = 0; rank < grid->gpus; rank++)
        if (ranks[rank])
          grid->lit_gpu[plg_placement_gpu (&grid->plan->placement, rank)] |= 1u << axis;
    }
}

/* A link, and the groups that use it; where these are not known, those of the GPUs at its end, and
 * beyond the nodes everybody. */
static void
light_link (PlgGrid *grid, int index)
{
  const PlgLink *link;
  gboolean is_known = has_routes (grid);
  int first, last;

  if (index < 0 || index >= (int) grid->report->links->len)
    return;
  link = &g_array_index (grid->report->links, PlgLink, index);
  grid->lit_link[index] = TRUE;
  if (is_known)
    light_users (grid, index);
  if (!plg_grid_gpus_of_link (grid, link, &first, &last))
    {
      if (!is_known)
        light_all_gpus (grid, ALL_AXES);
      return;
    }
  for (int gpu = first; gpu <= last; gpu++)
    {
      grid->lit_gpu[gpu] = ALL_AXES;
      if (!is_known)
        light_groups_of (grid, grid->rank_of_gpu[gpu], link->axes);
    }
}

/* The axis whose links a part of the step is spent on, or -1. */
static int
axis_of_part (int part)
{
  switch (part)
    {
    case PLG_PART_TP:
      return PLG_AXIS_TP;
    case PLG_PART_CP:
      return PLG_AXIS_CP;
    case PLG_PART_EP:
      return PLG_AXIS_EP;
    case PLG_PART_PP:
      return PLG_AXIS_PP;
    case PLG_PART_DP:
      return PLG_AXIS_DP;
    default:
      return -1;
    }
}

/* A group, or with a negative number all groups of the axis with the links that they cross. */
static void
light_group_thing (PlgGrid *grid, PlgThing thing)
{
  int rank = plg_grid_first_rank (grid, thing.axis, thing.index);

  if (thing.index < 0)
    {
      light_all_gpus (grid, 1u << thing.axis);
      light_links_of_axes (grid, 1u << thing.axis);
      return;
    }
  if (rank >= 0)
    light_group (grid, thing.axis, rank);
  if (rank >= 0 && has_routes (grid))
    {
      g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, thing.axis, rank);

      light_routes_of_gpus (grid, (const int *) (gpointer) gpus->data, gpus->len, 1u << thing.axis);
    }
  else
    light_links_of_gpus (grid);
}

static int
stage_of_block (const PlgGrid *grid, int index)
{
  if (index < 0 || index >= (int) grid->report->blocks->len)
    return -1;
  return g_array_index (grid->report->blocks, PlgBlock, index).stage;
}

static gboolean
can_light (PlgThing focus)
{
  switch (focus.kind)
    {
    case PLG_THING_GPU:
    case PLG_THING_NODE:
    case PLG_THING_LINK:
    case PLG_THING_GROUP:
    case PLG_THING_STAGE:
    case PLG_THING_BLOCK:
    case PLG_THING_COLLECTIVE:
      return focus.index >= 0 || focus.kind == PLG_THING_GROUP;
    case PLG_THING_PART:
      return axis_of_part (focus.index) >= 0;
    case PLG_THING_NONE:
    case PLG_THING_HANDLE:
    case PLG_THING_PAIR:
    case PLG_THING_LEGEND:
    case PLG_THING_RACK:
    default:
      return FALSE;
    }
}

static void
light_gpu (PlgGrid *grid, int gpu)
{
  if (gpu >= grid->gpus)
    return;
  grid->lit_gpu[gpu] = ALL_AXES;
  light_groups_of (grid, grid->rank_of_gpu[gpu], ALL_AXES);
  if (has_routes (grid))
    light_routes_of_gpus (grid, &gpu, 1, ALL_AXES);
  else
    light_links_of_gpus (grid);
}

/* The GPUs at the ends of the lit links: those that take part, by AXIS. Beyond the nodes everybody
 * does. */
static void
light_ends (PlgGrid *grid, PlgAxis axis)
{
  for (guint i = 0; i < grid->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (grid->report->links, PlgLink, i);
      int first, last;

      if (!grid->lit_link[i] || !plg_grid_gpus_of_link (grid, link, &first, &last))
        continue;
      memset (grid->lit_gpu + first, 1u << axis, last - first + 1);
      if (plg_link_is_pair (link) && link->other < grid->layout.gpus_per_node)
        grid->lit_gpu[link->node * grid->layout.gpus_per_node + link->other] = 1u << axis;
    }
}

static gboolean
carries (const PlgGrid *grid, const PlgLink *link, int collective)
{
  for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
    if (g_array_index (grid->report->link_shares, PlgLinkShare, i).collective == collective)
      return TRUE;
  return FALSE;
}

/* A row of the communication table: the links that it crosses, and who uses them for it. */
static void
light_collective (PlgGrid *grid, int collective)
{
  if (collective >= (int) grid->report->collectives->len)
    return;
  for (guint i = 0; i < grid->report->links->len; i++)
    grid->lit_link[i] = carries (grid, &g_array_index (grid->report->links, PlgLink, i),
                                 collective);
  light_ends (grid, g_array_index (grid->report->collectives, PlgCollective, collective).axis);
}

static void
light_thing (PlgGrid *grid, PlgThing focus)
{
  if (focus.kind == PLG_THING_LINK)
    light_link (grid, focus.index);
  else if (focus.kind == PLG_THING_COLLECTIVE)
    light_collective (grid, focus.index);
  else if (focus.kind == PLG_THING_GROUP)
    light_group_thing (grid, focus);
  else if (focus.kind == PLG_THING_PART)
    light_group_thing (grid, (PlgThing) { PLG_THING_GROUP, axis_of_part (focus.index), -1 });
  else if (focus.kind == PLG_THING_GPU)
    light_gpu (grid, focus.index);
  else
    {
      if (focus.kind == PLG_THING_NODE)
        light_node (grid, focus.index);
      else
        light_stage (grid, focus.kind == PLG_THING_STAGE ? focus.index
                                                         : stage_of_block (grid, focus.index));
      light_links_of_gpus (grid);
    }
}

/* ALL (NULL: nothing so far) with what is lit in ONE, which is freed or becomes ALL. */
static guint8 *
add_lit (guint8 *all, guint8 *one, gsize n)
{
  if (all == NULL)
    return one;
  for (gsize i = 0; i < n; i++)
    all[i] |= one[i];
  g_free (one);
  return all;
}

/* What each thing lights by itself, all together: the links between the GPUs of two things do not
 * light up because both have an end there. */
void
plg_grid_light (PlgGrid *grid)
{
  gsize links = grid->report->links->len;
  guint8 *gpus_lit = NULL, *links_lit = NULL;

  for (int i = 0; i < grid->options->n_lit; i++)
    {
      if (!can_light (grid->options->lit[i]))
        continue;
      grid->lit_gpu = g_new0 (guint8, grid->gpus);
      grid->lit_link = g_new0 (guint8, links);
      light_thing (grid, grid->options->lit[i]);
      gpus_lit = add_lit (gpus_lit, grid->lit_gpu, grid->gpus);
      links_lit = add_lit (links_lit, grid->lit_link, links);
    }
  grid->lit_gpu = gpus_lit;
  grid->lit_link = links_lit;
}

void
plg_grid_keep_selected (PlgGrid *grid)
{
  PlgThing selected = grid->options->selected;

  if (grid->lit_gpu != NULL && selected.kind == PLG_THING_GPU && selected.index >= 0 &&
      selected.index < grid->gpus)
    grid->lit_gpu[selected.index] |= ALL_AXES;
}
