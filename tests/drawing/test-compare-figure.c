/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/export/request.h"
#include "engine/report/redaction.h"

#include "../engine/plans.h"

#include <locale.h>
#include <string.h>

/* Two nesting orders side by side. The hops between nodes are counted by hand. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgTheme theme;
  PlgPictureOptions options;
} Case;

static void
set_up (Case *c, gconstpointer edits)
{
  c->plan = teaching_plan ();
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
draw (Case *c)
{
  return plg_compare_figure (c->plan, c->report, &c->theme, &c->options);
}

/* Counts TEXT left and right of the middle. */
static void
count_text (const PlgFigure *figure, const char *text, int *left, int *right)
{
  *left = *right = 0;
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && strcmp (shape->text, text) == 0)
        ++*(shape->rect.x < plg_figure_width (figure) / 2 ? left : right);
    }
}

static void
assert_text (const PlgFigure *figure, const char *text, int left, int right)
{
  int is_left, is_right;

  count_text (figure, text, &is_left, &is_right);
  g_assert_cmpint (is_left, ==, left);
  g_assert_cmpint (is_right, ==, right);
}

#define THOUSAND                                                           \
  "cluster.nodes=128 parallelism.tp=8 parallelism.pp=4 parallelism.dp=32 " \
  "training.global-batch=1024"
#define FOURS "parallelism.tp=4 parallelism.pp=4 parallelism.dp=4 parallelism.order=tp-pp-dp"
#define EIGHT "parallelism.tp=8 parallelism.pp=4 parallelism.dp=2 parallelism.order=tp-pp-dp"

/* TP 4, PP 4, DP 4: pairs of stages of a chain share a node, or none do; for replicas the
 * opposite holds. */
static void
test_hops (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw (c);

  assert_text (figure, "TP → PP → DP", 1, 0);
  assert_text (figure, "TP → DP → PP", 0, 1);
  assert_text (figure, "16 of 48", 1, 1);
  assert_text (figure, "48 of 48", 1, 1);
  g_assert_nonnull (strstr (plg_figure_description (figure),
                            "PP, hops between nodes: 16 of 48, compared with 48 of 48."));
  g_assert_nonnull (strstr (plg_figure_description (figure),
                            "DP, hops between nodes: 48 of 48, compared with 16 of 48."));
  g_assert_null (strstr (plg_figure_description (figure), "the same kinds of links"));
}

/* If TP fills the nodes, the order changes only which ranks are in which rack, not the kinds of
 * links. */
static void
test_same_links (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw (c);

  g_assert_nonnull (strstr (plg_figure_description (figure), "the same kinds of links"));
  g_assert_nonnull (strstr (plg_figure_description (figure), "racks and rails"));
}

static PlgColor
color_of_wire (const PlgFigure *figure, const char *id)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->id == NULL || strcmp (shape->id, id) != 0)
        continue;
      while (shape->kind != PLG_SHAPE_PATH)
        shape = plg_figure_shape (figure, ++i);
      return shape->stroke;
    }
  g_assert_not_reached ();
}

/* Both clusters have the colours of the busier cluster's scale. */
static void
test_same_scale (Case *c, gconstpointer edits)
{
  g_autoptr (PlgPlan) busier = plg_plan_copy (c->plan);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgLink *link = &g_array_index (c->report->links, PlgLink, 0);
  PlgLinkScale scale;
  PlgColor drawn, wanted;

  change (busier, "training.global-batch=6400");
  report = report_of (busier);
  scale = plg_link_scale (report, PLG_LINK_COLOR_BYTES);
  c->options.link_color = PLG_LINK_COLOR_BYTES;
  c->options.same_scale = report;
  figure = plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
  drawn = color_of_wire (figure, "link-nvlink-0-0");
  wanted = plg_theme_link_color (&c->theme, plg_link_scale_share (&scale, link));
  g_assert_cmpmem (&drawn, sizeof drawn, &wanted, sizeof wanted);
  scale = plg_link_scale (c->report, PLG_LINK_COLOR_BYTES);
  wanted = plg_theme_link_color (&c->theme, plg_link_scale_share (&scale, link));
  g_assert_true (memcmp (&drawn, &wanted, sizeof drawn) != 0);
}

/* No entity has a number of the other plan, and every id is unique. */
static void
test_consistent (Case *c, gconstpointer edits)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (PlgFigure) figure = draw (c);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      g_assert_true (shape->entity.kind == PLG_ENTITY_NONE);
      g_assert_true (shape->id == NULL || g_hash_table_add (ids, (gpointer) shape->id));
      if (shape->kind != PLG_SHAPE_OPEN && shape->kind != PLG_SHAPE_CLOSE)
        g_assert_cmpfloat (shape->rect.x + shape->rect.width, <=, plg_figure_width (figure) + 0.01);
    }
  g_assert_true (g_hash_table_contains (ids, "a-gpu-17"));
  g_assert_true (g_hash_table_contains (ids, "b-gpu-17"));
}

