/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

/* Groups as Megatron-LM's RankGenerator makes them (megatron/core/parallel_state.py), so that
 * users can compare them with the groups of their jobs. */

typedef struct
{
  const char *order;
  int tp, cp, ep, pp, dp, etp;
  PlgAxis axis;
  int group;
  const char *members;
} GroupCase;

static const GroupCase groups[] = {
  /* 64 GPUs, TP 8, PP 4, DP 2: Megatron's default order */
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_TP, 0, "0 1 2 3 4 5 6 7" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_TP, 7, "56 57 58 59 60 61 62 63" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_DP, 0, "0 8" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_DP, 7, "7 15" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_DP, 8, "16 24" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_DP, 31, "55 63" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_PP, 0, "0 16 32 48" },
  { "tp-cp-ep-dp-pp", 8, 1, 1, 4, 2, 1, PLG_AXIS_PP, 15, "15 31 47 63" },
  /* the same with --use-tp-pp-dp-mapping */
  { "tp-cp-ep-pp-dp", 8, 1, 1, 4, 2, 1, PLG_AXIS_DP, 0, "0 32" },
  { "tp-cp-ep-pp-dp", 8, 1, 1, 4, 2, 1, PLG_AXIS_DP, 31, "31 63" },
  { "tp-cp-ep-pp-dp", 8, 1, 1, 4, 2, 1, PLG_AXIS_PP, 0, "0 8 16 24" },
  { "tp-cp-ep-pp-dp", 8, 1, 1, 4, 2, 1, PLG_AXIS_PP, 15, "39 47 55 63" },
  /* TP 4, CP 4, DP 2, PP 2 */
  { "tp-cp-ep-dp-pp", 4, 4, 1, 2, 2, 1, PLG_AXIS_TP, 0, "0 1 2 3" },
  { "tp-cp-ep-dp-pp", 4, 4, 1, 2, 2, 1, PLG_AXIS_CP, 0, "0 4 8 12" },
  { "tp-cp-ep-dp-pp", 4, 4, 1, 2, 2, 1, PLG_AXIS_CP, 1, "1 5 9 13" },
  { "tp-cp-ep-dp-pp", 4, 4, 1, 2, 2, 1, PLG_AXIS_CP, 4, "16 20 24 28" },
  { "tp-cp-ep-dp-pp", 4, 4, 1, 2, 2, 1, PLG_AXIS_DP, 0, "0 16" },
  { "tp-cp-ep-dp-pp", 4, 4, 1, 2, 2, 1, PLG_AXIS_PP, 0, "0 32" },
  /* experts: TP 2, PP 4, DP 8; ETP 1, EP 8, EDP 2 */
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_TP, 0, "0 1" },
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_DP, 0, "0 2 4 6 8 10 12 14" },
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_DP, 1, "1 3 5 7 9 11 13 15" },
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_DP, 2, "16 18 20 22 24 26 28 30" },
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_EP, 0, "0 1 2 3 4 5 6 7" },
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_EP, 1, "8 9 10 11 12 13 14 15" },
  { "tp-cp-ep-dp-pp", 2, 1, 8, 4, 8, 1, PLG_AXIS_PP, 0, "0 16 32 48" },
  /* ETP 2: the two halves of an expert are neighbours */
  { "tp-cp-ep-dp-pp", 2, 1, 4, 4, 8, 2, PLG_AXIS_EP, 0, "0 2 4 6" },
  { "tp-cp-ep-dp-pp", 2, 1, 4, 4, 8, 2, PLG_AXIS_EP, 1, "1 3 5 7" },
  { "tp-cp-ep-dp-pp", 2, 1, 4, 4, 8, 2, PLG_AXIS_EP, 2, "8 10 12 14" },
  /* PP inside DP: an expert group runs through the replicas of its stage */
  { "tp-cp-pp-dp", 2, 1, 8, 4, 8, 1, PLG_AXIS_EP, 0, "0 1 8 9 16 17 24 25" },
  { "tp-cp-pp-dp", 2, 1, 8, 4, 8, 1, PLG_AXIS_EP, 1, "2 3 10 11 18 19 26 27" },
  { "tp-cp-pp-dp", 2, 1, 8, 4, 8, 1, PLG_AXIS_EP, 4, "32 33 40 41 48 49 56 57" },
};

