/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/learner-export.h"

#include "engine/advice/advice.h"
#include "engine/report/metric.h"
#include "io/reports/equivalent-plans.h"
#include "lessons/question-preview.h"
#include "lessons/lesson-library.h"
#include "io/reports/markdown.h"
#include "lessons/memo-private.h"
#include "io/reports/plan-sentences.h"
#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A one-page memo in Markdown. The design and its evidence come first, because the end of a long
 * memo may not fit on the page. */

/* The maximum number of characters in all reflections together. They take about 25 of the 65
 * lines that fit on an A4 page in the smallest text size of a page figure. The other lines are
 * for the design and the questions. */
#define PAGE_CHARACTERS 2400
/* In a memo without a design, the texts that explain the evidence may have this many characters
 * in total, besides the characters that the reflections leave unused. The limit does not apply
 * to lists of numbers. */
#define PAGE_EVIDENCE 800

/* Predictions
 * ------------------------------------------------------------------------------------- */

/* Returns the total number of characters in all reflections if each is cut to at most MOST
 * characters. */
static glong
reflection_limit (const PlgLearnerLesson *played, glong most)
{
  glong n = 0;

  for (guint i = 0; i < played->answers->len; i++)
    n += MIN (g_utf8_strlen (((const PlgLearnerAnswer *) played->answers->pdata[i])->reflection,
                             -1),
              most);
  return n;
}

/* Returns how many characters each reflection may have so that all reflections fit on a page.
 * Long reflections can use the room that short ones leave. */
static glong
share_of_page (const PlgLearnerLesson *played)
{
  glong most = PAGE_CHARACTERS / MAX (1, (glong) played->answers->len);

  for (glong more = PAGE_CHARACTERS; more > 0; more /= 2)
    if (reflection_limit (played, most + more) <= PAGE_CHARACTERS)
      most += more;
  return most;
}

static void
append_answers (GString *out,
                const PlgLearnerLesson *played,
                const PlgLesson *lesson,
                const PlgCatalogue *catalogue,
                gboolean is_page)
{
  glong most = is_page ? share_of_page (played) : G_MAXLONG;

  g_string_append_printf (out, "## %s\n\n", _ ("Predictions"));
  for (guint i = 0; i < played->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = played->answers->pdata[i];

      g_string_append (out, "- ");

      /* Use the text that the learner read. Old learner records do not contain this text, so the
       * lesson supplies it. */
      g_autoptr (PlgQuestionPreview)
                     asked = lesson != NULL
                                 ? plg_question_preview_new (lesson, answer->question, catalogue)
                                 : NULL;
      gboolean kept = answer->asked != NULL;
      const char *question = asked != NULL && !kept ? asked->prompt : answer->asked;
      const char *choice = answer->said;

      for (guint j = 0; asked != NULL && !kept && asked->choices[j] != NULL; j++)
        if (g_str_equal (((const PlgTrialChange *) asked->question->choices->pdata[j])->id,
                         answer->choice))
          choice = asked->choices[j];
      plg_markdown_append (out, question != NULL ? question : answer->question);
      g_string_append (out, " → ");
      plg_markdown_append (out, choice != NULL ? choice : answer->choice);

      int right = asked != NULL ? asked->question->right : -1;

      if (answer->right)
        g_string_append_printf (out, " (%s)", _ ("right"));
      else if (right < 0)
        g_string_append_printf (out, " (%s)", _ ("not right"));
      else
        {
          g_string_append_printf (out, " (%s", _ ("not right"));
          g_string_append (out, _ ("; right: "));
          plg_markdown_append (out, asked->choices[right]);
          g_string_append_c (out, ')');
        }

      if (*answer->reflection != '\0')
        {
          const char *reflection = answer->reflection;
          gboolean is_cut = g_utf8_strlen (reflection, -1) > most;
          g_autofree char *text = is_cut ? g_utf8_substring (reflection, 0, most)
                                         : g_strdup (reflection);

          g_string_append (out, ". ");
          plg_markdown_append (out, text);
          if (is_cut)
            g_string_append (out, " …");
        }
      g_string_append_c (out, '\n');
    }
  g_string_append_c (out, '\n');
}

