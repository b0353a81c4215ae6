/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A picture of one call of a collective after a given number of steps. Each column is a member
 * of the group, in the order in which members send, and each row is a chunk of the data. Each
 * cell shows how much of the chunk's sum the member already has. */

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

static double
column_gap (const PlgCollectivePicture *picture)
{
  return MIN (GAP, picture->pitch * 0.3);
}

static double
column_left (const PlgCollectivePicture *picture, int column)
{
  return picture->chart.left + column * picture->pitch;
}

static double
cell_width (const PlgCollectivePicture *picture)
{
  return picture->pitch - column_gap (picture);
}

static double
row_top (const PlgCollectivePicture *picture, int chunk)
{
  return picture->top + (chunk - picture->window.first_chunk) * CELL_PITCH;
}

/* Returns the first column after FIRST whose member is on a different node from the member in
 * column FIRST. If there is none, returns the number of columns. */
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
  return (end_of_node (picture, first) - first) * picture->pitch - column_gap (picture) * 0.4;
}

/* Adds a box for each member. Neighbouring members on the same node share a larger box with the
 * node's title. If a title such as "node 12" does not fit, the boxes of unnamed nodes show only
 * the node number, and the word "node" is written once, to the left of the boxes. */
static void
add_members (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgColor *role = chart->theme->role;
  gboolean is_numbered = FALSE;
  double size = chart->font_size * 0.9;

  for (int first = 0; first < picture->window.members; first = end_of_node (picture, first))
    {
      g_autofree char *title = g_strdup_printf (_ ("node %d"),
                                                plg_collective_picture_node (picture, first));

      is_numbered |= plg_text_width (title, size, FALSE) > card_width (picture, first) - 6;
    }
  for (int first = 0; first < picture->window.members; first = end_of_node (picture, first))
    {
      double x = column_left (picture, first) - column_gap (picture) * 0.3;
      double width = card_width (picture, first);
      int node = plg_collective_picture_node (picture, first);
      gboolean has_name = plg_node_names_get (&picture->plan->node_names, node) != NULL;
      g_autofree char *name = is_numbered && !has_name ? g_strdup_printf ("%d", node)
                                                       : plg_plan_node_title (picture->plan, node);
      g_autofree char *text = plg_text_fit (name, width - 6, size, FALSE);
      PlgShape *card = plg_figure_rect (chart->figure, x, chart->y, width, 44, 6,
                                        role[PLG_ROLE_CARD]);

      card->stroke = role[PLG_ROLE_CARD_BORDER];
      card->stroke_width = chart->theme->line_width;
      plg_chart_add_text (chart, x + width / 2, chart->y + 10, PLG_ANCHOR_MIDDLE, size, FALSE,
                          role[PLG_ROLE_TEXT_DIM], text);
    }
  if (is_numbered)
    plg_chart_add_name (chart, chart->y + 10, _ ("node"));

  for (int column = 0; column < picture->window.members; column++)
    {
      int member = plg_collective_window_member (&picture->window, column);
      PlgColor fill = plg_color_mix (axis_color (picture), chart->theme->role[PLG_ROLE_CARD], 0.75);
      double x = column_left (picture, column), rank_size = MIN (12, cell_width (picture) / 3.2);
      int rank = plg_placement_rank (&picture->plan->placement,
                                     plg_collective_picture_gpu (picture, member));
      const char *text = plg_figure_string (chart->figure, "%d", rank);
      g_autofree char *node = plg_plan_node_title (picture->plan,
                                                   plg_collective_picture_node_of (picture,
                                                                                   member));
      PlgShape *box = plg_figure_rect (chart->figure, x, chart->y + 18, cell_width (picture), 22, 5,
                                       fill);
      gboolean is_middle = !plg_collective_picture_has_all (picture) && member == picture->own;

      box->stroke = is_middle ? chart->theme->role[PLG_ROLE_TEXT] : axis_color (picture);
      box->stroke_width = is_middle ? 2.2 : chart->theme->line_width;
      box->id = plg_figure_string (chart->figure, "member-%d", member);
      box->entity = (PlgEntity) { PLG_ENTITY_GPU, 0, plg_collective_picture_gpu (picture, member) };
      box->title = plg_figure_string (chart->figure, _ ("Rank %d on %s"), rank, node);
      plg_chart_add_text (chart, x + cell_width (picture) / 2, chart->y + 29, PLG_ANCHOR_MIDDLE,
                          rank_size, TRUE, plg_theme_text_on (chart->theme, fill), text);
    }
  plg_chart_add_name (chart, chart->y + 29, _ ("rank"));
  chart->y += 56;
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
  int whole = plg_collective_steps_full_count (&picture->collective_steps);
  gboolean is_new = plg_collective_picture_is_received (picture, member, chunk);
  PlgColor fill = held_color (picture, held);
  double width = cell_width (picture), size = MIN (11.5, width / 3.4);
  const char *text = plg_figure_string (chart->figure, "%d/%d", held, whole);
  const char *widest = plg_figure_string (chart->figure, "%d/%d", whole, whole);
  PlgShape *cell = plg_figure_rect (chart->figure, column_left (picture, column),
                                    row_top (picture, chunk), width, CELL_HEIGHT, 4, fill);

  cell->stroke = chart->theme->role[is_new ? PLG_ROLE_TEXT : PLG_ROLE_CARD_BORDER];
  cell->stroke_width = is_new ? 2.2 : chart->theme->line_width;
  cell->dashed = held == 0;
  cell->id = plg_figure_string (chart->figure, "cell-%d-%d", member, chunk);
  cell->classes = is_new ? "cell new" : "cell";
  cell->title = plg_figure_string (chart->figure,
                                   _ ("Chunk %d at member %d: data of %d of %d members"), chunk,
                                   member, held, whole);
  /* If the widest fraction ("512/512") does not fit in a cell, write all cells without the
   * total, so that "1/512" and "1" never appear next to each other. */
  if (plg_text_width (widest, size, TRUE) > width - 4)
    text = plg_figure_string (chart->figure, "%d", held);
  if (whole == 1)
    text = "✓";
  if (held > 0)
    plg_chart_add_text (chart, column_left (picture, column) + width / 2,
                        row_top (picture, chunk) + CELL_HEIGHT / 2, PLG_ANCHOR_MIDDLE, size,
                        held == whole, plg_theme_text_on (chart->theme, fill), text);
}

