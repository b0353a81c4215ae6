/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/charts/pair-matrix.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The bandwidth between each pair of GPUs, or the traffic between each pair per step. If there
 * are too many GPUs, each row and column represents one or more nodes. If only part of the
 * cluster is shown, it has the same detail as a whole cluster of that size. */

#define LETTER_CELL 13.0 /* minimum size of a cell that shows a letter [points] */
#define NUMBER_CELL 24.0 /* minimum size of a cell that shows a number [points] */
/* hatch number (see PlgShape) of a route whose bandwidth a fault reduces */
#define FAULT_HATCH 5
#define DECADES 4.0 /* range of the colour scale [decades of bytes] */

typedef struct
{
  PlgPairMatrix pairing;
  PlgPairMatrixBandwidths widths;
  PlgPairMatrixTraffic traffic; /* traffic of the cells; empty if the cells show bandwidths */
  PlgChart chart;
  double cell; /* size of a cell */
  double top;
  gboolean has_fault;
  gboolean has_traffic;
  double scale_end; /* upper end of the colour scale [bytes] */
} Matrix;

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

/* Returns the hatch number for the kind of route in a cell, or 0 if the cell shows the kind as a
 * letter instead. */
static int
kind_hatch (const Matrix *matrix, const PlgSwatch *swatch)
{
  return matrix->cell >= NUMBER_CELL || !has_letters (matrix) ? swatch->hatch : 0;
}

static PlgColor
byte_color (double share, gconstpointer theme)
{
  return plg_theme_link_color (theme, share);
}

/* Names ---------------------------------------------------------------------------------------- */

/* Returns whether all GPUs of SIDE are in one node. If so, the rows or columns of SIDE have GPU
 * names; otherwise they have node names. */
static gboolean
names_gpus (const Matrix *matrix, PlgRange side)
{
  return matrix->pairing.nodes == 0 && side.n <= matrix->pairing.fabric.gpus;
}

/* Returns the number in the name of item I on SIDE: the index of the GPU in its node, or the
 * index of the node. */
static char *
item_number (const Matrix *matrix, PlgRange side, int i)
{
  PlgRange item = plg_pair_matrix_item (&matrix->pairing, side, i);

  return g_strdup_printf ("%d", names_gpus (matrix, side)
                                    ? item.first % matrix->pairing.fabric.gpus
                                    : plg_pair_matrix_node (&matrix->pairing, item));
}

/* Returns a name such as "GPU 3" or "node 17". */
static char *
item_name (const Matrix *matrix, PlgRange side, int i)
{
  PlgRange item = plg_pair_matrix_item (&matrix->pairing, side, i);

  if (names_gpus (matrix, side))
    return g_strdup_printf (_ ("GPU %d"), item.first % matrix->pairing.fabric.gpus);
  return plg_plan_node_title (matrix->pairing.plan, plg_pair_matrix_node (&matrix->pairing, item));
}

/* Returns how many neighbouring items share one name. The number starts at 1, or at the number
 * of GPUs per node if the items are GPUs but have node names. It is doubled until the items are
 * together at least ROOM wide. */
static int
items_per_name (const Matrix *matrix, PlgRange side, double room)
{
  const PlgPairMatrix *pairing = &matrix->pairing;
  int step = pairing->nodes == 0 && !names_gpus (matrix, side) ? pairing->fabric.gpus : 1;

  while (step * matrix->cell < room)
    step *= 2;
  return step;
}

/* Returns the position of the centre of a name, measured from the start of SIDE. The name is
 * shared by STEP items, of which item I is the first. */
static double
name_centre (const Matrix *matrix, PlgRange side, int i, int step)
{
  int each = matrix->pairing.window.gpus_each;
  int n_items = side.n / each + (side.n % each > 0);

  return (i + MIN (step, n_items - i) / 2.0) * matrix->cell;
}

/* Adds the title and the names of the rows and columns, and sets the size and the position of
 * the cells. */
