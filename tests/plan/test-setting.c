/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/quantity.h"
#include "plan/settings/setting-applicability.h"
#include "plan/settings/setting-describe.h"
#include "plan/settings/setting-name.h"
#include "plan/settings/setting.h"

#include <string.h>

typedef struct
{
  PlgPlan *plan;
  PlgCatalogue *catalogue;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = sample_catalogue ();
  fixture->plan = sample_plan ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_plan_free (fixture->plan);
  plg_catalogue_unref (fixture->catalogue);
}

static char *
value_of (const PlgPlan *plan, const char *key)
{
  const PlgSetting *setting = plg_setting_find (key);

  g_assert_nonnull (setting);
  return plg_setting_get (setting, plan);
}

#define assert_value(plan, key, expected)           \
  G_STMT_START                                      \
  {                                                 \
    g_autofree char *value_ = value_of (plan, key); \
    g_assert_cmpstr (value_, ==, expected);         \
  }                                                 \
  G_STMT_END

/* Users script these keys, so they must never disappear. */
static const char *const scripted[] = {
  "cluster.nodes",
  "cluster.gpus-per-node",
  "cluster.gpu",
  "cluster.intra-bandwidth",
  "cluster.inter-bandwidth",
  "cluster.memory",
  "cluster.memory-bandwidth",
  "cluster.peak",
  "cluster.oversubscription",
  "model.name",
  "model.layers",
  "model.hidden",
  "model.ffn",
  "model.gated",
  "model.heads",
  "model.kv-heads",
  "model.head-dim",
  "model.vocabulary",
  "model.tied",
  "model.experts",
  "model.top-k",
  "model.expert-ffn",
  "model.shared-experts",
  "model.dense-layers",
  "training.sequence",
  "training.micro-batch",
  "training.global-batch",
  "training.precision",
  "training.recompute",
  "training.recompute-modules",
  "training.schedule",
  "training.flash-attention",
  "training.gradient-precision",
  "training.optimizer",
  "training.dropout",
  "training.bf16-first-layers",
  "training.bf16-last-layers",
  "training.muon-steps",
  "training.muon-tp",
  "training.offload-optimizer",
  "training.offload-layers",
  "training.offload-weights",
  "training.reduce-precision",
  "cluster.host-bandwidth",
  "cluster.host-memory",
  "cluster.host-memory-bandwidth",
  "parallelism.tp",
  "parallelism.cp",
  "parallelism.ep",
  "parallelism.pp",
  "parallelism.dp",
  "parallelism.etp",
  "parallelism.cp-type",
  "parallelism.chunks",
  "parallelism.first-layers",
  "parallelism.last-layers",
  "parallelism.embedding-slot",
  "parallelism.loss-slot",
  "parallelism.zero",
  "parallelism.replicate",
  "parallelism.sequence",
  "parallelism.order",
  "parallelism.overlap-dp",
  "parallelism.overlap-tp",
  "parallelism.overlap-pp",
  "parallelism.overlap-ep",
  "parallelism.dispatcher",
  "training.kernels",
  "training.expert-load",
  "model.moe-every",
  "model.expert-groups",
  "model.top-groups",
  "model.window",
  "model.window-chunked",
  "model.full-attention-every",
  "model.attention-gate",
  "model.mixer",
  "model.attention-layers",
  "model.mlp-layers",
  "model.mixer-heads",
  "model.mixer-head-dim",
  "model.mixer-groups",
  "model.mixer-state",
  "model.mixer-conv",
  "engine.profile",
};

static void
test_keys_exist (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (scripted); i++)
    g_assert_nonnull (plg_setting_find (scripted[i]));
  g_assert_null (plg_setting_find ("cluster"));
  g_assert_null (plg_setting_find (""));
}

static void
test_table_is_valid (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (PlgPlan) plan = sample_plan ();
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_assert_true (g_hash_table_add (seen, (gpointer) settings[i].key));
      g_assert_nonnull (settings[i].title);
      g_assert_nonnull (settings[i].help);
      g_assert_cmpuint (settings[i].offset, <, sizeof (PlgPlan));
      g_assert_cmpfloat (settings[i].minimum, <=, settings[i].maximum);
      g_assert_cmpint (settings[i].kind == PLG_SETTING_CHOICE, ==, settings[i].choices != NULL);
      if (settings[i].kind == PLG_SETTING_CHOICE)
        g_assert_cmpint (plg_setting_get_number (&settings[i], plan), >=, 0);
    }
}

