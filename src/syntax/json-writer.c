/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/json-writer.h"

#include "syntax/number-text.h"

#include <math.h>
#include <string.h>

static void
new_line (PlgJsonWriter *json)
{
  static const char spaces[2 * PLG_JSON_WRITER_DEPTH + 1] = "                ";

  g_string_append_c (json->out, '\n');
  g_string_append_len (json->out, spaces, 2 * json->depth);
}

static void
append_string (PlgJsonWriter *json, const char *text)
{
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);
  const char *rest = valid != NULL ? valid : text;

  g_string_append_c (json->out, '"');
  while (TRUE)
    {
      gssize n = 0;

      while ((guchar) rest[n] >= 0x20 && rest[n] != '"' && rest[n] != '\\')
        n++;
      g_string_append_len (json->out, rest, n);
      rest += n;
      if (*rest == '\0')
        break;
      g_string_append_printf (json->out, (guchar) *rest < 0x20 ? "\\u%04x" : "\\%c",
                              (guchar) *rest);
      rest++;
    }
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
      g_string_append_c (json->out, '"');
      g_string_append (json->out, name);
      g_string_append (json->out, "\": ");
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

/* Returns the text of a finite VALUE. Large reports repeat a few numbers many times, and the
 * shortest exact text takes a microsecond, so the writer keeps the texts of some numbers. */
static const char *
format_number (PlgJsonWriter *json, double value)
{
  guint64 bits;
  PlgJsonNumber *number;

  memcpy (&bits, &value, sizeof bits);
  number = &json->numbers[(bits * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 56];
  if (*number->text == '\0' || number->bits != bits)
    {
      g_autofree char *text = plg_format_exact (value);

      g_assert (strlen (text) < sizeof number->text);
      number->bits = bits;
      strcpy (number->text, text);
    }
  return number->text;
}

/* Appends a whole number from 0 to 999 999 999. */
static void
append_whole (GString *out, int value)
{
  char digits[9];
  int n = 0;

  do
    digits[n++] = (char) ('0' + value % 10);
  while ((value /= 10) > 0);
  while (n > 0)
    g_string_append_c (out, digits[--n]);
}

/* Adds a number. Writes null for NaN and infinity, because JSON cannot express them. */
void
plg_json_add_number (PlgJsonWriter *json, const char *name, double value)
{
  begin_value (json, name);
  if (value >= 0.0 && value < 1e9 && value == (int) value && !signbit (value))
    append_whole (json->out, (int) value);
  else
    g_string_append (json->out, isfinite (value) ? format_number (json, value) : "null");
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
