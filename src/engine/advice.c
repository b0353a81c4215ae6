/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice.h"

#include "engine/advisor.h"
#include "engine/evaluate.h"
#include "engine/evaluation.h"
#include "engine/kernel.h"
#include "engine/textbook.h"
#include "plan/quantity.h"
#include "plan/setting.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* From here on people should look. */
#define MEMORY_TIGHT 0.95
#define BUBBLE_CEILING 0.10
#define DP_CEILING 0.05
#define TP_CEILING 0.10
#define NARROW_PRODUCT 0.85 /* of the best product's speed */
static int
degree (const PlgAdvisor *self, PlgAxis axis)
{
  return self->plan->parallelism.degree[axis];
}

static double
share_of_step (const PlgAdvisor *self, PlgPart part)
{
  return self->report->step.part[part] / self->report->step.time;
}

/* PP times DEEPER, EP times WIDER, ZeRO SHARDED and, when asked for, full recompute: what of it is
 * new. */
static void
consider_room (PlgAdvisor *self,
               PlgChoice *choice,
               double limit,
               int deeper,
               int wider,
               int sharded,
               gboolean recompute)
{
  g_autoptr (GString) edits = g_string_new (NULL);

  if (wider > 1)
    g_string_append_printf (edits, " parallelism.ep=%d", wider * degree (self, PLG_AXIS_EP));
  if (deeper > 1)
    g_string_append_printf (edits, " parallelism.pp=%d", deeper * degree (self, PLG_AXIS_PP));
  if (sharded > self->plan->parallelism.zero)
    g_string_append_printf (edits, " parallelism.zero=%d", sharded);
  if (recompute)
    g_string_append (edits, " training.recompute=full");
  if (edits->len > 0)
    plg_advisor_consider (self, choice, limit, "%s", edits->str + 1);
}

/* The notebook's estimate knows TP and PP alone, and activations grow with TP: a narrower TP with
 * more PP may be what fits. */
static void
consider_notebook (PlgAdvisor *self, PlgChoice *choice, double limit)
{
  for (int tp = 1; tp <= MAX (8, 2 * degree (self, PLG_AXIS_TP)); tp *= 2)
    for (int pp = 1; pp <= 64; pp *= 2)
      plg_advisor_consider (self, choice, limit, "parallelism.tp=%d parallelism.pp=%d", tp, pp);
}

/* Experts over more GPUs. */
static void
consider_experts (PlgAdvisor *self, PlgChoice *choice, double limit)
{
  if (!plg_transformer_is_moe (&self->plan->model))
    return;
  for (int wider = 2; wider <= 8; wider *= 2)
    for (int deeper = 1; deeper <= 4; deeper *= 2)
      for (int recompute = 0; recompute <= 1; recompute++)
        consider_room (self, choice, limit, deeper, wider, self->plan->parallelism.zero, recompute);
}

/* What makes room, alone and together; the fastest that is enough wins. */
static void
consider_smaller (PlgAdvisor *self, PlgChoice *choice, double limit)
{
  gboolean full = self->plan->training.recompute == PLG_RECOMPUTE_FULL;
  int tp = degree (self, PLG_AXIS_TP);

  if (self->plan->profile == PLG_PROFILE_NOTEBOOK)
    {
      consider_notebook (self, choice, limit);
      return;
    }
  consider_experts (self, choice, limit);
  plg_advisor_consider (self, choice, limit, "parallelism.sequence=true");
  if (self->plan->training.recompute == PLG_RECOMPUTE_NONE)
    plg_advisor_consider (self, choice, limit, "training.recompute=selective");
  if (self->plan->training.micro_batch > 1)
    plg_advisor_consider (self, choice, limit, "training.micro-batch=%d",
                          self->plan->training.micro_batch / 2);
  plg_advisor_consider (self, choice, limit, "parallelism.tp=%d", 2 * tp);
  if (!full)
    plg_advisor_consider (self, choice, limit, "parallelism.tp=%d training.recompute=full", 2 * tp);
  for (int deeper = 1; deeper <= 4; deeper *= 2)
    for (int sharded = self->plan->parallelism.zero; sharded <= 3; sharded++)
      for (int recompute = 0; recompute <= (full ? 0 : 1); recompute++)
        consider_room (self, choice, limit, deeper, 1, sharded, recompute);
}

