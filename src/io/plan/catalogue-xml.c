/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/catalogue-xml.h"

#include "io/plan/catalogue-field.h"
#include "io/plan/plan-xml-private.h"
#include "syntax/xml-reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static const struct
{
  const char *element;
  const char *const *attributes;
} kinds[PLG_N_CATALOGUE_KINDS] = {
  { "gpu", (const char *const[]) { "name", "title", "source", "date", "link", NULL } },
  { "node", (const char *const[]) { "name", "title", "source", "date", "gpu", "intra", "network",
                                    "rdma", NULL } },
  { "model", (const char *const[]) { "name", "title", "source", "date", "gated", "tied", "norm",
                                     "biases", "mixer", NULL } },
};

static const char *const booleans[] = { "false", "true", NULL };
/* The names in catalogue files for PlgIntra and PlgNetwork, indexed by the enum value. */
static const char *const intras[] = { "nvswitch", "mesh", "pcie", NULL };
static const char *const networks[] = { "rail", "tree", "flat", NULL };
static const char *const norms[] = { "layer", "rms", NULL };
static const char *const mixers[] = { "none", "mamba2", "gated-delta-net", NULL };
G_STATIC_ASSERT (G_N_ELEMENTS (mixers) == PLG_N_MIXERS + 1);

typedef struct
{
  PlgCatalogueKind kind;
  union
  {
    PlgGpu gpu;
    PlgNode node;
    PlgTransformer model;
  } value;
  PlgNodeTopology map; /* owned; node topology of an entry of kind PLG_CATALOGUE_KIND_NODE */
  PlgConstant constants[PLG_CATALOGUE_MAX_FIELDS];
  int n_constants;
} Entry;

static void
entry_clear (gpointer data)
{
  Entry *entry = data;

  plg_node_topology_clear (&entry->map);
}

typedef struct
{
  const PlgXml *xml;
  const PlgCatalogue *catalogue;
  GArray *entries;       /* element-type Entry */
  GStringChunk *strings; /* owns the strings of the constants */
} Reader;

static gboolean
check_attributes (Reader *reader, xmlNode *element, const char *const *allowed, GError **error)
{
  for (xmlAttr *attribute = element->properties; attribute != NULL; attribute = attribute->next)
    {
      const char *name = (const char *) attribute->name;

      if (attribute->ns != NULL || !g_strv_contains (allowed, name))
        {
          g_autofree char *list = g_strjoinv (", ", (char **) allowed);
          return plg_xml_fail (reader->xml, element, name, error,
                               _ ("The attribute “%s” is not allowed here; use one of these: %s."),
                               name, list);
        }
    }
  return TRUE;
}

/* Returns the value of an attribute, owned by the reader, or NULL with ERROR if the attribute is
 * missing or empty. */
static const char *
required_attribute (Reader *reader, xmlNode *element, const char *name, GError **error)
{
  g_autofree char *value = plg_xml_attribute (element, name);

  if (value != NULL && *g_strstrip (value) != '\0')
    return g_string_chunk_insert_const (reader->strings, value);
  plg_xml_fail (reader->xml, element, name, error, _ ("The attribute “%s” is missing or empty."),
                name);
  return NULL;
}

/* Copies the text of the attribute NAME into MEMBER, which has PLG_NAME_SIZE bytes. */
static gboolean
read_text (Reader *reader, xmlNode *element, const char *name, char *member, GError **error)
{
  const char *value = required_attribute (reader, element, name, error);

  if (value == NULL)
    return FALSE;
  if (g_strlcpy (member, value, PLG_NAME_SIZE) >= PLG_NAME_SIZE)
    return plg_xml_fail (reader->xml, element, name, error,
                         _ ("“%s” has more than %d bytes; shorten it."), value, PLG_NAME_SIZE - 1);
  return TRUE;
}

static gboolean
read_name (Reader *reader, xmlNode *element, const char *name, char *member, GError **error)
{
  if (!read_text (reader, element, name, member, error))
    return FALSE;
  if (strspn (member, "abcdefghijklmnopqrstuvwxyz0123456789.-") != strlen (member))
    return plg_xml_fail (reader->xml, element, name, error,
                         _ ("“%s” is not a valid name: use lowercase letters, digits, “-” and "
                            "“.”."),
                         member);
  return TRUE;
}

static gboolean
read_choice (Reader *reader,
             xmlNode *element,
             const char *name,
             const char *const *choices,
             int *index,
             GError **error)
{
  const char *value = required_attribute (reader, element, name, error);
  g_autofree char *list = NULL;

  if (value == NULL)
    return FALSE;
  for (int i = 0; choices[i] != NULL; i++)
    if (g_str_equal (choices[i], value))
      return *index = i, TRUE;
  list = g_strjoinv (", ", (char **) choices);
  return plg_xml_fail (reader->xml, element, name, error, _ ("“%s” must be one of %s."), value,
                       list);
}

