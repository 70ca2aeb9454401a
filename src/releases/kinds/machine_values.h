/* machine_values.h - the values of a machine at points. */
#ifndef SFMI_MACHINE_VALUES_H
#define SFMI_MACHINE_VALUES_H

#include "machine_model.h"
#include "releases/core/release_data.h"

/* Points of a machine, borrowed: cells of columns, or sparse rows. */
typedef struct sfmi_machine_points {
  const double *cells;  /* input_count a point, or: */
  const size_t *starts; /* point p is starts[p] .. starts[p + 1] of the next two */
  const uint32_t *indices;
  const double *numbers;
  size_t count;
  bool encoded; /* sparse rows that are coordinates u already, of any machine */
} sfmi_machine_points;

/* Whether so many points of it, with their bands or without, are within its limits. */
SFM_MUST_CHECK sfm_status sfmi_machine_model_check_resources(const sfm_release *release,
                                                             size_t points, bool band,
                                                             sfm_error *error);
/* values[p * functions + f] at points; as sfm_machine_at. */
SFM_MUST_CHECK sfm_status sfmi_machine_model_values(const sfm_release *release, double *values,
                                                    const sfmi_machine_points *points,
                                                    sfm_error *error);

/* values[p * functions + f] = <w_f, phi> of `functions` vectors of weights one after the other, of
 * a machine that is no release: without offset and factor. */
SFM_MUST_CHECK sfm_status sfmi_machine_model_products(const sfmi_encoding *encoding,
                                                      const sfmi_feature_map *map, double *values,
                                                      const sfmi_machine_points *points,
                                                      const double *weights, size_t functions,
                                                      sfm_error *error);

/* Called with the features of every point (of linear and monomials those that are not zero; of one
 * without a value NULL), from several threads at once. */
typedef void sfmi_machine_visit(void *context, const double *phi, size_t count, size_t point);
SFM_MUST_CHECK sfm_status sfmi_machine_model_visit(const sfm_release *release,
                                                   const sfmi_machine_points *points,
                                                   sfmi_machine_visit *measure, void *context,
                                                   sfm_error *error);

/* Where a point beyond the domain is to be refused and not clamped: fails naming the first point
 * that has a number beyond its bounds, none at all, or a category that is not declared.  Points
 * that are longer than the clip are within. */
SFM_MUST_CHECK sfm_status sfmi_machine_domain_check(const sfmi_encoding *encoding,
                                                    const sfmi_machine_points *points,
                                                    sfm_error *error);

/* The band of a machine, wherever its features are longest (machine_band.c). */
sfm_status sfmi_machine_band(sfm_band *band, const sfm_release *release, double confidence,
                             sfm_error *error);

#endif
