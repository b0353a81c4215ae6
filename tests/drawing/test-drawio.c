/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "request-fixture.h"
#include "sample.h"

#include <libxml/tree.h>

/* Pictures for draw.io. */

static int
count (const char *text, const char *part)
{
  int n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

/* Seven hatches give seven different patterns: hatch, zigzag-line, dashed, dots, cross-hatch,
 * and two that combine two patterns each. */
static void
test_drawio_hatches (void)
{
  PlgExportOptions options = { .format = PLG_EXPORT_DRAWIO };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_PRINT);
  for (int hatch = 1; hatch <= 7; hatch++)
    {
      g_autoptr (PlgFigure) one = plg_figure_new (300, 100);
      PlgShape *shape = plg_figure_rect (one, 10, 50, 25, 25, 4, theme.role[PLG_ROLE_CARD]);
      g_autoptr (GBytes) bytes = NULL;
      g_autofree char *text = NULL;

      shape->hatch = hatch;
      shape->hatch_color = theme.role[PLG_ROLE_TEXT];
      bytes = plg_export (one, &theme, &options, NULL);
      text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      g_assert_true (g_hash_table_add (seen,
                                       g_strdup_printf ("%d%d%d%d%d",
                                                        count (text, "fillStyle=hatch;"),
                                                        count (text, "fillStyle=cross-hatch;"),
                                                        count (text, "fillStyle=zigzag-line;"),
                                                        count (text, "fillStyle=dashed;"),
                                                        count (text, "fillStyle=dots;"))));
      g_assert_cmpint (count (text, "fillStyle="), >=, 1);
    }
}

typedef struct
{
  xmlDoc *document;
  GHashTable *cells; /* id -> xmlNode of the element with this id */
} Drawing;

static char *
attribute (const xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp ((xmlNode *) node, BAD_CAST name);
  char *copy = g_strdup ((const char *) value);

  xmlFree (value);
  return copy;
}

static void
collect_ids (Drawing *drawing, xmlNode *node)
{
  for (; node != NULL; node = node->next)
    {
      char *id = node->type == XML_ELEMENT_NODE ? attribute (node, "id") : NULL;

      /* Ids are unique in every drawing. */
      if (id != NULL && strcmp ((const char *) node->name, "diagram") != 0)
        g_assert_true (g_hash_table_insert (drawing->cells, g_strdup (id), node));
      g_free (id);
      collect_ids (drawing, node->children);
    }
}

static Drawing
read_drawing (const char *text)
{
  Drawing drawing = { xmlReadMemory (text, (int) strlen (text), NULL, NULL, XML_PARSE_NONET),
                      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };

  g_assert_nonnull (drawing.document);
  collect_ids (&drawing, xmlDocGetRootElement (drawing.document));
  return drawing;
}

static void
drawing_clear (Drawing *drawing)
{
  g_hash_table_unref (drawing->cells);
  xmlFreeDoc (drawing->document);
}

/* Returns an attribute of the cell itself, which is inside an element with its label. */
static char *
cell_attribute (const Drawing *drawing, const char *id, const char *name)
{
  const xmlNode *node = g_hash_table_lookup (drawing->cells, id);

  g_assert_nonnull (node);
  return strcmp ((const char *) node->name, "mxCell") == 0 ? attribute (node, name)
                                                           : attribute (node->children, name);
}

/* Returns the place of a cell on the page; places in the file are relative to the parent. */
static PlgPoint
place_of (const Drawing *drawing, const char *id)
{
  g_autofree char *parent = cell_attribute (drawing, id, "parent");
  const xmlNode *node = g_hash_table_lookup (drawing->cells, id);
  const xmlNode *geometry;
  PlgPoint around = { 0, 0 };
  g_autofree char *x = NULL, *y = NULL;

  if (parent == NULL || g_str_equal (parent, "0"))
    return around;
  /* The geometry is in the cell, which an object wraps if there is a tooltip. */
  geometry = strcmp ((const char *) node->name, "mxCell") == 0 ? node->children
                                                               : node->children->children;
  around = place_of (drawing, parent);
  x = attribute (geometry, "x");
  y = attribute (geometry, "y");
  return (PlgPoint) { around.x + g_ascii_strtod (x, NULL), around.y + g_ascii_strtod (y, NULL) };
}

