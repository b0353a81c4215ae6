/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "plan/settings/setting.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* An inspector row for one key of plan/settings/setting.h, which supplies the title, range,
 * choices and tooltip. If a value is refused, the row shows the reason and keeps the typed text
 * until the plan changes or Escape is pressed. The row is insensitive while the setting has no
 * effect on the plan. */
#define PLG_TYPE_SETTING_ROW (plg_setting_row_get_type ())
G_DECLARE_FINAL_TYPE (PlgSettingRow, plg_setting_row, PLG, SETTING_ROW, AdwActionRow)

GtkWidget *plg_setting_row_new (PlgDocument *document, const char *key) G_GNUC_WARN_UNUSED_RESULT;
const PlgSetting *plg_setting_row_get_setting (PlgSettingRow *self);
/* Returns the reason why the last value was refused, or NULL. */
const char *plg_setting_row_get_message (PlgSettingRow *self);

G_END_DECLS
