/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request-fixture.h"

#include "sample.h"

void
request_fixture_set_up (RequestFixture *fixture, gconstpointer name)
{
  const Sample *sample = name != NULL ? sample_named (name) : &sample_default;

  fixture->plan = sample_plan (sample);
  fixture->report = sample_report (sample, fixture->plan);
  plg_request_init (&fixture->request, fixture->plan, PLG_PALETTE_LIGHT);
}

void
request_fixture_tear_down (RequestFixture *fixture, gconstpointer name)
{
  plg_request_clear (&fixture->request);
  plg_plan_free (fixture->plan);
  plg_report_unref (fixture->report);
}

void
request_fixture_rename_model (RequestFixture *fixture, const char *name)
{
  g_strlcpy (fixture->plan->model.title, name, sizeof fixture->plan->model.title);
}

char *
request_fixture_export (RequestFixture *fixture, PlgExportFormat format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  const char *data;

  fixture->request.file.format = format;
  bytes = plg_request_export (&fixture->request, fixture->plan, fixture->report, &error);
  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  return g_strndup (data, size);
}
