/* forecast.h - predicted integrated squared errors of lattices and spectra, from public numbers. */
#ifndef SFMI_FORECAST_H
#define SFMI_FORECAST_H

#include "planner/design.h"

/* In squared density units times squared records: divide by n^2. */
typedef struct sfmi_forecast {
  double privacy, aliasing, truncation;
} sfmi_forecast;

/* noise: the variance of the noise on one lattice mass.  rows: of the reference law; infinite when
 * unknown. */
SFM_MUST_CHECK sfm_status sfmi_forecast_lattice(sfmi_forecast *out, const sfmi_lattice *lattice,
                                                const double *bandwidth, double noise, double rows,
                                                sfm_error *error);

/* noise: the variance of the noise on one feature. */
sfmi_forecast sfmi_forecast_spectrum(const sfmi_spectrum *spectrum, const double *bandwidth,
                                     double noise, double rows);

/* What frequencies left out cost the reference law: whole[a] and kept[a] are the integrals of the
 * squared kernel of an axis with all frequencies and with those that stay. */
double sfmi_forecast_lost(const double *whole, const double *kept, const double *width,
                          size_t dimension, double rows);

/* Squared bias of the estimate without privacy for the even part of the reference law: none along
 * columns that are not open. */
double sfmi_forecast_smoothing(const double *lower, const double *upper, const double *bandwidth,
                               const sfm_boundary *boundary, size_t dimension);

#endif
