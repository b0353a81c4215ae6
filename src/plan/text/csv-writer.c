/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/text/csv-writer.h"

#include "syntax/number-text.h"

#include <string.h>

/* Returns TRUE if a spreadsheet would calculate TEXT instead of showing it. */
static gboolean
is_formula (const char *text)
{
  char *end;

  if (*text == '\0' || strchr ("=+-@\t\r", *text) == NULL)
    return FALSE;
  g_ascii_strtod (text, &end);
  return end == text || *end != '\0';
}

static void
csv_begin_cell (PlgCsvWriter *csv)
{
  if (csv->is_in_row)
    g_string_append_c (csv->out, csv->separator);
  csv->is_in_row = TRUE;
}

void
plg_csv_add_text (PlgCsvWriter *csv, const char *text)
{
  gboolean is_guarded = is_formula (text);
  g_auto (GStrv) pieces = NULL;
  g_autofree char *doubled = NULL;

  g_return_if_fail (csv->separator != '\0');

  csv_begin_cell (csv);
  if (!is_guarded && strchr (text, csv->separator) == NULL && strpbrk (text, "\"\r\n") == NULL)
    {
      g_string_append (csv->out, text);
      return;
    }
  pieces = g_strsplit (text, "\"", -1);
  doubled = g_strjoinv ("\"\"", pieces);
  g_string_append_printf (csv->out, "\"%s%s\"", is_guarded ? "'" : "", doubled);
}

void
plg_csv_add_number (PlgCsvWriter *csv, double value)
{
  g_autofree char *text = plg_format_exact (value);

  csv_begin_cell (csv);
  g_string_append (csv->out, text);
}

void
plg_csv_add_texts (PlgCsvWriter *csv, const char *const *texts)
{
  for (int i = 0; texts[i] != NULL; i++)
    plg_csv_add_text (csv, texts[i]);
}

void
plg_csv_end_row (PlgCsvWriter *csv)
{
  g_string_append_c (csv->out, '\n');
  csv->is_in_row = FALSE;
}

char *
plg_csv_take (PlgCsvWriter *csv)
{
  return g_string_free (g_steal_pointer (&csv->out), FALSE);
}
