#include "density_candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/normal_distribution.h"
#include "estimators/lattice/lattice_sensitivity.h"
#include "design_random_features.h"
#include "density_candidates_state.h"
#include "density_settings.h"
#include "gaussian_process.h"
#include "lattice_candidates.h"
#include "privacy/calibration.h"
#include "release_places.h"
#include "releases/core/release_data.h"

/* ---- what can be had ---- */

sfmi_candidates *sfmi_candidates_having(sfmi_candidates *all, sfmi_candidate_kind kind) {
  return all->open && !sfmi_candidate_kind_reflects(kind) ? all->open : all;
}

const char *sfmi_candidates_absent(const sfmi_candidates *candidates, sfmi_candidate_kind kind) {
  const bool elsewhere = candidates->open && !sfmi_candidate_kind_reflects(kind);
  return (elsewhere ? candidates->open : candidates)->absent[kind];
}

double sfmi_candidates_moved(const sfmi_candidates *candidates, sfmi_candidate_kind kind) {
  const double one = candidates->design.neighbours == SFM_NEIGHBOURS_REPLACE ? 2 : 1;
  return (kind == SFMI_CANDIDATE_NORMAL ? sqrt(one) : one) * candidates->design.contributions;
}

/* What only the numbers show: whether bits are enough, and places possible. */
static const char *why_not_numbers(sfmi_candidates *candidates, sfmi_candidate_kind kind,
                                   double rows) {
  const sfm_density_settings *s = candidates->settings;
  sfm_error ignored;
  if (sfmi_candidate_kind_lattice(kind)) {
    const double rate = kind == SFMI_CANDIDATE_NORMAL ? candidates->mu : s->epsilon;
    unsigned bits = 0;
    sfm_status status = sfmi_lattice_candidates_bits(&bits, &candidates->design, s->epsilon,
                                                     sfmi_candidates_moved(candidates, kind) / rate,
                                                     rows, &ignored);
    *(kind == SFMI_CANDIDATE_NORMAL ? &candidates->bits : &candidates->laplace_bits) = bits;
    return !status ? NULL : "has too few bits for so many records and so much noise";
  }
  if (kind != SFMI_CANDIDATE_SOBOLEV && kind != SFMI_CANDIDATE_PLACED) return NULL;
  sfmi_places places;
  sfm_status status =
      sfmi_places_choose(&places, s->dimension, candidates->design.lower, candidates->design.upper,
                         s->release_points, s->release_count, s->release_grid, &ignored);
  candidates->values = (double)places.count;
  return !status ? NULL : "cannot have its values at such points";
}

/* ---- noise ---- */

/* P(N > a) over the density at a. */
static double mills(double a) {
  static const double FAR = 6;
  double tail = a;
  if (a < FAR) return sfmi_normal_tail(a) * sqrt(2 * M_PI) * exp(a * a / 2);
  for (int k = 60; k > 0; k--) tail = a + k / tail;
  return 1 / tail;
}

/* The mu of normal noise at (epsilon, delta), quickly and to nine digits: for forecasts, not for
 * noise.  With a = epsilon/mu - mu/2 and b = a + mu, delta = density(a) (mills(a) - mills(b)). */
static double mu_estimate(double epsilon, double delta) {
  double low = log(1e-12), high = log(1e3);
  for (int i = 0; i < 80; i++) {
    const double middle = (low + high) / 2, mu = exp(middle), a = epsilon / mu - mu / 2;
    /* Far below zero the first tail is 1. */
    const double got = a < -30 ? 1 : exp(-a * a / 2) / sqrt(2 * M_PI) * (mills(a) - mills(a + mu));
    *(got < delta ? &low : &high) = middle;
  }
  return exp(low);
}

static double rate_of(const sfmi_candidates *candidates, sfmi_candidate_kind kind, double epsilon) {
  const sfm_density_settings *s = candidates->settings;
  if (!sfmi_candidate_kind_normal(kind)) return epsilon;
  if (epsilon == s->epsilon) return candidates->mu;
  /* The classical calibration ends at 1. */
  return s->calibration == SFM_CALIBRATION_CLASSICAL
             ? candidates->mu * fmin(epsilon, 1) / fmin(s->epsilon, 1)
             : mu_estimate(epsilon, s->delta);
}

