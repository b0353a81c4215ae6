/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of quantized training: casts, rates and bytes of each recipe of FP8, and of NVFP4. */
#pragma once

#include "engine/model/program.h"

G_BEGIN_DECLS

/* PlgRecipe:
 * @cast_bytes: bytes moved per value in a cast from 16 bits
 * @product: rate of matrix products, divided by the rate with one scale per tensor
 * @value_bytes: bytes per value of a quantized input with its scales
 * @copy_bytes: bytes per weight by which the quantized copies of Transformer Engine exceed the
 *   weight of 2 bytes that they replace or accompany
 * @gathers_weights: ZeRO can gather quantized weights, because all GPUs scale them alike and the
 *   transpose needs no other scales */
typedef struct
{
  PlgEngineConstant cast_bytes;
  PlgEngineConstant product;
  double value_bytes;
  double copy_bytes;
  gboolean gathers_weights;
} PlgRecipe;

/* Returns TRUE if the matrix products of PLAN compute in FP8 or FP4. */
gboolean plg_quantizes (const PlgPlan *plan);

/* Returns the share of the layers whose products stay in BF16 although the plan quantizes. */
double plg_bf16_layer_share (const PlgPlan *plan);

/* plg_recipe_of:
 * @habits: the habits of the program that runs the products
 *
 * Returns: the costs of the plan's recipe, or %NULL if the plan does not quantize. Static. */
const PlgRecipe *plg_recipe_of (const PlgPlan *plan, const PlgProgramHabits *habits);

/* Returns TRUE if ZeRO gathers weights of one byte. */
gboolean plg_gathers_fp8_weights (const PlgPlan *plan);

/* Returns the size of a value that sequence parallelism gathers as an input of products, the mean of all
 * layers [bytes]. */
double plg_gathered_input_bytes (const PlgPlan *plan);

/* Returns the bytes per weight of a layer that its quantized copies take besides the weight, the mean of
 * all layers. */
double plg_weight_copy_bytes (const PlgPlan *plan);

G_END_DECLS
