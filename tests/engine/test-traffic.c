/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/traffic.h"

#include "plans.h"

static const PlgLink *
link_at (const PlgReport *report, guint i)
{
  return &g_array_index (report->links, PlgLink, i);
}

static const PlgLink *
find_link (const PlgReport *report, PlgTier tier, int node, int local)
{
  for (guint i = 0; i < report->links->len; i++)
    if (link_at (report, i)->tier == tier && link_at (report, i)->node == node &&
        link_at (report, i)->local == local)
      return link_at (report, i);
  g_assert_not_reached ();
}

/* Returns the bytes of AXIS that LINK carries out. */
static double
out_of_axis (const PlgReport *report, const PlgLink *link, PlgAxis axis)
{
  double sum = 0.0;

  for (int i = 0; i < link->n_shares; i++)
    {
      const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                  link->first_share + i);

      if (g_array_index (report->collectives, PlgCollective, share->collective).axis == axis)
        sum += share->bytes_out;
    }
  return sum;
}

static double
tier_bytes (const PlgReport *report, PlgTier tier)
{
  double sum = 0.0;

  for (guint i = 0; i < report->links->len; i++)
    if (link_at (report, i)->tier == tier)
      sum += link_at (report, i)->bytes_out;
  return sum;
}

static void
swap_ranks (PlgPlan *plan, int a, int b)
{
  int *gpu;
  int kept;

  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  gpu = plan->placement.gpu_of_rank;
  kept = gpu[a];
  gpu[a] = gpu[b];
  gpu[b] = kept;
}

/* TP stays on the switch ports, which are equal inside a stage. DP of rail j uses NIC j, PP goes
 * from a node to the next. All peers have equal numbers, so no traffic crosses a spine. */
static void
test_teaching_case (void)
{
  g_autoptr (PlgReport) report = report_with ("");

  for (int node = 0; node < 8; node++)
    for (int local = 0; local < 8; local++)
      {
        const PlgLink *port = find_link (report, PLG_TIER_NVLINK, node, local);
        const PlgLink *nic = find_link (report, PLG_TIER_NIC, node, local);
        const PlgLink *first = find_link (report, PLG_TIER_NVLINK, node, 0);

        g_assert_cmpuint (port->axes, ==, 1u << PLG_AXIS_TP);
        g_assert_cmpuint (nic->axes, ==, 1u << PLG_AXIS_PP | 1u << PLG_AXIS_DP);
        assert_near (port->bytes_out, first->bytes_out, 1e-12);
        assert_near (port->bytes_in, port->bytes_out, 1e-12);
      }
  g_assert_cmpfloat (tier_bytes (report, PLG_TIER_SPINE), ==, 0.0);
}

/* The links carry the bytes that the table of collectives counts per GPU. */
static void
test_agrees_with_table (void)
{
  g_autoptr (PlgReport) report = report_with ("");
  const PlgLink *port = find_link (report, PLG_TIER_NVLINK, 3, 2); /* the last stage */
  const PlgLink *nic = find_link (report, PLG_TIER_NIC, 1, 4);     /* the second stage */
  const PlgLink *first_nic = find_link (report, PLG_TIER_NIC, 0, 4);
  double sent = 0.0, calls = 0.0, message;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis != PLG_AXIS_TP)
        continue;
      sent += row->bytes_sent;
      calls += row->calls;
    }
  assert_near (out_of_axis (report, port, PLG_AXIS_TP), sent, 1e-9);
  assert_near (port->calls, calls, 1e-9);
  /* An inner stage has two boundaries, an outer stage one: a message out of each, 32
   * micro-batches. */
  message = 8192.0 * 8192.0 * 2.0 / 8.0;
  assert_near (out_of_axis (report, nic, PLG_AXIS_PP), 2 * 32 * message, 1e-12);
  assert_near (out_of_axis (report, first_nic, PLG_AXIS_PP), 32 * message, 1e-12);
}

