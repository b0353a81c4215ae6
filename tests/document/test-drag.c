/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "document/drag.h"
#include "plan/settings/setting.h"

#include <string.h>

/* The settings of a model with experts. */
#define EXPERTS_8 "model.experts=8 model.top-k=2 model.expert-ffn=14336"
#define EXPERTS_64 "model.experts=64 model.top-k=2 model.expert-ffn=14336"

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgDrag *drag;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->plan = sample_plan ();
  fixture->report = plg_report_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_drag_free (fixture->drag);
  plg_report_unref (fixture->report);
  plg_plan_free (fixture->plan);
}

static void
begin (Fixture *fixture, PlgDragKind kind, PlgAxis axis, int rank)
{
  plg_drag_free (fixture->drag);
  fixture->drag = plg_drag_begin (kind, fixture->plan, fixture->report, axis, rank);
}

static char *
degrees_of (const PlgPlan *plan)
{
  const int *degree = plan->parallelism.degree;

  return g_strdup_printf ("%d %d %d", degree[PLG_AXIS_TP], degree[PLG_AXIS_PP],
                          degree[PLG_AXIS_DP]);
}

/* GPU g has number g % 8 of node g / 8. TP 8, PP 4, DP 2, nested tp-cp-pp-dp. */
typedef struct
{
  PlgAxis axis;
  int rank;
  int gpu;
  gboolean shift;
  const char *degrees; /* TP, PP and DP after the drag */
  const char *headline;
} EdgeCase;

static const EdgeCase edges[] = {
  /* the TP edge inside its node and beyond */
  { PLG_AXIS_TP, 0, 3, FALSE, "4 4 4", "TP 8 → 4 · DP 2 → 4" },
  { PLG_AXIS_TP, 0, 15, FALSE, "16 4 1", "TP 8 → 16 · DP 2 → 1" },
  { PLG_AXIS_TP, 0, 7, FALSE, "8 4 2", "TP 8" },
  { PLG_AXIS_TP, 0, 1, FALSE, "2 4 8", "TP 8 → 2 · DP 2 → 8" },
  { PLG_AXIS_TP, 0, 0, FALSE, "1 4 16", "TP 8 → 1 · DP 2 → 16" },
  /* the nearest possible degree */
  { PLG_AXIS_TP, 0, 4, FALSE, "4 4 4", "TP 8 → 4 · DP 2 → 4" },
  { PLG_AXIS_TP, 0, 9, FALSE, "8 4 2", "TP 8" },
  { PLG_AXIS_TP, 0, 12, FALSE, "16 4 1", "TP 8 → 16 · DP 2 → 1" },
  { PLG_AXIS_TP, 0, 63, FALSE, "16 4 1", "TP 8 → 16 · DP 2 → 1" },
  /* two degrees at the same distance: the smaller change */
  { PLG_AXIS_TP, 0, 5, FALSE, "8 4 2", "TP 8" },
  { PLG_AXIS_TP, 0, 11, FALSE, "8 4 2", "TP 8" },
  /* Shift takes the factor from PP */
  { PLG_AXIS_TP, 0, 15, TRUE, "16 2 2", "TP 8 → 16 · PP 4 → 2" },
  { PLG_AXIS_TP, 0, 31, TRUE, "32 1 2", "TP 8 → 32 · PP 4 → 1" },
  { PLG_AXIS_TP, 0, 3, TRUE, "4 8 2", "TP 8 → 4 · PP 4 → 8" },
  /* another block than the first, counted from its own start */
  { PLG_AXIS_TP, 20, 19, FALSE, "4 4 4", "TP 8 → 4 · DP 2 → 4" },
  { PLG_AXIS_TP, 20, 31, FALSE, "16 4 1", "TP 8 → 16 · DP 2 → 1" },
  /* before the start of the block: the smallest degree */
  { PLG_AXIS_TP, 20, 2, FALSE, "1 4 16", "TP 8 → 1 · DP 2 → 16" },
  /* the PP edge moves over whole nodes */
  { PLG_AXIS_PP, 0, 15, FALSE, "8 2 4", "PP 4 → 2 · DP 2 → 4" },
  { PLG_AXIS_PP, 0, 63, FALSE, "8 8 1", "PP 4 → 8 · DP 2 → 1" },
  { PLG_AXIS_PP, 0, 7, FALSE, "8 1 8", "PP 4 → 1 · DP 2 → 8" },
  { PLG_AXIS_PP, 40, 47, FALSE, "8 2 4", "PP 4 → 2 · DP 2 → 4" },
  { PLG_AXIS_PP, 0, 63, TRUE, "4 8 2", "PP 4 → 8 · TP 8 → 4" },
  /* the DP edge bounds one replica: a smaller replica makes more replicas */
  { PLG_AXIS_DP, 0, 15, FALSE, "8 2 4", "DP 2 → 4 · PP 4 → 2" },
  { PLG_AXIS_DP, 0, 31, FALSE, "8 4 2", "DP 2" },
  { PLG_AXIS_DP, 0, 63, FALSE, "8 8 1", "DP 2 → 1 · PP 4 → 8" },
  { PLG_AXIS_DP, 0, 7, FALSE, "8 1 8", "DP 2 → 8 · PP 4 → 1" },
  { PLG_AXIS_DP, 32, 47, FALSE, "8 2 4", "DP 2 → 4 · PP 4 → 2" },
  { PLG_AXIS_DP, 0, 15, TRUE, "4 4 4", "DP 2 → 4 · TP 8 → 4" },
};

static void
test_edges (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      const EdgeCase *test = &edges[i];
      g_autofree char *degrees = NULL;
      g_autofree char *headline = NULL;
      g_autofree char *before = degrees_of (fixture->plan);

      begin (fixture, PLG_DRAG_EDGE, test->axis, test->rank);
      plg_drag_update (fixture->drag, test->gpu, test->shift);
      degrees = degrees_of (plg_drag_plan (fixture->drag));
      headline = plg_drag_title (fixture->drag);
      g_assert_cmpstr (degrees, ==, test->degrees);
      g_assert_cmpstr (headline, ==, test->headline);
      g_assert_true (plg_drag_is_legal (fixture->drag));
      g_assert_cmpint (plg_drag_changes (fixture->drag), ==, !g_str_equal (degrees, before));
    }
}

/* Only the position of the pointer matters, not its path. */
static void
test_edge_path (Fixture *fixture, gconstpointer data)
{
  g_autofree char *degrees = NULL;

  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  g_assert_true (plg_drag_update (fixture->drag, 15, FALSE));
  g_assert_false (plg_drag_update (fixture->drag, 14, FALSE));
  g_assert_true (plg_drag_update (fixture->drag, 15, TRUE));
  g_assert_true (plg_drag_update (fixture->drag, 3, FALSE));
  degrees = degrees_of (plg_drag_plan (fixture->drag));
  g_assert_cmpstr (degrees, ==, "4 4 4");
  g_assert_true (plg_drag_update (fixture->drag, 7, FALSE));
  g_assert_false (plg_drag_changes (fixture->drag));
  g_assert_true (plg_plan_equal (plg_drag_plan (fixture->drag), fixture->plan));
}

/* The drag stops before an impossible degree with the reason, and continues after the pointer
 * returns. */
static void
test_edge_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *degrees = NULL;

  fixture->plan->model.heads = 40;
  fixture->plan->model.kv_heads = 8;
  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  g_assert_true (plg_drag_update (fixture->drag, 3, FALSE));
  g_assert_false (plg_drag_update (fixture->drag, 15, FALSE));
  g_assert_false (plg_drag_is_legal (fixture->drag));
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "TP 16 does not divide 40 attention heads");
  degrees = degrees_of (plg_drag_plan (fixture->drag));
  g_assert_cmpstr (degrees, ==, "4 4 4");
  /* The headline describes the effect of a drop. */
  g_assert_true (plg_drag_update (fixture->drag, 1, FALSE));
  g_assert_true (plg_drag_is_legal (fixture->drag));
  g_assert_null (plg_drag_limit (fixture->drag)->text);
}

