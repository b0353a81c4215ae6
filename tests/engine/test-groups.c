/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of groups: the lists of Megatron-LM's RankGenerator
 * (megatron/core/parallel_state.py), and its rule for any order and degrees. */
#include "engine/network/groups.h"

#include "plans.h"

#include <math.h>

typedef struct
{
  const char *order;
  int tp, cp, pp, dp, ep, etp;
  PlgGroupKind kind;
  int count;
  const char *members; /* some groups, with the lowest rank first, separated by "," */
} Lists;

#define DEFAULT "tp-cp-ep-dp-pp"
#define PP_INSIDE "tp-cp-ep-pp-dp" /* --use-tp-pp-dp-mapping */

static const Lists lists[] = {
  /* 8 nodes of 8: node n is TP group n; DP joins nodes 2q and 2q + 1; PP runs 0, 2, 4, 6. */
  { DEFAULT, 8, 1, 4, 2, 1, 1, PLG_GROUP_TP, 8,
    "0 1 2 3 4 5 6 7,8 9 10 11 12 13 14 15,56 57 58 59 60 61 62 63" },
  { DEFAULT, 8, 1, 4, 2, 1, 1, PLG_GROUP_DATA, 32, "0 8,1 9,7 15,16 24,55 63" },
  { DEFAULT, 8, 1, 4, 2, 1, 1, PLG_GROUP_PP, 16, "0 16 32 48,1 17 33 49,15 31 47 63" },
  { DEFAULT, 8, 1, 4, 2, 1, 1, PLG_GROUP_EMBEDDING, 16, "0 48,1 49,15 63" },
  { PP_INSIDE, 8, 1, 4, 2, 1, 1, PLG_GROUP_DATA, 32, "0 32,1 33,31 63" },
  { PP_INSIDE, 8, 1, 4, 2, 1, 1, PLG_GROUP_PP, 16, "0 8 16 24,39 47 55 63" },
  { PP_INSIDE, 8, 1, 4, 2, 1, 1, PLG_GROUP_EMBEDDING, 16, "0 24,39 63" },
  /* CP leaves the node after two members; gradients are reduced over DP x CP. */
  { DEFAULT, 4, 4, 2, 2, 1, 1, PLG_GROUP_TP, 16, "0 1 2 3,4 5 6 7,60 61 62 63" },
  { DEFAULT, 4, 4, 2, 2, 1, 1, PLG_GROUP_CP, 16, "0 4 8 12,1 5 9 13,51 55 59 63" },
  { DEFAULT, 4, 4, 2, 2, 1, 1, PLG_GROUP_DATA, 8, "0 4 8 12 16 20 24 28,35 39 43 47 51 55 59 63" },
  { DEFAULT, 4, 4, 2, 2, 1, 1, PLG_GROUP_PP, 32, "0 32,31 63" },
  /* Experts: EP 8 and EDP 2 on the same GPUs as TP 2 and DP 8. */
  { DEFAULT, 2, 1, 4, 8, 8, 1, PLG_GROUP_TP, 32, "0 1,62 63" },
  { DEFAULT, 2, 1, 4, 8, 8, 1, PLG_GROUP_DATA, 8,
    "0 2 4 6 8 10 12 14,1 3 5 7 9 11 13 15,16 18 20 22 24 26 28 30" },
  { DEFAULT, 2, 1, 4, 8, 8, 1, PLG_GROUP_EP, 8, "0 1 2 3 4 5 6 7,8 9 10 11 12 13 14 15" },
  { DEFAULT, 2, 1, 4, 8, 8, 1, PLG_GROUP_EXPERT_DATA, 32, "0 8,1 9,16 24,55 63" },
  { DEFAULT, 2, 1, 4, 8, 8, 1, PLG_GROUP_PP, 16, "0 16 32 48,15 31 47 63" },
  { DEFAULT, 2, 1, 4, 8, 4, 2, PLG_GROUP_ETP, 32, "0 1,2 3,62 63" },
  { DEFAULT, 2, 1, 4, 8, 4, 2, PLG_GROUP_EP, 16, "0 2 4 6,1 3 5 7,8 10 12 14" },
  { DEFAULT, 2, 1, 4, 8, 4, 2, PLG_GROUP_EXPERT_DATA, 32, "0 8,7 15,16 24" },
  /* Other orders: PP innermost, with stages that share a node; DP innermost, like FSDP alone. */
  { "pp-tp-cp-dp", 4, 1, 4, 4, 1, 1, PLG_GROUP_PP, 16, "0 1 2 3,60 61 62 63" },
  { "pp-tp-cp-dp", 4, 1, 4, 4, 1, 1, PLG_GROUP_TP, 16, "0 4 8 12,3 7 11 15" },
  { "pp-tp-cp-dp", 4, 1, 4, 4, 1, 1, PLG_GROUP_DATA, 16, "0 16 32 48,15 31 47 63" },
  { "dp-tp-cp-pp", 4, 1, 4, 4, 1, 1, PLG_GROUP_DATA, 16, "0 1 2 3,60 61 62 63" },
  { "dp-tp-cp-pp", 4, 1, 4, 4, 1, 1, PLG_GROUP_TP, 16, "0 4 8 12,51 55 59 63" },
  /* DP inside, CP outside: two strides in one group. */
  { "dp-tp-pp-cp", 2, 4, 2, 4, 1, 1, PLG_GROUP_DATA, 4,
    "0 1 2 3 16 17 18 19 32 33 34 35 48 49 50 51,12 13 14 15 28 29 30 31 44 45 46 47 60 61 62 63" },
};

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* Returns the ranks of GROUP in order, "0 8 16". */
static char *
group_text (const PlgGroups *groups, int group)
{
  g_autofree int *ranks = g_new (int, groups->size);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < groups->size; i++)
    ranks[i] = plg_groups_rank (groups, group, i);
  qsort (ranks, groups->size, sizeof ranks[0], compare_ints);
  for (int i = 0; i < groups->size; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " " : "", ranks[i]);
  return g_string_free (text, FALSE);
}

