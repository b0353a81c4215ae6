/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Properties of every file, for every picture and size. */

#include "request-fixture.h"
#include "sample.h"

#include <string.h>

/* Returns the value of NAME in LINE, or NULL. */
static char *
attribute_of (const char *line, const char *name)
{
  g_autofree char *begin = g_strdup_printf (" %s=\"", name);
  const char *at = strstr (line, begin);

  if (at == NULL)
    return NULL;
  at += strlen (begin);
  return g_strndup (at, strcspn (at, "\""));
}

/* Returns the parent of each cell by id; each cell has a line in the file. */
static GHashTable *
parents_of (const char *drawio)
{
  GHashTable *parents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  /* With checked strings, g_strsplit() would measure the rest of the text for each line. */
  g_auto (GStrv) lines = g_strsplit_set (drawio, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      char *id = attribute_of (*line, "id");

      if (id != NULL)
        g_hash_table_insert (parents, id, attribute_of (*line, "parent"));
    }
  return parents;
}

/* Every node is a cell, and in detailed pictures every GPU is a cell in its node. */
static void
assert_nests (const PlgPlan *plan, GHashTable *parents)
{
  gboolean has_gpus = g_hash_table_contains (parents, "gpu-0");

  for (int node = 0; node < plan->cluster.nodes; node++)
    {
      g_autofree char *id = g_strdup_printf ("node-%d", node);

      g_assert_cmpstr (g_hash_table_lookup (parents, id), ==, "layer-cluster");
    }
  for (int gpu = 0; has_gpus && gpu < plg_cluster_gpus (&plan->cluster); gpu++)
    {
      g_autofree char *id = g_strdup_printf ("gpu-%d", gpu);
      g_autofree char *node = g_strdup_printf ("node-%d", gpu / plan->cluster.gpus_per_node);

      g_assert_cmpstr (g_hash_table_lookup (parents, id), ==, node);
    }
}

static void
test_drawio_names_at_any_zoom (void)
{
  static const char *const names[] = { "default", "rack", "1024", "16384" };
  static const double zooms[] = { 0, 0.03, 0.1, 0.25, 0.5, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint j = 0; j < G_N_ELEMENTS (zooms); j++)
      {
        g_autoptr (GHashTable) parents = NULL;
        g_autofree char *text = NULL;
        RequestFixture fixture;

        request_fixture_set_up (&fixture, names[i]);
        fixture.request.options.zoom = zooms[j];
        text = request_fixture_export (&fixture, PLG_EXPORT_DRAWIO);
        parents = parents_of (text);
        g_assert_true (zooms[j] < 0.2 || g_hash_table_contains (parents, "gpu-0"));
        assert_nests (fixture.plan, parents);
        request_fixture_tear_down (&fixture, NULL);
      }
}

static void
test_svg_names_at_any_zoom (void)
{
  static const double zooms[] = { 0.25, 0.5, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autofree char *text = NULL;
      RequestFixture fixture;

      request_fixture_set_up (&fixture, "1024");
      fixture.request.options.zoom = zooms[i];
      text = request_fixture_export (&fixture, PLG_EXPORT_SVG);
      g_assert_nonnull (strstr (text, "id=\"node-127\""));
      g_assert_nonnull (strstr (text, "id=\"gpu-1023\""));
      request_fixture_tear_down (&fixture, NULL);
    }
}

/* A part of the cluster has the requested nodes with their GPUs and no other nodes, whether they
 * are in one column of the whole cluster or in two. */
static void
test_nodes_alone (void)
{
  static const struct
  {
    const char *name;
    int first, n;
  } parts[] = { { "16384", 0, 1 }, { "16384", 100, 4 }, { "16384", 46, 5 },   { "1024", 30, 5 },
                { "tree", 3, 2 },  { "rack", 1, 1 },    { "16384", 2040, 99 } };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      PlgTheme theme;
      RequestFixture fixture;
      int last = parts[i].first + parts[i].n - 1, per_node;

      request_fixture_set_up (&fixture, parts[i].name);
      fixture.request.options.nodes.first = parts[i].first;
      fixture.request.options.nodes.n = parts[i].n;
      per_node = fixture.plan->cluster.gpus_per_node;
      figure = plg_request_figure (&fixture.request, fixture.plan, fixture.report, &theme);
      for (int gpu = 0; gpu < plg_cluster_gpus (&fixture.plan->cluster); gpu++)
        {
          int node = gpu / per_node;
          gboolean is_chosen = node >= parts[i].first && node <= last;
          PlgEntity it = { PLG_ENTITY_GPU, 0, gpu }, its_node = { PLG_ENTITY_NODE, 0, node };

          g_assert_cmpint (plg_figure_find_entity (figure, it) != NULL, ==, is_chosen);
          if (gpu % per_node == 0)
            g_assert_cmpint (plg_figure_find_entity (figure, its_node) != NULL, ==, is_chosen);
        }
      request_fixture_tear_down (&fixture, NULL);
    }
}

/* No text of the program needs a character that TeX lacks. */
static void
test_tikz_has_all_characters (void)
{
  for (int i = 0; i < n_samples * PLG_N_PICTURES; i++)
    {
      g_autofree char *text = NULL;
      RequestFixture fixture;

      request_fixture_set_up (&fixture, samples[i / PLG_N_PICTURES].name);
      fixture.request.picture = i % PLG_N_PICTURES;
      text = request_fixture_export (&fixture, PLG_EXPORT_TIKZ);
      if (strstr (text, "{\\plgmissing}") != NULL)
        g_error ("%s, %s: %.60s", samples[i / PLG_N_PICTURES].name,
                 plg_picture_name (fixture.request.picture), strstr (text, "{\\plgmissing}") - 40);
      request_fixture_tear_down (&fixture, NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export-files/drawio-names", test_drawio_names_at_any_zoom);
  g_test_add_func ("/export-files/svg-names", test_svg_names_at_any_zoom);
  g_test_add_func ("/export-files/nodes-alone", test_nodes_alone);
  g_test_add_func ("/export-files/tikz-characters", test_tikz_has_all_characters);
  return g_test_run ();
}
