/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/evaluate.h"

#include "engine/evaluation.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/model/textbook.h"

#include <string.h>

#define SECONDS_PER_DAY 86400.0

/* Up to this number of virtual stages, the evaluation allocates no memory besides the report. */
#define FEW_POSITIONS 256

typedef struct
{
  PlgLayerRun runs[FEW_POSITIONS];
  PlgStageParts parts[FEW_POSITIONS];
  PlgPieceCounts piece_counts[FEW_POSITIONS];
  PlgPosition positions[FEW_POSITIONS];
  PlgStageSpan spans[FEW_POSITIONS];
  PlgGradientSync syncs[FEW_POSITIONS];
} StackArrays;

/* Returns how long the TP group of STAGE gathers a message that was cut by TP [s]. */
static double
message_gather_time (PlgEvaluation *evaluation, int stage)
{
  const PlgPlan *plan = evaluation->plan;
  PlgGroupExtent tp;

  if (plan->parallelism.degree[PLG_AXIS_TP] < 2 || plan->parallelism.sequence)
    return 0.0;
  tp = plg_evaluation_extent (evaluation, plg_workload_faults (plan, stage), PLG_GROUP_TP);
  return plg_message_gather_time (plan, &evaluation->workload->fabric, &tp);
}

static void
set_positions (PlgEvaluation *evaluation)
{
  const PlgPlan *plan = evaluation->plan;
  int stages = evaluation->pipeline.stages;
  double slow_before = 0.0;
  guint32 faults_before = 0;

  plg_layer_runs (plan, evaluation->runs);
  for (int i = 0; i < stages; i++)
    evaluation->parts[i] = plg_stage_parts_of_runs (plan, evaluation->runs, i);
  for (int i = 0; i < plg_pipeline_positions (&evaluation->pipeline); i++)
    {
      PlgPieceCounts *content = &evaluation->piece_counts[i];
      PlgPosition *position = &evaluation->positions[i];
      int stage = plg_pipeline_stage (&evaluation->pipeline, i), to, sets;
      double slow = plg_slowest_gpu_factor (plan, stage);
      guint32 faults = plg_evaluation_select_workload (evaluation, stage);
      PlgGroupExtent hop;

      *content = plg_position_piece_counts (plan, evaluation->runs, &evaluation->pipeline, i);
      if (i > 0 && faults == faults_before && slow == slow_before &&
          memcmp (content, &content[-1], sizeof *content) == 0)
        *position = position[-1];
      else
        {
          position->forward = plg_workload_slowed_time (evaluation->workload, content,
                                                        PLG_PHASE_FORWARD, slow);
          position->input = plg_workload_slowed_time (evaluation->workload, content,
                                                      PLG_PHASE_INPUT, slow);
          position->weight = plg_workload_slowed_time (evaluation->workload, content,
                                                       PLG_PHASE_WEIGHT, slow);
        }
      faults_before = faults;
      slow_before = slow;
      position->hop = 0.0;
      if (plg_pipeline_is_last (&evaluation->pipeline, i))
        continue;
      to = plg_pipeline_stage (&evaluation->pipeline, i + 1);
      if (to == stage)
        continue;
      sets = plg_message_sets (plan, i);
      /* Later chunks send over the same links as the first chunk. */
      if (i >= stages && sets == 1 &&
          plg_pipeline_stage (&evaluation->pipeline, i - stages) == stage &&
          plg_pipeline_stage (&evaluation->pipeline, i - stages + 1) == to)
        {
          position->hop = position[-stages].hop;
          continue;
        }
      hop = plg_evaluation_hop (evaluation, stage, to);
      position->hop = plg_collective_time (&evaluation->workload->fabric, &hop,
                                           PLG_COLLECTIVE_SEND_RECV,
                                           sets * plg_message_bytes (plan));
      if (position->hop / sets > evaluation->hop_time)
        {
          evaluation->hop_time = position->hop / sets;
          evaluation->hop = hop;
        }
      position->hop += sets * message_gather_time (evaluation, to);
    }
}

static void
find_busiest (PlgEvaluation *evaluation)
{
  double most = -1.0;

  evaluation->busiest = 0;
  for (int i = 0; i < evaluation->pipeline.stages; i++)
    {
      const PlgPipeline *pipeline = &evaluation->pipeline;
      double work = 0.0;

      for (int chunk = 0; chunk < pipeline->chunks; chunk++)
        {
          const PlgPosition
              *position = &pipeline->positions[plg_pipeline_position (pipeline, i, chunk)];

          work += position->forward + position->input + position->weight;
        }

      if (work > most)
        {
          most = work;
          evaluation->busiest = i;
        }
    }
  plg_evaluation_select_workload (evaluation, evaluation->busiest);
}

