/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-fixture.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests of the program as people and scripts use it: each test runs the program in a separate
 * folder without a display, and checks status, output, messages and files. */

static const char *const commands[] = { "evaluate", "export", "convert", "check",
                                        "learner",  "new",    "solve" };

/* GLib takes the first of two options with the same name and does not warn. */
static void
assert_options_differ (const char *help)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GRegex) option = g_regex_new ("^ +(?:-., )?(--[a-z-]+)", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_regex_match (option, help, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    g_assert_true (g_hash_table_add (names, g_match_info_fetch (match, 1)));
  g_assert_true (g_hash_table_contains (names, "--help"));
}

static void
test_help (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "--help"), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    assert_contains (fixture->out, commands[i]);
  g_assert_cmpint (run (fixture, "--version"), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->out, "parallelogram-cli "));
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *command = g_strconcat (commands[i], " --help", NULL);

      g_assert_cmpint (run (fixture, command), ==, 0);
      assert_contains (fixture->out, "parallelogram-cli ");
      /* All commands but one are about plans. */
      g_assert_cmpint (strstr (fixture->out, "--set") != NULL, ==,
                       !g_str_equal (commands[i], "learner"));
      g_assert_cmpstr (fixture->err, ==, "");
      assert_options_differ (fixture->out);
    }
}

/* Wrong usage: status 2, nothing on standard output, and a message that names the mistake. */
static const struct
{
  const char *command;
  const char *contains;
} misuses[] = {
  { "", "Usage" },
  { "frobnicate", "frobnicate" },
  { "evaluate --nonsense", "--nonsense" },
  { "export --nonsense", "--nonsense" },
  { "convert --nonsense", "--nonsense" },
  { "check --nonsense", "--nonsense" },
  { "new --nonsense", "--nonsense" },
  { "evaluate --set", "--set" },
  { "evaluate a.plan.xml b.plan.xml", "Give only one plan" },
  { "evaluate --format yaml", "text, json or lines" },
  { "evaluate --explain speed", "memory, bubble, communication or run" },
  { "evaluate --like --explain mfu", "--like cannot be combined" },
  { "evaluate --only step --like", "--only cannot be combined" },
  { "evaluate --only step,nonsense", "from step, band, memory, run, placement, communication, "
                                     "findings, not “step,nonsense”" },
  { "evaluate --only ''", "--only must list sections" },
  { "evaluate --like --format lines", "--like cannot be combined" },
  { "evaluate --like --set engine.profile=notebook", "profile standard" },
  { "evaluate --explain mfu --format json", "--format must be text" },
  { "evaluate --set parallelism.tp", "parallelism.tp" },
  { "evaluate --set =4", "parallelism.tp" },
  { "evaluate --set parallelism.xp=4", "parallelism.tp" },
  { "evaluate --set parallelism.tp=0", "0" },
  { "evaluate --set parallelism.tp=-8", "-8" },
  { "evaluate --set parallelism.tp=nan", "nan" },
  { "evaluate --set parallelism.tp=8.5", "8.5" },
  { "evaluate --set parallelism.tp=1000000000000000000", "1000000000000000000" },
  { "evaluate --set cluster.memory=nan", "nan" },
  { "evaluate --set cluster.gpu=z80", "h100-sxm-80" },
  { "evaluate --set model.name=gpt5", "llama3-70b" },
  { "evaluate --set training.precision=int1", "bf16" },
  { "evaluate --set parallelism.order=tp-tp-pp", "tp-tp-pp" },
  { "export", "-o" },
  { "export -o picture.tiff", ".svg" },
  { "export -o -", "--format" },
  { "export -o a.svg --export-all folder", "-o" },
  { "export -o a.svg --format tiff", "svg, pdf, png" },
  { "export -o a.svg --view moon", "cluster" },
  { "export -o a.svg --show moon", "memory" },
  { "export -o a.svg --palette moon", "grey" },
  { "export -o a.svg --background moon", "transparent" },
  { "export -o a.svg --link-color moon", "frequency" },
  { "export -o a.png --scale 0.01", "0.1" },
  { "export -o a.png --scale nan", "0.1" },
  { "export -o a.png --scale much", "much" },
  { "export -o a.png --dpi 1e18", "1920" },
  { "export -o a.png --scale 2 --dpi 300", "--dpi" },
  { "export -o a.svg --at soon", "850ms" },
  { "export -o a.svg --at 1week", "850ms" },
  { "export -o a.svg --at 50s", "must be a time from 0 s to" },
  { "export -o a.svg --at=-1s", "must be a time from 0 s to" },
  { "export -o a.svg --width -5", "--width" },
  { "export -o a.svg --width nan", "--width" },
  { "export -o a.svg --legend moon", "right" },
  { "export -o a.svg --links moon", "logical" },
  { "export -o a.svg --view matrix --pairs moon", "traffic" },
  { "export -o a.svg --pairs traffic", "matrix" },
  { "export -o a.pdf --page moon", "letter" },
  { "export -o a.svg --page a4", "--page" },
  { "export -o a.svg --nodes 8", "0 to 7" },
  { "export -o a.svg --nodes 3-1", "0 to 7" },
  { "export -o a.svg --nodes 1-2-3", "--nodes" },
  { "export -o a.svg --nodes ''", "--nodes" },
  { "export -o a.png --scale 0", "--scale must be" },
  { "export -o a.png --dpi 0", "--dpi between 9.6" },
  { "export -o a.svg --zoom 0", "--zoom must be" },
  { "export -o a.svg --view mfu --width 0", "--width must be" },
  { "export -o a.svg --crop 1,2,3", "X,Y,WIDTH,HEIGHT" },
  { "export -o a.svg --crop 1,2,0,3", "--crop" },
  { "export -o a.svg --crop 1,2,nan,3", "--crop" },
  { "export -o a.svg --crop 1,2,3,4,5", "--crop" },
  { "export -o a.svg --crop 9000,0,10,10", "outside the picture “cluster”" },
  { "export -o a.txt --view mfu --crop=-50,0,40,10", "outside the picture “mfu”" },
  { "export -o a.svg --select collective:0", "cannot be outlined" },
  { "export -o a.svg --select tp", "cannot be outlined" },
  { "export -o a.svg --select gpu:3 --select gpu:5", "more than once" },
  { "export -o '' --format svg", "-o FILE" },
  { "export --export-all ''", "--export-all DIR" },
  { "export -o a.svg --view collective --collective ''", "tp:all-gather" },
  { "export -o a.svg --view collective --collective tp:all", "tp:all-gather" },
  { "export -o a.svg --view collective --rank 64", "0 to 63" },
  { "export -o a.svg --view collective --frame 8", "0 to 7" },
  { "export -o a.svg --view collective --frame=-1", "0 to 7" },
  { "export -o a.svg --view split --frame 99999", "0 to 4" },
  { "export --export-all folder --frame 99999", "0 to 7" },
  { "evaluate --language xx", "en, de" },
  { "export -o a.svg --language ''", "en, de" },
  { "export -o a.svg --view compare --with-order tp-tp", "tp-dp-pp" },
  { "export -o a.svg --view compare --with-order ''", "megatron" },
  { "export -o a.svg --x parallelism.tp", "it applies to sweep." },
  { "export -o a.svg --view sweep --metric mfu", "--x" },
  { "export -o a.svg --view sweep --y parallelism.tp", "--x" },
  { "export -o a.svg --view sweep --x parallelism.xp", "parallelism.tp" },
  { "export -o a.svg --view sweep --x ''", "parallelism.tp" },
  { "export -o a.svg --view sweep --x parallelism.tp=1..0", "smaller number" },
  { "export -o a.svg --view sweep --x cluster.nodes=1..9999:+1", "500" },
  { "export -o a.svg --view sweep --x parallelism.tp --metric speed", "mfu" },
  { "export -o a.svg --view sweep --x parallelism.tp --metric step-tim", "Similar: step-time" },
  { "export -o a.csv", "--view sweep" },
  { "export --export-all folder --format csv", "--view sweep" },
  { "export -o a.svg --vary parallelism.tp=4", "it applies to search" },
  { "export -o a.svg --view search --color-by training.loss", "parallelism.tp" },
  { "export -o a.svg --view search --by speed", "--by" },
  { "export -o a.svg --view search --by tp-link-time", "does not compute" },
  { "export -o a.svg --view search --require 'memory<=x'", "not a number" },
  { "export -o a.svg --view search --pareto mfu", "two metrics" },
  { "export -o a.svg --view search --vary parallelism.tp=zz", "zz" },
  { "export -o a.svg --view search --keep model.layers", "--keep" },
  { "export -o a.csv --view sweep --palette grey", "in a file of type csv" },
  { "export -o a.svg --view sweep --format csv", "use the extension .csv" },
  { "export -o a.svg --focus gpu:64", "gpu:64" },
  { "export -o a.svg --pin moon", "moon" },
  { "export -o a.svg --select ''", "gpu:17" },
  { "export -o a.svg --view memory --nodes 0-3", "it applies to cluster, matrix, compare." },
  { "export -o a.svg --view cluster --columns 0-3", "it applies to matrix." },
  { "export -o a.svg --view matrix --columns 3-2", "--columns is “3-2”" },
  { "export -o a.svg --view mfu --at 3s", "it applies to cluster, timeline." },
  { "export -o a.svg --view memory --show pp", "--show has no effect" },
  { "export -o a.svg --view memory --pin gpu:1", "--pin has no effect" },
  { "export -o a.svg --view ledger --pin tp:3", "links, GPUs and collectives" },
  { "export -o a.svg --view memory --legend right", "--legend right has no effect" },
  { "export -o a.svg --view mfu --no-legend", "--no-legend has no effect" },
  { "export -o a.svg --frame 2", "it applies to collective, split." },
  { "export -o a.svg --view split --rank 2", "it applies to collective." },
  { "export -o a.svg --width 500", "--width has no effect" },
  { "export -o a.svg --scale 2", "it applies to png." },
  { "export -o a.txt --view compare --show pp",
    "--show has no effect in the view “compare” in a file of type txt." },
  { "export -o a.png --without-plan", "it applies to svg." },
  { "export -o a.txt --palette grey", "svg, pdf, png, tex, drawio" },
  { "export -o a.txt --links logical", "--links has no effect" },
  { "export -o a.svg --format png", "use the extension .png" },
  { "export --export-all folder --view memory", "leave --view out" },
  { "export -o a.svg --no-legend --legend on", "give only one" },
  { "solve", "Write a condition first" },
  { "solve fits", "--for" },
  { "solve fits --for cluster.nodess", "cluster.nodes" },
  { "solve fits --for ''", "use, for example, cluster.nodes" },
  { "solve fits --for training.recompute", "only a setting with a number" },
  { "solve 'days<=much' --for cluster.nodes", "much" },
  { "solve 'dayz<=3' --for cluster.nodes", "days" },
  { "solve fits --for cluster.nodes --assert moon", "moon" },
  { "solve fits --for cluster.nodes --largest --smallest", "only one" },
  { "solve fits --for cluster.nodes --format yaml", "text or json" },
  { "solve fits a.plan.xml b.plan.xml --for cluster.nodes", "Give only one plan" },
  { "convert", "--to" },
  { "convert --to moon", "moon" },
  { "check --assert memmory", "Similar: memory" },
  { "check --assert moon", "“moon” cannot be asserted." },
  { "check --assert memory", "<=" },
  { "check --assert 'memory<=much'", "much" },
  { "check --assert 'memory<=nan'", "nan" },
  { "check --assert 'memory<=75furlong'", "GiB" },
  { "check --assert 'mfu>=45'", "45%" },
  { "check --assert 'fits==1'", "fits" },
  { "check --assert 'tokens-per-second>=5k'", "tokens-per-second takes no unit" },
  { "new a.plan.xml", "no plan" },
  { "new --model gpt5", "llama3-70b" },
  { "new --cluster abacus", "hgx-h100" },
  { "new --cluster 0xhgx-h100", "0" },
  { "new --cluster 16384xhgx-h100", "the largest cluster has 65536" },
  { "new --import a.hosts", "--import" },
  { "new --cluster 99999999999999999999xhgx-h100", "99999999999999999999" },
};

