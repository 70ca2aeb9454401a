/* release_data.h - the release in memory (internal face of sfumato/release.h).
 *
 * Invariants, held by whoever builds one (mechanisms, the reader of files) and by
 * sfmi_release_check:
 *  1. a hardened release has `integers` and a step; the released numbers are integers x step.  An
 *     idealised one has `reals`.
 *  2. a density's coefficients are in the unit of one record: lattice masses or feature sums over
 *     rows.  What turns them into a density (1/n, the kernel) is public.
 *  3. no size exceeds SFMI_RELEASE_MAX.
 *  4. the body of its kind states its own invariants.
 *  5. nothing here was computed from private rows except the noisy coefficients. */
#ifndef SFMI_RELEASE_DATA_H
#define SFMI_RELEASE_DATA_H

#include "base/text/person_ids.h"
#include "estimators/lattice/lattice.h"
#include "features/bases/basis.h"
#include "features/bodies/hit_and_run.h"
#include "features/kernels/gaussian_torus.h"
#include "fields/gaussian_field.h"
#include "resources.h"
#include "sfumato/schema.h"
#include "sfumato/account.h"
#include "sfumato/density.h"
#include "sfumato/noise.h"
#include "sfumato/release.h"

/* Most coefficients in a release, and most points of the padded lattice that evaluates it. */
#define SFMI_RELEASE_MAX ((size_t)1 << 24)
#define SFMI_PADDED_MAX ((size_t)1 << 25)
/* Largest matrix of exponentials (numbers) that a grid is evaluated through. */
#define SFMI_GRID_MATRIX_MAX 4e6
/* Largest table that evaluates a function of one variable, in modes: its polynomials take 512 bytes
 * per mode.  Beyond it, and in more dimensions, points are gathered. */
#define SFMI_TABLE_MODES_MAX ((size_t)1 << 19)
/* Most values of a file: coefficients, and beside them categories, cells, margins and the rest. */
#define SFMI_VALUES_MAX (SFMI_RELEASE_MAX + ((size_t)1 << 20))

/* Most columns of groups, and most groups. */
#define SFMI_BY_MAX 8
#define SFMI_GROUPS_MAX 100000

/* Integrals of a kernel within which densities, and their squares, are doubles. */
#define SFMI_MASS_MIN 1e-140
#define SFMI_MASS_MAX 1e140

/* Most columns of values on a grid: it has points^columns of them, and a place lies between
 * 2^columns of them. */
#define SFMI_GRID_DENSITY_DIMENSIONS 3

/* Under add/remove a random engine's last coefficient is this times the number of records. */
#define SFMI_TOTAL_WEIGHT 0.125

typedef enum sfmi_method {
  SFMI_LATTICE,
  SFMI_GP,
  SFMI_SOBOLEV,
  SFMI_SERIES,
  SFMI_CURVE,
  SFMI_FOURIER_LAPLACE, /* fourier-laplace */
  SFMI_CARATHEODORY,    /* both: coefficients of 1, sqrt2 cos, sqrt2 sin, ... on the torus */
  SFMI_LAPLACE,         /* vectors */
  SFMI_NORMAL,
  SFMI_GAMMA,
  SFMI_EXPONENTIAL,   /* a range: quantiles of one column */
  SFMI_KNORM,         /* k-norm: a vector */
  SFMI_TABLE_LAPLACE, /* histogram: laplace, normal, sparse, undeclared */
  SFMI_TABLE_NORMAL,
  SFMI_TABLE_SPARSE,
  SFMI_TABLE_UNDECLARED,
  SFMI_COUNT_GEOMETRIC, /* count: geometric, optimal */
  SFMI_COUNT_OPTIMAL,
  SFMI_MECHANISM_OPTIMAL,  /* mechanism: optimal */
  SFMI_CHOICE_EXPONENTIAL, /* choice: exponential */
  SFMI_MEAN_EMPIRICAL,     /* mean: empirical */
  SFMI_MACHINE_GP,         /* machine: gp, finite, rff, objective, tddl, tdil, interactive */
  SFMI_MACHINE_FINITE,
  SFMI_MACHINE_RFF,
  SFMI_MACHINE_OBJECTIVE,
  SFMI_MACHINE_TDDL,
  SFMI_MACHINE_TDIL,
  SFMI_MACHINE_INTERACTIVE,
  SFMI_METHOD_COUNT,
} sfmi_method;

