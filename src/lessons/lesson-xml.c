/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "lessons/lesson-xml-private.h"

#include "engine/report/redaction.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_MINUTES 600
/* The maximum number of choices in a question. Each choice has a letter as its shortcut key, and
 * other actions need the remaining letters. */
#define MAX_CHOICES_OF_QUESTION 8
/* The maximum number of steps. It is more than any lesson needs, and it limits the time that a
 * check of all steps takes. */
#define MAX_STEPS 200

/* Returns the child element with index N among the children of ELEMENT that are called NAME, or
 * NULL if there is none. */
static const xmlNode *
nth_child (const xmlNode *element, const char *name, int n)
{
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if (plg_xml_is (node, name) && n-- == 0)
      return node;
  return NULL;
}

/* Setups */

static PlgStepSetup *
need_setup (PlgStepSetup **setup)
{
  if (*setup == NULL)
    {
      *setup = g_new0 (PlgStepSetup, 1);
      (*setup)->select = -1;
    }
  return *setup;
}

static gboolean
read_plan (const PlgLessonXml *reader, const xmlNode *element, PlgStepSetup **setup, GError **error)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *from = plg_xml_attribute (element, "from");
  g_autofree char *resets_placement = plg_xml_attribute (element, "tidy");
  GError *slip = NULL;

  if (!plg_xml_check_attributes (reader->xml, element,
                                 (const char *const[]) { "from", "tidy", NULL }, error))
    return FALSE;
  if (from != NULL && !g_str_equal (from, "default") && !g_str_equal (from, "open"))
    return plg_xml_fail (reader->xml, element, "from", error,
                         _ ("“from” must be “default” (the default plan) or “open” (the open "
                            "plan)."));
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      g_autofree char *key = NULL;
      g_autofree char *value = NULL;

      gboolean is_element = plg_lesson_xml_check_text (reader, node, &slip) &&
                            node->type == XML_ELEMENT_NODE;

      if (is_element && !plg_xml_is (node, "set"))
        plg_lesson_xml_fail_misplaced (reader, node, &slip);
      else if (is_element && plg_lesson_xml_need_attribute (reader, node, "key", &key, &slip) &&
               plg_lesson_xml_need_attribute (reader, node, "value", &value, &slip) &&
               plg_xml_check_attributes (reader->xml, node,
                                         (const char *const[]) { "key", "value", NULL }, &slip))
        {
          if (plg_setting_find (key) == NULL)
            {
              g_autofree char *near = plg_setting_suggest (key);

              if (near != NULL)
                plg_xml_fail (reader->xml, node, "key", &slip,
                              _ ("There is no key “%s”. Similar: %s."), key, near);
              else
                plg_xml_fail (reader->xml, node, "key", &slip, _ ("There is no key “%s”."), key);
            }
          else
            g_ptr_array_add (settings, g_strdup_printf ("%s=%s", key, value));
        }
      plg_lesson_xml_keep_error (reader, &slip);
    }
  need_setup (setup)->line = plg_lesson_xml_line (reader, element);
  (*setup)->from_default = g_strcmp0 (from, "default") == 0;
  (*setup)->resets_placement = g_strcmp0 (resets_placement, "true") == 0;
  if (settings->len == 0)
    return TRUE;
  g_ptr_array_add (settings, NULL);
  (*setup)->settings = (char **) g_ptr_array_free (g_steal_pointer (&settings), FALSE);
  return TRUE;
}

static gboolean
read_view (const PlgLessonXml *reader, const xmlNode *element, PlgStepSetup **setup, GError **error)
{
  static const char *const names[] = { "show", "links", "page", "select", NULL };
  static const char *const pages[] = { "timeline", "links", "pairs", NULL };
  g_autofree char *select = plg_xml_attribute (element, "select");
  gint64 gpu = -1;

  if (!plg_xml_check_attributes (reader->xml, element, names, error))
    return FALSE;
  if (select != NULL && !g_ascii_string_to_signed (select, 10, 0, PLG_MAX_GPUS - 1, &gpu, NULL))
    return plg_xml_fail (reader->xml, element, "select", error,
                         _ ("“select” must be the number of a GPU."));
  need_setup (setup)->select = (int) gpu;
  (*setup)->view_line = plg_lesson_xml_line (reader, element);
  if ((*setup)->line == 0)
    (*setup)->line = (*setup)->view_line;
  (*setup)->show = plg_xml_attribute (element, "show");
  (*setup)->links = plg_xml_attribute (element, "links");
  (*setup)->page = plg_xml_attribute (element, "page");
  if ((*setup)->page != NULL && !g_strv_contains (pages, (*setup)->page))
    return plg_xml_fail (reader->xml, element, "page", error,
                         _ ("“page” must be “timeline”, “links” or “pairs”."));
  return TRUE;
}