/* Another order has another outermost axis. */
static void
test_edge_outermost_pp (Fixture *fixture, gconstpointer data)
{
  g_autofree char *degrees = NULL;

  g_assert_true (plg_order_from_string ("tp-cp-dp-pp", fixture->plan->parallelism.order));
  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_PP, 0); /* the PP edge bounds a stage of 16 GPUs */
  plg_drag_update (fixture->drag, 7, FALSE);
  degrees = degrees_of (plg_drag_plan (fixture->drag));
  g_assert_cmpstr (degrees, ==, "8 8 1");
}

static void
test_rank (Fixture *fixture, gconstpointer data)
{
  g_autofree char *start = NULL;
  g_autofree char *headline = NULL;
  g_autofree char *label = NULL;

  begin (fixture, PLG_DRAG_RANK, PLG_AXIS_TP, 5);
  start = plg_drag_title (fixture->drag);
  g_assert_cmpstr (start, ==, "Rank 5 on node 0 GPU 5");
  g_assert_false (plg_drag_update (fixture->drag, 5, FALSE));
  g_assert_true (plg_drag_update (fixture->drag, 58, FALSE));
  headline = plg_drag_title (fixture->drag);
  label = plg_drag_label (fixture->drag);
  g_assert_cmpstr (headline, ==, "Rank 5 ↔ rank 58 on node 7 GPU 2");
  g_assert_cmpstr (label, ==, headline);
  g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 5), ==, 58);
  g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 58), ==, 5);
  g_assert_true (plg_drag_changes (fixture->drag));
}

static void
test_group (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    PlgAxis axis;
    int rank;
    int gpu;
    int moved; /* the GPU of rank 0 after the drag */
    const char *headline;
  } groups[] = {
    { PLG_AXIS_TP, 3, 50, 48, "TP group 0 ↔ group 6" },
    { PLG_AXIS_PP, 3, 42, 40, "Stage 0 of replica 0 ↔ stage 1 of replica 1" },
    { PLG_AXIS_DP, 3, 33, 32, "Replica 0 ↔ replica 1" },
    { PLG_AXIS_TP, 3, 6, 0, "TP group 0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autofree char *headline = NULL;

      begin (fixture, PLG_DRAG_GROUP, groups[i].axis, groups[i].rank);
      plg_drag_update (fixture->drag, groups[i].gpu, FALSE);
      headline = plg_drag_title (fixture->drag);
      g_assert_cmpstr (headline, ==, groups[i].headline);
      g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 0), ==,
                       groups[i].moved);
    }
}

/* A node is dragged with all its ranks, wherever the pointer is on the node. */
static void
test_node (Fixture *fixture, gconstpointer data)
{
  const PlgPlacement *placement;
  g_autofree char *own = NULL;
  g_autofree char *headline = NULL;

  begin (fixture, PLG_DRAG_NODE, PLG_AXIS_TP, 18);
  own = plg_drag_title (fixture->drag);
  g_assert_cmpstr (own, ==, "The ranks of node 2");
  g_assert_false (plg_drag_update (fixture->drag, 23, FALSE));
  g_assert_true (plg_drag_update (fixture->drag, 45, FALSE));
  g_assert_false (plg_drag_update (fixture->drag, 40, FALSE));
  headline = plg_drag_title (fixture->drag);
  g_assert_cmpstr (headline, ==, "The ranks of node 2 ↔ node 5");
  placement = &plg_drag_plan (fixture->drag)->placement;
  for (int i = 0; i < 8; i++)
    {
      g_assert_cmpint (plg_placement_gpu (placement, 16 + i), ==, 40 + i);
      g_assert_cmpint (plg_placement_gpu (placement, 40 + i), ==, 16 + i);
    }
  g_assert_cmpint (plg_placement_moved (placement), ==, 16);
  g_assert_true (plg_drag_update (fixture->drag, 16, FALSE));
  g_assert_false (plg_drag_changes (fixture->drag));
}

/* A chip over a node makes its axis the innermost; a chip over the rails makes its axis the
 * outermost. */
static void
test_axis (Fixture *fixture, gconstpointer data)
{
  g_autofree char *own = NULL, *inner = NULL, *outer = NULL, *order = NULL, *wide = NULL;

  begin (fixture, PLG_DRAG_AXIS, PLG_AXIS_TP, 0);
  g_assert_false (plg_drag_update (fixture->drag, 9, FALSE));
  own = plg_drag_title (fixture->drag);
  g_assert_cmpstr (own, ==, "TP innermost: each group fits in one node");
  g_assert_true (plg_drag_update (fixture->drag, 9, TRUE));
  outer = plg_drag_title (fixture->drag);
  g_assert_cmpstr (outer, ==, "TP outermost: its groups span nodes");
  order = plg_order_to_string (&plg_drag_plan (fixture->drag)->parallelism);
  g_assert_cmpstr (order, ==, "cp-pp-dp-tp");
  g_assert_true (plg_drag_update (fixture->drag, 9, FALSE));
  g_assert_false (plg_drag_changes (fixture->drag));

  begin (fixture, PLG_DRAG_AXIS, PLG_AXIS_PP, 0);
  g_assert_true (plg_drag_update (fixture->drag, 63, FALSE));
  inner = plg_order_to_string (&plg_drag_plan (fixture->drag)->parallelism);
  g_assert_cmpstr (inner, ==, "pp-tp-cp-dp");
  g_assert_true (plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 16, PLG_AXIS_DP, NULL));
  begin (fixture, PLG_DRAG_AXIS, PLG_AXIS_TP, 0);
  plg_drag_update (fixture->drag, 0, FALSE);
  wide = plg_drag_title (fixture->drag);
  g_assert_cmpstr (wide, ==, "TP innermost: each group fills 2 nodes");
}

/* The headline of another placement shows the step time, which has more digits than the MFU. */
static void
test_placement_cost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgReport) after = plg_report_new ();
  g_autofree char *same = NULL;
  g_autofree char *slower = NULL;

  fixture->report->step.time = after->step.time = 10.0;
  fixture->report->step.mfu = after->step.mfu = 0.364;
  begin (fixture, PLG_DRAG_RANK, PLG_AXIS_TP, 0);
  same = plg_drag_consequence (fixture->drag, after);
  g_assert_cmpstr (same, ==, "Step 10\u00a0s, as before");
  after->step.time = 10.05;
  after->step.mfu = 0.362;
  slower = plg_drag_consequence (fixture->drag, after);
  g_assert_cmpstr (slower, ==,
                   "Step 10\u00a0s → 10.1\u00a0s (+0.5\u00a0%), MFU 36.4\u00a0% → 36.2\u00a0%");
}

/* Ranks are moved from their present GPUs, not from their GPUs in the plain order. */
static void
test_from_manual_placement (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_edit_swap_nodes (fixture->plan, 0, 7, NULL));
  begin (fixture, PLG_DRAG_RANK, PLG_AXIS_TP, 0); /* rank 0 is on GPU 56 */
  g_assert_true (plg_drag_update (fixture->drag, 0, FALSE));
  g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 0), ==, 0);
  g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 56), ==, 56);

  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  g_assert_true (plg_drag_update (fixture->drag, 59, FALSE));
  g_assert_cmpint (plg_drag_plan (fixture->drag)->parallelism.degree[PLG_AXIS_TP], ==, 4);
}

