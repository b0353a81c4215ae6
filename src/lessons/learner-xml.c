/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/registry/registry.h"
#include "lessons/learner.h"
#include "io/import/error-position.h"
#include "io/plan/plan-xml.h"
#include "syntax/xml-text.h"
#include "syntax/xml-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_COUNT 1000
#define MAX_LESSONS 1000
/* maximum length of a name [characters], so that the name fits into its widgets */
#define MAX_NAME 200

typedef struct
{
  const PlgXml *xml;
  const char *data;
  const PlgCatalogue *catalogue;
} LearnerReader;

/* Reading
 * ----------------------------------------------------------------------------------- */

static gboolean
check_element (const LearnerReader *reader, const xmlNode *node, const char *name, GError **error)
{
  return plg_xml_is (node, name) || plg_xml_fail (reader->xml, node, NULL, error,
                                                  _ ("<%s> is not allowed here; only <%s> is."),
                                                  (const char *) node->name, name);
}

/* Replaces the bidirectional control characters in TEXT (transfer full), because they could
 * reorder the text that is displayed next to it. */
static char *
take_sanitized (char *text)
{
  char *shown = text != NULL ? plg_xml_replace_bidi (text) : NULL;

  g_free (text);
  return shown;
}

/* Reads the required attribute NAME into *VALUE; free *VALUE with g_free(). */
static gboolean
need (const LearnerReader *reader,
      const xmlNode *element,
      const char *name,
      char **value,
      GError **error)
{
  g_free (*value);
  *value = take_sanitized (plg_xml_attribute (element, name));
  return *value != NULL ||
         plg_xml_fail (reader->xml, element, NULL, error, _ ("<%s> needs the attribute “%s”."),
                       (const char *) element->name, name);
}

static gboolean
need_truth (const LearnerReader *reader,
            const xmlNode *element,
            const char *name,
            gboolean *truth,
            GError **error)
{
  g_autofree char *text = NULL;

  if (!need (reader, element, name, &text, error))
    return FALSE;
  *truth = g_str_equal (text, "true");
  return *truth || g_str_equal (text, "false") ||
         plg_xml_fail (reader->xml, element, name, error, _ ("“%s” must be “true” or “false”."),
                       name);
}

static gboolean
need_count (const LearnerReader *reader,
            const xmlNode *element,
            const char *name,
            int *count,
            GError **error)
{
  g_autofree char *text = NULL;
  gint64 n = 0;

  if (!need (reader, element, name, &text, error))
    return FALSE;
  if (!g_ascii_string_to_signed (text, 10, 0, MAX_COUNT, &n, NULL))
    return plg_xml_fail (reader->xml, element, name, error,
                         _ ("“%s” must be a whole number from 0 to %d."), name, MAX_COUNT);
  *count = (int) n;
  return TRUE;
}

static gboolean
read_design (const LearnerReader *reader,
             const xmlNode *node,
             PlgLearnerLesson *lesson,
             GError **error)
{
  static const char *const names[] = { "step", "reached", NULL };
  const xmlNode *inside = xmlFirstElementChild ((xmlNode *) node);
  g_autofree char *step = NULL;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) wrong = NULL;
  gboolean reached;
  PlgXmlRange span;

  if (!plg_xml_check_attributes (reader->xml, node, names, error) ||
      !need (reader, node, "step", &step, error) ||
      !need_truth (reader, node, "reached", &reached, error))
    return FALSE;
  if (inside == NULL || !plg_xml_is (inside, "plan") ||
      xmlNextElementSibling ((xmlNode *) inside) != NULL)
    return plg_xml_fail (reader->xml, node, NULL, error,
                         _ ("A design must contain exactly one <plan>."));
  if (plg_learner_find_design (lesson, step) != NULL)
    return plg_xml_fail (reader->xml, node, "step", error, _ ("“%s” appears twice."), step);
  span = plg_xml_element_range (reader->xml, inside);
  plan = plg_plan_xml_read (reader->data + span.start, span.end - span.start, reader->catalogue,
                            NULL, &wrong);
  if (plan == NULL)
    {
      /* Convert the line and column in the embedded plan to the line and column in the file. */
      PlgFilePosition nested = plg_error_position (wrong);
      PlgFilePosition start = plg_xml_position (reader->xml, inside, NULL);
      PlgFilePosition position = { start.line + MAX (nested.line, 1) - 1,
                                   nested.line > 1 ? nested.column
                                                   : start.column + MAX (nested.column, 1) - 1 };
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                   _ ("This plan cannot be read: %s"), plg_error_text (wrong));
      plg_format_error_add_position (error, position);
      return FALSE;
    }
  plg_learner_set_design (lesson, step, reached, plan);
  return TRUE;
}

