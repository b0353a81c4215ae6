/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* A choice as people read it; NAME where that is a term of the field. Translated; borrowed. */
const char *plg_setting_choice_title (const char *name);

/* VALUE of SETTING as people read it: the catalogue's title of a name, a choice's title, "on" and
 * "off", a number rounded and with its unit, else VALUE. As many digits are kept as tell it from
 * OTHER (may be NULL), which stands beside it. g_free(). */
char *plg_setting_describe_value (const PlgSetting *setting,
                                  const char *value,
                                  const char *other,
                                  const PlgCatalogue *catalogue);

/* MESSAGE with the keys of settings ("parallelism.tp") as the window calls them ("“Tensor (TP)”",
 * translated) and, in the rest of the sentence, their values: "true" is "on", "1f1b" "1F1B". What
 * it says of the command line's --set goes. g_free(). */
char *plg_setting_describe_message (const char *message);

G_END_DECLS
