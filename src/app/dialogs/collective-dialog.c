/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/collective-dialog.h"

#include "app/picture-actions.h"
#include "engine/network/collective-steps.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n.h>
#include <math.h>

/* The playback time of one step of a collective at normal speed [s]. */
#define SECONDS_A_STEP 1.0

struct _PlgCollectiveDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  GtkDropDown *what;
  GtkWidget *rank_box;
  GtkSpinButton *rank;
  PlgPictureView *view;
  PlgPlayer *player;
  AdwToastOverlay *toasts;
  char *name; /* the name of the shown collective; NULL for the tensor-parallel split and before
                 a collective is chosen */
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (PlgCollectiveDialog, plg_collective_dialog, ADW_TYPE_WINDOW)

static const GArray *
collectives (PlgCollectiveDialog *self)
{
  return plg_document_report (self->document)->collectives;
}

/* Returns the selected collective, or NULL for the last entry, which is the tensor-parallel
 * split. */
static const PlgCollective *
chosen (PlgCollectiveDialog *self)
{
  guint i = gtk_drop_down_get_selected (self->what);

  return i < collectives (self)->len ? &g_array_index (collectives (self), PlgCollective, i) : NULL;
}

static int
step_count (PlgCollectiveDialog *self)
{
  const PlgCollective *row = chosen (self);
  PlgCollectiveSteps steps;

  if (row == NULL)
    return PLG_SPLIT_STEPS;
  plg_collective_steps_init (&steps, row);
  return plg_collective_steps_count (&steps);
}

static double
step_cb (double time, int direction, gpointer data)
{
  PlgCollectiveDialog *self = data;
  double next = direction > 0 ? floor (time + 1e-9) + 1 : ceil (time - 1e-9) - 1;

  return CLAMP (next, 0, step_count (self));
}

/* Shows the frame at the current time for the last applied rank. The entry applies a typed rank
 * when the entry loses the focus or, at the latest, when the window closes. */
static void
show_frame (PlgCollectiveDialog *self)
{
  int frame = (int) floor (MAX (plg_player_time (self->player), 0) + 1e-9);
  g_autofree char *text = NULL;

  if (self->document == NULL)
    return;

  const PlgCollective *row = chosen (self);
  PlgCollectiveSteps steps;

  if (row == NULL)
    text = plg_split_describe (frame);
  else
    {
      plg_collective_steps_init (&steps, row);
      text = plg_collective_steps_describe (&steps, frame);
    }

  plg_picture_view_set_collective (self->view, gtk_drop_down_get_selected (self->what),
                                   gtk_spin_button_get_value_as_int (self->rank), frame);
  plg_player_set_text (self->player, text);
}

/* Rewinds to time 0 when another collective is shown. If playback is running, it continues from
 * time 0. */
static void
begin (PlgCollectiveDialog *self)
{
  if (plg_player_time (self->player) > 0)
    plg_player_seek (self->player, 0);
}

static void
show_choice (PlgCollectiveDialog *self)
{
  const PlgCollective *row = chosen (self);
  gboolean is_split = row == NULL;

  g_free (self->name);
  self->name = row != NULL ? plg_collective_name (row) : NULL;
  gtk_widget_set_visible (self->rank_box, !is_split);
  g_object_set (self->view, "picture", is_split ? "split" : "collective", NULL);
  plg_player_set_length (self->player, step_count (self), step_count (self) * SECONDS_A_STEP);
  show_frame (self);
}

static void
choice_changed_cb (PlgCollectiveDialog *self)
{
  if (self->is_filling || self->document == NULL)
    return;
  begin (self);
  show_choice (self);
}

/* Sets PLACE to the index of the shown collective in the list. If the plan does not have this
 * collective, sets PLACE to the nearest match and returns FALSE. */
static gboolean
find_shown (PlgCollectiveDialog *self, guint *place)
{
  const PlgReport *report = plg_document_report (self->document);
  g_autofree char *found = NULL;
  int row;

  *place = report->collectives->len;
  if (self->name == NULL)
    return TRUE;
  row = plg_report_find_collective (report, self->name);
  *place = (guint) MAX (row, 0);
  if (row >= 0)
    found = plg_collective_name (&g_array_index (report->collectives, PlgCollective, row));
  return g_strcmp0 (found, self->name) == 0;
}

