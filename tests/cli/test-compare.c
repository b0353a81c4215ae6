/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-fixture.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* Tests of "parallelogram-cli compare" and of "evaluate --format lines", which git uses to show
 * differences between plan files. */

static void
make_plans (Fixture *fixture)
{
  g_assert_cmpint (run (fixture, "new -o a.plan.xml"), ==, 0);
  g_assert_cmpint (run (fixture, "new --set parallelism.tp=4 --set parallelism.pp=8 -o b.plan.xml"),
                   ==, 0);
}

/* Returns the member of the object with the key KEY in the array NAME. */
static JsonObject *
find_row (JsonObject *root, const char *name, const char *key)
{
  JsonArray *rows = json_object_get_array_member (root, name);

  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);

      if (g_str_equal (json_object_get_string_member (row, "key"), key))
        return row;
    }
  g_test_message ("%s has no row %s", name, key);
  g_assert_not_reached ();
}

static void
test_text_lists_what_differs (Fixture *fixture, gconstpointer data)
{
  make_plans (fixture);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml"), ==, 0);
  assert_contains (fixture->out, "2 settings differ.");
  assert_contains (fixture->out, "parallelism.tp  8  4          −4   −50 %");
  assert_contains (fixture->out, "parallelism.pp  4  8          +4  +100 %");
  assert_contains (fixture->out, "step-time ");
  assert_lacks (fixture->out, "model.layers");
  assert_lacks (fixture->out, "world-size");

  /* All lines of a table have the same width, so that the columns are aligned. */
  g_auto (GStrv) lines = g_strsplit (fixture->out, "\n", -1);
  glong width = 0;

  for (int i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "Figure"))
      width = g_utf8_strlen (lines[i], -1);
    else if (width > 0 && *lines[i] == '\0')
      break;
    else if (width > 0)
      g_assert_cmpint (g_utf8_strlen (lines[i], -1), ==, width);
  g_assert_cmpint (width, >, 0);
}

static void
test_same_plan (Fixture *fixture, gconstpointer data)
{
  make_plans (fixture);
  g_assert_cmpint (run (fixture, "compare a.plan.xml a.plan.xml"), ==, 0);
  assert_contains (fixture->out, "The two plans do not differ.");
  assert_lacks (fixture->out, "Figure");
}

static void
test_json_has_exact_numbers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root, *row;

  make_plans (fixture);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml -o c.json --assert 'mfu>=35%'"), ==,
                   0);
  g_autofree char *path = g_build_filename (fixture->folder, "c.json", NULL);

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  root = json_node_get_object (json_parser_get_root (parser));
  row = find_row (root, "settings", "parallelism.tp");
  g_assert_cmpfloat (json_object_get_double_member (row, "a"), ==, 8);
  g_assert_cmpfloat (json_object_get_double_member (row, "b"), ==, 4);
  row = find_row (root, "figures", "step-time");
  g_assert_cmpstr (json_object_get_string_member (row, "unit"), ==, "s");
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (row, "difference"),
                                  json_object_get_double_member (row, "b") -
                                      json_object_get_double_member (row, "a"),
                                  1e-12);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "assertions")), ==,
                    2);
  g_assert_true (json_object_get_boolean_member (root, "same_outcome"));
}

static void
test_status_follows_outcomes (Fixture *fixture, gconstpointer data)
{
  make_plans (fixture);
  /* TP 4 with PP 4 does not fit in memory. */
  g_assert_cmpint (run (fixture, "compare a.plan.xml --set-b parallelism.tp=4"), ==, 1);
  assert_contains (fixture->out, "Only A fits in memory.");
  /* Only A is below the limit. Both plans fail the other assertion, which is no difference. */
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml --assert 'bubble<=12%'"), ==, 1);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml --assert 'mfu>=90%'"), ==, 0);
  g_assert_cmpint (run (fixture, "compare a.plan.xml"), ==, 2);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml a.plan.xml"), ==, 2);
  g_assert_cmpint (run (fixture, "compare - -"), ==, 2);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml --assert 'speed>1'"), ==, 2);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml -o c.doc"), ==, 2);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml -o c.svg --format json"), ==, 2);
  g_assert_cmpint (run (fixture, "compare a.plan.xml missing.plan.xml"), ==, 3);
  g_assert_cmpint (run (fixture, "compare a.plan.xml --set-b parallelism.tp=7"), ==, 1);
}

