/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/plan-row.h"

#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

struct _PlgPlanRow
{
  GObject parent_instance;

  PlgFoundPlan found;
  double numbers[PLG_N_PLAN_COLUMNS];
  char *texts[PLG_N_PLAN_COLUMNS];
};

G_DEFINE_FINAL_TYPE (PlgPlanRow, plg_plan_row, G_TYPE_OBJECT)

static const struct
{
  const char *title;
  const char *setting; /* the setting whose value the column shows, or NULL */
  gboolean is_number;
} columns[PLG_N_PLAN_COLUMNS] = {
  [PLG_PLAN_COLUMN_TIME] = { N_ ("Step"), NULL, TRUE },
  [PLG_PLAN_COLUMN_CHANGE] = { N_ ("Change"), NULL, TRUE },
  [PLG_PLAN_COLUMN_MEMORY] = { N_ ("Memory"), NULL, TRUE },
  [PLG_PLAN_COLUMN_BY] = { N_ ("Ranked by"), NULL, TRUE },
  [PLG_PLAN_COLUMN_OTHER] = { N_ ("Varied"), NULL, FALSE },
  [PLG_PLAN_COLUMN_TP] = { "TP", "parallelism.tp", TRUE },
  [PLG_PLAN_COLUMN_CP] = { "CP", "parallelism.cp", TRUE },
  [PLG_PLAN_COLUMN_EP] = { "EP", "parallelism.ep", TRUE },
  [PLG_PLAN_COLUMN_ETP] = { "ETP", "parallelism.etp", TRUE },
  [PLG_PLAN_COLUMN_PP] = { "PP", "parallelism.pp", TRUE },
  [PLG_PLAN_COLUMN_DP] = { "DP", "parallelism.dp", TRUE },
  [PLG_PLAN_COLUMN_REPLICATE] = { "HSDP", "parallelism.replicate", TRUE },
  [PLG_PLAN_COLUMN_ORDER] = { N_ ("Order"), NULL, FALSE },
  [PLG_PLAN_COLUMN_MICRO_BATCH] = { N_ ("Micro-batch"), "training.micro-batch", TRUE },
  [PLG_PLAN_COLUMN_SCHEDULE] = { N_ ("Schedule"), "training.schedule", FALSE },
  [PLG_PLAN_COLUMN_CHUNKS] = { N_ ("Chunks"), "parallelism.chunks", TRUE },
  [PLG_PLAN_COLUMN_RECOMPUTE] = { N_ ("Recompute"), "training.recompute", FALSE },
  [PLG_PLAN_COLUMN_ZERO] = { "ZeRO", "parallelism.zero", TRUE },
  [PLG_PLAN_COLUMN_SEQUENCE] = { "SP", "parallelism.sequence", TRUE },
};

const char *
plg_plan_column_title (PlgPlanColumn column)
{
  g_return_val_if_fail (column < PLG_N_PLAN_COLUMNS, NULL);

  return _ (columns[column].title);
}

gboolean
plg_plan_column_is_number (PlgPlanColumn column)
{
  g_return_val_if_fail (column < PLG_N_PLAN_COLUMNS, FALSE);

  return columns[column].is_number;
}

PlgPlanRow *
plg_plan_row_new (const PlgFoundPlan *found,
                  const PlgPlan *plan,
                  double open_time,
                  const PlgMetric *by,
                  const GPtrArray *other_keys)
{
  PlgPlanRow *self = g_object_new (PLG_TYPE_PLAN_ROW, NULL);
  g_autoptr (GString) others = g_string_new (NULL);

  self->found = *found;
  self->numbers[PLG_PLAN_COLUMN_TIME] = found->time;
  self->texts[PLG_PLAN_COLUMN_TIME] = plg_format_time (found->time);
  self->numbers[PLG_PLAN_COLUMN_CHANGE] = found->time - open_time;
  self->texts[PLG_PLAN_COLUMN_CHANGE] = plg_format_change (open_time, found->time);
  self->numbers[PLG_PLAN_COLUMN_MEMORY] = found->memory;
  self->texts[PLG_PLAN_COLUMN_MEMORY] = plg_format_memory (found->memory);
  self->numbers[PLG_PLAN_COLUMN_BY] = found->by;
  self->texts[PLG_PLAN_COLUMN_BY] = plg_measure_text (by->measure, found->by);
  self->texts[PLG_PLAN_COLUMN_ORDER] = plg_order_title (plan->parallelism.order,
                                                        plan->parallelism.degree);
  for (guint i = 0; i < other_keys->len; i++)
    {
      const PlgSetting *setting = g_ptr_array_index (other_keys, i);
      g_autofree char *value = plg_setting_get (setting, plan);

      g_string_append_printf (others, "%s%s %s", i > 0 ? ", " : "", _ (setting->title), value);
    }
  self->texts[PLG_PLAN_COLUMN_OTHER] = g_strdup (others->str);
  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    if (columns[i].setting != NULL)
      {
        const PlgSetting *setting = plg_setting_find (columns[i].setting);

        self->numbers[i] = plg_setting_get_number (setting, plan);
        if (setting->kind == PLG_SETTING_BOOLEAN)
          self->texts[i] = g_strdup (self->numbers[i] != 0.0 ? _ ("on") : _ ("off"));
        else
          self->texts[i] = plg_setting_get (setting, plan);
      }
  return self;
}

const PlgFoundPlan *
plg_plan_row_found (PlgPlanRow *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_ROW (self), NULL);

  return &self->found;
}

const char *
plg_plan_row_text (PlgPlanRow *self, PlgPlanColumn column)
{
  g_return_val_if_fail (PLG_IS_PLAN_ROW (self) && column < PLG_N_PLAN_COLUMNS, NULL);

  return self->texts[column];
}

int
plg_plan_row_compare (PlgPlanRow *a, PlgPlanRow *b, PlgPlanColumn column)
{
  g_return_val_if_fail (PLG_IS_PLAN_ROW (a) && PLG_IS_PLAN_ROW (b), 0);

  if (!columns[column].is_number)
    return g_strcmp0 (a->texts[column], b->texts[column]);
  return (a->numbers[column] > b->numbers[column]) - (a->numbers[column] < b->numbers[column]);
}

static void
plg_plan_row_finalize (GObject *object)
{
  PlgPlanRow *self = PLG_PLAN_ROW (object);

  for (int i = 0; i < PLG_N_PLAN_COLUMNS; i++)
    g_free (self->texts[i]);
  G_OBJECT_CLASS (plg_plan_row_parent_class)->finalize (object);
}

static void
plg_plan_row_class_init (PlgPlanRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_plan_row_finalize;
}

static void
plg_plan_row_init (PlgPlanRow *self)
{
}
