/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/options.h"

#include "io/import/format.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* maximum number of unused options that a note lists; for the remaining options, the note gives
 * only their number */
#define SHOWN_OPTIONS 10
/* longer wrong values are cut in messages */
#define SHOWN_CHARACTERS 40

static void
option_free (PlgOption *option)
{
  g_free (option->shown);
  g_free (option->value);
  g_free (option->more);
  g_free (option->unknown);
  g_clear_pointer (&option->earlier, g_ptr_array_unref);
  g_free (option);
}

void
plg_options_init (PlgOptions *options, PlgImportContext *context)
{
  options->context = context;
  options->all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) option_free);
  options->names = g_ptr_array_new ();
}

void
plg_options_clear (PlgOptions *options)
{
  g_clear_pointer (&options->all, g_hash_table_unref);
  g_clear_pointer (&options->names, g_ptr_array_unref);
}

static void
note_repeated (const PlgOptions *options, const PlgOption *before, int line)
{
  g_autofree char *value = plg_text_excerpt (before->value != NULL ? before->value : "",
                                             SHOWN_CHARACTERS);

  plg_import_note (options->context, PLG_NOTE_IGNORED, before->line,
                   _ ("%s %s: line %d repeats this option, and the last value counts."),
                   before->shown, value, line);
}

PlgOption *
plg_options_add_as (PlgOptions *options,
                    const char *name,
                    const char *shown,
                    const char *value,
                    int line)
{
  char *wanted = g_strdelimit (g_ascii_strdown (name + strspn (name, "-"), -1), "_", '-');
  gpointer key = NULL, before = NULL;
  PlgOption *option = g_new0 (PlgOption, 1), *replaced;

  option->shown = g_strdup (shown);
  option->value = g_strdup (value);
  option->line = line;
  if (!g_hash_table_steal_extended (options->all, wanted, &key, &before))
    {
      g_ptr_array_add (options->names, wanted);
      g_hash_table_insert (options->all, wanted, option);
      return option;
    }

  /* Keep the earlier option if its path differs from the new option's: if the importer reads the
   * new option, plg_options_find() adds a note on the earlier one. */
  replaced = before;
  option->earlier = g_steal_pointer (&replaced->earlier);
  if (!g_str_equal (replaced->shown, option->shown))
    {
      if (option->earlier == NULL)
        option->earlier = g_ptr_array_new_with_free_func ((GDestroyNotify) option_free);
      g_ptr_array_add (option->earlier, replaced);
    }
  else
    {
      if (g_strcmp0 (replaced->value, option->value) != 0)
        note_repeated (options, replaced, option->line);
      option_free (replaced);
    }
  g_hash_table_insert (options->all, key, option);
  g_free (wanted);
  return option;
}

PlgOption *
plg_options_add (PlgOptions *options, const char *shown, const char *value, int line)
{
  return plg_options_add_as (options, shown, shown, value, line);
}

static void
note_open (const PlgOptions *options, const PlgOption *option)
{
  g_autofree char *shown = plg_text_excerpt (option->value, SHOWN_CHARACTERS);

  plg_import_note (options->context, PLG_NOTE_IGNORED, option->line,
                   _ ("%s is “%s”, which cannot be resolved from this file, so the plan keeps "
                      "its value."),
                   option->shown, shown);
}

const PlgOption *
plg_options_find (PlgOptions *options, const char *name)
{
  PlgOption *option = g_hash_table_lookup (options->all, name);

  if (option == NULL)
    return NULL;
  option->used = TRUE;

  /* Add notes for earlier values of a repeated option, because only the last value is used. */
  for (guint i = 0; option->earlier != NULL && i < option->earlier->len; i++)
    {
      const PlgOption *earlier = option->earlier->pdata[i];

      if (g_strcmp0 (earlier->value, option->value) != 0)
        note_repeated (options, earlier, option->line);
    }
  g_clear_pointer (&option->earlier, g_ptr_array_unref);

  if (!option->open)
    return option;
  note_open (options, option);
  return NULL;
}

static gboolean
fail_quoted (const PlgImportContext *context,
             const PlgOption *option,
             const char *shown,
             GError **error)
{
  return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is the text \"%s\"; write it without quotes."), option->shown,
                          shown);
}

