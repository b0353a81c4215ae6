/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ledger.h"
#include "drawing/figure/pictures.h"

#include "../engine/plans.h"

#include <locale.h>

/* The ledgers of links next to each other, on the shelf below the cluster. */

#define N_PINS 3

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgEntity
      highlighted[N_PINS + 1]; /* three links of node 0 are pinned, and a link of another node is
                                  hovered */
} Case;

static const PlgLink *
nth_link (const Case *c, int index)
{
  return &g_array_index (c->report->links, PlgLink, index);
}

/* Returns a link to a switch that more collectives cross than link 0. */
static int
link_with_more (const Case *c)
{
  for (int i = 0; i < (int) c->report->links->len; i++)
    if (nth_link (c, i)->tier == nth_link (c, 0)->tier &&
        nth_link (c, i)->n_shares > nth_link (c, 0)->n_shares)
      return i;
  g_assert_not_reached ();
}

static void
set_up (Case *c, gconstpointer data)
{
  c->plan = teaching_plan ();
  change (c->plan, "parallelism.pp=4 parallelism.dp=2");
  c->report = report_of (c->plan);
  for (int i = 0; i < N_PINS; i++)
    c->highlighted[i] = (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = i };
  c->highlighted[N_PINS] = (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = link_with_more (c) };
}

static void
tear_down (Case *c, gconstpointer data)
{
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
}

static PlgFigure *
draw (const Case *c, double width, int n_highlighted)
{
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, c->plan);
  options.embedded = TRUE;
  options.width = width;
  options.highlighted = c->highlighted;
  options.n_highlighted = n_highlighted;
  options.n_pins = N_PINS;
  return plg_ledger_figure (c->plan, c->report, &theme, &options);
}

/* A highlighted row of the communication table shows a link of the row's stage with the same
 * number of calls. Other stages have other calls: inner stages have twice the messages. */
static void
test_row_of_table (Case *c, gconstpointer data)
{
  const GArray *rows = c->report->collectives;

  for (int i = 0; i < (int) rows->len; i++)
    {
      int stage = g_array_index (rows, PlgCollective, i).stage;
      const PlgEntity row = { .kind = PLG_ENTITY_COLLECTIVE, .index = i };
      PlgPictureOptions options;
      const PlgLinkShare *share;
      PlgLedger ledger;

      plg_picture_options_init (&options, c->plan);
      options.highlighted = &row;
      options.n_highlighted = 1;
      plg_ledger_init (&ledger, c->plan, c->report, &options);
      g_assert_cmpint (ledger.n_accounts, ==, 1);
      share = plg_ledger_share (&ledger, ledger.accounts[0].link, i);
      g_assert_nonnull (share);
      g_assert_cmpfloat_with_epsilon (share->calls,
                                      plg_report_stage_calls (c->report, i, stage)->calls, 1e-6);
      plg_ledger_clear (&ledger);
    }
}

/* Ignores the kind of a link before TEXT. */
static PlgRect
place_of (const PlgFigure *figure, const char *text)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i)->kind == PLG_SHAPE_TEXT &&
        g_str_has_suffix (plg_figure_shape (figure, i)->text, text))
      return plg_figure_shape (figure, i)->rect;
  g_error ("no text is “%s”", text);
}

static const int widths[] = { 250, 290, 410, 560 };

/* The link under the pointer is in the first row with its whole name, even in a narrow pane. */
static void
test_hovered_link_is_visible (Case *c, gconstpointer data)
{
  g_autofree char *name = plg_describe_link_ends (c->plan,
                                                  nth_link (c, c->highlighted[N_PINS].index));

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (PlgFigure) figure = draw (c, widths[i], N_PINS + 1);

      g_assert_cmpfloat (place_of (figure, name).y, <, 20);
    }
}

/* The hovered link adds rows below the rows of the pins, which do not move. */
static void
test_pins_stay (Case *c, gconstpointer data)
{
  static const char *const rows[] = { "TP all-gather", "TP reduce-scatter" };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (PlgFigure) pins = draw (c, widths[i], N_PINS);
      g_autoptr (PlgFigure) all = draw (c, widths[i], N_PINS + 1);

      for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
        {
          g_assert_cmpfloat (place_of (all, rows[k]).y, ==, place_of (pins, rows[k]).y);
          g_assert_cmpfloat (place_of (all, "TP all-reduce (loss)").y, >,
                             place_of (all, rows[k]).y);
        }
    }
}

/* Six collectives and their sum fit on the shelf of a window of 768 pixels. */
static void
test_rows_are_near (Case *c, gconstpointer data)
{
  g_autoptr (PlgFigure) figure = draw (c, 290, N_PINS + 1);
  double first = place_of (figure, "TP all-gather").y, pitch;

  pitch = place_of (figure, "TP reduce-scatter").y - first;
  g_assert_cmpfloat (first + 6 * pitch, <, 170);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C");
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/ledger/" name, Case, NULL, set_up, function, tear_down)
  ADD ("row-of-table", test_row_of_table);
  ADD ("hovered-link-is-visible", test_hovered_link_is_visible);
  ADD ("pins-stay", test_pins_stay);
  ADD ("rows-are-near", test_rows_are_near);
#undef ADD
  return g_test_run ();
}
