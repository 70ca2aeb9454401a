#include "candidate_uncertainty.h"

#include <math.h>

#include "density_candidates_state.h"
#include "lattice_candidates.h"
#include "releases/band/alias_error.h"
#include "releases/core/release_data.h"

/* ---- intervals ---- */

/* The errors of a candidate for one of the shapes, without heaps. */
static sfm_status errors_for_shape(sfmi_candidates *candidates, sfmi_density_errors *errors,
                                   const sfmi_candidate *candidate, size_t problem,
                                   sfm_error *error) {
  sfmi_candidate_node *n = &candidates->nodes[candidate->node];
  *errors = candidate->errors;
  if (problem == 0) return SFM_OK;
  sfm_status status = sfmi_candidates_assess(candidates, n, problem, error);
  if (status) return status;
  const sfmi_kde_risk *kde_risk = &n->kde_risk[problem];
  errors->smoothing = kde_risk->smoothing;
  errors->row = errors->spread = kde_risk->row - kde_risk->square;
  errors->bias = kde_risk->smoothing + errors->cut_bare + errors->alias_bare;
  if (sfmi_candidate_kind_frequencies(candidate->kind))
    sfmi_fourier_terms_shape_errors(sfmi_candidates_terms(n, candidate->kind)->fourier_terms,
                                    errors, candidate->item, problem);
  return SFM_OK;
}

sfm_status sfmi_candidates_interval(sfmi_candidates *all, sfmi_candidate *candidate, double rows,
                                    sfm_error *error) {
  sfmi_candidates *candidates = sfmi_candidates_having(all, candidate->kind);
  const double each = rows / (double)candidates->design.groups;
  sfm_forecast *f = &candidate->forecast;
  sfm_status status = SFM_OK;
  f->low = f->high = f->total;
  f->cost_low = f->cost_high = f->cost;
  for (size_t problem = 0; problem < (candidates->robust ? SFMI_REFERENCE_SHAPES : 1); problem++) {
    sfmi_density_errors errors;
    sfmi_density_interval interval;
    status = errors_for_shape(candidates, &errors, candidate, problem, error);
    if (status) return status;
    sfmi_candidate_node *n = &candidates->nodes[candidate->node];
    if (!n->biased[problem] && candidates->settings->kernel != SFM_KERNEL_OWN)
      status = sfmi_kde_bias_init(&n->kde_bias[problem], &candidates->problems[problem],
                                  n->bandwidth, error);
    if (status) return status;
    n->biased[problem] = true;
    sfmi_density_interval_init(&interval, candidate, &candidates->design,
                               candidates->settings->gamma, &n->kde_risk[problem],
                               &n->kde_bias[problem]);
    sfmi_density_interval_widen(f, &interval, &errors, each, candidate->rate);
  }
  return SFM_OK;
}

/* ---- lattices with narrow bands ---- */

/* About how wide the band of a lattice will be, for choosing among lattices: its noise, which is
 * nowhere more than a few deviations, and the worst case of its aliases, which grows with the peak.
 * That of rows is often higher than that of a shape, the more so the more columns there are. */
static double band_estimate(const sfmi_candidates *candidates, const sfmi_lattice *lattice,
                            const double *bandwidth, const sfm_forecast *forecast) {
  static const double RISK = 0.05, HIGHER = 3;
  const double deviation = sqrt(forecast->privacy / candidates->volume),
               noise = deviation * sqrt(2 * log((double)lattice->length / RISK)),
               peak = sfmi_shape_model_peak(candidates->shape_models[0]) *
                      pow(HIGHER, (double)lattice->dimension);
  sfmi_alias_axis axes[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < lattice->dimension; a++) {
    const sfmi_lattice_axis *axis = &lattice->axis[a];
    const size_t ring = sfmi_lattice_padded(axis, bandwidth[a]);
    axes[a] = (sfmi_alias_axis){.width = axis->upper - axis->lower,
                                .h = bandwidth[a],
                                .spacing = axis->spacing,
                                .W = (double)ring * axis->spacing,
                                .m = sfmi_lattice_modes(ring) / 2,
                                .order = lattice->order,
                                .bits = lattice->bits,
                                .boundary = axis->boundary};
  }
  const sfmi_alias alias = sfmi_alias_guess(axes, lattice->dimension);
  return noise + fmin(alias.peak, alias.share * (peak + noise));
}

/* A lattice of an order and a spacing for the candidate's bandwidth: false where it does not fit or
 * its total error is above a limit. */
static sfm_status try_lattice(sfmi_candidates *candidates, sfmi_candidate *candidate, bool *good,
                              double *band, unsigned order, double rho, double limit, double rows,
                              sfm_error *error) {
  sfmi_candidate_node *n = &candidates->nodes[candidate->node];
  const bool normal = candidate->kind == SFMI_CANDIDATE_NORMAL;
  const double records = sfmi_candidates_moved(candidates, candidate->kind);
  sfmi_lattice lattice = {.dimension = candidates->design.dimension,
                          .order = order,
                          .bits = normal ? candidates->bits : candidates->laplace_bits};
  *good = sfmi_lattice_candidates_lay(&lattice, &candidates->design, n->bandwidth, rho);
  if (!*good) return SFM_OK;
  sfmi_candidate one = *candidate;
  sfm_status status =
      sfmi_density_errors_lattice(&one.errors, &lattice, n->bandwidth, candidates->problems,
                                  n->kde_risk, candidates->robust, error);
  one.errors.noise *=
      records * records * (normal ? sfmi_candidates_energy(candidates, &lattice) : 2);
  one.rho = rho;
  one.order = order;
  one.score = INFINITY;
  if (!status) sfmi_candidates_offer(candidates, &one, n, &one.errors, rows, one.rate);
  *good = one.forecast.total <= limit;
  if (status || !*good) return status;
  *band = band_estimate(candidates, &lattice, n->bandwidth, &one.forecast);
  *candidate = one;
  return SFM_OK;
}

