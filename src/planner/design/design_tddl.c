#include "design_tddl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design_tddl_gram.h"
#include "design_train_map.h"
#include "base/math/linear_algebra.h"
#include "base/math/prng.h"
#include "base/math/quantile.h"
#include "base/math/ball_least_squares.h"
#include "estimators/machine/certificate.h"
#include "estimators/ascent/kernel_ascent.h"
#include "features/maps/torus_features.h"

/* Part of kappa^2 that is added to eigenvalues, and below which there is no fitting along one. */
static const double TAU = 0x1p-20, FLOOR = 0x1p-32;
/* The floor is this many times what the decomposition is off by: coordinates of w along what is
 * above it are longer than w by sqrt(1 + 1/this) at most. */
static const double CLEAR = 16;
/* The largest error of a few products and roots in doubles, as a factor. */
static const double ROUNDING = 1 + 1e-14;
/* Draws behind a stated distance, and numbers drawn for it at most. */
static const double DRAWS = 2000, DRAWS_MOST = 100000, DRAWN_MOST = 4e7;
enum { PUBLIC_SEED = 20263 };

/* ---- points ---- */

sfm_status sfmi_design_tddl_count(size_t *count, const sfm_train_settings *s, sfm_error *error) {
  if (s->public_count < 1)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.method = tddl is fitted at public points, which need no labels: state them with "
        "settings.public_cells, one number per feature, or as sparse rows if the rows are");
  if (!s->gram && !s->public_cells && !s->public_starts)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.public_cells is NULL, and settings.public_count is %zu",
                     s->public_count);
  if (s->public_points > SFM_PUBLIC_MOST)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.public_points: at most %d can be used, not %zu (their matrix is decomposed)",
        SFM_PUBLIC_MOST, s->public_points);
  if (s->public_points > s->public_count)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.public_points = %zu: there are %zu public points", s->public_points,
                     s->public_count);
  *count = s->public_points                             ? s->public_points
           : s->public_count < (size_t)SFM_PUBLIC_USUAL ? s->public_count
                                                        : (size_t)SFM_PUBLIC_USUAL;
  return SFM_OK;
}

sfm_status sfmi_design_tddl_check(const sfm_train_settings *s, sfm_error *error) {
  size_t count;
  if (s->method == SFM_TRAIN_TDDL) return sfmi_design_tddl_count(&count, s, error);
  if (s->gram || s->public_count || s->public_points || s->shape != SFM_NOISE_SHAPE_AUTO)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.public_cells, settings.public_points, settings.shape and "
                     "settings.gram are for settings.method = tddl: use that, or leave them out");
  return SFM_OK;
}

/* Points are encoded as rows are. */
static sfm_status take_points(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                              const sfm_train_settings *s, size_t count, sfm_error *error) {
  const size_t inputs = encoding->input_count;
  const size_t cells = s->features ? count * inputs : s->public_starts[count];
  sfm_status status = sfmi_feature_map_make_points(stated, count, cells + 1, error);
  for (size_t p = 0; p < count && !status; p++) {
    const size_t at = stated->point_starts[p];
    uint32_t *indices = stated->point_indices + at;
    double *u = stated->point_values + at;
    size_t found;
    if (s->features) {
      found = sfmi_encoding_row(encoding, indices, u, s->public_cells + p * inputs);
    } else {
      const size_t from = s->public_starts[p], width = s->public_starts[p + 1] - from;
      memcpy(indices, s->public_indices + from, width * sizeof *indices);
      memcpy(u, s->public_values + from, width * sizeof *u);
      found = sfmi_encoding_sparse(encoding, indices, u, width);
    }
    if (found == SFMI_NO_ROW)
      status = sfmi_fail(
          error, SFM_INVALID, "public point %zu has a cell without a value%s: leave it out", p + 1,
          encoding->drop ? ", or one outside its bounds (settings.outside = drop)" : "");
    else
      stated->point_starts[p + 1] = at + found;
  }
  return status;
}

