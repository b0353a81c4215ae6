/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "engine/report/redaction.h"

#include <math.h>

/* The links of the cluster and their legend. */

static void
test_scale (void)
{
  Case c;
  PlgLinkScale scale;
  PlgLink link = { 0 };
  double last = -1;

  case_init (&c, &sample_default);
  for (int meaning = 0; meaning < PLG_LINK_COLOR_OFF; meaning++)
    {
      scale = plg_link_scale (c.report, meaning);
      g_assert_cmpfloat (scale.minimum, <, scale.maximum);
      last = -1;
      for (double value = 1; value < 1e13; value *= 10)
        {
          double share;

          link.calls = link.bytes_out = link.time = value;
          share = plg_link_scale_share (&scale, &link);
          g_assert_cmpfloat (share, >=, MAX (last, 0));
          g_assert_cmpfloat (share, <=, 1);
          last = share;
        }
      g_assert_cmpfloat (last, ==, 1);
    }
  /* Calls are on a logarithmic scale from 1 to 10 000. */
  scale = plg_link_scale (c.report, PLG_LINK_COLOR_FREQUENCY);
  link.calls = 100;
  g_assert_cmpfloat_with_epsilon (plg_link_scale_share (&scale, &link), 0.5, 1e-9);
  link.calls = 0;
  g_assert_cmpfloat (plg_link_scale_share (&scale, &link), ==, 0);
  case_clear (&c);
}

/* A kept scale does not follow the drawn report. A link beyond its end has the colour of the end,
 * and the legend says that the end is exceeded. */
static void
test_kept_scale (void)
{
  for (int meaning = 0; meaning < PLG_LINK_COLOR_OFF; meaning++)
    {
      g_autoptr (PlgFigure) same = NULL, busier = NULL;
      g_autoptr (PlgReport) kept = NULL;
      PlgLinkScale scale, of_kept;
      PlgLink *link;
      int n_marks = 0;
      Case c;

      case_init (&c, &sample_default);
      kept = c.report;
      of_kept = plg_link_scale (kept, meaning);
      scale = plg_link_scale_keep (kept, c.report, meaning);
      g_assert_cmpfloat (scale.maximum, ==, of_kept.maximum);
      g_assert_false (scale.is_exceeded);
      c.options.link_color = meaning;
      c.options.kept_scale = kept;
      same = draw (&c, PLG_PICTURE_CLUSTER);

      c.report = sample_report (&sample_default, c.plan);
      link = &g_array_index (c.report->links, PlgLink, 0);
      link->calls *= 1e6;
      link->bytes_out *= 1e6;
      link->time *= 1e6;
      g_assert_cmpfloat (plg_link_scale (c.report, meaning).maximum, >, of_kept.maximum);
      scale = plg_link_scale_keep (kept, c.report, meaning);
      g_assert_cmpfloat (scale.maximum, ==, of_kept.maximum);
      g_assert_cmpfloat (scale.minimum, ==, of_kept.minimum);
      g_assert_true (scale.is_exceeded);
      g_assert_cmpfloat (plg_link_scale_share (&scale, link), ==, 1);

      busier = draw (&c, PLG_PICTURE_CLUSTER);
      for (int i = 0; i < plg_figure_n_shapes (busier); i++)
        {
          const PlgShape *shape = plg_figure_shape (busier, i);
          g_autofree char *mark = NULL;

          if (shape->kind != PLG_SHAPE_TEXT || !g_str_has_prefix (shape->text, "≥ "))
            continue;
          g_assert_nonnull (find_text (same, shape->text + strlen ("≥ ")));
          n_marks++;
        }
      /* The colour of links and their width, which always stands for bytes. */
      g_assert_cmpint (n_marks, ==, 2);
      case_clear (&c);
    }
}

