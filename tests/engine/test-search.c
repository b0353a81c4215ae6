/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search finds what trying every plan finds, in any number of threads, and stops cleanly. */
#include "engine/model/memory.h"
#include "engine/search/part-recompute.h"
#include "engine/search/quick-search.h"
#include "engine/search/search.h"
#include "engine/workload.h"

#include "plan/plan-check.h"
#include "plan/settings/setting.h"
#include "random-plan.h"

#include <string.h>

#define CASES 40
/* The number of cases with experts or with faults. */
#define SPECIAL_CASES 20
#define BEST 5
/* Brute force tries at most this number of plans per case. */
#define MOST_PLANS 10000

/* The values that brute force tries for each key; one value for a key that is held. */
typedef struct
{
  GArray *values[PLG_N_SEARCH_KEYS];
} Values;

static void
add_divisors (GArray *values, int n)
{
  for (int i = 1; i <= n; i++)
    if (n % i == 0)
      g_array_append_val (values, i);
}

static void
add_range (GArray *values, int first, int last)
{
  for (int i = first; i <= last; i++)
    g_array_append_val (values, i);
}

/* Holds most keys of SPACE at random, so that brute force takes a fraction of a second, and lists
 * the values of the others. */
static void
choose_keys (GRand *random, const PlgPlan *plan, PlgSearchSpace *space, Values *values)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  gboolean is_moe = plg_transformer_is_moe (&plan->model);
  int world = plg_plan_world (plan);
  gint64 product = 1;
  const int own[PLG_N_SEARCH_KEYS] = {
    [PLG_SEARCH_TP] = parallelism->degree[PLG_AXIS_TP],
    [PLG_SEARCH_CP] = parallelism->degree[PLG_AXIS_CP],
    [PLG_SEARCH_EP] = parallelism->degree[PLG_AXIS_EP],
    [PLG_SEARCH_ETP] = parallelism->etp,
    [PLG_SEARCH_PP] = parallelism->degree[PLG_AXIS_PP],
    [PLG_SEARCH_ORDER] = plg_search_order_index (plan->parallelism.order),
    [PLG_SEARCH_MICRO_BATCH] = plan->training.micro_batch,
    [PLG_SEARCH_SCHEDULE] = plan->training.schedule,
    [PLG_SEARCH_CHUNKS] = parallelism->chunks,
    [PLG_SEARCH_RECOMPUTE] = plan->training.recompute,
    [PLG_SEARCH_ZERO] = parallelism->zero,
    [PLG_SEARCH_SEQUENCE] = !!parallelism->sequence,
    [PLG_SEARCH_REPLICATE] = MAX (parallelism->replicate, 1),
  };

  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    {
      gboolean is_held = g_rand_int_range (random, 0, 5) > 1;
      GArray *list = values->values[key] = g_array_new (FALSE, FALSE, sizeof (int));

      if (key == PLG_SEARCH_DP)
        continue;
      if (key == PLG_SEARCH_TP || key == PLG_SEARCH_CP || key == PLG_SEARCH_PP ||
          key == PLG_SEARCH_REPLICATE)
        add_divisors (list, world);
      else if (key == PLG_SEARCH_EP || key == PLG_SEARCH_ETP)
        add_divisors (list, is_moe ? world : 1);
      else if (key == PLG_SEARCH_MICRO_BATCH)
        add_divisors (list, plan->training.global_batch);
      else if (key == PLG_SEARCH_CHUNKS)
        add_range (list, 1, plan->model.layers + 2);
      else if (key == PLG_SEARCH_SEQUENCE)
        add_range (list, FALSE, TRUE);
      else
        add_range (list, 0,
                   key == PLG_SEARCH_ORDER      ? PLG_N_ORDERS - 1
                   : key == PLG_SEARCH_SCHEDULE ? 5
                   : key == PLG_SEARCH_ZERO     ? 3
                                                : 2);
      if (!is_held && product * list->len <= MOST_PLANS)
        {
          product *= list->len;
          continue;
        }
      g_array_set_size (list, 0);
      g_array_append_val (list, own[key]);
      g_assert_true (plg_search_space_keep (space, plg_search_key_setting (key), NULL));
    }
}

