/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/fault.h"

#include "plan/plan-problem.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The minimum rate of a slow component, as a fraction of its stated rate. A failed component has
 * the rate 0. */
#define MIN_RATE 0.01

static const struct
{
  const char *name;
  gboolean pair;     /* TRUE if two numbers identify the component, such as a node and a NIC */
  gboolean may_fail; /* TRUE if the cluster can work without such a component */
} kinds[] = {
  [PLG_FAULT_GPU] = { "gpu", FALSE, FALSE },
  [PLG_FAULT_PORT] = { "port", FALSE, FALSE },
  [PLG_FAULT_NIC] = { "nic", TRUE, TRUE },
  [PLG_FAULT_UPLINK] = { "uplink", TRUE, TRUE },
};

/* Reads a non-negative number before SEPARATOR, and moves TEXT past the separator. */
static gboolean
take_number (const char **text, const char *separator, int *number)
{
  gsize n = strspn (*text, "0123456789");
  g_autofree char *digits = g_strndup (*text, n);
  gint64 value;

  if (!g_str_has_prefix (*text + n, separator) ||
      !g_ascii_string_to_signed (digits, 10, 0, G_MAXINT, &value, NULL))
    return FALSE;
  *number = (int) value;
  *text += n + strlen (separator);
  return TRUE;
}

static gboolean
read_fault (const char *text, PlgFault *fault)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n = strlen (kinds[i].name);
      const char *rest = text + n + 1;

      if (strncmp (text, kinds[i].name, n) != 0 || text[n] != ':')
        continue;
      *fault = (PlgFault) { .kind = i };
      if (kinds[i].pair && !take_number (&rest, ".", &fault->first))
        return FALSE;
      if (!take_number (&rest, "=", kinds[i].pair ? &fault->second : &fault->first))
        return FALSE;

      gboolean may_fail = kinds[i].may_fail;
      double *rate = &fault->rate;
      char *end = NULL;

      if (*rest == '\0' || strspn (rest, "0123456789.") != strlen (rest))
        return FALSE;
      *rate = g_ascii_strtod (rest, &end);
      return *end == '\0' && *rate <= 1.0 && (*rate >= MIN_RATE || (may_fail && *rate == 0.0));
    }
  return FALSE;
}

static gboolean
refuse_text (const char *text, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text, MIN (strlen (text), 400));
  g_autofree char *start = g_utf8_substring (valid, 0, MIN (40, g_utf8_strlen (valid, -1)));

  g_strdelimit (start, "\n\r\t", ' ');
  plg_plan_problem_set_for_key (
      error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
      _ ("“%s” is not a fault; write gpu:NUMBER=RATE, port:NUMBER=RATE, "
         "nic:NODE.NIC=RATE or uplink:LEAF.SPINE=RATE, separated by commas; RATE is the "
         "remaining share of the rate, 0.01 to 1, or 0 for a NIC or uplink that has "
         "failed"),
      start);
  return FALSE;
}

gboolean
plg_faults_from_string (PlgCluster *cluster, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", PLG_MAX_FAULTS + 2);
  PlgFault faults[PLG_MAX_FAULTS];
  int n = 0;

  if (text[strspn (text, " \t\n\r")] == '\0')
    {
      cluster->n_faults = 0;
      return TRUE;
    }
  for (int i = 0; parts[i] != NULL; i++)
    g_strstrip (parts[i]);
  for (int i = 0; parts[i] != NULL; i++)
    {
      if (n == PLG_MAX_FAULTS)
        {
          plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                                        _ ("there are more than %d faults; list only the worst"),
                                        PLG_MAX_FAULTS);
          return FALSE;
        }

      /* In "gpu:1=0,8", the decimal comma splits one fault into two invalid faults. Recognise
       * this mistake, so that the message can name the remedy. */
      const char *part = parts[i];
      const char *next = parts[i + 1];
      g_autofree char *meant = next != NULL ? g_strconcat (part, ".", next, NULL) : NULL;
      PlgFault fault;

      if (meant != NULL && g_ascii_isdigit (*next) && read_fault (meant, &fault))
        {
          plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                                        _ ("commas separate faults; write rates with a decimal "
                                           "point: %s"),
                                        meant);
          return FALSE;
        }

      if (!read_fault (parts[i], &faults[n++]))
        return refuse_text (parts[i], error);
    }
  memcpy (cluster->faults, faults, n * sizeof *faults);
  cluster->n_faults = n;
  return TRUE;
}

static int
find_fault (const PlgCluster *cluster, PlgFaultKind kind, int first, int second)
{
  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].kind == kind && cluster->faults[i].first == first &&
        cluster->faults[i].second == second)
      return i;
  return -1;
}

