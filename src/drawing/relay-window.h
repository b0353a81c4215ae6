/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/relay.h"

G_BEGIN_DECLS

/* What is drawn of a collective that has too many members for a picture: those round one of them,
 * and the chunks among which is the one that it gets in the step. Chunks stay where they are while
 * the step goes through them, and then the next ones come. */
#define PLG_RELAY_WINDOW_MOST 16

typedef struct
{
  int ring;    /* all members; those drawn go round its end */
  int first;   /* member */
  int members; /* drawn */
  int first_chunk;
  int chunks; /* drawn */
} PlgRelayWindow;

/* MEMBER in the middle, where there are more than can be drawn. STEP: 0 .. steps. */
void plg_relay_window_init (PlgRelayWindow *window, const PlgRelay *relay, int member, int step);
int plg_relay_window_member (const PlgRelayWindow *window, int column);
int plg_relay_window_column (const PlgRelayWindow *window, int member); /* -1: not drawn */
gboolean plg_relay_window_has_chunk (const PlgRelayWindow *window, int chunk);

/* Who sends to MEMBER in STEP (1 .. steps), and what; -1 for nobody. */
int plg_relay_sender (const PlgRelay *relay, int step, int member, int *chunk);

G_END_DECLS
