/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "drawing/cluster/cluster-layout.h"
#include "plan/fault.h"

/* Slow and failed links, NICs and GPUs. */

static int
n_of_class (const PlgFigure *figure, const char *classes)
{
  int n = 0;

  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    n += g_strcmp0 (plg_figure_shape (figure, k)->classes, classes) == 0;
  return n;
}

/* A slow or failed link has a sign and dashed lines. The rail next to a NIC, which serves the
 * nodes below, is solid, and all other shapes are unchanged. */
static void
test_faults (void)
{
  Case c;
  g_autoptr (PlgFigure) sound = NULL;
  g_autoptr (PlgFigure) faulty = NULL;
  int dashed = 0;

  case_init (&c, &sample_default);
  c.options.legend = FALSE;
  sound = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (plg_faults_from_string (&c.plan->cluster, "gpu:17=0.8,port:5=0.5,nic:2.3=0",
                                         NULL));
  faulty = draw (&c, PLG_PICTURE_CLUSTER);
  for (int k = 0; k < plg_figure_n_shapes (faulty); k++)
    {
      const PlgShape *shape = plg_figure_shape (faulty, k);
      const PlgLink *link;

      if (shape->kind != PLG_SHAPE_PATH || shape->entity.kind != PLG_ENTITY_LINK)
        continue;
      link = &g_array_index (c.report->links, PlgLink, shape->entity.index);
      g_assert_cmpint (shape->dashed, ==,
                       link->tier == PLG_TIER_NVLINK && link->node == 0 && link->local == 5);
      dashed += shape->dashed;
    }
  g_assert_cmpint (dashed, ==, 2);
  g_assert_cmpint (n_of_class (faulty, "fault"), ==, 3);
  /* Each sign is in a group: a box with text, three discs, two strokes and a cross. */
  g_assert_cmpint (plg_figure_n_shapes (faulty), ==, plg_figure_n_shapes (sound) + 6 + 2 + 3 + 4);
  case_clear (&c);
}

/* The cables of the nodes below pass a failed NIC in their own style; the stub of the NIC ends
 * before the cables. */
static void
test_failed_nic (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double shortest = G_MAXDOUBLE, longest = 0;

  case_init (&c, &sample_default);
  g_assert_true (plg_faults_from_string (&c.plan->cluster, "nic:2.3=0", NULL));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);
      const PlgLink *link;

      if (shape->kind != PLG_SHAPE_PATH || shape->entity.kind != PLG_ENTITY_LINK)
        continue;
      link = &g_array_index (c.report->links, PlgLink, shape->entity.index);
      if (link->tier == PLG_TIER_NIC)
        g_assert_true (link->node != 2 || link->local != 3);
      if (link->tier != PLG_TIER_PCIE)
        continue;
      shortest = MIN (shortest, shape->rect.width);
      longest = MAX (longest, shape->rect.width);
    }
  g_assert_cmpfloat (shortest, <, 0.5 * longest);
  case_clear (&c);
}

/* Returns the first disc in the colour of errors; the sign of the legend follows. */
static const PlgShape *
fault_disc (const PlgFigure *figure, const PlgTheme *theme)
{
  PlgColor error = theme->role[PLG_ROLE_ERROR];

  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind == PLG_SHAPE_RECT && shape->radius == shape->rect.width / 2 &&
          (memcmp (&shape->fill, &error, sizeof error) == 0 ||
           memcmp (&shape->stroke, &error, sizeof error) == 0))
        return shape;
    }
  return NULL;
}

/* At any zoom each fault is visible at the minimum size, and the legend names it. */
static void
test_faults_at_low_zoom (void)
{
  static const double zooms[] = { 1, 0.5, 0.25, 0.1, 0.045 };
  static const char *const faults[] = { "gpu:300=0.5", "port:300=0.5", "nic:30.2=0",
                                        "uplink:3.0=0.5" };
  Case c;

  case_init (&c, sample_named ("1024"));
  for (gsize i = 0; i < G_N_ELEMENTS (zooms) * G_N_ELEMENTS (faults); i++)
    {
      const char *fault = faults[i % G_N_ELEMENTS (faults)];
      double zoom = zooms[i / G_N_ELEMENTS (faults)];
      g_autoptr (PlgFigure) sound = NULL, figure = NULL;
      const PlgShape *disc;

      c.options.zoom = zoom;
      c.plan->cluster.n_faults = 0;
      c.options.legend = TRUE;
      sound = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_true (plg_faults_from_string (&c.plan->cluster, fault, NULL));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_nonnull (find_text (figure, g_str_has_prefix (fault, "nic") ? "failed link"
                                           : g_str_has_prefix (fault, "gpu")
                                               ? "slow GPU, at 50 %"
                                               : "slow link, at 50 %"));
      disc = fault_disc (figure, &c.theme);
      g_assert_nonnull (disc);
      g_assert_cmpfloat (disc->rect.width * zoom, >=, 8);
      g_assert_cmpfloat (disc->rect.x, >=, 0);
      g_assert_cmpfloat (disc->rect.x + disc->rect.width, <=, plg_figure_width (figure));
      g_assert_null (fault_disc (sound, &c.theme));
    }
  case_clear (&c);
}

