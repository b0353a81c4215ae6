/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/settings/setting.h"

#include <string.h>

static PlgImportResult *
import_over (const char *text, const PlgPlan *base, GError **error)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "lstopo.xml", base, catalogue, error);
}

static PlgImportResult *
import (const char *text, GError **error)
{
  return import_over (text, NULL, error);
}

/* The seeds of the fuzzer are written by hand, too. */
static PlgImportResult *
import_seed (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fuzz", "seeds", "hwloc", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  PlgImportResult *read;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  read = import (text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (read->format->name, ==, "hwloc");
  return read;
}

static void
assert_setting (const PlgImportResult *read, const char *key, const char *value)
{
  g_autofree char *has = plg_setting_get (plg_setting_find (key), read->plan);

  g_assert_cmpstr (has, ==, value);
}

/* Two A100 on two CPUs with four NVLinks between them; the first A100 is below a switch with a
 * NIC, whose link has half of its width. */
static void
test_pair (void)
{
  g_autoptr (PlgImportResult) read = import_seed ("pair.xml");
  const PlgNodeTopology *map = &read->plan->node_topology;

  assert_setting (read, "cluster.gpu", "a100-sxm-80");
  assert_setting (read, "cluster.gpus-per-node", "2");
  assert_setting (read, "cluster.nics-per-node", "1");
  assert_setting (read, "cluster.intra", "mesh");
  assert_setting (read, "cluster.intra-bandwidth", "100");
  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 1)->type, ==, PLG_PATH_NVLINK);
  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 1)->links, ==, 4);
  g_assert_cmpint (plg_node_topology_to_nic (map, 0, 0)->type, ==, PLG_PATH_PIX);
  g_assert_cmpfloat_with_epsilon (plg_node_topology_to_nic (map, 0, 0)->bandwidth, 15.75e9, 1);
  g_assert_cmpint (plg_node_topology_to_nic (map, 1, 0)->type, ==, PLG_PATH_SYS);
  /* NCCL's 24 GB/s of Milan and Genoa exceed the bandwidth of the NIC's link. */
  g_assert_cmpfloat_with_epsilon (plg_node_topology_to_nic (map, 1, 0)->bandwidth, 15.75e9, 1);
  g_assert_cmpstr (map->card[0].name, ==, "mlx5_0");
  g_assert_cmpint (map->numa[0], ==, 0);
  g_assert_cmpint (map->numa[1], ==, 1);
}

static void
test_fabric (void)
{
  g_autoptr (PlgImportResult) read = import_seed ("fabric.xml");

  assert_setting (read, "cluster.gpu", "mi300x-192");
  assert_setting (read, "cluster.intra", "mesh");
  assert_setting (read, "cluster.intra-bandwidth", "64");
}

/* GPUs are numbered as in NVML, not in the order of the file. */
static void
test_switched (void)
{
  g_autoptr (PlgImportResult) read = import_seed ("switched.xml");

  assert_setting (read, "cluster.gpu", "h100-sxm-80");
  assert_setting (read, "cluster.intra", "nvswitch");
  assert_setting (read, "cluster.intra-bandwidth", "450");
  assert_setting (read, "cluster.multicast", "true");
  g_assert_cmpint (plg_node_topology_to_gpu (&read->plan->node_topology, 0, 1)->links, ==, 18);
}

/* A tray of the open plan's racks describes all trays; a tray with other GPUs does not. */
static void
test_tray (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fuzz", "seeds", "hwloc",
                                                 "switched.xml", NULL);
  g_autofree char *text = NULL, *notes = NULL, *other_notes = NULL;
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgImportResult) read = NULL, other = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (plg_settings_apply (plan, catalogue,
                                     (const char *const[]) { "cluster.gpus-per-host=2", NULL },
                                     NULL));
  read = import_over (text, plan, NULL);
  g_assert_nonnull (read);
  g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, 8);
  g_assert_cmpint (read->plan->cluster.gpus_per_host, ==, 2);
  g_assert_cmpint (read->plan->cluster.nodes, ==, 8);
  g_assert_cmpint (read->plan->node_topology.gpus, ==, 8);
  g_assert_cmpint (plg_node_topology_to_gpu (&read->plan->node_topology, 0, 7)->links, ==, 18);
  notes = plg_notes_text (read->notes, 1u << PLG_NOTE_UNDERSTOOD, NULL);
  g_assert_nonnull (strstr (notes, ": GPUs per host: 2"));
  g_assert_null (strstr (notes, "GPUs per node"));
  plan->cluster.gpus_per_host = 4;
  other = import_over (text, plan, NULL);
  g_assert_nonnull (other);
  g_assert_cmpint (other->plan->cluster.gpus_per_node, ==, 2);
  g_assert_cmpint (plg_cluster_hosts_per_node (&other->plan->cluster), ==, 1);
  other_notes = plg_notes_text (other->notes, 1u << PLG_NOTE_UNDERSTOOD, NULL);
  g_assert_null (strstr (other_notes, "GPUs per host"));
}