/* Sets the time of STEP, the parts of this time and the rates derived from it. Computation and
 * exposed communication are those of the busiest stage, so that no time is counted twice. The
 * other parts are the idle time of this stage (the bubble), the delay caused by messages between
 * stages, the exposed time before the first and after the last block, and the longest weight
 * update of any stage. */
static void
set_step (const PlgEvaluation *evaluation, PlgStep *step)
{
  static const PlgPart of_stage[] = { PLG_PART_COMPUTE, PLG_PART_RECOMPUTE, PLG_PART_HOST,
                                      PLG_PART_TP,      PLG_PART_CP,        PLG_PART_EP,
                                      PLG_PART_DP };
  const PlgPlan *plan = evaluation->plan;
  const PlgPipeline *pipeline = &evaluation->pipeline;
  gboolean splits = plg_pipeline_splits_backward (pipeline);
  PlgPieceCounts content = plg_evaluation_stage_pieces (evaluation, evaluation->busiest);
  double slow = plg_slowest_gpu_factor (plan, evaluation->busiest), busy = 0.0, backward = 0.0;
  double tokens = (double) plan->training.global_batch * plan->training.sequence;
  double world = plg_plan_world (plan);

  for (guint i = 0; i < G_N_ELEMENTS (of_stage); i++)
    {
      double time = plg_workload_part (evaluation->workload, &content, of_stage[i]);

      if (of_stage[i] == PLG_PART_COMPUTE || of_stage[i] == PLG_PART_RECOMPUTE)
        time *= slow;
      step->part[of_stage[i]] = time;
      busy += time;
    }
  /* Leave the idle share of a single stage at 0. Any difference between the length of the
   * schedule and the busy time of the stage would be a rounding error. */
  if (pipeline->stages > 1)
    step->part[PLG_PART_BUBBLE] = MAX (evaluation->result.length_compute_only - busy, 0.0);
  else
    step->part[PLG_PART_BUBBLE] = 0.0;
  /* The cost of the messages is the difference between the lengths of the schedules with and
   * without messages. */
  step->part[PLG_PART_PP] = MAX (evaluation->result.length - evaluation->result.length_compute_only,
                                 0.0) +
                            evaluation->tied_time;
  step->part[PLG_PART_DP] += evaluation->reduce_exposed + evaluation->gather_exposed +
                             plg_gradient_sync_muon_time (evaluation, evaluation->muon_stage,
                                                          PLG_AXIS_DP);
  step->part[PLG_PART_TP] += plg_gradient_sync_muon_time (evaluation, evaluation->muon_stage,
                                                          PLG_AXIS_TP);
  step->update = evaluation->syncs[0].update;
  for (int i = 1; i < pipeline->stages; i++)
    if (evaluation->syncs[i].update.time > step->update.time)
      step->update = evaluation->syncs[i].update;
  step->part[PLG_PART_OPTIMIZER] = step->update.time;

  step->busiest_stage = evaluation->busiest;
  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      const PlgPosition *
          position = &pipeline
                          ->positions[plg_pipeline_position (pipeline, evaluation->busiest, chunk)];

      backward += position->input + (splits ? 0.0 : position->weight);
    }
  step->backward = plg_pipeline_passes (pipeline) * backward;
  step->slowest_gpu_factor = slow;
  step->time = 0.0;
  for (int i = 0; i < PLG_N_PARTS; i++)
    step->time += step->part[i];
  step->peak = plg_cluster_peak (&plan->cluster, plan->training.precision);
  step->model_flops = plg_model_flops (plan);
  step->hardware_flops = plg_hardware_flops (plan);
  step->ideal_time = step->model_flops / (world * step->peak);
  step->mfu = step->ideal_time / step->time;
  step->hfu = step->hardware_flops / (world * step->peak) / step->time;
  step->flops_per_second_per_gpu = step->model_flops / world / step->time;
  step->tokens_per_second = tokens / step->time;
  step->tokens_per_second_per_gpu = step->tokens_per_second / world;
  step->days = plan->training.tokens / step->tokens_per_second / SECONDS_PER_DAY;
  step->gpu_hours = step->days * 24.0 * world;
}

/* Sets the simulated bubble share and the closed forms of the bubble for p equal stages, m
 * micro-batches and v chunks (Narayanan 2021, sec. 2.2). The notebook profile has its own closed
 * form. */