sfm_status sfmi_design_tddl_map(sfmi_feature_map **map, const sfmi_encoding *encoding,
                                const sfm_train_settings *s, size_t count, sfm_error *error) {
  if (s->gram) return sfmi_tddl_gram_map(map, encoding, s, count, false, error);
  sfmi_feature_map stated = sfmi_design_train_stated(encoding, s, SFMI_FEATURE_MAP_POINTS);
  *map = NULL;
  const sfm_status status = take_points(&stated, encoding, s, count, error);
  if (!status) return sfmi_feature_map_create(map, &stated, error);
  sfmi_feature_map_clear(&stated);
  return status;
}

/* ---- their matrix ---- */

/* Computed kernels are off by sfmi_kernel_matrix_error.  Monomials are off by 5 p 2^-53 of
 * themselves (monomials.h): their products by 10 p 2^-53 kappa^2 and a little.  A torus agrees with
 * the kernel to 1e-14 an axis; of frequency j the angle is off by less than 32 j 2^-53 (a place on
 * the torus is rounded three times, its product with j once, 2 pi times over), of two points by

 * * twice that. */
double sfmi_design_tddl_entry_error(const sfmi_feature_map *points,
                                    const sfmi_feature_map *learns) {
  size_t widest = 0;
  for (size_t i = 0; i < points->point_count; i++)
    if (points->point_starts[i + 1] - points->point_starts[i] > widest)
      widest = points->point_starts[i + 1] - points->point_starts[i];
  const size_t both = 2 * widest < points->dimension ? 2 * widest : points->dimension;
  const double square = learns->kappa * learns->kappa;
  double off = sfmi_kernel_matrix_error(points, both, 1);
  if (learns->form == SFMI_FEATURE_MAP_MONOMIALS)
    off += 16 * learns->degree * SFMI_UNIT_ROUNDOFF * square;
  for (size_t a = 0; learns->form == SFMI_FEATURE_MAP_TORUS && a < learns->dimension; a++)
    off += (2e-14 + 64 * SFMI_UNIT_ROUNDOFF *
                        (double)(sfmi_torus_features_torus(learns->derived, a)->terms + 4)) *
           square;
  return off;
}

/* Of finite features: products are summed in two doubles, and rounded once; of the dual: as for
 * values at places (mechanisms/machines/train_problem.h). */
double sfmi_design_tddl_value_error(const sfmi_design_train *t, const sfmi_feature_map *learns) {
  if (learns->form != SFMI_FEATURE_MAP_POINTS)
    return 4 * SFMI_UNIT_ROUNDOFF * t->kappa * (t->reach + t->distance);
  const double more = 2 * t->distance * (t->kappa + sqrt(t->lambda));
  return sfmi_kernel_ascent_error(learns, t->rows, (t->lipschitz + more) / t->lambda);
}

/* ---- spectra ---- */

static void clear_spectrum(sfmi_gram_spectrum *of) {
  sfmi_whitening_destroy(of->whitening);
  free(of->means);
}

static double trace_of(const double *matrix, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += matrix[i * count + i];
  return sum;
}

/* The mean square over all `count` points of each function u_i'k(.)/sqrt(lambda_i), k that of the
 * first points. */
static sfm_status measure(sfmi_gram_spectrum *of, double *matrix, size_t count, double floor,
                          sfm_error *error) {
  const sfmi_whitening *w = of->whitening;
  const size_t some = w->count;
  double *values = sfmi_alloc(count * some, sizeof *values);
  if (!values) return sfmi_fail_memory(error);
  sfmi_block_subtract((sfmi_block){values, some}, (sfmi_block){matrix, count},
                      (sfmi_block){w->vectors, some}, count, some, some);
  for (size_t x = 0; x < count; x++)
    for (size_t i = 0; i < some; i++) of->means[i] += values[x * some + i] * values[x * some + i];
  for (size_t i = 0; i < some; i++)
    of->means[i] = w->values[i] > floor ? of->means[i] / w->values[i] / (double)count : 0;
  free(values);
  return SFM_OK;
}

