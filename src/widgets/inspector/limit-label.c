/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/limit-label.h"

#include "document/memory-limit.h"
#include "widgets/announcer.h"

/* The work begins this long after the last change, so that held buttons and the Tab key do not
 * start it again and again [ms]. */
#define DELAY 250

struct _PlgLimitLabel
{
  AdwBin parent_instance;

  PlgDocument *document;
  const char *keys[2]; /* the key, NULL-terminated */
  GtkLabel *label;
  gboolean is_active;
  guint delay_timeout_id;
  GCancellable *cancellable; /* cancels the current work, or NULL */
};

G_DEFINE_FINAL_TYPE (PlgLimitLabel, plg_limit_label, ADW_TYPE_BIN)

static void
limit_label_stop (PlgLimitLabel *self)
{
  g_clear_handle_id (&self->delay_timeout_id, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
limit_label_clear (PlgLimitLabel *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_label_set_text (self->label, "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), NULL);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PlgLimitLabel) self = data;
  g_autoptr (GPtrArray) limits = plg_memory_limits_find_finish (result, NULL);
  const PlgMemoryLimit *limit = NULL;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autofree char *words = NULL;

  /* Cancelled work belongs to a former plan. */
  if (limits == NULL || !self->is_active)
    return;
  if (limits->len > 0)
    limit = g_ptr_array_index (limits, 0);
  gtk_widget_set_visible (GTK_WIDGET (self), limit != NULL);
  if (limit == NULL || g_str_equal (gtk_label_get_text (self->label), limit->text))
    return;
  gtk_label_set_text (self->label, limit->text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), limit->reason);
  words = g_strjoin (". ", limit->text, limit->reason, NULL);
  if (GTK_IS_WINDOW (root))
    plg_announcer_announce (GTK_WINDOW (root), words);
}

static gboolean
start_cb (gpointer data)
{
  PlgLimitLabel *self = data;

  self->delay_timeout_id = 0;
  limit_label_stop (self);
  self->cancellable = g_cancellable_new ();
  plg_memory_limits_find_async (self->document, self->keys, self->cancellable, found_cb,
                                g_object_ref (self));
  return G_SOURCE_REMOVE;
}

/* Starts again after a change of the plan. The previews of a drag change nothing, because the
 * limit is that of the plan before the drag. */
static void
document_changed_cb (PlgLimitLabel *self)
{
  if (!self->is_active || plg_document_is_previewing (self->document))
    return;
  limit_label_stop (self);
  if (plg_memory_limits_are_hidden (self->document))
    {
      limit_label_clear (self);
      return;
    }
  self->delay_timeout_id = g_timeout_add (DELAY, start_cb, self);
}

void
plg_limit_label_set_active (PlgLimitLabel *self, gboolean is_active)
{
  g_return_if_fail (PLG_IS_LIMIT_LABEL (self));

  if (self->is_active == is_active)
    return;
  self->is_active = is_active;
  if (is_active)
    {
      document_changed_cb (self);
      return;
    }
  limit_label_stop (self);
  limit_label_clear (self);
}

static void
plg_limit_label_dispose (GObject *object)
{
  PlgLimitLabel *self = PLG_LIMIT_LABEL (object);

  self->is_active = FALSE;
  limit_label_stop (self);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (plg_limit_label_parent_class)->dispose (object);
}

static void
plg_limit_label_class_init (PlgLimitLabelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plg_limit_label_dispose;
}

static void
plg_limit_label_init (PlgLimitLabel *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  self->label = GTK_LABEL (label);
  gtk_label_set_xalign (self->label, 0);
  gtk_label_set_wrap (self->label, TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self), "limit");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  adw_bin_set_child (ADW_BIN (self), label);
}

GtkWidget *
plg_limit_label_new (PlgDocument *document, const char *key)
{
  PlgLimitLabel *self;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document) && plg_memory_limit_exists (key), NULL);

  self = g_object_new (PLG_TYPE_LIMIT_LABEL, NULL);
  self->document = g_object_ref (document);
  self->keys[0] = plg_setting_find (key)->key;
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
