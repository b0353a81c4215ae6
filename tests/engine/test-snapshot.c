/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step second by second: the sum of all snapshots equals the values of the report. */
#include "engine/schedule/snapshot.h"

#include "engine/network/fabric.h"
#include "random-plan.h"

#define PLANS 60
#define MANY_BLOCKS 3000

static const PlgBlock *
block_at (const PlgReport *report, guint i)
{
  return &g_array_index (report->blocks, PlgBlock, i);
}

/* Seconds of each activity of each stage. Between two events a stage has one activity, except
 * for recompute, which ends inside a block, and for gradient reduction during a wait. */
typedef struct
{
  double time[PLG_N_ACTIVITIES];
} Sums;

static Sums *
add_up (const PlgPlan *plan, const PlgReport *report, int *n_stages)
{
  double end = plg_snapshot_end (report);
  Sums *sums = g_new0 (Sums, report->degree[PLG_AXIS_PP]);

  *n_stages = report->degree[PLG_AXIS_PP];
  for (double from = 0, to; from < end; from = to)
    {
      g_autoptr (PlgSnapshot) snapshot = NULL;

      to = plg_snapshot_next (plan, report, from);
      g_assert_cmpfloat (to, >, from);
      snapshot = plg_snapshot_new (plan, report, (from + to) / 2);
      for (int i = 0; i < snapshot->n_stages; i++)
        sums[i].time[snapshot->stages[i].activity] += to - from;
    }
  return sums;
}

static double
blocks_of (const PlgReport *report, int stage, guint kinds)
{
  double sum = 0.0;

  for (guint i = 0; i < report->blocks->len; i++)
    if (block_at (report, i)->stage == stage && (kinds & (1u << block_at (report, i)->kind)) != 0)
      sum += block_at (report, i)->end - block_at (report, i)->start;
  return sum;
}

#define BACKWARD (1u << PLG_BLOCK_BACKWARD | 1u << PLG_BLOCK_BACKWARD_INPUT)

static void
check_sums (const PlgPlan *plan, const PlgReport *report)
{
  double end = plg_snapshot_end (report), slack = end * 1e-6;
  int n;
  g_autofree Sums *sums = add_up (plan, report, &n);

  for (int i = 0; i < n; i++)
    {
      const double *time = sums[i].time;
      double all = 0.0;

      for (int j = 0; j < PLG_N_ACTIVITIES; j++)
        all += time[j];
      g_assert_cmpfloat_with_epsilon (all, end, slack);
      g_assert_cmpfloat_with_epsilon (time[PLG_ACTIVITY_FORWARD],
                                      blocks_of (report, i, 1u << PLG_BLOCK_FORWARD), slack);
      g_assert_cmpfloat_with_epsilon (time[PLG_ACTIVITY_WEIGHT],
                                      blocks_of (report, i, 1u << PLG_BLOCK_BACKWARD_WEIGHT),
                                      slack);
      g_assert_cmpfloat_with_epsilon (time[PLG_ACTIVITY_BACKWARD] + time[PLG_ACTIVITY_RECOMPUTE],
                                      blocks_of (report, i, BACKWARD), slack);
      /* Some stages of zb-v also show the update of the previous step. */
      if (plan->training.schedule != PLG_SCHEDULE_ZB_V)
        g_assert_cmpfloat_with_epsilon (time[PLG_ACTIVITY_OPTIMIZER],
                                        report->step.part[PLG_PART_OPTIMIZER], slack);
    }
}

static PlgActivity
rest_at (const GArray *rests, int stage, double time)
{
  for (guint i = 0; i < rests->len; i++)
    {
      const PlgStageInterval *rest = &g_array_index (rests, PlgStageInterval, i);

      if (rest->stage == stage && time >= rest->start && time < rest->end)
        return rest->activity;
    }
  return PLG_ACTIVITY_IDLE;
}

