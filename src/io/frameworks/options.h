/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* An option of a training program as a file gives it. */
typedef struct
{
  char *shown;   /* the name in the file: "--num-layers", "num_layers" */
  char *value;   /* NULL for a flag */
  char *more;    /* a second value, or NULL */
  char *unknown; /* the part of the value that only a running shell knows, or NULL */
  int line;
  gboolean off;       /* a flag that is set to false */
  gboolean quoted;    /* a quoted text, even if it looks like a number */
  gboolean maybe;     /* only a running shell knows whether the option is given */
  gboolean open;      /* only another file or program knows the value */
  gboolean list;      /* a list of values; VALUE describes it */
  gboolean used;      /* the importer read the option */
  GPtrArray *earlier; /* PlgOption: earlier keys with the same name, or NULL */
} PlgOption;

/* All options by name: in lower case, with “-” between words. */
typedef struct
{
  PlgImportContext *context;
  GHashTable *all;
  GPtrArray *names; /* in the order of the file */
} PlgOptions;

void plg_options_init (PlgOptions *options, PlgImportContext *context);
void plg_options_clear (PlgOptions *options);

/* Adds an option, whose name can begin with dashes and contain “_”. The last of repeated options
 * counts, as in these programs, with a note about the first; the strings are copied. */
PlgOption *plg_options_add (PlgOptions *options, const char *shown, const char *value, int line);
/* Adds an option that the file writes as SHOWN, in a block of its own. Two such options count as
 * repeated only if the importer reads them. */
PlgOption *plg_options_add_as (PlgOptions *options,
                               const char *name,
                               const char *shown,
                               const char *value,
                               int line);

/* Fails if one of the named blocks of options is a single value. */
gboolean plg_options_check_blocks (PlgOptions *options, const char *const *names, GError **error);

/* Fails if an option that was read is a list. */
gboolean plg_options_check_lists (const PlgOptions *options, GError **error);

/* Finds an option; NULL if the file lacks the option or its value, which is then noted as
 * ignored. */
const PlgOption *plg_options_find (PlgOptions *options, const char *name);

/* Sets KEY to the option's whole number. A value that only a running shell knows is noted as
 * ignored. */
gboolean
plg_options_set (PlgOptions *options, const PlgOption *option, const char *key, GError **error);
/* Reads the option's whole number. The value stays as it is if only a running shell knows it. */
gboolean plg_options_get_number (PlgOptions *options,
                                 const PlgOption *option,
                                 gint64 *value,
                                 GError **error);

/* Sets KEY to the option's "true" or "false"; anything else is an error. */
gboolean plg_options_set_boolean (PlgOptions *options,
                                  const PlgOption *option,
                                  const char *key,
                                  GError **error);
/* Reads the option's "true" or "false"; anything else is an error. */
gboolean plg_options_get_boolean (PlgOptions *options,
                                  const PlgOption *option,
                                  gboolean *truth,
                                  GError **error);
/* Sets KEY by one of N pairs of the program's word and the setting's word; other words are an
 * error. */
gboolean plg_options_set_choice (PlgOptions *options,
                                 const PlgOption *option,
                                 const char *key,
                                 const char *const (*pairs)[2],
                                 guint n,
                                 GError **error);

/* Sets KEY to the option's whole number like plg_options_set(), or infers VALUE with the reason WHY
 * for a missing option, even if the plan has VALUE. */
gboolean plg_options_set_or_infer (PlgOptions *options,
                                   const PlgOption *option,
                                   const char *key,
                                   const char *value,
                                   const char *why,
                                   GError **error);
/* Sets a program's default with the reason WHY, and a note if the open plan differs. */
gboolean plg_options_set_default (PlgOptions *options,
                                  const char *key,
                                  const char *value,
                                  const char *why,
                                  GError **error);

/* Adds all members of a JSON document by path: "zero-optimization.stage". */
void plg_options_add_json (PlgOptions *options, const PlgJson *json);

/* Returns the value of a setting: from the file, or else from the open plan. */
gint64 plg_options_get_current (const PlgOptions *options, const char *key);

/* Notes the options that the importer did not read. */
void plg_options_note_unused (const PlgOptions *options);

/* Reads some options into settings of the import. */
typedef gboolean (*PlgOptionsReader) (PlgOptions *options, GError **error);
/* Runs N readers in order, and then notes the options that none of them read. */
gboolean
plg_options_run (PlgOptions *options, const PlgOptionsReader *readers, guint n, GError **error);

/* Reads Megatron-LM's options (megatron/training/arguments.py). In a complete set, missing options
 * have their defaults; otherwise they keep the plan's values. DP and the number of nodes follow
 * from WORLD, the total number of GPUs (0 if unknown). */
gboolean plg_megatron_apply_options (PlgOptions *options,
                                     gboolean is_complete,
                                     gint64 world,
                                     GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgOptions, plg_options_clear)

G_END_DECLS
