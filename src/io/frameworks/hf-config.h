/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/json-reader.h"
#include "io/frameworks/model-type.h"

G_BEGIN_DECLS

/* The members of a config.json, which different types of models call by different names. */

#define PLG_HF_MAX_ALIASES 6

/* What a member is called: the first is today's name, the others those of older types. */
typedef const char *const PlgHfNames[PLG_HF_MAX_ALIASES];

/* The width of the MLP, which is that of an expert where the file has no other. */
extern PlgHfNames plg_hf_names_ffn;

/* How the file says something: by which of the names, today's where it does not, and in which line;
 * 0: it does not. What the class of a model inside another takes for what is left out is said by
 * the line where that model begins. */
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
  const PlgJsonValue *block; /* the root, or the part of it that reads text */
  PlgModelType kind;
  const char *type; /* that a model inside another says; NULL: it is none, or says none */
  gboolean known;   /* the kind is of the table */
  GHashTable *used; /* of PlgJsonValue: what something was made of */
  gint64 layers, hidden, heads;
  GError **error;
} PlgHfConfig;

/* *VALUE is the member of any of the NAMES, or NULL. Two that differ are an error. */
gboolean plg_hf_find (PlgHfConfig *config, PlgHfNames names, const PlgJsonValue **value);
/* *NUMBER stays as it is where the file does not say it, or null, and its class has no default. */
gboolean plg_hf_get_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* That is an error. */
gboolean
plg_hf_require_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word);
/* A switch; as plg_hf_get_int(). */
gboolean
plg_hf_get_boolean (PlgHfConfig *config, const char *name, gboolean *truth, PlgHfSource *word);

/* The setting KEY becomes NUMBER, as WORD says, which an error speaks of. A default is inferred. */
gboolean plg_hf_set_int (PlgHfConfig *config, PlgHfSource word, const char *key, gint64 number);
/* What follows from WORD, or from its being left out. */
gboolean plg_hf_infer_int (PlgHfConfig *config,
                           PlgHfSource word,
                           const char *key,
                           gint64 number,
                           const char *why);
/* A dimension that most files have, which is KEY. */
gboolean plg_hf_read_int (PlgHfConfig *config, PlgHfNames names, const char *key, gint64 *number);

G_END_DECLS
