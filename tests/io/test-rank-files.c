/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "placed-plan.h"

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

static const char *const formats[] = { "ranks", "ranks-json" };

/* Reads the file over the default plan, with the model that experts need. */
static void
assert_round_trip (Fixture *fixture, const PlacedPlan *placed, const char *format)
{
  g_autoptr (PlgPlan) plan = placed_plan (placed, fixture->catalogue);
  g_autoptr (PlgPlan) base = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = placed_plan_write (plan, format, &error);
  g_autoptr (PlgImportResult) import = NULL;

  g_assert_no_error (error);
  if (plan->model.experts > 0)
    plg_setting_set (base, fixture->catalogue, "model.name", plan->model.name, &error);
  g_assert_no_error (error);
  import = placed_plan_read (text, format, base, fixture->catalogue, &error);
  g_assert_no_error (error);
  /* A table of ranks has no settings of ZeRO. */
  import->plan->parallelism.replicate = plan->parallelism.replicate;
  if (!placed_plan_same (import->plan, plan) ||
      !plg_node_names_equal (&import->plan->node_names, &plan->node_names))
    g_error ("%s: not the same plan from %s", placed->name, format);
}

static void
test_round_trips (Fixture *fixture, gconstpointer data)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (int i = 0; i < n_placed_plans; i++)
      assert_round_trip (fixture, &placed_plans[i], formats[f]);
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  PlacedPlan small = { "small",
                       { "cluster.nodes=2", "cluster.gpus-per-node=2", "parallelism.tp=2",
                         "parallelism.pp=2", "cluster.node-names=1=dgx-b" },
                       { "1-2" } };
  g_autoptr (PlgPlan) plan = placed_plan (&small, fixture->catalogue);
  g_autofree char *csv = placed_plan_write (plan, "ranks", NULL);
  g_autofree char *json = placed_plan_write (plan, "ranks-json", NULL);

  g_assert_cmpstr (csv, ==,
                   "rank,node,local_gpu,tp,pp,dp,host\n"
                   "0,0,0,0,0,0,node0\n"
                   "1,1,0,1,0,0,dgx-b\n"
                   "2,0,1,0,1,0,node0\n"
                   "3,1,1,1,1,0,dgx-b\n");
  g_assert_nonnull (strstr (json,
                            "{\"rank\": 1, \"node\": 1, \"local_gpu\": 0, \"tp\": 1, \"pp\": 0, "
                            "\"dp\": 0, \"cp\": 0, \"ep\": 0, \"host\": \"dgx-b\"}"));
}

/* Other programs rely on six columns: further columns appear only if the plan has values for
 * them. */
static void
test_columns (Fixture *fixture, gconstpointer data)
{
  PlacedPlan usual = { "usual",
                       { "cluster.nodes=1", "cluster.gpus-per-node=2", "parallelism.tp=2",
                         "parallelism.pp=1" },
                       { NULL } };
  PlacedPlan contexts = { "contexts",
                          { "cluster.nodes=1", "cluster.gpus-per-node=2", "parallelism.tp=1",
                            "parallelism.pp=1", "parallelism.cp=2" },
                          { NULL } };
  g_autoptr (PlgPlan) plain = placed_plan (&usual, fixture->catalogue);
  g_autoptr (PlgPlan) plan = placed_plan (&contexts, fixture->catalogue);
  g_autofree char *csv = placed_plan_write (plain, "ranks", NULL);
  g_autofree char *more = placed_plan_write (plan, "ranks", NULL);

  g_assert_cmpstr (csv, ==, "rank,node,local_gpu,tp,pp,dp\n0,0,0,0,0,0\n1,0,1,1,0,0\n");
  g_assert_cmpstr (more, ==, "rank,node,local_gpu,tp,pp,dp,cp\n0,0,0,0,0,0,0\n1,0,1,0,0,0,1\n");
}

static void
assert_read_as (Fixture *fixture, const char *format, const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult)
                 import = placed_plan_read (text, format, NULL, fixture->catalogue, &error);
  g_auto (GStrv) settings = g_strsplit (expected, " ", -1);

  g_assert_no_error (error);
  for (int i = 0; settings[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (settings[i], ":", 2);
      g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), import->plan);

      g_assert_cmpstr (value, ==, pair[1]);
    }
}

static void
assert_read (Fixture *fixture, const char *text, const char *expected)
{
  assert_read_as (fixture, "ranks", text, expected);
}