static void
test_misuse (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (misuses); i++)
    {
      g_assert_cmpint (run (fixture, misuses[i].command), ==, 2);
      g_assert_cmpstr (fixture->out, ==, "");
      assert_contains (fixture->err, misuses[i].contains);
    }
}

/* Impossible plans: status 1 and the reason. */
static const struct
{
  const char *command;
  const char *contains;
} impossible[] = {
  { "evaluate --set parallelism.tp=7", "7" },
  { "evaluate --set model.heads=60 --set model.kv-heads=4", "60" },
  { "evaluate --set parallelism.pp=64 --set parallelism.tp=1 --set model.layers=8", "8" },
  { "evaluate --set parallelism.tp=8 --set parallelism.pp=4 --set parallelism.dp=3", "64" },
  { "evaluate --set training.global-batch=63", "63" },
  { "export -o a.svg --set parallelism.tp=7", "7" },
  { "convert --to yaml --set parallelism.tp=7", "7" },
  { "check --set parallelism.tp=7", "7" },
  { "new --set parallelism.tp=7", "7" },
};

static void
test_impossible (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (impossible); i++)
    {
      g_assert_cmpint (run (fixture, impossible[i].command), ==, 1);
      g_assert_true (g_str_has_prefix (fixture->err, "parallelogram-cli: "));
      assert_contains (fixture->err, impossible[i].contains);
    }
}

/* An impossible plan in a file is reported with its place. A plan that does not fit in memory is
 * possible. */
static void
test_impossible_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) plan = NULL;

  g_assert_cmpint (run (fixture, "convert --to xml"), ==, 0);
  plan = g_string_new (fixture->out);
  g_assert_cmpint (g_string_replace (plan, " tp=\"8\"", " tp=\"7\"", 0) +
                       g_string_replace (plan, "\n    tp=\"8\"", "\n    tp=\"7\"", 0),
                   ==, 1);
  write_file (fixture, "seven.plan.xml", plan->str);
  g_assert_cmpint (run (fixture, "evaluate seven.plan.xml"), ==, 1);
  g_assert_true (g_str_has_prefix (fixture->err, "parallelogram-cli: seven.plan.xml:"));
  g_assert_cmpint (run (fixture, "check seven.plan.xml"), ==, 1);
  assert_contains (fixture->out, "FAIL");
  g_assert_cmpint (run (fixture, "evaluate --set cluster.memory=8"), ==, 0);
}

#define CLUSTER "<cluster node=\"hgx-h100\" nodes=\"8\"/>"

/* Files that are not plans: status 3 and the place of the error. */
static const struct
{
  const char *name;
  const char *text;
  const char *place;
} bad_files[] = {
  { "empty.xml", "", "" },
  { "truncated.plan.xml", "<plan version=\"1\">\n  <title>Half", "2" },
  { "other.xml", "<html/>", "" },
  { "wrong-number.plan.xml", "<plan version=\"1\">\n" CLUSTER "\n<parallelism tp=\"many\"/></plan>",
    "3" },
  { "nan.plan.xml", "<plan version=\"1\">\n<cluster memory=\"nan\"/></plan>", "2" },
  { "huge.plan.xml", "<plan version=\"1\">\n<cluster nodes=\"1000000000000000000\"/></plan>", "2" },
  { "unknown-name.plan.xml", "<plan version=\"1\">\n<model name=\"gpt5\"/></plan>", "2" },
  { "doctype.plan.xml",
    "<!DOCTYPE plan [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n<plan version=\"1\">&a;</plan>",
    "1" },
  { "broken.yaml", "world_size: [64\n", "" },
  { "prose.txt", "This is not a plan.\n", "" },
};

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad_files); i++)
    {
      g_autofree char *command = g_strconcat ("evaluate ", bad_files[i].name, NULL);
      g_autofree char *place = g_strdup_printf ("parallelogram-cli: %s:%s", bad_files[i].name,
                                                bad_files[i].place);

      write_file (fixture, bad_files[i].name, bad_files[i].text);
      g_assert_cmpint (run (fixture, command), ==, 3);
      g_assert_cmpstr (fixture->out, ==, "");
      g_assert_true (g_str_has_prefix (fixture->err, place));
    }
}

static void
test_no_files (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "evaluate missing.plan.xml"), ==, 3);
  g_assert_true (g_str_has_prefix (fixture->err, "parallelogram-cli: missing.plan.xml"));
  g_assert_cmpint (run (fixture, "evaluate 'red\033[31m.plan.xml'"), ==, 3);
  assert_contains (fixture->err, "red<U+001B>[31m.plan.xml: cannot be opened");
  g_assert_cmpint (run (fixture, "evaluate ."), ==, 3);
  g_assert_true (g_str_has_prefix (fixture->err, "parallelogram-cli: ."));
  g_assert_cmpint (run (fixture, "check missing.plan.xml"), ==, 3);
  g_assert_cmpint (run (fixture, "evaluate --import missing.toml"), ==, 3);
  g_assert_cmpint (run (fixture, "export missing.plan.xml -o a.svg"), ==, 3);
  g_assert_cmpint (run (fixture, "export -o no/such/folder/a.svg"), ==, 3);
  g_assert_cmpint (run (fixture, "convert --to xml -o ."), ==, 3);
  g_assert_cmpint (run_with (fixture, "<plan", "evaluate -"), ==, 3);
  if (g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_autofree char *line = g_strdup_printf ("sh -c '%s evaluate > /dev/full'", PLG_CLI);
      g_autofree char *err = NULL;
      int status;

      g_assert_true (g_spawn_command_line_sync (line, NULL, &err, &status, NULL));
      g_assert_cmpint (WEXITSTATUS (status), ==, 3);
    }
}

/* Root can read every file, so setpriv takes this capability from the program. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "secret.plan.xml", NULL);

  if (geteuid () == 0)
    fixture->wrapper = "setpriv --bounding-set=-dac_override,-dac_read_search ";
  write_file (fixture, "secret.plan.xml", "<plan version=\"1\"/>");
  g_assert_cmpint (run (fixture, "evaluate secret.plan.xml"), ==, 0);
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  g_assert_cmpint (run (fixture, "evaluate secret.plan.xml"), ==, 3);
  assert_contains (fixture->err, "secret.plan.xml");
}

static JsonObject *
parse_report (JsonParser *parser, const Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, fixture->out, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static void
assert_members (JsonObject *object, const char *names)
{
  g_auto (GStrv) list = g_strsplit (names, " ", -1);

  for (int i = 0; list[i] != NULL; i++)
    if (!json_object_has_member (object, list[i]))
      g_test_fail_printf ("the report has no %s", list[i]);
}

/* Returns the first object of an array, which must not be empty. */
static JsonObject *
first_of (JsonObject *object, const char *array)
{
  JsonArray *items = json_object_get_array_member (object, array);

  g_assert_cmpint (json_array_get_length (items), >, 0);
  return json_array_get_object_element (items, 0);
}

