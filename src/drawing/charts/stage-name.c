/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/stage-name.h"

#include "drawing/figure/text.h"
#include "engine/model/flops.h"

#include <glib/gi18n-lib.h>

/* Appends N layers and the other parts of a piece of the model. */
static void
append_parts (GString *text, gboolean embedding, int n, int mtp_layers, gboolean output)
{
  if (embedding)
    g_string_append (text, "E + ");
  g_string_append_printf (text, "%d", n);
  if (mtp_layers > 1)
    g_string_append_printf (text, " + m×%d", mtp_layers);
  else if (mtp_layers == 1)
    g_string_append (text, " + m");
  if (output)
    g_string_append (text, " + L");
}

char *
plg_stage_name (const PlgPlan *plan, int stage, PlgStageNameForm form)
{
  g_autoptr (GString) text = NULL;
  PlgStageParts parts;

  if (form == PLG_STAGE_NAME_NUMBER)
    return g_strdup_printf (_ ("stage %d"), stage);
  text = g_string_new (NULL);
  parts = plg_stage_parts (plan, stage);
  if (form == PLG_STAGE_NAME_CHUNKS)
    {
      append_parts (text, parts.embedding, plg_chunk_layers (plan, stage, 0).layers, 0, FALSE);
      g_string_append (text, " | ");
      /* The MTP layers are in the last chunk, with or without the loss. */
      append_parts (text, FALSE, plg_chunk_layers (plan, stage, 1).layers, parts.mtp_layers,
                    parts.output);
    }
  else
    append_parts (text, parts.embedding, parts.dense_layers + parts.moe_layers, parts.mtp_layers,
                  parts.output);
  /* Translators: the name of a stage and its layers, as in "stage 0: E + 3". */
  return g_strdup_printf (_ ("stage %d: %s"), stage, text->str);
}

static gboolean
fits (const PlgPlan *plan, PlgStageNameForm form, double room, double size)
{
  for (int stage = 0; stage < plan->parallelism.degree[PLG_AXIS_PP]; stage++)
    {
      g_autofree char *name = plg_stage_name (plan, stage, form);

      if (plg_text_width (name, size, FALSE) > room)
        return FALSE;
    }
  return TRUE;
}

PlgStageNameForm
plg_stage_name_form (const PlgPlan *plan,
                     const PlgPictureOptions *options,
                     double room,
                     double size)
{
  if (plan->parallelism.degree[PLG_AXIS_PP] < 2 || options->same_scale != NULL ||
      (!options->embedded && plan->parallelism.layout.stages == 0))
    return PLG_STAGE_NAME_NUMBER;
  if (plg_stage_chunks (plan) == 2 && fits (plan, PLG_STAGE_NAME_CHUNKS, room, size))
    return PLG_STAGE_NAME_CHUNKS;
  return fits (plan, PLG_STAGE_NAME_LAYERS, room, size) ? PLG_STAGE_NAME_LAYERS
                                                        : PLG_STAGE_NAME_NUMBER;
}