static gboolean
has_group (const PlgGroups *groups, const char *members)
{
  for (int group = 0; group < groups->count; group++)
    {
      g_autofree char *text = group_text (groups, group);

      if (g_str_equal (text, members))
        return TRUE;
    }
  return FALSE;
}

static void
set_parallelism (PlgPlan *plan, const Lists *row)
{
  plan_set_degrees (plan, row->tp, row->cp, row->pp, row->dp, row->ep);
  plan->parallelism.etp = row->etp;
  g_assert_true (plg_order_from_string (row->order, plan->parallelism.order));
}

static void
test_lists (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_auto (GStrv) members = g_strsplit (lists[i].members, ",", -1);
      PlgGroups groups;

      set_parallelism (plan, &lists[i]);
      plg_groups_init (&groups, &plan->parallelism, lists[i].kind);
      g_assert_cmpint (groups.count, ==, lists[i].count);
      for (int j = 0; members[j] != NULL; j++)
        if (!has_group (&groups, members[j]))
          g_error ("row %u: no group %s", i, members[j]);
    }
}

/* Returns the number of RANK among the ranks of its stage. */
static int
index_in_stage (const PlgParallelism *parallelism, int rank)
{
  int stage = plg_rank_coordinate (parallelism, rank).index[PLG_AXIS_PP], index = 0;

  for (int other = 0; other < rank; other++)
    index += plg_rank_coordinate (parallelism, other).index[PLG_AXIS_PP] == stage;
  return index;
}

