/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/plan/plan-xml-private.h"
#include "syntax/xml-text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* <node-map> is the topology of a node. It has one <gpu> per GPU, one <nic> per NIC and one
 * <ring> per NCCL ring. A <gpu> lists the GPU's paths to all GPUs and NICs in nvidia-smi's
 * codes, with the bandwidth [GB/s] if known. */

#define SHOWN_CHARACTERS 40

/* Writing */

static void
append_paths (GString *out, const char *attribute, const PlgPath *paths, int n)
{
  g_string_append_printf (out, " %s=\"", attribute);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *text = plg_path_to_string (&paths[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", text);
    }
  g_string_append_c (out, '"');
}

void
plg_plan_xml_append_map (GString *out, const PlgNodeTopology *map)
{
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      g_string_append (out, "    <gpu");
      if (map->numa[gpu] >= 0)
        g_string_append_printf (out, " numa=\"%d\"", map->numa[gpu]);
      append_paths (out, "gpus", plg_node_topology_to_gpu (map, gpu, 0), map->gpus);
      if (map->nics > 0)
        append_paths (out, "nics", plg_node_topology_to_nic (map, gpu, 0), map->nics);
      g_string_append (out, "/>\n");
    }
  for (int nic = 0; nic < map->nics; nic++)
    {
      const PlgNic *card = &map->card[nic];
      g_autofree char *bandwidth = plg_format_exact_shifted (card->bandwidth, 9);

      g_string_append (out, "    <nic");
      if (*card->name != '\0')
        {
          g_string_append (out, " name=\"");
          plg_xml_append_text (out, card->name, TRUE);
          g_string_append_c (out, '"');
        }
      if (card->bandwidth > 0.0)
        g_string_append_printf (out, " bandwidth=\"%s\"", bandwidth);
      g_string_append (out, "/>\n");
    }
  for (int i = 0; i < map->rings; i++)
    {
      const int *gpus = plg_node_topology_ring (map, i);
      int n = map->gpus;

      g_string_append (out, "    <ring gpus=\"");
      for (int j = 0; j < n; j++)
        g_string_append_printf (out, "%s%d", j > 0 ? " " : "", gpus[j]);
      g_string_append (out, "\"/>\n");
    }
}

/* Reading */

typedef struct
{
  const PlgXml *xml;
  PlgNodeTopology map;
} MapReader;

static int
count_children (const xmlNode *element, const char *name)
{
  int n = 0;

  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) element); node != NULL;
       node = xmlNextElementSibling (node))
    n += plg_xml_is (node, name);
  return n;
}

/* Returns the N words of ATTRIBUTE, or NULL with ERROR if the number of words is not N; free
 * with g_strfreev(). */
static char **
read_words (const MapReader *reader,
            const xmlNode *node,
            const char *attribute,
            int n,
            GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);
  g_auto (GStrv) all = g_strsplit_set (text != NULL ? text : "", " \t\r\n", -1);
  char **words = g_new0 (char *, g_strv_length (all) + 1);
  int found = 0;

  for (int i = 0; all[i] != NULL; i++)
    if (*all[i] != '\0')
      words[found++] = g_strdup (all[i]);
  if (found == n)
    return words;
  g_strfreev (words);
  plg_xml_fail (reader->xml, node, attribute, error, _ ("“%s” has %d values, but must have %d."),
                attribute, found, n);
  return NULL;
}

static gboolean
fail_word (const MapReader *reader,
           const xmlNode *node,
           const char *attribute,
           const char *word,
           const char *remedy,
           GError **error)
{
  g_autofree char *shown = plg_text_excerpt (word, SHOWN_CHARACTERS);

  return plg_xml_fail (reader->xml, node, attribute, error, _ ("“%s” is not understood; %s."),
                       shown, remedy);
}

