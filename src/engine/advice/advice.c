/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advice.h"

#include "engine/advice/advisor.h"
#include "engine/evaluate.h"
#include "engine/model/kernel.h"
#include "engine/model/textbook.h"
#include "engine/search/balance.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The bubble, exposed DP communication and exposed TP communication get advice if they take more
 * than these shares of the step. */
#define BUBBLE_CEILING 0.10
#define DP_CEILING 0.05
#define TP_CEILING 0.10
/* A smaller TP group is suggested if TP lowers the speed of matrix products to at most this share of
 * their speed without TP. Short products lose more of their time between kernels. */
#define NARROW_PRODUCT 0.85

static void
advise_bubble (PlgAdvisor *self)
{
  static const char *const schedules[] = { "zb-h1", "zb-v", "dualpipe" };
  double share = plg_report_bubble (self->report);
  int micro_batches = self->report->micro_batches, stages = plg_advisor_degree (self, PLG_AXIS_PP);
  /* Equal stages would keep the limit with as many micro-batches. */
  gboolean is_uneven = self->plan->training.schedule <= PLG_SCHEDULE_INTERLEAVED &&
                       self->report->bubble.share_of_step <= BUBBLE_CEILING;
  PlgTrialChange change = { 0 };

  if (share <= BUBBLE_CEILING)
    return;

  g_autofree char *value = plg_format_share (share);
  g_autofree char *limit = plg_format_share (BUBBLE_CEILING);
  int layers = self->plan->model.layers / MAX (stages, 1);

  for (int chunks = 2; chunks <= MIN (layers, 12); chunks++)
    if (layers % chunks == 0)
      plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                            "training.schedule=interleaved parallelism.chunks=%d", chunks);
  for (gsize i = 0; i < G_N_ELEMENTS (schedules); i++)
    plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                          "training.schedule=%s parallelism.chunks=1", schedules[i]);
  for (int micro_batch = self->plan->training.micro_batch / 2; micro_batch >= 1; micro_batch /= 2)
    plg_advisor_consider (self, &change, plg_advisor_memory_limit (self), "training.micro-batch=%d",
                          micro_batch);
  for (int pp = plg_advisor_degree (self, PLG_AXIS_PP); pp % 2 == 0;)
    {
      pp /= 2;
      plg_advisor_consider (self, &change, plg_advisor_memory_limit (self), "parallelism.pp=%d",
                            pp);
    }
  if (!plg_advisor_is_worthwhile (self, &change))
    g_clear_pointer (&change.edits, g_free);
  plg_advisor_add (
      self, "bubble-high", PLG_SEVERITY_WARNING,
      is_uneven
          ? g_strdup_printf (_ ("The pipeline bubble is %s of the schedule, which is above %s: the "
                                "%d stages do not take equally long."),
                             value, limit, stages)
          : g_strdup_printf (
                g_dngettext (GETTEXT_PACKAGE,
                             "The pipeline bubble is %s of the schedule, which is above %s: "
                             "%d stages have only %d micro-batch.",
                             "The pipeline bubble is %s of the schedule, which is above %s: "
                             "%d stages have only %d micro-batches.",
                             micro_batches),
                value, limit, stages, micro_batches),
      100.0 * share, 100.0 * BUBBLE_CEILING, "%",
      change.edits != NULL ? plg_advisor_describe (self, &change)
      : is_uneven
          ? g_strdup (_ ("Make the stages equally long, or lower PP to get fewer stages."))
          : g_strdup (
                _ ("Raise the global batch to get more micro-batches, or lower PP to get fewer "
                   "stages.")),
      &change);
}