/* Tables of other programs: fewer columns, other names, tabs, quotes, rows in any order. */
static void
test_other_tables (Fixture *fixture, gconstpointer data)
{
  assert_read (fixture, "rank\thost\tgpu\n1\tb\t0\n0\ta\t0\n",
               "cluster.nodes:2 cluster.gpus-per-node:1 cluster.node-names:0=a,1=b");
  assert_read (fixture, "# made by hand\r\n\r\nRank;Node\r\n0;gpu-9\r\n1;gpu-10\r\n",
               "cluster.nodes:2 cluster.node-names:0=gpu-9,1=gpu-10");
  assert_read (fixture, "rank,node,local_gpu,pci,tp,dp\n0,0,0,\"a,\"\"b\",0,0\n1,0,1,c,0,1\n",
               "cluster.nodes:1 parallelism.dp:2 parallelism.tp:1 parallelism.pp:1");
  assert_read (fixture, "\"rank\",\"node\",\"local_gpu\"\n\"0\",\"a\",\"0\"\n\"1\",\"b\",\"0\"\n",
               "cluster.nodes:2 cluster.node-names:0=a,1=b");
  assert_read_as (fixture, "ranks-json",
                  "[\n  {\"rank\": 0, \"node\": 0, \"local_gpu\": 0, \"tp\": 0, \"dp\": 0},\n"
                  "  {\"rank\": 1, \"node\": 0, \"local_gpu\": 1, \"tp\": 1, \"dp\": 0},\n"
                  "  {\"rank\": 2, \"node\": 1, \"local_gpu\": 0, \"tp\": 0, \"dp\": 1},\n"
                  "  {\"rank\": 3, \"node\": 1, \"local_gpu\": 1, \"tp\": 1, \"dp\": 1}\n]\n",
                  "cluster.nodes:2 cluster.gpus-per-node:2 parallelism.tp:2 parallelism.dp:2");
  assert_read_as (fixture, "ranks-json",
                  "[{\"host\":\"b\",\"rank\":1},{\"host\":\"a\",\"rank\":0}]",
                  "cluster.nodes:2 cluster.node-names:0=a,1=b");
  assert_read_as (fixture, "ranks-json",
                  "{\"ranks\": [{\"rank\":0, \"node\":\"a\"}, {\"rank\":1, \"node\":\"b\"}]}",
                  "cluster.nodes:2 cluster.node-names:0=a,1=b");
}

/* Hosts that the open plan knows are its nodes, whatever the alphabetical order of their names. */
static void
test_known_hosts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) base = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = NULL;
  const char *settings[] = { "cluster.nodes=2",  "cluster.gpus-per-node=1",    "parallelism.tp=1",
                             "parallelism.pp=1", "cluster.node-names=0=z,1=a", NULL };

  plg_settings_apply (base, fixture->catalogue, settings, &error);
  g_assert_no_error (error);
  import = placed_plan_read ("rank,host\n0,z\n1,a\n", "ranks", base, fixture->catalogue, &error);
  g_assert_no_error (error);
  g_assert_cmpint (import->plan->placement.size, ==, 0);
  g_assert_true (plg_node_names_equal (&base->node_names, &import->plan->node_names));
}

static const BrokenFile broken_csv[] = {
  { "no rows", "rank,node\n", "FILE: The file contains no ranks." },
  { "no node", "rank,gpu\n0,0\n", "FILE:1: A table of ranks needs the columns rank and node" },
  { "a column twice", "rank,node,gpu,local_gpu\n", "FILE:1: The column “local_gpu” occurs twice" },
  { "a row too short", "rank,node,gpu\n0,0,0\n1,0\n", "FILE:3: This line has 2 columns" },
  { "a row too long", "rank,node\n0,0,0\n", "FILE:2: This line has 3 columns" },
  { "truncated", "rank,node,gpu\n0,0,0\n1,0,1\n2,\"0", "FILE:4: A quotation mark" },
  { "a word", "rank,node,gpu\n0,0,zero\n", "FILE:2: Column 3 is “zero”; it must be a whole" },
  { "negative", "rank,node,gpu\n-1,0,0\n", "FILE:2: Column 1 is “-1”" },
  { "huge", "rank,node,gpu\n99999999999999999999,0,0\n", "FILE:2: Column 1 is “999" },
  { "a huge node", "rank,node,gpu\n0,99999,0\n", "FILE:2: Column 2 is “99999”" },
  { "a rank twice", "rank,node,gpu\n0,0,0\n0,0,1\n",
    "FILE:3: Rank 0 occurs twice, first on line 2" },
  { "a rank missing", "rank,node,gpu\n0,0,0\n2,0,1\n",
    "FILE:3: This is rank 2, but there is no rank 1" },
  { "a GPU twice", "rank,node,gpu\n0,0,0\n1,0,0\n",
    "FILE:3: GPU 0 of node0 already has another rank" },
  { "a GPU empty", "rank,node,gpu\n0,0,0\n1,0,2\n", "FILE:3: GPU 1 of node0 has no rank" },
  { "a node empty", "rank,node,gpu\n0,0,0\n1,2,0\n", "FILE:3: GPU 0 of node1 has no rank" },
  { "nodes of different sizes", "rank,host\n0,a\n1,a\n2,b\n",
    "FILE:4: There are 2 ranks on a, but 1 on b" },
  { "two names", "rank,node,gpu,host\n0,0,0,a\n1,0,1,b\n2,0,2,b\n",
    "FILE:3: Node 0 is called b here" },
  { "GPUs of two hosts in turns", "rank,node,gpu,host\n0,0,0,a\n1,0,1,b\n2,0,2,a\n3,0,3,b\n",
    "FILE:3: Node 0 is called b here" },
  { "one name for two", "rank,node,gpu,host\n0,0,0,a\n1,1,0,a\n",
    "FILE:3: Node 1 is called a here" },
  { "hostile name", "rank,host\n0,$(reboot)\n", "FILE:2: “$(reboot)” is not a valid node name" },
  { "a path", "rank,host\n0,../../x\n", "FILE:2: “../../x” is not a valid node name" },
  { "degrees", "rank,node,gpu,tp,pp\n0,0,0,0,0\n1,0,1,3,0\n",
    "FILE:3: TP 4 × CP 1 × PP 1 × DP 1 do not give the 2" },
  { "huge degrees", "rank,node,gpu,tp,pp,dp,cp\n0,0,0,65535,65535,65535,65535\n",
    "FILE:2: TP 65536" },
  { "no nested axes", "rank,node,gpu,tp,pp\n0,0,0,0,0\n1,0,1,1,0\n2,0,2,1,1\n3,0,3,0,1\n",
    "FILE:4: Rank 2 has the coordinates that belong to rank 3" },
  { "experts out of order", "rank,node,gpu,dp,ep\n0,0,0,0,0\n1,0,1,1,1\n2,0,2,2,1\n3,0,3,3,0\n",
    "FILE:4: EP is 1 here" },
  { "not text", "rank,node\n0,\xFF\n", "FILE:2: Byte 0xFF" },
};

