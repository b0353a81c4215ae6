/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

/* The ledger of a link. */

/* In a narrow panel the note below a ledger takes more lines and is not cut. */
static void
test_note_of_narrow_ledger (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autoptr (GString) note = g_string_new (NULL);

  case_init (&c, &sample_default);
  c.options.embedded = TRUE;
  c.options.width = 240;
  figure = draw (&c, PLG_PICTURE_LEDGER);
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind == PLG_SHAPE_TEXT)
        g_string_append_printf (note, "%s ", shape->text);
    }
  g_assert_nonnull (strstr (note->str,
                            "Busy: the time to transfer the bytes at the link's full rate. A "
                            "collective takes longer because of latency and waiting. "));
  case_clear (&c);
}

/* Each stage calls its collectives 100 times more often than the previous stage; the first stage
 * calls none. */
static void
add_stage_calls (const Case *c)
{
  for (guint i = 0; i < c->report->collectives->len; i++)
    for (int stage = 0; stage < 4; stage++)
      {
        PlgStageCalls calls = { 100 * stage, 1e6, 1e8 * stage, 0.1 * stage };

        g_array_index (c->report->collectives, PlgCollective, i).stage = 3;
        g_array_append_val (c->report->stage_calls, calls);
      }
}

/* A group shows its own calls, not the calls of the busiest stage; a collective without calls is
 * neither described nor played. */
static void
test_own_calls (void)
{
  static const char *const calls[] = { NULL, "100 calls of", "200 calls of", "300 calls of" };
  static const char *const played[] = {
    "Rank 0 on stage 0 never runs this collective; rank 24 on stage 3 does",
    "100 calls per step on stage 1",
    "200 calls per step on stage 2",
    "300 calls per step on stage 3",
  };
  Case c;

  case_init (&c, &sample_default);
  add_stage_calls (&c);
  for (int stage = 0; stage < 4; stage++)
    {
      g_autofree char *words = plg_describe_entity (c.plan, c.report,
                                                    axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP,
                                                                 stage));
      g_autofree char *dump = NULL;
      g_autoptr (PlgFigure) figure = NULL;

      c.options.rank = 8 * stage;
      figure = draw (&c, PLG_PICTURE_COLLECTIVE);
      dump = plg_figure_dump (figure);
      g_assert_nonnull (strstr (dump, played[stage]));
      g_assert_cmpint (strstr (words, "all-gather") != NULL, ==, stage > 0);
      g_assert_cmpint (strstr (words, "exposed") != NULL, ==, stage == 3);
      if (stage > 0)
        g_assert_nonnull (strstr (words, calls[stage]));
    }
  case_clear (&c);
}

/* The links of two GPUs are next to each other, also in a narrow pane: the numbers of a row are
 * below each other, not in two rows. */
static void
test_narrow_ledger (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgEntity pins[] = { entity (PLG_ENTITY_LINK, 0), entity (PLG_ENTITY_LINK, 1) };
  double top = -1;
  int columns = 0;

  case_init (&c, &sample_default);
  c.options.width = 400;
  c.options.highlighted = pins;
  c.options.n_highlighted = c.options.n_pins = 2;
  figure = draw (&c, PLG_PICTURE_LEDGER);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT || g_strcmp0 (shape->text, "Busy") != 0)
        continue;
      if (columns++ > 0)
        g_assert_cmpfloat (shape->rect.y, ==, top);
      top = shape->rect.y;
    }
  g_assert_cmpint (columns, ==, 2);
  case_clear (&c);
}

/* Counts TEXT in FIGURE; all occurrences must be at the same height. */
static int
count_side_by_side (const PlgFigure *figure, const char *text)
{
  double top = -1;
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT || g_strcmp0 (shape->text, text) != 0)
        continue;
      if (n++ > 0)
        g_assert_cmpfloat (shape->rect.y, ==, top);
      top = shape->rect.y;
    }
  return n;
}

/* Three compared links have calls, bytes and time each, however narrow the pane is. */
static void
test_all_numbers (void)
{
  Case c;
  PlgEntity pins[3];

  case_init (&c, &sample_default);
  for (int i = 0; i < 3; i++)
    pins[i] = entity (PLG_ENTITY_LINK, i);
  c.options.highlighted = pins;
  c.options.n_highlighted = c.options.n_pins = 3;
  c.options.embedded = TRUE;
  for (c.options.width = 540; c.options.width < 1200; c.options.width += 20)
    {
      g_autoptr (PlgFigure) figure = draw (&c, PLG_PICTURE_LEDGER);

      g_assert_cmpint (count_side_by_side (figure, "Calls"), ==, 3);
      g_assert_cmpint (count_side_by_side (figure, "Out"), ==, 3);
      g_assert_cmpint (count_side_by_side (figure, "Busy"), ==, 3);
    }
  case_clear (&c);
}

/* The title right of the badge of PIN is complete; the last of several lines ends with its
 * number, and each number is on the line of its noun. */
