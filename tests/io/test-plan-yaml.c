/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/import-context.h"
#include "io/plan/catalogue-xml.h"
#include "io/plan/plan-yaml.h"
#include "plan/plan-check.h"

#include <string.h>

static const char seed[] = "# A comment: 8\n"
                           "world_size: 64\n"
                           "node_shape: 8_nodes_x_8_gpus\n"
                           "parallelism:\n"
                           "  tp_size: 8  # inside a node\n"
                           "  pp_size: 4\n"
                           "  dp_size: 2\n"
                           "reading_note: which collective crosses which link\n";

static void
test_seed (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) default_plan = plg_catalogue_default_plan (known);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_yaml_read (seed, strlen (seed), known, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (plg_plan_same_design (plan, default_plan));
  g_assert_cmpstr (plan->notes, ==, "which collective crosses which link");
  g_assert_cmpstr (plan->title, ==, "");
}

/* Valid files with their nodes, GPUs per node and degrees. */
static const struct
{
  const char *name;
  const char *text;
  int nodes, gpus, tp, cp, ep, pp, dp;
} shapes[] = {
  { "dp left out",
    "world_size: 64\nnode_shape: 8_nodes_x_8_gpus\nparallelism: {tp_size: 4, pp_size: 2}", 8, 8, 4,
    1, 1, 2, 8 },
  { "shape left out", "world_size: 32\nparallelism: {tp_size: 8, pp_size: 4, dp_size: 1}", 4, 8, 8,
    1, 1, 4, 1 },
  { "world left out", "parallelism: {tp_size: 8, pp_size: 2, dp_size: 4}", 8, 8, 8, 1, 1, 2, 4 },
  { "degrees left out", "world_size: 16\n", 2, 8, 1, 1, 1, 1, 16 },
  { "less than a node", "world_size: 4\nparallelism: {tp_size: 4}", 1, 4, 4, 1, 1, 1, 1 },
  { "one node",
    "world_size: 8\nnode_shape: 1_node_x_8_gpus\nparallelism: {tp_size: 8, pp_size: 1, dp_size: 1}",
    1, 8, 8, 1, 1, 1, 1 },
  { "context parallelism",
    "world_size: 64\nparallelism: {tp_size: 8, cp_size: 2, pp_size: 2, dp_size: 2}", 8, 8, 8, 2, 1,
    2, 2 },
  { "foreign keys",
    "a: [1, {b: c}]\n? [x, y]\n: z\nworld_size: 16\nparallelism:\n  tp_size: 8\n  overlap: {x: "
    "[y]}\n",
    2, 8, 8, 1, 1, 1, 2 },
  { "quotes and a byte order mark",
    "\xEF\xBB\xBF\"world_size\": '16'\r\nparallelism:\r\n  tp_size: 8", 2, 8, 8, 1, 1, 1, 2 },
  { "document marks", "%YAML 1.1\n---\nworld_size: 16\n...\n", 2, 8, 1, 1, 1, 1, 16 },
  { "a batch that must grow", "world_size: 512\nparallelism: {tp_size: 1, pp_size: 1}", 64, 8, 1, 1,
    1, 1, 512 },
};

static void
test_shape (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_yaml_read (shapes[i].text, strlen (shapes[i].text), known,
                                                 NULL, &error);
  const int *degree;

  g_assert_no_error (error);
  degree = plan->parallelism.degree;
  g_assert_cmpint (plan->cluster.nodes, ==, shapes[i].nodes);
  g_assert_cmpint (plan->cluster.gpus_per_node, ==, shapes[i].gpus);
  g_assert_cmpint (degree[PLG_AXIS_TP], ==, shapes[i].tp);
  g_assert_cmpint (degree[PLG_AXIS_CP], ==, shapes[i].cp);
  g_assert_cmpint (degree[PLG_AXIS_EP], ==, shapes[i].ep);
  g_assert_cmpint (degree[PLG_AXIS_PP], ==, shapes[i].pp);
  g_assert_cmpint (degree[PLG_AXIS_DP], ==, shapes[i].dp);
  g_assert_true (plg_plan_check (plan, NULL));
}

