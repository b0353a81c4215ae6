/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/explanation-text.h"

#include "engine/report/explanation.h"
#include "io/reports/constant-sources.h"

#include <glib/gi18n-lib.h>

char *
plg_explanation_text (const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgCatalogue *catalogue,
                      const char *panel)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) list = plg_explain (plan, report, panel);
  g_auto (PlgConstantSources) sources = { 0 };

  plg_constant_sources_init (&sources, plan, catalogue);
  for (guint i = 0; i < list->len; i++)
    {
      const PlgExplanation *explanation = &g_array_index (list, PlgExplanation, i);
      g_autofree char *source = g_strdup_printf (_ ("Source: %s"), explanation->source);
      g_autofree char *constants = plg_constant_sources_describe (&sources, explanation->uses);
      g_autofree char *engine = plg_constant_sources_describe_engine (plan,
                                                                      &explanation->constants);

      g_string_append_printf (text, "%s%s: %s\n", text->len > 0 ? "\n" : "", explanation->title,
                              explanation->result);
      g_string_append_printf (text, "  %s\n  = %s\n", explanation->symbols, explanation->numbers);
      if (explanation->note != NULL)
        g_string_append_printf (text, "  %s\n", explanation->note);
      g_string_append_printf (text, "  %s\n", source);
      if (constants != NULL)
        g_string_append_printf (text, _ ("  Constants: %s\n"), constants);
      if (engine != NULL)
        {
          g_auto (GStrv) lines = g_strsplit (engine, "\n", -1);
          g_autofree char *indented = g_strjoinv ("\n    ", lines);

          g_string_append_printf (text, _ ("  Constants of the engine:\n    %s\n"), indented);
        }
    }
  return g_string_free (text, FALSE);
}
