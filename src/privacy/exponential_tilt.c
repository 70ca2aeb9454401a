#include "exponential_tilt.h"

#include <assert.h>
#include <float.h>

/* From this sigma on the dual series of a lattice normal is the shorter one. */
#define DUAL_SIGMA 0.5
/* Terms of either series: the first one left out is below e^-50 of the largest. */
#define DIRECT_TERMS 6
#define DUAL_TERMS 3
/* From here on a lattice normal's mean and variance are the normal's, to e^-78. */
#define SMOOTH_SIGMA 2.0

/* From this count on a law's factor is raised to its power in long doubles. */
#define OFTEN 4096

/* 2 pi in two doubles. */
static const sfmi_dd two_pi = {0x1.921fb54442d18p2, 0x1.1a62633145c07p-52};

/* lambda = whole + shift. */
static double shift_of(double lambda) {
  return lambda - nearbyint(lambda);
}

/* e^(-(y + shift)^2/(2 sigma^2)) over its value at y = 0, the largest as |shift| <= 1/2. */
static double direct_weight(double sigma, double shift, int y) {
  return exp(-y * (y + 2 * shift) / (2 * sigma * sigma));
}

/* sum_y of these weights; or the dual sum, which is that of e^(-(y + shift)^2/(2 sigma^2)) without
 * the factor sigma sqrt(2 pi). */
static long double theta_sum(double sigma, double shift) {
  const long double s = sigma, pi = acosl(-1);
  long double sum = 1;
  if (sigma < DUAL_SIGMA) {
    for (int y = 1; y <= DIRECT_TERMS; y++)
      sum += expl(-y * (y + 2 * (long double)shift) / (2 * s * s)) +
             expl(-y * (y - 2 * (long double)shift) / (2 * s * s));
    return sum;
  }
  for (int n = 1; n <= DUAL_TERMS; n++)
    sum += 2 * expl(-2 * pi * pi * s * s * (long double)(n * n)) *
           cosl(2 * pi * n * (long double)shift);
  return sum;
}

static sfmi_dd inverse_square(double sigma) {
  return sfmi_dd_divide(1, sfmi_dd_two_product(sigma, sigma));
}

static void tilt_lattice(sfmi_tilt *tilt) {
  const double whole = nearbyint(tilt->lambda);
  tilt->shift = shift_of(tilt->lambda);
  tilt->norm = theta_sum(tilt->parameter, tilt->shift);
  tilt->spacing = inverse_square(tilt->parameter);
  tilt->centre = sfmi_dd_scale(tilt->spacing, whole + 0.5);
}

void sfmi_tilt_init(sfmi_tilt *tilt, const sfmi_loss_law *law, double lambda) {
  *tilt = (sfmi_tilt){
      .shape = law->shape, .lambda = lambda, .parameter = law->parameter, .count = law->count};
  if (law->shape == SFMI_LATTICE_NORMAL) {
    tilt_lattice(tilt);
    return;
  }
  const long double epsilon = law->parameter, order = 2 * (long double)lambda + 1;
  const long double low = expl(-order * epsilon), less = -expm1l(-order * epsilon);
  if (law->shape == SFMI_LAPLACE) {
    const long double all = 2 * (1 - lambda / order * less);
    tilt->even = (1 + low) / all;
    tilt->odd = less / all;
    tilt->minus = low / all;
    return;
  }
  const long double middle = law->others * expl(-(1 + (long double)lambda) * epsilon);
  const long double all = 1 + middle + low;
  tilt->even = (1 + low) / all;
  tilt->odd = less / all;
  tilt->minus = low / all;
  tilt->zero = middle / all;
}

void sfmi_tilt_lattice_masses(double *masses, const sfmi_tilt *tilt, int reach) {
  const double sigma = tilt->parameter;
  const bool direct = sigma < DUAL_SIGMA;
  const double norm = (double)tilt->norm * (direct ? 1 : sigma * sqrt(2 * M_PI));
  for (int y = -reach; y <= reach; y++) {
    const double x = (y + tilt->shift) / sigma;
    masses[y + reach] = (direct ? direct_weight(sigma, tilt->shift, y) : exp(-x * x / 2)) / norm;
  }
}

