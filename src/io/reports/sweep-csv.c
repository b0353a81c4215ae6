/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/sweep-csv.h"

#include "syntax/number-text.h"

#include <math.h>
#include <string.h>

static const char *const state_names[] = {
  [PLG_SWEEP_FITS] = "fits",
  [PLG_SWEEP_TOO_LARGE] = "too-large",
  [PLG_SWEEP_IMPOSSIBLE] = "impossible",
};

/* The names of the rows of a sweep of scaling. */
static const char *const scaling_names[] = { "weak", "strong" };

/* Returns the unit at the end of a column's name. */
static const char *
measure_suffix (PlgMeasure measure)
{
  return measure == PLG_MEASURE_BYTES || measure == PLG_MEASURE_VOLUME ? "_bytes"
         : measure == PLG_MEASURE_SECONDS                              ? "_s"
                                                                       : "";
}

/* Adds a cell with TEXT, in quotes if it contains commas, quotes or line breaks. A text that a
 * spreadsheet would take for a formula gets an apostrophe. */
static void
add_text (GString *csv, const char *text)
{
  gboolean is_number = g_ascii_isdigit (text[*text == '-' ? 1 : 0]);
  gboolean is_formula = *text != '\0' && strchr ("=+-@\t\r", *text) != NULL && !is_number;
  g_auto (GStrv) parts = NULL;
  g_autofree char *doubled = NULL;

  if (csv->len > 0 && csv->str[csv->len - 1] != '\n')
    g_string_append_c (csv, ',');
  if (!is_formula && strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  parts = g_strsplit (text, "\"", -1);
  doubled = g_strjoinv ("\"\"", parts);
  g_string_append_printf (csv, "\"%s%s\"", is_formula ? "'" : "", doubled);
}

/* Adds a cell with VALUE, or an empty cell for NaN. */
static void
add_number (GString *csv, double value)
{
  g_autofree char *text = isnan (value) ? g_strdup ("") : plg_format_exact (value);

  add_text (csv, text);
}

char *
plg_sweep_csv (const PlgSweep *sweep)
{
  GString *csv = g_string_new (NULL);
  gboolean is_scaling = sweep->kind == PLG_SWEEP_OF_SCALING;
  g_autofree char *metric = g_strconcat (sweep->metric->name,
                                         measure_suffix (sweep->metric->measure), NULL);

  add_text (csv, sweep->x.setting->key);
  if (is_scaling)
    add_text (csv, "scaling");
  else if (sweep->y.setting != NULL)
    add_text (csv, sweep->y.setting->key);
  add_text (csv, metric);
  g_string_append (csv, ",peak_memory_bytes,state,reason\n");
  for (int row = 0; row < sweep->rows; row++)
    for (int column = 0; column < sweep->columns; column++)
      {
        const PlgSweepPoint *point = plg_sweep_point (sweep, column, row);

        add_text (csv, g_ptr_array_index (sweep->x.values, column));
        if (is_scaling)
          add_text (csv, scaling_names[row]);
        else if (sweep->y.setting != NULL)
          add_text (csv, g_ptr_array_index (sweep->y.values, row));
        add_number (csv, point->value);
        add_number (csv, point->memory);
        add_text (csv, state_names[point->state]);
        add_text (csv, point->reason != NULL ? point->reason : "");
        g_string_append_c (csv, '\n');
      }
  return g_string_free (csv, FALSE);
}
