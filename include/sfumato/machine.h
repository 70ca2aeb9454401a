/* machine.h - a released kernel machine: what it is, and its values and classes at points.
 *
 * A machine is a function f(x) = offset + factor <w, phi(u(x))> of the columns of a record, or
 * several (one-vs-rest: one a class).  Binary: the sign decides between two labels.  Everything
 * here is post-processing. */
#ifndef SFUMATO_MACHINE_H
#define SFUMATO_MACHINE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_task { SFM_TASK_BINARY, SFM_TASK_ONE_VS_REST, SFM_TASK_REGRESSION } sfm_task;

/* docs/proofs/machine.md has the formulas. */
typedef enum sfm_machine_loss {
  SFM_MACHINE_HINGE,
  SFM_MACHINE_SQUARED_HINGE,
  SFM_MACHINE_LOGISTIC,
  SFM_MACHINE_HUBER,
  SFM_MACHINE_EPSILON_INSENSITIVE,
  SFM_MACHINE_SQUARED,
} sfm_machine_loss;

/* What a kernel sees of bounded columns. */
typedef enum sfm_scaling {
  SFM_SCALING_UNIT, /* each in [-1, 1] */
  SFM_SCALING_BALL, /* each in [-1, 1], divided by the root of their number: |u| <= 1 */
  SFM_SCALING_NONE, /* as they are */
} sfm_scaling;

/* "binary", ...; "hinge", "squared-hinge", "logistic", "huber", "epsilon-insensitive", "squared";
 * "unit", "ball", "none".  NULL for a number that is none.  Static storage. */
SFM_API const char *sfm_task_name(sfm_task task);
SFM_API const char *sfm_machine_loss_name(sfm_machine_loss loss);
SFM_API const char *sfm_scaling_name(sfm_scaling scaling);

/* All that is told of a machine.  Texts belong to the release. */
typedef struct sfm_machine {
  sfm_task task;
  const char *label;     /* the column of labels, or NULL */
  size_t class_count;    /* labels; 0 for regression */
  size_t function_count; /* values a point: 1, or one a class */
  double offset, factor; /* of regression; 0 and 1 */
  double lower, upper;   /* of the labels of regression */
  sfm_machine_loss loss;
  double parameter; /* of the loss, in units of the label; NaN: it has none */
  double lambda;
  sfm_kernel_family kernel;
  double bandwidth; /* in units of u */
  unsigned degree;
  double shift;       /* polynomial: (<u, v> + shift)^degree */
  double constant;    /* the penalised constant feature, or 0 */
  const char *form;   /* "linear", "monomials", "torus", "random", "points" */
  size_t features;    /* weights a function */
  size_t input_count; /* columns; 0: sparse rows of `dimension` coordinates */
  size_t dimension;
  sfm_scaling scaling;
  double clip;                     /* infinite: none */
  double kappa;                    /* no row's features are longer */
  double bound, certificate, used; /* what a record can move the weights by (l2): by theorem, what
                                      the solver may be off by, both (and contributions) */
  double tolerance;                /* certificate <= tolerance * bound */
} sfm_machine;

/* False when the release is no machine. */
SFM_API bool sfm_release_machine(const sfm_release *release, sfm_machine *machine);
/* What the weights of the methods tddl, tdil and interactive were fitted to: answers that had
 * noise.  Numbers that do not belong to the method are NaN. */
typedef struct sfm_machine_fit {
  const char *shape; /* of the noise: "values", "isotropic" or "kernel"; static storage */
  uint64_t answers;  /* of a function */
  double radius;     /* tddl: no function is longer in the kernel's space */
  double ridge;      /* tdil, interactive: the diagonal that was added to the kernel's matrix */
  double rms;        /* tddl: how far the values at the points are at most from those without
                        noise, root mean square, with the band's confidence */
  uint64_t rounds;   /* tdil, interactive: that were paid for; else 0 */
  double choosing, watching, comparing, answering; /* epsilon of a round's parts */
  double threshold;                                /* interactive */
} sfm_machine_fit;

/* Whether it is such a machine, and what then. */
SFM_API bool sfm_release_fit(const sfm_release *release, sfm_machine_fit *fit);

/* The i-th label, first the negative one of binary; NULL beyond the last. */
SFM_API const char *sfm_machine_class(const sfm_release *release, size_t i);
/* The i-th column, its bounds (infinite: none stated) and categories (0: numeric). */
SFM_API const char *sfm_machine_input(const sfm_release *release, size_t i);
SFM_API void sfm_machine_bounds(const sfm_release *release, double *lower, double *upper, size_t i);
SFM_API size_t sfm_machine_categories(const sfm_release *release, size_t i);
SFM_API const char *sfm_machine_category(const sfm_release *release, size_t i, size_t k);

/* values[p * function_count + j] at count points of input_count cells each: a number, of a column
 * with categories the place of one of them.  Cells beyond their bounds are treated as those of
 * private rows were.  NaN where a cell has no value.  Thread-safe. */
SFM_API SFM_MUST_CHECK sfm_status sfm_machine_at(const sfm_release *release, double *values,
                                                 const double *cells, size_t count,
                                                 sfm_error *error);
/* The same for sparse rows: row p has numbers[starts[p]] .. at coordinates indices[..], from 0,
 * ascending.  NaN for a row with an index beyond the dimension. */
SFM_API SFM_MUST_CHECK sfm_status sfm_machine_at_sparse(const sfm_release *release, double *values,
                                                        const size_t *starts,
                                                        const uint32_t *indices,
                                                        const double *numbers, size_t count,
                                                        sfm_error *error);
/* Which class the values of one point stand for: SIZE_MAX when there is none. */
SFM_API size_t sfm_machine_decide(const sfm_release *release, const double *values);

/* Half-widths at a point of the band of f against the machine without noise: at one point fixed
 * beforehand, and at all at once.  Infinite when the release states none (objective). */
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