/* Updates the list, because a new plan can have different collectives. Keeps the shown
 * collective and its time if possible. */
static void
document_changed_cb (PlgCollectiveDialog *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  guint place;

  for (guint i = 0; i < collectives (self)->len; i++)
    {
      const PlgCollective *row = &g_array_index (collectives (self), PlgCollective, i);
      g_autofree char *title = plg_collective_title (row);

      gtk_string_list_append (titles, title);
    }
  gtk_string_list_append (titles, _ ("TP: split by columns, then by rows"));

  if (!find_shown (self, &place))
    begin (self);
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->what, G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (self->what, place);
  gtk_spin_button_set_range (self->rank, 0,
                             plg_plan_world (plg_document_plan (self->document)) - 1);
  self->is_filling = FALSE;
  show_choice (self);
}

static gboolean
key_pressed_cb (PlgCollectiveDialog *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == GDK_CONTROL_MASK)
    {
      /* Use the same playback keys as the main window. */
      if (keyval == GDK_KEY_r)
        plg_player_toggle (self->player);
      else if (keyval == GDK_KEY_bracketright)
        plg_player_step (self->player, 1);
      else if (keyval == GDK_KEY_bracketleft)
        plg_player_step (self->player, -1);
      else if (keyval == GDK_KEY_comma)
        plg_player_change_speed (self->player, -1);
      else if (keyval == GDK_KEY_period)
        plg_player_change_speed (self->player, 1);
      else
        return FALSE;
      return TRUE;
    }
  if (modifiers == (GDK_CONTROL_MASK | GDK_SHIFT_MASK) && gdk_keyval_to_lower (keyval) == GDK_KEY_l)
    {
      plg_player_toggle_repeat (self->player);
      return TRUE;
    }
  if (keyval == GDK_KEY_Escape)
    {
      gtk_window_close (GTK_WINDOW (self));
      return TRUE;
    }
  return plg_player_key (self->player, keyval, state);
}

static void
plg_collective_dialog_dispose (GObject *object)
{
  PlgCollectiveDialog *self = PLG_COLLECTIVE_DIALOG (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->name, g_free);
  G_OBJECT_CLASS (plg_collective_dialog_parent_class)->dispose (object);
}

static void
plg_collective_dialog_class_init (PlgCollectiveDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_collective_dialog_dispose;
  g_type_ensure (PLG_TYPE_PICTURE_VIEW);
  g_type_ensure (PLG_TYPE_PLAYER);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "collective-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgCollectiveDialog, what);
  gtk_widget_class_bind_template_child (widget_class, PlgCollectiveDialog, rank_box);
  gtk_widget_class_bind_template_child (widget_class, PlgCollectiveDialog, rank);
  gtk_widget_class_bind_template_child (widget_class, PlgCollectiveDialog, view);
  gtk_widget_class_bind_template_child (widget_class, PlgCollectiveDialog, player);
  gtk_widget_class_bind_template_child (widget_class, PlgCollectiveDialog, toasts);
  gtk_widget_class_bind_template_callback (widget_class, choice_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_frame);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  plg_picture_actions_install_keys (widget_class);
}

static void
plg_collective_dialog_init (PlgCollectiveDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  plg_accessible_name_drop_down (GTK_WIDGET (self->what), _ ("Collective to play"));
  plg_player_set_step (self->player, step_cb, self);
  gtk_widget_set_focusable (GTK_WIDGET (self->view), TRUE);
}

void
plg_collective_dialog_present (GtkWindow *parent,
                               PlgDocument *document,
                               PlgCanvas *canvas,
                               GSettings *settings,
                               int row,
                               int rank)
{
  PlgCollectiveDialog *self = g_object_new (PLG_TYPE_COLLECTIVE_DIALOG, "transient-for", parent,
                                            NULL);
  const PlgPictureActions actions = { document, self->view, self->toasts, canvas, settings };

  self->document = g_object_ref (document);
  g_settings_bind (settings, "palette", self->view, "palette", G_SETTINGS_BIND_GET);
  g_object_set (self->view, "document", document, NULL);
  plg_picture_actions_add (GTK_WIDGET (self), &actions);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  document_changed_cb (self);
  gtk_drop_down_set_selected (self->what, MAX (row, 0));
  gtk_spin_button_set_value (self->rank, rank);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}
