/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/sweep-dialog.h"

#include "app/picture-actions.h"
#include "app/toasts.h"
#include "engine/sweep.h"
#include "widgets/accessible-names.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n.h>
#include <string.h>

/* A sweep begins this long after the last change, so that typing starts one sweep and not many
 * [ms]. */
#define DELAY 150

struct _PlgSweepDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  AdwToastOverlay *toasts;
  GtkDropDown *metric;
  GtkDropDown *x_key;
  GtkEntry *x_values;
  GtkDropDown *y_key;
  GtkEntry *y_values;
  GtkLabel *message;
  GtkWidget *use;
  PlgPictureView *view;

  GPtrArray *metrics;  /* the metrics (const PlgMetric *) of the drop-down */
  GPtrArray *settings; /* the settings (const PlgSetting *) of the drop-downs */
  PlgPlan *plan;       /* the plan of the latest sweep that was started */
  PlgSweep *sweep;     /* the shown sweep; NULL for the sweep of scaling */
  int column, row;     /* the marked point; COLUMN is -1 if no point is marked */
  guint delay_timeout_id;
  int serial; /* number of the latest sweep that was started */
  gboolean is_previewing;
};

G_DEFINE_FINAL_TYPE (PlgSweepDialog, plg_sweep_dialog, ADW_TYPE_WINDOW)

/* The first entry of the first drop-down of keys is the sweep of scaling, and the first entry of
 * the second one is no key. */
#define FIRST_SETTING 1

/* The marked point ----------------------------------------------------------------------------- */

static void
end_preview (PlgSweepDialog *self)
{
  if (!self->is_previewing)
    return;
  self->is_previewing = FALSE;
  plg_document_preview (self->document, NULL);
}

static void
unmark (PlgSweepDialog *self)
{
  self->column = -1;
  plg_picture_view_mark (self->view, (PlgEntity) { .kind = PLG_ENTITY_NONE });
  gtk_widget_set_sensitive (self->use, FALSE);
  end_preview (self);
}

/* Returns the plan of the marked point, or NULL with ERROR if it is not possible. */
static PlgPlan *
marked_plan (PlgSweepDialog *self, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  const PlgSweepPoint *point = plg_sweep_point (self->sweep, self->column, self->row);

  if (!plg_settings_apply (plan, plg_document_catalogue (self->document),
                           (const char *const *) point->assignments, error))
    return NULL;
  return g_steal_pointer (&plan);
}

/* Marks a point and shows its plan in the main window. */
static void
mark (PlgSweepDialog *self, int column, int row)
{
  const PlgEntity entity = { PLG_ENTITY_POINT, 0, row * self->sweep->columns + column };
  g_autoptr (PlgPlan) plan = NULL;

  self->column = column;
  self->row = row;
  plan = marked_plan (self, NULL);
  /* Mark the point before the preview begins, so that a screen reader hears of the point first. */
  plg_picture_view_mark (self->view, entity);
  gtk_widget_set_sensitive (self->use,
                            plan != NULL && !plg_sweep_is_own (self->sweep, column, row));
  end_preview (self);
  if (plan != NULL && !plg_sweep_is_own (self->sweep, column, row))
    self->is_previewing = plg_document_preview (self->document, plan);
}

static void
use_cb (PlgSweepDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = NULL;
  g_autofree char *label = NULL;

  if (self->sweep == NULL || self->column < 0)
    return;
  if (plg_sweep_is_own (self->sweep, self->column, self->row))
    {
      plg_toasts_show (self->toasts, _ ("This point is the open plan"));
      return;
    }
  plan = marked_plan (self, &error);
  label = g_strjoinv (", ", plg_sweep_point (self->sweep, self->column, self->row)->assignments);
  end_preview (self);
  if (plan == NULL || !plg_document_apply (self->document, plan, label, NULL, &error))
    {
      plg_toasts_show (self->toasts, error->message);
      return;
    }
  plg_toasts_show (self->toasts, _ ("The plan of this point is now the open plan"));
}

