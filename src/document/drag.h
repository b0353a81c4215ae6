/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/drag-edge.h"
#include "plan/edit.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* A drag is a state machine that is independent of GTK and of pixels. Its input is the GPU under
 * the pointer. Its output is a preview plan, whether the preview is valid, and a message. */

typedef enum
{
  PLG_DRAG_EDGE,   /* moves the edge of a block of AXIS, which changes the degree of AXIS */
  PLG_DRAG_SHARD,  /* moves the edge of a shard group (HSDP) inside DP, which changes the setting
                     replicate; AXIS is DP */
  PLG_DRAG_GROUP,  /* swaps the group of AXIS that contains RANK with the group under the pointer;
                     for PP, swaps stages, and for DP, swaps replicas */
  PLG_DRAG_RANK,   /* swaps RANK with the rank on another GPU */
  PLG_DRAG_AXIS,   /* makes AXIS the innermost axis of the nesting order; with SHIFT, the
                     outermost axis */
  PLG_DRAG_NODE,   /* swaps all ranks on the node that contains RANK with the ranks on another
                     node */
  PLG_DRAG_LAYERS, /* moves layers between two neighbouring stages; see plg_drag_begin_layers() */
} PlgDragKind;

typedef struct _PlgDrag PlgDrag;

/* Starts a drag. KIND determines how AXIS and RANK select what is dragged (see PlgDragKind).
 * PLAN is copied. BEFORE is the report of PLAN; the drag keeps a reference to it. */
PlgDrag *
plg_drag_begin (PlgDragKind kind, const PlgPlan *plan, PlgReport *before, PlgAxis axis, int rank);
/* Starts a drag of the edge between STAGE and the next stage. PlgLayerMove explains CHUNK. */
PlgDrag *plg_drag_begin_layers (const PlgPlan *plan, PlgReport *before, int stage, int chunk);
void plg_drag_free (PlgDrag *drag);
/* Refuses the positions that POLICY does not allow. POLICY must outlive the drag. */
void plg_drag_set_policy (PlgDrag *drag, const PlgEditPolicy *policy);

/* A pointer position outside all nodes, where a drop is impossible. */
#define PLG_DRAG_NO_GPU (-1)

/* Moves the pointer to GPU, or to PLG_DRAG_NO_GPU. A dragged edge is placed so that the block
 * ends as near to GPU as the possible degrees allow. The degree of DP compensates for the
 * change, or the degree of PP if DP is dragged. With SHIFT, the degree of PP compensates, or the
 * degree of TP if PP or DP is dragged. A dragged edge also accepts a GPU below 0 or after the
 * last one, which means that the pointer has left the cluster on that side. Returns TRUE if
 * plg_drag_plan() has changed. */
gboolean plg_drag_update (PlgDrag *drag, int gpu, gboolean shift);
/* Sets where the pointer of the next plg_drag_update() is: BESIDE_NODE is 1 to the right of the
 * node of GPU, -1 to the left, otherwise 0. An edge then says why it stays in the node. */
void plg_drag_set_beside_node (PlgDrag *drag, int beside_node);

/* Both functions move the drag with the keyboard and therefore take no GPU. STEP (1 or -1) moves
 * an edge to the next legal degree or shard group; after the last one, the step is refused.
 * PLACE is the new position of an axis in the nesting order, with 0 for the innermost position; a
 * PLACE before the first or after the last position is refused. */
gboolean plg_drag_step_degree (PlgDrag *drag, int step, gboolean shift);
gboolean plg_drag_move_axis (PlgDrag *drag, int place);
/* Moves a drag of PLG_DRAG_LAYERS, in place of plg_drag_update(). LAYERS is the number of layers
 * that the stage before the edge gets; if it is negative, the stage after the edge gets them. Layers
 * that cannot move stay, and plg_drag_limit() says why. Returns TRUE if plg_drag_plan() has
 * changed. */
gboolean plg_drag_move_layers (PlgDrag *drag, int layers);

/* Returns the last valid plan, which a drop would apply. */
const PlgPlan *plg_drag_plan (const PlgDrag *drag);
/* Returns FALSE if the pointer's position is not valid; plg_drag_limit() then has the reason. */
gboolean plg_drag_is_legal (const PlgDrag *drag);
/* Returns whether the plan differs from the plan at the start of the drag. */
gboolean plg_drag_changes (const PlgDrag *drag);
PlgDragKind plg_drag_kind (const PlgDrag *drag);
gboolean plg_drag_is_off_nodes (const PlgDrag *drag);
/* Both functions return one line of the label at the pointer; free it with g_free().
 * plg_drag_title() gives the change, for example "TP 8 → 4 · DP 2 → 4". plg_drag_consequence()
 * gives its effect, for example "MFU 46 % → 42 %, memory 60 → 71 GiB"; REPORT must be the report
 * of plg_drag_plan(). */
char *plg_drag_title (const PlgDrag *drag);
char *plg_drag_consequence (const PlgDrag *drag, const PlgReport *report);
/* Returns the warnings, one per line: a TP group leaves its node, there is not enough memory, or
 * a placement or layers set by hand are reset. Returns NULL if there is no warning. Free with g_free(). */
char *plg_drag_warning (const PlgDrag *drag, const PlgReport *report);
/* Returns why the drag does not follow the pointer, and a remedy. The text is NULL if the drag
 * follows the pointer. A valid position can have a text too: an edge that has reached its last
 * possible degree, for example. Borrowed; valid until the next position. */
const PlgDragLimit *plg_drag_limit (const PlgDrag *drag);
/* Both functions describe a drag in one line for screen readers; free the line with g_free().
 * plg_drag_describe_cost() gives only the effect and the warnings. plg_drag_describe() begins
 * with the text of plg_drag_title(), followed by the effect and the warnings if the drag is valid,
 * and by the text of plg_drag_limit(). */
char *plg_drag_describe_cost (const PlgDrag *drag, const PlgReport *report);
char *plg_drag_describe (const PlgDrag *drag, const PlgReport *report);
/* Returns the name of the undo step. Free with g_free(). */
char *plg_drag_label (const PlgDrag *drag);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgDrag, plg_drag_free)

G_END_DECLS
