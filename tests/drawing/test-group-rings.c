/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

/* Rings of groups and of collectives. */

/* One ring of each axis is drawn, and the legend shows the number of rings. */
static void
test_one_ring_per_axis (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  c.options.legend = TRUE;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (find_text (figure, "TP ring, one of 8"));
  g_assert_nonnull (find_text (figure, "PP send, one of 16 chains"));
  g_assert_nonnull (find_text (figure, "DP ring, one of 32"));
  case_clear (&c);
}

/* Returns whether the ring of GROUP lies below the GPUs; a highlighted ring lies over them. */
static gboolean
is_ring_below (const PlgFigure *figure, PlgAxis axis, int group)
{
  int ring = -1, gpu = -1;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->arrow && shape->entity.kind == PLG_ENTITY_GROUP && shape->entity.axis == axis &&
          shape->entity.index == group)
        ring = i;
      if (gpu < 0 && shape->kind == PLG_SHAPE_RECT && shape->entity.kind == PLG_ENTITY_GPU)
        gpu = i;
    }
  g_assert_cmpint (ring, >=, 0);
  return ring < gpu;
}

/* With one axis alone all its rings are drawn, the ring under the pointer strongest, and no rings
 * of other axes. The legend shows the number of rings. */
static void
test_rings_of_one_axis (void)
{
  const PlgEntity highlighted = axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, 3);
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  c.options.legend = TRUE;
  c.options.show = PLG_SHOW_TP;
  c.options.highlighted = &highlighted;
  c.options.n_highlighted = 1;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (find_text (figure, "TP ring, one of 8"));
  g_assert_nonnull (find_text (figure, "the 7 others"));
  for (int group = 0; group < 8; group++)
    g_assert_true (is_ring_below (figure, PLG_AXIS_TP, group) == (group != 3));
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i)->arrow)
      g_assert_cmpint (plg_figure_shape (figure, i)->entity.axis, ==, PLG_AXIS_TP);
  case_clear (&c);
}

static int
count_arrows (const PlgFigure *figure)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    n += plg_figure_shape (figure, i)->arrow;
  return n;
}

/* At a low zoom the rings of 16,384 GPUs are not thousands of lines: arrows between racks
 * represent all rings. */
static void
test_rings_at_low_zoom (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, sample_named ("16384"));
  c.options.rings = TRUE;
  c.options.show = PLG_SHOW_DP;
  c.options.zoom = 0.05;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_cmpint (count_arrows (figure), >=, 63);
  g_assert_cmpint (count_arrows (figure), <=, 200);
  case_clear (&c);
}

static void
test_rings (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  c.options.selected = entity (PLG_ENTITY_GPU, 9);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "ring-tp-1"));
  g_assert_nonnull (plg_figure_find (figure, "chain-pp-1"));
  g_assert_nonnull (plg_figure_find (figure, "ring-dp-9"));
  g_assert_null (plg_figure_find (figure, "link-nvlink-0-0"));
  case_clear (&c);
}

static PlgColor
color_of_ring (const PlgFigure *figure, PlgAxis axis)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->arrow && shape->entity.kind == PLG_ENTITY_GROUP && shape->entity.axis == axis)
        return shape->stroke;
    }
  g_assert_not_reached ();
}

static int
collective_of (const Case *c, PlgAxis axis)
{
  for (guint i = 0; i < c->report->collectives->len; i++)
    if (g_array_index (c->report->collectives, PlgCollective, i).axis == axis)
      return i;
  g_assert_not_reached ();
}

/* With a row of the communication table or a part of the step highlighted, rings of its axis keep
 * their colour and the others are dimmed like links. */
static void
test_focus_of_axis (void)
{
  static const PlgPart parts[] = { [PLG_AXIS_TP] = PLG_PART_TP, [PLG_AXIS_DP] = PLG_PART_DP };
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_DP };

  for (gsize k = 0; k < 2 * G_N_ELEMENTS (axes); k++)
    {
      PlgAxis highlighted = axes[k / 2], other = axes[1 - k / 2];
      g_autoptr (PlgFigure) before = NULL, figure = NULL;
      Case c;

      case_init (&c, &sample_default);
      c.options.rings = TRUE;
      before = draw (&c, PLG_PICTURE_CLUSTER);
      highlight (&c, k % 2 == 0 ? entity (PLG_ENTITY_COLLECTIVE, collective_of (&c, highlighted))
                                : entity (PLG_ENTITY_PART, parts[highlighted]));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_true (same_color (color_of_ring (figure, highlighted),
                                 color_of_ring (before, highlighted)));
      g_assert_false (same_color (color_of_ring (figure, other), color_of_ring (before, other)));
      case_clear (&c);
    }
}

/* A highlighted node has the TP ring inside it and no other. */
static void
test_focus_of_node (void)
{
  Case c;
  g_autoptr (PlgFigure) before = NULL, figure = NULL;

  case_init (&c, &sample_default);
  c.options.rings = TRUE;
  before = draw (&c, PLG_PICTURE_CLUSTER);
  highlight (&c, entity (PLG_ENTITY_NODE, 5));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "ring-tp-5"));
  g_assert_null (plg_figure_find (figure, "ring-tp-0"));
  g_assert_true (same_color (color_of_ring (figure, PLG_AXIS_TP),
                             color_of_ring (before, PLG_AXIS_TP)));
  g_assert_false (same_color (color_of_ring (figure, PLG_AXIS_PP),
                              color_of_ring (before, PLG_AXIS_PP)));
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rings/one-per-axis", test_one_ring_per_axis);
  g_test_add_func ("/rings/of-one-axis", test_rings_of_one_axis);
  g_test_add_func ("/rings/low-zoom", test_rings_at_low_zoom);
  g_test_add_func ("/rings/groups", test_rings);
  g_test_add_func ("/rings/focus-of-axis", test_focus_of_axis);
  g_test_add_func ("/rings/focus-of-node", test_focus_of_node);
  return g_test_run ();
}
