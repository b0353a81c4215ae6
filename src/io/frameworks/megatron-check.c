/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/megatron-write.h"
#include "io/import/unsupported-features.h"

#include "plan/order-preset.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

/* Checks a plan against Megatron-LM's own checks: validate_args() in
 * megatron/training/arguments.py, __post_init__() in
 * megatron/core/transformer/transformer_config.py, and initialize_model_parallel() in
 * megatron/core/parallel_state.py (2025). */

static gboolean
is_used (const PlgPlan *plan, const char *preset)
{
  return plg_order_preset_is_used (plg_order_preset_find (preset), &plan->parallelism);
}

gboolean
plg_megatron_maps_stages_first (const PlgPlan *plan)
{
  return !is_used (plan, "megatron");
}

static void
check_order (const PlgPlan *plan, GString *why)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  const int *degree = parallelism->degree;
  int stage = degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_DP];
  g_autofree char *order = plg_order_to_string (parallelism);

  if (!is_used (plan, "megatron") && !is_used (plan, "megatron-tp-pp-dp"))
    plg_unsupported_add (
        why,
        _ ("Megatron-LM numbers its ranks tp-cp-dp-pp or tp-cp-pp-dp, not %s. Set %s to %s or %s, or write a DeviceMesh or a table of ranks."),
        order, plg_setting_name ("parallelism.order"),
        plg_setting_value_name ("parallelism.order", "megatron"),
        plg_setting_value_name ("parallelism.order", "megatron-tp-pp-dp"));
  else if (!is_used (plan, "megatron") && plg_transformer_is_moe (&plan->model) &&
           stage != degree[PLG_AXIS_DP] * parallelism->etp * degree[PLG_AXIS_EP])
    plg_unsupported_add (
        why,
        _ ("With stages before replicas (--use-tp-pp-dp-mapping), Megatron-LM needs the same "
           "number of replicas for the experts as for the rest of the model: ETP %d × EP %d must "
           "equal TP × CP = %d. Set %s to %s."),
        parallelism->etp, degree[PLG_AXIS_EP], degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP],
        plg_setting_name ("parallelism.order"),
        plg_setting_value_name ("parallelism.order", "megatron"));
}

static void
check_pipeline (const PlgPlan *plan, GString *why)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  gboolean interleaved = plan->training.schedule == PLG_SCHEDULE_INTERLEAVED;
  int pp = parallelism->degree[PLG_AXIS_PP], chunks = parallelism->chunks;
  int first = parallelism->first_layers, last = parallelism->last_layers;
  int slots = plan->model.layers + !!parallelism->embedding_slot + !!parallelism->loss_slot;
  int others = pp - (first > 0) - (last > 0);

  if (pp == 1)
    return;
  if (!interleaved && plan->training.schedule != PLG_SCHEDULE_1F1B)
    plg_unsupported_add (why, _ ("Megatron-LM does not have this schedule. Set %s to %s or %s."),
                         plg_setting_name ("training.schedule"),
                         plg_setting_value_name ("training.schedule", "1f1b"),
                         plg_setting_value_name ("training.schedule", "interleaved"));
  if (!interleaved && parallelism->overlap_pp)
    plg_unsupported_add (
        why,
        _ ("Megatron-LM overlaps the sends between stages only in the interleaved schedule. Set "
           "%s to %s."),
        plg_setting_name ("parallelism.overlap-pp"),
        plg_setting_value_name ("parallelism.overlap-pp", "false"));
  if (interleaved && !parallelism->overlap_pp && pp < 3)
    plg_unsupported_add (
        why, _ ("Megatron-LM interleaves 2 stages only if it overlaps their sends. Set %s to %s."),
        plg_setting_name ("parallelism.overlap-pp"),
        plg_setting_value_name ("parallelism.overlap-pp", "true"));
  if (parallelism->layout.stages == 0 &&
      ((others > 0 && (slots - first - last) % (others * chunks) != 0) || first % chunks != 0 ||
       last % chunks != 0))
    plg_unsupported_add (why,
                         _ ("Megatron-LM needs the same number of layers in each chunk, but %d "
                            "layers do not divide evenly into %d stages × %d chunks. Change %s "
                            "or %s, or count the embedding or the loss as a layer."),
                         slots - first - last, others, chunks,
                         plg_setting_name ("parallelism.first-layers"),
                         plg_setting_name ("parallelism.last-layers"));
}

static void
check_sequence (const PlgPlan *plan, GString *why)
{
  int cp = plan->parallelism.degree[PLG_AXIS_CP];

  if (cp > 1 && plan->training.sequence % (2 * cp) != 0)
    plg_unsupported_add (
        why,
        _ ("Megatron-LM splits a sequence into 2 × CP equal parts, but %d does not divide the %d "
           "tokens evenly. Choose a different CP or %s."),
        2 * cp, plan->training.sequence, plg_setting_name ("training.sequence"));
  if (plan->model.positions > 0 && plan->model.positions < plan->training.sequence)
    plg_unsupported_add (
        why,
        _ ("The model has learned positions for only %d tokens, fewer than the %d tokens of a "
           "sequence. Change %s or %s."),
        plan->model.positions, plan->training.sequence, plg_setting_name ("model.positions"),
        plg_setting_name ("training.sequence"));
}

