/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and activations in the memory of the host. */
#include "engine/model/offload.h"

#include "engine/model/kernel.h"
#include "engine/model/memory.h"
#include "engine/report/explanation.h"
#include "engine/report/redaction.h"
#include "engine/search/quick-search.h"
#include "plan/quantity.h"
#include "random-plan.h"

#include <string.h>

#define PLANS 1000

static const PlgExplanation *
explanation_of (GArray *list, const char *id)
{
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (g_array_index (list, PlgExplanation, i).id, id))
      return &g_array_index (list, PlgExplanation, i);
  g_error ("no explanation \"%s\"", id);
}

/* A host with 100 GB/s of memory and a link of 50 GB/s per GPU. */
static PlgPlan *
offloading_plan (double share)
{
  PlgPlan *plan = teaching_plan ();

  plan->parallelism.zero = 1;
  plan->cluster.host_memory_bandwidth = 100e9;
  plan->cluster.host_bandwidth = 50e9;
  plan->training.offload_optimizer = share;
  return plan;
}

/* One billion parameters, half of them on the CPU: 0.5e9 · 4 / (0.78 · 50e9) on the link in each
 * direction, and 0.5e9 · 28 / (0.43 · 100e9) for the update. */
static void
test_update (void)
{
  const double link = 2.0 / 39.0, host = 14.0 / 43.0;
  g_autoptr (PlgPlan) plan = offloading_plan (0.5);
  const double batches = plg_plan_micro_batches (plan);
  PlgOptimizerUpdate update = plg_optimizer_update (plan, 1e9, 1e9, 0.015 * batches);

  /* Megatron-LM overlaps the three. */
  g_assert_cmpfloat (update.gpu, ==, plg_optimizer_time (plan, 0.5e9, 1e9));
  assert_near (update.to_host, link, 1e-12);
  assert_near (update.late, link, 1e-12);
  assert_near (update.to_gpu, link, 1e-12);
  assert_near (update.host, host, 1e-12);
  assert_near (update.time, host, 1e-12);

  /* DeepSpeed with ZeRO 2 hides transfers of gradients behind all backward passes but the last one.
   * Backward passes take two thirds of the schedule. */
  plan->training.program = PLG_PROGRAM_DEEPSPEED;
  update = plg_optimizer_update (plan, 1e9, 1e9, 0.015 * batches);
  assert_near (update.late, link, 1e-12);
  assert_near (update.time, 2.0 * link + host, 1e-12);
  plan->parallelism.zero = 2;
  update = plg_optimizer_update (plan, 1e9, 1e9, 0.015 * batches);
  assert_near (update.to_host, batches * link, 1e-12);
  assert_near (update.late, batches * link - (batches - 1.0) * 0.01, 1e-12);
  assert_near (update.time, update.late + host + link, 1e-12);
  update = plg_optimizer_update (plan, 1e9, 1e9, batches);
  g_assert_cmpfloat (update.late, ==, 0.0);

  /* The plain program does one after the other. */
  plan->training.program = PLG_PROGRAM_PLAIN;
  update = plg_optimizer_update (plan, 1e9, 1e9, 1.0);
  assert_near (update.time, 2.0 * link + host, 1e-12);

  /* The GPU has the rest of the work, which takes longer if the share is small. */
  plan->training.offload_optimizer = 1e-6;
  update = plg_optimizer_update (plan, 1e9, 1e9, 1.0);
  g_assert_cmpfloat (update.time, ==, update.gpu);
}

/* ZeRO-Offload, arXiv 2101.06840, table 4: CPUAdam updates 10 billion parameters in 2.57 s on the
 * two sockets of a DGX-2. */
static void
test_measured_update (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (1.0);

  plan->cluster.host_memory_bandwidth = 256e9;
  assert_near (plg_optimizer_update (plan, 10e9, 10e9, 0.0).host, 2.57, 0.02);
}

/* A share of the state leaves the GPU and takes 16 bytes per parameter on the host. DeepSpeed's
 * sharded gradients leave, too. */
