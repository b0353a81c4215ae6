/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders of the schedules against the published ones, and their memory. */
#include "engine/model/memory.h"
#include "engine/schedule/schedule.h"

#include "plans.h"

#define MAX_POSITIONS 64

/* The order of each stage in the notation of the papers with the micro-batch at the end: F
 * forward, I backward for inputs, W for weights, B for both; then the chunk. */
typedef struct
{
  GString *stage[MAX_POSITIONS];
} Orders;

static void
orders_init (Orders *orders, int stages)
{
  *orders = (Orders) { 0 };
  for (int i = 0; i < stages; i++)
    orders->stage[i] = g_string_new (NULL);
}

static void
orders_clear (Orders *orders)
{
  for (int i = 0; i < MAX_POSITIONS && orders->stage[i] != NULL; i++)
    g_string_free (orders->stage[i], TRUE);
}

/* DualPipe's chunks 0 and 1 are the directions, each with its own count of micro-batches. */
static void
simulate (PlgSchedule schedule, int stages, int chunks, int m, GArray *blocks)
{
  PlgPosition positions[MAX_POSITIONS];
  PlgPipeline pipeline = { .schedule = schedule,
                           .stages = stages,
                           .chunks = chunks,
                           .micro_batches = m,
                           .positions = positions };
  PlgPipelineResult result;

  for (int i = 0; i < MAX_POSITIONS; i++)
    positions[i] = (PlgPosition) { 1.0, 1.0, 1.0, 0.0 };
  g_assert_true (plg_pipeline_simulate (&pipeline, blocks, NULL, &result));
}

static void
simulated_orders (PlgSchedule schedule, int stages, int chunks, int m, Orders *orders)
{
  static const char letters[] = { [PLG_BLOCK_FORWARD] = 'F',
                                  [PLG_BLOCK_BACKWARD] = 'B',
                                  [PLG_BLOCK_BACKWARD_INPUT] = 'I',
                                  [PLG_BLOCK_BACKWARD_WEIGHT] = 'W' };
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (PlgBlock));
  gboolean dual = schedule == PLG_SCHEDULE_DUALPIPE;

  orders_init (orders, stages);
  simulate (schedule, stages, chunks, m, blocks);
  for (guint i = 0; i < blocks->len; i++)
    {
      const PlgBlock *b = &g_array_index (blocks, PlgBlock, i);

      g_string_append_printf (orders->stage[b->stage], "%c%d.%d ", letters[b->kind], b->chunk,
                              b->micro_batch - (dual && b->chunk == 1 ? m / 2 : 0));
    }
}

/* A stage that records its order, counts micro-batches and keeps weight gradients in a queue,
 * like the published programs. */
typedef struct
{
  GString *text;
  int limit;       /* later micro-batches are omitted */
  int flip;        /* 1: the chunks swap names */
  int next[2][3];  /* by chunk: F, B or I, W */
  GQueue deferred; /* chunk of each deferred weight gradient */
} OrderRecorder;

static void
put (OrderRecorder *recorder, char letter, int chunk)
{
  int pass = letter == 'F' ? 0 : letter == 'W' ? 2 : 1;
  int micro_batch = recorder->next[chunk][pass]++;

  if (letter == 'B')
    recorder->next[chunk][2]++;
  if (micro_batch < recorder->limit)
    g_string_append_printf (recorder->text, "%c%d.%d ", letter, chunk ^ recorder->flip,
                            micro_batch);
}

static void
forward (OrderRecorder *recorder, int phase)
{
  put (recorder, 'F', phase);
}

static void
backward (OrderRecorder *recorder, int phase, gboolean zero_bubble)
{
  put (recorder, zero_bubble ? 'I' : 'B', phase);
  if (zero_bubble)
    g_queue_push_tail (&recorder->deferred, GINT_TO_POINTER (phase));
}

static void
weight (OrderRecorder *recorder)
{
  put (recorder, 'W', GPOINTER_TO_INT (g_queue_pop_head (&recorder->deferred)));
}

