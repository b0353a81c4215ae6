/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/option-scanner-test.h"

G_BEGIN_DECLS

/* Decides which commands of a script run. Compound commands are nested. Inside a compound
 * command, && and || connect commands into lists. */

typedef enum
{
  PLG_SCANNER_BLOCK_SCRIPT, /* the implicit block that contains the whole script */
  PLG_SCANNER_BLOCK_IF,
  PLG_SCANNER_BLOCK_LOOP,
  PLG_SCANNER_BLOCK_CASE,
  PLG_SCANNER_BLOCK_GROUP,    /* block in { } */
  PLG_SCANNER_BLOCK_SUBSHELL, /* block in ( ) */
} PlgScannerBlock;

/* The connector between a command and the next one. */
typedef enum
{
  PLG_SCANNER_CONNECTOR_END, /* a semicolon, & or the end of a line */
  PLG_SCANNER_CONNECTOR_AND,
  PLG_SCANNER_CONNECTOR_OR,
} PlgScannerConnector;

/* The part of a case statement that the scanner reads next. */
typedef enum
{
  PLG_SCANNER_CASE_COMMANDS, /* commands, as outside a case statement */
  PLG_SCANNER_CASE_SUBJECT,  /* the word after "case" */
  PLG_SCANNER_CASE_PATTERNS,
} PlgScannerCasePart;

/* Returns the control-flow state at the start of a script; free it with g_array_unref(). */
GArray *plg_scanner_flow_new (void);
/* Starts a compound command. Its commands run if commands at the current position run and RUNS
 * is true. */
void plg_scanner_flow_open_block (GArray *flow, PlgScannerBlock kind, PlgScannerTruth runs);
/* Closes the innermost block. Returns FALSE and changes nothing if that block is not of kind
 * KIND. */
gboolean plg_scanner_flow_close_block (GArray *flow, PlgScannerBlock kind);
/* Start the branches of an if statement. Do nothing outside an if statement. */
void plg_scanner_flow_begin_then (GArray *flow); /* then */
/* Starts an else branch, or the condition of an elif if DECIDES is set. */
void plg_scanner_flow_begin_else (GArray *flow, gboolean decides);
/* Returns the part of a case statement that is read next; always PLG_SCANNER_CASE_COMMANDS if
 * the innermost block is not a case statement. */
PlgScannerCasePart plg_scanner_flow_case_part (const GArray *flow);
/* Sets the subject of a case statement to a copy of SUBJECT. NULL means that the subject is
 * unknown until the script runs. Does nothing outside a case statement. */
void plg_scanner_flow_set_subject (GArray *flow, const char *subject);
const char *plg_scanner_flow_get_subject (const GArray *flow);
/* Start and end a branch of a case statement. Do nothing outside a case statement. MATCHES is
 * the result of matching the branch's pattern. FALLS is set if the branch ends with ;& or ;;&
 * instead of ;;, because later branches may then run too. */
void plg_scanner_flow_begin_branch (GArray *flow, PlgScannerTruth matches);
void plg_scanner_flow_end_branch (GArray *flow, gboolean falls);
/* Ends a command with the status STATUS. CONNECTOR is the connector that follows the command. */
void
plg_scanner_flow_end_command (GArray *flow, PlgScannerTruth status, PlgScannerConnector connector);
/* Records an exit command that certainly runs. All later commands of the innermost subshell are
 * then treated as not executed; outside subshells, all later commands of the script. Returns
 * TRUE if the exit ends the script. */
gboolean plg_scanner_flow_exit (GArray *flow);

/* Returns whether the command at the current position runs. */
PlgScannerTruth plg_scanner_flow_is_executed (const GArray *flow);
/* Returns whether the current position is between if and then. */
gboolean plg_scanner_flow_is_condition (const GArray *flow);

G_END_DECLS
