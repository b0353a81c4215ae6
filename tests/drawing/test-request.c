/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "request-fixture.h"

#include "drawing/figure/stroke-geometry.h"
#include "drawing/export/paint.h"

#include <locale.h>

/* Requests for pictures, and their options on the command line. */

static void
test_same_bytes (RequestFixture *fixture, gconstpointer name)
{
  static const PlgExportFormat formats[] = { PLG_EXPORT_TIKZ, PLG_EXPORT_DRAWIO, PLG_EXPORT_TEXT };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *first = request_fixture_export (fixture, formats[i]);
      /* Uses a locale with a decimal comma, if the machine has one. */
      const char *locale = setlocale (LC_NUMERIC, "de_DE.UTF-8");
      g_autofree char *second = request_fixture_export (fixture, formats[i]);

      setlocale (LC_NUMERIC, "C");
      g_assert_cmpstr (first, ==, second);
      if (locale == NULL)
        g_test_message ("The locale de_DE.UTF-8 is not installed.");
    }
}

static void
test_entities_in_words (RequestFixture *fixture, gconstpointer name)
{
  static const PlgEntity entities[] = {
    { PLG_ENTITY_GPU, 0, 17 },
    { PLG_ENTITY_NODE, 0, 2 },
    { PLG_ENTITY_GROUP, PLG_AXIS_TP, 3 },
    { PLG_ENTITY_GROUP, PLG_AXIS_DP, -1 },
    { PLG_ENTITY_LINK, 0, 21 },
    { PLG_ENTITY_COLLECTIVE, 0, 0 },
    { PLG_ENTITY_STAGE, 0, 1 },
  };
  static const char *const bad[] = { "",       "gpu",   "gpu:",           "gpu:64", "gpu:-1",
                                     "gpu:1x", "link:", "tp:8",           "node:8", "collective:99",
                                     "xp:1",   ":1",    "link:nvlink-9-9" };

  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    {
      g_autofree char *text = plg_entity_to_text (fixture->report, entities[i]);
      PlgEntity read = { 0 };

      g_assert_true (plg_entity_from_text (fixture->plan, fixture->report, text, &read, NULL));
      g_assert_true (plg_entity_equal (read, entities[i]));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      PlgEntity read;

      g_assert_false (plg_entity_from_text (fixture->plan, fixture->report, bad[i], &read, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_shell_line (void)
{
  const char *const words[] = { "a", "x=1,2", "it's", "", "$HOME `id` ; rm -r *", "~root", "ü b" };
  g_autoptr (GPtrArray) array = g_ptr_array_new ();
  g_autofree char *line = NULL;
  g_auto (GStrv) read = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (array, (gpointer) words[i]);
  line = plg_shell_quote_arguments (array);
  g_assert_true (g_str_has_prefix (line, "a x=1,2 '"));
  g_assert_null (strstr (line, " ~"));
  g_assert_true (g_shell_parse_argv (line, NULL, &read, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_cmpstr (read[i], ==, words[i]);
}

/* A crop has its own size, shapes outside are removed, and lines end at its edge. */
static void
test_crop (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = NULL;
  PlgTheme theme;

  fixture->request.crop = (PlgRect) { 90, 50, 300, 80 };
  fixture->request.options.legend = PLG_LEGEND_OFF;
  figure = plg_request_figure (&fixture->request, fixture->plan, fixture->report, &theme);
  g_assert_cmpfloat (plg_figure_width (figure), ==, 300);
  g_assert_cmpfloat (plg_figure_height (figure), ==, 80);
  g_assert_nonnull (plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_GPU, 0, 0 }));
  g_assert_null (plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_GPU, 0, 63 }));
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const PlgPoint *p = plg_figure_points (figure, shape);

      if (plg_shape_is_visible (shape))
        g_assert_true (plg_rect_intersects (plg_shape_extents (shape),
                                            (PlgRect) { 0, 0, 300, 80 }));
      if (shape->kind == PLG_SHAPE_PATH && shape->n_points == 2)
        g_assert_true (MIN (p[0].y, p[1].y) >= 0 && MAX (p[0].y, p[1].y) <= 80);
    }
}

/* A zoomed picture is as large as on the screen, with its texts and its legend. The number of
 * its pixels does not change. */
static void
test_size_as_seen (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (PlgFigure) natural = NULL, seen = NULL;
  g_autofree char *svg = NULL;
  double zoom = 0.25, pixels;
  PlgRect cut;
  PlgTheme theme;

  fixture->request.crop = (PlgRect) { 0, 0, 1200, 400 };
  fixture->request.options.legend = PLG_LEGEND_BELOW;
  natural = plg_request_figure (&fixture->request, fixture->plan, fixture->report, &theme);
  fixture->request.options.zoom = zoom;
  seen = plg_request_figure (&fixture->request, fixture->plan, fixture->report, &theme);
  g_assert_cmpfloat (plg_figure_width (natural), ==, 1200);
  g_assert_cmpfloat_with_epsilon (plg_figure_width (seen), 1200 * zoom, 1e-6);
  g_assert_cmpint (plg_figure_get_crop (seen, &cut), >, 0);
  g_assert_cmpfloat_with_epsilon (cut.height, 400 * zoom, 1e-6);
  for (int i = 0; i < plg_figure_n_shapes (seen); i++)
    if (plg_figure_shape (seen, i)->kind == PLG_SHAPE_TEXT)
      g_assert_cmpfloat (plg_figure_shape (seen, i)->font_size, <, 30);
  pixels = plg_figure_width (seen) * plg_export_default_scale (seen);
  g_assert_cmpfloat_with_epsilon (pixels, 1200 * plg_export_default_scale (natural), 1);
  svg = request_fixture_export (fixture, PLG_EXPORT_SVG);
  g_assert_nonnull (strstr (svg, "width=\"300\""));
}

/* Returns the pixel of SURFACE at (X, Y). */
static guint32
pixel_at (cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);

  return *(const guint32 *) (gconstpointer) (data + y * cairo_image_surface_get_stride (surface) +
                                             x * 4);
}

