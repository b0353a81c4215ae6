/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/figure.h"

#include "drawing/figure/text.h"

#include <math.h>
#include <string.h>

#define BLACK plg_color_from_rgb (0x000000)
#define RED plg_color_from_rgb (0xff0000)

static PlgEntity
entity (PlgEntityKind kind, int index)
{
  return (PlgEntity) { kind, PLG_AXIS_TP, index };
}

static PlgShape *
add_rect (PlgFigure *figure, double x, double y, double size, PlgEntity what)
{
  PlgShape *shape = plg_figure_rect (figure, x, y, size, size, 0, RED);

  shape->entity = what;
  return shape;
}

static void
test_new (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (640, 480);

  g_assert_cmpfloat (plg_figure_width (figure), ==, 640);
  g_assert_cmpfloat (plg_figure_height (figure), ==, 480);
  g_assert_cmpint (plg_figure_n_shapes (figure), ==, 0);
  g_assert_cmpstr (plg_figure_title (figure), ==, "");
  g_assert_cmpstr (plg_figure_description (figure), ==, "");
  g_assert_cmpfloat (plg_figure_background (figure).alpha, ==, 0);
  plg_figure_resize (figure, 10, 20);
  g_assert_cmpfloat (plg_figure_width (figure), ==, 10);
  g_assert_cmpfloat (plg_figure_height (figure), ==, 20);
  plg_figure_unref (plg_figure_ref (figure));
  g_assert_cmpfloat (plg_figure_width (figure), ==, 10);
}

static void
fill_example (PlgFigure *figure)
{
  const PlgPoint curve[] = { { 0, 0 }, { 10.004, 0 }, { 20, 10 }, { 20, 20 } };
  PlgShape *shape;

  plg_figure_describe (figure, "Example", "Two lines:\n\"second\"");
  plg_figure_set_background (figure, plg_color_from_rgb (0xfafafb));
  plg_figure_open (figure, "node-0", "node", "Node 0");
  shape = plg_figure_rect (figure, 10, 20.125, 30, 40, 5, plg_color_from_rgb (0x8dd3c7));
  shape->id = "gpu-17";
  shape->classes = "gpu tp-2";
  shape->title = plg_figure_string (figure, "GPU %d", 17);
  shape->entity = entity (PLG_ENTITY_GPU, 17);
  shape->stroke = RED;
  shape->stroke_width = 1.5;
  plg_figure_text (figure, 12, 34, PLG_ANCHOR_MIDDLE, 11, TRUE, BLACK, "17");
  plg_figure_close (figure);
  plg_figure_set_layer (figure, PLG_LAYER_LINKS);
  shape = plg_figure_path (figure, curve, 4, plg_color_with_alpha (RED, 0.5), 2);
  shape->smooth = TRUE;
  shape->arrow = TRUE;
  shape->dashed = TRUE;
  shape = plg_figure_line (figure, 0, 0, -0.001, 5, BLACK, 1);
  shape->entity = (PlgEntity) { PLG_ENTITY_GROUP, PLG_AXIS_PP, 3 };
  shape->hatch = 2;
}

static void
test_dump (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 80.5);
  g_autofree char *dump = NULL;

  fill_example (figure);
  dump = plg_figure_dump (figure);
  g_assert_cmpstr (dump, ==,
                   "figure size 100,80.5 background #fafafb title \"Example\" description \"Two "
                   "lines:\\n\\\"second\\\"\"\n"
                   "open cluster id \"node-0\" class \"node\" title \"Node 0\"\n"
                   "  rect cluster at 10,20.13,30,40 radius 5 fill #8dd3c7 stroke #ff0000 width "
                   "1.5 is gpu 17 id \"gpu-17\" class \"gpu tp-2\" title \"GPU 17\"\n"
                   "  text cluster says \"17\" at 12,34 middle size 11 bold fill #000000\n"
                   "close\n"
                   "path links curve 0,0 10,0 20,10 20,20 arrow stroke #ff000080 width 2 dashed\n"
                   "path links line 0,0 0,5 stroke #000000 width 1 hatch 2 is group pp 3\n");
}