static void
advise_out_of_memory (PlgAdvisor *self)
{
  PlgProfile profile = self->plan->profile;
  double peak = self->report->memory_peak, capacity = self->report->memory_capacity;
  g_autofree char *needed = plg_profile_memory (profile, peak);
  g_autofree char *there = plg_profile_memory (profile, capacity);
  const char *unit;
  double unit_bytes = plg_profile_memory_unit (profile, &unit);
  PlgChoice choice = { 0 };
  char *remedy;

  if (self->report->fits)
    return;
  consider_smaller (self, &choice, capacity);
  if (choice.edits != NULL)
    remedy = plg_advisor_describe (self, &choice);
  else if (profile == PLG_PROFILE_NOTEBOOK)
    remedy = g_strdup (_ ("Only TP and PP change the notebook's memory: no degrees on this "
                          "cluster make it fit."));
  else
    remedy = g_strdup (_ ("Use more GPUs, a smaller model, or more PP, ZeRO and recompute "
                          "together."));
  plg_advisor_add (self, "out-of-memory", PLG_SEVERITY_ERROR,
                   g_strdup_printf (_ ("Stage %d needs %s a GPU, but a GPU has %s."),
                                    self->report->memory_peak_stage, needed, there),
                   peak / unit_bytes, capacity / unit_bytes, unit, remedy, &choice);
}

static void
advise_memory_tight (PlgAdvisor *self)
{
  double peak = self->report->memory_peak, capacity = self->report->memory_capacity;
  g_autofree char *share = plg_format_share (peak / capacity);
  PlgChoice choice = { 0 };

  if (!self->report->fits || peak <= MEMORY_TIGHT * capacity)
    return;
  consider_smaller (self, &choice, 0.9 * capacity);
  plg_advisor_add (self, "memory-tight", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("Stage %d fills %s of its memory; fragmentation or a longer "
                                       "sequence "
                                       "may overflow it."),
                                    self->report->memory_peak_stage, share),
                   peak / PLG_GIB, MEMORY_TIGHT * capacity / PLG_GIB, "GiB",
                   choice.edits != NULL ? plg_advisor_describe (self, &choice)
                                        : g_strdup (_ ("Leave a twentieth of the memory free.")),
                   &choice);
}

/* The row of AXIS that takes longest, or NULL. */
static const PlgCollective *
longest_row (const PlgAdvisor *self, PlgAxis axis)
{
  const PlgCollective *longest = NULL;

  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (self->report->collectives, PlgCollective, i);

      if (row->axis == axis && (longest == NULL || row->time > longest->time))
        longest = row;
    }
  return longest;
}

static double
calls_of_axis (const PlgAdvisor *self, PlgAxis axis)
{
  double calls = 0.0;

  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (self->report->collectives, PlgCollective, i);

      if (row->axis == axis)
        calls += row->calls;
    }
  return calls;
}

/* Orders in which AXIS could lie further inside. */
static void
consider_orders (PlgAdvisor *self, PlgChoice *choice)
{
  static const char *const orders[] = { "tp-cp-pp-dp", "tp-cp-dp-pp", "tp-dp-cp-pp", "tp-pp-cp-dp",
                                        "tp-dp-pp-cp", "tp-pp-dp-cp", "cp-tp-dp-pp" };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    plg_advisor_consider (self, choice, plg_advisor_memory_limit (self), "parallelism.order=%s",
                          orders[i]);
}

static char *
crossing_text (const PlgAdvisor *self, PlgAxis axis, const PlgCollective *row)
{
  g_autofree char *calls = plg_format_count (calls_of_axis (self, axis));
  g_autofree char *time = plg_format_time (row->time);

  return g_strdup_printf (_ ("%s groups of %d span %d nodes: their %s calls a step leave the node, "
                             "and the longest kind takes %s."),
                          plg_axis_label (axis), row->group_size, row->nodes_spanned, calls, time);
}

