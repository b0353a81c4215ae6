/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/textbook.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* "communication.dp.all-gather", and with a number where there are several of the kind. g_free().
 */
static char *
communication_id (const PlgExplainer *self, const PlgCollective *collective, const char *what)
{
  const PlgCollective *first = (const PlgCollective *) (void *) self->report->collectives->data;
  int before = 0;

  for (const PlgCollective *row = first; row < collective; row++)
    before += row->axis == collective->axis && row->kind == collective->kind;
  if (before == 0)
    return g_strdup_printf ("communication.%s.%s%s", plg_axis_name (collective->axis),
                            plg_collective_kind_name (collective->kind), what);
  return g_strdup_printf ("communication.%s.%s.%d%s", plg_axis_name (collective->axis),
                          plg_collective_kind_name (collective->kind), before + 1, what);
}

/* Tokens that go once to a node, and from there to its experts: what part of the copies that is is
 * the N (1 - (1 - 1/N)^k) / k of plg_collective_dispatch_cost(). */
static char *
dispatch_numbers (const PlgExplainer *self, const PlgCollective *collective)
{
  double n = collective->group_size, nodes = MAX (collective->nodes_spanned, 1);
  double experts = MAX (self->plan->model.top_k, 1), members = n / nodes;
  double part = nodes * (1.0 - pow (1.0 - 1.0 / nodes, experts)) / experts;

  return plg_explainer_format ("{i} · {v} · ({e}·({i} − {n})/{i} + ({n} − 1)/{n})",
                               collective->calls, collective->bytes_per_call, part, n, members, n,
                               members, members);
}

static gboolean
is_dispatch (const PlgCollective *collective)
{
  double n = collective->group_size;
  double each = collective->calls * collective->bytes_per_call * (n - 1.0) / n;

  return collective->kind == PLG_COLLECTIVE_ALL_TO_ALL && collective->nodes_spanned > 1 &&
         fabs (collective->bytes_sent - each) > 1e-9 * each;
}

static const char *
hiding_tensor (const PlgPlan *plan)
{
  if (plan->parallelism.sequence && plan->parallelism.overlap_tp)
    return _ ("In tiles, each runs beside its matrix product but for the last tile.");
  if (plan->parallelism.sequence)
    return _ ("Of the ten calls of a layer, four run beside products of the backward pass, as "
              "Megatron-LM has them; the other six stand alone.");
  if (plan->parallelism.overlap_tp)
    return _ ("Backward, the sum runs beside the product for the weight's gradient; forward it "
              "stands alone.");
  return _ ("Nothing runs beside it.");
}

static const char *
hiding_data (const PlgPlan *plan)
{
  if (!plan->parallelism.overlap_dp)
    return _ ("Nothing runs beside it: DP does not overlap.");
  if (plan->parallelism.zero >= 2)
    return /* xgettext:no-c-format */ _ ("Made one layer ahead, it hides behind 70 % of the "
                                         "computing that other collectives "
                                         "leave; its copies take 8 % of the GPU.");
  return /* xgettext:no-c-format */ _ ("In buckets, all but one hide behind the last backward "
                                       "pass, or the first forward one, "
                                       "of each stage; copies take 8 % of the GPU.");
}

static const char *
hiding_axis (const PlgPlan *plan, PlgAxis axis)
{
  switch (axis)
    {
    case PLG_AXIS_TP:
      return hiding_tensor (plan);
    case PLG_AXIS_CP:
      return plan->parallelism.cp_type == PLG_CP_RING
                 ? _ ("Keys and values travel while attention works on those that have come.")
                 : _ ("Nothing runs beside it.");
    case PLG_AXIS_EP:
      return plan->training.schedule == PLG_SCHEDULE_DUALPIPE || plan->parallelism.overlap_ep
                 ? _ ("It runs beside the computing of another micro-batch.")
                 : _ ("Nothing runs beside it: EP does not overlap.");
    case PLG_AXIS_PP:
      return plan->parallelism.overlap_pp
                 ? _ ("The sender goes on; who waits for it is late only where it comes late.")
                 : _ ("Sender and receiver wait for it.");
    case PLG_AXIS_DP:
    default:
      return hiding_data (plan);
    }
}

static const char *
hiding_of (const PlgPlan *plan, const PlgCollective *collective)
{
  if (collective->collective_subject == PLG_COLLECTIVE_SUBJECT_LOSS &&
      collective->kind == PLG_COLLECTIVE_ALL_REDUCE)
    return _ ("Largest logit, sum of exponentials and the target's logit of each token; nothing "
              "runs beside it.");
  if (collective->axis == PLG_AXIS_TP &&
      collective->collective_subject != PLG_COLLECTIVE_SUBJECT_LAYERS)
    return _ ("Nothing runs beside it.");
  return hiding_axis (plan, collective->axis);
}

/* Why so much of it is hidden. What is not on the busiest stage counts as waiting for that one. */
static char *
hiding (const PlgExplainer *self, const PlgCollective *collective)
{
  const char *reason = hiding_of (self->plan, collective);

  if (collective->axis == PLG_AXIS_DP || collective->stage == self->report->step.busiest_stage)
    return g_strdup (reason);
  return g_strdup_printf (_ ("%s It is on stage %d alone, where it makes the wait for stage %d "
                             "shorter."),
                          reason, collective->stage, self->report->step.busiest_stage);
}

