/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-fixture.h"

#include <string.h>

/* Tests of options that contradict each other or that no command can follow: each is an error with
 * its remedy, and no option is ignored. */

typedef struct
{
  const char *command;
  int status;
  const char *says; /* part of the output or of the message, or NULL */
} Case;

static void
run_cases (Fixture *fixture, const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpint (run (fixture, cases[i].command), ==, cases[i].status);
      if (cases[i].says != NULL)
        assert_contains (cases[i].status == 0 ? fixture->out : fixture->err, cases[i].says);
      if (cases[i].status == 2)
        assert_contains (fixture->err, "--help lists the options");
    }
}

/* A small space: the degrees and the order of the default plan. */
#define SMALL                                                                                    \
  " --keep parallelism.tp --keep parallelism.pp --keep parallelism.cp --keep parallelism.order " \
  "--keep training.schedule "

static void
test_search (Fixture *fixture, gconstpointer data)
{
  static const Case cases[] = {
    { "search --keep parallelism.tp --vary parallelism.tp=2,4", 2,
      "--keep and --vary both name parallelism.tp" },
    { "search --keep parallelism.tp --vary parallelism.tp", 2,
      "--keep and --vary both name parallelism.tp" },
    { "search --vary parallelism.tp=2 --vary parallelism.tp=4", 2,
      "--vary names parallelism.tp twice" },
    { "search --vary cluster.nodes=8 --vary cluster.nodes=16", 2, "--vary cluster.nodes=V1,V2" },
    { "search --vary parallelism.tp=", 2, "lists no values; write --vary parallelism.tp" },
    { "search --vary cluster.nodes=8,8", 2, "lists the value 8 twice" },
    { "search --vary cost.gpu-hour=5,5.0", 2, "lists the value 5.0 twice" },
    { "search --vary view.show=tp,pp", 2, "changes pictures" },
    { "search --vary =3", 2, "There is no key" },
    { "search --vary model.name=llama3-8b,unknown", 2, "unknown" },
    { "search --pareto memory,MEMORY", 2, "names memory twice" },
    { "search" SMALL "--require 'MFU>=10%' --by Step-Time", 0, "Llama 3 70B" },
    { "search --top 3 --pareto step-time,memory", 2, "leave --top out" },
    { "search --top 0", 2, "--top" },
    { "search --top -1", 2, "--top" },
    { "search --why 0", 2, "--why" },
    { "search --why 11", 2, "only 10 plans are listed; use --top 11." },
    { "search --top 3 --why 4 --format json", 2, "only 3 plans are listed" },
    { "search --why 1 --format csv", 2, "--why" },
    { "search" SMALL "--pareto step-time,memory --why 1000", 2, "the search found only " },
    { "search" SMALL "--pareto step-time,memory --why 1", 0, "From PLAN to plan 1:" },
    { "search" SMALL "--top 2", 0, "Llama 3 70B" },
    { "search --by fits", 2,
      "--by: “fits” is only yes or no, so it cannot rank plans. Use one of: " },
    { "search --by tp-in-node", 2, "is only yes or no" },
    { "search --by capacity", 2, "“capacity” is the same for all degrees and schedules" },
    { "search --pareto step-time,parameters", 2, "“parameters” is the same for all degrees" },
    { "search --keep nonsense", 2, "There is no key “nonsense”; use one of: parallelism.tp, " },
    { "search --keep parallelism.tpp", 2, "similar keys: parallelism.tp, " },
    { "search" SMALL "--vary training.sequence=4096,8192", 0, "  training.sequence  tp  " },
    { "search" SMALL "--vary cost.gpu-hour=0,3 --by cost --top 2", 0, "  3 USD  " },
    { "search" SMALL "--vary cost.gpu-hour=3 --why 1", 0,
      "Price of a GPU-hour 10 USD (catalogue) → 3 USD. " },
  };

  run_cases (fixture, cases, G_N_ELEMENTS (cases));
  g_assert_cmpint (run (fixture, "search --keep nonsense"), ==, 2);
  assert_lacks (fixture->err, "cluster.nodes");
  /* Held settings are a reason only if there are some. */
  g_assert_cmpint (run (fixture, "search --set cluster.nodes=1 --set model.name=llama3-405b"), ==,
                   1);
  assert_contains (fixture->out, "No plan fits in memory. Use more nodes.\n");
  g_assert_cmpint (run (fixture, "search --set cluster.nodes=1 --set model.name=llama3-405b --keep "
                                 "parallelism.tp"),
                   ==, 1);
  assert_contains (fixture->out, "Use more nodes, or hold fewer settings fixed.\n");
  g_assert_cmpint (run (fixture, "search --by fits"), ==, 2);
  assert_contains (fixture->err, ": memory, ");
  assert_lacks (fixture->err, ", capacity");
  assert_lacks (fixture->err, "errors");
}

