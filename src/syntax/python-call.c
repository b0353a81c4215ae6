/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/python-call.h"

#include <string.h>

void
plg_python_skip_space (const char **text, int *line)
{
  for (; g_ascii_isspace (**text) || **text == '#' || **text == '\\'; (*text)++)
    {
      if (**text == '#')
        *text += strcspn (*text, "\n");
      if (**text == '\0')
        return;
      *line += **text == '\n';
    }
}

/* Skips a string up to the matching quote. A single-line string ends no later than the end of
 * its line. */
static void
skip_text (const char **text, int *line)
{
  const char *p = *text;
  char quote = *p;
  gboolean tall = p[1] == quote && p[2] == quote;

  for (p += tall ? 3 : 1; *p != '\0' && (tall || *p != '\n'); p++)
    {
      if (*p == quote && (!tall || (p[1] == quote && p[2] == quote)))
        {
          *text = p + (tall ? 3 : 1);
          return;
        }
      p += *p == '\\' && p[1] != '\0' && p[1] != '\n';
      *line += *p == '\n';
    }
  *text = p;
}

/* Skips a string, a comment or one other character. */
static void
skip_one (const char **text, int *line)
{
  if (**text == '"' || **text == '\'')
    skip_text (text, line);
  else if (**text == '#')
    *text += strcspn (*text, "\n");
  else
    *line += *(*text)++ == '\n';
}

static gboolean
is_name_character (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Skips a value up to the comma or bracket at its end. */
static void
skip_value (const char **text, int *line)
{
  for (int depth = 0; **text != '\0'; skip_one (text, line))
    {
      if (depth == 0 && strchr (",)]}", **text) != NULL)
        return;
      depth += strchr ("([{", **text) != NULL;
      depth -= strchr (")]}", **text) != NULL;
    }
}

/* Returns the opening bracket after FUNCTION if TEXT begins with a call to FUNCTION, else NULL. */
static const char *
bracket_of (const char *text, const char *function)
{
  const char *p = text + strlen (function);

  if (!g_str_has_prefix (text, function))
    return NULL;
  while (*p == ' ' || *p == '\t')
    p++;
  return *p == '(' ? p : NULL;
}

gboolean
plg_python_next_call (const char **text, int *line, const char *function, PlgPythonCall *call)
{
  while (**text != '\0')
    {
      const char *bracket = bracket_of (*text, function);

      if (bracket != NULL)
        {
          *call = (PlgPythonCall) { .line = *line };
          *text = bracket + 1;

          for (plg_python_skip_space (text, line); **text != '\0' && strchr (")]}", **text) == NULL;
               plg_python_skip_space (text, line))
            {
              PlgPythonArgument argument = { .name = "" };

              /* Accept "name=" but not "name==". */
              const char *p = *text;
              gsize n = 0;
              int lines = 0;

              while (is_name_character (p[n]))
                n++;
              p += n;
              plg_python_skip_space (&p, &lines);
              if (n != 0 && n < sizeof argument.name && *p == '=' && p[1] != '=')
                {
                  g_strlcpy (argument.name, *text, n + 1);
                  p++;
                  plg_python_skip_space (&p, &lines);
                  *text = p;
                  *line += lines;
                }

              argument.at = *text;
              argument.line = *line;
              skip_value (text, line);
              argument.end = *text;
              *text += **text == ',';
              if (call->n < PLG_PYTHON_ARGUMENTS)
                call->arguments[call->n++] = argument;
            }

          return TRUE;
        }
      if (is_name_character (**text))
        while (is_name_character (**text))
          (*text)++;
      else
        skip_one (text, line);
    }
  return FALSE;
}

const PlgPythonArgument *
plg_python_argument (const PlgPythonCall *call, const char *name, int position)
{
  for (int i = 0; i < call->n; i++)
    if (g_str_equal (call->arguments[i].name, name))
      return &call->arguments[i];
  return position >= 0 && position < call->n && *call->arguments[position].name == '\0'
             ? &call->arguments[position]
             : NULL;
}
