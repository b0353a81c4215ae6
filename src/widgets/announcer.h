/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is told in passing, as toasts do, for assistive technology: GTK before 4.14 has no
 * announcements, but a screen reader speaks what changes in the words of what has the focus. */

/* Says NEWS of what has the focus in WINDOW, until something else gets it, until the next news, or
 * until plg_announcer_clear(). Where nothing has the focus, or what has it goes, as menus do, it is said
 * of what has it next. */
void plg_announcer_announce (GtkWindow *window, const char *news);
/* NEWS are past, unless there have been others since. */
void plg_announcer_clear (GtkWindow *window, const char *news);

G_END_DECLS