static void
advise_tp_crossing (PlgAdvisor *self)
{
  const PlgCollective *row = longest_row (self, PLG_AXIS_TP);
  int gpus = self->plan->cluster.gpus_per_node, tp = degree (self, PLG_AXIS_TP);
  g_autofree char *how = NULL;
  PlgChoice choice = { 0 };
  char *remedy;

  if (row == NULL || row->nodes_spanned < 2)
    return;
  consider_orders (self, &choice);
  for (int narrower = tp / 2; narrower >= 1; narrower /= 2)
    if (tp % narrower == 0 && narrower <= gpus)
      {
        plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                              "parallelism.tp=%d parallelism.order=tp-cp-pp-dp", narrower);
        plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                              "parallelism.tp=%d parallelism.pp=%d", narrower,
                              degree (self, PLG_AXIS_PP) * (tp / narrower));
      }
  if (!plg_advisor_is_worth (self, &choice))
    g_clear_pointer (&choice.edits, g_free);
  if (choice.edits != NULL)
    how = plg_advisor_describe_edits (choice.edits);
  remedy = how != NULL
               ? g_strdup_printf (_ ("Keep each TP group inside a node of %d GPUs: %s."), gpus, how)
               : g_strdup_printf (_ ("Keep each TP group inside a node of %d GPUs: TP innermost, "
                                     "and the placement by the order."),
                                  gpus);
  plg_advisor_add (self, "tp-crosses-node", PLG_SEVERITY_WARNING,
                   crossing_text (self, PLG_AXIS_TP, row), row->nodes_spanned, 1.0, "nodes", remedy,
                   &choice);
}

/* CP and EP: worse than inside, but often without a choice. */
static void
advise_crossing (PlgAdvisor *self, PlgAxis axis, const char *id)
{
  const PlgCollective *row = longest_row (self, axis);
  int beside = axis == PLG_AXIS_CP ? degree (self, PLG_AXIS_TP) : 1;
  gboolean could_fit = row != NULL && row->group_size * beside <= self->plan->cluster.gpus_per_node;
  double exposed = share_of_step (self, axis == PLG_AXIS_CP ? PLG_PART_CP : PLG_PART_EP);
  PlgChoice choice = { 0 };

  if (row == NULL || row->nodes_spanned < 2)
    return;
  consider_orders (self, &choice);
  if (axis == PLG_AXIS_EP)
    plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                          "parallelism.overlap-ep=true");
  if (!plg_advisor_is_worth (self, &choice))
    g_clear_pointer (&choice.edits, g_free);
  plg_advisor_add (self, id,
                   could_fit && exposed > PLG_WORTH ? PLG_SEVERITY_WARNING : PLG_SEVERITY_HINT,
                   crossing_text (self, axis, row), row->nodes_spanned, 1.0, "nodes",
                   choice.edits != NULL ? plg_advisor_describe (self, &choice)
                   : could_fit          ? g_strdup (_ ("Nest it further inside, next to TP."))
                               : g_strdup (_ ("It has no room in a node: lower its degree, or hide "
                                              "it behind "
                                              "computing.")),
                   &choice);
}

static void
consider_chunks (PlgAdvisor *self, PlgChoice *choice)
{
  int layers = self->plan->model.layers / MAX (degree (self, PLG_AXIS_PP), 1);

  for (int chunks = 2; chunks <= MIN (layers, 12); chunks++)
    if (layers % chunks == 0)
      plg_advisor_consider (self, choice, plg_advisor_memory_limit (self),
                            "training.schedule=interleaved parallelism.chunks=%d", chunks);
}

