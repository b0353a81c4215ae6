/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/charts/pair-matrix.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The way between each two GPUs and how much it carries, or what goes there in a step. With many
 * GPUs a row is a node, with many nodes several of them; a part of the cluster is told as finely as
 * a cluster of its size. */

/* Letters are read in cells of this size, numbers in larger ones. */
#define LETTER_CELL 13.0
#define NUMBER_CELL 24.0
/* Of what a fault leaves less than the others of the kind have. */
#define FAULT_HATCH 5

typedef struct
{
  PlgPairMatrix pairing;
  PlgPairMatrixBandwidths widths;
  PlgPairMatrixTraffic traffic; /* of the cells, where that is shown */
  PlgChart chart;
  double cell, top;
  gboolean has_fault;
  gboolean has_traffic;
  double scale_end; /* the colours begin so many decades below it */
} Matrix;

/* Decades of bytes from the first colour to the last. */
#define DECADES 4.0

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
  const char *letter = plg_route_letter (route.kind);
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
set_scale (Matrix *matrix)
{
  gsize cells = (gsize) matrix->pairing.rows * matrix->pairing.columns;

  matrix->scale_end = 1;
  for (gsize cell = 0; cell < cells; cell++)
    {
      matrix->has_traffic |= matrix->traffic.bytes[cell] > 0;
      while (matrix->scale_end < matrix->traffic.bytes[cell])
        matrix->scale_end *= 10;
    }
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
  double bytes = matrix->traffic.bytes[(gsize) a * matrix->pairing.columns + b];
  double gap = matrix->cell > 8 ? 0.5 : 0;
  PlgColor fill = chart->theme->role[PLG_ROLE_GRID];
  PlgShape *shape;

  if (bytes > 0)
    fill = plg_theme_link_color (chart->theme, share_of_scale (matrix, bytes));
  shape = plg_figure_rect (chart->figure, chart->left + b * matrix->cell + gap,
                           matrix->top + a * matrix->cell + gap, matrix->cell - 2 * gap,
                           matrix->cell - 2 * gap, gap > 0 ? 1 : 0, fill);
  shape->entity = (PlgEntity) { PLG_ENTITY_PAIR, 0, a * matrix->pairing.columns + b };
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
  if (matrix->has_traffic)
    {
      plg_legend_ramp (&legend, _ ("Bytes a step, from row to column"), byte_color, chart->theme,
                       ticks, G_N_ELEMENTS (ticks));
      plg_legend_space (&legend);
    }
  plg_legend_swatch (&legend, none, 0, (PlgEntity) { PLG_ENTITY_LEGEND, 0, 0 }, _ ("nothing"));
  if (matrix->has_traffic && matrix->cell >= NUMBER_CELL)
    plg_legend_note (&legend, _ ("numbers: GB"));
  chart->y = plg_legend_end (&legend);
}

static void
add_cell (Matrix *matrix, int row, int column)
{
  PlgChart *chart = &matrix->chart;
  PlgRange a = plg_pair_matrix_row (&matrix->pairing, row);
  PlgRange b = plg_pair_matrix_column (&matrix->pairing, column);
  PlgRoute route = plg_pair_matrix_route (&matrix->pairing, a, b);
  PlgSwatch swatch = kind_swatch (chart->theme, route.kind);
  double x = chart->left + column * matrix->cell, y = matrix->top + row * matrix->cell;
  double gap = matrix->cell > 8 ? 0.5 : 0;
  PlgShape *shape = plg_figure_rect (chart->figure, x + gap, y + gap, matrix->cell - 2 * gap,
                                     matrix->cell - 2 * gap, gap > 0 ? 1 : 0, swatch.fill);

  shape->entity = (PlgEntity) { PLG_ENTITY_PAIR, 0, row * matrix->pairing.columns + column };
  shape->hatch = kind_hatch (matrix, &swatch);
  shape->hatch_color = swatch.hatch_color;
  if (plg_pair_matrix_is_faulty (&matrix->pairing, a, b, route))
    {
      shape->hatch = FAULT_HATCH;
      shape->hatch_color = PLG_COLOR_NONE;
      /* Thin, for the number is read through it. */
      shape->stroke = plg_color_mix (swatch.fill, swatch.text, 0.3);
      matrix->has_fault = TRUE;
    }
  add_cell_text (matrix, route, x, y, swatch.text);
}

