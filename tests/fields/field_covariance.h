/* field_covariance.h - the linear map from normals to a path, column by column, and the covariance
 * A A' it gives: laws are checked without drawing anything. */
#ifndef TEST_FIELD_COVARIANCE_H
#define TEST_FIELD_COVARIANCE_H

#include "test_support.h"

#include <cblas.h>

#include "base/math/linear_algebra.h"
#include "fields/gaussian_field.h"

/* A (count x normals): column k is the path of the k-th unit vector. */
static inline double *map_of(sfmi_field *field, size_t count) {
  const size_t normals = sfmi_field_normals(field);
  double *map = calloc(count * normals, sizeof *map), *unit = calloc(normals, sizeof *unit);
  double *path = calloc(count, sizeof *path);
  assert_true(map && unit && path);
  for (size_t k = 0; k < normals; k++) {
    memset(unit, 0, normals * sizeof *unit);
    unit[k] = 1;
    sfmi_field_path(field, path, unit);
    for (size_t i = 0; i < count; i++) map[i * normals + k] = path[i];
  }
  free(unit);
  free(path);
  return map;
}

/* S S' for S of rows x columns. */
static inline double *square_of(const double *map, size_t rows, size_t columns) {
  double *square = calloc(rows * rows, sizeof *square);
  assert_non_null(square);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)rows, (int)columns, 1, map,
              (int)columns, map, (int)columns, 0, square, (int)rows);
  return square;
}

static inline double *covariance_of(sfmi_field *field, size_t count) {
  double *map = map_of(field, count);
  double *square = square_of(map, count, sfmi_field_normals(field));
  free(map);
  return square;
}

/* K + nugget I at the places, from the definition. */
static inline double *wanted_of(const sfm_kernel *kernel, const sfmi_places *places,
                                double nugget) {
  double *wanted = calloc(places->count * places->count, sizeof *wanted);
  double x[SFM_MAX_DIMENSION], y[SFM_MAX_DIMENSION];
  assert_non_null(wanted);
  for (size_t i = 0; i < places->count; i++)
    for (size_t j = 0; j < places->count; j++) {
      sfmi_places_at(places, i, x);
      sfmi_places_at(places, j, y);
      wanted[i * places->count + j] = sfm_kernel_at(kernel, x, y) + (i == j ? nugget : 0);
    }
  return wanted;
}

/* The least eigenvalue of a symmetric matrix, which is overwritten. */
static inline double least_eigenvalue(double *matrix, size_t size) {
  double *values = calloc(size, sizeof *values);
  assert_non_null(values);
  sfm_error error;
  assert_ok(sfmi_symmetric_eigen(matrix, values, size, &error), &error);
  double least = values[0];
  free(values);
  return least;
}

static inline double largest_difference(const double *a, const double *b, size_t length) {
  double largest = 0;
  for (size_t i = 0; i < length; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* The least eigenvalue of a - b. */
static inline double order_of(const double *a, const double *b, size_t size) {
  double *difference = calloc(size * size, sizeof *difference);
  assert_non_null(difference);
  for (size_t i = 0; i < size * size; i++) difference[i] = a[i] - b[i];
  double least = least_eigenvalue(difference, size);
  free(difference);
  return least;
}

/* A kernel of one bandwidth (stationary), or of degree 2 on the unit ball. */
static inline sfm_kernel kernel_of(sfm_kernel_family family, size_t dimension,
                                   const double *bandwidth) {
  return (sfm_kernel){.family = family,
                      .dimension = dimension,
                      .bandwidth = bandwidth,
                      .degree = 2,
                      .constant = 0.5,
                      .radius = 1};
}

static inline sfmi_places list_of(const double *points, size_t count, size_t dimension) {
  return (sfmi_places){.dimension = dimension, .count = count, .points = points};
}

/* A grid with counts[a] places from lower to upper along each axis. */
static inline sfmi_places grid_of(const size_t *counts, size_t dimension, double lower,
                                  double upper) {
  sfmi_places places = {.dimension = dimension, .count = 1};
  for (size_t a = 0; a < dimension; a++) {
    places.counts[a] = counts[a];
    places.count *= counts[a];
    places.lower[a] = lower;
    places.upper[a] = upper;
  }
  return places;
}

static inline sfmi_field *field_of(sfm_engine engine, const sfm_kernel *kernel,
                                   const sfmi_places *places, double nugget) {
  sfm_error error;
  sfmi_field *field;
  assert_ok(sfmi_field_create(&field, engine, kernel, places, nugget, &error), &error);
  assert_non_null(field);
  return field;
}

#endif
