/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/edit-policy.h"

G_BEGIN_DECLS

/* The kinds of a remedy: what a person can do when a drag goes no further. */
typedef enum
{
  PLG_DRAG_REMEDY_NONE,
  PLG_DRAG_REMEDY_SHIFT,       /* press or release Shift at the same position; to the right or left
                                  of a node, also drag to another node */
  PLG_DRAG_REMEDY_DROP,        /* drop, and drag the edge again with Shift, or without Shift if it
                                  is pressed */
  PLG_DRAG_REMEDY_DEGREE,      /* drag to another degree of the same axis */
  PLG_DRAG_REMEDY_SETTINGS,    /* change settings before the same drag */
  PLG_DRAG_REMEDY_NODE,        /* drag to another node for another degree of the same axis */
  PLG_DRAG_REMEDY_FIRST_BLOCK, /* drag the edge of the block that contains rank 0 */
  PLG_DRAG_REMEDY_MODEL,       /* choose a mixture-of-experts model before the same drag */
} PlgDragRemedyKind;

/* The reason why a drag goes no further, and a remedy. Each remedy except
 * PLG_DRAG_REMEDY_MODEL has been tried on a copy of the plan and works. All members are 0 if the
 * drag follows the pointer. */
typedef struct
{
  char *text; /* one sentence with the reason and the remedy; nullable */
  PlgDragRemedyKind remedy;
  int degree;         /* the degree that PLG_DRAG_REMEDY_DEGREE or PLG_DRAG_REMEDY_NODE names */
  char **assignments; /* "KEY=VALUE", the changes that PLG_DRAG_REMEDY_SETTINGS names */
} PlgDragLimit;

void plg_drag_limit_clear (PlgDragLimit *limit);

/* A movement of the edge of a block, with the pointer or with the keyboard. */
typedef struct
{
  PlgAxis axis;
  int rank;        /* any rank of the block */
  int gpu;         /* the GPU under the pointer; less than 0 before the first GPU of the cluster,
                     and at least the number of GPUs after the last one; unused if STEP is not 0 */
  int beside_node; /* 1 if the pointer is to the right of the node of GPU, -1 if it is to the left,
                      otherwise 0; unused if STEP is not 0 */
  int step;        /* with the keyboard: 1 for the next higher legal degree, -1 for the next lower
                     one; with the pointer: 0 */
  gboolean shift;  /* whether the other axis compensates (plg_edit_compensating_axis()) */
} PlgEdgeMove;

/* plg_drag_edge_move:
 * @before: the plan at the start of the drag
 * @policy: (nullable): the edits that a lesson allows; %NULL allows all edits
 * @after: a copy of @before that is changed
 * @limit: (out): why the edge goes no further than @after, and a remedy; cleared first
 *
 * Moves the edge to the possible degree whose block ends nearest to the pointer, or by one
 * step. If the plan would be invalid, leaves @after unchanged.
 *
 * Returns: %FALSE if the position is refused. An edge that stops at its last possible degree
 * under the pointer is not refused, although @limit says why it stops */
gboolean plg_drag_edge_move (const PlgPlan *before,
                             const PlgEditPolicy *policy,
                             const PlgEdgeMove *move,
                             PlgPlan *after,
                             PlgDragLimit *limit);

/* plg_drag_limit_set_settings:
 * @reason: (transfer full): why the drag goes no further
 * @assignments: "KEY=VALUE" strings that make the drag possible, %NULL-terminated; copied */
void
plg_drag_limit_set_settings (PlgDragLimit *limit, char *reason, const char *const *assignments);

G_END_DECLS