/* The calls of a GPU, stage by stage, match the load of its links: TP on its port, PP and DP on
 * its NIC. Other stages have other calls: the first has the embedding, the last the loss, inner
 * ones two boundaries. */
static void
test_stages_add_up (void)
{
  g_autoptr (PlgReport) report = report_with ("parallelism.first-layers=17");
  gboolean differ = FALSE;

  for (int node = 0; node < 8; node++)
    for (guint i = 0; i < report->collectives->len; i++)
      {
        const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
        const PlgStageCalls *own = plg_report_stage_calls (report, i, node % 4);
        const PlgLink *link = find_link (report,
                                         row->axis == PLG_AXIS_TP ? PLG_TIER_NVLINK : PLG_TIER_NIC,
                                         node, 3);
        PlgLinkShare share = { 0 };

        for (int k = 0; k < link->n_shares; k++)
          if (g_array_index (report->link_shares, PlgLinkShare, link->first_share + k).collective ==
              (int) i)
            share = g_array_index (report->link_shares, PlgLinkShare, link->first_share + k);
        assert_near (own->calls, share.calls, 1e-12);
        assert_near (own->bytes_sent, share.bytes_out, 1e-9);
        differ = differ || own->calls != row->calls;
        if (row->stage == node % 4 && row->axis != PLG_AXIS_PP)
          {
            assert_near (own->calls, row->calls, 1e-12);
            assert_near (own->time, row->time, 1e-9);
          }
      }
  g_assert_true (differ);
  g_assert_null (plg_report_stage_calls (report, 0, 4));
  g_assert_null (plg_report_stage_calls (report, report->collectives->len, 0));
}

/* All bytes that leave one end arrive at another; shares add up to their link and match its
 * time. */
static void
check_conservation (const PlgReport *report)
{
  double out[5] = { 0 }, in[5] = { 0 };

  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = link_at (report, i);
      double calls = 0.0, bytes_out = 0.0, bytes_in = 0.0, time = 0.0;

      for (int j = 0; j < link->n_shares; j++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + j);

          calls += share->calls;
          bytes_out += share->bytes_out;
          bytes_in += share->bytes_in;
          time += share->time;
          g_assert_cmpint (share->collective, <, report->collectives->len);
        }
      assert_near (link->calls, calls, 1e-12);
      assert_near (link->bytes_out, bytes_out, 1e-12);
      assert_near (link->bytes_in, bytes_in, 1e-12);
      assert_near (link->time, time, 1e-12);
      if (link->bandwidth > 0.0)
        g_assert_cmpfloat (link->time, >=, plg_link_bytes (link) / link->bandwidth * (1 - 1e-9));
      else
        g_assert_cmpfloat (plg_link_bytes (link), ==, 0.0);
      if (link->n_shares == 0)
        g_assert_cmpuint (link->axes, ==, 0);
      /* A link between two GPUs counts both directions as sent and as received. */
      out[link->tier] += link->bytes_out + (link->other >= 0 ? link->bytes_in : 0.0);
      in[link->tier] += link->bytes_in + (link->other >= 0 ? link->bytes_out : 0.0);
    }
  for (int tier = 0; tier < 5; tier++)
    assert_near (out[tier], in[tier], 1e-9);
}

