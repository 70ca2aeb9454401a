#include "simulation.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/quantile.h"

size_t sfmi_simulation_draws(const sfm_release *release, double affordable) {
  static const double LEAST = 200, MOST = 2000;
  if (!(affordable >= LEAST)) return 0;
  return sfmi_release_draws(release, affordable < MOST ? affordable : MOST);
}

sfm_status sfmi_simulation_run(sfmi_simulation *out, size_t draws, size_t count, uint64_t seed,
                               sfmi_simulation_draw *draw, void *context, sfm_error *error) {
  *out = (sfmi_simulation){.draws = draws, .count = count};
  if (draws == 0) return SFM_OK;
  double *statistics = sfmi_alloc(count, sizeof *statistics);
  out->values = sfmi_alloc(draws * count, sizeof *out->values);
  sfm_status status = statistics && out->values ? SFM_OK : sfmi_fail_memory(error);
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < draws && !status; i++) {
    status = draw(context, statistics, &prng, error);
    for (size_t s = 0; s < count; s++) out->values[s * draws + i] = statistics[s];
  }
  free(statistics);
  return status;
}

void sfmi_simulation_clear(sfmi_simulation *simulation) {
  free(simulation->values);
  *simulation = (sfmi_simulation){0};
}

double sfmi_simulation_width(const sfmi_simulation *simulation, size_t s, double risk) {
  if (simulation->draws == 0) return INFINITY;
  return sfmi_quantile_select(simulation->values + s * simulation->draws, simulation->draws,
                              1 - risk);
}