static void
test_memory (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (0.0);
  PlgStageMemory before[4], after[4];

  plg_memory_ledger (plan, before);
  plan->training.offload_optimizer = 0.75;
  plg_memory_ledger (plan, after);
  for (int i = 0; i < 4; i++)
    {
      g_assert_cmpfloat (before[i].host, ==, 0.0);
      assert_near (after[i].optimizer, 0.25 * before[i].optimizer, 1e-12);
      assert_near (after[i].host, 0.75 * 16.0 / 12.0 * before[i].optimizer, 1e-12);
      g_assert_cmpfloat (after[i].gradients, ==, before[i].gradients);
      g_assert_cmpfloat (after[i].weights, ==, before[i].weights);
    }

  plan->training.program = PLG_PROGRAM_DEEPSPEED;
  plan->parallelism.zero = 2;
  plg_memory_ledger (plan, after);
  plan->training.offload_optimizer = 0.0;
  plg_memory_ledger (plan, before);
  for (int i = 0; i < 4; i++)
    assert_near (after[i].gradients, 0.25 * before[i].gradients, 1e-12);
}

/* The teaching plan has 20 layers per stage. Half of them leave the GPU, but one layer is on its way.
 * Stage 0 has four micro-batches in flight. */
static void
test_activations (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (0.0);
  double layer = plg_layer_activation_bytes (plan, FALSE) * plg_gpu_tokens (plan);
  PlgStageMemory before[4], after[4];

  plg_memory_ledger (plan, before);
  plan->training.offload_layers = 10;
  plg_memory_ledger (plan, after);
  assert_near (before[0].activations - after[0].activations, (10.0 * 4.0 - 1.0) * layer, 1e-12);
  assert_near (after[0].host, 10.0 * 4.0 * layer, 1e-12);
  assert_near (before[3].activations - after[3].activations, (10.0 - 1.0) * layer, 1e-12);
  assert_near (plg_stage_offloaded_bytes (plan, 0, NULL), 39.0 * layer, 1e-12);
  /* More layers than the stage has. */
  plan->training.offload_layers = 10000;
  plg_memory_ledger (plan, after);
  assert_near (after[0].host, 20.0 * 4.0 * layer, 1e-12);
  /* Full recompute keeps only the input of a layer, 2 · 8192 bytes per token, divided by TP. */
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plg_memory_ledger (plan, after);
  assert_near (after[0].host, 20.0 * 4.0 * 2.0 * 8192.0 / 8.0 * plg_gpu_tokens (plan), 1e-12);
}

/* Over a slow link, each pass through a layer takes as long as its transfer: ten of twenty layers at
 * 0.78 · 1 GB/s. Over a fast link nothing waits. */
static void
test_transfers (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (0.0);
  g_autoptr (PlgReport) report = plg_report_new ();
  double layer = plg_layer_activation_bytes (plan, FALSE) * plg_gpu_tokens (plan), usual;
  double batches = plg_plan_micro_batches (plan), busy;

  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  usual = report->step.time;
  plan->training.offload_layers = 10;
  plan->cluster.host_bandwidth = 1e12;
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  g_assert_cmpfloat (report->step.time, ==, usual);
  g_assert_cmpfloat (report->step.part[PLG_PART_HOST], ==, 0.0);
  plan->cluster.host_bandwidth = 1e9;
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  g_assert_cmpfloat (report->step.time, >, usual);
  busy = batches * 20.0 * 2.0 * 0.5 * layer / 0.78e9;
  g_assert_cmpfloat (report->step.part[PLG_PART_HOST], <, busy);
  g_assert_cmpfloat (report->step.part[PLG_PART_HOST], >, 0.5 * busy);
}

static void
pick_offload (GRand *random, PlgPlan *plan)
{
  plan->training.program = g_rand_int_range (random, 0, PLG_N_PROGRAMS);
  plan->training.optimizer = g_rand_int_range (random, 0, PLG_N_OPTIMIZERS);
  plan->training.offload_optimizer = g_rand_double (random);
  plan->training.offload_layers = g_rand_int_range (random, 0, 30);
  plan->training.offload_weights = g_rand_int_range (random, 0, 4) == 0;
  if (plan->training.offload_weights)
    plan->training.offload_optimizer = 1.0;
  plan->training.cuda_graphs = g_rand_boolean (random);
}

/* Returns the share by which the step of PLAN may grow when a part becomes faster, if GPUs wait for the host
 * for WAITED in the compared steps. As in time_tolerance(), the wait after the gradients of weights grows
 * when the gradients of inputs become shorter. While a layer waits, shorter kernels also hide less of
 * other collectives, whose links then hide less of the reduction, even with zb-h1. */
static double
tolerance_of (const PlgPlan *plan, double waited)
{
  if (waited <= 0.0)
    return 1e-9;
  switch (plan->training.schedule)
    {
    case PLG_SCHEDULE_ZB_H1:
    case PLG_SCHEDULE_ZB_V:
    case PLG_SCHEDULE_DUALPIPE:
      return 2e-3;
    case PLG_SCHEDULE_GPIPE:
    case PLG_SCHEDULE_1F1B:
    case PLG_SCHEDULE_INTERLEAVED:
    default:
      return 1e-6;
    }
}

