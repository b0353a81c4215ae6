/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for a placement finds what trying every order of the nodes finds, moves slow parts to
 * the stages that hide them, and gives the same result in every run. */
#include "engine/search/place.h"

#include "plan/edit.h"
#include "plan/fault.h"
#include "random-plan.h"

#define CASES 20

static double
time_of (const PlgPlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, &error);

  g_assert_no_error (error);
  return report->step.time;
}

/* Searches a placement of PLAN, and asserts what holds for each result. */
static void
place (const PlgPlan *plan, PlgPlaceResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) placed = plg_plan_copy (plan);

  g_assert_true (plg_place_search (plan, NULL, result, &error));
  g_assert_no_error (error);
  g_assert_true (result->is_complete);
  assert_near (result->time_before, time_of (plan), 1e-12);
  plg_placement_copy (&placed->placement, &result->placement);
  assert_near (time_of (placed), result->time, 1e-9);
  g_assert_cmpfloat (result->time, <=, result->time_before * (1.0 + 1e-9));
  g_assert_cmpfloat (result->bound, <=, result->time * (1.0 + 1e-9));
  g_assert_cmpfloat (result->ideal_time, <=, result->bound * (1.0 + 1e-9));
  if (result->is_optimal)
    g_assert_cmpfloat (plg_place_result_gap (result), <=, 1e-9);
}

/* Sets CLUSTER's faults to N random faults. */
static void
pick_faults (GRand *random, PlgCluster *cluster, int n)
{
  static const double rates[] = { 0.3, 0.5, 0.8, 0.9 };

  cluster->n_faults = 0;
  while (n-- > 0)
    {
      PlgFault fault = { g_rand_int_range (random, 0, 4), 0, 0,
                         rates[g_rand_int_range (random, 0, 4)] };
      PlgSwitches switches = plg_cluster_switches (cluster);
      PlgCluster before = *cluster;

      if (fault.kind == PLG_FAULT_NIC)
        {
          fault.first = g_rand_int_range (random, 0, cluster->nodes);
          fault.second = g_rand_int_range (random, 0, switches.nics);
          if (g_rand_int_range (random, 0, 4) == 0)
            fault.rate = 0.0;
        }
      else if (fault.kind == PLG_FAULT_UPLINK)
        {
          if (switches.spines == 0)
            continue;
          fault.first = g_rand_int_range (random, 0, switches.leaves);
          fault.second = g_rand_int_range (random, 0, switches.spines);
        }
      else
        fault.first = g_rand_int_range (random, 0, cluster->nodes * cluster->gpus_per_node);
      if (!plg_faults_set (cluster, &fault, NULL) || !plg_faults_check (cluster, NULL))
        *cluster = before;
    }
}

/* Divides WORLD into degrees. */
static void
pick_small_degrees (GRand *random, PlgPlan *plan, int world)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP,
                                  PLG_AXIS_PP, PLG_AXIS_DP, PLG_AXIS_DP };

  pick_degrees (random, plan, 1);
  for (int factor = 2; world > 1; factor++)
    for (; world % factor == 0; world /= factor)
      plan->parallelism
          .degree[axes[factor == 2 ? g_rand_int_range (random, 0, 6)
                                   : 4 - 2 * g_rand_int_range (random, 0, 2)]] *= factor;
}

/* Returns a random valid plan with faults on at most 6 nodes. */
static PlgPlan *
pick_small_plan (GRand *random)
{
  static const int gpus[] = { 1, 2, 4, 4 }, nics[] = { 1, 2, 4, 16 };

  while (TRUE)
    {
      PlgPlan *plan = pick_plan (random);

      plan->cluster.nodes = g_rand_int_range (random, 2, 7);
      plan->cluster.gpus_per_node = pick (random, gpus, 4);
      plan->cluster.nics_per_node = pick (random, nics, 4);
      pick_small_degrees (random, plan, plan->cluster.nodes * plan->cluster.gpus_per_node);
      plan->training.global_batch = 60;
      pick_faults (random, &plan->cluster, g_rand_int_range (random, 1, 5));
      if (plg_plan_check (plan, NULL))
        return plan;
      plg_plan_free (plan);
    }
}

