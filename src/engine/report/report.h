/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/hops.h"
#include "engine/report/training-run.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* The result of an evaluation. Reports are the only source of numbers for the window, the
 * command line and the exports. Values are in seconds, bytes and FLOP/s unless a field states
 * another unit. A finished report is immutable and may be shared between threads. */

/* The parts of the step time. The parts do not overlap, so they add up to the step time. */
typedef enum
{
  PLG_PART_COMPUTE,
  PLG_PART_RECOMPUTE,
  PLG_PART_HOST, /* the GPU waits for the host */
  PLG_PART_BUBBLE,
  PLG_PART_TP,
  PLG_PART_CP,
  PLG_PART_EP,
  PLG_PART_PP,
  PLG_PART_DP,
  PLG_PART_OPTIMIZER,
} PlgPart;
#define PLG_N_PARTS 10

/* The optimizer step of one GPU and of its host. The times are in seconds. */
typedef struct
{
  double parameters; /* parameters whose state the GPU owns, on the GPU or on its host; with Muon,
                        those that Adam updates */
  double matrices;   /* parameters of the matrices that the GPU orthogonalizes for Muon */
  double gradients;  /* gradients that the GPU holds */
  double orthogonal_flops; /* FLOPs of Muon's iterations */
  double orthogonal;       /* time of Muon's iterations, a part of gpu */
  double gpu;              /* update of the parameters whose state is on the GPU */
  double to_host;          /* transfer of gradients to the host, for all micro-batches */
  double late;             /* part of to_host that backward passes do not hide */
  double host;             /* update on the CPU */
  double to_gpu;           /* transfer of new weights to the GPU */
  double time;
} PlgOptimizerUpdate;

typedef struct
{
  double time;
  double part[PLG_N_PARTS];  /* time of each part on the busiest stage [s] */
  PlgOptimizerUpdate update; /* the optimizer step of the stage on which it takes longest */
  double ideal_time;         /* model FLOPs divided by the dense peak of all GPUs; equals time ×
                               MFU */
  double tokens_per_second;
  double tokens_per_second_per_gpu;
  double model_flops;              /* FLOPs per step on all GPUs, without recompute */
  double hardware_flops;           /* FLOPs per step on all GPUs, with recompute */
  double flops_per_second_per_gpu; /* counts model FLOPs */
  double mfu;
  double hfu;
  double peak; /* dense peak per GPU from which the MFU is computed [FLOP/s] */
  double days; /* days to train on training.tokens tokens */
  double gpu_hours;
  int busiest_stage;
  /* Time of the backward blocks on the busiest stage [s], excluding separate blocks for weight
   * gradients. */
  double backward;
  /* Factor by which the slowest GPU of the busiest stage lengthens compute; 1 without a slow
   * GPU. */
  double slowest_gpu_factor;
} PlgStep;

typedef struct
{
  double share_of_step; /* (p-1)/(v m+p-1) for p stages, v chunks per stage and m micro-batches */
  double over_ideal;    /* (p-1)/(v m) for p stages, v chunks per stage and m micro-batches */
  double notebook;      /* (p-1)/(p m) for p stages and m micro-batches */
  double simulated;     /* idle share of the simulated schedule, 1 - busy time / (p length), over
                           all stages; plg_report_bubble() returns this share */
} PlgBubble;

/* The peak memory of one GPU in a stage [bytes]. The framework's own counter of allocated memory
 * shows total - runtime. */
typedef struct
{
  int layers;        /* number of layers on the GPU; with DualPipe, the layers of two stages */
  int in_flight;     /* micro-batches with live activations at the peak, rounded up */
  double parameters; /* number of parameters on the GPU */
  double weights;
  double gradients;
  double optimizer;
  double activations;
  double buffers; /* communication buffers, temporary buffers and gathered layers */
  double runtime; /* CUDA context, communicators and allocator slack */
  double total;
  double host; /* memory of the host for one GPU, not part of TOTAL */
} PlgStageMemory;

typedef enum
{
  PLG_COLLECTIVE_ALL_REDUCE,
  PLG_COLLECTIVE_ALL_GATHER,
  PLG_COLLECTIVE_REDUCE_SCATTER,
  PLG_COLLECTIVE_ALL_TO_ALL,
  PLG_COLLECTIVE_SEND_RECV,
  PLG_COLLECTIVE_BROADCAST, /* one of as many calls as the group has members, each with another
                               member as its root */
} PlgCollectiveKind;
#define PLG_N_COLLECTIVE_KINDS 6

