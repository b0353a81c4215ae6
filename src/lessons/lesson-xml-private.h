/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson-private.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

/* Shared by lesson-xml.c, which reads steps and their effects, and lesson-xml-text.c, which
 * reads their text. A function that returns a gboolean fails with the line and column of the
 * problem. */

/* A lesson during reading. */
typedef struct
{
  const PlgXml *xml;
  PlgLesson *lesson;
  GHashTable *ids;     /* ids of steps and questions, each unique */
  GPtrArray *problems; /* messages about the problems so far; each begins "LINE:COLUMN: " */
} PlgLessonXml;

/* Moves *PROBLEM, if it is set, to the problems of READER, so that reading continues with the
 * next element. */
void plg_lesson_xml_keep_error (const PlgLessonXml *reader, GError **problem);
/* Returns TRUE if there are no problems; else sets ERROR to all of them, one per line. */
gboolean plg_lesson_xml_finish (const PlgLessonXml *reader, GError **error);

int plg_lesson_xml_line (const PlgLessonXml *reader, const xmlNode *element);
/* Reports that NODE is not allowed at its place. */
gboolean
plg_lesson_xml_fail_misplaced (const PlgLessonXml *reader, const xmlNode *node, GError **error);
/* *VALUE: g_free(). */
gboolean plg_lesson_xml_need_attribute (const PlgLessonXml *reader,
                                        const xmlNode *element,
                                        const char *name,
                                        char **value,
                                        GError **error);
/* Reads a unique id of lower case letters, digits and hyphens. */
gboolean plg_lesson_xml_read_id (const PlgLessonXml *reader,
                                 const xmlNode *element,
                                 char **id,
                                 GError **error);
/* Replaces each run of white space by one space, as usual in XML. xml-text.h handles characters
 * that change the writing direction. g_free(). */
char *plg_lesson_xml_collapse_spaces (const char *text);
/* Reads the text of ELEMENT, at most MOST characters, into *LINE. */
gboolean plg_lesson_xml_read_line (const PlgLessonXml *reader,
                                   const xmlNode *element,
                                   int most,
                                   char **line,
                                   GError **error);
/* Splits "A=1 B=2" at spaces; NULL for an empty text. g_strfreev(). */
char **plg_lesson_xml_split_words (const char *text);
/* Fails for text between elements, which would be lost. */
gboolean
plg_lesson_xml_check_text (const PlgLessonXml *reader, const xmlNode *node, GError **error);

/* Whether NODE is a paragraph, an item, a formula or a picture. */
gboolean plg_lesson_xml_is_passage (const xmlNode *node);
GPtrArray *plg_lesson_xml_new_spans (void) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *plg_lesson_xml_new_passages (void) G_GNUC_WARN_UNUSED_RESULT;
gboolean plg_lesson_xml_read_spans (const PlgLessonXml *reader,
                                    const xmlNode *parent,
                                    GPtrArray *spans,
                                    GError **error);
/* Reads the passages of PARENT, skips the elements named in OTHERS and keeps the problems. */
void plg_lesson_xml_read_passages (const PlgLessonXml *reader,
                                   const xmlNode *parent,
                                   const char *const *others,
                                   GPtrArray *passages);

/* An empty list of names. */
extern const char *const plg_lesson_xml_no_names[];

G_END_DECLS