static void
advise_bubble (PlgAdvisor *self)
{
  double share = share_of_step (self, PLG_PART_BUBBLE);
  g_autofree char *value = plg_format_share (share);
  g_autofree char *limit = plg_format_share (BUBBLE_CEILING);
  PlgChoice choice = { 0 };

  if (share <= BUBBLE_CEILING)
    return;
  consider_chunks (self, &choice);
  if (self->plan->training.micro_batch > 1)
    plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self), "training.micro-batch=%d",
                          self->plan->training.micro_batch / 2);
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                        "training.schedule=zb-h1 parallelism.chunks=1");
  if (degree (self, PLG_AXIS_PP) % 2 == 0)
    plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self), "parallelism.pp=%d",
                          degree (self, PLG_AXIS_PP) / 2);
  if (!plg_advisor_is_worth (self, &choice))
    g_clear_pointer (&choice.edits, g_free);
  plg_advisor_add (
      self, "bubble-high", PLG_SEVERITY_WARNING,
      g_strdup_printf (_ ("The pipeline bubble is %s of the step; more than %s is much. %d stages "
                          "have %d micro-batches to fill them."),
                       value, limit, degree (self, PLG_AXIS_PP), self->report->micro_batches),
      100.0 * share, 100.0 * BUBBLE_CEILING, "%",
      choice.edits != NULL
          ? plg_advisor_describe (self, &choice)
          : g_strdup (_ ("More micro-batches fill it: raise the global batch or lower PP.")),
      &choice);
}

static void
advise_batch_small (PlgAdvisor *self)
{
  int pp = degree (self, PLG_AXIS_PP), m = self->report->micro_batches;

  if (m >= pp)
    return;
  plg_advisor_add (self, "batch-small", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("%d micro-batches never fill %d stages: some always wait."),
                                    m, pp),
                   m, pp, "micro-batches",
                   g_strdup_printf (_ ("Use a global batch of %d or more, or fewer stages."),
                                    pp * self->plan->training.micro_batch *
                                        degree (self, PLG_AXIS_DP)),
                   NULL);
}

static void
advise_recompute (PlgAdvisor *self)
{
  double limit = MEMORY_TIGHT * self->report->memory_capacity;
  g_autofree char *spent = plg_format_time (self->report->step.part[PLG_PART_RECOMPUTE]);
  PlgChoice choice = { 0 };

  if (self->report->step.part[PLG_PART_RECOMPUTE] <= 0.0 || !self->report->fits)
    return;
  plg_advisor_consider (self, &choice, limit, "training.recompute=none");
  plg_advisor_consider (self, &choice, limit, "training.recompute=selective");
  if (!plg_advisor_is_worth (self, &choice))
    {
      g_free (choice.edits);
      return;
    }
  plg_advisor_add (self, "recompute-unneeded", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("Recompute takes %s a step, but there is memory for the "
                                       "activations."),
                                    spent),
                   choice.memory / PLG_GIB, self->report->memory_capacity / PLG_GIB, "GiB",
                   plg_advisor_describe (self, &choice), &choice);
}

static void
advise_dp (PlgAdvisor *self)
{
  double share = share_of_step (self, PLG_PART_DP);
  g_autofree char *value = plg_format_share (share);
  g_autofree char *limit = plg_format_share (DP_CEILING);
  PlgChoice choice = { 0 };

  if (share <= DP_CEILING)
    return;
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                        "parallelism.overlap-dp=true");
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                        "training.gradient-precision=bf16");
  for (int zero = 1; zero < self->plan->parallelism.zero; zero++)
    plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self), "parallelism.zero=%d",
                          zero);
  if (!plg_advisor_is_worth (self, &choice))
    g_clear_pointer (&choice.edits, g_free);
  plg_advisor_add (self, "dp-exposed", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("Nothing hides the gradients' and weights' way between "
                                       "replicas for %s "
                                       "of the step; more than %s is much."),
                                    value, limit),
                   100.0 * share, 100.0 * DP_CEILING, "%",
                   choice.edits != NULL ? plg_advisor_describe (self, &choice)
                                        : g_strdup (_ ("A larger global batch makes it rarer.")),
                   &choice);
}

