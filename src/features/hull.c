/* hull.c - a chord of the polytope: the ends of {t : u + t v in P} are the largest and the least t
 * with
 *   sum_k (p_k - q_k) Psi(k/N) - t v = u,   sum_k (p_k + q_k) <= 1,   p, q >= 0,
 * a program of D + 1 rows and 2N + 1 columns, t the last. */
#include "features/hull.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/lp.h"
#include "features/verblunsky.h"

/* What the lattice may cost. */
static const double EXCESS_MAX = 1.01;
/* The chain keeps this share of a chord away from its ends, so that the programs, which are solved
 * to SFMI_LP_TOLERANCE, always have a solution. */
static const double MARGIN = 1e-8;

struct sfmi_hull {
  size_t dimension, lattice;
  sfmi_lp *lp;
  double *at, *direction;
  double *objective;             /* zero but for t */
  double *row_lower, *row_upper; /* u, and the sum */
};

size_t sfmi_hull_lattice(size_t m) {
  return (size_t)ceil(M_PI * (double)m / acos(1 / EXCESS_MAX));
}

double sfmi_hull_excess(size_t m) {
  return (1 + 1e-12) / cos(M_PI * (double)m / (double)sfmi_hull_lattice(m));
}

size_t sfmi_hull_steps(size_t m) {
  const size_t steps = 16 * m * m;
  return steps < 1000 ? 1000 : steps;
}

/* Psi and 1, -Psi and 1, and for t a direction that no step uses. */
static sfm_status fill_matrix(double *values, size_t m, size_t lattice, sfm_error *error) {
  const size_t dimension = 2 * m, rows = dimension + 1;
  double complex *psi = sfmi_alloc(m, sizeof *psi);
  if (!psi) return sfmi_fail_memory(error);
  for (size_t k = 0; k < lattice; k++) {
    sfmi_verblunsky_curve(psi, (double)k / (double)lattice, m);
    for (size_t i = 0; i < dimension; i++) {
      const double value = i % 2 ? cimag(psi[i / 2]) : creal(psi[i / 2]);
      values[k * rows + i] = value;
      values[(lattice + k) * rows + i] = -value;
    }
    values[k * rows + dimension] = values[(lattice + k) * rows + dimension] = 1;
  }
  for (size_t i = 0; i < dimension; i++) values[2 * lattice * rows + i] = 1;
  free(psi);
  return SFM_OK;
}

static sfm_status create_program(sfmi_hull *hull, size_t m, sfm_error *error) {
  const size_t rows = hull->dimension + 1, columns = 2 * hull->lattice + 1;
  double *values = sfmi_alloc(rows * columns, sizeof *values);
  double *lower = sfmi_alloc(columns, sizeof *lower), *upper = sfmi_alloc(columns, sizeof *upper);
  sfm_status status = SFM_OK;
  if (!values || !lower || !upper) {
    status = sfmi_fail_memory(error);
    goto done;
  }
  for (size_t j = 0; j < columns; j++) upper[j] = INFINITY;
  lower[columns - 1] = -INFINITY;
  hull->row_lower[rows - 1] = -INFINITY;
  hull->row_upper[rows - 1] = 1;
  status = fill_matrix(values, m, hull->lattice, error);
  if (status == SFM_OK)
    status = sfmi_lp_create(&hull->lp,
                            &(sfmi_lp_problem){.maximise = true,
                                               .balanced = true,
                                               .rows = rows,
                                               .columns = columns,
                                               .objective = hull->objective,
                                               .lower = lower,
                                               .upper = upper,
                                               .row_lower = hull->row_lower,
                                               .row_upper = hull->row_upper,
                                               .values = values},
                            error);
done:
  free(values);
  free(lower);
  free(upper);
  return status;
}