/* ---- bandwidths ---- */

/* The narrowest, in deviations of the shape, and the ratio of neighbours, by the
 * number of columns. */
static const double NARROWEST[] = {1e-3, 4e-3, 2e-2, 5e-2}, RATIO[] = {1.06, 1.06, 1.08, 1.12};

/* To three digits, much finer than bandwidths lie, so that a person can write what was chosen. Both
 * steps are exact or correctly rounded within 10^22, so the decimal is the number. */
static double rounded(double width) {
  const int exponent = (int)floor(log10(width)) - 2;
  if (exponent < -22 || exponent > 19) return width;
  const double unit = pow(10, abs(exponent));
  return exponent < 0 ? round(width * unit) / unit : round(width / unit) * unit;
}

/* A bandwidth of about c deviations, but no wider than the domain; false where doubles could not
 * tell places apart. */
static bool scaled(const sfmi_design_density *d, const double *deviation, double c,
                   double *bandwidth) {
  for (size_t a = 0; a < d->dimension; a++) {
    bandwidth[a] = fmin(rounded(c * deviation[a]), d->upper[a] - d->lower[a]);
    if (sfmi_gaussian_unfit(d->lower[a], d->upper[a], bandwidth[a])) return false;
  }
  return true;
}

/* The bandwidths that one is chosen from: from as wide as the domain to a small part of the shape's
 * standard deviation, at least one, count x dimension numbers.  The caller frees them. */
static sfm_status list_bandwidths(double **list, size_t *count, const sfmi_design_density *design,
                                  const sfmi_shape_model *shape_model, sfm_error *error) {
  const size_t dimension = design->dimension, by = dimension < 4 ? dimension - 1 : 3;
  double deviation[SFM_MAX_DIMENSION], widest = 0;
  *count = 0;
  for (size_t a = 0; a < dimension; a++) {
    const double width = design->upper[a] - design->lower[a];
    deviation[a] = fmax(sfmi_shape_model_deviation(shape_model, a), 1e-6 * width);
    widest = fmax(widest, width / deviation[a]);
  }
  const size_t room = 2 + (size_t)(log(widest / NARROWEST[by]) / log(RATIO[by]));
  *list = sfmi_alloc(room * dimension, sizeof **list);
  if (!*list) return sfmi_fail_memory(error);
  for (double c = widest; c >= NARROWEST[by] && *count < room; c /= RATIO[by])
    *count += scaled(design, deviation, c, *list + *count * dimension);
  /* Where the domain itself is all but too narrow, rounding leaves none. */
  if (*count == 0) memcpy(*list, design->bandwidth, dimension * sizeof **list);
  *count += *count == 0;
  return SFM_OK;
}

/* The stated bandwidth, or all that can be chosen. */
static sfm_status lay_nodes(sfmi_candidates *candidates, bool every, sfm_error *error) {
  const sfmi_design_density *d = &candidates->design;
  const bool stated =
      (candidates->settings->bandwidth && !every) || candidates->settings->kernel == SFM_KERNEL_OWN;
  size_t count = 1;
  sfm_status status = SFM_OK;
  if (stated) {
    candidates->bandwidths = sfmi_alloc(d->dimension, sizeof *candidates->bandwidths);
    if (!candidates->bandwidths) return sfmi_fail_memory(error);
    memcpy(candidates->bandwidths, d->bandwidth, d->dimension * sizeof *d->bandwidth);
  } else {
    status =
        list_bandwidths(&candidates->bandwidths, &count, d, candidates->shape_models[0], error);
  }
  if (status) return status;
  candidates->nodes = sfmi_alloc(count, sizeof *candidates->nodes);
  if (!candidates->nodes) return sfmi_fail_memory(error);
  for (; candidates->count < count; candidates->count++)
    candidates->nodes[candidates->count].bandwidth =
        candidates->bandwidths + candidates->count * d->dimension;
  return SFM_OK;
}

sfm_status sfmi_candidates_assess(sfmi_candidates *candidates, sfmi_candidate_node *n,
                                  size_t problem, sfm_error *error) {
  if (n->assessed[problem]) return SFM_OK;
  if (!n->kde_risk)
    n->kde_risk = sfmi_alloc(candidates->robust ? SFMI_REFERENCE_SHAPES : 1, sizeof *n->kde_risk);
  if (!n->kde_risk) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  /* A kernel of the caller estimates another function, which is no density. */
  if (candidates->settings->kernel != SFM_KERNEL_OWN)
    status = sfmi_kde_risk_init(&n->kde_risk[problem], &candidates->problems[problem], n->bandwidth,
                                error);
  n->assessed[problem] = !status;
  return status;
}

