/* simulation.h - quantiles of what noise does, from draws of it with the public generator. */
#ifndef SFMI_SIMULATION_H
#define SFMI_SIMULATION_H

#include "base/math/prng.h"
#include "releases/core/release_data.h"

/* Draws of `count` statistics of the noise, none of them negative. */
typedef struct sfmi_simulation {
  size_t draws; /* 0: it would take too long, and all quantiles are infinite */
  size_t count;
  double *values; /* statistic by statistic, one per draw */
} sfmi_simulation;

/* Draws once, and fills in the statistics. */
typedef sfm_status sfmi_simulation_draw(void *context, double *statistics, sfmi_prng *prng,
                                        sfm_error *error);

/* How many draws to make where `affordable` are: 2000 at most, none where that is below 200. */
size_t sfmi_simulation_draws(const sfm_release *release, double affordable);

/* Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_simulation_run(sfmi_simulation *out, size_t draws, size_t count,
                                              uint64_t seed, sfmi_simulation_draw *draw,
                                              void *context, sfm_error *error);
void sfmi_simulation_clear(sfmi_simulation *simulation);

/* What statistic s passes with at most that risk; true with probability 0.99 over the draws. */
double sfmi_simulation_width(const sfmi_simulation *simulation, size_t s, double risk);

#endif
