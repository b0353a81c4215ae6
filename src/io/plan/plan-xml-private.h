/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/xml-reader.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* The elements inside <plan>, in the order in which a new file has them. Each comes at most once,
 * in any order. The attributes of a group are the keys of plan/setting.h: "cluster.nodes" is
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

struct _PlgPlanSource
{
  gatomicrefcount ref_count;
  GBytes *bytes;
  PlgPlan *plan; /* as read from BYTES */
  PlgCatalogue *catalogue;
  char *notice;
};

const char *plg_plan_element_name (PlgPlanElement element);
/* The attribute of ELEMENT that keeps SETTING, or NULL when it is another element's. */
const char *plg_plan_element_attribute (PlgPlanElement element, const PlgSetting *setting);
/* Fills ELEMENTS with those of the file, NULL where there is none. */
gboolean
plg_plan_xml_elements (const PlgXml *xml, xmlNode *elements[PLG_PLAN_N_ELEMENTS], GError **error);
/* A title is one line: a line break and the space around it become one space. g_free(). */
char *plg_plan_xml_one_line (const char *text);

/* ELEMENT of PLAN as a new file has it, with its indentation and a line break; nothing when it is
 * empty. */
void plg_plan_xml_append_element (GString *out, PlgPlanElement element, const PlgPlan *plan);
/* What is inside <node-map>, with its indentation. */
void plg_plan_xml_append_map (GString *out, const PlgNodeTopology *map);
/* MAP is left alone when the element is wrong. */
gboolean plg_plan_xml_read_map (const PlgXml *xml,
                                const xmlNode *element,
                                PlgNodeTopology *map,
                                GError **error);
/* The rank on each GPU. g_free(). */
int *plg_plan_xml_ranks_of_gpus (const PlgPlan *plan);
/* "0 1 2 3 4 5 6 7": the ranks of NODE in the order of its GPUs. g_free(). */
char *plg_plan_xml_ranks_text (const int *rank_of_gpu, int node, int gpus_per_node);
/* The source's text with what differs in PLAN; with EVERY_VALUE all other values too. */
GBytes *
plg_plan_xml_write_changes (const PlgPlan *plan, const PlgPlanSource *source, gboolean every_value);

G_END_DECLS
