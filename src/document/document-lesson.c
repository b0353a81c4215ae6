/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/document-private.h"

#include "engine/veil.h"
#include "plan/setting.h"

#include <glib/gi18n-lib.h>

/* What a lesson hides, and what it holds fixed. */

static gboolean
is_hidden (PlgDocument *self, const char *key)
{
  return (self->veil & PLG_VEIL_FAULTS) != 0 && g_str_equal (key, "cluster.faults");
}

/* What the step leaves to people, now or after its question. */
static gboolean
is_free (PlgDocument *self, const char *key)
{
  return self->free == NULL || plg_setting_is_among (key, (const char *const *) self->free);
}

const char *
plg_document_why_held (PlgDocument *self, const char *key)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  /* What is not seen cannot be changed either. */
  if (is_hidden (self, key))
    return plg_veil_words (self->veil, PLG_VEIL_FAULTS);
  if (g_str_has_prefix (key, "view."))
    return NULL;
  if (!is_free (self, key))
    return _ ("The lesson keeps this as it is.");
  return self->waits ? _ ("Free once the question is answered.") : NULL;
}

gboolean
plg_document_allows (PlgDocument *self, const char *key)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  return plg_document_why_held (self, key) == NULL;
}

gboolean
plg_document_offers (PlgDocument *self, const char *key)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  return self->free != NULL && plg_document_allows (self, key) &&
         g_strv_contains ((const char *const *) self->free, key);
}

static void
set_held (PlgDocument *self, const PlgSetting *setting, const char *value, GError **error)
{
  if (is_hidden (self, setting->key))
    g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                         _ ("What is broken or slow can be changed when it is shown."));
  else if (is_free (self, setting->key))
    g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                 _ ("“%s” can be changed once the question is answered."), _ (setting->title));
  else
    g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                 _ ("This step of the lesson keeps “%s” at %s."), _ (setting->title), value);
}

gboolean
plg_document_check_free (PlgDocument *self, const PlgPlan *plan, GError **error)
{
  const PlgPlan *current = plg_document_committed_plan (self);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; (self->free != NULL || self->veil != 0 || self->waits) && i < n; i++)
    {
      g_autofree char *before = plg_setting_get (&settings[i], current);
      g_autofree char *after = plg_setting_get (&settings[i], plan);

      if (g_str_equal (before, after) || plg_document_allows (self, settings[i].key))
        continue;
      set_held (self, &settings[i], before, error);
      return FALSE;
    }
  if (plg_document_allows (self, "placement") ||
      plg_placement_equal (&current->placement, &plan->placement))
    return TRUE;
  g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                       is_free (self, "placement")
                           ? _ ("Ranks can be moved once the question is answered.")
                           : _ ("This step of the lesson keeps every rank where it is."));
  return FALSE;
}

void
plg_document_set_lesson (PlgDocument *self, guint veil, const char *const *keys)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  g_strfreev (self->free);
  self->free = g_strdupv ((char **) keys);
  self->veil = veil;
  plg_document_current_changed (self);
}

void
plg_document_set_hides (PlgDocument *self, PlgDocumentHides hides, gpointer data)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  if (hides == NULL && data != self->hides_data)
    return; /* another lesson has begun since */
  self->hides = hides;
  self->hides_data = hides != NULL ? data : NULL;
}

void
plg_document_set_waits (PlgDocument *self, gboolean waits)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));
  self->waits = waits;
}

void
plg_document_set_advised (PlgDocument *self, gboolean advised)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));
  self->unadvised = !advised;
}

gboolean
plg_document_is_advised (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), TRUE);
  return !self->unadvised;
}

guint
plg_document_veil (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), 0);
  return self->veil;
}
