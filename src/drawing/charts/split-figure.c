/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The two matrix products of an MLP with tensor parallelism. The first matrix is split by
 * columns and the second by rows, so the ranks exchange only one sum at the end (Shoeybi 2019,
 * arXiv 1909.08053, sec. 3). Each rank is drawn as a row and each matrix as a column. */

#include "drawing/charts/chart.h"
#include "drawing/figure/monospace-table.h"
#include "drawing/figure/text.h"
#include "drawing/charts/ascii.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

#define NATURAL_WIDTH 900.0
#define SIDE 46.0   /* maximum side length of a matrix [points] */
#define MAX_RANKS 4 /* maximum number of ranks that are drawn */
#define N_STEPS PLG_SPLIT_STEPS

typedef struct
{
  PlgChart chart;
  const PlgPlan *plan;
  int ranks; /* TP degree */
  int shown; /* number of ranks that are drawn */
  int step;
  double top;
} Split;

/* How a matrix is distributed over the ranks. */
typedef enum
{
  SHARDING_NONE,
  SHARDING_COLUMNS,
  SHARDING_ROWS,
  SHARDING_PARTIAL_SUM, /* each rank has a full-size matrix that is one term of the sum */
} Sharding;

static const struct
{
  const char *symbol;
  const char *operator; /* operator to the left of the matrix */
  Sharding sharding;
  int step; /* first step in which the matrix exists */
} columns[] = {
  { "X", "", SHARDING_NONE, 0 },         { "A", "·", SHARDING_COLUMNS, 0 },
  { "Y", "=", SHARDING_COLUMNS, 1 },     { "G", "→", SHARDING_COLUMNS, 2 },
  { "B", "·", SHARDING_ROWS, 0 },        { "Z", "=", SHARDING_PARTIAL_SUM, 3 },
  { "ΣZ", "→", SHARDING_NONE, N_STEPS },
};
#define N_COLUMNS G_N_ELEMENTS (columns)

char *
plg_split_describe (int step)
{
  static const char *const steps[] = {
    N_ ("every rank has all of X, some columns of A and some rows of B"),
    N_ ("Y = X·A: each rank computes its columns of Y and sends nothing"),
    N_ ("G = GeLU(Y): element by element, so the columns stay separate"),
    N_ ("Z = G·B: columns of G times rows of B; each rank has a partial sum"),
    N_ ("all-reduce: the partial sums are added, and every rank has the result"),
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (steps) == N_STEPS + 1);
  return g_strdup_printf (_ ("step %d of %d: %s"), step, N_STEPS,
                          _ (steps[CLAMP (step, 0, N_STEPS)]));
}

static double
pitch (const Split *split)
{
  return (split->chart.right - split->chart.left) / N_COLUMNS;
}

static double
side (const Split *split)
{
  return MIN (SIDE, pitch (split) * 0.42);
}

static double
row_pitch (const Split *split)
{
  return side (split) + MIN (20, side (split));
}

/* The width of a column whose symbol is inside the matrix (INSIDE) or next to it (BESIDE), as a
 * multiple of the average column width, which pitch() returns. */
#define INSIDE 0.82
#define BESIDE 1.135

static gboolean
is_named_inside (guint column)
{
  return columns[column].sharding == SHARDING_NONE ||
         columns[column].sharding == SHARDING_PARTIAL_SUM;
}

static double
symbol_size (const Split *split)
{
  return side (split) * 0.28;
}