static double
sum_of_parts (JsonObject *parts)
{
  g_autoptr (GList) values = json_object_get_values (parts);
  double sum = 0;

  for (GList *l = values; l != NULL; l = l->next)
    {
      g_assert_cmpfloat (json_node_get_double (l->data), >=, 0);
      sum += json_node_get_double (l->data);
    }
  return sum;
}

/* The derivation of the numbers: one panel, or all panels. */
static void
test_explain (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "evaluate --explain bubble"), ==, 0);
  assert_contains (fixture->out,
                   "  (p − 1) / (v·m + p − 1)\n  = (4 − 1) / (1·32 + 4 − 1) = 3/35\n");
  assert_contains (fixture->out, "correct for one micro-batch");
  g_assert_null (strstr (fixture->out, "Weights"));
  g_assert_cmpint (run (fixture, "evaluate --explain all"), ==, 0);
  assert_contains (fixture->out, "Weights");
  assert_contains (fixture->out, "DP all-reduce according to the handbook");
}

/* A chosen section has the same values as in the whole report, and other sections are absent. */
static void
test_only (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "format", "step", "bubble", "memory" };
  g_autoptr (JsonParser) whole = json_parser_new (), part = json_parser_new ();
  JsonObject *all, *chosen;

  g_assert_cmpint (run (fixture, "evaluate --format json"), ==, 0);
  g_assert_true (json_parser_load_from_data (whole, fixture->out, -1, NULL));
  g_assert_cmpint (run (fixture, "evaluate --format json --only 'step, memory,band'"), ==, 0);
  g_assert_true (json_parser_load_from_data (part, fixture->out, -1, NULL));
  all = json_node_get_object (json_parser_get_root (whole));
  chosen = json_node_get_object (json_parser_get_root (part));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_true (json_node_equal (json_object_get_member (all, names[i]),
                                    json_object_get_member (chosen, names[i])));
  g_assert_false (json_object_has_member (chosen, "links"));
  g_assert_false (json_object_has_member (chosen, "findings"));
  g_assert_false (json_object_has_member (chosen, "placement"));
  g_assert_false (json_object_has_member (chosen, "run"));

  g_assert_cmpint (run (fixture, "evaluate --only memory"), ==, 0);
  assert_contains (fixture->out, "Memory per GPU");
  assert_contains (fixture->out, "TP 8 × CP 1 × PP 4 × DP 2");
  g_assert_null (strstr (fixture->out, "Error band"));
  g_assert_null (strstr (fixture->out, "MFU"));
}

/* The published runs that are most like the plan, as text and as JSON. */
static void
test_like (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *band;
  JsonArray *like;

  g_assert_cmpint (run (fixture, "evaluate --like"), ==, 0);
  assert_contains (fixture->out, "published runs that are most like this plan");
  assert_contains (fixture->out, "expect an MFU of ");
  assert_contains (fixture->out, "64 × H100 SXM, BF16");
  assert_contains (fixture->out, "  Source: ");
  g_assert_cmpint (run (fixture, "evaluate --format json"), ==, 0);
  g_assert_true (json_parser_load_from_data (parser, fixture->out, -1, NULL));
  band = json_object_get_object_member (
      json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "step"),
      "band");
  like = json_object_get_array_member (band, "like");
  g_assert_cmpuint (json_array_get_length (like), ==, json_object_get_int_member (band, "runs"));
  for (guint i = 0; i < json_array_get_length (like); i++)
    {
      JsonObject *near = json_array_get_object_element (like, i);

      g_assert_cmpint (json_object_get_int_member (near, "year"), >, 2000);
      g_assert_cmpfloat (fabs (json_object_get_double_member (near, "error")), <=,
                         json_object_get_double_member (band, "error"));
    }
  g_assert_cmpint (run (fixture, "evaluate --like --set cluster.gpu=mi300x-192 --set "
                                 "training.precision=fp8"),
                   ==, 0);
  g_assert_cmpstr (fixture->out, ==,
                   "No published run is near this plan, so there is no error band.\n");
  g_assert_cmpint (run (fixture, "evaluate --format json --set engine.profile=notebook"), ==, 0);
  assert_lacks (fixture->out, "\"band\"");
}

/* Scripts read these members by name. */
static void
test_json_members (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *report, *step;

  g_assert_cmpint (run (fixture, "evaluate --format json --set training.global-batch=32"), ==, 0);
  report = parse_report (parser, fixture);
  assert_members (report, "format profile world_size degrees micro_batches parameters step bubble "
                          "memory groups collectives links findings");
  assert_members (json_object_get_object_member (report, "degrees"), "tp cp ep pp dp");
  assert_members (json_object_get_object_member (report, "parameters"), "total active");
  assert_members (json_object_get_object_member (report, "groups"), "tp pp dp");
  assert_members (json_object_get_object_member (report, "bubble"),
                  "share_of_step over_ideal notebook simulated");
  assert_members (json_object_get_object_member (report, "memory"), "capacity peak fits stages");
  assert_members (first_of (json_object_get_object_member (report, "memory"), "stages"),
                  "stage weights gradients optimizer activations buffers runtime total");
  assert_members (first_of (report, "collectives"),
                  "axis kind calls bytes_per_call group_size nodes_spanned tier time exposed");
  assert_members (first_of (report, "links"), "id tier from to calls bytes time collectives");
  step = json_object_get_object_member (report, "step");
  assert_members (step, "time tokens_per_second tokens_per_second_per_gpu model_flops "
                        "hardware_flops flops_per_second_per_gpu mfu hfu parts");
  assert_members (json_object_get_object_member (step, "parts"),
                  "compute recompute bubble tp cp ep pp dp optimizer");
}

/* A plan that certainly has findings: TP over two nodes, and far too little memory. */
static void
test_json_findings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *report;

  g_assert_cmpint (run (fixture, "evaluate --format json --set cluster.memory=8 "
                                 "--set parallelism.order=pp-dp-tp"),
                   ==, 0);
  report = parse_report (parser, fixture);
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (report, "memory"),
                                                  "fits"));
  assert_members (first_of (report, "findings"), "id severity text value limit unit remedy");
}

static void
test_json_numbers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *report, *step, *groups;
  double time;

  g_assert_cmpint (run (fixture, "evaluate --format json"), ==, 0);
  report = parse_report (parser, fixture);
  step = json_object_get_object_member (report, "step");
  time = json_object_get_double_member (step, "time");
  g_assert_cmpint (json_object_get_int_member (report, "format"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (report, "world_size"), ==, 64);
  groups = json_object_get_object_member (report, "groups");
  g_assert_cmpint (json_object_get_int_member (groups, "tp"), ==, 8);
  g_assert_cmpint (json_object_get_int_member (groups, "pp"), ==, 16);
  g_assert_cmpint (json_object_get_int_member (groups, "dp"), ==, 32);
  g_assert_cmpfloat (time, >, 0);
  g_assert_cmpfloat_with_epsilon (sum_of_parts (json_object_get_object_member (step, "parts")) /
                                      time,
                                  1, 1e-9);
  g_assert_cmpfloat (json_object_get_double_member (step, "mfu"), >, 0.2);
  g_assert_cmpfloat (json_object_get_double_member (step, "mfu"), <, 0.7);
}

/* Names of nodes appear next to their numbers and in sentences about the nodes. */
static void
test_node_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  const char *plan = "--set cluster.node-names=2=dgx-b --set cluster.faults=nic:2.3=0.5,gpu:17=0.9";
  g_autofree char *json = g_strconcat ("evaluate --format json ", plan, NULL);
  g_autofree char *text = g_strconcat ("evaluate ", plan, NULL);
  g_autofree char *links = g_strconcat ("convert --to links ", plan, NULL);
  JsonObject *report;
  JsonArray *names;

  g_assert_cmpint (run (fixture, json), ==, 0);
  report = parse_report (parser, fixture);
  names = json_object_get_array_member (report, "node_names");
  g_assert_cmpint (json_array_get_length (names), ==, 8);
  g_assert_true (json_array_get_null_element (names, 1));
  g_assert_cmpstr (json_array_get_string_element (names, 2), ==, "dgx-b");
  assert_contains (fixture->out, "\"id\": \"nvlink-2-0\"");
  assert_contains (fixture->out, "\"name\": \"dgx-b\"");
  g_assert_cmpint (run (fixture, text), ==, 0);
  assert_contains (fixture->out, "NIC 3 of dgx-b runs at 50 %");
  assert_contains (fixture->out, "GPU 17 on dgx-b runs at 90 %");
  g_assert_cmpint (run (fixture, links), ==, 0);
  assert_contains (fixture->out, "node_name");
  assert_contains (fixture->out, ",dgx-b\n");
}

static void
test_evaluate_text (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "evaluate"), ==, 0);
  assert_contains (fixture->out, "MFU");
  assert_contains (fixture->out, "GiB");
  g_assert_cmpstr (fixture->err, ==, "");
}

