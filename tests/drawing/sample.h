/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

/* Plans and hand-made reports for tests of pictures, so that pictures do not depend on the
 * engine. */
typedef struct
{
  const char *name;
  int nodes, gpus; /* GPUs per node */
  int tp, cp, ep, pp, dp;
  int micro_batches;
  int nics; /* NICs per node; 0: one NIC per GPU */
  PlgIntra intra;
  PlgNetwork network;
  double oversubscription; /* 0: no oversubscription */
  gboolean swapped;        /* some ranks are exchanged by hand */
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
