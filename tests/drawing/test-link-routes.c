/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/export/request.h"

#include "../engine/plans.h"

#include <locale.h>
#include <string.h>

/* Groups and the links that they cross highlight each other. In the teaching case TP fills the
 * nodes, the stages of a chain are on four consecutive nodes, and replicas are four nodes apart. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgTheme theme;
  PlgPictureOptions options;
  PlgEntity highlighted;
} Case;

static void
set_up (Case *c, gconstpointer edits)
{
  c->plan = teaching_plan ();
  change (c->plan, "parallelism.order=tp-pp-dp");
  change (c->plan, edits);
  c->report = report_of (c->plan);
  plg_theme_init (&c->theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&c->options, c->plan);
}

static void
tear_down (Case *c, gconstpointer edits)
{
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
}

static PlgFigure *
draw_lit (Case *c, const char *text)
{
  g_assert_true (plg_entity_from_text (c->plan, c->report, text, &c->highlighted, NULL));
  c->options.highlighted = &c->highlighted;
  c->options.n_highlighted = 1;
  return plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
}

/* Returns the first line of the link with ID, or NULL. */
static const PlgShape *
wire_of (Case *c, const PlgFigure *figure, const char *id)
{
  PlgEntity entity;

  g_assert_true (plg_entity_from_text (c->plan, c->report, id, &entity, NULL));
  return plg_figure_find_entity (figure, entity);
}

/* Dimmed colours are close to the cards. */
static gboolean
is_lit (Case *c, const PlgFigure *figure, const char *id)
{
  const PlgShape *shape = wire_of (c, figure, id);
  PlgEntity entity;
  PlgLinkScale scale = plg_link_scale (c->report, c->options.link_color);
  PlgColor full;

  g_assert_true (plg_entity_from_text (c->plan, c->report, id, &entity, NULL));
  full = plg_theme_link_color (&c->theme,
                               plg_link_scale_share (&scale,
                                                     &g_array_index (c->report->links, PlgLink,
                                                                     entity.index)));
  g_assert_nonnull (shape);
  return memcmp (&shape->stroke, &full, sizeof full) == 0;
}

/* The chain of rank 3 leaves by the fourth NICs of nodes 0 to 3, and no other links are
 * highlighted. */
static void
test_chain (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw_lit (c, "pp:3");

  for (int node = 0; node < 8; node++)
    {
      g_autofree char *its = g_strdup_printf ("link:nic-%d-3", node);
      g_autofree char *other = g_strdup_printf ("link:nic-%d-4", node);
      g_autofree char *port = g_strdup_printf ("link:nvlink-%d-3", node);

      g_assert_cmpint (is_lit (c, figure, its), ==, node < 4);
      g_assert_false (is_lit (c, figure, other));
      g_assert_false (is_lit (c, figure, port));
    }
}

/* A GPU highlights its TP group in its node, its chain and its replicas on its rail. */
static void
test_gpu (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw_lit (c, "gpu:17");

  for (int node = 0; node < 8; node++)
    {
      g_autofree char *nic = g_strdup_printf ("link:nic-%d-1", node);
      g_autofree char *port = g_strdup_printf ("link:nvlink-%d-7", node);

      g_assert_cmpint (is_lit (c, figure, nic), ==, node < 4 || node == 6);
      g_assert_cmpint (is_lit (c, figure, port), ==, node == 2);
    }
}

/* Between units a group highlights the uplinks of its own rail. */
static void
test_uplinks (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw_lit (c, "dp:3");

  for (int rail = 0; rail < 8; rail++)
    {
      g_autofree char *uplink = g_strdup_printf ("link:leaf-%d-spine-0", rail);

      if (wire_of (c, figure, uplink) != NULL)
        g_assert_cmpint (is_lit (c, figure, uplink), ==, rail == 3);
    }
}

static gboolean
is_faded (const PlgFigure *highlighted, const PlgFigure *all, int gpu)
{
  const PlgEntity entity = { PLG_ENTITY_GPU, 0, gpu };
  PlgColor a = plg_figure_find_entity (highlighted, entity)->fill;
  PlgColor b = plg_figure_find_entity (all, entity)->fill;

  return memcmp (&a, &b, sizeof a) != 0;
}

/* A link highlights the groups that cross it and names them. */
static void
test_link (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) all = plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
  g_autoptr (PlgFigure) figure = draw_lit (c, "link:nic-1-3");
  g_autofree char *text = plg_describe_entity (c->plan, c->report, c->highlighted);
  static const int users[] = { 3, 11, 19, 27, 43 };

  for (int gpu = 0; gpu < 64; gpu++)
    {
      gboolean is_user = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (users); i++)
        is_user = is_user || users[i] == gpu;
      g_assert_cmpint (is_faded (figure, all, gpu), ==, !is_user);
    }
  g_assert_nonnull (strstr (text, "Groups that use it: PP 3 · DP 11"));
}

