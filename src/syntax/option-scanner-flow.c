/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/option-scanner-flow.h"

typedef struct
{
  PlgScannerBlock kind;
  PlgScannerTruth enclosing_truth; /* whether the script reaches this block; FALSE after an exit */
  PlgScannerTruth before;          /* whether an earlier branch of the block runs */
  PlgScannerTruth here;
  PlgScannerTruth status;        /* status of the commands that precede the current one in a list
                                    with && and || */
  PlgScannerConnector connector; /* connector before the current command */
  gboolean decides;
  PlgScannerCasePart part; /* this and the following members are used only for a case statement */
  char *subject;
  gboolean falls; /* whether a branch continues into the next branches, so that each of them may
                     run */
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
add (GArray *flow,
     PlgScannerBlock kind,
     PlgScannerTruth enclosing_truth,
     PlgScannerTruth here,
     gboolean decides)
{
  Frame frame = { .kind = kind,
                  .enclosing_truth = enclosing_truth,
                  .here = here,
                  .decides = decides };

  frame.before = PLG_SCANNER_FALSE;
  frame.status = PLG_SCANNER_UNKNOWN;
  g_array_append_val (flow, frame);
}

GArray *
plg_scanner_flow_new (void)
{
  GArray *flow = g_array_new (FALSE, FALSE, sizeof (Frame));

  g_array_set_clear_func (flow, clear_frame);
  add (flow, PLG_SCANNER_BLOCK_SCRIPT, PLG_SCANNER_TRUE, PLG_SCANNER_TRUE, FALSE);
  return flow;
}

void
plg_scanner_flow_open_block (GArray *flow, PlgScannerBlock kind, PlgScannerTruth runs)
{
  PlgScannerTruth enclosing_truth = plg_scanner_flow_is_executed (flow);
  gboolean decides = kind == PLG_SCANNER_BLOCK_IF || last (flow)->decides;

  if (kind != PLG_SCANNER_BLOCK_CASE)
    {
      add (flow, kind, enclosing_truth, runs, decides);
      return;
    }
  add (flow, kind, plg_scanner_truth_and (enclosing_truth, runs), PLG_SCANNER_UNKNOWN, decides);
  last (flow)->part = PLG_SCANNER_CASE_SUBJECT;
}

gboolean
plg_scanner_flow_close_block (GArray *flow, PlgScannerBlock kind)
{
  if (last (flow)->kind != kind || kind == PLG_SCANNER_BLOCK_SCRIPT)
    return FALSE;
  g_array_set_size (flow, flow->len - 1);
  return TRUE;
}

/* Starts a branch that runs if HERE is true and no earlier branch ran. */
static void
begin_branch (GArray *flow, PlgScannerTruth here, gboolean decides)
{
  Frame *frame = last (flow);

  frame->here = plg_scanner_truth_and (plg_scanner_truth_not (frame->before), here);
  frame->status = PLG_SCANNER_UNKNOWN;
  frame->connector = PLG_SCANNER_CONNECTOR_END;
  frame->decides = decides || g_array_index (flow, Frame, flow->len - 2).decides;
}

void
plg_scanner_flow_begin_then (GArray *flow)
{
  if (last (flow)->kind == PLG_SCANNER_BLOCK_IF)
    begin_branch (flow, last (flow)->status, FALSE);
}

void
plg_scanner_flow_begin_else (GArray *flow, gboolean decides)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SCANNER_BLOCK_IF)
    return;
  frame->before = plg_scanner_truth_or (frame->before, frame->here);
  begin_branch (flow, PLG_SCANNER_TRUE, decides);
}

PlgScannerCasePart
plg_scanner_flow_case_part (const GArray *flow)
{
  return last (flow)->part;
}

void
plg_scanner_flow_set_subject (GArray *flow, const char *subject)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SCANNER_BLOCK_CASE)
    return;
  g_free (frame->subject);
  frame->subject = g_strdup (subject);
  frame->part = PLG_SCANNER_CASE_PATTERNS;
}

const char *
plg_scanner_flow_get_subject (const GArray *flow)
{
  return last (flow)->subject;
}

void
plg_scanner_flow_begin_branch (GArray *flow, PlgScannerTruth matches)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SCANNER_BLOCK_CASE)
    return;
  frame->part = PLG_SCANNER_CASE_COMMANDS;
  begin_branch (flow, frame->falls ? PLG_SCANNER_UNKNOWN : matches, FALSE);
}

void
plg_scanner_flow_end_branch (GArray *flow, gboolean falls)
{
  Frame *frame = last (flow);

  if (frame->kind != PLG_SCANNER_BLOCK_CASE)
    return;
  frame->falls |= falls;
  /* After ;&, a later branch may run even if an earlier branch did. */
  frame->before = frame->falls ? PLG_SCANNER_UNKNOWN
                               : plg_scanner_truth_or (frame->before, frame->here);
  frame->part = PLG_SCANNER_CASE_PATTERNS;
}

/* Combines STATUS with the status of the preceding commands in the list. In a list of commands,
 * && and || have the same precedence, so the list is evaluated from left to right. */
void
plg_scanner_flow_end_command (GArray *flow, PlgScannerTruth status, PlgScannerConnector connector)
{
  Frame *frame = last (flow);

  if (frame->connector == PLG_SCANNER_CONNECTOR_AND)
    status = plg_scanner_truth_and (frame->status, status);
  else if (frame->connector == PLG_SCANNER_CONNECTOR_OR)
    status = plg_scanner_truth_or (frame->status, status);
  frame->status = status;
  frame->connector = connector;
}

PlgScannerTruth
plg_scanner_flow_is_executed (const GArray *flow)
{
  const Frame *frame = last (flow);
  PlgScannerTruth runs = plg_scanner_truth_and (frame->enclosing_truth, frame->here);

  if (frame->connector == PLG_SCANNER_CONNECTOR_AND)
    runs = plg_scanner_truth_and (runs, frame->status);
  else if (frame->connector == PLG_SCANNER_CONNECTOR_OR)
    runs = plg_scanner_truth_and (runs, plg_scanner_truth_not (frame->status));
  return runs;
}

gboolean
plg_scanner_flow_is_condition (const GArray *flow)
{
  return last (flow)->decides;
}

gboolean
plg_scanner_flow_exit (GArray *flow)
{
  for (guint i = flow->len; i > 0; i--)
    {
      Frame *frame = &g_array_index (flow, Frame, i - 1);

      frame->enclosing_truth = PLG_SCANNER_FALSE;
      if (frame->kind == PLG_SCANNER_BLOCK_SUBSHELL)
        return FALSE;
    }
  return TRUE;
}
