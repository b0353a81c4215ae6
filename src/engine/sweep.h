/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/metric.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* A sweep evaluates a plan for each value of one setting, or for each pair of values of two
 * settings, and reads one metric from each report. */

/* The largest numbers of values of a key and of points of a sweep. */
#define PLG_SWEEP_MAX_VALUES 500
#define PLG_SWEEP_MAX_POINTS 20000

typedef enum
{
  PLG_SWEEP_FITS,       /* the plan is valid and fits in memory */
  PLG_SWEEP_TOO_LARGE,  /* the plan is valid but does not fit in memory */
  PLG_SWEEP_IMPOSSIBLE, /* the plan is not valid */
} PlgSweepState;

typedef struct
{
  PlgSweepState state;
  double value;         /* value of the metric in SI units; NaN if the plan is not valid */
  double memory;        /* memory of the fullest GPU [bytes]; NaN if the plan is not valid */
  char *reason;         /* reason why the plan is not valid, translated; otherwise NULL */
  char **assignments;   /* the settings of the point, "KEY=VALUE" for plg_settings_apply() */
  gboolean lost_layout; /* whether the plan's layout does not fit the point, which has none */
} PlgSweepPoint;

/* A setting and the values that it has in a sweep. */
typedef struct
{
  const PlgSetting *setting;
  GPtrArray *values; /* values (char *) as for --set; numbers are sorted; no value is repeated */
} PlgSweepKey;

typedef enum
{
  PLG_SWEEP_OF_KEYS,
  PLG_SWEEP_OF_SCALING, /* the first row grows the batch with the cluster, the second does not */
} PlgSweepKind;

/* The result of a sweep, which is immutable. */
typedef struct
{
  gatomicrefcount ref_count;
  PlgSweepKind kind;
  const PlgMetric *metric;
  PlgSweepKey x;
  PlgSweepKey y;         /* y.setting is NULL if there is no second setting */
  int columns;           /* number of values of X */
  int rows;              /* number of values of Y, or 1; 2 in a sweep of scaling */
  int own_column;        /* column and row of the plan itself; -1 if its value is not among the */
  int own_row;           /* values */
  PlgSweepPoint *points; /* COLUMNS points per row */
} PlgSweep;

/* Returns TRUE if SETTING can be a key of a sweep: it has numbers, choices or names, and the
 * evaluation depends on it. */
gboolean plg_sweep_accepts (const PlgSetting *setting);

/* plg_sweep_new:
 * @plan: a plan that passes plg_plan_check()
 * @catalogue: (nullable): the catalogue, required if a key is the name of a GPU, node or model
 * @metric: the metric to read, which must outlive the sweep
 * @x: the first key, such as "cluster.nodes" or "cluster.nodes=1..64"
 * @y: (nullable): the second key
 *
 * Evaluates a copy of @plan for each point, on several threads if there are many points. DP
 * follows the number of GPUs as in plg_settings_apply().
 *
 * A key is KEY or KEY=VALUES. VALUES are separated by commas. A value is as for --set, or a range
 * of numbers: "A..B" doubles A up to B, "A..B:+N" adds N, and "A..B:*N" multiplies by N. Without
 * VALUES, a choice, a boolean, a name or a number with at most 16 values has all its values, and
 * any other number has the plan's value, three halves and three doubles of it.
 *
 * Returns: (transfer full): the sweep, to free with plg_sweep_unref(), or %NULL with an error of
 *   %PLG_PLAN_ERROR if a key or a value is wrong, or if there are more than %PLG_SWEEP_MAX_VALUES
 *   values or more than %PLG_SWEEP_MAX_POINTS points */
PlgSweep *plg_sweep_new (const PlgPlan *plan,
                         const PlgCatalogue *catalogue,
                         const PlgMetric *metric,
                         const char *x,
                         const char *y,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The number of GPUs at which a sweep of scaling ends. If the plan has more GPUs, the sweep ends
 * at the plan's number of GPUs. */
#define PLG_SWEEP_GPUS 1024

/* plg_sweep_scaling:
 * @plan: a plan that passes plg_plan_check()
 *
 * Evaluates the MFU of @plan on more or fewer nodes of the same kind, with the number of replicas
 * that fills them. The nodes start at 1 and double, and include the plan's own number of nodes.
 * In weak scaling (row 0) every replica keeps its share of the batch, so the batch grows with the
 * cluster. In strong scaling (row 1) the global batch is constant, so each replica works on fewer
 * sequences as the cluster grows. Gustafson, "Reevaluating Amdahl's law", CACM 31 (1988).
 *
 * Returns: (transfer full): the sweep over cluster.nodes, never %NULL; free with
 *   plg_sweep_unref() */
PlgSweep *plg_sweep_scaling (const PlgPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

/* Takes another reference to SWEEP, in any thread. Returns SWEEP. */
PlgSweep *plg_sweep_ref (PlgSweep *sweep);
/* Gives a reference to SWEEP back, in any thread. */
void plg_sweep_unref (PlgSweep *sweep);

/* Returns the point in COLUMN, 0 .. columns-1, and ROW, 0 .. rows-1. SWEEP owns the point. */
const PlgSweepPoint *plg_sweep_point (const PlgSweep *sweep, int column, int row);
/* Returns TRUE if the layout of the plan does not fit some of the points, whose plans have none. */
gboolean plg_sweep_lost_layout (const PlgSweep *sweep);
/* Returns TRUE if the point is the plan itself. */
gboolean plg_sweep_is_own (const PlgSweep *sweep, int column, int row);
/* Returns KEY with its values, for example "cluster.nodes=1,2,4". Free with g_free(). */
char *plg_sweep_key_to_text (const PlgSweepKey *key) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSweep, plg_sweep_unref)

G_END_DECLS
