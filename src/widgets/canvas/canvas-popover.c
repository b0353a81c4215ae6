/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Small questions that are asked where the thing is: at what rate does it run? */

#include "widgets/canvas/canvas-private.h"

#include "plan/fault.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  PlgCanvas *canvas; /* which owns the popover that owns this */
  PlgFault fault;
  GtkWidget *spin;
} RateQuestion;

static void
rate_applied_cb (RateQuestion *question)
{
  PlgCanvas *canvas = question->canvas;
  PlgFault fault = question->fault;

  gtk_spin_button_update (GTK_SPIN_BUTTON (question->spin));
  fault.rate = gtk_spin_button_get_value (GTK_SPIN_BUTTON (question->spin)) / 100;
  gtk_popover_popdown (GTK_POPOVER (canvas->popover));
  plg_canvas_set_fault (canvas, &fault);
}

static void
free_question (gpointer question, GClosure *closure)
{
  g_free (question);
}

static GtkWidget *
new_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  gtk_widget_add_css_class (label, "heading");
  return label;
}

/* Heading, control and button, in a popover. */
static GtkWidget *
new_question (const char *heading, GtkWidget *control, GtkWidget *button)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_set_hexpand (control, TRUE);
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (line), control);
  gtk_box_append (GTK_BOX (line), button);
  gtk_box_append (GTK_BOX (box), new_heading (heading));
  gtk_box_append (GTK_BOX (box), line);
  gtk_widget_add_css_class (box, "question");
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, heading,
                                  -1);
  return popover;
}

void
plg_canvas_open_rate_popover (PlgCanvas *self, const PlgFault *fault)
{
  RateQuestion *question = g_new0 (RateQuestion, 1);
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *name = plg_fault_name (&plan->cluster, &plan->node_names, fault);
  g_autofree char *heading = g_strdup_printf (_ ("%s runs at, in percent"), name);
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Set"));
  GtkWidget *popover;

  *question = (RateQuestion) { self, *fault, NULL };
  question->spin = gtk_spin_button_new_with_range (plg_fault_may_fail (fault->kind) ? 0 : 1, 100,
                                                   1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (question->spin), 100 * fault->rate);
  gtk_editable_set_width_chars (GTK_EDITABLE (question->spin), 4);
  popover = new_question (heading, question->spin, button);
  g_signal_connect_data (button, "clicked", G_CALLBACK (rate_applied_cb), question, free_question,
                         G_CONNECT_SWAPPED);
  g_signal_connect_swapped (gtk_editable_get_delegate (GTK_EDITABLE (question->spin)), "activate",
                            G_CALLBACK (rate_applied_cb), question);
  plg_canvas_set_popover (self, popover, self->menu_position);
  gtk_widget_grab_focus (question->spin);
}

typedef struct
{
  PlgCanvas *canvas;
  int node;
  GtkWidget *entry;
  GtkWidget *button;
  GtkWidget *reason; /* why the name is not taken */
} NameQuestion;

/* Whether the node may be called NAME, also beside the names of the others. */
static gboolean
check_name (NameQuestion *question, const char *name, GError **error)
{
  const PlgPlan *plan = plg_document_plan (question->canvas->document);
  PlgNodeNames names = { 0 };
  gboolean can_be;

  plg_node_names_copy (&names, &plan->node_names);
  can_be = plg_node_names_set (&names, question->node, name, error) &&
           plg_node_name_fits (plg_node_names_get (&names, question->node), question->node,
                               plg_cluster_hosts_per_node (&plan->cluster), error);
  plg_node_names_clear (&names);
  return can_be;
}

/* What cannot be a name is not taken, and the line below the entry says why. */
static void
name_typed_cb (NameQuestion *question)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (question->entry));
  g_autoptr (GError) error = NULL;
  gboolean can_be = check_name (question, name, &error);

  gtk_widget_set_sensitive (question->button, can_be);
  gtk_label_set_text (GTK_LABEL (question->reason), can_be ? "" : error->message);
  gtk_widget_set_visible (question->reason, !can_be);
  if (can_be)
    gtk_widget_remove_css_class (question->entry, "error");
  else
    gtk_widget_add_css_class (question->entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (question->entry), GTK_ACCESSIBLE_STATE_INVALID,
                               can_be ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE,
                               -1);
  plg_accessible_set_description (question->entry, can_be ? NULL : error->message);
}

static GtkWidget *
new_reason (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  gtk_widget_add_css_class (label, "error");
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_visible (label, FALSE);
  return label;
}

static void
name_applied_cb (NameQuestion *question)
{
  PlgCanvas *canvas = question->canvas;
  int node = question->node;
  gboolean can_be = gtk_widget_get_sensitive (question->button);
  g_autofree char *name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (question->entry)));

  if (!can_be)
    return;
  gtk_popover_popdown (GTK_POPOVER (canvas->popover));
  plg_canvas_rename_node (canvas, node, name);
}

/* What may be written: of a node of several HOSTS also their names. */
static char *
new_name_heading (int node, int hosts)
{
  return hosts == 1 ? g_strdup_printf (_ ("Name of node %d"), node)
                    : g_strdup_printf (_ ("Name of node %d, or of its %d hosts, as host[1-%d]"),
                                       node, hosts, hosts);
}

void
plg_canvas_open_name_popover (PlgCanvas *self, int node)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const char *name = plg_node_names_get (&plan->node_names, node);
  int hosts = plg_cluster_hosts_per_node (&plan->cluster);
  g_autofree char *heading = new_name_heading (node, hosts);
  NameQuestion *question = g_new0 (NameQuestion, 1);
  GtkWidget *popover;

  *question = (NameQuestion) { self, node, gtk_entry_new (),
                               gtk_button_new_with_mnemonic (_ ("_Name")), new_reason () };
  gtk_editable_set_text (GTK_EDITABLE (question->entry), name != NULL ? name : "");
  gtk_entry_set_max_length (GTK_ENTRY (question->entry), hosts * PLG_NODE_NAME_SIZE - 1);
  popover = new_question (heading, question->entry, question->button);
  gtk_box_append (GTK_BOX (gtk_popover_get_child (GTK_POPOVER (popover))), question->reason);
  g_signal_connect_data (question->button, "clicked", G_CALLBACK (name_applied_cb), question,
                         free_question, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (question->entry, "activate", G_CALLBACK (name_applied_cb), question);
  g_signal_connect_swapped (question->entry, "changed", G_CALLBACK (name_typed_cb), question);
  plg_canvas_set_popover (self, popover, self->menu_position);
  gtk_widget_grab_focus (question->entry);
}
