/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/memory-limit.h"

#include "engine/report/redaction.h"
#include "engine/solve.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

static const char *const keys_with_limit[] = { "cluster.nodes",         "cluster.memory",
                                               "model.layers",          "model.hidden",
                                               "training.sequence",     "training.micro-batch",
                                               "training.global-batch", NULL };

gboolean
plg_memory_limit_exists (const char *key)
{
  return g_strv_contains (keys_with_limit, key);
}

gboolean
plg_memory_limits_are_hidden (PlgDocument *document)
{
  return plg_report_hides (plg_document_report (document), PLG_REDACT_ALL) ||
         plg_document_policy (document)->hides_findings;
}

static void
limit_free (gpointer data)
{
  PlgMemoryLimit *limit = data;

  g_free (limit->text);
  g_free (limit->reason);
  g_free (limit);
}

/* The question that another thread answers. */
typedef struct
{
  PlgPlan *plan;
  PlgCatalogue *catalogue;
  char **keys;
  gint is_cancelled; /* atomic */
  GCancellable *cancellable;
  gulong cancelled_id;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  if (work->cancellable != NULL)
    g_cancellable_disconnect (work->cancellable, work->cancelled_id);
  g_clear_object (&work->cancellable);
  plg_plan_free (work->plan);
  plg_catalogue_unref (work->catalogue);
  g_strfreev (work->keys);
  g_free (work);
}

static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  Work *work = data;

  g_atomic_int_set (&work->is_cancelled, 1);
}

static char *
value_text (const PlgSetting *setting, const char *value)
{
  g_autofree char *number = plg_format_number (g_ascii_strtod (value, NULL), 6);

  return g_strjoin (" ", number, setting->unit != NULL ? _ (setting->unit) : NULL, NULL);
}

static PlgMemoryLimit *
limit_new (const PlgSolveQuestion *question, const PlgSolution *solution)
{
  PlgMemoryLimit *limit = g_new0 (PlgMemoryLimit, 1);
  const PlgSetting *setting = question->setting;

  limit->setting = setting;
  if (!solution->is_found)
    {
      limit->text = g_strdup (_ ("No value fits in memory"));
      limit->reason = g_strdup (solution->reason);
      return limit;
    }

  g_autofree char *value = value_text (setting, solution->value);

  limit->text = g_strdup_printf (question->goal == PLG_SOLVE_LARGEST ? _ ("At most %s")
                                                                     : _ ("At least %s"),
                                 value);
  if (solution->neighbour != NULL)
    {
      g_autofree char *neighbour = value_text (setting, solution->neighbour);

      limit->reason = g_strdup_printf ("%s: %s", neighbour, solution->neighbour_reason);
    }
  return limit;
}

static void
work_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  g_autoptr (GPtrArray) limits = g_ptr_array_new_with_free_func (limit_free);

  for (int i = 0; work->keys[i] != NULL; i++)
    {
      PlgSolveQuestion question = { .setting = plg_setting_find (work->keys[i]),
                                    .is_quick = TRUE,
                                    .is_cancelled = &work->is_cancelled };
      g_autoptr (PlgSolution) solution = NULL;

      question.goal = plg_solve_default_goal (question.setting);
      solution = plg_solve (work->plan, work->catalogue, &question, NULL);
      if (solution == NULL)
        break;
      g_ptr_array_add (limits, limit_new (&question, solution));
    }
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, g_steal_pointer (&limits), (GDestroyNotify) g_ptr_array_unref);
}

void
plg_memory_limits_find_async (PlgDocument *document,
                              const char *const *keys,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data)
{
  g_autoptr (GTask) task = NULL;
  Work *work;

  g_return_if_fail (PLG_IS_DOCUMENT (document) && keys != NULL);

  task = g_task_new (document, cancellable, callback, data);
  if (plg_memory_limits_are_hidden (document))
    {
      g_task_return_pointer (task, g_ptr_array_new_with_free_func (limit_free),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  work = g_new0 (Work, 1);
  work->plan = plg_plan_copy (plg_document_committed_plan (document));
  work->catalogue = plg_catalogue_ref (plg_document_catalogue (document));
  work->keys = g_strdupv ((char **) keys);
  if (cancellable != NULL)
    {
      work->cancellable = g_object_ref (cancellable);
      work->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), work,
                                                  NULL);
    }
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_run);
}

GPtrArray *
plg_memory_limits_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
