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

/* Returns the unit of SETTING for display after NUMBER, such as "token" after "1"; NULL if there is
 * no unit. */
const char *plg_setting_unit (const PlgSetting *setting, const char *number);
/* Returns the number that SETTING takes from the GPU of PLAN, in the setting's unit, because its own
 * value is 0: the peak, a price or a power of the catalogue. Returns NaN if the GPU has no such
 * number, and 0 if the plan has a number of its own and for other settings. */
double plg_setting_inherited_number (const PlgSetting *setting, const PlgPlan *plan);
/* Returns the value of SETTING in PLAN for display, as plg_setting_describe_value() does. A number
 * that comes from the GPU is followed by its source: "10 USD (catalogue)"; a number that neither has
 * is "unknown". OTHER is a plan whose
 * value must look different, or NULL. Free with g_free(). */
char *plg_setting_describe (const PlgSetting *setting,
                            const PlgPlan *plan,
                            const PlgPlan *other,
                            const PlgCatalogue *catalogue);

G_END_DECLS