/* Assertions */

/* Reads the attribute "holds". The caller checks the other attributes. */
static gboolean
read_assertion (const PlgLessonXml *reader,
                const xmlNode *node,
                PlgAssertion *assertion,
                GError **error)
{
  g_autofree char *wrong = NULL;
  char *text;

  if (!plg_lesson_xml_need_attribute (reader, node, "holds", &text, error))
    return FALSE;
  g_ptr_array_add (reader->lesson->texts, text);
  wrong = plg_assertion_read (assertion, text);
  return wrong == NULL || plg_xml_fail (reader->xml, node, "holds", error, "%s", wrong);
}

static gboolean
read_goal (const PlgLessonXml *reader, const xmlNode *element, PlgLessonStep *step, GError **error)
{
  static const char *const others[] = { "must", "plan", NULL };
  PlgGoal *goal = step->goal = g_new0 (PlgGoal, 1);
  GError *slip = NULL;

  goal->line = plg_lesson_xml_line (reader, element);
  goal->text = plg_lesson_xml_new_passages ();
  goal->asserted = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  plg_xml_check_attributes (reader->xml, element, plg_lesson_xml_no_names, &slip);
  plg_lesson_xml_keep_error (reader, &slip);
  plg_lesson_xml_read_passages (reader, element, others, goal->text);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      PlgAssertion assertion = { 0 };

      if (plg_xml_is (node, "plan"))
        read_plan (reader, node, &goal->fallback, &slip);
      else if (plg_xml_is (node, "must") && read_assertion (reader, node, &assertion, &slip))
        {
          g_array_append_val (goal->asserted, assertion);
          plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "holds", NULL },
                                    &slip);
        }
      plg_lesson_xml_keep_error (reader, &slip);
    }
  return nth_child (element, "must", 0) != NULL ||
         plg_xml_fail (reader->xml, element, NULL, error,
                       _ ("A goal needs at least one <must holds=\"…\"/>."));
}

/* Questions */

static gboolean
read_hides (const PlgLessonXml *reader, const xmlNode *element, guint *redaction, GError **error)
{
  g_autofree char *hides = plg_xml_attribute (element, "hides");
  g_autofree char *words = plg_redaction_names ();

  return hides == NULL || plg_redaction_from_string (hides, redaction) ||
         plg_xml_fail (reader->xml, element, "hides", error,
                       _ ("“hides” must be one or more of these names, separated by spaces: %s."),
                       words);
}

/* Reads the attribute "number". Refuses a yes-or-no metric, because its value is not a number. */
static gboolean
read_number (const PlgLessonXml *reader,
             const xmlNode *element,
             PlgQuestion *question,
             GError **error)
{
  g_autofree char *number = plg_xml_attribute (element, "number");
  const PlgMetric *metric = number != NULL ? plg_metric_find (number) : NULL;
  g_autofree char *near = NULL;

  if (metric != NULL && metric->measure != PLG_MEASURE_BOOLEAN)
    question->number = metric;
  if (number == NULL || question->number != NULL)
    return TRUE;
  if (metric != NULL)
    return plg_xml_fail (reader->xml, element, "number", error,
                         _ ("“%s” is either true or false, not a number."), number);
  near = plg_metric_suggest (number);
  if (near == NULL)
    return plg_xml_fail (reader->xml, element, "number", error,
                         _ ("There is no number called “%s”. `parallelogram-cli check --help` "
                            "lists all names."),
                         number);
  return plg_xml_fail (reader->xml, element, "number", error,
                       _ ("There is no number called “%s”. Similar names: %s."), number, near);
}

