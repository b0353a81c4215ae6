/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-private.h"

#include <string.h>

/* The result of reading a script: words and variables. */

static void
word_free (PlgScannerWord *word)
{
  g_free (word->text);
  g_free (word->unknown);
  g_free (word);
}

/* Adds the characters FROM to TO of FIELD to TEXT as one word. Removes quotes that enclose the
 * word, as a shell does when it evaluates the command line again. */
static void
emit (PlgScannerScript *text, const PlgScannerField *field, guint from, guint to)
{
  PlgScannerWord *word = g_new0 (PlgScannerWord, 1);
  const char *start = field->text->str;
  gboolean quoted = to > from + 1 && strchr ("'\"", start[from]) != NULL &&
                    start[to - 1] == start[from];

  word->text = g_strndup (start + from + quoted, to - from - 2 * quoted);
  word->line = plg_scanner_field_line (field, from);
  if (field->unknown != NULL && strstr (word->text, field->unknown) != NULL)
    word->unknown = g_strdup (field->unknown);
  g_ptr_array_add (text->words, word);
}

gboolean
plg_scanner_has_options (const char *text)
{
  for (const char *p = strstr (text, "--"); p != NULL; p = strstr (p + 2, "--"))
    if ((p == text || g_ascii_isspace (p[-1])) && g_ascii_isalpha (p[2]))
      return TRUE;
  return FALSE;
}

void
plg_scanner_add_words (PlgScannerScript *text, const PlgScannerField *field)
{
  if (strpbrk (field->text->str, " \t\n") != NULL && plg_scanner_has_options (field->text->str))
    {
      const char *start = field->text->str;
      guint from = 0;

      for (guint i = 0; i <= field->text->len; i++)
        if (start[i] == '\0' || g_ascii_isspace (start[i]))
          {
            if (i > from)
              emit (text, field, from, i);
            from = i + 1;
          }
    }
  else
    emit (text, field, 0, (guint) field->text->len);
}

/* Adds the words of each variable that contains options but is never used in the script, because
 * such options are also meant for a program. */
void
plg_scanner_add_unused_variables (PlgScannerScript *text)
{
  for (guint i = 0; i < text->names->len; i++)
    {
      const PlgScannerVariable *variable = g_hash_table_lookup (text->variables,
                                                                text->names->pdata[i]);
      gboolean wanted = FALSE;

      for (guint j = 0; j < variable->fields->len && !variable->used; j++)
        wanted |= plg_scanner_has_options (((const PlgScannerField *) variable->fields->pdata[j])
                                               ->text->str);
      for (guint j = 0; j < variable->fields->len && wanted; j++)
        plg_scanner_add_words (text, variable->fields->pdata[j]);
    }
}

PlgScannerScript *
plg_scanner_script_new (void)
{
  PlgScannerScript *text = g_new0 (PlgScannerScript, 1);

  text->words = g_ptr_array_new_with_free_func ((GDestroyNotify) word_free);
  text->names = g_ptr_array_new_with_free_func (g_free);
  text->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                           (GDestroyNotify) plg_scanner_variable_free);
  text->doubts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return text;
}

void
plg_scanner_script_free (PlgScannerScript *text)
{
  g_clear_pointer (&text->words, g_ptr_array_unref);
  g_clear_pointer (&text->names, g_ptr_array_unref);
  g_clear_pointer (&text->variables, g_hash_table_unref);
  g_clear_pointer (&text->doubts, g_hash_table_unref);
  g_free (text);
}

const PlgScannerWord *
plg_scanner_script_get_variable (PlgScannerScript *text, const char *name)
{
  PlgScannerVariable *variable = g_hash_table_lookup (text->variables, name);
  const PlgScannerField *field;

  plg_scanner_script_use_variable (text, name);
  if (variable == NULL || variable->array || variable->fields->len == 0)
    return NULL;
  field = variable->fields->pdata[0];
  variable->word = (PlgScannerWord) { field->text->str, plg_scanner_field_line (field, 0),
                                      field->unknown };
  return &variable->word;
}
