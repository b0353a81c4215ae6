/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/history.h"

/* The maximum number of values in a history. If there are more, the oldest value is dropped. */
#define MAX_STEPS 1000

typedef struct
{
  PlgPlan *plan;
  char *label; /* the name of the undo step that created this value; NULL for the first value */
  guint64 serial;
} Value;

struct _PlgHistory
{
  GPtrArray *values; /* elements of type Value */
  guint current;
  guint64 last_serial;
  guint64 saved_serial; /* the serial number of the saved value; 0 if no value is saved */
};

static Value *
value_new (PlgHistory *history, const PlgPlan *plan, const char *label)
{
  Value *value = g_new (Value, 1);

  value->plan = plg_plan_copy (plan);
  value->label = g_strdup (label);
  value->serial = ++history->last_serial;
  return value;
}

static void
value_free (gpointer data)
{
  Value *value = data;

  plg_plan_free (value->plan);
  g_free (value->label);
  g_free (value);
}

static Value *
value_at (const PlgHistory *history, guint i)
{
  return g_ptr_array_index (history->values, i);
}

PlgHistory *
plg_history_new (const PlgPlan *plan)
{
  PlgHistory *history = g_new0 (PlgHistory, 1);

  history->values = g_ptr_array_new_with_free_func (value_free);
  g_ptr_array_add (history->values, value_new (history, plan, NULL));
  plg_history_mark_saved (history);
  return history;
}

void
plg_history_free (PlgHistory *history)
{
  if (history == NULL)
    return;
  g_ptr_array_unref (history->values);
  g_free (history);
}

const PlgPlan *
plg_history_current (const PlgHistory *history)
{
  return value_at (history, history->current)->plan;
}

void
plg_history_push (PlgHistory *history, const PlgPlan *plan, const char *label, gboolean merge)
{
  merge = merge && history->current > 0 && !plg_history_is_saved (history);

  /* Drop all values from index I to the end. */
  guint i = merge ? history->current : history->current + 1;

  if (i < history->values->len)
    g_ptr_array_remove_range (history->values, i, history->values->len - i);

  if (!merge || !plg_plan_equal (plan, value_at (history, history->values->len - 1)->plan))
    g_ptr_array_add (history->values, value_new (history, plan, label));
  if (history->values->len > MAX_STEPS)
    g_ptr_array_remove_index (history->values, 0);
  history->current = history->values->len - 1;
}

gboolean
plg_history_undo (PlgHistory *history)
{
  if (history->current == 0)
    return FALSE;
  history->current--;
  return TRUE;
}

gboolean
plg_history_redo (PlgHistory *history)
{
  if (history->current + 1 >= history->values->len)
    return FALSE;
  history->current++;
  return TRUE;
}

const char *
plg_history_undo_label (const PlgHistory *history)
{
  return history->current > 0 ? value_at (history, history->current)->label : NULL;
}

const char *
plg_history_redo_label (const PlgHistory *history)
{
  return history->current + 1 < history->values->len
             ? value_at (history, history->current + 1)->label
             : NULL;
}

void
plg_history_mark_saved (PlgHistory *history)
{
  history->saved_serial = value_at (history, history->current)->serial;
}

void
plg_history_mark_unsaved (PlgHistory *history)
{
  history->saved_serial = 0;
}

gboolean
plg_history_is_saved (const PlgHistory *history)
{
  return value_at (history, history->current)->serial == history->saved_serial;
}

void
plg_history_set_view (PlgHistory *history, const PlgView *view)
{
  for (guint i = 0; i < history->values->len; i++)
    value_at (history, i)->plan->view = *view;
}
