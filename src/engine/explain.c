/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/explain.h"

#include "engine/flops.h"
#include "engine/megatron.h"
#include "engine/memory.h"
#include "engine/textbook.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define BUBBLE_CEILING 0.10

#define NOTEBOOK "Teaching notebook, “The Parallelism Paradox”"
#define NARAYANAN "Narayanan et al. 2021, arXiv 2104.04473"
#define KORTHIKANTI "Korthikanti et al. 2022, arXiv 2205.05198"
#define RAJBHANDARI "Rajbhandari et al. 2020, arXiv 1910.02054, sec. 5"
#define MEGATRON "Megatron-LM, megatron/training/"

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const char *panel; /* of what is being added */
  GArray *list;
} Explainer;

static void
clear_explanation (gpointer data)
{
  PlgExplanation *explanation = data;

  g_free (explanation->title);
  g_free (explanation->symbols);
  g_free (explanation->numbers);
  g_free (explanation->result);
}

/* Takes the three texts. */
static void
add (Explainer *self,
     const char *id,
     const char *title,
     char *symbols,
     char *numbers,
     char *result,
     const char *source)
{
  PlgExplanation explanation = { .id = id,
                                 .panel = self->panel,
                                 .title = g_strdup (title),
                                 .symbols = symbols,
                                 .numbers = numbers,
                                 .result = result,
                                 .source = source };

  g_array_append_val (self->list, explanation);
}

static char *
format_percent (double share)
{
  g_autofree char *number = plg_format_number (100.0 * share, 4);

  return g_strconcat (number, "\u00a0%", NULL);
}

static char *
format_gigabytes (double bytes)
{
  g_autofree char *number = plg_format_number (bytes / PLG_GB, 4);

  return g_strconcat (number, "\u00a0GB", NULL);
}

/* The quantity that a letter stands for. */
static char *
format_quantity (char letter, double value)
{
  switch (letter)
    {
    case 'i':
      return plg_format_number (value, 15); /* a whole number, all of it */
    case 'n':
      return plg_format_number (value, 4);
    case 'e':
      return plg_format_number (value, 8); /* a factor of an exact formula */
    case 'c':
      return plg_format_count (value);
    case 'm':
      return plg_format_memory (value);
    case 'g':
      return format_gigabytes (value);
    case 'v':
      return plg_format_volume (value);
    case 't':
      return plg_format_time (value);
    case 's':
      return plg_format_share (value);
    case 'p':
      return format_percent (value);
    case 'f':
      return plg_format_flops (value);
    default:
      g_return_val_if_reached (NULL);
    }
}

/* PATTERN with each {letter} replaced by the next argument, a double, written as that quantity. */
static char *
fill (const char *pattern, ...)
{
  GString *text = g_string_new (NULL);
  va_list arguments;

  va_start (arguments, pattern);
  while (*pattern != '\0')
    {
      if (pattern[0] == '{' && pattern[1] != '\0' && pattern[2] == '}')
        {
          g_autofree char *quantity = format_quantity (pattern[1], va_arg (arguments, double));

          g_string_append (text, quantity);
          pattern += 3;
        }
      else
        g_string_append_c (text, *pattern++);
    }
  va_end (arguments);
  return g_string_free (text, FALSE);
}

static double
degree (const Explainer *self, PlgAxis axis)
{
  return MAX (self->plan->parallelism.degree[axis], 1);
}

static gboolean
is_notebook (const Explainer *self)
{
  return self->plan->profile == PLG_PROFILE_NOTEBOOK;
}

static gboolean
is_act_one (const Explainer *self)
{
  return degree (self, PLG_AXIS_TP) == 1.0 && degree (self, PLG_AXIS_PP) == 1.0;
}

/* What a plan has once, for short formulas. */
static double
step_tokens (const Explainer *self)
{
  return (double) self->plan->training.global_batch * self->plan->training.sequence;
}

/* ---- MFU ---- */

static double
layer_size (const Explainer *self, gboolean moe)
{
  PlgParameters layer = plg_layer_parameters (&self->plan->model, moe);

  return layer.sharded + layer.replicated + layer.expert;
}