/* A plan on standard input, from a file, and the default plan are the same plan. */
static void
test_plan_sources (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plan = NULL;
  g_autofree char *expected = NULL;

  g_assert_cmpint (run (fixture, "evaluate --format json"), ==, 0);
  expected = g_strdup (fixture->out);
  g_assert_cmpint (run (fixture, "convert --to xml -o a.plan.xml"), ==, 0);
  g_assert_cmpint (run (fixture, "evaluate --format json a.plan.xml"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, expected);
  plan = read_file (fixture, "a.plan.xml", NULL);
  g_assert_cmpint (run_with (fixture, plan, "evaluate --format json -"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, expected);
}

/* A plan with faults of removed nodes gives a message. */
static void
test_lost_faults (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture,
                        "convert --to xml --set cluster.faults=gpu:17=0.8,gpu:3=0.5 -o f.plan.xml"),
                   ==, 0);
  g_assert_cmpint (run (fixture,
                        "evaluate f.plan.xml --set cluster.nodes=2 --set parallelism.pp=2"),
                   ==, 0);
  assert_contains (fixture->err, "from “gpu:17=0.8,gpu:3=0.5” to “gpu:3=0.5”");
  g_assert_cmpint (run (fixture, "evaluate f.plan.xml"), ==, 0);
  g_assert_cmpstr (fixture->err, ==, "");
}

/* For every schedule, the bubble that is compared is the simulated idle share. */
static void
test_compared_bubble (Fixture *fixture, gconstpointer data)
{
  const char *filled = "check --set training.schedule=zb-v --set training.global-batch=16 "
                       "--set parallelism.pp=4 --assert bubble<=10%";
  const char *slow = "check --set cluster.faults=gpu:17=0.5 --assert bubble<=12%";

  g_assert_cmpint (run (fixture, filled), ==, 0);
  g_assert_cmpint (run (fixture, slow), ==, 1);
  g_assert_cmpint (run (fixture, "check --assert bubble<=12%"), ==, 0);
  g_assert_cmpint (run (fixture, "check --assert bubble<=10%"), ==, 1);
  g_assert_cmpint (run (fixture, "check --assert bubble-share-of-step<=10%"), ==, 0);
}

static const char *const views[] = { "cluster", "memory", "timeline",   "mfu",
                                     "ledger",  "matrix", "collective", "split" };

static void
assert_is_picture (const char *data, gsize size, const char *type)
{
  g_assert_cmpint (size, >, g_str_equal (type, "txt") ? 100 : 500);
  if (g_str_equal (type, "png"))
    g_assert_cmpmem (data, 8, "\x89PNG\r\n\x1a\n", 8);
  else if (g_str_equal (type, "pdf"))
    g_assert_cmpmem (data, 5, "%PDF-", 5);
  else if (g_str_equal (type, "svg"))
    assert_contains (data, "<svg");
  else if (g_str_equal (type, "drawio"))
    assert_contains (data, "<mxGraphModel");
  else if (g_str_equal (type, "tex"))
    assert_contains (data, "\\begin{tikzpicture}");
  else
    g_assert_true (g_utf8_validate (data, size, NULL));
}

/* Every view is exported in every format, and a second export gives the same bytes. */
static void
test_export_views (Fixture *fixture, gconstpointer data)
{
  static const char *const types[] = { "svg", "pdf", "png", "tex", "drawio", "txt" };

  for (gsize v = 0; v < G_N_ELEMENTS (views); v++)
    for (gsize t = 0; t < G_N_ELEMENTS (types); t++)
      {
        g_autofree char *command = g_strdup_printf ("export --view %s -f -o picture.%s", views[v],
                                                    types[t]);
        g_autofree char *name = g_strconcat ("picture.", types[t], NULL);
        g_autofree char *first = NULL, *second = NULL;
        gsize first_size, second_size;

        g_assert_cmpint (run (fixture, command), ==, 0);
        first = read_file (fixture, name, &first_size);
        assert_is_picture (first, first_size, types[t]);
        g_assert_cmpint (run (fixture, command), ==, 0);
        second = read_file (fixture, name, &second_size);
        g_assert_cmpmem (first, first_size, second, second_size);
      }
}

static void
test_export_options (Fixture *fixture, gconstpointer data)
{
  g_autofree char *still = NULL, *plain = NULL;
  gsize plain_size;

  g_assert_cmpint (run (fixture, "export -o -.svg"), ==, 0);
  assert_contains (fixture->out, "id=\"gpu-17\"");
  assert_contains (fixture->out, "<text");
  plain = g_strdup (fixture->out);
  g_assert_cmpint (run (fixture, "export -o - --format svg"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, plain);
  g_assert_cmpint (run (fixture, "export -o -.svg --palette grey"), ==, 0);
  g_assert_cmpstr (fixture->out, !=, plain);
  g_assert_cmpint (run (fixture, "export -o -.svg --show pp"), ==, 0);
  g_assert_cmpstr (fixture->out, !=, plain);
  g_assert_cmpint (run (fixture, "export -o -.svg --link-color bytes"), ==, 0);
  g_assert_cmpstr (fixture->out, !=, plain);
  g_assert_cmpint (run (fixture, "export -o -.svg --set parallelism.tp=4"), ==, 0);
  g_assert_cmpstr (fixture->out, !=, plain);
  g_assert_cmpint (run (fixture, "export -o -.svg --view grid"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, plain);

  g_assert_cmpint (run (fixture, "export -o -.svg --at 3.2s"), ==, 0);
  assert_contains (fixture->out, "micro-batch");
  still = g_strdup (fixture->out);
  g_assert_cmpint (run (fixture, "export -o -.svg --at 3200ms"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, still);
  g_assert_cmpint (run (fixture, "export -o -.svg --view timeline --at 50%"), ==, 0);
  assert_contains (fixture->out, "cursor");

  g_assert_cmpint (run (fixture, "export -o -.png"), ==, 0);
  plain_size = fixture->out_size;
  assert_is_picture (fixture->out, fixture->out_size, "png");
  g_assert_cmpint (run (fixture, "export -o -.png --dpi 192"), ==, 0);
  g_assert_cmpint (fixture->out_size, >, plain_size);
}

/* Each option for the content of a picture changes the picture. */
static void
test_export_parts (Fixture *fixture, gconstpointer data)
{
  static const char *const options[] = {
    "",
    "--nodes 2-3",
    "--nodes 0",
    "--crop 90,50,200,100",
    "--focus gpu:17",
    "--select gpu:17",
    "--focus tp",
    "--focus link:nvlink-2-5",
    "--links logical",
    "--legend right",
    "--legend off",
    "--without-plan",
  };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *command = g_strdup_printf ("export -o -.svg %s", options[i]);

      g_assert_cmpint (run (fixture, command), ==, 0);
      assert_contains (fixture->out, "<svg");
      if (!g_hash_table_add (seen, g_strdup (fixture->out)))
        g_error ("%s changes nothing", options[i]);
    }
}

/* Options for the content also change plain text. */
static void
test_export_text (Fixture *fixture, gconstpointer data)
{
  static const char *const options[] = {
    "",
    "--show pp",
    "--show memory",
    "--link-color bytes",
    "--link-color off",
    "--at 3.2s",
    "--pin gpu:17",
    "--focus gpu:17",
    "--select gpu:17",
    "--nodes 2-3",
    "--no-legend",
    "--view timeline",
    "--view timeline --at 3.2s",
  };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *command = g_strdup_printf ("export -o -.txt %s", options[i]);

      g_assert_cmpint (run (fixture, command), ==, 0);
      if (!g_hash_table_add (seen, g_strdup (fixture->out)))
        g_error ("%s changes nothing", options[i]);
    }
}

/* The same sweep as text, picture and table. The table has one row per point, with the reasons. */
static void
test_export_sweep (Fixture *fixture, gconstpointer data)
{
  const char
      *sweep = "--view sweep --x parallelism.tp=1..64 --y training.recompute --metric memory";
  g_autofree char *text = g_strconcat ("export -o -.txt ", sweep, NULL);
  g_autofree char *picture = g_strconcat ("export -o -.svg ", sweep, NULL);
  g_autofree char *table = g_strconcat ("export -o -.csv ", sweep, NULL);
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (run (fixture, text), ==, 0);
  assert_contains (fixture->out, "This plan: Tensor (TP) 8, Recompute selective: 53.1");
  g_assert_cmpint (run (fixture, picture), ==, 0);
  assert_contains (fixture->out, "id=\"point-3-1\"");
  assert_contains (fixture->out, "Memory of the fullest GPU against Tensor (TP) and Recompute");
  g_assert_cmpint (run (fixture, table), ==, 0);
  lines = g_strsplit (fixture->out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 7 * 3 + 1);
  g_assert_cmpstr (lines[0], ==,
                   "parallelism.tp,training.recompute,memory_bytes,peak_memory_bytes,state,reason");
  g_assert_true (g_str_has_prefix (lines[1], "1,none,3"));
  assert_contains (lines[1], ",too-large,");
  assert_contains (lines[7], "64,none,,,impossible,TP 64");
  g_assert_cmpint (run (fixture, "export -o sweep.csv --view sweep"), ==, 0);
  g_assert_cmpint (run (fixture, "export -o sweep.csv --view sweep"), ==, 3);
  g_assert_cmpint (run (fixture, "export -o -.csv --view sweep"), ==, 0);
  assert_contains (fixture->out, "\n8,weak,0.36");
}

/* The answers to inverse questions hold when they are set, and the neighbour fails. Status 1 if
 * there is no answer. */
static void
test_solve (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *command = NULL, *plan = NULL;
  JsonObject *answer;

  g_assert_cmpint (run (fixture, "solve fits --for training.sequence"), ==, 0);
  assert_contains (fixture->out, "training.sequence=19280 tokens is the largest value");
  assert_contains (fixture->out, "The next larger value fails, 19288 tokens: Does not fit");
  g_assert_cmpint (run (fixture, "evaluate --set training.sequence=19280 --format json"), ==, 0);
  assert_contains (fixture->out, "\"fits\": true");
  g_assert_cmpint (run (fixture, "evaluate --set training.sequence=19288 --format json"), ==, 0);
  assert_contains (fixture->out, "\"fits\": false");

  g_assert_cmpint (run (fixture, "new --set training.tokens=1e12 -o own.plan.xml"), ==, 0);
  g_assert_cmpint (run (fixture, "solve 'days<=150' own.plan.xml --for cluster.nodes --assert "
                                 "'mfu>=20%' --format json"),
                   ==, 0);
  g_assert_true (json_parser_load_from_data (parser, fixture->out, -1, NULL));
  answer = json_node_get_object (json_parser_get_root (parser));
  g_assert_true (json_object_get_boolean_member (answer, "found"));
  g_assert_true (json_object_get_boolean_member (answer, "exhaustive"));
  command = g_strdup_printf ("check own.plan.xml --assert 'days<=150' --set cluster.nodes=%s",
                             json_object_get_string_member (answer, "value"));
  run (fixture, command);
  assert_contains (fixture->out, "PASS");
  g_assert_null (strstr (fixture->out, "FAIL  "));

  g_assert_cmpint (run (fixture, "solve 'mfu>=99%' --for parallelism.tp"), ==, 1);
  assert_contains (fixture->out, "No value of parallelism.tp meets the conditions. The closest is");
  assert_contains (fixture->out, "MFU must be at least 99");
  g_assert_cmpint (run (fixture, "solve 'mfu>=99%' --for parallelism.tp --format json"), ==, 1);
  assert_contains (fixture->out, "\"found\": false");
  g_assert_cmpint (run (fixture, "solve fits --for cluster.nodes --set parallelism.tp=7"), ==, 1);
}

/* A picture contains its plan, which evaluates to the same report, unless an option excludes the
 * plan. */
static void
test_picture_is_plan (Fixture *fixture, gconstpointer data)
{
  g_autofree char *report = NULL;

  g_assert_cmpint (run (fixture, "new --set parallelism.tp=4 --set cluster.nodes=16 -o a.plan.xml"),
                   ==, 0);
  g_assert_cmpint (run (fixture, "evaluate a.plan.xml"), ==, 0);
  report = g_strdup (fixture->out);
  g_assert_cmpint (run (fixture, "export a.plan.xml --show pp --palette grey -o a.svg"), ==, 0);
  g_assert_cmpint (run (fixture, "evaluate a.svg"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, report);
  /* The picture also contains the drawn view. */
  g_assert_cmpint (run (fixture, "convert a.svg --to xml"), ==, 0);
  assert_contains (fixture->out, "show=\"pp\"");
  g_assert_cmpint (run (fixture, "export a.plan.xml --without-plan -o b.svg"), ==, 0);
  g_assert_cmpint (run (fixture, "evaluate b.svg"), ==, 3);
  assert_contains (fixture->err, "contains no plan");
}

static void
test_export_all (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "export --export-all out/pictures"), ==, 0);
  for (gsize v = 0; v < G_N_ELEMENTS (views); v++)
    {
      g_autofree char *name = g_strdup_printf ("out/pictures/%s.svg", views[v]);
      g_autofree char *text = read_file (fixture, name, NULL);

      assert_contains (text, "<svg");
    }
  g_assert_cmpint (run (fixture, "export --export-all out/pictures"), ==, 3);
  g_assert_cmpint (run (fixture, "export --export-all out/pictures -f"), ==, 0);
}

