/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLG_NO_POSITIONS (-1)

/* What has biases. */
typedef enum
{
  PLG_BIASES_NONE,
  PLG_BIASES_QUERIES, /* queries, keys and values alone */
  PLG_BIASES_ALL,
} PlgBiases;

/* A model type, from src/transformers/models/TYPE/{configuration,modeling}_TYPE.py. Where a switch
 * of the file says otherwise, that holds. */
typedef struct
{
  const char *type;
  gboolean gated;    /* the MLP has a gate */
  gboolean rms_norm; /* else LayerNorm */
  PlgBiases biases;
  int positions; /* learned ones that there are beyond those of the file, or PLG_NO_POSITIONS */
  gboolean tied; /* unless the file says */
  int shared;    /* experts that see every token, of which the file says nothing */
} PlgModelType;

/* The type that transformers calls NAME, or NULL. */
const PlgModelType *plg_model_type_find (const char *name);

G_END_DECLS
