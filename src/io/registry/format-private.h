/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* The entries of format.c's table, each defined in the file of its format. */
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

/* The bytes of TEXT (transfer full), for writers. */
GBytes *plg_take_text (char *text) G_GNUC_WARN_UNUSED_RESULT;
/* Whether EXPORT has a report. Otherwise sets ERROR. */
gboolean plg_need_report (const PlgExportContext *export, GError **error);

/* Whether the first element of the XML text DATA, after declarations and comments, is NAME. */
gboolean plg_xml_begins (const char *data, gsize size, const char *name);

G_END_DECLS
