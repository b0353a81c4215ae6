/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"

#include "engine/network/fabric.h"
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
  /* Test RANK alone first, because this is quick and rejects most groups. */
  if (!(drawing->highlighted_gpu[plg_placement_gpu (&drawing->plan->placement, rank)] & 1u << axis))
    return FALSE;
  gpus = plg_cluster_group_gpus (drawing, axis, rank);
  for (guint i = 0; i < gpus->len; i++)
    if (!(drawing->highlighted_gpu[g_array_index (gpus, int, i)] & 1u << axis))
      return FALSE;
  return TRUE;
}

gboolean
plg_cluster_is_link_highlighted (const PlgClusterDrawing *drawing, int index)
{
  return index >= 0 && drawing->highlighted_link != NULL && drawing->highlighted_link[index] != 0;
}

PlgColor
plg_cluster_dim (const PlgClusterDrawing *drawing, PlgColor color, gboolean is_lit)
{
  if (is_lit)
    return color;
  /* Mix the colours instead of using transparency, so that nothing shows through the shape. */
  return plg_color_mix (color, drawing->theme->role[PLG_ROLE_CARD],
                        plg_theme_dim_share (drawing->theme));
}

int
plg_cluster_first_rank (const PlgClusterDrawing *drawing, PlgAxis axis, int group)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;

  if (!plg_cluster_layout_is_ranked (drawing->plan) || group < 0)
    return -1;
  /* Find the lowest rank of the group. Groups are numbered in the order of their lowest ranks,
   * so this rank cannot be below the group's number. */
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
    case PLG_ENTITY_SHARD:
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
    case PLG_ENTITY_POINT:
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
      /* Assign GPUs to NICs in the same way as PlgFabric does. */
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

/* Highlights each link that carries traffic of an axis if the GPU at its end is highlighted for
 * this axis. A link between two GPUs is highlighted only if both of them are. */
static void
highlight_links_of_gpus (PlgClusterDrawing *drawing)
{
  int per_node = drawing->layout.gpus_per_node;

  for (guint i = 0; i < drawing->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (drawing->report->links, PlgLink, i);
      guint axes = 0;
      int first, last;

      drawing->highlighted_link[i] = FALSE;
      if (!plg_cluster_link_end_gpus (drawing, link, &first, &last))
        continue;
      for (int gpu = first; gpu <= last; gpu++)
        axes |= drawing->highlighted_gpu[gpu] & link->axes;
      if (axes != 0 && plg_link_is_pair (link) && link->other < per_node)
        axes &= drawing->highlighted_gpu[link->node * per_node + link->other];
      drawing->highlighted_link[i] = axes != 0;
    }
}

/* Returns whether the report identifies the groups that use each link. It does not if it was
 * computed from a plan other than the drawn one, or if it lacks the calls of some stages. */
static gboolean
has_routes (const PlgClusterDrawing *drawing)
{
  return plg_cluster_layout_is_ranked (drawing->plan) &&
         plg_traffic_is_traceable (drawing->plan, drawing->report);
}

static void
highlight_routes_of_gpus (PlgClusterDrawing *drawing, const int *gpus, int n, guint axes)
{
  g_autofree guint8 *ranks = g_new0 (guint8, drawing->gpus);

  for (int i = 0; i < n; i++)
    if (drawing->rank_of_gpu[gpus[i]] >= 0)
      ranks[drawing->rank_of_gpu[gpus[i]]] = TRUE;

  /* Highlight the routes of all groups that contain one of RANKS. */
  for (guint i = 0; i < drawing->report->collectives->len; i++)
    if (axes & 1u << g_array_index (drawing->report->collectives, PlgCollective, i).axis)
      plg_traffic_links_of (drawing->plan, drawing->report, i, ranks, drawing->highlighted_link);
}

/* Highlights a link and the groups that use it. If the report does not identify these groups,
 * highlights the groups of the GPUs at the end of the link or, if the link is between switches,
 * all GPUs. */
