/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/flops.h"
#include "engine/report/report.h"
#include "io/plan/catalogue-xml.h"
#include "io/plan/plan-xml.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <libxml/relaxng.h>
#include <string.h>

typedef struct
{
  PlgCatalogue *catalogue;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_catalogue_unref (fixture->catalogue);
}

/* Users script these names, so they must never disappear. */
static const char *const gpu_names[] = {
  "v100-sxm-16",  "v100-sxm-32",  "a100-sxm-40",  "a100-sxm-80",  "a100-pcie-80",
  "a800-sxm-80",  "h100-sxm-80",  "h100-pcie-80", "h100-nvl-94",  "h800-sxm-80",
  "h20-96",       "h200-sxm-141", "gh200-96",     "b200-sxm-180", "gb200-186",
  "b300-sxm-288", "gb300-288",    "mi250x-64",    "mi300x-192",   "mi325x-256",
  "mi355x-288",   "l40s-48",      "a10-24",       "h100-sxm-96",  "mi350x-288",
};

static const char *const node_names[] = {
  "hgx-h100",   "hgx-h200",    "hgx-b200",         "hgx-b300",     "dgx-a100",    "dgx-1-v100",
  "dgx-2",      "gb200-nvl72", "gb200-nvl72-tray", "aws-p4d",      "aws-p5",      "frontier",
  "perlmutter", "mi300x-node", "pcie-box",         "ethernet-box", "mi350x-node", "aws-p6-b200",
};

static const char *const model_names[] = {
  "gpt3-175b",       "llama2-7b",     "llama2-13b",    "llama2-70b",    "llama3-8b",
  "llama3-70b",      "llama3-405b",   "mixtral-8x7b",  "mixtral-8x22b", "deepseek-v3",
  "qwen3-235b-a22b", "bloom-176b",    "mtnlg-530b",    "megatron-1.7b", "megatron-3.6b",
  "megatron-7.5b",   "megatron-18b",  "megatron-22b",  "megatron-39b",  "megatron-76b",
  "megatron-145b",   "megatron-310b", "megatron-530b", "megatron-1t",   "qwen3-0.6b",
  "qwen3-1.7b",      "qwen3-4b",      "qwen3-8b",      "qwen3-14b",     "qwen3-32b",
  "qwen3-30b-a3b",   "kimi-k2",       "glm-4.5",       "glm-4.5-air",   "glm-4.6",
  "gpt-oss-20b",     "gpt-oss-120b",  "gemma3-4b",     "gemma3-27b",    "llama4-scout",
  "llama4-maverick", "mistral-7b",    "minimax-m2",    "deepseek-v3.2", "glm-5",
};

