/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/lesson-private.h"
#include "formats/xml-reader.h"

#include "engine/veil.h"
#include "plan/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_MINUTES 600

/* A lesson that is being read. */
typedef struct
{
  const PlgXml *xml;
  PlgLesson *lesson;
  GHashTable *ids; /* of steps and questions, each once */
} Reading;

static gboolean read_passages (const Reading *reading,
                               const xmlNode *parent,
                               const char *const *others,
                               GPtrArray *passages,
                               GError **error);

/* Slips */

static gboolean
fail_element (const Reading *reading, const xmlNode *node, GError **error)
{
  return plg_xml_fail (reading->xml, node, NULL, error,
                       _ ("<%s> has no place inside <%s>; the guide to lessons says what has."),
                       (const char *) node->name, (const char *) node->parent->name);
}

/* Only attributes of NAMES. */
static gboolean
check_attributes (const Reading *reading,
                  const xmlNode *element,
                  const char *const *names,
                  GError **error)
{
  for (const xmlAttr *attr = element->properties; attr != NULL; attr = attr->next)
    if (!g_strv_contains (names, (const char *) attr->name))
      return plg_xml_fail (reading->xml, element, (const char *) attr->name, error,
                           _ ("<%s> has no attribute “%s”."), (const char *) element->name,
                           (const char *) attr->name);
  return TRUE;
}

/* *VALUE: g_free(). */
static gboolean
need_attribute (const Reading *reading,
                const xmlNode *element,
                const char *name,
                char **value,
                GError **error)
{
  *value = plg_xml_attribute (element, name);
  return *value != NULL ||
         plg_xml_fail (reading->xml, element, NULL, error, _ ("<%s> needs the attribute “%s”."),
                       (const char *) element->name, name);
}

/* An id of lower case letters, digits and hyphens, that is there once. */
static gboolean
read_id (const Reading *reading, const xmlNode *element, char **id, GError **error)
{
  if (!need_attribute (reading, element, "id", id, error))
    return FALSE;
  if (!g_regex_match_simple ("^[a-z][a-z0-9-]{0,62}$", *id, 0, 0))
    return plg_xml_fail (reading->xml, element, "id", error,
                         _ ("An id is of lower case letters, digits and hyphens, such as "
                            "“first-step”."));
  if (reading->ids != NULL && !g_hash_table_add (reading->ids, g_strdup (*id)))
    return plg_xml_fail (reading->xml, element, "id", error, _ ("“%s” is there twice."), *id);
  return TRUE;
}

/* All space becomes one blank, as in any text of XML. */
static char *
squeeze (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_isspace (*p))
      g_string_append_c (out, *p);
    else if (p == text || !g_ascii_isspace (p[-1]))
      g_string_append_c (out, ' ');
  return g_string_free (out, FALSE);
}

/* "A=1 B=2" as words, or NULL where there are none. */
static char **
words_of (const char *text)
{
  g_autofree char *squeezed = squeeze (text != NULL ? text : "");

  g_strstrip (squeezed);
  return *squeezed != '\0' ? g_strsplit (squeezed, " ", -1) : NULL;
}

/* Text */

static PlgTextSpan *
new_span (PlgSpanKind kind, char *text, char *ref)
{
  PlgTextSpan *span = g_new0 (PlgTextSpan, 1);

  *span = (PlgTextSpan) { .kind = kind, .text = text, .ref = ref };
  return span;
}

