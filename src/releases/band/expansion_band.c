/* expansion_band.c - the band of a sum of basis functions of one variable: noise z_j on every
 * coefficient, so (1/divisor) sum_j z_j b_j(x) on the function.  Its quantiles are simulated, at
 * every sampled point and over all of them; where that takes too long, bounds stand.
 *
 * Its sup over the domain is sampled at points so near to each other that it rises between them by
 * at most a factor `BETWEEN`: eight for every oscillation, evenly spread, or for polynomials evenly
 * spread in the angle arccos(2u - 1), in which they are trigonometric (Ehlich & Zeller 1964); for
 * the functions that a kernel spans at points, these points and as many between them. */
#include "band.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"
#include "base/math/normal_distribution.h"
#include "base/system/arena.h"
#include "laplace_sum.h"

enum { OVERSAMPLED = 8, POINTS_MIN = 512, POINTS_MAX = 8192 };
static const double BETWEEN = 1.0195911582083184; /* 1/cos(pi/16) */
/* Work allowed for simulation, in multiplications, and numbers of basis values kept. */
static const double SIMULATION_WORK = 1e9, VALUES_MAX = 0x1p24;
enum { TOGETHER = 50 }; /* draws multiplied at once */
static const uint64_t BAND_SEED = 0x5f0a73u;

typedef enum law { LAPLACE, NORMAL, GAMMA } law;

/* The basis at the sampled points. */
typedef struct sampled {
  law noise;
  size_t points, count;
  double *values; /* points x count */
} sampled;

static law law_of(const sfm_release *release) {
  if (release->law == SFM_NOISE_LAW_GAMMA) return GAMMA;
  return sfmi_release_laplace(release) ? LAPLACE : NORMAL;
}

/* Half waves that a function makes over the domain, at most.  Hermite's are as fast as
 * cos(sqrt(2k + 1) y); db4's bend within a sixteenth of a wavelet; and one point in each of haar's
 * cells is enough. */
static size_t half_waves(const sfmi_basis *basis) {
  if (basis->nodes > basis->count) return basis->nodes;
  if (basis->family == SFMI_DB4) return 4 * basis->count;
  if (basis->family == SFMI_HAAR) return (basis->count + 1) / OVERSAMPLED;
  if (basis->family != SFMI_HERMITE) return basis->count;
  const double width = (basis->upper[0] - basis->lower[0]) / basis->unit;
  return (size_t)fmin(width * sqrt(2 * (double)basis->count + 1) / M_PI, POINTS_MAX);
}

static size_t points_of(const sfmi_basis *basis) {
  size_t points = OVERSAMPLED * half_waves(basis);
  points = points < POINTS_MIN ? POINTS_MIN : points > POINTS_MAX ? POINTS_MAX : points;
  while ((double)points * (double)basis->count > VALUES_MAX) points /= 2;
  return points;
}

/* The points of a span, where its functions may have kinks, and more between them; returns how many
 * there are, at most budget + 2 nodes. */
static size_t place_between(double *points, const sfmi_basis *basis, size_t budget) {
  const double width = basis->upper[0] - basis->lower[0];
  size_t count = 0;
  for (size_t i = 1; i < basis->nodes; i++) {
    const double from = basis->points[i - 1], gap = basis->points[i] - from;
    const size_t parts = 1 + (size_t)((double)budget * fmin(gap / width, 1));
    for (size_t k = 0; k < parts; k++) points[count++] = from + gap * ((double)k / (double)parts);
  }
  points[count++] = basis->points[basis->nodes - 1];
  return count;
}

/* The middles of cells, so that steps are met where they are flat. */
static void place_evenly(double *points, const sfmi_basis *basis, size_t count) {
  const bool polynomial = basis->family == SFMI_LEGENDRE || basis->family == SFMI_EIGEN;
  const double width = basis->upper[0] - basis->lower[0];
  for (size_t i = 0; i < count; i++) {
    const double t = ((double)i + 0.5) / (double)count;
    points[i] = basis->lower[0] + width * (polynomial ? (1 - cos(M_PI * t)) / 2 : t);
  }
}

static sfm_status sampled_init(sampled *s, const sfm_release *release, sfm_error *error) {
  const sfmi_basis *basis = release->function->basis;
  const bool span = basis->family == SFMI_SPAN;
  *s = (sampled){law_of(release), points_of(basis), basis->count, NULL};
  double *points = sfmi_alloc(s->points + 2 * basis->nodes, sizeof *points);
  if (points && span)
    s->points = place_between(points, basis, s->points);
  else if (points)
    place_evenly(points, basis, s->points);
  s->values = sfmi_alloc(s->points * s->count, sizeof *s->values);
  if (points && s->values) sfmi_basis_at(basis, s->values, points, s->points);
  free(points);
  return points && s->values ? SFM_OK : sfmi_fail_memory(error);
}

