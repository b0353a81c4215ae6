/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes, memory and time are conserved, on many random plans. */
#include "random-plan.h"

#include "engine/model/flops.h"
#include "engine/workload.h"

#define PLANS 150

typedef struct
{
  double out;
  double in;
} Flow;

static gboolean
joins_two_gpus (const PlgLink *link)
{
  return link->tier == PLG_TIER_NVLINK && link->other >= 0;
}

/* Adds up the load of COLLECTIVE on all links of TIER. A link between two GPUs counts for both. */
static Flow
flow_of (const PlgReport *report, PlgTier tier, guint collective)
{
  Flow flow = { 0 };

  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      for (int j = 0; link->tier == tier && j < link->n_shares; j++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + j);

          if (share->collective != (int) collective)
            continue;
          flow.out += share->bytes_out + (joins_two_gpus (link) ? share->bytes_in : 0.0);
          flow.in += share->bytes_in + (joins_two_gpus (link) ? share->bytes_out : 0.0);
        }
    }
  return flow;
}

/* With PCIe only, all traffic of a GPU crosses PCIe; elsewhere only traffic that leaves the node
 * does, and all of it also crosses the NICs. */
static Flow
flow_of_gpus (const PlgPlan *plan, const PlgReport *report, guint collective)
{
  Flow inside = flow_of (report, PLG_TIER_NVLINK, collective);
  Flow pcie = flow_of (report, PLG_TIER_PCIE, collective);
  Flow nic = flow_of (report, PLG_TIER_NIC, collective);
  Flow spine = flow_of (report, PLG_TIER_SPINE, collective);

  if (plan->cluster.intra == PLG_INTRA_PCIE)
    g_assert_cmpfloat (inside.out, ==, 0.0);
  else
    assert_near (pcie.out, nic.out, 1e-9);
  assert_near (inside.in, inside.out, 1e-9);
  assert_near (pcie.in, pcie.out, 1e-9);
  assert_near (nic.in, nic.out, 1e-9);
  assert_near (spine.in, spine.out, 1e-9);
  g_assert_cmpfloat (nic.out, <=, (pcie.out + 1.0) * (1.0 + 1e-9));
  g_assert_cmpfloat (spine.out, <=, (nic.out + 1.0) * (1.0 + 1e-9));
  return (Flow) { inside.out + pcie.out, inside.in + pcie.in };
}

/* Counts the sets of activations that a micro-batch sends over stage boundaries in the forward
 * pass. */
static double
sent_sets (const PlgPlan *plan)
{
  int boundaries = plan->parallelism.degree[PLG_AXIS_PP] - 1;
  double sets = 0.0;

  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    boundaries = plan->parallelism.degree[PLG_AXIS_PP] * plan->parallelism.chunks - 1;
  else if (plan->training.schedule == PLG_SCHEDULE_ZB_V) /* the turn of the V is no boundary */
    boundaries *= 2;
  for (int i = 0; i < boundaries; i++)
    sets += plg_message_sets (plan, i);
  return sets;
}

static gboolean
is_message (const PlgCollective *row)
{
  return row->axis == PLG_AXIS_PP && row->kind == PLG_COLLECTIVE_SEND_RECV;
}

/* The links carry the bytes of the table for all GPUs. Rows are for the busiest stage: with one
 * stage they apply to each GPU, with several stages only to the sum. */
static void
check_bytes (const PlgPlan *plan, const PlgReport *report)
{
  double stages = plan->parallelism.degree[PLG_AXIS_PP];
  double stage_gpus = report->world_size / stages;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
      Flow flow = flow_of_gpus (plan, report, i);

      assert_near (flow.out, flow.in, 1e-9);
      if (is_message (row))
        assert_near (flow.out,
                     2.0 * report->micro_batches * sent_sets (plan) * stage_gpus *
                         plg_message_bytes (plan),
                     1e-9);
      else if (stages == 1.0)
        assert_near (flow.out, stage_gpus * row->bytes_sent, 1e-9);
      else
        g_assert_cmpfloat (flow.out, >=, stage_gpus * row->bytes_sent * (1.0 - 1e-9));
    }
}

