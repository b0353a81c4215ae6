/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/flops.h"
#include "engine/model/indexer.h"
#include "engine/model/kernel.h"
#include "engine/model/memory.h"
#include "engine/model/mixer.h"
#include "engine/model/muon.h"
#include "engine/model/offload.h"
#include "engine/model/program.h"
#include "engine/model/textbook.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>


static gboolean
is_act_one (const PlgExplainer *self)
{
  return plg_explainer_degree (self, PLG_AXIS_TP) == 1.0 &&
         plg_explainer_degree (self, PLG_AXIS_PP) == 1.0;
}

static double
step_tokens (const PlgExplainer *self)
{
  return (double) self->plan->training.global_batch * self->plan->training.sequence;
}

static double
layer_size (const PlgExplainer *self, gboolean moe)
{
  PlgParameters layer = plg_layer_parameters (&self->plan->model, moe);

  return layer.sharded + layer.replicated + layer.expert;
}

static double
parts_size (const PlgTransformer *model, gboolean moe, PlgLayerShares shares)
{
  PlgParameters layer = plg_parts_parameters (model, moe, shares);

  return layer.sharded + layer.replicated + layer.expert;
}

/* Explains the mean layer of a hybrid model. */
static void
explain_hybrid_parameters (PlgExplainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  gboolean moe = plg_transformer_moe_layers (model) > 0;
  double projected, inner, mixer;

  if (model->mixer == PLG_MIXER_NONE)
    return;
  projected = plg_mixer_projected (model);
  inner = plg_mixer_inner (model);
  mixer = parts_size (model, FALSE, (PlgLayerShares) { .mixer = 1.0 });
  plg_explainer_add (self, "parameters.mixer",
                     _ ("Parameters of a layer with the mixer, without "
                        "MLP"),
                     g_strdup (_ ("h·(projected + values) + convolution, norms and vectors")),
                     plg_explainer_format ("{i}·({i} + {i}) + {i}", (double) model->hidden,
                                           projected, inner, mixer - plg_mixer_matrices (model)),
                     plg_explainer_format ("{c}", mixer),
                     model->mixer == PLG_MIXER_MAMBA2 ? "Dao & Gu 2024, arXiv 2405.21060"
                                                      : "Yang et al. 2024, arXiv 2412.06464");
  plg_explainer_uses (self, PLG_USES_MODEL);
  plg_explainer_add (
      self, "parameters.layer", _ ("Parameters of a layer, mean of all layers"),
      g_strdup (_ ("(attention layers · P_attention + mixer layers · P_mixer + MLP layers · "
                   "P_MLP) / layers")),
      plg_explainer_format ("({i} · {c} + {i} · {c} + {i} · {c}) / {i}",
                            (double) plg_transformer_attention_layers (model),
                            parts_size (model, FALSE, (PlgLayerShares) { .attention = 1.0 }),
                            (double) plg_transformer_mixer_layers (model), mixer,
                            (double) plg_transformer_mlp_layers (model),
                            parts_size (model, moe, (PlgLayerShares) { .mlp = 1.0 }),
                            (double) model->layers),
      plg_explainer_format ("{c}", layer_size (self, moe)),
      PLG_SOURCE_MEGATRON "theoretical_memory_usage.py");
  plg_explainer_uses (self, PLG_USES_MODEL);
}

