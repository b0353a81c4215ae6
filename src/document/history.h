/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* The undo history of a plan: its earlier, current and later values. Each value has a serial
 * number, so that the history recognises the saved value after an undo. */
typedef struct _PlgHistory PlgHistory;

/* Starts a history with a copy of PLAN as its only value and marks this value as saved. */
PlgHistory *plg_history_new (const PlgPlan *plan);
void plg_history_free (PlgHistory *history);
const PlgPlan *plg_history_current (const PlgHistory *history);

/* Appends a copy of PLAN after the current value and drops all later values. With MERGE, the
 * copy replaces the current value, unless the current value is the saved value or the first
 * value. If PLAN then equals the previous value, the current value is removed. */
void plg_history_push (PlgHistory *history, const PlgPlan *plan, const char *label, gboolean merge);

gboolean plg_history_undo (PlgHistory *history);
gboolean plg_history_redo (PlgHistory *history);
/* Returns the label of the step that undo would revert, or NULL if there is nothing to undo. */
const char *plg_history_undo_label (const PlgHistory *history);
const char *plg_history_redo_label (const PlgHistory *history);

void plg_history_mark_saved (PlgHistory *history);
/* Marks every value as unsaved. */
void plg_history_mark_unsaved (PlgHistory *history);
gboolean plg_history_is_saved (const PlgHistory *history);

/* Sets VIEW in all values, because undo and redo must not change the view. */
void plg_history_set_view (PlgHistory *history, const PlgView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgHistory, plg_history_free)

G_END_DECLS