/* A price and a power of 0 stand for those of the GPU, so the tables show these. */
static void
test_prices_of_the_catalogue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *row;

  g_assert_cmpint (run (fixture, "compare --set-b cost.gpu-hour=5 --set-b cost.power-busy=600"), ==,
                   0);
  assert_contains (fixture->out, "cost.gpu-hour    10 USD (catalogue)  5 USD  ");
  assert_contains (fixture->out, "700 W (catalogue)");
  assert_lacks (fixture->out, " 0 USD");
  g_assert_cmpint (run (fixture, "compare --set-b cost.gpu-hour=5 --format json"), ==, 0);
  g_assert_true (json_parser_load_from_data (parser, fixture->out, -1, NULL));
  row = find_row (json_node_get_object (json_parser_get_root (parser)), "settings",
                  "cost.gpu-hour");
  g_assert_cmpfloat (json_object_get_double_member (row, "a"), ==, 10);
  g_assert_cmpstr (json_object_get_string_member (row, "a_source"), ==, "catalogue");
  g_assert_false (json_object_has_member (row, "b_source"));

  g_assert_cmpint (run (fixture, "evaluate --format lines"), ==, 0);
  assert_contains (fixture->out, "\ncost.gpu-hour = 10 USD (catalogue)\n");
  assert_contains (fixture->out, "\nhost-share = 0 %\n");
  assert_contains (fixture->out, "\ncost.power-idle = 145 W (catalogue)\n");
  g_assert_cmpint (run (fixture, "evaluate --format lines --set cluster.gpu=h20-96"), ==, 0);
  assert_contains (fixture->out, "\ncost.gpu-hour = unknown\n");
  g_assert_cmpint (run (fixture, "compare --set cluster.gpu=h20-96 --set-b cost.gpu-hour=5"), ==,
                   0);
  assert_contains (fixture->out, "cost.gpu-hour  unknown  5 USD");
  g_assert_cmpint (run (fixture, "compare --set cluster.gpu=h20-96 --set-b cost.gpu-hour=5 "
                                 "--format json"),
                   ==, 0);
  assert_contains (fixture->out, "\"unit\": \"USD\", \"a\": null, \"b\": 5");
  g_assert_cmpint (run (fixture, "evaluate --format lines --set cost.gpu-hour=5"), ==, 0);
  assert_contains (fixture->out, "\ncost.gpu-hour = 5 USD\n");

  g_assert_cmpint (run (fixture, "search --keep parallelism.tp --keep parallelism.pp --keep "
                                 "parallelism.cp --keep parallelism.order --keep training.schedule "
                                 "--vary cost.gpu-hour=0,5 --by cost --top 1"),
                   ==, 0);
  assert_contains (fixture->out, "now  10 USD (catalogue)  ");
}

/* The lines have the figures of the whole training. */
static void
test_lines_have_costs (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "days-with-failures",
                                       "goodput",
                                       "interruptions",
                                       "cost",
                                       "cost-per-million-tokens",
                                       "power",
                                       "energy",
                                       "energy-per-token",
                                       "co2",
                                       "co2-per-million-tokens" };

  g_assert_cmpint (run (fixture, "evaluate --format lines"), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *start = g_strconcat ("\n", names[i], " = ", NULL);

      assert_contains (fixture->out, start);
    }
  assert_contains (fixture->out, "\ncost = 5.21304e+07 USD\n");
  assert_contains (fixture->out, "\npower = 113532 W\n");
  g_assert_cmpint (run (fixture, "evaluate --format lines --set reliability.mtbf=1"), ==, 0);
  assert_lacks (fixture->out, "\ncost = ");
}