/* Every kind of entity has a name in a dump. */
static void
test_dump_entities (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (10, 10);
  g_autofree char *dump = NULL;

  for (int kind = 0; kind < PLG_N_ENTITY_KINDS; kind++)
    add_rect (figure, 0, 0, 1, entity (kind, kind));
  dump = plg_figure_dump (figure);
  g_assert_nonnull (strstr (dump, " is gpu 1\n"));
  g_assert_nonnull (strstr (dump, " is rack 12\n"));
  g_assert_null (strstr (dump, "(null)"));
}

static void
test_dump_is_stable (void)
{
  g_autoptr (PlgFigure) first = plg_figure_new (100, 80.5);
  g_autoptr (PlgFigure) second = plg_figure_new (100, 80.5);
  g_autofree char *a = NULL, *b = NULL;

  fill_example (first);
  fill_example (second);
  a = plg_figure_dump (first);
  b = plg_figure_dump (second);
  g_assert_cmpstr (a, ==, b);
}

static void
test_find (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);
  const PlgShape *shape;

  fill_example (figure);
  shape = plg_figure_find (figure, "gpu-17");
  g_assert_nonnull (shape);
  g_assert_cmpstr (shape->title, ==, "GPU 17");
  g_assert_true (plg_figure_find_entity (figure, entity (PLG_ENTITY_GPU, 17)) == shape);
  g_assert_null (plg_figure_find (figure, "gpu-1"));
  g_assert_null (plg_figure_find_entity (figure, entity (PLG_ENTITY_GPU, 1)));
  g_assert_nonnull (plg_figure_find (figure, "node-0"));
}

static void
test_entity_equal (void)
{
  PlgEntity tp = { PLG_ENTITY_GROUP, PLG_AXIS_TP, 1 }, pp = { PLG_ENTITY_GROUP, PLG_AXIS_PP, 1 };
  PlgEntity gpu = { PLG_ENTITY_GPU, PLG_AXIS_TP, 1 }, same = { PLG_ENTITY_GPU, PLG_AXIS_PP, 1 };
  PlgEntity none = { PLG_ENTITY_NONE, PLG_AXIS_TP, 1 }, nothing = { 0 };

  g_assert_false (plg_entity_equal (tp, pp));
  g_assert_true (plg_entity_equal (tp, tp));
  g_assert_true (plg_entity_equal (gpu, same));
  g_assert_false (plg_entity_equal (gpu, tp));
  g_assert_true (plg_entity_equal (none, nothing));
}

/* Returns the entity at (X, Y); the test compares its name, such as "gpu 3" or "none". */
static PlgEntity
hit (PlgFigure *figure, double x, double y, double slack)
{
  const PlgShape *shape = plg_figure_hit_test (figure, x, y, slack);

  return shape != NULL ? shape->entity : (PlgEntity) { 0 };
}

#define assert_hit(figure, x, y, slack, what, number) \
  G_STMT_START                                        \
  {                                                   \
    PlgEntity found_ = hit (figure, x, y, slack);     \
    g_assert_cmpint (found_.kind, ==, what);          \
    g_assert_cmpint (found_.index, ==, number);       \
  }                                                   \
  G_STMT_END

static void
test_hit_priority (void)
{
  /* Each shape lies over all earlier ones, but the priority of earlier ones decides. */
  static const PlgEntityKind falling[] = { PLG_ENTITY_HANDLE, PLG_ENTITY_GPU,   PLG_ENTITY_GROUP,
                                           PLG_ENTITY_LINK,   PLG_ENTITY_STAGE, PLG_ENTITY_NODE };
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);

  for (guint i = 0; i < G_N_ELEMENTS (falling); i++)
    add_rect (figure, 10 * i, 0, 100, entity (falling[i], 7));
  for (guint i = 0; i < G_N_ELEMENTS (falling); i++)
    assert_hit (figure, 101 + 10 * (i - 1.0), 50, 0, falling[i], 7);
}

static void
test_hit_topmost (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);

  add_rect (figure, 0, 0, 50, entity (PLG_ENTITY_GPU, 1));
  add_rect (figure, 25, 25, 50, entity (PLG_ENTITY_GPU, 2));
  add_rect (figure, 0, 0, 100, entity (PLG_ENTITY_NONE, 3));
  assert_hit (figure, 10, 10, 0, PLG_ENTITY_GPU, 1);
  assert_hit (figure, 30, 30, 0, PLG_ENTITY_GPU, 2);
  assert_hit (figure, 60, 60, 0, PLG_ENTITY_GPU, 2);
  assert_hit (figure, 90, 90, 50, PLG_ENTITY_NONE, 0);
}

