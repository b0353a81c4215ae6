/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/rank-order.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The coordinates of all ranks and the parallelism that follows from them. */
typedef struct
{
  PlgImportContext *context;
  const PlgRankRow *rows;
  int n;
  PlgParallelism parallelism; /* the open plan's parallelism, but with the degrees and the axis
                                 order derived from the coordinates */
  int stride[PLG_N_AXES];
} Coordinates;

static const PlgAxis nested[PLG_N_NESTED_AXES] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP,
                                                   PLG_AXIS_DP };

static gboolean
has_axis (const Coordinates *coordinates, PlgAxis axis)
{
  return coordinates->rows[0].index[axis] >= 0;
}

static int
count_degree (const Coordinates *coordinates, PlgAxis axis)
{
  int highest = 0;

  for (int i = 0; i < coordinates->n; i++)
    highest = MAX (highest, coordinates->rows[i].index[axis]);
  return highest + 1;
}

static int
compare_strides_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const int *stride = data;
  const PlgAxis *one = a, *other = b;

  return stride[*one] - stride[*other];
}

/* Checks that the degrees and the axis order give every rank the coordinates that it has in the
 * file. */
static gboolean
check_numbers (const Coordinates *coordinates, GError **error)
{
  for (int i = 0; i < coordinates->n; i++)
    {
      const PlgRankRow *row = &coordinates->rows[i];
      PlgCoordinate coordinate = { { 0 } };
      int expected;

      for (int k = 0; k < PLG_N_NESTED_AXES; k++)
        coordinate.index[nested[k]] = MAX (row->index[nested[k]], 0);
      expected = plg_coordinate_rank (&coordinates->parallelism, &coordinate);
      if (expected != row->rank)
        {
          g_autofree char *order = plg_order_to_string (&coordinates->parallelism);

          return plg_format_fail (
              row->line, PLG_FORMAT_ERROR_CONTENT, error,
              _ ("Rank %d has the coordinates that belong to rank %d in the nesting order of the "
                 "first ranks (%s); all ranks must follow the same order."),
              row->rank, expected, order);
        }
    }
  return TRUE;
}

/* Sets the order of the axes, which follows from their strides. */
static gboolean
import_order (Coordinates *coordinates, GError **error)
{
  PlgParallelism *parallelism = &coordinates->parallelism;
  PlgAxis order[PLG_N_NESTED_AXES]; /* axes with a degree above 1, innermost first */
  int n = 0, open = 0;
  gboolean is_open_order = TRUE;
  g_autofree char *text = NULL;

  /* The stride of an axis is the rank that has index 1 on this axis and index 0 on all other
   * axes. */
  for (int i = 0; i < coordinates->n; i++)
    {
      const PlgRankRow *row = &coordinates->rows[i];
      int sum = 0;

      for (int k = 0; k < PLG_N_NESTED_AXES; k++)
        sum += MAX (row->index[nested[k]], 0);
      for (int k = 0; k < PLG_N_NESTED_AXES && sum == 1; k++)
        if (row->index[nested[k]] == 1)
          coordinates->stride[nested[k]] = row->rank;
    }
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (parallelism->degree[nested[i]] > 1)
      order[n++] = nested[i];
  g_qsort_with_data (order, n, sizeof *order, compare_strides_cb, coordinates->stride);

  /* Keep the open plan's axis order if it already nests the axes above degree 1 in the order of
   * the file. The axes of degree 1 then keep their positions. */
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (parallelism->degree[parallelism->order[i]] > 1)
      is_open_order = is_open_order && parallelism->order[i] == order[open++];
  if (!is_open_order)
    {
      g_autoptr (GString) found = g_string_new (NULL);

      for (int i = 0; i < n; i++)
        g_string_append_printf (found, "%s%s", i > 0 ? "-" : "", plg_axis_name (order[i]));
      if (!plg_order_from_string (found->str, parallelism->order))
        g_assert_not_reached ();
    }
  text = plg_order_to_string (parallelism);
  return check_numbers (coordinates, error) &&
         (n == 0 || plg_import_set (coordinates->context, coordinates->rows[0].line,
                                    "parallelism.order", text, error));
}

/* Experts */

static gboolean
import_experts (Coordinates *coordinates, GError **error)
{
  int degree = count_degree (coordinates, PLG_AXIS_EP);
  PlgImportContext *context = coordinates->context;
  int line = coordinates->rows[0].line;

  coordinates->parallelism.degree[PLG_AXIS_EP] = degree;
  if (degree > 1)
    {
      /* Count the ranks of the first stage with EP index 0. Each expert is split between these
       * ranks, so their number is ETP. */
      int n = 0;

      for (int i = 0; i < coordinates->n && coordinates->rows[i].index[PLG_AXIS_EP] == 0; i++)
        n += MAX (coordinates->rows[i].index[PLG_AXIS_PP], 0) == 0;
      coordinates->parallelism.etp = MAX (n, 1);
    }
  for (int i = 0; i < coordinates->n; i++)
    {
      const PlgRankRow *row = &coordinates->rows[i];
      int expected = plg_rank_coordinate (&coordinates->parallelism, row->rank).index[PLG_AXIS_EP];

      if (row->index[PLG_AXIS_EP] != expected)
        return plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("EP is %d here, but must be %d: experts are assigned to the "
                                   "ranks of a stage in order."),
                                row->index[PLG_AXIS_EP], expected);
    }
  if (degree > 1 && context->plan->model.experts == 0)
    {
      plg_import_note (context, PLG_NOTE_IGNORED, line,
                       _ ("EP %d is ignored, because the model of the open plan, %s, has no "
                          "experts."),
                       degree, context->plan->model.title);
      return TRUE;
    }
  return plg_import_set_int (context, line, "parallelism.ep", degree, error) &&
         (degree == 1 || plg_import_set_int (context, line, "parallelism.etp",
                                             coordinates->parallelism.etp, error));
}

gboolean
plg_rank_order_import (const PlgRankTable *table, PlgImportContext *context, GError **error)
{
  Coordinates coordinates = {
    .context = context,
    .rows = (const PlgRankRow *) table->rows->data,
    .n = (int) table->rows->len,
    .parallelism = context->plan->parallelism,
  };
  int *degrees = coordinates.parallelism.degree;
  gint64 product = 1;
  gboolean has_any = FALSE;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    has_any |= has_axis (&coordinates, nested[i]);
  if (!has_any)
    return TRUE;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      degrees[nested[i]] = has_axis (&coordinates, nested[i])
                               ? count_degree (&coordinates, nested[i])
                               : 1;
      product = MIN (product * degrees[nested[i]], PLG_MAX_GPUS + 1);
    }
  if (product != coordinates.n)
    return plg_format_fail (coordinates.rows[coordinates.n - 1].line, PLG_FORMAT_ERROR_CONTENT,
                            error,
                            _ ("TP %d × CP %d × PP %d × DP %d do not give the %d ranks of the "
                               "file; each combination must occur once."),
                            degrees[PLG_AXIS_TP], degrees[PLG_AXIS_CP], degrees[PLG_AXIS_PP],
                            degrees[PLG_AXIS_DP], coordinates.n);
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (nested[i]), NULL);

      if (has_axis (&coordinates, nested[i])
              ? !plg_import_set_int (context, coordinates.rows[0].line, key, degrees[nested[i]],
                                     error)
              : !plg_import_infer (context, 0, key, "1",
                                   _ ("The file has no coordinate for this axis."), error))
        return FALSE;
    }
  return import_order (&coordinates, error) &&
         (!has_axis (&coordinates, PLG_AXIS_EP) || import_experts (&coordinates, error));
}
