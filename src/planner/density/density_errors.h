/* density_errors.h - predicted integrated squared errors of lattices and spectra, from public
 * numbers, as functions of the number of records and of the noise (docs/proofs/forecasts.md).
 *
 * Per axis, with K^ the kernel's transform, F the lattice's highest frequency, a_l its aliases, and
 * weights w(f) of the frequencies,
 *   kept = int_{|f|<F} K^2 w(f),  cut = int_{|f|>F} K^2 w(f),
 *   alias = int_{|f|<F} K^2 sum_l a_l^2 w(f + l/spacing).
 * With w = 1 they are those of one row at a random place; with w the shape's power, those of the
 * shape.  On a ring the integrals are sums over its frequencies; where it reflects, the mean's
 * counts twice.  Over several axes
 *   aliasing = prod (kept + alias) - prod kept,   truncation = prod (kept + cut) - prod kept.
 *
 * What is aliased is the shape and its heaps: one record in forty has the same value in some
 * column. (The aliases of a smooth law average out, and the planner would rely on that; real
 * columns have heaps.)  Without a shape, the even law and the heaps are aliased and cut off.  With
 * a shape, only the shape is cut off. */
#ifndef SFMI_DENSITY_ERRORS_H
#define SFMI_DENSITY_ERRORS_H

#include "planner/forecast/kde_risk.h"
#include "design_density.h"
#include "sfumato/plan.h"

/* The errors of a method with all its parameters, for n records and noise of a unit that one
 * divides by epsilon or mu (rate):
 *   privacy = noise/(n rate)^2, sampling = row/n, smoothing,
 *   truncation = cut_law + cut_row/n, aliasing = alias_law + alias_row/n.
 * With few frequencies what is cut off of the estimate is partly what sampling would have added to
 * it, and partly what smoothing has taken already.  Then (few) cut_law + cut_row/n is the error
 * against the estimate, and truncation, of the error against the shape, is the bias that the
 * missing frequencies add: missed. */
typedef struct sfmi_density_errors {
  double noise;
  double smoothing, row;
  double cut_law, cut_row, alias_law, alias_row;
  bool few;
  double missed;
  /* For intervals: the laws without heaps; about the squared bias that a shape would have; and
   * about n times the variance of the released estimate. */
  double cut_bare, alias_bare, bias, spread;
} sfmi_density_errors;

/* Errors of a lattice at bandwidths, for a shape seen through the kernel (kde_risk).  robust: no
 * shape was given.  noise is per variance of one mass. */
SFM_MUST_CHECK sfm_status sfmi_density_errors_lattice(
    sfmi_density_errors *out, const sfmi_lattice *lattice, const double *bandwidth,
    const sfmi_kde_problem *problem, const sfmi_kde_risk *kde_risk, bool robust, sfm_error *error);

/* Errors of a gp by its features; noise is per variance of one feature. */
void sfmi_density_errors_spectrum(sfmi_density_errors *out, const sfmi_torus_sums *spectrum,
                                  const double *bandwidth, const sfmi_kde_risk *kde_risk);

/* No more than the noise of those.  A certificate makes the noise slow to know where there are many
 * frequencies; but one row's features are of norm one, but for one part in a hundred. */
double sfmi_density_errors_spectrum_noise(const sfmi_design_density *design,
                                          const double *bandwidth);

/* Errors of values at places (gp, or sobolev, as the settings' method says) at the design's
 * bandwidth.  values: how many; noise: where it is known already, else NULL.  False: they cannot be
 * had. */
bool sfmi_density_errors_placed(sfmi_density_errors *out, const sfmi_design_density *design,
                                const sfm_density_settings *settings, double values,
                                const double *noise, const sfmi_kde_risk *kde_risk);

/* The forecast for n records and a rate, with its sums but without intervals.  volume: of the
 * domain; peak: of the shape. */
sfm_forecast sfmi_density_errors_forecast(const sfmi_density_errors *errors, double rows,
                                          double rate, double volume, double peak);

/* What is lost of the even law and its heaps where frequencies are left out, and what is lost of
 * one row.  whole[a] and kept[a]: the integrals of the squared kernel of an axis with all
 * frequencies, and with those that stay. */
double sfmi_density_errors_truncation(const double *whole, const double *kept, const double *width,
                                      size_t dimension);
double sfmi_density_errors_truncation_row(const double *whole, const double *kept,
                                          size_t dimension);

#endif