/* Links between GPUs have the names of their makers. */
static void
test_link_titles (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *gpu, *title;
  } rows[] = { { "h100-sxm-80", "NVLink" },
               { "mi250x-64", "Infinity Fabric" },
               { "mi300x-192", "Infinity Fabric" } };
  PlgCluster cluster = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      plg_cluster_set_gpu (&cluster, plg_catalogue_gpu (fixture->catalogue, rows[i].gpu));
      g_assert_cmpstr (plg_cluster_link_title (&cluster), ==, rows[i].title);
      g_assert_cmpstr (plg_tier_title (&cluster, PLG_TIER_NVLINK), ==, rows[i].title);
    }
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = plg_catalogue_names (fixture->catalogue, "gpu");

  for (gsize i = 0; i < G_N_ELEMENTS (gpu_names); i++)
    g_assert_nonnull (plg_catalogue_gpu (fixture->catalogue, gpu_names[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (node_names); i++)
    g_assert_nonnull (plg_catalogue_node (fixture->catalogue, node_names[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (model_names); i++)
    g_assert_nonnull (plg_catalogue_model (fixture->catalogue, model_names[i]));
  g_assert_null (plg_catalogue_gpu (fixture->catalogue, "h100"));
  g_assert_nonnull (strstr (list, "h100-sxm-80, "));
}

static void
check_constants (const PlgCatalogue *catalogue, const char *kind, const char *name)
{
  int n;
  const PlgConstant *constants = plg_catalogue_constants (catalogue, kind, name, &n);

  g_assert_cmpint (n, >, 5);
  for (int i = 0; i < n; i++)
    {
      g_assert_cmpint (strlen (constants[i].name), >, 2);
      g_assert_cmpint (strlen (constants[i].unit), >, 0);
      g_assert_cmpint (strlen (constants[i].source), >, 10);
      g_assert_cmpint (strlen (constants[i].date), ==, 10);
    }
}

/* Each number names its source. */
static void
test_sources (Fixture *fixture, gconstpointer data)
{
  const PlgCatalogue *catalogue = fixture->catalogue;

  for (int i = 0; i < plg_catalogue_n_gpus (catalogue); i++)
    check_constants (catalogue, "gpu", plg_catalogue_nth_gpu (catalogue, i)->name);
  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    check_constants (catalogue, "node", plg_catalogue_nth_node (catalogue, i)->name);
  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    check_constants (catalogue, "model", plg_catalogue_nth_model (catalogue, i)->name);
}

static void
assert_between (double value, double minimum, double maximum)
{
  g_assert_cmpfloat (value, >=, minimum);
  g_assert_cmpfloat (value, <=, maximum);
}

static void
check_gpu (const PlgGpu *gpu)
{
  assert_between (gpu->peak[PLG_PRECISION_FP16], 100e12, 5000e12);
  assert_between (gpu->peak[PLG_PRECISION_FP32], 10e12, 200e12);
  g_assert_cmpfloat (gpu->peak[PLG_PRECISION_FP8], <=, 2.1 * gpu->peak[PLG_PRECISION_FP16]);
  assert_between (gpu->vector_peak, 10e12, 200e12);
  for (int p = 0; p < PLG_N_PRECISIONS; p++)
    if (gpu->peak[p] > 0)
      assert_between (gpu->matrix_efficiency[p], 0.4, 0.95);
  assert_between (gpu->memory, 15e9, 320e9);
  assert_between (gpu->memory_bandwidth, 0.5e12, 10e12);
  assert_between (gpu->memory_efficiency, 0.75, 0.95);
  assert_between (gpu->link_bandwidth, 0, 900e9);
  assert_between (gpu->pcie_bandwidth, 15e9, 130e9);
  /* Prices and powers are left out if no source gives them. */
  g_assert_cmpint (gpu->gpu_hour > 0, ==, *gpu->gpu_hour_source != '\0');
  if (gpu->gpu_hour > 0)
    {
      assert_between (gpu->gpu_hour, 1, 20);
      g_assert_nonnull (strstr (gpu->gpu_hour_source, "List price"));
      g_assert_true (g_str_has_suffix (gpu->gpu_hour_source, ", 2026-11-23"));
    }
  if (gpu->power_busy > 0)
    assert_between (gpu->power_busy, 150, 1400);
  if (gpu->power_idle > 0)
    assert_between (gpu->power_idle, 0.1 * gpu->power_busy, 0.35 * gpu->power_busy);
  if (gpu->power_server > 0)
    assert_between (gpu->power_server, 0.3 * gpu->power_busy, 1.1 * gpu->power_busy);
}

static void
check_node (const PlgCatalogue *catalogue, const PlgNode *node)
{
  const PlgGpu *gpu = plg_catalogue_gpu (catalogue, node->gpu);

  g_assert_nonnull (gpu);
  g_assert_cmpint (gpu->link_bandwidth > 0, ==, node->intra != PLG_INTRA_PCIE);
  assert_between (node->gpus, 4, 72);
  assert_between (node->nics, 1, 72);
  assert_between (node->nic_bandwidth, 1.25e9, 100e9);
  assert_between (node->intra_efficiency, 0.6, 0.95);
  assert_between (node->inter_efficiency, 0.6, 0.99);
  assert_between (node->intra_latency, 1e-6, 10e-6);
  assert_between (node->inter_latency, 5e-6, 100e-6);
  g_assert_cmpfloat (node->inter_latency, >, node->intra_latency);
}

static void
test_ranges (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < plg_catalogue_n_gpus (fixture->catalogue); i++)
    check_gpu (plg_catalogue_nth_gpu (fixture->catalogue, i));
  for (int i = 0; i < plg_catalogue_n_nodes (fixture->catalogue); i++)
    check_node (fixture->catalogue, plg_catalogue_nth_node (fixture->catalogue, i));
}

/* Well-known values in SI units. */
static void
test_known_values (Fixture *fixture, gconstpointer data)
{
  const PlgGpu *h100 = plg_catalogue_gpu (fixture->catalogue, "h100-sxm-80");
  const PlgGpu *v100 = plg_catalogue_gpu (fixture->catalogue, "v100-sxm-32");
  const PlgNode *hgx = plg_catalogue_node (fixture->catalogue, "hgx-h100");

  g_assert_cmpfloat (h100->peak[PLG_PRECISION_BF16], ==, 989e12);
  g_assert_cmpfloat (h100->peak[PLG_PRECISION_FP8], ==, 1979e12);
  g_assert_cmpfloat (h100->memory, ==, 81559.0 * 1048576);
  g_assert_cmpfloat (h100->memory_bandwidth, ==, 3.35e12);
  g_assert_cmpfloat (h100->link_bandwidth, ==, 450e9);
  g_assert_cmpfloat (v100->peak[PLG_PRECISION_BF16], ==, 0);
  g_assert_cmpfloat (hgx->nic_bandwidth, ==, 50e9);
  g_assert_cmpint (hgx->nics, ==, 8);
  g_assert_true (hgx->rdma);
  g_assert_true (hgx->multicast);
}

static double
constant (const PlgCatalogue *catalogue, const char *model, const char *name)
{
  int n;
  const PlgConstant *constants = plg_catalogue_constants (catalogue, "model", model, &n);

  for (int i = 0; i < n; i++)
    if (g_str_equal (constants[i].name, name))
      return constants[i].value;
  return 0;
}

/* Dimensions were typed by hand; they are right if the engine counts the published number of
 * parameters. */
static void
test_parameters (Fixture *fixture, gconstpointer data)
{
  const PlgCatalogue *catalogue = fixture->catalogue;

  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    {
      const PlgTransformer *model = plg_catalogue_nth_model (catalogue, i);
      double total = constant (catalogue, model->name, "parameters") * 1e9;
      double active = constant (catalogue, model->name, "active-parameters") * 1e9;

      g_test_message ("%s: %.2f B", model->name, plg_parameters_total (model) / 1e9);
      assert_between (plg_parameters_total (model) / total, 0.97, 1.03);
      if (active > 0)
        assert_between (plg_parameters_active (model) / active, 0.95, 1.05);
    }
}

static gboolean
is_valid (xmlRelaxNGValidCtxt *validator, GBytes *bytes)
{
  xmlDoc *doc = xmlReadMemory (g_bytes_get_data (bytes, NULL), (int) g_bytes_get_size (bytes),
                               "catalogue", NULL, XML_PARSE_NONET);
  gboolean valid = xmlRelaxNGValidateDoc (validator, doc) == 0;

  xmlFreeDoc (doc);
  return valid;
}

static GBytes *
resource (const char *name)
{
  g_autofree char *path = g_strconcat ("/org/parallelogram/Parallelogram/", name, NULL);

  return g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static void
test_schema (Fixture *fixture, gconstpointer data)
{
  static const char *const files[] = { "catalogue/gpus.xml", "catalogue/nodes.xml",
                                       "catalogue/models.xml" };
  g_autoptr (GBytes) schema = resource ("catalogue.rng");
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewMemParserCtxt (g_bytes_get_data (schema, NULL),
                                                             (int) g_bytes_get_size (schema));
  xmlRelaxNG *grammar = xmlRelaxNGParse (parser);
  xmlRelaxNGValidCtxt *validator = xmlRelaxNGNewValidCtxt (grammar);

  g_assert_nonnull (grammar);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GBytes) bytes = resource (files[i]);
      g_assert_true (is_valid (validator, bytes));
    }
  xmlRelaxNGFreeValidCtxt (validator);
  xmlRelaxNGFree (grammar);
  xmlRelaxNGFreeParserCtxt (parser);
}

static int
joined_pairs (const PlgPlan *plan)
{
  const PlgNodeTopology *map = &plan->node_topology;
  int n = 0;

  for (int i = 0; i < map->gpus * map->gpus; i++)
    n += map->gpu[i].type == PLG_PATH_NVLINK;
  return n / 2;
}

/* A node with GPUs that are not all joined brings its map of links, as long as it stays this
 * node. */
static void
test_node_map (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *setting;
    int pairs;
  } steps[] = {
    { "cluster.node=dgx-1-v100", 16 }, { "cluster.intra-bandwidth=120", 16 },
    { "cluster.gpus-per-node=4", 0 },  { "cluster.gpus-per-node=8", 16 },
    { "cluster.node=mi300x-node", 0 }, { "cluster.node=dgx-1-v100", 16 },
    { "cluster.node=hgx-h100", 0 },
  };
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const char *const settings[] = { steps[i].setting, "parallelism.tp=4", NULL };
      g_autoptr (GError) error = NULL;

      plg_settings_apply (plan, fixture->catalogue, settings, &error);
      g_assert_no_error (error);
      g_assert_cmpint (joined_pairs (plan), ==, steps[i].pairs);
      g_assert_cmpint (plg_catalogue_gave_topology (fixture->catalogue, plan), ==,
                       steps[i].pairs > 0);
    }
}

