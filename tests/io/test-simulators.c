/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/evaluate.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "syntax/json-reader.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <stdio.h>
#include <string.h>

/* Files for other simulators, written and read back: Calculon, ASTRA-sim, SimAI. */

typedef struct
{
  PlgCatalogue *catalogue;
  PlgPlan *plan;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->plan = plg_catalogue_default_plan (fixture->catalogue);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_plan_free (fixture->plan);
  plg_catalogue_unref (fixture->catalogue);
}

static char *
write_as (const PlgPlan *plan, const char *name, GError **error)
{
  PlgExportContext export = { .plan = plan };
  g_autoptr (GBytes) bytes = plg_format_write (plg_format_find (name), &export, error);

  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : NULL;
}

static PlgImportResult *
import (const Fixture *fixture, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "file", NULL, fixture->catalogue, error);
}

static void
apply (Fixture *fixture, const char *const *settings)
{
  g_autoptr (GError) error = NULL;

  plg_settings_apply (fixture->plan, fixture->catalogue, settings, &error);
  g_assert_no_error (error);
}

static const char *const plans[][10] = {
  { NULL },
  { "parallelism.tp=4", "parallelism.pp=4", "parallelism.dp=4", NULL },
  { "parallelism.tp=1", "parallelism.pp=1", "parallelism.dp=64", "parallelism.sequence=false",
    NULL },
  { "parallelism.pp=8", "parallelism.dp=1", "parallelism.zero=0", "parallelism.overlap-dp=false",
    NULL },
  { "parallelism.chunks=5", "training.recompute=full", NULL },
  { "training.recompute=none", "training.precision=fp32", "training.micro-batch=2", NULL },
  { "training.precision=fp16", "parallelism.overlap-tp=true", "training.kernels=eager", NULL },
  { "parallelism.zero=0", "parallelism.order=dp-tp-cp-pp", NULL },
};

/* The assertions of Calculon's loader (calculon/llm/llm.py, Llm.Execution). */
static void
assert_loads (const PlgJsonValue *root)
{
  static const char *const asked[] = {
    "training",
    "num_procs",
    "tensor_par",
    "pipeline_par",
    "data_par",
    "tensor_par_net",
    "pipeline_par_net",
    "data_par_net",
    "batch_size",
    "microbatch_size",
    "datatype",
    "fused_activation",
    "attention_type",
    "activation_recompute",
    "pipeline_interleaving",
    "optimizer_sharding",
    "tensor_par_comm_type",
    "tensor_par_overlap",
    "seq_par_ag_redo",
    "data_par_overlap",
    "weight_offload",
    "activations_offload",
    "optimizer_offload",
  };
  int tp = (int) plg_json_find (root, "tensor_par")->number;
  int pp = (int) plg_json_find (root, "pipeline_par")->number;
  int dp = (int) plg_json_find (root, "data_par")->number;
  gboolean gathers = g_str_equal (plg_json_find (root, "tensor_par_comm_type")->text, "rs_ag");

  g_assert_cmpint (root->n, ==, G_N_ELEMENTS (asked));
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    g_assert_nonnull (plg_json_find (root, asked[i]));
  g_assert_cmpint (tp * pp * dp, ==, (int) plg_json_find (root, "num_procs")->number);
  if (pp == 1)
    g_assert_cmpfloat (plg_json_find (root, "pipeline_interleaving")->number, ==, 1);
  if (dp == 1)
    {
      g_assert_cmpfloat (plg_json_find (root, "optimizer_sharding")->number, ==, 0);
      g_assert_cmpfloat (plg_json_find (root, "data_par_overlap")->number, ==, 0);
    }
  if (tp == 1)
    g_assert_cmpstr (plg_json_find (root, "tensor_par_overlap")->text, ==, "none");
  if (plg_json_find (root, "seq_par_ag_redo")->number != 0.0)
    {
      g_assert_true (gathers);
      g_assert_cmpstr (plg_json_find (root, "activation_recompute")->text, !=, "full");
    }
}