static void
pressed_cb (PlgSweepDialog *self, int n_press, double x, double y)
{
  PlgEntity entity = plg_picture_view_entity_at (self->view, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  if (self->sweep == NULL)
    return;
  if (entity.kind != PLG_ENTITY_POINT)
    unmark (self);
  else if (n_press == 2)
    use_cb (self);
  else
    mark (self, entity.index % self->sweep->columns, entity.index / self->sweep->columns);
}

/* Moves the mark by one value, beginning at the plan itself. */
static gboolean
key_pressed_cb (PlgSweepDialog *self, guint key)
{
  int columns = 0, rows = 0;

  if (self->sweep == NULL)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      columns = key == GDK_KEY_Right ? 1 : -1;
      break;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      rows = key == GDK_KEY_Down ? 1 : -1;
      break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      if (self->column >= 0)
        use_cb (self);
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      if (self->column < 0)
        return GDK_EVENT_PROPAGATE;
      unmark (self);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  if (self->column < 0)
    mark (self, MAX (self->sweep->own_column, 0), MAX (self->sweep->own_row, 0));
  else
    mark (self, CLAMP (self->column + columns, 0, self->sweep->columns - 1),
          CLAMP (self->row + rows, 0, self->sweep->rows - 1));
  return GDK_EVENT_STOP;
}

/* The sweep ------------------------------------------------------------------------------------ */

/* The input and the result of a sweep on another thread. */
typedef struct
{
  PlgPlan *plan;
  PlgCatalogue *catalogue;
  const PlgMetric *metric;
  char *x;
  char *y; /* nullable */
  int serial;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  plg_plan_free (work->plan);
  plg_catalogue_unref (work->catalogue);
  g_free (work->x);
  g_free (work->y);
  g_free (work);
}

static void
work_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;
  PlgSweep *sweep = plg_sweep_new (work->plan, work->catalogue, work->metric, work->x, work->y,
                                   &error);

  if (sweep != NULL)
    g_task_return_pointer (task, sweep, (GDestroyNotify) plg_sweep_unref);
  else
    g_task_return_error (task, error);
}

static void
set_message (PlgSweepDialog *self, const char *text)
{
  gtk_label_set_text (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
  plg_accessible_set_description (GTK_WIDGET (self->x_values), text);
  plg_accessible_set_description (GTK_WIDGET (self->y_values), text);
}

static void
show_sweep (PlgSweepDialog *self, PlgSweep *sweep)
{
  unmark (self);
  g_clear_pointer (&self->sweep, plg_sweep_unref);
  self->sweep = sweep;
  plg_picture_view_set_sweep (self->view, sweep);
}

static void
work_done_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  PlgSweepDialog *self = PLG_SWEEP_DIALOG (object);
  const Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  PlgSweep *sweep = g_task_propagate_pointer (G_TASK (result), &error);

  if (work->serial != self->serial || self->document == NULL)
    {
      g_clear_pointer (&sweep, plg_sweep_unref);
      return;
    }
  /* Keep the last picture while the values are wrong. */
  set_message (self, error != NULL ? error->message : NULL);
  if (sweep != NULL)
    show_sweep (self, sweep);
}

/* Returns the key and the values of a drop-down and its entry, or NULL if no key is chosen. */
static char *
key_text (PlgSweepDialog *self, GtkDropDown *drop_down, GtkEntry *entry)
{
  guint i = gtk_drop_down_get_selected (drop_down);
  g_autofree char *values = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  const PlgSetting *setting;

  if (i == GTK_INVALID_LIST_POSITION || i < FIRST_SETTING)
    return NULL;
  setting = g_ptr_array_index (self->settings, i - FIRST_SETTING);
  return g_strconcat (setting->key, *values != '\0' ? "=" : "", values, NULL);
}

static void
keep_plan (PlgSweepDialog *self)
{
  g_clear_pointer (&self->plan, plg_plan_free);
  self->plan = plg_plan_copy (plg_document_committed_plan (self->document));
}

