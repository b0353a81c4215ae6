/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of every plan, on many random plans. */
#include "random-plan.h"

#define PLANS 400

static PlgPart
part_of_axis (PlgAxis axis)
{
  static const PlgPart parts[] = { PLG_PART_TP, PLG_PART_CP, PLG_PART_EP, PLG_PART_PP,
                                   PLG_PART_DP };

  return parts[axis];
}

static void
check_parts (const PlgReport *report)
{
  double sum = 0.0, exposed[PLG_N_PARTS] = { 0 };

  for (int i = 0; i < PLG_N_PARTS; i++)
    {
      g_assert_true (isfinite (report->step.part[i]));
      g_assert_cmpfloat (report->step.part[i], >=, 0.0);
      sum += report->step.part[i];
    }
  g_assert_cmpfloat (sum, ==, report->step.time);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      exposed[part_of_axis (row->axis)] += row->exposed;
    }
  /* A late message also delays later blocks: the part is larger than the messages alone. */
  g_assert_cmpfloat (exposed[PLG_PART_PP], <=,
                     report->step.part[PLG_PART_PP] + 1e-9 * report->step.time);
  for (PlgAxis axis = PLG_AXIS_TP; axis <= PLG_AXIS_DP; axis++)
    if (axis != PLG_AXIS_PP)
      g_assert_cmpfloat_with_epsilon (exposed[part_of_axis (axis)],
                                      report->step.part[part_of_axis (axis)],
                                      1e-9 * report->step.time);
}

static void
check_collectives (const PlgReport *report)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      g_assert_cmpfloat (row->calls, >, 0.0);
      g_assert_cmpfloat (row->bytes_per_call, >, 0.0);
      g_assert_cmpfloat (row->time, >, 0.0);
      g_assert_true (isfinite (row->time));
      g_assert_cmpint (row->group_size, >, 1);
      g_assert_cmpint (row->nodes_spanned, >=, 1);
      g_assert_cmpint (row->nodes_spanned, <=, row->group_size);
      g_assert_cmpfloat (row->exposed, <=, row->time * (1.0 + 1e-9));
    }
}

/* Each collective has a unique title and a unique name for commands. */
static void
check_names (const PlgReport *report)
{
  g_autoptr (GHashTable) titles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
      g_autofree char *name = plg_collective_name (row);
      char *title = plg_collective_title (row);

      g_assert_cmpint (plg_report_find_collective (report, name), ==, i);
      if (!g_hash_table_add (titles, title))
        g_error ("two collectives have the name %s", title);
    }
}

/* No collective is faster than the GPU's links: all its NICs and its links inside the node
 * together. All-reduce may count as a ring on a switch that reduces, which saves some bytes. */
static void
check_rates (const PlgPlan *plan, const PlgReport *report)
{
  const PlgCluster *cluster = &plan->cluster;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
      double rate = cluster->intra_bandwidth;

      if (row->nodes_spanned > 1)
        rate += cluster->inter_bandwidth;
      if (row->kind != PLG_COLLECTIVE_ALL_REDUCE)
        g_assert_cmpfloat (row->bytes_sent, <=, row->time * rate * (1.0 + 1e-9));
      else
        g_assert_cmpfloat (row->bytes_sent, <=, row->time * rate * 1.2);
    }
}

/* A link is busy only with bytes to carry and never longer than the step: a link carries one
 * collective at a time. */
static void
check_links (const PlgReport *report)
{
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      g_assert_cmpfloat (link->time * link->bandwidth, >=, plg_link_bytes (link) * (1 - 1e-9));
      g_assert_cmpfloat (link->time, <=, report->step.time * (1.0 + 1e-9));
      g_assert_cmpint (link->calls > 0.0, ==, link->n_shares > 0);
      g_assert_cmpint (link->axes != 0, ==, link->n_shares > 0);
    }
}

static void
test_valid (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) report = report_of (plan);

      g_assert_cmpfloat (report->step.mfu, >, 0.0);
      g_assert_cmpfloat (report->step.mfu, <, 0.9);
      g_assert_cmpfloat (report->step.hfu, >=, report->step.mfu * (1.0 - 1e-12));
      g_assert_cmpfloat (report->bubble.simulated, >=, 0.0);
      g_assert_cmpfloat (report->bubble.simulated, <, 1.0);
      check_parts (report);
      check_collectives (report);
      check_names (report);
      check_rates (plan, report);
      check_links (report);
    }
}

