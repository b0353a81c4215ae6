/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a script's tests come to, as far as its own text decides it. */

typedef enum
{
  PLG_SCANNER_FALSE,
  PLG_SCANNER_TRUE,
  PLG_SCANNER_UNKNOWN, /* only a running shell knows */
} PlgScannerTruth;

PlgScannerTruth plg_scanner_truth_not (PlgScannerTruth truth);
PlgScannerTruth plg_scanner_truth_and (PlgScannerTruth a, PlgScannerTruth b);
PlgScannerTruth plg_scanner_truth_or (PlgScannerTruth a, PlgScannerTruth b);

/* A word of a test. */
typedef struct
{
  char *text;
  gboolean unset; /* all of it is a variable that the script does not set */
  gboolean known; /* FALSE: only a running shell knows it */
} PlgScannerOperand;

/* Of PlgScannerOperand; g_ptr_array_unref(). */
GPtrArray *plg_scanner_operands_new (void);
void plg_scanner_operands_add (GPtrArray *operands, const char *text, const char *unknown);

/* What OPERANDS, a [ ] or [[ ]] with its brackets, come to: texts and whole numbers, with !, and in
 * [[ ]] with && and ||, of which && binds tighter. A variable that nobody sets is empty. All else
 * is MAYBE. */
PlgScannerTruth plg_scanner_evaluate_test (const GPtrArray *operands);

G_END_DECLS