/* Reads the source and the date of a constant. If the constant has neither, uses those of its
 * entry. */
static gboolean
read_origin (Reader *reader, xmlNode *element, PlgConstant *constant, GError **error)
{
  gboolean has_own = xmlHasProp (element, (const xmlChar *) "source") != NULL ||
                     xmlHasProp (element, (const xmlChar *) "date") != NULL;
  xmlNode *from = has_own ? element : element->parent;
  g_autofree char *midnight = NULL;
  g_autoptr (GDateTime) time = NULL;

  constant->source = required_attribute (reader, from, "source", error);
  if (constant->source == NULL)
    return FALSE;
  constant->date = required_attribute (reader, from, "date", error);
  if (constant->date == NULL)
    return FALSE;
  midnight = g_strconcat (constant->date, "T00:00:00Z", NULL);
  time = g_date_time_new_from_iso8601 (midnight, NULL);
  /* ISO 8601 has several date formats, but only YYYY-MM-DD is accepted. */
  if (time == NULL || strlen (constant->date) != 10 || constant->date[4] != '-' ||
      constant->date[7] != '-')
    return plg_xml_fail (reader->xml, from, "date", error,
                         _ ("“%s” is not a date; write it as 2026-08-22."), constant->date);
  return TRUE;
}

/* Stores the value of CONSTANT in the struct member that FIELD describes. */
static gboolean
store_constant (Reader *reader,
                xmlNode *element,
                const PlgCatalogueField *field,
                const PlgConstant *constant,
                Entry *entry,
                GError **error)
{
  const PlgCatalogueUnit *unit = plg_catalogue_unit (constant->unit, field->quantity);
  g_autofree char *allowed = NULL;
  double value;

  if (unit == NULL)
    {
      allowed = plg_catalogue_unit_names (field->quantity);
      return plg_xml_fail (reader->xml, element, "unit", error,
                           _ ("“%s” is not a unit of %s; write %s."), constant->unit, field->name,
                           allowed);
    }
  value = constant->value * unit->times / unit->by;
  if (value < field->minimum || value > field->maximum)
    return plg_xml_fail (reader->xml, element, "value", error,
                         _ ("%s is %g %s, but must be between %g and %g."), field->name,
                         constant->value, constant->unit, field->minimum * unit->by / unit->times,
                         field->maximum * unit->by / unit->times);
  if (field->quantity == PLG_CATALOGUE_QUANTITY_COUNT && value != floor (value))
    return plg_xml_fail (reader->xml, element, "value", error,
                         _ ("%s is %g, but must be a whole number."), field->name, value);
  if (field->offset < 0)
    return TRUE;
  if (field->quantity == PLG_CATALOGUE_QUANTITY_COUNT)
    G_STRUCT_MEMBER (int, &entry->value, field->offset) = (int) value;
  else
    G_STRUCT_MEMBER (double, &entry->value, field->offset) = value;
  return TRUE;
}

static const PlgConstant *
find_constant (const Entry *entry, const char *name)
{
  for (int i = 0; i < entry->n_constants; i++)
    if (g_str_equal (entry->constants[i].name, name))
      return &entry->constants[i];
  return NULL;
}

static gboolean
read_constant (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  static const char *const attributes[] = { "name", "value", "unit", "source", "date", NULL };
  PlgConstant constant = { 0 };
  const PlgCatalogueField *field;
  const char *value;
  char *end;

  if (!plg_xml_is (element, "constant"))
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("“%s” is not recognised here; only “constant” is allowed."),
                         element->name);
  if (!check_attributes (reader, element, attributes, error))
    return FALSE;
  constant.name = required_attribute (reader, element, "name", error);
  if (constant.name == NULL)
    return FALSE;
  field = plg_catalogue_field (entry->kind, constant.name);
  if (field == NULL)
    return plg_xml_fail (reader->xml, element, "name", error, _ ("A %s has no constant “%s”."),
                         kinds[entry->kind].element, constant.name);
  if (find_constant (entry, constant.name) != NULL)
    return plg_xml_fail (reader->xml, element, "name", error,
                         _ ("“%s” is given twice; remove one of them."), constant.name);
  constant.unit = required_attribute (reader, element, "unit", error);
  if (constant.unit == NULL)
    return FALSE;
  value = required_attribute (reader, element, "value", error);
  if (value == NULL)
    return FALSE;
  constant.value = g_ascii_strtod (value, &end);
  if (*end != '\0' || !isfinite (constant.value))
    return plg_xml_fail (reader->xml, element, "value", error, _ ("“%s” is not a number."), value);
  if (!read_origin (reader, element, &constant, error) ||
      !store_constant (reader, element, field, &constant, entry, error))
    return FALSE;
  entry->constants[entry->n_constants++] = constant;
  return TRUE;
}

