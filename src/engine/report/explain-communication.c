/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/model/program.h"
#include "engine/model/textbook.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Returns the id of an explanation, for example "communication.dp.all-gather"; free with
 * g_free(). For the second and later collectives of a kind, the id also contains a number. */
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

static const char *const algorithm_titles[] = {
  [PLG_ALGORITHM_RING] = N_ ("ring"),
  [PLG_ALGORITHM_TREE] = N_ ("double binary tree"),
  [PLG_ALGORITHM_NVLS] = N_ ("NVLink SHARP"),
  [PLG_ALGORITHM_PAIRWISE] = N_ ("all pairs"),
  [PLG_ALGORITHM_DIRECT] = N_ ("point to point"),
  [PLG_ALGORITHM_FORWARD] = N_ ("once per node, forwarded inside the node"),
};
G_STATIC_ASSERT (G_N_ELEMENTS (algorithm_titles) == PLG_N_ALGORITHMS);

static gboolean
is_dispatch (const PlgCollective *collective)
{
  double n = collective->group_size;
  double each = collective->calls * collective->bytes_per_call * (n - 1.0) / n;

  return collective->kind == PLG_COLLECTIVE_ALL_TO_ALL && collective->nodes_spanned > 1 &&
         fabs (collective->bytes_sent - each) > 1e-9 * each;
}

/* Returns how the dispatcher of PLAN sends tokens to their experts; NULL if COLLECTIVE does not
 * send tokens or the plan leaves the dispatcher open. Free with g_free(). */
static char *
dispatcher_note (const PlgPlan *plan, const PlgCollective *collective)
{
  double ranks, nodes;

  if (collective->axis != PLG_AXIS_EP)
    return NULL;
  switch (plan->parallelism.dispatcher)
    {
    case PLG_DISPATCHER_ALL_TO_ALL:
      return plg_explainer_format (_ ("A copy of each token travels to each of its {i} experts."),
                                   (double) plan->model.top_k);
    case PLG_DISPATCHER_ALL_GATHER:
      return g_strdup (_ ("Each GPU of the EP group receives all tokens of the group."));
    case PLG_DISPATCHER_DEEPEP:
    case PLG_DISPATCHER_HYBRIDEP:
      ranks = plg_expert_places (&plan->model, collective->group_size);
      nodes = plg_expert_places (&plan->model, collective->nodes_spanned);
      return plg_explainer_format (
          _ ("A token has its {i} experts on {n} GPUs of {n} nodes on average. "
             "It travels to each node once, and each GPU receives it once."),
          (double) plan->model.top_k, ranks, nodes);
    case PLG_DISPATCHER_AUTO:
    default:
      return NULL;
    }
}

static const char *
dispatch_source (const PlgPlan *plan, const PlgCollective *collective)
{
  if (collective->axis == PLG_AXIS_EP && plan->parallelism.dispatcher == PLG_DISPATCHER_HYBRIDEP)
    return "DeepEP, github.com/deepseek-ai/DeepEP, Hybrid-EP_Implementation.md";
  if (is_dispatch (collective) ||
      (collective->axis == PLG_AXIS_EP && plan->parallelism.dispatcher == PLG_DISPATCHER_DEEPEP))
    return "DeepEP, github.com/deepseek-ai/DeepEP";
  return "nccl-tests, doc/PERFORMANCE.md";
}

static gboolean
is_of_muon (const PlgCollective *collective)
{
  return collective->collective_subject == PLG_COLLECTIVE_SUBJECT_MOMENTUM ||
         collective->collective_subject == PLG_COLLECTIVE_SUBJECT_EXPERT_MOMENTUM;
}

