/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/export.h"

#include <cairo.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define HOSTILE "<b>&amp; \"quoted\" 'it' ]]> \x01\x1b \xef\xbf\xbe é 中\n\t-->"

static void
fill_example (PlgFigure *figure, const PlgTheme *theme)
{
  const PlgPoint curve[] = { { 20, 120 }, { 60, 120 }, { 60, 170 }, { 120, 160 } };
  PlgSwatch swatch = plg_theme_swatch (theme, 2, 4, FALSE);
  PlgShape *shape;

  plg_figure_describe (figure, "Cluster & plan", "8 nodes <of> 8 GPUs");
  plg_figure_open (figure, "node-2", "node", "Node 2");
  shape = plg_figure_rect (figure, 20.5, 20.25, 80, 46, 5, swatch.fill);
  shape->id = "gpu-17";
  shape->classes = "gpu tp-2 pp-1";
  shape->title = "GPU 17 of node 2";
  shape->stroke = swatch.border;
  shape->stroke_width = 1;
  plg_figure_text (figure, 28, 42, PLG_ANCHOR_START, 18, TRUE, swatch.text, "17");
  plg_figure_text (figure, 94, 40, PLG_ANCHOR_END, 10, FALSE, swatch.text, "t1 p0 d1");
  plg_figure_close (figure);
  plg_figure_set_layer (figure, PLG_LAYER_LINKS);
  shape = plg_figure_path (figure, curve, 4, theme->role[PLG_ROLE_ACCENT], 2);
  shape->id = "link-stage-0-1";
  shape->smooth = TRUE;
  shape->arrow = TRUE;
  shape->title = "Stage 0 to stage 1";
  shape = plg_figure_rect (figure, 120, 20, 60, 46, 4, plg_color_with_alpha (swatch.fill, 0.5));
  shape->stroke = swatch.strong;
  shape->stroke_width = 1;
  shape->dashed = TRUE;
  shape->hatch = 1;
  plg_figure_set_layer (figure, PLG_LAYER_HANDLES);
  plg_figure_open (figure, "handles", NULL, NULL);
  plg_figure_rect (figure, 100, 30, 6, 20, 3, theme->role[PLG_ROLE_ACCENT])->id = "handle-0";
  plg_figure_close (figure);
}

static PlgFigure *
example (PlgTheme *theme, PlgPalette palette)
{
  PlgFigure *figure = plg_figure_new (200, 180);

  plg_theme_init (theme, palette);
  fill_example (figure, theme);
  return figure;
}

