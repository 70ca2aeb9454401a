/* evaluator.c - how each form of function is evaluated.  Polynomials: the sum itself for a few
 * points, tables for many. */
#include "evaluator.h"

#include <math.h>
#include <stdlib.h>

#include "grid_density.h"
#include "releases/core/release_kind.h"

/* For this many points times modes the sum itself is used: exact to rounding, and cheap enough. */
static const double FEW = 1e6;

/* A grid point by point. */
static sfm_status scattered_grid(const sfm_evaluator *evaluator, double *values,
                                 double *const *points, const size_t *counts, sfm_error *error) {
  enum { CHUNK = 256 };
  const size_t d = evaluator->release->dimension;
  double *buffer = sfmi_alloc(CHUNK * d, sizeof *buffer);
  sfm_status status = buffer ? SFM_OK : sfmi_fail_memory(error);
  size_t total = 1, filled = 0, done = 0;
  for (size_t a = 0; a < d; a++) total *= counts[a];
  for (size_t i = 0; !status && i < total; i++) {
    size_t rest = i;
    for (size_t a = d; a-- > 0;) {
      buffer[filled * d + a] = points[a][rest % counts[a]];
      rest /= counts[a];
    }
    if (++filled == CHUNK || i + 1 == total) {
      status = sfm_evaluator_at(evaluator, values + done, buffer, filled, error);
      done += filled;
      filled = 0;
    }
  }
  free(buffer);
  return status;
}

/* ---- lattices and tori: a trigonometric polynomial ---- */

/* The trigonometric polynomial of the coefficients over total, and the tables for it. */
static sfm_status create_polynomial(sfm_evaluator *evaluator, double total,
                                    const sfmi_evaluator_filter *filter, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  double *coefficients = sfmi_alloc(release->length, sizeof *coefficients);
  if (!coefficients) return sfmi_fail_memory(error);
  for (size_t i = 0; i < release->length; i++)
    coefficients[i] = sfm_release_coefficient(release, i);
  sfm_status status = sfmi_trig_poly_create(&evaluator->poly, release, error);
  if (!status) {
    sfmi_trig_poly_load(evaluator->poly, coefficients, 1 / total);
    if (filter) status = filter->polynomial(evaluator->poly, 1 / total, error);
  }
  if (!status) {
    if (release->dimension == 1 && evaluator->poly->length <= SFMI_TABLE_MODES_MAX) {
      status = sfmi_piecewise_polynomial_create(&evaluator->table, evaluator->poly,
                                                release->lower[0], release->upper[0], error);
    } else if (sfmi_nufft_size(evaluator->poly) <= (double)SFMI_PADDED_MAX) {
      status = sfmi_nufft_create(&evaluator->nufft, evaluator->poly, error);
    }
  }
  free(coefficients);
  return status;
}

static void destroy_polynomial(sfm_evaluator *evaluator) {
  sfmi_piecewise_polynomial_destroy(evaluator->table);
  sfmi_nufft_destroy(evaluator->nufft);
  sfmi_trig_poly_destroy(evaluator->poly);
}

static sfm_status polynomial_at(const sfm_evaluator *evaluator, double *values,
                                const double *points, size_t count, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  const bool few = (double)count * (double)evaluator->poly->length <= FEW;
  (void)error;
  if (evaluator->table && !few) {
    sfmi_piecewise_polynomial_at(evaluator->table, values, points, count);
    return SFM_OK;
  }
  for (size_t i = 0; i < count; i++) {
    const double *x = points + i * release->dimension;
    if (!sfmi_release_contains(release, x))
      values[i] = NAN;
    else
      values[i] = evaluator->nufft && !few ? sfmi_nufft_at(evaluator->nufft, x)
                                           : sfmi_trig_poly_at(evaluator->poly, x);
  }
  return SFM_OK;
}

/* Whether a grid can be had by contracting the modes axis by axis: neither a matrix of exponentials
 * nor an array between two axes is too large. */
