/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/learner-export.h"

#include "engine/evaluate.h"
#include "engine/report/metric.h"
#include "syntax/json-writer.h"

#include <math.h>

static const PlgLearnerAnswer *
answer_at (const PlgLearnerLesson *lesson, guint i)
{
  return i < lesson->answers->len ? lesson->answers->pdata[i] : NULL;
}

static void
add_null (PlgJsonWriter *json, const char *name)
{
  plg_json_add_string (json, name, NULL);
}

static void
add_mfu (PlgJsonWriter *json, const char *name, const PlgReport *report)
{
  if (report != NULL)
    plg_json_add_number (json, name, round (report->step.mfu * 1000) / 10);
  else
    add_null (json, name);
}

static void
add_design (PlgJsonWriter *json, const PlgLearnerLesson *lesson)
{
  const PlgPlan *plan = plg_learner_last_plan (lesson);
  g_autoptr (PlgReport) report = plan != NULL ? plg_evaluate (plan, 0, NULL) : NULL;

  plg_json_begin (json, "design", '{', TRUE);

  /* The JSON fields of a design that are taken from the plan, in the order that the format
   * requires. */
  static const struct
  {
    const char *name;
    PlgAxis axis;
  } degrees[] = { { "tp_degree", PLG_AXIS_TP },
                  { "pp_degree", PLG_AXIS_PP },
                  { "dp_degree", PLG_AXIS_DP } };
  const int *degree = plan != NULL ? plan->parallelism.degree : NULL;

  if (degree != NULL)
    plg_json_add_string (json, "context",
                         degree[PLG_AXIS_TP] > 1 || degree[PLG_AXIS_PP] > 1 ? "3d_parallel"
                                                                            : "data_parallel");
  else
    add_null (json, "context");
  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    if (degree != NULL)
      plg_json_add_number (json, degrees[i].name, degree[degrees[i].axis]);
    else
      add_null (json, degrees[i].name);
  if (degree != NULL)
    plg_json_add_number (json, "total_gpus", plg_plan_world (plan));
  else
    add_null (json, "total_gpus");

  add_mfu (json, "mfu_percent", report);

  /* The JSON format divides a lesson into two acts: the first answer is the prediction of act 1,
   * and the second is the decision of act 2. The design is the result of that decision. */
  const PlgLearnerAnswer *first = answer_at (lesson, 0);
  const PlgLearnerAnswer *second = answer_at (lesson, 1);

  plg_json_add_string (json, "act1_prediction", first != NULL ? first->choice : NULL);
  if (first != NULL)
    plg_json_add_boolean (json, "act1_correct", first->right);
  else
    add_null (json, "act1_correct");
  plg_json_add_string (json, "act1_reflect", first != NULL ? first->reflection : NULL);
  add_mfu (json, "act2_result", report);
  plg_json_add_string (json, "act2_decision", second != NULL ? second->choice : NULL);

  if (report != NULL)
    {
      plg_json_add_boolean (json, "constraint_hit",
                            !report->fits ||
                                plg_metric_value (plg_metric_find ("tp-in-node"), report) == 0);
      plg_json_add_boolean (json, "memory_feasible", report->fits);
    }
  else
    {
      add_null (json, "constraint_hit");
      add_null (json, "memory_feasible");
    }
  plg_json_end (json, '}');
}

char *
plg_learner_json (const PlgLearner *learner)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };
  const PlgLearnerLesson *last = plg_learner_latest (learner);

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_string (&json, "track", "parallelogram");
  plg_json_add_string (&json, "current_chapter", last != NULL ? last->id : NULL);
  plg_json_begin (&json, "history", '[', TRUE);
  for (guint i = 0; i < learner->lessons->len; i++)
    {
      const PlgLearnerLesson *lesson = learner->lessons->pdata[i];

      plg_json_begin (&json, NULL, '{', TRUE);
      plg_json_add_string (&json, "chapter", lesson->id);
      add_design (&json, lesson);

      /* Export all answers, although a design has at most two acts. */
      plg_json_begin (&json, "answers", '[', TRUE);
      for (guint j = 0; j < lesson->answers->len; j++)
        {
          const PlgLearnerAnswer *answer = lesson->answers->pdata[j];

          plg_json_begin (&json, NULL, '{', TRUE);
          plg_json_add_string (&json, "question", answer->question);
          plg_json_add_string (&json, "choice", answer->choice);
          plg_json_add_boolean (&json, "right", answer->right);
          plg_json_add_string (&json, "reflection", answer->reflection);
          plg_json_end (&json, '}');
        }
      plg_json_end (&json, ']');

      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');
  plg_json_add_string (&json, "last_updated", last != NULL ? last->changed : NULL);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
