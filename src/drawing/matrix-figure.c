/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/chart.h"

#include "drawing/text.h"
#include "engine/exchange.h"
#include "engine/route.h"
#include "engine/traffic.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The way between each two GPUs and how much it carries, or what goes there in a step. With many
 * GPUs a row is a node, with many nodes several of them. */

/* More cells cannot be told apart on a page. */
#define MAX_ITEMS 64
/* Letters are read in cells of this size, numbers in larger ones. */
#define LETTER_CELL 13.0
#define NUMBER_CELL 24.0
/* Of what a fault leaves less than the others of the kind have. */
#define FAULT_HATCH 5

typedef struct
{
  const PlgPlan *plan;
  PlgFabric fabric;
  PlgFabric sound; /* without faults */
  int items;
  int gpus;  /* of an item; 1: items are GPUs */
  int nodes; /* of an item, 0 where it is a GPU */
} Items;

typedef struct
{
  Items items;
  PlgChart chart;
  double cell, top;
  gboolean has_fault;
  double most[PLG_N_ROUTE_KINDS];  /* the widest way of a kind, as the legend says it */
  double *bytes;                   /* a step, of each cell; NULL: the way itself is shown */
  double sent[PLG_N_AXES];         /* in all */
  double scale_end;                /* the colours begin so many decades below it */
  double least[PLG_N_ROUTE_KINDS]; /* and the narrowest where nothing is broken */
} Matrix;

/* Decades of bytes from the first colour to the last. */
#define DECADES 4.0

static void
items_init (Items *items, const PlgPlan *plan)
{
  int nodes = plan->cluster.nodes, per_node = plan->cluster.gpus_per_node;

  *items = (Items) { .plan = plan, .items = nodes * per_node, .gpus = 1 };
  plg_fabric_of_plan (&items->fabric, plan);
  items->sound = items->fabric;
  items->sound.n_faults = 0;
  if (items->items <= MAX_ITEMS)
    return;
  items->nodes = 1;
  while ((nodes + items->nodes - 1) / items->nodes > MAX_ITEMS)
    items->nodes *= 2;
  items->gpus = items->nodes * per_node;
  items->items = (nodes + items->nodes - 1) / items->nodes;
}

/* The GPU of ITEM with most of its links lost, inside its node or outside. */
static int
worst_gpu (const Items *items, int item, gboolean outside)
{
  int first = item * items->gpus, worst = first;
  int last = MIN (first + items->gpus, items->fabric.nodes * items->fabric.gpus);
  double least = 2.0;

  for (int gpu = first; gpu < last; gpu++)
    {
      double rate = outside ? plg_fabric_outside_rate (&items->fabric, gpu)
                            : plg_fabric_inside_rate (&items->fabric, gpu);

      if (rate < least)
        {
          least = rate;
          worst = gpu;
        }
    }
  return worst;
}

/* What faults leave of a way between items of several GPUs: as much as between their worst. */
static double
worst_bandwidth (const Items *items, int a, int b)
{
  int from = worst_gpu (items, a, a != b), to = worst_gpu (items, b, a != b);

  if (from == to)
    to = from % items->fabric.gpus > 0 ? from - 1 : from + 1;
  if (to >= items->fabric.nodes * items->fabric.gpus)
    return G_MAXDOUBLE;
  return plg_fabric_route (&items->fabric, from, to).bandwidth;
}

/* Between the GPUs of two items that lie farthest apart; within an item of nodes between its
 * first GPU and that of its last node, or another of its only one. */
static PlgRoute
farthest_route (const Items *items, const PlgFabric *fabric, int a, int b)
{
  int last = fabric->nodes * fabric->gpus - 1;
  int from = MIN (a, b) * items->gpus, to = MAX (a, b) * items->gpus;

  if (items->nodes == 0)
    return plg_fabric_route (fabric, from, to);
  if (a == b && items->nodes == 1)
    return plg_fabric_route (fabric, from, MIN (from + 1, from + items->gpus - 1));
  return plg_fabric_route (fabric, from,
                           MIN (to + (items->nodes - 1) * fabric->gpus,
                                last / fabric->gpus * fabric->gpus));
}