static GBytes *
export_as (const PlgFigure *figure, const PlgTheme *theme, PlgExportFormat format, double scale)
{
  const PlgExportOptions options = { format, PLG_BACKGROUND_WHITE, scale };
  g_autoptr (GError) error = NULL;
  GBytes *bytes = plg_export (figure, theme, &options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

static char *
as_text (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return g_strndup (data, size);
}

static char *
export_svg (const PlgFigure *figure, const PlgTheme *theme)
{
  g_autoptr (GBytes) bytes = export_as (figure, theme, PLG_EXPORT_SVG, 1);

  return as_text (bytes);
}

static void
test_names (void)
{
  for (int i = 0; i < PLG_N_EXPORT_FORMATS; i++)
    {
      g_autofree char *path = g_strconcat ("a.b/picture.", plg_export_format_name (i), NULL);
      PlgExportFormat format = PLG_N_EXPORT_FORMATS;

      g_assert_true (plg_export_format_from_path (path, &format));
      g_assert_cmpint (format, ==, i);
      g_assert_nonnull (strchr (plg_export_format_media_type (i), '/'));
    }
}

static void
test_paths (void)
{
  static const struct
  {
    const char *path;
    int format; /* -1: no format */
  } cases[] = {
    { "a.svg", PLG_EXPORT_SVG },
    { "A.SVG", PLG_EXPORT_SVG },
    { "/x.y/a.b.Pdf", PLG_EXPORT_PDF },
    { ".png", PLG_EXPORT_PNG },
    { "-.svg", PLG_EXPORT_SVG },
    { "a.tex", PLG_EXPORT_TIKZ },
    { "a.TikZ", PLG_EXPORT_TIKZ },
    { "a.drawio", PLG_EXPORT_DRAWIO },
    { "a.txt", PLG_EXPORT_TEXT },
    { "svg", -1 },
    { "", -1 },
    { "/figures.svg/picture", -1 },
    { "a.svgz", -1 },
    { "a.svg.", -1 },
    { "a.jpeg", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PlgExportFormat format = PLG_EXPORT_PNG;
      gboolean found = plg_export_format_from_path (cases[i].path, &format);

      g_assert_cmpint (found, ==, cases[i].format >= 0);
      if (found)
        g_assert_cmpint (format, ==, cases[i].format);
    }
}

static void
test_same_bytes (void)
{
  for (int format = 0; format < PLG_N_EXPORT_FORMATS; format++)
    {
      PlgTheme theme;
      g_autoptr (PlgFigure) first = example (&theme, PLG_PALETTE_LIGHT);
      g_autoptr (PlgFigure) second = example (&theme, PLG_PALETTE_LIGHT);
      g_autoptr (GBytes) a = export_as (first, &theme, format, 2);
      g_autoptr (GBytes) b = export_as (second, &theme, format, 2);
      g_autoptr (GBytes) c = export_as (first, &theme, format, 2);

      g_assert_true (g_bytes_equal (a, b));
      g_assert_true (g_bytes_equal (a, c));
    }
}

static void
test_all_palettes (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (int format = 0; format < PLG_N_EXPORT_FORMATS; format++)
      {
        PlgTheme theme;
        g_autoptr (PlgFigure) figure = example (&theme, palette);
        g_autoptr (GBytes) bytes = export_as (figure, &theme, format, 1);

        /* The example has two words. */
        g_assert_cmpuint (g_bytes_get_size (bytes), >, format == PLG_EXPORT_TEXT ? 20 : 500);
      }
}

/* Compares a whole small file: users script and compare files, so changes must be deliberate. */
static void
test_svg_golden (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (60, 40.5);
  g_autofree char *svg = NULL;
  PlgShape *shape;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_figure_describe (figure, "A", "");
  plg_figure_open (figure, "node-0", "node", "Node 0");
  shape = plg_figure_rect (figure, 1, 2.125, 30, 20, 5, plg_color_from_rgb (0x8dd3c7));
  shape->id = "gpu-0";
  shape->classes = "gpu";
  shape->title = "GPU 0";
  plg_figure_text (figure, 10, 12, PLG_ANCHOR_MIDDLE, 11, TRUE, plg_color_from_rgb (0), "0");
  plg_figure_close (figure);
  plg_figure_line (figure, 0, 0, 10, -0.001, plg_color_with_alpha (plg_color_from_rgb (0), 0.5),
                   1.5)
      ->dashed = TRUE;
  svg = export_svg (figure, &theme);
  g_assert_cmpstr (
      svg, ==,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"60\" height=\"40.5\" "
      "viewBox=\"0 0 60 40.5\" role=\"img\" aria-labelledby=\"figure-title\" "
      "font-family=\"Cantarell, Inter, Noto Sans, DejaVu Sans, sans-serif\" "
      "text-rendering=\"geometricPrecision\" stroke-linejoin=\"round\">\n"
      "  <title id=\"figure-title\">A</title>\n"
      "  <rect class=\"background\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "  <g id=\"node-0\" class=\"node\"><title>Node 0</title>\n"
      "    <rect id=\"gpu-0\" class=\"gpu\" x=\"1\" y=\"2.13\" width=\"30\" height=\"20\" "
      "rx=\"5\" fill=\"#8dd3c7\"><title>GPU 0</title></rect>\n"
      "    <text x=\"10\" y=\"12\" font-size=\"11\" font-weight=\"bold\" text-anchor=\"middle\" "
      "fill=\"#000000\">0</text>\n"
      "  </g>\n"
      "  <path d=\"M0 0L10 0\" fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0.5\" "
      "stroke-width=\"1.5\" stroke-dasharray=\"4.5 3\"/>\n"
      "</svg>\n");
}

static xmlDoc *
parse (const char *svg)
{
  xmlDoc *document = xmlReadMemory (svg, (int) strlen (svg), "figure.svg", NULL,
                                    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);

  g_assert_nonnull (document);
  return document;
}

/* Calls CHECK for NODE and each element below it. */
static void
for_each_element (xmlNode *node, void (*check) (xmlNode *node, gpointer data), gpointer data)
{
  if (node->type != XML_ELEMENT_NODE)
    return;
  check (node, data);
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    for_each_element (child, check, data);
}

static void
collect_id (xmlNode *node, gpointer data)
{
  xmlChar *id = xmlGetProp (node, BAD_CAST "id");

  if (id != NULL)
    g_assert_true (g_hash_table_add (data, g_strdup ((const char *) id)));
  xmlFree (id);
}

/* Returns the ids in DOCUMENT, which must be unique. */
static GHashTable *
collect_ids (xmlDoc *document)
{
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for_each_element (xmlDocGetRootElement (document), collect_id, ids);
  return ids;
}

static void
test_svg_structure (void)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autofree char *svg = export_svg (figure, &theme);
  xmlDoc *document = parse (svg);
  g_autoptr (GHashTable) ids = collect_ids (document);

  g_assert_true (g_hash_table_contains (ids, "gpu-17"));
  g_assert_true (g_hash_table_contains (ids, "node-2"));
  g_assert_true (g_hash_table_contains (ids, "link-stage-0-1"));
  g_assert_false (g_hash_table_contains (ids, "handle-0"));
  g_assert_false (g_hash_table_contains (ids, "handles"));
  g_assert_nonnull (strstr (svg, "<title>GPU 17 of node 2</title>"));
  g_assert_nonnull (strstr (svg, "class=\"gpu tp-2 pp-1\""));
  g_assert_nonnull (strstr (svg, ">t1 p0 d1</text>"));
  g_assert_nonnull (strstr (svg,
                            "<desc id=\"figure-description\">8 nodes &lt;of&gt; 8 GPUs</desc>"));
  xmlFreeDoc (document);
}

static void
test_svg_hostile_strings (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);
  g_autofree char *svg = NULL;
  xmlDoc *document;
  xmlChar *content;
  PlgShape *shape;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_figure_describe (figure, HOSTILE "\xff", HOSTILE);
  plg_figure_open (figure, HOSTILE, HOSTILE, HOSTILE);
  shape = plg_figure_rect (figure, 0, 0, 10, 10, 0, plg_color_from_rgb (0));
  shape->id = shape->classes = shape->title = HOSTILE "\xc3";
  shape = plg_figure_text (figure, 0, 0, PLG_ANCHOR_START, 10, FALSE, plg_color_from_rgb (0),
                           HOSTILE);
  shape->title = "";
  svg = export_svg (figure, &theme);
  document = parse (svg);
  g_assert_true (g_utf8_validate (svg, -1, NULL));
  content = xmlNodeGetContent (xmlDocGetRootElement (document)->children->next);
  g_assert_cmpstr ((const char *) content, ==,
                   "<b>&amp; \"quoted\" 'it' ]]>   é 中\n\t-->\xef\xbf\xbd");
  xmlFree (content);
  xmlFreeDoc (document);
}

static void
test_svg_unique_ids (void)
{
  static const char *const taken[] = { "gpu-0", "gpu-0", "figure-title", "figure-description",
                                       "hatch-1-ff0000-ff" };
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);
  g_autoptr (GHashTable) ids = NULL;
  g_autofree char *svg = NULL;
  xmlDoc *document;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_figure_describe (figure, "Title", "Description");
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    {
      PlgShape *shape = plg_figure_rect (figure, 0, 0, 10, 10, 0, plg_color_from_rgb (0));

      shape->id = taken[i];
      shape->hatch = 1;
      shape->stroke = plg_color_from_rgb (0xff0000);
    }
  svg = export_svg (figure, &theme);
  document = parse (svg);
  ids = collect_ids (document);
  g_assert_cmpuint (g_hash_table_size (ids), ==, 4);
  xmlFreeDoc (document);
}

