/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns TRUE if TEXT, which is well-formed XML, is valid by data/plan.rng. */
gboolean plan_schema_accepts (const char *text);

G_END_DECLS
