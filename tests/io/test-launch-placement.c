/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "placed-plan.h"

#include "io/placement/launch-placement.h"
#include "plan/settings/setting.h"

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

/* Reads the file over the same design with ranks in order and nodes without names. */
static void
assert_round_trip (Fixture *fixture,
                   const PlacedPlan *placed,
                   const char *format,
                   const char *reader)
{
  g_autoptr (PlgPlan) plan = placed_plan (placed, fixture->catalogue);
  g_autoptr (PlgPlan) base = placed_plan_base (plan);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = placed_plan_write (plan, format, &error);
  g_autoptr (PlgImportResult) import = NULL;

  if (text == NULL)
    {
      g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT);
      return;
    }
  import = placed_plan_read (text, reader, base, fixture->catalogue, &error);
  g_assert_no_error (error);
  if (!placed_plan_same (import->plan, plan) ||
      !plg_node_names_equal (&import->plan->node_names, &plan->node_names))
    g_error ("%s: not the same plan from %s", placed->name, format);
}

static const struct
{
  const char *format;
  const char *reader;
  gboolean any; /* the format stores a placement */
} trips[] = {
  { "rankfile", "rankfile", TRUE },      { "slurm-hostfile", "slurm-hostfile", FALSE },
  { "hostfile", "hostfile", FALSE },     { "torchrun", "torchrun", FALSE },
  { "openmpi4", "launch-script", TRUE }, { "openmpi5", "launch-script", TRUE },
  { "pbs", "launch-script", TRUE },      { "ssh", "launch-script", TRUE },
  { "slurm", "launch-script", TRUE },    { "kubernetes", "kubernetes", FALSE },
};

static void
test_round_trips (Fixture *fixture, gconstpointer data)
{
  for (guint t = 0; t < G_N_ELEMENTS (trips); t++)
    for (int i = 0; i < n_placed_plans; i++)
      {
        g_autoptr (PlgPlan) plan = placed_plan (&placed_plans[i], fixture->catalogue);
        g_autofree char *text = placed_plan_write (plan, trips[t].format, NULL);

        if (text == NULL && (trips[t].any || plan->placement.size == 0))
          g_error ("%s: %s cannot store the placement", placed_plans[i].name, trips[t].format);
        assert_round_trip (fixture, &placed_plans[i], trips[t].format, trips[t].reader);
      }
}

/* A refusal suggests all formats that accept the plan. */
static void
test_refusal_suggests_formats (Fixture *fixture, gconstpointer data)
{
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int f = 0; f < n; f++)
    for (int i = 0; i < n_placed_plans; i++)
      {
        g_autoptr (PlgPlan) plan = placed_plan (&placed_plans[i], fixture->catalogue);
        g_autoptr (GError) error = NULL;
        g_autofree char *text = NULL;

        if (formats[f]->subject != PLG_SUBJECT_PLACEMENT || formats[f]->write == NULL)
          continue;
        text = placed_plan_write (plan, formats[f]->name, &error);
        g_assert_true ((text != NULL) == plg_format_keeps_placement (formats[f], plan));
        if (text == NULL)
          g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT);
      }
}

/* The list of names is longer than the text that detection reads. */
static void
test_many_nodes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) names = g_string_new ("cluster.node-names=");
  PlacedPlan many = { "many nodes",
                      { "cluster.nodes=1024", "cluster.gpus-per-node=4", "parallelism.tp=4",
                        "parallelism.dp=256", "training.global-batch=256", NULL },
                      { "n3-n1000" } };

  for (int i = 0; i < 1024; i++)
    g_string_append_printf (names, "%s%d=a-host-with-a-long-name-%d", i > 0 ? "," : "", i,
                            2000 - i);
  many.settings[5] = names->str;
  for (guint t = 0; t < G_N_ELEMENTS (trips); t++)
    assert_round_trip (fixture, &many, trips[t].format, trips[t].reader);
}