gboolean
plg_options_get_number (PlgOptions *options, const PlgOption *option, gint64 *value, GError **error)
{
  const PlgImportContext *context = options->context;
  g_autoptr (GError) reason = NULL;
  g_autofree char *shown = NULL;

  if (option->value == NULL)
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s needs a value after it."), option->shown);
  shown = plg_text_excerpt (option->value, SHOWN_CHARACTERS);
  if (option->unknown != NULL)
    {
      note_open (options, option);
      return TRUE;
    }
  if (option->quoted)
    return fail_quoted (context, option, shown, error);
  if (g_ascii_string_to_signed (option->value, 10, G_MININT64, G_MAXINT64, value, &reason))
    return TRUE;
  if (g_error_matches (reason, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS))
    return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s is “%s”; it must be a whole number of at most 15 digits."),
                            option->shown, shown);
  return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is “%s”; it must be a whole number."), option->shown, shown);
}

gboolean
plg_options_check_blocks (PlgOptions *options, const char *const *names, GError **error)
{
  for (int i = 0; names[i] != NULL; i++)
    {
      const PlgOption *option = g_hash_table_lookup (options->all, names[i]);
      g_autofree char *shown = option != NULL && option->value != NULL
                                   ? plg_text_excerpt (option->value, SHOWN_CHARACTERS)
                                   : NULL;

      if (shown != NULL)
        return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("%s is “%s”; it must be a block of names and values in { }."),
                                option->shown, shown);
    }
  return TRUE;
}

gboolean
plg_options_check_lists (const PlgOptions *options, GError **error)
{
  for (guint i = 0; i < options->names->len; i++)
    {
      const PlgOption *option = g_hash_table_lookup (options->all, options->names->pdata[i]);

      if (option->list && option->used)
        return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("%s is a list; it must be a single value."), option->shown);
    }
  return TRUE;
}

gboolean
plg_options_set (PlgOptions *options, const PlgOption *option, const char *key, GError **error)
{
  gint64 value = 0;

  if (!plg_options_get_number (options, option, &value, error))
    return FALSE;
  return option->unknown != NULL ||
         plg_import_set_int (options->context, option->line, key, value, error) ||
         plg_import_error_rename (option->line, key, option->shown, error);
}

gboolean
plg_options_set_real (PlgOptions *options, const PlgOption *option, const char *key, GError **error)
{
  if (option->value == NULL || option->unknown != NULL)
    return plg_options_set (options, option, key, error);
  return plg_import_set (options->context, option->line, key, option->value, error) ||
         plg_import_error_rename (option->line, key, option->shown, error);
}

gboolean
plg_options_get_boolean (PlgOptions *options,
                         const PlgOption *option,
                         gboolean *truth,
                         GError **error)
{
  const char *value = option->value != NULL ? option->value : "";
  g_autofree char *shown = plg_text_excerpt (value, SHOWN_CHARACTERS);

  if (option->quoted)
    return fail_quoted (options->context, option, shown, error);
  *truth = g_ascii_strcasecmp (value, "true") == 0;
  return *truth || g_ascii_strcasecmp (value, "false") == 0 ||
         plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is “%s”; it must be true or false."), option->shown, shown);
}

gboolean
plg_options_set_boolean (PlgOptions *options,
                         const PlgOption *option,
                         const char *key,
                         GError **error)
{
  gboolean truth;

  return plg_options_get_boolean (options, option, &truth, error) &&
         plg_import_set (options->context, option->line, key, truth ? "true" : "false", error);
}

gboolean
plg_options_set_choice (PlgOptions *options,
                        const PlgOption *option,
                        const char *key,
                        const char *const (*pairs)[2],
                        guint n,
                        GError **error)
{
  const char *value = option->value != NULL ? option->value : "";
  g_autofree char *shown = plg_text_excerpt (value, SHOWN_CHARACTERS);
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      if (g_ascii_strcasecmp (value, pairs[i][0]) == 0)
        return plg_import_set (options->context, option->line, key, pairs[i][1], error);
      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", pairs[i][0]);
    }
  return plg_format_fail (option->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("%s is “%s”; it must be one of: %s."), option->shown, shown,
                          words->str);
}

gboolean
plg_options_set_default (PlgOptions *options,
                         const char *key,
                         const char *value,
                         const char *why,
                         GError **error)
{
  g_autofree char *now = plg_setting_get (plg_setting_find (key), options->context->plan);

  return g_str_equal (now, value) || plg_import_infer (options->context, 0, key, value, why, error);
}

gboolean
plg_options_set_or_infer (PlgOptions *options,
                          const PlgOption *option,
                          const char *key,
                          const char *value,
                          const char *why,
                          GError **error)
{
  return option != NULL ? plg_options_set (options, option, key, error)
                        : plg_import_infer (options->context, 0, key, value, why, error);
}

