/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-private.h"
#include "io/topology/gpu-device-ids.h"
#include "io/topology/hwloc-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The matrices of bandwidths between GPUs. */

#define SHOWN_CHARACTERS 40
#define MAX_OBJECTS 2048

/* All words of the NAME elements of MATRIX. g_strfreev(). */
static char **
words_of (const xmlNode *matrix, const char *name)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) matrix); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, name))
      {
        g_autofree char *text = plg_xml_text (node);
        g_auto (GStrv) parts = g_strsplit_set (text, " \t\r\n", -1);

        for (int i = 0; parts[i] != NULL; i++)
          if (*parts[i] != '\0')
            g_strv_builder_add (words, parts[i]);
      }
  return g_strv_builder_end (words);
}

/* What WORD, "802" or "OSDev:802", is: the index of a GPU plus 1, -1 for an NVSwitch, 0. */
static int
object_of (const PlgHwloc *hwloc, const char *word)
{
  const char *colon = strchr (word, ':');
  gint64 index;

  if (!g_ascii_string_to_signed (colon != NULL ? colon + 1 : word, 10, 0, G_MAXINT32, &index, NULL))
    return 0;
  return GPOINTER_TO_INT (g_hash_table_lookup (hwloc->by_index, GINT_TO_POINTER (index)));
}

/* A link of 25 GB/s, or 50 for Blackwell; of AMD's only the sum is told. */
static int
links_of (const PlgHwlocGpu *gpu, double bandwidth)
{
  const char *name = plg_gpu_from_device_id (gpu->vendor, gpu->device);
  gboolean blackwell = name != NULL &&
                       (g_str_has_prefix (name, "b") || strstr (name, "gb") == name);

  return gpu->vendor == PLG_HWLOC_AMD ? 0 : (int) round (bandwidth / (blackwell ? 50e9 : 25e9));
}

static void
add_link (PlgHwloc *hwloc, int from, int to, double bandwidth)
{
  PlgHwlocGpu *gpu = &g_array_index (hwloc->gpus, PlgHwlocGpu, from - 1);
  PlgTopologyBandwidth rate = { bandwidth, bandwidth };
  int links = links_of (gpu, bandwidth);

  gpu->links_bandwidth += bandwidth;
  hwloc->has_links = TRUE;
  if (to > 0)
    {
      plg_topology_graph_add_edge (hwloc->topology, gpu->vertex,
                                   g_array_index (hwloc->gpus, PlgHwlocGpu, to - 1).vertex,
                                   PLG_EDGE_NVLINK, links, rate);
      return;
    }
  to = plg_topology_graph_find_vertex (hwloc->topology, PLG_VERTEX_NVSWITCH, 0, 0);
  if (to < 0)
    to = plg_topology_graph_add_vertex (hwloc->topology, PLG_VERTEX_NVSWITCH, 0, 0);
  gpu->is_joined = TRUE;
  plg_topology_graph_add_edge_pair (hwloc->topology, gpu->vertex, to, PLG_EDGE_NVLINK, links, rate);
}

static gboolean
read_matrix (PlgHwloc *hwloc, const xmlNode *matrix, GError **error)
{
  g_auto (GStrv) indexes = words_of (matrix, "indexes");
  g_auto (GStrv) values = words_of (matrix, "u64values");
  int n = (int) g_strv_length (indexes);
  g_autofree int *objects = g_new (int, n);

  if (n < 1 || n > MAX_OBJECTS || g_strv_length (values) != (guint) (n * n))
    return plg_xml_fail (hwloc->xml, matrix, NULL, error,
                         _ ("The matrix has %d objects and %d values; it needs a value for each "
                            "pair."),
                         n, (int) g_strv_length (values));
  for (int i = 0; i < n; i++)
    objects[i] = object_of (hwloc, indexes[i]);
  for (int i = 0; i < n * n; i++)
    {
      int from = objects[i / n], to = objects[i % n];
      guint64 megabytes;

      if (!g_ascii_string_to_unsigned (values[i], 10, 0, G_MAXUINT64, &megabytes, NULL))
        {
          g_autofree char *shown = plg_text_excerpt (values[i], SHOWN_CHARACTERS);

          return plg_xml_fail (hwloc->xml, matrix, NULL, error,
                               _ ("“%s” in the matrix is no bandwidth in MB/s."), shown);
        }
      if (from > 0 && to != 0 && from != to && megabytes > 0 && megabytes < 100000000)
        add_link (hwloc, from, to, megabytes * 1e6);
    }
  return TRUE;
}

gboolean
plg_hwloc_read_matrices (PlgHwloc *hwloc, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild (plg_xml_root (hwloc->xml)); node != NULL;
       node = xmlNextElementSibling (node))
    if ((plg_xml_is (node, "distances2") || plg_xml_is (node, "distances2hetero")) &&
        (plg_hwloc_attribute_equals (node, "name", "NVLinkBandwidth") ||
         plg_hwloc_attribute_equals (node, "name", "XGMIBandwidth")) &&
        !read_matrix (hwloc, node, error))
      return FALSE;
  return TRUE;
}
