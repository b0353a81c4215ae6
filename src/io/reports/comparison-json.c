/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/comparison-json.h"

#include "syntax/json-writer.h"

#include <math.h>

static const char *const side_names[] = { "a", "b" };
static const char *const source_names[] = { "a_source", "b_source" };

static void
add_side (PlgJsonWriter *json, const char *name, const PlgComparisonSide *side)
{
  g_autofree char *title = plg_plan_display_title (side->plan);

  plg_json_begin (json, name, '{', FALSE);
  plg_json_add_string (json, "name", side->name);
  plg_json_add_string (json, "title", title);
  plg_json_add_boolean (json, "fits", side->report->fits == PLG_FIT_YES);
  plg_json_end (json, '}');
}

/* Adds the values of A and B: texts for a setting that is not a number, otherwise numbers, or null
 * for a value that a plan does not have. */
static void
add_values (PlgJsonWriter *json, const PlgDifference *difference)
{
  const double *number = difference->number;
  gboolean has_both = isfinite (number[0]) && isfinite (number[1]);
  gboolean is_text = isnan (number[0]) && isnan (number[1]);
  gboolean is_boolean = difference->metric != NULL &&
                        difference->metric->measure == PLG_MEASURE_BOOLEAN;

  for (int side = 0; side < 2; side++)
    if (is_boolean)
      plg_json_add_boolean (json, side_names[side], number[side] != 0);
    else if (isfinite (number[side]))
      plg_json_add_number (json, side_names[side], number[side]);
    else
      plg_json_add_string (json, side_names[side], is_text ? difference->exact[side] : NULL);
  if (!has_both || is_boolean)
    return;
  plg_json_add_number (json, "difference", number[1] - number[0]);
  if (number[0] > 0)
    plg_json_add_number (json, "relative", number[1] / number[0] - 1);
  else
    plg_json_add_string (json, "relative", NULL);
}

static void
add_differences (PlgJsonWriter *json,
                 const char *name,
                 const GArray *differences,
                 gboolean is_figures)
{
  plg_json_begin (json, name, '[', TRUE);
  for (guint i = 0; i < differences->len; i++)
    {
      const PlgDifference *difference = &g_array_index (differences, PlgDifference, i);

      if ((difference->metric != NULL) != is_figures)
        continue;
      plg_json_begin (json, NULL, '{', FALSE);
      plg_json_add_string (json, "key", difference->key);
      plg_json_add_string (json, "unit", difference->unit);
      add_values (json, difference);
      for (int side = 0; side < 2; side++)
        if (difference->is_inherited[side])
          plg_json_add_string (json, source_names[side], "catalogue");
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');
}

char *
plg_comparison_json (const PlgComparisonSide sides[2],
                     const GArray *differences,
                     const GArray *assertions)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };
  gboolean is_same_outcome = TRUE;

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "format", 1);
  for (int side = 0; side < 2; side++)
    add_side (&json, side_names[side], &sides[side]);
  add_differences (&json, "settings", differences, FALSE);
  add_differences (&json, "figures", differences, TRUE);
  plg_json_begin (&json, "assertions", '[', TRUE);
  for (guint i = 0; i < assertions->len; i++)
    {
      const PlgAssertion *assertion = &g_array_index (assertions, PlgAssertion, i);
      gboolean holds[] = { plg_assertion_holds (assertion, sides[0].report),
                           plg_assertion_holds (assertion, sides[1].report) };

      plg_json_begin (&json, NULL, '{', FALSE);
      plg_json_add_string (&json, "assertion", assertion->text);
      for (int side = 0; side < 2; side++)
        plg_json_add_boolean (&json, side_names[side], holds[side]);
      plg_json_end (&json, '}');
      is_same_outcome &= holds[0] == holds[1];
    }
  plg_json_end (&json, ']');
  plg_json_add_boolean (&json, "same_outcome", is_same_outcome);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
