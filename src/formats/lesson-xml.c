/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/lesson-xml-private.h"

#include "engine/veil.h"
#include "plan/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_MINUTES 600
/* Choices are called by their letters; more are no question, and would run into other keys. */
#define MAX_CHOICES 8
/* Far more than can be taught, few enough to be checked at once. */
#define MAX_STEPS 200

/* The child NAMED of ELEMENT that has N such before it, or NULL. */
static const xmlNode *
nth_child (const xmlNode *element, const char *name, int n)
{
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if (plg_xml_is (node, name) && n-- == 0)
      return node;
  return NULL;
}

/* Scenes */

static gboolean
read_setting (const PlgLessonXml *reading, const xmlNode *node, GPtrArray *settings, GError **error)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;

  if (!plg_xml_is (node, "set"))
    return plg_lesson_xml_misplaced (reading, node, error);
  if (!plg_lesson_xml_need_attribute (reading, node, "key", &key, error) ||
      !plg_lesson_xml_need_attribute (reading, node, "value", &value, error) ||
      !plg_xml_check_attributes (reading->xml, node, (const char *const[]) { "key", "value", NULL },
                                 error))
    return FALSE;
  if (plg_setting_find (key) == NULL)
    return plg_xml_fail (reading->xml, node, "key", error, _ ("There is no key “%s”."), key);
  g_ptr_array_add (settings, g_strdup_printf ("%s=%s", key, value));
  return TRUE;
}

static PlgScene *
need_scene (PlgScene **scene)
{
  if (*scene == NULL)
    {
      *scene = g_new0 (PlgScene, 1);
      (*scene)->select = -1;
    }
  return *scene;
}

static gboolean
read_plan (const PlgLessonXml *reading, const xmlNode *element, PlgScene **scene, GError **error)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *from = plg_xml_attribute (element, "from");
  g_autofree char *tidy = plg_xml_attribute (element, "tidy");
  GError *slip = NULL;

  if (!plg_xml_check_attributes (reading->xml, element,
                                 (const char *const[]) { "from", "tidy", NULL }, error))
    return FALSE;
  if (from != NULL && !g_str_equal (from, "default") && !g_str_equal (from, "open"))
    return plg_xml_fail (reading->xml, element, "from", error,
                         _ ("“from” is “default” (the default plan) or “open” (the plan as it "
                            "is)."));
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      if (plg_lesson_xml_check_text (reading, node, &slip) && node->type == XML_ELEMENT_NODE)
        read_setting (reading, node, settings, &slip);
      plg_lesson_xml_go_on (reading, &slip);
    }
  need_scene (scene)->line = plg_lesson_xml_line (reading, element);
  (*scene)->from_default = g_strcmp0 (from, "default") == 0;
  (*scene)->tidy = g_strcmp0 (tidy, "true") == 0;
  if (settings->len == 0)
    return TRUE;
  g_ptr_array_add (settings, NULL);
  (*scene)->settings = (char **) g_ptr_array_free (g_steal_pointer (&settings), FALSE);
  return TRUE;
}

static gboolean
read_look (const PlgLessonXml *reading, const xmlNode *element, PlgScene **scene, GError **error)
{
  static const char *const names[] = { "show", "links", "page", "select", NULL };
  static const char *const pages[] = { "timeline", "links", "pairs", NULL };
  g_autofree char *select = plg_xml_attribute (element, "select");
  gint64 gpu = -1;

  if (!plg_xml_check_attributes (reading->xml, element, names, error))
    return FALSE;
  if (select != NULL && !g_ascii_string_to_signed (select, 10, 0, PLG_MAX_GPUS - 1, &gpu, NULL))
    return plg_xml_fail (reading->xml, element, "select", error, _ ("“select” is a GPU's number."));
  need_scene (scene)->select = (int) gpu;
  (*scene)->look_line = plg_lesson_xml_line (reading, element);
  if ((*scene)->line == 0)
    (*scene)->line = (*scene)->look_line;
  (*scene)->show = plg_xml_attribute (element, "show");
  (*scene)->links = plg_xml_attribute (element, "links");
  (*scene)->page = plg_xml_attribute (element, "page");
  if ((*scene)->page != NULL && !g_strv_contains (pages, (*scene)->page))
    return plg_xml_fail (reading->xml, element, "page", error,
                         _ ("“page” is “timeline”, “links” or “pairs”."));
  return TRUE;
}

/* Assertions */

