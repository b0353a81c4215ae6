/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/monospace.h"
#include "drawing/figure/stroke-geometry.h"

#include <math.h>
#include <stdlib.h>

#define GAP 2 /* spaces between neighbouring texts on one line [columns] */
/* maximum difference between the baselines of text on one line [points] */
#define MAX_LINE_DEVIATION 4.0

static int
compare_x (gconstpointer a, gconstpointer b)
{
  const PlgShape *first = *(const PlgShape *const *) a, *second = *(const PlgShape *const *) b;

  if (first->rect.x != second->rect.x)
    return first->rect.x < second->rect.x ? -1 : 1;
  return (first > second) - (first < second);
}

static int
compare_baselines (gconstpointer a, gconstpointer b)
{
  const PlgShape *first = *(const PlgShape *const *) a, *second = *(const PlgShape *const *) b;

  if (first->at.y != second->at.y)
    return first->at.y < second->at.y ? -1 : 1;
  return (first > second) - (first < second);
}

/* Adds N texts on one line, or on several lines if they do not all fit. Each text starts at its
 * x, or as close to its x as the previous text allows. */
static void
append_texts (GString *out, const PlgShape **texts, guint n, double width)
{
  int column = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = plg_monospace_sanitize (texts[i]->text);
      int wanted = (int) (texts[i]->rect.x / width * PLG_MONOSPACE_WIDTH);
      int at = column == 0 ? MIN (wanted, PLG_MONOSPACE_WIDTH - plg_monospace_width (text))
                           : MAX (wanted, column + GAP);

      at = MAX (at, 0);
      if (column > 0 && at + plg_monospace_width (text) > PLG_MONOSPACE_WIDTH)
        at = MAX (PLG_MONOSPACE_WIDTH - plg_monospace_width (text), column + GAP);
      if (column > 0 && at + plg_monospace_width (text) > PLG_MONOSPACE_WIDTH)
        {
          plg_monospace_end_line (out);
          column = at = 0;
        }
      plg_monospace_add_spaces (out, at - column);
      g_string_append (out, text);
      column = at + plg_monospace_width (text);
    }
  plg_monospace_end_line (out);
}

static void
append_figure (GString *out, const PlgFigure *figure)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autofree double *baselines = NULL;
  guint begin = 0;
  int embedded_depth = 0; /* number of open groups inside an embedded picture */

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      /* Leave out the text of an embedded picture, because it makes no sense without the lines
       * of the picture. */
      if (embedded_depth > 0 ||
          (shape->kind == PLG_SHAPE_OPEN && g_strcmp0 (shape->classes, PLG_FIGURE_EMBEDDED) == 0))
        embedded_depth += (shape->kind == PLG_SHAPE_OPEN) - (shape->kind == PLG_SHAPE_CLOSE);
      /* Keep the visible texts except the title and the description of the figure, because these
       * two are written separately. */
      else if (shape->kind == PLG_SHAPE_TEXT && shape->layer != PLG_LAYER_HANDLES &&
               plg_shape_is_visible (shape) &&
               g_strcmp0 (shape->text, plg_figure_title (figure)) != 0 &&
               g_strcmp0 (shape->text, plg_figure_description (figure)) != 0)
        g_ptr_array_add (texts, (gpointer) shape);
    }
  g_ptr_array_sort (texts, compare_baselines);
  baselines = g_new (double, texts->len + 1);
  for (guint i = 0; i < texts->len; i++)
    {
      double y = ((const PlgShape *) g_ptr_array_index (texts, i))->at.y;
      gboolean is_same_line = i > 0 && fabs (y - baselines[i - 1]) <= MAX_LINE_DEVIATION;

      baselines[i] = is_same_line ? baselines[i - 1] : y;
    }
  for (guint i = 1; i <= texts->len; i++)
    {
      if (i < texts->len && baselines[i] == baselines[begin])
        continue;
      qsort (texts->pdata + begin, i - begin, sizeof (gpointer), compare_x);
      append_texts (out, (const PlgShape **) (texts->pdata + begin), i - begin,
                    MAX (plg_figure_width (figure), 1));
      begin = i;
    }
}

/* The pictures that are written as tables. */
static const struct
{
  void (*add) (GString *, const PlgPlan *, const PlgReport *, const PlgPictureOptions *);
  gboolean is_described; /* whether the description of the figure precedes the table */
} tables[PLG_N_PICTURES] = {
  [PLG_PICTURE_MEMORY] = { plg_ascii_add_memory, TRUE },
  [PLG_PICTURE_MFU] = { plg_ascii_add_mfu, TRUE },
  [PLG_PICTURE_LEDGER] = { plg_ascii_add_ledger, FALSE },
  [PLG_PICTURE_MATRIX] = { plg_ascii_add_matrix, FALSE },
  [PLG_PICTURE_COLLECTIVE] = { plg_ascii_add_collective, TRUE },
  [PLG_PICTURE_SPLIT] = { plg_ascii_add_split, TRUE },
  [PLG_PICTURE_COMPARE] = { plg_ascii_add_compare, FALSE },
  [PLG_PICTURE_SWEEP] = { plg_ascii_add_sweep, FALSE },
  [PLG_PICTURE_SEARCH] = { plg_ascii_add_search, TRUE },
};

char *
plg_ascii_write (const PlgFigure *figure, const PlgAsciiSubject *subject)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GString) content = g_string_new (NULL);
  g_autofree gboolean *shown = subject != NULL ? g_new0 (gboolean, subject->plan->cluster.nodes)
                                               : NULL;
  gboolean is_whole = subject != NULL && !(subject->options->visible.width > 0);
  gboolean is_table = is_whole && tables[subject->picture].add != NULL;
  gboolean is_cluster = FALSE, is_described = TRUE;

  for (int i = 0; subject != NULL && i < plg_figure_n_shapes (figure); i++)
    {
      PlgEntity entity = plg_figure_shape (figure, i)->entity;

      if (entity.kind == PLG_ENTITY_NODE && entity.index >= 0 &&
          entity.index < subject->plan->cluster.nodes)
        is_cluster = shown[entity.index] = TRUE;
    }
  if (is_table)
    {
      tables[subject->picture].add (content, subject->plan, subject->report, subject->options);
      is_described = tables[subject->picture].is_described;
    }
  else if (is_cluster)
    {
      plg_ascii_add_cluster (content, subject->plan, subject->report, subject->options, shown);
      is_described = FALSE;
    }
  else if (!is_whole || subject->picture != PLG_PICTURE_TIMELINE ||
           !plg_ascii_add_timeline (content, subject->plan, subject->report, subject->options))
    append_figure (content, figure);

  plg_monospace_add_paragraph (out, plg_figure_title (figure));
  if (is_described)
    plg_monospace_add_paragraph (out, plg_figure_description (figure));
  /* Separate the description from the content with an empty line. A collective without members
   * has an empty table and needs no such line. */
  if (is_described && (content->len > 0 || !is_table))
    plg_monospace_end_line (out);
  g_string_append (out, content->str);
  return g_string_free (out, FALSE);
}