/* A message about a plan that is not possible names this plan. */
static void
test_impossible_plan_is_named (Fixture *fixture, gconstpointer data)
{
  static const char uneven[] = "<plan version=\"1\"><parallelism tp=\"7\"/></plan>";

  make_plans (fixture);
  write_file (fixture, "c.plan.xml", uneven);
  g_assert_cmpint (run (fixture, "compare a.plan.xml c.plan.xml"), ==, 1);
  assert_contains (fixture->err, "c.plan.xml");
  assert_lacks (fixture->err, "a.plan.xml");
  g_assert_cmpint (run (fixture, "compare a.plan.xml a.plan.xml --set-b parallelism.tp=7"), ==, 1);
  assert_contains (fixture->err, "B (a.plan.xml): TP 7");
  g_assert_cmpint (run (fixture, "compare a.plan.xml --set-b parallelism.tp=7"), ==, 1);
  assert_contains (fixture->err, "B (A with parallelism.tp=7): TP 7");
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml --set training.micro-batch=3"), ==,
                   1);
  assert_contains (fixture->err, "A (a.plan.xml): ");
}

/* A figure that only one plan has is listed: a run that never ends has no days and no cost. */
static void
test_run_without_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *row;

  g_assert_cmpint (run (fixture, "compare --set-b reliability.mtbf=1"), ==, 0);
  assert_contains (fixture->out, "never");
  assert_contains (fixture->out, "\ncost  ");
  assert_lacks (fixture->out, "nan");
  g_assert_cmpint (run (fixture, "compare --set reliability.mtbf=1 --set-b reliability.mtbf=50000"),
                   ==, 0);
  assert_contains (fixture->out, "never");
  g_assert_cmpint (run (fixture, "compare --set-b reliability.mtbf=1 --format json"), ==, 0);
  g_assert_true (json_parser_load_from_data (parser, fixture->out, -1, NULL));
  row = find_row (json_node_get_object (json_parser_get_root (parser)), "figures",
                  "days-with-failures");
  g_assert_cmpfloat (json_object_get_double_member (row, "a"), >, 0);
  g_assert_true (json_object_get_null_member (row, "b"));
  g_assert_false (json_object_has_member (row, "difference"));

  /* No amount of the whole training exists without a token budget. */
  g_assert_cmpint (run (fixture, "compare --set-b training.tokens=0"), ==, 0);
  assert_contains (fixture->out, "\ndays  ");
  assert_lacks (fixture->out, " 0 days  ");
}

static void
test_values_for_both (Fixture *fixture, gconstpointer data)
{
  make_plans (fixture);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml --set cluster.nodes=16 "
                                 "--set-b training.zero=1 --format json"),
                   ==, 2);
  g_assert_cmpint (run (fixture, "compare a.plan.xml b.plan.xml --set cluster.nodes=16 "
                                 "--set-b parallelism.zero=2 --format json"),
                   ==, 0);
  assert_contains (fixture->out, "\"parallelism.zero\"");
  assert_lacks (fixture->out, "\"cluster.nodes\"");
}

/* Values that no key expresses: the title and a placement by hand. */
static void
test_values_without_key (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL, *path = g_build_filename (fixture->folder, "a.plan.xml", NULL);
  g_autoptr (GString) changed = NULL;

  make_plans (fixture);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  changed = g_string_new (text);
  g_string_replace (changed, "<cluster", "<title>Night run</title>\n  <cluster", 1);
  path[strlen (path) - strlen ("a.plan.xml")] = 'c';
  g_assert_true (g_file_set_contents (path, changed->str, -1, NULL));
  g_assert_cmpint (run (fixture, "compare a.plan.xml c.plan.xml"), ==, 0);
  assert_contains (fixture->out, "title");
  assert_contains (fixture->out, "Night run");
  g_assert_cmpint (run (fixture, "evaluate c.plan.xml --format lines"), ==, 0);
  assert_contains (fixture->out, "title = Night run\n");
}

