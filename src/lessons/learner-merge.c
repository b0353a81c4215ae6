/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/learner.h"

/* Merges two records of one lesson: the stored record and the record of the running lesson. */

static void
merge_answer (PlgLearnerLesson *lesson, const PlgLearnerAnswer *first)
{
  const PlgLearnerAnswer *own = plg_learner_find_answer (lesson, first->question);
  gboolean is_edited = own != NULL ? own->is_edited : first->is_edited;
  g_autofree char *reflection = g_strdup (own != NULL && is_edited ? own->reflection
                                                                   : first->reflection);

  plg_learner_set_answer (lesson, first->question, first->choice, first->right, reflection);
  plg_learner_set_answer_texts (lesson, first->question, first->asked, first->said);
  plg_learner_find_answer (lesson, first->question)->is_edited = is_edited;
}

static void
merge_design (PlgLearnerLesson *lesson, const PlgLearnerDesign *kept)
{
  const PlgLearnerDesign *own = plg_learner_find_design (lesson, kept->step);

  if (own == NULL || (kept->reached && !own->reached))
    plg_learner_set_design (lesson, kept->step, kept->reached, kept->plan);
}

void
plg_learner_lesson_merge (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier)
{
  for (guint i = 0; i < earlier->answers->len; i++)
    merge_answer (lesson, earlier->answers->pdata[i]);
  for (guint i = 0; i < earlier->designs->len; i++)
    merge_design (lesson, earlier->designs->pdata[i]);
  lesson->finished |= earlier->finished;
}

static gboolean
has_room (const PlgLearnerLesson *lesson)
{
  return lesson->answers->len + lesson->designs->len < PLG_LEARNER_MAX_PARTS;
}

void
plg_learner_lesson_add_missing (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier)
{
  for (guint i = 0; i < earlier->answers->len && has_room (lesson); i++)
    {
      const PlgLearnerAnswer *answer = earlier->answers->pdata[i];

      if (plg_learner_find_answer (lesson, answer->question) == NULL)
        merge_answer (lesson, answer);
    }
  for (guint i = 0; i < earlier->designs->len && has_room (lesson); i++)
    {
      const PlgLearnerDesign *design = earlier->designs->pdata[i];

      if (plg_learner_find_design (lesson, design->step) == NULL)
        merge_design (lesson, design);
    }
}