/* A pointer outside of the cluster selects the last GPU on that side. */
static void
test_outside (Fixture *fixture, gconstpointer data)
{
  begin (fixture, PLG_DRAG_RANK, PLG_AXIS_TP, 5);
  plg_drag_update (fixture->drag, G_MAXINT, FALSE);
  g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 5), ==, 63);
  plg_drag_update (fixture->drag, G_MININT, FALSE);
  g_assert_cmpint (plg_placement_gpu (&plg_drag_plan (fixture->drag)->placement, 5), ==, 0);
  g_assert_true (plg_drag_is_legal (fixture->drag));
}

/* Escape calls plg_drag_free(), which leaves the document's plan unchanged. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) before = plg_plan_copy (fixture->plan);

  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  plg_drag_update (fixture->drag, 3, FALSE);
  g_clear_pointer (&fixture->drag, plg_drag_free);
  g_assert_true (plg_plan_equal (fixture->plan, before));
}

/* Sets the order of the nested axes with this number. */
static void
set_order (PlgPlan *plan, int number)
{
  int left[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };

  for (int i = 0, n = 24; i < PLG_N_NESTED_AXES; i++)
    {
      int k;

      n /= PLG_N_NESTED_AXES - i;
      k = number / n % (PLG_N_NESTED_AXES - i);
      plan->parallelism.order[i] = left[k];
      memmove (&left[k], &left[k + 1], sizeof (int) * (PLG_N_NESTED_AXES - i - k - 1));
    }
}

/* An edge at its own position changes nothing: for every axis, in every order, with ranks of a
 * block exchanged or not. */
static void
test_edge_at_rest (Fixture *fixture, gconstpointer data)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };
  int *degree = fixture->plan->parallelism.degree;

  degree[PLG_AXIS_TP] = degree[PLG_AXIS_CP] = degree[PLG_AXIS_PP] = 2;
  degree[PLG_AXIS_DP] = 8;
  for (int order = 0; order < 24; order++)
    for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
      for (int rank = 0; rank < 64; rank += 5)
        {
          int block, first;

          set_order (fixture->plan, order);
          plg_placement_clear (&fixture->plan->placement);
          block = plg_axis_bounded_block (&fixture->plan->parallelism, axes[i]);
          if (order % 2 == 1)
            plg_edit_swap_ranks (fixture->plan, rank / block * block,
                                 rank / block * block + block - 1, NULL);
          g_assert_true (plg_plan_check (fixture->plan, NULL));
          begin (fixture, PLG_DRAG_EDGE, axes[i], rank);
          g_assert_true (plg_placement_block (&fixture->plan->placement, rank / block * block,
                                              block, &first));
          g_assert_false (plg_drag_update (fixture->drag, first + block - 1, FALSE));
          g_assert_false (plg_drag_update (fixture->drag, first + block - 1, TRUE));
          g_assert_true (plg_drag_is_legal (fixture->drag));
        }
}

static void
add_tp_collective (PlgReport *report, int nodes_spanned)
{
  /* 423 µs per call inside the node, 497 µs over two nodes: eight NICs carry a part each. */
  PlgCollective collective = { .axis = PLG_AXIS_TP,
                               .kind = PLG_COLLECTIVE_ALL_GATHER,
                               .nodes_spanned = nodes_spanned,
                               .calls = 2560,
                               .time = 2560 * (nodes_spanned > 1 ? 497e-6 : 423e-6) };

  g_array_append_val (report->collectives, collective);
}

static void
test_consequence (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgReport) after = plg_report_new ();
  g_autofree char *same = NULL;
  g_autofree char *nothing = NULL;
  g_autofree char *other = NULL;
  g_autofree char *warning = NULL;
  g_auto (GStrv) lines = NULL;

  fixture->report->step.mfu = 0.464;
  fixture->report->memory_peak = 59.4 * 1024 * 1024 * 1024;
  fixture->report->fits = TRUE;
  add_tp_collective (fixture->report, 1);
  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  same = plg_drag_consequence (fixture->drag, fixture->report);
  g_assert_cmpstr (same, ==, "MFU 46.4\u00a0%, memory 59.4\u00a0GiB");
  nothing = plg_drag_warning (fixture->drag, fixture->report);
  g_assert_null (nothing);

  after->step.mfu = 0.2;
  after->memory_peak = 81.0 * 1024 * 1024 * 1024;
  add_tp_collective (after, 2);
  add_tp_collective (after, 2);
  plg_drag_update (fixture->drag, 15, FALSE);
  other = plg_drag_consequence (fixture->drag, after);
  g_assert_cmpstr (other, ==, "MFU 46.4\u00a0% → 20.0\u00a0%, memory 59.4\u00a0GiB → 81\u00a0GiB");
  warning = plg_drag_warning (fixture->drag, after);
  lines = g_strsplit (warning, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  g_assert_cmpstr (lines[0], ==,
                   "TP leaves the node: 450\u00a0GB/s → 50\u00a0GB/s per link, 9×, "
                   "5\u202f120 calls per step");
  g_assert_cmpstr (lines[1], ==, "all-gather: 423\u00a0µs → 497\u00a0µs per call");
  g_assert_true (g_str_has_prefix (lines[2],
                                   "Out of memory: the fullest GPU needs 81\u00a0GiB but has "));
}

/* A condition that was present before gets no new warning, except that the plan still does not
 * fit. */
static void
test_warnings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgReport) after = plg_report_new ();
  g_autofree char *crossing = NULL;
  g_autofree char *overflow = NULL;

  fixture->report->fits = after->fits = TRUE;
  add_tp_collective (fixture->report, 2);
  add_tp_collective (after, 2);
  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_PP, 0);
  crossing = plg_drag_warning (fixture->drag, after);
  g_assert_null (crossing);
  fixture->report->fits = after->fits = FALSE;
  overflow = plg_drag_warning (fixture->drag, after);
  g_assert_true (g_str_has_prefix (overflow, "Out of memory"));
}

/* Any path of the pointer over any plan gives a valid plan. */
static void
test_random (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);

  for (int i = 0; i < 300; i++)
    {
      begin (fixture, (PlgDragKind) g_rand_int_range (random, 0, 3),
             (PlgAxis) g_rand_int_range (random, 0, PLG_N_AXES), g_rand_int_range (random, 0, 64));
      for (int step = 0; step < 10; step++)
        {
          g_autofree char *headline = NULL;

          plg_drag_update (fixture->drag, g_rand_int_range (random, -5, 70),
                           g_rand_boolean (random));
          headline = plg_drag_title (fixture->drag);
          g_assert_true (plg_plan_check (plg_drag_plan (fixture->drag), NULL));
          g_assert_true (plg_drag_is_legal (fixture->drag) ||
                         plg_drag_limit (fixture->drag)->text != NULL);
        }
      plg_plan_assign (fixture->plan, plg_drag_plan (fixture->drag));
    }
}

/* Keys move an edge from degree to degree. */
static void
test_steps_by_keys (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    PlgAxis axis;
    int step;
    gboolean shift;
    const char *headline;
  } rows[] = {
    { PLG_AXIS_TP, 1, FALSE, "TP 8 → 16 · DP 2 → 1" },
    { PLG_AXIS_TP, -1, TRUE, "TP 8 → 4 · PP 4 → 8" },
    { PLG_AXIS_DP, 1, FALSE, "DP 2 → 4 · PP 4 → 2" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *headline = NULL;

      begin (fixture, PLG_DRAG_EDGE, rows[i].axis, 9);
      g_assert_true (plg_drag_step_degree (fixture->drag, rows[i].step, rows[i].shift));
      headline = plg_drag_title (fixture->drag);
      g_assert_cmpstr (headline, ==, rows[i].headline);
      g_assert_null (plg_drag_limit (fixture->drag)->text);
    }
}

