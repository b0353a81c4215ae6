/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/file-position.h"

#include <glib.h>
#include <libxml/tree.h>

G_BEGIN_DECLS

/* Reads an untrusted XML file into libxml2's tree with safe limits. Records the byte positions
 * of each element and attribute for error messages and for replacing text inside the file.
 * Before libxml2 reads the file, the reader refuses files above PLG_MAX_FILE_BYTES, encodings
 * other than UTF-8, a DOCTYPE (and so every entity in the file), and more elements, attributes
 * or levels than the limits below. The reader never fetches anything and changes no global state
 * of libxml2. */
typedef struct _PlgXml PlgXml;

#define PLG_XML_MAX_DEPTH 64
/* maximum number of elements, comments, processing instructions and CDATA sections in the file */
#define PLG_XML_MAX_ITEMS 100000
#define PLG_XML_MAX_ATTRIBUTES 200000  /* maximum number of attributes in the file */
#define PLG_XML_MAX_TAG_ATTRIBUTES 128 /* maximum number of attributes in one element */
#define PLG_XML_MAX_NAMESPACES 128     /* maximum number of namespace declarations in the file */

/* Parses a copy of DATA. Errors are in the domain PLG_FORMAT_ERROR and begin with "LINE:COLUMN:
 * ". */
PlgXml *plg_xml_parse (const char *data, gsize size, GError **error);
void plg_xml_free (PlgXml *xml);

/* Returns the root element, which is never NULL. Iterate with xmlFirstElementChild() and
 * xmlNextElementSibling(). */
xmlNode *plg_xml_root (const PlgXml *xml);

/* Returns whether NODE is an element with this name and without a namespace. */
gboolean plg_xml_is (const xmlNode *node, const char *name);
/* Returns the value of the attribute NAME without a namespace, or NULL; free with g_free(). */
char *plg_xml_attribute (const xmlNode *element, const char *name);
/* Returns all text inside the element; free with g_free(). */
char *plg_xml_text (const xmlNode *element);

/* A range of bytes in the text; END is the first byte after the range. */
typedef struct
{
  gsize start;
  gsize end;
} PlgXmlRange;

/* Returns the range of an element, from the "<" of the start tag to the ">" of the end tag. */
PlgXmlRange plg_xml_element_range (const PlgXml *xml, const xmlNode *element);
/* Returns the range of the start tag, from "<" to ">" or "/>". */
PlgXmlRange plg_xml_tag_range (const PlgXml *xml, const xmlNode *element);
/* Returns the range between the tags. For <element/>, returns an empty range at the end of the
 * tag. */
PlgXmlRange plg_xml_content_range (const PlgXml *xml, const xmlNode *element);
/* Sets *VALUE to the range between the quotes of an attribute's value, where the text is not yet
 * decoded. Returns FALSE if there is no such attribute. */
gboolean plg_xml_value_range (const PlgXml *xml,
                              const xmlNode *element,
                              const char *attribute,
                              PlgXmlRange *value);

/* Returns the position of the name of the attribute ATTRIBUTE. If ATTRIBUTE is NULL or the
 * element has no such attribute, returns the position of the element. */
PlgFilePosition plg_xml_position (const PlgXml *xml, const xmlNode *element, const char *attribute);

/* Sets ERROR to PLG_FORMAT_ERROR_CONTENT with "LINE:COLUMN: " before the message. Always returns
 * FALSE, so that a reader can return the result directly. */
gboolean plg_xml_fail (const PlgXml *xml,
                       const xmlNode *element,
                       const char *attribute,
                       GError **error,
                       const char *format,
                       ...) G_GNUC_PRINTF (5, 6);

/* Returns FALSE with ERROR if ELEMENT has an attribute that is not in NAMES (NULL-terminated). */
gboolean plg_xml_check_attributes (const PlgXml *xml,
                                   const xmlNode *element,
                                   const char *const *names,
                                   GError **error);

/* Returns whether the first element of the XML text DATA, after declarations and comments, is
 * NAME. Does not parse DATA. */
gboolean plg_xml_begins (const char *data, gsize size, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgXml, plg_xml_free)

G_END_DECLS