/* ---- lattices ---- */

double sfmi_candidates_energy(sfmi_candidates *candidates, const sfmi_lattice *lattice) {
  double product = 1;
  for (size_t a = 0; a < lattice->dimension; a++) {
    const sfmi_lattice_axis *axis = &lattice->axis[a];
    const size_t cells = axis->cells < 11 ? axis->cells : 11;
    double *known = &candidates->energies[lattice->order][axis->boundary][cells];
    if (!(*known > 0)) *known = sfmi_lattice_energy_axis(lattice, a);
    product *= *known;
  }
  return fmin(product, 1);
}

static bool same_cells(const sfmi_lattice *a, const sfmi_lattice *b) {
  bool same = true;
  for (size_t i = 0; i < a->dimension; i++) same &= a->axis[i].cells == b->axis[i].cells;
  return same;
}

/* Lower orders only where higher ones do not fit: they save a twentieth of the noise and cost half
 * of the band, which is of the worst case. */
static sfm_status fill_lattices(sfmi_candidates *candidates, sfmi_candidate_node *n,
                                sfm_error *error) {
  const unsigned lowest = sfmi_lattice_candidates_lowest_order(candidates->design.dimension);
  const size_t spacings =
      1 + (size_t)(log(SFMI_SPACING_MAX / SFMI_SPACING_MIN) / log(SFMI_SPACING_RATIO));
  sfmi_lattice last = {0};
  sfm_status status = SFM_OK;
  if (n->latticed) return SFM_OK;
  n->lattices = sfmi_alloc(spacings, sizeof *n->lattices);
  if (!n->lattices) return sfmi_fail_memory(error);
  double rho = SFMI_SPACING_MAX;
  for (size_t i = 0; i < spacings && !status; i++, rho /= SFMI_SPACING_RATIO) {
    sfmi_lattice lattice = {.dimension = candidates->design.dimension,
                            .order = sfmi_lattice_candidates_order(candidates->design.dimension),
                            .bits = candidates->bits};
    bool fits = sfmi_lattice_candidates_lay(&lattice, &candidates->design, n->bandwidth, rho);
    for (; !fits && lattice.order > lowest;
         fits = sfmi_lattice_candidates_lay(&lattice, &candidates->design, n->bandwidth, rho))
      lattice.order--;
    if (!fits || (last.order == lattice.order && same_cells(&lattice, &last))) continue;
    sfmi_lattice_item *item = &n->lattices[n->lattice_count++];
    *item = (sfmi_lattice_item){.rho = rho, .order = lattice.order};
    item->energy = candidates->bits ? sfmi_candidates_energy(candidates, &lattice) : 1;
    status =
        sfmi_density_errors_lattice(&item->errors, &lattice, n->bandwidth, candidates->problems,
                                    n->kde_risk, candidates->robust, error);
    last = lattice;
  }
  n->latticed = !status;
  return status;
}

/* ---- predicted errors ---- */

double sfmi_candidates_score(const sfmi_candidates *candidates, const sfm_forecast *forecast) {
  return candidates->stated ? forecast->cost : forecast->total;
}

bool sfmi_candidates_offer(const sfmi_candidates *candidates, sfmi_candidate *candidate,
                           const sfmi_candidate_node *n, const sfmi_density_errors *errors,
                           double rows, double rate) {
  const sfm_forecast f = sfmi_density_errors_forecast(
      errors, rows, rate, candidates->volume, sfmi_shape_model_peak(candidates->shape_models[0]));
  if (!(sfmi_candidates_score(candidates, &f) < candidate->score)) return false;
  candidate->score = sfmi_candidates_score(candidates, &f);
  candidate->forecast = f;
  candidate->errors = *errors;
  candidate->rate = rate;
  candidate->node = (size_t)(n - candidates->nodes);
  memcpy(candidate->bandwidth, n->bandwidth, candidates->design.dimension * sizeof *n->bandwidth);
  return true;
}

