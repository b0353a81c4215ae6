/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* Adds a printed line to TEXT. */
void plg_describe_add_line (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Adds all lines about the link INDEX of REPORT; nothing for -1. */
void plg_describe_add_link (GString *text, const PlgPlan *plan, const PlgReport *report, int index);

G_END_DECLS
