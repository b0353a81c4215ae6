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
  PlgCard *advice;
  PlgPictureView *mfu_picture;
  PlgPictureView *memory_picture;
  PlgTable *bubble_table;
  PlgTable *collectives;
  /* In windows of their own, and NULL while those are not there. */
  PlgTable *memory_values;
  PlgTable *collective_values;
  GtkWidget *exact_values;
  GtkWidget *findings;
  GPtrArray *shown; /* texts of the findings shown, to spare a rebuild */
};

/* panel-communication.c: what is sent, with rows that stand for their collectives. */
void plg_panels_update_communication (PlgPanels *self);
/* The other way round: what crosses the links that are lit is marked in the table. */
void plg_panels_mark_collectives (PlgPanels *self);
void plg_panels_enable_pointing (PlgPanels *self);

/* panel-advice.c */
void plg_panels_update_advice (PlgPanels *self);
/* Emits "refused". */
void plg_panels_report_error (PlgPanels *self, const char *message);

G_END_DECLS
