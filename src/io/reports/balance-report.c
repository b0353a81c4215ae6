/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/balance-report.h"

#include "plan/quantity.h"
#include "syntax/json-writer.h"

#include <glib/gi18n-lib.h>

gboolean
plg_balance_helps (const PlgReport *before, const PlgReport *after)
{
  return before->fits ? after->fits && after->step.time < before->step.time : after->fits;
}

char *
plg_balance_sentence (const PlgBalance *balance, const PlgReport *before, const PlgReport *after)
{
  g_autofree char *stage_before = plg_format_time_distinct (balance->before, balance->after);
  g_autofree char *stage_after = plg_format_time_distinct (balance->after, balance->before);
  g_autofree char *step_before = plg_format_time_distinct (before->step.time, after->step.time);
  g_autofree char *step_after = plg_format_time_distinct (after->step.time, before->step.time);

  if (before->fits && balance->after >= balance->before * (1.0 - 1e-6))
    return g_strdup (_ ("The layers are balanced already."));
  if (!plg_balance_helps (before, after))
    return g_strdup (
        _ ("The layers stay as they are: the layout that was found does not shorten the "
           "step."));
  if (!before->fits)
    return g_strdup_printf (_ ("With this layout every stage fits in memory. The step takes %s."),
                            step_after);
  return g_strdup_printf (
      _ ("The longest stage takes %s instead of %s, and the step %s instead of %s."), stage_after,
      stage_before, step_after, step_before);
}

static void
append_times (GString *text, const char *label, double before, double after)
{
  g_autofree char *from = plg_format_time_distinct (before, after);
  g_autofree char *to = plg_format_time_distinct (after, before);

  g_string_append_printf (text, "%s: %s → %s\n", label, from, to);
}

char *
plg_balance_text (const PlgStageLayout *layout,
                  const PlgBalance *balance,
                  const PlgReport *before,
                  const PlgReport *after)
{
  g_autofree char *letters = plg_stage_layout_to_string (layout);
  g_autofree char *sentence = plg_balance_sentence (balance, before, after);
  g_autofree char *from = plg_format_memory_distinct (before->memory_peak, after->memory_peak);
  g_autofree char *to = plg_format_memory_distinct (after->memory_peak, before->memory_peak);
  GString *text = g_string_new (NULL);

  append_times (text, _ ("Longest stage, per micro-batch"), balance->before, balance->after);
  append_times (text, _ ("Step time"), before->step.time, after->step.time);
  g_string_append_printf (text, "%s: %s → %s\n", _ ("Memory of the fullest GPU"), from, to);
  g_string_append_printf (text, "%s: %s\n", _ ("Layers of each stage"), letters);
  g_string_append_printf (text, "%s\n", sentence);
  return g_string_free (text, FALSE);
}

char *
plg_balance_json (const PlgStageLayout *layout,
                  const PlgBalance *balance,
                  const PlgReport *before,
                  const PlgReport *after)
{
  g_autofree char *letters = plg_stage_layout_to_string (layout);
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "format", 1);
  plg_json_add_string (&json, "layout", letters);
  plg_json_add_number (&json, "longest_stage_before", balance->before);
  plg_json_add_number (&json, "longest_stage", balance->after);
  plg_json_add_number (&json, "time_before", before->step.time);
  plg_json_add_number (&json, "time", after->step.time);
  plg_json_add_number (&json, "memory_before", before->memory_peak);
  plg_json_add_number (&json, "memory", after->memory_peak);
  plg_json_add_boolean (&json, "fits_before", before->fits);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