static void
test_svg_hostile_numbers (void)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 1e300, -1e18 };
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);
  g_autofree char *svg = NULL;
  PlgTheme theme;
  PlgColor color = { NAN, 2, -1, 1 };

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      plg_figure_rect (figure, odd[i], 1, 2, odd[i], odd[i], color);
      plg_figure_rect (figure, 1, 1, 2, 2, odd[i], color)->stroke_width = odd[i];
      plg_figure_line (figure, odd[i], 1, 2, 3, color, 1)->arrow = TRUE;
      plg_figure_text (figure, 1, odd[i], PLG_ANCHOR_END, odd[i], FALSE, color, "x");
    }
  svg = export_svg (figure, &theme);
  g_assert_null (strstr (svg, "nan"));
  g_assert_null (strstr (svg, "inf\""));
  g_assert_null (strstr (svg, "e+"));
  xmlFreeDoc (parse (svg));
}

/* Groups that are not closed, and groups that are closed too often. */
static void
test_svg_open_groups (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100, 100);
  g_autofree char *svg = NULL;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_figure_open (figure, "a", NULL, NULL);
  plg_figure_open (figure, "empty", NULL, NULL);
  plg_figure_close (figure);
  plg_figure_open (figure, "b", NULL, NULL);
  plg_figure_rect (figure, 0, 0, 1, 1, 0, plg_color_from_rgb (0));
  svg = export_svg (figure, &theme);
  xmlFreeDoc (parse (svg));
  g_assert_nonnull (strstr (svg, "id=\"b\""));
  g_assert_null (strstr (svg, "id=\"empty\""));
}

