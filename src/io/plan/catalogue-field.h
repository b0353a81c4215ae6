/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The constants of catalogue entries and their units. */

typedef enum
{
  PLG_CATALOGUE_KIND_GPU,
  PLG_CATALOGUE_KIND_NODE,
  PLG_CATALOGUE_KIND_MODEL,
} PlgCatalogueKind;

#define PLG_N_CATALOGUE_KINDS 3

typedef enum
{
  PLG_CATALOGUE_QUANTITY_COUNT, /* a whole number */
  PLG_CATALOGUE_QUANTITY_SHARE,
  PLG_CATALOGUE_QUANTITY_PARAMETERS,
  PLG_CATALOGUE_QUANTITY_FLOPS, /* in FLOP/s */
  PLG_CATALOGUE_QUANTITY_BYTES,
  PLG_CATALOGUE_QUANTITY_BANDWIDTH, /* in B/s */
  PLG_CATALOGUE_QUANTITY_TIME,
  PLG_CATALOGUE_QUANTITY_PRICE, /* in USD */
  PLG_CATALOGUE_QUANTITY_POWER, /* in W */
} PlgCatalogueQuantity;

/* A unit in a catalogue file. A number in this unit is converted to SI as number * times / by. A
 * double stores both factors exactly, so 3.4 µs gives the same double as 3.4e-6. */
typedef struct
{
  const char *name;
  PlgCatalogueQuantity quantity;
  double times;
  double by;
} PlgCatalogueUnit;

/* One constant of a catalogue entry. */
typedef struct
{
  const char *name;
  PlgCatalogueQuantity quantity;
  gboolean required;
  double minimum; /* smallest allowed value [SI] */
  double maximum; /* largest allowed value [SI] */
  gssize offset;  /* offset of the struct member that stores the value: an int for counts,
                     otherwise a double; -1 for constants that are only displayed */
} PlgCatalogueField;

#define PLG_CATALOGUE_MAX_FIELDS 40 /* maximum number of fields per kind of catalogue entry */

const PlgCatalogueField *plg_catalogue_fields (PlgCatalogueKind kind, int *n);
/* Returns the field NAME of KIND, or NULL. */
const PlgCatalogueField *plg_catalogue_field (PlgCatalogueKind kind, const char *name);
const PlgCatalogueUnit *plg_catalogue_unit (const char *name, PlgCatalogueQuantity quantity);
/* Returns all unit names of QUANTITY, such as "GB/s, Gb/s"; free with g_free(). */
char *plg_catalogue_unit_names (PlgCatalogueQuantity quantity);

G_END_DECLS
