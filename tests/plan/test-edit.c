/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/edit.h"
#include "plan/fault.h"
#include "plan/settings/setting.h"

#include <string.h>

typedef struct
{
  PlgPlan *plan;
  PlgPlan *before;
  PlgCatalogue *catalogue;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = sample_catalogue ();
  fixture->plan = sample_plan ();
  fixture->before = sample_plan ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_plan_free (fixture->plan);
  plg_plan_free (fixture->before);
  plg_catalogue_unref (fixture->catalogue);
}

static void
assert_degrees (const PlgPlan *plan, int tp, int cp, int pp, int dp)
{
  const int *degree = plan->parallelism.degree;

  g_assert_cmpint (degree[PLG_AXIS_TP], ==, tp);
  g_assert_cmpint (degree[PLG_AXIS_CP], ==, cp);
  g_assert_cmpint (degree[PLG_AXIS_PP], ==, pp);
  g_assert_cmpint (degree[PLG_AXIS_DP], ==, dp);
}

#define assert_gpu(plan, rank, gpu) \
  g_assert_cmpint (plg_placement_gpu (&(plan)->placement, rank), ==, gpu)

static void
test_set_degree (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 4, PLG_AXIS_DP, &error);
  g_assert_no_error (error);
  assert_degrees (fixture->plan, 4, 1, 4, 4);
  plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 16, PLG_AXIS_PP, &error);
  g_assert_no_error (error);
  assert_degrees (fixture->plan, 16, 1, 1, 4);
  plg_edit_set_degree (fixture->plan, PLG_AXIS_DP, 1, PLG_AXIS_CP, &error);
  g_assert_no_error (error);
  assert_degrees (fixture->plan, 16, 4, 1, 1);
  /* nothing changes, so no compensating axis is needed */
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_CP, 4, PLG_AXIS_CP, NULL));
}

/* Layers set by hand are valid for one PP. */
static void
test_set_degree_shares_layers_out (Fixture *fixture, gconstpointer data)
{
  PlgParallelism *parallelism = &fixture->plan->parallelism;

  parallelism->first_layers = 19;
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 4, PLG_AXIS_DP, NULL));
  g_assert_cmpint (parallelism->first_layers, ==, 19);
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_PP, 2, PLG_AXIS_DP, NULL));
  g_assert_cmpint (parallelism->first_layers, ==, 0);
  parallelism->last_layers = 39;
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 2, PLG_AXIS_PP, NULL));
  g_assert_cmpint (parallelism->last_layers, ==, 0);
}

/* The shard groups follow DP: replicate falls to its greatest common divisor with the new DP. */
static void
test_set_degree_fits_replicate (Fixture *fixture, gconstpointer data)
{
  PlgParallelism *parallelism = &fixture->plan->parallelism;
  const char *const nodes[] = { "cluster.nodes=12", "training.global-batch=96", NULL };

  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 2, PLG_AXIS_DP, NULL));
  assert_degrees (fixture->plan, 2, 1, 4, 8);
  g_assert_true (plg_edit_set (fixture->plan, NULL, "parallelism.replicate", "4", NULL));
  g_assert_false (plg_edit_set (fixture->plan, NULL, "parallelism.replicate", "3", NULL));
  g_assert_true (plg_settings_apply (fixture->plan, NULL, nodes, NULL));
  assert_degrees (fixture->plan, 2, 1, 4, 12);
  g_assert_cmpint (parallelism->replicate, ==, 4);
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 4, PLG_AXIS_DP, NULL));
  assert_degrees (fixture->plan, 4, 1, 4, 6);
  g_assert_cmpint (parallelism->replicate, ==, 2);
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_DP, 3, PLG_AXIS_TP, NULL));
  g_assert_cmpint (parallelism->replicate, ==, 1);
}

static void
test_shard_group_choices (Fixture *fixture, gconstpointer data)
{
  int choices[8];

  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 2, PLG_AXIS_DP, NULL));
  g_assert_cmpint (plg_edit_replicate_choices (fixture->plan, choices, 8), ==, 4);
  g_assert_cmpint (choices[3], ==, 8);
  g_assert_true (plg_edit_set_replicate (fixture->plan, 8, NULL));
  g_assert_false (plg_edit_set_replicate (fixture->plan, 0, NULL));
  g_assert_cmpint (fixture->plan->parallelism.replicate, ==, 8);
  fixture->plan->parallelism.zero = 0;
  g_assert_cmpint (plg_edit_replicate_choices (fixture->plan, choices, 8), ==, 1);
}