/* The name of a host may begin with a digit or be a number, and so may the names of all hosts. */
static void
test_numeric_names (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "cluster.node-names=0=3com,1=10.0.0.1,2=1e3,3=7",
                                       "cluster.node-names=0=799,1=7,2=753,3=08" };

  for (guint i = 0; i < G_N_ELEMENTS (names) * G_N_ELEMENTS (trips); i++)
    {
      const PlacedPlan digits = { "digits",
                                  { "cluster.nodes=4", "cluster.gpus-per-node=4",
                                    "parallelism.tp=4", "parallelism.pp=1", "parallelism.dp=4",
                                    names[i / G_N_ELEMENTS (trips)], NULL },
                                  { NULL } };
      guint t = i % G_N_ELEMENTS (trips);
      g_autoptr (PlgPlan) plan = placed_plan (&digits, fixture->catalogue);
      g_autofree char *text = placed_plan_write (plan, trips[t].format, NULL);

      g_assert_nonnull (text);
      assert_round_trip (fixture, &digits, trips[t].format, trips[t].reader);
    }
}

/* A mesh does not store names. */
static void
test_meshes (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < n_placed_plans; i++)
    {
      g_autoptr (PlgPlan) plan = placed_plan (&placed_plans[i], fixture->catalogue);
      g_autoptr (PlgPlan) base = plg_catalogue_default_plan (fixture->catalogue);
      g_autofree char *text = placed_plan_write (plan, "device-mesh", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = NULL;

      /* A mesh does not store the model, which must have experts to divide. */
      if (plan->parallelism.degree[PLG_AXIS_EP] > 1)
        plg_plan_assign (base, plan);
      base->parallelism.degree[PLG_AXIS_EP] = base->parallelism.etp = 1;
      plg_placement_clear (&base->placement);
      import = placed_plan_read (text, "device-mesh", base, fixture->catalogue, &error);
      g_assert_no_error (error);
      if (!placed_plan_same (import->plan, plan))
        g_error ("%s: not the same plan", placed_plans[i].name);
      g_assert_cmpint (import->plan->parallelism.degree[PLG_AXIS_EP], ==,
                       plan->parallelism.degree[PLG_AXIS_EP]);
      g_assert_cmpint (import->plan->parallelism.etp, ==, plan->parallelism.etp);
    }
}

/* A second mesh that does not follow from the first mesh and its sizes is refused. */
static void
test_other_experts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  const char *const settings[] = { "model.name=mixtral-8x7b",    "parallelism.tp=2",
                                   "parallelism.pp=4",           "parallelism.ep=8",
                                   "parallelism.order=megatron", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = NULL;
  g_autofree char *text = NULL;
  char *row;

  g_assert_true (plg_settings_apply (plan, fixture->catalogue, settings, NULL));
  text = placed_plan_write (plan, "device-mesh", NULL);
  row = strstr (text, "[0, 1, 2, 3, 4, 5, 6, 7]");
  g_assert_nonnull (row);
  row[1] = '1';
  row[4] = '0';
  import = placed_plan_read (text, "device-mesh", plan, fixture->catalogue, &error);
  g_assert_null (import);
  g_assert_nonnull (strstr (error->message, "EP 8 and ETP 1"));
  /* Reads the file into a plan without experts. */
  import = placed_plan_read (text, "device-mesh", NULL, fixture->catalogue, NULL);
  g_assert_nonnull (import);
  g_assert_cmpint (import->plan->parallelism.degree[PLG_AXIS_EP], ==, 1);
}

static PlgImportResult *
read_text (Fixture *fixture, const char *text, const char *format, const char *settings)
{
  g_autoptr (GError) error = NULL;
  PlgImportResult *import = placed_plan_read (text, format, NULL, fixture->catalogue, &error);
  g_auto (GStrv) pairs = g_strsplit (settings, " ", -1);

  g_assert_no_error (error);
  for (int i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], ":", 2);
      g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), import->plan);

      g_assert_cmpstr (value, ==, pair[1]);
    }
  return import;
}

static void
assert_gpus (Fixture *fixture,
             const char *text,
             const char *format,
             const char *settings,
             const int *gpus,
             int n)
{
  g_autoptr (PlgImportResult) import = read_text (fixture, text, format, settings);

  g_assert_cmpint (plg_plan_world (import->plan), ==, n);
  for (int i = 0; i < n; i++)
    g_assert_cmpint (plg_placement_gpu (&import->plan->placement, i), ==, gpus[i]);
}

#define JOB "kind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n    Worker:\n"
#define POD "      template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}}\n"

