#include "fourier_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "estimators/sums/torus_sensitivity.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"
#include "releases/core/release_data.h"

/* Largest |psi|_1 on one axis, and largest distance of two, as straight lines through what
 * torus_sensitivity.h finds: within half a percent from FEW frequencies on, as long as the domain
 * holds CYCLES of the highest.  Pairs of more than MANY are not searched. */
static const double SINGLE[2] = {0.2, 1.8504}, PAIR[2] = {1.25, 2.78}, CYCLES = 2;
static const size_t FEW = 7, MANY = 300;

/* Numbers of frequencies to choose from: all up to this one, then in growing steps up to MANY,
 * where lattices have long been better. */
static const size_t ALL_UP_TO = 16;
static const double RATIO = 1.06;

bool sfmi_fourier_terms_method(sfm_density_method method) {
  return method == SFM_DENSITY_FOURIER_LAPLACE || method == SFM_DENSITY_CARATHEODORY;
}

static bool hull(const sfm_density_settings *settings) {
  return settings->method == SFM_DENSITY_CARATHEODORY && settings->body == SFM_DENSITY_BODY_HULL;
}

/* Settings that belong to another method than the one that is asked for. */
static sfm_status check_foreign(const sfm_density_settings *settings, sfm_error *error) {
  if (settings->terms && !sfmi_fourier_terms_method(settings->method))
    return sfmi_fail(
        error, SFM_INVALID,
        "a number of frequencies belongs to settings.method = fourier-laplace and to "
        "settings.method = caratheodory: add one of them, or leave out settings.terms");
  if (settings->body != SFM_DENSITY_BODY_EXACT && settings->method != SFM_DENSITY_CARATHEODORY)
    return sfmi_fail(
        error, SFM_INVALID,
        "a body belongs to settings.method = caratheodory: add it, or leave out settings.body");
  return SFM_OK;
}

static sfm_status check_terms(const sfm_density_settings *settings, sfm_error *error) {
  if (settings->terms > SFMI_VERBLUNSKY_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "at most %zu frequencies per column are possible, not %zu: write fewer "
                     "settings.terms, or leave them out for the number of least predicted error",
                     SFMI_VERBLUNSKY_MAX, settings->terms);
  if (hull(settings) && settings->terms > SFMI_MOMENT_HULL_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.body = hull is drawn by a walk that would take too long beyond %zu frequencies, "
        "and %zu were asked for: write fewer settings.terms, or use settings.body = exact, "
        "settings.method = lattice or settings.method = fourier-laplace",
        SFMI_MOMENT_HULL_MAX, settings->terms);
  return SFM_OK;
}

sfm_status sfmi_fourier_terms_check(const sfm_density_settings *settings, sfm_error *error) {
  sfm_status status = check_foreign(settings, error);
  if (status || !sfmi_fourier_terms_method(settings->method)) return status;
  if (settings->method == SFM_DENSITY_CARATHEODORY && settings->dimension > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "caratheodory is for one column, not %zu: for more neither a way to draw its "
                     "noise nor a bound on what a row moves is known; use settings.method = "
                     "lattice or settings.method = fourier-laplace",
                     settings->dimension);
  if (settings->dimension > SFMI_LATTICE_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "fourier-laplace is for up to %d columns, not %zu; use fewer, or random "
                     "features: settings.method = gp with a settings.delta such as 1e-6",
                     SFMI_LATTICE_DIMENSIONS, settings->dimension);
  if (sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "method %s takes the number of records as public: use schema.neighbours = "
                     "replace, or settings.method = lattice, which has add-remove neighbours",
                     sfm_density_method_name(settings->method));
  for (size_t a = 0; settings->boundary && a < settings->dimension; a++)
    if (settings->boundary[a] == SFM_BOUNDARY_REFLECT)
      return sfmi_fail(error, SFM_INVALID,
                       "method %s has the boundaries open and periodic, and not reflect, which "
                       "\"%s\" has: use settings.method = lattice, or another settings.boundary",
                       sfm_density_method_name(settings->method), settings->columns[a]);
  return check_terms(settings, error);
}

/* ---- frequencies along the axes ---- */

