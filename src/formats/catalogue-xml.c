/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/catalogue-xml.h"
#include "formats/plg-formats-resources.h"
#include "formats/xml-reader.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define RESOURCES "/org/parallelogram/Parallelogram/catalogue/"

typedef enum
{
  QUANTITY_COUNT, /* whole numbers */
  QUANTITY_SHARE,
  QUANTITY_PARAMETERS,
  QUANTITY_FLOPS, /* a second */
  QUANTITY_BYTES,
  QUANTITY_BANDWIDTH, /* bytes a second */
  QUANTITY_TIME,
} Quantity;

/* What a file may write for each quantity. In SI it is value * times / by: no number here is
 * rounded, so that 3.4 µs is the very number that 3.4e-6 is elsewhere. */
typedef struct
{
  const char *name;
  Quantity quantity;
  double times;
  double by;
} Unit;

static const Unit units[] = {
  { "1", QUANTITY_COUNT, 1, 1 },           { "1", QUANTITY_SHARE, 1, 1 },
  { "10^9", QUANTITY_PARAMETERS, 1e9, 1 }, { "TFLOP/s", QUANTITY_FLOPS, 1e12, 1 },
  { "MiB", QUANTITY_BYTES, 1048576, 1 },   { "GiB", QUANTITY_BYTES, 1073741824, 1 },
  { "GB/s", QUANTITY_BANDWIDTH, 1e9, 1 },  { "Gb/s", QUANTITY_BANDWIDTH, 1e9, 8 },
  { "µs", QUANTITY_TIME, 1, 1e6 },
};

/* One constant that an entry may or must have. */
typedef struct
{
  const char *name;
  Quantity quantity;
  gboolean required;
  double minimum; /* in SI */
  double maximum;
  gssize offset; /* of an int for counts, of a double otherwise; -1: told, not computed with */
} Field;

#define PEAK(name, precision, required)                                                  \
  {                                                                                      \
    name, QUANTITY_FLOPS, required, 1e9, 1e18, G_STRUCT_OFFSET (PlgGpu, peak[precision]) \
  }
#define MATRIX(name, precision, required)                      \
  {                                                            \
    name, QUANTITY_SHARE, required, 0.01, 1,                   \
        G_STRUCT_OFFSET (PlgGpu, matrix_efficiency[precision]) \
  }

static const Field gpu_fields[] = {
  PEAK ("peak-bf16", PLG_PRECISION_BF16, FALSE),
  PEAK ("peak-fp16", PLG_PRECISION_FP16, TRUE),
  PEAK ("peak-fp8", PLG_PRECISION_FP8, FALSE),
  PEAK ("peak-fp32", PLG_PRECISION_FP32, TRUE),
  { "vector-peak", QUANTITY_FLOPS, TRUE, 1e9, 1e18, G_STRUCT_OFFSET (PlgGpu, vector_peak) },
  MATRIX ("matrix-efficiency-bf16", PLG_PRECISION_BF16, FALSE),
  MATRIX ("matrix-efficiency-fp16", PLG_PRECISION_FP16, TRUE),
  MATRIX ("matrix-efficiency-fp8", PLG_PRECISION_FP8, FALSE),
  MATRIX ("matrix-efficiency-fp32", PLG_PRECISION_FP32, TRUE),
  { "memory", QUANTITY_BYTES, TRUE, 1e6, 1e15, G_STRUCT_OFFSET (PlgGpu, memory) },
  { "memory-bandwidth", QUANTITY_BANDWIDTH, TRUE, 1e6, 1e16,
    G_STRUCT_OFFSET (PlgGpu, memory_bandwidth) },
  { "memory-efficiency", QUANTITY_SHARE, TRUE, 0.01, 1,
    G_STRUCT_OFFSET (PlgGpu, memory_efficiency) },
  { "link-bandwidth", QUANTITY_BANDWIDTH, TRUE, 0, 1e15, G_STRUCT_OFFSET (PlgGpu, link_bandwidth) },
  { "pcie-bandwidth", QUANTITY_BANDWIDTH, TRUE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgGpu, pcie_bandwidth) },
};

