/* resources.h - what it takes to read a release and to work with it: bytes of memory and operations
 * (multiplications and the like), bounded by what the file states, before anything is allocated by
 * it.  A small file can state a large lattice; one that would take more than the limits allow is
 * refused (sfm_resource_limits in sfumato/release.h, docs/format.md).
 *
 * Releases that are made here, and not read, have no limits. */
#ifndef SFMI_RESOURCES_H
#define SFMI_RESOURCES_H

#include "base/system/status.h"
#include "sfumato/release.h"

typedef struct sfmi_resources {
  double bytes, operations;
} sfmi_resources;

/* Work at points is counted for so many of them at most: what one point costs is stated by the
 * file, how many there are is chosen by whoever asks.  Points that are chosen here (integrals,
 * modes) are all counted. */
#define SFMI_RESOURCES_POINTS_MAX 1000

static inline double sfmi_resources_points_counted(size_t count) {
  return count < SFMI_RESOURCES_POINTS_MAX ? (double)count : SFMI_RESOURCES_POINTS_MAX;
}

/* Of one after the other, where both are kept. */
sfmi_resources sfmi_resources_sum(sfmi_resources a, sfmi_resources b);

/* Of the values of a JSON text, as they are kept while it is read. */
sfmi_resources sfmi_resources_reading(const char *json, size_t length);
/* What a file of so many bytes may cost to read, and to work with. */
sfmi_resources sfmi_resources_to_read(const sfm_resource_limits *limits, size_t length);
sfmi_resources sfmi_resources_to_work(const sfm_resource_limits *limits, size_t length);

/* Of sfm_evaluator_create; of evaluating at points (widths: with their bands) and on a grid. */
sfmi_resources sfmi_resources_evaluator(const sfm_release *release, bool shrunk);
sfmi_resources sfmi_resources_points(const sfm_release *release, size_t count, bool widths);
/* The same where the caller has chosen the points: see SFMI_RESOURCES_POINTS_MAX. */
static inline sfmi_resources sfmi_resources_points_asked(const sfm_release *release, size_t count,
                                                         bool widths) {
  sfmi_resources cost = sfmi_resources_points(release, count, widths);
  if (count > SFMI_RESOURCES_POINTS_MAX)
    cost.operations *= SFMI_RESOURCES_POINTS_MAX / (double)count;
  return cost;
}
sfmi_resources sfmi_resources_grid(const sfm_release *release, const size_t *counts);
/* Of the trigonometric polynomial alone, and of integrals of `count` functions along axis a. */
sfmi_resources sfmi_resources_trig_poly(const sfm_release *release);
sfmi_resources sfmi_resources_integrals(const sfm_release *release, size_t a, size_t count);
/* Of sfmi_integrated_noise_variance, of a trigonometric polynomial. */
sfmi_resources sfmi_resources_noise_variance(const sfm_release *release);
/* Of what spreading rows over a lattice costs (sfmi_band_alias). */
sfmi_resources sfmi_resources_alias(const sfm_release *release);
/* Of the bands of `count` groups; 1 where there are none. */
sfmi_resources sfmi_resources_band(const sfm_release *release, size_t count);
/* Of `count` densities (groups) on a grid. */
sfmi_resources sfmi_resources_grid_density(const sfm_release *release, const size_t *counts,
                                           size_t count, bool shrunk);

/* Fails when it is more than the limits of the release allow; `what` begins the message:
 * "evaluating it". */
SFM_MUST_CHECK sfm_status sfmi_resources_allow(const sfm_release *release, sfmi_resources cost,
                                               const char *what, sfm_error *error);

#endif
