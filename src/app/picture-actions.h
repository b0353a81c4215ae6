/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"
#include "widgets/pictures/picture-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* What can be done with the picture of a window that shows one alone: "picture.copy",
 * "picture.copy-command" and "picture.export", with the keys that the main window has for them. */
typedef struct
{
  PlgDocument *document;
  PlgPictureView *view;
  AdwToastOverlay *toasts; /* where it is told what was done */
  PlgCanvas *canvas;       /* what else can be exported */
  GSettings *settings;
} PlgPictureActions;

/* For the class of the window. */
void plg_picture_actions_install_keys (GtkWidgetClass *widget_class);
/* View and toasts are WINDOW's own; what else OF names is referenced as long as WINDOW is there. */
void plg_picture_actions_add (GtkWidget *window, const PlgPictureActions *of);

G_END_DECLS
