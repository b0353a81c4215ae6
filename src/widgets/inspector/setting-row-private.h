/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/inspector/setting-row.h"

G_BEGIN_DECLS

struct _PlgSettingRow
{
  AdwActionRow parent_instance;

  PlgDocument *document;
  const PlgSetting *setting;
  int axis;     /* for a degree, else -1 */
  char **names; /* the choices as --set takes them */
  GtkWidget *control;
  char *shown_text;  /* the number as the row has written it */
  gboolean updating; /* the row writes the control; handlers ignore changes */

  GtkWidget *message;        /* the reason for a refusal */
  PlgPlan *refusing_plan;    /* the plan that refused the value, or NULL */
  gboolean keeps_typed_text; /* the refused text stays, to be corrected */
};

/* setting-row.c */
/* Writes the value of the plan into the control. */
void plg_setting_row_update (PlgSettingRow *self);
/* Returns the value in PLAN in the unit of the row. */
double plg_setting_row_number (PlgSettingRow *self, const PlgPlan *plan);

/* setting-row-edit.c: called by the controls */
void plg_setting_row_apply_spin (PlgSettingRow *self);
int plg_setting_row_parse (PlgSettingRow *self, double *value);
void plg_setting_row_apply_switch (PlgSettingRow *self);
void plg_setting_row_apply_choice (PlgSettingRow *self);
void plg_setting_row_apply_entry (PlgSettingRow *self);
gboolean plg_setting_row_handle_key (PlgSettingRow *self, guint key);
/* Hides the reason for a refusal. */
void plg_setting_row_clear_error (PlgSettingRow *self);

G_END_DECLS
