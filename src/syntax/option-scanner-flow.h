/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/option-scanner-test.h"

G_BEGIN_DECLS

/* Decides which commands of a script run. Compound commands are nested, and the commands inside
 * form lists that && and || join. */

typedef enum
{
  PLG_SCANNER_BLOCK_SCRIPT, /* the whole script */
  PLG_SCANNER_BLOCK_IF,
  PLG_SCANNER_BLOCK_LOOP,
  PLG_SCANNER_BLOCK_CASE,
  PLG_SCANNER_BLOCK_GROUP,    /* { } */
  PLG_SCANNER_BLOCK_SUBSHELL, /* ( ) */
} PlgScannerBlock;

/* The connector between a command and the next one. */
typedef enum
{
  PLG_SCANNER_CONNECTOR_END, /* ; & or the end of a line */
  PLG_SCANNER_CONNECTOR_AND,
  PLG_SCANNER_CONNECTOR_OR,
} PlgScannerConnector;

/* The next part of a case. */
typedef enum
{
  PLG_SCANNER_CASE_COMMANDS, /* commands, as everywhere else */
  PLG_SCANNER_CASE_SUBJECT,  /* the word after case */
  PLG_SCANNER_CASE_PATTERNS, /* the patterns of a branch */
} PlgScannerCasePart;

/* Free with g_array_unref(). */
GArray *plg_scanner_flow_new (void);
/* Starts a compound command, whose commands run when this place runs and RUNS holds. */
void plg_scanner_flow_open_block (GArray *flow, PlgScannerBlock kind, PlgScannerTruth runs);
/* Returns FALSE and changes nothing when the innermost block is not of KIND. */
gboolean plg_scanner_flow_close_block (GArray *flow, PlgScannerBlock kind);
/* Start the branches of an if. Outside of an if they do nothing. */
void plg_scanner_flow_begin_then (GArray *flow);                   /* then */
void plg_scanner_flow_begin_else (GArray *flow, gboolean decides); /* else; with DECIDES elif */
/* The parts of a case. Outside of a case they do nothing. */
PlgScannerCasePart plg_scanner_flow_case_part (const GArray *flow);
/* Copies SUBJECT. NULL means that only a running shell knows the subject. */
void plg_scanner_flow_set_subject (GArray *flow, const char *subject);
const char *plg_scanner_flow_get_subject (const GArray *flow);
/* Starts a branch with a pattern that matches as MATCHES says. ;; ends the branch, and with ;&
 * or ;;& it continues into others. */
void plg_scanner_flow_begin_branch (GArray *flow, PlgScannerTruth matches);
void plg_scanner_flow_end_branch (GArray *flow, gboolean falls);
/* Ends a command with STATUS; the connector follows the command. */
void
plg_scanner_flow_end_command (GArray *flow, PlgScannerTruth status, PlgScannerConnector connector);
/* Ends the innermost subshell, or the script, with certainty: nothing runs until its end.
 * Returns TRUE for a certain exit. */
gboolean plg_scanner_flow_exit (GArray *flow);

/* Returns whether the command at this place runs. */
PlgScannerTruth plg_scanner_flow_is_executed (const GArray *flow);
/* Returns whether this place is between if and then. */
gboolean plg_scanner_flow_is_condition (const GArray *flow);

G_END_DECLS
