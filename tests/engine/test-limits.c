/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effects of changes whose result is known in advance. */
#include "random-plan.h"

#include "plan/edit.h"

#define PLANS 150

/* The longest start of an NCCL call in seconds (engine/network/collective.c), and a generous
 * factor for contention in training (engine/workload-collectives.c). */
#define START 8.4e-6
#define LATE 2.0

static double
time_of (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  return report->step.time;
}

/* ---- Limits ---- */

static void
test_one_gpu (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (41);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = NULL;
      double rest = 0.0;

      plan->cluster.nodes = plan->cluster.gpus_per_node = 1;
      for (int axis = 0; axis < PLG_N_AXES; axis++)
        plan->parallelism.degree[axis] = 1;
      plan->parallelism.etp = 1;
      if (!plg_plan_check (plan, NULL)) /* DualPipe needs two stages */
        continue;
      report = report_of (plan);
      g_assert_cmpuint (report->collectives->len, ==, 0);
      for (PlgPart part = PLG_PART_BUBBLE; part <= PLG_PART_DP; part++)
        rest += report->step.part[part];
      g_assert_cmpfloat (rest, ==, 0.0);
      g_assert_cmpfloat (report->bubble.simulated, ==, 0.0);
    }
}

/* Groups of one have no collectives. Gradients are reduced over DP and CP, and gradients of
 * experts over the ranks of a stage outside EP and ETP. */
static gboolean
has_group (const PlgPlan *plan, PlgAxis axis)
{
  const int *degree = plan->parallelism.degree;
  gboolean experts = plg_transformer_is_moe (&plan->model);
  int stage = degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_DP];

  if (axis == PLG_AXIS_DP)
    return degree[PLG_AXIS_DP] * degree[PLG_AXIS_CP] > 1 ||
           (experts && stage > degree[PLG_AXIS_EP] * plan->parallelism.etp);
  return degree[axis] > 1 || (axis == PLG_AXIS_TP && plan->parallelism.etp > 1);
}

static void
test_axes_of_one (void)
{
  static const PlgPart parts[] = { PLG_PART_TP, PLG_PART_CP, PLG_PART_EP, PLG_PART_PP,
                                   PLG_PART_DP };
  g_autoptr (GRand) random = g_rand_new_with_seed (42);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = report_of (plan);
      guint axes = 0;

      for (guint j = 0; j < report->collectives->len; j++)
        axes |= 1u << g_array_index (report->collectives, PlgCollective, j).axis;
      for (PlgAxis axis = PLG_AXIS_TP; axis <= PLG_AXIS_DP; axis++)
        {
          if (!has_group (plan, axis))
            {
              g_assert_cmpuint (axes & 1u << axis, ==, 0);
              g_assert_cmpfloat (report->step.part[parts[axis]], ==, 0.0);
            }
          else
            g_assert_cmpuint (axes & 1u << axis, !=, 0);
        }
    }
}

/* On the fastest links without latency, a call takes only its start. */
static void
test_fast_links (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (43);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = NULL;
      double starts = 0.0, alone = 0.0;

      plan->cluster.intra_bandwidth = plan->cluster.inter_bandwidth = 1e15;
      plan->cluster.intra_latency = plan->cluster.inter_latency = 0.0;
      plan->cluster.intra_efficiency = plan->cluster.inter_efficiency = 1.0;
      plan->cluster.oversubscription = 1.0;
      plan->cluster.rdma = TRUE;
      report = report_of (plan);
      for (guint j = 0; j < report->collectives->len; j++)
        {
          const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, j);
          /* A narrow mesh, a PCIe tree or few NICs achieve only a part of the rate. */
          double most = LATE * (row->calls * START + 40.0 * row->bytes_sent / 1e15);

          g_assert_cmpfloat (row->time, <=, most * (1.0 + 1e-9));
          starts += most;
        }
      for (PlgPart part = PLG_PART_COMPUTE; part <= PLG_PART_BUBBLE; part++)
        alone += report->step.part[part];
      alone += report->step.part[PLG_PART_OPTIMIZER];
      /* Late messages delay others, at most once in each direction of the pipeline. */
      g_assert_cmpfloat (report->step.time - alone, <=,
                         starts * (2.0 + plan->parallelism.degree[PLG_AXIS_PP]));
    }
}

/* ---- Monotonicity ---- */

/* More micro-batches fill the pipeline better. */
static void
test_batch_fills_pipeline (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (44);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) few = report_of (plan);
      g_autoptr (PlgReport) many = NULL;

      plan->training.global_batch *= 2;
      many = report_of (plan);
      g_assert_cmpfloat (many->bubble.share_of_step, <=, few->bubble.share_of_step);
      g_assert_cmpfloat (many->bubble.over_ideal, <=, few->bubble.over_ideal);
      g_assert_cmpfloat (many->bubble.notebook, <=, few->bubble.notebook);
      g_assert_cmpfloat (many->bubble.simulated, <=, few->bubble.simulated + 1e-9);
      g_assert_cmpfloat (many->step.time, >=, few->step.time);
      g_assert_cmpfloat (many->step.time, <=, 2.0 * few->step.time * (1.0 + 1e-9));
    }
}

