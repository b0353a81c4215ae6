/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/player.h"

#include "plan/quantity.h"
#include "widgets/accessible-names.h"
#include "widgets/announcer.h"
#include "widgets/widget-theme.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* The minimum time between two changes of the content if animations are turned off [s]. */
#define MIN_UPDATE_SECONDS 1.0
/* The distance that Page Up and Page Down move, as a fraction of the length of the playback. */
#define PAGE_SHARE 0.1

struct _PlgPlayer
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *play_button;
  GtkWidget *slider;
  GtkAdjustment *adjustment;
  GtkWidget *readout;
  GtkWidget *words; /* contains the readout */
  GtkWidget *close_button;
  GtkDropDown *speed;
  GtkToggleButton *loop;

  double length;       /* the length of the playback in the time unit of the step function */
  double seconds;      /* the duration at normal speed [s] */
  double time;         /* the current time in the unit of LENGTH, or -1 at rest */
  double unshown_time; /* playback time that has passed since the content was last updated, in
                          the unit of TIME */
  guint tick_id;
  gint64 last_frame;   /* the time of the last frame [µs] */
  gboolean is_setting; /* whether the player itself, and not the user, is moving the slider */
  char *text;
  char *rest_text;
  PlgPlayerStep step;
  gpointer step_data;
};

G_DEFINE_FINAL_TYPE (PlgPlayer, plg_player, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_TIME,
  PROP_PLAYING,
  PROP_AT_REST,
  PROP_TEXT,
  PROP_REST_TEXT,
  PROP_SHOWS_TEXT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static const double speeds[] = { 0.125, 0.25, 0.5, 1, 2, 4 };
#define NORMAL_SPEED 3

static gboolean
is_at_rest (PlgPlayer *self)
{
  return self->time < 0;
}

static void
update_buttons (PlgPlayer *self)
{
  gboolean playing = self->tick_id != 0;
  const char *name = playing ? _ ("Pause") : _ ("Play");

  gtk_button_set_icon_name (GTK_BUTTON (self->play_button), playing
                                                                ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  gtk_widget_set_sensitive (self->box, self->length > 0);
  /* Make the button transparent instead of hiding it, because hiding it would move the controls
   * next to it. */
  gtk_widget_set_opacity (self->close_button, is_at_rest (self) ? 0 : 1);
  gtk_widget_set_sensitive (self->close_button, !is_at_rest (self));
}

static const char *
shown_text (PlgPlayer *self)
{
  return is_at_rest (self) && self->rest_text != NULL ? self->rest_text : self->text;
}

static void
show_text (PlgPlayer *self)
{
  const char *text = shown_text (self) != NULL ? shown_text (self) : "";

  gtk_label_set_label (GTK_LABEL (self->readout), text);
  gtk_widget_set_tooltip_text (self->readout, text);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

static void
set_time (PlgPlayer *self, double time)
{
  gboolean was_at_rest = is_at_rest (self);

  if (time == self->time)
    return;
  self->time = time;
  self->is_setting = TRUE;
  gtk_adjustment_set_value (self->adjustment, MAX (time, 0));
  self->is_setting = FALSE;
  if (was_at_rest != is_at_rest (self))
    {
      update_buttons (self);
      show_text (self);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AT_REST]);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIME]);
}

