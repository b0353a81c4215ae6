/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-rings.h"

#include "engine/network/groups.h"

#include <glib/gi18n-lib.h>

/* With more TP groups than this, TP groups get no thin outlines. */
#define MAX_OUTLINES 512

/* A group that gets an outline. */
typedef struct
{
  PlgAxis axis;
  int rank; /* any rank of the group */
  int group;
  gboolean strong;
  gboolean has_tab;
  gboolean is_shard; /* whether the outline surrounds only the shard group of RANK inside its DP
                        group */
} Outline;

/* The distance between an outline and the tiles inside it, by axis [points]. It differs between
 * TP, PP and DP, so that their outlines around the same tiles do not coincide. */
static const double standoff[PLG_N_AXES] = {
  [PLG_AXIS_TP] = 4, [PLG_AXIS_CP] = 2.5, [PLG_AXIS_EP] = 2.5, [PLG_AXIS_PP] = 2, [PLG_AXIS_DP] = 3,
};

/* The distance of the outline of a shard group, which lies inside the outline of its DP group. */
#define SHARD_STANDOFF 0.5

static PlgColor
axis_color (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  return drawing->theme->role[PLG_ROLE_AXIS_TP + axis];
}

static PlgColor
thin_color (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  return plg_color_mix (axis_color (drawing, axis), drawing->theme->role[PLG_ROLE_CARD], 0.45);
}

static double
outline_scale (const PlgClusterDrawing *drawing)
{
  return plg_cluster_is_small (drawing) ? 0.6 : 1;
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* Returns the replicas of a shard group. */
static int
shard_size (const PlgClusterDrawing *drawing)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;

  return parallelism->degree[PLG_AXIS_DP] / plg_parallelism_replicate (parallelism);
}

/* Returns the GPUs that OUTLINE surrounds. */
static GArray *
outline_gpus (const PlgClusterDrawing *drawing, const Outline *outline)
{
  GArray *gpus = plg_cluster_group_gpus (drawing, outline->axis, outline->rank);
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  PlgCoordinate at = plg_rank_coordinate (parallelism, outline->rank);

  if (!outline->is_shard)
    return gpus;
  g_array_remove_range (gpus, 0, plg_shard_start (parallelism, at.index[PLG_AXIS_DP]));
  g_array_set_size (gpus, shard_size (drawing));
  return gpus;
}

/* Returns the rectangles that enclose the GPUs in OUTLINE. For PP, each GPU has a rectangle of its
 * own because arrows connect the stages. */
static GArray *
outline_cover (const PlgClusterDrawing *drawing, const Outline *outline)
{
  PlgAxis axis = outline->axis;
  g_autoptr (GArray) gpus = outline_gpus (drawing, outline);

  g_array_sort (gpus, compare_ints);
  if (axis == PLG_AXIS_PP)
    {
      GArray *cells = g_array_new (FALSE, FALSE, sizeof (PlgRect));

      for (guint i = 0; i < gpus->len; i++)
        {
          PlgRect cell = plg_cluster_layout_gpu (&drawing->layout, g_array_index (gpus, int, i));

          g_array_append_val (cells, cell);
        }
      return cells;
    }
  return plg_cluster_layout_regions (&drawing->layout, (const int *) (gconstpointer) gpus->data,
                                     gpus->len);
}

/* Returns the vertical distance between tiles and an outline whose line is WIDTH wide: OFF, or
 * more if the text on the tiles extends below them and the outline would cross this text. */
static double
offset_from_letters (const PlgClusterDrawing *drawing, double off, double width)
{
  double reach = plg_cluster_tag_depth (drawing);

  return reach > 0 ? MAX (off, reach + width / 2) : off;
}

