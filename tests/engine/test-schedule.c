/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/schedule/schedule.h"

#include <math.h>

#define MAX_POSITIONS 128

typedef struct
{
  PlgPipeline pipeline;
  PlgPosition positions[MAX_POSITIONS];
  GArray *blocks;
  PlgStageSpan spans[MAX_POSITIONS];
  PlgPipelineResult result;
} Fixture;

static void
set_up (Fixture *fixture, PlgSchedule schedule, int stages, int chunks, int micro_batches)
{
  *fixture = (Fixture) { .blocks = g_array_new (FALSE, FALSE, sizeof (PlgBlock)) };
  fixture->pipeline = (PlgPipeline) { .schedule = schedule,
                                      .stages = stages,
                                      .chunks = chunks,
                                      .micro_batches = micro_batches,
                                      .positions = fixture->positions };
}

static void
set_times (Fixture *fixture, double forward, double input, double weight, double hop)
{
  int n = plg_pipeline_positions (&fixture->pipeline);

  for (int i = 0; i < n; i++)
    {
      PlgPosition *position = &fixture->positions[i];
      gboolean last = plg_pipeline_is_last (&fixture->pipeline, i);

      *position = (PlgPosition) { forward, input, weight, last ? 0.0 : hop };
    }
}

static void
simulate (Fixture *fixture)
{
  g_assert_true (plg_pipeline_simulate (&fixture->pipeline, fixture->blocks, fixture->spans,
                                        &fixture->result));
}

static void
tear_down (Fixture *fixture)
{
  g_array_unref (fixture->blocks);
}

static const PlgBlock *
block (const Fixture *fixture, guint i)
{
  return &g_array_index (fixture->blocks, PlgBlock, i);
}

static void
assert_close (double value, double expected)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9 * MAX (1.0, fabs (expected)));
}

/* The published bubble for equal stages, in the same unit as the times. */
typedef struct
{
  const char *name;
  PlgSchedule schedule;
  int chunks;
  double forward, input, weight; /* times of a whole stage */
} Case;

static const Case cases[] = {
  { "gpipe", PLG_SCHEDULE_GPIPE, 1, 1.0, 1.1, 0.9 },
  { "1f1b", PLG_SCHEDULE_1F1B, 1, 1.0, 1.1, 0.9 },
  { "interleaved-2", PLG_SCHEDULE_INTERLEAVED, 2, 1.0, 1.1, 0.9 },
  { "interleaved-4", PLG_SCHEDULE_INTERLEAVED, 4, 1.0, 1.1, 0.9 },
  { "zb-h1", PLG_SCHEDULE_ZB_H1, 1, 1.0, 1.2, 0.8 },
  { "zb-v", PLG_SCHEDULE_ZB_V, 2, 1.0, 1.0, 1.0 },
  { "dualpipe", PLG_SCHEDULE_DUALPIPE, 2, 1.0, 1.0, 1.0 },
};

static double
closed_bubble (const Case *c, int p)
{
  double both = c->forward + c->input + c->weight;

  switch (c->schedule)
    {
    case PLG_SCHEDULE_GPIPE:
    case PLG_SCHEDULE_1F1B:
    case PLG_SCHEDULE_INTERLEAVED:
      return (p - 1) * both / c->chunks;
    case PLG_SCHEDULE_ZB_H1:
      return (p - 1) * (c->forward + c->input - c->weight);
    case PLG_SCHEDULE_DUALPIPE:
      return (p / 2 - 1) * (both + c->input + c->weight - 3.0 * c->weight);
    case PLG_SCHEDULE_ZB_V:
    default:
      return 0.0;
    }
}

static gboolean
is_allowed (const Case *c, int p, int m)
{
  if (c->schedule == PLG_SCHEDULE_INTERLEAVED)
    return m % p == 0;
  if (c->schedule == PLG_SCHEDULE_DUALPIPE || c->schedule == PLG_SCHEDULE_ZB_V)
    return m >= 2 * p;
  return m >= p;
}

/* Each position of DualPipe holds a whole stage. */
static void
set_case (Fixture *fixture, const Case *c, int p, int m)
{
  double parts = c->schedule == PLG_SCHEDULE_DUALPIPE ? 1.0 : c->chunks;

  set_up (fixture, c->schedule, p, c->chunks, m);
  set_times (fixture, c->forward / parts, c->input / parts, c->weight / parts, 0.0);
}