sfm_status sfmi_candidates_narrow(sfmi_candidates *all, sfmi_candidate *candidate, double factor,
                                  double rows, sfm_error *error) {
  static const double FINER = 1.1;
  sfmi_candidates *candidates = sfmi_candidates_having(all, candidate->kind);
  const double each = rows / (double)candidates->design.groups,
               limit = candidate->forecast.total * factor;
  double least = INFINITY;
  if (!sfmi_candidate_kind_lattice(candidate->kind)) return SFM_OK;
  sfmi_candidate best = *candidate;
  const unsigned usual = candidate->order,
                 highest = sfmi_lattice_candidates_highest_order(candidates->design.dimension);
  for (unsigned order = usual; order <= highest; order++) {
    /* Finer until the band becomes wider (few cells stay the same for several spacings). */
    double before = INFINITY;
    for (double rho = SFMI_SPACING_MAX; rho >= SFMI_SPACING_MIN; rho /= FINER) {
      sfmi_candidate one = *candidate;
      double band;
      bool good;
      sfm_status status =
          try_lattice(candidates, &one, &good, &band, order, rho, limit, each, error);
      if (status) return status;
      if (!good) continue;
      if (band < least) {
        least = band;
        best = one;
      }
      if (band > before) break;
      before = band;
    }
  }
  *candidate = best;
  return SFM_OK;
}

/* ---- a wrong guess ---- */

/* The errors of a candidate if the shape of a problem is the true one. */
static sfm_status errors_under(sfmi_candidates *candidates, sfmi_density_errors *errors,
                               const sfmi_candidate *candidate, const sfmi_kde_problem *problem,
                               sfm_error *error) {
  const double *bandwidth = candidates->nodes[candidate->node].bandwidth;
  sfmi_kde_risk kde_risk;
  sfm_status status = sfmi_kde_risk_init(&kde_risk, problem, bandwidth, error);
  *errors = candidate->errors;
  if (status) return status;
  errors->smoothing = kde_risk.smoothing;
  errors->row = kde_risk.row - kde_risk.square;
  if (sfmi_candidate_kind_lattice(candidate->kind)) {
    sfmi_lattice lattice = {.dimension = candidates->design.dimension, .order = candidate->order};
    if (sfmi_lattice_candidates_lay(&lattice, &candidates->design, bandwidth, candidate->rho))
      status = sfmi_density_errors_lattice(errors, &lattice, bandwidth, problem, &kde_risk, false,
                                           error);
  } else if (sfmi_candidate_kind_frequencies(candidate->kind)) {
    const sfmi_fourier_terms_question question = {
        .design = &candidates->design,
        .bandwidth = bandwidth,
        .method = sfmi_candidate_kind_method(candidate->kind),
        .body =
            candidate->kind == SFMI_CANDIDATE_HULL ? SFM_DENSITY_BODY_HULL : SFM_DENSITY_BODY_EXACT,
        .terms = candidates->settings->terms,
        .problems = problem,
        .problem_count = 1,
        .kde_risk = &kde_risk};
    sfmi_fourier_terms *fourier_terms;
    status = sfmi_fourier_terms_create(&fourier_terms, &question, error);
    if (!status) status = sfmi_fourier_terms_errors(fourier_terms, errors, candidate->item, error);
    sfmi_fourier_terms_destroy(fourier_terms);
  }
  errors->noise = candidate->errors.noise;
  return status;
}

sfm_status sfmi_candidates_misled(sfmi_candidates *all, sfmi_candidate *candidate, double rows,
                                  sfm_error *error) {
  sfmi_candidates *candidates = sfmi_candidates_having(all, candidate->kind);
  const double each = rows / (double)candidates->design.groups;
  double sum = 0, total = 0;
  candidate->misled = candidate->misled_total = NAN;
  for (size_t i = 0; i < candidates->wrong_count; i++) {
    sfmi_kde_problem problem = candidates->problems[0];
    problem.shape_model = candidates->wrong[i];
    sfmi_density_errors errors;
    sfm_status status = errors_under(candidates, &errors, candidate, &problem, error);
    if (status) return status;
    const sfm_forecast f =
        sfmi_density_errors_forecast(&errors, each, candidate->rate, candidates->volume,
                                     sfmi_shape_model_peak(candidates->shape_models[0]));
    sum += sfmi_candidates_score(candidates, &f);
    total += f.total;
  }
  if (!candidates->wrong_count || candidates->settings->kernel == SFM_KERNEL_OWN) return SFM_OK;
  candidate->misled = sum / (double)candidates->wrong_count;
  candidate->misled_total = total / (double)candidates->wrong_count;
  return SFM_OK;
}