static const char *
hiding_of (const PlgPlan *plan, const PlgCollective *collective)
{
  if (collective->collective_subject == PLG_COLLECTIVE_SUBJECT_LOSS &&
      collective->kind == PLG_COLLECTIVE_ALL_REDUCE)
    return _ ("For each token, the call reduces the largest logit, the sum of exponentials and "
              "the target's logit. The call is fully exposed.");
  if (collective->collective_subject == PLG_COLLECTIVE_SUBJECT_MIXER)
    return _ (
        "Each mixer gets the whole sequence of some of its heads, and returns its part of the "
        "sequence. The call is fully exposed.");
  if (is_of_muon (collective) && collective->axis == PLG_AXIS_DP)
    return _ ("Each GPU sends its shards of the momentum to the GPUs that orthogonalize these "
              "matrices, and gets its shards of the results back. The call is fully exposed.");
  if (is_of_muon (collective) && collective->kind == PLG_COLLECTIVE_ALL_GATHER)
    return _ ("Each GPU gathers the matrices in FP32 that TP divides, and orthogonalizes the "
              "whole matrices. The call is fully exposed.");
  if (is_of_muon (collective))
    return _ (
        "In each iteration, the GPUs add the products of their parts of a matrix. The call is "
        "fully exposed.");
  if (collective->axis == PLG_AXIS_TP &&
      collective->collective_subject != PLG_COLLECTIVE_SUBJECT_LAYERS)
    return _ ("The call is fully exposed.");
  switch (collective->axis)
    {
    case PLG_AXIS_TP:
      if (plan->parallelism.sequence && plan->parallelism.overlap_tp)
        return _ ("Each call runs in tiles alongside its matrix product, so only the last tile "
                  "is exposed.");
      if (plan->parallelism.sequence)
        return _ ("Four of the ten calls per layer run during matrix products of the backward "
                  "pass, as in Megatron-LM. The other six are exposed.");
      if (plan->parallelism.overlap_tp)
        return _ ("In the backward pass, the call runs during the matrix product for the weight "
                  "gradient. In the forward pass, it is exposed.");
      return _ ("The call is fully exposed.");
    case PLG_AXIS_CP:
      return plan->parallelism.cp_type == PLG_CP_RING
                 ? _ ("Keys and values arrive while attention processes the previous ones.")
                 : _ ("The call is fully exposed.");
    case PLG_AXIS_EP:
      return plan->training.schedule == PLG_SCHEDULE_DUALPIPE || plan->parallelism.overlap_ep
                 ? _ ("The call runs during the computation of another micro-batch.")
                 : _ ("The call is fully exposed because EP overlap is off.");
    case PLG_AXIS_PP:
      return plan->parallelism.overlap_pp
                 ? _ ("The sender continues; the receiver waits only if the message is late.")
                 : _ ("Sender and receiver wait for the message.");
    case PLG_AXIS_DP:
    default:
      if (!plan->parallelism.overlap_dp)
        return _ ("The call is fully exposed because DP overlap is off.");
      if (collective->collective_subject == PLG_COLLECTIVE_SUBJECT_REPLICAS ||
          collective->collective_subject == PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS)
        return _ ("Each GPU sums its shard of the gradients with the GPUs that have the same shard "
                  "in the other shard groups, once per step. All buckets except one can overlap "
                  "with the last backward pass.");
      if (plg_scatters_each_micro_batch (plan))
        return _ ("The call runs one layer ahead and can overlap with the compute time that other "
                  "collectives leave free. It takes some of the GPU's multiprocessors.");
      if (collective->kind == PLG_COLLECTIVE_BROADCAST)
        return _ ("Each GPU broadcasts its shard of the new weights, one after the other. All "
                  "broadcasts except one can overlap with the first forward pass of each stage. "
                  "They take some of the GPU's multiprocessors.");
      return _ (
          "Data is sent in buckets. All buckets except one can overlap with the last backward "
          "pass or the first forward pass of each stage. They take some of the GPU's "
          "multiprocessors.");
    }
}

/* Returns the bytes of the fullest rank in a call of COLLECTIVE, divided by the mean of all ranks. */
static double
load_of (const PlgPlan *plan, const PlgCollective *collective)
{
  gboolean is_gathered = plan->parallelism.dispatcher == PLG_DISPATCHER_ALL_GATHER;
  gboolean is_of_experts = (collective->axis == PLG_AXIS_EP && !is_gathered) ||
                           (collective->axis == PLG_AXIS_TP &&
                            collective->collective_subject == PLG_COLLECTIVE_SUBJECT_EXPERTS);

  return is_of_experts ? plg_expert_load (plan) : 1.0;
}

