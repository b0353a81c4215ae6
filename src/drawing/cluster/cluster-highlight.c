/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"

#include "engine/network/traffic.h"

#include <string.h>

#define ALL_AXES ((1u << PLG_N_AXES) - 1)

gboolean
plg_cluster_has_dimmed (const PlgClusterDrawing *drawing)
{
  gboolean is_pins_only = drawing->options->n_highlighted <= drawing->options->n_pins;

  return drawing->highlighted_gpu != NULL && !(drawing->options->has_moment && is_pins_only);
}

gboolean
plg_cluster_is_gpu_highlighted (const PlgClusterDrawing *drawing, int gpu)
{
  return !plg_cluster_has_dimmed (drawing) || drawing->highlighted_gpu[gpu];
}

gboolean
plg_cluster_is_link_undimmed (const PlgClusterDrawing *drawing, int link)
{
  return !plg_cluster_has_dimmed (drawing) ||
         (link >= 0 && drawing->highlighted_link != NULL && drawing->highlighted_link[link]);
}

gboolean
plg_cluster_is_group_highlighted (const PlgClusterDrawing *drawing, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = NULL;

  if (!plg_cluster_has_dimmed (drawing))
    return TRUE;
  /* Most are not, and many are asked. */
  if (!(drawing->highlighted_gpu[plg_placement_gpu (&drawing->plan->placement, rank)] & 1u << axis))
    return FALSE;
  gpus = plg_cluster_group_gpus (drawing, axis, rank);
  for (guint i = 0; i < gpus->len; i++)
    if (!(drawing->highlighted_gpu[g_array_index (gpus, int, i)] & 1u << axis))
      return FALSE;
  return TRUE;
}

PlgColor
plg_cluster_dim (const PlgClusterDrawing *drawing, PlgColor color, gboolean is_lit)
{
  if (is_lit)
    return color;
  /* Not by alpha: nothing may shine through. */
  return plg_color_mix (color, drawing->theme->role[PLG_ROLE_CARD],
                        plg_theme_dim_share (drawing->theme));
}

int
plg_cluster_first_rank (const PlgClusterDrawing *drawing, PlgAxis axis, int group)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;

  if (!plg_cluster_layout_is_ranked (drawing->plan) || group < 0)
    return -1;
  /* Groups are numbered by their lowest rank, so none begins before the rank of its number. */
  for (int rank = group; rank < drawing->gpus; rank++)
    if (plg_axis_group_of (parallelism, axis, rank) == group)
      return rank;
  return -1;
}

int
plg_cluster_rank_of (const PlgClusterDrawing *drawing, PlgEntity entity)
{
  switch (entity.kind)
    {
    case PLG_ENTITY_GPU:
      return entity.index >= 0 && entity.index < drawing->gpus ? drawing->rank_of_gpu[entity.index]
                                                               : -1;
    case PLG_ENTITY_HANDLE:
      return plg_cluster_layout_is_ranked (drawing->plan) && entity.index >= 0 &&
                     entity.index < drawing->gpus
                 ? entity.index
                 : -1;
    case PLG_ENTITY_GROUP:
      return plg_cluster_first_rank (drawing, entity.axis, entity.index);
    case PLG_ENTITY_NONE:
    case PLG_ENTITY_NODE:
    case PLG_ENTITY_LINK:
    case PLG_ENTITY_STAGE:
    case PLG_ENTITY_BLOCK:
    case PLG_ENTITY_PART:
    case PLG_ENTITY_COLLECTIVE:
    case PLG_ENTITY_PAIR:
    case PLG_ENTITY_LEGEND:
    case PLG_ENTITY_RACK:
    default:
      return -1;
    }
}

GArray *
plg_cluster_group_gpus (const PlgClusterDrawing *drawing, PlgAxis axis, int rank)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  int n = parallelism->degree[axis];
  GArray *gpus = g_array_sized_new (FALSE, FALSE, sizeof (int), n);

  g_array_set_size (gpus, n);
  plg_axis_group_members (parallelism, axis, rank, (int *) (gpointer) gpus->data);
  for (int i = 0; i < n; i++)
    {
      int *gpu = &g_array_index (gpus, int, i);

      *gpu = plg_placement_gpu (&drawing->plan->placement, *gpu);
    }
  return gpus;
}

