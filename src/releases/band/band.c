#include "band.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/normal_distribution.h"
#include "laplace_sum.h"
#include "releases/core/release_kind.h"
#include "estimators/sums/torus_sums.h"

/* Work allowed for simulation: draws x points of the sampled torus. */
static const double SIMULATION_WORK = 6e7;
static const uint64_t BAND_SEED = 0x5f0a70u;

/* What the bands need of the noise: the variance at a point of noises of variance one, and the
 * largest coefficient of one of them, both in density units times records. */
typedef struct shape {
  double variance, largest;
  double points; /* of a torus grid four times as fine as the modes */
} shape;

/* Whether axis a reflects: then noise adds to its own mirror image, most at a bound, where every
 * mass of a lattice weighs twice; and half of the ring has all of its values. */
static bool reflects(const sfm_release *release, size_t a) {
  return release->boundary[a] == SFM_BOUNDARY_REFLECT;
}

static shape shape_of(const sfmi_trig_poly *poly) {
  const sfm_release *release = poly->release;
  shape s = {(double)release->summed, 1, 1};
  for (size_t a = 0; a < poly->dimension; a++) {
    const size_t P = poly->modes[a];
    const double images = reflects(release, a) ? 2 : 1;
    double squares = 0, sum = 0;
    for (size_t i = 0; i < P; i++) {
      squares += poly->transfer[a][i] * poly->transfer[a][i];
      sum += fabs(poly->transfer[a][i]);
    }
    /* A lattice's coefficients are orthogonal exponentials; features carry sqrt2 on each. */
    bool lattice = release->method == SFMI_LATTICE;
    double first = poly->transfer[a][0] * poly->transfer[a][0];
    s.variance *=
        lattice ? images * squares * (double)poly->shape[a] : first + 2 * (squares - first);
    s.largest *= images * sum;
    s.points *= 4 * (double)P / images + (images - 1);
  }
  return s;
}

/* The x with P(|noise at a point| > x) <= p.  Normal: exact.  Of sums of Laplace noises the
 * variance counts each, and the largest coefficient one. */
static double tail_bound(const sfm_release *release, shape s, double p) {
  const double b = release->scale;
  return sfmi_release_normal(release) ? b * sqrt(s.variance) * sfmi_normal_tail_inverse(p / 2)
                                      : sfmi_laplace_sum_bound(b, s.variance, s.largest, p);
}

/* What is simulated: the sup of the noise, its total, and its size at a lattice point and in the
 * middle of a cell. */
enum { SUP, TOTAL, POINT, STATISTICS = POINT + 2 };

static void fill_noise(const sfm_release *release, double *noise, sfmi_prng *prng) {
  const double summed = (double)release->summed, b = release->scale;
  const bool gaussian = sfmi_release_normal(release);
  for (size_t i = 0; i < release->length; i++)
    noise[i] = gaussian ? b * sqrt(summed) * sfmi_prng_normal(prng)
                        : b * sfmi_prng_laplace_sum(prng, release->summed);
}

/* The part of the sampled torus that is the domain. */
static void domain_of(const sfmi_trig_poly *poly, size_t a, size_t fine, size_t *from, size_t *to) {
  const sfm_release *release = poly->release;
  const double delta = poly->period[a] / (double)fine,
               width = release->upper[a] - release->lower[a];
  *from = (size_t)ceil(poly->margin[a] / delta - 1e-9);
  *to = (size_t)floor((width + poly->margin[a]) / delta + 1e-9);
  if (width > poly->period[a] * (1 - 1e-9)) *from = 0; /* all of it */
  if (*to >= fine) *to = fine - 1;
  if (*from > *to) *from = *to;
}

/* Sup over the sampled points within the domain, and two values where the noise is largest: at a
 * lattice point, where one mass weighs most, and in a cell's middle, where two share.  (Their
 * variances are equal, but not their tails: sums of few Laplace variables are heavier than sums of
 * many.)  That is near the domain's middle, and along axes that reflect at their bound, which is
 * the middle of two lattice points, and the lattice point beside it. */