/* With latent attention or experts only, the layer has too many terms for a line. */
static void
explain_layer_parameters (Explainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  double h = model->hidden, d = model->head_dim, a = model->heads, g = model->kv_heads;
  double matrices = model->gated ? 3.0 : 2.0, f = model->ffn;
  double rest = layer_size (self, FALSE) - 2.0 * h * d * (a + g) - matrices * h * f;

  if (model->kv_rank > 0 || plg_transformer_dense_layers (model) == 0)
    return;
  add (self, "parameters.layer", _ ("Parameters of a layer"),
       fill (_ ("2·h·d·(a + g) + {i}·h·f + norms and biases"), matrices),
       fill ("2·{i}·{i}·({i} + {i}) + {i}·{i}·{i} + {i}", h, d, a, g, matrices, h, f, rest),
       fill ("{c}", layer_size (self, FALSE)), MEGATRON "theoretical_memory_usage.py");
}

static void
explain_parameters (Explainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  double dense = plg_transformer_dense_layers (model), moe = plg_transformer_moe_layers (model);
  double layers = dense * layer_size (self, FALSE) + (moe > 0 ? moe * layer_size (self, TRUE) : 0);
  double total = self->report->parameters_total;
  double rest = total - layers;
  char *symbols, *numbers;

  if (moe > 0)
    {
      symbols = g_strdup (_ ("dense layers · P_dense + MoE layers · P_MoE + embeddings"));
      numbers = fill ("{i} · {c} + {i} · {c} + {c}", dense, layer_size (self, FALSE), moe,
                      layer_size (self, TRUE), rest);
    }
  else
    {
      symbols = g_strdup (_ ("layers · P_layer + embeddings"));
      numbers = fill ("{i} · {c} + {c}", dense, layer_size (self, FALSE), rest);
    }
  add (self, "parameters.total", _ ("Parameters"), symbols, numbers, fill ("{c}", total),
       MEGATRON "theoretical_memory_usage.py");
}

static void
explain_active_parameters (Explainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  double idle = (double) model->experts - MIN (model->top_k, model->experts);
  double layers = plg_transformer_moe_layers (model);
  double expert = layer_size (self, TRUE) > 0.0
                      ? plg_layer_parameters (model, TRUE).expert / MAX (model->experts, 1)
                      : 0.0;

  add (self, "parameters.active", _ ("Parameters that a token uses"),
       g_strdup (_ ("P − MoE layers · (E − top-k) · P_expert")),
       fill ("{c} − {i} · {i} · {c}", self->report->parameters_total, layers, idle, expert),
       fill ("{c}", self->report->parameters_active), MEGATRON "theoretical_memory_usage.py");
}

static void
explain_model_flops (Explainer *self)
{
  const PlgTransformer *model = &self->plan->model;
  double dense = plg_transformer_dense_layers (model), moe = plg_transformer_moe_layers (model);
  double sequences = self->plan->training.global_batch;
  double batch = MAX (self->plan->training.micro_batch, 1);
  double layers = dense * plg_layer_forward_flops (self->plan, FALSE);
  double logits = plg_output_forward_flops (self->plan) + plg_mtp_forward_flops (self->plan);

  if (moe > 0)
    layers += moe * plg_layer_forward_flops (self->plan, TRUE);
  add (self, "flops.model", _ ("Model FLOPs of a step"),
       g_strdup (_ ("3 · sequences · (F_layers + F_logits), forward pass of a sequence")),
       fill ("3 · {i} · ({c} + {c})", sequences, layers / batch, logits / batch),
       fill ("{c}", self->report->step.model_flops), MEGATRON "training.py");
}

static void
explain_rule_of_thumb (Explainer *self)
{
  double active = self->report->parameters_active, tokens = step_tokens (self);
  double flops = 6.0 * active * tokens;

  add (self, "flops.rule-of-thumb", _ ("Rule of thumb: 6 FLOPs a parameter and token"),
       g_strdup (_ ("6 · P · tokens")), fill ("6 · {c} · {c}", active, tokens),
       fill (_ ("{c}, {p} of the count above: attention scores are not in it, the embedding is"),
             flops, flops / self->report->step.model_flops),
       "Kaplan et al. 2020, arXiv 2001.08361");
}

static void
explain_notebook_flops (Explainer *self)
{
  double gpus = self->report->world_size, batch = self->plan->training.micro_batch;

  if (is_act_one (self))
    add (self, "flops.model", _ ("Model FLOPs of a step"),
         g_strdup (_ ("6 · P · batch · GPUs, without the sequence length")),
         fill ("6 · {c} · {i} · {i}", self->report->parameters_total, batch, gpus),
         fill ("{c}", self->report->step.model_flops), NOTEBOOK);
  else
    add (self, "flops.model", _ ("Model FLOPs of a step"), g_strdup (_ ("6 · P · tokens")),
         fill ("6 · {c} · {c}", self->report->parameters_total, step_tokens (self)),
         fill ("{c}", self->report->step.model_flops), NOTEBOOK);
}