/* Keys pass over a degree that is not legal: 6 divides the GPUs but not the 64 heads. */
static void
test_keys_pass_over_illegal_degrees (Fixture *fixture, gconstpointer data)
{
  static const char *const settings[] = { "cluster.nodes=6", "parallelism.tp=4", "parallelism.pp=1",
                                          "training.global-batch=1152", NULL };

  g_assert_true (plg_settings_apply (fixture->plan, NULL, settings, NULL));
  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  g_assert_true (plg_drag_step_degree (fixture->drag, 1, FALSE));
  g_assert_cmpint (plg_drag_plan (fixture->drag)->parallelism.degree[PLG_AXIS_TP], ==, 8);
}

/* A drag past a limit, and the sentence that says why it stops and what to do. */
typedef struct
{
  const char *settings; /* changes of the default plan, separated by spaces */
  PlgAxis axis;
  int rank;
  int gpu; /* the pointer, or with a step the keyboard */
  int step;
  gboolean shift;
  gboolean is_legal; /* whether the edge stops at a legal degree instead of being refused */
  PlgDragRemedyKind remedy;
  const char *text;
  int beside_node; /* see plg_drag_set_beside_node() */
} LimitCase;

/* The number of a GPU to the right of the last GPU of the default cluster. */
#define AFTER_LAST 64