static char *
group_name (const PlgClusterDrawing *drawing, const PlgFabric *fabric, const Outline *outline)
{
  int n = drawing->plan->parallelism.degree[outline->axis], slowest = -1;
  g_autofree char *name = NULL, *tier = NULL;

  for (guint i = 0; i < drawing->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (drawing->report->collectives, PlgCollective, i);

      if (row->axis == outline->axis)
        slowest = MAX (slowest, (int) plg_groups_tier (drawing->plan, fabric, row, outline->rank));
    }
  if (slowest >= 0)
    tier = plg_tier_describe (&drawing->plan->cluster, slowest);
  if (outline->is_shard)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Shard group of %d replica",
                                         "Shard group of %d replicas", shard_size (drawing)),
                            shard_size (drawing));
  name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s group %d · %d GPU",
                                       "%s group %d · %d GPUs", n),
                          plg_axis_label (outline->axis), outline->group, n);
  return tier != NULL ? g_strdup_printf ("%s · %s", name, tier) : g_steal_pointer (&name);
}

#define TAB_HEIGHT 16.0
/* The room to the right of a tab for the number of a pin [points]. */
#define TAB_GAP 20.0

/* Moves TAB to the right of any tab that it overlaps or, if it would then extend beyond RIGHT,
 * above that tab. */
static void
move_off_tabs (const PlgClusterDrawing *drawing, PlgRect *tab, double right)
{
  double begin = tab->x, most = right - tab->width;

  for (guint i = 0; i < drawing->tabs->len; i++)
    {
      const PlgRect *other = &g_array_index (drawing->tabs, PlgClusterGroupTab, i).rect;

      if (tab->x >= other->x + other->width + TAB_GAP ||
          other->x >= tab->x + tab->width + TAB_GAP || tab->y >= other->y + other->height ||
          other->y >= tab->y + tab->height)
        continue;
      tab->x = other->x + other->width + TAB_GAP;
      if (tab->x > most)
        {
          tab->x = MIN (begin, most);
          tab->y = other->y - TAB_HEIGHT - 2;
        }
      /* Test all tabs again, because the new position may overlap a tab that TAB did not overlap
       * before. */
      i = G_MAXUINT;
    }
}

/* Adds a tab with the name of a group to the upper edge of FIRST, the first rectangle of the
 * group's outline. */
static void
add_tab (PlgClusterDrawing *drawing,
         const PlgFabric *fabric,
         const PlgRect *first,
         const Outline *outline)
{
  PlgAxis axis = outline->axis;
  g_autofree char *name = group_name (drawing, fabric, outline);
  double size = 10.5, width = plg_text_width (name, size, TRUE) + 16;
  /* Keep the right end of a tab within the box of its node, because this box may be all that is
   * visible. */
  int gpu = plg_cluster_layout_gpu_near (&drawing->layout, first->x + 8, first->y + 8);
  PlgRect card = plg_cluster_layout_node (&drawing->layout, gpu / drawing->layout.gpus_per_node);
  double right = MIN (card.x + card.width, drawing->layout.width - 2);
  PlgColor color = axis_color (drawing, axis);
  PlgShape *shape;
  PlgClusterGroupTab tab = { { PLG_ENTITY_GROUP, axis, outline->group },
                             { MAX (MIN (first->x + 8, right - width), 2),
                               first->y - standoff[axis] - TAB_HEIGHT + 5, width, TAB_HEIGHT } };

  /* Leave out the tab if text must be larger than SIZE, because a larger tab would hide the GPUs
   * above it. */
  if (size < plg_cluster_min_text_size (drawing))
    return;
  move_off_tabs (drawing, &tab.rect, right);
  g_array_append_val (drawing->tabs, tab);
  plg_figure_open (drawing->figure, NULL,
                   plg_figure_string (drawing->figure, "tab %s", plg_axis_name (axis)), NULL);
  shape = plg_figure_rect (drawing->figure, tab.rect.x, tab.rect.y, width, TAB_HEIGHT, 4, color);
  shape->entity = tab.entity;
  shape->is_mark = TRUE;
  plg_figure_text (drawing->figure, tab.rect.x + 8, tab.rect.y + TAB_HEIGHT / 2 + size * 0.35,
                   PLG_ANCHOR_START, size, TRUE, plg_theme_text_on (drawing->theme, color), name)
      ->is_mark = TRUE;
  plg_figure_close (drawing->figure);
}

/* Appends an outline to OUTLINES, so that it is drawn on top of the earlier ones. A strong
 * outline replaces an earlier outline of the same group. */
