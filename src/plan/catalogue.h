/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* What is known of GPUs, nodes and models. The constants come from data/catalogue/ (read by
 * formats/catalogue-xml.h); this type only holds them. Each constant carries where it comes from.
 */
typedef struct _PlgCatalogue PlgCatalogue;

typedef struct
{
  const char *name;   /* the XML attribute or element, such as "memory-bandwidth" */
  double value;       /* in the catalogue's own UNIT */
  const char *unit;   /* "GB/s", "TFLOP/s", "GiB", "1" … */
  const char *source; /* where it was read */
  const char *date;   /* when, ISO 8601 */
} PlgConstant;

PlgCatalogue *plg_catalogue_new (void);
PlgCatalogue *plg_catalogue_ref (PlgCatalogue *catalogue);
void plg_catalogue_unref (PlgCatalogue *catalogue);

/* Used by the reader; a later entry with a name already there replaces it. CONSTANTS are copied,
 * and so is the MAP of a node: NULL or empty where its GPUs and NICs are joined as the kind of node
 * says. */
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

/* NULL when there is none of this name. Owned by the catalogue. */
const PlgGpu *plg_catalogue_gpu (const PlgCatalogue *catalogue, const char *name);
const PlgNode *plg_catalogue_node (const PlgCatalogue *catalogue, const char *name);
const PlgTransformer *plg_catalogue_model (const PlgCatalogue *catalogue, const char *name);

/* What is inside the node of this name; NULL where its kind says all. Owned by the catalogue. */
const PlgNodeTopology *plg_catalogue_node_topology (const PlgCatalogue *catalogue,
                                                    const char *name);
/* Gives PLAN, if it has no map and its nodes are those of the catalogue, the map of them. */
void plg_catalogue_apply_topology (const PlgCatalogue *catalogue, PlgPlan *plan);
/* Whether PLAN has a map that came with the catalogue's node, and from no file. */
gboolean plg_catalogue_gave_topology (const PlgCatalogue *catalogue, const PlgPlan *plan);

/* In the order of the files. */
int plg_catalogue_n_gpus (const PlgCatalogue *catalogue);
const PlgGpu *plg_catalogue_nth_gpu (const PlgCatalogue *catalogue, int i);
int plg_catalogue_n_nodes (const PlgCatalogue *catalogue);
const PlgNode *plg_catalogue_nth_node (const PlgCatalogue *catalogue, int i);
int plg_catalogue_n_models (const PlgCatalogue *catalogue);
const PlgTransformer *plg_catalogue_nth_model (const PlgCatalogue *catalogue, int i);

/* The constants of an entry with their sources; KIND is "gpu", "node" or "model". */
const PlgConstant *
plg_catalogue_constants (const PlgCatalogue *catalogue, const char *kind, const char *name, int *n);

/* "h100-sxm-80, h200-sxm-141, …": for messages. */
char *plg_catalogue_names (const PlgCatalogue *catalogue, const char *kind);

/* The teaching case: Llama 3 70B on 8 x 8 H100, TP 8, PP 4, DP 2. */
PlgPlan *plg_catalogue_default_plan (const PlgCatalogue *catalogue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgCatalogue, plg_catalogue_unref)

G_END_DECLS
