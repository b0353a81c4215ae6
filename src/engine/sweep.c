/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/sweep.h"

#include "engine/advice/advice.h"
#include "engine/evaluate.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A setting with at most this number of values has all of them if no value is given. */
#define FEW_VALUES 16
/* A number has its plan's value times 2^-STEPS .. 2^STEPS if no value is given. */
#define STEPS 3
/* An additional thread pays from this number of points, because a thread takes about as long to
 * start as ten points take to evaluate. */
#define POINTS_PER_THREAD 64
#define MAX_THREADS 16

/* Keys ----------------------------------------------------------------------------------------- */

gboolean
plg_sweep_accepts (const PlgSetting *setting)
{
  return setting->kind != PLG_SETTING_FAULTS && setting->kind != PLG_SETTING_NODE_NAMES &&
         !g_str_has_prefix (setting->key, "view.");
}

static gboolean
key_has_numbers (const PlgSweepKey *key)
{
  return key->setting->kind == PLG_SETTING_INTEGER || key->setting->kind == PLG_SETTING_NUMBER;
}

static gboolean
key_fail (const PlgSweepKey *key, GError **error, const char *message)
{
  return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, key->setting->key, "%s",
                                       message);
}

/* Adds VALUE, written as the plan file writes it, unless KEY already has this value. */
static gboolean
key_add (PlgSweepKey *key,
         PlgPlan *scratch,
         const PlgCatalogue *catalogue,
         const char *value,
         GError **error)
{
  g_autofree char *canonical = NULL;

  if (!plg_setting_set (scratch, catalogue, key->setting->key, value, error))
    return FALSE;
  canonical = plg_setting_get (key->setting, scratch);
  if (g_ptr_array_find_with_equal_func (key->values, canonical, g_str_equal, NULL))
    return TRUE;
  if (key->values->len == PLG_SWEEP_MAX_VALUES)
    {
      g_autofree char *message = g_strdup_printf (_ ("there are more than %d values; give fewer "
                                                     "values, or a range with larger steps"),
                                                  PLG_SWEEP_MAX_VALUES);

      return key_fail (key, error, message);
    }
  g_ptr_array_add (key->values, g_steal_pointer (&canonical));
  return TRUE;
}

static gboolean
key_add_number (PlgSweepKey *key, PlgPlan *scratch, double value, GError **error)
{
  gboolean is_whole = key->setting->kind == PLG_SETTING_INTEGER;
  g_autofree char *text = is_whole ? g_strdup_printf ("%.0f", value) : plg_format_exact (value);

  return key_add (key, scratch, NULL, text, error);
}

