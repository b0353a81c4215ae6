/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/canvas/find-bar.h"

#include "document/find.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n-lib.h>

struct _PlgFindBar
{
  GtkWidget parent_instance;

  GtkSearchBar *bar;
  GtkEditable *entry;
  GtkLabel *answer;

  PlgCanvas *canvas;
  GArray *found; /* elements of type PlgEntity; NULL if nothing is found */
  guint shown;   /* the index of the shown result in FOUND */
};

G_DEFINE_FINAL_TYPE (PlgFindBar, plg_find_bar, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_CANVAS,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

/* Shows @text next to the entry. @text is also the accessible description of the entry, because
 * a screen reader reads only the focused widget. */
static void
find_bar_set_answer (PlgFindBar *self, const char *text, gboolean is_error)
{
  gtk_label_set_text (self->answer, text);
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self->answer), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->answer), "error");
  plg_accessible_set_description (GTK_WIDGET (self->entry), text);
}

static void
find_bar_show_result (PlgFindBar *self)
{
  PlgEntity entity = g_array_index (self->found, PlgEntity, self->shown);
  g_autofree char *name = plg_canvas_entity_name (self->canvas, entity);
  g_autofree char *text = NULL;

  if (self->found->len > 1)
    text = g_strdup_printf (_ ("%s (%u of %u)"), name, self->shown + 1, self->found->len);
  plg_canvas_show_entity (self->canvas, entity);
  find_bar_set_answer (self, text != NULL ? text : name, FALSE);
}

/* Shows the first result while the user types. Enter then shows the next result. */
static void
changed_cb (PlgFindBar *self)
{
  g_autoptr (PlgDocument) document = NULL;
  g_autoptr (GError) error = NULL;

  if (self->canvas == NULL)
    return;
  g_clear_pointer (&self->found, g_array_unref);
  self->shown = 0;
  g_object_get (self->canvas, "document", &document, NULL);
  if (document == NULL)
    return;
  self->found = plg_find (plg_document_plan (document), plg_document_report (document),
                          gtk_editable_get_text (self->entry), &error);
  if (self->found != NULL)
    find_bar_show_result (self);
  else
    find_bar_set_answer (self, error != NULL ? error->message : "", error != NULL);
}

static void
find_bar_step (PlgFindBar *self, int step)
{
  if (self->found == NULL)
    return;
  self->shown = (self->shown + self->found->len + step) % self->found->len;
  find_bar_show_result (self);
}

static void
next_cb (PlgFindBar *self)
{
  find_bar_step (self, 1);
}

static void
previous_cb (PlgFindBar *self)
{
  find_bar_step (self, -1);
}

/* Ends the search when the bar closes. Moves the focus to the search result and clears the
 * highlight, so that a single Escape ends both the search and the highlight. */
static void
mode_changed_cb (PlgFindBar *self)
{
  if (gtk_search_bar_get_search_mode (self->bar))
    return;
  if (self->canvas != NULL)
    {
      plg_canvas_clear_highlight (self->canvas);
      gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
    }
  g_clear_pointer (&self->found, g_array_unref);
}

static void
plg_find_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_CANVAS)
    g_value_set_object (value, PLG_FIND_BAR (object)->canvas);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plg_find_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_CANVAS)
    g_set_weak_pointer (&PLG_FIND_BAR (object)->canvas, g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plg_find_bar_dispose (GObject *object)
{
  PlgFindBar *self = PLG_FIND_BAR (object);
  GtkWidget *bar = GTK_WIDGET (self->bar);

  g_clear_weak_pointer (&self->canvas);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&bar, gtk_widget_unparent);
  self->bar = NULL;
  G_OBJECT_CLASS (plg_find_bar_parent_class)->dispose (object);
}

static void
plg_find_bar_class_init (PlgFindBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = plg_find_bar_get_property;
  object_class->set_property = plg_find_bar_set_property;
  object_class->dispose = plg_find_bar_dispose;
  properties[PROP_CANVAS] = g_param_spec_object ("canvas", NULL, NULL, PLG_TYPE_CANVAS,
                                                 G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgFindBar, bar);
  gtk_widget_class_bind_template_child (widget_class, PlgFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, PlgFindBar, answer);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, mode_changed_cb);
}

static void
plg_find_bar_init (PlgFindBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, self->entry);
}

void
plg_find_bar_open (PlgFindBar *self)
{
  g_return_if_fail (PLG_IS_FIND_BAR (self));

  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (self->entry, 0, -1);
}
