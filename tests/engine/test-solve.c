/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/solve.h"

#include "plans.h"
#include "random-plan.h"

/* Answers to inverse questions, compared with a search that tries every value. */

#define MAX_CONDITIONS 3

typedef struct
{
  PlgAssertion conditions[MAX_CONDITIONS];
  PlgSolveQuestion question;
} Case;

static void
case_init (Case *c, const char *key, PlgSolveGoal goal, const char *const *conditions)
{
  *c = (Case) { .question = { .setting = plg_setting_find (key), .goal = goal } };
  g_assert_nonnull (c->question.setting);
  for (int i = 0; conditions != NULL && conditions[i] != NULL; i++)
    {
      g_autofree char *wrong = plg_assertion_read (&c->conditions[i], conditions[i]);

      g_assert_cmpstr (wrong, ==, NULL);
      c->question.n_conditions++;
    }
  c->question.conditions = c->conditions;
}

/* Returns TRUE if the plan with KEY=VALUE is possible, fits and meets the conditions. */
static gboolean
holds (const PlgPlan *plan, const Case *c, const char *value)
{
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  g_autofree char *assignment = g_strdup_printf ("%s=%s", c->question.setting->key, value);
  const char *const assignments[] = { assignment, NULL };
  g_autoptr (PlgReport) report = NULL;

  if (plg_settings_apply (other, NULL, assignments, NULL))
    report = plg_evaluate (other, PLG_EVALUATE_TOTALS, NULL);
  if (report == NULL || !report->fits)
    return FALSE;
  if (other->model.positions > 0 && other->training.sequence > other->model.positions &&
      (g_str_equal (c->question.setting->key, "training.sequence") ||
       g_str_equal (c->question.setting->key, "model.positions")))
    return FALSE;
  for (int i = 0; i < c->question.n_conditions; i++)
    if (!plg_assertion_holds (&c->conditions[i], report))
      return FALSE;
  return TRUE;
}

static PlgSolution *
solve (const PlgPlan *plan, const Case *c)
{
  g_autoptr (GError) error = NULL;
  PlgSolution *solution = plg_solve (plan, NULL, &c->question, &error);

  g_assert_no_error (error);
  g_assert_nonnull (solution);
  return solution;
}

/* Compares the solution with all whole numbers from FROM to TO. */
static void
assert_brute_force (const PlgPlan *plan, const Case *c, int from, int to)
{
  g_autoptr (PlgSolution) solution = solve (plan, c);
  int found = -1;

  for (int value = from; value <= to; value++)
    {
      g_autofree char *text = g_strdup_printf ("%d", value);

      if (holds (plan, c, text) && (found < 0 || c->question.goal == PLG_SOLVE_LARGEST))
        found = value;
    }
  g_assert_cmpint (solution->is_found, ==, found >= 0);
  if (found >= 0)
    g_assert_cmpint (atoi (solution->value), ==, found);
}

static const struct
{
  const char *key;
  int from, to;
  const char *conditions[MAX_CONDITIONS + 1];
} cases[] = {
  { "cluster.nodes", 1, 400, { "days<=400" } },
  { "cluster.nodes", 1, 400, { "step-time<=5s" } },
  { "cluster.nodes", 1, 400, { "mfu>=30%", "step-time<=6s" } },
  { "parallelism.pp", 1, 64, { NULL } },
  { "parallelism.tp", 1, 64, { "mfu>=35%" } },
  { "parallelism.tp", 1, 64, { "mfu>=99%" } },
  { "training.micro-batch", 1, 64, { NULL } },
  { "training.micro-batch", 1, 64, { "bubble<=20%" } },
  { "parallelism.zero", 0, 3, { "memory<=40GiB" } },
  { "parallelism.chunks", 1, 80, { "bubble<=3%" } },
  { "parallelism.first-layers", 0, 80, { "mfu>=36%" } },
};

static void
test_brute_force (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int goal = PLG_SOLVE_SMALLEST; goal <= PLG_SOLVE_LARGEST; goal++)
      {
        Case c;

        /* More nodes than the brute force tries can hold, too. */
        if (goal == PLG_SOLVE_LARGEST && g_str_equal (cases[i].key, "cluster.nodes"))
          continue;
        case_init (&c, cases[i].key, (PlgSolveGoal) goal, cases[i].conditions);
        assert_brute_force (plan, &c, cases[i].from, cases[i].to);
      }
}

/* The same with plans of all kinds. */
static void
test_random_plans (void)
{
  static const char *const conditions[] = { "mfu>=20%", NULL };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < 4; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      Case c;

      case_init (&c, "training.micro-batch", PLG_SOLVE_LARGEST, NULL);
      assert_brute_force (plan, &c, 1, plan->training.global_batch);
      case_init (&c, "model.layers", PLG_SOLVE_LARGEST, conditions);
      assert_brute_force (plan, &c, 1, 400);
      case_init (&c, "parallelism.tp", PLG_SOLVE_SMALLEST, conditions);
      assert_brute_force (plan, &c, 1, plg_plan_world (plan));
    }
}