static void
explain_utilization (Explainer *self)
{
  const PlgStep *step = &self->report->step;
  double gpus = self->report->world_size;

  add (self, "mfu", _ ("Model FLOPs utilization (MFU)"),
       g_strdup (_ ("model FLOPs / (T · GPUs · peak)")),
       fill ("{c} / ({t} · {i} · {f})", step->model_flops, step->time, gpus, step->peak),
       fill ("{s}", step->mfu), "Chowdhery et al. 2022 (PaLM), arXiv 2204.02311, app. B");
  add (self, "hfu", _ ("Hardware FLOPs utilization (HFU)"),
       g_strdup (_ ("FLOPs with recompute / (T · GPUs · peak)")),
       fill ("{c} / ({t} · {i} · {f})", step->hardware_flops, step->time, gpus, step->peak),
       fill ("{s}", step->hfu), KORTHIKANTI ", app. A");
}

static void
explain_time (Explainer *self)
{
  const PlgStep *step = &self->report->step;
  GString *symbols = g_string_new (NULL), *numbers = g_string_new (NULL);

  for (int part = 0; part < PLG_N_PARTS; part++)
    {
      g_autofree char *time = NULL;

      if (step->part[part] <= 0.0)
        continue;
      time = plg_format_time (step->part[part]);
      if (symbols->len > 0)
        {
          g_string_append (symbols, " + ");
          g_string_append (numbers, " + ");
        }
      g_string_append (symbols, plg_part_title (part));
      g_string_append (numbers, time);
    }
  add (self, "step.time", _ ("Time of a step"), g_string_free (symbols, FALSE),
       g_string_free (numbers, FALSE), fill ("{t}", step->time),
       _ ("Sum of the parts that do not overlap"));
}

static void
explain_throughput (Explainer *self)
{
  const PlgStep *step = &self->report->step;
  double tokens = step->tokens_per_second * step->time;

  add (self, "step.tokens-per-second", _ ("Tokens a second"),
       g_strdup (_ ("sequences · sequence length / T")), fill ("{c} / {t}", tokens, step->time),
       fill (_ ("{c} tokens/s, {c} a GPU"), step->tokens_per_second,
             step->tokens_per_second_per_gpu),
       NARAYANAN);
  if (self->plan->training.tokens <= 0.0)
    return;
  add (self, "step.days", _ ("Time to train"), g_strdup (_ ("tokens in all / tokens a second")),
       fill ("{c} / {c}", self->plan->training.tokens, step->tokens_per_second),
       fill (_ ("{n} days, {c} GPU-hours"), step->days, step->gpu_hours), NARAYANAN ", sec. 5.1");
}

/* One sentence that says what the other profile would show. */
static char *
beside_standard (const Explainer *self, double notebook, double here)
{
  if (is_notebook (self))
    return fill ("{p}", notebook);
  return fill (_ ("{p} with the notebook's constants; {s} by this plan's own model and hardware"),
               notebook, here);
}

static void
explain_notebook_mfu (Explainer *self)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  double mfu = self->report->step.mfu;
  int gpus = self->report->world_size;

  if (is_act_one (self))
    {
      PlgNotebookDataParallel act = plg_notebook_data_parallel (175.0, gpus,
                                                                self->plan->training.micro_batch,
                                                                TRUE);

      add (self, "mfu.notebook", _ ("MFU as the notebook has it, act I"),
           g_strdup ("0.52 · T_compute / (T_compute + T_all-reduce)"),
           fill ("0.52 · {t} / ({t} + {t})", act.compute_ms * 1e-3, act.compute_ms * 1e-3,
                 act.all_reduce_ms * 1e-3),
           beside_standard (self, act.mfu, mfu), NOTEBOOK);
    }
  else
    {
      double tp = degree (self, PLG_AXIS_TP), pp = degree (self, PLG_AXIS_PP);
      PlgNotebook3D act = plg_notebook_3d (parallelism->degree[PLG_AXIS_TP],
                                           parallelism->degree[PLG_AXIS_PP], gpus,
                                           MAX (self->report->micro_batches, 1));

      add (self, "mfu.notebook", _ ("MFU as the notebook has it, act II"),
           g_strdup ("0.52 · (1 − 0.05·log₂ TP · penalty) · (1 − (p − 1)/(p·m)) · "
                     "(1 − 0.02·log₂ DP)"),
           fill ("0.52 · (1 − 0.05·log₂ {i} · {n}) · (1 − {i}/{i}) · (1 − 0.02·log₂ {i})", tp,
                 act.penalty, pp - 1.0, pp * self->report->micro_batches, (double) act.dp),
           beside_standard (self, act.mfu, mfu), NOTEBOOK);
    }
}

