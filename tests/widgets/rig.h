/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* What every window test needs: a display, the default plan, and a main loop that is run until
 * something is true. */

/* For main(): FALSE when there is no display; the test is then skipped. */
gboolean rig_init (int *argc, char ***argv);

PlgDocument *rig_document (void);

/* Shows WIDGET in a window of WIDTH x HEIGHT and waits until it has been painted. */
GtkWindow *rig_show (GtkWidget *widget, int width, int height);
/* What GTK forgets of a window that had a tooltip is no leak of ours. */
void rig_destroy (GtkWindow *window);
/* The same, and then what waits for it. */
void rig_close (GtkWindow *window);

/* Runs the main loop until the next frame has been painted. */
void rig_next_frame (GtkWidget *widget);

/* Runs the main loop until CONDITION holds, at most ten seconds. */
#define rig_until(condition)                                    \
  G_STMT_START                                                  \
  {                                                             \
    gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC; \
    while (!(condition) && g_get_monotonic_time () < end)       \
      g_main_context_iteration (NULL, FALSE);                   \
    g_assert_true (condition);                                  \
  }                                                             \
  G_STMT_END

/* The first controller of WIDGET of TYPE. */
GtkEventController *rig_controller (GtkWidget *widget, GType type);

/* Does what WIDGET, not what is in it, does at KEY; FALSE: nothing. */
gboolean rig_press (GtkWidget *widget, guint key, GdkModifierType modifiers);

/* The middle of GPU of PLAN, which CANVAS shows, in the widget. */
PlgPoint rig_middle_of_gpu (PlgCanvas *canvas, const PlgPlan *plan, int gpu);

/* Whether what the canvas shows now, as a file would name it, says TAIL at the end of its title of
 * GPU.
 */
gboolean rig_says (PlgCanvas *canvas, int gpu, const char *tail);

/* The first widget of TYPE below WIDGET for which TEST is true (NULL: any). */
GtkWidget *
rig_find (GtkWidget *widget, GType type, gboolean (*test) (GtkWidget *, gpointer), gpointer data);

G_END_DECLS
