/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "engine/group.h"

#include <glib/gi18n-lib.h>

/* Outlines of all groups are drawn up to this many of them. */
#define MAX_OUTLINES 512

/* A group that is to be outlined. */
typedef struct
{
  PlgAxis axis;
  int rank; /* one of its members */
  int group;
  gboolean strong;
  gboolean has_tab;
} Outline;

/* How far an outline stands off the tiles: groups of outer axes farther, so that they nest. */
static const double standoff[PLG_N_AXES] = {
  [PLG_AXIS_TP] = 4, [PLG_AXIS_CP] = 2.5, [PLG_AXIS_EP] = 2.5, [PLG_AXIS_PP] = 2, [PLG_AXIS_DP] = 3,
};

static PlgColor
axis_color (const PlgGrid *grid, PlgAxis axis)
{
  return grid->theme->role[PLG_ROLE_AXIS_TP + axis];
}

/* The colour of what is not outlined strong. */
static PlgColor
thin_color (const PlgGrid *grid, PlgAxis axis)
{
  return plg_color_mix (axis_color (grid, axis), grid->theme->role[PLG_ROLE_CARD], 0.45);
}

static double
grid_scale (const PlgGrid *grid)
{
  return plg_grid_is_small (grid) ? 0.6 : 1;
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* The rectangles of the group of AXIS around RANK. Members that only send to the next are
 * outlined one by one: arrows join them. */
static GArray *
group_cover (const PlgGrid *grid, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, axis, rank);

  g_array_sort (gpus, compare_ints);
  if (axis == PLG_AXIS_PP)
    {
      GArray *cells = g_array_new (FALSE, FALSE, sizeof (PlgRect));

      for (guint i = 0; i < gpus->len; i++)
        {
          PlgRect cell = plg_grid_layout_gpu (&grid->layout, g_array_index (gpus, int, i));

          g_array_append_val (cells, cell);
        }
      return cells;
    }
  return plg_grid_layout_cover (&grid->layout, (const int *) (gconstpointer) gpus->data, gpus->len);
}

/* How far an outline of WIDTH that stands OFF its tiles stands below and above them, so that it is
 * clear of the letters that reach over a low tile's edge. */
static double
off_letters (const PlgGrid *grid, double off, double width)
{
  double reach = plg_grid_tag_reach (grid);

  return reach > 0 ? MAX (off, reach + width / 2) : off;
}

static void
add_outline (const PlgGrid *grid,
             const GArray *cover,
             PlgAxis axis,
             int group,
             double width,
             gboolean strong)
{
  double off = standoff[axis] * grid_scale (grid), off_y = off_letters (grid, off, width);
  PlgColor none = PLG_COLOR_NONE;

  for (guint i = 0; i < cover->len; i++)
    {
      const PlgRect *r = &g_array_index (cover, PlgRect, i);
      PlgShape *shape = plg_figure_rect (grid->figure, r->x - off, r->y - off_y, r->width + 2 * off,
                                         r->height + 2 * off_y, 5 + off, none);

      shape->stroke = strong ? axis_color (grid, axis) : thin_color (grid, axis);
      shape->stroke_width = width;
      shape->dashed = strong ? plg_theme_axis_dash (axis) : PLG_DASH_SHORT;
      shape->thing = (PlgThing) { PLG_THING_GROUP, axis, group };
    }
}

/* The slowest tier that the collectives of AXIS cross in the group of RANK, in words; NULL where
 * there are none. g_free(). */
static char *
group_tier (const PlgGrid *grid, const PlgFabric *fabric, PlgAxis axis, int rank)
{
  int slowest = -1;

  for (guint i = 0; i < grid->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (grid->report->collectives, PlgCollective, i);

      if (row->axis == axis)
        slowest = MAX (slowest, (int) plg_groups_tier (grid->plan, fabric, row, rank));
    }
  return slowest >= 0 ? plg_tier_way (&grid->plan->cluster, slowest) : NULL;
}

static char *
group_name (const PlgGrid *grid, const PlgFabric *fabric, const Outline *outline)
{
  int n = grid->plan->parallelism.degree[outline->axis];
  g_autofree char *tier = group_tier (grid, fabric, outline->axis, outline->rank);
  g_autofree char *name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s group %d · %d GPU",
                                                        "%s group %d · %d GPUs", n),
                                           plg_axis_label (outline->axis), outline->group, n);

  return tier != NULL ? g_strdup_printf ("%s · %s", name, tier) : g_steal_pointer (&name);
}

#define TAB_HEIGHT 16.0
/* Right of a tab, for the number of its pin. */
#define TAB_GAP 20.0

static gboolean
lies_on (const PlgRect *a, const PlgRect *b)
{
  return a->x < b->x + b->width + TAB_GAP && b->x < a->x + a->width + TAB_GAP &&
         a->y < b->y + b->height && b->y < a->y + a->height;
}

