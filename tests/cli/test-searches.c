/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-fixture.h"

#include <string.h>

/* Tests of the commands that search: what they say about a layout by hand, what they do after
 * Ctrl+C, and how they report what they found. */

/* Five stages with a layout by hand. */
#define LAYOUT                                                                     \
  "--set parallelism.pp=5 --set cluster.nodes=5 --set training.global-batch=1000 " \
  "--set 'parallelism.layout=Et*19|(t*20|)*2t*21|L'"
/* A small space. */
#define SMALL                                                                                      \
  " --keep parallelism.tp --keep parallelism.cp --keep training.schedule --keep parallelism.zero " \
  "--top 1 "

#define KEPT "plans with PP 5 and 5 virtual stages keep the layers that parallelism.layout gives"
#define LEFT_OUT "parallelism.layout is left out because it does not fit the changed plan"
#define LOST "parallelism.layout does not fit some of the plans that were tried"

/* Each command says once on standard error that plans keep or lose the layout by hand. */
static void
test_layout (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *command;
    const char *says; /* on standard error; NULL for nothing */
  } cases[] = {
    { "evaluate plan.xml", NULL },
    { "evaluate plan.xml --set parallelism.pp=1", LEFT_OUT },
    { "evaluate plan.xml --set model.layers=60", LEFT_OUT },
    { "evaluate plan.xml --set parallelism.layout=", NULL },
    { "evaluate plan.xml --set training.micro-batch=2", NULL },
    { "compare plan.xml --set-b parallelism.pp=1", "B (A with parallelism.pp=1): " LEFT_OUT },
    { "search plan.xml" SMALL, KEPT },
    { "search plan.xml --format json" SMALL, KEPT },
    { "search plan.xml --set model.layers=60" SMALL, LEFT_OUT },
    { "search plan.xml --set parallelism.layout=" SMALL, NULL },
    { "search" SMALL, NULL },
    { "export plan.xml --view search -o -.txt --keep parallelism.tp --keep parallelism.cp", KEPT },
    { "export plan.xml --view sweep -o -.csv --x parallelism.pp=1,5", LOST },
    { "export plan.xml --view sweep -o -.csv --x training.micro-batch=1,5", NULL },
    { "solve 'mfu>=10%' plan.xml --for parallelism.pp", LOST },
    { "solve 'mfu>=10%' plan.xml --for parallelism.pp --format json", LOST },
    { "solve 'mfu>=10%' plan.xml --for training.micro-batch", NULL },
  };

  g_assert_cmpint (run (fixture, "convert --to xml -o plan.xml " LAYOUT), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *first;

      run (fixture, cases[i].command);
      first = strstr (fixture->err, "layout");
      if (cases[i].says == NULL)
        g_assert_null (first);
      else
        {
          assert_contains (fixture->err, cases[i].says);
          g_assert_null (strstr (strstr (fixture->err, cases[i].says) + 1, cases[i].says));
        }
    }
}

/* Runs COMMAND, which takes minutes, and presses Ctrl+C later and later, until the command had the
 * time to begin its search and says so. */
static void
interrupt (Fixture *fixture, const char *command, const char *says)
{
  static const char *const times[] = { "0.5", "2", "8", "30" };

  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      /* Without --foreground, timeout sends the signal a second time to the process group, and a
       * second Ctrl+C ends the program at once. */
      g_autofree char *
          wrapper = g_strdup_printf ("timeout --foreground --preserve-status -s INT %s ", times[i]);

      fixture->wrapper = wrapper;
      g_assert_cmpint (run (fixture, command), ==, 130);
      fixture->wrapper = "";
      if (strstr (fixture->err, says) != NULL)
        return;
    }
  assert_contains (fixture->err, says);
}

static void
test_interrupt (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = NULL;

  /* No bound helps with this metric. */
  interrupt (fixture,
             "search --by bubble --set cluster.nodes=1024 --set training.global-batch=16384",
             "The search was interrupted after ");
  assert_contains (fixture->out, "The search is not complete");
  interrupt (fixture,
             "export --view search -o plans.svg --by bubble --set cluster.nodes=1024 --set "
             "training.global-batch=16384",
             "The search was interrupted, so no picture was written.");
  folder = g_build_filename (fixture->folder, "plans.svg", NULL);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  /* Every value is tried with all links and findings. */
  interrupt (fixture,
             "solve 'days<=0.000001' -a 'warnings<=0' --for training.tokens --set "
             "cluster.nodes=1024 --set training.global-batch=16384",
             "The command was interrupted before it found an answer.");
}

/* Times that differ look different, the saving is named, and a placement that cannot be improved is
 * called so. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (run (fixture, "place --set cluster.faults=nic:3.0=0.95,gpu:17=0.99"), ==, 0);
  assert_contains (fixture->out, "Step time now: 10.155 s\nStep time found: 10.154 s\n");
  assert_contains (fixture->out, "Saves 561 µs per step (< 0.01 %).\n");
  assert_contains (fixture->out, "No other assignment is faster than this one.\n");
  assert_contains (fixture->out, "  node 1 ↔ node 3\n");

  g_assert_cmpint (run (fixture, "place"), ==, 0);
  assert_contains (fixture->out, "Step time now: 10.2 s\nStep time found: 10.2 s\n");
  assert_contains (fixture->out, "No other assignment is faster than this one.\n");
  assert_contains (fixture->out, "The placement stays as it is.\n");
  assert_lacks (fixture->out, "Saves");
}

#define ADD(name, function) \
  g_test_add ("/cli/searches/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("layout", test_layout);
  ADD ("interrupt", test_interrupt);
  ADD ("place", test_place);
  return g_test_run ();
}