gboolean
plg_options_run (PlgOptions *options, const PlgOptionsReader *readers, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!readers[i](options, error))
      return FALSE;
  plg_options_note_unused (options);
  return TRUE;
}

static void
add_members (PlgOptions *options, const PlgJsonValue *object, const char *path)
{
  for (const PlgJsonValue *value = plg_json_first (object); value != NULL;
       value = plg_json_next (value))
    {
      g_autofree char *shown = *path != '\0' ? g_strconcat (path, ".", value->name, NULL)
                                             : g_strdup (value->name);
      g_autofree char *described = plg_json_describe (value);
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      if (value->kind == PLG_JSON_OBJECT)
        add_members (options, value, shown);
      else if (value->kind != PLG_JSON_NULL)
        plg_options_add (options, shown,
                         value->kind == PLG_JSON_STRING ? value->text
                         : value->kind == PLG_JSON_BOOLEAN
                             ? (value->number != 0.0 ? "true" : "false")
                         : value->kind == PLG_JSON_NUMBER
                             ? g_ascii_formatd (digits, sizeof digits, "%.16g", value->number)
                             : described,
                         value->line);
    }
}

void
plg_options_add_json (PlgOptions *options, const PlgJson *json)
{
  if (plg_json_root (json)->kind == PLG_JSON_OBJECT)
    add_members (options, plg_json_root (json), "");
}

gint64
plg_options_get_current (const PlgOptions *options, const char *key)
{
  const char *value = plg_import_get (options->context, key);

  if (value != NULL)
    return g_ascii_strtoll (value, NULL, 10);
  return (gint64) plg_setting_get_number (plg_setting_find (key), options->context->plan);
}

/* Returns the names of unused options, separated by commas (transfer full). If OFFLOAD is TRUE,
 * these are the options that move data off the GPUs, such as "--optimizer-cpu-offload" or
 * "zero_optimization.offload_param.device": "nvme"; if FALSE, all other options. Names at most
 * SHOWN_OPTIONS options, but sets *N to the number of all of them. Sets *LINE to the line of the
 * first one. */
static char *
list_unused (const PlgOptions *options, gboolean offload, int *n, int *line)
{
  static const char *const none[] = { "false", "False", "none", "None", "0", "0.0", "", NULL };
  GString *names = g_string_new (NULL);

  *n = *line = 0;
  for (guint i = 0; i < options->names->len; i++)
    {
      const char *name = options->names->pdata[i], *last = strrchr (name, '.');
      const PlgOption *option = g_hash_table_lookup (options->all, name);
      guint earlier = option->earlier != NULL ? option->earlier->len : 0;
      gboolean is_offload;

      last = last != NULL ? last + 1 : name;
      is_offload = strstr (name, "offload") != NULL && !option->off &&
                   (strstr (last, "offload") != NULL || g_str_equal (last, "device")) &&
                   (option->value == NULL || !g_strv_contains (none, option->value));
      if (option->used || is_offload != offload)
        continue;
      for (guint j = 0; j <= earlier; j++)
        {
          const PlgOption *unused = j < earlier ? option->earlier->pdata[j] : option;
          g_autofree char *shown = plg_text_excerpt (unused->shown, SHOWN_CHARACTERS);

          *line = *n == 0 ? unused->line : *line;
          if ((*n)++ < SHOWN_OPTIONS)
            g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", shown);
        }
    }
  return g_string_free (names, FALSE);
}

void
plg_options_note_unused (const PlgOptions *options)
{
  int n, line;
  g_autofree char *offloads = list_unused (options, TRUE, &n, &line);
  g_autofree char *names = NULL;

  if (n > 0)
    plg_import_note (options->context, PLG_NOTE_IGNORED, line,
                     _ ("%s: a plan keeps this data on the GPUs, so it counts more GPU memory "
                        "than a run with offloading needs."),
                     offloads);
  names = list_unused (options, FALSE, &n, &line);
  if (n > SHOWN_OPTIONS)
    plg_import_note (options->context, PLG_NOTE_IGNORED, line,
                     _ ("Not part of a plan: %s, and %d more."), names, n - SHOWN_OPTIONS);
  else if (n > 0)
    plg_import_note (options->context, PLG_NOTE_IGNORED, line, _ ("Not part of a plan: %s."),
                     names);
}
