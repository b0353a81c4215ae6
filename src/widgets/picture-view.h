/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One of the pictures (memory, timeline, MFU) of the open plan, as wide as there is room.
 * Properties: "document", "palette", "picture" (its name), "description"
 * (read only: what the picture shows, in a line). */
#define PLG_TYPE_PICTURE_VIEW (plg_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgPictureView, plg_picture_view, PLG, PICTURE_VIEW, GtkWidget)

GtkWidget *plg_picture_view_new (void);

G_END_DECLS
