/* hit_and_run.c - the chain runs in the body L^-1 K.  The map L is a factor of the points' second
 * moments (in L^-1 K all directions are alike), or of those of a public walk.  A uniform point
 * stays uniform. */
#include "hit_and_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "base/math/prng.h"
#include "base/system/arena.h"
#include "polytope_facets.h"
#include "polytope.h"

/* The chain keeps this share of a chord away from its ends, so that the programs, which are solved
 * to SFMI_LP_TOLERANCE, always have a solution. */
static const double MARGIN = 1e-8;
/* Points whose correlations leave less than the square of this of a direction do not span it. */
static const double FLAT = 1e-5;
/* Facets and linear programs agree to this. */
static const double AGREE = 1e-6;
/* Halvings of a chord's end. */
enum { HALVINGS = 48 };
static const uint64_t PUBLIC_SEED = 0x0b0d1e5;

struct sfmi_hit_and_run {
  sfmi_arena memory;
  size_t dimension;
  sfmi_polytope *polytope; /* NULL: facets, or an oracle */
  sfmi_polytope_facets facets;
  sfmi_membership_oracle oracle;
  double extent;
  double *factor; /* L */
  double *at;     /* in L^-1 K */
  double *mapped; /* L at */
  double *direction, *work;
};

/* ---- the chain ---- */

static sfm_status create(sfmi_hit_and_run **out, size_t dimension, sfm_error *error) {
  const size_t D = dimension;
  *out = NULL;
  sfmi_hit_and_run *chain = sfmi_alloc(1, sizeof *chain);
  if (!chain) return sfmi_fail_memory(error);
  chain->dimension = D;
  chain->factor = sfmi_arena_doubles(&chain->memory, D * D);
  sfmi_arena_arrays(
      &chain->memory, D,
      (double **[]){&chain->at, &chain->mapped, &chain->direction, &chain->work, NULL});
  if (chain->memory.failed) {
    sfmi_hit_and_run_destroy(chain);
    return sfmi_fail_memory(error);
  }
  *out = chain;
  return SFM_OK;
}

void sfmi_hit_and_run_destroy(sfmi_hit_and_run *chain) {
  if (!chain) return;
  sfmi_arena_wipe(&chain->memory);
  sfmi_polytope_destroy(chain->polytope);
  sfmi_polytope_facets_clear(&chain->facets);
  free(chain);
}

size_t sfmi_hit_and_run_steps(size_t dimension) {
  const size_t steps = 4 * dimension * dimension;
  return steps < 1000 ? 1000 : steps;
}

bool sfmi_hit_and_run_is_slow(const sfmi_hit_and_run *chain) {
  return chain->polytope != NULL;
}

double sfmi_hit_and_run_cost(const sfmi_hit_and_run *chain) {
  const double D = (double)chain->dimension;
  if (chain->polytope) return INFINITY;
  return D * (D + 1) + (chain->facets.count ? 2 * D * (double)chain->facets.count
                                            : 4 * D * (2 * (double)HALVINGS));
}

double sfmi_hit_and_run_extent(const sfmi_hit_and_run *chain) {
  return chain->extent;
}

static double length_of(const double *x, size_t count) {
  double square = 0;
  for (size_t i = 0; i < count; i++) square += x[i] * x[i];
  return sqrt(square);
}

/* out := L x. */
static void map(const sfmi_hit_and_run *chain, double *out, const double *x) {
  const size_t D = chain->dimension;
  for (size_t i = 0; i < D; i++) {
    double sum = 0;
    for (size_t j = 0; j <= i; j++) sum += chain->factor[i * D + j] * x[j];
    out[i] = sum;
  }
}

/* An end of the chord x + t y of K, between zero and what lies beyond the outer ball. */
static double bisect(sfmi_hit_and_run *chain, const double *x, const double *y, double beyond) {
  double within = 0;
  for (int k = 0; k < HALVINGS; k++) {
    const double middle = 0.5 * (within + beyond);
    for (size_t i = 0; i < chain->dimension; i++) chain->work[i] = x[i] + middle * y[i];
    *(chain->oracle.inside(chain->oracle.context, chain->work) ? &within : &beyond) = middle;
  }
  return within;
}

static void bisect_chord(sfmi_hit_and_run *chain, double *low, double *high, const double *u,
                         const double *v) {
  double x[SFMI_HIT_AND_RUN_DIMENSION_MAX], y[SFMI_HIT_AND_RUN_DIMENSION_MAX];
  map(chain, x, u);
  map(chain, y, v);
  const double beyond = 2 * chain->oracle.outer / length_of(y, chain->dimension);
  *high = bisect(chain, x, y, beyond);
  *low = bisect(chain, x, y, -beyond);
  explicit_bzero(x, sizeof x);
  explicit_bzero(y, sizeof y);
}

