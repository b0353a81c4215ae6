/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "syntax/json-reader.h"
#include "io/frameworks/model-type.h"

G_BEGIN_DECLS

/* Reads the members of a config.json, whose names differ between types of models. */

#define PLG_HF_MAX_ALIASES 6

/* The names of a member: today's name, then those of older types. */
typedef const char *const PlgHfNames[PLG_HF_MAX_ALIASES];

/* The width of the MLP; also that of an expert if the file has no other. */
extern PlgHfNames plg_hf_names_ffn;

/* The place of a value in the file: the name of the member (today's if it is missing) and its
 * line (0 if it is missing). A default of a nested model's class has the line where that model
 * begins. */
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
  const PlgJsonValue *block; /* the root, or the text model in it */
  PlgModelType kind;
  const char *type; /* the type of a nested model; NULL if it has none or the model is not nested */
  gboolean known;   /* the table of types has this type */
  GHashTable *used; /* PlgJsonValue: the members that were read */
  gint64 layers, hidden, heads;
  GError **error;
} PlgHfConfig;

/* Finds the member by any of its names, or NULL. Two members that differ are an error. */
gboolean plg_hf_find (PlgHfConfig *config, PlgHfNames names, const PlgJsonValue **value);
/* Reads a number. The number stays as it is if the member is missing or null and the class has no
 * default. */
gboolean plg_hf_get_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* Reads a number like plg_hf_get_int(); a missing member is an error. */
gboolean
plg_hf_require_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* Reads a boolean like plg_hf_get_int(). */
gboolean
plg_hf_get_boolean (PlgHfConfig *config, const char *name, gboolean *truth, PlgHfSource *word);

/* Sets KEY to a number of the file. Errors name the member, and a default is inferred. */
gboolean plg_hf_set_int (PlgHfConfig *config, PlgHfSource word, const char *key, gint64 number);
/* Infers KEY from a member or from its absence. */
gboolean plg_hf_infer_int (PlgHfConfig *config,
                           PlgHfSource word,
                           const char *key,
                           gint64 number,
                           const char *why);
/* Reads a required dimension into KEY. */
gboolean plg_hf_read_int (PlgHfConfig *config, PlgHfNames names, const char *key, gint64 *number);

G_END_DECLS
