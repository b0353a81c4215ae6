/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/drag-layers.h"

#include "engine/model/flops.h"
#include "plan/plan-check.h"

#include <glib/gi18n-lib.h>

/* Returns the number of a virtual stage in layer order. */
static int
virtual_stage (const PlgPlan *plan, int stage, int chunk)
{
  int stages = plan->parallelism.degree[PLG_AXIS_PP];

  if (plan->training.schedule == PLG_SCHEDULE_ZB_V && chunk == 1)
    return 2 * stages - 1 - stage;
  return chunk * stages + stage;
}

/* Sets LAYOUT to the present division of the layers of PLAN. Returns FALSE if a layout cannot have
 * that many virtual stages. */
static gboolean
get_layout (const PlgPlan *plan, PlgStageLayout *layout)
{
  int stages = plan->parallelism.degree[PLG_AXIS_PP], chunks = plg_stage_chunks (plan);

  *layout = plan->parallelism.layout;
  if (layout->stages > 0)
    return TRUE;
  if (stages * chunks > PLG_MAX_LAYOUT_STAGES)
    return FALSE;
  layout->stages = stages * chunks;
  layout->mtp = plg_mtp_virtual_stage (plan);
  layout->mtp_layers = MAX (plan->model.mtp_layers, 0);
  for (int stage = 0; stage < stages; stage++)
    for (int chunk = 0; chunk < chunks; chunk++)
      layout->layers[virtual_stage (plan, stage, chunk)] = plg_chunk_layers (plan, stage, chunk)
                                                               .layers;
  return TRUE;
}

static int
fullest_chunk (const PlgPlan *plan, const PlgStageLayout *layout, int stage)
{
  int fullest = 0;

  for (int chunk = 1; chunk < plg_stage_chunks (plan); chunk++)
    if (layout->layers[virtual_stage (plan, stage, chunk)] >
        layout->layers[virtual_stage (plan, stage, fullest)])
      fullest = chunk;
  return fullest;
}

/* Moves the part of FROM that is next to TO, a neighbouring virtual stage: a layer, or the MTP
 * layers, which come after all layers. Returns FALSE if FROM has neither. */
static gboolean
move_one (PlgStageLayout *layout, int from, int to)
{
  gboolean has_mtp = layout->mtp_layers > 0 && layout->mtp == from;

  if (has_mtp && (to > from || layout->layers[from] == 0))
    layout->mtp = to;
  else if (layout->layers[from] > 0)
    {
      layout->layers[from]--;
      layout->layers[to]++;
    }
  else
    return FALSE;
  return TRUE;
}

static char *
describe_limit (const PlgPlan *plan, const PlgStageLayout *layout, int stage, int chunk)
{
  int i = virtual_stage (plan, stage, chunk);

  if (layout->mtp_layers > 0 && layout->mtp == i)
    return g_strdup_printf (_ ("Stage %d has no layer left: its MTP layers stay with the loss"),
                            stage);
  if (i == 0)
    return g_strdup_printf (_ ("Stage %d has no layer left: the embedding stays there"), stage);
  if (i == layout->stages - 1)
    return g_strdup_printf (_ ("Stage %d has no layer left: the loss stays there"), stage);
  if (plg_stage_chunks (plan) > 1)
    return g_strdup_printf (_ ("Stage %d has no layer left in chunk %d"), stage, chunk);
  return g_strdup_printf (_ ("Stage %d has no layer left"), stage);
}

int
plg_drag_layers_move (PlgPlan *plan, const PlgLayerMove *move, char **limit)
{
  g_autoptr (PlgPlan) moved = plg_plan_copy (plan);
  int giver = move->layers > 0 ? move->stage + 1 : move->stage;
  int taker = move->layers > 0 ? move->stage : move->stage + 1;
  PlgStageLayout layout;

  g_return_val_if_fail (move->stage >= 0 &&
                            move->stage + 1 < plan->parallelism.degree[PLG_AXIS_PP] &&
                            move->chunk < plg_stage_chunks (plan),
                        0);

  *limit = NULL;
  if (!get_layout (plan, &layout))
    {
      *limit = g_strdup_printf (_ ("The schedule has %d virtual stages, but layers can be set by "
                                   "hand for at most %d; use fewer chunks"),
                                plan->parallelism.degree[PLG_AXIS_PP] * plg_stage_chunks (plan),
                                PLG_MAX_LAYOUT_STAGES);
      return 0;
    }
  for (int i = 0; i < ABS (move->layers); i++)
    {
      int chunk = move->chunk >= 0 ? move->chunk : fullest_chunk (plan, &layout, giver);
      PlgStageLayout next = layout;

      if (move_one (&next, virtual_stage (plan, giver, chunk), virtual_stage (plan, taker, chunk)))
        {
          plg_parallelism_set_layout (&moved->parallelism, &next);
          if (plg_plan_check (moved, NULL))
            {
              plg_plan_assign (plan, moved);
              layout = next;
              continue;
            }
        }
      *limit = describe_limit (plan, &layout, giver, chunk);
      return i;
    }
  return ABS (move->layers);
}

char *
plg_drag_layers_title (const PlgPlan *plan, const PlgLayerMove *move)
{
  gboolean has_chunk = move->chunk >= 0 && plg_stage_chunks (plan) > 1;
  int stage = move->stage, chunk = move->chunk;
  int upper = has_chunk ? plg_chunk_layers (plan, stage, chunk).layers
                        : plg_stage_layers (plan, stage).layers;
  int lower = has_chunk ? plg_chunk_layers (plan, stage + 1, chunk).layers
                        : plg_stage_layers (plan, stage + 1).layers;
  g_autofree char *first = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Stage %d: %d layer",
                                                         "Stage %d: %d layers", upper),
                                            stage, upper);
  /* Translators: follows "Stage 2: 21 layers · ". */
  g_autofree char *second = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "stage %d: %d layer",
                                                          "stage %d: %d layers", lower),
                                             stage + 1, lower);

  if (has_chunk)
    /* Translators: the title of a drag, as in "Chunk 1 · Stage 2: 4 layers · stage 3: 3 layers". */
    return g_strdup_printf (_ ("Chunk %d · %s · %s"), chunk, first, second);
  return g_strdup_printf ("%s · %s", first, second);
}
