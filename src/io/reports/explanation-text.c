/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/explanation-text.h"

#include "engine/report/explanation.h"

#include <glib/gi18n-lib.h>

static void
append_explanation (GString *text, const PlgExplanation *explanation)
{
  g_autofree char *source = g_strdup_printf (_ ("Source: %s"), explanation->source);

  g_string_append_printf (text, "%s%s: %s\n", text->len > 0 ? "\n" : "", explanation->title,
                          explanation->result);
  g_string_append_printf (text, "  %s\n  = %s\n", explanation->symbols, explanation->numbers);
  if (explanation->note != NULL)
    g_string_append_printf (text, "  %s\n", explanation->note);
  g_string_append_printf (text, "  %s\n", source);
}

char *
plg_explanation_text (const PlgPlan *plan, const PlgReport *report, const char *panel)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) list = plg_explain (plan, report, panel);

  for (guint i = 0; i < list->len; i++)
    append_explanation (text, &g_array_index (list, PlgExplanation, i));
  return g_string_free (text, FALSE);
}
