/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/flops.h"

G_BEGIN_DECLS

/* The layers of a hybrid model that have a mixer instead of attention: Mamba-2 and the gated delta
 * net. Both project the input, pass keys, queries and values through a short convolution, run a linear
 * recurrence in chunks of the sequence, and normalize and gate its output before the last projection
 * (Megatron-LM, core/ssm/mamba_mixer.py and gated_delta_net.py). All functions need a model with a
 * mixer. Numbers per token are those of the whole layer, before TP divides its heads. */

/* Returns the parameters of one mixer, without the norm of its input. */
PlgParameters plg_mixer_parameters (const PlgTransformer *model);
/* Returns the number of weights in the matrices of one mixer. */
double plg_mixer_matrices (const PlgTransformer *model);
/* Returns the model FLOPs per token of the convolution and the recurrence, as Megatron-LM counts them
 * (training/training.py, mamba_layer_flops() and gdn_layer_flops()). */
double plg_mixer_scan_flops (const PlgTransformer *model);

/* Returns the number of values per token in the output of the mixer, before the last projection. */
double plg_mixer_inner (const PlgTransformer *model);
/* Returns the number of values per token in the output of the first projection. */
double plg_mixer_projected (const PlgTransformer *model);
/* Returns the number of values per token that pass the convolution. */
double plg_mixer_convolved (const PlgTransformer *model);

/* The work of the kernels of the recurrence per token, in one direction. */
typedef struct
{
  double flops;
  double bytes; /* read and written */
  int kernels;
} PlgMixerScan;

/* Returns the work of the forward or the backward pass, which repeats most of the forward pass.
 * ELEMENT is the size of a value [bytes]. */
PlgMixerScan plg_mixer_scan (const PlgTransformer *model, double element, gboolean backward);

/* Returns the bytes per token that the backward pass needs from the forward pass. VALUE is the size of
 * an activation, INPUT of an input of a matrix product [bytes]. */
double plg_mixer_kept_bytes (const PlgTransformer *model, double value, double input);
/* Returns the temporary bytes per token of the backward pass. */
double plg_mixer_working_bytes (const PlgTransformer *model, double value);

G_END_DECLS