static void
check_memory (const PlgReport *report)
{
  double peak = 0.0;

  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);
      const double parts[] = { stage->weights,     stage->gradients, stage->optimizer,
                               stage->activations, stage->buffers,   stage->runtime };
      double sum = 0.0;

      for (guint j = 0; j < G_N_ELEMENTS (parts); j++)
        {
          g_assert_true (isfinite (parts[j]));
          g_assert_cmpfloat (parts[j], >=, 0.0);
          sum += parts[j];
        }
      assert_near (stage->total, sum, 1e-12);
      peak = MAX (peak, stage->total);
    }
  g_assert_cmpfloat (report->memory_peak, ==, peak);
  g_assert_cmpint (report->fits, ==, peak <= report->memory_capacity);
}

static void
test_bytes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (31);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = report_of (plan);

      check_bytes (plan, report);
    }
}

/* A ring of keys and values over two nodes of 16 GPUs in a mesh: 450 GB/s over 15 pairs are 30
 * per pair, less than the 50 of a NIC, so pairs determine the speed. */
static void
test_narrow_pairs (void)
{
  g_autoptr (PlgReport) report = report_with (
      "cluster.nodes=2 cluster.gpus-per-node=16 cluster.nics-per-node=16 cluster.intra=mesh "
      "parallelism.tp=1 parallelism.cp=8 parallelism.pp=1 parallelism.order=dp-cp-tp-pp");
  const PlgCollective *ring = find_collective (report, PLG_AXIS_CP, PLG_COLLECTIVE_SEND_RECV);

  /* The start of a call takes additional time. */
  g_assert_cmpfloat (ring->time, >=, ring->bytes_sent / (450e9 / 15.0 * 0.815));
  assert_near (ring->time, ring->bytes_sent / (450e9 / 15.0 * 0.815), 0.1);
  g_assert_cmpint (ring->nodes_spanned, ==, 2);
}

static void
test_memory (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (32);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = report_of (plan);

      check_memory (report);
    }
}

/* Each block of the timeline appears once, and together the blocks are the work of the stages. */
static void
test_blocks (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (33);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = report_of (plan);
      int stages = plan->parallelism.degree[PLG_AXIS_PP], forward = 0, backward = 0, weight = 0;
      int chunks = plan->training.schedule == PLG_SCHEDULE_ZB_V ? 2 : plan->parallelism.chunks;

      for (guint j = 0; j < report->blocks->len; j++)
        {
          const PlgBlock *block = &g_array_index (report->blocks, PlgBlock, j);

          /* A chunk without layers takes no time. */
          g_assert_cmpfloat (block->end, >=, block->start);
          /* The stages of zb-v start with offsets, and start the next step with the same
           * offsets. */
          if (plan->training.schedule != PLG_SCHEDULE_ZB_V)
            g_assert_cmpfloat (block->end, <=, report->step.time * (1.0 + 1e-9));
          forward += block->kind == PLG_BLOCK_FORWARD;
          backward += block->kind == PLG_BLOCK_BACKWARD || block->kind == PLG_BLOCK_BACKWARD_INPUT;
          weight += block->kind == PLG_BLOCK_BACKWARD_WEIGHT;
        }
      if (stages == 1)
        chunks = 1;
      g_assert_cmpint (forward, ==, stages * chunks * report->micro_batches);
      g_assert_cmpint (backward, ==, forward);
      g_assert_cmpint (weight, <=, forward);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/conservation/bytes", test_bytes);
  g_test_add_func ("/conservation/narrow-pairs", test_narrow_pairs);
  g_test_add_func ("/conservation/memory", test_memory);
  g_test_add_func ("/conservation/blocks", test_blocks);
  return g_test_run ();
}