/* Offloading never needs more memory on a GPU, and a share of 0 changes nothing. */
static void
test_memory_of_all_plans (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (71);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      double before, share, time;
      int layers;
      gboolean weights;

      pick_offload (random, plan);
      share = plan->training.offload_optimizer;
      layers = plan->training.offload_layers;
      weights = plan->training.offload_weights;
      plan->training.offload_weights = FALSE;
      plan->training.offload_optimizer = 0.0;
      plan->training.offload_layers = 0;
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      before = report->memory_peak;
      time = report->step.time;
      g_assert_cmpfloat (report->step.update.time, ==, report->step.update.gpu);
      plan->training.offload_layers = layers;
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat (report->memory_peak, <=, before);
      g_assert_cmpfloat (report->step.time, >=, time * (1.0 - 1e-9));
      plan->training.offload_optimizer = share;
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat (report->memory_peak, <=, before);
      plan->training.offload_weights = weights;
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat (report->memory_peak, <=, before);
      plan->training.offload_weights = FALSE;
      plan->training.offload_optimizer = 0.0;
      plan->training.offload_layers = 0;
      plan->cluster.host_bandwidth = 1e9;
      plan->cluster.host_memory_bandwidth = 1e9;
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat (report->step.time, ==, time);
      g_assert_cmpfloat (report->memory_peak, ==, before);
    }
}

/* A faster link to the host, a faster host and faster GPU memory never make a plan slower. */
static void
test_faster_parts (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (72);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      double *const rates[] = { &plan->cluster.host_bandwidth, &plan->cluster.host_memory_bandwidth,
                                &plan->cluster.memory_bandwidth };
      double before, waited;

      pick_offload (random, plan);
      plan->cluster.host_bandwidth = 1e9 * g_rand_double_range (random, 1.0, 100.0);
      plan->cluster.host_memory_bandwidth = 1e9 * g_rand_double_range (random, 1.0, 100.0);
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      before = report->step.time;
      waited = report->step.part[PLG_PART_HOST];
      *rates[g_rand_int_range (random, 0, G_N_ELEMENTS (rates))] *= g_rand_double_range (random,
                                                                                         1.0, 10.0);
      g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
      waited += report->step.part[PLG_PART_HOST];
      g_assert_cmpfloat (report->step.time, <=, before * (1.0 + tolerance_of (plan, waited)));
    }
}

/* The shards of ZeRO 3 leave the GPU. FSDP's shards on the host are the master weights; DeepSpeed has
 * 16-bit weights beside them. The setting has no effect without ZeRO 3 or with a part of the optimizer. */
static void
test_weights_on_host (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (1.0);
  PlgStageMemory before[64], after[64], other[64];

  plan->parallelism.zero = 3;
  plan->training.program = PLG_PROGRAM_FSDP_COMPILED;
  plg_memory_ledger (plan, before);
  plan->training.offload_weights = TRUE;
  plg_memory_ledger (plan, after);
  g_assert_cmpfloat (before[0].weights, >, 0.0);
  g_assert_cmpfloat (after[0].weights, ==, 0.0);
  g_assert_cmpfloat (after[0].buffers, ==, before[0].buffers);
  g_assert_cmpfloat (after[0].host, ==, before[0].host);
  g_assert_cmpfloat (plg_optimizer_update (plan, 1e9, 1e9, 0.0).to_gpu, ==, 0.0);
  plan->training.program = PLG_PROGRAM_DEEPSPEED;
  plg_memory_ledger (plan, after);
  assert_near (after[0].host, 18.0 / 16.0 * before[0].host, 1e-12);
  for (int i = 0; i < 2; i++)
    {
      plan->parallelism.zero = i == 0 ? 2 : 3;
      plan->training.offload_optimizer = i == 0 ? 1.0 : 0.5;
      plan->training.offload_weights = FALSE;
      plg_memory_ledger (plan, other);
      plan->training.offload_weights = TRUE;
      plg_memory_ledger (plan, after);
      g_assert_cmpfloat (after[0].weights, ==, other[0].weights);
      g_assert_cmpfloat (after[0].host, ==, other[0].host);
    }
}

/* A slow link makes the layers wait for their weights: 4 bytes per weight of the shard in FSDP, twice
 * per micro-batch. */
