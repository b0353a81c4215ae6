/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A card with the thumbnail, the name and the key figures of a variant. Enter or a click asks to
 * switch to the variant; a menu, F2, Delete and C ask for the other changes.
 *
 * Signals: "switch-requested"; "compare-requested"; "remove-requested"; "rename-requested" (name):
 * the handler returns an error message for the user (transfer full), or %NULL on success. */
#define PLG_TYPE_VARIANT_CARD (plg_variant_card_get_type ())
G_DECLARE_FINAL_TYPE (PlgVariantCard, plg_variant_card, PLG, VARIANT_CARD, GtkWidget)

/* Makes a card that shows VARIANT (copied). The figures appear when the program is idle. */
GtkWidget *plg_variant_card_new (const PlgVariant *variant) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the design that the card shows (transfer none). */
const PlgPlan *plg_variant_card_plan (PlgVariantCard *self);
/* Returns the name that the card shows (transfer none). */
const char *plg_variant_card_name (PlgVariantCard *self);
void plg_variant_card_set_name (PlgVariantCard *self, const char *name);
/* Sets whether the open plan has the design of the variant. */
void plg_variant_card_set_current (PlgVariantCard *self, gboolean is_current);
/* Sets the name of the palette, or "automatic". */
void plg_variant_card_set_palette (PlgVariantCard *self, const char *palette);

G_END_DECLS
