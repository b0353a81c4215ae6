/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/latex.h"

#include "drawing/export/markup.h"

#include <string.h>

#define MISSING "\\plgmissing"

static const struct
{
  char character;
  const char *command;
} specials[] = {
  { '\\', "\\textbackslash{}" },
  { '{', "\\{" },
  { '}', "\\}" },
  { '$', "\\$" },
  { '&', "\\&" },
  { '#', "\\#" },
  { '_', "\\_" },
  { '%', "\\%" },
  { '^', "\\textasciicircum{}" },
  { '~', "\\textasciitilde{}" },
  { '<', "\\textless{}" },
  { '>', "\\textgreater{}" },
  { '|', "\\textbar{}" },
  { '"', "\\char34{}" },
  { '\'', "{'}" },
  { '`', "{`}" },
  /* Put braces around each hyphen, because LaTeX would otherwise turn two hyphens into a dash. */
  { '-', "{-}" },
};

/* The LaTeX commands for characters outside ASCII. They use only the OT1 encoding and
 * mathematics, because TS1 fonts may be missing or may be bitmaps. */
static const struct
{
  gunichar character;
  const char *command;
} commands[] = {
  { 0x00a0, "~" },
  { 0x00ab, "\\ensuremath{\\ll}" },
  { 0x00b0, "\\ensuremath{^\\circ}" },
  { 0x00b1, "\\ensuremath{\\pm}" },
  { 0x00b2, "\\ensuremath{^2}" },
  { 0x00b3, "\\ensuremath{^3}" },
  { 0x00b5, "\\ensuremath{\\mu}" },
  { 0x00b7, "\\ensuremath{\\cdot}" },
  { 0x00b9, "\\ensuremath{^1}" },
  { 0x00bb, "\\ensuremath{\\gg}" },
  { 0x00bd, "\\ensuremath{\\frac12}" },
  { 0x00c6, "\\AE{}" },
  { 0x00d7, "\\ensuremath{\\times}" },
  { 0x00d8, "\\O{}" },
  { 0x00df, "\\ss{}" },
  { 0x00e6, "\\ae{}" },
  { 0x00f7, "\\ensuremath{\\div}" },
  { 0x00f8, "\\o{}" },
  { 0x0131, "\\i{}" },
  { 0x0141, "\\L{}" },
  { 0x0142, "\\l{}" },
  { 0x0152, "\\OE{}" },
  { 0x0153, "\\oe{}" },
  { 0x0394, "\\ensuremath{\\Delta}" },
  { 0x03a3, "\\ensuremath{\\Sigma}" },
  { 0x03bc, "\\ensuremath{\\mu}" },
  { 0x2009, "\\thinspace{}" },
  { 0x2013, "\\textendash{}" },
  { 0x2014, "\\textemdash{}" },
  { 0x2018, "\\textquoteleft{}" },
  { 0x2019, "\\textquoteright{}" },
  { 0x201c, "\\textquotedblleft{}" },
  { 0x201d, "\\textquotedblright{}" },
  /* OT1 has no low quotation marks, so two commas replace them. */
  { 0x201e, ",," },
  { 0x2022, "\\ensuremath{\\bullet}" },
  { 0x2026, "\\textellipsis{}" },
  { 0x202f, "\\thinspace{}" },
  { 0x2070, "\\ensuremath{^0}" },
  { 0x2074, "\\ensuremath{^4}" },
  { 0x2075, "\\ensuremath{^5}" },
  { 0x2076, "\\ensuremath{^6}" },
  { 0x2077, "\\ensuremath{^7}" },
  { 0x2078, "\\ensuremath{^8}" },
  { 0x2079, "\\ensuremath{^9}" },
  { 0x207b, "\\ensuremath{^-}" },
  { 0x2082, "\\ensuremath{_2}" },
  { 0x2190, "\\ensuremath{\\leftarrow}" },
  { 0x2191, "\\ensuremath{\\uparrow}" },
  { 0x2192, "\\ensuremath{\\rightarrow}" },
  { 0x2193, "\\ensuremath{\\downarrow}" },
  { 0x2194, "\\ensuremath{\\leftrightarrow}" },
  { 0x2212, "\\ensuremath{-}" },
  { 0x221e, "\\ensuremath{\\infty}" },
  { 0x2248, "\\ensuremath{\\approx}" },
  { 0x2264, "\\ensuremath{\\leq}" },
  { 0x2265, "\\ensuremath{\\geq}" },
  /* The check mark would need an additional font, so the radical sign, which looks similar,
   * replaces it. */
  { 0x2713, "\\ensuremath{\\surd}" },
};

/* The accents that OT1 can add to a letter. */
static const struct
{
  gunichar mark;
  char command;
} accents[] = {
  { 0x0300, '`' }, { 0x0301, '\'' }, { 0x0302, '^' }, { 0x0303, '~' }, { 0x0304, '=' },
  { 0x0306, 'u' }, { 0x0307, '.' },  { 0x0308, '"' }, { 0x030a, 'r' }, { 0x030b, 'H' },
  { 0x030c, 'v' }, { 0x0323, 'd' },  { 0x0327, 'c' },
};

static gboolean
is_printed (gunichar character)
{
  return character >= 0x20 && plg_markup_can_hold (character);
}

void
plg_latex_text (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);
      const char *command = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (specials) && command == NULL; i++)
        if (character == (guchar) specials[i].character)
          command = specials[i].command;
      if (command != NULL)
        g_string_append (out, command);
      else if (is_printed (character))
        g_string_append_unichar (out, character);
    }
}

void
plg_latex_collect (GHashTable *characters, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      if (character >= 0x80 && is_printed (character))
        g_hash_table_add (characters, GUINT_TO_POINTER (character));
    }
}

/* Returns the command for CHARACTER if it is a letter with an accent, otherwise NULL. */
static char *
accent_command (gunichar character)
{
  gunichar letter, mark;

  if (!g_unichar_decompose (character, &letter, &mark) || letter >= 0x80 ||
      !g_ascii_isalpha ((char) letter))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (accents); i++)
    {
      /* Use the dotless i or j, because the accent replaces the dot. */
      const char *dotless = letter == 'i' ? "\\i" : letter == 'j' ? "\\j" : "";

      if (accents[i].mark == mark)
        return *dotless != '\0' ? g_strdup_printf ("\\%c{%s}", accents[i].command, dotless)
                                : g_strdup_printf ("\\%c{%c}", accents[i].command, (char) letter);
    }
  return NULL;
}

static int
compare_characters (gconstpointer a, gconstpointer b)
{
  guint first = GPOINTER_TO_UINT (a), second = GPOINTER_TO_UINT (b);

  return (first > second) - (first < second);
}

void
plg_latex_declare (GString *out, GHashTable *characters)
{
  g_autoptr (GList) sorted = g_list_sort (g_hash_table_get_keys (characters), compare_characters);

  if (sorted == NULL)
    return;
  g_string_append (out, "\\newcommand\\plgmissing{?}\n"
                        "\\ifdefined\\DeclareUnicodeCharacter\n");
  for (const GList *at = sorted; at != NULL; at = at->next)
    {
      gunichar character = GPOINTER_TO_UINT (at->data);
      g_autofree char *command = accent_command (character);

      for (guint i = 0; i < G_N_ELEMENTS (commands) && command == NULL; i++)
        if (commands[i].character == character)
          command = g_strdup (commands[i].command);
      g_string_append_printf (out, "\\DeclareUnicodeCharacter{%04X}{%s}\n", character,
                              command != NULL ? command : MISSING);
    }
  g_string_append (out, "\\fi\n");
}
