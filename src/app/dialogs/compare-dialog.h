/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A window that compares the plan with the same plan in a different nesting order, with the saved
 * plan, with a variant or with the plan in a file. The window can apply the order or the plan. */
#define PLG_TYPE_COMPARE_DIALOG (plg_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgCompareDialog, plg_compare_dialog, PLG, COMPARE_DIALOG, AdwWindow)

typedef enum
{
  PLG_COMPARISON_ORDER, /* begin with another nesting order */
  PLG_COMPARISON_PLAN,  /* begin with a found plan, the saved plan or a variant, if there is one */
} PlgComparison;

/* Opens the comparison. VARIANT is the name of the variant to begin with, or NULL. FOUND is the
 * found plan to begin with (copied), or NULL. CANVAS supplies the export dialog with every picture
 * except the comparison. */
void plg_compare_dialog_present (GtkWindow *parent,
                                 PlgDocument *document,
                                 PlgCanvas *canvas,
                                 GSettings *settings,
                                 PlgComparison comparison,
                                 const char *variant,
                                 const PlgPlan *found);
/* Compares the plan with FILE. A file that is not a whole plan changes a copy of the open plan.
 * Shows a message if the file cannot be read. */
void plg_compare_dialog_set_file (PlgCompareDialog *self, GFile *file);

G_END_DECLS
