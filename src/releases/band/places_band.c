#include "band.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/normal_distribution.h"
#include "releases/eval/perturbation.h"
#include "simulation.h"

/* Work allowed for simulation: normals drawn in all; for gram multiplications beside. */
static const double SIMULATION_WORK = 5e7, GRAM_WORK = 5e9;
static const uint64_t BAND_SEED = 0x5f0a72u;

static size_t draws_of(const sfm_release *release, const sfmi_field *field) {
  const double m = (double)release->length;
  double draws = field ? SIMULATION_WORK / (double)sfmi_field_normals(field) : 0;
  if (release->function->engine == SFM_ENGINE_GRAM) draws = fmin(draws, GRAM_WORK / (m * m));
  return sfmi_simulation_draws(release, draws);
}

/* The largest |value| of a path. */
typedef struct sup_law {
  sfmi_field *field;
  double *normals, *path;
  size_t places;
  double deviation; /* of one value, at most */
  sfmi_simulation run;
} sup_law;

static sfm_status draw(void *context, double *sup, sfmi_prng *prng, sfm_error *error) {
  sup_law *law = context;
  (void)error;
  for (size_t k = 0; k < sfmi_field_normals(law->field); k++)
    law->normals[k] = sfmi_prng_normal(prng);
  sfmi_field_path(law->field, law->path, law->normals);
  *sup = 0;
  for (size_t k = 0; k < law->places; k++) *sup = fmax(*sup, fabs(law->path[k]));
  return SFM_OK;
}

static sfm_status sup_law_init(sup_law *law, const sfm_release *release, sfmi_field *field,
                               sfm_error *error) {
  const size_t draws = draws_of(release, field);
  const double excess = field ? sfmi_field_excess(field) : 0;
  *law = (sup_law){.field = field,
                   .places = release->length,
                   .deviation = sqrt(release->function->sup + release->function->nugget + excess)};
  if (draws == 0) return SFM_OK;
  law->normals = sfmi_alloc(sfmi_field_normals(field), sizeof *law->normals);
  law->path = sfmi_alloc(law->places, sizeof *law->path);
  const sfm_status status =
      law->normals && law->path
          ? sfmi_simulation_run(&law->run, draws, 1, BAND_SEED, draw, law, error)
          : sfmi_fail_memory(error);
  free(law->normals);
  free(law->path);
  return status;
}

/* What it passes with at most that risk: a union over the places, or simulated where that is less.
 */
static double sup_width(const sup_law *law, double risk) {
  const double p = risk / (2 * (double)law->places);
  return fmin(law->deviation * sfmi_normal_tail_inverse(p),
              sfmi_simulation_width(&law->run, 0, risk));
}

/* The field of a release that was read, or NULL where making it would take long. */
static sfm_status make_field(sfmi_field **out, const sfm_release *release, sfm_error *error) {
  const sfmi_function_body *f = release->function;
  double inverse[SFM_MAX_DIMENSION];
  const sfm_kernel kernel = sfmi_release_noise_kernel(release, inverse);
  const double m = (double)release->length;
  *out = NULL;
  if (f->kernel == SFM_KERNEL_OWN || (f->engine == SFM_ENGINE_GRAM && m * m * m / 3 > GRAM_WORK))
    return SFM_OK;
  /* A torus takes about 24 bytes per place. */
  const size_t most = (size_t)fmin(release->most.bytes / 24, 0x1p53);
  return sfmi_field_create_within(out, f->engine, &kernel, &f->places, f->nugget, most, error);
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
  sup_law law = {0};
  sfm_status status = field ? SFM_OK : make_field(&own, release, error);
  if (!status && sfmi_release_is_density(release))
    status = sfmi_release_perturbation(&moved, release, error);
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
  sfmi_simulation_clear(&law.run);
  sfmi_field_destroy(own);
  return status;
}
