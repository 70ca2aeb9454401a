#include "alias_error.h"

#include <math.h>

#include "base/math/elementary.h"
#include "base/system/arena.h"
#include "features/kernels/gaussian_torus.h"
#include "features/kernels/spline.h"

/* Work allowed for one axis: points x phases. */
static const double WORK = 6e6;
/* Blocks a bandwidth in which the envelope is kept. */
enum { BLOCKS = 16 };

static bool ring(const sfmi_alias_axis *axis) {
  return axis->boundary != SFM_BOUNDARY_OPEN;
}

/* How far q - x can be from 0 on the axis. */
static double reach_of(const sfmi_alias_axis *axis) {
  return ring(axis) ? 0.5 * axis->W : axis->width;
}

/* The kernel at z, wrapped with period W: by its images, or where they are many by its series. */
static double kernel_at(const sfmi_alias_axis *axis, double z) {
  enum { WAVES = 4 };
  const double h = axis->h, W = axis->W;
  double sum = 0;
  if (ring(axis) && W < h) {
    for (int j = WAVES; j > 0; j--)
      sum += 2 * sfmi_gaussian_transform(j / W, h) * cos(2 * M_PI * j * z / W);
    return (sum + 1) / W;
  }
  const int images = ring(axis) ? 1 + (int)(9 * h / W) : 0;
  for (int k = -images; k <= images; k++) {
    const double y = (z - k * W) / h;
    sum += exp(-0.5 * y * y);
  }
  return sum / (sqrt(2 * M_PI) * h);
}

/* sums over |j| <= m of K^/W times: the aliases; the aliases weighted by |l|; by frequency; and
 * psi's largest value. */
typedef struct sums {
  double alias, drift, slope, largest;
} sums;

/* sum over l != 0 of |l| |sinc(u+l)/sinc(u)|^order, order >= 3. */
static double weighted_alias(unsigned order, double u) {
  enum { TERMS = 32 };
  double sum = 0;
  for (int l = 1; l <= TERMS; l++)
    sum += l * (sfmi_power(u / (l + u), order) + sfmi_power(u / (l - u), order));
  /* l/(l-u) <= 2, so the rest is below 4 u^order times the integral of (l-u)^(1-order). */
  return sum + 4 * sfmi_power(u, order) / ((order - 2) * sfmi_power(TERMS - u, order - 2));
}

static sums sum_axis(const sfmi_alias_axis *axis) {
  sums s = {0};
  for (size_t j = 0; j <= axis->m; j++) {
    double f = (double)j / axis->W, u = f * axis->spacing;
    double size = (j ? 2 : 1) * sfmi_gaussian_transform(f, axis->h) / axis->W;
    double alias = sfmi_spline_alias(axis->order, u, 1);
    s.alias += size * alias;
    s.slope += size * alias * 2 * M_PI * f;
    if (axis->order > 2)
      s.drift += size * weighted_alias(axis->order, u) * 2 * M_PI / axis->spacing;
    s.largest += size / sfmi_power(sfmi_sinc(u), axis->order);
  }
  return s;
}

/* What the weights' rounding adds, and a little for doubles and distant images. */
static double rounding(const sfmi_alias_axis *axis, const sums *s) {
  return (axis->order - 1) * 1.001 * ldexp(s->largest, -(int)axis->bits) +
         1e-14 * fmax(1 / axis->h, s->largest);
}

/* Bounds on the sums over |j| > m of K^/W, and of K^/W times the angular frequency: sums below
 * integrals where the terms fall, and else by their largest term more. */
static double cut_integral(const sfmi_alias_axis *axis, size_t from) {
  return erfc(M_SQRT2 * M_PI * axis->h * (double)from / axis->W) / (sqrt(2 * M_PI) * axis->h);
}

/* On a ring narrower than the kernel the terms fall so fast that the first is nearly all. */
static double cut_size(const sfmi_alias_axis *axis) {
  const double whole = cut_integral(axis, axis->m);
  if (!ring(axis)) return whole;
  const double first =
      2 * sfmi_gaussian_transform((double)(axis->m + 1) / axis->W, axis->h) / axis->W;
  return fmin(whole, first + cut_integral(axis, axis->m + 1));
}

