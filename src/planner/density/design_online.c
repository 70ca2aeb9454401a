#include "design_online.h"

#include <math.h>
#include <string.h>

#include "design_random_features.h"
#include "features/kernels/kernel.h"
#include "fields/dyadic_path.h"

sfm_status sfmi_design_online_engine(sfm_density_settings *settings, sfm_error *error) {
  const sfm_kernel kernel = {.family = settings->kernel, .dimension = settings->dimension};
  if (settings->method != SFM_DENSITY_AUTO && settings->method != SFM_DENSITY_GP)
    return sfmi_fail(error, SFM_INVALID,
                     "a session is a Gaussian process of its own kernel: leave out settings.method "
                     "= %s, and give a settings.delta",
                     sfm_density_method_name(settings->method));
  if (settings->kernel == SFM_KERNEL_OWN)
    return sfmi_fail(error, SFM_INVALID,
                     "a kernel of your own cannot be kept in a session file: use one from gaussian "
                     "to cauchy");
  if (settings->engine == SFM_ENGINE_CIRCULANT)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine circulant draws all places of a grid at once; a session is drawn "
                     "by spectral, markov or gram");
  if (settings->engine == SFM_ENGINE_RANDOM)
    return sfmi_fail(error, SFM_INVALID,
                     "random features are released once, and can then be evaluated without limit "
                     "(sfm_density_release with settings.engine = random); a session is drawn by "
                     "spectral, markov or gram");
  settings->method = SFM_DENSITY_GP;
  const bool spectral =
      settings->kernel == SFM_KERNEL_GAUSSIAN && settings->dimension <= SFMI_SPECTRAL_DIMENSIONS;
  if (settings->engine == SFM_ENGINE_AUTO)
    settings->engine = spectral                      ? SFM_ENGINE_SPECTRAL
                       : sfmi_kernel_markov(&kernel) ? SFM_ENGINE_MARKOV
                                                     : SFM_ENGINE_GRAM;
  return SFM_OK;
}

double sfmi_design_online_values(sfm_engine engine) {
  return engine == SFM_ENGINE_MARKOV ? ldexp(1, SFMI_DYADIC_DEPTH) + 1 : 0x1p40;
}

void sfmi_design_online_place(sfm_density_settings *settings, double *place) {
  memset(settings->release_grid, 0, sizeof settings->release_grid);
  settings->release_points = NULL;
  settings->release_count = 0;
  if (settings->engine == SFM_ENGINE_SPECTRAL) return;
  for (size_t a = 0; a < settings->dimension && a < SFM_MAX_DIMENSION; a++) {
    const sfm_column *column = settings->context.schema && settings->columns
                                   ? sfm_schema_find(settings->context.schema, settings->columns[a])
                                   : NULL;
    if (column && column->has_bounds) place[a] = column->lower;
  }
  settings->release_points = place;
  settings->release_count = 1;
}
