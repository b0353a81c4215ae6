/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas-drag.h"
#include "widgets/canvas/canvas-keyboard.h"
#include "widgets/canvas/canvas-menu.h"
#include "widgets/canvas/canvas-pointer.h"
#include "widgets/canvas/canvas-rendering.h"
#include "widgets/canvas/canvas-view.h"

G_BEGIN_DECLS

/* Each PlgCanvas… struct below has its own header, which lists the files that may access the
 * fields of the struct. All other files call the functions in the header. */
struct _PlgCanvas
{
  GtkWidget parent_instance;

  PlgDocument *document;
  PlgCanvasViewport view;
  PlgCanvasRendering rendering;
  PlgCanvasPointer pointer;
  PlgCanvasDrag drag;
  PlgCanvasKeyboard keyboard;
  PlgCanvasPopovers popovers;
};

/* canvas.c */
void plg_canvas_allocate (GtkWidget *widget, int width, int height, int baseline);

/* canvas-edit.c */

/* Announces the message of @error and emits "refused". */
void plg_canvas_emit_refused (PlgCanvas *self, const GError *error);
/* Announces @message and emits "announced". */
void plg_canvas_emit_announced (PlgCanvas *self, const char *message);
/* Applies @plan in one edit named @label and announces the effect. If the document refuses the
 * plan, announces the reason and returns FALSE. */
gboolean plg_canvas_apply (PlgCanvas *self, const PlgPlan *plan, const char *label);

G_END_DECLS