/* All values as text, set in order, make the same plan; the plan file relies on this. */
static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  static const char *const changes[] = {
    "cluster.gpu=mi300x-192",
    "cluster.inter-bandwidth=12.345",
    "cluster.intra-latency=1.7",
    "cluster.memory=63.9999",
    "model.name=mixtral-8x7b",
    "model.vocabulary=32003",
    "training.tokens=1.23456e13",
    "training.gradient-precision=bf16",
    "training.recompute-modules=norm+experts",
    "parallelism.tp=2",
    "parallelism.ep=4",
    "parallelism.order=tp-dp-pp",
    "parallelism.cp-type=ulysses",
    "cluster.peak=989.4321",
    "cluster.oversubscription=1.5",
    "cluster.intra-efficiency=.1",
    "view.show=memory",
    "view.link-color=time",
    "view.rings=true",
    "view.pairs=traffic",
    "engine.profile=handbook",
    NULL,
  };
  g_autoptr (PlgPlan) other = plg_plan_new ();
  g_autoptr (GError) error = NULL;
  int n;
  const PlgSetting *settings = plg_settings (&n);

  plg_settings_apply (fixture->plan, fixture->catalogue, changes, &error);
  g_assert_no_error (error);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *value = plg_setting_get (&settings[i], fixture->plan);

      plg_setting_set (other, fixture->catalogue, settings[i].key, value, &error);
      g_assert_no_error (error);
    }
  g_free (other->title);
  other->title = g_strdup (fixture->plan->title);
  g_assert_true (plg_plan_equal (other, fixture->plan));
}

/* Writing and reading changes no number that a plan can have. */
static void
test_number_round_trip (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[] = { "cluster.intra-bandwidth", "cluster.memory", "cluster.peak",
                                      "cluster.intra-latency" };
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (int i = 0; i < 20000; i++)
    {
      const PlgSetting *setting = plg_setting_find (keys[i % G_N_ELEMENTS (keys)]);
      double *member = G_STRUCT_MEMBER_P (fixture->plan, setting->offset);
      double value = g_rand_double_range (random, 0.01, 1000) * setting->scale;
      g_autofree char *text = NULL;

      *member = value;
      text = plg_setting_get (setting, fixture->plan);
      *member = 0;
      g_assert_true (plg_setting_set (fixture->plan, NULL, setting->key, text, NULL));
      g_assert_cmpfloat (*member, ==, value);
    }
}

typedef struct
{
  const char *key;
  const char *value;
  const char *expected; /* the value that is read */
} Good;

static const Good good[] = {
  { "cluster.nodes", "16384", "16384" },
  { "cluster.nodes", "1", "1" },
  { "cluster.nodes", "007", "7" },
  { "cluster.intra-bandwidth", "450", "450" },
  { "cluster.intra-bandwidth", "4.5e2", "450" },
  { "cluster.intra-bandwidth", "4.5E+2", "450" },
  { "cluster.intra-bandwidth", "45000e-2", "450" },
  { "cluster.intra-bandwidth", ".5", "0.5" },
  { "cluster.intra-bandwidth", "5.", "5" },
  { "cluster.intra-latency", "3.4", "3.4" },
  { "cluster.intra-latency", "0", "0" },
  { "cluster.intra-latency", "-0", "0" },
  { "cluster.memory", "79.6474609375", "79.6474609375" },
  { "cluster.peak", "0", "0" },
  { "cluster.peak", "989.4", "989.4" },
  { "cluster.rdma", "false", "false" },
  { "cluster.intra", "mesh", "mesh" },
  { "cluster.gpu", "a100-sxm-80", "a100-sxm-80" },
  { "cluster.node", "custom", "custom" },
  { "model.name", "custom", "custom" },
  { "model.name", "gpt3-175b", "gpt3-175b" },
  { "training.schedule", "zb-h1", "zb-h1" },
  { "training.gradient-precision", "bf16", "bf16" },
  { "training.gradient-precision", "fp32", "fp32" },
  { "training.optimizer", "adam-8bit", "adam-8bit" },
  { "training.optimizer", "muon", "muon" },
  { "training.dropout", "off", "off" },
  { "training.bf16-first-layers", "3", "3" },
  { "training.bf16-last-layers", "12", "12" },
  { "training.muon-steps", "8", "8" },
  { "training.muon-tp", "distributed", "distributed" },
  { "training.offload-optimizer", "0.25", "0.25" },
  { "training.offload-layers", "12", "12" },
  { "training.offload-weights", "true", "true" },
  { "training.reduce-precision", "bf16", "bf16" },
  { "training.optimizer", "adam", "adam" },
  { "training.recompute-modules", "", "" },
  { "training.recompute-modules", "experts+norm+mla-up+norm", "norm+mla-up+experts" },
  { "training.tokens", "1e18", "1000000000000000000" },
  { "parallelism.zero", "3", "3" },
  { "parallelism.order", "tp-pp-dp", "tp-cp-pp-dp" },
  { "engine.profile", "notebook", "notebook" },
};

