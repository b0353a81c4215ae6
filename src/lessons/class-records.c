/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/class-records.h"

#include "lessons/question-preview.h"
#include "io/registry/registry.h"
#include "lessons/learner-score.h"
#include "lessons/lesson-library.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Loading
 * ----------------------------------------------------------------------------------- */

/* Adds the learner record or lesson file at PATH to RECORDS. If it is a learner record, also
 * adds its name to FILES. */
static gboolean
add_file (PlgClassRecords *records,
          GPtrArray *files,
          GHashTable *copies,
          const char *path,
          const PlgCatalogue *catalogue,
          GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GBytes) bytes = plg_read_file (path, &name, error);
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, NULL) : NULL;
  g_autofree char *own = g_path_get_basename (path);
  PlgLearner *learner;

  if (bytes == NULL)
    return FALSE;
  if (plg_lesson_detect (data, g_bytes_get_size (bytes)))
    {
      PlgLesson *lesson = plg_lesson_read_file (bytes, name, error);

      if (lesson == NULL)
        return FALSE;
      g_ptr_array_add (records->lessons, lesson);
      /* A pattern such as "l*.xml" may match lesson files as well as learner records. */
      g_ptr_array_add (records->remarks,
                       g_strdup_printf (_ ("%s contains the lesson “%s”; its texts and its right "
                                           "answers are used for the learner records."),
                                        own, lesson->title));
      return TRUE;
    }

  /* A copy of a learner record under another name does not count as another learner. The table
   * COPIES maps the checksum of a file to the file's name. */
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  const char *first = g_hash_table_lookup (copies, sum);

  if (first != NULL)
    {
      g_ptr_array_add (records->remarks,
                       g_strdup_printf (_ ("%s is a copy of %s and counts only once."), own,
                                        first));
      return TRUE;
    }
  g_hash_table_insert (copies, g_steal_pointer (&sum), g_strdup (own));

  learner = plg_learner_read (data, g_bytes_get_size (bytes), catalogue, error);
  if (learner == NULL)
    {
      g_prefix_error (error, "%s:", name);
      return FALSE;
    }
  g_ptr_array_add (records->learners, learner);
  g_ptr_array_add (files, g_steal_pointer (&own));
  return TRUE;
}

PlgClassRecords *
plg_class_records_load (const char *const *paths, const PlgCatalogue *catalogue)
{
  PlgClassRecords *records = g_new0 (PlgClassRecords, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) copies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  records->learners = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_learner_free);
  records->lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_lesson_unref);
  records->unread = g_ptr_array_new_with_free_func (g_free);
  records->remarks = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!g_hash_table_add (seen, g_canonicalize_filename (paths[i], NULL)))
        continue;
      if (!add_file (records, files, copies, paths[i], catalogue, &error))
        g_ptr_array_add (records->unread, g_strdup (error->message));
    }

  /* The teacher's lessons come first, because they take precedence over the program's lessons
   * with the same id. */
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  g_autoptr (GPtrArray) lessons = g_ptr_array_new ();

  for (guint i = 0; i < records->lessons->len; i++)
    g_ptr_array_add (lessons, records->lessons->pdata[i]);
  for (guint i = 0; i < library->len; i++)
    g_ptr_array_add (lessons, library->pdata[i]);
  for (guint i = 0; i < records->learners->len; i++)
    plg_learner_rescore (records->learners->pdata[i], lessons, files->pdata[i], records->remarks);

  return records;
}

void
plg_class_records_free (PlgClassRecords *records)
{
  g_ptr_array_unref (records->learners);
  g_ptr_array_unref (records->lessons);
  g_ptr_array_unref (records->unread);
  g_ptr_array_unref (records->remarks);
  g_free (records);
}

/* Counting
 * ---------------------------------------------------------------------------------- */