/* The longest sequence has too many values to try all. The answer holds, the next possible one
 * does not, and no value near it is better. */
static void
test_large_range (void)
{
  static const char *const keys[] = { "training.sequence", "training.global-batch",
                                      "model.vocabulary", "model.hidden", "model.ffn" };
  static const char *const conditions[] = { "step-time<=60s", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      Case c;
      g_autoptr (PlgSolution) solution = NULL;
      gint64 value;

      case_init (&c, keys[i], PLG_SOLVE_LARGEST, conditions);
      solution = solve (plan, &c);
      g_test_message ("%s: %s, then %s: %s (%d tried)", keys[i], solution->value,
                      solution->neighbour, solution->neighbour_reason, solution->tried);
      g_assert_true (solution->is_found);
      g_assert_false (solution->is_exhaustive);
      g_assert_cmpint (solution->tried, <, 20000);
      g_assert_true (holds (plan, &c, solution->value));
      g_assert_false (holds (plan, &c, solution->neighbour));
      value = g_ascii_strtoll (solution->value, NULL, 10);
      for (int more = 1; more < 300; more++)
        {
          g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value + more);

          g_assert_false (holds (plan, &c, text));
        }
    }
}

/* A model with learned positions limits the sequence, although longer ones fit in memory. */
static void
test_positions (void)
{
  static const char *const keys[] = { "training.sequence", "model.positions" };
  static const char *const values[] = { "2048", "1024" };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  plan->model = gpt3_175b;
  plan->training.sequence = 1024;
  for (int i = 0; i < 4; i++)
    {
      Case c;
      g_autoptr (PlgSolution) solution = NULL;

      case_init (&c, keys[i / 2], i / 2 == 0 ? PLG_SOLVE_LARGEST : PLG_SOLVE_SMALLEST, NULL);
      c.question.is_quick = i % 2 == 1;
      plan->model.positions = 2048;
      solution = solve (plan, &c);
      /* Rotary positions, which are 0, have no limit. */
      g_assert_cmpstr (solution->value, ==, i / 2 == 0 ? values[0] : "0");
      if (i / 2 == 0)
        g_assert_cmpstr (solution->neighbour_reason, ==,
                         "A sequence has more tokens than the model has learned positions.");
    }
}

/* A quick answer agrees with the exact one where the condition changes once. */
static void
test_quick (void)
{
  static const char *const keys[] = { "model.layers", "training.sequence", "training.micro-batch",
                                      "cluster.nodes" };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      Case c;
      g_autoptr (PlgSolution) exact = NULL, quick = NULL;

      case_init (&c, keys[i], plg_solve_default_goal (plg_setting_find (keys[i])), NULL);
      exact = solve (plan, &c);
      c.question.is_quick = TRUE;
      quick = solve (plan, &c);
      g_assert_cmpstr (quick->value, ==, exact->value);
      g_assert_cmpint (quick->tried, <, 200);
    }
}

