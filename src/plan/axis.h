/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The parallelism axes. The world size is TP x CP x PP x DP. EP is not a factor of the world
 * size, because experts use the same GPUs: EP x ETP divides TP x CP x DP. */
typedef enum
{
  PLG_AXIS_TP,
  PLG_AXIS_CP,
  PLG_AXIS_EP,
  PLG_AXIS_PP,
  PLG_AXIS_DP,
} PlgAxis;

#define PLG_N_AXES 5

/* The number of axes in the nesting order. The product of their degrees is the world size. */
#define PLG_N_NESTED_AXES 4

/* Returns the name in files and on the command line: "tp", "cp", … */
const char *plg_axis_name (PlgAxis axis);
/* Returns the abbreviation, which is the same in every language: "TP", "CP", … */
const char *plg_axis_label (PlgAxis axis);
/* Returns the translated name: "Tensor parallelism", … */
const char *plg_axis_title (PlgAxis axis);
gboolean plg_axis_from_name (const char *name, PlgAxis *axis);

G_END_DECLS