/* The first line of a link has its colour. */
static void
test_link_colors (void)
{
  for (int meaning = 0; meaning <= PLG_LINK_COLOR_OFF; meaning++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgLinkScale scale;
      int n = 0;

      case_init (&c, &sample_default);
      c.options.link_color = meaning;
      scale = plg_link_scale (c.report, meaning);
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          const PlgLink *link;
          PlgColor wanted = c.theme.role[PLG_ROLE_LINK_IDLE];

          if (shape->entity.kind != PLG_ENTITY_LINK)
            continue;
          link = &g_array_index (c.report->links, PlgLink, shape->entity.index);
          if (meaning != PLG_LINK_COLOR_OFF)
            wanted = plg_theme_link_color (&c.theme, plg_link_scale_share (&scale, link));
          g_assert_true (same_color (shape->stroke, wanted));
          n++;
        }
      g_assert_cmpint (n, >=, 3 * 64);
      case_clear (&c);
    }
}

/* Links are coloured by their known quantities while others are hidden. */
static void
test_hidden_bytes (void)
{
  static const PlgLinkColor meanings[] = { PLG_LINK_COLOR_FREQUENCY, PLG_LINK_COLOR_BYTES };

  for (guint m = 0; m < G_N_ELEMENTS (meanings); m++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgReport *whole;
      int n = 0;

      case_init (&c, &sample_default);
      c.options.link_color = meanings[m];
      whole = c.report;
      c.report = plg_report_redact (whole, PLG_REDACT_BYTES | PLG_REDACT_BUSY);
      plg_report_unref (whole);
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        n += plg_figure_shape (figure, i)->entity.kind == PLG_ENTITY_LINK &&
             !same_color (plg_figure_shape (figure, i)->stroke, c.theme.role[PLG_ROLE_LINK_IDLE]);
      g_assert_cmpint (n, >=, meanings[m] == PLG_LINK_COLOR_FREQUENCY ? 3 * 64 : 0);
      if (meanings[m] == PLG_LINK_COLOR_BYTES)
        g_assert_cmpint (n, ==, 0);
      case_clear (&c);
    }
}

/* All links of the report are in the picture with their ids. */
static void
test_link_ids (void)
{
  static const char *const names[] = { "default", "mesh", "pcie", "tree", "many-nics", "rack" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (names[i]));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (guint k = 0; k < c.report->links->len; k++)
        {
          const PlgLink *link = &g_array_index (c.report->links, PlgLink, k);
          g_autofree char *name = plg_link_id (link);
          g_autofree char *id = g_strconcat ("link-", name, NULL);

          /* PCIe to a NIC that several GPUs share is drawn once; an unused spine is left out. */
          if (link->tier == PLG_TIER_PCIE || (link->tier == PLG_TIER_SPINE && link->calls <= 0))
            continue;
          if (plg_figure_find (figure, id) == NULL)
            g_error ("%s: no %s", names[i], id);
        }
      case_clear (&c);
    }
}

/* The spine is drawn if it has traffic or is oversubscribed. */
static void
test_spine (void)
{
  Case c;
  PlgFigure *figure;

  case_init (&c, &sample_default);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_null (plg_figure_find (figure, "spine"));
  plg_figure_unref (figure);
  c.plan->cluster.oversubscription = 2;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "spine"));
  g_assert_nonnull (plg_figure_find (figure, "link-leaf-3-spine-1"));
  plg_figure_unref (figure);
  c.plan->cluster.oversubscription = 1;
  for (guint i = 0; i < c.report->links->len; i++)
    g_array_index (c.report->links, PlgLink, i).bytes_out = 1e9;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (plg_figure_find (figure, "spine"));
  plg_figure_unref (figure);
  case_clear (&c);
}

/* Two units of rails: each column of nodes belongs to one, each leaf has its label and its uplinks
 * above the first column of its unit. */
static void
test_units (void)
{
  static const Sample two_units = { .name = "two-units",
                                    .nodes = 64,
                                    .gpus = 8,
                                    .tp = 8,
                                    .cp = 1,
                                    .ep = 1,
                                    .pp = 4,
                                    .dp = 16,
                                    .micro_batches = 8 };
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double border;
  int found = 0;

  case_init (&c, &two_units);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  border = natural_node (c.plan, 32).x;
  for (int node = 0; node < 64; node++)
    g_assert_true ((natural_node (c.plan, node).x >= border) == (node >= 32));
  g_assert_nonnull (plg_figure_find (figure, "rail-7"));
  g_assert_nonnull (plg_figure_find (figure, "unit-1-rail-0"));
  g_assert_null (plg_figure_find (figure, "unit-2-rail-0"));
  for (guint k = 0; k < c.report->links->len; k++)
    {
      const PlgLink *link = &g_array_index (c.report->links, PlgLink, k);

      if (link->tier != PLG_TIER_SPINE)
        continue;
      g_assert_true ((shape_of (figure, entity (PLG_ENTITY_LINK, k))->rect.x > border) ==
                     (link->local >= 8));
      found++;
    }
  g_assert_cmpint (found, ==, 16 * 8);
  case_clear (&c);
}

