/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/received-text.h"

#include "io/registry/registry.h"

#include <glib/gi18n.h>

#define CHUNK_BYTES (256 << 10)

typedef struct
{
  GInputStream *stream;
  GByteArray *bytes; /* the bytes received so far */
  char *source;
} ReceivedText;

static void read_chunk (GTask *task);

static void
received_text_free (gpointer data)
{
  ReceivedText *incoming = data;

  g_object_unref (incoming->stream);
  g_byte_array_unref (incoming->bytes);
  g_free (incoming->source);
  g_free (incoming);
}

/* Completes TASK with the text or with ERROR. Does not wait until the stream is closed, because
 * all required text has been read. */
static void
finish (GTask *task, GError *error)
{
  ReceivedText *incoming = g_task_get_task_data (task);

  g_input_stream_close_async (incoming->stream, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    {
      /* Remove the terminating null byte of a C string, which some programs include. */
      const GByteArray *bytes = incoming->bytes;
      gsize size = bytes->len;

      if (size > 0 && bytes->data[size - 1] == 0)
        size--;
      g_task_return_pointer (task, g_bytes_new (bytes->data, size), (GDestroyNotify) g_bytes_unref);
    }
  g_object_unref (task);
}

static GError *
too_large_error (const char *source)
{
  return g_error_new (PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
                      _ ("%s: The text is larger than the limit of %d MiB and was not read. "
                         "Copy only the table or the settings that you need."),
                      source, PLG_MAX_FILE_BYTES >> 20);
}

static void
chunk_cb (GObject *stream, GAsyncResult *result, gpointer data)
{
  GTask *task = data;
  ReceivedText *incoming = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes)
                 piece = g_input_stream_read_bytes_finish (G_INPUT_STREAM (stream), result, &error);
  gsize size = 0;
  gconstpointer bytes = piece != NULL ? g_bytes_get_data (piece, &size) : NULL;

  if (piece == NULL)
    g_prefix_error (&error, "%s: ", incoming->source);
  if (piece == NULL || size == 0)
    {
      finish (task, error);
      return;
    }
  g_byte_array_append (incoming->bytes, bytes, (guint) size);
  if (incoming->bytes->len > PLG_MAX_FILE_BYTES)
    finish (task, too_large_error (incoming->source));
  else
    read_chunk (task);
}

static void
read_chunk (GTask *task)
{
  ReceivedText *incoming = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (incoming->stream, CHUNK_BYTES, G_PRIORITY_DEFAULT, NULL,
                                   chunk_cb, task);
}

void
plg_received_text_read_async (GInputStream *stream,
                              const char *source,
                              GAsyncReadyCallback callback,
                              gpointer data)
{
  GTask *task = g_task_new (NULL, NULL, callback, data);
  ReceivedText *incoming = g_new0 (ReceivedText, 1);

  g_return_if_fail (G_IS_INPUT_STREAM (stream));

  incoming->stream = g_object_ref (stream);
  incoming->bytes = g_byte_array_new ();
  incoming->source = g_strdup (source);
  g_task_set_source_tag (task, plg_received_text_read_async);
  g_task_set_task_data (task, incoming, received_text_free);
  read_chunk (task);
}

GBytes *
plg_received_text_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, plg_received_text_read_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
