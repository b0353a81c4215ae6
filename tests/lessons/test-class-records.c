/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "lessons/class-records.h"
#include "syntax/json-reader.h"
#include "lessons/learner-score.h"
#include "lessons/learner-export.h"
#include "lessons/lesson-library.h"
#include "io/plan/plan-xml.h"

#include <glib/gstdio.h>
#include <string.h>

/* Three learner records of a lesson of the program and of an unknown lesson, a broken file and a
 * foreign file. */

typedef struct
{
  char *folder;
  GPtrArray *paths;
  PlgCatalogue *catalogue;
} Case;

static void
write (Case *c, const char *name, const char *text)
{
  char *path = g_build_filename (c->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_ptr_array_insert (c->paths, c->paths->len - 1, path);
}

static void
write_ledger (Case *c, const char *name, const char *choice, gboolean right)
{
  g_autofree char *file = g_strconcat (name, ".xml", NULL);
  g_autofree char *text = g_strdup_printf (
      "<learner version='1' name='%s'>"
      "<lesson id='own' step='s' finished='true' questions='1' goals='0' changed=''><title>Own, "
      "\"quoted\"</title><answer question='q' choice='x' right='false' asked='=Which?' "
      "said='This'/>"
      "</lesson>"
      "<lesson id='pipeline' step='stages' finished='false' questions='4' goals='2' changed=''>"
      "<title>Reading a pipeline</title><answer question='q-bubble' choice='%s' right='%s'/>"
      "</lesson></learner>",
      name, choice, right ? "true" : "false");

  write (c, file, text);
}

static void
set_up (Case *c, gconstpointer data)
{
  c->folder = g_dir_make_tmp ("class-XXXXXX", NULL);
  c->paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (c->paths, NULL);
  c->catalogue = plg_catalogue_load (NULL);
  write_ledger (c, "Ada", "c", TRUE);
  write_ledger (c, "Grace", "b", FALSE);
  write_ledger (c, "Mei", "c", TRUE);
}

static void
tear_down (Case *c, gconstpointer data)
{
  for (guint i = 0; i + 1 < c->paths->len; i++)
    g_remove (c->paths->pdata[i]);
  g_rmdir (c->folder);
  g_free (c->folder);
  g_ptr_array_unref (c->paths);
  plg_catalogue_unref (c->catalogue);
}

static PlgClassRecords *
load (Case *c)
{
  return plg_class_records_load ((const char *const *) c->paths->pdata, c->catalogue);
}

/* The program's lessons come first, with their own texts and all choices. */
static void
test_results (Case *c, gconstpointer data)
{
  g_autoptr (PlgClassRecords) klass = load (c);
  g_autoptr (PlgClassResults) results = plg_class_records_results (klass, c->catalogue);
  const PlgClassResultsQuestion *question = results->questions->pdata[0];
  const PlgClassResultsChoice *choice;

  g_assert_cmpint (results->learners, ==, 3);
  g_assert_cmpint (results->questions->len, ==, 2);
  /* The step's title comes first, since several steps may ask "Why?". */
  g_assert_cmpstr (question->text, ==,
                   "Four stages take turns · How much of the step does a stage spend waiting?");
  g_assert_cmpint (question->answered, ==, 3);
  g_assert_cmpint (question->right, ==, 2);
  g_assert_cmpint (question->choices->len, ==, 3);
  choice = question->choices->pdata[0];
  g_assert_cmpint (choice->n, ==, 0);
  g_assert_false (choice->is_right);
  choice = question->choices->pdata[2];
  g_assert_cmpstr (choice->text, ==, "More than a quarter");
  g_assert_cmpint (choice->n, ==, 2);
  g_assert_true (choice->is_right);
  question = results->questions->pdata[1];
  g_assert_cmpstr (question->text, ==, "=Which?");
  g_assert_cmpstr (((const PlgClassResultsChoice *) question->choices->pdata[0])->text, ==, "This");
  g_assert_cmpint (plg_class_results_answered (results), ==, 6);
  g_assert_cmpint (plg_class_results_right (results), ==, 2);
}

/* A file that is not a learner record is listed with the reason; a file that is named twice
 * counts once. */
static void
test_other_files (Case *c, gconstpointer data)
{
  g_autoptr (PlgClassRecords) klass = NULL;

  write (c, "broken.xml", "<learner version='1'");
  write (c, "foreign.xml", "<plan version='1'/>");
  g_ptr_array_insert (c->paths, 0, g_build_filename (c->folder, "gone.xml", NULL));
  g_ptr_array_insert (c->paths, 0, g_build_filename (c->folder, ".", "Ada.xml", NULL));
  klass = load (c);
  g_assert_cmpint (klass->learners->len, ==, 3);
  g_assert_cmpint (klass->unread->len, ==, 3);
  g_assert_nonnull (strstr (klass->unread->pdata[0], "gone.xml"));
  g_assert_nonnull (strstr (klass->unread->pdata[1], "broken.xml:1:"));
  g_assert_nonnull (strstr (klass->unread->pdata[2], "This file is not a learner record"));
}

/* The teacher's lesson supplies the texts and the other choices. */
static void
test_own_lesson (Case *c, gconstpointer data)
{
  g_autoptr (PlgClassRecords) klass = NULL;
  g_autoptr (PlgClassResults) results = NULL;
  const PlgClassResultsQuestion *question;

  write (c, "own.lesson.xml",
         "<lesson version='1' id='own'><title>Own</title><step id='s'><title>S</title>"
         "<p>Text.</p><question id='q' hides='bubble' answer='y'><p>With <n of='bubble'/> of "
         "<n of='world-size'/>?</p>"
         "<choice id='x'><say>X</say><because><p>No.</p></because></choice>"
         "<choice id='y'><say>Y</say><because><p>Yes.</p></because></choice></question></step>"
         "</lesson>");
  klass = load (c);
  g_assert_cmpint (klass->unread->len, ==, 0);
  /* A remark reports the lesson, since a pattern of file names may have matched it. */
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[0],
                                   "own.lesson.xml contains the lesson “Own”"));
  results = plg_class_records_results (klass, c->catalogue);
  question = results->questions->pdata[0];
  /* Numbers that the lesson hides stay hidden here too. */
  g_assert_true (g_str_has_suffix (question->text, " · With – of 64?"));
  g_assert_cmpint (question->choices->len, ==, 2);
  g_assert_true (((const PlgClassResultsChoice *) question->choices->pdata[1])->is_right);
}

