/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective-steps.h"

G_BEGIN_DECLS

/* What is drawn of a collective that has too many members for a picture: those round one of them,
 * and the chunks among which is the one that it gets in the step. Chunks stay where they are while
 * the step goes through them, and then the next ones come. */
#define PLG_COLLECTIVE_WINDOW_MAX 16

typedef struct
{
  int ring;    /* all members; those drawn go round its end */
  int first;   /* member */
  int members; /* drawn */
  int first_chunk;
  int chunks; /* drawn */
} PlgCollectiveWindow;

/* MEMBER in the middle, where there are more than can be drawn. STEP: 0 .. steps. */
void plg_collective_window_init (PlgCollectiveWindow *window,
                                 const PlgCollectiveSteps *collective_steps,
                                 int member,
                                 int step);
int plg_collective_window_member (const PlgCollectiveWindow *window, int column);
int plg_collective_window_column (const PlgCollectiveWindow *window,
                                  int member); /* -1: not drawn */
gboolean plg_collective_window_has_chunk (const PlgCollectiveWindow *window, int chunk);

/* Who sends to MEMBER in STEP (1 .. steps), and what; -1 for nobody. */
int plg_collective_steps_sender (const PlgCollectiveSteps *collective_steps,
                                 int step,
                                 int member,
                                 int *chunk);

G_END_DECLS