static void
set_value (PlgPlan *plan, PlgSearchKey key, int value)
{
  PlgParallelism *parallelism = &plan->parallelism;

  switch (key)
    {
    case PLG_SEARCH_TP:
      parallelism->degree[PLG_AXIS_TP] = value;
      break;
    case PLG_SEARCH_CP:
      parallelism->degree[PLG_AXIS_CP] = value;
      break;
    case PLG_SEARCH_EP:
      parallelism->degree[PLG_AXIS_EP] = value;
      break;
    case PLG_SEARCH_ETP:
      parallelism->etp = value;
      break;
    case PLG_SEARCH_PP:
      parallelism->degree[PLG_AXIS_PP] = value;
      break;
    case PLG_SEARCH_ORDER:
      memcpy (parallelism->order, plg_search_order (value), sizeof parallelism->order);
      break;
    case PLG_SEARCH_MICRO_BATCH:
      plan->training.micro_batch = value;
      break;
    case PLG_SEARCH_SCHEDULE:
      plan->training.schedule = value;
      break;
    case PLG_SEARCH_CHUNKS:
      parallelism->chunks = value;
      break;
    case PLG_SEARCH_RECOMPUTE:
      plan->training.recompute = value;
      break;
    case PLG_SEARCH_ZERO:
      parallelism->zero = value;
      break;
    case PLG_SEARCH_SEQUENCE:
      parallelism->sequence = value;
      break;
    case PLG_SEARCH_REPLICATE:
      parallelism->replicate = value;
      break;
    case PLG_SEARCH_DP:
    default:
      break;
    }
}

static void
add_time (GArray *times, double time)
{
  guint i = 0;

  while (i < times->len && g_array_index (times, double, i) < time * (1.0 - 1e-12))
    i++;
  if (i < times->len && g_array_index (times, double, i) <= time * (1.0 + 1e-12))
    return;
  g_array_insert_val (times, i, time);
  if (times->len > BEST)
    g_array_set_size (times, BEST);
}

/* Tries all values of the keys from KEY on. TIMES receives the shortest different step times. */
static void
try_all (PlgPlan *plan, const Values *values, int key, PlgReport *report, GArray *times)
{
  PlgParallelism *parallelism = &plan->parallelism;
  gint64 product;
  int pp = parallelism->degree[PLG_AXIS_PP];

  if (key < PLG_N_SEARCH_KEYS)
    {
      if (values->values[key]->len == 0)
        try_all (plan, values, key + 1, report, times);
      for (guint i = 0; i < values->values[key]->len; i++)
        {
          set_value (plan, key, g_array_index (values->values[key], int, i));
          try_all (plan, values, key + 1, report, times);
        }
      return;
    }
  product = (gint64) pp * parallelism->degree[PLG_AXIS_TP] * parallelism->degree[PLG_AXIS_CP];
  if (plg_plan_world (plan) % product != 0)
    return;
  parallelism->degree[PLG_AXIS_DP] = (int) (plg_plan_world (plan) / product);
  if (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL) && report->fits)
    add_time (times, report->step.time);
}

static PlgSearch *
search_of (PlgSearchSpace *space, const char *by, guint top, guint threads)
{
  PlgSearchOptions options = { .by = plg_metric_find (by), .top = top, .threads = threads };
  PlgSearch *search = plg_search_new (space, &options);

  plg_search_run (search);
  return search;
}

static void
assert_counts (const PlgSearchProgress *progress)
{
  g_assert_true (progress->is_complete);
  g_assert_cmpint (progress->illegal + progress->too_large + progress->bounded + progress->judged,
                   ==, progress->plans);
}

/* The kinds of random spaces that brute force tries. */
typedef enum
{
  SPACE_ANY,
  SPACE_EXPERTS,      /* models with experts */
  SPACE_SLOW_GPU,     /* one slow GPU */
  SPACE_FAULTY_LINKS, /* faults of ports, NICs and uplinks, and perhaps of a GPU */
} SpaceKind;

