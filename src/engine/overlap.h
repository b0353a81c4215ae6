/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/group.h"

G_BEGIN_DECLS

/* What collectives can hide behind. While a GPU computes, its links are free for others to use, but
 * each link for one collective at a time: what hides one does not hide the next on the same links.
 * While the GPU waits for a collective on some links, its other links are free as well. So no link
 * is ever busy for longer than the step takes, however much overlaps. */

/* The links of a GPU that are used at once or not at all. */
typedef enum
{
  PLG_WAY_INSIDE, /* to the GPUs of its node */
  PLG_WAY_OUTSIDE /* over its NICs */
} PlgWay;
#define PLG_N_WAYS 2

typedef enum
{
  PLG_PASS_FORWARD,
  PLG_PASS_BACKWARD, /* inputs and weights */
} PlgPass;
#define PLG_N_PASSES 2

/* Which ways a group takes. */
typedef struct
{
  gboolean takes[PLG_N_WAYS];
} PlgWays;

PlgWays plg_ways_of (const PlgFabric *fabric, const PlgSpan *span);

/* Seconds of a pass in which the links of each way are idle. */
typedef struct
{
  double idle[PLG_N_PASSES][PLG_N_WAYS];
} PlgRoom;

/* SECONDS in which the GPU computes in PASS: all ways are idle for as long. */
void plg_room_add (PlgRoom *room, PlgPass pass, double seconds);
/* Keeps WAYS busy for SECONDS of it with something else. */
void plg_room_take (PlgRoom *room, PlgPass pass, PlgWays ways, double seconds);
/* Seconds in which all of WAYS are idle, 0 or more. */
double plg_room_left (const PlgRoom *room, PlgPass pass, PlgWays ways);
/* Makes a collective of TIME seconds hide, at most WINDOW seconds of it, and gives back how many
 * are hidden. In the others the GPU waits, and ways that are not of WAYS are idle. */
double plg_room_hide (PlgRoom *room, PlgPass pass, PlgWays ways, double time, double window);

G_END_DECLS
