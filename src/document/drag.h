/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/edit.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* A drag is a state machine that knows nothing of GTK or pixels. Its input is the GPU under the
 * pointer. Its output is a preview plan, whether the preview is valid, and a message. */

typedef enum
{
  PLG_DRAG_EDGE,  /* the edge of a block of AXIS: changes its degree */
  PLG_DRAG_GROUP, /* moves a whole group of AXIS to another position */
  PLG_DRAG_RANK,  /* moves one rank to another GPU */
  PLG_DRAG_AXIS,  /* makes AXIS the innermost axis of the order; with SHIFT, the outermost axis */
  PLG_DRAG_NODE,  /* moves all ranks of the node of RANK to another node */
} PlgDragKind;

typedef struct _PlgDrag PlgDrag;

/* Starts a drag of the block or group of AXIS that contains RANK. PLAN is copied. BEFORE is the
 * report of PLAN; the drag keeps a reference to it. */
PlgDrag *
plg_drag_begin (PlgDragKind kind, const PlgPlan *plan, PlgReport *before, PlgAxis axis, int rank);
void plg_drag_free (PlgDrag *drag);

/* A position outside all nodes, where a drop is impossible. */
#define PLG_DRAG_NO_GPU (-1)

/* Moves the pointer to GPU, or to PLG_DRAG_NO_GPU. A dragged edge is placed so that the block
 * ends with GPU if possible. With SHIFT, the factor comes from PP instead of DP (from TP if PP
 * is dragged). Returns TRUE if plg_drag_plan() has changed. */
gboolean plg_drag_update (PlgDrag *drag, int gpu, gboolean shift);

/* Moves the drag by keyboard, without a GPU. STEP (1 or -1) moves an edge to the next possible
 * degree; after the last possible degree, the step is refused. PLACE is the new position of an
 * axis in the order, with 0 for the innermost position. */
gboolean plg_drag_step_degree (PlgDrag *drag, int step, gboolean shift);
gboolean plg_drag_move_axis (PlgDrag *drag, int place);

/* Returns the plan that a drop would apply: the last valid plan. */
const PlgPlan *plg_drag_plan (const PlgDrag *drag);
/* Returns FALSE if the pointer's position is not valid; the message then states the reason. */
gboolean plg_drag_is_legal (const PlgDrag *drag);
/* Returns whether the plan differs from the plan at the start. */
gboolean plg_drag_changes (const PlgDrag *drag);
PlgDragKind plg_drag_kind (const PlgDrag *drag);
gboolean plg_drag_is_off_nodes (const PlgDrag *drag);
/* Returns the lines of the label at the pointer: the change ("TP 8 → 4 · DP 2 → 4"), its effect
 * ("MFU 46 % → 42 %, memory 60 → 71 GiB"; REPORT must be the report of plg_drag_plan()), and the
 * reason why a drag stops. Free with g_free(). */
char *plg_drag_title (const PlgDrag *drag);
char *plg_drag_consequence (const PlgDrag *drag, const PlgReport *report);
/* Returns the warnings, one per line: TP leaves the node, there is not enough memory, a manual
 * placement is dropped. Returns NULL if there is no warning. Free with g_free(). */
char *plg_drag_warning (const PlgDrag *drag, const PlgReport *report);
const char *plg_drag_reason (const PlgDrag *drag); /* Returns NULL if the position is valid. */
/* Describes a drag in one line for screen readers, after the headline. A valid drag has its
 * effect and warnings; an invalid drag has the headline and the reason. Free with g_free(). */
char *plg_drag_describe_cost (const PlgDrag *drag, const PlgReport *report);
char *plg_drag_describe (const PlgDrag *drag, const PlgReport *report);
/* Returns the name of the undo step. Free with g_free(). */
char *plg_drag_label (const PlgDrag *drag);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgDrag, plg_drag_free)

G_END_DECLS