static PlgRoute
route_between (const Items *items, int a, int b)
{
  PlgRoute route = farthest_route (items, &items->fabric, a, b);

  /* Of several nodes, those inside are not what the cell is about. */
  if (items->fabric.n_faults > 0 && items->nodes > 0 && (a != b || items->nodes == 1))
    route.bandwidth = MIN (route.bandwidth, worst_bandwidth (items, a, b));
  return route;
}

static const char *
kind_letter (PlgRouteKind kind)
{
  static const char *const letters[PLG_N_ROUTE_KINDS] = { "×", "N", "P", "L", "S" };

  return letters[kind];
}

static const char *
kind_title (const Items *items, PlgRouteKind kind)
{
  switch (kind)
    {
    case PLG_ROUTE_NVLINK:
      return plg_tier_title (&items->plan->cluster, PLG_TIER_NVLINK);
    case PLG_ROUTE_PCIE:
      return plg_tier_title (&items->plan->cluster, PLG_TIER_PCIE);
    case PLG_ROUTE_LEAF:
      return items->fabric.spines > 0 ? _ ("NICs, below one leaf") : _ ("NICs, one switch");
    case PLG_ROUTE_SPINE:
      return _ ("NICs, over a spine");
    case PLG_ROUTE_SELF:
    default:
      return _ ("itself");
    }
}

static PlgSwatch
kind_swatch (const PlgTheme *theme, PlgRouteKind kind)
{
  PlgSwatch swatch;

  if (kind != PLG_ROUTE_SELF)
    return plg_theme_swatch (theme, kind - 1, PLG_N_ROUTE_KINDS - 1, FALSE);
  swatch = plg_theme_swatch (theme, 0, 1, TRUE);
  swatch.hatch = 0;
  swatch.fill = theme->role[PLG_ROLE_GRID];
  swatch.text = plg_theme_text_on (theme, swatch.fill);
  return swatch;
}

/* The map of a node can have ways of one kind that are narrower than others. */
static gboolean
is_faulty (const Matrix *matrix, int a, int b, PlgRoute route)
{
  const Items *items = &matrix->items;
  PlgRoute sound = farthest_route (items, &items->sound, a, b);

  return items->fabric.n_faults > 0 && route.bandwidth < sound.bandwidth * 0.999;
}

static gboolean
has_letters (const Matrix *matrix)
{
  return matrix->cell >= LETTER_CELL;
}

/* Which kind it is, where its letter is missing and colours may look alike. */
static int
kind_hatch (const Matrix *matrix, const PlgSwatch *swatch)
{
  return matrix->cell >= NUMBER_CELL || !has_letters (matrix) ? swatch->hatch : 0;
}

static void
add_cell_text (Matrix *matrix, PlgRoute route, double x, double y, PlgColor color)
{
  PlgChart *chart = &matrix->chart;
  double size = MIN (matrix->cell * 0.62, chart->font_size);
  const char *letter = kind_letter (route.kind);
  g_autofree char *number = NULL;

  if (!has_letters (matrix))
    return;
  if (matrix->cell >= NUMBER_CELL && route.kind != PLG_ROUTE_SELF)
    number = plg_format_number (route.bandwidth / PLG_GB, 3);
  if (number != NULL && plg_text_width (number, size, FALSE) < matrix->cell - 2)
    letter = number;
  plg_chart_add_text (chart, x + matrix->cell / 2, y + matrix->cell / 2, PLG_ANCHOR_MIDDLE, size,
                      FALSE, color, letter);
}

static void
sum_exchange (Matrix *matrix, const PlgPlan *plan, const PlgReport *report)
{
  const Items *items = &matrix->items;
  gsize cells = (gsize) items->items * items->items;
  g_autofree double *row = g_new (double, cells);

  matrix->bytes = g_new0 (double, cells);
  for (guint i = 0; plg_traffic_is_traceable (plan, report) && i < report->collectives->len; i++)
    {
      PlgAxis axis = g_array_index (report->collectives, PlgCollective, i).axis;

      memset (row, 0, cells * sizeof *row);
      plg_exchange_add (plan, report, i, items->gpus, items->items, row);
      for (gsize cell = 0; cell < cells; cell++)
        {
          matrix->bytes[cell] += row[cell];
          matrix->sent[axis] += row[cell];
        }
    }
  matrix->scale_end = 1;
  for (gsize cell = 0; cell < cells; cell++)
    while (matrix->scale_end < matrix->bytes[cell])
      matrix->scale_end *= 10;
}