static void
add_random_fault (GRand *random, PlgPlan *plan, PlgFaultKind kind)
{
  int per_node = plan->cluster.gpus_per_node, nodes = plan->cluster.nodes;
  int node = g_rand_int_range (random, 0, nodes);
  int gpu = node * per_node + g_rand_int_range (random, 0, per_node);
  double rate = 0.1 * g_rand_int_range (random, 3, 10);
  g_autofree char *text = NULL;

  if (kind == PLG_FAULT_GPU)
    text = g_strdup_printf ("gpu:%d=%.1f", gpu, rate);
  else if (kind == PLG_FAULT_PORT)
    text = g_strdup_printf ("port:%d=%.1f", gpu, rate);
  else if (kind == PLG_FAULT_NIC)
    text = g_strdup_printf ("nic:%d.0=%.1f", node, rate);
  else
    text = g_strdup_printf ("uplink:0.0=%.1f", rate);
  plg_setting_set (plan, NULL, "cluster.faults", text, NULL);
}

/* Makes PLAN usable as a base of a space of KIND: pins what the search pins, and removes what it
 * resets. Returns FALSE if the plan cannot be the base of such a space. */
static gboolean
prepare_base (GRand *random, PlgPlan *plan, SpaceKind kind)
{
  plg_placement_clear (&plan->placement);
  plg_parallelism_clear_layers (&plan->parallelism);
  plan->training.kernels = g_rand_int_range (random, 0, 4) == 0 ? PLG_KERNELS_EAGER
                                                                : PLG_KERNELS_FUSED;
  if (kind == SPACE_EXPERTS)
    {
      plan->training.expert_load = g_rand_double_range (random, 1.0, 4.0);
      plan->parallelism.dispatcher = g_rand_int_range (random, 0, PLG_N_DISPATCHERS);
      return plg_transformer_is_moe (&plan->model) && plg_plan_check (plan, NULL);
    }
  if (kind == SPACE_SLOW_GPU)
    add_random_fault (random, plan, PLG_FAULT_GPU);
  else if (kind == SPACE_FAULTY_LINKS)
    add_random_fault (random, plan, g_rand_int_range (random, PLG_FAULT_GPU, PLG_FAULT_UPLINK + 1));
  return plg_plan_check (plan, NULL);
}

/* Asserts that the search of a random space of KIND finds the best plans. Returns TRUE if several
 * plans of the space fit. */
static gboolean
check_random_space (GRand *random, PlgPlan *plan, SpaceKind kind)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (PlgPlan) trial = NULL;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) mine = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GArray) few = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (PlgSearch) search = NULL;
  g_autoptr (PlgSearch) narrow = NULL;
  PlgSearchProgress progress;
  PlgSearchSpace *space, *other;
  Values values;
  guint32 seed = g_rand_int (random);
  g_autoptr (GRand) first = g_rand_new_with_seed (seed);
  g_autoptr (GRand) second = g_rand_new_with_seed (seed);

  space = plg_search_space_new (plan);
  choose_keys (first, plan, space, &values);
  search = search_of (space, "step-time", 400, 1);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  assert_counts (&progress);
  trial = plg_plan_copy (plan);
  try_all (trial, &values, 0, report, times);
  for (guint j = 0; j < best->len; j++)
    {
      const PlgFoundPlan *entry = &g_array_index (best, PlgFoundPlan, j);
      g_autoptr (PlgPlan) entry_plan = plg_search_space_plan (space, &entry->point);

      add_time (mine, entry->time);
      g_assert_true (plg_evaluate_into (report, entry_plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat_with_epsilon (report->step.time, entry->time, 1e-9 * entry->time);
      g_assert_cmpfloat (report->memory_peak, ==, entry->memory);
    }
  g_test_message ("kind %d: %" G_GINT64_FORMAT " plans, best %g s", kind, progress.plans,
                  times->len > 0 ? g_array_index (times, double, 0) : 0.0);
  g_assert_cmpuint (mine->len, ==, times->len);
  for (guint j = 0; j < times->len; j++)
    g_assert_cmpfloat_with_epsilon (g_array_index (mine, double, j),
                                    g_array_index (times, double, j),
                                    1e-9 * g_array_index (times, double, j));
  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    g_array_unref (values.values[key]);

  /* With a single plan to find, the bounds skip most plans. */
  other = plg_search_space_new (plan);
  choose_keys (second, plan, other, &values);
  narrow = search_of (other, "step-time", 1, 1);
  plg_search_snapshot (narrow, &progress, few, NULL, NULL);
  assert_counts (&progress);
  g_assert_cmpuint (few->len, ==, MIN (times->len, 1));
  if (few->len > 0)
    g_assert_cmpfloat_with_epsilon (g_array_index (few, PlgFoundPlan, 0).time,
                                    g_array_index (times, double, 0),
                                    1e-9 * g_array_index (times, double, 0));
  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    g_array_unref (values.values[key]);
  return times->len == BEST;
}

/* Tries random spaces of a kind until enough of them have several plans that fit. */
static void
test_brute_force (gconstpointer data)
{
  SpaceKind kind = GPOINTER_TO_INT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (20 + kind);

  for (int found = 0; found < (kind == SPACE_ANY ? CASES : SPECIAL_CASES);)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);

      if (prepare_base (random, plan, kind))
        found += check_random_space (random, plan, kind);
    }
}

