/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

G_BEGIN_DECLS

/* plg_model_offer:
 * @model: the name of a model in the catalogue
 *
 * Finds degrees for @model (engine/search/suggest-degrees.h) if the present degrees of the plan
 * are not legal for @model or do not fit in memory. Keeps the global batch if possible.
 *
 * Returns: (transfer full) (nullable): the document's plan with @model and other degrees. %NULL if
 *   the present degrees suit @model, if no other degrees help, or if a lesson locks one of the
 *   changes */
PlgPlan *plg_model_offer (PlgDocument *document, const char *model) G_GNUC_WARN_UNUSED_RESULT;

/* plg_model_offer_describe:
 *
 * Returns: (transfer full): the degrees of @offer, and sequence, recompute and ZeRO if they differ
 *   from those of @before, for example "TP 8 · PP 4 · DP 2 · ZeRO 3" */
char *plg_model_offer_describe (const PlgPlan *before,
                                const PlgPlan *offer) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