static void fill_noise(const sampled *s, double *noise, sfmi_prng *prng) {
  double square = 0, radius = 0;
  for (size_t j = 0; j < s->count; j++) {
    noise[j] = s->noise == LAPLACE ? sfmi_prng_laplace(prng) : sfmi_prng_normal(prng);
    square += noise[j] * noise[j];
  }
  if (s->noise != GAMMA) return;
  for (size_t j = 0; j < s->count; j++) radius -= log(sfmi_prng_uniform(prng));
  for (size_t j = 0; j < s->count; j++) noise[j] *= radius / sqrt(square);
}

/* The width that the noise passes with at most some risk: anywhere, and at any one point. */
typedef struct widths {
  double sup, one;
} widths;

/* Draws of noise of scale 1, some multiplied at once. */
typedef struct paths {
  const sampled *sampled;
  double *noise, *one, *values; /* count x TOGETHER, count, points x TOGETHER */
  size_t left;                  /* that were not handed out yet */
} paths;

/* |noise| at every point, and last the largest. */
static sfm_status draw(void *context, double *sizes, sfmi_prng *prng, sfm_error *error) {
  paths *p = context;
  const sampled *s = p->sampled;
  (void)error;
  for (size_t k = 0; k < TOGETHER && p->left == 0; k++) {
    fill_noise(s, p->one, prng);
    for (size_t j = 0; j < s->count; j++) p->noise[j * TOGETHER + k] = p->one[j];
  }
  if (p->left == 0) {
    sfmi_matrix_multiply(p->values, s->values, p->noise, s->points, s->count, TOGETHER);
    p->left = TOGETHER;
  }
  const double *path = p->values + (TOGETHER - p->left--);
  sizes[s->points] = 0;
  for (size_t i = 0; i < s->points; i++) {
    sizes[i] = fabs(path[i * TOGETHER]);
    sizes[s->points] = fmax(sizes[s->points], sizes[i]);
  }
  return SFM_OK;
}

static sfm_status simulate(sfmi_simulation *run, size_t draws, const sampled *s, sfm_error *error) {
  sfmi_arena arena = {0};
  paths p = {.sampled = s,
             .noise = sfmi_arena_doubles(&arena, s->count * TOGETHER),
             .one = sfmi_arena_doubles(&arena, s->count),
             .values = sfmi_arena_doubles(&arena, s->points * TOGETHER)};
  const sfm_status status =
      arena.failed ? sfmi_fail_memory(error)
                   : sfmi_simulation_run(run, draws, s->points + 1, BAND_SEED, draw, &p, error);
  sfmi_arena_clear(&arena);
  return status;
}

/* The x with P(|sum_j z_j b_j| > x) <= p, for noise of scale 1.  Laplace: Bernstein, as for a
 * lattice (band.c). */
static double tail_bound(const sampled *s, const double *b, double p) {
  double square = 0, largest = 0;
  for (size_t j = 0; j < s->count; j++) {
    square += b[j] * b[j];
    largest = fmax(largest, fabs(b[j]));
  }
  if (s->noise == NORMAL) return sqrt(square) * sfmi_normal_tail_inverse(p / 2);
  if (s->noise == GAMMA) return sfmi_gamma_coordinate_bound(sqrt(square), (double)s->count, p);
  if (largest == 0) return 0;
  const double goal = log(2 / p);
  double best = INFINITY;
  for (int i = 1; i < 100; i++) {
    const double r = i / 100.0, t = r / largest;
    best = fmin(best, (goal + t * t * square / (1 - r * r)) / t);
  }
  return best;
}

/* The largest of it over the points. */
static double largest_bound(const sampled *s, double p) {
  double largest = 0;
  for (size_t i = 0; i < s->points; i++)
    largest = fmax(largest, tail_bound(s, s->values + i * s->count, p));
  return largest;
}

static sfm_status find_widths(widths *w, const sfm_release *release, const sampled *s, double risk,
                              sfm_error *error) {
  *w = (widths){largest_bound(s, risk / (double)s->points), largest_bound(s, risk)};
  const double cost = (double)s->points * (double)s->count;
  const size_t draws = sfmi_simulation_draws(release, SIMULATION_WORK / cost);
  sfmi_simulation run = {0};
  if (draws == 0) return SFM_OK;
  sfm_status status = simulate(&run, draws, s, error);
  if (!status) {
    double one = 0;
    for (size_t i = 0; i < s->points; i++) one = fmax(one, sfmi_simulation_width(&run, i, risk));
    w->sup = fmin(w->sup, sfmi_simulation_width(&run, s->points, risk));
    w->one = fmin(w->one, one);
  }
  sfmi_simulation_clear(&run);
  return status;
}

sfm_status sfmi_band_expansion(sfm_band *band, const sfm_release *release, double confidence,
                               double systematic, sfm_error *error) {
  const double unit = release->scale / (sfmi_release_total(release) * sfmi_release_mass(release));
  sampled s = {0};
  widths w = {0};
  sfm_status status = sampled_init(&s, release, error);
  if (!status) status = find_widths(&w, release, &s, 1 - confidence, error);
  if (!status) {
    const double half = unit * w.sup * BETWEEN + systematic,
                 one = unit * w.one * BETWEEN + systematic;
    *band = (sfm_band){.confidence = confidence,
                       .half_width = half,
                       .pointwise = fmin(one, half),
                       .systematic = systematic};
  }
  free(s.values);
  return status;
}