/* Files of other programs. */
static void
test_other_programs (Fixture *fixture, gconstpointer data)
{
  assert_gpus (fixture, "gpu-a,gpu-b,gpu-a,gpu-b\n", "slurm-hostfile",
               "cluster.nodes:2 cluster.node-names:0=gpu-a,1=gpu-b", (int[]) { 0, 2, 1, 3 }, 4);
  assert_gpus (fixture, "# hosts\nn[1-2]*2 # two each\n", "slurm-hostfile",
               "cluster.nodes:2 cluster.gpus-per-node:2", (int[]) { 0, 1, 2, 3 }, 4);
  assert_gpus (fixture, "b:2\na:2\n", "hostfile", "cluster.nodes:2 cluster.node-names:0=a,1=b",
               (int[]) { 2, 3, 0, 1 }, 4);
  assert_gpus (fixture, "# DeepSpeed\nworker-1 slots=1\nworker-2  max_slots=9 slots=1\n",
               "hostfile", "cluster.nodes:2 cluster.gpus-per-node:1", (int[]) { 0, 1 }, 2);
  assert_gpus (fixture,
               "rank 0=+n1 slot=1:0\nrank 1=+n0 slot=0:0,1\n\n  rank  2 = +n1 slots = 0:0-3 # c\n"
               "rank 3=+n0 slot=10-12\n",
               "rankfile", "cluster.nodes:2", (int[]) { 3, 0, 2, 1 }, 4);
  assert_gpus (fixture,
               "ssh -n user@b CUDA_VISIBLE_DEVICES=1,0 torchrun --nnodes 2 --nproc_per_node=2 \\\n"
               "  --node_rank 0 --master_addr b x.py &\n"
               "# torchrun --node-rank=7\n"
               "ssh -n user@a python -m torch.distributed.run --nnodes=2 --nproc_per_node=2 "
               "--node_rank=\"1\" x.py\n",
               "torchrun", "cluster.nodes:2 cluster.node-names:0=a,1=b", (int[]) { 3, 2, 0, 1 }, 4);
  assert_gpus (fixture, JOB "      replicas: 2\n" POD, "kubernetes", "cluster.nodes:2",
               (int[]) { 0, 1, 2, 3 }, 4);
  assert_gpus (fixture,
               "m = DeviceMesh('cuda', torch.tensor([[0, 2, 4, 6], # c\n [1, 3, 5, 7],]), "
               "mesh_dim_names=['dp', 'tp'])\n",
               "device-mesh", "cluster.nodes:1 parallelism.tp:4 parallelism.dp:2 parallelism.pp:1",
               (int[]) { 0, 2, 4, 6, 1, 3, 5, 7 }, 8);
  /* Named arguments in any order, after another call, a comment and a string with other values. */
  assert_gpus (fixture,
               "# init_device_mesh('cuda', (8, 1), mesh_dim_names=('dp', 'tp'))\n"
               "'''Not init_device_mesh('cuda', (8, 1), mesh_dim_names=('dp', 'tp')).'''\n"
               "world = init_device_mesh('cuda', (8,))\n"
               "mesh = init_device_mesh(mesh_dim_names = ('dp', # outermost\n 'tp'),\n"
               "  device_type='cuda', mesh_shape = (2,\n 4,))\n",
               "device-mesh", "cluster.nodes:1 parallelism.tp:4 parallelism.dp:2 parallelism.pp:1",
               (int[]) { 0, 1, 2, 3, 4, 5, 6, 7 }, 8);
  assert_gpus (fixture,
               "m = init_device_mesh('cuda', (2, 2, 2), mesh_dim_names=('dp_replicate', "
               "'dp_shard', 'tp'))\n",
               "device-mesh",
               "cluster.nodes:1 parallelism.tp:2 parallelism.dp:4 parallelism.replicate:2 "
               "parallelism.pp:1",
               (int[]) { 0, 1, 2, 3, 4, 5, 6, 7 }, 8);
  assert_gpus (fixture, "m = init_device_mesh('cuda', (2, 4), mesh_dim_names=('dp_shard', 'tp'))\n",
               "device-mesh", "cluster.nodes:1 parallelism.tp:4 parallelism.dp:2 parallelism.pp:1",
               (int[]) { 0, 1, 2, 3, 4, 5, 6, 7 }, 8);
}

