/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-private.h"

#include <glib/gi18n-lib.h>

#define MAX_VARIABLES (1 << 14) /* maximum number of variables; real scripts have fewer */

void
plg_scanner_variable_free (PlgScannerVariable *variable)
{
  g_clear_pointer (&variable->fields, g_ptr_array_unref);
  g_free (variable);
}

PlgScannerVariable *
plg_scanner_find_variable (const PlgOptionScanner *scanner, const char *name)
{
  return g_hash_table_lookup (scanner->text->variables, name);
}

/* Returns the variable NAME, creating it if necessary. Returns NULL with ERROR if there are too
 * many variables. */
static PlgScannerVariable *
ensure_variable (PlgOptionScanner *scanner, const char *name, GError **error)
{
  PlgScannerScript *text = scanner->text;
  PlgScannerVariable *variable = plg_scanner_find_variable (scanner, name);

  if (variable != NULL)
    return variable;
  if (text->names->len >= MAX_VARIABLES)
    {
      plg_format_fail (scanner->line, PLG_FORMAT_ERROR_UNSAFE, error,
                       _ ("The script sets more than %d variables, so it was not read."),
                       MAX_VARIABLES);
      return NULL;
    }
  variable = g_new0 (PlgScannerVariable, 1);
  g_ptr_array_add (text->names, g_strdup (name));
  g_hash_table_insert (text->variables, g_strdup (name), variable);
  return variable;
}

gboolean
plg_scanner_set_variable (PlgOptionScanner *scanner,
                          const char *name,
                          GPtrArray *fields,
                          gboolean array,
                          gboolean adds,
                          GError **error)
{
  PlgScannerTruth runs = plg_scanner_flow_is_executed (scanner->flow);
  PlgScannerVariable *variable = runs == PLG_SCANNER_FALSE ? NULL
                                                           : ensure_variable (scanner, name, error);

  if (variable == NULL)
    {
      g_ptr_array_unref (fields);
      return runs == PLG_SCANNER_FALSE;
    }
  if (runs == PLG_SCANNER_UNKNOWN && scanner->text->choice == 0)
    scanner->text->choice = scanner->line;
  if (runs == PLG_SCANNER_TRUE && !adds)
    g_hash_table_remove (scanner->text->doubts, name);
  if (scanner->replaced->len > 0)
    {
      /* Save the old value of VARIABLE, because it is restored at the end of the subshell. */
      PlgScannerSavedVariable *replaced = g_new0 (PlgScannerSavedVariable, 1);

      replaced->name = g_strdup (name);
      replaced->added = adds && variable->fields != NULL;
      replaced->length = replaced->added ? variable->fields->len : 0;
      replaced->variable.array = variable->array;
      replaced->variable.used = variable->used;
      if (!replaced->added)
        replaced->variable.fields = g_steal_pointer (&variable->fields);
      g_ptr_array_add (scanner->replaced, replaced);
    }
  if (adds && variable->fields != NULL)
    g_ptr_array_extend_and_steal (variable->fields, fields);
  else
    {
      g_clear_pointer (&variable->fields, g_ptr_array_unref);
      variable->fields = fields;
    }
  variable->array = array || (adds && variable->array);
  variable->used = FALSE;
  return TRUE;
}

/* Subshells */

void
plg_scanner_saved_variable_free (PlgScannerSavedVariable *replaced)
{
  g_clear_pointer (&replaced->variable.fields, g_ptr_array_unref);
  g_free (replaced->name);
  g_free (replaced);
}

void
plg_scanner_begin_subshell (PlgOptionScanner *scanner)
{
  g_ptr_array_add (scanner->replaced, g_new0 (PlgScannerSavedVariable, 1));
}

/* Undoes the assignments of the subshell. Starts with the last one, because the subshell may set
 * a variable several times. */
void
plg_scanner_end_subshell (PlgOptionScanner *scanner)
{
  gboolean began = FALSE;

  while (!began && scanner->replaced->len > 0)
    {
      PlgScannerSavedVariable *replaced = scanner->replaced->pdata[scanner->replaced->len - 1];

      began = replaced->name == NULL;
      if (!began)
        {
          /* A variable that the subshell created is the last one in the script's list of
           * variables. Truncate the list to remove it. */
          PlgScannerScript *text = scanner->text;
          PlgScannerVariable *variable = g_hash_table_lookup (text->variables, replaced->name);

          if (!replaced->added && replaced->variable.fields == NULL)
            {
              g_hash_table_remove (text->variables, replaced->name);
              g_ptr_array_set_size (text->names, (int) text->names->len - 1);
            }
          else
            {
              if (replaced->added)
                g_ptr_array_set_size (variable->fields, (int) replaced->length);
              else
                {
                  g_ptr_array_unref (variable->fields);
                  variable->fields = g_steal_pointer (&replaced->variable.fields);
                }
              variable->array = replaced->variable.array;
              variable->used = replaced->variable.used;
            }
        }
      g_ptr_array_set_size (scanner->replaced, (int) scanner->replaced->len - 1);
    }
}