long double sfmi_loss_law_log_moment(const sfmi_loss_law *law, double lambda, long double *size) {
  const long double l = lambda, p = law->parameter;
  if (law->shape == SFMI_LATTICE_NORMAL) {
    const double shift = shift_of(lambda);
    const long double normal = l * (l + 1) / (2 * p * p);
    const long double peak =
        law->parameter < DUAL_SIGMA ? (long double)shift * (long double)shift / (2 * p * p) : 0;
    const long double waves = logl(theta_sum(law->parameter, shift));
    const long double still = logl(theta_sum(law->parameter, 0));
    *size += fabsl(normal) + peak + fabsl(waves) + fabsl(still) + 2;
    return normal - peak + waves - still;
  }
  const long double order = 2 * l + 1;
  if (law->shape == SFMI_LAPLACE) {
    const long double sum = log1pl(l / order * expm1l(-order * p));
    *size += 1 + fabsl(sum);
    return sum;
  }
  const long double above = log1pl(law->others * expl(-(1 + l) * p) + expl(-order * p));
  const long double below = log1pl((1 + law->others) * expl(-p));
  *size += above * (1 + fabsl(order) * p) + below;
  return above - below;
}

long double sfmi_total_loss_log_moment(const sfmi_total_loss *total, double lambda,
                                       double smoothing, long double *off) {
  const long double l = lambda;
  long double sum = (sfmi_dd_value(total->variance) + smoothing) * l * (l + 1) / 2;
  long double size = fabsl(sum);
  for (size_t i = 0; i < total->count; i++) {
    const sfmi_loss_law *law = &total->laws[i];
    long double part = 0;
    sum += (long double)law->count * sfmi_loss_law_log_moment(law, lambda, &part);
    size += (long double)law->count * part;
  }
  *off += (16 + (long double)total->count) * LDBL_EPSILON * size;
  return sum;
}

/* Mean and variance of U in [0, 1] with density proportional to e^(-x U). */
static void decay_moments(double x, double *mean, double *variance) {
  if (x < 0.05) { /* the next terms are below 1e-12 */
    *mean = 0.5 - x / 12 + x * x * x / 720;
    *variance = 1.0 / 12 - x * x / 240 + x * x * x * x / 6048;
    return;
  }
  const double e = exp(-x), d = -expm1(-x);
  *mean = 1 / x - e / d;
  *variance = 1 / (x * x) - e / (d * d);
}

static sfmi_cumulants lattice_cumulants(const sfmi_loss_law *law, double lambda) {
  const double sigma = law->parameter, spacing = 1 / (sigma * sigma);
  long double unused = 0;
  sfmi_cumulants out = {(double)sfmi_loss_law_log_moment(law, lambda, &unused),
                        -(lambda + 0.5) * spacing, spacing};
  if (sigma >= SMOOTH_SIGMA) return out;
  const double shift = shift_of(lambda), whole = nearbyint(lambda);
  double mass = 0, mean = 0, square = 0;
  for (int y = -24; y <= 24; y++) {
    double w = direct_weight(sigma, shift, y);
    mass += w;
    mean += w * y;
    square += w * y * y;
  }
  mean /= mass;
  out.gap = -((whole + 0.5) - mean) * spacing;
  out.variance = (square / mass - mean * mean) * spacing * spacing;
  return out;
}

