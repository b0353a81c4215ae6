/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/registry.h"

/* Each format is defined in the file of its reader or writer. */
extern const PlgFormat plg_megatron_format;
extern const PlgFormat plg_torchtitan_format;
extern const PlgFormat plg_deepspeed_format;
extern const PlgFormat plg_picotron_format;
extern const PlgFormat plg_nemo_format;
extern const PlgFormat plg_plan_xml_format;
extern const PlgFormat plg_plan_yaml_format;
extern const PlgFormat plg_plan_svg_format;
extern const PlgFormat plg_hf_format;
extern const PlgFormat plg_calculon_format;
extern const PlgFormat plg_calculon_model_format;
extern const PlgFormat plg_astra_sim_format;
extern const PlgFormat plg_astra_sim_system_format;
extern const PlgFormat plg_simai_format;
extern const PlgFormat plg_simai_busbw_format;
extern const PlgFormat plg_worksheet_format;
extern const PlgFormat plg_topology_notes_format;
extern const PlgFormat plg_mermaid_format;
extern const PlgFormat plg_html_format;
extern const PlgFormat plg_report_json_format;
extern const PlgFormat plg_report_text_format;
extern const PlgFormat plg_links_format;
extern const PlgFormat plg_ledger_format;
extern const PlgFormat plg_hwloc_format;
extern const PlgFormat plg_nccl_graph_format;
extern const PlgFormat plg_nccl_topology_format;
extern const PlgFormat plg_slurm_topology_format;
extern const PlgFormat plg_slurm_topology_yaml_format;
extern const PlgFormat plg_node_list_format;
extern const PlgFormat plg_nvidia_smi_format;
extern const PlgFormat plg_ranks_csv_format;
extern const PlgFormat plg_ranks_json_format;
extern const PlgFormat plg_nccl_tests_format;
extern const PlgFormat plg_rocm_smi_format;
extern const PlgFormat plg_amd_smi_format;
extern const PlgFormat plg_launch_script_format;
extern const PlgFormat plg_kubernetes_format;
extern const PlgFormat plg_device_mesh_format;
extern const PlgFormat plg_torchrun_format;
extern const PlgFormat plg_rankfile_format;
extern const PlgFormat plg_hostfile_format;
extern const PlgFormat plg_slurm_hostfile_format;
extern const PlgFormat plg_pbs_format;
extern const PlgFormat plg_ssh_format;
extern const PlgFormat plg_openmpi5_format;
extern const PlgFormat plg_openmpi4_format;
extern const PlgFormat plg_slurm_format;

/* If several formats match the same content, the first one in this table is chosen, so formats
 * with weaker checks come last. The program also lists the formats in this order, with launchers
 * before lists of ranks. */
static const PlgFormat *const formats[] = {
  &plg_plan_xml_format,
  &plg_plan_yaml_format,
  &plg_plan_svg_format,
  &plg_report_json_format,
  &plg_report_text_format,
  &plg_links_format,
  &plg_ledger_format,
  &plg_slurm_format,
  &plg_openmpi4_format,
  &plg_openmpi5_format,
  &plg_ssh_format,
  &plg_pbs_format,
  &plg_ranks_csv_format,
  &plg_ranks_json_format,
  &plg_launch_script_format,
  &plg_slurm_hostfile_format,
  &plg_rankfile_format,
  &plg_hostfile_format,
  &plg_kubernetes_format,
  &plg_torchrun_format,
  &plg_device_mesh_format,
  &plg_slurm_topology_format,
  &plg_slurm_topology_yaml_format,
  &plg_megatron_format,
  &plg_torchtitan_format,
  &plg_deepspeed_format,
  &plg_picotron_format,
  &plg_nemo_format,
  &plg_node_list_format,
  &plg_hf_format,
  &plg_nvidia_smi_format,
  &plg_calculon_format,
  &plg_calculon_model_format,
  &plg_astra_sim_format,
  &plg_astra_sim_system_format,
  &plg_simai_format,
  &plg_simai_busbw_format,
  &plg_worksheet_format,
  &plg_topology_notes_format,
  &plg_mermaid_format,
  &plg_html_format,
  &plg_nccl_tests_format,
  &plg_rocm_smi_format,
  &plg_amd_smi_format,
  &plg_nccl_topology_format,
  &plg_nccl_graph_format,
  &plg_hwloc_format,
};

const PlgFormat *const *
plg_formats (int *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const PlgFormat *
plg_format_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i]->name, name) == 0)
      return formats[i];
  return NULL;
}