static void
test_set_degree_ep (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "model.name", "mixtral-8x7b",
                               NULL));
  plg_edit_set_degree (fixture->plan, PLG_AXIS_EP, 8, PLG_AXIS_EP, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fixture->plan->parallelism.degree[PLG_AXIS_EP], ==, 8);
  assert_degrees (fixture->plan, 8, 1, 4, 2);
}

/* Micro-batch and global batch stay, since they belong to the training and not to the cluster. */
static void
test_set_degree_keeps_batch (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 1, PLG_AXIS_DP, NULL));
  assert_degrees (fixture->plan, 1, 1, 4, 16);
  g_assert_true (plg_training_equal (&fixture->plan->training, &fixture->before->training));
  g_assert_cmpint (plg_plan_micro_batches (fixture->plan), ==, 4);
}

typedef struct
{
  PlgAxis axis;
  int degree;
  PlgAxis compensating_axis;
  PlgPlanError code;
  const char *message;
} RefusedDegree;

static const RefusedDegree refused[] = {
  { PLG_AXIS_TP, 3, PLG_AXIS_DP, PLG_PLAN_ERROR_WORLD,
    "TP 3 does not divide TP × DP = 16; use TP 1, 2, 4, 8, 16" },
  { PLG_AXIS_TP, 32, PLG_AXIS_DP, PLG_PLAN_ERROR_WORLD,
    "TP 32 does not divide TP × DP = 16; use TP 1, 2, 4, 8, 16" },
  { PLG_AXIS_TP, 0, PLG_AXIS_DP, PLG_PLAN_ERROR_WORLD,
    "TP 0 does not divide TP × DP = 16; use TP 1, 2, 4, 8, 16" },
  { PLG_AXIS_TP, -8, PLG_AXIS_DP, PLG_PLAN_ERROR_WORLD,
    "TP -8 does not divide TP × DP = 16; use TP 1, 2, 4, 8, 16" },
  { PLG_AXIS_TP, G_MAXINT, PLG_AXIS_PP, PLG_PLAN_ERROR_WORLD,
    "TP 2147483647 does not divide TP × PP = 32; use TP 1, 2, 4, 8, 16, 32" },
  { PLG_AXIS_TP, 4, PLG_AXIS_TP, PLG_PLAN_ERROR_WORLD,
    "TP 4 is possible only if another of the degrees TP, CP, PP and DP changes with it" },
  { PLG_AXIS_TP, 4, PLG_AXIS_EP, PLG_PLAN_ERROR_WORLD,
    "TP 4 is possible only if another of the degrees TP, CP, PP and DP changes with it" },
  { PLG_AXIS_EP, 2, PLG_AXIS_DP, PLG_PLAN_ERROR_EXPERTS,
    "EP 2 needs experts, but Llama 3 70B is a dense model; use EP 1" },
  { PLG_AXIS_EP, 0, PLG_AXIS_DP, PLG_PLAN_ERROR_RANGE,
    "parallelism.ep: 0 is out of range; use 1 to 65536" },
};

static void
test_set_degree_refused (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (plg_edit_set_degree (fixture->plan, refused[i].axis, refused[i].degree,
                                           refused[i].compensating_axis, &error));
      g_assert_error (error, PLG_PLAN_ERROR, refused[i].code);
      g_assert_cmpstr (error->message, ==, refused[i].message);
      g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
    }
}

static void
test_compensating_axis (void)
{
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      PlgAxis usual = plg_edit_compensating_axis (axis, FALSE);
      PlgAxis other = plg_edit_compensating_axis (axis, TRUE);

      g_assert_cmpint (usual, ==, axis == PLG_AXIS_DP ? PLG_AXIS_PP : PLG_AXIS_DP);
      g_assert_cmpint (other, ==,
                       axis == PLG_AXIS_DP || axis == PLG_AXIS_PP ? PLG_AXIS_TP : PLG_AXIS_PP);
    }
}

