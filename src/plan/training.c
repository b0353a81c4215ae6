/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/training.h"

gboolean
plg_training_equal (const PlgTraining *a, const PlgTraining *b)
{
  return a->sequence == b->sequence && a->micro_batch == b->micro_batch &&
         a->global_batch == b->global_batch && a->precision == b->precision &&
         a->gradient_precision == b->gradient_precision && a->optimizer == b->optimizer &&
         a->recompute == b->recompute && a->schedule == b->schedule && a->loss == b->loss &&
         a->kernels == b->kernels && a->program == b->program &&
         !a->cuda_graphs == !b->cuda_graphs && !a->flash_attention == !b->flash_attention &&
         !a->causal == !b->causal && a->expert_load == b->expert_load && a->tokens == b->tokens;
}