static void
test_closed_forms (gconstpointer data)
{
  const Case *c = data;

  for (int p = 2; p <= 8; p *= 2)
    for (int m = 4; m <= 32; m += 4)
      {
        double work = m * (c->forward + c->input + c->weight);
        Fixture fixture;

        if (!is_allowed (c, p, m))
          continue;
        set_case (&fixture, c, p, m);
        simulate (&fixture);
        assert_close (fixture.result.length - work, closed_bubble (c, p));
        assert_close (fixture.result.idle_share, 1.0 - work / fixture.result.length);
        tear_down (&fixture);
      }
}

/* Each micro-batch runs forward and backward once on each of its positions, no stage runs two
 * blocks at once, and no block starts before its dependencies have ended. */
static void
test_blocks (gconstpointer data)
{
  const Case *c = data;
  double end[MAX_POSITIONS] = { 0 }, work[MAX_POSITIONS] = { 0 };
  int counted[4] = { 0 };
  int p = 4, m = 16;
  Fixture fixture;

  set_case (&fixture, c, p, m);
  simulate (&fixture);
  for (guint i = 0; i < fixture.blocks->len; i++)
    {
      const PlgBlock *b = block (&fixture, i);

      if (i > 0)
        g_assert_cmpfloat (b->start, >=, block (&fixture, i - 1)->start);
      g_assert_cmpfloat (b->start, >=, end[b->stage] - 1e-12);
      g_assert_cmpint (b->micro_batch, <, m);
      end[b->stage] = b->end;
      work[b->stage] += b->end - b->start;
      counted[b->kind]++;
    }
  for (int stage = 0; stage < p; stage++)
    assert_close (work[stage], m * (c->forward + c->input + c->weight));
  /* A micro-batch passes a stage once per chunk; each direction of DualPipe has half of the
   * micro-batches. */
  if (c->schedule == PLG_SCHEDULE_DUALPIPE)
    g_assert_cmpint (counted[PLG_BLOCK_FORWARD], ==, p * m);
  else
    g_assert_cmpint (counted[PLG_BLOCK_FORWARD], ==, p * m * c->chunks);
  g_assert_cmpint (counted[PLG_BLOCK_BACKWARD] + counted[PLG_BLOCK_BACKWARD_INPUT], ==,
                   counted[PLG_BLOCK_FORWARD]);
  g_assert_cmpint (counted[PLG_BLOCK_BACKWARD_WEIGHT], ==, counted[PLG_BLOCK_BACKWARD_INPUT]);
  tear_down (&fixture);
}

/* Returns the largest number of live chunks on STAGE: forward done, weight gradient not done. */
static int
most_alive (const Fixture *fixture, int stage)
{
  int alive = 0, most = 0;

  for (guint i = 0; i < fixture->blocks->len; i++)
    {
      const PlgBlock *b = block (fixture, i);

      if (b->stage != stage)
        continue;
      if (b->kind == PLG_BLOCK_FORWARD)
        alive++;
      else if (b->kind != PLG_BLOCK_BACKWARD_INPUT)
        alive--;
      most = MAX (most, alive);
    }
  g_assert_cmpint (alive, ==, 0);
  return most;
}

static void
test_in_flight (void)
{
  int p = 4, m = 16;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int stage = 0; stage < p; stage++)
      {
        int v = cases[i].chunks;
        const int expected[] = {
          [PLG_SCHEDULE_GPIPE] = m,
          [PLG_SCHEDULE_1F1B] = p - stage,
          [PLG_SCHEDULE_INTERLEAVED] = 2 * (p - stage - 1) + (v - 1) * p + 1,
          [PLG_SCHEDULE_ZB_H1] = p,
          [PLG_SCHEDULE_ZB_V] = 2 * p,
          [PLG_SCHEDULE_DUALPIPE] = p + 1,
        };
        Fixture fixture;

        set_case (&fixture, &cases[i], p, m);
        simulate (&fixture);
        g_assert_cmpint (most_alive (&fixture, stage), <=, expected[cases[i].schedule]);
        tear_down (&fixture);
      }
}

/* Times of all kinds of stages: uniform random, integers, which make many paths equally long,
 * one slow stage, or special outer stages. */