/* The bit of a method. */
#define SFMI_METHODS(name) (UINT32_C(1) << SFMI_##name)

/* How the coefficients of a function make it. */
typedef enum sfmi_form {
  SFMI_FORM_LATTICE, /* masses of a lattice */
  SFMI_FORM_TORUS,   /* coefficients of features or harmonics on a torus */
  SFMI_FORM_BASIS,   /* coefficients of basis functions */
  SFMI_FORM_PLACES,  /* values at places */
  SFMI_FORM_GRID,    /* refined: values on a regular grid */
} sfmi_form;

/* Machines whose coefficients are not what noise was added to, but doubles that were fitted to it:
 * post-processing (releases/kinds/machine_model.h). */
static inline bool sfmi_method_fitted(sfmi_method method) {
  return method >= SFMI_MACHINE_TDDL && method <= SFMI_MACHINE_INTERACTIVE;
}

/* What was done to a refined release. */
typedef struct sfmi_refinement {
  bool done; /* it is one */
  bool shrunk, nonnegative, normalised, combined;
  /* Of a combination: of how many releases (0: the file is older than this member), whether its
   * guarantee assumes that nobody is in two of them, and whether that of one of them assumes as
   * much of its own parts. */
  uint64_t parts;
  bool disjoint, parts_disjoint;
} sfmi_refinement;

/* The columns that make groups and their categories, owned. */
typedef struct sfmi_partition {
  size_t count; /* columns; 0: no groups */
  char *columns[SFMI_BY_MAX];
  char **labels[SFMI_BY_MAX];
  size_t sizes[SFMI_BY_MAX]; /* categories of each */
} sfmi_partition;

/* How many groups: 1 where there are none. */
size_t sfmi_partition_groups(const sfmi_partition *partition);
/* A copy; false when memory is short (what was copied is to be cleared). */
bool sfmi_partition_copy(sfmi_partition *out, const sfmi_partition *partition);

void sfmi_partition_clear(sfmi_partition *partition);

/* A bandwidth that was chosen privately; count 0: it was stated. */
typedef struct sfmi_bandwidth_choice {
  size_t count, index;
  double *candidates; /* count x dimension.  Owned. */
  double share;       /* of the budget, for the choice */
  double epsilon;     /* of the choice */
  sfm_guarantee rest; /* of the numbers that are released, given the choice */
  /* Predicted beforehand: the probability that a candidate is chosen which is about as good as the
   * best, and the share of those among the candidates.  chance 0: the file does not say. */
  double likely, chance;
} sfmi_bandwidth_choice;

/* The body of a density or another function.  Its form (sfmi_release_form) says what it has:
 *  lattice  the product of its axes' points is the length, group after group
 *  torus    2 terms + 1 coefficients along each axis.  fourier-laplace and caratheodory: the
 *           coefficient of the constant is the number of rows
 *  basis    a coefficient for each of its functions; one more for the total, by the engine random
 *           under add/remove
 *  places   a coefficient for each: values of the sum over rows of K(., row), in records (a
 *           density), or of the caller's function.  Idealised
 *  grid     refined: values of a density on a regular grid (places), multilinear in between, as
 *           reals, group after group (all zero: too few records), beside the groups' sizes; its
 * band is NaN.  method, law, scale and step are those of what it was made from. Only a lattice has
 * groups.  They are divided by their noisy sizes, also when rows are stated. */
typedef struct sfmi_function_body {
  size_t dropped; /* columns summed out of it: 0, but for marginals */
  double bandwidth[SFM_MAX_DIMENSION];
  sfmi_partition by;
  sfmi_bandwidth_choice choice;
  sfm_kernel_family kernel;
  unsigned degree; /* polynomial */
  double constant;
  sfm_engine engine;    /* gp, sobolev */
  sfmi_lattice lattice; /* lattice */
  sfmi_torus torus[SFM_MAX_DIMENSION];
  sfm_density_body density_body;   /* caratheodory */
  sfmi_basis *basis;               /* Owned. */
  double clip, ridge;              /* curve */
  double gamma[SFM_MAX_DIMENSION]; /* sobolev */
  double sup;                      /* places: of K(x, x) */
  double nugget;                   /* places: variance on top of K(x, x), in units of scale^2 */
  sfmi_places places;              /* its points are those below */
  double *points;                  /* Owned. */
  double *sizes;                   /* refined, by groups: noisy sizes, none below zero.  Owned. */
  double size_error;               /* the standard deviation of their noise */
} sfmi_function_body;

