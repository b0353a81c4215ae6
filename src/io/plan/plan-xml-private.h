/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/plan-source.h"
#include "syntax/xml-reader.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* The elements inside <plan>, in the order in which a new file has them. A file has each element
 * at most once, in any order. The attributes of a group are setting keys: "cluster.nodes" is
 * cluster/@nodes. */
typedef enum
{
  PLG_PLAN_TITLE,
  PLG_PLAN_NOTES,
  PLG_PLAN_CLUSTER,
  PLG_PLAN_NODE_MAP,
  PLG_PLAN_MODEL,
  PLG_PLAN_TRAINING,
  PLG_PLAN_PARALLELISM,
  PLG_PLAN_PLACEMENT,
  PLG_PLAN_ENGINE,
  PLG_PLAN_VIEW,
} PlgPlanElement;
#define PLG_PLAN_N_ELEMENTS 10

const char *plg_plan_element_name (PlgPlanElement element);
/* Returns the attribute of ELEMENT that stores SETTING, or NULL if another element stores
 * SETTING. */
const char *plg_plan_element_attribute (PlgPlanElement element, const PlgSetting *setting);
/* Fills ELEMENTS with the elements of the file. Missing elements are NULL. */
gboolean
plg_plan_xml_elements (const PlgXml *xml, xmlNode *elements[PLG_PLAN_N_ELEMENTS], GError **error);
/* Returns TEXT for a title, with each line break and the spaces around it replaced by one space;
 * free with g_free(). */
char *plg_plan_xml_one_line (const char *text);

/* Appends ELEMENT of PLAN as in a new file, with indentation and a line break. Appends nothing
 * if the element would be empty. */
void plg_plan_xml_append_element (GString *out, PlgPlanElement element, const PlgPlan *plan);
/* Appends the content of <node-map> with indentation. */
void plg_plan_xml_append_map (GString *out, const PlgNodeTopology *map);
/* Reads <node-map> into MAP. Leaves MAP unchanged on an error. */
gboolean plg_plan_xml_read_map (const PlgXml *xml,
                                const xmlNode *element,
                                PlgNodeTopology *map,
                                GError **error);
/* Returns the ranks of NODE in the order of its GPUs, such as "0 1 2 3 4 5 6 7"; free with
 * g_free(). */
char *plg_plan_xml_ranks_text (const int *rank_of_gpu, int node, int gpus_per_node);
/* Returns the source's text with the changed values of PLAN. If EVERY_VALUE is set, the text has
 * all other values of PLAN too. */
GBytes *
plg_plan_xml_write_changes (const PlgPlan *plan, const PlgPlanSource *source, gboolean every_value);

G_END_DECLS