static const char *const plans[] = {
  "",
  "parallelism.order=pp-tp-dp",
  "parallelism.order=dp-pp-tp",
  "parallelism.tp=16",
  "parallelism.tp=4 parallelism.cp=2",
  "parallelism.tp=2 parallelism.cp=8 parallelism.cp-type=all-gather",
  "parallelism.tp=2 parallelism.cp=4 parallelism.cp-type=ulysses",
  "parallelism.zero=0",
  "parallelism.zero=2",
  "parallelism.zero=3 parallelism.pp=1",
  "training.schedule=interleaved parallelism.chunks=4",
  "training.schedule=zb-v",
  "training.schedule=dualpipe",
  "parallelism.sequence=false model.tied=true",
  "cluster.intra=mesh",
  "cluster.intra=pcie cluster.network=flat cluster.nics-per-node=2",
  "cluster.network=tree parallelism.order=tp-dp-pp",
  "cluster.network=tree cluster.nics-per-node=32 parallelism.order=dp-tp-pp",
  "cluster.nics-per-node=3 parallelism.tp=2",
  "cluster.nodes=64 training.global-batch=512",
  "cluster.faults=nic:2.3=0,nic:2.2=0,nic:7.7=0,uplink:2.0=0,uplink:4.1=0.3,port:9=0.5,gpu:1=0.5",
  "cluster.intra=pcie cluster.nics-per-node=4 cluster.faults=nic:1.1=0,port:9=0.5",
  "cluster.nodes=64 training.global-batch=512 parallelism.order=dp-tp-pp",
  "cluster.nodes=40 training.global-batch=640 parallelism.zero=3 parallelism.pp=1",
  "cluster.nodes=64 cluster.nics-per-node=32 parallelism.tp=2 parallelism.cp=4 "
  "parallelism.order=dp-pp-cp-tp",
  "cluster.nodes=4 cluster.gpus-per-node=6 model.heads=96 model.kv-heads=24 model.ffn=27648 "
  "training.sequence=6144 "
  "parallelism.tp=3 parallelism.pp=2 parallelism.dp=4",
  "parallelism.pp=1 cluster.nodes=1",
};

static void
test_conservation (gconstpointer data)
{
  g_autoptr (PlgReport) report = report_with (data);

  check_conservation (report);
}

/* The same plan with an explicit placement equal to the order, and with a random one. */
static void
test_placement (gconstpointer data)
{
  const char *edits = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) ordered = NULL;
  g_autoptr (PlgReport) placed = NULL;
  g_autoptr (PlgReport) shuffled = NULL;

  change (plan, edits);
  ordered = report_of (plan);
  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  placed = report_of (plan);
  assert_near (placed->step.time, ordered->step.time, 1e-12);
  for (guint i = 0; i < ordered->links->len; i++)
    {
      assert_near (link_at (placed, i)->bytes_out, link_at (ordered, i)->bytes_out, 1e-12);
      assert_near (link_at (placed, i)->calls, link_at (ordered, i)->calls, 1e-12);
    }
  for (int i = plg_plan_world (plan) - 1; i > 0; i--)
    swap_ranks (plan, i, g_rand_int_range (random, 0, i + 1));
  shuffled = report_of (plan);
  check_conservation (shuffled);
  /* A random placement is never better than the usual order; it may beat a bad order, or avoid a
   * fault. */
  if (strstr (edits, "order") == NULL && strstr (edits, "faults") == NULL)
    g_assert_cmpfloat (shuffled->step.time, >=, ordered->step.time * (1 - 1e-12));
}

/* With ranks 0 and 1 swapped, their DP and PP peers are on other rails, so those links carry
 * traffic. TP is unaffected. */
static void
test_swapped_ranks (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) before = report_of (plan);
  g_autoptr (PlgReport) after = NULL;
  int highlighted = 0;

  swap_ranks (plan, 0, 1);
  after = report_of (plan);
  g_assert_cmpfloat (tier_bytes (before, PLG_TIER_SPINE), ==, 0.0);
  g_assert_cmpfloat (tier_bytes (after, PLG_TIER_SPINE), >, 0.0);
  for (guint i = 0; i < after->links->len; i++)
    {
      const PlgLink *link = link_at (after, i);

      if (link->tier == PLG_TIER_NVLINK)
        assert_near (link->bytes_out, link_at (before, i)->bytes_out, 1e-12);
      if (link->tier != PLG_TIER_SPINE || link->calls <= 0.0)
        continue;
      g_assert_cmpint (link->local, <, 2);
      g_assert_cmpuint (link->axes, ==, 1u << PLG_AXIS_PP | 1u << PLG_AXIS_DP);
      highlighted++;
    }
  g_assert_cmpint (highlighted, ==, 2 * 4);
  g_assert_cmpfloat (after->step.part[PLG_PART_TP], ==, before->step.part[PLG_PART_TP]);
}