/* Returns the shortest step time of all placements that move whole nodes [s]. */
static double
try_all_nodes (PlgPlan *plan, int *nodes, int n)
{
  int gpus = plan->cluster.gpus_per_node;
  double best = G_MAXDOUBLE;

  if (n == plan->cluster.nodes)
    {
      for (int rank = 0; rank < plan->placement.size; rank++)
        plan->placement.gpu_of_rank[rank] = nodes[rank / gpus] * gpus + rank % gpus;
      return time_of (plan);
    }
  for (int i = n; i < plan->cluster.nodes; i++)
    {
      int node = nodes[i];

      nodes[i] = nodes[n];
      nodes[n] = node;
      best = MIN (best, try_all_nodes (plan, nodes, n + 1));
      nodes[n] = nodes[i];
      nodes[i] = node;
    }
  return best;
}

static void
test_brute_force (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20);
  int n_faster = 0, n_optimal = 0;

  for (int i = 0; i < CASES; i++)
    {
      g_autoptr (PlgPlan) plan = pick_small_plan (random);
      g_autoptr (PlgPlan) tried = plg_plan_copy (plan);
      g_auto (PlgPlaceResult) result = { 0 };
      g_autofree char *faults = plg_faults_to_string (&plan->cluster);
      int nodes[] = { 0, 1, 2, 3, 4, 5 };
      double best;

      place (plan, &result);
      plg_placement_expand (&tried->placement, plg_plan_world (tried));
      best = try_all_nodes (tried, nodes, 0);
      g_test_message ("%d nodes, faults %s: %.6g s before, %.6g s found, %.6g s by brute force, "
                      "bound %.6g s, %d evaluations",
                      plan->cluster.nodes, faults, result.time_before, result.time, best,
                      result.bound, (int) result.evaluations);
      g_assert_cmpfloat (result.time, <=, best * (1.0 + 1e-9));
      n_optimal += result.is_optimal;
      n_faster += result.time < result.time_before * (1.0 - 1e-6);
    }
  g_test_message ("%d of %d faster, %d optimal", n_faster, CASES, n_optimal);
  g_assert_cmpint (n_faster, >, CASES / 10);
  g_assert_cmpint (n_optimal, >, CASES * 3 / 4);
}

/* Tries to exchange each GPU with a fault with the others of its node. */
static void
assert_no_exchange_helps (const PlgPlan *plan, const PlgPlaceResult *result)
{
  int gpus = plan->cluster.gpus_per_node;

  for (int j = 0; j < plan->cluster.n_faults; j++)
    for (int k = 0; k < gpus; k++)
      {
        g_autoptr (PlgPlan) changed = plg_plan_copy (plan);
        int gpu = plan->cluster.faults[j].first;

        if (plan->cluster.faults[j].kind > PLG_FAULT_PORT || gpu % gpus == k)
          continue;
        plg_placement_copy (&changed->placement, &result->placement);
        g_assert_true (plg_edit_swap_ranks (changed, plg_placement_rank (&changed->placement, gpu),
                                            plg_placement_rank (&changed->placement,
                                                                gpu / gpus * gpus + k),
                                            NULL));
        g_assert_cmpfloat (time_of (changed), >=, result->time * (1.0 - 1e-9));
      }
}

/* Exchanging two GPUs of one node never helps beyond the result either. */
static void
test_brute_force_inside_nodes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (21);

  for (int i = 0; i < CASES; i++)
    {
      g_autoptr (PlgPlan) plan = pick_small_plan (random);
      g_auto (PlgPlaceResult) result = { 0 };

      place (plan, &result);
      if (result.is_optimal)
        assert_no_exchange_helps (plan, &result);
    }
}

