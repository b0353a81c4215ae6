/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "leave-out.h"

#include "engine/evaluate.h"
#include "engine/evaluation.h"
#include "engine/model/engine-constant.h"

#include <math.h>
#include <string.h>

#define MOST_CONSTANTS 2

/* A quantity that people fitted to published.csv. It stands for constants of the engine, which all
 * have its value, or for the matrix efficiency of GPUs in the catalogue, of which it is a factor.
 *
 * START is the value that one would assume without the published runs: a measurement of the part
 * alone, or no loss at all. A fit begins there, so a quantity about which no other group says
 * anything keeps this value instead of the one that the left-out group has fitted. */
typedef struct
{
  const char *name;
  double start;
  double least, most; /* plausible values */
  int n;
  PlgEngineConstant constant[MOST_CONSTANTS];
  gboolean is_factor; /* TRUE if the value is multiplied by the values in the engine */
  const char *gpu;    /* beginning of the names of GPUs in the catalogue, or NULL */
  PlgPrecision precision;
  double built_in; /* the quantity in the catalogue */
} Quantity;

static const Quantity quantities[] = {
  /* 0.956 on the products that SimuMax measured, one by one. */
  { "training rate", 0.956, 0.8, 1.0, 1, { PLG_CONSTANT_TRAINING_RATE } },
  { "products of DeepSpeed", 1.0, 0.6, 1.0, 1, { PLG_CONSTANT_DEEPSPEED_PRODUCT } },
  { "products of plain programs", 1.0, 0.6, 1.0, 1, { PLG_CONSTANT_PLAIN_PRODUCT } },
  { "launch gap", 5e-6, 2e-6, 20e-6, 1, { PLG_CONSTANT_LAUNCH_GAP } },
  { "wait of experts", 0.0, 0.0, 1e-3, 1, { PLG_CONSTANT_EXPERT_WAIT } },
  { "launches of experts",
    0.0,
    0.0,
    2.0,
    2,
    { PLG_CONSTANT_EXPERT_HOST_FORWARD, PLG_CONSTANT_EXPERT_HOST_BACKWARD },
    .is_factor = TRUE },
  /* half as many launches as in a layer with experts */
  { "host of Megatron-DeepSpeed",
    0.8,
    0.0,
    2.0,
    2,
    { PLG_CONSTANT_LAYER_HOST_FORWARD, PLG_CONSTANT_LAYER_HOST_BACKWARD },
    .is_factor = TRUE },
  { "contention of TP", 1.0, 1.0, 1.6, 1, { PLG_CONSTANT_NVLINK_CONTENTION } },
  { "contention of ZeRO 3", 1.0, 1.0, 2.0, 1, { PLG_CONSTANT_NETWORK_CONTENTION } },
  { "overlap of experts", 1.0, 0.0, 1.0, 1, { PLG_CONSTANT_EP_OVERLAP } },
  /* The rate in short runs. The power limit lowers the clock in long ones. */
  { "H100 in 16 bits", 1.0, 0.7, 1.0, .gpu = "h100", .precision = PLG_PRECISION_BF16,
    .built_in = 0.86 },
  { "H100 in FP8", 1.0, 0.7, 1.0, .gpu = "h100", .precision = PLG_PRECISION_FP8, .built_in = 0.9 },
  /* cuBLAS of 2018 reached 83 of 125 TFLOP/s (arXiv 1803.04014). */
  { "V100 in 16 bits", 0.66, 0.5, 1.0, .gpu = "v100", .precision = PLG_PRECISION_FP16,
    .built_in = 0.9 },
};
#define N_QUANTITIES ((int) G_N_ELEMENTS (quantities))

/* The steps of a fit, as shares of the plausible range. */
static const double steps[] = { 0.25, 0.125, 0.0625, 0.03, 0.015 };
#define MOST_SWEEPS 4

/* A plan of a run. Its evaluation keeps the placement of the groups from one value to the next. */
typedef struct
{
  PlgPlan *plan;
  PlgEvaluation *evaluation;
  double efficiency[PLG_N_PRECISIONS]; /* the catalogue's matrix efficiency */
} Choice;