static gboolean
read_part (const LearnerReader *reader,
           const xmlNode *node,
           PlgLearnerLesson *lesson,
           GError **error)
{
  if (lesson->answers->len + lesson->designs->len >= PLG_LEARNER_MAX_PARTS)
    return plg_xml_fail (reader->xml, node, NULL, error,
                         _ ("A lesson can have at most %d answers and designs."),
                         PLG_LEARNER_MAX_PARTS);
  if (plg_xml_is (node, "answer"))
    {
      static const char *const names[] = { "question", "choice", "right", "asked", "said", NULL };
      g_autofree char *question = NULL;
      g_autofree char *choice = NULL;
      g_autofree char *asked = take_sanitized (plg_xml_attribute (node, "asked"));
      g_autofree char *said = take_sanitized (plg_xml_attribute (node, "said"));
      g_autofree char *reflection = take_sanitized (plg_xml_text (node));
      gboolean right;

      if (!plg_xml_check_attributes (reader->xml, node, names, error) ||
          !need (reader, node, "question", &question, error) ||
          !need (reader, node, "choice", &choice, error) ||
          !need_truth (reader, node, "right", &right, error))
        return FALSE;
      if (xmlFirstElementChild ((xmlNode *) node) != NULL)
        return plg_xml_fail (reader->xml, xmlFirstElementChild ((xmlNode *) node), NULL, error,
                             _ ("An answer can contain only text."));
      if (plg_learner_find_answer (lesson, question) != NULL)
        return plg_xml_fail (reader->xml, node, "question", error, _ ("“%s” appears twice."),
                             question);
      plg_learner_set_answer (lesson, question, choice, right, reflection);
      plg_learner_set_answer_texts (lesson, question, asked, said);
      plg_learner_find_answer (lesson, question)->is_edited = FALSE;
      return TRUE;
    }
  if (plg_xml_is (node, "design"))
    return read_design (reader, node, lesson, error);
  if (!check_element (reader, node, "title", error) ||
      !plg_xml_check_attributes (reader->xml, node, (const char *const[]) { NULL }, error))
    return FALSE;
  g_free (lesson->title);
  lesson->title = take_sanitized (plg_xml_text (node));
  return TRUE;
}

/* Reads a lesson. The score in the file is only for human readers; the program computes the
 * score again. */
static gboolean
read_lesson (const LearnerReader *reader,
             PlgLearner *learner,
             const xmlNode *element,
             GError **error)
{
  static const char *const names[] = { "id",    "step",  "finished", "questions",
                                       "goals", "score", "changed",  NULL };
  g_autoptr (PlgLearnerLesson) lesson = plg_learner_lesson_new (NULL);
  g_autofree char *id = plg_xml_attribute (element, "id");
  PlgLearnerLesson *added = lesson;

  if (!check_element (reader, element, "lesson", error))
    return FALSE;
  if (learner->lessons->len >= MAX_LESSONS)
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("A learner record can have at most %d lessons."), MAX_LESSONS);
  if (id != NULL && plg_learner_find (learner, id) != NULL)
    return plg_xml_fail (reader->xml, element, "id", error, _ ("“%s” appears twice."), id);
  if (!plg_xml_check_attributes (reader->xml, element, names, error) ||
      !need (reader, element, "id", &lesson->id, error) ||
      !need (reader, element, "step", &lesson->step, error) ||
      !need (reader, element, "changed", &lesson->changed, error) ||
      !need_truth (reader, element, "finished", &lesson->finished, error) ||
      !need_count (reader, element, "questions", &lesson->questions, error) ||
      !need_count (reader, element, "goals", &lesson->goals, error))
    return FALSE;
  g_ptr_array_add (learner->lessons, g_steal_pointer (&lesson));
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) element); node != NULL;
       node = xmlNextElementSibling (node))
    if (!read_part (reader, node, added, error))
      return FALSE;
  return added->title != NULL ||
         plg_xml_fail (reader->xml, element, NULL, error, _ ("A lesson needs a <title>."));
}

gboolean
plg_learner_detect (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "learner");
}