/* Adds the range TEXT, "A..B", "A..B:+N" or "A..B:*N". */
static gboolean
key_add_range (PlgSweepKey *key, PlgPlan *scratch, const char *text, GError **error)
{
  g_autofree char *message = NULL;
  const char *dots = strstr (text, "..");
  /* Read the start of the range alone, because "1." would be a number too. */
  g_autofree char *start = g_strndup (text, dots - text);
  char *end;
  char step_kind = '*';
  double from = g_ascii_strtod (start, &end), to = NAN, step = 2;
  gboolean is_read = *start != '\0' && *end == '\0';

  if (is_read)
    {
      to = g_ascii_strtod (dots + 2, &end);
      is_read = end != dots + 2;
      if (is_read && *end == ':')
        {
          const char *number = end + 2;

          step_kind = end[1];
          is_read = step_kind == '*' || step_kind == '+';
          step = is_read ? g_ascii_strtod (number, &end) : NAN;
          is_read = is_read && end != number;
        }
      is_read = is_read && *end == '\0' && isfinite (from) && isfinite (to) && isfinite (step);
    }
  if (!is_read)
    {
      g_autofree char *valid = g_utf8_make_valid (text, MIN (strlen (text), 40));

      message = g_strdup_printf (_ ("“%s” is not a range of numbers; write A..B to double A up to "
                                    "B, A..B:+N to add N or A..B:*N to multiply by N"),
                                 valid);
      return key_fail (key, error, message);
    }
  if (from > to)
    return key_fail (key, error,
                     _ ("the range ends before it begins; write the smaller number "
                        "first"));
  if (step_kind == '*' && !(from > 0 && step > 1))
    return key_fail (key, error,
                     _ ("a range that multiplies must begin above 0 and multiply by more than 1; "
                        "write A..B:+N to add N"));
  if (step_kind == '+' && !(step > 0))
    return key_fail (key, error, _ ("the step of a range must be above 0"));

  /* Allow for the rounding of fractions such as 0.1 in the last value. */
  for (int i = 0; i <= PLG_SWEEP_MAX_VALUES; i++)
    {
      double value = step_kind == '*' ? from * pow (step, i) : from + i * step;

      if (value > to * (1 + 1e-12))
        return TRUE;
      if (key->setting->kind == PLG_SETTING_INTEGER)
        value = round (value);
      else
        {
          /* Write 0.3 instead of 0.30000000000000004. */
          char digits[G_ASCII_DTOSTR_BUF_SIZE];

          value = g_ascii_strtod (g_ascii_formatd (digits, sizeof digits, "%.12g", value), NULL);
        }
      if (!key_add_number (key, scratch, value, error))
        return FALSE;
    }
  message = g_strdup_printf (_ ("the range has more than %d values; use larger steps"),
                             PLG_SWEEP_MAX_VALUES);
  return key_fail (key, error, message);
}

/* Adds the values of a key that was given without values. */
static gboolean
key_add_defaults (PlgSweepKey *key,
                  const PlgPlan *plan,
                  PlgPlan *scratch,
                  const PlgCatalogue *catalogue,
                  GError **error)
{
  const PlgSetting *setting = key->setting;
  double own = plg_setting_get_number (setting, plan);
  g_auto (GStrv) names = NULL;

  switch (setting->kind)
    {
    case PLG_SETTING_BOOLEAN:
      return key_add (key, scratch, NULL, "false", error) &&
             key_add (key, scratch, NULL, "true", error);
    case PLG_SETTING_CHOICE:
      for (int i = 0; setting->choices[i] != NULL; i++)
        if (!key_add (key, scratch, NULL, setting->choices[i], error))
          return FALSE;
      return TRUE;
    case PLG_SETTING_NAME:
      if (catalogue != NULL)
        {
          g_autofree char *all = plg_catalogue_names (catalogue, strchr (setting->key, '.') + 1);

          /* The key "model.name" is the only one that is not named after its kind. */
          if (g_str_equal (setting->key, "model.name"))
            {
              g_free (all);
              all = plg_catalogue_names (catalogue, "model");
            }
          names = g_strsplit (all, ", ", -1);
        }
      for (int i = 0; names != NULL && names[i] != NULL; i++)
        if (!key_add (key, scratch, catalogue, names[i], error))
          return FALSE;
      break;
    case PLG_SETTING_INTEGER:
    case PLG_SETTING_NUMBER:
      if (setting->kind == PLG_SETTING_INTEGER && setting->maximum - setting->minimum < FEW_VALUES)
        {
          for (double value = setting->minimum; value <= setting->maximum; value++)
            if (!key_add_number (key, scratch, value, error))
              return FALSE;
          return TRUE;
        }
      for (int i = -STEPS; own > 0 && i <= STEPS; i++)
        {
          double value = ldexp (own, i);

          if (value < setting->minimum || value > setting->maximum ||
              (setting->kind == PLG_SETTING_INTEGER && value != floor (value)))
            continue;
          if (!key_add_number (key, scratch, value, error))
            return FALSE;
        }
      break;
    case PLG_SETTING_ORDER:
    case PLG_SETTING_FAULTS:
    case PLG_SETTING_NODE_NAMES:
    case PLG_SETTING_LAYOUT:
    case PLG_SETTING_MODULES:
    default:
      break;
    }
  if (key->values->len == 0)
    {
      g_autofree char *message = g_strdup_printf (_ ("write the values, as in %s=A,B"),
                                                  setting->key);

      return key_fail (key, error, message);
    }
  return TRUE;
}

