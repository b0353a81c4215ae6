/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/shell-test.h"

G_BEGIN_DECLS

/* Which commands of a script run. Compound commands stand in one another, and in each of them
 * commands follow one another in lists that && and || join. */

typedef enum
{
  PLG_SHELL_SCRIPT, /* around all others */
  PLG_SHELL_IF,
  PLG_SHELL_LOOP,
  PLG_SHELL_CASE,
  PLG_SHELL_GROUP,    /* { } */
  PLG_SHELL_SUBSHELL, /* ( ) */
} PlgShellKind;

/* How a command is tied to the next one. */
typedef enum
{
  PLG_SHELL_THEN, /* ; & or the end of a line */
  PLG_SHELL_AND,
  PLG_SHELL_OR,
} PlgShellJoint;

/* What of a case comes next. */
typedef enum
{
  PLG_SHELL_COMMANDS, /* as everywhere else */
  PLG_SHELL_SUBJECT,  /* the word that decides */
  PLG_SHELL_PATTERNS, /* of a branch */
} PlgShellPart;

/* g_array_unref(). */
GArray *plg_shell_flow_new (void);
/* A compound command begins, whose commands run if this place does and RUNS. */
void plg_shell_flow_open (GArray *flow, PlgShellKind kind, PlgShellTruth runs);
/* FALSE: the innermost is none of KIND, and stays. */
gboolean plg_shell_flow_close (GArray *flow, PlgShellKind kind);
/* The branches of an if; outside of one they change nothing. */
void plg_shell_flow_choose (GArray *flow);                 /* then */
void plg_shell_flow_next (GArray *flow, gboolean decides); /* elif: decides; else */
/* The parts of a case; outside of one they change nothing. */
PlgShellPart plg_shell_flow_part (const GArray *flow);
/* SUBJECT is copied; NULL: only a running shell knows it. */
void plg_shell_flow_set_subject (GArray *flow, const char *subject);
const char *plg_shell_flow_subject (const GArray *flow);
/* The branch begins of which a pattern matches as MATCHES says; ;; ends it, and with ;& or ;;& it
 * FALLS into others. */
void plg_shell_flow_take_branch (GArray *flow, PlgShellTruth matches);
void plg_shell_flow_end_branch (GArray *flow, gboolean falls);
/* A command has ended that succeeds or fails as STATUS says, and JOINT follows it. */
void plg_shell_flow_join (GArray *flow, PlgShellTruth status, PlgShellJoint joint);
/* Nothing runs any more from here to the end of the innermost subshell, or of the script: TRUE. */
gboolean plg_shell_flow_end (GArray *flow);

/* Whether the command at this place runs. */
PlgShellTruth plg_shell_flow_runs (const GArray *flow);
/* Whether it stands between if and then. */
gboolean plg_shell_flow_decides (const GArray *flow);

G_END_DECLS