static double
pick_time (GRand *random, int kind, int i, int n, int slow)
{
  switch (kind)
    {
    case 0:
      return g_rand_double_range (random, 0.1, 2.0);
    case 1:
      return g_rand_int_range (random, 1, 4);
    case 2:
      return i == slow ? 1.3 : 1.0;
    case 3:
      return i == 0 || i == n - 1 ? g_rand_double_range (random, 1.0, 2.0) : 1.0;
    default:
      return 1.0;
    }
}

static void
pick_times (GRand *random, Fixture *fixture)
{
  static const double hops[] = { 0.0, 0.0, 0.01, 0.25, 1.0, 5.0 };
  int n = plg_pipeline_positions (&fixture->pipeline);
  int kind = g_rand_int_range (random, 0, 5), slow = g_rand_int_range (random, 0, n);
  double hop = hops[g_rand_int_range (random, 0, G_N_ELEMENTS (hops))];
  gboolean even = g_rand_boolean (random);

  fixture->pipeline.overlap = g_rand_boolean (random);
  for (int i = 0; i < n; i++)
    {
      PlgPosition *position = &fixture->positions[i];

      position->forward = pick_time (random, kind, i, n, slow);
      position->input = pick_time (random, kind, i, n, slow);
      position->weight = pick_time (random, kind, i, n, slow);
      position->hop = even ? hop : g_rand_double_range (random, 0.0, hop + 1e-9);
      if (plg_pipeline_is_last (&fixture->pipeline, i))
        position->hop = 0.0;
    }
}

/* Typical numbers of stages and micro-batches, and some large ones. */
static void
pick_size (GRand *random, const Case *c, int *p, int *m)
{
  *p = g_rand_int_range (random, 1, 9);
  *m = g_rand_int_range (random, 1, g_rand_boolean (random) ? 16 : 240);
  if (c->schedule == PLG_SCHEDULE_INTERLEAVED)
    *m = *p * (1 + *m / *p);
  if (c->schedule == PLG_SCHEDULE_DUALPIPE)
    {
      *p = 2 * (1 + *p / 3);
      *m = 2 * (*p + *m / 2);
    }
}

static void
assert_same_totals (const Fixture *fixture, const PlgStageSpan *spans, PlgPipelineResult result)
{
  assert_close (result.length, fixture->result.length);
  assert_close (result.idle_share, fixture->result.idle_share);
  for (int stage = 0; stage < fixture->pipeline.stages; stage++)
    {
      assert_close (spans[stage].start, fixture->spans[stage].start);
      assert_close (spans[stage].finish, fixture->spans[stage].finish);
      assert_close (spans[stage].busy, fixture->spans[stage].busy);
    }
}

/* The length without blocks equals the simulation, with messages and without. */
static void
test_totals_are_simulation (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < 1500; i++)
    {
      PlgStageSpan spans[MAX_POSITIONS];
      PlgPipelineResult result;
      Fixture fixture;
      int p, m;

      pick_size (random, c, &p, &m);
      set_case (&fixture, c, p, m);
      pick_times (random, &fixture);
      simulate (&fixture);
      plg_pipeline_length (&fixture.pipeline, fixture.blocks, spans, &result);
      assert_same_totals (&fixture, spans, result);
      g_assert_cmpuint (fixture.blocks->len, ==, 0);
      for (int j = 0; j < plg_pipeline_positions (&fixture.pipeline); j++)
        fixture.positions[j].hop = 0.0;
      simulate (&fixture);
      assert_close (result.length_compute_only, fixture.result.length);
      tear_down (&fixture);
    }
}

/* The numbers of stages and micro-batches of large plans. */
static void
test_many (gconstpointer data)
{
  static const struct
  {
    int p, m;
  } sizes[] = { { 2, 4000 }, { 16, 1024 }, { 32, 320 } };
  const Case *c = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (8);

  for (guint i = 0; i < 4 * G_N_ELEMENTS (sizes); i++)
    {
      PlgStageSpan spans[MAX_POSITIONS];
      PlgPipelineResult result;
      Fixture fixture;

      set_case (&fixture, c, sizes[i / 4].p, sizes[i / 4].m);
      pick_times (random, &fixture);
      simulate (&fixture);
      plg_pipeline_length (&fixture.pipeline, fixture.blocks, spans, &result);
      assert_same_totals (&fixture, spans, result);
      tear_down (&fixture);
    }
}

