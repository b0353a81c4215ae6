/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advisor.h"

#include "engine/evaluate.h"
#include "engine/model/kernel.h"
#include "engine/model/textbook.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

int
plg_advisor_degree (const PlgAdvisor *self, PlgAxis axis)
{
  return self->plan->parallelism.degree[axis];
}

double
plg_advisor_share (const PlgAdvisor *self, PlgPart part)
{
  return self->report->step.part[part] / self->report->step.time;
}

gboolean
plg_advisor_try (PlgAdvisor *self, const char *edits)
{
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);

  plg_plan_assign (self->trial, self->plan);
  return plg_settings_apply (self->trial, NULL, (const char *const *) assignments, NULL) &&
         plg_evaluate_into (self->outcome, self->trial, PLG_EVALUATE_TOTALS, NULL);
}

/* Returns EDITS without the edits that do not change the plan; free with g_free(). */
static char *
effective_edits (const PlgAdvisor *self, const char *edits)
{
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);
  GString *real = g_string_new (NULL);

  for (int i = 0; assignments[i] != NULL; i++)
    {
      const char *assignment = assignments[i];
      g_auto (GStrv) pair = g_strsplit (assignment, "=", 2);
      const PlgSetting *setting = plg_setting_find (pair[0]);
      g_autofree char *value = setting != NULL ? plg_setting_get (setting, self->plan) : NULL;

      if (g_strcmp0 (value, pair[1]) != 0)
        g_string_append_printf (real, "%s%s", real->len > 0 ? " " : "", assignments[i]);
    }
  return g_string_free (real, FALSE);
}

/* Tries EDITS together with the edits that they imply, and adds the implied edits to EDITS. A
 * change of PP redistributes layers that were set by hand. */
static gboolean
try_with_implied_edits (PlgAdvisor *self, char **edits)
{
  const PlgParallelism *now = &self->plan->parallelism, *then = &self->trial->parallelism;
  g_autoptr (GString) all = g_string_new (*edits);
  gsize length = all->len;

  if (!plg_advisor_try (self, *edits))
    return FALSE;
  if (now->first_layers > 0 && then->first_layers == 0 && strstr (*edits, "first-layers=") == NULL)
    g_string_append (all, " parallelism.first-layers=0");
  if (now->last_layers > 0 && then->last_layers == 0 && strstr (*edits, "last-layers=") == NULL)
    g_string_append (all, " parallelism.last-layers=0");
  if (now->layout.stages > 0 && then->layout.stages == 0 && strstr (*edits, "layout=") == NULL)
    g_string_append (all, " parallelism.layout=");
  if (all->len == length)
    return TRUE;
  g_free (*edits);
  *edits = effective_edits (self, all->str);
  return plg_advisor_try (self, *edits);
}

/* Returns TRUE if the hosts have the memory that the outcome needs, or if the plan needs as much. */
static gboolean
fits_host (const PlgAdvisor *self)
{
  double needed = plg_report_host_memory (self->outcome);

  return plg_cluster_host_has (&self->trial->cluster, needed) ||
         needed <= plg_report_host_memory (self->report);
}

void
plg_advisor_consider (PlgAdvisor *self,
                      PlgTrialChange *change,
                      double limit,
                      const char *format,
                      ...)
{
  g_autofree char *all = NULL;
  g_autofree char *edits = NULL;
  va_list arguments;

  va_start (arguments, format);
  all = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  edits = effective_edits (self, all);
  if (*edits == '\0' || !try_with_implied_edits (self, &edits) ||
      self->outcome->memory_peak > limit || !fits_host (self) ||
      (change->edits != NULL && self->outcome->step.time >= change->time))
    return;
  g_free (change->edits);
  change->edits = g_steal_pointer (&edits);
  change->time = self->outcome->step.time;
  change->memory = self->outcome->memory_peak;
}

double
plg_advisor_saved (const PlgAdvisor *self, const PlgTrialChange *change)
{
  return change->edits != NULL ? self->report->step.time - change->time : 0.0;
}

gboolean
plg_advisor_is_worthwhile (const PlgAdvisor *self, const PlgTrialChange *change)
{
  return plg_advisor_saved (self, change) > PLG_MIN_GAIN_SHARE * self->report->step.time;
}

double
plg_advisor_memory_limit (const PlgAdvisor *self)
{
  return self->report->fits ? self->report->memory_capacity : self->report->memory_peak;
}

void
plg_advisor_add (PlgAdvisor *self,
                 const char *id,
                 PlgSeverity severity,
                 char *text,
                 double value,
                 double limit,
                 const char *unit,
                 char *remedy,
                 PlgTrialChange *change)
{
  PlgFinding finding = { .id = id,
                         .severity = severity,
                         .text = text,
                         .value = value,
                         .limit = limit,
                         .unit = unit,
                         .remedy = remedy };

  g_assert (text != NULL);
  if (change != NULL)
    {
      finding.gain = MAX (plg_advisor_saved (self, change), 0.0);
      finding.edits = g_steal_pointer (&change->edits);
    }
  g_array_append_val (self->report->findings, finding);
}

char *
plg_advisor_describe_edits (const char *edits)
{
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; assignments[i] != NULL; i++)
    {
      char *end = strchr (assignments[i], '=');
      const char *value = end + 1;
      const PlgSetting *setting;

      g_assert (end != NULL);
      *end = '\0';
      setting = plg_setting_find (assignments[i]);
      if (setting != NULL && setting->kind == PLG_SETTING_BOOLEAN)
        value = g_str_equal (value, "true") ? _ ("on") : _ ("off");
      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "",
                              setting != NULL ? _ (setting->title) : assignments[i], value);
    }
  return g_strdup (text->str);
}

char *
plg_advisor_describe (const PlgAdvisor *self, const PlgTrialChange *change)
{
  g_autofree char *edits = plg_advisor_describe_edits (change->edits);
  g_autofree char *memory = plg_profile_memory (self->plan->profile, change->memory);
  g_autofree char *time = plg_format_time (change->time);

  return g_strdup_printf (_ ("%s: the fullest GPU then needs %s, and each step takes %s."), edits,
                          memory, time);
}
