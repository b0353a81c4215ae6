/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/lesson-run.h"
#include "io/plan/catalogue-xml.h"

#include <glib/gstdio.h>
#include <string.h>

/* Two lessons with the same id: an answer in one lesson is not lost in the other. */

#define CHOICE(id) "<choice id='" id "'><say>" id "</say><because><p>x</p></because></choice>"
#define ASK(id, choices)                                                           \
  "<step id='of-" id "'><title>S</title><question id='" id "' answer='a'>" choices \
  "</question></step>"
#define LESSON(steps) "<lesson version='1' id='same'><title>T</title>" steps "</lesson>"

static const char one[] = LESSON (ASK ("q1", CHOICE ("a") CHOICE ("b") CHOICE ("c"))
                                      ASK ("q2", CHOICE ("a") CHOICE ("b"))
                                          ASK ("q3", CHOICE ("a") CHOICE ("b"))
                                              ASK ("q4", CHOICE ("a") CHOICE ("b")));
/* A question with the same id but without the choice "c", and a goal that the first lesson
 * lacks. */
static const char
    other[] = LESSON (ASK ("q1",
                           CHOICE ("a") CHOICE ("b")) "<step id='of-q2'><title>G</title><goal>"
                                                      "<must holds='bubble&lt;1%'/></goal></step>");

typedef struct
{
  PlgCatalogue *catalogue;
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->folder = g_dir_make_tmp ("ledger-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "Ada.xml", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
  plg_catalogue_unref (fixture->catalogue);
}

static PlgLessonRun *
begin (Fixture *fixture, const char *text)
{
  g_autoptr (PlgDocument) document = plg_document_new (fixture->catalogue);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  PlgLessonRun *run = plg_lesson_run_new (document, lesson);

  g_assert_true (plg_lesson_run_resume (run, fixture->path, "Ada", NULL));
  return run;
}

/* CHOICES has an index for each question in order. */
static void
answer_all (Fixture *fixture, const char *text, const int *choices, int n)
{
  g_autoptr (PlgLessonRun) run = begin (fixture, text);

  for (int i = 0; i < n; i++)
    {
      g_assert_true (plg_lesson_run_needs_answer (run));
      g_assert_true (plg_lesson_run_choose (run, choices[i]));
      plg_lesson_run_go (run, 1);
    }
  plg_lesson_run_end (run);
}

static void
check_kept (Fixture *fixture, const char *question, const char *choice)
{
  g_autoptr (PlgLearner) learner = plg_learner_load (fixture->path, fixture->catalogue, NULL);
  const PlgLearnerAnswer *answer = plg_learner_find_answer (plg_learner_find (learner, "same"),
                                                            question);

  g_assert_nonnull (answer);
  g_assert_cmpstr (answer->choice, ==, choice);
}

static void
test_answers_are_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLessonRun) again = NULL;

  answer_all (fixture, one, (const int[]) { 1, 1, 0, 1 }, 4);
  answer_all (fixture, other, NULL, 0);
  check_kept (fixture, "q2", "b");
  {
    g_autoptr (PlgLessonRun) run = begin (fixture, other);

    /* Existing answers come from the other lesson, if their choices exist here. */
    g_assert_cmpint (plg_lesson_run_answer (run, "q1"), ==, 1);
    g_assert_cmpint (plg_lesson_run_count_answered (run), ==, 1);
    g_assert_cmpuint (plg_lesson_run_record (run)->answers->len, ==, 1);
    plg_lesson_run_go (run, 1);
    plg_lesson_run_finish (run);
    plg_lesson_run_end (run);
  }
  check_kept (fixture, "q1", "b");
  check_kept (fixture, "q2", "b");
  check_kept (fixture, "q3", "a");
  check_kept (fixture, "q4", "b");
  again = begin (fixture, one);
  g_assert_cmpint (plg_lesson_run_count_answered (again), ==, 4);
  plg_lesson_run_end (again);
}

/* An unknown answer is replaced only by an answer that the question has. */
static void
test_choice_is_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLessonRun) run = NULL;

  answer_all (fixture, one, (const int[]) { 2, 1, 0, 1 }, 4);
  run = begin (fixture, other);
  g_assert_true (plg_lesson_run_needs_answer (run));
  check_kept (fixture, "q1", "c");
  plg_lesson_run_choose (run, 1);
  check_kept (fixture, "q1", "b");
  check_kept (fixture, "q3", "a");
  plg_lesson_run_end (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add ("/lesson-same-id/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("answers-are-kept", test_answers_are_kept);
  ADD ("choice-is-gone", test_choice_is_gone);
  return g_test_run ();
}
