/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/import-changes.h"
#include "app/dialogs/import-dialog.h"
#include "engine/evaluate.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Drops onto the window and pasted text. */

static const char config[] = "{\n\"model_type\": \"llama\", \"hidden_size\": 4096,\n"
                             "\"intermediate_size\": 11008, \"num_hidden_layers\": 32,\n"
                             "\"num_attention_heads\": 32, \"vocab_size\": 32000\n}\n";
static const char matrix[] = "\tGPU0\tGPU1\nGPU0\t X \tNV12\nGPU1\tNV12\t X \n";

/* Drops FILES (taken) onto the window, which must accept files. For text see end-to-end.py, since
 * text comes only from other programs. */
static void
drop (AppRig *rig, GSList *files)
{
  GtkEventController *target = rig_controller (GTK_WIDGET (rig->window), GTK_TYPE_DROP_TARGET);
  g_autoptr (GdkContentFormats) formats = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, files);
  g_object_get (target, "formats", &formats, NULL);
  g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST));
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &taken);
  g_assert_true (taken);
}

static GtkWidget *
wait_for_dialog (const char *title)
{
  GtkWidget *dialog;

  rig_until ((dialog = app_rig_open_window (PLG_TYPE_IMPORT_DIALOG)) != NULL &&
             g_str_equal (gtk_window_get_title (GTK_WINDOW (dialog)), title));
  return dialog;
}

static gboolean
is_suggested (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "suggested-action");
}

static void
apply (GtkWidget *dialog)
{
  g_signal_emit_by_name (rig_find (dialog, GTK_TYPE_BUTTON, is_suggested, NULL), "clicked");
}

/* Files are imported one after the other, each into the result of the previous one. */
static void
test_dropped (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GSList *files = g_slist_append (NULL, app_rig_put (rig, "config.json", config));

  files = g_slist_append (files, app_rig_put (rig, "topo.txt", matrix));
  drop (rig, files);
  apply (wait_for_dialog ("From config.json"));
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
  apply (wait_for_dialog ("From topo.txt"));
  rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  g_assert_cmpint (plg_document_plan (document)->cluster.gpus_per_node, ==, 2);
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
  g_assert_true (plg_document_undo (document));
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 8192);
}