gboolean
plg_cluster_link_end_gpus (const PlgClusterDrawing *drawing,
                           const PlgLink *link,
                           int *first,
                           int *last)
{
  int per_node = drawing->layout.gpus_per_node, nics = drawing->plan->cluster.nics_per_node;

  if (link->node < 0 || link->node >= drawing->layout.nodes || link->local < 0)
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
highlight_group (PlgClusterDrawing *drawing, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = plg_cluster_group_gpus (drawing, axis, rank);

  for (guint i = 0; i < gpus->len; i++)
    drawing->highlighted_gpu[g_array_index (gpus, int, i)] |= 1u << axis;
}

static void
highlight_groups_of (PlgClusterDrawing *drawing, int rank, guint axes)
{
  if (rank < 0)
    return;
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (axes & (1u << axis))
      highlight_group (drawing, axis, rank);
}

static void
highlight_all_gpus (PlgClusterDrawing *drawing, guint axes)
{
  memset (drawing->highlighted_gpu, axes, drawing->gpus);
}

static void
highlight_stage (PlgClusterDrawing *drawing, int stage)
{
  for (int gpu = 0; gpu < drawing->gpus; gpu++)
    {
      int rank = drawing->rank_of_gpu[gpu];

      if (rank >= 0 &&
          plg_rank_coordinate (&drawing->plan->parallelism, rank).index[PLG_AXIS_PP] == stage)
        drawing->highlighted_gpu[gpu] = ALL_AXES;
    }
}

static void
highlight_node (PlgClusterDrawing *drawing, int node)
{
  if (node < 0 || node >= drawing->layout.nodes)
    return;
  memset (drawing->highlighted_gpu + (gsize) node * drawing->layout.gpus_per_node, ALL_AXES,
          drawing->layout.gpus_per_node);
}

/* A link lights up with a GPU at its end that is lit for an axis whose traffic it carries; a link
 * of a pair with both. */
static gboolean
touches_highlighted (const PlgClusterDrawing *drawing, const PlgLink *link)
{
  int first, last;
  guint highlighted = 0;

  if (!plg_cluster_link_end_gpus (drawing, link, &first, &last))
    return FALSE;
  for (int gpu = first; gpu <= last; gpu++)
    highlighted |= drawing->highlighted_gpu[gpu] & link->axes;
  if (highlighted != 0 && plg_link_is_pair (link) && link->other < drawing->layout.gpus_per_node)
    highlighted &= drawing
                       ->highlighted_gpu[link->node * drawing->layout.gpus_per_node + link->other];
  return highlighted != 0;
}

static void
highlight_links_of_gpus (PlgClusterDrawing *drawing)
{
  for (guint i = 0; i < drawing->report->links->len; i++)
    drawing->highlighted_link[i] = touches_highlighted (drawing,
                                                        &g_array_index (drawing->report->links,
                                                                        PlgLink, i));
}

static void
highlight_links_of_axes (PlgClusterDrawing *drawing, guint axes)
{
  for (guint i = 0; i < drawing->report->links->len; i++)
    drawing->highlighted_link[i] = (g_array_index (drawing->report->links, PlgLink, i).axes &
                                    axes) != 0;
}

/* Whether it is known which groups cross which link: not of a report of another plan, or of one
 * without the calls of its stages. */
static gboolean
has_routes (const PlgClusterDrawing *drawing)
{
  return plg_cluster_layout_is_ranked (drawing->plan) &&
         plg_traffic_is_traceable (drawing->plan, drawing->report);
}

/* The groups with one of RANKS light up what their collectives of AXES cross. */
static void
highlight_routes (PlgClusterDrawing *drawing, const guint8 *ranks, guint axes)
{
  for (guint i = 0; i < drawing->report->collectives->len; i++)
    if (axes & 1u << g_array_index (drawing->report->collectives, PlgCollective, i).axis)
      plg_traffic_links_of (drawing->plan, drawing->report, i, ranks, drawing->highlighted_link);
}

static void
highlight_routes_of_gpus (PlgClusterDrawing *drawing, const int *gpus, int n, guint axes)
{
  g_autofree guint8 *ranks = g_new0 (guint8, drawing->gpus);

  for (int i = 0; i < n; i++)
    if (drawing->rank_of_gpu[gpus[i]] >= 0)
      ranks[drawing->rank_of_gpu[gpus[i]]] = TRUE;
  highlight_routes (drawing, ranks, axes);
}

/* The groups that cross a link. */
static void
highlight_users (PlgClusterDrawing *drawing, int index)
{
  const PlgLink *link = &g_array_index (drawing->report->links, PlgLink, index);

  for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
    {
      int row = g_array_index (drawing->report->link_shares, PlgLinkShare, i).collective;
      PlgAxis axis = g_array_index (drawing->report->collectives, PlgCollective, row).axis;
      g_autofree guint8 *ranks = g_new0 (guint8, drawing->gpus);

      plg_traffic_ranks_on (drawing->plan, drawing->report, row, index, ranks);
      for (int rank = 0; rank < drawing->gpus; rank++)
        if (ranks[rank])
          drawing->highlighted_gpu[plg_placement_gpu (&drawing->plan->placement, rank)] |= 1u
                                                                                           << axis;
    }
}

/* A link, and the groups that use it; where these are not known, those of the GPUs at its end, and
 * beyond the nodes everybody. */
static void
highlight_link (PlgClusterDrawing *drawing, int index)
{
  const PlgLink *link;
  gboolean is_known = has_routes (drawing);
  int first, last;

  if (index < 0 || index >= (int) drawing->report->links->len)
    return;
  link = &g_array_index (drawing->report->links, PlgLink, index);
  drawing->highlighted_link[index] = TRUE;
  if (is_known)
    highlight_users (drawing, index);
  if (!plg_cluster_link_end_gpus (drawing, link, &first, &last))
    {
      if (!is_known)
        highlight_all_gpus (drawing, ALL_AXES);
      return;
    }
  for (int gpu = first; gpu <= last; gpu++)
    {
      drawing->highlighted_gpu[gpu] = ALL_AXES;
      if (!is_known)
        highlight_groups_of (drawing, drawing->rank_of_gpu[gpu], link->axes);
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
highlight_group_entity (PlgClusterDrawing *drawing, PlgEntity entity)
{
  int rank = plg_cluster_first_rank (drawing, entity.axis, entity.index);

  if (entity.index < 0)
    {
      highlight_all_gpus (drawing, 1u << entity.axis);
      highlight_links_of_axes (drawing, 1u << entity.axis);
      return;
    }
  if (rank >= 0)
    highlight_group (drawing, entity.axis, rank);
  if (rank >= 0 && has_routes (drawing))
    {
      g_autoptr (GArray) gpus = plg_cluster_group_gpus (drawing, entity.axis, rank);

      highlight_routes_of_gpus (drawing, (const int *) (gpointer) gpus->data, gpus->len,
                                1u << entity.axis);
    }
  else
    highlight_links_of_gpus (drawing);
}

static int
stage_of_block (const PlgClusterDrawing *drawing, int index)
{
  if (index < 0 || index >= (int) drawing->report->blocks->len)
    return -1;
  return g_array_index (drawing->report->blocks, PlgBlock, index).stage;
}

static gboolean
can_highlight (PlgEntity target)
{
  switch (target.kind)
    {
    case PLG_ENTITY_GPU:
    case PLG_ENTITY_NODE:
    case PLG_ENTITY_LINK:
    case PLG_ENTITY_GROUP:
    case PLG_ENTITY_STAGE:
    case PLG_ENTITY_BLOCK:
    case PLG_ENTITY_COLLECTIVE:
      return target.index >= 0 || target.kind == PLG_ENTITY_GROUP;
    case PLG_ENTITY_PART:
      return axis_of_part (target.index) >= 0;
    case PLG_ENTITY_NONE:
    case PLG_ENTITY_HANDLE:
    case PLG_ENTITY_PAIR:
    case PLG_ENTITY_LEGEND:
    case PLG_ENTITY_RACK:
    default:
      return FALSE;
    }
}

static void
highlight_gpu (PlgClusterDrawing *drawing, int gpu)
{
  if (gpu >= drawing->gpus)
    return;
  drawing->highlighted_gpu[gpu] = ALL_AXES;
  highlight_groups_of (drawing, drawing->rank_of_gpu[gpu], ALL_AXES);
  if (has_routes (drawing))
    highlight_routes_of_gpus (drawing, &gpu, 1, ALL_AXES);
  else
    highlight_links_of_gpus (drawing);
}

/* The GPUs at the ends of the lit links: those that take part, by AXIS. Beyond the nodes everybody
 * does. */
static void
highlight_ends (PlgClusterDrawing *drawing, PlgAxis axis)
{
  for (guint i = 0; i < drawing->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (drawing->report->links, PlgLink, i);
      int first, last;

      if (!drawing->highlighted_link[i] ||
          !plg_cluster_link_end_gpus (drawing, link, &first, &last))
        continue;
      memset (drawing->highlighted_gpu + first, 1u << axis, last - first + 1);
      if (plg_link_is_pair (link) && link->other < drawing->layout.gpus_per_node)
        drawing
            ->highlighted_gpu[link->node * drawing->layout.gpus_per_node + link->other] = 1u
                                                                                          << axis;
    }
}

static gboolean
carries (const PlgClusterDrawing *drawing, const PlgLink *link, int collective)
{
  for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
    if (g_array_index (drawing->report->link_shares, PlgLinkShare, i).collective == collective)
      return TRUE;
  return FALSE;
}

/* A row of the communication table: the links that it crosses, and who uses them for it. */
static void
highlight_collective (PlgClusterDrawing *drawing, int collective)
{
  if (collective >= (int) drawing->report->collectives->len)
    return;
  for (guint i = 0; i < drawing->report->links->len; i++)
    drawing->highlighted_link[i] = carries (drawing,
                                            &g_array_index (drawing->report->links, PlgLink, i),
                                            collective);
  highlight_ends (drawing,
                  g_array_index (drawing->report->collectives, PlgCollective, collective).axis);
}

static void
highlight_entity (PlgClusterDrawing *drawing, PlgEntity target)
{
  if (target.kind == PLG_ENTITY_LINK)
    highlight_link (drawing, target.index);
  else if (target.kind == PLG_ENTITY_COLLECTIVE)
    highlight_collective (drawing, target.index);
  else if (target.kind == PLG_ENTITY_GROUP)
    highlight_group_entity (drawing, target);
  else if (target.kind == PLG_ENTITY_PART)
    highlight_group_entity (drawing,
                            (PlgEntity) { PLG_ENTITY_GROUP, axis_of_part (target.index), -1 });
  else if (target.kind == PLG_ENTITY_GPU)
    highlight_gpu (drawing, target.index);
  else
    {
      if (target.kind == PLG_ENTITY_NODE)
        highlight_node (drawing, target.index);
      else
        highlight_stage (drawing, target.kind == PLG_ENTITY_STAGE
                                      ? target.index
                                      : stage_of_block (drawing, target.index));
      highlight_links_of_gpus (drawing);
    }
}

/* ALL (NULL: nothing so far) with what is lit in ONE, which is freed or becomes ALL. */
static guint8 *
merge_highlighted (guint8 *all, guint8 *one, gsize n)
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
plg_cluster_highlight (PlgClusterDrawing *drawing)
{
  gsize links = drawing->report->links->len;
  guint8 *gpus_lit = NULL, *links_lit = NULL;

  for (int i = 0; i < drawing->options->n_highlighted; i++)
    {
      if (!can_highlight (drawing->options->highlighted[i]))
        continue;
      drawing->highlighted_gpu = g_new0 (guint8, drawing->gpus);
      drawing->highlighted_link = g_new0 (guint8, links);
      highlight_entity (drawing, drawing->options->highlighted[i]);
      gpus_lit = merge_highlighted (gpus_lit, drawing->highlighted_gpu, drawing->gpus);
      links_lit = merge_highlighted (links_lit, drawing->highlighted_link, links);
    }
  drawing->highlighted_gpu = gpus_lit;
  drawing->highlighted_link = links_lit;
}

void
plg_cluster_highlight_selected (PlgClusterDrawing *drawing)
{
  PlgEntity selected = drawing->options->selected;

  if (drawing->highlighted_gpu != NULL && selected.kind == PLG_ENTITY_GPU && selected.index >= 0 &&
      selected.index < drawing->gpus)
    drawing->highlighted_gpu[selected.index] |= ALL_AXES;
}
