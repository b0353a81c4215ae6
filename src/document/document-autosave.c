/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/document-private.h"

#include "document/recovery.h"

#include <glib/gi18n-lib.h>

#define MAX_AUTOSAVE_SECONDS 3600

gboolean
plg_document_write_recovery_file (PlgDocument *self)
{
  g_autoptr (GError) error = NULL;

  if (self->autosave_path == NULL)
    self->autosave_path = plg_recovery_new_path (self->autosave_directory);
  if (plg_recovery_write (self->autosave_path, plg_document_unredacted_plan (self), self->source,
                          self->file, &error))
    return TRUE;
  g_message ("The unsaved plan could not be kept for recovery: %s", error->message);
  return FALSE;
}

static gboolean
autosave_cb (gpointer data)
{
  PlgDocument *self = data;

  self->autosave_timeout_id = 0;
  plg_document_write_recovery_file (self);
  return G_SOURCE_REMOVE;
}

void
plg_document_discard_autosave (PlgDocument *self)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  g_clear_handle_id (&self->autosave_timeout_id, g_source_remove);
  if (self->autosave_path != NULL)
    plg_recovery_remove (self->autosave_path);
  g_clear_pointer (&self->autosave_path, g_free);
}

void
plg_document_schedule_autosave (PlgDocument *self)
{
  if (!plg_document_is_modified (self) || self->is_saved_elsewhere)
    plg_document_discard_autosave (self);
  else if (self->autosave_directory != NULL && self->autosave_timeout_id == 0)
    self->autosave_timeout_id = g_timeout_add (1000 * self->autosave_seconds, autosave_cb, self);
}

void
plg_document_set_autosave (PlgDocument *self, const char *directory, guint seconds)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  plg_document_discard_autosave (self);
  g_free (self->autosave_directory);
  self->autosave_directory = g_strdup (directory);
  self->autosave_seconds = MIN (seconds, MAX_AUTOSAVE_SECONDS);
  plg_document_schedule_autosave (self);
}

void
plg_document_set_saved_elsewhere (PlgDocument *self, gboolean is_kept)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  self->is_saved_elsewhere = is_kept;
  plg_document_schedule_autosave (self);
}

char **
plg_document_find_recoverable (const char *directory)
{
  return plg_recovery_find (directory);
}

gboolean
plg_document_recover (PlgDocument *self, const char *path, GError **error)
{
  g_autoptr (PlgImportResult) import = NULL;
  g_autoptr (GFile) origin = plg_recovery_origin (path);

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  import = plg_format_read_file (path, NULL, self->catalogue, error);
  if (import == NULL)
    {
      g_autofree char *aside = plg_recovery_set_aside (path);

      if (aside != NULL)
        g_prefix_error (error, _ ("The unsaved work cannot be read and is kept as %s. "), aside);
      else
        g_prefix_error (error, _ ("The unsaved work cannot be read. "));
      return FALSE;
    }
  plg_document_replace (self, import->plan, origin, import->source);
  plg_history_mark_unsaved (self->history);
  g_clear_handle_id (&self->autosave_timeout_id, g_source_remove);
  /* Write the plan to a recovery file of this process before removing the recovery file that the
   * crash left. If there is no directory for a new recovery file, keep the old one. */
  if (self->autosave_directory == NULL)
    self->autosave_path = g_strdup (path);
  else if (plg_document_write_recovery_file (self))
    plg_recovery_remove (path);
  plg_document_notify_state (self);
  return TRUE;
}
