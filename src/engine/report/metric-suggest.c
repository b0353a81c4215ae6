/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/metric.h"

#include <string.h>


#define MAX_SUGGESTIONS 3
/* A name is similar if its first SIMILAR_LETTERS characters match the input, or if the input has
 * at most one error per SIMILAR_LETTERS characters. */
#define SIMILAR_LETTERS 3
/* Longer input is truncated; all names are shorter. */
#define MAX_LENGTH 63

/* Counts the characters to insert, delete or replace in order to turn A into B. With PART, the
 * result is the smallest count for any prefix of B. */
static int
edit_distance (const char *a, const char *b, gboolean part)
{
  int row[MAX_LENGTH + 1];
  int least = MAX_LENGTH;
  int width = (int) MIN (strlen (b), MAX_LENGTH);

  for (int j = 0; j <= width; j++)
    row[j] = j;
  for (int i = 0; i < MAX_LENGTH && a[i] != '\0'; i++)
    {
      int diagonal = row[0];

      row[0] = i + 1;
      for (int j = 0; j < width; j++)
        {
          int changed = diagonal + (a[i] != b[j]);

          diagonal = row[j + 1];
          row[j + 1] = MIN (changed, MIN (row[j], row[j + 1]) + 1);
        }
    }
  for (int j = 0; j <= width; j++)
    least = MIN (least, row[j]);
  return part ? least : row[width];
}

static int
common_prefix_length (const char *a, const char *b)
{
  int n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

/* Returns how far NAME is from TYPED: the number of wrong characters minus the length of the
 * common beginning. Names with a long common beginning come first. */
static int
rank_distance (const char *typed, const char *name)
{
  return edit_distance (typed, name, FALSE) - common_prefix_length (typed, name);
}

char *
plg_names_suggest (char **names, const char *typed)
{
  GString *suggestions = g_string_new (NULL);
  int length = (int) MIN (strlen (typed), MAX_LENGTH);

  for (int i = 0; i < MAX_SUGGESTIONS; i++)
    {
      int nearest = -1;

      for (int j = 0; names[j] != NULL; j++)
        if (*names[j] != '\0' && length > 0 &&
            (common_prefix_length (typed, names[j]) >= MIN (length, SIMILAR_LETTERS) ||
             edit_distance (typed, names[j], TRUE) <= length / SIMILAR_LETTERS) &&
            (nearest < 0 ||
             rank_distance (typed, names[j]) < rank_distance (typed, names[nearest])))
          nearest = j;

      if (nearest < 0)
        break;
      g_string_append_printf (suggestions, "%s%s", i > 0 ? ", " : "", names[nearest]);
      *names[nearest] = '\0';
    }
  return g_string_free (suggestions, suggestions->len == 0);
}

char *
plg_metric_suggest (const char *typed)
{
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  return plg_names_suggest (names, typed);
}
