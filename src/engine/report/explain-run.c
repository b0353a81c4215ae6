/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/memory.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SOURCE_YOUNG "Young 1974, Communications of the ACM 17(9), p. 530"
#define SOURCE_DALY "Daly 2006, Future Generation Computer Systems 22(3), pp. 303–312"
#define SOURCE_ERLANG "Erlang 1917, loss formula"
#define SOURCE_SETTINGS N_ ("Settings of the plan")

static void
explain_checkpoint (PlgExplainer *self)
{
  const PlgTrainingRun *run = &self->report->run;
  const PlgReliability *reliability = &self->plan->reliability;
  double hosts = plg_cluster_hosts (&self->plan->cluster);
  gboolean is_default = reliability->checkpoint_rate == PLG_DEFAULT_CHECKPOINT_RATE * PLG_GB;

  plg_explainer_add (self, "run.checkpoint-size", _ ("Size of a checkpoint"),
                     g_strdup (_ ("P · (weight + optimizer state), once for all replicas")),
                     plg_explainer_format ("{c} · ({i} + {i})", self->report->parameters_total,
                                           plg_weight_bytes (&self->plan->training),
                                           plg_checkpoint_bytes_per_parameter (self->plan) -
                                               plg_weight_bytes (&self->plan->training)),
                     plg_explainer_format ("{v}", run->checkpoint_bytes), PLG_SOURCE_RAJBHANDARI);
  plg_explainer_add (self, "run.checkpoint-time", _ ("Time to write a checkpoint, δ"),
                     g_strdup (_ ("size / (rate of a host · hosts)")),
                     plg_explainer_format ("{v} / ({b} · {i})", run->checkpoint_bytes,
                                           reliability->checkpoint_rate, hosts),
                     plg_explainer_format ("{t}", run->checkpoint_time),
                     is_default ? _ ("Rate: 2 TB/s of storage for 2 048 hosts, Llama Team 2024, "
                                     "arXiv 2407.21783, sec. 3.3.1")
                                : _ (SOURCE_SETTINGS));
  plg_explainer_note (self, g_strdup (_ ("Training stops while a checkpoint is written. If the "
                                         "program writes in the background, use the rate at which "
                                         "a host copies the state to its own memory.")));
}

static void
explain_interval (PlgExplainer *self)
{
  const PlgTrainingRun *run = &self->report->run;
  double mtbf = self->plan->reliability.mtbf, ratio = run->checkpoint_time / (2.0 * run->mtbf);
  gboolean is_default = mtbf == PLG_DEFAULT_MTBF_HOURS * PLG_SECONDS_PER_HOUR;

  plg_explainer_add (self, "run.mtbf", _ ("Time between failures of the cluster, M"),
                     g_strdup (_ ("MTBF of a GPU / GPUs")),
                     plg_explainer_format ("{e}\u00a0h / {i}", mtbf / PLG_SECONDS_PER_HOUR,
                                           (double) self->report->world_size),
                     plg_explainer_format ("{t}", run->mtbf),
                     is_default ? _ ("MTBF fitted to 419 unexpected interruptions in 54 days on "
                                     "16 384 GPUs, Llama Team 2024, arXiv 2407.21783, sec. 3.3.4")
                                : _ (SOURCE_SETTINGS));
  plg_explainer_add (self, "run.interval-young", _ ("Time between checkpoints, first order"),
                     g_strdup ("√(2·δ·M)"),
                     plg_explainer_format ("√(2 · {l} · {l})", run->checkpoint_time, run->mtbf),
                     plg_explainer_format ("{t}", run->interval_young), SOURCE_YOUNG);

  gboolean is_step = run->interval == self->report->step.time;
  g_autofree char *step = plg_format_time_digits (self->report->step.time, 5);
  g_autofree char *symbols = NULL;
  g_autofree char *numbers = NULL;

  if (ratio < 1.0)
    {
      symbols = g_strdup ("√(2·δ·M) · (1 + √(δ/2M)/3 + δ/(18·M)) − δ");
      numbers = plg_explainer_format ("{l} · (1 + {n} + {n}) − {l}", run->interval_young,
                                      sqrt (ratio) / 3.0, ratio / 9.0, run->checkpoint_time);
    }
  else
    {
      symbols = g_strdup (_ ("M, because δ ≥ 2·M"));
      numbers = plg_explainer_format ("{t}", run->mtbf);
    }
  plg_explainer_add (self, "run.interval", _ ("Time between checkpoints, τ"),
                     is_step ? g_strdup_printf ("max (%s, T)", symbols)
                             : g_steal_pointer (&symbols),
                     is_step ? g_strdup_printf ("max (%s, %s)", numbers, step)
                             : g_steal_pointer (&numbers),
                     plg_explainer_format ("{t}", run->interval), SOURCE_DALY);
  if (is_step)
    plg_explainer_note (self, g_strdup (_ ("A checkpoint is written at most once per step, which "
                                           "takes T.")));
}