/* Names ---------------------------------------------------------------------------------------- */

/* Of the GPUs of a single node each has a name; else nodes have. */
static gboolean
names_gpus (const Matrix *matrix, PlgRange side)
{
  return matrix->pairing.nodes == 0 && side.n <= matrix->pairing.fabric.gpus;
}

static int
n_items (const Matrix *matrix, PlgRange side)
{
  return side.n / matrix->pairing.window.gpus_each +
         (side.n % matrix->pairing.window.gpus_each > 0);
}

/* "17": the node, or the GPU in it. */
static char *
item_number (const Matrix *matrix, PlgRange side, int i)
{
  PlgRange item = plg_pair_matrix_item (&matrix->pairing, side, i);

  return g_strdup_printf ("%d", names_gpus (matrix, side)
                                    ? item.first % matrix->pairing.fabric.gpus
                                    : plg_pair_matrix_node (&matrix->pairing, item));
}

/* "GPU 3" of a single node, else "node 17". */
static char *
item_name (const Matrix *matrix, PlgRange side, int i)
{
  PlgRange item = plg_pair_matrix_item (&matrix->pairing, side, i);

  if (names_gpus (matrix, side))
    return g_strdup_printf (_ ("GPU %d"), item.first % matrix->pairing.fabric.gpus);
  return plg_plan_node_title (matrix->pairing.plan, plg_pair_matrix_node (&matrix->pairing, item));
}

/* How many items stand under one name: the GPUs of a node, or as many as leave it ROOM. */
static int
items_a_name (const Matrix *matrix, PlgRange side, double room)
{
  const PlgPairMatrix *pairing = &matrix->pairing;
  int step = pairing->nodes == 0 && !names_gpus (matrix, side) ? pairing->fabric.gpus : 1;

  while (step * matrix->cell < room)
    step *= 2;
  return step;
}

/* Where the middle of the items under the name of the I-th is. */
static double
middle_of_name (const Matrix *matrix, PlgRange side, int i, int step)
{
  return (i + MIN (step, n_items (matrix, side) - i) / 2.0) * matrix->cell;
}

static void
add_row_names (Matrix *matrix)
{
  PlgRange side = matrix->pairing.window.senders;
  int step = items_a_name (matrix, side, matrix->chart.font_size * 1.5);

  for (int i = 0; i < matrix->pairing.rows; i += step)
    {
      g_autofree char *name = item_name (matrix, side, i);

      plg_chart_add_name (&matrix->chart, matrix->top + middle_of_name (matrix, side, i, step),
                          name);
    }
}

/* Above the columns numbers alone say enough where the words of one have no room; then all are
 * numbers, so that they read alike. */
static gboolean
have_room_for_words (const Matrix *matrix, PlgRange side, int step)
{
  for (int i = 0; i < matrix->pairing.columns; i += step)
    {
      g_autofree char *name = item_name (matrix, side, i);

      if (plg_text_width (name, matrix->chart.font_size * 0.9, FALSE) >
          step * matrix->cell - matrix->chart.font_size * 0.5)
        return FALSE;
    }
  return TRUE;
}

