/* repeated_release.h - a machine of rows in memory: solved once, released again and again, and
 * looked at where nothing was learned.
 *
 * Everything is as sfm_train_release does it (planner/design/design_train.h,
 * mechanisms/machines/train_run.h), but for the reading of files, the charge, and the solution,
 * which is kept for further draws of noise. Whatever fails ends the program. */
#ifndef REPEATED_RELEASE_H
#define REPEATED_RELEASE_H

#include "bench_support.h"
#include "mechanisms/machines/train_run.h"

/* Sparse rows: row i has indices and values starts[i] .. starts[i + 1]. */
typedef struct sparse_labelled_rows {
  size_t count, *starts;
  uint32_t *indices;
  double *values, *labels;
} sparse_labelled_rows;

typedef struct repeated_release {
  sfm_train_settings settings; /* epsilon, delta and noise may be changed between encore_begins */
  sfmi_train_run making;
  sfmi_examples *rows, *held;
  sfmi_examples *points; /* tddl: what the released machine is a combination of */
  sfmi_feature_map *map; /* theirs */
  double *weights;       /* without noise, after repeated_release_solve; PRIVATE, were the rows */
  double *drawn;         /* room for those of a release */
  double seconds;        /* that it took to solve */
} repeated_release;

/* Room for so many, starts[0] = 0. */
sparse_labelled_rows sparse_labelled_rows_create(size_t count, size_t nonzeros);
void sparse_labelled_rows_clear(sparse_labelled_rows *rows);
/* Some of the rows, borrowed: starts still count from the first. */
sparse_labelled_rows sparse_labelled_rows_slice(const sparse_labelled_rows *rows, size_t first,
                                                size_t count);

/* Of settings for sparse rows of that dimension; the schema is stated in them.  The seed is that of
 * random features. */
repeated_release *repeated_release_create(const sfm_train_settings *settings, size_t dimension,
                                          const sparse_labelled_rows *rows,
                                          const sparse_labelled_rows *held, uint64_t seed);
void repeated_release_destroy(repeated_release *t);

size_t repeated_release_features(const repeated_release *t);
/* The machine without noise. */
void repeated_release_solve(repeated_release *t);
/* Its values at the rows held out. */
void repeated_release_plain(const repeated_release *t, double *values);

/* All that is public about releases with settings.epsilon, delta and noise; draws; and the end. */
void repeated_release_begin(repeated_release *t);
/* The values at the rows held out of a fresh release. */
void repeated_release_draw(repeated_release *t, double *values);
void repeated_release_end(repeated_release *t);

/* Of values at rows: the part with the sign of its label; the root of the mean square of their
 * difference from it. */
double prediction_accuracy(const double *values, const sparse_labelled_rows *rows);
double prediction_error(const double *values, const sparse_labelled_rows *rows);

/* Mean and standard deviation of runs. */
typedef struct run_mean {
  double sum, square;
  size_t count;
} run_mean;
void run_mean_add(run_mean *mean, double value);
double run_mean_value(const run_mean *mean);
double run_mean_deviation(const run_mean *mean);

#endif
