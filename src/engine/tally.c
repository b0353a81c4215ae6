/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/tally.h"

static void
choice_free (PlgTallyChoice *choice)
{
  g_free (choice->id);
  g_free (choice->text);
  g_free (choice);
}

static void
question_free (PlgTallyQuestion *question)
{
  g_free (question->lesson);
  g_free (question->title);
  g_free (question->id);
  g_free (question->text);
  g_ptr_array_unref (question->choices);
  g_free (question);
}

static void
score_free (PlgTallyScore *score)
{
  g_free (score->learner);
  g_free (score->lesson);
  g_free (score->title);
  g_free (score);
}

PlgTally *
plg_tally_new (void)
{
  PlgTally *self = g_new0 (PlgTally, 1);

  self->questions = g_ptr_array_new_with_free_func ((GDestroyNotify) question_free);
  self->scores = g_ptr_array_new_with_free_func ((GDestroyNotify) score_free);
  return self;
}

void
plg_tally_free (PlgTally *tally)
{
  g_ptr_array_unref (tally->questions);
  g_ptr_array_unref (tally->scores);
  g_free (tally);
}

PlgTallyQuestion *
plg_tally_question (PlgTally *tally, const char *lesson, const char *title, const char *id)
{
  PlgTallyQuestion *question;

  for (guint i = 0; i < tally->questions->len; i++)
    {
      question = tally->questions->pdata[i];
      if (g_str_equal (question->lesson, lesson) && g_str_equal (question->id, id))
        return question;
    }
  question = g_new0 (PlgTallyQuestion, 1);
  question->lesson = g_strdup (lesson);
  question->title = g_strdup (title);
  question->id = g_strdup (id);
  question->choices = g_ptr_array_new_with_free_func ((GDestroyNotify) choice_free);
  g_ptr_array_add (tally->questions, question);
  return question;
}

PlgTallyChoice *
plg_tally_choice (PlgTallyQuestion *question, const char *id)
{
  PlgTallyChoice *choice;

  for (guint i = 0; i < question->choices->len; i++)
    {
      choice = question->choices->pdata[i];
      if (g_str_equal (choice->id, id))
        return choice;
    }
  choice = g_new0 (PlgTallyChoice, 1);
  choice->id = g_strdup (id);
  g_ptr_array_add (question->choices, choice);
  return choice;
}

void
plg_tally_add_score (PlgTally *tally, const PlgTallyScore *score)
{
  PlgTallyScore *added = g_memdup2 (score, sizeof *score);

  added->learner = g_strdup (score->learner);
  added->lesson = g_strdup (score->lesson);
  added->title = g_strdup (score->title);
  g_ptr_array_add (tally->scores, added);
}

int
plg_tally_answered (const PlgTally *tally)
{
  int answered = 0;

  for (guint i = 0; i < tally->questions->len; i++)
    answered += ((const PlgTallyQuestion *) tally->questions->pdata[i])->answered;
  return answered;
}

int
plg_tally_right (const PlgTally *tally)
{
  int right = 0;

  for (guint i = 0; i < tally->questions->len; i++)
    right += ((const PlgTallyQuestion *) tally->questions->pdata[i])->right;
  return right;
}