typedef enum
{
  PLG_TIER_NVLINK, /* GPU links inside a node, direct or switched, of any vendor */
  PLG_TIER_PCIE,
  PLG_TIER_NIC,   /* cables from NICs to leaves */
  PLG_TIER_LEAF,  /* not used by any link (see fabric.h) */
  PLG_TIER_SPINE, /* uplinks from leaves to spines */
} PlgTier;

typedef enum
{
  PLG_BLOCK_FORWARD,
  PLG_BLOCK_BACKWARD, /* gradients of inputs and weights together */
  PLG_BLOCK_BACKWARD_INPUT,
  PLG_BLOCK_BACKWARD_WEIGHT,
} PlgBlockKind;

/* The phase of a step in which a collective runs. */
typedef enum
{
  PLG_WHEN_IN_BLOCKS,
  PLG_WHEN_BETWEEN_STAGES, /* at the end of a block */
  PLG_WHEN_AFTER_BLOCKS,   /* for gradients, after all blocks; with DP overlap, also during the
                              last backward blocks */
  PLG_WHEN_TIED,           /* after all other gradients: for the gradients of a shared embedding,
                              and for the matrices of Muon */
  PLG_WHEN_BEFORE_BLOCKS,  /* for new weights, before all blocks; with DP overlap, also during
                              the first forward blocks */
} PlgWhen;

typedef enum
{
  PLG_ALGORITHM_RING,
  PLG_ALGORITHM_TREE,     /* a double binary tree over the nodes */
  PLG_ALGORITHM_NVLS,     /* reduction in the NVSwitch (NVLink SHARP) */
  PLG_ALGORITHM_PAIRWISE, /* messages between all pairs */
  PLG_ALGORITHM_DIRECT,   /* one message */
  PLG_ALGORITHM_FORWARD,  /* one copy per node, which the node forwards (DeepEP, HybridEP) */
} PlgAlgorithm;
#define PLG_N_ALGORITHMS 6

/* The cost of one call: start + latency + bytes / bandwidth. */
typedef struct
{
  PlgAlgorithm algorithm;
  gboolean low_latency; /* TRUE for NCCL's LL protocol, FALSE for Simple */
  double start;         /* time until the algorithm's first step [s] */
  double latency;       /* latency of all steps of the algorithm [s] */
  double bytes;         /* bytes over the slowest link */
  double bandwidth;     /* achieved bytes/s on the slowest link */
} PlgCollectiveCost;

/* The data that a collective moves. The subject distinguishes collectives of the same kind on
 * the same axis. */
typedef enum
{
  PLG_COLLECTIVE_SUBJECT_LAYERS, /* tensors of layers; also used if an axis has only one
                                    collective of a kind */
  PLG_COLLECTIVE_SUBJECT_EXPERTS,
  PLG_COLLECTIVE_SUBJECT_LOSS,
  PLG_COLLECTIVE_SUBJECT_KV,       /* keys and values; queries and outputs use
                                PLG_COLLECTIVE_SUBJECT_LAYERS */
  PLG_COLLECTIVE_SUBJECT_REPLICAS, /* shards of gradients, between the shard groups of HSDP */
  PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS, /* the same for the gradients of experts */
  PLG_COLLECTIVE_SUBJECT_MIXER,           /* inputs and outputs of mixers */
  PLG_COLLECTIVE_SUBJECT_MOMENTUM,        /* matrices that Muon orthogonalizes */
  PLG_COLLECTIVE_SUBJECT_EXPERT_MOMENTUM, /* the same for the matrices of experts */
} PlgCollectiveSubject;
#define PLG_N_COLLECTIVE_SUBJECTS 9

/* One kind of call on one axis. Calls, bytes and times are for one GPU of the stage in the field
 * `stage`, per step. */
typedef struct
{
  PlgAxis axis;
  PlgCollectiveKind kind;
  PlgCollectiveSubject collective_subject;
  double calls;
  double bytes_per_call; /* buffer size by the convention of nccl-tests */
  double bytes_sent;     /* bytes per GPU per step, over all calls */
  int group_size;
  int nodes_spanned; /* largest number of nodes that a group spans */
  PlgTier tier;      /* the slowest tier that any group crosses */
  double time;
  double exposed; /* time that compute does not hide [s] */
  int group;      /* PlgGroupKind in groups.h */
  PlgWhen when;
  guint blocks; /* bits 1 << PlgBlockKind for the blocks that make the call; used only with
                   PLG_WHEN_IN_BLOCKS */
  /* the stage that these numbers describe: the busiest stage if it makes these calls; for
   * gradients and new weights, the stage that takes longest to synchronize them */
  int stage;
  /* Share of token copies that travel between nodes; 1 except for expert dispatch. */
  double node_copy_share;
  double call_bytes;        /* bytes of the longest call */
  double contention_factor; /* factor by which a call takes longer in training than in a
                               benchmark */
  PlgCollectiveCost cost;   /* cost of the longest call */
} PlgCollective;