/* A node can have another memory than the usual server of its GPU. */
static void
test_host_memory (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *setting;
    double gib;
  } steps[] = {
    { "cluster.node=gh200-quad", 128.0 }, { "cluster.node=dgx-2", 96.0 },
    { "cluster.node=dgx-1-v100", 64.0 },  { "cluster.host-memory=100", 100.0 },
    { "cluster.node=hgx-h100", 256.0 },
  };
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const char *const settings[] = { steps[i].setting, "parallelism.tp=4", NULL };
      g_autoptr (GError) error = NULL;

      plg_settings_apply (plan, fixture->catalogue, settings, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (plg_cluster_host_memory (&plan->cluster), ==, steps[i].gib * PLG_GIB);
    }
}

/* An older plan file that names its node and has no map gets the map of the node. */
static void
test_older_plan (Fixture *fixture, gconstpointer data)
{
  static const char text[] = "<plan version=\"1\">"
                             "<cluster node=\"dgx-1-v100\" nodes=\"8\"/>"
                             "<training precision=\"fp16\"/></plan>";
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan)
                 plan = plg_plan_xml_read (text, strlen (text), fixture->catalogue, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (joined_pairs (plan), ==, 16);
}

#define HEAD "<catalogue version=\"1\">\n"
#define ORIGIN " source=\"my own measurement\" date=\"2026-08-22\""
#define C(name, value, unit) "<constant name=\"" name "\" value=\"" value "\" unit=\"" unit "\"/>\n"
#define GPU(name, memory, rest)                                                                 \
  "<gpu name=\"" name "\" title=\"Mine\"" ORIGIN ">\n" C ("peak-fp16", "100", "TFLOP/s")        \
      C ("peak-fp32", "50", "TFLOP/s") C ("vector-peak", "50", "TFLOP/s")                       \
          C ("matrix-efficiency-fp16", "0.8", "1") C ("matrix-efficiency-fp32", "0.9", "1")     \
              memory C ("memory-bandwidth", "1000", "GB/s") C ("memory-efficiency", "0.9", "1") \
                  C ("link-bandwidth", "800", "Gb/s") C ("pcie-bandwidth", "31.5", "GB/s") rest \
      "</gpu>\n"
