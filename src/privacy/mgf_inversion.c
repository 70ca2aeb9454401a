#include "mgf_inversion.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>

#include "base/math/fft/fft.h"
#include "chernoff_bound.h"
#include "inversion_nodes.h"
#include "loss_atoms.h"

/* Sums below are in units of E e^(lambda (S - epsilon)); delta is then about
 * 1/(lambda (lambda + 1) sqrt(2 pi C)), the nodes' scale. */

#define UNIT 0x1p-53
/* What comes from other periods, relative to delta. */
#define ALIASES 1e-14
/* Places in two doubles, relative to what they are added from. */
#define PLACE 0x1p-96
#define GRID_MAX ((size_t)1 << 19)
/* Tilted mass in atoms below which they are not worth being listed. */
#define ATOMS_WORTH 1e-14

struct sfmi_inversion {
  const sfmi_total_loss *total;
  double lambda;
  sfmi_tilt *tilts;
  bool split; /* the atoms are listed, and the nodes, if there are any, are of the rest */
  sfmi_atoms atoms;
  sfmi_inversion_nodes nodes;
  /* ln E e^(lambda (S - top)), and what it is known to. */
  long double base, base_off;
  /* The same at another tilt, smoothed, from above: Chernoff's bound for what lies to the right. */
  double other;
  long double other_base;
  double period;
  size_t grid;
};

static long double gap_at(const sfmi_inversion *v, double epsilon) {
  return sfmi_dd_value(sfmi_dd_add(v->total->top, (sfmi_dd){-epsilon, 0}));
}

/* What the periods on either side add at most, at top - epsilon = gap. */
static double aliases(const sfmi_inversion *v, long double gap) {
  const long double apart = (long double)v->other - v->lambda;
  const double below = (double)(v->base_off - v->base - v->lambda * gap);
  const double above = (double)(v->other_base - v->base + v->base_off + apart * gap);
  const double left = exp(below) / expm1(v->lambda * v->period);
  const double right =
      exp(above + sfmi_log_hockey_stick(v->other)) / expm1((double)apart * v->period);
  return 1.0001 * (left + right);
}

static void set_other(sfmi_inversion *v, double other, double smoothing) {
  long double off = 0;
  v->other = other;
  v->other_base = sfmi_total_loss_log_moment(v->total, other, smoothing, &off);
  v->other_base += off;
}

/* Whether some other tilt shows that the right-hand periods are negligible. */
static bool right_is_small(sfmi_inversion *v, const sfmi_saddle *at) {
  const double smoothing = SFMI_SMOOTHING / (v->lambda * (v->lambda + 1));
  for (double far = v->period / at->curvature; far > 1e-3 * v->lambda; far /= 2) {
    set_other(v, v->lambda + far, smoothing);
    if (aliases(v, (long double)at->gap) <= ALIASES * v->nodes.scale) return true;
  }
  return false;
}

/* The period, a multiple of spacing if that is not 0.  It need not be large enough: what the other
 * periods add is bounded again for every epsilon, with the smoothing that was used. */
static void choose_period(sfmi_inversion *v, const sfmi_saddle *at, double spacing) {
  const double left = (2 - log(ALIASES) - fmin(at->log_delta, 0)) / v->lambda;
  v->period = fmax(left, 9 * sqrt(at->curvature));
  for (int i = 0; i < 40 && !right_is_small(v, at); i++) v->period *= 1.25;
  const double cells = spacing > 0 ? ceil(v->period / spacing) : 0;
  if (cells >= 2 && cells <= (double)GRID_MAX) {
    v->grid = sfmi_fft_size((size_t)cells);
    v->period = spacing * (double)v->grid;
  }
  v->nodes.step = 2 * M_PI / v->period;
  v->period *= 1 - 1e-12; /* from below, whatever rounding did to step */
}

/* Lists the atoms where they matter and are few. */
static sfm_status choose_atoms(sfmi_inversion *v, sfm_error *error) {
  if (v->total->variance.hi > 0) return SFM_OK;
  double log_atomic = 0;
  for (size_t i = 0; i < v->total->count; i++)
    if (v->tilts[i].shape == SFMI_LAPLACE)
      log_atomic += (double)v->tilts[i].count * (double)logl(v->tilts[i].even);
  if (log_atomic < log(ATOMS_WORTH)) return SFM_OK;
  sfm_status status = sfmi_atoms_init(&v->atoms, v->total, v->lambda, error);
  v->split = v->nodes.split = v->atoms.list != NULL;
  v->nodes.log_atomic = log_atomic;
  return status;
}

static sfm_status choose_nodes(sfmi_inversion *v, const sfmi_saddle *at, double spacing,
                               sfm_error *error) {
  if (v->split && v->total->laplaces == 0) return SFM_OK; /* there are only atoms */
  v->nodes.total = v->total;
  v->nodes.tilts = v->tilts;
  v->nodes.lambda = v->lambda;
  v->nodes.scale = 1 / (v->lambda * (v->lambda + 1) * sqrt(2 * M_PI * at->curvature));
  choose_period(v, at, spacing);
  if (!sfmi_inversion_nodes_fill(&v->nodes)) return sfmi_fail_memory(error);
  set_other(v, v->other, v->nodes.smoothing);
  return SFM_OK;
}