static void
add_column_names (Matrix *matrix)
{
  PlgChart *chart = &matrix->chart;
  PlgRange side = matrix->pairing.window.receivers;
  double size = chart->font_size * 0.9;
  g_autofree char *last = item_number (matrix, side, matrix->pairing.columns - 1);
  /* A number, and some space to the next. */
  double room = plg_text_width (last, size, FALSE) + chart->font_size * 0.6;
  int step = items_a_name (matrix, side, MAX (room, chart->font_size * 1.5));
  gboolean has_words = have_room_for_words (matrix, side, step);

  for (int i = 0; i < matrix->pairing.columns; i += step)
    {
      g_autofree char *name = has_words ? item_name (matrix, side, i)
                                        : item_number (matrix, side, i);
      double middle = middle_of_name (matrix, side, i, step);

      if (middle + plg_text_width (name, size, FALSE) / 2 <= matrix->pairing.columns * matrix->cell)
        plg_chart_add_text (chart, chart->left + middle, matrix->top - chart->font_size * 0.8,
                            PLG_ANCHOR_MIDDLE, size, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM],
                            name);
    }
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
      g_autofree char *bandwidth = plg_pair_matrix_bandwidth_text (&matrix->widths, kind);
      PlgSwatch swatch = kind_swatch (chart->theme, kind);

      if (matrix->widths.most[kind] > 0)
        plg_legend_swatch (&legend, swatch, kind_hatch (matrix, &swatch),
                           (PlgEntity) { PLG_ENTITY_LEGEND, 0, 0 },
                           plg_figure_string (chart->figure, "%s%s%s, %s",
                                              has_letters (matrix) ? plg_route_letter (kind) : "",
                                              has_letters (matrix) ? "  " : "",
                                              plg_pair_matrix_route_name (&matrix->pairing, kind),
                                              bandwidth));
    }
  if (matrix->has_fault)
    plg_legend_note (&legend, _ ("cross-hatched: less, by a fault"));
  chart->y = plg_legend_end (&legend);
}

static void
add_names (Matrix *matrix, const char *title, const char *headline)
{
  PlgChart *chart = &matrix->chart;
  g_autofree char *name = item_name (matrix, matrix->pairing.window.senders,
                                     matrix->pairing.rows - 1);

  plg_chart_add_title (chart, title, headline, PLG_ROLE_TEXT_DIM);
  plg_chart_fit_names (chart, (const char *const *) &name, 1);
  matrix->cell = MIN ((chart->right - chart->left) / matrix->pairing.columns, 36);
  matrix->top = chart->y + chart->font_size * 1.6;
  add_row_names (matrix);
  add_column_names (matrix);
}

static void
draw_bandwidth (Matrix *matrix)
{
  g_autofree char *scope = plg_pair_matrix_scope_text (&matrix->pairing), *description = NULL;

  plg_pair_matrix_find_bandwidths (&matrix->pairing, &matrix->widths);
  description = plg_pair_matrix_describe (&matrix->pairing, &matrix->widths);
  plg_figure_describe (matrix->chart.figure, _ ("Bandwidth of pairs"), description);
  add_names (matrix, _ ("Bandwidth of pairs"), scope);
  for (int a = 0; a < matrix->pairing.rows; a++)
    for (int b = 0; b < matrix->pairing.columns; b++)
      add_cell (matrix, a, b);
}

static void
draw_traffic (Matrix *matrix, const PlgReport *report)
{
  g_autofree char *scope = plg_pair_matrix_scope_text (&matrix->pairing), *sums = NULL,
                  *text = NULL;

  plg_pair_matrix_sum_traffic (&matrix->pairing, report, &matrix->traffic);
  set_scale (matrix);
  sums = plg_pair_matrix_traffic_text (matrix->traffic.sent);
  text = g_strdup_printf ("%s%s%s", scope, *sums != '\0' ? " · " : "", sums);
  plg_figure_describe (matrix->chart.figure, _ ("Traffic of pairs"), text);
  add_names (matrix, _ ("Traffic of pairs"), text);
  for (int a = 0; a < matrix->pairing.rows; a++)
    for (int b = 0; b < matrix->pairing.columns; b++)
      add_byte_cell (matrix, a, b);
}

PlgFigure *
plg_matrix_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  Matrix matrix = { 0 };

  plg_pair_matrix_init (&matrix.pairing, plan, options, PLG_PAIR_MATRIX_MAX_ITEMS);
  plg_chart_begin (&matrix.chart, theme, options, 800);
  if (options->pairs == PLG_MATRIX_TRAFFIC)
    draw_traffic (&matrix, report);
  else
    draw_bandwidth (&matrix);
  matrix.chart.y = matrix.top + matrix.pairing.rows * matrix.cell + 4;
  if (options->pairs == PLG_MATRIX_TRAFFIC)
    add_byte_legend (&matrix);
  else
    add_legend (&matrix);
  plg_pair_matrix_traffic_clear (&matrix.traffic);
  return plg_chart_end (&matrix.chart);
}