static void
test_hit_line (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (200, 200);

  plg_figure_line (figure, 0, 0, 100, 100, BLACK, 1)->entity = entity (PLG_ENTITY_LINK, 4);
  assert_hit (figure, 50, 50, 0, PLG_ENTITY_LINK, 4);
  assert_hit (figure, 50, 54, 4, PLG_ENTITY_LINK, 4);
  assert_hit (figure, 50, 57, 4, PLG_ENTITY_NONE, 0);
  assert_hit (figure, 102, 102, 4, PLG_ENTITY_LINK, 4);
  assert_hit (figure, 104, 104, 4, PLG_ENTITY_NONE, 0);
  assert_hit (figure, 10, 90, 4, PLG_ENTITY_NONE, 0);
}

static void
test_hit_wide_line (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (200, 200);

  plg_figure_line (figure, 0, 50, 100, 50, BLACK, 20)->entity = entity (PLG_ENTITY_LINK, 1);
  plg_figure_line (figure, 0, 66, 100, 66, BLACK, 2)->entity = entity (PLG_ENTITY_LINK, 2);
  /* All painted areas can be hit with any slack; between two shapes the nearer is hit. */
  assert_hit (figure, 50, 59, 2, PLG_ENTITY_LINK, 1);
  assert_hit (figure, 50, 61, 8, PLG_ENTITY_LINK, 2);
  assert_hit (figure, 50, 65, 8, PLG_ENTITY_LINK, 2);
  assert_hit (figure, 50, 58, 12, PLG_ENTITY_LINK, 1);
}

/* Between a link and the outline of a group the nearer is hit; along an arrow of a group the link
 * is hit, under the name of a group it is not. */
static void
test_hit_link_and_group (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (200, 200);
  PlgShape *outline;

  plg_figure_line (figure, 50, 10, 50, 60, BLACK, 2)->entity = entity (PLG_ENTITY_LINK, 1);
  outline = plg_figure_rect (figure, 0, -50, 100, 64, 4, PLG_COLOR_NONE);
  outline->entity = entity (PLG_ENTITY_GROUP, 2);
  outline->stroke = BLACK;
  outline->stroke_width = 2;
  plg_figure_line (figure, 50, 20, 50, 100, BLACK, 2)->entity = entity (PLG_ENTITY_GROUP, 3);
  add_rect (figure, 45, 50, 10, entity (PLG_ENTITY_GROUP, 4));
  assert_hit (figure, 50, 17, 5, PLG_ENTITY_LINK, 1);
  assert_hit (figure, 60, 15, 5, PLG_ENTITY_GROUP, 2);
  assert_hit (figure, 50, 40, 5, PLG_ENTITY_LINK, 1);
  assert_hit (figure, 50, 80, 5, PLG_ENTITY_GROUP, 3);
  assert_hit (figure, 50, 55, 5, PLG_ENTITY_GROUP, 4);
}

static void
test_hit_curve (void)
{
  const PlgPoint points[] = { { 0, 0 }, { 0, 100 }, { 100, 100 }, { 100, 0 } };
  g_autoptr (PlgFigure) figure = plg_figure_new (200, 200);
  PlgShape *shape = plg_figure_path (figure, points, 4, BLACK, 1);

  shape->smooth = TRUE;
  shape->entity = entity (PLG_ENTITY_LINK, 9);
  assert_hit (figure, 50, 75, 1, PLG_ENTITY_LINK, 9);
  assert_hit (figure, 0, 0, 1, PLG_ENTITY_LINK, 9);
  assert_hit (figure, 50, 100, 5, PLG_ENTITY_NONE, 0);
  assert_hit (figure, 50, 50, 5, PLG_ENTITY_NONE, 0);
}

