/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One call of one collective after some of its steps: members from left to right in the order in
 * which they send, chunks from top to bottom, and in each cell how much of the sum is there. */

#include "drawing/charts/collective-picture.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/figure/text.h"
#include "drawing/charts/ascii.h"
#include "engine/network/collective-steps.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

#define NATURAL_WIDTH 900.0
#define GAP 14.0
#define CELL_HEIGHT 24.0
#define CELL_PITCH 29.0

static PlgColor
axis_color (const PlgCollectivePicture *picture)
{
  return picture->chart.theme->role[PLG_ROLE_AXIS_TP + picture->row->axis];
}

/* Between two members, where arrows run. */
static double
gap (const PlgCollectivePicture *picture)
{
  return MIN (GAP, picture->pitch * 0.3);
}

static double
left_of (const PlgCollectivePicture *picture, int column)
{
  return picture->chart.left + column * picture->pitch;
}

static double
cell_width (const PlgCollectivePicture *picture)
{
  return picture->pitch - gap (picture);
}

static double
row_top (const PlgCollectivePicture *picture, int chunk)
{
  return picture->top + (chunk - picture->window.first_chunk) * CELL_PITCH;
}

/* Behind the last column from FIRST on that is on the same node. */
static int
end_of_node (const PlgCollectivePicture *picture, int first)
{
  int end = first + 1;

  while (end < picture->window.members &&
         plg_collective_picture_node (picture, end) == plg_collective_picture_node (picture, first))
    end++;
  return end;
}

static double
card_width (const PlgCollectivePicture *picture, int first)
{
  return (end_of_node (picture, first) - first) * picture->pitch - gap (picture) * 0.4;
}

/* Whether some node has no room for its title, so that numbers stand in a row called "node". */
static gboolean
is_numbered (const PlgCollectivePicture *picture)
{
  double size = picture->chart.font_size * 0.9;

  for (int first = 0; first < picture->window.members; first = end_of_node (picture, first))
    {
      g_autofree char *title = g_strdup_printf (_ ("node %d"),
                                                plg_collective_picture_node (picture, first));

      if (plg_text_width (title, size, FALSE) > card_width (picture, first) - 6)
        return TRUE;
    }
  return FALSE;
}

static char *
node_name (const PlgCollectivePicture *picture, int node, gboolean is_numbered)
{
  if (is_numbered && plg_node_names_get (&picture->plan->node_names, node) == NULL)
    return g_strdup_printf ("%d", node);
  return plg_plan_node_title (picture->plan, node);
}

/* Members of one node that stand side by side have one card, with the name of the node. */
static void
add_nodes (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgColor *role = chart->theme->role;
  gboolean numbered = is_numbered (picture);
  double size = chart->font_size * 0.9;

  for (int first = 0; first < picture->window.members; first = end_of_node (picture, first))
    {
      double x = left_of (picture, first) - gap (picture) * 0.3;
      double width = card_width (picture, first);
      g_autofree char *name = node_name (picture, plg_collective_picture_node (picture, first),
                                         numbered);
      g_autofree char *text = plg_text_fit (name, width - 6, size, FALSE);
      PlgShape *card = plg_figure_rect (chart->figure, x, chart->y, width, 44, 6,
                                        role[PLG_ROLE_CARD]);

      card->stroke = role[PLG_ROLE_CARD_BORDER];
      card->stroke_width = chart->theme->line_width;
      plg_chart_add_text (chart, x + width / 2, chart->y + 10, PLG_ANCHOR_MIDDLE, size, FALSE,
                          role[PLG_ROLE_TEXT_DIM], text);
    }
  if (numbered)
    plg_chart_add_name (chart, chart->y + 10, _ ("node"));
}

static void
add_member (PlgCollectivePicture *picture, int column)
{
  PlgChart *chart = &picture->chart;
  int member = plg_collective_window_member (&picture->window, column);
  PlgColor fill = plg_color_mix (axis_color (picture), chart->theme->role[PLG_ROLE_CARD], 0.75);
  double x = left_of (picture, column), size = MIN (12, cell_width (picture) / 3.2);
  int rank = plg_placement_rank (&picture->plan->placement,
                                 plg_collective_picture_gpu (picture, member));
  const char *text = plg_figure_string (chart->figure, "%d", rank);
  g_autofree char *node = plg_plan_node_title (picture->plan,
                                               plg_collective_picture_node_of (picture, member));
  PlgShape *box = plg_figure_rect (chart->figure, x, chart->y + 18, cell_width (picture), 22, 5,
                                   fill);
  gboolean is_middle = !plg_collective_picture_has_all (picture) && member == picture->own;

  box->stroke = is_middle ? chart->theme->role[PLG_ROLE_TEXT] : axis_color (picture);
  box->stroke_width = is_middle ? 2.2 : chart->theme->line_width;
  box->id = plg_figure_string (chart->figure, "member-%d", member);
  box->entity = (PlgEntity) { PLG_ENTITY_GPU, 0, plg_collective_picture_gpu (picture, member) };
  box->title = plg_figure_string (chart->figure, _ ("Rank %d on %s"), rank, node);
  plg_chart_add_text (chart, x + cell_width (picture) / 2, chart->y + 29, PLG_ANCHOR_MIDDLE, size,
                      TRUE, plg_theme_text_on (chart->theme, fill), text);
}

