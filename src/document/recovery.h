/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/plan-xml.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Unsaved plans in a directory, one file each, named after the process that keeps it, so that a
 * running program's are not mistaken for those that a crash left. */

/* A new path for a plan of this process. g_free(). */
char *plg_recovery_new_path (const char *directory);
gboolean plg_recovery_write (const char *path, const PlgPlan *plan, GError **error);
void plg_recovery_remove (const char *path);
/* Paths of plans whose process is gone, NULL-terminated. g_strfreev(). */
char **plg_recovery_find (const char *directory);
/* Moves a file that cannot be read out of the way, so that it is neither lost nor offered at each
 * start. The new path; g_free(). */
char *plg_recovery_put_aside (const char *path);

G_END_DECLS
