/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas-drag.h"
#include "widgets/canvas/canvas-keyboard.h"
#include "widgets/canvas/canvas-menu.h"
#include "widgets/canvas/canvas-pointer.h"
#include "widgets/canvas/canvas-rendering.h"
#include "widgets/canvas/canvas-view.h"

G_BEGIN_DECLS

/* Each part names its files in its header. Only these files touch the fields of the part; all
 * other files call the functions of the header. */
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
/* Applies @plan as one edit named @label and announces its effect. Returns FALSE if the document
 * refuses the plan; the refusal is then announced. */
gboolean plg_canvas_apply (PlgCanvas *self, const PlgPlan *plan, const char *label);

G_END_DECLS