static double
share_of_scale (const Matrix *matrix, double bytes)
{
  return CLAMP (1 + log10 (bytes / matrix->scale_end) / DECADES, 0, 1);
}

static PlgColor
byte_color (double share, gconstpointer theme)
{
  return plg_theme_link_color (theme, share);
}

/* "in all 52 TB a step: TP 51 TB · PP 103 GB · DP 1.6 TB"; empty for nothing. */
static char *
sums_in_words (const Matrix *matrix)
{
  GString *text = g_string_new (NULL);
  double all = 0;

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *bytes = plg_format_volume (matrix->sent[axis]);

      all += matrix->sent[axis];
      if (matrix->sent[axis] > 0)
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? " · " : ": ",
                                plg_axis_label (axis), bytes);
    }
  if (all > 0)
    {
      g_autofree char *sum = plg_format_volume (all);
      g_autofree char *whole = g_strdup_printf (_ ("in all %s a step"), sum);

      g_string_prepend (text, whole);
    }
  return g_string_free (text, FALSE);
}

static void
add_byte_number (Matrix *matrix, int a, int b, double bytes, PlgColor fill)
{
  PlgChart *chart = &matrix->chart;
  double size = MIN (matrix->cell * 0.45, chart->font_size);
  g_autofree char *number = plg_format_number (bytes / PLG_GB, 2);

  if (matrix->cell >= NUMBER_CELL && plg_text_width (number, size, FALSE) < matrix->cell - 2)
    plg_chart_add_text (chart, chart->left + (b + 0.5) * matrix->cell,
                        matrix->top + (a + 0.5) * matrix->cell, PLG_ANCHOR_MIDDLE, size, FALSE,
                        plg_theme_text_on (chart->theme, fill), number);
}

static void
add_byte_cell (Matrix *matrix, int a, int b)
{
  PlgChart *chart = &matrix->chart;
  double bytes = matrix->bytes[(gsize) a * matrix->items.items + b];
  double gap = matrix->cell > 8 ? 0.5 : 0;
  PlgColor fill = chart->theme->role[PLG_ROLE_GRID];
  PlgShape *shape;

  if (bytes > 0)
    fill = plg_theme_link_color (chart->theme, share_of_scale (matrix, bytes));
  shape = plg_figure_rect (chart->figure, chart->left + b * matrix->cell + gap,
                           matrix->top + a * matrix->cell + gap, matrix->cell - 2 * gap,
                           matrix->cell - 2 * gap, gap > 0 ? 1 : 0, fill);
  shape->thing = (PlgThing) { PLG_THING_PAIR, 0, a * matrix->items.items + b };
  if (bytes > 0)
    add_byte_number (matrix, a, b, bytes, fill);
}

static void
add_byte_legend (Matrix *matrix)
{
  PlgChart *chart = &matrix->chart;
  PlgSwatch none = plg_theme_swatch (chart->theme, 0, 1, TRUE);
  g_autofree char *least = plg_format_volume (matrix->scale_end * pow (10, -DECADES));
  g_autofree char *most = plg_format_volume (matrix->scale_end);
  const PlgLegendTick ticks[] = { { 0, least }, { 1, most } };
  PlgLegend legend;

  none.fill = none.border = chart->theme->role[PLG_ROLE_GRID];
  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y + 6,
                    chart->font_size);
  plg_legend_ramp (&legend, _ ("Bytes a step, from row to column"), byte_color, chart->theme, ticks,
                   G_N_ELEMENTS (ticks));
  plg_legend_space (&legend);
  plg_legend_swatch (&legend, none, 0, (PlgThing) { PLG_THING_LEGEND, 0, 0 }, _ ("nothing"));
  if (matrix->cell >= NUMBER_CELL)
    plg_legend_note (&legend, _ ("numbers: GB"));
  chart->y = plg_legend_end (&legend);
}

