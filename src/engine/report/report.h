/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/hops.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* What the engine says of a plan. SI base units throughout: seconds, bytes, FLOP/s. All that the
 * window, the command line and the exports show is read from here. Immutable once made; threads
 * may share it. */

/* The pieces of a step that do not overlap; they add up to its time. */
typedef enum
{
  PLG_PART_COMPUTE,
  PLG_PART_RECOMPUTE,
  PLG_PART_BUBBLE,
  PLG_PART_TP,
  PLG_PART_CP,
  PLG_PART_EP,
  PLG_PART_PP,
  PLG_PART_DP,
  PLG_PART_OPTIMIZER,
} PlgPart;
#define PLG_N_PARTS 9

typedef struct
{
  double time;
  double part[PLG_N_PARTS];
  double ideal_time; /* model FLOPs at the dense peak on all GPUs: time x MFU */
  double tokens_per_second;
  double tokens_per_second_per_gpu;
  double model_flops;              /* a step, all GPUs, nothing counted twice */
  double hardware_flops;           /* with recompute */
  double flops_per_second_per_gpu; /* model FLOPs */
  double mfu;
  double hfu;
  double peak; /* dense FLOP/s a GPU that MFU refers to */
  double days; /* to train on training.tokens */
  double gpu_hours;
  int busiest_stage; /* which the parts follow */
  double
      backward; /* seconds of its backward blocks; of inputs alone where weights have their own */
  double
      slowest_gpu_factor; /* how many times as long its slowest GPU computes; 1 where none is slow */
} PlgStep;

typedef struct
{
  double share_of_step; /* (p-1)/(v m+p-1) */
  double over_ideal;    /* (p-1)/(v m) */
  double notebook;      /* (p-1)/(p m) */
  double simulated;     /* idle share in the simulated schedule */
  /* Whether the closed forms are about this plan: equal stages, with GPipe, 1F1B or interleaving.
   */
  gboolean closed_form;
  double
      effective_share; /* what a limit is held against: share_of_step, or simulated where that is not so */
} PlgBubble;

/* What one GPU of a stage holds at the peak. total - runtime is what the framework's own counter
 * of allocated memory shows. */
typedef struct
{
  int layers;        /* that the GPU holds: with DualPipe those of two stages */
  int in_flight;     /* stage-micro-batches whose activations are alive at the peak, rounded up */
  double parameters; /* a GPU */
  double weights;
  double gradients;
  double optimizer;
  double activations;
  double buffers; /* communication and temporary buffers, gathered layers */
  double runtime; /* context, communicators, allocator slack */
  double total;
} PlgStageMemory;

typedef enum
{
  PLG_COLLECTIVE_ALL_REDUCE,
  PLG_COLLECTIVE_ALL_GATHER,
  PLG_COLLECTIVE_REDUCE_SCATTER,
  PLG_COLLECTIVE_ALL_TO_ALL,
  PLG_COLLECTIVE_SEND_RECV,
} PlgCollectiveKind;

typedef enum
{
  PLG_TIER_NVLINK, /* any direct or switched GPU link inside a node */
  PLG_TIER_PCIE,
  PLG_TIER_NIC,   /* a NIC's cable to its leaf */
  PLG_TIER_LEAF,  /* of no link (engine/fabric.h) */
  PLG_TIER_SPINE, /* from a leaf to a spine */
} PlgTier;

typedef enum
{
  PLG_BLOCK_FORWARD,
  PLG_BLOCK_BACKWARD, /* input and weight gradient together */
  PLG_BLOCK_BACKWARD_INPUT,
  PLG_BLOCK_BACKWARD_WEIGHT,
} PlgBlockKind;

/* When in a step a collective is called. */
typedef enum
{
  PLG_WHEN_IN_BLOCKS,
  PLG_WHEN_BETWEEN_STAGES, /* at the end of a block */
  PLG_WHEN_AFTER_BLOCKS,   /* gradients, and behind the last backward blocks where DP overlaps */
  PLG_WHEN_TIED,           /* after these: gradients of a shared embedding */
  PLG_WHEN_BEFORE_BLOCKS,  /* new weights, and behind the first forward blocks where DP overlaps */
} PlgWhen;

typedef enum
{
  PLG_ALGORITHM_RING,
  PLG_ALGORITHM_TREE,     /* a double binary tree over the nodes */
  PLG_ALGORITHM_NVLS,     /* the NVSwitch adds up (NVLink SHARP) */
  PLG_ALGORITHM_PAIRWISE, /* each to each */
  PLG_ALGORITHM_DIRECT,   /* one to one */
} PlgAlgorithm;