/* Encodes the coordinates that all members of a group share. */
static int
common_of (const PlgParallelism *parallelism, PlgGroupKind kind, int rank)
{
  PlgCoordinate at = plg_rank_coordinate (parallelism, rank);
  const int *index = at.index;
  int stage = index[PLG_AXIS_PP], place = index_in_stage (parallelism, rank);
  int etp = parallelism->etp, experts = etp * parallelism->degree[PLG_AXIS_EP];
  int tp = index[PLG_AXIS_TP], cp = index[PLG_AXIS_CP], dp = index[PLG_AXIS_DP];
  int world = (int) plg_parallelism_world (parallelism);
  int copies = world / parallelism->degree[PLG_AXIS_PP] / experts / parallelism->replicate;
  int shards = parallelism->degree[PLG_AXIS_DP] / parallelism->replicate;

  switch (kind)
    {
    case PLG_GROUP_TP:
      return (stage * 256 + cp) * 256 + dp;
    case PLG_GROUP_CP:
      return (stage * 256 + tp) * 256 + dp;
    case PLG_GROUP_PP:
    case PLG_GROUP_EMBEDDING:
      return (tp * 256 + cp) * 256 + dp;
    case PLG_GROUP_DATA:
      return stage * 256 + tp;
    case PLG_GROUP_EP:
      return (stage * 256 + place / experts) * 256 + place % etp;
    case PLG_GROUP_ETP:
      return stage * 256 + place / etp;
    case PLG_GROUP_EXPERT_DATA:
      return stage * 256 + place % experts;
    case PLG_GROUP_SHARD:
      return (stage * 256 + tp) * 256 + dp / shards;
    case PLG_GROUP_REPLICATE:
      return ((stage * 256 + tp) * 256 + cp) * 256 + dp % shards;
    case PLG_GROUP_EXPERT_SHARD:
      return (stage * 256 + place % experts) * 256 + place / experts / copies;
    case PLG_GROUP_EXPERT_REPLICATE:
      return (stage * 256 + place % experts) * 256 + place / experts % copies;
    default:
      g_assert_not_reached ();
    }
}

/* Members share the coordinates of their kind, groups of one kind are disjoint, and every rank
 * is in one; the embedding is on the ranks of the first and the last stage. */
static void
check_rule (const PlgParallelism *parallelism, PlgGroupKind kind)
{
  g_autoptr (GHashTable) commons = g_hash_table_new (NULL, NULL);
  int seen[256] = { 0 }, world = (int) plg_parallelism_world (parallelism);
  int stages = parallelism->degree[PLG_AXIS_PP];
  PlgGroups groups;

  plg_groups_init (&groups, parallelism, kind);
  for (int group = 0; group < groups.count; group++)
    {
      int common = common_of (parallelism, kind, plg_groups_rank (&groups, group, 0));

      g_assert_true (g_hash_table_add (commons, GINT_TO_POINTER (common)));
      for (int i = 0; i < groups.size; i++)
        {
          int rank = plg_groups_rank (&groups, group, i);

          g_assert_cmpint (common_of (parallelism, kind, rank), ==, common);
          g_assert_cmpint (seen[rank]++, ==, 0);
        }
    }
  for (int rank = 0; rank < world; rank++)
    {
      int stage = plg_rank_coordinate (parallelism, rank).index[PLG_AXIS_PP];
      gboolean end = stage == 0 || stage == stages - 1;

      g_assert_cmpint (seen[rank], ==, kind != PLG_GROUP_EMBEDDING || end ? 1 : 0);
    }
}

static void
test_rule (void)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };
  g_autoptr (GRand) random = g_rand_new_with_seed (51);
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  for (int i = 0; i < 300; i++)
    {
      PlgParallelism *parallelism = &plan->parallelism;
      int stage;

      plan_set_degrees (plan, g_rand_int_range (random, 1, 5), g_rand_int_range (random, 1, 4),
                        g_rand_int_range (random, 2, 5), g_rand_int_range (random, 1, 5), 1);
      for (int j = 0; j < PLG_N_NESTED_AXES; j++)
        parallelism->order[j] = axes[j];
      for (int j = 3; j > 0; j--)
        {
          int k = g_rand_int_range (random, 0, j + 1);
          PlgAxis kept = parallelism->order[j];

          parallelism->order[j] = parallelism->order[k];
          parallelism->order[k] = kept;
        }
      stage = (int) plg_parallelism_world (parallelism) / parallelism->degree[PLG_AXIS_PP];
      do
        {
          parallelism->degree[PLG_AXIS_EP] = g_rand_int_range (random, 1, stage + 1);
          parallelism->etp = g_rand_int_range (random, 1, 4);
        }
      while (stage % (parallelism->degree[PLG_AXIS_EP] * parallelism->etp) != 0);
      parallelism->replicate = g_rand_int_range (random, 1, 5);
      plg_parallelism_fit_replicate (parallelism);
      for (PlgGroupKind kind = PLG_GROUP_TP; kind < PLG_N_GROUP_KINDS; kind++)
        check_rule (parallelism, kind);
    }
}

