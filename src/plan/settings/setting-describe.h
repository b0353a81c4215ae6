/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Returns VALUE of SETTING for display: the title of a catalogue name or a choice, "on" or
 * "off", or a rounded number with its unit. Returns a copy of VALUE if it has no title. A number
 * gets enough digits to distinguish it from OTHER (may be NULL). Free with g_free(). */
char *plg_setting_describe_value (const PlgSetting *setting,
                                  const char *value,
                                  const char *other,
                                  const PlgCatalogue *catalogue);

G_END_DECLS