/* In a ring of CP, it matters which GPUs of a stage send to another node. */
static void
test_ring (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_auto (PlgPlaceResult) result = { 0 };

  plan->model = llama3_8b;
  change (
      plan,
      "cluster.nodes=4 cluster.gpus-per-node=4 cluster.nics-per-node=2 cluster.intra=mesh "
      "cluster.network=rail cluster.oversubscription=2 parallelism.tp=1 parallelism.cp=4 parallelism.pp=2 "
      "parallelism.dp=2 parallelism.order=pp-cp-tp-dp training.sequence=4096 "
      "training.micro-batch=2 training.global-batch=60 "
      "cluster.faults=port:1=0.9,uplink:1.0=0.3");
  place (plan, &result);
  g_assert_true (result.is_optimal);
  assert_no_exchange_helps (plan, &result);
}

/* The evaluation with rank r on GPU r uses formulas; the same placement by hand visits each group.
 * Both give the same time. */
static void
test_formulas_with_faults (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (22);

  for (int i = 0; i < 400; i++)
    {
      g_autoptr (PlgPlan) plan = i % 2 == 0 ? pick_plan (random) : pick_small_plan (random);
      g_autoptr (PlgPlan) same = NULL;

      pick_faults (random, &plan->cluster, 4);
      same = plg_plan_copy (plan);
      plg_placement_expand (&same->placement, plg_plan_world (same));
      assert_near (time_of (plan), time_of (same), 1e-12);
    }
}

static PlgPlan *
plan_with (const char *edits)
{
  PlgPlan *plan = teaching_plan ();

  change (plan, edits);
  return plan;
}

static int
stage_of_gpu (const PlgPlan *plan, const PlgPlacement *placement, int gpu)
{
  return plg_rank_coordinate (&plan->parallelism, plg_placement_rank (placement, gpu))
      .index[PLG_AXIS_PP];
}

/* A node with slow NICs moves to the stage with the least work to hide, and the step is as fast as
 * with a slow NIC there from the start. */
static void
test_slow_nic (void)
{
  /* The last stage has few layers, so it waits for the others and can reduce its gradients
   * meanwhile. */
  g_autoptr (PlgPlan) plan = plan_with ("parallelism.order=tp-dp-pp parallelism.last-layers=8 "
                                        "parallelism.zero=0 cluster.faults=nic:0.3=0.3");
  g_auto (PlgPlaceResult) result = { 0 };
  g_autoptr (PlgPlan) there = plan_with ("parallelism.order=tp-dp-pp parallelism.last-layers=8 "
                                         "parallelism.zero=0 cluster.faults=nic:7.3=0.3");
  g_autoptr (GArray) moves = NULL;

  place (plan, &result);
  g_assert_true (result.is_optimal);
  g_test_message ("%g s before, %g s after, %g s without faults", result.time_before, result.time,
                  result.ideal_time);
  g_assert_cmpfloat (result.time, <, result.time_before * 0.999);
  g_assert_cmpint (stage_of_gpu (plan, &result.placement, 0), ==, 3);
  assert_near (result.time, time_of (there), 1e-9);
  moves = plg_place_moves (plan, &result.placement);
  g_assert_cmpuint (moves->len, ==, 1);
  g_assert_true (g_array_index (moves, PlgPlaceMove, 0).is_node);
  g_assert_cmpint (g_array_index (moves, PlgPlaceMove, 0).a, ==, 0);
  g_assert_cmpint (g_array_index (moves, PlgPlaceMove, 0).b, >=, 6);
}

/* Slow GPUs on two stages move to the stage with the least work. */
static void
test_slow_gpus (void)
{
  g_autoptr (PlgPlan) plan = plan_with ("parallelism.order=tp-dp-pp parallelism.first-layers=10 "
                                        "cluster.faults=gpu:25=0.8,gpu:60=0.85");
  g_auto (PlgPlaceResult) result = { 0 };

  place (plan, &result);
  g_assert_true (result.is_optimal);
  g_assert_cmpfloat (result.time, <, result.time_before * 0.99);
  g_assert_cmpint (stage_of_gpu (plan, &result.placement, 25), ==, 0);
  g_assert_cmpint (stage_of_gpu (plan, &result.placement, 60), ==, 0);
}