/* The steps of DualPipe.step(), github.com/deepseek-ai/DualPipe, dualpipe/dualpipe.py. */
static void
dualpipe_stage (OrderRecorder *recorder, int ranks, int chunks, int rank)
{
  int half = ranks / 2, r = MIN (rank, ranks - 1 - rank), outside = half - r - 1;
  gboolean zero_bubble = FALSE;

  for (int i = 0; i < 2 * outside; i++)
    forward (recorder, 0);
  for (int i = 0; i < r + 1; i++)
    {
      forward (recorder, 0);
      forward (recorder, 1);
    }
  for (int i = 0; i < outside; i++)
    {
      backward (recorder, 1, TRUE);
      weight (recorder);
      forward (recorder, 1);
    }
  for (int i = 0; i < chunks / 2 - ranks + r + 1; i++)
    {
      forward (recorder, 0);
      backward (recorder, 1, FALSE);
      forward (recorder, 1);
      backward (recorder, 0, FALSE);
    }
  for (int i = 0; i < outside; i++)
    {
      backward (recorder, 1, FALSE);
      forward (recorder, 1);
      backward (recorder, 0, FALSE);
    }
  for (int i = 0; i < r + 1; i++)
    {
      zero_bubble = zero_bubble || (i == (r + 1) / 2 && r % 2 == 1);
      backward (recorder, 1, zero_bubble);
      zero_bubble = zero_bubble || (i == (r + 1) / 2 && r % 2 == 0);
      backward (recorder, 0, zero_bubble);
    }
  for (int i = 0; i < outside; i++)
    {
      weight (recorder);
      backward (recorder, 0, TRUE);
    }
  for (int i = 0; i < r + 1; i++)
    weight (recorder);
  g_assert_true (g_queue_is_empty (&recorder->deferred));
}

/* PyTorch, torch/distributed/pipelining/schedules.py, ScheduleZBVZeroBubble. */
static void
zb_v_stage (OrderRecorder *recorder, int p, int m, int r)
{
  int n = MAX (m, 2 * p - 1);

  for (int i = 0; i < 2 * (p - r) - 1; i++)
    put (recorder, 'F', 0);
  for (int i = 0; i < r; i++)
    {
      put (recorder, 'F', 1);
      put (recorder, 'F', 0);
    }
  for (int i = 0; i < p - r; i++)
    {
      put (recorder, 'F', 1);
      put (recorder, 'I', 1);
      put (recorder, 'W', 1);
    }
  while (recorder->next[1][0] < recorder->next[0][0] || recorder->next[0][0] < n)
    {
      if (recorder->next[0][0] < n)
        put (recorder, 'F', 0);
      put (recorder, 'I', 0);
      put (recorder, 'W', 0);
      put (recorder, 'F', 1);
      put (recorder, 'I', 1);
      put (recorder, 'W', 1);
    }
  for (int i = 0; i < r; i++)
    {
      put (recorder, 'I', 0);
      put (recorder, 'I', 1);
    }
  for (int i = 0; i < p - r; i++)
    {
      put (recorder, 'I', 0);
      put (recorder, 'W', 0);
    }
  for (int chunk = 1; chunk >= 0; chunk--)
    while (recorder->next[chunk][2] < recorder->next[chunk][1])
      put (recorder, 'W', chunk);
}

static void
assert_published (PlgSchedule schedule, int p, int m)
{
  gboolean dual = schedule == PLG_SCHEDULE_DUALPIPE;
  Orders orders;

  simulated_orders (schedule, p, 2, m, &orders);
  for (int r = 0; r < p; r++)
    {
      g_autoptr (GString) wanted = g_string_new (NULL);
      OrderRecorder recorder = { .text = wanted, .limit = m, .flip = dual && r >= p / 2 ? 1 : 0 };

      if (dual)
        dualpipe_stage (&recorder, p, m, r);
      else
        zb_v_stage (&recorder, p, m, r);
      g_assert_cmpstr (orders.stage[r]->str, ==, wanted->str);
    }
  orders_clear (&orders);
}

static void
test_dualpipe (void)
{
  for (int p = 2; p <= 12; p += 2)
    for (int m = 2 * p; m <= 2 * p + 12; m += 2)
      assert_published (PLG_SCHEDULE_DUALPIPE, p, m);
}

static void
test_zb_v (void)
{
  for (int p = 2; p <= 9; p++)
    for (int m = 1; m <= 3 * p; m++)
      assert_published (PLG_SCHEDULE_ZB_V, p, m);
}