static void
explain_mfu (Explainer *self)
{
  if (is_notebook (self))
    explain_notebook_flops (self);
  else
    {
      explain_layer_parameters (self);
      explain_parameters (self);
      if (plg_transformer_moe_layers (&self->plan->model) > 0)
        explain_active_parameters (self);
      explain_model_flops (self);
      explain_rule_of_thumb (self);
    }
  explain_utilization (self);
  explain_time (self);
  explain_throughput (self);
  explain_notebook_mfu (self);
}

/* ---- Bubble ---- */

/* The smallest whole number from VALUE on, in spite of the last bit of a division. */
static double
at_least (double value)
{
  return MAX (ceil (value - 1e-9), 1.0);
}

/* The chunks a stage that the report's bubble was worked out with, so that both always agree. */
static double
bubble_chunks (const Explainer *self)
{
  double over_ideal = self->report->bubble.over_ideal;
  double m = self->report->micro_batches;

  if (over_ideal <= 0.0 || m <= 0.0)
    return plg_stage_chunks (self->plan);
  return MAX (round ((degree (self, PLG_AXIS_PP) - 1.0) / (m * over_ideal)), 1.0);
}

static void
explain_bubble_shares (Explainer *self)
{
  const PlgBubble *bubble = &self->report->bubble;
  double p = degree (self, PLG_AXIS_PP), v = bubble_chunks (self);
  double m = self->report->micro_batches;

  add (self, "bubble.share-of-step", _ ("Bubble, share of the step"),
       g_strdup ("(p − 1) / (v·m + p − 1)"),
       fill ("({i} − 1) / ({i}·{i} + {i} − 1) = {i}/{i}", p, v, m, p, p - 1.0, v * m + p - 1.0),
       fill ("{s}", bubble->share_of_step), NARAYANAN ", sec. 2.2");
  add (self, "bubble.over-ideal", _ ("Bubble, over the ideal time"), g_strdup ("(p − 1) / (v·m)"),
       fill ("({i} − 1) / ({i}·{i}) = {i}/{i}", p, v, m, p - 1.0, v * m),
       fill ("{s}", bubble->over_ideal), NARAYANAN ", sec. 2.2");
  add (self, "bubble.notebook", _ ("Bubble, as the notebook has it"), g_strdup ("(p − 1) / (p·m)"),
       fill ("({i} − 1) / ({i}·{i}) = {i}/{i}", p, p, m, p - 1.0, p * m),
       fill ("{p}", bubble->notebook), NOTEBOOK);
  add (self, "bubble.simulated", _ ("Bubble, in the simulated schedule"),
       g_strdup (_ ("idle time of all stages / (stages · time of the schedule)")),
       fill ("p = {i}, m = {i}, v = {i}", p, m, v), fill ("{s}", bubble->simulated),
       _ ("Simulation of the schedule, box by box"));
}

/* Micro-batches that bring each definition down to the ceiling. */
static void
explain_bubble_ceiling (Explainer *self)
{
  double p = degree (self, PLG_AXIS_PP), v = bubble_chunks (self);
  double x = BUBBLE_CEILING;

  add (self, "bubble.micro-batches.share-of-step",
       _ ("Micro-batches for a bubble of 10 %, share of the step"),
       g_strdup ("m ≥ (p − 1)·(1 − x) / (x·v)"),
       fill ("({i} − 1)·{n} / ({n}·{i})", p, 1.0 - x, x, v),
       fill ("{i}", at_least ((p - 1.0) * (1.0 - x) / (x * v))), NARAYANAN ", sec. 2.2");
  add (self, "bubble.micro-batches.over-ideal",
       _ ("Micro-batches for a bubble of 10 %, over the ideal time"),
       g_strdup ("m ≥ (p − 1) / (x·v)"), fill ("({i} − 1) / ({n}·{i})", p, x, v),
       fill ("{i}", at_least ((p - 1.0) / (x * v))), NARAYANAN ", sec. 2.2");
  add (self, "bubble.micro-batches.notebook",
       _ ("Micro-batches for a bubble of 10 %, as the notebook has it"),
       g_strdup ("m ≥ (p − 1) / (p·x)"), fill ("({i} − 1) / ({i}·{n})", p, p, x),
       fill ("{i}", at_least ((p - 1.0) / (p * x))), NOTEBOOK);
}