static void
test_accepted_values (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;

      plg_setting_set (fixture->plan, fixture->catalogue, good[i].key, good[i].value, &error);
      g_assert_no_error (error);
      assert_value (fixture->plan, good[i].key, good[i].expected);
    }
}

typedef struct
{
  const char *key;
  const char *value;
  PlgPlanError code;
  const char *hint; /* the remedy in the message */
} Bad;

#define INTEGER_RANGE "a whole number from 1 to 16384"
#define NUMBER_RANGE "a number from 0.001 to 1000000 GB/s"

static const Bad bad[] = {
  { "cluster.nodes", "0", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "-1", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "1000000000000000000", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "99999999999999999999999999", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "4294967297", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "8x", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", " 8", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "8 ", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "8.0", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "1e3", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "0x10", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "٨", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.nodes", "nan", PLG_PLAN_ERROR_RANGE, INTEGER_RANGE },
  { "cluster.intra-bandwidth", "nan", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "inf", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "-inf", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "infinity", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1e400", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1e-400", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1e99999999999999999999", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1000000000000000000", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "0", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "-450", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", ".", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "-", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "e5", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1e", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1e+", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "1e+-2", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "4,5", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "450 GB/s", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "0x1p9", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "450\n", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-bandwidth", "\xff\xfe", PLG_PLAN_ERROR_RANGE, NUMBER_RANGE },
  { "cluster.intra-efficiency", "1.5", PLG_PLAN_ERROR_RANGE, "from 0.01 to 1" },
  { "cluster.rdma", "yes", PLG_PLAN_ERROR_RANGE, "true or false" },
  { "cluster.rdma", "TRUE", PLG_PLAN_ERROR_RANGE, "true or false" },
  { "cluster.rdma", "", PLG_PLAN_ERROR_RANGE, "true or false" },
  { "training.precision", "int8", PLG_PLAN_ERROR_RANGE, "bf16, fp16, fp8, fp4, fp32" },
  { "training.fp8-recipe", "rowwise", PLG_PLAN_ERROR_RANGE,
    "auto, delayed, current, blockwise, mxfp8" },
  { "training.gradient-precision", "fp8", PLG_PLAN_ERROR_RANGE, "fp32, bf16" },
  { "training.offload-optimizer", "1.1", PLG_PLAN_ERROR_RANGE, "from 0 to 1" },
  { "training.optimizer", "lion", PLG_PLAN_ERROR_RANGE, "adam, adam-bf16, adam-8bit, muon" },
  { "training.muon-steps", "0", PLG_PLAN_ERROR_RANGE, "1" },
  { "training.schedule", "", PLG_PLAN_ERROR_RANGE, "gpipe, 1f1b, interleaved" },
  { "training.recompute-modules", "norm+mla", PLG_PLAN_ERROR_RANGE, "norm, mla-up, activation" },
  { "training.recompute-modules", "norm+", PLG_PLAN_ERROR_RANGE, "no module “”" },
  { "training.recompute-modules", "norm mlp", PLG_PLAN_ERROR_RANGE, "no module “norm mlp”" },
  { "training.recompute-modules", "\xff\xfe", PLG_PLAN_ERROR_RANGE, "mlp, experts" },
  { "parallelism.zero", "4", PLG_PLAN_ERROR_RANGE, "from 0 to 3" },
  { "parallelism.order", "tp-tp", PLG_PLAN_ERROR_RANGE, "tp-cp-pp-dp" },
  { "cluster.gpu", "h9000", PLG_PLAN_ERROR_KEY, "h100-sxm-80, a100-sxm-80" },
  { "cluster.gpu", "", PLG_PLAN_ERROR_KEY, "h100-sxm-80, a100-sxm-80" },
  /* The constants of a custom GPU could not be saved. */
  { "cluster.gpu", "custom", PLG_PLAN_ERROR_KEY, "h100-sxm-80, a100-sxm-80" },
  { "cluster.node", "dgx", PLG_PLAN_ERROR_KEY, "hgx-h100" },
  { "model.name", "Llama", PLG_PLAN_ERROR_KEY, "llama3-70b, gpt3-175b" },
  { "cluster.nods", "8", PLG_PLAN_ERROR_KEY, "cluster.nodes" },
  { "nodes", "8", PLG_PLAN_ERROR_KEY, "cluster.nodes" },
  { "", "8", PLG_PLAN_ERROR_KEY, "parallelism.tp" },
  { "CLUSTER.NODES", "8", PLG_PLAN_ERROR_KEY, "cluster.nodes" },
};

