/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/import/error-position.h"
#include "io/import/plan-repair.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Readers of a part of a plan apply settings to the open plan and repair the rest. */
typedef struct
{
  PlgCatalogue *catalogue;
  PlgImportContext context;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  plg_import_init (&fixture->context, "", 0, NULL, fixture->catalogue);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_import_clear (&fixture->context);
  plg_catalogue_unref (fixture->catalogue);
}

/* The default plan has 8 nodes of 8 GPUs, TP 8, PP 4, DP 2 and GPT-3 175B's 96 layers. */
static const struct
{
  const char *name;
  const char *settings[8];
  const char *becomes[8]; /* expected "KEY=VALUE" of the plan */
  const char *error;      /* NULL: the result is a plan */
} fits[] = {
  { "nothing", { NULL }, { "parallelism.tp=8", "parallelism.pp=4", "parallelism.dp=2" }, NULL },
  { "DP takes the rest", { "parallelism.pp=2" }, { "parallelism.dp=4", "cluster.nodes=8" }, NULL },
  { "more than the cluster has",
    { "parallelism.tp=8", "parallelism.pp=16" },
    { "cluster.nodes=16", "parallelism.dp=1" },
    NULL },
  { "DP is given, too",
    { "parallelism.tp=8", "parallelism.pp=4", "parallelism.dp=16" },
    { "cluster.nodes=64", "parallelism.dp=16" },
    NULL },
  { "DP alone is said: on the cluster that is there",
    { "parallelism.dp=64" },
    { "cluster.nodes=8", "parallelism.dp=64", "parallelism.tp=1", "parallelism.pp=1" },
    NULL },
  { "DP alone is said: PP before TP",
    { "parallelism.dp=4" },
    { "cluster.nodes=8", "parallelism.dp=4", "parallelism.tp=8", "parallelism.pp=2" },
    NULL },
  { "DP alone is said: as many nodes as it needs",
    { "parallelism.dp=5" },
    { "cluster.nodes=20", "parallelism.dp=5", "parallelism.tp=8", "parallelism.pp=4" },
    NULL },
  { "DP and TP that fill another number of nodes",
    { "parallelism.dp=16", "parallelism.tp=8" },
    { "cluster.nodes=64", "parallelism.pp=4" },
    NULL },
  { "a small node",
    { "cluster.gpus-per-node=4" },
    { "cluster.nodes=8", "parallelism.tp=4", "parallelism.pp=4", "parallelism.dp=2" },
    NULL },
  { "a node of two",
    { "cluster.gpus-per-node=2" },
    { "cluster.nodes=8", "parallelism.tp=2", "parallelism.pp=4", "parallelism.dp=2" },
    NULL },
  { "a node of one",
    { "cluster.gpus-per-node=1" },
    { "cluster.nodes=8", "parallelism.tp=1", "parallelism.pp=4", "parallelism.dp=2" },
    NULL },
  { "a node of six",
    { "cluster.gpus-per-node=6" },
    { "cluster.nodes=8", "parallelism.tp=2", "parallelism.pp=4", "parallelism.dp=6" },
    NULL },
  { "TP of the file spans nodes",
    { "cluster.gpus-per-node=2", "parallelism.tp=8" },
    { "cluster.nodes=16", "parallelism.tp=8" },
    NULL },
  { "a small cluster",
    { "cluster.nodes=1", "cluster.gpus-per-node=4" },
    { "parallelism.tp=4", "parallelism.pp=1", "parallelism.dp=1" },
    NULL },
  { "another model", { "model.name=llama2-7b" }, { "parallelism.tp=8", "parallelism.pp=4" }, NULL },
  { "few layers",
    { "model.layers=3" },
    { "parallelism.tp=8", "parallelism.pp=2", "parallelism.dp=4" },
    NULL },
  { "an odd batch", { "training.micro-batch=3" }, { "training.global-batch=66" }, NULL },
  { "heads that the file's TP does not divide",
    { "model.heads=30", "model.kv-heads=30", "parallelism.tp=4" },
    { NULL },
    "TP 4" },
  { "a batch that its DP does not divide",
    { "parallelism.dp=16", "training.global-batch=24" },
    { NULL },
    "24" },
};

static gboolean
has (const PlgPlan *plan, const char *assignment)
{
  g_auto (GStrv) pair = g_strsplit (assignment, "=", 2);
  g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), plan);

  return g_str_equal (value, pair[1]);
}

