/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/catalogue.h"

typedef enum
{
  KIND_GPU,
  KIND_NODE,
  KIND_MODEL,
} Kind;
#define N_KINDS 3

static const char *const kind_names[N_KINDS] = {
  [KIND_GPU] = "gpu",
  [KIND_NODE] = "node",
  [KIND_MODEL] = "model",
};

/* The field "name" comes first in PlgGpu, PlgNode and PlgTransformer, so that find() can compare
 * the names of all three types. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (PlgGpu, name) == 0);
G_STATIC_ASSERT (G_STRUCT_OFFSET (PlgNode, name) == 0);
G_STATIC_ASSERT (G_STRUCT_OFFSET (PlgTransformer, name) == 0);

typedef struct
{
  gpointer value;           /* PlgGpu, PlgNode or PlgTransformer */
  PlgNodeTopology topology; /* topology of a node; empty if the node has none or if the entry is
                               not a node */
  PlgConstant *constants;
  int n_constants;
} Entry;

struct _PlgCatalogue
{
  gatomicrefcount ref_count;
  GPtrArray *entries[N_KINDS];
  GStringChunk *texts; /* storage for the strings of the constants */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  plg_node_topology_clear (&entry->topology);
  g_free (entry->value);
  g_free (entry->constants);
  g_free (entry);
}

PlgCatalogue *
plg_catalogue_new (void)
{
  PlgCatalogue *catalogue = g_new0 (PlgCatalogue, 1);

  g_atomic_ref_count_init (&catalogue->ref_count);
  for (int i = 0; i < N_KINDS; i++)
    catalogue->entries[i] = g_ptr_array_new_with_free_func (entry_free);
  catalogue->texts = g_string_chunk_new (4096);
  return catalogue;
}

PlgCatalogue *
plg_catalogue_ref (PlgCatalogue *catalogue)
{
  g_atomic_ref_count_inc (&catalogue->ref_count);
  return catalogue;
}

void
plg_catalogue_unref (PlgCatalogue *catalogue)
{
  if (catalogue == NULL || !g_atomic_ref_count_dec (&catalogue->ref_count))
    return;
  for (int i = 0; i < N_KINDS; i++)
    g_ptr_array_unref (catalogue->entries[i]);
  g_string_chunk_free (catalogue->texts);
  g_free (catalogue);
}

/* Returns the index of NAME among the entries of KIND, or -1. */
static int
find (const PlgCatalogue *catalogue, Kind kind, const char *name)
{
  const GPtrArray *entries = catalogue->entries[kind];

  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (entries, i);

      if (g_strcmp0 (entry->value, name) == 0)
        return (int) i;
    }
  return -1;
}

static const char *
keep_text (PlgCatalogue *catalogue, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (catalogue->texts, text) : NULL;
}

static Entry *
add (PlgCatalogue *catalogue,
     Kind kind,
     gconstpointer value,
     gsize size,
     const PlgConstant *constants,
     int n)
{
  GPtrArray *entries = catalogue->entries[kind];
  int place = find (catalogue, kind, value);
  Entry *entry = g_new0 (Entry, 1);

  entry->value = g_memdup2 (value, size);
  entry->constants = g_new0 (PlgConstant, MAX (1, n));
  entry->n_constants = n;
  for (int i = 0; i < n; i++)
    {
      entry->constants[i].name = keep_text (catalogue, constants[i].name);
      entry->constants[i].value = constants[i].value;
      entry->constants[i].unit = keep_text (catalogue, constants[i].unit);
      entry->constants[i].source = keep_text (catalogue, constants[i].source);
      entry->constants[i].date = keep_text (catalogue, constants[i].date);
    }
  if (place < 0)
    {
      g_ptr_array_add (entries, entry);
      return entry;
    }
  entry_free (g_ptr_array_index (entries, place));
  return g_ptr_array_index (entries, place) = entry;
}

void
plg_catalogue_add_gpu (PlgCatalogue *catalogue,
                       const PlgGpu *gpu,
                       const PlgConstant *constants,
                       int n)
{
  add (catalogue, KIND_GPU, gpu, sizeof *gpu, constants, n);
}

void
plg_catalogue_add_node (PlgCatalogue *catalogue,
                        const PlgNode *node,
                        const PlgNodeTopology *topology,
                        const PlgConstant *constants,
                        int n)
{
  Entry *entry = add (catalogue, KIND_NODE, node, sizeof *node, constants, n);

  if (topology != NULL)
    plg_node_topology_copy (&entry->topology, topology);
}

void
plg_catalogue_add_model (PlgCatalogue *catalogue,
                         const PlgTransformer *model,
                         const PlgConstant *constants,
                         int n)
{
  add (catalogue, KIND_MODEL, model, sizeof *model, constants, n);
}

static gconstpointer
nth (const PlgCatalogue *catalogue, Kind kind, int i)
{
  const GPtrArray *entries = catalogue->entries[kind];
  const Entry *entry;

  if (i < 0 || i >= (int) entries->len)
    return NULL;
  entry = g_ptr_array_index (entries, i);
  return entry->value;
}

const PlgGpu *
plg_catalogue_gpu (const PlgCatalogue *catalogue, const char *name)
{
  return nth (catalogue, KIND_GPU, find (catalogue, KIND_GPU, name));
}

const PlgNode *
plg_catalogue_node (const PlgCatalogue *catalogue, const char *name)
{
  return nth (catalogue, KIND_NODE, find (catalogue, KIND_NODE, name));
}