static void
test_svg_in_any_locale (void)
{
  static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8" };
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autofree char *here = export_svg (figure, &theme);
  g_autofree char *there = NULL;
  gboolean changed = FALSE;

  for (guint i = 0; !changed && i < G_N_ELEMENTS (locales); i++)
    changed = setlocale (LC_ALL, locales[i]) != NULL;
  there = export_svg (figure, &theme);
  setlocale (LC_ALL, "C.UTF-8");
  g_assert_cmpstr (here, ==, there);
  if (!changed)
    g_test_skip ("no locale with a decimal comma is installed");
}

static cairo_status_t
read_bytes (void *closure, unsigned char *data, unsigned int length)
{
  GByteArray *rest = closure;

  if (rest->len < length)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (data, rest->data, length);
  g_byte_array_remove_range (rest, 0, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
read_png (GBytes *bytes)
{
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  cairo_surface_t *surface;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  g_byte_array_append (rest, data, (guint) size);
  surface = cairo_image_surface_create_from_png_stream (read_bytes, rest);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  return surface;
}

static guint32
corner_pixel (cairo_surface_t *surface)
{
  guint32 value;

  memcpy (&value, cairo_image_surface_get_data (surface), sizeof value);
  return value;
}

static void
test_png_size (void)
{
  static const struct
  {
    double scale;
    int width, height;
  } cases[] = { { 1, 200, 180 },
                { 2, 400, 360 },
                { 0.1, 20, 18 },
                { 1.5, 300, 270 },
                { 300 / 96.0, 625, 563 } };
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = export_as (figure, &theme, PLG_EXPORT_PNG, cases[i].scale);
      cairo_surface_t *surface = read_png (bytes);

      g_assert_cmpint (cairo_image_surface_get_width (surface), ==, cases[i].width);
      g_assert_cmpint (cairo_image_surface_get_height (surface), ==, cases[i].height);
      cairo_surface_destroy (surface);
    }
}

static void
test_png_background (void)
{
  static const guint32 expected[] = { 0xffffffff, 0, 0xff1e1e20 };
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_DARK);

  for (int background = PLG_BACKGROUND_WHITE; background <= PLG_BACKGROUND_THEME; background++)
    {
      const PlgExportOptions options = { PLG_EXPORT_PNG, background, 1 };
      g_autoptr (GBytes) bytes = plg_export (figure, &theme, &options, NULL);
      cairo_surface_t *surface = read_png (bytes);
      guint32 pixel = corner_pixel (surface);

      if (cairo_image_surface_get_format (surface) == CAIRO_FORMAT_RGB24)
        pixel |= 0xff000000;
      g_assert_cmphex (pixel, ==, expected[background]);
      cairo_surface_destroy (surface);
    }
}