static void
test_wait_for_weights (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (1.0);
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (GArray) list = NULL;
  double layer, shards, transfer, kept;

  plan->parallelism.zero = 3;
  plan->training.program = PLG_PROGRAM_FSDP_COMPILED;
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  g_assert_cmpfloat (report->step.part[PLG_PART_HOST], ==, 0.0);
  plan->training.offload_weights = TRUE;
  plan->cluster.host_bandwidth = 1e8;
  layer = plg_offloaded_weight_bytes (plan, FALSE);
  shards = plg_parallelism_shards (&plan->parallelism);
  assert_near (layer,
               4.0 * plg_gpu_parameters (plan, plg_layer_parameters (&plan->model, FALSE)) / shards,
               1e-12);
  transfer = layer / plg_offload_link_rate (&plan->cluster);
  kept = 2.0 * transfer * plan->model.layers / plan->parallelism.degree[PLG_AXIS_PP] *
         plg_plan_micro_batches (plan);
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  g_assert_cmpfloat (report->step.part[PLG_PART_HOST], >, 0.0);
  g_assert_cmpfloat (report->step.part[PLG_PART_HOST], <=, kept * (1.0 + 1e-9));
  g_assert_cmpfloat (report->step.time, >=, kept);
  list = plg_explain (plan, report, NULL);
  g_assert_nonnull (explanation_of (list, "step.host"));
}

/* A search finds no plan whose hosts lack memory, and says that no plan fits if all of them do. */
static void
test_search_within_host (void)
{
  static const char *const keep[] = { "training.offload-optimizer", NULL };
  g_autoptr (PlgPlan) plan = offloading_plan (1.0);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgPlan) found = NULL, none = NULL;
  double time, needed;

  report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  needed = plg_report_host_memory (report);
  plan->cluster.host_memory = 0.9 * needed;
  g_assert_cmpfloat (plg_memory_peak (plan, G_MAXDOUBLE), ==, G_MAXDOUBLE);
  g_assert_false (plg_report_fits_cluster (report, &plan->cluster));
  found = plg_quick_search (plan, keep, &time);
  if (found != NULL)
    {
      g_assert_true (plg_evaluate_into (report, found, PLG_EVALUATE_TOTALS, NULL));
      g_assert_true (plg_report_fits_cluster (report, &found->cluster));
    }
  plan->cluster.host_memory = 0.01 * needed;
  none = plg_quick_search (plan, keep, &time);
  g_assert_null (none);
}

/* Explanations name the same offloaded amount on the GPU and on the host, and only the constants that
 * their numbers depend on. */
static void
test_explanations (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (0.0);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GArray) list = NULL;
  const PlgExplanation *host;
  g_autofree char *amount = NULL;
  double on_host, off_gpu;

  plan->cluster.host_bandwidth = 1e9;
  plan->cluster.host_memory = 1e12;
  plan->training.offload_layers = 10;
  report = report_of (plan);
  list = plg_explain (plan, report, NULL);
  off_gpu = plg_stage_offloaded_bytes (plan, report->memory_peak_stage, &on_host);
  g_assert_cmpfloat (on_host, >, off_gpu);
  amount = plg_format_memory (on_host);
  g_assert_nonnull (strstr (explanation_of (list, "memory.activations")->numbers, amount));
  host = explanation_of (list, "memory.host");
  g_assert_nonnull (strstr (host->numbers, amount));
  g_assert_true (g_str_has_prefix (host->note, "The 8 GPUs of a host need "));
  g_assert_cmpuint (explanation_of (list, "step.host")->uses, ==, PLG_USES_HOST_LINK);
}

/* Moments in BF16 or 8 bits are copied, 32 bytes, and a master weight in two parts needs the old weight
 * in 16 bits, unless the weights are in FP32. */
static void
test_explanation_of_copies (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  const PlgPrecision precisions[] = { PLG_PRECISION_BF16, PLG_PRECISION_FP16 };

  plan->training.optimizer = PLG_OPTIMIZER_ADAM_BF16;
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      g_autoptr (PlgReport) report = NULL;
      g_autoptr (GArray) list = NULL;

      plan->training.precision = precisions[i];
      report = report_of (plan);
      list = plg_explain (plan, report, "mfu");
      g_assert_true (g_str_has_suffix (explanation_of (list, "step.optimizer")->note,
                                       i == 0 ? ": 34 bytes more per parameter."
                                              : ": 32 bytes more per parameter."));
    }
}

/* The link is the plan's own value, NVLink-C2C or PCIe; the memory is the plan's own value or that
 * of the usual server. */