static const char *const kept[] = {
  "parallelism.tp",       "parallelism.pp",        "parallelism.dp",     "parallelism.chunks",
  "training.micro-batch", "training.global-batch", "training.recompute", "training.schedule",
};

static void
test_calculon (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      g_autoptr (PlgImportResult) read = NULL;
      g_autoptr (PlgJson) json = NULL;

      plg_plan_assign (fixture->plan, plan);
      apply (fixture, plans[i]);
      text = write_as (fixture->plan, "calculon", &error);
      g_assert_no_error (error);
      json = plg_json_read (text, strlen (text), NULL);
      assert_loads (plg_json_root (json));
      read = import (fixture, text, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (read->format->name, ==, "calculon");
      for (guint j = 0; j < G_N_ELEMENTS (kept); j++)
        {
          g_autofree char *before = plg_setting_get (plg_setting_find (kept[j]), fixture->plan);
          g_autofree char *after = plg_setting_get (plg_setting_find (kept[j]), read->plan);

          g_assert_cmpstr (after, ==, before);
        }
    }
}

/* Network 0 is inside a node and 1 between nodes. */
static void
test_nets (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = write_as (fixture->plan, "calculon", NULL);
  g_autofree char *second = NULL;

  g_assert_nonnull (strstr (first, "\"tensor_par_net\": 0"));
  g_assert_nonnull (strstr (first, "\"data_par_net\": 1"));
  apply (fixture, (const char *const[]) { "parallelism.order=dp-tp-cp-pp", NULL });
  second = write_as (fixture->plan, "calculon", NULL);
  g_assert_nonnull (strstr (second, "\"tensor_par_net\": 1"));
  g_assert_nonnull (strstr (second, "\"data_par_net\": 0"));
}

static const struct
{
  const char *format;
  const char *settings[4];
  const char *error;
} impossible[] = {
  { "calculon", { "parallelism.cp=2", "parallelism.pp=2" }, "CP" },
  { "calculon", { "model.name=mixtral-8x7b" }, "experts" },
  { "calculon", { "parallelism.zero=3" }, "ZeRO" },
  { "calculon", { "parallelism.first-layers=11" }, "parallelism.first-layers" },
  { "calculon", { "parallelism.last-layers=8" }, "parallelism.last-layers" },
  { "calculon", { "parallelism.embedding-slot=true" }, "parallelism.embedding-slot" },
  { "calculon", { "parallelism.loss-slot=true" }, "parallelism.loss-slot" },
  { "calculon", { "training.schedule=gpipe" }, "schedule" },
  { "calculon", { "training.precision=fp8" }, "FP8" },
  { "calculon-model", { "model.name=deepseek-v3" }, "experts" },
  { "calculon-model", { "model.name=llama2-7b" }, "two matrices" },
  { "calculon-model", { "model.gated=false" }, "KV heads" },
  { "calculon-model",
    { "model.name=gpt3-175b", "model.window=512" },
    "the program gives every layer full attention; set model.window to 0." },
  { "astra-sim", { "cluster.faults=gpu:3=0.5" }, "slow or broken" },
  { "simai", { "cluster.faults=nic:0.1=0" }, "1 part is slow or broken" },
  { "simai", { "cluster.faults=nic:0.1=0,gpu:3=0.5" }, "2 parts are slow or broken" },
  { "simai", { "cluster.intra=pcie" }, "NVSwitch" },
};

static void
test_impossible (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      plg_plan_assign (fixture->plan, plan);
      apply (fixture, impossible[i].settings);
      text = write_as (fixture->plan, impossible[i].format, &error);
      if (text != NULL || strstr (error->message, impossible[i].error) == NULL)
        g_error ("%s, %s: %s", impossible[i].format, impossible[i].settings[0],
                 text != NULL ? "written" : error->message);
      g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
    }
}