static void
add_cell (Matrix *matrix, int a, int b)
{
  PlgChart *chart = &matrix->chart;
  PlgRoute route = route_between (&matrix->items, a, b);
  PlgSwatch swatch = kind_swatch (chart->theme, route.kind);
  double x = chart->left + b * matrix->cell, y = matrix->top + a * matrix->cell;
  double gap = matrix->cell > 8 ? 0.5 : 0;
  PlgShape *shape = plg_figure_rect (chart->figure, x + gap, y + gap, matrix->cell - 2 * gap,
                                     matrix->cell - 2 * gap, gap > 0 ? 1 : 0, swatch.fill);

  shape->thing = (PlgThing) { PLG_THING_PAIR, 0, a * matrix->items.items + b };
  shape->hatch = kind_hatch (matrix, &swatch);
  shape->hatch_color = swatch.hatch_color;
  if (is_faulty (matrix, a, b, route))
    {
      shape->hatch = FAULT_HATCH;
      shape->hatch_color = PLG_COLOR_NONE;
      /* Thin, for the number is read through it. */
      shape->stroke = plg_color_mix (swatch.fill, swatch.text, 0.3);
      matrix->has_fault = TRUE;
    }
  add_cell_text (matrix, route, x, y, swatch.text);
}

static int
node_of (const Items *items, int item)
{
  return items->nodes == 0 ? item / items->fabric.gpus : item * items->nodes;
}

/* How many items stand under one name: the GPUs of a node, or as many as leave it room, at least
 * for its number and some space to the next. */
static int
items_a_name (const Matrix *matrix)
{
  const Items *items = &matrix->items;
  int step = items->nodes == 0 ? items->fabric.gpus : 1;
  double size = matrix->chart.font_size;
  g_autofree char *last = g_strdup_printf ("%d", node_of (items, items->items - 1));
  double room = MAX (plg_text_width (last, size * 0.9, FALSE) + size * 0.6, size * 1.5);

  while (step * matrix->cell < room)
    step *= 2;
  return step;
}

/* Above the columns a number alone says enough where words have no room. */
static char *
heading_of (const Matrix *matrix, int item, double room)
{
  int node = node_of (&matrix->items, item);
  g_autofree char *name = plg_plan_node_title (matrix->items.plan, node);

  if (plg_text_width (name, matrix->chart.font_size * 0.9, FALSE) <= room)
    return g_steal_pointer (&name);
  return g_strdup_printf ("%d", node);
}

static void
add_names (Matrix *matrix)
{
  PlgChart *chart = &matrix->chart;
  int step = items_a_name (matrix);

  for (int item = 0; item < matrix->items.items; item += step)
    {
      g_autofree char *name = plg_plan_node_title (matrix->items.plan,
                                                   node_of (&matrix->items, item));
      double middle = item * matrix->cell +
                      MIN (step, matrix->items.items - item) * matrix->cell / 2;
      double room = step * matrix->cell - 2;
      g_autofree char *above = heading_of (matrix, item, room);

      plg_chart_add_name (chart, matrix->top + middle, name);
      if (middle + plg_text_width (above, chart->font_size * 0.9, FALSE) / 2 <=
          matrix->items.items * matrix->cell)
        plg_chart_add_text (chart, chart->left + middle, matrix->top - chart->font_size * 0.8,
                            PLG_ANCHOR_MIDDLE, chart->font_size * 0.9, FALSE,
                            chart->theme->role[PLG_ROLE_TEXT_DIM], above);
    }
}

static void
find_most (Matrix *matrix)
{
  for (int a = 0; a < matrix->items.items; a++)
    for (int b = 0; b < matrix->items.items; b++)
      {
        PlgRoute route = route_between (&matrix->items, a, b);
        PlgRoute sound = farthest_route (&matrix->items, &matrix->items.sound, a, b);
        double *most = &matrix->most[route.kind], *least = &matrix->least[sound.kind];

        *most = MAX (*most, route.bandwidth);
        *least = *least > 0 ? MIN (*least, sound.bandwidth) : sound.bandwidth;
      }
}

