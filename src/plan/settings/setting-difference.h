/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Returns the "KEY=VALUE" list that changes FROM to TO with plg_settings_apply(),
 * NULL-terminated and without the view. Returns NULL if keys cannot express the change: a
 * placement by hand, a title or notes. */
char **
plg_settings_difference (const PlgPlan *from, const PlgPlan *to, const PlgCatalogue *catalogue);

G_END_DECLS
