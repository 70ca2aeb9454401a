/* train.h - learns a kernel machine (a classifier or a regression) from private rows and releases
 * it; scores a released machine on rows. */
#ifndef SFUMATO_TRAIN_H
#define SFUMATO_TRAIN_H

#include "sfumato/context.h"
#include "sfumato/machine.h"
#include "sfumato/rows.h"
#include "sfumato/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_train_method {
  /* f + sigma G, G ~ GP(0, K): normal noise on finite features if the kernel has them, otherwise on
   * values at public places (idealised). */
  SFM_TRAIN_GP,
  SFM_TRAIN_FINITE,    /* noise on the weights of finite features */
  SFM_TRAIN_RFF,       /* noise on the weights of random features */
  SFM_TRAIN_OBJECTIVE, /* noise in the objective: a baseline, idealised */
  SFM_TRAIN_TDDL,      /* noise on values at public points; a function is fitted to them */
  SFM_TRAIN_TDIL,      /* noise on values at privately chosen points; a function is fitted */
} sfm_train_method;

/* Returns "gp", "finite", "rff", "objective", "tddl" or "tdil"; NULL for a number that is not a
 * method.  Static storage. */
SFM_API const char *sfm_train_method_name(sfm_train_method method);

/* tddl: the shape of the noise on the values at public points. */
typedef enum sfm_noise_shape {
  SFM_NOISE_SHAPE_AUTO,   /* the shape below with the smaller predicted error */
  SFM_NOISE_SHAPE_KERNEL, /* shaped like the kernel: noise of one scale in whitened coordinates */
  SFM_NOISE_SHAPE_ISOTROPIC, /* noise of one scale on the values themselves */
} sfm_noise_shape;

/* Returns "auto", "kernel" or "isotropic"; NULL for a number that is not a shape.  Static storage.
 */
SFM_API const char *sfm_noise_shape_name(sfm_noise_shape shape);

/* tddl: a kernel that is given only by its matrices.  train and cross are PRIVATE. */
typedef struct sfm_gram {
  size_t rows, points;
  const double *train;   /* rows x rows: K between the records, in the order of the rows' file */
  const double *cross;   /* rows x points: K between the records and the public points */
  const double *between; /* points x points: K between the public points */
  double kappa;          /* stated by the owner: K(x, x) <= kappa^2 */
} sfm_gram;

/* tddl: the largest number of public points that are used, if their number is not stated; and if it
 * is stated. */
#define SFM_PUBLIC_USUAL 2000
#define SFM_PUBLIC_MOST 5000

/* The plan of the method tdil, from public numbers. */
typedef struct sfm_probes_plan {
  size_t rounds;              /* per machine */
  size_t points;              /* of the net; 0: the whole ball of the rows (idealised) */
  bool lattice;               /* whether the net is a lattice; otherwise Sobol points */
  double choosing, answering; /* the epsilon of choosing one point, and of one answer */
  /* In the unit of the label: the standard deviation of the noise of an answer; the root mean
   * square of a typical function over the points; and that of its part that is not learned. */
  double deviation, prior, forecast;
} sfm_probes_plan;

