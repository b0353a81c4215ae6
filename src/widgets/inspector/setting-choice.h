/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/settings/setting.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* plg_setting_choice_new:
 * @setting: a setting whose value is one of a few choices or a name in @catalogue
 * @names: (out) (transfer full): the items in the form that --set accepts
 *
 * Creates the drop-down of a setting, with no item selected. */
GtkWidget *plg_setting_choice_new (const PlgSetting *setting,
                                   const PlgCatalogue *catalogue,
                                   char ***names) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
