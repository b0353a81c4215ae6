/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Returns the NULL-terminated list of "KEY=VALUE" assignments that turn FROM into TO when
 * plg_settings_apply() applies them. Ignores the keys that begin with "view.". Returns NULL if
 * keys cannot express the change, for example if a placement by hand, the title or the notes
 * differ. */
char **
plg_settings_difference (const PlgPlan *from, const PlgPlan *to, const PlgCatalogue *catalogue);

G_END_DECLS
