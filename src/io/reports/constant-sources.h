/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/explanation.h"
#include "plan/catalogue.h"

G_BEGIN_DECLS

/* The sources and dates of the constants from which the numbers of a report follow. */
typedef struct
{
  const PlgPlan *plan;
  const PlgCatalogue *catalogue;
  PlgPlan *reference; /* a plan with the catalogue's values of PLAN's GPU, node and model */
} PlgConstantSources;

/* Begins with the constants of PLAN. PLAN and CATALOGUE must outlive SELF. */
void plg_constant_sources_init (PlgConstantSources *self,
                                const PlgPlan *plan,
                                const PlgCatalogue *catalogue);
void plg_constant_sources_clear (PlgConstantSources *self);

/* plg_constant_sources_describe:
 * @uses: #PlgConstantUse bits, as in an explanation
 *
 * Lists the constants with their values, sources and dates, such as "H100 SXM: memory bandwidth
 * 3350 GB/s (NVIDIA H100 data sheet, 2026-08-22)". A value that the plan sets is marked as such.
 *
 * Returns: (transfer full) (nullable): one line, or %NULL if the catalogue has none of the
 *   constants, or if the profile of the plan has constants of its own */
char *plg_constant_sources_describe (const PlgConstantSources *self,
                                     guint uses) G_GNUC_WARN_UNUSED_RESULT;

/* plg_constant_sources_describe_engine:
 * @used: the constants of the engine in an explanation of @plan
 *
 * Lists the constants with their values, sources and dates, such as "start of a call with the
 * protocol Simple: 8.4 µs (NCCL, src/graph/tuning.cc, 2024)". A fitted constant also has the groups of
 * runs to which it was fitted.
 *
 * Returns: (transfer full) (nullable): one line for each source, or %NULL if there are no constants,
 *   or if the profile of the plan has constants of its own */
char *plg_constant_sources_describe_engine (const PlgPlan *plan,
                                            const PlgUsedConstants *used) G_GNUC_WARN_UNUSED_RESULT;

/* plg_constant_sources_of_setting:
 * @key: the key of a setting
 *
 * Returns: (transfer full) (nullable): the source and the date of the setting's value if it comes
 *   from the catalogue; those of all constants for the names of GPU, node and model; the constants of
 *   the engine that the setting chooses; otherwise %NULL */
char *plg_constant_sources_of_setting (const PlgConstantSources *self,
                                       const char *key) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgConstantSources, plg_constant_sources_clear)

G_END_DECLS
