/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

/* plg_catalogue_load_built_in:
 *
 * Returns: (transfer full): the compiled-in catalogue without the user's files */
PlgCatalogue *plg_catalogue_load_built_in (void) G_GNUC_WARN_UNUSED_RESULT;
/* plg_catalogue_load:
 * @warnings: (out) (optional) (nullable): one line per invalid user file; free with g_free()
 *
 * Loads the compiled-in catalogue and adds the user's files *.xml in
 * $XDG_DATA_HOME/parallelogram/catalogue. Invalid user files are skipped.
 *
 * Returns: (transfer full): the catalogue, never %NULL */
PlgCatalogue *plg_catalogue_load (char **warnings);

/* Adds the entries of one catalogue file to CATALOGUE. */
gboolean
plg_catalogue_xml_read (PlgCatalogue *catalogue, const char *data, gsize size, GError **error);

G_END_DECLS
