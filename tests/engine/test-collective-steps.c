/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a collective, checked against members that really forward their data. */
#include "engine/network/collective-steps.h"

#include "engine/network/collective.h"
#include "plans.h"

#define MOST 33

/* The members whose data is in each chunk of a member: one bit per member. */
typedef struct
{
  guint64 parts[MOST][MOST];
} Holding;

static int
bits (guint64 set)
{
  int n = 0;

  for (; set != 0; set &= set - 1)
    n++;
  return n;
}

static Holding
begin (const PlgCollectiveSteps *collective_steps)
{
  gboolean sums = collective_steps->shape == PLG_STEP_PATTERN_REDUCE_SCATTER ||
                  collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE;
  Holding holding = { 0 };

  for (int i = 0; i < collective_steps->members; i++)
    for (int j = 0; j < plg_collective_steps_chunks (collective_steps); j++)
      if (sums || i == j)
        holding.parts[i][j] = G_GUINT64_CONSTANT (1) << i;
  return holding;
}

/* All members send at once the data from before the step. Returns the number of messages. */
static int
run_step (const PlgCollectiveSteps *collective_steps, Holding *holding, int step)
{
  Holding before = *holding;
  int sends = 0;

  for (int i = 0; i < collective_steps->members; i++)
    {
      int to, chunk;

      if (!plg_collective_steps_send (collective_steps, step, i, &to, &chunk))
        continue;
      /* A member only sends data that it has. */
      g_assert_cmpuint (before.parts[i][chunk], !=, 0);
      g_assert_cmpint (to, !=, i);
      if (plg_collective_steps_is_gathering (collective_steps, step))
        holding->parts[to][chunk] = before.parts[i][chunk];
      else
        /* A sum never includes the same part twice. */
        g_assert_cmpuint (before.parts[i][chunk] & before.parts[to][chunk], ==, 0);
      holding->parts[to][chunk] |= before.parts[i][chunk];
      sends++;
    }
  return sends;
}

static void
check_holding (const PlgCollectiveSteps *collective_steps, const Holding *holding, int step)
{
  for (int i = 0; i < collective_steps->members; i++)
    for (int j = 0; j < plg_collective_steps_chunks (collective_steps); j++)
      g_assert_cmpint (plg_collective_steps_held (collective_steps, step, i, j), ==,
                       bits (holding->parts[i][j]));
}

static Holding
run (const PlgCollectiveSteps *collective_steps, int steps)
{
  Holding holding = begin (collective_steps);

  check_holding (collective_steps, &holding, 0);
  for (int step = 1; step <= steps; step++)
    {
      int sends = run_step (collective_steps, &holding, step);

      g_assert_cmpint (sends, ==,
                       collective_steps->shape == PLG_STEP_PATTERN_CHAIN
                           ? 1
                           : collective_steps->members);
      check_holding (collective_steps, &holding, step);
    }
  return holding;
}

static const int sizes[] = { 2, 3, 4, 8, 16, 33 };

/* After n - 1 steps each member has exactly one complete chunk, its own. */
static void
test_reduce_scatter (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      int n = sizes[k];
      PlgCollectiveSteps collective_steps = { PLG_STEP_PATTERN_REDUCE_SCATTER, n, 1 };
      Holding holding = run (&collective_steps, n - 1);

      g_assert_cmpint (plg_collective_steps_count (&collective_steps), ==, n - 1);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          g_assert_cmpint (bits (holding.parts[i][j]) == n, ==, i == j);
    }
}

/* After the second half all members have all chunks. */
static void
test_all_reduce (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      int n = sizes[k];
      PlgCollectiveSteps collective_steps = { PLG_STEP_PATTERN_ALL_REDUCE, n, 1 };
      Holding half = run (&collective_steps, n - 1), all = run (&collective_steps, 2 * (n - 1));

      g_assert_cmpint (plg_collective_steps_count (&collective_steps), ==, 2 * (n - 1));
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          {
            g_assert_cmpint (bits (half.parts[i][j]) == n, ==, i == j);
            g_assert_cmpint (bits (all.parts[i][j]), ==, n);
          }
    }
}

static void
test_forwarding (void)
{
  static const PlgStepPattern shapes[] = { PLG_STEP_PATTERN_ALL_GATHER, PLG_STEP_PATTERN_ALL_TO_ALL,
                                           PLG_STEP_PATTERN_CHAIN };

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        PlgCollectiveSteps collective_steps = { shapes[s], sizes[k], 1 };
        Holding holding = run (&collective_steps, plg_collective_steps_count (&collective_steps));

        for (int i = 0; i < collective_steps.members; i++)
          for (int j = 0; j < plg_collective_steps_chunks (&collective_steps); j++)
            g_assert_cmpint (bits (holding.parts[i][j]), ==,
                             plg_collective_steps_full_count (&collective_steps));
      }
}