static const LimitCase limits[] = {
  /* no GPU left on the compensating axis */
  { "", PLG_AXIS_TP, 0, 40, 0, FALSE, TRUE, PLG_DRAG_REMEDY_SHIFT,
    "DP is 1 already: hold Shift to take it from PP" },
  { "", PLG_AXIS_TP, 0, 63, 0, TRUE, TRUE, PLG_DRAG_REMEDY_DROP,
    "PP is 1 already: drop here and drag again without Shift to take it from DP" },
  { "parallelism.tp=16", PLG_AXIS_TP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "DP is 1 already: hold Shift to take it from PP" },
  { "parallelism.pp=1 parallelism.tp=4", PLG_AXIS_TP, 0, 0, 1, TRUE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "PP is 1 already: release Shift to take it from DP" },
  { "parallelism.pp=1 parallelism.cp=8", PLG_AXIS_TP, 0, 0, 1, FALSE, FALSE,
    PLG_DRAG_REMEDY_SETTINGS, "DP is 1 already: set parallelism.cp to 4 first" },
  { "parallelism.tp=16", PLG_AXIS_CP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "DP is 1 already: hold Shift to take it from PP" },
  { "parallelism.pp=1 parallelism.tp=64", PLG_AXIS_CP, 0, 0, 1, TRUE, FALSE,
    PLG_DRAG_REMEDY_SETTINGS,
    "PP is 1 already: set parallelism.tp to 32 and parallelism.pp to 2 first" },
  { "", PLG_AXIS_PP, 0, AFTER_LAST, 0, FALSE, TRUE, PLG_DRAG_REMEDY_DROP,
    "DP is 1 already: drop here and drag again with Shift to take it from TP" },
  { "parallelism.pp=8", PLG_AXIS_PP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "DP is 1 already: hold Shift to take it from TP" },
  { "parallelism.pp=8 parallelism.tp=1 parallelism.cp=8", PLG_AXIS_PP, 0, 0, 1, FALSE, FALSE,
    PLG_DRAG_REMEDY_SETTINGS, "DP is 1 already: set parallelism.cp to 4 first" },
  { "parallelism.pp=1", PLG_AXIS_DP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "PP is 1 already: hold Shift to take it from TP" },
  { "", PLG_AXIS_DP, 0, 0, 0, FALSE, TRUE, PLG_DRAG_REMEDY_SHIFT,
    "PP is 1 already: hold Shift to take it from TP" },
  { "parallelism.pp=1 parallelism.tp=1 parallelism.cp=8", PLG_AXIS_DP, 0, 0, 1, FALSE, FALSE,
    PLG_DRAG_REMEDY_SETTINGS, "PP is 1 already: set parallelism.cp to 4 first" },
  /* all GPUs of the cluster, or its end */
  { "parallelism.pp=1 parallelism.tp=64", PLG_AXIS_TP, 0, AFTER_LAST, 0, FALSE, TRUE,
    PLG_DRAG_REMEDY_NONE, "TP 64 takes all 64 GPUs of the cluster" },
  { "parallelism.pp=1 parallelism.tp=1 parallelism.cp=64", PLG_AXIS_CP, 0, 0, 1, FALSE, FALSE,
    PLG_DRAG_REMEDY_SETTINGS,
    "CP 64 takes all 64 GPUs of the cluster: set cluster.nodes to 16 first" },
  { "parallelism.pp=1 parallelism.tp=1 training.global-batch=1024", PLG_AXIS_DP, 0, 0, 1, FALSE,
    FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "DP 64 takes all 64 GPUs of the cluster: set cluster.nodes to 16 first" },
  { "parallelism.pp=1", PLG_AXIS_TP, 56, AFTER_LAST, 0, FALSE, TRUE, PLG_DRAG_REMEDY_FIRST_BLOCK,
    "The cluster ends here: drag the edge of the first TP block instead" },
  { "parallelism.cp=4 parallelism.tp=2 parallelism.pp=1", PLG_AXIS_CP, 56, AFTER_LAST, 0, FALSE,
    TRUE, PLG_DRAG_REMEDY_FIRST_BLOCK,
    "The cluster ends here: drag the edge of the first CP block instead" },
  { "parallelism.pp=1", PLG_AXIS_DP, 56, AFTER_LAST, 0, TRUE, TRUE, PLG_DRAG_REMEDY_FIRST_BLOCK,
    "The cluster ends here: drag the edge of the first DP block instead" },
  /* the smallest degree */
  { "parallelism.tp=1", PLG_AXIS_TP, 8, 2, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NONE,
    "TP is 1 already, the smallest degree" },
  { "", PLG_AXIS_CP, 9, 0, -1, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "CP is 1 already, the smallest degree" },
  { "parallelism.pp=1", PLG_AXIS_PP, 0, 1, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NONE,
    "PP is 1 already, the smallest degree" },
  { "parallelism.pp=8", PLG_AXIS_DP, 0, 0, -1, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "DP is 1 already, the smallest degree" },
  /* heads and KV heads */
  { "model.heads=24 parallelism.pp=4", PLG_AXIS_TP, 0, 15, 0, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "TP 16 does not divide 24 attention heads" },
  { "cluster.nodes=6 parallelism.tp=4 parallelism.pp=1 model.heads=48 training.global-batch=1152",
    PLG_AXIS_TP, 0, 5, 0, FALSE, FALSE, PLG_DRAG_REMEDY_DEGREE,
    "TP 6 is neither a divisor nor a multiple of the 8 KV heads: the nearest possible degree is TP 8" },
  { "parallelism.cp-type=ulysses parallelism.pp=1 model.heads=24 model.kv-heads=24", PLG_AXIS_CP, 0,
    15, 0, FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "Ulysses CP 2 does not divide the 3 heads (3 KV heads) that TP leaves per GPU: set parallelism.cp-type to ring first" },
  /* widths */
  { "model.ffn=28680", PLG_AXIS_TP, 0, 15, 0, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "TP 16 does not divide the MLP size 28680" },
  /* layers and chunks */
  { "model.layers=4", PLG_AXIS_PP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "PP 8 needs at least 8 layers, but the model has 4" },
  { "model.layers=14 training.schedule=interleaved parallelism.chunks=4", PLG_AXIS_PP, 0, 63, 0,
    FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "PP 8 × 4 chunks needs at least 30 layers, but the model has 14: set parallelism.chunks to 2 first" },
  { "model.layers=8 training.schedule=zb-v", PLG_AXIS_PP, 0, 63, 0, FALSE, FALSE,
    PLG_DRAG_REMEDY_SETTINGS,
    "zb-v with PP 8 needs at least 14 layers, but the model has 8: set training.schedule to 1f1b and parallelism.chunks to 1 first" },
  { "model.layers=8 training.schedule=zb-v", PLG_AXIS_DP, 0, 63, 0, FALSE, FALSE,
    PLG_DRAG_REMEDY_SHIFT,
    "zb-v with PP 8 needs at least 14 layers, but the model has 8: hold Shift to change TP instead" },
  /* batch and schedule */
  { "training.global-batch=2", PLG_AXIS_TP, 0, 3, 0, FALSE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "Global batch 2 is not a multiple of micro-batch 1 × DP 4 = 4: hold Shift to change PP instead" },
  { "training.global-batch=2", PLG_AXIS_DP, 0, 15, 0, FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "Global batch 2 is not a multiple of micro-batch 1 × DP 4 = 4: set training.global-batch to 4 first" },
  { "training.global-batch=2", PLG_AXIS_PP, 0, 0, -1, FALSE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "Global batch 2 is not a multiple of micro-batch 1 × DP 4 = 4: hold Shift to change TP instead" },
  { "parallelism.cp=2 training.global-batch=1", PLG_AXIS_CP, 0, 0, -1, FALSE, FALSE,
    PLG_DRAG_REMEDY_SHIFT,
    "Global batch 1 is not a multiple of micro-batch 1 × DP 2 = 2: hold Shift to change PP instead" },
  { "training.schedule=interleaved parallelism.chunks=2 training.global-batch=8", PLG_AXIS_DP, 0,
    15, 0, TRUE, FALSE, PLG_DRAG_REMEDY_SHIFT,
    "The interleaved schedule needs a number of micro-batches that is a multiple of PP 4, not 2: release Shift to change PP instead" },
  { "training.schedule=dualpipe", PLG_AXIS_PP, 0, 7, 0, FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "DualPipe runs from both ends of the pipeline and needs an even PP, not 1: set training.schedule to 1f1b and parallelism.chunks to 1 first" },
  { "training.schedule=dualpipe training.global-batch=16", PLG_AXIS_PP, 0, 63, 0, TRUE, FALSE,
    PLG_DRAG_REMEDY_SHIFT,
    "DualPipe needs an even number of micro-batches, at least 2 × PP = 16, not 8: release Shift to change DP instead" },
  { "training.schedule=dualpipe parallelism.tp=16 training.global-batch=8", PLG_AXIS_PP, 0, 0, 1,
    TRUE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "DualPipe needs an even number of micro-batches, at least 2 × PP = 16, not 8: set training.global-batch to 16 first" },
  /* sequence */
  { "training.sequence=24", PLG_AXIS_TP, 0, 15, 0, FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "Sequence parallelism: TP 16 does not divide the 24 tokens per GPU: set parallelism.sequence to false first" },
  { "training.sequence=6 parallelism.sequence=false parallelism.pp=1", PLG_AXIS_CP, 0, 31, 0, FALSE,
    FALSE, PLG_DRAG_REMEDY_DEGREE,
    "CP 4 does not divide a sequence of 6 tokens: the nearest possible degree is CP 2" },
  /* experts */
  { "", PLG_AXIS_EP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_MODEL,
    "EP 2 needs experts, but Llama 3 70B is a dense model: choose a model with experts first" },
  { EXPERTS_8, PLG_AXIS_EP, 0, 15, 0, FALSE, FALSE, PLG_DRAG_REMEDY_DEGREE,
    "EP 16 does not divide 8 experts: the nearest possible degree is EP 8" },
  { EXPERTS_64 " parallelism.ep=16", PLG_AXIS_EP, 0, 31, 0, FALSE, TRUE, PLG_DRAG_REMEDY_SETTINGS,
    "EP 16 × ETP 1 takes all 16 GPUs of a stage: set parallelism.pp to 2 first" },
  { EXPERTS_64 " parallelism.ep=16", PLG_AXIS_PP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "EP 16 × ETP 1 does not divide the 8 GPUs of a stage (TP × CP × DP): set parallelism.ep to 8 first" },
  { EXPERTS_64 " parallelism.ep=16 parallelism.pp=4 parallelism.cp=4 parallelism.tp=1", PLG_AXIS_PP,
    0, 63, 0, FALSE, FALSE, PLG_DRAG_REMEDY_SETTINGS,
    "EP 16 × ETP 1 does not divide the 4 GPUs of a stage (TP × CP × DP): set parallelism.ep to 4 first" },
  { EXPERTS_8, PLG_AXIS_EP, 0, 0, -1, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "EP is 1 already, the smallest degree" },
  /* No higher degree: the sentence does not name a lower one. */
  { EXPERTS_8 " parallelism.ep=8", PLG_AXIS_EP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "EP 16 does not divide 8 experts" },
  { EXPERTS_8 " parallelism.pp=8 parallelism.tp=4 "
              "parallelism.ep=8",
    PLG_AXIS_EP, 0, 0, 1, FALSE, FALSE, PLG_DRAG_REMEDY_NONE,
    "EP is 8 already, the number of experts" },
  /* the right side of a node */
  { "", PLG_AXIS_TP, 0, 7, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NODE,
    "This is the end of node 0: drag the edge to node 1 for TP 16", 1 },
  { "", PLG_AXIS_TP, 8, 15, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NODE,
    "This is the end of node 1: drag the edge to node 2 for TP 16", 1 },
  { "parallelism.tp=4", PLG_AXIS_TP, 0, 7, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NODE,
    "This is the end of node 0: drag the edge to node 1 for TP 16", 1 },
  { "parallelism.tp=4", PLG_AXIS_CP, 0, 7, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NODE,
    "This is the end of node 0: drag the edge to node 1 for CP 4", 1 },
  { "", PLG_AXIS_PP, 0, 31, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NODE,
    "This is the end of node 3: drag the edge to node 7 for PP 8", 1 },
  { "", PLG_AXIS_DP, 0, 31, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NODE,
    "This is the end of node 3: drag the edge to node 7 for DP 1", 1 },
  { EXPERTS_8, PLG_AXIS_EP, 0, 7, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NONE,
    "EP 16 does not divide 8 experts", 1 },
  { "parallelism.tp=16", PLG_AXIS_TP, 0, 15, 0, FALSE, TRUE, PLG_DRAG_REMEDY_SHIFT,
    "DP is 1 already: hold Shift to take it from PP", 1 },
  { "model.heads=24", PLG_AXIS_TP, 0, 7, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NONE,
    "TP 16 does not divide 24 attention heads", 1 },
  { "parallelism.pp=1", PLG_AXIS_TP, 56, 63, 0, FALSE, TRUE, PLG_DRAG_REMEDY_FIRST_BLOCK,
    "The cluster ends here: drag the edge of the first TP block instead", 1 },
  /* the left side of a node */
  { "parallelism.tp=1", PLG_AXIS_TP, 8, 8, 0, FALSE, TRUE, PLG_DRAG_REMEDY_NONE,
    "TP is 1 already, the smallest degree", -1 },
};

static void
move (Fixture *fixture, const LimitCase *row, gboolean shift)
{
  if (row->step != 0)
    plg_drag_step_degree (fixture->drag, row->step, shift);
  else
    {
      plg_drag_set_beside_node (fixture->drag, row->beside_node);
      plg_drag_update (fixture->drag, row->gpu, shift);
    }
}