static sfm_status find_chord(sfmi_hit_and_run *chain, double *low, double *high, const double *u,
                             const double *v, sfm_error *error) {
  if (chain->polytope) return sfmi_polytope_chord(chain->polytope, low, high, u, v, error);
  if (chain->facets.count) {
    sfmi_polytope_facets_chord(&chain->facets, low, high, u, v);
    return SFM_OK;
  }
  bisect_chord(chain, low, high, u, v);
  return SFM_OK;
}

void sfmi_hit_and_run_reset(sfmi_hit_and_run *chain) {
  const size_t bytes = chain->dimension * sizeof(double);
  explicit_bzero(chain->at, bytes);
  explicit_bzero(chain->mapped, bytes);
  explicit_bzero(chain->direction, bytes);
  explicit_bzero(chain->work, bytes);
}

/* The direction is divided by its length: t is then a length, to which the tolerances refer. */
sfm_status sfmi_hit_and_run_step(sfmi_hit_and_run *chain, const double *direction, double uniform,
                                 sfm_error *error) {
  const size_t D = chain->dimension;
  const double length = length_of(direction, D);
  double low = 0, high = 0;
  for (size_t i = 0; i < D; i++) chain->direction[i] = direction[i] / length;
  sfm_status status = find_chord(chain, &low, &high, chain->at, chain->direction, error);
  if (status) return status;
  const double t = low + (high - low) * fmin(fmax(uniform, MARGIN), 1 - MARGIN);
  for (size_t i = 0; i < D; i++) chain->at[i] += t * chain->direction[i];
  map(chain, chain->mapped, chain->at);
  return SFM_OK;
}

sfm_status sfmi_hit_and_run_walk(sfmi_hit_and_run *chain, const sfmi_hit_and_run_source *source,
                                 size_t steps, sfm_error *error) {
  double direction[SFMI_HIT_AND_RUN_DIMENSION_MAX], uniform;
  sfm_status status = SFM_OK;
  for (size_t done = 0; done < steps && !status;) {
    source->draw(source->state, direction, chain->dimension, &uniform);
    status = sfmi_hit_and_run_step(chain, direction, uniform, error);
    done++;
    if (source->progress && !status) status = source->progress(source->state, done, steps, error);
  }
  explicit_bzero(direction, sizeof direction);
  return status;
}

const double *sfmi_hit_and_run_at(const sfmi_hit_and_run *chain) {
  return chain->mapped;
}

/* w := L^-1 z. */
static void unmap(const sfmi_hit_and_run *chain, double *w, const double *z) {
  const size_t D = chain->dimension;
  for (size_t i = 0; i < D; i++) {
    double value = z[i];
    for (size_t j = 0; j < i; j++) value -= chain->factor[i * D + j] * w[j];
    w[i] = value / chain->factor[i * D + i];
  }
}

sfm_status sfmi_hit_and_run_gauge(sfmi_hit_and_run *chain, double *gauge, const double *z,
                                  sfm_error *error) {
  const size_t D = chain->dimension;
  const double origin[SFMI_HIT_AND_RUN_DIMENSION_MAX] = {0};
  double low = 0, high = 0;
  unmap(chain, chain->direction, z);
  const double length = length_of(chain->direction, D);
  for (size_t i = 0; i < D; i++) chain->direction[i] /= length;
  sfm_status status = find_chord(chain, &low, &high, origin, chain->direction, error);
  if (!status) *gauge = length / high;
  return status;
}

/* ---- the hull of points ---- */

/* The factor L of the points' mean v v', by way of their correlations, so that units do not matter.
 */