/* What one call costs: start + latency + bytes / bandwidth. */
typedef struct
{
  PlgAlgorithm algorithm;
  gboolean low_latency; /* NCCL's protocol LL, else Simple */
  double start;         /* seconds until the first step */
  double latency;       /* seconds, all steps */
  double bytes;         /* over the slowest part of the way */
  double bandwidth;     /* bytes/s that is reached there */
} PlgCollectiveCost;

/* What a collective is of: tells it from others of its kind on its axis. */
typedef enum
{
  PLG_COLLECTIVE_SUBJECT_LAYERS, /* and all that is alone of its kind */
  PLG_COLLECTIVE_SUBJECT_EXPERTS,
  PLG_COLLECTIVE_SUBJECT_LOSS,
  PLG_COLLECTIVE_SUBJECT_KV, /* keys and values; queries and the output are of the layers */
} PlgCollectiveSubject;
#define PLG_N_COLLECTIVE_SUBJECTS 4

/* One kind of call on one axis. calls, bytes and time are per GPU and step, on the busiest stage.
 */
typedef struct
{
  PlgAxis axis;
  PlgCollectiveKind kind;
  PlgCollectiveSubject collective_subject;
  double calls;
  double bytes_per_call; /* the buffer as nccl-tests counts it */
  double bytes_sent;     /* a GPU and step, all calls */
  int group_size;
  int nodes_spanned; /* by the widest group */
  PlgTier tier;      /* the slowest crossed */
  double time;
  double exposed; /* not hidden behind compute */
  int group;      /* who calls it together: PlgGroupKind of group.h */
  PlgWhen when;
  guint blocks; /* in blocks: bit 1 << PlgBlockKind of those that call it */
  int stage;    /* whose calls these are: the busiest one, where that has such */
  double
      node_copy_share; /* what part of the copies of a token goes between nodes; 1 for all else */
  /* Its longest call. */
  double call_bytes;
  double contention_factor; /* how many times as long it takes in training as by itself */
  PlgCollectiveCost cost;
} PlgCollective;

/* What one GPU of a stage does of a collective in a step. */
typedef struct
{
  double calls; /* messages sent and received, of send-recv between stages */
  double bytes_per_call;
  double bytes_sent;
  double time;
} PlgStageCalls;

/* A physical link, drawn once; bytes are those of the busier direction. */
typedef struct
{
  PlgTier tier;
  int node;         /* -1 where it belongs to none */
  int local;        /* GPU or NIC number in the node, leaf number */
  int other;        /* the far end where it is not implied: peer GPU, leaf, spine; else -1 */
  double bandwidth; /* bytes/s and direction, stated */
  double calls;     /* a step */
  double bytes_out; /* a step */
  double bytes_in;
  double time;               /* seconds busy a step */
  guint axes;                /* bit 1 << PlgAxis of all that cross it */
  int first_share, n_shares; /* in the report's shares */
} PlgLink;

/* What one collective puts on one link. The shares of a link add up to it. */
typedef struct
{
  int collective; /* index in the report's collectives */
  double calls;
  double bytes_out;
  double bytes_in;
  double time;
} PlgLinkShare;

/* One box of the timeline: a micro-batch on a stage. */
typedef struct
{
  PlgBlockKind kind;
  int stage;
  int chunk;
  int micro_batch;
  double start;
  double end;
} PlgBlock;

typedef enum
{
  PLG_SEVERITY_HINT,
  PLG_SEVERITY_WARNING,
  PLG_SEVERITY_ERROR,
} PlgSeverity;

/* Something worth knowing, with a change that would help. */
typedef struct
{
  const char *id; /* static: "tp-crosses-node" */
  PlgSeverity severity;
  char *text; /* translated */
  double value;
  double limit;
  const char *unit; /* static */
  char *remedy;     /* translated */
  char *edits;      /* "KEY=VALUE KEY=VALUE" that plg_settings_apply() takes, or NULL */
  double gain;      /* seconds a step that the edits save, 0 where not known */
} PlgFinding;

/* Whether a plan fits in memory. What is hidden is said to do neither. */
typedef enum
{
  PLG_FIT_NO = FALSE,
  PLG_FIT_YES = TRUE,
  PLG_FIT_HIDDEN, /* veil.h */
} PlgFit;

