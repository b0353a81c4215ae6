/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/figure/text.h"
#include "drawing/charts/ascii.h"
#include "engine/report/redaction.h"
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
} MemoryFigure;

static const PlgStageMemory *
stage_at (const PlgReport *report, int stage)
{
  return &g_array_index (report->stages, PlgStageMemory, stage);
}

static double
finite_bytes (double bytes)
{
  return bytes > 0 && isfinite (bytes) ? bytes : 0;
}

static gboolean
is_hidden (const PlgReport *report)
{
  return (report->redaction & PLG_REDACT_MEMORY) != 0;
}

static double
part_of (const PlgStageMemory *stage, int kind)
{
  return finite_bytes (G_STRUCT_MEMBER (double, stage, kinds[kind].offset));
}

static double
total_of (const PlgStageMemory *stage)
{
  return finite_bytes (stage->total);
}

/* The stage that stands for ROW: the fullest. */
static int
stage_of_row (const MemoryFigure *self, int row)
{
  int first = row * self->stages_per_row, fullest = first;
  int end = MIN (first + self->stages_per_row, (int) self->report->stages->len);

  for (int stage = first; stage < end; stage++)
    if (total_of (stage_at (self->report, stage)) > total_of (stage_at (self->report, fullest)))
      fullest = stage;
  return fullest;
}

