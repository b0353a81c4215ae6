/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-xml.h"
#include "io/import/error-position.h"
#include "io/plan/plan-xml-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* maximum number of unknown elements and attributes that the notice lists */
#define MAX_NOTED 5
/* Longer wrong names and values are cut in messages. */
#define SHOWN_CHARACTERS 40

typedef struct
{
  const PlgXml *xml;
  const PlgCatalogue *catalogue;
  xmlNode *root; /* <plan>: the outermost element, or the plan of a variant */
  xmlNode *elements[PLG_PLAN_N_ELEMENTS];
  PlgPlan *plan;
  gboolean is_variant; /* whether ROOT is the plan of a variant */
  gboolean is_newer;   /* whether a newer version of the program wrote the file */
  GPtrArray *unknown;  /* descriptions of unknown content, such as "<rack> (line 7)" */
} PlanReader;

/* Returns the PlgPlanElement of NODE, or -1. */
static int
element_of_node (const xmlNode *node)
{
  for (int i = 0; i < PLG_PLAN_N_ELEMENTS; i++)
    if (plg_xml_is (node, plg_plan_element_name (i)))
      return i;
  return -1;
}

gboolean
plg_plan_xml_elements (const PlgXml *xml,
                       xmlNode *root,
                       xmlNode *elements[PLG_PLAN_N_ELEMENTS],
                       GError **error)
{
  memset (elements, 0, PLG_PLAN_N_ELEMENTS * sizeof elements[0]);
  for (xmlNode *node = xmlFirstElementChild (root); node != NULL;
       node = xmlNextElementSibling (node))
    {
      int i = element_of_node (node);

      if (i < 0)
        continue;
      if (elements[i] != NULL)
        return plg_xml_fail (xml, node, NULL, error,
                             _ ("A plan has only one <%s>, and line %d already has it; remove "
                                "one."),
                             plg_plan_element_name (i),
                             plg_xml_position (xml, elements[i], NULL).line);
      elements[i] = node;
    }
  return TRUE;
}

/* Checks that the file is a plan, and reads its version. */
static gboolean
check_root (PlanReader *reader, GError **error)
{
  const PlgXml *xml = reader->xml;
  const xmlNode *root = reader->root;
  g_autofree char *version = plg_xml_attribute (root, "version");
  g_autofree char *name = plg_text_excerpt ((const char *) root->name, SHOWN_CHARACTERS);
  g_autofree char *shown = NULL;
  guint64 number;

  if (!plg_xml_is (root, "plan") && root->ns == NULL)
    return plg_xml_fail (xml, root, NULL, error,
                         _ ("This is not a plan: its outermost element is <%s>, not <plan>."),
                         name);
  if (!plg_xml_is (root, "plan"))
    {
      shown = plg_text_excerpt ((const char *) root->ns->href, SHOWN_CHARACTERS);
      return plg_xml_fail (xml, root, NULL, error,
                           _ ("This is not a plan: <%s> is in the namespace “%s”; plans have no "
                              "namespace."),
                           name, shown);
    }
  if (version == NULL)
    return plg_xml_fail (xml, root, NULL, error,
                         _ ("The plan has no version; write <plan version=\"%d\">."),
                         PLG_PLAN_XML_VERSION);
  reader->is_newer = g_ascii_string_to_unsigned (version, 10, 1, G_MAXINT, &number, NULL) &&
                     number > PLG_PLAN_XML_VERSION;
  if (reader->is_newer || g_str_equal (version, G_STRINGIFY (PLG_PLAN_XML_VERSION)))
    return TRUE;
  shown = plg_text_excerpt (version, SHOWN_CHARACTERS);
  return plg_xml_fail (xml, root, "version", error,
                       _ ("Version “%s” is not a positive whole number; write version=\"%d\"."),
                       shown, PLG_PLAN_XML_VERSION);
}

/* Returns TRUE if the file states all older settings of the model, as all files that this program
 * writes do. Newer settings that the file lacks then have their defaults, whatever the catalogue
 * says about a model with the name in the file. */
static gboolean
states_whole_model (const PlanReader *reader)
{
  const xmlNode *node = reader->elements[PLG_PLAN_MODEL];
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      const char *attribute = plg_plan_element_attribute (PLG_PLAN_MODEL, &settings[i]);
      g_autofree char *value = attribute != NULL ? plg_xml_attribute (node, attribute) : NULL;

      if (attribute != NULL && value == NULL && !plg_plan_xml_is_newer (&settings[i]))
        return FALSE;
    }
  return TRUE;
}