/* The sum of the steps is the load that the engine puts on the links. */
static void
test_bytes (void)
{
  static const PlgCollectiveKind kinds[] = { PLG_COLLECTIVE_ALL_REDUCE, PLG_COLLECTIVE_ALL_GATHER,
                                             PLG_COLLECTIVE_REDUCE_SCATTER,
                                             PLG_COLLECTIVE_ALL_TO_ALL };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        PlgCollective row = { .kind = kinds[i], .group_size = sizes[k], .bytes_per_call = 1e6 };
        PlgCollectiveSteps collective_steps;

        plg_collective_steps_init (&collective_steps, &row);
        assert_near (plg_collective_steps_total_bytes (&collective_steps),
                     plg_collective_sent (kinds[i], sizes[k], 1e6), 1e-12);
        assert_near (plg_collective_steps_step_bytes (&collective_steps), 1e6 / sizes[k], 1e-12);
      }
}

/* A broadcast passes one message from member to member. */
static void
test_broadcast (void)
{
  PlgCollective row = { .kind = PLG_COLLECTIVE_BROADCAST, .group_size = 4, .bytes_per_call = 1e6 };
  PlgCollectiveSteps collective_steps;

  plg_collective_steps_init (&collective_steps, &row);
  g_assert_cmpint (collective_steps.shape, ==, PLG_STEP_PATTERN_CHAIN);
  g_assert_false (collective_steps.joins_stages);
  g_assert_cmpint (plg_collective_steps_count (&collective_steps), ==, 3);
  /* 3 of 4 members send, so the mean over all roots is 3/4 of the message. */
  assert_near (plg_collective_sent (row.kind, 4, 1e6), 3.0 / 4.0 * 1e6, 1e-12);
}

/* The members are the GPUs whose links carry the collective: TP 8 fills a node, PP spans four
 * nodes. */
static void
test_members (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
      g_autoptr (GArray) gpus = plg_collective_steps_gpus (plan, row, 21);
      gboolean found = FALSE;

      g_assert_cmpuint (gpus->len, ==, row->group_size);
      for (guint j = 0; j < gpus->len; j++)
        {
          found |= g_array_index (gpus, int, j) == 21;
          if (row->axis == PLG_AXIS_TP)
            g_assert_cmpint (g_array_index (gpus, int, j) / 8, ==, 2);
          if (row->axis == PLG_AXIS_PP)
            g_assert_cmpint (g_array_index (gpus, int, j), ==, 5 + 8 * (int) j);
        }
      g_assert_true (found);
    }
}

/* Plans with two collectives of a kind on one axis, and the name of the second, which is unique. */
static const struct
{
  const char *edits;
  const char *first;
  const char *second;
} twice[] = {
  { "parallelism.sequence=false", "tp:all-reduce", "tp:all-reduce:loss" },
  { "training.loss=gathered", "tp:all-gather", "tp:all-gather:loss" },
  { "parallelism.dp=1 parallelism.cp=2 parallelism.cp-type=ulysses", "cp:all-to-all",
    "cp:all-to-all:kv" },
};

static void
test_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (twice); i++)
    {
      g_autoptr (PlgReport) report = report_with (twice[i].edits);
      int first = plg_report_find_collective (report, twice[i].first);
      int second = plg_report_find_collective (report, twice[i].second);

      g_assert_cmpint (first, >=, 0);
      g_assert_cmpint (second, >=, 0);
      g_assert_cmpint (first, !=, second);
    }
}

/* Experts reduce gradients in groups of their own and divide layers in others. A prefix up to a
 * colon finds the first collective. */
static void
test_names_of_experts (void)
{
  static const char *const names[] = { "tp:all-gather:experts", "tp:reduce-scatter:experts",
                                       "dp:reduce-scatter:experts", "dp:all-gather:experts" };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;

  plan->model = mixtral_8x7b;
  plan_set_degrees (plan, 2, 1, 4, 8, 4);
  plan->parallelism.etp = 2;
  report = report_of (plan);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      int found = plg_report_find_collective (report, names[i]);

      g_assert_cmpint (found, >, plg_report_find_collective (report, "tp"));
    }
  g_assert_cmpint (plg_report_find_collective (report, "tp:all-gath"), ==, -1);
  g_assert_cmpint (plg_report_find_collective (report, ""), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/collective-steps/reduce-scatter", test_reduce_scatter);
  g_test_add_func ("/collective-steps/all-reduce", test_all_reduce);
  g_test_add_func ("/collective-steps/forwarding", test_forwarding);
  g_test_add_func ("/collective-steps/bytes", test_bytes);
  g_test_add_func ("/collective-steps/broadcast", test_broadcast);
  g_test_add_func ("/collective-steps/members", test_members);
  g_test_add_func ("/collective-steps/names", test_names);
  g_test_add_func ("/collective-steps/names-of-experts", test_names_of_experts);
  return g_test_run ();
}
