/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "plan/setting.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A row of the inspector for one key of plan/setting.h: title, range, choices and tooltip come
 * from that table. Signal "refused" (message) when the plan cannot take the value, which is then
 * put back. */
#define PLG_TYPE_SETTING_ROW (plg_setting_row_get_type ())
G_DECLARE_FINAL_TYPE (PlgSettingRow, plg_setting_row, PLG, SETTING_ROW, AdwActionRow)

GtkWidget *plg_setting_row_new (PlgDocument *document, const char *key);

G_END_DECLS