/* The bandwidth from which a plan reaches an MFU has three significant digits, and one unit less fails. */
static void
test_bandwidth (void)
{
  static const char *const conditions[] = { "mfu>=36%", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  Case c;
  g_autoptr (PlgSolution) solution = NULL;
  double value, neighbour;

  case_init (&c, "cluster.inter-bandwidth", PLG_SOLVE_SMALLEST, conditions);
  solution = solve (plan, &c);
  g_assert_true (solution->is_found && solution->is_exhaustive);
  g_assert_true (holds (plan, &c, solution->value));
  g_assert_false (holds (plan, &c, solution->neighbour));
  value = g_ascii_strtod (solution->value, NULL);
  neighbour = g_ascii_strtod (solution->neighbour, NULL);
  g_assert_cmpfloat (value, >, neighbour);
  g_assert_cmpfloat (value - neighbour, <, value * 0.0101);
  g_assert_nonnull (strstr (solution->neighbour_reason, "MFU must be at least 36"));
}

/* A plan that fits offloads nothing; one that does not fit offloads a share that is just large enough. */
static void
test_offload (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  const PlgSetting *setting = plg_setting_find ("training.offload-optimizer");
  Case c;
  g_autoptr (PlgSolution) none = NULL, some = NULL, largest = NULL;

  g_assert_cmpint (plg_solve_default_goal (setting), ==, PLG_SOLVE_SMALLEST);
  g_assert_cmpint (plg_solve_default_goal (plg_setting_find ("training.offload-layers")), ==,
                   PLG_SOLVE_SMALLEST);
  case_init (&c, setting->key, PLG_SOLVE_SMALLEST, NULL);
  none = solve (plan, &c);
  g_assert_cmpstr (none->value, ==, "0");
  g_assert_null (none->neighbour);
  change (plan, "cluster.memory=48");
  g_assert_false (holds (plan, &c, "0"));
  some = solve (plan, &c);
  g_assert_true (some->is_found);
  g_assert_true (holds (plan, &c, some->value));
  g_assert_false (holds (plan, &c, some->neighbour));
  case_init (&c, setting->key, PLG_SOLVE_LARGEST, NULL);
  largest = solve (plan, &c);
  g_assert_cmpstr (largest->value, ==, "1");
}

/* The largest offloaded share is the largest one for which the hosts have the memory. */
static void
test_host_memory (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgSolution) half = NULL, least = NULL;
  Case c;

  change (plan, "training.offload-optimizer=1");
  report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  g_assert_cmpfloat (plg_report_host_memory (report), >, 0.0);
  plan->cluster.host_memory = plg_report_host_memory (report) / 2.0;
  case_init (&c, "training.offload-optimizer", PLG_SOLVE_LARGEST, NULL);
  half = solve (plan, &c);
  g_assert_true (half->is_found);
  g_assert_cmpfloat (g_ascii_strtod (half->value, NULL), <=, 0.5);
  g_assert_cmpfloat (g_ascii_strtod (half->value, NULL), >, 0.49);
  g_assert_nonnull (strstr (half->neighbour_reason, "host memory"));
  change (plan, "cluster.memory=48");
  plan->cluster.host_memory = 1e6;
  c.question.goal = PLG_SOLVE_SMALLEST;
  least = solve (plan, &c);
  g_assert_false (least->is_found);
}

/* Without a solution, the value that comes closest is reported with the reason. */
static void
test_no_solution (void)
{
  static const char *const conditions[] = { "mfu>=95%", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  Case c;
  g_autoptr (PlgSolution) solution = NULL, tight = NULL;

  case_init (&c, "parallelism.pp", PLG_SOLVE_SMALLEST, conditions);
  solution = solve (plan, &c);
  g_assert_false (solution->is_found);
  g_assert_false (holds (plan, &c, solution->value));
  g_assert_nonnull (strstr (solution->reason, "MFU must be at least 95"));
  change (plan, "cluster.memory=1");
  case_init (&c, "training.sequence", PLG_SOLVE_LARGEST, NULL);
  tight = solve (plan, &c);
  g_assert_false (tight->is_found);
  g_assert_nonnull (strstr (tight->reason, "Does not fit in memory"));
}

/* A setting without numbers is an error; a cancelled question has no answer and no error. */
static void
test_refused (void)
{
  static const char *const keys[] = { "training.recompute", "model.name", "cluster.faults",
                                      "parallelism.order", "parallelism.sequence" };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  const gint is_cancelled = 1;
  Case c;

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GError) error = NULL;

      case_init (&c, keys[i], PLG_SOLVE_SMALLEST, NULL);
      g_assert_null (plg_solve (plan, NULL, &c.question, &error));
      g_assert_error (error, PLG_PLAN_ERROR, (int) PLG_PLAN_ERROR_RANGE);
    }
  case_init (&c, "training.sequence", PLG_SOLVE_LARGEST, NULL);
  c.question.is_cancelled = &is_cancelled;
  g_assert_null (plg_solve (plan, NULL, &c.question, NULL));
}

/* Every number of every plan has an answer in bounded time. */
static void
test_each_key (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      Case c;
      g_autoptr (PlgSolution) solution = NULL;

      if (!plg_solve_accepts (&settings[i]))
        continue;
      case_init (&c, settings[i].key, plg_solve_default_goal (&settings[i]), NULL);
      c.question.is_quick = i % 2 == 0;
      solution = solve (plan, &c);
      if (solution->is_found)
        g_assert_true (holds (plan, &c, solution->value));
      if (solution->neighbour != NULL)
        g_assert_false (holds (plan, &c, solution->neighbour));
      g_assert_true ((solution->neighbour != NULL) == (solution->neighbour_reason != NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solve/brute-force", test_brute_force);
  g_test_add_func ("/solve/random-plans", test_random_plans);
  g_test_add_func ("/solve/large-range", test_large_range);
  g_test_add_func ("/solve/positions", test_positions);
  g_test_add_func ("/solve/quick", test_quick);
  g_test_add_func ("/solve/bandwidth", test_bandwidth);
  g_test_add_func ("/solve/offload", test_offload);
  g_test_add_func ("/solve/host-memory", test_host_memory);
  g_test_add_func ("/solve/no-solution", test_no_solution);
  g_test_add_func ("/solve/refused", test_refused);
  g_test_add_func ("/solve/each-key", test_each_key);
  return g_test_run ();
}