static const Field node_fields[] = {
  { "gpus", QUANTITY_COUNT, TRUE, 1, PLG_MAX_GPUS_PER_NODE, G_STRUCT_OFFSET (PlgNode, gpus) },
  { "nics", QUANTITY_COUNT, TRUE, 1, PLG_MAX_GPUS_PER_NODE, G_STRUCT_OFFSET (PlgNode, nics) },
  { "nic-bandwidth", QUANTITY_BANDWIDTH, TRUE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgNode, nic_bandwidth) },
  { "multicast", QUANTITY_COUNT, FALSE, 0, 1, G_STRUCT_OFFSET (PlgNode, multicast) },
  { "intra-efficiency", QUANTITY_SHARE, TRUE, 0.01, 1,
    G_STRUCT_OFFSET (PlgNode, intra_efficiency) },
  { "inter-efficiency", QUANTITY_SHARE, TRUE, 0.01, 1,
    G_STRUCT_OFFSET (PlgNode, inter_efficiency) },
  { "intra-latency", QUANTITY_TIME, TRUE, 0, 1, G_STRUCT_OFFSET (PlgNode, intra_latency) },
  { "inter-latency", QUANTITY_TIME, TRUE, 0, 1, G_STRUCT_OFFSET (PlgNode, inter_latency) },
};

#define COUNT(name, member, required, minimum, maximum)                                        \
  {                                                                                            \
    name, QUANTITY_COUNT, required, minimum, maximum, G_STRUCT_OFFSET (PlgTransformer, member) \
  }

static const Field model_fields[] = {
  { "parameters", QUANTITY_PARAMETERS, FALSE, 1, 1e18, -1 },
  { "active-parameters", QUANTITY_PARAMETERS, FALSE, 1, 1e18, -1 },
  COUNT ("layers", layers, TRUE, 1, 10000),
  COUNT ("hidden", hidden, TRUE, 1, 1000000),
  COUNT ("ffn", ffn, TRUE, 1, 10000000),
  COUNT ("heads", heads, TRUE, 1, 10000),
  COUNT ("kv-heads", kv_heads, TRUE, 1, 10000),
  COUNT ("head-dim", head_dim, TRUE, 1, 10000),
  COUNT ("vocabulary", vocabulary, TRUE, 1, 10000000),
  COUNT ("positions", positions, FALSE, 0, 10000000),
  COUNT ("experts", experts, FALSE, 0, 65536),
  COUNT ("top-k", top_k, FALSE, 0, 65536),
  COUNT ("expert-ffn", expert_ffn, FALSE, 0, 10000000),
  COUNT ("shared-experts", shared_experts, FALSE, 0, 1024),
  COUNT ("dense-layers", dense_layers, FALSE, 0, 10000),
  COUNT ("q-rank", q_rank, FALSE, 0, 1000000),
  COUNT ("kv-rank", kv_rank, FALSE, 0, 1000000),
  COUNT ("rope-dim", rope_dim, FALSE, 0, 10000),
  COUNT ("value-dim", value_dim, FALSE, 0, 10000),
  COUNT ("mtp-layers", mtp_layers, FALSE, 0, 100),
};

typedef enum
{
  KIND_GPU,
  KIND_NODE,
  KIND_MODEL,
} Kind;
#define N_KINDS 3

static const struct
{
  const char *element;
  const Field *fields;
  int n_fields;
  const char *const *attributes;
} kinds[N_KINDS] = {
  { "gpu", gpu_fields, G_N_ELEMENTS (gpu_fields),
    (const char *const[]) { "name", "title", "source", "date", "link", NULL } },
  { "node", node_fields, G_N_ELEMENTS (node_fields),
    (const char *const[]) { "name", "title", "source", "date", "gpu", "intra", "network", "rdma",
                            NULL } },
  { "model", model_fields, G_N_ELEMENTS (model_fields),
    (const char *const[]) { "name", "title", "source", "date", "gated", "tied", "norm", "biases",
                            NULL } },
};

static const char *const booleans[] = { "false", "true", NULL };
/* In the order of PlgIntra and PlgNetwork. */
static const char *const intras[] = { "nvswitch", "mesh", "pcie", NULL };
static const char *const networks[] = { "rail", "tree", "flat", NULL };
static const char *const norms[] = { "layer", "rms", NULL };

#define MAX_FIELDS G_N_ELEMENTS (model_fields)

typedef struct
{
  Kind kind;
  union
  {
    PlgGpu gpu;
    PlgNode node;
    PlgTransformer model;
  } value;
  PlgConstant constants[MAX_FIELDS];
  int n_constants;
} Entry;

typedef struct
{
  const PlgXml *xml;
  const PlgCatalogue *catalogue;
  GArray *entries;       /* Entry */
  GStringChunk *strings; /* what the constants point to */
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
                               _ ("There is no attribute “%s” here; there are %s."), name, list);
        }
    }
  return TRUE;
}