static gboolean
read_span (const Reading *reading, const xmlNode *node, GPtrArray *spans, GError **error)
{
  g_autofree char *raw = plg_xml_text (node);
  g_autofree char *text = squeeze (raw);
  g_autofree char *settings = NULL;
  PlgTextSpan *span;
  char *ref = NULL;

  if (plg_xml_is (node, "b"))
    {
      g_ptr_array_add (spans, new_span (PLG_SPAN_STRONG, g_steal_pointer (&text), NULL));
      return check_attributes (reading, node, (const char *const[]) { NULL }, error);
    }
  if (plg_xml_is (node, "term"))
    {
      if (!need_attribute (reading, node, "ref", &ref, error))
        return FALSE;
      g_ptr_array_add (spans, new_span (PLG_SPAN_TERM, g_steal_pointer (&text), ref));
      return check_attributes (reading, node, (const char *const[]) { "ref", NULL }, error);
    }
  if (!plg_xml_is (node, "n"))
    return fail_element (reading, node, error);
  if (!need_attribute (reading, node, "of", &ref, error))
    return FALSE;
  span = new_span (PLG_SPAN_NUMBER, NULL, ref);
  settings = plg_xml_attribute (node, "set");
  span->settings = words_of (settings);
  g_ptr_array_add (spans, span);
  return check_attributes (reading, node, (const char *const[]) { "of", "set", NULL }, error);
}

/* Text begins and ends without space. */
static void
trim (GPtrArray *spans)
{
  if (spans->len == 0)
    return;
  if (((PlgTextSpan *) spans->pdata[0])->text != NULL)
    g_strchug (((PlgTextSpan *) spans->pdata[0])->text);
  if (((PlgTextSpan *) spans->pdata[spans->len - 1])->text != NULL)
    g_strchomp (((PlgTextSpan *) spans->pdata[spans->len - 1])->text);
}

static GPtrArray *
new_spans (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) plg_text_span_free);
}

static gboolean
read_spans (const Reading *reading, const xmlNode *parent, GPtrArray *spans, GError **error)
{
  for (const xmlNode *node = parent->children; node != NULL; node = node->next)
    {
      if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
        g_ptr_array_add (spans,
                         new_span (PLG_SPAN_TEXT, squeeze ((const char *) node->content), NULL));
      else if (node->type == XML_ELEMENT_NODE && !read_span (reading, node, spans, error))
        return FALSE;
    }
  trim (spans);
  return TRUE;
}

static gboolean
read_passage (const Reading *reading, const xmlNode *node, GPtrArray *passages, GError **error)
{
  PlgPassage *passage = g_new0 (PlgPassage, 1);

  g_ptr_array_add (passages, passage);
  if (plg_xml_is (node, "formula") || plg_xml_is (node, "figure"))
    {
      passage->kind = plg_xml_is (node, "formula") ? PLG_PASSAGE_FORMULA : PLG_PASSAGE_FIGURE;
      return need_attribute (reading, node, "of", &passage->of, error) &&
             check_attributes (reading, node, (const char *const[]) { "of", NULL }, error);
    }
  passage->kind = plg_xml_is (node, "li") ? PLG_PASSAGE_ITEM : PLG_PASSAGE_PARAGRAPH;
  passage->spans = new_spans ();
  return check_attributes (reading, node, (const char *const[]) { NULL }, error) &&
         read_spans (reading, node, passage->spans, error);
}

static GPtrArray *
new_passages (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) plg_passage_free);
}

static gboolean
is_passage (const xmlNode *node)
{
  return plg_xml_is (node, "p") || plg_xml_is (node, "li") || plg_xml_is (node, "formula") ||
         plg_xml_is (node, "figure");
}

/* Text between elements would be lost. */
static gboolean
check_text (const Reading *reading, const xmlNode *node, GError **error)
{
  g_autofree char *text = NULL;

  if (node->type != XML_TEXT_NODE && node->type != XML_CDATA_SECTION_NODE)
    return TRUE;
  text = g_strstrip (g_strdup ((const char *) node->content));
  return *text == '\0' || plg_xml_fail (reading->xml, node->parent, NULL, error,
                                        _ ("Text in <%s> stands in <p> or <li>."),
                                        (const char *) node->parent->name);
}

