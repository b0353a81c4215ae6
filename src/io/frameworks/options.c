/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/options.h"

#include "io/import/format.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_OPTIONS 10    /* the unused options in a note; the others are counted */
#define SHOWN_CHARACTERS 40 /* the shown part of a wrong value */

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
                   _ ("%s %s: line %d repeats it, and the last one counts."), before->shown, value,
                   line);
}

/* Replaces an earlier option (transfer full). An earlier option with another path is kept, and is
 * only noted when the importer reads the option. */
static void
replace_option (const PlgOptions *options, PlgOption *before, PlgOption *option)
{
  option->earlier = g_steal_pointer (&before->earlier);
  if (!g_str_equal (before->shown, option->shown))
    {
      if (option->earlier == NULL)
        option->earlier = g_ptr_array_new_with_free_func ((GDestroyNotify) option_free);
      g_ptr_array_add (option->earlier, before);
      return;
    }
  if (g_strcmp0 (before->value, option->value) != 0)
    note_repeated (options, before, option->line);
  option_free (before);
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
  PlgOption *option = g_new0 (PlgOption, 1);

  option->shown = g_strdup (shown);
  option->value = g_strdup (value);
  option->line = line;
  if (g_hash_table_steal_extended (options->all, wanted, &key, &before))
    {
      replace_option (options, before, option);
      g_free (wanted);
    }
  else
    g_ptr_array_add (options->names, key = wanted);
  g_hash_table_insert (options->all, key, option);
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
                   _ ("%s is “%s”, which this file does not resolve; it stays as it is."),
                   option->shown, shown);
}

const PlgOption *
plg_options_find (PlgOptions *options, const char *name)
{
  PlgOption *option = g_hash_table_lookup (options->all, name);

  if (option == NULL)
    return NULL;
  option->used = TRUE;

  /* Only the last of repeated options counts. */
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
                          _ ("%s is “%s”; a plan can have one of: %s."), option->shown, shown,
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

static char *
value_to_string (const PlgJsonValue *value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (value->kind == PLG_JSON_STRING)
    return g_strdup (value->text);
  if (value->kind == PLG_JSON_BOOLEAN)
    return g_strdup (value->number != 0.0 ? "true" : "false");
  if (value->kind == PLG_JSON_NUMBER)
    return g_strdup (g_ascii_formatd (digits, sizeof digits, "%.16g", value->number));
  return plg_json_describe (value);
}

static void
add_members (PlgOptions *options, const PlgJsonValue *object, const char *path)
{
  for (const PlgJsonValue *value = plg_json_first (object); value != NULL;
       value = plg_json_next (value))
    {
      g_autofree char *shown = *path != '\0' ? g_strconcat (path, ".", value->name, NULL)
                                             : g_strdup (value->name);
      g_autofree char *text = NULL;

      if (value->kind == PLG_JSON_OBJECT)
        add_members (options, value, shown);
      else if (value->kind != PLG_JSON_NULL)
        {
          text = value_to_string (value);
          plg_options_add (options, shown, text, value->line);
        }
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

/* Returns whether an option moves data to the memory of the host: "--optimizer-cpu-offload",
 * "zero_optimization.offload_param.device": "nvme". */
static gboolean
is_offload (const char *name, const PlgOption *option)
{
  static const char *const none[] = { "false", "False", "none", "None", "0", "0.0", "", NULL };
  const char *last = strrchr (name, '.');

  last = last != NULL ? last + 1 : name;
  return strstr (name, "offload") != NULL && !option->off &&
         (strstr (last, "offload") != NULL || g_str_equal (last, "device")) &&
         (option->value == NULL || !g_strv_contains (none, option->value));
}

/* The options that the importer did not read. */
typedef struct
{
  GString *names;
  int n;
  int line; /* the line of the first option */
} UnusedOptions;

static void
add_unused (UnusedOptions *unused, const PlgOption *option)
{
  g_autofree char *shown = plg_text_excerpt (option->shown, SHOWN_CHARACTERS);

  unused->line = unused->n == 0 ? option->line : unused->line;
  if (unused->n++ < SHOWN_OPTIONS)
    g_string_append_printf (unused->names, "%s%s", unused->n > 1 ? ", " : "", shown);
}

/* Lists the unused options that offload, or the others, with their number and first line (transfer
 * full). */
static char *
list_unused (const PlgOptions *options, gboolean offload, int *n, int *line)
{
  UnusedOptions unused = { .names = g_string_new (NULL) };

  for (guint i = 0; i < options->names->len; i++)
    {
      const char *name = options->names->pdata[i];
      const PlgOption *option = g_hash_table_lookup (options->all, name);

      if (option->used || is_offload (name, option) != offload)
        continue;
      for (guint j = 0; option->earlier != NULL && j < option->earlier->len; j++)
        add_unused (&unused, option->earlier->pdata[j]);
      add_unused (&unused, option);
    }
  *n = unused.n;
  *line = unused.line;
  return g_string_free (unused.names, FALSE);
}

void
plg_options_note_unused (const PlgOptions *options)
{
  int n, line;
  g_autofree char *offloads = list_unused (options, TRUE, &n, &line);
  g_autofree char *names = NULL;

  if (n > 0)
    plg_import_note (options->context, PLG_NOTE_IGNORED, line,
                     _ ("%s: a plan keeps everything on the GPUs, and so counts more memory."),
                     offloads);
  names = list_unused (options, FALSE, &n, &line);
  if (n > SHOWN_OPTIONS)
    plg_import_note (options->context, PLG_NOTE_IGNORED, line,
                     _ ("No part of a plan: %s, and %d more."), names, n - SHOWN_OPTIONS);
  else if (n > 0)
    plg_import_note (options->context, PLG_NOTE_IGNORED, line, _ ("No part of a plan: %s."), names);
}
