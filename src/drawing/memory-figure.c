/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/chart.h"

#include "drawing/letters-table.h"
#include "drawing/text.h"
#include "drawing/textual.h"
#include "engine/veil.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* With more rows than this, neighbouring stages share one and the fullest of them is shown. */
#define MAX_ROWS 128
#define N_KINDS 6

/* What fills the memory, in the order of the bar. */
static const struct
{
  gsize offset;
  PlgRole role;
  const char *title;
} kinds[N_KINDS] = {
  { G_STRUCT_OFFSET (PlgStageMemory, weights), PLG_ROLE_WEIGHTS, N_ ("Weights") },
  { G_STRUCT_OFFSET (PlgStageMemory, gradients), PLG_ROLE_GRADIENTS, N_ ("Gradients") },
  { G_STRUCT_OFFSET (PlgStageMemory, optimizer), PLG_ROLE_OPTIMIZER, N_ ("Optimizer") },
  { G_STRUCT_OFFSET (PlgStageMemory, activations), PLG_ROLE_ACTIVATIONS, N_ ("Activations") },
  { G_STRUCT_OFFSET (PlgStageMemory, buffers), PLG_ROLE_BUFFERS, N_ ("Buffers") },
  { G_STRUCT_OFFSET (PlgStageMemory, runtime), PLG_ROLE_RUNTIME, N_ ("Runtime") },
};

/* The chart and its scale. */
typedef struct
{
  PlgChart chart;
  const PlgReport *report;
  int stages_per_row;
  int n_rows;
  double pitch; /* from row to row */
  double capacity;
  double bytes;  /* at the right end of the bars */
  double length; /* of the bars at BYTES */
} Ledger;

static const PlgStageMemory *
stage_at (const PlgReport *report, int stage)
{
  return &g_array_index (report->stages, PlgStageMemory, stage);
}

static double
sound (double bytes)
{
  return bytes > 0 && isfinite (bytes) ? bytes : 0;
}

static gboolean
is_hidden (const PlgReport *report)
{
  return (report->veil & PLG_VEIL_MEMORY) != 0;
}

static double
part_of (const PlgStageMemory *stage, int kind)
{
  return sound (G_STRUCT_MEMBER (double, stage, kinds[kind].offset));
}

static double
total_of (const PlgStageMemory *stage)
{
  return sound (stage->total);
}

/* The stage that stands for ROW: the fullest. */
static int
stage_of_row (const Ledger *ledger, int row)
{
  int first = row * ledger->stages_per_row, fullest = first;
  int end = MIN (first + ledger->stages_per_row, (int) ledger->report->stages->len);

  for (int stage = first; stage < end; stage++)
    if (total_of (stage_at (ledger->report, stage)) > total_of (stage_at (ledger->report, fullest)))
      fullest = stage;
  return fullest;
}

static char *
row_name (const Ledger *ledger, int row)
{
  int first = row * ledger->stages_per_row;
  int last = MIN (first + ledger->stages_per_row, (int) ledger->report->stages->len) - 1;

  if (first == last)
    return g_strdup_printf (_ ("stage %d"), first);
  return g_strdup_printf (_ ("stages %d–%d"), first, last);
}

/* "59.4": the unit is said once, at the capacity. */
static char *
format_gib (double bytes)
{
  return plg_format_number (bytes / PLG_GIB, 3);
}

static char *
told_gib (const Ledger *ledger, double bytes)
{
  return is_hidden (ledger->report) ? g_strdup ("–") : format_gib (bytes);
}

/* With as many digits as tell it from the capacity. */
static char *
format_total (const Ledger *ledger, double bytes)
{
  return is_hidden (ledger->report)
             ? g_strdup ("–")
             : plg_format_number_beside (bytes / PLG_GIB, ledger->capacity / PLG_GIB, 3);
}

static double
x_of (const Ledger *ledger, double bytes)
{
  return ledger->chart.left + ledger->length * bytes / ledger->bytes;
}