static sfm_status find_factor(double *factor, const double *points, size_t count, size_t D,
                              sfm_error *error) {
  double size[SFMI_HIT_AND_RUN_DIMENSION_MAX];
  for (size_t i = 0; i < D; i++) {
    double square = 0, largest = 0;
    for (size_t k = 0; k < count; k++) largest = fmax(largest, fabs(points[k * D + i]));
    if (largest == 0)
      return sfmi_fail(
          error, SFM_INVALID,
          "number %zu is zero in all points of the polytope: its moves would have no noise; add a "
          "vertex with another value, or leave that number out of the vector",
          i + 1);
    for (size_t k = 0; k < count; k++)
      square += points[k * D + i] / largest * (points[k * D + i] / largest);
    size[i] = largest * sqrt(square / (double)count);
  }
  for (size_t i = 0; i < D; i++)
    for (size_t j = 0; j < D; j++) {
      double sum = 0;
      for (size_t k = 0; k < count; k++)
        sum += points[k * D + i] / size[i] * (points[k * D + j] / size[j]);
      factor[i * D + j] = sum / (double)count;
    }
  size_t flat = sfmi_cholesky_lower(factor, D);
  for (size_t i = 0; i < D; i++) {
    if (!flat && !(factor[i * D + i] > FLAT)) flat = i + 1;
    for (size_t j = 0; j < D; j++) factor[i * D + j] = j > i ? 0 : factor[i * D + j] * size[i];
  }
  if (!flat) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the polytope is flat: its points do not span the %zu numbers of the vector "
                   "(number %zu depends on those before); add vertices until they do",
                   D, flat);
}

static sfm_status check_dimension(size_t dimension, sfm_error *error) {
  if (dimension >= 1 && dimension <= SFMI_HIT_AND_RUN_DIMENSION_MAX) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "noise in a polytope or in a body of your own is drawn by a walk that would take "
      "too long beyond %zu numbers, and the vector has %zu",
      SFMI_HIT_AND_RUN_DIMENSION_MAX, dimension);
}

static sfm_status check_points(const double *points, size_t count, size_t dimension,
                               sfm_error *error) {
  const size_t most = SFMI_HIT_AND_RUN_WORK_MAX / (dimension * dimension);
  const size_t bound = most < SFMI_HIT_AND_RUN_POINTS_MAX ? most : SFMI_HIT_AND_RUN_POINTS_MAX;
  if (!points || count < 1 || count > bound)
    return sfmi_fail(error, SFM_INVALID,
                     "a polytope to walk in has 1 to %zu vertices in %zu dimensions, not %zu",
                     bound, dimension, count);
  for (size_t i = 0; i < count * dimension; i++)
    if (!isfinite(points[i]) || fabs(points[i]) > SFMI_HIT_AND_RUN_SIZE_MAX ||
        (points[i] != 0 && fabs(points[i]) < SFMI_HIT_AND_RUN_SIZE_MIN))
      return sfmi_fail(
          error, SFM_INVALID,
          "number %zu of vertex %zu of the polytope must be 0 or from 1e-100 to 1e100 in size",
          i % dimension + 1, i / dimension + 1);
  return SFM_OK;
}

sfm_status sfmi_hit_and_run_check_points(const double *points, size_t count, size_t dimension,
                                         sfm_error *error) {
  double factor[SFMI_HIT_AND_RUN_DIMENSION_MAX * SFMI_HIT_AND_RUN_DIMENSION_MAX];
  sfm_status status = check_dimension(dimension, error);
  if (!status) status = check_points(points, count, dimension, error);
  return !status ? find_factor(factor, points, count, dimension, error) : status;
}

/* Whether facets and linear programs reach equally far in directions from a public generator. */
static sfm_status agree(bool *same, const sfmi_hit_and_run *chain, sfm_error *error) {
  enum { TRIES = 32 };
  const size_t D = chain->dimension;
  const double origin[SFMI_HIT_AND_RUN_DIMENSION_MAX] = {0};
  double v[SFMI_HIT_AND_RUN_DIMENSION_MAX], low, high, reach = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, PUBLIC_SEED);
  *same = true;
  for (int k = 0; k < TRIES && *same; k++) {
    for (size_t i = 0; i < D; i++) v[i] = sfmi_prng_normal(&prng);
    const double length = length_of(v, D);
    for (size_t i = 0; i < D; i++) v[i] /= length;
    sfmi_polytope_facets_chord(&chain->facets, &low, &high, origin, v);
    sfm_status status = sfmi_polytope_reach(chain->polytope, &reach, origin, v, error);
    if (status) return status;
    *same = fabs(high - reach) <= AGREE * reach;
  }
  return SFM_OK;
}

/* The chords: by facets where there are few of them, else by linear programs. */
static sfm_status set_chords(sfmi_hit_and_run *chain, const double *round, size_t count,
                             sfm_error *error) {
  bool same = false;
  sfm_status status = sfmi_polytope_create(&chain->polytope, round, count, chain->dimension, error);
  if (!status)
    status = sfmi_polytope_facets_find(&chain->facets, round, count, chain->dimension, error);
  if (!status && chain->facets.count) status = agree(&same, chain, error);
  if (status) return status;
  if (same) {
    sfmi_polytope_destroy(chain->polytope);
    chain->polytope = NULL;
  } else {
    sfmi_polytope_facets_clear(&chain->facets);
  }
  return SFM_OK;
}

