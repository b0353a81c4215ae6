/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"
#include "plan/settings/setting.h"

#include <string.h>

/* A file and the expected result of its import. */
typedef struct
{
  const char *name;
  const char *text;
  const char *becomes[12]; /* expected "KEY=VALUE" of the plan */
  const char *notes[8];    /* parts of the text of all notes; "!part" must be absent */
} ImportCase;

/* A file that must be refused with a message that begins with "f:" and BEGINS. */
typedef struct
{
  const char *name;
  const char *text;
  const char *begins; /* "LINE: …" or " …" */
} BrokenCase;

static inline PlgImportResult *
import_text (const char *text, const char *format, const PlgPlan *base, GError **error)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  PlgImportResult *import = plg_format_read (bytes, "f", base, catalogue, error);

  /* No other format accepts the file. */
  if (import != NULL)
    g_assert_cmpstr (import->format->name, ==, format);
  return import;
}

static inline void
assert_settings (const PlgPlan *plan, const char *const *becomes)
{
  for (int i = 0; becomes[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (becomes[i], "=", 2);
      g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), plan);

      if (!g_str_equal (value, pair[1]))
        g_error ("%s is %s, not %s", pair[0], value, pair[1]);
    }
}

static inline void
assert_notes (const PlgImportResult *import, const char *const *notes)
{
  g_autofree char *text = plg_import_result_text (import, ~0u);

  for (int i = 0; notes[i] != NULL; i++)
    {
      gboolean wanted = *notes[i] != '!';
      gboolean there = text != NULL && strstr (text, notes[i] + !wanted) != NULL;

      if (wanted != there)
        g_error ("“%s” is %s:\n%s", notes[i], wanted ? "missing" : "present", text);
    }
}

static inline void
run_import (const ImportCase *c, const char *format, const PlgPlan *base)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = NULL;

  g_test_message ("%s", c->name);
  import = import_text (c->text, format, base, &error);
  g_assert_no_error (error);
  g_assert_true (plg_plan_check (import->plan, NULL));
  assert_settings (import->plan, c->becomes);
  assert_notes (import, c->notes);
}

/* Reads the file as FORMAT, whatever format it looks like. */
static inline void
run_broken (const BrokenCase *c, const char *format)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (c->text, strlen (c->text));
  g_autoptr (GError) error = NULL;
  g_autofree char *begins = g_strconcat ("f:", c->begins, NULL);

  g_test_message ("%s", c->name);
  g_assert_null (plg_format_read_as (plg_format_find (format), bytes, "f", NULL, catalogue,
                                     &error));
  g_assert_nonnull (error);
  if (!g_str_has_prefix (error->message, begins))
    g_error ("%s: “%s” does not begin with “%s”", c->name, error->message, begins);
}

/* Repeats PATTERN; g_free(). */
static inline char *
repeat_text (const char *pattern, int times)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < times; i++)
    g_string_append (text, pattern);
  return g_string_free (text, FALSE);
}
