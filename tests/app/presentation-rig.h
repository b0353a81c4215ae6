/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../widgets/rig.h"

#include "app/window/window.h"
#include "lessons/lesson.h"

/* The base of presentation tests: a window in a presentation. */

/* The smallest text that is readable from the back row, as a share of the window height. */
#define PRESENTATION_RIG_LEAST 0.02

typedef struct
{
  PlgWindow *window;
} PresentationRig;

/* Fixture with a window of 1024 x 768; DATA is the application. */
void presentation_rig_set_up (PresentationRig *rig, gconstpointer data);
void presentation_rig_tear_down (PresentationRig *rig, gconstpointer data);

typedef struct
{
  const char *path;
  void (*test) (PresentationRig *rig, gconstpointer data);
} PresentationRigCase;

/* The whole main() of a test with this fixture; returns the exit status. */
int presentation_rig_run (int *argc, char ***argv, const PresentationRigCase *cases, gsize n);

/* Returns the first widget of TYPE in the window. */
GtkWidget *presentation_rig_find (PresentationRig *rig, GType type);
gboolean presentation_rig_is_mapped (PresentationRig *rig, GType type);

/* Sends KEY to the controllers of the window. Returns TRUE if a controller has handled KEY. */
gboolean presentation_rig_press (PresentationRig *rig, guint key);
/* Waits until layout and folding have finished. */
void presentation_rig_come_to_rest (PresentationRig *rig);
void presentation_rig_present (PresentationRig *rig);
void presentation_rig_resize (PresentationRig *rig, int width, int height);

/* Checks that every text in WIDGET has at least size LEAST. */
void presentation_rig_check_labels (GtkWidget *widget, double least);
/* Returns the number of texts and checks that each has at least size LEAST at ZOOM. */
int presentation_rig_check_figure (const PlgFigure *figure, double zoom, double least);
/* Checks that texts of the legend do not overlap. */
void presentation_rig_check_legend (PresentationRig *rig);
/* Checks that every visible text is readable from the back row. */
void presentation_rig_check_sizes (PresentationRig *rig);
/* Checks text sizes and the legend for several plans. */
void presentation_rig_check_all_texts (PresentationRig *rig);

/* Returns the lesson in LESSONS that starts with a question and has goals later. */
PlgLesson *presentation_rig_lesson (GPtrArray *lessons);
/* Returns the template child NAME of the presentation. */
GObject *presentation_rig_part (PresentationRig *rig, const char *name);
/* Returns the button of choice N, and the text of such a button. */
GtkWidget *presentation_rig_choice (PresentationRig *rig, int n);
const char *presentation_rig_text (GtkWidget *choice);
/* Returns whether the explanation of an answer is visible. */
gboolean presentation_rig_is_answered (PresentationRig *rig);
