/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/relay-window.h"

int
plg_relay_sender (const PlgRelay *relay, int step, int member, int *chunk)
{
  int n = relay->members, apart = relay->shape == PLG_RELAY_PAIRS ? step : 1;
  int sender = ((member - apart) % n + n) % n, to;

  if (step <= 0 || !plg_relay_send (relay, step, sender, &to, chunk) || to != member)
    return -1;
  return sender;
}

/* Round which member: a message that goes from one to the next is followed. */
static int
middle_of (const PlgRelay *relay, int member, int step)
{
  return relay->shape == PLG_RELAY_CHAIN && step > 0 ? step : member;
}

static void
choose_members (PlgRelayWindow *window, const PlgRelay *relay, int middle)
{
  int n = relay->members;

  window->members = MIN (n, PLG_RELAY_WINDOW_MOST);
  if (n <= PLG_RELAY_WINDOW_MOST)
    return;
  window->first = middle - window->members / 2;
  /* A chain has ends, a ring has none. */
  if (relay->shape == PLG_RELAY_CHAIN)
    window->first = CLAMP (window->first, 0, n - window->members);
  window->first = (window->first + n) % n;
}

/* Before the first step those that it is about. */
static void
choose_chunks (PlgRelayWindow *window, const PlgRelay *relay, int member, int step)
{
  int n = plg_relay_chunks (relay), got = 0;

  window->chunks = MIN (n, PLG_RELAY_WINDOW_MOST);
  if (n > window->chunks && plg_relay_sender (relay, MAX (step, 1), member, &got) >= 0)
    window->first_chunk = MIN (got / window->chunks * window->chunks, n - window->chunks);
}

void
plg_relay_window_init (PlgRelayWindow *window, const PlgRelay *relay, int member, int step)
{
  *window = (PlgRelayWindow) { .ring = relay->members };
  choose_members (window, relay, middle_of (relay, member, step));
  choose_chunks (window, relay, member, step);
}

int
plg_relay_window_member (const PlgRelayWindow *window, int column)
{
  return (window->first + column) % window->ring;
}

int
plg_relay_window_column (const PlgRelayWindow *window, int member)
{
  int column = (member - window->first + window->ring) % window->ring;

  return column < window->members ? column : -1;
}

gboolean
plg_relay_window_has_chunk (const PlgRelayWindow *window, int chunk)
{
  return chunk >= window->first_chunk && chunk < window->first_chunk + window->chunks;
}
