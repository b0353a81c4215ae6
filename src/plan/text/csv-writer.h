/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes a table of cells, with a separator between cells and a line break after each row.
 * Initialize a writer with { .out = g_string_new (NULL), .separator = ',' }.
 *
 * Sources: RFC 4180 for the quotes; OWASP, "CSV Injection", for the apostrophe. */
typedef struct
{
  GString *out;
  char separator;     /* ',' for files, '\t' for the clipboard */
  gboolean is_in_row; /* whether the current row has a cell */
} PlgCsvWriter;

/* Adds a cell with TEXT, in quotes if TEXT has separators, quotes or line breaks. A text that a
 * spreadsheet would take for a formula gets quotes and an apostrophe, unless it is a number. */
void plg_csv_add_text (PlgCsvWriter *csv, const char *text);
/* Adds a cell with the shortest exact number; "NaN", "inf" or "-inf" if VALUE is not finite. */
void plg_csv_add_number (PlgCsvWriter *csv, double value);
/* Adds a cell for each text of the NULL-terminated array TEXTS. */
void plg_csv_add_texts (PlgCsvWriter *csv, const char *const *texts);
void plg_csv_end_row (PlgCsvWriter *csv);
/* Returns the finished table. Free with g_free(). */
char *plg_csv_take (PlgCsvWriter *csv);

G_END_DECLS