#define MEMORY C ("memory", "64", "GiB")
#define NODE(name, gpu) NODE_WITH (name, gpu, "")
#define MAP(rest) \
  "<node-map" ORIGIN "><gpu gpus=\"X NV1\"/><gpu gpus=\"NV1 X\"/>" rest "</node-map>"
#define NODE_WITH(name, gpu, rest)                                                              \
  "<node name=\"" name "\" title=\"Mine\" gpu=\"" gpu                                           \
  "\" intra=\"pcie\" network=\"flat\" rdma=\"false\"" ORIGIN ">\n" C ("gpus", "4", "1")         \
      C ("nics", "1", "1") C ("nic-bandwidth", "25", "Gb/s") C ("intra-efficiency", "0.8", "1") \
          C ("inter-efficiency", "0.7", "1") C ("intra-latency", "5", "µs")                     \
              C ("inter-latency", "40", "µs") rest "</node>\n"
#define MODEL(extra)                                                                \
  "<model name=\"mine\" title=\"Mine\" gated=\"true\" tied=\"false\" norm=\"rms\" " \
  "biases=\"false\"" ORIGIN ">\n" C ("layers", "2", "1") C ("hidden", "64", "1")    \
      C ("ffn", "256", "1") C ("heads", "4", "1") C ("head-dim", "16", "1")         \
          C ("vocabulary", "1000", "1") extra "</model>\n"