static void
explain_parameters (PlgExplainer *self)
{
  /* Omit the formula for a layer if the model is a hybrid or has latent attention, gated attention
   * or no dense layer, because the formula then has too many terms for one line. */
  const PlgTransformer *model = &self->plan->model;
  double h = model->hidden, d = model->head_dim, a = model->heads, g = model->kv_heads;
  double matrices = model->gated ? 3.0 : 2.0, f = model->ffn;
  double rest = layer_size (self, FALSE) - 2.0 * h * d * (a + g) - matrices * h * f;
  double dense = plg_transformer_dense_layers (model), moe = plg_transformer_moe_layers (model);
  double layers = dense * layer_size (self, FALSE) + (moe > 0 ? moe * layer_size (self, TRUE) : 0);
  double embeddings = self->report->parameters_total - layers;
  char *symbols, *numbers;

  if (model->kv_rank <= 0 && model->mixer == PLG_MIXER_NONE && !model->attention_gate &&
      !plg_has_indexer (model) && plg_transformer_dense_layers (model) != 0)
    {
      plg_explainer_add (self, "parameters.layer", _ ("Parameters of a layer"),
                         plg_explainer_format (_ ("2·h·d·(a + g) + {i}·h·f + norms and biases"),
                                               matrices),
                         plg_explainer_format ("2·{i}·{i}·({i} + {i}) + {i}·{i}·{i} + {i}", h, d, a,
                                               g, matrices, h, f, rest),
                         plg_explainer_format ("{c}", layer_size (self, FALSE)),
                         PLG_SOURCE_MEGATRON "theoretical_memory_usage.py");
      plg_explainer_uses (self, PLG_USES_MODEL);
    }

  if (moe > 0)
    {
      symbols = g_strdup (_ ("dense layers · P_dense + MoE layers · P_MoE + embeddings"));
      numbers = plg_explainer_format ("{i} · {c} + {i} · {c} + {c}", dense,
                                      layer_size (self, FALSE), moe, layer_size (self, TRUE),
                                      embeddings);
    }
  else
    {
      symbols = g_strdup (_ ("layers · P_layer + embeddings"));
      numbers = plg_explainer_format ("{i} · {c} + {c}", dense, layer_size (self, FALSE),
                                      embeddings);
    }
  plg_explainer_add (self, "parameters.total", _ ("Parameters"), symbols, numbers,
                     plg_explainer_format ("{c}", self->report->parameters_total),
                     PLG_SOURCE_MEGATRON "theoretical_memory_usage.py");
  plg_explainer_uses (self, PLG_USES_MODEL);
}

static void
explain_active_parameters (PlgExplainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  double idle = (double) model->experts - MIN (model->top_k, model->experts);
  double layers = plg_transformer_moe_layers (model) * plg_layer_shares (model).mlp;
  PlgLayerShares whole = { .mlp = 1.0 };
  double expert = layer_size (self, TRUE) > 0.0
                      ? plg_parts_parameters (model, TRUE, whole).expert / MAX (model->experts, 1)
                      : 0.0;

  if (layers <= 0.0)
    return;
  plg_explainer_add (self, "parameters.active", _ ("Parameters that a token uses"),
                     g_strdup (_ ("P − MoE layers · (E − top-k) · P_expert")),
                     plg_explainer_format ("{k} − {i} · {i} · {k}", self->report->parameters_total,
                                           layers, idle, expert),
                     plg_explainer_format ("{c}", self->report->parameters_active),
                     PLG_SOURCE_MEGATRON "theoretical_memory_usage.py");
  plg_explainer_uses (self, PLG_USES_MODEL);
}

/* Explains the mean number of keys per query in a model with an attention window or an indexer. */
static void
explain_attention_keys (PlgExplainer *self)
{
  const PlgPlan *plan = self->plan;
  const PlgTransformer *model = &plan->model;
  double s = plan->training.sequence, w = MIN (model->window, s);
  double layers = plg_transformer_attention_layers (model);
  double full = plg_transformer_full_attention_layers (model), local = layers - full;
  gboolean is_sliding = !model->window_chunked && plan->training.causal;
  double all = s * (plan->training.causal ? 0.5 : 1.0), keys = plg_attention_keys (plan);
  double within = local > 0.0 ? (keys * layers - full * all) / local : 0.0;

  if (plg_has_indexer (model))
    {
      double chosen = MIN (model->index_top_k, s);

      plg_explainer_add (self, "flops.keys", _ ("Keys per query, chosen by the indexer"),
                         g_strdup (plan->training.causal ? _ ("top-k − top-k² / (2·s)")
                                                         : _ ("top-k")),
                         plan->training.causal ? plg_explainer_format ("{i} − {i}·{i} / (2·{i})",
                                                                       chosen, chosen, chosen, s)
                                               : plg_explainer_format ("{i}", chosen),
                         plg_explainer_format ("{n}", keys), PLG_SOURCE_INDEXER);
      plg_explainer_uses (self, PLG_USES_MODEL);
    }
  if (local <= 0.0)
    return;
  plg_explainer_add (self, "flops.keys", _ ("Keys per query, mean over layers"),
                     g_strdup (is_sliding
                                   ? _ ("(full layers · s / 2 + other layers · (window − window² "
                                        "/ (2·s))) / layers")
                                   : _ ("(full layers · keys + other layers · keys inside the "
                                        "window) / layers")),
                     is_sliding ? plg_explainer_format ("({i} · {i} / 2 + {i} · ({i} − {i}·{i} / "
                                                        "(2·{i}))) / {i}",
                                                        full, s, local, w, w, w, s, layers)
                                : plg_explainer_format ("({i} · {n} + {i} · {n}) / {i}", full, all,
                                                        local, within, layers),
                     plg_explainer_format ("{n}", keys), "Jiang et al. 2023, arXiv 2310.06825");
  plg_explainer_uses (self, PLG_USES_MODEL);
}

