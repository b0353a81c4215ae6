/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"
#include "app/toasts.h"
#include "widgets/canvas/pointer-spotlight.h"
#include "widgets/canvas/find-bar.h"
#include "widgets/inspector/inspector.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/tables/link-table.h"
#include "widgets/lesson/notes-bar.h"
#include "widgets/deferred-update.h"
#include "widgets/panels/panels.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"
#include "widgets/bottom-pane-layout.h"
#include "widgets/tables/pin-list.h"
#include "widgets/lesson/presentation.h"

G_BEGIN_DECLS

typedef struct _PlgPresentationState PlgPresentationState;
typedef struct _PlgPresenterView PlgPresenterView;
typedef struct _PlgPointing PlgPointing;

struct _PlgWindow
{
  AdwApplicationWindow parent_instance;

  PlgDocument *document;
  GSettings *settings;

  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  AdwFlap *inspector_flap;
  GtkWidget *open_button;
  AdwFlap *panels_flap;
  PlgInspector *inspector;
  PlgFindBar *find_bar;
  PlgNotesBar *notes_bar;
  PlgCanvas *canvas;
  PlgPanels *panels;
  GtkWidget *pane; /* below the cluster */
  GtkStack *pages; /* pages of the pane */
  PlgPictureView *timeline;
  PlgPlayer *player;
  PlgLinkTable *links;
  GtkWidget *tier; /* the filter of the link table */
  PlgPictureView *ledger;
  PlgPictureView *pairs;
  PlgPinList *pins;
  GtkWidget *show_cp;
  GtkWidget *show_ep;
  GMenu *recent_menu;

  GtkFileChooserNative *chooser; /* referenced here, since GTK keeps no reference */
  GtkStack *side;                /* the inspector and the lesson */
  GtkWidget *side_switcher;      /* visible during a lesson */
  PlgLessonPane *lesson_pane;
  PlgLessonRun *run; /* the current lesson, or NULL */
  int lesson_step;   /* the step that the canvas shows */
  int lesson_choice;
  gboolean lesson_reached;

  GtkWidget *header;
  GtkWidget *canvas_bar;
  PlgPresentation *presentation; /* next to the canvas in a presentation */
  GtkOverlay *stage;
  PlgPointerSpotlight *beam;
  GtkWidget *blank;
  PlgPresentationState *presentation_state; /* NULL without a presentation */
  PlgPointing *pointing;
  PlgPresenterView *presenter_view;
  int frames_to_settle; /* frames until the sidebars fold automatically again, or 0 */
  int width_to_settle;
  gboolean has_lesson_layout; /* the width of the window decides whether the panels are shown */

  GtkWidget *import_dialog; /* NULL while closed */
  GQueue *pending_imports;  /* GFile: the imports after the open one */
  gboolean close_after_save;
  gboolean may_close; /* the user has confirmed */
};

/* window-actions.c: the actions of the menus */
void plg_window_install_actions (GtkWidgetClass *widget_class);
void plg_window_add_actions (PlgWindow *self);
/* Removes the actions of the application's settings, which outlive the window. */
void plg_window_remove_actions (PlgWindow *self);
void plg_window_update_actions (PlgWindow *self);

/* window-playback.c: playback of the step */
void plg_window_install_playing (GtkWidgetClass *widget_class);
void plg_window_set_up_player (PlgWindow *self);

/* window-lessons.c */
void plg_window_install_lessons (GtkWidgetClass *widget_class);
void plg_window_set_up_lessons (PlgWindow *self);

/* window-sidebars.c: how the inspector and the panels fold in a narrow window */
/* Updates whether the sidebars fold, after a change of lesson or presentation. */
void plg_window_update_sidebars (PlgWindow *self);
/* Allows the sidebars to fold again once the window is WIDTH [pixels] wide and stable. Earlier, a
 * folded sidebar would reappear although it was hidden before. */
void plg_window_settle_sidebars (PlgWindow *self, int width);
/* Hides the panels during a lesson unless the window is wide. Panels that the user shows stay
 * visible. */
void plg_window_begin_lesson_layout (PlgWindow *self);
void plg_window_end_lesson_layout (PlgWindow *self);
void plg_window_set_up_sidebars (PlgWindow *self);
/* window-matrix.c */
void plg_window_install_matrix (GtkWidgetClass *widget_class);
void plg_window_set_up_matrix (PlgWindow *self);
/* Performs ACTION on the traffic matrix. Returns FALSE if the matrix does not have the focus. */
gboolean plg_window_activate_matrix_action (PlgWindow *self, const char *action);

/* window-pointing.c: the pointer spotlight and zoom of a presentation */
void plg_window_begin_pointing (PlgWindow *self);
void plg_window_end_pointing (PlgWindow *self);
/* Handles a pointing key of a presentation. Returns FALSE for any other KEY. */
gboolean plg_window_pointing_key (PlgWindow *self, guint key);
/* Ends the zoom, else the spotlight. Returns FALSE if neither is active. */
gboolean plg_window_pointing_escape (PlgWindow *self);

/* window-presenter-view.c: the window with the notes during a presentation */
void plg_window_begin_presenter (PlgWindow *self);
void plg_window_open_presenter (PlgWindow *self);
void plg_window_update_presenter (PlgWindow *self);
void plg_window_end_presenter (PlgWindow *self);

/* window-presentation.c */
/* Handles a key of a presentation before any widget. Returns FALSE for any other KEY. */
gboolean
plg_window_presentation_key (PlgWindow *self, guint key, guint code, GdkModifierType modifiers);
void plg_window_install_presenting (GtkWidgetClass *widget_class);
/* Follows a change of the lesson. */
void plg_window_update_presentation (PlgWindow *self);
/* Frees the presentation when the window is disposed. */
void plg_window_clear_presentation (PlgWindow *self);

/* Applies the palette and colour scheme of the settings or of the presentation. */
void plg_window_update_theme (PlgWindow *self);
/* Shows the notes of the plan unless a lesson or a presentation runs. */
void plg_window_update_notes (PlgWindow *self);

/* window-importing.c */
void plg_window_install_importing (GtkWidgetClass *widget_class);
void plg_window_clear_imports (PlgWindow *self);
/* Accepts dropped files and dropped text. */
void plg_window_accept_drops (PlgWindow *self);

/* window-files.c */
void plg_window_save_links (PlgWindow *self);
void plg_window_choose_open (PlgWindow *self);
void plg_window_choose_class (PlgWindow *self);
void plg_window_save (PlgWindow *self);
void plg_window_save_as (PlgWindow *self);
/* Returns TRUE if the window must stay open because a question is open. */
gboolean plg_window_ask_before_close (PlgWindow *self);
void plg_window_update_recent (PlgWindow *self);

G_END_DECLS
