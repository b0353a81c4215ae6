/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/edit.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* A drag as a state machine that knows nothing of GTK or pixels: it is told over which GPU the
 * pointer is, and answers with a preview plan, whether that is legal, and what to say. */

typedef enum
{
  PLG_DRAG_EDGE,  /* the edge of a block of AXIS: changes its degree */
  PLG_DRAG_GROUP, /* a whole group of AXIS onto another place */
  PLG_DRAG_RANK,  /* one rank onto another GPU */
  PLG_DRAG_AXIS,  /* AXIS becomes the innermost of the order; with SHIFT the outermost */
  PLG_DRAG_NODE,  /* all ranks of the node on which RANK sits, onto another node */
} PlgDragKind;

typedef struct _PlgDrag PlgDrag;

/* Starts on the block or group of AXIS that RANK belongs to. BEFORE is the report of PLAN. Both
 * are copied or referenced. */
PlgDrag *
plg_drag_begin (PlgDragKind kind, const PlgPlan *plan, PlgReport *before, PlgAxis axis, int rank);
void plg_drag_free (PlgDrag *drag);

/* Beside all nodes, where nothing can be dropped. */
#define PLG_DRAG_NO_GPU (-1)

/* The pointer is over GPU, or nowhere; EDGE: the block should end with it. SHIFT: PP absorbs (or
 * TP, when PP is what is dragged) instead of DP. Returns TRUE when plg_drag_plan() is another than
 * before. */
gboolean plg_drag_update (PlgDrag *drag, int gpu, gboolean shift);

/* The same by keys, which name no GPU. Of an edge: STEP (1 or -1) to the next degree that there is;
 * at the last one that is refused. Of an axis: PLACE in the order, 0 innermost. */
gboolean plg_drag_step_degree (PlgDrag *drag, int step, gboolean shift);
gboolean plg_drag_move_axis (PlgDrag *drag, int place);

/* The plan that a drop would make: the last legal one. */
const PlgPlan *plg_drag_plan (const PlgDrag *drag);
/* FALSE while the pointer is where the plan cannot go; the message says why. */
gboolean plg_drag_is_legal (const PlgDrag *drag);
gboolean plg_drag_changes (const PlgDrag *drag); /* the plan differs from the first */
PlgDragKind plg_drag_kind (const PlgDrag *drag);
gboolean plg_drag_is_off_nodes (const PlgDrag *drag);
/* Lines for the label at the pointer: what it does ("TP 8 → 4 · DP 2 → 4"), what that means (needs
 * REPORT of plg_drag_plan(): "MFU 46 % → 42 %, memory 60 → 71 GiB"), why it stops. g_free(). */
char *plg_drag_title (const PlgDrag *drag);
char *plg_drag_consequence (const PlgDrag *drag, const PlgReport *report);
/* What is bad about it, in a line each: TP that leaves the node, memory that does not suffice, a
 * placement by hand that it gives up. NULL
 * where nothing is. g_free(). */
char *plg_drag_warning (const PlgDrag *drag, const PlgReport *report);
const char *plg_drag_reason (const PlgDrag *drag); /* NULL when legal */
/* Cost and warnings of a legal drag in one line, for those who listen; with the headline before it,
 * or the headline and why it stops. g_free(). */
char *plg_drag_describe_cost (const PlgDrag *drag, const PlgReport *report);
char *plg_drag_describe (const PlgDrag *drag, const PlgReport *report);
/* The name of the undo step. g_free(). */
char *plg_drag_label (const PlgDrag *drag);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgDrag, plg_drag_free)

G_END_DECLS