/* The body of a vector. */
typedef struct sfmi_vector_body {
  char **labels;            /* one text per coefficient, or NULL.  Owned. */
  double *ellipsoid_factor; /* only while it is being released: L of S = L L'.  Owned. */
  sfmi_hit_and_run *shape;  /* the same: the body that k-norm noise is shaped to.  Owned. */
} sfmi_vector_body;

/* The body of a choice: what it was among.  The one coefficient is the place of the chosen
 * candidate; scale, sensitivity and range of the noise are in the unit of the scores, of which the
 * exponential mechanism took exp(score/scale). */
typedef struct sfmi_choice_data {
  size_t count;
  char **candidates; /* each of them once */
  bool monotonic;
  double step; /* scores counted in multiples of it: a power of two */
} sfmi_choice_data;

typedef struct sfmi_release_kind sfmi_release_kind; /* releases/core/release_kind.h */

struct sfm_release {
  const sfmi_release_kind *kind;
  sfmi_method method; /* one that the kind has */
  bool hardened;
  bool is_private;
  sfm_guarantee guarantee;
  sfm_neighbours neighbours;
  uint32_t contributions;
  bool enforced; /* contributions are enforced through the person column */
  /* The column that says whose record it is.  NULL: records are protected, or, enforced, the file
   * is of sfumato 0.1, which did not write it. */
  char *person;
  sfmi_person_ids person_ids; /* how its ids are compared */
  char *sentence;

  /* Where it was charged; NULL: nowhere. */
  char *dataset, *request;
  sfm_accounting accounting;
  /* The file as a ledger keeps it, when one does: written as it is. */
  char *stored;
  size_t stored_length;

  /* noise: law and scale of one noise in the coefficients' unit, the factor included; step 0 when
   * idealised. */
  sfm_noise_law law;
  double scale, step, sensitivity;
  uint64_t summed; /* independent noises of that law in every coefficient: 1, but for marginals */
  double factor;   /* a coefficient is integer x step x factor: 1, but for marginals */
  double range; /* hardened vectors: coordinates beyond +-range count as its ends; else infinite */

  bool has_rows;
  uint64_t rows;
  sfm_outside outside;
  sfmi_refinement refined; /* densities and histograms */

  /* Columns of numbers with their bounds. */
  size_t dimension;
  char *columns[SFM_MAX_DIMENSION];
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
  sfm_boundary boundary[SFM_MAX_DIMENSION];

  size_t length;
  int64_t *integers;
  double *reals;

  /* The body, what only its kind has: the one that belongs to `kind`.  The others are NULL, so that
   * whoever mistakes a kind meets no other's body.  Owned. */
  sfmi_function_body *function;       /* density, function */
  sfmi_vector_body *vector;           /* vector */
  double *quantiles;                  /* range: which, one per coefficient */
  struct sfmi_cells *cells;           /* histogram: releases/kinds/histogram_cells.h */
  struct sfmi_count_data *count_data; /* count: releases/kinds/count_kind.h */
  sfmi_choice_data *choice_data;      /* choice */
  struct sfmi_optimal *optimal;       /* mechanism: releases/kinds/optimal.h */
  struct sfmi_machine_model *model;   /* machine: releases/kinds/machine_model.h */

  /* The most that anything done with it may take; infinite when it was made, not read. */
  sfmi_resources most;
  sfm_band band;
  size_t draws; /* a band simulates at most so many; 0: as many as are usual.  Not in the file. */
};

/* The body of a release that may be of any kind; that of a function without anything where it is
 * none. */
const sfmi_function_body *sfmi_function_of(const sfm_release *release);
/* How many draws a band simulates of those it could. */
static inline size_t sfmi_release_draws(const sfm_release *release, double draws) {
  return release->draws && (double)release->draws < draws ? release->draws : (size_t)draws;
}

/* An empty release, or NULL. */
sfm_release *sfmi_release_create(const sfmi_release_kind *kind);
/* Makes it one of another kind, with an empty body; false when memory is short. */
bool sfmi_release_become(sfm_release *release, const sfmi_release_kind *kind);
const char *sfmi_method_name(sfmi_method method);
/* Whether it is a density; or a density or another function. */
bool sfmi_release_is_density(const sfm_release *release);
bool sfmi_release_is_function(const sfm_release *release);
/* Whether its coefficients are those of 1, sqrt2 cos, sqrt2 sin on tori: fourier-laplace and
 * caratheodory. */