static double
units_per_second (PlgPlayer *self)
{
  guint selected = gtk_drop_down_get_selected (self->speed);
  double speed = selected < G_N_ELEMENTS (speeds) ? speeds[selected] : 1;

  return self->seconds > 0 ? speed * self->length / self->seconds : 0;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgPlayer *self = PLG_PLAYER (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double time;

  self->unshown_time += (now - self->last_frame) / (double) G_USEC_PER_SEC *
                        units_per_second (self);
  self->last_frame = now;
  /* If animations are turned off, change the content at most once per MIN_UPDATE_SECONDS. */
  if (!adw_get_enable_animations (widget) &&
      self->unshown_time < MIN_UPDATE_SECONDS * units_per_second (self))
    return G_SOURCE_CONTINUE;
  time = self->time + self->unshown_time;
  self->unshown_time = 0;
  if (time < self->length)
    set_time (self, time);
  else if (gtk_toggle_button_get_active (self->loop))
    set_time (self, 0);
  else
    {
      set_time (self, self->length);
      plg_player_play (self, FALSE);
    }
  return G_SOURCE_CONTINUE;
}

static void
play_clicked_cb (PlgPlayer *self)
{
  plg_player_toggle (self);
}

static void
previous_clicked_cb (PlgPlayer *self)
{
  plg_player_step (self, -1);
}

static void
next_clicked_cb (PlgPlayer *self)
{
  plg_player_step (self, 1);
}

static void
close_clicked_cb (PlgPlayer *self)
{
  plg_player_seek (self, -1);
}

static void
slider_moved_cb (PlgPlayer *self)
{
  if (!self->is_setting)
    plg_player_seek (self, gtk_adjustment_get_value (self->adjustment));
}

static void
plg_player_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgPlayer *self = PLG_PLAYER (object);

  switch (id)
    {
    case PROP_TIME:
      g_value_set_double (value, self->time);
      break;
    case PROP_PLAYING:
      g_value_set_boolean (value, self->tick_id != 0);
      break;
    case PROP_AT_REST:
      g_value_set_boolean (value, is_at_rest (self));
      break;
    case PROP_TEXT:
      g_value_set_string (value, shown_text (self));
      break;
    case PROP_REST_TEXT:
      g_value_set_string (value, self->rest_text);
      break;
    case PROP_SHOWS_TEXT:
      g_value_set_boolean (value, gtk_widget_get_visible (self->words));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_player_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgPlayer *self = PLG_PLAYER (object);

  switch (id)
    {
    case PROP_TIME:
      plg_player_seek (self, g_value_get_double (value));
      break;
    case PROP_PLAYING:
      plg_player_play (self, g_value_get_boolean (value));
      break;
    case PROP_REST_TEXT:
      g_free (self->rest_text);
      self->rest_text = g_value_dup_string (value);
      show_text (self);
      break;
    case PROP_SHOWS_TEXT:
      gtk_widget_set_visible (self->words, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_player_dispose (GObject *object)
{
  PlgPlayer *self = PLG_PLAYER (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_player_parent_class)->dispose (object);
}

static void
plg_player_finalize (GObject *object)
{
  g_free (PLG_PLAYER (object)->text);
  g_free (PLG_PLAYER (object)->rest_text);
  G_OBJECT_CLASS (plg_player_parent_class)->finalize (object);
}

static void
plg_player_class_init (PlgPlayerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = plg_player_get_property;
  object_class->set_property = plg_player_set_property;
  object_class->dispose = plg_player_dispose;
  object_class->finalize = plg_player_finalize;

  properties[PROP_TIME] = g_param_spec_double ("time", NULL, NULL, -1, G_MAXDOUBLE, -1, flags);
  properties[PROP_PLAYING] = g_param_spec_boolean ("playing", NULL, NULL, FALSE, flags);
  properties[PROP_AT_REST] = g_param_spec_boolean ("at-rest", NULL, NULL, TRUE,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_REST_TEXT] = g_param_spec_string ("rest-text", NULL, NULL, NULL, flags);
  properties[PROP_SHOWS_TEXT] = g_param_spec_boolean ("shows-text", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/player.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, box);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, play_button);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, slider);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, adjustment);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, readout);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, words);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, close_button);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, speed);
  gtk_widget_class_bind_template_child (widget_class, PlgPlayer, loop);
  gtk_widget_class_bind_template_callback (widget_class, play_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, slider_moved_cb);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "plgplayer");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
plg_player_init (PlgPlayer *self)
{
  self->time = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_drop_down (GTK_WIDGET (self->speed), _ ("Speed"));
  /* Lay out the controls from left to right in every language, because time runs from left to
   * right in the pictures. */
  plg_widget_force_left_to_right (gtk_widget_get_parent (self->play_button));
  plg_widget_force_left_to_right (self->slider);
  update_buttons (self);
}

void
plg_player_set_length (PlgPlayer *self, double length, double seconds)
{
  g_return_if_fail (PLG_IS_PLAYER (self));

  if (seconds != self->seconds)
    {
      guint selected = gtk_drop_down_get_selected (self->speed);
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      self->seconds = seconds;
      /* Label each speed with the duration of the playback at that speed. */
      for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
        {
          g_autofree char *duration = plg_format_number (seconds / speeds[i], 2);
          g_autofree char *name = g_strdup_printf (_ ("in %s s"), duration);

          gtk_string_list_append (names, name);
        }
      gtk_drop_down_set_model (self->speed, G_LIST_MODEL (names));
      gtk_drop_down_set_selected (self->speed,
                                  selected < G_N_ELEMENTS (speeds) ? selected : NORMAL_SPEED);
    }
  if (length == self->length)
    return;
  self->length = length;
  self->is_setting = TRUE;
  gtk_adjustment_set_upper (self->adjustment, MAX (length, 0));
  self->is_setting = FALSE;
  if (length <= 0)
    plg_player_seek (self, -1);
  else if (self->time > length)
    plg_player_seek (self, length);
  update_buttons (self);
}

void
plg_player_set_step (PlgPlayer *self, PlgPlayerStep step, gpointer data)
{
  g_return_if_fail (PLG_IS_PLAYER (self));

  self->step = step;
  self->step_data = data;
}

