/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/tray-name.h"

#include "plan/host-list.h"

#include <stdlib.h>
#include <string.h>

/* The text between a node's name and the tray number. */
#define TRAY "-tray"
#define MAX_DIGITS 3

char *
plg_tray_name (const char *node, int tray)
{
  int label = (int) strcspn (node, ".");

  return g_strdup_printf ("%.*s" TRAY "%d%s", label, node, tray, node + label);
}

/* Returns the index at which TRAY begins in the name HOST, or -1 if the name has no TRAY. Also
 * returns -1 if anything other than a number follows TRAY before the first dot or the end. */
static int
find_tray (const char *host)
{
  gsize label = strcspn (host, "."), digits = 0, word = strlen (TRAY);
  const char *number;

  while (digits < label && g_ascii_isdigit (host[label - digits - 1]))
    digits++;
  number = host + label - digits;
  if (digits == 0 || digits > MAX_DIGITS || (*number == '0' && digits > 1) ||
      label - digits <= word || strncmp (number - word, TRAY, word) != 0)
    return -1;
  return (int) (label - digits - word);
}

int
plg_tray_index (const char *host)
{
  int at = find_tray (host);

  return at < 0 ? -1 : atoi (host + at + strlen (TRAY));
}

char *
plg_tray_node_name (const char *host)
{
  int at = find_tray (host);

  return at < 0 ? g_strdup (host)
                : g_strdup_printf ("%.*s%s", at, host, host + strcspn (host, "."));
}

/* Returns how many of the N HOSTS, counted from the first, are trays 0, 1, 2, … of the same
 * node. */
static int
count_trays (const char *const *hosts, int n)
{
  g_autofree char *node = plg_tray_node_name (hosts[0]);
  int trays = 0;

  for (; trays < n && plg_tray_index (hosts[trays]) == trays; trays++)
    {
      g_autofree char *tray_node = plg_tray_node_name (hosts[trays]);

      if (!g_str_equal (tray_node, node))
        break;
    }
  return trays;
}

int
plg_tray_count (const char *const *hosts, int n)
{
  int trays = n > 0 ? count_trays (hosts, n) : 0;

  if (trays < 2 || n % trays != 0)
    return 1;
  for (int i = trays; i < n; i += trays)
    if (count_trays (hosts + i, n - i) != trays)
      return 1;
  return trays;
}

char *
plg_tray_common_name (const char *const *hosts, int trays)
{
  return count_trays (hosts, trays) == trays ? plg_tray_node_name (hosts[0])
                                             : plg_host_list_contract_shortest (hosts, trays);
}
