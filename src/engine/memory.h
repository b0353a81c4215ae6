/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report.h"

G_BEGIN_DECLS

/* Fills STAGES[0 .. pp-1] with what one GPU of each stage holds at its peak, in bytes. */
void plg_memory_ledger (const PlgPlan *plan, PlgStageMemory *stages);

G_END_DECLS