static double
pitch_for (int rows, gboolean embedded)
{
  if (rows <= 16)
    return embedded ? 22 : 27;
  return MAX ((embedded ? 352 : 432) / (double) rows, 3.5);
}

static void
ledger_scale (Ledger *ledger)
{
  PlgChart *chart = &ledger->chart;
  const PlgReport *report = ledger->report;
  double largest = MAX (ledger->capacity, 1), widest = 0, room;

  /* The largest number is not the widest: 45 is followed by 41.2. */
  for (int row = 0; row < ledger->n_rows; row++)
    {
      double total = total_of (stage_at (report, stage_of_row (ledger, row)));
      g_autofree char *text = format_total (ledger, total);

      largest = MAX (largest, total);
      widest = MAX (widest, plg_text_width (text, chart->font_size, TRUE));
    }
  ledger->bytes = largest;
  room = chart->right - chart->left;
  ledger->length = room - MIN (widest + 6, room / 3);
}

static char *
verdict (const PlgReport *report)
{
  g_autofree char *peak = plg_format_memory_beside (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_beside (report->memory_capacity,
                                                        report->memory_peak);
  g_autofree char *over = plg_format_memory (report->memory_peak - report->memory_capacity);

  if (report->fits == PLG_FIT_HIDDEN)
    return g_strdup (plg_veil_is_later (report->veil, PLG_VEIL_MEMORY)
                         ? _ ("shown with a later answer")
                         : _ ("shown with the answer"));
  if (report->fits == PLG_FIT_YES)
    return g_strdup_printf (_ ("fits: %s of %s on stage %d"), peak, capacity,
                            report->memory_peak_stage);
  return g_strdup_printf (_ ("does not fit: %s of %s on stage %d, %s too much"), peak, capacity,
                          report->memory_peak_stage, over);
}

/* The middle of a text of WIDTH in the piece FROM .. TO: the piece's own, or that of its larger
 * part before or after the line of the capacity, which must not cross the text. FALSE where there
 * is no room. */
static gboolean
place_in_piece (const Ledger *ledger, double from, double to, double width, double *middle)
{
  double line = x_of (ledger, ledger->capacity);

  *middle = (from + to) / 2;
  if (line > *middle - width / 2 - 3 && line < *middle + width / 2 + 3)
    {
      if (line - from > to - line)
        to = line;
      else
        from = line;
      *middle = (from + to) / 2;
    }
  return width + 8 <= to - from;
}

/* Bytes inside a piece of a bar, where there is room to read them. */
static void
add_piece_text (Ledger *ledger,
                double x,
                double width,
                double middle,
                double height,
                double bytes,
                PlgColor fill)
{
  double size = ledger->chart.font_size * 0.85, at;
  g_autofree char *text = format_gib (bytes);

  if (ledger->chart.embedded || height < size * 1.3 ||
      !place_in_piece (ledger, x, x + width, plg_text_width (text, size, FALSE), &at))
    return;
  plg_chart_add_text (&ledger->chart, at, middle, PLG_ANCHOR_MIDDLE, size, FALSE,
                      plg_theme_text_on (ledger->chart.theme, fill), text);
}

/* Which kind it is, where colours may look alike. */
static void
hatch_piece (const PlgChart *chart, PlgShape *shape, PlgRole role)
{
  shape->hatch = plg_theme_hatch (chart->theme, role);
  if (shape->hatch != 0)
    shape->hatch_color = plg_theme_hatch_color (chart->theme, shape->fill,
                                                chart->theme->role[PLG_ROLE_TEXT]);
}

static void
add_bar (Ledger *ledger, int stage, double y, double height)
{
  const PlgStageMemory *memory = stage_at (ledger->report, stage);
  double bytes = 0;

  for (int kind = 0; kind < N_KINDS; kind++)
    {
      PlgColor fill = ledger->chart.theme->role[kinds[kind].role];
      double x = x_of (ledger, bytes), width;
      PlgShape *shape;

      bytes += part_of (memory, kind);
      width = x_of (ledger, bytes) - x;
      if (width < 0.05)
        continue;
      /* A hair of the background keeps neighbours apart also without colours. */
      shape = plg_figure_rect (ledger->chart.figure, x, y, width > 3 ? width - 1 : width, height, 0,
                               fill);
      shape->thing = (PlgThing) { PLG_THING_STAGE, 0, stage };
      shape->classes = "memory";
      hatch_piece (&ledger->chart, shape, kinds[kind].role);
      add_piece_text (ledger, x, width, y + height / 2, height, part_of (memory, kind), fill);
    }
}

/* The total stands after its bar, beyond the line of the capacity where it would lie on it. */
static void
add_total (Ledger *ledger, int stage, double middle)
{
  PlgChart *chart = &ledger->chart;
  double bytes = total_of (stage_at (ledger->report, stage));
  double capacity = x_of (ledger, ledger->capacity);
  double x = x_of (ledger, bytes) + 5;
  gboolean fits = bytes <= ledger->capacity;
  g_autofree char *number = format_total (ledger, bytes);
  g_autofree char *text = NULL;

  if (x < capacity + 4 && x + plg_text_width (number, chart->font_size, !fits) > capacity - 3)
    x = capacity + 5;
  text = plg_text_fit (number, chart->right - x, chart->font_size, !fits);
  plg_chart_add_text (chart, x, middle, PLG_ANCHOR_START, chart->font_size, !fits,
                      chart->theme->role[fits ? PLG_ROLE_TEXT : PLG_ROLE_ERROR], text);
}

static void
add_row (Ledger *ledger, int row, gboolean has_text)
{
  PlgChart *chart = &ledger->chart;
  int stage = stage_of_row (ledger, row);
  double height = ledger->pitch > 8 ? ledger->pitch * 0.7 : ledger->pitch * 0.85;
  double middle = chart->y + ledger->pitch / 2;
  double bytes = total_of (stage_at (ledger->report, stage));
  g_autofree char *name = row_name (ledger, row);
  g_autofree char *total = is_hidden (ledger->report)
                               ? g_strdup ("–")
                               : plg_format_memory_beside (bytes, ledger->capacity);
  g_autofree char *capacity = plg_format_memory_beside (ledger->capacity, bytes);

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "stage-%d", stage), "stage",
                   plg_figure_string (chart->figure, _ ("Stage %d: %s of %s"), stage, total,
                                      capacity));
  if (has_text)
    plg_chart_add_name (chart, middle, name);
  add_bar (ledger, stage, middle - height / 2, height);
  if (has_text)
    add_total (ledger, stage, middle);
  plg_figure_close (chart->figure);
  chart->y += ledger->pitch;
}

