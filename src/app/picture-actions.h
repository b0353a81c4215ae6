/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"
#include "widgets/pictures/picture-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The actions "picture.copy", "picture.copy-command" and "picture.export" of a window that shows a
 * single picture. The keys are those of the main window. */
typedef struct
{
  PlgDocument *document;
  PlgPictureView *view;
  AdwToastOverlay *toasts; /* shows the result of each action */
  PlgCanvas *canvas;       /* the source of other pictures in the export dialog */
  GSettings *settings;
} PlgPictureActions;

/* Adds the shortcuts to the class of a window. */
void plg_picture_actions_install_keys (GtkWidgetClass *widget_class);
/* Adds the actions to WINDOW, which must own OF->view and OF->toasts. WINDOW keeps a reference to
 * the other members of OF. */
void plg_picture_actions_add (GtkWidget *window, const PlgPictureActions *of);

G_END_DECLS
