/* torus_band.c - the bands of fourier-laplace and caratheodory.
 *
 * Noise.  fourier-laplace: at a point a sum of independent Laplace variables, whose tail is bounded
 * (sfmi_laplace_sum_bound) and whose sup over the domain is simulated with the public generator.
 * caratheodory: r U, |r U(x)| <= r k at every x with k = sum over 0 < |j| <= m of lambda_j/period,
 * because U is a mixture of +-Psi(y); r is a Gamma variable.  Of the body exact U is simulated
 * besides, and the smaller of both is taken.
 *
 * Not noise: frequencies beyond m, and the estimator's certificate (docs/proofs/fourier.md). */

#include <math.h>

#include "base/system/arena.h"
#include "estimators/sums/torus_sums.h"
#include "features/bodies/verblunsky.h"
#include "band.h"
#include "laplace_sum.h"

/* Work allowed for simulation: draws x points of the sampled torus, and draws x frequencies^2. */
static const double SIMULATION_WORK = 2e7, RECURSION_WORK = 4e8;
static const uint64_t BAND_SEED = 0x5f0a72u;

/* What is public of the noise and of what is not noise, in density units times records. */
typedef struct shape {
  double variance; /* fourier-laplace: sum of squared coefficients at a point, */
  double largest;  /* and the largest of them */
  double peak;     /* caratheodory: k */
  double points;   /* of a torus grid four times as fine as the modes */
  double rounded;  /* what a coefficient that is off by one moves at most */
  double missed;   /* what one row's bump is off at most */
  double slipped;  /* the part of it that rounded entries of the transform have */
} shape;

/* The sums over |j| <= m of lambda_j and of its square. */
static void sum_axis(const sfmi_torus *torus, double *sum, double *squares) {
  *sum = *squares = 1;
  for (size_t j = 1; j <= torus->terms; j++) {
    const double lambda = sfmi_torus_lambda(torus, j);
    *sum += 2 * lambda;
    *squares += 2 * lambda * lambda;
  }
}

static shape shape_of(const sfm_release *release, const sfmi_torus_sums *spectrum) {
  shape s = {.variance = 1, .largest = 1, .points = 1};
  double volume = 1, bumps = 1, missed = 1, slipped = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    const sfmi_torus *torus = &release->function->torus[a];
    const double L = torus->period, h = torus->h, m = (double)torus->terms;
    double sum, squares;
    sum_axis(torus, &sum, &squares);
    /* Beyond m: sums of what falls are below integrals. */
    const double beyond = L / (sqrt(2 * M_PI) * h) * erfc(M_SQRT2 * M_PI * h * m / L);
    const double entries = M_SQRT2 * 0.501 * ldexp(2 * m, -(int)spectrum->precision);
    volume *= L;
    bumps *= sum;
    missed *= sum + beyond + M_SQRT2 * spectrum->slip[a];
    slipped *= sum + entries;
    s.variance *= squares;
    s.largest *= fmax(1, M_SQRT2 * sfmi_torus_lambda(torus, 1));
    s.points *= 4 * (2 * m + 1);
  }
  s.variance = (s.variance - 1) / (volume * volume);
  s.largest /= volume;
  s.peak = (bumps - 1) / volume;
  s.rounded = bumps / volume;
  s.missed = (missed - bumps) / volume;
  s.slipped = (slipped - bumps) / volume;
  return s;
}

/* ---- simulation ---- */

/* The sup, and the size at two places near the middle and at the torus' origin. */
enum { SUP, POINT, ORIGIN = POINT + 2, STATISTICS };

/* Room for drawing a point of K_m. */
typedef struct body {
  double complex *c, *work;
  double *uniforms;
} body;

/* As mechanisms/core/knorm.c draws, in public. */
static void fill_body(double *noise, const sfm_release *release, const body *b, sfmi_prng *prng) {
  const size_t m = release->function->torus[0].terms;
  double r = 0;
  for (size_t i = 0; i < 2 * m; i++) b->uniforms[i] = sfmi_prng_uniform(prng);
  for (size_t i = 0; i < 2 * m + 1; i++) r -= log(sfmi_prng_uniform(prng));
  r *= M_SQRT2 * release->scale;
  sfmi_verblunsky_point(b->c, b->uniforms, b->work, m);
  for (size_t k = 1; k <= m; k++) {
    noise[2 * k - 1] = r * creal(b->c[k - 1]);
    noise[2 * k] = r * cimag(b->c[k - 1]);
  }
}