static sfm_status try_lattices(sfmi_candidates *candidates, sfmi_candidate *candidate,
                               sfmi_candidate_node *n, double rows, double rate, sfm_error *error) {
  const double records = sfmi_candidates_moved(candidates, candidate->kind);
  sfm_status status = fill_lattices(candidates, n, error);
  for (size_t i = 0; i < n->lattice_count && !status; i++) {
    const sfmi_lattice_item *item = &n->lattices[i];
    sfmi_density_errors errors = item->errors;
    errors.noise *=
        records * records * (candidate->kind == SFMI_CANDIDATE_NORMAL ? item->energy : 2);
    if (!sfmi_candidates_offer(candidates, candidate, n, &errors, rows, rate)) continue;
    candidate->rho = item->rho;
    candidate->order = item->order;
  }
  return status;
}

static sfm_status open_terms(sfmi_candidates *candidates, sfmi_term_forecasts *h,
                             sfmi_candidate_node *n, sfmi_candidate_kind kind, sfm_error *error) {
  if (h->fourier_terms) return SFM_OK;
  const sfmi_fourier_terms_question question = {
      .design = &candidates->design,
      .bandwidth = n->bandwidth,
      .method = sfmi_candidate_kind_method(kind),
      .body = kind == SFMI_CANDIDATE_HULL ? SFM_DENSITY_BODY_HULL : SFM_DENSITY_BODY_EXACT,
      .terms = candidates->settings->terms,
      .problems = candidates->problems,
      .problem_count = candidates->robust ? SFMI_REFERENCE_SHAPES : 1,
      .kde_risk = n->kde_risk};
  sfm_status status = sfmi_fourier_terms_create(&h->fourier_terms, &question, error);
  if (status) return status;
  h->items = sfmi_alloc(sfmi_fourier_terms_count(h->fourier_terms), sizeof *h->items);
  return h->items ? SFM_OK : sfmi_fail_memory(error);
}

sfmi_term_forecasts *sfmi_candidates_terms(sfmi_candidate_node *n, sfmi_candidate_kind kind) {
  const size_t place = kind == SFMI_CANDIDATE_FOURIER ? 0 : kind == SFMI_CANDIDATE_BODY ? 1 : 2;
  return &n->term_forecasts[place];
}

/* Tries more frequencies until the noise alone is more than the least error so far. */
static sfm_status try_terms(sfmi_candidates *candidates, sfmi_candidate *candidate,
                            sfmi_candidate_node *n, double rows, double rate, sfm_error *error) {
  sfmi_term_forecasts *h = sfmi_candidates_terms(n, candidate->kind);
  sfm_status status = open_terms(candidates, h, n, candidate->kind, error);
  for (size_t i = 0; !status && i < sfmi_fourier_terms_count(h->fourier_terms); i++) {
    sfmi_term_item *item = &h->items[i];
    if (!(item->noise > 0))
      status = sfmi_fourier_terms_noise(h->fourier_terms, &item->noise, i, error);
    if (status) break;
    const double noise = item->noise / (rows * rate * rows * rate);
    if (noise > candidate->score) break;
    /* At least so much is cut off of the estimate; and what is not cut off is sampled. */
    const double lost = item->known ? 0 : sfmi_fourier_terms_truncation_row(h->fourier_terms, i);
    const double rest = candidates->stated
                            ? lost / rows
                            : n->kde_risk->smoothing +
                                  fmax(n->kde_risk->row - n->kde_risk->square - lost, 0) / rows;
    if (!item->known && noise + rest > candidate->score) continue;
    if (!item->known) status = sfmi_fourier_terms_errors(h->fourier_terms, &item->errors, i, error);
    if (status) break;
    item->known = true;
    const sfmi_candidate before = *candidate;
    if (!sfmi_candidates_offer(candidates, candidate, n, &item->errors, rows, rate)) continue;
    candidate->terms = sfmi_fourier_terms_at(h->fourier_terms, i);
    candidate->item = i;
    for (size_t a = 0; a < candidates->design.dimension; a++)
      candidate->along[a] = sfmi_fourier_terms_along(h->fourier_terms, i, a);
    if (sfmi_fourier_terms_fits(h->fourier_terms, i)) continue;
    *candidate = before;
    break;
  }
  return status;
}

