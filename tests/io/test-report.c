/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/advice/advice.h"
#include "io/plan/catalogue-xml.h"
#include "io/reports/report-json.h"
#include "plan/settings/setting.h"
#include "plan/quantity.h"

#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define MAX_COLUMNS 100

static PlgPlan *
make_plan (const char *const *assignments)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  PlgPlan *plan = plg_catalogue_default_plan (known);

  plg_settings_apply (plan, known, assignments, &error);
  g_assert_no_error (error);
  return plan;
}

static PlgReport *
evaluate (const PlgPlan *plan)
{
  g_autoptr (GError) error = NULL;
  PlgReport *report = plg_evaluate_with_advice (plan, &error);

  g_assert_no_error (error);
  return report;
}

static JsonParser *
parse (const char *text)
{
  JsonParser *parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  return parser;
}

/* Plans of each kind. */
static const char *const plans[][6] = {
  { NULL },
  { "parallelism.tp=16", NULL },
  { "training.schedule=interleaved", "parallelism.chunks=2", "parallelism.zero=3", NULL },
  { "model.name=mixtral-8x7b", "parallelism.ep=2", NULL },
  { "model.name=gpt3-175b", "engine.profile=notebook", NULL },
  { "engine.profile=handbook", NULL },
  { "cluster.nodes=1", "parallelism.pp=1", "cluster.gpu=l40s-48", NULL },
  { "parallelism.tp=1", "parallelism.pp=1", "training.global-batch=256", "cluster.nodes=32", NULL },
};

/* Scripts rely on these members. */
static const struct
{
  const char *path;
  GType type;
} members[] = {
  { "$.format", G_TYPE_INT64 },
  { "$.profile", G_TYPE_STRING },
  { "$.world_size", G_TYPE_INT64 },
  { "$.degrees.tp", G_TYPE_INT64 },
  { "$.degrees.cp", G_TYPE_INT64 },
  { "$.degrees.ep", G_TYPE_INT64 },
  { "$.degrees.pp", G_TYPE_INT64 },
  { "$.degrees.dp", G_TYPE_INT64 },
  { "$.micro_batches", G_TYPE_INT64 },
  { "$.parameters.total", G_TYPE_DOUBLE },
  { "$.parameters.active", G_TYPE_DOUBLE },
  { "$.step.time", G_TYPE_DOUBLE },
  { "$.step.tokens_per_second", G_TYPE_DOUBLE },
  { "$.step.tokens_per_second_per_gpu", G_TYPE_DOUBLE },
  { "$.step.model_flops", G_TYPE_DOUBLE },
  { "$.step.hardware_flops", G_TYPE_DOUBLE },
  { "$.step.flops_per_second_per_gpu", G_TYPE_DOUBLE },
  { "$.step.mfu", G_TYPE_DOUBLE },
  { "$.step.hfu", G_TYPE_DOUBLE },
  { "$.step.parts.compute", G_TYPE_DOUBLE },
  { "$.step.parts.recompute", G_TYPE_DOUBLE },
  { "$.step.parts.bubble", G_TYPE_DOUBLE },
  { "$.step.parts.tp", G_TYPE_DOUBLE },
  { "$.step.parts.cp", G_TYPE_DOUBLE },
  { "$.step.parts.ep", G_TYPE_DOUBLE },
  { "$.step.parts.pp", G_TYPE_DOUBLE },
  { "$.step.parts.dp", G_TYPE_DOUBLE },
  { "$.step.parts.optimizer", G_TYPE_DOUBLE },
  { "$.bubble.share_of_step", G_TYPE_DOUBLE },
  { "$.bubble.over_ideal", G_TYPE_DOUBLE },
  { "$.bubble.notebook", G_TYPE_DOUBLE },
  { "$.bubble.simulated", G_TYPE_DOUBLE },
  { "$.memory.capacity", G_TYPE_DOUBLE },
  { "$.memory.peak", G_TYPE_DOUBLE },
  { "$.memory.fits", G_TYPE_BOOLEAN },
  { "$.memory.stages[0].stage", G_TYPE_INT64 },
  { "$.memory.stages[0].weights", G_TYPE_DOUBLE },
  { "$.memory.stages[0].gradients", G_TYPE_DOUBLE },
  { "$.memory.stages[0].optimizer", G_TYPE_DOUBLE },
  { "$.memory.stages[0].activations", G_TYPE_DOUBLE },
  { "$.memory.stages[0].buffers", G_TYPE_DOUBLE },
  { "$.memory.stages[0].runtime", G_TYPE_DOUBLE },
  { "$.memory.stages[0].total", G_TYPE_DOUBLE },
  { "$.groups.tp", G_TYPE_INT64 },
  { "$.groups.pp", G_TYPE_INT64 },
  { "$.groups.dp", G_TYPE_INT64 },
  { "$.placement[7][7]", G_TYPE_INT64 },
  { "$.collectives[0].axis", G_TYPE_STRING },
  { "$.collectives[0].kind", G_TYPE_STRING },
  { "$.collectives[0].calls", G_TYPE_DOUBLE },
  { "$.collectives[0].bytes_per_call", G_TYPE_DOUBLE },
  { "$.collectives[0].group_size", G_TYPE_INT64 },
  { "$.collectives[0].nodes_spanned", G_TYPE_INT64 },
  { "$.collectives[0].tier", G_TYPE_STRING },
  { "$.collectives[0].time", G_TYPE_DOUBLE },
  { "$.collectives[0].exposed", G_TYPE_DOUBLE },
  { "$.links[0].id", G_TYPE_STRING },
  { "$.links[0].tier", G_TYPE_STRING },
  { "$.links[0].from", G_TYPE_STRING },
  { "$.links[0].to", G_TYPE_STRING },
  { "$.links[0].calls", G_TYPE_DOUBLE },
  { "$.links[0].bytes", G_TYPE_DOUBLE },
  { "$.links[0].time", G_TYPE_DOUBLE },
  { "$.links[0].collectives[0]", G_TYPE_STRING },
  { "$.findings[0].id", G_TYPE_STRING },
  { "$.findings[0].severity", G_TYPE_STRING },
  { "$.findings[0].text", G_TYPE_STRING },
  { "$.findings[0].value", G_TYPE_DOUBLE },
  { "$.findings[0].limit", G_TYPE_DOUBLE },
  { "$.findings[0].unit", G_TYPE_STRING },
  { "$.findings[0].remedy", G_TYPE_STRING },
};