static void
test_refused_values (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) before = plg_plan_copy (fixture->plan);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (plg_setting_set (fixture->plan, fixture->catalogue, bad[i].key, bad[i].value,
                                       &error));
      g_assert_error (error, PLG_PLAN_ERROR, bad[i].code);
      g_assert_nonnull (strstr (error->message, bad[i].hint));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_null (strchr (error->message, '\n'));
      g_assert_true (plg_plan_equal (fixture->plan, before));
    }
}

/* A message has a limited length. */
static void
test_long_value (Fixture *fixture, gconstpointer data)
{
  g_autofree char *value = g_strnfill (1 << 20, '9');
  g_autoptr (GError) error = NULL;

  g_assert_false (plg_setting_set (fixture->plan, NULL, "cluster.peak", value, &error));
  g_assert_cmpuint (strlen (error->message), <, 200);
  g_clear_error (&error);
  g_assert_false (plg_setting_set (fixture->plan, NULL, value, "1", &error));
  g_assert_cmpuint (strlen (error->message), <, 4000);
}

static void
test_gpu_sets_all (Fixture *fixture, gconstpointer data)
{
  const PlgCluster *cluster = &fixture->plan->cluster;

  g_assert_true (plg_setting_set (fixture->plan, fixture->catalogue, "cluster.peak", "5", NULL));
  g_assert_true (plg_setting_set (fixture->plan, fixture->catalogue, "cluster.gpu", "mi300x-192",
                                  NULL));
  g_assert_cmpstr (cluster->gpu.title, ==, "MI300X");
  g_assert_cmpfloat (cluster->memory, ==, 191.98 * PLG_GIB);
  g_assert_cmpfloat (cluster->peak, ==, 0);
  assert_value (fixture->plan, "cluster.intra-bandwidth", "448");
  /* The GPU brings its links, the network stays, and the node becomes custom. */
  assert_value (fixture->plan, "cluster.intra", "mesh");
  assert_value (fixture->plan, "cluster.intra-efficiency", "0.7");
  assert_value (fixture->plan, "cluster.inter-bandwidth", "50");
  assert_value (fixture->plan, "cluster.nodes", "8");
  assert_value (fixture->plan, "cluster.node", "custom");

  /* A GPU without direct links selects PCIe; a GPU with links selects its links again. */
  g_assert_true (plg_setting_set (fixture->plan, fixture->catalogue, "cluster.gpu", "l40s-48",
                                  NULL));
  assert_value (fixture->plan, "cluster.intra", "pcie");
  assert_value (fixture->plan, "cluster.intra-bandwidth", "31");
  g_assert_true (plg_setting_set (fixture->plan, fixture->catalogue, "cluster.gpu", "h100-sxm-80",
                                  NULL));
  assert_value (fixture->plan, "cluster.intra", "nvswitch");
}

static void
test_node_sets_all (Fixture *fixture, gconstpointer data)
{
  g_assert_true (plg_setting_set (fixture->plan, fixture->catalogue, "cluster.node", "pcie-box",
                                  NULL));
  assert_value (fixture->plan, "cluster.node", "pcie-box");
  assert_value (fixture->plan, "cluster.gpu", "l40s-48");
  assert_value (fixture->plan, "cluster.intra", "pcie");
  assert_value (fixture->plan, "cluster.nics-per-node", "2");
  assert_value (fixture->plan, "cluster.inter-bandwidth", "12.5");
  assert_value (fixture->plan, "cluster.nodes", "8");
}

/* A changed model keeps the name of the catalogue as its origin. */
static void
test_model_sets_all (Fixture *fixture, gconstpointer data)
{
  static const char *const changes[] = { "model.name=gpt3-175b", "model.layers=48", NULL };
  g_autoptr (GError) error = NULL;

  plg_settings_apply (fixture->plan, fixture->catalogue, changes, &error);
  g_assert_no_error (error);
  assert_value (fixture->plan, "model.name", "gpt3-175b");
  assert_value (fixture->plan, "model.layers", "48");
  assert_value (fixture->plan, "model.heads", "96");
  assert_value (fixture->plan, "model.tied", "true");
}

typedef struct
{
  const char *assignments; /* separated by spaces */
  const char *key;
  const char *value;
} ApplyCase;

