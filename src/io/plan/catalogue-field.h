/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The constants that an entry of the catalogue may have, and the units that they are written in. */

typedef enum
{
  PLG_CATALOGUE_KIND_GPU,
  PLG_CATALOGUE_KIND_NODE,
  PLG_CATALOGUE_KIND_MODEL,
} PlgCatalogueKind;

#define PLG_N_CATALOGUE_KINDS 3

typedef enum
{
  PLG_CATALOGUE_QUANTITY_COUNT, /* whole numbers */
  PLG_CATALOGUE_QUANTITY_SHARE,
  PLG_CATALOGUE_QUANTITY_PARAMETERS,
  PLG_CATALOGUE_QUANTITY_FLOPS, /* a second */
  PLG_CATALOGUE_QUANTITY_BYTES,
  PLG_CATALOGUE_QUANTITY_BANDWIDTH, /* bytes a second */
  PLG_CATALOGUE_QUANTITY_TIME,
} PlgCatalogueQuantity;

/* What a file may write for each quantity. In SI it is value * times / by: no number here is
 * rounded, so that 3.4 µs is the very number that 3.4e-6 is elsewhere. */
typedef struct
{
  const char *name;
  PlgCatalogueQuantity quantity;
  double times;
  double by;
} PlgCatalogueUnit;

/* One constant that an entry may or must have. */
typedef struct
{
  const char *name;
  PlgCatalogueQuantity quantity;
  gboolean required;
  double minimum; /* in SI */
  double maximum;
  gssize offset; /* of an int for counts, of a double otherwise; -1: told, not computed with */
} PlgCatalogueField;

#define PLG_CATALOGUE_MAX_FIELDS 20 /* of a kind */

const PlgCatalogueField *plg_catalogue_fields (PlgCatalogueKind kind, int *n);
/* NULL where there is none of this name. */
const PlgCatalogueField *plg_catalogue_field (PlgCatalogueKind kind, const char *name);
const PlgCatalogueUnit *plg_catalogue_unit (const char *name, PlgCatalogueQuantity quantity);
/* "GB/s, Gb/s". g_free(). */
char *plg_catalogue_unit_names (PlgCatalogueQuantity quantity);

G_END_DECLS
