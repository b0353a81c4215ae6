/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/option-scanner-test.h"

G_BEGIN_DECLS

/* Which commands of a script run. Compound commands stand in one another, and in each of them
 * commands follow one another in lists that && and || join. */

typedef enum
{
  PLG_SCANNER_BLOCK_SCRIPT, /* around all others */
  PLG_SCANNER_BLOCK_IF,
  PLG_SCANNER_BLOCK_LOOP,
  PLG_SCANNER_BLOCK_CASE,
  PLG_SCANNER_BLOCK_GROUP,    /* { } */
  PLG_SCANNER_BLOCK_SUBSHELL, /* ( ) */
} PlgScannerBlock;

/* How a command is tied to the next one. */
typedef enum
{
  PLG_SCANNER_CONNECTOR_END, /* ; & or the end of a line */
  PLG_SCANNER_CONNECTOR_AND,
  PLG_SCANNER_CONNECTOR_OR,
} PlgScannerConnector;

/* What of a case comes next. */
typedef enum
{
  PLG_SCANNER_CASE_COMMANDS, /* as everywhere else */
  PLG_SCANNER_CASE_SUBJECT,  /* the word that decides */
  PLG_SCANNER_CASE_PATTERNS, /* of a branch */
} PlgScannerCasePart;

/* g_array_unref(). */
GArray *plg_scanner_flow_new (void);
/* A compound command begins, whose commands run if this place does and RUNS. */
void plg_scanner_flow_open_block (GArray *flow, PlgScannerBlock kind, PlgScannerTruth runs);
/* FALSE: the innermost is none of KIND, and stays. */
gboolean plg_scanner_flow_close_block (GArray *flow, PlgScannerBlock kind);
/* The branches of an if; outside of one they change nothing. */
void plg_scanner_flow_begin_then (GArray *flow);                   /* then */
void plg_scanner_flow_begin_else (GArray *flow, gboolean decides); /* elif: decides; else */
/* The parts of a case; outside of one they change nothing. */
PlgScannerCasePart plg_scanner_flow_case_part (const GArray *flow);
/* SUBJECT is copied; NULL: only a running shell knows it. */
void plg_scanner_flow_set_subject (GArray *flow, const char *subject);
const char *plg_scanner_flow_get_subject (const GArray *flow);
/* The branch begins of which a pattern matches as MATCHES says; ;; ends it, and with ;& or ;;& it
 * FALLS into others. */
void plg_scanner_flow_begin_branch (GArray *flow, PlgScannerTruth matches);
void plg_scanner_flow_end_branch (GArray *flow, gboolean falls);
/* A command has ended that succeeds or fails as STATUS says, and JOINT follows it. */
void
plg_scanner_flow_end_command (GArray *flow, PlgScannerTruth status, PlgScannerConnector connector);
/* Nothing runs any more from here to the end of the innermost subshell, or of the script: TRUE. */
gboolean plg_scanner_flow_exit (GArray *flow);

/* Whether the command at this place runs. */
PlgScannerTruth plg_scanner_flow_is_executed (const GArray *flow);
/* Whether it stands between if and then. */
gboolean plg_scanner_flow_is_condition (const GArray *flow);

G_END_DECLS