static const ApplyCase applied[] = {
  /* DP follows from the other degrees */
  { "parallelism.tp=4", "parallelism.dp", "4" },
  { "parallelism.tp=4 parallelism.pp=2", "parallelism.dp", "8" },
  { "parallelism.cp=2", "parallelism.dp", "1" },
  { "cluster.nodes=16", "parallelism.dp", "4" },
  { "parallelism.tp=4 parallelism.dp=4", "parallelism.dp", "4" },
  { "parallelism.dp=4 parallelism.tp=4", "parallelism.tp", "4" },
  /* schedule and chunks follow each other */
  { "parallelism.chunks=2", "training.schedule", "interleaved" },
  { "training.schedule=interleaved", "parallelism.chunks", "2" },
  { "training.schedule=interleaved parallelism.chunks=5", "parallelism.chunks", "5" },
  { "parallelism.chunks=2 training.schedule=interleaved", "parallelism.chunks", "2" },
  { "training.schedule=gpipe", "parallelism.chunks", "1" },
  { "training.schedule=zb-v", "parallelism.chunks", "1" },
  { "training.schedule=zb-v parallelism.chunks=2", "parallelism.chunks", "2" },
  { "training.schedule=dualpipe", "parallelism.chunks", "1" },
  /* a GPU without BF16 or FP8 gets the next precision that it supports */
  { "cluster.gpu=v100-sxm-32", "training.precision", "fp16" },
  { "training.precision=fp8 cluster.gpu=h100-sxm-80", "training.precision", "fp8" },
  { "cluster.gpu=a100-sxm-80", "training.precision", "bf16" },
  /* a peak set by hand needs no unit of the GPU */
  { "training.precision=fp8 cluster.gpu=a100-sxm-80 cluster.peak=600", "cluster.peak", "600" },
  /* layers set by hand are valid for one PP and one number of layers */
  { "parallelism.first-layers=19 parallelism.tp=4", "parallelism.first-layers", "19" },
  { "parallelism.first-layers=19 parallelism.pp=2", "parallelism.first-layers", "19" },
  /* experts */
  { "model.name=mixtral-8x7b parallelism.ep=8", "parallelism.ep", "8" },
  { "model.name=mixtral-8x7b parallelism.ep=8 model.name=gpt3-175b parallelism.ep=1",
    "parallelism.ep", "1" },
  /* hosts that do not divide a node of another size become one host; another node type has its
   * own hosts */
  { "cluster.gpus-per-host=4", "cluster.gpus-per-host", "4" },
  { "cluster.gpus-per-host=2 cluster.gpus-per-node=4 parallelism.tp=4", "cluster.gpus-per-host",
    "2" },
  { "cluster.gpus-per-host=4 cluster.node=hgx-h100", "cluster.gpus-per-host", "0" },
  /* the same key twice: the last one holds */
  { "training.sequence=4096 training.sequence=2048", "training.sequence", "2048" },
};

static void
test_apply (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (applied); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_copy (fixture->plan);
      g_auto (GStrv) assignments = g_strsplit (applied[i].assignments, " ", -1);
      g_autoptr (GError) error = NULL;

      plg_settings_apply (plan, fixture->catalogue, (const char *const *) assignments, &error);
      g_assert_no_error (error);
      assert_value (plan, applied[i].key, applied[i].value);
      g_assert_true (plg_plan_check (plan, NULL));
    }
}

/* The value was set before, but not together with the smaller node. */
static void
test_apply_hosts (Fixture *fixture, gconstpointer data)
{
  const char *const hosts[] = { "cluster.gpus-per-host=4", NULL };
  const char *const smaller[] = { "cluster.gpus-per-node=6", "parallelism.tp=2",
                                  "training.global-batch=72", NULL };

  g_assert_true (plg_settings_apply (fixture->plan, fixture->catalogue, hosts, NULL));
  g_assert_cmpint (plg_cluster_hosts (&fixture->plan->cluster), ==, 16);
  g_assert_true (plg_settings_apply (fixture->plan, fixture->catalogue, smaller, NULL));
  assert_value (fixture->plan, "cluster.gpus-per-host", "0");
  g_assert_cmpint (plg_cluster_hosts (&fixture->plan->cluster), ==, 8);
}

static void
test_apply_shares_layers_out (Fixture *fixture, gconstpointer data)
{
  static const char *const by_hand[] = { "parallelism.last-layers=17", NULL };
  static const char *const kept[] = { "parallelism.tp=4", "model.vocabulary=32000", NULL };
  static const char *const other_pp[] = { "parallelism.pp=2", NULL };
  static const char *const other_model[] = { "model.name=gpt3-175b", NULL };
  g_autoptr (PlgPlan) plan = NULL;

  g_assert_true (plg_settings_apply (fixture->plan, fixture->catalogue, by_hand, NULL));
  g_assert_true (plg_settings_apply (fixture->plan, fixture->catalogue, kept, NULL));
  assert_value (fixture->plan, "parallelism.last-layers", "17");
  plan = plg_plan_copy (fixture->plan);
  g_assert_true (plg_settings_apply (plan, fixture->catalogue, other_pp, NULL));
  assert_value (plan, "parallelism.last-layers", "0");
  g_assert_true (plg_settings_apply (fixture->plan, fixture->catalogue, other_model, NULL));
  assert_value (fixture->plan, "parallelism.last-layers", "0");
}