/* An axis: its torus, how many frequencies are not negligible, and running sums of lambda^2. */
typedef struct axis_sums {
  sfmi_torus torus; /* its terms are those of the candidate that is looked at */
  double width;
  size_t need;
  double *squares; /* sum over 0 < |j| <= i of lambda_j^2, i = 0..need */
  double whole;    /* int K^2, on the line, and where a wide kernel wraps */
} axis_sums;

/* The density of one column with the frequencies up to `done`, T p, at nodes; and of T p - K p the
 * integrals against K p, itself and p for every number of frequencies so far. */
typedef struct axis_shape {
  sfmi_axis_quadrature nodes;
  double *value, *cosine, *sine, *turn; /* turn: cosines, then sines, of one frequency's step */
  double *smooth, *own, *against;       /* <K p, .>, <., .>, <p, .> by the number of frequencies */
  size_t done;
  double pp, pk, kk;
} axis_shape;

struct sfmi_fourier_terms {
  sfmi_fourier_terms_question q;
  size_t dimension, lead, count;
  size_t *lists; /* frequencies along the leading axis */
  axis_sums axes[SFMI_LATTICE_DIMENSIONS];
  axis_shape *shapes; /* per problem and axis; NULL: a pilot of several columns */
  sfmi_pilot_grid *grid;
  double *smoothed; /* of a pilot */
  double pp, kk;    /* of it */
  sfmi_arena arena;
};

static bool wraps(const sfmi_design_density *design, size_t a) {
  return design->boundary[a] == SFM_BOUNDARY_PERIODIC;
}

static bool symmetric(const sfmi_fourier_terms *s) {
  return s->q.method == SFM_DENSITY_CARATHEODORY && s->q.body == SFM_DENSITY_BODY_HULL;
}

/* Periods in bandwidths: how many frequencies an axis wants. */
static double reach_of(const sfmi_torus *torus) {
  return torus->period / torus->h;
}

static sfm_status open_axis(sfmi_fourier_terms *s, size_t a, sfm_error *error) {
  static const double CUT = 1e-9;
  const sfmi_design_density *design = s->q.design;
  axis_sums *axis = &s->axes[a];
  axis->width = design->upper[a] - design->lower[a];
  sfmi_torus_lay(&axis->torus, design->lower[a], design->upper[a], s->q.bandwidth[a],
                 wraps(design, a), 0);
  const double need = sqrt(-log(CUT) / 2) / M_PI * reach_of(&axis->torus);
  axis->need = need < (double)SFMI_VERBLUNSKY_MAX ? (size_t)fmax(need, 1) : SFMI_VERBLUNSKY_MAX;
  axis->squares = sfmi_arena_doubles(&s->arena, axis->need + 1);
  if (!axis->squares) return sfmi_fail_memory(error);
  for (size_t j = 1; j <= axis->need; j++) {
    const double lambda = sfmi_torus_lambda(&axis->torus, j);
    axis->squares[j] = axis->squares[j - 1] + 2 * lambda * lambda;
  }
  axis->whole = fmax(sfmi_kde_square_line(axis->torus.h),
                     (1 + axis->squares[axis->need]) / axis->torus.period);
  if (reach_of(&axis->torus) > reach_of(&s->axes[s->lead].torus)) s->lead = a;
  return SFM_OK;
}

/* Frequencies of axis a where the leading axis has m; terms: as they were asked for, along all. */
static size_t terms_along(const sfmi_torus *torus, const sfmi_torus *lead, size_t m, size_t terms) {
  return terms ? terms : (size_t)fmax(round((double)m / reach_of(lead) * reach_of(torus)), 1);
}

static void look_at(sfmi_fourier_terms *s, size_t i) {
  for (size_t a = 0; a < s->dimension; a++)
    s->axes[a].torus.terms =
        terms_along(&s->axes[a].torus, &s->axes[s->lead].torus, s->lists[i], s->q.terms);
}

static sfm_status fill_list(sfmi_fourier_terms *s, sfm_error *error) {
  const size_t need = s->axes[s->lead].need, limit = symmetric(s) ? SFMI_MOMENT_HULL_MAX : MANY,
               most = need < limit ? need : limit;
  s->lists = sfmi_arena_get(&s->arena, s->q.terms ? 1 : most, sizeof *s->lists);
  if (!s->lists) return sfmi_fail_memory(error);
  if (s->q.terms) {
    s->lists[s->count++] = s->q.terms;
    return SFM_OK;
  }
  for (size_t m = 1; m <= most; m = m < ALL_UP_TO ? m + 1 : (size_t)ceil((double)m * RATIO))
    s->lists[s->count++] = m;
  return SFM_OK;
}

