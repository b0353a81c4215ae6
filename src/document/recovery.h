/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Unsaved plans in a directory. The name of each file contains the id of the process that writes
 * the file, so that files of a running program can be distinguished from files left by a crash. */

/* Returns a new path for a plan of this process. Free with g_free(). */
char *plg_recovery_new_path (const char *directory);
/* Writes PLAN to PATH. Copies from SOURCE (may be NULL) the parts of the plan file that this
 * version does not recognise, so that these parts are kept. */
gboolean plg_recovery_write (const char *path,
                             const PlgPlan *plan,
                             PlgPlanSource *source,
                             GFile *origin,
                             GError **error);
/* Returns the file from which the plan at PATH was opened, or NULL. Free with g_object_unref(). */
GFile *plg_recovery_origin (const char *path);
void plg_recovery_remove (const char *path);
/* Returns a NULL-terminated array with the paths of the plans whose process has ended. Free with
 * g_strfreev(). */
char **plg_recovery_find (const char *directory);
/* Renames a file that cannot be read, so that it is neither lost nor offered again at each
 * start. Returns the new path; free it with g_free(). Returns NULL if the file cannot be renamed,
 * for example because another process has already renamed or removed it. */
char *plg_recovery_set_aside (const char *path);

G_END_DECLS
