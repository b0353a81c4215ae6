/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

#include "drawing/figure/stroke-geometry.h"
#include "lessons/lesson.h"

#include <math.h>

/* Properties of every picture. */

/* Names */

static void
test_names (void)
{
  static const struct
  {
    const char *name;
    PlgPicture picture;
  } rows[] = { { "cluster", PLG_PICTURE_CLUSTER },
               { "grid", PLG_PICTURE_CLUSTER },
               { "links", PLG_PICTURE_CLUSTER },
               { "memory", PLG_PICTURE_MEMORY },
               { "timeline", PLG_PICTURE_TIMELINE },
               { "gantt", PLG_PICTURE_TIMELINE },
               { "mfu", PLG_PICTURE_MFU },
               { "ledger", PLG_PICTURE_LEDGER },
               { "collective", PLG_PICTURE_COLLECTIVE },
               { "ring", PLG_PICTURE_COLLECTIVE },
               { "split", PLG_PICTURE_SPLIT },
               { "sweep", PLG_PICTURE_SWEEP },
               { "scaling", PLG_PICTURE_SWEEP } };
  PlgPicture picture;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (plg_picture_from_name (rows[i].name, &picture));
      g_assert_cmpint (picture, ==, rows[i].picture);
    }
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_assert_true (plg_picture_from_name (plg_picture_name (i), &picture));
      g_assert_cmpint (picture, ==, i);
      g_assert_cmpstr (plg_picture_title (i), !=, "");
    }
  g_assert_false (plg_picture_from_name ("", &picture));
  g_assert_false (plg_picture_from_name ("Cluster", &picture));
}

/* Each picture that a lesson can show exists. */
static void
test_names_in_lessons (void)
{
  for (int i = 0; plg_lesson_pictures[i] != NULL; i++)
    {
      PlgPicture picture;

      g_assert_true (plg_picture_from_name (plg_lesson_pictures[i], &picture));
    }
}

static void
test_options (void)
{
  Case c;

  case_init (&c, &sample_default);
  c.plan->view.show = PLG_SHOW_DP;
  c.plan->view.link_color = PLG_LINK_COLOR_TIME;
  c.plan->view.rings = TRUE;
  plg_picture_options_init (&c.options, c.plan);
  g_assert_cmpint (c.options.show, ==, PLG_SHOW_DP);
  g_assert_cmpint (c.options.link_color, ==, PLG_LINK_COLOR_TIME);
  g_assert_true (c.options.rings);
  g_assert_true (c.options.legend);
  g_assert_false (c.options.handles);
  g_assert_cmpint (c.options.n_highlighted, ==, 0);
  case_clear (&c);
}

/* Validity */

static void
assert_finite (const PlgFigure *figure, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (figure, shape);

  g_assert_true (isfinite (shape->rect.x) && isfinite (shape->rect.y));
  g_assert_true (isfinite (shape->rect.width) && isfinite (shape->rect.height));
  g_assert_true (shape->rect.width >= 0 && shape->rect.height >= 0);
  g_assert_true (isfinite (shape->stroke_width) && shape->stroke_width >= 0);
  g_assert_true (isfinite (shape->radius) && shape->radius >= 0);
  for (int i = 0; i < shape->n_points; i++)
    g_assert_true (isfinite (points[i].x) && isfinite (points[i].y));
}

static gboolean
can_be_seen (const PlgShape *shape)
{
  return shape->kind != PLG_SHAPE_OPEN && shape->kind != PLG_SHAPE_CLOSE &&
         plg_shape_is_visible (shape);
}

static void
assert_inside (const PlgFigure *figure, const PlgShape *shape)
{
  /* Letters may overhang a little, and strokes are half outside. */
  const double slack = 2.5;
  PlgRect r = shape->rect;

  if (r.x < -slack || r.y < -slack || r.x + r.width > plg_figure_width (figure) + slack ||
      r.y + r.height > plg_figure_height (figure) + slack)
    g_error ("outside of %g x %g: %g %g %g %g \"%s\"", plg_figure_width (figure),
             plg_figure_height (figure), r.x, r.y, r.width, r.height,
             shape->text != NULL ? shape->text : "");
}