/* The passages of PARENT; elements of OTHERS are somebody else's. */
static gboolean
read_passages (const Reading *reading,
               const xmlNode *parent,
               const char *const *others,
               GPtrArray *passages,
               GError **error)
{
  for (const xmlNode *node = parent->children; node != NULL; node = node->next)
    {
      if (!check_text (reading, node, error))
        return FALSE;
      if (node->type != XML_ELEMENT_NODE)
        continue;
      if (is_passage (node) && !read_passage (reading, node, passages, error))
        return FALSE;
      if (!is_passage (node) && !g_strv_contains (others, (const char *) node->name))
        return fail_element (reading, node, error);
    }
  return TRUE;
}

static const char *const nothing[] = { NULL };

/* Scenes */

static gboolean
read_setting (const Reading *reading, const xmlNode *node, GPtrArray *settings, GError **error)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;

  if (!plg_xml_is (node, "set"))
    return fail_element (reading, node, error);
  if (!need_attribute (reading, node, "key", &key, error) ||
      !need_attribute (reading, node, "value", &value, error) ||
      !check_attributes (reading, node, (const char *const[]) { "key", "value", NULL }, error))
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
read_plan (const Reading *reading, const xmlNode *element, PlgScene **scene, GError **error)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *from = plg_xml_attribute (element, "from");
  g_autofree char *tidy = plg_xml_attribute (element, "tidy");

  if (!check_attributes (reading, element, (const char *const[]) { "from", "tidy", NULL }, error))
    return FALSE;
  if (from != NULL && !g_str_equal (from, "default") && !g_str_equal (from, "open"))
    return plg_xml_fail (reading->xml, element, "from", error,
                         _ ("“from” is “default” (the default plan) or “open” (the plan as it "
                            "is)."));
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if (!check_text (reading, node, error) ||
        (node->type == XML_ELEMENT_NODE && !read_setting (reading, node, settings, error)))
      return FALSE;
  need_scene (scene)->from_default = g_strcmp0 (from, "default") == 0;
  (*scene)->tidy = g_strcmp0 (tidy, "true") == 0;
  if (settings->len == 0)
    return TRUE;
  g_ptr_array_add (settings, NULL);
  (*scene)->settings = (char **) g_ptr_array_free (g_steal_pointer (&settings), FALSE);
  return TRUE;
}