/* To the right of the tabs that are there already, or above them where it ends. */
static void
move_off_tabs (const PlgGrid *grid, PlgRect *tab, double right)
{
  double begin = tab->x, most = right - tab->width;

  for (guint i = 0; i < grid->tabs->len; i++)
    {
      const PlgRect *other = &g_array_index (grid->tabs, PlgGridTab, i).rect;

      if (!lies_on (tab, other))
        continue;
      tab->x = other->x + other->width + TAB_GAP;
      if (tab->x > most)
        {
          tab->x = MIN (begin, most);
          tab->y = other->y - TAB_HEIGHT - 2;
        }
      /* It may now lie on one that was clear of it. */
      i = G_MAXUINT;
    }
}

/* A tab on FIRST ends with the card of its node, which may be all that is in sight. */
static double
right_of_tabs (const PlgGrid *grid, const PlgRect *first)
{
  int gpu = plg_grid_layout_gpu_near (&grid->layout, first->x + 8, first->y + 8);
  PlgRect card = plg_grid_layout_node (&grid->layout, gpu / grid->layout.gpus_per_node);

  return MIN (card.x + card.width, grid->layout.width - 2);
}

/* A label like the tab of a card, on the upper edge of the first rectangle. */
static void
add_tab (PlgGrid *grid, const PlgFabric *fabric, const PlgRect *first, const Outline *outline)
{
  PlgAxis axis = outline->axis;
  g_autofree char *name = group_name (grid, fabric, outline);
  double size = 10.5, width = plg_text_width (name, size, TRUE) + 16;
  double right = right_of_tabs (grid, first);
  PlgColor color = axis_color (grid, axis);
  PlgShape *shape;
  PlgGridTab tab = { { PLG_THING_GROUP, axis, outline->group },
                     { MAX (MIN (first->x + 8, right - width), 2),
                       first->y - standoff[axis] - TAB_HEIGHT + 5, width, TAB_HEIGHT } };

  /* As large as the back row needs it, it would hide the GPUs above. */
  if (size < plg_grid_least_text (grid))
    return;
  move_off_tabs (grid, &tab.rect, right);
  g_array_append_val (grid->tabs, tab);
  plg_figure_open (grid->figure, NULL,
                   plg_figure_string (grid->figure, "tab %s", plg_axis_name (axis)), NULL);
  shape = plg_figure_rect (grid->figure, tab.rect.x, tab.rect.y, width, TAB_HEIGHT, 4, color);
  shape->thing = tab.thing;
  shape->is_mark = TRUE;
  plg_figure_text (grid->figure, tab.rect.x + 8, tab.rect.y + TAB_HEIGHT / 2 + size * 0.35,
                   PLG_ANCHOR_START, size, TRUE, plg_theme_text_on (grid->theme, color), name)
      ->is_mark = TRUE;
  plg_figure_close (grid->figure);
}

/* A group is drawn once, the way that was asked for last, and on top of those before. */
static void
want_outline (const PlgGrid *grid,
              GArray *outlines,
              PlgAxis axis,
              int rank,
              gboolean strong,
              gboolean has_tab)
{
  int group = plg_axis_group_of (&grid->plan->parallelism, axis, rank);
  Outline outline = { axis, rank, group, strong, has_tab };

  for (guint i = 0; strong && i < outlines->len; i++)
    {
      const Outline *other = &g_array_index (outlines, Outline, i);

      if (other->axis != axis || other->group != group)
        continue;
      g_array_remove_index (outlines, i);
      break;
    }
  g_array_append_val (outlines, outline);
}

static void
add_group (PlgGrid *grid, const PlgFabric *fabric, const Outline *outline)
{
  const char *axis = plg_axis_name (outline->axis);
  g_autoptr (GArray) cover = group_cover (grid, outline->axis, outline->rank);
  g_autofree char *name = group_name (grid, fabric, outline);

  plg_figure_open (grid->figure,
                   plg_figure_string (grid->figure, "group-%s-%d", axis, outline->group),
                   plg_figure_string (grid->figure, "group %s", axis), name);
  add_outline (grid, cover, outline->axis, outline->group,
               outline->strong ? plg_grid_legible (grid, 2.5 * grid_scale (grid), 8) : 1,
               outline->strong);
  plg_figure_close (grid->figure);
  if (outline->strong && outline->axis == PLG_AXIS_PP && !grid->options->rings)
    plg_grid_add_chain (grid, PLG_AXIS_PP, outline->rank, plg_grid_ring_look (grid, PLG_AXIS_PP),
                        FALSE);
}

