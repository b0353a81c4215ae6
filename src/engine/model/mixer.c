/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/mixer.h"

/* The differences between the kinds of mixers. */
typedef struct
{
  double
      projected;  /* values per token and head that are projected besides keys, queries, values and
                        the output gate: the time step, or the decay and the step size */
  double vectors; /* parameters per head */
  double conv_bias;  /* parameters per channel of the convolution besides its weights */
  gboolean one_norm; /* TRUE if all heads share the weights of the norm of the output */
  double chunk;      /* tokens per chunk of the recurrence */
} MixerKind;

/* Mamba-2: Megatron-LM, core/ssm/mamba_mixer.py (A, D, dt_bias; chunk_size 128). Gated delta net:
 * transformers, models/qwen3_next (b and a; A_log, dt_bias); flash-linear-attention,
 * fla/ops/gated_delta_rule/chunk.py (64 tokens). */
static const MixerKind kinds[] = {
  [PLG_MIXER_NONE] = { 0.0, 0.0, 0.0, FALSE, 1.0 },
  [PLG_MIXER_MAMBA2] = { 1.0, 3.0, 1.0, FALSE, 128.0 },
  [PLG_MIXER_GATED_DELTA_NET] = { 2.0, 2.0, 0.0, TRUE, 64.0 },
};
G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == PLG_N_MIXERS);

/* Returns the number of values per token in the keys, or in the queries, of all groups. */
static double
key_width (const PlgTransformer *model)
{
  return (double) model->mixer_groups * model->mixer_state;
}

double
plg_mixer_inner (const PlgTransformer *model)
{
  return (double) model->mixer_heads * model->mixer_head_dim;
}

double
plg_mixer_convolved (const PlgTransformer *model)
{
  return plg_mixer_inner (model) + 2.0 * key_width (model);
}

double
plg_mixer_projected (const PlgTransformer *model)
{
  return plg_mixer_convolved (model) + plg_mixer_inner (model) +
         kinds[model->mixer].projected * model->mixer_heads;
}

double
plg_mixer_matrices (const PlgTransformer *model)
{
  return model->hidden * (plg_mixer_projected (model) + plg_mixer_inner (model));
}

PlgParameters
plg_mixer_parameters (const PlgTransformer *model)
{
  const MixerKind *kind = &kinds[model->mixer];
  PlgParameters parameters = { .sharded = plg_mixer_matrices (model) };

  parameters.sharded += plg_mixer_convolved (model) * (model->mixer_conv + kind->conv_bias);
  parameters.sharded += kind->vectors * model->mixer_heads;
  if (kind->one_norm)
    parameters.replicated = model->mixer_head_dim;
  else
    parameters.sharded += plg_mixer_inner (model);
  return parameters;
}

double
plg_mixer_scan_flops (const PlgTransformer *model)
{
  double inner = plg_mixer_inner (model);

  if (model->mixer == PLG_MIXER_MAMBA2)
    return 7.0 * inner * model->mixer_state;
  return 2.0 * model->mixer_conv * plg_mixer_convolved (model) +
         2.0 * 4.0 * inner * model->mixer_state;
}

/* Counts the kernels of mamba_ssm/ops/triton/ssd_combined.py: cumulative sums, states of the chunks,
 * the pass over these states, products CBᵀ inside a chunk, and the output. The backward pass repeats
 * the first four, and computes the gradients of the states, of x, B, C, the products and the decay.
 * Products inside a chunk are computed below the diagonal only. States and products are in FP32
 * unless a kernel only reads them. */
static PlgMixerScan
mamba_scan (const PlgTransformer *model, double element, gboolean backward)
{
  double chunk = kinds[PLG_MIXER_MAMBA2].chunk;
  double inner = plg_mixer_inner (model), keys = key_width (model), heads = model->mixer_heads;
  double state = inner * model->mixer_state;              /* the states of all heads */
  double states = state / chunk;                          /* per token */
  double products = (double) model->mixer_groups * chunk; /* CBᵀ per token */

  if (!backward)
    return (PlgMixerScan) {
      .flops = 4.0 * state + chunk * inner + 2.0 * chunk * keys,
      .bytes = element * (3.0 * inner + 4.0 * keys + 2.0 * states) + 8.0 * states + 8.0 * products +
               (element + 24.0) * heads,
      .kernels = 5,
    };
  return (PlgMixerScan) {
    .flops = 10.0 * state + 3.0 * chunk * inner + 6.0 * chunk * keys,
    .bytes = element * (11.0 * inner + 13.0 * keys + 5.0 * states) + 24.0 * states +
             24.0 * products + (element + 64.0) * heads,
    .kernels = 13,
  };
}