/* Of the first `some` of `count` points. */
static sfm_status make_spectrum(sfmi_gram_spectrum *of, double *matrix, size_t count, size_t some,
                                double entry, double kappa, sfm_error *error) {
  double *block = some < count ? sfmi_alloc(some * some, sizeof *block) : NULL;
  of->means = sfmi_alloc(some, sizeof *of->means);
  if (!of->means || (some < count && !block)) {
    free(block);
    return sfmi_fail_memory(error);
  }
  for (size_t i = 0; block && i < some; i++)
    memcpy(block + i * some, matrix + i * count, some * sizeof *block);
  sfm_status status = sfmi_whitening_create(&of->whitening, block ? block : matrix, some, entry,
                                            TAU * kappa * kappa, error);
  free(block);
  of->total = trace_of(matrix, count) / (double)count;
  if (status) return status;
  if (some < count) return measure(of, matrix, count, CLEAR * of->whitening->residual, error);
  for (size_t i = 0; i < some; i++) of->means[i] = fmax(of->whitening->values[i], 0) / (double)some;
  return SFM_OK;
}

/* Pure noise on values themselves grows with their number: fewer may be better. */
static bool wants_halves(const sfm_train_settings *s) {
  return s->delta == 0 && s->public_points == 0 && s->shape != SFM_NOISE_SHAPE_KERNEL;
}

static sfm_status make_halves(sfmi_design_tddl *tddl, double *matrix, size_t count, double entry,
                              double kappa, sfm_error *error) {
  size_t halves = 0;
  sfm_status status = SFM_OK;
  for (size_t some = count / 2; some > 0; some /= 2) halves++;
  if (halves == 0) return SFM_OK;
  tddl->halves = sfmi_alloc(halves, sizeof *tddl->halves);
  if (!tddl->halves) return sfmi_fail_memory(error);
  for (size_t some = count / 2; some > 0 && !status; some /= 2)
    status =
        make_spectrum(&tddl->halves[tddl->half_count++], matrix, count, some, entry, kappa, error);
  return status;
}

/* Directions that can be fitted along: noise on others would be useless. */
static size_t useful(const sfmi_design_tddl *tddl) {
  const sfmi_whitening *w = tddl->whole.whitening;
  const double floor = fmax(tddl->least, CLEAR * w->residual);
  size_t count = 0;
  while (count < w->count && w->values[count] > floor) count++;
  return count;
}

static sfm_status fail_useless(const sfm_train_settings *s, sfm_error *error) {
  return s->gram
             ? sfmi_fail(error, SFM_INVALID,
                         "the public matrix is zero beside gram.kappa's square, %g: nothing can be "
                         "fitted at such points; give others, or the kappa of your kernel",
                         s->gram->kappa * s->gram->kappa)
             : sfmi_fail(error, SFM_INVALID,
                         "all public points are zero to this kernel: nothing can be fitted at "
                         "them; give others, or settings.constant = 1");
}

sfm_status sfmi_design_tddl_create(sfmi_design_tddl **out, const sfm_train_settings *s,
                                   double *matrix, size_t count, double entry, double kappa,
                                   sfm_error *error) {
  sfmi_design_tddl *tddl = *out = sfmi_alloc(1, sizeof *tddl);
  if (!tddl) return sfmi_fail_memory(error);
  tddl->least = FLOOR * kappa * kappa;
  sfm_status status = make_spectrum(&tddl->whole, matrix, count, count, entry, kappa, error);
  if (!status && wants_halves(s)) status = make_halves(tddl, matrix, count, entry, kappa, error);
  if (!status && useful(tddl) == 0) status = fail_useless(s, error);
  if (!status) return SFM_OK;
  sfmi_design_tddl_destroy(tddl);
  *out = NULL;
  return status;
}

