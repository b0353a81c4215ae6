/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Earlier and later values of a plan. Each value has a serial of its own, so that "saved" is a
 * comparison of serials: undoing back to what was saved is saved again. */
typedef struct _PlgHistory PlgHistory;

/* PLAN is copied and is the only value, and the saved one. */
PlgHistory *plg_history_new (const PlgPlan *plan);
void plg_history_free (PlgHistory *history);
const PlgPlan *plg_history_current (const PlgHistory *history);

/* PLAN (copied) follows the current value; later ones are forgotten. With MERGE the current value
 * is replaced instead, unless it is the saved one or the first; and left out when PLAN is what was
 * before it. */
void plg_history_push (PlgHistory *history, const PlgPlan *plan, const char *label, gboolean merge);

gboolean plg_history_undo (PlgHistory *history);
gboolean plg_history_redo (PlgHistory *history);
const char *plg_history_undo_label (const PlgHistory *history); /* NULL: nothing to undo */
const char *plg_history_redo_label (const PlgHistory *history);

void plg_history_mark_saved (PlgHistory *history);
/* Nothing in the history is what is in a file. */
void plg_history_mark_unsaved (PlgHistory *history);
gboolean plg_history_is_saved (const PlgHistory *history);

/* The same view in all values. */
void plg_history_set_view (PlgHistory *history, const PlgView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgHistory, plg_history_free)

G_END_DECLS