static int
dragged_degree (const Fixture *fixture, PlgAxis axis)
{
  return plg_drag_plan (fixture->drag)->parallelism.degree[axis];
}

/* Begins a drag at RANK and drags the edge of AXIS over all GPUs until it reaches DEGREE. */
static gboolean
drag_to_degree (Fixture *fixture, const LimitCase *row, int rank, int degree)
{
  int gpus = plg_cluster_gpus (&fixture->plan->cluster);

  begin (fixture, PLG_DRAG_EDGE, row->axis, rank);
  for (int gpu = 0; gpu < gpus; gpu++)
    {
      plg_drag_update (fixture->drag, gpu, row->shift);
      if (plg_drag_is_legal (fixture->drag) && dragged_degree (fixture, row->axis) == degree)
        return TRUE;
    }
  return FALSE;
}

/* Does what LIMIT names and checks that the drag then goes further than in DROPPED, the plan that
 * a drop at the limit gives. */
static void
carry_out (Fixture *fixture,
           const LimitCase *row,
           const PlgDragLimit *limit,
           const PlgPlan *dropped)
{
  const int degree = dropped->parallelism.degree[row->axis];
  g_auto (GStrv) assignments = g_strdupv (limit->assignments);
  g_auto (GStrv) experts = g_strsplit (EXPERTS_8, " ", -1);
  const PlgDragRemedyKind remedy = limit->remedy;
  const int named_degree = limit->degree;
  GError *error = NULL;

  switch (remedy)
    {
    case PLG_DRAG_REMEDY_SHIFT:
      begin (fixture, PLG_DRAG_EDGE, row->axis, row->rank);
      move (fixture, row, !row->shift);
      g_assert_true (plg_drag_is_legal (fixture->drag));
      if (row->beside_node != 0)
        {
          /* With Shift, the edge can be dragged to another node. */
          g_assert_cmpint (plg_drag_limit (fixture->drag)->remedy, ==, PLG_DRAG_REMEDY_NODE);
          break;
        }
      g_assert_true (plg_drag_changes (fixture->drag));
      g_assert_cmpint (dragged_degree (fixture, row->axis), !=, degree);
      break;
    case PLG_DRAG_REMEDY_DEGREE:
    case PLG_DRAG_REMEDY_NODE:
      g_assert_true (drag_to_degree (fixture, row, row->rank, named_degree));
      break;
    case PLG_DRAG_REMEDY_FIRST_BLOCK:
      g_assert_true (drag_to_degree (fixture, row, 0, 2 * degree));
      break;
    case PLG_DRAG_REMEDY_MODEL:
    case PLG_DRAG_REMEDY_SETTINGS:
      plg_settings_apply (fixture->plan, NULL,
                          (const char *const *) (remedy == PLG_DRAG_REMEDY_MODEL ? experts
                                                                                 : assignments),
                          &error);
      g_assert_no_error (error);
      begin (fixture, PLG_DRAG_EDGE, row->axis, row->rank);
      move (fixture, row, row->shift);
      g_assert_true (plg_drag_is_legal (fixture->drag) || row->step != 0);
      g_assert_cmpint (dragged_degree (fixture, row->axis), !=, degree);
      break;
    case PLG_DRAG_REMEDY_DROP:
      plg_plan_assign (fixture->plan, dropped);
      begin (fixture, PLG_DRAG_EDGE, row->axis, row->rank);
      g_assert_true (plg_drag_step_degree (fixture->drag, 1, !row->shift));
      break;
    case PLG_DRAG_REMEDY_NONE:
    default:
      g_assert_not_reached ();
    }
}

/* At each limit of each axis, the drag says why it stops, and what it suggests works. The
 * announcement for assistive technology contains the same sentence. */
static void
test_limits (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const LimitCase *row = &limits[i];
      g_auto (GStrv) settings = g_strsplit (row->settings, " ", -1);
      g_autofree char *announcement = NULL;
      GError *error = NULL;

      plg_plan_free (fixture->plan);
      fixture->plan = sample_plan ();
      if (row->settings[0] != '\0')
        plg_settings_apply (fixture->plan, NULL, (const char *const *) settings, &error);
      g_assert_no_error (error);
      begin (fixture, PLG_DRAG_EDGE, row->axis, row->rank);
      move (fixture, row, row->shift);
      g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==, row->text);
      g_assert_cmpint (plg_drag_limit (fixture->drag)->remedy, ==, row->remedy);
      g_assert_cmpint (plg_drag_is_legal (fixture->drag), ==, row->is_legal);
      announcement = plg_drag_describe (fixture->drag, fixture->report);
      g_assert_true (g_str_has_suffix (announcement, row->text));
      if (row->remedy != PLG_DRAG_REMEDY_NONE)
        {
          g_autoptr (PlgDrag) stopped = g_steal_pointer (&fixture->drag);

          carry_out (fixture, row, plg_drag_limit (stopped), plg_drag_plan (stopped));
        }
    }
}

/* A swap or a move of an axis that can have no effect says why, and names a change that helps. */
static void
test_swap_limits (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *settings;
    PlgDragKind kind;
    PlgAxis axis;
    int gpu;
    const char *text;
    const char *assignment; /* NULL if the text names no setting */
  } rows[] = {
    { "", PLG_DRAG_RANK, PLG_AXIS_TP, PLG_DRAG_NO_GPU,
      "A drop needs a node: move the pointer over a node", NULL },
    { "", PLG_DRAG_NODE, PLG_AXIS_TP, PLG_DRAG_NO_GPU,
      "A drop needs a node: move the pointer over a node", NULL },
    { "cluster.nodes=1 parallelism.pp=1", PLG_DRAG_NODE, PLG_AXIS_TP, 3,
      "The cluster has one node: set cluster.nodes to 2 first", "cluster.nodes=2" },
    { "cluster.nodes=1 cluster.gpus-per-node=1 parallelism.tp=1 parallelism.pp=1", PLG_DRAG_RANK,
      PLG_AXIS_TP, 0, "The cluster has one GPU: set cluster.nodes to 2 first", "cluster.nodes=2" },
    { "cluster.nodes=1 parallelism.pp=1", PLG_DRAG_GROUP, PLG_AXIS_TP, 3,
      "All 8 ranks are in one TP group: set parallelism.tp to 4 first", "parallelism.tp=4" },
    { "", PLG_DRAG_AXIS, PLG_AXIS_TP, 3,
      "TP is the innermost axis already: move the pointer outside the nodes to make it the "
      "outermost",
      NULL },
    { "", PLG_DRAG_RANK, PLG_AXIS_TP, 3, NULL, NULL },
    { "", PLG_DRAG_AXIS, PLG_AXIS_DP, 3, NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (GStrv) settings = g_strsplit (rows[i].settings, " ", -1);
      const PlgDragLimit *limit;
      GError *error = NULL;

      plg_plan_free (fixture->plan);
      fixture->plan = sample_plan ();
      if (rows[i].settings[0] != '\0')
        plg_settings_apply (fixture->plan, NULL, (const char *const *) settings, &error);
      g_assert_no_error (error);
      begin (fixture, rows[i].kind, rows[i].axis, 0);
      plg_drag_update (fixture->drag, rows[i].gpu, FALSE);
      limit = plg_drag_limit (fixture->drag);
      g_assert_cmpstr (limit->text, ==, rows[i].text);
      g_assert_true (plg_drag_is_legal (fixture->drag));
      if (rows[i].assignment != NULL)
        {
          g_assert_cmpstr (limit->assignments[0], ==, rows[i].assignment);
          plg_settings_apply (fixture->plan, NULL, (const char *const *) limit->assignments,
                              &error);
          g_assert_no_error (error);
          begin (fixture, rows[i].kind, rows[i].axis, 0);
          g_assert_true (plg_drag_update (fixture->drag,
                                          plg_cluster_gpus (&fixture->plan->cluster) - 1, FALSE));
          g_assert_null (plg_drag_limit (fixture->drag)->text);
        }
    }
}

