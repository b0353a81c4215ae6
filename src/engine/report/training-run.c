/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/training-run.h"

#include "engine/model/memory.h"
#include "engine/model/muon.h"
#include "engine/report/metric.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SECONDS_PER_DAY 86400.0
#define GRAMS_PER_KILOGRAM 1e3
#define JOULES_PER_KILOWATT_HOUR 3.6e6

static const struct
{
  const char *name;
  const char *title;
} parts[] = {
  [PLG_RUN_PROGRESS] = { "progress", N_ ("Progress") },
  [PLG_RUN_CHECKPOINT] = { "checkpoint", N_ ("Checkpoints") },
  [PLG_RUN_LOST] = { "lost", N_ ("Lost work") },
  [PLG_RUN_RESTART] = { "restart", N_ ("Restarts") },
  [PLG_RUN_WAIT] = { "wait", N_ ("Waiting for a node") },
};
G_STATIC_ASSERT (G_N_ELEMENTS (parts) == PLG_N_RUN_PARTS);

double
plg_checkpoint_bytes_per_parameter (const PlgPlan *plan)
{
  const PlgTraining *training = &plan->training;
  double bytes = plg_weight_bytes (training) + plg_optimizer_bytes (training);

  return plg_uses_muon (plan) ? bytes - plg_muon_share_of_model (plan) * plg_moment_bytes (training)
                              : bytes;
}

/* Returns the share of time in which more than SPARES nodes are in repair, for nodes that fail one
 * by one while the run goes on. LOAD is the time of a repair divided by the time between failures.
 * Source: Erlang 1917, the loss formula B(SPARES + 1, LOAD), by its recursion. */
static double
training_run_wait_share (double load, int spares)
{
  double blocked = 1.0;

  for (int servers = 1; servers <= spares + 1 && blocked > 0.0; servers++)
    blocked = load * blocked / (servers + load * blocked);
  return blocked;
}

/* Sets the shares of the elapsed time. */
static void
training_run_set_shares (PlgTrainingRun *run, const PlgReliability *reliability)
{
  double tau = run->interval, delta = run->checkpoint_time, m = run->mtbf;
  double restart = -expm1 (-reliability->restart / m);
  double wait = training_run_wait_share (reliability->repair / m, reliability->spares);
  /* Daly's total time for each second of progress; infinite if the exponents are large */
  double total = m / tau * exp (reliability->restart / m) * expm1 ((tau + delta) / m);
  double progress = 1.0 / total;
  double checkpoint = progress * delta / tau;

  run->share[PLG_RUN_PROGRESS] = progress * (1.0 - wait);
  run->share[PLG_RUN_CHECKPOINT] = checkpoint * (1.0 - wait);
  run->share[PLG_RUN_LOST] = MAX (1.0 - progress - checkpoint - restart, 0.0) * (1.0 - wait);
  run->share[PLG_RUN_RESTART] = restart * (1.0 - wait);
  run->share[PLG_RUN_WAIT] = wait;
}

