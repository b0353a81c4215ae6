/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <libxml/tree.h>

G_BEGIN_DECLS

/* Reads an untrusted XML file into libxml2's tree with safe limits, and keeps the place of each
 * element and attribute for messages and for changes in place. Refused before libxml2 reads
 * them: files above PLG_MAX_FILE_BYTES, encodings other than UTF-8, a DOCTYPE (and so every
 * entity of the file), and more elements, attributes or levels than the limits below. Nothing is
 * ever fetched, and no global state of libxml2 changes. */
typedef struct _PlgXml PlgXml;

#define PLG_XML_MAX_DEPTH 64
#define PLG_XML_MAX_ITEMS \
  100000                               /* elements, comments, processing instructions and CDATA
                                          sections */
#define PLG_XML_MAX_ATTRIBUTES 200000  /* in the file */
#define PLG_XML_MAX_TAG_ATTRIBUTES 128 /* in one element */
#define PLG_XML_MAX_NAMESPACES 128     /* declarations in the file */

/* Copies DATA. Errors are of PLG_FORMAT_ERROR and begin with "LINE:COLUMN: ". */
PlgXml *plg_xml_parse (const char *data, gsize size, GError **error);
void plg_xml_free (PlgXml *xml);

/* Returns the root element; never NULL. Continue with xmlFirstElementChild() and
 * xmlNextElementSibling(). */
xmlNode *plg_xml_root (const PlgXml *xml);

/* Returns whether NODE is an element with this name and without a namespace. */
gboolean plg_xml_is (const xmlNode *node, const char *name);
/* Returns the value of an attribute without a namespace, or NULL. Free with g_free(). */
char *plg_xml_attribute (const xmlNode *element, const char *name);
/* Returns all text inside the element. Free with g_free(). */
char *plg_xml_text (const xmlNode *element);

/* A range of bytes in the text; END is the first byte after the range. */
typedef struct
{
  gsize start;
  gsize end;
} PlgXmlRange;

/* Returns the range from "<" of the start tag to ">" of the end tag. */
PlgXmlRange plg_xml_element_range (const PlgXml *xml, const xmlNode *element);
/* Returns the range of the start tag, from "<" to ">" or "/>". */
PlgXmlRange plg_xml_tag_range (const PlgXml *xml, const xmlNode *element);
/* Returns the range between the tags; for <element/>, an empty range at the end of the tag. */
PlgXmlRange plg_xml_content_range (const PlgXml *xml, const xmlNode *element);
/* Sets the range of an attribute's value between its quotes, not decoded. Returns FALSE when
 * there is no such attribute. */
gboolean plg_xml_value_range (const PlgXml *xml,
                              const xmlNode *element,
                              const char *attribute,
                              PlgXmlRange *value);

/* Sets line and column, both from 1, of the name of an attribute, or of the element when
 * ATTRIBUTE is NULL or absent. The column counts characters. */
void plg_xml_get_position (const PlgXml *xml,
                           const xmlNode *element,
                           const char *attribute,
                           int *line,
                           int *column);

/* Sets ERROR to PLG_FORMAT_ERROR_CONTENT with "LINE:COLUMN: " before the message. Always returns
 * FALSE, so that a reader can return the result. */
gboolean plg_xml_fail (const PlgXml *xml,
                       const xmlNode *element,
                       const char *attribute,
                       GError **error,
                       const char *format,
                       ...) G_GNUC_PRINTF (5, 6);

/* Returns whether ELEMENT has only attributes of NAMES (up to a NULL). */
gboolean plg_xml_check_attributes (const PlgXml *xml,
                                   const xmlNode *element,
                                   const char *const *names,
                                   GError **error);

/* Returns whether the first element of the XML text DATA, after declarations and comments, is
 * NAME. Does not parse. */
gboolean plg_xml_begins (const char *data, gsize size, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgXml, plg_xml_free)

G_END_DECLS
