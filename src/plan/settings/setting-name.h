/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Returns the translated title of a choice, or NAME if it is a technical term. Borrowed. */
const char *plg_setting_choice_title (const char *name);

/* Returns the title of the value NAME of SETTING, or NULL if NAME is a number or a name from the
 * catalogue. Borrowed. */
const char *plg_setting_value_title (const PlgSetting *setting, const char *name);

/* Makes messages name settings and their values by the titles in the inspector ("“Tensor (TP)”",
 * "1F1B"). The window calls this function when it starts. Without this call, messages use the
 * keys of the command line and the files ("parallelism.tp", "1f1b"). */
void plg_setting_use_titles (void);
/* Returns the name that messages use for the setting KEY. Borrowed; valid as long as KEY. */
const char *plg_setting_name (const char *key);
/* Returns the name that messages use for VALUE, a value of the setting KEY. Borrowed; valid as
 * long as VALUE. */
const char *plg_setting_value_name (const char *key, const char *value);

G_END_DECLS
