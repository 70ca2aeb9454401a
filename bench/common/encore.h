/* encore.h - a machine of rows in memory: solved once, released again and again, and looked at
 * where nothing was learned.
 *
 * Everything is as sfm_train_release does it (planner/training.h, mechanisms/machining.h), but for
 * the reading of files, the charge, and the solution, which is kept for further draws of noise.
 * Whatever fails ends the program. */
#ifndef ENCORE_H
#define ENCORE_H

#include "mechanisms/machining.h"

/* Sparse rows: row i has indices and values starts[i] .. starts[i + 1]. */
typedef struct encore_rows {
  size_t count, *starts;
  uint32_t *indices;
  double *values, *labels;
} encore_rows;

typedef struct encore {
  sfm_train_settings settings; /* epsilon, delta and noise may be changed between encore_begins */
  sfmi_machining making;
  sfmi_examples *rows, *held;
  sfmi_examples *points; /* tddl: what the released machine is a combination of */
  sfmi_lift *lift;       /* theirs */
  double *weights;       /* without noise, after encore_solve; PRIVATE, were the rows */
  double *drawn;         /* room for those of a release */
  double seconds;        /* that it took to solve */
} encore;

void encore_need(sfm_status status, const sfm_error *error);
double encore_now(void);

/* Room for so many, starts[0] = 0. */
encore_rows encore_rows_create(size_t count, size_t nonzeros);
void encore_rows_clear(encore_rows *rows);
/* Some of the rows, borrowed: starts still count from the first. */
encore_rows encore_rows_some(const encore_rows *rows, size_t first, size_t count);

/* Of settings for sparse rows of that dimension; the schema is stated in them.  The seed is that of
 * random features. */
encore *encore_create(const sfm_train_settings *settings, size_t dimension, const encore_rows *rows,
                      const encore_rows *held, uint64_t seed);
void encore_destroy(encore *t);

size_t encore_features(const encore *t);
/* The machine without noise. */
void encore_solve(encore *t);
/* Its values at the rows held out. */
void encore_plain(const encore *t, double *values);

/* All that is public about releases with settings.epsilon, delta and noise; draws; and the end. */
void encore_begin(encore *t);
/* The values at the rows held out of a fresh release. */
void encore_draw(encore *t, double *values);
void encore_end(encore *t);

/* Of values at rows: the part with the sign of its label; the root of the mean square of their
 * difference from it. */
double encore_accuracy(const double *values, const encore_rows *rows);
double encore_error(const double *values, const encore_rows *rows);

/* Mean and standard deviation of runs. */
typedef struct encore_mean {
  double sum, square;
  size_t count;
} encore_mean;
void encore_add(encore_mean *mean, double value);
double encore_average(const encore_mean *mean);
double encore_spread(const encore_mean *mean);

#endif
