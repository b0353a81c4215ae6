/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/card.h"

#include "engine/report/explanation.h"
#include "engine/report/redaction.h"
#include "io/reports/constant-sources.h"
#include "widgets/panels/line-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _PlgCard
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *panel;

  GtkWidget *box;
  GtkLabel *title;
  GtkLabel *value;
  GtkLabel *verdict;
  GtkLabel *subtitle;
  GtkWidget *content;
  GtkWidget *expander;
  GtkWidget *formulas;
  char *state;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PlgCard,
                               plg_card,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum
{
  PROP_0,
  PROP_DOCUMENT,
  PROP_PANEL,
  PROP_TITLE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];
static GtkBuildableIface *parent_buildable;

/* Formulas ------------------------------------------------------------------------------------- */

/* Updates the formulas if the card is expanded. The formulas of a collapsed card are not
 * updated, so that drags are fast. */
static void
update_formulas (PlgCard *self)
{
  GtkWidget *line = gtk_widget_get_first_child (self->formulas);
  g_autoptr (GArray) explanations = NULL;
  g_auto (PlgConstantSources) sources = { 0 };
  const char *waits;

  if (self->document == NULL || self->panel == NULL ||
      !gtk_expander_get_expanded (GTK_EXPANDER (self->expander)))
    return;
  /* If any number is hidden, plg_explain() returns no formulas, because a visible formula could
   * reveal a number that is hidden in another formula. Show a notice instead. */
  waits = plg_redaction_placeholder (plg_document_report (self->document)->redaction,
                                     PLG_REDACT_ALL);
  explanations = plg_explain (plg_document_plan (self->document),
                              plg_document_report (self->document), self->panel);
  plg_constant_sources_init (&sources, plg_document_plan (self->document),
                             plg_document_catalogue (self->document));
  for (guint i = 0; i < explanations->len; i++)
    {
      const PlgExplanation *explanation = &g_array_index (explanations, PlgExplanation, i);
      g_autofree char *heading = g_strdup_printf ("%s: %s", explanation->title,
                                                  explanation->result);
      g_autofree char *source = g_strdup_printf (_ ("Source: %s"), explanation->source);
      g_autofree char *constants = plg_constant_sources_describe (&sources, explanation->uses);
      g_autofree char
          *engine = plg_constant_sources_describe_engine (plg_document_plan (self->document),
                                                          &explanation->constants);

      plg_line_list_set (GTK_BOX (self->formulas), &line, heading, "heading");
      plg_line_list_set (GTK_BOX (self->formulas), &line, explanation->symbols, "formula");
      plg_line_list_set (GTK_BOX (self->formulas), &line, explanation->numbers, "formula");
      if (explanation->note != NULL)
        plg_line_list_set (GTK_BOX (self->formulas), &line, explanation->note, "caption");
      plg_line_list_set (GTK_BOX (self->formulas), &line, source, "caption");
      if (constants != NULL)
        {
          g_autofree char *text = g_strdup_printf (_ ("Constants: %s"), constants);

          plg_line_list_set (GTK_BOX (self->formulas), &line, text, "caption");
        }
      if (engine != NULL)
        {
          g_autofree char *text = g_strdup_printf (_ ("Constants of the engine:\n%s"), engine);

          plg_line_list_set (GTK_BOX (self->formulas), &line, text, "caption");
        }
    }
  if (explanations->len == 0 && waits != NULL)
    plg_line_list_set (GTK_BOX (self->formulas), &line, waits, "dim-label");
  plg_line_list_end (GTK_BOX (self->formulas), line, self->expander);
}

/* Values --------------------------------------------------------------------------------------- */

static void
set_text (GtkLabel *label, const char *text)
{
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
  if (g_strcmp0 (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text != NULL ? text : "");
}

void
plg_card_set_value (PlgCard *self,
                    const char *value,
                    const char *verdict,
                    const char *state,
                    const char *subtitle)
{
  g_autofree char *spoken = NULL;

  g_return_if_fail (PLG_IS_CARD (self));

  set_text (self->value, value);
  set_text (self->verdict, verdict);
  set_text (self->subtitle, subtitle);
  if (g_strcmp0 (state, self->state) != 0)
    {
      if (self->state != NULL && *self->state != '\0')
        gtk_widget_remove_css_class (GTK_WIDGET (self->verdict), self->state);
      g_free (self->state);
      self->state = g_strdup (state);
      if (state != NULL && *state != '\0')
        gtk_widget_add_css_class (GTK_WIDGET (self->verdict), state);
    }
  spoken = g_strdup_printf ("%s %s %s", gtk_label_get_text (self->title),
                            value != NULL ? value : "", verdict != NULL ? verdict : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_card_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgCard *self = PLG_CARD (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_PANEL:
      g_value_set_string (value, self->panel);
      break;
    case PROP_TITLE:
      g_value_set_string (value, gtk_label_get_text (self->title));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_card_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgCard *self = PLG_CARD (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      {
        PlgDocument *document = g_value_get_object (value);

        if (!g_set_object (&self->document, document))
          return;
        if (document != NULL)
          g_signal_connect_object (document, "numbers-changed", G_CALLBACK (update_formulas), self,
                                   G_CONNECT_SWAPPED);
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DOCUMENT]);
      }
      break;
    case PROP_PANEL:
      g_free (self->panel);
      self->panel = g_value_dup_string (value);
      gtk_widget_set_visible (self->expander, self->panel != NULL);
      break;
    case PROP_TITLE:
      {
        /* Include the card's title in the name of the expander, because every card has such an
         * expander. */
        const char *title = g_value_get_string (value);
        g_autofree char *name = g_strdup_printf (_ ("Formulas: %s"), title);

        gtk_label_set_text (self->title, title);
        gtk_accessible_update_property (GTK_ACCESSIBLE (self->expander),
                                        GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* Places a child from a template between the number and the formulas. */
static void
plg_card_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  PlgCard *self = PLG_CARD (buildable);

  if (self->content != NULL && GTK_IS_WIDGET (child))
    gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (child));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = plg_card_add_child;
}

static void
plg_card_dispose (GObject *object)
{
  PlgCard *self = PLG_CARD (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_card_parent_class)->dispose (object);
}

static void
plg_card_finalize (GObject *object)
{
  g_free (PLG_CARD (object)->panel);
  g_free (PLG_CARD (object)->state);
  G_OBJECT_CLASS (plg_card_parent_class)->finalize (object);
}

static void
plg_card_class_init (PlgCardClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = plg_card_get_property;
  object_class->set_property = plg_card_set_property;
  object_class->dispose = plg_card_dispose;
  object_class->finalize = plg_card_finalize;
  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, PLG_TYPE_DOCUMENT,
                                                   flags);
  properties[PROP_PANEL] = g_param_spec_string ("panel", NULL, NULL, NULL, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/card.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgCard, box);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, title);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, value);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, verdict);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, subtitle);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, content);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, expander);
  gtk_widget_class_bind_template_child (widget_class, PlgCard, formulas);
  gtk_widget_class_bind_template_callback (widget_class, update_formulas);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "panelcard");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
plg_card_init (PlgCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