/* The intervals outside of blocks equal the snapshots at their times. */
static void
check_rests (const PlgPlan *plan, const PlgReport *report)
{
  const int n = 500;
  g_autoptr (GArray) rests = plg_snapshot_stage_intervals (plan, report);

  for (int i = 0; i < n; i++)
    {
      double time = plg_snapshot_end (report) * (i + 0.5) / n;
      g_autoptr (PlgSnapshot) snapshot = plg_snapshot_new (plan, report, time);

      for (int stage = 0; stage < snapshot->n_stages; stage++)
        g_assert_cmpint (snapshot->stages[stage].block < 0 ? snapshot->stages[stage].activity
                                                           : PLG_ACTIVITY_IDLE,
                         ==, rest_at (rests, stage, time));
    }
}

static void
test_adds_up (void)
{
  static const char *const edits[] = { "",
                                       "training.recompute=full",
                                       "training.schedule=gpipe",
                                       "training.schedule=interleaved parallelism.chunks=2",
                                       "training.schedule=zb-h1",
                                       "training.schedule=zb-v",
                                       "training.schedule=dualpipe",
                                       "parallelism.overlap-pp=true",
                                       "parallelism.zero=3",
                                       "parallelism.pp=1 parallelism.dp=8",
                                       "engine.profile=handbook" };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      PlgReport *report;

      change (plan, edits[i]);
      report = report_of (plan);
      g_test_message ("%s", edits[i]);
      check_sums (plan, report);
      check_rests (plan, report);
      plg_report_unref (report);
    }
}

static void
test_adds_up_by_chance (void)
{
  GRand *random = g_rand_new_with_seed (20261121);

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      PlgReport *report = report_of (plan);

      if (report->blocks->len <= MANY_BLOCKS)
        check_sums (plan, report);
      check_rests (plan, report);
      plg_report_unref (report);
    }
  g_rand_free (random);
}

/* At any time, exactly one block of a stage covers the time. */
static void
test_one_block (void)
{
  static const char *const schedules[] = { "1f1b", "zb-v", "dualpipe" };

  for (guint i = 0; i < G_N_ELEMENTS (schedules); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) report = NULL;
      g_autofree char *edit = g_strdup_printf ("training.schedule=%s", schedules[i]);

      change (plan, edit);
      report = report_of (plan);
      for (int j = 0; j < 500; j++)
        {
          double time = plg_snapshot_end (report) * (j + 0.5) / 500;
          g_autoptr (PlgSnapshot) snapshot = plg_snapshot_new (plan, report, time);

          for (guint k = 0; k < report->blocks->len; k++)
            if (block_at (report, k)->start <= time && block_at (report, k)->end > time)
              g_assert_cmpint (snapshot->stages[block_at (report, k)->stage].block, ==, (int) k);
        }
    }
}

/* All blocks of a stage together recompute for as long as the report's part. */
static void
test_recompute (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  double again[4] = { 0 }, longest = 0.0, end;
  int n = 40000;

  change (plan, "training.recompute=full");
  report = report_of (plan);
  end = plg_snapshot_end (report);
  for (int i = 0; i < n; i++)
    {
      g_autoptr (PlgSnapshot) snapshot = plg_snapshot_new (plan, report, end * (i + 0.5) / n);

      for (int stage = 0; stage < 4; stage++)
        if (snapshot->stages[stage].activity == PLG_ACTIVITY_RECOMPUTE)
          again[stage] += end / n;
    }
  for (int stage = 0; stage < 4; stage++)
    longest = MAX (longest, again[stage]);
  /* The comparison samples 40,000 times, so it is not exact. */
  assert_near (longest, report->step.part[PLG_PART_RECOMPUTE], 0.01);
}

static guint
row_of (const PlgReport *report, PlgAxis axis)
{
  guint rows = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    if (g_array_index (report->collectives, PlgCollective, i).axis == axis)
      rows |= 1u << i;
  return rows;
}

