/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-attention.h"

#include <glib/gi18n-lib.h>

/* Whether one of the layers that LIST names is other than "full_attention" (1 where they have
 * numbers, as MiniMax's attn_type_list). */
static gboolean
has_others (const PlgJsonValue *list)
{
  for (const PlgJsonValue *layer = plg_json_first (list); layer != NULL;
       layer = plg_json_next (layer))
    if (layer->kind == PLG_JSON_STRING ? !g_str_equal (layer->text, "full_attention")
                                       : layer->kind == PLG_JSON_NUMBER && layer->number == 0.0)
      return TRUE;
  return FALSE;
}

/* Whether VALUE, of a member of that name, says so. */
static gboolean
says_so (const PlgJsonValue *block, const PlgJsonValue *value)
{
  const PlgJsonValue *switched = plg_json_find (block, "use_sliding_window");

  if (value->kind == PLG_JSON_ARRAY)
    return has_others (value);
  if (g_str_equal (value->name, "sliding_window") && switched != NULL && switched->number == 0.0)
    return FALSE;
  return value->kind == PLG_JSON_NUMBER && value->number > 1.0;
}

void
plg_hf_note_attention (PlgImportContext *context, const PlgJsonValue *block, GHashTable *used)
{
  static const char *const names[] = { "layer_types", "attn_type_list", "full_attention_interval",
                                       "sliding_window", "attention_chunk_size" };
  g_autoptr (GString) said = g_string_new (NULL);
  int line = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgJsonValue *value = plg_json_find (block, names[i]);

      if (value == NULL || !says_so (block, value))
        continue;
      g_hash_table_add (used, (gpointer) value);
      g_string_append_printf (said, "%s%s", said->len > 0 ? ", " : "", names[i]);
      line = line > 0 ? line : value->line;
    }
  if (said->len > 0)
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     _ ("%s: some layers do not attend to the whole sequence. A plan counts all "
                        "as if they did, which is too much where sequences are long."),
                     said->str);
}