/* Only a plan file keeps ranks that were moved by hand. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  static const char *const formats[] = { "astra-sim", "simai", "calculon" };

  g_assert_true (plg_edit_swap_ranks (fixture->plan, 0, 9, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (write_as (fixture->plan, formats[i], &error));
      g_assert_nonnull (strstr (error->message, "moved by hand"));
    }
}

static void
test_calculon_model (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "gpt3-175b", "megatron-1t", "megatron-22b" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *setting = g_strconcat ("model.name=", names[i], NULL);
      g_autofree char *text = NULL;
      g_autoptr (PlgImportResult) read = NULL;
      g_autoptr (GError) error = NULL;
      const PlgTransformer *before = &fixture->plan->model, *after;

      apply (fixture, (const char *const[]) { setting, "training.sequence=2048", NULL });
      text = write_as (fixture->plan, "calculon-model", &error);
      g_assert_no_error (error);
      read = import (fixture, text, &error);
      g_assert_no_error (error);
      after = &read->plan->model;
      g_assert_cmpstr (read->format->name, ==, "calculon-model");
      g_assert_cmpint (after->layers, ==, before->layers);
      g_assert_cmpint (after->hidden, ==, before->hidden);
      g_assert_cmpint (after->ffn, ==, before->ffn);
      g_assert_cmpint (after->heads, ==, before->heads);
      g_assert_cmpint (after->kv_heads, ==, before->kv_heads);
      g_assert_cmpint (after->head_dim, ==, before->head_dim);
      g_assert_cmpint (after->vocabulary, ==, 51200);
      g_assert_false (after->gated || after->rms_norm);
      g_assert_cmpint (read->plan->training.sequence, ==, 2048);
    }
}

static const struct
{
  const char *text;
  const char *error;
} broken[] = {
  { "{\"tensor_par\": 8", "file:1: The file ends before" },
  { "{\"tensor_par\": \"8\"}", "file:1: tensor_par is “8”; it must be a whole number." },
  { "{\n\"tensor_par\": 0}", "file:2: tensor_par: " },
  { "{\"tensor_par\": 1e9}", "file:1: tensor_par: " },
  { "{\"tensor_par\": 8, \"pipeline_par\": 4, \"data_par\": 2,\n\"num_procs\": 65}",
    "file:2: num_procs is 65, but the product of the degrees is 64; change one." },
  { "{\"tensor_par\": 8,\n\"activation_recompute\": \"some\"}",
    "file:2: activation_recompute is “some”; it must be one of: none, attn_only, full." },
  { "{\"tensor_par\": 8,\n\"activation_recompute\": true}",
    "file:2: activation_recompute is true; it must be a string" },
  { "{\"tensor_par\": 8,\n\"optimizer_sharding\": 1}",
    "file:2: optimizer_sharding is 1; it must be true or false." },
  { "{\"tensor_par\": 8,\n\"pipeline_interleaving\": 0}", "file:2: pipeline_interleaving: " },
  { "{\"tensor_par\": 8,\n\"tensor_par\": 4}", "file:2: tensor_par occurs twice, first on line" },
  { "{\"num_blocks\": 96}", "file:1: hidden is missing" },
  { "{\"num_blocks\": 96,\n\"hidden\": -5}", "file:2: hidden: " },
  { "{\"num_blocks\": 96,\n\"hidden\": [1]}", "file:2: hidden is a list" },
};

static void
test_broken (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, broken[i].text, &error);

      if (read != NULL || !g_str_has_prefix (error->message, broken[i].error))
        g_error ("%s: %s", broken[i].text, read != NULL ? "read" : error->message);
    }
}

/* Multiplies the numbers of the list in the line "NAME: [ 1, 2 ]". */
static int
product_of (const char *text, const char *name)
{
  const char *p = strstr (text, name);
  int product = 1;

  for (p = strchr (p, '['); *p != ']'; p++)
    if (g_ascii_isdigit (*p))
      product *= (int) g_ascii_strtoll (p, (char **) &p, 10);
  return product;
}