typedef struct
{
  const char *assignments;
  PlgPlanError code;
  const char *message; /* the whole message, or its beginning if it ends with an ellipsis */
} RefusedCase;

static const RefusedCase refused[] = {
  { "parallelism.pp=3", PLG_PLAN_ERROR_WORLD,
    "TP 8 × PP 3 = 24 does not divide 64 GPUs; use degrees whose product divides 64" },
  { "parallelism.cp=16", PLG_PLAN_ERROR_WORLD,
    "TP 8 × CP 16 × PP 4 = 512 does not divide 64 GPUs; use degrees whose product divides 64" },
  { "parallelism.dp=4", PLG_PLAN_ERROR_WORLD,
    "TP 8 × CP 1 × PP 4 × DP 4 = 128, but the cluster has 64 GPUs; use DP 2" },
  { "parallelism.tp=65536 parallelism.cp=65536 parallelism.pp=65536 parallelism.dp=65536",
    PLG_PLAN_ERROR_WORLD, "" },
  { "cluster.nodes=512", PLG_PLAN_ERROR_BATCH,
    "Global batch 64 is not a multiple of micro-batch 1 × DP 128 = 128; use a global batch of 128" },
  { "training.global-batch=65", PLG_PLAN_ERROR_BATCH,
    "Global batch 65 is not a multiple of micro-batch 1 × DP 2 = 2; use a global batch of 64 or 66" },
  { "training.schedule=1f1b parallelism.chunks=2", PLG_PLAN_ERROR_SCHEDULE,
    "Only the interleaved schedule runs 2 chunks per stage; use interleaved, or 1 chunk" },
  { "training.precision=fp8 cluster.gpu=a100-sxm-80", PLG_PLAN_ERROR_PRECISION,
    "A100 SXM cannot compute in FP8; set training.precision to bf16, or set cluster.peak to a value above 0" },
  { "parallelism.tp", PLG_PLAN_ERROR_KEY, "“parallelism.tp” is not KEY=VALUE" },
  { "=8", PLG_PLAN_ERROR_KEY, "“=8” is not KEY=VALUE; write, for example, parallelism.tp=8" },
  { "parallelism.tp==8", PLG_PLAN_ERROR_RANGE, "parallelism.tp: “=8” is not allowed" },
  { "training.sequence=4096 nonsense=1", PLG_PLAN_ERROR_KEY,
    "There is no key “nonsense”; use one of: cluster.node" },
  { "parallelism.tpp=8", PLG_PLAN_ERROR_KEY,
    "There is no key “parallelism.tpp”; similar keys: parallelism.tp" },
  { "tp=8", PLG_PLAN_ERROR_KEY, "There is no key “tp”; similar keys: parallelism.tp" },
};

static void
test_apply_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) before = plg_plan_copy (fixture->plan);

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_auto (GStrv) assignments = g_strsplit (refused[i].assignments, " ", -1);
      g_autoptr (GError) error = NULL;

      g_assert_false (plg_settings_apply (fixture->plan, fixture->catalogue,
                                          (const char *const *) assignments, &error));
      g_assert_error (error, PLG_PLAN_ERROR, refused[i].code);
      if (!g_str_has_prefix (error->message, refused[i].message))
        g_assert_cmpstr (error->message, ==, refused[i].message);
      g_assert_true (plg_plan_equal (fixture->plan, before));
    }
}

/* A placement by hand belongs to its groups. */
static void
test_apply_placement (Fixture *fixture, gconstpointer data)
{
  static const char *const keeps[] = { "training.sequence=4096", "parallelism.zero=3", NULL };
  static const char *const drops[] = { "parallelism.tp=4", NULL };
  static const char *const reorders[] = { "parallelism.order=tp-dp-pp", NULL };
  static const char *const same[] = { "parallelism.order=cp-tp-pp-dp", NULL };
  g_autoptr (PlgPlan) plan = NULL;

  plg_placement_expand (&fixture->plan->placement, 64);
  fixture->plan->placement.gpu_of_rank[0] = 1;
  fixture->plan->placement.gpu_of_rank[1] = 0;
  g_assert_true (plg_settings_apply (fixture->plan, NULL, keeps, NULL));
  g_assert_cmpint (fixture->plan->placement.size, ==, 64);
  g_assert_true (plg_settings_apply (fixture->plan, NULL, same, NULL));
  g_assert_cmpint (fixture->plan->placement.size, ==, 64);
  plan = plg_plan_copy (fixture->plan);
  g_assert_true (plg_settings_apply (plan, NULL, drops, NULL));
  g_assert_cmpint (plan->placement.size, ==, 0);
  g_assert_true (plg_settings_apply (fixture->plan, NULL, reorders, NULL));
  g_assert_cmpint (fixture->plan->placement.size, ==, 0);
}

