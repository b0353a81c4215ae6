/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/recipe.h"

/* Sources: NVIDIA/TransformerEngine, docs/features/low_precision_training; Megatron-Bridge,
 * training/mixed_precision.py, which says for each recipe whether weights are kept and gathered in
 * 8 bits (fp8_param_gather).
 *
 * With one scale per tensor, Megatron-LM keeps the FP8 weight and its transpose, together 2 bytes,
 * and gathers one byte. Blockwise scaling and FP4 keep BF16 weights and cache a quantized copy for
 * each direction of the product. MXFP8 keeps only the two copies of 1 + 1/32 bytes. They have
 * different scales, so Megatron-LM gathers the weights in BF16 in the buffer of the gradients and
 * quantizes them afterwards (--reuse-grad-buf-for-mxfp8-param-ag). torchao gathers FP8 weights only
 * with one scale per tensor.
 *
 * GPUs with MXFP8 run blockwise scaling as MXFP8. */
static const PlgRecipe delayed = { .cast_bytes = PLG_CONSTANT_DELAYED_CAST,
                                   .product = PLG_CONSTANT_REFERENCE_PRODUCT,
                                   .value_bytes = 1.0,
                                   .gathers_weights = TRUE };
static const PlgRecipe current = { .cast_bytes = PLG_CONSTANT_CURRENT_CAST,
                                   .product = PLG_CONSTANT_REFERENCE_PRODUCT,
                                   .value_bytes = 1.0,
                                   .gathers_weights = TRUE };
static const PlgRecipe blockwise = { .cast_bytes = PLG_CONSTANT_BLOCKWISE_CAST,
                                     .product = PLG_CONSTANT_BLOCKWISE_PRODUCT,
                                     .value_bytes = 1.0 + 4.0 / 128.0,
                                     .copy_bytes = 2.0 };
static const PlgRecipe emulated_blockwise = { .cast_bytes = PLG_CONSTANT_EMULATED_BLOCKWISE_CAST,
                                              .product = PLG_CONSTANT_MXFP8_PRODUCT,
                                              .value_bytes = 1.0 + 4.0 / 128.0,
                                              .copy_bytes = 2.0 };
static const PlgRecipe mxfp8 = { .cast_bytes = PLG_CONSTANT_MXFP8_CAST,
                                 .product = PLG_CONSTANT_MXFP8_PRODUCT,
                                 .value_bytes = 1.0 + 1.0 / 32.0,
                                 .copy_bytes = 2.0 / 32.0 };
static const PlgRecipe fp4 = { .cast_bytes = PLG_CONSTANT_FP4_CAST,
                               .product = PLG_CONSTANT_REFERENCE_PRODUCT,
                               .value_bytes = 0.5 + 1.0 / 16.0,
                               .copy_bytes = 2.0 * (0.5 + 1.0 / 16.0) };

gboolean
plg_quantizes (const PlgPlan *plan)
{
  return plan->training.precision == PLG_PRECISION_FP8 ||
         plan->training.precision == PLG_PRECISION_FP4;
}

double
plg_bf16_layer_share (const PlgPlan *plan)
{
  double layers = (double) plan->training.bf16_first_layers + plan->training.bf16_last_layers;

  return plg_quantizes (plan) ? MIN (layers / MAX (plan->model.layers, 1), 1.0) : 0.0;
}

const PlgRecipe *
plg_recipe_of (const PlgPlan *plan, const PlgProgramHabits *habits)
{
  PlgFp8Recipe recipe = plan->training.fp8_recipe;

  if (!plg_quantizes (plan))
    return NULL;
  if (plan->training.precision == PLG_PRECISION_FP4)
    return &fp4;
  switch (recipe == PLG_FP8_RECIPE_AUTO ? habits->fp8_recipe : recipe)
    {
    case PLG_FP8_RECIPE_CURRENT:
      return &current;
    case PLG_FP8_RECIPE_BLOCKWISE:
      return plg_cluster_has_mxfp8 (&plan->cluster) ? &emulated_blockwise : &blockwise;
    case PLG_FP8_RECIPE_MXFP8:
      return &mxfp8;
    case PLG_FP8_RECIPE_AUTO:
    case PLG_FP8_RECIPE_DELAYED:
    default:
      return &delayed;
    }
}

gboolean
plg_gathers_fp8_weights (const PlgPlan *plan)
{
  const PlgProgramHabits *habits = plg_program_habits (plan);

  return plg_quantizes (plan) && habits->gathers_fp8 &&
         plg_recipe_of (plan, habits)->gathers_weights;
}

double
plg_gathered_input_bytes (const PlgPlan *plan)
{
  const PlgProgramHabits *habits = plg_program_habits (plan);
  const PlgRecipe *recipe = plg_recipe_of (plan, habits);

  /* torchao quantizes gathered inputs only with one scale per tensor. */
  if (recipe == NULL || !habits->gathers_fp8 ||
      !(recipe->gathers_weights || habits->has_transformer_engine))
    return plan->training.precision == PLG_PRECISION_FP32 ? 4.0 : 2.0;
  return recipe->value_bytes + plg_bf16_layer_share (plan) * (2.0 - recipe->value_bytes);
}

/* With ZeRO 3, only the gathered layers have copies, which are left out. */
double
plg_weight_copy_bytes (const PlgPlan *plan)
{
  const PlgProgramHabits *habits = plg_program_habits (plan);
  const PlgRecipe *recipe = plg_recipe_of (plan, habits);

  return recipe != NULL && habits->has_transformer_engine && plan->parallelism.zero < 3
             ? (1.0 - plg_bf16_layer_share (plan)) * recipe->copy_bytes
             : 0.0;
}