static double cut_slope(const sfmi_alias_axis *axis) {
  const double F = (double)axis->m / axis->W, h = axis->h;
  const double rise = 2 * M_PI * h * F < 1 ? 2 * exp(-0.5) / (h * axis->W) : 0;
  return sfmi_gaussian_transform(F, h) / (M_PI * h * h) + rise;
}

/* psi at i delta for i = -before .. count - before - 1. */
static void fill_psi(double *psi, const sfmi_alias_axis *axis, double delta, size_t count,
                     size_t before, const double *transfer) {
  for (size_t i = 0; i < count; i++) {
    double angle = 2 * M_PI * ((double)i - (double)before) * delta / axis->W;
    /* Clenshaw's recurrence for sum a_j cos(j angle). */
    double twice = 2 * cos(angle), b1 = 0, b2 = 0;
    for (size_t j = axis->m; j > 0; j--) {
      double b = transfer[j] + twice * b1 - b2;
      b2 = b1;
      b1 = b;
    }
    psi[i] = transfer[0] + b1 * 0.5 * twice - b2;
  }
}

/* largest[i] >= |sum of w_k psi[i - k T] - kernel[i]|, k < order. */
static inline void raise_by(double *largest, const double *kernel, const double *psi,
                            const double *w, unsigned order, size_t T, size_t points) {
  for (size_t i = 0; i < points; i++) {
    double off = -kernel[i];
    for (unsigned k = 0; k < order; k++) off += w[k] * (psi + i)[-(ptrdiff_t)(k * T)];
    largest[i] = fabs(off) > largest[i] ? fabs(off) : largest[i];
  }
}

/* With the order known to the compiler. */
static void raise_largest(double *largest, const double *kernel, const double *psi, const double *w,
                          unsigned order, size_t T, size_t points) {
  if (order == 3)
    raise_by(largest, kernel, psi, w, 3, T, points);
  else if (order == 4)
    raise_by(largest, kernel, psi, w, 4, T, points);
  else if (order == 5)
    raise_by(largest, kernel, psi, w, 5, T, points);
  else
    raise_by(largest, kernel, psi, w, 6, T, points);
}

/* envelope[b] >= |E| at every z within block b (|z| in [b, b+1) h/BLOCKS) and every phase. */
static sfm_status fill_envelope(double *envelope, size_t blocks, const sfmi_alias_axis *axis,
                                const sums *s, sfmi_arena *arena, sfm_error *error) {
  const double reach = reach_of(axis), wanted = sqrt(WORK * axis->spacing / reach);
  const size_t T = 2 * (size_t)fmax(8, fmin(128, wanted / 2)); /* phases, and points a spacing */
  const double delta = axis->spacing / (double)T;
  const size_t points = (size_t)ceil(reach / delta) + 1, margin = 3 * T;
  const size_t count = points + 2 * margin;
  double *psi = sfmi_arena_doubles(arena, count);
  double *transfer = sfmi_arena_doubles(arena, axis->m + 1);
  double *kernel = sfmi_arena_doubles(arena, points), *largest = sfmi_arena_doubles(arena, points);
  if (!psi || !transfer || !kernel || !largest) return sfmi_fail_memory(error);
  for (size_t j = 0; j <= axis->m; j++) {
    double f = (double)j / axis->W;
    transfer[j] = (j ? 2 : 1) * sfmi_gaussian_transform(f, axis->h) / axis->W /
                  sfmi_power(sfmi_sinc(f * axis->spacing), axis->order);
  }
  fill_psi(psi, axis, delta, count, margin, transfer);
  /* Beyond the nearest sample, half a step of z and of phase away. */
  const double slack = 0.5 * delta * (s->slope + cut_slope(axis) + s->drift) + rounding(axis, s);
  for (size_t b = 0; b < blocks; b++) envelope[b] = slack;
  /* psi's argument for neighbour k: z + (t - k + order/2 - 1) s. */
  const long shift = (long)margin + (long)T * ((long)axis->order - 2) / 2;
  for (size_t i = 0; i < points; i++) {
    kernel[i] = kernel_at(axis, (double)i * delta);
    largest[i] = 0;
  }
  for (size_t j = 0; j <= T; j++) {
    double w[SFMI_SPLINE_MAX];
    sfmi_spline_real_weights(w, axis->order, (double)j / (double)T);
    raise_largest(largest, kernel, psi + shift + (long)j, w, axis->order, T, points);
  }
  /* A sample speaks for half a step to both sides, which may lie in two blocks. */
  for (size_t i = 0; i < points; i++)
    for (int side = -1; side <= 1; side += 2) {
      double y = fmax(((double)i + 0.5 * side) * delta / axis->h, 0) * BLOCKS;
      size_t b = y < (double)blocks ? (size_t)y : blocks - 1;
      envelope[b] = fmax(envelope[b], largest[i] + slack);
    }
  return SFM_OK;
}