/* Each command names an argument that is not text in the character set of the locale. */
static void
test_encoding (Fixture *fixture, gconstpointer data)
{
  static const char *const commands[] = { "evaluate", "export", "convert", "check", "search",
                                          "compare",  "place",  "solve",   "new" };

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *command = g_strconcat (commands[i], " --set 'title=\xff'", NULL);

      g_assert_cmpint (run (fixture, command), ==, 2);
      assert_contains (fixture->err, "Argument 2, “title=");
      assert_contains (fixture->err, "is not valid UTF-8");
      g_assert_true (g_utf8_validate (fixture->err, -1, NULL));
    }
  g_assert_cmpint (run (fixture, "learner --lesson '\xff'"), ==, 2);
  assert_contains (fixture->err, "is not valid UTF-8");
  /* A file may have any name. */
  g_assert_cmpint (run (fixture, "evaluate '\xff.xml'"), ==, 3);

  fixture->wrapper = "env LC_ALL=C ";
  g_assert_cmpint (run (fixture, "evaluate --set title=é"), ==, 2);
  assert_contains (fixture->err, "set LC_ALL=C.UTF-8");
}

/* A value that fills the screen does not hide the remedy. */
static void
test_long_values (Fixture *fixture, gconstpointer data)
{
  static const char *const commands[] = {
    "search --keep ", "search --by ", "solve fits --for ",
    "export -o -.csv --view sweep --x cluster.nodes --metric ", "compare --set-b "
  };
  g_autofree char *value = g_strnfill (50000, 'x');

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *command = g_strconcat (commands[i], value, NULL);

      g_assert_cmpint (run (fixture, command), ==, 2);
      g_assert_cmpuint (strlen (fixture->err), <, 4000);
      assert_contains (fixture->err, "xxx…");
    }
}

/* A search does not begin if its file cannot be written, and texts for files and for the screen are
 * the same. */
static void
test_output_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  write_file (fixture, "old.txt", "mine");
  g_assert_cmpint (run (fixture, "search -o old.txt"), ==, 3);
  assert_contains (fixture->err, "use -f to replace it");
  g_assert_cmpint (run (fixture, "search -o missing/plans.txt"), ==, 3);
  assert_contains (fixture->err, "There is no folder “missing”");
  g_assert_cmpint (run (fixture, "search -o ''"), ==, 3);
  g_assert_cmpint (run (fixture, "place -o missing/placed.xml"), ==, 3);
  g_assert_cmpstr (fixture->out, ==, "");

  g_assert_cmpint (run (fixture, "compare --set-b parallelism.overlap-dp=false -o new.txt"), ==, 0);
  text = read_file (fixture, "new.txt", NULL);
  g_assert_cmpint (run (fixture, "compare --set-b parallelism.overlap-dp=false"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, text);
  g_assert_cmpint (run (fixture, "compare --set-b parallelism.overlap-dp=false -o -"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, text);
}

/* All plans of a search run the program of the plan, so the kernels are a column only if they
 * vary. */
static void
test_kernels (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "search" SMALL "--top 2"), ==, 0);
  assert_lacks (fixture->out, "kernels");
  g_assert_cmpint (run (fixture, "search" SMALL "--vary training.kernels=fused,eager"), ==, 0);
  assert_contains (fixture->out, "  fused  ");
  g_assert_cmpint (run (fixture,
                        "search" SMALL "--top 9 --vary training.program=megatron,deepspeed"),
                   ==, 0);
  assert_contains (fixture->out, "  megatron  ");
}

static void
test_optimizers (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "search" SMALL "--top 9 --vary training.optimizer=adam,adam-8bit"),
                   ==, 0);
  assert_contains (fixture->out, "  adam-8bit  ");
}

/* Words next to the number 1 are in the singular. */
static void
test_singular (Fixture *fixture, gconstpointer data)
{
#define ONE                                                                         \
  " --set cluster.node=custom --set cluster.nodes=1 --set cluster.gpus-per-node=1 " \
  "--set parallelism.tp=1 --set parallelism.pp=1 --set model.name=llama3-8b "       \
  "--set training.global-batch=1 "
  static const Case cases[] = {
    { "evaluate" ONE "--set parallelism.dp=2", 1, "but the cluster has 1 GPU; " },
    { "evaluate" ONE "--set parallelism.tp=2", 1, "does not divide 1 GPU; " },
    { "evaluate" ONE, 0, "1 sequence of 8 192 tokens per step; 1 micro-batch of 1 per replica" },
    { "convert --to worksheet" ONE, 0, "Batch: 1 sequence of " },
    { "convert --to html" ONE, 0, "1 sequence of " },
    { "export -o -.txt" ONE "--set model.layers=1", 0, "stage 0, 1 layer, " },
    { "compare --set-b training.sequence=1" ONE, 0, "  1 token  " },
    { "check --assert 'days<=1'", 1, NULL },
    { "search --top 1 --why 2", 2, "only 1 plan is listed; " },
    { "search" SMALL
      "--keep training.micro-batch --keep training.recompute --keep parallelism.zero "
      "--keep parallelism.sequence --keep parallelism.replicate --keep parallelism.chunks",
      0, "\n1 plan: 0 not possible, " },
  };

  run_cases (fixture, cases, G_N_ELEMENTS (cases));
  g_assert_cmpint (run (fixture, "check --assert 'days<=1'"), ==, 1);
  assert_contains (fixture->out, "  1 day  ");
  g_assert_cmpint (run (fixture, "compare --set-b parallelism.overlap-dp=false"), ==, 0);
  assert_contains (fixture->out, " percentage points");
}