static gboolean
read_look (const Reading *reading, const xmlNode *element, PlgScene **scene, GError **error)
{
  static const char *const names[] = { "show", "links", "page", "select", NULL };
  static const char *const pages[] = { "timeline", "links", "pairs", NULL };
  g_autofree char *select = plg_xml_attribute (element, "select");
  gint64 gpu = -1;

  if (!check_attributes (reading, element, names, error))
    return FALSE;
  if (select != NULL && !g_ascii_string_to_signed (select, 10, 0, PLG_MAX_GPUS - 1, &gpu, NULL))
    return plg_xml_fail (reading->xml, element, "select", error, _ ("“select” is a GPU's number."));
  need_scene (scene)->select = (int) gpu;
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
read_assertion (const Reading *reading,
                const xmlNode *node,
                PlgAssertion *assertion,
                GError **error)
{
  g_autofree char *wrong = NULL;
  char *text;

  if (!need_attribute (reading, node, "holds", &text, error))
    return FALSE;
  g_ptr_array_add (reading->lesson->texts, text);
  wrong = plg_assertion_read (assertion, text);
  return wrong == NULL || plg_xml_fail (reading->xml, node, "holds", error, "%s", wrong);
}

static gboolean
read_must (const Reading *reading, const xmlNode *node, PlgGoal *goal, GError **error)
{
  PlgAssertion assertion = { 0 };

  if (!read_assertion (reading, node, &assertion, error))
    return FALSE;
  g_array_append_val (goal->asserted, assertion);
  return check_attributes (reading, node, (const char *const[]) { "holds", NULL }, error);
}

static gboolean
read_claim (const Reading *reading, const xmlNode *node, PlgStepOfLesson *step, GError **error)
{
  g_autofree char *settings = plg_xml_attribute (node, "set");
  PlgClaim claim = { 0 };

  if (!read_assertion (reading, node, &claim.assertion, error))
    return FALSE;
  claim.settings = words_of (settings);
  g_array_append_val (step->claims, claim);
  return check_attributes (reading, node, (const char *const[]) { "holds", "set", NULL }, error);
}

static gboolean
read_goal (const Reading *reading, const xmlNode *element, PlgStepOfLesson *step, GError **error)
{
  static const char *const others[] = { "must", NULL };
  PlgGoal *goal = step->goal = g_new0 (PlgGoal, 1);

  goal->text = new_passages ();
  goal->asserted = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  if (!check_attributes (reading, element, nothing, error) ||
      !read_passages (reading, element, others, goal->text, error))
    return FALSE;
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if (plg_xml_is (node, "must") && !read_must (reading, node, goal, error))
      return FALSE;
  return goal->asserted->len > 0 ||
         plg_xml_fail (reading->xml, element, NULL, error,
                       _ ("A goal needs a <must holds=\"…\"/> to be reached."));
}

/* Questions */

static gboolean
read_part_of_choice (const Reading *reading, const xmlNode *node, PlgChoice *choice, GError **error)
{
  if (plg_xml_is (node, "say"))
    return check_attributes (reading, node, nothing, error) &&
           read_spans (reading, node, choice->label, error);
  if (plg_xml_is (node, "because"))
    return check_attributes (reading, node, nothing, error) &&
           read_passages (reading, node, nothing, choice->because, error);
  if (plg_xml_is (node, "plan"))
    return read_plan (reading, node, &choice->scene, error);
  if (plg_xml_is (node, "look"))
    return read_look (reading, node, &choice->scene, error);
  return fail_element (reading, node, error);
}

static gboolean
read_choice (const Reading *reading, const xmlNode *element, PlgQuestion *question, GError **error)
{
  PlgChoice *choice = g_new0 (PlgChoice, 1);

  g_ptr_array_add (question->choices, choice);
  choice->label = new_spans ();
  choice->because = new_passages ();
  choice->id = plg_xml_attribute (element, "id");
  if (choice->id == NULL)
    choice->id = g_strdup_printf ("%c", 'a' + (int) question->choices->len - 1);
  if (!check_attributes (reading, element, (const char *const[]) { "id", NULL }, error))
    return FALSE;
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if (!check_text (reading, node, error) ||
        (node->type == XML_ELEMENT_NODE && !read_part_of_choice (reading, node, choice, error)))
      return FALSE;
  if (choice->label->len == 0 || choice->because->len == 0)
    return plg_xml_fail (reading->xml, element, NULL, error,
                         _ ("A choice needs <say>, what it answers, and <because>, what is shown "
                            "once it is chosen."));
  return TRUE;
}

static gboolean
find_right (const Reading *reading, const xmlNode *element, PlgQuestion *question, GError **error)
{
  g_autofree char *answer = NULL;

  if (!need_attribute (reading, element, "answer", &answer, error))
    return FALSE;
  for (guint i = 0; i < question->choices->len; i++)
    if (g_str_equal (((PlgChoice *) question->choices->pdata[i])->id, answer))
      {
        question->right = (int) i;
        return question->choices->len >= 2 ||
               plg_xml_fail (reading->xml, element, NULL, error,
                             _ ("A question needs two choices or more."));
      }
  return plg_xml_fail (reading->xml, element, "answer", error, _ ("No choice is called “%s”."),
                       answer);
}

static gboolean
read_hides (const Reading *reading, const xmlNode *element, PlgQuestion *question, GError **error)
{
  g_autofree char *hides = plg_xml_attribute (element, "hides");

  return hides == NULL || plg_veil_from_string (hides, &question->hides) ||
         plg_xml_fail (reading->xml, element, "hides", error,
                       _ ("“hides” names some of memory, bubble, time and communication."));
}

static gboolean
read_question (const Reading *reading,
               const xmlNode *element,
               PlgStepOfLesson *step,
               GError **error)
{
  static const char *const others[] = { "choice", "reflect", NULL };
  static const char *const names[] = { "id", "hides", "answer", NULL };
  PlgQuestion *question = step->question = g_new0 (PlgQuestion, 1);

  question->prompt = new_passages ();
  question->reflect = new_passages ();
  question->choices = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_choice_free);
  if (!check_attributes (reading, element, names, error) ||
      !read_id (reading, element, &question->id, error) ||
      !read_hides (reading, element, question, error) ||
      !read_passages (reading, element, others, question->prompt, error))
    return FALSE;
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if ((plg_xml_is (node, "choice") && !read_choice (reading, node, question, error)) ||
        (plg_xml_is (node, "reflect") &&
         !read_passages (reading, node, nothing, question->reflect, error)))
      return FALSE;
  return find_right (reading, element, question, error);
}