static void
test_broken_csv (Fixture *fixture, gconstpointer data)
{
  assert_broken (broken_csv, G_N_ELEMENTS (broken_csv), "ranks", fixture->catalogue);
}

static const BrokenFile broken_json[] = {
  { "no ranks", "{\"ranks\": []}", "FILE: The file contains no ranks." },
  { "no list", "{\"ranks\": 3}", "FILE:1: " },
  { "truncated", "{\"ranks\": [\n{\"rank\": 0, \"node\": 0},\n{\"rank\":", "FILE:3: " },
  { "no object", "{\"ranks\": [\n0]}", "FILE:2: " },
  { "no rank", "{\"ranks\": [\n{\"node\": 0}]}", "FILE:2: Each rank needs" },
  { "a word", "{\"ranks\": [\n{\"rank\": \"x\", \"node\": 0}]}", "FILE:2: " },
  { "out of range", "{\"ranks\": [\n{\"rank\": 0, \"node\": 1e15}]}",
    "FILE:2: “node” is 1000000000000000" },
  { "another rank",
    "{\"ranks\": [\n{\"rank\": 0, \"node\": 0},\n{\"rank\": 1, \"node\": 0, \"tp\": 0}]}",
    "FILE:3: This rank does not have the same fields as the rank on line 2" },
  { "hostile name", "{\"ranks\": [\n{\"rank\": 0, \"host\": \"`id`\"}]}",
    "FILE:2: “`id`” is not a valid" },
  { "a list with a hole", "[{\"rank\": 0, \"node\": 0},\n{\"rank\": 2, \"node\": 0}]",
    "FILE:2: This is rank 2, but there is no rank 1" },
  { "a list that is cut off", "[{\"rank\": 0, \"node\": 0},\n{\"rank\": 1",
    "FILE:2: The file ends" },
  { "a list with something else", "[{\"rank\": 0, \"node\": 0},\n3]", "FILE:2: " },
  { "world size", "{\"world_size\": 2,\n\"ranks\": [{\"rank\": 0, \"node\": 0}]}",
    "FILE:1: “world_size” is 2, but" },
};

static void
test_broken_json (Fixture *fixture, gconstpointer data)
{
  assert_broken (broken_json, G_N_ELEMENTS (broken_json), "ranks-json", fixture->catalogue);
}

/* The maximum number of ranks, and one more. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  GString *text = g_string_new ("rank,node\n");
  g_autofree char *owned = NULL;
  BrokenFile large = { .name = "too many", .says = "FILE:65538: There are more than 65536 ranks" };

  for (int i = 0; i <= PLG_MAX_GPUS; i++)
    g_string_append_printf (text, "%d,%d\n", MIN (i, PLG_MAX_GPUS - 1), i / 16);
  owned = g_string_free (text, FALSE);
  large.text = owned;
  assert_broken (&large, 1, "ranks", fixture->catalogue);
  *strstr (owned, "65535,4096") = '\0';
  assert_read (fixture, owned, "cluster.nodes:4096 cluster.gpus-per-node:16");
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/rank-files/round-trips", test_round_trips);
  ADD ("/rank-files/text", test_text);
  ADD ("/rank-files/columns", test_columns);
  ADD ("/rank-files/other-tables", test_other_tables);
  ADD ("/rank-files/known-hosts", test_known_hosts);
  ADD ("/rank-files/broken-csv", test_broken_csv);
  ADD ("/rank-files/broken-json", test_broken_json);
  ADD ("/rank-files/many", test_many);
  return g_test_run ();
}
