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

/* The names of the MLP's width, which is also the width of an expert if the file has no separate
 * one. */
extern PlgHfNames plg_hf_names_ffn;

/* The source of a value: the name and the line of a member. If the member is missing, the name
 * is the current one and the line is 0. A default from a nested model's class has the line where
 * the nested model begins. */
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
  const PlgJsonValue *block; /* the model: the root, or the text model inside the root */
  PlgModelType kind;
  const char *type; /* the model_type of a nested model; NULL if the nested model has no type or
                       the model is not nested */
  gboolean known;   /* whether the model's type is in the table of types */
  GHashTable *used; /* PlgJsonValue: the members that were read */
  gint64 layers, hidden, heads;
  GError **error;
} PlgHfConfig;

/* Finds the member by any of its names, or sets VALUE to NULL. Fails if two of the names have
 * different values. */
gboolean plg_hf_find (PlgHfConfig *config, PlgHfNames names, const PlgJsonValue **value);
/* Reads a number. NUMBER keeps its value if the member is missing or null and the class has no
 * default. */
gboolean plg_hf_get_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* Reads a number like plg_hf_get_int(), but fails if the number is neither in the file nor a
 * default. */
gboolean
plg_hf_require_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* Reads a boolean. TRUTH keeps its value if the member is missing. */
gboolean
plg_hf_get_boolean (PlgHfConfig *config, const char *name, gboolean *truth, PlgHfSource *word);

/* Sets KEY to a number from the file, or infers KEY if the number is the default of a class.
 * Errors name the member. */
gboolean plg_hf_set_int (PlgHfConfig *config, PlgHfSource word, const char *key, gint64 number);
/* Infers KEY = NUMBER from a member or from its absence. WHY is the reason. */
gboolean plg_hf_infer_int (PlgHfConfig *config,
                           PlgHfSource word,
                           const char *key,
                           gint64 number,
                           const char *why);
/* Reads a required dimension into KEY. */
gboolean plg_hf_read_int (PlgHfConfig *config, PlgHfNames names, const char *key, gint64 *number);

G_END_DECLS
