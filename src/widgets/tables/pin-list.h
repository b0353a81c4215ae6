/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A list of the pinned entities with their numbers and names. Each entity has a button that
 * removes its pin. The list is hidden if nothing is pinned. */
#define PLG_TYPE_PIN_LIST (plg_pin_list_get_type ())
G_DECLARE_FINAL_TYPE (PlgPinList, plg_pin_list, PLG, PIN_LIST, GtkWidget)

GtkWidget *plg_pin_list_new (void) G_GNUC_WARN_UNUSED_RESULT;
void plg_pin_list_set_document (PlgPinList *self, PlgDocument *document);

G_END_DECLS