static void
test_degree_choices (Fixture *fixture, gconstpointer data)
{
  int degrees[8];

  g_assert_cmpint (plg_edit_degree_choices (fixture->plan, PLG_AXIS_TP, PLG_AXIS_DP, degrees, 8),
                   ==, 5);
  g_assert_cmpmem (degrees, 5 * sizeof (int), ((int[]) { 1, 2, 4, 8, 16 }), 5 * sizeof (int));
  g_assert_cmpint (plg_edit_degree_choices (fixture->plan, PLG_AXIS_PP, PLG_AXIS_TP, degrees, 3),
                   ==, 6);
  g_assert_cmpmem (degrees, 3 * sizeof (int), ((int[]) { 1, 2, 4 }), 3 * sizeof (int));
  g_assert_cmpint (plg_edit_degree_choices (fixture->plan, PLG_AXIS_EP, PLG_AXIS_EP, degrees, 8),
                   ==, 5);
  g_assert_cmpint (degrees[4], ==, 16);
  g_assert_cmpint (plg_edit_degree_choices (fixture->plan, PLG_AXIS_DP, PLG_AXIS_DP, degrees, 8),
                   ==, 1);
  g_assert_cmpint (degrees[0], ==, 2);
  g_assert_cmpint (plg_edit_degree_choices (fixture->plan, PLG_AXIS_TP, PLG_AXIS_DP, NULL, 0), ==,
                   5);
}

/* 24 GPUs: degrees need not be powers of two. */
static void
test_degree_choices_of_24 (void)
{
  g_autoptr (PlgPlan) plan = sample_plan_with (2, 1, 2, 6);
  int degrees[8];

  g_assert_cmpint (plg_edit_degree_choices (plan, PLG_AXIS_PP, PLG_AXIS_DP, degrees, 8), ==, 6);
  g_assert_cmpmem (degrees, 6 * sizeof (int), ((int[]) { 1, 2, 3, 4, 6, 12 }), 6 * sizeof (int));
}

static void
test_swap_ranks (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 3, 60, NULL));
  assert_gpu (fixture->plan, 3, 60);
  assert_gpu (fixture->plan, 60, 3);
  assert_gpu (fixture->plan, 4, 4);
  g_assert_cmpint (plg_plan_node_of_rank (fixture->plan, 3), ==, 7);
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 60, 3, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 5, 5, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
}

/* Rank = tp + 8 pp + 32 dp. */
static void
test_swap_groups (Fixture *fixture, gconstpointer data)
{
  /* the TP groups of nodes 1 and 6 */
  g_assert_true (plg_edit_swap_groups (fixture->plan, PLG_AXIS_TP, 9, 52, NULL));
  for (int i = 0; i < 8; i++)
    {
      assert_gpu (fixture->plan, 8 + i, 48 + i);
      assert_gpu (fixture->plan, 48 + i, 8 + i);
      assert_gpu (fixture->plan, 16 + i, 16 + i);
    }
  /* A second swap restores the plan, whichever members are named. */
  g_assert_true (plg_edit_swap_groups (fixture->plan, PLG_AXIS_TP, 55, 8, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
  g_assert_true (plg_edit_swap_groups (fixture->plan, PLG_AXIS_TP, 0, 7, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));

  /* the PP groups of TP 0 and TP 5 in replica 1 */
  g_assert_true (plg_edit_swap_groups (fixture->plan, PLG_AXIS_PP, 32, 37, NULL));
  assert_gpu (fixture->plan, 40, 45);
  assert_gpu (fixture->plan, 45, 40);
  assert_gpu (fixture->plan, 0, 0);
}

static void
test_swap_stages_and_replicas (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_swap_stages (fixture->plan, 1, 42, NULL));
  assert_gpu (fixture->plan, 0, 40);
  assert_gpu (fixture->plan, 47, 7);
  assert_gpu (fixture->plan, 8, 8);
  g_assert_true (plg_edit_swap_stages (fixture->plan, 42, 1, NULL));

  g_assert_true (plg_edit_swap_replicas (fixture->plan, 3, 50, NULL));
  for (int rank = 0; rank < 64; rank++)
    assert_gpu (fixture->plan, rank, (rank + 32) % 64);
  g_assert_true (plg_edit_swap_replicas (fixture->plan, 3, 4, NULL));
  assert_gpu (fixture->plan, 0, 32);
}

static void
test_swap_expert_groups (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "model.name", "mixtral-8x7b",
                               NULL));
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_EP, 4, PLG_AXIS_EP, NULL));
  g_assert_true (plg_edit_swap_groups (fixture->plan, PLG_AXIS_EP, 1, 13, NULL));
  for (int i = 0; i < 4; i++)
    {
      assert_gpu (fixture->plan, i, 12 + i);
      assert_gpu (fixture->plan, 12 + i, i);
      assert_gpu (fixture->plan, 4 + i, 4 + i);
    }
}