static void fill_noise(double *noise, const sfm_release *release, const body *b, sfmi_prng *prng) {
  noise[0] = 0;
  if (release->method == SFMI_CARATHEODORY) {
    fill_body(noise, release, b, prng);
    return;
  }
  for (size_t i = 1; i < release->length; i++) noise[i] = release->scale * sfmi_prng_laplace(prng);
}

/* What a polynomial may rise between the points at which it is sampled. */
static double rise(const sfmi_trig_poly *poly, const size_t *fine) {
  double correction = 1;
  for (size_t a = 0; a < poly->dimension; a++)
    correction /= cos(M_PI * (double)(poly->modes[a] / 2) / (double)fine[a]);
  return correction;
}

typedef struct noise_draw {
  const sfm_release *release;
  body body;
  sfmi_sampled_torus torus;
  double rise;
} noise_draw;

static sfm_status draw(void *context, double *statistics, sfmi_prng *prng, sfm_error *error) {
  noise_draw *n = context;
  (void)error;
  fill_noise(n->torus.coefficients, n->release, &n->body, prng);
  sfmi_sampled_torus_scan(&n->torus, &statistics[SUP], &statistics[POINT]);
  statistics[SUP] *= n->rise;
  statistics[ORIGIN] = fabs(creal(sfmi_fft_data(n->torus.fft)[0]));
  return SFM_OK;
}

static size_t draws_of(const sfm_release *release, const sfmi_trig_poly *poly) {
  const double m = (double)release->function->torus[0].terms;
  double points = 1;
  if (release->method == SFMI_CARATHEODORY &&
      release->function->density_body == SFM_DENSITY_BODY_HULL)
    return 0;
  for (size_t a = 0; a < poly->dimension; a++)
    points *= (double)(sfmi_band_oversampling(poly->dimension) * poly->modes[a]);
  double draws = SIMULATION_WORK / points;
  if (release->method == SFMI_CARATHEODORY) draws = fmin(draws, RECURSION_WORK / (m * m));
  return sfmi_simulation_draws(release, draws);
}

static sfm_status simulate(sfmi_simulation *run, const sfm_release *release, sfmi_trig_poly *poly,
                           sfm_error *error) {
  const size_t draws = draws_of(release, poly), m = release->function->torus[0].terms;
  noise_draw n = {.release = release};
  sfmi_arena arena = {0};
  if (draws == 0) return SFM_OK;
  n.body = (body){.c = sfmi_arena_get(&arena, m, sizeof *n.body.c),
                  .work = sfmi_arena_get(&arena, m, sizeof *n.body.work),
                  .uniforms = sfmi_arena_doubles(&arena, 2 * m)};
  sfm_status status =
      sfmi_sampled_torus_init(&n.torus, poly, sfmi_band_oversampling(poly->dimension), error);
  if (!status && arena.failed) status = sfmi_fail_memory(error);
  n.rise = rise(poly, n.torus.fine);
  if (!status) status = sfmi_simulation_run(run, draws, STATISTICS, BAND_SEED, draw, &n, error);
  sfmi_arena_clear(&arena);
  sfmi_sampled_torus_clear(&n.torus);
  return status;
}

/* ---- widths ---- */

/* P(G > x) for G ~ Gamma(k), k a whole number: fewer than k events of a Poisson law. */
static double gamma_tail(size_t k, double x) {
  double term = -x, sum = exp(term);
  for (size_t i = 1; i < k; i++) {
    term += log(x / (double)i);
    sum += exp(term);
  }
  return sum;
}

/* The x with P(G > x) <= p, rounded up. */
static double gamma_above(size_t k, double p) {
  double low = 0, high = (double)k + 1;
  while (gamma_tail(k, high) > p) high *= 2;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    *(gamma_tail(k, middle) > p ? &low : &high) = middle;
  }
  return high * (1 + 1e-9);
}