sfmi_cumulants sfmi_loss_law_cumulants(const sfmi_loss_law *law, double lambda) {
  if (law->shape == SFMI_LATTICE_NORMAL) return lattice_cumulants(law, lambda);
  const double epsilon = law->parameter, order = 2 * lambda + 1, x = order * epsilon;
  const double low = exp(-x);
  if (law->shape == SFMI_LAPLACE) {
    /* eps - Y is 0 with the odds 1, 2 eps with e^-x, and between with density. */
    const double less = -expm1(-x), all = 2 * (1 - lambda / order * less);
    const double minus = low / all, density = less / all / order;
    double mean, variance;
    decay_moments(x, &mean, &variance);
    const double gap = 2 * epsilon * (minus + density * mean);
    const double square = 4 * epsilon * epsilon * (minus + density * (variance + mean * mean));
    return (sfmi_cumulants){log1p(-lambda / order * less), gap, square - gap * gap};
  }
  const double middle = law->others * exp(-(1 + lambda) * epsilon);
  const double all = 1 + middle + low;
  const double gap = epsilon * (middle + 2 * low) / all;
  const double square = epsilon * epsilon * (middle + 4 * low) / all;
  return (sfmi_cumulants){log1p(middle + low) - log1p((1 + law->others) * exp(-epsilon)), gap,
                          square - gap * gap};
}

/* What a phase of this size is known to, and a little. */
static double phase_slack(double phase) {
  return 8 * 0x1p-53 * (phase + 1);
}

/* The least |sin| over [from, to], from below. */
static double least_sine(double from, double to) {
  if (!(to - from < M_PI) || floor(from / M_PI) != floor(to / M_PI)) return 0;
  return fmax(fmin(fabs(sin(from)), fabs(sin(to))) - phase_slack(to), 0);
}

/* The greatest cos over [from, to], from above. */
static double greatest_cosine(double from, double to) {
  if (!(to - from < 2 * M_PI) || floor(from / (2 * M_PI)) != floor(to / (2 * M_PI))) return 1;
  return fmin(fmax(cos(from), cos(to)) + phase_slack(to), 1);
}

/* |sum_y w_y e^(-i omega y)|/norm falls as omega goes from 0 to pi. */
static double lattice_bound(const sfmi_tilt *tilt, double from, double to) {
  const double rate = tilt->spacing.hi, circle = two_pi.hi;
  from *= rate;
  to *= rate;
  if (!(to - from < circle)) return 1;
  double left = remainder(from, circle), right = remainder(to, circle);
  if (floor(from / circle) != floor(to / circle)) return 1;
  double near = fmax(fmin(fabs(left), fabs(right)) - phase_slack(to), 0), sum = 0;
  if (tilt->parameter < DUAL_SIGMA) {
    double im = 0;
    for (int y = -DIRECT_TERMS; y <= DIRECT_TERMS; y++) {
      double w = direct_weight(tilt->parameter, tilt->shift, y);
      sum += w * cos(near * y);
      im += w * sin(near * y);
    }
    return hypot(sum, im) / (double)tilt->norm + 1e-14;
  }
  for (int n = -DUAL_TERMS; n <= DUAL_TERMS; n++) {
    double x = tilt->parameter * (near + circle * n);
    sum += exp(-x * x / 2);
  }
  return sum / (double)tilt->norm * (1 + 1e-12) + 1e-300;
}

double sfmi_tilt_log_bound(const sfmi_tilt *tilt, double from, double to) {
  assert(from > 0 && from <= to);
  const double low = from * tilt->parameter, high = to * tilt->parameter;
  const double even = (double)tilt->even, odd = (double)tilt->odd, zero = (double)tilt->zero;
  const double across = (even - odd) * (even + odd);
  double bound = 1;
  if (tilt->shape == SFMI_LATTICE_NORMAL) {
    bound = lattice_bound(tilt, from, to);
  } else if (tilt->shape == SFMI_THREE_POINTS) {
    /* |f|^2 is convex in cos phi: the greatest at one end of its range. */
    const double c = greatest_cosine(low, high);
    const double one = zero * zero + odd * odd + across * c * c + 2 * zero * even * c;
    bound = fmax(sqrt(fmax(one, 0)), fabs(zero - even)) + 1e-15;
  } else {
    const double s = least_sine(low, high);
    bound = sqrt(fmax(even * even - across * s * s, 0)) + 1e-15;
    if (tilt->shape == SFMI_LAPLACE) bound += even * fmin(0.5 / from, 1 / (2 * tilt->lambda + 1));
  }
  return fmin(log(bound) + 1e-14, 0);
}

