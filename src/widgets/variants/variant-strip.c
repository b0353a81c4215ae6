/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/variants/variant-strip.h"

#include "engine/report/redaction.h"
#include "widgets/accessible-names.h"
#include "widgets/variants/variant-card.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _PlgVariantStrip
{
  GtkWidget parent_instance;

  GtkWidget *content;
  GtkScrolledWindow *scroller;
  GtkWidget *cards; /* the box of the cards */

  PlgDocument *document;
  PlgVariants *shown; /* the list that the cards show; owned */
  char *palette;
  gboolean is_suppressed;
  gboolean needs_scroll; /* whether a new last card is to be scrolled into view after its layout */
};

G_DEFINE_FINAL_TYPE (PlgVariantStrip, plg_variant_strip, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_PALETTE,
  PROP_IS_SUPPRESSED,
  N_PROPS,
};

enum
{
  REFUSED,
  ANNOUNCED,
  REMOVED,
  COMPARE_REQUESTED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static PlgVariantCard *
nth_card (PlgVariantStrip *self, int index)
{
  GtkWidget *card = gtk_widget_get_first_child (self->cards);

  while (card != NULL && index-- > 0)
    card = gtk_widget_get_next_sibling (card);
  return card != NULL ? PLG_VARIANT_CARD (card) : NULL;
}

static int
index_of_card (PlgVariantStrip *self, PlgVariantCard *card)
{
  int index = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (self->cards); child != GTK_WIDGET (card);
       child = gtk_widget_get_next_sibling (child))
    index++;
  return index;
}

/* Requests from the cards ---------------------------------------------------------------------- */

static void
switch_cb (PlgVariantStrip *self, PlgVariantCard *card)
{
  g_autofree char *message = g_strdup_printf (_ ("Switched to variant “%s”"),
                                              plg_variant_card_name (card));
  g_autoptr (GError) error = NULL;

  if (plg_document_switch_to_variant (self->document, index_of_card (self, card), &error))
    g_signal_emit (self, signals[ANNOUNCED], 0, message);
  else
    g_signal_emit (self, signals[REFUSED], 0, error->message);
}

static void
compare_cb (PlgVariantStrip *self, PlgVariantCard *card)
{
  g_signal_emit (self, signals[COMPARE_REQUESTED], 0, plg_variant_card_name (card));
}

static void
remove_cb (PlgVariantStrip *self, PlgVariantCard *card)
{
  int index = index_of_card (self, card);
  g_autofree char *message = g_strdup_printf (_ ("Variant “%s” deleted"),
                                              plg_variant_card_name (card));
  g_autoptr (GError) error = NULL;
  PlgVariantCard *next;

  if (!plg_document_remove_variant (self->document, index, &error))
    {
      g_signal_emit (self, signals[REFUSED], 0, error->message);
      return;
    }
  /* Keep the focus in the strip while it has cards. */
  next = nth_card (self, index);
  if (next == NULL && index > 0)
    next = nth_card (self, index - 1);
  if (next != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (next));
  g_signal_emit (self, signals[REMOVED], 0, message);
}

/* Returns why the name is refused, or NULL. */
static char *
rename_cb (PlgVariantStrip *self, const char *name, PlgVariantCard *card)
{
  g_autofree char *message = g_strdup_printf (_ ("Variant renamed to “%s”"), name);
  g_autoptr (GError) error = NULL;

  if (!plg_document_rename_variant (self->document, index_of_card (self, card), name, &error))
    return g_strdup (error->message);
  g_signal_emit (self, signals[ANNOUNCED], 0, message);
  return NULL;
}

/* The cards ------------------------------------------------------------------------------------ */

/* Finds the card of VARIANT among the cards from FIRST: a card with its name and design, otherwise
 * a card with its design, because the variant may have been renamed. Returns NULL if there is no
 * such card. */
static PlgVariantCard *
find_card (GtkWidget *first, const PlgVariant *variant)
{
  PlgVariantCard *with_design = NULL;

  for (GtkWidget *child = first; child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      PlgVariantCard *card = PLG_VARIANT_CARD (child);

      if (!plg_plan_equal (plg_variant_card_plan (card), variant->plan))
        continue;
      if (strcmp (plg_variant_card_name (card), variant->name) == 0)
        return card;
      if (with_design == NULL)
        with_design = card;
    }
  return with_design;
}

