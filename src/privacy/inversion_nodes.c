#include "inversion_nodes.h"

#include <stdlib.h>

#define UNIT 0x1p-53
/* What is cut off, relative to what the nodes add up to: so much, or this part of the width that
 * smoothing makes. */
#define CUT 1e-14
#define CUT_PART 0.01
/* lambda (lambda + 1) smoothing is about the relative width of delta: hardly any at first, tried
 * with few blocks; if the factors do not fall off by themselves, more. */
#define SMOOTHING_LEAST 1e-13
#define SMOOTHING_RATIO 100
#define BLOCKS_FEW 32
/* What the nodes may cost together, in multiplications, and for how many laws times blocks it is
 * found out which are negligible. */
#define NODES_MIN ((size_t)1 << 12)
#define WORK_MAX 1.5e8
#define SCAN_MAX 1e7
/* Rounding of kernel, normal factor, turning and adding a block, relative to each node's weight. */
#define NODE_ERROR (512 * UNIT)

static double log_weight(const sfmi_inversion_nodes *v, double theta) {
  return -v->variance * theta * theta / 2;
}

/* Upper bounds of the integrals from theta on of |weight| and of |z (z + 1) weight|. */
static double tail_density(const sfmi_inversion_nodes *v, double theta) {
  const double full = sqrt(M_PI / 2 / v->variance), far = 1 / (v->variance * theta);
  return 1.0001 * exp(log_weight(v, theta)) * fmin(full, far);
}

static double tail(const sfmi_inversion_nodes *v, double theta) {
  const double far = fmin(1 / theta, 1 / (v->variance * theta * theta * theta));
  const double near = tail_density(v, theta) / (v->lambda * (v->lambda + 1));
  return fmin(1.0001 * exp(log_weight(v, theta)) * far, near);
}

/* An upper bound of |product of the factors| over [from, to]. */
static double factor_bound(const sfmi_inversion_nodes *v, double from, double to) {
  double sum = 0;
  if (v->split) /* every term of the product has at least one density in it */
    return 1.0001 * exp(v->log_atomic) * expm1(v->total->laplaces * log1p(0.5 / from));
  for (size_t i = 0; i < v->total->count && sum > -1000; i++)
    sum += (double)v->tilts[i].count * sfmi_tilt_log_bound(&v->tilts[i], from, to);
  return 1.0001 * exp(sum);
}

static bool add_block(sfmi_inversion_nodes *v, size_t block) {
  if (v->count == v->room) {
    const size_t room = v->room ? 2 * v->room : 64;
    size_t *blocks = realloc(v->blocks, room * sizeof *blocks);
    if (!blocks) return false;
    v->blocks = blocks;
    v->room = room;
  }
  v->blocks[v->count++] = block;
  return true;
}

/* Where the normal factor alone ends the sum, for a cut of `most`. */
static double last_theta(const sfmi_inversion_nodes *v, double most) {
  double theta = 1 / sqrt(v->variance);
  while (tail(v, theta) / M_PI > most) theta *= 1.05;
  return theta;
}

/* How much may be cut off. */
static double cut_of(const sfmi_inversion_nodes *v) {
  const double width = v->smoothing * v->lambda * (v->lambda + 1);
  return fmax(CUT, CUT_PART * fmin(width, 1)) * v->scale;
}

typedef enum outcome { DONE, TOO_LONG, NO_MEMORY } outcome;

/* Whether everything beyond theta is negligible, against `most`; end is from last_theta. */
static bool ends_here(sfmi_inversion_nodes *v, double theta, double end, double most) {
  const bool last = theta >= end;
  const double bound = last ? 1 : factor_bound(v, theta, end);
  double rest = bound * tail(v, theta), density = bound * tail_density(v, theta);
  if (!last && !v->split) { /* the factors were bounded up to end only */
    rest += tail(v, end);
    density += tail_density(v, end);
  }
  if (!last && !(rest / M_PI <= most)) return false;
  v->cut += rest / M_PI;
  v->cut_density += density / M_PI;
  return true;
}

