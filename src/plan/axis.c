/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/axis.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *name;
  const char *label;
  const char *title;
} axes[PLG_N_AXES] = {
  [PLG_AXIS_TP] = { "tp", "TP", N_ ("Tensor parallelism") },
  [PLG_AXIS_CP] = { "cp", "CP", N_ ("Context parallelism") },
  [PLG_AXIS_EP] = { "ep", "EP", N_ ("Expert parallelism") },
  [PLG_AXIS_PP] = { "pp", "PP", N_ ("Pipeline parallelism") },
  [PLG_AXIS_DP] = { "dp", "DP", N_ ("Data parallelism") },
};

const char *
plg_axis_name (PlgAxis axis)
{
  return axes[axis].name;
}

const char *
plg_axis_label (PlgAxis axis)
{
  return axes[axis].label;
}

const char *
plg_axis_title (PlgAxis axis)
{
  return _ (axes[axis].title);
}

gboolean
plg_axis_from_name (const char *name, PlgAxis *axis)
{
  for (int i = 0; i < PLG_N_AXES; i++)
    if (g_strcmp0 (name, axes[i].name) == 0)
      {
        *axis = (PlgAxis) i;
        return TRUE;
      }
  return FALSE;
}