static gboolean
overlap (PlgRect a, PlgRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* At any zoom, and with large texts, a sign is large enough and hides neither the number of a GPU
 * nor the name of a rail. */
static void
test_fault_signs_are_clear (void)
{
  static const double zooms[] = { 1.5, 1, 0.76, 0.74, 0.73, 0.6, 0.58, 0.48, 0.37 };
  static const char *const faults[] = { "gpu:17=0.4", "gpu:63=0.4", "port:17=0.5", "nic:1.2=0",
                                        "uplink:0.0=0.5" };
  Case c;

  case_init (&c, &sample_default);
  c.options.legend = FALSE;
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (zooms) * G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *disc;

      c.options.zoom = zooms[i / 2 % G_N_ELEMENTS (zooms)];
      c.options.min_text_size = i % 2 ? 18 : 0;
      c.plan->cluster.n_faults = 0;
      g_assert_true (plg_faults_from_string (&c.plan->cluster, faults[i / 2 / G_N_ELEMENTS (zooms)],
                                             NULL));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      disc = fault_disc (figure, &c.theme);
      g_assert_nonnull (disc);
      g_assert_cmpfloat (disc->rect.width * c.options.zoom, >=,
                         c.options.zoom >= PLG_CLUSTER_FULL_DETAIL_ZOOM
                             ? MAX (14, c.options.min_text_size)
                             : 14);
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);
          PlgRect ink = shape->rect;

          if (shape->kind != PLG_SHAPE_TEXT)
            continue;
          /* Digits have no descenders and end below the upper edge of their line. */
          ink.y += 0.15 * ink.height;
          ink.height *= 0.6;
          g_assert_false (overlap (ink, disc->rect));
        }
    }
  case_clear (&c);
}

/* A slow part has another sign than a failed part, without a line that crosses it out. */
static void
test_slow_is_not_crossed_out (void)
{
  static const char *const faults[] = { "gpu:17=0.4", "nic:1.2=0" };
  Case c;

  case_init (&c, &sample_default);
  c.options.legend = FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *disc, *sign;

      c.options.zoom = 1;
      c.plan->cluster.n_faults = 0;
      g_assert_true (plg_faults_from_string (&c.plan->cluster, faults[i], NULL));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      disc = fault_disc (figure, &c.theme);
      g_assert_nonnull (disc);
      sign = disc + 1;
      g_assert_cmpint (sign->kind, ==, PLG_SHAPE_PATH);
      g_assert_cmpint (sign->closed, ==, i == 0);
      g_assert_cmpint (sign->n_points, ==, i == 0 ? 3 : 2);
    }
  case_clear (&c);
}

/* The sign of a slow GPU stays visible when the GPU is selected: no outline and no ring lies over
 * it. */
static void
test_slow_sign_is_visible (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  PlgRect tile;
  int mark = -1;

  case_init (&c, &sample_default);
  c.plan->cluster.faults[0] = (PlgFault) { PLG_FAULT_GPU, 0, 0, 0.5 };
  c.plan->cluster.n_faults = 1;
  c.options.selected = entity (PLG_ENTITY_GPU, 0);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  tile = plg_figure_find_entity (figure, entity (PLG_ENTITY_GPU, 0))->rect;
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind == PLG_SHAPE_TEXT && g_str_equal (shape->text, "50\u00a0%"))
        mark = k;
    }
  g_assert_cmpint (mark, >=, 0);
  for (int k = mark + 1; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);
      PlgRect text = plg_figure_shape (figure, mark)->rect;

      if (shape->kind == PLG_SHAPE_RECT && shape->fill.alpha > 0)
        g_assert_false (shape->rect.x < text.x + text.width &&
                        text.x < shape->rect.x + shape->rect.width &&
                        shape->rect.y < text.y + text.height &&
                        text.y < shape->rect.y + shape->rect.height);
    }
  mark--;
  g_assert_cmpfloat (plg_figure_shape (figure, mark)->rect.y, >, tile.y + 1);
  g_assert_cmpfloat (plg_figure_shape (figure, mark)->rect.y +
                         plg_figure_shape (figure, mark)->rect.height,
                     <, tile.y + tile.height);
  case_clear (&c);
}

/* A failed link has a cross, which is one stroke more than the sign of a slow link; the legend
 * names both and the rate. */
static void
test_slow_and_failed_differ (void)
{
  static const struct
  {
    const char *faults;
    const char *words;
  } rows[] = { { "nic:2.3=0", "failed link" }, { "nic:2.3=0.5", "slow link, at 50 %" } };
  int n[G_N_ELEMENTS (rows)];

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, &sample_default);
      g_assert_true (plg_faults_from_string (&c.plan->cluster, rows[i].faults, NULL));
      c.options.legend = TRUE;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_nonnull (find_text (figure, rows[i].words));
      n[i] = plg_figure_n_shapes (figure);
      case_clear (&c);
    }
  /* The cross is on the link and in the legend. */
  g_assert_cmpint (n[0], ==, n[1] + 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/slow-is-not-crossed-out", test_slow_is_not_crossed_out);
  g_test_add_func ("/faults/drawn", test_faults);
  g_test_add_func ("/faults/failed-nic", test_failed_nic);
  g_test_add_func ("/faults/low-zoom", test_faults_at_low_zoom);
  g_test_add_func ("/faults/signs-clear", test_fault_signs_are_clear);
  g_test_add_func ("/faults/slow-sign-is-visible", test_slow_sign_is_visible);
  g_test_add_func ("/faults/slow-and-failed-differ", test_slow_and_failed_differ);
  return g_test_run ();
}