static gboolean
read_choice (const PlgLessonXml *reader,
             const xmlNode *element,
             PlgQuestion *question,
             GError **error)
{
  PlgTrialChange *choice;
  GError *slip = NULL;

  /* Use the attribute "id" as the id. If it is missing, use the letter of the choice. */
  g_autofree char *given = plg_xml_attribute (element, "id");

  if (given == NULL)
    given = g_strdup_printf ("%c", 'a' + (int) question->choices->len);
  if (plg_question_find_choice (question, given) >= 0)
    return plg_xml_fail (reader->xml, element, "id", error,
                         _ ("Two choices of this question have the id “%s”."), given);

  choice = g_new0 (PlgTrialChange, 1);
  choice->id = g_steal_pointer (&given);
  choice->label = plg_lesson_xml_new_spans ();
  choice->because = plg_lesson_xml_new_passages ();
  g_ptr_array_add (question->choices, choice);
  plg_xml_check_attributes (reader->xml, element, (const char *const[]) { "id", NULL }, &slip);
  plg_lesson_xml_keep_error (reader, &slip);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      gboolean is_element = plg_lesson_xml_check_text (reader, node, &slip) &&
                            node->type == XML_ELEMENT_NODE;

      if (plg_xml_is (node, "plan"))
        read_plan (reader, node, &choice->setup, &slip);
      else if (plg_xml_is (node, "look"))
        read_view (reader, node, &choice->setup, &slip);
      else if (plg_xml_is (node, "say"))
        (void) (plg_xml_check_attributes (reader->xml, node, plg_lesson_xml_no_names, &slip) &&
                plg_lesson_xml_read_spans (reader, node, choice->label, &slip));
      else if (plg_xml_is (node, "because"))
        {
          plg_lesson_xml_read_passages (reader, node, plg_lesson_xml_no_names, choice->because);
          plg_xml_check_attributes (reader->xml, node, plg_lesson_xml_no_names, &slip);
        }
      else if (is_element)
        plg_lesson_xml_fail_misplaced (reader, node, &slip);
      plg_lesson_xml_keep_error (reader, &slip);
    }
  if (choice->label->len == 0 || choice->because->len == 0)
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("A choice needs <say>, the text of the answer, and <because>, the "
                            "explanation that follows the answer."));
  return TRUE;
}

static gboolean
read_question (const PlgLessonXml *reader,
               const xmlNode *element,
               PlgLessonStep *step,
               GError **error)
{
  static const char *const others[] = { "choice", "reflect", NULL };
  static const char *const names[] = { "id", "hides", "number", "answer", NULL };
  PlgQuestion *question = step->question = g_new0 (PlgQuestion, 1);
  const xmlNode *excess = nth_child (element, "choice", MAX_CHOICES_OF_QUESTION);
  GError *slip = NULL;

  question->prompt = plg_lesson_xml_new_passages ();
  question->reflect = plg_lesson_xml_new_passages ();
  question->choices = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_choice_free);
  if (plg_xml_check_attributes (reader->xml, element, names, &slip) &&
      plg_lesson_xml_read_id (reader, element, &question->id, &slip))
    (void) (read_hides (reader, element, &question->hides, &slip) &&
            read_number (reader, element, question, &slip));
  plg_lesson_xml_keep_error (reader, &slip);
  plg_lesson_xml_read_passages (reader, element, others, question->prompt);
  if (excess != NULL)
    return plg_xml_fail (reader->xml, excess, NULL, error,
                         _ ("A question can have at most %d choices."), MAX_CHOICES_OF_QUESTION);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      if (plg_xml_is (node, "reflect"))
        plg_lesson_xml_read_passages (reader, node, plg_lesson_xml_no_names, question->reflect);
      else if (plg_xml_is (node, "choice"))
        read_choice (reader, node, question, &slip);
      plg_lesson_xml_keep_error (reader, &slip);
    }

  g_autofree char *answer = NULL;

  if (!plg_lesson_xml_need_attribute (reader, element, "answer", &answer, error))
    return FALSE;
  question->right = plg_question_find_choice (question, answer);
  if (question->right < 0)
    return plg_xml_fail (reader->xml, element, "answer", error,
                         _ ("The question has no choice “%s”."), answer);
  return question->choices->len >= 2 || plg_xml_fail (reader->xml, element, NULL, error,
                                                      _ ("A question needs at least two choices."));
}