/* The keys of the nesting order name the end of the order. */
static void
test_axis_ends (Fixture *fixture, gconstpointer data)
{
  begin (fixture, PLG_DRAG_AXIS, PLG_AXIS_TP, 0);
  g_assert_false (plg_drag_move_axis (fixture->drag, -1));
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "TP is the innermost axis already: it can only move outwards");
  g_assert_true (plg_drag_move_axis (fixture->drag, 1));
  g_assert_null (plg_drag_limit (fixture->drag)->text);
  begin (fixture, PLG_DRAG_AXIS, PLG_AXIS_DP, 0);
  g_assert_false (plg_drag_move_axis (fixture->drag, 4));
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "DP is the outermost axis already: it can only move inwards");
  g_assert_true (plg_drag_move_axis (fixture->drag, 2));
}

/* In a lesson that locks PP and the placement, a drag says so before the drop. */
static void
test_lesson_limits (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[] = { "parallelism.tp", "parallelism.dp", NULL };
  const PlgEditPolicy policy = { .keys = keys };

  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_TP, 0);
  plg_drag_set_policy (fixture->drag, &policy);
  g_assert_true (plg_drag_update (fixture->drag, 3, FALSE));
  g_assert_false (plg_drag_update (fixture->drag, 3, TRUE));
  g_assert_false (plg_drag_is_legal (fixture->drag));
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "This step of the lesson keeps “Pipeline (PP)” at 4.");

  /* The suggestion never names an edit that the lesson locks. */
  plg_drag_update (fixture->drag, 40, FALSE);
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==, "DP is 1 already");

  begin (fixture, PLG_DRAG_RANK, PLG_AXIS_TP, 0);
  plg_drag_set_policy (fixture->drag, &policy);
  g_assert_false (plg_drag_update (fixture->drag, 9, FALSE));
  g_assert_false (plg_drag_is_legal (fixture->drag));
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "This step of the lesson keeps every rank where it is.");
}

/* A drag that resets what was set by hand warns of the loss. */
static void
test_reset_warnings (Fixture *fixture, gconstpointer data)
{
  static const char *const layers[] = { "parallelism.first-layers=19", NULL };
  g_autofree char *warning = NULL, *none = NULL;

  g_assert_true (plg_settings_apply (fixture->plan, NULL, layers, NULL));
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 0, 9, NULL));
  fixture->report->fits = TRUE;
  begin (fixture, PLG_DRAG_EDGE, PLG_AXIS_PP, 0);
  none = plg_drag_warning (fixture->drag, fixture->report);
  g_assert_null (none);
  g_assert_true (plg_drag_step_degree (fixture->drag, 1, FALSE));
  warning = plg_drag_warning (fixture->drag, fixture->report);
  g_assert_cmpstr (warning, ==,
                   "The placement by hand is reset to the nesting order; undo restores it\n"
                   "The layers set by hand are divided evenly again; undo restores them");
}

/* The edge of a shard group moves inside DP: 64 GPUs are 32 replicas of TP 2, so a group of 8 nodes
 * may end after 4, 2, 1 or half a node. DP keeps its degree, and ranks stay where they are. */
static void
test_shard_edge (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int rank, gpu, replicate;
    const char *headline;
  } rows[] = {
    { 0, 31, 2, "HSDP: shard groups × replicas 1 × 32 → 2 × 16" },
    { 0, 7, 8, "HSDP: shard groups × replicas 1 × 32 → 8 × 4" },
    { 40, 17, 4, "HSDP: shard groups × replicas 1 × 32 → 4 × 8" },
    { 0, 0, 32, "HSDP: shard groups × replicas 1 × 32 → 32 × 1" },
    { 0, 63, 1, "HSDP: shard groups × replicas 1 × 32" },
  };

  plg_edit_set_degree (fixture->plan, PLG_AXIS_PP, 1, PLG_AXIS_DP, NULL);
  plg_edit_set_degree (fixture->plan, PLG_AXIS_TP, 2, PLG_AXIS_DP, NULL);
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 3, 40, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *headline = NULL;

      begin (fixture, PLG_DRAG_SHARD, PLG_AXIS_DP, rows[i].rank);
      plg_drag_update (fixture->drag, rows[i].gpu, FALSE);
      g_assert_true (plg_drag_is_legal (fixture->drag));
      g_assert_cmpint (plg_drag_plan (fixture->drag)->parallelism.replicate, ==, rows[i].replicate);
      g_assert_cmpint (plg_drag_plan (fixture->drag)->parallelism.degree[PLG_AXIS_DP], ==, 32);
      g_assert_true (plg_placement_equal (&plg_drag_plan (fixture->drag)->placement,
                                          &fixture->plan->placement));
      headline = plg_drag_title (fixture->drag);
      g_assert_cmpstr (headline, ==, rows[i].headline);
    }
}

/* Keys make shard groups smaller and larger, one divisor of DP at a time. */
static void
test_shard_steps (Fixture *fixture, gconstpointer data)
{
  begin (fixture, PLG_DRAG_SHARD, PLG_AXIS_DP, 0);
  g_assert_false (plg_drag_step_degree (fixture->drag, 1, FALSE));
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "The shard group already has all 2 replicas of DP; raise DP for larger groups");
  plg_drag_set_beside_node (fixture->drag, 1);
  plg_drag_update (fixture->drag, 63, FALSE);
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==,
                   "The shard group already has all 2 replicas of DP; raise DP for larger groups");
  g_assert_true (plg_drag_step_degree (fixture->drag, -1, FALSE));
  g_assert_cmpint (plg_drag_plan (fixture->drag)->parallelism.replicate, ==, 2);
  plg_plan_assign (fixture->plan, plg_drag_plan (fixture->drag));
  begin (fixture, PLG_DRAG_SHARD, PLG_AXIS_DP, 0);
  g_assert_false (plg_drag_step_degree (fixture->drag, -1, FALSE));
  g_assert_nonnull (strstr (plg_drag_limit (fixture->drag)->text,
                            "2 is the largest possible number"));
  g_assert_true (plg_drag_step_degree (fixture->drag, 1, FALSE));
  g_assert_cmpint (plg_drag_plan (fixture->drag)->parallelism.replicate, ==, 1);
  fixture->plan->parallelism.zero = 0;
  begin (fixture, PLG_DRAG_SHARD, PLG_AXIS_DP, 0);
  g_assert_false (plg_drag_step_degree (fixture->drag, -1, FALSE));
  g_assert_nonnull (strstr (plg_drag_limit (fixture->drag)->text, "ZeRO 0 shards nothing"));
}

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

static void
begin_layers (Fixture *fixture, int stage, int chunk)
{
  plg_drag_free (fixture->drag);
  fixture->drag = plg_drag_begin_layers (fixture->plan, fixture->report, stage, chunk);
}

static void
assert_layers (Fixture *fixture, const char *layout, const char *limit)
{
  g_autofree char *text = plg_stage_layout_to_string (&plg_drag_plan (fixture->drag)
                                                           ->parallelism.layout);

  g_assert_cmpstr (text, ==, layout);
  g_assert_cmpstr (plg_drag_limit (fixture->drag)->text, ==, limit);
  g_assert_true (plg_drag_is_legal (fixture->drag));
  g_assert_true (plg_plan_check (plg_drag_plan (fixture->drag), NULL));
}