/* A run with a measured step time. */
typedef struct
{
  const PlgPublishedRun *run;
  int group;
  GArray *choices; /* element-type Choice: the plans that fit into memory, or all if none fits */
  gboolean depends[G_N_ELEMENTS (quantities)]; /* whether the error changes with each quantity */
  double error;
} Run;

typedef struct
{
  GArray *runs;      /* element-type Run */
  GPtrArray *groups; /* interned names: first those of published.csv, to which a fit is made */
  int n_fitted;      /* number of these groups */
  PlgReport *report;
  double values[PLG_N_ENGINE_CONSTANTS]; /* the engine's own values */
} Fit;

/* Adds the legal plans of RUN, or only those that fit into memory. No fit changes the memory. */
static void
add_choices (PlgReport *report, const PlgPublishedRuns *published, Run *run, gboolean must_fit)
{
  for (int i = 0; i < run->run->choices; i++)
    {
      PlgPlan *plan = plg_published_run_plan (published, run->run, i, NULL);
      Choice choice = { .plan = plan };

      if (plan == NULL || !plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL) ||
          (must_fit && !report->fits))
        {
          g_clear_pointer (&plan, plg_plan_free);
          continue;
        }
      choice.evaluation = g_new0 (PlgEvaluation, 1);
      plg_evaluation_begin (choice.evaluation);
      memcpy (choice.efficiency, plan->cluster.gpu.matrix_efficiency, sizeof choice.efficiency);
      g_array_append_val (run->choices, choice);
    }
}

static void
clear_choice (void *data)
{
  Choice *choice = data;

  plg_plan_free (choice->plan);
  g_free (choice->evaluation);
}

static void
fit_init (Fit *self, const PlgPublishedRuns *published)
{
  guint n;
  const PlgPublishedRun *all = plg_published_runs_all (published, &n);

  *self = (Fit) { .runs = g_array_new (FALSE, FALSE, sizeof (Run)),
                  .groups = g_ptr_array_new (),
                  .report = plg_report_new () };
  for (PlgEngineConstant i = 0; i < PLG_N_ENGINE_CONSTANTS; i++)
    self->values[i] = plg_engine_constant (i);
  for (guint i = 0; i < n; i++)
    {
      const char *group = g_intern_string (all[i].group);
      Run run = { .run = &all[i] };
      guint index;

      if (all[i].step_time <= 0.0)
        continue;
      if (!g_ptr_array_find (self->groups, group, &index))
        {
          index = self->groups->len;
          g_ptr_array_add (self->groups, (char *) group);
        }
      run.group = (int) index;
      if (all[i].is_fitted)
        self->n_fitted = (int) self->groups->len;
      run.choices = g_array_new (FALSE, FALSE, sizeof (Choice));
      g_array_set_clear_func (run.choices, clear_choice);
      add_choices (self->report, published, &run, TRUE);
      if (run.choices->len == 0)
        add_choices (self->report, published, &run, FALSE);
      if (run.choices->len == 0)
        g_error ("%s: no plan of the run is legal", all[i].id);
      g_array_append_val (self->runs, run);
    }
}

static void
fit_clear (Fit *self)
{
  for (guint i = 0; i < self->runs->len; i++)
    g_array_unref (g_array_index (self->runs, Run, i).choices);
  g_array_unref (self->runs);
  g_ptr_array_unref (self->groups);
  plg_report_unref (self->report);
}

/* Returns the value of a quantity in the engine and its catalogue. */
static double
fit_own_value (const Fit *self, int i)
{
  const Quantity *quantity = &quantities[i];

  return quantity->gpu != NULL ? quantity->built_in
         : quantity->is_factor ? 1.0
                               : self->values[quantity->constant[0]];
}

static gboolean
is_16_bit (PlgPrecision precision)
{
  return precision == PLG_PRECISION_BF16 || precision == PLG_PRECISION_FP16;
}