/* JSON has no decimal point in an integral number, so the reader may return an integer. */
static void
assert_member (JsonNode *root, const char *path, GType type)
{
  g_autoptr (JsonNode) matches = json_path_query (path, root, NULL);
  JsonArray *array = json_node_get_array (matches);
  JsonNode *node;
  GType found;

  if (json_array_get_length (array) != 1)
    g_error ("%s is missing", path);
  node = json_array_get_element (array, 0);
  g_assert_true (JSON_NODE_HOLDS_VALUE (node));
  found = json_node_get_value_type (node);
  if (found != type && !(type == G_TYPE_DOUBLE && found == G_TYPE_INT64))
    g_error ("%s is of type %s", path, g_type_name (found));
}

static double
number_at (JsonNode *root, const char *path)
{
  g_autoptr (JsonNode) matches = json_path_query (path, root, NULL);

  return json_array_get_double_element (json_node_get_array (matches), 0);
}

/* The plan has findings, so that the report has every kind of member. */
static void
test_members (void)
{
  const char *assignments[] = { "parallelism.tp=16", "training.micro-batch=2", NULL };
  g_autoptr (PlgPlan) plan = make_plan (assignments);
  g_autoptr (PlgReport) report = evaluate (plan);
  g_autofree char *text = NULL;
  g_autoptr (JsonParser) parser = NULL;

  if (report->findings->len == 0)
    {
      PlgFinding finding = { .id = "x",
                             .text = g_strdup ("x"),
                             .unit = "1",
                             .remedy = g_strdup ("x") };
      g_array_append_val (report->findings, finding);
    }
  text = plg_report_json (plan, report, NULL, PLG_REPORT_ALL);
  parser = parse (text);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    assert_member (json_parser_get_root (parser), members[i].path, members[i].type);
}

