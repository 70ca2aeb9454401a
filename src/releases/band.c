#include "releases/band.h"

#include <math.h>
#include <stdlib.h>

#include "base/normal.h"
#include "base/prng.h"

/* Work allowed for simulation: draws x points of the sampled torus. */
static const double SIMULATION_WORK = 2e7;
/* The same for a vector: draws x multiplications. */
static const double VECTOR_WORK = 1e8;
static const size_t DRAWS_MIN = 200, DRAWS_MAX = 2000;
static const uint64_t BAND_SEED = 0x5f0a70u;

/* What the bands need of the noise: its variance at a point and the largest coefficient of one
 * draw, both in density units times records. */
typedef struct shape {
  double variance, largest;
  double points; /* of a torus grid four times as fine as the modes */
} shape;

static shape shape_of(const sfmi_wave *wave) {
  const sfm_release *release = wave->release;
  shape s = {1, 1, 1};
  for (size_t a = 0; a < wave->dimension; a++) {
    const size_t P = wave->modes[a];
    double squares = 0, sum = 0;
    for (size_t i = 0; i < P; i++) {
      squares += wave->transfer[a][i] * wave->transfer[a][i];
      sum += fabs(wave->transfer[a][i]);
    }
    /* A lattice's coefficients are orthogonal exponentials; features carry sqrt2 on each. */
    bool lattice = release->method == SFMI_LATTICE;
    double first = wave->transfer[a][0] * wave->transfer[a][0];
    s.variance *= lattice ? squares * (double)P : first + 2 * (squares - first);
    s.largest *= sum;
    s.points *= 4 * (double)P;
  }
  return s;
}

/* The x with P(|noise at a point| > x) <= p.  Normal: exact.  Laplace (scale b, variance functional
 * V, largest coefficient M): Bernstein from the moment generating function,
 * ln E exp(t noise) <= b^2 t^2 V/(1 - b^2 t^2 M^2), minimised over t. */
static double tail_bound(const sfm_release *release, shape s, double p) {
  const double b = release->scale;
  if (release->method == SFMI_GP) return b * sqrt(s.variance) * sfmi_normal_tail_inverse(p / 2);
  const double goal = log(2 / p);
  double best = INFINITY;
  for (int i = 1; i < 400; i++) {
    double r = i / 400.0; /* r = b t M */
    double t = r / (b * s.largest);
    best = fmin(best, (goal + b * b * t * t * s.variance / (1 - r * r)) / t);
  }
  return best;
}

typedef struct simulation {
  size_t draws;
  double *sup, *total; /* one a draw */
  double *point[2];    /* at a lattice point, and in the middle of a cell */
} simulation;

static void fill_noise(const sfm_release *release, double *noise, sfmi_prng *prng) {
  for (size_t i = 0; i < release->length; i++)
    noise[i] = release->scale *
               (release->method == SFMI_GP ? sfmi_prng_normal(prng) : sfmi_prng_laplace(prng));
}

/* Sup over the sampled points within the domain, and two values near its middle: where one lattice
 * mass weighs most, and where two share, a cell's middle.  (Their variances are equal, but not
 * their tails: sums of few Laplace variables are heavier than sums of many.) */
