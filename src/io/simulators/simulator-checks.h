/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Checks that several writers of simulator files share. */

/* Sets ERROR for a feature of the plan that PROGRAM does not support. FORMAT gives the cause and
 * the remedy. Always returns FALSE. */
gboolean plg_simulator_set_error (const char *program, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Fails if ranks were moved by hand, because PROGRAM always places rank i on GPU i. */
gboolean plg_simulator_check_rank_order (const PlgPlan *plan, const char *program, GError **error);
/* Fails if the plan has faults. */
gboolean plg_simulator_check_no_faults (const PlgPlan *plan, const char *program, GError **error);
/* Returns whether a group of the axis spans several nodes. */
gboolean plg_simulator_axis_crosses_nodes (const PlgPlan *plan, PlgAxis axis);

G_END_DECLS
