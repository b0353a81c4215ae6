/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A line below a row of the inspector with the limit of its setting, for example “At most 19 280
 * tokens”. Its tooltip shows the next value and why that value fails. The line is visible only
 * while it is active and the limit is known. The limit is computed on another thread. */
#define PLG_TYPE_LIMIT_LABEL (plg_limit_label_get_type ())
G_DECLARE_FINAL_TYPE (PlgLimitLabel, plg_limit_label, PLG, LIMIT_LABEL, AdwBin)

/* KEY must be a key for which plg_memory_limit_exists(). */
GtkWidget *plg_limit_label_new (PlgDocument *document, const char *key) G_GNUC_WARN_UNUSED_RESULT;
/* Makes the line active, which is meant for the time in which the row has the focus. */
void plg_limit_label_set_active (PlgLimitLabel *self, gboolean is_active);

G_END_DECLS