static int
key_compare_numbers (gconstpointer a, gconstpointer b)
{
  double first = g_ascii_strtod (*(const char *const *) a, NULL);
  double second = g_ascii_strtod (*(const char *const *) b, NULL);

  return (first > second) - (first < second);
}

static void
key_clear (PlgSweepKey *key)
{
  g_clear_pointer (&key->values, g_ptr_array_unref);
}

static gboolean
key_read (PlgSweepKey *key,
          const char *text,
          const PlgPlan *plan,
          const PlgCatalogue *catalogue,
          GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (text, equals - text) : g_strdup (text);
  g_autoptr (PlgPlan) scratch = plg_plan_copy (plan);
  g_auto (GStrv) parts = NULL;

  key->setting = plg_setting_find (name);
  key->values = g_ptr_array_new_with_free_func (g_free);
  /* Let plg_setting_set() make the message for an unknown key. */
  if (key->setting == NULL)
    return plg_setting_set (scratch, catalogue, name, "", error);
  if (!plg_sweep_accepts (key->setting))
    return key_fail (key, error,
                     _ ("a sweep needs a setting with numbers, choices or names that changes the "
                        "results"));
  if (equals == NULL)
    return key_add_defaults (key, plan, scratch, catalogue, error);
  parts = g_strsplit (equals + 1, ",", PLG_SWEEP_MAX_VALUES + 2);
  for (int i = 0; parts[i] != NULL; i++)
    {
      const char *part = g_strstrip (parts[i]);
      gboolean is_range = key_has_numbers (key) && strstr (part, "..") != NULL;

      if (is_range ? !key_add_range (key, scratch, part, error)
                   : !key_add (key, scratch, catalogue, part, error))
        return FALSE;
    }
  if (key->values->len == 0)
    return key_fail (key, error, _ ("there is no value after the equals sign"));
  if (key_has_numbers (key))
    g_ptr_array_sort (key->values, key_compare_numbers);
  return TRUE;
}

static const char *
key_value (const PlgSweepKey *key, int i)
{
  return g_ptr_array_index (key->values, i);
}

/* Returns the index of the plan's own value, or -1. */
static int
key_own (const PlgSweepKey *key, const PlgPlan *plan)
{
  g_autofree char *own = plg_setting_get (key->setting, plan);
  guint i;

  return g_ptr_array_find_with_equal_func (key->values, own, g_str_equal, &i) ? (int) i : -1;
}

char *
plg_sweep_key_to_text (const PlgSweepKey *key)
{
  GString *text = g_string_new (key->setting->key);

  for (guint i = 0; i < key->values->len; i++)
    g_string_append_printf (text, "%c%s", i == 0 ? '=' : ',', key_value (key, (int) i));
  return g_string_free (text, FALSE);
}

/* Points --------------------------------------------------------------------------------------- */

/* The work that the threads of a sweep share. */
typedef struct
{
  PlgSweep *sweep;
  const PlgPlan *plan;
  const PlgCatalogue *catalogue;
  int next; /* index of the next point to evaluate; atomic */
} Work;

static void
work_evaluate (const Work *work, PlgSweepPoint *point, int column, int row, PlgReport *report)
{
  const PlgMetric *metric = work->sweep->metric;
  g_autoptr (PlgPlan) plan = plg_plan_copy (work->plan);
  g_autoptr (GError) error = NULL;

  point->state = PLG_SWEEP_IMPOSSIBLE;
  point->value = point->memory = NAN;
  /* Keep the plan itself as it is, because setting a name again would replace values that the
   * plan has changed since. */
  if ((!plg_sweep_is_own (work->sweep, column, row) &&
       !plg_settings_apply (plan, work->catalogue, (const char *const *) point->assignments,
                            &error)) ||
      !plg_evaluate_into (report, plan, plg_metric_parts (metric), &error))
    {
      point->reason = g_strdup (error->message);
      return;
    }
  point->lost_layout = plg_settings_lost_layout (work->plan, plan,
                                                 (const char *const *) point->assignments);
  if (plg_metric_needs_advice (metric))
    plg_report_advise (report, plan);
  point->state = plg_report_fits_cluster (report, &plan->cluster) ? PLG_SWEEP_FITS
                                                                  : PLG_SWEEP_TOO_LARGE;
  point->value = plg_metric_value (metric, report);
  point->memory = report->memory_peak;
}

