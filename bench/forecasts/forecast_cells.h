/* forecast_cells.h - what was predicted for a cell, what was measured of it, and what all cells
 * come to. */
#ifndef BENCH_FORECAST_CELLS_H
#define BENCH_FORECAST_CELLS_H

#include <stdbool.h>
#include <stdio.h>

#include "sfumato/sfumato.h"

enum { NAME = 64, KEY = 512 };

/* Ends the program with a message unless all is well. */
void must(bool good, const char *message);
void must_be_ok(sfm_status status, const sfm_error *error);
/* Zeros. */
void *allocated(size_t count, size_t size);

enum { PRIVACY, MISSED, SAMPLING, SMOOTHING, PARTS };

/* The releases of one cell: errors of each, and the mean parts of them.  MISSED: truncation and
 * aliasing. */
typedef struct record {
  char key[KEY];
  size_t count;
  double *total, *cost, parts[PARTS];
} record;

/* A cell as planned and as measured. */
typedef struct cell {
  char group[NAME];  /* what auto chooses within: family, shape, records, epsilon, bandwidth */
  char method[NAME]; /* with its family */
  bool hardened, best;
  sfm_forecast predicted;
  const record *measured;
} cell;

typedef struct bench {
  size_t releases;
  bool print_cells;
  const char *only; /* cells whose key holds this; NULL: all */
  FILE *file;
  record **records;
  size_t record_count;
  cell *cells;
  size_t cell_count;
} bench;

/* One with room for so many releases; the bench owns it. */
record *record_create(bench *b, const char *key, size_t count);
/* Whether it is wanted. */
bool wanted(const bench *b, const char *key);
/* NULL: not measured yet. */
const record *find_record(const bench *b, const char *key);
/* Writes what was measured into the file, if there is one. */
const record *keep_record(const bench *b, const record *r);
/* The file, which is made where there is none. */
void read_records(bench *b, const char *path);

/* What an entry says of a parameter: NULL, "" and 0 where it says nothing. */
const sfm_plan_parameter *parameter(const sfm_plan_entry *entry, const char *name);
const char *text_of(const sfm_plan_entry *entry, const char *name);
bool says(const sfm_plan_entry *entry, const char *name, const char *text);
double number_of(const sfm_plan_entry *entry, const char *name);

/* The group and all parameters (KEY bytes): what was measured stays true whatever is predicted. */
void write_key(char *out, const char *group, const sfm_plan_entry *entry);
/* A seed for the noise of a cell, of no others. */
uint64_t seed_of(const char *key);
/* All of a cell but its group and what was measured. */
void plan_cell(cell *c, const sfm_plan *plan, size_t i, const char *family);
void add_cell(bench *b, const cell *c);

void print_summary(const bench *b);
void print_auto(const bench *b);

#endif