static void
advise_tp_exposed (PlgAdvisor *self)
{
  double share = share_of_step (self, PLG_PART_TP);
  g_autofree char *value = plg_format_share (share);
  PlgChoice choice = { 0 };

  if (share <= TP_CEILING || self->plan->parallelism.overlap_tp)
    return;
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                        "parallelism.overlap-tp=true");
  if (!plg_advisor_is_worth (self, &choice))
    {
      g_free (choice.edits);
      return;
    }
  plg_advisor_add (self, "tp-exposed", PLG_SEVERITY_HINT,
                   g_strdup_printf (_ ("TP communication that nothing hides is %s of the step."),
                                    value),
                   100.0 * share, 100.0 * TP_CEILING, "%", plg_advisor_describe (self, &choice),
                   &choice);
}

/* Megatron-LM refuses such a plan (megatron/training/arguments.py, validate_args). */
static char *
sequence_text (const PlgAdvisor *self, const char *less)
{
  if (plg_transformer_is_moe (&self->plan->model))
    return g_strdup_printf (_ ("Without sequence parallelism every GPU of a TP group has all "
                               "tokens, "
                               "and sends the same ones to the experts; Megatron-LM refuses that. "
                               "With it a GPU needs %s less."),
                            less);
  return g_strdup_printf (_ ("Without sequence parallelism every GPU of a TP group keeps all of "
                             "the "
                             "norms' activations; with it a GPU needs %s less."),
                          less);
}

static void
advise_sequence (PlgAdvisor *self)
{
  PlgChoice choice = { 0 };
  g_autofree char *less = NULL;

  if (degree (self, PLG_AXIS_TP) < 2 || self->plan->parallelism.sequence)
    return;
  plg_advisor_consider (self, &choice, G_MAXDOUBLE, "parallelism.sequence=true");
  if (choice.edits == NULL)
    return;
  less = plg_format_memory (self->report->memory_peak - choice.memory);
  plg_advisor_add (self, "sequence-parallel-off",
                   plg_advisor_saved (self, &choice) > 0.0 ||
                           plg_transformer_is_moe (&self->plan->model)
                       ? PLG_SEVERITY_WARNING
                       : PLG_SEVERITY_HINT,
                   sequence_text (self, less), 0.0, 1.0, "on", plg_advisor_describe (self, &choice),
                   &choice);
}

/* TP cuts the matrices; a narrower group may be faster although it has fewer GPUs to share. */
static void
advise_tp_width (PlgAdvisor *self)
{
  const PlgPlan *plan = self->plan;
  int tp = degree (self, PLG_AXIS_TP);
  double tokens = (double) plan->training.micro_batch * plan->training.sequence /
                  degree (self, PLG_AXIS_CP);
  double inner = plan->model.heads * (double) plan->model.head_dim;
  double cut = plg_matrix_efficiency (plan, tokens, plan->model.hidden, inner / tp);
  double whole = plg_matrix_efficiency (plan, tokens, plan->model.hidden, inner);
  g_autofree char *loss = plg_format_share (1.0 - cut / whole);
  PlgChoice choice = { 0 };

  if (tp < 2 || cut > NARROW_PRODUCT * whole)
    return;
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self), "parallelism.tp=%d",
                        tp / 2);
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                        "parallelism.tp=%d parallelism.pp=%d", tp / 2,
                        2 * degree (self, PLG_AXIS_PP));
  if (!plg_advisor_is_worth (self, &choice))
    {
      g_free (choice.edits);
      return;
    }
  plg_advisor_add (self, "tp-too-wide", PLG_SEVERITY_HINT,
                   g_strdup_printf (_ ("TP %d cuts the matrices so narrow that their products lose "
                                       "%s of their "
                                       "speed."),
                                    tp, loss),
                   100.0 * cut / whole, 100.0 * NARROW_PRODUCT, "%",
                   plg_advisor_describe (self, &choice), &choice);
}

static void
advise_better_order (PlgAdvisor *self, const char *order, const char *other, PlgChoice *choice)
{
  plg_advisor_add (self, "pp-order", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("The order %s puts more traffic between nodes than %s."),
                                    order, other),
                   self->report->step.time, choice->time, "s", plg_advisor_describe (self, choice),
                   choice);
}