/* Counts the kernels of flash-linear-attention, fla/ops/gated_delta_rule/chunk.py and
 * fla/ops/common: the norms of queries and keys, the sums of the decay, the products KKᵀ of a chunk,
 * the inverse of their triangle, the vectors w and u, the states of the chunks, and the output. The
 * backward pass computes w, u and the states again. Each head of the values has its own copy of
 * queries and keys (Megatron-LM, core/ssm/gated_delta_net.py, repeat_interleave). */
static PlgMixerScan
delta_scan (const PlgTransformer *model, double element, gboolean backward)
{
  double chunk = kinds[PLG_MIXER_GATED_DELTA_NET].chunk;
  double inner = plg_mixer_inner (model), heads = model->mixer_heads;
  double own = key_width (model), keys = heads * model->mixer_state;
  double copies = model->mixer_heads > model->mixer_groups ? 2.0 * (own + keys) : 0.0;
  double state = inner * model->mixer_state, states = state / chunk;

  if (!backward)
    return (PlgMixerScan) {
      .flops = 6.0 * state + chunk * (6.0 * keys + 4.0 * inner + chunk * heads),
      .bytes = element * (copies + 4.0 * own + 7.0 * keys + 6.0 * inner + 2.0 * states) +
               chunk * heads * (8.0 + 2.0 * element) + 16.0 * heads,
      .kernels = 8,
    };
  return (PlgMixerScan) {
    .flops = 16.0 * state + chunk * (16.0 * keys + 10.0 * inner + 4.0 * chunk * heads),
    .bytes = element * (copies + 6.0 * own + 21.0 * keys + 15.0 * inner + 4.0 * states) +
             2.0 * element * chunk * heads + 32.0 * heads,
    .kernels = 10,
  };
}

PlgMixerScan
plg_mixer_scan (const PlgTransformer *model, double element, gboolean backward)
{
  return model->mixer == PLG_MIXER_MAMBA2 ? mamba_scan (model, element, backward)
                                          : delta_scan (model, element, backward);
}

/* Mamba-2 keeps the output of the first projection, the output of the recurrence and the input of the
 * last projection (mamba_ssm, MambaSplitConv1dScanCombinedFn). The gated delta net also keeps the
 * results of the convolution, with copies of queries and keys for each head of the values, the decay
 * in FP32, and the inverse of each chunk's triangle (flash-linear-attention,
 * ChunkGatedDeltaRuleFunction). */
double
plg_mixer_kept_bytes (const PlgTransformer *model, double value, double input)
{
  double inner = plg_mixer_inner (model), heads = model->mixer_heads;
  double own = key_width (model), keys = heads * model->mixer_state;
  double bytes = value * (plg_mixer_projected (model) + inner) + input * inner;

  if (model->mixer == PLG_MIXER_MAMBA2)
    return bytes;
  bytes += value * (2.0 * keys + inner) + 8.0 * heads;
  if (model->mixer_heads > model->mixer_groups)
    bytes += value * 2.0 * own;
  return bytes + value * kinds[model->mixer].chunk * heads;
}

/* The backward pass holds the gradients of its inputs and output, the inputs of the recurrence that
 * it computes again, and the states of the chunks with their gradients. */
double
plg_mixer_working_bytes (const PlgTransformer *model, double value)
{
  double inner = plg_mixer_inner (model), own = key_width (model);
  double keys = (double) model->mixer_heads * model->mixer_state;
  double states = inner * model->mixer_state / kinds[model->mixer].chunk;

  if (model->mixer == PLG_MIXER_MAMBA2)
    return value * (plg_mixer_projected (model) + 2.0 * inner + 2.0 * own) +
           (8.0 + 2.0 * value) * states + 8.0 * model->mixer_groups * kinds[model->mixer].chunk;
  return value * (5.0 * keys + 5.0 * inner + 2.0 * states);
}
