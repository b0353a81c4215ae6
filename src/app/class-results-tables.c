/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/class-results-tables.h"

#include "lessons/learner.h"
#include "plan/quantity.h"

#include <glib/gi18n.h>

#define COLUMNS 5

/* Fills ROW with CELLS. ACCESSIBLE_NAME describes the whole row, because the focus is on the row
 * and not on a cell. */
static void
set_row (PlgTable *table, int row, const char *const cells[COLUMNS], const char *accessible_name)
{
  for (int column = 0; column < COLUMNS; column++)
    plg_table_set_cell (table, row, column, cells[column]);
  plg_table_set_accessible_name (table, row, accessible_name);
}

static gboolean
matches_lesson (const char *id, const char *lesson)
{
  return lesson == NULL || g_str_equal (id, lesson);
}

/* Answers -------------------------------------------------------------------------------------- */

void
plg_class_answers_set_columns (PlgTable *table)
{
  const char *const titles[] = {
    _ ("No."), _ ("First answer"), _ ("Learners"), _ ("Of answers"), "", NULL
  };

  plg_table_enable_pointing (table);
  plg_table_set_columns (table, titles, 2);
}

void
plg_class_answers_fill (PlgTable *table, const PlgClassResults *results, const char *lesson)
{
  const char *last = NULL;
  int row = 0;

  for (guint i = 0; i < results->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = results->questions->pdata[i];

      if (!matches_lesson (question->lesson, lesson))
        continue;
      if (last == NULL || !g_str_equal (last, question->lesson))
        {
          set_row (table, row, (const char *const[]) { "", question->title, "", "", "" },
                   question->title);
          plg_table_set_heading (table, row++, TRUE);
        }
      last = question->lesson;

      g_autofree char *name = g_strdup_printf ("%d", (int) i + 1);
      g_autofree char *answered = g_strdup_printf ("%d", question->answered);

      set_row (table, row++, (const char *const[]) { name, question->text, answered, "", "" },
               question->text);
      plg_table_set_heading (table, row - 1, TRUE);
      for (guint j = 0; j < question->choices->len; j++)
        {
          const PlgClassResultsChoice *choice = question->choices->pdata[j];
          const char *right = choice->is_right ? _ ("right") : "";
          g_autofree char *n = g_strdup_printf ("%d", choice->n);
          g_autofree char *share = plg_format_share (question->answered > 0
                                                         ? (double) choice->n / question->answered
                                                         : 0);
          g_autofree char *accessible_name = g_strdup_printf ("%s, %s: %s, %s, %s%s%s",
                                                              question->title, question->text,
                                                              choice->text, n, share,
                                                              choice->is_right ? ", " : "", right);

          set_row (table, row, (const char *const[]) { name, choice->text, n, share, right },
                   accessible_name);
          plg_table_set_heading (table, row++, FALSE);
        }
    }
  plg_table_set_n_rows (table, row);
}

/* Scores --------------------------------------------------------------------------------------- */

void
plg_class_scores_set_columns (PlgTable *table)
{
  const char *const titles[] = { _ ("Learner"), _ ("Lesson"),    _ ("Score"),
                                 _ ("Right"),   _ ("Questions"), NULL };

  plg_table_enable_pointing (table);
  plg_table_set_columns (table, titles, 3);
}

static const char *
score_title (const char *name)
{
  for (PlgScore score = PLG_SCORE_OPEN; score <= PLG_SCORE_OPTIMAL; score++)
    if (g_str_equal (plg_score_name (score), name))
      return plg_score_title (score);
  return name;
}

void
plg_class_scores_fill (PlgTable *table, const PlgClassResults *results, const char *lesson)
{
  int row = 0;

  for (guint i = 0; i < results->scores->len; i++)
    {
      const PlgClassResultsScore *score = results->scores->pdata[i];
      g_autofree char *right = g_strdup_printf ("%d", score->right);
      g_autofree char *questions = g_strdup_printf ("%d", score->questions);
      g_autofree char *result = g_strdup_printf (_ ("%d of %d first answers right"), score->right,
                                                 score->questions);
      g_autofree char *accessible_name = NULL;

      if (!matches_lesson (score->lesson, lesson))
        continue;
      accessible_name = g_strdup_printf ("%s, %s: %s, %s", score->learner, score->title,
                                         score_title (score->score), result);
      set_row (table, row++,
               (const char *const[]) { score->learner, score->title, score_title (score->score),
                                       right, questions },
               accessible_name);
    }
  plg_table_set_n_rows (table, row);
}