bool sfmi_release_harmonic(const sfm_release *release);
/* A release derived from another: all that is public of it without its coefficients and its stored
 * file; of its body only what the kind copies. */
SFM_MUST_CHECK sfm_status sfmi_release_derive(sfm_release **out, const sfm_release *release,
                                              sfm_error *error);
/* What a function that makes *out ends with: returns status, and where that is a failure destroys
 * *out and sets it to NULL. */
SFM_MUST_CHECK sfm_status sfmi_release_made(sfm_release **out, sfm_status status);
/* The number a density release is divided by: n, or the noisy total under add/remove and of
 * groups. */
double sfmi_release_total(const sfm_release *release);
/* A release by the context, with whom it protects: as its schema says, the person enforced.  NULL:
 * memory is short. */
sfm_release *sfmi_release_begin(const sfmi_release_kind *kind, sfmi_method method,
                                const sfm_context *context);
/* The same of a statistic whose owner says whom it protects. */
sfm_release *sfmi_release_begin_stated(const sfmi_release_kind *kind, sfmi_method method,
                                       const sfm_context *context, sfm_neighbours neighbours,
                                       uint32_t contributions, const char *person);
/* Column a and its bounds; false when memory is short. */
SFM_MUST_CHECK bool sfmi_release_set_column(sfm_release *release, size_t a, const char *name,
                                            double lower, double upper);
/* Copies the column that names the person, NULL for none; enforced: no more than `contributions` of
 * a person's records count, else the owner says so.  False when memory is short. */
bool sfmi_release_set_person(sfm_release *release, const char *person, bool enforced);
/* The person of a schema, enforced, and how it has ids compared. */
bool sfmi_release_take_person(sfm_release *release, const sfm_schema *schema);
/* Whether its noise is normal, rounded or not. */
bool sfmi_release_normal(const sfm_release *release);
bool sfmi_release_laplace(const sfm_release *release);
/* Whether that number is noisy: under add/remove, and of groups. */
bool sfmi_release_counted(const sfm_release *release);
/* Copies a text for each coefficient of a vector; false when memory is short. */
bool sfmi_release_set_labels(sfm_release *release, const char *const *labels);
/* Refuses a release by more than one group: it has a density for each, and none itself. */
SFM_MUST_CHECK sfm_status sfmi_release_single(const sfm_release *release, sfm_error *error);
/* Whether it is of a group of which too few are left, by its noisy size, to divide by. */
bool sfmi_release_too_few(const sfm_release *release);
/* Of a function. */
sfmi_form sfmi_release_form(const sfm_release *release);
/* Whether it has places: a gp, sobolev or function release by circulant, markov or gram. */
bool sfmi_release_placed(const sfm_release *release);
/* The kernel of what was estimated, borrowing the release; a caller's own cannot be had from a
 * file. */
sfm_kernel sfmi_release_kernel(const sfm_release *release);
/* The kernel of the noise, by which values at places are interpolated; inverse has room for the
 * bandwidths it borrows.  The same, but for sobolev. */
sfm_kernel sfmi_release_noise_kernel(const sfm_release *release, double *inverse);
/* What a coefficient is divided by, beside the number of records: the kernel's integral for a
 * density of places or by the engine random, else 1. */
double sfmi_release_mass(const sfm_release *release);
/* Steps a multi-index, the last axis fastest; false after the last. */
static inline bool sfmi_index_step(size_t *index, const size_t *sizes, size_t dimension) {
  for (size_t a = dimension; a-- > 0;) {
    if (++index[a] < sizes[a]) return true;
    index[a] = 0;
  }
  return false;
}
/* How long the ring is on which a lattice axis is transformed: its points N, for a bandwidth
 * (releases/eval/trig_polynomial.h), and how many modes so many points make. */
size_t sfmi_lattice_padded(const sfmi_lattice_axis *axis, double h);
size_t sfmi_lattice_modes(size_t padded);
/* Whether a point lies within the bounds, both included. */
bool sfmi_release_contains(const sfm_release *release, const double *x);
/* The refusal of a band, which refined releases do not have. */
sfm_status sfmi_fail_refined_band(sfm_error *error);

#endif