/* The value of an attribute, kept with the reader's strings; NULL with ERROR when it is missing. */
static const char *
required (Reader *reader, xmlNode *element, const char *name, GError **error)
{
  g_autofree char *value = plg_xml_attribute (element, name);

  if (value != NULL && *g_strstrip (value) != '\0')
    return g_string_chunk_insert_const (reader->strings, value);
  plg_xml_fail (reader->xml, element, name, error, _ ("The attribute “%s” is missing or empty."),
                name);
  return NULL;
}

/* Copies a name or title into its member. */
static gboolean
read_text (Reader *reader, xmlNode *element, const char *name, char *member, GError **error)
{
  const char *value = required (reader, element, name, error);

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
                         _ ("“%s” is no name: use small letters, digits, “-” and “.”."), member);
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
  const char *value = required (reader, element, name, error);
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

static gboolean
is_date (const char *text)
{
  g_autofree char *midnight = g_strconcat (text, "T00:00:00Z", NULL);
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (midnight, NULL);

  /* ISO 8601 has other ways to write a date; one is enough. */
  return time != NULL && strlen (text) == 10 && text[4] == '-' && text[7] == '-';
}

/* Where a constant was read and when: its own, or else what the entry says. */
static gboolean
read_origin (Reader *reader, xmlNode *element, PlgConstant *constant, GError **error)
{
  gboolean own = xmlHasProp (element, (const xmlChar *) "source") != NULL ||
                 xmlHasProp (element, (const xmlChar *) "date") != NULL;
  xmlNode *from = own ? element : element->parent;

  constant->source = required (reader, from, "source", error);
  if (constant->source == NULL)
    return FALSE;
  constant->date = required (reader, from, "date", error);
  if (constant->date == NULL)
    return FALSE;
  if (!is_date (constant->date))
    return plg_xml_fail (reader->xml, from, "date", error,
                         _ ("“%s” is no date; write it as 2026-08-22."), constant->date);
  return TRUE;
}

static const Field *
find_field (Kind kind, const char *name)
{
  for (int i = 0; i < kinds[kind].n_fields; i++)
    if (g_str_equal (kinds[kind].fields[i].name, name))
      return &kinds[kind].fields[i];
  return NULL;
}

static const Unit *
find_unit (const char *name, Quantity quantity)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].quantity == quantity && g_str_equal (units[i].name, name))
      return &units[i];
  return NULL;
}

static char *
unit_names (Quantity quantity)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].quantity == quantity)
      g_ptr_array_add (names, (gpointer) units[i].name);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

static gboolean
read_number (Reader *reader, xmlNode *element, double *value, GError **error)
{
  const char *text = required (reader, element, "value", error);
  char *end;

  if (text == NULL)
    return FALSE;
  *value = g_ascii_strtod (text, &end);
  if (*end != '\0' || !isfinite (*value))
    return plg_xml_fail (reader->xml, element, "value", error, _ ("“%s” is no number."), text);
  return TRUE;
}

/* Puts CONSTANT into the member that FIELD names. */
static gboolean
store (Reader *reader,
       xmlNode *element,
       const Field *field,
       const PlgConstant *constant,
       Entry *entry,
       GError **error)
{
  const Unit *unit = find_unit (constant->unit, field->quantity);
  g_autofree char *allowed = NULL;
  double value;

  if (unit == NULL)
    {
      allowed = unit_names (field->quantity);
      return plg_xml_fail (reader->xml, element, "unit", error,
                           _ ("“%s” is no unit of %s; write %s."), constant->unit, field->name,
                           allowed);
    }
  value = constant->value * unit->times / unit->by;
  if (value < field->minimum || value > field->maximum)
    return plg_xml_fail (reader->xml, element, "value", error,
                         _ ("%s is %g %s, but must be between %g and %g."), field->name,
                         constant->value, constant->unit, field->minimum * unit->by / unit->times,
                         field->maximum * unit->by / unit->times);
  if (field->quantity == QUANTITY_COUNT && value != floor (value))
    return plg_xml_fail (reader->xml, element, "value", error,
                         _ ("%s is %g, but must be a whole number."), field->name, value);
  if (field->offset < 0)
    return TRUE;
  if (field->quantity == QUANTITY_COUNT)
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
  const Field *field;

  if (!plg_xml_is (element, "constant"))
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("“%s” is not known here; only “constant” is."), element->name);
  if (!check_attributes (reader, element, attributes, error))
    return FALSE;
  constant.name = required (reader, element, "name", error);
  if (constant.name == NULL)
    return FALSE;
  field = find_field (entry->kind, constant.name);
  if (field == NULL)
    return plg_xml_fail (reader->xml, element, "name", error, _ ("A %s has no constant “%s”."),
                         kinds[entry->kind].element, constant.name);
  if (find_constant (entry, constant.name) != NULL)
    return plg_xml_fail (reader->xml, element, "name", error,
                         _ ("“%s” is said twice; remove one of them."), constant.name);
  constant.unit = required (reader, element, "unit", error);
  if (constant.unit == NULL || !read_number (reader, element, &constant.value, error) ||
      !read_origin (reader, element, &constant, error) ||
      !store (reader, element, field, &constant, entry, error))
    return FALSE;
  entry->constants[entry->n_constants++] = constant;
  return TRUE;
}