static bool spectrum_errors(sfmi_candidates *candidates, sfmi_candidate_node *n,
                            sfmi_density_errors *out) {
  sfmi_design_density *d = &candidates->design;
  sfm_error ignored;
  if (sfmi_torus_sums_init(&d->spectrum, d->lower, d->upper, n->bandwidth, d->boundary,
                           d->dimension, &ignored) ||
      !sfmi_design_density_spectrum_fits(&d->spectrum))
    return false;
  const double s = sfmi_design_density_spectrum_sensitivity(d);
  sfmi_density_errors_spectrum(out, &d->spectrum, n->bandwidth, n->kde_risk);
  out->noise *= s * s;
  return true;
}

/* sobolev's noise at the design's bandwidth; where all are narrow it is the same but for units. */
static double guess_sobolev(sfmi_candidates *candidates) {
  const sfmi_design_density *d = &candidates->design;
  const double *gamma = candidates->settings->gamma;
  double units = 1;
  bool narrow = !gamma;
  for (size_t a = 0; a < d->dimension; a++) {
    units *= (d->upper[a] - d->lower[a]) / (d->bandwidth[a] * d->bandwidth[a]);
    narrow &= d->upper[a] - d->lower[a] >= SFMI_SOBOLEV_ALIKE * d->bandwidth[a];
  }
  if (!narrow) return sfmi_process_sobolev_guess(d, gamma);
  if (!(candidates->alike > 0)) candidates->alike = sfmi_process_sobolev_guess(d, NULL) / units;
  return candidates->alike * units;
}

/* Values at places. */
static bool process_errors(sfmi_candidates *candidates, sfmi_candidate_node *n,
                           sfmi_candidate_kind kind, sfmi_density_errors *out) {
  const bool quick = kind == SFMI_CANDIDATE_SOBOLEV && candidates->count > 1;
  sfm_density_settings s = *candidates->settings;
  s.method = sfmi_candidate_kind_method(kind);
  if (!sfmi_process_gamma_fits(&candidates->design, s.gamma)) return false;
  const double noise = quick ? guess_sobolev(candidates) : 0;
  return sfmi_density_errors_placed(out, &candidates->design, &s, candidates->values,
                                    quick ? &noise : NULL, n->kde_risk);
}

static sfm_status try_single(sfmi_candidates *candidates, sfmi_candidate *candidate,
                             sfmi_candidate_node *n, double rows, double rate) {
  sfmi_candidate_single *one = &n->singles[candidate->kind];
  const sfm_density_settings *s = candidates->settings;
  const bool random = candidate->kind == SFMI_CANDIDATE_RANDOM;
  size_t features = 0;
  sfm_error ignored;
  if (candidate->kind == SFMI_CANDIDATE_SPECTRAL && !one->tried &&
      sfmi_density_errors_spectrum_noise(&candidates->design, n->bandwidth) /
              (rows * rate * rows * rate) >
          candidate->score)
    return SFM_OK;
  memcpy(candidates->design.bandwidth, n->bandwidth, s->dimension * sizeof *n->bandwidth);
  if (!one->tried && random) {
    one->fits = !sfmi_design_random_features_check(&candidates->design, s, &ignored);
    one->even = sfmi_design_random_features_even_mean(&candidates->design, s->kernel);
  } else if (!one->tried) {
    one->fits = candidate->kind == SFMI_CANDIDATE_SPECTRAL
                    ? spectrum_errors(candidates, n, &one->errors)
                    : process_errors(candidates, n, candidate->kind, &one->errors);
  }
  one->tried = true;
  if (!one->fits) return SFM_OK;
  if (random) {
    features =
        sfmi_design_random_features_count(&candidates->design, s->features, one->even, rows, rate);
    sfmi_design_random_features_errors(&one->errors, &candidates->design, s->kernel, one->even,
                                       features, n->kde_risk, s->shape != NULL);
  }
  if (sfmi_candidates_offer(candidates, candidate, n, &one->errors, rows, rate))
    candidate->features = features;
  return SFM_OK;
}

/* Whether a lattice could have the bandwidth. */
static bool lattice_fits(const sfmi_candidates *candidates, const sfmi_candidate_node *n) {
  const size_t dimension = candidates->design.dimension;
  sfmi_lattice lattice = {.dimension = dimension,
                          .order = sfmi_lattice_candidates_lowest_order(dimension)};
  return sfmi_lattice_candidates_lay(&lattice, &candidates->design, n->bandwidth, SFMI_SPACING_MAX);
}

