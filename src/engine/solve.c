/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/solve.h"

#include "engine/advice/advice.h"
#include "engine/evaluate.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Up to this number of values, each value is tried. */
#define MAX_EXHAUSTIVE 20000
#define MAX_EXHAUSTIVE_QUICK 64
/* The distance at which the next possible value is looked for. Sequences and batches are multiples
 * of products of degrees, which are rarely larger. */
#define MAX_STEP 16384
/* A bisection looks this far for a possible value around the middle. */
#define WINDOW 256
/* The smallest number above 0 that is tried if a range begins at 0. */
#define LEAST_NUMBER 1e-3
#define THREE_DIGITS 900 /* number of values with three significant digits per decade */

typedef enum
{
  TRIAL_IMPOSSIBLE,
  TRIAL_FAILS,
  TRIAL_HOLDS,
} Trial;

/* The values are numbered from 0, the most wanted value, to N - 1. */
typedef struct
{
  const PlgPlan *plan;
  const PlgCatalogue *catalogue;
  const PlgSolveQuestion *question;
  PlgReport *report;
  PlgEvaluateFlags parts;
  gboolean needs_advice;

  gint64 n;
  double first, step;  /* the smallest value and the step, for whole numbers */
  gint64 first_digits; /* index of the smallest value with three
                             significant digits, for other numbers */
  gboolean has_zero;   /* 0 comes before these numbers */

  int tried;
  double host_needed; /* memory of the host per GPU that the evaluated plan needs [bytes] */
  double host_memory; /* memory of its host per GPU [bytes], 0 if unknown */
  double host_excess; /* share of the host memory that is missing */
  double excess;      /* tokens beyond the learned positions of the evaluated plan, divided by the
                    positions */
  gboolean lost_layout;
  gint64 closest; /* the failing value that comes closest; -1 if there is none */
  double distance;
} Solver;

gboolean
plg_solve_accepts (const PlgSetting *setting)
{
  return (setting->kind == PLG_SETTING_INTEGER || setting->kind == PLG_SETTING_NUMBER) &&
         !g_str_has_prefix (setting->key, "view.");
}

PlgSolveGoal
plg_solve_default_goal (const PlgSetting *setting)
{
  return g_str_has_prefix (setting->key, "cluster.") ||
                 g_str_has_prefix (setting->key, "parallelism.") ||
                 g_str_has_prefix (setting->key, "training.offload-")
             ? PLG_SOLVE_SMALLEST
             : PLG_SOLVE_LARGEST;
}

/* Returns value I as text for --set. */
static char *
solver_value (const Solver *solver, gint64 i)
{
  gint64 index = solver->question->goal == PLG_SOLVE_SMALLEST ? i : solver->n - 1 - i;

  if (solver->question->setting->kind == PLG_SETTING_INTEGER)
    return g_strdup_printf ("%.0f", solver->first + index * solver->step);
  if (solver->has_zero && index == 0)
    return g_strdup ("0");
  index += solver->first_digits - solver->has_zero;
  return g_strdup_printf ("%de%d", (int) (100 + index % THREE_DIGITS),
                          (int) (index / THREE_DIGITS) - 320);
}

static PlgPlan *
solver_plan (Solver *solver, const char *value, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (solver->plan);
  g_autofree char *assignment = g_strdup_printf ("%s=%s", solver->question->setting->key, value);
  const char *const assignments[] = { assignment, NULL };

  if (!plg_settings_apply (plan, solver->catalogue, assignments, error))
    return NULL;
  solver->lost_layout |= plg_settings_lost_layout (solver->plan, plan, assignments);
  return g_steal_pointer (&plan);
}

/* Evaluates the plan with VALUE; returns FALSE with ERROR if the plan is not possible. Training
 * fails if a sequence is longer than the learned positions of the model, which matters only if the
 * question is about one of the two. */
static gboolean
solver_evaluate (Solver *solver, const char *value, GError **error)
{
  static const char *const lengths[] = { "training.sequence", "model.positions", NULL };
  g_autoptr (PlgPlan) plan = solver_plan (solver, value, error);
  int positions;

  if (plan == NULL || !plg_evaluate_into (solver->report, plan, solver->parts, error))
    return FALSE;
  solver->host_needed = plg_report_host_memory (solver->report);
  solver->host_memory = plg_cluster_host_memory (&plan->cluster);
  solver->host_excess = plg_cluster_host_has (&plan->cluster, solver->host_needed)
                            ? 0.0
                            : solver->host_needed / solver->host_memory - 1.0;
  positions = plan->model.positions;
  solver->excess = 0.0;
  if (positions > 0 && g_strv_contains (lengths, solver->question->setting->key))
    solver->excess = MAX ((double) plan->training.sequence / positions - 1.0, 0.0);
  if (solver->needs_advice)
    plg_report_advise (solver->report, plan);
  return TRUE;
}