static void scan(const sfmi_trig_poly *poly, const double complex *data, const size_t *fine,
                 double *sup, double point[2]) {
  const size_t d = poly->dimension, last = d - 1;
  size_t from[SFM_MAX_DIMENSION], to[SFM_MAX_DIMENSION], index[SFM_MAX_DIMENSION];
  size_t place[2] = {0, 0};
  for (size_t a = 0; a < d; a++) {
    domain_of(poly, a, fine[a], &from[a], &to[a]);
    const double cell = (double)fine[a] / (double)poly->shape[a];
    const double middle =
        reflects(poly->release, a) ? 0.5 : floor(0.5 * (double)(from[a] + to[a]) / cell);
    for (int i = 0; i < 2; i++) {
      size_t at = (size_t)lround((middle + 0.5 * i) * cell);
      place[i] = place[i] * fine[a] + (at < from[a] ? from[a] : at > to[a] ? to[a] : at);
    }
    index[a] = from[a];
  }
  double largest = 0;
  for (bool more = true; more;) {
    size_t at = 0;
    for (size_t a = 0; a < last; a++) at = (at + index[a]) * fine[a + 1];
    for (size_t i = from[last]; i <= to[last]; i++) {
      double size = fabs(creal(data[at + i]));
      if (size > largest) largest = size;
    }
    more = false;
    for (size_t a = last; a-- > 0 && !more;) {
      more = index[a] < to[a];
      index[a] = more ? index[a] + 1 : from[a];
    }
  }
  *sup = largest;
  for (int i = 0; i < 2; i++) point[i] = fabs(creal(data[place[i]]));
}

size_t sfmi_band_oversampling(size_t dimension) {
  return dimension == 1 ? 8 : dimension == 2 ? 4 : 2;
}

/* Between points sampled that finely, a function whose energy sits below half the highest frequency
 * rises by at most this, an axis. */
static double between(size_t oversampled) {
  return 1 / cos(M_PI / (4.0 * (double)oversampled));
}

sfm_status sfmi_sampled_torus_init(sfmi_sampled_torus *t, sfmi_trig_poly *poly, size_t times,
                                   sfm_error *error) {
  *t = (sfmi_sampled_torus){.poly = poly};
  for (size_t a = 0; a < poly->dimension; a++) t->fine[a] = sfmi_fft_size(times * poly->modes[a]);
  t->coefficients = sfmi_alloc(poly->release->length, sizeof *t->coefficients);
  return t->coefficients ? sfmi_fft_create(&t->fft, t->fine, poly->dimension, error)
                         : sfmi_fail_memory(error);
}

void sfmi_sampled_torus_clear(sfmi_sampled_torus *t) {
  sfmi_fft_destroy(t->fft);
  free(t->coefficients);
}

void sfmi_sampled_torus_scan(const sfmi_sampled_torus *t, double *sup, double point[2]) {
  sfmi_trig_poly_load(t->poly, t->coefficients, 1);
  sfmi_trig_poly_pad(t->poly, t->fft, t->fine, NULL);
  sfmi_fft_backward(t->fft);
  scan(t->poly, sfmi_fft_data(t->fft), t->fine, sup, point);
}

sfm_status sfmi_band_sampled_sup(double *sup, const sfm_release *release, sfmi_trig_poly *poly,
                                 size_t times, sfm_error *error) {
  sfmi_sampled_torus t;
  double point[2];
  sfm_status status = sfmi_sampled_torus_init(&t, poly, times, error);
  if (!status) {
    for (size_t i = 0; i < release->length; i++)
      t.coefficients[i] = sfm_release_coefficient(release, i);
    sfmi_sampled_torus_scan(&t, sup, point);
  }
  sfmi_sampled_torus_clear(&t);
  return status;
}

/* Everything the widths of the noise at any risk are read from. */
typedef struct noise_law {
  const sfm_release *release;
  size_t dimension;
  shape shape;
  double unit;  /* gp: records in one unit of the constant coefficient; lattice: 1 */
  size_t times; /* how finely the torus is sampled */
  sfmi_sampled_torus torus;
  sfmi_simulation run;
} noise_law;

static sfm_status draw(void *context, double *statistics, sfmi_prng *prng, sfm_error *error) {
  noise_law *law = context;
  const sfm_release *release = law->release;
  double *noise = law->torus.coefficients, total = 0;
  (void)error;
  fill_noise(release, noise, prng);
  if (release->method == SFMI_GP)
    total = noise[0] * law->unit;
  else
    for (size_t k = 0; k < release->length; k++) total += noise[k];
  sfmi_sampled_torus_scan(&law->torus, &statistics[SUP], &statistics[POINT]);
  const double rise = between(law->times);
  for (size_t a = 0; a < law->dimension; a++) statistics[SUP] *= rise;
  statistics[TOTAL] = fabs(total);
  return SFM_OK;
}

