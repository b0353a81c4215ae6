/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

#include <libxml/tree.h>

G_BEGIN_DECLS

/* An XML file from anybody, parsed into libxml2's tree with safe limits, that remembers where
 * each element and attribute stands in the text: for messages, and for changing the text in place.
 *
 * Refused, before libxml2 sees them: more than PLG_MAX_FILE_BYTES, another encoding than UTF-8, a
 * DOCTYPE (and with it every entity of the file's own), and more elements, attributes or levels
 * than the limits below. Nothing is ever fetched, and no global state of libxml2 is changed. */
typedef struct _PlgXml PlgXml;

#define PLG_XML_MAX_DEPTH 64
#define PLG_XML_MAX_ITEMS 100000       /* elements, comments, processing instructions, CDATA */
#define PLG_XML_MAX_ATTRIBUTES 200000  /* in the file */
#define PLG_XML_MAX_TAG_ATTRIBUTES 128 /* of one element */
#define PLG_XML_MAX_NAMESPACES 128     /* declarations in the file */

/* DATA is copied. Errors are of PLG_FORMAT_ERROR and begin "LINE:COLUMN: ". */
PlgXml *plg_xml_parse (const char *data, gsize size, GError **error);
void plg_xml_free (PlgXml *xml);

/* The root element; never NULL. Walk on with xmlFirstElementChild(), xmlNextElementSibling(). */
xmlNode *plg_xml_root (const PlgXml *xml);

/* Whether NODE is an element of this name in no namespace. */
gboolean plg_xml_is (const xmlNode *node, const char *name);
/* The value of an attribute in no namespace, or NULL when there is none. g_free(). */
char *plg_xml_attribute (const xmlNode *element, const char *name);
/* All text inside. g_free(). */
char *plg_xml_text (const xmlNode *element);

/* Bytes of the text: END is the first byte after it. */
typedef struct
{
  gsize start;
  gsize end;
} PlgXmlRange;

/* From "<" of the start tag to ">" of the end tag. */
PlgXmlRange plg_xml_element_range (const PlgXml *xml, const xmlNode *element);
/* From "<" to ">" or "/>" of the start tag. */
PlgXmlRange plg_xml_tag_range (const PlgXml *xml, const xmlNode *element);
/* Between the tags; empty, at the end of the tag, for <element/>. */
PlgXmlRange plg_xml_content_range (const PlgXml *xml, const xmlNode *element);
/* The value of an attribute between its quotes, not decoded. FALSE when there is none. */
gboolean plg_xml_value_range (const PlgXml *xml,
                              const xmlNode *element,
                              const char *attribute,
                              PlgXmlRange *value);

/* Line and column, both from 1, of an attribute's name, or with ATTRIBUTE NULL or not there of the
 * element. The column counts characters. */
void plg_xml_get_position (const PlgXml *xml,
                           const xmlNode *element,
                           const char *attribute,
                           int *line,
                           int *column);

/* Sets ERROR to PLG_FORMAT_ERROR_CONTENT with "LINE:COLUMN: " before the message. Returns FALSE,
 * so that a reader can return it. */
gboolean plg_xml_fail (const PlgXml *xml,
                       const xmlNode *element,
                       const char *attribute,
                       GError **error,
                       const char *format,
                       ...) G_GNUC_PRINTF (5, 6);

/* Whether ELEMENT has none but the attributes NAMES (up to a NULL). */
gboolean plg_xml_check_attributes (const PlgXml *xml,
                                   const xmlNode *element,
                                   const char *const *names,
                                   GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgXml, plg_xml_free)

G_END_DECLS
