/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/setting.h"

G_BEGIN_DECLS

/* MESSAGE with the keys of settings ("parallelism.tp") as the window calls them ("“Tensor (TP)”",
 * translated). What it says of the command line's --set goes. g_free(). */
char *plg_setting_words (const char *message);

G_END_DECLS
