/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/node-topology.h"

#include "plan/plan-problem.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Bandwidths and numbers of bonded links above these limits are treated as typing errors. */
#define MAX_LINKS 1024
#define MAX_BANDWIDTH 1e15

static const char *const codes[] = {
  [PLG_PATH_SELF] = "X",    [PLG_PATH_NVLINK] = "NV", [PLG_PATH_NVB] = "NVB",
  [PLG_PATH_C2C] = "C2C",   [PLG_PATH_PIX] = "PIX",   [PLG_PATH_PXB] = "PXB",
  [PLG_PATH_P2C] = "P2C",   [PLG_PATH_PXN] = "PXN",   [PLG_PATH_PHB] = "PHB",
  [PLG_PATH_NODE] = "NODE", [PLG_PATH_SYS] = "SYS",   [PLG_PATH_UNKNOWN] = "?",
};
G_STATIC_ASSERT (G_N_ELEMENTS (codes) == PLG_N_PATH_TYPES);

void
plg_node_topology_init (PlgNodeTopology *topology, int gpus, int nics)
{
  *topology = (PlgNodeTopology) { .gpus = gpus, .nics = nics };
  topology->gpu = g_new (PlgPath, gpus * gpus);
  topology->nic = g_new (PlgPath, gpus * nics);
  topology->card = g_new0 (PlgNic, nics);
  topology->numa = g_new (int, gpus);
  for (int i = 0; i < gpus * gpus; i++)
    topology->gpu[i] = (PlgPath) { .type = i % (gpus + 1) == 0 ? PLG_PATH_SELF : PLG_PATH_UNKNOWN };
  for (int i = 0; i < gpus * nics; i++)
    topology->nic[i] = (PlgPath) { .type = PLG_PATH_UNKNOWN };
  for (int i = 0; i < gpus; i++)
    topology->numa[i] = -1;
}

void
plg_node_topology_clear (PlgNodeTopology *topology)
{
  g_free (topology->gpu);
  g_free (topology->nic);
  g_free (topology->card);
  g_free (topology->numa);
  g_free (topology->ring);
  *topology = (PlgNodeTopology) { 0 };
}

gboolean
plg_node_topology_is_empty (const PlgNodeTopology *topology)
{
  return topology->gpus == 0;
}

void
plg_node_topology_copy (PlgNodeTopology *to, const PlgNodeTopology *from)
{
  /* A drag copies the plan in each frame, so do not copy an unchanged topology. */
  if (plg_node_topology_equal (to, from))
    return;
  plg_node_topology_clear (to);
  to->gpus = from->gpus;
  to->nics = from->nics;
  to->rings = from->rings;
  to->gpu = g_memdup2 (from->gpu, sizeof *from->gpu * from->gpus * from->gpus);
  to->nic = g_memdup2 (from->nic, sizeof *from->nic * from->gpus * from->nics);
  to->card = g_memdup2 (from->card, sizeof *from->card * from->nics);
  to->numa = g_memdup2 (from->numa, sizeof *from->numa * from->gpus);
  to->ring = g_memdup2 (from->ring, sizeof *from->ring * from->rings * from->gpus);
}

/* Compares bandwidths with a tolerance. Files store bandwidths as decimal GB/s, so equal
 * bandwidths can differ in the last digits after they are read. */
static gboolean
same_bandwidth (double a, double b)
{
  return fabs (a - b) <= 1e-12 * fabs (b);
}

gboolean
plg_path_plans_same (const PlgPath *a, const PlgPath *b)
{
  return a->planned.type == b->planned.type &&
         same_bandwidth (a->planned.bandwidth, b->planned.bandwidth);
}

static gboolean
same_paths (const PlgPath *a, const PlgPath *b, int n)
{
  for (int i = 0; i < n; i++)
    if (a[i].type != b[i].type || a[i].links != b[i].links ||
        !same_bandwidth (a[i].bandwidth, b[i].bandwidth) || !plg_path_plans_same (&a[i], &b[i]))
      return FALSE;
  return TRUE;
}

static gboolean
same_numbers (const int *a, const int *b, int n)
{
  return n == 0 || memcmp (a, b, sizeof *a * n) == 0;
}