/* Design and evidence
 * ------------------------------------------------------------------------------------- */

static void
append_row (GString *out, const char *name, char *value)
{
  plg_markdown_row (out, (const char *const[]) { name, value, NULL });
  g_free (value);
}

static void
append_evidence (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_string_append_printf (out, "## %s\n\n| | |\n|---|---|\n", _ ("Design and evidence"));

  const PlgCluster *cluster = &plan->cluster;
  g_autofree char *degrees = plg_degrees_describe (plan->parallelism.degree, NULL);

  append_row (out, _ ("Model"), g_strdup (plan->model.title));
  append_row (out, _ ("Cluster"),
              g_strdup_printf (_ ("%d × %d %s"), cluster->nodes, cluster->gpus_per_node,
                               cluster->gpu.title));
  append_row (out, _ ("Batch"),
              g_strdup_printf (_ ("%d sequences per step, micro-batches of %d"),
                               plan->training.global_batch, plan->training.micro_batch));
  append_row (out, _ ("Degrees"),
              g_strdup_printf (_ ("%s on %d GPUs"), degrees, plg_plan_world (plan)));

  char *schedule_text;
  const PlgSetting *setting = plg_setting_find ("training.schedule");
  g_autofree char *value = plg_setting_get (setting, plan);

  if (plan->parallelism.chunks == 1)
    schedule_text = plg_setting_describe_value (setting, value, NULL, NULL);
  else
    schedule_text = g_strdup_printf (_ ("%s, %d chunks per stage"),
                                     plg_setting_choice_title (value), plan->parallelism.chunks);

  append_row (out, _ ("Schedule"), schedule_text);

  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  char *order_text = g_strdup_printf (plan->placement.size > 0
                                          ? _ ("%s, innermost first; some ranks are placed by hand")
                                          : _ ("%s, innermost first"),
                                      order);

  append_row (out, _ ("Order"), order_text);

  append_row (out, _ ("MFU"), plg_format_share (report->step.mfu));
  append_row (out, _ ("Bubble"), plg_format_share (plg_report_bubble (report)));
  append_row (out, _ ("Step time"), plg_format_time (report->step.time));
  append_row (out, _ ("Peak memory"), plg_metric_basis (plg_metric_find ("fits"), report));
  const char *memory_verdict = report->fits == PLG_FIT_HIDDEN ? "–"
                               : report->fits == PLG_FIT_YES  ? _ ("PASS")
                                                              : _ ("FAIL");
  append_row (out, _ ("Fits in memory"), g_strdup (memory_verdict));
  append_row (out, _ ("TP inside the node"),
              g_strdup (plg_metric_value (plg_metric_find ("tp-in-node"), report) == 0
                            ? _ ("FAIL")
                            : _ ("PASS")));
}

/* Alternatives
 * ------------------------------------------------------------------------------------ */

/* The learner's design, with which alternative plans are compared. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const char *const *keys; /* keys that the step lets the learner change; NULL for all keys */
  const PlgGoal *goal;     /* NULL if the step has no goal */
} Design;

/* Describes the requirement that ALTERNATIVE breaks; free with g_free(). Returns NULL if it
 * breaks none. */
