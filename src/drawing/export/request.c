/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/request.h"

#include "drawing/export/option-applicability.h"
#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/stroke-geometry.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
plg_request_init (PlgRequest *request, const PlgPlan *plan, PlgPalette palette)
{
  PlgTheme theme;

  *request = (PlgRequest) { .picture = PLG_PICTURE_CLUSTER, .palette = palette };
  plg_picture_options_init (&request->options, plan);
  request->highlighted = g_array_new (FALSE, FALSE, sizeof (PlgEntity));
  plg_theme_init (&theme, palette);
  request->file.scale = 1;
  /* With a dark palette, use the background of the theme, because light text is not readable on
   * white. */
  request->file.background = theme.dark ? PLG_BACKGROUND_THEME : PLG_BACKGROUND_WHITE;
}

void
plg_request_clear (PlgRequest *request)
{
  g_clear_pointer (&request->highlighted, g_array_unref);
  g_clear_pointer (&request->sweep, plg_sweep_unref);
  g_clear_pointer (&request->search, plg_search_picture_unref);
  g_clear_pointer (&request->compared, plg_compared_plan_unref);
  g_clear_pointer (&request->file.attachment, g_bytes_unref);
}

void
plg_request_copy (const PlgRequest *request, PlgRequest *copy)
{
  *copy = *request;
  copy->highlighted = g_array_copy (request->highlighted);
  if (copy->compared != NULL)
    plg_compared_plan_ref (copy->compared);
  if (copy->file.attachment != NULL)
    g_bytes_ref (copy->file.attachment);
  if (copy->sweep != NULL)
    copy->sweep = plg_sweep_ref (copy->sweep);
  if (copy->search != NULL)
    plg_search_picture_ref (copy->search);
}

void
plg_request_set_picture (PlgRequest *request, PlgPicture picture)
{
  PlgPictureOptions *options = &request->options;

  if (picture != request->picture)
    request->crop = (PlgRect) { 0 };
  request->picture = picture;
  for (int i = (int) request->highlighted->len - 1; i >= 0; i--)
    {
      if (plg_picture_can_highlight (picture, g_array_index (request->highlighted, PlgEntity, i)))
        continue;
      g_array_remove_index (request->highlighted, i);
      options->n_pins -= i < options->n_pins;
    }
  if (!plg_picture_option_is_drawn (PLG_PICTURE_OPTION_TIME, picture))
    options->has_moment = FALSE;
  if (!plg_picture_option_is_drawn (PLG_PICTURE_OPTION_SELECTED, picture))
    options->selected.kind = PLG_ENTITY_NONE;
  if (!plg_picture_option_is_drawn (PLG_PICTURE_OPTION_NODES, picture))
    options->nodes.n = 0;
  if (!plg_picture_option_is_drawn (PLG_PICTURE_OPTION_COLUMNS, picture))
    options->columns.n = 0;
  if (!plg_picture_option_is_drawn (PLG_PICTURE_OPTION_WIDTH, picture))
    options->width = 0;
  if (!plg_picture_option_is_drawn (PLG_PICTURE_OPTION_ZOOM, picture))
    options->zoom = 0;
}

void
plg_request_highlight (PlgRequest *request, PlgEntity entity, gboolean is_pin)
{
  if (is_pin)
    g_array_insert_val (request->highlighted, request->options.n_pins++, entity);
  else
    g_array_append_val (request->highlighted, entity);
}

static gboolean
has_crop (const PlgRequest *request)
{
  return request->crop.width > 0 && request->crop.height > 0;
}

/* Returns the options of the picture, including the highlighted entities and the crop. */
static PlgPictureOptions
request_options (const PlgRequest *request)
{
  PlgPictureOptions options = request->options;

  options.highlighted = (const PlgEntity *) (gconstpointer) request->highlighted->data;
  options.n_highlighted = (int) request->highlighted->len;
  options.sweep = request->sweep;
  options.search = request->search;
  options.compared = request->compared;
  options.handles = FALSE;
  options.visible = request->crop;
  return options;
}