static void
add_matrix (Split *split, guint column, int rank)
{
  PlgChart *chart = &split->chart;
  Sharding sharding = columns[column].sharding;
  gboolean present = split->step >= columns[column].step, inside = is_named_inside (column);
  PlgColor card = chart->theme->role[PLG_ROLE_CARD];
  PlgColor fill = sharding == SHARDING_NONE
                      ? plg_color_mix (chart->theme->role[PLG_ROLE_AXIS_TP], card, 0.4)
                      : plg_theme_swatch (chart->theme, rank, split->shown, FALSE).fill;
  PlgRect whole = { 0, split->top + rank * row_pitch (split), side (split), side (split) }, part;
  PlgColor color = inside && present
                       ? plg_theme_text_on (chart->theme, fill)
                       : chart->theme->role[present ? PLG_ROLE_TEXT : PLG_ROLE_TEXT_DIM];
  const char *text = sharding == SHARDING_NONE
                         ? columns[column].symbol
                         : plg_figure_string (chart->figure, "%s%d", columns[column].symbol, rank);
  double pitches = 0.2;
  PlgShape *shape;

  for (guint i = 0; i < column; i++)
    pitches += is_named_inside (i) ? INSIDE : BESIDE;
  whole.x = chart->left + pitches * pitch (split);
  part = whole;
  if (sharding == SHARDING_COLUMNS)
    {
      part.width = whole.width / split->shown;
      part.x += rank * part.width;
    }
  if (sharding == SHARDING_ROWS)
    {
      part.height = whole.height / split->shown;
      part.y += rank * part.height;
    }

  shape = plg_figure_rect (chart->figure, whole.x, whole.y, whole.width, whole.height, 2, card);
  shape->stroke = chart->theme->role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = 1;
  shape->dashed = !present;
  shape->id = plg_figure_string (chart->figure, "matrix-%s-%d", columns[column].symbol, rank);
  if (present)
    {
      shape = plg_figure_rect (chart->figure, part.x, part.y, part.width, part.height, 2, fill);
      shape->stroke = chart->theme->role[PLG_ROLE_TEXT];
      shape->stroke_width = split->step == columns[column].step && split->step > 0 ? 2.2 : 1;
      shape->classes = "there";
      if (sharding == SHARDING_PARTIAL_SUM)
        shape->hatch = 1 + rank % 4;
    }
  plg_chart_add_text (chart, whole.x - pitch (split) * 0.1, whole.y + whole.height / 2,
                      PLG_ANCHOR_MIDDLE, symbol_size (split), FALSE,
                      chart->theme->role[PLG_ROLE_TEXT_DIM], columns[column].operator);
  /* Leave an area in the middle without hatching, so that the symbol there is readable. */
  if (sharding == SHARDING_PARTIAL_SUM && present)
    plg_figure_rect (chart->figure, whole.x + whole.width * 0.2, whole.y + whole.height * 0.28,
                     whole.width * 0.6, whole.height * 0.44, whole.height * 0.08, fill);

  /* If the matrix is divided among the ranks, only a narrow section of it is filled. Place the
   * symbol to the right of such a matrix. Otherwise, place it in the middle of the matrix. */
  plg_chart_add_text (chart, whole.x + whole.width * (inside ? 0.5 : 1.08),
                      whole.y + whole.height / 2, inside ? PLG_ANCHOR_MIDDLE : PLG_ANCHOR_START,
                      symbol_size (split), TRUE, color, text);
}

/* Returns: (transfer container) (element-type utf8): the footnotes of the picture, with the most
 *   important one first. */
static GPtrArray *
split_notes (const Split *split)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  const PlgTransformer *model = &split->plan->model;
  g_autofree char *hidden = plg_format_count (model->hidden);
  g_autofree char *ffn = plg_format_count (model->ffn);

  if (split->ranks < split->shown)
    g_ptr_array_add (notes, g_strdup_printf (_ ("TP is %d in this plan, so nothing is split; the "
                                                "picture is drawn for %d ranks"),
                                             split->ranks, split->shown));
  g_ptr_array_add (notes,
                   g_strdup_printf (_ ("A is %s × %s, B is %s × %s; each rank has 1/%d of both"),
                                    hidden, ffn, ffn, hidden, MAX (split->ranks, split->shown)));
  if (model->gated)
    g_ptr_array_add (notes, g_strdup (_ ("A gated MLP has two A matrices, both split the same "
                                         "way, and a different activation function instead of "
                                         "GeLU.")));
  g_ptr_array_add (notes, g_strdup (_ ("Attention is also split, by heads, so each layer needs "
                                       "two all-reduces in the forward pass and two in the "
                                       "backward pass.")));
  g_ptr_array_add (notes, g_strdup (split->plan->parallelism.sequence
                                        ? _ ("With sequence parallelism, each all-reduce becomes "
                                             "a reduce-scatter, followed by an all-gather before "
                                             "the next matrix product.")
                                        : _ ("Each all-reduce waits for the slowest rank, and "
                                             "the next matrix product waits for the all-reduce.")));
  if (split->shown < split->ranks)
    g_ptr_array_add (notes, g_strdup_printf (_ ("Only the first %d of %d ranks are drawn, as if "
                                                "there were no others"),
                                             split->shown, split->ranks));
  g_ptr_array_add (notes, g_strdup (_ ("Source: Shoeybi 2019, arXiv 1909.08053, sec. 3")));
  return notes;
}

