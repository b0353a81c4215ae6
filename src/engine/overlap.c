/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/overlap.h"

/* Where nodes have no links of their own but PCIe, NICs share it. */
PlgWays
plg_ways_of (const PlgFabric *fabric, const PlgSpan *span)
{
  gboolean outside = span->nodes > 1;
  gboolean inside = span->size > span->nodes || fabric->intra == PLG_INTRA_PCIE;

  return (PlgWays) { .takes = { inside, outside } };
}

void
plg_room_add (PlgRoom *room, PlgPass pass, double seconds)
{
  for (int way = 0; way < PLG_N_WAYS; way++)
    room->idle[pass][way] += seconds;
}

void
plg_room_take (PlgRoom *room, PlgPass pass, PlgWays ways, double seconds)
{
  for (int way = 0; way < PLG_N_WAYS; way++)
    if (ways.takes[way])
      room->idle[pass][way] -= seconds;
}

double
plg_room_left (const PlgRoom *room, PlgPass pass, PlgWays ways)
{
  double left = G_MAXDOUBLE;

  for (int way = 0; way < PLG_N_WAYS; way++)
    if (ways.takes[way])
      left = MIN (left, room->idle[pass][way]);
  return MAX (left, 0.0);
}

double
plg_room_hide (PlgRoom *room, PlgPass pass, PlgWays ways, double time, double window)
{
  double hidden = MIN (MIN (time, MAX (window, 0.0)), plg_room_left (room, pass, ways));

  for (int way = 0; way < PLG_N_WAYS; way++)
    room->idle[pass][way] += ways.takes[way] ? -hidden : time - hidden;
  return hidden;
}