/* Explains the FLOPs of a sequence's forward pass through one layer. The layer is dense if the
 * model has dense layers. */
static void
explain_layer_flops (PlgExplainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  gboolean moe = plg_transformer_dense_layers (model) == 0;
  double batch = MAX (self->plan->training.micro_batch, 1), s = self->plan->training.sequence;
  double scores = plg_core_attention_forward_flops (self->plan) / batch;
  double all = plg_layer_forward_flops (self->plan, moe) / batch;
  double key = plg_attention_key_width (model), value = plg_attention_value_width (model);
  double share = self->plan->training.causal ? 0.5 : 1.0;
  double weights = (all - scores) / (2.0 * s), heads = model->heads;
  gboolean is_local = plg_transformer_full_attention_layers (model) <
                      plg_transformer_attention_layers (model);

  if (plg_has_indexer (model) && model->mixer == PLG_MIXER_NONE)
    {
      weights -= plg_indexer_forward_flops (self->plan) / batch / (2.0 * s);
      plg_explainer_add (
          self, "flops.layer", _ ("Forward FLOPs per layer and sequence"),
          g_strdup (
              _ ("2·s·(weights of matrix products) + 2·s·(keys per query)·a·(d_key + d_value) "
                 "+ 2·s·(scored keys)·(heads of the indexer)·(their size)")),
          plg_explainer_format ("2·{i}·{c} + 2·{i}·{n}·{i}·({i} + {i}) + 2·{i}·{n}·{i}·{i}", s,
                                weights, s, plg_attention_keys (self->plan), heads, key, value, s,
                                plg_indexer_scored_keys (self->plan), (double) model->index_heads,
                                (double) model->index_dim),
          plg_explainer_format ("{c}", all), PLG_SOURCE_INDEXER);
      plg_explainer_uses (self, PLG_USES_MODEL);
      return;
    }
  if (model->mixer != PLG_MIXER_NONE)
    {
      PlgLayerShares shares = plg_layer_shares (model);
      double scan = plg_mixer_scan_forward_flops (self->plan) / batch;

      /* The scores of an indexer count as weights here. */
      weights = (all - shares.attention * scores - shares.mixer * scan) / (2.0 * s);
      plg_explainer_add (
          self, "flops.scan", _ ("Forward FLOPs of the recurrence per layer and sequence"),
          g_strdup (model->mixer == PLG_MIXER_MAMBA2
                        ? _ ("7·s·values·state")
                        : _ ("2·s·(width of the convolution · channels + 4·values·state)")),
          model->mixer == PLG_MIXER_MAMBA2
              ? plg_explainer_format ("7·{i}·{i}·{i}", s, plg_mixer_inner (model),
                                      (double) model->mixer_state)
              : plg_explainer_format ("2·{i}·({i}·{i} + 4·{i}·{i})", s, (double) model->mixer_conv,
                                      plg_mixer_convolved (model), plg_mixer_inner (model),
                                      (double) model->mixer_state),
          plg_explainer_format ("{c}", scan), PLG_SOURCE_MEGATRON "training.py");
      plg_explainer_uses (self, PLG_USES_MODEL);
      plg_explainer_add (
          self, "flops.layer", _ ("Forward FLOPs per layer and sequence"),
          g_strdup (_ ("2·s·(mean weights of matrix products) + share of attention · "
                       "2·s·(keys per query)·a·(d_key + d_value) + share of the mixer · "
                       "recurrence")),
          plg_explainer_format ("2·{i}·{c} + {n} · 2·{i}·{n}·{i}·({i} + {i}) + {n} · {c}", s,
                                weights, shares.attention, s, plg_attention_keys (self->plan),
                                heads, key, value, shares.mixer, scan),
          plg_explainer_format ("{c}", all), PLG_SOURCE_MEGATRON "training.py");
      plg_explainer_uses (self, PLG_USES_MODEL);
      return;
    }
  plg_explainer_add (self, "flops.layer", _ ("Forward FLOPs per layer and sequence"),
                     g_strdup (is_local ? _ ("2·s·(weights of matrix products) + 2·s·(keys per "
                                             "query)·a·(d_key + d_value)")
                                        : _ ("2·s·(weights of matrix products) + 2·s²·a·(d_key + "
                                             "d_value)·(½ if causal)")),
                     is_local ? plg_explainer_format ("2·{i}·{c} + 2·{i}·{n}·{i}·({i} + {i})", s,
                                                      weights, s, plg_attention_keys (self->plan),
                                                      heads, key, value)
                              : plg_explainer_format ("2·{i}·{c} + 2·{i}·{i}·{i}·({i} + {i})·{n}",
                                                      s, weights, s, s, heads, key, value, share),
                     plg_explainer_format ("{c}", all), PLG_SOURCE_MEGATRON "training.py");
  plg_explainer_uses (self, PLG_USES_MODEL);
}