/* With rings, only the links of the highlighted entity are drawn, and without a highlight no
 * links. */
static void
test_rings (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) nothing = NULL, figure = NULL;

  c->options.rings = TRUE;
  nothing = plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
  g_assert_null (wire_of (c, nothing, "link:nic-0-3"));
  g_assert_null (plg_figure_find (nothing, "rail-3"));
  figure = draw_lit (c, "pp:3");
  g_assert_nonnull (plg_figure_find (figure, "chain-pp-3"));
  g_assert_nonnull (plg_figure_find (figure, "rail-3"));
  for (int node = 0; node < 8; node++)
    {
      g_autofree char *nic = g_strdup_printf ("link:nic-%d-3", node);
      g_autofree char *other = g_strdup_printf ("link:nic-%d-4", node);
      g_autofree char *port = g_strdup_printf ("link:nvlink-%d-3", node);

      g_assert_cmpint (wire_of (c, figure, nic) != NULL, ==, node < 4);
      g_assert_null (wire_of (c, figure, other));
      g_assert_null (wire_of (c, figure, port));
    }
}

/* In every kind of node and network, with every group highlighted, rings and links are drawn
 * together. */
static void
test_rings_everywhere (Case *c, gconstpointer edits)
{
  static const char *const entities[] = { "tp:1", "cp:0", "pp:0", "dp:2", "gpu:9", "collective:0" };

  c->options.rings = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    for (double zoom = 0; zoom < 1.2; zoom += 0.2)
      {
        g_autoptr (PlgFigure) figure = NULL;

        c->options.zoom = zoom;
        figure = draw_lit (c, entities[i]);
        g_assert_cmpint (plg_figure_n_shapes (figure), >, 0);
      }
}

/* The matrix shows the total traffic, and a cell the traffic of a pair: TP to the GPUs of the node,
 * nothing to GPUs without a common group. */
static void
test_pairs (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = NULL;
  g_autofree char *neighbour = NULL, *stranger = NULL;
  const PlgShape *sent, *none;

  c->options.pairs = PLG_MATRIX_TRAFFIC;
  figure = plg_matrix_figure (c->plan, c->report, &c->theme, &c->options);
  g_assert_nonnull (strstr (plg_figure_description (figure), " per step in total: "));
  g_assert_nonnull (strstr (plg_figure_description (figure), "TP "));
  g_assert_nonnull (strstr (plg_figure_description (figure), "PP "));
  sent = plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_PAIR, 0, 9 * 64 + 10 });
  none = plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_PAIR, 0, 9 * 64 + 18 });
  g_assert_true (memcmp (&sent->fill, &none->fill, sizeof sent->fill) != 0);
  g_assert_cmpmem (&none->fill, sizeof none->fill, &c->theme.role[PLG_ROLE_GRID],
                   sizeof none->fill);
  neighbour = plg_describe_entity (c->plan, c->report, sent->entity);
  stranger = plg_describe_entity (c->plan, c->report, none->entity);
  g_assert_nonnull (strstr (neighbour, "per step in total: TP "));
  g_assert_null (strstr (stranger, "per step"));
}

/* The matrix can have nodes, or several nodes per row, instead of GPUs. */
static void
test_pairs_of_many (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = NULL;

  c->options.pairs = PLG_MATRIX_TRAFFIC;
  figure = plg_matrix_figure (c->plan, c->report, &c->theme, &c->options);
  g_assert_nonnull (strstr (plg_figure_description (figure), "2 nodes"));
}

/* A matrix of a part of the cluster names the part and its GPUs, and its sum is the number of the
 * cell. */