/* Frequencies beyond what is needed are ignored. */
static size_t terms_of(const axis_sums *axis) {
  return axis->torus.terms < axis->need ? axis->torus.terms : axis->need;
}

/* The sum of lambda^2, that of the constant with it. */
static double squares_of(const axis_sums *axis) {
  return 1 + axis->squares[terms_of(axis)];
}

/* ---- the noise ---- */

/* The second moment of one real coordinate of frequency k in the body: that of K_m is 1/(4m - 3(k -
 * 1)) exactly at k = 1 and nearly elsewhere (docs/papers.md, E6b: off by 2.5 % at m = 5, 14 % at m
 * = 100); that of the hull is a fit to walks of up to 14 frequencies, within 6 %. */
static double second_moment(bool symmetric, size_t m, size_t k) {
  const double d = (double)m;
  if (!symmetric || m == 1) return 1 / (4 * d - 3 * ((double)k - 1));
  return (0.58 - 0.33 / d + (0.4 - 0.8 / d) * ((double)k - 1) / (d - 1)) / d;
}

/* The variance of the noise at a point, in squared records, where a row moves 1 at an
 * epsilon of 1. */
static double variance(const sfmi_fourier_terms *s) {
  static const double LEAST = 1e-30; /* above zero also for kernels that are flat */
  const axis_sums *first = &s->axes[0];
  const size_t m = first->torus.terms;
  double one[SFMI_LATTICE_DIMENSIONS], rest[SFMI_LATTICE_DIMENSIONS], sum = 0;
  if (s->q.method == SFM_DENSITY_FOURIER_LAPLACE) {
    for (size_t a = 0; a < s->dimension; a++) {
      one[a] = 1;
      rest[a] = s->axes[a].squares[terms_of(&s->axes[a])];
    }
    return fmax(2 * sfmi_first_difference(one, rest, s->dimension), LEAST);
  }
  for (size_t k = 1; k <= m && k <= first->need; k++) {
    const double lambda = sfmi_torus_lambda(&first->torus, k);
    sum += 4 * lambda * lambda * second_moment(symmetric(s), m, k);
  }
  return fmax((double)(2 * m + 1) * (double)(2 * m + 2) * sum, LEAST);
}

/* Whether an axis has too few frequencies for the straight lines above. */
static bool few(const axis_sums *axis) {
  const double m = (double)axis->torus.terms;
  return axis->torus.terms < FEW ||
         (m * axis->width < CYCLES * axis->torus.period && axis->torus.terms <= MANY);
}

/* What a row moves, about. */
static sfm_status moves(const sfmi_fourier_terms *s, double *out, sfm_error *error) {
  const double m = (double)s->axes[0].torus.terms;
  double product = 1;
  if (s->q.method == SFM_DENSITY_CARATHEODORY) {
    *out = symmetric(s) ? 2 * sfmi_moment_hull_excess(s->axes[0].torus.terms) : m + 1;
    return SFM_OK;
  }
  if (s->dimension == 1) {
    if (few(&s->axes[0]))
      return sfmi_torus_l1_diameter(out, &s->axes[0].torus, s->axes[0].width, error);
    *out = s->axes[0].torus.terms > MANY ? 2 * (SINGLE[0] + SINGLE[1] * m) : PAIR[0] + PAIR[1] * m;
    return SFM_OK;
  }
  for (size_t a = 0; a < s->dimension; a++) {
    const axis_sums *axis = &s->axes[a];
    product *= 1 + (few(axis) ? sfmi_torus_l1_norm(&axis->torus, axis->width)
                              : SINGLE[0] + SINGLE[1] * (double)axis->torus.terms);
  }
  *out = 2 * (product - 1);
  return SFM_OK;
}