gboolean
plg_node_topology_equal (const PlgNodeTopology *a, const PlgNodeTopology *b)
{
  if (a->gpus != b->gpus || a->nics != b->nics || a->rings != b->rings)
    return FALSE;
  for (int i = 0; i < a->nics; i++)
    if (!g_str_equal (a->card[i].name, b->card[i].name) ||
        !same_bandwidth (a->card[i].bandwidth, b->card[i].bandwidth))
      return FALSE;
  return same_paths (a->gpu, b->gpu, a->gpus * a->gpus) &&
         same_paths (a->nic, b->nic, a->gpus * a->nics) &&
         same_numbers (a->numa, b->numa, a->gpus) &&
         same_numbers (a->ring, b->ring, a->rings * a->gpus);
}

PlgPath *
plg_node_topology_to_gpu (const PlgNodeTopology *topology, int gpu_a, int gpu_b)
{
  return &topology->gpu[gpu_a * topology->gpus + gpu_b];
}

PlgPath *
plg_node_topology_to_nic (const PlgNodeTopology *topology, int gpu, int nic)
{
  return &topology->nic[gpu * topology->nics + nic];
}

void
plg_node_topology_set_pair (PlgNodeTopology *topology, int gpu_a, int gpu_b, PlgPath path)
{
  *plg_node_topology_to_gpu (topology, gpu_a, gpu_b) = path;
  *plg_node_topology_to_gpu (topology, gpu_b, gpu_a) = path;
}

void
plg_node_topology_add_ring (PlgNodeTopology *topology, const int *gpus)
{
  topology->ring = g_renew (int, topology->ring, (topology->rings + 1) * topology->gpus);
  memcpy (topology->ring + topology->rings * topology->gpus, gpus, sizeof *gpus * topology->gpus);
  topology->rings++;
}

const int *
plg_node_topology_ring (const PlgNodeTopology *topology, int ring)
{
  return &topology->ring[ring * topology->gpus];
}

/* Distances between devices */

int
plg_path_compare (const PlgPath *a, const PlgPath *b)
{
  double one = a->bandwidth, other = b->bandwidth;

  if (a->type != b->type)
    return a->type < b->type ? -1 : 1;
  if (a->planned.bandwidth > 0.0 && b->planned.bandwidth > 0.0)
    {
      one = a->planned.bandwidth;
      other = b->planned.bandwidth;
    }
  return (one < other) - (one > other);
}

/* Returns how many GPUs are nearest to NIC. Several GPUs can be equally near. */
static int
near_gpus (const PlgNodeTopology *topology, int nic)
{
  const PlgPath *best = NULL;
  int n = 0;

  for (int gpu = 0; gpu < topology->gpus; gpu++)
    {
      const PlgPath *path = plg_node_topology_to_nic (topology, gpu, nic);
      int order = best != NULL ? plg_path_compare (path, best) : -1;

      if (order > 0)
        continue;
      n = order < 0 ? 1 : n + 1;
      best = path;
    }
  return n;
}

int
plg_node_topology_nics_of (const PlgNodeTopology *topology, int gpu, int *nics, int size)
{
  int near[PLG_MAX_NODE_NICS];
  /* Collect the NICs nearest to GPU, in numerical order. */
  const PlgPath *best = NULL;
  int n = 0;

  for (int nic = 0; nic < topology->nics; nic++)
    {
      const PlgPath *path = plg_node_topology_to_nic (topology, gpu, nic);
      int order = best != NULL ? plg_path_compare (path, best) : -1;

      if (path->type == PLG_PATH_UNKNOWN || order > 0)
        continue;
      if (order < 0)
        n = 0;
      best = path;
      near[n++] = nic;
    }

  int first = gpu, sharing, used;

  if (n == 0)
    return 0;
  sharing = near_gpus (topology, near[0]);
  used = MIN ((n + sharing - 1) / sharing, size);
  if ((n & (n - 1)) == 0)
    {
      /* N, the number of nearest NICs, is a power of two. Reverse the lowest log2(N) bits of
       * GPU, so that neighbouring GPUs take distant NICs (NCCL, src/graph/topo.cc, mirrorBits). */
      first = 0;

      for (int low = 1, high = n >> 1; low < n; low <<= 1, high >>= 1)
        if ((gpu & low) != 0)
          first |= high;
    }
  for (int i = 0; i < used; i++)
    nics[i] = near[(first + i) % n];
  return used;
}

int
plg_node_topology_drop_far_nics (PlgNodeTopology *topology)
{
  gboolean used[PLG_MAX_NODE_NICS];
  int kept = 0, dropped = 0, nics = topology->nics;
  PlgPath *to = topology->nic;
  int used_nics[PLG_MAX_NODE_NICS];

  memset (used, 0, sizeof *used * topology->nics);
  for (int gpu = 0; gpu < topology->gpus; gpu++)
    {
      int n = plg_node_topology_nics_of (topology, gpu, used_nics, PLG_MAX_NODE_NICS);

      for (int i = 0; i < n; i++)
        used[used_nics[i]] = TRUE;
    }

  for (int i = 0; i < topology->gpus * nics; i++)
    if (used[i % nics])
      *to++ = topology->nic[i];
  for (int nic = 0; nic < nics; nic++)
    if (used[nic])
      topology->card[kept++] = topology->card[nic];
    else
      dropped++;
  topology->nics = kept;
  return dropped;
}