/* Memory determines the fit, not the time. Allocated memory stays the same; an allocator with
 * free memory has more slack. */
static void
test_capacity_takes_no_time (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (45);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) small = report_of (plan);
      g_autoptr (PlgReport) large = NULL;

      plan->cluster.memory *= 3.0;
      large = report_of (plan);
      g_assert_cmpfloat (large->step.time, ==, small->step.time);
      for (guint j = 0; j < small->stages->len; j++)
        {
          const PlgStageMemory *a = &g_array_index (small->stages, PlgStageMemory, j);
          const PlgStageMemory *b = &g_array_index (large->stages, PlgStageMemory, j);

          assert_near (b->total - b->runtime, a->total - a->runtime, 1e-12);
          g_assert_cmpfloat (b->runtime, >=, a->runtime);
        }
      g_assert_true (large->fits || !small->fits);
    }
}

static void
test_rdma (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (46);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      double tcp;

      plan->cluster.rdma = FALSE;
      tcp = time_of (plan);
      plan->cluster.rdma = TRUE;
      g_assert_cmpfloat (time_of (plan), <=, tcp * (1.0 + 1e-9));
    }
}

/* Returns a fault of part KIND at RATE as a setting, or NULL if the cluster has no such part. */
static char *
fault_text (const PlgCluster *cluster, int kind, int number, double rate)
{
  int nodes = cluster->nodes, gpus = nodes * cluster->gpus_per_node;

  switch (kind)
    {
    case 0:
      return g_strdup_printf ("cluster.faults=gpu:%d=%g", number % gpus, rate);
    case 1:
      return g_strdup_printf ("cluster.faults=port:%d=%g", number % gpus, rate);
    case 2:
      return g_strdup_printf ("cluster.faults=nic:%d.%d=%g", number % nodes,
                              number % cluster->nics_per_node, rate);
    default:
      return g_strdup_printf ("cluster.faults=uplink:0.0=%g", rate);
    }
}

/* Returns 0 if the cluster has no such part. */
static double
time_with_fault (const PlgPlan *plan, int kind, int number, double rate)
{
  g_autofree char *assignment = fault_text (&plan->cluster, kind, number, rate);
  const char *const assignments[] = { assignment, NULL };
  g_autoptr (PlgPlan) faulty = plg_plan_copy (plan);

  if (!plg_settings_apply (faulty, NULL, assignments, NULL))
    return 0.0;
  return time_of (faulty);
}

/* A lower rate makes a longer step. */
static void
test_faults (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (52);
  int slower = 0;

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      int kind = g_rand_int_range (random, 0, 4), number = g_rand_int_range (random, 0, 4096);
      double whole = time_of (plan);
      double mild = time_with_fault (plan, kind, number, 0.8);
      double bad = time_with_fault (plan, kind, number, 0.25);

      if (mild <= 0.0)
        continue;
      g_assert_cmpfloat (mild, >=, whole * (1.0 - 1e-9));
      g_assert_cmpfloat (bad, >=, mild * (1.0 - 1e-9));
      slower += bad > whole;
    }
  g_assert_cmpint (slower, >, PLANS / 4);
}

static double
tensor_bytes (const PlgReport *report)
{
  double bytes = 0.0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      bytes += row->axis == PLG_AXIS_TP ? row->bytes_sent : 0.0;
    }
  return bytes;
}

/* Sequence parallelism saves work and memory, but no bytes: an all-reduce is a reduce-scatter
 * and an all-gather, and the input is gathered once more for the backward pass, 5 halves instead
 * of 4 per block, 3 instead of 2 at the output. The step may get slower: without it the backward
 * pass hides all calls, with it all but one gather; and a switch that reduces speeds up only the
 * all-reduce (github.com/NVIDIA/nccl, issue 1506: all-gather 300 GB/s with NVLS, 350 as a ring). */
static void
test_sequence_parallel (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (47);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) with = NULL;
      g_autoptr (PlgReport) without = NULL;

      plan->parallelism.sequence = FALSE;
      without = report_of (plan);
      plan->parallelism.sequence = TRUE;
      if (!plg_plan_check (plan, NULL))
        continue;
      with = report_of (plan);
      if (plan->parallelism.degree[PLG_AXIS_TP] == 1)
        g_assert_cmpfloat (with->step.time, ==, without->step.time);
      /* The only additional memory is the gathered input of one product. */
      g_assert_cmpfloat (with->memory_peak, <=, without->memory_peak * 1.01);
      if (plan->parallelism.degree[PLG_AXIS_PP] > 1)
        continue;
      g_assert_cmpfloat (with->step.part[PLG_PART_COMPUTE], <=,
                         without->step.part[PLG_PART_COMPUTE] * (1.0 + 1e-9));
      /* In FP8 training, sequence parallelism gathers values of one byte. */
      if (plan->training.precision != PLG_PRECISION_FP8 &&
          plan->training.precision != PLG_PRECISION_FP4)
        g_assert_cmpfloat (tensor_bytes (with), >=, tensor_bytes (without) * (1.0 - 1e-9));
      g_assert_cmpfloat (tensor_bytes (with), <=, tensor_bytes (without) * 1.5);
    }
}