/* The best of a bandwidth, if it is better than the candidate. */
static sfm_status try_node(sfmi_candidates *candidates, sfmi_candidate *candidate, size_t i,
                           double rows, double rate, sfm_error *error) {
  sfmi_candidate_node *n = &candidates->nodes[i];
  /* Unless frequencies are asked for, a few of them are no answer to a bandwidth that is too narrow
   * for memory. */
  const bool asked = candidates->settings->method != SFM_DENSITY_AUTO;
  if (candidate->kind == SFMI_CANDIDATE_FOURIER && !asked && !lattice_fits(candidates, n))
    return SFM_OK;
  const double before = candidate->score;
  sfm_status status = sfmi_candidates_assess(candidates, n, 0, error);
  if (status) return status;
  /* A few frequencies may have little sampling. */
  const double sampling = (n->kde_risk->row - n->kde_risk->square) / rows;
  if (!candidates->stated &&
      n->kde_risk->smoothing + (sfmi_candidate_kind_frequencies(candidate->kind) ? 0 : sampling) >
          before)
    return SFM_OK;
  if (sfmi_candidate_kind_lattice(candidate->kind))
    status = try_lattices(candidates, candidate, n, rows, rate, error);
  else if (sfmi_candidate_kind_frequencies(candidate->kind))
    status = try_terms(candidates, candidate, n, rows, rate, error);
  else
    status = try_single(candidates, candidate, n, rows, rate);
  if (candidate->score < before) candidates->hint[candidate->kind] = i + 1;
  return status;
}

/* The bandwidth that would be best without privacy, plus 1. */
static sfm_status guess_node(sfmi_candidates *candidates, size_t *out, double rows,
                             sfm_error *error) {
  double least = INFINITY;
  *out = 1;
  for (size_t i = 0; i < candidates->count; i++) {
    sfm_status status = sfmi_candidates_assess(candidates, &candidates->nodes[i], 0, error);
    if (status) return status;
    const sfmi_kde_risk *kde_risk = candidates->nodes[i].kde_risk;
    const double sum = kde_risk->smoothing + (kde_risk->row - kde_risk->square) / rows;
    if (!(sum < least)) continue;
    least = sum;
    *out = i + 1;
  }
  return SFM_OK;
}

sfm_status sfmi_candidates_best(sfmi_candidates *all, sfmi_candidate *candidate, bool *found,
                                sfmi_candidate_kind kind, double rows, double epsilon,
                                sfm_error *error) {
  sfmi_candidates *candidates = sfmi_candidates_having(all, kind);
  sfm_status status = SFM_OK;
  *candidate = (sfmi_candidate){.kind = kind,
                                .family = candidates->settings->kernel,
                                .score = INFINITY,
                                .forecast = {.total = INFINITY}};
  *found = false;
  if (candidates->absent[kind]) return SFM_OK;
  const double rate = rate_of(candidates, kind, epsilon),
               each = rows / (double)candidates->design.groups;
  /* The last best first: most others then need no second look. */
  size_t hint = candidates->hint[kind];
  if (!hint) status = guess_node(candidates, &hint, each, error);
  for (size_t i = 0; i <= candidates->count && !status; i++)
    if (i == 0 || i != hint)
      status = try_node(candidates, candidate, i ? i - 1 : hint - 1, each, rate, error);
  *found = candidate->score < INFINITY;
  return status;
}

/* ---- all candidates ---- */

const sfmi_shape_model *sfmi_candidates_shape(const sfmi_candidates *candidates) {
  return candidates->shape_models[0];
}

double sfmi_candidates_volume(const sfmi_candidates *candidates) {
  return candidates->volume;
}