static PlgVariantCard *
add_card (PlgVariantStrip *self, const PlgVariant *variant)
{
  GtkWidget *card = plg_variant_card_new (variant);

  plg_variant_card_set_palette (PLG_VARIANT_CARD (card), self->palette);
  g_signal_connect_object (card, "switch-requested", G_CALLBACK (switch_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (card, "compare-requested", G_CALLBACK (compare_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (card, "remove-requested", G_CALLBACK (remove_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (card, "rename-requested", G_CALLBACK (rename_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->cards), card);
  return PLG_VARIANT_CARD (card);
}

/* Makes the cards match VARIANTS. Cards are kept where possible, because a card with the focus must
 * not disappear and an evaluation takes time. */
static void
update_cards (PlgVariantStrip *self, PlgVariants *variants)
{
  GtkWidget *previous = NULL, *next;

  for (int i = 0; i < plg_variants_count (variants); i++)
    {
      const PlgVariant *variant = plg_variants_nth (variants, i);
      PlgVariantCard *card;

      next = previous != NULL ? gtk_widget_get_next_sibling (previous)
                              : gtk_widget_get_first_child (self->cards);
      card = find_card (next, variant);
      if (card == NULL)
        card = add_card (self, variant);
      else if (strcmp (plg_variant_card_name (card), variant->name) != 0)
        plg_variant_card_set_name (card, variant->name);
      if (GTK_WIDGET (card) != next)
        gtk_box_reorder_child_after (GTK_BOX (self->cards), GTK_WIDGET (card), previous);
      previous = GTK_WIDGET (card);
    }
  while ((next = previous != NULL ? gtk_widget_get_next_sibling (previous)
                                  : gtk_widget_get_first_child (self->cards)) != NULL)
    gtk_box_remove (GTK_BOX (self->cards), next);
  plg_variants_ref (variants);
  plg_variants_unref (self->shown);
  self->shown = variants;
}

static void
update (PlgVariantStrip *self)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  gboolean is_hidden = plg_report_hides (plg_document_committed_report (self->document),
                                         PLG_REDACT_ALL);

  if (plan->variants != self->shown)
    update_cards (self, plan->variants);
  for (int i = 0; i < plg_variants_count (self->shown); i++)
    plg_variant_card_set_current (nth_card (self, i),
                                  plg_plan_same_design (plg_variants_nth (self->shown, i)->plan,
                                                        plan));
  gtk_widget_set_visible (GTK_WIDGET (self),
                          self->shown != NULL && !is_hidden && !self->is_suppressed);
}

/* Scrolls to a new last card. A card can be scrolled into view only after its layout, which changes
 * the adjustment. */
static void
extent_changed_cb (PlgVariantStrip *self, GtkAdjustment *adjustment)
{
  if (!self->needs_scroll)
    return;
  self->needs_scroll = FALSE;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

static void
document_changed_cb (PlgVariantStrip *self)
{
  if (!plg_document_is_previewing (self->document))
    update (self);
}

void
plg_variant_strip_add (PlgVariantStrip *self)
{
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  int n;

  g_return_if_fail (PLG_IS_VARIANT_STRIP (self) && self->document != NULL);

  if (!plg_document_add_variant (self->document, NULL, &error))
    {
      g_signal_emit (self, signals[REFUSED], 0, error->message);
      return;
    }
  self->needs_scroll = TRUE;
  n = plg_variants_count (self->shown);
  message = g_strdup_printf (_ ("Variant “%s” added"), plg_variants_nth (self->shown, n - 1)->name);
  gtk_widget_grab_focus (GTK_WIDGET (nth_card (self, n - 1)));
  g_signal_emit (self, signals[ANNOUNCED], 0, message);
}

static void
add_cb (PlgVariantStrip *self)
{
  plg_variant_strip_add (self);
}

void
plg_variant_strip_set_document (PlgVariantStrip *self, PlgDocument *document)
{
  g_return_if_fail (PLG_IS_VARIANT_STRIP (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  update (self);
}

/* Object --------------------------------------------------------------------------------------- */

static void
set_palette (PlgVariantStrip *self, const char *palette)
{
  if (g_strcmp0 (self->palette, palette) == 0)
    return;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  for (GtkWidget *card = gtk_widget_get_first_child (self->cards); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    plg_variant_card_set_palette (PLG_VARIANT_CARD (card), palette);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PALETTE]);
}

static void
plg_variant_strip_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgVariantStrip *self = PLG_VARIANT_STRIP (object);

  switch (id)
    {
    case PROP_PALETTE:
      g_value_set_string (value, self->palette);
      break;
    case PROP_IS_SUPPRESSED:
      g_value_set_boolean (value, self->is_suppressed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_variant_strip_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgVariantStrip *self = PLG_VARIANT_STRIP (object);

  switch (id)
    {
    case PROP_PALETTE:
      set_palette (self, g_value_get_string (value));
      break;
    case PROP_IS_SUPPRESSED:
      if (self->is_suppressed == g_value_get_boolean (value))
        return;
      self->is_suppressed = g_value_get_boolean (value);
      if (self->document != NULL)
        update (self);
      g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
plg_variant_strip_dispose (GObject *object)
{
  PlgVariantStrip *self = PLG_VARIANT_STRIP (object);

  g_clear_pointer (&self->content, gtk_widget_unparent);
  g_clear_object (&self->document);
  g_clear_pointer (&self->shown, plg_variants_unref);
  g_clear_pointer (&self->palette, g_free);
  G_OBJECT_CLASS (plg_variant_strip_parent_class)->dispose (object);
}

static void
plg_variant_strip_class_init (PlgVariantStripClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  static const char *const names[N_SIGNALS] = { "refused", "announced", "removed",
                                                "compare-requested" };

  object_class->get_property = plg_variant_strip_get_property;
  object_class->set_property = plg_variant_strip_set_property;
  object_class->dispose = plg_variant_strip_dispose;
  properties[PROP_PALETTE] = g_param_spec_string ("palette", NULL, NULL, NULL, flags);
  properties[PROP_IS_SUPPRESSED] = g_param_spec_boolean ("is-suppressed", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  for (int i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], PLG_TYPE_VARIANT_STRIP, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "variantstrip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/parallelogram/Parallelogram/ui/variant-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgVariantStrip, content);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantStrip, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantStrip, cards);
  gtk_widget_class_bind_template_callback (widget_class, add_cb);
}

static void
plg_variant_strip_init (PlgVariantStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self->scroller), "changed",
                           G_CALLBACK (extent_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Variants"), -1);
  plg_accessible_name_buttons (GTK_WIDGET (self));
}
