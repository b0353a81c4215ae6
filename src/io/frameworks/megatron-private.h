/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/options.h"

G_BEGIN_DECLS

/* What the readers of Megatron-LM's options share: megatron-meaning.c and megatron-model.c. */
typedef struct
{
  PlgOptions *options;
  PlgImportContext *context;
  gboolean is_complete; /* what is left out has its default */
  gboolean model;       /* the file describes the model, all of it */
  gint64 world;         /* GPUs in all; 0: not known */
  GError **error;
} PlgMegatron;

/* Values that are read as they are. */
typedef struct
{
  const char *name;
  const char *key;
  const char *left_out; /* of a whole set of options; NULL: then it stays as it is */
} PlgMegatronValue;

/* By today's name, or one that it had. NULL: the file does not have it. */
const PlgOption *plg_megatron_find (PlgMegatron *self, const char *name);
/* Whether a flag is set. */
gboolean plg_megatron_has (PlgMegatron *self, const char *name);
/* What a key is by now: as the file says it, else as the open plan has it. */
gint64 plg_megatron_get_current (const PlgMegatron *self, const char *key);
gboolean
plg_megatron_set (PlgMegatron *self, const PlgOption *option, const char *key, const char *value);
/* What the program would take: noted where the plan has something else. */
gboolean plg_megatron_set_default (PlgMegatron *self, const char *key, const char *value);
/* The N values of ALL; WHOLE: what is left out has its default. */
gboolean plg_megatron_set_values (PlgMegatron *self,
                                  const PlgMegatronValue *all,
                                  guint n,
                                  gboolean is_complete);
/* A flag, which turns KEY on, or off where it is the WRONG way round. */
gboolean plg_megatron_set_flag (PlgMegatron *self,
                                const char *name,
                                const char *key,
                                gboolean wrong,
                                gboolean is_complete);

/* The dimensions of the model; its degrees must have been read. */
gboolean plg_megatron_read_model (PlgMegatron *self);

G_END_DECLS
