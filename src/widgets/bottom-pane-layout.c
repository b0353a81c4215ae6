/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/bottom-pane-layout.h"

/* The maximum share of the height that the bottom pane may take. In a window with a height of
 * 768 pixels, this share leaves the cluster more than half of the height. */
#define MAX_PANE_SHARE 0.36

struct _PlgBottomPaneLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (PlgBottomPaneLayout, plg_bottom_pane_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
plg_bottom_pane_layout_measure (GtkLayoutManager *manager,
                                GtkWidget *widget,
                                GtkOrientation orientation,
                                int for_size,
                                int *minimum,
                                int *natural,
                                int *minimum_baseline,
                                int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  *minimum = *natural = 0;
  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int least, wanted;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, for_size, &least, &wanted, NULL, NULL);
      if (orientation == GTK_ORIENTATION_HORIZONTAL)
        {
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, wanted);
          continue;
        }
      *minimum += least;
      *natural += wanted;
    }
}

static GtkSizeRequestMode
plg_bottom_pane_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
pane_height (GtkWidget *pane, int width, int height)
{
  int least, wanted;

  if (!gtk_widget_should_layout (pane))
    return 0;
  gtk_widget_measure (pane, GTK_ORIENTATION_VERTICAL, width, &least, &wanted, NULL, NULL);
  return MAX (MIN (wanted, (int) (MAX_PANE_SHARE * height)), least);
}

static void
plg_bottom_pane_layout_allocate (GtkLayoutManager *manager,
                                 GtkWidget *widget,
                                 int width,
                                 int height,
                                 int baseline)
{
  GtkWidget *pane = gtk_widget_get_last_child (widget);
  GtkWidget *child = gtk_widget_get_first_child (widget);
  int kept = pane != NULL ? pane_height (pane, width, height) : 0, y = 0;

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int own = kept;

      if (!gtk_widget_should_layout (child))
        continue;
      if (child != pane && gtk_widget_get_next_sibling (child) == pane)
        own = MAX (height - kept - y, 0);
      else if (child != pane)
        gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &own, NULL, NULL, NULL);
      gtk_widget_size_allocate (child, &(GtkAllocation) { 0, y, width, own }, -1);
      y += own;
    }
}

static void
plg_bottom_pane_layout_class_init (PlgBottomPaneLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = plg_bottom_pane_layout_measure;
  layout_class->get_request_mode = plg_bottom_pane_layout_get_request_mode;
  layout_class->allocate = plg_bottom_pane_layout_allocate;
}

static void
plg_bottom_pane_layout_init (PlgBottomPaneLayout *self)
{
}