static void
add_wanted_outline (const PlgClusterDrawing *drawing,
                    GArray *outlines,
                    PlgAxis axis,
                    int rank,
                    gboolean strong,
                    gboolean has_tab)
{
  int group = plg_axis_group_of (&drawing->plan->parallelism, axis, rank);
  Outline outline = { axis, rank, group, strong, has_tab, FALSE };

  for (guint i = 0; strong && i < outlines->len; i++)
    {
      const Outline *other = &g_array_index (outlines, Outline, i);

      if (other->axis != axis || other->group != group || other->is_shard)
        continue;
      g_array_remove_index (outlines, i);
      break;
    }
  g_array_append_val (outlines, outline);
}

static int
degree (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  return drawing->plan->parallelism.degree[axis];
}

gboolean
plg_cluster_can_outline (const PlgClusterDrawing *drawing)
{
  return plg_cluster_layout_is_ranked (drawing->plan) &&
         drawing->layout.detail <= PLG_CLUSTER_DETAIL_TILES;
}

/* Appends the outline of RANK's shard group, if the plan has shard groups of several replicas. */
static void
add_wanted_shard (const PlgClusterDrawing *drawing, GArray *outlines, int rank, gboolean strong)
{
  int group = plg_axis_group_of (&drawing->plan->parallelism, PLG_AXIS_DP, rank);
  Outline outline = { PLG_AXIS_DP, rank, group, strong, FALSE, TRUE };

  if (plg_parallelism_replicate (&drawing->plan->parallelism) > 1 && shard_size (drawing) > 1)
    g_array_append_val (outlines, outline);
}

/* Adds strong outlines of RANK's groups on AXES. The outline of the TP group is added last, so
 * that it is on top. Only this outline has a tab with the name of its group. */
static void
add_outlines_of_rank (const PlgClusterDrawing *drawing, GArray *outlines, int rank, guint axes)
{
  static const PlgAxis order[] = { PLG_AXIS_DP, PLG_AXIS_EP, PLG_AXIS_CP, PLG_AXIS_PP,
                                   PLG_AXIS_TP };

  for (int i = 0; rank >= 0 && i < (int) G_N_ELEMENTS (order); i++)
    if (degree (drawing, order[i]) > 1 && (axes & (1u << order[i])))
      {
        add_wanted_outline (drawing, outlines, order[i], rank, TRUE, order[i] == PLG_AXIS_TP);
        if (order[i] == PLG_AXIS_DP)
          add_wanted_shard (drawing, outlines, rank, TRUE);
      }
}

/* Adds the strong outlines of a selected or highlighted ENTITY. */
static void
add_strong_outlines (const PlgClusterDrawing *drawing, GArray *outlines, PlgEntity entity)
{
  int rank = plg_cluster_rank_of (drawing, entity);

  if (entity.kind == PLG_ENTITY_GPU)
    add_outlines_of_rank (drawing, outlines, rank, (1u << PLG_N_AXES) - 1);
  else if ((entity.kind == PLG_ENTITY_GROUP || entity.kind == PLG_ENTITY_HANDLE) && rank >= 0)
    add_wanted_outline (drawing, outlines, entity.axis, rank, TRUE, TRUE);
  else if (entity.kind == PLG_ENTITY_SHARD && rank >= 0)
    {
      add_wanted_outline (drawing, outlines, PLG_AXIS_DP, rank, TRUE, TRUE);
      add_wanted_shard (drawing, outlines, rank, TRUE);
    }
  else if (entity.kind == PLG_ENTITY_LINK)
    {
      const PlgLink *link;
      int first, last;

      if (entity.index < 0 || entity.index >= (int) drawing->report->links->len)
        return;
      link = &g_array_index (drawing->report->links, PlgLink, entity.index);
      /* If several GPUs share the NIC, outline only the groups of the last of these GPUs,
       * because the NIC is drawn next to this GPU. */
      if (plg_cluster_link_end_gpus (drawing, link, &first, &last))
        add_outlines_of_rank (drawing, outlines, drawing->rank_of_gpu[last], link->axes);
    }
}

