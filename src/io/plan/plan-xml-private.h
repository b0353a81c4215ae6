/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/plan-source.h"
#include "syntax/xml-reader.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* The elements inside <plan>, in the order in which the program writes a new file. A file to be
 * read may have them in any order, each at most once. Attributes are named after setting keys:
 * cluster/@nodes stores "cluster.nodes". */
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
  PLG_PLAN_COST,
  PLG_PLAN_RELIABILITY,
  PLG_PLAN_ENGINE,
  PLG_PLAN_VIEW,
  PLG_PLAN_VARIANTS,
} PlgPlanElement;
#define PLG_PLAN_N_ELEMENTS 13

const char *plg_plan_element_name (PlgPlanElement element);
/* Returns the attribute of ELEMENT that stores SETTING, or NULL if another element stores
 * SETTING. */
const char *plg_plan_element_attribute (PlgPlanElement element, const PlgSetting *setting);
/* Returns whether a <plan> inside <variant> has ELEMENT. The title, the notes and the view belong to
 * the outer plan. */
gboolean plg_plan_element_is_in_variant (PlgPlanElement element);
/* Fills ELEMENTS with the elements of ROOT, a <plan>. Missing elements are NULL. */
gboolean plg_plan_xml_elements (const PlgXml *xml,
                                xmlNode *root,
                                xmlNode *elements[PLG_PLAN_N_ELEMENTS],
                                GError **error);
/* Returns TEXT as a one-line title: each line break and the spaces around it become one space.
 * Free with g_free(). */
char *plg_plan_xml_one_line (const char *text);

/* Returns TRUE if a file has SETTING only if its value differs from the default, because older files
 * do not have it. */
gboolean plg_plan_xml_is_newer (const PlgSetting *setting);
/* Returns the value of SETTING in a plan that does not state it. */
char *plg_plan_xml_default (const PlgSetting *setting);
/* Returns TRUE if a new file does not contain SETTING, an attribute of ELEMENT, because PLAN has
 * the default value. Only lists, the settings of <cost> and <reliability> and newer settings are
 * left out. */
gboolean
plg_plan_xml_omits (PlgPlanElement element, const PlgSetting *setting, const PlgPlan *plan);
/* Appends ELEMENT of PLAN in the format of a new file, with indentation and a line break.
 * Appends nothing if the element would be empty. */
void plg_plan_xml_append_element (GString *out, PlgPlanElement element, const PlgPlan *plan);
/* Appends VARIANT as an element <variant>, with indentation and a line break. */
void plg_plan_xml_append_variant (GString *out, const PlgVariant *variant);
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
/* Returns the source's text with the changed values of PLAN, or with all values of PLAN if
 * EVERY_VALUE is TRUE. */
GBytes *
plg_plan_xml_write_changes (const PlgPlan *plan, const PlgPlanSource *source, gboolean every_value);

G_END_DECLS