/* Files with notes about their interpretation. */
static void
test_notes (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text, *format;
    const char *says; /* a part of the notes; NULL: the notes do not contain OF */
    const char *of;
  } rows[] = {
    { "a:2\nb:4\na:2\n", "hostfile", "3: “a” is on line 1 with 2 slots and here with 2", NULL },
    { "b slots=2\na\na\n", "hostfile", NULL, "added up" },
    { "rank 0=a slot=0-3\nrank 1=a slot=2-5\n", "rankfile",
      "2: The slots of rank 1 and rank 0 (line 1) overlap: Open MPI 4", NULL },
    { "rank 0=a slot=0:0-3,8;1:0\nrank 1=b slot=0\nrank 2=a slot=1:0\nrank 3=b slot=1\n",
      "rankfile", "3: The slots of rank 2 and rank 0 (line 1)", NULL },
    { "rank 0=+n0 slot=0:*\nrank 1=+n0 slot=0:4\n", "rankfile", "2: The slots of rank 1", NULL },
    { "rank 0=+n0 slot=0:0,2\nrank 1=+n0 slot=0:1,3\nrank 2=+n1 slot=0\nrank 3=+n1 slot=1\n",
      "rankfile", NULL, "overlap" },
    { "A slots=2\na slots=2\n", "hostfile", "“A” and “a” are different nodes", NULL },
    { "gp\u00fc-1 slots=2\n", "hostfile", "“gp\u00fc-1” is not a host name", NULL },
    { "a\nb\na\nb\n", "slurm-hostfile", NULL, "are different nodes" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = placed_plan_read (rows[i].text, rows[i].format, NULL,
                                                             fixture->catalogue, &error);
      g_autofree char *notes = NULL;

      g_assert_no_error (error);
      notes = plg_import_result_text (import, 1u << PLG_NOTE_INFERRED);
      if (rows[i].says != NULL)
        g_assert_nonnull (strstr (notes, rows[i].says));
      else
        g_assert_null (strstr (notes, rows[i].of));
    }
}

/* A host with such a name must not look like the end of the case, neither to people nor to
 * programs that check scripts. */
static void
test_shell_keywords (Fixture *fixture, gconstpointer data)
{
  const char *const settings[] = { "cluster.node-names=0=esac,1=done", NULL };
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  g_autofree char *text = NULL;

  g_assert_true (plg_settings_apply (plan, fixture->catalogue, settings, NULL));
  text = placed_plan_write (plan, "torchrun", NULL);
  g_assert_nonnull (strstr (text, "\n  (\"esac\") "));
  g_assert_nonnull (strstr (text, "\n  (done) "));
}

/* If each node has one GPU, each host is listed once. */
static void
test_one_gpu_per_node (Fixture *fixture, gconstpointer data)
{
  static const char *const nodes[] = { "cluster.nodes=1", "cluster.nodes=4",
                                       "cluster.node-names=0=a,1=c,2=b,3=d" };

  for (int named = 0; named < 2; named++)
    for (int i = 0; i < 2; i++)
      {
        g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
        const char *const settings[] = {
          nodes[i],           "cluster.gpus-per-node=1",         "parallelism.tp=1",
          "parallelism.pp=1", named && i == 1 ? nodes[2] : NULL, NULL
        };
        g_autoptr (PlgPlan) base = NULL;
        g_autoptr (PlgImportResult) import = NULL;
        g_autoptr (GError) error = NULL;
        g_autofree char *text = NULL;

        g_assert_true (plg_settings_apply (plan, fixture->catalogue, settings, &error));
        text = placed_plan_write (plan, "slurm-hostfile", NULL);
        base = placed_plan_base (plan);
        import = placed_plan_read (text, "slurm-hostfile", base, fixture->catalogue, &error);
        g_assert_no_error (error);
        g_assert_true (placed_plan_same (import->plan, plan));
        g_assert_true (plg_node_names_equal (&import->plan->node_names, &plan->node_names));
      }
}

