/* simulation.h - shapes, rows drawn from them, and how far functions are from each other. */
#ifndef BENCH_SIMULATION_H
#define BENCH_SIMULATION_H

#include "forecast_cells.h"
#include "planner/forecast/shape_model.h"

enum {
  SHAPES = 3,
  FINE = 4096,  /* midpoints at which functions that may have steps are compared */
  PILOT = 2000, /* records of a pilot */
  EPSILON_COUNT = 3,
};

extern const double DELTA, LOWER, UPPER, EPSILONS[EPSILON_COUNT];
extern const char *const COLUMNS[2], *const SHAPE_NAMES[SHAPES];

/* Where functions are compared, and the sums that parts of errors are made of. */
typedef struct tally {
  record *out;
  size_t points, done, sets, cleans;
  const double *weights, *truth;
  double *estimate, *clean; /* of these rows: without privacy; as released but for the noise */
  double *first, *second;   /* sums over sets of the estimate and its square */
} tally;

void tally_init(tally *t, record *out, size_t points, const double *weights, const double *truth);
/* The estimate of a new set of rows is there. */
void tally_set(tally *t);
/* And what would be released of it without noise. */
void tally_clean(tally *t);
void tally_release(tally *t, const double *values);
void tally_end(tally *t);

/* On a grid over the bounds, and at FINE places. */
void evaluate(double *values, const sfm_release *release, const size_t *counts);
void evaluate_at(double *values, const sfm_release *release, const double *places);
/* What repeats the library's steps must make the same of the same seed. */
void must_agree(const double *mine, const double *librarys, size_t count);
/* FINE midpoints of equal cells: steps between them do no harm. */
void lay_midpoints(double *places, double *weights, double lower, double upper);

/* A shape and rows drawn from it. */
typedef struct problem {
  const char *name;
  size_t dimension, n, sets;
  sfm_schema *schema;
  const sfm_shape *shape;
  sfmi_shape_model *shape_model;
  double *rows; /* sets x n x dimension */
} problem;

/* A schema with so many of COLUMNS, from LOWER to UPPER. */
sfm_schema *bounded(size_t dimension);
/* How many sets of n rows are drawn for so many releases. */
size_t sets_of(size_t n, size_t releases);
/* Draws the rows; the shape is borrowed. */
problem problem_init(const char *name, const sfm_shape *shape, size_t dimension, size_t n,
                     size_t sets);
void problem_clear(problem *p);
sfm_rows *rows_of(const problem *p, size_t set);
/* normal:40:12, uniform, and a released density of two bumps. */
sfm_shape *make_shape(int i);

/* The parts of the bench. */
void check_estimate(void);
void bench_densities(bench *b);
void bench_edges(bench *b);
void bench_maps(bench *b);
void bench_hull(bench *b);
void bench_series(bench *b);
void bench_curves(bench *b);
void bench_time(void);

#endif