#define TAIL "</catalogue>\n"

static void
test_own_entries (Fixture *fixture, gconstpointer data)
{
  const char *text = HEAD GPU ("mine", MEMORY, "") NODE ("my-node", "mine") TAIL;
  g_autoptr (GError) error = NULL;
  const PlgGpu *gpu;
  int n = plg_catalogue_n_gpus (fixture->catalogue);

  g_assert_true (plg_catalogue_xml_read (fixture->catalogue, text, strlen (text), &error));
  g_assert_no_error (error);
  gpu = plg_catalogue_gpu (fixture->catalogue, "mine");
  g_assert_cmpfloat (gpu->memory, ==, 64.0 * 1024 * 1024 * 1024);
  g_assert_cmpfloat (gpu->link_bandwidth, ==, 100e9);
  g_assert_cmpfloat (plg_catalogue_node (fixture->catalogue, "my-node")->inter_latency, ==, 40e-6);
  g_assert_cmpint (plg_catalogue_n_gpus (fixture->catalogue), ==, n + 1);

  /* A second entry with the same name replaces the first. */
  text = HEAD GPU ("mine", C ("memory", "1024", "MiB"), "") TAIL;
  g_assert_true (plg_catalogue_xml_read (fixture->catalogue, text, strlen (text), &error));
  gpu = plg_catalogue_gpu (fixture->catalogue, "mine");
  g_assert_cmpfloat (gpu->memory, ==, 1024.0 * 1024 * 1024);
  g_assert_cmpint (plg_catalogue_n_gpus (fixture->catalogue), ==, n + 1);
}

/* A long source of a price is cut between two characters. */
static void
test_long_source (Fixture *fixture, gconstpointer data)
{
#define TEN "üüüüüüüüüü"
  const char *text = HEAD GPU ("mine", MEMORY,
                               "<constant name='gpu-hour' value='2' unit='USD' source='x" TEN TEN
                                   TEN TEN TEN TEN TEN TEN TEN TEN "' date='2026-01-01'/>") TAIL;
  g_autoptr (GError) error = NULL;
  const PlgGpu *gpu;

  g_assert_true (plg_catalogue_xml_read (fixture->catalogue, text, strlen (text), &error));
  g_assert_no_error (error);
  gpu = plg_catalogue_gpu (fixture->catalogue, "mine");
  g_assert_cmpfloat (gpu->gpu_hour, ==, 2);
  g_assert_true (g_utf8_validate (gpu->gpu_hour_source, -1, NULL));
  g_assert_cmpuint (strlen (gpu->gpu_hour_source), >=, PLG_SOURCE_SIZE - 3);
}

