/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/request.h"

/* One of the samples and what is asked of it, for tests of whole files. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgRequest request;
} Rig;

/* NAME is a sample's; NULL: the default one. Both are as g_test_add() takes them. */
void rig_set_up (Rig *rig, gconstpointer name);
void rig_tear_down (Rig *rig, gconstpointer name);

/* The file that the request asks for, in FORMAT. g_free(). */
char *rig_export (Rig *rig, PlgExportFormat format);
