/* plan.h - predicts the error of a release before anything private is read: every method that is
 * possible, with its best public parameters.
 *
 * Nothing here reads rows, draws secret noise or opens a ledger.  Predictions are means over
 * records drawn from a shape (shape.h) and over the noise.  Errors are squared and integrated over
 * the domain; their parts add up to the error against the shape.  Proofs and assumptions:
 * docs/proofs/forecasts.md. */
#ifndef SFUMATO_PLAN_H
#define SFUMATO_PLAN_H

#include "sfumato/curve.h"
#include "sfumato/density.h"
#include "sfumato/histogram.h"
#include "sfumato/series.h"
#include "sfumato/shape.h"
#include "sfumato/train.h"
#include "sfumato/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The predicted error of one method.  Parts that the method does not have are 0.  Without a stated
 * shape, the numbers are those of a reference shape, and the intervals cover a family of shapes. */
typedef struct sfm_forecast {
  double privacy;    /* due to the noise */
  double sampling;   /* due to the records being a sample from the shape */
  double smoothing;  /* due to the kernel, or the ridge */
  double truncation; /* due to frequencies or terms that are left out */
  double aliasing;   /* due to the lattice */
  double total;      /* their sum */
  double low, high;  /* the squared error of one release is between these, 19 times in 20 */
  /* Against the estimate without privacy, and its interval: privacy + truncation + aliasing.  With
   * few frequencies more than that: what they leave out of the estimate is sampling error, too. */
  double cost, cost_low, cost_high;
  /* The root of the mean square error over the domain, divided by the peak of the shape (a curve:
   * by the highest level curve within the clip; a vector: by the sensitivity). */
  double relative;
  /* True for tables and counts.  The numbers above are then not squared errors but mean absolute
   * errors, in records, summed over all cells: privacy is due to the noise, truncation to counts
   * below a threshold.  relative is divided by the number of records counted.  each and deviation
   * are set as well. */
  bool absolute;
  double each;      /* the mean absolute error of one cell; of a count: the mean over all counts */
  double deviation; /* the root of the mean square error of one cell */
} sfm_forecast;

/* A public parameter of a method: a text, or `count` numbers. */
typedef struct sfm_plan_parameter {
  const char *name;
  const char *text; /* NULL: numbers */
  double numbers[SFM_MAX_DIMENSION];
  size_t count;
  bool option; /* whether the command has an option of that name; if not, it follows from others */
} sfm_plan_parameter;

enum { SFM_PLAN_PARAMETERS_MAX = 16 };

/* One method.  Texts are owned by the plan, or static. */
typedef struct sfm_plan_entry {
  const char *method; /* as in the command's --method, --noise, --basis or --engine */
  const char *absent; /* why it is not possible; then only method is set.  NULL: it is possible */
  bool hardened;
  sfm_guarantee guarantee;
  sfm_plan_parameter parameters[SFM_PLAN_PARAMETERS_MAX];
  size_t parameter_count;
  sfm_forecast predicted;
  sfm_band band; /* the band that the release would state */
  /* Two bumps as narrow as the kernel, at the distance `apart` along the first column, can be
   * distinguished if each contains `share` of the records: each is then two standard errors above
   * the density between them.  share above 1/2: they cannot be distinguished.  NaN if there are no
   * bumps. */
  double apart, share;
  /* The relative error if the stated shape is wrong, in ways that are public: two bumps of the same
   * mean and deviation in every column, or one half as wide (the root of the mean of both squares).
   * 0: no shape is stated, or this kind of plan does not say. */
  double misled;
  bool taken; /* what auto takes.  In none: it is the first that is hardened, else the first */
} sfm_plan_entry;

typedef struct sfm_plan sfm_plan;

/* The functions below plan one kind of release each.  They check all settings as the release would.
 * Only public settings about the estimate are used; charge and seed are ignored.  A method, noise,
 * engine or number of terms that is not auto restricts the list of methods.  The pointers in the
 * settings are borrowed until the plan is destroyed.  The caller destroys the plan. */

/* Plans a density.  rows: the public n (under add-remove: settings->expected_rows, which must be
 * set).  If bandwidth is NULL, the best one is chosen for each method. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_density(sfm_plan **out,
                                                   const sfm_density_settings *settings,
                                                   uint64_t rows, sfm_error *error);
/* A private choice among bandwidths, predicted. */
typedef struct sfm_bandwidth_forecast {
  size_t count, best;    /* candidates, and which of them has the least predicted error */
  double choice_epsilon; /* of the choice */
  double epsilon, delta; /* of the density, by the exact calibration */
  /* The probability of a candidate whose predicted error is at most a tenth above the least; and
   * the share of such candidates, which is the probability if all are equally likely. */
  double likely, chance;
} sfm_bandwidth_forecast;