/* Steps */

static gboolean
read_title (const Reading *reading, const xmlNode *node, char **title, GError **error)
{
  g_autofree char *raw = plg_xml_text (node);

  g_free (*title);
  *title = g_strstrip (squeeze (raw));
  return check_attributes (reading, node, nothing, error);
}

static gboolean
read_free (const Reading *reading, const xmlNode *node, PlgStepOfLesson *step, GError **error)
{
  g_autofree char *keys = NULL;

  if (!need_attribute (reading, node, "keys", &keys, error) ||
      !check_attributes (reading, node, (const char *const[]) { "keys", NULL }, error))
    return FALSE;
  g_strfreev (step->free);
  step->free = words_of (keys);
  if (step->free == NULL)
    step->free = g_new0 (char *, 1);
  return TRUE;
}

/* Passages of the step itself are read with it. */
static gboolean
read_part_of_step (const Reading *reading,
                   const xmlNode *node,
                   PlgStepOfLesson *step,
                   GError **error)
{
  if (plg_xml_is (node, "title"))
    return read_title (reading, node, &step->title, error);
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
  if (plg_xml_is (node, "after"))
    return read_passages (reading, node, nothing, step->after, error);
  if (plg_xml_is (node, "claim"))
    return read_claim (reading, node, step, error);
  if (plg_xml_is (node, "notes"))
    return read_passages (reading, node, nothing, step->notes, error);
  return is_passage (node) || fail_element (reading, node, error);
}

static gboolean
read_step (const Reading *reading, const xmlNode *element, GError **error)
{
  static const char *const others[] = { "title", "plan",  "look",  "free",  "question",
                                        "goal",  "after", "claim", "notes", NULL };
  PlgStepOfLesson *step = g_new0 (PlgStepOfLesson, 1);
  int column;

  g_ptr_array_add (reading->lesson->steps, step);
  plg_xml_place (reading->xml, element, NULL, &step->line, &column);
  step->text = new_passages ();
  step->after = new_passages ();
  step->notes = new_passages ();
  step->claims = g_array_new (FALSE, FALSE, sizeof (PlgClaim));
  g_array_set_clear_func (step->claims, plg_claim_clear);
  if (!check_attributes (reading, element, (const char *const[]) { "id", NULL }, error) ||
      !read_id (reading, element, &step->id, error) ||
      !read_passages (reading, element, others, step->text, error))
    return FALSE;
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    if (node->type == XML_ELEMENT_NODE && !read_part_of_step (reading, node, step, error))
      return FALSE;
  return step->title != NULL ||
         plg_xml_fail (reading->xml, element, NULL, error, _ ("A step needs a <title>."));
}

static gboolean
read_part_of_lesson (const Reading *reading, const xmlNode *node, GError **error)
{
  if (plg_xml_is (node, "title"))
    return read_title (reading, node, &reading->lesson->title, error);
  if (plg_xml_is (node, "summary"))
    return read_title (reading, node, &reading->lesson->summary, error);
  if (plg_xml_is (node, "step"))
    return read_step (reading, node, error);
  return fail_element (reading, node, error);
}