static void
add_entity_outline (const PlgClusterDrawing *drawing, PlgEntity entity)
{
  if (entity.kind == PLG_ENTITY_GPU && entity.index >= 0 && entity.index < drawing->gpus)
    {
      PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, entity.index);
      PlgColor none = PLG_COLOR_NONE;
      double width = plg_cluster_legible_length (drawing, 2 * outline_scale (drawing), 8);
      double off = offset_from_letters (drawing, 0, width);
      PlgShape *shape = plg_figure_rect (drawing->figure, tile.x, tile.y - off, tile.width,
                                         tile.height + 2 * off, MIN (6, tile.height / 6 + 1), none);

      shape->stroke = drawing->theme->role[PLG_ROLE_TEXT];
      shape->stroke_width = width;
    }
  else if (entity.kind == PLG_ENTITY_NODE)
    {
      PlgRect card;
      PlgColor none = PLG_COLOR_NONE;
      PlgShape *shape;

      if (entity.index < 0 || entity.index >= drawing->layout.nodes)
        return;
      card = plg_cluster_layout_node (&drawing->layout, entity.index);
      shape = plg_figure_rect (drawing->figure, card.x, card.y, card.width, card.height, 9, none);
      shape->stroke = drawing->theme->role[PLG_ROLE_ACCENT];
      shape->stroke_width = plg_cluster_legible_length (drawing, 2, 16);
    }
}

/* Returns whether the plan and the options allow thin outlines of all TP groups. Does not
 * consider the zoom. */
static gboolean
outlines_all_groups (const PlgClusterDrawing *drawing)
{
  PlgShow show = drawing->options->show;
  int groups = plg_axis_groups (&drawing->plan->parallelism, PLG_AXIS_TP);

  return (show == PLG_SHOW_ALL || show == PLG_SHOW_TP) && degree (drawing, PLG_AXIS_TP) > 1 &&
         groups <= MAX_OUTLINES && drawing->highlighted_gpu == NULL;
}

/* Returns the first rank of the next TP group worth outlining, starting the search at RANK; -1
 * if no such group remains. A group that fills a whole node needs no outline because the node's
 * box surrounds it, and a group of scattered cells has no common outline. */
static int
next_outlined (const PlgClusterDrawing *drawing, int rank)
{
  int per_node = drawing->layout.gpus_per_node;

  for (; rank < drawing->gpus; rank++)
    {
      g_autoptr (GArray) gpus = NULL, cover = NULL;
      gboolean is_in_one_node = TRUE;

      if (plg_rank_coordinate (&drawing->plan->parallelism, rank).index[PLG_AXIS_TP] != 0)
        continue;
      gpus = plg_cluster_group_gpus (drawing, PLG_AXIS_TP, rank);
      cover = outline_cover (drawing, &(Outline) { .axis = PLG_AXIS_TP, .rank = rank });
      for (guint i = 1; i < gpus->len; i++)
        is_in_one_node &= g_array_index (gpus, int, i) / per_node ==
                          g_array_index (gpus, int, 0) / per_node;
      if (cover->len != gpus->len && !(is_in_one_node && (int) gpus->len == per_node))
        return rank;
    }
  return -1;
}

/* Returns whether thin outlines surround the shard groups: if DP is shown alone, and each shard group
 * covers consecutive ranks that are few enough to count. */
static gboolean
outlines_shards (const PlgClusterDrawing *drawing)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;

  return drawing->options->show == PLG_SHOW_DP && plg_parallelism_replicate (parallelism) > 1 &&
         drawing->gpus / plg_shard_block (parallelism) <= MAX_OUTLINES &&
         drawing->highlighted_gpu == NULL;
}

/* Draws a thin outline around each block of shard groups: the shard group and the groups nested
 * inside it. */