/* Draws an arrow for each send to the next column. Any other send, including a send from or to a
 * member that is not shown, is drawn as a short stub at each visible end. */
static void
add_sends (PlgCollectivePicture *picture)
{
  PlgFigure *figure = picture->chart.figure;
  PlgColor ink = picture->chart.theme->role[PLG_ROLE_TEXT];

  for (int sender = 0; picture->step > 0 && sender < picture->collective_steps.members; sender++)
    {
      int receiver, chunk, from, to;
      double y, out, in;

      if (!plg_collective_steps_send (&picture->collective_steps, picture->step, sender, &receiver,
                                      &chunk) ||
          !plg_collective_window_has_chunk (&picture->window, chunk))
        continue;
      from = plg_collective_window_column (&picture->window, sender);
      to = plg_collective_window_column (&picture->window, receiver);
      y = row_top (picture, chunk) + CELL_HEIGHT / 2;
      out = column_left (picture, from) + cell_width (picture);
      in = column_left (picture, to);
      if (from >= 0 && to == from + 1)
        {
          plg_figure_line (figure, out + 1, y, in - 1, y, ink, 1.6)->arrow = TRUE;
          continue;
        }
      if (from >= 0)
        plg_figure_line (figure, out + 1, y, out + column_gap (picture) - 3, y, ink, 1.6)
            ->dashed = TRUE;
      if (to >= 0)
        plg_figure_line (figure, in - column_gap (picture) + 2, y, in - 1, y, ink, 1.6)
            ->arrow = TRUE;
    }
}

static void
add_legend (PlgCollectivePicture *picture)
{
  PlgChart *chart = &picture->chart;
  PlgColor card = chart->theme->role[PLG_ROLE_CARD], ink = chart->theme->role[PLG_ROLE_TEXT];
  int full_count = plg_collective_steps_full_count (&picture->collective_steps);
  PlgColor whole = held_color (picture, full_count);
  const PlgEntity nothing = { PLG_ENTITY_NONE, 0, 0 };
  PlgLegend legend;

  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y,
                    chart->font_size * 0.95);
  if (full_count > 1)
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
  if (full_count > 1)
    plg_legend_note (&legend, _ ("number: members in the sum"));
  chart->y = plg_legend_end (&legend) + 6;
}

