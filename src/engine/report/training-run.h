/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The parts of the elapsed time of a training run. Their shares add up to 1. */
typedef enum
{
  PLG_RUN_PROGRESS,   /* steps that count */
  PLG_RUN_CHECKPOINT, /* writing checkpoints, during which training stops */
  PLG_RUN_LOST,       /* steps and checkpoints that a failure made worthless */
  PLG_RUN_RESTART,    /* from a failure until training continues */
  PLG_RUN_WAIT,       /* waiting for a node, with more nodes in repair than there are spares */
} PlgRunPart;
#define PLG_N_RUN_PARTS 5

/* With a smaller goodput, the run is said to make no progress, and its totals are NaN. */
#define PLG_LEAST_GOODPUT 1e-3

/* A whole training run on training.tokens tokens: its failures, cost and energy. Amounts per token
 * are known even if there is no token budget. NaN stands for an unknown or hidden value. */
typedef struct
{
  double checkpoint_bytes;
  double checkpoint_time; /* [s] */
  double mtbf;            /* mean time between failures of all GPUs together [s] */
  double interval_young;  /* time between checkpoints by Young's formula [s] */
  double interval;        /* time between checkpoints by Daly's formula, at least one step [s] */
  double share[PLG_N_RUN_PARTS];
  double interruptions;    /* expected number of failures during the run */
  double days;             /* elapsed days with failures */
  double gpu_hours;        /* GPU-hours that are paid for, those of spares included */
  double cost;             /* [USD] */
  double cost_per_token;   /* [USD] */
  double busy_share;       /* share of a step in which a GPU computes */
  double power;            /* mean power of the run, data centre included [W] */
  double energy;           /* [J] */
  double energy_per_token; /* [J] */
  double carbon;           /* emissions [kg CO2e] */
  double carbon_per_token; /* [kg CO2e] */
} PlgTrainingRun;

/* plg_training_run_init:
 * @run: (out): the training run
 * @plan: the plan
 * @parameters: number of parameters of the model
 * @step_time: time of one step [s]
 * @tokens_per_second: tokens that all GPUs process per second of training
 * @busy_share: share of a step in which a GPU computes, in [0, 1]
 *
 * Computes @run with these assumptions:
 * - A checkpoint contains weights and optimizer state once. All hosts write it together, and
 *   training stops while they write.
 * - Failures are independent and equally likely at any time, also during checkpoints and restarts.
 *   A failure makes the work since the last checkpoint worthless.
 * - Checkpoints are written as often as Daly's formula demands, but at most once per step.
 * - Failed nodes are repaired at the same time. The run stops while more nodes are in repair than
 *   there are spares, which Erlang's loss formula gives.
 * - A GPU draws the busy power while it computes, and otherwise the idle power. Servers draw the
 *   same power all the time. Spares are idle.
 *
 * Sources: Young 1974, Communications of the ACM 17(9), page 530; Daly 2006, Future Generation
 * Computer Systems 22(3), pages 303–312, equations 20 and 37. */
void plg_training_run_init (PlgTrainingRun *run,
                            const PlgPlan *plan,
                            double parameters,
                            double step_time,
                            double tokens_per_second,
                            double busy_share);

/* Replaces all values with NaN. */
void plg_training_run_hide (PlgTrainingRun *run);

/* Returns FALSE if the goodput is below PLG_LEAST_GOODPUT or hidden. */
gboolean plg_training_run_makes_progress (const PlgTrainingRun *run);

/* Returns a translated sentence that says why RUN makes no progress and what would help; free with
 * g_free(). Returns NULL for a run that makes progress or is hidden. */
char *plg_training_run_problem (const PlgPlan *plan, const PlgTrainingRun *run);

/* One line of a report about the run. */
typedef struct
{
  const char *title; /* "Cost", translated; static */
  char *value;       /* "52.5 M USD, 3.5 USD per million tokens", translated; owned */
} PlgRunFact;

/* plg_training_run_facts:
 *
 * Describes @run for people. An unknown amount names the setting that is missing.
 *
 * Returns: (transfer full) (element-type PlgRunFact): the facts, from top to bottom */
GArray *plg_training_run_facts (const PlgPlan *plan,
                                const PlgTrainingRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the untranslated name for use in files, for example "checkpoint". */
const char *plg_run_part_name (PlgRunPart part);
const char *plg_run_part_title (PlgRunPart part); /* Returns "Checkpoints", translated. */

/* Returns the size of the weights and the optimizer state in a checkpoint [bytes per parameter]. */
double plg_checkpoint_bytes_per_parameter (const PlgPlan *plan);

G_END_DECLS
