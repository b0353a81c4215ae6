/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan-schema.h"

#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"
#include "io/plan/plan-xml.h"

#include <string.h>

/* The map of a node in a plan file. */

static PlgPlan *
read_text (const char *text, PlgPlanSource **source)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  PlgPlan *plan = plg_plan_xml_read (text, strlen (text), known, source, &error);

  g_assert_no_error (error);
  return plan;
}

static char *
write_text (const PlgPlan *plan, PlgPlanSource *source)
{
  g_autoptr (GBytes) bytes = plg_plan_xml_write (plan, source);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return g_strndup (data, size);
}

/* Values that are not multiples of powers of two, names, rings and unknown values. */
static void
random_map (PlgNodeTopology *map, GRand *random, int gpus, int nics)
{
  int ring[8];

  plg_node_topology_init (map, gpus, nics);
  for (int a = 0; a < gpus; a++)
    for (int b = a + 1; b < gpus; b++)
      plg_node_topology_set_pair (map, a, b,
                                  (PlgPath) { g_rand_int_range (random, 1, PLG_N_PATH_TYPES),
                                              g_rand_int_range (random, 0, 19),
                                              g_rand_double_range (random, 0, 1e12) });
  for (int i = 0; i < gpus * nics; i++)
    map->nic[i] = (PlgPath) { g_rand_int_range (random, 1, PLG_N_PATH_TYPES), 0,
                              g_rand_boolean (random) ? g_rand_double_range (random, 0, 1e11) : 0 };
  for (int i = 0; i < gpus * nics; i += 2)
    map->nic[i].planned = (PlgPlannedPath) { g_rand_int_range (random, 1, PLG_N_PATH_TYPES),
                                             g_rand_double_range (random, 1, 1e11) };
  for (int i = 0; i < nics; i++)
    if (g_rand_boolean (random))
      {
        g_snprintf (map->card[i].name, PLG_NAME_SIZE, "mlx5_%d", i);
        map->card[i].bandwidth = g_rand_double_range (random, 1e9, 1e11);
      }
  for (int i = 0; i < gpus; i++)
    {
      map->numa[i] = g_rand_int_range (random, -1, 8);
      ring[i] = (i + 3) % gpus;
    }
  if (g_rand_boolean (random))
    plg_node_topology_add_ring (map, ring);
}

static void
test_round_trip (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  GRand *random = g_rand_new_with_seed (7);
  g_autofree char *before = NULL;

  for (int i = 0; i < 20; i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
      g_autoptr (PlgPlanSource) source = NULL;
      g_autoptr (PlgPlan) read = NULL;
      g_autofree char *text = NULL, *again = NULL;

      random_map (&plan->node_topology, random, plan->cluster.gpus_per_node,
                  i % 4 == 0 ? 0 : plan->cluster.nics_per_node);
      text = write_text (plan, NULL);
      g_assert_true (plan_schema_accepts (text));
      read = read_text (text, &source);
      g_assert_true (plg_plan_equal (read, plan));
      g_assert_null (plg_plan_source_notice (source));
      again = write_text (read, source);
      g_assert_cmpstr (again, ==, text);
      if (before != NULL)
        {
          /* The text of one map is changed into the text of another map. */
          g_autoptr (PlgPlanSource) old = NULL;
          g_autoptr (PlgPlan) old_plan = read_text (before, &old);
          g_autofree char *changed = write_text (plan, old);
          g_autoptr (PlgPlan) read_changed = read_text (changed, NULL);

          /* The change is made in place, without rewriting the file. */
          g_assert_nonnull (strstr (changed, "lab=\"7\""));
          g_assert_true (plan_schema_accepts (changed));
          g_assert_true (plg_plan_equal (read_changed, plan));
          g_assert_false (plg_plan_equal (old_plan, plan));
        }
      g_free (before);
      before = g_strconcat ("<plan lab=\"7\"", strstr (text, "<plan") + strlen ("<plan"), NULL);
    }
  g_rand_free (random);
}

#define TWO                                                                        \
  "<plan version='1'>\n<cluster nodes='1' gpus-per-node='2' nics-per-node='1'/>\n" \
  "<parallelism tp='2' pp='1'/>\n"
#define MAP(rows) TWO "<node-map>" rows "</node-map>\n</plan>"

