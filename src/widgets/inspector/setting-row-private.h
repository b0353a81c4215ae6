/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/inspector/setting-row.h"

G_BEGIN_DECLS

struct _PlgSettingRow
{
  AdwActionRow parent_instance;

  PlgDocument *document;
  const PlgSetting *setting;
  int axis;     /* of a degree, else -1 */
  char **names; /* of the choices as --set takes them */
  GtkWidget *control;
  char *shown_text;  /* the number's text as it was put into the control */
  gboolean updating; /* the control follows the plan, not a person */

  GtkWidget *message;        /* why a value was refused */
  PlgPlan *refusing_plan;    /* the plan that refused it; NULL: none did */
  gboolean keeps_typed_text; /* what was typed stays in the control, to be corrected */
};

/* setting-row.c */
/* The control shows what the plan says. */
void plg_setting_row_update (PlgSettingRow *self);
/* In the unit of the row. */
double plg_setting_row_number (PlgSettingRow *self, const PlgPlan *plan);

/* setting-typing.c: what the controls call */
void plg_setting_row_apply_spin (PlgSettingRow *self);
int plg_setting_row_parse (PlgSettingRow *self, double *value);
void plg_setting_row_apply_switch (PlgSettingRow *self);
void plg_setting_row_apply_choice (PlgSettingRow *self);
void plg_setting_row_apply_entry (PlgSettingRow *self);
gboolean plg_setting_row_handle_key (PlgSettingRow *self, guint key);
/* What was refused is not spoken of any longer. */
void plg_setting_row_clear_error (PlgSettingRow *self);

G_END_DECLS