void sfmi_design_tddl_destroy(sfmi_design_tddl *tddl) {
  if (!tddl) return;
  clear_spectrum(&tddl->whole);
  for (size_t i = 0; i < tddl->half_count; i++) clear_spectrum(&tddl->halves[i]);
  free(tddl->halves);
  free(tddl);
}

/* ---- choosing ---- */

/* How many eigenvalues among the first are large enough to fit along. */
static size_t kept_of(const sfmi_design_tddl_choice *c) {
  const sfmi_whitening *w = c->of->whitening;
  size_t kept = 0;
  while (kept < c->directions && w->values[kept] > c->floor) kept++;
  return kept;
}

/* The predicted error of the fit, for a machine drawn with variance q in every direction.  nu: the
 * multiplier of the ball for numbers of average size. */
static void predict(sfmi_design_tddl_choice *c, const sfmi_design_train *t, double *room) {
  const sfmi_whitening *w = c->of->whitening;
  const size_t kept = kept_of(c);
  double *roots = room, *sizes = room + kept, *b = room + 2 * kept, rest = c->of->total, sum = 0,
         squares = 0;
  const double q =
      fmin(1 / (t->kappa * t->kappa), c->radius * c->radius / (double)(kept > 1 ? kept : 1));
  const double variance = sfmi_design_vector_variance(&c->vector_design, c->vector.noise);
  for (size_t i = 0; i < kept; i++) {
    const double lambda = w->values[i];
    const double noise =
        variance * (c->shape == SFM_NOISE_SHAPE_KERNEL ? w->roots[i] * w->roots[i] : 1);
    roots[i] = sqrt(lambda);
    sizes[i] = sqrt(lambda * q + noise);
  }
  const double nu = sfmi_ball_least_squares(b, roots, sizes, kept, c->radius);
  for (size_t i = 0; i < kept; i++) {
    const double lambda = w->values[i], shrink = lambda / (lambda + nu);
    const double noise = sizes[i] * sizes[i] - lambda * q;
    const double part =
        c->of->means[i] * (shrink * shrink * noise / lambda + (1 - shrink) * (1 - shrink) * q);
    sum += part;
    squares += part * part;
    rest -= c->of->means[i];
  }
  sum += q * fmax(rest, 0);
  c->predicted = sqrt(sum);
  c->spread = (c->vector.noise == SFM_VECTOR_NOISE_NORMAL ? 2 : 5) * squares / (sum * sum);
}

/* Everything but what is predicted, of one shape, spectrum and number of directions. */
static sfmi_design_tddl_choice choice_of(const sfmi_design_tddl *tddl, const sfmi_gram_spectrum *of,
                                         sfm_noise_shape shape, size_t directions,
                                         const sfm_train_settings *s, const sfmi_design_train *t,
                                         double off, double epsilon, double mu) {
  const sfmi_whitening *w = of->whitening;
  const double length = (t->reach + t->distance) * ROUNDING;
  sfmi_design_tddl_choice c = {.shape = shape, .of = of, .directions = directions, .other = NAN};
  c.floor = fmax(tddl->least, CLEAR * w->residual);
  c.radius = length * sqrt(1 + 1 / CLEAR) * ROUNDING;
  c.off = off;
  const double each =
      shape == SFM_NOISE_SHAPE_KERNEL
          ? t->used + 2 * sfmi_whitening_off(w, directions, off, sqrt(w->largest) * length)
          : t->used * sqrt(w->largest) + 2 * sqrt((double)w->count) * off;
  c.sensitivity = sqrt((double)t->machines) * each * ROUNDING;
  c.vector = sfmi_design_train_vector(t, s);
  c.vector.sensitivity = c.sensitivity;
  c.vector.epsilon = epsilon;
  c.vector_design = sfmi_design_vector_of(&c.vector, t->machines * directions, mu);
  return c;
}