static void
add_shard_outlines (PlgClusterDrawing *drawing)
{
  int n = plg_shard_block (&drawing->plan->parallelism), first;
  g_autofree int *gpus = g_new (int, n);
  double off = SHARD_STANDOFF * outline_scale (drawing) + 1.5;

  for (int rank = 0; rank < drawing->gpus; rank += n)
    {
      g_autoptr (GArray) cover = NULL;

      if (!plg_placement_block (&drawing->plan->placement, rank, n, &first))
        continue;
      for (int i = 0; i < n; i++)
        gpus[i] = first + i;
      cover = plg_cluster_layout_regions (&drawing->layout, gpus, n);
      plg_figure_open (drawing->figure, plg_figure_string (drawing->figure, "shards-%d", rank),
                       "group dp shard", _ ("Shard groups (HSDP)"));
      for (guint k = 0; k < cover->len; k++)
        {
          const PlgRect *r = &g_array_index (cover, PlgRect, k);
          PlgColor none = PLG_COLOR_NONE;
          PlgShape *shape = plg_figure_rect (drawing->figure, r->x - off, r->y - off,
                                             r->width + 2 * off, r->height + 2 * off, 5 + off,
                                             none);

          shape->stroke = axis_color (drawing, PLG_AXIS_DP);
          shape->stroke_width = plg_cluster_legible_length (drawing, 1.5, 4);
        }
      plg_figure_close (drawing->figure);
    }
}

/* Explains thin outlines in the legend. On the screen, reserves room for the explanation even if
 * no group has an outline, so that the legend keeps its size while degrees are dragged. */
void
plg_cluster_add_outline_note (const PlgClusterDrawing *drawing, PlgLegend *legend)
{
  gboolean is_far = drawing->options->zoom <= 0 &&
                    drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT;
  gboolean is_shown = plg_cluster_layout_is_ranked (drawing->plan) && !is_far &&
                      outlines_all_groups (drawing) &&
                      (legend->is_outlined || next_outlined (drawing, 0) >= 0);
  const char *name = plg_figure_string (drawing->figure, _ ("%s group"),
                                        plg_axis_label (PLG_AXIS_TP));

  if (plg_cluster_layout_is_ranked (drawing->plan) && outlines_shards (drawing))
    {
      plg_legend_space (legend);
      plg_legend_line (legend, axis_color (drawing, PLG_AXIS_DP), 1.5, PLG_DASH_NONE, FALSE,
                       plg_figure_string (drawing->figure,
                                          g_dngettext (GETTEXT_PACKAGE,
                                                       "%d shard groups of %d replica",
                                                       "%d shard groups of %d replicas",
                                                       shard_size (drawing)),
                                          plg_parallelism_replicate (&drawing->plan->parallelism),
                                          shard_size (drawing)));
      return;
    }
  /* A short legend reserves no room for explanations that become necessary only during a drag. */
  if (!is_shown &&
      (!drawing->options->legend_alone || legend->brevity >= PLG_LEGEND_BREVITY_NODE_EDGES))
    return;
  plg_legend_space (legend);
  if (is_shown)
    plg_legend_line (legend, thin_color (drawing, PLG_AXIS_TP), 1, PLG_DASH_SHORT, FALSE, name);
  else
    plg_legend_reserve (legend, plg_legend_line_width (legend, PLG_DASH_SHORT, name));
}

/* Adds the outlines of the selected and the highlighted entities. */
static void
add_all_strong_outlines (const PlgClusterDrawing *drawing, GArray *outlines)
{
  add_strong_outlines (drawing, outlines, drawing->options->selected);
  for (int i = 0; i < drawing->options->n_highlighted; i++)
    add_strong_outlines (drawing, outlines, drawing->options->highlighted[i]);
}

guint8 *
plg_cluster_gpu_outline_axes (const PlgClusterDrawing *drawing)
{
  g_autoptr (GArray) outlines = g_array_new (FALSE, FALSE, sizeof (Outline));
  guint8 *axes;

  if (plg_cluster_can_outline (drawing))
    add_all_strong_outlines (drawing, outlines);
  if (outlines->len == 0)
    return NULL;
  axes = g_new0 (guint8, drawing->gpus);
  for (guint i = 0; i < outlines->len; i++)
    {
      const Outline *outline = &g_array_index (outlines, Outline, i);
      g_autoptr (GArray) gpus = outline_gpus (drawing, outline);

      for (guint k = 0; k < gpus->len; k++)
        axes[g_array_index (gpus, int, k)] |= 1u << outline->axis;
    }
  return axes;
}

