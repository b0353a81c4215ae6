/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Unsaved plans in a directory, one file each, named after the process that keeps it, so that a
 * running program's are not mistaken for those that a crash left. */

/* A new path for a plan of this process. g_free(). */
char *plg_recovery_new_path (const char *directory);
/* SOURCE (may be NULL) keeps what people wrote beside the plan; ORIGIN (may be NULL) is the file
 * that the plan was opened from. */
gboolean plg_recovery_write (const char *path,
                             const PlgPlan *plan,
                             PlgPlanSource *source,
                             GFile *origin,
                             GError **error);
/* The file that the plan at PATH was opened from, or NULL; g_object_unref(). */
GFile *plg_recovery_origin (const char *path);
void plg_recovery_remove (const char *path);
/* Paths of plans whose process is gone, NULL-terminated. g_strfreev(). */
char **plg_recovery_find (const char *directory);
/* Moves a file that cannot be read out of the way, so that it is neither lost nor offered at each
 * start. The new path; g_free(). */
char *plg_recovery_set_aside (const char *path);

G_END_DECLS