/* Steps */

/* The maximum lengths [characters] of titles and summaries. They are limited because they appear
 * in lists, headings and presentations. */
#define MAX_TITLE 100
#define MAX_SUMMARY 300

static gboolean
read_free (const PlgLessonXml *reader, const xmlNode *node, PlgLessonStep *step, GError **error)
{
  g_autofree char *keys = NULL;

  if (!plg_lesson_xml_need_attribute (reader, node, "keys", &keys, error) ||
      !plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "keys", NULL }, error))
    return FALSE;
  g_strfreev (step->free);
  step->free_line = plg_lesson_xml_line (reader, node);
  step->free = plg_lesson_xml_split_words (keys);
  if (step->free == NULL)
    step->free = g_new0 (char *, 1);
  return TRUE;
}

static gboolean
read_claim (const PlgLessonXml *reader, const xmlNode *node, PlgLessonStep *step, GError **error)
{
  g_autofree char *settings = plg_xml_attribute (node, "set");
  PlgClaim claim = { 0 };

  if (!read_assertion (reader, node, &claim.assertion, error))
    return FALSE;
  claim.settings = plg_lesson_xml_split_words (settings);
  claim.line = plg_lesson_xml_line (reader, node);
  g_array_append_val (step->claims, claim);
  return plg_xml_check_attributes (reader->xml, node,
                                   (const char *const[]) { "holds", "set", NULL }, error);
}

static gboolean
read_step (const PlgLessonXml *reader, const xmlNode *element, GError **error)
{
  static const char *const others[] = { "title", "plan",  "look",  "free",  "question",
                                        "goal",  "after", "claim", "notes", NULL };
  PlgLessonStep *step = g_new0 (PlgLessonStep, 1);
  g_autofree char *advice = plg_xml_attribute (element, "advice");
  GError *slip = NULL;

  g_ptr_array_add (reader->lesson->steps, step);
  step->line = plg_lesson_xml_line (reader, element);
  step->text = plg_lesson_xml_new_passages ();
  step->after = plg_lesson_xml_new_passages ();
  step->notes = plg_lesson_xml_new_passages ();
  step->claims = g_array_new (FALSE, FALSE, sizeof (PlgClaim));
  g_array_set_clear_func (step->claims, plg_claim_clear);
  if (plg_xml_check_attributes (reader->xml, element,
                                (const char *const[]) { "id", "advice", "hides", NULL }, &slip) &&
      read_hides (reader, element, &step->hides, &slip))
    {
      step->hides_advice = g_strcmp0 (advice, "false") == 0;
      if (advice == NULL || step->hides_advice || g_str_equal (advice, "true") ||
          plg_xml_fail (reader->xml, element, "advice", &slip,
                        _ ("“advice” must be “true” or “false”.")))
        plg_lesson_xml_read_id (reader, element, &step->id, &slip);
    }
  plg_lesson_xml_keep_error (reader, &slip);
  plg_lesson_xml_read_passages (reader, element, others, step->text);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      if (plg_xml_is (node, "title"))
        plg_lesson_xml_read_line (reader, node, MAX_TITLE, &step->title, &slip);
      else if (plg_xml_is (node, "plan"))
        read_plan (reader, node, &step->setup, &slip);
      else if (plg_xml_is (node, "look"))
        read_view (reader, node, &step->setup, &slip);
      else if (plg_xml_is (node, "free"))
        read_free (reader, node, step, &slip);
      else if (plg_xml_is (node, "question") && step->question == NULL)
        read_question (reader, node, step, &slip);
      else if (plg_xml_is (node, "goal") && step->goal == NULL)
        read_goal (reader, node, step, &slip);
      else if (plg_xml_is (node, "claim"))
        read_claim (reader, node, step, &slip);
      else if (plg_xml_is (node, "after"))
        plg_lesson_xml_read_passages (reader, node, plg_lesson_xml_no_names, step->after);
      else if (plg_xml_is (node, "notes"))
        plg_lesson_xml_read_passages (reader, node, plg_lesson_xml_no_names, step->notes);
      else if (node->type == XML_ELEMENT_NODE && !plg_lesson_xml_is_passage (node))
        plg_lesson_xml_fail_misplaced (reader, node, &slip);
      plg_lesson_xml_keep_error (reader, &slip);
    }
  return step->title != NULL ||
         plg_xml_fail (reader->xml, element, NULL, error, _ ("A step needs a <title>."));
}