/* Megatron-LM refuses to offload the activations of all layers, and to offload with a pipeline or
 * with recompute. */
static void
check_offloaded_layers (const PlgPlan *plan, GString *why)
{
  const PlgTraining *training = &plan->training;
  const char *offload = plg_setting_name ("training.offload-layers");

  if (training->offload_layers == 0)
    return;
  if (training->offload_layers >= plan->model.layers)
    plg_unsupported_add (why,
                         _ ("Megatron-LM keeps the activations of at least one layer on the GPUs. "
                            "Set %s to at most %d."),
                         offload, plan->model.layers - 1);
  if (plan->parallelism.degree[PLG_AXIS_PP] > 1)
    plg_unsupported_add (why,
                         _ ("Megatron-LM does not offload activations in a pipeline. Set %s to 0, "
                            "or %s to 1."),
                         offload, plg_setting_name ("parallelism.pp"));
  if (training->recompute != PLG_RECOMPUTE_NONE)
    plg_unsupported_add (why,
                         _ ("Megatron-LM does not combine offloaded activations with recompute. "
                            "Set %s to 0, or %s to %s."),
                         offload, plg_setting_name ("training.recompute"),
                         plg_setting_value_name ("training.recompute", "none"));
  if (training->recompute_modules != 0)
    plg_unsupported_add (why,
                         _ ("Megatron-LM does not combine offloaded activations with recomputed "
                            "modules. Set %s to 0, or clear %s."),
                         offload, plg_setting_name ("training.recompute-modules"));
}

/* Sources: Megatron-LM, core/optimizer/muon.py and layer_wise_optimizer.py. */
static void
check_muon (const PlgPlan *plan, GString *why)
{
  if (plan->training.precision == PLG_PRECISION_FP16)
    plg_unsupported_add (why, _ ("Megatron-LM does not support Muon in FP16. Set %s to %s."),
                         plg_setting_name ("training.precision"),
                         plg_setting_value_name ("training.precision", "bf16"));
  if (plg_parallelism_replicate (&plan->parallelism) > 1)
    plg_unsupported_add (why,
                         _ ("Megatron-LM shards the state of Muon over all replicas. Set %s to 1."),
                         plg_setting_name ("parallelism.replicate"));
}

/* Megatron-LM's Mamba models have MLPs in layers of their own (core/ssm/mamba_block.py), and its
 * transformer layers, which have gated delta nets, do not
 * (core/models/gpt/experimental_attention_variant_module_specs.py). */
static void
check_mixer (const PlgPlan *plan, GString *why)
{
  const PlgTransformer *model = &plan->model;
  int mlps = plg_transformer_mlp_layers (model);

  if (model->mixer == PLG_MIXER_MAMBA2 && model->mlp_layers == 0 && mlps > 0)
    plg_unsupported_add (
        why,
        _ ("In Megatron-LM, models with Mamba-2 have their MLPs in layers of their "
           "own. Set %s to %d and %s to %d, or clear %s."),
        plg_setting_name ("model.layers"), model->layers + mlps,
        plg_setting_name ("model.mlp-layers"), mlps, plg_setting_name ("model.mixer"));
  if (model->mixer == PLG_MIXER_MAMBA2 && plg_transformer_mixer_layers (model) == 0)
    plg_unsupported_add (why, _ ("No layer of this hybrid model has Mamba-2. Set %s to %s."),
                         plg_setting_name ("model.mixer"),
                         plg_setting_value_name ("model.mixer", "none"));
  if (model->mixer == PLG_MIXER_MAMBA2 && model->mixer_conv != 4)
    plg_unsupported_add (why,
                         _ ("The convolution of Mamba-2 in Megatron-LM has a width of 4. Set %s "
                            "to 4."),
                         plg_setting_name ("model.mixer-conv"));
  if (model->mixer == PLG_MIXER_GATED_DELTA_NET && model->mlp_layers > 0)
    plg_unsupported_add (why,
                         _ ("In Megatron-LM, layers with a gated delta net also have an MLP or "
                            "experts. Set %s to 0."),
                         plg_setting_name ("model.mlp-layers"));
  /* Both are values of --experimental-attention-variant. */
  if (model->mixer == PLG_MIXER_GATED_DELTA_NET && model->index_heads > 0)
    plg_unsupported_add (why,
                         _ ("Megatron-LM does not combine gated delta nets with the indexer of "
                            "sparse attention. Set %s to 0, or %s to %s."),
                         plg_setting_name ("model.index-heads"), plg_setting_name ("model.mixer"),
                         plg_setting_value_name ("model.mixer", "none"));
}