/* The attribute "holds". Who calls checks for others. */
static gboolean
read_assertion (const PlgLessonXml *reading,
                const xmlNode *node,
                PlgAssertion *assertion,
                GError **error)
{
  g_autofree char *wrong = NULL;
  char *text;

  if (!plg_lesson_xml_need_attribute (reading, node, "holds", &text, error))
    return FALSE;
  g_ptr_array_add (reading->lesson->texts, text);
  wrong = plg_assertion_read (assertion, text);
  return wrong == NULL || plg_xml_fail (reading->xml, node, "holds", error, "%s", wrong);
}

static gboolean
read_must (const PlgLessonXml *reading, const xmlNode *node, PlgGoal *goal, GError **error)
{
  PlgAssertion assertion = { 0 };

  if (!read_assertion (reading, node, &assertion, error))
    return FALSE;
  g_array_append_val (goal->asserted, assertion);
  return plg_xml_check_attributes (reading->xml, node, (const char *const[]) { "holds", NULL },
                                   error);
}

static gboolean
read_part_of_goal (const PlgLessonXml *reading, const xmlNode *node, PlgGoal *goal, GError **error)
{
  if (plg_xml_is (node, "plan"))
    return read_plan (reading, node, &goal->instead, error);
  return !plg_xml_is (node, "must") || read_must (reading, node, goal, error);
}

static gboolean
read_claim (const PlgLessonXml *reading, const xmlNode *node, PlgStepOfLesson *step, GError **error)
{
  g_autofree char *settings = plg_xml_attribute (node, "set");
  PlgClaim claim = { 0 };

  if (!read_assertion (reading, node, &claim.assertion, error))
    return FALSE;
  claim.settings = plg_lesson_xml_words_of (settings);
  claim.line = plg_lesson_xml_line (reading, node);
  g_array_append_val (step->claims, claim);
  return plg_xml_check_attributes (reading->xml, node,
                                   (const char *const[]) { "holds", "set", NULL }, error);
}

static gboolean
read_goal (const PlgLessonXml *reading,
           const xmlNode *element,
           PlgStepOfLesson *step,
           GError **error)
{
  static const char *const others[] = { "must", "plan", NULL };
  PlgGoal *goal = step->goal = g_new0 (PlgGoal, 1);
  GError *slip = NULL;

  goal->line = plg_lesson_xml_line (reading, element);
  goal->text = plg_lesson_xml_new_passages ();
  goal->asserted = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  plg_xml_check_attributes (reading->xml, element, plg_lesson_xml_nothing, &slip);
  plg_lesson_xml_go_on (reading, &slip);
  plg_lesson_xml_read_passages (reading, element, others, goal->text);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      read_part_of_goal (reading, node, goal, &slip);
      plg_lesson_xml_go_on (reading, &slip);
    }
  return nth_child (element, "must", 0) != NULL ||
         plg_xml_fail (reading->xml, element, NULL, error,
                       _ ("A goal needs a <must holds=\"…\"/> to be reached."));
}

/* Questions */

static gboolean
read_part_of_choice (const PlgLessonXml *reading,
                     const xmlNode *node,
                     PlgChoice *choice,
                     GError **error)
{
  if (plg_xml_is (node, "say"))
    return plg_xml_check_attributes (reading->xml, node, plg_lesson_xml_nothing, error) &&
           plg_lesson_xml_read_spans (reading, node, choice->label, error);
  if (plg_xml_is (node, "because"))
    {
      plg_lesson_xml_read_passages (reading, node, plg_lesson_xml_nothing, choice->because);
      return plg_xml_check_attributes (reading->xml, node, plg_lesson_xml_nothing, error);
    }
  if (plg_xml_is (node, "plan"))
    return read_plan (reading, node, &choice->scene, error);
  if (plg_xml_is (node, "look"))
    return read_look (reading, node, &choice->scene, error);
  return plg_lesson_xml_misplaced (reading, node, error);
}

static int
find_choice (const PlgQuestion *question, const char *id)
{
  for (guint i = 0; i < question->choices->len; i++)
    if (g_strcmp0 (((const PlgChoice *) question->choices->pdata[i])->id, id) == 0)
      return (int) i;
  return -1;
}

/* The attribute "id", or the letter that is shown. */
static gboolean
read_choice_id (const PlgLessonXml *reading,
                const xmlNode *element,
                const PlgQuestion *question,
                char **id,
                GError **error)
{
  g_autofree char *given = plg_xml_attribute (element, "id");

  if (given == NULL)
    given = g_strdup_printf ("%c", 'a' + (int) question->choices->len);
  if (find_choice (question, given) >= 0)
    return plg_xml_fail (reading->xml, element, "id", error,
                         _ ("Two choices of this question are called “%s”."), given);
  *id = g_steal_pointer (&given);
  return TRUE;
}