/* Reads the attributes of the root element. Invalid attributes are added to the lesson's
 * problems; a wrong element or version is an error. */
static gboolean
read_head (const PlgLessonXml *reader, const xmlNode *root, GError **error)
{
  static const char *const names[] = { "version", "id", "minutes", NULL };
  g_autofree char *version = plg_xml_attribute (root, "version");
  g_autofree char *minutes = plg_xml_attribute (root, "minutes");
  GError *slip = NULL;
  gint64 n = 0;

  if (!plg_xml_is (root, "lesson"))
    return plg_xml_fail (reader->xml, root, NULL, error,
                         _ ("This file is not a lesson: the first element is <%s>, not <lesson>."),
                         (const char *) root->name);
  if (g_strcmp0 (version, "1") != 0)
    return plg_xml_fail (reader->xml, root, "version", error,
                         _ ("This lesson is not in version 1 of the format, the only version "
                            "that Parallelogram can read."));
  plg_xml_check_attributes (reader->xml, root, names, &slip);
  plg_lesson_xml_keep_error (reader, &slip);
  plg_lesson_xml_read_id (reader, root, &reader->lesson->id, &slip);
  plg_lesson_xml_keep_error (reader, &slip);
  if (minutes != NULL && !g_ascii_string_to_signed (minutes, 10, 1, MAX_MINUTES, &n, NULL))
    plg_xml_fail (reader->xml, root, "minutes", &slip,
                  _ ("“minutes” must be a whole number from 1 to %d."), MAX_MINUTES);
  else
    reader->lesson->minutes = (int) n;
  plg_lesson_xml_keep_error (reader, &slip);
  return TRUE;
}

PlgLesson *
plg_lesson_read (const char *data, gsize size, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) problems = plg_lesson_errors_new ();
  g_autoptr (PlgLesson) lesson = NULL;
  GError *slip = NULL;
  const xmlNode *root, *excess;
  PlgLessonXml reader;

  if (xml == NULL)
    return NULL;
  lesson = g_new0 (PlgLesson, 1);
  g_ref_count_init (&lesson->ref_count);
  lesson->digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data, size);
  lesson->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_lesson_step_free);
  lesson->texts = g_ptr_array_new_with_free_func (g_free);
  reader = (PlgLessonXml) { xml, lesson, ids, problems };
  root = plg_xml_root (xml);
  excess = nth_child (root, "step", MAX_STEPS);
  lesson->line = plg_lesson_xml_line (&reader, root);
  if (!read_head (&reader, root, error))
    return NULL;
  if (excess != NULL)
    plg_xml_fail (xml, excess, NULL, &slip,
                  _ ("A lesson can have at most %d steps; split it into two lessons."), MAX_STEPS);
  for (const xmlNode *node = root->children; excess == NULL && node != NULL; node = node->next)
    {
      gboolean is_element = plg_lesson_xml_check_text (&reader, node, &slip) &&
                            node->type == XML_ELEMENT_NODE;

      if (plg_xml_is (node, "title"))
        plg_lesson_xml_read_line (&reader, node, MAX_TITLE, &lesson->title, &slip);
      else if (plg_xml_is (node, "summary"))
        plg_lesson_xml_read_line (&reader, node, MAX_SUMMARY, &lesson->summary, &slip);
      else if (plg_xml_is (node, "step"))
        read_step (&reader, node, &slip);
      else if (is_element)
        plg_lesson_xml_fail_misplaced (&reader, node, &slip);
      plg_lesson_xml_keep_error (&reader, &slip);
    }
  if (excess == NULL && (lesson->title == NULL || lesson->steps->len == 0))
    plg_xml_fail (xml, root, NULL, &slip, _ ("A lesson needs a <title> and a <step>."));
  plg_lesson_xml_keep_error (&reader, &slip);
  return plg_lesson_xml_finish (&reader, error) ? g_steal_pointer (&lesson) : NULL;
}

gboolean
plg_lesson_detect (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "lesson");
}