/* Names of nodes are not always valid names of hosts. */
static void
test_names_of_nodes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  const char *const settings[] = { "cluster.nodes=2", "cluster.node-names=0=Käthe,1=b",
                                   "parallelism.tp=8", "parallelism.pp=1", NULL };
  g_autofree char *slurm = NULL, *model = NULL;

  g_assert_true (plg_settings_apply (plan, fixture->catalogue, settings, NULL));
  slurm = plg_format_write_note (plg_format_find ("slurm"), plan);
  model = plg_format_write_note (plg_format_find ("megatron"), plan);
  g_assert_nonnull (strstr (slurm, "“Käthe” is not a host name"));
  g_assert_null (model);
}

static const BrokenFile broken_tasks[] = {
  { "hostile", "a\na\n$(reboot)\n", "FILE:3: “$(reboot)” is not a valid" },
  { "many", "a*70000\n", "FILE:1: “70000” is not a number of ranks" },
  { "none", "a*\na*2\n", "FILE:1: “” is not a number of ranks" },
  { "a wide range", "n[0-99999999]\nn[0-99999999]\n", "FILE:1: " },
  { "no matching", "n[0-\nn[0-\n", "FILE:1: " },
  { "different numbers", "a\na\nb\n", "FILE:3: There are 2 ranks on a, but 1 on b" },
};

static const BrokenFile broken_slots[] = {
  { "twice", "a slots=2\nb slots=1\na slots=1\n",
    "FILE:3: “a” is already on line 1; Open MPI and DeepSpeed reject repeated hosts." },
  { "both forms", "a:2\na slots=2\n", "FILE:2: “a” is already on line 1" },
  { "option", "-oProxyCommand=x slots=2\n", "FILE:1: “-oProxyCommand=x” is not a valid" },
  { "option and colon", "-oProxyCommand=x:2\n", "FILE:1: “-oProxyCommand=x” is not a valid" },
  { "none", "a slots=0\n", "FILE:1: “0” is not a number" },
  { "huge", "a slots=99999999999999\n", "FILE:1: “99999999999999” is not a number" },
  { "a word", "a slots=1\nb slots=x\n", "FILE:2: “x” is not a number" },
  { "hostile", "a slots=1\n../../x slots=1\n", "FILE:2: “../../x” is not a valid" },
  { "hostile name in brackets", "a:1\n`id`:1\n", "FILE:2: “`id`” is not a valid" },
  { "different numbers", "a slots=2\nb slots=1\n", "FILE:2: There are 2 ranks on a" },
  { "too many", "a slots=65536\nb slots=65536\n", "FILE:2: There are more than 65536 ranks" },
};

static const BrokenFile broken_ranks[] = {
  { "truncated", "rank 0=a slot=0\nrank 1", "FILE:2: “rank 1” is not a line" },
  { "hostile", "rank 0=$(reboot) slot=0\n", "FILE:1: “$(reboot)” is not a valid" },
  { "a path", "rank 0=../../x slot=0\n", "FILE:1: “../../x” is not a valid" },
  { "huge", "rank 99999999999999999999=a slot=0\n", "FILE:1: Rank 99999999999999999999" },
  { "a huge node", "rank 0=+n99999 slot=0\n", "FILE:1: “+n99999” is not a node" },
  { "twice", "rank 0=a slot=0\nrank 0=a slot=1\n", "FILE:2: Rank 0 occurs twice" },
  { "missing", "rank 0=a slot=0\nrank 2=a slot=1\n", "FILE:2: This is rank 2" },
  { "mixed", "rank 0=a slot=0\nrank 1=+n0 slot=1\n", "FILE:2: Some hosts are names" },
  { "out of order", "# node 1: a\nrank 0=a slot=0\n", "FILE:1: Node a is listed out of order" },
  { "out of order of two", "# node 0: b\n# node 2: a\nrank 0=a slot=0\nrank 1=b slot=0\n",
    "FILE:2: Node a is listed out of order" },
  { "binary", "rank 0=a slot=0\n\xFF\n", "FILE:2: Byte 0xFF" },
};

#define LINE " torchrun --nnodes=2 --nproc-per-node=1 "