static const struct
{
  const char *name;
  const char *text;
  const char *message; /* the start of the message, with the place */
  const char *contains;
} bad[] = {
  { "empty", "", "1:1: ", "empty" },
  { "cut-off", "<catalogue version=\"1\"><gpu", "1:", "" },
  { "other-root", "<plan version=\"1\"/>", "1:1: ", "catalogue" },
  { "no-version", "<catalogue/>", "1:1: ", "version" },
  { "newer-version", "<catalogue version=\"2\"/>", "1:12: ", "version" },
  { "doctype", "<!DOCTYPE catalogue><catalogue version=\"1\"/>", "1:1: ", "DOCTYPE" },
  { "unknown-element", HEAD "<tpu/>" TAIL, "2:1: ", "tpu" },
  { "unknown-attribute", HEAD "<gpu colour=\"red\"/>" TAIL, "2:6: ", "colour" },
  { "no-name", HEAD "<gpu title=\"X\"" ORIGIN "/>" TAIL, "2:1: ", "name" },
  { "wild-name", HEAD "<gpu name=\"../x\" title=\"X\"" ORIGIN "/>" TAIL, "2:6: ", "../x" },
  { "long-name",
    HEAD "<gpu name=\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" "
         "title=\"X\"" ORIGIN "/>" TAIL,
    "2:6: ", "63" },
  { "unknown-constant", HEAD GPU ("x", C ("charm", "1", "1"), "") TAIL, "8:11: ", "charm" },
  { "missing-constant", HEAD GPU ("x", "", "") TAIL, "2:1: ", "“memory”" },
  { "twice", HEAD GPU ("x", MEMORY MEMORY, "") TAIL, "9:11: ", "twice" },
  { "no-number", HEAD GPU ("x", C ("memory", "much", "GiB"), "") TAIL, "8:25: ", "much" },
  { "nan", HEAD GPU ("x", C ("memory", "nan", "GiB"), "") TAIL, "8:25: ", "nan" },
  { "infinite", HEAD GPU ("x", C ("memory", "1e999", "GiB"), "") TAIL, "8:25: ", "1e999" },
  { "negative", HEAD GPU ("x", C ("memory", "-1", "GiB"), "") TAIL, "8:25: ", "between" },
  { "huge", HEAD GPU ("x", C ("memory", "1000000000000000000", "GiB"), "") TAIL,
    "8:25: ", "between" },
  { "other-unit", HEAD GPU ("x", C ("memory", "64", "GB/s"), "") TAIL, "8:36: ", "MiB, GiB" },
  { "no-date",
    HEAD "<gpu name=\"x\" title=\"X\" source=\"me\">" C ("memory", "64", "GiB") "</gpu>" TAIL,
    "2:1: ", "date" },
  { "wrong-date",
    HEAD "<gpu name=\"x\" title=\"X\" source=\"me\" date=\"2026-02-30\">" C ("memory",
                                                                             "64",
                                                                             "GiB") "</gpu>" TAIL,
    "2:37: ", "2026-02-30" },
  { "half-origin",
    HEAD GPU ("x", "<constant name=\"memory\" value=\"64\" unit=\"GiB\" source=\"me\"/>", "") TAIL,
    "8:1: ", "date" },
  { "peak-alone", HEAD GPU ("x", MEMORY, C ("peak-bf16", "100", "TFLOP/s")) TAIL,
    "2:1: ", "matrix-efficiency" },
  { "node-without-gpu", HEAD NODE ("x", "no-such-gpu") TAIL, "2:", "no-such-gpu" },
  { "map-of-others", HEAD GPU ("y", MEMORY, "") NODE_WITH ("x", "y", MAP ("")) TAIL, "",
    "4 GPUs and 1 NICs, but its map has 2 GPUs and 0 NICs" },
  { "two-maps", HEAD GPU ("y", MEMORY, "") NODE_WITH ("x", "y", MAP ("") MAP ("")) TAIL, "",
    "twice" },
  { "lame-map", HEAD GPU ("y", MEMORY, "") NODE_WITH ("x", "y", MAP ("<ring gpus=\"0 0\"/>")) TAIL,
    "", "" },
  { "half-a-layer", HEAD MODEL (C ("kv-heads", "1.5", "1")) TAIL, "", "whole" },
  { "kv-heads", HEAD MODEL (C ("kv-heads", "3", "1")) TAIL, "2:1: ", "divide" },
  { "top-k",
    HEAD MODEL (C ("kv-heads", "4", "1") C ("experts", "8", "1") C ("top-k", "9", "1")
                    C ("expert-ffn", "64", "1")) TAIL,
    "2:1: ", "top-k" },
  { "half-latent", HEAD MODEL (C ("kv-heads", "4", "1") C ("kv-rank", "8", "1")) TAIL,
    "2:1: ", "rope-dim" },
};