static void
test_svg_background (void)
{
  static const char *const expected[] = { "fill=\"#ffffff\"", NULL, "fill=\"#1e1e20\"" };
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = plg_figure_new (10, 10);

  plg_theme_init (&theme, PLG_PALETTE_DARK);
  for (int background = PLG_BACKGROUND_WHITE; background <= PLG_BACKGROUND_THEME; background++)
    {
      const PlgExportOptions options = { PLG_EXPORT_SVG, background, 1 };
      g_autoptr (GBytes) bytes = plg_export (figure, &theme, &options, NULL);
      g_autofree char *svg = as_text (bytes);

      if (expected[background] != NULL)
        g_assert_nonnull (strstr (svg, expected[background]));
      else
        g_assert_null (strstr (svg, "background"));
    }
}

static void
test_errors (void)
{
  static const struct
  {
    double width, height;
    int format;
    double scale;
    const char *says;
  } cases[] = {
    { 100, 100, PLG_EXPORT_PNG, 0, "from 0.1 to 20" },
    { 100, 100, PLG_EXPORT_PNG, -1, "from 0.1 to 20" },
    { 100, 100, PLG_EXPORT_PNG, 20.5, "from 0.1 to 20" },
    { 100, 100, PLG_EXPORT_PNG, NAN, "from 0.1 to 20" },
    { 100, 100, PLG_EXPORT_PNG, INFINITY, "from 0.1 to 20" },
    { 5000, 100, PLG_EXPORT_PNG, 10, "scale of 6.5 or less" },
    { 5000, 5000, PLG_EXPORT_PNG, 5, "scale of 4 or less" },
    { 900000, 10, PLG_EXPORT_PNG, 1, "Choose SVG or PDF" },
    { 0, 100, PLG_EXPORT_PNG, 1, "more than 0" },
    { 100, -1, PLG_EXPORT_SVG, 1, "more than 0" },
    { NAN, 100, PLG_EXPORT_PDF, 1, "more than 0" },
    { 1e18, 100, PLG_EXPORT_SVG, 1, "less than a million" },
  };
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const PlgExportOptions options = { cases[i].format, PLG_BACKGROUND_WHITE, cases[i].scale };
      g_autoptr (PlgFigure) figure = plg_figure_new (cases[i].width, cases[i].height);
      g_autoptr (GError) error = NULL;

      g_assert_null (plg_export (figure, &theme, &options, &error));
      g_assert_error (error, G_IO_ERROR, (int) G_IO_ERROR_INVALID_ARGUMENT);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("“%s” does not contain “%s”", error->message, cases[i].says);
    }
}

static void
test_pdf_has_no_date (void)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autoptr (GBytes) bytes = export_as (figure, &theme, PLG_EXPORT_PDF, 1);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  g_assert_true (g_str_has_prefix (data, "%PDF-"));
  g_assert_null (g_strstr_len (data, (gssize) size, "CreationDate"));
  g_assert_null (g_strstr_len (data, (gssize) size, "ModDate"));
}

/* Returns the output of PROGRAM (with up to two ARGUMENTS) for BYTES. If PROGRAM is not installed,
 * skips the test and returns NULL. */