/* "31.5 GB/s", or the narrowest and the widest. */
static char *
bandwidths_in_words (const Matrix *matrix, PlgRouteKind kind)
{
  g_autofree char *least = plg_format_bandwidth (matrix->least[kind]);
  g_autofree char *most = plg_format_bandwidth (matrix->most[kind]);

  if (matrix->least[kind] < matrix->most[kind] * 0.999)
    return g_strdup_printf ("%s – %s", least, most);
  return g_steal_pointer (&most);
}

static void
add_legend (Matrix *matrix)
{
  PlgChart *chart = &matrix->chart;
  PlgLegend legend;

  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y + 6,
                    chart->font_size);
  plg_legend_title (&legend, _ ("Per direction:"));
  for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
    {
      g_autofree char *bandwidth = bandwidths_in_words (matrix, kind);
      PlgSwatch swatch = kind_swatch (chart->theme, kind);

      if (matrix->most[kind] > 0)
        plg_legend_swatch (&legend, swatch, kind_hatch (matrix, &swatch),
                           (PlgThing) { PLG_THING_LEGEND, 0, 0 },
                           plg_figure_string (chart->figure, "%s%s%s, %s",
                                              has_letters (matrix) ? kind_letter (kind) : "",
                                              has_letters (matrix) ? "  " : "",
                                              kind_title (&matrix->items, kind), bandwidth));
    }
  if (matrix->has_fault)
    plg_legend_note (&legend, _ ("cross-hatched: less, by a fault"));
  chart->y = plg_legend_end (&legend);
}

/* What a row stands for. */
static char *
scope_in_words (const Items *items)
{
  if (items->nodes == 0)
    return g_strdup (_ ("A row is a GPU"));
  if (items->nodes == 1)
    return g_strdup (_ ("A row is a node"));
  return g_strdup_printf (_ ("A row is %d nodes"), items->nodes);
}

/* The legend in words, for whoever does not see it. */
static char *
describe_matrix (const Matrix *matrix)
{
  g_autofree char *scope = scope_in_words (&matrix->items);
  GString *text = g_string_new (scope);

  for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
    {
      g_autofree char *bandwidth = bandwidths_in_words (matrix, kind);

      if (matrix->most[kind] > 0)
        g_string_append_printf (text, " · %s %s %s", kind_letter (kind),
                                kind_title (&matrix->items, kind), bandwidth);
    }
  return g_string_free (text, FALSE);
}

static void
draw_names (Matrix *matrix, const char *title, const char *headline)
{
  PlgChart *chart = &matrix->chart;
  g_autofree char *name = plg_plan_node_title (matrix->items.plan,
                                               node_of (&matrix->items, matrix->items.items - 1));

  plg_chart_add_title (chart, title, headline, PLG_ROLE_TEXT_DIM);
  plg_chart_fit_names (chart, (const char *const *) &name, 1);
  matrix->cell = MIN ((chart->right - chart->left) / matrix->items.items, 36);
  matrix->top = chart->y + chart->font_size * 1.6;
  add_names (matrix);
}

static void
draw_bandwidth (Matrix *matrix)
{
  g_autofree char *scope = scope_in_words (&matrix->items), *description = NULL;

  find_most (matrix);
  description = describe_matrix (matrix);
  plg_figure_describe (matrix->chart.figure, _ ("Bandwidth of pairs"), description);
  draw_names (matrix, _ ("Bandwidth of pairs"), scope);
  for (int a = 0; a < matrix->items.items; a++)
    for (int b = 0; b < matrix->items.items; b++)
      add_cell (matrix, a, b);
}

static void
draw_traffic (Matrix *matrix, const PlgReport *report)
{
  g_autofree char *scope = scope_in_words (&matrix->items), *sums = NULL, *text = NULL;

  sum_exchange (matrix, matrix->items.plan, report);
  sums = sums_in_words (matrix);
  text = g_strdup_printf ("%s%s%s", scope, *sums != '\0' ? " · " : "", sums);
  plg_figure_describe (matrix->chart.figure, _ ("Traffic of pairs"), text);
  draw_names (matrix, _ ("Traffic of pairs"), text);
  for (int a = 0; a < matrix->items.items; a++)
    for (int b = 0; b < matrix->items.items; b++)
      add_byte_cell (matrix, a, b);
}