static void
advise_dp (PlgAdvisor *self)
{
  double share = plg_advisor_share (self, PLG_PART_DP);
  PlgTrialChange change = { 0 };

  if (share <= DP_CEILING)
    return;

  g_autofree char *value = plg_format_share (share);
  g_autofree char *limit = plg_format_share (DP_CEILING);

  plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                        "parallelism.overlap-dp=true");
  plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                        "training.gradient-precision=bf16");
  for (int zero = 1; zero < self->plan->parallelism.zero; zero++)
    plg_advisor_consider (self, &change, plg_advisor_memory_limit (self), "parallelism.zero=%d",
                          zero);
  /* Smaller shard groups (HSDP) may keep the frequent collectives of ZeRO inside a node or a unit of
   * rails. */
  for (int groups = 2; self->plan->parallelism.zero > 0 &&
                       groups <= plg_parallelism_replicate_limit (&self->plan->parallelism);
       groups *= 2)
    plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                          "parallelism.replicate=%d", groups);
  if (!plg_advisor_is_worthwhile (self, &change))
    g_clear_pointer (&change.edits, g_free);
  plg_advisor_add (self, "dp-exposed", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("Exposed communication of gradients and weights takes %s "
                                       "of the step, which is above %s."),
                                    value, limit),
                   100.0 * share, 100.0 * DP_CEILING, "%",
                   change.edits != NULL ? plg_advisor_describe (self, &change)
                                        : g_strdup (_ ("Raise the global batch, so that replicas"
                                                       " communicate less often.")),
                   &change);
}

static void
advise_tp_exposed (PlgAdvisor *self)
{
  double share = plg_advisor_share (self, PLG_PART_TP);
  PlgTrialChange change = { 0 };

  if (share <= TP_CEILING || self->plan->parallelism.overlap_tp)
    return;

  g_autofree char *value = plg_format_share (share);

  plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                        "parallelism.overlap-tp=true");
  if (!plg_advisor_is_worthwhile (self, &change))
    {
      g_free (change.edits);
      return;
    }
  plg_advisor_add (self, "tp-exposed", PLG_SEVERITY_HINT,
                   g_strdup_printf (_ ("Exposed TP communication takes %s of the step."), value),
                   100.0 * share, 100.0 * TP_CEILING, "%", plg_advisor_describe (self, &change),
                   &change);
}

static void
advise_sequence (PlgAdvisor *self)
{
  /* Megatron-LM rejects MoE with TP but without sequence parallelism
   * (megatron/training/arguments.py, validate_args). */
  gboolean moe = plg_transformer_is_moe (&self->plan->model);
  PlgTrialChange change = { 0 };

  if (plg_advisor_degree (self, PLG_AXIS_TP) < 2 || self->plan->parallelism.sequence)
    return;
  plg_advisor_consider (self, &change, G_MAXDOUBLE, "parallelism.sequence=true");
  if (change.edits == NULL)
    return;

  g_autofree char *saving = plg_format_memory (self->report->memory_peak - change.memory);

  plg_advisor_add (
      self, "sequence-parallel-off",
      plg_advisor_saved (self, &change) > 0.0 || moe ? PLG_SEVERITY_WARNING : PLG_SEVERITY_HINT,
      g_strdup_printf (
          moe ? _ ("Without sequence parallelism, every GPU of a TP group sends the same "
                   "tokens to the experts, and Megatron-LM refuses to start. Sequence "
                   "parallelism saves %s per GPU.")
              : _ ("Without sequence parallelism, every GPU of a TP group keeps all "
                   "activations of the norms. Sequence parallelism saves %s per GPU."),
          saving),
      0.0, 1.0, "on", plg_advisor_describe (self, &change), &change);
}

/* Suggests a smaller TP group if TP makes the matrices too narrow. Products of narrow matrices
 * are slow, so a smaller group may be faster although fewer GPUs share the work. */
