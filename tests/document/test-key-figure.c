/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/key-figure.h"
#include "engine/report/redaction.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/lesson-library.h"

#include <math.h>

/* The key figure of a presentation follows the question of the lesson and waits for the answer. */

static PlgLesson *
find_lesson (GPtrArray *lessons, const char *id)
{
  for (guint i = 0; i < lessons->len; i++)
    if (g_str_equal (((PlgLesson *) lessons->pdata[i])->id, id))
      return lessons->pdata[i];
  g_error ("there is no lesson %s", id);
}

/* Plays LESSON to the step with question ID and answers each earlier question rightly. */
static PlgLessonRun *
play_to (PlgDocument *document, PlgLesson *lesson, const char *id)
{
  PlgLessonRun *run = plg_lesson_run_new (document, lesson);

  while (plg_lesson_run_step (run)->question == NULL ||
         !g_str_equal (plg_lesson_run_step (run)->question->id, id))
    {
      const PlgQuestion *question = plg_lesson_run_step (run)->question;

      g_assert_true (question == NULL || plg_lesson_run_choose (run, question->right));
      g_assert_true (plg_lesson_run_go (run, 1));
    }
  return run;
}

/* The key figure before the answer and after it, when a goal may determine the key figure. */
static const struct
{
  const char *lesson;
  const char *question;
  const char *before;
  const char *after;
  gboolean is_hidden;
} asked[] = {
  { "bottleneck", "q-memory", "Memory, of 79.6 GiB", "MFU", FALSE },
  { "bottleneck", "q-ethernet", "MFU", "MFU", FALSE },
  { "bottleneck", "q-slow", "MFU", "MFU", FALSE },
  { "bottleneck", "q-limping", "Step time", "Step time", TRUE },
  { "bottleneck", "q-few", "MFU", "MFU", FALSE },
  { "which-link", "q-often", "TP calls per step", "TP calls per step", TRUE },
  { "pipeline", "q-bubble", "Bubble", "Bubble", TRUE },
  { "wrong-formula", "q-activations", "Activations in memory", "Activations in memory", TRUE },
};

static void
test_follows_the_question (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autoptr (PlgDocument) document = plg_document_new (catalogue);
      g_autoptr (PlgLessonRun) run = play_to (document, find_lesson (lessons, asked[i].lesson),
                                              asked[i].question);
      g_auto (PlgKeyFigure) before = plg_key_figure (document, run);
      g_auto (PlgKeyFigure) after = { NULL };

      g_assert_cmpstr (before.title, ==, asked[i].before);
      g_assert_cmpint (before.is_hidden, ==, asked[i].is_hidden);
      g_assert_true (plg_lesson_run_choose (run, 0));
      after = plg_key_figure (document, run);
      g_assert_cmpstr (after.title, ==, asked[i].after);
      g_assert_false (after.is_hidden);
    }
}

/* An open question hides its number; after the answer the key figure has a number or a text. */
static void
check_question (PlgDocument *document, PlgLessonRun *run)
{
  const PlgQuestion *question = plg_lesson_run_step (run)->question;
  g_auto (PlgKeyFigure) before = plg_key_figure (document, run);
  g_auto (PlgKeyFigure) after = { NULL };

  if (question->number != NULL && (question->number->about & question->hides) != 0)
    {
      g_assert_true (before.is_hidden);
      g_assert_cmpstr (before.text, ==, "Shown after you answer");
    }
  if (before.is_hidden)
    g_assert_true (isnan (before.share));
  g_assert_true (plg_lesson_run_choose (run, question->right));
  after = plg_key_figure (document, run);
  if (question->number != NULL && (question->number->about & question->hides) != 0 &&
      plg_lesson_run_step (run)->goal == NULL)
    {
      g_assert_false (after.is_hidden);
      g_assert_cmpstr (after.title, ==, before.title);
      g_assert_cmpstr (after.text, !=, "–");
    }
}

static void
test_waits_for_the_answer (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  for (guint i = 0; i < lessons->len; i++)
    {
      g_autoptr (PlgDocument) document = plg_document_new (catalogue);
      g_autoptr (PlgLessonRun) run = plg_lesson_run_new (document, lessons->pdata[i]);

      do
        if (plg_lesson_run_step (run)->question != NULL)
          check_question (document, run);
      while (plg_lesson_run_go (run, 1));
    }
}

/* Without a lesson the key figure follows the colours of the cluster. */
static void
test_follows_the_colours (void)
{
  static const struct
  {
    PlgShow show;
    const char *title;
  } shown[] = { { PLG_SHOW_ALL, "MFU" },
                { PLG_SHOW_PP, "Bubble" },
                { PLG_SHOW_MEMORY, "Memory, of 79.6 GiB" } };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
      g_auto (PlgKeyFigure) headline = { NULL };

      plan->view.show = shown[i].show;
      plg_document_reset (document, plan);
      headline = plg_key_figure (document, NULL);
      g_assert_cmpstr (headline.title, ==, shown[i].title);
      g_assert_true (headline.share > 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/key-figure/follows-the-question", test_follows_the_question);
  g_test_add_func ("/key-figure/waits-for-the-answer", test_waits_for_the_answer);
  g_test_add_func ("/key-figure/follows-the-colours", test_follows_the_colours);
  return g_test_run ();
}
