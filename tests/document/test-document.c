/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document-rig.h"

#include "engine/report/redaction.h"
#include "plan/edit.h"

/* Values, steps and properties of a document. */

/* Values and steps */

static void
test_new (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;

  g_assert_cmpint (plg_plan_world (plg_document_plan (document)), ==, 64);
  g_assert_cmpint (plg_document_report (document)->world_size, ==, 64);
  g_assert_true (plg_document_catalogue (document) == fixture->catalogue);
  g_assert_false (plg_document_is_modified (document));
  g_assert_null (plg_document_undo_label (document));
  g_assert_null (plg_document_file (document));
  g_assert_false (plg_document_undo (document));
  g_assert_false (plg_document_redo (document));
}

static void
test_undo_redo (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  const PlgReport *report;

  apply_sequence (document, 4096, NULL);
  apply_sequence (document, 2048, NULL);
  g_assert_cmpint (fixture->changes, ==, 2);
  report = plg_document_report (document);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Sequence 2048");
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 4096);
  g_assert_true (plg_document_report (document) != report);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Sequence 4096");
  g_assert_cmpstr (plg_document_redo_label (document), ==, "Sequence 2048");
  g_assert_true (plg_document_redo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 2048);
  g_assert_null (plg_document_redo_label (document));
  g_assert_cmpint (fixture->changes, ==, 4);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));
  g_autoptr (PlgPlan) plan = plg_plan_copy (before);
  g_autoptr (GError) error = NULL;

  plan->parallelism.degree[PLG_AXIS_TP] = 3;
  g_assert_false (plg_document_apply (document, plan, "TP 3", NULL, &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD);
  g_clear_error (&error);
  g_assert_false (plg_document_set (document, "parallelism.tp", "3", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD);
  g_clear_error (&error);
  g_assert_false (plg_document_set (document, "no.such-key", "3", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY);
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
  g_assert_false (plg_document_is_modified (document));
  g_assert_cmpint (fixture->changes, ==, 0);
}

static void
test_no_step_without_change (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));

  g_assert_true (plg_document_apply (document, plan, "Nothing", NULL, NULL));
  g_assert_true (plg_document_set (document, "parallelism.tp", "8", NULL));
  g_assert_null (plg_document_undo_label (document));
  g_assert_false (plg_document_is_modified (document));
  g_assert_cmpint (fixture->changes, ==, 0);
}

static void
test_set (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GError) error = NULL;

  plg_document_set (document, "parallelism.tp", "4", &error);
  g_assert_no_error (error);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_DP], ==, 4);
  g_assert_nonnull (plg_document_undo_label (document));
  plg_document_undo (document);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_DP], ==, 2);
}

/* The changes of a spin button through many values are one step. */
static void
test_merge (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;

  apply_sequence (document, 4096, "sequence");
  apply_sequence (document, 2048, "sequence");
  apply_sequence (document, 1024, "sequence");
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 8192);
  g_assert_false (plg_document_undo (document));
  g_assert_true (plg_document_redo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 1024);

  /* A new step begins after undo or redo, and with another key or without a key. */
  apply_sequence (document, 512, "sequence");
  apply_sequence (document, 256, "other");
  apply_sequence (document, 128, NULL);
  apply_sequence (document, 64, NULL);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 128);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 256);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 512);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 1024);
}

static void
test_merge_back (Fixture *fixture, gconstpointer data)
{
  apply_sequence (fixture->document, 4096, "sequence");
  apply_sequence (fixture->document, 8192, "sequence");
  g_assert_null (plg_document_undo_label (fixture->document));
  g_assert_false (plg_document_is_modified (fixture->document));
}

/* Properties */

typedef struct
{
  int title, modified, can_undo, can_redo, file;
} Notifies;

static void
connect_notifies (PlgDocument *document, Notifies *notifies)
{
  const struct
  {
    const char *signal;
    int *count;
  } signals[] = { { "notify::title", &notifies->title },
                  { "notify::modified", &notifies->modified },
                  { "notify::can-undo", &notifies->can_undo },
                  { "notify::can-redo", &notifies->can_redo },
                  { "notify::file", &notifies->file } };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_swapped (document, signals[i].signal, G_CALLBACK (count_cb), signals[i].count);
}

static void
assert_notifies (Notifies *notifies, Notifies expected)
{
  g_assert_cmpint (notifies->title, ==, expected.title);
  g_assert_cmpint (notifies->modified, ==, expected.modified);
  g_assert_cmpint (notifies->can_undo, ==, expected.can_undo);
  g_assert_cmpint (notifies->can_redo, ==, expected.can_redo);
  g_assert_cmpint (notifies->file, ==, expected.file);
  *notifies = (Notifies) { 0 };
}

static void
test_notifies (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autoptr (PlgPlan) titled = plg_plan_copy (plg_document_plan (document));
  Notifies notifies = { 0 };
  gboolean modified, can_undo;

  connect_notifies (document, &notifies);
  apply_sequence (document, 4096, NULL);
  assert_notifies (&notifies, (Notifies) { .modified = 1, .can_undo = 1 });
  g_object_get (document, "modified", &modified, "can-undo", &can_undo, NULL);
  g_assert_true (modified && can_undo);
  apply_sequence (document, 2048, NULL);
  assert_notifies (&notifies, (Notifies) { 0 });
  plg_document_undo (document);
  assert_notifies (&notifies, (Notifies) { .can_redo = 1 });
  plg_document_undo (document);
  assert_notifies (&notifies, (Notifies) { .modified = 1, .can_undo = 1 });
  plg_document_preview (document, titled);
  assert_notifies (&notifies, (Notifies) { 0 });
  plg_document_preview (document, NULL);

  g_free (titled->title);
  titled->title = g_strdup ("Mine");
  g_assert_true (plg_document_apply (document, titled, "Title", NULL, NULL));
  assert_notifies (&notifies,
                   (Notifies) { .title = 1, .modified = 1, .can_undo = 1, .can_redo = 1 });
  g_assert_true (plg_document_save (document, file, NULL));
  assert_notifies (&notifies, (Notifies) { .modified = 1, .file = 1 });
  g_assert_true (plg_document_save (document, file, NULL));
  assert_notifies (&notifies, (Notifies) { 0 });
}