static GBytes *
run_on (GBytes *bytes, const char *program, const char *first, const char *second)
{
  g_autofree char *path = g_find_program_in_path (program);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *output = NULL;

  if (path == NULL)
    {
      g_test_skip_printf ("%s is not installed", program);
      return NULL;
    }
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                              &error, path, first, second, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate (process, bytes, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

static void
test_pdf_text (void)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autoptr (GBytes) pdf = export_as (figure, &theme, PLG_EXPORT_PDF, 1);
  g_autoptr (GBytes) output = run_on (pdf, "pdftotext", "-", "-");
  g_autofree char *text = NULL;

  if (output == NULL)
    return;
  text = as_text (output);
  g_assert_nonnull (strstr (text, "17"));
  g_assert_nonnull (strstr (text, "t1 p0 d1"));
}

static void
test_pdf_page (void)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autoptr (GBytes) pdf = export_as (figure, &theme, PLG_EXPORT_PDF, 1);
  g_autoptr (GBytes) output = run_on (pdf, "pdfinfo", "-", NULL);
  g_autofree char *text = NULL;

  if (output == NULL)
    return;
  text = as_text (output);
  g_assert_nonnull (strstr (text, "Cluster & plan"));
  g_assert_nonnull (strstr (text, "150 x 135 pts"));
  g_assert_true (g_regex_match_simple ("Pages: +1\n", text, 0, 0));
}

/* A picture larger than the largest page is scaled down to fit. */
/* Fixed pages have their size in both directions, whatever the size of the picture. */
static void
test_pdf_pages (void)
{
  static const struct
  {
    PlgPage page;
    double width, height;
    const char *says;
  } rows[] = {
    { PLG_PAGE_A4, 200, 100, "841.89 x 595.276 pts (A4)" },
    { PLG_PAGE_A4, 100, 200, "595.276 x 841.89 pts (A4)" },
    { PLG_PAGE_A4, 90000, 20, "841.89 x 595.276 pts (A4)" },
    { PLG_PAGE_LETTER, 100, 200, "612 x 792 pts (letter)" },
    { PLG_PAGE_SLIDE, 100, 200, "960 x 540 pts" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgFigure) figure = plg_figure_new (rows[i].width, rows[i].height);
      PlgExportOptions options = { .format = PLG_EXPORT_PDF, .page = rows[i].page };
      g_autoptr (GBytes) pdf = NULL, output = NULL;
      g_autofree char *text = NULL;
      PlgTheme theme;

      plg_theme_init (&theme, PLG_PALETTE_PRINT);
      plg_figure_rect (figure, 0, 0, rows[i].width, rows[i].height, 0, theme.role[PLG_ROLE_TEXT]);
      pdf = plg_export (figure, &theme, &options, NULL);
      output = run_on (pdf, "pdfinfo", "-", NULL);
      if (output == NULL)
        return;
      text = as_text (output);
      g_assert_nonnull (strstr (text, rows[i].says));
    }
}

/* The plan in an SVG is preserved and does not change the picture. */
static void
test_svg_attachment (void)
{
  static const char plan[] = "<?xml version=\"1.0\"?>\n<plan>]]> &amp; \"q\"\r\n\t</plan>\n";
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autoptr (GBytes) attachment = g_bytes_new_static (plan, strlen (plan));
  PlgExportOptions options = { .format = PLG_EXPORT_SVG, .attachment = attachment };
  g_autoptr (GBytes) svg = plg_export (figure, &theme, &options, NULL);
  g_autofree char *text = as_text (svg), *without = export_svg (figure, &theme);
  xmlDoc *document = xmlReadMemory (text, (int) strlen (text), NULL, NULL, XML_PARSE_NONET);
  xmlNode *element;
  xmlChar *read;

  g_assert_nonnull (document);
  element = xmlDocGetRootElement (document)->children;
  while (strcmp ((const char *) element->name, "metadata") != 0)
    element = element->next;
  read = xmlNodeGetContent (element->children);
  g_assert_cmpstr ((const char *) read, ==, plan);
  g_assert_null (strstr (without, "metadata"));
  xmlFree (read);
  xmlFreeDoc (document);
}