/* Gives QUANTITY the VALUE in the engine, or in the plans of the runs. */
static void
fit_set (Fit *self, const Quantity *quantity, double value)
{
  for (int i = 0; i < quantity->n; i++)
    plg_engine_constant_set (quantity->constant[i],
                             quantity->is_factor ? value * self->values[quantity->constant[i]]
                                                 : value);
  for (guint i = 0; quantity->gpu != NULL && i < self->runs->len; i++)
    {
      const Run *run = &g_array_index (self->runs, Run, i);

      for (guint j = 0; j < run->choices->len; j++)
        {
          const Choice *choice = &g_array_index (run->choices, Choice, j);
          PlgGpu *gpu = &choice->plan->cluster.gpu;

          for (PlgPrecision k = 0;
               k < PLG_N_PRECISIONS && g_str_has_prefix (gpu->name, quantity->gpu); k++)
            if (k == quantity->precision || (is_16_bit (k) && is_16_bit (quantity->precision)))
              gpu->matrix_efficiency[k] = choice->efficiency[k] * value / quantity->built_in;
        }
    }
}

/* Computes the error of the fastest plan of RUN. */
static void
fit_score_run (Fit *self, Run *run)
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < run->choices->len; i++)
    {
      const Choice *choice = &g_array_index (run->choices, Choice, i);

      plg_evaluation_begin_workload (choice->evaluation);
      plg_evaluation_finish (choice->evaluation, self->report, choice->plan, G_MAXDOUBLE);
      best = MIN (best, self->report->step.time);
    }
  run->error = best / run->run->step_time - 1.0;
}

static void
fit_score_runs (Fit *self)
{
  for (guint i = 0; i < self->runs->len; i++)
    fit_score_run (self, &g_array_index (self->runs, Run, i));
}

/* Finds the quantities on which each run depends: its error changes from one end of the range to the
 * other, with the values of the engine or with those at the begin of a fit. */
static void
fit_find_dependences (Fit *self)
{
  for (int begin = FALSE; begin <= TRUE; begin++)
    {
      for (int i = 0; i < N_QUANTITIES; i++)
        fit_set (self, &quantities[i], begin ? quantities[i].start : fit_own_value (self, i));
      for (int i = 0; i < N_QUANTITIES; i++)
        {
          g_autofree double *least = g_new (double, self->runs->len);

          fit_set (self, &quantities[i], quantities[i].least);
          fit_score_runs (self);
          for (guint j = 0; j < self->runs->len; j++)
            least[j] = g_array_index (self->runs, Run, j).error;
          fit_set (self, &quantities[i], quantities[i].most);
          fit_score_runs (self);
          for (guint j = 0; j < self->runs->len; j++)
            {
              Run *run = &g_array_index (self->runs, Run, j);

              run->depends[i] |= run->error != least[j];
            }
          fit_set (self, &quantities[i], begin ? quantities[i].start : fit_own_value (self, i));
        }
    }
}

/* Returns the errors of the runs of GROUP. */
static LeftOut
fit_group (const Fit *self, int group)
{
  LeftOut sum = { .group = self->groups->pdata[group] };

  for (guint i = 0; i < self->runs->len; i++)
    {
      const Run *run = &g_array_index (self->runs, Run, i);

      if (run->group != group)
        continue;
      sum.n++;
      sum.mean += fabs (run->error);
      sum.bias += run->error;
    }
  sum.mean /= MAX (sum.n, 1);
  sum.bias /= MAX (sum.n, 1);
  return sum;
}

/* Returns the mean of the groups from FIRST to END - 1. */
static LeftOut
fit_mean (const Fit *self, int first, int end)
{
  LeftOut all = { 0 };

  for (int i = first; i < end; i++)
    {
      LeftOut group = fit_group (self, i);

      all.n += group.n;
      all.mean += group.mean / (end - first);
      all.bias += group.bias / (end - first);
    }
  return all;
}

/* Returns the value that a fit makes small: the weighted mean error of all groups but LEFT_OUT, which
 * may be -1. The mean error of a group of n runs has the weight n / (n + 1), the inverse of its
 * variance if runs differ as much from their group as groups differ from each other. */
static double
fit_objective (const Fit *self, int left_out)
{
  double sum = 0.0, weights = 0.0;

  for (int i = 0; i < self->n_fitted; i++)
    if (i != left_out)
      {
        LeftOut group = fit_group (self, i);
        double weight = group.n / (group.n + 1.0);

        sum += weight * group.mean;
        weights += weight;
      }
  return sum / weights;
}

/* Tries a VALUE of quantity I instead of *CURRENT. Keeps VALUE if it makes the objective smaller than
 * BEST. Returns the smaller objective. */