static void
test_astra_sim (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = write_as (fixture->plan, "astra-sim", NULL);
  g_autofree char *system = write_as (fixture->plan, "astra-sim-system", NULL);
  g_autofree char *large = NULL, *single = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (strstr (text, "\ntopology: [ Switch, Switch ]\nnpus_count: [ 8, 8 ]\n"));
  g_assert_nonnull (strstr (text, "\nbandwidth: [ 366.75, 45.65 ]  # GB/s\n"));
  g_assert_nonnull (strstr (system, "\"local-mem-bw\": 3350"));
  /* Units of 32 nodes under spines. */
  apply (fixture, (const char *const[]) { "cluster.nodes=64", "cluster.oversubscription=2",
                                          "training.global-batch=1024", NULL });
  large = write_as (fixture->plan, "astra-sim", NULL);
  g_assert_nonnull (strstr (large, "npus_count: [ 8, 32, 2 ]"));
  g_assert_nonnull (strstr (large, "45.65, 22.825 ]"));
  g_assert_cmpint (product_of (large, "npus_count"), ==, 512);
  apply (fixture, (const char *const[]) { "cluster.nodes=33", "parallelism.pp=1",
                                          "training.global-batch=1056", NULL });
  g_assert_null (write_as (fixture->plan, "astra-sim", &error));
  g_assert_nonnull (strstr (error->message, "33 nodes do not fill units of 32"));
  apply (fixture, (const char *const[]) { "cluster.nodes=1", "parallelism.pp=1",
                                          "cluster.intra=mesh", "cluster.intra-efficiency=1",
                                          "cluster.intra-bandwidth=350", NULL });
  single = write_as (fixture->plan, "astra-sim", NULL);
  g_assert_nonnull (strstr (single, "topology: [ FullyConnected ]"));
  g_assert_nonnull (strstr (single, "bandwidth: [ 50 ]"));
}

/* SimAI's reader accepts the file: the numbers of vertices and links match, and each GPU has its
 * NVSwitch and its leaf. */
static void
test_simai (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = write_as (fixture->plan, "simai", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) switches = g_strsplit (lines[1], " ", -1);
  int vertices, per_node, nvswitches, others, links, degree[256] = { 0 }, n = 0;
  char gpu[16];

  g_assert_cmpint (sscanf (lines[0], "%d %d %d %d %d %15s", &vertices, &per_node, &nvswitches,
                           &others, &links, gpu),
                   ==, 6);
  g_assert_cmpstr (gpu, ==, "H100");
  g_assert_cmpint (vertices, ==, 64 + nvswitches + others);
  g_assert_cmpint ((int) g_strv_length (switches), ==, nvswitches + others);
  for (int i = 2; *lines[i] != '\0'; i++, n++)
    {
      int from, to, failing;
      double rate, delay;

      g_assert_cmpint (sscanf (lines[i], "%d %d %lfGbps %lfms %d", &from, &to, &rate, &delay,
                               &failing),
                       ==, 5);
      g_assert_true (from >= 0 && from < to && to < vertices && rate > 0 && delay >= 0);
      degree[from]++;
      if (from < 64 && to < 72)
        g_assert_cmpint (to, ==, 64 + from / per_node);
      else if (from < 64)
        g_assert_cmpint (to, ==, 72 + from % per_node); /* its rail */
    }
  g_assert_cmpint (n, ==, links);
  for (int i = 0; i < 64; i++)
    g_assert_cmpint (degree[i], ==, 2);
}