static gboolean
read_head (const Reading *reading, const xmlNode *root, GError **error)
{
  static const char *const names[] = { "version", "id", "minutes", NULL };
  g_autofree char *version = plg_xml_attribute (root, "version");
  g_autofree char *minutes = plg_xml_attribute (root, "minutes");
  gint64 n = 0;

  if (g_strcmp0 (version, "1") != 0)
    return plg_xml_fail (reading->xml, root, "version", error,
                         _ ("This is no lesson of version 1, which is what this program reads."));
  if (minutes != NULL && !g_ascii_string_to_signed (minutes, 10, 1, MAX_MINUTES, &n, NULL))
    return plg_xml_fail (reading->xml, root, "minutes", error,
                         _ ("“minutes” is a whole number from 1 to %d."), MAX_MINUTES);
  reading->lesson->minutes = (int) n;
  return check_attributes (reading, root, names, error) &&
         read_id (reading, root, &reading->lesson->id, error);
}

static gboolean
read_lesson (const Reading *reading, GError **error)
{
  const xmlNode *root = plg_xml_root (reading->xml);

  if (!plg_xml_is (root, "lesson"))
    return plg_xml_fail (reading->xml, root, NULL, error,
                         _ ("This is no lesson: the first element is <%s>, not <lesson>."),
                         (const char *) root->name);
  if (!read_head (reading, root, error))
    return FALSE;
  for (const xmlNode *node = root->children; node != NULL; node = node->next)
    if (!check_text (reading, node, error) ||
        (node->type == XML_ELEMENT_NODE && !read_part_of_lesson (reading, node, error)))
      return FALSE;
  if (reading->lesson->title == NULL || reading->lesson->steps->len == 0)
    return plg_xml_fail (reading->xml, root, NULL, error,
                         _ ("A lesson needs a <title> and a <step>."));
  return TRUE;
}

PlgLesson *
plg_lesson_read (const char *data, gsize size, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (PlgLesson) lesson = NULL;
  g_autoptr (GHashTable) ids = NULL;
  Reading reading;

  if (xml == NULL)
    return NULL;
  lesson = g_new0 (PlgLesson, 1);
  g_ref_count_init (&lesson->ref_count);
  lesson->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_step_free);
  lesson->texts = g_ptr_array_new_with_free_func (g_free);
  ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reading = (Reading) { xml, lesson, ids };
  return read_lesson (&reading, error) ? g_steal_pointer (&lesson) : NULL;
}

gboolean
plg_lesson_is (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "lesson");
}

/* The glossary */

static gboolean
read_entry (const Reading *reading, const xmlNode *node, GPtrArray *entries, GError **error)
{
  static const char *const names[] = { "id", "term", NULL };
  PlgGlossaryEntry *entry;

  if (!plg_xml_is (node, "entry"))
    return fail_element (reading, node, error);
  entry = g_new0 (PlgGlossaryEntry, 1);
  g_ptr_array_add (entries, entry);
  entry->text = new_passages ();
  return check_attributes (reading, node, names, error) &&
         read_id (reading, node, &entry->id, error) &&
         need_attribute (reading, node, "term", &entry->term, error) &&
         read_passages (reading, node, nothing, entry->text, error);
}

GPtrArray *
plg_glossary_read (const char *data, gsize size, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) entries = NULL;
  Reading reading = { xml, NULL, ids };

  if (xml == NULL)
    return NULL;
  if (!plg_xml_is (plg_xml_root (xml), "glossary"))
    {
      plg_xml_fail (xml, plg_xml_root (xml), NULL, error, _ ("This is no glossary."));
      return NULL;
    }
  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_glossary_entry_free);
  for (const xmlNode *node = plg_xml_root (xml)->children; node != NULL; node = node->next)
    if (node->type == XML_ELEMENT_NODE && !read_entry (&reading, node, entries, error))
      return NULL;
  return g_steal_pointer (&entries);
}
