/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* One of a training program's options, as a file says it. */
typedef struct
{
  char *shown;   /* as it is written: "--num-layers", "num_layers" */
  char *value;   /* NULL: none, it is a flag */
  char *more;    /* a second value, or NULL */
  char *unknown; /* what of the value only a running shell knows, or NULL */
  int line;
  gboolean off;       /* a flag that is said not to be set */
  gboolean quoted;    /* a text, though it may look like a number */
  gboolean maybe;     /* only a running shell knows whether it is given */
  gboolean open;      /* only another file or program knows the value */
  gboolean list;      /* more than one value; VALUE stands for them */
  gboolean used;      /* somebody has asked for it */
  GPtrArray *earlier; /* of PlgOption: what other keys of that name said before; NULL: none */
} PlgOption;

/* All of them, by name: in small letters, with “-” between words. */
typedef struct
{
  PlgImportContext *context;
  GHashTable *all;
  GPtrArray *names; /* in the order of the file */
} PlgOptions;

void plg_options_init (PlgOptions *options, PlgImportContext *context);
void plg_options_clear (PlgOptions *options);

/* SHOWN may begin with dashes and have “_”. Said twice, the last counts, as in these programs, and
 * the first is noted as ignored. SHOWN and what is said of it are copied. */
PlgOption *plg_options_add (PlgOptions *options, const char *shown, const char *value, int line);
/* The same of what NAME is in a file that shows it as SHOWN, in a block of its own. Two that are
 * shown otherwise are the same option only if somebody asks for it. */
PlgOption *plg_options_add_as (PlgOptions *options,
                               const char *name,
                               const char *shown,
                               const char *value,
                               int line);

/* FALSE with ERROR when one of NAMES, which are blocks of options, is a value itself. */
gboolean plg_options_check_blocks (PlgOptions *options, const char *const *names, GError **error);

/* FALSE with ERROR when an option that was asked for is a list, which is none of its values. */
gboolean plg_options_check_lists (const PlgOptions *options, GError **error);

/* NULL: the file does not have it, or leaves it open, which is then noted as ignored. */
const PlgOption *plg_options_find (PlgOptions *options, const char *name);

/* OPTION says what KEY is. A value that only a running shell knows is noted as ignored. FALSE with
 * ERROR for one that is not a whole number, or that KEY cannot be. */
gboolean
plg_options_set (PlgOptions *options, const PlgOption *option, const char *key, GError **error);
/* *VALUE becomes the option's whole number; TRUE and *VALUE as it was where a shell only knows. */
gboolean plg_options_get_number (PlgOptions *options,
                                 const PlgOption *option,
                                 gint64 *value,
                                 GError **error);

/* OPTION says whether KEY is true; "true" or "false", or it is an error. */
gboolean plg_options_set_boolean (PlgOptions *options,
                                  const PlgOption *option,
                                  const char *key,
                                  GError **error);
/* *TRUTH becomes that of the option; FALSE with ERROR where it is neither. */
gboolean plg_options_get_boolean (PlgOptions *options,
                                  const PlgOption *option,
                                  gboolean *truth,
                                  GError **error);
/* It is one of the N PAIRS of what the program and what KEY says; FALSE with ERROR where not. */
gboolean plg_options_set_choice (PlgOptions *options,
                                 const PlgOption *option,
                                 const char *key,
                                 const char *const (*pairs)[2],
                                 guint n,
                                 GError **error);

/* What a program takes where the file says nothing, for the reason WHY: noted where the open plan
 * has something else. */
gboolean plg_options_set_default (PlgOptions *options,
                                  const char *key,
                                  const char *value,
                                  const char *why,
                                  GError **error);

/* All members of a JSON document, by their paths: "zero-optimization.stage". */
void plg_options_add_json (PlgOptions *options, const PlgJson *json);

/* What KEY is by now: as the file says it, else as the open plan has it. */
gint64 plg_options_get_current (const PlgOptions *options, const char *key);

/* Notes all that nobody asked for, as no part of a plan. */
void plg_options_note_unused (const PlgOptions *options);

/* Understands Megatron-LM's options (megatron/training/arguments.py). WHOLE: they are a program's
 * whole set, so what is left out has Megatron-LM's default; otherwise it stays as it is. DP and the
 * number of nodes follow from WORLD, the GPUs in all; 0: it is not known. */
gboolean plg_megatron_apply_options (PlgOptions *options,
                                     gboolean is_complete,
                                     gint64 world,
                                     GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgOptions, plg_options_clear)

G_END_DECLS