static void take_better(sfmi_design_tddl_choice *best, const sfmi_design_tddl_choice *c) {
  if (isnan(best->predicted) || c->predicted < best->predicted) *best = *c;
}

/* How many directions are next: all with normal noise, whose scale does not grow with them. */
static size_t next_directions(size_t now, size_t most) {
  const size_t next = now + (now + 3) / 4;
  return now == most ? most + 1 : next < most ? next : most;
}

/* The best of a shape; predicted is NaN where it is not asked for. */
static sfmi_design_tddl_choice best_of(const sfmi_design_tddl *tddl, sfm_noise_shape shape,
                                       const sfm_train_settings *s, const sfmi_design_train *t,
                                       double off, double epsilon, double mu, double *room) {
  const size_t most = useful(tddl);
  const bool normal = sfmi_design_train_noise(s) == SFM_VECTOR_NOISE_NORMAL;
  sfmi_design_tddl_choice best = {.predicted = NAN};
  if (s->shape != SFM_NOISE_SHAPE_AUTO && s->shape != shape) return best;
  for (size_t i = 0; shape == SFM_NOISE_SHAPE_ISOTROPIC && i <= tddl->half_count; i++) {
    const sfmi_gram_spectrum *of = i ? &tddl->halves[i - 1] : &tddl->whole;
    sfmi_design_tddl_choice c =
        choice_of(tddl, of, shape, of->whitening->count, s, t, off, epsilon, mu);
    predict(&c, t, room);
    take_better(&best, &c);
  }
  for (size_t r = normal ? most : 1; shape == SFM_NOISE_SHAPE_KERNEL && r <= most;
       r = next_directions(r, most)) {
    sfmi_design_tddl_choice c = choice_of(tddl, &tddl->whole, shape, r, s, t, off, epsilon, mu);
    predict(&c, t, room);
    take_better(&best, &c);
  }
  return best;
}

sfm_status sfmi_design_tddl_choose(sfmi_design_tddl_choice *choice, const sfmi_design_tddl *tddl,
                                   const sfm_train_settings *s, const sfmi_design_train *t,
                                   double off, double epsilon, double mu, sfm_error *error) {
  double *room = sfmi_alloc(3 * tddl->whole.whitening->count, sizeof *room);
  if (!room) return sfmi_fail_memory(error);
  const sfmi_design_tddl_choice kernel =
      best_of(tddl, SFM_NOISE_SHAPE_KERNEL, s, t, off, epsilon, mu, room);
  const sfmi_design_tddl_choice isotropic =
      best_of(tddl, SFM_NOISE_SHAPE_ISOTROPIC, s, t, off, epsilon, mu, room);
  free(room);
  const bool first = isnan(isotropic.predicted) || kernel.predicted <= isotropic.predicted;
  *choice = first ? kernel : isotropic;
  choice->other = first ? isotropic.predicted : kernel.predicted;
  return SFM_OK;
}

/* ---- fitting ---- */

/* u_i'v, or numbers in the unit of values. */
static double along(const sfmi_design_tddl_choice *c, const double *numbers, size_t i) {
  const sfmi_whitening *w = c->of->whitening;
  if (c->shape == SFM_NOISE_SHAPE_KERNEL) return numbers[i] * w->roots[i];
  double sum = 0;
  for (size_t j = 0; j < w->count; j++) sum += w->vectors[i * w->count + j] * numbers[j];
  return sum;
}

