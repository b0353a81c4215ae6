/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-private.h"
#include "io/topology/pcie-link.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_CHARACTERS 40

gboolean
plg_nccl_fail (const PlgNcclGraphBuilder *builder,
               const xmlNode *node,
               const char *attribute,
               GError **error,
               const char *why)
{
  g_autofree char *value = plg_xml_attribute (node, attribute);
  g_autofree char *shown = plg_text_excerpt (value != NULL ? value : "", SHOWN_CHARACTERS);

  return plg_xml_fail (builder->xml, node, attribute, error, _ ("%s of <%s> is “%s”; %s."),
                       attribute, (const char *) node->name, shown, why);
}

gboolean
plg_nccl_read_int (const PlgNcclGraphBuilder *builder,
                   const xmlNode *node,
                   const char *attribute,
                   int otherwise,
                   int *value,
                   GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);
  gint64 number;

  *value = otherwise;
  if (text == NULL || *text == '\0')
    return TRUE;
  if (!g_ascii_string_to_signed (g_strstrip (text), 10, -1, G_MAXINT, &number, NULL))
    return plg_nccl_fail (builder, node, attribute, error, _ ("write a whole number"));
  *value = (int) number;
  return TRUE;
}

guint
plg_nccl_read_hex (const xmlNode *node, const char *attribute)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 16) : 0;
}

gboolean
plg_nccl_parse_bus_id (const char *text, guint64 *id)
{
  int digits = 0;

  *id = 0;
  for (; *text != '\0'; text++)
    {
      if (*text == ':' || *text == '.')
        continue;
      if (!g_ascii_isxdigit (*text) || ++digits > 13)
        return FALSE;
      *id = *id << 4 | (guint) g_ascii_xdigit_value (*text);
    }
  return digits > 0;
}

gboolean
plg_nccl_read_bus_id (const PlgNcclGraphBuilder *builder,
                      const xmlNode *node,
                      guint64 *id,
                      GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "busid");

  if (text != NULL && plg_nccl_parse_bus_id (text, id))
    return TRUE;
  return plg_nccl_fail (builder, node, "busid", error, _ ("write it as 0000:83:00.0"));
}

gboolean
plg_nccl_read_rate (const PlgNcclGraphBuilder *builder,
                    const xmlNode *node,
                    PlgTopologyBandwidth *rate,
                    GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "link_speed");
  int width;

  if (!plg_nccl_read_int (builder, node, "link_width", 0, &width, error))
    return FALSE;
  if (width < 0 || width > 64)
    return plg_nccl_fail (builder, node, "link_width", error,
                          _ ("a link has 1 to 32 lanes, or 0 if unknown"));
  *rate = plg_pcie_link_rate (text, width);
  return TRUE;
}