static void
explain_goodput (PlgExplainer *self)
{
  const PlgTrainingRun *run = &self->report->run;
  const PlgReliability *reliability = &self->plan->reliability;
  double wait = run->share[PLG_RUN_WAIT], m = run->mtbf;

  if (reliability->repair > 0.0)
    plg_explainer_add (self, "run.wait", _ ("Share of time that waits for a node, W"),
                       g_strdup (_ ("Erlang's B(spares + 1, repair time / M)")),
                       plg_explainer_format ("B({i} + 1, {t} / {t})", (double) reliability->spares,
                                             reliability->repair, m),
                       plg_explainer_format ("{s}", wait), SOURCE_ERLANG);
  plg_explainer_add (self, "run.goodput", _ ("Share of time that makes progress (goodput)"),
                     g_strdup (_ ("(1 − W) · τ / (M · e^(R/M) · (e^((τ + δ)/M) − 1)), where R is "
                                  "the restart time")),
                     plg_explainer_format ("(1 − {n}) · {l} / ({l} · e^{n} · (e^{n} − 1))", wait,
                                           run->interval, m, reliability->restart / m,
                                           (run->interval + run->checkpoint_time) / m),
                     plg_explainer_format ("{s}", run->share[PLG_RUN_PROGRESS]), SOURCE_DALY);
  if (!plg_training_run_makes_progress (run))
    plg_explainer_note (self, plg_training_run_problem (self->plan, run));
}

static void
explain_duration (PlgExplainer *self)
{
  const PlgTrainingRun *run = &self->report->run;
  double days = self->report->step.days;

  if (!plg_training_run_makes_progress (run) || self->plan->training.tokens <= 0.0)
    return;
  plg_explainer_add (self, "run.days", _ ("Time to train with failures"),
                     g_strdup (_ ("time to train / goodput")),
                     plg_explainer_format ("{l} / {n}", days * 86400.0,
                                           run->share[PLG_RUN_PROGRESS]),
                     plg_explainer_format ("{t}", run->days * 86400.0), SOURCE_DALY);
  plg_explainer_add (self, "run.interruptions", _ ("Interruptions"),
                     g_strdup (_ ("time to train with failures · (1 − W) / M")),
                     plg_explainer_format ("{l} · (1 − {n}) / {l}", run->days * 86400.0,
                                           run->share[PLG_RUN_WAIT], run->mtbf),
                     plg_explainer_format ("{n}", run->interruptions), SOURCE_DALY);
}

static void
explain_cost (PlgExplainer *self)
{
  const PlgTrainingRun *run = &self->report->run;
  const PlgGpu *gpu = &self->plan->cluster.gpu;
  double price = plg_cost_gpu_hour (&self->plan->cost, gpu);

  if (isnan (run->cost_per_token))
    return;
  plg_explainer_add (self, "run.cost", _ ("Cost"), g_strdup (_ ("GPU-hours with spares · price")),
                     plg_explainer_format ("{k} · {u}", run->gpu_hours, price),
                     plg_explainer_format (_ ("{u}, {u} per million tokens"), run->cost,
                                           1e6 * run->cost_per_token),
                     _ (SOURCE_SETTINGS));
  if (self->plan->cost.gpu_hour <= 0.0)
    plg_explainer_note (self, g_strdup_printf (_ ("The price is in the catalogue: %s."),
                                               gpu->gpu_hour_source));
}