/* More micro-batches share the idle time at the ends of a pipeline: the idle share never grows,
 * even with unequal stages. */
static void
test_more_micro_batches (gconstpointer data)
{
  const Case *c = data;

  for (int i = 0; i < 60; i++)
    {
      int p = 2 * (1 + i % 4);
      double before = 1.0;

      for (int m = 2 * p; m < 400; m *= 2)
        {
          g_autoptr (GRand) random = g_rand_new_with_seed (i);
          PlgStageSpan spans[MAX_POSITIONS];
          PlgPipelineResult result;
          Fixture fixture;

          set_case (&fixture, c, p, m);
          pick_times (random, &fixture);
          plg_pipeline_length (&fixture.pipeline, fixture.blocks, spans, &result);
          g_assert_cmpfloat (result.idle_share, <=, before + 1e-12);
          before = result.idle_share;
          tear_down (&fixture);
        }
    }
}

static void
test_one_stage (void)
{
  Fixture fixture;

  set_up (&fixture, PLG_SCHEDULE_1F1B, 1, 1, 5);
  set_times (&fixture, 1.0, 1.0, 1.0, 0.0);
  simulate (&fixture);
  assert_close (fixture.result.length, 15.0);
  assert_close (fixture.result.idle_share, 0.0);
  g_assert_cmpuint (fixture.blocks->len, ==, 10);
  tear_down (&fixture);
}

/* Fewer micro-batches than stages still run, and take at least as long as one micro-batch
 * through all stages and back. */
static void
test_few_micro_batches (gconstpointer data)
{
  const Case *c = data;
  Fixture fixture;

  if (c->schedule == PLG_SCHEDULE_DUALPIPE || c->schedule == PLG_SCHEDULE_INTERLEAVED)
    return;
  set_case (&fixture, c, 8, 2);
  simulate (&fixture);
  g_assert_cmpfloat (fixture.result.length, >=, 8.0 * (c->forward + c->input) - 1e-9);
  tear_down (&fixture);
}

/* Messages with overlap cost less, but always something with one micro-batch in flight. */
static void
test_messages (void)
{
  double length[3];

  for (int i = 0; i < 3; i++)
    {
      Fixture fixture;

      set_up (&fixture, PLG_SCHEDULE_INTERLEAVED, 4, 2, 16);
      set_times (&fixture, 1.0, 1.0, 1.0, i == 0 ? 0.0 : 0.1);
      fixture.pipeline.overlap = i == 1;
      simulate (&fixture);
      length[i] = fixture.result.length;
      tear_down (&fixture);
    }
  g_assert_cmpfloat (length[0], <, length[1]);
  g_assert_cmpfloat (length[1], <, length[2]);
}

static void
test_too_many (void)
{
  PlgPipelineResult result;
  Fixture fixture;

  set_up (&fixture, PLG_SCHEDULE_1F1B, 4, 1, 2000000);
  set_times (&fixture, 1.0, 1.0, 1.0, 0.0);
  g_assert_false (plg_pipeline_simulate (&fixture.pipeline, fixture.blocks, fixture.spans,
                                         &result));
  g_assert_cmpuint (fixture.blocks->len, ==, 0);
  plg_pipeline_length (&fixture.pipeline, fixture.blocks, fixture.spans, &result);
  assert_close (result.length, 3.0 * (2000000 + 3));
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      static const struct
      {
        const char *name;
        GTestDataFunc function;
      } tests[] = {
        { "closed-form", test_closed_forms },
        { "blocks", test_blocks },
        { "totals", test_totals_are_simulation },
        { "many", test_many },
        { "more-micro-batches", test_more_micro_batches },
        { "few-micro-batches", test_few_micro_batches },
      };

      for (guint j = 0; j < G_N_ELEMENTS (tests); j++)
        {
          g_autofree char *path = g_strdup_printf ("/engine/schedule/%s/%s", cases[i].name,
                                                   tests[j].name);

          g_test_add_data_func (path, &cases[i], tests[j].function);
        }
    }
  g_test_add_func ("/engine/schedule/in-flight", test_in_flight);
  g_test_add_func ("/engine/schedule/one-stage", test_one_stage);
  g_test_add_func ("/engine/schedule/messages", test_messages);
  g_test_add_func ("/engine/schedule/too-many", test_too_many);
  return g_test_run ();
}