/* The picture of a search is the same each time, and names the best plan that search finds. With
 * --export-all, only an option of a search draws it. */
static void
test_export_search (Fixture *fixture, gconstpointer data)
{
  const char *space = "--keep training.schedule --require 'memory<=75GiB' --vary "
                      "parallelism.tp=2,4,8";
  g_autofree char *picture = g_strdup_printf ("export --view search %s -o a.svg", space);
  g_autofree char *again = g_strdup_printf ("export --view search %s -o b.svg", space);
  g_autofree char *words = g_strdup_printf ("export --view search %s -o a.txt", space);
  g_autofree char *all = g_strdup_printf ("export --export-all pictures %s", space);
  g_autofree char *a = NULL, *b = NULL, *text = NULL, *whole = NULL;

  g_assert_cmpint (run (fixture, picture), ==, 0);
  g_assert_cmpint (run (fixture, again), ==, 0);
  a = read_file (fixture, "a.svg", NULL);
  b = read_file (fixture, "b.svg", NULL);
  g_assert_cmpstr (a, ==, b);
  assert_contains (a, "best plan");
  g_assert_cmpint (run (fixture, words), ==, 0);
  text = read_file (fixture, "a.txt", NULL);
  assert_contains (text, "Open plan: 10.2");
  assert_contains (text, "Best plan: ");
  g_assert_cmpint (run (fixture, all), ==, 0);
  whole = read_file (fixture, "pictures/search.svg", NULL);
  assert_contains (whole, "best plan");
  g_assert_cmpint (run (fixture, "export --export-all without"), ==, 0);
  g_assert_cmpint (run (fixture, "evaluate without/search.svg"), ==, 3);
}

/* A crop of the cluster does not apply to the other pictures. */
static void
test_export_all_of_part (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "export --export-all whole"), ==, 0);
  g_assert_cmpint (run (fixture, "export --export-all part --crop 300,100,90,60"), ==, 0);
  for (gsize v = 0; v < G_N_ELEMENTS (views); v++)
    {
      g_autofree char *whole = g_strdup_printf ("whole/%s.svg", views[v]);
      g_autofree char *part = g_strdup_printf ("part/%s.svg", views[v]);
      g_autofree char *a = read_file (fixture, whole, NULL), *b = read_file (fixture, part, NULL);

      g_assert_true (g_str_equal (a, b) == !g_str_equal (views[v], "cluster"));
    }
}

/* An existing file is kept unless -f is given. */
static void
test_no_overwriting (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *command;
    const char *name;
  } writes[] = {
    { "export -o kept.svg", "kept.svg" },
    { "convert --to xml -o kept.svg", "kept.svg" },
    { "new -o kept.xml", "kept.xml" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (writes); i++)
    {
      g_autofree char *force = g_strconcat (writes[i].command, " -f", NULL);
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;

      write_file (fixture, writes[i].name, "mine");
      g_assert_cmpint (run (fixture, writes[i].command), ==, 3);
      assert_contains (fixture->err, writes[i].name);
      assert_contains (fixture->err, "-f");
      before = read_file (fixture, writes[i].name, NULL);
      g_assert_cmpstr (before, ==, "mine");
      g_assert_cmpint (run (fixture, force), ==, 0);
      after = read_file (fixture, writes[i].name, NULL);
      g_assert_cmpstr (after, !=, "mine");
    }
}

static void
test_convert (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (run (fixture, "convert --list"), ==, 0);
  assert_contains (fixture->out, "xml");
  assert_contains (fixture->out, "yaml");
  lines = g_strsplit (fixture->out, "\n", -1);
  for (int i = 1; *lines[i] != '\0'; i++) /* the columns are aligned, however long a name is */
    g_assert_cmpint (strstr (lines[i], " .") - lines[i], ==, strstr (lines[0], " .") - lines[0]);
  g_assert_cmpint (run (fixture, "convert --to yaml"), ==, 0);
  assert_contains (fixture->out, "tp_size: 8");
  write_file (fixture, "plan.yaml", fixture->out);
  g_assert_cmpint (run (fixture, "evaluate plan.yaml"), ==, 0);

  g_assert_cmpint (run (fixture, "convert --to xml"), ==, 0);
  first = g_strdup (fixture->out);
  g_assert_cmpint (run_with (fixture, first, "convert - --to xml"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, first);

  /* HTML contains the pictures, which need the drawing library. */
  g_assert_cmpint (run (fixture, "convert --to html"), ==, 0);
  assert_contains (fixture->out, "id=\"cluster-gpu-17\"");
  assert_contains (fixture->out, "</svg>");
}

/* Pictures are exported, not converted. */
static void
test_convert_picture (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "svg", "pdf", "png", "tikz", "drawio", "txt" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *command = g_strdup_printf ("convert --to %s", names[i]);
      g_autofree char *says = g_strdup_printf ("“%s” is a picture format; use “parallelogram-cli "
                                               "export -o FILE.%s”.",
                                               names[i], names[i]);

      g_assert_cmpint (run (fixture, command), ==, 2);
      assert_contains (fixture->err, says);
    }
  g_assert_cmpint (run (fixture, "convert --to no-such"), ==, 2);
  assert_contains (fixture->err, "There is no format “no-such”");
  g_assert_cmpint (run (fixture, "convert --to slrm"), ==, 2);
  assert_contains (fixture->err, "There is no format “slrm”; similar formats: slurm");
  /* This format can only be read. */
  g_assert_null (strstr (fixture->err, "slurm-topology"));
}

