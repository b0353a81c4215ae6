/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The constants of GPUs, nodes and models, each with its source. They are read from
 * data/catalogue/ (io/plan/catalogue-xml.h). */
typedef struct _PlgCatalogue PlgCatalogue;

typedef struct
{
  const char *name; /* name of the XML attribute or element, such as "memory-bandwidth" */
  double value;     /* in UNIT */
  const char *unit; /* "GB/s", "TFLOP/s", "GiB", "1" … */
  const char *source;
  const char *date; /* date of the source in ISO 8601 */
} PlgConstant;

PlgCatalogue *plg_catalogue_new (void) G_GNUC_WARN_UNUSED_RESULT;
PlgCatalogue *plg_catalogue_ref (PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;
void plg_catalogue_unref (PlgCatalogue *catalogue);

/* Add an entry, or replace an earlier entry with the same name. CONSTANTS and the TOPOLOGY of a
 * node are copied. TOPOLOGY is NULL or empty if the links follow from the node's INTRA and its
 * numbers of GPUs and NICs. */
void plg_catalogue_add_gpu (PlgCatalogue *catalogue,
                            const PlgGpu *gpu,
                            const PlgConstant *constants,
                            int n);
void plg_catalogue_add_node (PlgCatalogue *catalogue,
                             const PlgNode *node,
                             const PlgNodeTopology *topology,
                             const PlgConstant *constants,
                             int n);
void plg_catalogue_add_model (PlgCatalogue *catalogue,
                              const PlgTransformer *model,
                              const PlgConstant *constants,
                              int n);

/* Return the entry with this name, owned by the catalogue, or NULL if there is none. */
const PlgGpu *plg_catalogue_gpu (const PlgCatalogue *catalogue, const char *name);
const PlgNode *plg_catalogue_node (const PlgCatalogue *catalogue, const char *name);
const PlgTransformer *plg_catalogue_model (const PlgCatalogue *catalogue, const char *name);

/* Returns the topology of the node with this name, or NULL if the catalogue has no links for it.
 * Owned by the catalogue. */
const PlgNodeTopology *plg_catalogue_node_topology (const PlgCatalogue *catalogue,
                                                    const char *name);
/* Copies the catalogue's topology of PLAN's node to PLAN, if PLAN has no topology yet and its
 * GPUs, NICs and links are those of the catalogue's node. */
void plg_catalogue_apply_topology (const PlgCatalogue *catalogue, PlgPlan *plan);
/* Returns TRUE if the topology of PLAN is the one that the catalogue has for PLAN's node. */
gboolean plg_catalogue_gave_topology (const PlgCatalogue *catalogue, const PlgPlan *plan);

/* Return the number of entries, and the entries in the order of the files. */
int plg_catalogue_n_gpus (const PlgCatalogue *catalogue);
const PlgGpu *plg_catalogue_nth_gpu (const PlgCatalogue *catalogue, int i);
int plg_catalogue_n_nodes (const PlgCatalogue *catalogue);
const PlgNode *plg_catalogue_nth_node (const PlgCatalogue *catalogue, int i);
int plg_catalogue_n_models (const PlgCatalogue *catalogue);
const PlgTransformer *plg_catalogue_nth_model (const PlgCatalogue *catalogue, int i);

/* Returns the constants of an entry with their sources. KIND is "gpu", "node" or "model". */
const PlgConstant *
plg_catalogue_constants (const PlgCatalogue *catalogue, const char *kind, const char *name, int *n);

/* Returns the names of all entries of KIND for a message: "h100-sxm-80, h200-sxm-141, …". */
char *plg_catalogue_names (const PlgCatalogue *catalogue, const char *kind);

/* Returns the default plan: Llama 3 70B on 8 x 8 H100, TP 8, PP 4, DP 2. */
PlgPlan *plg_catalogue_default_plan (const PlgCatalogue *catalogue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgCatalogue, plg_catalogue_unref)

G_END_DECLS