static double
fit_try (Fit *self, int left_out, int i, double value, double *current, double best)
{
  g_autofree double *errors = g_new (double, self->runs->len);
  double objective;

  fit_set (self, &quantities[i], value);
  for (guint j = 0; j < self->runs->len; j++)
    {
      Run *run = &g_array_index (self->runs, Run, j);

      errors[j] = run->error;
      if (run->depends[i] && run->run->is_fitted)
        fit_score_run (self, run);
    }
  objective = fit_objective (self, left_out);
  if (objective < best - 1e-6)
    {
      *current = value;
      return objective;
    }
  fit_set (self, &quantities[i], *current);
  for (guint j = 0; j < self->runs->len; j++)
    g_array_index (self->runs, Run, j).error = errors[j];
  return best;
}

/* Fits all quantities to all groups but LEFT_OUT: changes one quantity after the other by a step up
 * or down while the objective becomes smaller, with smaller and smaller steps. */
static void
fit_run (Fit *self, int left_out, double *values)
{
  double best;

  for (int i = 0; i < N_QUANTITIES; i++)
    {
      values[i] = quantities[i].start;
      fit_set (self, &quantities[i], values[i]);
    }
  fit_score_runs (self);
  best = fit_objective (self, left_out);
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++)
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++)
      {
        double before = best;

        for (int i = 0; i < N_QUANTITIES; i++)
          for (int sign = -1; sign <= 1; sign += 2)
            {
              const Quantity *quantity = &quantities[i];
              double step = sign * steps[s] * (quantity->most - quantity->least);
              double tried = CLAMP (values[i] + step, quantity->least, quantity->most);

              if (tried != values[i])
                best = fit_try (self, left_out, i, tried, &values[i], best);
            }
        if (best == before)
          break;
      }
  fit_score_runs (self);
}

LeaveOut
leave_out_run (const PlgPublishedRuns *runs)
{
  LeaveOut self = { .groups = g_array_new (FALSE, FALSE, sizeof (LeftOut)),
                    .values = g_string_new (NULL) };
  double values[N_QUANTITIES], refit[N_QUANTITIES], least[N_QUANTITIES], most[N_QUANTITIES];
  Fit fit;

  fit_init (&fit, runs);
  fit_find_dependences (&fit);
  fit_run (&fit, -1, refit);
  self.refit = fit_mean (&fit, 0, fit.n_fitted);
  self.unseen = fit_mean (&fit, fit.n_fitted, (int) fit.groups->len);
  for (int i = 0; i < N_QUANTITIES; i++)
    least[i] = most[i] = refit[i];
  for (int group = 0; group < fit.n_fitted; group++)
    {
      LeftOut left = { .refit = fit_group (&fit, group).mean };

      g_array_append_val (self.groups, left);
    }
  for (int group = 0; group < fit.n_fitted; group++)
    {
      LeftOut *slot = &g_array_index (self.groups, LeftOut, group), left;

      fit_run (&fit, group, values);
      left = fit_group (&fit, group);
      left.refit = slot->refit;
      *slot = left;
      self.all.n += left.n;
      self.all.mean += left.mean / fit.n_fitted;
      self.all.bias += left.bias / fit.n_fitted;
      for (int i = 0; i < N_QUANTITIES; i++)
        {
          least[i] = MIN (least[i], values[i]);
          most[i] = MAX (most[i], values[i]);
        }
    }
  for (int i = 0; i < N_QUANTITIES; i++)
    {
      double own = fit_own_value (&fit, i);

      fit_set (&fit, &quantities[i], own);
      g_string_append_printf (self.values,
                              "  %-30s %9.3g   all groups %9.3g   without one %9.3g to %.3g\n",
                              quantities[i].name, own, refit[i], least[i], most[i]);
    }
  fit_clear (&fit);
  return self;
}

void
leave_out_clear (LeaveOut *self)
{
  if (self->groups == NULL)
    return;
  g_array_unref (self->groups);
  g_string_free (self->values, TRUE);
}

const LeftOut *
leave_out_find (const LeaveOut *self, const char *group)
{
  for (guint i = 0; i < self->groups->len; i++)
    if (strcmp (g_array_index (self->groups, LeftOut, i).group, group) == 0)
      return &g_array_index (self->groups, LeftOut, i);
  return NULL;
}
