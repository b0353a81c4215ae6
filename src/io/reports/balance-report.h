/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/balance.h"

G_BEGIN_DECLS

/* Returns several lines about RESULT for people, in the language of the program. Free with
 * g_free(). */
char *plg_balance_text (const PlgBalanceResult *result);
/* Returns RESULT as an object for programs: times in seconds, memory in bytes. Free with
 * g_free(). */
char *plg_balance_json (const PlgBalanceResult *result);

G_END_DECLS