/* Messages name settings by keys. A message is the name of its setting and a text. */
static void
test_problem (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) copy = NULL;
  const PlgPlanProblem *problem;

  g_assert_false (plg_setting_set (fixture->plan, NULL, "parallelism.tp", "0", &error));
  copy = g_error_copy (error);
  g_clear_error (&error);
  problem = plg_plan_problem (copy);
  g_assert_cmpstr (problem->key, ==, "parallelism.tp");
  g_assert_true (g_str_has_prefix (problem->text, "“0” is not allowed; use a whole number"));
  g_assert_true (g_str_has_prefix (copy->message, "parallelism.tp: “0” is not allowed"));

  g_assert_false (plg_setting_set (fixture->plan, NULL, "cluster.node-names", "0=two words",
                                   &error));
  problem = plg_plan_problem (error);
  g_assert_cmpstr (problem->key, ==, "cluster.node-names");
  g_assert_true (g_str_has_prefix (problem->text, "“two words” is not a valid node name"));
  g_assert_true (g_str_has_prefix (error->message, "cluster.node-names: “two words” is not"));

  g_clear_error (&error);
  fixture->plan->training.sequence = 8191;
  g_assert_false (plg_plan_check (fixture->plan, &error));
  problem = plg_plan_problem (error);
  g_assert_null (problem->key);
  g_assert_cmpstr (problem->causes[0], ==, "training.sequence");

  g_clear_error (&error);
  error = g_error_new_literal (G_FILE_ERROR, 0, "");
  g_assert_null (plg_plan_problem (error));
}

