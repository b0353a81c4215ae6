/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* The translated title of a choice, or NAME if it is a technical term. Borrowed. */
const char *plg_setting_choice_title (const char *name);

/* The displayed VALUE of SETTING: the catalogue's title of a name, the title of a choice, "on"
 * or "off", a rounded number with its unit, else VALUE. A number gets as many digits as
 * distinguish it from OTHER (may be NULL). g_free(). */
char *plg_setting_describe_value (const PlgSetting *setting,
                                  const char *value,
                                  const char *other,
                                  const PlgCatalogue *catalogue);

/* MESSAGE with the keys of settings ("parallelism.tp") replaced by the titles in the window
 * ("“Tensor (TP)”", translated), and the values that follow replaced too: "true" by "on", "1f1b"
 * by "1F1B". The option --set of the command line is removed. g_free(). */
char *plg_setting_describe_message (const char *message);

G_END_DECLS