static void
explain_hardware_flops (PlgExplainer *self)
{
  const PlgStep *step = &self->report->step;
  double sequences = self->plan->training.global_batch;
  double again = step->hardware_flops - step->model_flops;

  if (again <= 0.0)
    return;
  plg_explainer_add (self, "flops.hardware", _ ("FLOPs per step with recompute"),
                     g_strdup (_ ("model FLOPs + sequences · recomputed FLOPs")),
                     plg_explainer_format ("{c} + {i} · {c}", step->model_flops, sequences,
                                           again / sequences),
                     plg_explainer_format ("{c}", step->hardware_flops),
                     PLG_SOURCE_KORTHIKANTI ", app. A");
}

static void
explain_model_flops (PlgExplainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  double dense = plg_transformer_dense_layers (model), moe = plg_transformer_moe_layers (model);
  double sequences = self->plan->training.global_batch;
  double batch = MAX (self->plan->training.micro_batch, 1);
  double layers = dense * plg_layer_forward_flops (self->plan, FALSE);
  double logits = plg_output_forward_flops (self->plan) + plg_mtp_forward_flops (self->plan);
  double saved = plg_indexer_saved_flops (self->plan) / batch;

  if (moe > 0)
    layers += moe * plg_layer_forward_flops (self->plan, TRUE);
  if (saved != 0.0)
    {
      plg_explainer_add (
          self, "flops.model", _ ("Model FLOPs per step"),
          g_strdup (_ ("3 · sequences · (F_layers + F_logits) − sequences · F_unscored, where F is "
                       "the forward FLOPs per sequence, and the indexer's backward pass lacks "
                       "F_unscored")),
          plg_explainer_format ("3 · {i} · ({c} + {c}) − {i} · {c}", sequences, layers / batch,
                                logits / batch, sequences, saved),
          plg_explainer_format ("{c}", self->report->step.model_flops), PLG_SOURCE_INDEXER);
      return;
    }
  plg_explainer_add (self, "flops.model", _ ("Model FLOPs per step"),
                     g_strdup (_ ("3 · sequences · (F_layers + F_logits), where F is the forward "
                                  "FLOPs per sequence")),
                     plg_explainer_format ("3 · {i} · ({c} + {c})", sequences, layers / batch,
                                           logits / batch),
                     plg_explainer_format ("{c}", self->report->step.model_flops),
                     PLG_SOURCE_MEGATRON "training.py");
}

static void
explain_rule_of_thumb (PlgExplainer *self)
{
  double active = self->report->parameters_active, tokens = step_tokens (self);
  double flops = 6.0 * active * tokens;

  plg_explainer_add (
      self, "flops.rule-of-thumb", _ ("Rule of thumb: 6 FLOPs per parameter and token"),
      g_strdup (_ ("6 · P · tokens")), plg_explainer_format ("6 · {c} · {c}", active, tokens),
      plg_explainer_format (_ ("{c}, {p} of the number above: the rule excludes attention "
                               "scores, but includes the embedding"),
                            flops, flops / self->report->step.model_flops),
      "Kaplan et al. 2020, arXiv 2001.08361");
}

