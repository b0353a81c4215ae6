/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-config.h"

#include "io/frameworks/hf-defaults.h"

#include <glib/gi18n-lib.h>

PlgHfNames plg_hf_names_ffn = { "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size" };

gboolean
plg_hf_find (PlgHfConfig *config, PlgHfNames names, const PlgJsonValue **found)
{
  *found = NULL;
  for (int i = 0; i < PLG_HF_MAX_ALIASES && names[i] != NULL; i++)
    {
      const PlgJsonValue *value = plg_json_find (config->block, names[i]);

      if (value == NULL)
        continue;
      g_hash_table_add (config->used, (gpointer) value);
      if (*found != NULL && (*found)->number != value->number)
        return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                                _ ("%s contradicts %s on line %d; remove one."), value->name,
                                (*found)->name, (*found)->line);
      *found = *found != NULL ? *found : value;
    }
  return TRUE;
}

static PlgHfSource
make_source (const PlgJsonValue *value, const char *name)
{
  return value != NULL ? (PlgHfSource) { .name = value->name, .line = value->line }
                       : (PlgHfSource) { .name = name };
}

gboolean
plg_hf_get_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word)
{
  const PlgJsonValue *value;

  if (!plg_hf_find (config, names, &value))
    return FALSE;
  *word = make_source (value, names[0]);
  if (value != NULL)
    return plg_json_as_int (value, number, config->error);
  /* If the member is missing, use the default of the nested model's class. If the member is
   * null, use no default, because the class then derives the value. */
  for (int i = 0; config->type != NULL && i < PLG_HF_MAX_ALIASES && names[i] != NULL; i++)
    {
      gint64 class_default = plg_hf_default (config->type, names[i]);
      gboolean is_null = FALSE;

      for (const PlgJsonValue *member = plg_json_first (config->block); member != NULL;
           member = plg_json_next (member))
        is_null = is_null ||
                  (member->kind == PLG_JSON_NULL && g_str_equal (member->name, names[i]));
      if (class_default == 0 || is_null)
        continue;
      *number = class_default;
      *word = (PlgHfSource) { names[i], config->block->line, TRUE };
      break;
    }
  return TRUE;
}

gboolean
plg_hf_require_int (PlgHfConfig *config, PlgHfNames names, gint64 *number, PlgHfSource *word)
{
  if (!plg_hf_get_int (config, names, number, word))
    return FALSE;
  if (word->line > 0)
    return TRUE;
  if (config->block == config->root)
    return plg_format_fail (config->block->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                            _ ("%s is missing; a plan needs it."), names[0]);
  return plg_format_fail (config->block->line, PLG_FORMAT_ERROR_CONTENT, config->error,
                          _ ("%s is missing, and transformers' default for this model type is "
                             "unknown. Add \"%s\" and its value to %s."),
                          names[0], names[0], config->block->name);
}

gboolean
plg_hf_get_boolean (PlgHfConfig *config, const char *name, gboolean *truth, PlgHfSource *word)
{
  const PlgJsonValue *value = plg_json_find (config->block, name);

  *word = make_source (value, name);
  if (value == NULL)
    return TRUE;
  g_hash_table_add (config->used, (gpointer) value);
  return plg_json_as_boolean (value, truth, config->error);
}

gboolean
plg_hf_set_int (PlgHfConfig *config, PlgHfSource word, const char *key, gint64 number)
{
  if (word.by_default)
    {
      g_autofree char *why = g_strdup_printf (_ ("Not in the file, so transformers' default for "
                                                 "%s is used."),
                                              config->type);

      return plg_hf_infer_int (config, word, key, number, why);
    }
  return plg_import_set_int (config->context, word.line, key, number, config->error) ||
         plg_import_error_rename (word.line, key, word.name, config->error);
}

gboolean
plg_hf_infer_int (PlgHfConfig *config,
                  PlgHfSource word,
                  const char *key,
                  gint64 number,
                  const char *why)
{
  g_autofree char *text = g_strdup_printf ("%lld", (long long) number);

  return plg_import_infer (config->context, word.line, key, text, why, config->error) ||
         plg_import_error_rename (word.line, key, word.name, config->error);
}

gboolean
plg_hf_read_int (PlgHfConfig *config, PlgHfNames names, const char *key, gint64 *number)
{
  PlgHfSource word;

  return plg_hf_require_int (config, names, number, &word) &&
         plg_hf_set_int (config, word, key, *number);
}
