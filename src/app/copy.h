/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Puts the cluster's picture on CLIPBOARD as PNG (twice the natural size), SVG and, for whoever
 * takes only text, the report. */
gboolean plg_copy_picture (GdkClipboard *clipboard, PlgDocument *document, GError **error);

G_END_DECLS