/* In the window, messages have the titles of settings and values. */
static void
test_names (void)
{
  g_assert_cmpstr (plg_setting_name ("parallelism.tp"), ==, "parallelism.tp");
  g_assert_cmpstr (plg_setting_value_name ("training.schedule", "1f1b"), ==, "1f1b");
  if (g_test_subprocess ())
    {
      plg_setting_use_titles ();
      g_assert_cmpstr (plg_setting_name ("parallelism.tp"), ==, "“Tensor (TP)”");
      g_assert_cmpstr (plg_setting_name ("tp"), ==, "tp");
      g_assert_cmpstr (plg_setting_value_name ("training.schedule", "1f1b"), ==, "1F1B");
      g_assert_cmpstr (plg_setting_value_name ("parallelism.sequence", "false"), ==, "off");
      g_assert_cmpstr (plg_setting_value_name ("parallelism.order", "megatron"), ==, "Megatron-LM");
      g_assert_cmpstr (plg_setting_value_name ("parallelism.order", "tp-dp"), ==, "tp-dp");
      g_assert_cmpstr (plg_setting_value_name ("parallelism.tp", "4"), ==, "4");
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* Values as in the inspector, with digits that distinguish them from the other value. */
static void
test_value_words (void)
{
  static const char *const values[][4] = {
    { "cluster.memory", "79.6474609375", NULL, "79.65 GiB" },
    { "cluster.memory", "79.6474609375", "79.6461", "79.647 GiB" },
    { "cluster.inter-bandwidth", "0.15625", "50", "0.1562 GB/s" },
    { "training.sequence", "8192", "2048", "8192 tokens" },
    { "cluster.rdma", "false", "true", "off" },
    { "training.schedule", "1f1b", NULL, "1F1B" },
    { "cluster.faults", "gpu:1=0.5", NULL, "gpu:1=0.5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *words = plg_setting_describe_value (plg_setting_find (values[i][0]),
                                                           values[i][1], values[i][2], NULL);

      g_assert_cmpstr (words, ==, values[i][3]);
    }
}

/* The arguments are PP, experts, schedule, key, and the reason, or NULL if the setting has an
 * effect. */
static void
test_applicability (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int pp;
    int experts;
    PlgSchedule schedule;
    const char *key;
    const char *reason;
    gboolean acts;
  } rows[] = {
    { 1, 0, PLG_SCHEDULE_1F1B, "training.schedule", "Only with PP above 1", FALSE },
    { 1, 0, PLG_SCHEDULE_INTERLEAVED, "parallelism.chunks", "Only with PP above 1", FALSE },
    { 1, 0, PLG_SCHEDULE_1F1B, "parallelism.overlap-pp", "Only with PP above 1", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "training.schedule", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_INTERLEAVED, "parallelism.chunks", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_GPIPE, "parallelism.chunks", "Only for 1F1B and interleaved", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "parallelism.overlap-ep", "Only for models with experts", FALSE },
    { 2, 8, PLG_SCHEDULE_1F1B, "parallelism.overlap-ep", NULL, FALSE },
    { 2, 8, PLG_SCHEDULE_DUALPIPE, "parallelism.overlap-ep", "Part of DualPipe", TRUE },
    { 2, 0, PLG_SCHEDULE_1F1B, "training.expert-load", "Only for models with experts", FALSE },
    { 2, 8, PLG_SCHEDULE_1F1B, "training.expert-load", "Only with EP above 1", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.moe-every", "Only for models with experts", FALSE },
    { 2, 8, PLG_SCHEDULE_1F1B, "model.moe-every", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.expert-groups", "Only for models with experts", FALSE },
    { 2, 8, PLG_SCHEDULE_1F1B, "model.expert-groups", NULL, FALSE },
    { 2, 8, PLG_SCHEDULE_1F1B, "model.top-groups", "Only with groups of experts", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.mixer", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.attention-gate", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.mixer-heads", "Only for hybrid models", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.mlp-layers", "Only for hybrid models", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.window", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.window-chunked", "Only with an attention window", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "model.full-attention-every", "Only with an attention window",
      FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "parallelism.dispatcher", "Only for models with experts", FALSE },
    { 2, 8, PLG_SCHEDULE_1F1B, "parallelism.dispatcher", "Only with EP above 1", FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "training.micro-batch", NULL, FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "cluster.host-bandwidth", "Only with offloading to the host",
      FALSE },
    { 2, 0, PLG_SCHEDULE_1F1B, "training.offload-optimizer", NULL, FALSE },
  };
  PlgPlan *plan = fixture->plan;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gboolean acts;

      plan->parallelism.degree[PLG_AXIS_PP] = rows[i].pp;
      plan->model.experts = rows[i].experts;
      plan->training.schedule = rows[i].schedule;
      g_assert_cmpstr (plg_setting_why_not_applicable (plg_setting_find (rows[i].key), plan, &acts),
                       ==, rows[i].reason);
      g_assert_cmpint (acts, ==, rows[i].acts);
    }
}

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

/* A rate is 0, which stands for that of the catalogue, or large enough for finite times. */
static void
test_rate_or_zero (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[] = { "cluster.peak", "cluster.host-bandwidth",
                                      "cluster.host-memory", "cluster.host-memory-bandwidth" };
  static const char *const small[] = { "1e-308", "0.000999", "-0.001", "1e-3000" };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_assert_true (plg_setting_set (fixture->plan, NULL, keys[i], "0.001", NULL));
      for (gsize k = 0; k < G_N_ELEMENTS (small); k++)
        {
          g_autoptr (GError) error = NULL;

          g_assert_false (plg_setting_set (fixture->plan, NULL, keys[i], small[k], &error));
          g_assert_error (error, PLG_PLAN_ERROR, (int) PLG_PLAN_ERROR_RANGE);
          g_assert_nonnull (strstr (error->message, "use a number from 0.001 to 1000000"));
          g_assert_true (g_str_has_suffix (error->message, ", or 0"));
        }
      assert_value (fixture->plan, keys[i], "0.001");
      g_assert_true (plg_setting_set (fixture->plan, NULL, keys[i], "0", NULL));
      assert_value (fixture->plan, keys[i], "0");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/setting/keys-exist", test_keys_exist);
  g_test_add_func ("/setting/table-is-valid", test_table_is_valid);
  TEST ("/setting/problem", test_problem);
  TEST ("/setting/rate-or-zero", test_rate_or_zero);
  g_test_add_func ("/setting/value-words", test_value_words);
  g_test_add_func ("/setting/names", test_names);
  TEST ("/setting/round-trip", test_round_trip);
  TEST ("/setting/number-round-trip", test_number_round_trip);
  TEST ("/setting/accepted-values", test_accepted_values);
  TEST ("/setting/refused-values", test_refused_values);
  TEST ("/setting/long-value", test_long_value);
  TEST ("/setting/gpu-sets-all", test_gpu_sets_all);
  TEST ("/setting/node-sets-all", test_node_sets_all);
  TEST ("/setting/model-sets-all", test_model_sets_all);
  TEST ("/setting/applicability", test_applicability);
  TEST ("/setting/apply", test_apply);
  TEST ("/setting/apply-hosts", test_apply_hosts);
  TEST ("/setting/apply-shares-layers-out", test_apply_shares_layers_out);
  TEST ("/setting/apply-refused", test_apply_refused);
  TEST ("/setting/apply-placement", test_apply_placement);
  return g_test_run ();
}
