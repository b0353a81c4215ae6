/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/edit.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* A drag is a state machine that is independent of GTK and of pixels. Its input is the GPU under
 * the pointer. Its output is a preview plan, whether the preview is valid, and a message. */

typedef enum
{
  PLG_DRAG_EDGE,  /* moves the edge of a block of AXIS, which changes the degree of AXIS */
  PLG_DRAG_SHARD, /* moves the edge of a shard group (HSDP) inside DP, which changes the setting
                     replicate; AXIS is DP */
  PLG_DRAG_GROUP, /* swaps the group of AXIS that contains RANK with the group under the pointer;
                     for PP, swaps stages, and for DP, swaps replicas */
  PLG_DRAG_RANK,  /* swaps RANK with the rank on another GPU */
  PLG_DRAG_AXIS,  /* makes AXIS the innermost axis of the nesting order; with SHIFT, the
                     outermost axis */
  PLG_DRAG_NODE,  /* swaps all ranks on the node that contains RANK with the ranks on another
                     node */
} PlgDragKind;

typedef struct _PlgDrag PlgDrag;

/* Starts a drag. KIND determines how AXIS and RANK select what is dragged (see PlgDragKind).
 * PLAN is copied. BEFORE is the report of PLAN; the drag keeps a reference to it. */
PlgDrag *
plg_drag_begin (PlgDragKind kind, const PlgPlan *plan, PlgReport *before, PlgAxis axis, int rank);
void plg_drag_free (PlgDrag *drag);

/* A pointer position outside all nodes, where a drop is impossible. */
#define PLG_DRAG_NO_GPU (-1)

/* Moves the pointer to GPU, or to PLG_DRAG_NO_GPU. A dragged edge is placed so that the block
 * ends as near to GPU as the possible degrees allow. The degree of DP compensates for the
 * change, or the degree of PP if DP is dragged. With SHIFT, the degree of PP compensates, or the
 * degree of TP if PP or DP is dragged. Returns TRUE if plg_drag_plan() has changed. */
gboolean plg_drag_update (PlgDrag *drag, int gpu, gboolean shift);

/* Both functions move the drag with the keyboard and therefore take no GPU. STEP (1 or -1) moves
 * an edge to the next possible degree or shard group; after the last one, the step is refused.
 * PLACE is the new position of an axis in the nesting order, with 0 for the innermost position. */
gboolean plg_drag_step_degree (PlgDrag *drag, int step, gboolean shift);
gboolean plg_drag_move_axis (PlgDrag *drag, int place);

/* Returns the last valid plan, which a drop would apply. */
const PlgPlan *plg_drag_plan (const PlgDrag *drag);
/* Returns FALSE if the pointer's position is not valid; the message then states the reason. */
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
 * a manual placement is dropped. Returns NULL if there is no warning. Free with g_free(). */
char *plg_drag_warning (const PlgDrag *drag, const PlgReport *report);
/* Returns the reason why the position is not valid, or NULL if the position is valid. */
const char *plg_drag_reason (const PlgDrag *drag);
/* Both functions describe a drag in one line for screen readers; free the line with g_free().
 * plg_drag_describe_cost() gives only the effect and the warnings. plg_drag_describe() begins
 * with the text of plg_drag_title(), followed by the effect and the warnings or, if the drag is
 * not valid, by the reason. */
char *plg_drag_describe_cost (const PlgDrag *drag, const PlgReport *report);
char *plg_drag_describe (const PlgDrag *drag, const PlgReport *report);
/* Returns the name of the undo step. Free with g_free(). */
char *plg_drag_label (const PlgDrag *drag);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgDrag, plg_drag_free)

G_END_DECLS