static void
add_members (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;

  add_nodes (picture);
  for (int column = 0; column < picture->window.members; column++)
    add_member (picture, column);
  plg_chart_add_name (chart, chart->y + 29, _ ("rank"));
  chart->y += 56;
}

static void
add_cell_text (PlgCollectivePicture *picture, int column, int chunk, int held, PlgColor fill)
{
  PlgChart *chart = &picture->chart;
  int whole = plg_collective_steps_full_count (&picture->collective_steps);
  double width = cell_width (picture), size = MIN (11.5, width / 3.4);
  const char *text = plg_figure_string (chart->figure, "%d/%d", held, whole);

  const char *widest = plg_figure_string (chart->figure, "%d/%d", whole, whole);

  /* All alike: "1/512" beside "301" would be two kinds of numbers. */
  if (plg_text_width (widest, size, TRUE) > width - 4)
    text = plg_figure_string (chart->figure, "%d", held);
  if (whole == 1)
    text = "✓";
  if (held > 0)
    plg_chart_add_text (chart, left_of (picture, column) + width / 2,
                        row_top (picture, chunk) + CELL_HEIGHT / 2, PLG_ANCHOR_MIDDLE, size,
                        held == whole, plg_theme_text_on (chart->theme, fill), text);
}

static PlgColor
held_color (const PlgCollectivePicture *picture, int held)
{
  double share = (double) held / plg_collective_steps_full_count (&picture->collective_steps);

  if (held == 0)
    return picture->chart.theme->role[PLG_ROLE_CARD];
  return plg_color_mix (picture->chart.theme->role[PLG_ROLE_CARD], axis_color (picture),
                        0.12 + 0.68 * share * share);
}

static void
add_cell (PlgCollectivePicture *picture, int column, int chunk)
{
  PlgChart *chart = &picture->chart;
  int member = plg_collective_window_member (&picture->window, column);
  int held = plg_collective_steps_held (&picture->collective_steps, picture->step, member, chunk);
  gboolean is_new = plg_collective_picture_is_received (picture, member, chunk);
  PlgColor fill = held_color (picture, held);
  PlgShape *cell = plg_figure_rect (chart->figure, left_of (picture, column),
                                    row_top (picture, chunk), cell_width (picture), CELL_HEIGHT, 4,
                                    fill);

  cell->stroke = chart->theme->role[is_new ? PLG_ROLE_TEXT : PLG_ROLE_CARD_BORDER];
  cell->stroke_width = is_new ? 2.2 : chart->theme->line_width;
  cell->dashed = held == 0;
  cell->id = plg_figure_string (chart->figure, "cell-%d-%d", member, chunk);
  cell->classes = is_new ? "cell new" : "cell";
  cell->title = plg_figure_string (chart->figure, _ ("Chunk %d at member %d: %d of %d"), chunk,
                                   member, held,
                                   plg_collective_steps_full_count (&picture->collective_steps));
  add_cell_text (picture, column, chunk, held, fill);
}

/* From neighbour to neighbour in the gap between them; to and from what is farther, or not drawn
 * and then -1, as two stubs. */
static void
add_send (PlgCollectivePicture *picture, int from, int to, int chunk)
{
  PlgChart *chart = &picture->chart;
  double y = row_top (picture, chunk) + CELL_HEIGHT / 2;
  double out = left_of (picture, from) + cell_width (picture), in = left_of (picture, to);
  PlgColor ink = chart->theme->role[PLG_ROLE_TEXT];

  if (from >= 0 && to == from + 1)
    {
      plg_figure_line (chart->figure, out + 1, y, in - 1, y, ink, 1.6)->arrow = TRUE;
      return;
    }
  if (from >= 0)
    plg_figure_line (chart->figure, out + 1, y, out + gap (picture) - 3, y, ink, 1.6)
        ->dashed = TRUE;
  if (to >= 0)
    plg_figure_line (chart->figure, in - gap (picture) + 2, y, in - 1, y, ink, 1.6)->arrow = TRUE;
}

