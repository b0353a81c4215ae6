/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "plan/settings/setting.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A row of the inspector for one key of plan/setting.h: title, range, choices and tooltip come
 * from that table. Where the plan cannot take a value, the row says why, and what was typed stays
 * to be corrected until the plan changes or Escape is pressed. What changes nothing in the plan as
 * it is (plan/relevance.h) is insensitive, and the row says why. */
#define PLG_TYPE_SETTING_ROW (plg_setting_row_get_type ())
G_DECLARE_FINAL_TYPE (PlgSettingRow, plg_setting_row, PLG, SETTING_ROW, AdwActionRow)

GtkWidget *plg_setting_row_new (PlgDocument *document, const char *key);
const PlgSetting *plg_setting_row_get_setting (PlgSettingRow *self);
/* Why the value last asked for was refused, or NULL. */
const char *plg_setting_row_get_message (PlgSettingRow *self);

G_END_DECLS