typedef struct
{
  gatomicrefcount ref_count;

  guint redaction; /* PlgRedaction bits of what is hidden (veil.h); 0: all is there */
  PlgProfile profile;
  int world_size;
  int nodes;
  int degree[PLG_N_AXES];
  int groups[PLG_N_AXES];
  PlgHops hops[PLG_N_AXES]; /* of the nested axes, not of EP; there with links */
  guint parts;              /* PlgEvaluateFlags bits of what is there beyond the totals */
  int micro_batches;
  double parameters_total;
  double parameters_active;

  PlgStep step;
  PlgBubble bubble;

  double memory_capacity;
  double memory_peak;
  int memory_peak_stage;
  PlgFit fits;

  GArray *stages;      /* PlgStageMemory */
  GArray *collectives; /* PlgCollective */
  GArray *links;       /* PlgLink; empty unless asked for */
  GArray *link_shares; /* PlgLinkShare */
  GArray *stage_calls; /* PlgStageCalls, stage by stage of each collective; there with links */
  GArray *blocks;      /* PlgBlock, by start; empty unless asked for */
  GArray *findings;    /* PlgFinding, most important first; empty unless asked for */
} PlgReport;

/* An empty report, to be filled by plg_evaluate_into(). Filling it again reuses its memory. */
PlgReport *plg_report_new (void);
PlgReport *plg_report_ref (PlgReport *report);
void plg_report_unref (PlgReport *report);
/* Gives back the room in which the shares of links were worked out, one for each collective on each
 * link: several times what is left of it. For a report that is not filled again. */
void plg_report_shrink (PlgReport *report);

const char *plg_fit_describe (PlgFit fit); /* "does not fit": translated, "–" where it is hidden */
const char *plg_part_name (PlgPart part);  /* "compute": in files */
const char *plg_part_title (PlgPart part);                     /* "Compute": translated */
const char *plg_collective_kind_name (PlgCollectiveKind kind); /* "all-gather" */
/* The bubble that is judged, as a share of the step: the notebook's own where its formulas are
 * used. NaN where it is hidden. */
double plg_report_bubble (const PlgReport *report);
/* SECONDS as a share of the step: 0 of a step that takes no time, NaN where either is hidden. */
double plg_report_share_of_step (const PlgReport *report, double seconds);
/* The same for people, translated: "all-gather (experts)" where others have a call of that kind on
 * the same axis. */
const char *plg_collective_kind_title (const PlgCollective *collective);
/* "dp:reduce-scatter", and of expert groups "dp:reduce-scatter:experts", as commands name it: no
 * two of a plan have the same; and "DP reduce-scatter (experts)". Both g_free(). */
char *plg_collective_name (const PlgCollective *collective);
char *plg_collective_title (const PlgCollective *collective);
/* The first of REPORT that NAME is of, -1 if none: "tp:all-reduce:loss", or a beginning of it up to
 * a colon, "tp:all-reduce" or "tp", where none has just that name. */
int plg_report_find_collective (const PlgReport *report, const char *name);
/* What a GPU of STAGE does of COLLECTIVE; NULL where there is none, or links were not asked for. */
const PlgStageCalls *plg_report_stage_calls (const PlgReport *report, int collective, int stage);
const char *plg_tier_name (PlgTier tier); /* "nvlink" */
/* "NVLink", or what joins the GPUs of CLUSTER: translated where words are. */
const char *plg_tier_title (const PlgCluster *cluster, PlgTier tier);
/* "over NVLink", "over spine switches": by what way something goes. g_free() */
char *plg_tier_describe (const PlgCluster *cluster, PlgTier tier);
const char *plg_severity_name (PlgSeverity severity);

/* Whether LINK is between two GPUs of a mesh, which have direct links or reach each other over
 * PCIe. */
gboolean plg_link_is_pair (const PlgLink *link);
/* Stable names: "nvlink-2-5" is GPU 5 of node 2 to its switch, "nvlink-2-5-6" a direct link,
 * "pcie-2-5-6" a pair of a mesh without one, "pcie-2-5" GPU to its root, "nic-2-5" NIC 5 of node 2
 * to its leaf, "leaf-3-spine-1". */
char *plg_link_id (const PlgLink *link);
/* The two ends: "gpu-21", "nvswitch-2", "nic-2-5", "rail-5" (of a single unit) or "leaf-5",
 * "spine-1". */
char *plg_link_from (const PlgLink *link, const PlgPlan *plan);
char *plg_link_to (const PlgLink *link, const PlgPlan *plan);
double plg_link_bytes (const PlgLink *link); /* the busier direction */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgReport, plg_report_unref)

/* For how many seconds of a step AXIS keeps that link busy which it keeps so the longest: its bytes
 * alone, at the rate that the link reaches. NAN where links were not asked for or this is hidden.
 */
double plg_report_link_time (const PlgReport *report, PlgAxis axis);

G_END_DECLS