static void
add_sends (PlgCollectivePicture *picture)
{
  for (int i = 0; picture->step > 0 && i < picture->collective_steps.members; i++)
    {
      int from = plg_collective_window_column (&picture->window, i), to, chunk;

      if (plg_collective_steps_send (&picture->collective_steps, picture->step, i, &to, &chunk) &&
          plg_collective_window_has_chunk (&picture->window, chunk))
        add_send (picture, from, plg_collective_window_column (&picture->window, to), chunk);
    }
}

static void
add_table (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;

  picture->top = chart->y;
  for (int row = 0; row < picture->window.chunks; row++)
    {
      int chunk = picture->window.first_chunk + row;
      g_autofree char *name = plg_collective_picture_row_name (picture, chunk);

      plg_chart_add_name (chart, row_top (picture, chunk) + CELL_HEIGHT / 2, name);
      for (int column = 0; column < picture->window.members; column++)
        add_cell (picture, column, chunk);
    }
  add_sends (picture);
  chart->y += picture->window.chunks * CELL_PITCH + 8;
}

static void
add_notes (PlgCollectivePicture *picture)
{
  g_autofree char *formula = plg_collective_steps_formula (&picture->collective_steps),
                  *calls = NULL;
  g_autoptr (GPtrArray) notes = plg_collective_picture_notes (picture);
  gboolean is_run;

  calls = plg_collective_picture_calls (picture, &is_run);
  plg_chart_add_line (&picture->chart, TRUE, formula);
  plg_chart_add_line (&picture->chart, !is_run, calls);
  for (guint i = 0; i < notes->len; i++)
    plg_chart_add_line (&picture->chart, FALSE, notes->pdata[i]);
}

static void
add_legend (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;
  PlgColor card = chart->theme->role[PLG_ROLE_CARD], ink = chart->theme->role[PLG_ROLE_TEXT];
  PlgColor whole = held_color (picture,
                               plg_collective_steps_full_count (&picture->collective_steps));
  const PlgEntity nothing = { PLG_ENTITY_NONE, 0, 0 };
  PlgLegend legend;

  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y,
                    chart->font_size * 0.95);
  if (plg_collective_steps_full_count (&picture->collective_steps) > 1)
    {
      PlgColor one = held_color (picture, 1);

      plg_legend_swatch (&legend, (PlgSwatch) { .fill = one, .border = one }, 0, nothing,
                         _ ("its own part"));
      plg_legend_swatch (&legend, (PlgSwatch) { .fill = whole, .border = whole }, 0, nothing,
                         _ ("the whole sum"));
    }
  else
    plg_legend_swatch (&legend, (PlgSwatch) { .fill = whole, .border = whole }, 0, nothing,
                       _ ("there"));
  plg_legend_swatch (&legend, (PlgSwatch) { .fill = card, .border = ink }, 0, nothing,
                     _ ("just received"));
  if (plg_collective_steps_full_count (&picture->collective_steps) > 1)
    plg_legend_note (&legend, _ ("number: how many members' parts are in it"));
  chart->y = plg_legend_end (&legend) + 6;
}

/* The same at all steps, so that nothing jumps. */
static char *
widest_row_name (const PlgCollectivePicture *picture)
{
  if (picture->collective_steps.shape == PLG_STEP_PATTERN_ALL_TO_ALL)
    return g_strdup (picture->collective_steps.members > 1000 ? _ ("from 00000") : _ ("from 0000"));
  return g_strdup (picture->collective_steps.members > 100 ? _ ("chunk 0000") : _ ("chunk 00"));
}

static void
add_picture (PlgCollectivePicture *picture, const PlgPictureOptions *options)
{
  PlgChart *chart = &picture->chart;
  g_autofree char *title = plg_collective_picture_title (picture);
  g_autofree char *words = plg_collective_steps_describe (&picture->collective_steps,
                                                          picture->step);
  g_autofree char *row = widest_row_name (picture);
  const char *names[] = { row, _ ("rank"), _ ("node") };

  plg_chart_add_title (chart, title, words, PLG_ROLE_TEXT_DIM);
  plg_figure_describe (chart->figure, title, words);
  plg_chart_fit_names (chart, names, G_N_ELEMENTS (names));
  picture->pitch = MIN ((chart->right - chart->left - 4) / picture->window.members, 110);
  add_members (picture);
  add_table (picture);
  if (options->legend)
    add_legend (picture);
  add_notes (picture);
}