static void
test_hit_inside (void)
{
  const PlgPoint points[] = { { 0, 0 }, { 100, 0 }, { 50, 100 } };
  g_autoptr (PlgFigure) figure = plg_figure_new (200, 200);
  PlgShape *shape = plg_figure_path (figure, points, 3, BLACK, 1);

  shape->entity = entity (PLG_ENTITY_HANDLE, 5);
  shape->closed = TRUE;
  assert_hit (figure, 50, 30, 2, PLG_ENTITY_NONE, 0);
  assert_hit (figure, 75, 50, 2, PLG_ENTITY_HANDLE, 5);
  shape->fill = RED;
  assert_hit (figure, 50, 30, 2, PLG_ENTITY_HANDLE, 5);
  assert_hit (figure, 5, 90, 2, PLG_ENTITY_NONE, 0);
  shape->closed = FALSE;
  assert_hit (figure, 50, 30, 2, PLG_ENTITY_NONE, 0);
}

static void
test_hit_outline (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (200, 200);
  PlgShape *shape = plg_figure_rect (figure, 10, 10, 100, 100, 4, PLG_COLOR_NONE);

  shape->entity = entity (PLG_ENTITY_GROUP, 1);
  /* A shape without fill and stroke is invisible but can be hit. */
  assert_hit (figure, 60, 60, 0, PLG_ENTITY_GROUP, 1);
  shape->stroke = BLACK;
  shape->stroke_width = 2;
  assert_hit (figure, 60, 60, 3, PLG_ENTITY_NONE, 0);
  assert_hit (figure, 12, 60, 3, PLG_ENTITY_GROUP, 1);
  assert_hit (figure, 8, 60, 3, PLG_ENTITY_GROUP, 1);
  assert_hit (figure, 6, 60, 3, PLG_ENTITY_NONE, 0);
}

static void
test_hit_hostile (void)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 1e300, -1e300 };
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);

  g_assert_null (plg_figure_hit_test (figure, 0, 0, 5));
  plg_figure_path (figure, NULL, 0, BLACK, 1)->entity = entity (PLG_ENTITY_LINK, 1);
  plg_figure_line (figure, 5, 5, 5, 5, BLACK, 1)->entity = entity (PLG_ENTITY_LINK, 2);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      add_rect (figure, odd[i], 0, odd[i], entity (PLG_ENTITY_NODE, 3));
      plg_figure_line (figure, odd[i], 0, 0, odd[i], BLACK, 1)->entity = entity (PLG_ENTITY_LINK,
                                                                                 4);
      g_assert_null (plg_figure_hit_test (figure, odd[i], -1e9, 1));
    }
  assert_hit (figure, 5, 5, 1, PLG_ENTITY_LINK, 2);
}

static void
test_strings (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);
  char name[] = "changes";
  const PlgShape *text;

  g_assert_cmpstr (plg_figure_string (figure, "%s", "a\xff"), ==, "a\xef\xbf\xbd");
  text = plg_figure_text (figure, 0, 0, PLG_ANCHOR_START, 10, FALSE, BLACK, "one\ntwo\x01\xc3");
  g_assert_cmpstr (text->text, ==, "one two \xef\xbf\xbd");
  plg_figure_open (figure, name, name, name);
  memset (name, 'x', sizeof name - 1);
  g_assert_nonnull (plg_figure_find (figure, "changes"));
  plg_figure_close (figure);
  plg_figure_describe (figure, "\xfe", NULL);
  g_assert_cmpstr (plg_figure_title (figure), ==, "\xef\xbf\xbd");
}

static void
test_text_bounds (void)
{
  static const double share[] = { 0, 0.5, 1 };
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);

  for (int anchor = PLG_ANCHOR_START; anchor <= PLG_ANCHOR_END; anchor++)
    {
      const PlgShape *text = plg_figure_text (figure, 50, 20, (PlgAnchor) anchor, 10, FALSE, BLACK,
                                              "rank 17");

      g_assert_cmpfloat_with_epsilon (text->rect.width, plg_text_width ("rank 17", 10, FALSE),
                                      0.01);
      g_assert_cmpfloat_with_epsilon (text->rect.x, 50 - share[anchor] * text->rect.width, 0.01);
      g_assert_cmpfloat (text->rect.y, <, 20 - 7);
      g_assert_cmpfloat (text->rect.y + text->rect.height, >, 20 + 2);
    }
}

static void
test_text_width (void)
{
  double width = plg_text_width ("GPU 17", 10, FALSE);

  g_assert_cmpfloat (width, >, 20);
  g_assert_cmpfloat (width, <, 60);
  g_assert_cmpfloat_with_epsilon (plg_text_width ("GPU 17", 30, FALSE), 3 * width, 1e-9);
  g_assert_cmpfloat (plg_text_width ("GPU 17", 10, TRUE), >, width);
  g_assert_cmpfloat (plg_text_width ("", 10, FALSE), ==, 0);
  g_assert_cmpfloat (plg_text_width ("GPU 17", 0, FALSE), ==, 0);
}