gboolean
plg_node_topology_has_links (const PlgNodeTopology *topology)
{
  for (int i = 0; i < topology->gpus * topology->gpus; i++)
    if (topology->gpu[i].type == PLG_PATH_NVLINK || topology->gpu[i].type == PLG_PATH_NVB)
      return TRUE;
  return FALSE;
}

/* Topology checks */

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE, message);
  return FALSE;
}

static gboolean
is_amount (double bandwidth)
{
  return isfinite (bandwidth) && bandwidth >= 0.0 && bandwidth <= MAX_BANDWIDTH;
}

static gboolean
is_path (const PlgPath *path)
{
  return path->type >= PLG_PATH_SELF && path->type <= PLG_PATH_UNKNOWN && path->links >= 0 &&
         path->links <= MAX_LINKS && is_amount (path->bandwidth) &&
         path->planned.type >= PLG_PATH_SELF && path->planned.type <= PLG_PATH_UNKNOWN &&
         is_amount (path->planned.bandwidth);
}

static gboolean
check_paths (const PlgNodeTopology *topology, GError **error)
{
  for (int a = 0; a < topology->gpus; a++)
    for (int b = 0; b < topology->gpus; b++)
      {
        const PlgPath *path = plg_node_topology_to_gpu (topology, a, b);
        const PlgPath *back = plg_node_topology_to_gpu (topology, b, a);

        if (!is_path (path) || !is_path (back))
          return refuse (error, _ ("The map of the node has no valid path from GPU %d to GPU %d"),
                         a, b);
        if ((path->type == PLG_PATH_SELF) != (a == b))
          return refuse (error,
                         _ ("The map of the node has the path %s from GPU %d to GPU %d; only the "
                            "path from a GPU to itself can be X"),
                         codes[path->type], a, b);
        if (path->type != back->type)
          return refuse (error,
                         _ ("The map of the node has the path %s from GPU %d to GPU %d, and %s "
                            "back; both paths must be the same"),
                         codes[path->type], a, b, codes[back->type]);
      }
  for (int i = 0; i < topology->gpus * topology->nics; i++)
    if (!is_path (&topology->nic[i]) || topology->nic[i].type == PLG_PATH_SELF)
      return refuse (error, _ ("The map of the node has no valid path from GPU %d to NIC %d"),
                     i / topology->nics, i % topology->nics);
  return TRUE;
}

gboolean
plg_nic_name_check (const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("-._:+/", *p) == NULL)
      return FALSE;
  return strlen (name) < PLG_NAME_SIZE;
}

gboolean
plg_node_topology_check (const PlgNodeTopology *topology, GError **error)
{
  if (topology->gpus > PLG_MAX_GPUS_PER_NODE)
    return refuse (error, _ ("The map of the node has %d GPUs; a node can have at most %d"),
                   topology->gpus, PLG_MAX_GPUS_PER_NODE);
  if (topology->nics > PLG_MAX_NODE_NICS)
    return refuse (error, _ ("The map of the node has %d NICs; a node can have at most %d"),
                   topology->nics, PLG_MAX_NODE_NICS);
  if (topology->rings > PLG_MAX_RINGS)
    return refuse (error, _ ("The map of the node has %d rings; a node can have at most %d"),
                   topology->rings, PLG_MAX_RINGS);
  if (!check_paths (topology, error))
    return FALSE;
  for (int i = 0; i < topology->nics; i++)
    {
      if (!plg_nic_name_check (topology->card[i].name))
        return refuse (error,
                       _ ("The name of NIC %d in the map of the node can have only letters, "
                          "digits and “-._:+/”"),
                       i);
      if (!is_amount (topology->card[i].bandwidth))
        return refuse (error, _ ("NIC %d in the map of the node has no valid bandwidth"), i);
    }
  for (int i = 0; i < topology->rings; i++)
    {
      const int *ring = plg_node_topology_ring (topology, i);
      gboolean seen[PLG_MAX_GPUS_PER_NODE] = { FALSE };

      for (int j = 0; j < topology->gpus; j++)
        {
          if (ring[j] < 0 || ring[j] >= topology->gpus || seen[ring[j]])
            return refuse (error,
                           _ ("Ring %d in the map of the node must name each GPU from 0 to %d "
                              "exactly once"),
                           i, topology->gpus - 1);
          seen[ring[j]] = TRUE;
        }
    }
  return TRUE;
}

