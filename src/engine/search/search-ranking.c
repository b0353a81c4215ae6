/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-ranking.h"

#include <string.h>

static double
signed_value (const PlgMetric *metric, double value)
{
  return plg_metric_is_better_high (metric) ? -value : value;
}

int
plg_found_plan_compare (const PlgSearchOptions *options,
                        const PlgFoundPlan *a,
                        const PlgFoundPlan *b)
{
  double first = signed_value (options->by, a->by), second = signed_value (options->by, b->by);

  if (first != second)
    return first < second ? -1 : 1;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  if (a->memory != b->memory)
    return a->memory < b->memory ? -1 : 1;
  return memcmp (&a->point, &b->point, sizeof a->point);
}

gboolean
plg_found_plans_add (GArray *best, const PlgSearchOptions *options, const PlgFoundPlan *found)
{
  guint at = best->len;

  while (at > 0 &&
         plg_found_plan_compare (options, found, &g_array_index (best, PlgFoundPlan, at - 1)) < 0)
    at--;
  if (at >= options->top)
    return FALSE;
  g_array_insert_val (best, at, *found);
  if (best->len > options->top)
    g_array_set_size (best, options->top);
  return TRUE;
}

/* Adds FOUND to the Pareto front unless a plan of the front is at least as good in both metrics,
 * and removes the plans that FOUND beats. Returns TRUE if FOUND is on the front. */
static gboolean
add_to_front (GArray *front, const PlgSearchOptions *options, const PlgFoundPlan *found)
{
  double x = signed_value (options->front[0], found->front[0]);
  double y = signed_value (options->front[1], found->front[1]);
  guint at = 0;

  for (guint i = 0; i < front->len;)
    {
      const PlgFoundPlan *other = &g_array_index (front, PlgFoundPlan, i);
      double other_x = signed_value (options->front[0], other->front[0]);
      double other_y = signed_value (options->front[1], other->front[1]);

      if (other_x == x && other_y == y && plg_found_plan_compare (options, found, other) < 0)
        {
          g_array_index (front, PlgFoundPlan, i) = *found;
          return TRUE;
        }
      if (other_x <= x && other_y <= y)
        return FALSE;
      if (other_x >= x && other_y >= y)
        {
          g_array_remove_index (front, i);
          continue;
        }
      i++;
      if (other_x < x)
        at = i;
    }
  g_array_insert_val (front, at, *found);
  return TRUE;
}

gboolean
plg_ranking_add (PlgRanking *ranking, const PlgSearchOptions *options, const PlgFoundPlan *found)
{
  gboolean is_best = plg_found_plans_add (ranking->best, options, found);

  return (options->front[0] != NULL && add_to_front (ranking->front, options, found)) || is_best;
}

void
plg_ranking_copy (PlgRanking *to, const PlgRanking *from)
{
  g_array_set_size (to->best, 0);
  g_array_append_vals (to->best, from->best->data, from->best->len);
  g_array_set_size (to->front, 0);
  g_array_append_vals (to->front, from->front->data, from->front->len);
}

PlgRanking
plg_ranking_new (void)
{
  return (PlgRanking) { g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan)),
                        g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan)) };
}

void
plg_ranking_clear (PlgRanking *ranking)
{
  g_array_unref (ranking->best);
  g_array_unref (ranking->front);
}
