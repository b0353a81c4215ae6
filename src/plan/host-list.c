/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/host-list.h"

#include "plan/plan-problem.h"
#include "plan/node-names.h"
#include "plan/text/text-sanitize.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of digits in a number. Longer numbers may not fit in an int. */
#define MAX_DIGITS 9
#define SHOWN_CHARACTERS 40

typedef struct
{
  GPtrArray *hosts;
  int maximum;
  const char *text; /* the list item to expand, such as "node[00-07,9]"; shown in messages */
} Expansion;

gboolean
plg_node_name_check (const char *name, GError **error)
{
  g_autofree char *shown = NULL;
  gboolean is_valid = g_utf8_validate (name, -1, NULL) && strlen (name) < PLG_NODE_NAME_SIZE &&
                      g_unichar_isalnum (g_utf8_get_char (name));
  gsize label = 0; /* bytes since the last dot */

  for (const char *p = name; is_valid && *p != '\0'; p = g_utf8_next_char (p))
    {
      label = *p == '.' ? 0 : label + (gsize) (g_utf8_next_char (p) - p);
      is_valid = label < PLG_NODE_LABEL_SIZE &&
                 (g_unichar_isalnum (g_utf8_get_char (p)) || strchr ("-._", *p) != NULL);
    }
  if (is_valid)
    return TRUE;
  shown = plg_text_sanitize_excerpt (name, SHOWN_CHARACTERS);
  plg_plan_problem_set (
      error, PLG_PLAN_ERROR_RANGE, NULL,
      _ ("“%s” is not a valid node name; use at most %d letters, digits, “-”, “.” and "
         "“_”, begin with a letter or digit, and write at most %d characters between "
         "dots"),
      shown, PLG_NODE_NAME_SIZE - 1, PLG_NODE_LABEL_SIZE - 1);
  return FALSE;
}

static gboolean
refuse_brackets (const Expansion *expansion, GError **error)
{
  g_autofree char *shown = plg_text_sanitize_excerpt (expansion->text, SHOWN_CHARACTERS);

  plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                        _ ("“%s” is not a list of hosts; write numbers and ranges in one pair of "
                           "brackets, as in node[00-07,9]."),
                        shown);
  return FALSE;
}

/* Returns the number at P and sets END to the text after it; -1 if there is no number. */
static int
read_number (const char *p, const char **end)
{
  int value = 0;

  for (*end = p; g_ascii_isdigit (**end); (*end)++)
    {
      if (*end - p >= MAX_DIGITS)
        return -1;
      value = 10 * value + g_ascii_digit_value (**end);
    }
  return *end > p ? value : -1;
}

/* Adds the names that start with BEFORE and continue as REST describes. The recursion cannot
 * become deep, because each bracket makes BEFORE longer and names have a maximum length. */
static gboolean
expand_name (const Expansion *expansion, const char *before, const char *rest, GError **error)
{
  gsize plain = strcspn (rest, "[]");
  g_autofree char *start = g_strdup_printf ("%s%.*s", before, (int) plain, rest);
  const char *ranges = rest + plain, *close;

  if (*ranges == '\0' || strlen (start) >= PLG_NODE_NAME_SIZE)
    {
      if (!plg_node_name_check (start, error))
        return FALSE;
      if (expansion->hosts->len >= (guint) expansion->maximum)
        {
          plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                                _ ("There are more than %d hosts, the maximum that Parallelogram "
                                   "can read."),
                                expansion->maximum);
          return FALSE;
        }
      g_ptr_array_add (expansion->hosts, g_strdup (start));
      return TRUE;
    }
  close = strchr (ranges, ']');
  if (*ranges == ']' || close == NULL)
    return refuse_brackets (expansion, error);

  for (const char *p = ranges + 1; p <= close; p++)
    {
      /* Read "00-07" or "9". RANGE is the start of this text, and P is its end. "7-0" is
       * invalid. */
      const char *range = p;
      int low = read_number (range, &p), high = low, width = (int) (p - range);

      if (low >= 0 && *p == '-')
        high = read_number (p + 1, &p);
      if (low < 0 || high < 0 || (*p != ',' && *p != ']'))
        return refuse_brackets (expansion, error);
      if (high < low)
        {
          g_autofree char *shown = plg_text_sanitize_excerpt (expansion->text, SHOWN_CHARACTERS);

          plg_plan_problem_set (
              error, PLG_PLAN_ERROR_RANGE, NULL,
              _ ("The range in “%s” runs backwards, from %.*s to %d; write the lower number "
                 "first."),
              shown, width, range, high);
          return FALSE;
        }
      for (int number = low; number <= high; number++)
        {
          g_autofree char *name = g_strdup_printf ("%s%0*d", start, width, number);

          if (!expand_name (expansion, name, close + 1, error))
            return FALSE;
        }
    }
  return TRUE;
}