static gboolean
read_choice (const PlgLessonXml *reading,
             const xmlNode *element,
             PlgQuestion *question,
             GError **error)
{
  PlgChoice *choice;
  GError *slip = NULL;
  char *id = NULL;

  if (!read_choice_id (reading, element, question, &id, error))
    return FALSE;
  choice = g_new0 (PlgChoice, 1);
  choice->id = id;
  g_ptr_array_add (question->choices, choice);
  choice->label = plg_lesson_xml_new_spans ();
  choice->because = plg_lesson_xml_new_passages ();
  plg_xml_check_attributes (reading->xml, element, (const char *const[]) { "id", NULL }, &slip);
  plg_lesson_xml_go_on (reading, &slip);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      if (plg_lesson_xml_check_text (reading, node, &slip) && node->type == XML_ELEMENT_NODE)
        read_part_of_choice (reading, node, choice, &slip);
      plg_lesson_xml_go_on (reading, &slip);
    }
  if (choice->label->len == 0 || choice->because->len == 0)
    return plg_xml_fail (reading->xml, element, NULL, error,
                         _ ("A choice needs <say>, what it answers, and <because>, what is shown "
                            "once it is chosen."));
  return TRUE;
}

static gboolean
find_right (const PlgLessonXml *reading,
            const xmlNode *element,
            PlgQuestion *question,
            GError **error)
{
  g_autofree char *answer = NULL;

  if (!plg_lesson_xml_need_attribute (reading, element, "answer", &answer, error))
    return FALSE;
  question->right = find_choice (question, answer);
  if (question->right < 0)
    return plg_xml_fail (reading->xml, element, "answer", error, _ ("No choice is called “%s”."),
                         answer);
  return question->choices->len >= 2 || plg_xml_fail (reading->xml, element, NULL, error,
                                                      _ ("A question needs two choices or more."));
}

static gboolean
read_hides (const PlgLessonXml *reading, const xmlNode *element, guint *veil, GError **error)
{
  g_autofree char *hides = plg_xml_attribute (element, "hides");
  g_autofree char *words = plg_veil_names ();

  return hides == NULL || plg_veil_from_string (hides, veil) ||
         plg_xml_fail (reading->xml, element, "hides", error,
                       _ ("“hides” names some of these, with blanks between: %s."), words);
}

/* Something that holds or not is no number. */
static gboolean
read_number (const PlgLessonXml *reading,
             const xmlNode *element,
             PlgQuestion *question,
             GError **error)
{
  g_autofree char *number = plg_xml_attribute (element, "number");
  const PlgMetric *metric = number != NULL ? plg_metric_find (number) : NULL;
  g_autofree char *near = NULL;

  if (metric != NULL && metric->measure != PLG_MEASURE_YES)
    question->number = metric;
  if (number == NULL || question->number != NULL)
    return TRUE;
  if (metric != NULL)
    return plg_xml_fail (reading->xml, element, "number", error,
                         _ ("“%s” holds or not, and is no number."), number);
  near = plg_metric_near (number);
  if (near == NULL)
    return plg_xml_fail (reading->xml, element, "number", error, _ ("There is no number “%s”."),
                         number);
  return plg_xml_fail (reading->xml, element, "number", error,
                       _ ("There is no number “%s”. Similar: %s."), number, near);
}

static gboolean
read_part_of_question (const PlgLessonXml *reading,
                       const xmlNode *node,
                       PlgQuestion *question,
                       GError **error)
{
  if (plg_xml_is (node, "reflect"))
    plg_lesson_xml_read_passages (reading, node, plg_lesson_xml_nothing, question->reflect);
  return !plg_xml_is (node, "choice") || read_choice (reading, node, question, error);
}

static gboolean
read_question (const PlgLessonXml *reading,
               const xmlNode *element,
               PlgStepOfLesson *step,
               GError **error)
{
  static const char *const others[] = { "choice", "reflect", NULL };
  static const char *const names[] = { "id", "hides", "number", "answer", NULL };
  PlgQuestion *question = step->question = g_new0 (PlgQuestion, 1);
  const xmlNode *excess = nth_child (element, "choice", MAX_CHOICES);
  GError *slip = NULL;

  question->prompt = plg_lesson_xml_new_passages ();
  question->reflect = plg_lesson_xml_new_passages ();
  question->choices = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_choice_free);
  if (plg_xml_check_attributes (reading->xml, element, names, &slip) &&
      plg_lesson_xml_read_id (reading, element, &question->id, &slip))
    (void) (read_hides (reading, element, &question->hides, &slip) &&
            read_number (reading, element, question, &slip));
  plg_lesson_xml_go_on (reading, &slip);
  plg_lesson_xml_read_passages (reading, element, others, question->prompt);
  if (excess != NULL)
    return plg_xml_fail (reading->xml, excess, NULL, error,
                         _ ("A question has at most %d choices."), MAX_CHOICES);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      read_part_of_question (reading, node, question, &slip);
      plg_lesson_xml_go_on (reading, &slip);
    }
  return find_right (reading, element, question, error);
}

