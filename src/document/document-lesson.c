/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/document-private.h"

#include "engine/report/redaction.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

/* The parts of a plan that a lesson hides or holds fixed. */

static gboolean
is_hidden (PlgDocument *self, const char *key)
{
  return (self->redaction & PLG_REDACT_FAULTS) != 0 && g_str_equal (key, "cluster.faults");
}

/* Returns whether the step lets people change KEY, now or after its question. */
static gboolean
is_unlocked (PlgDocument *self, const char *key)
{
  return self->unlocked_keys == NULL ||
         plg_setting_is_among (key, (const char *const *) self->unlocked_keys);
}

const char *
plg_document_lock_reason (PlgDocument *self, const char *key)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  /* A hidden value cannot be changed either. */
  if (is_hidden (self, key))
    return plg_redaction_placeholder (self->redaction, PLG_REDACT_FAULTS);
  if (g_str_has_prefix (key, "view."))
    return NULL;
  if (!is_unlocked (self, key))
    return _ ("The lesson keeps this as it is.");
  return self->awaits_answer ? _ ("You can change this after the question.") : NULL;
}

gboolean
plg_document_can_change (PlgDocument *self, const char *key)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  return plg_document_lock_reason (self, key) == NULL;
}

gboolean
plg_document_is_lesson_setting (PlgDocument *self, const char *key)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  return self->unlocked_keys != NULL && plg_document_can_change (self, key) &&
         g_strv_contains ((const char *const *) self->unlocked_keys, key);
}

gboolean
plg_document_check_unlocked (PlgDocument *self, const PlgPlan *plan, GError **error)
{
  const PlgPlan *current = plg_document_committed_plan (self);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0;
       (self->unlocked_keys != NULL || self->redaction != 0 || self->awaits_answer) && i < n; i++)
    {
      g_autofree char *before = plg_setting_get (&settings[i], current);
      g_autofree char *after = plg_setting_get (&settings[i], plan);

      if (g_str_equal (before, after) || plg_document_can_change (self, settings[i].key))
        continue;

      const PlgSetting *setting = &settings[i];

      if (is_hidden (self, setting->key))
        g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                             _ ("Faults can be changed when they are shown."));
      else if (is_unlocked (self, setting->key))
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                     _ ("“%s” can be changed after the question is answered."), _ (setting->title));
      else
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                     _ ("This step of the lesson keeps “%s” at %s."), _ (setting->title), before);

      return FALSE;
    }
  if (plg_document_can_change (self, "placement") ||
      plg_placement_equal (&current->placement, &plan->placement))
    return TRUE;
  g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                       is_unlocked (self, "placement")
                           ? _ ("Ranks can be moved after the question is answered.")
                           : _ ("This step of the lesson keeps every rank where it is."));
  return FALSE;
}

void
plg_document_set_lesson (PlgDocument *self, guint redaction, const char *const *keys)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  g_strfreev (self->unlocked_keys);
  self->unlocked_keys = g_strdupv ((char **) keys);
  self->redaction = redaction;
  plg_document_current_changed (self);
}

void
plg_document_set_redact_func (PlgDocument *self, PlgDocumentRedactFunc redact_func, gpointer data)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  if (redact_func == NULL && data != self->redact_data)
    return; /* another lesson has started in the meantime */
  self->redact_func = redact_func;
  self->redact_data = redact_func != NULL ? data : NULL;
}

void
plg_document_set_awaits_answer (PlgDocument *self, gboolean awaits_answer)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));
  self->awaits_answer = awaits_answer;
}

void
plg_document_set_has_findings (PlgDocument *self, gboolean advised)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));
  self->hides_findings = !advised;
}

gboolean
plg_document_has_findings (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), TRUE);
  return !self->hides_findings;
}

guint
plg_document_redaction (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), 0);
  return self->redaction;
}