/* Swapping whole nodes costs nothing with rails; with a tree it may. */
static void
test_swapped_nodes (void)
{
  for (int tree = 0; tree < 2; tree++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) before = NULL;
      g_autoptr (PlgReport) after = NULL;

      change (plan, tree ? "cluster.network=tree parallelism.order=tp-dp-pp" : "");
      before = report_of (plan);
      for (int i = 0; i < 8; i++)
        swap_ranks (plan, 8 + i, 32 + i);
      after = report_of (plan);
      if (tree)
        g_assert_cmpfloat (tier_bytes (after, PLG_TIER_SPINE), >,
                           tier_bytes (before, PLG_TIER_SPINE));
      else
        g_assert_cmpfloat (tier_bytes (after, PLG_TIER_SPINE), ==, 0.0);
    }
}

/* Returns the bytes that leave LEAF over all its uplinks. */
static double
out_of_leaf (const PlgReport *report, int leaf)
{
  double sum = 0.0;

  for (guint i = 0; i < report->links->len; i++)
    if (link_at (report, i)->tier == PLG_TIER_SPINE && link_at (report, i)->local == leaf)
      sum += link_at (report, i)->bytes_out;
  return sum;
}

/* 64 replicas of one node each in two units of 32: a ring in each of eight rails leaves each
 * unit once, so each leaf sends up no more than one of its NICs sends. */
static void
test_ring_between_units (void)
{
  g_autoptr (PlgReport) report = report_with ("cluster.nodes=64 parallelism.pp=1 "
                                              "training.global-batch=512 parallelism.zero=3");

  for (int rail = 0; rail < 8; rail++)
    {
      double sent = find_link (report, PLG_TIER_NIC, 31, rail)->bytes_out;

      g_assert_cmpfloat (sent, >, 0.0);
      assert_near (out_of_leaf (report, rail), sent, 1e-9);
      assert_near (out_of_leaf (report, 8 + rail), sent, 1e-9);
    }
}

static double
axis_time (const PlgReport *report, PlgAxis axis)
{
  double sum = 0.0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      sum += row->axis == axis ? row->time : 0.0;
    }
  return sum;
}

/* TP 8, PP 16, DP 4 on two units. With stages inside replicas, half of the nodes of a unit have
 * their next ring member in the other unit and fill half of the uplinks; at 4 : 1 the transfer
 * takes twice as long. With replicas inside stages, DP stays below the leaves; one stage of
 * eight sends messages up, which is too little to matter at 4 : 1 and takes twice as long at 16
 * : 1. Traffic inside nodes never changes. */