static PlgParallelism
parallelism_of (const GroupCase *test)
{
  PlgParallelism parallelism = { .etp = test->etp, .chunks = 1 };

  parallelism.degree[PLG_AXIS_TP] = test->tp;
  parallelism.degree[PLG_AXIS_CP] = test->cp;
  parallelism.degree[PLG_AXIS_EP] = test->ep;
  parallelism.degree[PLG_AXIS_PP] = test->pp;
  parallelism.degree[PLG_AXIS_DP] = test->dp;
  g_assert_true (plg_order_from_string (test->order, parallelism.order));
  return parallelism;
}

static char *
members_text (const PlgParallelism *parallelism, PlgAxis axis, int rank)
{
  int ranks[64];
  GString *text = g_string_new (NULL);

  plg_axis_group_members (parallelism, axis, rank, ranks);
  for (int i = 0; i < parallelism->degree[axis]; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " " : "", ranks[i]);
  return g_string_free (text, FALSE);
}

static void
test_groups (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const GroupCase *test = &groups[i];
      PlgParallelism parallelism = parallelism_of (test);
      int found = 0;

      /* Every member finds the same list, and no other rank is in this group. */
      for (int rank = 0; rank < 64; rank++)
        {
          g_autofree char *members = members_text (&parallelism, test->axis, rank);

          if (plg_axis_group_of (&parallelism, test->axis, rank) != test->group)
            continue;
          g_assert_cmpstr (members, ==, test->members);
          found++;
        }
      g_assert_cmpint (found, ==, parallelism.degree[test->axis]);
    }
}

static void
check_numbering (const PlgParallelism *parallelism, PlgAxis axis)
{
  int last = -1;

  g_assert_cmpint (plg_axis_groups (parallelism, axis), ==, 64 / parallelism->degree[axis]);
  for (int rank = 0; rank < 64; rank++)
    {
      int ranks[64];
      int group = plg_axis_group_of (parallelism, axis, rank);

      plg_axis_group_members (parallelism, axis, rank, ranks);
      g_assert_cmpint (plg_axis_group_of (parallelism, axis, ranks[0]), ==, group);
      g_assert_cmpint (ranks[plg_rank_coordinate (parallelism, rank).index[axis]], ==, rank);
      for (int i = 1; i < parallelism->degree[axis]; i++)
        g_assert_cmpint (ranks[i - 1], <, ranks[i]);
      if (ranks[0] == rank) /* the lowest rank of a group: group numbers increase with it */
        g_assert_cmpint (group, ==, ++last);
    }
}

static void
test_numbering (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (int axis = 0; axis < PLG_N_AXES; axis++)
      {
        PlgParallelism parallelism = parallelism_of (&groups[i]);

        check_numbering (&parallelism, (PlgAxis) axis);
      }
}

static void
test_coordinates (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      PlgParallelism parallelism = parallelism_of (&groups[i]);

      g_assert_cmpint (plg_parallelism_world (&parallelism), ==, 64);
      for (int rank = 0; rank < 64; rank++)
        {
          PlgCoordinate coordinate = plg_rank_coordinate (&parallelism, rank);

          g_assert_cmpint (plg_coordinate_rank (&parallelism, &coordinate), ==, rank);
        }
    }
}

