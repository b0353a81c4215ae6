/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/lesson-xml-private.h"
#include "io/import/error-position.h"
#include "syntax/xml-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Collecting problems */

/* The maximum number of problems to report. Once these are corrected, the next check reports
 * further problems. */
#define MAX_PROBLEMS 20

static gboolean
error_equal (gconstpointer a, gconstpointer b)
{
  return g_str_equal (((const GError *) a)->message, ((const GError *) b)->message);
}

static int
error_compare (gconstpointer a, gconstpointer b)
{
  return plg_file_position_compare (plg_error_position (*(GError *const *) a),
                                    plg_error_position (*(GError *const *) b));
}

GPtrArray *
plg_lesson_errors_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
}

char *
plg_lesson_errors_text (GPtrArray *errors)
{
  GString *text = g_string_new (NULL);

  g_ptr_array_sort (errors, error_compare);
  for (guint i = 0; i < errors->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                            ((const GError *) errors->pdata[i])->message);
  return g_string_free (text, FALSE);
}

void
plg_lesson_xml_keep_error (const PlgLessonXml *reader, GError **problem)
{
  if (*problem != NULL && reader->problems->len < MAX_PROBLEMS &&
      !g_ptr_array_find_with_equal_func (reader->problems, *problem, error_equal, NULL))
    g_ptr_array_add (reader->problems, g_steal_pointer (problem));
  g_clear_error (problem);
}

gboolean
plg_lesson_xml_finish (const PlgLessonXml *reader, GError **error)
{
  g_autofree char *all = NULL;

  if (reader->problems->len == 0)
    return TRUE;
  all = plg_lesson_errors_text (reader->problems);
  g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT, all);
  return FALSE;
}

int
plg_lesson_xml_line (const PlgLessonXml *reader, const xmlNode *element)
{
  return plg_xml_position (reader->xml, element, NULL).line;
}

gboolean
plg_lesson_xml_fail_misplaced (const PlgLessonXml *reader, const xmlNode *node, GError **error)
{
  return plg_xml_fail (reader->xml, node, NULL, error,
                       _ ("<%s> is not allowed in <%s>; the guide to lessons lists the allowed "
                          "elements."),
                       (const char *) node->name, (const char *) node->parent->name);
}

/* Reads a required attribute into *VALUE; free *VALUE with g_free(). */
gboolean
plg_lesson_xml_need_attribute (const PlgLessonXml *reader,
                               const xmlNode *element,
                               const char *name,
                               char **value,
                               GError **error)
{
  *value = plg_xml_attribute (element, name);
  return *value != NULL ||
         plg_xml_fail (reader->xml, element, NULL, error, _ ("<%s> needs the attribute “%s”."),
                       (const char *) element->name, name);
}

/* Reads an id, which consists of lower-case letters, digits and hyphens and must be unique. */
gboolean
plg_lesson_xml_read_id (const PlgLessonXml *reader,
                        const xmlNode *element,
                        char **id,
                        GError **error)
{
  if (!plg_lesson_xml_need_attribute (reader, element, "id", id, error))
    return FALSE;
  if (!g_regex_match_simple ("^[a-z][a-z0-9-]{0,62}$", *id, 0, 0))
    return plg_xml_fail (reader->xml, element, "id", error,
                         _ ("An id consists of lowercase letters, digits and hyphens, as in "
                            "“first-step”."));
  if (reader->ids != NULL && !g_hash_table_add (reader->ids, g_strdup (*id)))
    return plg_xml_fail (reader->xml, element, "id", error, _ ("The id “%s” is used twice."), *id);
  return TRUE;
}

/* Replaces each run of white space with one space, as usual in XML. */
char *
plg_lesson_xml_collapse_spaces (const char *text)
{
  g_autofree char *directed = plg_xml_replace_bidi (text);
  GString *out = g_string_new (NULL);

  for (const char *p = directed; *p != '\0'; p++)
    if (!g_ascii_isspace (*p))
      g_string_append_c (out, *p);
    else if (p == directed || !g_ascii_isspace (p[-1]))
      g_string_append_c (out, ' ');
  return g_string_free (out, FALSE);
}

/* Splits "A=1 B=2" at spaces. Returns NULL if the text is empty. */
char **
plg_lesson_xml_split_words (const char *text)
{
  g_autofree char *squeezed = plg_lesson_xml_collapse_spaces (text != NULL ? text : "");

  g_strstrip (squeezed);
  return *squeezed != '\0' ? g_strsplit (squeezed, " ", -1) : NULL;
}

