/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* The "KEY=VALUE" that plg_settings_apply() makes TO out of FROM with, NULL-terminated, without
 * those of the view. NULL when keys cannot say it: a placement by hand, a title or notes. */
char **
plg_settings_difference (const PlgPlan *from, const PlgPlan *to, const PlgCatalogue *catalogue);

G_END_DECLS