/* Returns whether SHAPE is a straight vertical line of TIER. */
static gboolean
is_upright (const Case *c, const PlgShape *shape, PlgTier tier)
{
  return shape->kind == PLG_SHAPE_PATH && shape->entity.kind == PLG_ENTITY_LINK &&
         shape->n_points == 2 && shape->rect.width < 0.01 && shape->rect.height > 8 &&
         g_array_index (c->report->links, PlgLink, shape->entity.index).tier == tier;
}

/* Returns the index of the shape of the card of NODE. */
static int
card_index (const PlgFigure *figure, int node)
{
  return (int) (plg_figure_find_entity (figure, entity (PLG_ENTITY_NODE, node)) -
                plg_figure_shape (figure, 0));
}

/* A rail is one line from its label to the last node, over the cards and under their contents. */
static void
test_rails (void)
{
  static const char *const names[] = { "default", "small", "many-nics", "rack", "mesh" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect last_card;
      double x = -1, end = 0;
      int nodes;

      case_init (&c, sample_named (names[i]));
      nodes = c.plan->cluster.nodes;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      last_card = natural_node (c.plan, nodes - 1);
      for (int k = 0, node = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);

          if (!is_upright (&c, shape, PLG_TIER_NIC))
            continue;
          node = fabs (shape->rect.x - x) < 0.01 ? node + 1 : 0;
          if (node > 0)
            g_assert_cmpfloat_with_epsilon (shape->rect.y, end, 0.01);
          x = shape->rect.x;
          end = shape->rect.y + shape->rect.height;
          g_assert_cmpint (k, >, card_index (figure, nodes - 1));
          g_assert_cmpint (k, <,
                           shape_of (figure, entity (PLG_ENTITY_GPU, 0)) -
                               plg_figure_shape (figure, 0));
          if (node == nodes - 1)
            g_assert_true (end > last_card.y && end < last_card.y + last_card.height);
        }
      g_assert_cmpfloat (x, >, 0);
      case_clear (&c);
    }
}

/* The shape at (X, Y) must be the NVLink of GPU 13 or, for a whole node, an NVLink of node 1. */
static void
assert_nvlink (const Case *c, const PlgFigure *figure, double x, double y, int local)
{
  const PlgShape *shape = plg_figure_hit_test (figure, x, y, 3);
  PlgLinkScale scale = plg_link_scale (c->report, PLG_LINK_COLOR_FREQUENCY);
  const PlgLink *link;
  g_autofree char *words = NULL;

  g_assert_nonnull (shape);
  g_assert_cmpint (shape->entity.kind, ==, PLG_ENTITY_LINK);
  link = &g_array_index (c->report->links, PlgLink, shape->entity.index);
  g_assert_cmpint (link->tier, ==, PLG_TIER_NVLINK);
  g_assert_cmpint (link->node, ==, 1);
  if (local >= 0)
    g_assert_cmpint (link->local, ==, local);
  g_assert_true (same_color (shape->stroke,
                             plg_theme_link_color (&c->theme,
                                                   plg_link_scale_share (&scale, link))));
  words = plg_describe_entity (c->plan, c->report, shape->entity);
  g_assert_true (g_str_has_prefix (words, "NVLink from GPU"));
}

static void
reverse_links (GArray *links)
{
  for (guint i = 0, k = links->len - 1; i < k; i++, k--)
    {
      PlgLink link = g_array_index (links, PlgLink, i);

      g_array_index (links, PlgLink, i) = g_array_index (links, PlgLink, k);
      g_array_index (links, PlgLink, k) = link;
    }
}

