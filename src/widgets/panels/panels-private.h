/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/panels/card.h"
#include "widgets/panels/panels.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/tables/table.h"

G_BEGIN_DECLS

struct _PlgPanels
{
  GtkWidget parent_instance;

  PlgDocument *document;

  GtkWidget *scroller;
  PlgCard *mfu;
  PlgCard *memory;
  PlgCard *bubble;
  PlgCard *communication;
  PlgCard *run;
  PlgCard *advice;
  PlgPictureView *mfu_picture;
  GtkWidget *runs_expander; /* shows the published runs like the plan */
  GtkBox *runs_lines;
  PlgPictureView *memory_picture;
  PlgTable *bubble_table;
  PlgTable *run_table;
  PlgTable *collectives;
  /* The tables in separate windows. Each is NULL while its window is closed. */
  PlgTable *memory_values;
  PlgTable *collective_values;
  GtkWidget *exact_values;
  GtkWidget *findings;
  char *memory_limits;              /* the limits in the tooltip of the memory panel; NULL before
                                        they are known */
  GCancellable *limits_cancellable; /* cancels the work on these limits, or NULL */
  GPtrArray *shown;      /* the text of each shown finding; the rows are rebuilt only if a text has
                       changed */
  guint runs_timeout_id; /* the wait before the published runs like the plan are found */
  guint advice_timeout_id;    /* the wait before the search for a better plan */
  gboolean is_searching;      /* whether a thread searches for a better plan */
  PlgPlan *searched_plan;     /* the plan of SEARCHED_REPORT; NULL before the first search */
  PlgReport *searched_report; /* the report with the findings of the search */
};

/* panel-communication.c: shows the collectives as table rows */
void plg_panels_update_communication (PlgPanels *self);
/* Marks the rows of the highlighted collectives and of the collectives that use the highlighted
 * links. */
void plg_panels_mark_collectives (PlgPanels *self);
void plg_panels_enable_pointing (PlgPanels *self);

/* panel-mfu.c: shows the MFU with its error band, if it is known */
void plg_panels_update_mfu (PlgPanels *self);
/* Finds the published runs like the plan a little later, and shows them and the error band. */
void plg_panels_update_similar_runs (PlgPanels *self);
void plg_panels_show_similar_runs_cb (PlgPanels *self);

/* panel-run.c: shows the cost, the energy and the failures of the whole training */
void plg_panels_init_run (PlgPanels *self);
void plg_panels_update_run (PlgPanels *self);
/* panel-memory-limits.c: shows the limits of settings in the tooltip of the memory panel, and
 * discards limits that no longer apply */
void plg_panels_enable_memory_limits (PlgPanels *self);
void plg_panels_forget_memory_limits (PlgPanels *self);

/* panel-advice.c */
void plg_panels_update_advice (PlgPanels *self);
/* Stops waiting for a search and forgets its findings. */
void plg_panels_clear_advice (PlgPanels *self);

G_END_DECLS
