/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/shell-flow.h"

typedef struct
{
  PlgShellKind kind;
  PlgShellTruth around; /* whether the place of all of it runs */
  PlgShellTruth before; /* whether one of the branches before this one would */
  PlgShellTruth here;
  PlgShellTruth status; /* of the list up to here */
  PlgShellJoint joint;  /* between that and the command that is read */
  gboolean decides;
  PlgShellPart part; /* the rest is of a case */
  char *subject;
  gboolean falls; /* a branch goes on into others, of which each may then run */
} Frame;

static void
clear_frame (gpointer frame)
{
  g_free (((Frame *) frame)->subject);
}

static Frame *
last (const GArray *flow)
{
  return &g_array_index (flow, Frame, flow->len - 1);
}

static void
add (GArray *flow, PlgShellKind kind, PlgShellTruth around, PlgShellTruth here, gboolean decides)
{
  Frame frame = { .kind = kind, .around = around, .here = here, .decides = decides };

  frame.before = PLG_SHELL_NO;
  frame.status = PLG_SHELL_MAYBE;
  g_array_append_val (flow, frame);
}

GArray *
plg_shell_flow_new (void)
{
  GArray *flow = g_array_new (FALSE, FALSE, sizeof (Frame));

  g_array_set_clear_func (flow, clear_frame);
  add (flow, PLG_SHELL_SCRIPT, PLG_SHELL_YES, PLG_SHELL_YES, FALSE);
  return flow;
}

void
plg_shell_flow_open (GArray *flow, PlgShellKind kind, PlgShellTruth runs)
{
  PlgShellTruth around = plg_shell_flow_runs (flow);
  gboolean decides = kind == PLG_SHELL_IF || last (flow)->decides;

  if (kind != PLG_SHELL_CASE)
    {
      add (flow, kind, around, runs, decides);
      return;
    }
  add (flow, kind, plg_shell_both (around, runs), PLG_SHELL_MAYBE, decides);
  last (flow)->part = PLG_SHELL_SUBJECT;
}

gboolean
plg_shell_flow_close (GArray *flow, PlgShellKind kind)
{
  if (last (flow)->kind != kind || kind == PLG_SHELL_SCRIPT)
    return FALSE;
  g_array_set_size (flow, flow->len - 1);
  return TRUE;
}

/* The branch that begins runs if it is HERE and none before it did. */
static void
begin_branch (GArray *flow, PlgShellTruth here, gboolean decides)
{
  Frame *frame = last (flow);

  frame->here = plg_shell_both (plg_shell_negate (frame->before), here);
  frame->status = PLG_SHELL_MAYBE;
  frame->joint = PLG_SHELL_THEN;
  frame->decides = decides || g_array_index (flow, Frame, flow->len - 2).decides;
}

void
plg_shell_flow_choose (GArray *flow)
{
  if (last (flow)->kind == PLG_SHELL_IF)
    begin_branch (flow, last (flow)->status, FALSE);
}

void
plg_shell_flow_next (GArray *flow, gboolean decides)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SHELL_IF)
    return;
  frame->before = plg_shell_either (frame->before, frame->here);
  begin_branch (flow, PLG_SHELL_YES, decides);
}

PlgShellPart
plg_shell_flow_part (const GArray *flow)
{
  return last (flow)->part;
}

void
plg_shell_flow_set_subject (GArray *flow, const char *subject)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SHELL_CASE)
    return;
  g_free (frame->subject);
  frame->subject = g_strdup (subject);
  frame->part = PLG_SHELL_PATTERNS;
}

const char *
plg_shell_flow_subject (const GArray *flow)
{
  return last (flow)->subject;
}

void
plg_shell_flow_take_branch (GArray *flow, PlgShellTruth matches)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SHELL_CASE)
    return;
  frame->part = PLG_SHELL_COMMANDS;
  begin_branch (flow, frame->falls ? PLG_SHELL_MAYBE : matches, FALSE);
}

void
plg_shell_flow_end_branch (GArray *flow, gboolean falls)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SHELL_CASE)
    return;
  frame->falls |= falls;
  /* What falls may also run after a branch that did. */
  frame->before = frame->falls ? PLG_SHELL_MAYBE : plg_shell_either (frame->before, frame->here);
  frame->part = PLG_SHELL_PATTERNS;
}

/* && and || bind alike between commands: what stands left of them is one list. */
void
plg_shell_flow_join (GArray *flow, PlgShellTruth status, PlgShellJoint joint)
{
  Frame *frame = last (flow);

  if (frame->joint == PLG_SHELL_AND)
    status = plg_shell_both (frame->status, status);
  else if (frame->joint == PLG_SHELL_OR)
    status = plg_shell_either (frame->status, status);
  frame->status = status;
  frame->joint = joint;
}

PlgShellTruth
plg_shell_flow_runs (const GArray *flow)
{
  const Frame *frame = last (flow);
  PlgShellTruth runs = plg_shell_both (frame->around, frame->here);

  if (frame->joint == PLG_SHELL_AND)
    runs = plg_shell_both (runs, frame->status);
  else if (frame->joint == PLG_SHELL_OR)
    runs = plg_shell_both (runs, plg_shell_negate (frame->status));
  return runs;
}

gboolean
plg_shell_flow_decides (const GArray *flow)
{
  return last (flow)->decides;
}

gboolean
plg_shell_flow_end (GArray *flow)
{
  for (guint i = flow->len; i > 0; i--)
    {
      Frame *frame = &g_array_index (flow, Frame, i - 1);

      frame->around = PLG_SHELL_NO;
      if (frame->kind == PLG_SHELL_SUBSHELL)
        return FALSE;
    }
  return TRUE;
}
