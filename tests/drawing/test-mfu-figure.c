/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

/* The losses from the peak to the MFU. */

/* Returns the numbers at the ends of the bars, in the order of the rows. */
static GArray *
shares_in (const PlgFigure *figure)
{
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (double));

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      gboolean is_loss;
      double share;

      if (shape->kind != PLG_SHAPE_TEXT || !g_str_has_suffix (shape->text, "%"))
        continue;
      is_loss = g_str_has_prefix (shape->text, "−");
      share = g_ascii_strtod (is_loss ? shape->text + strlen ("−") : shape->text, NULL);
      if (is_loss)
        share = -share;
      g_array_append_val (shares, share);
    }
  return shares;
}

static void
test_mfu_adds_up (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  g_autoptr (GArray) shares = NULL;
  double sum = 0;

  case_init (&c, &sample_default);
  c.options.embedded = TRUE;
  figure = draw (&c, PLG_PICTURE_MFU);
  shares = shares_in (figure);
  /* The rows are peak, kernels, recompute, bubble, TP, PP, DP, optimizer and MFU; CP and EP are
   * zero here and omitted. */
  g_assert_cmpint (shares->len, ==, 9);
  g_assert_cmpfloat (g_array_index (shares, double, 0), ==, 100);
  for (guint i = 0; i + 1 < shares->len; i++)
    sum += g_array_index (shares, double, i);
  g_assert_cmpfloat_with_epsilon (sum, g_array_index (shares, double, shares->len - 1), 0.5);
  g_assert_cmpfloat_with_epsilon (g_array_index (shares, double, 1), -25, 0.051);
  g_assert_cmpfloat_with_epsilon (sum, 45, 0.5);
  case_clear (&c);
}

/* Each bar begins where the one above ends. */
static void
test_mfu_bars (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double level = -1;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_MFU);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      double right = shape->rect.x + shape->rect.width;

      if (shape->kind != PLG_SHAPE_RECT || shape->entity.kind != PLG_ENTITY_PART)
        continue;
      if (level >= 0)
        g_assert_cmpfloat_with_epsilon (right, level, 1);
      level = shape->rect.x;
    }
  g_assert_cmpfloat (level, >, 0);
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mfu-figure/adds-up", test_mfu_adds_up);
  g_test_add_func ("/mfu-figure/bars", test_mfu_bars);
  return g_test_run ();
}