static void
explain_notebook_flops (PlgExplainer *self)
{
  double gpus = self->report->world_size, batch = self->plan->training.micro_batch;

  if (is_act_one (self))
    plg_explainer_add (self, "flops.model", _ ("Model FLOPs per step"),
                       g_strdup (_ ("6 · P · batch · GPUs, without the sequence length")),
                       plg_explainer_format ("6 · {c} · {i} · {i}", self->report->parameters_total,
                                             batch, gpus),
                       plg_explainer_format ("{c}", self->report->step.model_flops),
                       PLG_SOURCE_NOTEBOOK);
  else
    plg_explainer_add (self, "flops.model", _ ("Model FLOPs per step"),
                       g_strdup (_ ("6 · P · tokens")),
                       plg_explainer_format ("6 · {c} · {c}", self->report->parameters_total,
                                             step_tokens (self)),
                       plg_explainer_format ("{c}", self->report->step.model_flops),
                       PLG_SOURCE_NOTEBOOK);
}

static void
explain_utilization (PlgExplainer *self)
{
  const PlgStep *step = &self->report->step;
  double gpus = self->report->world_size;

  plg_explainer_add (self, "mfu", _ ("Model FLOPs utilization (MFU)"),
                     g_strdup (_ ("model FLOPs / (T · GPUs · peak)")),
                     plg_explainer_format ("{k} / ({l} · {i} · {f})", step->model_flops, step->time,
                                           gpus, step->peak),
                     plg_explainer_format ("{s}", step->mfu),
                     "Chowdhery et al. 2022 (PaLM), arXiv 2204.02311, app. B");
  plg_explainer_uses (self, PLG_USES_PEAK);
  plg_explainer_add (self, "hfu", _ ("Hardware FLOPs utilization (HFU)"),
                     g_strdup (_ ("FLOPs with recompute / (T · GPUs · peak)")),
                     plg_explainer_format ("{k} / ({l} · {i} · {f})", step->hardware_flops,
                                           step->time, gpus, step->peak),
                     plg_explainer_format ("{s}", step->hfu), PLG_SOURCE_KORTHIKANTI ", app. A");
  plg_explainer_uses (self, PLG_USES_PEAK);
}

static void
explain_time (PlgExplainer *self)
{
  const PlgStep *step = &self->report->step;
  GString *symbols = g_string_new (NULL), *numbers = g_string_new (NULL);

  for (int part = 0; part < PLG_N_PARTS; part++)
    {
      g_autofree char *time = NULL;

      if (step->part[part] <= 0.0)
        continue;
      time = plg_format_time_digits (step->part[part], 5);
      if (symbols->len > 0)
        {
          g_string_append (symbols, " + ");
          g_string_append (numbers, " + ");
        }
      g_string_append (symbols, plg_part_title (part));
      g_string_append (numbers, time);
    }
  plg_explainer_add (self, "step.time", _ ("Step time"), g_string_free (symbols, FALSE),
                     g_string_free (numbers, FALSE), plg_explainer_format ("{t}", step->time),
                     _ ("Sum of the parts, which do not overlap"));
}

/* Explains the exposed time of the collectives of AXIS. For PP, this includes the waits that
 * late messages cause in later blocks. */
static void
explain_exposed (PlgExplainer *self, PlgPart part, PlgAxis axis, const char *id)
{
  GString *numbers = g_string_new (NULL);
  double rest = self->report->step.part[part];
  gboolean waits;

  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (self->report->collectives, PlgCollective, i);
      g_autofree char *time = plg_format_time (row->exposed);

      if (row->axis != axis || row->exposed <= 0.0)
        continue;
      g_string_append_printf (numbers, "%s%s", numbers->len > 0 ? " + " : "", time);
      rest -= row->exposed;
    }
  if (numbers->len == 0)
    {
      g_string_free (numbers, TRUE);
      return;
    }
  waits = part == PLG_PART_PP && rest > 1e-6 * self->report->step.part[part];
  if (waits)
    {
      g_autofree char *time = plg_format_time (rest);

      g_string_append_printf (numbers, " + %s", time);
    }
  plg_explainer_add (self, id, plg_part_title (part),
                     g_strdup (waits ? _ ("exposed messages + waits after them")
                                     : _ ("sum of the exposed times of the collectives")),
                     g_string_free (numbers, FALSE),
                     plg_explainer_format ("{t}", self->report->step.part[part]),
                     _ ("The communication panel"));
}

