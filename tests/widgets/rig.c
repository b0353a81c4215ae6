/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "io/plan/catalogue-xml.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

/* GLib leaks its first quark table when the table grows (gquark.c), since other threads may still
 * read the table. A global pointer keeps the table reachable. */
#define QUARK_TABLE (2048 * sizeof (char *))
void __sanitizer_malloc_hook (const volatile void *memory, size_t size);
extern const volatile void *rig_quark_table;
const volatile void *rig_quark_table;

void
__sanitizer_malloc_hook (const volatile void *memory, size_t size)
{
  if (rig_quark_table == NULL && size == QUARK_TABLE)
    rig_quark_table = memory;
}
#else
#define __lsan_disable()
#define __lsan_enable()
#endif

gboolean
rig_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  gtk_disable_setlocale ();
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return FALSE;
    }
  adw_init ();
  return TRUE;
}

PlgDocument *
rig_document (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  return plg_document_new (catalogue);
}

GtkWindow *
rig_show (GtkWidget *widget, int width, int height)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());

  gtk_window_set_child (window, widget);
  gtk_window_set_default_size (window, width, height);
  gtk_window_present (window);
  rig_until (gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0);
  rig_next_frame (widget);
  return window;
}

/* GTK 4.8 removes a tooltip from a window during disposal, which recreates the window's action
 * muxer without freeing the muxer. */
void
rig_destroy (GtkWindow *window)
{
  __lsan_disable ();
  gtk_window_destroy (window);
  __lsan_enable ();
}

void
rig_close (GtkWindow *window)
{
  rig_destroy (window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
painted_cb (GdkFrameClock *clock, gpointer data)
{
  *(gboolean *) data = TRUE;
}

void
rig_next_frame (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean painted = FALSE;
  gulong id = g_signal_connect (clock, "after-paint", G_CALLBACK (painted_cb), &painted);

  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
  rig_until (painted);
  g_signal_handler_disconnect (clock, id);
}

GtkEventController *
rig_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller; /* owned by the widget */
    }
  g_assert_not_reached ();
}

PlgPoint
rig_middle_of_gpu (PlgCanvas *canvas, const PlgPlan *plan, int gpu)
{
  PlgRect rect = plg_cluster_gpu_rect (plan, gpu);
  PlgPoint point;

  plg_canvas_to_widget (canvas, rect.x + rect.width / 2, rect.y + rect.height / 2, &point.x,
                        &point.y);
  return point;
}

gboolean
rig_says (PlgCanvas *canvas, int gpu, const char *tail)
{
  g_autofree char *id = g_strdup_printf ("gpu-%d", gpu);
  g_autoptr (PlgDocument) document = NULL;
  g_autoptr (PlgFigure) figure = NULL;
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, plg_canvas_get_palette (canvas));
  plg_canvas_get_options (canvas, &options);
  g_object_get (canvas, "document", &document, NULL);
  figure = plg_cluster_figure (plg_document_plan (document), plg_document_report (document), &theme,
                               &options);
  return g_str_has_suffix (plg_figure_find (figure, id)->title, tail);
}

GtkWidget *
rig_find (GtkWidget *widget, GType type, gboolean (*test) (GtkWidget *, gpointer), gpointer data)
{
  GtkWidget *found;

  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && (test == NULL || test (widget, data)))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if ((found = rig_find (child, type, test, data)) != NULL)
      return found;
  return NULL;
}

static gboolean
is_at (GtkShortcut *shortcut, guint key, GdkModifierType modifiers)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

  return GTK_IS_KEYVAL_TRIGGER (trigger) &&
         gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key &&
         gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers;
}

static gboolean
press_any (GListModel *shortcuts, GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  for (guint i = 0; i < g_list_model_get_n_items (shortcuts); i++)
    {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, i);

      if (is_at (shortcut, key, modifiers))
        return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                             gtk_shortcut_get_arguments (shortcut));
    }
  return FALSE;
}

gboolean
rig_press (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean pressed = FALSE;

  for (guint i = 0; !pressed && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      pressed = GTK_IS_SHORTCUT_CONTROLLER (controller) &&
                press_any (G_LIST_MODEL (controller), widget, key, modifiers);
    }
  return pressed;
}
