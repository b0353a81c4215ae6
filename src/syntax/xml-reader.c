/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/xml-reader.h"

#include "syntax/format-error.h"

#include <glib/gi18n-lib.h>
#include <libxml/parser.h>
#include <string.h>

/* maximum length of a libxml2 message; the limit is needed because a message can contain a name
 * of any length */
#define MAX_MESSAGE 200

/* The byte positions of an element in the text. */
typedef struct
{
  guint32 start;       /* position of the "<" of the start tag */
  guint32 tag_end;     /* position after the ">" of the start tag */
  guint32 content_end; /* position of the "<" of the end tag; equal to tag_end if there is no end
                          tag */
  guint32 end;         /* position after the ">" of the end tag; equal to tag_end if there is no
                          end tag */
} Place;

struct _PlgXml
{
  char *data; /* the document's own copy, with a NUL after SIZE bytes */
  gsize size;
  xmlDoc *doc;
  GArray *places; /* array of Place in the order of the start tags; the _private member of an
                     element is the index of its Place plus 1 */
};

/* A pass over the tags that enforces the limits. It must refuse hostile files before libxml2
 * reads them, because libxml2 2.9 compares each attribute of a tag with all others and creates a
 * node for every comment. The pass can assume well-formed text, because libxml2 stops at the
 * first position that is not well-formed. */
typedef struct
{
  const char *data;
  gsize size;
  gsize at;
  GArray *places;
  guint open[PLG_XML_MAX_DEPTH];
  guint depth;
  guint items;
  guint attributes;
  guint namespaces;
} Scan;

static PlgFilePosition
position_at (const char *data, gsize offset)
{
  PlgFilePosition position = { .line = 1 };
  const char *start = data;

  for (const char *p = data; p < data + offset; p++)
    if (*p == '\n')
      {
        position.line++;
        start = p + 1;
      }
  position.column = (int) g_utf8_strlen (start, data + offset - start) + 1;
  return position;
}