/* Returns how far the report is from meeting all conditions, as a share of their limits; 0 if it
 * meets them. */
static double
solver_distance (const Solver *solver)
{
  const PlgReport *report = solver->report;
  double distance = MAX (solver->excess, solver->host_excess);

  if (!report->fits)
    distance = MAX (distance, report->memory_peak / report->memory_capacity - 1);
  for (int i = 0; i < solver->question->n_conditions; i++)
    {
      const PlgAssertion *condition = &solver->question->conditions[i];
      double value = plg_metric_value (condition->metric, report);
      double apart = fabs (value - condition->limit) / MAX (fabs (condition->limit), 1e-300);

      if (plg_assertion_holds (condition, report))
        continue;
      /* A condition without a number counts as 1, and a strict comparison of equal numbers counts
       * as a small distance. */
      distance = MAX (distance,
                      condition->comparison == NULL || isnan (apart) ? 1 : MAX (apart, 1e-12));
    }
  return distance;
}

static Trial
solver_try (Solver *solver, gint64 i)
{
  g_autofree char *value = solver_value (solver, i);
  double distance;

  solver->tried++;
  if (!solver_evaluate (solver, value, NULL))
    return TRIAL_IMPOSSIBLE;
  distance = solver_distance (solver);
  if (distance == 0)
    return TRIAL_HOLDS;
  if (solver->closest < 0 || distance < solver->distance)
    {
      solver->closest = i;
      solver->distance = distance;
    }
  return TRIAL_FAILS;
}

static gboolean
solver_is_cancelled (const Solver *solver)
{
  return solver->question->is_cancelled != NULL &&
         g_atomic_int_get (solver->question->is_cancelled);
}