/* Draws the figure before it is cropped. A cluster that will be cropped is drawn without a
 * legend, because crop_and_scale() adds the legend. */
static PlgFigure *
whole_figure (const PlgRequest *request,
              const PlgPlan *plan,
              const PlgReport *report,
              PlgTheme *theme)
{
  PlgPictureOptions options = request_options (request);

  plg_theme_init (theme, request->palette);
  if (has_crop (request) && request->picture == PLG_PICTURE_CLUSTER)
    options.legend = PLG_LEGEND_OFF;
  return plg_picture_figure (request->picture, plan, report, theme, &options);
}

static void
crop_and_scale (const PlgRequest *request,
                const PlgPlan *plan,
                const PlgReport *report,
                const PlgTheme *theme,
                PlgFigure *figure)
{
  PlgPictureOptions options = request_options (request);
  gboolean is_cluster = request->picture == PLG_PICTURE_CLUSTER;

  if (has_crop (request))
    {
      plg_figure_crop (figure, request->crop);
      if (is_cluster)
        plg_cluster_figure_add_legend (figure, plan, report, theme, &options);
    }
  /* Export a zoomed cluster at its size on the screen, because at natural size it could be
   * metres wide. */
  if (is_cluster && options.zoom > 0)
    plg_figure_scale (figure, plg_cluster_layout_zoom_step (options.zoom));
}

PlgFigure *
plg_request_figure (const PlgRequest *request,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    PlgTheme *theme)
{
  PlgFigure *figure = whole_figure (request, plan, report, theme);

  crop_and_scale (request, plan, report, theme, figure);
  return figure;
}

GBytes *
plg_request_write (const PlgRequest *request,
                   const PlgFigure *figure,
                   const PlgTheme *theme,
                   const PlgPlan *plan,
                   const PlgReport *report,
                   GError **error)
{
  PlgExportOptions file = request->file;
  PlgPictureOptions shown = request_options (request);

  file.picture = request->picture;
  file.shown = &shown;
  file.plan = plan;
  file.report = report;
  return plg_export (figure, theme, &file, error);
}

GBytes *
plg_request_export (const PlgRequest *request,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    GError **error)
{
  PlgTheme theme;
  g_autoptr (PlgFigure) figure = whole_figure (request, plan, report, &theme);
  PlgRect whole = { 0, 0, plg_figure_width (figure), plg_figure_height (figure) };

  if (has_crop (request) && !plg_rect_intersects (whole, request->crop))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("The area to crop lies outside the picture “%s”, which is %.0f points wide "
                      "and %.0f points high; the top left corner of the picture is 0,0."),
                   plg_picture_name (request->picture), whole.width, whole.height);
      return NULL;
    }
  crop_and_scale (request, plan, report, &theme, figure);
  return plg_request_write (request, figure, &theme, plan, report, error);
}

GBytes *
plg_request_document_picture (const char *name,
                              const PlgPlan *plan,
                              const PlgReport *report,
                              GError **error)
{
  g_auto (PlgRequest) request = { 0 };

  plg_request_init (&request, plan, PLG_PALETTE_LIGHT);
  g_return_val_if_fail (plg_picture_from_name (name, &request.picture), NULL);
  return plg_request_export (&request, plan, report, error);
}

/* Entities as text ----------------------------------------------------------------------------- */

static const struct
{
  PlgEntityKind kind;
  const char *name;
} kinds[] = {
  { PLG_ENTITY_GPU, "gpu" },
  { PLG_ENTITY_NODE, "node" },
  { PLG_ENTITY_COLLECTIVE, "collective" },
  { PLG_ENTITY_STAGE, "stage" },
};