/* A learner record cannot make its answers right or add answers that its lesson does not have. */
static void
test_forged (Case *c, gconstpointer data)
{
  g_autoptr (PlgClassRecords) klass = NULL;
  g_autoptr (PlgClassResults) results = NULL;
  g_autofree char *json = NULL;
  const PlgClassResultsQuestion *question;
  int right = 0;

  write_ledger (c, "Eve", "a", TRUE);
  write_ledger (c, "Late", "z", TRUE);
  write_ledger (c, "Modest", "c", FALSE);
  klass = load (c);
  results = plg_class_records_results (klass, c->catalogue);
  question = results->questions->pdata[0];
  g_assert_cmpint (question->choices->len, ==, 3);
  for (guint i = 0; i < question->choices->len; i++)
    right += ((const PlgClassResultsChoice *) question->choices->pdata[i])->is_right;
  g_assert_cmpint (right, ==, 1);
  g_assert_cmpint (question->answered, ==, 5);
  g_assert_cmpint (question->right, ==, 3);
  g_assert_cmpint (plg_class_results_right (results), ==, 3);
  g_assert_cmpint (klass->remarks->len, ==, 4);
  /* Reported once for several records. */
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[0],
                                   "The lesson “Own, \"quoted\"” is not one of the program's "
                                   "lessons, so its answers are counted as marked in the learner "
                                   "records; open the lesson file together with the records."));
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[1], "Eve.xml: question “q-bubble”: the "));
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[2], "Late.xml: question “q-bubble” of "));
  g_assert_nonnull (
      strstr (klass->remarks->pdata[3],
              "is marked as wrong, but the lesson says that it is right; it counts as right."));
  json = plg_learner_json (klass->learners->pdata[3]);
  g_assert_null (strstr (json, "\"act1_correct\": true"));
}