void
plg_player_set_text (PlgPlayer *self, const char *text)
{
  g_return_if_fail (PLG_IS_PLAYER (self));

  g_free (self->text);
  self->text = g_strdup (text);
  show_text (self);
  /* Do not update the text of the slider during playback, because a screen reader must not read
   * every frame. */
  if (self->tick_id == 0)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider),
                                    GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

double
plg_player_time (PlgPlayer *self)
{
  g_return_val_if_fail (PLG_IS_PLAYER (self), -1);
  return self->time;
}

gboolean
plg_player_is_playing (PlgPlayer *self)
{
  g_return_val_if_fail (PLG_IS_PLAYER (self), FALSE);
  return self->tick_id != 0;
}

void
plg_player_seek (PlgPlayer *self, double time)
{
  g_return_if_fail (PLG_IS_PLAYER (self));

  if (time < 0 || self->length <= 0)
    {
      plg_player_play (self, FALSE);
      set_time (self, -1);
      return;
    }
  self->unshown_time = 0;
  set_time (self, MIN (time, self->length));
}

void
plg_player_play (PlgPlayer *self, gboolean play)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  g_return_if_fail (PLG_IS_PLAYER (self));

  if (play == (self->tick_id != 0) || (play && (self->length <= 0 || clock == NULL)))
    return;
  if (!play)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
      self->tick_id = 0;
    }
  else
    {
      self->unshown_time = 0;
      self->last_frame = gdk_frame_clock_get_frame_time (clock);
      self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
      set_time (self, is_at_rest (self) || self->time >= self->length ? 0 : self->time);
    }
  update_buttons (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYING]);
}

void
plg_player_toggle (PlgPlayer *self)
{
  g_return_if_fail (PLG_IS_PLAYER (self));
  plg_player_play (self, self->tick_id == 0);
}

void
plg_player_step (PlgPlayer *self, int direction)
{
  g_return_if_fail (PLG_IS_PLAYER (self) && self->step != NULL);

  plg_player_play (self, FALSE);
  if (self->length <= 0)
    return;
  /* At rest, the first step goes to the start or the end and not to an event. */
  plg_player_seek (self, is_at_rest (self) ? (direction > 0 ? 0 : self->length)
                                           : self->step (self->time, direction, self->step_data));
}

/* Announces SENTENCE after a key has changed the speed or the loop. The key does not focus the
 * control, so a screen reader would otherwise read nothing. */
static void
player_announce (PlgPlayer *self, const char *sentence)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    plg_announcer_announce (GTK_WINDOW (root), sentence);
}

void
plg_player_change_speed (PlgPlayer *self, int direction)
{
  g_autofree char *seconds = NULL, *announcement = NULL;
  int place;

  g_return_if_fail (PLG_IS_PLAYER (self));

  if (self->length <= 0)
    return;
  place = (int) gtk_drop_down_get_selected (self->speed) + direction;
  place = CLAMP (place, 0, (int) G_N_ELEMENTS (speeds) - 1);
  gtk_drop_down_set_selected (self->speed, (guint) place);
  seconds = plg_format_number (self->seconds / speeds[place], 2);
  announcement = g_strdup_printf (_ ("Playback takes %s s"), seconds);
  player_announce (self, announcement);
}

void
plg_player_toggle_repeat (PlgPlayer *self)
{
  gboolean is_repeated;

  g_return_if_fail (PLG_IS_PLAYER (self));

  if (self->length <= 0)
    return;
  is_repeated = !gtk_toggle_button_get_active (self->loop);
  gtk_toggle_button_set_active (self->loop, is_repeated);
  player_announce (self, is_repeated ? _ ("Plays in a loop") : _ ("Plays once"));
}

static gboolean
seek_by_key (PlgPlayer *self, double time)
{
  plg_player_play (self, FALSE);
  plg_player_seek (self, CLAMP (time, 0, self->length));
  return TRUE;
}

static gboolean
step_by_key (PlgPlayer *self, int direction)
{
  plg_player_step (self, direction);
  return TRUE;
}

gboolean
plg_player_key (PlgPlayer *self, guint keyval, GdkModifierType state)
{
  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0 || self->length <= 0)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_space:
      plg_player_toggle (self);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return step_by_key (self, -1);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return step_by_key (self, 1);
    case GDK_KEY_Home:
      return seek_by_key (self, 0);
    case GDK_KEY_End:
      return seek_by_key (self, self->length);
    case GDK_KEY_Page_Up:
      return seek_by_key (self, self->time - PAGE_SHARE * self->length);
    case GDK_KEY_Page_Down:
      return seek_by_key (self, self->time + PAGE_SHARE * self->length);
    case GDK_KEY_Escape:
      if (is_at_rest (self))
        return FALSE;
      plg_player_seek (self, -1);
      return TRUE;
    default:
      return FALSE;
    }
}
