/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"

#include <string.h>

/* Topology files of NCCL and RCCL for the tests of the reader. */

#define CPU(numa) \
  "<cpu numaid='" numa "' arch='x86_64' vendor='GenuineIntel' familyid='6' modelid='85'>"
#define BRIDGE(id, speed) \
  "<pci busid='" id "' class='0x060400' link_speed='" speed "' link_width='16'>"
#define DEVICE(id, speed) \
  "<pci busid='" id "' class='0x030200' link_speed='" speed "' link_width='16'>"
#define CARD(id, speed) \
  "<pci busid='" id "' class='0x020700' link_speed='" speed "' link_width='16'>"
#define NET(dev) \
  "<nic><net name='mlx5_" dev "' dev='" dev "' speed='200000' port='1' gdr='1'/></nic>"
#define NVLINK(id, count) "<nvlink target='" id "' count='" count "' tclass='0x030200'/>"
#define JOINED(count) "<nvlink target='fffffff:ffff:ff' count='" count "' tclass='0x068000'/>"

/* Two CPUs with two GPUs each. GPUs 0 and 1 have two NVLinks, 1 and 2 one, 2 and 3 none: the path
 * from 0 to 2 passes 1, and the path from 1 to 3 the CPUs. Both GPUs of a CPU are below one switch,
 * with the NIC of CPU 0; the NIC of CPU 1 is below a switch above it. */
/* clang-format off */
static const char mixed[] =
  "<system version='1'>"
    CPU ("0")
      BRIDGE ("0000:10:00.0", "16.0 GT/s PCIe")
        DEVICE ("0000:11:00.0", "16.0 GT/s PCIe")
          "<gpu dev='0' sm='80' rank='0' gdr='1'>"
            NVLINK ("0000:12:00.0", "2") "</gpu></pci>"
        DEVICE ("0000:12:00.0", "16.0 GT/s PCIe")
          "<gpu dev='1' sm='80' rank='1' gdr='1'>"
            NVLINK ("0000:11:00.0", "2")
            NVLINK ("0000:22:00.0", "1") "</gpu></pci>"
        CARD ("0000:13:00.0", "16.0 GT/s PCIe")
          NET ("0") "</pci></pci></cpu>"
    CPU ("1")
      BRIDGE ("0000:1f:00.0", "8 GT/s")
        BRIDGE ("0000:20:00.0", "8 GT/s")
          DEVICE ("0000:22:00.0", "8 GT/s")
            "<gpu dev='2' sm='80' rank='2'>"
              NVLINK ("0000:12:00.0", "1") "</gpu></pci>"
          DEVICE ("0000:23:00.0", "")
            "<gpu dev='3' sm='80' rank='3'/></pci>"
          DEVICE ("0000:24:00.0", "8 GT/s")
            "<gpu dev='4' sm='80' rank='-1'/></pci></pci>"
        CARD ("0000:25:00.0", "8 GT/s")
          NET ("1") "</pci></pci></cpu></system>";
/* clang-format on */

/* Grace and Hopper: C2C to the CPU, with the NIC below the CPU. Two entries have 18 links to
 * switches. */
/* clang-format off */
static const char grace[] =
  "<system version='1'>"
    "<cpu numaid='0' arch='arm64'>"
      DEVICE ("0009:01:00.0", "32.0 GT/s PCIe")
        "<gpu dev='0' sm='90' rank='0'>"
          JOINED ("10")
          JOINED ("8")
          "<c2c bw='44712' count='10'/></gpu></pci>"
      CARD ("0002:01:00.0", "32.0 GT/s PCIe")
        NET ("0") "</pci></cpu>"
    "<cpu numaid='1' arch='arm64'>"
      DEVICE ("0019:01:00.0", "32.0 GT/s PCIe")
        "<gpu dev='1' sm='90' rank='1'>"
          JOINED ("18")
          "<c2c bw='44712' count='10'/></gpu></pci></cpu></system>";
/* clang-format on */

static const char fabric
    [] = "<system version='2'><cpu numaid='0' arch='x86_64' vendor='AuthenticAMD' familyid='25' "
         "modelid='17'><pci busid='0000:0c:00.0' class='0x120000' vendor='0x1002' device='0x74a1' "
         "link_speed='32.0 GT/s PCIe' link_width='16'><gpu dev='0' sm='94' gcn='gfx942' rank='0'>"
         "<xgmi target='0000:15:00.0' count='1' tclass='0x120000'/></gpu></pci>"
         "<pci busid='0000:15:00.0' class='0x120000' vendor='0x1002' device='0x74a1' "
         "link_speed='32.0 GT/s PCIe' link_width='16'><gpu dev='1' sm='94' gcn='gfx942' rank='1'>"
         "<xgmi target='0000:0c:00.0' count='1' tclass='0x120000'/></gpu></pci></cpu></system>";

/* Two GPUs of PCIe 4 below switches of PCIe 3 without direct links, as on AMD's boards, and a NIC
 * above. */
/* clang-format off */
static const char slow_switches[] =
  "<system version='2'>"
    CPU ("0")
      BRIDGE ("0000:18:00.0", "8 GT/s")
        BRIDGE ("0000:1b:00.0", "8 GT/s")
          DEVICE ("0000:1d:00.0", "16 GT/s")
            "<gpu dev='0' sm='64' gcn='906' rank='0' gdr='1'/></pci></pci>"
        BRIDGE ("0000:1e:00.0", "8 GT/s")
          DEVICE ("0000:20:00.0", "16 GT/s")
            "<gpu dev='1' sm='64' gcn='906' rank='1' gdr='1'/></pci></pci>"
        CARD ("0000:1a:00.0", "8 GT/s")
          NET ("0") "</pci></pci></cpu></system>";
/* clang-format on */

static inline PlgImportResult *
import_nccl (const char *text, GError **error)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "topo.xml", NULL, catalogue, error);
}