static void
set_bubble (const PlgEvaluation *evaluation, PlgBubble *bubble)
{
  const PlgPipeline *pipeline = &evaluation->pipeline;
  double p = pipeline->stages, m = pipeline->micro_batches;
  double v = pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->chunks : 1.0;

  bubble->share_of_step = (p - 1.0) / (v * m + p - 1.0);
  bubble->over_ideal = (p - 1.0) / (v * m);
  bubble->notebook = (p - 1.0) / (p * m);
  bubble->simulated = evaluation->result.idle_share;
}

static void
set_memory (const PlgEvaluation *evaluation, PlgReport *report)
{
  const PlgPlan *plan = evaluation->plan;
  PlgStageMemory *stages;

  g_array_set_size (report->stages, plan->parallelism.degree[PLG_AXIS_PP]);
  stages = (PlgStageMemory *) (void *) report->stages->data;
  plg_memory_ledger_of_parts (plan, evaluation->parts, stages);
  report->memory_capacity = plan->cluster.memory;
  report->memory_peak = -1.0;
  for (guint i = 0; i < report->stages->len; i++)
    if (stages[i].total > report->memory_peak)
      {
        report->memory_peak = stages[i].total;
        report->memory_peak_stage = i;
      }
  report->fits = report->memory_peak <= report->memory_capacity;
}

/* Evaluates PLAN. Uses the workload that EVALUATION already contains, if any. Returns FALSE, with
 * REPORT unchanged, if a lower bound shows that the step takes longer than TIME_LIMIT [s]. */
static gboolean
evaluate (PlgEvaluation *evaluation,
          PlgReport *report,
          const PlgPlan *plan,
          PlgEvaluateFlags flags,
          double time_limit)
{
  StackArrays few;
  g_autofree char *memory = NULL;
  PlgPipelineResult drawn;
  gsize n;

  evaluation->plan = plan;
  evaluation->hop = (PlgGroupExtent) { 0 };
  evaluation->hop_time = 0.0;
  plg_pipeline_init (&evaluation->pipeline, plan);

  /* Use the arrays on the stack if they are large enough, because this saves an allocation. */
  n = MAX (plg_pipeline_positions (&evaluation->pipeline), plg_layer_runs (plan, NULL));
  if (n <= FEW_POSITIONS)
    {
      evaluation->runs = few.runs;
      evaluation->parts = few.parts;
      evaluation->piece_counts = few.piece_counts;
      evaluation->positions = few.positions;
      evaluation->spans = few.spans;
      evaluation->syncs = few.syncs;
    }
  else
    {
      memory = g_malloc (n * (sizeof (PlgPieceCounts) + sizeof (PlgPosition) +
                              sizeof (PlgStageSpan) + sizeof (PlgGradientSync) +
                              sizeof (PlgLayerRun) + sizeof (PlgStageParts)));
      evaluation->piece_counts = (void *) memory;
      evaluation->positions = (void *) (evaluation->piece_counts + n);
      evaluation->spans = (void *) (evaluation->positions + n);
      evaluation->syncs = (void *) (evaluation->spans + n);
      evaluation->runs = (void *) (evaluation->syncs + n);
      evaluation->parts = (void *) (evaluation->runs + n);
    }
  evaluation->pipeline.positions = evaluation->positions;
  set_positions (evaluation);
  if (time_limit < G_MAXDOUBLE)
    {
      double shortest = plg_pipeline_shortest (&evaluation->pipeline);

      if (shortest > time_limit || shortest + plg_gradient_sync_shortest (evaluation) > time_limit)
        return FALSE;
    }
  find_busiest (evaluation);

  if (evaluation->lengths != NULL)
    plg_length_cache_get (evaluation->lengths, evaluation->length_key, &evaluation->pipeline,
                          report->blocks, evaluation->spans, &evaluation->result);
  else
    plg_pipeline_length (&evaluation->pipeline, report->blocks, evaluation->spans,
                         &evaluation->result);
  if ((flags & PLG_EVALUATE_TIMELINE) != 0)
    plg_pipeline_simulate (&evaluation->pipeline, report->blocks, NULL, &drawn);

  plg_gradient_sync_init (evaluation);
  report->profile = plan->profile;
  report->world_size = plg_plan_world (plan);
  report->nodes = plan->cluster.nodes;
  report->micro_batches = plg_plan_micro_batches (plan);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    {
      report->degree[axis] = plan->parallelism.degree[axis];
      report->groups[axis] = plg_axis_groups (&plan->parallelism, axis);
    }
  report->embedding_copy_stage = plg_parallelism_copy_stage (&plan->parallelism);
  report->parameters_total = plg_parameters_total (&plan->model);
  report->parameters_active = plg_parameters_active (&plan->model);
  set_step (evaluation, &report->step);
  set_bubble (evaluation, &report->bubble);
  set_memory (evaluation, report);
  plg_evaluation_report_collectives (evaluation, (flags & PLG_EVALUATE_LINKS) != 0, report);
  report->parts = flags;
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    report->hops[axis] = (flags & PLG_EVALUATE_LINKS) != 0 && axis != PLG_AXIS_EP
                             ? plg_hops_count (plan, axis)
                             : (PlgHops) { 0 };
  return TRUE;
}

