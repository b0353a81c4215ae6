/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-attention.h"

#include <glib/gi18n-lib.h>

/* Returns TRUE if the JSON member VALUE restricts the attention of some layers to a part of the
 * sequence. */
static gboolean
limits_attention (const PlgJsonValue *block, const PlgJsonValue *value)
{
  const PlgJsonValue *window_switch = plg_json_find (block, "use_sliding_window");

  if (value->kind == PLG_JSON_ARRAY)
    {
      for (const PlgJsonValue *layer = plg_json_first (value); layer != NULL;
           layer = plg_json_next (layer))
        if (layer->kind == PLG_JSON_STRING ? !g_str_equal (layer->text, "full_attention")
                                           : layer->kind == PLG_JSON_NUMBER && layer->number == 0.0)
          return TRUE;
      return FALSE;
    }
  if (g_str_equal (value->name, "sliding_window") && window_switch != NULL &&
      window_switch->number == 0.0)
    return FALSE;
  return value->kind == PLG_JSON_NUMBER && value->number > 1.0;
}

void
plg_hf_note_attention (PlgImportContext *context, const PlgJsonValue *block, GHashTable *used)
{
  static const char *const names[] = { "layer_types", "attn_type_list", "full_attention_interval",
                                       "sliding_window", "attention_chunk_size" };
  g_autoptr (GString) members = g_string_new (NULL);
  int line = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgJsonValue *value = plg_json_find (block, names[i]);

      if (value == NULL || !limits_attention (block, value))
        continue;
      g_hash_table_add (used, (gpointer) value);
      g_string_append_printf (members, "%s%s", members->len > 0 ? ", " : "", names[i]);
      line = line > 0 ? line : value->line;
    }
  if (members->len > 0)
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     _ ("%s: some layers do not attend to the whole sequence. A plan counts full "
                        "attention in all layers and so overestimates the cost of long sequences."),
                     members->str);
}