static PlgClassRecords *
load_one (Case *c, const char *lesson)
{
  g_ptr_array_set_size (c->paths, 0);
  g_ptr_array_add (c->paths, NULL);
  write (c, "Eve.xml", lesson);
  return load (c);
}

/* A record without any counted answer does not suppress the remarks on other records. */
static void
test_remarks (Case *c, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("<learner version='1' name='Eve'><lesson id='pipeline' "
                                           "step='stages' finished='false' questions='4' "
                                           "goals='2' changed=''><title>T</title>");
  g_autoptr (PlgClassRecords) klass = NULL;

  for (int i = 0; i < 500; i++)
    g_string_append_printf (text, "<answer question='x%d' choice='a' right='true'/>", i);
  klass = load_one (c, g_string_append (text, "</lesson></learner>")->str);
  g_assert_cmpuint (klass->remarks->len, ==, 21);
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[20], "Eve.xml: 480 more"));
}

/* A record cannot omit questions and goals, or reach a goal with a plan that misses it. */
static void
test_forged_designs (Case *c, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (c->catalogue);
  g_autoptr (GBytes) bytes = plg_plan_xml_write (plan, NULL);
  const char *written = strstr (g_bytes_get_data (bytes, NULL), "<plan");
  g_autofree char *text = g_strdup_printf (
      "<learner version='1' name='Eve'><lesson id='pipeline' step='stages' finished='true' "
      "questions='1' goals='1' changed=''><title>Reading a pipeline</title>"
      "<answer question='q-bubble' choice='c' right='true'/>"
      "<design step='shrink-again' reached='true'>%s</design>"
      "<design step='nowhere' reached='true'>%s</design></lesson></learner>",
      written, written);
  g_autoptr (PlgClassRecords) klass = load_one (c, text);
  const PlgLearnerLesson *played;

  g_assert_cmpuint (klass->unread->len, ==, 0);
  played = plg_learner_find (klass->learners->pdata[0], "pipeline");
  g_assert_cmpint (played->questions, >, 1);
  g_assert_cmpuint (played->designs->len, ==, 1);
  g_assert_false (plg_learner_find_design (played, "shrink-again")->reached);
  g_assert_cmpint (plg_learner_score (played), ==, PLG_SCORE_OPEN);
  g_assert_cmpuint (klass->remarks->len, ==, 3);
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[0],
                                   "Eve.xml: the numbers in the record of the lesson"));
  g_assert_true (g_str_has_prefix (klass->remarks->pdata[1],
                                   "Eve.xml: the design in step “shrink-again” is marked as "
                                   "reaching the goal, but does not reach it; it counts as missing "
                                   "the goal."));
  g_assert_nonnull (strstr (klass->remarks->pdata[2], "has no step “nowhere” with a goal"));
}

/* The judge accepts the program's own counts, also for a step with a question and a goal. */
static void
test_valid_record (Case *c, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  g_autoptr (GPtrArray) remarks = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");

  for (guint i = 0; i < lessons->len; i++)
    g_ptr_array_add (learner->lessons, plg_learner_lesson_new (lessons->pdata[i]));
  g_assert_cmpuint (lessons->len, >, 9);
  plg_learner_rescore (learner, lessons, "Ada.xml", remarks);
  if (remarks->len > 0)
    g_error ("%s", (const char *) remarks->pdata[0]);
}

/* An error in the plan of a design has one position, the position in the file. */
static void
test_place_of_plan (Case *c, gconstpointer data)
{
  g_autoptr (PlgClassRecords) klass = load_one (
      c,
      "<learner version='1' name='Eve'>\n<lesson id='pipeline' step='s' finished='true' "
      "questions='1' goals='1' changed=''><title>R</title>\n<design step='heal' "
      "reached='true'><plan version='1'><cluster nodes='-1'/></plan></design></lesson></learner>");

  g_assert_cmpuint (klass->unread->len, ==, 1);
  g_assert_nonnull (strstr (klass->unread->pdata[0], "Eve.xml:3:63: "));
  g_assert_false (g_regex_match_simple ("[0-9]:[0-9].* [0-9]+:[0-9]", klass->unread->pdata[0], 0,
                                        0));
}

