/* plan.h - what a release would be like, before anything private is opened: every method that
 * applies, with its best public parameters and the error it predicts.
 *
 * Nothing here reads rows, draws secrets or opens a ledger.  What is predicted is the mean over
 * records drawn from a shape (shape.h) and over the noise.  Errors are squared and integrated over
 * the domain: privacy, truncation and aliasing against the estimate without privacy, sampling and
 * smoothing against the shape.  Proofs and assumptions: docs/proofs/forecasts.md. */
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

/* Parts of an error that a method does not have are 0.  Where no shape was given, the numbers are
 * those of a reference shape, and the intervals cover a family of shapes. */
typedef struct sfm_forecast {
  double privacy;    /* from the noise */
  double sampling;   /* from the records' being a sample of the shape */
  double smoothing;  /* from the kernel, the ridge */
  double truncation; /* from frequencies or terms left out */
  double aliasing;   /* from the lattice */
  double total;      /* their sum */
  double low, high;  /* the squared error of one release lies between these, 19 times in 20 */
  /* privacy + truncation + aliasing: against the estimate without privacy; and its interval. */
  double cost, cost_low, cost_high;
  /* The error a person sees: root of the mean square over the domain, as a part of the shape's
   * peak (a curve: of the highest level curve within the clip; a vector: of the sensitivity). */
  double relative;
  /* Of tables and counts the numbers above are no squares but mean absolute errors, in records,
   * summed over all cells; privacy: from noise, truncation: from counts below a threshold;
   * relative: as a part of all records counted.  Then also, over the cells: */
  bool absolute;
  double each;      /* the mean absolute error of a cell; of a count: over all counts */
  double deviation; /* and the root of the mean square */
} sfm_forecast;

/* A public parameter of a method: text, or count numbers. */
typedef struct sfm_plan_parameter {
  const char *name;
  const char *text; /* NULL: numbers */
  double numbers[SFM_MAX_DIMENSION];
  size_t count;
  bool option; /* an option of that name makes the verb choose it; else it follows from others */
} sfm_plan_parameter;

enum { SFM_PLAN_PARAMETERS_MAX = 16 };

/* A method.  Texts are owned by the plan, or static. */
typedef struct sfm_plan_entry {
  const char *method; /* as the verb's --method, --noise, --basis or --engine has it */
  const char *absent; /* why it cannot be had; then only method is set.  NULL: it can */
  bool hardened;
  sfm_guarantee guarantee;
  sfm_plan_parameter parameters[SFM_PLAN_PARAMETERS_MAX];
  size_t parameter_count;
  sfm_forecast predicted;
  sfm_band band; /* what the release would state */
  /* Two bumps as narrow as the kernel and so far apart along the first column would be told apart
   * (each standing two standard errors above what is between them) if each held this share of the
   * records; above 1/2: they would not be.  NaN where there are no bumps. */
  double apart, share;
} sfm_plan_entry;

typedef struct sfm_plan sfm_plan;

