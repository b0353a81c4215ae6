/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure.h"
#include "engine/report.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* What people look at: the thing that they point at, and those that they have pinned to compare.
 * All widgets of a document share it, so that a row of a table lights links of the cluster up and
 * the other way round. It is no part of the plan: it is neither saved nor undone.
 *
 * Links and collectives are numbered anew with each report. A pin stays on the same link and the
 * same collective all the same, and rests while a report has none that is the same. */
#define PLG_TYPE_SPOTLIGHT (plg_spotlight_get_type ())
G_DECLARE_FINAL_TYPE (PlgSpotlight, plg_spotlight, PLG, SPOTLIGHT, GObject)

/* Signal "changed": what is lit is another. */

PlgSpotlight *plg_spotlight_new (void);

/* What is pinned, in the order in which it was, then what is pointed at: *N things, of which the
 * first *N_PINS are pins; both may be NULL. Borrowed until the next change. */
const PlgThing *plg_spotlight_lit (PlgSpotlight *self, int *n, int *n_pins);

/* What the pointer or the focus is on; kind NONE: nothing. */
void plg_spotlight_point (PlgSpotlight *self, PlgThing thing);
PlgThing plg_spotlight_pointed (PlgSpotlight *self);

/* Pins THING, or takes its pin away. */
void plg_spotlight_toggle (PlgSpotlight *self, PlgThing thing);
gboolean plg_spotlight_is_pinned (PlgSpotlight *self, PlgThing thing);
/* Takes all pins away; FALSE where there is none. */
gboolean plg_spotlight_unpin_all (PlgSpotlight *self);

/* The links and collectives are those of REPORT from now on, which is borrowed until the next call;
 * NULL: there are none any more. For the document, which emits its own "changed" then; "changed"
 * of the spotlight is emitted where a number is another. */
void plg_spotlight_set_report (PlgSpotlight *self, const PlgReport *report);

G_END_DECLS