/* Unknown keys give notices with the most similar key. */
static const struct
{
  const char *text;
  const char *notice;
} unknown[] = {
  { "world_size: 64\nparallelism:\n  tp_size: 8\n  order: tp-cp-dp-pp\n", NULL },
  { "world_size: 64\nparallelism:\n  tpsize: 8\n",
    "3: “tpsize” is not recognised here and is ignored; did you mean tp_size?" },
  { "world_size: 64\nparallelism: {PP: 4}\n",
    "2: “PP” is not recognised here and is ignored; did you mean pp_size?" },
  { "worldsize: 64\nparallelism: {tp_size: 8}\ntp_size: 8\n",
    "1: “worldsize” is not recognised here and is ignored; did you mean world_size?\n"
    "3: “tp_size” is not recognised here and is ignored; did you mean parallelism.tp_size?" },
  { "world_size: 64\noptimizer: {beta: 1}\n",
    "2: “optimizer” is not recognised here and is ignored." },
};

static void
test_unknown (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GString) many = g_string_new ("world_size: 64\n");
  g_autoptr (PlgPlan) of_many = NULL;
  g_autoptr (GPtrArray) notes_of_many = NULL;
  g_autofree char *text_of_many = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      g_autoptr (GPtrArray) notes = NULL;
      g_autofree char *notice = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgPlan) plan = plg_plan_yaml_read (unknown[i].text, strlen (unknown[i].text),
                                                     known, &notes, &error);

      g_assert_no_error (error);
      g_assert_nonnull (plan);
      notice = plg_notes_text (notes, 1u << PLG_NOTE_IGNORED, NULL);
      g_assert_cmpstr (notice, ==, unknown[i].notice);
    }
  for (int i = 0; i < 1000; i++)
    g_string_append_printf (many, "k%d: 1\n", i);
  of_many = plg_plan_yaml_read (many->str, many->len, known, &notes_of_many, NULL);
  text_of_many = plg_notes_text (notes_of_many, 1u << PLG_NOTE_IGNORED, NULL);
  g_assert_true (g_str_has_suffix (text_of_many, "\n992 more keys are ignored."));
}

/* Degrees that do not fit the cluster make an impossible plan, not a damaged file. */
static void
test_impossible (void)
{
  static const char text[] = "world_size: 64\nparallelism:\n  tp_size: 3\n";
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_yaml_read (text, strlen (text), known, NULL, &error);

  g_assert_null (plan);
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD);
  g_assert_true (g_str_has_prefix (error->message, "3:3: TP 3"));
}

#define DEGREES "parallelism:\n  tp_size: 8\n  pp_size: 4\n  dp_size: 2\n"

