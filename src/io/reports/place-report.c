/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/place-report.h"

#include "plan/quantity.h"
#include "syntax/json-writer.h"

#include <glib/gi18n-lib.h>

static char *
describe_move (const PlgPlan *plan, const PlgPlaceMove *move)
{
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (!move->is_node)
    return g_strdup_printf (_ ("GPU %d ↔ GPU %d"), move->a, move->b);
  a = plg_plan_node_title (plan, move->a);
  b = plg_plan_node_title (plan, move->b);
  return g_strdup_printf ("%s ↔ %s", a, b);
}

char *
plg_place_describe_moves (const PlgPlan *plan, const PlgPlaceResult *result, guint most)
{
  g_autoptr (GArray) moves = plg_place_moves (plan, &result->placement);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (moves->len, most); i++)
    {
      g_autofree char *move = describe_move (plan, &g_array_index (moves, PlgPlaceMove, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", move);
    }
  if (moves->len > most)
    g_string_append_printf (
        text,
        /* Translators: follows a list such as "node 0 ↔ node 6, node 1 ↔ node 7". */
        ngettext (" and %u more exchange", " and %u more exchanges", moves->len - most),
        moves->len - most);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
plg_place_describe_gap (const PlgPlaceResult *result)
{
  if (!result->is_complete)
    return g_strdup (_ ("The search was cancelled; this is the best placement so far."));
  if (result->is_optimal)
    return g_strdup (_ ("No other assignment is faster than this one."));
  return g_strdup_printf (_ ("Another assignment of the nodes could be at most %.2g %% faster."),
                          100.0 * plg_place_result_gap (result));
}

/* Appends SECONDS with enough digits to differ visibly from OTHER. */
static void
append_time (GString *text, const char *label, double seconds, double other)
{
  g_autofree char *time = plg_format_time_distinct (seconds, other);

  g_string_append_printf (text, "%s: %s\n", label, time);
}

/* Appends what the exchanges save, if there are any. */
static void
append_saving (GString *text, const PlgPlaceResult *result)
{
  double saving = result->time_before - result->time;
  g_autofree char *time = plg_format_time (saving);
  g_autofree char *share = plg_format_share (saving / result->time_before);

  if (saving > 0.0)
    g_string_append_printf (text, _ ("Saves %s per step (%s).\n"), time, share);
  else
    g_string_append_printf (text, "%s\n",
                            _ ("Saves no time, but the ranks follow the nesting order again."));
}

char *
plg_place_text (const PlgPlan *plan, const PlgPlaceResult *result)
{
  g_autoptr (GArray) moves = plg_place_moves (plan, &result->placement);
  g_autofree char *gap = plg_place_describe_gap (result);
  g_autofree char *evaluations = plg_format_count (result->evaluations);
  GString *text = g_string_new (NULL);

  append_time (text, _ ("Step time now"), result->time_before, result->time);
  append_time (text, _ ("Step time found"), result->time, result->time_before);
  append_time (text, _ ("Lower bound"), result->bound,
               result->bound < result->time ? result->time : result->time_before);
  append_time (text, _ ("Without faults, with uplinks of full bandwidth"), result->ideal_time,
               result->time);
  if (moves->len > 0)
    append_saving (text, result);
  g_string_append_printf (text, "%s\n", gap);
  g_string_append_printf (text, _ ("Evaluated placements: %s\n"), evaluations);
  if (moves->len == 0)
    g_string_append_printf (text, "%s\n", _ ("The placement stays as it is."));
  else
    g_string_append_printf (text, "%s\n", _ ("Exchange the ranks of these parts, in this order:"));
  for (guint i = 0; i < moves->len; i++)
    {
      g_autofree char *move = describe_move (plan, &g_array_index (moves, PlgPlaceMove, i));

      g_string_append_printf (text, "  %s\n", move);
    }
  return g_string_free (text, FALSE);
}

char *
plg_place_json (const PlgPlan *plan, const PlgPlaceResult *result)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };
  g_autoptr (GArray) moves = plg_place_moves (plan, &result->placement);

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "format", 1);
  plg_json_add_number (&json, "time_before", result->time_before);
  plg_json_add_number (&json, "time", result->time);
  plg_json_add_number (&json, "bound", result->bound);
  plg_json_add_number (&json, "ideal_time", result->ideal_time);
  plg_json_add_number (&json, "gap", plg_place_result_gap (result));
  plg_json_add_boolean (&json, "optimal", result->is_optimal);
  plg_json_add_number (&json, "evaluations", (double) result->evaluations);
  plg_json_begin (&json, "moves", '[', TRUE);
  for (guint i = 0; i < moves->len; i++)
    {
      const PlgPlaceMove *move = &g_array_index (moves, PlgPlaceMove, i);

      plg_json_begin (&json, NULL, '{', FALSE);
      plg_json_add_string (&json, "part", move->is_node ? "node" : "gpu");
      plg_json_add_number (&json, "a", move->a);
      plg_json_add_number (&json, "b", move->b);
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