/* Adds the questions that learners answered, in the order of the lessons. */
static void
fill_from_lessons (PlgClassResults *tally,
                   const PlgClassRecords *records,
                   const GPtrArray *lessons,
                   const PlgCatalogue *catalogue)
{
  for (guint i = 0; i < lessons->len; i++)
    {
      const PlgLesson *lesson = lessons->pdata[i];
      gboolean is_filled = FALSE;

      /* The teacher's lesson with this id takes precedence and has already been added. */
      for (guint j = 0; j < tally->questions->len; j++)
        is_filled |= g_str_equal (((const PlgClassResultsQuestion *) tally->questions->pdata[j])
                                      ->lesson,
                                  lesson->id);
      for (guint j = 0; !is_filled && j < lesson->steps->len; j++)
        {
          const PlgLessonStep *step = lesson->steps->pdata[j];
          gboolean is_answered = FALSE;

          for (guint k = 0; step->question != NULL && k < records->learners->len; k++)
            {
              const PlgLearnerLesson *played = plg_learner_find (records->learners->pdata[k],
                                                                 lesson->id);

              is_answered |= played != NULL &&
                             plg_learner_find_answer (played, step->question->id) != NULL;
            }
          if (is_answered)
            {
              /* Add all choices, with their text, in the order of the lesson. */
              g_autoptr (PlgQuestionPreview)
                             asked = plg_question_preview_new (lesson, step->question->id,
                                                               catalogue);
              PlgClassResultsQuestion *question;

              if (asked == NULL)
                continue;
              question = plg_class_results_question (tally, lesson->id, lesson->title,
                                                     step->question->id);
              /* Put the step's title before the question, because several steps may ask "Why?". */
              question->text = g_strdup_printf ("%s · %s", step->title, asked->prompt);
              for (guint k = 0; asked->choices[k] != NULL; k++)
                {
                  const PlgTrialChange *of = step->question->choices->pdata[k];
                  PlgClassResultsChoice *choice = plg_class_results_choice (question, of->id);

                  choice->text = g_strdup (asked->choices[k]);
                  choice->is_right = (int) k == step->question->right;
                }
            }
        }
    }
}

PlgClassResults *
plg_class_records_results (const PlgClassRecords *records, const PlgCatalogue *catalogue)
{
  PlgClassResults *tally = plg_class_results_new ();
  g_autoptr (GPtrArray) library = plg_lesson_library ();

  fill_from_lessons (tally, records, records->lessons, catalogue);
  fill_from_lessons (tally, records, library, catalogue);
  for (guint i = 0; i < records->learners->len; i++)
    {
      const PlgLearner *learner = records->learners->pdata[i];

      for (guint k = 0; k < learner->lessons->len; k++)
        {
          const PlgLearnerLesson *lesson = learner->lessons->pdata[k];

          plg_class_results_add_score (tally,
                                       &(PlgClassResultsScore) {
                                           .learner = learner->name,
                                           .lesson = lesson->id,
                                           .title = lesson->title,
                                           .score = plg_score_name (plg_learner_score (lesson)),
                                           .right = plg_learner_count_right (lesson),
                                           .questions = lesson->questions,
                                       });
          for (guint j = 0; j < lesson->answers->len; j++)
            {
              const PlgLearnerAnswer *answer = lesson->answers->pdata[j];
              PlgClassResultsQuestion *question = plg_class_results_question (tally, lesson->id,
                                                                              lesson->title,
                                                                              answer->question);
              PlgClassResultsChoice *choice = plg_class_results_choice (question, answer->choice);

              if (question->text == NULL)
                question->text = g_strdup (answer->asked != NULL ? answer->asked
                                                                 : answer->question);
              if (choice->text == NULL)
                choice->text = g_strdup (answer->said != NULL ? answer->said : answer->choice);
              choice->is_right |= answer->right;
              choice->n++;
              question->answered++;
              question->right += answer->right;
            }
        }
    }
  tally->learners = (int) records->learners->len;
  return tally;
}
