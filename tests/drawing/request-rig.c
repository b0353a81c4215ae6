/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request-rig.h"

#include "sample.h"

void
rig_set_up (Rig *rig, gconstpointer name)
{
  const Sample *sample = name != NULL ? sample_named (name) : &sample_default;

  rig->plan = sample_plan (sample);
  rig->report = sample_report (sample, rig->plan);
  plg_request_init (&rig->request, rig->plan, PLG_PALETTE_LIGHT);
}

void
rig_tear_down (Rig *rig, gconstpointer name)
{
  plg_request_clear (&rig->request);
  plg_plan_free (rig->plan);
  plg_report_unref (rig->report);
}

void
rig_rename_model (Rig *rig, const char *name)
{
  g_strlcpy (rig->plan->model.title, name, sizeof rig->plan->model.title);
}

char *
rig_export (Rig *rig, PlgExportFormat format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  const char *data;

  rig->request.file.format = format;
  bytes = plg_request_export (&rig->request, rig->plan, rig->report, &error);
  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  return g_strndup (data, size);
}
