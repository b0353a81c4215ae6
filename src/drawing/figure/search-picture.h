/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search.h"

G_BEGIN_DECLS

/* The found plans of a search for a scatter plot: one dot per plan, at its values of two metrics.
 * Independent of the search. Immutable and reference-counted, except that the maker may change the
 * dots and SELECTED before others see the picture. */

/* The number of best plans of a search that becomes a picture, so that the window and the command
 * line draw the same plans. */
#define PLG_SEARCH_PICTURE_TOP 100

typedef struct
{
  double value[2];   /* values of the two metrics, in SI units */
  int class_index;   /* index in PlgSearchPicture.classes */
  gboolean is_front; /* TRUE for a plan that no other plan beats in both metrics */
  gboolean is_dimmed;
  gboolean is_outside; /* TRUE for a plan beyond the plot, which is only counted */
} PlgSearchDot;

/* The results of a search that become a picture. All members are borrowed. */
typedef struct
{
  const PlgMetric *metrics[2]; /* horizontal and vertical; the front of the search */
  const PlgMetric *by;         /* the metric that ranks the plans */
  const GArray *found;         /* PlgFoundPlan: the evaluated plans that the search has kept */
  const GArray *front;         /* PlgFoundPlan: the plans of the front */
  const GArray *best;          /* PlgFoundPlan: the best plans, the best first */
  const PlgSearchSpace *space; /* the space of the search */
  PlgSearchKey class_key;      /* the setting that colours the dots; see
                                  plg_search_picture_has_class() */
  const PlgReport *start;      /* the report on the open plan, or NULL */
  PlgSearchProgress progress;
} PlgSearchPictureSource;

typedef struct _PlgSearchPicture PlgSearchPicture;
struct _PlgSearchPicture
{
  gatomicrefcount ref_count;
  const PlgMetric *metrics[2];
  const PlgMetric *by;
  GArray *dots;            /* PlgSearchDot: the found plans, the front, then the best plans */
  PlgSearchKey class_key;  /* the setting that colours the dots */
  const char *class_title; /* for example "Tensor (TP)"; translated */
  GPtrArray *classes;      /* names of the classes (char *); later classes share the last colour */
  gboolean has_own;        /* whether OWN is drawn */
  double own[2];           /* values of the open plan */
  double own_by;           /* value of BY of the open plan; NaN without an open plan */
  int best;                /* index of the dot of the best plan, or -1 */
  double best_by;          /* value of BY of the best plan; NaN without a best plan */
  int selected;            /* index of the selected dot, or -1 */
  PlgSearchProgress progress;
  /* The settings of the listed plans that differ from the open plan, in words: the best plan, then
   * the plans of the front. NULL if plg_search_picture_name_plans() was not called. */
  char **names;
  char **arguments; /* options of `parallelogram-cli export` for the same space, or NULL */
};

/* Returns whether the value of KEY can be the class of a dot. */
gboolean plg_search_picture_has_class (PlgSearchKey key);

/* Returns: (transfer full): a picture without names and arguments. */
PlgSearchPicture *
plg_search_picture_new (const PlgSearchPictureSource *source) G_GNUC_WARN_UNUSED_RESULT;
PlgSearchPicture *plg_search_picture_ref (PlgSearchPicture *picture);
void plg_search_picture_unref (PlgSearchPicture *picture);

/* plg_search_picture_name_plans:
 * @source: the source of @picture
 * @open: the plan from which the search started
 * @catalogue: (nullable): the catalogue, for the names of models and nodes
 *
 * Sets the names of the best plan and of the plans of the front. */
void plg_search_picture_name_plans (PlgSearchPicture *picture,
                                    const PlgSearchPictureSource *source,
                                    const PlgPlan *open,
                                    const PlgCatalogue *catalogue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSearchPicture, plg_search_picture_unref)

G_END_DECLS
