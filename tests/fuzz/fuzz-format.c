/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"

#include <stdint.h>
#include <string.h>

/* Reads any bytes as a file of the format that PLG_FUZZ_FORMAT names, or of the detected format.
 * The file is refused with a message, or gives a valid plan that can be written and read again. */
int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t limit);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t limit, unsigned int seed);

static PlgCatalogue *catalogue;
static PlgPlan *base;
static const PlgFormat *format;

static void
quiet_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  const char *name = g_getenv ("PLG_FUZZ_FORMAT");

  catalogue = plg_catalogue_load (NULL);
  base = plg_catalogue_default_plan (catalogue);
  if (name != NULL)
    format = plg_format_find (name);
  g_assert_true (name == NULL || (format != NULL && format->read != NULL));
  g_log_set_handler (NULL, G_LOG_LEVEL_MESSAGE, quiet_cb, NULL);
  return 0;
}

/* Names */

static gboolean
is_of_word (uint8_t c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.' || c >= 0x80;
}

/* Finds the first word from AT on, from the start again after the end of DATA: returns its
 * length and sets AT to its start; 0 if DATA has no word. */
static size_t
find_word (const uint8_t *data, size_t size, size_t *at)
{
  size_t start = *at, end;

  for (size_t i = 0; i < size && !is_of_word (data[start]); i++)
    start = (start + 1) % size;
  while (start > 0 && is_of_word (data[start - 1]))
    start--;
  for (end = start; end < size && is_of_word (data[end]);)
    end++;
  *at = start;
  return end - start;
}

/* Writes one word of DATA over another, since random changes of bytes hardly ever make two names
 * equal, or one of three uses of a name different. */
static size_t
copy_word (uint8_t *data, size_t size, size_t limit, unsigned int seed)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
  size_t from = g_rand_int_range (dice, 0, (gint32) size);
  size_t to = g_rand_int_range (dice, 0, (gint32) size);
  size_t length = find_word (data, size, &from), old = find_word (data, size, &to);
  g_autofree uint8_t *word = g_memdup2 (data + from, length);

  if (length == 0 || size - old + length > limit)
    return LLVMFuzzerMutate (data, size, limit);
  memmove (data + to + length, data + to + old, size - to - old);
  memcpy (data + to, word, length);
  return size - old + length;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t limit, unsigned int seed)
{
  if (size > 0 && seed % 4 == 0)
    return copy_word (data, size, limit, seed);
  return LLVMFuzzerMutate (data, size, limit);
}

/* Files */

static void
check_again (const PlgImportResult *import)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (PlgImportResult) again = NULL;
  g_autoptr (GError) error = NULL;

  if (import->format->write == NULL)
    return;
  bytes = plg_format_write (import->format, &(PlgExportContext) { .plan = import->plan }, NULL);
  if (bytes == NULL)
    return;
  again = plg_format_read_as (import->format, bytes, "again", import->plan, catalogue, &error);
  g_assert_no_error (error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (PlgImportResult)
                 import = format != NULL
                              ? plg_format_read_as (format, bytes, "f", base, catalogue, &error)
                              : plg_format_read (bytes, "f", base, catalogue, &error);

  g_assert_true ((import == NULL) == (error != NULL));
  if (import == NULL)
    {
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  g_assert_true (plg_plan_check (import->plan, NULL));
  text = plg_import_result_text (import, ~0u);
  g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
  check_again (import);
  return 0;
}