static const struct
{
  const char *name;
  const char *text;
  const char *says;
} wrong[] = {
  { "empty", "", "1:1: A plan in YAML" },
  { "only a comment", "# hm\n", "A plan in YAML" },
  { "a list", "- world_size: 64\n", "1:1: A plan in YAML" },
  { "a word", "world_size\n", "1:1: A plan in YAML" },
  { "no known key", "a: b\n", "1:1: The file has neither world_size nor parallelism" },
  { "tab", "world_size: 64\nparallelism:\n\ttp_size: 8\n", "3:1: YAML does not allow a tab here" },
  { "not closed", "parallelism: {tp_size: 8\n", "This is not YAML" },
  { "quote not closed", "world_size: \"64\n", "This is not YAML" },
  { "two documents", "world_size: 64\n---\nworld_size: 64\n",
    "2:1: The file has a second document" },
  { "alias of nothing", "world_size: *x\n", "1:13: *x has no value" },
  { "alias of a block", "a: &x {b: 8}\nworld_size: *x\n", "1:4: world_size needs a single" },
  { "merge of a word", "parallelism:\n  <<: 8\n", "2:7: << needs a block with keys" },
  { "merge of words", "parallelism:\n  <<: [{tp_size: 8}, 8]\n", "2:22: << needs a block" },
  { "a key twice with a merge", "parallelism:\n  <<: {tp_size: 8}\n  tp_size: 8\n  tp_size: 8\n",
    "4:12: parallelism.tp_size occurs twice, first on line 3" },
  { "twice", "world_size: 64\nworld_size: 64\n", "2:13: world_size occurs twice, first on line 1" },
  { "a key twice in a block", "parallelism:\n  tp_size: 8\n  pp_size: 4\n  tp_size: 8\n",
    "4:12: parallelism.tp_size occurs twice, first on line 2" },
  { "a block twice", DEGREES DEGREES, "parallelism occurs twice" },
  { "a list of sizes", "world_size: [64]\n", "1:13: world_size needs a single value" },
  { "a block of sizes", "parallelism: {tp_size: {a: 8}}\n", "1:24: parallelism.tp_size needs" },
  { "no block", "world_size: 64\nparallelism: 8\n", "2:14: parallelism needs tp_size" },
  { "a list of degrees", "parallelism: [8, 4, 2]\n", "1:14: parallelism needs tp_size" },
  { "zero", "world_size: 0\n", "1:13: world_size is “0”; it must be a whole number from 1" },
  { "minus", "world_size: -64\n", "1:13: world_size is “-64”" },
  { "not a number", "world_size: .nan\n", "1:13: world_size is “.nan”" },
  { "no value", "world_size:\nparallelism: {tp_size: 1}\n", "world_size is “”" },
  { "half", "parallelism:\n  tp_size: 8.5\n", "2:12: parallelism.tp_size is “8.5”" },
  { "10^18", "world_size: 1000000000000000000\n", "world_size is “1000000000000000000”" },
  { "10^30", "world_size: 1000000000000000000000000000000\n", "it must be a whole number" },
  { "hexadecimal", "world_size: 0x40\n", "1:13: world_size is “0x40”" },
  { "unknown order", "parallelism: {tp_size: 8, order: inside-out}\n",
    "1:34: parallelism.order is “inside-out”; it must list axes" },
  { "shape is not numbers", "world_size: 64\nnode_shape: eight_by_eight\n",
    "2:13: node_shape is “eight_by_eight”; it must look like 8_nodes_x_8_gpus" },
  { "empty shape", "world_size: 64\nnode_shape: 0_nodes_x_8_gpus\n",
    "2:13: node_shape is “0_nodes_x_8_gpus”, but must have 1 to" },
  { "shape too large", "node_shape: 999999999_nodes_x_999999999_gpus\n" DEGREES, "but must have" },
  { "shape longer than a number", "node_shape: 9999999999999_nodes_x_8_gpus\n" DEGREES,
    "1:13: node_shape" },
  { "world and shape",
    "world_size: 32\nnode_shape: 8_nodes_x_8_gpus\nparallelism: {tp_size: 8, pp_size: 4}\n",
    "1:13: world_size is 32, but node_shape on line 2 has 8 × 8 = 64 GPUs" },
  { "shape and degrees",
    "node_shape: 8_nodes_x_8_gpus\nparallelism:\n  tp_size: 8\n  pp_size: 4\n"
    "  dp_size: 4\n",
    "5:12: TP 8 × CP 1 × PP 4 × DP 4 = 128, but there are 64 GPUs" },
  { "world and degrees", "world_size: 128\n" DEGREES, "5:12: TP 8 × CP 1 × PP 4 × DP 2 = 64" },
  { "degrees without DP", "world_size: 64\nparallelism:\n  tp_size: 8\n  pp_size: 3\n",
    "3:3: TP 8 × CP 1 × PP 3 × DP 1 = 24" },
  { "degrees too large",
    "world_size: 64\nparallelism: {tp_size: 65536, cp_size: 65536, pp_size: 65536, dp_size: 65536}",
    "but there are 64 GPUs" },
  { "no whole nodes", "world_size: 12\n", "1:13: 12 GPUs do not fill whole nodes of 8" },
  { "TP beyond the model", "world_size: 128\nparallelism:\n  tp_size: 128\n  pp_size: 1\n",
    "3:3: " },
  { "invalid UTF-8", "world_size: 64\nreading_note: \xFF\n", "2:15: Byte 0xFF is not valid UTF-8" },
  { "UTF-16", "\xFF\xFEw", "1:1: Byte 0xFF is not valid UTF-8" },
  { "control character", "a: b\nworld_size: 64\x02\n", "2:15: This is not YAML" },
};

/* YAML merges: a block's own keys override merged keys at any position, and the first merge
 * overrides later merges. */
static const char *const shared[] = {
  "defaults: &defaults {tp_size: 8, pp_size: 2, dp_size: 2}\n"
  "world_size: &n 64\n"
  "parallelism:\n  <<: *defaults\n  pp_size: 4\n",
  "a: &a {tp_size: 8, pp_size: 2}\nb: &b {<<: *a, pp_size: 4}\nworld_size: 64\n"
  "parallelism: {dp_size: 2, <<: [*b, {dp_size: 16, tp_size: 1}]}\n",
  "<<: {world_size: 64, parallelism: {tp_size: 1, cp_size: 2}}\n"
  "parallelism: {tp_size: 8, pp_size: 4}\n",
};

