/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

/* Plans and reports for tests of pictures, filled in by hand, so that pictures do not depend on the
 * current engine. */
typedef struct
{
  const char *name;
  int nodes, gpus; /* a node */
  int tp, cp, ep, pp, dp;
  int micro_batches;
  int nics; /* 0: one a GPU */
  PlgIntra intra;
  PlgNetwork network;
  double oversubscription; /* 0: none */
  gboolean swapped;        /* some ranks exchanged by hand */
  gboolean out_of_memory;
} Sample;

/* 8 x 8 H100, TP 8, PP 4, DP 2: the default plan. */
extern const Sample sample_default;
extern const Sample samples[];
extern const int n_samples;
/* Never NULL. */
const Sample *sample_named (const char *name);

PlgPlan *sample_plan (const Sample *sample);
PlgReport *sample_report (const Sample *sample, const PlgPlan *plan);