gboolean
plg_lesson_xml_read_line (const PlgLessonXml *reader,
                          const xmlNode *node,
                          int most,
                          char **line,
                          GError **error)
{
  g_autofree char *raw = plg_xml_text (node);

  g_free (*line);
  *line = g_strstrip (plg_lesson_xml_collapse_spaces (raw));
  if (**line == '\0')
    return plg_xml_fail (reader->xml, node, NULL, error, _ ("<%s> must not be empty."),
                         (const char *) node->name);
  if (g_utf8_strlen (*line, -1) > most)
    return plg_xml_fail (reader->xml, node, NULL, error,
                         _ ("<%s> can have at most %d characters, not %d."),
                         (const char *) node->name, most, (int) g_utf8_strlen (*line, -1));
  return plg_xml_check_attributes (reader->xml, node, plg_lesson_xml_no_names, error);
}

/* Reading text */

static PlgTextSpan *
new_span (PlgSpanKind kind, char *text, char *ref, int line)
{
  PlgTextSpan *span = g_new0 (PlgTextSpan, 1);

  *span = (PlgTextSpan) { .kind = kind, .text = text, .ref = ref, .line = line };
  return span;
}

static gboolean
read_span (const PlgLessonXml *reader, const xmlNode *node, GPtrArray *spans, GError **error)
{
  g_autofree char *raw = plg_xml_text (node);
  g_autofree char *text = plg_lesson_xml_collapse_spaces (raw);
  g_autofree char *settings = NULL;
  int line = plg_lesson_xml_line (reader, node);
  PlgTextSpan *span;
  char *ref = NULL;

  if (plg_xml_is (node, "b"))
    {
      g_ptr_array_add (spans, new_span (PLG_SPAN_STRONG, g_steal_pointer (&text), NULL, line));
      return plg_xml_check_attributes (reader->xml, node, (const char *const[]) { NULL }, error);
    }
  if (plg_xml_is (node, "term"))
    {
      if (!plg_lesson_xml_need_attribute (reader, node, "ref", &ref, error))
        return FALSE;
      g_ptr_array_add (spans, new_span (PLG_SPAN_TERM, g_steal_pointer (&text), ref, line));
      return plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "ref", NULL },
                                       error);
    }
  if (plg_xml_is (node, "a"))
    {
      /* Links open in a browser. Refuse addresses that do not begin with "https://", because
       * lessons can come from anybody. */
      char *link_text = g_steal_pointer (&text);
      char *address = NULL;

      if (!plg_lesson_xml_need_attribute (reader, node, "href", &address, error))
        {
          g_free (link_text);
          return FALSE;
        }
      g_ptr_array_add (spans, new_span (PLG_SPAN_LINK, link_text, address,
                                        plg_lesson_xml_line (reader, node)));
      if (!plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "href", NULL },
                                     error))
        return FALSE;
      return g_regex_match_simple ("^https://[^\\s/]+(/\\S*)?$", address, 0, 0) ||
             plg_xml_fail (reader->xml, node, "href", error,
                           _ ("The address of a link must begin with “https://”."));
    }
  if (!plg_xml_is (node, "n"))
    return plg_lesson_xml_fail_misplaced (reader, node, error);
  if (!plg_lesson_xml_need_attribute (reader, node, "of", &ref, error))
    return FALSE;
  span = new_span (PLG_SPAN_NUMBER, NULL, ref, line);
  settings = plg_xml_attribute (node, "set");
  span->settings = plg_lesson_xml_split_words (settings);
  g_ptr_array_add (spans, span);
  return plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "of", "set", NULL },
                                   error);
}

GPtrArray *
plg_lesson_xml_new_spans (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) plg_text_span_free);
}

gboolean
plg_lesson_xml_read_spans (const PlgLessonXml *reader,
                           const xmlNode *parent,
                           GPtrArray *spans,
                           GError **error)
{
  for (const xmlNode *node = parent->children; node != NULL; node = node->next)
    {
      if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
        g_ptr_array_add (spans,
                         new_span (PLG_SPAN_TEXT,
                                   plg_lesson_xml_collapse_spaces ((const char *) node->content),
                                   NULL, 0));
      else if (node->type == XML_ELEMENT_NODE && !read_span (reader, node, spans, error))
        return FALSE;
    }

  /* Remove white space at the beginning and at the end of the text. */
  if (spans->len != 0)
    {
      if (((PlgTextSpan *) spans->pdata[0])->text != NULL)
        g_strchug (((PlgTextSpan *) spans->pdata[0])->text);
      if (((PlgTextSpan *) spans->pdata[spans->len - 1])->text != NULL)
        g_strchomp (((PlgTextSpan *) spans->pdata[spans->len - 1])->text);
    }

  return TRUE;
}

