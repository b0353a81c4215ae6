/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "drawing/charts/collective-window.h"
#include "drawing/charts/ascii.h"

/* A collective step by step. */

/* Each member of a ring passes on one chunk per step; steps outside of the range show the same
 * cells as the first or last step. */
static void
test_collective (void)
{
  for (int frame = -1; frame <= 8; frame++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      int cells = 0, received = 0;

      case_init (&c, &sample_default);
      c.options.frame = frame;
      figure = draw (&c, PLG_PICTURE_COLLECTIVE);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const char *classes = plg_figure_shape (figure, i)->classes;

          cells += classes != NULL && g_str_has_prefix (classes, "cell");
          received += classes != NULL && g_str_has_prefix (classes, "cell new");
        }
      g_assert_cmpint (cells, ==, 8 * 8);
      g_assert_cmpint (received, ==, frame > 0 ? 8 : 0);
      case_clear (&c);
    }
}

/* The picture of a group of 128 shows the neighbours of the chosen rank and the number of omitted
 * members. Each node has its number. */
static void
test_large_collective (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *dump = NULL;

  case_init (&c, sample_named ("16384"));
  c.options.collective = 1;
  c.options.rank = 8191;
  figure = draw (&c, PLG_PICTURE_COLLECTIVE);
  dump = plg_figure_dump (figure);
  g_assert_nonnull (strstr (dump, "112 of 128 members are left out: the picture shows rank 8191,"));
  g_assert_nonnull (strstr (dump, "says \"8191\""));
  g_assert_nonnull (strstr (dump, "says \"node\""));
  g_assert_null (strstr (dump, "…"));
  case_clear (&c);
}

static int
sends_in (const PlgCollectiveWindow *window, const PlgCollectiveSteps *collective_steps, int step)
{
  int n = 0;

  for (int column = 0; column < window->members; column++)
    {
      int chunk;

      n += plg_collective_steps_sender (collective_steps, step,
                                        plg_collective_window_member (window, column),
                                        &chunk) >= 0 &&
           plg_collective_window_has_chunk (window, chunk);
    }
  return n;
}

/* For any number of members, the chosen member is drawn and receives data in each step. */
static void
test_chosen_member (void)
{
  static const int sizes[] = { 2, 16, 17, 40, 512 };
  static const PlgStepPattern shapes[] = { PLG_STEP_PATTERN_REDUCE_SCATTER,
                                           PLG_STEP_PATTERN_ALL_GATHER, PLG_STEP_PATTERN_ALL_REDUCE,
                                           PLG_STEP_PATTERN_ALL_TO_ALL, PLG_STEP_PATTERN_CHAIN };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (shapes); i++)
    {
      const PlgCollectiveSteps collective_steps = { shapes[i % G_N_ELEMENTS (shapes)],
                                                    sizes[i / G_N_ELEMENTS (shapes)], 1e6 };
      int own = collective_steps.members * 2 / 3;

      for (int step = 1; step <= plg_collective_steps_count (&collective_steps); step++)
        {
          gboolean is_chain = collective_steps.shape == PLG_STEP_PATTERN_CHAIN;
          PlgCollectiveWindow window;

          plg_collective_window_init (&window, &collective_steps, own, step);
          g_assert_cmpint (plg_collective_window_column (&window, is_chain ? step : own), >=, 0);
          g_assert_cmpint (sends_in (&window, &collective_steps, step), >=,
                           is_chain
                               ? 1
                               : MIN (collective_steps.members, PLG_COLLECTIVE_WINDOW_MAX / 2));
        }
    }
}

/* The plain text of the split shows the same data at each step as the picture. */
static void
test_split_as_text (void)
{
  static const char *const rows[] = { "rank 1 X A1 . . B1 . .", "rank 1 X A1 +Y1 . B1 . .",
                                      "rank 1 X A1 Y1 +G1 B1 . .", "rank 1 X A1 Y1 G1 B1 +Z1 .",
                                      "rank 1 X A1 Y1 G1 B1 Z1 +ΣZ" };

  for (int frame = 0; frame <= PLG_SPLIT_STEPS; frame++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      g_autofree char *text = NULL, *plain = NULL;
      g_autoptr (GRegex) spaces = g_regex_new (" +", 0, 0, NULL);

      case_init (&c, &sample_default);
      c.options.frame = frame;
      figure = draw (&c, PLG_PICTURE_SPLIT);
      text = plg_ascii_write (figure, &(PlgAsciiSubject) { PLG_PICTURE_SPLIT, c.plan, c.report,
                                                           &c.options });
      plain = g_regex_replace_literal (spaces, text, -1, 0, " ", 0, NULL);
      g_assert_nonnull (strstr (plain, rows[frame]));
      case_clear (&c);
    }
}

/* A plan without TP splits nothing: the picture explains this and shows two ranks. */
static void
test_split_of_one (void)
{
  Sample one = sample_default;
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *text = NULL;

  one.tp = 1;
  one.dp = 16;
  case_init (&c, &one);
  figure = draw (&c, PLG_PICTURE_SPLIT);
  text = plg_ascii_write (figure,
                          &(PlgAsciiSubject) { PLG_PICTURE_SPLIT, c.plan, c.report, &c.options });
  g_assert_nonnull (
      strstr (text, "TP is 1 in this plan, so nothing is split; the picture is drawn for 2 ranks"));
  g_assert_nonnull (strstr (text, "each rank has 1/2 of both"));
  g_assert_null (strstr (text, "1/1"));
  case_clear (&c);
}

/* The description of a single step does not mention a first step. */
static void
test_single_step (void)
{
  const PlgCollectiveSteps one = { PLG_STEP_PATTERN_CHAIN, 2, 1e6 },
                           three = { PLG_STEP_PATTERN_REDUCE_SCATTER, 4, 1e6 };
  g_autofree char *only = plg_collective_steps_describe (&one, 0),
                  *first = plg_collective_steps_describe (&three, 0);

  g_assert_cmpstr (only, ==, "before the only step");
  g_assert_cmpstr (first, ==, "before the first of 3 steps");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/collective-figure/of-a-group", test_collective);
  g_test_add_func ("/collective-figure/large", test_large_collective);
  g_test_add_func ("/collective-figure/chosen-member", test_chosen_member);
  g_test_add_func ("/collective-figure/split-as-text", test_split_as_text);
  g_test_add_func ("/collective-figure/split-of-one", test_split_of_one);
  g_test_add_func ("/collective-figure/single-step", test_single_step);
  return g_test_run ();
}