static gboolean
has_finding (const PlgAdvisor *self, const char *id)
{
  for (guint i = 0; i < self->report->findings->len; i++)
    if (g_str_equal (g_array_index (self->report->findings, PlgFinding, i).id, id))
      return TRUE;
  return FALSE;
}

/* Whether OTHER is the better order of a cluster without faults too: that a slow GPU comes to lie
 * in another stage is no matter of traffic. */
static gboolean
order_matters (PlgAdvisor *self, const char *other)
{
  g_autofree char *edits = g_strconcat ("cluster.faults= parallelism.order=", other, NULL);
  double now;

  if (self->plan->cluster.n_faults == 0)
    return TRUE;
  if (!plg_advisor_try (self, "cluster.faults="))
    return FALSE;
  now = self->outcome->step.time;
  return plg_advisor_try (self, edits) && now - self->outcome->step.time > PLG_WORTH * now;
}

/* Whether PP or DP lies further inside often changes nothing, which is no finding. Groups that
 * cross nodes have their own finding, with the order that helps. */
static void
advise_order (PlgAdvisor *self)
{
  static const char *const orders[] = { "tp-cp-pp-dp", "tp-cp-dp-pp" };
  g_autofree char *order = plg_order_to_string (&self->plan->parallelism);
  gboolean first = g_str_equal (order, orders[0]);
  const char *other = first ? orders[1] : orders[0];
  PlgChoice choice = { 0 };

  if (degree (self, PLG_AXIS_PP) < 2 || degree (self, PLG_AXIS_DP) < 2 ||
      self->plan->cluster.nodes < 2 || self->plan->placement.size > 0 ||
      (!first && !g_str_equal (order, orders[1])) || has_finding (self, "tp-crosses-node") ||
      has_finding (self, "ep-crosses-node") || has_finding (self, "cp-crosses-node"))
    return;
  plg_advisor_consider (self, &choice, G_MAXDOUBLE, "parallelism.order=%s", other);
  if (choice.edits != NULL && plg_advisor_is_worth (self, &choice) && order_matters (self, other))
    advise_better_order (self, order, other, &choice);
  g_free (choice.edits);
}

static void
count_layers (const PlgAdvisor *self, int *fewest, int *most, int *n_most)
{
  *fewest = G_MAXINT;
  *most = *n_most = 0;
  for (guint i = 0; i < self->report->stages->len; i++)
    {
      int layers = g_array_index (self->report->stages, PlgStageMemory, i).layers;

      *fewest = MIN (*fewest, layers);
      *n_most = layers > *most ? 1 : *n_most + (layers == *most);
      *most = MAX (*most, layers);
    }
}

/* "80 layers over 64 stages: 16 have 2, the others fewer." NULL when they divide, counting what the
 * plan counts as a layer, and when they were counted by hand. g_free(). */
static char *
describe_indivisible (const PlgAdvisor *self, int most, int n_most)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  int layers = self->plan->model.layers, chunks = parallelism->chunks;
  int stages = degree (self, PLG_AXIS_PP);
  int places = layers + !!parallelism->embedding_slot + !!parallelism->loss_slot;

  if (parallelism->first_layers > 0 || parallelism->last_layers > 0 ||
      (places > layers && places % (stages * chunks) == 0))
    return NULL;
  if (layers % stages != 0)
    return g_strdup_printf (_ ("%d layers over %d stages: %d have %d, the others fewer."), layers,
                            stages, n_most, most);
  if (layers / stages % chunks != 0)
    return g_strdup_printf (_ ("%d layers over %d stages of %d chunks: some chunks have one more "
                               "than others."),
                            layers, stages, chunks);
  return NULL;
}

/* Layers that do not divide: whatever it costs, people should know of it. Takes TEXT. */
static void
advise_indivisible (PlgAdvisor *self, char *text, int most)
{
  int layers = self->plan->model.layers, stages = degree (self, PLG_AXIS_PP);
  int pieces = layers % stages != 0 ? stages : stages * self->plan->parallelism.chunks;

  plg_advisor_add (self, "uneven-stages", PLG_SEVERITY_HINT, text,
                   pieces == stages ? most : ceil ((double) layers / pieces),
                   (double) layers / pieces, "layers",
                   g_strdup (_ ("Use a PP, and chunks, that divide the layers.")), NULL);
}