/* A slow GPU moves within its node if the node has ranks of several stages. */
static void
test_slow_gpu_inside_node (void)
{
  g_autoptr (PlgPlan) plan = plan_with (
      "cluster.nodes=1 parallelism.tp=2 parallelism.pp=4 parallelism.dp=1 cluster.faults=gpu:7=0.7");
  g_auto (PlgPlaceResult) result = { 0 };
  g_autoptr (GArray) moves = NULL;

  plan->parallelism.first_layers = 4;
  place (plan, &result);
  g_assert_true (result.is_optimal);
  g_assert_cmpint (stage_of_gpu (plan, &result.placement, 7), ==, 0);
  moves = plg_place_moves (plan, &result.placement);
  g_assert_cmpuint (moves->len, ==, 1);
  g_assert_false (g_array_index (moves, PlgPlaceMove, 0).is_node);
}

/* In an oversubscribed tree with 4 nodes per leaf, the replicas of a stage belong below one leaf. */
static void
test_oversubscribed_tree (void)
{
  g_autoptr (PlgPlan) plan = plan_with ("cluster.network=tree cluster.oversubscription=8 "
                                        "parallelism.zero=0 parallelism.order=tp-pp-dp");
  g_auto (PlgPlaceResult) result = { 0 };

  place (plan, &result);
  g_test_message ("%g s before, %g s after, bound %g s", result.time_before, result.time,
                  result.bound);
  g_assert_true (result.is_optimal);
  g_assert_cmpfloat (result.time, <, result.time_before * 0.99);
  for (int stage = 0; stage < 4; stage++)
    g_assert_cmpint (plg_placement_gpu (&result.placement, stage * 8) / 32, ==,
                     plg_placement_gpu (&result.placement, 32 + stage * 8) / 32);
}

/* Without a faster placement, the result is the nesting order. */
static void
test_nesting_order (void)
{
  static const char *const edits[] = {
    "", "parallelism.pp=1 parallelism.dp=8 cluster.faults=gpu:17=0.8,nic:2.3=0.5",
    "cluster.nodes=1 parallelism.pp=1 parallelism.dp=1 "
    "cluster.faults=gpu:3=0.5",
    "cluster.faults=uplink:0.1=0.5"
  };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autoptr (PlgPlan) plan = plan_with (edits[i]);
      g_auto (PlgPlaceResult) result = { 0 };

      if (i == 0)
        plg_placement_expand (&plan->placement, 64);
      place (plan, &result);
      g_assert_true (result.is_optimal);
      g_assert_cmpint (result.placement.size, ==, 0);
    }
}

/* A placement by hand that is faster than any order of the nodes is kept. */
static void
test_placement_by_hand (void)
{
  g_autoptr (PlgPlan) plan = plan_with ("parallelism.order=pp-dp-tp");
  g_autoptr (PlgPlan) inside = plan_with ("parallelism.order=tp-pp-dp");
  g_auto (PlgPlaceResult) result = { 0 };

  plg_placement_expand (&plan->placement, 64);
  for (int rank = 0; rank < 64; rank++)
    {
      PlgCoordinate coordinate = plg_rank_coordinate (&plan->parallelism, rank);

      plan->placement.gpu_of_rank[rank] = plg_coordinate_rank (&inside->parallelism, &coordinate);
    }
  place (plan, &result);
  g_assert_true (plg_placement_equal (&result.placement, &plan->placement));

  /* Faults move nodes of this placement. */
  change (plan, "cluster.faults=gpu:9=0.7");
  plan->parallelism.first_layers = 10;
  plg_placement_clear (&result.placement);
  place (plan, &result);
  g_assert_cmpfloat (result.time, <, result.time_before * 0.99);
  g_assert_cmpint (stage_of_gpu (plan, &result.placement, 9), ==, 0);
}