sfm_status sfmi_inversion_create(sfmi_inversion **out, const sfmi_total_loss *total,
                                 const sfmi_saddle *at, double spacing, sfm_error *error) {
  *out = NULL;
  sfmi_inversion *v = sfmi_alloc(1, sizeof *v);
  if (!v) return sfmi_fail_memory(error);
  v->total = total;
  v->lambda = at->lambda;
  v->base = sfmi_total_loss_log_moment(total, v->lambda, 0, &v->base_off);
  v->tilts = sfmi_alloc(total->count, sizeof *v->tilts);
  sfm_status status = v->tilts ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < total->count; i++)
    sfmi_tilt_init(&v->tilts[i], &total->laws[i], v->lambda);
  if (!status) status = choose_atoms(v, error);
  if (!status) status = choose_nodes(v, at, spacing, error);
  if (status) {
    sfmi_inversion_destroy(v);
  } else {
    *out = v;
  }
  return status;
}

void sfmi_inversion_destroy(sfmi_inversion *inversion) {
  if (!inversion) return;
  sfmi_atoms_clear(&inversion->atoms);
  sfmi_inversion_nodes_clear(&inversion->nodes);
  free(inversion->tilts);
  free(inversion);
}

/* Sums over the nodes, times step/(2 pi): for delta, -(d/d epsilon) delta, and the density. */
typedef struct sums {
  double delta, fall, density;
  double off, off_density; /* beyond what every node may be off by */
} sums;

/* What the nodes say of delta. */
static void enclose_nodes(const sfmi_inversion *v, double epsilon, const sums *sum, double *low,
                          double *high, double *fall) {
  const sfmi_inversion_nodes *n = &v->nodes;
  const double place = PLACE * (n->centre_size + v->total->top.hi + epsilon);
  const double off = 1.01 * (n->error * n->size + place * n->size_turn) + sum->off + n->cut;
  const double off_density =
      1.01 * (n->error * n->density + place * n->density_turn) + sum->off_density + n->cut_density;
  const double raised =
      1.0001 * n->smoothing * exp(n->smoothing / 8) * fmax(sum->density + off_density, 0);
  const double power = n->smoothing * v->lambda * (v->lambda + 1) / 2;
  const double lift = exp(power), lift_off = 8 * UNIT * (2 + power);
  *high = (sum->delta + off) * lift * (1 + lift_off);
  *low = (sum->delta - off - raised) * lift * (1 - lift_off) - aliases(v, gap_at(v, epsilon));
  *fall = sum->fall * lift;
}

static void enclose(const sfmi_inversion *v, double epsilon, const sums *sum,
                    sfmi_log_bounds *ends) {
  double low = 0, high = 0, fall = 0;
  if (v->nodes.count) enclose_nodes(v, epsilon, sum, &low, &high, &fall);
  if (v->split) {
    double a, b, more;
    sfmi_atoms_delta(&v->atoms, epsilon, &a, &b, &more);
    low = fmax(low, 0) + a;
    high = fmax(high, 0) + b;
    fall += more;
  }
  const long double power = v->lambda * gap_at(v, epsilon), scale = v->base + power;
  const long double off = v->base_off + 4 * LDBL_EPSILON * fabsl(power) +
                          PLACE * v->lambda * (v->total->top.hi + epsilon) + 8 * UNIT;
  ends->log_lower = low > 0 ? fminl(scale - off + logl((long double)low), 0) : -INFINITY;
  ends->log_upper = high > 0 ? fminl(scale + off + logl((long double)high), 0) : -INFINITY;
  ends->slope = -2 * fall / (fmax(low, 0) + high);
}

/* What every node is turned by, times theta. */
static sfmi_dd rate_at(const sfmi_inversion *v, double epsilon) {
  return sfmi_dd_add(v->nodes.centre, (sfmi_dd){-epsilon, 0});
}

/* Adds a block of turned nodes to the three sums, twice, for theta and -theta. */
static void add_block(const sfmi_inversion_nodes *n, size_t block, const sfmi_phase_factors *at,
                      long double sum[3]) {
  const double l = n->lambda, first = (double)(n->blocks[block] * SFMI_NODE_BLOCK);
  const double *re = n->re + block * SFMI_NODE_BLOCK, *im = n->im + block * SFMI_NODE_BLOCK;
  double a = 0, b = 0, c = 0;
  for (int t = n->blocks[block] == 0; t < SFMI_NODE_BLOCK; t++) {
    const double theta = n->step * (first + t);
    const double x = re[t] * at->cosine[t] - im[t] * at->sine[t];
    const double y = re[t] * at->sine[t] + im[t] * at->cosine[t];
    a += x;
    b += l * x - theta * y;
    c += (l * (l + 1) - theta * theta) * x - theta * (2 * l + 1) * y;
  }
  sum[0] += 2 * (long double)a;
  sum[1] += 2 * (long double)b;
  sum[2] += 2 * (long double)c;
}