static void
advise_tp_width (PlgAdvisor *self)
{
  const PlgPlan *plan = self->plan;
  int tp = plg_advisor_degree (self, PLG_AXIS_TP);
  double tokens = (double) plan->training.micro_batch * plan->training.sequence /
                  plg_advisor_degree (self, PLG_AXIS_CP);
  double inner = plan->model.heads * (double) plan->model.head_dim;
  double whole = plg_matrix_time (plan, tokens, plan->model.hidden, inner);
  double kept = whole / (tp * plg_matrix_time (plan, tokens, plan->model.hidden, inner / tp));
  PlgTrialChange change = { 0 };

  if (tp < 2 || kept > NARROW_PRODUCT)
    return;

  g_autofree char *loss = plg_format_share (1.0 - kept);

  for (int factor = 2; tp % factor == 0; factor *= 2)
    {
      static const PlgAxis others[] = { PLG_AXIS_PP, PLG_AXIS_CP };

      plg_advisor_consider (self, &change, plg_advisor_memory_limit (self), "parallelism.tp=%d",
                            tp / factor);
      for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
        plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                              "parallelism.tp=%d parallelism.%s=%d", tp / factor,
                              plg_axis_name (others[i]),
                              factor * plg_advisor_degree (self, others[i]));
    }
  if (!plg_advisor_is_worthwhile (self, &change))
    {
      g_free (change.edits);
      return;
    }
  plg_advisor_add (self, "tp-too-wide", PLG_SEVERITY_HINT,
                   g_strdup_printf (_ ("TP %d makes the matrices so narrow that matrix products "
                                       "lose %s of their speed."),
                                    tp, loss),
                   100.0 * kept, 100.0 * NARROW_PRODUCT, "%", plg_advisor_describe (self, &change),
                   &change);
}

/* If TP is larger than the number of KV heads, several GPUs hold the same head. Older releases
 * of Megatron-LM reject such a plan (megatron/core/transformer/transformer_config.py,
 * __post_init__: num_query_groups “must be a multiple of” TP). Newer releases accept it if TP is
 * a multiple of the KV heads: get_query_key_value_tensors() in attention.py gathers the
 * projections of the whole group and picks a head. */
static void
advise_kv_heads (PlgAdvisor *self)
{
  const PlgTransformer *model = &self->plan->model;
  int tp = plg_advisor_degree (self, PLG_AXIS_TP), heads = model->kv_heads;
  int pp = plg_advisor_degree (self, PLG_AXIS_PP);
  PlgTrialChange change = { 0 };

  if (model->kv_rank > 0 || tp <= heads)
    return;
  plg_advisor_consider (self, &change, plg_advisor_memory_limit (self), "parallelism.tp=%d", heads);
  plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                        "parallelism.tp=%d parallelism.pp=%d", heads, pp * (tp / heads));
  plg_advisor_add (self, "kv-heads-copied", PLG_SEVERITY_WARNING,
                   g_strdup_printf (_ ("TP %d is larger than the number of KV heads, %d: each"
                                       " head is copied to %d GPUs. Older releases of "
                                       "Megatron-LM refuse to start."),
                                    tp, heads, tp / heads),
                   tp / heads, 1.0, "copies",
                   change.edits != NULL
                       ? plg_advisor_describe (self, &change)
                       : g_strdup_printf (_ ("Use TP %d, or a degree that divides it."), heads),
                   change.edits != NULL ? &change : NULL);
}

/* Returns a sentence such as "80 layers do not divide evenly into 64 stages: 16 stages have 2
 * layers, the others fewer."; free with g_free(). Returns NULL if the layers divide evenly
 * (including slots for embedding and loss) or if the number of layers was set by hand. */
static char *
describe_indivisible (const PlgAdvisor *self, int most, int n_most)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  int layers = self->plan->model.layers, chunks = parallelism->chunks;
  int stages = plg_advisor_degree (self, PLG_AXIS_PP);
  int places = layers + !!parallelism->embedding_slot + !!parallelism->loss_slot;

  if (parallelism->first_layers > 0 || parallelism->last_layers > 0 ||
      parallelism->layout.stages > 0 || (places > layers && places % (stages * chunks) == 0))
    return NULL;
  if (layers % stages != 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%d layers do not divide evenly into %d stages: %d stage "
                                         "has %d layers, the others fewer.",
                                         "%d layers do not divide evenly into %d stages: %d stages "
                                         "have %d layers, the others fewer.",
                                         n_most),
                            layers, stages, n_most, most);
  if (layers / stages % chunks != 0)
    return g_strdup_printf (_ ("%d layers do not divide evenly into %d stages of %d chunks: some "
                               "chunks have one more layer than others."),
                            layers, stages, chunks);
  return NULL;
}

