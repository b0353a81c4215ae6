/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_NO_POSITIONS (-1)

/* The parts of a layer with biases. */
typedef enum
{
  PLG_BIASES_NONE,
  PLG_BIASES_QUERIES, /* queries, keys and values */
  PLG_BIASES_ALL,
} PlgBiases;

/* A type of model, from src/transformers/models/TYPE/{configuration,modeling}_TYPE.py. Switches in
 * a file override it. */
typedef struct
{
  const char *type;
  gboolean gated;    /* the MLP is gated */
  gboolean rms_norm; /* RMSNorm, else LayerNorm */
  PlgBiases biases;
  int positions; /* learned positions beyond those of the file, or PLG_NO_POSITIONS */
  gboolean tied; /* tied embeddings, if the file does not say */
  int shared;    /* shared experts that the file does not list */
} PlgModelType;

/* Returns the type with this name in transformers, or NULL. */
const PlgModelType *plg_model_type_find (const char *name);

G_END_DECLS
