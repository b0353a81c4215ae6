/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed forms and steady states of schedules, on the stages of random plans. */
#include "engine/workload.h"

#include "random-plan.h"

#define PLANS 4000
#define MAX_POSITIONS 1024

/* Returns the positions of PLAN as in the engine, with messages of HOP seconds. */
static void
set_positions (const PlgPlan *plan, const PlgPipeline *pipeline, double hop, PlgPosition *positions)
{
  PlgLayerRun runs[MAX_POSITIONS];
  PlgWorkload workload;

  g_assert_cmpint (plg_layer_runs (plan, NULL), <=, MAX_POSITIONS);
  plg_layer_runs (plan, runs);
  plg_workload_init (&workload, plan, 0, NULL);
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    {
      PlgPieceCounts content = plg_position_piece_counts (plan, runs, pipeline, i);

      positions[i].forward = plg_workload_time (&workload, &content, PLG_PHASE_FORWARD);
      positions[i].input = plg_workload_time (&workload, &content, PLG_PHASE_INPUT);
      positions[i].weight = plg_workload_time (&workload, &content, PLG_PHASE_WEIGHT);
      positions[i].hop = plg_pipeline_is_last (pipeline, i) ? 0.0 : hop;
    }
}

/* The length without blocks equals the timeline on realistic stages. */
static void
test_equals_timeline (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (15);
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (PlgBlock));
  g_autofree PlgPosition *positions = g_new (PlgPosition, MAX_POSITIONS);
  int pipelines = 0;

  for (int i = 0; i < PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      PlgStageSpan shorter[MAX_POSITIONS], drawn[MAX_POSITIONS];
      PlgPipelineResult totals, timeline;
      PlgPipeline pipeline;

      plg_pipeline_init (&pipeline, plan);
      pipeline.positions = positions;
      g_assert_cmpint (plg_pipeline_positions (&pipeline), <=, MAX_POSITIONS);
      set_positions (plan, &pipeline, g_rand_double_range (random, -1e-3, 3e-3), positions);
      for (int j = 0; j < plg_pipeline_positions (&pipeline); j++)
        positions[j].hop = MAX (positions[j].hop, 0.0);
      g_assert_true (plg_pipeline_simulate (&pipeline, blocks, drawn, &timeline));
      plg_pipeline_length (&pipeline, blocks, shorter, &totals);
      assert_near (totals.length, timeline.length, 1e-9);
      g_assert_cmpfloat_with_epsilon (totals.idle_share, timeline.idle_share, 1e-9);
      for (int stage = 0; stage < pipeline.stages; stage++)
        {
          g_assert_cmpfloat_with_epsilon (shorter[stage].start, drawn[stage].start,
                                          1e-9 * timeline.length);
          assert_near (shorter[stage].finish, drawn[stage].finish, 1e-9);
          assert_near (shorter[stage].busy, drawn[stage].busy, 1e-9);
        }
      pipelines += pipeline.stages > 1;
    }
  g_assert_cmpint (pipelines, >, PLANS / 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/schedule-length/equals-timeline", test_equals_timeline);
  return g_test_run ();
}