/* A GPU of a node with a switch has NVLink and PCIe; the bar under it is the NVLink, in any
 * order and with any PCIe traffic. */
static void
test_switch_bar (void)
{
  static const char *const names[] = { "default", "1024", "16384" };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      PlgRect tile, card;

      case_init (&c, sample_named (names[i / 2]));
      for (guint k = 0; k < c.report->links->len; k++)
        if (g_array_index (c.report->links, PlgLink, k).tier == PLG_TIER_PCIE)
          g_array_index (c.report->links, PlgLink, k).calls = 1e6;
      if (i % 2 == 1)
        reverse_links (c.report->links);
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      tile = natural_gpu (c.plan, 13);
      card = natural_node (c.plan, 1);
      if (i / 2 == 2)
        assert_nvlink (&c, figure, card.x + card.width / 2, card.y + card.height - 2, -1);
      else
        assert_nvlink (&c, figure, tile.x + tile.width / 2,
                       tile.y + tile.height + (i / 2 == 0 ? 7.5 : 5), 5);
      case_clear (&c);
    }
}

/* The widths in the legend are those of the lines, whose size depends on the size of the picture.
 */
static void
test_legend_widths (void)
{
  static const char *const names[] = { "default", "1024" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      double wire = 0, top = 0;

      case_init (&c, sample_named (names[i]));
      for (guint k = 0; k < c.report->links->len; k++)
        {
          PlgLink *link = &g_array_index (c.report->links, PlgLink, k);

          link->bytes_out = link->bytes_in = 1e9;
        }
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int k = 0; k < plg_figure_n_shapes (figure); k++)
        {
          const PlgShape *shape = plg_figure_shape (figure, k);

          if (shape->kind == PLG_SHAPE_PATH && shape->entity.kind == PLG_ENTITY_LINK)
            wire = MAX (wire, shape->stroke_width);
          if (shape->kind == PLG_SHAPE_PATH && shape->layer == PLG_LAYER_LEGEND)
            top = MAX (top, shape->stroke_width);
        }
      g_assert_cmpfloat (top, >, 0);
      g_assert_cmpfloat_with_epsilon (wire, top, 0.01);
      case_clear (&c);
    }
}

/* A link to a spine without traffic is drawn once it is highlighted, also with rings. */
static void
test_highlighted_idle_uplink (void)
{
  Case c;
  PlgEntity highlighted = { 0 };

  case_init (&c, &sample_default);
  c.options.zoom = 1;
  for (guint i = 0; i < c.report->links->len; i++)
    if (g_array_index (c.report->links, PlgLink, i).tier == PLG_TIER_SPINE)
      highlighted = entity (PLG_ENTITY_LINK, i);
  g_assert_cmpint (highlighted.kind, ==, PLG_ENTITY_LINK);
  g_assert_cmpfloat (plg_link_bytes (&g_array_index (c.report->links, PlgLink, highlighted.index)),
                     ==, 0);
  c.options.highlighted = &highlighted;
  for (int k = 0; k < 4; k++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      const PlgShape *line;

      c.options.n_highlighted = k % 2;
      c.options.rings = k / 2;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      line = plg_figure_find_entity (figure, highlighted);
      g_assert_cmpint (line != NULL, ==, c.options.n_highlighted == 1);
      if (line != NULL)
        g_assert_cmpmem (&line->stroke, sizeof line->stroke, &c.theme.role[PLG_ROLE_TEXT],
                         sizeof line->stroke);
    }
  case_clear (&c);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/links/highlighted-idle-uplink", test_highlighted_idle_uplink);
  g_test_add_func ("/links/scale", test_scale);
  g_test_add_func ("/links/kept-scale", test_kept_scale);
  g_test_add_func ("/links/colors", test_link_colors);
  g_test_add_func ("/links/hidden-bytes", test_hidden_bytes);
  g_test_add_func ("/links/ids", test_link_ids);
  g_test_add_func ("/links/spine", test_spine);
  g_test_add_func ("/links/units", test_units);
  g_test_add_func ("/links/rails", test_rails);
  g_test_add_func ("/links/switch-bar", test_switch_bar);
  g_test_add_func ("/links/legend-widths", test_legend_widths);
  return g_test_run ();
}