/* A crop of the cluster has its own legend next to it or below; no part of the GPUs at the edge
 * appears between the crop and its legend. */
static void
test_crop_with_legend (RequestFixture *fixture, gconstpointer name)
{
  for (PlgLegendPlace place = PLG_LEGEND_BELOW; place < PLG_N_LEGEND_PLACES; place++)
    {
      gboolean is_right = place == PLG_LEGEND_RIGHT;
      g_autoptr (PlgFigure) figure = NULL;
      cairo_surface_t *surface;
      PlgTheme theme;
      cairo_t *cr;

      fixture->request.crop = (PlgRect) { 90, 50, 500, 91 };
      fixture->request.options.legend = place;
      figure = plg_request_figure (&fixture->request, fixture->plan, fixture->report, &theme);
      g_assert_nonnull (plg_figure_find (figure, "legend"));
      if (is_right)
        g_assert_cmpfloat (plg_figure_width (figure), >, 500 + 100);
      else
        g_assert_cmpfloat (plg_figure_height (figure), >, 91 + 20);
      surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1000, 500);
      cr = cairo_create (surface);
      plg_paint (cr, figure, &theme, PLG_LAYERS_EXPORT, NULL);
      cairo_surface_flush (surface);
      /* A legend begins 10 points from the upper or the lower edge of its picture. */
      for (int i = 1; i < (is_right ? 9 : 500); i++)
        g_assert_cmphex (is_right ? pixel_at (surface, 502, i) : pixel_at (surface, i, 93), ==, 0);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

/* Files do not contain shapes outside of the crop either. */
static void
test_crop_in_files (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *svg = NULL, *tikz = NULL;

  fixture->request.crop = (PlgRect) { 90, 50, 500, 91 };
  svg = request_fixture_export (fixture, PLG_EXPORT_SVG);
  g_assert_nonnull (strstr (svg, "clip-path=\"url(#figure-cut)\""));
  g_assert_true (strstr (svg, "id=\"gpu-0\"") < strstr (svg, "id=\"legend\""));
  tikz = request_fixture_export (fixture, PLG_EXPORT_TIKZ);
  g_assert_nonnull (strstr (tikz, "\\end{scope}\n% legend"));
}

static void
test_nodes (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = NULL;
  PlgTheme theme;

  fixture->request.options.nodes.first = 6;
  fixture->request.options.nodes.n = 2;
  figure = plg_request_figure (&fixture->request, fixture->plan, fixture->report, &theme);
  for (int node = 0; node < 8; node++)
    g_assert_cmpint (plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_NODE, 0, node }) !=
                         NULL,
                     ==, node >= 6);
  /* The legend stays. */
  g_assert_nonnull (plg_figure_find (figure, "legend"));
}