static void
assert_sound (const PlgFigure *figure)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  int depth = 0;

  g_assert_true (isfinite (plg_figure_width (figure)) && plg_figure_width (figure) > 0);
  g_assert_true (isfinite (plg_figure_height (figure)) && plg_figure_height (figure) > 0);
  g_assert_cmpstr (plg_figure_title (figure), !=, "");
  g_assert_cmpstr (plg_figure_description (figure), !=, "");
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      depth += (shape->kind == PLG_SHAPE_OPEN) - (shape->kind == PLG_SHAPE_CLOSE);
      g_assert_cmpint (depth, >=, 0);
      if (shape->id != NULL && !g_hash_table_add (ids, (gpointer) shape->id))
        g_error ("twice the same id: %s", shape->id);
      assert_finite (figure, shape);
      if (can_be_seen (shape))
        assert_inside (figure, shape);
    }
  g_assert_cmpint (depth, ==, 0);
}

static void
assert_picture_sound (const Case *c, PlgPicture picture)
{
  g_autoptr (PlgFigure) figure = draw (c, picture);

  assert_sound (figure);
}

static void
test_palettes (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int palette = 0; palette < PLG_N_PALETTES; palette++)
      for (int picture = 0; picture < PLG_N_PICTURES; picture++)
        {
          Case c;

          case_init (&c, &samples[i]);
          plg_theme_init (&c.theme, palette);
          assert_picture_sound (&c, picture);
          case_clear (&c);
        }
}

static void
test_shows (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int show = PLG_SHOW_ALL; show <= PLG_SHOW_MEMORY; show++)
      for (int variant = 0; variant < 4; variant++)
        {
          Case c;

          case_init (&c, &samples[i]);
          c.options.show = show;
          c.options.rings = variant & 1;
          c.options.handles = TRUE;
          c.options.legend = !(variant & 2);
          c.options.link_color = variant;
          assert_picture_sound (&c, PLG_PICTURE_CLUSTER);
          case_clear (&c);
        }
}

static void
test_highlights (void)
{
  const PlgEntity entities[] = {
    entity (PLG_ENTITY_GPU, 0),
    entity (PLG_ENTITY_GPU, 5),
    entity (PLG_ENTITY_NODE, 1),
    entity (PLG_ENTITY_LINK, 3),
    entity (PLG_ENTITY_LINK, 100000),
    entity (PLG_ENTITY_STAGE, 0),
    entity (PLG_ENTITY_BLOCK, 2),
    entity (PLG_ENTITY_PART, PLG_PART_PP),
    entity (PLG_ENTITY_PART, PLG_PART_COMPUTE),
    entity (PLG_ENTITY_HANDLE, 0),
    entity (PLG_ENTITY_LEGEND, 0),
    entity (PLG_ENTITY_GPU, -1),
    entity (PLG_ENTITY_GPU, G_MAXINT),
    entity (PLG_ENTITY_NODE, -3),
    axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, 0),
    axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_DP, 1),
    axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_PP, -1),
    axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_CP, G_MAXINT),
  };

  for (int i = 0; i < n_samples; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (entities); k++)
      for (int focused = 0; focused < 2; focused++)
        {
          Case c;

          case_init (&c, &samples[i]);
          c.options.handles = TRUE;
          if (focused)
            highlight (&c, entities[k]);
          else
            c.options.selected = entities[k];
          assert_picture_sound (&c, PLG_PICTURE_CLUSTER);
          case_clear (&c);
        }
}

static void
test_widths (void)
{
  static const double widths[] = { 1, 200, 240, 300, 480, 1000, 4000 };

  for (int i = 0; i < n_samples; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (widths); k++)
      for (int picture = PLG_PICTURE_MEMORY; picture < PLG_N_PICTURES; picture++)
        {
          Case c;

          case_init (&c, &samples[i]);
          c.options.width = widths[k];
          c.options.embedded = k % 2;
          assert_picture_sound (&c, picture);
          case_clear (&c);
        }
}