static void
test_swap_nodes (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_swap_nodes (fixture->plan, 0, 7, NULL));
  assert_gpu (fixture->plan, 2, 58);
  assert_gpu (fixture->plan, 58, 2);
  assert_gpu (fixture->plan, 30, 30);
  g_assert_true (plg_edit_reset_placement (fixture->plan, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
}

/* Only the ranks of a node or group return; displaced ranks take the free GPUs. */
static void
test_tidy_ranks (Fixture *fixture, gconstpointer data)
{
  static const int node[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, wrong[] = { 0, 64 };

  g_assert_true (plg_edit_swap_nodes (fixture->plan, 0, 7, NULL));
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 20, 30, NULL));
  g_assert_cmpint (plg_placement_moved (&fixture->plan->placement), ==, 18);
  g_assert_true (plg_edit_reset_ranks (fixture->plan, node, 8, NULL));
  g_assert_cmpint (plg_placement_moved (&fixture->plan->placement), ==, 2);
  assert_gpu (fixture->plan, 20, 30);
  assert_gpu (fixture->plan, 3, 3);
  assert_gpu (fixture->plan, 60, 60);
  g_assert_false (plg_edit_reset_ranks (fixture->plan, wrong, 2, NULL));
  assert_gpu (fixture->plan, 20, 30);
  /* In a cycle of three, two ranks end at the place of the third. */
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 20, 40, NULL));
  g_assert_cmpint (plg_placement_moved (&fixture->plan->placement), ==, 3);
  g_assert_true (plg_edit_reset_ranks (fixture->plan, (const int[]) { 20 }, 1, NULL));
  assert_gpu (fixture->plan, 20, 20);
  g_assert_cmpint (plg_placement_moved (&fixture->plan->placement), ==, 2);
  g_assert_true (plg_edit_reset_ranks (fixture->plan, (const int[]) { 40 }, 1, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
}

static void
test_swap_refused (Fixture *fixture, gconstpointer data)
{
  static const int wrong[] = { -1, 64, G_MAXINT, G_MININT };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (plg_edit_swap_ranks (fixture->plan, 0, wrong[i], &error));
      g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_PLACEMENT);
      g_assert_nonnull (strstr (error->message, "ranks are numbered from 0 to 63"));
      g_assert_false (plg_edit_swap_ranks (fixture->plan, wrong[i], 0, NULL));
      g_assert_false (plg_edit_swap_groups (fixture->plan, PLG_AXIS_EP, wrong[i], 0, NULL));
      g_assert_false (plg_edit_swap_groups (fixture->plan, PLG_AXIS_TP, 0, wrong[i], NULL));
      g_assert_false (plg_edit_swap_stages (fixture->plan, wrong[i], 0, NULL));
      g_assert_false (plg_edit_swap_replicas (fixture->plan, 0, wrong[i], NULL));
      g_assert_false (plg_edit_swap_nodes (fixture->plan, 0, wrong[i], NULL));
      g_assert_false (plg_edit_swap_nodes (fixture->plan, wrong[i], 0, NULL));
      g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
    }
}

/* A move changes the order in the nesting row. */
static void
test_move_axis (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    PlgAxis axis;
    int position;
    const char *order;
  } moves[] = {
    { PLG_AXIS_DP, 0, "dp-tp-cp-pp" }, { PLG_AXIS_TP, 3, "cp-pp-dp-tp" },
    { PLG_AXIS_PP, 1, "tp-pp-cp-dp" }, { PLG_AXIS_TP, 0, "tp-cp-pp-dp" },
    { PLG_AXIS_CP, 2, "tp-pp-cp-dp" }, { PLG_AXIS_TP, 1, "cp-tp-pp-dp" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_copy (fixture->before);
      g_autofree char *order = NULL;

      g_assert_true (plg_edit_move_axis (plan, moves[i].axis, moves[i].position, NULL));
      order = plg_order_to_string (&plan->parallelism);
      g_assert_cmpstr (order, ==, moves[i].order);
    }
  g_assert_false (plg_edit_move_axis (fixture->plan, PLG_AXIS_EP, 0, NULL));
  g_assert_false (plg_edit_move_axis (fixture->plan, PLG_AXIS_TP, 4, NULL));
  g_assert_false (plg_edit_move_axis (fixture->plan, PLG_AXIS_TP, -1, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
}

/* Another order makes other groups, so a placement by hand is reset. */
static void
test_order_and_placement (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 0, 1, NULL));
  g_assert_true (plg_edit_set_order (fixture->plan, fixture->plan->parallelism.order, NULL));
  g_assert_cmpint (fixture->plan->placement.size, ==, 64);
  g_assert_true (plg_edit_move_axis (fixture->plan, PLG_AXIS_DP, 0, NULL));
  g_assert_cmpint (fixture->plan->placement.size, ==, 0);

  g_assert_true (plg_edit_swap_ranks (fixture->plan, 0, 1, NULL));
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 4, PLG_AXIS_PP, NULL));
  g_assert_cmpint (fixture->plan->placement.size, ==, 0);
}