static void
test_legend_places (RequestFixture *fixture, gconstpointer name)
{
  double width[PLG_N_LEGEND_PLACES], height[PLG_N_LEGEND_PLACES];

  for (int i = 0; i < PLG_N_LEGEND_PLACES; i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      PlgTheme theme;

      fixture->request.options.legend = i;
      figure = plg_request_figure (&fixture->request, fixture->plan, fixture->report, &theme);
      width[i] = plg_figure_width (figure);
      height[i] = plg_figure_height (figure);
      g_assert_cmpint (plg_figure_find (figure, "legend") != NULL, ==, i != PLG_LEGEND_OFF);
    }
  g_assert_cmpfloat (height[PLG_LEGEND_BELOW], >, height[PLG_LEGEND_OFF] + 20);
  g_assert_cmpfloat (width[PLG_LEGEND_RIGHT], >, width[PLG_LEGEND_OFF] + 100);
  g_assert_cmpfloat (height[PLG_LEGEND_RIGHT], ==, height[PLG_LEGEND_OFF]);
}

/* Default values are left out of the command line; the other values can be parsed again. */
static void
test_request_as_options (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *line = NULL;

  fixture->request.picture = PLG_PICTURE_CLUSTER;
  fixture->request.options.show = PLG_SHOW_PP;
  fixture->request.options.nodes.n = 2;
  fixture->request.options.legend = PLG_LEGEND_RIGHT;
  fixture->request.options.selected = (PlgEntity) { PLG_ENTITY_GPU, 0, 3 };
  fixture->request.palette = PLG_PALETTE_DARK;
  fixture->request.crop = (PlgRect) { 0.5, 1, 2, 3 };
  fixture->request.file.format = PLG_EXPORT_PDF;
  fixture->request.file.page = PLG_PAGE_SLIDE;
  plg_request_highlight (&fixture->request, (PlgEntity) { PLG_ENTITY_NODE, 0, 1 }, FALSE);
  plg_request_highlight (&fixture->request, (PlgEntity) { PLG_ENTITY_LINK, 0, 0 }, TRUE);
  words = plg_request_cli_arguments (&fixture->request, fixture->report);
  line = plg_shell_quote_arguments (words);
  g_assert_cmpstr (line, ==,
                   "--view cluster --show pp --link-color frequency --links physical "
                   "--pin link:nvlink-0-0 --focus node:1 --select gpu:3 --nodes 0-1 "
                   "--crop 0.5,1,2,3 --legend right --palette dark --background white --page 16:9");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                 \
  g_test_add (path, RequestFixture, NULL, request_fixture_set_up, function, \
              request_fixture_tear_down)
  ADD ("/request/same-bytes", test_same_bytes);
  ADD ("/request/entities", test_entities_in_words);
  g_test_add_func ("/request/shell-line", test_shell_line);
  ADD ("/request/size-as-seen", test_size_as_seen);
  ADD ("/request/crop", test_crop);
  ADD ("/request/crop-with-legend", test_crop_with_legend);
  ADD ("/request/crop-in-files", test_crop_in_files);
  ADD ("/request/nodes", test_nodes);
  ADD ("/request/legend", test_legend_places);
  ADD ("/request/options", test_request_as_options);
  return g_test_run ();
}