/* The axes on each NIC of the nodes; no traffic crosses a spine. */
static void
test_default_mapping (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  double first = 0.0, inner = 0.0;

  change (plan, "parallelism.order=tp-dp-pp");
  report = report_of (plan);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      if (link->tier == PLG_TIER_SPINE)
        g_assert_cmpfloat (plg_link_bytes (link), ==, 0.0);
      if (link->tier != PLG_TIER_NIC)
        continue;
      g_assert_cmpuint (link->axes, ==, 1u << PLG_AXIS_PP | 1u << PLG_AXIS_DP);
      /* Nodes 0 and 1 are the first stage, nodes 6 and 7 the last: half of the messages of the
       * others. */
      if (link->node == 0 || link->node == 7)
        first += link->bytes_out + link->bytes_in;
      if (link->node == 2 || link->node == 5)
        inner += link->bytes_out + link->bytes_in;
    }
  g_assert_cmpfloat (inner, >, first);
}

/* Distributes the factors of the number of GPUs over the axes, in random order. */
static void
deal_degrees (GRand *random, PlgPlan *plan)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };
  PlgParallelism *parallelism = &plan->parallelism;
  int rest = plg_cluster_gpus (&plan->cluster), stage;

  plan_set_degrees (plan, 1, 1, 1, 1, 1);
  for (int factor = 2; rest > 1; factor++)
    for (; rest % factor == 0; rest /= factor)
      parallelism->degree[axes[g_rand_int_range (random, 0, 4)]] *= factor;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    parallelism->order[i] = axes[i];
  for (int i = 3; i > 0; i--)
    {
      int j = g_rand_int_range (random, 0, i + 1);
      PlgAxis kept = parallelism->order[i];

      parallelism->order[i] = parallelism->order[j];
      parallelism->order[j] = kept;
    }
  stage = (int) plg_parallelism_world (parallelism) / parallelism->degree[PLG_AXIS_PP];
  do
    {
      parallelism->degree[PLG_AXIS_EP] = g_rand_int_range (random, 1, MIN (stage, 64) + 1);
      parallelism->etp = g_rand_int_range (random, 1, 4);
    }
  while (stage % (parallelism->degree[PLG_AXIS_EP] * parallelism->etp) != 0);
  parallelism->replicate = g_rand_int_range (random, 1, 9);
  plg_parallelism_fit_replicate (parallelism);
}

/* Returns a plan with ranks in the order of GPUs, on up to 512 nodes of all kinds. */
static PlgPlan *
deal_plan (GRand *random)
{
  static const int nodes[] = { 2, 3, 4, 8, 12, 16, 24, 30, 32, 40, 48, 64, 64, 96, 128, 160, 512 };
  static const int gpus[] = { 1, 2, 4, 4, 6, 8, 8, 8 }, nics[] = { 1, 2, 3, 4, 5, 8, 8, 16, 32 };
  PlgPlan *plan = plg_plan_new ();
  PlgCluster *cluster = &plan->cluster;

  set_h100 (cluster, nodes[g_rand_int_range (random, 0, G_N_ELEMENTS (nodes))]);
  cluster->gpus_per_node = gpus[g_rand_int_range (random, 0, G_N_ELEMENTS (gpus))];
  cluster->nics_per_node = nics[g_rand_int_range (random, 0, G_N_ELEMENTS (nics))];
  cluster->intra = g_rand_int_range (random, 0, 3);
  cluster->network = g_rand_int_range (random, 0, 3);
  cluster->oversubscription = g_rand_int_range (random, 1, 5);
  deal_degrees (random, plan);
  return plan;
}

static void
break_something (GRand *random, PlgPlan *plan)
{
  PlgCluster *cluster = &plan->cluster;
  PlgFault *fault = &cluster->faults[cluster->n_faults++];

  *fault = (PlgFault) { .kind = PLG_FAULT_PORT, .rate = 0.5 };
  fault->first = g_rand_int_range (random, 0, plg_cluster_gpus (cluster));
  if (cluster->nics_per_node < 2 || g_rand_boolean (random))
    return;
  fault->kind = PLG_FAULT_NIC;
  fault->first = g_rand_int_range (random, 0, cluster->nodes);
  fault->second = g_rand_int_range (random, 0, 2);
  fault->rate = g_rand_boolean (random) ? 0.0 : 0.25;
}