static void
test_files (Case *c, gconstpointer data)
{
  g_autoptr (PlgClassRecords) klass = load (c);
  g_autoptr (PlgClassResults) results = plg_class_records_results (klass, c->catalogue);
  g_autofree char *csv = plg_class_results_csv (results);
  g_autofree char *scores = plg_class_results_scores_csv (results);
  const PlgJsonValue *score;
  g_autofree char *markdown = plg_class_results_markdown (results);
  g_autofree char *text = plg_class_results_json (results);
  g_autoptr (PlgJson) json = plg_json_read (text, strlen (text), NULL);

  g_assert_nonnull (strstr (csv, "\nReading a pipeline,q-bubble,Four stages take turns · How much "
                                 "of the step does a stage "
                                 "spend waiting?,c,More than a quarter,true,2,3\n"));
  /* A spreadsheet must not read a learner's text as a formula. */
  g_assert_nonnull (strstr (csv, "\n\"Own, \"\"quoted\"\"\",q,\"'=Which?\",x,This,false,3,3\n"));
  g_assert_nonnull (strstr (markdown, "| More than a quarter | 2 | 66.7\u00A0% | right |"));
  g_assert_cmpfloat (plg_json_find (plg_json_root (json), "learners")->number, ==, 3);
  /* One row per learner and lesson. */
  g_assert_cmpuint (results->scores->len, ==, 6);
  g_assert_true (g_str_has_prefix (scores, "learner,lesson,score,right,questions\n"
                                           "Ada,\"Own, \"\"quoted\"\"\",developing,0,1\n"
                                           "Ada,Reading a pipeline,open,1,4\n"
                                           "Grace,"));
  score = plg_json_first (plg_json_find (plg_json_root (json), "scores"));
  g_assert_cmpstr (plg_json_find (score, "learner")->text, ==, "Ada");
  g_assert_cmpstr (plg_json_find (score, "score")->text, ==, "developing");
}

/* A record that is handed in twice under different names counts once, and a remark reports it. */
static void
test_duplicate_record (Case *c, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (PlgClassRecords) klass = NULL;
  gboolean reported = FALSE;

  g_assert_true (g_file_get_contents (c->paths->pdata[0], &text, NULL, NULL));
  write (c, "Ada (1).xml", text);
  klass = load (c);
  g_assert_cmpuint (klass->learners->len, ==, 3);
  for (guint i = 0; i < klass->remarks->len; i++)
    reported |= g_str_equal (klass->remarks->pdata[i],
                             "Ada (1).xml is a copy of Ada.xml and counts only once.");
  g_assert_true (reported);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/class-records/results", Case, NULL, set_up, test_results, tear_down);
  g_test_add ("/class-records/other-files", Case, NULL, set_up, test_other_files, tear_down);
  g_test_add ("/class-records/own-lesson", Case, NULL, set_up, test_own_lesson, tear_down);
  g_test_add ("/class-records/remarks", Case, NULL, set_up, test_remarks, tear_down);
  g_test_add ("/class-records/forged", Case, NULL, set_up, test_forged, tear_down);
  g_test_add ("/class-records/valid-record", Case, NULL, set_up, test_valid_record, tear_down);
  g_test_add ("/class-records/forged-designs", Case, NULL, set_up, test_forged_designs, tear_down);
  g_test_add ("/class-records/place-of-plan", Case, NULL, set_up, test_place_of_plan, tear_down);
  g_test_add ("/class-records/duplicate-record", Case, NULL, set_up, test_duplicate_record,
              tear_down);
  g_test_add ("/class-records/files", Case, NULL, set_up, test_files, tear_down);
  return g_test_run ();
}