/* Reports layers that do not divide evenly, even if the uneven division costs little time. Takes
 * ownership of TEXT. */
static void
advise_indivisible (PlgAdvisor *self, char *text, int most)
{
  int layers = self->plan->model.layers, stages = plg_advisor_degree (self, PLG_AXIS_PP);
  int pieces = layers % stages != 0 ? stages : stages * self->plan->parallelism.chunks;

  plg_advisor_add (self, "uneven-stages", PLG_SEVERITY_HINT, text,
                   pieces == stages ? most : ceil ((double) layers / pieces),
                   (double) layers / pieces, "layers",
                   g_strdup (_ ("Choose PP and the number of chunks so that the layers divide "
                                "evenly among all chunks.")),
                   NULL);
}

/* Considers the layout with the least longest stage. */
static void
consider_balance (PlgAdvisor *self, PlgTrialChange *change)
{
  PlgStageLayout layout;
  PlgBalance balance;
  g_autofree char *text = NULL;

  if (!plg_balance_layers (self->plan, &layout, &balance, NULL))
    return;
  text = plg_stage_layout_to_string (&layout);
  plg_advisor_consider (self, change, plg_advisor_memory_limit (self), "parallelism.layout=%s",
                        text);
}

static void
advise_uneven (PlgAdvisor *self)
{
  /* The idle time beyond the closed-form bubble comes from slow stages or from faults. Faults
   * have their own findings, so use the bubble without faults here. */
  const PlgBubble *bubble = &self->report->bubble;
  g_autofree char *indivisible = NULL;
  g_autofree char *value = NULL;
  g_autofree char *cost = NULL;
  PlgTrialChange change = { 0 };
  int fewest = G_MAXINT, most = 0, n_most = 0;
  double extra;

  if (self->plan->cluster.n_faults > 0 && plg_advisor_try (self, "cluster.faults="))
    bubble = &self->outcome->bubble;
  extra = bubble->simulated - bubble->share_of_step;
  value = plg_format_share (extra);
  for (guint i = 0; i < self->report->stages->len; i++)
    {
      int layers = g_array_index (self->report->stages, PlgStageMemory, i).layers;

      fewest = MIN (fewest, layers);
      n_most = layers > most ? 1 : n_most + (layers == most);
      most = MAX (most, layers);
    }
  indivisible = describe_indivisible (self, most, n_most);
  if (extra <= PLG_UNEVEN_IDLE_SHARE ||
      self->report->micro_batches < plg_advisor_degree (self, PLG_AXIS_PP))
    {
      if (indivisible != NULL)
        advise_indivisible (self, g_steal_pointer (&indivisible), most);
      return;
    }
  cost = fewest == most
             ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                             "Each stage has %d layer, and the last stage "
                                             "also has the logits. Waiting for the last stage "
                                             "adds %s to the bubble.",
                                             "Each stage has %d layers, and the last stage "
                                             "also has the logits. Waiting for the last stage "
                                             "adds %s to the bubble.",
                                             most),
                                most, value)
             : g_strdup_printf (_ ("Stages have %d to %d layers, and the last stage also has "
                                   "the logits. Waiting for the slowest stage adds %s to the "
                                   "bubble."),
                                fewest, most, value);
  plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                        "parallelism.first-layers=0 parallelism.last-layers=0");
  consider_balance (self, &change);
  if (!plg_advisor_is_worthwhile (self, &change))
    g_clear_pointer (&change.edits, g_free);
  plg_advisor_add (self, "uneven-stages", PLG_SEVERITY_WARNING,
                   indivisible != NULL ? g_strjoin (" ", indivisible, cost, NULL)
                                       : g_steal_pointer (&cost),
                   100.0 * extra, 100.0 * PLG_UNEVEN_IDLE_SHARE, "%",
                   change.edits != NULL ? plg_advisor_describe (self, &change)
                                        : g_strdup (_ ("Choose a PP that divides the number of "
                                                       "layers, with embedding and logits "
                                                       "counted as one layer each.")),
                   &change);
}