void
plg_cluster_add_group_outlines (PlgClusterDrawing *drawing)
{
  g_autoptr (GArray) outlines = g_array_new (FALSE, FALSE, sizeof (Outline));
  PlgColor none = PLG_COLOR_NONE;
  PlgFabric fabric;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_GROUPS);
  if (!plg_cluster_can_outline (drawing))
    return;

  /* Draw a thin outline around each TP group, unless the boxes of its nodes already enclose exactly
   * this group. */
  if (outlines_all_groups (drawing) && drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    for (int rank = next_outlined (drawing, 0); rank >= 0; rank = next_outlined (drawing, rank + 1))
      add_wanted_outline (drawing, outlines, PLG_AXIS_TP, rank, FALSE, FALSE);
  if (outlines_shards (drawing))
    add_shard_outlines (drawing);
  add_all_strong_outlines (drawing, outlines);
  plg_fabric_of_plan (&fabric, drawing->plan);
  for (guint i = 0; i < outlines->len; i++)
    {
      const Outline *outline = &g_array_index (outlines, Outline, i);
      const char *axis = plg_axis_name (outline->axis);
      g_autoptr (GArray) cover = outline_cover (drawing, outline);
      g_autofree char *name = group_name (drawing, &fabric, outline);
      double width = outline->strong
                         ? plg_cluster_legible_length (drawing, 2.5 * outline_scale (drawing), 8)
                         : 1;
      double off = (outline->is_shard ? SHARD_STANDOFF : standoff[outline->axis]) *
                   outline_scale (drawing);
      double off_y = offset_from_letters (drawing, off, width);

      plg_figure_open (drawing->figure,
                       outline->is_shard
                           ? plg_figure_string (drawing->figure, "shard-%d", outline->rank)
                           : plg_figure_string (drawing->figure, "group-%s-%d", axis,
                                                outline->group),
                       plg_figure_string (drawing->figure,
                                          outline->is_shard ? "group %s shard" : "group %s", axis),
                       name);
      for (guint k = 0; k < cover->len; k++)
        {
          const PlgRect *r = &g_array_index (cover, PlgRect, k);
          PlgShape *shape = plg_figure_rect (drawing->figure, r->x - off, r->y - off_y,
                                             r->width + 2 * off, r->height + 2 * off_y, 5 + off,
                                             none);

          shape->stroke = outline->strong ? axis_color (drawing, outline->axis)
                                          : thin_color (drawing, outline->axis);
          shape->stroke_width = width;
          shape->dashed = outline->is_shard ? PLG_DASH_NONE
                          : outline->strong ? plg_theme_axis_dash (outline->axis)
                                            : PLG_DASH_SHORT;
          shape->entity = (PlgEntity) { PLG_ENTITY_GROUP, outline->axis, outline->group };
        }
      plg_figure_close (drawing->figure);
      if (outline->strong && outline->axis == PLG_AXIS_PP && !drawing->options->rings)
        plg_cluster_add_ring_arrows (drawing, PLG_AXIS_PP, outline->rank,
                                     plg_cluster_ring_style (drawing, PLG_AXIS_PP), FALSE);
    }

  /* Add tabs after all outlines, so that no outline crosses a name. */
  drawing->tabs = g_array_new (FALSE, FALSE, sizeof (PlgClusterGroupTab));
  for (guint i = 0; i < outlines->len; i++)
    {
      const Outline *outline = &g_array_index (outlines, Outline, i);
      g_autoptr (GArray) cover = NULL;

      if (!outline->has_tab || drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL)
        continue;
      cover = outline_cover (drawing, outline);
      if (cover->len > 0)
        add_tab (drawing, &fabric, &g_array_index (cover, PlgRect, 0), outline);
    }

  add_entity_outline (drawing, drawing->options->selected);
  for (int i = 0; i < drawing->options->n_highlighted; i++)
    add_entity_outline (drawing, drawing->options->highlighted[i]);
}