static void
add_names (Matrix *matrix, const char *title, const char *headline)
{
  PlgChart *chart = &matrix->chart;
  PlgRange senders = matrix->pairing.window.senders;
  PlgRange receivers = matrix->pairing.window.receivers;
  int n = matrix->pairing.columns, step;
  g_autofree char *last = item_name (matrix, senders, matrix->pairing.rows - 1);
  g_autofree char *last_number = item_number (matrix, receivers, n - 1);
  double size = chart->font_size * 0.9;
  double number_room = plg_text_width (last_number, size, FALSE) + chart->font_size * 0.6;
  gboolean has_words = TRUE;

  plg_chart_add_title (chart, title, headline, PLG_ROLE_TEXT_DIM);
  plg_chart_fit_names (chart, (const char *const *) &last, 1);
  matrix->cell = MIN ((chart->right - chart->left) / n, 36);
  matrix->top = chart->y + chart->font_size * 1.6;
  step = items_per_name (matrix, senders, chart->font_size * 1.5);
  for (int i = 0; i < matrix->pairing.rows; i += step)
    {
      g_autofree char *name = item_name (matrix, senders, i);

      plg_chart_add_name (chart, matrix->top + name_centre (matrix, senders, i, step), name);
    }

  /* If any name does not fit above its columns, show only the number of each name above the
   * columns. */
  step = items_per_name (matrix, receivers, MAX (number_room, chart->font_size * 1.5));
  for (int i = 0; i < n; i += step)
    {
      g_autofree char *name = item_name (matrix, receivers, i);

      has_words &= plg_text_width (name, size, FALSE) <=
                   step * matrix->cell - chart->font_size * 0.5;
    }
  for (int i = 0; i < n; i += step)
    {
      g_autofree char *name = has_words ? item_name (matrix, receivers, i)
                                        : item_number (matrix, receivers, i);
      double middle = name_centre (matrix, receivers, i, step);

      if (middle + plg_text_width (name, size, FALSE) / 2 <= n * matrix->cell)
        plg_chart_add_text (chart, chart->left + middle, matrix->top - chart->font_size * 0.8,
                            PLG_ANCHOR_MIDDLE, size, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM],
                            name);
    }
}

static void
add_traffic (Matrix *matrix, const PlgReport *report)
{
  g_autofree char *scope = plg_pair_matrix_scope_text (&matrix->pairing), *sums = NULL,
                  *text = NULL;
  gsize cells = (gsize) matrix->pairing.rows * matrix->pairing.columns;

  plg_pair_matrix_sum_traffic (&matrix->pairing, report, &matrix->traffic);
  matrix->scale_end = 1;
  for (gsize cell = 0; cell < cells; cell++)
    {
      matrix->has_traffic |= matrix->traffic.bytes[cell] > 0;
      while (matrix->scale_end < matrix->traffic.bytes[cell])
        matrix->scale_end *= 10;
    }

  sums = plg_pair_matrix_traffic_text (matrix->traffic.sent);
  text = g_strdup_printf ("%s%s%s", scope, *sums != '\0' ? " · " : "", sums);
  plg_figure_describe (matrix->chart.figure, _ ("Traffic of pairs"), text);
  add_names (matrix, _ ("Traffic of pairs"), text);
  for (int row = 0; row < matrix->pairing.rows; row++)
    for (int column = 0; column < matrix->pairing.columns; column++)
      {
        PlgChart *chart = &matrix->chart;
        int index = row * matrix->pairing.columns + column;
        double bytes = matrix->traffic.bytes[index], gap = matrix->cell > 8 ? 0.5 : 0;
        double share = CLAMP (1 + log10 (bytes / matrix->scale_end) / DECADES, 0, 1);
        double size = MIN (matrix->cell * 0.45, chart->font_size);
        PlgColor fill = bytes > 0 ? plg_theme_link_color (chart->theme, share)
                                  : chart->theme->role[PLG_ROLE_GRID];
        g_autofree char *number = plg_format_number (bytes / PLG_GB, 2);
        PlgShape *shape = plg_figure_rect (chart->figure, chart->left + column * matrix->cell + gap,
                                           matrix->top + row * matrix->cell + gap,
                                           matrix->cell - 2 * gap, matrix->cell - 2 * gap,
                                           gap > 0 ? 1 : 0, fill);

        shape->entity = (PlgEntity) { PLG_ENTITY_PAIR, 0, index };
        if (bytes > 0 && matrix->cell >= NUMBER_CELL &&
            plg_text_width (number, size, FALSE) < matrix->cell - 2)
          plg_chart_add_text (chart, chart->left + (column + 0.5) * matrix->cell,
                              matrix->top + (row + 0.5) * matrix->cell, PLG_ANCHOR_MIDDLE, size,
                              FALSE, plg_theme_text_on (chart->theme, fill), number);
      }
}

