/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/tally.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The chart of how a class answered, as wide as there is room and as high as it must be. */
#define PLG_TYPE_TALLY_VIEW (plg_tally_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgTallyView, plg_tally_view, PLG, TALLY_VIEW, GtkWidget)

/* TALLY is borrowed and outlives the view, or is NULL; PALETTE as plg_look_theme() takes it.
 * LESSON: only this one's questions, NULL: all. */
void plg_tally_view_show (PlgTallyView *self,
                          const PlgTally *tally,
                          const char *palette,
                          const char *lesson);

G_END_DECLS
