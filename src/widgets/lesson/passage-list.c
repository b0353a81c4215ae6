/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/passage-list.h"

#include "lessons/lesson-library.h"
#include "widgets/pictures/picture-view.h"

#include <string.h>

#define TERM_URI_PREFIX "term:"
#define TERM_WIDTH 46 /* the width of a definition [characters] */

struct _PlgPassageList
{
  GtkWidget parent_instance;

  const GPtrArray *passages;
  char *palette;
  gboolean words_only;
  GtkSizeGroup *columns[PLG_LESSON_MAX_CELLS]; /* one size group per column; gives all cells of
                                                  the column the same width */
  GPtrArray *glossary;                         /* NULL until the first term is opened */
  GtkWidget *popover;
};

G_DEFINE_FINAL_TYPE (PlgPassageList, plg_passage_list, GTK_TYPE_WIDGET)

/* Terms ---------------------------------------------------------------------------------------- */

static char *
meaning_of (const PlgGlossaryEntry *entry)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entry->text->len; i++)
    {
      const PlgPassage *passage = entry->text->pdata[i];

      for (guint j = 0; passage->spans != NULL && j < passage->spans->len; j++)
        {
          const PlgTextSpan *span = passage->spans->pdata[j];

          g_string_append (text, span->text != NULL ? span->text : "");
        }
      g_string_append (text, i + 1 < entry->text->len ? "\n" : "");
    }
  return g_string_free (text, FALSE);
}

/* Moves the focus back to the link that was followed. gtk_widget_grab_focus() would focus the
 * first link in LABEL. */
static void
term_closed_cb (GtkWidget *label)
{
  GtkRoot *root = gtk_widget_get_root (label);

  if (root != NULL && gtk_widget_get_mapped (label))
    gtk_root_set_focus (root, label);
}

static gboolean
activate_link_cb (PlgPassageList *self, const char *uri, GtkWidget *label)
{
  const PlgGlossaryEntry *entry = NULL;

  /* Let GTK open links to further reading in the browser. */
  if (g_str_has_prefix (uri, "https://"))
    return FALSE;
  if (!g_str_has_prefix (uri, TERM_URI_PREFIX))
    return TRUE; /* lessons contain no other links */
  if (self->glossary == NULL)
    self->glossary = plg_lesson_glossary ();
  entry = plg_glossary_find (self->glossary, uri + strlen (TERM_URI_PREFIX));
  if (entry != NULL)
    {
      g_autofree char *meaning = meaning_of (entry);
      g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b>\n%s", entry->term, meaning);
      GtkWidget *text = gtk_label_new (NULL);

      g_clear_pointer (&self->popover, gtk_widget_unparent);
      gtk_label_set_markup (GTK_LABEL (text), markup);
      gtk_label_set_wrap (GTK_LABEL (text), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (text), TERM_WIDTH);
      gtk_label_set_xalign (GTK_LABEL (text), 0);
      gtk_label_set_selectable (GTK_LABEL (text), TRUE);
      self->popover = gtk_popover_new ();
      gtk_widget_add_css_class (self->popover, "term");
      gtk_popover_set_child (GTK_POPOVER (self->popover), text);
      gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
      gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_RIGHT);
      g_signal_connect_object (self->popover, "closed", G_CALLBACK (term_closed_cb), label,
                               G_CONNECT_SWAPPED);
      gtk_popover_popup (GTK_POPOVER (self->popover));
    }
  return TRUE;
}

/* Building ------------------------------------------------------------------------------------- */

static GtkWidget *
new_label (PlgPassageList *self, const PlgPassage *passage)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, passage->kind == PLG_PASSAGE_FORMULA ? "formula" : "passage");
  g_signal_connect_object (label, "activate-link", G_CALLBACK (activate_link_cb), self,
                           G_CONNECT_SWAPPED);
  return label;
}

/* Returns whether PASSAGE is shown as a table row. If pictures are omitted, the row becomes a
 * line of text. */
static gboolean
is_table (PlgPassageList *self, const PlgPassage *passage)
{
  return passage->kind == PLG_PASSAGE_ROW && !self->words_only;
}

/* Returns a table row for PASSAGE; its last cell takes the remaining width. */
static GtkWidget *
new_row (PlgPassageList *self, const PlgPassage *passage)
{
  GtkWidget *row = g_object_new (GTK_TYPE_BOX, "spacing", 12, "accessible-role",
                                 GTK_ACCESSIBLE_ROLE_GROUP, NULL);

  gtk_widget_add_css_class (row, "tablerow");
  for (guint i = 0; i < passage->cells->len; i++)
    {
      GtkWidget *cell = new_label (self, passage);
      gboolean last = i + 1 == passage->cells->len;

      gtk_label_set_yalign (GTK_LABEL (cell), 0);
      gtk_label_set_wrap (GTK_LABEL (cell), last);
      gtk_widget_set_hexpand (cell, last);
      if (!last)
        gtk_size_group_add_widget (self->columns[i], cell);
      gtk_box_append (GTK_BOX (row), cell);
    }
  return row;
}

