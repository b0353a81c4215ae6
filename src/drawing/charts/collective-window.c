/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/collective-window.h"

int
plg_collective_steps_sender (const PlgCollectiveSteps *collective_steps,
                             int step,
                             int member,
                             int *chunk)
{
  int n = collective_steps->members;
  int distance = collective_steps->shape == PLG_STEP_PATTERN_ALL_TO_ALL ? step : 1;
  int sender = ((member - distance) % n + n) % n, to;

  if (step <= 0 || !plg_collective_steps_send (collective_steps, step, sender, &to, chunk) ||
      to != member)
    return -1;
  return sender;
}

void
plg_collective_window_init (PlgCollectiveWindow *window,
                            const PlgCollectiveSteps *collective_steps,
                            int member,
                            int step)
{
  int n = collective_steps->members, n_chunks = plg_collective_steps_chunks (collective_steps);
  gboolean is_chain = collective_steps->shape == PLG_STEP_PATTERN_CHAIN;
  int received = 0;

  *window = (PlgCollectiveWindow) {
    .ring = n,
    .members = MIN (n, PLG_COLLECTIVE_WINDOW_MAX),
    .chunks = MIN (n_chunks, PLG_COLLECTIVE_WINDOW_MAX),
  };
  if (n > window->members)
    {
      /* In a chain, only the members near the message send, so the window follows the message.
       * Unlike a ring, a chain has two ends, so the window must not wrap around. */
      window->first = (is_chain && step > 0 ? step : member) - window->members / 2;
      if (is_chain)
        window->first = CLAMP (window->first, 0, n - window->members);
      window->first = (window->first + n) % n;
    }
  /* Before the first step, show the chunks of the first step. */
  if (n_chunks > window->chunks &&
      plg_collective_steps_sender (collective_steps, MAX (step, 1), member, &received) >= 0)
    window->first_chunk = MIN (received / window->chunks * window->chunks,
                               n_chunks - window->chunks);
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