/* Stores the source and the date of the price in the GPU, because prices change often. */
static void
store_price_source (Entry *entry)
{
  const PlgConstant *price = find_constant (entry, "gpu-hour");
  char *source = entry->value.gpu.gpu_hour_source;
  const char *end;

  if (price == NULL)
    return;
  g_snprintf (source, PLG_SOURCE_SIZE, "%s, %s", price->source, price->date);
  /* The text may be cut inside a character. */
  if (!g_utf8_validate (source, -1, &end))
    source[end - source] = '\0';
}

static gboolean
read_gpu_attributes (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  return read_name (reader, element, "name", entry->value.gpu.name, error) &&
         read_text (reader, element, "title", entry->value.gpu.title, error) &&
         (!xmlHasProp (element, BAD_CAST "link") ||
          read_text (reader, element, "link", entry->value.gpu.link_title, error));
}

static gboolean
read_node_attributes (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  PlgNode *node = &entry->value.node;
  int intra = 0, network = 0, rdma = 0;

  if (!read_name (reader, element, "name", node->name, error) ||
      !read_text (reader, element, "title", node->title, error) ||
      !read_name (reader, element, "gpu", node->gpu, error) ||
      !read_choice (reader, element, "intra", intras, &intra, error) ||
      !read_choice (reader, element, "network", networks, &network, error) ||
      !read_choice (reader, element, "rdma", booleans, &rdma, error))
    return FALSE;
  node->intra = intra;
  node->network = network;
  node->rdma = rdma;
  return TRUE;
}

static gboolean
read_model_attributes (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  PlgTransformer *model = &entry->value.model;
  int mixer = PLG_MIXER_NONE;

  if (!read_name (reader, element, "name", model->name, error) ||
      !read_text (reader, element, "title", model->title, error) ||
      !read_choice (reader, element, "gated", booleans, &model->gated, error) ||
      !read_choice (reader, element, "tied", booleans, &model->tied, error) ||
      !read_choice (reader, element, "norm", norms, &model->rms_norm, error) ||
      !read_choice (reader, element, "biases", booleans, &model->biases, error) ||
      (xmlHasProp (element, BAD_CAST "mixer") &&
       !read_choice (reader, element, "mixer", mixers, &mixer, error)))
    return FALSE;
  model->mixer = mixer;
  return TRUE;
}

/* Checks that each precision has both a peak rate and an efficiency, or neither. */
static gboolean
check_gpu (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  const PlgGpu *gpu = &entry->value.gpu;

  for (int i = 0; i < PLG_N_PRECISIONS; i++)
    if ((gpu->peak[i] > 0) != (gpu->matrix_efficiency[i] > 0))
      return plg_xml_fail (reader->xml, element, NULL, error,
                           _ ("A peak needs a matrix-efficiency and vice versa: give both or "
                              "neither."));
  return TRUE;
}

/* Checks the node's map, and that the node's GPU is in the catalogue or in an earlier entry of
 * this file. */
static gboolean
check_node (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  const char *gpu = entry->value.node.gpu;
  const PlgNode *node = &entry->value.node;
  const PlgNodeTopology *map = &entry->map;

  if (!plg_node_topology_is_empty (map) &&
      (map->gpus != node->gpus || (map->nics != 0 && map->nics != node->nics)))
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("The node has %d GPUs and %d NICs, but its map has %d GPUs and %d "
                            "NICs."),
                         node->gpus, node->nics, map->gpus, map->nics);
  if (plg_catalogue_gpu (reader->catalogue, gpu) != NULL)
    return TRUE;
  for (guint i = 0; i < reader->entries->len; i++)
    {
      const Entry *other = &g_array_index (reader->entries, Entry, i);
      if (other->kind == PLG_CATALOGUE_KIND_GPU && g_str_equal (other->value.gpu.name, gpu))
        return TRUE;
    }
  return plg_xml_fail (reader->xml, element, "gpu", error,
                       _ ("GPU “%s” is not defined; define it before this node."), gpu);
}

static gboolean
check_model (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  const PlgTransformer *model = &entry->value.model;

  if (model->kv_heads > model->heads || model->heads % model->kv_heads != 0)
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("kv-heads is %d, but it must divide heads (%d) evenly."),
                         model->kv_heads, model->heads);
  if (model->experts > 0 && (model->top_k < 1 || model->top_k > model->experts ||
                             model->expert_ffn < 1 || model->dense_layers > model->layers))
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("Experts need a top-k between 1 and %d, an expert-ffn, and at most %d "
                            "dense-layers."),
                         model->experts, model->layers);
  if (model->kv_rank > 0 && (model->rope_dim < 1 || model->value_dim < 1))
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("kv-rank needs a rope-dim and a value-dim."));
  return TRUE;
}