/* What the schedule waits, of the step, beyond the closed form: for stages that take longer. That
 * is not for faults, which have their own line. */
static double
extra_idle (PlgAdvisor *self)
{
  const PlgBubble *bubble = &self->report->bubble;

  if (self->plan->cluster.n_faults > 0 && plg_advisor_try (self, "cluster.faults="))
    bubble = &self->outcome->bubble;
  return bubble->simulated - bubble->share_of_step;
}

static char *
even_remedy (const PlgAdvisor *self, PlgChoice *choice)
{
  if (choice->edits != NULL)
    return plg_advisor_describe (self, choice);
  return g_strdup (_ ("Use a PP that divides the layers, counting embedding and logits as one "
                      "each."));
}

static void
advise_uneven (PlgAdvisor *self)
{
  double extra = extra_idle (self);
  g_autofree char *value = plg_format_share (extra);
  g_autofree char *indivisible = NULL;
  g_autofree char *cost = NULL;
  PlgChoice choice = { 0 };
  int fewest, most, n_most;

  count_layers (self, &fewest, &most, &n_most);
  indivisible = describe_indivisible (self, most, n_most);
  if (extra <= PLG_UNEVEN || self->report->micro_batches < degree (self, PLG_AXIS_PP))
    {
      if (indivisible != NULL)
        advise_indivisible (self, g_steal_pointer (&indivisible), most);
      return;
    }
  cost = g_strdup_printf (_ ("Stages have %d to %d layers, and the last also the logits: waiting "
                             "for "
                             "the slowest costs %s of the step more than the bubble."),
                          fewest, most, value);
  plg_advisor_consider (self, &choice, plg_advisor_memory_limit (self),
                        "parallelism.first-layers=0 parallelism.last-layers=0");
  if (!plg_advisor_is_worth (self, &choice))
    g_clear_pointer (&choice.edits, g_free);
  plg_advisor_add (self, "uneven-stages", PLG_SEVERITY_WARNING,
                   indivisible != NULL ? g_strjoin (" ", indivisible, cost, NULL)
                                       : g_steal_pointer (&cost),
                   100.0 * extra, 100.0 * PLG_UNEVEN, "%", even_remedy (self, &choice), &choice);
}

static void
advise_network (PlgAdvisor *self)
{
  const PlgCluster *cluster = &self->plan->cluster;
  gboolean spine = FALSE;

  if (cluster->nodes < 2)
    return;
  for (guint i = 0; i < self->report->collectives->len; i++)
    spine |= g_array_index (self->report->collectives, PlgCollective, i).tier == PLG_TIER_SPINE;
  if (spine && cluster->oversubscription > 1.0)
    plg_advisor_add (
        self, "oversubscribed", PLG_SEVERITY_WARNING,
        g_strdup_printf (_ ("Collectives cross spine switches, whose uplinks carry only one part "
                            "in %.3g."),
                         cluster->oversubscription),
        cluster->oversubscription, 1.0, "1",
        g_strdup (_ ("Keep groups on one rail or below one leaf, or use full uplinks.")), NULL);
  if (!cluster->rdma)
    {
      PlgChoice choice = { 0 };

      PlgFabric fabric;
      g_autofree char *reached = NULL;
      g_autofree char *latency = NULL;

      plg_fabric_init (&fabric, cluster);
      reached = plg_format_share (fabric.inter_efficiency);
      latency = plg_format_time (fabric.inter_latency);
      plg_advisor_consider (self, &choice, G_MAXDOUBLE, "cluster.rdma=true");
      plg_advisor_add (self, "tcp", PLG_SEVERITY_WARNING,
                       g_strdup_printf (_ ("The network is TCP through the host: it reaches %s of "
                                           "its rate, "
                                           "and "
                                           "a message takes %s."),
                                        reached, latency),
                       0.0, 1.0, "on",
                       g_strdup (_ ("Use RDMA (InfiniBand or RoCE) between nodes.")), &choice);
      g_free (choice.edits);
    }
}

