/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/aspect.h"

#define OF(picture) (1u << PLG_PICTURE_##picture)
#define IN(format) (1u << PLG_EXPORT_##format)
#define ALL (~0u)
#define DRAWN (IN (SVG) | IN (PDF) | IN (PNG) | IN (TIKZ) | IN (DRAWIO))

static const struct
{
  guint pictures; /* bit 1 << PlgPicture */
  guint formats;  /* bit 1 << PlgExportFormat */
} aspects[PLG_N_ASPECTS] = {
  [PLG_ASPECT_SHOW] = { OF (CLUSTER) | OF (COMPARE), ALL },
  [PLG_ASPECT_LINK_COLOR] = { OF (CLUSTER) | OF (COMPARE), ALL },
  [PLG_ASPECT_LINKS] = { OF (CLUSTER) | OF (COMPARE), DRAWN },
  [PLG_ASPECT_MOMENT] = { OF (CLUSTER) | OF (TIMELINE), ALL },
  [PLG_ASPECT_LIT] = { OF (CLUSTER) | OF (LEDGER) | OF (COMPARE), ALL },
  [PLG_ASPECT_SELECTED] = { OF (CLUSTER) | OF (COMPARE), ALL },
  [PLG_ASPECT_NODES] = { OF (CLUSTER) | OF (COMPARE) | OF (MATRIX), ALL },
  [PLG_ASPECT_COLUMNS] = { OF (MATRIX), ALL },
  [PLG_ASPECT_LEGEND] = { OF (CLUSTER) | OF (MEMORY) | OF (TIMELINE) | OF (COLLECTIVE) |
                              OF (COMPARE),
                          ALL },
  [PLG_ASPECT_LEGEND_RIGHT] = { OF (CLUSTER), DRAWN },
  [PLG_ASPECT_COLLECTIVE] = { OF (COLLECTIVE), ALL },
  [PLG_ASPECT_FRAME] = { OF (COLLECTIVE) | OF (SPLIT), ALL },
  [PLG_ASPECT_PAIRS] = { OF (MATRIX), ALL },
  [PLG_ASPECT_ORDER] = { OF (COMPARE), ALL },
  [PLG_ASPECT_WIDTH] = { ALL & ~OF (CLUSTER), DRAWN },
  [PLG_ASPECT_ZOOM] = { OF (CLUSTER), DRAWN },
  [PLG_ASPECT_COLOR] = { ALL, DRAWN },
  [PLG_ASPECT_SCALE] = { ALL, IN (PNG) },
  [PLG_ASPECT_PAGE] = { ALL, IN (PDF) },
  [PLG_ASPECT_PLAN] = { ALL, IN (SVG) },
};

gboolean
plg_aspect_is_of (PlgAspect aspect, PlgPicture picture)
{
  g_return_val_if_fail (aspect < PLG_N_ASPECTS && picture < PLG_N_PICTURES, FALSE);

  return (aspects[aspect].pictures & (1u << picture)) != 0;
}

gboolean
plg_aspect_is_in (PlgAspect aspect, PlgExportFormat format)
{
  g_return_val_if_fail (aspect < PLG_N_ASPECTS && format < PLG_N_EXPORT_FORMATS, FALSE);

  return (aspects[aspect].formats & (1u << format)) != 0;
}

/* Two orders in letters are a table of costs: no GPU, link or node is in it. */
#define UNTOLD                                                                  \
  (1u << PLG_ASPECT_SHOW | 1u << PLG_ASPECT_LINK_COLOR | 1u << PLG_ASPECT_LIT | \
   1u << PLG_ASPECT_SELECTED | 1u << PLG_ASPECT_NODES | 1u << PLG_ASPECT_LEGEND)

gboolean
plg_aspect_is_told (PlgAspect aspect, PlgPicture picture, PlgExportFormat format)
{
  gboolean is_table = picture == PLG_PICTURE_COMPARE && format == PLG_EXPORT_TEXT;

  return plg_aspect_is_of (aspect, picture) && plg_aspect_is_in (aspect, format) &&
         !(is_table && (UNTOLD & 1u << aspect) != 0);
}

static void
add_name (GString *names, const char *name)
{
  g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
}

char *
plg_aspect_pictures (PlgAspect aspect)
{
  GString *names = g_string_new (NULL);

  for (int i = 0; i < PLG_N_PICTURES; i++)
    if (plg_aspect_is_of (aspect, (PlgPicture) i))
      add_name (names, plg_picture_name ((PlgPicture) i));
  return g_string_free (names, FALSE);
}

char *
plg_aspect_formats (PlgAspect aspect)
{
  GString *names = g_string_new (NULL);

  for (int i = 0; i < PLG_N_EXPORT_FORMATS; i++)
    if (plg_aspect_is_in (aspect, (PlgExportFormat) i))
      add_name (names, plg_export_format_name ((PlgExportFormat) i));
  return g_string_free (names, FALSE);
}

gboolean
plg_aspect_lights (PlgPicture picture, PlgThing thing)
{
  if (picture == PLG_PICTURE_LEDGER)
    return thing.kind == PLG_THING_LINK || thing.kind == PLG_THING_GPU ||
           thing.kind == PLG_THING_COLLECTIVE;
  return picture == PLG_PICTURE_CLUSTER || picture == PLG_PICTURE_COMPARE;
}

gboolean
plg_aspect_selects (PlgThing thing)
{
  return thing.kind == PLG_THING_GPU || thing.kind == PLG_THING_NODE ||
         thing.kind == PLG_THING_LINK || (thing.kind == PLG_THING_GROUP && thing.index >= 0);
}
