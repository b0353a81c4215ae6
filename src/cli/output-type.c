/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Chooses the type of a command's output. All commands follow the same rule: the extension of the
 * file chooses the type, and an option such as --format overrides a name without a known
 * extension. */

/* The extensions that stand for one type in all commands. */
static const char *const known_extensions[] = { ".txt", ".md",  ".json", ".csv", ".xml",    ".yaml",
                                                ".svg", ".pdf", ".png",  ".tex", ".drawio", NULL };

const PlgOutputType plg_cli_plan_types[] = { { "xml", ".xml" }, { NULL, NULL } };

/* Returns the extension of PATH from its last point on, or NULL if there is none. */
static const char *
path_extension (const char *path)
{
  const char *slash = strrchr (path, '/'), *name = slash != NULL ? slash + 1 : path;

  return strrchr (name, '.');
}

static gboolean
is_known (const char *extension)
{
  for (int i = 0; known_extensions[i] != NULL; i++)
    if (g_ascii_strcasecmp (known_extensions[i], extension) == 0)
      return TRUE;
  return FALSE;
}

/* Appends TEXT to LIST, after a comma unless LIST is empty. */
static void
append_item (GString *list, const char *text)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", text);
}

/* Returns the index of the type NAME or, after a usage message, -1. */
static int
find_type (const char *option, const char *name, const PlgOutputType *types)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; types[i].extension != NULL; i++)
    {
      if (g_strcmp0 (types[i].name, name) == 0)
        return i;
      if (types[i].name != NULL)
        append_item (names, types[i].name);
    }
  plg_cli_usage_error (_ ("%s is “%s”, but must be one of %s."), option, name, names->str);
  return -1;
}

int
plg_cli_choose_type (const char *option,
                     const char *name,
                     const char *path,
                     const PlgOutputType *types)
{
  const char *extension = path != NULL ? path_extension (path) : NULL;
  int type = name != NULL ? find_type (option, name, types) : 0;
  g_autoptr (GString) extensions = g_string_new (NULL);

  if (type < 0 || extension == NULL)
    return type;
  for (int i = 0; types[i].extension != NULL; i++)
    {
      if (g_ascii_strcasecmp (types[i].extension, extension) == 0 && (name == NULL || i == type))
        return i;
      append_item (extensions, types[i].extension);
    }
  if (name == NULL)
    plg_cli_usage_error (_ ("This command writes no file of the type of “%s”; use %s."), path,
                         extensions->str);
  else if (is_known (extension))
    plg_cli_usage_error (_ ("The extension of “%s” is not the extension of %s %s, which is %s; "
                            "leave %s out, or change the extension."),
                         path, option, name, types[type].extension, option);
  else
    return type;
  return -1;
}