/* Everywhere (sup) or at one place: what the noise passes with at most that risk. */
static double noise_width(const sfm_release *release, const shape *s, const sfmi_simulation *run,
                          double risk, bool sup) {
  double bound;
  if (release->method == SFMI_CARATHEODORY)
    bound = release->scale * s->peak * gamma_above(2 * release->function->torus[0].terms + 1, risk);
  else
    bound = sfmi_laplace_sum_bound(release->scale, s->variance, s->largest,
                                   sup ? risk / s->points : risk) *
            (sup ? pow(1 / cos(M_PI / 8), (double)release->dimension) : 1);
  double width = sfmi_simulation_width(run, sup ? SUP : POINT, risk);
  for (size_t i = POINT + 1; i <= ORIGIN && !sup; i++)
    width = fmax(width, sfmi_simulation_width(run, i, risk));
  return fmin(bound, width);
}

/* Largest size of the released sum over the domain; infinite where it would take too much memory.
 */
static sfm_status released_sup(double *sup, const sfm_release *release, sfmi_trig_poly *poly,
                               sfm_error *error) {
  const size_t times = sfmi_band_oversampling(poly->dimension);
  size_t fine[SFM_MAX_DIMENSION];
  double points = 1;
  for (size_t a = 0; a < poly->dimension; a++)
    points *= (double)(fine[a] = sfmi_fft_size(times * poly->modes[a]));
  *sup = INFINITY;
  if (points > (double)SFMI_PADDED_MAX) return SFM_OK;
  const sfm_status status = sfmi_band_sampled_sup(sup, release, poly, times, error);
  if (!status) *sup *= rise(poly, fine);
  return status;
}

/* Frequencies left out, as a share of the largest density: known on open axes. */
static sfm_status find_share(double *share, const sfm_release *release, const sfmi_trig_poly *poly,
                             const sfmi_torus_sums *spectrum, sfm_error *error) {
  sfmi_alias alias;
  *share = INFINITY;
  for (size_t a = 0; a < release->dimension; a++)
    if (release->boundary[a] != SFM_BOUNDARY_OPEN) return SFM_OK;
  sfm_status status = sfmi_band_alias(&alias, poly, &spectrum->lattice, error);
  if (!status) *share = alias.share;
  return status;
}

/* What is not noise, where the noise is below `noise`: f <= (sup + noise)/n + share f, or all rows
 * at the worst place. */
static double systematic(const sfm_release *release, const shape *s, double share, double noise,
                         double sup) {
  const double n = (double)release->rows, moved = release->step * s->rounded;
  const double top = (sup + noise + moved) / n + s->slipped;
  const double by_share = share < 1 ? share * top / (1 - share) + s->slipped : INFINITY;
  return fmin(by_share, s->missed) + moved / n;
}

sfm_status sfmi_band_torus(sfm_band *band, const sfm_release *release, double confidence,
                           sfm_error *error) {
  const double risk = 1 - confidence, n = (double)release->rows;
  sfmi_torus_sums spectrum;
  sfmi_trig_poly *poly = NULL;
  sfmi_simulation run = {0};
  double share = INFINITY, sup = 0;
  sfmi_torus_sums_init_part(&spectrum, release->lower, release->upper, release->function->torus,
                            release->dimension, release->dimension + release->function->dropped, n);
  const shape s = shape_of(release, &spectrum);
  sfm_status status = sfmi_trig_poly_create(&poly, release, error);
  if (!status) status = find_share(&share, release, poly, &spectrum, error);
  if (!status) status = simulate(&run, release, poly, error);
  if (!status) status = released_sup(&sup, release, poly, error);
  if (!status) {
    /* For one place a tenth of the risk is for the sup, which bounds what is not noise. */
    const double everywhere = noise_width(release, &s, &run, risk, true);
    const double spare = noise_width(release, &s, &run, 0.1 * risk, true);
    const double one = noise_width(release, &s, &run, 0.9 * risk, false);
    *band = (sfm_band){.confidence = confidence,
                       .systematic = systematic(release, &s, share, everywhere, sup)};
    band->half_width = everywhere / n + band->systematic;
    band->pointwise = fmin(band->half_width, one / n + systematic(release, &s, share, spare, sup));
  }
  sfmi_simulation_clear(&run);
  sfmi_trig_poly_destroy(poly);
  return status;
}