static void
test_pairs_of_part (Case *c, gconstpointer edits)
{
  g_autofree char *cell = plg_describe_pair (c->plan, c->report, NULL, 3 * 64 + 5);
  g_autofree char *first = NULL, *last = NULL, *beyond = NULL;
  g_autoptr (PlgFigure) figure = NULL, bare = NULL;
  const char *sum;

  c->options.pairs = PLG_MATRIX_TRAFFIC;
  c->options.nodes = (PlgRange) { 6, 2 };
  c->options.columns = (PlgRange) { 10, 2 };
  sum = strstr (cell, " per step in total: ");
  g_assert_nonnull (sum);
  /* The sum begins its line. */
  while (sum > cell && sum[-1] != '\n')
    sum--;
  figure = plg_matrix_figure (c->plan, c->report, &c->theme, &c->options);
  g_assert_true (g_str_has_suffix (plg_figure_description (figure), sum));
  g_assert_true (g_str_has_prefix (plg_figure_description (figure),
                                   "From nodes 6–7 to nodes 10–11 · Each row is a GPU · "));
  first = plg_describe_pair (c->plan, c->report, &c->options, 0);
  last = plg_describe_pair (c->plan, c->report, &c->options, 16 * 16 - 1);
  beyond = plg_describe_pair (c->plan, c->report, &c->options, 16 * 16);
  g_assert_true (g_str_has_prefix (first, "GPU 0 of node 6 to GPU 0 of node 10\n"));
  g_assert_true (g_str_has_prefix (last, "GPU 7 of node 7 to GPU 7 of node 11\n"));
  g_assert_cmpstr (beyond, ==, "");
  /* Without traffic there is no scale. */
  c->options.columns = (PlgRange) { 20, 1 };
  bare = plg_matrix_figure (c->plan, c->report, &c->theme, &c->options);
  for (int i = 0; i < plg_figure_n_shapes (bare); i++)
    g_assert_true (plg_figure_shape (bare, i)->kind != PLG_SHAPE_TEXT ||
                   strstr (plg_figure_shape (bare, i)->text, "Bytes per step") == NULL);
}

/* A cell of nodes lists each kind of route of its pairs, of which a single GPU has one: below
 * the leaf of its rail, and through a spine to the other rails. */
static void
test_pairs_of_several_kinds (Case *c, gconstpointer edits)
{
  static const char *const all[] = { "NVLink 450\u00a0GB/s · NICs, same leaf 50\u00a0GB/s · ",
                                     "NICs, via a spine 50\u00a0GB/s per direction" };
  g_autofree char *within = plg_describe_pair (c->plan, c->report, NULL, 0);
  g_autofree char *near = plg_describe_pair (c->plan, c->report, NULL, 1);
  g_autofree char *far = plg_describe_pair (c->plan, c->report, NULL, 63);

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_nonnull (strstr (within, all[i]));
  g_assert_nonnull (strstr (near, "\nNICs, same leaf 50\u00a0GB/s · NICs, via a spine "
                                  "50\u00a0GB/s per direction"));
  g_assert_nonnull (strstr (far, "\nNICs, via a spine: 50\u00a0GB/s per direction"));
}

/* A matrix of a single node lists its GPUs one by one, however many; nodes beyond the last are
 * ignored. */
static void
test_pairs_of_node (Case *c, gconstpointer edits)
{
  g_autofree char *node = NULL, *beyond = NULL;

  c->options.nodes = (PlgRange) { 1, 1 };
  node = plg_describe_pair (c->plan, c->report, &c->options, 71 * 72 + 70);
  g_assert_true (g_str_has_prefix (node, "GPU 71 of node 1 to GPU 70 of node 1\n"));
  c->options.nodes = (PlgRange) { 1, 5 };
  beyond = plg_describe_pair (c->plan, c->report, &c->options, 0);
  g_assert_true (g_str_has_prefix (beyond, "GPU 0 of node 1"));
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, edits, function) g_test_add (path, Case, edits, set_up, function, tear_down)
  ADD ("/link-routes/chain", "", test_chain);
  ADD ("/link-routes/gpu", "", test_gpu);
  ADD ("/link-routes/uplinks", "cluster.nodes=64 parallelism.dp=16", test_uplinks);
  ADD ("/link-routes/link", "", test_link);
  ADD ("/link-routes/rings", "", test_rings);
  ADD ("/link-routes/pairs", "", test_pairs);
  ADD ("/link-routes/pairs-of-many",
       "cluster.nodes=128 parallelism.dp=32 training.global-batch=1024", test_pairs_of_many);
  ADD ("/link-routes/pairs-of-several-kinds",
       "cluster.nodes=128 parallelism.dp=32 training.global-batch=1024",
       test_pairs_of_several_kinds);
  ADD ("/link-routes/pairs-of-part",
       "cluster.nodes=128 parallelism.dp=32 training.global-batch=1024", test_pairs_of_part);
  ADD ("/link-routes/pairs-of-node",
       "cluster.nodes=2 cluster.gpus-per-node=72 parallelism.tp=8 parallelism.pp=1 "
       "parallelism.dp=18 training.global-batch=1008",
       test_pairs_of_node);
  ADD ("/link-routes/rings-mesh", "cluster.intra=mesh", test_rings_everywhere);
  ADD ("/link-routes/rings-pcie", "cluster.intra=pcie cluster.network=flat", test_rings_everywhere);
  ADD ("/link-routes/rings-tree", "cluster.network=tree parallelism.tp=2 parallelism.cp=4",
       test_rings_everywhere);
  ADD ("/link-routes/rings-large", "cluster.nodes=128 parallelism.dp=32 training.global-batch=1024",
       test_rings_everywhere);
  return g_test_run ();
}
