/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format-private.h"

G_BEGIN_DECLS

/* What writers for other simulators share. */

/* FALSE with ERROR, which names what PLAN has and PROGRAM cannot say, and what would be right. */
gboolean plg_simulator_set_error (const char *program, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Ranks lie as the order says: PROGRAM numbers GPUs as ranks. */
gboolean plg_simulator_check_rank_order (const PlgPlan *plan, const char *program, GError **error);
/* Nothing is slow or broken. */
gboolean plg_simulator_check_no_faults (const PlgPlan *plan, const char *program, GError **error);
/* Whether a group of AXIS has members on more than one node. */
gboolean plg_simulator_axis_crosses_nodes (const PlgPlan *plan, PlgAxis axis);

G_END_DECLS