PlgLearner *
plg_learner_read (const char *data, gsize size, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (PlgLearner) learner = plg_learner_new (NULL);
  g_autofree char *version = NULL;
  LearnerReader reader = { xml, data, catalogue };
  const xmlNode *root;

  if (xml == NULL)
    return NULL;
  root = plg_xml_root (xml);
  version = plg_xml_attribute (root, "version");
  if (!plg_xml_is (root, "learner") || g_strcmp0 (version, "1") != 0)
    return plg_xml_fail (xml, root, NULL, error,
                         _ ("This file is not a learner record: it must begin with <learner "
                            "version=\"1\">.")),
           NULL;
  if (!plg_xml_check_attributes (xml, root, (const char *const[]) { "version", "name", NULL },
                                 error) ||
      !need (&reader, root, "name", &learner->name, error))
    return NULL;
  if (g_utf8_strlen (learner->name, -1) > MAX_NAME)
    return plg_xml_fail (xml, root, "name", error, _ ("“%s” can have at most %d characters."),
                         "name", MAX_NAME),
           NULL;
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) root); node != NULL;
       node = xmlNextElementSibling (node))
    if (!read_lesson (&reader, learner, node, error))
      return NULL;
  return g_steal_pointer (&learner);
}

PlgLearner *
plg_learner_load (const char *path, const PlgCatalogue *catalogue, GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GBytes) bytes = plg_read_file (path, &name, error);
  PlgLearner *learner;

  if (bytes == NULL)
    return NULL;
  learner = plg_learner_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), catalogue,
                              error);
  if (learner == NULL)
    g_prefix_error (error, "%s:", name);
  return learner;
}

/* Writing
 * ----------------------------------------------------------------------------------- */

static void
append_attribute (GString *out, const char *name, const char *value)
{
  g_autofree char *safe = plg_xml_replace_controls (value);

  g_string_append_printf (out, " %s=\"", name);
  plg_xml_append_text (out, safe, TRUE);
  g_string_append_c (out, '"');
}

static void
append_text (GString *out, const char *text)
{
  g_autofree char *safe = plg_xml_replace_controls (text);

  plg_xml_append_text (out, safe, FALSE);
}

static const char *
truth (gboolean value)
{
  return value ? "true" : "false";
}

static void
append_lesson (GString *out, const PlgLearnerLesson *lesson)
{
  g_string_append (out, "  <lesson");
  append_attribute (out, "id", lesson->id);
  append_attribute (out, "step", lesson->step);
  append_attribute (out, "finished", truth (lesson->finished));
  g_string_append_printf (out, " questions=\"%d\" goals=\"%d\"", lesson->questions, lesson->goals);
  append_attribute (out, "score", plg_score_name (plg_learner_score (lesson)));
  append_attribute (out, "changed", lesson->changed != NULL ? lesson->changed : "");
  g_string_append (out, ">\n    <title>");
  append_text (out, lesson->title);
  g_string_append (out, "</title>\n");
  for (guint i = 0; i < lesson->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = lesson->answers->pdata[i];

      g_string_append (out, "    <answer");
      append_attribute (out, "question", answer->question);
      append_attribute (out, "choice", answer->choice);
      append_attribute (out, "right", truth (answer->right));
      if (answer->asked != NULL)
        append_attribute (out, "asked", answer->asked);
      if (answer->said != NULL)
        append_attribute (out, "said", answer->said);
      g_string_append_c (out, '>');
      append_text (out, answer->reflection);
      g_string_append (out, "</answer>\n");
    }
  for (guint i = 0; i < lesson->designs->len; i++)
    {
      const PlgLearnerDesign *design = lesson->designs->pdata[i];

      g_string_append (out, "    <design");
      append_attribute (out, "step", design->step);
      append_attribute (out, "reached", truth (design->reached));
      g_string_append (out, ">\n");

      /* Embed the XML of the plan without its XML declaration. */
      const PlgPlan *plan = design->plan;
      g_autoptr (GBytes) bytes = plg_plan_xml_write (plan, NULL);
      gsize size;
      const char *data = g_bytes_get_data (bytes, &size);
      const char *begin = g_strstr_len (data, (gssize) size, "<plan");

      g_string_append_len (out, begin, data + size - begin);

      g_string_append (out, "    </design>\n");
    }
  g_string_append (out, "  </lesson>\n");
}

GBytes *
plg_learner_write (const PlgLearner *learner)
{
  GString
      *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<learner version=\"1\"");

  append_attribute (out, "name", learner->name);
  g_string_append (out, ">\n");
  for (guint i = 0; i < learner->lessons->len; i++)
    append_lesson (out, learner->lessons->pdata[i]);
  g_string_append (out, "</learner>\n");
  return g_string_free_to_bytes (out);
}