/* Reads the value of a setting. The types of data/plan.rng ignore blanks around a value. */
static gboolean
read_value (PlanReader *reader, const PlgSetting *setting, PlgPlanElement element, GError **error)
{
  const xmlNode *node = reader->elements[element];
  const char *attribute = plg_plan_element_attribute (element, setting);
  g_autofree char *value = attribute != NULL ? plg_xml_attribute (node, attribute) : NULL;
  g_autoptr (GError) reason = NULL;

  if (value == NULL && attribute != NULL && element == PLG_PLAN_MODEL &&
      plg_plan_xml_is_newer (setting) && states_whole_model (reader))
    value = plg_plan_xml_default (setting);
  if (value == NULL ||
      plg_setting_set (reader->plan, reader->catalogue, setting->key, g_strstrip (value), &reason))
    return TRUE;
  return plg_xml_fail (reader->xml, node, attribute, error, "%s", reason->message);
}

char *
plg_plan_xml_one_line (const char *text)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_auto (GStrv) parts = NULL;

  if (strpbrk (text, "\r\n") == NULL)
    return g_strdup (text);
  parts = g_strsplit_set (text, "\r\n", -1);
  for (int i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", parts[i]);
  return g_strdup (line->str);
}

/* Places the ranks of one node, which are listed in the order of its GPUs. */
static gboolean
read_ranks (PlanReader *reader, const xmlNode *node, int number, int *gpu_of_rank, GError **error)
{
  const char *space = " \t\r\n";
  int per_node = reader->plan->cluster.gpus_per_node;
  int size = plg_cluster_gpus (&reader->plan->cluster);
  g_autofree char *text = plg_xml_attribute (node, "ranks");
  const char *word = text != NULL ? text : "";
  gsize length;
  int local = 0;

  for (word += strspn (word, space); *word != '\0'; word += length + strspn (word + length, space))
    {
      int gpu = number * per_node + local;
      g_autofree char *rank_text = NULL;
      gint64 rank;

      length = strcspn (word, space);
      if (local == per_node)
        return plg_xml_fail (reader->xml, node, "ranks", error,
                             _ ("Node %d has more ranks than its %d GPUs; list one rank for each "
                                "GPU."),
                             number, per_node);
      rank_text = g_strndup (word, length);
      if (!g_ascii_string_to_signed (rank_text, 10, 0, size - 1, &rank, NULL))
        {
          g_autofree char *shown = plg_text_excerpt (rank_text, SHOWN_CHARACTERS);
          return plg_xml_fail (reader->xml, node, "ranks", error,
                               _ ("“%s” is not a rank of this plan; ranks must be from 0 to %d."),
                               shown, size - 1);
        }
      if (gpu_of_rank[rank] >= 0)
        return plg_xml_fail (reader->xml, node, "ranks", error,
                             _ ("Rank %d is placed twice, on node %d and on node %d; each rank has "
                                "one GPU."),
                             (int) rank, gpu_of_rank[rank] / per_node, number);
      gpu_of_rank[rank] = gpu;
      local++;
    }
  if (local == per_node)
    return TRUE;
  return plg_xml_fail (reader->xml, node, "ranks", error,
                       _ ("Node %d has %d ranks for %d GPUs; list one rank for each GPU."), number,
                       local, per_node);
}

static gboolean
read_placement (PlanReader *reader, GError **error)
{
  PlgPlacement *placement = &reader->plan->placement;
  const xmlNode *element = reader->elements[PLG_PLAN_PLACEMENT];
  int size = plg_cluster_gpus (&reader->plan->cluster);
  int nodes = reader->plan->cluster.nodes;
  int n = 0;

  plg_placement_clear (placement);
  /* Skip the placement of a cluster that exceeds the limit, because plg_plan_check() reports
   * such a cluster. */
  if (element == NULL || size > PLG_MAX_GPUS)
    return TRUE;
  plg_placement_expand (placement, size);
  for (int i = 0; i < size; i++)
    placement->gpu_of_rank[i] = -1;
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) element); node != NULL;
       node = xmlNextElementSibling (node))
    {
      if (!plg_xml_is (node, "node"))
        continue;
      if (n == nodes)
        return plg_xml_fail (reader->xml, node, NULL, error,
                             _ ("The placement has more nodes than the cluster, which has %d."),
                             nodes);
      if (!read_ranks (reader, node, n++, placement->gpu_of_rank, error))
        return FALSE;
    }
  if (n == nodes)
    return TRUE;
  return plg_xml_fail (reader->xml, element, NULL, error,
                       _ ("The placement has %d nodes, but the cluster has %d; list each node, "
                          "or remove <placement> to place ranks in the plan's order."),
                       n, nodes);
}