/* The least work of a micro-batch is at most its work with any order, fault and ZeRO stage, and per
 * sample it does not grow with the micro-batch. */
static void
test_least_work (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (24);
  g_autofree PlgWorkload *workload = g_new (PlgWorkload, 1);

  for (int i = 0; i < 3000; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      PlgTraining *training = &plan->training;
      PlgLeastWork least, larger;
      double time;
      guint32 faults;

      if (!prepare_base (random, plan, i % 2 == 0 ? SPACE_ANY : SPACE_FAULTY_LINKS))
        continue;
      least = plg_workload_least (workload, plan, FALSE);
      faults = plg_workload_faults (plan, g_rand_int_range (random, 0,
                                                            plan->parallelism.degree[PLG_AXIS_PP]));
      plg_workload_init (workload, plan, faults, NULL);
      time = plg_workload_average (workload, 1);
      g_assert_cmpfloat (training->schedule == PLG_SCHEDULE_DUALPIPE ? least.dualpipe : least.usual,
                         <=, time * (1.0 + 1e-12));
      g_assert_cmpfloat (least.dualpipe, <=, least.usual * (1.0 + 1e-12));

      least = plg_workload_least (workload, plan, TRUE);
      g_assert_cmpfloat (least.dualpipe, <=, time * (1.0 + 1e-12));
      for (int factor = 2; factor <= 1024; factor *= 2)
        {
          training->micro_batch *= 2;
          larger = plg_workload_least (workload, plan, TRUE);
          g_assert_cmpfloat (larger.usual, <=, 2.0 * least.usual * (1.0 + 1e-12));
          g_assert_cmpfloat (larger.dualpipe, <=, 2.0 * least.dualpipe * (1.0 + 1e-12));
          least = larger;
        }
    }
}

/* The result and the counts do not depend on the number of threads. */
static void
test_threads (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchProgress counts = { 0 };

  for (guint threads = 1; threads <= 4; threads++)
    {
      g_autoptr (PlgSearch) search = search_of (plg_search_space_new (plan), "mfu", 20, threads);
      g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
      PlgSearchProgress progress;

      plg_search_snapshot (search, &progress, best, NULL, NULL);
      assert_counts (&progress);
      g_assert_cmpuint (best->len, ==, 20);
      if (threads == 1)
        {
          counts = progress;
          g_array_append_vals (first, best->data, best->len);
          continue;
        }
      g_assert_cmpint (progress.judged, ==, counts.judged);
      g_assert_cmpint (progress.bounded, ==, counts.bounded);
      for (guint i = 0; i < best->len; i++)
        g_assert_cmpmem (&g_array_index (best, PlgFoundPlan, i).point, sizeof (PlgSearchPoint),
                         &g_array_index (first, PlgFoundPlan, i).point, sizeof (PlgSearchPoint));
    }
}

