#include "density_choice.h"

#include <math.h>

#include "candidate_uncertainty.h"
#include "density_preview.h"

/* Draws for a band that is compared with others: fewer would not reach its quantile. */
enum { DRAWS = 200 };

/* Errors within a tenth of each other are alike; scores are their squares. */
static const double TENTH = 1.21;

/* A spectrum of more entries (features times points along an axis) is not simulated for its band.
 */
static const double ENTRIES_MAX = 1e8;

static bool costly(const sfmi_design_density *design) {
  double entries = 0;
  if (design->method != SFM_DENSITY_GP || design->engine != SFM_ENGINE_SPECTRAL) return false;
  for (size_t a = 0; a < design->dimension; a++)
    entries += 2.0 * (double)design->spectrum.torus[a].terms *
               (double)design->spectrum.lattice.axis[a].points;
  return entries > ENTRIES_MAX;
}

/* The band that the candidate's release would state; infinite where it cannot be made, or would
 * take long to foresee. */
static sfm_status band_of(sfm_band *band, const sfmi_candidates *candidates,
                          const sfmi_candidate *candidate, const sfmi_design_density *checked,
                          const sfm_density_settings *settings, double rows, sfm_error *error) {
  sfmi_design_density design = *checked;
  sfm_error ignored;
  *band = (sfm_band){.half_width = INFINITY};
  if (sfmi_design_density_take(&design, settings, candidate, rows, &ignored) || costly(&design))
    return SFM_OK;
  return sfmi_density_preview_band(band, &design, settings, (uint64_t)rows,
                                   sfmi_candidates_shape(candidates), DRAWS, error);
}

/* The width of a band if the rows are that much more peaked than the shape, an axis: then so much
 * more of it is not noise. */
static double peaked_width(const sfm_band *band, size_t dimension) {
  static const double HIGHER = 3;
  return band->half_width + (pow(HIGHER, (double)dimension) - 1) * band->systematic;
}

/* Of the lattice and of those that should have narrower bands, for three hundredths more error, and
 * in several columns for a twentieth, the one whose band is the narrowest for rows that are more
 * peaked; but more error is not taken for less than a tenth of the band. */
static sfm_status narrow(sfmi_candidates *candidates, sfmi_candidate *candidate,
                         const sfmi_design_density *design, const sfm_density_settings *settings,
                         double rows, sfm_error *error) {
  static const double FACTORS[] = {1.06, 1.1}, NARROWER = 0.9;
  enum { FACTOR_COUNT = sizeof FACTORS / sizeof *FACTORS };
  const size_t factors = design->dimension == 1 ? 1 : FACTOR_COUNT;
  sfmi_candidate tried[1 + FACTOR_COUNT] = {*candidate};
  size_t count = 1, best = 0;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < factors && !status; i++) {
    sfmi_candidate *one = &tried[count], *before = &tried[count - 1];
    *one = *candidate;
    status = sfmi_candidates_narrow(candidates, one, FACTORS[i], rows, error);
    count += one->rho != before->rho || one->order != before->order;
  }
  double least = INFINITY;
  for (size_t i = 0; i < count && count > 1 && !status; i++) {
    sfm_band band;
    status = band_of(&band, candidates, &tried[i], design, settings, rows, error);
    const double width = status ? INFINITY : peaked_width(&band, design->dimension);
    if (!(width < NARROWER * least)) continue;
    least = width;
    best = i;
  }
  *candidate = tried[best];
  return status;
}

sfm_status sfmi_density_choice_of(sfmi_candidates *candidates, sfmi_candidate *candidate,
                                  bool *found, sfmi_candidate_kind kind,
                                  const sfmi_design_density *design,
                                  const sfm_density_settings *settings, double rows, double epsilon,
                                  sfm_error *error) {
  sfm_status status =
      sfmi_candidates_best(candidates, candidate, found, kind, rows, epsilon, error);
  if (!status && *found) status = narrow(candidates, candidate, design, settings, rows, error);
  if (!status && *found) status = sfmi_candidates_misled(candidates, candidate, rows, error);
  return status;
}

/* The mean score under the stated shape and those that it is perturbed to. */
static double robust_score(const sfmi_candidate *candidate) {
  return isnan(candidate->misled)
             ? candidate->score
             : (candidate->score + SFMI_WRONG_SHAPES * candidate->misled) / (1 + SFMI_WRONG_SHAPES);
}

/* Among the kinds found[]: of the bands of those that are within a tenth the narrowest. */
static sfm_status narrowest(sfmi_candidate *candidate, const sfmi_candidates *candidates,
                            const sfmi_candidate *one, const bool *found,
                            const sfmi_design_density *design, const sfm_density_settings *settings,
                            double rows, sfm_error *error) {
  double least = INFINITY, band = INFINITY;
  size_t near = 0, best = SFMI_CANDIDATE_KINDS;
  for (size_t kind = 0; kind < SFMI_CANDIDATE_KINDS; kind++)
    if (found[kind]) least = fmin(least, robust_score(&one[kind]));
  for (size_t kind = 0; kind < SFMI_CANDIDATE_KINDS; kind++)
    near += found[kind] && robust_score(&one[kind]) <= least * TENTH;
  for (size_t kind = 0; kind < SFMI_CANDIDATE_KINDS; kind++) {
    sfm_band of = {.half_width = 0};
    if (!found[kind] || !(robust_score(&one[kind]) <= least * TENTH)) continue;
    sfm_status status = SFM_OK;
    if (near > 1) status = band_of(&of, candidates, &one[kind], design, settings, rows, error);
    if (status) return status;
    if (best < SFMI_CANDIDATE_KINDS && !(of.half_width < band)) continue;
    best = kind;
    band = of.half_width;
  }
  *candidate = one[best];
  return SFM_OK;
}

sfm_status sfmi_density_choice_auto(sfmi_candidates *candidates, sfmi_candidate *candidate,
                                    bool *found, const sfmi_design_density *design,
                                    const sfm_density_settings *settings, double rows,
                                    double epsilon, sfm_error *error) {
  *found = false;
  for (int hardened = 1; hardened >= 0 && !*found; hardened--) {
    sfmi_candidate one[SFMI_CANDIDATE_KINDS];
    bool has[SFMI_CANDIDATE_KINDS] = {false};
    for (sfmi_candidate_kind kind = 0; kind < SFMI_CANDIDATE_KINDS; kind++) {
      if (sfmi_candidate_kind_hardened(kind) != (hardened == 1) ||
          !sfmi_candidate_kind_asked(settings, kind))
        continue;
      sfm_status status = sfmi_density_choice_of(candidates, &one[kind], &has[kind], kind, design,
                                                 settings, rows, epsilon, error);
      if (status) return status;
      *found |= has[kind];
    }
    if (!*found) continue;
    return narrowest(candidate, candidates, one, has, design, settings, rows, error);
  }
  return SFM_OK;
}