static void
add_capacity (Ledger *ledger, double top)
{
  PlgChart *chart = &ledger->chart;
  PlgColor color = chart->theme->role[PLG_ROLE_CAPACITY];
  double x = x_of (ledger, ledger->capacity), right;
  g_autofree char *capacity = plg_format_memory_beside (ledger->capacity,
                                                        ledger->report->memory_peak);
  g_autofree char *words = NULL, *text = NULL;
  double width;

  plg_figure_line (chart->figure, x, top - 2, x, chart->y + 3, color, 1.5)->dashed = TRUE;
  words = chart->embedded ? g_strdup (capacity) : g_strdup_printf (_ ("capacity %s"), capacity);
  text = plg_text_fit (words, chart->right - chart->margin, chart->font_size, FALSE);
  width = plg_text_width (text, chart->font_size, FALSE);
  right = CLAMP (x + width / 2, chart->margin + width, chart->right);
  plg_chart_add_text (chart, right, chart->y + 4 + chart->font_size * 0.7, PLG_ANCHOR_END,
                      chart->font_size, FALSE, color, text);
  chart->y += 6 + chart->font_size * 1.5;
}

static void
add_legend (Ledger *ledger)
{
  PlgChart *chart = &ledger->chart;
  PlgLegend legend;

  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y,
                    chart->font_size * 0.95);
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      PlgColor fill = chart->theme->role[kinds[kind].role];
      PlgSwatch swatch = { .fill = fill, .border = fill };
      int hatch = plg_theme_hatch (chart->theme, kinds[kind].role);

      swatch.hatch_color = plg_theme_hatch_color (chart->theme, fill,
                                                  chart->theme->role[PLG_ROLE_TEXT]);
      plg_legend_swatch (&legend, swatch, hatch, (PlgThing) { PLG_THING_NONE, 0, 0 },
                         _ (kinds[kind].title));
    }
  chart->y = plg_legend_end (&legend);
}