/* Names after all outlines, which would strike them through. */
static void
add_tabs (PlgGrid *grid, const PlgFabric *fabric, const GArray *outlines)
{
  grid->tabs = g_array_new (FALSE, FALSE, sizeof (PlgGridTab));
  for (guint i = 0; i < outlines->len; i++)
    {
      const Outline *outline = &g_array_index (outlines, Outline, i);
      g_autoptr (GArray) cover = NULL;

      if (!outline->has_tab || grid->layout.detail != PLG_GRID_FULL)
        continue;
      cover = group_cover (grid, outline->axis, outline->rank);
      if (cover->len > 0)
        add_tab (grid, fabric, &g_array_index (cover, PlgRect, 0), outline);
    }
}

static int
degree (const PlgGrid *grid, PlgAxis axis)
{
  return grid->plan->parallelism.degree[axis];
}

gboolean
plg_grid_can_outline (const PlgGrid *grid)
{
  return plg_grid_is_ranked (grid->plan) && grid->layout.detail <= PLG_GRID_TILES;
}

/* The groups that RANK is in: TP with its name, the stages before and after as a chain, the peers
 * on the other axes. */
static void
want_groups_of_rank (const PlgGrid *grid, GArray *outlines, int rank, guint axes)
{
  static const PlgAxis order[] = { PLG_AXIS_DP, PLG_AXIS_EP, PLG_AXIS_CP, PLG_AXIS_PP,
                                   PLG_AXIS_TP };

  for (int i = 0; rank >= 0 && i < (int) G_N_ELEMENTS (order); i++)
    if (degree (grid, order[i]) > 1 && (axes & (1u << order[i])))
      want_outline (grid, outlines, order[i], rank, TRUE, order[i] == PLG_AXIS_TP);
}

static void
add_node_outline (const PlgGrid *grid, int node)
{
  PlgRect card;
  PlgColor none = PLG_COLOR_NONE;
  PlgShape *shape;

  if (node < 0 || node >= grid->layout.nodes)
    return;
  card = plg_grid_layout_node (&grid->layout, node);
  shape = plg_figure_rect (grid->figure, card.x, card.y, card.width, card.height, 9, none);
  shape->stroke = grid->theme->role[PLG_ROLE_ACCENT];
  shape->stroke_width = plg_grid_legible (grid, 2, 16);
}

/* The GPU itself, so that it is found among its groups. */
static void
add_gpu_outline (const PlgGrid *grid, int gpu)
{
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, gpu);
  PlgColor none = PLG_COLOR_NONE;
  double width = plg_grid_legible (grid, 2 * grid_scale (grid), 8);
  double off = off_letters (grid, 0, width);
  PlgShape *shape = plg_figure_rect (grid->figure, tile.x, tile.y - off, tile.width,
                                     tile.height + 2 * off, MIN (6, tile.height / 6 + 1), none);

  shape->stroke = grid->theme->role[PLG_ROLE_TEXT];
  shape->stroke_width = width;
}

static void
want_groups_of_link (const PlgGrid *grid, GArray *outlines, int index)
{
  const PlgLink *link;
  int first, last;

  if (index < 0 || index >= (int) grid->report->links->len)
    return;
  link = &g_array_index (grid->report->links, PlgLink, index);
  /* One GPU of those that share a NIC stands for all. */
  if (plg_grid_gpus_of_link (grid, link, &first, &last))
    want_groups_of_rank (grid, outlines, grid->rank_of_gpu[last], link->axes);
}

/* What is outlined strong for THING, selected or focused. */
static void
want_strong (const PlgGrid *grid, GArray *outlines, PlgThing thing)
{
  int rank = plg_grid_rank_of (grid, thing);

  if (thing.kind == PLG_THING_GPU)
    want_groups_of_rank (grid, outlines, rank, (1u << PLG_N_AXES) - 1);
  else if ((thing.kind == PLG_THING_GROUP || thing.kind == PLG_THING_HANDLE) && rank >= 0)
    want_outline (grid, outlines, thing.axis, rank, TRUE, TRUE);
  else if (thing.kind == PLG_THING_LINK)
    want_groups_of_link (grid, outlines, thing.index);
}

static void
add_outline_of_thing (const PlgGrid *grid, PlgThing thing)
{
  if (thing.kind == PLG_THING_GPU && thing.index >= 0 && thing.index < grid->gpus)
    add_gpu_outline (grid, thing.index);
  else if (thing.kind == PLG_THING_NODE)
    add_node_outline (grid, thing.index);
}

/* Whether an outline of the TP group around RANK would say something: it would not where the group
 * is a node, whose card is outline enough, or where it lies about in single cells. */