/* A flat YAML file: lost values, unknown keys and impossible plans. */
static void
test_yaml (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "convert --to yaml"), ==, 0);
  g_assert_cmpstr (fixture->err, ==, "");
  g_assert_cmpint (run (fixture, "convert --to yaml -o a.yaml --set parallelism.order=tp-cp-dp-pp "
                                 "--set cluster.gpu=h200-sxm-141 --set parallelism.zero=3"),
                   ==, 0);
  assert_contains (fixture->err, "This file does not store these values");
  assert_contains (fixture->err, "cluster.gpu");
  assert_contains (fixture->err, "parallelism.zero");
  g_assert_null (strstr (fixture->err, "parallelism.order"));
  g_assert_cmpint (run (fixture, "convert --to xml a.yaml"), ==, 0);
  assert_contains (fixture->out, "tp-cp-dp-pp");

  write_file (fixture, "b.yaml", "world_size: 64\nparallelism:\n  tpsize: 8\n");
  g_assert_cmpint (run (fixture, "evaluate b.yaml"), ==, 0);
  assert_contains (fixture->err, "parallelogram-cli: b.yaml:3: “tpsize” is not recognised here");
  assert_contains (fixture->err, "tp_size?");
  write_file (fixture, "c.yaml", "world_size: 64\nparallelism: {tp_size: 3}\n");
  g_assert_cmpint (run (fixture, "evaluate c.yaml"), ==, 1);
  g_assert_true (g_str_has_prefix (fixture->err, "parallelogram-cli: c.yaml:2:"));
  write_file (fixture, "d.yml", "[1,2");
  g_assert_cmpint (run (fixture, "evaluate d.yml"), ==, 3);
  g_assert_true (g_str_has_prefix (fixture->err, "parallelogram-cli: d.yml:1: This is not YAML"));
}

static const char *
behind_comments (const char *text)
{
  while (*text == '#' && strchr (text, '\n') != NULL)
    text = strchr (text, '\n') + 1;
  return text;
}

/* The placement in a file depends on its degrees, so --set with other degrees resets the
 * placement with a message. */
static void
test_set_after_import (Fixture *fixture, gconstpointer data)
{
  GString *hosts = g_string_new (NULL);

  for (int rank = 0; rank < 64; rank++)
    g_string_append_printf (hosts, "node%d\n", 7 - rank / 8);
  write_file (fixture, "a.hosts", hosts->str);
  g_string_free (hosts, TRUE);
  g_assert_cmpint (run (fixture, "convert --to hostfile --import a.hosts"), ==, 0);
  g_assert_true (g_str_has_prefix (behind_comments (fixture->out), "node7 slots=8\n"));
  g_assert_null (strstr (fixture->err, "is dropped"));
  g_assert_cmpint (run (fixture, "convert --to hostfile --import a.hosts --set parallelism.tp=4"),
                   ==, 0);
  g_assert_true (g_str_has_prefix (behind_comments (fixture->out), "node0 slots=8\n"));
  assert_contains (fixture->err, "the placement is left out");
}

/* Comments and unknown elements survive a change on the command line. */
static void
test_convert_keeps (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plan = NULL;
  char *end;

  g_assert_cmpint (run (fixture, "convert --to xml"), ==, 0);
  end = strstr (fixture->out, "</plan>");
  plan = g_strdup_printf ("%.*s<!-- mine --><rack row=\"7\"/>%s", (int) (end - fixture->out),
                          fixture->out, end);
  g_assert_cmpint (run_with (fixture, plan, "convert - --to xml --set parallelism.tp=4"), ==, 0);
  assert_contains (fixture->out, "<!-- mine --><rack row=\"7\"/>");
  assert_contains (fixture->out, "tp=\"4\"");
}

static void
test_check (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "check --assert world-size==64 --assert tp_in_node --assert fits "
                                 "--assert 'memory<=79GiB' --assert 'bubble <= 12 %' "
                                 "--assert 'step-time<60000ms' --assert 'mfu>0.1'"),
                   ==, 0);
  assert_contains (fixture->out, "PASS");
  g_assert_null (strstr (fixture->out, "FAIL"));

  g_assert_cmpint (run (fixture, "check --assert 'memory<=1GiB' --assert world-size==64"), ==, 1);
  assert_contains (fixture->out, "FAIL");
  assert_contains (fixture->out, "1 GiB");
  g_assert_cmpint (run (fixture, "check --assert tp-in-node --set parallelism.order=pp-dp-tp"), ==,
                   1);
  g_assert_cmpint (run (fixture, "check --set cluster.memory=8"), ==, 1);
  assert_contains (fixture->out, "FAIL");
  assert_contains (fixture->out, "8 GiB");
  /* The ZeRO stage has no unit, and a switch is on or off. */
  g_assert_cmpint (run (fixture, "check --set parallelism.zero=0"), ==, 0);
  g_assert_true (g_regex_match_simple ("\noptimizer-not-sharded +hint +0 +1\n", fixture->out, 0,
                                       0));
  g_assert_cmpint (run (fixture, "check --set training.flash-attention=false"), ==, 0);
  g_assert_true (g_regex_match_simple ("\nflash-attention-off +hint +off +on\n", fixture->out, 0,
                                       0));
  /* Neighbours in a DP group are 16 ranks apart. */
  g_assert_cmpint (run (fixture, "check --set parallelism.tp=4 --set parallelism.dp=4 "
                                 "--assert 'dp-hops-between-nodes<=47'"),
                   ==, 1);
}

static void
test_new (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *report;

  g_assert_cmpint (run (fixture,
                        "new --model gpt3-175b --cluster 4xdgx-a100 --set training.sequence=2048 "
                        "-o mine.plan.xml"),
                   ==, 0);
  g_assert_cmpint (run (fixture, "evaluate --format json mine.plan.xml"), ==, 0);
  report = parse_report (parser, fixture);
  g_assert_cmpint (json_object_get_int_member (report, "world_size"), ==, 32);
  g_assert_cmpfloat_with_epsilon (
      json_object_get_double_member (json_object_get_object_member (report, "parameters"), "total"),
      175e9, 2e9);
  g_assert_cmpint (run (fixture, "new --set parallelism.pp=2 --set training.global-batch=128"), ==,
                   0);
  assert_contains (fixture->out, "pp=\"2\"");
  assert_contains (fixture->out, "global-batch=\"128\"");
  /* Other settings follow from the given settings, as in every other command. */
  g_assert_cmpint (run (fixture, "new --set parallelism.chunks=2"), ==, 0);
  assert_contains (fixture->out, "schedule=\"interleaved\"");
}

/* A failed assertion prints distinct numbers, not “53.1 GiB of 53.1 GiB”. */
static void
test_check_prints_distinct_numbers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *command = NULL;
  g_auto (GStrv) cells = NULL;
  const char *line;
  JsonObject *memory;
  double peak;

  g_assert_cmpint (run (fixture, "evaluate --format json --set cluster.memory=40"), ==, 0);
  memory = json_object_get_object_member (parse_report (parser, fixture), "memory");
  peak = json_object_get_double_member (memory, "peak") / (1 << 30);
  command = g_strdup_printf ("check --set cluster.memory=%.4f", peak - 0.002);
  g_assert_cmpint (run (fixture, command), ==, 1);
  line = strstr (fixture->out, "fits in memory");
  g_assert_nonnull (line);
  cells = g_regex_split_simple ("  +", line, 0, 0);
  assert_contains (cells[3], "FAIL");
  g_assert_cmpstr (cells[1], !=, cells[2]);
}

/* A file has the bubble of its profile, like the window and the step time. */
static void
test_bubble_of_profile (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "convert --to html --set engine.profile=notebook"), ==, 0);
  assert_contains (fixture->out, "<b>2.3\302\240%</b><span>pipeline bubble");
}

/* A new plan fits in memory if possible; otherwise there is a warning. */
static void
test_new_fits (Fixture *fixture, gconstpointer data)
{
  static const char *const fitting[] = { "", "--model mixtral-8x22b",
                                         "--model llama3-405b --cluster 32xhgx-h100",
                                         "--model deepseek-v3 --cluster 64xhgx-h100",
                                         "--model gpt3-175b --cluster 8xdgx-a100" };

  for (gsize i = 0; i < G_N_ELEMENTS (fitting); i++)
    {
      g_autofree char *command = g_strconcat ("new -f -o a.plan.xml ", fitting[i], NULL);

      g_assert_cmpint (run (fixture, command), ==, 0);
      g_assert_cmpstr (fixture->err, ==, "");
      g_assert_cmpint (run (fixture, "check a.plan.xml --assert fits"), ==, 0);
    }
  /* The plan is the fastest plan, not a plan whose small batch makes its steps short. */
  g_assert_cmpint (run (fixture, "new -f -o a.plan.xml --model llama3-405b --cluster 128xhgx-h100"),
                   ==, 0);
  g_assert_cmpint (run (fixture, "check a.plan.xml --assert 'mfu>=25%'"), ==, 0);
  g_assert_cmpint (run (fixture, "new --model megatron-1t --cluster 1xhgx-h100"), ==, 0);
  assert_contains (fixture->err, "does not fit in memory");
}