sfm_status sfmi_fourier_terms_noise(sfmi_fourier_terms *s, double *noise, size_t i,
                                    sfm_error *error) {
  double moved;
  look_at(s, i);
  sfm_status status = moves(s, &moved, error);
  if (status) return status;
  moved *= s->q.design->contributions;
  *noise = variance(s) * moved * moved;
  for (size_t a = 0; a < s->dimension; a++) {
    const axis_sums *axis = &s->axes[a];
    *noise *= axis->width / (axis->torus.period * axis->torus.period);
  }
  return SFM_OK;
}

/* ---- the shape without its higher frequencies ---- */

static sfm_status open_shape(sfmi_fourier_terms *s, size_t v, size_t a, sfm_error *error) {
  axis_shape *shape = &s->shapes[v * s->dimension + a];
  const axis_sums *axis = &s->axes[a];
  const size_t last = s->lists[s->count - 1], most = last < axis->need ? last : axis->need;
  sfm_status status =
      sfmi_axis_quadrature_init(&shape->nodes, &s->q.problems[v], a, s->q.bandwidth[a],
                                axis->torus.period / (double)most, &s->arena, error);
  if (status) return status;
  const size_t count = shape->nodes.count;
  sfmi_arena_arrays(&s->arena, count,
                    (double **[]){&shape->value, &shape->cosine, &shape->sine, NULL});
  shape->turn = sfmi_arena_doubles(&s->arena, 2 * count);
  sfmi_arena_arrays(&s->arena, most + 1,
                    (double **[]){&shape->smooth, &shape->own, &shape->against, NULL});
  if (s->arena.failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    const double p = shape->nodes.density[i], k = shape->nodes.smoothed[i],
                 w = shape->nodes.weights[i];
    const double u = (shape->nodes.places[i] - s->q.problems[v].lower[a]) / axis->torus.period;
    shape->value[i] = 1 / axis->torus.period;
    shape->cosine[i] = 1;
    shape->turn[i] = cos(2 * M_PI * u);
    shape->turn[count + i] = sin(2 * M_PI * u);
    shape->pp += w * p * p;
    shape->pk += w * p * k;
    shape->kk += w * k * k;
  }
  return SFM_OK;
}

/* Adds frequencies until there are m. */
static void extend(axis_shape *shape, const sfmi_torus *torus, size_t m) {
  const sfmi_axis_quadrature *n = &shape->nodes;
  while (shape->done < m) {
    const size_t j = ++shape->done;
    const double size = 2 * sfmi_torus_lambda(torus, j) / torus->period;
    double even = 0, odd = 0, smooth = 0, own = 0, against = 0;
    for (size_t i = 0; i < n->count; i++) {
      const double c = shape->cosine[i], s = shape->sine[i], tc = shape->turn[i],
                   ts = shape->turn[n->count + i];
      shape->cosine[i] = c * tc - s * ts;
      shape->sine[i] = c * ts + s * tc;
      even += n->weights[i] * n->density[i] * shape->cosine[i];
      odd += n->weights[i] * n->density[i] * shape->sine[i];
    }
    for (size_t i = 0; i < n->count; i++) {
      shape->value[i] += size * (even * shape->cosine[i] + odd * shape->sine[i]);
      const double w = n->weights[i], off = shape->value[i] - n->smoothed[i];
      smooth += w * n->smoothed[i] * off;
      own += w * off * off;
      against += w * n->density[i] * off;
    }
    shape->smooth[j] = smooth;
    shape->own[j] = own;
    shape->against[j] = against;
  }
}

/* The laws of the candidate looked at, where columns are independent, for one problem. */
static void product_laws(sfmi_fourier_terms *s, sfmi_density_errors *out, size_t v, double inside) {
  double kk[SFMI_LATTICE_DIMENSIONS], smooth[SFMI_LATTICE_DIMENSIONS], own[SFMI_LATTICE_DIMENSIONS],
      pp[SFMI_LATTICE_DIMENSIONS], first[SFMI_LATTICE_DIMENSIONS], second[SFMI_LATTICE_DIMENSIONS],
      kept = inside, square = 1;
  for (size_t a = 0; a < s->dimension; a++) {
    const axis_sums *axis = &s->axes[a];
    axis_shape *shape = &s->shapes[v * s->dimension + a];
    const size_t m = terms_of(axis);
    extend(shape, &axis->torus, m);
    kk[a] = shape->kk;
    smooth[a] = shape->smooth[m];
    own[a] = shape->own[m];
    pp[a] = shape->pp;
    first[a] = shape->pk - shape->pp + shape->against[m];
    const double tt = kk[a] + 2 * smooth[a] + own[a];
    second[a] = fmax(tt - shape->pp - 2 * first[a], 0);
    kept *= squares_of(axis) / axis->torus.period;
    square *= tt;
  }
  out->cut_law = fmax(sfmi_second_difference(kk, smooth, own, s->dimension), 0);
  out->bias = fmax(sfmi_second_difference(pp, first, second, s->dimension), 0);
  out->spread = fmax(kept - square, 0);
}