static void
add_bandwidths (Matrix *matrix)
{
  PlgChart *chart = &matrix->chart;
  g_autofree char *scope = plg_pair_matrix_scope_text (&matrix->pairing), *description = NULL;

  plg_pair_matrix_find_bandwidths (&matrix->pairing, &matrix->widths);
  description = plg_pair_matrix_describe (&matrix->pairing, &matrix->widths);
  plg_figure_describe (chart->figure, _ ("Bandwidth of pairs"), description);
  add_names (matrix, _ ("Bandwidth of pairs"), scope);
  for (int row = 0; row < matrix->pairing.rows; row++)
    for (int column = 0; column < matrix->pairing.columns; column++)
      {
        PlgRange a = plg_pair_matrix_row (&matrix->pairing, row);
        PlgRange b = plg_pair_matrix_column (&matrix->pairing, column);
        PlgRoute route = plg_pair_matrix_route (&matrix->pairing, a, b);
        PlgSwatch swatch = kind_swatch (chart->theme, route.kind);
        double x = chart->left + column * matrix->cell, y = matrix->top + row * matrix->cell;
        double gap = matrix->cell > 8 ? 0.5 : 0, size = MIN (matrix->cell * 0.62, chart->font_size);
        const char *text = plg_route_letter (route.kind);
        g_autofree char *number = NULL;
        PlgShape *shape = plg_figure_rect (chart->figure, x + gap, y + gap, matrix->cell - 2 * gap,
                                           matrix->cell - 2 * gap, gap > 0 ? 1 : 0, swatch.fill);

        shape->entity = (PlgEntity) { PLG_ENTITY_PAIR, 0, row * matrix->pairing.columns + column };
        shape->hatch = kind_hatch (matrix, &swatch);
        shape->hatch_color = swatch.hatch_color;
        if (plg_pair_matrix_is_faulty (&matrix->pairing, a, b, route))
          {
            shape->hatch = FAULT_HATCH;
            shape->hatch_color = PLG_COLOR_NONE;
            /* Draw the hatching in a faint colour, because the number is drawn over it. */
            shape->stroke = plg_color_mix (swatch.fill, swatch.text, 0.3);
            matrix->has_fault = TRUE;
          }
        if (matrix->cell >= NUMBER_CELL && route.kind != PLG_ROUTE_SELF)
          number = plg_format_number (route.bandwidth / PLG_GB, 3);
        if (number != NULL && plg_text_width (number, size, FALSE) < matrix->cell - 2)
          text = number;
        if (has_letters (matrix))
          plg_chart_add_text (chart, x + matrix->cell / 2, y + matrix->cell / 2, PLG_ANCHOR_MIDDLE,
                              size, FALSE, swatch.text, text);
      }
}

static void
add_legend (Matrix *matrix, PlgMatrixQuantity quantity)
{
  PlgChart *chart = &matrix->chart;
  PlgSwatch none = plg_theme_swatch (chart->theme, 0, 1, TRUE);
  const PlgEntity legend_entity = { PLG_ENTITY_LEGEND, 0, 0 };
  g_autofree char *least = plg_format_volume (matrix->scale_end * pow (10, -DECADES));
  g_autofree char *most = plg_format_volume (matrix->scale_end);
  const PlgLegendTick ticks[] = { { 0, least }, { 1, most } };
  PlgLegend legend;

  none.fill = none.border = chart->theme->role[PLG_ROLE_GRID];
  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y + 6,
                    chart->font_size);
  if (quantity == PLG_MATRIX_TRAFFIC)
    {
      if (matrix->has_traffic)
        {
          plg_legend_ramp (&legend, _ ("Bytes per step, row to column"), byte_color, chart->theme,
                           ticks, G_N_ELEMENTS (ticks));
          plg_legend_space (&legend);
        }
      plg_legend_swatch (&legend, none, 0, legend_entity, _ ("nothing"));
      if (matrix->has_traffic && matrix->cell >= NUMBER_CELL)
        plg_legend_note (&legend, _ ("numbers: GB"));
    }
  else
    plg_legend_title (&legend, _ ("Per direction:"));
  /* This loop adds nothing to the legend of a traffic matrix, because all bandwidths in WIDTHS
   * are then 0. */
  for (PlgRouteKind kind = PLG_ROUTE_NVLINK; kind < PLG_N_ROUTE_KINDS; kind++)
    {
      g_autofree char *bandwidth = plg_pair_matrix_bandwidth_text (&matrix->widths, kind);
      PlgSwatch swatch = kind_swatch (chart->theme, kind);

      if (matrix->widths.most[kind] > 0)
        plg_legend_swatch (&legend, swatch, kind_hatch (matrix, &swatch), legend_entity,
                           plg_figure_string (chart->figure, "%s%s%s, %s",
                                              has_letters (matrix) ? plg_route_letter (kind) : "",
                                              has_letters (matrix) ? "  " : "",
                                              plg_pair_matrix_route_name (&matrix->pairing, kind),
                                              bandwidth));
    }
  if (matrix->has_fault)
    plg_legend_note (&legend, _ ("cross-hatched: reduced by a fault"));
  chart->y = plg_legend_end (&legend);
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
    add_traffic (&matrix, report);
  else
    add_bandwidths (&matrix);
  matrix.chart.y = matrix.top + matrix.pairing.rows * matrix.cell + 4;
  add_legend (&matrix, options->pairs);
  plg_pair_matrix_traffic_clear (&matrix.traffic);
  return plg_chart_end (&matrix.chart);
}
