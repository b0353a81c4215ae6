/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The controls of a playback: play, pause, single steps, a slider, the speed and the loop. The
 * owner draws the content and sets the text next to the slider. The player requests frames only
 * during playback.
 *
 * Properties: "time": from 0 to the length, or -1 at rest; "playing"; "at-rest": read only;
 * "text": the text currently shown, read only; "rest-text": the text at rest, NULL to use the
 * same text; "shows-text": FALSE if another widget shows the text. */
#define PLG_TYPE_PLAYER (plg_player_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlayer, plg_player, PLG, PLAYER, GtkWidget)

/* Returns the time of the nearest event after @time (@direction is 1) or before @time
 * (@direction is -1). */
typedef double (*PlgPlayerStep) (double time, int direction, gpointer data);

/* plg_player_set_length:
 * @length: the length in the time unit of #PlgPlayerStep; 0 if there is nothing to play
 * @seconds: the duration of the playback at normal speed [s]
 *
 * Sets the length. If the current time is after the new end, moves it to the new end. */
void plg_player_set_length (PlgPlayer *self, double length, double seconds);
void plg_player_set_step (PlgPlayer *self, PlgPlayerStep step, gpointer data);
/* Sets the text next to the slider; a screen reader also reads this text. */
void plg_player_set_text (PlgPlayer *self, const char *text);

/* Returns the time, or -1 at rest. */
double plg_player_time (PlgPlayer *self);
gboolean plg_player_is_playing (PlgPlayer *self);
/* Shows @time, limited to the length. A @time of -1 returns to rest. */
void plg_player_seek (PlgPlayer *self, double time);
void plg_player_play (PlgPlayer *self, gboolean play);
void plg_player_toggle (PlgPlayer *self);
/* Pauses and goes to the next event (@direction is 1) or to the previous event (@direction is
 * -1). */
void plg_player_step (PlgPlayer *self, int direction);
/* Chooses the next faster speed (@direction is 1) or the next slower speed (@direction is -1) if
 * there is one. */
void plg_player_change_speed (PlgPlayer *self, int direction);
void plg_player_toggle_repeat (PlgPlayer *self);
/* Handles a key on behalf of a widget that shows the content. Returns FALSE if the player does
 * not use the key. */
gboolean plg_player_key (PlgPlayer *self, guint keyval, GdkModifierType state);

G_END_DECLS