void sfmi_inversion_at(const sfmi_inversion *v, double epsilon, sfmi_log_bounds *ends) {
  const sfmi_inversion_nodes *n = &v->nodes;
  const sfmi_dd rate = rate_at(v, epsilon);
  sfmi_phase_factors turns, at;
  long double sum[3] = {0};
  sfmi_phase_factors_init(&turns, rate, n->step);
  for (size_t i = 0; i < n->count; i++) {
    sfmi_phase_factors_at(&at, &turns, rate, n->step, (double)(n->blocks[i] * SFMI_NODE_BLOCK));
    add_block(n, i, &at, sum);
  }
  if (n->count) { /* the node at 0, once */
    sum[0] += n->re[0];
    sum[1] += n->lambda * (long double)n->re[0];
    sum[2] += n->lambda * (n->lambda + 1) * (long double)n->re[0];
  }
  const long double mean = n->step / (2 * acosl(-1));
  const sums all = {(double)(mean * sum[0]), (double)(mean * sum[1]), (double)(mean * sum[2]), 0,
                    0};
  enclose(v, epsilon, &all, ends);
}

size_t sfmi_inversion_grid_size(const sfmi_inversion *v, size_t wanted) {
  if (!v->grid || !v->nodes.count) return 0;
  /* Two transforms cost about ten multiplications an element and doubling; a point ten a node. */
  const size_t count = wanted < v->grid ? wanted : v->grid;
  const double fourier = (double)v->grid * log2((double)v->grid);
  return fourier < (double)(v->nodes.count * SFMI_NODE_BLOCK) * (double)count ? count : 0;
}

/* Nodes at epsilon = first, folded to the length of the transforms: of delta and of the density. */
static void fold(const sfmi_inversion *v, double first, double complex *delta,
                 double complex *density) {
  const sfmi_inversion_nodes *n = &v->nodes;
  const sfmi_dd rate = rate_at(v, first);
  const double l = v->lambda;
  sfmi_phase_factors turns, at;
  sfmi_phase_factors_init(&turns, rate, n->step);
  for (size_t i = 0; i < n->count; i++) {
    const size_t begin = n->blocks[i] * SFMI_NODE_BLOCK;
    sfmi_phase_factors_at(&at, &turns, rate, n->step, (double)begin);
    for (size_t t = 0; t < SFMI_NODE_BLOCK; t++) {
      const size_t k = i * SFMI_NODE_BLOCK + t, cell = (begin + t) % v->grid;
      const double theta = n->step * (double)(begin + t), times = begin + t ? 2 : 1;
      const double x = times * (n->re[k] * at.cosine[t] - n->im[k] * at.sine[t]);
      const double y = times * (n->re[k] * at.sine[t] + n->im[k] * at.cosine[t]);
      const double p = l * (l + 1) - theta * theta, q = theta * (2 * l + 1);
      delta[cell] += x + I * y;
      density[cell] += (p * x - q * y) + I * (p * y + q * x);
    }
  }
}

/* What the transform may be off by, in any element: its relative error in the 2-norm times the
 * 2-norm of the result. */
static double fourier_error(const double complex *data, size_t count) {
  double square = 0;
  for (size_t i = 0; i < count; i++)
    square += creal(data[i]) * creal(data[i]) + cimag(data[i]) * cimag(data[i]);
  return SFMI_FFT_ERROR * (1 + log2((double)count)) * sqrt(1.01 * square * (double)count);
}

sfm_status sfmi_inversion_grid(const sfmi_inversion *v, sfmi_log_bounds *ends,
                               const double *epsilons, size_t count, sfm_error *error) {
  assert(v->grid && count <= v->grid);
  const sfmi_inversion_nodes *n = &v->nodes;
  sfmi_fft *delta = NULL, *density = NULL;
  sfm_status status = sfmi_fft_create(&delta, &v->grid, 1, error);
  if (!status) status = sfmi_fft_create(&density, &v->grid, 1, error);
  if (!status) {
    double complex *a = sfmi_fft_data(delta), *b = sfmi_fft_data(density);
    fold(v, epsilons[0], a, b);
    const double mean = n->step / (2 * M_PI);
    const double off = mean * fourier_error(a, v->grid), more = mean * fourier_error(b, v->grid);
    sfmi_fft_forward(delta);
    sfmi_fft_forward(density);
    /* A cell is a sum of at most so many nodes. */
    const double cell = UNIT * (double)(SFMI_NODES_MAX / v->grid + 1);
    for (size_t i = 0; i < count; i++) {
      const double place = 16 * UNIT * epsilons[i]; /* from the transform's own points */
      const sums at = {mean * creal(a[i]), 0, mean * creal(b[i]),
                       off + place * n->size_turn + cell * n->size,
                       more + place * n->density_turn + cell * n->density};
      enclose(v, epsilons[i], &at, &ends[i]);
      ends[i].slope = 0;
    }
  }
  sfmi_fft_destroy(delta);
  sfmi_fft_destroy(density);
  return status;
}
