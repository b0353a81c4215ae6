/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/monospace.h"
#include "drawing/figure/stroke-geometry.h"

#include <math.h>
#include <stdlib.h>

/* Between texts of a line. */
#define GAP 2
/* Texts of a figure whose baselines are not farther apart are on one line. */
#define LINE_SLACK 4.0

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const PlgShape *first = *(const PlgShape *const *) a, *second = *(const PlgShape *const *) b;

  if (first->rect.x != second->rect.x)
    return first->rect.x < second->rect.x ? -1 : 1;
  return (first > second) - (first < second);
}

static int
compare_heights (gconstpointer a, gconstpointer b)
{
  const PlgShape *first = *(const PlgShape *const *) a, *second = *(const PlgShape *const *) b;

  if (first->at.y != second->at.y)
    return first->at.y < second->at.y ? -1 : 1;
  return (first > second) - (first < second);
}

/* One line of texts, each at its place across or as near to it as the one before leaves. */
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

/* The title and the words of the whole have been said. */
static gboolean
is_new (const PlgFigure *figure, const char *text)
{
  return g_strcmp0 (text, plg_figure_title (figure)) != 0 &&
         g_strcmp0 (text, plg_figure_description (figure)) != 0;
}

static void
append_figure (GString *out, const PlgFigure *figure)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autofree double *heights = NULL;
  guint begin = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      /* The letters of a small picture within the picture make no sense without its lines. */
      if (shape->kind == PLG_SHAPE_OPEN && g_strcmp0 (shape->classes, PLG_FIGURE_EMBEDDED) == 0)
        {
          /* Behind the group that begins with shape I. */
          int j = i;
          int depth = 0;

          do
            {
              PlgShapeKind kind = plg_figure_shape (figure, j++)->kind;

              depth += (kind == PLG_SHAPE_OPEN) - (kind == PLG_SHAPE_CLOSE);
            }
          while (depth > 0 && j < plg_figure_n_shapes (figure));
          i = j - 1;
        }
      else if (shape->kind == PLG_SHAPE_TEXT && shape->layer != PLG_LAYER_HANDLES &&
               plg_shape_is_visible (shape) && is_new (figure, shape->text))
        g_ptr_array_add (texts, (gpointer) shape);
    }
  g_ptr_array_sort (texts, compare_heights);
  heights = g_new (double, texts->len + 1);

  /* The height of the line that each of TEXTS, sorted by height, is on. */
  for (guint i = 0; i < texts->len; i++)
    {
      const PlgShape *shape = g_ptr_array_index (texts, i);

      heights[i] = i > 0 && fabs (shape->at.y - heights[i - 1]) <= LINE_SLACK ? heights[i - 1]
                                                                              : shape->at.y;
    }

  for (guint i = 1; i <= texts->len; i++)
    {
      if (i < texts->len && heights[i] == heights[begin])
        continue;
      qsort (texts->pdata + begin, i - begin, sizeof (gpointer), compare_places);
      append_texts (out, (const PlgShape **) (texts->pdata + begin), i - begin,
                    MAX (plg_figure_width (figure), 1));
      begin = i;
    }
}

/* What the whole is about, and then what is drawn of it. */
static void
append_other (GString *out, const PlgFigure *figure)
{
  plg_monospace_add_paragraph (out, plg_figure_description (figure));
  plg_monospace_end_line (out);
  append_figure (out, figure);
}

/* Pictures of which letters make a table of their own. */
static const struct
{
  void (*add) (GString *, const PlgPlan *, const PlgReport *, const PlgPictureOptions *);
  gboolean is_described; /* by the figure's words, before the table */
} tables[PLG_N_PICTURES] = {
  [PLG_PICTURE_MEMORY] = { plg_ascii_add_memory, TRUE },
  [PLG_PICTURE_MFU] = { plg_ascii_add_mfu, TRUE },
  [PLG_PICTURE_LEDGER] = { plg_ascii_add_ledger, FALSE },
  [PLG_PICTURE_MATRIX] = { plg_ascii_add_matrix, FALSE },
  [PLG_PICTURE_COLLECTIVE] = { plg_ascii_add_collective, TRUE },
  [PLG_PICTURE_SPLIT] = { plg_ascii_add_split, TRUE },
  [PLG_PICTURE_COMPARE] = { plg_ascii_add_compare, FALSE },
  [PLG_PICTURE_SWEEP] = { plg_ascii_add_sweep, FALSE },
};

char *
plg_ascii_write (const PlgFigure *figure, const PlgAsciiSubject *subject)
{
  GString *out = g_string_new (NULL);
  g_autofree gboolean *shown = NULL;
  gboolean is_cluster = FALSE;

  if (subject != NULL)
    {
      int nodes = subject->plan->cluster.nodes;
      gboolean *any = &is_cluster;
      shown = g_new0 (gboolean, nodes);

      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          PlgEntity entity = plg_figure_shape (figure, i)->entity;

          if (entity.kind == PLG_ENTITY_NODE && entity.index >= 0 && entity.index < nodes)
            *any = shown[entity.index] = TRUE;
        }
    }
  plg_monospace_add_paragraph (out, plg_figure_title (figure));
  if (subject != NULL && tables[subject->picture].add != NULL &&
      !(subject->options->visible.width > 0))
    {
      gboolean is_described = tables[subject->picture].is_described;
      g_autoptr (GString) table = g_string_new (NULL);

      tables[subject->picture].add (table, subject->plan, subject->report, subject->options);
      if (is_described)
        plg_monospace_add_paragraph (out, plg_figure_description (figure));
      /* A collective that nobody runs has none. */
      if (is_described && table->len > 0)
        plg_monospace_end_line (out);
      g_string_append (out, table->str);
    }
  else if (is_cluster)
    plg_ascii_add_cluster (out, subject->plan, subject->report, subject->options, shown);
  else if (subject != NULL && subject->picture == PLG_PICTURE_TIMELINE)
    {
      const PlgPlan *plan = subject->plan;
      const PlgReport *report = subject->report;
      const PlgPictureOptions *options = subject->options;
      g_autoptr (GString) strips = g_string_new (NULL);

      if (options->visible.width > 0 || !plg_ascii_add_timeline (strips, plan, report, options))
        append_other (out, figure);
      else
        {
          plg_monospace_add_paragraph (out, plg_figure_description (figure));
          plg_monospace_end_line (out);
          g_string_append (out, strips->str);
        }
    }
  else
    append_other (out, figure);
  return g_string_free (out, FALSE);
}