/* Layers move one by one over the edge between two stages, until a stage has none left. */
static void
test_layers (Fixture *fixture, gconstpointer data)
{
  g_autofree char *title = NULL;

  begin_layers (fixture, 1, -1);
  g_assert_false (plg_drag_move_layers (fixture->drag, 0));
  g_assert_false (plg_drag_changes (fixture->drag));
  g_assert_true (plg_drag_move_layers (fixture->drag, 2));
  title = plg_drag_title (fixture->drag);
  g_assert_cmpstr (title, ==, "Stage 1: 22 layers · stage 2: 18 layers");
  assert_layers (fixture, "Et*20|t*22|t*18|t*20L", NULL);
  g_assert_true (plg_drag_move_layers (fixture->drag, -21));
  assert_layers (fixture, "Et*20||t*40|t*20L", "Stage 1 has no layer left");
  /* Only the position matters, not the path to it. */
  g_assert_true (plg_drag_move_layers (fixture->drag, 2));
  assert_layers (fixture, "Et*20|t*22|t*18|t*20L", NULL);
  g_assert_true (plg_drag_move_layers (fixture->drag, 0));
  g_assert_false (plg_drag_changes (fixture->drag));
}

/* The embedding and the loss stay in their stages. */
static void
test_layers_at_ends (Fixture *fixture, gconstpointer data)
{
  begin_layers (fixture, 0, -1);
  plg_drag_move_layers (fixture->drag, -30);
  assert_layers (fixture, "E|t*40|t*20|t*20L",
                 "Stage 0 has no layer left: the embedding stays there");
  begin_layers (fixture, 2, -1);
  plg_drag_move_layers (fixture->drag, 30);
  assert_layers (fixture, "Et*20|t*20|t*40|L", "Stage 3 has no layer left: the loss stays there");
}

/* A drag starts from the layers of the first and the last stage that are set by hand. */
static void
test_layers_set_by_hand (Fixture *fixture, gconstpointer data)
{
  fixture->plan->parallelism.first_layers = 14;
  begin_layers (fixture, 0, -1);
  plg_drag_move_layers (fixture->drag, 1);
  assert_layers (fixture, "Et*15|t*21|t*22|t*22L", NULL);
}

/* Layers move between the same chunks of two stages. */
static void
test_layers_of_chunks (Fixture *fixture, gconstpointer data)
{
  fixture->plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  fixture->plan->parallelism.chunks = 2;
  g_assert_true (plg_plan_check (fixture->plan, NULL));
  begin_layers (fixture, 1, 1);
  plg_drag_move_layers (fixture->drag, 3);
  assert_layers (fixture, "Et*10|(t*10|)*4t*13|t*7|t*10L", NULL);
  plg_drag_move_layers (fixture->drag, 11);
  assert_layers (fixture, "Et*10|(t*10|)*4t*20||t*10L", "Stage 2 has no layer left in chunk 1");
  /* Without a chunk, the giver's largest chunk gives. */
  begin_layers (fixture, 1, -1);
  plg_drag_move_layers (fixture->drag, 3);
  assert_layers (fixture, "Et*10|t*12|t*8|(t*10|)*2t*11|t*9|t*10L", NULL);
  /* With zb-v, the second chunk runs from the last stage to the first. */
  fixture->plan->training.schedule = PLG_SCHEDULE_ZB_V;
  fixture->plan->parallelism.chunks = 1;
  g_assert_true (plg_plan_check (fixture->plan, NULL));
  begin_layers (fixture, 0, 1);
  plg_drag_move_layers (fixture->drag, 2);
  assert_layers (fixture, "Et*10|(t*10|)*5t*8|t*12L", NULL);
}

/* The MTP layers move after the last layer of their stage, together, if the schedule allows it. */
static void
test_layers_with_mtp (Fixture *fixture, gconstpointer data)
{
  fixture->plan->model.mtp_layers = 2;
  g_assert_true (plg_plan_check (fixture->plan, NULL));
  begin_layers (fixture, 2, -1);
  plg_drag_move_layers (fixture->drag, 20);
  assert_layers (fixture, "Et*20|t*20|t*40|mmL", NULL);
  plg_drag_move_layers (fixture->drag, 21);
  assert_layers (fixture, "Et*20|t*20|t*40mm|L", NULL);
  plg_drag_move_layers (fixture->drag, 22);
  assert_layers (fixture, "Et*20|t*20|t*40mm|L", "Stage 3 has no layer left: the loss stays there");
  /* Back: the MTP layers are the first to reach the last stage. */
  plg_plan_assign (fixture->plan, plg_drag_plan (fixture->drag));
  begin_layers (fixture, 2, -1);
  plg_drag_move_layers (fixture->drag, -1);
  assert_layers (fixture, "Et*20|t*20|t*40|mmL", NULL);
  plg_drag_move_layers (fixture->drag, -2);
  assert_layers (fixture, "Et*20|t*20|t*39|tmmL", NULL);

  plg_parallelism_clear_layers (&fixture->plan->parallelism);
  fixture->plan->training.schedule = PLG_SCHEDULE_ZB_V;
  begin_layers (fixture, 0, 1);
  plg_drag_move_layers (fixture->drag, -11);
  assert_layers (fixture, "Et*10|(t*10|)*5t*20|mmL",
                 "Stage 0 has no layer left: its MTP layers stay with the loss");
}

/* A lesson that locks the layers refuses the drag. */
static void
test_layers_locked (Fixture *fixture, gconstpointer data)
{
  const char *const keys[] = { "training.*", NULL };
  const PlgEditPolicy policy = { .keys = keys };

  begin_layers (fixture, 1, -1);
  plg_drag_set_policy (fixture->drag, &policy);
  g_assert_false (plg_drag_move_layers (fixture->drag, 2));
  g_assert_false (plg_drag_is_legal (fixture->drag));
  g_assert_nonnull (plg_drag_limit (fixture->drag)->text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/drag/edges", test_edges);
  TEST ("/drag/layers", test_layers);
  TEST ("/drag/layers-at-ends", test_layers_at_ends);
  TEST ("/drag/layers-set-by-hand", test_layers_set_by_hand);
  TEST ("/drag/layers-of-chunks", test_layers_of_chunks);
  TEST ("/drag/layers-with-mtp", test_layers_with_mtp);
  TEST ("/drag/layers-locked", test_layers_locked);
  TEST ("/drag/edge-path", test_edge_path);
  TEST ("/drag/shard-edge", test_shard_edge);
  TEST ("/drag/shard-steps", test_shard_steps);
  TEST ("/drag/edge-refused", test_edge_refused);
  TEST ("/drag/edge-outermost-pp", test_edge_outermost_pp);
  TEST ("/drag/rank", test_rank);
  TEST ("/drag/group", test_group);
  TEST ("/drag/node", test_node);
  TEST ("/drag/axis", test_axis);
  TEST ("/drag/placement-cost", test_placement_cost);
  TEST ("/drag/from-manual-placement", test_from_manual_placement);
  TEST ("/drag/outside", test_outside);
  TEST ("/drag/cancel", test_cancel);
  TEST ("/drag/consequence", test_consequence);
  TEST ("/drag/warnings", test_warnings);
  TEST ("/drag/edge-at-rest", test_edge_at_rest);
  TEST ("/drag/steps-by-keys", test_steps_by_keys);
  TEST ("/drag/keys-pass-over-illegal-degrees", test_keys_pass_over_illegal_degrees);
  TEST ("/drag/limits", test_limits);
  TEST ("/drag/swap-limits", test_swap_limits);
  TEST ("/drag/axis-ends", test_axis_ends);
  TEST ("/drag/lesson-limits", test_lesson_limits);
  TEST ("/drag/reset-warnings", test_reset_warnings);
  TEST ("/drag/random", test_random);
  return g_test_run ();
}
