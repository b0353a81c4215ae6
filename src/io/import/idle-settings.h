/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Returns whether SETTING has no effect in PLAN (plg_setting_why_not_applicable()). A file may
 * omit such a setting. */
gboolean plg_setting_is_idle (const PlgSetting *setting, const PlgPlan *plan);

/* Keeps the open plan's value of a setting if the file's value makes no difference. Examples are
 * a rank order that numbers the ranks identically, sequence parallelism at TP 1, and the
 * schedule of a single stage. The notes report the kept settings. */
void plg_import_keep_idle_settings (PlgImportContext *context);

G_END_DECLS