/* The rows of --why add up to the difference, in text and in JSON. */
static void
test_search_why (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  const char *keep = "search --keep parallelism.order --keep training.schedule --top 2";
  g_autofree char *text = g_strconcat (keep, " --why 2", NULL);
  g_autofree char *json = g_strconcat (keep, " --why 1 --format json", NULL);
  JsonArray *plans;

  g_assert_cmpint (run (fixture, text), ==, 0);
  assert_contains (fixture->out, "From PLAN to plan 2:");
  assert_contains (fixture->out, "together");
  assert_contains (fixture->out, "The change that costs plan 2 most against plan 1 is: ");
  g_assert_cmpint (run (fixture, json), ==, 0);
  plans = json_object_get_array_member (parse_report (parser, fixture), "plans");
  g_assert_cmpuint (json_array_get_length (plans), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      JsonObject *plan = json_array_get_object_element (plans, i);
      JsonArray *changes = json_object_get_array_member (plan, "changes");
      guint n = json_array_get_length (changes);
      JsonObject *last;

      g_assert_cmpuint (n, >, 0);
      last = json_array_get_object_element (changes, n - 1);
      assert_members (last, "set step-time saves memory fits part part_seconds reason");
      g_assert_cmpfloat (json_object_get_double_member (last, "step-time"), ==,
                         json_object_get_double_member (json_object_get_object_member (plan,
                                                                                       "metrics"),
                                                        "step-time"));
    }
  g_assert_cmpint (run (fixture, "search --why -1"), ==, 2);
  assert_contains (fixture->err, "--why");
}

/* The advice includes the result of a search. */
static void
test_better_plan (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "evaluate"), ==, 0);
  assert_contains (fixture->out, "A search found a plan");
  g_assert_cmpint (run (fixture, "check --set training.micro-batch=4 --set parallelism.zero=0"), ==,
                   1);
  assert_contains (fixture->out, "Remedy: ");
}

/* Each model and each node of the catalogue gives a valid plan. */
static void
test_new_of_any_catalogue_entry (Fixture *fixture, gconstpointer option)
{
  g_autofree char *impossible_name = g_strdup_printf ("new --%s ?", (const char *) option);
  g_auto (GStrv) words = NULL;
  int n = 0;

  g_assert_cmpint (run (fixture, impossible_name), ==, 2);
  words = g_strsplit_set (fixture->err, " ,:;\n", -1);
  for (int i = 0; words[i] != NULL; i++)
    {
      g_autofree char *command = NULL;
      g_autofree char *name = g_strdup (words[i]);
      gsize length = strlen (name);

      if (length > 0 && name[length - 1] == '.')
        name[length - 1] = '\0';
      if (strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != strlen (name) ||
          strpbrk (name, "0123456789-") == NULL || g_str_has_prefix (name, "-") ||
          g_str_has_prefix (name, "parallelogram-cli"))
        continue;
      command = g_strdup_printf ("new --%s %s", (const char *) option, name);
      g_assert_cmpint (run (fixture, command), ==, 0);
      g_assert_cmpint (run_with (fixture, fixture->out, "evaluate -"), ==, 0);
      n++;
    }
  g_assert_cmpint (n, >=, 20);
}

/* Tables for a ticket: the traffic between pairs of GPUs, or of nodes if there are too many
 * GPUs, and the orders with one line each. */
static void
test_tables (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "export -o -.txt --view matrix --pairs traffic"), ==, 0);
  assert_contains (fixture->out, "\nEach row is a node · 48.9 TB per step in total: TP ");
  assert_contains (fixture->out, "\nNumbers: GB per step, from row to column; “.” means no "
                                 "traffic\n");
  assert_contains (fixture->out, "\n            0      1      2      3 ");
  assert_contains (fixture->out, "\nnode 2      .   4.29 ");
  g_assert_cmpint (run (fixture, "export -o -.txt --view compare"), ==, 0);
  assert_contains (fixture->out, "\nTP → PP → DP (this plan)\n");
  assert_contains (fixture->out, "\nTP → DP → PP\n");
  assert_contains (fixture->out,
                   "\n    ranks apart  hops between nodes  slowest link  not hidden\n");
  assert_contains (fixture->out, "\nTP            1             0 of 56        NVLink  ");
}

/* The printed numbers do not depend on the locale. */
static void
test_locale (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plain = NULL;

  g_assert_cmpint (run (fixture, "evaluate --format json"), ==, 0);
  plain = g_strdup (fixture->out);
  g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
  g_assert_cmpint (run (fixture, "evaluate --format json"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, plain);
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
}

/* Output for programs, files and pictures is the same in every language unless an option selects
 * one. Messages for people are translated. */
static void
test_language (Fixture *fixture, gconstpointer data)
{
  static const char *const made[] = { "evaluate --format json",     "export -o -.svg",
                                      "export -o -.svg --view mfu", "convert --to text",
                                      "convert --to json",          "convert --to xml",
                                      "new --set parallelism.pp=2" };
  g_autofree char *plain = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (made); i++)
    {
      g_autofree char *expected = NULL;

      g_assert_cmpint (run (fixture, made[i]), ==, 0);
      expected = g_strdup (fixture->out);
      g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
      g_setenv ("LANGUAGE", "de", TRUE);
      g_assert_cmpint (run (fixture, made[i]), ==, 0);
      g_assert_true (g_str_equal (fixture->out, expected));
      g_setenv ("LC_ALL", "C.UTF-8", TRUE);
      g_unsetenv ("LANGUAGE");
    }
  g_assert_cmpint (run (fixture, "evaluate"), ==, 0);
  plain = g_strdup (fixture->out);
  g_assert_cmpint (run (fixture, "evaluate --language de"), ==, 0);
  g_assert_false (g_str_equal (fixture->out, plain));
  g_assert_cmpint (run (fixture, "export -o -.svg --view mfu"), ==, 0);
  g_free (plain);
  plain = g_strdup (fixture->out);
  g_assert_cmpint (run (fixture, "export -o -.svg --view mfu --language de"), ==, 0);
  g_assert_false (g_str_equal (fixture->out, plain));
}

/* Runs a shell command, for redirections and resource limits. */
static int
run_shell (Fixture *fixture, const char *words)
{
  g_autofree char *command = g_strdup_printf ("cd '%s'; %s", fixture->folder, words);
  g_autofree char *quoted = g_shell_quote (command);
  g_autofree char *line = g_strdup_printf ("sh -c %s", quoted);
  int wait_status;

  g_free (fixture->err);
  fixture->err = NULL;
  g_assert_true (g_spawn_command_line_sync (line, NULL, &fixture->err, &wait_status, NULL));
  g_assert_true (WIFEXITED (wait_status));
  return WEXITSTATUS (wait_status);
}

/* A failed write is reported and leaves no file. */
static void
test_failed_write (Fixture *fixture, gconstpointer data)
{
  static const char *const prints[] = { "--help",        "--version", "new --help",
                                        "evaluate",      "check",     "evaluate --format json",
                                        "convert --list" };
  g_autoptr (GDir) folder = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (prints); i++)
    {
      g_autofree char *words = g_strdup_printf ("%s %s >/dev/full", PLG_CLI, prints[i]);

      g_assert_cmpint (run_shell (fixture, words), ==, 3);
      assert_contains (fixture->err, "Cannot write to standard output");
    }
  g_assert_cmpint (run_shell (fixture, "ulimit -f 8; " PLG_CLI " export -o large.png"), ==, 3);
  assert_contains (fixture->err, "large.png");
  folder = g_dir_open (fixture->folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (folder), ==, NULL);
}

/* A broken catalogue file of the user is reported and does not stop the program. */
static void
test_own_catalogue (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "parallelogram", "catalogue", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  write_file (fixture, "parallelogram/catalogue/mine.xml", "<catalogue version=\"1\"><gpu/>");
  g_assert_cmpint (run (fixture, "evaluate"), ==, 0);
  assert_contains (fixture->err, "mine.xml:1:");
}

/* Scripts call the program in loops. The limit leaves room for sanitizers and busy machines. */
static void
test_fast (Fixture *fixture, gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();

  for (int i = 0; i < 5; i++)
    g_assert_cmpint (run (fixture, "evaluate"), ==, 0);
  g_test_message ("%.1f ms", (g_get_monotonic_time () - start) / 5e3);
  g_assert_cmpint (g_get_monotonic_time () - start, <, (gint64) 10 * G_USEC_PER_SEC);
}

#define ADD(name, function, data) \
  g_test_add ("/cli/" name, Fixture, data, set_up, function, tear_down)

#define LESSON(inside)                                  \
  "<lesson version='1' id='l'><title>T</title>\n<step " \
  "id='s'><title>S</title>" inside "</step></lesson>"

/* Lessons and the glossary are detected and checked. */
static void
test_check_lesson (Fixture *fixture, gconstpointer data)
{
  write_file (fixture, "one.lesson.xml",
              LESSON ("<question id='q' answer='a'><choice id='a'><say>A</say><because><p>x</p>"
                      "</because></choice><choice id='b'><say>B</say><because><p>y</p></because>"
                      "</choice></question>"));
  write_file (fixture, "bad.lesson.xml", LESSON ("\n\n<p><n of='beauty'/></p>"));
  write_file (fixture, "glossary.xml",
              "<glossary><entry id='a' term='A'><p>x</p></entry></glossary>");
  write_file (fixture, "bad.xml", "<glossary><entry id='a'><p>x</p></entry></glossary>");
  g_assert_cmpint (run (fixture, "check one.lesson.xml"), ==, 0);
  assert_contains (fixture->out, "PASS: “T”, 1 step, 1 question\n");
  g_assert_cmpint (run (fixture, "check bad.lesson.xml"), ==, 1);
  assert_contains (fixture->err, "bad.lesson.xml:4: <n of=");
  g_assert_cmpint (run (fixture, "check one.lesson.xml --set parallelism.tp=4"), ==, 2);
  assert_contains (fixture->err, "--set and --assert need a plan");
  g_assert_cmpint (run (fixture, "check one.lesson.xml --assert fits"), ==, 2);
  g_assert_cmpint (run (fixture, "check glossary.xml"), ==, 0);
  assert_contains (fixture->out, "PASS: a glossary of 1 entry\n");
  g_assert_cmpint (run (fixture, "check bad.xml"), ==, 3);
  assert_contains (fixture->err, "bad.xml:1:");
}

