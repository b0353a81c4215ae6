/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/collective-picture.h"

#include "drawing/cluster/cluster-layout.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

int
plg_collective_picture_gpu (const PlgCollectivePicture *picture, int member)
{
  return g_array_index (picture->gpus, int, member);
}

int
plg_collective_picture_node_of (const PlgCollectivePicture *picture, int member)
{
  return plg_collective_picture_gpu (picture, member) /
         MAX (picture->plan->cluster.gpus_per_node, 1);
}

int
plg_collective_picture_node (const PlgCollectivePicture *picture, int column)
{
  return plg_collective_picture_node_of (picture,
                                         plg_collective_window_member (&picture->window, column));
}

char *
plg_collective_picture_title (const PlgCollectivePicture *picture)
{
  int n_members = picture->collective_steps.members, n_nodes = 0;
  g_autofree gboolean *seen = g_new0 (gboolean, picture->plan->cluster.nodes);
  g_autofree char *members = NULL, *nodes = NULL, *title = plg_collective_title (picture->row);

  for (int i = 0; i < n_members; i++)
    {
      gboolean *is_seen = &seen[plg_collective_picture_node_of (picture, i)];

      n_nodes += !*is_seen;
      *is_seen = TRUE;
    }
  members = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d member", "%d members", n_members),
                             n_members);
  nodes = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d node", "%d nodes", n_nodes), n_nodes);
  return g_strdup_printf ("%s · %s · %s", title, members, nodes);
}

gboolean
plg_collective_picture_has_all (const PlgCollectivePicture *picture)
{
  return picture->window.members == picture->collective_steps.members;
}

gboolean
plg_collective_picture_is_received (const PlgCollectivePicture *picture, int member, int chunk)
{
  int received;

  return plg_collective_steps_sender (&picture->collective_steps, picture->step, member,
                                      &received) >= 0 &&
         received == chunk;
}

char *
plg_collective_picture_row_name (const PlgCollectivePicture *picture, int chunk)
{
  if (picture->collective_steps.shape == PLG_STEP_PATTERN_ALL_TO_ALL)
    return g_strdup_printf (_ ("from %d"),
                            plg_placement_rank (&picture->plan->placement,
                                                plg_collective_picture_gpu (picture, chunk)));
  if (picture->collective_steps.shape == PLG_STEP_PATTERN_CHAIN)
    return g_strdup (_ ("message"));
  return g_strdup_printf (_ ("chunk %d"), chunk);
}

char *
plg_collective_picture_calls (const PlgCollectivePicture *picture, gboolean *is_run)
{
  const PlgCollective *row = picture->row;
  const PlgParallelism *parallelism = &picture->plan->parallelism;
  int stage = plg_rank_coordinate (parallelism, picture->rank).index[PLG_AXIS_PP];
  int world = plg_plan_world (picture->plan), first_rank = 0;
  const PlgStageCalls *own = plg_report_stage_calls (picture->report, picture->index, stage);
  double n = own != NULL ? own->calls : row->calls, all = own != NULL ? own->time : row->time;
  g_autofree char *time = plg_format_time (n > 0 ? all / n : 0);
  g_autofree char *calls = plg_describe_calls (n);

  *is_run = n > 0;
  if (n > 0 && picture->report->stages->len > 1)
    return g_strdup_printf (_ ("%s per step on stage %d, predicted %s each"), calls, stage, time);
  if (n > 0)
    return g_strdup_printf (_ ("%s per step, predicted %s each"), calls, time);
  while (first_rank < world - 1 &&
         plg_rank_coordinate (parallelism, first_rank).index[PLG_AXIS_PP] != row->stage)
    first_rank++;
  return g_strdup_printf (_ ("Rank %d on stage %d never runs this collective; rank %d on stage "
                             "%d does"),
                          picture->rank, stage, first_rank, row->stage);
}

GPtrArray *
plg_collective_picture_notes (const PlgCollectivePicture *picture)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  PlgStepPattern shape = picture->collective_steps.shape;
  int n = picture->collective_steps.members, omitted = n - picture->window.members;
  int rank = plg_placement_rank (&picture->plan->placement,
                                 plg_collective_picture_gpu (picture, picture->own));

  if (shape == PLG_STEP_PATTERN_ALL_REDUCE)
    g_ptr_array_add (notes, g_strdup (_ ("Drawn as a ring. NCCL uses a tree or the switch itself "
                                         "if that is faster; the predicted time assumes the "
                                         "fastest of these.")));
  if (shape == PLG_STEP_PATTERN_ALL_TO_ALL)
    g_ptr_array_add (notes, g_strdup (_ ("Drawn step by step, with one distance between members "
                                         "per step; NCCL sends to all members at the same time.")));
  if (picture->row->kind == PLG_COLLECTIVE_BROADCAST)
    g_ptr_array_add (notes, g_strdup (_ ("The first member sends this message. Each other member "
                                         "sends its own in another call. The picture shows whole "
                                         "messages; NCCL sends slices.")));
  if (omitted > 0 && shape == PLG_STEP_PATTERN_CHAIN)
    g_ptr_array_add (notes, g_strdup_printf (_ ("%d of %d members are left out: the picture "
                                                "shows only the members near the message"),
                                             omitted, n));
  else if (omitted > 0)
    g_ptr_array_add (notes, g_strdup_printf (_ ("%d of %d members are left out: the picture "
                                                "shows rank %d, its neighbours and the chunks "
                                                "around the chunk it receives"),
                                             omitted, n, rank));
  g_ptr_array_add (notes,
                   g_strdup (_ ("Sources: NCCL, src/device; Patarasuk and Yuan 2009; nccl-tests, "
                                "doc/PERFORMANCE.md")));
  return notes;
}

gboolean
plg_collective_picture_find (PlgCollectivePicture *picture,
                             const PlgReport *report,
                             const PlgPictureOptions *options)
{
  if (report->collectives->len == 0 || !plg_cluster_layout_is_ranked (picture->plan))
    return FALSE;
  picture->report = report;
  picture->rank = CLAMP (options->rank, 0, plg_plan_world (picture->plan) - 1);
  picture->index = CLAMP (options->collective, 0, (int) report->collectives->len - 1);
  picture->row = &g_array_index (report->collectives, PlgCollective, picture->index);
  picture->gpus = plg_collective_steps_gpus (picture->plan, picture->row, options->rank);
  plg_collective_steps_init (&picture->collective_steps, picture->row);
  picture->collective_steps.members = picture->gpus->len;
  picture->own = 0;
  for (guint i = 0; i < picture->gpus->len; i++)
    if (plg_placement_rank (&picture->plan->placement, plg_collective_picture_gpu (picture, i)) ==
        picture->rank)
      picture->own = i;
  picture->step = CLAMP (options->frame, 0,
                         plg_collective_steps_count (&picture->collective_steps));
  plg_collective_window_init (&picture->window, &picture->collective_steps, picture->own,
                              picture->step);
  return picture->gpus->len > 1;
}