/* Suggests two settings that save memory or time at no cost: ZeRO 1 and flash attention. */
static void
advise_zero_and_flash_attention (PlgAdvisor *self)
{
  PlgTrialChange change = { 0 };

  if (self->plan->parallelism.zero == 0)
    plg_advisor_consider (self, &change, G_MAXDOUBLE, "parallelism.zero=1");
  if (change.edits != NULL && change.memory < self->report->memory_peak)
    {
      g_autofree char *saving = plg_format_memory (self->report->memory_peak - change.memory);

      plg_advisor_add (self, "optimizer-not-sharded", PLG_SEVERITY_HINT,
                       g_strdup_printf (_ ("Every replica keeps the whole optimizer"
                                           " state. ZeRO 1 sends the same number of"
                                           " bytes and saves %s per GPU."),
                                        saving),
                       0.0, 1.0, "1", plg_advisor_describe (self, &change), &change);
    }
  g_clear_pointer (&change.edits, g_free);
  if (!self->plan->training.flash_attention)
    plg_advisor_consider (self, &change, G_MAXDOUBLE, "training.flash-attention=true");
  if (change.edits != NULL && plg_advisor_is_worthwhile (self, &change))
    plg_advisor_add (self, "flash-attention-off", PLG_SEVERITY_HINT,
                     g_strdup (_ ("Attention writes all scores to memory and reads them back.")),
                     0.0, 1.0, "on", plg_advisor_describe (self, &change), &change);
  g_free (change.edits);
}

/* Suggests CUDA graphs if layers with experts wait for the host. */
static void
advise_host (PlgAdvisor *self)
{
  PlgTrialChange change = { 0 };

  if (!plg_transformer_is_moe (&self->plan->model) || self->plan->training.cuda_graphs)
    return;
  plg_advisor_consider (self, &change, G_MAXDOUBLE, "training.cuda-graphs=true");
  if (plg_advisor_is_worthwhile (self, &change))
    plg_advisor_add (
        self, "host-bound", PLG_SEVERITY_HINT,
        g_strdup (_ ("The kernels of layers with experts are so short that the GPU waits "
                     "for the host to launch them.")),
        0.0, 1.0, "on", plg_advisor_describe (self, &change), &change);
  g_free (change.edits);
}

/* Sorts errors first, then by what a change saves. */
static int
compare_findings (gconstpointer a, gconstpointer b)
{
  const PlgFinding *first = a, *second = b;
  gboolean is_error = first->severity == PLG_SEVERITY_ERROR;

  if (is_error != (second->severity == PLG_SEVERITY_ERROR))
    return is_error ? -1 : 1;
  if (first->gain != second->gain)
    return first->gain > second->gain ? -1 : 1;
  if (first->severity != second->severity)
    return first->severity > second->severity ? -1 : 1;
  return g_strcmp0 (first->id, second->id);
}

static void
advise_batch_small (PlgAdvisor *self)
{
  int pp = plg_advisor_degree (self, PLG_AXIS_PP), m = self->report->micro_batches;

  if (m >= pp)
    return;
  plg_advisor_add (self, "batch-small", PLG_SEVERITY_WARNING,
                   g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                 "%d micro-batch cannot fill %d stages: some "
                                                 "stages always wait.",
                                                 "%d micro-batches cannot fill %d stages: some "
                                                 "stages always wait.",
                                                 m),
                                    m, pp),
                   m, pp, "micro-batches",
                   g_strdup_printf (_ ("Use a global batch of %d or more, or fewer stages."),
                                    pp * self->plan->training.micro_batch *
                                        plg_advisor_degree (self, PLG_AXIS_DP)),
                   NULL);
}

/* A program fails when it looks up the position of a token after the last learned one. For example,
 * Megatron-LM refuses to start (megatron/training/arguments.py, validate_args). */