/* A licence comment of any length before hwloc's DOCTYPE does not prevent the detection. */
static void
test_comment (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fuzz", "seeds", "hwloc", "pair.xml",
                                                 NULL);
  g_autofree char *words = g_strnfill (5000, 'x');
  g_autofree char *comment = g_strdup_printf ("<!-- %s -->\n<!DOCTYPE", words);
  g_autofree char *text = NULL;
  g_auto (GStrv) halves = NULL;
  g_autoptr (PlgImportResult) read = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  halves = g_strsplit (text, "<!DOCTYPE", 2);
  g_free (text);
  text = g_strjoinv (comment, halves);
  read = import (text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (read->format->name, ==, "hwloc");
}

#define GPU \
  "<object type='PCIDev' pci_busid='0000:01:00.0' pci_type='0302 [10de:2330]' gp_index='1'/>"
#define TOPOLOGY(content) \
  "<topology version='2.0'>\n<object type='Machine'>\n" content "</object></topology>"
#define MATRIX(content)                                                 \
  "<topology version='2.0'>\n<object type='Machine'>" GPU "</object>\n" \
  "<distances2 name='NVLinkBandwidth'>" content "</distances2></topology>"

static const struct
{
  const char *name, *text, *says;
} wrong[] = {
  { "hwloc 1", "<topology><object type='Machine'/></topology>", "1:1: This file is from hwloc 1" },
  { "a file of hwloc 1",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc.dtd\">\n"
    "<topology><object type='Machine'/></topology>",
    "3:1: This file is from hwloc 1" },
  { "empty", TOPOLOGY (""), "1:1: The topology has no GPU" },
  { "no bus id", TOPOLOGY ("<object type='PCIDev'/>"), "3:1: A PCI device needs a pci_busid" },
  { "bus id is not a number", TOPOLOGY ("<object type='PCIDev' pci_busid='$(reboot)'/>"),
    "3:23: A PCI" },
  { "half a matrix", MATRIX ("<indexes>1 2</indexes><u64values>0 1 2</u64values>"),
    "3:1: The matrix has 2 objects and 3 values" },
  { "no matrix", MATRIX (""), "3:1: The matrix has 0 objects and 0 values" },
  { "matrix is not numbers", MATRIX ("<indexes>1</indexes><u64values>fast</u64values>"),
    "“fast” in the matrix is not a bandwidth" },
  { "another DOCTYPE", "<!DOCTYPE topology SYSTEM 'http://example.org/x.dtd'><topology/>",
    "DOCTYPE" },
  { "entities",
    "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\" [<!ENTITY a 'b'>]><topology version='2.0'/>",
    "DOCTYPE" },
  { "two DOCTYPEs",
    "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\"><!DOCTYPE topology SYSTEM \"hwloc2.dtd\">"
    "<topology version='2.0'/>",
    "DOCTYPE" },
  { "cut off", "<topology version='2.0'><object type='Machine'>", "lstopo.xml:1:" },
};

static void
test_wrong (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) read = import (wrong[i].text, &error);

  g_assert_null (read);
  g_assert_nonnull (error);
  if (strstr (error->message, wrong[i].says) == NULL)
    g_error ("“%s” does not contain “%s”", error->message, wrong[i].says);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hwloc/comment", test_comment);
  g_test_add_func ("/hwloc/pair", test_pair);
  g_test_add_func ("/hwloc/fabric", test_fabric);
  g_test_add_func ("/hwloc/switched", test_switched);
  g_test_add_func ("/hwloc/tray", test_tray);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/hwloc/wrong/%s", wrong[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_wrong);
    }
  return g_test_run ();
}