char *
plg_entity_to_text (const PlgReport *report, PlgEntity entity)
{
  g_autofree char *link = NULL;

  if (entity.kind == PLG_ENTITY_GROUP)
    {
      const char *axis = plg_axis_name (entity.axis);

      return entity.index < 0 ? g_strdup (axis) : g_strdup_printf ("%s:%d", axis, entity.index);
    }
  if (entity.kind == PLG_ENTITY_LINK && entity.index >= 0 &&
      entity.index < (int) report->links->len)
    {
      link = plg_link_id (&g_array_index (report->links, PlgLink, entity.index));
      return g_strconcat ("link:", link, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == entity.kind)
      return g_strdup_printf ("%s:%d", kinds[i].name, entity.index);
  return NULL;
}

/* Returns the number of entities of the same kind as ENTITY. For a group, counts the groups of
 * its axis. */
static int
count_entities (const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  switch (entity.kind)
    {
    case PLG_ENTITY_GPU:
      return plg_cluster_gpus (&plan->cluster);
    case PLG_ENTITY_NODE:
      return plan->cluster.nodes;
    case PLG_ENTITY_GROUP:
      return plg_axis_groups (&plan->parallelism, entity.axis);
    case PLG_ENTITY_COLLECTIVE:
      return (int) report->collectives->len;
    case PLG_ENTITY_STAGE:
      return plan->parallelism.degree[PLG_AXIS_PP];
    case PLG_ENTITY_NONE:
    case PLG_ENTITY_LINK:
    case PLG_ENTITY_HANDLE:
    case PLG_ENTITY_BLOCK:
    case PLG_ENTITY_PART:
    case PLG_ENTITY_PAIR:
    case PLG_ENTITY_LEGEND:
    case PLG_ENTITY_RACK:
    case PLG_ENTITY_SHARD:
    case PLG_ENTITY_POINT:
    default:
      return 0;
    }
}

static gboolean
find_entity (const PlgPlan *plan, const PlgReport *report, const char *text, PlgEntity *entity)
{
  const char *colon = strchr (text, ':');
  g_autofree char *name = colon != NULL ? g_strndup (text, colon - text) : g_strdup (text);
  PlgEntity found = { PLG_ENTITY_NONE, 0, 0 };
  guint64 index;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      found.kind = kinds[i].kind;
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (strcmp (plg_axis_name (axis), name) == 0)
      found = (PlgEntity) { PLG_ENTITY_GROUP, axis, 0 };
  if (colon == NULL)
    {
      found.index = -1;
      *entity = found;
      return found.kind == PLG_ENTITY_GROUP;
    }
  if (strcmp (name, "link") == 0)
    {
      for (guint i = 0; i < report->links->len; i++)
        {
          g_autofree char *other = plg_link_id (&g_array_index (report->links, PlgLink, i));

          if (strcmp (colon + 1, other) == 0)
            {
              *entity = (PlgEntity) { PLG_ENTITY_LINK, 0, (int) i };
              return TRUE;
            }
        }
      return FALSE;
    }
  if (found.kind == PLG_ENTITY_NONE ||
      !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT, &index, NULL) ||
      (int) index >= count_entities (plan, report, found))
    return FALSE;
  found.index = (int) index;
  *entity = found;
  return TRUE;
}

gboolean
plg_entity_from_text (const PlgPlan *plan,
                      const PlgReport *report,
                      const char *text,
                      PlgEntity *entity,
                      GError **error)
{
  PlgEntity found;

  if (!find_entity (plan, report, text, &found))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("This plan has no “%s”. Write gpu:17, node:2, tp or tp:3 (a group), "
                      "link:nvlink-2-5, collective:0 or stage:1; numbers begin at 0."),
                   text);
      return FALSE;
    }
  *entity = found;
  return TRUE;
}

/* The request as command-line options ---------------------------------------------------------- */

static const char *const show_names[] = {
  [PLG_SHOW_ALL] = "all", [PLG_SHOW_TP] = "tp", [PLG_SHOW_CP] = "cp",         [PLG_SHOW_EP] = "ep",
  [PLG_SHOW_PP] = "pp",   [PLG_SHOW_DP] = "dp", [PLG_SHOW_MEMORY] = "memory",
};
static const char *const link_color_names[] = {
  [PLG_LINK_COLOR_FREQUENCY] = "frequency",
  [PLG_LINK_COLOR_BYTES] = "bytes",
  [PLG_LINK_COLOR_TIME] = "time",
  [PLG_LINK_COLOR_OFF] = "off",
};