/* Explains the transfers and the CPU's part of the optimizer step. */
static void
explain_offload (PlgExplainer *self)
{
  const PlgPlan *plan = self->plan;
  const PlgOptimizerUpdate *update = &self->report->step.update;
  double offloaded = plg_offload_share (plan) * update->parameters;
  double link = plg_offload_link_rate (&plan->cluster);
  double passes = plg_offload_passes (plan);
  double bytes = PLG_OFFLOAD_LINK_BYTES;

  plg_explainer_add (self, "step.offload-gradients", _ ("Gradients to the host"),
                     g_strdup (_ ("P_offloaded · bytes · passes / rate of the link")),
                     plg_explainer_format ("{c} · {i} · {i} / {b}", offloaded, bytes, passes, link),
                     plg_explainer_format ("{t}", update->to_host),
                     "github.com/NVIDIA/nvbandwidth, README.md");
  plg_explainer_uses (self, PLG_USES_HOST_LINK);
  plg_explainer_constant (self, PLG_CONSTANT_HOST_LINK_EFFICIENCY);
  if (passes > 1.0)
    {
      plg_explainer_note (self, plg_explainer_format (_ ("Backward passes hide all but {t}."),
                                                      update->late));
      plg_explainer_constant (self, PLG_CONSTANT_OFFLOAD_BACKWARD_SHARE);
    }
  plg_explainer_add (self, "step.offload-update", _ ("Update on the CPU"),
                     g_strdup (_ ("P_offloaded · bytes / rate of the host's memory")),
                     plg_explainer_format ("{c} · {i} / {b}", offloaded, PLG_HOST_UPDATE_BYTES,
                                           plg_offload_update_rate (&plan->cluster)),
                     plg_explainer_format ("{t}", update->host),
                     "Ren et al. 2021, arXiv 2101.06840, table 4");
  plg_explainer_uses (self, PLG_USES_HOST_MEMORY_RATE);
  plg_explainer_constant (self, PLG_CONSTANT_HOST_UPDATE_EFFICIENCY);
  if (plg_offloads_weights (plan))
    return;
  plg_explainer_add (self, "step.offload-weights", _ ("New weights to the GPU"),
                     g_strdup (_ ("P_offloaded · bytes / rate of the link")),
                     plg_explainer_format ("{c} · {i} / {b}", offloaded, bytes, link),
                     plg_explainer_format ("{t}", update->to_gpu),
                     "github.com/NVIDIA/nvbandwidth, README.md");
  plg_explainer_uses (self, PLG_USES_HOST_LINK);
  plg_explainer_constant (self, PLG_CONSTANT_HOST_LINK_EFFICIENCY);
}