/* A report may contain NaN, and may not match the plan. */
static void
spoil (PlgReport *report, double value)
{
  for (guint i = 0; i < report->stages->len; i++)
    {
      g_array_index (report->stages, PlgStageMemory, i).activations = value;
      g_array_index (report->stages, PlgStageMemory, i).total = value;
    }
  for (guint i = 0; i < report->links->len; i++)
    {
      g_array_index (report->links, PlgLink, i).calls = value;
      g_array_index (report->links, PlgLink, i).bytes_out = value;
      g_array_index (report->links, PlgLink, i).time = value;
    }
  for (guint i = 0; i < report->blocks->len; i += 3)
    g_array_index (report->blocks, PlgBlock, i).end = value;
  report->memory_capacity = report->memory_peak = value;
  report->step.time = report->step.mfu = value;
  report->step.part[PLG_PART_BUBBLE] = value;
}

static void
test_numbers_that_are_none (void)
{
  static const double values[] = { NAN, INFINITY, -INFINITY, 0, -1, 1e21, 1e-9 };

  for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      for (int color = 0; color <= PLG_LINK_COLOR_OFF; color++)
        {
          Case c;

          case_init (&c, &sample_default);
          c.options.link_color = color;
          c.options.show = color == 1 ? PLG_SHOW_MEMORY : PLG_SHOW_ALL;
          spoil (c.report, values[k]);
          assert_picture_sound (&c, picture);
          case_clear (&c);
        }
}

static void
test_empty_report (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      {
        Case c;

        case_init (&c, &samples[i]);
        plg_report_unref (c.report);
        c.report = plg_report_new ();
        highlight (&c, entity (PLG_ENTITY_GPU, 0));
        assert_picture_sound (&c, picture);
        case_clear (&c);
      }
}

/* The report belongs to another plan, as may happen for a short time while a document changes. */
static void
test_other_report (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int picture = 0; picture < PLG_N_PICTURES; picture++)
      {
        Case c, other;

        case_init (&c, &samples[i]);
        case_init (&other, &samples[(i + 1) % n_samples]);
        plg_report_unref (c.report);
        c.report = plg_report_ref (other.report);
        assert_picture_sound (&c, picture);
        case_clear (&other);
        case_clear (&c);
      }
}

/* Degrees whose product is not the number of GPUs: no GPU has a rank. */
static void
test_no_ranks (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.plan->parallelism.degree[PLG_AXIS_DP] = 3;
  c.options.handles = TRUE;
  c.options.selected = entity (PLG_ENTITY_GPU, 7);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  assert_sound (figure);
  g_assert_nonnull (plg_figure_find (figure, "gpu-63"));
  case_clear (&c);
}

/* Ranks and coordinates with many digits. */
static void
test_long_texts_apart (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;

  case_init (&c, &sample_default);
  c.plan->cluster.nodes = 64;
  c.plan->parallelism.degree[PLG_AXIS_DP] = 16;
  g_array_set_size (c.report->links, 0);
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  g_assert_nonnull (find_text (figure, "t7 p3 d15"));
  /* The texts of one tile have consecutive indices. */
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    for (int k = i + 1; k < MIN (i + 4, plg_figure_n_shapes (figure)); k++)
      {
        const PlgShape *a = plg_figure_shape (figure, i), *b = plg_figure_shape (figure, k);

        if (a->kind == PLG_SHAPE_TEXT && b->kind == PLG_SHAPE_TEXT && *a->text != '\0' &&
            *b->text != '\0' && plg_rect_intersects (ink (a), ink (b)))
          g_error ("\"%s\" lies on \"%s\"", a->text, b->text);
      }
  case_clear (&c);
}

