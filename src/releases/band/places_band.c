#include "places_band.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/normal_distribution.h"
#include "base/math/prng.h"
#include "base/math/quantile.h"
#include "base/math/sort.h"
#include "estimators/lattice/kernel_sum.h"
#include "releases/eval/perturbation.h"

/* Work allowed for simulation: normals drawn in all; for gram multiplications beside. */
static const double SIMULATION_WORK = 5e7, GRAM_WORK = 5e9;
static const size_t DRAWS_MIN = 200, DRAWS_MAX = 2000;
static const uint64_t BAND_SEED = 0x5f0a72u;

static size_t affordable(const sfm_release *release, const sfmi_field *field) {
  const double m = (double)release->length;
  double draws = fmin(SIMULATION_WORK / (double)sfmi_field_normals(field), (double)DRAWS_MAX);
  if (release->engine == SFM_ENGINE_GRAM) draws = fmin(draws, GRAM_WORK / (m * m));
  return draws < (double)DRAWS_MIN ? 0 : sfmi_release_draws(release, draws);
}

/* sup[i] = the largest |value| of one path, sorted. */
static sfm_status simulate(double *sup, size_t draws, sfmi_field *field, size_t places,
                           sfm_error *error) {
  const size_t n = sfmi_field_normals(field);
  double *normals = sfmi_alloc(n, sizeof *normals), *path = sfmi_alloc(places, sizeof *path);
  sfmi_prng prng;
  sfmi_prng_init(&prng, BAND_SEED);
  for (size_t i = 0; i < draws && normals && path; i++) {
    for (size_t k = 0; k < n; k++) normals[k] = sfmi_prng_normal(&prng);
    sfmi_field_path(field, path, normals);
    sup[i] = 0;
    for (size_t k = 0; k < places; k++) sup[i] = fmax(sup[i], fabs(path[k]));
  }
  sfm_status status = normals && path ? SFM_OK : sfmi_fail_memory(error);
  free(normals);
  free(path);
  if (!status) sfmi_sort_doubles(sup, draws);
  return status;
}

/* Of one value, at most. */
static double deviation(const sfm_release *release, const sfmi_field *field) {
  return sqrt(release->sup + release->nugget + (field ? sfmi_field_excess(field) : 0));
}

/* The largest |value| of a path: simulated draws of it, sorted; none where that would take long. */
typedef struct sup_law {
  double *draws;
  size_t count;
  double deviation, places;
} sup_law;

static sfm_status sup_law_init(sup_law *law, const sfm_release *release, sfmi_field *field,
                               sfm_error *error) {
  *law = (sup_law){.count = field ? affordable(release, field) : 0,
                   .deviation = deviation(release, field),
                   .places = (double)release->length};
  if (law->count == 0) return SFM_OK;
  law->draws = sfmi_alloc(law->count, sizeof *law->draws);
  if (!law->draws) return sfmi_fail_memory(error);
  return simulate(law->draws, law->count, field, release->length, error);
}

/* What it passes with at most that risk: a union over the places, or simulated where that is less.
 */
static double sup_width(const sup_law *law, double risk) {
  const double all = law->deviation * sfmi_normal_tail_inverse(risk / (2 * law->places));
  return law->count ? fmin(all, sfmi_quantile_above(law->draws, law->count, 1 - risk)) : all;
}

/* The field of a release that was read, or NULL where making it would take long. */
static sfm_status make_field(sfmi_field **out, const sfm_release *release, sfm_error *error) {
  double inverse[SFM_MAX_DIMENSION];
  const sfm_kernel kernel = sfmi_release_noise_kernel(release, inverse);
  const double m = (double)release->length;
  *out = NULL;
  if (release->kernel == SFM_KERNEL_OWN ||
      (release->engine == SFM_ENGINE_GRAM && m * m * m / 3 > GRAM_WORK))
    return SFM_OK;
  /* A torus takes about 24 bytes per place. */
  const size_t most = (size_t)fmin(release->most.bytes / 24, 0x1p53);
  return sfmi_field_create_within(out, release->engine, &kernel, &release->places, release->nugget,
                                  most, error);
}

/* The largest released value, in the function's unit. */
static double largest_value(const sfm_release *release, double divisor) {
  double largest = 0;
  for (size_t i = 0; i < release->length; i++)
    largest = fmax(largest, sfm_release_coefficient(release, i));
  return largest / divisor;
}

sfm_status sfmi_band_places(sfm_band *band, const sfm_release *release, double confidence,
                            double rounding, sfmi_field *field, sfm_error *error) {
  const double risk = 1 - confidence,
               divisor = sfmi_release_total(release) * sfmi_release_mass(release),
               unit = release->scale / divisor, top = largest_value(release, divisor);
  sfmi_field *own = NULL;
  sfmi_perturbation moved = {rounding, INFINITY};
  sup_law law = {.count = 0};
  sfm_status status = field ? SFM_OK : make_field(&own, release, error);
  if (!status && release->density) status = sfmi_release_perturbation(&moved, release, error);
  if (!status) status = sup_law_init(&law, release, field ? field : own, error);
  if (!status) {
    const double sup = unit * sup_width(&law, risk),
                 systematic = sfmi_perturbation_width(moved, top + sup);
    /* At one place the noise there and the bound on the function's size must both hold. */
    const double one = unit * law.deviation * sfmi_normal_tail_inverse(0.9 * risk / 2);
    const double single =
        one + sfmi_perturbation_width(moved, top + unit * sup_width(&law, 0.1 * risk));
    *band = (sfm_band){.confidence = confidence,
                       .half_width = sup + systematic,
                       .pointwise = fmin(single, sup + systematic),
                       .systematic = systematic};
  }
  free(law.draws);
  sfmi_field_destroy(own);
  return status;
}