static void
explain_bubble (Explainer *self)
{
  explain_bubble_shares (self);
  explain_bubble_ceiling (self);
}

/* ---- Memory ---- */

/* One row of state: bytes a parameter, and from which ZeRO stage on it is divided. */
typedef struct
{
  const char *id;
  const char *title;
  double bytes;
  int zero;
  double held;
} StateRow;

static void
explain_standard_state (Explainer *self, const StateRow *row)
{
  PlgGpuParameters gpu = plg_stage_gpu_parameters (self->plan, self->report->memory_peak_stage);
  gboolean divided = self->plan->parallelism.zero >= row->zero;
  char *symbols, *numbers;

  if (!divided)
    {
      symbols = g_strdup (_ ("parameters of the GPU · bytes"));
      numbers = fill ("{c} · {i}", gpu.dense + gpu.expert, row->bytes);
    }
  else if (gpu.expert > 0.0)
    {
      symbols = g_strdup (_ ("(P / (DP·CP) + P_expert / expert DP) · bytes"));
      numbers = fill ("({c} / {i} + {c} / {i}) · {i}", gpu.dense, (double) gpu.dense_shards,
                      gpu.expert, (double) gpu.expert_shards, row->bytes);
    }
  else
    {
      symbols = g_strdup (_ ("parameters of the GPU / (DP·CP) · bytes"));
      numbers = fill ("{c} / {i} · {i}", gpu.dense, (double) gpu.dense_shards, row->bytes);
    }
  add (self, row->id, row->title, symbols, numbers, fill ("{m}", row->held), RAJBHANDARI);
}

static void
explain_handbook_state (Explainer *self, const StateRow *row, double parameters)
{
  gboolean divided = self->plan->parallelism.zero >= row->zero;

  add (self, row->id, row->title,
       g_strdup (divided ? _ ("parameters of the GPU / DP · bytes")
                         : _ ("parameters of the GPU · bytes")),
       divided ? fill ("{c} / {i} · {i}", parameters, degree (self, PLG_AXIS_DP), row->bytes)
               : fill ("{c} · {i}", parameters, row->bytes),
       fill ("{m}", row->held), _ ("Teaching handbook, ZeRO formulas for persistent state"));
}