static void
test_drawio_nests (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *text = request_fixture_export (fixture, PLG_EXPORT_DRAWIO);
  Drawing drawing = read_drawing (text);

  for (int gpu = 0; gpu < plg_cluster_gpus (&fixture->plan->cluster); gpu++)
    {
      g_autofree char *id = g_strdup_printf ("gpu-%d", gpu);
      g_autofree char *node = g_strdup_printf ("node-%d",
                                               gpu / fixture->plan->cluster.gpus_per_node);
      g_autofree char *parent = cell_attribute (&drawing, id, "parent");
      PlgRect wanted = plg_cluster_gpu_rect (fixture->plan, gpu);
      PlgPoint at = place_of (&drawing, id);

      g_assert_cmpstr (parent, ==, node);
      g_assert_cmpfloat_with_epsilon (at.x, wanted.x, 0.02);
      g_assert_cmpfloat_with_epsilon (at.y, wanted.y, 0.02);
    }
  drawing_clear (&drawing);
}

static void
test_drawio_joins (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *text = request_fixture_export (fixture, PLG_EXPORT_DRAWIO);
  Drawing drawing = read_drawing (text);
  int joined = 0;

  for (guint i = 0; i < fixture->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (fixture->report->links, PlgLink, i);
      g_autofree char *link_name = plg_link_id (link), *id = g_strconcat ("link-", link_name, NULL);
      g_autofree char *from = plg_link_from (link, fixture->plan),
                      *to = plg_link_to (link, fixture->plan);
      g_autofree char *source = NULL, *target = NULL;

      /* Spines are one bar in the picture, and their uplinks are not drawn individually. */
      if (link->tier == PLG_TIER_SPINE)
        continue;
      source = cell_attribute (&drawing, id, "source");
      target = cell_attribute (&drawing, id, "target");
      g_assert_cmpstr (source, ==, from);
      g_assert_cmpstr (target, ==, to);
      g_assert_true (g_hash_table_contains (drawing.cells, from));
      g_assert_true (g_hash_table_contains (drawing.cells, to));
      joined++;
    }
  g_assert_cmpint (joined, ==, 3 * 64);
  drawing_clear (&drawing);
}

/* In every sample, also if one line represents many links, each parent and each end exists. */
static void
test_drawio_of_samples (void)
{
  for (int i = 0; i < n_samples * PLG_N_PICTURES; i++)
    {
      RequestFixture fixture;
      g_autofree char *text = NULL;
      GHashTableIter iter;
      Drawing drawing;
      gpointer id;

      request_fixture_set_up (&fixture, samples[i / PLG_N_PICTURES].name);
      fixture.request.picture = i % PLG_N_PICTURES;
      plg_request_highlight (&fixture.request, (PlgEntity) { PLG_ENTITY_GPU, 0, 0 }, TRUE);
      text = request_fixture_export (&fixture, PLG_EXPORT_DRAWIO);
      drawing = read_drawing (text);
      g_hash_table_iter_init (&iter, drawing.cells);
      while (g_hash_table_iter_next (&iter, &id, NULL))
        {
          static const char *const names[] = { "parent", "source", "target" };

          for (guint name = 0; name < G_N_ELEMENTS (names); name++)
            {
              g_autofree char *other = cell_attribute (&drawing, id, names[name]);

              g_assert_true (other == NULL || g_hash_table_contains (drawing.cells, other));
            }
        }
      drawing_clear (&drawing);
      request_fixture_tear_down (&fixture, NULL);
    }
}

/* Labels are plain text and read back unchanged, except for characters that XML cannot hold. */
static void
test_drawio_hostile (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (300, 100);
  g_autofree char *text = NULL, *label = NULL, *style = NULL;
  PlgExportOptions options = { .format = PLG_EXPORT_DRAWIO };
  g_autoptr (GBytes) bytes = NULL;
  Drawing drawing;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_figure_describe (figure, HOSTILE, "");
  plg_figure_text (figure, 10, 40, PLG_ANCHOR_START, 12, TRUE, theme.role[PLG_ROLE_TEXT],
                   "<img src=x onerror=alert(1)> & \"q\" \x01]]>")
      ->id = "a";
  bytes = plg_export (figure, &theme, &options, NULL);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  drawing = read_drawing (text);
  label = attribute (g_hash_table_lookup (drawing.cells, "a"), "value");
  g_assert_nonnull (strstr (label, "<img src=x onerror=alert(1)> & \"q\" "));
  style = cell_attribute (&drawing, "a", "style");
  g_assert_nonnull (strstr (style, "html=0;"));
  drawing_clear (&drawing);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                 \
  g_test_add (path, RequestFixture, NULL, request_fixture_set_up, function, \
              request_fixture_tear_down)
  g_test_add_func ("/drawio/hatches", test_drawio_hatches);
  ADD ("/drawio/nests", test_drawio_nests);
  ADD ("/drawio/joins", test_drawio_joins);
  g_test_add_func ("/drawio/samples", test_drawio_of_samples);
  ADD ("/drawio/hostile", test_drawio_hostile);
  return g_test_run ();
}