static gboolean
start_cb (gpointer data)
{
  PlgSweepDialog *self = data;
  g_autofree char *x = key_text (self, self->x_key, self->x_values);
  gboolean is_scaling = x == NULL;
  Work *work;
  g_autoptr (GTask) task = NULL;

  self->delay_timeout_id = 0;
  self->serial++;
  keep_plan (self);
  if (is_scaling)
    {
      set_message (self, NULL);
      show_sweep (self, NULL);
      return G_SOURCE_REMOVE;
    }
  work = g_new0 (Work, 1);
  work->plan = plg_plan_copy (self->plan);
  work->catalogue = plg_catalogue_ref (plg_document_catalogue (self->document));
  work->metric = g_ptr_array_index (self->metrics, gtk_drop_down_get_selected (self->metric));
  work->x = g_steal_pointer (&x);
  work->y = key_text (self, self->y_key, self->y_values);
  work->serial = self->serial;
  task = g_task_new (self, NULL, work_done_cb, NULL);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_run);
  return G_SOURCE_REMOVE;
}

static void
update_sensitivity (PlgSweepDialog *self)
{
  gboolean is_scaling = gtk_drop_down_get_selected (self->x_key) < FIRST_SETTING;
  gboolean has_y = !is_scaling && gtk_drop_down_get_selected (self->y_key) >= FIRST_SETTING;

  gtk_widget_set_sensitive (GTK_WIDGET (self->metric), !is_scaling);
  gtk_widget_set_sensitive (GTK_WIDGET (self->x_values), !is_scaling);
  gtk_widget_set_sensitive (GTK_WIDGET (self->y_key), !is_scaling);
  gtk_widget_set_sensitive (GTK_WIDGET (self->y_values), has_y);
}

static void
queue_start (PlgSweepDialog *self)
{
  /* A signal may arrive while the window is being built. */
  if (self->document == NULL)
    return;
  update_sensitivity (self);
  g_clear_handle_id (&self->delay_timeout_id, g_source_remove);
  self->delay_timeout_id = g_timeout_add (DELAY, start_cb, self);
}

/* Clears the values when another key is chosen, because they belong to the former key. */
static void
x_key_changed_cb (PlgSweepDialog *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->x_values), "");
  queue_start (self);
}

static void
y_key_changed_cb (PlgSweepDialog *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->y_values), "");
  queue_start (self);
}

/* Repeats the sweep when the plan has changed. A preview does not change the plan. */
static void
document_changed_cb (PlgSweepDialog *self)
{
  if (!plg_plan_same_design (self->plan, plg_document_committed_plan (self->document)))
    queue_start (self);
}

/* The main window shows the plan itself while another window is used. */
static void
active_changed_cb (PlgSweepDialog *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self)) && self->is_previewing)
    unmark (self);
}

/* Building ------------------------------------------------------------------------------------- */

static void
fill_lists (PlgSweepDialog *self)
{
  g_autoptr (GtkStringList) metrics = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) x_keys = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) y_keys = gtk_string_list_new (NULL);
  g_autofree char *names = plg_metric_names ();
  g_auto (GStrv) split = g_strsplit (names, ", ", -1);
  int n;
  const PlgSetting *settings = plg_settings (&n);
  guint chosen_metric = 0, chosen_key = 0;

  for (int i = 0; split[i] != NULL; i++)
    {
      const PlgMetric *metric = plg_metric_find (split[i]);
      g_autofree char *title = plg_metric_title (metric);

      if (g_str_equal (metric->name, "step-time"))
        chosen_metric = self->metrics->len;
      g_ptr_array_add (self->metrics, (gpointer) metric);
      gtk_string_list_append (metrics, title);
    }
  gtk_string_list_append (x_keys, _ ("Number of GPUs, weak and strong scaling"));
  gtk_string_list_append (y_keys, _ ("Nothing else"));
  for (int i = 0; i < n; i++)
    {
      if (!plg_sweep_accepts (&settings[i]))
        continue;
      if (g_str_equal (settings[i].key, "parallelism.tp"))
        chosen_key = self->settings->len + FIRST_SETTING;
      g_ptr_array_add (self->settings, (gpointer) &settings[i]);
      gtk_string_list_append (x_keys, _ (settings[i].title));
      gtk_string_list_append (y_keys, _ (settings[i].title));
    }
  gtk_drop_down_set_model (self->metric, G_LIST_MODEL (metrics));
  gtk_drop_down_set_model (self->x_key, G_LIST_MODEL (x_keys));
  gtk_drop_down_set_model (self->y_key, G_LIST_MODEL (y_keys));
  gtk_drop_down_set_selected (self->metric, chosen_metric);
  gtk_drop_down_set_selected (self->x_key, chosen_key);
}

