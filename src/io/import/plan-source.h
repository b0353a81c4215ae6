/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

/* The file that a plan was read from: its bytes, comments, and unknown elements and attributes.
 * Saving a plan with its source changes only the edited values in the file. Reference-counted and
 * immutable. */
typedef struct
{
  gatomicrefcount ref_count;
  GBytes *bytes;
  PlgPlan *plan; /* the plan as read from BYTES */
  PlgCatalogue *catalogue;
  char *notice; /* translated, or NULL */
} PlgPlanSource;

/* plg_plan_source_new:
 * @bytes: the bytes of the file, copied
 * @size: length of @bytes [bytes]
 * @plan: the plan in the file, copied
 * @notice: (transfer full) (nullable): a translated notice about the file's content
 *
 * Returns: (transfer full): the source
 */
PlgPlanSource *plg_plan_source_new (const char *bytes,
                                    gsize size,
                                    const PlgPlan *plan,
                                    const PlgCatalogue *catalogue,
                                    char *notice) G_GNUC_WARN_UNUSED_RESULT;
PlgPlanSource *plg_plan_source_ref (PlgPlanSource *source);
void plg_plan_source_unref (PlgPlanSource *source);
/* Returns a translated notice about a newer file version or about unknown content that is kept,
 * or NULL. */
const char *plg_plan_source_notice (const PlgPlanSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPlanSource, plg_plan_source_unref)

G_END_DECLS