/* Paths as text */

const char *
plg_path_code (PlgPathType type)
{
  return codes[type];
}

static void
append_code (GString *text, const PlgPath *path)
{
  g_string_append (text, codes[path->type]);
  if (path->links > 0)
    g_string_append_printf (text, "%d", path->links);
}

static void
append_gbps (GString *text, double bandwidth)
{
  g_autofree char *number = plg_format_exact_shifted (bandwidth, 9);

  if (bandwidth > 0.0)
    g_string_append_printf (text, ":%s", number);
}

char *
plg_path_to_string (const PlgPath *path)
{
  GString *text = g_string_new (NULL);

  append_code (text, path);
  append_gbps (text, path->bandwidth);
  if (path->planned.bandwidth > 0.0)
    {
      g_string_append_printf (text, "/%s", codes[path->planned.type]);
      append_gbps (text, path->planned.bandwidth);
    }
  return g_string_free (text, FALSE);
}

gboolean
plg_gbps_from_string (double *bandwidth, const char *text)
{
  g_autofree char *scaled = g_strconcat (text, "e9", NULL);
  char *end;

  /* Append the exponent to the text before the conversion, because a multiplication by 1e9 after
   * the conversion would round a second time. */
  *bandwidth = g_ascii_strtod (scaled, &end);
  return g_ascii_isdigit (*text) && text[strspn (text, "0123456789.")] == '\0' && *end == '\0' &&
         is_amount (*bandwidth);
}

/* Reads one path, such as "PIX:63" in "PIX:63/PIX:48". */
static gboolean
read_way (PlgPath *path, const char *text)
{
  /* Find the type whose code is the longest match at the start of TEXT; PLG_N_PATH_TYPES if no
   * code matches. */
  PlgPathType type = PLG_N_PATH_TYPES;

  for (int i = 0; i < PLG_N_PATH_TYPES; i++)
    if (g_str_has_prefix (text, codes[i]) &&
        (type == PLG_N_PATH_TYPES || strlen (codes[i]) > strlen (codes[type])))
      type = i;

  guint64 links = 0;
  char *end;

  if (type == PLG_N_PATH_TYPES)
    return FALSE;
  text += strlen (codes[type]);
  if (g_ascii_isdigit (*text))
    {
      links = g_ascii_strtoull (text, &end, 10);
      text = end;
    }
  *path = (PlgPath) { .type = type, .links = (int) MIN (links, MAX_LINKS + 1) };
  if (*text == ':')
    return plg_gbps_from_string (&path->bandwidth, text + 1) && path->links <= MAX_LINKS;
  return *text == '\0' && path->links <= MAX_LINKS;
}

gboolean
plg_path_from_string (PlgPath *path, const char *text)
{
  g_auto (GStrv) sides = g_strsplit (text, "/", 2);
  PlgPath planned;

  if (sides[0] == NULL || !read_way (path, sides[0]))
    return FALSE;
  if (sides[1] == NULL)
    return TRUE;
  if (!read_way (&planned, sides[1]) || planned.links > 0 || !(planned.bandwidth > 0.0))
    return FALSE;
  path->planned = (PlgPlannedPath) { planned.type, planned.bandwidth };
  return TRUE;
}

char *
plg_path_describe (const PlgPath *path, const char *link_title)
{
  g_autofree char *bandwidth = plg_format_bandwidth (path->bandwidth);
  GString *text = g_string_new (NULL);

  if (path->type == PLG_PATH_NVLINK && !g_str_equal (link_title, "NVLink"))
    {
      g_string_append (text, link_title);
      if (path->links > 0)
        g_string_append_printf (text, " × %d", path->links);
    }
  else if (path->type == PLG_PATH_UNKNOWN)
    g_string_append (text, _ ("unknown path"));
  else
    append_code (text, path);
  if (path->bandwidth > 0.0)
    g_string_append_printf (text, ", %s", bandwidth);
  return g_string_free (text, FALSE);
}

char *
plg_path_describe_planned (const PlgPath *path)
{
  g_autofree char *bandwidth = plg_format_bandwidth (path->planned.bandwidth);

  return path->planned.bandwidth > 0.0
             ? g_strdup_printf ("%s %s", codes[path->planned.type], bandwidth)
             : NULL;
}