static sfm_status noise_law_init(noise_law *law, const sfm_release *release, sfmi_trig_poly *poly,
                                 sfm_error *error) {
  static const size_t COARSEST = 2;
  *law = (noise_law){
      .release = release, .dimension = poly->dimension, .shape = shape_of(poly), .unit = 1};
  double modes = 1;
  for (size_t a = 0; a < poly->dimension; a++) {
    modes *= (double)poly->modes[a];
    if (release->method == SFMI_GP) law->unit *= sfmi_torus_mass(&release->function->torus[a]);
  }
  /* A coarser sample makes the width a little larger, and none at all makes it three times as
   * large. */
  size_t draws = 0;
  for (law->times = 2 * sfmi_band_oversampling(poly->dimension);
       draws == 0 && law->times > COARSEST;) {
    law->times /= 2;
    draws = sfmi_simulation_draws(
        release, SIMULATION_WORK / (modes * pow((double)law->times, (double)poly->dimension)));
  }
  if (draws == 0) return SFM_OK;
  sfm_status status = sfmi_sampled_torus_init(&law->torus, poly, law->times, error);
  if (!status)
    status = sfmi_simulation_run(&law->run, draws, STATISTICS, BAND_SEED, draw, law, error);
  sfmi_sampled_torus_clear(&law->torus);
  return status;
}

/* The width that the sup of the noise passes with at most that risk, in density units times
 * records. */
static double sup_width(const noise_law *law, double risk) {
  double bound = tail_bound(law->release, law->shape, risk / law->shape.points) *
                 pow(1 / cos(M_PI / 8), (double)law->dimension);
  return fmin(bound, sfmi_simulation_width(&law->run, SUP, risk));
}

/* The same at one place fixed beforehand. */
static double point_width(const noise_law *law, double risk) {
  double bound = tail_bound(law->release, law->shape, risk);
  if (sfmi_release_normal(law->release)) return bound;
  return fmin(bound, fmax(sfmi_simulation_width(&law->run, POINT, risk),
                          sfmi_simulation_width(&law->run, POINT + 1, risk)));
}

/* The same for the noisy total, in records. */
static double total_width(const noise_law *law, double risk) {
  const bool gp = law->release->method == SFMI_GP;
  const shape sum = {(double)law->release->summed * (gp ? 1 : (double)law->release->length), 1, 1};
  double bound = tail_bound(law->release, sum, risk) * law->unit;
  return gp ? bound : fmin(bound, sfmi_simulation_width(&law->run, TOTAL, risk));
}

/* Largest value of the released sum over the domain, from the polynomial of its coefficients. */
static sfm_status released_sup(const sfm_release *release, sfmi_trig_poly *poly, double *sup,
                               sfm_error *error) {
  size_t times = sfmi_band_oversampling(poly->dimension);
  while (times > 1 && pow((double)times, (double)poly->dimension) * (double)poly->length >
                          (double)SFMI_PADDED_MAX)
    times /= 2;
  const sfm_status status = sfmi_band_sampled_sup(sup, release, poly, times, error);
  if (!status) *sup *= pow(between(times), (double)poly->dimension);
  return status;
}

sfm_status sfmi_band_alias(sfmi_alias *out, const sfmi_trig_poly *poly, const sfmi_lattice *spread,
                           sfm_error *error) {
  const sfm_release *release = poly->release;
  sfmi_alias_axis axes[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < poly->dimension; a++)
    axes[a] = (sfmi_alias_axis){.width = release->upper[a] - release->lower[a],
                                .h = release->function->bandwidth[a],
                                .spacing = spread->axis[a].spacing,
                                .W = poly->period[a],
                                .m = poly->modes[a] / 2,
                                .order = spread->order,
                                .bits = spread->bits,
                                .boundary = release->boundary[a]};
  return sfmi_alias_bound(out, axes, poly->dimension, error);
}

/* Rounding a gp's sums and noise moves it by at most this: a step per coordinate against features
 * of norm kappa, and as much again for the rounded entries of the transform. */
