/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include <string.h>

/* The list of shortcuts contains every shortcut and no others. No widget has two actions for one
 * key. */

/* Keys that widgets handle themselves, in addition to shortcuts that GTK knows. */
static const char *const looked_at[] = {
  /* canvas */
  "space",
  "<Control>space",
  "Up",
  "Down",
  "Left",
  "Right",
  "Home",
  "End",
  "Escape",
  "Page_Up",
  "Page_Down",
  "<Shift>Page_Up",
  "<Shift>Page_Down",
  "<Control>Left",
  "<Control>Right",
  "Return",
  /* page of found plans: mnemonics of its bar and its options, and the rectangle in its plot */
  "<Alt>w",
  "<Alt>p",
  "<Alt>x",
  "<Alt>b",
  "<Alt>v",
  "<Alt>r",
  "<Shift>Left",
  "<Shift>Right",
  "<Shift>Up",
  "<Shift>Down",
  /* layers of the selected stage */
  "<Control><Shift>Up",
  "<Control><Shift>Down",
  /* window: views of GPUs, and answers to a lesson question */
  "0",
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "8",
  /* links and their table */
  "s",
  "<Shift>s",
  "<Control>c",
  /* variants */
  "c",
  "F2",
  "Delete",
  /* presentation */
  "b",
  "period",
  "z",
  /* GTK's own */
  "F10",
  "<Control>w",
};

static char *
normal (const char *accelerator)
{
  GdkModifierType modifiers;
  guint key;

  if (!gtk_accelerator_parse (accelerator, &key, &modifiers))
    g_error ("“%s” is not a key", accelerator);
  return gtk_accelerator_name (gdk_keyval_to_lower (key), modifiers);
}

static void
add (GHashTable *keys, const char *accelerator)
{
  g_hash_table_add (keys, normal (accelerator));
}

static gboolean
has (GHashTable *keys, const char *accelerator)
{
  g_autofree char *name = normal (accelerator);

  return g_hash_table_contains (keys, name);
}

/* Adds the keys of a listed shortcut, in the forms "1 2 3", "1...8", or two of the arrows for
 * "any arrow". */
static void
add_listed (GtkWidget *widget, GHashTable *listed)
{
  g_autofree char *text = NULL, *title = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GString) spaced = NULL;

  if (GTK_IS_SHORTCUTS_SHORTCUT (widget))
    {
      g_object_get (widget, "accelerator", &text, "title", &title, NULL);
      spaced = g_string_new (text);
      if (strstr (title, "any arrow") != NULL)
        g_string_append (spaced, " <Control>Up <Control>Down");
      g_string_replace (spaced, "...", " ", 0);
      words = g_strsplit (spaced->str, " ", -1);
      for (int i = 0; words[i] != NULL; i++)
        add (listed, words[i]);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_listed (child, listed);
}

static GHashTable *
keys_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static GHashTable *
listed_keys (AppRig *rig)
{
  GHashTable *listed = keys_new ();

  g_assert_true (app_rig_act (rig, "win.show-help-overlay"));
  add_listed (
      GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (rig->window))),
      listed);
  gtk_window_close (
      GTK_WINDOW (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (rig->window))));
  g_assert_cmpuint (g_hash_table_size (listed), >, 60);
  return listed;
}

/* Accelerators of the application; one key of each action must be listed. */
static void
add_of_application (AppRig *rig, GHashTable *keys, GHashTable *listed)
{
  GtkApplication *application = GTK_APPLICATION (rig->application);
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);

  for (int i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) accelerators = gtk_application_get_accels_for_action (application, actions[i]);
      gboolean is_listed = accelerators[0] == NULL;

      for (int k = 0; accelerators[k] != NULL; k++)
        {
          add (keys, accelerators[k]);
          is_listed |= has (listed, accelerators[k]);
        }
      if (!is_listed)
        g_error ("%s of %s is not listed", accelerators[0], actions[i]);
    }
}

static gboolean
is_ours (const char *action)
{
  static const char *const prefixes[] = {
    "win.", "app.", "canvas.", "picture.", "pair.", "class."
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (action, prefixes[i]))
      return TRUE;
  return FALSE;
}

/* Shortcuts of a widget class: ACTIONS contains the listed title of each action, or NULL. */
static void
add_shortcut (GtkShortcut *shortcut, GHashTable *keys, GHashTable *listed, GHashTable *actions)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);
  GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);
  GVariant *arguments = gtk_shortcut_get_arguments (shortcut);
  g_autofree char *key = NULL, *with = NULL;
  char *name;

  if (!GTK_IS_KEYVAL_TRIGGER (trigger) || !GTK_IS_NAMED_ACTION (action) ||
      !is_ours (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action))))
    return;
  key = gtk_shortcut_trigger_to_string (trigger);
  with = arguments != NULL ? g_variant_print (arguments, FALSE) : g_strdup ("");
  name = g_strconcat (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action)), " ", with,
                      NULL);
  add (keys, key);
  if (has (listed, key))
    g_hash_table_replace (actions, name, GINT_TO_POINTER (TRUE));
  else if (g_hash_table_contains (actions, name))
    g_free (name);
  else
    g_hash_table_insert (actions, name, NULL);
}

/* Adds the trigger of SHORTCUT to TRIGGERS, which contains those of one controller. Two equal
 * triggers would act in turns. */
static void
add_trigger (GtkShortcut *shortcut, GtkWidget *widget, GHashTable *triggers)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);
  GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);
  g_autofree char *key = gtk_shortcut_trigger_to_string (trigger);

  if (GTK_IS_NAMED_ACTION (action) &&
      is_ours (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action))) &&
      g_hash_table_contains (triggers, key))
    g_error ("%s has two meanings in %s", key, G_OBJECT_TYPE_NAME (widget));
  g_hash_table_add (triggers, g_steal_pointer (&key));
}

static void
add_of_widgets (GtkWidget *widget, GHashTable *keys, GHashTable *listed, GHashTable *actions)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      g_autoptr (GHashTable) triggers = keys_new ();

      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);

          add_shortcut (shortcut, keys, listed, actions);
          add_trigger (shortcut, widget, triggers);
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_of_widgets (child, keys, listed, actions);
}

static void
test_list (AppRig *rig, gconstpointer data)
{
  g_autoptr (GHashTable) listed = listed_keys (rig), keys = keys_new (), actions = keys_new ();
  GHashTableIter iter;
  gpointer name, is_listed;

  add_of_application (rig, keys, listed);
  add_of_widgets (GTK_WIDGET (rig->window), keys, listed, actions);
  g_assert_cmpuint (g_hash_table_size (actions), >, 10);
  g_hash_table_iter_init (&iter, actions);
  while (g_hash_table_iter_next (&iter, &name, &is_listed))
    if (!GPOINTER_TO_INT (is_listed))
      g_error ("No key of %s is listed", (char *) name);
  for (guint i = 0; i < G_N_ELEMENTS (looked_at); i++)
    {
      if (!has (listed, looked_at[i]))
        g_error ("%s is not listed", looked_at[i]);
      add (keys, looked_at[i]);
    }
  g_hash_table_iter_init (&iter, listed);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (keys, name))
      g_error ("%s is listed but has no effect", (char *) name);
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/shortcuts/list", test_list },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