static void
test_oversubscribed_units (void)
{
  static const struct
  {
    const char *order;
    double oversubscription, dp, pp;
  } rows[] = {
    { "tp-pp-dp", 2.0, 1.0, 1.0 },  { "tp-pp-dp", 4.0, 2.0, 1.0 }, { "tp-pp-dp", 8.0, 4.0, 1.0 },
    { "tp-dp-pp", 4.0, 1.0, 1.0 },  { "tp-dp-pp", 8.0, 1.0, 1.0 }, { "tp-dp-pp", 16.0, 1.0, 2.0 },
    { "tp-dp-pp", 32.0, 1.0, 4.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *edits = g_strdup_printf ("cluster.nodes=64 parallelism.pp=16 "
                                                "training.global-batch=128 parallelism.order=%s",
                                                rows[i].order);
      g_autofree char *narrow = g_strdup_printf ("%s cluster.oversubscription=%g", edits,
                                                 rows[i].oversubscription);
      g_autoptr (PlgReport) full = report_with (edits);
      g_autoptr (PlgReport) less = report_with (narrow);

      g_assert_cmpint (full->degree[PLG_AXIS_DP], ==, 4);
      assert_near (axis_time (less, PLG_AXIS_DP), rows[i].dp * axis_time (full, PLG_AXIS_DP), 0.02);
      assert_near (axis_time (less, PLG_AXIS_TP), axis_time (full, PLG_AXIS_TP), 1e-12);
      if (rows[i].pp == 1.0)
        assert_near (axis_time (less, PLG_AXIS_PP), axis_time (full, PLG_AXIS_PP), 1e-12);
      else
        assert_near (axis_time (less, PLG_AXIS_PP), rows[i].pp * axis_time (full, PLG_AXIS_PP),
                     0.15);
      if (rows[i].dp == 1.0 && rows[i].pp == 1.0)
        assert_near (less->step.time, full->step.time, 1e-12);
      else
        g_assert_cmpfloat (less->step.time, >, full->step.time);
    }
}

/* Experts on rails 0, 2, 4 and 6 of two nodes: a GPU that sends to rail 2 of the other node
 * first hands the data to GPU 2 of its own node (NCCL's PXN). With one expert on rail 1, where
 * the other node has no member, this part crosses the spine. */
static void
test_all_to_all_keeps_rails (void)
{
  for (int moved = 0; moved < 2; moved++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) report = NULL;
      double crossing = 0.0;

      plan->model = mixtral_8x7b;
      change (plan, "parallelism.tp=2 parallelism.pp=1 parallelism.ep=8 parallelism.etp=2 "
                    "training.global-batch=64");
      if (moved)
        swap_ranks (plan, 10, 9);
      report = report_of (plan);
      for (guint i = 0; i < report->links->len; i++)
        if (link_at (report, i)->tier == PLG_TIER_SPINE)
          crossing += out_of_axis (report, link_at (report, i), PLG_AXIS_EP);
      if (moved)
        g_assert_cmpfloat (crossing, >, 0.0);
      else
        g_assert_cmpfloat (crossing, ==, 0.0);
    }
}

/* The links carry the bytes that the table counts for experts: once to each node over the NICs,
 * and inside the node for own and forwarded tokens. */
static void
test_experts_agree_with_table (void)
{
  static const char *const edits[] = {
    "parallelism.tp=2 parallelism.pp=1 parallelism.ep=8 parallelism.etp=2",
    "parallelism.tp=1 parallelism.pp=1 parallelism.ep=8",
    "parallelism.tp=1 parallelism.pp=1 parallelism.ep=8 cluster.gpus-per-node=1 cluster.nodes=64",
    "parallelism.tp=2 parallelism.pp=1 parallelism.ep=8 parallelism.etp=2 cluster.intra=mesh",
  };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) report = NULL;
      double carried = 0.0, between = 0.0;

      plan->model = mixtral_8x7b;
      change (plan, "parallelism.ep=1 training.global-batch=64");
      change (plan, edits[i]);
      report = report_of (plan);
      for (guint j = 0; j < report->links->len; j++)
        {
          const PlgLink *link = link_at (report, j);
          double bytes = out_of_axis (report, link, PLG_AXIS_EP);

          /* A direct link carries the data of both ends, one direction each. */
          if (link->tier == PLG_TIER_NVLINK && link->other >= 0)
            bytes *= 2.0;
          if (link->tier == PLG_TIER_NVLINK || link->tier == PLG_TIER_NIC)
            carried += bytes;
          between += link->tier == PLG_TIER_NIC ? bytes : 0.0;
        }
      assert_near (carried,
                   64.0 *
                       find_collective (report, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL)->bytes_sent,
                   1e-9);
      if (i == 0)
        {
          /* Half of the copies go to the other node; with two experts per token on two nodes,
           * 3/4 of these remain. */
          const PlgCollective *row = find_collective (report, PLG_AXIS_EP,
                                                      PLG_COLLECTIVE_ALL_TO_ALL);

          assert_near (between, 64.0 * row->calls * row->bytes_per_call * 0.5 * 0.75, 1e-9);
        }
    }
}