static void
explain_state (Explainer *self, const PlgStageMemory *stage)
{
  const PlgTraining *training = &self->plan->training;
  gboolean handbook = self->plan->profile == PLG_PROFILE_HANDBOOK;
  const StateRow rows[] = {
    { "memory.weights", _ ("Weights"), handbook ? 2.0 : plg_weight_bytes (training), 3,
      stage->weights },
    { "memory.gradients", _ ("Gradients"), handbook ? 2.0 : plg_kept_gradient_bytes (self->plan), 2,
      stage->gradients },
    { "memory.optimizer", _ ("Optimizer"), handbook ? 12.0 : plg_optimizer_bytes (training), 1,
      stage->optimizer },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (handbook)
      explain_handbook_state (self, &rows[i], stage->parameters);
    else
      explain_standard_state (self, &rows[i]);
}

static void
explain_in_flight (Explainer *self)
{
  static const struct
  {
    const char *symbols;
    const char *source;
  } rules[] = {
    [PLG_SCHEDULE_GPIPE] = { "m", "Huang et al. 2019, arXiv 1811.06965" },
    [PLG_SCHEDULE_1F1B] = { "min (m, p − r)", NARAYANAN ", sec. 2.2" },
    [PLG_SCHEDULE_INTERLEAVED] = { "min (m, (2·(p − r − 1) + (v − 1)·p + 1) / v)",
                                   KORTHIKANTI ", sec. 4.2" },
    [PLG_SCHEDULE_ZB_H1] = { "min (m, p)", "Qi et al. 2023, arXiv 2401.10241" },
    [PLG_SCHEDULE_ZB_V] = { "min (m, p)", "Qi et al. 2023, arXiv 2401.10241" },
    [PLG_SCHEDULE_DUALPIPE] = { "min (m, p + 1)", "DeepSeek-V3, arXiv 2412.19437, table 2" },
  };
  PlgSchedule schedule = self->plan->training.schedule;
  int stage = self->report->memory_peak_stage;
  double p = degree (self, PLG_AXIS_PP), m = self->report->micro_batches;
  const char *symbols = p > 1.0 ? rules[schedule].symbols : "1";

  add (self, "memory.in-flight", _ ("Micro-batches in flight on the fullest stage"),
       g_strdup (symbols),
       fill ("p = {i}, m = {i}, v = {i}, r = {i}", p, m, (double) plg_stage_chunks (self->plan),
             (double) stage),
       fill ("{n}", plg_stage_in_flight (self->plan, stage)), rules[schedule].source);
}

/* The plain case has a formula of one line: 16 bits, no latent attention, a layer without experts,
 * kept whole. */
static gboolean
has_layer_formula (const PlgPlan *plan)
{
  PlgPrecision precision = plan->training.precision;

  return plan->model.kv_rank == 0 && plg_transformer_dense_layers (&plan->model) > 0 &&
         (precision == PLG_PRECISION_BF16 || precision == PLG_PRECISION_FP16) &&
         plan->training.recompute != PLG_RECOMPUTE_FULL;
}

/* Bytes a token of tensors that TP does not divide, and of those that it does. */
static void
explain_layer_activations (Explainer *self)
{
  const PlgPlan *plan = self->plan;
  const PlgTransformer *model = &plan->model;
  gboolean flash = plan->training.flash_attention;
  gboolean scores = !flash && plan->training.recompute == PLG_RECOMPUTE_NONE;
  double whole = flash ? 8.0 : 10.0, inner = model->gated ? 6.0 : 4.0;
  double tp = degree (self, PLG_AXIS_TP);
  double kept = flash ? 4.0 : scores ? 5.0 * plan->training.sequence : 0.0;
  const char *kept_symbols = flash ? "4·a" : scores ? "5·a·s" : "0";
  gboolean divided = plan->parallelism.sequence;
  g_autofree char *symbols = NULL;

  if (!has_layer_formula (plan))
    return;
  symbols = g_strdup_printf ("4·(a + g)·d + %s·f + %s", model->gated ? "6" : "4", kept_symbols);
  add (self, "memory.layer", _ ("Activations of a layer, a token"),
       g_strdup_printf (divided ? "(%.0f·h + %s) / TP" : "%.0f·h + (%s) / TP", whole, symbols),
       fill (divided ? "({i}·{i} + 4·({i} + {i})·{i} + {i}·{i} + {i}·{i}) / {i}"
                     : "{i}·{i} + (4·({i} + {i})·{i} + {i}·{i} + {i}·{i}) / {i}",
             whole, (double) model->hidden, (double) model->heads, (double) model->kv_heads,
             (double) model->head_dim, inner, (double) model->ffn, kept, (double) model->heads, tp),
       fill ("{v}", plg_layer_activation_bytes (plan, FALSE)), KORTHIKANTI ", sec. 4");
}

static void
explain_activations (Explainer *self, const PlgStageMemory *stage)
{
  int number = self->report->memory_peak_stage;
  double token = plg_stage_activation_bytes (self->plan, number);
  double tokens = plg_gpu_tokens (self->plan);
  double in_flight = plg_stage_in_flight (self->plan, number);
  double rest = stage->activations - token * tokens * in_flight;

  add (self, "memory.activations", _ ("Activations"),
       g_strdup (_ ("A_stage · b·s/CP · in flight + passing peak of a layer or of the logits")),
       fill ("{v} · {i} · {n} + {m}", token, tokens, in_flight, rest),
       fill ("{m}", stage->activations), KORTHIKANTI ", sec. 4");
}

static void
explain_runtime (Explainer *self, const PlgStageMemory *stage)
{
  double allocated = stage->weights + stage->gradients + stage->optimizer + stage->activations +
                     stage->buffers;
  int communicators = plg_plan_communicators (self->plan);
  double nccl = communicators > 0 ? PLG_NCCL_BYTES : 0.0;

  add (self, "memory.runtime", _ ("Runtime"),
       g_strdup (_ ("context + NCCL + axes · communicators + share of what is allocated")),
       fill ("{m} + {m} + {i} · {m} + {s} · {m}", PLG_CONTEXT_BYTES, nccl, (double) communicators,
             PLG_COMMUNICATOR_BYTES, plg_allocator_slack (self->plan, allocated), allocated),
       fill ("{m}", stage->runtime), "github.com/stas00/ml-engineering, training/performance");
}

static void
explain_total (Explainer *self, const PlgStageMemory *stage)
{
  gboolean fits = self->report->fits;

  add (self, "memory.total", _ ("All on the fullest stage"),
       g_strdup (_ ("weights + gradients + optimizer + activations + buffers + runtime")),
       fill ("{m} + {m} + {m} + {m} + {m} + {m}", stage->weights, stage->gradients,
             stage->optimizer, stage->activations, stage->buffers, stage->runtime),
       fill (fits ? _ ("{m} on stage {i}: fits in {m}")
                  : _ ("{m} on stage {i}: does not fit in {m}"),
             stage->total, (double) self->report->memory_peak_stage, self->report->memory_capacity),
       _ ("Sum of the ledger"));
}

static void
explain_notebook_parts (Explainer *self, const PlgStageMemory *stage)
{
  double tp = degree (self, PLG_AXIS_TP), pp = degree (self, PLG_AXIS_PP);

  add (self, "memory.weights", _ ("Weights"), g_strdup ("175·10⁹ / (TP·PP) · 2"),
       fill ("175·10⁹ / ({i}·{i}) · 2", tp, pp), fill ("{g}", stage->weights), NOTEBOOK);
  add (self, "memory.optimizer", _ ("Optimizer"), g_strdup ("175·10⁹ / (TP·PP) · 8"),
       fill ("175·10⁹ / ({i}·{i}) · 8", tp, pp), fill ("{g}", stage->optimizer), NOTEBOOK);
  add (self, "memory.activations", _ ("Activations"), g_strdup ("8·10⁹ · TP"),
       fill ("8·10⁹ · {i}", tp), fill ("{g}", stage->activations), NOTEBOOK);
}

static void
explain_notebook_memory (Explainer *self, const PlgStageMemory *stage)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  double tp = degree (self, PLG_AXIS_TP), pp = degree (self, PLG_AXIS_PP);
  PlgNotebook3D act = plg_notebook_3d (parallelism->degree[PLG_AXIS_TP],
                                       parallelism->degree[PLG_AXIS_PP], self->report->world_size,
                                       MAX (self->report->micro_batches, 1));
  double bytes = act.total_gb * PLG_GB;

  add (self, "memory.notebook", _ ("Memory as the notebook has it"),
       g_strdup ("175·10⁹ / (TP·PP) · (2 + 8) + 8·10⁹ · TP"),
       fill ("175·10⁹ / ({i}·{i}) · 10 + 8·10⁹ · {i}", tp, pp, tp),
       is_notebook (self) ? fill ("{g}", bytes)
                          : fill (_ ("{g}; here {m}: TP divides activations, it does not "
                                     "multiply them"),
                                  bytes, stage->total),
       NOTEBOOK);
}

