/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* PlgCard:
 *
 * A panel with a title, a large number, a subtitle, a picture or another child, and formulas in
 * an expander.
 *
 * Properties: "document", "panel" (a panel from engine/report/explain.h), "title", "value",
 * "state" ("", "success", "warning" or "error"; sets the colour of the verdict), "verdict" (next
 * to the number), "subtitle". */
#define PLG_TYPE_CARD (plg_card_get_type ())
G_DECLARE_FINAL_TYPE (PlgCard, plg_card, PLG, CARD, GtkWidget)

void plg_card_set_value (PlgCard *self,
                         const char *value,
                         const char *verdict,
                         const char *state,
                         const char *subtitle);

G_END_DECLS