static gboolean
read_paths (const MapReader *reader,
            const xmlNode *node,
            const char *attribute,
            PlgPath *paths,
            int n,
            GError **error)
{
  g_auto (GStrv) words = read_words (reader, node, attribute, n, error);

  for (int i = 0; words != NULL && i < n; i++)
    if (!plg_path_from_string (&paths[i], words[i]))
      return fail_word (
          reader, node, attribute, words[i],
          _ ("write a path such as NV18, PIX or SYS, or one with its bandwidth in GB/s, such as "
             "NV18:450"),
          error);
  return words != NULL;
}

static gboolean
read_number (const MapReader *reader,
             const xmlNode *node,
             const char *attribute,
             const char *text,
             int *number,
             GError **error)
{
  gint64 value;

  if (!g_ascii_string_to_signed (text, 10, 0, 65535, &value, NULL))
    return fail_word (reader, node, attribute, text, _ ("write a number that is not negative"),
                      error);
  *number = (int) value;
  return TRUE;
}

static gboolean
read_children (MapReader *reader, const xmlNode *element, GError **error)
{
  PlgNodeTopology *map = &reader->map;
  g_autofree int *ring = g_new (int, map->gpus);
  int gpu = 0, nic = 0;

  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) element); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "gpu"))
      {
        g_autofree char *numa = plg_xml_attribute (node, "numa");
        PlgPath *to_gpus = plg_node_topology_to_gpu (map, gpu, 0);

        if ((numa != NULL && !read_number (reader, node, "numa", numa, &map->numa[gpu], error)) ||
            !read_paths (reader, node, "gpus", to_gpus, map->gpus, error) ||
            (map->nics > 0 &&
             !read_paths (reader, node, "nics", plg_node_topology_to_nic (map, gpu, 0), map->nics,
                          error)))
          return FALSE;
        gpu++;
      }
    else if (plg_xml_is (node, "nic"))
      {
        PlgNic *card = &map->card[nic++];
        g_autofree char *name = plg_xml_attribute (node, "name");
        g_autofree char *bandwidth = plg_xml_attribute (node, "bandwidth");

        if (name != NULL && !plg_nic_name_check (name))
          return fail_word (reader, node, "name", name,
                            _ ("a NIC name has up to 63 letters, digits and “-._:+/”"), error);
        g_strlcpy (card->name, name != NULL ? name : "", sizeof card->name);
        if (bandwidth != NULL && !plg_gbps_from_string (&card->bandwidth, bandwidth))
          return fail_word (reader, node, "bandwidth", bandwidth, _ ("write GB/s, such as 50"),
                            error);
      }
    else if (plg_xml_is (node, "ring"))
      {
        g_auto (GStrv) words = read_words (reader, node, "gpus", map->gpus, error);

        if (words == NULL)
          return FALSE;
        for (int i = 0; i < map->gpus; i++)
          if (!read_number (reader, node, "gpus", words[i], &ring[i], error))
            return FALSE;
        plg_node_topology_add_ring (map, ring);
      }
  return TRUE;
}

gboolean
plg_plan_xml_read_map (const PlgXml *xml,
                       const xmlNode *element,
                       PlgNodeTopology *map,
                       GError **error)
{
  int gpus = count_children (element, "gpu"), nics = count_children (element, "nic");
  MapReader reader = { .xml = xml };
  GError *reason = NULL;

  if (gpus < 1 || gpus > PLG_MAX_GPUS_PER_NODE || nics > PLG_MAX_NODE_NICS ||
      count_children (element, "ring") > PLG_MAX_RINGS)
    return plg_xml_fail (xml, element, NULL, error,
                         _ ("A node map needs 1 to %d <gpu> elements, and at most %d <nic> and "
                            "%d <ring> elements."),
                         PLG_MAX_GPUS_PER_NODE, PLG_MAX_NODE_NICS, PLG_MAX_RINGS);
  plg_node_topology_init (&reader.map, gpus, nics);
  if (read_children (&reader, element, error) && plg_node_topology_check (&reader.map, &reason))
    {
      plg_node_topology_clear (map);
      *map = reader.map;
      return TRUE;
    }
  if (reason != NULL)
    plg_xml_fail (xml, element, NULL, error, "%s.", reason->message);
  g_clear_error (&reason);
  plg_node_topology_clear (&reader.map);
  return FALSE;
}
