/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The result of a test, as far as the script's own text determines it. */

typedef enum
{
  PLG_SCANNER_FALSE,
  PLG_SCANNER_TRUE,
  PLG_SCANNER_UNKNOWN, /* the result is unknown until the script runs */
} PlgScannerTruth;

PlgScannerTruth plg_scanner_truth_not (PlgScannerTruth truth);
PlgScannerTruth plg_scanner_truth_and (PlgScannerTruth a, PlgScannerTruth b);
PlgScannerTruth plg_scanner_truth_or (PlgScannerTruth a, PlgScannerTruth b);

/* A word in a test. */
typedef struct
{
  char *text;
  gboolean unset; /* whether the whole word is a variable that the script does not set */
  gboolean known; /* FALSE if the word is unknown until the script runs */
} PlgScannerOperand;

/* Returns an array of PlgScannerOperand; free it with g_ptr_array_unref(). */
GPtrArray *plg_scanner_operands_new (void);
void plg_scanner_operands_add (GPtrArray *operands, const char *text, const char *unknown);

/* Evaluates OPERANDS, the words of a test in [ ] or [[ ]] including the brackets. Supports
 * strings, whole numbers and !, and in [[ ]] also && and ||; && binds more tightly than ||. A
 * variable that is never set is treated as empty. The result of any other test is unknown. */
PlgScannerTruth plg_scanner_evaluate_test (const GPtrArray *operands);

G_END_DECLS
