/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/xml-text.h"

/* Escapes TEXT for an attribute or an element. Without escapes, line breaks and tabs in an
 * attribute would become spaces, and a carriage return anywhere would become a line feed. */
void
plg_xml_append_text (GString *out, const char *text, gboolean attribute)
{
  for (; *text != '\0'; text++)
    switch (*text)
      {
      case '&':
        g_string_append (out, "&amp;");
        break;
      case '<':
        g_string_append (out, "&lt;");
        break;
      case '>':
        g_string_append (out, "&gt;");
        break;
      case '"':
        g_string_append (out, attribute ? "&quot;" : "\"");
        break;
      case '\'':
        g_string_append (out, attribute ? "&apos;" : "'");
        break;
      case '\n':
      case '\t':
        if (!attribute)
          {
            g_string_append_c (out, *text);
            break;
          }
        G_GNUC_FALLTHROUGH;
      case '\r':
        g_string_append_printf (out, "&#%d;", *text);
        break;
      default:
        g_string_append_c (out, *text);
      }
}

char *
plg_xml_replace_controls (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      gboolean control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
      g_string_append_unichar (out, control || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c);
    }
  return g_string_free (out, FALSE);
}

char *
plg_xml_replace_bidi (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      gboolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);

      g_string_append_unichar (out, turns ? 0xFFFD : c);
    }
  return g_string_free (out, FALSE);
}
