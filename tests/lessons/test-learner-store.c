/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "lessons/learner.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same person in two processes: neither overwrites the other's answers. */

#define QUESTIONS 24
#define CHOICES                                                                                \
  "<choice id='a'><say>A</say><because><p>x</p></because></choice><choice id='b'><say>B</say>" \
  "<because><p>y</p></because></choice>"

typedef struct
{
  PlgCatalogue *catalogue;
  PlgLesson *lesson;
  char *folder;
  char *path;
} Fixture;

static char *
question_id (int i)
{
  return g_strdup_printf ("q%d", i);
}

static PlgLesson *
new_lesson (void)
{
  g_autoptr (GString) text = g_string_new ("<lesson version='1' id='l'><title>T</title>");
  PlgLesson *lesson;

  for (int i = 0; i < QUESTIONS; i++)
    g_string_append_printf (text,
                            "<step id='s%d'><title>S</title><question id='q%d' answer='a'>%s"
                            "</question><goal><must holds='%s'/></goal></step>",
                            i, i, CHOICES, i == 0 ? "fits" : "mfu&gt;99%");
  g_string_append (text, "</lesson>");
  lesson = plg_lesson_read (text->str, text->len, NULL);
  g_assert_nonnull (lesson);
  return lesson;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->lesson = new_lesson ();
  fixture->folder = g_dir_make_tmp ("learners-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "Ada.xml", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->path);
  /* Locking leaves no file. */
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->path);
  g_free (fixture->folder);
  plg_lesson_unref (fixture->lesson);
  plg_catalogue_unref (fixture->catalogue);
}

static void
store (Fixture *fixture, PlgLearnerLesson *record)
{
  g_autoptr (GError) error = NULL;

  plg_learner_store (fixture->path, "Ada", record, fixture->lesson, fixture->catalogue, &error);
  g_assert_no_error (error);
}

static PlgLearnerLesson *
stored (Fixture *fixture, PlgLearner **learner)
{
  *learner = plg_learner_load (fixture->path, fixture->catalogue, NULL);
  g_assert_nonnull (*learner);
  return plg_learner_find (*learner, "l");
}

/* Answers every second question, from FIRST on, and stores each answer at once. */
static void
play (Fixture *fixture, int first)
{
  g_autoptr (PlgLearnerLesson) record = plg_learner_lesson_new (fixture->lesson);

  for (int i = first; i < QUESTIONS; i += 2)
    {
      g_autofree char *question = question_id (i);

      plg_learner_set_answer (record, question, "a", TRUE, question);
      store (fixture, record);
    }
}

static void
test_two_processes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLearner) learner = NULL;
  const PlgLearnerLesson *kept;
  int status;
  pid_t other = fork ();

  if (other == 0)
    {
      play (fixture, 1);
      _exit (0);
    }
  play (fixture, 0);
  g_assert_cmpint (waitpid (other, &status, 0), ==, other);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  kept = stored (fixture, &learner);
  for (int i = 0; i < QUESTIONS; i++)
    {
      g_autofree char *question = question_id (i);
      const PlgLearnerAnswer *answer = plg_learner_find_answer (kept, question);

      g_assert_nonnull (answer);
      g_assert_cmpstr (answer->reflection, ==, question);
    }
}

/* The first stored answer counts; the newest reflection is kept. */
static void
test_first_answer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLearnerLesson) first = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgLearnerLesson) second = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgLearner) learner = NULL;
  const PlgLearnerAnswer *answer;

  plg_learner_set_answer (first, "q0", "b", FALSE, "one");
  plg_learner_set_answer (first, "gone", "b", FALSE, "");
  store (fixture, first);
  plg_learner_set_answer (second, "q0", "a", TRUE, "two");
  store (fixture, second);
  answer = plg_learner_find_answer (stored (fixture, &learner), "q0");
  g_assert_cmpstr (answer->choice, ==, "b");
  g_assert_false (answer->right);
  g_assert_cmpstr (answer->reflection, ==, "two");
  /* Answers to unknown questions may belong to another lesson with the same id. */
  g_assert_nonnull (plg_learner_find_answer (plg_learner_find (learner, "l"), "gone"));
}

