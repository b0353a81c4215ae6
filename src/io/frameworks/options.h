/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* An option of a training program, as written in a file. */
typedef struct
{
  char *shown;   /* the name in the file, for example "--num-layers" or "num_layers" */
  char *value;   /* the value; NULL for a flag */
  char *more;    /* a second value on the same line, or NULL */
  char *unknown; /* the part of the value that only a running shell knows, or NULL */
  int line;
  gboolean off;       /* TRUE for a flag that is set to false */
  gboolean quoted;    /* TRUE if the value is a quoted string, which is an error for a number or
                         a truth value */
  gboolean maybe;     /* TRUE if only a running shell knows whether the option is given */
  gboolean open;      /* TRUE if only another file or program knows the value */
  gboolean list;      /* TRUE if the value is a list, which VALUE describes */
  gboolean used;      /* whether the importer read the option */
  GPtrArray *earlier; /* PlgOption: earlier options with the same name, or NULL */
} PlgOption;

/* The options in a file. Names are in lower case, with “-” between words. */
typedef struct
{
  PlgImportContext *context;
  GHashTable *all;
  GPtrArray *names; /* the names in file order */
} PlgOptions;

void plg_options_init (PlgOptions *options, PlgImportContext *context);
void plg_options_clear (PlgOptions *options);

/* Adds an option, whose name can begin with dashes and contain “_”; the strings are copied. If
 * an option is repeated, the last one counts, as in the training programs, and the earlier one
 * gets a note. */
PlgOption *plg_options_add (PlgOptions *options, const char *shown, const char *value, int line);
/* Adds the option NAME, which the file writes as SHOWN, often with the path of its block. Two
 * options with the same NAME but a different SHOWN count as repeated only if the importer reads
 * them. */
PlgOption *plg_options_add_as (PlgOptions *options,
                               const char *name,
                               const char *shown,
                               const char *value,
                               int line);

/* Fails if one of the named blocks of options is a single value. */
gboolean plg_options_check_blocks (PlgOptions *options, const char *const *names, GError **error);

/* Fails if an option that was read is a list. */
gboolean plg_options_check_lists (const PlgOptions *options, GError **error);

/* Finds an option. Returns NULL if the file lacks the option, or if only another file or program
 * knows its value; in the latter case, a note reports the option as ignored. */
const PlgOption *plg_options_find (PlgOptions *options, const char *name);

/* Sets KEY to the option's whole number. A value that only a running shell knows is noted as
 * ignored. */
gboolean
plg_options_set (PlgOptions *options, const PlgOption *option, const char *key, GError **error);
/* Reads the option's whole number. Leaves VALUE unchanged if only a running shell knows the
 * number. */
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
/* Sets KEY to the setting's word for the option's value. Each of the N PAIRS has a program's
 * word and the setting's word; any other word is an error. */
gboolean plg_options_set_choice (PlgOptions *options,
                                 const PlgOption *option,
                                 const char *key,
                                 const char *const (*pairs)[2],
                                 guint n,
                                 GError **error);

/* Sets KEY to the option's whole number like plg_options_set(). If the option is missing, infers
 * VALUE with the reason WHY, even if the plan already has VALUE. */
gboolean plg_options_set_or_infer (PlgOptions *options,
                                   const PlgOption *option,
                                   const char *key,
                                   const char *value,
                                   const char *why,
                                   GError **error);
/* Sets KEY to a program's default. If the open plan's value differs, a note gives the reason
 * WHY. */
gboolean plg_options_set_default (PlgOptions *options,
                                  const char *key,
                                  const char *value,
                                  const char *why,
                                  GError **error);

/* Adds all members of a JSON document under their paths, such as "zero-optimization.stage". */
void plg_options_add_json (PlgOptions *options, const PlgJson *json);

/* Returns the value of a setting from the file, or else from the open plan. */
gint64 plg_options_get_current (const PlgOptions *options, const char *key);

/* Adds notes that list the options that the importer did not read. */
void plg_options_note_unused (const PlgOptions *options);

/* Reads some of the options into settings of the import. */
typedef gboolean (*PlgOptionsReader) (PlgOptions *options, GError **error);
/* Runs N readers in order, and then notes the options that none of them read. */
gboolean
plg_options_run (PlgOptions *options, const PlgOptionsReader *readers, guint n, GError **error);

/* Reads Megatron-LM's options (megatron/training/arguments.py). If the set is complete, missing
 * options have their defaults; otherwise their settings keep the plan's values. DP follows from
 * WORLD, the total number of GPUs (0 if unknown). */
gboolean plg_megatron_apply_options (PlgOptions *options,
                                     gboolean is_complete,
                                     gint64 world,
                                     GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgOptions, plg_options_clear)

G_END_DECLS