static gpointer
work_run (gpointer data)
{
  Work *work = data;
  PlgSweep *sweep = work->sweep;
  g_autoptr (PlgReport) report = plg_report_new ();
  int i;

  while ((i = g_atomic_int_add (&work->next, 1)) < sweep->columns * sweep->rows)
    work_evaluate (work, &sweep->points[i], i % sweep->columns, i / sweep->columns, report);
  return NULL;
}

static void
sweep_run (PlgSweep *sweep, const PlgPlan *plan, const PlgCatalogue *catalogue)
{
  int n = sweep->columns * sweep->rows;
  int n_threads = MIN (MIN (n / POINTS_PER_THREAD, (int) g_get_num_processors ()), MAX_THREADS);
  Work work = { .sweep = sweep, .plan = plan, .catalogue = catalogue };
  GThread *threads[MAX_THREADS] = { NULL };

  /* This thread works too, and does all work if no other thread can start. */
  for (int i = 1; i < n_threads; i++)
    threads[i] = g_thread_try_new ("sweep", work_run, &work, NULL);
  work_run (&work);
  for (int i = 1; i < n_threads; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}

static PlgSweep *
sweep_alloc (const PlgMetric *metric)
{
  PlgSweep *sweep = g_new0 (PlgSweep, 1);

  g_atomic_ref_count_init (&sweep->ref_count);
  sweep->metric = metric;
  return sweep;
}

PlgSweep *
plg_sweep_new (const PlgPlan *plan,
               const PlgCatalogue *catalogue,
               const PlgMetric *metric,
               const char *x,
               const char *y,
               GError **error)
{
  g_autoptr (PlgSweep) sweep = NULL;

  g_return_val_if_fail (plan != NULL && metric != NULL && x != NULL, NULL);

  sweep = sweep_alloc (metric);
  if (!key_read (&sweep->x, x, plan, catalogue, error) ||
      (y != NULL && !key_read (&sweep->y, y, plan, catalogue, error)))
    return NULL;
  if (sweep->x.setting == sweep->y.setting)
    {
      key_fail (&sweep->y, error, _ ("both keys are the same; choose two different keys"));
      return NULL;
    }
  sweep->columns = (int) sweep->x.values->len;
  sweep->rows = y != NULL ? (int) sweep->y.values->len : 1;
  if (sweep->columns * sweep->rows > PLG_SWEEP_MAX_POINTS)
    {
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("%d × %d values are more than %d points; give fewer values"), sweep->columns,
                   sweep->rows, PLG_SWEEP_MAX_POINTS);
      return NULL;
    }
  sweep->own_column = key_own (&sweep->x, plan);
  sweep->own_row = y != NULL ? key_own (&sweep->y, plan) : 0;
  sweep->points = g_new0 (PlgSweepPoint, sweep->columns * sweep->rows);
  for (int i = 0; i < sweep->columns * sweep->rows; i++)
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      const PlgSweepKey *keys[] = { &sweep->x, &sweep->y };
      const int indices[] = { i % sweep->columns, i / sweep->columns };

      for (int k = 0; k < (y != NULL ? 2 : 1); k++)
        {
          g_autofree char *assignment = g_strdup_printf ("%s=%s", keys[k]->setting->key,
                                                         key_value (keys[k], indices[k]));

          g_strv_builder_add (builder, assignment);
        }
      sweep->points[i].assignments = g_strv_builder_end (builder);
    }
  sweep_run (sweep, plan, catalogue);
  return g_steal_pointer (&sweep);
}

/* Scaling -------------------------------------------------------------------------------------- */