/* A process without a new reflection keeps the reflection of the other process. */
static void
test_reflection (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLearnerLesson) first = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgLearnerLesson) second = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgLearner) before = NULL;
  g_autoptr (PlgLearner) after = NULL;

  plg_learner_set_answer (first, "q0", "a", TRUE, "");
  store (fixture, first);
  plg_learner_lesson_merge (second, stored (fixture, &before));
  plg_learner_set_answer (first, "q0", "a", TRUE, "written");
  store (fixture, first);
  store (fixture, second);
  g_assert_cmpstr (plg_learner_find_answer (stored (fixture, &after), "q0")->reflection, ==,
                   "written");
  g_clear_pointer (&after, plg_learner_free);
  plg_learner_set_answer (second, "q0", "a", TRUE, "better");
  store (fixture, second);
  store (fixture, first);
  g_assert_cmpstr (plg_learner_find_answer (stored (fixture, &after), "q0")->reflection, ==,
                   "better");
  g_clear_pointer (&after, plg_learner_free);
  /* Removing a reflection is a change. */
  plg_learner_set_answer (second, "q0", "a", TRUE, "");
  store (fixture, second);
  g_assert_cmpstr (plg_learner_find_answer (stored (fixture, &after), "q0")->reflection, ==, "");
}

/* A process that hangs with the lock does not block others, and nothing is lost. */
static void
test_hanging_process (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLearnerLesson) record = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgLearner) learner = NULL;
  int held = g_open (fixture->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  g_assert_cmpint (flock (held, LOCK_EX), ==, 0);
  plg_learner_set_answer (record, "q0", "a", TRUE, "kept");
  store (fixture, record);
  g_assert_cmpstr (plg_learner_find_answer (stored (fixture, &learner), "q0")->reflection, ==,
                   "kept");
  close (held);
}

/* A killed process leaves hidden files, which do not count as learners. */
static void
remove_halves (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_auto (GStrv) names = plg_learner_names (folder);
  const char *file;

  g_assert_cmpuint (g_strv_length (names), <=, 1);
  while ((file = g_dir_read_name (dir)) != NULL)
    if (*file == '.')
      {
        g_autofree char *path = g_build_filename (folder, file, NULL);

        g_assert_cmpint (g_remove (path), ==, 0);
      }
}

/* A killed writer leaves a complete learner record at any time. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < 40; i++)
    {
      g_autoptr (PlgLearner) learner = NULL;
      int status;
      pid_t writer = fork ();

      if (writer == 0)
        for (;;)
          play (fixture, i % 2);
      g_usleep (g_random_int_range (2000, 40000));
      kill (writer, SIGKILL);
      g_assert_cmpint (waitpid (writer, &status, 0), ==, writer);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      if (g_file_test (fixture->path, G_FILE_TEST_EXISTS))
        g_assert_nonnull (stored (fixture, &learner));
    }
  remove_halves (fixture->folder);
}

/* A design that reached its goal stays; a design that missed it is replaced. */
static void
test_designs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLearnerLesson) first = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgLearnerLesson) second = plg_learner_lesson_new (fixture->lesson);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (PlgLearner) learner = NULL;
  const PlgLearnerLesson *kept;

  first->finished = TRUE;
  plan->training.global_batch = 128;
  plg_learner_set_design (first, "s0", TRUE, plan);
  plg_learner_set_design (first, "s1", FALSE, plan);
  store (fixture, first);
  plan->training.global_batch = 256;
  plg_learner_set_design (second, "s0", FALSE, plan);
  plg_learner_set_design (second, "s1", FALSE, plan);
  store (fixture, second);
  kept = stored (fixture, &learner);
  g_assert_true (kept->finished);
  g_assert_cmpint (plg_learner_find_design (kept, "s0")->plan->training.global_batch, ==, 128);
  g_assert_cmpint (plg_learner_find_design (kept, "s1")->plan->training.global_batch, ==, 256);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add ("/learner-store/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("two-processes", test_two_processes);
  ADD ("first-answer", test_first_answer);
  ADD ("designs", test_designs);
  ADD ("reflection", test_reflection);
  ADD ("hanging-process", test_hanging_process);
  ADD ("killed", test_killed);
  return g_test_run ();
}
