/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Links and pins by keys: L goes from one link of the GPU that has the focus to the next and lights
 * it up, P pins what is lit up so, or else the GPU. What is lit is told by the GPU's cell, which
 * has the focus and so is heard. */

#include "widgets/canvas/canvas-private.h"

#include "engine/network/fabric.h"

static PlgHighlightModel *
highlight_model (PlgCanvas *self)
{
  return plg_document_highlight_model (self->document);
}

/* Whether a NIC is one of those that the GPU with this number in its node sends through. */
static gboolean
uses_nic (const PlgFabric *fabric, int local, int nic)
{
  int first, last;

  plg_fabric_nics_of (fabric, local, &first, &last);
  for (int way = first; way <= last; way++)
    if (plg_fabric_nic_at (fabric, local, way) == nic)
      return TRUE;
  return FALSE;
}

static gboolean
ends_at (const PlgFabric *fabric, const PlgLink *link, int gpu)
{
  int local = gpu % fabric->gpus;

  if (link->node != gpu / fabric->gpus)
    return FALSE;
  if (link->tier == PLG_TIER_NIC)
    return uses_nic (fabric, local, link->local);
  return link->local == local || (plg_link_is_pair (link) && link->other == local);
}

/* The next link of GPU after CURRENT (-1: the first) in the direction of STEP, round and round; -1
 * where it has none. */
static int
next_link (PlgCanvas *self, int gpu, int current, int step)
{
  const GArray *links = plg_document_report (self->document)->links;
  int n = links->len, i = current >= 0 ? current : step > 0 ? -1 : n;
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plg_document_plan (self->document));
  for (int k = 0; k < n; k++)
    {
      i = (i + step + n) % n;
      if (ends_at (&fabric, &g_array_index (links, PlgLink, i), gpu))
        return i;
    }
  return -1;
}

int
plg_canvas_focused_link (PlgCanvas *self)
{
  const GArray *links = plg_document_report (self->document)->links;
  PlgEntity highlighted = plg_highlight_model_hovered (highlight_model (self));
  PlgFabric fabric;

  if (highlighted.kind != PLG_ENTITY_LINK || highlighted.index >= (int) links->len ||
      !plg_canvas_has_locked_highlight (self))
    return -1;
  plg_fabric_of_plan (&fabric, plg_document_plan (self->document));
  return ends_at (&fabric, &g_array_index (links, PlgLink, highlighted.index), self->focused)
             ? highlighted.index
             : -1;
}

static void
step_link (PlgCanvas *self, int step)
{
  int link;

  if (self->document == NULL || self->drag != NULL)
    return;
  link = next_link (self, self->focused, plg_canvas_focused_link (self), step);
  if (link < 0)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  plg_highlight_model_set_hovered (highlight_model (self),
                                   (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = link });
  /* The pointer reads in a tooltip what crosses a link; keys read it in the ledger. */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "links");
}

void
plg_canvas_clear_link_focus (PlgCanvas *self)
{
  plg_canvas_clear_highlight (self);
}

int
plg_canvas_gpu_of_link (PlgCanvas *self, const PlgLink *link)
{
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  PlgSwitches switches = plg_cluster_switches (cluster);
  int node = link->node;
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plg_document_plan (self->document));
  for (int gpu = MAX (node, 0) * fabric.gpus; node >= 0 && gpu < (node + 1) * fabric.gpus; gpu++)
    if (ends_at (&fabric, link, gpu))
      return gpu;
  if (node < 0)
    node = (cluster->network == PLG_NETWORK_RAIL
                ? link->local / MAX (switches.leaves / MAX (switches.units, 1), 1)
                : link->local) *
           MAX (switches.nodes_per_leaf, 1);
  return CLAMP (node, 0, cluster->nodes - 1) * fabric.gpus;
}

static void
next_link_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_link (PLG_CANVAS (widget), 1);
}

static void
previous_link_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_link (PLG_CANVAS (widget), -1);
}

static void
pin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  PlgEntity entity;

  if (self->document == NULL || self->drag != NULL)
    return;
  entity = plg_highlight_model_hovered (highlight_model (self));
  if (entity.kind == PLG_ENTITY_NONE)
    entity = (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = self->focused };
  plg_canvas_announce (self, NULL);
  plg_highlight_model_toggle (highlight_model (self), entity);
}

void
plg_canvas_install_link_keys (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "canvas.next-link", NULL, next_link_action);
  gtk_widget_class_install_action (widget_class, "canvas.previous-link", NULL,
                                   previous_link_action);
  gtk_widget_class_install_action (widget_class, "canvas.pin", NULL, pin_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_l, 0, "canvas.next-link", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_l, GDK_SHIFT_MASK,
                                       "canvas.previous-link", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_p, 0, "canvas.pin", NULL);
}