/* Steps */

/* Characters of what stands in lists, headings and on the projector. */
#define MAX_TITLE 100
#define MAX_SUMMARY 300

static gboolean
read_free (const PlgLessonXml *reading, const xmlNode *node, PlgStepOfLesson *step, GError **error)
{
  g_autofree char *keys = NULL;

  if (!plg_lesson_xml_need_attribute (reading, node, "keys", &keys, error) ||
      !plg_xml_check_attributes (reading->xml, node, (const char *const[]) { "keys", NULL }, error))
    return FALSE;
  g_strfreev (step->free);
  step->free_line = plg_lesson_xml_line (reading, node);
  step->free = plg_lesson_xml_words_of (keys);
  if (step->free == NULL)
    step->free = g_new0 (char *, 1);
  return TRUE;
}

static gboolean
read_advice (const PlgLessonXml *reading,
             const xmlNode *element,
             PlgStepOfLesson *step,
             GError **error)
{
  g_autofree char *advice = plg_xml_attribute (element, "advice");

  step->unadvised = g_strcmp0 (advice, "false") == 0;
  return advice == NULL || step->unadvised || g_str_equal (advice, "true") ||
         plg_xml_fail (reading->xml, element, "advice", error,
                       _ ("“advice” is “true” or “false”."));
}

/* Passages of the step itself are read with it. */
static gboolean
read_part_of_step (const PlgLessonXml *reading,
                   const xmlNode *node,
                   PlgStepOfLesson *step,
                   GError **error)
{
  if (plg_xml_is (node, "title"))
    return plg_lesson_xml_read_line (reading, node, MAX_TITLE, &step->title, error);
  if (plg_xml_is (node, "plan"))
    return read_plan (reading, node, &step->scene, error);
  if (plg_xml_is (node, "look"))
    return read_look (reading, node, &step->scene, error);
  if (plg_xml_is (node, "free"))
    return read_free (reading, node, step, error);
  if (plg_xml_is (node, "question") && step->question == NULL)
    return read_question (reading, node, step, error);
  if (plg_xml_is (node, "goal") && step->goal == NULL)
    return read_goal (reading, node, step, error);
  if (plg_xml_is (node, "claim"))
    return read_claim (reading, node, step, error);
  if (plg_xml_is (node, "after"))
    plg_lesson_xml_read_passages (reading, node, plg_lesson_xml_nothing, step->after);
  else if (plg_xml_is (node, "notes"))
    plg_lesson_xml_read_passages (reading, node, plg_lesson_xml_nothing, step->notes);
  else
    return plg_lesson_xml_is_passage (node) || plg_lesson_xml_misplaced (reading, node, error);
  return TRUE;
}

static gboolean
read_step (const PlgLessonXml *reading, const xmlNode *element, GError **error)
{
  static const char *const others[] = { "title", "plan",  "look",  "free",  "question",
                                        "goal",  "after", "claim", "notes", NULL };
  PlgStepOfLesson *step = g_new0 (PlgStepOfLesson, 1);
  GError *slip = NULL;
  int column;

  g_ptr_array_add (reading->lesson->steps, step);
  plg_xml_place (reading->xml, element, NULL, &step->line, &column);
  step->text = plg_lesson_xml_new_passages ();
  step->after = plg_lesson_xml_new_passages ();
  step->notes = plg_lesson_xml_new_passages ();
  step->claims = g_array_new (FALSE, FALSE, sizeof (PlgClaim));
  g_array_set_clear_func (step->claims, plg_claim_clear);
  if (plg_xml_check_attributes (reading->xml, element,
                                (const char *const[]) { "id", "advice", "hides", NULL }, &slip) &&
      read_hides (reading, element, &step->hides, &slip) &&
      read_advice (reading, element, step, &slip))
    plg_lesson_xml_read_id (reading, element, &step->id, &slip);
  plg_lesson_xml_go_on (reading, &slip);
  plg_lesson_xml_read_passages (reading, element, others, step->text);
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      if (node->type == XML_ELEMENT_NODE)
        read_part_of_step (reading, node, step, &slip);
      plg_lesson_xml_go_on (reading, &slip);
    }
  return step->title != NULL ||
         plg_xml_fail (reading->xml, element, NULL, error, _ ("A step needs a <title>."));
}