static void
add_empty_message (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;
  const char *text = _ ("Nothing to send: no group has two members");

  plg_chart_add_title (chart, _ ("One collective"), "", PLG_ROLE_TEXT_DIM);
  plg_figure_describe (chart->figure, _ ("One collective"), text);
  plg_chart_add_line (&picture->chart, FALSE, text);
}

PlgFigure *
plg_collective_figure (const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgTheme *theme,
                       const PlgPictureOptions *options)
{
  PlgCollectivePicture picture = { .plan = plan };

  plg_chart_begin (&picture.chart, theme, options, NATURAL_WIDTH);
  if (plg_collective_picture_find (&picture, report, options))
    add_picture (&picture, options);
  else
    add_empty_message (&picture);
  g_clear_pointer (&picture.gpus, g_array_unref);
  return plg_chart_end (&picture.chart);
}

/* The letters ---------------------------------------------------------------------------------- */

/* "3/8", "✓", with "+" before what has just been received; "." for nothing. */
static void
add_monospace_cell (PlgMonospaceTable *table,
                    const PlgCollectivePicture *picture,
                    int column,
                    int chunk)
{
  int member = plg_collective_window_member (&picture->window, column);
  int held = plg_collective_steps_held (&picture->collective_steps, picture->step, member, chunk);
  int whole = plg_collective_steps_full_count (&picture->collective_steps);
  g_autofree char *share = g_strdup_printf ("%d/%d", held, whole);
  g_autofree char *text = g_strconcat (plg_collective_picture_is_received (picture, member, chunk)
                                           ? "+"
                                           : "",
                                       held == 0    ? "."
                                       : whole == 1 ? "✓"
                                                    : share,
                                       NULL);

  plg_monospace_table_add (table, text);
}

/* The node above each member, where the one before it is on another. */
static void
add_heads (PlgMonospaceTable *table, const PlgCollectivePicture *picture)
{
  const PlgCollectiveWindow *window = &picture->window;

  plg_monospace_table_add (table, "");
  for (int i = 0; i < window->members; i++)
    {
      g_autofree char *node = plg_plan_node_title (picture->plan,
                                                   plg_collective_picture_node (picture, i));
      gboolean is_new = i == 0 || plg_collective_picture_node (picture, i) !=
                                      plg_collective_picture_node (picture, i - 1);

      plg_monospace_table_add (table, is_new ? node : "");
    }
  plg_monospace_table_add (table, _ ("rank"));
  for (int i = 0; i < window->members; i++)
    {
      int gpu = plg_collective_picture_gpu (picture, plg_collective_window_member (window, i));
      g_autofree char *text = g_strdup_printf ("%d",
                                               plg_placement_rank (&picture->plan->placement, gpu));

      plg_monospace_table_add (table, text);
    }
}

static void
add_monospace_members (GString *out, const PlgCollectivePicture *picture)
{
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (picture->window.members + 1);

  add_heads (table, picture);
  for (int row = 0; row < picture->window.chunks; row++)
    {
      int chunk = picture->window.first_chunk + row;
      g_autofree char *name = plg_collective_picture_row_name (picture, chunk);

      plg_monospace_table_add (table, name);
      for (int column = 0; column < picture->window.members; column++)
        add_monospace_cell (table, picture, column, chunk);
    }
  plg_monospace_table_write (table, out);
}

void
plg_ascii_add_collective (GString *out,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options)
{
  PlgCollectivePicture picture = { .plan = plan };

  if (plg_collective_picture_find (&picture, report, options))
    {
      g_autofree char *formula = plg_collective_steps_formula (&picture.collective_steps),
                      *calls = NULL;
      g_autoptr (GPtrArray) notes = NULL;
      gboolean is_run;

      notes = plg_collective_picture_notes (&picture);
      calls = plg_collective_picture_calls (&picture, &is_run);
      add_monospace_members (out, &picture);
      plg_monospace_end_line (out);
      if (options->legend != PLG_LEGEND_OFF)
        plg_monospace_add_line (out, "%s",
                                plg_collective_steps_full_count (&picture.collective_steps) > 1
                                    ? _ ("Numbers: how many members' parts are in it; + just "
                                         "received")
                                    : _ ("✓ there, + just received, . not there"));
      plg_monospace_add_paragraph (out, formula);
      plg_monospace_add_paragraph (out, calls);
      for (guint i = 0; i < notes->len; i++)
        plg_monospace_add_paragraph (out, notes->pdata[i]);
    }
  g_clear_pointer (&picture.gpus, g_array_unref);
}