/* A value that fails differs visibly from its limit, and the method names its significant digits. */
static void
test_solve (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "solve 'days<=30.254' --for training.tokens"), ==, 0);
  assert_contains (fixture->out, "must be at most 30.25 days (30.26 days)");
  assert_contains (fixture->out, "every number with three significant digits");
  g_assert_cmpint (run (fixture, "solve 'cost<=10000000USD' --for training.tokens"), ==, 0);
  assert_contains (fixture->out, "must be at most 10 M USD (10.01 M USD)");
  g_assert_cmpint (run (fixture, "solve 'days<=30' --for parallelism.pp"), ==, 1);
  assert_contains (fixture->out, "at most 30 days (");
  assert_contains (fixture->out, "every whole number in the range of the setting");
  g_assert_null (strstr (fixture->out, "now"));
  g_assert_cmpint (run (fixture, "solve fits --for title"), ==, 2);
  assert_contains (fixture->err, "there is no key “title”; use, for example, cluster.nodes");
}

/* The table of a sweep names the unit of each figure. */
static void
test_sweep_units (Fixture *fixture, gconstpointer data)
{
  static const Case cases[] = {
    { "cost", 0, "cluster.nodes,cost_usd,peak_memory_bytes,state,reason\n" },
    { "days", 0, "cluster.nodes,days_s,peak_memory_bytes," },
    { "power", 0, "cluster.nodes,power_w," },
    { "energy", 0, "cluster.nodes,energy_j," },
    { "co2", 0, "cluster.nodes,co2_kg," },
    { "mfu", 0, "cluster.nodes,mfu," },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *command = g_strconcat ("export -o -.csv --view sweep --x cluster.nodes=8 "
                                              "--metric ",
                                              cases[i].command, NULL);

      g_assert_cmpint (run (fixture, command), ==, cases[i].status);
      g_assert_true (g_str_has_prefix (fixture->out, cases[i].says));
    }
}

/* The extension of -o chooses the type of the file unless --format does, in each command. */
static void
test_extensions (Fixture *fixture, gconstpointer data)
{
  static const Case cases[] = {
    { "search" SMALL "-o a.json", 0, NULL },
    { "search" SMALL "-o a.CSV", 0, NULL },
    { "search" SMALL "-o a.txt", 0, NULL },
    { "search" SMALL "-o a.d/plans", 3, "a.d/plans" },
    { "search" SMALL "-o plans", 0, NULL },
    { "search" SMALL "--format json -o a.log", 0, NULL },
    { "search -o a.doc", 2, "use .txt, .json, .csv" },
    { "search --format csv -o b.json", 2, "which is .csv" },
    { "search --format xml", 2, "text, json, csv" },
    { "compare --set-b parallelism.overlap-dp=false -o c.json", 0, NULL },
    { "compare --set-b parallelism.overlap-dp=false -o c.csv --format json", 2, "which is .json" },
    { "compare --set-b parallelism.overlap-dp=false --format svg", 2, "text, json" },
    { "place -o b.json", 2, "use .xml" },
    { "new -o b.yaml", 2, "use .xml" },
    { "new -o b.plan.xml", 0, NULL },
    { "export -o b.csv --format svg", 2, "leave --format out" },
    { "export --view sweep -o b.svg --format csv", 2, "leave --format out" },
    { "learner b.plan.xml --to csv -o b.json", 2, "which is .csv" },
    { "learner b.plan.xml -o b.doc", 2, "use .md, .json, .csv, .svg, .pdf, .png, .txt" },
  };
  static const struct
  {
    const char *name;
    const char *start;
  } files[] = {
    { "a.json", "{" },          { "a.CSV", "parallelism.tp," },
    { "a.txt", "Llama 3 70B" }, { "plans", "Llama 3 70B" },
    { "a.log", "{" },           { "c.json", "{" },
  };

  run_cases (fixture, cases, G_N_ELEMENTS (cases));
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = read_file (fixture, files[i].name, NULL);

      g_assert_true (g_str_has_prefix (text, files[i].start));
    }
}

#define ADD(name, function) \
  g_test_add ("/cli/options/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("search", test_search);
  ADD ("encoding", test_encoding);
  ADD ("long-values", test_long_values);
  ADD ("output-files", test_output_files);
  ADD ("kernels", test_kernels);
  ADD ("optimizers", test_optimizers);
  ADD ("singular", test_singular);
  ADD ("solve", test_solve);
  ADD ("sweep-units", test_sweep_units);
  ADD ("extensions", test_extensions);
  return g_test_run ();
}
