#include "gaussian_field.h"

#include <assert.h>

#include "circulant_engine.h"
#include "field_engine.h"
#include "gram_engine.h"
#include "markov_engine.h"
#include "spectral_engine.h"

static bool circulant_can(const sfm_kernel *kernel, const sfmi_places *places) {
  return sfmi_kernel_stationary(kernel->family) && !places->points && places->count > 0 &&
         places->dimension <= SFMI_CIRCULANT_DIMENSIONS;
}

/* What to use instead, for messages. */
static const char *instead(const sfm_kernel *kernel, const sfmi_places *places) {
  if (sfmi_kernel_markov(kernel)) return "use markov";
  if (circulant_can(kernel, places)) return "use circulant";
  if (places->count <= SFMI_GRAM_MAX) return "use gram";
  if (sfmi_kernel_stationary(kernel->family) && places->dimension <= SFMI_CIRCULANT_DIMENSIONS)
    return "use a grid and circulant, or fewer places and gram";
  return "use fewer places and gram";
}

static sfm_status engine_suits(sfm_engine engine, const sfm_kernel *kernel,
                               const sfmi_places *places, sfm_error *error) {
  const char *name = sfm_kernel_family_name(kernel->family), *other = instead(kernel, places);
  if (engine < SFM_ENGINE_SPECTRAL || engine > SFM_ENGINE_GRAM)
    return sfmi_fail(error, SFM_INVALID,
                     "values at places are drawn by the engines circulant, markov and gram, not by "
                     "%s; %s",
                     engine == SFM_ENGINE_RANDOM ? "random" : "one of another number", other);
  if (engine == SFM_ENGINE_SPECTRAL && kernel->family != SFM_KERNEL_GAUSSIAN)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine spectral draws the gaussian kernel, which alone has finitely many "
                     "features, not the %s kernel; %s",
                     name, other);
  if (engine == SFM_ENGINE_CIRCULANT && !sfmi_kernel_stationary(kernel->family))
    return sfmi_fail(error, SFM_INVALID,
                     "the engine circulant draws kernels that depend on x - y alone, which the %s "
                     "kernel does not; %s",
                     name, other);
  if (engine == SFM_ENGINE_CIRCULANT && !circulant_can(kernel, places))
    return sfmi_fail(error, SFM_INVALID,
                     "the engine circulant draws on a regular grid of at most %d variables, not %s "
                     "of %zu; %s",
                     SFMI_CIRCULANT_DIMENSIONS, places->points ? "at a list of points" : "on one",
                     places->dimension, other);
  if (engine == SFM_ENGINE_MARKOV && !sfmi_kernel_markov(kernel))
    return sfmi_fail(
        error, SFM_INVALID,
        "the engine markov draws laplacian and matern kernels of one variable, not the "
        "%s kernel of %zu variable%s; %s",
        name, kernel->dimension, kernel->dimension == 1 ? "" : "s", other);
  if (engine == SFM_ENGINE_GRAM && places->count > SFMI_GRAM_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine gram draws at no more than %zu places (its matrix is places x "
                     "places), not at %zu; %s",
                     SFMI_GRAM_MAX, places->count, other);
  return SFM_OK;
}

sfm_status sfmi_field_suits(sfm_engine engine, const sfm_kernel *kernel, const sfmi_places *places,
                            sfm_error *error) {
  sfm_status status = sfmi_places_check(places, kernel, error);
  if (status) return status;
  if (engine == SFM_ENGINE_AUTO) engine = sfmi_field_choose(kernel, places);
  return engine_suits(engine, kernel, places, error);
}

sfm_engine sfmi_field_choose(const sfm_kernel *kernel, const sfmi_places *places) {
  if (sfmi_kernel_markov(kernel)) return SFM_ENGINE_MARKOV;
  if (!circulant_can(kernel, places)) return SFM_ENGINE_GRAM;
  return places->count > SFMI_GRAM_MAX || sfmi_circulant_likely(kernel, places)
             ? SFM_ENGINE_CIRCULANT
             : SFM_ENGINE_GRAM;
}

sfm_status sfmi_field_create(sfmi_field **out, sfm_engine engine, const sfm_kernel *kernel,
                             const sfmi_places *places, double nugget, sfm_error *error) {
  return sfmi_field_create_within(out, engine, kernel, places, nugget, SFMI_CIRCULANT_MAX, error);
}

sfm_status sfmi_field_create_within(sfmi_field **out, sfm_engine engine, const sfm_kernel *kernel,
                                    const sfmi_places *places, double nugget, size_t most,
                                    sfm_error *error) {
  *out = NULL;
  if (most > SFMI_CIRCULANT_MAX) most = SFMI_CIRCULANT_MAX;
  assert(nugget >= 0);
  sfm_status status = sfmi_field_suits(engine, kernel, places, error);
  if (status) return status;
  if (engine == SFM_ENGINE_AUTO) engine = sfmi_field_choose(kernel, places);
  switch (engine) {
  case SFM_ENGINE_SPECTRAL:
    return sfmi_spectral_create(out, kernel, places, nugget, error);
  case SFM_ENGINE_CIRCULANT:
    return sfmi_circulant_create(out, kernel, places, nugget, most, error);
  case SFM_ENGINE_MARKOV:
    return sfmi_markov_create(out, kernel, places, nugget, error);
  default:
    return sfmi_gram_create(out, kernel, places, nugget, error);
  }
}

void sfmi_field_destroy(sfmi_field *field) {
  if (field) field->destroy(field);
}

size_t sfmi_field_normals(const sfmi_field *field) {
  return field->normals;
}

void sfmi_field_path(sfmi_field *field, double *path, double *normals) {
  field->path(field, path, normals);
}

double sfmi_field_excess(const sfmi_field *field) {
  return field->excess;
}