static void set_extent(sfmi_hit_and_run *chain, const double *points, size_t count) {
  for (size_t i = 0; i < count * chain->dimension; i++)
    chain->extent = fmax(chain->extent, fabs(points[i]));
}

sfm_status sfmi_hit_and_run_create_from_points(sfmi_hit_and_run **out, const double *points,
                                               size_t count, size_t dimension, sfm_error *error) {
  sfmi_hit_and_run *chain = NULL;
  double *round = NULL;
  *out = NULL;
  sfm_status status = sfmi_hit_and_run_check_points(points, count, dimension, error);
  if (!status) status = create(&chain, dimension, error);
  if (!status) status = find_factor(chain->factor, points, count, dimension, error);
  if (!status) {
    round = sfmi_alloc(count * dimension, sizeof *round);
    if (!round) status = sfmi_fail_memory(error);
  }
  for (size_t k = 0; !status && k < count; k++)
    unmap(chain, round + k * dimension, points + k * dimension);
  if (!status) set_extent(chain, points, count);
  if (!status) status = set_chords(chain, round, count, error);
  free(round);
  if (!status)
    *out = chain;
  else
    sfmi_hit_and_run_destroy(chain);
  return status;
}

sfm_status sfmi_hit_and_run_create_as_given(sfmi_hit_and_run **out, const double *points,
                                            size_t count, size_t dimension, sfm_error *error) {
  sfmi_hit_and_run *chain = NULL;
  sfm_status status = create(&chain, dimension, error);
  *out = NULL;
  if (status) return status;
  for (size_t i = 0; i < dimension; i++) chain->factor[i * dimension + i] = 1;
  set_extent(chain, points, count);
  status = sfmi_polytope_create(&chain->polytope, points, count, dimension, error);
  if (!status)
    *out = chain;
  else
    sfmi_hit_and_run_destroy(chain);
  return status;
}

/* ---- a body that a function knows ---- */

static sfm_status contradicted(sfm_error *error, const char *what) {
  return sfmi_fail(error, SFM_INVALID, "the body contradicts what was stated: %s", what);
}

sfm_status sfmi_hit_and_run_check_oracle(const sfmi_membership_oracle *oracle, size_t dimension,
                                         sfm_error *error) {
  if (!oracle->inside)
    return sfmi_fail(error, SFM_INVALID, "a body needs a function that says what is inside it");
  if (!(oracle->inner >= SFMI_HIT_AND_RUN_SIZE_MIN) ||
      !(oracle->outer <= SFMI_HIT_AND_RUN_SIZE_MAX) || !(oracle->outer >= oracle->inner) ||
      !(oracle->outer <= SFMI_HIT_AND_RUN_RATIO_MAX * oracle->inner))
    return sfmi_fail(error, SFM_INVALID,
                     "a body holds the ball of its inner radius and lies in that of its outer one: "
                     "0 < inner <= outer <= %g inner, not %g and %g",
                     SFMI_HIT_AND_RUN_RATIO_MAX, oracle->inner, oracle->outer);
  return check_dimension(dimension, error);
}

static void draw_public(void *state, double *direction, size_t dimension, double *uniform) {
  sfmi_prng *prng = state;
  for (size_t i = 0; i < dimension; i++) direction[i] = sfmi_prng_normal(prng);
  *uniform = sfmi_prng_uniform(prng);
}

sfmi_hit_and_run_source sfmi_hit_and_run_public(sfmi_prng *prng) {
  return (sfmi_hit_and_run_source){prng, draw_public, NULL};
}

/* A walk, and the mean of w w' over it, in what is round so far. */
static sfm_status walk_moments(sfmi_hit_and_run *chain, double *moments, size_t steps,
                               sfmi_prng *prng, sfm_error *error) {
  const size_t D = chain->dimension;
  const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(prng);
  memset(moments, 0, D * D * sizeof *moments);
  for (size_t k = 0; k < steps; k++) {
    sfm_status status = sfmi_hit_and_run_walk(chain, &source, 1, error);
    if (status) return status;
    for (size_t i = 0; i < D; i++)
      for (size_t j = 0; j < D; j++)
        moments[i * D + j] += chain->at[i] * chain->at[j] / (double)steps;
  }
  return SFM_OK;
}

