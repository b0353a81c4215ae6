/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/figure/text.h"
#include "drawing/charts/ascii.h"
#include "drawing/charts/stage-name.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The maximum number of rows. If there are more stages, neighbouring stages share a row that
 * shows the stage with the highest memory use among them. */
#define MAX_ROWS 128
#define N_KINDS 6
/* The largest share of the width for names with layers. */
#define NAMES_SHARE 0.36

/* The components of memory use, in the order in which a bar shows them from left to right. */
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

typedef struct
{
  PlgChart chart;
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgReport *same_scale; /* a second report that the scale must cover, or NULL */
  PlgStageNameForm name_form;
  int stages_per_row;
  int n_rows;
  double pitch; /* distance between rows */
  double capacity;
  double bytes;  /* value at the right end of the scale [bytes] */
  double length; /* length of a bar that represents BYTES */
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

/* Returns the stage that ROW shows: the one with the highest memory use among the stages that
 * share ROW. */
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
    return plg_stage_name (self->plan, first, self->name_form);
  return g_strdup_printf (_ ("stages %d–%d"), first, last);
}

/* Returns BYTES in GiB without the unit, for example "59.4", because only the capacity is
 * written with its unit. */
static char *
format_gib (double bytes)
{
  return plg_format_number (bytes / PLG_GIB, 3);
}

static char *
visible_gib (const MemoryFigure *self, double bytes)
{
  return plg_report_hides (self->report, PLG_REDACT_MEMORY) ? g_strdup ("–") : format_gib (bytes);
}

/* Formats BYTES in GiB with enough digits to distinguish it from the capacity. Returns "–" while
 * a lesson hides the memory use. */
static char *
format_total (const MemoryFigure *self, double bytes)
{
  return plg_report_hides (self->report, PLG_REDACT_MEMORY)
             ? g_strdup ("–")
             : plg_format_number_distinct (bytes / PLG_GIB, self->capacity / PLG_GIB, 3);
}

static double
x_of (const MemoryFigure *self, double bytes)
{
  return self->chart.left + self->length * bytes / self->bytes;
}

/* Finds the centre of a label that is WIDTH wide and belongs in the section FROM .. TO of a bar.
 * If the capacity line would cross the label, moves the label to the wider side of the line.
 * Returns FALSE if the label does not fit. */
static gboolean
place_in_part (const MemoryFigure *self, double from, double to, double width, double *middle)
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

static void
add_row (MemoryFigure *self, int row, gboolean has_text)
{
  PlgChart *chart = &self->chart;
  int stage = stage_of_row (self, row);
  double height = self->pitch > 8 ? self->pitch * 0.7 : self->pitch * 0.85;
  double middle = chart->y + self->pitch / 2, y = middle - height / 2;
  const PlgStageMemory *memory = stage_at (self->report, stage);
  double bytes = total_of (memory), begin = 0, size = chart->font_size * 0.85;
  g_autofree char *name = row_name (self, row);
  g_autofree char *total = plg_report_hides (self->report, PLG_REDACT_MEMORY)
                               ? g_strdup ("–")
                               : plg_format_memory_distinct (bytes, self->capacity);
  g_autofree char *capacity = plg_format_memory_distinct (self->capacity, bytes);

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "stage-%d", stage), "stage",
                   plg_figure_string (chart->figure, _ ("Stage %d: %s of %s"), stage, total,
                                      capacity));
  if (has_text)
    plg_chart_add_name (chart, middle, name);
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      PlgColor fill = chart->theme->role[kinds[kind].role];
      double x = x_of (self, begin), width, text_middle;
      g_autofree char *text = format_gib (part_of (memory, kind));
      PlgShape *shape;

      begin += part_of (memory, kind);
      width = x_of (self, begin) - x;
      if (width < 0.05)
        continue;
      /* Leave a gap of one point between the sections of a bar, so that they are distinct even
       * without colours. */
      shape = plg_figure_rect (chart->figure, x, y, width > 3 ? width - 1 : width, height, 0, fill);
      shape->entity = (PlgEntity) { PLG_ENTITY_STAGE, 0, stage };
      shape->classes = "memory";
      shape->hatch = plg_theme_hatch (chart->theme, kinds[kind].role);
      if (shape->hatch != 0)
        shape->hatch_color = plg_theme_hatch_color (chart->theme, fill,
                                                    chart->theme->role[PLG_ROLE_TEXT]);
      if (!chart->embedded && height >= size * 1.3 &&
          place_in_part (self, x, x + width, plg_text_width (text, size, FALSE), &text_middle))
        plg_chart_add_text (chart, text_middle, y + height / 2, PLG_ANCHOR_MIDDLE, size, FALSE,
                            plg_theme_text_on (chart->theme, fill), text);
    }

  if (has_text)
    {
      /* Place the total to the right of its bar or, if the capacity line would cross the total
       * there, to the right of this line. */
      double line = x_of (self, self->capacity), x = x_of (self, bytes) + 5;
      gboolean fits = bytes <= self->capacity;
      g_autofree char *number = format_total (self, bytes);
      g_autofree char *text = NULL;

      if (x < line + 4 && x + plg_text_width (number, chart->font_size, !fits) > line - 3)
        x = line + 5;
      text = plg_text_fit (number, chart->right - x, chart->font_size, !fits);
      plg_chart_add_text (chart, x, middle, PLG_ANCHOR_START, chart->font_size, !fits,
                          chart->theme->role[fits ? PLG_ROLE_TEXT : PLG_ROLE_ERROR], text);
    }
  plg_figure_close (chart->figure);
  chart->y += self->pitch;
}