static void
test_pdf_large (void)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (100000, 1000);
  g_autoptr (GBytes) pdf = NULL, output = NULL;
  g_autofree char *text = NULL;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  pdf = export_as (figure, &theme, PLG_EXPORT_PDF, 1);
  output = run_on (pdf, "pdfinfo", "-", NULL);
  if (output == NULL)
    return;
  text = as_text (output);
  g_assert_nonnull (strstr (text, "14400 x 144 pts"));
}

/* Returns the mean difference of the colour channels, of 255. */
static double
difference (cairo_surface_t *a, cairo_surface_t *b)
{
  int width = cairo_image_surface_get_width (a), height = cairo_image_surface_get_height (a);
  double sum = 0;

  g_assert_cmpint (cairo_image_surface_get_width (b), ==, width);
  g_assert_cmpint (cairo_image_surface_get_height (b), ==, height);
  for (int y = 0; y < height; y++)
    {
      const guchar *p = cairo_image_surface_get_data (a) + y * cairo_image_surface_get_stride (a);
      const guchar *q = cairo_image_surface_get_data (b) + y * cairo_image_surface_get_stride (b);

      for (int x = 0; x < width * 4; x++)
        if (x % 4 != 3)
          sum += ABS (p[x] - q[x]);
    }
  return sum / (3.0 * width * height);
}

/* Another program draws the SVG as we draw the PNG: both have the same shapes, text and hatches. */
static void
test_svg_looks_like_png (void)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = example (&theme, PLG_PALETTE_LIGHT);
  g_autoptr (GBytes) svg = export_as (figure, &theme, PLG_EXPORT_SVG, 1);
  g_autoptr (GBytes) png = export_as (figure, &theme, PLG_EXPORT_PNG, 1);
  g_autoptr (GBytes) output = run_on (svg, "rsvg-convert", NULL, NULL);
  cairo_surface_t *ours, *theirs;

  if (output == NULL)
    return;
  ours = read_png (png);
  theirs = read_png (output);
  g_assert_cmpfloat (difference (ours, theirs), <, 2);
  cairo_surface_destroy (ours);
  cairo_surface_destroy (theirs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_add_func ("/export/names", test_names);
  g_test_add_func ("/export/paths", test_paths);
  g_test_add_func ("/export/same-bytes", test_same_bytes);
  g_test_add_func ("/export/all-palettes", test_all_palettes);
  g_test_add_func ("/export/errors", test_errors);
  g_test_add_func ("/export/svg/golden", test_svg_golden);
  g_test_add_func ("/export/svg/structure", test_svg_structure);
  g_test_add_func ("/export/svg/hostile-strings", test_svg_hostile_strings);
  g_test_add_func ("/export/svg/hostile-numbers", test_svg_hostile_numbers);
  g_test_add_func ("/export/svg/unique-ids", test_svg_unique_ids);
  g_test_add_func ("/export/svg/open-groups", test_svg_open_groups);
  g_test_add_func ("/export/svg/in-any-locale", test_svg_in_any_locale);
  g_test_add_func ("/export/svg/background", test_svg_background);
  g_test_add_func ("/export/svg/looks-like-png", test_svg_looks_like_png);
  g_test_add_func ("/export/png/size", test_png_size);
  g_test_add_func ("/export/png/background", test_png_background);
  g_test_add_func ("/export/pdf/has-no-date", test_pdf_has_no_date);
  g_test_add_func ("/export/pdf/text", test_pdf_text);
  g_test_add_func ("/export/pdf/page", test_pdf_page);
  g_test_add_func ("/export/pdf/pages", test_pdf_pages);
  g_test_add_func ("/export/svg/attachment", test_svg_attachment);
  g_test_add_func ("/export/pdf/large", test_pdf_large);
  return g_test_run ();
}