static void
fit_names (Ledger *ledger)
{
  g_autofree char *first = row_name (ledger, 0);
  g_autofree char *last = row_name (ledger, ledger->n_rows - 1);
  const char *const names[] = { first, last };

  plg_chart_fit_names (&ledger->chart, names, G_N_ELEMENTS (names));
}

static void
add_rows (Ledger *ledger)
{
  double line = ledger->chart.font_size * 1.25;
  /* Where rows are thinner than text, every so many are named. */
  int step = MAX ((int) ceil (line / ledger->pitch), 1);
  double top = ledger->chart.y;

  fit_names (ledger);
  ledger_scale (ledger);
  for (int row = 0; row < ledger->n_rows; row++)
    add_row (ledger, row, row % step == 0);
  add_capacity (ledger, top);
}

PlgFigure *
plg_memory_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  int stages = report->stages->len;
  Ledger ledger = { .report = report, .capacity = sound (report->memory_capacity) };
  g_autofree char *headline = verdict (report);

  plg_chart_begin (&ledger.chart, theme, options, 640);
  plg_figure_describe (ledger.chart.figure, _ ("Memory per GPU"), headline);
  plg_chart_add_title (&ledger.chart, _ ("Memory per GPU"), headline,
                       is_hidden (report) ? PLG_ROLE_TEXT_DIM
                       : report->fits     ? PLG_ROLE_SUCCESS
                                          : PLG_ROLE_ERROR);
  if (stages > 0)
    {
      ledger.stages_per_row = (stages + MAX_ROWS - 1) / MAX_ROWS;
      ledger.n_rows = (stages + ledger.stages_per_row - 1) / ledger.stages_per_row;
      ledger.pitch = pitch_for (ledger.n_rows, options->embedded);
      add_rows (&ledger);
    }
  if (options->legend)
    add_legend (&ledger);
  return plg_chart_end (&ledger.chart);
}

/* The letters ---------------------------------------------------------------------------------- */

static void
add_letters (PlgLettersTable *table, const Ledger *ledger, int row)
{
  const PlgStageMemory *stage = stage_at (ledger->report, stage_of_row (ledger, row));
  g_autofree char *name = row_name (ledger, row), *total = told_gib (ledger, total_of (stage));

  plg_letters_table_add (table, name);
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      g_autofree char *part = told_gib (ledger, part_of (stage, kind));

      plg_letters_table_add (table, part);
    }
  plg_letters_table_add (table, total);
}

void
plg_textual_add_memory (GString *out,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgPictureOptions *options)
{
  int stages = report->stages->len;
  Ledger ledger = { .report = report };
  g_autoptr (PlgLettersTable) table = plg_letters_table_new (N_KINDS + 2);

  ledger.stages_per_row = MAX ((stages + MAX_ROWS - 1) / MAX_ROWS, 1);
  ledger.n_rows = (stages + ledger.stages_per_row - 1) / ledger.stages_per_row;
  plg_letters_table_add (table, "GiB");
  for (int kind = 0; kind < N_KINDS; kind++)
    plg_letters_table_add (table, _ (kinds[kind].title));
  plg_letters_table_add (table, _ ("In all"));
  for (int row = 0; row < ledger.n_rows; row++)
    add_letters (table, &ledger, row);
  plg_letters_table_write (table, out);
}
