/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan-schema.h"

#include "syntax/xml-reader.h"

#include <libxml/relaxng.h>

#include <string.h>

static void
ignore_message (void *data, const char *format, ...)
{
}

/* Returns the schema, which is kept until the process ends. */
static xmlRelaxNG *
load_schema (void)
{
  static xmlRelaxNG *schema;

  if (schema == NULL)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "plan.rng", NULL);
      xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt (path);

      schema = xmlRelaxNGParse (parser);
      xmlRelaxNGFreeParserCtxt (parser);
      g_assert_nonnull (schema);
    }
  return schema;
}

gboolean
plan_schema_accepts (const char *text)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (text, strlen (text), NULL);
  xmlRelaxNGValidCtxt *context = xmlRelaxNGNewValidCtxt (load_schema ());
  int result;

  g_assert_nonnull (xml);
  xmlRelaxNGSetValidErrors (context, ignore_message, ignore_message, NULL);
  result = xmlRelaxNGValidateDoc (context, plg_xml_root (xml)->doc);
  xmlRelaxNGFreeValidCtxt (context);
  return result == 0;
}