/* The calls of one collective on one GPU of a stage, per step. */
typedef struct
{
  double calls; /* number of calls; for send-recv between stages, number of messages sent and
                   received */
  double bytes_per_call;
  double bytes_sent;
  double time;
} PlgStageCalls;

typedef struct
{
  PlgTier tier;
  int node;         /* node number; -1 for a link outside the nodes */
  int local;        /* number of the GPU or NIC within the node, or number of the leaf */
  int other;        /* number of the peer GPU, leaf or spine; -1 if the tier implies the other
                       end */
  double bandwidth; /* stated bandwidth, reduced by faults [bytes/s per direction] */
  double calls;     /* number per step */
  double bytes_out; /* bytes per step */
  double bytes_in;  /* bytes per step */
  double time;      /* busy time per step [s] */
  guint axes;       /* bits 1 << PlgAxis of the axes with traffic on the link */
  int first_share, n_shares; /* index of the link's first share in the report's link_shares, and
                                number of its shares */
} PlgLink;

/* The load that one collective puts on one link. The shares of a link add up to its load. */
typedef struct
{
  int collective; /* index in the report's collectives */
  double calls;
  double bytes_out;
  double bytes_in;
  double time;
} PlgLinkShare;

/* One box of the timeline: the work for one micro-batch on one stage. */
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

/* A problem in the plan and a change that would help. */
typedef struct
{
  const char *id; /* "tp-crosses-node"; static */
  PlgSeverity severity;
  char *text; /* translated */
  double value;
  double limit;
  const char *unit; /* static */
  char *remedy;     /* translated */
  char *edits;      /* "KEY=VALUE KEY=VALUE" for plg_settings_apply(), or NULL */
  double gain;      /* time that the edits save per step [s]; 0 if unknown */
} PlgFinding;

typedef enum
{
  PLG_FIT_NO = FALSE,
  PLG_FIT_YES = TRUE,
  PLG_FIT_HIDDEN, /* see redaction.h */
} PlgFit;

/* Optional parts of a report; each takes extra time to compute. */
typedef enum
{
  PLG_EVALUATE_TOTALS = 0,
  PLG_EVALUATE_LINKS = 1 << 0,
  PLG_EVALUATE_TIMELINE = 1 << 1,
  PLG_EVALUATE_ALL = PLG_EVALUATE_LINKS | PLG_EVALUATE_TIMELINE,
} PlgEvaluateFlags;

typedef struct
{
  gatomicrefcount ref_count;

  guint redaction; /* PlgRedaction bits of the hidden parts; 0 for a complete report */
  PlgProfile profile;
  int world_size;
  int nodes;
  int degree[PLG_N_AXES];
  int embedding_copy_stage; /* stage that can share the embedding with the first stage */
  int groups[PLG_N_AXES];
  PlgHops hops[PLG_N_AXES]; /* hops of all axes except EP; filled only with PLG_EVALUATE_LINKS */
  guint parts;              /* PlgEvaluateFlags bits of the parts that are filled */
  int micro_batches;
  double parameters_total;
  double parameters_active;

  PlgStep step;
  PlgBubble bubble;
  PlgTrainingRun run;

  double memory_capacity;
  double memory_peak;
  int memory_peak_stage;
  PlgFit fits;

  GArray *stages;      /* PlgStageMemory */
  GArray *collectives; /* PlgCollective */
  GArray *links;       /* PlgLink; filled only with PLG_EVALUATE_LINKS */
  GArray *link_shares; /* PlgLinkShare; filled only with PLG_EVALUATE_LINKS */
  GArray *stage_calls; /* PlgStageCalls by collective and stage; only with PLG_EVALUATE_LINKS */
  GArray *work;        /* double; memory of plg_traffic_begin(), kept for the next evaluation */
  GArray *blocks;      /* PlgBlock, sorted by start; filled only with PLG_EVALUATE_TIMELINE */
  GArray *findings;    /* PlgFinding, most important first; filled by plg_report_advise() */
  gboolean has_advice; /* TRUE if plg_report_advise() has filled the findings */
} PlgReport;

/* Stages are considered uneven if the schedule's idle time exceeds the closed-form idle time by
 * this share of the step. */
#define PLG_UNEVEN_IDLE_SHARE 0.04

/* Creates an empty report for plg_evaluate_into(), which reuses the report's memory. */
PlgReport *plg_report_new (void) G_GNUC_WARN_UNUSED_RESULT;
PlgReport *plg_report_ref (PlgReport *report) G_GNUC_WARN_UNUSED_RESULT;
void plg_report_unref (PlgReport *report);
/* Frees the unused memory of the link shares, which is usually several times the used memory.
 * Call this function for a report that will not be filled again. */