static void
assert_title_whole (const PlgFigure *figure, int pin)
{
  g_autofree char *badge = g_strdup_printf ("%d", pin + 1), *end = g_strdup_printf (" %d", pin);

  for (int k = 0; k + 2 < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *number = plg_figure_shape (figure, k), *title = number + 1, *last = title;

      if (number->kind != PLG_SHAPE_TEXT || strcmp (number->text, badge) != 0)
        continue;
      g_assert_cmpint (title->kind, ==, PLG_SHAPE_TEXT);
      g_assert_null (strstr (title->text, "…"));
      for (; last[1].rect.x == title->rect.x; last++)
        g_assert_false (g_ascii_isdigit (last[1].text[0]));
      g_assert_true (last == title || g_str_has_suffix (last->text, end));
      return;
    }
  g_assert_not_reached ();
}

/* However narrow the pane is, each column of links of one node has the full name of its link. */
static void
test_narrow_ledger_names (void)
{
  Case c;
  PlgEntity pins[4];
  int n = 0;

  case_init (&c, &sample_default);
  for (guint i = 0; i < c.report->links->len && n < 4; i++)
    if (g_array_index (c.report->links, PlgLink, i).tier == PLG_TIER_PCIE &&
        g_array_index (c.report->links, PlgLink, i).node == 1)
      pins[n++] = entity (PLG_ENTITY_LINK, i);
  g_assert_cmpint (n, ==, 4);
  c.options.highlighted = pins;
  c.options.n_highlighted = c.options.n_pins = n;
  c.options.embedded = TRUE;
  for (c.options.width = 180; c.options.width < 700; c.options.width += 10)
    {
      g_autoptr (PlgFigure) figure = draw (&c, PLG_PICTURE_LEDGER);

      for (int pin = 0; pin < n; pin++)
        assert_title_whole (figure, pin);
    }
  case_clear (&c);
}

/* If numbers are below each other and rows are high, their sum is above them, so that the sum is
 * visible on the shelf without scrolling. */
static void
test_total_is_visible (void)
{
  Case c;
  PlgEntity pins[3];

  case_init (&c, &sample_default);
  for (int i = 0; i < 3; i++)
    pins[i] = entity (PLG_ENTITY_LINK, i);
  c.options.highlighted = pins;
  c.options.n_highlighted = c.options.n_pins = 3;
  c.options.embedded = TRUE;
  for (c.options.width = 400; c.options.width < 1200; c.options.width += 20)
    {
      g_autoptr (PlgFigure) figure = draw (&c, PLG_PICTURE_LEDGER);
      double bottom = 0;

      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        if (g_strcmp0 (plg_figure_shape (figure, i)->text, "In all") == 0)
          bottom = plg_figure_shape (figure, i)->rect.y;
      g_assert_cmpfloat (bottom, >, 0);
      g_assert_cmpfloat (bottom, <, 150);
    }
  case_clear (&c);
}

/* Returns the title right of the badge of PIN, 1 or 2. */
static const char *
title_of (const PlgFigure *figure, const char *pin)
{
  for (int k = 0; k + 1 < plg_figure_n_shapes (figure); k++)
    if (plg_figure_shape (figure, k)->kind == PLG_SHAPE_TEXT &&
        strcmp (plg_figure_shape (figure, k)->text, pin) == 0)
      return plg_figure_shape (figure, k + 1)->text;
  g_assert_not_reached ();
}

/* If each link has half a pane, the names of the two links of one GPU distinguish them. */
static void
test_two_links_of_one_gpu (void)
{
  Case c;
  PlgEntity pins[2] = { { PLG_ENTITY_NONE, 0, 0 } };

  case_init (&c, &sample_default);
  for (int i = (int) c.report->links->len - 1; i >= 0; i--)
    {
      const PlgLink *link = &g_array_index (c.report->links, PlgLink, i);

      if (link->node == 2 && link->local == 3 && link->tier == PLG_TIER_NVLINK)
        pins[0] = entity (PLG_ENTITY_LINK, i);
      if (link->node == 2 && link->local == 3 && link->tier == PLG_TIER_PCIE)
        pins[1] = entity (PLG_ENTITY_LINK, i);
    }
  g_assert_cmpint (pins[0].kind, ==, PLG_ENTITY_LINK);
  g_assert_cmpint (pins[1].kind, ==, PLG_ENTITY_LINK);
  c.options.highlighted = pins;
  c.options.n_highlighted = c.options.n_pins = 2;
  c.options.embedded = TRUE;
  for (c.options.width = 440; c.options.width < 1000; c.options.width += 20)
    {
      g_autoptr (PlgFigure) figure = draw (&c, PLG_PICTURE_LEDGER);

      g_assert_true (g_str_has_prefix (title_of (figure, "1"), "NVL"));
      g_assert_true (g_str_has_prefix (title_of (figure, "2"), "PCI"));
    }
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ledger-figure/own-calls", test_own_calls);
  g_test_add_func ("/ledger-figure/narrow", test_narrow_ledger);
  g_test_add_func ("/ledger-figure/all-numbers", test_all_numbers);
  g_test_add_func ("/ledger-figure/narrow-names", test_narrow_ledger_names);
  g_test_add_func ("/ledger-figure/total", test_total_is_visible);
  g_test_add_func ("/ledger-figure/two-links-of-one-gpu", test_two_links_of_one_gpu);
  g_test_add_func ("/ledger-figure/narrow-note", test_note_of_narrow_ledger);
  return g_test_run ();
}