static void
test_blocks (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  const PlgParallelism *parallelism = &plan->parallelism;

  g_assert_cmpint (plg_axis_stride (parallelism, PLG_AXIS_TP), ==, 1);
  g_assert_cmpint (plg_axis_stride (parallelism, PLG_AXIS_PP), ==, 8);
  g_assert_cmpint (plg_axis_stride (parallelism, PLG_AXIS_DP), ==, 32);
  g_assert_cmpint (plg_axis_block (parallelism, PLG_AXIS_TP), ==, 8);
  g_assert_cmpint (plg_axis_block (parallelism, PLG_AXIS_PP), ==, 32);
  g_assert_cmpint (plg_axis_block (parallelism, PLG_AXIS_DP), ==, 64);
}

static void
test_huge_world (void)
{
  PlgParallelism parallelism = { .order = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP } };

  for (int i = 0; i < PLG_N_AXES; i++)
    parallelism.degree[i] = PLG_MAX_GPUS;
  g_assert_cmpint (plg_parallelism_world (&parallelism), ==, G_MAXINT64);
}

static void
test_order (void)
{
  static const struct
  {
    const char *text;
    const char *order; /* NULL: refused */
  } orders[] = {
    { "tp-cp-pp-dp", "tp-cp-pp-dp" },
    { "tp-cp-dp-pp", "tp-cp-dp-pp" },
    { "dp-pp-cp-tp", "dp-pp-cp-tp" },
    { "tp-pp-dp", "tp-cp-pp-dp" },
    { "pp-tp-dp", "pp-tp-cp-dp" },
    { "dp-tp", "dp-tp-cp-pp" },
    { "pp", "pp-tp-cp-dp" },
    { "cp-dp", "cp-dp-tp-pp" },
    { "tp-cp-ep-dp-pp", "tp-cp-dp-pp" },
    { "tp-cp-ep-pp-dp", "tp-cp-pp-dp" },
    { "", NULL },
    { "ep", NULL },
    { "tp-tp-pp-dp", NULL },
    { "tp-ep-ep-dp", NULL },
    { "tp-cp-pp-dp-tp", NULL },
    { "tp-cp-ep-pp-dp-xp", NULL },
    { "TP-PP-DP", NULL },
    { "tp,pp,dp", NULL },
    { "tp--pp", NULL },
    { "tp-pp-", NULL },
    { "-", NULL },
    { "тп-pp", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      PlgParallelism parallelism = { .order = { PLG_AXIS_DP } };
      gboolean read = plg_order_from_string (orders[i].text, parallelism.order);

      g_assert_cmpint (read, ==, orders[i].order != NULL);
      if (read)
        {
          g_autofree char *order = plg_order_to_string (&parallelism);

          g_assert_cmpstr (order, ==, orders[i].order);
        }
      else
        g_assert_cmpint (parallelism.order[0], ==, PLG_AXIS_DP);
    }
}

static void
test_axis_names (void)
{
  for (int i = 0; i < PLG_N_AXES; i++)
    {
      PlgAxis axis;

      g_assert_true (plg_axis_from_name (plg_axis_name ((PlgAxis) i), &axis));
      g_assert_cmpint (axis, ==, i);
      g_assert_nonnull (plg_axis_label ((PlgAxis) i));
      g_assert_nonnull (plg_axis_title ((PlgAxis) i));
    }
  g_assert_cmpstr (plg_axis_label (PLG_AXIS_EP), ==, "EP");
  g_assert_false (plg_axis_from_name ("xp", &(PlgAxis) { PLG_AXIS_TP }));
  g_assert_false (plg_axis_from_name (NULL, &(PlgAxis) { PLG_AXIS_TP }));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallelism/groups", test_groups);
  g_test_add_func ("/parallelism/numbering", test_numbering);
  g_test_add_func ("/parallelism/coordinates", test_coordinates);
  g_test_add_func ("/parallelism/blocks", test_blocks);
  g_test_add_func ("/parallelism/huge-world", test_huge_world);
  g_test_add_func ("/parallelism/order", test_order);
  g_test_add_func ("/parallelism/axis-names", test_axis_names);
  return g_test_run ();
}
