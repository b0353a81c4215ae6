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
  char *more;    /* the other values on the line of VALUE, with spaces between them, or NULL */
  char *unknown; /* the part of the value that only a shell can resolve, such as "$TP", or NULL */
  int line;
  gboolean off;       /* TRUE for a flag that is set to false */
  gboolean quoted;    /* TRUE if the value is a quoted string, which is an error if the option
                         must be a number or a boolean */
  gboolean maybe;     /* TRUE if a condition that only a shell can evaluate decides whether the
                         option is set */
  gboolean open;      /* TRUE if the value is defined in a different file or program */
  gboolean list;      /* TRUE if the file has a list here; VALUE then describes the list */
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

/* Adds an option. SHOWN may begin with dashes and contain “_”; the strings are copied. If a file
 * repeats an option, the last one is used, as in the training programs, and the earlier one gets
 * a note. */
PlgOption *plg_options_add (PlgOptions *options, const char *shown, const char *value, int line);
/* Adds the option NAME. SHOWN is its name in the file, often with the path of its block. If two
 * options have the same NAME but a different SHOWN, the earlier one gets a note only if the
 * importer reads the option. */
PlgOption *plg_options_add_as (PlgOptions *options,
                               const char *name,
                               const char *shown,
                               const char *value,
                               int line);

/* Fails if one of the named blocks of options is a single value instead of a block. */
gboolean plg_options_check_blocks (PlgOptions *options, const char *const *names, GError **error);

/* Fails if the value of an option that was read is a list. */
gboolean plg_options_check_lists (const PlgOptions *options, GError **error);

/* Finds an option and marks it as read. Returns NULL if the file lacks the option. Also returns
 * NULL, and adds a note, if the value is defined in a different file or program. */
const PlgOption *plg_options_find (PlgOptions *options, const char *name);

/* Sets KEY to the value of the option, which must be an integer. If only a shell can resolve the
 * value, adds a note and leaves KEY unchanged. */
gboolean
plg_options_set (PlgOptions *options, const PlgOption *option, const char *key, GError **error);
/* Reads the value of the option, which must be an integer. If only a shell can resolve the value,
 * adds a note and leaves *VALUE unchanged. */
gboolean plg_options_get_number (PlgOptions *options,
                                 const PlgOption *option,
                                 gint64 *value,
                                 GError **error);

/* Sets KEY, whose setting is a decimal number, to the value of the option. If only a shell can
 * resolve the value, adds a note and leaves KEY unchanged. */
gboolean plg_options_set_real (PlgOptions *options,
                               const PlgOption *option,
                               const char *key,
                               GError **error);

/* Sets KEY from the option. Fails if its value is not "true" or "false". */
gboolean plg_options_set_boolean (PlgOptions *options,
                                  const PlgOption *option,
                                  const char *key,
                                  GError **error);
/* Reads the option. Fails if its value is not "true" or "false". */
gboolean plg_options_get_boolean (PlgOptions *options,
                                  const PlgOption *option,
                                  gboolean *truth,
                                  GError **error);
/* Sets KEY by translating the option's value. Each of the N PAIRS is a word of the training
 * program and the corresponding value of KEY. A word without a pair is an error. */
gboolean plg_options_set_choice (PlgOptions *options,
                                 const PlgOption *option,
                                 const char *key,
                                 const char *const (*pairs)[2],
                                 guint n,
                                 GError **error);

/* Sets KEY to the value of OPTION, which must be an integer (plg_options_set()). If OPTION is
 * NULL, sets KEY to VALUE and marks KEY as inferred for the reason WHY, even if the plan already
 * has VALUE. */
gboolean plg_options_set_or_infer (PlgOptions *options,
                                   const PlgOption *option,
                                   const char *key,
                                   const char *value,
                                   const char *why,
                                   GError **error);
/* Sets KEY to VALUE, the training program's default. If the open plan's value differs, adds a
 * note with the reason WHY. */
gboolean plg_options_set_default (PlgOptions *options,
                                  const char *key,
                                  const char *value,
                                  const char *why,
                                  GError **error);

/* Adds all members of a JSON document under their paths, such as "zero-optimization.stage". */
void plg_options_add_json (PlgOptions *options, const PlgJson *json);

/* Returns the value that the file sets for KEY. If the file does not set KEY, returns the open
 * plan's value. */
gint64 plg_options_get_current (const PlgOptions *options, const char *key);

/* Adds notes that list the options that the importer did not read. */
void plg_options_note_unused (const PlgOptions *options);

/* A function that reads some of the options and records the settings that follow from them. */
typedef gboolean (*PlgOptionsReader) (PlgOptions *options, GError **error);
/* Runs the N readers in order, then adds a note on the options that no reader has read. */
gboolean
plg_options_run (PlgOptions *options, const PlgOptionsReader *readers, guint n, GError **error);

/* Reads Megatron-LM's options (megatron/training/arguments.py). If IS_COMPLETE is TRUE, missing
 * options have Megatron-LM's defaults; otherwise, their settings keep the plan's values. Derives
 * DP from WORLD, the total number of GPUs (0 if unknown). */
gboolean plg_megatron_apply_options (PlgOptions *options,
                                     gboolean is_complete,
                                     gint64 world,
                                     GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgOptions, plg_options_clear)

G_END_DECLS
