/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "syntax/json-reader.h"
#include "io/frameworks/model-type.h"

G_BEGIN_DECLS

/* Reads the members of a config.json. The names of the members differ between model types. */

#define PLG_HF_MAX_ALIASES 6

/* The names of one member: the current name, then the names in older model types. */
typedef const char *const PlgHfNames[PLG_HF_MAX_ALIASES];

/* The names of the member with the width of the MLP. An expert has the same width if the file
 * has no separate member for the width of an expert. */
extern PlgHfNames plg_hf_names_ffn;

/* The source of a value: the name and the line of a member. If the member is missing, the source
 * has the current name of the member and line 0. If the value is a default of a nested model's
 * class, the source has the line on which the nested model starts. */
typedef struct
{
  const char *name;
  int line;
  gboolean by_default;
} PlgHfSource;

typedef struct
{
  PlgImportContext *context;
  const PlgJsonValue *root;
  const PlgJsonValue *block; /* JSON object of the model: the root object, or the text model
                                inside the root object */
  PlgModelType kind;
  const char *type; /* the model_type of a nested model; NULL if the model is not nested or has
                       no model_type */
  gboolean known;   /* whether the model's type is in the table of types */
  GHashTable *used; /* PlgJsonValue: the members that were read */
  gint64 layers, hidden, heads;
  GError **error;
} PlgHfConfig;

/* Sets VALUE to the member that has one of NAMES, or to NULL if the file has no such member.
 * Fails if the file has two of the names with different values. */
gboolean plg_hf_find (PlgHfConfig *config, PlgHfNames names, const PlgJsonValue **value);
/* Reads a number. NUMBER keeps its value if the member is missing or null and the model's class
 * has no default. */
gboolean plg_hf_get_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* Reads a number like plg_hf_get_int(), but fails if the file lacks the number and the model's
 * class has no default. */
gboolean
plg_hf_require_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* Reads a boolean. TRUTH keeps its value if the member is missing. */
gboolean
plg_hf_get_boolean (PlgHfConfig *config, const char *name, gboolean *truth, PlgHfSource *word);

/* Sets KEY to NUMBER. If NUMBER is a default of the model's class, marks KEY as inferred. Errors
 * name the member. */
gboolean plg_hf_set_int (PlgHfConfig *config, PlgHfSource word, const char *key, gint64 number);
/* Sets KEY to NUMBER and marks KEY as inferred from a member or from its absence. WHY is the
 * reason that the note gives. */
gboolean plg_hf_infer_int (PlgHfConfig *config,
                           PlgHfSource word,
                           const char *key,
                           gint64 number,
                           const char *why);
/* Reads a required dimension, stores it in NUMBER and sets KEY to it. */
gboolean plg_hf_read_int (PlgHfConfig *config, PlgHfNames names, const char *key, gint64 *number);

G_END_DECLS