/* Explains the time of the optimizer's weight update on the slowest stage. */
static void
explain_optimizer (PlgExplainer *self)
{
  const PlgPlan *plan = self->plan;
  const PlgOptimizerUpdate *update = &self->report->step.update;
  double gradient = plg_gradient_bytes (&plan->training), share = plg_offload_share (plan);
  double each = plg_update_bytes (plan);
  double updated = (1.0 - share) * update->parameters, held = update->gradients;

  if (self->report->step.part[PLG_PART_OPTIMIZER] <= 0.0)
    return;
  if (share > 0.0)
    {
      gboolean overlaps = plg_program_habits (plan)->overlaps_offload;

      explain_offload (self);
      plg_explainer_add (self, "step.optimizer", plg_part_title (PLG_PART_OPTIMIZER),
                         g_strdup (overlaps ? _ ("max (update on the GPU, gradients to the host, "
                                                 "update on the CPU, weights to the GPU)")
                                            : _ ("max (update on the GPU, gradients to the host + "
                                                 "update on the CPU + weights to the GPU)")),
                         plg_explainer_format (overlaps ? "max ({t}, {t}, {t}, {t})"
                                                        : "max ({t}, {t} + {t} + {t})",
                                               update->gpu, update->late, update->host,
                                               update->to_gpu),
                         plg_explainer_format ("{t}", update->time), PLG_SOURCE_RAJBHANDARI);
      plg_explainer_uses (self, PLG_USES_MEMORY_RATE);
      return;
    }
  if (plg_uses_muon (plan))
    {
      double moved = updated * each + update->matrices * PLG_MUON_UPDATE + held * 2.0 * gradient;

      plg_explainer_add (self, "step.orthogonal", _ ("Orthogonalization by Muon"),
                         g_strdup (_ ("FLOPs of the iterations / rate of their products")),
                         plg_explainer_format ("{c} / {f}", update->orthogonal_flops,
                                               update->orthogonal_flops / update->orthogonal),
                         plg_explainer_format ("{t}", update->orthogonal),
                         "Jordan 2024, kellerjordan.github.io/posts/muon; NVIDIA-NeMo/"
                         "Emerging-Optimizers, muon_utils.py");
      plg_explainer_note (
          self, plg_explainer_format (_ ("Each of {i} iterations multiplies X·Xᵀ, A·A and B·X in "
                                         "BF16: 4·k²·l + 2·k³ FLOPs for a matrix with the sides k "
                                         "and l."),
                                      (double) plan->training.muon_steps));
      plg_explainer_uses (self, PLG_USES_PEAK | PLG_USES_MATRIX_EFFICIENCY | PLG_USES_MODEL);
      plg_explainer_add (
          self, "step.optimizer", plg_part_title (PLG_PART_OPTIMIZER),
          g_strdup (_ ("(P_Adam · (gradient + 2·state + weight) + P_matrices · bytes "
                       "+ P_held · 2·gradient) / memory bandwidth + orthogonal "
                       "matrices")),
          plg_explainer_format ("({c} · {i} + {c} · {i} + {c} · {i}) / {b} + {t}", updated, each,
                                update->matrices, PLG_MUON_UPDATE, held, 2.0 * gradient,
                                moved / (update->time - update->orthogonal), update->orthogonal),
          plg_explainer_format ("{t}", update->time), PLG_SOURCE_RAJBHANDARI);
      plg_explainer_uses (self, PLG_USES_MEMORY_RATE);
      plg_explainer_constant (self, PLG_CONSTANT_MUON_UPDATE);
      plg_explainer_constant (self, PLG_CONSTANT_LAUNCH_GAP);
      return;
    }
  plg_explainer_add (self, "step.optimizer", plg_part_title (PLG_PART_OPTIMIZER),
                     g_strdup (_ ("(P_updated · (gradient + 2·state + weight) + P_held · "
                                  "2·gradient) / memory bandwidth")),
                     plg_explainer_format ("({c} · {i} + {c} · {i}) / {b}", updated, each, held,
                                           2.0 * gradient,
                                           (updated * each + held * 2.0 * gradient) / update->time),
                     plg_explainer_format ("{t}", update->time), PLG_SOURCE_RAJBHANDARI);
  if (plg_copies_moments (plan))
    {
      double usual = gradient + 2.0 * plg_held_optimizer_bytes (plan) +
                     plg_weight_bytes (&plan->training);

      plg_explainer_note (self,
                          plg_explainer_format (_ ("Transformer Engine also copies both "
                                                   "moments to FP32 and back, and reads the "
                                                   "old weight if it is the upper half of the "
                                                   "master weight: {i} bytes more per "
                                                   "parameter."),
                                                each - usual));
    }
  plg_explainer_uses (self, PLG_USES_MEMORY_RATE);
  plg_explainer_constant (self, PLG_CONSTANT_LAUNCH_GAP);
}

static void
explain_parts (PlgExplainer *self)
{
  const PlgStep *step = &self->report->step;
  double p = plg_explainer_degree (self, PLG_AXIS_PP);
  double busy = step->part[PLG_PART_COMPUTE] + step->part[PLG_PART_RECOMPUTE] +
                step->part[PLG_PART_HOST] + step->part[PLG_PART_TP] + step->part[PLG_PART_CP] +
                step->part[PLG_PART_EP];

  plg_explain_compute (self);
  if (p >= 2.0)
    plg_explainer_add (self, "step.bubble", plg_part_title (PLG_PART_BUBBLE),
                       g_strdup (_ ("time of the schedule − busy time of the "
                                    "busiest stage")),
                       plg_explainer_format ("{l} − {l}", busy + step->part[PLG_PART_BUBBLE], busy),
                       plg_explainer_format ("{t}", step->part[PLG_PART_BUBBLE]),
                       _ ("Simulation of the schedule, block by block"));

  explain_exposed (self, PLG_PART_TP, PLG_AXIS_TP, "step.tp");
  explain_exposed (self, PLG_PART_CP, PLG_AXIS_CP, "step.cp");
  explain_exposed (self, PLG_PART_EP, PLG_AXIS_EP, "step.ep");
  explain_exposed (self, PLG_PART_PP, PLG_AXIS_PP, "step.pp");
  explain_exposed (self, PLG_PART_DP, PLG_AXIS_DP, "step.dp");
  explain_optimizer (self);
}

