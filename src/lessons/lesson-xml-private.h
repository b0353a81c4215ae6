/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson-private.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

/* Shared by lesson-xml.c, which reads steps and what they do, and lesson-xml-text.c, which reads
 * what they say. All that returns a gboolean fails with the line and column of what is wrong. */

/* A lesson that is being read. */
typedef struct
{
  const PlgXml *xml;
  PlgLesson *lesson;
  GHashTable *ids;     /* of steps and questions, each once */
  GPtrArray *problems; /* messages, of what was wrong so far; each begins "LINE:COLUMN: " */
} PlgLessonXml;

/* Keeps *SLIP, when there is one, and clears it, so that reading goes on with the next element. */
void plg_lesson_xml_keep_error (const PlgLessonXml *reader, GError **problem);
/* Whether nothing was kept; otherwise ERROR has all of it, a line each. */
gboolean plg_lesson_xml_finish (const PlgLessonXml *reader, GError **error);

int plg_lesson_xml_line (const PlgLessonXml *reader, const xmlNode *element);
/* NODE has no place where it is. */
gboolean
plg_lesson_xml_fail_misplaced (const PlgLessonXml *reader, const xmlNode *node, GError **error);
/* *VALUE: g_free(). */
gboolean plg_lesson_xml_need_attribute (const PlgLessonXml *reader,
                                        const xmlNode *element,
                                        const char *name,
                                        char **value,
                                        GError **error);
/* An id of lower case letters, digits and hyphens, that is there once. */
gboolean plg_lesson_xml_read_id (const PlgLessonXml *reader,
                                 const xmlNode *element,
                                 char **id,
                                 GError **error);
/* All space becomes one blank, as in any text of XML; of what turns letters around see xml-text.h.
 * g_free(). */
char *plg_lesson_xml_collapse_spaces (const char *text);
/* The text of ELEMENT, of MOST characters at most, in the place of *LINE. */
gboolean plg_lesson_xml_read_line (const PlgLessonXml *reader,
                                   const xmlNode *element,
                                   int most,
                                   char **line,
                                   GError **error);
/* "A=1 B=2" as words, or NULL where there are none. g_strfreev(). */
char **plg_lesson_xml_split_words (const char *text);
/* Text between elements would be lost. */
gboolean
plg_lesson_xml_check_text (const PlgLessonXml *reader, const xmlNode *node, GError **error);

/* Whether NODE is a paragraph, an item, a formula or a picture. */
gboolean plg_lesson_xml_is_passage (const xmlNode *node);
GPtrArray *plg_lesson_xml_new_spans (void);
GPtrArray *plg_lesson_xml_new_passages (void);
gboolean plg_lesson_xml_read_spans (const PlgLessonXml *reader,
                                    const xmlNode *parent,
                                    GPtrArray *spans,
                                    GError **error);
/* The passages of PARENT; elements of OTHERS are somebody else's. What is wrong with one is kept.
 */
void plg_lesson_xml_read_passages (const PlgLessonXml *reader,
                                   const xmlNode *parent,
                                   const char *const *others,
                                   GPtrArray *passages);

/* No names. */
extern const char *const plg_lesson_xml_no_names[];

G_END_DECLS