static gboolean
is_worth_outline (const PlgGrid *grid, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, PLG_AXIS_TP, rank);
  g_autoptr (GArray) cover = group_cover (grid, PLG_AXIS_TP, rank);
  int per_node = grid->layout.gpus_per_node;
  int node = g_array_index (gpus, int, 0) / per_node;

  if (cover->len == gpus->len)
    return FALSE;
  for (guint i = 0; i < gpus->len; i++)
    if (g_array_index (gpus, int, i) / per_node != node)
      return TRUE;
  return (int) gpus->len != per_node;
}

/* Whether all TP groups have thin outlines, at a zoom that lets them. */
static gboolean
wants_all (const PlgGrid *grid)
{
  PlgShow show = grid->options->show;
  int groups = plg_axis_groups (&grid->plan->parallelism, PLG_AXIS_TP);

  return (show == PLG_SHOW_ALL || show == PLG_SHOW_TP) && degree (grid, PLG_AXIS_TP) > 1 &&
         groups <= MAX_OUTLINES && grid->lit_gpu == NULL;
}

/* The first rank at or after RANK that begins a TP group whose outline would say something, or -1.
 */
static int
next_outlined (const PlgGrid *grid, int rank)
{
  for (; rank < grid->gpus; rank++)
    if (plg_rank_coordinate (&grid->plan->parallelism, rank).index[PLG_AXIS_TP] == 0 &&
        is_worth_outline (grid, rank))
      return rank;
  return -1;
}

/* On the screen there is an
 * empty place as long as none is outlined, for nothing may move while degrees are dragged. */
void
plg_grid_add_outline_note (const PlgGrid *grid, PlgLegend *legend)
{
  gboolean is_far = grid->options->zoom <= 0 && grid->layout.detail > PLG_GRID_SHORT;
  gboolean is_shown = plg_grid_is_ranked (grid->plan) && !is_far && wants_all (grid) &&
                      (legend->is_outlined || next_outlined (grid, 0) >= 0);
  const char *name = plg_figure_string (grid->figure, _ ("%s group"), plg_axis_label (PLG_AXIS_TP));

  /* The place of what a drag may bring forth is not kept where that costs something else. */
  if (!is_shown && (!grid->options->legend_alone || legend->fold >= PLG_FOLD_EDGES))
    return;
  plg_legend_space (legend);
  if (is_shown)
    plg_legend_line (legend, thin_color (grid, PLG_AXIS_TP), 1, PLG_DASH_SHORT, FALSE, name);
  else
    plg_legend_reserve (legend, plg_legend_line_width (legend, PLG_DASH_SHORT, name));
}

/* Thin outlines of all TP groups, where they say more than the nodes' cards do already. */
static void
want_all (const PlgGrid *grid, GArray *outlines)
{
  if (!wants_all (grid) || grid->layout.detail > PLG_GRID_SHORT)
    return;
  for (int rank = next_outlined (grid, 0); rank >= 0; rank = next_outlined (grid, rank + 1))
    want_outline (grid, outlines, PLG_AXIS_TP, rank, FALSE, FALSE);
}

/* What is selected, and what is lit. */
static void
want_all_strong (const PlgGrid *grid, GArray *outlines)
{
  want_strong (grid, outlines, grid->options->selected);
  for (int i = 0; i < grid->options->n_lit; i++)
    want_strong (grid, outlines, grid->options->lit[i]);
}

guint8 *
plg_grid_outlined_gpus (const PlgGrid *grid)
{
  g_autoptr (GArray) outlines = g_array_new (FALSE, FALSE, sizeof (Outline));
  guint8 *axes;

  if (plg_grid_can_outline (grid))
    want_all_strong (grid, outlines);
  if (outlines->len == 0)
    return NULL;
  axes = g_new0 (guint8, grid->gpus);
  for (guint i = 0; i < outlines->len; i++)
    {
      const Outline *outline = &g_array_index (outlines, Outline, i);
      g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, outline->axis, outline->rank);

      for (guint k = 0; k < gpus->len; k++)
        axes[g_array_index (gpus, int, k)] |= 1u << outline->axis;
    }
  return axes;
}

void
plg_grid_add_groups (PlgGrid *grid)
{
  g_autoptr (GArray) outlines = g_array_new (FALSE, FALSE, sizeof (Outline));
  PlgFabric fabric;

  plg_figure_set_layer (grid->figure, PLG_LAYER_GROUPS);
  if (!plg_grid_can_outline (grid))
    return;
  want_all (grid, outlines);
  want_all_strong (grid, outlines);
  plg_fabric_of_plan (&fabric, grid->plan);
  for (guint i = 0; i < outlines->len; i++)
    add_group (grid, &fabric, &g_array_index (outlines, Outline, i));
  add_tabs (grid, &fabric, outlines);
  add_outline_of_thing (grid, grid->options->selected);
  for (int i = 0; i < grid->options->n_lit; i++)
    add_outline_of_thing (grid, grid->options->lit[i]);
}