/* Names the constants that decide how much of COLLECTIVE the last explanation counts as hidden. */
static void
add_hiding_constants (PlgExplainer *self, const PlgCollective *collective)
{
  const PlgPlan *plan = self->plan;
  const PlgProgramHabits *habits = plg_program_habits (plan);
  gboolean in_layers = collective->collective_subject == PLG_COLLECTIVE_SUBJECT_LAYERS;

  if (is_of_muon (collective))
    return;
  switch (collective->axis)
    {
    case PLG_AXIS_TP:
      if (!in_layers || (!plan->parallelism.sequence && !plan->parallelism.overlap_tp))
        return;
      break;
    case PLG_AXIS_CP:
      if (plan->parallelism.cp_type != PLG_CP_RING ||
          collective->collective_subject == PLG_COLLECTIVE_SUBJECT_MIXER)
        return;
      break;
    case PLG_AXIS_EP:
      if (plan->training.schedule == PLG_SCHEDULE_DUALPIPE)
        break;
      if (!plan->parallelism.overlap_ep)
        return;
      plg_explainer_constant (self, PLG_CONSTANT_EP_OVERLAP);
      break;
    case PLG_AXIS_DP:
      if (!plan->parallelism.overlap_dp)
        return;
      if (!plg_scatters_each_micro_batch (plan) && collective->kind != PLG_COLLECTIVE_BROADCAST)
        {
          plg_explainer_constant (self, habits->bucket);
          if (habits->grows_buckets)
            plg_explainer_constant (self, PLG_CONSTANT_BUCKET_PER_REPLICA);
        }
      break;
    case PLG_AXIS_PP:
    default:
      return;
    }
  plg_explainer_constant (self, collective->nodes_spanned > 1 ? PLG_CONSTANT_COMM_SM_SHARE_INTER
                                                              : PLG_CONSTANT_COMM_SM_SHARE_INTRA);
}

/* Names the constants of the cost of COLLECTIVE's longest call. */
static void
add_cost_constants (PlgExplainer *self, const PlgCollective *collective)
{
  const PlgCollectiveCost *cost = &collective->cost;

  if (collective->contention_factor > 1.0)
    plg_explainer_constant (self, collective->axis == PLG_AXIS_TP ? PLG_CONSTANT_NVLINK_CONTENTION
                                  : collective->contention_factor == PLG_NETWORK_CONTENTION
                                      ? PLG_CONSTANT_NETWORK_CONTENTION
                                      : PLG_CONSTANT_LATE_CONTENTION);
  if (cost->algorithm == PLG_ALGORITHM_NVLS)
    {
      plg_explainer_constant (self, PLG_CONSTANT_MULTICAST_LATENCY);
      plg_explainer_constant (self, PLG_CONSTANT_MULTICAST_BANDWIDTH);
    }
  else if (cost->low_latency)
    {
      plg_explainer_constant (self, PLG_CONSTANT_BASE_LOW_LATENCY);
      plg_explainer_constant (self, PLG_CONSTANT_LOW_LATENCY_STEP);
      plg_explainer_constant (self, PLG_CONSTANT_LOW_LATENCY_BANDWIDTH);
    }
  else if (cost->algorithm == PLG_ALGORITHM_FORWARD)
    {
      gboolean is_hybrid = self->plan->parallelism.dispatcher == PLG_DISPATCHER_HYBRIDEP;

      plg_explainer_constant (self,
                              is_hybrid ? PLG_CONSTANT_HYBRIDEP_START : PLG_CONSTANT_BASE_SIMPLE);
      plg_explainer_constant (self, is_hybrid ? PLG_CONSTANT_HYBRIDEP_INSIDE
                                              : PLG_CONSTANT_DEEPEP_INSIDE);
      if (collective->nodes_spanned > 1)
        plg_explainer_constant (self, PLG_CONSTANT_FORWARD_OUTSIDE);
    }
  else
    plg_explainer_constant (self, PLG_CONSTANT_BASE_SIMPLE);
  if (cost->algorithm == PLG_ALGORITHM_TREE)
    plg_explainer_constant (self, PLG_CONSTANT_TREE_BANDWIDTH);
  if (cost->algorithm == PLG_ALGORITHM_PAIRWISE)
    plg_explainer_constant (self, PLG_CONSTANT_MAX_CONCURRENT_PEERS);
  if (collective->nodes_spanned > 1 && !self->plan->cluster.rdma)
    {
      plg_explainer_constant (self, PLG_CONSTANT_TCP_EFFICIENCY);
      plg_explainer_constant (self, PLG_CONSTANT_TCP_LATENCY);
      plg_explainer_constant (self, PLG_CONSTANT_TCP_OF_HOST);
    }
}