static gboolean G_GNUC_PRINTF (5, 6) fail_at (const char *data,
                                              gsize offset,
                                              PlgFormatError code,
                                              GError **error,
                                              const char *format,
                                              ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist (position_at (data, offset), code, error, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
fail_limit (const Scan *scan, const char *what, int limit, GError **error)
{
  return fail_at (scan->data, scan->at, PLG_FORMAT_ERROR_UNSAFE, error,
                  _ ("The file has more than %d %s, which is more than any plan needs, so it was "
                     "not read."),
                  limit, what);
}

static gboolean
starts_with (const Scan *scan, const char *prefix)
{
  gsize length = strlen (prefix);

  return scan->size - scan->at >= length && memcmp (scan->data + scan->at, prefix, length) == 0;
}

/* Moves SCAN past the next END, or to the end of the text if there is no further END. */
static void
skip_past (Scan *scan, const char *end)
{
  const char *found = g_strstr_len (scan->data + scan->at, scan->size - scan->at, end);

  scan->at = found == NULL ? scan->size : (gsize) (found - scan->data) + strlen (end);
}

/* Moves SCAN to the ">" of the tag, or to the end of the text, and counts the attributes. */
static gboolean
scan_attributes (Scan *scan, GError **error)
{
  guint n = 0;

  for (; scan->at < scan->size && scan->data[scan->at] != '>'; scan->at++)
    {
      const char *p = scan->data + scan->at;
      const char *quote;

      if (g_ascii_isspace (p[-1]) && starts_with (scan, "xmlns") &&
          ++scan->namespaces > PLG_XML_MAX_NAMESPACES)
        return fail_limit (scan, _ ("namespace declarations"), PLG_XML_MAX_NAMESPACES, error);
      if (*p != '"' && *p != '\'')
        continue;
      if (++n > PLG_XML_MAX_TAG_ATTRIBUTES)
        return fail_limit (scan, _ ("attributes in one element"), PLG_XML_MAX_TAG_ATTRIBUTES,
                           error);
      if (++scan->attributes > PLG_XML_MAX_ATTRIBUTES)
        return fail_limit (scan, _ ("attributes"), PLG_XML_MAX_ATTRIBUTES, error);
      quote = memchr (p + 1, *p, scan->size - scan->at - 1);
      scan->at = quote == NULL ? scan->size - 1 : (gsize) (quote - scan->data);
    }
  return TRUE;
}

static gboolean
scan_item (Scan *scan, GError **error)
{
  if (starts_with (scan, "</"))
    {
      gsize start = scan->at;

      skip_past (scan, ">");
      if (scan->depth == 0)
        scan->at = scan->size;
      else
        {
          Place *place = &g_array_index (scan->places, Place, scan->open[--scan->depth]);
          place->content_end = start;
          place->end = scan->at;
        }
      return TRUE;
    }
  if (++scan->items > PLG_XML_MAX_ITEMS)
    return fail_limit (scan, _ ("elements and comments"), PLG_XML_MAX_ITEMS, error);

  if (starts_with (scan, "<!--"))
    {
      scan->at += strlen ("<!--");
      skip_past (scan, "-->");
    }
  else if (starts_with (scan, "<![CDATA["))
    skip_past (scan, "]]>");
  else if (starts_with (scan, "<?"))
    skip_past (scan, "?>");
  else if (starts_with (scan, "<!"))
    return fail_at (scan->data, scan->at, PLG_FORMAT_ERROR_UNSAFE, error,
                    _ ("The file has a DOCTYPE or an entity declaration, which can include other "
                       "files; remove it."));
  else
    {
      Place place = { .start = scan->at };
      gboolean empty;

      scan->at += 1;
      if (!scan_attributes (scan, error))
        return FALSE;
      if (scan->at >= scan->size)
        return TRUE;
      empty = scan->data[scan->at - 1] == '/';
      scan->at += 1;
      place.tag_end = place.content_end = place.end = scan->at;
      if (!empty)
        {
          if (scan->depth == PLG_XML_MAX_DEPTH)
            return fail_limit (scan, _ ("levels of elements"), PLG_XML_MAX_DEPTH, error);
          scan->open[scan->depth++] = scan->places->len;
        }
      g_array_append_val (scan->places, place);
      return TRUE;
    }
  return TRUE;
}

/* Refuses text that is not UTF-8 or that declares another encoding. libxml2 must read the same
 * characters as the scan, because another encoding, such as UTF-7, could hide a tag from the
 * scan. */
static gboolean
check_encoding (const char *data, gsize size, GError **error)
{
  g_autoptr (GRegex) regex = g_regex_new ("\\A(?:\\xEF\\xBB\\xBF)?<\\?xml\\s[^>]*?\\sencoding\\s*="
                                          "\\s*[\"']([^\"'>]*)",
                                          G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  const char *invalid;

  if (size >= 2 && (memcmp (data, "\xFE\xFF", 2) == 0 || memcmp (data, "\xFF\xFE", 2) == 0))
    return fail_at (data, 0, PLG_FORMAT_ERROR_SYNTAX, error,
                    _ ("The file is UTF-16; save it as UTF-8."));
  if (!g_utf8_validate (data, size, &invalid))
    {
      g_autofree char *why = plg_bad_byte_describe (*invalid);

      return fail_at (data, invalid - data, PLG_FORMAT_ERROR_SYNTAX, error, "%s", why);
    }
  if (g_regex_match_full (regex, data, MIN (size, 1024), 0, 0, &match, NULL))
    {
      g_autofree char *encoding = g_match_info_fetch (match, 1);
      g_autofree char *shown = plg_text_excerpt (encoding, MAX_MESSAGE);
      if (g_ascii_strcasecmp (encoding, "UTF-8") != 0)
        return fail_at (data, 0, PLG_FORMAT_ERROR_SYNTAX, error,
                        _ ("The file declares the encoding “%s”; save it as UTF-8."), shown);
    }
  return TRUE;
}

static gboolean
check_size (const char *data, gsize size, GError **error)
{
  if (size > PLG_MAX_FILE_BYTES)
    return fail_at (data, 0, PLG_FORMAT_ERROR_UNSAFE, error,
                    _ ("The file is larger than the limit of %d MiB, so it was not read."),
                    PLG_MAX_FILE_BYTES >> 20);
  for (gsize i = 0; i < size; i++)
    if (!g_ascii_isspace (data[i]))
      return TRUE;
  return fail_at (data, 0, PLG_FORMAT_ERROR_SYNTAX, error, _ ("The file is empty."));
}

/* Keeps the first error and stops libxml2, which would otherwise continue with text that the
 * scan has not checked. */
static void
keep_first_error (void *user_data, xmlError *xml_error)
{
  xmlParserCtxt *context = user_data;
  GError **error = context->_private;
  g_autofree char *valid = NULL;
  g_autofree char *bare = NULL;
  g_autofree char *message = NULL;

  if (*error != NULL || xml_error->level < XML_ERR_ERROR)
    return;
  valid = g_utf8_make_valid (xml_error->message != NULL ? xml_error->message : "?", -1);

  g_autoptr (GRegex) regex = g_regex_new (" line [0-9]+", 0, 0, NULL);

  bare = g_regex_replace_literal (regex, g_strchomp (valid), -1, 0, "", 0, NULL);
  message = plg_text_excerpt (bare, MAX_MESSAGE);
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_SYNTAX,
               _ ("This is not well-formed XML: %s"), message);
  plg_format_error_add_position (error, (PlgFilePosition) { MAX (xml_error->line, 1),
                                                            MAX (xml_error->int2, 1) });
  context->instate = XML_PARSER_EOF;
}

/* Returns the next element in the order of the start tags. */
static xmlNode *
next_element (xmlNode *node)
{
  xmlNode *next = xmlFirstElementChild (node);

  while (next == NULL && node != NULL && node->type == XML_ELEMENT_NODE)
    {
      next = xmlNextElementSibling (node);
      node = node->parent;
    }
  return next;
}

static gboolean
number_elements (PlgXml *xml)
{
  gsize n = 0;

  for (xmlNode *node = plg_xml_root (xml); node != NULL; node = next_element (node))
    node->_private = GSIZE_TO_POINTER (++n);
  return n == xml->places->len;
}

static gboolean
parse (PlgXml *xml, GError **error)
{
  if (!check_encoding (xml->data, xml->size, error))
    return FALSE;

  Scan scan = { .data = xml->data, .size = xml->size, .places = xml->places };
  const char *tag;

  while ((tag = memchr (xml->data + scan.at, '<', xml->size - scan.at)) != NULL)
    {
      scan.at = tag - xml->data;
      if (!scan_item (&scan, error))
        return FALSE;
    }

  xmlParserCtxt *context = xmlNewParserCtxt ();
  GError *first = NULL;
  xmlDoc *doc;

  context->_private = &first;
  context->sax->serror = keep_first_error;
  doc = xmlCtxtReadMemory (context, xml->data, (int) xml->size, NULL, NULL,
                           XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_COMPACT);
  xmlFreeParserCtxt (context);
  if (first == NULL && doc == NULL)
    fail_at (xml->data, 0, PLG_FORMAT_ERROR_SYNTAX, &first, _ ("This is not well-formed XML."));
  if (first != NULL)
    {
      g_clear_pointer (&doc, xmlFreeDoc);
      g_propagate_error (error, first);
    }
  xml->doc = doc;
  /* The scan and libxml2 read well-formed text in the same way. If they disagree, the positions
   * are wrong and the file is refused. */
  return xml->doc != NULL &&
         (number_elements (xml) || fail_at (xml->data, 0, PLG_FORMAT_ERROR_SYNTAX, error,
                                            _ ("This is not well-formed XML.")));
}

PlgXml *
plg_xml_parse (const char *data, gsize size, GError **error)
{
  PlgXml *xml;

  if (!check_size (data, size, error))
    return NULL;
  xml = g_new0 (PlgXml, 1);
  xml->data = g_malloc (size + 1);
  memcpy (xml->data, data, size);
  xml->data[size] = '\0';
  xml->size = size;
  xml->places = g_array_new (FALSE, FALSE, sizeof (Place));
  if (parse (xml, error))
    return xml;
  plg_xml_free (xml);
  return NULL;
}

void
plg_xml_free (PlgXml *xml)
{
  if (xml == NULL)
    return;
  g_clear_pointer (&xml->doc, xmlFreeDoc);
  g_array_unref (xml->places);
  g_free (xml->data);
  g_free (xml);
}

xmlNode *
plg_xml_root (const PlgXml *xml)
{
  return xmlDocGetRootElement (xml->doc);
}

gboolean
plg_xml_is (const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && node->ns == NULL &&
         g_str_equal ((const char *) node->name, name);
}

static char *
take_xml_string (xmlChar *string)
{
  char *copy = g_strdup ((const char *) string);

  if (string != NULL)
    xmlFree (string);
  return copy;
}

char *
plg_xml_attribute (const xmlNode *element, const char *name)
{
  return take_xml_string (xmlGetNoNsProp (element, (const xmlChar *) name));
}

char *
plg_xml_text (const xmlNode *element)
{
  return take_xml_string (xmlNodeGetContent (element));
}

static const Place *
place_of (const PlgXml *xml, const xmlNode *element)
{
  return &g_array_index (xml->places, Place, GPOINTER_TO_SIZE (element->_private) - 1);
}

PlgXmlRange
plg_xml_element_range (const PlgXml *xml, const xmlNode *element)
{
  const Place *place = place_of (xml, element);

  return (PlgXmlRange) { place->start, place->end };
}

PlgXmlRange
plg_xml_tag_range (const PlgXml *xml, const xmlNode *element)
{
  const Place *place = place_of (xml, element);

  return (PlgXmlRange) { place->start, place->tag_end };
}

PlgXmlRange
plg_xml_content_range (const PlgXml *xml, const xmlNode *element)
{
  const Place *place = place_of (xml, element);

  return (PlgXmlRange) { place->tag_end, place->content_end };
}

/* Finds `name = "value"` in a start tag that is known to be well-formed. */
static gboolean
find_attribute (const PlgXml *xml,
                const xmlNode *element,
                const char *attribute,
                PlgXmlRange *name,
                PlgXmlRange *value)
{
  PlgXmlRange tag = plg_xml_tag_range (xml, element);
  const char *space = " \t\r\n";
  const char *text = xml->data;
  gsize at = tag.start + strcspn (text + tag.start, " \t\r\n/>");

  for (;;)
    {
      at += strspn (text + at, space);
      if (text[at] == '/' || text[at] == '>')
        return FALSE;
      name->start = at;
      name->end = at += strcspn (text + at, " \t\r\n=");
      at += strspn (text + at, " \t\r\n=");
      value->start = at + 1;
      value->end = (const char *) strchr (text + at + 1, text[at]) - text;
      at = value->end + 1;
      if (name->end - name->start == strlen (attribute) &&
          strncmp (text + name->start, attribute, strlen (attribute)) == 0)
        return TRUE;
    }
}

gboolean
plg_xml_value_range (const PlgXml *xml,
                     const xmlNode *element,
                     const char *attribute,
                     PlgXmlRange *value)
{
  PlgXmlRange name;

  return find_attribute (xml, element, attribute, &name, value);
}

PlgFilePosition
plg_xml_position (const PlgXml *xml, const xmlNode *element, const char *attribute)
{
  gsize offset = place_of (xml, element)->start;
  PlgXmlRange name, value;

  if (attribute != NULL && find_attribute (xml, element, attribute, &name, &value))
    offset = name.start;
  return position_at (xml->data, offset);
}

gboolean
plg_xml_fail (const PlgXml *xml,
              const xmlNode *element,
              const char *attribute,
              GError **error,
              const char *format,
              ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist (plg_xml_position (xml, element, attribute), PLG_FORMAT_ERROR_CONTENT,
                          error, format, args);
  va_end (args);
  return FALSE;
}

gboolean
plg_xml_check_attributes (const PlgXml *xml,
                          const xmlNode *element,
                          const char *const *names,
                          GError **error)
{
  for (const xmlAttr *attr = element->properties; attr != NULL; attr = attr->next)
    if (!g_strv_contains (names, (const char *) attr->name))
      return plg_xml_fail (xml, element, (const char *) attr->name, error,
                           _ ("<%s> cannot have the attribute “%s”; remove it."),
                           (const char *) element->name, (const char *) attr->name);
  return TRUE;
}

static gboolean
begins_with (const char *data, const char *limit, const char *text)
{
  return (gsize) (limit - data) >= strlen (text) && strncmp (data, text, strlen (text)) == 0;
}

gboolean
plg_xml_begins (const char *data, gsize size, const char *name)
{
  static const struct
  {
    const char *start, *end;
  } skipped[] = { { "<?", "?>" }, { "<!--", "-->" }, { "<!", ">" } };
  const char *limit = data + size;
  gsize n = strlen (name);
  guint i;

  do
    {
      while (data < limit && g_ascii_isspace (*data))
        data++;
      for (i = 0; i < G_N_ELEMENTS (skipped) && !begins_with (data, limit, skipped[i].start); i++)
        ;
      if (i < G_N_ELEMENTS (skipped))
        {
          data = g_strstr_len (data, limit - data, skipped[i].end);
          if (data == NULL)
            return FALSE;
          data += strlen (skipped[i].end);
        }
    }
  while (i < G_N_ELEMENTS (skipped));
  return begins_with (data, limit, "<") && begins_with (data + 1, limit, name) &&
         (data + 1 + n == limit ||
          !(g_ascii_isalnum (data[1 + n]) || strchr ("-_.:", data[1 + n])));
}
