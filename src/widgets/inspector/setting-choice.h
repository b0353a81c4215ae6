/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The drop-down for SETTING, a choice or a name of CATALOGUE, nothing selected by the plan yet.
 * *NAMES: its items as --set takes them; free with g_strfreev(). */
GtkWidget *
plg_setting_choice_new (const PlgSetting *setting, const PlgCatalogue *catalogue, char ***names);

G_END_DECLS