/* Explains the longest call of COLLECTIVE. */
static void
explain_call (PlgExplainer *self, const PlgCollective *collective)
{
  double load = load_of (self->plan, collective);
  const PlgCollectiveCost *cost = &collective->cost;
  double time = cost->start + cost->latency + cost->bytes / MAX (cost->bandwidth, 1.0);
  g_autofree char *id = communication_id (self, collective, ".call");
  g_autofree char *what = plg_collective_title (collective);
  g_autofree char *title = g_strdup_printf (_ ("%s: longest call"), what);
  g_autofree char *size = plg_format_volume (load * collective->call_bytes);
  g_autofree char *contention_factor = collective->contention_factor > 1.0
                                           ? plg_explainer_format ("{n} · (",
                                                                   collective->contention_factor)
                                           : g_strdup ("");
  g_autofree char *sum = plg_explainer_format ("{t} + {t} + {v} / {b}", cost->start, cost->latency,
                                               cost->bytes, cost->bandwidth);
  g_autofree char *taken = plg_format_time (collective->contention_factor * time);
  g_autoptr (GString) note = g_string_new (NULL);

  if (cost->bytes <= 0.0)
    return;
  plg_explainer_add (self, id, title,
                     g_strdup (collective->contention_factor > 1.0
                                   ? _ ("contention · (start + latency of all steps"
                                        " + bytes / bandwidth)")
                                   : _ ("start + latency of all steps + bytes / bandwidth")),
                     g_strconcat (contention_factor, sum,
                                  collective->contention_factor > 1.0 ? ")" : NULL, NULL),
                     cost->algorithm == PLG_ALGORITHM_FORWARD
                         ? g_strdup_printf (_ ("%s for %s: %s"), taken, size,
                                            _ (algorithm_titles[cost->algorithm]))
                         : g_strdup_printf (_ ("%s for %s: %s, NCCL protocol %s"), taken, size,
                                            _ (algorithm_titles[cost->algorithm]),
                                            cost->low_latency ? "LL" : "Simple"),
                     cost->algorithm == PLG_ALGORITHM_FORWARD
                         ? dispatch_source (self->plan, collective)
                         : "NCCL, src/graph/tuning.cc; Thakur et al. 2005");
  plg_explainer_uses (self,
                      (collective->nodes_spanned < collective->group_size ? PLG_USES_INTRA : 0) |
                          (collective->nodes_spanned > 1 ? PLG_USES_INTER : 0));
  add_cost_constants (self, collective);
  if (collective->contention_factor > 1.0)
    g_string_append (note,
                     _ ("Contention: members do not start at the same time, and kernels share "
                        "the memory. The factor is fitted to published runs (docs/model.md)."));
  if (load > 1.0)
    {
      g_autofree char *fullest = plg_explainer_format (_ ("The fullest rank receives {n} times the "
                                                          "mean, and all ranks wait for it."),
                                                       load);

      g_string_append_printf (note, "%s%s", note->len > 0 ? " " : "", fullest);
    }
  if (note->len > 0)
    plg_explainer_note (self, g_strdup (note->str));
}