/* Plans.  rows: the public n (under add/remove: settings->expected_rows, which must be stated).  A
 * bandwidth that is NULL is chosen, the best for each method; a method, noise, engine or number of
 * terms that is not auto narrows the list.  Of the settings only what is public and about the
 * estimate is looked at: no charge, no seed.  Their pointers are borrowed until the plan is
 * destroyed.  Checks all settings as the release would.  The caller destroys the plan. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_density(sfm_plan **out,
                                                   const sfm_density_settings *settings,
                                                   uint64_t rows, sfm_error *error);
/* every_basis: settings->basis is ignored, and all of them are planned; every_noise: likewise. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_series(sfm_plan **out,
                                                  const sfm_series_settings *settings,
                                                  bool every_basis, bool every_noise, uint64_t rows,
                                                  sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_curve(sfm_plan **out, const sfm_curve_settings *settings,
                                                 uint64_t rows, sfm_error *error);
/* length: of the vector.  every_noise: settings->noise is ignored. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_vector(sfm_plan **out,
                                                  const sfm_vector_settings *settings,
                                                  bool every_noise, size_t length,
                                                  sfm_error *error);
/* A session that is to answer so many questions: the engines that could. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_online(sfm_plan **out,
                                                  const sfm_density_settings *settings,
                                                  uint64_t rows, uint64_t questions,
                                                  sfm_error *error);
/* A public guess of a table's counts, for methods that keep only large ones. */
typedef struct sfm_table_guess {
  const double *counts; /* of the occupied cells, in any order; what matters is their proportions.
                           NULL: even */
  size_t count;
  uint64_t occupied; /* then so many cells share the records; 0: all cells, or as many as there are
                        records, and the intervals cover all other tables */
} sfm_table_guess;
/* A table: every form and noise (every), or what the settings say.  Where a number of occupied
 * cells is guessed, the threshold that rests on it is planned too. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_histogram(sfm_plan **out,
                                                     const sfm_histogram_settings *settings,
                                                     bool every, const sfm_table_guess *guess,
                                                     uint64_t rows, sfm_error *error);
/* One count of 0 to rows: the geometric mechanism and (every) the best ones for the worst count and
 * for counts that are all as likely (sfumato/optimal.h).  Errors are those of the worst count; each
 * is the mean over all.  sfm_plan_forecast is the geometric mechanism's. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_counting(sfm_plan **out, uint64_t rows, double epsilon,
                                                    sfm_neighbours neighbours,
                                                    uint32_t contributions, double confidence,
                                                    bool every, sfm_error *error);
/* A machine (train.h): every method, and where none is stated several numbers of random features
 * (every_method), and every noise (every_noise), or what the settings say.  dimension: of sparse
 * rows.  settings->label may be NULL.  settings->lambdas are planned side by side.  Errors are
 * those of its values at a row whose features are as long as any, against the machine without
 * noise; relative ones are parts of 1 (the margin; of a number: half of the width of its bounds).
 * sfm_plan_entry.parameters has the rest: features, kappa, sensitivity, certificate (its part of
 * the sensitivity), deviation, mean (of |f~ - f|), weights (their distance), lambda_rule, and of
 * random features kernel_deviation and kernel_certified. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_train(sfm_plan **out, const sfm_train_settings *settings,
                                                 bool every_method, bool every_noise, uint64_t rows,
                                                 size_t dimension, sfm_error *error);
SFM_API void sfm_plan_destroy(sfm_plan *plan);

/* The methods, least predicted error first, those that cannot be had last.  Owned by the plan. */
SFM_API size_t sfm_plan_count(const sfm_plan *plan);
SFM_API const sfm_plan_entry *sfm_plan_at(const sfm_plan *plan, size_t i);
/* The place of the hardened method of least predicted error, which is what auto takes; without a
 * hardened one the first; SIZE_MAX when none can be had. */
SFM_API size_t sfm_plan_best(const sfm_plan *plan);

/* What auto would have with so many records and that epsilon, all else as it was asked for:
 * parameters that were free are chosen anew.  A vector has no records: they are ignored.  It never
 * rises with either (of a table with a threshold: not once its relative error is below 1, and but
 * for where the threshold, a whole number, steps). */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_forecast(const sfm_plan *plan, sfm_forecast *forecast,
                                                    double rows, double epsilon, sfm_error *error);
/* The least number of records at this epsilon, and the least epsilon at these records (to three
 * digits), for which the relative error is no more than that; infinite where none is enough, NaN
 * where there are no records. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_rows_for(const sfm_plan *plan, double *rows,
                                                    double relative, sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_epsilon_for(const sfm_plan *plan, double *epsilon,
                                                       double relative, sfm_error *error);
/* The bandwidths (one per column) for which auto's total error would be least, whatever was asked
 * for, and that forecast; NaN where there is no bandwidth to choose. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_bandwidth(const sfm_plan *plan, double *bandwidth,
                                                     sfm_forecast *forecast, sfm_error *error);

/* A release such as the best method would make of as many records drawn from the shape: simulated
 * with a public generator, so it is not private, and says so; it can be shown, evaluated and drawn
 * like any other.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_preview(const sfm_plan *plan, sfm_release **out,
                                                   uint64_t seed, sfm_error *error);
/* The shape (a curve: the mean that was guessed) at points, count x dimension. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_shape(const sfm_plan *plan, double *values,
                                                 const double *points, size_t count,
                                                 sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