/* Checks that there is no text between elements, because such text would be lost. */
gboolean
plg_lesson_xml_check_text (const PlgLessonXml *reader, const xmlNode *node, GError **error)
{
  g_autofree char *text = NULL;

  if (node->type != XML_TEXT_NODE && node->type != XML_CDATA_SECTION_NODE)
    return TRUE;
  text = g_strstrip (g_strdup ((const char *) node->content));
  return *text == '\0' || plg_xml_fail (reader->xml, node->parent, NULL, error,
                                        _ ("Text in <%s> must be inside <p> or <li>."),
                                        (const char *) node->parent->name);
}

GPtrArray *
plg_lesson_xml_new_passages (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) plg_passage_free);
}

gboolean
plg_lesson_xml_is_passage (const xmlNode *node)
{
  return plg_xml_is (node, "p") || plg_xml_is (node, "li") || plg_xml_is (node, "formula") ||
         plg_xml_is (node, "figure") || plg_xml_is (node, "row");
}

static gboolean
read_part (const PlgLessonXml *reader,
           const xmlNode *node,
           const char *const *others,
           GPtrArray *passages,
           GError **error)
{
  if (node->type != XML_ELEMENT_NODE)
    return plg_lesson_xml_check_text (reader, node, error);
  if (plg_lesson_xml_is_passage (node))
    {
      PlgPassage *passage = g_new0 (PlgPassage, 1);

      g_ptr_array_add (passages, passage);
      passage->line = plg_lesson_xml_line (reader, node);
      if (plg_xml_is (node, "formula") || plg_xml_is (node, "figure"))
        {
          passage->kind = plg_xml_is (node, "formula") ? PLG_PASSAGE_FORMULA : PLG_PASSAGE_FIGURE;
          return plg_lesson_xml_need_attribute (reader, node, "of", &passage->of, error) &&
                 plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "of", NULL },
                                           error);
        }
      if (!plg_xml_check_attributes (reader->xml, node, (const char *const[]) { "live", NULL },
                                     error))
        return FALSE;

      /* With live="true", the numbers follow the learner's plan. */
      g_autofree char *live = plg_xml_attribute (node, "live");

      passage->is_live = g_strcmp0 (live, "true") == 0;
      if (live != NULL && !passage->is_live && !g_str_equal (live, "false") &&
          !plg_xml_fail (reader->xml, node, "live", error, _ ("“live” must be “true” or “false”.")))
        return FALSE;

      if (plg_xml_is (node, "row"))
        {
          passage->kind = PLG_PASSAGE_ROW;
          passage->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
          for (const xmlNode *row_node = node->children; row_node != NULL;
               row_node = row_node->next)
            if (row_node->type != XML_ELEMENT_NODE)
              {
                if (!plg_lesson_xml_check_text (reader, row_node, error))
                  return FALSE;
              }
            else if (!plg_xml_is (row_node, "cell"))
              return plg_lesson_xml_fail_misplaced (reader, row_node, error);
            else
              {
                GPtrArray *spans = plg_lesson_xml_new_spans ();

                g_ptr_array_add (passage->cells, spans);
                if (!plg_xml_check_attributes (reader->xml, row_node, plg_lesson_xml_no_names,
                                               error) ||
                    !plg_lesson_xml_read_spans (reader, row_node, spans, error))
                  return FALSE;
              }
          return (passage->cells->len > 0 && passage->cells->len <= PLG_LESSON_MAX_CELLS) ||
                 plg_xml_fail (reader->xml, node, NULL, error,
                               _ ("A <row> must have 1 to %d cells, not %u."), PLG_LESSON_MAX_CELLS,
                               passage->cells->len);
        }
      passage->kind = plg_xml_is (node, "li") ? PLG_PASSAGE_ITEM : PLG_PASSAGE_PARAGRAPH;
      passage->spans = plg_lesson_xml_new_spans ();
      return plg_lesson_xml_read_spans (reader, node, passage->spans, error);
    }
  return g_strv_contains (others, (const char *) node->name) ||
         plg_lesson_xml_fail_misplaced (reader, node, error);
}

void
plg_lesson_xml_read_passages (const PlgLessonXml *reader,
                              const xmlNode *parent,
                              const char *const *others,
                              GPtrArray *passages)
{
  GError *problem = NULL;

  for (const xmlNode *node = parent->children; node != NULL; node = node->next)
    {
      read_part (reader, node, others, passages, &problem);
      plg_lesson_xml_keep_error (reader, &problem);
    }
}

const char *const plg_lesson_xml_no_names[] = { NULL };
