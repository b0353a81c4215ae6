/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson-private.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

/* Functions shared by lesson-xml.c, which reads steps and their effects, and lesson-xml-text.c,
 * which reads their text. If a function that returns a gboolean fails, its error has the line
 * and column of the problem. */

/* A lesson that is being read. */
typedef struct
{
  const PlgXml *xml;
  PlgLesson *lesson;
  GHashTable *ids;     /* set of the ids of steps and questions, because each id must be unique */
  GPtrArray *problems; /* array of GError: the problems found so far, each with its line and
                          column */
} PlgLessonXml;

/* If *PROBLEM is set, moves it to the problems in READER, so that reading can continue with the
 * next element. */
void plg_lesson_xml_keep_error (const PlgLessonXml *reader, GError **problem);
/* Returns TRUE if there are no problems. Otherwise returns FALSE and sets ERROR to all problems,
 * one per line. */
gboolean plg_lesson_xml_finish (const PlgLessonXml *reader, GError **error);

int plg_lesson_xml_line (const PlgLessonXml *reader, const xmlNode *element);
/* Reports that NODE is not allowed in its parent element. Returns FALSE. */
gboolean
plg_lesson_xml_fail_misplaced (const PlgLessonXml *reader, const xmlNode *node, GError **error);
/* Reads a required attribute into *VALUE; free *VALUE with g_free(). */
gboolean plg_lesson_xml_need_attribute (const PlgLessonXml *reader,
                                        const xmlNode *element,
                                        const char *name,
                                        char **value,
                                        GError **error);
/* Reads an id, which consists of lower-case letters, digits and hyphens and must be unique. */
gboolean plg_lesson_xml_read_id (const PlgLessonXml *reader,
                                 const xmlNode *element,
                                 char **id,
                                 GError **error);
/* Returns TEXT with each run of white space replaced by one space, as usual in XML; free with
 * g_free(). Does not replace characters that change the writing direction, because the functions
 * in xml-text.h handle them. */
char *plg_lesson_xml_collapse_spaces (const char *text);
/* Reads the text of ELEMENT into *LINE. The text may have at most MOST characters. */
gboolean plg_lesson_xml_read_line (const PlgLessonXml *reader,
                                   const xmlNode *element,
                                   int most,
                                   char **line,
                                   GError **error);
/* Splits "A=1 B=2" at spaces. Returns NULL if the text is empty. Free with g_strfreev(). */
char **plg_lesson_xml_split_words (const char *text);
/* Checks that there is no text between elements, because such text would be lost. */
gboolean
plg_lesson_xml_check_text (const PlgLessonXml *reader, const xmlNode *node, GError **error);

/* Returns whether NODE is a paragraph, an item, a formula, a picture or a table row. */
gboolean plg_lesson_xml_is_passage (const xmlNode *node);
GPtrArray *plg_lesson_xml_new_spans (void) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *plg_lesson_xml_new_passages (void) G_GNUC_WARN_UNUSED_RESULT;
gboolean plg_lesson_xml_read_spans (const PlgLessonXml *reader,
                                    const xmlNode *parent,
                                    GPtrArray *spans,
                                    GError **error);
/* Reads the passages in PARENT into PASSAGES. Skips the elements listed in OTHERS, and adds all
 * problems to those in READER. */
void plg_lesson_xml_read_passages (const PlgLessonXml *reader,
                                   const xmlNode *parent,
                                   const char *const *others,
                                   GPtrArray *passages);

/* An empty list, for functions that take the names of permitted attributes or of elements to
 * skip. */
extern const char *const plg_lesson_xml_no_names[];

G_END_DECLS
