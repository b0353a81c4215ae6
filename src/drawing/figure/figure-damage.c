/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/figure-damage.h"

#include "drawing/figure/stroke-geometry.h"

#include <string.h>

/* A shape that can be seen, and a number that stands for all that is seen of it. */
typedef struct
{
  guint64 print;
  int shape;
} ShapeHash;

/* The finalizer of MurmurHash3, which lets each bit reach all others. */
static guint64
hash_mix (guint64 hash, guint64 word)
{
  hash ^= word;
  hash ^= hash >> 33;
  hash *= G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  hash ^= hash >> 33;
  hash *= G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 33);
}

static guint64
hash_mix_double (guint64 hash, double value)
{
  guint64 word;

  memcpy (&word, &value, sizeof word);
  return hash_mix (hash, word);
}

static guint64
hash_mix_color (guint64 hash, PlgColor color)
{
  hash = hash_mix_double (hash, color.red);
  hash = hash_mix_double (hash, color.green);
  hash = hash_mix_double (hash, color.blue);
  return hash_mix_double (hash, color.alpha);
}

static guint64
hash_mix_points (guint64 hash, const PlgPoint *points, int n)
{
  for (int i = 0; i < n; i++)
    hash = hash_mix_double (hash_mix_double (hash, points[i].x), points[i].y);
  return hash;
}

static guint64
fingerprint (const PlgFigure *figure, const PlgShape *shape)
{
  guint64 flags = (guint64) shape->kind | (guint64) shape->layer << 4 |
                  (guint64) shape->dashed << 32 | (guint64) !!shape->closed << 9 |
                  (guint64) !!shape->arrow << 10 | (guint64) !!shape->smooth << 11 |
                  (guint64) !!shape->bold << 12 | (guint64) shape->anchor << 13 |
                  (guint64) shape->hatch << 16;
  guint64 hash = hash_mix (0, flags);

  hash = hash_mix_double (hash_mix_double (hash, shape->rect.x), shape->rect.y);
  hash = hash_mix_double (hash_mix_double (hash, shape->rect.width), shape->rect.height);
  hash = hash_mix_color (hash_mix_color (hash, shape->fill), shape->stroke);
  if (shape->hatch != 0)
    hash = hash_mix_color (hash, shape->hatch_color);
  hash = hash_mix_double (hash_mix_double (hash, shape->stroke_width), shape->radius);
  hash = hash_mix_points (hash, plg_figure_points (figure, shape), shape->n_points);
  if (shape->kind == PLG_SHAPE_TEXT)
    {
      hash = hash_mix_double (hash_mix_double (hash, shape->at.x), shape->at.y);
      hash = hash_mix (hash_mix_double (hash, shape->font_size), g_str_hash (shape->text));
    }
  return hash;
}

static GArray *
hash_shapes (const PlgFigure *figure)
{
  int n = plg_figure_n_shapes (figure);
  GArray *marks = g_array_sized_new (FALSE, FALSE, sizeof (ShapeHash), n);

  for (int i = 0; i < n; i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      ShapeHash mark = { .shape = i };

      if (!plg_shape_is_visible (shape))
        continue;
      mark.print = fingerprint (figure, shape);
      g_array_append_val (marks, mark);
    }
  return marks;
}

static const ShapeHash *
hash_at (const GArray *marks, guint i)
{
  return &g_array_index (marks, ShapeHash, i);
}

static void
add_extents (GArray *damage, const PlgFigure *figure, const ShapeHash *mark)
{
  PlgRect rect = plg_shape_extents (plg_figure_shape (figure, mark->shape));

  g_array_append_val (damage, rect);
}

/* What of both figures is not the same: all from FIRST on but for the last SAME_END. */
typedef struct
{
  const PlgFigure *before, *after;
  GArray *old, *new; /* Mark */
  guint first, same_end;
  GArray *damage; /* PlgRect */
} Comparison;

static void
trim (Comparison *c)
{
  guint shorter = MIN (c->old->len, c->new->len);

  while (c->first < shorter &&
         hash_at (c->old, c->first)->print == hash_at (c->new, c->first)->print)
    c->first++;
  while (c->same_end < shorter - c->first &&
         hash_at (c->old, c->old->len - 1 - c->same_end)->print ==
             hash_at (c->new, c->new->len - 1 - c->same_end)->print)
    c->same_end++;
}

/* The places of equal marks of the old figure, as lists through NEXT; -1 ends one. */
static GHashTable *
index_old (const Comparison *c, int *next)
{
  GHashTable *places = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = c->old->len - c->same_end; i-- > c->first;)
    {
      gpointer key = (gpointer) &hash_at (c->old, i)->print, found;
      gboolean is_known = g_hash_table_lookup_extended (places, key, NULL, &found);

      next[i] = is_known ? GPOINTER_TO_INT (found) : -1;
      g_hash_table_replace (places, key, GINT_TO_POINTER ((int) i));
    }
  return places;
}

/* Where in the old figure, behind PLACE, MARK is; -1 where it is not. */
static int
find_later (GHashTable *places, const int *next, const ShapeHash *mark, int place)
{
  gpointer found;
  int at = -1;

  if (!g_hash_table_lookup_extended (places, &mark->print, NULL, &found))
    return -1;
  for (at = GPOINTER_TO_INT (found); at >= 0 && at <= place; at = next[at])
    ;
  return at;
}

/* A shape that is there again must also come in the same order, or others may lie on it. */
static void
compare_middle (Comparison *c)
{
  g_autofree int *next = g_new (int, MAX (c->old->len, 1));
  g_autofree gboolean *is_kept = g_new0 (gboolean, MAX (c->old->len, 1));
  g_autoptr (GHashTable) places = index_old (c, next);
  int place = (int) c->first - 1;

  for (guint i = c->first; i < c->new->len - c->same_end; i++)
    {
      int at = find_later (places, next, hash_at (c->new, i), place);

      if (at < 0)
        {
          add_extents (c->damage, c->after, hash_at (c->new, i));
          continue;
        }
      is_kept[at] = TRUE;
      place = at;
    }
  for (guint i = c->first; i < c->old->len - c->same_end; i++)
    if (!is_kept[i])
      add_extents (c->damage, c->before, hash_at (c->old, i));
}

GArray *
plg_figure_damage (const PlgFigure *before, const PlgFigure *after)
{
  g_autoptr (GArray) old = hash_shapes (before);
  g_autoptr (GArray) new = hash_shapes (after);
  Comparison comparison = { before, after, old, new, 0, 0, NULL };

  g_return_val_if_fail (before != NULL && after != NULL, NULL);

  comparison.damage = g_array_new (FALSE, FALSE, sizeof (PlgRect));
  trim (&comparison);
  compare_middle (&comparison);
  return comparison.damage;
}