static gboolean
set_cluster_size (PlgPlan *plan, int nodes, int gpus_per_node, GError **error)
{
  g_autofree char *set_nodes = g_strdup_printf ("cluster.nodes=%d", nodes);
  g_autofree char *set_gpus = g_strdup_printf ("cluster.gpus-per-node=%d", gpus_per_node);
  const char *const assignments[] = { set_nodes, set_gpus, NULL };

  return plg_settings_apply (plan, NULL, assignments, error);
}

static void
test_cluster_size (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (set_cluster_size (fixture->plan, 16, 8, NULL));
  assert_degrees (fixture->plan, 8, 1, 4, 4);
  g_assert_true (set_cluster_size (fixture->plan, 8, 16, NULL));
  assert_degrees (fixture->plan, 8, 1, 4, 4);

  plg_plan_assign (fixture->plan, fixture->before);
  g_assert_false (set_cluster_size (fixture->plan, 5, 8, &error));
  g_assert_cmpstr (error->message, ==,
                   "TP 8 × PP 4 = 32 does not divide 40 GPUs; use degrees whose product divides "
                   "40");
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
  g_assert_false (set_cluster_size (fixture->plan, 0, 8, NULL));
  g_assert_false (set_cluster_size (fixture->plan, 8, G_MAXINT, NULL));
  g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
}

static void
test_catalogue_edits (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "cluster.gpu", "v100-sxm-32",
                               NULL));
  g_assert_cmpint (fixture->plan->training.precision, ==, PLG_PRECISION_FP16);
  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "cluster.node", "mi300x-node",
                               NULL));
  g_assert_cmpstr (fixture->plan->cluster.gpu.name, ==, "mi300x-192");

  /* A dense model has no experts to share. */
  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "model.name", "mixtral-8x7b",
                               NULL));
  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "parallelism.ep", "8", NULL));
  g_assert_true (plg_edit_set (fixture->plan, fixture->catalogue, "model.name", "gpt3-175b", NULL));
  g_assert_cmpint (fixture->plan->parallelism.degree[PLG_AXIS_EP], ==, 1);

  g_assert_false (plg_edit_set (fixture->plan, fixture->catalogue, "model.name", "gpt5", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY);
  g_assert_nonnull (strstr (error->message, "llama3-70b"));
}

/* In any sequence, an edit either succeeds and leaves a valid plan, or is refused with a message
 * and changes nothing. */
static gboolean
random_edit (GRand *random, PlgPlan *plan, const PlgCatalogue *catalogue, GError **error)
{
  static const char *const models[] = { "llama3-70b", "gpt3-175b", "mixtral-8x7b", "none" };
  static const char *const values[] = { "0",        "1",       "2",   "4",    "3",
                                        "16",       "true",    "1e9", "1f1b", "interleaved",
                                        "dualpipe", "ulysses", "fp8", "-1" };
  PlgAxis axis = (PlgAxis) g_rand_int_range (random, 0, PLG_N_AXES);
  PlgAxis other = (PlgAxis) g_rand_int_range (random, 0, PLG_N_AXES);
  int a = g_rand_int_range (random, -1, 70);
  int b = g_rand_int_range (random, 0, 64);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  switch (g_rand_int_range (random, 0, 14))
    {
    case 0:
    case 1:
    case 2:
      return plg_edit_set_degree (plan, axis, 1 << g_rand_int_range (random, 0, 6), other, error);
    case 3:
      return plg_edit_set_degree (plan, axis, a, other, error);
    case 4:
      return plg_edit_swap_ranks (plan, a, b, error);
    case 5:
      return plg_edit_swap_groups (plan, axis, a, b, error);
    case 6:
      return plg_edit_swap_nodes (plan, a % 8, b % 8, error);
    case 7:
      return plg_edit_swap_stages (plan, a, b, error);
    case 8:
      return plg_edit_swap_replicas (plan, a, b, error);
    case 9:
      return plg_edit_reset_placement (plan, error);
    case 10:
      return plg_edit_move_axis (plan, axis, a % 5, error);
    case 11:
      return set_cluster_size (plan, b, 8, error);
    case 12:
      return plg_edit_set (plan, catalogue, "model.name", models[b % 4], error);
    default:
      return plg_edit_set (plan, catalogue, settings[g_rand_int_range (random, 0, n)].key,
                           values[g_rand_int_range (random, 0, G_N_ELEMENTS (values))], error);
    }
}