/* Everything here is public, except the private matrices of `gram`.  Pointers are borrowed. */
typedef struct sfm_train_settings {
  size_t size; /* of this struct */
  /* schema: bounds and categories of columns, person and contributions; neighbours must be
   * replace. */
  sfm_context context;
  /* Rows: columns, whose bounds and categories are in the schema; or sparse rows. */
  const char *const *features; /* the columns; NULL: sparse rows (sfm_rows_open_sparse) */
  size_t feature_count;
  const char *label;   /* the column of the labels; NULL for sparse rows */
  bool sparse_bounded; /* sparse rows: all coordinates are within lower <= 0 <= upper */
  double sparse_lower, sparse_upper;
  sfm_outside outside; /* default: SFM_OUTSIDE_CLAMP */
  /* Labels. */
  const char *const *labels; /* class_count of them, the negative one first; NULL: "-1", "1" */
  size_t class_count;
  bool one_vs_rest; /* for more than two classes: one machine per class */
  bool regression;  /* labels are numbers within the bounds below */
  double label_lower, label_upper;
  /* The machine. */
  sfm_kernel_family kernel; /* default: linear */
  double bandwidth;         /* of stationary kernels, in the unit of the scaled columns */
  unsigned degree;          /* polynomial: (<u, v> + shift)^degree */
  double shift;
  double constant;       /* the value of a penalised constant feature; 0: none */
  sfm_scaling scaling;   /* default: UNIT */
  double clip_norm;      /* rows with a larger norm are scaled down to it; 0: no clipping */
  sfm_machine_loss loss; /* default: HINGE */
  /* Of huber and epsilon-insensitive loss, in the unit of the label.  NaN (the default): a tenth
   * (huber) or a twentieth (epsilon-insensitive) of the width of the label's bounds, which is 2 for
   * classes. */
  double parameter;
  double lambda; /* 0 (the default): kappa^2/sqrt(rows) */
  /* Instead of lambda: candidates, of which one is chosen privately (docs/guides/train.md). */
  const double *lambdas;
  size_t lambda_count;
  /* The release. */
  sfm_train_method method; /* default: FINITE */
  /* rff: the number of random features, cosines and sines together, even.  objective: the same, or
   * 0 for finite features. */
  size_t rff_features;
  const double *places; /* gp without finite features: place_count points of feature_count cells */
  size_t place_count;
  /* tddl: public points without labels: public_count of them, with feature_count cells each, or
   * sparse rows as sfm_sparse_read returns them. */
  const double *public_cells;
  const size_t *public_starts;
  const uint32_t *public_indices;
  const double *public_values;
  size_t public_count;
  size_t public_points; /* how many are used, the first ones; 0: chosen, at most SFM_PUBLIC_USUAL */
  /* tddl: matrices instead of features and kernel, which must not be set.  The rows then have only
   * the label, and public_count is the number of points of the matrices.  The guarantee assumes,
   * and nothing checks, that train, cross and between come from one kernel: the matrix of all
   * records and points is positive semi-definite up to rounding, for these records and for any
   * other record in the place of one of them.  sfm_gram_check tells the owner about these records.
   * The sentence of the release states the assumption. */
  const sfm_gram *gram;
  sfm_noise_shape shape; /* tddl; default: AUTO */
  /* tddl: called before anything is charged, with the shape, the number of points used, and the
   * predicted root mean square error of the values there for both shapes (NaN: not computed).  May
   * be NULL. */
  void (*decided)(void *data, sfm_noise_shape shape, size_t points, double kernel,
                  double isotropic);
  void *decided_data;
  size_t net;    /* tdil: points of the net; 0: the usual number (linear kernel: no net) */
  size_t probes; /* tdil: rounds; 0: the number with the least predicted error */
  /* tdil: called with the plan before anything is charged.  May be NULL. */
  void (*foreseen)(void *data, const sfm_probes_plan *probes);
  void *foreseen_data;
  /* If noise_given is false: normal noise with a delta, Laplace noise without. */
  bool noise_given;
  sfm_vector_noise noise;      /* laplace, normal or gamma */
  double epsilon, delta;       /* delta 0: pure epsilon */
  sfm_calibration calibration; /* of normal noise; default: EXACT */
  double tolerance; /* the largest error of the solver, as a part of the bound; default: 0.1 */
} sfm_train_settings;

/* Returns the defaults.  schema, columns or sparse rows, labels and epsilon must be set. */
SFM_API void sfm_train_settings_init(sfm_train_settings *settings, size_t size);
SFM_DEFAULT(sfm_train_settings)

