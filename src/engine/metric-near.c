/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/metric.h"

#include <string.h>

/* Names that somebody may have meant. */

#define N_NEAR 3
/* What begins with so many letters of a name may mean it, and so may one slip in so many. */
#define LETTERS 3
/* Of what was typed no more is looked at; names are shorter. */
#define LONGEST 63

/* Letters to put in, take out or change until A is B; or, if PART, is what B begins with. */
static int
edits (const char *a, const char *b, gboolean part)
{
  int row[LONGEST + 1];
  int least = LONGEST;
  int width = (int) MIN (strlen (b), LONGEST);

  for (int j = 0; j <= width; j++)
    row[j] = j;
  for (int i = 0; i < LONGEST && a[i] != '\0'; i++)
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
same_beginning (const char *a, const char *b)
{
  int n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

/* What begins alike is about the same, even when it goes on otherwise. */
static int
distance (const char *typed, const char *name)
{
  return edits (typed, name, FALSE) - same_beginning (typed, name);
}

static gboolean
is_near (const char *typed, const char *name)
{
  int length = (int) MIN (strlen (typed), LONGEST);

  return length > 0 && (same_beginning (typed, name) >= MIN (length, LETTERS) ||
                        edits (typed, name, TRUE) <= length / LETTERS);
}

/* -1: none is near. */
static int
find_nearest (char **names, const char *typed)
{
  int nearest = -1;

  for (int i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0' && is_near (typed, names[i]) &&
        (nearest < 0 || distance (typed, names[i]) < distance (typed, names[nearest])))
      nearest = i;
  return nearest;
}

char *
plg_names_near (char **names, const char *typed)
{
  GString *near = g_string_new (NULL);

  for (int i = 0; i < N_NEAR; i++)
    {
      int nearest = find_nearest (names, typed);

      if (nearest < 0)
        break;
      g_string_append_printf (near, "%s%s", i > 0 ? ", " : "", names[nearest]);
      *names[nearest] = '\0';
    }
  return g_string_free (near, near->len == 0);
}

char *
plg_metric_near (const char *typed)
{
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  return plg_names_near (names, typed);
}
