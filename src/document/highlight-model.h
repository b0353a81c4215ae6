/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/report/report.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* What people look at: the thing that they point at, and those that they have pinned to compare.
 * All widgets of a document share it, so that a row of a table lights links of the cluster up and
 * the other way round. It is no part of the plan: it is neither saved nor undone.
 *
 * Links and collectives are numbered anew with each report. A pin stays on the same link and the
 * same collective all the same, and rests while a report has none that is the same. */
#define PLG_TYPE_HIGHLIGHT_MODEL (plg_highlight_model_get_type ())
G_DECLARE_FINAL_TYPE (PlgHighlightModel, plg_highlight_model, PLG, HIGHLIGHT_MODEL, GObject)

/* Signal "changed": what is lit is another. */

PlgHighlightModel *plg_highlight_model_new (void);

/* What is pinned, in the order in which it was, then what is pointed at: *N things, of which the
 * first *N_PINS are pins; both may be NULL. Borrowed until the next change. */
const PlgEntity *plg_highlight_model_entities (PlgHighlightModel *self, int *n, int *n_pins);

/* What the pointer or the focus is on; kind NONE: nothing. */
void plg_highlight_model_set_hovered (PlgHighlightModel *self, PlgEntity entity);
PlgEntity plg_highlight_model_hovered (PlgHighlightModel *self);

/* Pins THING, or takes its pin away. */
void plg_highlight_model_toggle (PlgHighlightModel *self, PlgEntity entity);
gboolean plg_highlight_model_is_pinned (PlgHighlightModel *self, PlgEntity entity);
/* Takes all pins away; FALSE where there is none. */
gboolean plg_highlight_model_unpin_all (PlgHighlightModel *self);

/* The links and collectives are those of REPORT from now on, which is borrowed until the next call;
 * NULL: there are none any more. For the document, which emits its own "changed" then; "changed"
 * of the spotlight is emitted where a number is another. */
void plg_highlight_model_set_report (PlgHighlightModel *self, const PlgReport *report);

G_END_DECLS