/* Returns the reason why the plan with VALUE fails. */
static char *
solver_reason (Solver *solver, const char *value)
{
  const PlgReport *report = solver->report;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!solver_evaluate (solver, value, &error))
    return g_strdup_printf (_ ("Not possible. %s"), error->message);
  if (!report->fits)
    {
      g_autofree char *peak = plg_format_memory_distinct (report->memory_peak,
                                                          report->memory_capacity);
      g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                              report->memory_peak);

      g_string_append_printf (text, _ ("Does not fit in memory: %s of %s."), peak, capacity);
    }
  if (solver->host_excess > 0.0)
    {
      g_autofree char *needed = plg_format_memory_distinct (solver->host_needed,
                                                            solver->host_memory);
      g_autofree char *available = plg_format_memory_distinct (solver->host_memory,
                                                               solver->host_needed);

      g_string_append_printf (text, "%s", text->len > 0 ? " " : "");
      g_string_append_printf (text,
                              _ ("Offloading needs %s of host memory per GPU, but the host "
                                 "has %s per GPU."),
                              needed, available);
    }
  if (solver->excess > 0.0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                            _ ("A sequence has more tokens than the model has learned positions."));
  for (int i = 0; i < solver->question->n_conditions; i++)
    {
      const PlgAssertion *condition = &solver->question->conditions[i];
      g_autofree char *sentence = plg_assertion_sentence (condition, report);

      /* The sentence about the memory is already there. */
      if (plg_assertion_holds (condition, report) ||
          (!report->fits && g_str_equal (condition->metric->name, "fits")))
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Values --------------------------------------------------------------------------------------- */

/* Returns the largest value that can be possible; larger values need not be tried. */
static double
solver_maximum (const PlgPlan *plan, const PlgSetting *setting)
{
  const struct
  {
    const char *key;
    double maximum;
  } maxima[] = {
    { "cluster.nodes", PLG_MAX_GPUS / plan->cluster.gpus_per_node },
    { "training.micro-batch", plan->training.global_batch },
    { "parallelism.chunks", plan->model.layers },
    { "parallelism.first-layers", plan->model.layers },
    { "parallelism.last-layers", plan->model.layers },
    { "parallelism.tp", plg_plan_world (plan) },
    { "parallelism.cp", plg_plan_world (plan) },
    { "parallelism.ep", plg_plan_world (plan) },
    { "parallelism.pp", plg_plan_world (plan) },
    { "parallelism.dp", plg_plan_world (plan) },
    { "parallelism.etp", plg_plan_world (plan) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (maxima); i++)
    if (g_str_equal (maxima[i].key, setting->key))
      return MIN (maxima[i].maximum, setting->maximum);
  return setting->maximum;
}

/* Returns the distance from the plan's own value to the next possible value, which is the step
 * between possible values if they are multiples of a number. */
static double
solver_find_step (Solver *solver, double own, double maximum)
{
  const PlgSetting *setting = solver->question->setting;

  for (int step = 1; step <= MAX_STEP && !solver_is_cancelled (solver); step++)
    {
      double next = own + step <= maximum ? own + step : own - step;
      g_autofree char *value = g_strdup_printf ("%.0f", next);
      g_autoptr (PlgPlan) plan = next >= setting->minimum ? solver_plan (solver, value, NULL)
                                                          : NULL;

      if (plan != NULL)
        return step;
    }
  return 1;
}

static void
solver_set_values (Solver *solver)
{
  const PlgSetting *setting = solver->question->setting;
  double maximum = solver_maximum (solver->plan, setting);
  double own = plg_setting_get_number (setting, solver->plan);
  double minimum = setting->minimum;
  /* With these settings, 0 does not stand for another value. */
  static const char *const zero_keys[] = { "cluster.intra-latency", "cluster.inter-latency",
                                           "training.offload-optimizer", NULL };

  if (setting->kind == PLG_SETTING_NUMBER)
    {
      double least = minimum > 0 ? minimum : LEAST_NUMBER;
      int decade = (int) floor (log10 (least) + 1e-9), last = (int) ceil (log10 (maximum) - 1e-9);

      /* The value of index 0 is 100e-320, so that no index is negative. */
      solver->first_digits = (gint64) (decade - 2 + 320) * THREE_DIGITS;
      solver->has_zero = g_strv_contains (zero_keys, setting->key);
      solver->n = (gint64) (last - decade) * THREE_DIGITS + 1 + solver->has_zero;
      return;
    }
  solver->step = 1;
  if (maximum - minimum >= MAX_EXHAUSTIVE)
    {
      solver->step = solver_find_step (solver, own, maximum);
      minimum += fmod (own - minimum, solver->step);
    }
  solver->first = minimum;
  solver->n = (gint64) floor ((maximum - minimum) / solver->step) + 1;
}

/* Search --------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 found;     /* the first value that holds; -1 if there is none */
  gint64 neighbour; /* the last possible value before FOUND that fails; -1 if there is none */
} Result;

/* Tries each value from the most wanted one. */
static Result
search_all (Solver *solver)
{
  Result result = { -1, -1 };
  gint64 fails = -1;

  for (gint64 i = 0; i < solver->n && result.found < 0 && !solver_is_cancelled (solver); i++)
    {
      Trial trial = solver_try (solver, i);

      if (trial == TRIAL_HOLDS)
        result.found = i;
      else if (trial == TRIAL_FAILS)
        fails = i;
    }
  result.neighbour = fails;
  return result;
}

/* Tries I or, if it is impossible, the nearest possible value between FROM and TO (both excluded).
 * Sets *AT to the value that was tried. */
static Trial
try_near (Solver *solver, gint64 i, gint64 from, gint64 to, gint64 *at)
{
  for (gint64 distance = 0; distance <= WINDOW; distance++)
    for (int sign = -1; sign <= (distance > 0 ? 1 : -1); sign += 2)
      {
        gint64 other = i + sign * distance;
        Trial trial = other > from && other < to ? solver_try (solver, other) : TRIAL_IMPOSSIBLE;

        *at = other;
        if (trial != TRIAL_IMPOSSIBLE)
          return trial;
      }
  *at = i;
  return TRIAL_IMPOSSIBLE;
}

static int
compare_indices (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

/* Tries values that double, then bisects. */
static Result
search_doubling (Solver *solver)
{
  const PlgSetting *setting = solver->question->setting;
  gboolean is_smallest = solver->question->goal == PLG_SOLVE_SMALLEST;
  g_autoptr (GArray) grid = g_array_new (FALSE, FALSE, sizeof (gint64));
  Result result = { -1, -1 };
  gint64 last = solver->n - 1, previous = -1;

  /* Values with three significant digits double every 271 indices or so. */
  for (gint64 index = 0; index <= last;
       index = setting->kind == PLG_SETTING_NUMBER ? index + THREE_DIGITS / 4 : MAX (1, index * 2))
    {
      gint64 i = is_smallest ? index : last - index;

      g_array_append_val (grid, i);
    }
  if (setting->kind == PLG_SETTING_INTEGER)
    {
      double own = plg_setting_get_number (setting, solver->plan);
      gint64 index = (gint64) ((own - solver->first) / solver->step);
      gint64 i = is_smallest ? index : last - index;

      if (i >= 0 && i <= last)
        g_array_append_val (grid, i);
    }
  /* Try both ends of the range. */
  g_array_append_val (grid, last);
  g_array_insert_vals (grid, 0, &(gint64) { 0 }, 1);
  g_array_sort (grid, compare_indices);
  /* The most wanted value comes first, whatever the goal is. */
  for (guint k = 0; k < grid->len && result.found < 0 && !solver_is_cancelled (solver); k++)
    {
      gint64 i = g_array_index (grid, gint64, k), at;

      if (i <= previous)
        continue;
      if (try_near (solver, i, previous, solver->n, &at) == TRIAL_HOLDS)
        result.found = at;
      else
        previous = MAX (i, at);
    }
  if (result.found < 0)
    return result;

  gint64 fails = previous;

  result.neighbour = previous;
  while (result.found - fails > 1 && !solver_is_cancelled (solver))
    {
      gint64 at;
      Trial trial = try_near (solver, fails + (result.found - fails) / 2, fails, result.found, &at);

      if (trial == TRIAL_HOLDS)
        result.found = at;
      else
        {
          fails = at;
          if (trial == TRIAL_FAILS)
            result.neighbour = at;
          else if (result.found - fails <= WINDOW)
            break; /* no value between is possible */
        }
    }
  return result;
}

/* Tries the whole numbers between the neighbour and the found value that the step leaves out, and
 * returns the text of the most wanted value that holds, or NULL. */
static char *
try_between_steps (Solver *solver, const Result *result)
{
  g_autofree char *found = solver_value (solver, result->found);
  double value = g_ascii_strtod (found, NULL), end;
  int sign = solver->question->goal == PLG_SOLVE_LARGEST ? 1 : -1;

  if (!(solver->step > 1))
    return NULL;
  end = CLAMP (value + sign * solver->step, solver->question->setting->minimum,
               solver->question->setting->maximum);
  for (double between = end; between != value && !solver_is_cancelled (solver); between -= sign)
    {
      g_autofree char *text = g_strdup_printf ("%.0f", between);

      solver->tried++;
      if (solver_evaluate (solver, text, NULL) && solver_distance (solver) == 0)
        return g_steal_pointer (&text);
    }
  return NULL;
}

/* Returns VALUE as the plan file writes it, for example "450" for "450e0". */
static char *
canonical_value (const Solver *solver, const char *value)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (solver->plan);

  if (!plg_setting_set (plan, solver->catalogue, solver->question->setting->key, value, NULL))
    return g_strdup (value);
  return plg_setting_get (solver->question->setting, plan);
}

PlgSolution *
plg_solve (const PlgPlan *plan,
           const PlgCatalogue *catalogue,
           const PlgSolveQuestion *question,
           GError **error)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (PlgSolution) solution = g_new0 (PlgSolution, 1);
  Solver solver = { .plan = plan,
                    .catalogue = catalogue,
                    .question = question,
                    .report = report,
                    .closest = -1 };
  g_autofree char *value = NULL, *neighbour = NULL;
  Result result;

  if (!plg_solve_accepts (question->setting))
    {
      plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, question->setting->key, "%s",
                                    _ ("only a setting with a number has a smallest or largest "
                                       "value; choose, for example, cluster.nodes"));
      return NULL;
    }
  for (int i = 0; i < question->n_conditions; i++)
    {
      solver.parts |= plg_metric_parts (question->conditions[i].metric);
      solver.needs_advice |= plg_metric_needs_advice (question->conditions[i].metric);
    }
  solver_set_values (&solver);
  solution->is_exhaustive = solver.n <=
                            (question->is_quick ? MAX_EXHAUSTIVE_QUICK : MAX_EXHAUSTIVE);
  result = solution->is_exhaustive ? search_all (&solver) : search_doubling (&solver);
  /* If no possible value fails, the nearest impossible value is the neighbour. */
  if (result.found > 0 && result.neighbour < 0)
    result.neighbour = result.found - 1;
  solution->is_found = result.found >= 0;
  if (solution->is_found)
    {
      value = try_between_steps (&solver, &result);
      if (value == NULL)
        value = solver_value (&solver, result.found);
      if (result.neighbour >= 0)
        neighbour = solver_value (&solver, result.neighbour);
    }
  else if (solver.closest >= 0)
    value = solver_value (&solver, solver.closest);
  if (solver_is_cancelled (&solver))
    return NULL;

  if (value != NULL)
    solution->value = canonical_value (&solver, value);
  if (value != NULL && !solution->is_found)
    solution->reason = solver_reason (&solver, value);
  if (neighbour != NULL)
    {
      solution->neighbour = canonical_value (&solver, neighbour);
      solution->neighbour_reason = solver_reason (&solver, neighbour);
    }
  solution->step = solver.step;
  solution->tried = solver.tried;
  solution->lost_layout = solver.lost_layout;
  return g_steal_pointer (&solution);
}

void
plg_solution_free (PlgSolution *solution)
{
  g_free (solution->value);
  g_free (solution->reason);
  g_free (solution->neighbour);
  g_free (solution->neighbour_reason);
  g_free (solution);
}
