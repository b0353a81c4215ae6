/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

/* A document with the sample catalogue, and a folder for its files. */
typedef struct
{
  PlgCatalogue *catalogue;
  PlgDocument *document;
  char *directory; /* a new folder for files */
  int changes;     /* the number of "changed" signals */
} Fixture;

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
/* A swapped signal handler. */
void count_cb (int *count);

int sequence_of (const PlgPlan *plan);
/* Makes one step: sets another sequence length. */
void apply_sequence (PlgDocument *document, int sequence, const char *merge_key);

/* (transfer full) */
GFile *file_in (Fixture *fixture, const char *name);
/* Returns the contents (transfer full), or NULL without such a file. */
char *contents_of (GFile *file);
void write_file (GFile *file, const char *contents);
/* Removes the directory with its files. */
void remove_directory (const char *directory);