static void
add_option (GPtrArray *words, const char *option, const char *value)
{
  g_ptr_array_add (words, g_strdup (option));
  if (value != NULL)
    g_ptr_array_add (words, g_strdup (value));
}

static void
add_entity (GPtrArray *words, const char *option, const PlgReport *report, PlgEntity entity)
{
  g_autofree char *text = plg_entity_to_text (report, entity);

  if (text != NULL)
    add_option (words, option, text);
}

static void
add_number (GPtrArray *words, const char *option, double value)
{
  g_autofree char *text = plg_format_exact (value);

  add_option (words, option, text);
}

static gboolean
has_option (const PlgRequest *request, PlgPictureOption option)
{
  if (request->compared != NULL && request->picture == PLG_PICTURE_COMPARE &&
      (option == PLG_PICTURE_OPTION_HIGHLIGHTED || option == PLG_PICTURE_OPTION_SELECTED ||
       option == PLG_PICTURE_OPTION_NODES || option == PLG_PICTURE_OPTION_OTHER_ORDER))
    return FALSE;
  return plg_picture_option_has_effect (option, request->picture, request->file.format);
}

static void
add_nodes (GPtrArray *words, const char *option, PlgRange nodes)
{
  g_autofree char *text = g_strdup_printf ("%d-%d", nodes.first, nodes.first + nodes.n - 1);

  if (nodes.n > 0)
    add_option (words, option, text);
}

static void
add_file (GPtrArray *words, const PlgRequest *request)
{
  const PlgExportOptions *file = &request->file;

  if (has_option (request, PLG_PICTURE_OPTION_COLOR))
    {
      PlgTheme theme;

      plg_theme_init (&theme, request->palette);
      if (request->palette != PLG_PALETTE_LIGHT)
        add_option (words, "--palette", plg_palette_name (request->palette));
      if (request->file.background != (theme.dark ? PLG_BACKGROUND_THEME : PLG_BACKGROUND_WHITE))
        add_option (words, "--background", plg_background_name (request->file.background));
    }
  if (has_option (request, PLG_PICTURE_OPTION_SCALE) && file->scale != 1)
    add_number (words, "--scale", file->scale);
  if (has_option (request, PLG_PICTURE_OPTION_PAGE) && file->page != PLG_PAGE_DRAWING)
    add_option (words, "--page", plg_page_name (file->page));
  if (has_option (request, PLG_PICTURE_OPTION_PLAN) && file->attachment == NULL)
    add_option (words, "--without-plan", NULL);
}