double
plg_faults_rate (const PlgCluster *cluster, PlgFaultKind kind, int first, int second)
{
  int i = find_fault (cluster, kind, first, second);

  return i >= 0 ? cluster->faults[i].rate : 1.0;
}

gboolean
plg_fault_may_fail (PlgFaultKind kind)
{
  return kinds[kind].may_fail;
}

double
plg_fault_cut_rate (const PlgCluster *cluster, PlgFaultKind kind)
{
  double left;

  if (kinds[kind].may_fail)
    return 0.0;
  if (kind != PLG_FAULT_PORT || cluster->intra == PLG_INTRA_PCIE || !(cluster->intra_bandwidth > 0))
    return 1.0;
  left = round (1000 * cluster->gpu.pcie_bandwidth / cluster->intra_bandwidth) / 1000;
  return left >= MIN_RATE && left < 1.0 ? left : 1.0;
}

gboolean
plg_faults_set (PlgCluster *cluster, const PlgFault *fault, GError **error)
{
  int i = find_fault (cluster, fault->kind, fault->first, fault->second);
  gboolean can_be = fault->rate <= 1.0 && (fault->rate >= MIN_RATE ||
                                           (fault->rate == 0.0 && kinds[fault->kind].may_fail));

  if (!can_be)
    {
      g_autofree char *name = plg_fault_name (cluster, NULL, fault);
      g_autofree char *percent = plg_format_number (100.0 * fault->rate, 3);

      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   kinds[fault->kind].may_fail
                       ? _ ("%s cannot run at %s %%; use 1 to 100 %%, or 0 if it has failed")
                       : _ ("%s cannot run at %s %%; use 1 to 100 %%"),
                   name, percent);
      return FALSE;
    }
  if (fault->rate == 1.0)
    {
      if (i >= 0)
        {
          int j = i;

          cluster->n_faults--;
          for (; j < cluster->n_faults; j++)
            cluster->faults[j] = cluster->faults[j + 1];
        }
      return TRUE;
    }
  if (i < 0 && cluster->n_faults == PLG_MAX_FAULTS)
    {
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("A plan can have at most %d faults; repair one first"), PLG_MAX_FAULTS);
      return FALSE;
    }
  cluster->faults[i >= 0 ? i : cluster->n_faults++] = *fault;
  return TRUE;
}

/* Appends the name of the faulty part, for example "gpu:17" or "nic:2.3". */
static void
append_part (GString *text, const PlgFault *fault)
{
  g_string_append_printf (text, "%s:%d", kinds[fault->kind].name, fault->first);
  if (kinds[fault->kind].pair)
    g_string_append_printf (text, ".%d", fault->second);
}

static void
append_fault (GString *text, const PlgFault *fault)
{
  g_autofree char *rate = plg_format_exact (fault->rate);

  if (text->len > 0)
    g_string_append_c (text, ',');
  append_part (text, fault);
  g_string_append_printf (text, "=%s", rate);
}

char *
plg_fault_to_string (const PlgFault *fault)
{
  GString *text = g_string_new (NULL);

  append_fault (text, fault);
  return g_string_free (text, FALSE);
}

char *
plg_faults_to_string_without (const PlgCluster *cluster, int skipped)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < cluster->n_faults; i++)
    if (i != skipped)
      append_fault (text, &cluster->faults[i]);
  return g_string_free (text, FALSE);
}

char *
plg_faults_to_string (const PlgCluster *cluster)
{
  return plg_faults_to_string_without (cluster, -1);
}

/* Sets *FIRST and *SECOND to the upper limits (exclusive) of the two numbers that identify a
 * component of type KIND. */
static void
limits_of (const PlgCluster *cluster, PlgFaultKind kind, int *first, int *second)
{
  PlgSwitches switches = plg_cluster_switches (cluster);

  *first = plg_cluster_gpus (cluster);
  *second = 1;
  if (kind == PLG_FAULT_NIC)
    {
      *first = cluster->nodes > 1 ? cluster->nodes : 0;
      *second = switches.nics;
    }
  else if (kind == PLG_FAULT_UPLINK)
    {
      *first = switches.spines > 0 ? switches.leaves : 0;
      *second = switches.spines;
    }
}

static gboolean
exists (const PlgCluster *cluster, const PlgFault *fault)
{
  int first, second;

  limits_of (cluster, fault->kind, &first, &second);
  return fault->first >= 0 && fault->first < first && fault->second >= 0 && fault->second < second;
}

