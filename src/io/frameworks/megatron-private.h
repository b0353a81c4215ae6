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
  gboolean is_complete; /* whether missing options have Megatron-LM's defaults; FALSE for a
                           fragment, whose missing options leave the plan unchanged */
  gboolean model;       /* whether the file describes the whole model */
  gint64 world;         /* the total number of GPUs; 0 if unknown */
  GError **error;
} PlgMegatron;

/* An option and the setting that takes its value. */
typedef struct
{
  const char *name;
  const char *key;
  const char *left_out; /* the default if a complete file omits the option; NULL to leave the
                           setting unchanged */
} PlgMegatronValue;

/* Finds an option by its current name or an older name. Returns NULL if the option is missing. */
const PlgOption *plg_megatron_find (PlgMegatron *self, const char *name);
/* Returns whether a flag is set. */
gboolean plg_megatron_has (PlgMegatron *self, const char *name);
/* Returns the value that the file sets for KEY. If the file does not set KEY, returns the open
 * plan's value. */
gint64 plg_megatron_get_current (const PlgMegatron *self, const char *key);
gboolean
plg_megatron_set (PlgMegatron *self, const PlgOption *option, const char *key, const char *value);
/* Sets KEY to VALUE, which is Megatron-LM's default. Adds a note if the plan's value differs. */
gboolean plg_megatron_set_default (PlgMegatron *self, const char *key, const char *value);
/* Sets each of the N settings in ALL from its option. If IS_COMPLETE is TRUE, a missing option
 * has Megatron-LM's default. */
gboolean plg_megatron_set_values (PlgMegatron *self,
                                  const PlgMegatronValue *all,
                                  guint n,
                                  gboolean is_complete);
/* Sets KEY from the flag NAME. If IS_INVERTED is TRUE, the flag turns KEY off. */
gboolean plg_megatron_set_flag (PlgMegatron *self,
                                const char *name,
                                const char *key,
                                gboolean is_inverted,
                                gboolean is_complete);

#define PLG_MEGATRON_MAX_LAYERS 10000
/* Reads the list of 0s and 1s in OPTION, such as “([0]*3+[1]*58)”, into LAYERS, which has
 * PLG_MEGATRON_MAX_LAYERS elements. Returns their number; 0 if the value is no such list. */
int plg_megatron_read_list (const PlgOption *option, char *layers);

/* Reads the mixer of a hybrid model. The other dimensions must have been read first. */
gboolean plg_megatron_read_mixer (PlgMegatron *self);

/* Reads the dimensions of the model. The degrees must have been read first, because ETP defaults
 * to TP. */
gboolean plg_megatron_read_model (PlgMegatron *self);

G_END_DECLS
