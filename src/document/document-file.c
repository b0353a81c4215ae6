/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/document-private.h"
#include "io/plan/plan-xml.h"

#include <glib/gi18n-lib.h>

GFile *
plg_document_file (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->file;
}

char *
plg_document_display_name (PlgDocument *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  if (self->file == NULL)
    return g_strdup (_ ("new plan"));
  name = g_file_get_basename (self->file);
  return g_filename_display_name (name);
}

/* Returns a string that identifies the current state of FILE; free it with g_free(). Returns
 * NULL if FILE is NULL or cannot be queried. The string includes the file size, because the
 * modification time alone cannot distinguish two writes in quick succession. */
static char *
state_of_file (GFile *file)
{
  g_autoptr (GFileInfo) info = NULL;

  if (file != NULL)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_ETAG_VALUE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                              G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info == NULL)
    return NULL;
  return g_strdup_printf ("%s %lld", g_file_info_get_etag (info),
                          (long long) g_file_info_get_size (info));
}

gboolean
plg_document_file_changed (PlgDocument *self)
{
  g_autofree char *state = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  state = state_of_file (self->file);
  return state != NULL && self->file_state != NULL && strcmp (state, self->file_state) != 0;
}

void
plg_document_set_file (PlgDocument *self, GFile *file)
{
  g_free (self->file_state);
  self->file_state = state_of_file (file);
  if (g_set_object (&self->file, file))
    g_object_notify (G_OBJECT (self), "file");
}

/* Reads STREAM up to one byte beyond the maximum file size, so that an oversized file is
 * detected. */
static GBytes *
read_to_end (GInputStream *stream, GError **error)
{
  g_autofree char *text = g_malloc (PLG_MAX_FILE_BYTES + 1);
  gsize size;

  if (!g_input_stream_read_all (stream, text, PLG_MAX_FILE_BYTES + 1, &size, NULL, error))
    return NULL;
  return g_bytes_new (text, size);
}

/* Loads FILE, which has no local path because it is on another machine. The server of that
 * machine may not report the size of the file. */
static GBytes *
load_remote (GFile *file, const char *name, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &why);
  g_autoptr (GBytes) bytes = NULL;

  if (stream != NULL)
    bytes = read_to_end (G_INPUT_STREAM (stream), &why);
  if (bytes == NULL)
    g_set_error (error, why->domain, why->code,
                 _ ("%s: Cannot read the file from that location: %s. Save a copy on this "
                    "machine and open the copy."),
                 name, why->message);
  else if (g_bytes_get_size (bytes) > PLG_MAX_FILE_BYTES)
    g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
                 _ ("%s: The file is larger than the limit of %d MiB, so it was not read."), name,
                 PLG_MAX_FILE_BYTES >> 20);
  else
    return g_steal_pointer (&bytes);
  return NULL;
}

gboolean
plg_document_file_may_block (GFile *file)
{
  return g_file_is_native (file) &&
         g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL;
}

GBytes *
plg_document_load_file (GFile *file, char **name, GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *base_name = NULL;

  if (path != NULL && !plg_document_file_may_block (file))
    return plg_read_file (path, name, error);
  if (path != NULL)
    {
      *name = g_filename_display_name (path);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                   _ ("%s: This is a pipe or a device, which may never end. Save its output in a "
                      "file, and open that file."),
                   path);
      return NULL;
    }
  base_name = g_file_get_basename (file);
  *name = g_filename_display_name (base_name);
  return load_remote (file, *name, error);
}

PlgImportResult *
plg_document_read (PlgDocument *self, GFile *file, GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  bytes = plg_document_load_file (file, &name, error);
  return bytes != NULL ? plg_document_read_bytes (self, bytes, name, error) : NULL;
}

PlgImportResult *
plg_document_read_bytes (PlgDocument *self, GBytes *bytes, const char *name, GError **error)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return plg_format_read (bytes, name, plg_document_committed_plan (self), self->catalogue, error);
}

void
plg_document_open_import (PlgDocument *self,
                          GFile *file,
                          const PlgImportResult *import,
                          char **notice)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  plg_document_replace (self, import->plan, import->source != NULL ? file : NULL, import->source);
  if (notice != NULL)
    {
      g_autofree char *notes = plg_import_result_text (import, 1u << PLG_NOTE_INFERRED |
                                                                   1u << PLG_NOTE_IGNORED);
      g_autofree char *imported = NULL;

      if (import->source != NULL)
        *notice = g_strdup (plg_plan_source_notice (import->source));
      else
        {
          imported = g_strdup_printf (_ ("Imported from %s as a new plan"), import->format->name);
          *notice = g_strjoin ("\n", imported, notes, NULL);
        }
    }
}

gboolean
plg_document_open (PlgDocument *self, GFile *file, char **notice, GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (PlgImportResult) import = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  bytes = plg_document_load_file (file, &name, error);
  import = bytes != NULL ? plg_format_read (bytes, name, NULL, self->catalogue, error) : NULL;
  if (import == NULL)
    return FALSE;
  plg_document_open_import (self, file, import, notice);
  return TRUE;
}

const PlgPlan *
plg_document_saved_plan (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  return self->source != NULL && self->file != NULL ? self->source->plan : NULL;
}

GBytes *
plg_document_plan_bytes (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  return plg_plan_xml_write (plg_document_committed_plan (self), self->source);
}

gboolean
plg_document_write_file (GFile *file, GBytes *bytes, GError **error)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL)
    return plg_write_file (path, bytes, error);
  return g_file_replace_contents (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                  NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);
}

gboolean
plg_document_save (PlgDocument *self, GFile *file, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (PlgPlan) written = NULL;
  PlgPlanSource *source = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  bytes = plg_plan_xml_write (plg_document_committed_plan (self), self->source);
  if (!plg_document_write_file (file, bytes, error))
    return FALSE;
  /* Read the saved text back, because the next save starts from the text in the file. */
  written = plg_plan_xml_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                               self->catalogue, &source, NULL);
  if (written != NULL)
    {
      g_clear_pointer (&self->source, plg_plan_source_unref);
      self->source = source;
    }
  plg_history_mark_saved (self->history);
  g_clear_pointer (&self->merge_key, g_free);
  plg_document_discard_autosave (self);
  plg_document_set_file (self, file);
  plg_document_notify_state (self);
  return TRUE;
}