sfm_status sfmi_hull_create(sfmi_hull **out, size_t m, sfm_error *error) {
  *out = NULL;
  assert(m >= 1 && m <= SFMI_HULL_MAX);
  sfmi_hull *hull = sfmi_alloc(1, sizeof *hull);
  if (!hull) return sfmi_fail_memory(error);
  hull->dimension = 2 * m;
  hull->lattice = sfmi_hull_lattice(m);
  hull->at = sfmi_alloc(hull->dimension, sizeof(double));
  hull->direction = sfmi_alloc(hull->dimension, sizeof(double));
  hull->objective = sfmi_alloc(2 * hull->lattice + 1, sizeof(double));
  hull->row_lower = sfmi_alloc(hull->dimension + 1, sizeof(double));
  hull->row_upper = sfmi_alloc(hull->dimension + 1, sizeof(double));
  sfm_status status = SFM_OK;
  if (!hull->at || !hull->direction || !hull->objective || !hull->row_lower || !hull->row_upper)
    status = sfmi_fail_memory(error);
  if (status == SFM_OK) status = create_program(hull, m, error);
  if (status != SFM_OK) {
    sfmi_hull_destroy(hull);
    return status;
  }
  *out = hull;
  return SFM_OK;
}

void sfmi_hull_destroy(sfmi_hull *hull) {
  if (!hull) return;
  sfmi_lp_destroy(hull->lp);
  free(hull->at);
  free(hull->direction);
  free(hull->objective);
  free(hull->row_lower);
  free(hull->row_upper);
  free(hull);
}

/* The line u + t v. */
static void set_line(sfmi_hull *hull, const double *u, const double *v) {
  for (size_t i = 0; i < hull->dimension; i++) {
    sfmi_lp_set_entry(hull->lp, i, 2 * hull->lattice, -v[i]);
    hull->row_lower[i] = hull->row_upper[i] = u[i];
  }
  sfmi_lp_set_rows(hull->lp, hull->row_lower, hull->row_upper);
}

/* The largest t on the line if sign is 1, the least if it is -1. */
static sfm_status find_end(sfmi_hull *hull, double *t, double sign, sfm_error *error) {
  sfmi_lp_outcome outcome;
  hull->objective[2 * hull->lattice] = sign;
  sfmi_lp_set_objective(hull->lp, hull->objective);
  sfm_status status = sfmi_lp_solve(hull->lp, &outcome, error);
  if (status != SFM_OK) return status;
  if (outcome != SFMI_LP_OPTIMAL)
    return sfmi_fail(error, SFM_INTERNAL, "a chord of the symmetric hull could not be found");
  *t = sfmi_lp_solution(hull->lp)[2 * hull->lattice];
  return SFM_OK;
}

/* direction over its length: t is then a length, and tolerances mean what they say. */
static void normalise(double *unit, const double *direction, size_t dimension) {
  double square = 0;
  for (size_t i = 0; i < dimension; i++) square += direction[i] * direction[i];
  for (size_t i = 0; i < dimension; i++) unit[i] = direction[i] / sqrt(square);
}

sfm_status sfmi_hull_step(sfmi_hull *hull, const double *direction, double uniform,
                          sfm_error *error) {
  double high = 0, low = 0;
  normalise(hull->direction, direction, hull->dimension);
  set_line(hull, hull->at, hull->direction);
  sfm_status status = find_end(hull, &high, 1, error);
  if (status == SFM_OK) status = find_end(hull, &low, -1, error);
  if (status != SFM_OK) return status;
  const double t = low + (high - low) * fmin(fmax(uniform, MARGIN), 1 - MARGIN);
  for (size_t i = 0; i < hull->dimension; i++) hull->at[i] += t * hull->direction[i];
  return SFM_OK;
}

sfm_status sfmi_hull_walk(sfmi_hull *hull, const sfmi_hull_source *source, size_t steps,
                          sfm_error *error) {
  double direction[2 * SFMI_HULL_MAX], uniform;
  for (size_t done = 0; done < steps;) {
    source->draw(source->state, direction, hull->dimension, &uniform);
    sfm_status status = sfmi_hull_step(hull, direction, uniform, error);
    if (status != SFM_OK) return status;
    done++;
    if (source->progress) source->progress(source->state, done, steps);
  }
  return SFM_OK;
}

const double *sfmi_hull_at(const sfmi_hull *hull) {
  return hull->at;
}

sfm_status sfmi_hull_gauge(sfmi_hull *hull, double *gauge, const double *z, sfm_error *error) {
  const double origin[2 * SFMI_HULL_MAX] = {0};
  double end = 0, square = 0;
  normalise(hull->direction, z, hull->dimension);
  set_line(hull, origin, hull->direction);
  sfm_status status = find_end(hull, &end, 1, error);
  if (status != SFM_OK) return status;
  for (size_t i = 0; i < hull->dimension; i++) square += z[i] * z[i];
  *gauge = sqrt(square) / end;
  return SFM_OK;
}