/* What such plans usually run on may be better than that. */
static void
advise_kernels (PlgAdvisor *self)
{
  PlgChoice choice = { 0 };

  if (self->plan->training.kernels != PLG_KERNELS_AUTO)
    return;
  plg_advisor_consider (self, &choice, G_MAXDOUBLE, "training.kernels=fused");
  if (!plg_advisor_is_worth (self, &choice))
    {
      g_free (choice.edits);
      return;
    }
  plg_advisor_add (
      self, "eager-kernels", PLG_SEVERITY_HINT,
      g_strdup_printf (_ ("Programs with such a plan (ZeRO %d, %s) usually run one kernel an "
                          "operation and an early flash attention; the times are for those."),
                       self->plan->parallelism.zero, self->plan->cluster.gpu.title),
      0.0, 1.0, "1", plg_advisor_describe (self, &choice), &choice);
}

static void
advise_free_wins (PlgAdvisor *self)
{
  PlgChoice choice = { 0 };

  if (self->plan->parallelism.zero == 0)
    plg_advisor_consider (self, &choice, G_MAXDOUBLE, "parallelism.zero=1");
  if (choice.edits != NULL && choice.memory < self->report->memory_peak)
    {
      g_autofree char *less = plg_format_memory (self->report->memory_peak - choice.memory);

      plg_advisor_add (self, "optimizer-not-sharded", PLG_SEVERITY_HINT,
                       g_strdup_printf (_ ("Every replica keeps the whole optimizer; ZeRO 1 moves "
                                           "as many "
                                           "bytes "
                                           "and needs %s less a GPU."),
                                        less),
                       0.0, 1.0, "1", plg_advisor_describe (self, &choice), &choice);
    }
  g_clear_pointer (&choice.edits, g_free);
  if (!self->plan->training.flash_attention)
    plg_advisor_consider (self, &choice, G_MAXDOUBLE, "training.flash-attention=true");
  if (choice.edits != NULL && plg_advisor_is_worth (self, &choice))
    plg_advisor_add (self, "flash-attention-off", PLG_SEVERITY_HINT,
                     g_strdup (_ ("Attention writes all of its scores to memory and reads them "
                                  "back.")),
                     0.0, 1.0, "on", plg_advisor_describe (self, &choice), &choice);
  g_free (choice.edits);
}

static int
compare_findings (gconstpointer a, gconstpointer b)
{
  const PlgFinding *first = a, *second = b;

  if (first->severity != second->severity)
    return first->severity > second->severity ? -1 : 1;
  if (first->gain != second->gain)
    return first->gain > second->gain ? -1 : 1;
  return g_strcmp0 (first->id, second->id);
}

/* What only the engine's own numbers can say. */
static void
advise_standard (PlgAdvisor *self)
{
  advise_memory_tight (self);
  advise_crossing (self, PLG_AXIS_CP, "cp-crosses-node");
  advise_crossing (self, PLG_AXIS_EP, "ep-crosses-node");
  advise_bubble (self);
  advise_recompute (self);
  advise_dp (self);
  advise_tp_exposed (self);
  advise_sequence (self);
  advise_tp_width (self);
  advise_order (self);
  advise_uneven (self);
  advise_network (self);
  plg_advise_faults (self);
  advise_kernels (self);
  advise_free_wins (self);
}

void
plg_advice_fill (const PlgPlan *plan, PlgReport *report)
{
  PlgAdvisor self = { .plan = plan, .report = report };

  self.trial = plg_plan_copy (plan);
  self.outcome = plg_report_new ();
  advise_out_of_memory (&self);
  advise_tp_crossing (&self);
  advise_batch_small (&self);
  if (plan->profile == PLG_PROFILE_STANDARD)
    advise_standard (&self);
  g_array_sort (report->findings, compare_findings);
  plg_plan_free (self.trial);
  plg_report_unref (self.outcome);
}
