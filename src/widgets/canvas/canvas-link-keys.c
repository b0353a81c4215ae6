/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The keys for links and pins: L highlights the next link of the focused GPU. P pins the
 * highlighted entity or, if nothing is highlighted, the focused GPU. The accessible name of the
 * focused cell describes the highlighted link. */

#include "widgets/canvas/canvas-private.h"

#include "engine/network/fabric.h"

static PlgHighlightModel *
highlight_model (PlgCanvas *self)
{
  return plg_document_highlight_model (self->document);
}

static gboolean
link_ends_at_gpu (const PlgFabric *fabric, const PlgLink *link, int gpu)
{
  int local = gpu % fabric->gpus, first, last;

  if (link->node != gpu / fabric->gpus)
    return FALSE;
  if (link->tier != PLG_TIER_NIC)
    return link->local == local || (plg_link_is_pair (link) && link->other == local);
  plg_fabric_nics_of (fabric, local, &first, &last);
  for (int i = first; i <= last; i++)
    if (plg_fabric_nic_at (fabric, local, i) == link->local)
      return TRUE;
  return FALSE;
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
    if (link_ends_at_gpu (&fabric, link, gpu))
      return gpu;
  if (node < 0)
    node = (cluster->network == PLG_NETWORK_RAIL
                ? link->local / MAX (switches.leaves / MAX (switches.units, 1), 1)
                : link->local) *
           MAX (switches.nodes_per_leaf, 1);
  return CLAMP (node, 0, cluster->nodes - 1) * fabric.gpus;
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
  return link_ends_at_gpu (&fabric, &g_array_index (links, PlgLink, highlighted.index),
                           plg_canvas_focused (self))
             ? highlighted.index
             : -1;
}

/* Highlights the next link of the focused GPU, or the previous link if @step is -1. */
static void
step_link (PlgCanvas *self, int step)
{
  const GArray *links;
  PlgFabric fabric;
  int n, i, tries;

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  plg_fabric_of_plan (&fabric, plg_document_plan (self->document));
  links = plg_document_report (self->document)->links;
  n = links->len;
  i = plg_canvas_focused_link (self);
  if (i < 0)
    i = step > 0 ? -1 : n;
  for (tries = 0; tries < n; tries++)
    {
      i = (i + step + n) % n;
      if (link_ends_at_gpu (&fabric, &g_array_index (links, PlgLink, i), plg_canvas_focused (self)))
        break;
    }
  if (tries == n)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  plg_highlight_model_set_hovered (highlight_model (self),
                                   (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = i });
  /* Open the table of links, which shows keyboard users the traffic that pointer users see in
   * the tooltip. */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "links");
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

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  entity = plg_highlight_model_hovered (highlight_model (self));
  if (entity.kind == PLG_ENTITY_NONE)
    entity = (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = plg_canvas_focused (self) };
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
