/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the minimum number of characters to insert, delete or replace in order to turn A into B.
 * Compares at most the first 63 bytes of each. */
int plg_edit_distance (const char *a, const char *b);
/* Returns at most three of NAMES that resemble TYPED, the most similar first, for example "bubble,
 * bubble-ideal"; free with g_free(). NAMES ends with NULL. Returns NULL if no name is similar. */
char *plg_similar_names (const char *const *names, const char *typed) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