/* omega = theta/sigma^2, brought to [-pi, pi]. */
static sfmi_dd lattice_angle(const sfmi_tilt *tilt, double step, double j) {
  const sfmi_dd omega = sfmi_phase_angle(tilt->spacing, step, j);
  const double turns = nearbyint(omega.hi / two_pi.hi);
  return sfmi_dd_add(omega, sfmi_dd_negate(sfmi_dd_scale(two_pi, turns)));
}

/* A factor over a block of nodes. */
typedef struct factor {
  double re[SFMI_NODE_BLOCK], im[SFMI_NODE_BLOCK];
} factor;

static void direct_factor(factor *out, const sfmi_tilt *tilt, double step, double first) {
  double weights[2 * DIRECT_TERMS + 1];
  for (int k = -DIRECT_TERMS; k <= DIRECT_TERMS; k++)
    weights[k + DIRECT_TERMS] = direct_weight(tilt->parameter, tilt->shift, k) / (double)tilt->norm;
  for (int t = 0; t < SFMI_NODE_BLOCK; t++) {
    const double omega = lattice_angle(tilt, step, first + t).hi;
    out->re[t] = out->im[t] = 0;
    for (int k = -DIRECT_TERMS; k <= DIRECT_TERMS; k++) {
      const double w = weights[k + DIRECT_TERMS];
      if (w < 1e-30) continue;
      out->re[t] += w * cos(omega * k);
      out->im[t] -= w * sin(omega * k);
    }
  }
}

static void dual_factor(factor *out, const sfmi_tilt *tilt, double step, double first) {
  const double norm = (double)tilt->norm;
  for (int t = 0; t < SFMI_NODE_BLOCK; t++) {
    const double omega = lattice_angle(tilt, step, first + t).hi;
    double x = 0, y = 0;
    for (int n = -DUAL_TERMS; n <= DUAL_TERMS; n++) {
      const double v = omega + two_pi.hi * n, a = tilt->parameter * v;
      if (a * a > 140) continue; /* below 1e-30 */
      const double w = exp(-a * a / 2);
      x += w * cos(v * tilt->shift);
      y += w * sin(v * tilt->shift);
    }
    out->re[t] = x / norm;
    out->im[t] = y / norm;
  }
}

/* Adds (odd cos phi + i even sin phi)/(2z + 1). */
static void add_density(factor *out, const sfmi_tilt *tilt, const sfmi_phase_factors *at,
                        double step, double first) {
  const double order = 2 * tilt->lambda + 1, even = (double)tilt->even, odd = (double)tilt->odd;
  for (int t = 0; t < SFMI_NODE_BLOCK; t++) {
    const double twice = 2 * step * (first + t), square = order * order + twice * twice;
    const double re = order / square, im = -twice / square;
    const double x = odd * at->cosine[t], y = even * at->sine[t];
    out->re[t] += re * x - im * y;
    out->im[t] += re * y + im * x;
  }
}

static void find_factor(factor *out, const sfmi_tilt *tilt, const sfmi_phase_factors *turns,
                        double step, double first, bool atoms) {
  if (tilt->shape == SFMI_LATTICE_NORMAL) {
    (tilt->parameter < DUAL_SIGMA ? direct_factor : dual_factor)(out, tilt, step, first);
    return;
  }
  const double even = (double)tilt->even, odd = (double)tilt->odd, zero = (double)tilt->zero;
  sfmi_phase_factors at;
  sfmi_phase_factors_at(&at, turns, (sfmi_dd){tilt->parameter, 0}, step, first);
  for (int t = 0; t < SFMI_NODE_BLOCK; t++) {
    out->re[t] = zero + even * at.cosine[t];
    out->im[t] = odd * at.sine[t];
  }
  if (tilt->shape == SFMI_LAPLACE && !atoms) add_density(out, tilt, &at, step, first);
}

/* (re + i im) *= f^count by squaring. */
static void multiply(double *re, double *im, factor *f, uint64_t count) {
  for (; count; count >>= 1) {
    for (int t = 0; count & 1 && t < SFMI_NODE_BLOCK; t++) {
      const double x = re[t] * f->re[t] - im[t] * f->im[t];
      im[t] = re[t] * f->im[t] + im[t] * f->re[t];
      re[t] = x;
    }
    for (int t = 0; count > 1 && t < SFMI_NODE_BLOCK; t++) {
      const double x = f->re[t] * f->re[t] - f->im[t] * f->im[t];
      f->im[t] = 2 * f->re[t] * f->im[t];
      f->re[t] = x;
    }
  }
}