/* The preview lists only changed values. */
static void
test_preview (AppRig *rig, gconstpointer data)
{
  static const char moe[] = "{\"model_type\": \"mixtral\", \"hidden_size\": 4096,\n"
                            "\"intermediate_size\": 14336, \"num_hidden_layers\": 32,\n"
                            "\"num_attention_heads\": 32, \"num_key_value_heads\": 8,\n"
                            "\"num_local_experts\": 8, \"num_experts_per_tok\": 2,\n"
                            "\"vocab_size\": 32000}\n";
  static const char arguments[] = "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 "
                                  "--global-batch-size 256 --micro-batch-size 2\n";
  GtkWidget *dialog;

  drop (rig, g_slist_append (NULL, app_rig_put (rig, "config.json", moe)));
  dialog = wait_for_dialog ("From config.json");
  g_assert_true (app_rig_shows (dialog, "Llama 3 70B → Mixtral 8x7B"));
  g_assert_true (app_rig_shows (dialog, "Parameters"));
  g_assert_true (app_rig_shows (dialog, "Step time"));
  g_assert_false (app_rig_shows (dialog, "Global batch"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  drop (rig, g_slist_append (NULL, app_rig_put (rig, "train.sh", arguments)));
  dialog = wait_for_dialog ("From train.sh");
  g_assert_true (app_rig_shows (dialog, "TP 8, PP 4, DP 2 → TP 4, PP 2, DP 8"));
  g_assert_true (app_rig_shows (dialog, "1 → 2"));
  g_assert_false (app_rig_shows (dialog, "Parameters"));
  apply (dialog);
  rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  drop (rig, g_slist_append (NULL, app_rig_put (rig, "train.sh", arguments)));
  dialog = wait_for_dialog ("From train.sh");
  g_assert_true (app_rig_shows (dialog, "The plan already has these values"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
assert_change (GPtrArray *changes, const char *title, const char *text)
{
  for (guint i = 0; i < changes->len; i++)
    {
      const PlgImportChange *change = changes->pdata[i];

      if (g_str_equal (change->title, title))
        {
          g_assert_cmpstr (change->text, ==, text);
          return;
        }
    }
  g_error ("no note mentions %s", title);
}

/* Numbers are rounded with units, each value has one name, and faults are named. */
static void
test_changes (AppRig *rig, gconstpointer data)
{
  static const char *const settings[] = { "cluster.memory=140.4013671875",
                                          "cluster.inter-bandwidth=0.15625",
                                          "cluster.faults=port:8=0.5555555555555556,port:9=0.5",
                                          "cluster.node-names=2=gpu002,3=gpu003", NULL };
  PlgDocument *document = plg_window_document (rig->window);
  const PlgPlan *before = plg_document_plan (document);
  const PlgCatalogue *catalogue = plg_document_catalogue (document);
  g_autoptr (PlgPlan) after = plg_plan_copy (before);
  g_autoptr (PlgReport) was = plg_evaluate (before, PLG_EVALUATE_TOTALS, NULL);
  g_autoptr (PlgReport) becomes = NULL;
  g_autoptr (GPtrArray) changes = NULL;

  g_assert_true (plg_settings_apply (after, catalogue, settings, NULL));
  becomes = plg_evaluate (after, PLG_EVALUATE_TOTALS, NULL);
  plg_node_topology_init (&after->node_topology, 8, 1);
  changes = plg_import_changes (before, was, after, becomes, catalogue);
  assert_change (changes, "Node names", "– → node[0-1],gpu[002-003],node[4-7]");
  assert_change (changes, "Memory", "79.65 GiB → 140.4 GiB");
  assert_change (changes, "Bandwidth between nodes", "50 GB/s → 0.1562 GB/s");
  assert_change (changes, "Faults", "– → The NVLink port of GPU 8 runs at 55.6 % and 1 more");
  assert_change (changes, "Node map", "– → 8 GPUs and 1 NIC");
}

/* Ranks that a file moves back are not listed as moved ranks. */
static void
test_placement_changes (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  const PlgPlan *plan = plg_document_plan (document);
  const PlgCatalogue *catalogue = plg_document_catalogue (document);
  const PlgReport *report = plg_document_report (document);
  g_autoptr (PlgPlan) moved = plg_plan_copy (plan);
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  g_autoptr (GPtrArray) comes = NULL, goes = NULL, differs = NULL;

  g_assert_true (plg_edit_swap_ranks (moved, 0, 9, NULL));
  g_assert_true (plg_edit_swap_ranks (other, 0, 10, NULL));
  comes = plg_import_changes (plan, report, moved, report, catalogue);
  goes = plg_import_changes (moved, report, plan, report, catalogue);
  differs = plg_import_changes (moved, report, other, report, catalogue);
  assert_change (comes, "Ranks moved by hand", "0 → 2");
  assert_change (goes, "Ranks moved by hand", "2 → 0");
  assert_change (differs, "Ranks moved by hand", "2 → 2, on different GPUs");
}

/* A dropped plan opens in the window. */
static void
test_dropped_plan (AppRig *rig, gconstpointer data)
{
  g_autoptr (GFile) file = app_rig_put (rig, "small.plan.xml", "<plan version=\"1\"/>");

  drop (rig, g_slist_append (NULL, g_object_ref (file)));
  rig_until (plg_document_file (plg_window_document (rig->window)) != NULL);
  g_assert_true (g_file_equal (plg_document_file (plg_window_document (rig->window)), file));
}

/* An unreadable file is reported with place and reason. */
static void
test_dropped_unreadable_file (AppRig *rig, gconstpointer data)
{
  GFile *file = app_rig_put (rig, "hosts", "node0 slots=8\n$(reboot) slots=8\n");
  GtkWidget *dialog;

  drop (rig, g_slist_append (NULL, file));
  rig_until ((dialog = app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_true (app_rig_shows (dialog, "hosts:2: “$(reboot)” is not a valid node name"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Pasting -------------------------------------------------------------------------------------- */

static void
paste_text (AppRig *rig, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)), text);
  g_assert_true (app_rig_act (rig, "win.paste"));
}

static void
test_pasted (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *dialog;

  paste_text (rig, "torchrun pretrain_gpt.py --num-layers 32 --hidden-size 4096 "
                   "--num-attention-heads 32 --seq-length 4096\n");
  dialog = wait_for_dialog ("From clipboard");
  g_assert_true (app_rig_shows (dialog, "Hidden size: 4096"));
  apply (dialog);
  rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
}

/* Undo restores the previous plan. */
static void
test_pasted_plan (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);

  paste_text (rig, "world_size: 16\nnode_shape: 2_nodes_x_8_gpus\nparallelism:\n  tp_size: 8\n"
                   "  pp_size: 2\n  dp_size: 1\n");
  rig_until (plg_document_plan (document)->cluster.nodes == 2);
  g_assert_true (app_rig_shows (GTK_WIDGET (rig->window), "Plan pasted"));
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->cluster.nodes, ==, 8);
}

/* Files copied in a file manager are opened. */
static void
test_pasted_files (AppRig *rig, gconstpointer data)
{
  GSList *files = g_slist_append (NULL, app_rig_put (rig, "topo.txt", matrix));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, files);
  gdk_clipboard_set_value (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)), &value);
  g_assert_true (app_rig_act (rig, "win.paste"));
  gtk_window_destroy (GTK_WINDOW (wait_for_dialog ("From topo.txt")));
}

/* The message does not mention options of the command line. */
static void
test_pasted_unreadable_text (AppRig *rig, gconstpointer data)
{
  GtkWidget *dialog;

  paste_text (rig, "Dear reader,\n");
  rig_until ((dialog = app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_true (app_rig_shows (dialog,
                                "clipboard:1: No supported format begins with “Dear reader,”"));
  g_assert_true (app_rig_shows (dialog,
                                "These files can be read: plans; output of nvidia-smi topo -m"));
  g_assert_false (app_rig_shows (dialog, "parallelogram-cli"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
paste_bytes (AppRig *rig, GBytes *bytes)
{
  g_autoptr (GdkContentProvider)
                 provider = gdk_content_provider_new_for_bytes ("text/plain;charset=utf-8", bytes);

  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)), provider);
  g_assert_true (app_rig_act (rig, "win.paste"));
}

static void
assert_refused (AppRig *rig, const char *why)
{
  GtkWidget *dialog;

  rig_until ((dialog = app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_true (app_rig_shows (dialog, why));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A null byte inside the text is kept, a null byte at its end is removed. */
static void
test_pasted_binary (AppRig *rig, gconstpointer data)
{
  static const char zero[] = "\0node0 slots=8\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (zero, sizeof zero - 1);
  g_autoptr (GBytes) ended = g_bytes_new_static (matrix, sizeof matrix);

  paste_bytes (rig, bytes);
  assert_refused (rig, "clipboard:1: The file has a zero byte here");
  paste_bytes (rig, ended);
  gtk_window_destroy (GTK_WINDOW (wait_for_dialog ("From clipboard")));
}

/* An endless text is refused before its end. */
typedef GdkContentProvider Endless;
typedef GdkContentProviderClass EndlessClass;
GType endless_get_type (void);
G_DEFINE_TYPE (Endless, endless, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *
endless_ref_formats (GdkContentProvider *provider)
{
  static const char *types[] = { "text/plain;charset=utf-8" };

  return gdk_content_formats_new (types, 1);
}

static void
endless_write (GdkContentProvider *provider,
               const char *type,
               GOutputStream *stream,
               int priority,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, data);
  const gsize size = (16 << 20) + 1;
  g_autofree char *text = g_malloc (size);

  memset (text, '#', size);
  /* Writes to memory without closing the stream. */
  g_output_stream_write_all_async (stream, text, size, priority, NULL, NULL, NULL);
  g_object_set_data_full (G_OBJECT (provider), "text", g_steal_pointer (&text), g_free);
  g_object_set_data_full (G_OBJECT (provider), "task", g_steal_pointer (&task), g_object_unref);
}

static void
endless_class_init (EndlessClass *klass)
{
  klass->ref_formats = endless_ref_formats;
  klass->write_mime_type_async = endless_write;
}

static void
endless_init (Endless *self)
{
}

static void
test_pasted_endless_text (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GdkContentProvider) provider = g_object_new (endless_get_type (), NULL);

  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (rig->window)), provider);
  g_assert_true (app_rig_act (rig, "win.paste"));
  assert_refused (rig, "clipboard: The text is larger than the limit of 16 MiB");
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/importing/dropped", test_dropped },
    { "/importing/preview", test_preview },
    { "/importing/changes", test_changes },
    { "/importing/placement-changes", test_placement_changes },
    { "/importing/dropped-plan", test_dropped_plan },
    { "/importing/dropped-unreadable-file", test_dropped_unreadable_file },
    { "/importing/pasted", test_pasted },
    { "/importing/pasted-plan", test_pasted_plan },
    { "/importing/pasted-files", test_pasted_files },
    { "/importing/pasted-unreadable-text", test_pasted_unreadable_text },
    { "/importing/pasted-binary", test_pasted_binary },
    { "/importing/pasted-endless-text", test_pasted_endless_text },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