static void
test_keeps_foreign_content (void)
{
  static const char text[] = TWO "<node-map from='lab'>\n"
                                 "  <!-- Measured -->\n"
                                 "  <gpu gpus='X PIX' nics='PIX'/>\n"
                                 "  <gpu gpus='PIX X' nics='PIX:12.5'/>\n"
                                 "  <nic/>\n"
                                 "  <rack>7</rack>\n"
                                 "</node-map>\n</plan>\n";
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (text, &source);
  g_autofree char *changed = NULL, *removed = NULL;

  g_assert_true (plan_schema_accepts (text));
  g_assert_cmpint (plan->node_topology.gpus, ==, 2);
  g_assert_cmpfloat (plg_node_topology_to_nic (&plan->node_topology, 1, 0)->bandwidth, ==, 12.5e9);
  plan->node_topology.numa[1] = 3;
  changed = write_text (plan, source);
  g_assert_nonnull (strstr (changed, "<node-map from='lab'>"));
  g_assert_nonnull (strstr (changed, "<!-- Measured -->"));
  g_assert_nonnull (strstr (changed, "<rack>7</rack>"));
  g_assert_nonnull (strstr (changed, "numa=\"3\""));
  plg_node_topology_clear (&plan->node_topology);
  removed = write_text (plan, source);
  g_assert_null (strstr (removed, "node-map"));
}

static const struct
{
  const char *name, *text, *says;
} wrong[] = {
  { "empty", TWO "<node-map/></plan>",
    "4:1: A node map needs 1 to 128 <gpu> elements, and at most 512 <nic>" },
  { "two maps", TWO "<node-map/>\n<node-map/></plan>", "5:1: A plan has only one <node-map>" },
  { "too few paths", MAP ("<gpu gpus='X'/>\n<gpu gpus='PIX X'/>"), "4:16: “gpus” has 1 values" },
  { "no paths", MAP ("<gpu/>"), "4:11: “gpus” has 0 values, but must have 1" },
  { "unknown path", MAP ("<gpu gpus='X NVX'/><gpu gpus='NV1 X'/>"), "“NVX” is not understood" },
  { "no paths to NICs", MAP ("<gpu gpus='X PIX'/><gpu gpus='PIX X'/><nic/>"), "“nics” has 0" },
  { "different in the other direction", MAP ("<gpu gpus='X PIX'/><gpu gpus='SYS X'/>"),
    "both paths must be the same" },
  { "wrong path to itself", MAP ("<gpu gpus='PIX PIX'/><gpu gpus='PIX X'/>"),
    "only the path from a GPU" },
  { "bandwidth below zero", MAP ("<gpu gpus='X PIX:-3'/><gpu gpus='PIX X'/>"), "“PIX:-3”" },
  { "NUMA node is not a number", MAP ("<gpu numa='a' gpus='X PIX'/><gpu gpus='PIX X'/>"),
    "4:16: “a”" },
  { "hostile NIC",
    MAP ("<gpu gpus='X PIX' nics='PIX'/><gpu gpus='PIX X' nics='PIX'/><nic name='$(reboot)'/>"),
    "“$(reboot)” is not understood" },
  { "fast NIC",
    MAP ("<gpu gpus='X PIX' nics='PIX'/><gpu gpus='PIX X' nics='PIX'/><nic bandwidth='1e99'/>"),
    "“1e99”" },
  { "short ring", MAP ("<gpu gpus='X PIX'/><gpu gpus='PIX X'/><ring gpus='0'/>"), "has 1 values" },
  { "a GPU twice in a ring", MAP ("<gpu gpus='X PIX'/><gpu gpus='PIX X'/><ring gpus='0 0'/>"),
    "Ring 0 in the map of the node must name each GPU from 0 to 1 exactly once" },
  { "GPUs of another node", MAP ("<gpu gpus='X'/>"),
    "2:1: The map of the node has 1 GPU, but cluster.gpus-per-node is 2" },
  { "NICs of another node",
    MAP ("<gpu gpus='X PIX' nics='PIX PIX'/><gpu gpus='PIX X' nics='SYS SYS'/><nic/><nic/>"),
    "2:1: The map of the node has 2 NICs, but cluster.nics-per-node is 1" },
};

static void
test_wrong (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_xml_read (wrong[i].text, strlen (wrong[i].text), known, NULL,
                                                &error);

  g_assert_null (plan);
  g_assert_nonnull (error);
  if (strstr (error->message, wrong[i].says) == NULL)
    g_error ("“%s” does not contain “%s”", error->message, wrong[i].says);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-xml-node-map/round-trip", test_round_trip);
  g_test_add_func ("/plan-xml-node-map/keeps-foreign-content", test_keeps_foreign_content);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/plan-xml-node-map/wrong/%s", wrong[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_wrong);
    }
  return g_test_run ();
}
