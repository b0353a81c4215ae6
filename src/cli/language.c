/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include <glib/gi18n-lib.h>
#include <libintl.h>
#include <string.h>

/* Finds the installed translations. Apart from English, --language accepts only their languages. */

static const char *
translations (void)
{
  return bindtextdomain (GETTEXT_PACKAGE, NULL);
}

/* Returns whether LANGUAGE can be used. English and C are always usable, because the messages in
 * the source code are in English, and C selects these messages. */
static gboolean
is_known (const char *language)
{
  g_auto (GStrv) variants = g_get_locale_variants (language);
  gboolean known = FALSE;

  for (int i = 0; variants[i] != NULL && !known; i++)
    {
      g_autofree char *folder = g_build_filename (translations (), variants[i], "LC_MESSAGES",
                                                  GETTEXT_PACKAGE ".mo", NULL);

      known = g_str_equal (variants[i], "en") || g_str_equal (variants[i], "C") ||
              (strchr (variants[i], '/') == NULL && g_file_test (folder, G_FILE_TEST_EXISTS));
    }
  return known;
}

char *
plg_cli_check_language (const char *language)
{
  g_autofree char *known = NULL;

  if (is_known (language))
    return NULL;

  g_autoptr (GDir) folder = g_dir_open (translations (), 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_ptr_array_add (names, g_strdup ("en"));
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (!g_str_equal (name, "en") && !g_str_has_prefix (name, "en_") && is_known (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_add (names, NULL);
  known = g_strjoinv (", ", (char **) names->pdata);

  return g_strdup_printf (_ ("--language is “%s”, but must be one of %s."), language, known);
}
