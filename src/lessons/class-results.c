/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/class-results.h"

static void
choice_free (PlgClassResultsChoice *choice)
{
  g_free (choice->id);
  g_free (choice->text);
  g_free (choice);
}

static void
question_free (PlgClassResultsQuestion *question)
{
  g_free (question->lesson);
  g_free (question->title);
  g_free (question->id);
  g_free (question->text);
  g_ptr_array_unref (question->choices);
  g_free (question);
}

static void
score_free (PlgClassResultsScore *score)
{
  g_free (score->learner);
  g_free (score->lesson);
  g_free (score->title);
  g_free (score);
}

PlgClassResults *
plg_class_results_new (void)
{
  PlgClassResults *self = g_new0 (PlgClassResults, 1);

  self->questions = g_ptr_array_new_with_free_func ((GDestroyNotify) question_free);
  self->scores = g_ptr_array_new_with_free_func ((GDestroyNotify) score_free);
  return self;
}

void
plg_class_results_free (PlgClassResults *results)
{
  g_ptr_array_unref (results->questions);
  g_ptr_array_unref (results->scores);
  g_free (results);
}

PlgClassResultsQuestion *
plg_class_results_question (PlgClassResults *results,
                            const char *lesson,
                            const char *title,
                            const char *id)
{
  PlgClassResultsQuestion *question;

  for (guint i = 0; i < results->questions->len; i++)
    {
      question = results->questions->pdata[i];
      if (g_str_equal (question->lesson, lesson) && g_str_equal (question->id, id))
        return question;
    }
  question = g_new0 (PlgClassResultsQuestion, 1);
  question->lesson = g_strdup (lesson);
  question->title = g_strdup (title);
  question->id = g_strdup (id);
  question->choices = g_ptr_array_new_with_free_func ((GDestroyNotify) choice_free);
  g_ptr_array_add (results->questions, question);
  return question;
}

PlgClassResultsChoice *
plg_class_results_choice (PlgClassResultsQuestion *question, const char *id)
{
  PlgClassResultsChoice *choice;

  for (guint i = 0; i < question->choices->len; i++)
    {
      choice = question->choices->pdata[i];
      if (g_str_equal (choice->id, id))
        return choice;
    }
  choice = g_new0 (PlgClassResultsChoice, 1);
  choice->id = g_strdup (id);
  g_ptr_array_add (question->choices, choice);
  return choice;
}

void
plg_class_results_add_score (PlgClassResults *results, const PlgClassResultsScore *score)
{
  PlgClassResultsScore *added = g_memdup2 (score, sizeof *score);

  added->learner = g_strdup (score->learner);
  added->lesson = g_strdup (score->lesson);
  added->title = g_strdup (score->title);
  g_ptr_array_add (results->scores, added);
}

int
plg_class_results_answered (const PlgClassResults *results)
{
  int answered = 0;

  for (guint i = 0; i < results->questions->len; i++)
    answered += ((const PlgClassResultsQuestion *) results->questions->pdata[i])->answered;
  return answered;
}

int
plg_class_results_right (const PlgClassResults *results)
{
  int right = 0;

  for (guint i = 0; i < results->questions->len; i++)
    right += ((const PlgClassResultsQuestion *) results->questions->pdata[i])->right;
  return right;
}