static char *
row_name (const MemoryFigure *self, int row)
{
  int first = row * self->stages_per_row;
  int last = MIN (first + self->stages_per_row, (int) self->report->stages->len) - 1;

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
visible_gib (const MemoryFigure *self, double bytes)
{
  return is_hidden (self->report) ? g_strdup ("–") : format_gib (bytes);
}

/* With as many digits as tell it from the capacity. */
static char *
format_total (const MemoryFigure *self, double bytes)
{
  return is_hidden (self->report)
             ? g_strdup ("–")
             : plg_format_number_distinct (bytes / PLG_GIB, self->capacity / PLG_GIB, 3);
}

static double
x_of (const MemoryFigure *self, double bytes)
{
  return self->chart.left + self->length * bytes / self->bytes;
}

static double
pitch_for (int rows, gboolean embedded)
{
  if (rows <= 16)
    return embedded ? 22 : 27;
  return MAX ((embedded ? 352 : 432) / (double) rows, 3.5);
}

static void
choose_scale (MemoryFigure *self)
{
  PlgChart *chart = &self->chart;
  const PlgReport *report = self->report;
  double largest = MAX (self->capacity, 1), widest = 0, room;

  /* The largest number is not the widest: 45 is followed by 41.2. */
  for (int row = 0; row < self->n_rows; row++)
    {
      double total = total_of (stage_at (report, stage_of_row (self, row)));
      g_autofree char *text = format_total (self, total);

      largest = MAX (largest, total);
      widest = MAX (widest, plg_text_width (text, chart->font_size, TRUE));
    }
  self->bytes = largest;
  room = chart->right - chart->left;
  self->length = room - MIN (widest + 6, room / 3);
}

static char *
verdict (const PlgReport *report)
{
  g_autofree char *peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);
  g_autofree char *over = plg_format_memory (report->memory_peak - report->memory_capacity);

  if (report->fits == PLG_FIT_HIDDEN)
    return g_strdup (plg_redaction_is_later (report->redaction, PLG_REDACT_MEMORY)
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
place_in_piece (const MemoryFigure *self, double from, double to, double width, double *middle)
{
  double line = x_of (self, self->capacity);

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
add_piece_text (MemoryFigure *self,
                double x,
                double width,
                double middle,
                double height,
                double bytes,
                PlgColor fill)
{
  double size = self->chart.font_size * 0.85, at;
  g_autofree char *text = format_gib (bytes);

  if (self->chart.embedded || height < size * 1.3 ||
      !place_in_piece (self, x, x + width, plg_text_width (text, size, FALSE), &at))
    return;
  plg_chart_add_text (&self->chart, at, middle, PLG_ANCHOR_MIDDLE, size, FALSE,
                      plg_theme_text_on (self->chart.theme, fill), text);
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
add_bar (MemoryFigure *self, int stage, double y, double height)
{
  const PlgStageMemory *memory = stage_at (self->report, stage);
  double bytes = 0;

  for (int kind = 0; kind < N_KINDS; kind++)
    {
      PlgColor fill = self->chart.theme->role[kinds[kind].role];
      double x = x_of (self, bytes), width;
      PlgShape *shape;

      bytes += part_of (memory, kind);
      width = x_of (self, bytes) - x;
      if (width < 0.05)
        continue;
      /* A hair of the background keeps neighbours apart also without colours. */
      shape = plg_figure_rect (self->chart.figure, x, y, width > 3 ? width - 1 : width, height, 0,
                               fill);
      shape->entity = (PlgEntity) { PLG_ENTITY_STAGE, 0, stage };
      shape->classes = "memory";
      hatch_piece (&self->chart, shape, kinds[kind].role);
      add_piece_text (self, x, width, y + height / 2, height, part_of (memory, kind), fill);
    }
}

/* The total stands after its bar, beyond the line of the capacity where it would lie on it. */
static void
add_total (MemoryFigure *self, int stage, double middle)
{
  PlgChart *chart = &self->chart;
  double bytes = total_of (stage_at (self->report, stage));
  double capacity = x_of (self, self->capacity);
  double x = x_of (self, bytes) + 5;
  gboolean fits = bytes <= self->capacity;
  g_autofree char *number = format_total (self, bytes);
  g_autofree char *text = NULL;

  if (x < capacity + 4 && x + plg_text_width (number, chart->font_size, !fits) > capacity - 3)
    x = capacity + 5;
  text = plg_text_fit (number, chart->right - x, chart->font_size, !fits);
  plg_chart_add_text (chart, x, middle, PLG_ANCHOR_START, chart->font_size, !fits,
                      chart->theme->role[fits ? PLG_ROLE_TEXT : PLG_ROLE_ERROR], text);
}

static void
add_row (MemoryFigure *self, int row, gboolean has_text)
{
  PlgChart *chart = &self->chart;
  int stage = stage_of_row (self, row);
  double height = self->pitch > 8 ? self->pitch * 0.7 : self->pitch * 0.85;
  double middle = chart->y + self->pitch / 2;
  double bytes = total_of (stage_at (self->report, stage));
  g_autofree char *name = row_name (self, row);
  g_autofree char *total = is_hidden (self->report)
                               ? g_strdup ("–")
                               : plg_format_memory_distinct (bytes, self->capacity);
  g_autofree char *capacity = plg_format_memory_distinct (self->capacity, bytes);

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "stage-%d", stage), "stage",
                   plg_figure_string (chart->figure, _ ("Stage %d: %s of %s"), stage, total,
                                      capacity));
  if (has_text)
    plg_chart_add_name (chart, middle, name);
  add_bar (self, stage, middle - height / 2, height);
  if (has_text)
    add_total (self, stage, middle);
  plg_figure_close (chart->figure);
  chart->y += self->pitch;
}

static void
add_capacity (MemoryFigure *self, double top)
{
  PlgChart *chart = &self->chart;
  PlgColor color = chart->theme->role[PLG_ROLE_CAPACITY];
  double x = x_of (self, self->capacity), right;
  g_autofree char *capacity = plg_format_memory_distinct (self->capacity,
                                                          self->report->memory_peak);
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
add_legend (MemoryFigure *self)
{
  PlgChart *chart = &self->chart;
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
      plg_legend_swatch (&legend, swatch, hatch, (PlgEntity) { PLG_ENTITY_NONE, 0, 0 },
                         _ (kinds[kind].title));
    }
  chart->y = plg_legend_end (&legend);
}

static void
fit_names (MemoryFigure *self)
{
  g_autofree char *first = row_name (self, 0);
  g_autofree char *last = row_name (self, self->n_rows - 1);
  const char *const names[] = { first, last };

  plg_chart_fit_names (&self->chart, names, G_N_ELEMENTS (names));
}

static void
add_rows (MemoryFigure *self)
{
  double line = self->chart.font_size * 1.25;
  /* Where rows are thinner than text, every so many are named. */
  int step = MAX ((int) ceil (line / self->pitch), 1);
  double top = self->chart.y;

  fit_names (self);
  choose_scale (self);
  for (int row = 0; row < self->n_rows; row++)
    add_row (self, row, row % step == 0);
  add_capacity (self, top);
}

PlgFigure *
plg_memory_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  int stages = report->stages->len;
  MemoryFigure self = { .report = report, .capacity = finite_bytes (report->memory_capacity) };
  g_autofree char *headline = verdict (report);

  plg_chart_begin (&self.chart, theme, options, 640);
  plg_figure_describe (self.chart.figure, _ ("Memory per GPU"), headline);
  plg_chart_add_title (&self.chart, _ ("Memory per GPU"), headline,
                       is_hidden (report) ? PLG_ROLE_TEXT_DIM
                       : report->fits     ? PLG_ROLE_SUCCESS
                                          : PLG_ROLE_ERROR);
  if (stages > 0)
    {
      self.stages_per_row = (stages + MAX_ROWS - 1) / MAX_ROWS;
      self.n_rows = (stages + self.stages_per_row - 1) / self.stages_per_row;
      self.pitch = pitch_for (self.n_rows, options->embedded);
      add_rows (&self);
    }
  if (options->legend)
    add_legend (&self);
  return plg_chart_end (&self.chart);
}

/* The letters ---------------------------------------------------------------------------------- */

static void
add_monospace_row (PlgMonospaceTable *table, const MemoryFigure *self, int row)
{
  const PlgStageMemory *stage = stage_at (self->report, stage_of_row (self, row));
  g_autofree char *name = row_name (self, row), *total = visible_gib (self, total_of (stage));

  plg_monospace_table_add (table, name);
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      g_autofree char *part = visible_gib (self, part_of (stage, kind));

      plg_monospace_table_add (table, part);
    }
  plg_monospace_table_add (table, total);
}

void
plg_ascii_add_memory (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options)
{
  int stages = report->stages->len;
  MemoryFigure self = { .report = report };
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (N_KINDS + 2);

  self.stages_per_row = MAX ((stages + MAX_ROWS - 1) / MAX_ROWS, 1);
  self.n_rows = (stages + self.stages_per_row - 1) / self.stages_per_row;
  plg_monospace_table_add (table, "GiB");
  for (int kind = 0; kind < N_KINDS; kind++)
    plg_monospace_table_add (table, _ (kinds[kind].title));
  plg_monospace_table_add (table, _ ("In all"));
  for (int row = 0; row < self.n_rows; row++)
    add_monospace_row (table, &self, row);
  plg_monospace_table_write (table, out);
}