/* ---- Memory as Megatron-LM's own report has it ---- */

/* What of this plan the report knows nothing of, as a list. */
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
    { model->gated, _ ("the gate of the MLP") },
    { model->kv_heads < model->heads, _ ("fewer keys than queries") },
    { plg_transformer_is_moe (model), _ ("what experts work on") },
    { scores, _ ("attention scores") },
    { training->recompute == PLG_RECOMPUTE_FULL, _ ("full recompute") },
    { parallelism->degree[PLG_AXIS_CP] > 1, _ ("context parallelism") },
    { parallelism->zero >= 2, _ ("ZeRO above stage 1") },
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

/* One of its two rules. X: micro-batches in flight on the first stage over the stages. */
static void
explain_megatron_activations (Explainer *self, const PlgMegatronTheory *theory)
{
  const PlgTransformer *model = &self->plan->model;
  gboolean selective = theory->activation_bytes == theory->selective_bytes;
  double p = degree (self, PLG_AXIS_PP), tp = degree (self, PLG_AXIS_TP);
  double h = model->hidden, layers = model->layers, vocabulary = plg_padded_vocabulary (self->plan);
  double tokens = (double) self->plan->training.micro_batch * self->plan->training.sequence;
  double ends = p > 1.0 ? 0.0 : selective ? 4.0 : 2.0, x = theory->in_flight_factor;
  char *symbols, *numbers;

  if (selective)
    {
      symbols = g_strdup ("b·s·(((18·h + 4·f)·L + (8 + h)·p)·x + k·(h + V)) / TP");
      numbers = fill ("{i}·(((18·{i} + 4·{i})·{i} + (8 + {i})·{i})·{e} + {i}·({i} + {i})) / {i}",
                      tokens, h, (double) model->ffn, layers, h, p, x, ends, h, vocabulary, tp);
    }
  else
    {
      symbols = g_strdup ("1.05·b·s·((h·(10 + 24/TP)·L + (8 + h)·p)·x + k·(h + V/TP))");
      numbers = fill ("1.05·{i}·(({i}·(10 + 24/{i})·{i} + (8 + {i})·{i})·{e} + {i}·({i} + "
                      "{i}/{i}))",
                      tokens, h, tp, layers, h, p, x, ends, h, vocabulary, tp);
    }
  add (self, "memory.megatron.activations", _ ("Activations as Megatron-LM's report has them"),
       symbols, numbers, fill ("{m}", theory->activation_bytes),
       MEGATRON "theoretical_memory_usage.py");
}