/* Counts the hops in all groups of KIND, and those that leave a node. */
static void
count_crossings (const PlgPlan *plan, PlgGroupKind kind, int *crossing, int *all)
{
  PlgGroups groups;

  plg_groups_init (&groups, &plan->parallelism, kind);
  *crossing = *all = 0;
  for (int group = 0; group < groups.count; group++)
    for (int i = 0; i + 1 < groups.size; i++)
      {
        int from = plg_groups_rank (&groups, group, i);
        int to = plg_groups_rank (&groups, group, i + 1);

        *all += 1;
        if (plg_plan_node_of_rank (plan, from) != plg_plan_node_of_rank (plan, to))
          *crossing += 1;
      }
}

/* TP 4, PP 4, DP 4: the inner axis crosses on 16 of 48 hops, the outer one on all. */
static void
test_orders (void)
{
  static const struct
  {
    const char *order;
    int pp, dp;
  } rows[] = { { "tp-pp-dp", 16, 48 }, { "tp-dp-pp", 48, 16 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autofree char *edits = g_strdup_printf ("parallelism.tp=4 parallelism.order=%s",
                                                rows[i].order);
      int crossing, all;

      change (plan, edits);
      count_crossings (plan, PLG_GROUP_PP, &crossing, &all);
      g_assert_cmpint (all, ==, 48);
      g_assert_cmpint (crossing, ==, rows[i].pp);
      count_crossings (plan, PLG_GROUP_DATA, &crossing, &all);
      g_assert_cmpint (all, ==, 48);
      g_assert_cmpint (crossing, ==, rows[i].dp);
    }
}

static void
assert_groups (const char *edits, PlgGroupKind kind, const char *expected)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (GString) text = g_string_new (NULL);
  PlgGroups groups;

  change (plan, edits);
  plg_groups_init (&groups, &plan->parallelism, kind);
  for (int i = 0; i < groups.size; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " " : "", plg_groups_rank (&groups, 0, i));
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpint (groups.size * groups.count, ==, 64);
}

/* The group of rank 0 as in Megatron-LM's RankGenerator; an order without PP outermost is its
 * --use-tp-pp-dp-mapping. */
static void
test_groups (void)
{
  assert_groups ("parallelism.order=tp-dp-pp", PLG_GROUP_TP, "0 1 2 3 4 5 6 7");
  assert_groups ("parallelism.order=tp-dp-pp", PLG_GROUP_DATA, "0 8");
  assert_groups ("parallelism.order=tp-dp-pp", PLG_GROUP_PP, "0 16 32 48");
  assert_groups ("", PLG_GROUP_DATA, "0 32");
  assert_groups ("", PLG_GROUP_PP, "0 8 16 24");
  assert_groups ("parallelism.tp=4 parallelism.cp=4 parallelism.pp=2 parallelism.order=tp-cp-dp-pp",
                 PLG_GROUP_CP, "0 4 8 12");
  assert_groups ("parallelism.tp=4 parallelism.cp=4 parallelism.pp=2 parallelism.order=tp-cp-dp-pp",
                 PLG_GROUP_DATA, "0 4 8 12 16 20 24 28");
}

/* TP 2, PP 4, DP 8 with EP 8 and no TP in experts: a stage has each expert twice. */
static void
test_expert_groups (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgGroups groups;

  plan->model = mixtral_8x7b;
  change (plan, "parallelism.tp=2 parallelism.ep=8 parallelism.order=tp-cp-dp-pp "
                "training.global-batch=64");
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_EP);
  for (int i = 0; i < 8; i++)
    g_assert_cmpint (plg_groups_rank (&groups, 0, i), ==, i);
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_EXPERT_DATA);
  g_assert_cmpint (groups.size, ==, 2);
  g_assert_cmpint (plg_groups_rank (&groups, 0, 1), ==, 8);
}