/* L := L C, the moments being C C': what is round so far becomes rounder. */
static sfm_status refine(sfmi_hit_and_run *chain, double *moments, sfm_error *error) {
  const size_t D = chain->dimension;
  double *product = sfmi_alloc(D * D, sizeof *product);
  if (!product) return sfmi_fail_memory(error);
  /* A walk that has not been everywhere yet must not leave a direction without length. */
  double trace = 0;
  for (size_t i = 0; i < D; i++) trace += moments[i * D + i] / (double)D;
  for (size_t i = 0; i < D; i++) moments[i * D + i] += 1e-4 * trace;
  const bool fine = sfmi_cholesky_lower(moments, D) == 0;
  for (size_t i = 0; fine && i < D; i++)
    for (size_t j = i + 1; j < D; j++) moments[i * D + j] = 0;
  if (fine) {
    sfmi_matrix_multiply(product, chain->factor, moments, D, D, D);
    memcpy(chain->factor, product, D * D * sizeof *product);
  }
  free(product);
  sfmi_hit_and_run_reset(chain);
  return SFM_OK;
}

/* Rounds of walks; each is in what the last one made round. */
static sfm_status make_round(sfmi_hit_and_run *chain, sfmi_prng *prng, sfm_error *error) {
  const size_t D = chain->dimension;
  const int rounds = 2 + (int)ceil(log2(chain->oracle.outer / chain->oracle.inner));
  double *moments = sfmi_alloc(D * D, sizeof *moments);
  sfm_status status = moments ? SFM_OK : sfmi_fail_memory(error);
  for (int k = 0; k < rounds && !status; k++) {
    status = walk_moments(chain, moments, 100 + 20 * D, prng, error);
    if (!status) status = refine(chain, moments, error);
  }
  free(moments);
  return status;
}

/* At points of a public walk, and on two spheres. */
static sfm_status verify(sfmi_hit_and_run *chain, sfmi_prng *prng, sfm_error *error) {
  enum { TRIES = 200 };
  const size_t D = chain->dimension;
  const sfmi_membership_oracle *oracle = &chain->oracle;
  const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(prng);
  double x[SFMI_HIT_AND_RUN_DIMENSION_MAX] = {0}, last[SFMI_HIT_AND_RUN_DIMENSION_MAX] = {0};
  if (!oracle->inside(oracle->context, x)) return contradicted(error, "zero is not inside");
  for (int k = 0; k < TRIES; k++) {
    sfm_status status = sfmi_hit_and_run_walk(chain, &source, 1, error);
    if (status) return status;
    if (!oracle->inside(oracle->context, chain->mapped))
      return contradicted(error, "a point between two that are inside is not; it must be convex");
    for (size_t i = 0; i < D; i++) x[i] = -chain->mapped[i];
    if (!oracle->inside(oracle->context, x))
      return contradicted(error, "a point is inside and its opposite is not; the body must be "
                                 "symmetric, as neighbours are");
    for (size_t i = 0; i < D; i++) x[i] = 0.5 * (chain->mapped[i] + last[i]);
    if (!oracle->inside(oracle->context, x))
      return contradicted(error,
                          "two points are inside and their middle is not; it must be convex");
    memcpy(last, chain->mapped, D * sizeof *last);
    for (size_t i = 0; i < D; i++) x[i] = sfmi_prng_normal(prng);
    const double length = length_of(x, D);
    for (size_t i = 0; i < D; i++) x[i] *= 0.999 * oracle->inner / length;
    if (!oracle->inside(oracle->context, x))
      return contradicted(error, "a point within the inner radius is not inside");
    for (size_t i = 0; i < D; i++) x[i] *= 1.001 / 0.999 * oracle->outer / oracle->inner;
    if (oracle->inside(oracle->context, x))
      return contradicted(error, "a point beyond the outer radius is inside");
  }
  sfmi_hit_and_run_reset(chain);
  return SFM_OK;
}

sfm_status sfmi_hit_and_run_create_from_oracle(sfmi_hit_and_run **out,
                                               sfmi_membership_oracle oracle, size_t dimension,
                                               sfm_error *error) {
  sfmi_hit_and_run *chain = NULL;
  sfmi_prng prng;
  *out = NULL;
  sfmi_prng_init(&prng, PUBLIC_SEED);
  sfm_status status = sfmi_hit_and_run_check_oracle(&oracle, dimension, error);
  if (!status) status = create(&chain, dimension, error);
  if (!status) {
    chain->oracle = oracle;
    chain->extent = oracle.outer;
    for (size_t i = 0; i < dimension; i++) chain->factor[i * dimension + i] = oracle.inner;
    status = verify(chain, &prng, error);
  }
  if (!status) status = make_round(chain, &prng, error);
  if (!status) status = verify(chain, &prng, error);
  if (!status)
    *out = chain;
  else
    sfmi_hit_and_run_destroy(chain);
  return status;
}
