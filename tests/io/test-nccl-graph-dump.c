/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"

#include <string.h>

#define GRAPHS(content) "<graphs version='1'>\n" content "</graphs>"
#define RINGS "<graph id='0' pattern='4' nchannels='2' speedintra='20'>\n"

static PlgImportResult *
import (const char *text, const PlgPlan *base, GError **error)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "graph.xml", base, catalogue, error);
}

static const char four[] = GRAPHS (
    RINGS "<channel><net dev='0'/><gpu dev='0'/><gpu dev='0x2'/><gpu dev='0x3'/><gpu dev='1'/>"
          "<net dev='0'/></channel>\n"
          "<channel><gpu dev='0'/><gpu dev='1'/><gpu dev='0x3'/><gpu dev='2'/></channel>\n"
          "<channel><gpu dev='0'/><gpu dev='0x1'/><gpu dev='3'/><gpu dev='2'/></channel></graph>\n"
          "<graph id='1' pattern='1'><channel><gpu dev='0'/></channel></graph>\n");

/* Equal channels are one ring; channels of trees are not rings. */
static void
test_rings (void)
{
  static const int rings[2][4] = { { 0, 2, 3, 1 }, { 0, 1, 3, 2 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) read = import (four, NULL, &error);
  g_autofree char *notes = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (read->format->name, ==, "nccl-graph");
  g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, 4);
  g_assert_cmpint (read->plan->node_topology.rings, ==, 2);
  for (int i = 0; i < 2; i++)
    g_assert_cmpmem (plg_node_topology_ring (&read->plan->node_topology, i), sizeof rings[i],
                     rings[i], sizeof rings[i]);
  notes = plg_import_result_text (read, ~0u);
  g_assert_nonnull (strstr (notes, "graph.xml:3: Ring 0: GPU 0 → 2 → 3 → 1"));
  g_assert_nonnull (strstr (notes, "3 channels of 20"));
  g_assert_nonnull (strstr (notes, "3: Rings leave the node through these NICs (<net>), which "
                                   "are ignored because a plan has only rings between GPUs."));
  g_assert_nonnull (strstr (notes, "turn off view.rings to draw the wires instead"));
  g_assert_true (read->plan->view.rings);
  g_assert_null (strstr (notes, "become GPUs"));
  g_assert_nonnull (strstr (notes, "1 graph is ignored"));
}

/* GPUs outside of the job leave gaps in the file's numbers, but not in the plan. */
static void
test_some_of_the_gpus (void)
{
  static const int ring[] = { 1, 0 };
  g_autoptr (PlgImportResult) read = import (
      GRAPHS (RINGS "<channel><gpu dev='0xc'/><gpu dev='0x4'/></channel></graph>"), NULL, NULL);
  g_autofree char *notes = plg_import_result_text (read, 1u << PLG_NOTE_INFERRED);

  g_assert_nonnull (strstr (notes, "3: GPUs 4, 12 in the file become GPUs 0 to 1 here, in this "
                                   "order."));
  g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, 2);
  g_assert_cmpmem (plg_node_topology_ring (&read->plan->node_topology, 0), sizeof ring, ring,
                   sizeof ring);
}

/* Rings are added to the map of the open plan. */
static void
test_keeps_map (void)
{
  static const int ring[] = { 3, 2, 1, 0 };
  g_autoptr (PlgImportResult) first = import (four, NULL, NULL);
  g_autoptr (PlgPlan) base = plg_plan_copy (first->plan);
  g_autoptr (PlgImportResult) read = NULL;

  plg_node_topology_set_pair (&base->node_topology, 0, 1, (PlgPath) { PLG_PATH_NVLINK, 4, 100e9 });
  plg_node_topology_add_ring (&base->node_topology, ring);
  read = import (four, base, NULL);
  g_assert_cmpint (read->plan->node_topology.rings, ==, 2);
  g_assert_cmpint (plg_node_topology_to_gpu (&read->plan->node_topology, 1, 0)->links, ==, 4);
}

static const struct
{
  const char *name, *text, *says;
} wrong[] = {
  { "empty", GRAPHS (""), "1:1: The file has no ring" },
  { "no ring", GRAPHS ("<graph id='1' pattern='1'/>"), "1:1: The file has no ring" },
  { "no id", GRAPHS ("<graph pattern='4'/>"), "2:1: id of <graph> is “”" },
  { "empty channel", GRAPHS (RINGS "<channel/></graph>"), "3:1: The channel has no <gpu>" },
  { "no number", GRAPHS (RINGS "<channel><gpu/></channel></graph>"), "3:10: dev of <gpu> is “”" },
  { "words", GRAPHS (RINGS "<channel><gpu dev='a'/></channel></graph>"),
    "dev of <gpu> is “a”; write a whole number of 0 or more, such as 3 or 0x3." },
  { "minus", GRAPHS (RINGS "<channel><gpu dev='-1'/></channel></graph>"), "“-1”" },
  { "huge", GRAPHS (RINGS "<channel><gpu dev='0xffffffffffffffffff'/></channel></graph>"), "3:15" },
  { "no node has the GPU",
    GRAPHS (RINGS "<channel><gpu dev='0'/>\n<gpu dev='9999'/></channel></graph>"),
    "4:6: GPU 9999 does not exist" },
  { "twice", GRAPHS (RINGS "<channel><gpu dev='1'/><gpu dev='0x1'/></channel></graph>"),
    "GPU 1 is in the channel twice" },
  { "others",
    GRAPHS (RINGS "<channel><gpu dev='0'/><gpu dev='1'/></channel>\n"
                  "<channel><gpu dev='0'/><gpu dev='2'/></channel></graph>"),
    "4:1: This channel has different GPUs from the first channel; each ring must pass through "
    "all GPUs of the node." },
  { "fewer",
    GRAPHS (RINGS "<channel><gpu dev='0'/><gpu dev='1'/></channel>\n"
                  "<channel><gpu dev='0'/></channel></graph>"),
    "4:1: This channel has different GPUs from the first channel; each ring must pass through "
    "all GPUs of the node." },
  { "cut off", "<graphs version='1'><graph id='0'", "graph.xml:1:" },
};

static void
test_wrong (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) read = import (wrong[i].text, NULL, &error);

  g_assert_null (read);
  g_assert_nonnull (error);
  if (strstr (error->message, wrong[i].says) == NULL)
    g_error ("“%s” does not contain “%s”", error->message, wrong[i].says);
}

static void
test_many_gpus (void)
{
  GString *text = g_string_new ("<graphs><graph id='0' pattern='4'><channel>");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 200; i++)
    g_string_append_printf (text, "<gpu dev='%d'/>", i);
  g_string_append (text, "</channel></graph></graphs>");
  g_assert_null (import (text->str, NULL, &error));
  g_assert_nonnull (strstr (error->message, "more than 128 GPUs"));
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nccl-graph/rings", test_rings);
  g_test_add_func ("/nccl-graph/some-of-the-gpus", test_some_of_the_gpus);
  g_test_add_func ("/nccl-graph/keeps-map", test_keeps_map);
  g_test_add_func ("/nccl-graph/many-gpus", test_many_gpus);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/nccl-graph/wrong/%s", wrong[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_wrong);
    }
  return g_test_run ();
}