/* Explains the DP traffic as the handbook computes it: a ring all-reduce of the gradients of all
 * parameters on the fullest GPU. */
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
  plg_explainer_add (self, "communication.dp.handbook",
                     _ ("DP all-reduce according to the handbook"), g_strdup ("2·(n − 1)/n · 2·P"),
                     plg_explainer_format ("2·{i}/{i} · 2·{c}", n - 1.0, n, parameters),
                     plg_explainer_format (_ ("{v}; here {v}"),
                                           plg_handbook_ring_bytes (2.0 * parameters, (int) n),
                                           sent),
                     _ ("Teaching handbook, ring all-reduce"));
  plg_explainer_note (self, g_strdup (_ ("The handbook assumes 16-bit gradients. In this plan, "
                                         "gradients have the plan's precision, experts have "
                                         "separate groups, and ZeRO gathers weights.")));
}

void
plg_explain_communication (PlgExplainer *self)
{
  int busiest = self->report->step.busiest_stage;

  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (self->report->collectives, PlgCollective, i);

      double n = row->group_size, calls = row->calls;
      double buffer = row->bytes_per_call, nodes = MAX (row->nodes_spanned, 1);
      double members = n / nodes;
      g_autofree char *id = communication_id (self, row, "");
      g_autofree char *title = plg_collective_title (row);
      gboolean one_neighbour = row->bytes_sent < 0.75 * calls * buffer;
      g_autofree char *dispatcher = dispatcher_note (self->plan, row), *hiding = NULL;
      char *symbols, *numbers;

      switch (row->kind)
        {
        case PLG_COLLECTIVE_ALL_REDUCE:
          symbols = g_strdup (_ ("calls · 2·(n − 1)/n · S"));
          numbers = plg_explainer_format ("{i} · 2·{i}/{i} · {v}", calls, n - 1.0, n, buffer);
          break;
        case PLG_COLLECTIVE_SEND_RECV:
          symbols = g_strdup (one_neighbour ? _ ("calls/2 · S; the other half of the calls "
                                                 "receive data")
                                            : _ ("calls · S"));
          numbers = plg_explainer_format (one_neighbour ? "{i}/2 · {v}" : "{i} · {v}", calls,
                                          buffer);
          break;
        case PLG_COLLECTIVE_ALL_TO_ALL:
          if (is_dispatch (row))
            {
              symbols = g_strdup (_ ("calls · S · (x·(n − q)/n + (q − 1)/q), where q is the "
                                     "members per node and x is the share of token copies that "
                                     "travel between nodes"));
              numbers = plg_explainer_format ("{i} · {v} · ({e}·({i} − {n})/{i} + ({n} − 1)/{n})",
                                              calls, buffer, row->node_copy_share, n, members, n,
                                              members, members);
              break;
            }
          G_GNUC_FALLTHROUGH;
        case PLG_COLLECTIVE_ALL_GATHER:
        case PLG_COLLECTIVE_BROADCAST:
        case PLG_COLLECTIVE_REDUCE_SCATTER:
        default:
          symbols = g_strdup (_ ("calls · (n − 1)/n · S"));
          numbers = plg_explainer_format ("{i} · {i}/{i} · {v}", calls, n - 1.0, n, buffer);
          break;
        }
      plg_explainer_add (
          self, id, title, symbols, numbers,
          plg_explainer_format (_ ("{v} sent per GPU per step in {t}, of which {t} is exposed"),
                                row->bytes_sent, row->time, row->exposed),
          dispatch_source (self->plan, row));
      hiding = g_strdup_printf ("%s%s%s", dispatcher != NULL ? dispatcher : "",
                                dispatcher != NULL ? " " : "", hiding_of (self->plan, row));
      if (row->axis == PLG_AXIS_DP || row->stage == busiest || is_of_muon (row))
        plg_explainer_note (self, g_strdup (hiding));
      else
        plg_explainer_note (
            self,
            g_strdup_printf (
                _ ("%s The call runs only on stage %d, where it shortens the wait for stage %d."),
                hiding, row->stage, busiest));
      add_hiding_constants (self, row);
      explain_call (self, row);
    }
  if (self->plan->profile == PLG_PROFILE_STANDARD)
    explain_handbook_ring (self);
}
