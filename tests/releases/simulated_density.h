/* simulated_density.h - the same density again and again with new noise from a public generator:
 * what a mechanism would do, without rows, bands and exactness. */
#ifndef TEST_SIMULATED_DENSITY_H
#define TEST_SIMULATED_DENSITY_H

#include "density_fixture.h"

#include "features/bodies/verblunsky.h"
#include "releases/core/release_data.h"
#include "sfumato/marginal.h"

/* Densities of the same rows by every method whose noise is known frequency by frequency. */
typedef enum renoise_kind {
  RENOISE_LATTICE,
  RENOISE_NORMAL, /* a lattice with normal noise */
  RENOISE_REFLECT,
  RENOISE_PERIODIC,
  RENOISE_GP,
  RENOISE_MIRROR, /* a gp that reflects */
  RENOISE_FOURIER,
  RENOISE_BODY, /* caratheodory */
  RENOISE_MARGINAL,
  RENOISE_FEATURES, /* the marginal of a gp */
  RENOISE_PLANE,
  RENOISE_RINGS,   /* two columns, one reflects and one is periodic */
  RENOISE_MIRRORS, /* a gp in two, one reflects and one is open */
  RENOISE_WAVES,   /* fourier-laplace in two */
  RENOISE_KINDS
} renoise_kind;

static inline sfm_release *renoise_marginal(sfm_release *plane) {
  static const char *const columns[] = {"a"};
  sfm_error error;
  sfm_release *out;
  assert_ok(sfm_release_marginal(&out, plane, columns, 1, &error), &error);
  sfm_release_destroy(plane);
  return out;
}

static inline sfm_release *renoise_make(renoise_kind kind, double h, size_t rows) {
  static const sfm_boundary reflect[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC},
                            periodic[] = {SFM_BOUNDARY_PERIODIC},
                            mirror[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_OPEN};
  const bool marginal = kind == RENOISE_MARGINAL || kind == RENOISE_FEATURES,
             mirrors = kind == RENOISE_MIRROR || kind == RENOISE_MIRRORS,
             gp = kind == RENOISE_GP || kind == RENOISE_FEATURES || mirrors,
             normal = gp || kind == RENOISE_NORMAL,
             fourier = kind == RENOISE_FOURIER || kind == RENOISE_WAVES;
  const size_t d = kind >= RENOISE_PLANE || marginal ? 2 : 1;
  double *values = calloc(rows * d, sizeof *values);
  density_fixture t;
  density_fixture_rows(values, rows, d, 0, 10, 4);
  density_fixture_init(&t, d, 0, 10, h, 1, normal ? 1e-6 : 0);
  t.settings.method = gp                     ? SFM_DENSITY_GP
                      : fourier              ? SFM_DENSITY_FOURIER_LAPLACE
                      : kind == RENOISE_BODY ? SFM_DENSITY_CARATHEODORY
                                             : SFM_DENSITY_LATTICE;
  if (kind == RENOISE_NORMAL) t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
  if (kind == RENOISE_REFLECT || kind == RENOISE_RINGS) t.settings.boundary = reflect;
  if (mirrors) t.settings.boundary = mirror;
  if (kind == RENOISE_PERIODIC) t.settings.boundary = periodic;
  if (fourier || kind == RENOISE_BODY) t.settings.terms = d == 2 ? 3 : 6;
  t.settings.context.seeded = true;
  t.settings.context.seed = 3;
  sfm_release *release = density_fixture_release(&t, values, rows);
  density_fixture_clear(&t);
  free(values);
  return marginal ? renoise_marginal(release) : release;
}

/* Caratheodory's: a Gamma variable times a uniform point of the body. */
static inline void renoise_body(double *reals, const sfm_release *release, double scale,
                                sfmi_prng *prng) {
  enum { MOST = 32 };
  double complex c[MOST], spare[MOST];
  double uniforms[2 * MOST], r = 0;
  const size_t m = release->function->torus[0].terms;
  assert_true(m <= MOST);
  for (size_t i = 0; i < 2 * m; i++) uniforms[i] = sfmi_prng_uniform(prng);
  for (size_t i = 0; i < 2 * m + 1; i++) r -= scale * log(sfmi_prng_uniform(prng));
  sfmi_verblunsky_point(c, uniforms, spare, m);
  for (size_t k = 1; k <= m; k++) {
    reals[2 * k - 1] += M_SQRT2 * r * creal(c[k - 1]);
    reals[2 * k] += M_SQRT2 * r * cimag(c[k - 1]);
  }
}

/* A copy whose coefficients have noise of the release's law on top, of another scale. */
static inline sfm_release *renoise(const sfm_release *release, double scale, sfmi_prng *prng) {
  sfm_release *copy;
  sfm_error error;
  assert_ok(sfmi_release_derive(&copy, release, &error), &error);
  const bool laplace = sfmi_release_laplace(release);
  const double unit = scale / (release->step * release->factor);
  copy->scale = scale;
  copy->length = release->length;
  if (release->reals) {
    copy->reals = calloc(copy->length, sizeof *copy->reals);
    memcpy(copy->reals, release->reals, copy->length * sizeof *copy->reals);
    renoise_body(copy->reals, release, scale, prng);
    return copy;
  }
  copy->integers = calloc(copy->length, sizeof *copy->integers);
  for (size_t i = 0; i < copy->length; i++) {
    copy->integers[i] = release->integers[i];
    /* The constant of Fourier coefficients is public. */
    for (uint64_t k = 0; k < release->summed && !(i == 0 && sfmi_release_harmonic(release)); k++)
      copy->integers[i] +=
          llround(unit * (laplace ? sfmi_prng_laplace(prng) : sfmi_prng_normal(prng)));
  }
  return copy;
}

/* The values on a grid over the bounds, counts points along every axis. */
static inline void renoise_values(double *values, const sfm_release *release, size_t points) {
  sfm_error error;
  sfm_evaluator *evaluator;
  size_t counts[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < release->dimension; a++) counts[a] = points;
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* The integral of the squared difference of two arrays of such values, by the trapezoid rule. */
static inline double renoise_distance(const double *x, const double *y, const sfm_release *release,
                                      size_t points) {
  double sum = 0, cell = 1;
  size_t total = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    total *= points;
    cell *= (release->upper[a] - release->lower[a]) / (double)(points - 1);
  }
  for (size_t i = 0; i < total; i++) {
    double weight = cell;
    for (size_t a = 0, rest = i; a < release->dimension; a++, rest /= points)
      if (rest % points == 0 || rest % points == points - 1) weight /= 2;
    sum += weight * (x[i] - y[i]) * (x[i] - y[i]);
  }
  return sum;
}

/* Mean and its standard error of numbers as they come. */
typedef struct tally {
  size_t count;
  double sum, squares;
} tally;

static inline void tally_add(tally *t, double x) {
  t->count++;
  t->sum += x;
  t->squares += x * x;
}

static inline double tally_mean(const tally *t) {
  return t->sum / (double)t->count;
}

static inline double tally_error(const tally *t) {
  const double n = (double)t->count, mean = tally_mean(t);
  return sqrt((t->squares / n - mean * mean) / (n - 1));
}

#endif
