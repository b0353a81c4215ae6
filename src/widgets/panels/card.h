/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One panel: a title, one big number, a line below it, a picture or whatever else is put in, and,
 * folded away, the formulas behind the numbers.
 *
 * Properties: "document", "panel" (of engine/explain.h), "title", "value", "state" ("", "success",
 * "warning" or "error": the colour of the verdict), "verdict" (words beside the number),
 * "subtitle". */
#define PLG_TYPE_CARD (plg_card_get_type ())
G_DECLARE_FINAL_TYPE (PlgCard, plg_card, PLG, CARD, GtkWidget)

void plg_card_set_value (PlgCard *self,
                         const char *value,
                         const char *verdict,
                         const char *state,
                         const char *subtitle);

G_END_DECLS
