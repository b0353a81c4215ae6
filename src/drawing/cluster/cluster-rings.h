/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-link-map.h"

G_BEGIN_DECLS

/* The view of rings, which replaces the links. It shows all rings of one axis, or one ring of each
 * axis; one ring stands out, and the others lie below the GPUs. */

/* Adds the ring of each axis that stands out. */
void plg_cluster_add_rings (PlgClusterDrawing *drawing);
/* Adds the other rings of a single axis. */
void plg_cluster_add_other_rings (PlgClusterDrawing *drawing);
/* Whether the options ask for rings of AXIS. */
gboolean plg_cluster_draws_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Whether a ring of AXIS is visible; FALSE if each ring lies inside one tile. */
gboolean plg_cluster_shows_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Whether all rings of AXIS are drawn. */
gboolean plg_cluster_has_all_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* The style of the rings beside the ring that stands out. */
PlgClusterLinkStyle plg_cluster_pale_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis);

/* plg_cluster_add_ring_arrows:
 * @rank: any rank of the group
 * @apart: whether the arrows of all groups of @axis are kept apart
 *
 * Adds arrows from member to member of the group of @axis around @rank, and back to the first
 * member if the group is a ring.
 */
void plg_cluster_add_ring_arrows (PlgClusterDrawing *drawing,
                                  PlgAxis axis,
                                  int rank,
                                  PlgClusterLinkStyle style,
                                  gboolean apart);
/* The style of a link that carries the traffic of one GPU over AXIS. If links have no colours, or
 * as a chain over links, the style has the colour of the axis. */
PlgClusterLinkStyle plg_cluster_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis);
/* The GPUs of the group of AXIS around RANK in the order of the ring. Array of int. */
GArray *plg_cluster_ring_gpus (const PlgClusterDrawing *drawing,
                               PlgAxis axis,
                               int rank) G_GNUC_WARN_UNUSED_RESULT;
/* The number of arrows between N GPUs. */
int plg_cluster_n_ring_arrows (PlgAxis axis, int n);
/* Whether the ring of GPUS changes direction more than twice: inside a node, as rings of NCCL may,
 * or between nodes. */
gboolean
plg_cluster_ring_turns_back (const PlgClusterDrawing *drawing, const GArray *gpus, gboolean inside);
/* The point below GPU where a ring passes. */
PlgPoint plg_cluster_ring_point (const PlgClusterDrawing *drawing, int gpu);
/* plg_cluster_add_arrow:
 * @gap: gap between boxes of a row and between rows [points]
 * @lane: number that keeps parallel arrows apart
 *
 * Adds an arrow between two boxes if it is visible.
 */
void plg_cluster_add_arrow (const PlgClusterDrawing *drawing,
                            PlgRect from,
                            PlgRect to,
                            PlgPoint gap,
                            PlgEntity entity,
                            PlgClusterLinkStyle style,
                            int lane);

G_END_DECLS