void
plg_training_run_init (PlgTrainingRun *run,
                       const PlgPlan *plan,
                       double parameters,
                       double step_time,
                       double tokens_per_second,
                       double busy_share)
{
  const PlgReliability *reliability = &plan->reliability;
  const PlgCost *cost = &plan->cost;
  const PlgGpu *gpu = &plan->cluster.gpu;
  double gpus = plg_plan_world (plan), hosts = plg_cluster_hosts (&plan->cluster);
  double spare_gpus = (double) reliability->spares * plan->cluster.gpus_per_node;
  double idle = plg_cost_power_idle (cost, gpu), server = plg_cost_power_server (cost, gpu);
  double busy = plg_cost_power_busy (cost, gpu);

  run->checkpoint_bytes = parameters * plg_checkpoint_bytes_per_parameter (plan);
  run->checkpoint_time = run->checkpoint_bytes / (reliability->checkpoint_rate * hosts);
  run->mtbf = reliability->mtbf / gpus;

  /* Daly's formula holds for checkpoints that take less than twice the time between failures. */
  double ratio = run->checkpoint_time / (2.0 * run->mtbf);

  run->interval_young = sqrt (2.0 * run->checkpoint_time * run->mtbf);
  run->interval = ratio < 1.0 ? run->interval_young * (1.0 + sqrt (ratio) / 3.0 + ratio / 9.0) -
                                    run->checkpoint_time
                              : run->mtbf;
  run->interval = MAX (run->interval, step_time);
  training_run_set_shares (run, reliability);

  /* Compute the amounts per token. */
  gboolean makes_progress = run->share[PLG_RUN_PROGRESS] >= PLG_LEAST_GOODPUT &&
                            tokens_per_second > 0.0;
  double seconds = makes_progress ? 1.0 / (tokens_per_second * run->share[PLG_RUN_PROGRESS]) : NAN;
  double computing = (run->share[PLG_RUN_PROGRESS] + run->share[PLG_RUN_LOST]) * busy_share;

  run->busy_share = busy_share;
  run->power = cost->pue * (gpus * (computing * busy + (1.0 - computing) * idle + server) +
                            spare_gpus * (idle + server));
  run->cost_per_token = plg_cost_gpu_hour (cost, gpu) * (gpus + spare_gpus) * seconds /
                        PLG_SECONDS_PER_HOUR;
  run->energy_per_token = run->power * seconds;
  run->carbon_per_token = run->energy_per_token / JOULES_PER_KILOWATT_HOUR * cost->carbon /
                          GRAMS_PER_KILOGRAM;

  /* Compute the totals. */
  double tokens = plan->training.tokens, elapsed = tokens * seconds;

  run->days = elapsed / SECONDS_PER_DAY;
  run->gpu_hours = (gpus + spare_gpus) * elapsed / PLG_SECONDS_PER_HOUR;
  run->interruptions = elapsed * (1.0 - run->share[PLG_RUN_WAIT]) / run->mtbf;
  run->cost = tokens * run->cost_per_token;
  run->energy = tokens * run->energy_per_token;
  run->carbon = tokens * run->carbon_per_token;
}

void
plg_training_run_hide (PlgTrainingRun *run)
{
  double *values = (double *) run;

  G_STATIC_ASSERT (sizeof *run % sizeof (double) == 0);
  for (gsize i = 0; i < sizeof *run / sizeof *values; i++)
    values[i] = NAN;
}

gboolean
plg_training_run_makes_progress (const PlgTrainingRun *run)
{
  return run->share[PLG_RUN_PROGRESS] >= PLG_LEAST_GOODPUT;
}

char *
plg_training_run_problem (const PlgPlan *plan, const PlgTrainingRun *run)
{
  g_autofree char *mtbf = plg_format_time (run->mtbf);
  g_autofree char *checkpoint = plg_format_time (run->checkpoint_time);
  g_autofree char *restart = plg_format_time (plan->reliability.restart);
  g_autofree char *wait = plg_format_share (run->share[PLG_RUN_WAIT]);

  if (isnan (run->mtbf) || plg_training_run_makes_progress (run))
    return NULL;
  if (run->share[PLG_RUN_WAIT] > 0.9)
    return g_strdup_printf (_ ("The run makes no progress: for %s of the time, more nodes are in "
                               "repair than there are spares (%d). Add spare nodes or shorten the "
                               "repair."),
                            wait, plan->reliability.spares);
  if (plan->reliability.restart > run->checkpoint_time)
    return g_strdup_printf (
        _ ("The run makes no progress: on average, some GPU of the cluster fails every %s, but a restart takes %s. Use fewer or more reliable GPUs, or restart faster."),
        mtbf, restart);
  return g_strdup_printf (
      _ ("The run makes no progress: on average, some GPU of the cluster fails every %s, but a checkpoint takes %s. Write checkpoints faster, or use fewer or more reliable GPUs."),
      mtbf, checkpoint);
}

static void
training_run_clear_fact (gpointer data)
{
  g_free (((PlgRunFact *) data)->value);
}