PlgFigure *
plg_collective_figure (const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgTheme *theme,
                       const PlgPictureOptions *options)
{
  PlgCollectivePicture picture = { .plan = plan };
  PlgChart *chart = &picture.chart;

  plg_chart_begin (chart, theme, options, NATURAL_WIDTH);
  if (plg_collective_picture_find (&picture, report, options))
    {
      g_autofree char *title = plg_collective_picture_title (&picture);
      g_autofree char *words = plg_collective_steps_describe (&picture.collective_steps,
                                                              picture.step);
      g_autofree char *formula = plg_collective_steps_formula (&picture.collective_steps);
      gboolean is_run;
      g_autofree char *calls = plg_collective_picture_calls (&picture, &is_run);
      g_autoptr (GPtrArray) notes = plg_collective_picture_notes (&picture);
      int n = picture.collective_steps.members;
      /* Reserve the same width for row names in every step, so that the columns do not move
       * between steps. */
      const char *row_name = picture.collective_steps.shape == PLG_STEP_PATTERN_ALL_TO_ALL
                                 ? (n > 1000 ? _ ("from 00000") : _ ("from 0000"))
                                 : (n > 100 ? _ ("chunk 0000") : _ ("chunk 00"));
      const char *names[] = { row_name, _ ("rank"), _ ("node") };

      plg_chart_add_title (chart, title, words, PLG_ROLE_TEXT_DIM);
      plg_figure_describe (chart->figure, title, words);
      plg_chart_fit_names (chart, names, G_N_ELEMENTS (names));
      picture.pitch = MIN ((chart->right - chart->left - 4) / picture.window.members, 110);
      add_members (&picture);
      picture.top = chart->y;
      for (int row = 0; row < picture.window.chunks; row++)
        {
          int chunk = picture.window.first_chunk + row;
          g_autofree char *name = plg_collective_picture_row_name (&picture, chunk);

          plg_chart_add_name (chart, row_top (&picture, chunk) + CELL_HEIGHT / 2, name);
          for (int column = 0; column < picture.window.members; column++)
            add_cell (&picture, column, chunk);
        }
      add_sends (&picture);
      chart->y += picture.window.chunks * CELL_PITCH + 8;
      if (options->legend)
        add_legend (&picture);
      plg_chart_add_line (chart, TRUE, formula);
      plg_chart_add_line (chart, !is_run, calls);
      for (guint i = 0; i < notes->len; i++)
        plg_chart_add_line (chart, FALSE, notes->pdata[i]);
    }
  else
    {
      const char *text = _ ("Nothing to send: no group has more than one member");

      plg_chart_add_title (chart, _ ("One collective"), "", PLG_ROLE_TEXT_DIM);
      plg_figure_describe (chart->figure, _ ("One collective"), text);
      plg_chart_add_line (chart, FALSE, text);
    }
  g_clear_pointer (&picture.gpus, g_array_unref);
  return plg_chart_end (chart);
}

/* Monospace text ------------------------------------------------------------------------------- */

void
plg_ascii_add_collective (GString *out,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options)
{
  PlgCollectivePicture picture = { .plan = plan };

  if (plg_collective_picture_find (&picture, report, options))
    {
      gboolean is_run;
      g_autofree char *formula = plg_collective_steps_formula (&picture.collective_steps);
      g_autofree char *calls = plg_collective_picture_calls (&picture, &is_run);
      g_autoptr (GPtrArray) notes = plg_collective_picture_notes (&picture);
      g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (picture.window.members + 1);
      const PlgCollectiveWindow *window = &picture.window;
      int whole = plg_collective_steps_full_count (&picture.collective_steps);

      /* Write the name of each node only above its first member. */
      plg_monospace_table_add (table, "");
      for (int i = 0; i < window->members; i++)
        {
          g_autofree char *node = plg_plan_node_title (picture.plan,
                                                       plg_collective_picture_node (&picture, i));
          gboolean is_new = i == 0 || plg_collective_picture_node (&picture, i) !=
                                          plg_collective_picture_node (&picture, i - 1);

          plg_monospace_table_add (table, is_new ? node : "");
        }
      plg_monospace_table_add (table, _ ("rank"));
      for (int i = 0; i < window->members; i++)
        {
          int gpu = plg_collective_picture_gpu (&picture, plg_collective_window_member (window, i));

          plg_monospace_table_take (table,
                                    g_strdup_printf ("%d",
                                                     plg_placement_rank (&picture.plan->placement,
                                                                         gpu)));
        }

      for (int row = 0; row < window->chunks; row++)
        {
          int chunk = window->first_chunk + row;

          plg_monospace_table_take (table, plg_collective_picture_row_name (&picture, chunk));
          for (int column = 0; column < window->members; column++)
            {
              /* Fill each cell with a fraction such as "3/8", or with "✓" if chunks are not
               * summed, or with "." if the member does not have the chunk. Mark a chunk that was
               * just received with "+". */
              int member = plg_collective_window_member (window, column);
              int held = plg_collective_steps_held (&picture.collective_steps, picture.step, member,
                                                    chunk);
              gboolean is_new = plg_collective_picture_is_received (&picture, member, chunk);
              g_autofree char *share = g_strdup_printf ("%d/%d", held, whole);

              plg_monospace_table_take (table, g_strconcat (is_new ? "+" : "",
                                                            held == 0    ? "."
                                                            : whole == 1 ? "✓"
                                                                         : share,
                                                            NULL));
            }
        }
      plg_monospace_table_write (table, out);

      plg_monospace_end_line (out);
      if (options->legend != PLG_LEGEND_OFF)
        plg_monospace_add_line (out, "%s",
                                plg_collective_steps_full_count (&picture.collective_steps) > 1
                                    ? _ ("Numbers: members in the sum; + just received")
                                    : _ ("✓ there, + just received, . not there"));
      plg_monospace_add_paragraph (out, formula);
      plg_monospace_add_paragraph (out, calls);
      for (guint i = 0; i < notes->len; i++)
        plg_monospace_add_paragraph (out, notes->pdata[i]);
    }
  g_clear_pointer (&picture.gpus, g_array_unref);
}