static bool contracts(const sfmi_trig_poly *poly, const size_t *counts) {
  double length = (double)poly->length;
  for (size_t a = 0; a < poly->dimension; a++) {
    if ((double)counts[a] * (double)poly->modes[a] > SFMI_GRID_MATRIX_MAX) return false;
    length *= (double)counts[a] / (double)poly->modes[a];
    if (length > (double)SFMI_PADDED_MAX) return false;
  }
  return true;
}

static sfm_status polynomial_grid(const sfm_evaluator *evaluator, double *values,
                                  double *const *points, const size_t *counts, sfm_error *error) {
  return contracts(evaluator->poly, counts)
             ? sfmi_trig_poly_grid(evaluator->poly, values, points, counts, error)
             : scattered_grid(evaluator, values, points, counts, error);
}

/* ---- a basis ---- */

static sfm_status create_expansion(sfm_evaluator *evaluator, double total,
                                   const sfmi_evaluator_filter *filter, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  const double divisor = total * sfmi_release_mass(release);
  sfm_status status = sfmi_expansion_create(&evaluator->expansion, release, divisor, error);
  if (status || !filter) return status;
  double *factors = sfmi_alloc(release->function->basis->count, sizeof *factors);
  status = factors ? filter->series(factors, release, error) : sfmi_fail_memory(error);
  if (!status) sfmi_expansion_multiply(evaluator->expansion, factors);
  free(factors);
  return status;
}

static void destroy_expansion(sfm_evaluator *evaluator) {
  sfmi_expansion_destroy(evaluator->expansion);
}

static sfm_status expansion_at(const sfm_evaluator *evaluator, double *values, const double *points,
                               size_t count, sfm_error *error) {
  return sfmi_expansion_at(evaluator->expansion, values, points, count, error);
}

/* ---- values at places ---- */

static sfm_status create_kriging(sfm_evaluator *evaluator, double total,
                                 const sfmi_evaluator_filter *filter, sfm_error *error) {
  const double divisor = total * sfmi_release_mass(evaluator->release);
  (void)filter;
  return sfmi_kriging_create(&evaluator->kriging, evaluator->release, 1 / divisor, error);
}

static void destroy_kriging(sfm_evaluator *evaluator) {
  sfmi_kriging_destroy(evaluator->kriging);
}

static sfm_status kriging_at(const sfm_evaluator *evaluator, double *values, const double *points,
                             size_t count, sfm_error *error) {
  return sfmi_kriging_at(evaluator->kriging, values, NULL, points, count, error);
}

/* ---- the grid of a refined density ---- */

static sfm_status grid_at(const sfm_evaluator *evaluator, double *values, const double *points,
                          size_t count, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = sfmi_grid_density_at(&release->function->places, release->reals,
                                     points + i * release->dimension);
  return SFM_OK;
}

static const sfmi_evaluator_form forms[] = {
    [SFMI_FORM_LATTICE] = {create_polynomial, destroy_polynomial, polynomial_at, polynomial_grid},
    [SFMI_FORM_TORUS] = {create_polynomial, destroy_polynomial, polynomial_at, polynomial_grid},
    [SFMI_FORM_BASIS] = {create_expansion, destroy_expansion, expansion_at, scattered_grid},
    [SFMI_FORM_PLACES] = {create_kriging, destroy_kriging, kriging_at, scattered_grid},
    [SFMI_FORM_GRID] = {NULL, NULL, grid_at, scattered_grid},
};

sfm_status sfmi_evaluator_create_filtered(sfm_evaluator **out, const sfm_release *release,
                                          double total, const sfmi_evaluator_filter *filter,
                                          sfm_error *error) {
  *out = NULL;
  if (release->kind->verbs)
    return sfmi_fail(error, SFM_INVALID, "a %s is not a function to evaluate or draw: %s",
                     sfm_kind_name(sfm_release_kind(release)), release->kind->verbs);
  sfm_status status = sfmi_release_single(release, error);
  if (status) return status;
  if (sfmi_release_too_few(release))
    return sfmi_fail(error, SFM_INVALID,
                     "this group has too few records: its noisy size is %.6g, and noise alone "
                     "could be that large",
                     sfm_release_size(release));
  if (release->has_rows || !sfmi_release_is_density(release) || total == 0)
    total = sfmi_release_total(release);
  if (!(total > 0) || !isfinite(total))
    return sfmi_fail(error, SFM_INVALID,
                     "the noisy total of this release is %.6g, and the density cannot be divided "
                     "by it; give a public number of records instead (total = N)",
                     total);
  status = sfmi_resources_allow(release, sfmi_resources_evaluator(release, filter != NULL),
                                "evaluating it", error);
  if (status) return status;
  sfm_evaluator *evaluator = sfmi_alloc(1, sizeof *evaluator);
  if (!evaluator) return sfmi_fail_memory(error);
  evaluator->release = release;
  evaluator->form = &forms[sfmi_release_form(release)];
  if (evaluator->form->create) status = evaluator->form->create(evaluator, total, filter, error);
  if (status) {
    sfm_evaluator_destroy(evaluator);
  } else {
    *out = evaluator;
  }
  return status;
}