/* A metric of the whole training run ranks the plans by its own value. */
static void
test_by_cost (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (PlgSearch) search = NULL;
  PlgSearchSpace *space;
  PlgSearchProgress progress;
  double before = 0.0;

  change (plan, "cost.gpu-hour=2");
  space = plg_search_space_new (plan);
  g_assert_true (plg_search_space_keep (space, "parallelism.order", NULL));
  g_assert_true (plg_search_space_keep (space, "training.schedule", NULL));
  search = search_of (space, "cost", 5, 2);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  assert_counts (&progress);
  g_assert_cmpuint (best->len, ==, 5);
  for (guint i = 0; i < best->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (best, PlgFoundPlan, i);
      g_autoptr (PlgPlan) found_plan = plg_search_space_plan (space, &found->point);

      g_assert_true (plg_evaluate_into (report, found_plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat (plg_metric_value (plg_metric_find ("cost"), report), ==, found->by);
      g_assert_cmpfloat (found->by, >, 0.0);
      g_assert_cmpfloat (found->by, >=, before);
      before = found->by;
    }
}

/* No plan of the front beats another one in both metrics, and no judged plan beats the front. */
static void
test_front (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"),
                               .front = { plg_metric_find ("step-time"),
                                          plg_metric_find ("memory") },
                               .top = 10,
                               .keeps_judged = TRUE };
  PlgSearchSpace *space = plg_search_space_new (plan);
  g_autoptr (PlgSearch) search = NULL;
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GArray) front = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GArray) judged = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchProgress progress;

  g_assert_true (plg_search_space_keep (space, "parallelism.order", NULL));
  g_assert_true (plg_search_space_keep (space, "training.schedule", NULL));
  search = plg_search_new (space, &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, front, judged);
  assert_counts (&progress);
  g_assert_cmpuint (front->len, >, 3);
  g_assert_cmpuint (judged->len, >, front->len);
  for (guint i = 1; i < front->len; i++)
    {
      const PlgFoundPlan *a = &g_array_index (front, PlgFoundPlan, i - 1);
      const PlgFoundPlan *b = &g_array_index (front, PlgFoundPlan, i);

      g_assert_cmpfloat (a->time, <, b->time);
      g_assert_cmpfloat (a->memory, >, b->memory);
    }
  for (guint i = 0; i < judged->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (judged, PlgFoundPlan, i);
      gboolean is_beaten = FALSE;

      for (guint j = 0; j < front->len && !is_beaten; j++)
        {
          const PlgFoundPlan *other = &g_array_index (front, PlgFoundPlan, j);

          is_beaten = other->time <= found->time && other->memory <= found->memory;
        }
      g_assert_true (is_beaten);
    }
  g_assert_cmpfloat (g_array_index (front, PlgFoundPlan, 0).time, ==,
                     g_array_index (best, PlgFoundPlan, 0).time);
}

/* The requirements hold for each plan that is found. */
static void
test_requirements (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgAssertion requirement = { 0 };
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"),
                               .requirements = &requirement,
                               .n_requirements = 1,
                               .top = 5 };
  g_autoptr (PlgSearch) search = NULL;
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchProgress progress;

  g_assert_null (plg_assertion_read (&requirement, "memory<=40GiB"));
  search = plg_search_new (plg_search_space_new (plan), &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  assert_counts (&progress);
  g_assert_cmpuint (best->len, ==, 5);
  for (guint i = 0; i < best->len; i++)
    g_assert_cmpfloat (g_array_index (best, PlgFoundPlan, i).memory, <=, 40.0 * 1073741824.0);
}

static guint
count_best (PlgPlan *plan)
{
  g_autoptr (PlgSearch) search = search_of (plg_search_space_new (plan), "step-time", 1, 2);
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchProgress progress;

  plg_search_snapshot (search, &progress, best, NULL, NULL);
  assert_counts (&progress);
  return best->len;
}

/* Clusters of one GPU and of a prime number of GPUs, and a model that fits nowhere. */
static void
test_odd_clusters (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  change (plan, "parallelism.tp=1 parallelism.pp=1 training.global-batch=448");
  plan->cluster.nodes = 7;
  plan->cluster.gpus_per_node = 1;
  g_assert_cmpuint (count_best (plan), ==, 0);
  plan->model.layers = 7;
  g_assert_cmpuint (count_best (plan), ==, 1);
  plan->cluster.nodes = 1;
  plan->model.layers = 1;
  g_assert_cmpuint (count_best (plan), ==, 1);
  plan->cluster.memory = 1e6;
  g_assert_cmpuint (count_best (plan), ==, 0);
}

static gpointer
run_search (gpointer search)
{
  plg_search_run (search);
  return NULL;
}