static sfm_status open_pilot(sfmi_fourier_terms *s, sfm_error *error) {
  double *matrices[3] = {0};
  s->grid = sfmi_arena_get(&s->arena, 1, sizeof *s->grid);
  sfm_status status = s->grid ? sfmi_pilot_grid_init(s->grid, s->q.problems, &s->arena, error)
                              : sfmi_fail_memory(error);
  if (status) return status;
  const size_t points = s->grid->points;
  s->smoothed = sfmi_arena_doubles(&s->arena, s->grid->length);
  for (size_t a = 0; a < s->dimension; a++) {
    matrices[a] = sfmi_arena_doubles(&s->arena, points * points);
    if (!matrices[a] || !s->smoothed) return sfmi_fail_memory(error);
    sfmi_pilot_grid_kernel(s->grid, s->q.problems, a, s->q.bandwidth[a], matrices[a]);
  }
  memcpy(s->smoothed, sfmi_pilot_grid_apply(s->grid, matrices), s->grid->length * sizeof(double));
  s->pp = sfmi_pilot_grid_inner(s->grid, s->grid->density, s->grid->density);
  s->kk = sfmi_pilot_grid_inner(s->grid, s->smoothed, s->smoothed);
  return SFM_OK;
}

/* The matrix of T along an axis of the pilot's grid. */
static void cut_matrix(const sfmi_fourier_terms *s, size_t a, double *matrix, double *line) {
  const axis_sums *axis = &s->axes[a];
  const size_t points = s->grid->points;
  const double step = axis->width / (double)(points - 1);
  const size_t m = terms_of(axis);
  for (size_t i = 0; i < points; i++) {
    line[i] = 1;
    for (size_t j = 1; j <= m; j++)
      line[i] += 2 * sfmi_torus_lambda(&axis->torus, j) *
                 cos(2 * M_PI * fmod((double)j * (double)i * step / axis->torus.period, 1));
  }
  for (size_t i = 0; i < points; i++)
    for (size_t j = 0; j < points; j++)
      matrix[i * points + j] =
          s->grid->weights[j] * step / axis->torus.period * line[i > j ? i - j : j - i];
}

/* The same as product_laws, of a pilot of several columns. */
static sfm_status pilot_laws(sfmi_fourier_terms *s, sfmi_density_errors *out, double inside,
                             sfm_error *error) {
  sfmi_arena arena = {0};
  double *matrices[3] = {0}, *line = sfmi_arena_doubles(&arena, s->grid->points);
  bool room = line != NULL;
  for (size_t a = 0; room && a < s->dimension; a++) {
    matrices[a] = sfmi_arena_doubles(&arena, s->grid->points * s->grid->points);
    room = matrices[a] != NULL;
    if (room) cut_matrix(s, a, matrices[a], line);
    inside *= squares_of(&s->axes[a]) / s->axes[a].torus.period;
  }
  if (room) {
    const double *t = sfmi_pilot_grid_apply(s->grid, matrices);
    const double tt = sfmi_pilot_grid_inner(s->grid, t, t);
    out->cut_law = fmax(tt - 2 * sfmi_pilot_grid_inner(s->grid, t, s->smoothed) + s->kk, 0);
    out->bias = fmax(tt - 2 * sfmi_pilot_grid_inner(s->grid, t, s->grid->density) + s->pp, 0);
    out->spread = fmax(inside - tt, 0);
  }
  sfmi_arena_clear(&arena);
  return room ? SFM_OK : sfmi_fail_memory(error);
}

