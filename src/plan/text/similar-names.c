/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/text/similar-names.h"

#include <string.h>


#define MAX_SIMILAR 3
/* A name is similar if its first SIMILAR_LETTERS characters are those of the input, or if the
 * input has at most one typing error per SIMILAR_LETTERS characters. */
#define SIMILAR_LETTERS 3
/* Longer input is truncated; all names are shorter. */
#define MAX_LENGTH 63

/* Fills ROW with the edit distances from A to each prefix of B, and returns the length of B. */
static int
fill_distances (const char *a, const char *b, int row[MAX_LENGTH + 1])
{
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
  return width;
}

int
plg_edit_distance (const char *a, const char *b)
{
  int row[MAX_LENGTH + 1];
  int width = fill_distances (a, b, row);

  return row[width];
}

/* Returns the smallest edit distance from A to a prefix of B. */
static int
distance_to_prefix (const char *a, const char *b)
{
  int row[MAX_LENGTH + 1];
  int width = fill_distances (a, b, row);
  int distance = row[0];

  for (int j = 1; j <= width; j++)
    distance = MIN (distance, row[j]);
  return distance;
}

static int
common_prefix_length (const char *a, const char *b)
{
  int n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

static gboolean
is_similar (const char *typed, const char *name)
{
  int length = (int) MIN (strlen (typed), MAX_LENGTH);

  return length > 0 && (common_prefix_length (typed, name) >= MIN (length, SIMILAR_LETTERS) ||
                        distance_to_prefix (typed, name) <= length / SIMILAR_LETTERS);
}

/* Returns how far NAME is from TYPED: the edit distance minus the length of their common prefix,
 * so that names with a long common prefix come first. */
static int
rank_distance (const char *typed, const char *name)
{
  return plg_edit_distance (typed, name) - common_prefix_length (typed, name);
}

char *
plg_similar_names (const char *const *names, const char *typed)
{
  const char *similar[MAX_SIMILAR + 1] = { NULL };

  /* Insert each similar name after the names that are at least as similar to the input. */
  for (int i = 0; names[i] != NULL; i++)
    {
      const char *name = names[i];

      if (!is_similar (typed, name))
        continue;
      for (int j = 0; j < MAX_SIMILAR && name != NULL; j++)
        if (similar[j] == NULL || rank_distance (typed, name) < rank_distance (typed, similar[j]))
          {
            const char *farther = similar[j];

            similar[j] = name;
            name = farther;
          }
    }
  return similar[0] != NULL ? g_strjoinv (", ", (char **) similar) : NULL;
}