static void
plg_sweep_dialog_dispose (GObject *object)
{
  PlgSweepDialog *self = PLG_SWEEP_DIALOG (object);

  if (self->document != NULL)
    end_preview (self);
  g_clear_handle_id (&self->delay_timeout_id, g_source_remove);
  g_clear_object (&self->document);
  g_clear_pointer (&self->sweep, plg_sweep_unref);
  g_clear_pointer (&self->plan, plg_plan_free);
  g_clear_pointer (&self->metrics, g_ptr_array_unref);
  g_clear_pointer (&self->settings, g_ptr_array_unref);
  G_OBJECT_CLASS (plg_sweep_dialog_parent_class)->dispose (object);
}

static void
plg_sweep_dialog_class_init (PlgSweepDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_sweep_dialog_dispose;
  g_type_ensure (PLG_TYPE_PICTURE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "sweep-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, metric);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, x_key);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, x_values);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, y_key);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, y_values);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, message);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, use);
  gtk_widget_class_bind_template_child (widget_class, PlgSweepDialog, view);
  gtk_widget_class_bind_template_callback (widget_class, queue_start);
  gtk_widget_class_bind_template_callback (widget_class, x_key_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, y_key_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, active_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, use_cb);
  plg_picture_actions_install_keys (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_sweep_dialog_init (PlgSweepDialog *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->metrics = g_ptr_array_new ();
  self->settings = g_ptr_array_new ();
  self->column = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  fill_lists (self);
  plg_accessible_name_drop_down (GTK_WIDGET (self->metric), _ ("Metric"));
  plg_accessible_name_drop_down (GTK_WIDGET (self->x_key), _ ("Setting on the horizontal axis"));
  plg_accessible_name_drop_down (GTK_WIDGET (self->y_key), _ ("Second setting"));
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  g_signal_connect_object (click, "pressed", G_CALLBACK (pressed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (click));
}

void
plg_sweep_dialog_present (GtkWindow *parent,
                          PlgDocument *document,
                          PlgCanvas *canvas,
                          GSettings *settings)
{
  PlgSweepDialog *self = g_object_new (PLG_TYPE_SWEEP_DIALOG, "transient-for", parent, NULL);
  const PlgPictureActions actions = { document, self->view, self->toasts, canvas, settings };
  g_autofree char *x = key_text (self, self->x_key, self->x_values);

  self->document = g_object_ref (document);
  g_settings_bind (settings, "palette", self->view, "palette", G_SETTINGS_BIND_GET);
  g_object_set (self->view, "document", document, NULL);
  plg_picture_actions_add (GTK_WIDGET (self), &actions);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  keep_plan (self);
  update_sensitivity (self);
  /* The first sweep has few points, so the window opens with its picture. */
  show_sweep (self, plg_sweep_new (plg_document_committed_plan (document),
                                   plg_document_catalogue (document),
                                   g_ptr_array_index (self->metrics,
                                                      gtk_drop_down_get_selected (self->metric)),
                                   x, NULL, NULL));
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->metric));
}
