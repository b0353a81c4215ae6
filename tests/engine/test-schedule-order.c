/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders of the schedules against what was published, and what they hold in memory. */
#include "engine/model/memory.h"
#include "engine/schedule/schedule.h"

#include "plans.h"

#define MAX_POSITIONS 64

/* What each stage does, in the notation of the published orders with the micro-batch behind: F
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

/* DualPipe's chunk 0 and 1 are the directions, with micro-batches counted apart. */
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

/* A stage that writes down its order while it counts micro-batches and keeps weight gradients in a
 * queue, as the published programs do. */
typedef struct
{
  GString *text;
  int limit;       /* micro-batches beyond are left out */
  int flip;        /* 1: the chunks change names */
  int next[2][3];  /* by chunk: F, B or I, W */
  GQueue deferred; /* chunk, of weight gradients put off */
} Scribe;

static void
put (Scribe *scribe, char letter, int chunk)
{
  int deed = letter == 'F' ? 0 : letter == 'W' ? 2 : 1;
  int micro_batch = scribe->next[chunk][deed]++;

  if (letter == 'B')
    scribe->next[chunk][2]++;
  if (micro_batch < scribe->limit)
    g_string_append_printf (scribe->text, "%c%d.%d ", letter, chunk ^ scribe->flip, micro_batch);
}

static void
forward (Scribe *scribe, int phase)
{
  put (scribe, 'F', phase);
}

static void
backward (Scribe *scribe, int phase, gboolean zero_bubble)
{
  put (scribe, zero_bubble ? 'I' : 'B', phase);
  if (zero_bubble)
    g_queue_push_tail (&scribe->deferred, GINT_TO_POINTER (phase));
}

static void
weight (Scribe *scribe)
{
  put (scribe, 'W', GPOINTER_TO_INT (g_queue_pop_head (&scribe->deferred)));
}

/* The steps of DualPipe.step(), github.com/deepseek-ai/DualPipe, dualpipe/dualpipe.py. */
static void
dualpipe_stage (Scribe *scribe, int ranks, int chunks, int rank)
{
  int half = ranks / 2, r = MIN (rank, ranks - 1 - rank), outside = half - r - 1;
  gboolean zero_bubble = FALSE;

  for (int i = 0; i < 2 * outside; i++)
    forward (scribe, 0);
  for (int i = 0; i < r + 1; i++)
    {
      forward (scribe, 0);
      forward (scribe, 1);
    }
  for (int i = 0; i < outside; i++)
    {
      backward (scribe, 1, TRUE);
      weight (scribe);
      forward (scribe, 1);
    }
  for (int i = 0; i < chunks / 2 - ranks + r + 1; i++)
    {
      forward (scribe, 0);
      backward (scribe, 1, FALSE);
      forward (scribe, 1);
      backward (scribe, 0, FALSE);
    }
  for (int i = 0; i < outside; i++)
    {
      backward (scribe, 1, FALSE);
      forward (scribe, 1);
      backward (scribe, 0, FALSE);
    }
  for (int i = 0; i < r + 1; i++)
    {
      zero_bubble = zero_bubble || (i == (r + 1) / 2 && r % 2 == 1);
      backward (scribe, 1, zero_bubble);
      zero_bubble = zero_bubble || (i == (r + 1) / 2 && r % 2 == 0);
      backward (scribe, 0, zero_bubble);
    }
  for (int i = 0; i < outside; i++)
    {
      weight (scribe);
      backward (scribe, 0, TRUE);
    }
  for (int i = 0; i < r + 1; i++)
    weight (scribe);
  g_assert_true (g_queue_is_empty (&scribe->deferred));
}

/* PyTorch, torch/distributed/pipelining/schedules.py, ScheduleZBVZeroBubble. */
static void
zb_v_stage (Scribe *scribe, int p, int m, int r)
{
  int n = MAX (m, 2 * p - 1);

  for (int i = 0; i < 2 * (p - r) - 1; i++)
    put (scribe, 'F', 0);
  for (int i = 0; i < r; i++)
    {
      put (scribe, 'F', 1);
      put (scribe, 'F', 0);
    }
  for (int i = 0; i < p - r; i++)
    {
      put (scribe, 'F', 1);
      put (scribe, 'I', 1);
      put (scribe, 'W', 1);
    }
  while (scribe->next[1][0] < scribe->next[0][0] || scribe->next[0][0] < n)
    {
      if (scribe->next[0][0] < n)
        put (scribe, 'F', 0);
      put (scribe, 'I', 0);
      put (scribe, 'W', 0);
      put (scribe, 'F', 1);
      put (scribe, 'I', 1);
      put (scribe, 'W', 1);
    }
  for (int i = 0; i < r; i++)
    {
      put (scribe, 'I', 0);
      put (scribe, 'I', 1);
    }
  for (int i = 0; i < p - r; i++)
    {
      put (scribe, 'I', 0);
      put (scribe, 'W', 0);
    }
  for (int chunk = 1; chunk >= 0; chunk--)
    while (scribe->next[chunk][2] < scribe->next[chunk][1])
      put (scribe, 'W', chunk);
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
      Scribe scribe = { .text = wanted, .limit = m, .flip = dual && r >= p / 2 ? 1 : 0 };

      if (dual)
        dualpipe_stage (&scribe, p, m, r);
      else
        zb_v_stage (&scribe, p, m, r);
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

/* Small ones, worked by hand from the papers' rules. */
static void
test_by_hand (void)
{
  static const struct
  {
    PlgSchedule schedule;
    int chunks, m, stage; /* of 2 stages */
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
    /* The second stage puts weight gradients off by one. */
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

/* Blocks alive at once on STAGE: forward done or under way, weight gradient not. */
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

/* What memory is planned for is what the order of blocks holds. With so few micro-batches that zb-v
 * leaves out some of its order, it holds less on some stages than is planned. */
static void
test_in_flight (void)
{
  static const struct
  {
    const char *name;
    int chunks;   /* in the plan */
    double whole; /* blocks that make a stage for a micro-batch */
    double least; /* micro-batches a stage */
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
  g_test_add_func ("/engine/order/dualpipe", test_dualpipe);
  g_test_add_func ("/engine/order/zb-v", test_zb_v);
  g_test_add_func ("/engine/order/by-hand", test_by_hand);
  g_test_add_func ("/engine/order/in-flight", test_in_flight);
  return g_test_run ();
}