static double rounding(const sfm_release *release) {
  if (release->method != SFMI_GP) return 0;
  double size = 2 * release->step * release->factor * sqrt((double)release->length);
  for (size_t a = 0; a < release->dimension; a++)
    size *= sqrt(release->function->torus[a].kappa2) / release->function->torus[a].unit;
  return size;
}

/* The entries of a gp's transform were rounded, in three columns and more to few bits: how far that
 * moves the density of any rows; 0 for others.  An axis that was dropped leaves the rounding of
 * phi_0, at most `factor` times as large in proportion. */
static double entry_rounding(const sfm_release *release) {
  const size_t columns = release->dimension + release->function->dropped;
  if (release->method != SFMI_GP || columns < 3) return 0;
  const double half = 0.501 * ldexp(1, -(int)sfmi_torus_sums_bits(columns));
  double widened = pow(1 + half * release->factor, (double)release->function->dropped), peak = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    double sum = sfmi_torus_amplitude(&release->function->torus[a], 0);
    for (size_t j = 1; j <= release->function->torus[a].terms; j++)
      sum += 2 * M_SQRT2 * sfmi_torus_amplitude(&release->function->torus[a], j);
    widened *= 1 + half * sum;
    peak /= release->function->torus[a].unit;
  }
  return (widened - 1) * peak * 1.001;
}

/* f = s/n for the exact sum s, S and T its noisy sum and total, |S - s| <= half + alias(f) n and
 * |T - n| <= slack.  From |S/T - f| <= (|S - s| + f |T - n|)/T, with f itself bounded through the
 * same inequality, returns the part that is not half/T. */
static double beyond_noise(double half, double slack, double total, double sup, sfmi_alias alias) {
  if (!(total > slack)) return INFINITY;
  const double n_over_total = 1 + slack / total, top = (sup + half) / total;
  /* f <= top + f (share n/T + slack/T), when share is small enough to be of use. */
  double loss = alias.share * n_over_total + slack / total;
  double by_share = loss < 1 ? top / (1 - loss) * loss : INFINITY;
  /* f <= (top + peak n/T) / (1 - slack/T). */
  double largest = (top + alias.peak * n_over_total) / (1 - slack / total);
  double by_peak = alias.peak * n_over_total + largest * slack / total;
  return fmin(by_share, by_peak);
}

/* The half-width made of a noise width (in density units times records) and of what is not noise,
 * for which the sup of the noise (and the total, where it is noisy) must hold with the risks
 * given; *systematic is that part. */
static double half_width(double *systematic, const noise_law *law, double noise, double sup_risk,
                         double total_risk, double sup, sfmi_alias alias) {
  const sfm_release *release = law->release;
  const double total = sfmi_release_total(release);
  const double slack = sfmi_release_counted(release) ? total_width(law, total_risk) : 0;
  const double moved = rounding(release) + entry_rounding(release) * (total + slack);
  *systematic = INFINITY;
  if (!(total > 0)) return INFINITY;
  *systematic =
      beyond_noise(sup_width(law, sup_risk) + moved, slack, total, sup, alias) + moved / total;
  return noise / total + *systematic;
}

/* The lattice over which the rows were spread.  A gp release does not record it, but it follows
 * from the domain and the bandwidths; then it is left in *spectrum. */
static sfm_status find_spread(const sfmi_lattice **spread, sfmi_torus_sums *spectrum,
                              const sfm_release *release, sfm_error *error) {
  *spread = &release->function->lattice;
  if (release->method != SFMI_GP) return SFM_OK;
  *spread = &spectrum->lattice;
  sfm_status status =
      sfmi_torus_sums_init(spectrum, release->lower, release->upper, release->function->bandwidth,
                           release->boundary, release->dimension, error);
  spectrum->lattice.bits = sfmi_torus_sums_bits(release->dimension + release->function->dropped);
  return status;
}

/* What must hold together shares the risk: a fifth for the total where it is noisy; for one
 * place also a tenth for the sup, which only bounds the systematic part there. */
