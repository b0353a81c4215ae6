/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/json-writer.h"

#include "syntax/number-text.h"

#include <math.h>

static void
new_line (PlgJsonWriter *json)
{
  g_string_append_printf (json->out, "\n%*s", 2 * json->depth, "");
}

static void
append_string (PlgJsonWriter *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json->out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (json->out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (json->out, "\\u%04x", (guchar) *p);
    else
      g_string_append_c (json->out, *p);
  g_string_append_c (json->out, '"');
}

/* Writes the text that precedes a value: a comma and a line break if they are needed, and NAME
 * if the value is in an object. */
static void
begin_value (PlgJsonWriter *json, const char *name)
{
  if (!json->empty[json->depth])
    g_string_append_c (json->out, ',');
  if (json->lines[json->depth])
    new_line (json);
  else if (!json->empty[json->depth])
    g_string_append_c (json->out, ' ');
  json->empty[json->depth] = FALSE;
  if (name != NULL)
    {
      append_string (json, name);
      g_string_append (json->out, ": ");
    }
}

void
plg_json_begin (PlgJsonWriter *json, const char *name, char bracket, gboolean lines)
{
  if (json->depth > 0)
    begin_value (json, name);
  g_string_append_c (json->out, bracket);
  json->depth++;
  g_assert (json->depth < PLG_JSON_WRITER_DEPTH);
  json->lines[json->depth] = lines;
  json->empty[json->depth] = TRUE;
}

void
plg_json_end (PlgJsonWriter *json, char bracket)
{
  gboolean break_line = json->lines[json->depth] && !json->empty[json->depth];

  json->depth--;
  if (break_line)
    new_line (json);
  g_string_append_c (json->out, bracket);
}

void
plg_json_add_string (PlgJsonWriter *json, const char *name, const char *value)
{
  begin_value (json, name);
  if (value != NULL)
    append_string (json, value);
  else
    g_string_append (json->out, "null");
}

/* Adds a number. Writes null for NaN and infinity, because JSON cannot express them. */
void
plg_json_add_number (PlgJsonWriter *json, const char *name, double value)
{
  g_autofree char *text = isfinite (value) ? plg_format_exact (value) : g_strdup ("null");

  begin_value (json, name);
  g_string_append (json->out, text);
}

void
plg_json_add_boolean (PlgJsonWriter *json, const char *name, gboolean value)
{
  begin_value (json, name);
  g_string_append (json->out, value ? "true" : "false");
}

char *
plg_json_take (PlgJsonWriter *json)
{
  g_assert (json->depth == 0);
  g_string_append_c (json->out, '\n');
  return g_string_free (g_steal_pointer (&json->out), FALSE);
}