/* Predicts the choice among settings->candidates.  rows: the public n.  Does not know whether a
 * density would take normal noise because of the accounting of a dataset. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_bandwidth_choice(sfm_bandwidth_forecast *forecast,
                                                            const sfm_density_settings *settings,
                                                            uint64_t rows, sfm_error *error);
/* Plans a series.  every_basis: settings->basis is ignored and all bases are planned.  every_noise:
 * settings->noise is ignored and all noises are planned. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_series(sfm_plan **out,
                                                  const sfm_series_settings *settings,
                                                  bool every_basis, bool every_noise, uint64_t rows,
                                                  sfm_error *error);
/* Plans a mean curve. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_curve(sfm_plan **out, const sfm_curve_settings *settings,
                                                 uint64_t rows, sfm_error *error);
/* Plans a vector of that length.  every_noise: settings->noise is ignored and all are planned. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_vector(sfm_plan **out,
                                                  const sfm_vector_settings *settings,
                                                  bool every_noise, size_t length,
                                                  sfm_error *error);
/* Plans a session that answers this many questions about a density: the engines that can. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_online(sfm_plan **out,
                                                  const sfm_density_settings *settings,
                                                  uint64_t rows, uint64_t questions,
                                                  sfm_error *error);
/* A public guess of the counts of a table, for methods that list only large counts. */
typedef struct sfm_table_guess {
  /* Of the occupied cells, in any order; only their proportions matter.  NULL: all equal. */
  const double *counts;
  size_t count;
  /* If counts is NULL: the number of occupied cells.  0: all cells, or as many as there are
   * records; the intervals then cover all other tables. */
  uint64_t occupied;
} sfm_table_guess;
/* Plans a table: every form and noise (every), or those in the settings.  guess may be NULL: none.
 * If a number of occupied cells is guessed, the lower threshold for that number is planned as well.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_histogram(sfm_plan **out,
                                                     const sfm_histogram_settings *settings,
                                                     bool every, const sfm_table_guess *guess,
                                                     uint64_t rows, sfm_error *error);
/* Plans one count from 0 to rows: the geometric mechanism and (every) the best mechanisms for the
 * worst count and for equally likely counts (sfumato/optimal.h).  Errors are those at the worst
 * count; `each` is the mean over all counts.  sfm_plan_forecast is for the geometric mechanism. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_count(sfm_plan **out, uint64_t rows, double epsilon,
                                                 sfm_neighbours neighbours, uint32_t contributions,
                                                 double confidence, bool every, sfm_error *error);
/* Plans a machine (train.h).  every_method: every method, and several numbers of random features if
 * none is stated.  every_noise: every noise.  Otherwise those in the settings.  dimension: of
 * sparse rows.  settings->label may be NULL.  All of settings->lambdas are planned.
 * Errors are those of the values at a row whose features have the largest norm, against the
 * machine without noise.  relative is a part of 1, the margin (regression: of half of the width of
 * the label's bounds).  sfm_plan_entry.parameters also has: features, kappa, sensitivity,
 * certificate (its part of the sensitivity), deviation, mean (of |f~ - f|), weights (their
 * distance), lambda_rule, and for random features kernel_deviation and kernel_certified. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_train(sfm_plan **out, const sfm_train_settings *settings,
                                                 bool every_method, bool every_noise, uint64_t rows,
                                                 size_t dimension, sfm_error *error);
SFM_API void sfm_plan_destroy(sfm_plan *plan);

/* The number of methods, and method i.  The least predicted error comes first, methods that are not
 * possible last.  NULL if there is no method i.  Owned by the plan. */
SFM_API size_t sfm_plan_length(const sfm_plan *plan);
SFM_API const sfm_plan_entry *sfm_plan_at(const sfm_plan *plan, size_t i);
/* The index of the method that auto takes.  For a density: of the hardened methods whose error,
 * under the stated shape and if it is wrong, is within a tenth of the least, the one with the
 * narrowest band; for others the hardened method with the least predicted error.  If no hardened
 * method is possible: 0.  SIZE_MAX if no method is possible. */
SFM_API size_t sfm_plan_best(const sfm_plan *plan);

/* Predicts the error of the method that auto takes with another number of records and another
 * epsilon (of a density the least error of that method with the usual splines; the lattice that is
 * taken for its narrow band is within five per cent of it).  Parameters that were not stated are
 * chosen again.  rows is ignored for a vector, which has no records.  The error never increases
 * with rows or epsilon.  Exceptions: few frequencies with a stated bandwidth, since more of them
 * follow more of the sampling error; a table with a threshold where its relative error is 1 or
 * more, and where the threshold, a whole number, changes. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_forecast(const sfm_plan *plan, sfm_forecast *forecast,
                                                    double rows, double epsilon, sfm_error *error);
/* Computes the least number of records at this epsilon, and the least epsilon with these records
 * (to three digits), for which the relative error is at most `relative`, which is above 0. Infinite
 * if none is enough.  rows is NaN if there are no records. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_rows_for(const sfm_plan *plan, double *rows,
                                                    double relative, sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_epsilon_for(const sfm_plan *plan, double *epsilon,
                                                       double relative, sfm_error *error);
/* Computes the bandwidths (one per column) with the least total error of auto, even if bandwidths
 * were stated, and the prediction for them.  NaN if there is no bandwidth to choose. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_bandwidth(const sfm_plan *plan, double *bandwidth,
                                                     sfm_forecast *forecast, sfm_error *error);

/* Simulates the release of the best method for records drawn from the shape, with a public
 * generator.  The release is not private, and says so.  It can be shown, evaluated and plotted like
 * any other.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_preview(const sfm_plan *plan, sfm_release **out,
                                                   uint64_t seed, sfm_error *error);
/* Evaluates the shape (for a curve: the guessed mean) at points, count x dimension numbers. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_shape(const sfm_plan *plan, double *values,
                                                 const double *points, size_t count,
                                                 sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
