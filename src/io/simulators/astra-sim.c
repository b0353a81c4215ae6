/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/json-writer.h"
#include "io/simulators/simulator-checks.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

/* Writes the network and system files of ASTRA-sim's analytical backend
 * (github.com/astra-sim/astra-sim, inputs/network/hgx_h100_32gpu.yml and
 * examples/system/native_collectives/HGX-H100-validated.json). The network file has one
 * dimension per network level, with bandwidths in GB/s and latencies in ns. ASTRA-sim adds a
 * switch's latency twice, on the way up and on the way down, so the latency is halved here. */

#define PROGRAM "ASTRA-sim"
#define MAX_DIMENSIONS 3
#define DIGITS "%.6g"
#define ENDPOINT_DELAY 10 /* the endpoint-delay in ASTRA-sim's own H100 example [ns] */

typedef struct
{
  const char *topology;
  int size;
  double bandwidth; /* [bytes/s] */
  double latency;   /* [s] */
} Dimension;

/* Returns the dimension inside a node. In a mesh, a GPU divides its bandwidth evenly among its
 * links, one to every other GPU of its node. */
static Dimension
make_node_dimension (const PlgCluster *cluster)
{
  gboolean mesh = cluster->intra == PLG_INTRA_MESH;
  double rate = cluster->intra_bandwidth * cluster->intra_efficiency;

  return (Dimension) {
    .topology = cluster->intra == PLG_INTRA_MESH ? "FullyConnected" : "Switch",
    .size = cluster->gpus_per_node,
    .bandwidth = mesh ? rate / MAX (cluster->gpus_per_node - 1, 1) : rate,
    .latency = mesh ? cluster->intra_latency : cluster->intra_latency / 2.0,
  };
}

/* Fills ALL with the dimensions: the GPUs in a node, the nodes under a leaf switch, and the leaf
 * switches. The bandwidth between leaf switches is divided by the oversubscription. Returns the
 * number of dimensions. */
static int
fill_dimensions (const PlgCluster *cluster, Dimension *all)
{
  PlgSwitches switches = plg_cluster_switches (cluster);
  double rate = cluster->inter_bandwidth * cluster->inter_efficiency;
  int below = cluster->nodes, n = 0;

  if (cluster->network == PLG_NETWORK_RAIL && switches.units > 1)
    below = switches.nodes_per_leaf;
  if (cluster->gpus_per_node > 1)
    all[n++] = make_node_dimension (cluster);
  if (below > 1)
    all[n++] = (Dimension) { "Switch", below, rate, cluster->inter_latency / 2.0 };
  if (cluster->nodes > below)
    all[n++] = (Dimension) { "Switch", (cluster->nodes + below - 1) / below,
                             rate / cluster->oversubscription, cluster->inter_latency / 2.0 };
  if (n == 0)
    all[n++] = make_node_dimension (cluster);
  return n;
}

static void
append_list (GString *out,
             const char *name,
             const char *note,
             const Dimension *all,
             int n,
             int what)
{
  g_string_append_printf (out, "%s: [ ", name);
  for (int i = 0; i < n; i++)
    {
      double value = what == 2 ? all[i].bandwidth * 1e-9 : all[i].latency * 1e9;
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, DIGITS, value);
      g_string_append (out, i > 0 ? ", " : "");
      if (what == 0)
        g_string_append (out, all[i].topology);
      else if (what == 1)
        g_string_append_printf (out, "%d", all[i].size);
      else
        g_string_append (out, number);
    }
  g_string_append_printf (out, " ]%s\n", note);
}

static GBytes *
write_astra_sim (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  Dimension all[MAX_DIMENSIONS];
  int n = fill_dimensions (&plan->cluster, all), product = 1;
  GString *out;

  if (!plg_simulator_check_rank_order (plan, PROGRAM, error) ||
      !plg_simulator_check_no_faults (plan, PROGRAM, error))
    return NULL;
  for (int i = 0; i < n; i++)
    product *= all[i].size;
  if (product != plg_plan_world (plan))
    {
      plg_simulator_set_error (
          PROGRAM, error,
          _ ("all units of a dimension have the same size, but %d nodes do not fill units of %d. "
             "Set %s to a multiple of the unit size."),
          plan->cluster.nodes, n > 1 ? all[n - 2].size : 1, plg_setting_name ("cluster.nodes"));
      return NULL;
    }
  out = g_string_new ("# Network of ASTRA-sim, analytical: GPUs of a node first, then the nodes.\n"
                      "# A bandwidth is the part of the stated bandwidth that collectives reach. A "
                      "switch counts a latency twice.\n");
  append_list (out, "topology", "", all, n, 0);
  append_list (out, "npus_count", "", all, n, 1);
  append_list (out, "bandwidth", "  # GB/s", all, n, 2);
  append_list (out, "latency", "  # ns", all, n, 3);
  return plg_take_text (g_string_free (out, FALSE));
}

static void
add_algorithms (PlgJsonWriter *json,
                const char *kind,
                const Dimension *all,
                int n,
                const char *through_switch)
{
  g_autofree char *name = g_strconcat (kind, "-implementation", NULL);

  plg_json_begin (json, name, '[', FALSE);
  for (int i = 0; i < n; i++)
    plg_json_add_string (json, NULL,
                         g_str_equal (all[i].topology, "FullyConnected") ? "direct"
                                                                         : through_switch);
  plg_json_end (json, ']');
}

static GBytes *
write_astra_sim_system (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  PlgJsonWriter json = { .out = g_string_new (NULL) };
  Dimension all[MAX_DIMENSIONS];
  int n = fill_dimensions (&plan->cluster, all);

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_string (&json, "scheduling-policy", "LIFO");
  plg_json_add_number (&json, "endpoint-delay", ENDPOINT_DELAY);
  plg_json_add_number (&json, "active-chunks-per-dimension", 2);
  plg_json_add_number (&json, "preferred-dataset-splits", 4);
  add_algorithms (&json, "all-reduce", all, n, "ring");
  add_algorithms (&json, "all-gather", all, n, "ring");
  add_algorithms (&json, "reduce-scatter", all, n, "ring");
  add_algorithms (&json, "all-to-all", all, n, "ring");
  plg_json_add_string (&json, "collective-optimization", "localBWAware");
  plg_json_add_number (&json, "local-mem-bw", plan->cluster.memory_bandwidth / PLG_GB);
  plg_json_add_number (&json, "boost-mode", 0);
  plg_json_end (&json, '}');
  return plg_take_text (plg_json_take (&json));
}

const PlgFormat plg_astra_sim_format = {
  .name = "astra-sim",
  .suffix = ".yml",
  .title = N_ ("ASTRA-sim network (YAML)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .write = write_astra_sim,
};

const PlgFormat plg_astra_sim_system_format = {
  .name = "astra-sim-system",
  .suffix = ".json",
  .title = N_ ("ASTRA-sim system (JSON)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .write = write_astra_sim_system,
};
