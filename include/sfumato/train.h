/* train.h - learn a kernel machine from private rows and release it. */
#ifndef SFUMATO_TRAIN_H
#define SFUMATO_TRAIN_H

#include "sfumato/ledger.h"
#include "sfumato/machine.h"
#include "sfumato/rows.h"
#include "sfumato/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_train_method {
  SFM_TRAIN_GP,        /* f + sigma G: normal noise on finite features where the kernel has them, on
                          values at public places otherwise (idealised) */
  SFM_TRAIN_FINITE,    /* noise on the weights of finite features */
  SFM_TRAIN_RFF,       /* noise on the weights of random features */
  SFM_TRAIN_OBJECTIVE, /* noise in the objective: a baseline, idealised */
  SFM_TRAIN_TDDL,      /* noise on values at public points, and a fit to them */
  SFM_TRAIN_TDIL,      /* noise on values at points chosen privately, and a fit to them */
} sfm_train_method;

/* "gp", "finite", "rff", "objective", "tddl", "tdil"; NULL for a number that is none.  Static
 * storage. */
SFM_API const char *sfm_train_method_name(sfm_train_method method);

/* tddl: how the noise on values at public points is shaped. */
typedef enum sfm_noise_shape {
  SFM_SHAPE_AUTO,      /* the better of the two, by predicted error */
  SFM_SHAPE_KERNEL,    /* like the kernel: noise of one scale in whitened coordinates */
  SFM_SHAPE_ISOTROPIC, /* noise of one scale on the values themselves */
} sfm_noise_shape;

/* "auto", "kernel", "isotropic"; NULL for a number that is none.  Static storage. */
SFM_API const char *sfm_noise_shape_name(sfm_noise_shape shape);

/* tddl: a kernel that is known by its matrices alone.  PRIVATE but for the last one. */
typedef struct sfm_gram {
  size_t rows, points;
  const double *train;   /* rows x rows: K between the records, in the order of the rows' file */
  const double *cross;   /* rows x points: K between a record (a row) and the public points */
  const double *between; /* points x points: K between the public points */
  double kappa;          /* declared: K(x, x) <= kappa^2 */
} sfm_gram;

/* Public points of tddl that are used where their number is not stated, and at most. */
#define SFM_PUBLIC_USUAL 2000
#define SFM_PUBLIC_MOST 5000

/* What the method tdil would do, from public numbers: how many rounds, with which parts of epsilon,
 * and how far off its values would be. */
typedef struct sfm_probes {
  size_t rounds; /* of every machine */
  size_t
      points; /* of the net that they are chosen from; 0: all of the ball of the rows (idealised) */
  bool lattice;               /* the net is a lattice, else Sobol points */
  double choosing, answering; /* epsilon of choosing a point and of an answer */
  /* In units of the label: the standard deviation of an answer's noise; the root mean square of a
   * typical function over the points, and of what would not be known of it. */
  double deviation, prior, forecast;
} sfm_probes;

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_train_settings {
  /* Rows: columns (their bounds and categories are in the schema), or sparse rows. */
  const sfm_schema *schema;
  const char *const *features; /* NULL: sparse rows (sfm_rows_open_sparse) */
  size_t feature_count;
  const char *label;   /* NULL for sparse rows */
  bool sparse_bounded; /* sparse rows: every coordinate within these */
  double sparse_lower, sparse_upper;
  sfm_outside outside;
  /* Labels. */
  const char *const *labels; /* class_count of them; NULL: "-1", "1" */
  size_t class_count;
  bool one_vs_rest;
  bool regression; /* labels are numbers within: */
  double label_lower, label_upper;
  /* The machine. */
  sfm_kernel_family kernel;
  double bandwidth; /* of stationary kernels, in units of the scaled columns */
  unsigned degree;  /* polynomial: (<u, v> + shift)^degree */
  double shift;
  double constant; /* a penalised constant feature of this size; 0: none */
  sfm_scaling scaling;
  double clip_norm; /* rows are shortened to this; 0: not */
  sfm_machine_loss loss;
  double parameter; /* huber, epsilon-insensitive, in units of the label; NaN: a tenth, a twentieth
                       of the width of its bounds (of classes: of 2) */
  double lambda;    /* 0: kappa^2/sqrt(rows) */
  /* Instead: candidates, of which one is chosen privately (docs/guides/train.md). */
  const double *lambdas;
  size_t lambda_count;
  /* The release. */
  sfm_train_method method;
  size_t rff_features; /* rff: cosines and sines together, even; objective: 0 for finite features */
  const double *places; /* gp without finite features: place_count points of feature_count cells */
  size_t place_count;
  /* tddl: public points, without labels: feature_count cells each, or sparse rows as
   * sfm_sparse_read returns them. */
  const double *public_cells;
  const size_t *public_starts;
  const uint32_t *public_indices;
  const double *public_values;
  size_t public_count;
  size_t public_points; /* the first so many are used; 0: as many as are best */
  /* Or these matrices, in place of features and kernel (both unset): the rows have only the label,
   * public_count is their number of points.  Assumed, and not checked: that train, cross and
   * between are of one kernel, which is to say that the matrix made of all of them is positive
   * semi-definite to within rounding, for these records and with any other in the place of one
   * (sfm_gram_check tells the owner about these).  The release's sentence says so. */
  const sfm_gram *gram;
  sfm_noise_shape shape;
  /* When it is decided, before anything is charged: of points that are used, the shape, and the
   * root mean square of what values there would be off by, as predicted for both (NaN: not asked
   * for). */
  void (*decided)(void *context, sfm_noise_shape shape, size_t points, double kernel,
                  double isotropic);
  void *decided_context;
  size_t net;    /* tdil: points of the net; 0: the usual number, and of the linear kernel no net */
  size_t probes; /* tdil: rounds; 0: the best number by forecast */
  /* When they are planned, before anything is charged. */
  void (*foreseen)(void *context, const sfm_probes *probes);
  void *foreseen_context;
  bool noise_given;
  sfm_vector_noise noise; /* laplace, normal or gamma; else normal with a delta, laplace without */
  double epsilon, delta;
  sfm_calibration calibration;
  double tolerance; /* what the solver may be off by, as a part of the bound */
  double confidence;
  size_t threads; /* 0: as many as there are processors, up to eight */
  const sfm_charge *charge;
  bool seeded; /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read); /* as for a density */
  void *progress_context;
  /* While a machine (number `machine` of `machines`) is being solved. */
  void (*solving)(void *context, size_t machine, size_t machines, double gap, double target);
  void *solving_context;
} sfm_train_settings;