static void
test_lines_are_stable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;

  make_plans (fixture);
  g_assert_cmpint (run (fixture, "evaluate a.plan.xml --format lines"), ==, 0);
  first = g_strdup (fixture->out);
  assert_contains (first, "\nparallelism.tp = 8\n");
  assert_contains (first, "\ncluster.intra-bandwidth = 450 GB/s\n");
  assert_contains (first, "\nfits = true\n");
  assert_contains (first, " GiB\n");
  /* The lines do not depend on the language. */
  g_assert_cmpint (run (fixture, "evaluate a.plan.xml --format lines --language de"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, first);

  g_auto (GStrv) lines = g_strsplit (first, "\n", -1);

  for (int i = 0; lines[i + 1] != NULL; i++)
    {
      g_assert_nonnull (strstr (lines[i], " ="));
      g_assert_false (g_str_has_suffix (lines[i], " "));
    }
}

/* Runs git with the two lines of configuration from the manual. */
static void
test_git_shows_values (Fixture *fixture, gconstpointer data)
{
  g_autofree char *git = g_find_program_in_path ("git");
  g_autofree char *attributes = g_build_filename (fixture->folder, ".gitattributes", NULL);
  g_autofree char *configure = g_strconcat ("git config diff.parallelogram.textconv '", PLG_CLI,
                                            " evaluate --format lines'", NULL);

  if (git == NULL)
    {
      g_test_skip ("git is not installed");
      return;
    }
  g_assert_cmpint (run (fixture, "new -o run.plan.xml"), ==, 0);
  g_assert_cmpint (run_line (fixture, "", "git init -q ."), ==, 0);
  g_assert_true (g_file_set_contents (attributes, "*.plan.xml diff=parallelogram\n", -1, NULL));
  g_assert_cmpint (run_line (fixture, "", configure), ==, 0);
  g_assert_cmpint (run_line (fixture, "", "git add run.plan.xml"), ==, 0);
  g_assert_cmpint (run_line (fixture, "", "git -c user.name=a -c user.email=a@b commit -q -m plan"),
                   ==, 0);
  g_assert_cmpint (run (fixture, "new -f --set parallelism.tp=4 --set parallelism.pp=8 "
                                 "-o run.plan.xml"),
                   ==, 0);
  g_assert_cmpint (run_line (fixture, "", "git --no-pager diff -U0"), ==, 0);
  assert_contains (fixture->out, "\n-parallelism.tp = 8\n");
  assert_contains (fixture->out, "\n+parallelism.tp = 4\n");
  assert_contains (fixture->out, "\n+step-time = ");
  assert_lacks (fixture->out, "model.layers");
  assert_lacks (fixture->out, "<");
}

#define ADD(name, function) \
  g_test_add ("/cli/compare/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("text-lists-what-differs", test_text_lists_what_differs);
  ADD ("same-plan", test_same_plan);
  ADD ("json-has-exact-numbers", test_json_has_exact_numbers);
  ADD ("status-follows-outcomes", test_status_follows_outcomes);
  ADD ("impossible-plan-is-named", test_impossible_plan_is_named);
  ADD ("prices-of-the-catalogue", test_prices_of_the_catalogue);
  ADD ("lines-have-costs", test_lines_have_costs);
  ADD ("run-without-end", test_run_without_end);
  ADD ("values-for-both", test_values_for_both);
  ADD ("values-without-key", test_values_without_key);
  ADD ("lines-are-stable", test_lines_are_stable);
  ADD ("git-shows-values", test_git_shows_values);
  return g_test_run ();
}