/* Headings of columns stand apart and are alike, and no cell has an illegible letter. */
static void
test_matrix_of_many (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  double right = 0, top = 0;
  int headings = 0;

  case_init (&c, sample_named ("16384"));
  figure = draw (&c, PLG_PICTURE_MATRIX);
  for (int k = 0; k < plg_figure_n_shapes (figure); k++)
    {
      const PlgShape *shape = plg_figure_shape (figure, k);

      if (shape->kind != PLG_SHAPE_TEXT)
        continue;
      g_assert_true (strlen (shape->text) > 1 || g_ascii_isdigit (*shape->text));
      if (g_str_equal (shape->text, "0") && shape->anchor == PLG_ANCHOR_MIDDLE)
        top = shape->at.y;
      if (top == 0 || fabs (shape->at.y - top) > 0.01 || shape->anchor != PLG_ANCHOR_MIDDLE)
        continue;
      g_assert_cmpfloat (shape->rect.x, >, right + 2);
      right = shape->rect.x + shape->rect.width;
      g_assert_cmpuint (strspn (shape->text, "0123456789"), ==, strlen (shape->text));
      headings++;
    }
  g_assert_cmpint (headings, >=, 8);
  case_clear (&c);
}

/* Goldens */

/* Compares with the golden file NAME; PLG_UPDATE_GOLDEN=1 rewrites it. */
static void
assert_golden (const PlgFigure *figure, const char *name)
{
  g_autofree char *file = g_strconcat (name, ".txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "drawing", "golden", file, NULL);
  g_autofree char *dump = plg_figure_dump (figure);
  g_autofree char *golden = NULL;
  g_auto (GStrv) have = NULL, wanted = NULL;

  if (g_getenv ("PLG_UPDATE_GOLDEN") != NULL)
    {
      g_assert_true (g_file_set_contents (path, dump, -1, NULL));
      return;
    }
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  have = g_strsplit (dump, "\n", -1);
  wanted = g_strsplit (golden, "\n", -1);
  for (int i = 0; have[i] != NULL && wanted[i] != NULL; i++)
    if (!g_str_equal (have[i], wanted[i]))
      g_error ("%s:%d: is\n  %s\nwas\n  %s\nPLG_UPDATE_GOLDEN=1 accepts it", file, i + 1, have[i],
               wanted[i]);
  g_assert_cmpuint (g_strv_length (have), ==, g_strv_length (wanted));
}

static const PlgEntity highlighted_gpu = { PLG_ENTITY_GPU, 0, 1 };
static const PlgEntity highlighted_links[] = { { PLG_ENTITY_LINK, 0, 1 },
                                               { PLG_ENTITY_GPU, 0, 4 },
                                               { PLG_ENTITY_LINK, 0, 9 } };
static const struct
{
  const char *golden;
  const char *sample;
  PlgPicture picture;
  PlgPictureOptions options;
} goldens[] = {
  { "cluster", "default", PLG_PICTURE_CLUSTER, { .legend = TRUE } },
  { "cluster-small",
    "small",
    PLG_PICTURE_CLUSTER,
    { .legend = TRUE, .handles = TRUE, .selected = { PLG_ENTITY_GPU, 0, 5 } } },
  { "cluster-highlight",
    "small",
    PLG_PICTURE_CLUSTER,
    { .link_color = PLG_LINK_COLOR_BYTES, .highlighted = &highlighted_gpu, .n_highlighted = 1 } },
  { "cluster-tp", "small", PLG_PICTURE_CLUSTER, { .show = PLG_SHOW_TP, .legend = TRUE } },
  { "cluster-rings", "small", PLG_PICTURE_CLUSTER, { .rings = TRUE, .legend = TRUE } },
  { "cluster-mesh", "mesh", PLG_PICTURE_CLUSTER, { .link_color = PLG_LINK_COLOR_TIME } },
  { "cluster-pcie", "pcie", PLG_PICTURE_CLUSTER, { .show = PLG_SHOW_MEMORY, .legend = TRUE } },
  { "memory", "default", PLG_PICTURE_MEMORY, { .legend = TRUE } },
  { "memory-panel",
    "too-large",
    PLG_PICTURE_MEMORY,
    { .legend = TRUE, .width = 300, .embedded = TRUE } },
  { "timeline", "small", PLG_PICTURE_TIMELINE, { .legend = TRUE } },
  { "cluster-moment",
    "small",
    PLG_PICTURE_CLUSTER,
    { .legend = TRUE, .has_moment = TRUE, .moment = 1.5 } },
  { "timeline-moment",
    "small",
    PLG_PICTURE_TIMELINE,
    { .legend = TRUE, .has_moment = TRUE, .moment = 1.5 } },
  { "collective",
    "small",
    PLG_PICTURE_COLLECTIVE,
    { .legend = TRUE, .collective = 1, .rank = 3, .frame = 1 } },
  { "split", "small", PLG_PICTURE_SPLIT, { .frame = 3 } },
  { "mfu", "default", PLG_PICTURE_MFU, { .legend = TRUE } },
  { "cluster-pins",
    "small",
    PLG_PICTURE_CLUSTER,
    { .highlighted = highlighted_links,
      .n_highlighted = G_N_ELEMENTS (highlighted_links),
      .n_pins = 2 } },
  { "ledger", "default", PLG_PICTURE_LEDGER, { .legend = TRUE } },
  { "ledger-pins",
    "small",
    PLG_PICTURE_LEDGER,
    { .highlighted = highlighted_links,
      .n_highlighted = G_N_ELEMENTS (highlighted_links),
      .n_pins = 2,
      .width = 640,
      .embedded = TRUE } },
  { "matrix", "small", PLG_PICTURE_MATRIX, { .legend = TRUE } },
  { "mfu-panel", "default", PLG_PICTURE_MFU, { .width = 270, .embedded = TRUE } },
  { "sweep", "small", PLG_PICTURE_SWEEP, { .legend = TRUE } },
};

static void
test_goldens (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (goldens); i++)
    {
      Case c;
      g_autoptr (PlgFigure) figure = NULL;

      case_init (&c, sample_named (goldens[i].sample));
      c.options = goldens[i].options;
      figure = draw (&c, goldens[i].picture);
      assert_golden (figure, goldens[i].golden);
      case_clear (&c);
    }
}