/* What a GPU sends in a ring, or to its neighbour. */
static void
explain_collective (PlgExplainer *self, const PlgCollective *collective)
{
  double n = collective->group_size, calls = collective->calls;
  double buffer = collective->bytes_per_call;
  g_autofree char *id = communication_id (self, collective, "");
  g_autofree char *title = plg_collective_title (collective);
  gboolean one_neighbour = collective->bytes_sent < 0.75 * calls * buffer;
  char *symbols, *numbers;

  switch (collective->kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      symbols = g_strdup (_ ("calls · 2·(n − 1)/n · S"));
      numbers = plg_explainer_format ("{i} · 2·{i}/{i} · {v}", calls, n - 1.0, n, buffer);
      break;
    case PLG_COLLECTIVE_SEND_RECV:
      symbols = g_strdup (one_neighbour ? _ ("calls/2 · S, the others receive") : _ ("calls · S"));
      numbers = plg_explainer_format (one_neighbour ? "{i}/2 · {v}" : "{i} · {v}", calls, buffer);
      break;
    case PLG_COLLECTIVE_ALL_TO_ALL:
      if (is_dispatch (collective))
        {
          symbols = g_strdup (_ ("calls · S · (x·(n − q)/n + (q − 1)/q), a token once to each node "
                                 "of q"));
          numbers = dispatch_numbers (self, collective);
          break;
        }
      G_GNUC_FALLTHROUGH;
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
    default:
      symbols = g_strdup (_ ("calls · (n − 1)/n · S"));
      numbers = plg_explainer_format ("{i} · {i}/{i} · {v}", calls, n - 1.0, n, buffer);
      break;
    }
  plg_explainer_add (
      self, id, title, symbols, numbers,
      plg_explainer_format (_ ("{v} sent by a GPU in a step, {t}, of which {t} not hidden"),
                            collective->bytes_sent, collective->time, collective->exposed),
      is_dispatch (collective) ? "DeepEP, github.com/deepseek-ai/DeepEP"
                               : "nccl-tests, doc/PERFORMANCE.md");
  plg_explainer_note (self, hiding (self, collective));
}

static const char *
algorithm_name (PlgAlgorithm algorithm)
{
  switch (algorithm)
    {
    case PLG_ALGORITHM_TREE:
      return _ ("double binary tree");
    case PLG_ALGORITHM_NVLS:
      return _ ("NVLink SHARP");
    case PLG_ALGORITHM_PAIRWISE:
      return _ ("each to each");
    case PLG_ALGORITHM_DIRECT:
      return _ ("one to one");
    case PLG_ALGORITHM_RING:
    default:
      return _ ("ring");
    }
}

/* Its longest call. */
static void
explain_call (PlgExplainer *self, const PlgCollective *collective)
{
  const PlgCollectiveCost *cost = &collective->cost;
  double time = cost->start + cost->latency + cost->bytes / MAX (cost->bandwidth, 1.0);
  g_autofree char *id = communication_id (self, collective, ".call");
  g_autofree char *what = plg_collective_title (collective);
  g_autofree char *title = g_strdup_printf (_ ("%s: its longest call"), what);
  g_autofree char *size = plg_format_volume (collective->call_bytes);
  g_autofree char *contention_factor = collective->contention_factor > 1.0
                                           ? plg_explainer_format ("{n} · (",
                                                                   collective->contention_factor)
                                           : g_strdup ("");
  g_autofree char *sum = plg_explainer_format ("{t} + {t} + {v} / {b}", cost->start, cost->latency,
                                               cost->bytes, cost->bandwidth);
  g_autofree char *taken = plg_format_time (collective->contention_factor * time);

  if (cost->bytes <= 0.0)
    return;
  plg_explainer_add (self, id, title,
                     g_strdup (collective->contention_factor > 1.0
                                   ? _ ("late · (start + latency of all steps + bytes / bandwidth)")
                                   : _ ("start + latency of all steps + bytes / bandwidth")),
                     g_strconcat (contention_factor, sum,
                                  collective->contention_factor > 1.0 ? ")" : NULL, NULL),
                     g_strdup_printf (_ ("%s for %s: %s, NCCL's protocol %s"), taken, size,
                                      algorithm_name (cost->algorithm),
                                      cost->low_latency ? "LL" : "Simple"),
                     "NCCL, src/graph/tuning.cc; Thakur et al. 2005");
  if (collective->contention_factor > 1.0)
    plg_explainer_note (self,
                        g_strdup (_ ("Late: members do not all come at once, and kernels share "
                                     "the memory. The fit over published runs (HACKING.md).")));
}

/* What the handbook lets DP send: a ring over the gradients of all that the fullest GPU holds. */
static void
explain_handbook_ring (PlgExplainer *self)
{
  const PlgReport *report = self->report;
  double n = plg_explainer_degree (self, PLG_AXIS_DP), sent = 0.0, parameters;

  if (n < 2.0 || report->stages->len == 0)
    return;
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis == PLG_AXIS_DP)
        sent += row->bytes_sent;
    }
  parameters = g_array_index (report->stages, PlgStageMemory, report->memory_peak_stage).parameters;
  plg_explainer_add (self, "communication.dp.handbook", _ ("DP all-reduce as the handbook has it"),
                     g_strdup ("2·(n − 1)/n · 2·P"),
                     plg_explainer_format ("2·{i}/{i} · 2·{c}", n - 1.0, n, parameters),
                     plg_explainer_format (_ ("{v}; here {v}"),
                                           plg_handbook_ring_bytes (2.0 * parameters, (int) n),
                                           sent),
                     _ ("Teaching handbook, ring all-reduce"));
  plg_explainer_note (self, g_strdup (_ ("It sends gradients in 16 bits; here they have the plan's "
                                         "precision, experts have groups of their own, and ZeRO "
                                         "gathers weights.")));
}

void
plg_explain_communication (PlgExplainer *self)
{
  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (self->report->collectives, PlgCollective, i);

      explain_collective (self, row);
      explain_call (self, row);
    }
  if (self->plan->profile == PLG_PROFILE_STANDARD)
    explain_handbook_ring (self);
}