/* The groups equal those of the plan's own functions. */
static void
test_groups_agree (void)
{
  static const struct
  {
    PlgGroupKind kind;
    PlgAxis axis;
  } rows[] = { { PLG_GROUP_TP, PLG_AXIS_TP },
               { PLG_GROUP_CP, PLG_AXIS_CP },
               { PLG_GROUP_PP, PLG_AXIS_PP },
               { PLG_GROUP_EP, PLG_AXIS_EP } };
  static const char *const orders[] = { "tp-cp-pp-dp", "cp-pp-tp-dp", "pp-dp-cp-tp",
                                        "dp-tp-pp-cp" };

  for (guint o = 0; o < G_N_ELEMENTS (orders); o++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autofree char *edits = g_strdup_printf (
          "parallelism.order=%s parallelism.tp=2 parallelism.cp=2 parallelism.ep=4", orders[o]);

      plan->model = mixtral_8x7b;
      change (plan, edits);
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          PlgGroups groups;
          int members[64];

          plg_groups_init (&groups, &plan->parallelism, rows[i].kind);
          for (int g = 0; g < groups.count; g++)
            {
              plg_axis_group_members (&plan->parallelism, rows[i].axis,
                                      plg_groups_rank (&groups, g, 0), members);
              for (int j = 0; j < groups.size; j++)
                g_assert_cmpint (plg_groups_rank (&groups, g, j), ==, members[j]);
            }
        }
    }
}

/* Each link of a mesh carries its share of the traffic of its two GPUs. */
static void
test_mesh (void)
{
  g_autoptr (PlgReport) report = report_with ("cluster.intra=mesh");
  g_autoptr (PlgReport) switched = report_with ("");
  const PlgLink *pair = find_link (report, PLG_TIER_NVLINK, 0, 0);
  const PlgLink *port = find_link (switched, PLG_TIER_NVLINK, 0, 0);

  assert_near (pair->bytes_out, port->bytes_out / 7.0, 1e-9);
  assert_near (pair->calls, port->calls, 1e-9);
}

/* Whether a link carries the traffic of an axis. */

static gboolean
carries (const PlgReport *report, const PlgLink *link, int collective)
{
  for (int i = 0; i < link->n_shares; i++)
    if (g_array_index (report->link_shares, PlgLinkShare, link->first_share + i).collective ==
        collective)
      return TRUE;
  return FALSE;
}

/* All ranks together use exactly the links of the report, and a rank is listed for a link if and
 * only if the link is listed for the rank. */
static void
test_trace (gconstpointer edits)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autofree guint8 *all = NULL, *links = NULL, *ranks = NULL;
  int world;

  change (plan, edits);
  report = report_of (plan);
  world = plg_plan_world (plan);
  g_assert_true (plg_traffic_is_traceable (plan, report));
  all = g_malloc (world);
  memset (all, TRUE, world);
  for (guint row = 0; row < report->collectives->len; row++)
    {
      g_free (links);
      links = g_malloc0 (report->links->len);
      plg_traffic_links_of (plan, report, row, all, links);
      for (guint i = 0; i < report->links->len; i++)
        {
          g_assert_cmpint (links[i], ==, carries (report, link_at (report, i), row));
          if (i % 23 != row % 23)
            continue;
          g_free (ranks);
          ranks = g_malloc0 (world);
          plg_traffic_ranks_on (plan, report, row, i, ranks);
          for (int rank = 0; rank < world; rank += 13)
            {
              g_autofree guint8 *one = g_malloc0 (world), *its = g_malloc0 (report->links->len);

              one[rank] = TRUE;
              plg_traffic_links_of (plan, report, row, one, its);
              g_assert_cmpint (its[i], ==, ranks[rank]);
            }
        }
    }
}

