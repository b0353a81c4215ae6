/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A small picture of the cluster of a plan, for decoration: a rectangle for each GPU in the colour of
 * its pipeline stage. */
#define PLG_TYPE_VARIANT_THUMBNAIL (plg_variant_thumbnail_get_type ())
G_DECLARE_FINAL_TYPE (PlgVariantThumbnail, plg_variant_thumbnail, PLG, VARIANT_THUMBNAIL, GtkWidget)

/* Shows PLAN (copied). */
void plg_variant_thumbnail_set_plan (PlgVariantThumbnail *self, const PlgPlan *plan);
/* Sets the name of the palette, or "automatic". */
void plg_variant_thumbnail_set_palette (PlgVariantThumbnail *self, const char *palette);

G_END_DECLS
