/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/file-position.h"

G_BEGIN_DECLS

/* Reasons why a plan is invalid or an edit is refused. The message states the value, the limit
 * and the remedy. */
typedef enum
{
  PLG_PLAN_ERROR_RANGE,     /* a number is out of range */
  PLG_PLAN_ERROR_WORLD,     /* the product of the degrees is not the number of GPUs */
  PLG_PLAN_ERROR_HEADS,     /* TP or Ulysses CP does not divide the heads or the KV heads */
  PLG_PLAN_ERROR_WIDTH,     /* TP does not divide the hidden or FFN size */
  PLG_PLAN_ERROR_LAYERS,    /* fewer layers than stages x chunks, or layers that do not divide as
                               required */
  PLG_PLAN_ERROR_BATCH,     /* the global batch is not a multiple of micro-batch x DP */
  PLG_PLAN_ERROR_SEQUENCE,  /* CP or SP does not divide the sequence */
  PLG_PLAN_ERROR_EXPERTS,   /* EP does not divide the experts or the GPUs of a stage */
  PLG_PLAN_ERROR_SCHEDULE,  /* schedule, chunks and micro-batches do not fit together */
  PLG_PLAN_ERROR_PLACEMENT, /* a GPU is used twice, is unused or does not exist */
  PLG_PLAN_ERROR_PRECISION, /* the GPU cannot compute in this precision */
  PLG_PLAN_ERROR_KEY,       /* a key or name does not exist (setting.h, catalogue.h), or a
                               lesson locks the key (edit-policy.h) */
} PlgPlanError;

#define PLG_PLAN_ERROR (plg_plan_error_quark ())
GQuark plg_plan_error_quark (void);

#define PLG_MAX_CAUSES 5

/* The data that each error of the domain PLG_PLAN_ERROR carries, so that no code has to parse
 * the message. Keys are borrowed. */
typedef struct
{
  const char *key;                    /* key of the setting named at the start of the message, or
                                         NULL */
  char *text;                         /* the message without the setting's name; may be NULL */
  char *reason;                       /* the message without its remedy, or NULL if the message
                                         has no separate remedy */
  PlgFilePosition position;           /* position of the invalid value in the file that was read */
  const char *causes[PLG_MAX_CAUSES]; /* keys of the settings to change, the most likely one
                                         first; unused elements are NULL */
} PlgPlanProblem;

/* Returns the problem that ERROR carries, or NULL if the domain of ERROR is not PLG_PLAN_ERROR.
 * Borrowed. */
const PlgPlanProblem *plg_plan_problem (const GError *error);

/* An array of keys for plg_plan_problem_set(). */
#define PLG_CAUSES(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* plg_plan_problem_set:
 * @causes: (nullable): up to %PLG_MAX_CAUSES keys of the settings to change, static strings
 * @format: the translated message
 *
 * Returns: %FALSE */
gboolean plg_plan_problem_set (GError **error,
                               PlgPlanError code,
                               const char *const *causes,
                               const char *format,
                               ...) G_GNUC_PRINTF (4, 5);
/* plg_plan_problem_set_limit:
 * @causes: (nullable): up to %PLG_MAX_CAUSES keys of the settings to change, static strings
 * @remedy: the action that helps, without a capital letter, for example "use TP 4"
 * @format: the translated reason, with the value and the limit
 *
 * Sets the message "REASON; REMEDY". Keeps the reason alone too, for a caller that has checked
 * another remedy.
 *
 * Returns: %FALSE */
gboolean plg_plan_problem_set_limit (GError **error,
                                     PlgPlanError code,
                                     const char *const *causes,
                                     const char *remedy,
                                     const char *format,
                                     ...) G_GNUC_PRINTF (5, 6);
/* Sets the message "NAME: TEXT". NAME is the name of the setting KEY (a static string), and TEXT
 * is FORMAT with the arguments inserted. Returns FALSE. */
gboolean plg_plan_problem_set_for_key (GError **error,
                                       PlgPlanError code,
                                       const char *key,
                                       const char *format,
                                       ...) G_GNUC_PRINTF (4, 5);
/* Stores POSITION in ERROR, whose domain is PLG_PLAN_ERROR, and inserts POSITION at the start of
 * the message. */
void plg_plan_problem_add_position (GError **error, PlgFilePosition position);
/* Assigns the setting KEY to ERROR, which has no key yet, and puts the name of KEY before the
 * message. Returns FALSE. */
gboolean plg_plan_problem_add_key (GError **error, const char *key);

G_END_DECLS