static int
count_tier (const PlgReport *report, const guint8 *links, PlgTier tier, int node)
{
  int n = 0;

  for (guint i = 0; i < report->links->len; i++)
    n += links[i] && link_at (report, i)->tier == tier &&
         (node < 0 || link_at (report, i)->node == node);
  return n;
}

static int
row_of (const PlgReport *report, PlgAxis axis)
{
  for (guint i = 0; i < report->collectives->len; i++)
    if (g_array_index (report->collectives, PlgCollective, i).axis == axis)
      return i;
  g_assert_not_reached ();
}

/* Rank 17 in the teaching case is the second of its node: its TP group uses the ports of node 2,
 * its chain of stages the second NICs of nodes 0 to 3, its two replicas those of nodes 2 and 6. */
static void
test_trace_of_rank (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  guint8 ranks[64] = { [17] = TRUE };
  g_autofree guint8 *links = NULL;

  change (plan, "parallelism.order=tp-pp-dp");
  report = report_of (plan);
  links = g_malloc0 (report->links->len);
  plg_traffic_links_of (plan, report, row_of (report, PLG_AXIS_TP), ranks, links);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NVLINK, -1), ==, 8);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NVLINK, 2), ==, 8);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NIC, -1), ==, 0);
  memset (links, 0, report->links->len);
  plg_traffic_links_of (plan, report, row_of (report, PLG_AXIS_PP), ranks, links);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NIC, -1), ==, 4);
  for (int node = 0; node < 4; node++)
    g_assert_cmpint (count_tier (report, links, PLG_TIER_NIC, node), ==, 1);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NVLINK, -1), ==, 0);
  memset (links, 0, report->links->len);
  plg_traffic_links_of (plan, report, row_of (report, PLG_AXIS_DP), ranks, links);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NIC, -1), ==, 2);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NIC, 2), ==, 1);
  g_assert_cmpint (count_tier (report, links, PLG_TIER_NIC, 6), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/traffic/teaching-case", test_teaching_case);
  g_test_add_func ("/engine/traffic/agrees-with-table", test_agrees_with_table);
  g_test_add_func ("/engine/traffic/stages-add-up", test_stages_add_up);
  g_test_add_func ("/engine/traffic/swapped-ranks", test_swapped_ranks);
  g_test_add_func ("/engine/traffic/swapped-nodes", test_swapped_nodes);
  g_test_add_func ("/engine/traffic/ring-between-units", test_ring_between_units);
  g_test_add_func ("/engine/traffic/oversubscribed-units", test_oversubscribed_units);
  g_test_add_func ("/engine/traffic/all-to-all-keeps-rails", test_all_to_all_keeps_rails);
  g_test_add_func ("/engine/traffic/experts-agree-with-table", test_experts_agree_with_table);
  g_test_add_func ("/engine/traffic/orders", test_orders);
  g_test_add_func ("/engine/traffic/groups", test_groups);
  g_test_add_func ("/engine/traffic/expert-groups", test_expert_groups);
  g_test_add_func ("/engine/traffic/groups-agree", test_groups_agree);
  g_test_add_func ("/engine/traffic/mesh", test_mesh);
  g_test_add_func ("/engine/traffic/trace-of-rank", test_trace_of_rank);
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autofree char *conservation = g_strdup_printf ("/engine/traffic/conservation/%u", i);
      g_autofree char *trace = g_strdup_printf ("/engine/traffic/trace/%u", i);
      g_autofree char *placement = g_strdup_printf ("/engine/traffic/placement/%u", i);

      g_test_add_data_func (conservation, plans[i], test_conservation);
      g_test_add_data_func (placement, plans[i], test_placement);
      g_test_add_data_func (trace, plans[i], test_trace);
    }
  return g_test_run ();
}