static gboolean
check_complete (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  for (int i = 0; i < kinds[entry->kind].n_fields; i++)
    {
      const Field *field = &kinds[entry->kind].fields[i];

      if (field->required && find_constant (entry, field->name) == NULL)
        return plg_xml_fail (reader->xml, element, NULL, error,
                             _ ("The constant “%s” is missing; add it with value and unit."),
                             field->name);
    }
  return TRUE;
}

static gboolean
read_gpu_words (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  return read_name (reader, element, "name", entry->value.gpu.name, error) &&
         read_text (reader, element, "title", entry->value.gpu.title, error) &&
         (!xmlHasProp (element, BAD_CAST "link") ||
          read_text (reader, element, "link", entry->value.gpu.link_title, error));
}

static gboolean
read_node_words (Reader *reader, xmlNode *element, Entry *entry, GError **error)
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
read_model_words (Reader *reader, xmlNode *element, Entry *entry, GError **error)
{
  PlgTransformer *model = &entry->value.model;

  return read_name (reader, element, "name", model->name, error) &&
         read_text (reader, element, "title", model->title, error) &&
         read_choice (reader, element, "gated", booleans, &model->gated, error) &&
         read_choice (reader, element, "tied", booleans, &model->tied, error) &&
         read_choice (reader, element, "norm", norms, &model->rms_norm, error) &&
         read_choice (reader, element, "biases", booleans, &model->biases, error);
}

/* A peak and what is reached of it belong together. */
static gboolean
check_gpu (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  const PlgGpu *gpu = &entry->value.gpu;

  for (int i = 0; i < PLG_N_PRECISIONS; i++)
    if ((gpu->peak[i] > 0) != (gpu->matrix_efficiency[i] > 0))
      return plg_xml_fail (reader->xml, element, NULL, error,
                           _ ("A peak and a matrix-efficiency go together: give both or none."));
  return TRUE;
}

/* The GPU of a node must be there already, or in this file. */
static gboolean
check_node (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  const char *gpu = entry->value.node.gpu;

  if (plg_catalogue_gpu (reader->catalogue, gpu) != NULL)
    return TRUE;
  for (guint i = 0; i < reader->entries->len; i++)
    {
      const Entry *other = &g_array_index (reader->entries, Entry, i);
      if (other->kind == KIND_GPU && g_str_equal (other->value.gpu.name, gpu))
        return TRUE;
    }
  return plg_xml_fail (reader->xml, element, "gpu", error,
                       _ ("There is no GPU “%s”; put it before this node."), gpu);
}

static gboolean
check_model (Reader *reader, xmlNode *element, const Entry *entry, GError **error)
{
  const PlgTransformer *model = &entry->value.model;

  if (model->kv_heads > model->heads || model->heads % model->kv_heads != 0)
    return plg_xml_fail (reader->xml, element, NULL, error,
                         _ ("kv-heads is %d, but must divide heads, %d."), model->kv_heads,
                         model->heads);
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
  static const ReadFunc read_words[N_KINDS] = { read_gpu_words, read_node_words, read_model_words };
  static const CheckFunc check[N_KINDS] = { check_gpu, check_node, check_model };
  xmlNode *child = xmlFirstElementChild (element);

  if (!check_attributes (reader, element, kinds[entry->kind].attributes, error) ||
      !read_words[entry->kind](reader, element, entry, error))
    return FALSE;
  for (; child != NULL; child = xmlNextElementSibling (child))
    if (!read_constant (reader, child, entry, error))
      return FALSE;
  return check_complete (reader, element, entry, error) &&
         check[entry->kind](reader, element, entry, error);
}

