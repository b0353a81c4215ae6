/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/transformer.h"

G_BEGIN_DECLS

#define PLG_NO_POSITIONS (-1)

/* The parts of a layer that have biases. */
typedef enum
{
  PLG_BIASES_NONE,
  PLG_BIASES_QUERIES, /* queries, keys and values */
  PLG_BIASES_ALL,
} PlgBiases;

/* A model type, from src/transformers/models/TYPE/{configuration,modeling}_TYPE.py. Members in a
 * file override these properties. */
typedef struct
{
  const char *type;
  gboolean gated;    /* whether the MLP is gated */
  gboolean rms_norm; /* TRUE for RMSNorm, FALSE for LayerNorm */
  PlgBiases biases;
  int positions;          /* number of learned position embeddings in addition to those in the file;
                    PLG_NO_POSITIONS if the model has none */
  gboolean tied;          /* whether the embeddings are tied, unless the file says otherwise */
  int shared;             /* number of shared experts if the file does not state it */
  int full_every;         /* every n-th layer sees the whole sequence in a file with a window but
                             without a list of layers; 0 if no layer does */
  gboolean window_is_off; /* whether the window of a file has no effect unless the file says so */
  PlgMixer mixer;         /* the mixer of the layers without attention; PLG_MIXER_NONE if all layers
                             have attention */
  gboolean gates_attention; /* whether the output of attention is gated */
} PlgModelType;

/* Returns the type with this name in transformers, or NULL. */
const PlgModelType *plg_model_type_find (const char *name);

/* The stacks of layers of a model. A plan describes a model with a decoder only. */
typedef enum
{
  PLG_MODEL_DECODER,
  PLG_MODEL_ENCODER,         /* each token attends to all tokens, as in BERT */
  PLG_MODEL_ENCODER_DECODER, /* a decoder attends to the output of an encoder, as in T5 */
} PlgModelStacks;

/* Returns the stacks of the model type NAME in transformers. The model type of an encoder can also
 * describe a decoder, if the file says so (is_decoder). An unknown type is a decoder. */
PlgModelStacks plg_model_type_stacks (const char *name);
/* Returns the stacks of the model class NAME in transformers, such as “T5ForConditionalGeneration”. */
PlgModelStacks plg_model_class_stacks (const char *name);
/* Returns TRUE if some layers of the model type NAME in transformers have no attention, but a
 * mixer that a plan cannot have. */
gboolean plg_model_type_is_hybrid (const char *name);

G_END_DECLS
