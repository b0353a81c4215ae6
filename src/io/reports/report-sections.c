/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/report-sections.h"

/* The names in the order of the bits. */
#define NAMES "step, band, memory, run, placement, communication, findings"

gboolean
plg_report_sections_read (const char *names, guint *sections)
{
  g_auto (GStrv) all = g_strsplit (NAMES, ", ", -1);
  g_auto (GStrv) chosen = g_strsplit (names, ",", -1);

  *sections = 0;
  for (int i = 0; chosen[i] != NULL; i++)
    {
      guint bit = 0;

      for (int j = 0; all[j] != NULL; j++)
        if (g_str_equal (g_strstrip (chosen[i]), all[j]))
          bit = 1u << j;
      if (bit == 0)
        return FALSE;
      *sections |= bit;
    }
  if ((*sections & PLG_REPORT_BAND) != 0)
    *sections |= PLG_REPORT_STEP;
  return *sections != 0;
}

const char *
plg_report_sections_names (void)
{
  return NAMES;
}
