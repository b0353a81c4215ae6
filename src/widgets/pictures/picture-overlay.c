/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/picture-overlay.h"

/* The size of the cursor in a timeline [pixels]. */
#define CURSOR_WIDTH 2.0
#define CURSOR_HEAD 8.0
#define FRAME_WIDTH 2.0
/* The size of the knob on an edge between two rows [pixels]. */
#define KNOB_WIDTH 28.0
#define KNOB_HEIGHT 8.0

static GdkRGBA
rgba (const PlgTheme *theme, PlgRole role)
{
  PlgColor color = theme->role[role];

  return (GdkRGBA) { color.red, color.green, color.blue, 1 };
}

void
plg_picture_overlay_cursor (GtkSnapshot *snapshot,
                            const PlgTheme *theme,
                            const PlgTimelineSpan *span,
                            double moment,
                            double scale)
{
  GdkRGBA color = rgba (theme, PLG_ROLE_TEXT);
  double x;

  if (!(span->to > span->from))
    return;
  x = span->left + (span->right - span->left) * (moment - span->from) / (span->to - span->from);
  if (x < span->left - 1 || x > span->right + 1)
    return;
  x *= scale;
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (x - CURSOR_WIDTH / 2, span->top * scale - 3,
                                                  CURSOR_WIDTH,
                                                  (span->bottom - span->top) * scale + 3));
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (x - CURSOR_HEAD / 2, span->top * scale - 5,
                                                  CURSOR_HEAD, 3));
}

static void
append_frame (GtkSnapshot *snapshot, GdkRGBA color, PlgRect rect, double out)
{
  const float width[] = { FRAME_WIDTH, FRAME_WIDTH, FRAME_WIDTH, FRAME_WIDTH };
  const GdkRGBA colors[] = { color, color, color, color };
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (rect.x - out, rect.y - out,
                                                        rect.width + 2 * out,
                                                        rect.height + 2 * out),
                                   2);
  gtk_snapshot_append_border (snapshot, &outline, width, colors);
}

void
plg_picture_overlay_frame (GtkSnapshot *snapshot, const PlgTheme *theme, PlgRect rect)
{
  append_frame (snapshot, rgba (theme, PLG_ROLE_BACKGROUND), rect, 0);
  append_frame (snapshot, rgba (theme, PLG_ROLE_TEXT), rect, FRAME_WIDTH);
}

void
plg_picture_overlay_edge (GtkSnapshot *snapshot, const PlgTheme *theme, double width, double y)
{
  GdkRGBA color = rgba (theme, PLG_ROLE_TEXT), halo = rgba (theme, PLG_ROLE_BACKGROUND);
  PlgRect knob = { 3, y - KNOB_HEIGHT / 2, KNOB_WIDTH, KNOB_HEIGHT };

  gtk_snapshot_append_color (snapshot, &halo, &GRAPHENE_RECT_INIT (0, y - 2, width, 4));
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (0, y - 1, width, 2));
  gtk_snapshot_append_color (snapshot, &halo,
                             &GRAPHENE_RECT_INIT (knob.x, knob.y, knob.width, knob.height));
  append_frame (snapshot, color, knob, 0);
}
