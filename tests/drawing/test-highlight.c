/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

/* Highlighted and dimmed shapes, the selection, and the outlines of groups. */

static void
test_focus_gpu (void)
{
  Case c;
  g_autoptr (PlgFigure) plain = NULL, figure = NULL;

  case_init (&c, &sample_default);
  plain = draw (&c, PLG_PICTURE_CLUSTER);
  highlight (&c, entity (PLG_ENTITY_GPU, 21));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  for (int gpu = 0; gpu < 64; gpu++)
    {
      gboolean tp = gpu / 8 == 2, pp = gpu % 8 == 5 && gpu < 32, dp = gpu == 53;
      PlgColor before = shape_of (plain, entity (PLG_ENTITY_GPU, gpu))->fill;
      PlgColor after = shape_of (figure, entity (PLG_ENTITY_GPU, gpu))->fill;

      g_assert_cmpint (same_color (before, after), ==, tp || pp || dp);
    }
  g_assert_nonnull (plg_figure_find (figure, "group-tp-2"));
  g_assert_nonnull (plg_figure_find (figure, "group-pp-5"));
  g_assert_nonnull (plg_figure_find (figure, "group-dp-21"));
  g_assert_nonnull (plg_figure_find (figure, "chain-pp-5"));
  case_clear (&c);
}

/* Returns whether the line of a link is drawn in its own colour. */
static gboolean
is_lit (const Case *c, const PlgFigure *figure, const char *id)
{
  PlgLinkScale scale = plg_link_scale (c->report, c->options.link_color);

  for (guint i = 0; i < c->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (c->report->links, PlgLink, i);
      g_autofree char *name = plg_link_id (link);

      if (g_str_equal (name, id))
        return same_color (shape_of (figure, entity (PLG_ENTITY_LINK, i))->stroke,
                           plg_theme_link_color (&c->theme, plg_link_scale_share (&scale, link)));
    }
  g_assert_not_reached ();
}

/* The links of a highlighted GPU's groups that carry the traffic of the axis are highlighted. */
static void
test_focus_links (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  highlight (&c, entity (PLG_ENTITY_GPU, 21));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, figure, "nvlink-2-0"));
  g_assert_true (is_lit (&c, figure, "nvlink-2-5"));
  g_assert_true (is_lit (&c, figure, "nic-1-5"));
  g_assert_true (is_lit (&c, figure, "nic-6-5"));
  g_assert_false (is_lit (&c, figure, "nvlink-1-5"));
  g_assert_false (is_lit (&c, figure, "nic-2-4"));
  g_assert_false (is_lit (&c, figure, "nic-7-5"));
  case_clear (&c);
}

/* A row of the communication table highlights all links that the axis crosses. */
static void
test_focus_axis (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  highlight (&c, axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, -1));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, figure, "nvlink-7-7"));
  g_assert_false (is_lit (&c, figure, "nic-0-0"));
  case_clear (&c);
}

static int
collective_of (const Case *c, PlgAxis axis)
{
  for (guint i = 0; i < c->report->collectives->len; i++)
    if (g_array_index (c->report->collectives, PlgCollective, i).axis == axis)
      return i;
  g_assert_not_reached ();
}

/* A collective highlights the links that it crosses and no others; several entities highlight all
 * of theirs. */
static void
test_focus_collectives (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL, both = NULL;

  case_init (&c, &sample_default);
  highlight (&c, entity (PLG_ENTITY_COLLECTIVE, collective_of (&c, PLG_AXIS_DP)));
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, figure, "nic-0-0"));
  g_assert_false (is_lit (&c, figure, "nvlink-0-0"));
  highlight (&c, axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, 3));
  both = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_true (is_lit (&c, both, "nic-0-0"));
  g_assert_true (is_lit (&c, both, "nvlink-3-0"));
  g_assert_false (is_lit (&c, both, "nvlink-0-0"));
  case_clear (&c);
}

static void
test_selected (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgShape *open;

  case_init (&c, &sample_default);
  c.options.selected = axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, 2);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  open = plg_figure_find (figure, "group-tp-2");
  g_assert_nonnull (open);
  g_assert_cmpstr (open->title, ==, "TP group 2 · 8 GPUs · over NVLink");
  /* A selection dims nothing. */
  g_assert_true (same_color (shape_of (figure, entity (PLG_ENTITY_GPU, 60))->fill,
                             plg_theme_swatch (&c.theme, 3, 4, TRUE).fill));
  case_clear (&c);
}

/* A moved rank makes its own group and its new neighbours' group slow, and no other. */
static void
test_tiers (void)
{
  Case c;
  static const gboolean is_far[] = { FALSE, TRUE, FALSE, FALSE, TRUE, FALSE };

  case_init (&c, &sample_default);
  plg_placement_expand (&c.plan->placement, 64);
  c.plan->placement.gpu_of_rank[9] = 37;
  c.plan->placement.gpu_of_rank[37] = 9;
  plg_report_unref (c.report);
  c.report = sample_report (&sample_default, c.plan);
  for (int group = 0; group < (int) G_N_ELEMENTS (is_far); group++)
    {
      PlgEntity tp = axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, group);
      g_autofree char *title = g_strdup_printf ("TP group %d · 8 GPUs · over %s", group,
                                                is_far[group] ? "spine switches" : "NVLink");
      g_autofree char *line = g_strdup_printf ("all-gather over %s:",
                                               is_far[group] ? "spine switches" : "NVLink");
      g_autofree char *words = plg_describe_entity (c.plan, c.report, tp);
      g_autoptr (PlgFigure) figure = NULL;
      g_autofree char *id = g_strdup_printf ("group-tp-%d", group);

      c.options.selected = tp;
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      g_assert_cmpstr (plg_figure_find (figure, id)->title, ==, title);
      g_assert_nonnull (strstr (words, line));
    }
  case_clear (&c);
}

/* A group that is not a node has an outline; a node has its card as outline. */
static void
test_outlines (void)
{
  static const struct
  {
    const char *name;
    int groups;
  } rows[] = { { "default", 0 }, { "tp-16", 4 }, { "all-axes", 32 }, { "swapped", 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;
      int n = 0;

      case_init (&c, sample_named (rows[i].name));
      figure = draw (&c, PLG_PICTURE_CLUSTER);
      for (int group = 0; group < 64; group++)
        {
          g_autofree char *id = g_strdup_printf ("group-tp-%d", group);

          n += plg_figure_find (figure, id) != NULL;
        }
      g_assert_cmpint (n, ==, rows[i].groups);
      case_clear (&c);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture-highlight/gpu", test_focus_gpu);
  g_test_add_func ("/picture-highlight/links", test_focus_links);
  g_test_add_func ("/picture-highlight/axis", test_focus_axis);
  g_test_add_func ("/picture-highlight/collectives", test_focus_collectives);
  g_test_add_func ("/picture-highlight/selected", test_selected);
  g_test_add_func ("/picture-highlight/tiers", test_tiers);
  g_test_add_func ("/picture-highlight/outlines", test_outlines);
  return g_test_run ();
}
