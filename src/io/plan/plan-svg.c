/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/plan/plan-svg.h"
#include "io/import/error-position.h"

#include "syntax/xml-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NAMESPACE "urn:parallelogram:picture"

/* Returns the first plan element among NODE, its following siblings and all their descendants.
 * The XML parser limits the depth of the recursion. */
static const xmlNode *
find_plan (const xmlNode *node)
{
  for (; node != NULL; node = node->next)
    {
      const xmlNode *inside;

      if (node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, "plan") == 0 &&
          node->ns != NULL && node->ns->href != NULL &&
          strcmp ((const char *) node->ns->href, NAMESPACE) == 0)
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
                           _ ("This SVG contains no plan. SVG files exported by Parallelogram "
                              "contain one, unless embedding the plan was turned off."));
      plg_format_error_add_position (error, (PlgFilePosition) { 1, 1 });
      return NULL;
    }
  plan = plg_plan_xml_read (text, strlen (text), catalogue, NULL, error);
  if (plan == NULL)
    {
      g_prefix_error (error, "%s", _ ("in the embedded plan, "));
      /* Clear the error's line and column, because they refer to the embedded plan and not to
       * the file. */
      plg_error_add_position (error, (PlgFilePosition) { 0 });
    }
  return plan;
}

/* A plan read from a picture has no PlgPlanSource, because saving the plan writes a new plan
 * file and leaves the picture unchanged. */

static gboolean
is_svg (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "svg");
}

static gboolean
read_svg (PlgImportContext *context, GError **error)
{
  PlgPlan *plan = plg_plan_svg_read (context->data, context->size, context->catalogue, error);

  if (plan == NULL)
    return FALSE;
  plg_plan_free (context->plan);
  context->plan = plan;
  return TRUE;
}

const PlgFormat plg_plan_svg_format = {
  .name = "svg",
  .suffix = ".svg",
  .title = N_ ("Picture that contains its plan (SVG)"),
  .subject = PLG_SUBJECT_PLAN,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<svg>",
  .is = is_svg,
  .read = read_svg,
};
