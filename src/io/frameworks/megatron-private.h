/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/options.h"

G_BEGIN_DECLS

/* The state that megatron-options.c and megatron-model.c share while they read Megatron-LM's
 * options. */
typedef struct
{
  PlgOptions *options;
  PlgImportContext *context;
  gboolean is_complete; /* whether the set of options is complete; if so, missing options have
                           their defaults */
  gboolean model;       /* whether the file describes the whole model */
  gint64 world;         /* the total number of GPUs; 0 if unknown */
  GError **error;
} PlgMegatron;

/* An option and the setting that takes its value. */
typedef struct
{
  const char *name;
  const char *key;
  const char *left_out; /* the default if a complete set of options omits the option; NULL to
                           leave the setting unchanged */
} PlgMegatronValue;

/* Finds an option by its current name or an older name. Returns NULL if the option is missing. */
const PlgOption *plg_megatron_find (PlgMegatron *self, const char *name);
/* Returns whether a flag is set. */
gboolean plg_megatron_has (PlgMegatron *self, const char *name);
/* Returns the value of a setting from the file, or else from the open plan. */
gint64 plg_megatron_get_current (const PlgMegatron *self, const char *key);
gboolean
plg_megatron_set (PlgMegatron *self, const PlgOption *option, const char *key, const char *value);
/* Sets Megatron-LM's default for a setting, with a note if the plan's value differs. */
gboolean plg_megatron_set_default (PlgMegatron *self, const char *key, const char *value);
/* Sets the N settings in ALL from their options. If the set of options is complete, missing
 * options have their defaults. */
gboolean plg_megatron_set_values (PlgMegatron *self,
                                  const PlgMegatronValue *all,
                                  guint n,
                                  gboolean is_complete);
/* Sets KEY from a flag. An inverted flag turns KEY off. */
gboolean plg_megatron_set_flag (PlgMegatron *self,
                                const char *name,
                                const char *key,
                                gboolean is_inverted,
                                gboolean is_complete);

/* Reads the dimensions of the model. The degrees must have been read. */
gboolean plg_megatron_read_model (PlgMegatron *self);

G_END_DECLS
