/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

/* A collective step by step. */

/* A ring hands on one chunk a member and step, which all cells say; beyond its ends it stands. */
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

/* Of a group of 128 the first are drawn, and the picture says so. */
static void
test_large_collective (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *dump = NULL;

  case_init (&c, sample_named ("16384"));
  c.options.collective = 1;
  figure = draw (&c, PLG_PICTURE_COLLECTIVE);
  dump = plg_figure_dump (figure);
  g_assert_nonnull (strstr (dump, "The first 16 of 128 members"));
  g_assert_nonnull (plg_figure_find (figure, "member-15"));
  g_assert_null (plg_figure_find (figure, "member-16"));
  case_clear (&c);
}

/* One step has no first. */
static void
test_relay_of_one_step (void)
{
  const PlgRelay one = { PLG_RELAY_CHAIN, 2, 1e6 }, three = { PLG_RELAY_REDUCE, 4, 1e6 };
  g_autofree char *only = plg_relay_in_words (&one, 0), *first = plg_relay_in_words (&three, 0);

  g_assert_cmpstr (only, ==, "before the only step");
  g_assert_cmpstr (first, ==, "before the first of 3 steps");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/collective/of-a-group", test_collective);
  g_test_add_func ("/collective/large", test_large_collective);
  g_test_add_func ("/collective/relay-of-one-step", test_relay_of_one_step);
  return g_test_run ();
}