/* The same plan gives the same report, with any requested parts and any earlier content. */
static void
test_deterministic (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (12);
  g_autoptr (PlgReport) reused = plg_report_new ();

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgReport) fresh = report_of (plan);

      g_assert_true (plg_evaluate_into (reused, plan, PLG_EVALUATE_TOTALS, NULL));
      assert_near (reused->step.time, fresh->step.time, 1e-9);
      for (int j = 0; j < PLG_N_PARTS; j++)
        g_assert_cmpfloat_with_epsilon (reused->step.part[j], fresh->step.part[j],
                                        1e-9 * fresh->step.time);
      g_assert_true (plg_evaluate_into (reused, plan, PLG_EVALUATE_ALL, NULL));
      plg_report_advise (reused, plan);
      g_assert_cmpfloat (reused->step.time, ==, fresh->step.time);
      g_assert_cmpuint (reused->findings->len, ==, fresh->findings->len);
      g_assert_cmpuint (reused->link_shares->len, ==, fresh->link_shares->len);
    }
}

static PlgStep
step_of (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  return report->step;
}

static double
tolerance_of (const PlgPlan *plan, const PlgStep *before, const PlgStep *after)
{
  return time_tolerance (plan, before->part[PLG_PART_HOST] + after->part[PLG_PART_HOST]);
}

/* Better links and a better GPU never make a step longer. */
static void
test_monotone (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (13);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      double *better[] = { &plan->cluster.intra_bandwidth, &plan->cluster.inter_bandwidth,
                           &plan->cluster.memory_bandwidth, &plan->cluster.peak };
      double *worse[] = { &plan->cluster.intra_latency, &plan->cluster.inter_latency,
                          &plan->cluster.oversubscription };
      PlgStep before, after;

      plan->cluster.peak = plg_cluster_peak (&plan->cluster, plan->training.precision);
      before = step_of (plan);
      for (guint j = 0; j < G_N_ELEMENTS (better); j++)
        {
          double kept = *better[j];

          /* A GPU with faster memory has another balance; see kernel.c. */
          *better[j] = 2.0 * kept;
          after = step_of (plan);
          g_assert_cmpfloat (after.time, <=,
                             before.time * (1.0 + tolerance_of (plan, &before, &after)));
          *better[j] = kept;
        }
      for (guint j = 0; j < G_N_ELEMENTS (worse); j++)
        {
          double kept = *worse[j];

          *worse[j] = 2.0 * kept;
          after = step_of (plan);
          g_assert_cmpfloat (after.time, >=,
                             before.time * (1.0 - tolerance_of (plan, &before, &after)));
          *worse[j] = kept;
        }
    }
}

/* An explicit placement equal to the order makes no difference, and neither does swapping two
 * nodes at equal switches. */
static void
test_symmetric (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (14);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      int world = plg_plan_world (plan), gpus = plan->cluster.gpus_per_node;
      double before = step_of (plan).time;
      int a, b;

      plg_placement_expand (&plan->placement, world);
      assert_near (step_of (plan).time, before, 1e-9);
      if (plan->cluster.network == PLG_NETWORK_TREE)
        continue;
      a = g_rand_int_range (random, 0, plan->cluster.nodes);
      b = g_rand_int_range (random, 0, plan->cluster.nodes);
      for (int rank = 0; rank < world; rank++)
        {
          int gpu = plan->placement.gpu_of_rank[rank], node = gpu / gpus;

          if (node == a || node == b)
            plan->placement.gpu_of_rank[rank] = (node == a ? b : a) * gpus + gpu % gpus;
        }
      assert_near (step_of (plan).time, before, 1e-9);
    }
}

/* Numbers at the limits of their ranges: large, small, and all at once. */
static void
test_extremes (void)
{
  static const char *const extremes[] = {
    "cluster.inter-bandwidth=0.001 cluster.intra-bandwidth=0.001",
    "cluster.inter-bandwidth=1000000 cluster.intra-latency=0 cluster.inter-latency=0",
    "cluster.memory=0.001 cluster.memory-bandwidth=0.001",
    "cluster.peak=1000000 cluster.oversubscription=1000",
    "cluster.nics-per-node=1024",
    "model.vocabulary=1 model.layers=4",
    "model.layers=10000 parallelism.pp=8",
    "model.hidden=1 model.ffn=8 model.heads=8 model.kv-heads=8 model.head-dim=1",
    "training.sequence=134217728",
    "training.sequence=8",
    "training.global-batch=100000000",
    "training.micro-batch=1048576 training.global-batch=2097152",
    "cluster.nodes=8192 training.global-batch=2048",
    "cluster.nodes=8192 parallelism.tp=8 parallelism.pp=64 training.global-batch=1024",
    "model.experts=65536 model.top-k=65536 model.expert-ffn=8",
  };

  for (guint i = 0; i < G_N_ELEMENTS (extremes); i++)
    {
      g_autoptr (PlgReport) report = report_with (extremes[i]);

      g_assert_true (isfinite (report->step.time));
      g_assert_cmpfloat (report->step.time, >, 0.0);
      check_parts (report);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/properties/valid", test_valid);
  g_test_add_func ("/engine/properties/deterministic", test_deterministic);
  g_test_add_func ("/engine/properties/monotone", test_monotone);
  g_test_add_func ("/engine/properties/symmetric", test_symmetric);
  g_test_add_func ("/engine/properties/extremes", test_extremes);
  return g_test_run ();
}