static void
explain_energy (PlgExplainer *self)
{
  const PlgTrainingRun *run = &self->report->run;
  const PlgCost *cost = &self->plan->cost;
  const PlgGpu *gpu = &self->plan->cluster.gpu;
  double computing = run->busy_share * (run->share[PLG_RUN_PROGRESS] + run->share[PLG_RUN_LOST]);
  double idle = plg_cost_power_idle (cost, gpu), server = plg_cost_power_server (cost, gpu);
  double spare_gpus = (double) self->plan->reliability.spares * self->plan->cluster.gpus_per_node;

  if (isnan (run->power))
    return;
  plg_explainer_add (self, "run.power", _ ("Mean power"),
                     g_strdup (_ ("PUE · (GPUs · (c · busy + (1 − c) · idle + server) + spare GPUs "
                                  "· (idle + server)), where c is the share of time that "
                                  "computes")),
                     plg_explainer_format ("{n} · ({i} · ({n} · {w} + {n} · {w} + {w}) + {i} · "
                                           "{w})",
                                           cost->pue, (double) self->report->world_size, computing,
                                           plg_cost_power_busy (cost, gpu), 1.0 - computing, idle,
                                           server, spare_gpus, idle + server),
                     plg_explainer_format ("{w}", run->power),
                     cost->pue == PLG_DEFAULT_PUE
                         ? _ ("Powers from data sheets in the catalogue; PUE: Uptime Institute, "
                              "Global Data Center Survey 2023")
                         : _ ("Powers from data sheets in the catalogue; PUE of the plan"));
  plg_explainer_uses (self, PLG_USES_POWER);
  plg_explainer_note (self, g_strdup (server > 0.0
                                          ? _ ("A GPU that waits for data draws more than the idle "
                                               "power, and a server less than its largest power.")
                                          : _ ("The power of the server is unknown, so only the "
                                               "GPUs are counted. Set it to count the server.")));
  if (isnan (run->energy_per_token))
    return;
  plg_explainer_add (self, "run.energy", _ ("Energy"),
                     g_strdup (_ ("mean power · time to train with failures")),
                     plg_explainer_format ("{w} · {l}", run->power, run->days * 86400.0),
                     plg_explainer_format (_ ("{j}, {j} per token"), run->energy,
                                           run->energy_per_token),
                     _ (SOURCE_SETTINGS));
  plg_explainer_add (self, "run.carbon", _ ("Emissions"),
                     g_strdup (_ ("energy · carbon intensity")),
                     plg_explainer_format ("{j} · {n}\u00a0g/kWh", run->energy, cost->carbon),
                     plg_explainer_format (_ ("{o}, {o} per million tokens"), run->carbon,
                                           1e6 * run->carbon_per_token),
                     cost->carbon == PLG_DEFAULT_CARBON
                         ? _ ("World average of 2024: Ember, Global Electricity Review 2025")
                         : _ (SOURCE_SETTINGS));
}

void
plg_explain_run (PlgExplainer *self)
{
  static const PlgExplainerRow rows[] = {
    { explain_checkpoint, PLG_EXPLAIN_ALWAYS }, { explain_interval, PLG_EXPLAIN_ALWAYS },
    { explain_goodput, PLG_EXPLAIN_ALWAYS },    { explain_duration, PLG_EXPLAIN_ALWAYS },
    { explain_cost, PLG_EXPLAIN_ALWAYS },       { explain_energy, PLG_EXPLAIN_ALWAYS },
  };

  plg_explainer_add_rows (self, rows, G_N_ELEMENTS (rows));
}