static void
test_host_of_cluster (void)
{
  PlgCluster cluster = { .gpus_per_node = 8 };

  g_assert_cmpfloat (plg_cluster_host_bandwidth (&cluster), ==, 31.5e9);
  g_assert_cmpfloat (plg_cluster_host_memory_bandwidth (&cluster), ==, 614.4e9 / 8.0);
  g_assert_cmpfloat (plg_cluster_host_memory (&cluster), ==, 0.0);
  /* The network assumes the same server. */
  g_assert_cmpfloat (PLG_USUAL_PCIE_BANDWIDTH, ==, plg_cluster_host_bandwidth (&cluster));
  assert_near (6.0 * PLG_TCP_OF_HOST, 8.0 * plg_cluster_host_memory_bandwidth (&cluster), 1e-12);
  cluster.gpu.pcie_bandwidth = 63e9;
  g_assert_cmpfloat (plg_cluster_host_bandwidth (&cluster), ==, 63e9);
  cluster.gpu.host_bandwidth = 450e9;
  cluster.gpu.host_memory = 480e9;
  cluster.gpu.host_memory_bandwidth = 500e9;
  g_assert_cmpfloat (plg_cluster_host_bandwidth (&cluster), ==, 450e9);
  g_assert_cmpfloat (plg_cluster_host_memory (&cluster), ==, 480e9);
  g_assert_cmpfloat (plg_cluster_host_memory_bandwidth (&cluster), ==, 500e9);
  cluster.host_bandwidth = cluster.host_memory = cluster.host_memory_bandwidth = 5.0;
  g_assert_cmpfloat (plg_cluster_host_bandwidth (&cluster), ==, 5.0);
  g_assert_cmpfloat (plg_cluster_host_memory (&cluster), ==, 5.0);
  g_assert_cmpfloat (plg_cluster_host_memory_bandwidth (&cluster), ==, 5.0);
}

/* The host that holds exactly what the fullest stage needs is large enough, and a host of unknown size
 * is never too small. */
static void
test_host_memory (void)
{
  g_autoptr (PlgPlan) plan = offloading_plan (1.0);
  g_autoptr (PlgReport) report = report_of (plan), exact = NULL, small = NULL, unknown = NULL;
  g_autoptr (PlgReport) hidden = NULL, nothing = NULL;
  double needed = plg_report_host_memory (report);
  const PlgFinding *finding;

  g_assert_cmpfloat (needed, >, 0.0);
  for (guint i = 0; i < report->stages->len; i++)
    g_assert_cmpfloat (g_array_index (report->stages, PlgStageMemory, i).host, <=, needed);
  plan->cluster.host_memory = needed;
  exact = report_of (plan);
  g_assert_null (find_finding (exact, "host-memory-exceeded"));
  plan->cluster.host_memory = 0.99 * needed;
  small = report_of (plan);
  finding = find_finding (small, "host-memory-exceeded");
  g_assert_nonnull (finding);
  assert_near (finding->value, needed / PLG_GIB, 1e-12);
  assert_near (finding->limit, 0.99 * needed / PLG_GIB, 1e-12);
  plan->cluster.host_memory = plan->cluster.gpu.host_memory = 0.0;
  unknown = report_of (plan);
  g_assert_null (find_finding (unknown, "host-memory-exceeded"));
  hidden = plg_report_redact (report, PLG_REDACT_MEMORY);
  g_assert_cmpfloat (plg_report_host_memory (hidden), ==, 0.0);
  plan->training.offload_optimizer = 0.0;
  nothing = report_of (plan);
  g_assert_cmpfloat (plg_report_host_memory (nothing), ==, 0.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/offload/update", test_update);
  g_test_add_func ("/offload/measured-update", test_measured_update);
  g_test_add_func ("/offload/memory", test_memory);
  g_test_add_func ("/offload/host-memory", test_host_memory);
  g_test_add_func ("/offload/activations", test_activations);
  g_test_add_func ("/offload/transfers", test_transfers);
  g_test_add_func ("/offload/memory-of-all-plans", test_memory_of_all_plans);
  g_test_add_func ("/offload/faster-parts", test_faster_parts);
  g_test_add_func ("/offload/explanations", test_explanations);
  g_test_add_func ("/offload/explanation-of-copies", test_explanation_of_copies);
  g_test_add_func ("/offload/host-of-cluster", test_host_of_cluster);
  g_test_add_func ("/offload/weights/memory", test_weights_on_host);
  g_test_add_func ("/offload/weights/wait", test_wait_for_weights);
  g_test_add_func ("/offload/search-within-host", test_search_within_host);
  return g_test_run ();
}