/* int over the domain of what is cut off of a row, squared. */
static double lost_row(const sfmi_fourier_terms *s) {
  double whole[SFMI_LATTICE_DIMENSIONS], kept[SFMI_LATTICE_DIMENSIONS], inside = 1;
  for (size_t a = 0; a < s->dimension; a++) {
    kept[a] = squares_of(&s->axes[a]) / s->axes[a].torus.period;
    whole[a] = s->axes[a].whole;
    if (s->q.problem_count == 1) inside *= s->q.kde_risk->axis[a].inside;
  }
  return inside * sfmi_density_errors_truncation_row(whole, kept, s->dimension);
}

double sfmi_fourier_terms_truncation_row(sfmi_fourier_terms *s, size_t i) {
  look_at(s, i);
  return lost_row(s);
}

sfm_status sfmi_fourier_terms_errors(sfmi_fourier_terms *s, sfmi_density_errors *out, size_t i,
                                     sfm_error *error) {
  const sfmi_kde_risk *kde_risk = s->q.kde_risk;
  double whole[SFMI_LATTICE_DIMENSIONS], kept[SFMI_LATTICE_DIMENSIONS],
      width[SFMI_LATTICE_DIMENSIONS], inside = 1;
  *out = (sfmi_density_errors){0};
  sfm_status status = sfmi_fourier_terms_noise(s, &out->noise, i, error);
  if (status) return status;
  for (size_t a = 0; a < s->dimension; a++) {
    const axis_sums *axis = &s->axes[a];
    kept[a] = squares_of(axis) / axis->torus.period;
    whole[a] = axis->whole;
    width[a] = axis->width;
    inside *= kde_risk->axis[a].inside;
  }
  if (s->grid)
    status = pilot_laws(s, out, inside, error);
  else
    product_laws(s, out, 0, inside);
  /* int (T p - p)^2, less what smoothing alone does. */
  out->few = true;
  out->smoothing = kde_risk->smoothing;
  out->missed = fmax(out->bias - kde_risk->smoothing, 0);
  out->cut_bare = out->cut_law;
  for (size_t v = 1; v < s->q.problem_count; v++) {
    sfmi_density_errors other = {0};
    product_laws(s, &other, v, inside);
    out->cut_law = fmax(out->cut_law, other.cut_law);
    out->missed = fmax(out->missed, other.cut_law);
  }
  const bool robust = s->q.problem_count > 1;
  if (robust) {
    const double heaps = sfmi_density_errors_truncation(whole, kept, width, s->dimension);
    out->cut_law = fmax(out->cut_law, heaps);
    out->missed = fmax(out->missed, heaps);
  }
  out->cut_row = fmax(lost_row(s) - out->cut_law, 0);
  out->row = out->spread;
  return status;
}

void sfmi_fourier_terms_shape_errors(sfmi_fourier_terms *s, sfmi_density_errors *out, size_t i,
                                     size_t problem) {
  double inside = 1;
  look_at(s, i);
  for (size_t a = 0; a < s->dimension; a++) inside *= s->q.kde_risk[problem].axis[a].inside;
  const double law = out->cut_law;
  product_laws(s, out, problem, inside);
  out->cut_bare = out->cut_law;
  out->cut_law = law;
}

/* ---- what may be asked of it ---- */

sfm_status sfmi_fourier_terms_create(sfmi_fourier_terms **out,
                                     const sfmi_fourier_terms_question *question,
                                     sfm_error *error) {
  sfmi_fourier_terms *s = sfmi_alloc(1, sizeof *s);
  *out = NULL;
  if (!s) return sfmi_fail_memory(error);
  s->q = *question;
  s->dimension = question->design->dimension;
  sfm_status status = SFM_OK;
  for (size_t a = 0; a < s->dimension && !status; a++) status = open_axis(s, a, error);
  if (!status) status = fill_list(s, error);
  const bool product = sfmi_shape_model_is_product(question->problems->shape_model);
  const size_t shapes = question->problem_count * s->dimension;
  if (!status && product) {
    s->shapes = sfmi_arena_get(&s->arena, shapes, sizeof *s->shapes);
    if (!s->shapes) status = sfmi_fail_memory(error);
  }
  for (size_t i = 0; i < shapes && !status && product; i++)
    status = open_shape(s, i / s->dimension, i % s->dimension, error);
  if (!status && !product) status = open_pilot(s, error);
  if (!status)
    *out = s;
  else
    sfmi_fourier_terms_destroy(s);
  return status;
}