static char *
describe_broken (const Design *design, const PlgEquivalentPlan *alternative)
{
  const PlgPlan *plan = design->plan;
  g_autoptr (PlgReport) other = NULL;
  g_autoptr (PlgPlan) alternative_other = plg_plan_copy (plan);
  g_auto (GStrv) settings = g_strsplit (alternative->settings, " ", -1);

  if (plg_settings_apply (alternative_other, NULL, (const char *const *) settings, NULL))
    other = plg_evaluate_with_advice (alternative_other, NULL);

  /* Find the first assertion of the goal that holds for DESIGN but not for OTHER. */
  const PlgAssertion *must = NULL;
  g_autofree char *title = NULL, *limit = NULL, *value = NULL;

  for (guint i = 0; other != NULL && design->goal != NULL && i < design->goal->asserted->len; i++)
    {
      must = &g_array_index (design->goal->asserted, PlgAssertion, i);
      if (plg_assertion_holds (must, design->report) && !plg_assertion_holds (must, other))
        break;
      must = NULL;
    }
  if (must == NULL)
    return NULL;
  title = plg_metric_title (must->metric);
  if (must->comparison == NULL)
    return g_strdup_printf (_ ("It breaks a requirement: %s."), title);
  limit = plg_assertion_limit (must);
  value = plg_assertion_value (must, other);

  const char *comparison = must->comparison;
  const char *comparison_sign;

  if (g_str_equal (comparison, "<="))
    comparison_sign = "≤";
  else if (g_str_equal (comparison, ">="))
    comparison_sign = "≥";
  else
    comparison_sign = g_str_equal (comparison, "==") ? "=" : comparison;

  return g_strdup_printf (_ ("It breaks a requirement: %s %s %s, but the plan has %s."), title,
                          comparison_sign, limit, value);
}

static gboolean
is_faster (const Design *design, const PlgEquivalentPlan *alternative)
{
  const PlgReport *report = design->report;

  return alternative->fits &&
         (!report->fits ||
          alternative->time < report->step.time * (1 - PLG_EQUIVALENT_PLAN_MIN_CHANGE));
}

static gboolean
is_better (const Design *design, const PlgEquivalentPlan *alternative)
{
  g_autofree char *broken = is_faster (design, alternative) ? describe_broken (design, alternative)
                                                            : NULL;

  return is_faster (design, alternative) && broken == NULL;
}

/* Returns whether ALTERNATIVE is faster than DESIGN but breaks a requirement. */
static gboolean
is_forbidden (const Design *design, const PlgEquivalentPlan *alternative)
{
  return is_faster (design, alternative) && !is_better (design, alternative);
}

static gboolean
is_worse (const Design *design, const PlgEquivalentPlan *alternative)
{
  const PlgReport *report = design->report;

  return alternative->fits < report->fits ||
         (alternative->fits == report->fits &&
          alternative->time > report->step.time * (1 + PLG_EQUIVALENT_PLAN_MIN_CHANGE));
}

/* Returns the first alternative in ALL that WANTED accepts and that changes only KEYS, or NULL.
 * ALL is sorted from best to worst, so the first one is the best. */
static const PlgEquivalentPlan *
find_alternative (const GArray *all,
                  gboolean (*wanted) (const Design *, const PlgEquivalentPlan *),
                  const Design *design,
                  const char *const *keys)
{
  for (guint i = 0; i < all->len; i++)
    {
      const PlgEquivalentPlan *alternative = &g_array_index (all, PlgEquivalentPlan, i);

      if (plg_equivalent_plan_is_allowed (alternative, keys) && wanted (design, alternative))
        return alternative;
    }
  return NULL;
}

static void
append_section (GString *out,
                const char *title,
                const Design *design,
                const PlgEquivalentPlan *alternative)
{
  g_autofree char *words = plg_equivalent_plan_describe (design->report, alternative);
  g_autofree char *broken = describe_broken (design, alternative);

  g_string_append_printf (out, "## %s\n\n", title);
  plg_markdown_append (out, words);
  if (broken != NULL)
    {
      g_string_append_c (out, ' ');
      plg_markdown_append (out, broken);
    }
  g_string_append (out, "\n\n");
}

