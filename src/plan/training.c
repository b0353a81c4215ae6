/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/training.h"

#include "plan/plan-problem.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The names of the modules, in the order of PlgModule. */
static const char *const module_names[] = { "norm",    "mla-up",         "activation", "mlp",
                                            "experts", "shared-experts", NULL };
G_STATIC_ASSERT (G_N_ELEMENTS (module_names) == PLG_N_MODULES + 1);

gboolean
plg_training_equal (const PlgTraining *a, const PlgTraining *b)
{
  return a->sequence == b->sequence && a->micro_batch == b->micro_batch &&
         a->global_batch == b->global_batch && a->precision == b->precision &&
         a->fp8_recipe == b->fp8_recipe && a->gradient_precision == b->gradient_precision &&
         a->reduce_precision == b->reduce_precision && a->optimizer == b->optimizer &&
         a->bf16_first_layers == b->bf16_first_layers &&
         a->bf16_last_layers == b->bf16_last_layers && a->dropout == b->dropout &&
         a->muon_tp == b->muon_tp && a->muon_steps == b->muon_steps &&
         a->recompute == b->recompute && a->recompute_method == b->recompute_method &&
         a->recompute_layers == b->recompute_layers &&
         a->recompute_modules == b->recompute_modules && a->schedule == b->schedule &&
         a->loss == b->loss && a->kernels == b->kernels && a->program == b->program &&
         !a->cuda_graphs == !b->cuda_graphs && !a->flash_attention == !b->flash_attention &&
         !a->causal == !b->causal && a->expert_load == b->expert_load &&
         a->offload_optimizer == b->offload_optimizer && a->offload_layers == b->offload_layers &&
         !a->offload_weights == !b->offload_weights && a->tokens == b->tokens;
}

gboolean
plg_training_has_bf16_layers (const PlgTraining *training)
{
  return training->bf16_first_layers + training->bf16_last_layers > 0 &&
         (training->precision == PLG_PRECISION_FP8 || training->precision == PLG_PRECISION_FP4);
}

gboolean
plg_training_has_dropout (const PlgTraining *training)
{
  return training->dropout == PLG_DROPOUT_AUTO ? !training->flash_attention
                                               : training->dropout == PLG_DROPOUT_ON;
}

gboolean
plg_modules_from_string (guint *modules, const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, "+", -1);
  guint set = 0;

  for (int i = 0; names[i] != NULL; i++)
    {
      int module = 0;

      while (module < PLG_N_MODULES && !g_str_equal (names[i], module_names[module]))
        module++;
      if (module == PLG_N_MODULES)
        {
          g_autofree char *all = g_strjoinv (", ", (char **) module_names);
          g_autofree char *valid = g_utf8_make_valid (names[i], MIN (strlen (names[i]), 40));

          return plg_plan_problem_set_for_key (
              error, PLG_PLAN_ERROR_RANGE, "training.recompute-modules",
              _ ("there is no module “%s”; join names with “+”, from: %s"),
              g_strdelimit (valid, "\n\r\t", ' '), all);
        }
      set |= 1U << module;
    }
  *modules = set;
  return TRUE;
}

char *
plg_modules_to_string (guint modules)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < PLG_N_MODULES; i++)
    if (modules & 1U << i)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "+" : "", module_names[i]);
  return g_string_free (text, FALSE);
}