static void scan(const sfmi_wave *wave, const double complex *data, const size_t *fine, double *sup,
                 double point[2]) {
  const sfm_release *release = wave->release;
  const size_t d = wave->dimension, last = d - 1;
  size_t from[SFM_MAX_DIMENSION], to[SFM_MAX_DIMENSION], index[SFM_MAX_DIMENSION];
  size_t place[2] = {0, 0};
  for (size_t a = 0; a < d; a++) {
    double delta = wave->period[a] / (double)fine[a];
    from[a] = (size_t)ceil(wave->margin[a] / delta - 1e-9);
    to[a] = (size_t)floor((release->upper[a] - release->lower[a] + wave->margin[a]) / delta + 1e-9);
    if (to[a] >= fine[a]) to[a] = fine[a] - 1;
    if (from[a] > to[a]) from[a] = to[a];
    double cell = (double)fine[a] / (double)wave->modes[a];
    double middle = floor(0.5 * (double)(from[a] + to[a]) / cell);
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

static size_t oversampling(size_t dimension) {
  return dimension == 1 ? 8 : dimension == 2 ? 4 : 2;
}

/* Between points sampled that finely, a function whose energy sits below half the highest frequency
 * rises by at most this, an axis. */
static double between(size_t oversampled) {
  return 1 / cos(M_PI / (4.0 * (double)oversampled));
}

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static sfm_status simulate(const sfm_release *release, sfmi_wave *wave, simulation *run,
                           sfm_error *error) {
  const size_t d = wave->dimension;
  size_t fine[SFM_MAX_DIMENSION];
  double correction = 1, unit = 1;
  for (size_t a = 0; a < d; a++) {
    fine[a] = sfmi_fft_size(oversampling(d) * wave->modes[a]);
    correction *= between(oversampling(d));
    if (release->method == SFMI_GP) unit *= wave->transfer[a][0] * release->torus[a].period;
  }
  sfmi_fft *fft = NULL;
  double *noise = sfmi_alloc(release->length, sizeof *noise);
  sfm_status status = noise ? sfmi_fft_create(&fft, fine, d, error) : sfmi_fail_memory(error);
  sfmi_prng prng;
  sfmi_prng_init(&prng, BAND_SEED);
  for (size_t i = 0; i < run->draws && status == SFM_OK; i++) {
    fill_noise(release, noise, &prng);
    double total = release->method == SFMI_GP ? noise[0] * unit : 0;
    for (size_t k = 0; k < release->length && release->method != SFMI_GP; k++) total += noise[k];
    run->total[i] = fabs(total);
    sfmi_wave_load(wave, noise, 1);
    sfmi_wave_pad(wave, fft, fine, NULL);
    sfmi_fft_backward(fft);
    double point[2];
    scan(wave, sfmi_fft_data(fft), fine, &run->sup[i], point);
    run->sup[i] *= correction;
    run->point[0][i] = point[0];
    run->point[1][i] = point[1];
  }
  sfmi_fft_destroy(fft);
  free(noise);
  return status;
}

/* The order statistic that is at least the quantile with probability 0.99; infinite when the draws
 * are too few for that. */
static double quantile(double *sorted, size_t draws, double confidence) {
  double n = (double)draws;
  double rank = ceil(confidence * n + 2.33 * sqrt(confidence * (1 - confidence) * n));
  return rank < n ? sorted[(size_t)rank] : INFINITY;
}

typedef struct widths {
  double sup, point, total; /* in density units times records; total in records */
} widths;

static sfm_status noise_widths(const sfm_release *release, sfmi_wave *wave, double confidence,
                               widths *out, sfm_error *error) {
  const shape s = shape_of(wave);
  const double p = 1 - confidence;
  *out = (widths){.sup = tail_bound(release, s, p / s.points) *
                         pow(1 / cos(M_PI / 8), (double)wave->dimension),
                  .point = tail_bound(release, s, p)};
  shape sum = {(double)release->length, 1, 1};
  if (release->method == SFMI_GP) sum.variance = 1;
  out->total = tail_bound(release, sum, p);
  if (release->method == SFMI_GP)
    for (size_t a = 0; a < wave->dimension; a++)
      out->total *= wave->transfer[a][0] * release->torus[a].period;

  double sampled = 1;
  for (size_t a = 0; a < wave->dimension; a++)
    sampled *= (double)(oversampling(wave->dimension) * wave->modes[a]);
  double draws = fmin(SIMULATION_WORK / sampled, (double)DRAWS_MAX);
  if (draws < (double)DRAWS_MIN) return SFM_OK;
  simulation run = {.draws = (size_t)draws};
  double *memory = sfmi_alloc(4 * run.draws, sizeof *memory);
  if (!memory) return sfmi_fail_memory(error);
  run.sup = memory;
  run.total = memory + run.draws;
  run.point[0] = memory + 2 * run.draws;
  run.point[1] = memory + 3 * run.draws;
  sfm_status status = simulate(release, wave, &run, error);
  if (status == SFM_OK) {
    for (int i = 0; i < 4; i++)
      qsort(memory + (size_t)i * run.draws, run.draws, sizeof(double), ascending);
    out->sup = fmin(out->sup, quantile(run.sup, run.draws, confidence));
    if (release->method != SFMI_GP) {
      out->point = fmin(out->point, fmax(quantile(run.point[0], run.draws, confidence),
                                         quantile(run.point[1], run.draws, confidence)));
      out->total = fmin(out->total, quantile(run.total, run.draws, confidence));
    }
  }
  free(memory);
  return status;
}

/* Largest value of the released sum over the domain, from the wave of its coefficients. */
static sfm_status released_sup(const sfm_release *release, sfmi_wave *wave, double *sup,
                               sfm_error *error) {
  size_t fine[SFM_MAX_DIMENSION];
  /* Twice as fine as the modes where that fits. */
  const size_t times = ldexp((double)wave->length, (int)wave->dimension) <= SFMI_PADDED_MAX ? 2 : 1;
  for (size_t a = 0; a < wave->dimension; a++) fine[a] = sfmi_fft_size(times * wave->modes[a]);
  sfmi_fft *fft = NULL;
  double *coefficients = sfmi_alloc(release->length, sizeof *coefficients), point[2];
  sfm_status status =
      coefficients ? sfmi_fft_create(&fft, fine, wave->dimension, error) : sfmi_fail_memory(error);
  if (status == SFM_OK) {
    for (size_t i = 0; i < release->length; i++)
      coefficients[i] = sfm_release_coefficient(release, i);
    sfmi_wave_load(wave, coefficients, 1);
    sfmi_wave_pad(wave, fft, fine, NULL);
    sfmi_fft_backward(fft);
    scan(wave, sfmi_fft_data(fft), fine, sup, point);
    *sup *= pow(between(times), (double)wave->dimension);
  }
  sfmi_fft_destroy(fft);
  free(coefficients);
  return status;
}

sfm_status sfmi_band_alias(sfmi_alias *out, const sfmi_wave *wave, const sfmi_lattice *spread,
                           sfm_error *error) {
  const sfm_release *release = wave->release;
  sfmi_alias_axis axes[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < wave->dimension; a++)
    axes[a] = (sfmi_alias_axis){.width = release->upper[a] - release->lower[a],
                                .h = release->bandwidth[a],
                                .spacing = spread->axis[a].spacing,
                                .W = wave->period[a],
                                .m = wave->modes[a] / 2,
                                .order = spread->order,
                                .bits = spread->bits};
  return sfmi_alias_bound(out, axes, wave->dimension, error);
}

/* Rounding a gp's sums and noise moves it by at most this: a step a coordinate against features of
 * norm kappa, and as much again for the rounded entries of the transform. */
static double rounding(const sfm_release *release) {
  if (release->method != SFMI_GP) return 0;
  double size = 2 * release->step * sqrt((double)release->length);
  for (size_t a = 0; a < release->dimension; a++)
    size *= sqrt(release->torus[a].kappa2) / (sqrt(2 * M_PI) * release->bandwidth[a]);
  return size;
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

sfm_status sfmi_band_density(sfm_release *release, double confidence, const sfmi_lattice *spread,
                             sfm_error *error) {
  sfmi_wave *wave = NULL;
  sfmi_alias alias = {0};
  widths w = {0};
  double sup = 0;
  const double total = sfmi_release_total(release);
  release->band = (sfm_band){.confidence = confidence};
  sfm_status status = sfmi_wave_create(&wave, release, error);
  if (status == SFM_OK) status = sfmi_band_alias(&alias, wave, spread, error);
  /* Under add/remove the total is noisy too: both must hold, each at half the risk. */
  if (status == SFM_OK)
    status = noise_widths(release, wave, release->has_rows ? confidence : (1 + confidence) / 2, &w,
                          error);
  if (status == SFM_OK) status = released_sup(release, wave, &sup, error);
  if (status == SFM_OK) {
    double half = w.sup + rounding(release), slack = release->has_rows ? 0 : w.total;
    double beyond = beyond_noise(half, slack, total, sup, alias);
    release->band.systematic = beyond + rounding(release) / total;
    release->band.half_width = w.sup / total + release->band.systematic;
    release->band.pointwise = w.point / total + release->band.systematic;
    if (!(total > 0)) {
      release->band.systematic = release->band.half_width = release->band.pointwise = INFINITY;
    }
  }
  sfmi_wave_destroy(wave);
  return status;
}

/* Largest |coordinate| of r L u with u uniform on the sphere, r ~ Gamma(D), or of L z. */
static double correlated_sup(const sfm_release *release, double *work, sfmi_prng *prng,
                             double *first) {
  const size_t D = release->length;
  double norm2 = 0, radius = 1, largest = 0;
  for (size_t i = 0; i < D; i++) {
    work[i] = sfmi_prng_normal(prng);
    norm2 += work[i] * work[i];
  }
  if (release->method == SFMI_GAMMA) {
    double sum = 0;
    for (size_t i = 0; i < D; i++) sum -= log(sfmi_prng_uniform(prng));
    radius = sum / sqrt(norm2);
  }
  for (size_t i = D; i-- > 0;) {
    double value = 0;
    if (release->ellipsoid_factor) {
      for (size_t j = 0; j <= i; j++) value += release->ellipsoid_factor[i * D + j] * work[j];
    } else {
      value = work[i];
    }
    value = fabs(value * radius * release->scale);
    if (i == 0) *first = value;
    if (value > largest) largest = value;
  }
  return largest;
}

/* The x with P(|coordinate| > x) <= p for a coordinate whose row of L has norm 1.  Gamma: the
 * radius is beyond D(1 + e) with probability at most exp(-D(e - ln(1 + e))), given a tenth of p,
 * and a uniform direction beyond y in one coordinate with probability at most 2 exp(-D y^2/2). */
static double marginal_bound(const sfm_release *release, double p) {
  if (release->method == SFMI_NORMAL) return release->scale * sfmi_normal_tail_inverse(p / 2);
  const double D = (double)release->length, goal = -log(0.1 * p) / D;
  double e = sqrt(2 * goal) + goal; /* e - ln(1 + e) >= goal there */
  return release->scale * D * (1 + e) * fmin(sqrt(-2 * log(0.45 * p) / D), 1);
}

/* For vectors too long to simulate: a union over the coordinates. */
static void vector_by_bound(sfm_release *release, double confidence) {
  const size_t D = release->length;
  double largest = release->ellipsoid_factor ? 0 : 1, p = 1 - confidence;
  for (size_t i = 0; i < D && release->ellipsoid_factor; i++) {
    double square = 0;
    for (size_t j = 0; j <= i; j++)
      square += release->ellipsoid_factor[i * D + j] * release->ellipsoid_factor[i * D + j];
    largest = fmax(largest, sqrt(square));
  }
  release->band.half_width = largest * marginal_bound(release, p / (double)D);
  release->band.pointwise = largest * marginal_bound(release, p);
}

static sfm_status vector_by_simulation(sfm_release *release, double confidence, sfm_error *error) {
  enum { DRAWS = 2000 };
  const double cost =
      (double)release->length * (release->ellipsoid_factor ? (double)release->length : 1);
  if (DRAWS * cost > VECTOR_WORK) {
    vector_by_bound(release, confidence);
    return SFM_OK;
  }
  double *sup = sfmi_alloc(2 * DRAWS, sizeof *sup),
         *work = sfmi_alloc(release->length, sizeof *work);
  if (!sup || !work) {
    free(sup);
    free(work);
    return sfmi_fail_memory(error);
  }
  sfmi_prng prng;
  sfmi_prng_init(&prng, BAND_SEED);
  for (size_t i = 0; i < DRAWS; i++) sup[i] = correlated_sup(release, work, &prng, &sup[DRAWS + i]);
  qsort(sup, DRAWS, sizeof *sup, ascending);
  qsort(sup + DRAWS, DRAWS, sizeof *sup, ascending);
  release->band.half_width = quantile(sup, DRAWS, confidence);
  /* Coordinates differ under an ellipsoid: only the simultaneous width holds for each of them. */
  release->band.pointwise = release->ellipsoid_factor ? release->band.half_width
                                                      : quantile(sup + DRAWS, DRAWS, confidence);
  free(sup);
  free(work);
  return SFM_OK;
}

sfm_status sfmi_band_vector(sfm_release *release, double confidence, sfm_error *error) {
  release->band = (sfm_band){.confidence = confidence, .systematic = release->step};
  if (!release->hardened) return vector_by_simulation(release, confidence, error);
  /* Coordinates are independent: each must hold with confidence^(1/D). */
  double each = -expm1(log(confidence) / (double)release->length), one = 1 - confidence;
  if (release->method == SFMI_LAPLACE) {
    release->band.half_width = -release->scale * log(each) + release->step;
    release->band.pointwise = -release->scale * log(one) + release->step;
  } else {
    release->band.half_width = release->scale * sfmi_normal_tail_inverse(each / 2) + release->step;
    release->band.pointwise = release->scale * sfmi_normal_tail_inverse(one / 2) + release->step;
  }
  return SFM_OK;
}
