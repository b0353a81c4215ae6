/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The base of every window test: a display, the default plan and a main loop that runs until a
 * condition holds. */

/* For main(): returns FALSE without a display; the test is then skipped. */
gboolean rig_init (int *argc, char ***argv);

PlgDocument *rig_document (void);

/* Shows WIDGET in a window of WIDTH x HEIGHT and waits until the window has been painted. */
GtkWindow *rig_show (GtkWidget *widget, int width, int height);
/* Releases objects that GTK leaks with a window that had a tooltip. */
void rig_destroy (GtkWindow *window);
/* Releases the same objects and runs pending callbacks. */
void rig_close (GtkWindow *window);

/* Runs the main loop until the next frame has been painted. */
void rig_next_frame (GtkWidget *widget);

/* Runs the main loop until CONDITION holds, for at most ten seconds. */
#define rig_until(condition)                                    \
  G_STMT_START                                                  \
  {                                                             \
    gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC; \
    while (!(condition) && g_get_monotonic_time () < end)       \
      g_main_context_iteration (NULL, FALSE);                   \
    g_assert_true (condition);                                  \
  }                                                             \
  G_STMT_END

/* Returns the first controller of WIDGET with TYPE. */
GtkEventController *rig_controller (GtkWidget *widget, GType type);

/* Presses KEY on WIDGET itself, not on its children. Returns FALSE if WIDGET ignores KEY. */
gboolean rig_press (GtkWidget *widget, guint key, GdkModifierType modifiers);

/* Returns the middle of GPU on CANVAS [widget coordinates]. */
PlgPoint rig_middle_of_gpu (PlgCanvas *canvas, const PlgPlan *plan, int gpu);

/* Returns whether the title of GPU ends with TAIL in an export of the canvas. */
gboolean rig_says (PlgCanvas *canvas, int gpu, const char *tail);

/* Returns the first widget of TYPE in WIDGET for which TEST (NULL for any) is true. */
GtkWidget *
rig_find (GtkWidget *widget, GType type, gboolean (*test) (GtkWidget *, gpointer), gpointer data);

G_END_DECLS