void plg_report_shrink (PlgReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgReport, plg_report_unref)

/* Returns a translated description, for example "does not fit"; "–" if hidden. */
const char *plg_fit_describe (PlgFit fit);
/* Returns the untranslated name for use in files, for example "compute". */
const char *plg_part_name (PlgPart part);
const char *plg_part_title (PlgPart part); /* Returns "Compute", translated. */
/* Returns the bubble that panels, findings, assertions and lessons show: the idle share of the
 * simulated schedule, or in the notebook profile the notebook's own formula. The part
 * PLG_PART_BUBBLE of the step is another quantity: the idle time of the busiest stage alone [s].
 * Returns NaN if hidden. */
double plg_report_bubble (const PlgReport *report);
/* Returns SECONDS as a share of the step: 0 for an empty step, NaN if SECONDS or the step time
 * is hidden. */
double plg_report_share_of_step (const PlgReport *report, double seconds);
/* Returns the memory of the host for one GPU of the stage that needs most of it [bytes]; 0 if nothing
 * is offloaded or the memory is hidden. */
double plg_report_host_memory (const PlgReport *report);
/* Returns TRUE if a plan on CLUSTER fits into the memory of its GPUs and of its hosts. */
gboolean plg_report_fits_cluster (const PlgReport *report, const PlgCluster *cluster);
/* plg_report_link_time:
 *
 * Finds the longest time for which @axis keeps a link busy. The time includes only the transfer
 * of bytes at the bandwidth that the link achieves.
 *
 * Returns: seconds per step; NaN if the report has no links or the time is hidden */
double plg_report_link_time (const PlgReport *report, PlgAxis axis);

const char *plg_collective_kind_name (PlgCollectiveKind kind); /* "all-gather", for files */
/* Returns the translated title of the collective's kind, for example "all-gather (experts)". The
 * title includes the subject unless the subject is PLG_COLLECTIVE_SUBJECT_LAYERS. */
const char *plg_collective_kind_title (const PlgCollective *collective);
/* plg_collective_name() returns the name for commands, which is unique within a plan, for
 * example "dp:reduce-scatter" or "dp:reduce-scatter:experts". plg_collective_title() returns the
 * translated title, for example "DP reduce-scatter (experts)". Free both with g_free(). */
char *plg_collective_name (const PlgCollective *collective);
char *plg_collective_title (const PlgCollective *collective);
/* Returns the index of the collective with this name, for example "tp:all-reduce:loss". If no
 * collective has this name, returns the index of the first collective whose name starts with
 * NAME and a colon, for example for "tp:all-reduce" or "tp". Returns -1 if no collective
 * matches. */
int plg_report_find_collective (const PlgReport *report, const char *name);
/* Returns the calls on one GPU of STAGE; NULL for an invalid index or a report without links. */
const PlgStageCalls *plg_report_stage_calls (const PlgReport *report, int collective, int stage);

const char *plg_tier_name (PlgTier tier); /* "nvlink", for files */
/* Returns the translated title of TIER, for example "Spine switch". For PLG_TIER_NVLINK, returns
 * the name of the GPU links in CLUSTER, for example "NVLink". */
const char *plg_tier_title (const PlgCluster *cluster, PlgTier tier);
/* Returns a phrase such as "over NVLink" or "over spine switches"; free with g_free(). */
char *plg_tier_describe (const PlgCluster *cluster, PlgTier tier);
const char *plg_severity_name (PlgSeverity severity); /* "hint", for files */

/* Returns a stable id; free with g_free(). "nvlink-2-5" connects GPU 5 of node 2 to its switch,
 * "nvlink-2-5-6" connects GPUs 5 and 6 of node 2 directly, and "pcie-2-5-6" connects two GPUs of
 * a mesh that have no direct link. "pcie-2-5" connects a GPU to its PCIe root, "nic-2-5"
 * connects NIC 5 of node 2 to its leaf, and "leaf-3-spine-1" connects a leaf to a spine. */
char *plg_link_id (const PlgLink *link);
/* Return the two ends of LINK, for example "gpu-21", "nvswitch-2", "nic-2-5", "leaf-5" or
 * "spine-1". In a rail network with a single unit of nodes, the leaf is "rail-5". Free with
 * g_free(). */
char *plg_link_from (const PlgLink *link, const PlgPlan *plan);
char *plg_link_to (const PlgLink *link, const PlgPlan *plan);
double plg_link_bytes (const PlgLink *link); /* Returns the bytes in the busier direction. */

G_END_DECLS