static sfm_band share_risk(const noise_law *law, double confidence, double sup, sfmi_alias alias) {
  const double risk = 1 - confidence;
  const double total_risk = sfmi_release_counted(law->release) ? 0.2 * risk : 0;
  const double joint = risk - total_risk, single = joint - 0.1 * risk;
  sfm_band band = {.confidence = confidence};
  double ignored;
  band.half_width =
      half_width(&band.systematic, law, sup_width(law, joint), joint, total_risk, sup, alias);
  band.pointwise = fmin(band.half_width, half_width(&ignored, law, point_width(law, single),
                                                    0.1 * risk, total_risk, sup, alias));
  return band;
}

sfm_status sfmi_band_density(sfm_band *band, const sfm_release *release, double confidence,
                             sfm_error *error) {
  return sfmi_release_harmonic(release) ? sfmi_band_torus(band, release, confidence, error)
                                        : sfmi_band_densities(band, &release, 1, confidence, error);
}

sfm_status sfmi_band_densities(sfm_band *bands, const sfm_release *const *releases, size_t count,
                               double confidence, sfm_error *error) {
  const sfm_release *release = releases[0];
  sfmi_trig_poly *poly = NULL;
  sfmi_alias alias = {0};
  sfmi_torus_sums spectrum;
  const sfmi_lattice *spread = NULL;
  noise_law law = {0};
  double sup = 0;
  sfm_status status = find_spread(&spread, &spectrum, release, error);
  if (!status) status = sfmi_trig_poly_create(&poly, release, error);
  if (!status) status = sfmi_band_alias(&alias, poly, spread, error);
  if (!status) status = noise_law_init(&law, release, poly, error);
  for (size_t i = 0; i < count && !status; i++) {
    status = released_sup(releases[i], poly, &sup, error);
    law.release = releases[i];
    if (!status) bands[i] = share_risk(&law, confidence, sup, alias);
  }
  sfmi_simulation_clear(&law.run);
  sfmi_trig_poly_destroy(poly);
  return status;
}

sfm_status sfmi_band_function(sfm_band *band, const sfm_release *release, double confidence,
                              sfm_error *error) {
  sfm_status status = sfmi_release_single(release, error);
  if (status) return status;
  switch (sfmi_release_form(release)) {
  case SFMI_FORM_PLACES:
    if (confidence != release->band.confidence)
      return sfmi_band_places(band, release, confidence, release->band.systematic, NULL, error);
    *band = release->band; /* its kernel may have been the owner's own */
    return SFM_OK;
  case SFMI_FORM_BASIS:
    return release->function->engine == SFM_ENGINE_RANDOM
               ? sfmi_band_random_features(band, release, confidence, error)
               : sfmi_band_expansion(band, release, confidence, release->band.systematic, error);
  default:
    return sfmi_band_density(band, release, confidence, error);
  }
}

sfm_status sfm_release_band_at(const sfm_release *release, sfm_band *band, double confidence,
                               sfm_error *error) {
  if (release->refined.done) return sfmi_fail_refined_band(error);
  if (release->kind->bandless)
    return sfmi_fail(error, SFM_INVALID, "a release of kind %s has no error band",
                     sfm_kind_name(sfm_release_kind(release)));
  if (!(confidence > 0 && confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the band's confidence must be between 0 and 1 (0.99, say), not %g",
                     confidence);
  sfm_status status =
      sfmi_resources_allow(release, sfmi_resources_band(release, 1), "computing its band", error);
  return status ? status : release->kind->band(band, release, confidence, error);
}

sfm_status sfm_evaluator_widths(const sfm_evaluator *evaluator, double *widths,
                                const double *points, size_t count, sfm_error *error) {
  const sfm_release *release = evaluator->release;
  if (release->refined.done) {
    for (size_t i = 0; i < count; i++) widths[i] = NAN;
    return sfmi_fail_refined_band(error);
  }
  const sfm_status status =
      sfmi_resources_allow(release, sfmi_resources_points_asked(release, count, true),
                           "its band at these points", error);
  if (status) return status;
  if (evaluator->kriging)
    return sfmi_kriging_at(evaluator->kriging, NULL, widths, points, count, error);
  if (release->function->engine == SFM_ENGINE_RANDOM)
    return sfmi_random_feature_widths(widths, evaluator->expansion, release, points, count, error);
  for (size_t i = 0; i < count; i++)
    widths[i] = sfmi_release_contains(release, points + i * release->dimension)
                    ? release->band.half_width
                    : NAN;
  return SFM_OK;
}