GPtrArray *
plg_request_cli_arguments (const PlgRequest *request, const PlgReport *report)
{
  const PlgPictureOptions *options = &request->options;
  const PlgRect *crop = &request->crop;
  PlgLegendPlace legend = options->legend;
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  add_option (words, "--view", plg_picture_name (request->picture));
  if (has_option (request, PLG_PICTURE_OPTION_SHOW))
    add_option (words, "--show", show_names[options->show]);
  if (has_option (request, PLG_PICTURE_OPTION_LINK_COLOR))
    add_option (words, "--link-color", link_color_names[options->link_color]);
  if (has_option (request, PLG_PICTURE_OPTION_LINKS))
    add_option (words, "--links", options->rings ? "logical" : "physical");
  if (has_option (request, PLG_PICTURE_OPTION_PAIRS))
    add_option (words, "--pairs", options->pairs == PLG_MATRIX_TRAFFIC ? "traffic" : "bandwidth");

  for (guint i = 0; i < request->highlighted->len; i++)
    {
      PlgEntity entity = g_array_index (request->highlighted, PlgEntity, i);

      if (has_option (request, PLG_PICTURE_OPTION_HIGHLIGHTED) &&
          plg_picture_can_highlight (request->picture, entity))
        add_entity (words, (int) i < options->n_pins ? "--pin" : "--focus", report, entity);
    }
  if (has_option (request, PLG_PICTURE_OPTION_SELECTED) &&
      plg_entity_can_be_selected (options->selected))
    add_entity (words, "--select", report, options->selected);
  if (has_option (request, PLG_PICTURE_OPTION_NODES))
    add_nodes (words, "--nodes", options->nodes);
  if (has_option (request, PLG_PICTURE_OPTION_COLUMNS))
    add_nodes (words, "--columns", options->columns);
  if (options->has_moment && has_option (request, PLG_PICTURE_OPTION_TIME))
    {
      g_autofree char *seconds = plg_format_exact (options->moment);
      g_autofree char *at = g_strconcat (seconds, "s", NULL);

      add_option (words, "--at", at);
    }
  if (has_option (request, PLG_PICTURE_OPTION_COLLECTIVE) && options->collective >= 0 &&
      options->collective < (int) report->collectives->len)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective,
                                                 options->collective);
      g_autofree char *name = plg_collective_name (row);

      add_option (words, "--collective", name);
      add_number (words, "--rank", options->rank);
    }
  if (has_option (request, PLG_PICTURE_OPTION_FRAME))
    add_number (words, "--frame", options->frame);
  if (options->has_other_order && has_option (request, PLG_PICTURE_OPTION_OTHER_ORDER))
    {
      PlgParallelism other = { 0 };
      g_autofree char *order = NULL;

      memcpy (other.order, options->other_order, sizeof other.order);
      order = plg_order_to_string (&other);
      add_option (words, "--with-order", order);
    }
  if (request->sweep != NULL && request->sweep->kind == PLG_SWEEP_OF_KEYS &&
      has_option (request, PLG_PICTURE_OPTION_SWEEP))
    {
      const PlgSweep *sweep = request->sweep;
      g_autofree char *x = plg_sweep_key_to_text (&sweep->x);
      g_autofree char *y = sweep->y.setting != NULL ? plg_sweep_key_to_text (&sweep->y) : NULL;

      add_option (words, "--x", x);
      if (y != NULL)
        add_option (words, "--y", y);
      add_option (words, "--metric", sweep->metric->name);
    }
  if (request->search != NULL && has_option (request, PLG_PICTURE_OPTION_SEARCH))
    {
      const PlgSearchPicture *search = request->search;

      for (int i = 0; search->arguments != NULL && search->arguments[i] != NULL; i++)
        add_option (words, search->arguments[i], NULL);
      add_option (words, "--color-by", plg_search_key_setting (search->class_key));
    }
  if (request->compared != NULL && has_option (request, PLG_PICTURE_OPTION_OTHER_PLAN))
    {
      if (request->compared->path != NULL)
        add_option (words, "--with", request->compared->path);
      else if (request->compared->variant != NULL)
        add_option (words, "--with-variant", request->compared->variant);
    }
  if (has_crop (request))
    {
      g_autofree char *x = plg_format_exact (crop->x), *y = plg_format_exact (crop->y);
      g_autofree char *width = plg_format_exact (crop->width);
      g_autofree char *height = plg_format_exact (crop->height);
      g_autofree char *text = g_strjoin (",", x, y, width, height, NULL);

      add_option (words, "--crop", text);
    }
  if (legend == PLG_LEGEND_RIGHT && !has_option (request, PLG_PICTURE_OPTION_LEGEND_RIGHT))
    legend = PLG_LEGEND_BELOW;
  if (legend != PLG_LEGEND_BELOW && has_option (request, PLG_PICTURE_OPTION_LEGEND))
    add_option (words, "--legend", plg_legend_place_name (legend));
  if (options->width > 0 && has_option (request, PLG_PICTURE_OPTION_WIDTH))
    add_number (words, "--width", options->width);
  if (options->zoom > 0 && has_option (request, PLG_PICTURE_OPTION_ZOOM))
    add_number (words, "--zoom", options->zoom);
  add_file (words, request);
  return words;
}

char *
plg_shell_quote_arguments (const GPtrArray *words)
{
  /* A shell does not interpret these characters. */
  static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-./:=,+@%";
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < words->len; i++)
    {
      const char *word = g_ptr_array_index (words, i);
      gboolean is_plain = *word != '\0' && strspn (word, plain) == strlen (word);
      g_autofree char *quoted = is_plain ? g_strdup (word) : g_shell_quote (word);

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", quoted);
    }
  return g_string_free (line, FALSE);
}
