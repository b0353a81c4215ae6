/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/runs/run-table.h"

#include "io/plg-io-resources.h"
#include "plan/text/csv-reader.h"

#include <string.h>

#define RESOURCES "/org/parallelogram/Parallelogram/runs/"
#define MAX_COLUMNS 100

void
plg_run_table_init (PlgRunTable *self, const char *file)
{
  g_autofree char *path = g_strconcat (RESOURCES, file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resource_lookup_data (plg_io_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  g_auto (GStrv) lines = NULL;

  if (bytes == NULL)
    g_error ("%s: %s", file, error->message);
  lines = g_strsplit (g_bytes_get_data (bytes, NULL), "\n", -1);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (int i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      GPtrArray *cells = plg_csv_split (lines[i], ',', MAX_COLUMNS);

      if (cells == NULL)
        g_error ("%s:%d: a quotation mark is not closed", file, i + 1);
      g_ptr_array_add (self->rows, cells);
      if (cells->len != ((GPtrArray *) self->rows->pdata[0])->len)
        g_error ("%s:%d: the number of columns differs from the first line", file, i + 1);
    }
}

void
plg_run_table_clear (PlgRunTable *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
}

const char *
plg_run_table_cell (const PlgRunTable *self, int row, const char *column)
{
  const GPtrArray *head = self->rows->pdata[0], *cells = self->rows->pdata[row];

  for (guint i = 0; i < head->len; i++)
    if (strcmp (head->pdata[i], column) == 0)
      return cells->pdata[i];
  return NULL;
}