static void
test_random_edits (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  int done = 0;

  for (int i = 0; i < 10000; i++)
    {
      g_autoptr (GError) error = NULL;

      plg_plan_assign (fixture->before, fixture->plan);
      if (random_edit (random, fixture->plan, fixture->catalogue, &error))
        {
          g_autoptr (GError) broken = NULL;

          g_assert_no_error (error);
          plg_plan_check (fixture->plan, &broken);
          g_assert_no_error (broken);
          done++;
        }
      else
        {
          g_assert_nonnull (error);
          g_assert_cmpint (error->domain, ==, PLG_PLAN_ERROR);
          g_assert_true (plg_plan_equal (fixture->plan, fixture->before));
        }
    }
  /* The random edits must not lead to a state in which every edit is refused. */
  g_assert_cmpint (done, >, 2000);
}

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

/* A whole node becomes slow and is repaired; the other nodes keep their faults. */
static void
test_node_faults (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  int gpus = plan->cluster.gpus_per_node;
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_edit_set_fault (plan, &(PlgFault) { PLG_FAULT_NIC, 1, 2, 0.0 }, NULL));
  g_assert_true (plg_edit_set_fault (plan, &(PlgFault) { PLG_FAULT_PORT, gpus - 1, 0, 0.5 }, NULL));
  g_assert_true (plg_edit_slow_node (plan, 1, 0.5, &error));
  g_assert_no_error (error);
  g_assert_cmpint (plan->cluster.n_faults, ==, gpus + 2);
  for (int i = 0; i < gpus; i++)
    g_assert_cmpfloat (plg_faults_rate (&plan->cluster, PLG_FAULT_GPU, gpus + i, 0), ==, 0.5);
  g_assert_true (plg_edit_repair_node (plan, 1, &error));
  g_assert_no_error (error);
  g_assert_cmpint (plan->cluster.n_faults, ==, 1);
  g_assert_cmpfloat (plg_faults_rate (&plan->cluster, PLG_FAULT_PORT, gpus - 1, 0), ==, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/edit/set-degree", test_set_degree);
  TEST ("/edit/set-degree-shares-layers-out", test_set_degree_shares_layers_out);
  TEST ("/edit/set-degree-fits-replicate", test_set_degree_fits_replicate);
  TEST ("/edit/shard-group-choices", test_shard_group_choices);
  TEST ("/edit/set-degree-ep", test_set_degree_ep);
  TEST ("/edit/set-degree-keeps-batch", test_set_degree_keeps_batch);
  TEST ("/edit/set-degree-refused", test_set_degree_refused);
  g_test_add_func ("/edit/compensating-axis", test_compensating_axis);
  TEST ("/edit/degree-choices", test_degree_choices);
  g_test_add_func ("/edit/degree-choices-of-24", test_degree_choices_of_24);
  TEST ("/edit/swap-ranks", test_swap_ranks);
  TEST ("/edit/swap-groups", test_swap_groups);
  TEST ("/edit/swap-stages-and-replicas", test_swap_stages_and_replicas);
  TEST ("/edit/swap-expert-groups", test_swap_expert_groups);
  TEST ("/edit/swap-nodes", test_swap_nodes);
  TEST ("/edit/tidy-ranks", test_tidy_ranks);
  TEST ("/edit/swap-refused", test_swap_refused);
  TEST ("/edit/move-axis", test_move_axis);
  TEST ("/edit/order-and-placement", test_order_and_placement);
  TEST ("/edit/cluster-size", test_cluster_size);
  TEST ("/edit/catalogue-edits", test_catalogue_edits);
  TEST ("/edit/random-edits", test_random_edits);
  g_test_add_func ("/edit/node-faults", test_node_faults);
  return g_test_run ();
}