void sfmi_candidates_destroy(sfmi_candidates *candidates) {
  if (!candidates) return;
  sfmi_candidates_destroy(candidates->open);
  for (size_t i = 0; i < SFMI_WRONG_SHAPES; i++) sfmi_shape_model_destroy(candidates->wrong[i]);
  for (size_t i = 0; i < candidates->count; i++) {
    sfmi_candidate_node *n = &candidates->nodes[i];
    free(n->kde_risk);
    free(n->lattices);
    for (size_t k = 0; k < 3; k++) {
      sfmi_fourier_terms_destroy(n->term_forecasts[k].fourier_terms);
      free(n->term_forecasts[k].items);
    }
  }
  free(candidates->nodes);
  free(candidates->bandwidths);
  for (size_t i = 0; i < SFMI_REFERENCE_SHAPES; i++)
    sfmi_shape_model_destroy(candidates->shape_models[i]);
  free(candidates);
}

static sfm_status set_shapes(sfmi_candidates *candidates, sfm_error *error) {
  const sfm_density_settings *s = candidates->settings;
  const sfmi_design_density *d = &candidates->design;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < (candidates->robust ? SFMI_REFERENCE_SHAPES : 1) && !status; i++) {
    status = candidates->robust
                 ? sfmi_shape_model_create_reference(&candidates->shape_models[i], i, d->dimension,
                                                     d->lower, d->upper, error)
                 : sfmi_shape_model_create(&candidates->shape_models[i], s->shape, s->columns,
                                           d->dimension, d->lower, d->upper, error);
    candidates->problems[i] = (sfmi_kde_problem){
        candidates->shape_models[i], d->dimension, d->lower, d->upper, d->boundary, s->kernel};
  }
  return status;
}

/* Other shapes with the means and deviations of the stated one: two bumps in every column, and a
 * single one half as wide.  A release of several columns is no guess, and has none. */
static sfm_status set_wrong_shapes(sfmi_candidates *candidates, sfm_error *error) {
  const sfmi_design_density *d = &candidates->design;
  sfm_status status = SFM_OK;
  if (candidates->robust || !sfmi_shape_model_is_product(candidates->shape_models[0]))
    return SFM_OK;
  for (; candidates->wrong_count < SFMI_WRONG_SHAPES && !status; candidates->wrong_count++)
    status = sfmi_shape_model_create_wrong(&candidates->wrong[candidates->wrong_count],
                                           candidates->shape_models[0], candidates->wrong_count,
                                           d->lower, d->upper, error);
  return status;
}

static sfm_status create_one(sfmi_candidates **out, const sfmi_design_density *design,
                             const sfm_density_settings *settings, double rows, bool every,
                             sfm_error *error) {
  sfmi_candidates *candidates = sfmi_alloc(1, sizeof *candidates);
  *out = NULL;
  if (!candidates) return sfmi_fail_memory(error);
  candidates->design = *design;
  candidates->settings = settings;
  candidates->robust = !settings->shape;
  candidates->stated = settings->bandwidth && !every && settings->kernel != SFM_KERNEL_OWN;
  candidates->volume = 1;
  for (size_t a = 0; a < design->dimension; a++)
    candidates->volume *= design->upper[a] - design->lower[a];
  sfm_status status = set_shapes(candidates, error);
  if (!status) status = set_wrong_shapes(candidates, error);
  if (!status && settings->delta > 0)
    status = sfmi_gdp_mu_for(&candidates->mu, settings->epsilon, settings->delta,
                             settings->calibration, error);
  if (!status) {
    for (sfmi_candidate_kind kind = 0; kind < SFMI_CANDIDATE_KINDS; kind++) {
      candidates->absent[kind] = sfmi_candidate_kind_absent(design, settings, kind);
      if (!candidates->absent[kind])
        candidates->absent[kind] = why_not_numbers(candidates, kind, rows);
    }
    status = lay_nodes(candidates, every, error);
  }
  if (!status)
    *out = candidates;
  else
    sfmi_candidates_destroy(candidates);
  return status;
}

sfm_status sfmi_candidates_create(sfmi_candidates **out, const sfmi_design_density *design,
                                  const sfm_density_settings *settings, double rows, bool every,
                                  sfm_error *error) {
  sfm_status status = create_one(out, design, settings, rows, every, error);
  if (status || settings->boundary || settings->method != SFM_DENSITY_AUTO) return status;
  sfmi_design_density open = *design;
  sfmi_density_settings_lay_boundary(&open, settings, SFM_DENSITY_FOURIER_LAPLACE);
  status = create_one(&(*out)->open, &open, settings, rows, every, error);
  if (!status) return SFM_OK;
  sfmi_candidates_destroy(*out);
  *out = NULL;
  return status;
}
