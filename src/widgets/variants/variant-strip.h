/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A strip with a card for each variant of the open plan. It is hidden if the plan has no variants
 * or if a lesson hides numbers of the plan.
 *
 * Properties: "palette": the name of the palette, or "automatic"; "is-suppressed": whether the
 * strip is hidden in any case, for a presentation. Signals: "refused" (message): a lesson or the
 * plan forbids the change; "announced" (message): the result of a change; "removed" (message): a
 * variant was deleted in the last undo step; "compare-requested" (name of the variant). */
#define PLG_TYPE_VARIANT_STRIP (plg_variant_strip_get_type ())
G_DECLARE_FINAL_TYPE (PlgVariantStrip, plg_variant_strip, PLG, VARIANT_STRIP, GtkWidget)

/* Sets the document whose variants the strip shows and edits, which can be set only once. The strip
 * keeps a reference to DOCUMENT. */
void plg_variant_strip_set_document (PlgVariantStrip *self, PlgDocument *document);
/* Adds the open plan to its variants and moves the focus to the new card. */
void plg_variant_strip_add (PlgVariantStrip *self);

G_END_DECLS