static GtkWidget *
new_picture (PlgPassageList *self, PlgDocument *document, const PlgPassage *passage)
{
  return g_object_new (PLG_TYPE_PICTURE_VIEW, "picture", passage->of, "palette", self->palette,
                       "document", document, NULL);
}

static void
remove_all (PlgPassageList *self)
{
  GtkWidget *child;

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
}

static void
set_markup (GtkWidget *label, const char *markup)
{
  if (g_strcmp0 (gtk_label_get_label (GTK_LABEL (label)), markup) != 0)
    gtk_label_set_markup (GTK_LABEL (label), markup);
}

static void
update_texts (PlgPassageList *self, PlgLessonRun *run, PlgLessonNumbers subject)
{
  PlgCatalogue *catalogue = plg_document_catalogue (plg_lesson_run_document (run));
  PlgLessonNumbers open = plg_lesson_run_numbers (run, PLG_LESSON_GOAL);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  for (guint i = 0; i < self->passages->len; i++, child = gtk_widget_get_next_sibling (child))
    {
      const PlgPassage *passage = self->passages->pdata[i];

      PlgLessonNumbers about = passage->is_live ? open : subject;

      if (passage->kind == PLG_PASSAGE_FIGURE)
        continue;

      g_autofree char *text = plg_passage_text (passage, about.plan, about.report, catalogue,
                                                !is_table (self, passage));

      if (is_table (self, passage))
        {
          GtkWidget *cell = gtk_widget_get_first_child (child);

          gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                          text, -1);
          for (guint j = 0; j < passage->cells->len; j++, cell = gtk_widget_get_next_sibling (cell))
            {
              g_autofree char *markup = plg_spans_text (passage->cells->pdata[j], about.plan,
                                                        about.report, catalogue, TRUE);

              set_markup (cell, markup);
            }
        }
      else if (passage->kind == PLG_PASSAGE_ITEM)
        {
          g_autofree char *item = g_strconcat ("•  ", text, NULL);

          set_markup (child, item);
        }
      else
        set_markup (child, text);
    }
}

void
plg_passage_list_show (PlgPassageList *self,
                       PlgLessonRun *run,
                       PlgLessonPart part,
                       const GPtrArray *passages)
{
  g_return_if_fail (PLG_IS_PASSAGE_LIST (self));

  if (passages != self->passages)
    {
      PlgDocument *document = plg_lesson_run_document (run);

      remove_all (self);
      self->passages = passages;
      for (guint i = 0; i < passages->len; i++)
        {
          const PlgPassage *passage = passages->pdata[i];
          GtkWidget *child = passage->kind == PLG_PASSAGE_FIGURE
                                 ? new_picture (self, document, passage)
                             : is_table (self, passage) ? new_row (self, passage)
                                                        : new_label (self, passage);

          gtk_widget_set_visible (child, passage->kind != PLG_PASSAGE_FIGURE || !self->words_only);
          gtk_widget_set_parent (child, GTK_WIDGET (self));
        }
    }
  update_texts (self, run, plg_lesson_run_numbers (run, part));
}

void
plg_passage_list_clear (PlgPassageList *self)
{
  g_return_if_fail (PLG_IS_PASSAGE_LIST (self));

  remove_all (self);
  self->passages = NULL;
}

void
plg_passage_list_set_palette (PlgPassageList *self, const char *palette)
{
  g_return_if_fail (PLG_IS_PASSAGE_LIST (self));

  g_free (self->palette);
  self->palette = g_strdup (palette);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (PLG_IS_PICTURE_VIEW (child))
      g_object_set (child, "palette", palette, NULL);
}

void
plg_passage_list_set_words_only (PlgPassageList *self, gboolean words_only)
{
  g_return_if_fail (PLG_IS_PASSAGE_LIST (self));
  self->words_only = words_only;
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_passage_list_dispose (GObject *object)
{
  PlgPassageList *self = PLG_PASSAGE_LIST (object);

  remove_all (self);
  for (int i = 0; i < PLG_LESSON_MAX_CELLS; i++)
    g_clear_object (&self->columns[i]);
  g_clear_pointer (&self->palette, g_free);
  g_clear_pointer (&self->glossary, g_ptr_array_unref);
  G_OBJECT_CLASS (plg_passage_list_parent_class)->dispose (object);
}

static void
plg_passage_list_class_init (PlgPassageListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plg_passage_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "passages");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
plg_passage_list_init (PlgPassageList *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 12);
  for (int i = 0; i < PLG_LESSON_MAX_CELLS; i++)
    self->columns[i] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
}
