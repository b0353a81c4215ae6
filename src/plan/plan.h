/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"
#include "plan/node-topology.h"
#include "plan/node-names.h"
#include "plan/parallelism.h"
#include "plan/placement.h"
#include "plan/training.h"
#include "plan/transformer.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_PROFILE_STANDARD,
  PLG_PROFILE_NOTEBOOK,
  PLG_PROFILE_HANDBOOK,
} PlgProfile;

/* What the GPUs on the canvas show. */
typedef enum
{
  PLG_SHOW_ALL, /* fill is the stage, outline the TP group, lightness the replica */
  PLG_SHOW_TP,
  PLG_SHOW_CP,
  PLG_SHOW_EP,
  PLG_SHOW_PP,
  PLG_SHOW_DP,
  PLG_SHOW_MEMORY,
} PlgShow;

/* What the colour of a link means. */
typedef enum
{
  PLG_LINK_COLOR_FREQUENCY, /* calls a step */
  PLG_LINK_COLOR_BYTES,     /* bytes a step */
  PLG_LINK_COLOR_TIME,      /* seconds busy a step */
  PLG_LINK_COLOR_OFF,
} PlgLinkColor;

/* What the matrix of pairs shows. */
typedef enum
{
  PLG_MATRIX_BANDWIDTH, /* the way between each two GPUs */
  PLG_MATRIX_TRAFFIC,   /* bytes a step from each to each */
} PlgMatrixQuantity;

/* The view that people left: saved with the plan, no part of what is evaluated. */
typedef struct
{
  PlgShow show;
  PlgLinkColor link_color;
  gboolean rings; /* logical rings instead of physical links */
  PlgMatrixQuantity pairs;
  int row_gpus; /* of a node beside each other; 0: as the picture has them. Not saved. */
} PlgView;

/* All that people design, as one value. */
typedef struct
{
  char *title; /* owned; never NULL; empty while nobody gave it one */
  char *notes; /* owned; never NULL */
  PlgCluster cluster;
  PlgNodeTopology node_topology; /* what is inside a node, or empty */
  PlgNodeNames node_names;       /* no part of what is evaluated */
  PlgTransformer model;
  PlgTraining training;
  PlgParallelism parallelism;
  PlgPlacement placement;
  PlgProfile profile;
  PlgView view;
} PlgPlan;

/* An empty value: one GPU, no model. The catalogue makes the default plan (catalogue.h). */
PlgPlan *plg_plan_new (void);
PlgPlan *plg_plan_copy (const PlgPlan *plan);
/* Makes TO equal FROM. */
void plg_plan_assign (PlgPlan *to, const PlgPlan *from);
void plg_plan_free (PlgPlan *plan);
gboolean plg_plan_equal (const PlgPlan *a, const PlgPlan *b);
/* TRUE when both would be evaluated to the same report: all but title, notes, names and view. */
gboolean plg_plan_same_design (const PlgPlan *a, const PlgPlan *b);

/* What the plan is called: its title, or, while nobody gave it one, what it is: "Llama 3 70B on
 * 64 × H100 SXM". g_free(). */
char *plg_plan_display_title (const PlgPlan *plan);

int plg_plan_world (const PlgPlan *plan);
/* Micro-batches a step and replica: global batch / (micro-batch x DP). */
int plg_plan_micro_batches (const PlgPlan *plan);
/* What NODE is called: its name, or "node 3", translated. g_free(). */
char *plg_plan_node_title (const PlgPlan *plan, int node);
/* The node on which RANK sits. */
int plg_plan_node_of_rank (const PlgPlan *plan, int rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPlan, plg_plan_free)

G_END_DECLS