static void
add_rows (MemoryFigure *self, int stages)
{
  PlgChart *chart = &self->chart;
  PlgColor color = chart->theme->role[PLG_ROLE_CAPACITY];
  double top = chart->y, widest = 0, room, x, right, width;
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *words = NULL, *text = NULL;
  g_autofree char *capacity = plg_format_memory_distinct (self->capacity,
                                                          self->report->memory_peak);
  int step;

  self->stages_per_row = (stages + MAX_ROWS - 1) / MAX_ROWS;
  self->n_rows = (stages + self->stages_per_row - 1) / self->stages_per_row;
  if (self->n_rows <= 16)
    self->pitch = chart->embedded ? 22 : 27;
  else
    self->pitch = MAX ((chart->embedded ? 352 : 432) / (double) self->n_rows, 3.5);

  /* Divide the width between the names, the bars and the totals. */
  names = g_ptr_array_new_with_free_func (g_free);
  if (self->stages_per_row > 1)
    self->name_form = PLG_STAGE_NAME_NUMBER;
  for (int row = 0; row < self->n_rows; row++)
    g_ptr_array_add (names, row_name (self, row));
  if (self->same_scale != NULL)
    g_ptr_array_add (names,
                     g_strdup_printf (_ ("stage %d"), (int) self->same_scale->stages->len - 1));
  plg_chart_fit_names (chart, (const char *const *) names->pdata, names->len);
  self->bytes = MAX (self->capacity, 1);
  /* Measure all totals, because the largest number is not always the widest: "41.2" is wider
   * than "45". */
  for (int row = 0; row < self->n_rows; row++)
    {
      double total = total_of (stage_at (self->report, stage_of_row (self, row)));
      g_autofree char *number = format_total (self, total);

      self->bytes = MAX (self->bytes, total);
      widest = MAX (widest, plg_text_width (number, chart->font_size, TRUE));
    }
  /* If two reports are compared, the scale and the room for the totals must suit both. */
  for (guint i = 0; self->same_scale != NULL && i < self->same_scale->stages->len; i++)
    {
      double total = total_of (stage_at (self->same_scale, (int) i));
      double capacity_of_other = finite_bytes (self->same_scale->memory_capacity);
      g_autofree char *number = plg_format_number_distinct (total / PLG_GIB,
                                                            capacity_of_other / PLG_GIB, 3);

      self->bytes = MAX (self->bytes, MAX (total, capacity_of_other));
      widest = MAX (widest, plg_text_width (number, chart->font_size, TRUE));
    }
  room = chart->right - chart->left;
  self->length = room - MIN (widest + 6, room / 3);

  /* If the rows are shorter than a line of text, show the name of only every STEP-th row. */
  step = MAX ((int) ceil (chart->font_size * 1.25 / self->pitch), 1);
  for (int row = 0; row < self->n_rows; row++)
    add_row (self, row, row % step == 0);

  x = x_of (self, self->capacity);
  plg_figure_line (chart->figure, x, top - 2, x, chart->y + 3, color, 1.5)->dashed = TRUE;
  words = chart->embedded ? g_strdup (capacity) : g_strdup_printf (_ ("capacity %s"), capacity);
  text = plg_text_fit (words, chart->right - chart->margin, chart->font_size, FALSE);
  width = plg_text_width (text, chart->font_size, FALSE);
  right = CLAMP (x + width / 2, chart->margin + width, chart->right);
  plg_chart_add_text (chart, right, chart->y + 4 + chart->font_size * 0.7, PLG_ANCHOR_END,
                      chart->font_size, FALSE, color, text);
  chart->y += 6 + chart->font_size * 1.5;
}