void sfmi_fourier_terms_destroy(sfmi_fourier_terms *s) {
  if (!s) return;
  sfmi_arena_clear(&s->arena);
  free(s);
}

size_t sfmi_fourier_terms_count(const sfmi_fourier_terms *s) {
  return s->count;
}

size_t sfmi_fourier_terms_at(sfmi_fourier_terms *s, size_t i) {
  return s->lists[i];
}

size_t sfmi_fourier_terms_along(sfmi_fourier_terms *s, size_t i, size_t a) {
  look_at(s, i);
  return s->axes[a].torus.terms;
}

static bool spectrum_fits(const sfmi_torus_sums *spectrum) {
  return spectrum->length <= SFMI_RELEASE_MAX && spectrum->lattice.length <= SFMI_PADDED_MAX;
}

/* The tori of a design, laid for the frequencies. */
static void lay(sfmi_torus_sums *spectrum, const sfmi_design_density *design,
                const double *bandwidth, size_t lead, size_t terms, double rows) {
  sfmi_torus tori[SFM_MAX_DIMENSION];
  size_t leader = 0;
  for (size_t a = 0; a < design->dimension; a++) {
    sfmi_torus_lay(&tori[a], design->lower[a], design->upper[a], bandwidth[a], wraps(design, a), 0);
    if (reach_of(&tori[a]) > reach_of(&tori[leader])) leader = a;
  }
  const sfmi_torus longest = tori[leader];
  for (size_t a = 0; a < design->dimension; a++)
    sfmi_torus_lay(&tori[a], design->lower[a], design->upper[a], bandwidth[a], wraps(design, a),
                   terms_along(&tori[a], &longest, lead, terms));
  sfmi_torus_sums_init_flat(spectrum, design->lower, design->upper, tori, design->dimension, rows);
}

bool sfmi_fourier_terms_fits(sfmi_fourier_terms *s, size_t i) {
  sfmi_torus_sums spectrum;
  lay(&spectrum, s->q.design, s->q.bandwidth, s->lists[i], s->q.terms, 1);
  return spectrum_fits(&spectrum);
}

/* ---- what one row moves ---- */

static sfm_status find_sensitivity(sfmi_design_density *design, sfm_error *error) {
  const sfmi_torus_sums *s = &design->spectrum;
  double one = 1;
  sfm_status status = SFM_OK;
  if (design->method == SFM_DENSITY_CARATHEODORY) {
    /* Both rows' moments are off by slip/sqrt2 in l1, and the gauge is at most twice that norm. */
    const size_t m = s->torus[0].terms;
    const double slips = 2 * M_SQRT2 * s->slip[0];
    one = design->body == SFM_DENSITY_BODY_HULL ? (2 + slips) * sfmi_moment_hull_excess(m)
                                                : (double)m + 1 + slips;
  } else if (design->dimension == 1) {
    status = sfmi_torus_l1_diameter(&one, &s->torus[0], design->upper[0] - design->lower[0], error);
    one += 2 * s->slip[0];
  } else {
    for (size_t a = 0; a < design->dimension; a++)
      one *= 1 + s->slip[a] + sfmi_torus_l1_norm(&s->torus[a], design->upper[a] - design->lower[a]);
    one = 2 * (one - 1);
  }
  design->movement = one * (1 + 1e-12) * design->contributions;
  return status;
}

sfm_status sfmi_fourier_terms_design(sfmi_design_density *design, size_t lead, size_t terms,
                                     double rows, sfm_error *error) {
  lay(&design->spectrum, design, design->bandwidth, lead, terms, rows);
  const sfmi_torus_sums *s = &design->spectrum;
  if (!spectrum_fits(s))
    return sfmi_fail(error, SFM_INVALID,
                     "method fourier-laplace would need %zu coefficients and a grid of %zu points; "
                     "at most %zu and %zu fit; use %s or settings.method = lattice",
                     s->length, s->lattice.length, SFMI_RELEASE_MAX, SFMI_PADDED_MAX,
                     terms > 1 ? "fewer settings.terms" : "fewer columns");
  return find_sensitivity(design, error);
}
