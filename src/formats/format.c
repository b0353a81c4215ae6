/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format.h"
#include "formats/links-csv.h"
#include "formats/plan-svg.h"
#include "formats/plan-yaml.h"
#include "formats/report-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_QUARK (plg_format_error_quark, plg_format_error)

typedef PlgPlan *(*ReadFunc) (const char *data,
                              gsize size,
                              const PlgCatalogue *catalogue,
                              PlgPlanSource **source,
                              char **notice,
                              GError **error);
typedef GBytes *(*WriteFunc) (const PlgPlan *plan,
                              const PlgReport *report,
                              PlgPlanSource *source,
                              GError **error);

/* What the content of a file looks like, before it is parsed. */
typedef gboolean (*SniffFunc) (const char *data, gsize size);

char *
plg_format_excerpt (const char *text, int maximum)
{
  g_autofree char *start = NULL;

  if (g_utf8_strlen (text, -1) <= maximum)
    return g_strdup (text);
  start = g_utf8_substring (text, 0, maximum - 1);
  return g_strconcat (start, "…", NULL);
}

static const PlgFormat formats[] = {
  { "xml", ".plan.xml", N_ ("Plan of Parallelogram (XML)"), TRUE, TRUE },
  { "yaml", ".yaml", N_ ("World size, node shape and degrees (YAML)"), TRUE, TRUE },
  { "svg", ".svg", N_ ("Picture with its plan inside (SVG)"), TRUE, FALSE },
  { "json", ".json", N_ ("Report, for programs (JSON)"), FALSE, TRUE },
  { "text", ".txt", N_ ("Report, for people (text)"), FALSE, TRUE },
  { "links", ".links.csv", N_ ("Links and their load (CSV)"), FALSE, TRUE },
  { "ledger", ".ledger.csv", N_ ("Each collective on each link (CSV)"), FALSE, TRUE },
};

/* Its notice is its source's. */
static PlgPlan *
read_xml (const char *data,
          gsize size,
          const PlgCatalogue *catalogue,
          PlgPlanSource **source,
          char **notice,
          GError **error)
{
  return plg_plan_xml_read (data, size, catalogue, source, error);
}

static PlgPlan *
read_yaml (const char *data,
           gsize size,
           const PlgCatalogue *catalogue,
           PlgPlanSource **source,
           char **notice,
           GError **error)
{
  return plg_plan_yaml_read (data, size, catalogue, notice, error);
}

/* What it is saved as is a plan of its own, so there is no source. */
static PlgPlan *
read_svg (const char *data,
          gsize size,
          const PlgCatalogue *catalogue,
          PlgPlanSource **source,
          char **notice,
          GError **error)
{
  return plg_plan_svg_read (data, size, catalogue, error);
}

static GBytes *
take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

static GBytes *
write_xml (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  return plg_plan_xml_write (plan, source);
}

static GBytes *
write_yaml (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  return take_text (plg_plan_yaml_write (plan));
}

static gboolean
need_report (const PlgReport *report, GError **error)
{
  if (report == NULL)
    g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                         _ ("This format tells results; the plan must be evaluated first."));
  return report != NULL;
}

static GBytes *
write_json (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  return need_report (report, error) ? take_text (plg_report_json (plan, report)) : NULL;
}

static GBytes *
write_text (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  return need_report (report, error) ? take_text (plg_report_text (plan, report)) : NULL;
}

static GBytes *
write_nothing (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                       _ ("Pictures are exported; a plan is not converted to one."));
  return NULL;
}

static GBytes *
write_links (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  return need_report (report, error) ? take_text (plg_links_csv (plan, report, ',', NULL, 0))
                                     : NULL;
}

static GBytes *
write_shares (const PlgPlan *plan, const PlgReport *report, PlgPlanSource *source, GError **error)
{
  return need_report (report, error) ? take_text (plg_link_shares_csv (plan, report, ',')) : NULL;
}

/* UTF-16 too: the XML reader says what is wrong with it. */
static gboolean
looks_like_xml (const char *data, gsize size)
{
  return (*data == '<' && !plg_plan_svg_is (data, size)) || *data == '\xFE' || *data == '\xFF';
}