/* The figure has the requested width for every comparison. */
static void
test_width (Case *c, gconstpointer edits)
{
  for (int width = 600; width <= 2000; width += 700)
    {
      g_autoptr (PlgFigure) figure = NULL;

      c->options.width = width;
      figure = draw (c);
      g_assert_cmpfloat (plg_figure_width (figure), ==, width);
    }
}

/* An order is compared with an equal order, also if both differ in an axis without groups. */
static void
test_same_order (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = NULL;

  c->options.has_other_order = TRUE;
  g_assert_true (plg_order_from_string ("tp-pp-cp-dp", c->options.other_order));
  figure = draw (c);
  g_assert_nonnull (strstr (plg_figure_description (figure), "Both orders are the same"));
}

/* The command line has an option for the other order. */
static void
test_command_line (Case *c, gconstpointer edits)
{
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *line = NULL;

  plg_request_init (&request, c->plan, PLG_PALETTE_LIGHT);
  request.picture = PLG_PICTURE_COMPARE;
  request.options.has_other_order = TRUE;
  g_assert_true (plg_order_from_string ("megatron", request.options.other_order));
  words = plg_request_cli_arguments (&request, c->report);
  line = plg_shell_quote_arguments (words);
  g_assert_nonnull (strstr (line, "--view compare"));
  g_assert_nonnull (strstr (line, "--with-order tp-cp-dp-pp"));
}

/* One NIC is slow, and the orders differ by three milliseconds: with 10.2 s for both, no order
 * is called faster. */
static void
test_equal_times (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) figure = draw (c);

  g_assert_nonnull (strstr (plg_figure_description (figure), "Both orders take"));
  g_assert_null (strstr (plg_figure_description (figure), "faster"));
}

/* While a prediction hides times, the times of the other order are hidden too. While faults are
 * hidden, no order is called faster, since the other one is computed without the faults. */
static void
test_hidden_times (Case *c, gconstpointer edits)
{
  g_autoptr (PlgReport) hidden = plg_report_redact (c->report, PLG_REDACT_TIME);
  g_autoptr (PlgReport) sound = plg_report_redact (c->report, PLG_REDACT_FAULTS);
  g_autoptr (PlgFigure) open = draw (c);
  g_autoptr (PlgFigure) veiled = plg_compare_figure (c->plan, hidden, &c->theme, &c->options);
  g_autoptr (PlgFigure) one_sided = plg_compare_figure (c->plan, sound, &c->theme, &c->options);

  g_assert_nonnull (strstr (plg_figure_description (open), "per step"));
  g_assert_null (strstr (plg_figure_description (veiled), "per step"));
  g_assert_null (strstr (plg_figure_description (one_sided), "faster"));
}

/* A picture of many GPUs is shown at a smaller scale, so the texts next to the clusters grow
 * with it. At the requested width the picture is shown at its own size. */
static void
test_texts_grow (Case *c, gconstpointer edits)
{
  g_autoptr (PlgFigure) whole = draw (c);
  double size = 0;

  for (int i = 0; i < plg_figure_n_shapes (whole); i++)
    if (plg_figure_shape (whole, i)->kind == PLG_SHAPE_TEXT &&
        g_str_equal (plg_figure_shape (whole, i)->text, "MFU"))
      size = plg_figure_shape (whole, i)->font_size;
  g_assert_cmpfloat (plg_figure_width (whole), >, 3000);
  g_assert_cmpfloat (size / plg_figure_width (whole), >, 11.5 / 1700);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, edits, function) g_test_add (path, Case, edits, set_up, function, tear_down)
  ADD ("/compare-figure/hops", FOURS, test_hops);
  ADD ("/compare-figure/same-links", EIGHT, test_same_links);
  ADD ("/compare-figure/same-scale", FOURS, test_same_scale);
  ADD ("/compare-figure/consistent", FOURS, test_consistent);
  ADD ("/compare-figure/width", FOURS, test_width);
  ADD ("/compare-figure/same-order", EIGHT, test_same_order);
  ADD ("/compare-figure/command-line", EIGHT, test_command_line);
  ADD ("/compare-figure/equal-times", EIGHT " cluster.faults=nic:2.5=0.8", test_equal_times);
  ADD ("/compare-figure/texts-grow", THOUSAND, test_texts_grow);
  ADD ("/compare-figure/hidden-times", EIGHT, test_hidden_times);
  return g_test_run ();
}
