/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

/* catalogue-library.c: the catalogue that comes with the program (compiled in), with people's own
 * files from $XDG_DATA_HOME/parallelogram/catalogue/ (*.xml) on top. A file of theirs that is not
 * valid is left out and said in *WARNINGS (may be NULL; free with g_free(), NULL when all is well).
 * Never NULL. */
PlgCatalogue *plg_catalogue_load (char **warnings);

/* Adds the entries of one catalogue file. */
gboolean
plg_catalogue_xml_read (PlgCatalogue *catalogue, const char *data, gsize size, GError **error);

G_END_DECLS
