/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Plays something that has a length: play, pause, one event on or back, a slider, a speed, again
 * and again. What it plays, and what stands in words beside it, is up to whoever owns it. Idle, it
 * does nothing: frames are only asked for while it plays.
 *
 * Properties: "time" (0 .. length, -1 at rest: nothing is played), "playing", "at-rest" (read
 * only); "text" (what is said now, read only), "rest-text" (what is said at rest; NULL: the same),
 * "shows-text" (FALSE: someone else shows it). */
#define PLG_TYPE_PLAYER (plg_player_get_type ())
G_DECLARE_FINAL_TYPE (PlgPlayer, plg_player, PLG, PLAYER, GtkWidget)

/* The nearest event after (DIRECTION 1) or before (-1) TIME. */
typedef double (*PlgPlayerStep) (double time, int direction, gpointer data);

/* LENGTH is in whatever unit STEP counts; playing all of it takes SECONDS at normal speed. 0: there
 * is nothing to play. A time beyond the new length becomes the length. */
void plg_player_set_length (PlgPlayer *self, double length, double seconds);
void plg_player_set_step (PlgPlayer *self, PlgPlayerStep step, gpointer data);
/* What is going on at this time, beside the slider and for a screen reader. */
void plg_player_set_text (PlgPlayer *self, const char *text);

double plg_player_time (PlgPlayer *self);
gboolean plg_player_is_playing (PlgPlayer *self);
/* Shows TIME, clamped; -1: comes to rest. */
void plg_player_seek (PlgPlayer *self, double time);
void plg_player_play (PlgPlayer *self, gboolean play);
void plg_player_toggle (PlgPlayer *self);
/* Pauses, and goes to the next event or the one before. */
void plg_player_step (PlgPlayer *self, int direction);
/* Plays at the next speed that is faster (DIRECTION 1) or slower (-1), as far as there is one. */
void plg_player_change_speed (PlgPlayer *self, int direction);
/* Plays it again and again from now on, or no longer. */
void plg_player_toggle_repeat (PlgPlayer *self);
/* What a key does where what is played has the focus: FALSE for others. */
gboolean plg_player_key (PlgPlayer *self, guint keyval, GdkModifierType state);

G_END_DECLS
