/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/options.h"

G_BEGIN_DECLS

/* The state of the readers of Megatron-LM's options: megatron-options.c and megatron-model.c. */
typedef struct
{
  PlgOptions *options;
  PlgImportContext *context;
  gboolean is_complete; /* missing options have their defaults */
  gboolean model;       /* the file describes the whole model */
  gint64 world;         /* the total number of GPUs; 0 if unknown */
  GError **error;
} PlgMegatron;

/* An option that gives a setting directly. */
typedef struct
{
  const char *name;
  const char *key;
  const char *left_out; /* the default in a complete set of options; NULL: the setting stays */
} PlgMegatronValue;

/* Finds an option by today's name or an older name; NULL if it is missing. */
const PlgOption *plg_megatron_find (PlgMegatron *self, const char *name);
/* Returns whether a flag is set. */
gboolean plg_megatron_has (PlgMegatron *self, const char *name);
/* Returns the value of a setting: from the file, or else from the open plan. */
gint64 plg_megatron_get_current (const PlgMegatron *self, const char *key);
gboolean
plg_megatron_set (PlgMegatron *self, const PlgOption *option, const char *key, const char *value);
/* Sets a default of the program, with a note if the plan differs. */
gboolean plg_megatron_set_default (PlgMegatron *self, const char *key, const char *value);
/* Sets N values; in a complete set, missing options have their defaults. */
gboolean plg_megatron_set_values (PlgMegatron *self,
                                  const PlgMegatronValue *all,
                                  guint n,
                                  gboolean is_complete);
/* Sets KEY from a flag; an inverted flag turns KEY off. */
gboolean plg_megatron_set_flag (PlgMegatron *self,
                                const char *name,
                                const char *key,
                                gboolean is_inverted,
                                gboolean is_complete);

/* Reads the dimensions of the model. The degrees must have been read. */
gboolean plg_megatron_read_model (PlgMegatron *self);

G_END_DECLS