static const BrokenFile broken_torchrun[] = {
  { "c10d", "a)" LINE "--node-rank=0 --rdzv-backend=c10d x\n",
    "FILE:1: Ranks are not stable with the c10d" },
  { "a variable", "a)" LINE "--node-rank=$i x\n", "FILE:1: --node-rank is “$i”" },
  { "only a comment", "# torchrun --node-rank=0 x\necho\n", "FILE: The file contains no ranks." },
  { "not a number", "torchrun --node-rank=0 x\n", "FILE:1: --nnodes is “”" },
  { "huge", "torchrun --nnodes=99999999999 --node-rank=0 x\n",
    "FILE:1: --nnodes is “99999999999”" },
  { "a node missing", "a)" LINE "--node-rank=0 x\n", "FILE:1: There are lines for 1 of 2 ranks" },
  { "a node twice", "a)" LINE "--node-rank=0 x\nb)" LINE "--node-rank=0 x\n",
    "FILE:2: Rank 0 occurs twice" },
  { "other numbers",
    "a)" LINE "--node-rank=0 x\nb) torchrun --nnodes=3 --nproc-per-node=1 --node-rank=1 x\n",
    "FILE:2: --nnodes is 3 here, but 2 on an earlier line" },
  { "GPUs", "CUDA_VISIBLE_DEVICES=0,1" LINE "--node-rank=0\n",
    "FILE:1: CUDA_VISIBLE_DEVICES lists 2" },
  { "a huge GPU", "CUDA_VISIBLE_DEVICES=999" LINE "--node-rank=0\n",
    "FILE:1: CUDA_VISIBLE_DEVICES must" },
  { "hostile", "$HOME)" LINE "--node-rank=0\n", "FILE:1: “$HOME” is not a valid" },
  { "some names", "a)" LINE "--node-rank=0\n" LINE "--node-rank=1\n", "FILE:2: Some lines name" },
};

static const BrokenFile broken_jobs[] = {
  { "truncated", "kind: PyTorchJob\nspec:\n  pytorchReplicaSpecs: {\n",
    "FILE:3: This is not YAML" },
  { "no roles", "kind: PyTorchJob\nspec: {}\n",
    "FILE:1: A PyTorchJob must have Master or Worker "
    "under" },
  { "a list", "kind: PyTorchJob\nspec: [1]\n",
    "FILE:1: A PyTorchJob must have Master or Worker "
    "under" },
  { "no GPUs", JOB "      replicas: 2\n", "FILE:4: Worker does not give the number of GPUs" },
  { "a word", JOB "      replicas: two\n" POD, "FILE:5: replicas is “two”" },
  { "huge", JOB "      replicas: 99999999999999999999\n" POD, "FILE:5: replicas is “9999" },
  { "a block missing", JOB "      replicas: 2\n" POD "      args: |-\n        0) node_rank=0 ;;\n",
    "FILE:8: There are 2 pods, but none has node_rank 1" },
  { "a block too many", JOB "      replicas: 1\n" POD "      args: |-\n        0) node_rank=1 ;;\n",
    "FILE:8: There are 1 pods" },
  { "a repeated setting",
    JOB "      replicas: 1\n" POD
        "      args: |-\n        0) node_rank=0 ;; # node0\n        0) node_rank=0 ;; # node1\n",
    "FILE:9: Line 8 gives different values" },
  { "hostile", JOB "      replicas: 1\n" POD "      args: |-\n        $x`y`) node_rank=0 ;;\n",
    "FILE:8: “$x`y`” is not a valid" },
  { "GPUs",
    JOB "      replicas: 1\n" POD
        "      args: |-\n        0) node_rank=0; export CUDA_VISIBLE_DEVICES=0,1,2 ;;\n",
    "FILE:8: CUDA_VISIBLE_DEVICES lists 3 GPUs for 2" },
  { "binary", JOB "\xFF\n", "FILE:5: " },
};

#define NAMES ", mesh_dim_names=(\"dp\", \"tp\"))"