static void
set_run (const PlgPlan *plan, PlgReport *report)
{
  const PlgStep *step = &report->step;
  double busy = step->part[PLG_PART_COMPUTE] + step->part[PLG_PART_RECOMPUTE] +
                step->part[PLG_PART_OPTIMIZER];

  plg_training_run_init (&report->run, plan, report->parameters_total, step->time,
                         step->tokens_per_second, step->time > 0.0 ? busy / step->time : 0.0);
}

gboolean
plg_evaluate_into (PlgReport *report, const PlgPlan *plan, PlgEvaluateFlags flags, GError **error)
{
  PlgEvaluation evaluation;

  if (!plg_plan_check (plan, error))
    return FALSE;
  g_array_set_size (report->findings, 0);
  report->has_advice = FALSE;
  /* Do not clear the whole struct, because its workloads are large. */
  plg_evaluation_begin (&evaluation);
  evaluate (&evaluation, report, plan, flags, G_MAXDOUBLE);
  if (plan->profile != PLG_PROFILE_STANDARD)
    plg_textbook_apply (plan, report);
  set_run (plan, report);
  return TRUE;
}

void
plg_evaluation_begin (PlgEvaluation *evaluation)
{
  evaluation->n_kinds = 0;
  evaluation->workload = NULL;
  evaluation->lengths = NULL;
  memset (evaluation->has_hop, FALSE, sizeof evaluation->has_hop);
}

void
plg_evaluation_begin_workload (PlgEvaluation *evaluation)
{
  for (int i = 0; i < evaluation->n_kinds; i++)
    evaluation->kinds[i].has_workload = FALSE;
}

/* The busiest stage takes at least the average of all stages. With faults, a piece of the model
 * takes at least its time on the kind of stages that runs it fastest. */
double
plg_evaluation_shortest (PlgEvaluation *evaluation, const PlgPlan *plan)
{
  PlgPieceCounts model = plg_model_piece_counts (plan);
  double least[PLG_N_PIECES], work = 0.0;
  int stages = plan->parallelism.degree[PLG_AXIS_PP];

  evaluation->plan = plan;
  for (int i = 0; i < PLG_N_PIECES; i++)
    least[i] = G_MAXDOUBLE;
  for (int stage = 0; stage < (plan->cluster.n_faults > 0 ? stages : 1); stage++)
    {
      plg_evaluation_select_workload (evaluation, stage);
      for (int i = 0; i < PLG_N_PIECES; i++)
        {
          PlgPieceCounts one = { 0 };
          double time = 0.0;

          one.count[i] = model.count[i];
          for (PlgPhase phase = 0; phase < PLG_N_PHASES; phase++)
            time += plg_workload_time (evaluation->workload, &one, phase);
          least[i] = MIN (least[i], time);
        }
    }
  for (int i = 0; i < PLG_N_PIECES; i++)
    work += least[i];
  return work * plg_plan_micro_batches (plan) / stages * (1.0 - 1e-9);
}

gboolean
plg_evaluation_finish (PlgEvaluation *evaluation,
                       PlgReport *report,
                       const PlgPlan *plan,
                       double time_limit)
{
  gboolean is_standard = plan->profile == PLG_PROFILE_STANDARD;

  if (!evaluate (evaluation, report, plan, PLG_EVALUATE_TOTALS,
                 is_standard ? time_limit : G_MAXDOUBLE))
    return FALSE;
  g_array_set_size (report->findings, 0);
  report->has_advice = FALSE;
  if (!is_standard)
    plg_textbook_apply (plan, report);
  set_run (plan, report);
  return TRUE;
}

PlgReport *
plg_evaluate (const PlgPlan *plan, PlgEvaluateFlags flags, GError **error)
{
  g_autoptr (PlgReport) report = plg_report_new ();

  if (!plg_evaluate_into (report, plan, flags, error))
    return NULL;
  plg_report_shrink (report);
  return g_steal_pointer (&report);
}
