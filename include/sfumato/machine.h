/* machine.h - reads a released kernel machine and computes its values and classes at points.
 * Everything here is post-processing.
 *
 * A machine is a function f(x) = offset + factor <w, phi(u(x))> of the columns of a record.  For
 * two classes (binary) the sign of f decides.  For more classes (one-vs-rest) there is one function
 * per class. */
#ifndef SFUMATO_MACHINE_H
#define SFUMATO_MACHINE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_task { SFM_TASK_BINARY, SFM_TASK_ONE_VS_REST, SFM_TASK_REGRESSION } sfm_task;

/* The formulas are in docs/proofs/machine.md. */
typedef enum sfm_machine_loss {
  SFM_MACHINE_LOSS_HINGE,
  SFM_MACHINE_LOSS_SQUARED_HINGE,
  SFM_MACHINE_LOSS_LOGISTIC,
  SFM_MACHINE_LOSS_HUBER,
  SFM_MACHINE_LOSS_EPSILON_INSENSITIVE,
  SFM_MACHINE_LOSS_SQUARED,
} sfm_machine_loss;

/* How bounded columns become the coordinates u of the kernel. */
typedef enum sfm_scaling {
  SFM_SCALING_UNIT, /* each is mapped to [-1, 1] */
  SFM_SCALING_BALL, /* as unit, divided by the root of the number of columns: |u| <= 1 */
  SFM_SCALING_NONE, /* not changed */
} sfm_scaling;

/* Return "binary", "one-vs-rest", "regression"; "hinge", "squared-hinge", "logistic", "huber",
 * "epsilon-insensitive", "squared"; "unit", "ball", "none".  NULL for any other number.  Static
 * storage. */
SFM_API const char *sfm_task_name(sfm_task task);
SFM_API const char *sfm_machine_loss_name(sfm_machine_loss loss);
SFM_API const char *sfm_scaling_name(sfm_scaling scaling);

/* All public facts of a machine, except its weights.  Texts are owned by the release. */
typedef struct sfm_machine {
  sfm_task task;
  const char *label;     /* the column of the labels, or NULL */
  size_t class_count;    /* the number of classes; 0 for regression */
  size_t function_count; /* values per point: 1, or one per class */
  double offset, factor; /* for regression; otherwise 0 and 1 */
  double lower, upper;   /* regression: the bounds of the label; otherwise NaN */
  sfm_machine_loss loss;
  double parameter; /* of the loss, in the unit of the label; NaN: it has none */
  double lambda;
  sfm_kernel_family kernel;
  double bandwidth; /* in the unit of u */
  unsigned degree;
  double shift;       /* polynomial: (<u, v> + shift)^degree */
  double constant;    /* the value of the penalised constant feature; 0: none */
  const char *form;   /* of the features: "linear", "monomials", "torus", "random", "points" */
  size_t features;    /* the number of weights per function */
  size_t input_count; /* the number of columns; 0: sparse rows of `dimension` coordinates */
  size_t dimension;
  sfm_scaling scaling;
  double clip;  /* the largest norm of a row; infinite: rows are not clipped */
  double kappa; /* the largest norm of the features of a row */
  /* How far one record can move the weights (l2): bound for the exact minimiser, certificate for
   * the error of the solver, used for both together, with contributions. */
  double bound, certificate, used;
  double tolerance; /* certificate <= tolerance * bound */
} sfm_machine;

/* Sets machine.  Returns false if the release is not a machine. */
SFM_API bool sfm_release_machine(const sfm_release *release, sfm_machine *machine);
/* For the methods tddl, tdil and interactive, whose weights are fitted to noisy answers: facts
 * about these answers.  Numbers that do not belong to the method are NaN. */
typedef struct sfm_machine_fit {
  const char *shape; /* of the noise: "values", "isotropic" or "kernel"; static storage */
  uint64_t answers;  /* the number of answers per function */
  double radius;     /* tddl: the largest norm of a function in the kernel's space */
  double ridge;      /* tdil, interactive: what was added to the diagonal of the kernel matrix */
  /* tddl: with the confidence of the band, the values at the public points are within this distance
   * of those without noise, as a root mean square. */
  double rms;
  uint64_t rounds; /* tdil, interactive: the number of rounds paid for; otherwise 0 */
  /* The parts of the epsilon of one round: for choosing a point (tdil), for the noisy threshold and
   * for the comparisons (interactive), and for an answer (both). */
  double choosing, watching, comparing, answering;
  double threshold; /* interactive: how far off the public model may be */
} sfm_machine_fit;

/* Sets fit.  Returns false if the release is not a machine of these methods. */
SFM_API bool sfm_release_fit(const sfm_release *release, sfm_machine_fit *fit);

/* Class i; for binary the negative class is first.  NULL if i is too large. */
SFM_API const char *sfm_machine_class(const sfm_release *release, size_t i);
/* The name of column i; its bounds (infinite: none stated); the number of its categories (0:
 * numeric); and its category k. */
SFM_API const char *sfm_machine_input(const sfm_release *release, size_t i);
SFM_API void sfm_machine_bounds(const sfm_release *release, double *lower, double *upper, size_t i);
SFM_API size_t sfm_machine_categories(const sfm_release *release, size_t i);
SFM_API const char *sfm_machine_category(const sfm_release *release, size_t i, size_t k);

/* Computes values[p * function_count + j], function j at point p, for count points of input_count
 * cells each.  A cell is a number; for a column with categories it is the index of a category.
 * Cells beyond their bounds are treated like those of private rows (clamped or dropped).  A value
 * is NaN if a cell of the point has no valid value.  Thread-safe. */
SFM_API SFM_MUST_CHECK sfm_status sfm_machine_at(const sfm_release *release, double *values,
                                                 const double *cells, size_t count,
                                                 sfm_error *error);
/* The same for sparse rows.  Row p has the numbers from numbers[starts[p]] to before
 * numbers[starts[p + 1]], at the coordinates indices[..], which count from 0 and ascend.  A row
 * with an index beyond the dimension has the value NaN. */
SFM_API SFM_MUST_CHECK sfm_status sfm_machine_at_sparse(const sfm_release *release, double *values,
                                                        const size_t *starts,
                                                        const uint32_t *indices,
                                                        const double *numbers, size_t count,
                                                        sfm_error *error);
/* The index of the class that the values of one point decide for; SIZE_MAX if there is none. */
SFM_API size_t sfm_machine_decide(const sfm_release *release, const double *values);

/* Computes half-widths of the band of f around the machine without noise, at each point:
 * pointwise holds at one point fixed beforehand, everywhere holds at all points at once.  Infinite
 * if the release states no band (method objective). */
SFM_API SFM_MUST_CHECK sfm_status sfm_machine_band(const sfm_release *release, double *pointwise,
                                                   double *everywhere, const double *cells,
                                                   size_t count, double confidence,
                                                   sfm_error *error);
/* The same for sparse rows. */
SFM_API SFM_MUST_CHECK sfm_status sfm_machine_band_sparse(const sfm_release *release,
                                                          double *pointwise, double *everywhere,
                                                          const size_t *starts,
                                                          const uint32_t *indices,
                                                          const double *numbers, size_t count,
                                                          double confidence, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