/* Each number reads back as the same double. */
static void
test_numbers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = make_plan (plans[i]);
      g_autoptr (PlgReport) report = evaluate (plan);
      g_autofree char *text = plg_report_json (plan, report, NULL, PLG_REPORT_ALL);
      g_autoptr (JsonParser) parser = parse (text);
      JsonNode *root = json_parser_get_root (parser);
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, 0);

      g_assert_true (number_at (root, "$.step.time") == report->step.time);
      g_assert_true (number_at (root, "$.step.mfu") == report->step.mfu);
      g_assert_true (number_at (root, "$.step.parts.compute") == report->step.part[0]);
      g_assert_true (number_at (root, "$.parameters.total") == report->parameters_total);
      g_assert_true (number_at (root, "$.memory.stages[0].total") == stage->total);
      g_assert_true (number_at (root, "$.world_size") == report->world_size);
      g_assert_true (number_at (root, "$.format") == 1);
    }
}

static void
test_same_bytes (void)
{
  g_autoptr (PlgPlan) plan = make_plan (plans[0]);
  g_autoptr (PlgReport) report = evaluate (plan);
  g_autofree char *first = plg_report_json (plan, report, NULL, PLG_REPORT_ALL);
  g_autofree char *first_text = plg_report_text (plan, report, NULL, PLG_REPORT_ALL);
  g_autofree char *second = NULL;
  g_autofree char *second_text = NULL;

  /* Files do not use the decimal comma of a locale; without this locale the test checks little. */
  setlocale (LC_NUMERIC, "de_DE.UTF-8");
  second = plg_report_json (plan, report, NULL, PLG_REPORT_ALL);
  second_text = plg_report_text (plan, report, NULL, PLG_REPORT_ALL);
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpstr (first_text, ==, second_text);
  g_assert_true (g_str_has_prefix (first, "{\n  \"format\": 1,\n"));
  g_assert_true (g_str_has_suffix (first, "\n}\n"));
  g_assert_null (strstr (first, " \n"));
}

/* Ranks follow the placement. */
static void
test_placement (void)
{
  g_autoptr (PlgPlan) plan = make_plan (plans[0]);
  g_autoptr (PlgReport) report = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonParser) parser = NULL;

  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[0] = 63;
  plan->placement.gpu_of_rank[63] = 0;
  report = evaluate (plan);
  text = plg_report_json (plan, report, NULL, PLG_REPORT_ALL);
  parser = parse (text);
  g_assert_true (number_at (json_parser_get_root (parser), "$.placement[0][0]") == 63);
  g_assert_true (number_at (json_parser_get_root (parser), "$.placement[7][7]") == 0);
}

/* The output is valid JSON for any report. */
static void
test_odd_report (void)
{
  g_autoptr (PlgPlan) plan = make_plan (plans[0]);
  g_autoptr (PlgReport) report = evaluate (plan);
  PlgFinding finding = { .id = "odd",
                         .text = g_strdup ("\"quoted\" \\ \n\t\x01 \xFF ü"),
                         .value = NAN,
                         .limit = -INFINITY };
  g_autofree char *text = NULL;
  g_autofree char *for_people = NULL;
  g_autoptr (JsonParser) parser = NULL;
  JsonNode *root;
  g_autoptr (JsonNode) found = NULL;

  report->step.time = NAN;
  report->step.mfu = INFINITY;
  report->memory_peak = -0.0;
  report->memory_capacity = 1e308;
  g_array_set_size (report->findings, 0);
  g_array_append_val (report->findings, finding);
  g_free (plan->title);
  plan->title = g_strdup ("</script>\"\x7F");
  text = plg_report_json (plan, report, NULL, PLG_REPORT_ALL);
  for_people = plg_report_text (plan, report, NULL, PLG_REPORT_ALL);
  parser = parse (text);
  root = json_parser_get_root (parser);
  g_assert_nonnull (strstr (text, "\"time\": null,"));
  g_assert_nonnull (strstr (text, "\"mfu\": null,"));
  g_assert_nonnull (strstr (text, "\"limit\": null,"));
  g_assert_true (number_at (root, "$.memory.capacity") == 1e308);
  found = json_path_query ("$.findings[0].text", root, NULL);
  g_assert_cmpstr (json_array_get_string_element (json_node_get_array (found), 0), ==,
                   "\"quoted\" \\ \n\t\x01 \xEF\xBF\xBD ü");
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (for_people);
}

