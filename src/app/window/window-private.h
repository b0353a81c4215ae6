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
#include "widgets/search/plan-finder.h"
#include "widgets/tables/pin-list.h"
#include "widgets/variants/variant-strip.h"
#include "widgets/lesson/presentation.h"

G_BEGIN_DECLS

typedef struct _PlgPresentationState PlgPresentationState;
typedef struct _PlgPlacing PlgPlacing;
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
  PlgVariantStrip *variants;
  PlgNotesBar *notes_bar;
  GtkWidget *place_bar; /* shows a search for the fastest placement, or its result */
  GtkSpinner *place_spinner;
  GtkLabel *place_text;
  GtkWidget *place_leave;
  GtkWidget *place_apply;
  PlgPlacing *placing;
  PlgCanvas *canvas;
  PlgPanels *panels;
  GtkWidget *pane; /* the pane below the cluster */
  GtkStack *pages; /* the pages of PANE */
  PlgPictureView *timeline;
  PlgPlayer *player;
  PlgLinkTable *links;
  GtkWidget *tier; /* the filter of the link table */
  PlgPictureView *ledger;
  PlgPictureView *pairs;
  PlgPlanFinder *finder;
  GtkBox *finder_bar; /* contains the controls of FINDER */
  PlgPinList *pins;
  GtkWidget *show_cp;
  GtkWidget *show_ep;
  GMenu *recent_menu;

  GtkFileChooserNative *chooser; /* owned, because GTK does not keep a reference to it */
  GtkStack *side;                /* contains the inspector and the lesson pane */
  GtkWidget *side_switcher;      /* visible during a lesson */
  PlgLessonPane *lesson_pane;
  PlgLessonRun *run; /* the current lesson, or NULL */
  int lesson_step;   /* the index of the lesson step that the canvas shows, or -1 */
  int lesson_choice;
  gboolean lesson_reached;

  GtkWidget *header;
  GtkWidget *canvas_bar;
  PlgPresentation *presentation; /* shown next to the canvas during a presentation */
  GtkOverlay *stage;
  PlgPointerSpotlight *beam;
  GtkWidget *blank;
  PlgPresentationState *presentation_state; /* NULL if no presentation runs */
  PlgPointing *pointing;
  PlgPresenterView *presenter_view;
  int frames_to_settle; /* number of frames until the sidebars can fold automatically again, or 0 */
  int width_to_settle;
  gboolean has_lesson_layout; /* whether a lesson hides the panels in a window that is too narrow
                                 for them */

  GtkWidget *import_dialog; /* NULL if no dialog is open */
  GQueue *pending_imports;  /* the files to import after the current import; element type GFile */
  gboolean close_after_save;
  gboolean may_close; /* whether the user has agreed to close the window */
};

/* window-actions.c: the actions of the menus */
void plg_window_install_actions (GtkWidgetClass *widget_class);
void plg_window_add_actions (PlgWindow *self);
/* Removes the actions for the application's settings, because these settings outlive the window. */
void plg_window_remove_actions (PlgWindow *self);
void plg_window_update_actions (PlgWindow *self);
/* Opens the comparison of the plan with the variant NAME. */
void plg_window_compare_variant (PlgWindow *self, const char *name);

/* window-balancing.c: the layout of layers with the least longest stage */
void plg_window_install_balancing (GtkWidgetClass *widget_class);

/* window-placing.c: the search for the fastest placement */
void plg_window_install_placing (GtkWidgetClass *widget_class);
void plg_window_set_up_placing (PlgWindow *self);
void plg_window_clear_placing (PlgWindow *self);

/* window-playback.c: playback of one training step */
void plg_window_install_playing (GtkWidgetClass *widget_class);
void plg_window_set_up_player (PlgWindow *self);

/* window-lessons.c */
void plg_window_install_lessons (GtkWidgetClass *widget_class);
void plg_window_set_up_lessons (PlgWindow *self);

/* window-sidebars.c: how the inspector and the panels fold in a narrow window */
/* Locks the sidebars during a lesson or presentation, so that folding neither hides nor shows
 * them, and unlocks them afterwards. Call after a lesson or presentation has begun or ended. */
void plg_window_update_sidebars (PlgWindow *self);
/* Lets the sidebars fold again after a presentation, once the window has been WIDTH [pixels]
 * wide for some frames. If they could fold earlier, a sidebar that was hidden before the
 * presentation would reappear. */
void plg_window_settle_sidebars (PlgWindow *self, int width);
/* Hides the panels during a lesson unless the window is wide. Panels that the user shows again
 * stay visible. */
void plg_window_begin_lesson_layout (PlgWindow *self);
void plg_window_end_lesson_layout (PlgWindow *self);
void plg_window_set_up_sidebars (PlgWindow *self);
/* window-matrix.c */
void plg_window_install_matrix (GtkWidgetClass *widget_class);
void plg_window_set_up_matrix (PlgWindow *self);
/* Performs ACTION on the traffic matrix. Returns FALSE if the matrix does not have the focus. */
gboolean plg_window_activate_matrix_action (PlgWindow *self, const char *action);

/* window-pointing.c: the spotlight and the zoom of a presentation */
void plg_window_begin_pointing (PlgWindow *self);
void plg_window_end_pointing (PlgWindow *self);
/* Handles KEY if it controls the spotlight or the zoom; otherwise returns FALSE. */
gboolean plg_window_pointing_key (PlgWindow *self, guint key);
/* Ends the zoom if the view is zoomed, otherwise the spotlight. Returns FALSE if neither is
 * active. */
gboolean plg_window_pointing_escape (PlgWindow *self);

/* window-presenter-view.c: the window with the notes during a presentation */
void plg_window_begin_presenter (PlgWindow *self);
void plg_window_open_presenter (PlgWindow *self);
void plg_window_update_presenter (PlgWindow *self);
void plg_window_end_presenter (PlgWindow *self);

/* window-presentation.c */
/* Handles KEY before any widget if KEY controls the presentation; otherwise returns FALSE. */
gboolean
plg_window_presentation_key (PlgWindow *self, guint key, guint code, GdkModifierType modifiers);
void plg_window_install_presenting (GtkWidgetClass *widget_class);
/* Updates the presentation after a change in the lesson. */
void plg_window_update_presentation (PlgWindow *self);
/* Frees the presentation when the window is disposed. */
void plg_window_clear_presentation (PlgWindow *self);

/* Applies the palette and colour scheme from the settings or from the presentation. */
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
/* Asks about unsaved changes. Returns TRUE if the window must stay open until the user answers. */
gboolean plg_window_ask_before_close (PlgWindow *self);
void plg_window_update_recent (PlgWindow *self);

G_END_DECLS