/* The mass C of a mixture of kernels, centred on the blocks, that dominates the envelope. */
static double dominating_mass(const double *envelope, size_t blocks, double h) {
  const double delta = h / BLOCKS;
  const long reach = 9 * BLOCKS, n = (long)blocks;
  double mass = 0, excess = 0;
  for (long b = 0; b < n; b++) {
    double least = 0; /* of the mixture on block b, both signs of the centres */
    for (long c = b - reach; c <= b + reach; c++) {
      long at = c >= 0 ? c : -1 - c;
      if (at >= n) continue;
      double z = (fabs((double)(b - c)) + 0.5) / BLOCKS; /* farthest point from the centre */
      least += envelope[at] * delta * exp(-0.5 * z * z) / (sqrt(2 * M_PI) * h);
    }
    excess = fmax(excess, envelope[b] / least);
    mass += 2 * envelope[b] * delta;
  }
  return mass * excess;
}

static sfm_status axis_mass(double *out, const sfmi_alias_axis *axis, const sums *s, double size,
                            sfm_error *error) {
  /* On a ring one kernel may do, as many times as it is low where E is high. */
  *out = ring(axis) ? size / kernel_at(axis, 0.5 * axis->W) : INFINITY;
  const double needed = ceil(reach_of(axis) / axis->h * BLOCKS) + 1;
  if (axis->order < 3 || needed > 1e5 || axis->m > 100000) return SFM_OK;
  const size_t blocks = (size_t)needed;
  sfmi_arena arena = {0};
  double *envelope = sfmi_arena_doubles(&arena, blocks);
  sfm_status status =
      envelope ? fill_envelope(envelope, blocks, axis, s, &arena, error) : sfmi_fail_memory(error);
  if (!status) *out = fmin(*out, dominating_mass(envelope, blocks, axis->h));
  sfmi_arena_clear(&arena);
  return status;
}

/* Along an axis: the largest value of the kernel, and of E. */
typedef struct axis_size {
  double images, kernel, size;
  sums sums;
} axis_size;

static axis_size size_of(const sfmi_alias_axis *axis) {
  const sums s = sum_axis(axis);
  return (axis_size){.images = axis->boundary == SFM_BOUNDARY_REFLECT ? 2 : 1,
                     .kernel = kernel_at(axis, 0),
                     .size = cut_size(axis) + s.alias + rounding(axis, &s),
                     .sums = s};
}

/* One axis more. */
static void widen(sfmi_alias *out, double *widened, double *peak, const axis_size *a, double mass) {
  *widened *= a->images * (a->kernel + a->size);
  *peak *= a->images * a->kernel;
  *out = (sfmi_alias){.peak = *widened - *peak, .share = (1 + out->share) * (1 + mass) - 1};
}

sfm_status sfmi_alias_bound(sfmi_alias *out, const sfmi_alias_axis *axes, size_t dimension,
                            sfm_error *error) {
  double widened = 1, peak = 1;
  sfmi_alias all = {0};
  for (size_t a = 0; a < dimension; a++) {
    const axis_size one = size_of(&axes[a]);
    double mass;
    sfm_status status = axis_mass(&mass, &axes[a], &one.sums, one.size, error);
    if (status) return status;
    widen(&all, &widened, &peak, &one, mass);
  }
  *out = all;
  return SFM_OK;
}

sfmi_alias sfmi_alias_guess(const sfmi_alias_axis *axes, size_t dimension) {
  /* Of E, whose mass is some bandwidths times its size. */
  static const double WIDE = 8;
  double widened = 1, peak = 1;
  sfmi_alias all = {0};
  for (size_t a = 0; a < dimension; a++) {
    const axis_size one = size_of(&axes[a]);
    widen(&all, &widened, &peak, &one, WIDE * one.size * axes[a].h);
  }
  return all;
}