/* The moves change the old placement into the new one. */
static void
test_moves (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (23);

  for (int i = 0; i < 40; i++)
    {
      g_autoptr (PlgPlan) plan = plan_with ("");
      PlgPlacement wanted = { 0 };
      g_autoptr (GArray) moves = NULL;

      plg_placement_expand (&wanted, 64);
      for (int j = 0; j < 10; j++)
        {
          int node = g_rand_int_range (random, 0, 8), other = g_rand_int_range (random, 0, 8);
          int gpu = node * 8 + g_rand_int_range (random, 0, 8), kept = wanted.gpu_of_rank[gpu];

          if (i % 2 == 0)
            other = node;
          other = other * 8 + g_rand_int_range (random, 0, 8);
          wanted.gpu_of_rank[gpu] = wanted.gpu_of_rank[other];
          wanted.gpu_of_rank[other] = kept;
          g_assert_true (plg_edit_swap_nodes (plan, node, (node + 3) % 8, NULL));
        }
      moves = plg_place_moves (plan, &wanted);
      for (guint j = 0; j < moves->len; j++)
        {
          const PlgPlaceMove *move = &g_array_index (moves, PlgPlaceMove, j);

          if (move->is_node)
            g_assert_true (plg_edit_swap_nodes (plan, move->a, move->b, NULL));
          else
            g_assert_true (plg_edit_swap_ranks (plan,
                                                plg_placement_rank (&plan->placement, move->a),
                                                plg_placement_rank (&plan->placement, move->b),
                                                NULL));
        }
      plg_placement_simplify (&wanted);
      g_assert_true (plg_placement_equal (&plan->placement, &wanted));
      plg_placement_clear (&wanted);
    }
}

/* Returns Llama 3 405B on 16,384 GPUs with 32 faults on 32 nodes. */
static PlgPlan *
large_plan (GRand *random)
{
  g_autoptr (GString) faults = g_string_new ("cluster.faults=");
  PlgPlan *plan = teaching_plan ();

  plan->model = llama3_405b;
  set_h100 (&plan->cluster, 2048);
  plan_set_degrees (plan, 8, 1, 16, 128, 1);
  plan_set_training (plan, 8192, 1, 2048);
  plan->parallelism.first_layers = 7;
  plan->parallelism.last_layers = 7;
  for (int i = 0; i < 32; i++)
    g_string_append_printf (faults, i % 2 == 0 ? "%sgpu:%d=0.%d" : "%snic:%d.2=0.%d",
                            i == 0 ? "" : ",",
                            (i * 64 + g_rand_int_range (random, 0, 64)) * (i % 2 == 0 ? 8 : 1),
                            g_rand_int_range (random, 4, 10));
  change (plan, faults->str);
  return plan;
}

/* 16,384 GPUs with 32 faults take thousands of evaluations, not millions, and end near the bound. */
static void
test_large (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (24);
  g_autoptr (PlgPlan) plan = large_plan (random);
  g_auto (PlgPlaceResult) result = { 0 };
  gint64 start = g_get_monotonic_time ();

  place (plan, &result);
  g_test_message ("%g s before, %g s after, bound %g s, ideal %g s; %d evaluations in %.1f s",
                  result.time_before, result.time, result.bound, result.ideal_time,
                  (int) result.evaluations, (g_get_monotonic_time () - start) * 1e-6);
  g_assert_cmpfloat (result.time, <, result.time_before * 0.9);
  g_assert_cmpfloat (plg_place_result_gap (&result), <, 0.05);
  g_assert_cmpint ((int) result.evaluations, <, 10000);
}

/* A large tree with oversubscribed uplinks exchanges nodes below one leaf, and whole leaves. */
static void
test_large_tree (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (26);
  g_autoptr (PlgPlan) plan = large_plan (random);
  g_auto (PlgPlaceResult) result = { 0 };

  change (plan, "cluster.network=tree cluster.oversubscription=4");
  place (plan, &result);
  g_test_message ("%g s before, %g s after, bound %g s, %d evaluations", result.time_before,
                  result.time, result.bound, (int) result.evaluations);
  g_assert_cmpfloat (result.time, <, result.time_before);
}