static void
explain_megatron_memory (Explainer *self, const PlgStageMemory *stage)
{
  PlgMegatronTheory theory = plg_megatron_theory (self->plan);
  g_autofree char *overlooked = overlooked_by_megatron (self->plan);
  g_autofree char *totals = fill (_ ("{m}; here {m}"), theory.total_bytes, stage->total);
  gboolean divided = self->plan->parallelism.zero >= 1;

  explain_megatron_activations (self, &theory);
  add (self, "memory.megatron", _ ("Memory as Megatron-LM's report has it"),
       g_strdup (divided ? _ ("P·(6 + 12/DP) + P_expert·(6 + 12/expert DP) + activations")
                         : _ ("(P + P_expert)·18 + activations")),
       fill ("{c} · {e} + {c} · {e} + {m}", theory.dense, theory.dense_bytes_each, theory.expert,
             theory.expert_bytes_each, theory.activation_bytes),
       g_strdup_printf (_ ("%s: it leaves out %s"), totals, overlooked),
       MEGATRON "theoretical_memory_usage.py");
}

static void
explain_memory (Explainer *self)
{
  const PlgReport *report = self->report;
  const PlgStageMemory *stage;

  if (report->memory_peak_stage < 0 || (guint) report->memory_peak_stage >= report->stages->len)
    return;
  stage = &g_array_index (report->stages, PlgStageMemory, report->memory_peak_stage);
  if (is_notebook (self))
    explain_notebook_parts (self, stage);
  else
    {
      explain_state (self, stage);
      explain_layer_activations (self);
      explain_in_flight (self);
      explain_activations (self, stage);
      if (self->plan->profile == PLG_PROFILE_STANDARD)
        explain_runtime (self, stage);
      explain_total (self, stage);
    }
  if (self->plan->profile == PLG_PROFILE_STANDARD)
    explain_megatron_memory (self, stage);
  explain_notebook_memory (self, stage);
}

/* ---- Communication ---- */

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

/* What a GPU sends in a ring, or to its neighbour. */
static void
explain_collective (Explainer *self, const PlgCollective *collective)
{
  double n = collective->group_size, calls = collective->calls;
  double buffer = collective->bytes_per_call;
  g_autofree char *title = g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                                            plg_collective_kind_name (collective->kind));
  char *symbols, *numbers;

  switch (collective->kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      symbols = g_strdup (_ ("calls · 2·(n − 1)/n · S"));
      numbers = fill ("{i} · 2·{i}/{i} · {v}", calls, n - 1.0, n, buffer);
      break;
    case PLG_COLLECTIVE_SEND_RECV:
      symbols = g_strdup (_ ("calls · S"));
      numbers = fill ("{i} · {v}", calls, buffer);
      break;
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
    case PLG_COLLECTIVE_ALL_TO_ALL:
    default:
      symbols = g_strdup (_ ("calls · (n − 1)/n · S"));
      numbers = fill ("{i} · {i}/{i} · {v}", calls, n - 1.0, n, buffer);
      break;
    }
  add (self, communication_id (collective), title, symbols, numbers,
       fill (_ ("{v} sent by a GPU in a step, {t}, of which {t} not hidden"),
             collective->bytes_sent, collective->time, collective->exposed),
       "nccl-tests, doc/PERFORMANCE.md");
}

static void
explain_communication (Explainer *self)
{
  for (guint i = 0; i < self->report->collectives->len; i++)
    explain_collective (self, &g_array_index (self->report->collectives, PlgCollective, i));
}

GArray *
plg_explain (const PlgPlan *plan, const PlgReport *report, const char *panel)
{
  static const struct
  {
    const char *panel;
    void (*explain) (Explainer *self);
  } panels[] = {
    { "mfu", explain_mfu },
    { "memory", explain_memory },
    { "bubble", explain_bubble },
    { "communication", explain_communication },
  };
  Explainer self = { .plan = plan, .report = report };

  self.list = g_array_new (FALSE, TRUE, sizeof (PlgExplanation));
  g_array_set_clear_func (self.list, clear_explanation);
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    if (panel == NULL || g_str_equal (panel, panels[i].panel))
      {
        self.panel = panels[i].panel;
        panels[i].explain (&self);
      }
  return self.list;
}