PlgFigure *
plg_matrix_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  Matrix matrix = { 0 };

  items_init (&matrix.items, plan);
  plg_chart_begin (&matrix.chart, theme, options, 800);
  if (options->pairs == PLG_PAIRS_TRAFFIC)
    draw_traffic (&matrix, report);
  else
    draw_bandwidth (&matrix);
  matrix.chart.y = matrix.top + matrix.items.items * matrix.cell + 4;
  if (options->pairs == PLG_PAIRS_TRAFFIC)
    add_byte_legend (&matrix);
  else
    add_legend (&matrix);
  g_free (matrix.bytes);
  return plg_chart_end (&matrix.chart);
}

static char *
item_in_words (const Items *items, int item)
{
  int last = MIN ((item + 1) * items->nodes, items->fabric.nodes) - 1;

  if (items->nodes == 0)
    {
      g_autofree char *node = plg_plan_node_title (items->plan, item / items->fabric.gpus);

      return g_strdup_printf (_ ("GPU %d of %s"), item % items->fabric.gpus, node);
    }
  if (items->nodes == 1)
    return plg_plan_node_title (items->plan, item);
  return g_strdup_printf (_ ("nodes %d–%d"), item * items->nodes, last);
}

/* The same of what goes from one item to another. */
static char *
sent_in_words (const Items *items, const PlgReport *report, int index)
{
  gsize cells = (gsize) items->items * items->items;
  g_autofree double *row = g_new (double, cells);
  Matrix cell = { .items = *items };

  for (guint i = 0; plg_traffic_is_traceable (items->plan, report) && i < report->collectives->len;
       i++)
    {
      memset (row, 0, cells * sizeof *row);
      plg_exchange_add (items->plan, report, i, items->gpus, items->items, row);
      cell.sent[g_array_index (report->collectives, PlgCollective, i).axis] += row[index];
    }
  return sums_in_words (&cell);
}

/* "NV18", "PIX": what the map of the node calls the way between two GPUs, or NULL. */
static char *
path_in_words (const Items *items, int a, int b)
{
  const PlgNodeMap *map = &items->plan->node_map;
  int gpus = items->fabric.gpus;
  PlgPath path;

  if (items->nodes > 0 || plg_node_map_is_empty (map) || map->gpus != gpus || a / gpus != b / gpus)
    return NULL;
  path = *plg_node_map_to_gpu (map, a % gpus, b % gpus);
  if (path.type == PLG_PATH_UNKNOWN || path.type == PLG_PATH_SELF)
    return NULL;
  path.bandwidth = 0;
  return plg_path_to_string (&path);
}

char *
plg_describe_pair (const PlgPlan *plan, const PlgReport *report, int index)
{
  Items items;
  PlgRoute route;
  g_autofree char *from = NULL, *to = NULL, *bandwidth = NULL, *sent = NULL, *path = NULL;
  g_autofree char *way = NULL;

  items_init (&items, plan);
  if (index < 0 || index >= items.items * items.items)
    return g_strdup ("");
  path = path_in_words (&items, index / items.items, index % items.items);
  route = route_between (&items, index / items.items, index % items.items);
  from = item_in_words (&items, index / items.items);
  to = item_in_words (&items, index % items.items);
  bandwidth = plg_format_bandwidth (route.bandwidth);
  if (route.kind == PLG_ROUTE_SELF)
    return g_strdup (from);
  sent = sent_in_words (&items, report, index);
  way = path != NULL ? g_strdup_printf ("%s (%s)", kind_title (&items, route.kind), path)
                     : g_strdup (kind_title (&items, route.kind));
  return g_strdup_printf (_ ("%s to %s\n%s: %s per direction%s%s"), from, to, way, bandwidth,
                          *sent != '\0' ? "\n" : "", sent);
}