static gboolean
read_part_of_lesson (const PlgLessonXml *reading, const xmlNode *node, GError **error)
{
  if (plg_xml_is (node, "title"))
    return plg_lesson_xml_read_line (reading, node, MAX_TITLE, &reading->lesson->title, error);
  if (plg_xml_is (node, "summary"))
    return plg_lesson_xml_read_line (reading, node, MAX_SUMMARY, &reading->lesson->summary, error);
  if (plg_xml_is (node, "step"))
    return read_step (reading, node, error);
  return plg_lesson_xml_misplaced (reading, node, error);
}

/* Of another version nothing can be told. */
static gboolean
read_version (const PlgLessonXml *reading, const xmlNode *root, GError **error)
{
  g_autofree char *version = plg_xml_attribute (root, "version");

  return g_strcmp0 (version, "1") == 0 ||
         plg_xml_fail (reading->xml, root, "version", error,
                       _ ("This is no lesson of version 1, which is what this program reads."));
}

static gboolean
read_minutes (const PlgLessonXml *reading, const xmlNode *root, GError **error)
{
  g_autofree char *minutes = plg_xml_attribute (root, "minutes");
  gint64 n = 0;

  if (minutes != NULL && !g_ascii_string_to_signed (minutes, 10, 1, MAX_MINUTES, &n, NULL))
    return plg_xml_fail (reading->xml, root, "minutes", error,
                         _ ("“minutes” is a whole number from 1 to %d."), MAX_MINUTES);
  reading->lesson->minutes = (int) n;
  return TRUE;
}

static void
read_head (const PlgLessonXml *reading, const xmlNode *root)
{
  static const char *const names[] = { "version", "id", "minutes", NULL };
  GError *slip = NULL;

  plg_xml_check_attributes (reading->xml, root, names, &slip);
  plg_lesson_xml_go_on (reading, &slip);
  plg_lesson_xml_read_id (reading, root, &reading->lesson->id, &slip);
  plg_lesson_xml_go_on (reading, &slip);
  read_minutes (reading, root, &slip);
  plg_lesson_xml_go_on (reading, &slip);
}

static gboolean
read_lesson (const PlgLessonXml *reading, GError **error)
{
  const xmlNode *root = plg_xml_root (reading->xml);
  const xmlNode *excess = nth_child (root, "step", MAX_STEPS);
  GError *slip = NULL;

  if (!plg_xml_is (root, "lesson"))
    return plg_xml_fail (reading->xml, root, NULL, error,
                         _ ("This is no lesson: the first element is <%s>, not <lesson>."),
                         (const char *) root->name);
  if (!read_version (reading, root, error))
    return FALSE;
  read_head (reading, root);
  if (excess != NULL)
    {
      plg_xml_fail (reading->xml, excess, NULL, &slip,
                    _ ("A lesson has at most %d steps; make it two lessons."), MAX_STEPS);
      plg_lesson_xml_go_on (reading, &slip);
      return plg_lesson_xml_end (reading, error);
    }
  for (const xmlNode *node = root->children; node != NULL; node = node->next)
    {
      if (plg_lesson_xml_check_text (reading, node, &slip) && node->type == XML_ELEMENT_NODE)
        read_part_of_lesson (reading, node, &slip);
      plg_lesson_xml_go_on (reading, &slip);
    }
  if (reading->lesson->title == NULL || reading->lesson->steps->len == 0)
    plg_xml_fail (reading->xml, root, NULL, &slip, _ ("A lesson needs a <title> and a <step>."));
  plg_lesson_xml_go_on (reading, &slip);
  return plg_lesson_xml_end (reading, error);
}

PlgLesson *
plg_lesson_read (const char *data, gsize size, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (PlgLesson) lesson = NULL;
  g_autoptr (GHashTable) ids = NULL;
  g_autoptr (GPtrArray) slips = g_ptr_array_new_with_free_func (g_free);
  PlgLessonXml reading;

  if (xml == NULL)
    return NULL;
  lesson = g_new0 (PlgLesson, 1);
  g_ref_count_init (&lesson->ref_count);
  lesson->digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data, size);
  lesson->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_step_free);
  lesson->texts = g_ptr_array_new_with_free_func (g_free);
  ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reading = (PlgLessonXml) { xml, lesson, ids, slips };
  lesson->line = plg_lesson_xml_line (&reading, plg_xml_root (xml));
  return read_lesson (&reading, error) ? g_steal_pointer (&lesson) : NULL;
}

gboolean
plg_lesson_is (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "lesson");
}
