/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/explainer.h"

#include "engine/textbook.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const char *
communication_id (const PlgCollective *collective)
{
  static const char *const ids[PLG_N_AXES][5] = {
    { "communication.tp.all-reduce", "communication.tp.all-gather",
      "communication.tp.reduce-scatter", "communication.tp.all-to-all",
      "communication.tp.send-recv" },
    { "communication.cp.all-reduce", "communication.cp.all-gather",
      "communication.cp.reduce-scatter", "communication.cp.all-to-all",
      "communication.cp.send-recv" },
    { "communication.ep.all-reduce", "communication.ep.all-gather",
      "communication.ep.reduce-scatter", "communication.ep.all-to-all",
      "communication.ep.send-recv" },
    { "communication.pp.all-reduce", "communication.pp.all-gather",
      "communication.pp.reduce-scatter", "communication.pp.all-to-all",
      "communication.pp.send-recv" },
    { "communication.dp.all-reduce", "communication.dp.all-gather",
      "communication.dp.reduce-scatter", "communication.dp.all-to-all",
      "communication.dp.send-recv" },
  };

  return ids[collective->axis][collective->kind];
}

/* Tokens that go once to a node, and from there to its experts: what part of the copies that is is
 * the N (1 - (1 - 1/N)^k) / k of plg_collective_dispatch_time(). */
static char *
dispatch_numbers (const PlgExplainer *self, const PlgCollective *collective)
{
  double n = collective->group_size, nodes = MAX (collective->nodes_spanned, 1);
  double experts = MAX (self->plan->model.top_k, 1), members = n / nodes;
  double part = nodes * (1.0 - pow (1.0 - 1.0 / nodes, experts)) / experts;

  return plg_explainer_fill ("{i} · {v} · ({e}·({i} − {n})/{i} + ({n} − 1)/{n})", collective->calls,
                             collective->bytes_per_call, part, n, members, n, members, members);
}

static gboolean
is_dispatch (const PlgCollective *collective)
{
  double n = collective->group_size;
  double each = collective->calls * collective->bytes_per_call * (n - 1.0) / n;

  return collective->kind == PLG_COLLECTIVE_ALL_TO_ALL && collective->nodes_spanned > 1 &&
         fabs (collective->bytes_sent - each) > 1e-9 * each;
}

/* What a GPU sends in a ring, or to its neighbour. */
static void
explain_collective (PlgExplainer *self, const PlgCollective *collective)
{
  double n = collective->group_size, calls = collective->calls;
  double buffer = collective->bytes_per_call;
  g_autofree char *title = g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                                            plg_collective_kind_name (collective->kind));
  gboolean one_neighbour = collective->bytes_sent < 0.75 * calls * buffer;
  char *symbols, *numbers;

  switch (collective->kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      symbols = g_strdup (_ ("calls · 2·(n − 1)/n · S"));
      numbers = plg_explainer_fill ("{i} · 2·{i}/{i} · {v}", calls, n - 1.0, n, buffer);
      break;
    case PLG_COLLECTIVE_SEND_RECV:
      symbols = g_strdup (one_neighbour ? _ ("calls/2 · S, the others receive") : _ ("calls · S"));
      numbers = plg_explainer_fill (one_neighbour ? "{i}/2 · {v}" : "{i} · {v}", calls, buffer);
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
      numbers = plg_explainer_fill ("{i} · {i}/{i} · {v}", calls, n - 1.0, n, buffer);
      break;
    }
  plg_explainer_add (
      self, communication_id (collective), title, symbols, numbers,
      plg_explainer_fill (_ ("{v} sent by a GPU in a step, {t}, of which {t} not hidden"),
                          collective->bytes_sent, collective->time, collective->exposed),
      "nccl-tests, doc/PERFORMANCE.md");
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
                     plg_explainer_fill ("2·{i}/{i} · 2·{c}", n - 1.0, n, parameters),
                     plg_explainer_fill (_ ("{v}; here {v}"),
                                         plg_handbook_ring_bytes (2.0 * parameters, (int) n), sent),
                     _ ("Teaching handbook, ring all-reduce"));
  plg_explainer_note (self, g_strdup (_ ("It sends gradients in 16 bits; here they have the plan's "
                                         "precision, experts have groups of their own, and ZeRO "
                                         "gathers weights.")));
}

void
plg_explain_communication (PlgExplainer *self)
{
  for (guint i = 0; i < self->report->collectives->len; i++)
    explain_collective (self, &g_array_index (self->report->collectives, PlgCollective, i));
  if (self->plan->profile == PLG_PROFILE_STANDARD)
    explain_handbook_ring (self);
}
