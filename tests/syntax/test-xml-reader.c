/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/xml-reader.h"
#include "syntax/format-error.h"

#include <string.h>

/* A file that consists of HEAD, N copies of PIECE, and TAIL. */
typedef struct
{
  const char *name;
  const char *head;
  const char *piece;
  int n;
  const char *tail;
  int code;         /* -1: the file is read */
  const char *says; /* part of the message */
} Case;

#define DOCTYPE "DOCTYPE or an entity declaration"

static const Case cases[] = {
  { "smallest", "<a/>", "", 0, "", -1, NULL },
  { "byte order mark", "\xEF\xBB\xBF<a/>", "", 0, "", -1, NULL },
  { "declared UTF-8", "<?xml version='1.0' encoding='utf-8'?><a/>", "", 0, "", -1, NULL },
  { "carriage returns", "<a>\r\n", "<b/>\r\n", 9, "</a>\r\n", -1, NULL },
  { "own characters", "<a>", "&#65;&amp;&#x20AC;", 100, "</a>", -1, NULL },
  { "text of 10 MB", "<a>", "0123456789", 1000000, "</a>", -1, NULL },
  { "a tag in a comment", "<a><!-- <b> \" -->", "", 0, "<?x <b ?><![CDATA[<b>]]></a>", -1, NULL },
  { "> in a value", "<a b='>'><c d=\"'>\"/></a>", "", 0, "", -1, NULL },

  { "empty", "", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "1:1: The file is empty" },
  { "only space", "", " \n\t", 50, "", PLG_FORMAT_ERROR_SYNTAX, "1:1: The file is empty" },
  { "not closed", "<a>\n  <b>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "not well-formed XML" },
  { "one place only", "<a>\n  <b>\n</a>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX,
    "3:5: This is not well-formed XML: Opening and ending tag mismatch: b and a" },
  { "closed by another", "<a>\n  <b></c></a>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "2:" },
  { "value not closed", "<a b='", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "1:" },
  { "twice an attribute", "<a b='1'\n b='2'/>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "2:" },
  { "two roots", "<a/>\n<b/>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "2:1: " },
  { "no such prefix", "<a><x:b/></a>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "prefix" },
  { "invalid UTF-8", "<a>\n\xC3\xA4\xFF</a>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX,
    "2:2: Byte 0xFF" },
  { "UTF-16", "\xFF\xFE<", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "UTF-16" },
  { "Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "", 0, "",
    PLG_FORMAT_ERROR_SYNTAX, "“ISO-8859-1”" },
  { "UTF-7 that hides a DOCTYPE", "<?xml version='1.0' encoding='UTF-7'?>", "", 0,
    "+ADwAIQ-DOCTYPE a+AD4-<a/>", PLG_FORMAT_ERROR_SYNTAX, "“UTF-7”" },
  { "control character", "<a>\x01</a>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "1:4: " },
  { "binary",
    "\x7F"
    "ELF\x02\x01\x01",
    "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "1:" },
  { "unknown entity", "<a>\n&foo;</a>", "", 0, "", PLG_FORMAT_ERROR_SYNTAX, "foo" },

  { "DOCTYPE", "<?xml version='1.0'?>\n<!DOCTYPE a>\n<a/>", "", 0, "", PLG_FORMAT_ERROR_UNSAFE,
    "2:1: The file has a " DOCTYPE },
  { "external entity", "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", "", 0,
    "", PLG_FORMAT_ERROR_UNSAFE, DOCTYPE },
  { "external DTD", "<!DOCTYPE a SYSTEM 'http://localhost:1/a.dtd'><a/>", "", 0, "",
    PLG_FORMAT_ERROR_UNSAFE, DOCTYPE },
  { "billion laughs",
    "<!DOCTYPE a [<!ENTITY l0 'ha'><!ENTITY l1 '&l0;&l0;&l0;&l0;'><!ENTITY l2 '&l1;&l1;&l1;&l1;'>"
    "<!ENTITY l3 '&l2;&l2;&l2;&l2;'>]><a>",
    "&l3;", 1000, "</a>", PLG_FORMAT_ERROR_UNSAFE, DOCTYPE },
  { "DOCTYPE after a comment", "<!-- > --><!DOCTYPE a>", "", 0, "<a/>", PLG_FORMAT_ERROR_UNSAFE,
    DOCTYPE },

  { "a million levels", "", "<a>", 1000000, "", PLG_FORMAT_ERROR_UNSAFE, "64 levels" },
  { "a million levels, closed too soon", "", "<a>", 1000000, "</b>", PLG_FORMAT_ERROR_UNSAFE,
    "64 levels" },
  { "three million elements", "<a>", "<b/>", 3000000, "</a>", PLG_FORMAT_ERROR_UNSAFE,
    "100000 elements" },
  { "three million comments", "<a>", "<?x?>", 3000000, "</a>", PLG_FORMAT_ERROR_UNSAFE,
    "100000 elements" },
  { "a million attributes", "<a ", "b='' ", 1000000, "/>", PLG_FORMAT_ERROR_UNSAFE,
    "128 attributes" },
  { "many namespaces", "<a>", "<b xmlns:n='u'/>", 200, "</a>", PLG_FORMAT_ERROR_UNSAFE,
    "128 namespace" },
  { "more than 16 MiB", "<a>", "0123456789abcdef", (1 << 20) + 1, "</a>", PLG_FORMAT_ERROR_UNSAFE,
    "16 MiB" },

  /* In a flood of errors, the first error ends the reading. */
  { "many &", "<a>", "&", 10000000, "</a>", PLG_FORMAT_ERROR_SYNTAX, "1:" },
  { "many ]]>", "<a>", "]]>", 3000000, "</a>", PLG_FORMAT_ERROR_SYNTAX, "1:" },
  { "many --", "<a><!-- ", "-- ", 3000000, "--></a>", PLG_FORMAT_ERROR_SYNTAX, "1:" },
  { "many zero characters", "<a>", "&#0;", 3000000, "</a>", PLG_FORMAT_ERROR_SYNTAX, "1:" },
  { "name of 10 MB", "<", "a", 10000000, "/>", PLG_FORMAT_ERROR_SYNTAX, "1:" },
};

static GString *
make_text (const Case *c)
{
  GString *text = g_string_new (c->head);

  for (int i = 0; i < c->n; i++)
    g_string_append (text, c->piece);
  return g_string_append (text, c->tail);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  GString *text = make_text (c);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgXml) xml = plg_xml_parse (text->str, text->len, &error);

  if (c->code < 0)
    {
      g_assert_no_error (error);
      g_assert_nonnull (xml);
    }
  else
    {
      g_assert_error (error, PLG_FORMAT_ERROR, c->code);
      g_assert_null (xml);
      g_assert_nonnull (strstr (error->message, c->says));
      g_assert_true (g_regex_match_simple ("^[1-9][0-9]*:[1-9][0-9]*: [A-Z]", error->message, 0,
                                           0));
    }
  /* The limit is far above the usual time, even under valgrind, and far below the time of a
   * flood. */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * (gint64) G_USEC_PER_SEC);
  g_clear_pointer (&xml, plg_xml_free);
  g_string_free (text, TRUE);
}

static const char sample[] = "<?xml version='1.0'?>\n"
                             "<!-- <plan> -->\n"
                             "<plan version = \"1\">\n"
                             "  <title>ä &amp; b</title><notes/>\n"
                             "  <cluster\n"
                             "    nodes='8'\n"
                             "    node=\"a&quot;b\" x=''/>\n"
                             "</plan>\n";

static char *
range_text (PlgXmlRange range)
{
  return g_strndup (sample + range.start, range.end - range.start);
}

#define assert_range(range, text)                      \
  G_STMT_START                                         \
  {                                                    \
    g_autofree char *range_text_ = range_text (range); \
    g_assert_cmpstr (range_text_, ==, text);           \
  }                                                    \
  G_STMT_END

static void
assert_place (PlgXml *xml, const xmlNode *node, const char *attribute, int line, int column)
{
  PlgFilePosition got;

  got = plg_xml_position (xml, node, attribute);
  g_assert_cmpint (got.line, ==, line);
  g_assert_cmpint (got.column, ==, column);
}

static void
test_places (void)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (sample, strlen (sample), NULL);
  xmlNode *plan = plg_xml_root (xml);
  xmlNode *title = xmlFirstElementChild (plan);
  xmlNode *notes = xmlNextElementSibling (title);
  xmlNode *cluster = xmlNextElementSibling (notes);

  assert_place (xml, plan, NULL, 3, 1);
  assert_place (xml, plan, "version", 3, 7);
  assert_place (xml, title, NULL, 4, 3);
  /* The column counts characters: "ä" is one character. */
  assert_place (xml, notes, NULL, 4, 27);
  assert_place (xml, cluster, "node", 7, 5);
  assert_place (xml, cluster, "x", 7, 21);
  assert_place (xml, cluster, "not-there", 5, 3);
}

static void
test_ranges (void)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (sample, strlen (sample), NULL);
  xmlNode *plan = plg_xml_root (xml);
  xmlNode *title = xmlFirstElementChild (plan);
  xmlNode *notes = xmlNextElementSibling (title);
  xmlNode *cluster = xmlNextElementSibling (notes);
  PlgXmlRange value;

  assert_range (plg_xml_tag_range (xml, plan), "<plan version = \"1\">");
  assert_range (plg_xml_element_range (xml, title), "<title>ä &amp; b</title>");
  assert_range (plg_xml_content_range (xml, title), "ä &amp; b");
  assert_range (plg_xml_element_range (xml, notes), "<notes/>");
  assert_range (plg_xml_content_range (xml, notes), "");
  g_assert_true (plg_xml_value_range (xml, plan, "version", &value));
  assert_range (value, "1");
  g_assert_true (plg_xml_value_range (xml, cluster, "node", &value));
  assert_range (value, "a&quot;b");
  g_assert_true (plg_xml_value_range (xml, cluster, "x", &value));
  assert_range (value, "");
  g_assert_false (plg_xml_value_range (xml, cluster, "node\"", &value));
  g_assert_false (plg_xml_value_range (xml, title, "lang", &value));
}

static void
test_values (void)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (sample, strlen (sample), NULL);
  xmlNode *title = xmlFirstElementChild (plg_xml_root (xml));
  xmlNode *cluster = xmlLastElementChild (plg_xml_root (xml));
  g_autofree char *text = plg_xml_text (title);
  g_autofree char *node = plg_xml_attribute (cluster, "node");
  g_autofree char *none = plg_xml_attribute (cluster, "gpu");

  g_assert_true (plg_xml_is (cluster, "cluster"));
  g_assert_false (plg_xml_is (cluster, "clusters"));
  g_assert_cmpstr (text, ==, "ä & b");
  g_assert_cmpstr (node, ==, "a\"b");
  g_assert_null (none);
}

static void
test_namespaces (void)
{
  const char *text = "<a xmlns:n='urn:n'><n:b c='1' n:c='2'/></a>";
  g_autoptr (PlgXml) xml = plg_xml_parse (text, strlen (text), NULL);
  xmlNode *b = xmlFirstElementChild (plg_xml_root (xml));
  g_autofree char *c = plg_xml_attribute (b, "c");

  g_assert_false (plg_xml_is (b, "b"));
  g_assert_cmpstr (c, ==, "1");
}

/* A truncated or damaged file gives either a tree or a message. */
static void
test_damage (void)
{
  gsize size = strlen (sample);

  for (gsize at = 0; at < size; at++)
    for (int byte = -1; byte < 256; byte += 5)
      {
        g_autofree char *text = g_memdup2 (sample, size);
        g_autoptr (GError) error = NULL;
        g_autoptr (PlgXml) xml = NULL;

        if (byte >= 0)
          text[at] = (char) byte;
        xml = plg_xml_parse (text, byte < 0 ? at : size, &error);
        g_assert_true ((xml == NULL) == (error != NULL));
      }
}

static void
test_fail (void)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (sample, strlen (sample), NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (plg_xml_fail (xml, plg_xml_root (xml), "version", &error, "Not %d.", 2));
  g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
  g_assert_cmpstr (error->message, ==, "3:7: Not 2.");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/xml-reader/case/", cases[i].name, NULL);
      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/xml-reader/places", test_places);
  g_test_add_func ("/xml-reader/ranges", test_ranges);
  g_test_add_func ("/xml-reader/values", test_values);
  g_test_add_func ("/xml-reader/namespaces", test_namespaces);
  g_test_add_func ("/xml-reader/damage", test_damage);
  g_test_add_func ("/xml-reader/fail", test_fail);
  return g_test_run ();
}