/* Checks the plan. An error gives the position of the element that caused it. */
static gboolean
check_plan (PlanReader *reader, GError **error)
{
  static const PlgPlanElement elements[] = {
    [PLG_PLAN_ERROR_RANGE] = PLG_PLAN_CLUSTER,
    [PLG_PLAN_ERROR_WORLD] = PLG_PLAN_PARALLELISM,
    [PLG_PLAN_ERROR_HEADS] = PLG_PLAN_PARALLELISM,
    [PLG_PLAN_ERROR_WIDTH] = PLG_PLAN_PARALLELISM,
    [PLG_PLAN_ERROR_LAYERS] = PLG_PLAN_PARALLELISM,
    [PLG_PLAN_ERROR_BATCH] = PLG_PLAN_TRAINING,
    [PLG_PLAN_ERROR_SEQUENCE] = PLG_PLAN_PARALLELISM,
    [PLG_PLAN_ERROR_EXPERTS] = PLG_PLAN_PARALLELISM,
    [PLG_PLAN_ERROR_SCHEDULE] = PLG_PLAN_TRAINING,
    [PLG_PLAN_ERROR_PLACEMENT] = PLG_PLAN_PLACEMENT,
    [PLG_PLAN_ERROR_PRECISION] = PLG_PLAN_TRAINING,
    [PLG_PLAN_ERROR_KEY] = PLG_PLAN_PARALLELISM,
  };
  GError *reason = NULL;
  const xmlNode *node;

  G_STATIC_ASSERT (G_N_ELEMENTS (elements) == PLG_PLAN_ERROR_KEY + 1);
  if (plg_plan_check (reader->plan, &reason))
    return TRUE;
  node = reader->elements[elements[reason->code]];
  plg_error_add_position (&reason,
                          plg_xml_position (reader->xml, node != NULL ? node : reader->root, NULL));
  g_propagate_error (error, reason);
  return FALSE;
}

static void
note_unknown (PlanReader *reader, const xmlNode *node, const char *attribute)
{
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;
  int line;

  if (reader->unknown->len > MAX_NOTED)
    return;
  name = plg_text_excerpt ((const char *) node->name, SHOWN_CHARACTERS);
  shown = plg_text_excerpt (attribute != NULL ? attribute : "", SHOWN_CHARACTERS);
  line = plg_xml_position (reader->xml, node, attribute).line;
  g_ptr_array_add (reader->unknown,
                   attribute == NULL
                       ? g_strdup_printf (_ ("<%s> (line %d)"), name, line)
                       : g_strdup_printf (_ ("%s of <%s> (line %d)"), shown, name, line));
}

static gboolean read_plan (PlanReader *reader, GError **error);

/* Reads one <variant> and appends it to the variants of the plan. */
static gboolean
read_variant (PlanReader *reader, xmlNode *node, GError **error)
{
  const PlgXml *xml = reader->xml;
  g_autofree char *name = plg_xml_attribute (node, "name");
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) reason = NULL;
  PlanReader nested = { .xml = xml, .catalogue = reader->catalogue, .is_variant = TRUE };
  PlgVariants *variants;

  for (xmlNode *child = xmlFirstElementChild (node); child != NULL;
       child = xmlNextElementSibling (child))
    {
      if (!plg_xml_is (child, "plan"))
        continue;
      if (nested.root != NULL)
        return plg_xml_fail (xml, child, NULL, error,
                             _ ("A variant has only one <plan>; put the other plan into a variant "
                                "of its own."));
      nested.root = child;
    }
  if (name == NULL)
    return plg_xml_fail (xml, node, NULL, error,
                         _ ("The variant has no name; write <variant name=\"…\">."));
  if (nested.root == NULL)
    return plg_xml_fail (xml, node, NULL, error,
                         _ ("The variant has no <plan>; write <plan version=\"%d\"> inside it."),
                         PLG_PLAN_XML_VERSION);
  plan = nested.plan = plg_catalogue_default_plan (reader->catalogue);
  if (!read_plan (&nested, error))
    return FALSE;
  reader->is_newer |= nested.is_newer;
  variants = plg_variants_add (reader->plan->variants, name, plan, &reason);
  if (variants == NULL)
    return plg_xml_fail (xml, node, "name", error, "%s", reason->message);
  plg_variants_unref (reader->plan->variants);
  reader->plan->variants = variants;
  return TRUE;
}