static void
test_repairs (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (fits); i++)
    {
      g_autoptr (PlgPlan) before = plg_catalogue_default_plan (fixture->catalogue);
      g_autoptr (PlgPlan) plan = plg_plan_copy (before);
      g_autoptr (GError) error = NULL;
      gboolean fitted = plg_plan_repair (plan, fixture->catalogue, fits[i].settings, &error);

      g_test_message ("%s", fits[i].name);
      if (fits[i].error != NULL)
        {
          g_assert_false (fitted);
          g_assert_nonnull (strstr (error->message, fits[i].error));
          g_assert_true (plg_plan_equal (plan, before));
          continue;
        }
      g_assert_no_error (error);
      g_assert_true (plg_plan_check (plan, NULL));
      for (int j = 0; fits[i].becomes[j] != NULL; j++)
        if (!has (plan, fits[i].becomes[j]))
          g_error ("%s: not %s", fits[i].name, fits[i].becomes[j]);
      for (int j = 0; fits[i].settings[j] != NULL; j++)
        g_assert_true (has (plan, fits[i].settings[j]));
    }
}

static void
assert_notes (const Fixture *fixture, PlgNoteKind kind, const char *expected)
{
  g_autofree char *text = plg_notes_text (fixture->context.notes, 1u << kind, NULL);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_notes (Fixture *fixture, gconstpointer data)
{
  PlgImportContext *context = &fixture->context;
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_import_set (context, 3, "cluster.memory", "80", &error));
  g_assert_true (plg_import_set_int (context, 4, "parallelism.pp", 16, &error));
  g_assert_true (plg_import_infer (context, 0, "cluster.intra", "mesh", "No switch is there.",
                                   &error));
  plg_import_note (context, PLG_NOTE_IGNORED, 7, "“%s” is no part of a plan.", "--seed");
  g_assert_true (plg_import_finish (context, &error));
  assert_notes (fixture, PLG_NOTE_UNDERSTOOD, "3: Memory: 80 GiB\n4: Pipeline (PP): 16");
  assert_notes (fixture, PLG_NOTE_INFERRED,
                "Links inside a node: Mesh. No switch is there.\nNodes: 16. It was 8 and was "
                "changed to fit the other values.\nData (DP): 1. It was 2 and was changed to fit "
                "the other values.");
  assert_notes (fixture, PLG_NOTE_IGNORED, "7: “--seed” is no part of a plan.");
  g_assert_cmpint (plg_plan_world (context->plan), ==, 128);
}

static void
test_wrong_values (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (plg_import_set (&fixture->context, 12, "parallelism.tp", "0", &error));
  g_assert_true (g_str_has_prefix (error->message, "12: parallelism.tp"));
  g_assert_null (plg_import_get (&fixture->context, "parallelism.tp"));
}

/* An error of an impossible plan names the line of the value. */
static const struct
{
  const char *settings[6]; /* settings in lines 1, 2, … */
  const char *begins;
} wrong_plans[] = {
  { { "model.heads=60", "model.kv-heads=60", "parallelism.tp=8" }, "3: TP 8 does not divide 60" },
  { { "model.heads=64", "model.kv-heads=60" }, "1: 60 KV heads do not divide 64" },
  { { "parallelism.tp=2", "parallelism.cp=12", "parallelism.cp-type=ulysses", "cluster.nodes=12",
      "parallelism.pp=4" },
    "2: Ulysses CP 12" },
  { { "model.layers=2", "parallelism.pp=8" }, "2: PP 8 needs" },
  { { "training.global-batch=24", "parallelism.dp=16" }, "1: Global batch 24" },
};

static void
test_wrong_plans (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong_plans); i++)
    {
      g_auto (PlgImportContext) context = { 0 };
      g_autoptr (GError) error = NULL;

      plg_import_init (&context, "", 0, NULL, fixture->catalogue);
      for (int j = 0; wrong_plans[i].settings[j] != NULL; j++)
        {
          g_auto (GStrv) pair = g_strsplit (wrong_plans[i].settings[j], "=", 2);

          g_assert_true (plg_import_set (&context, j + 1, pair[0], pair[1], NULL));
        }
      g_assert_false (plg_import_finish (&context, &error));
      if (!g_str_has_prefix (error->message, wrong_plans[i].begins))
        g_error ("“%s” is not “%s”", error->message, wrong_plans[i].begins);
    }
}

static void
test_repeated_settings (Fixture *fixture, gconstpointer data)
{
  PlgImportContext *context = &fixture->context;

  g_assert_true (plg_import_set (context, 1, "parallelism.tp", "2", NULL));
  g_assert_true (plg_import_set (context, 2, "parallelism.tp", "4", NULL));
  g_assert_cmpstr (plg_import_get (context, "parallelism.tp"), ==, "4");
  g_assert_true (plg_import_finish (context, NULL));
  g_assert_cmpint (context->plan->parallelism.degree[PLG_AXIS_TP], ==, 4);
}

