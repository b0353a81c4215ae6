/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/setting-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define OPTION "--set "

static gboolean
is_of_key (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

/* Whether KEY stands at P, and no longer word. */
static gboolean
stands_at (const char *p, const char *key)
{
  gsize n = strlen (key);

  return strncmp (p, key, n) == 0 && !is_of_key (p[n]) &&
         !(p[n] == '.' && g_ascii_isalpha (p[n + 1]));
}

static const PlgSetting *
find_at (const char *p)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    if (settings[i].title != NULL && stands_at (p, settings[i].key))
      return &settings[i];
  return NULL;
}

char *
plg_setting_words (const char *message)
{
  GString *words = g_string_new (NULL);
  char before = ' ';

  for (const char *p = message; *p != '\0';)
    {
      const PlgSetting *setting = is_of_key (before) || before == '.' ? NULL : find_at (p);

      if (g_str_has_prefix (p, OPTION) && find_at (p + strlen (OPTION)) != NULL)
        p += strlen (OPTION);
      else if (setting != NULL)
        {
          g_string_append_printf (words, "“%s”", _ (setting->title));
          p += strlen (setting->key);
          before = p[-1];
        }
      else
        {
          before = *p;
          g_string_append_c (words, *p++);
        }
    }
  return g_string_free (words, FALSE);
}
