/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/plan-svg.h"

#include "formats/xml-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NAMESPACE "urn:parallelogram:picture"

/* DATA after the next END, or NULL. */
static const char *
skip_past (const char *data, const char *limit, const char *end)
{
  const char *found = g_strstr_len (data, limit - data, end);

  return found != NULL ? found + strlen (end) : NULL;
}

static gboolean
begins_with (const char *data, const char *limit, const char *text)
{
  return (gsize) (limit - data) >= strlen (text) && strncmp (data, text, strlen (text)) == 0;
}

gboolean
plg_plan_svg_is (const char *data, gsize size)
{
  const char *limit = data + size;

  while (data != NULL)
    {
      while (data < limit && g_ascii_isspace (*data))
        data++;
      if (begins_with (data, limit, "<?"))
        data = skip_past (data, limit, "?>");
      else if (begins_with (data, limit, "<!--"))
        data = skip_past (data, limit, "-->");
      else if (begins_with (data, limit, "<!"))
        data = skip_past (data, limit, ">");
      else
        return begins_with (data, limit, "<svg");
    }
  return FALSE;
}

static gboolean
is_plan (const xmlNode *node)
{
  return node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, "plan") == 0 &&
         node->ns != NULL && node->ns->href != NULL &&
         strcmp ((const char *) node->ns->href, NAMESPACE) == 0;
}

/* The first that is found; the reader bounds how deep it goes. */
static const xmlNode *
find_plan (const xmlNode *node)
{
  for (; node != NULL; node = node->next)
    {
      const xmlNode *inside;

      if (is_plan (node))
        return node;
      inside = node->type == XML_ELEMENT_NODE ? find_plan (node->children) : NULL;
      if (inside != NULL)
        return inside;
    }
  return NULL;
}

PlgPlan *
plg_plan_svg_read (const char *data, gsize size, const PlgCatalogue *catalogue, GError **error)
{
  PlgXml *xml = plg_xml_parse (data, size, error);
  const xmlNode *element;
  g_autofree char *text = NULL;
  PlgPlan *plan;

  if (xml == NULL)
    return NULL;
  element = find_plan (plg_xml_root (xml));
  text = element != NULL ? plg_xml_text (element) : NULL;
  plg_xml_free (xml);
  if (text == NULL)
    {
      g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                           _ ("1:1: This SVG has no plan inside. Those that Parallelogram exports "
                              "have one, unless they were asked not to."));
      return NULL;
    }
  plan = plg_plan_xml_read (text, strlen (text), catalogue, NULL, error);
  if (plan == NULL)
    g_prefix_error (error, "%s", _ ("in the plan inside, "));
  return plan;
}
