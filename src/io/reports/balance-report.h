/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "engine/search/balance.h"

G_BEGIN_DECLS

/* Describes a layout that plg_balance_layers() has found. BEFORE and AFTER are the reports on the
 * plan and on the plan with LAYOUT. Each function returns a text that the caller frees with
 * g_free(). */

/* Returns TRUE if the layout is worth taking: the step is shorter, or the plan fits in memory only
 * with it. */
gboolean plg_balance_helps (const PlgReport *before, const PlgReport *after);
/* Returns several lines for people, in the language of the program. */
char *plg_balance_text (const PlgStageLayout *layout,
                        const PlgBalance *balance,
                        const PlgReport *before,
                        const PlgReport *after);
/* Returns an object for programs: times in seconds, memory in bytes. */
char *plg_balance_json (const PlgStageLayout *layout,
                        const PlgBalance *balance,
                        const PlgReport *before,
                        const PlgReport *after);
/* Returns one sentence that says what the layout saves, or that it saves nothing, for example “The
 * longest stage takes 191 ms instead of 198 ms, and the step 47.9 s instead of 49.2 s.” */
char *
plg_balance_sentence (const PlgBalance *balance, const PlgReport *before, const PlgReport *after);

G_END_DECLS