/* Learns a machine and releases it, kind "machine".  A record is ignored if its label is not
 * declared or if a cell has no valid value.  Blocks while it reads and solves; holds all rows in
 * memory.  The caller destroys the release.
 * Privacy: as the noise says: pure epsilon (laplace, gamma) or mu-GDP from (epsilon, delta)
 * (normal; for the method objective only (epsilon, delta)); tdil: pure epsilon, with a delta the
 * guarantee of all rounds together that the release states; replace neighbours.
 * Proof: docs/proofs/machine.md; tddl docs/proofs/tddl.md; tdil docs/proofs/tdil.md; lambdas
 * docs/proofs/tuning.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_train_release(sfm_release **out, sfm_rows *rows,
                                                    const sfm_train_settings *settings,
                                                    sfm_error *error);

/* Plans tdil from public numbers alone.  Checks settings as the release would.  rows: the public n.
 * dimension: of sparse rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_probes(sfm_probes_plan *probes,
                                                  const sfm_train_settings *settings, uint64_t rows,
                                                  size_t dimension, sfm_error *error);

/* Facts about matrices, for their owner, before they are used.  PRIVATE. */
typedef struct sfm_gram_report {
  size_t above;      /* records with K(x, x) above kappa^2 by more than rounding */
  size_t dropped;    /* records that are ignored: K(x, x) is above, below 0 or not a number */
  size_t unreadable; /* entries that are not numbers; on the diagonal, their records are ignored */
  double lopsided;   /* the largest |train[i][k] - train[k][i]|, over kappa^2 */
  double least;      /* the least eigenvalue of the matrix of records and points, over kappa^2 */
  bool fits;         /* whether that eigenvalue is as assumed */
} sfm_gram_report;

/* Checks the matrices of a kernel.  The result is for the owner alone.
 * Privacy: none. */
SFM_API SFM_MUST_CHECK sfm_status sfm_gram_check(sfm_gram_report *report, const sfm_gram *gram,
                                                 sfm_error *error);

/* How to score a machine on rows that it was not trained on. */
typedef struct sfm_score_settings {
  size_t size;         /* of this struct */
  sfm_context context; /* schema: person, contributions; bounds are those of the machine */
  const char *label;   /* NULL: the machine's own, or that of sparse rows */
  bool is_public;      /* the rows are public: the score is exact, and nothing is charged */
  double epsilon;      /* for private rows, 1e-6 to 1e3 */
} sfm_score_settings;

/* Returns the defaults. */
SFM_API void sfm_score_settings_init(sfm_score_settings *settings, size_t size);
SFM_DEFAULT(sfm_score_settings)

/* The largest number of classes for which sfm_score.table is filled. */
#define SFM_SCORE_TABLE 10

/* A row is unusable if it has no valid value or no valid label.  It counts as wrong; in regression
 * it counts as an error of the whole width of the label's bounds. */
typedef struct sfm_score {
  bool regression;
  double accuracy; /* classes: the share of the rows that get their own label */
  double error;    /* regression: mean |prediction - label|, both within the label's bounds */
  uint64_t rows;   /* all rows, including unusable ones */
  /* For public rows only, otherwise 0: */
  uint64_t unlabelled; /* unusable rows */
  size_t commonest;    /* the index of the most frequent label */
  double majority;     /* the share of the rows with that label: the accuracy of always saying it */
  double spread;       /* regression: the root of the mean square of prediction - label */
  double middle;       /* regression: the error of always saying the middle of the bounds */
  /* table[i][j]: the number of rows of label i that get label j.  All 0 if there are more than
   * SFM_SCORE_TABLE labels. */
  uint64_t table[SFM_SCORE_TABLE][SFM_SCORE_TABLE];
} sfm_score;

/* Scores a machine.  For private rows *release is a vector of one number, the noisy sum over rows,
 * which is divided by their number; the caller destroys it.  For public rows *release is NULL.  A
 * malformed line of PUBLIC sparse rows is refused, and the message states its number.  A malformed
 * line of private rows counts as wrong.
 * Privacy: none for public rows; otherwise pure epsilon, replace neighbours, hardened.
 * Proof: docs/proofs/machine.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_score_rows(sfm_score *score, sfm_release **release,
                                                 const sfm_release *machine, sfm_rows *rows,
                                                 const sfm_score_settings *settings,
                                                 sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
