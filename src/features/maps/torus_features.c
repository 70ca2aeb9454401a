/* torus_features.c - why no row is longer than sfmi_torus_features_length.
 *
 * Along an axis every pair (cos, sin) is within 2^-52 of a point of the circle (an ulp of the C
 * library's functions), so that the square of the axis' features is at most kappa2 (1 + 2^-49), and
 * kappa2 itself was summed with a relative error below (terms + 4) 2^-53; a product over d axes
 * adds d roundings.  The slack is more than all of that.  As floats a number is rounded twice per
 * axis, each time adding 2^-24 of itself at most.  There are at most three axes, since a torus has
 * at least 43 features (no bandwidth is more than ten times as wide as its bounds) and 43^4 is more
 * than SFMI_TORUS_FEATURES_MAX.  The last axis is first shortened by FLOAT_ROOM, which is more. */
#include "torus_features.h"

#include <math.h>
#include <stdlib.h>

#define FLOAT_ROOM (1 - 0x1p-21)

struct sfmi_torus_features {
  size_t dimension, count;
  double length;
  struct axis {
    sfmi_torus torus;
    double lower;
    double *amplitudes; /* terms + 1; those above zero times sqrt 2 */
  } axes[];
};

void sfmi_torus_features_destroy(sfmi_torus_features *tensor) {
  for (size_t a = 0; tensor && a < tensor->dimension; a++) free(tensor->axes[a].amplitudes);
  free(tensor);
}

/* How many features there would be; more than fit are not counted exactly. */
static double features_needed(const double *lower, const double *upper, size_t dimension,
                              double h) {
  double count = 1;
  for (size_t a = 0; a < dimension && count < 1e300; a++)
    count *= 2 * floor(sfmi_torus_need(lower[a], upper[a], h)) + 1;
  return fmin(count, 1e300);
}

static sfm_status check(const double *lower, const double *upper, size_t dimension, double h,
                        sfm_error *error) {
  for (size_t a = 0; a < dimension; a++) {
    const char *unfit = sfmi_gaussian_unfit(lower[a], upper[a], h);
    if (unfit)
      return sfmi_fail(error, SFM_INVALID,
                       "finite features of a gaussian kernel need %s: coordinate %zu has the "
                       "bandwidth %g and the bounds %g:%g; write another bandwidth, or "
                       "settings.method = rff, rff_features = 2000 for random features",
                       unfit, a + 1, h, lower[a], upper[a]);
  }
  const double needed = features_needed(lower, upper, dimension, h);
  if (needed <= (double)SFMI_TORUS_FEATURES_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "a gaussian kernel of bandwidth %g on %zu coordinates has %.3g finite features, "
                   "and up to %zu can be used: write settings.method = rff, rff_features = 2000 "
                   "for random features, or a wider bandwidth",
                   h, dimension, needed, SFMI_TORUS_FEATURES_MAX);
}

static sfm_status lay_axis(struct axis *axis, double lower, double upper, double h,
                           sfm_error *error) {
  sfm_status status = sfmi_torus_init(&axis->torus, lower, upper, h, error);
  if (status) return status;
  axis->lower = lower;
  axis->amplitudes = sfmi_alloc(axis->torus.terms + 1, sizeof *axis->amplitudes);
  if (!axis->amplitudes) return sfmi_fail_memory(error);
  for (size_t j = 0; j <= axis->torus.terms; j++)
    axis->amplitudes[j] = (j > 0 ? sqrt(2) : 1) * sfmi_torus_amplitude(&axis->torus, j);
  return SFM_OK;
}

sfm_status sfmi_torus_features_create(sfmi_torus_features **out, const double *lower,
                                      const double *upper, size_t dimension, double h,
                                      sfm_error *error) {
  *out = NULL;
  sfm_status status = check(lower, upper, dimension, h, error);
  if (status) return status;
  sfmi_torus_features *tensor = sfmi_alloc(1, sizeof *tensor + dimension * sizeof *tensor->axes);
  if (!tensor) return sfmi_fail_memory(error);
  double square = 1;
  tensor->dimension = dimension;
  tensor->count = 1;
  for (size_t a = 0; !status && a < dimension; a++) {
    struct axis *axis = &tensor->axes[a];
    status = lay_axis(axis, lower[a], upper[a], h, error);
    tensor->count *= 2 * axis->torus.terms + 1;
    square *= axis->torus.kappa2 * (1 + (double)(axis->torus.terms + 32) * 0x1p-52);
  }
  if (status) {
    sfmi_torus_features_destroy(tensor);
    return status;
  }
  tensor->length = sqrt(square);
  *out = tensor;
  return SFM_OK;
}

size_t sfmi_torus_features_count(const sfmi_torus_features *tensor) {
  return tensor->count;
}

double sfmi_torus_features_length(const sfmi_torus_features *tensor) {
  return tensor->length;
}

const sfmi_torus *sfmi_torus_features_torus(const sfmi_torus_features *tensor, size_t axis) {
  return &tensor->axes[axis].torus;
}

/* Feature number j of an axis at theta turns round its torus. */
static double along(const struct axis *axis, size_t j, double theta) {
  const double turns = (double)((j + 1) / 2) * theta;
  const double angle = 2 * M_PI * (turns - rint(turns)), amplitude = axis->amplitudes[(j + 1) / 2];
  if (j == 0) return amplitude;
  return amplitude * (j % 2 == 1 ? cos(angle) : sin(angle));
}

/* Where a row is along an axis, in turns; *left counts the nonzeros that belong to axes before. */
static double turns_of(const struct axis *axis, size_t a, const uint32_t *indices, const double *u,
                       size_t *left) {
  double x = 0;
  if (*left > 0 && indices[*left - 1] == a) x = u[--*left];
  return ((x - axis->lower) + axis->torus.margin) / axis->torus.period;
}

/* From the last axis to the first.  What is there already is multiplied by each feature of the
 * axis; the first feature comes last, since its product takes the place of what was there. */
void sfmi_torus_features_doubles(const sfmi_torus_features *tensor, double *phi,
                                 const uint32_t *indices, const double *u, size_t nonzeros) {
  size_t size = 1;
  phi[0] = 1;
  for (size_t a = tensor->dimension; a-- > 0;) {
    const struct axis *axis = &tensor->axes[a];
    const double theta = turns_of(axis, a, indices, u, &nonzeros);
    const size_t features = 2 * axis->torus.terms + 1;
    for (size_t j = features; j-- > 0;) {
      const double factor = along(axis, j, theta);
      for (size_t i = 0; i < size; i++) phi[j * size + i] = factor * phi[i];
    }
    size *= features;
  }
}

void sfmi_torus_features_floats(const sfmi_torus_features *tensor, float *phi,
                                const uint32_t *indices, const double *u, size_t nonzeros) {
  size_t size = 1;
  phi[0] = 1;
  for (size_t a = tensor->dimension; a-- > 0;) {
    const struct axis *axis = &tensor->axes[a];
    const double theta = turns_of(axis, a, indices, u, &nonzeros);
    const double room = a == tensor->dimension - 1 ? FLOAT_ROOM : 1;
    const size_t features = 2 * axis->torus.terms + 1;
    for (size_t j = features; j-- > 0;) {
      const float factor = (float)(room * along(axis, j, theta));
      for (size_t i = 0; i < size; i++) phi[j * size + i] = factor * phi[i];
    }
    size *= features;
  }
}