static void
advise_positions (PlgAdvisor *self)
{
  int positions = self->plan->model.positions, sequence = self->plan->training.sequence;
  /* TP with sequence parallelism divides the sequence by TP, and CP divides it by 2 · CP. A multiple
   * of this number can be divided by both. */
  int unit = 2 * plg_advisor_degree (self, PLG_AXIS_CP) * plg_advisor_degree (self, PLG_AXIS_TP);
  PlgTrialChange change = { 0 };
  g_autofree char *shorter = NULL;

  if (positions == 0 || sequence <= positions)
    return;
  if (positions >= unit)
    plg_advisor_consider (self, &change, G_MAXDOUBLE, "training.sequence=%d",
                          positions / unit * unit);
  if (change.edits != NULL)
    shorter = plg_advisor_describe (self, &change);
  /* A step with fewer tokens is shorter, but saves no time of the training. */
  change.time = self->report->step.time;
  plg_advisor_add (
      self, "positions-too-few", PLG_SEVERITY_ERROR,
      g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                    "%s has %d learned position, but a sequence has %d tokens. "
                                    "Training fails at the first token without a position.",
                                    "%s has %d learned positions, but a sequence has %d tokens. "
                                    "Training fails at the first token without a position.",
                                    positions),
                       self->plan->model.title, positions, sequence),
      sequence, positions, "tokens",
      shorter != NULL ? g_strdup_printf (_ ("%s Or set %s to %d."), shorter,
                                         plg_setting_name ("model.positions"), sequence)
                      : g_strdup_printf (_ ("Set %s to at most %d, or %s to %d."),
                                         plg_setting_name ("training.sequence"), positions,
                                         plg_setting_name ("model.positions"), sequence),
      &change);
}

static void (*const general_checks[]) (PlgAdvisor *self) = {
  plg_advise_out_of_memory,
  advise_positions,
  plg_advise_tp_crossing,
  advise_batch_small,
};

/* The checks that apply only to the standard profile. */
static void (*const standard_checks[]) (PlgAdvisor *self) = {
  plg_advise_host_memory,
  plg_advise_memory_tight,
  advise_bubble,
  plg_advise_recompute,
  advise_dp,
  advise_tp_exposed,
  advise_sequence,
  advise_tp_width,
  advise_kv_heads,
  plg_advise_order,
  advise_uneven,
  plg_advise_network,
  plg_advise_faults,
  advise_zero_and_flash_attention,
  advise_host,
};

void
plg_report_advise (PlgReport *report, const PlgPlan *plan)
{
  PlgAdvisor self = { .plan = plan, .report = report };

  self.trial = plg_plan_copy (plan);
  self.outcome = plg_report_new ();
  for (guint i = 0; i < G_N_ELEMENTS (general_checks); i++)
    general_checks[i](&self);
  if (plan->profile == PLG_PROFILE_STANDARD)
    {
      plg_advise_crossing (&self, PLG_AXIS_CP, "cp-crosses-node");
      plg_advise_crossing (&self, PLG_AXIS_EP, "ep-crosses-node");
      for (guint i = 0; i < G_N_ELEMENTS (standard_checks); i++)
        standard_checks[i](&self);
    }
  g_array_sort (report->findings, compare_findings);
  report->has_advice = TRUE;
  plg_plan_free (self.trial);
  plg_report_unref (self.outcome);
}

void
plg_report_advise_by_search (PlgReport *report, const PlgPlan *plan, const char *const *keep)
{
  PlgAdvisor self = { .plan = plan, .report = report };

  self.trial = plg_plan_copy (plan);
  self.outcome = plg_report_new ();
  plg_advise_better_plan (&self, keep);
  g_array_sort (report->findings, compare_findings);
  plg_plan_free (self.trial);
  plg_report_unref (self.outcome);
}

PlgReport *
plg_evaluate_with_advice (const PlgPlan *plan, GError **error)
{
  PlgReport *report = plg_evaluate (plan, PLG_EVALUATE_ALL, error);

  if (report != NULL)
    plg_report_advise (report, plan);
  return report;
}

PlgReport *
plg_evaluate_with_search (const PlgPlan *plan, GError **error)
{
  PlgReport *report = plg_evaluate_with_advice (plan, error);

  if (report != NULL)
    plg_report_advise_by_search (report, plan, NULL);
  return report;
}