static void
test_shared (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (shared); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgPlan)
                     plan = plg_plan_yaml_read (shared[i], strlen (shared[i]), known, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_TP], ==, 8);
      g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_CP], ==, 1);
      g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_PP], ==, 4);
      g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_DP], ==, 2);
    }
}

static void
test_wrong (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_yaml_read (wrong[i].text, strlen (wrong[i].text), known, NULL,
                                                 &error);

  g_assert_null (plan);
  g_assert_nonnull (error);
  if (strstr (error->message, wrong[i].says) == NULL)
    g_error ("%s: “%s” lacks “%s”", wrong[i].name, error->message, wrong[i].says);
  g_assert_true (g_regex_match_simple ("^[1-9][0-9]*:[1-9][0-9]*: ", error->message, 0, 0));
}

static const struct
{
  const char *name;
  const char *head;
  const char *piece;
  int n;
} floods[] = {
  { "a million levels of lists", "world_size: 64\na: ", "[", 1000000 },
  { "a million levels of blocks", "world_size: 64\na: ", "{b: ", 1000000 },
  { "a million levels of keys", "world_size: 64\n", "? ", 1000000 },
  { "a million merges", "world_size: 64\nparallelism: ", "{<<: ", 1000000 },
  { "a million entries", "world_size: 64\n", "a: b\n", 1000000 },
  { "a bomb of aliases", "a: &a [x]\n", "b: &b [*a, *a, *a]\n", 1000000 },
  { "a megabyte of quote", "world_size: \"", "0123456789", 100000 },
  { "more than 16 MiB", "world_size: 64\n#", "0123456789abcdef", (1 << 20) + 1 },
};

static void
test_flood (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GString) text = g_string_new (floods[i].head);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = NULL;
  gint64 start = g_get_monotonic_time ();

  for (int n = 0; n < floods[i].n; n++)
    g_string_append (text, floods[i].piece);
  plan = plg_plan_yaml_read (text->str, text->len, known, NULL, &error);
  g_assert_null (plan);
  g_assert_nonnull (error);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * (gint64) G_USEC_PER_SEC);
}

static void
test_damage (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  gsize size = strlen (seed);

  for (gsize at = 0; at < size; at++)
    for (int byte = -1; byte < 256; byte += 9)
      {
        g_autofree char *text = g_memdup2 (seed, size);
        g_autoptr (GError) error = NULL;
        g_autoptr (PlgPlan) plan = NULL;

        if (byte >= 0)
          text[at] = (char) byte;
        plan = plg_plan_yaml_read (text, byte < 0 ? at : size, known, NULL, &error);
        g_assert_true ((plan == NULL) == (error != NULL));
      }
}

static PlgPlan *
written_and_read (const PlgPlan *plan, const PlgCatalogue *known)
{
  g_autofree char *text = plg_plan_yaml_write (plan);
  g_autoptr (GError) error = NULL;
  PlgPlan *read = plg_plan_yaml_read (text, strlen (text), known, NULL, &error);

  g_assert_no_error (error);
  return read;
}

/* Notes and titles are written and read back as the same text. */
static void
test_round_trip_of_notes (void)
{
  static const char *const notes[] = {
    "map each collective to its link",
    "",
    "true",
    "64",
    "yes: no",
    "a # b",
    " space ",
    "one",
    "\"quoted\" \\ back",
    "two\nlines\n\tand a tab",
    "- list",
    "*alias",
    "Ümläute 漢字 🙂",
    "a: b",
    "\xE2\x80\xA8 line separator",
    "{x",
    "null",
    "a  b",
    "ends with a colon:",
  };
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);

  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      g_autoptr (PlgPlan) read = NULL;
      g_free (plan->notes);
      plan->notes = g_strdup (notes[i]);
      g_free (plan->title);
      plan->title = g_strdup (notes[i]);
      read = written_and_read (plan, known);
      g_assert_cmpstr (read->notes, ==, notes[i]);
      g_assert_cmpstr (read->title, ==, notes[i]);
    }
}