/* Whether the nodes from..to, a block, are negligible against `most`. */
static bool is_empty(sfmi_inversion_nodes *v, double from, double to, double most) {
  const double nodes = SFMI_NODE_BLOCK * v->step / M_PI;
  const double bound = 1.0001 * nodes * factor_bound(v, from, to) * exp(log_weight(v, from));
  if (!(bound / (from * from) <= most)) return false;
  v->cut += bound / (from * from);
  v->cut_density += bound;
  return true;
}

/* Chooses the blocks: leaves out those that are certainly negligible, ends when all that follow
 * are.  TOO_LONG: not within blocks_max of them, or full_max that are not left out. */
static outcome plan(sfmi_inversion_nodes *v, size_t blocks_max, size_t full_max) {
  const double most = cut_of(v), end = last_theta(v, most / 4);
  v->count = 0;
  v->cut = v->cut_density = 0;
  for (size_t b = 0, test = 0; b < blocks_max; b++) {
    const double from = (double)(b * SFMI_NODE_BLOCK) * v->step;
    const double to = (double)(b * SFMI_NODE_BLOCK + SFMI_NODE_BLOCK - 1) * v->step;
    if (b == 0 || !is_empty(v, from, to, most / 4 / (double)blocks_max)) {
      if (v->count == full_max) return TOO_LONG;
      if (!add_block(v, b)) return NO_MEMORY;
    }
    if (b < test && to < end) continue;
    if (ends_here(v, to, end, most / 2)) return DONE;
    test = b + 1 + b / 8;
  }
  return TOO_LONG;
}

/* 1/(z (z + 1)) times the normal factor, at every node. */
static void set_weights(sfmi_inversion_nodes *v) {
  const double l = v->lambda;
  long double size = 0, turn = 0, density = 0, density_turn = 0;
  for (size_t i = 0; i < v->count; i++)
    for (size_t t = 0; t < SFMI_NODE_BLOCK; t++) {
      const size_t at = i * SFMI_NODE_BLOCK + t, j = v->blocks[i] * SFMI_NODE_BLOCK + t;
      const double theta = v->step * (double)j, normal = exp(log_weight(v, theta));
      const double x = l * (l + 1) - theta * theta, y = theta * (2 * l + 1);
      const double square = x * x + y * y, weight = normal / sqrt(square);
      v->re[at] = normal * x / square;
      v->im[at] = -normal * y / square;
      const double times = j ? 2 : 1;
      size += (long double)(times * weight);
      turn += (long double)(times * weight * theta);
      density += (long double)(times * normal);
      density_turn += (long double)(times * normal * theta);
    }
  const double mean = 1.0001 * v->step / (2 * M_PI);
  v->size = mean * (double)size;
  v->size_turn = mean * (double)turn;
  v->density = mean * (double)density;
  v->density_turn = mean * (double)density_turn;
}

/* re + i im, node by node, times the factors of one law. */
static void multiply_law(const sfmi_inversion_nodes *v, double *re, double *im,
                         const sfmi_tilt *tilt, bool atoms) {
  sfmi_phase_factors turns;
  sfmi_phase_factors_init(&turns, (sfmi_dd){tilt->parameter, 0}, v->step);
  for (size_t i = 0; i < v->count; i++)
    sfmi_tilt_multiply(re + i * SFMI_NODE_BLOCK, im + i * SFMI_NODE_BLOCK, tilt, &turns, v->step,
                       (double)(v->blocks[i] * SFMI_NODE_BLOCK), atoms);
}

/* Multiplies the nodes by (Laplace factors) - (their atoms). */
static bool multiply_split(sfmi_inversion_nodes *v) {
  const size_t nodes = v->count * SFMI_NODE_BLOCK;
  double *room = sfmi_alloc(4 * nodes, sizeof *room);
  if (!room) return false;
  double *all_re = room, *all_im = room + nodes, *re = room + 2 * nodes, *im = room + 3 * nodes;
  for (size_t k = 0; k < nodes; k++) all_re[k] = re[k] = 1;
  for (size_t i = 0; i < v->total->count; i++) {
    if (v->tilts[i].shape != SFMI_LAPLACE) continue;
    multiply_law(v, all_re, all_im, &v->tilts[i], false);
    multiply_law(v, re, im, &v->tilts[i], true);
  }
  for (size_t k = 0; k < nodes; k++) {
    const double x = all_re[k] - re[k], y = all_im[k] - im[k], weight = v->re[k];
    v->re[k] = weight * x - v->im[k] * y;
    v->im[k] = weight * y + v->im[k] * x;
  }
  free(room);
  return true;
}

