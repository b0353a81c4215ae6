/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/option-applicability.h"

#define PICTURE_BIT(picture) (1u << PLG_PICTURE_##picture)
#define FORMAT_BIT(format) (1u << PLG_EXPORT_##format)
#define ALL (~0u)
#define GRAPHIC_FORMATS \
  (FORMAT_BIT (SVG) | FORMAT_BIT (PDF) | FORMAT_BIT (PNG) | FORMAT_BIT (TIKZ) | FORMAT_BIT (DRAWIO))

static const struct
{
  guint pictures; /* pictures in which the option has an effect, as bits 1 << PlgPicture */
  guint formats;  /* formats in which the option has an effect, as bits 1 << PlgExportFormat */
} options[PLG_N_PICTURE_OPTIONS] = {
  [PLG_PICTURE_OPTION_SHOW] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (COMPARE), ALL },
  [PLG_PICTURE_OPTION_LINK_COLOR] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (COMPARE), ALL },
  [PLG_PICTURE_OPTION_LINKS] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (COMPARE), GRAPHIC_FORMATS },
  [PLG_PICTURE_OPTION_TIME] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (TIMELINE), ALL },
  [PLG_PICTURE_OPTION_HIGHLIGHTED] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (LEDGER) |
                                           PICTURE_BIT (COMPARE),
                                       ALL },
  [PLG_PICTURE_OPTION_SELECTED] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (COMPARE), ALL },
  [PLG_PICTURE_OPTION_NODES] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (COMPARE) |
                                     PICTURE_BIT (MATRIX),
                                 ALL },
  [PLG_PICTURE_OPTION_COLUMNS] = { PICTURE_BIT (MATRIX), ALL },
  [PLG_PICTURE_OPTION_LEGEND] = { PICTURE_BIT (CLUSTER) | PICTURE_BIT (MEMORY) |
                                      PICTURE_BIT (TIMELINE) | PICTURE_BIT (COLLECTIVE) |
                                      PICTURE_BIT (COMPARE) | PICTURE_BIT (SEARCH),
                                  ALL },
  [PLG_PICTURE_OPTION_LEGEND_RIGHT] = { PICTURE_BIT (CLUSTER), GRAPHIC_FORMATS },
  [PLG_PICTURE_OPTION_COLLECTIVE] = { PICTURE_BIT (COLLECTIVE), ALL },
  [PLG_PICTURE_OPTION_FRAME] = { PICTURE_BIT (COLLECTIVE) | PICTURE_BIT (SPLIT), ALL },
  [PLG_PICTURE_OPTION_PAIRS] = { PICTURE_BIT (MATRIX), ALL },
  [PLG_PICTURE_OPTION_SWEEP] = { PICTURE_BIT (SWEEP), ALL },
  [PLG_PICTURE_OPTION_SEARCH] = { PICTURE_BIT (SEARCH), ALL },
  [PLG_PICTURE_OPTION_OTHER_ORDER] = { PICTURE_BIT (COMPARE), ALL },
  [PLG_PICTURE_OPTION_OTHER_PLAN] = { PICTURE_BIT (COMPARE), ALL },
  [PLG_PICTURE_OPTION_WIDTH] = { ALL & ~PICTURE_BIT (CLUSTER), GRAPHIC_FORMATS },
  [PLG_PICTURE_OPTION_ZOOM] = { PICTURE_BIT (CLUSTER), GRAPHIC_FORMATS },
  [PLG_PICTURE_OPTION_COLOR] = { ALL, GRAPHIC_FORMATS },
  [PLG_PICTURE_OPTION_SCALE] = { ALL, FORMAT_BIT (PNG) },
  [PLG_PICTURE_OPTION_PAGE] = { ALL, FORMAT_BIT (PDF) },
  [PLG_PICTURE_OPTION_PLAN] = { ALL, FORMAT_BIT (SVG) },
};

gboolean
plg_picture_option_is_drawn (PlgPictureOption option, PlgPicture picture)
{
  g_return_val_if_fail (option < PLG_N_PICTURE_OPTIONS && picture < PLG_N_PICTURES, FALSE);

  return (options[option].pictures & (1u << picture)) != 0;
}

gboolean
plg_picture_option_is_in_format (PlgPictureOption option, PlgExportFormat format)
{
  g_return_val_if_fail (option < PLG_N_PICTURE_OPTIONS && format < PLG_N_EXPORT_FORMATS, FALSE);

  return (options[option].formats & (1u << format)) != 0;
}

/* The options that have no effect on the monospace comparison of two nesting orders. This
 * comparison is a table of costs and shows no GPUs, links or nodes. */
#define NOT_IN_COMPARE_TABLE                                                  \
  (1u << PLG_PICTURE_OPTION_SHOW | 1u << PLG_PICTURE_OPTION_LINK_COLOR |      \
   1u << PLG_PICTURE_OPTION_HIGHLIGHTED | 1u << PLG_PICTURE_OPTION_SELECTED | \
   1u << PLG_PICTURE_OPTION_NODES | 1u << PLG_PICTURE_OPTION_LEGEND)

gboolean
plg_picture_option_has_effect (PlgPictureOption option, PlgPicture picture, PlgExportFormat format)
{
  gboolean is_table = picture == PLG_PICTURE_COMPARE && format == PLG_EXPORT_TEXT;

  return plg_picture_option_is_drawn (option, picture) &&
         plg_picture_option_is_in_format (option, format) &&
         !(is_table && (NOT_IN_COMPARE_TABLE & 1u << option) != 0);
}

static void
add_name (GString *names, const char *name)
{
  g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
}

char *
plg_picture_option_picture_names (PlgPictureOption option)
{
  GString *names = g_string_new (NULL);

  for (int i = 0; i < PLG_N_PICTURES; i++)
    if (plg_picture_option_is_drawn (option, (PlgPicture) i))
      add_name (names, plg_picture_name ((PlgPicture) i));
  return g_string_free (names, FALSE);
}

char *
plg_picture_option_format_names (PlgPictureOption option)
{
  GString *names = g_string_new (NULL);

  for (int i = 0; i < PLG_N_EXPORT_FORMATS; i++)
    if (plg_picture_option_is_in_format (option, (PlgExportFormat) i))
      add_name (names, plg_export_format_name ((PlgExportFormat) i));
  return g_string_free (names, FALSE);
}

gboolean
plg_picture_can_highlight (PlgPicture picture, PlgEntity entity)
{
  if (picture == PLG_PICTURE_LEDGER)
    return entity.kind == PLG_ENTITY_LINK || entity.kind == PLG_ENTITY_GPU ||
           entity.kind == PLG_ENTITY_COLLECTIVE;
  return picture == PLG_PICTURE_CLUSTER || picture == PLG_PICTURE_COMPARE;
}

gboolean
plg_entity_can_be_selected (PlgEntity entity)
{
  return entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_NODE ||
         entity.kind == PLG_ENTITY_LINK || (entity.kind == PLG_ENTITY_GROUP && entity.index >= 0);
}
