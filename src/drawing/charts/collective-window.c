/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/collective-window.h"

int
plg_collective_steps_sender (const PlgCollectiveSteps *collective_steps,
                             int step,
                             int member,
                             int *chunk)
{
  int n = collective_steps->members,
      apart = collective_steps->shape == PLG_STEP_PATTERN_ALL_TO_ALL ? step : 1;
  int sender = ((member - apart) % n + n) % n, to;

  if (step <= 0 || !plg_collective_steps_send (collective_steps, step, sender, &to, chunk) ||
      to != member)
    return -1;
  return sender;
}

/* Round which member: a message that goes from one to the next is followed. */
static int
middle_member (const PlgCollectiveSteps *collective_steps, int member, int step)
{
  return collective_steps->shape == PLG_STEP_PATTERN_CHAIN && step > 0 ? step : member;
}

static void
choose_members (PlgCollectiveWindow *window, const PlgCollectiveSteps *collective_steps, int middle)
{
  int n = collective_steps->members;

  window->members = MIN (n, PLG_COLLECTIVE_WINDOW_MAX);
  if (n <= PLG_COLLECTIVE_WINDOW_MAX)
    return;
  window->first = middle - window->members / 2;
  /* A chain has ends, a ring has none. */
  if (collective_steps->shape == PLG_STEP_PATTERN_CHAIN)
    window->first = CLAMP (window->first, 0, n - window->members);
  window->first = (window->first + n) % n;
}

/* Before the first step those that it is about. */
static void
choose_chunks (PlgCollectiveWindow *window,
               const PlgCollectiveSteps *collective_steps,
               int member,
               int step)
{
  int n = plg_collective_steps_chunks (collective_steps), got = 0;

  window->chunks = MIN (n, PLG_COLLECTIVE_WINDOW_MAX);
  if (n > window->chunks &&
      plg_collective_steps_sender (collective_steps, MAX (step, 1), member, &got) >= 0)
    window->first_chunk = MIN (got / window->chunks * window->chunks, n - window->chunks);
}

void
plg_collective_window_init (PlgCollectiveWindow *window,
                            const PlgCollectiveSteps *collective_steps,
                            int member,
                            int step)
{
  *window = (PlgCollectiveWindow) { .ring = collective_steps->members };
  choose_members (window, collective_steps, middle_member (collective_steps, member, step));
  choose_chunks (window, collective_steps, member, step);
}

int
plg_collective_window_member (const PlgCollectiveWindow *window, int column)
{
  return (window->first + column) % window->ring;
}

int
plg_collective_window_column (const PlgCollectiveWindow *window, int member)
{
  int column = (member - window->first + window->ring) % window->ring;

  return column < window->members ? column : -1;
}

gboolean
plg_collective_window_has_chunk (const PlgCollectiveWindow *window, int chunk)
{
  return chunk >= window->first_chunk && chunk < window->first_chunk + window->chunks;
}
