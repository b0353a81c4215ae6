/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/screen-picture.h"

#include "drawing/cluster/cluster-layout.h"
#include "engine/report/redaction.h"
#include "io/registry/registry.h"
#include "plan/settings/setting-difference.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Fills REQUEST with the settings of CANVAS for the part of the cluster inside VIEW. If VIEW has
 * width 0, REQUEST covers the whole cluster. */
static void
fill_request (PlgCanvas *canvas, PlgDocument *document, PlgRect view, PlgRequest *request)
{
  PlgPictureOptions options;
  gboolean is_highlighted;

  plg_canvas_get_options (canvas, &options);
  options.row_gpus = 0;
  plg_request_init (request, plg_document_plan (document), plg_canvas_get_palette (canvas));
  is_highlighted = view.width <= 0 ||
                   plg_cluster_is_highlighted_in (plg_document_plan (document),
                                                  plg_document_report (document), &options, view);
  for (int i = 0; is_highlighted && i < options.n_highlighted; i++)
    plg_request_highlight (request, options.highlighted[i], i < options.n_pins);
  options.n_pins = request->options.n_pins;
  options.highlighted = NULL;
  options.n_highlighted = 0;
  options.handles = FALSE;
  options.min_text_size = 0;
  options.zoom = 0;
  request->options = options;
  request->crop = view;
}

void
plg_screen_picture_request (PlgCanvas *canvas,
                            PlgDocument *document,
                            PlgPicture picture,
                            PlgRequest *request)
{
  PlgRect view = { 0 };

  if (picture == PLG_PICTURE_CLUSTER)
    plg_canvas_get_view (canvas, &view);
  fill_request (canvas, document, view, request);
  request->options.zoom = plg_cluster_layout_zoom_step (plg_canvas_get_zoom (canvas));
  plg_request_set_picture (request, picture);
}

void
plg_screen_picture_whole_request (PlgCanvas *canvas, PlgDocument *document, PlgRequest *request)
{
  fill_request (canvas, document, (PlgRect) { 0 }, request);
}

/* Returns whether ranks A and B share a group of an axis with a degree above 1. */
static gboolean
are_in_one_group (const PlgParallelism *parallelism, int a, int b)
{
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (parallelism->degree[axis] > 1 &&
        plg_axis_group_of (parallelism, axis, a) == plg_axis_group_of (parallelism, axis, b))
      return TRUE;
  return FALSE;
}

void
plg_screen_picture_group_nodes (const PlgPlan *plan, int gpu, int *first, int *n)
{
  int gpus = plg_cluster_gpus (&plan->cluster), per_node = plan->cluster.gpus_per_node;
  g_autofree int *rank_of_gpu = plg_plan_rank_of_gpus (plan);
  int low = gpu / per_node, high = low;

  for (int other = 0; other < gpus; other++)
    if (are_in_one_group (&plan->parallelism, rank_of_gpu[gpu], rank_of_gpu[other]))
      {
        low = MIN (low, other / per_node);
        high = MAX (high, other / per_node);
      }
  *first = low;
  *n = high - low + 1;
}

static void
add_word (GPtrArray *words, const char *word)
{
  g_ptr_array_add (words, g_strdup (word));
}

/* Adds the language of the window, because the command line draws English pictures by default. */
static void
add_language (GPtrArray *words)
{
  /* The translation of "" is the header of the message catalogue. The empty string is in a
   * variable, because xgettext would extract a literal "". */
  static const char nothing[] = "";
  const char *head = dgettext (GETTEXT_PACKAGE, nothing), *line = strstr (head, "Language: ");
  g_autofree char *language = NULL;

  if (line == NULL)
    return;
  line += strlen ("Language: ");
  language = g_strndup (line, strcspn (line, "\n"));
  if (*language == '\0')
    return;
  add_word (words, "--language");
  add_word (words, language);
}

char *
plg_screen_picture_file_name (PlgDocument *document, const PlgRequest *request)
{
  g_autofree char *title = plg_plan_display_title (plg_document_plan (document));

  g_strdelimit (title, "/\\:*?\"<>|\n\t", '-');
  return g_strdup_printf ("%s %s.%s", title, plg_picture_name (request->picture),
                          plg_export_format_name (request->file.format));
}

char *
plg_screen_picture_command (PlgDocument *document, const PlgRequest *request, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *name = plg_screen_picture_file_name (document, request);

  if (plg_report_hides (plg_document_report (document), PLG_REDACT_ALL))
    {
      g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                           _ ("The command would reveal the answer to a question in the lesson. "
                              "Answer the question first."));
      return NULL;
    }
  add_word (words, "parallelogram-cli");
  add_word (words, "export");

  /* Pass the file name of the plan if the plan is saved and unchanged; otherwise pass --set for
   * each difference from the default plan. */
  GFile *file = plg_document_file (document);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  PlgCatalogue *catalogue = plg_document_catalogue (document);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_auto (GStrv) settings = NULL;

  if (path != NULL && !plg_document_is_modified (document))
    add_word (words, path);
  else
    {
      /* A search starts from the committed plan, even while a found plan is previewed. */
      const PlgPlan *drawn = request->picture == PLG_PICTURE_SEARCH
                                 ? plg_document_committed_plan (document)
                                 : plg_document_plan (document);

      /* Only a file can name the variant that is compared with the plan. */
      if (request->compared == NULL || request->compared->path != NULL)
        settings = plg_settings_difference (plan, drawn, catalogue);
      if (settings == NULL)
        {
          g_set_error_literal (
              error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
              _ ("Save the plan first, because its changes cannot be written as command-line "
                 "options."));
          return NULL;
        }
      for (int i = 0; settings[i] != NULL; i++)
        {
          add_word (words, "--set");
          add_word (words, settings[i]);
        }
    }

  add_language (words);
  g_ptr_array_extend_and_steal (words, plg_request_cli_arguments (request,
                                                                  plg_document_report (document)));
  add_word (words, "-o");
  add_word (words, name);
  return plg_shell_quote_arguments (words);
}