static void
test_title_property (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (fixture->document));
  g_autoptr (GFile) none = NULL;
  g_autofree char *title = NULL;

  g_free (plan->title);
  plan->title = g_strdup ("Spring run");
  plg_document_apply (fixture->document, plan, "Title", NULL, NULL);
  g_object_get (fixture->document, "title", &title, "file", &none, NULL);
  g_assert_cmpstr (title, ==, "Spring run");
  g_assert_null (none);
}

static void
keep_cb (char **kept, const char *message)
{
  g_free (*kept);
  *kept = g_strdup (message);
}

/* A step that loses both a manual placement and the map reports both. */
static void
test_placement_and_map_lost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (fixture->document));
  g_autofree char *kept = NULL;

  plg_node_topology_init (&plan->node_topology, plan->cluster.gpus_per_node,
                          plan->cluster.nics_per_node);
  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  g_signal_connect_swapped (fixture->document, "data-dropped", G_CALLBACK (keep_cb), &kept);
  g_assert_true (plg_document_apply (fixture->document, plan, "Map", NULL, NULL));
  g_assert_null (kept);
  g_assert_true (plg_document_set (fixture->document, "cluster.gpus-per-node", "4", NULL));
  g_assert_cmpstr (kept, ==,
                   "Manual placement dropped\nNode map dropped, because the nodes have changed");
}

/* Replacing the node removes its map with a message. */
static void
test_map_lost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (fixture->document));
  int lost = 0;

  plg_node_topology_init (&plan->node_topology, plan->cluster.gpus_per_node,
                          plan->cluster.nics_per_node);
  g_signal_connect_swapped (fixture->document, "data-dropped", G_CALLBACK (count_cb), &lost);
  g_assert_true (plg_document_apply (fixture->document, plan, "Map", NULL, NULL));
  g_assert_true (plg_document_set (fixture->document, "training.micro-batch", "2", NULL));
  g_assert_false (plg_node_topology_is_empty (&plg_document_plan (fixture->document)
                                                   ->node_topology));
  g_assert_cmpint (lost, ==, 0);
  g_assert_true (plg_document_set (fixture->document, "cluster.nics-per-node", "4", NULL));
  g_assert_true (plg_node_topology_is_empty (&plg_document_plan (fixture->document)
                                                  ->node_topology));
  g_assert_cmpint (lost, ==, 1);
  g_assert_true (plg_document_undo (fixture->document));
  g_assert_false (plg_node_topology_is_empty (&plg_document_plan (fixture->document)
                                                   ->node_topology));
  g_assert_cmpint (lost, ==, 1);
}

/* The published runs like the plan are found on demand, follow the committed plan and not a
 * preview, and are hidden with the step time. */
static void
test_similar_runs (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) smaller = plg_plan_copy (plg_document_plan (document));
  const PlgSimilarRuns *similar;
  PlgRunTraits before;

  g_assert_null (plg_document_known_similar_runs (document));
  similar = plg_document_similar_runs (document);
  g_assert_cmpint (similar->n, >, 1);
  g_assert_true (plg_document_known_similar_runs (document) == similar);
  before = similar->traits;

  smaller->cluster.nodes = 4;
  smaller->parallelism.degree[PLG_AXIS_DP] = 1;
  g_assert_true (plg_document_preview (document, smaller));
  g_assert_true (plg_run_traits_equal (&plg_document_similar_runs (document)->traits, &before));
  plg_document_preview (document, NULL);
  g_assert_true (plg_document_apply (document, smaller, "Nodes 4", NULL, NULL));
  g_assert_cmpint (plg_document_similar_runs (document)->traits.gpus, ==, 32);

  plg_document_set_policy (document, &(PlgEditPolicy) { .redaction = PLG_REDACT_TIME });
  g_assert_null (plg_document_similar_runs (document));
  g_assert_null (plg_document_known_similar_runs (document));
  plg_document_set_policy (document, NULL);
  g_assert_nonnull (plg_document_known_similar_runs (document));
  g_assert_true (plg_document_set (document, "engine.profile", "notebook", NULL));
  g_assert_null (plg_document_similar_runs (document));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/document/map-lost", test_map_lost);
  TEST ("/document/placement-and-map-lost", test_placement_and_map_lost);
  TEST ("/document/new", test_new);
  TEST ("/document/undo-redo", test_undo_redo);
  TEST ("/document/refused", test_refused);
  TEST ("/document/no-step-without-change", test_no_step_without_change);
  TEST ("/document/set", test_set);
  TEST ("/document/merge", test_merge);
  TEST ("/document/merge-back", test_merge_back);
  TEST ("/document/notifies", test_notifies);
  TEST ("/document/title-property", test_title_property);
  TEST ("/document/similar-runs", test_similar_runs);
  return g_test_run ();
}
