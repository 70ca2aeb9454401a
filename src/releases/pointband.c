#include "releases/pointband.h"

#include <math.h>
#include <stdlib.h>

#include "base/normal.h"
#include "base/prng.h"
#include "base/quantile.h"

/* Work allowed for simulation: normals drawn in all; for gram multiplications beside. */
static const double SIMULATION_WORK = 5e7, GRAM_WORK = 5e9;
static const size_t DRAWS_MIN = 200, DRAWS_MAX = 2000;
static const uint64_t BAND_SEED = 0x5f0a72u;

static size_t affordable(const sfm_release *release, const sfmi_field *field) {
  const double m = (double)release->length;
  double draws = fmin(SIMULATION_WORK / (double)sfmi_field_normals(field), (double)DRAWS_MAX);
  if (release->engine == SFM_ENGINE_GRAM) draws = fmin(draws, GRAM_WORK / (m * m));
  return draws < (double)DRAWS_MIN ? 0 : (size_t)draws;
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
  if (status == SFM_OK) sfmi_sort(sup, draws);
  return status;
}

/* Of one value, at most. */
static double deviation(const sfm_release *release, const sfmi_field *field) {
  return sqrt(release->sup + release->nugget + (field ? sfmi_field_excess(field) : 0));
}

/* The width that the largest |value| of a path passes with at most that risk: a union over the
 * places, or simulated where that is less. */
static sfm_status sup_width(double *width, const sfm_release *release, double risk,
                            sfmi_field *field, sfm_error *error) {
  *width =
      deviation(release, field) * sfmi_normal_tail_inverse(risk / (2 * (double)release->length));
  const size_t draws = field ? affordable(release, field) : 0;
  if (draws == 0) return SFM_OK;
  double *sup = sfmi_alloc(draws, sizeof *sup);
  if (!sup) return sfmi_fail_memory(error);
  sfm_status status = simulate(sup, draws, field, release->length, error);
  if (status == SFM_OK) *width = fmin(*width, sfmi_quantile_above(sup, draws, 1 - risk));
  free(sup);
  return status;
}

/* The field of a release that was read, or NULL where making it would take long. */
static sfm_status make_field(sfmi_field **out, const sfm_release *release, sfm_error *error) {
  const sfm_kernel kernel = sfmi_release_kernel(release);
  const double m = (double)release->length;
  *out = NULL;
  if (release->kernel == SFM_KERNEL_OWN ||
      (release->engine == SFM_ENGINE_GRAM && m * m * m / 3 > GRAM_WORK))
    return SFM_OK;
  return sfmi_field_create(out, release->engine, &kernel, &release->places, release->nugget, error);
}

sfm_status sfmi_band_places(sfm_band *band, const sfm_release *release, double confidence,
                            double systematic, sfmi_field *field, sfm_error *error) {
  const double risk = 1 - confidence,
               unit = release->scale / (sfmi_release_total(release) * sfmi_release_mass(release));
  sfmi_field *own = NULL;
  double width;
  sfm_status status = field ? SFM_OK : make_field(&own, release, error);
  if (!field) field = own;
  if (status == SFM_OK) status = sup_width(&width, release, risk, field, error);
  if (status == SFM_OK) {
    const double extra = field ? sfmi_field_excess(field) : 0;
    const double point =
        sqrt(release->sup + release->nugget + extra) * sfmi_normal_tail_inverse(risk / 2);
    *band = (sfm_band){.confidence = confidence,
                       .half_width = width * unit + systematic,
                       .pointwise = fmin(point, width) * unit + systematic,
                       .systematic = systematic};
  }
  sfmi_field_destroy(own);
  return status;
}