SFM_API sfm_train_settings sfm_train_settings_default(void);

/* Releases the machine, kind "machine".
 * Privacy: as the noise says: pure epsilon (laplace, gamma) or mu-GDP from (epsilon, delta)
 * (normal; in the objective (epsilon, delta) and no more), neighbours replace.  A record whose
 * label is not one of those declared, or which has a cell without a value, contributes nothing.
 * Proof: docs/proofs/machine.md. Blocks while it reads and solves; holds all rows in memory. */
SFM_API SFM_MUST_CHECK sfm_status sfm_train_release(sfm_release **out, sfm_rows *rows,
                                                    const sfm_train_settings *settings,
                                                    sfm_error *error);

/* tdil from public numbers alone.  Checks settings as the release would; dimension is that of
 * sparse rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_probes_plan(sfm_probes *probes,
                                                  const sfm_train_settings *settings, uint64_t rows,
                                                  size_t dimension, sfm_error *error);

/* What the owner of matrices should know before they are used.  PRIVATE. */
typedef struct sfm_gram_report {
  size_t above;   /* records whose K(x, x) is above kappa^2 by more than rounding */
  size_t dropped; /* records that count for nothing: those, and whose K(x, x) is no number or below
                     0 */
  size_t
      unreadable; /* entries that are no numbers; on the diagonal their records count for nothing */
  double lopsided; /* the largest difference of train[i][k] and train[k][i], over kappa^2 */
  double least;    /* the least eigenvalue of the matrix of records and points, over kappa^2 */
  bool fits;       /* whether that is as assumed */
} sfm_gram_report;

SFM_API SFM_MUST_CHECK sfm_status sfm_gram_check(sfm_gram_report *report, const sfm_gram *gram,
                                                 sfm_error *error);

/* What scoring a machine on rows that it was not told of tells. */
typedef struct sfm_score_settings {
  const sfm_schema *schema; /* person, contributions; bounds are those of the machine */
  const char *label;        /* NULL: the machine's own, or that of sparse rows */
  bool is_public;           /* the rows are public: exact, and nothing is charged */
  double epsilon;           /* else */
  const sfm_charge *charge;
  double confidence;
  bool seeded;
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read);
  void *progress_context;
} sfm_score_settings;

SFM_API sfm_score_settings sfm_score_settings_default(void);

/* Most labels of which the rows are tabulated. */
#define SFM_SCORE_TABLE 10

typedef struct sfm_score {
  bool regression;
  double accuracy; /* the part of the rows that get their own label */
  double error;    /* regression: mean |prediction - label|, both within the label's bounds */
  uint64_t rows;   /* all of them; one without a value or a label counts as wrong */
  /* Of public rows alone, else 0: */
  uint64_t unlabelled; /* rows without a value, or with a label that the machine does not know */
  size_t commonest;    /* the label that most rows have, */
  double majority;     /* and the part of the rows that do: how often always saying it is right */
  double spread;       /* regression: the root of the mean square of prediction - label, */
  double middle;       /* and the error of always saying the middle of the label's bounds */
  uint64_t table[SFM_SCORE_TABLE][SFM_SCORE_TABLE]; /* rows of that label that get that one; 0 when
                                                       there are more labels */
} sfm_score;

/* Privacy: none for public rows; else pure epsilon, neighbours replace, hardened: *release is a
 * vector of one number then, the sum over rows that is divided by their number, else NULL.  Proof:
 * docs/proofs/machine.md.
 * A line of PUBLIC sparse rows that is not libsvm text is refused by its number; of private rows it
 * counts as wrong. */
SFM_API SFM_MUST_CHECK sfm_status sfm_score_rows(sfm_score *score, sfm_release **release,
                                                 const sfm_release *machine, sfm_rows *rows,
                                                 const sfm_score_settings *settings,
                                                 sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