const char *
plg_host_list_item_end (const char *p)
{
  for (int depth = 0; *p != '\0' && (depth > 0 || *p != ','); p++)
    depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
  return p;
}

gboolean
plg_host_list_expand (GPtrArray *hosts, const char *text, int maximum, GError **error)
{
  for (const char *p = text; *p != '\0';)
    {
      const char *end = plg_host_list_item_end (p);
      g_autofree char *name = g_strstrip (g_strndup (p, end - p));
      Expansion expansion = { hosts, maximum, name };

      if (!expand_name (&expansion, "", name, error))
        return FALSE;
      p = *end == ',' ? end + 1 : end;
    }
  return TRUE;
}

/* Contraction of lists */

/* Returns the length of HOST without the number at its end. */
static gsize
length_of_stem (const char *host)
{
  gsize n = strlen (host), stem = n;

  while (stem > 0 && n - stem < MAX_DIGITS && g_ascii_isdigit (host[stem - 1]))
    stem--;
  return stem;
}

/* Returns how many hosts at the start of HOSTS differ only in consecutive numbers at the end of
 * their names. All these numbers have the same number of digits. */
static int
length_of_run (const char *const *hosts, int n)
{
  gsize stem = length_of_stem (hosts[0]);
  int first = atoi (hosts[0] + stem), width = (int) strlen (hosts[0] + stem), run = 1;

  for (; run < n; run++)
    {
      g_autofree char *next = g_strdup_printf ("%0*d", width, first + run);

      if (strncmp (hosts[run], hosts[0], stem) != 0 || !g_str_equal (hosts[run] + stem, next))
        break;
    }
  return run;
}

char *
plg_host_list_contract (const char *const *hosts, int n)
{
  GString *list = g_string_new (NULL);

  for (int i = 0, alike; i < n; i += alike)
    {
      gsize stem = length_of_stem (hosts[i]);

      for (alike = 1; i + alike < n && hosts[i][stem] != '\0'; alike++)
        if (length_of_stem (hosts[i + alike]) != stem ||
            strncmp (hosts[i + alike], hosts[i], stem) != 0 || hosts[i + alike][stem] == '\0')
          break;
      g_string_append (list, i > 0 ? "," : "");
      if (alike == 1)
        {
          g_string_append (list, hosts[i]);
          continue;
        }
      g_string_append_len (list, hosts[i], stem);
      g_string_append_c (list, '[');
      for (int j = 0, run; j < alike; j += run)
        {
          run = length_of_run (hosts + i + j, alike - j);
          g_string_append_printf (list, "%s%s", j > 0 ? "," : "", hosts[i + j] + stem);
          if (run > 1)
            g_string_append_printf (list, "-%s", hosts[i + j + run - 1] + stem);
        }
      g_string_append_c (list, ']');
    }
  return g_string_free (list, FALSE);
}

char *
plg_host_list_contract_shortest (const char *const *hosts, int n)
{
  gsize label = n > 0 ? strcspn (hosts[0], ".") : 0;
  g_autofree char *list = NULL;
  g_auto (GStrv) labels = g_new0 (char *, n + 1);

  for (int i = 0; i < n; i++)
    {
      gsize length = strcspn (hosts[i], ".");

      if (!g_str_equal (hosts[i] + length, hosts[0] + label))
        return plg_host_list_contract (hosts, n);
      labels[i] = g_strndup (hosts[i], length);
    }
  list = plg_host_list_contract ((const char *const *) labels, n);
  if (n < 2 || *plg_host_list_item_end (list) != '\0')
    return plg_host_list_contract (hosts, n);
  return g_strconcat (list, hosts[0] + label, NULL);
}