static void
explain_throughput (PlgExplainer *self)
{
  const PlgStep *step = &self->report->step;
  double tokens = step->tokens_per_second * step->time;

  plg_explainer_add (self, "step.tokens-per-second", _ ("Tokens per second"),
                     g_strdup (_ ("sequences · sequence length / T")),
                     plg_explainer_format ("{c} / {t}", tokens, step->time),
                     plg_explainer_format (_ ("{c} tokens/s, {c} per GPU"), step->tokens_per_second,
                                           step->tokens_per_second_per_gpu),
                     PLG_SOURCE_NARAYANAN);
  if (self->plan->training.tokens <= 0.0)
    return;
  plg_explainer_add (self, "step.days", _ ("Time to train"),
                     g_strdup (_ ("all tokens / (tokens per second · seconds per day)")),
                     plg_explainer_format ("{c} / ({c} · 86\u202f400)", self->plan->training.tokens,
                                           step->tokens_per_second),
                     plg_explainer_format (_ ("{n} days, {c} GPU-hours"), step->days,
                                           step->gpu_hours),
                     PLG_SOURCE_NARAYANAN ", sec. 5.1");
}

/* Formats NOTEBOOK, the MFU with the notebook's constants. Unless the notebook profile is
 * active, adds HERE, the MFU with the plan's own model and hardware. */
static char *
beside_standard (const PlgExplainer *self, double notebook, double here)
{
  if (plg_explainer_is_notebook (self))
    return plg_explainer_format ("{p}", notebook);
  return plg_explainer_format (_ ("{p} with the notebook's constants; {s} with this plan's "
                                  "model and hardware"),
                               notebook, here);
}

static void
explain_notebook_mfu (PlgExplainer *self)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  double mfu = self->report->step.mfu;
  int gpus = self->report->world_size;

  if (is_act_one (self))
    {
      PlgNotebookDataParallel act = plg_notebook_data_parallel (175.0, gpus,
                                                                self->plan->training.micro_batch,
                                                                TRUE);

      plg_explainer_add (self, "mfu.notebook", _ ("MFU according to the notebook, act I"),
                         g_strdup ("0.52 · T_compute / (T_compute + T_all-reduce)"),
                         plg_explainer_format ("0.52 · {t} / ({t} + {t})", act.compute_ms * 1e-3,
                                               act.compute_ms * 1e-3, act.all_reduce_ms * 1e-3),
                         beside_standard (self, act.mfu, mfu), PLG_SOURCE_NOTEBOOK);
    }
  else
    {
      double tp = plg_explainer_degree (self, PLG_AXIS_TP),
             pp = plg_explainer_degree (self, PLG_AXIS_PP);
      PlgNotebook3D act = plg_notebook_3d (parallelism->degree[PLG_AXIS_TP],
                                           parallelism->degree[PLG_AXIS_PP], gpus,
                                           MAX (self->report->micro_batches, 1));

      plg_explainer_add (self, "mfu.notebook", _ ("MFU according to the notebook, act II"),
                         g_strdup ("0.52 · (1 − 0.05·log₂ TP · penalty) · (1 − (p − 1)/(p·m)) · "
                                   "(1 − 0.02·log₂ DP)"),
                         plg_explainer_format ("0.52 · (1 − 0.05·log₂ {i} · {n}) · (1 − {i}/{i}) · "
                                               "(1 − 0.02·log₂ {i})",
                                               tp, act.penalty, pp - 1.0,
                                               pp * self->report->micro_batches, (double) act.dp),
                         beside_standard (self, act.mfu, mfu), PLG_SOURCE_NOTEBOOK);
    }
  plg_explainer_note (self, g_strdup (_ ("The notebook's peak assumes sparsity and "
                                         "is twice the dense peak; its losses for "
                                         "TP and DP have no source.")));
}

void
plg_explain_step (PlgExplainer *self)
{
  static const PlgExplainerRow rows[] = {
    { explain_notebook_flops, PLG_EXPLAIN_NOTEBOOK },
    { explain_hybrid_parameters, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_parameters, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_active_parameters, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_attention_keys, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_layer_flops, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_model_flops, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_hardware_flops, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_rule_of_thumb, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_utilization, PLG_EXPLAIN_ALWAYS },
    { explain_time, PLG_EXPLAIN_ALWAYS },
    { explain_parts, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_throughput, PLG_EXPLAIN_ALWAYS },
    { explain_notebook_mfu, PLG_EXPLAIN_ALWAYS },
  };

  plg_explainer_add_rows (self, rows, G_N_ELEMENTS (rows));
}