static void
training_run_add_fact (GArray *facts, const char *title, char *value)
{
  PlgRunFact fact = { title, value };

  g_array_append_val (facts, fact);
}

/* Adds a fact with an amount for the whole run and the same amount for some tokens. Without a
 * budget of tokens, leaves out the former. */
static void
training_run_add_amount (GArray *facts,
                         const PlgPlan *plan,
                         const char *title,
                         char *(*format) (double),
                         double total,
                         double part,
                         gboolean is_per_million)
{
  g_autofree char *whole = format (total);
  g_autofree char *each = format (part);
  g_autofree char *per_token = is_per_million ? g_strdup_printf (_ ("%s per million tokens"), each)
                                              : g_strdup_printf (_ ("%s per token"), each);

  training_run_add_fact (facts, title,
                         plan->training.tokens > 0.0 ? g_strdup_printf ("%s, %s", whole, per_token)
                                                     : g_steal_pointer (&per_token));
}

GArray *
plg_training_run_facts (const PlgPlan *plan, const PlgTrainingRun *run)
{
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (PlgRunFact));
  const PlgGpu *gpu = &plan->cluster.gpu;
  g_autofree char *problem = plg_training_run_problem (plan, run);
  g_autofree char *goodput = plg_format_share (run->share[PLG_RUN_PROGRESS]);
  g_autofree char *size = plg_format_volume (run->checkpoint_bytes);
  g_autofree char *writing = plg_format_time (run->checkpoint_time);
  g_autofree char *interval = plg_format_time (run->interval);

  g_array_set_clear_func (facts, training_run_clear_fact);
  if (problem != NULL)
    training_run_add_fact (facts, _ ("Time with failures"), g_steal_pointer (&problem));
  else if (plan->training.tokens > 0.0)
    {
      g_autofree char *days = plg_measure_text (PLG_MEASURE_DAYS, run->days * SECONDS_PER_DAY);
      g_autofree char *number = plg_format_number (run->interruptions, 3);
      g_autofree char *interruptions = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                                     "%s interruption",
                                                                     "%s interruptions",
                                                                     g_str_equal (number, "1") ? 1
                                                                                               : 2),
                                                        number);

      training_run_add_fact (facts, _ ("Time with failures"),
                             g_strjoin (", ", days, interruptions, NULL));
    }
  training_run_add_fact (facts, _ ("Progress"), g_strdup_printf (_ ("%s of the time"), goodput));
  training_run_add_fact (facts, _ ("Checkpoints"),
                         g_strdup_printf (_ ("%s, written in %s, every %s"), size, writing,
                                          interval));

  if (isnan (plg_cost_gpu_hour (&plan->cost, gpu)))
    training_run_add_fact (facts, _ ("Cost"),
                           g_strdup_printf (_ ("unknown; set %s"),
                                            plg_setting_name ("cost.gpu-hour")));
  else
    training_run_add_amount (facts, plan, _ ("Cost"), plg_format_money, run->cost,
                             1e6 * run->cost_per_token, TRUE);
  if (isnan (plg_cost_power_busy (&plan->cost, gpu)))
    training_run_add_fact (facts, _ ("Energy"),
                           g_strdup_printf (_ ("unknown; set %s"),
                                            plg_setting_name ("cost.power-busy")));
  else if (isnan (plg_cost_power_idle (&plan->cost, gpu)))
    training_run_add_fact (facts, _ ("Energy"),
                           g_strdup_printf (_ ("unknown; set %s"),
                                            plg_setting_name ("cost.power-idle")));
  else
    {
      training_run_add_amount (facts, plan, _ ("Energy"), plg_format_energy, run->energy,
                               run->energy_per_token, FALSE);
      training_run_add_amount (facts, plan, _ ("Emissions"), plg_format_carbon, run->carbon,
                               1e6 * run->carbon_per_token, TRUE);
    }
  return facts;
}

const char *
plg_run_part_name (PlgRunPart part)
{
  return parts[part].name;
}

const char *
plg_run_part_title (PlgRunPart part)
{
  return _ (parts[part].title);
}
