/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/option-scanner-test.h"

G_BEGIN_DECLS

/* Decides which commands of a script run. Compound commands are nested. Inside a compound
 * command, && and || connect commands into lists. */

typedef enum
{
  PLG_SCANNER_BLOCK_SCRIPT, /* block that is the whole script */
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
  PLG_SCANNER_CASE_PATTERNS, /* the patterns of a branch */
} PlgScannerCasePart;

/* Returns a new flow; free it with g_array_unref(). */
GArray *plg_scanner_flow_new (void);
/* Starts a compound command. Its commands run if commands at the current position run and RUNS
 * is true. */
void plg_scanner_flow_open_block (GArray *flow, PlgScannerBlock kind, PlgScannerTruth runs);
/* Closes the innermost block. Returns FALSE and changes nothing if that block is not of kind
 * KIND. */
gboolean plg_scanner_flow_close_block (GArray *flow, PlgScannerBlock kind);
/* Start the branches of an if statement. Do nothing outside an if statement. */
void plg_scanner_flow_begin_then (GArray *flow); /* then */
/* else, or elif if DECIDES is set */
void plg_scanner_flow_begin_else (GArray *flow, gboolean decides);
/* Handle the parts of a case statement. Do nothing outside a case statement. */
PlgScannerCasePart plg_scanner_flow_case_part (const GArray *flow);
/* Sets the subject of a case statement to a copy of SUBJECT. NULL means that only a running
 * shell knows the subject. */
void plg_scanner_flow_set_subject (GArray *flow, const char *subject);
const char *plg_scanner_flow_get_subject (const GArray *flow);
/* Start and end a branch of a case statement. MATCHES is the result of matching the branch's
 * pattern. ;; ends the branch; ;& and ;;& end it and continue into later branches. */
void plg_scanner_flow_begin_branch (GArray *flow, PlgScannerTruth matches);
void plg_scanner_flow_end_branch (GArray *flow, gboolean falls);
/* Ends a command with the status STATUS. CONNECTOR is the connector that follows the command. */
void
plg_scanner_flow_end_command (GArray *flow, PlgScannerTruth status, PlgScannerConnector connector);
/* Records an exit from the innermost subshell or from the script. If the exit certainly runs,
 * nothing up to the end of that subshell or script runs. Returns TRUE for a certain exit. */
gboolean plg_scanner_flow_exit (GArray *flow);

/* Returns whether the command at the current position runs. */
PlgScannerTruth plg_scanner_flow_is_executed (const GArray *flow);
/* Returns whether the current position is between if and then. */
gboolean plg_scanner_flow_is_condition (const GArray *flow);

G_END_DECLS
