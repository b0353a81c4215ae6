/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The ways of dividing the work. EP is carved out of CP x DP and is no factor of the world size;
 * the other four multiply to it. */
typedef enum
{
  PLG_AXIS_TP,
  PLG_AXIS_CP,
  PLG_AXIS_EP,
  PLG_AXIS_PP,
  PLG_AXIS_DP,
} PlgAxis;

#define PLG_N_AXES 5

/* The axes that multiply to the world size, and so have a place in the nesting order. */
#define PLG_N_NESTED_AXES 4

/* "tp", "cp", …: the name in files and on the command line. */
const char *plg_axis_name (PlgAxis axis);
/* "TP", "CP", …: the field's abbreviation, the same in every language. */
const char *plg_axis_label (PlgAxis axis);
/* "Tensor parallelism", …: translated. */
const char *plg_axis_title (PlgAxis axis);
gboolean plg_axis_from_name (const char *name, PlgAxis *axis);

G_END_DECLS