static void
highlight_link (PlgClusterDrawing *drawing, PlgEntity entity)
{
  int index = entity.index;
  const PlgLink *link;
  gboolean is_known = has_routes (drawing);
  int first, last;

  if (index < 0 || index >= (int) drawing->report->links->len)
    return;
  link = &g_array_index (drawing->report->links, PlgLink, index);
  drawing->highlighted_link[index] = TRUE;
  if (is_known)
    for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
      {
        int row = g_array_index (drawing->report->link_shares, PlgLinkShare, i).collective;
        PlgAxis axis = g_array_index (drawing->report->collectives, PlgCollective, row).axis;
        g_autofree guint8 *ranks = g_new0 (guint8, drawing->gpus);

        plg_traffic_ranks_on (drawing->plan, drawing->report, row, index, ranks);
        for (int rank = 0; rank < drawing->gpus; rank++)
          if (ranks[rank])
            {
              int gpu = plg_placement_gpu (&drawing->plan->placement, rank);

              drawing->highlighted_gpu[gpu] |= 1u << axis;
            }
      }
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

/* Returns the axis whose communication makes up PART of the step, or -1 if PART is not
 * communication. */
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

/* Highlights a group and the links that it uses. If the index of ENTITY is negative, highlights
 * all groups of the axis and the links that they use. */
static void
highlight_group_or_all (PlgClusterDrawing *drawing, PlgEntity entity)
{
  int rank = plg_cluster_first_rank (drawing, entity.axis, entity.index);

  if (entity.index < 0)
    {
      highlight_all_gpus (drawing, 1u << entity.axis);
      for (guint i = 0; i < drawing->report->links->len; i++)
        drawing->highlighted_link[i] = (g_array_index (drawing->report->links, PlgLink, i).axes &
                                        (1u << entity.axis)) != 0;
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

/* Highlights the links that carry COLLECTIVE and the GPUs at the ends of these links. Links
 * between switches have no GPUs at their ends. */
static void
highlight_collective (PlgClusterDrawing *drawing, PlgEntity entity)
{
  int collective = entity.index;
  int per_node = drawing->layout.gpus_per_node;
  PlgAxis axis;

  if (collective >= (int) drawing->report->collectives->len)
    return;
  axis = g_array_index (drawing->report->collectives, PlgCollective, collective).axis;
  for (guint i = 0; i < drawing->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (drawing->report->links, PlgLink, i);
      int first, last;

      drawing->highlighted_link[i] = FALSE;
      for (int k = link->first_share; k < link->first_share + link->n_shares; k++)
        if (g_array_index (drawing->report->link_shares, PlgLinkShare, k).collective == collective)
          drawing->highlighted_link[i] = TRUE;
      if (!drawing->highlighted_link[i] ||
          !plg_cluster_link_end_gpus (drawing, link, &first, &last))
        continue;
      memset (drawing->highlighted_gpu + first, 1u << axis, last - first + 1);
      if (plg_link_is_pair (link) && link->other < per_node)
        drawing->highlighted_gpu[link->node * per_node + link->other] = 1u << axis;
    }
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
  highlight_links_of_gpus (drawing);
}

static void
highlight_stage_entity (PlgClusterDrawing *drawing, PlgEntity entity)
{
  highlight_stage (drawing, entity.index);
}

static void
highlight_block (PlgClusterDrawing *drawing, PlgEntity entity)
{
  const GArray *blocks = drawing->report->blocks;

  highlight_stage (drawing, entity.index < (int) blocks->len
                                ? g_array_index (blocks, PlgBlock, entity.index).stage
                                : -1);
}

static void
highlight_part (PlgClusterDrawing *drawing, PlgEntity entity)
{
  PlgEntity groups = { PLG_ENTITY_GROUP, axis_of_part (entity.index), -1 };

  highlight_group_or_all (drawing, groups);
}

static void
highlight_gpu (PlgClusterDrawing *drawing, PlgEntity entity)
{
  int gpu = entity.index;

  if (gpu >= drawing->gpus)
    return;
  drawing->highlighted_gpu[gpu] = ALL_AXES;
  highlight_groups_of (drawing, drawing->rank_of_gpu[gpu], ALL_AXES);
  if (has_routes (drawing))
    highlight_routes_of_gpus (drawing, &gpu, 1, ALL_AXES);
  else
    highlight_links_of_gpus (drawing);
}

static void
highlight_node (PlgClusterDrawing *drawing, PlgEntity entity)
{
  int per_node = drawing->layout.gpus_per_node;

  if (entity.index < drawing->layout.nodes)
    memset (drawing->highlighted_gpu + (gsize) entity.index * per_node, ALL_AXES, per_node);
  highlight_links_of_gpus (drawing);
}

/* Merges the bits of ONE into ALL, frees ONE and returns ALL. If ALL is NULL, returns ONE. */
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

/* Highlights each entity separately and merges the results, because highlighting all entities
 * together would also highlight links between GPUs of different entities. */
void
plg_cluster_highlight (PlgClusterDrawing *drawing)
{
  gsize links = drawing->report->links->len;
  guint8 *all_gpus = NULL, *all_links = NULL;
  static void (*const highlight[PLG_N_ENTITY_KINDS]) (PlgClusterDrawing *, PlgEntity) = {
    [PLG_ENTITY_GPU] = highlight_gpu,
    [PLG_ENTITY_NODE] = highlight_node,
    [PLG_ENTITY_LINK] = highlight_link,
    [PLG_ENTITY_GROUP] = highlight_group_or_all,
    [PLG_ENTITY_STAGE] = highlight_stage_entity,
    [PLG_ENTITY_BLOCK] = highlight_block,
    [PLG_ENTITY_PART] = highlight_part,
    [PLG_ENTITY_COLLECTIVE] = highlight_collective,
  };

  for (int i = 0; i < drawing->options->n_highlighted; i++)
    {
      PlgEntity entity = drawing->options->highlighted[i];

      if (highlight[entity.kind] == NULL || (entity.index < 0 && entity.kind != PLG_ENTITY_GROUP) ||
          (entity.kind == PLG_ENTITY_PART && axis_of_part (entity.index) < 0))
        continue;
      drawing->highlighted_gpu = g_new0 (guint8, drawing->gpus);
      drawing->highlighted_link = g_new0 (guint8, links);
      highlight[entity.kind](drawing, entity);
      all_gpus = merge_highlighted (all_gpus, drawing->highlighted_gpu, drawing->gpus);
      all_links = merge_highlighted (all_links, drawing->highlighted_link, links);
    }
  drawing->highlighted_gpu = all_gpus;
  drawing->highlighted_link = all_links;
}

void
plg_cluster_highlight_selected (PlgClusterDrawing *drawing)
{
  PlgEntity selected = drawing->options->selected;

  if (drawing->highlighted_gpu != NULL && selected.kind == PLG_ENTITY_GPU && selected.index >= 0 &&
      selected.index < drawing->gpus)
    drawing->highlighted_gpu[selected.index] |= ALL_AXES;
}
