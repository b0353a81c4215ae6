/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-link-map.h"

G_BEGIN_DECLS

/* The rings that are drawn instead of links: all rings of a single axis, or one ring of each
 * axis. One ring of each axis stands out, and the other rings are pale and beneath the GPUs. */

/* Adds, for each axis, the ring that stands out. */
void plg_cluster_add_rings (PlgClusterDrawing *drawing);
/* Adds the pale rings if the picture shows all rings of a single axis. */
void plg_cluster_add_other_rings (PlgClusterDrawing *drawing);
/* Returns whether the options request rings of AXIS. */
gboolean plg_cluster_draws_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Returns whether a ring of AXIS is visible. Returns FALSE if every ring is inside a single
 * tile, where arrows cannot be drawn. */
gboolean plg_cluster_shows_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Returns whether all rings of AXIS are drawn. */
gboolean plg_cluster_has_all_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Returns the style of the rings that do not stand out. */
PlgClusterLinkStyle plg_cluster_pale_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis);

/* plg_cluster_add_ring_arrows:
 * @rank: any rank of the group
 * @apart: whether to shift the arrows of different groups, so that they do not overlap when all
 *   groups of @axis are drawn
 *
 * Adds arrows from member to member of the group of @axis that contains @rank. If the group is a
 * ring, another arrow leads back to the first member. */
void plg_cluster_add_ring_arrows (PlgClusterDrawing *drawing,
                                  PlgAxis axis,
                                  int rank,
                                  PlgClusterLinkStyle style,
                                  gboolean apart);
/* Returns the style of the ring of AXIS, which is the style of a link with the traffic of one
 * GPU over AXIS. If links have no colours, or if links are shown and only a chain of arrows is
 * drawn over them, the style has the colour of the axis. */
PlgClusterLinkStyle plg_cluster_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Returns the GPUs (int) in RANK's group of AXIS, in the order of the ring. */
GArray *plg_cluster_ring_gpus (const PlgClusterDrawing *drawing,
                               PlgAxis axis,
                               int rank) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the number of arrows in a ring of N GPUs or, if AXIS is PP, in a chain of N GPUs. */
int plg_cluster_n_ring_arrows (PlgAxis axis, int n);
/* Returns whether the ring of GPUS changes direction more than twice. If INSIDE is set, counts
 * only the arrows inside nodes, where NCCL's rings may turn back. Otherwise counts only the
 * arrows between nodes. */
gboolean
plg_cluster_ring_turns_back (const PlgClusterDrawing *drawing, const GArray *gpus, gboolean inside);
/* Returns the point below GPU through which a ring passes. */
PlgPoint plg_cluster_ring_point (const PlgClusterDrawing *drawing, int gpu);
/* plg_cluster_add_arrow:
 * @gap: gap between the boxes of a row and between rows [points]
 * @lane: number of the arrow's lane; arrows in different lanes are shifted, so that they do not
 *   overlap
 *
 * Adds an arrow between two boxes if the arrow is visible. */
void plg_cluster_add_arrow (const PlgClusterDrawing *drawing,
                            PlgRect from,
                            PlgRect to,
                            PlgPoint gap,
                            PlgEntity entity,
                            PlgClusterLinkStyle style,
                            int lane);

G_END_DECLS
