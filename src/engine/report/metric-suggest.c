/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/metric.h"

#include <string.h>

/* Names that somebody may have meant. */

#define MAX_SUGGESTIONS 3
/* What begins with so many letters of a name may mean it, and so may one slip in so many. */
#define SIMILAR_LETTERS 3
/* Of what was typed no more is looked at; names are shorter. */
#define MAX_LENGTH 63

/* Letters to put in, take out or change until A is B; or, if PART, is what B begins with. */
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

/* What begins alike is about the same, even when it goes on otherwise. */
static int
rank_distance (const char *typed, const char *name)
{
  return edit_distance (typed, name, FALSE) - common_prefix_length (typed, name);
}

static gboolean
is_similar (const char *typed, const char *name)
{
  int length = (int) MIN (strlen (typed), MAX_LENGTH);

  return length > 0 && (common_prefix_length (typed, name) >= MIN (length, SIMILAR_LETTERS) ||
                        edit_distance (typed, name, TRUE) <= length / SIMILAR_LETTERS);
}

/* -1: none is near. */
static int
find_most_similar (char **names, const char *typed)
{
  int nearest = -1;

  for (int i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0' && is_similar (typed, names[i]) &&
        (nearest < 0 || rank_distance (typed, names[i]) < rank_distance (typed, names[nearest])))
      nearest = i;
  return nearest;
}

char *
plg_names_suggest (char **names, const char *typed)
{
  GString *suggestions = g_string_new (NULL);

  for (int i = 0; i < MAX_SUGGESTIONS; i++)
    {
      int nearest = find_most_similar (names, typed);

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