static void
test_placement (Fixture *fixture, gconstpointer data)
{
  PlgImportContext *context = &fixture->context;
  g_autoptr (GError) error = NULL;
  int *gpus = g_new (int, 64);

  for (int i = 0; i < 64; i++)
    gpus[i] = 63 - i;
  plg_import_set_placement (context, gpus, 64);
  g_assert_true (plg_import_finish (context, &error));
  g_assert_cmpint (plg_placement_gpu (&context->plan->placement, 0), ==, 63);

  /* One rank is missing, and one GPU is used twice. */
  plg_import_clear (context);
  plg_import_init (context, "", 0, NULL, fixture->catalogue);
  plg_import_set_placement (context, g_new0 (int, 63), 63);
  g_assert_false (plg_import_finish (context, &error));
  g_assert_nonnull (strstr (error->message, "63 ranks"));
  g_clear_error (&error);
  plg_import_clear (context);
  plg_import_init (context, "", 0, NULL, fixture->catalogue);
  plg_import_set_placement (context, g_new0 (int, 64), 64);
  g_assert_false (plg_import_finish (context, &error));
  g_assert_nonnull (error);
}

/* The number of notes on ignored options is limited, however long the file is. */
static void
test_ignored (Fixture *fixture, gconstpointer data)
{
  PlgImportContext *context = &fixture->context;
  const PlgNote *note;

  for (int i = 1; i <= 5000; i++)
    plg_import_note (context, PLG_NOTE_IGNORED, i, "“%s” is not needed here", "x");
  g_assert_cmpint (context->notes->len, ==, 1);
  note = context->notes->pdata[0];
  g_assert_cmpint (note->line, ==, 1);
  for (int i = 1; i <= 5000; i++)
    plg_import_note (context, PLG_NOTE_IGNORED, i, "%d", i);
  g_assert_cmpint (context->notes->len, ==, 1001);
  note = context->notes->pdata[1000];
  g_assert_nonnull (strstr (note->text, "more than 1000"));
  g_assert_cmpint (note->line, ==, 1000);
  plg_import_note (context, PLG_NOTE_INFERRED, 0, "announced");
  g_assert_cmpint (context->notes->len, ==, 1002);
}

/* A text that begins with a number is not mistaken for a line. */
static void
test_named_notes (void)
{
  g_autoptr (GPtrArray) notes = plg_notes_new ();
  g_autofree char *text = NULL;

  g_ptr_array_add (notes, plg_note_new (PLG_NOTE_IGNORED, 0, g_strdup ("2: unclear.")));
  g_ptr_array_add (notes, plg_note_new (PLG_NOTE_IGNORED, 7, g_strdup ("8 NICs.")));
  text = plg_notes_text (notes, 1u << PLG_NOTE_IGNORED, "a.csv");
  g_assert_cmpstr (text, ==, "a.csv: 2: unclear.\na.csv:7: 8 NICs.");
}

/* An error carries the position with which its message begins, whatever its domain. */
static void
test_error_positions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) of_plan = NULL;
  g_autoptr (GError) of_file = NULL;
  g_autoptr (GError) copy = NULL;

  g_assert_false (plg_import_set (&fixture->context, 3, "parallelism.tp", "x", &of_plan));
  g_assert_cmpuint (of_plan->domain, ==, PLG_PLAN_ERROR);
  g_assert_cmpint (plg_error_position (of_plan).line, ==, 3);
  g_assert_true (g_str_has_prefix (of_plan->message, "3: "));
  g_assert_false (g_str_has_prefix (plg_error_text (of_plan), "3: "));

  plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, &of_file, "8 GPUs");
  g_assert_cmpint (plg_error_position (of_file).line, ==, 0);
  g_assert_cmpstr (plg_error_text (of_file), ==, "8 GPUs");
  plg_error_add_position (&of_file, (PlgFilePosition) { 12, 5 });
  copy = g_error_copy (of_file);
  g_assert_cmpstr (copy->message, ==, "12:5: 8 GPUs");
  g_assert_cmpint (plg_error_position (copy).column, ==, 5);
  g_assert_cmpstr (plg_error_text (copy), ==, "8 GPUs");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/import-context/repairs", Fixture, NULL, set_up, test_repairs, tear_down);
  g_test_add_func ("/import-context/named-notes", test_named_notes);
  g_test_add ("/import-context/error-positions", Fixture, NULL, set_up, test_error_positions,
              tear_down);
  g_test_add ("/import-context/notes", Fixture, NULL, set_up, test_notes, tear_down);
  g_test_add ("/import-context/wrong-values", Fixture, NULL, set_up, test_wrong_values, tear_down);
  g_test_add ("/import-context/wrong-plans", Fixture, NULL, set_up, test_wrong_plans, tear_down);
  g_test_add ("/import-context/repeated-settings", Fixture, NULL, set_up, test_repeated_settings,
              tear_down);
  g_test_add ("/import-context/placement", Fixture, NULL, set_up, test_placement, tear_down);
  g_test_add ("/import-context/ignored", Fixture, NULL, set_up, test_ignored, tear_down);
  return g_test_run ();
}