static void
scaling_add_nodes (PlgSweep *sweep, const PlgPlan *plan, int replica, int nodes)
{
  int gpus = nodes * plan->cluster.gpus_per_node;

  /* Replicas must fill all nodes. */
  if (gpus % replica == 0 && gpus >= replica)
    g_ptr_array_add (sweep->x.values, g_strdup_printf ("%d", nodes));
}

PlgSweep *
plg_sweep_scaling (const PlgPlan *plan)
{
  PlgSweep *sweep = sweep_alloc (plg_metric_find ("mfu"));
  int own = plan->cluster.nodes;
  int last = MAX (own, PLG_SWEEP_GPUS / plan->cluster.gpus_per_node);
  int replica = plg_plan_world (plan) / plan->parallelism.degree[PLG_AXIS_DP];

  sweep->kind = PLG_SWEEP_OF_SCALING;
  sweep->x.setting = plg_setting_find ("cluster.nodes");
  sweep->x.values = g_ptr_array_new_with_free_func (g_free);
  for (int nodes = 1; nodes <= last; nodes *= 2)
    {
      scaling_add_nodes (sweep, plan, replica, nodes);
      if (nodes < own && own < nodes * 2)
        scaling_add_nodes (sweep, plan, replica, own);
    }
  sweep->columns = (int) sweep->x.values->len;
  sweep->rows = 2;
  sweep->own_column = key_own (&sweep->x, plan);
  sweep->own_row = -1;
  sweep->points = g_new0 (PlgSweepPoint, sweep->columns * sweep->rows);
  for (int i = 0; i < sweep->columns * sweep->rows; i++)
    {
      const char *nodes = key_value (&sweep->x, i % sweep->columns);
      int dp = atoi (nodes) * plan->cluster.gpus_per_node / replica;
      gint64 batch = plan->training.global_batch;

      /* Keep the batch per replica in the first row, and the global batch in the second row. */
      if (i < sweep->columns)
        batch = batch / plan->parallelism.degree[PLG_AXIS_DP] * dp;
      sweep->points[i].assignments = g_new0 (char *, 4);
      sweep->points[i].assignments[0] = g_strdup_printf ("cluster.nodes=%s", nodes);
      sweep->points[i].assignments[1] = g_strdup_printf ("parallelism.dp=%d", dp);
      sweep->points[i].assignments[2] = g_strdup_printf ("training.global-batch=%" G_GINT64_FORMAT,
                                                         batch);
    }
  sweep_run (sweep, plan, NULL);
  return sweep;
}

/* Access --------------------------------------------------------------------------------------- */

PlgSweep *
plg_sweep_ref (PlgSweep *sweep)
{
  g_atomic_ref_count_inc (&sweep->ref_count);
  return sweep;
}

void
plg_sweep_unref (PlgSweep *sweep)
{
  if (!g_atomic_ref_count_dec (&sweep->ref_count))
    return;
  for (int i = 0; sweep->points != NULL && i < sweep->columns * sweep->rows; i++)
    {
      g_free (sweep->points[i].reason);
      g_strfreev (sweep->points[i].assignments);
    }
  g_free (sweep->points);
  key_clear (&sweep->x);
  key_clear (&sweep->y);
  g_free (sweep);
}

const PlgSweepPoint *
plg_sweep_point (const PlgSweep *sweep, int column, int row)
{
  g_return_val_if_fail (column >= 0 && column < sweep->columns && row >= 0 && row < sweep->rows,
                        NULL);

  return &sweep->points[row * sweep->columns + column];
}

gboolean
plg_sweep_lost_layout (const PlgSweep *sweep)
{
  for (int i = 0; i < sweep->columns * sweep->rows; i++)
    if (sweep->points[i].lost_layout)
      return TRUE;
  return FALSE;
}

gboolean
plg_sweep_is_own (const PlgSweep *sweep, int column, int row)
{
  return column == sweep->own_column &&
         (row == sweep->own_row || sweep->kind == PLG_SWEEP_OF_SCALING);
}
