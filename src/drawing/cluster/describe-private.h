/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* Shared by describe.c, which tells of the parts of a picture, and describe-link.c. */

/* Below what TEXT has already. */
void plg_describe_add_line (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* All of the link INDEX of REPORT; nothing where there is none. */
void plg_describe_add_link (GString *text, const PlgPlan *plan, const PlgReport *report, int index);

G_END_DECLS