sfm_status sfm_evaluator_create(sfm_evaluator **out, const sfm_release *release, double total,
                                sfm_error *error) {
  return sfmi_evaluator_create_filtered(out, release, total, NULL, error);
}

void sfm_evaluator_destroy(sfm_evaluator *evaluator) {
  if (!evaluator) return;
  if (evaluator->form->destroy) evaluator->form->destroy(evaluator);
  free(evaluator);
}

sfm_status sfm_evaluator_at(const sfm_evaluator *evaluator, double *values, const double *points,
                            size_t count, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  const sfm_status status =
      sfmi_resources_allow(release, sfmi_resources_points_asked(release, count, false),
                           "evaluating it at these points", error);
  return status ? status : evaluator->form->at(evaluator, values, points, count, error);
}

void sfmi_evaluator_at_reproducible(const sfm_evaluator *evaluator, double *values,
                                    const double *points, size_t count) {
  if (evaluator->table) {
    sfmi_piecewise_polynomial_at(evaluator->table, values, points, count);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const double *x = points + i * evaluator->release->dimension;
    values[i] = evaluator->nufft ? sfmi_nufft_at(evaluator->nufft, x)
                                 : sfmi_trig_poly_at(evaluator->poly, x);
  }
}

size_t sfm_evaluator_interpolated(const sfm_evaluator *evaluator, const double *points,
                                  size_t count) {
  const sfm_release *release = evaluator->release;
  size_t between = 0;
  for (size_t i = 0; i < count && evaluator->kriging; i++) {
    const double *x = points + i * release->dimension;
    between +=
        sfmi_release_contains(release, x) && sfmi_kriging_find(evaluator->kriging, x) == SIZE_MAX;
  }
  return between;
}

static double *axis_points(const sfm_release *release, size_t a, size_t count) {
  double *points = sfmi_alloc(count, sizeof *points);
  for (size_t i = 0; points && i < count; i++) {
    double t = (double)i / (double)(count - 1);
    points[i] = i + 1 == count ? release->upper[a]
                               : release->lower[a] + t * (release->upper[a] - release->lower[a]);
  }
  return points;
}

sfm_status sfm_evaluator_grid(const sfm_evaluator *evaluator, double *values, const size_t *counts,
                              sfm_error *error) {
  const sfm_release *release = evaluator->release;
  double *points[SFM_MAX_DIMENSION] = {0};
  double total = 1;
  sfm_status status = SFM_OK;
  for (size_t a = 0; a < release->dimension; a++) {
    if (counts[a] < 2)
      return sfmi_fail(error, SFM_INVALID, "a grid needs at least 2 points per axis");
    total *= (double)counts[a];
    if (!(total < 1e10))
      return sfmi_fail(error, SFM_INVALID, "a grid of %.3g points is too large", total);
  }
  status = sfmi_resources_allow(release, sfmi_resources_grid(release, counts),
                                "evaluating it on this grid", error);
  if (status) return status;
  for (size_t a = 0; a < release->dimension && !status; a++) {
    points[a] = axis_points(release, a, counts[a]);
    if (!points[a]) status = sfmi_fail_memory(error);
  }
  if (!status) status = evaluator->form->grid(evaluator, values, points, counts, error);
  for (size_t a = 0; a < release->dimension; a++) free(points[a]);
  return status;
}