static gpointer
measure (gpointer data)
{
  double *widths = data;

  for (int i = 0; i < 200; i++)
    {
      g_autofree char *text = g_strdup_printf ("rank %d", i);

      widths[i] = plg_text_width (text, 12, i % 2 == 0);
    }
  return NULL;
}

static void
test_text_threads (void)
{
  double widths[4][200];
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("measure", measure, widths[i]);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  for (int i = 1; i < 4; i++)
    g_assert_cmpmem (widths[0], sizeof widths[0], widths[i], sizeof widths[i]);
}

/* With more texts than are kept, a dropped text is measured again with the same result. */
static void
test_text_many (void)
{
  double first = plg_text_width ("text 0", 10, FALSE);

  for (int i = 0; i < 6000; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %d", i);

      g_assert_cmpfloat (plg_text_width (text, 10, FALSE), >, 0);
    }
  g_assert_cmpfloat (plg_text_width ("text 0", 10, FALSE), ==, first);
}

/* Asserts that FITTING is the part of TEXT that fits WIDTH. */
static void
assert_fits (const char *fitting, const char *text, double width)
{
  g_assert_true (g_utf8_validate (fitting, -1, NULL));
  g_assert_cmpfloat (plg_text_width (fitting, 10, FALSE), <=, MAX (width, 0));
  g_assert_cmpint (width >= plg_text_width (text, 10, FALSE), ==, strcmp (fitting, text) == 0);
}

static void
test_text_fit (void)
{
  const char *text = "A név — a name that is much too long";
  double whole = plg_text_width (text, 10, FALSE);

  for (double width = -5; width < whole + 5; width += 3)
    {
      g_autofree char *fitting = plg_text_fit (text, width, 10, FALSE);

      assert_fits (fitting, text, width);
      g_assert_true (*fitting == '\0' || width >= whole || g_str_has_suffix (fitting, "…"));
    }
}

/* Names with the same start are distinguished by their ends. */
static void
test_text_fit_ends (void)
{
  const char *text = "Knoten 1 GPU 3 → Knoten 1 GPU 14";
  double whole = plg_text_width (text, 10, FALSE);

  for (double width = -5; width < whole + 5; width += 3)
    {
      g_autofree char *fitting = plg_text_fit_ends (text, width, 10, FALSE);

      assert_fits (fitting, text, width);
      g_assert_true (width < 30 || g_str_has_suffix (fitting, "14"));
      g_assert_true (width < 60 || g_str_has_prefix (fitting, "K"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/new", test_new);
  g_test_add_func ("/figure/dump", test_dump);
  g_test_add_func ("/figure/dump-entities", test_dump_entities);
  g_test_add_func ("/figure/dump-is-stable", test_dump_is_stable);
  g_test_add_func ("/figure/find", test_find);
  g_test_add_func ("/figure/entity-equal", test_entity_equal);
  g_test_add_func ("/figure/hit/priority", test_hit_priority);
  g_test_add_func ("/figure/hit/topmost", test_hit_topmost);
  g_test_add_func ("/figure/hit/line", test_hit_line);
  g_test_add_func ("/figure/hit/wide-line", test_hit_wide_line);
  g_test_add_func ("/figure/hit/link-and-group", test_hit_link_and_group);
  g_test_add_func ("/figure/hit/curve", test_hit_curve);
  g_test_add_func ("/figure/hit/inside", test_hit_inside);
  g_test_add_func ("/figure/hit/outline", test_hit_outline);
  g_test_add_func ("/figure/hit/hostile", test_hit_hostile);
  g_test_add_func ("/figure/strings", test_strings);
  g_test_add_func ("/figure/text/bounds", test_text_bounds);
  g_test_add_func ("/figure/text/width", test_text_width);
  g_test_add_func ("/figure/text/threads", test_text_threads);
  g_test_add_func ("/figure/text/many", test_text_many);
  g_test_add_func ("/figure/text/fit", test_text_fit);
  g_test_add_func ("/figure/text/fit-ends", test_text_fit_ends);
  return g_test_run ();
}