/* ---- Symmetry ---- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Returns the sorted loads of all links. */
static GArray *
sorted_loads (const PlgReport *report)
{
  GArray *loads = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      double load = plg_link_bytes (link) * (1.0 + link->tier);

      g_array_append_val (loads, load);
    }
  g_array_sort (loads, compare_doubles);
  return loads;
}

static void
assert_same (const PlgReport *a, const PlgReport *b)
{
  g_autoptr (GArray) loads_a = sorted_loads (a);
  g_autoptr (GArray) loads_b = sorted_loads (b);

  assert_near (a->step.time, b->step.time, 1e-9);
  for (int i = 0; i < PLG_N_PARTS; i++)
    g_assert_cmpfloat_with_epsilon (a->step.part[i], b->step.part[i], 1e-9 * a->step.time);
  g_assert_cmpuint (a->collectives->len, ==, b->collectives->len);
  g_assert_cmpuint (loads_a->len, ==, loads_b->len);
  for (guint i = 0; i < loads_a->len; i++)
    assert_near (g_array_index (loads_a, double, i), g_array_index (loads_b, double, i), 1e-9);
}

/* Nodes at one switch, or in one unit of rails, are interchangeable. */
static void
test_nodes_are_interchangeable (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (48);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) before = report_of (plan);
      g_autoptr (PlgReport) after = NULL;
      int a = g_rand_int_range (random, 0, plan->cluster.nodes);
      int b = g_rand_int_range (random, 0, plan->cluster.nodes);

      if (plan->cluster.network == PLG_NETWORK_TREE)
        continue;
      g_assert_true (plg_edit_swap_nodes (plan, a, b, NULL));
      after = report_of (plan);
      assert_same (before, after);
    }
}

/* Swaps GPUs A and B of every node, with their NICs and rails. */
static void
swap_locals (PlgPlan *plan, int a, int b)
{
  int world = plg_plan_world (plan), gpus = plan->cluster.gpus_per_node;

  plg_placement_expand (&plan->placement, world);
  for (int rank = 0; rank < world; rank++)
    {
      int gpu = plan->placement.gpu_of_rank[rank], local = gpu % gpus;

      if (local == a || local == b)
        plan->placement.gpu_of_rank[rank] = gpu - local + (local == a ? b : a);
    }
}

/* Applies if each GPU has NICs of its own. */
static void
test_gpus_are_interchangeable (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (49);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) before = NULL;
      g_autoptr (PlgReport) after = NULL;
      int gpus = plan->cluster.gpus_per_node;

      plan->cluster.nics_per_node = gpus;
      before = report_of (plan);
      swap_locals (plan, g_rand_int_range (random, 0, gpus), g_rand_int_range (random, 0, gpus));
      after = report_of (plan);
      assert_same (before, after);
    }
}

/* Swaps two replicas; with experts shared over DP or with shard groups, groups would change
 * members. */
static void
test_replicas_are_interchangeable (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (50);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) before = report_of (plan);
      g_autoptr (PlgReport) after = NULL;
      int world = plg_plan_world (plan);

      if (plan->parallelism.degree[PLG_AXIS_EP] > 1 || plan->parallelism.etp > 1 ||
          plan->parallelism.replicate > 1 || plan->cluster.network == PLG_NETWORK_TREE)
        continue;
      g_assert_true (plg_edit_swap_replicas (plan, g_rand_int_range (random, 0, world),
                                             g_rand_int_range (random, 0, world), NULL));
      after = report_of (plan);
      assert_same (before, after);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/limits/one-gpu", test_one_gpu);
  g_test_add_func ("/limits/axes-of-one", test_axes_of_one);
  g_test_add_func ("/limits/fast-links", test_fast_links);
  g_test_add_func ("/monotonicity/batch", test_batch_fills_pipeline);
  g_test_add_func ("/monotonicity/capacity", test_capacity_takes_no_time);
  g_test_add_func ("/monotonicity/rdma", test_rdma);
  g_test_add_func ("/monotonicity/faults", test_faults);
  g_test_add_func ("/monotonicity/sequence-parallel", test_sequence_parallel);
  g_test_add_func ("/symmetry/nodes", test_nodes_are_interchangeable);
  g_test_add_func ("/symmetry/gpus", test_gpus_are_interchangeable);
  g_test_add_func ("/symmetry/replicas", test_replicas_are_interchangeable);
  return g_test_run ();
}
