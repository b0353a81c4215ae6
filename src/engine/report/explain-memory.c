/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/engine-constant.h"
#include "engine/model/flops.h"
#include "engine/model/megatron-theory.h"
#include "engine/model/memory.h"
#include "engine/model/muon.h"
#include "engine/model/offload.h"
#include "engine/model/program.h"
#include "engine/model/recipe.h"
#include "engine/model/textbook.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* A kind of persistent state: bytes per parameter, and whether ZeRO shards it. */
typedef struct
{
  const char *id;
  const char *title;
  double bytes;
  gboolean divided;
  double held;
  const char *source;
  double on_gpu; /* share that is not offloaded to the host */
} StateRow;

static void
explain_state (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  const PlgTraining *training = &self->plan->training;
  gboolean handbook = self->plan->profile == PLG_PROFILE_HANDBOOK;
  int groups = plg_parallelism_replicate (&self->plan->parallelism);
  int zero = self->plan->parallelism.zero;
  double on_gpu = 1.0 - plg_offload_share (self->plan);
  static const char *const optimizer_sources[] = {
    [PLG_OPTIMIZER_ADAM] = PLG_SOURCE_RAJBHANDARI,
    [PLG_OPTIMIZER_ADAM_BF16] = PLG_SOURCE_RAJBHANDARI
    "; Megatron-LM, core/optimizer/optimizer_config.py",
    [PLG_OPTIMIZER_ADAM_8BIT] = PLG_SOURCE_RAJBHANDARI "; bitsandbytes, optim/optimizer.py",
    [PLG_OPTIMIZER_MUON] =
        "Liu et al. 2025, arXiv 2502.16982; Megatron-LM, core/optimizer/layer_wise_optimizer.py",
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (optimizer_sources) == PLG_N_OPTIMIZERS);
  const StateRow rows[] = {
    { "memory.weights", _ ("Weights"), handbook ? 2.0 : plg_weight_bytes (training), zero >= 3,
      stage->weights, PLG_SOURCE_RAJBHANDARI, plg_offloads_weights (self->plan) ? 0.0 : 1.0 },
    { "memory.gradients", _ ("Gradients"),
      handbook ? 2.0 : plg_accumulated_gradient_bytes (self->plan),
      handbook ? zero >= 2 : plg_gradients_are_sharded (self->plan), stage->gradients,
      PLG_SOURCE_RAJBHANDARI, plg_offloads_gradients (self->plan) ? on_gpu : 1.0 },
    { "memory.optimizer", _ ("Optimizer"), handbook ? 12.0 : plg_held_optimizer_bytes (self->plan),
      zero >= 1, stage->optimizer, optimizer_sources[training->optimizer], on_gpu },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (handbook)
      {
        const StateRow *row = &rows[i];
        double parameters = stage->parameters;
        gboolean divided = row->divided;

        plg_explainer_add (self, row->id, row->title,
                           g_strdup (!divided     ? _ ("parameters on the GPU · bytes")
                                     : groups > 1 ? _ ("parameters on the GPU / (DP / shard "
                                                       "groups) · bytes")
                                                  : _ ("parameters on the GPU / DP · bytes")),
                           divided
                               ? plg_explainer_format ("{c} / {i} · {i}", parameters,
                                                       plg_explainer_degree (self, PLG_AXIS_DP) /
                                                           groups,
                                                       row->bytes)
                               : plg_explainer_format ("{c} · {i}", parameters, row->bytes),
                           plg_explainer_format ("{m}", row->held),
                           _ ("Teaching handbook, ZeRO formulas for persistent state"));
      }
    else
      {
        const StateRow *row = &rows[i];
        PlgGpuParameters gpu = plg_stage_gpu_parameters (self->plan,
                                                         self->report->memory_peak_stage);
        gboolean divided = row->divided;
        char *symbols, *numbers;

        if (plg_uses_muon (self->plan) && g_str_equal (row->id, "memory.optimizer"))
          {
            PlgOwnedParameters owned = plg_stage_owned_parameters (self->plan,
                                                                   self->report->memory_peak_stage);

            symbols = g_strdup (_ ("parameters of Adam · bytes + parameters in matrices · bytes"));
            numbers = plg_explainer_format ("{c} · {i} + {c} · {i}", owned.adam, row->bytes,
                                            owned.muon, plg_muon_state_bytes (training));
          }
        else if (!divided)
          {
            symbols = g_strdup (_ ("parameters on the GPU · bytes"));
            numbers = plg_explainer_format ("{c} · {i}", gpu.dense + gpu.expert, row->bytes);
          }
        else if (gpu.expert > 0.0)
          {
            symbols = g_strdup (groups > 1
                                    ? _ ("(P / (DP·CP / shard groups) + P_expert / (expert DP / "
                                         "shard groups)) · bytes")
                                    : _ ("(P / (DP·CP) + P_expert / expert DP) · bytes"));
            numbers = plg_explainer_format ("({c} / {i} + {c} / {i}) · {i}", gpu.dense,
                                            (double) gpu.dense_shards, gpu.expert,
                                            (double) gpu.expert_shards, row->bytes);
          }
        else
          {
            symbols = g_strdup (groups > 1
                                    ? _ ("parameters on the GPU / (DP·CP / shard groups) · bytes")
                                    : _ ("parameters on the GPU / (DP·CP) · bytes"));
            numbers = plg_explainer_format ("{c} / {i} · {i}", gpu.dense, (double) gpu.dense_shards,
                                            row->bytes);
          }
        if (row->on_gpu < 1.0)
          {
            g_autofree char *all_symbols = symbols, *all_numbers = numbers;
            g_autofree char *share = plg_explainer_format ("{s}", row->on_gpu);

            symbols = g_strconcat (all_symbols, " · ", _ ("share on the GPU"), NULL);
            numbers = g_strconcat (all_numbers, " · ", share, NULL);
          }
        plg_explainer_add (self, row->id, row->title, symbols, numbers,
                           plg_explainer_format ("{m}", row->held), row->source);
      }
  if (!handbook && plg_uses_muon (self->plan))
    plg_explainer_note (
        self,
        plg_muon_owns_matrices (self->plan)
            ? g_strdup (_ ("Adam updates embedding, output, norms and biases. Muon updates the "
                           "matrices of layers and has one momentum. Each GPU has whole "
                           "matrices; the GPU with most of them counts."))
            : g_strdup (_ ("Adam updates embedding, output, norms and biases. Muon updates the "
                           "matrices of layers and has one momentum.")));
  else if (!handbook && training->optimizer != PLG_OPTIMIZER_ADAM)
    {
      double bytes = plg_held_optimizer_bytes (self->plan), moment = plg_moment_bytes (training);

      plg_explainer_note (self,
                          plg_explainer_format (_ ("Bytes of the optimizer: master weight {i} + "
                                                   "two moments 2 · {i} = {i} per parameter."),
                                                bytes - 2.0 * moment, moment, bytes));
    }
}

/* Returns the formula for the number of micro-batches in flight under the plan's schedule, in
 * symbols. Stores the same formula with the plan's numbers in NUMBERS. */
static const char *
in_flight_rule (const PlgExplainer *self, int stage, char **numbers)
{
  double p = plg_explainer_degree (self, PLG_AXIS_PP), m = self->report->micro_batches;
  double v = plg_stage_chunks (self->plan), r = stage;
  PlgSchedule schedule = self->plan->training.schedule;

  if (p == 1.0)
    {
      *numbers = g_strdup ("1");
      return "1";
    }
  if (schedule == PLG_SCHEDULE_GPIPE)
    {
      *numbers = plg_explainer_format ("{i}", m);
      return "m";
    }
  if (schedule == PLG_SCHEDULE_DUALPIPE)
    {
      *numbers = plg_explainer_format ("min ({i}, {i} + 1)", m, p);
      return "min (m, p + 1)";
    }
  if (schedule == PLG_SCHEDULE_ZB_H1 || schedule == PLG_SCHEDULE_ZB_V)
    {
      *numbers = plg_explainer_format ("min ({i}, {i})", m, p);
      return "min (m, p)";
    }
  if (schedule == PLG_SCHEDULE_INTERLEAVED && v > 1.0)
    {
      *numbers = plg_explainer_format ("min ({i}, (2·({i} − {i} − 1) + ({i} − 1)·min ({i},"
                                       " {i}) + 1) / {i})",
                                       m, p, r, v, p, m, v);
      return "min (m, (2·(p − r − 1) + (v − 1)·min (p, m) + 1) / v)";
    }
  *numbers = plg_explainer_format ("min ({i}, {i} − {i})", m, p, r);
  return "min (m, p − r)";
}

static void
explain_in_flight (PlgExplainer *self)
{
  static const char *const sources[] = {
    [PLG_SCHEDULE_GPIPE] = "Huang et al. 2019, arXiv 1811.06965",
    [PLG_SCHEDULE_1F1B] = PLG_SOURCE_NARAYANAN ", sec. 2.2",
    [PLG_SCHEDULE_INTERLEAVED] = PLG_SOURCE_KORTHIKANTI ", sec. 4.2",
    [PLG_SCHEDULE_ZB_H1] = "Qi et al. 2023, arXiv 2401.10241",
    [PLG_SCHEDULE_ZB_V] = "Qi et al. 2023, arXiv 2401.10241",
    [PLG_SCHEDULE_DUALPIPE] = "DeepSeek-V3, arXiv 2412.19437, table 2",
  };
  int stage = self->report->memory_peak_stage;
  char *numbers;
  const char *symbols = in_flight_rule (self, stage, &numbers);

  plg_explainer_add (self, "memory.in-flight", _ ("Micro-batches in flight on the fullest stage"),
                     g_strdup (symbols), numbers,
                     plg_explainer_format ("{n}", plg_stage_in_flight (self->plan, stage)),
                     sources[self->plan->training.schedule]);
}

/* Explains the tensors of recomputed modules, which a layer does not keep. */
static void
explain_recomputed_modules (PlgExplainer *self)
{
  gboolean moe = plg_transformer_moe_layers (&self->plan->model) > 0;
  PlgRecomputedBytes bytes = plg_recomputed_bytes (self->plan, moe);

  if (bytes.mixer > 0.0)
    plg_explainer_add (self, "memory.recomputed", _ ("Recomputed activations per layer and token"),
                       g_strdup (_ ("in attention + in the mixer + in the MLP or experts, means of "
                                    "all layers")),
                       plg_explainer_format ("{v} + {v} + {v}", bytes.attention, bytes.mixer,
                                             bytes.mlp),
                       plg_explainer_format ("{v}", bytes.attention + bytes.mixer + bytes.mlp),
                       "Megatron-LM, megatron/core/transformer/transformer_config.py");
  else if (bytes.attention + bytes.mlp > 0.0)
    plg_explainer_add (self, "memory.recomputed", _ ("Recomputed activations per layer and token"),
                       g_strdup (moe ? _ ("in attention + in the experts")
                                     : _ ("in attention + in the MLP")),
                       plg_explainer_format ("{v} + {v}", bytes.attention, bytes.mlp),
                       plg_explainer_format ("{v}", bytes.attention + bytes.mlp),
                       "Megatron-LM, megatron/core/transformer/transformer_config.py");
}

/* Explains the layers that full recompute repeats on the fullest stage, unless it repeats all of them
 * and keeps the input of each. */
static void
explain_repeated_layers (PlgExplainer *self)
{
  static const char *const symbols[PLG_N_RECOMPUTE_METHODS] = {
    [PLG_RECOMPUTE_METHOD_FIRST] = N_ ("the first N layers of each virtual stage"),
    [PLG_RECOMPUTE_METHOD_EVERY] = N_ ("every N-th layer of the stage"),
    [PLG_RECOMPUTE_METHOD_GROUPS] = N_ ("all layers, with one kept input for each N layers"),
  };
  const PlgTraining *training = &self->plan->training;
  PlgStageParts parts = plg_stage_parts (self->plan, self->report->memory_peak_stage);
  int layers = parts.dense_layers + parts.moe_layers + parts.mtp_layers;
  int repeated = parts.repeated.dense_layers + parts.repeated.moe_layers +
                 parts.repeated.mtp_layers;

  if (training->recompute != PLG_RECOMPUTE_FULL ||
      training->recompute_method == PLG_RECOMPUTE_METHOD_ALL)
    return;
  plg_explainer_add (self, "memory.repeated", _ ("Recomputed layers of the fullest stage"),
                     g_strdup (_ (symbols[training->recompute_method])),
                     g_strdup_printf (_ ("N = %d, %d layers on the stage, %d kept inputs"),
                                      training->recompute_layers, layers,
                                      parts.repeated.kept_inputs),
                     plg_explainer_format ("{i}", (double) repeated),
                     "Megatron-LM, megatron/core/transformer/transformer_block.py");
}

/* Explains the activations of a dense layer per token: the tensors that TP shards, and all other
 * tensors. */
static void
explain_layer_activations (PlgExplainer *self)
{
  const PlgPlan *plan = self->plan;
  const PlgTransformer *model = &plan->model;
  gboolean flash = plan->training.flash_attention;
  gboolean scores = !flash && plan->training.recompute == PLG_RECOMPUTE_NONE;
  gboolean masks = plg_training_has_dropout (&plan->training);
  double whole = masks ? 10.0 : 8.0, inner = 4.0, score = masks ? 5.0 : 2.0;
  double tp = plg_explainer_degree (self, PLG_AXIS_TP);
  double kept = flash ? 4.0 : scores ? score * plan->training.sequence : 0.0;
  const char *kept_symbols = flash ? "4·a" : !scores ? "0" : masks ? "5·a·s" : "2·a·s";
  gboolean divided = plan->parallelism.sequence;
  g_autofree char *symbols = NULL;
  PlgPrecision precision = plan->training.precision;

  if (model->mixer != PLG_MIXER_NONE && plan->training.recompute != PLG_RECOMPUTE_FULL &&
      !plg_recomputes_modules (plan))
    {
      gboolean moe = plg_transformer_moe_layers (model) > 0;

      plg_explainer_add (
          self, "memory.layer", _ ("Activations per layer and token, mean of all layers"),
          g_strdup (_ ("(attention layers · attention + mixer layers · mixer + MLP layers · MLP) / "
                       "layers")),
          plg_explainer_format ("({i} · {v} + {i} · {v} + {i} · {v}) / {i}",
                                (double) plg_transformer_attention_layers (model),
                                plg_parts_activation_bytes (plan, moe,
                                                            (PlgLayerShares) { .attention = 1.0 }),
                                (double) plg_transformer_mixer_layers (model),
                                plg_parts_activation_bytes (plan, moe,
                                                            (PlgLayerShares) { .mixer = 1.0 }),
                                (double) plg_transformer_mlp_layers (model),
                                plg_parts_activation_bytes (plan, moe,
                                                            (PlgLayerShares) { .mlp = 1.0 }),
                                (double) model->layers),
          plg_explainer_format ("{v}", plg_layer_activation_bytes (plan, moe)),
          PLG_SOURCE_KORTHIKANTI ", sec. 4");
    }

  /* Show the formula only for a dense layer in 16-bit training, without a mixer, latent or gated
   * attention, recomputed modules or full recompute. All other formulas are too long for one line. */
  if (model->mixer != PLG_MIXER_NONE || model->attention_gate || plan->model.kv_rank != 0 ||
      model->index_heads > 0 || plg_transformer_dense_layers (&plan->model) <= 0 ||
      (precision != PLG_PRECISION_BF16 && precision != PLG_PRECISION_FP16) ||
      plan->training.recompute == PLG_RECOMPUTE_FULL || plg_recomputes_modules (plan))
    return;
  if (model->gated)
    inner = plg_kernel_habits (plan)->fuses ? 6.0 : 8.0;
  symbols = g_strdup_printf ("4·(a + g)·d + %.0f·f + %s", inner, kept_symbols);
  plg_explainer_add (
      self, "memory.layer", _ ("Activations per layer and token"),
      g_strdup_printf (divided ? "(%.0f·h + %s) / TP" : "%.0f·h + (%s) / TP", whole, symbols),
      plg_explainer_format (divided ? "({i}·{i} + 4·({i} + {i})·{i} + {i}·{i} + {i}·{i}) / {i}"
                                    : "{i}·{i} + (4·({i} + {i})·{i} + {i}·{i} + {i}·{i}) / {i}",
                            whole, (double) model->hidden, (double) model->heads,
                            (double) model->kv_heads, (double) model->head_dim, inner,
                            (double) model->ffn, kept, (double) model->heads, tp),
      plg_explainer_format ("{v}", plg_layer_activation_bytes (plan, FALSE)),
      PLG_SOURCE_KORTHIKANTI ", sec. 4");
}

/* Explains the activations, and the buffers that exist at the same time. */
static void
explain_activations (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  int number = self->report->memory_peak_stage;
  double token = plg_stage_activation_bytes (self->plan, number);
  double tokens = plg_gpu_tokens (self->plan);
  double in_flight = plg_stage_in_flight (self->plan, number);
  double on_host, off_gpu = plg_stage_offloaded_bytes (self->plan, number, &on_host);
  double rest = stage->activations + off_gpu - token * tokens * in_flight;
  PlgStageBuffers buffers = plg_stage_buffers (self->plan, number);
  gboolean step = buffers.step - stage->activations >
                  buffers.gradients + buffers.weights + buffers.input;
  g_autofree char *numbers = step ? plg_explainer_format ("{m} − {m}", buffers.step,
                                                          stage->activations)
                                  : plg_explainer_format ("{m} + {m} + {m}", buffers.gradients,
                                                          buffers.weights, buffers.input);
  g_autofree char *dispatch = buffers.dispatch > 0.0
                                  ? plg_explainer_format (" + {m}", buffers.dispatch)
                                  : g_strdup ("");
  g_autofree char *copies = buffers.copies > 0.0 ? plg_explainer_format (" + {m}", buffers.copies)
                                                 : g_strdup ("");

  plg_explainer_add (
      self, "memory.activations", _ ("Activations"),
      g_strdup (off_gpu > 0.0
                    ? _ ("A_stage · b·s/CP · in flight − (offloaded − one layer on its way) + "
                         "transient peak of a layer or of the logits")
                    : _ ("A_stage · b·s/CP · in flight + transient peak of a layer or of the "
                         "logits")),
      off_gpu > 0.0
          ? plg_explainer_format ("{v} · {i} · {n} − ({m} − {m}) + {m}", token, tokens, in_flight,
                                  on_host, on_host - off_gpu, rest)
          : plg_explainer_format ("{v} · {i} · {n} + {m}", token, tokens, in_flight, rest),
      plg_explainer_format ("{m}", stage->activations), PLG_SOURCE_KORTHIKANTI ", sec. 4");
  if (plg_expert_load (self->plan) > 1.0)
    plg_explainer_note (
        self, plg_explainer_format (_ ("The experts are those of the fullest rank, "
                                       "which receives {n} times the mean number of tokens."),
                                    plg_expert_load (self->plan)));
  plg_explainer_add (
      self, "memory.buffers", _ ("Buffers"),
      g_strconcat (step ? (plg_copies_moments (self->plan)
                               ? _ ("FP32 copy of the moments for the optimizer − activations")
                               : _ ("FP32 copy of the gradients for the optimizer − activations"))
                        : _ ("gradients of a layer + gathered weights + gathered input"),
                   buffers.dispatch > 0.0 ? _ (" + buffers of the dispatcher") : "",
                   buffers.copies > 0.0 ? _ (" + quantized copies of weights") : "", NULL),
      g_strconcat (numbers, dispatch, copies, NULL), plg_explainer_format ("{m}", stage->buffers),
      buffers.dispatch > 0.0 ? "Transformer Engine; DeepSpeed, runtime/zero; DeepEP, csrc"
                             : "Transformer Engine; DeepSpeed, runtime/zero");
  if (buffers.copies > 0.0)
    plg_explainer_note (
        self, plg_explainer_format (_ ("Transformer Engine keeps quantized copies for both "
                                       "directions of a product, {n} bytes per weight of a layer "
                                       "more than the weights above."),
                                    plg_weight_copy_bytes (self->plan)));
}

static void
explain_runtime (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  double allocated = stage->weights + stage->gradients + stage->optimizer + stage->activations +
                     stage->buffers;
  int communicators = plg_plan_communicators (self->plan);
  double nccl = communicators > 0 ? PLG_NCCL_BYTES : 0.0;
  PlgEngineConstant slack = plg_program_habits (self->plan)->slack;
  double block = plg_stage_largest_block (self->plan, self->report->memory_peak_stage);
  double reserved = plg_allocator_slack (self->plan, allocated, block);

  plg_explainer_add (self, "memory.runtime", _ ("Runtime"),
                     g_strdup (_ ("context + NCCL + axes · memory per axis + allocator slack · "
                                  "allocated memory")),
                     plg_explainer_format ("{m} + {m} + {i} · {m} + {s} · {m}", PLG_CONTEXT_BYTES,
                                           nccl, (double) communicators, PLG_COMMUNICATOR_BYTES,
                                           reserved, allocated),
                     plg_explainer_format ("{m}", stage->runtime),
                     "github.com/stas00/ml-engineering, training/performance");
  plg_explainer_constant (self, PLG_CONSTANT_CONTEXT_BYTES);
  if (communicators > 0)
    {
      plg_explainer_constant (self, PLG_CONSTANT_NCCL_BYTES);
      plg_explainer_constant (self, PLG_CONSTANT_COMMUNICATOR_BYTES);
    }
  if (reserved * allocated <= block)
    {
      plg_explainer_note (self, plg_explainer_format (_ ("One block of {m}, the logits in FP32, "
                                                         "stays reserved and cannot be used."),
                                                      block));
      return;
    }
  plg_explainer_constant (self, slack);
  if (reserved < plg_engine_constant (slack))
    plg_explainer_constant (self, PLG_CONSTANT_ALLOCATOR_MIN_SLACK_PART);
}

/* Explains the memory of the host, which is not part of the peak of the GPU. */
static void
explain_host (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  double available = plg_cluster_host_memory (&self->plan->cluster);
  double gpus = plg_cluster_host_gpus (&self->plan->cluster);
  PlgGpuParameters gpu;
  double owned, state;

  if (stage->host <= 0.0)
    return;
  gpu = plg_stage_gpu_parameters (self->plan, self->report->memory_peak_stage);
  owned = self->plan->parallelism.zero >= 1
              ? gpu.dense / gpu.dense_shards + gpu.expert / gpu.expert_shards
              : gpu.dense + gpu.expert;
  state = plg_offload_share (self->plan) * owned * plg_host_state_bytes (self->plan);
  plg_explainer_add (
      self, "memory.host", _ ("Memory of the host, for one GPU"),
      g_strdup (_ ("parameters of the GPU's optimizer · offloaded share · bytes + offloaded "
                   "activations")),
      plg_explainer_format ("{c} · {s} · {i} + {m}", owned, plg_offload_share (self->plan),
                            plg_host_state_bytes (self->plan), stage->host - state),
      plg_explainer_format ("{m}", stage->host), "DeepSpeed, ops/adam/cpu_adam.py");
  if (available > 0.0)
    plg_explainer_note (
        self, plg_explainer_format (_ ("The {i} GPUs of a host need {m}; the host has {m}."), gpus,
                                    gpus * stage->host, gpus * available));
}

static void
explain_total (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  gboolean fits = self->report->fits;

  plg_explainer_add (
      self, "memory.total", _ ("Total on the fullest stage"),
      g_strdup (_ ("weights + gradients + optimizer + activations + buffers + runtime")),
      plg_explainer_format ("{m} + {m} + {m} + {m} + {m} + {m}", stage->weights, stage->gradients,
                            stage->optimizer, stage->activations, stage->buffers, stage->runtime),
      plg_explainer_format (fits ? _ ("{m} on stage {i}: fits in {m}")
                                 : _ ("{m} on stage {i}: does not fit in {m}"),
                            stage->total, (double) self->report->memory_peak_stage,
                            self->report->memory_capacity),
      _ ("Sum of the memory items above"));
  plg_explainer_uses (self, PLG_USES_MEMORY_SIZE);
}

static void
explain_notebook_parts (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  double tp = plg_explainer_degree (self, PLG_AXIS_TP),
         pp = plg_explainer_degree (self, PLG_AXIS_PP);

  plg_explainer_add (self, "memory.weights", _ ("Weights"), g_strdup ("175·10⁹ / (TP·PP) · 2"),
                     plg_explainer_format ("175·10⁹ / ({i}·{i}) · 2", tp, pp),
                     plg_explainer_format ("{g}", stage->weights), PLG_SOURCE_NOTEBOOK);
  plg_explainer_add (self, "memory.optimizer", _ ("Optimizer"), g_strdup ("175·10⁹ / (TP·PP) · 8"),
                     plg_explainer_format ("175·10⁹ / ({i}·{i}) · 8", tp, pp),
                     plg_explainer_format ("{g}", stage->optimizer), PLG_SOURCE_NOTEBOOK);
  plg_explainer_add (self, "memory.activations", _ ("Activations"), g_strdup ("8·10⁹ · TP"),
                     plg_explainer_format ("8·10⁹ · {i}", tp),
                     plg_explainer_format ("{g}", stage->activations), PLG_SOURCE_NOTEBOOK);
}

static void
explain_notebook_memory (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  const PlgParallelism *parallelism = &self->plan->parallelism;
  double tp = plg_explainer_degree (self, PLG_AXIS_TP),
         pp = plg_explainer_degree (self, PLG_AXIS_PP);
  PlgNotebook3D act = plg_notebook_3d (parallelism->degree[PLG_AXIS_TP],
                                       parallelism->degree[PLG_AXIS_PP], self->report->world_size,
                                       MAX (self->report->micro_batches, 1));
  double bytes = act.total_gb * PLG_GB;

  plg_explainer_add (
      self, "memory.notebook", _ ("Memory according to the notebook"),
      g_strdup ("175·10⁹ / (TP·PP) · (2 + 8) + 8·10⁹ · TP"),
      plg_explainer_format ("175·10⁹ / ({i}·{i}) · 10 + 8·10⁹ · {i}", tp, pp, tp),
      plg_explainer_is_notebook (self)
          ? plg_explainer_format ("{g}", bytes)
          : plg_explainer_format (_ ("{g}; this plan's own total is {m}, because TP divides "
                                     "activations, whereas the notebook multiplies them by TP"),
                                  bytes, stage->total),
      PLG_SOURCE_NOTEBOOK);
}


/* Lists the features of PLAN, and the parts of its memory, that are missing from Megatron-LM's
 * estimate. */
static char *
overlooked_by_megatron (const PlgPlan *plan)
{
  const PlgTraining *training = &plan->training;
  const PlgParallelism *parallelism = &plan->parallelism;
  const PlgTransformer *model = &plan->model;
  gboolean scores = !training->flash_attention && training->recompute == PLG_RECOMPUTE_NONE;
  const struct
  {
    gboolean holds;
    const char *text;
  } items[] = {
    { model->mixer != PLG_MIXER_NONE, _ ("layers without attention") },
    { model->gated, _ ("the MLP gate") },
    { model->kv_heads < model->heads, _ ("fewer key heads than query heads") },
    { plg_transformer_is_moe (model), _ ("expert activations") },
    { scores, _ ("attention scores") },
    { plg_moment_bytes (training) < 4.0, _ ("moments in fewer than 32 bits") },
    { training->optimizer == PLG_OPTIMIZER_MUON, _ ("the single momentum of Muon") },
    { training->recompute == PLG_RECOMPUTE_FULL, _ ("full recompute") },
    { plg_recomputes_modules (plan), _ ("recomputed modules") },
    { parallelism->degree[PLG_AXIS_CP] > 1, _ ("context parallelism") },
    { parallelism->zero >= 2, _ ("ZeRO above stage 1") },
    { plg_parallelism_replicate (parallelism) > 1, _ ("shard groups (HSDP)") },
    { parallelism->degree[PLG_AXIS_PP] > 1, _ ("logits") },
    { TRUE, _ ("buffers") },
    { TRUE, _ ("runtime") },
  };
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    if (items[i].holds)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", items[i].text);
  return g_string_free (list, FALSE);
}

/* Explains the activations with the one of Megatron-LM's two formulas that applies to the plan.
 * In the formulas, x is the number of micro-batches in flight on the first stage divided by the
 * number of stages. */
static void
explain_megatron_activations (PlgExplainer *self, const PlgMegatronTheory *theory)
{
  const PlgTransformer *model = &self->plan->model;
  gboolean selective = theory->activation_bytes == theory->selective_bytes;
  double p = plg_explainer_degree (self, PLG_AXIS_PP),
         tp = plg_explainer_degree (self, PLG_AXIS_TP);
  double h = model->hidden, layers = model->layers, vocabulary = plg_padded_vocabulary (self->plan);
  double tokens = (double) self->plan->training.micro_batch * self->plan->training.sequence;
  double ends = p > 1.0 ? 0.0 : selective ? 4.0 : 2.0, x = theory->in_flight_factor;
  char *symbols, *numbers;

  if (selective)
    {
      symbols = g_strdup ("b·s·(((18·h + 4·f)·L + (8 + h)·p)·x + k·(h + V)) / TP");
      numbers = plg_explainer_format (
          "{i}·(((18·{i} + 4·{i})·{i} + (8 + {i})·{i})·{e} + {i}·({i} + "
          "{i})) / {i}",
          tokens, h, (double) model->ffn, layers, h, p, x, ends, h, vocabulary, tp);
    }
  else
    {
      symbols = g_strdup ("1.05·b·s·((h·(10 + 24/TP)·L + (8 + h)·p)·x + k·(h + V/TP))");
      numbers = plg_explainer_format ("1.05·{i}·(({i}·(10 + 24/{i})·{i} + (8 + {i})·{i})·{e} "
                                      "+ {i}·({i} + {i}/{i}))",
                                      tokens, h, tp, layers, h, p, x, ends, h, vocabulary, tp);
    }
  plg_explainer_add (self, "memory.megatron.activations",
                     _ ("Activations according to Megatron-LM's "
                        "report"),
                     symbols, numbers, plg_explainer_format ("{m}", theory->activation_bytes),
                     PLG_SOURCE_MEGATRON "theoretical_memory_usage.py");
}

static void
explain_megatron_memory (PlgExplainer *self)
{
  const PlgStageMemory *stage = self->fullest;
  PlgMegatronTheory theory = plg_megatron_theory (self->plan);
  g_autofree char *overlooked = overlooked_by_megatron (self->plan);
  g_autofree char *totals = plg_explainer_format (_ ("{m}; here {m}"), theory.total_bytes,
                                                  stage->total);
  const char *symbols = self->plan->parallelism.zero >= 1 ? _ ("P·(6 + 12/DP) + activations")
                                                          : _ ("P·18 + activations");
  char *numbers;

  if (theory.expert > 0.0)
    {
      symbols = self->plan->parallelism.zero >= 1
                    ? _ ("P·(6 + 12/DP) + P_expert·(6 + 12/expert DP) + activations")
                    : _ ("P·18 + P_expert·18 + activations");
      numbers = plg_explainer_format ("{c} · {e} + {c} · {e} + {m}", theory.dense,
                                      theory.dense_bytes_each, theory.expert,
                                      theory.expert_bytes_each, theory.activation_bytes);
    }
  else
    numbers = plg_explainer_format ("{c} · {e} + {m}", theory.dense, theory.dense_bytes_each,
                                    theory.activation_bytes);
  explain_megatron_activations (self, &theory);
  plg_explainer_add (self, "memory.megatron", _ ("Memory according to Megatron-LM's report"),
                     g_strdup (symbols), numbers,
                     g_strdup_printf (_ ("%s: the report ignores %s"), totals, overlooked),
                     PLG_SOURCE_MEGATRON "theoretical_memory_usage.py");
}

/* Explains the handbook's rule for the persistent state, for comparison with the standard
 * profile. The handbook shards this state only over DP. */
static void
explain_handbook_beside (PlgExplainer *self)
{
  static const struct
  {
    const char *symbols;
    const char *numbers;
  } rules[] = {
    { "P·(2 + 2 + 12)", "{c}·(2 + 2 + 12)" },
    { "P·(2 + 2 + 12/DP)", "{c}·(2 + 2 + 12/{i})" },
    { "P·(2 + 14/DP)", "{c}·(2 + 14/{i})" },
    { "P·16/DP", "{c}·16/{i}" },
  };
  const PlgStageMemory *stage = self->fullest;
  int zero = CLAMP (self->plan->parallelism.zero, 0, 3);
  double dp = plg_explainer_degree (self, PLG_AXIS_DP) /
              plg_parallelism_replicate (&self->plan->parallelism);
  double bytes = plg_handbook_state_bytes (stage->parameters, zero, (int) dp);

  plg_explainer_add (self, "memory.handbook", _ ("State according to the handbook"),
                     g_strdup (rules[zero].symbols),
                     plg_explainer_format (rules[zero].numbers, stage->parameters, dp),
                     plg_explainer_format (_ ("{g}; here {m}"), bytes,
                                           stage->weights + stage->gradients + stage->optimizer),
                     _ ("Teaching handbook, ZeRO formulas for persistent state"));
  if (dp < plg_explainer_degree (self, PLG_AXIS_DP))
    plg_explainer_note (self, g_strdup (_ ("DP stands here for the replicas of one shard group.")));
  plg_explainer_note (self, g_strdup (_ ("The handbook assumes 16-bit gradients, shards by DP "
                                         "only and not by CP or expert groups, and counts in "
                                         "units of 10⁹ bytes.")));
}

void
plg_explain_memory (PlgExplainer *self)
{
  static const PlgExplainerRow rows[] = {
    { explain_notebook_parts, PLG_EXPLAIN_NOTEBOOK },
    { explain_state, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_layer_activations, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_recomputed_modules, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_repeated_layers, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_in_flight, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_activations, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_runtime, PLG_EXPLAIN_STANDARD },
    { explain_host, PLG_EXPLAIN_STANDARD },
    { explain_total, PLG_EXPLAIN_OUTSIDE_NOTEBOOK },
    { explain_megatron_memory, PLG_EXPLAIN_STANDARD },
    { explain_handbook_beside, PLG_EXPLAIN_STANDARD },
    { explain_notebook_memory, PLG_EXPLAIN_ALWAYS },
  };
  const PlgReport *report = self->report;

  if (report->memory_peak_stage < 0 || (guint) report->memory_peak_stage >= report->stages->len)
    return;
  self->fullest = &g_array_index (report->stages, PlgStageMemory, report->memory_peak_stage);
  plg_explainer_add_rows (self, rows, G_N_ELEMENTS (rows));
}
