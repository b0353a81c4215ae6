/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/figure-damage.h"

#include "drawing/figure/stroke-geometry.h"

#include <string.h>

/* A visible shape and a hash of its appearance. */
typedef struct
{
  guint64 hash;
  int shape;
} ShapeHash;

/* Mixes WORD into HASH with the finalizer of MurmurHash3, so that each bit of WORD affects all
 * bits of the result. */
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
hash_shape (const PlgFigure *figure, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (figure, shape);
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
  for (int i = 0; i < shape->n_points; i++)
    hash = hash_mix_double (hash_mix_double (hash, points[i].x), points[i].y);
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
  GArray *hashes = g_array_sized_new (FALSE, FALSE, sizeof (ShapeHash), n);

  for (int i = 0; i < n; i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      ShapeHash hash = { .shape = i };

      if (!plg_shape_is_visible (shape))
        continue;
      hash.hash = hash_shape (figure, shape);
      g_array_append_val (hashes, hash);
    }
  return hashes;
}

static const ShapeHash *
hash_at (const GArray *hashes, guint i)
{
  g_assert (i < hashes->len);

  return &g_array_index (hashes, ShapeHash, i);
}

static void
add_extents (GArray *damage, const PlgFigure *figure, const ShapeHash *hash)
{
  PlgRect rect = plg_shape_extents (plg_figure_shape (figure, hash->shape));

  g_array_append_val (damage, rect);
}

GArray *
plg_figure_damage (const PlgFigure *before, const PlgFigure *after)
{
  g_autoptr (GHashTable) positions = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) old = NULL, new = NULL;
  g_autofree gboolean *is_kept = NULL;
  g_autofree int *next = NULL;
  GArray *damage;
  guint first = 0, same_end = 0, shorter;
  int position;

  g_return_val_if_fail (before != NULL && after != NULL, NULL);

  old = hash_shapes (before);
  new = hash_shapes (after);
  shorter = MIN (old->len, new->len);
  damage = g_array_new (FALSE, FALSE, sizeof (PlgRect));
  while (first < shorter && hash_at (old, first)->hash == hash_at (new, first)->hash)
    first++;
  while (same_end < shorter - first && hash_at (old, old->len - 1 - same_end)->hash ==
                                           hash_at (new, new->len - 1 - same_end)->hash)
    same_end++;

  /* Map each hash to the index of the first shape with this hash in the old figure. For a shape
   * of the old figure with index I, NEXT[I] is the index of the next shape with the same hash,
   * or -1 if there is none. */
  next = g_new (int, MAX (old->len, 1));
  is_kept = g_new0 (gboolean, MAX (old->len, 1));
  for (guint i = old->len - same_end; i-- > first;)
    {
      gpointer key = (gpointer) &hash_at (old, i)->hash, found;
      gboolean is_known = g_hash_table_lookup_extended (positions, key, NULL, &found);

      next[i] = is_known ? GPOINTER_TO_INT (found) : -1;
      g_hash_table_replace (positions, key, GINT_TO_POINTER ((int) i));
    }

  position = (int) first - 1;
  for (guint i = first; i < new->len - same_end; i++)
    {
      const ShapeHash *hash = hash_at (new, i);
      int at = -1;
      gpointer found;

      if (g_hash_table_lookup_extended (positions, &hash->hash, NULL, &found))
        for (at = GPOINTER_TO_INT (found); at >= 0 && at <= position; at = next[at])
          ;
      if (at < 0)
        {
          add_extents (damage, after, hash);
          continue;
        }
      is_kept[at] = TRUE;
      position = at;
    }
  for (guint i = first; i < old->len - same_end; i++)
    if (!is_kept[i])
      add_extents (damage, before, hash_at (old, i));
  return damage;
}
