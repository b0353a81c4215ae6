/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/gpu-device-ids.h"
#include "io/topology/hwloc-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Reads the bandwidths between GPUs from the matrices in the output of lstopo. */

#define SHOWN_CHARACTERS 40
#define MAX_OBJECTS 2048

gboolean
plg_hwloc_attribute_equals (const xmlNode *node, const char *attribute, const char *value)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);

  return g_strcmp0 (text, value) == 0;
}

/* Returns the words in all child elements of MATRIX that are called NAME (transfer full). */
static char **
read_words (const xmlNode *matrix, const char *name)
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

/* Reads a matrix of bandwidths [MB/s] between objects. The file identifies an object as "802" or
 * "OSDev:802". */
static gboolean
read_matrix (PlgHwloc *hwloc, const xmlNode *matrix, GError **error)
{
  PlgTopologyGraph *topology = hwloc->topology;
  g_auto (GStrv) indexes = read_words (matrix, "indexes");
  g_auto (GStrv) values = read_words (matrix, "u64values");
  int n = (int) g_strv_length (indexes);
  /* For each object, a GPU's index plus 1, -1 for an NVSwitch, or 0 for anything else. */
  g_autofree int *objects = g_new0 (int, n);

  if (n < 1 || n > MAX_OBJECTS || g_strv_length (values) != (guint) (n * n))
    return plg_xml_fail (hwloc->xml, matrix, NULL, error,
                         _ ("The matrix has %d objects and %d values; it needs one value per "
                            "pair."),
                         n, (int) g_strv_length (values));
  for (int i = 0; i < n; i++)
    {
      const char *colon = strchr (indexes[i], ':');
      gint64 index;

      if (g_ascii_string_to_signed (colon != NULL ? colon + 1 : indexes[i], 10, 0, G_MAXINT32,
                                    &index, NULL))
        objects[i] = GPOINTER_TO_INT (g_hash_table_lookup (hwloc->by_index,
                                                           GINT_TO_POINTER (index)));
    }
  for (int i = 0; i < n * n; i++)
    {
      int from = objects[i / n], to = objects[i % n], links, target;
      g_autofree char *shown = plg_text_excerpt (values[i], SHOWN_CHARACTERS);
      guint64 megabytes;
      PlgHwlocGpu *gpu;
      const char *name;
      gboolean blackwell;

      if (!g_ascii_string_to_unsigned (values[i], 10, 0, G_MAXUINT64, &megabytes, NULL))
        return plg_xml_fail (hwloc->xml, matrix, NULL, error,
                             _ ("“%s” in the matrix is not a bandwidth in MB/s."), shown);
      if (from <= 0 || to == 0 || from == to || megabytes == 0 || megabytes >= 100000000)
        continue;
      gpu = &g_array_index (hwloc->gpus, PlgHwlocGpu, from - 1);
      gpu->links_bandwidth += megabytes * 1e6;
      hwloc->has_links = TRUE;
      /* Divide the rate by 25 GB/s, or 50 GB/s on Blackwell, to get the number of NVLinks. Leave
       * the number at 0 for AMD, because AMD's driver reports only the total rate of all links. */
      name = plg_gpu_from_device_id (gpu->vendor, gpu->device);
      blackwell = name != NULL && (*name == 'b' || g_str_has_prefix (name, "gb"));
      links = gpu->vendor == PLG_HWLOC_AMD
                  ? 0
                  : (int) round (megabytes * 1e6 / (blackwell ? 50e9 : 25e9));

      PlgTopologyBandwidth rate = { megabytes * 1e6, megabytes * 1e6 };

      if (to > 0)
        {
          plg_topology_graph_add_edge (topology, gpu->vertex,
                                       g_array_index (hwloc->gpus, PlgHwlocGpu, to - 1).vertex,
                                       PLG_EDGE_NVLINK, links, rate);
          continue;
        }
      target = plg_topology_graph_find_vertex (topology, PLG_VERTEX_NVSWITCH, 0, 0);
      if (target < 0)
        target = plg_topology_graph_add_vertex (topology, PLG_VERTEX_NVSWITCH, 0, 0);
      gpu->is_joined = TRUE;
      plg_topology_graph_add_edge_pair (topology, gpu->vertex, target, PLG_EDGE_NVLINK, links,
                                        rate);
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