/* A search that is cancelled at any moment returns soon. */
static void
test_cancel (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  change (plan, "cluster.nodes=512 training.global-batch=1024");
  for (gulong wait = 0; wait < 40000; wait += 4000)
    {
      PlgSearchOptions options = { .by = plg_metric_find ("step-time"), .top = 1000 };
      g_autoptr (PlgSearch) search = plg_search_new (plg_search_space_new (plan), &options);
      GThread *thread = g_thread_new ("search", run_search, search);
      PlgSearchProgress progress;

      g_usleep (wait);
      plg_search_cancel (search);
      g_thread_join (thread);
      plg_search_snapshot (search, &progress, NULL, NULL, NULL);
      g_assert_cmpint (progress.illegal + progress.too_large + progress.bounded + progress.judged,
                       ==, progress.plans);
    }
}

/* Other settings can vary too, within limits. */
static void
test_other_keys (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgSearchSpace) offloading = plg_search_space_new (plan);
  g_autoptr (PlgSearchSpace) space = plg_search_space_new (plan);
  g_autoptr (PlgSearch) search = NULL;
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GError) error = NULL;
  PlgSearchProgress progress;

  g_assert_false (plg_search_space_vary (space, NULL, "parallelism.tq=1", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY);
  g_clear_error (&error);
  /* A range begins at 0 if 0 is a value of the setting. */
  g_assert_true (plg_search_space_vary (offloading, NULL, "training.offload-layers=0..3", &error));
  g_assert_no_error (error);
  g_assert_false (plg_search_space_vary (space, NULL, "cluster.nodes=0..2", NULL));
  g_assert_false (plg_search_space_vary (space, NULL, "training.offload-layers=-1..2", NULL));
  g_assert_false (plg_search_space_vary (space, NULL, "training.offload-layers=..2", NULL));
  g_assert_false (plg_search_space_vary (space, NULL, "cluster.nodes=8..7", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (plg_search_space_vary (space, NULL, "cluster.nodes=1..99999", &error));
  g_clear_error (&error);
  g_assert_false (plg_search_space_vary (space, NULL, "cluster.nodes", &error));
  g_clear_error (&error);
  g_assert_false (plg_search_space_vary (space, NULL, "parallelism.tp=0", &error));
  g_clear_error (&error);
  g_assert_false (plg_search_space_keep (space, "cluster.nodes", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY);
  g_clear_error (&error);

  g_assert_true (plg_search_space_vary (space, NULL, "cluster.nodes=4,8", &error));
  g_assert_true (plg_search_space_vary (space, NULL, "parallelism.overlap-tp", &error));
  g_assert_cmpuint (space->bases->len, ==, 4);
  search = search_of (g_steal_pointer (&space), "step-time", 1, 2);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  assert_counts (&progress);
  {
    const PlgSearchSpace *own = plg_search_get_space (search);
    g_autoptr (PlgPlan)
                   found = plg_search_space_plan (own,
                                                  &g_array_index (best, PlgFoundPlan, 0).point);

    g_assert_cmpint (found->cluster.nodes, ==, 8);
    g_assert_true (found->parallelism.overlap_tp);
  }
}

/* Returns the best plans of the default plan's whole space (element-type PlgFoundPlan), at most 50,
 * that meet REQUIREMENT, which may be NULL. */
static GArray *
best_plans (const char *by, const char *requirement)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  GArray *best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchOptions options = { .by = plg_metric_find (by), .top = 50, .threads = 2 };
  g_autoptr (PlgSearch) search = NULL;
  PlgAssertion assertion;
  PlgSearchProgress progress;

  if (requirement != NULL)
    {
      g_assert_null (plg_assertion_read (&assertion, requirement));
      options.requirements = &assertion;
      options.n_requirements = 1;
    }
  search = plg_search_new (plg_search_space_new (plan), &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  assert_counts (&progress);
  return best;
}

/* A requirement removes the plans that do not meet it and no others, and plans that are equal by
 * the metric are ranked by their step time. */
static void
test_requirements_and_ties (void)
{
  static const char *const requirements[] = { "step-time<=8.5s", "mfu>=44%", "memory<=70GiB" };
  g_autoptr (GArray) all = best_plans ("step-time", NULL);
  g_autoptr (GArray) by_nodes = best_plans ("nodes", NULL);
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  /* The product of MFU and step time is the same for all plans. */
  double mfu_seconds = plg_metric_value (plg_metric_find ("mfu"), report) * report->step.time;

  g_assert_cmpuint (all->len, ==, 50);
  for (guint i = 0; i < all->len; i++)
    g_assert_cmpfloat (g_array_index (by_nodes, PlgFoundPlan, i).time, ==,
                       g_array_index (all, PlgFoundPlan, i).time);
  for (guint r = 0; r < G_N_ELEMENTS (requirements); r++)
    {
      g_autoptr (GArray) some = best_plans ("step-time", requirements[r]);
      guint n = 0;

      for (guint i = 0; i < all->len; i++)
        {
          const PlgFoundPlan *found = &g_array_index (all, PlgFoundPlan, i);

          if (r == 0   ? found->time <= 8.5
              : r == 1 ? mfu_seconds / found->time >= 0.44
                       : found->memory <= 70.0 * 1024 * 1024 * 1024)
            {
              g_assert_cmpuint (n, <, some->len);
              g_assert_cmpfloat (g_array_index (some, PlgFoundPlan, n++).time, ==, found->time);
            }
        }
      g_assert_cmpuint (n, >, 0);
    }
}

/* The least number of repeated layers fits and one less does not. The quick search finds a plan that
 * is at least as fast. */
static void
test_part_recompute (void)
{
  static const char *const keep[] = { "parallelism.tp",
                                      "parallelism.cp",
                                      "parallelism.pp",
                                      "parallelism.zero",
                                      "parallelism.order",
                                      "parallelism.chunks",
                                      "training.schedule",
                                      "training.micro-batch",
                                      "parallelism.sequence",
                                      "parallelism.replicate",
                                      NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgPlan) best = NULL;
  g_autoptr (PlgReport) report = NULL;
  PlgTraining *training = &plan->training;
  double capacity = plan->cluster.memory, time;
  int n;

  training->micro_batch = 4;
  training->recompute = PLG_RECOMPUTE_FULL;
  report = report_of (plan);
  g_assert_true (report->fits);
  n = plg_fewest_recomputed_layers (plan, capacity);
  g_assert_cmpint (n, >, 1);
  training->recompute_method = PLG_RECOMPUTE_METHOD_FIRST;
  training->recompute_layers = n - 1;
  g_assert_cmpfloat (plg_memory_peak (plan, G_MAXDOUBLE), >, capacity);
  training->recompute_layers = n;
  g_assert_cmpfloat (plg_memory_peak (plan, G_MAXDOUBLE), <=, capacity);
  g_assert_cmpint (plg_fewest_recomputed_layers (plan, 1e9), ==, 0);

  training->recompute_method = PLG_RECOMPUTE_METHOD_ALL;
  best = plg_quick_search (plan, keep, &time);
  g_assert_nonnull (best);
  g_assert_cmpint (best->training.recompute_method, ==, PLG_RECOMPUTE_METHOD_FIRST);
  g_assert_cmpint (best->training.recompute_layers, ==, n);
  g_assert_cmpfloat (time, <, report->step.time);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/search/brute-force", GINT_TO_POINTER (SPACE_ANY), test_brute_force);
  g_test_add_data_func ("/search/brute-force/experts", GINT_TO_POINTER (SPACE_EXPERTS),
                        test_brute_force);
  g_test_add_data_func ("/search/brute-force/slow-gpu", GINT_TO_POINTER (SPACE_SLOW_GPU),
                        test_brute_force);
  g_test_add_data_func ("/search/brute-force/faulty-links", GINT_TO_POINTER (SPACE_FAULTY_LINKS),
                        test_brute_force);
  g_test_add_func ("/search/least-work", test_least_work);
  g_test_add_func ("/search/threads", test_threads);
  g_test_add_func ("/search/by-cost", test_by_cost);
  g_test_add_func ("/search/front", test_front);
  g_test_add_func ("/search/requirements", test_requirements);
  g_test_add_func ("/search/odd-clusters", test_odd_clusters);
  g_test_add_func ("/search/cancel", test_cancel);
  g_test_add_func ("/search/other-keys", test_other_keys);
  g_test_add_func ("/search/part-recompute", test_part_recompute);
  g_test_add_func ("/search/requirements-and-ties", test_requirements_and_ties);
  return g_test_run ();
}
