/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The parallelism axes. TP x CP x PP x DP is the world size; EP divides CP x DP and is not a
 * factor of the world size. */
typedef enum
{
  PLG_AXIS_TP,
  PLG_AXIS_CP,
  PLG_AXIS_EP,
  PLG_AXIS_PP,
  PLG_AXIS_DP,
} PlgAxis;

#define PLG_N_AXES 5

/* The axes that multiply to the world size and have a position in the nesting order. */
#define PLG_N_NESTED_AXES 4

/* The name in files and on the command line: "tp", "cp", … */
const char *plg_axis_name (PlgAxis axis);
/* The abbreviation, the same in every language: "TP", "CP", … */
const char *plg_axis_label (PlgAxis axis);
/* The translated name: "Tensor parallelism", … */
const char *plg_axis_title (PlgAxis axis);
gboolean plg_axis_from_name (const char *name, PlgAxis *axis);

G_END_DECLS