static const BrokenFile broken_mesh[] = {
  { "truncated", "DeviceMesh(\"cuda\", mesh_dim_names=(\"dp\", \"tp\"), mesh=[[0, 1], [2,",
    "FILE:1: " },
  { "truncated names", "DeviceMesh(\"cuda\", [[0]], mesh_dim_names=(\"dp\"",
    "FILE:1: mesh_dim_names must be" },
  { "no lists", "DeviceMesh(\"cuda\"" NAMES, "FILE:1: DeviceMesh needs the ranks" },
  { "ragged", "DeviceMesh(\"cuda\", [[0, 1],\n[2]]" NAMES, "FILE:2: This list has 1 members" },
  { "flat", "DeviceMesh(\"cuda\", [0, 1]" NAMES, "FILE:1: A list is missing" },
  { "deep", "DeviceMesh(\"cuda\", [[[0], [1]]]" NAMES, "FILE:1: “[0” is not a whole number" },
  { "empty", "DeviceMesh(\"cuda\", [[]]" NAMES, "FILE:1: This list has 0 members" },
  { "twice", "DeviceMesh(\"cuda\", [[0, 0]]" NAMES, "FILE:1: The mesh has 2 ranks" },
  { "huge", "DeviceMesh(\"cuda\", [[0, 99999999999999999999]]" NAMES,
    "FILE:1: “99999999999999999999” is no" },
  { "negative", "DeviceMesh(\"cuda\", [[-1, 0]]" NAMES, "FILE:1: “-1” is not a whole number" },
  { "DP in the wrong order",
    "\ninit_device_mesh(\"cuda\", (2, 4), mesh_dim_names=(\"dp_shard\", \"dp_replicate\"))",
    "FILE:2: dp_replicate must stand directly before dp_shard" },
  { "DP in distant parts",
    "init_device_mesh(\"cuda\", (2, 2, 2), mesh_dim_names=(\"dp_replicate\", \"pp\", \"dp_shard\"))",
    "FILE:1: dp_replicate must stand directly before dp_shard" },
  { "an unknown host", "DeviceMesh(\"cuda\", [[0]], mesh_dim_names=(\"x\", \"tp\"))",
    "FILE:1: “x” is not a known dimension" },
  { "a name twice", "DeviceMesh(\"cuda\", [[0]], mesh_dim_names=(\"tp\", \"tp\"))",
    "FILE:1: The dimension “tp” appears" },
  { "no names", "DeviceMesh(\"cuda\", [[0]], mesh_dim_names=())",
    "FILE:1: mesh_dim_names is empty" },
  { "no names at all", "import torch\nm = init_device_mesh('cuda', (2, 4))\n",
    "FILE:2: The mesh has no mesh_dim_names" },
  { "names of another call",
    "m = init_device_mesh('cuda', (2, 4))\nf(mesh_dim_names=('dp', 'tp'))\n",
    "FILE:1: The mesh has no mesh_dim_names" },
  { "no shape", "init_device_mesh('cuda'" NAMES, "FILE:1: init_device_mesh needs the shape" },
  { "shape", "init_device_mesh(\"cuda\", (8,)" NAMES, "FILE:1: The shape has 1 numbers" },
  { "a long shape", "init_device_mesh(\"cuda\", (2, 2, 2)" NAMES, "FILE:1: The shape has more" },
  { "a huge shape", "init_device_mesh(\"cuda\", (60000, 60000)" NAMES,
    "FILE:1: The product of the sizes must be from 1 to" },
  { "part of a node", "init_device_mesh(\"cuda\", (2, 2)" NAMES,
    "FILE:1: 4 ranks do not fill whole nodes of 8" },
};

static const BrokenFile broken_scripts[] = {
  { "truncated", "#!/bin/bash\ncat <<':PLACEMENT:'\n0\ta\t0",
    "FILE:2: The table of ranks is not closed" },
  { "no table", "#!/bin/bash\ncat <<':PLACEMENT:'\nrm\n:PLACEMENT:\n",
    "FILE:3: “rm” must be a rank, a host and a GPU" },
  { "hostile", "#!/bin/bash\ncat <<':PLACEMENT:'\n0\t`id`\t0\n:PLACEMENT:\n",
    "FILE:3: “`id`” is not a valid" },
};

static void
test_broken (Fixture *fixture, gconstpointer data)
{
  const PlgCatalogue *catalogue = fixture->catalogue;

  assert_broken (broken_tasks, G_N_ELEMENTS (broken_tasks), "slurm-hostfile", catalogue);
  assert_broken (broken_slots, G_N_ELEMENTS (broken_slots), "hostfile", catalogue);
  assert_broken (broken_ranks, G_N_ELEMENTS (broken_ranks), "rankfile", catalogue);
  assert_broken (broken_torchrun, G_N_ELEMENTS (broken_torchrun), "torchrun", catalogue);
  assert_broken (broken_jobs, G_N_ELEMENTS (broken_jobs), "kubernetes", catalogue);
  assert_broken (broken_mesh, G_N_ELEMENTS (broken_mesh), "device-mesh", catalogue);
  assert_broken (broken_scripts, G_N_ELEMENTS (broken_scripts), "launch-script", catalogue);
}