/* An invalid file gives an error with its position and adds no entry. */
static void
test_invalid_files (Fixture *fixture, gconstpointer data)
{
  int n = plg_catalogue_n_gpus (fixture->catalogue);

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", bad[i].name);
      g_assert_false (plg_catalogue_xml_read (fixture->catalogue, bad[i].text, strlen (bad[i].text),
                                              &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_true (g_str_has_prefix (error->message, bad[i].message));
      g_assert_nonnull (strstr (error->message, bad[i].contains));
    }
  g_assert_cmpint (plg_catalogue_n_gpus (fixture->catalogue), ==, n);
}

/* A valid entry before an invalid one is not added either. */
static void
test_whole_or_nothing (Fixture *fixture, gconstpointer data)
{
  const char *text = HEAD GPU ("mine", MEMORY, "") "<gpu/>" TAIL;
  g_autoptr (GError) error = NULL;

  g_assert_false (plg_catalogue_xml_read (fixture->catalogue, text, strlen (text), &error));
  g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
  g_assert_null (plg_catalogue_gpu (fixture->catalogue, "mine"));
}

static void
write_own (const char *name, const char *text)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "parallelogram", "catalogue",
                                              NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_own (const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "parallelogram", "catalogue",
                                            name, NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
remove_folders (void)
{
  g_autofree char *own = g_build_filename (g_get_user_data_dir (), "parallelogram", NULL);
  g_autofree char *folder = g_build_filename (own, "catalogue", NULL);

  g_rmdir (folder);
  g_rmdir (own);
  g_rmdir (g_get_user_data_dir ());
}

/* User files are loaded. A broken file is skipped with a warning and does not affect other files.
 * */
static void
test_own_files (void)
{
  g_autofree char *warnings = NULL;
  g_autoptr (PlgCatalogue) catalogue = NULL;

  write_own ("a.xml", HEAD GPU ("from-a", MEMORY, "") TAIL);
  write_own ("b.xml", HEAD "<gpu/>" TAIL);
  write_own ("c.xml", HEAD GPU ("h100-sxm-80", MEMORY, "") TAIL);
  write_own ("notes.txt", "no catalogue");
  catalogue = plg_catalogue_load (&warnings);
  g_assert_nonnull (plg_catalogue_gpu (catalogue, "from-a"));
  g_assert_cmpstr (plg_catalogue_gpu (catalogue, "h100-sxm-80")->title, ==, "Mine");
  g_assert_nonnull (strstr (warnings, "b.xml:2:1: "));
  g_assert_null (strstr (warnings, "a.xml"));
  g_assert_null (strstr (warnings, "notes.txt"));
  remove_own ("a.xml");
  remove_own ("b.xml");
  remove_own ("c.xml");
  remove_own ("notes.txt");
}

static void
test_no_warnings (void)
{
  char *warnings = (char *) "not set";
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (&warnings);

  g_assert_null (warnings);
  g_assert_nonnull (catalogue);
}

/* The command line answers in milliseconds and loads the catalogue in each call. The limit allows
 * for valgrind and busy machines; ./dev bench measures the real time. */
static void
test_fast (void)
{
  gint64 start = g_get_monotonic_time ();

  for (int i = 0; i < 20; i++)
    plg_catalogue_unref (plg_catalogue_load (NULL));
  g_test_message ("%.2f ms", (g_get_monotonic_time () - start) / 20e3);
  g_assert_cmpint ((g_get_monotonic_time () - start) / 20, <, 500000);
}

static void
test_default_plan (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);

  g_assert_cmpint (plg_plan_world (plan), ==, 64);
  g_assert_cmpstr (plan->model.name, ==, "llama3-70b");
  g_assert_cmpstr (plan->cluster.gpu.name, ==, "h100-sxm-80");
  g_assert_cmpfloat (plan->cluster.inter_bandwidth, ==, 50e9);
  g_assert_cmpfloat (plan->cluster.intra_bandwidth, ==, 450e9);
}

#define ADD(name, function) \
  g_test_add ("/catalogue/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("plg-catalogue-XXXXXX", NULL);
  int status;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  ADD ("names", test_names);
  ADD ("link-titles", test_link_titles);
  ADD ("sources", test_sources);
  ADD ("ranges", test_ranges);
  ADD ("known-values", test_known_values);
  ADD ("parameters", test_parameters);
  ADD ("schema", test_schema);
  ADD ("node-map", test_node_map);
  ADD ("host-memory", test_host_memory);
  ADD ("older-plan", test_older_plan);
  ADD ("default-plan", test_default_plan);
  ADD ("own-entries", test_own_entries);
  ADD ("long-source", test_long_source);
  ADD ("invalid-files", test_invalid_files);
  ADD ("whole-or-nothing", test_whole_or_nothing);
  g_test_add_func ("/catalogue/own-files", test_own_files);
  g_test_add_func ("/catalogue/no-warnings", test_no_warnings);
  g_test_add_func ("/catalogue/fast", test_fast);
  status = g_test_run ();
  remove_folders ();
  return status;
}
