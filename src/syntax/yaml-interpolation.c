/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/yaml-interpolation.h"

#include <string.h>

#define MAX_DEPTH 16 /* maximum depth of nested references; stops references that form a cycle */
#define MULTIPLY "multiply:"

static char *interpolate (const PlgYaml *tree, const char *path, const char *text, int depth);

/* Returns PATH up to its last dot, without the dot and the text after it; free with g_free(). */
static char *
parent_path (const char *path)
{
  const char *dot = strrchr (path, '.');

  return g_strndup (path, dot != NULL ? (gsize) (dot - path) : 0);
}

static gboolean
read_factor (const PlgYaml *tree, const char *path, const char *text, int depth, gint64 *factor)
{
  g_autofree char *alone = g_strstrip (g_strdup (text));
  g_autofree char *number = interpolate (tree, path, alone, depth + 1);

  return number != NULL &&
         g_ascii_string_to_signed (number, 10, G_MININT64, G_MAXINT64, factor, NULL);
}

static char *
multiply (const PlgYaml *tree, const char *path, const char *factors, int depth)
{
  /* Find the comma between the two factors; NULL if there is none. A comma inside braces is part
   * of a factor. */
  const char *comma_factors = factors;
  int open = 0;

  for (; *comma_factors != '\0' && (*comma_factors != ',' || open > 0); comma_factors++)
    open += (*comma_factors == '{') - (*comma_factors == '}');
  const char *comma = *comma_factors == ',' ? comma_factors : NULL;
  g_autofree char *first = comma != NULL ? g_strndup (factors, comma - factors) : NULL;
  gint64 a, b, product;

  if (first == NULL || !read_factor (tree, path, first, depth, &a) ||
      !read_factor (tree, path, comma + 1, depth, &b) || __builtin_mul_overflow (a, b, &product))
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT, product);
}

static char *
interpolate (const PlgYaml *tree, const char *path, const char *text, int depth)
{
  gsize n = strlen (text);
  g_autofree char *inside = NULL;

  if (strstr (text, "${") == NULL)
    return g_strdup (text);
  if (depth > MAX_DEPTH || !g_str_has_prefix (text, "${") || text[n - 1] != '}')
    return NULL;
  inside = g_strndup (text + 2, n - 3);
  if (g_str_has_prefix (inside, MULTIPLY))
    return multiply (tree, path, inside + strlen (MULTIPLY), depth);

  /* Resolve the reference INSIDE, which occurs in the mapping at PATH, to a path from the top of
   * the tree. */
  const char *reference = inside;
  g_autofree char *target = NULL;
  g_autofree char *from = g_strdup (path);

  if (*reference != '.')
    target = g_strdup (reference);
  else
    {
      for (reference++; *reference == '.'; reference++)
        {
          char *around = parent_path (from);

          g_free (from);
          from = around;
        }
      target = *from != '\0' ? g_strconcat (from, ".", reference, NULL) : g_strdup (reference);
    }

  g_autofree char *around = parent_path (target);
  const PlgYaml *value = plg_yaml_find (tree, target);

  return value != NULL && value->text != NULL ? interpolate (tree, around, value->text, depth + 1)
                                              : NULL;
}

char *
plg_yaml_interpolate (const PlgYaml *tree, const char *path, const char *text)
{
  return interpolate (tree, path, text, 0);
}