PlgFigure *
plg_memory_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  int stages = report->stages->len;
  MemoryFigure self = { .plan = plan,
                        .report = report,
                        .same_scale = options->same_scale,
                        .capacity = finite_bytes (report->memory_capacity) };
  PlgChart *chart = &self.chart;
  g_autofree char *headline = NULL;
  g_autofree char *peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);
  g_autofree char *over = plg_format_memory (report->memory_peak - report->memory_capacity);

  if (report->fits == PLG_FIT_HIDDEN)
    headline = g_strdup (plg_redaction_is_later (report->redaction, PLG_REDACT_MEMORY)
                             ? _ ("shown after a later question")
                             : _ ("shown after you answer"));
  else if (report->fits == PLG_FIT_YES)
    headline = g_strdup_printf (_ ("fits: %s of %s on stage %d"), peak, capacity,
                                report->memory_peak_stage);
  else
    headline = g_strdup_printf (_ ("does not fit: %s of %s on stage %d, %s too much"), peak,
                                capacity, report->memory_peak_stage, over);

  plg_chart_begin (chart, theme, options, 640);
  self.name_form = plg_stage_name_form (plan, options, (chart->right - chart->left) * NAMES_SHARE,
                                        chart->font_size);
  plg_figure_describe (chart->figure, _ ("Memory per GPU"), headline);
  plg_chart_add_title (chart, _ ("Memory per GPU"), headline,
                       plg_report_hides (report, PLG_REDACT_MEMORY) ? PLG_ROLE_TEXT_DIM
                       : report->fits                               ? PLG_ROLE_SUCCESS
                                                                    : PLG_ROLE_ERROR);
  if (stages > 0)
    add_rows (&self, stages);
  if (options->legend)
    {
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
  return plg_chart_end (chart);
}

/* Monospace text ------------------------------------------------------------------------------- */

void
plg_ascii_add_memory (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options)
{
  int stages = report->stages->len;
  MemoryFigure self = { .plan = plan, .report = report };
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (N_KINDS + 2);

  self.stages_per_row = MAX ((stages + MAX_ROWS - 1) / MAX_ROWS, 1);
  self.n_rows = (stages + self.stages_per_row - 1) / self.stages_per_row;
  plg_monospace_table_add (table, "GiB");
  for (int kind = 0; kind < N_KINDS; kind++)
    plg_monospace_table_add (table, _ (kinds[kind].title));
  plg_monospace_table_add (table, _ ("In all"));
  for (int row = 0; row < self.n_rows; row++)
    {
      const PlgStageMemory *stage = stage_at (self.report, stage_of_row (&self, row));
      g_autofree char *name = row_name (&self, row), *total = visible_gib (&self, total_of (stage));

      plg_monospace_table_add (table, name);
      for (int kind = 0; kind < N_KINDS; kind++)
        {
          plg_monospace_table_take (table, visible_gib (&self, part_of (stage, kind)));
        }
      plg_monospace_table_add (table, total);
    }
  plg_monospace_table_write (table, out);
}