/* During playback each GPU shows the activity of its stage. */
static void
test_playback (void)
{
  Case c;
  g_autoptr (PlgFigure) figure = NULL;
  const PlgShape *busy, *quiet;

  case_init (&c, &sample_default);
  c.options.has_moment = TRUE;
  figure = draw (&c, PLG_PICTURE_CLUSTER);
  busy = plg_figure_find (figure, "gpu-0");
  quiet = plg_figure_find (figure, "gpu-8");
  g_assert_nonnull (strstr (busy->title, "forward 0"));
  g_assert_nonnull (strstr (quiet->title, "idle"));
  case_clear (&c);
}

/* The same input gives the same picture. */
static void
test_deterministic (void)
{
  for (int picture = 0; picture < PLG_N_PICTURES; picture++)
    {
      Case c;
      g_autoptr (PlgFigure) a = NULL, b = NULL;
      g_autofree char *dump_a = NULL, *dump_b = NULL;

      case_init (&c, &sample_default);
      a = draw (&c, picture);
      b = draw (&c, picture);
      dump_a = plg_figure_dump (a);
      dump_b = plg_figure_dump (b);
      g_assert_cmpstr (dump_a, ==, dump_b);
      case_clear (&c);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pictures/names", test_names);
  g_test_add_func ("/pictures/names-in-lessons", test_names_in_lessons);
  g_test_add_func ("/pictures/options", test_options);
  g_test_add_func ("/pictures/sound/palettes", test_palettes);
  g_test_add_func ("/pictures/sound/shows", test_shows);
  g_test_add_func ("/pictures/sound/highlights", test_highlights);
  g_test_add_func ("/pictures/sound/widths", test_widths);
  g_test_add_func ("/pictures/sound/numbers-that-are-none", test_numbers_that_are_none);
  g_test_add_func ("/pictures/sound/empty-report", test_empty_report);
  g_test_add_func ("/pictures/sound/other-report", test_other_report);
  g_test_add_func ("/pictures/sound/no-ranks", test_no_ranks);
  g_test_add_func ("/pictures/deterministic", test_deterministic);
  g_test_add_func ("/pictures/playback", test_playback);
  g_test_add_func ("/pictures/goldens", test_goldens);
  g_test_add_func ("/matrix/of-many", test_matrix_of_many);
  g_test_add_func ("/texts/long-apart", test_long_texts_apart);
  return g_test_run ();
}