static gboolean
read_entries (Reader *reader, GError **error)
{
  xmlNode *root = plg_xml_root (reader->xml);
  g_autofree char *version = plg_xml_attribute (root, "version");

  if (!plg_xml_is (root, "catalogue"))
    return plg_xml_fail (reader->xml, root, NULL, error,
                         _ ("A catalogue file begins with <catalogue version=\"1\">."));
  if (g_strcmp0 (version, "1") != 0)
    return plg_xml_fail (reader->xml, root, "version", error,
                         _ ("The version of the catalogue must be 1."));
  for (xmlNode *node = xmlFirstElementChild (root); node; node = xmlNextElementSibling (node))
    {
      Entry entry = { 0 };

      while (entry.kind < N_KINDS && !plg_xml_is (node, kinds[entry.kind].element))
        entry.kind++;
      if (entry.kind == N_KINDS)
        return plg_xml_fail (reader->xml, node, NULL, error,
                             _ ("“%s” is not known here; there are gpu, node and model."),
                             node->name);
      if (!read_entry (reader, node, &entry, error))
        return FALSE;
      g_array_append_val (reader->entries, entry);
    }
  return TRUE;
}

static void
add_entries (PlgCatalogue *catalogue, const GArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      switch (entry->kind)
        {
        case KIND_GPU:
          plg_catalogue_add_gpu (catalogue, &entry->value.gpu, entry->constants,
                                 entry->n_constants);
          break;
        case KIND_NODE:
          plg_catalogue_add_node (catalogue, &entry->value.node, entry->constants,
                                  entry->n_constants);
          break;
        case KIND_MODEL:
        default:
          plg_catalogue_add_model (catalogue, &entry->value.model, entry->constants,
                                   entry->n_constants);
          break;
        }
    }
}

gboolean
plg_catalogue_xml_read (PlgCatalogue *catalogue, const char *data, gsize size, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GStringChunk) strings = g_string_chunk_new (4096);
  Reader reader = { .xml = xml, .catalogue = catalogue, .entries = entries, .strings = strings };

  /* A file comes in whole or not at all. */
  if (xml == NULL || !read_entries (&reader, error))
    return FALSE;
  add_entries (catalogue, entries);
  return TRUE;
}

static void
load_resource (PlgCatalogue *catalogue, const char *name)
{
  g_autofree char *path = g_strconcat (RESOURCES, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resource_lookup_data (plg_formats_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  /* Compiled in, and read by the tests: what is wrong here is wrong with the program. */
  if (bytes == NULL || !plg_catalogue_xml_read (catalogue, g_bytes_get_data (bytes, NULL),
                                                g_bytes_get_size (bytes), &error))
    g_error ("%s:%s", name, error->message);
}

/* Adds a file of the person's own; what is wrong with it goes into WARNINGS. */
static void
load_file (PlgCatalogue *catalogue, const char *path, GString *warnings)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *place = g_strconcat (path, ":", NULL);
  GStatBuf status;
  gsize size;

  if (g_stat (path, &status) == 0 &&
      (!S_ISREG (status.st_mode) || status.st_size > PLG_MAX_FILE_BYTES))
    g_set_error (&error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
                 _ ("This is no file of at most %d bytes."), PLG_MAX_FILE_BYTES);
  else if (g_file_get_contents (path, &data, &size, &error))
    plg_catalogue_xml_read (catalogue, data, size, &error);
  if (error != NULL)
    g_string_append_printf (warnings, "%s%s%s%s", warnings->len > 0 ? "\n" : "", place,
                            error->domain == PLG_FORMAT_ERROR ? "" : " ", error->message);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* In the order of their names, so that what replaces what does not depend on the disk. */
static void
load_own_files (PlgCatalogue *catalogue, GString *warnings)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "parallelogram", "catalogue",
                                              NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  if (dir == NULL)
    return;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".xml"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      load_file (catalogue, path, warnings);
    }
}

PlgCatalogue *
plg_catalogue_load (char **warnings)
{
  PlgCatalogue *catalogue = plg_catalogue_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  load_resource (catalogue, "gpus.xml");
  load_resource (catalogue, "nodes.xml");
  load_resource (catalogue, "models.xml");
  load_own_files (catalogue, text);
  if (warnings != NULL)
    *warnings = text->len > 0 ? g_strdup (text->str) : NULL;
  return catalogue;
}