/* Returns the number after KIND in the section AXIS; -1 for null. */
static double
bandwidth_of (const char *text, const char *axis, const char *kind)
{
  const char *section = strstr (text, axis);
  const char *line = strstr (section, kind) + strlen (kind);
  double value = -1.0;

  if (sscanf (line, ": %lf", &value) != 1)
    g_assert_true (g_str_has_prefix (line, ": null\n"));
  return value;
}

/* SimAI's reader accepts the file: a skipped first line, sections, names, and numbers or null. The
 * links reach 81.5 % of 450 GB/s (more with NVLink SHARP) and 91.3 % of 50 GB/s. */
static void
test_simai_busbw (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = write_as (fixture->plan, "simai-busbw", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_true (*lines[0] == '#');
  g_assert_cmpstr (lines[1], ==, "TP:");
  g_assert_cmpstr (lines[6], ==, "DP:");
  g_assert_cmpstr (lines[11], ==, "EP:");
  g_assert_cmpstr (lines[16], ==, "PP:");
  g_assert_cmpfloat_with_epsilon (bandwidth_of (text, "TP:", "allgather"), 366.75, 1.0);
  g_assert_cmpfloat_with_epsilon (bandwidth_of (text, "TP:", "allreduce"), 476.0, 5.0);
  g_assert_cmpfloat_with_epsilon (bandwidth_of (text, "DP:", "allgather"), 45.65, 0.1);
  g_assert_cmpfloat_with_epsilon (bandwidth_of (text, "DP:", "reducescatter"), 45.65, 0.1);
  g_assert_cmpfloat_with_epsilon (bandwidth_of (text, "PP:", "busbw"), 45.65, 0.1);
  g_assert_cmpfloat (bandwidth_of (text, "EP:", "alltoall"), ==, -1.0);
}

/* SimAI gets the bandwidths that nccl-tests measured with one GPU per node. */
static void
test_simai_measured (Fixture *fixture, gconstpointer data)
{
  static const char measured
      [] = "$ mpirun -np 2 all_gather_perf -b 1G -e 1G -g 1\n"
           "# nThread 1 nGpus 1 minBytes 1073741824 maxBytes 1073741824 step: 2(factor)\n"
           "#  Rank  0 Group  0 Pid 1 on node0 device  0 [0x1b] NVIDIA H100 80GB HBM3\n"
           "#  Rank  1 Group  0 Pid 2 on node1 device  0 [0x1b] NVIDIA H100 80GB HBM3\n"
           "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
           "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)\n"
           "  1073741824     134217728     float    none      -1  13421.8   80.00   40.00      0\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (measured, strlen (measured));
  g_autoptr (PlgImportResult) read = plg_format_read (bytes, "all_gather_perf.txt", fixture->plan,
                                                      fixture->catalogue, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = write_as (read->plan, "simai-busbw", NULL);
  g_assert_cmpfloat_with_epsilon (bandwidth_of (text, "DP:", "allgather"), 40.0, 0.1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/simulators/calculon", Fixture, NULL, set_up, test_calculon, tear_down);
  g_test_add ("/simulators/nets", Fixture, NULL, set_up, test_nets, tear_down);
  g_test_add ("/simulators/impossible", Fixture, NULL, set_up, test_impossible, tear_down);
  g_test_add ("/simulators/moved", Fixture, NULL, set_up, test_moved, tear_down);
  g_test_add ("/simulators/calculon-model", Fixture, NULL, set_up, test_calculon_model, tear_down);
  g_test_add ("/simulators/broken", Fixture, NULL, set_up, test_broken, tear_down);
  g_test_add ("/simulators/astra-sim", Fixture, NULL, set_up, test_astra_sim, tear_down);
  g_test_add ("/simulators/simai", Fixture, NULL, set_up, test_simai, tear_down);
  g_test_add ("/simulators/simai-busbw", Fixture, NULL, set_up, test_simai_busbw, tear_down);
  g_test_add ("/simulators/simai-measured", Fixture, NULL, set_up, test_simai_measured, tear_down);
  return g_test_run ();
}
