/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

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
  int positions; /* number of learned position embeddings in addition to those in the file;
                    PLG_NO_POSITIONS if the model has none */
  gboolean tied; /* whether the embeddings are tied, unless the file says otherwise */
  int shared;    /* number of shared experts if the file does not state it */
} PlgModelType;

/* Returns the type with this name in transformers, or NULL. */
const PlgModelType *plg_model_type_find (const char *name);

G_END_DECLS
