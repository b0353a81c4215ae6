/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"
#include "widgets/pictures/picture-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The actions "picture.copy", "picture.copy-command" and "picture.export" for a window with a
 * single picture. The shortcuts are the same as in the main window. */
typedef struct
{
  PlgDocument *document;
  PlgPictureView *view;
  AdwToastOverlay *toasts; /* shows the result of each action */
  PlgCanvas *canvas;       /* supplies the export dialog with every picture except the window's
                              own */
  GSettings *settings;
} PlgPictureActions;

/* Adds the shortcuts to WIDGET_CLASS, the class of a window. */
void plg_picture_actions_install_keys (GtkWidgetClass *widget_class);
/* Adds the actions to WINDOW, which must own OF->view and OF->toasts. WINDOW keeps references to
 * the other members of OF. */
void plg_picture_actions_add (GtkWidget *window, const PlgPictureActions *of);

G_END_DECLS