/* The time for long lines without the expected end must not grow with the square of their
 * length. */
static void
test_long_lines (Fixture *fixture, gconstpointer data)
{
  static const char *const starts[] = { "rank 0=", "DeviceMesh(mesh_dim_names=(\"tp\",), mesh=[",
                                        "torchrun --node-rank=0 ", "a slots=1 ", "ssh " };
  static const char fills[] = "a[ ,=-\\0";

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    for (guint k = 0; k < sizeof fills - 1; k++)
      {
        g_autofree char *fill = g_strnfill (1 << 20, fills[k]);
        g_autofree char *text = g_strconcat (starts[i], fill, NULL);
        g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
        g_autoptr (GError) error = NULL;
        g_autoptr (PlgImportResult)
                       import = plg_format_read (bytes, "x", NULL, fixture->catalogue, &error);

        g_assert_true ((import == NULL) == (error != NULL));
      }
}

/* The notes on a list of slots state only values of the list as understood. */
static void
test_inferred_places (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][3] = {
    { "a slots=8\nb slots=8\n", "hostfile", "inferred" },
    { "a*8,b*8\n", "slurm-hostfile", "inferred" },
    { "rank,node,local_gpu\n0,0,1\n1,0,0\n", "ranks", "understood" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = placed_plan_read (cases[i][0], cases[i][1], NULL,
                                                             fixture->catalogue, &error);
      g_autofree char *understood = NULL;
      g_autofree char *inferred = NULL;

      g_assert_no_error (error);
      understood = plg_import_result_text (import, 1u << PLG_NOTE_UNDERSTOOD);
      inferred = plg_import_result_text (import, 1u << PLG_NOTE_INFERRED);
      g_assert_true ((strstr (understood, "The placement of") != NULL) ==
                     g_str_equal (cases[i][2], "understood"));
      g_assert_true ((inferred != NULL && strstr (inferred, "The placement of") != NULL) ==
                     g_str_equal (cases[i][2], "inferred"));
    }
}

/* A user's comment about a node does not change its hosts. */
static void
test_comments_on_nodes (Fixture *fixture, gconstpointer data)
{
  static const char *const words[] = { "# A node is 2 H100 GPUs, 2 sockets", "# A node is 2 hosts",
                                       "# A node is 2 hosts, which are called a to b" };
  static const int nodes[] = { 4, 4, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *text = g_strconcat (words[i],
                                           "\na slots=2\nb slots=2\nc slots=2\nd slots=2\n", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult)
                     import = placed_plan_read (text, "hostfile", NULL, fixture->catalogue, &error);

      g_assert_no_error (error);
      g_assert_cmpint (import->plan->cluster.nodes, ==, nodes[i]);
    }
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/launch-placement/round-trips", test_round_trips);
  ADD ("/launch-placement/many-nodes", test_many_nodes);
  ADD ("/launch-placement/numeric-names", test_numeric_names);
  ADD ("/launch-placement/refusal-suggests-formats", test_refusal_suggests_formats);
  ADD ("/launch-placement/inferred-places", test_inferred_places);
  ADD ("/launch-placement/comments-on-nodes", test_comments_on_nodes);
  ADD ("/launch-placement/meshes", test_meshes);
  ADD ("/launch-placement/other-experts", test_other_experts);
  ADD ("/launch-placement/other-programs", test_other_programs);
  ADD ("/launch-placement/notes", test_notes);
  ADD ("/launch-placement/one-gpu-per-node", test_one_gpu_per_node);
  ADD ("/launch-placement/shell-keywords", test_shell_keywords);
  ADD ("/launch-placement/names-of-nodes", test_names_of_nodes);
  ADD ("/launch-placement/broken", test_broken);
  ADD ("/launch-placement/long-lines", test_long_lines);
  return g_test_run ();
}
