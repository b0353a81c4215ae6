/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-private.h"
#include "io/topology/pcie-link.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SHOWN_CHARACTERS 40
#define MAX_HOSTS 256

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
  return plg_nccl_fail (builder, node, "busid", error, _ ("write a busid such as 0000:83:00.0"));
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
                          _ ("write a number of lanes from 1 to 32, or 0 if unknown"));
  *rate = plg_pcie_link_rate (text, width);
  return TRUE;
}

xmlNode *
plg_nccl_find_child (const xmlNode *node, const char *name)
{
  xmlNode *found = xmlFirstElementChild ((xmlNode *) node);

  while (found != NULL && !plg_xml_is (found, name))
    found = xmlNextElementSibling (found);
  return found;
}

gpointer
plg_nccl_gpu_key (int host, guint64 busid)
{
  return GSIZE_TO_POINTER ((gsize) host << 52 | (gsize) busid);
}

PlgNcclGpu *
plg_nccl_find_gpu (const PlgNcclGraphBuilder *builder, int host, guint64 busid)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (builder->gpu_at,
                                                       plg_nccl_gpu_key (host, busid)));

  return index > 0 ? &g_array_index (builder->nccl->gpus, PlgNcclGpu, index - 1) : NULL;
}

gboolean
plg_nccl_find_host (PlgNcclGraphBuilder *builder, const xmlNode *node, int *host, GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "host_hash");
  guint64 hash = text != NULL ? g_ascii_strtoull (text, NULL, 16) : 0;

  for (guint i = 0; i < builder->hashes->len; i++)
    if (g_array_index (builder->hashes, guint64, i) == hash)
      {
        *host = (int) i + builder->tray;
        return TRUE;
      }
  if (builder->hashes->len == MAX_HOSTS)
    return plg_xml_fail (builder->xml, node, "host_hash", error,
                         _ ("The file has more than %d hosts, which no real dump has."), MAX_HOSTS);
  *host = (int) builder->hashes->len + builder->tray;
  g_array_append_val (builder->hashes, hash);
  return TRUE;
}