static void
assert_narrow (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    {
      if (g_utf8_strlen (lines[i], -1) > MAX_COLUMNS)
        g_error ("This line is too long: %s", lines[i]);
      g_assert_false (g_str_has_suffix (lines[i], " "));
    }
}

static void
test_text (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = make_plan (plans[i]);
      g_autoptr (PlgReport) report = evaluate (plan);
      g_autofree char *text = plg_report_text (plan, report, NULL, PLG_REPORT_ALL);

      assert_narrow (text);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_true (g_str_has_suffix (text, "\n"));
      g_assert_nonnull (strstr (text, "\nStep\n"));
      g_assert_nonnull (strstr (text, "\nWhere the time goes\n"));
      g_assert_nonnull (strstr (text, "(p − 1) / (p·m)"));
      g_assert_true ((strstr (text, " fits in ") != NULL) == report->fits);
      g_assert_true ((strstr (text, " does NOT fit in ") != NULL) == !report->fits);
      g_assert_null (strstr (text, "nan"));
    }
}

/* The memory of the host is shown only if a plan uses it. */
static void
test_host_memory (void)
{
  g_autoptr (PlgPlan) plan = make_plan (plans[0]);
  g_autoptr (PlgReport) report = evaluate (plan), used = NULL;
  g_autofree char *text = plg_report_text (plan, report, NULL, PLG_REPORT_ALL);
  g_autofree char *used_text = NULL, *needed = NULL, *line = NULL;

  g_assert_null (strstr (text, "Host memory"));
  plan->training.offload_optimizer = 1.0;
  plan->cluster.host_memory = 10.0 * PLG_GIB;
  used = evaluate (plan);
  used_text = plg_report_text (plan, used, NULL, PLG_REPORT_ALL);
  needed = plg_format_memory_distinct (plg_report_host_memory (used), plan->cluster.host_memory);
  line = g_strdup_printf ("\n  Host memory per GPU: %s of 10\u00a0GiB\n", needed);
  g_assert_nonnull (strstr (used_text, line));
}

/* The notebook profile prints the notebook's numbers digit for digit and no other numbers. */
static void
test_notebook (void)
{
  static const struct
  {
    const char *assignments[5];
    const char *says[6];
  } cases[] = {
    { { "engine.profile=notebook", "training.global-batch=16" },
      { "GPT-3 175B, the notebook's model", "39.26\u00a0%", "9.375\u00a0%", "118.7\u00a0GB",
        "80\u00a0GB" } },
    { { "engine.profile=notebook", "cluster.nodes=128", "training.global-batch=256" },
      { "36.05\u00a0%", "of the notebook's peak" } },
    { { "engine.profile=notebook", "parallelism.tp=1", "parallelism.pp=1" },
      { "Act I", "memory as in Act II" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = make_plan (cases[i].assignments);
      g_autoptr (PlgReport) report = evaluate (plan);
      g_autofree char *text = plg_report_text (plan, report, NULL, PLG_REPORT_ALL);

      for (int j = 0; cases[i].says[j] != NULL; j++)
        if (strstr (text, cases[i].says[j]) == NULL)
          g_error ("“%s” is not in:\n%s", cases[i].says[j], text);
      g_assert_null (strstr (text, "Llama"));
      g_assert_null (strstr (text, "GiB"));
      g_assert_null (strstr (text, "Collectives"));
      g_assert_null (strstr (text, "simulated"));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/members", test_members);
  g_test_add_func ("/report/numbers", test_numbers);
  g_test_add_func ("/report/same-bytes", test_same_bytes);
  g_test_add_func ("/report/placement", test_placement);
  g_test_add_func ("/report/odd-report", test_odd_report);
  g_test_add_func ("/report/text", test_text);
  g_test_add_func ("/report/host-memory", test_host_memory);
  g_test_add_func ("/report/notebook", test_notebook);
  return g_test_run ();
}
