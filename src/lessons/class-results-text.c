/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/class-records.h"
#include "plan/text/csv-writer.h"
#include "syntax/json-writer.h"
#include "io/reports/markdown.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

char *
plg_class_results_markdown (const PlgClassResults *tally)
{
  GString *out = g_string_new ("# ");
  const char *lesson = NULL;

  g_string_append_printf (out, _ ("How a class of %d answered"), tally->learners);
  g_string_append (out, "\n\n");
  for (guint i = 0; i < tally->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = tally->questions->pdata[i];

      if (lesson == NULL || !g_str_equal (lesson, question->lesson))
        {
          g_string_append (out, "## ");
          plg_markdown_append (out, question->title);
          g_string_append (out, "\n\n");
        }
      lesson = question->lesson;
      plg_markdown_append (out, question->text);
      g_string_append (out, "\n\n");

      const char *const heading[] = { _ ("First answer"), _ ("Learners"), _ ("Share"), "", NULL };

      plg_markdown_heading (out, heading, 1);
      for (guint j = 0; j < question->choices->len; j++)
        {
          const PlgClassResultsChoice *choice = question->choices->pdata[j];
          g_autofree char *n = g_strdup_printf ("%d", choice->n);
          g_autofree char *share = question->answered > 0
                                       ? plg_format_share ((double) choice->n / question->answered)
                                       : g_strdup ("–");

          plg_markdown_row (out,
                            (const char *const[]) { choice->text, n, share,
                                                    choice->is_right ? _ ("right") : "", NULL });
        }
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

char *
plg_class_results_csv (const PlgClassResults *tally)
{
  static const char *const titles[] = { "lesson",   "question",    "question_text",
                                        "choice",   "choice_text", "right",
                                        "learners", "answered",    NULL };
  PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = ',' };

  plg_csv_add_texts (&csv, titles);
  plg_csv_end_row (&csv);
  for (guint i = 0; i < tally->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = tally->questions->pdata[i];

      for (guint j = 0; j < question->choices->len; j++)
        {
          const PlgClassResultsChoice *choice = question->choices->pdata[j];

          plg_csv_add_texts (&csv, (const char *const[]) {
                                       question->title, question->id, question->text, choice->id,
                                       choice->text, choice->is_right ? "true" : "false", NULL });
          plg_csv_add_number (&csv, choice->n);
          plg_csv_add_number (&csv, question->answered);
          plg_csv_end_row (&csv);
        }
    }
  return plg_csv_take (&csv);
}

char *
plg_class_results_scores_csv (const PlgClassResults *tally)
{
  static const char *const titles[] = { "learner", "lesson", "score", "right", "questions", NULL };
  PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = ',' };

  plg_csv_add_texts (&csv, titles);
  plg_csv_end_row (&csv);
  for (guint i = 0; i < tally->scores->len; i++)
    {
      const PlgClassResultsScore *score = tally->scores->pdata[i];

      plg_csv_add_text (&csv, score->learner);
      plg_csv_add_text (&csv, score->title);
      plg_csv_add_text (&csv, score->score);
      plg_csv_add_number (&csv, score->right);
      plg_csv_add_number (&csv, score->questions);
      plg_csv_end_row (&csv);
    }
  return plg_csv_take (&csv);
}

char *
plg_class_results_json (const PlgClassResults *tally)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "learners", tally->learners);
  plg_json_begin (&json, "questions", '[', TRUE);
  for (guint i = 0; i < tally->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = tally->questions->pdata[i];

      plg_json_begin (&json, NULL, '{', TRUE);
      plg_json_add_string (&json, "lesson", question->title);
      plg_json_add_string (&json, "question", question->id);
      plg_json_add_string (&json, "text", question->text);
      plg_json_add_number (&json, "answered", question->answered);
      plg_json_add_number (&json, "right", question->right);
      plg_json_begin (&json, "choices", '[', TRUE);
      for (guint j = 0; j < question->choices->len; j++)
        {
          const PlgClassResultsChoice *choice = question->choices->pdata[j];

          plg_json_begin (&json, NULL, '{', FALSE);
          plg_json_add_string (&json, "choice", choice->id);
          plg_json_add_string (&json, "text", choice->text);
          plg_json_add_number (&json, "learners", choice->n);
          plg_json_add_boolean (&json, "right", choice->is_right);
          plg_json_end (&json, '}');
        }
      plg_json_end (&json, ']');
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');

  const GPtrArray *scores = tally->scores;

  plg_json_begin (&json, "scores", '[', TRUE);
  for (guint i = 0; i < scores->len; i++)
    {
      const PlgClassResultsScore *score = scores->pdata[i];

      plg_json_begin (&json, NULL, '{', FALSE);
      plg_json_add_string (&json, "learner", score->learner);
      plg_json_add_string (&json, "lesson", score->title);
      plg_json_add_string (&json, "score", score->score);
      plg_json_add_number (&json, "right", score->right);
      plg_json_add_number (&json, "questions", score->questions);
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');

  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