static void
test_learner (Fixture *fixture, gconstpointer data)
{
  write_file (fixture, "ada.xml",
              "<learner version='1' name='Ada'><lesson id='l' step='s' finished='true' "
              "questions='1' goals='0' changed='2026-01-01T00:00:00Z'><title>Lesson</title>"
              "<answer question='q' choice='b' right='true'>Why</answer></lesson></learner>");
  write_file (fixture, "broken.xml", "<learner");
  g_assert_cmpint (run (fixture, "learner ada.xml"), ==, 0);
  assert_contains (fixture->out, "Ada · Optimal · 1 of 1 predictions right");
  g_assert_cmpint (run (fixture, "learner --to json ada.xml"), ==, 0);
  assert_contains (fixture->out, "\"act1_prediction\": \"b\"");
  g_assert_cmpint (run (fixture, "learner ada.xml ada.xml --class"), ==, 0);
  assert_contains (fixture->out, "| b | 1 | 100");
  g_assert_cmpint (run (fixture, "learner ada.xml --lesson other"), ==, 3);
  /* Unreadable files are reported; the other files are still written. */
  g_assert_cmpint (run (fixture, "learner broken.xml ada.xml --to csv"), ==, 3);
  assert_contains (fixture->err, "broken.xml:");
  assert_contains (fixture->out, "Lesson,q,q,b,b,true,1,1");
  g_assert_cmpint (run (fixture, "learner ada.xml --to csv --scores"), ==, 0);
  g_assert_cmpstr (fixture->out, ==,
                   "learner,lesson,score,right,questions\nAda,Lesson,optimal,1,1\n");
  g_assert_cmpint (run (fixture, "learner ada.xml --to json --scores"), ==, 2);
  /* Options without an effect are refused. */
  g_assert_cmpint (run (fixture, "learner ada.xml --to json --lesson other"), ==, 2);
  assert_contains (fixture->err, "--lesson applies to");
  g_assert_cmpint (run (fixture, "learner ada.xml --to csv --lesson lesson"), ==, 2);
  g_assert_cmpint (run (fixture, "learner ada.xml --to json --palette print"), ==, 2);
  g_assert_cmpint (run (fixture, "learner broken.xml"), ==, 3);
  g_assert_cmpint (run (fixture, "learner ada.xml --to pdf"), ==, 0);
  assert_contains (fixture->out, "%PDF-");
  g_assert_cmpint (run (fixture, "learner ada.xml --class --to svg"), ==, 0);
  assert_contains (fixture->out, "1 of 1 (right)");
  g_assert_cmpint (run (fixture, "learner"), ==, 2);
  g_assert_cmpint (run (fixture, "learner ada.xml --to html"), ==, 2);
  g_assert_cmpint (run (fixture, "learner ada.xml -o ada.tex"), ==, 2);
  g_assert_cmpint (run (fixture, "learner ada.xml --set parallelism.tp=4"), ==, 2);
  g_assert_cmpint (run (fixture, "learner ada.xml --account"), ==, 2);
  /* The help does not list refused options. */
  g_assert_cmpint (run (fixture, "learner --help"), ==, 0);
  assert_contains (fixture->out, "--language");
  g_assert_null (strstr (fixture->out, "--set"));
  g_assert_null (strstr (fixture->out, "--import"));
  g_assert_null (strstr (fixture->out, "--account"));
  g_assert_cmpint (run (fixture, "evaluate --help"), ==, 0);
  assert_contains (fixture->out, "--set");
}

/* A balanced layout shortens the step, can be written, and cannot be balanced further. */
static void
test_balance (Fixture *fixture, gconstpointer data)
{
  const char *plan = "balance --set parallelism.pp=8 --set parallelism.tp=4";
  g_autofree char *json = g_strdup_printf ("%s --format json", plan);
  g_autofree char *write = g_strdup_printf ("%s -o balanced.xml", plan);

  g_assert_cmpint (run (fixture, plan), ==, 0);
  assert_contains (fixture->out, "Layers of each stage: Et*10|");
  assert_contains (fixture->out, "The longest stage takes 259");
  g_assert_cmpint (run (fixture, json), ==, 0);
  assert_contains (fixture->out, "\"layout\": \"Et*10|");
  g_assert_cmpint (run (fixture, write), ==, 0);
  g_assert_cmpint (run (fixture, "balance balanced.xml"), ==, 0);
  assert_contains (fixture->out, "The layers are balanced already.");
  g_assert_cmpint (run (fixture, "evaluate balanced.xml --format lines"), ==, 0);
  assert_contains (fixture->out, "parallelism.layout");
  g_assert_cmpint (run (fixture, "balance --set parallelism.pp=1"), ==, 1);
  assert_contains (fixture->err, "use PP 2 or more");
  g_assert_cmpint (run (fixture, "balance --set cluster.memory=20"), ==, 1);
  assert_contains (fixture->err, "fits in memory");
}

/* The placement that was found can be written, is faster, and needs no further moves. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "place --set cluster.faults=gpu:25=0.8 -o placed.xml"), ==, 0);
  assert_contains (fixture->out, "Step time now: ");
  assert_contains (fixture->out, "No other assignment is faster than this one.");
  assert_contains (fixture->out, "node 3");
  g_assert_cmpint (run (fixture, "place --set cluster.faults=gpu:25=0.8 --format json"), ==, 0);
  assert_contains (fixture->out, "\"optimal\": true");
  assert_contains (fixture->out, "{\"part\": \"node\", \"a\": ");
  g_assert_cmpint (run (fixture, "place placed.xml"), ==, 0);
  assert_contains (fixture->out, "The placement stays as it is.");
  g_assert_cmpint (run (fixture, "place placed.xml -o placed.xml"), ==, 3);
  g_assert_cmpint (run (fixture, "place --format yaml"), ==, 2);
  g_assert_cmpint (run (fixture, "place --set cluster.faults=gpu:64=0.8"), ==, 2);
  assert_contains (fixture->err, "64");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("help", test_help, NULL);
  ADD ("misuse", test_misuse, NULL);
  ADD ("impossible", test_impossible, NULL);
  ADD ("impossible-file", test_impossible_file, NULL);
  ADD ("bad-files", test_bad_files, NULL);
  ADD ("no-files", test_no_files, NULL);
  ADD ("unreadable", test_unreadable, NULL);
  ADD ("explain", test_explain, NULL);
  ADD ("like", test_like, NULL);
  ADD ("only", test_only, NULL);
  ADD ("json-members", test_json_members, NULL);
  ADD ("json-findings", test_json_findings, NULL);
  ADD ("json-numbers", test_json_numbers, NULL);
  ADD ("evaluate-text", test_evaluate_text, NULL);
  ADD ("plan-sources", test_plan_sources, NULL);
  ADD ("lost-faults", test_lost_faults, NULL);
  ADD ("compared-bubble", test_compared_bubble, NULL);
  ADD ("export-views", test_export_views, NULL);
  ADD ("export-options", test_export_options, NULL);
  ADD ("node-names", test_node_names, NULL);
  ADD ("export-parts", test_export_parts, NULL);
  ADD ("export-text", test_export_text, NULL);
  ADD ("export-sweep", test_export_sweep, NULL);
  ADD ("solve", test_solve, NULL);
  ADD ("picture-is-plan", test_picture_is_plan, NULL);
  ADD ("export-all", test_export_all, NULL);
  ADD ("export-search", test_export_search, NULL);
  ADD ("export-all-of-part", test_export_all_of_part, NULL);
  ADD ("no-overwriting", test_no_overwriting, NULL);
  ADD ("convert", test_convert, NULL);
  ADD ("convert-picture", test_convert_picture, NULL);
  ADD ("yaml", test_yaml, NULL);
  ADD ("set-after-import", test_set_after_import, NULL);
  ADD ("convert-keeps", test_convert_keeps, NULL);
  ADD ("check", test_check, NULL);
  ADD ("check-prints-distinct-numbers", test_check_prints_distinct_numbers, NULL);
  ADD ("bubble-of-profile", test_bubble_of_profile, NULL);
  ADD ("new", test_new, NULL);
  ADD ("new-fits", test_new_fits, NULL);
  ADD ("search-why", test_search_why, NULL);
  ADD ("better-plan", test_better_plan, NULL);
  ADD ("new-models", test_new_of_any_catalogue_entry, "model");
  ADD ("new-clusters", test_new_of_any_catalogue_entry, "cluster");
  ADD ("locale", test_locale, NULL);
  ADD ("tables", test_tables, NULL);
  ADD ("language", test_language, NULL);
  ADD ("failed-write", test_failed_write, NULL);
  ADD ("own-catalogue", test_own_catalogue, NULL);
  ADD ("check-lesson", test_check_lesson, NULL);
  ADD ("learner", test_learner, NULL);
  ADD ("balance", test_balance, NULL);
  ADD ("place", test_place, NULL);
  ADD ("fast", test_fast, NULL);
  return g_test_run ();
}
