/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/sweep-csv.h"

#include "plan/text/csv-writer.h"

#include <math.h>

static const char *const state_names[] = {
  [PLG_SWEEP_FITS] = "fits",
  [PLG_SWEEP_TOO_LARGE] = "too-large",
  [PLG_SWEEP_IMPOSSIBLE] = "impossible",
};

/* The names of the rows of a sweep of scaling. */
static const char *const scaling_names[] = { "weak", "strong" };

/* Returns the title of the column of METRIC: its name and its SI unit, such as "step-time_s". */
static char *
metric_title (const PlgMetric *metric)
{
  const char *unit = plg_measure_unit (metric->measure);
  g_autofree char *lower = unit != NULL ? g_ascii_strdown (unit, -1) : NULL;

  return lower != NULL ? g_strjoin ("_", metric->name, lower, NULL) : g_strdup (metric->name);
}

/* Adds a cell with VALUE, or an empty cell for NaN. */
static void
add_number (PlgCsvWriter *csv, double value)
{
  if (isnan (value))
    plg_csv_add_text (csv, "");
  else
    plg_csv_add_number (csv, value);
}

char *
plg_sweep_csv (const PlgSweep *sweep)
{
  PlgCsvWriter writer = { .out = g_string_new (NULL), .separator = ',' }, *csv = &writer;
  gboolean is_scaling = sweep->kind == PLG_SWEEP_OF_SCALING;
  g_autofree char *metric = metric_title (sweep->metric);

  plg_csv_add_text (csv, sweep->x.setting->key);
  if (is_scaling)
    plg_csv_add_text (csv, "scaling");
  else if (sweep->y.setting != NULL)
    plg_csv_add_text (csv, sweep->y.setting->key);
  plg_csv_add_text (csv, metric);
  plg_csv_add_texts (csv, (const char *const[]) { "peak_memory_bytes", "state", "reason", NULL });
  plg_csv_end_row (csv);
  for (int row = 0; row < sweep->rows; row++)
    for (int column = 0; column < sweep->columns; column++)
      {
        const PlgSweepPoint *point = plg_sweep_point (sweep, column, row);

        plg_csv_add_text (csv, g_ptr_array_index (sweep->x.values, column));
        if (is_scaling)
          plg_csv_add_text (csv, scaling_names[row]);
        else if (sweep->y.setting != NULL)
          plg_csv_add_text (csv, g_ptr_array_index (sweep->y.values, row));
        add_number (csv, point->value);
        add_number (csv, point->memory);
        plg_csv_add_text (csv, state_names[point->state]);
        plg_csv_add_text (csv, point->reason != NULL ? point->reason : "");
        plg_csv_end_row (csv);
      }
  return plg_csv_take (csv);
}
