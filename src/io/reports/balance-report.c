/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/balance-report.h"

#include "plan/quantity.h"
#include "syntax/json-writer.h"

#include <glib/gi18n-lib.h>

/* Returns a sentence that says what the layout saves, or that it saves nothing. Free with
 * g_free(). */
static char *
describe_outcome (const PlgBalanceResult *result)
{
  double before = result->before->step.time, after = result->after->step.time;
  const PlgBalance *longest = &result->longest;
  g_autofree char *stage_before = plg_format_time_distinct (longest->before, longest->after);
  g_autofree char *stage_after = plg_format_time_distinct (longest->after, longest->before);
  g_autofree char *step_before = plg_format_time_distinct (before, after);
  g_autofree char *step_after = plg_format_time_distinct (after, before);

  switch (result->outcome)
    {
    case PLG_BALANCE_EVEN:
      return g_strdup (_ ("The layers are balanced already."));
    case PLG_BALANCE_NOT_SHORTER:
      return g_strdup (
          _ ("The layers stay as they are: the layout that was found does not shorten the "
             "step."));
    case PLG_BALANCE_FITS:
      return g_strdup_printf (_ ("With this layout every stage fits in memory. The step takes %s."),
                              step_after);
    case PLG_BALANCE_SHORTER:
    default:
      return g_strdup_printf (
          _ ("The longest stage takes %s instead of %s, and the step %s instead of %s."),
          stage_after, stage_before, step_after, step_before);
    }
}

static void
append_times (GString *text, const char *label, double before, double after)
{
  g_autofree char *from = plg_format_time_distinct (before, after);
  g_autofree char *to = plg_format_time_distinct (after, before);

  g_string_append_printf (text, "%s: %s → %s\n", label, from, to);
}

char *
plg_balance_text (const PlgBalanceResult *result)
{
  const PlgReport *before = result->before, *after = result->after;
  g_autofree char *letters = plg_stage_layout_to_string (&result->layout);
  g_autofree char *sentence = describe_outcome (result);
  g_autofree char *from = plg_format_memory_distinct (before->memory_peak, after->memory_peak);
  g_autofree char *to = plg_format_memory_distinct (after->memory_peak, before->memory_peak);
  GString *text = g_string_new (NULL);

  append_times (text, _ ("Longest stage, per micro-batch"), result->longest.before,
                result->longest.after);
  append_times (text, _ ("Step time"), before->step.time, after->step.time);
  g_string_append_printf (text, "%s: %s → %s\n", _ ("Memory of the fullest GPU"), from, to);
  g_string_append_printf (text, "%s: %s\n", _ ("Layers of each stage"), letters);
  g_string_append_printf (text, "%s\n", sentence);
  return g_string_free (text, FALSE);
}

char *
plg_balance_json (const PlgBalanceResult *result)
{
  g_autofree char *letters = plg_stage_layout_to_string (&result->layout);
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "format", 1);
  plg_json_add_string (&json, "layout", letters);
  plg_json_add_number (&json, "longest_stage_before", result->longest.before);
  plg_json_add_number (&json, "longest_stage", result->longest.after);
  plg_json_add_number (&json, "time_before", result->before->step.time);
  plg_json_add_number (&json, "time", result->after->step.time);
  plg_json_add_number (&json, "memory_before", result->before->memory_peak);
  plg_json_add_number (&json, "memory", result->after->memory_peak);
  plg_json_add_boolean (&json, "fits_before", result->before->fits);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
