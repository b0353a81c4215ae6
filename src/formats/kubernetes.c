/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/hosts.h"
#include "formats/launch-script.h"
#include "formats/launch.h"

#include <glib/gi18n-lib.h>

/* A PyTorchJob of Kubeflow's training operator: a pod fills a node. Pods of a kind are alike, so
 * where nodes have names each pod learns from its node's name which block of ranks it has; where
 * they have none, the operator's number of the pod is the block. */

#define INDENT "                "

/* What tells a pod which block it has, and the GPUs of the block in order. */
static void
add_blocks (GString *yaml, const PlgPlan *plan, char **hosts, const int *node_of_block)
{
  gboolean names = plg_launch_has_names (plan);

  g_string_append_printf (yaml, INDENT "case $%s in\n", names ? "NODE_NAME" : "RANK");
  for (int block = 0; block < plan->cluster.nodes; block++)
    {
      int node = node_of_block[block];
      g_autofree char *devices = plg_launch_devices (plan, node);

      if (names)
        g_string_append_printf (yaml, INDENT "  %s) node_rank=%d", hosts[node], block);
      else
        g_string_append_printf (yaml, INDENT "  %d) node_rank=%d", block, block);
      if (devices != NULL)
        g_string_append_printf (yaml,
                                "; export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=%s",
                                devices);
      g_string_append (yaml, " ;;\n");
    }
  g_string_append (yaml, INDENT "  *) echo \"The plan has no such node.\" >&2; exit 1 ;;\n" INDENT
                                "esac\n");
}

static void
add_container (GString *yaml, const PlgPlan *plan, char **hosts, const int *node_of_block)
{
  g_string_append (yaml, "          containers:\n"
                         "            - name: pytorch\n"
                         "              image: IMAGE\n"
                         "              env:\n"
                         "                - name: NODE_NAME\n"
                         "                  valueFrom:\n"
                         "                    fieldRef:\n"
                         "                      fieldPath: spec.nodeName\n"
                         "              command: [\"bash\", \"-euc\"]\n"
                         "              args:\n"
                         "              - |\n");
  add_blocks (yaml, plan, hosts, node_of_block);
  g_string_append_printf (yaml,
                          INDENT "exec torchrun --nnodes=%d --nproc-per-node=%d "
                                 "--node-rank=\"$node_rank\" \\\n" INDENT
                                 "  --master-addr=\"$MASTER_ADDR\" --master-port=\"$MASTER_PORT\" "
                                 "train.py\n"
                                 "              resources:\n"
                                 "                limits:\n"
                                 "                  nvidia.com/gpu: %d\n",
                          plan->cluster.nodes, plan->cluster.gpus_per_node,
                          plan->cluster.gpus_per_node);
}

/* Pods are kept to the hosts of the blocks from FIRST on, N of them. */
static void
add_hosts (GString *yaml,
           const PlgPlan *plan,
           char **hosts,
           const int *node_of_block,
           int first,
           int n)
{
  if (!plg_launch_has_names (plan))
    return;
  g_string_append (yaml, "          affinity:\n"
                         "            nodeAffinity:\n"
                         "              requiredDuringSchedulingIgnoredDuringExecution:\n"
                         "                nodeSelectorTerms:\n"
                         "                  - matchExpressions:\n"
                         "                      - key: kubernetes.io/hostname\n"
                         "                        operator: In\n"
                         "                        values:\n");
  for (int i = 0; i < n; i++)
    g_string_append_printf (yaml, "                          - \"%s\"\n",
                            hosts[node_of_block[first + i]]);
}

static void
add_replicas (GString *yaml, const PlgPlan *plan, const int *node_of_block, int first, int n)
{
  g_auto (GStrv) hosts = plg_hosts_of_plan (plan);

  if (n == 0)
    return;
  g_string_append_printf (yaml,
                          "    %s:\n"
                          "      replicas: %d\n"
                          "      restartPolicy: OnFailure\n"
                          "      template:\n"
                          "        spec:\n",
                          first == 0 ? "Master" : "Worker", n);
  add_hosts (yaml, plan, hosts, node_of_block, first, n);
  add_container (yaml, plan, hosts, node_of_block);
}

static GBytes *
write_job (const PlgWriting *writing, GError **error)
{
  const PlgPlan *plan = writing->plan;
  g_autofree int *node_of_block = plg_launch_blocks (plan, _ ("A PyTorchJob"), error);
  GString *yaml;

  if (node_of_block == NULL)
    return NULL;
  yaml = g_string_new (NULL);
  plg_launch_script_title (yaml, plan);
  plg_launch_script_comment (yaml, "\nSet the image, and the program behind torchrun.");
  g_string_append (yaml, "apiVersion: kubeflow.org/v1\n"
                         "kind: PyTorchJob\n"
                         "metadata:\n"
                         "  name: parallelogram\n"
                         "spec:\n"
                         "  pytorchReplicaSpecs:\n");
  add_replicas (yaml, plan, node_of_block, 0, 1);
  add_replicas (yaml, plan, node_of_block, 1, plan->cluster.nodes - 1);
  return plg_take_text (g_string_free (yaml, FALSE));
}

const PlgFormat plg_kubernetes_format = {
  .name = "kubernetes",
  .suffix = ".yaml",
  .title = N_ ("PyTorchJob for Kubernetes (YAML)"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .write = write_job,
};