/* The same in long doubles, for one node of a law that is used very often. */
typedef struct value {
  long double re, im;
} value;

static value times(value a, value b) {
  return (value){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static value long_phase_factor(sfmi_dd angle) {
  const value main = {cosl((long double)angle.hi), sinl((long double)angle.hi)};
  return times(main, (value){cosl((long double)angle.lo), sinl((long double)angle.lo)});
}

static value long_lattice(const sfmi_tilt *tilt, double step, double j) {
  const long double sigma = tilt->parameter, shift = tilt->shift;
  const sfmi_dd angle = lattice_angle(tilt, step, j);
  const long double omega = sfmi_dd_value(angle), circle = sfmi_dd_value(two_pi);
  value sum = {0, 0};
  const int terms = tilt->parameter < DUAL_SIGMA ? DIRECT_TERMS : DUAL_TERMS;
  for (int n = -terms; n <= terms; n++) {
    const long double v = omega + circle * n, a = sigma * v;
    const bool direct = tilt->parameter < DUAL_SIGMA;
    const long double w =
        direct ? expl(-n * (n + 2 * shift) / (2 * sigma * sigma)) : expl(-a * a / 2);
    const long double turn = direct ? -omega * n : v * shift;
    sum.re += w * cosl(turn);
    sum.im += w * sinl(turn);
  }
  return (value){sum.re / tilt->norm, sum.im / tilt->norm};
}

static value long_factor(const sfmi_tilt *tilt, double step, double j, bool atoms) {
  if (tilt->shape == SFMI_LATTICE_NORMAL) return long_lattice(tilt, step, j);
  const value at = long_phase_factor(sfmi_phase_angle((sfmi_dd){tilt->parameter, 0}, step, j));
  value f = {tilt->zero + tilt->even * at.re, tilt->odd * at.im};
  if (tilt->shape == SFMI_LAPLACE && !atoms) {
    const long double order = 2 * (long double)tilt->lambda + 1, twice = 2 * (long double)step * j;
    const long double square = order * order + twice * twice;
    const value more = times((value){order / square, -twice / square},
                             (value){tilt->odd * at.re, tilt->even * at.im});
    f = (value){f.re + more.re, f.im + more.im};
  }
  return f;
}

static void long_multiply(double *re, double *im, value f, uint64_t count) {
  value product = {1, 0};
  for (; count; count >>= 1) {
    if (count & 1) product = times(product, f);
    f = times(f, f);
  }
  const value all = times((value){*re, *im}, product);
  *re = (double)all.re;
  *im = (double)all.im;
}

void sfmi_tilt_multiply(double *re, double *im, const sfmi_tilt *tilt,
                        const sfmi_phase_factors *turns, double step, double first, bool atoms) {
  if (tilt->count < OFTEN) {
    factor f;
    find_factor(&f, tilt, turns, step, first, atoms);
    multiply(re, im, &f, tilt->count);
    return;
  }
  for (int t = 0; t < SFMI_NODE_BLOCK; t++)
    long_multiply(&re[t], &im[t], long_factor(tilt, step, first + t, atoms), tilt->count);
}

double sfmi_tilt_error(const sfmi_tilt *tilt) {
  const double count = (double)tilt->count;
  return tilt->count < OFTEN ? 64 * 0x1p-53 * count
                             : 32 * (double)LDBL_EPSILON * count + 8 * 0x1p-53;
}

double sfmi_tilt_work(const sfmi_tilt *tilt) {
  const double power = 3 * log2((double)tilt->count);
  const bool lattice = tilt->shape == SFMI_LATTICE_NORMAL;
  if (tilt->count < OFTEN) return power + (lattice ? 100 : 4);
  return 4 * power + (lattice ? 1000 : 300);
}