typedef gboolean (*ReadFunc) (Reader *, xmlNode *, Entry *, GError **);
typedef gboolean (*CheckFunc) (Reader *, xmlNode *, const Entry *, GError **);

static gboolean
read_entry (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  static const ReadFunc read_attributes[PLG_N_CATALOGUE_KINDS] = { read_gpu_attributes,
                                                                   read_node_attributes,
                                                                   read_model_attributes };
  static const CheckFunc check[PLG_N_CATALOGUE_KINDS] = { check_gpu, check_node, check_model };
  static const char *const map_attributes[] = { "source", "date", NULL };
  int n;
  const PlgCatalogueField *fields = plg_catalogue_fields (entry->kind, &n);

  if (!check_attributes (reader, element, kinds[entry->kind].attributes, error) ||
      !read_attributes[entry->kind](reader, element, entry, error))
    return FALSE;
  for (xmlNode *child = xmlFirstElementChild (element); child != NULL;
       child = xmlNextElementSibling (child))
    {
      PlgConstant origin = { 0 };

      if (entry->kind != PLG_CATALOGUE_KIND_NODE || !plg_xml_is (child, "node-map"))
        {
          if (!read_constant (reader, child, entry, error))
            return FALSE;
          continue;
        }
      /* Besides the map, read its source and date, which a <node-map> in a plan does not have. */
      if (!plg_node_topology_is_empty (&entry->map))
        return plg_xml_fail (reader->xml, child, NULL, error,
                             _ ("“%s” is given twice; remove one of them."), child->name);
      if (!check_attributes (reader, child, map_attributes, error) ||
          !read_origin (reader, child, &origin, error) ||
          !plg_plan_xml_read_map (reader->xml, child, &entry->map, error))
        return FALSE;
    }
  for (int i = 0; i < n; i++)
    if (fields[i].required && find_constant (entry, fields[i].name) == NULL)
      return plg_xml_fail (reader->xml, element, NULL, error,
                           _ ("The constant “%s” is missing; add it with a value and a unit."),
                           fields[i].name);
  if (entry->kind == PLG_CATALOGUE_KIND_GPU)
    store_price_source (entry);
  return check[entry->kind](reader, element, entry, error);
}

gboolean
plg_catalogue_xml_read (PlgCatalogue *catalogue, const char *data, gsize size, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GStringChunk) strings = g_string_chunk_new (4096);
  Reader reader = { .xml = xml, .catalogue = catalogue, .entries = entries, .strings = strings };
  g_autofree char *version = NULL;
  xmlNode *root;

  g_array_set_clear_func (entries, entry_clear);
  if (xml == NULL)
    return FALSE;
  root = plg_xml_root (xml);
  version = plg_xml_attribute (root, "version");
  if (!plg_xml_is (root, "catalogue"))
    return plg_xml_fail (xml, root, NULL, error,
                         _ ("A catalogue file must begin with <catalogue version=\"1\">."));
  if (g_strcmp0 (version, "1") != 0)
    return plg_xml_fail (xml, root, "version", error,
                         _ ("The version of the catalogue must be 1."));
  for (xmlNode *node = xmlFirstElementChild (root); node; node = xmlNextElementSibling (node))
    {
      Entry entry = { 0 };

      while (entry.kind < PLG_N_CATALOGUE_KINDS && !plg_xml_is (node, kinds[entry.kind].element))
        entry.kind++;
      if (entry.kind == PLG_N_CATALOGUE_KINDS)
        return plg_xml_fail (xml, node, NULL, error,
                             _ ("“%s” is not recognised here; use gpu, node or model."),
                             node->name);
      if (!read_entry (&reader, node, &entry, error))
        {
          entry_clear (&entry);
          return FALSE;
        }
      g_array_append_val (entries, entry);
    }

  /* Add the entries only if the whole file is valid. */
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);
      const PlgConstant *constants = entry->constants;

      if (entry->kind == PLG_CATALOGUE_KIND_GPU)
        plg_catalogue_add_gpu (catalogue, &entry->value.gpu, constants, entry->n_constants);
      else if (entry->kind == PLG_CATALOGUE_KIND_NODE)
        plg_catalogue_add_node (catalogue, &entry->value.node, &entry->map, constants,
                                entry->n_constants);
      else
        plg_catalogue_add_model (catalogue, &entry->value.model, constants, entry->n_constants);
    }
  return TRUE;
}
