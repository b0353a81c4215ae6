/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Puts the picture of REQUEST on CLIPBOARD as PNG (twice the natural size), SVG and, for whoever
 * takes only text, in letters of one width. */
gboolean plg_copy_picture (GdkClipboard *clipboard,
                           const PlgRequest *request,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           GError **error);

G_END_DECLS