static void
check_training (const PlgPlan *plan, GString *why)
{
  const PlgTraining *training = &plan->training;

  if (training->precision == PLG_PRECISION_FP16 && plan->parallelism.degree[PLG_AXIS_EP] > 1)
    plg_unsupported_add (why,
                         _ ("Megatron-LM does not support expert parallelism in FP16. Set "
                            "%s to %s."),
                         plg_setting_name ("training.precision"),
                         plg_setting_value_name ("training.precision", "bf16"));
  if (training->loss == PLG_LOSS_GATHERED)
    plg_unsupported_add (why,
                         _ ("Megatron-LM never gathers the logits for the loss. Set %s to %s "
                            "or %s."),
                         plg_setting_name ("training.loss"),
                         plg_setting_value_name ("training.loss", "plain"),
                         plg_setting_value_name ("training.loss", "fused"));
  if (training->recompute == PLG_RECOMPUTE_FULL &&
      training->recompute_method == PLG_RECOMPUTE_METHOD_EVERY)
    plg_unsupported_add (why,
                         _ ("Megatron-LM recomputes the first layers of each stage and not every "
                            "n-th layer. Set %s to %s."),
                         plg_setting_name ("training.recompute-method"),
                         plg_setting_value_name ("training.recompute-method", "first"));
  if (training->recompute != PLG_RECOMPUTE_FULL &&
      (training->recompute_modules & PLG_MODULE_ACTIVATION) &&
      !plg_transformer_is_moe (&plan->model))
    plg_unsupported_add (why,
                         _ ("Megatron-LM computes the activation function again only in experts "
                            "(moe_act). Remove activation from %s."),
                         plg_setting_name ("training.recompute-modules"));
  if (training->kernels == PLG_KERNELS_EAGER)
    plg_unsupported_add (why, _ ("Megatron-LM always uses fused kernels. Set %s to %s or %s."),
                         plg_setting_name ("training.kernels"),
                         plg_setting_value_name ("training.kernels", "auto"),
                         plg_setting_value_name ("training.kernels", "fused"));
  if (plg_training_has_bf16_layers (&plan->training) && training->precision == PLG_PRECISION_FP8 &&
      (training->fp8_recipe == PLG_FP8_RECIPE_AUTO ||
       training->fp8_recipe == PLG_FP8_RECIPE_DELAYED))
    plg_unsupported_add (
        why,
        _ ("Megatron-LM keeps no layers in BF16 with delayed scaling. Set %s to %s, or "
           "%s and %s to 0."),
        plg_setting_name ("training.fp8-recipe"),
        plg_setting_value_name ("training.fp8-recipe", "current"),
        plg_setting_name ("training.bf16-first-layers"),
        plg_setting_name ("training.bf16-last-layers"));
  if (training->optimizer == PLG_OPTIMIZER_MUON)
    check_muon (plan, why);
  else if (training->optimizer != PLG_OPTIMIZER_ADAM && plan->parallelism.zero == 0)
    plg_unsupported_add (
        why,
        _ ("Megatron-LM supports moments in BF16 or 8 bits only with its distributed "
           "optimizer. Set %s to %s, or %s to 1."),
        plg_setting_name ("training.optimizer"),
        plg_setting_value_name ("training.optimizer", "adam"),
        plg_setting_name ("parallelism.zero"));
  if (training->offload_optimizer > 0.0 && plan->parallelism.zero == 0 &&
      training->optimizer != PLG_OPTIMIZER_MUON)
    plg_unsupported_add (
        why,
        _ ("Megatron-LM updates parameters on the CPU only with its distributed optimizer. Set "
           "%s to 0, or %s to 1."),
        plg_setting_name ("training.offload-optimizer"), plg_setting_name ("parallelism.zero"));
  if (training->offload_weights && training->offload_optimizer >= 1.0 &&
      plan->parallelism.zero >= 3)
    plg_unsupported_add (why, _ ("Megatron-LM keeps the weights on the GPUs. Set %s to %s."),
                         plg_setting_name ("training.offload-weights"),
                         plg_setting_value_name ("training.offload-weights", "false"));
  check_offloaded_layers (plan, why);
  if (plan->parallelism.overlap_tp && plan->parallelism.sequence &&
      plan->parallelism.degree[PLG_AXIS_TP] == 1)
    plg_unsupported_add (why,
                         _ ("With TP 1, Megatron-LM has no communication to overlap. Set %s "
                            "to %s."),
                         plg_setting_name ("parallelism.overlap-tp"),
                         plg_setting_value_name ("parallelism.overlap-tp", "false"));
}

gboolean
plg_megatron_check (const PlgPlan *plan, GError **error)
{
  static void (*const checks[]) (const PlgPlan *, GString *) = { check_order, check_pipeline,
                                                                 check_sequence, check_mixer,
                                                                 check_training };
  GString *why = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](plan, why);
  return plg_unsupported_finish (why, error);
}
