/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* Whether SETTING does nothing in a plan of PARALLELISM, since an axis of it has no groups; files
 * need not say it then. */
gboolean plg_setting_is_idle (const PlgSetting *setting, const PlgParallelism *parallelism);

/* What READING was told, and makes no difference, stays as the open plan has it: an order that
 * numbers the ranks alike, sequence parallelism at TP 1, a schedule of one stage. The notes say so.
 */
void plg_import_keep_idle_settings (PlgImportContext *context);

G_END_DECLS