static void
split_init (Split *split, const PlgPlan *plan, const PlgPictureOptions *options)
{
  *split = (Split) { .plan = plan, .ranks = MAX (plan->parallelism.degree[PLG_AXIS_TP], 1) };
  /* A plan without TP splits nothing, so draw two ranks as an example. */
  split->shown = CLAMP (split->ranks, 2, MAX_RANKS);
  split->step = CLAMP (options->frame, 0, N_STEPS);
}

PlgFigure *
plg_split_figure (const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgTheme *theme,
                  const PlgPictureOptions *options)
{
  const char *name = _ ("rank 0");
  g_autofree char *words = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  Split split;
  PlgChart *chart = &split.chart;

  split_init (&split, plan, options);
  plg_chart_begin (chart, theme, options, NATURAL_WIDTH);
  words = plg_split_describe (split.step);
  plg_chart_add_title (chart, _ ("TP: split by columns, then by rows"), words, PLG_ROLE_TEXT_DIM);
  plg_figure_describe (chart->figure, _ ("TP: split by columns, then by rows"), words);
  plg_chart_fit_names (chart, &name, 1);
  split.top = chart->y + 4;
  for (int rank = 0; rank < split.shown; rank++)
    {
      g_autofree char *text = g_strdup_printf (_ ("rank %d"), rank);

      plg_chart_add_name (chart, split.top + rank * row_pitch (&split) + side (&split) / 2, text);
      for (guint column = 0; column < N_COLUMNS; column++)
        add_matrix (&split, column, rank);
    }
  chart->y = split.top + split.shown * row_pitch (&split);
  notes = split_notes (&split);
  for (guint i = 0; i < notes->len; i++)
    plg_chart_add_line (chart, i == 0, notes->pdata[i]);
  return plg_chart_end (chart);
}

/* Monospace text ------------------------------------------------------------------------------- */

void
plg_ascii_add_split (GString *out,
                     const PlgPlan *plan,
                     const PlgReport *report,
                     const PlgPictureOptions *options)
{
  static const char *const sharding_titles[] = {
    [SHARDING_NONE] = N_ ("all"),
    [SHARDING_COLUMNS] = N_ ("columns"),
    [SHARDING_ROWS] = N_ ("rows"),
    [SHARDING_PARTIAL_SUM] = N_ ("a part"),
  };
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (N_COLUMNS + 1);
  g_autoptr (GPtrArray) notes = NULL;
  Split split;

  split_init (&split, plan, options);
  plg_monospace_table_add (table, "");
  for (guint column = 0; column < N_COLUMNS; column++)
    plg_monospace_table_add (table, columns[column].symbol);
  plg_monospace_table_add (table, _ ("each rank has"));
  for (guint column = 0; column < N_COLUMNS; column++)
    plg_monospace_table_add (table, _ (sharding_titles[columns[column].sharding]));
  for (int rank = 0; rank < split.shown; rank++)
    {
      plg_monospace_table_take (table, g_strdup_printf (_ ("rank %d"), rank));
      for (guint column = 0; column < N_COLUMNS; column++)
        {
          /* Write a matrix that is the same on all ranks as its symbol alone, for example "X",
           * and any other matrix as its symbol and rank, for example "A0". "+" marks a new
           * matrix, and "." a matrix that does not exist yet. */
          const char *symbol = columns[column].symbol;
          gboolean is_new = split.step > 0 && split.step == columns[column].step;
          const char *mark = is_new ? "+" : "";
          g_autofree char *text = columns[column].sharding == SHARDING_NONE
                                      ? g_strconcat (mark, symbol, NULL)
                                      : g_strdup_printf ("%s%s%d", mark, symbol, rank);

          plg_monospace_table_add (table, split.step < columns[column].step ? "." : text);
        }
    }
  plg_monospace_table_write (table, out);
  plg_monospace_end_line (out);
  if (options->legend != PLG_LEGEND_OFF)
    plg_monospace_add_line (out, "%s", _ ("+ just made, . not there yet"));
  notes = split_notes (&split);
  for (guint i = 0; i < notes->len; i++)
    plg_monospace_add_paragraph (out, notes->pdata[i]);
}