static void
assert_same_span (const PlgPlan *plan,
                  const PlgGroups *groups,
                  PlgGroupExtent fast,
                  PlgGroupExtent walked)
{
  if (fast.size == walked.size && fast.nodes == walked.nodes && fast.per_node == walked.per_node &&
      fabs (fast.ring_uplink_use - walked.ring_uplink_use) < 1e-9 &&
      fabs (fast.pair_uplink_use - walked.pair_uplink_use) < 1e-9 &&
      (fast.ring_uplink_use > 0.0) == (walked.ring_uplink_use > 0.0) &&
      (fast.pair_uplink_use > 0.0) == (walked.pair_uplink_use > 0.0) &&
      fast.intra_loss == walked.intra_loss && fast.inter_loss == walked.inter_loss)
    return;
  g_error ("kind %d, %d nodes of %d GPUs and %d NICs, network %d, order %d %d %d %d, tp %d cp %d "
           "pp %d dp %d: nodes %d (walked %d), per node %d (%d), ring %g (%g), pairs %g (%g)",
           (int) groups->kind, plan->cluster.nodes, plan->cluster.gpus_per_node,
           plan->cluster.nics_per_node, (int) plan->cluster.network,
           (int) plan->parallelism.order[0], (int) plan->parallelism.order[1],
           (int) plan->parallelism.order[2], (int) plan->parallelism.order[3],
           plan->parallelism.degree[PLG_AXIS_TP], plan->parallelism.degree[PLG_AXIS_CP],
           plan->parallelism.degree[PLG_AXIS_PP], plan->parallelism.degree[PLG_AXIS_DP], fast.nodes,
           walked.nodes, fast.per_node, walked.per_node, fast.ring_uplink_use,
           walked.ring_uplink_use, fast.pair_uplink_use, walked.pair_uplink_use);
}

/* WALKED has the same ranks on the same GPUs as an explicit placement. */
static void
compare_spans (GRand *random, const PlgPlan *plan, const PlgPlan *walked, const PlgFabric *fabric)
{
  for (PlgGroupKind kind = PLG_GROUP_TP; kind < PLG_N_GROUP_KINDS; kind++)
    {
      PlgGroups groups;

      plg_groups_init (&groups, &plan->parallelism, kind);
      assert_same_span (plan, &groups, plg_groups_extent (&groups, plan, fabric),
                        plg_groups_extent (&groups, walked, fabric));
      if (groups.size < 2)
        continue;
      if (kind == PLG_GROUP_PP)
        {
          int from = g_rand_int_range (random, 0, groups.size);
          int to = (from + g_rand_int_range (random, 1, groups.size)) % groups.size;

          assert_same_span (plan, &groups, plg_groups_hop (&groups, plan, fabric, from, to),
                            plg_groups_hop (&groups, walked, fabric, from, to));
        }
      if (kind == PLG_GROUP_CP)
        assert_same_span (plan, &groups, plg_groups_neighbours (&groups, plan, fabric),
                          plg_groups_neighbours (&groups, walked, fabric));
    }
}

/* With ranks in order, the extent of groups follows from their strides. An equal explicit
 * placement computes the extent group by group. */
static void
test_extents (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (77);

  for (int i = 0; i < 3000; i++)
    {
      g_autoptr (PlgPlan) plan = deal_plan (random);
      g_autoptr (PlgPlan) walked = NULL;
      PlgFabric fabric;

      if (i % 8 == 0)
        break_something (random, plan);
      walked = plg_plan_copy (plan);
      plg_placement_expand (&walked->placement, plg_cluster_gpus (&plan->cluster));
      plg_fabric_init (&fabric, &plan->cluster);
      compare_spans (random, plan, walked, &fabric);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/groups/lists", test_lists);
  g_test_add_func ("/groups/rule", test_rule);
  g_test_add_func ("/groups/default-mapping", test_default_mapping);
  g_test_add_func ("/groups/extents", test_extents);
  return g_test_run ();
}
