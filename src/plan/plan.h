/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"
#include "plan/node-topology.h"
#include "plan/node-names.h"
#include "plan/operation.h"
#include "plan/parallelism.h"
#include "plan/placement.h"
#include "plan/training.h"
#include "plan/transformer.h"
#include "plan/variants.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_PROFILE_STANDARD,
  PLG_PROFILE_NOTEBOOK,
  PLG_PROFILE_HANDBOOK,
} PlgProfile;

/* The property that the GPU colours on the canvas show. */
typedef enum
{
  PLG_SHOW_ALL, /* the fill shows the stage, the outline the TP group, the lightness the replica */
  PLG_SHOW_TP,
  PLG_SHOW_CP,
  PLG_SHOW_EP,
  PLG_SHOW_PP,
  PLG_SHOW_DP,
  PLG_SHOW_MEMORY,
} PlgShow;

/* The meaning of the link colours. */
typedef enum
{
  PLG_LINK_COLOR_FREQUENCY, /* number of calls per step */
  PLG_LINK_COLOR_BYTES,     /* bytes per step */
  PLG_LINK_COLOR_TIME,      /* busy time per step */
  PLG_LINK_COLOR_OFF,
} PlgLinkColor;

/* The values in the matrix of GPU pairs. */
typedef enum
{
  PLG_MATRIX_BANDWIDTH, /* bandwidth of the path between two GPUs */
  PLG_MATRIX_TRAFFIC,   /* bytes sent per step from one GPU to another */
} PlgMatrixQuantity;

/* The view of a plan, which is saved with the plan but does not affect the evaluation. */
typedef struct
{
  PlgShow show;
  PlgLinkColor link_color;
  gboolean rings; /* TRUE for logical rings instead of physical links */
  PlgMatrixQuantity pairs;
} PlgView;

/* A complete design: cluster, model, training and parallelism. */
struct _PlgPlan
{
  char *title; /* owned; never NULL; empty if the plan has no title */
  char *notes; /* owned; never NULL */
  PlgCluster cluster;
  PlgNodeTopology node_topology; /* topology of a node; may be empty */
  PlgNodeNames node_names;       /* not used in the evaluation */
  PlgTransformer model;
  PlgTraining training;
  PlgParallelism parallelism;
  PlgPlacement placement;
  PlgCost cost;
  PlgReliability reliability;
  PlgProfile profile;
  PlgView view;
  PlgVariants *variants; /* other designs that are kept with the plan; owned, or NULL for none; not
                            used in the evaluation */
};

/* Creates a plan with one GPU and a model of one layer, the smallest values that pass
 * plg_plan_check(). plg_catalogue_default_plan() creates the default plan. */
PlgPlan *plg_plan_new (void) G_GNUC_WARN_UNUSED_RESULT;
PlgPlan *plg_plan_copy (const PlgPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
/* Copies FROM to TO. */
void plg_plan_assign (PlgPlan *to, const PlgPlan *from);
void plg_plan_free (PlgPlan *plan);
gboolean plg_plan_equal (const PlgPlan *a, const PlgPlan *b);
/* Returns TRUE if both plans evaluate to the same report. They may differ in title, notes, node
 * names, view and variants. */
gboolean plg_plan_same_design (const PlgPlan *a, const PlgPlan *b);

/* Returns the title of the plan, or a description such as "Llama 3 70B on 64 × H100 SXM" if it
 * has no title. Free with g_free(). */
char *plg_plan_display_title (const PlgPlan *plan);

int plg_plan_world (const PlgPlan *plan);
/* Returns an array with the rank on each GPU, indexed by GPU; free with g_free(). */
int *plg_plan_rank_of_gpus (const PlgPlan *plan);
/* Returns the number of micro-batches per replica per step: global batch / (micro-batch x DP). */
int plg_plan_micro_batches (const PlgPlan *plan);
/* Returns the name of NODE, or a translated title such as "node 3" if it has no name. Free with
 * g_free(). */
char *plg_plan_node_title (const PlgPlan *plan, int node);
/* Returns the node of RANK. */
int plg_plan_node_of_rank (const PlgPlan *plan, int rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPlan, plg_plan_free)

G_END_DECLS
