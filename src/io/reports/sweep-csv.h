/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/sweep.h"

G_BEGIN_DECLS

/* plg_sweep_csv:
 *
 * Writes one row per point, with exact numbers in SI base units. The columns are the keys, the
 * metric with its unit, the memory of the fullest GPU, the state ("fits", "too-large" or
 * "impossible") and the reason why the plan is not possible. The columns of the keys have the units
 * of --set. A text that a spreadsheet would take for a formula begins with an apostrophe.
 *
 * Returns: (transfer full): the table */
char *plg_sweep_csv (const PlgSweep *sweep) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