static bool sample(sfmi_inversion_nodes *v) {
  const size_t nodes = v->count * SFMI_NODE_BLOCK;
  v->re = sfmi_alloc(nodes, sizeof *v->re);
  v->im = sfmi_alloc(nodes, sizeof *v->im);
  if (!v->re || !v->im) return false;
  set_weights(v);
  for (size_t i = 0; i < v->total->count; i++)
    if (!(v->split && v->tilts[i].shape == SFMI_LAPLACE))
      multiply_law(v, v->re, v->im, &v->tilts[i], false);
  return !v->split || multiply_split(v);
}

static void set_smoothing(sfmi_inversion_nodes *v, double smoothing) {
  const double l = v->lambda;
  v->smoothing = smoothing;
  v->variance = v->total->variance.hi + smoothing;
  const sfmi_dd variance = sfmi_dd_add(v->total->variance, (sfmi_dd){smoothing, 0});
  v->centre = sfmi_dd_scale(variance, l + 0.5);
  v->centre_size = v->centre.hi;
  for (size_t i = 0; i < v->total->count; i++) {
    if (v->tilts[i].shape != SFMI_LATTICE_NORMAL) continue;
    const double count = (double)v->tilts[i].count;
    v->centre = sfmi_dd_add(v->centre, sfmi_dd_scale(v->tilts[i].centre, count));
    /* The turn of its own factor counts too: it moves by a few sigma steps. */
    const double own = v->tilts[i].spacing.hi * (v->tilts[i].parameter + 1);
    v->centre_size += (v->tilts[i].centre.hi + own) * count;
  }
}

/* Smooths and plans: with almost no smoothing if the factors fall off by themselves, else with as
 * much as the wanted width, or the allowed work, asks for. */
static outcome choose_nodes(sfmi_inversion_nodes *v) {
  const double unit = 1 / (v->lambda * (v->lambda + 1));
  for (double width = SMOOTHING_LEAST; width <= SFMI_SMOOTHING; width *= SMOOTHING_RATIO) {
    set_smoothing(v, width * unit);
    const outcome found = plan(v, BLOCKS_FEW, BLOCKS_FEW);
    if (found != TOO_LONG) return found;
  }
  double work = 8;
  for (size_t i = 0; i < v->total->count; i++) work += sfmi_tilt_work(&v->tilts[i]);
  const double full = fmin(fmax(WORK_MAX / work, (double)NODES_MIN), (double)SFMI_NODES_MAX);
  const double scan = SFMI_NODE_BLOCK * SCAN_MAX / (double)(v->total->count + 1);
  const double most = fmin(fmax(scan, full), (double)SFMI_NODES_MAX);
  for (double smoothing = SFMI_SMOOTHING * unit;; smoothing *= 4) {
    set_smoothing(v, smoothing);
    if (last_theta(v, cut_of(v) / 4) > most * v->step) continue;
    const outcome found =
        plan(v, (size_t)(most / SFMI_NODE_BLOCK), (size_t)(full / SFMI_NODE_BLOCK));
    if (found != TOO_LONG) return found;
  }
}

/* What the factors of all laws add to the error of a node. */
static double factor_error(const sfmi_inversion_nodes *v) {
  double sum = 0;
  for (size_t i = 0; i < v->total->count; i++) sum += sfmi_tilt_error(&v->tilts[i]);
  return v->split ? 2 * sum : sum;
}

bool sfmi_inversion_nodes_fill(sfmi_inversion_nodes *v) {
  v->error = NODE_ERROR + factor_error(v);
  return choose_nodes(v) == DONE && sample(v);
}

void sfmi_inversion_nodes_clear(sfmi_inversion_nodes *nodes) {
  free(nodes->blocks);
  free(nodes->re);
  free(nodes->im);
  *nodes = (sfmi_inversion_nodes){0};
}
