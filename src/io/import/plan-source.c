/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/plan-source.h"

PlgPlanSource *
plg_plan_source_new (const char *bytes,
                     gsize size,
                     const PlgPlan *plan,
                     const PlgCatalogue *catalogue,
                     char *notice)
{
  PlgPlanSource *source = g_new (PlgPlanSource, 1);

  *source = (PlgPlanSource) {
    .bytes = g_bytes_new (bytes, size),
    .plan = plg_plan_copy (plan),
    .catalogue = plg_catalogue_ref ((PlgCatalogue *) catalogue),
    .notice = notice,
  };
  g_atomic_ref_count_init (&source->ref_count);
  return source;
}

PlgPlanSource *
plg_plan_source_ref (PlgPlanSource *source)
{
  g_atomic_ref_count_inc (&source->ref_count);
  return source;
}

void
plg_plan_source_unref (PlgPlanSource *source)
{
  if (source == NULL || !g_atomic_ref_count_dec (&source->ref_count))
    return;
  g_bytes_unref (source->bytes);
  plg_plan_free (source->plan);
  plg_catalogue_unref (source->catalogue);
  g_free (source->notice);
  g_free (source);
}

const char *
plg_plan_source_notice (const PlgPlanSource *source)
{
  return source->notice;
}