/* Appends a heading such as "Ada · Optimal · 3 of 4 predictions right · 2026-11-21". */
static void
append_head (GString *out, const PlgLearner *learner, const PlgLearnerLesson *played)
{
  g_string_append (out, "# ");
  plg_markdown_append (out, played->title);
  g_string_append (out, "\n\n");
  plg_markdown_append (out, learner->name);
  g_string_append_printf (out, " · %s · ", plg_score_title (plg_learner_score (played)));
  g_string_append_printf (out, _ ("%d of %d predictions right"), plg_learner_count_right (played),
                          played->questions);
  if (played->changed != NULL && strlen (played->changed) >= 10)
    {
      g_autofree char *date = g_strndup (played->changed, 10);

      g_string_append (out, " · ");
      plg_markdown_append (out, date);
    }
  g_string_append (out, "\n\n");
}

static char *
write_memo (const PlgLearner *learner,
            const char *id,
            const PlgCatalogue *catalogue,
            gboolean is_page)
{
  const PlgLearnerLesson *played = id != NULL ? plg_learner_find (learner, id)
                                              : plg_learner_latest (learner);
  g_autoptr (GPtrArray) library = NULL;
  const PlgLesson *lesson;
  GString *out;

  if (played == NULL)
    return NULL;
  library = plg_lesson_library ();
  /* NULL for a teacher's lesson, which is not in the library */
  lesson = plg_lesson_find (library, played->id);
  out = g_string_new (NULL);
  append_head (out, learner, played);
  if (played->designs->len > 0)
    {
      const PlgPlan *plan = plg_learner_last_plan (played);
      const PlgLearnerDesign *last = played->designs->pdata[played->designs->len - 1];
      const PlgLessonStep *step = plan != NULL && lesson != NULL
                                      ? plg_lesson_find_step (lesson, last->step)
                                      : NULL;
      g_autoptr (PlgReport) report = plan != NULL ? plg_evaluate_with_advice (plan, NULL) : NULL;
      Design design = { .plan = plan, .report = report };

      if (report != NULL)
        {
          if (step != NULL)
            {
              design.keys = (const char *const *) step->free;
              design.goal = step->goal;
            }
          append_evidence (out, plan, report);
          for (guint i = 0; design.goal != NULL && i < design.goal->asserted->len; i++)
            append_row (out, _ ("Required"),
                        plg_assertion_describe (&g_array_index (design.goal->asserted, PlgAssertion,
                                                                i),
                                                report));
          g_string_append_c (out, '\n');

          g_autoptr (GArray) all = plg_equivalent_plans (design.plan, design.report);
          const PlgEquivalentPlan *better = find_alternative (all, is_better, &design, design.keys);
          const PlgEquivalentPlan *rejected = find_alternative (all, is_forbidden, &design,
                                                                design.keys);

          if (rejected == NULL)
            rejected = find_alternative (all, is_worse, &design, design.keys);
          if (rejected == NULL)
            rejected = find_alternative (all, is_worse, &design, NULL);
          if (rejected != NULL)
            append_section (out, _ ("Rejected alternative"), &design, rejected);
          if (better != NULL)
            append_section (out, _ ("Better, but not chosen"), &design, better);
        }
    }
  else if (lesson != NULL)
    {
      glong most = G_MAXLONG;

      /* If the reflections use fewer than PAGE_CHARACTERS characters, the evidence may use the
       * rest. */
      if (is_page)
        most = PAGE_EVIDENCE + PAGE_CHARACTERS - reflection_limit (played, share_of_page (played));
      plg_memo_append_evidence (out, played, lesson, catalogue, most);
    }
  if (played->answers->len > 0)
    append_answers (out, played, lesson, catalogue, is_page);
  return g_string_free (out, FALSE);
}

char *
plg_learner_memo (const PlgLearner *learner, const char *id, const PlgCatalogue *catalogue)
{
  return write_memo (learner, id, catalogue, FALSE);
}

char *
plg_learner_memo_page (const PlgLearner *learner, const char *id, const PlgCatalogue *catalogue)
{
  return write_memo (learner, id, catalogue, TRUE);
}