const PlgTransformer *
plg_catalogue_model (const PlgCatalogue *catalogue, const char *name)
{
  return nth (catalogue, KIND_MODEL, find (catalogue, KIND_MODEL, name));
}

const PlgNodeTopology *
plg_catalogue_node_topology (const PlgCatalogue *catalogue, const char *name)
{
  int place = find (catalogue, KIND_NODE, name);
  const Entry *entry;

  if (place < 0)
    return NULL;
  entry = g_ptr_array_index (catalogue->entries[KIND_NODE], place);
  return plg_node_topology_is_empty (&entry->topology) ? NULL : &entry->topology;
}

void
plg_catalogue_apply_topology (const PlgCatalogue *catalogue, PlgPlan *plan)
{
  const PlgNodeTopology *topology = plg_catalogue_node_topology (catalogue, plan->cluster.node);

  if (topology != NULL && plg_node_topology_is_empty (&plan->node_topology))
    {
      const PlgCluster *cluster = &plan->cluster;
      const PlgNode *node = plg_catalogue_node (catalogue, cluster->node);
      const PlgGpu *gpu = node != NULL ? plg_catalogue_gpu (catalogue, node->gpu) : NULL;

      if (gpu != NULL && cluster->gpus_per_node == node->gpus &&
          cluster->nics_per_node == node->nics && cluster->intra == node->intra &&
          cluster->gpu.link_bandwidth == gpu->link_bandwidth &&
          cluster->gpu.pcie_bandwidth == gpu->pcie_bandwidth)
        plg_node_topology_copy (&plan->node_topology, topology);
    }
}

gboolean
plg_catalogue_gave_topology (const PlgCatalogue *catalogue, const PlgPlan *plan)
{
  const PlgNodeTopology *topology = plg_catalogue_node_topology (catalogue, plan->cluster.node);

  return topology != NULL && plg_node_topology_equal (topology, &plan->node_topology);
}

int
plg_catalogue_n_gpus (const PlgCatalogue *catalogue)
{
  return (int) catalogue->entries[KIND_GPU]->len;
}

const PlgGpu *
plg_catalogue_nth_gpu (const PlgCatalogue *catalogue, int i)
{
  return nth (catalogue, KIND_GPU, i);
}

int
plg_catalogue_n_nodes (const PlgCatalogue *catalogue)
{
  return (int) catalogue->entries[KIND_NODE]->len;
}

const PlgNode *
plg_catalogue_nth_node (const PlgCatalogue *catalogue, int i)
{
  return nth (catalogue, KIND_NODE, i);
}

int
plg_catalogue_n_models (const PlgCatalogue *catalogue)
{
  return (int) catalogue->entries[KIND_MODEL]->len;
}

const PlgTransformer *
plg_catalogue_nth_model (const PlgCatalogue *catalogue, int i)
{
  return nth (catalogue, KIND_MODEL, i);
}

static int
kind_from_name (const char *name)
{
  for (int i = 0; i < N_KINDS; i++)
    if (g_strcmp0 (name, kind_names[i]) == 0)
      return i;
  return -1;
}

const PlgConstant *
plg_catalogue_constants (const PlgCatalogue *catalogue, const char *kind, const char *name, int *n)
{
  int k = kind_from_name (kind);
  int place = k < 0 ? -1 : find (catalogue, (Kind) k, name);
  const Entry *entry;

  *n = 0;
  if (place < 0)
    return NULL;
  entry = g_ptr_array_index (catalogue->entries[k], place);
  *n = entry->n_constants;
  return entry->constants;
}

char *
plg_catalogue_names (const PlgCatalogue *catalogue, const char *kind)
{
  GString *names = g_string_new (NULL);
  int k = kind_from_name (kind);

  for (int i = 0; k >= 0 && i < (int) catalogue->entries[k]->len; i++)
    {
      if (i > 0)
        g_string_append (names, ", ");
      g_string_append (names, nth (catalogue, (Kind) k, i));
    }
  return g_string_free (names, FALSE);
}

PlgPlan *
plg_catalogue_default_plan (const PlgCatalogue *catalogue)
{
  const PlgNode *node = plg_catalogue_node (catalogue, "hgx-h100");
  const PlgGpu *gpu = plg_catalogue_gpu (catalogue, "h100-sxm-80");
  const PlgTransformer *model = plg_catalogue_model (catalogue, "llama3-70b");
  PlgPlan *plan = plg_plan_new ();

  if (node == NULL || gpu == NULL || model == NULL)
    return plan;
  plg_cluster_set_node (&plan->cluster, node, gpu);
  plan->cluster.nodes = 8;
  plan->model = *model;

  PlgTraining *training = &plan->training;

  training->sequence = 8192;
  training->micro_batch = 1;
  training->global_batch = 64;
  training->precision = PLG_PRECISION_BF16;
  training->gradient_precision = PLG_PRECISION_FP32;
  training->recompute = PLG_RECOMPUTE_SELECTIVE;
  training->schedule = PLG_SCHEDULE_1F1B;
  training->flash_attention = TRUE;
  training->causal = TRUE;
  training->tokens = 15e12; /* Llama 3 was trained on about 15 T tokens (arXiv 2407.21783) */

  PlgParallelism *parallelism = &plan->parallelism;

  parallelism->degree[PLG_AXIS_TP] = 8;
  parallelism->degree[PLG_AXIS_PP] = 4;
  parallelism->degree[PLG_AXIS_DP] = 2;
  parallelism->zero = 1;
  parallelism->sequence = TRUE;
  parallelism->overlap_dp = TRUE;

  return plan;
}