static void
test_collectives (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  const PlgBlock *first = block_at (report, 0);
  double end = plg_snapshot_end (report);
  g_autoptr (PlgSnapshot) start = plg_snapshot_new (plan, report, first->end * 0.5);
  g_autoptr (PlgSnapshot) last = plg_snapshot_new (plan, report, end * (1 - 1e-6));

  /* At first only the first stage works, and only its TP links are in use. */
  g_assert_cmpint (start->stages[0].activity, ==, PLG_ACTIVITY_FORWARD);
  g_assert_cmpint (start->stages[1].activity, ==, PLG_ACTIVITY_IDLE);
  g_assert_cmpuint (start->stages[0].running & row_of (report, PLG_AXIS_TP), !=, 0);
  g_assert_cmpuint (start->stages[1].running & row_of (report, PLG_AXIS_TP), ==, 0);
  /* At the very end there are no blocks, and all stages have the same activity. */
  for (int i = 0; i < last->n_stages; i++)
    {
      g_assert_cmpint (last->stages[i].block, ==, -1);
      g_assert_cmpuint (last->stages[i].running & row_of (report, PLG_AXIS_TP), ==, 0);
      g_assert_cmpint (last->stages[i].activity, !=, PLG_ACTIVITY_IDLE);
    }
}

/* Around the end of the first block, a message goes from the first stage to the second. */
static void
check_message (const char *edits, double side)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgSnapshot) snapshot = NULL;
  guint rows;

  change (plan, edits);
  report = report_of (plan);
  rows = row_of (report, PLG_AXIS_PP);
  snapshot = plg_snapshot_new (plan, report, block_at (report, 0)->end + side * 1e-6);
  g_assert_cmpuint (snapshot->stages[0].running & rows, !=, 0);
  g_assert_cmpuint (snapshot->stages[1].running & rows, !=, 0);
  g_assert_cmpuint (snapshot->stages[2].running & rows, ==, 0);
}

static void
test_messages (void)
{
  check_message ("parallelism.overlap-pp=false", -1);
  check_message ("parallelism.overlap-pp=true", 1);
}

/* A link is busy while a collective that crosses it runs: at first only links inside stage 0's
 * nodes. */
static void
test_links (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (PlgSnapshot)
                 snapshot = plg_snapshot_new (plan, report, block_at (report, 0)->end * 0.5);
  g_autofree guint8 *running = g_new0 (guint8, report->links->len);
  int inside = 0;

  plg_snapshot_links (snapshot, plan, report, running);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      int stage;

      if (link->tier != PLG_TIER_NVLINK)
        continue;
      stage = plg_rank_coordinate (&plan->parallelism, link->node * 8).index[PLG_AXIS_PP];
      g_assert_cmpint (running[i], ==, stage == 0);
      inside += running[i];
    }
  g_assert_cmpint (inside, ==, 2 * 8);
}

static void
test_steps (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  double end = plg_snapshot_end (report), first = plg_snapshot_next (plan, report, 0);
  double second = plg_snapshot_next (plan, report, first);

  g_assert_cmpfloat (end, ==, report->step.time);
  assert_near (first, block_at (report, 0)->end, 1e-9);
  g_assert_cmpfloat (second, >, first);
  assert_near (plg_snapshot_previous (plan, report, second), first, 1e-9);
  g_assert_cmpfloat (plg_snapshot_previous (plan, report, first), ==, 0);
  g_assert_cmpfloat (plg_snapshot_next (plan, report, end), ==, end);
  g_assert_cmpfloat (plg_snapshot_previous (plan, report, 0), ==, 0);
}

static void
test_no_blocks (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);

  g_assert_cmpfloat (plg_snapshot_end (report), ==, 0);
  g_assert_null (plg_snapshot_new (plan, report, 1));
  g_assert_cmpfloat (plg_snapshot_next (plan, report, 1), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/snapshot/adds-up", test_adds_up);
  g_test_add_func ("/snapshot/adds-up-random", test_adds_up_by_chance);
  g_test_add_func ("/snapshot/one-block", test_one_block);
  g_test_add_func ("/snapshot/recompute", test_recompute);
  g_test_add_func ("/snapshot/collectives", test_collectives);
  g_test_add_func ("/snapshot/messages", test_messages);
  g_test_add_func ("/snapshot/links", test_links);
  g_test_add_func ("/snapshot/steps", test_steps);
  g_test_add_func ("/snapshot/no-blocks", test_no_blocks);
  return g_test_run ();
}