static void
test_round_trip_of_degrees (void)
{
  static const int degrees[][4] = { { 8, 1, 4, 2 },
                                    { 4, 2, 4, 2 },
                                    { 1, 1, 1, 64 },
                                    { 2, 1, 2, 16 } };
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  int *degree = plan->parallelism.degree;

  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    {
      g_autoptr (PlgPlan) read = NULL;
      degree[PLG_AXIS_TP] = degrees[i][0];
      degree[PLG_AXIS_CP] = degrees[i][1];
      degree[PLG_AXIS_PP] = degrees[i][2];
      degree[PLG_AXIS_DP] = degrees[i][3];
      read = written_and_read (plan, known);
      g_assert_true (plg_plan_same_design (read, plan));
    }
}

static void
test_round_trip_of_order (void)
{
  static const char *const orders[] = { "tp-cp-pp-dp", "tp-cp-dp-pp", "pp-dp-cp-tp" };
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (PlgPlan) read = NULL;

      g_assert_true (plg_order_from_string (orders[i], plan->parallelism.order));
      read = written_and_read (plan, known);
      g_assert_true (plg_plan_same_design (read, plan));
    }
}

/* Comments are rewritten and are true of this plan. */
static void
test_comments (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autofree char *inside = plg_plan_yaml_write (plan);
  g_autofree char *outside = NULL;

  g_assert_nonnull (strstr (inside, "\nworld_size: 64\nnode_shape: 8_nodes_x_8_gpus\n"));
  g_assert_nonnull (strstr (inside,
                            "  tp_size: 8  # every layer waits for it: keep it inside one node"));
  g_assert_null (strstr (inside, "by hand"));
  g_assert_null (strstr (inside, "cp_size"));
  plan->parallelism.degree[PLG_AXIS_TP] = 16;
  plan->parallelism.degree[PLG_AXIS_DP] = 1;
  plg_placement_expand (&plan->placement, 64);
  outside = plg_plan_yaml_write (plan);
  g_assert_nonnull (strstr (outside, "  tp_size: 16  # wider than a node"));
  g_assert_nonnull (strstr (outside, "moved by hand"));
}

/* The program's example equals the written file of its plan. */
static void
test_example (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples",
                                                 "parallelism_plan.yaml", NULL);
  g_autofree char *text = NULL;
  g_autofree char *written = NULL;
  g_autoptr (PlgPlan) plan = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  plan = plg_plan_yaml_read (text, strlen (text), known, NULL, NULL);
  g_assert_nonnull (plan);
  written = plg_plan_yaml_write (plan);
  g_assert_cmpstr (written, ==, text);
}

/* The written file of a model with experts opens again, with a notice about the lost values. */
static void
test_experts (void)
{
  static const char text[] = "world_size: 16\nparallelism:\n  tp_size: 1\n  ep_size: 8\n"
                             "  pp_size: 4\n  dp_size: 4\n";
  PlgCatalogue *catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) notes = NULL;
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_yaml_read (text, strlen (text), catalogue, &notes, &error);

  g_assert_no_error (error);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_EP], ==, 1);
  notice = plg_notes_text (notes, 1u << PLG_NOTE_IGNORED, NULL);
  g_assert_true (g_str_has_prefix (notice, "4: ep_size 8 is ignored"));
  plg_catalogue_unref (catalogue);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-yaml/experts", test_experts);
  g_test_add_func ("/plan-yaml/seed", test_seed);
  g_test_add_func ("/plan-yaml/example", test_example);
  g_test_add_func ("/plan-yaml/damage", test_damage);
  g_test_add_func ("/plan-yaml/round-trip-of-notes", test_round_trip_of_notes);
  g_test_add_func ("/plan-yaml/round-trip-of-degrees", test_round_trip_of_degrees);
  g_test_add_func ("/plan-yaml/round-trip-of-order", test_round_trip_of_order);
  g_test_add_func ("/plan-yaml/unknown", test_unknown);
  g_test_add_func ("/plan-yaml/impossible", test_impossible);
  g_test_add_func ("/plan-yaml/comments", test_comments);
  g_test_add_func ("/plan-yaml/shared", test_shared);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *path = g_strconcat ("/plan-yaml/shape/", shapes[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_shape);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strconcat ("/plan-yaml/wrong/", wrong[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_wrong);
    }
  for (guint i = 0; i < G_N_ELEMENTS (floods); i++)
    {
      g_autofree char *path = g_strconcat ("/plan-yaml/flood/", floods[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_flood);
    }
  return g_test_run ();
}
