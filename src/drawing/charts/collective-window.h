/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective-steps.h"

G_BEGIN_DECLS

/* The visible part of a collective that has too many members to draw all of them: the neighbours
 * of one member, and the page of chunks that contains the chunk that this member receives in the
 * current step. */
#define PLG_COLLECTIVE_WINDOW_MAX 16

typedef struct
{
  int ring;        /* total number of members; after the last member, the window continues with
                      member 0 */
  int first;       /* first member in the window */
  int members;     /* number of members in the window */
  int first_chunk; /* first chunk in the window */
  int chunks;      /* number of chunks in the window */
} PlgCollectiveWindow;

/* Centres the window on MEMBER in STEP (0 .. steps), or shows all members if they fit. In a
 * chain, centres the window on the message instead if STEP is at least 1. */
void plg_collective_window_init (PlgCollectiveWindow *window,
                                 const PlgCollectiveSteps *collective_steps,
                                 int member,
                                 int step);
int plg_collective_window_member (const PlgCollectiveWindow *window, int column);
/* Returns the column of MEMBER, or -1 if MEMBER is outside the window. */
int plg_collective_window_column (const PlgCollectiveWindow *window, int member);
gboolean plg_collective_window_has_chunk (const PlgCollectiveWindow *window, int chunk);

/* Returns the member that sends to MEMBER in STEP (1 .. steps), or -1 if no member does. Sets
 * CHUNK to the chunk that is sent. */
int plg_collective_steps_sender (const PlgCollectiveSteps *collective_steps,
                                 int step,
                                 int member,
                                 int *chunk);

G_END_DECLS