void
plg_faults_prune (PlgCluster *cluster)
{
  int kept = 0;

  for (int i = 0; i < cluster->n_faults; i++)
    if (exists (cluster, &cluster->faults[i]))
      cluster->faults[kept++] = cluster->faults[i];
  cluster->n_faults = kept;
}

gboolean
plg_faults_check (const PlgCluster *cluster, GError **error)
{
  for (int i = 0; i < cluster->n_faults; i++)
    {
      const PlgFault *fault = &cluster->faults[i];

      if (!exists (cluster, fault))
        {
          g_autoptr (GString) text = g_string_new (NULL);
          int first, second;

          append_part (text, fault);
          limits_of (cluster, fault->kind, &first, &second);
          if (first == 0)
            plg_plan_problem_set_for_key (
                error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                _ ("%s is part of a network level that this cluster does not "
                   "have; remove the fault"),
                text->str);
          else if (kinds[fault->kind].pair)
            plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                                          _ ("%s does not exist; use %s:0.0 to %s:%d.%d"),
                                          text->str, kinds[fault->kind].name,
                                          kinds[fault->kind].name, first - 1, second - 1);
          else
            plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                                          _ ("%s does not exist; use %s:0 to %s:%d"), text->str,
                                          kinds[fault->kind].name, kinds[fault->kind].name,
                                          first - 1);
          return FALSE;
        }
      if (find_fault (cluster, fault->kind, fault->first, fault->second) < i)
        {
          g_autoptr (GString) text = g_string_new (NULL);

          append_part (text, fault);
          plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                                        _ ("%s appears twice; remove one of the faults"),
                                        text->str);
          return FALSE;
        }
      if (fault->rate <= 0.0)
        {
          int first, second, failed = 0;

          limits_of (cluster, fault->kind, &first, &second);
          for (int j = 0; j < cluster->n_faults; j++)
            if (cluster->faults[j].kind == fault->kind &&
                cluster->faults[j].first == fault->first && cluster->faults[j].rate <= 0.0)
              failed++;
          if (failed == second)
            {
              plg_plan_problem_set_for_key (
                  error, PLG_PLAN_ERROR_RANGE, "cluster.faults",
                  fault->kind == PLG_FAULT_NIC
                      ? _ ("node %d has no working NIC left; give one NIC a rate "
                           "above 0, or remove the node from the cluster")
                      : _ ("leaf %d has no working uplink left; give one uplink "
                           "a rate above 0"),
                  fault->first);
              return FALSE;
            }
        }
    }
  return TRUE;
}

char *
plg_fault_name (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault)
{
  const char *node = names != NULL ? plg_node_names_get (names, fault->first) : NULL;
  const char *node_of_gpu = names != NULL && cluster->gpus_per_node > 0
                                ? plg_node_names_get (names, fault->first / cluster->gpus_per_node)
                                : NULL;
  g_autofree char *gpu = node_of_gpu != NULL
                             ? g_strdup_printf (_ ("GPU %d on %s"), fault->first, node_of_gpu)
                             : g_strdup_printf (_ ("GPU %d"), fault->first);

  switch (fault->kind)
    {
    case PLG_FAULT_PORT:
      return g_strdup_printf (_ ("The %s port of %s"),
                              cluster->intra == PLG_INTRA_PCIE ? "PCIe"
                                                               : plg_cluster_link_title (cluster),
                              gpu);
    case PLG_FAULT_NIC:
      if (node != NULL)
        return g_strdup_printf (_ ("NIC %d of %s"), fault->second, node);
      return g_strdup_printf (_ ("NIC %d of node %d"), fault->second, fault->first);
    case PLG_FAULT_UPLINK:
      return g_strdup_printf (_ ("The uplink of leaf %d to spine %d"), fault->first, fault->second);
    case PLG_FAULT_GPU:
    default:
      return g_steal_pointer (&gpu);
    }
}

char *
plg_fault_describe (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault)
{
  g_autofree char *name = plg_fault_name (cluster, names, fault);
  g_autofree char *percent = plg_format_number (100.0 * fault->rate, 3);

  if (fault->rate <= 0.0)
    return g_strdup_printf (_ ("%s has failed"), name);
  if (fault->rate >= 1.0)
    return g_strdup_printf (_ ("%s is repaired"), name);
  return g_strdup_printf (_ ("%s runs at %s %%"), name, percent);
}

int
plg_fault_node (const PlgCluster *cluster, const PlgFault *fault)
{
  switch (fault->kind)
    {
    case PLG_FAULT_GPU:
    case PLG_FAULT_PORT:
      return fault->first / cluster->gpus_per_node;
    case PLG_FAULT_NIC:
      return fault->first;
    case PLG_FAULT_UPLINK:
    default:
      return -1;
    }
}