/* A search by annealing gives the same result in each run. */
static void
test_same_result (void)
{
  g_autoptr (PlgPlan) plan = plan_with (
      "cluster.nodes=32 parallelism.tp=8 parallelism.pp=8 parallelism.dp=4 "
      "parallelism.order=tp-dp-pp parallelism.first-layers=7 parallelism.last-layers=9 "
      "cluster.faults=gpu:9=0.8,nic:3.1=0.5,gpu:72=0.7,nic:14.2=0.4,gpu:163=0.9,port:200=0.6");
  g_auto (PlgPlaceResult) result = { 0 }, again = { 0 };

  place (plan, &result);
  place (plan, &again);
  g_test_message ("%d evaluations", (int) result.evaluations);
  g_assert_true (plg_placement_equal (&result.placement, &again.placement));
  g_assert_cmpfloat (result.time, ==, again.time);
  g_assert_cmpfloat (result.bound, ==, again.bound);
  g_assert_cmpint ((int) result.evaluations, ==, (int) again.evaluations);
}

static gpointer
run_search (gpointer data)
{
  PlgPlaceResult *result = g_new0 (PlgPlaceResult, 1);

  g_assert_true (plg_place_search (data, NULL, result, NULL));
  return result;
}

/* Searches in several threads do not disturb each other. */
static void
test_threads (void)
{
  g_autoptr (PlgPlan) plan = plan_with ("parallelism.order=tp-dp-pp parallelism.first-layers=10 "
                                        "cluster.faults=gpu:25=0.8,gpu:60=0.85,nic:3.1=0.5");
  g_auto (PlgPlaceResult) result = { 0 };
  GThread *threads[4];

  place (plan, &result);
  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("place", run_search, plan);
  for (int i = 0; i < 4; i++)
    {
      PlgPlaceResult *other = g_thread_join (threads[i]);

      g_assert_true (plg_placement_equal (&result.placement, &other->placement));
      g_assert_cmpfloat (result.time, ==, other->time);
      plg_place_result_clear (other);
      g_free (other);
    }
}

static void
test_cancel (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (25);
  g_autoptr (PlgPlan) plan = large_plan (random);
  PlgPlaceControl control = { .is_cancelled = TRUE };
  g_auto (PlgPlaceResult) result = { 0 };

  g_assert_true (plg_place_search (plan, &control, &result, NULL));
  g_assert_false (result.is_complete);
  g_assert_false (result.is_optimal);
  g_assert_cmpint ((int) result.evaluations, <, 10);
  assert_near (result.time, result.time_before, 1e-9);
}

/* A plan that cannot exist is refused with the reason. */
static void
test_hostile (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_auto (PlgPlaceResult) result = { 0 };
  g_autoptr (GError) error = NULL;

  plan->cluster.faults[plan->cluster.n_faults++] = (PlgFault) { PLG_FAULT_GPU, 64, 0, 0.5 };
  g_assert_false (plg_place_search (plan, NULL, &result, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  plan->cluster.n_faults = 0;
  plg_placement_expand (&plan->placement, 63);
  g_assert_false (plg_place_search (plan, NULL, &result, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  plg_placement_clear (&plan->placement);
  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[3] = 4;
  g_assert_false (plg_place_search (plan, NULL, &result, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/place/formulas-with-faults", test_formulas_with_faults);
  g_test_add_func ("/place/brute-force", test_brute_force);
  g_test_add_func ("/place/brute-force-inside-nodes", test_brute_force_inside_nodes);
  g_test_add_func ("/place/ring", test_ring);
  g_test_add_func ("/place/slow-nic", test_slow_nic);
  g_test_add_func ("/place/slow-gpus", test_slow_gpus);
  g_test_add_func ("/place/slow-gpu-inside-node", test_slow_gpu_inside_node);
  g_test_add_func ("/place/oversubscribed-tree", test_oversubscribed_tree);
  g_test_add_func ("/place/nesting-order", test_nesting_order);
  g_test_add_func ("/place/placement-by-hand", test_placement_by_hand);
  g_test_add_func ("/place/moves", test_moves);
  g_test_add_func ("/place/large", test_large);
  g_test_add_func ("/place/large-tree", test_large_tree);
  g_test_add_func ("/place/same-result", test_same_result);
  g_test_add_func ("/place/threads", test_threads);
  g_test_add_func ("/place/cancel", test_cancel);
  g_test_add_func ("/place/hostile", test_hostile);
  return g_test_run ();
}