static gboolean
read_variants (PlanReader *reader, GError **error)
{
  xmlNode *element = reader->elements[PLG_PLAN_VARIANTS];

  if (element == NULL)
    return TRUE;
  if (reader->is_variant)
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("A variant has no variants of its own; move them to the outer plan."));
  for (xmlNode *node = xmlFirstElementChild (element); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "variant") && !read_variant (reader, node, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_plan (PlanReader *reader, GError **error)
{
  PlgCluster *cluster = &reader->plan->cluster;
  int *degree = reader->plan->parallelism.degree;
  const xmlNode *node;
  g_autofree char *title = NULL;
  g_autofree char *gpus_per_host = NULL;
  g_autofree char *dp = NULL;
  gint64 others;
  int n, gpus;
  const PlgSetting *settings = plg_settings (&n);

  if (!check_root (reader, error) ||
      !plg_plan_xml_elements (reader->xml, reader->root, reader->elements, error))
    return FALSE;
  /* In each element, read catalogue names before single values. A name sets many values, and a
   * single value in the file overrides the corresponding value from the name. */
  for (int i = 0; i < PLG_PLAN_N_ELEMENTS; i++)
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < n; j++)
        if (reader->elements[i] != NULL && (settings[j].kind == PLG_SETTING_NAME) == (pass == 0) &&
            !read_value (reader, &settings[j], i, error))
          return FALSE;

  node = reader->elements[PLG_PLAN_TITLE];
  title = node != NULL ? plg_xml_text (node) : g_strdup ("");
  g_free (reader->plan->title);
  reader->plan->title = plg_plan_xml_one_line (title);
  node = reader->elements[PLG_PLAN_NOTES];
  g_free (reader->plan->notes);
  reader->plan->notes = node != NULL ? plg_xml_text (node) : g_strdup ("");

  /* If the file does not state the GPUs per host, CLUSTER has the catalogue's number. If hosts
   * of this size do not fill a node evenly, make each node one host. */
  node = reader->elements[PLG_PLAN_CLUSTER];
  gpus_per_host = node != NULL ? plg_xml_attribute (node, "gpus-per-host") : NULL;
  if (gpus_per_host == NULL && cluster->gpus_per_host > 0 &&
      cluster->gpus_per_node % cluster->gpus_per_host != 0)
    cluster->gpus_per_host = 0;

  /* Derive a missing DP from the world size. */
  node = reader->elements[PLG_PLAN_PARALLELISM];
  dp = node != NULL ? plg_xml_attribute (node, "dp") : NULL;
  others = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  gpus = plg_cluster_gpus (cluster);
  if (dp == NULL && others <= gpus && gpus % others == 0)
    degree[PLG_AXIS_DP] = (int) (gpus / others);

  node = reader->elements[PLG_PLAN_NODE_MAP];
  plg_node_topology_clear (&reader->plan->node_topology);
  if (node == NULL)
    plg_catalogue_apply_topology (reader->catalogue, reader->plan);
  else if (!plg_plan_xml_read_map (reader->xml, node, &reader->plan->node_topology, error))
    return FALSE;
  return read_placement (reader, error) && check_plan (reader, error) &&
         read_variants (reader, error);
}

static PlgPlanSource *
source_new (PlanReader *reader, const char *data, gsize size)
{
  g_autoptr (GString) notice = g_string_new (NULL);
  guint n;

  /* Report unknown content only if it has no namespace, because it may then be a spelling
   * mistake. Unknown content in a namespace is an extension. */
  for (xmlNode *node = xmlFirstElementChild (plg_xml_root (reader->xml)); node != NULL;
       node = xmlNextElementSibling (node))
    {
      if (node->ns != NULL)
        continue;
      if (element_of_node (node) < 0)
        note_unknown (reader, node, NULL);
      else
        for (const xmlAttr *attribute = node->properties; attribute != NULL;
             attribute = attribute->next)
          {
            if (attribute->ns == NULL)
              {
                g_autofree char *key = g_strdup_printf ("%s.%s", (const char *) node->name,
                                                        (const char *) attribute->name);

                if (plg_setting_find (key) == NULL)
                  note_unknown (reader, node, (const char *) attribute->name);
              }
          }
    }

  n = MIN (reader->unknown->len, MAX_NOTED);
  if (reader->is_newer)
    g_string_append (notice, _ ("This plan was written by a newer version of Parallelogram. "
                                "Unknown content is kept."));
  if (n > 0)
    {
      g_string_append_printf (notice, "%s%s", notice->len > 0 ? " " : "",
                              _ ("Unknown content, kept unchanged:"));
      for (guint i = 0; i < n; i++)
        g_string_append_printf (notice, "%s %s", i > 0 ? "," : "",
                                (const char *) g_ptr_array_index (reader->unknown, i));
      g_string_append (notice, reader->unknown->len > n ? ", …" : ".");
    }
  return plg_plan_source_new (data, size, reader->plan, reader->catalogue,
                              notice->len > 0 ? g_strdup (notice->str) : NULL);
}

PlgPlan *
plg_plan_xml_read (const char *data,
                   gsize size,
                   const PlgCatalogue *catalogue,
                   PlgPlanSource **source,
                   GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  PlanReader reader = { .xml = xml, .catalogue = catalogue, .unknown = unknown };

  if (xml == NULL)
    return NULL;
  reader.root = plg_xml_root (xml);
  plan = reader.plan = plg_catalogue_default_plan (catalogue);
  if (!read_plan (&reader, error))
    return NULL;
  if (source != NULL)
    *source = source_new (&reader, data, size);
  return g_steal_pointer (&plan);
}