static gboolean
looks_like_yaml (const char *data, gsize size)
{
  static const char *const keys[] = { "world_size", "node_shape", "parallelism", "reading_note" };

  for (const char *line = data; line != NULL && *data != '{' && *data != '[';)
    {
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        if (size - (line - data) > strlen (keys[i]) &&
            strncmp (line, keys[i], strlen (keys[i])) == 0)
          return TRUE;
      line = memchr (line, '\n', size - (line - data));
      line = line != NULL ? line + 1 : NULL;
    }
  return FALSE;
}

/* In the order of the formats. */
static const struct
{
  SniffFunc sniff;
  ReadFunc read;
  WriteFunc write;
} functions[G_N_ELEMENTS (formats)] = {
  { looks_like_xml, read_xml, write_xml },
  { looks_like_yaml, read_yaml, write_yaml },
  { plg_plan_svg_is, read_svg, write_nothing },
  { NULL, NULL, write_json },
  { NULL, NULL, write_text },
  { NULL, NULL, write_links },
  { NULL, NULL, write_shares },
};

const PlgFormat *
plg_formats (int *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const PlgFormat *
plg_format_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

static char *
readable_formats (void)
{
  GString *titles = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].can_read)
      g_string_append_printf (titles, "%s%s", titles->len > 0 ? ", " : "", _ (formats[i].title));
  return g_string_free (titles, FALSE);
}

/* Behind a byte order mark and space. */
static const char *
first_character (const char *data, gsize size)
{
  const char *p = data;

  if (size >= 3 && memcmp (p, "\xEF\xBB\xBF", 3) == 0)
    p += 3;
  while (p < data + size && g_ascii_isspace (*p))
    p++;
  return p;
}

static int
sniff (const char *data, gsize size, const char *name, GError **error)
{
  const char *start = first_character (data, size);
  gsize left = data + size - start;
  g_autofree char *titles = NULL;

  if (left == 0)
    {
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN, _ ("%s: The file is empty."),
                   name);
      return -1;
    }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (functions[i].sniff != NULL && functions[i].sniff (start, left))
      return (int) i;
  /* The name decides only where the content does not: the reader then says what is wrong. */
  if (g_str_has_suffix (name, ".yaml") || g_str_has_suffix (name, ".yml"))
    return (int) (plg_format_find ("yaml") - formats);
  titles = readable_formats ();
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN,
               _ ("%s: This is none of the formats that can be read: %s."), name, titles);
  return -1;
}

/* Puts NAME before each line. */
static char *
name_lines (const char *name, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *named = g_string_new (NULL);

  for (int i = 0; lines[i] != NULL; i++)
    g_string_append_printf (named, "%s%s:%s%s", i > 0 ? "\n" : "", name,
                            g_ascii_isdigit (*lines[i]) ? "" : " ", lines[i]);
  return g_string_free (named, FALSE);
}

PlgPlan *
plg_format_read (GBytes *bytes,
                 const char *name,
                 const PlgCatalogue *catalogue,
                 const PlgFormat **format,
                 PlgPlanSource **source,
                 char **notice,
                 GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  int i = sniff (data, size, name, error);
  g_autofree char *told = NULL;
  PlgPlan *plan;

  if (i < 0)
    return NULL;
  if (source != NULL)
    *source = NULL;
  plan = functions[i].read (data, size, catalogue, source, &told, error);
  if (notice != NULL)
    *notice = told != NULL ? name_lines (name, told) : NULL;
  if (plan == NULL)
    g_prefix_error (error, "%s:", name);
  else if (format != NULL)
    *format = &formats[i];
  return plan;
}

GBytes *
plg_format_write (const PlgFormat *format,
                  const PlgPlan *plan,
                  const PlgReport *report,
                  PlgPlanSource *source,
                  GError **error)
{
  gsize i = format - formats;

  g_return_val_if_fail (i < G_N_ELEMENTS (formats), NULL);
  return functions[i].write (plan, report, source, error);
}