sfm_status sfmi_design_tddl_fit(double *coefficients, const sfmi_design_tddl_choice *c,
                                const double *numbers, sfm_error *error) {
  const sfmi_whitening *w = c->of->whitening;
  const size_t kept = kept_of(c);
  double *roots = sfmi_alloc(3 * kept + 1, sizeof *roots), *v = roots ? roots + kept : NULL,
         *b = roots ? roots + 2 * kept : NULL;
  if (!roots) return sfmi_fail_memory(error);
  for (size_t i = 0; i < kept; i++) {
    roots[i] = sqrt(w->values[i]);
    v[i] = along(c, numbers, i);
  }
  (void)sfmi_ball_least_squares(b, roots, v, kept, c->radius);
  memset(coefficients, 0, w->count * sizeof *coefficients);
  for (size_t i = 0; i < kept; i++)
    for (size_t j = 0; j < w->count; j++)
      coefficients[j] += w->vectors[i * w->count + j] * (b[i] / roots[i]);
  free(roots);
  return SFM_OK;
}

/* sqrt(sum a_i x_i^2) of noise x of scale one, with weights a. */
static double draw(const sfmi_design_tddl_choice *c, const double *weights, size_t count,
                   sfmi_prng *prng) {
  const sfm_vector_noise law = c->vector.noise;
  double sum = 0, square = 0;
  for (size_t i = 0; i < count; i++) {
    const double x =
        law == SFM_VECTOR_NOISE_LAPLACE ? sfmi_prng_laplace(prng) : sfmi_prng_normal(prng);
    sum += weights[i] * x * x;
    square += x * x;
  }
  if (law != SFM_VECTOR_NOISE_GAMMA) return sqrt(sum);
  /* of all machines' numbers one is this one's: a direction in them, and one radius */
  const double D = (double)c->vector_design.length, rest = D - (double)count,
               last = sfmi_prng_normal(prng);
  if (rest == 1) square += last * last;
  if (rest > 1) square += 2 * sfmi_prng_gamma(prng, rest / 2);
  return sfmi_prng_gamma(prng, D) * sqrt(sum / square);
}

/* Above the quantile of the draws, with probability 0.99. */
static double noise_within(const sfmi_design_tddl_choice *c, const double *weights, size_t count,
                           double confidence) {
  const double wanted = fmin(fmax(DRAWS, 40 / (1 - confidence)), DRAWS_MOST);
  const size_t draws = (size_t)fmin(wanted, DRAWN_MOST / (double)(count + 1));
  double *values = sfmi_alloc(draws, sizeof *values), quantile = INFINITY;
  sfmi_prng prng;
  if (!values) return INFINITY;
  sfmi_prng_init(&prng, PUBLIC_SEED);
  for (size_t i = 0; i < draws; i++) values[i] = draw(c, weights, count, &prng);
  quantile = sfmi_quantile_select(values, draws, confidence);
  free(values);
  return quantile;
}

/* The noise; what rounding to steps moves; the directions that are left out, along which no machine
 * within the ball has values larger than its length times the root of their eigenvalue; the solver;
 * what values are computed to. */
double sfmi_design_tddl_rms(const sfmi_design_tddl_choice *c, const sfmi_design_train *t,
                            double scale, double confidence) {
  const sfmi_whitening *w = c->of->whitening;
  const bool kernel = c->shape == SFM_NOISE_SHAPE_KERNEL;
  const size_t kept = kept_of(c), count = kernel ? kept : w->count;
  double *weights = sfmi_alloc(count + 1, sizeof *weights), sum = 0;
  if (!weights) return NAN;
  for (size_t i = 0; i < count; i++) sum += weights[i] = kernel ? w->roots[i] * w->roots[i] : 1;
  const double each = 1 - (1 - confidence) / (double)t->machines;
  const double noise = scale * noise_within(c, weights, count, each);
  free(weights);
  const double next = kept < w->count ? fmax(w->values[kept], 0) + w->residual : 0;
  const double T = sqrt((double)w->count);
  const double away = noise + c->vector_design.step * sqrt(sum) + c->radius * sqrt(next) +
                      t->distance * sqrt(w->largest) + 2 * c->off * T;
  const double rms = away / T * (1 + w->skew);
  return isfinite(rms) ? rms : NAN;
}