/* Small orders, worked by hand from the rules in the papers. */
static void
test_by_hand (void)
{
  static const struct
  {
    PlgSchedule schedule;
    int chunks, m, stage; /* a plan of 2 stages */
    const char *order;
  } rows[] = {
    { PLG_SCHEDULE_GPIPE, 1, 3, 0, "F0.0 F0.1 F0.2 B0.0 B0.1 B0.2 " },
    { PLG_SCHEDULE_1F1B, 1, 3, 0, "F0.0 F0.1 B0.0 F0.2 B0.1 B0.2 " },
    { PLG_SCHEDULE_1F1B, 1, 3, 1, "F0.0 B0.0 F0.1 B0.1 F0.2 B0.2 " },
    /* Warm-up of 2 (p - r - 1) + (v - 1) p blocks: 4 on the first stage, 2 on the second. */
    { PLG_SCHEDULE_INTERLEAVED, 2, 4, 0,
      "F0.0 F0.1 F1.0 F1.1 F0.2 B1.0 F0.3 B1.1 F1.2 B0.0 F1.3 B0.1 B1.2 B1.3 B0.2 B0.3 " },
    { PLG_SCHEDULE_INTERLEAVED, 2, 4, 1,
      "F0.0 F0.1 F1.0 B1.0 F1.1 B1.1 F0.2 B0.0 F0.3 B0.1 F1.2 B1.2 F1.3 B1.3 B0.2 B0.3 " },
    /* The second stage defers weight gradients by one. */
    { PLG_SCHEDULE_ZB_H1, 1, 3, 0, "F0.0 F0.1 I0.0 W0.0 F0.2 I0.1 W0.1 I0.2 W0.2 " },
    { PLG_SCHEDULE_ZB_H1, 1, 3, 1, "F0.0 I0.0 F0.1 I0.1 W0.0 F0.2 I0.2 W0.1 W0.2 " },
    { PLG_SCHEDULE_ZB_V, 2, 3, 0,
      "F0.0 F0.1 F0.2 F1.0 I1.0 W1.0 F1.1 I1.1 W1.1 I0.0 W0.0 F1.2 I1.2 W1.2 I0.1 W0.1 I0.2 "
      "W0.2 " },
    { PLG_SCHEDULE_DUALPIPE, 2, 4, 0, "F0.0 F1.0 F0.1 B1.0 F1.1 B0.0 B1.1 I0.1 W0.1 " },
    { PLG_SCHEDULE_DUALPIPE, 2, 4, 1, "F1.0 F0.0 F1.1 B0.0 F0.1 B1.0 B0.1 I1.1 W1.1 " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Orders orders;

      simulated_orders (rows[i].schedule, 2, rows[i].chunks, rows[i].m, &orders);
      g_assert_cmpstr (orders.stage[rows[i].stage]->str, ==, rows[i].order);
      orders_clear (&orders);
    }
}

/* Returns the largest number of live blocks on STAGE: forward started, weight gradient not
 * finished. */
static int
most_alive (const GArray *blocks, int stage)
{
  int alive = 0, most = 0;

  for (guint i = 0; i < blocks->len; i++)
    {
      const PlgBlock *b = &g_array_index (blocks, PlgBlock, i);

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

/* The memory model allows for the live blocks of the order. With so few micro-batches that zb-v
 * omits parts of its order, some stages hold less. */
static void
test_in_flight (void)
{
  static const struct
  {
    const char *name;
    int chunks;   /* in the plan */
    double whole; /* blocks per stage and micro-batch */
    double least; /* micro-batches per stage */
  } rows[] = {
    { "gpipe", 1, 1.0, 0.25 },      { "1f1b", 1, 1.0, 0.25 },  { "interleaved", 2, 2.0, 1.0 },
    { "interleaved", 4, 4.0, 1.0 }, { "zb-h1", 1, 1.0, 0.25 }, { "zb-v", 1, 2.0, 2.0 },
    { "dualpipe", 1, 1.0, 2.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (int p = 2; p <= 8; p *= 2)
      for (int m = MAX (rows[i].least * p, 1); m <= 8 * p; m *= 2)
        {
          g_autofree char *edits =
              g_strdup_printf ("cluster.nodes=%d parallelism.tp=8 parallelism.pp=%d "
                               "parallelism.dp=1 training.global-batch=%d training.schedule=%s "
                               "parallelism.chunks=%d",
                               p, p, m, rows[i].name, rows[i].chunks);
          g_autoptr (PlgPlan) plan = teaching_plan ();
          g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (PlgBlock));
          PlgPipeline pipeline;

          change (plan, edits);
          plg_pipeline_init (&pipeline, plan);
          simulate (pipeline.schedule, p, pipeline.chunks, m, blocks);
          for (int stage = 0; stage < p; stage++)
            {
              double held = most_alive (blocks, stage) / rows[i].whole;

              g_test_message ("%s, p %d, m %d, stage %d", rows[i].name, p, m, stage);
              g_assert_cmpfloat (held, ==, plg_stage_in_flight (plan, stage));
            }
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/schedule-order/dualpipe", test_dualpipe);
  g_test_add_func ("/engine/schedule-order/zb-v", test_zb_v);
  g_test_add_func ("/engine/schedule-order/by-hand", test_by_hand);
  g_test_add_func ("/engine/schedule-order/in-flight", test_in_flight);
  return g_test_run ();
}
