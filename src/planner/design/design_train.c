#include "design_train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/category.h"
#include "estimators/machine/certificate.h"
#include "estimators/ascent/kernel_ascent.h"
#include "estimators/ascent/machine_solver.h"
#include "features/bases/random_basis.h"
#include "features/kernels/kernel.h"
#include "design_vector.h"
#include "design_tdil.h"
#include "design_tddl.h"
#include "design_tddl_gram.h"
#include "privacy/calibration.h"

/* Half of what a label ranges over: its errors are summed over rows, and in small parts of it. */
static const double LABEL_LEAST = 1e-280, LABEL_MOST = 1e280;
/* Parameters of losses where none are stated, in units of the scaled label, whose range is 2. */
static const double HUBER = 0.2, INSENSITIVE = 0.1;
/* Most labels. */
static const size_t CLASSES_MAX = 1000;
/* What a few products and a root in doubles are off by at most, as a factor. */
static const double ROUNDING = 1 + 1e-14;

sfm_train_settings sfm_train_settings_default(void) {
  return (sfm_train_settings){.kernel = SFM_KERNEL_LINEAR,
                              .loss = SFM_MACHINE_HINGE,
                              .parameter = NAN,
                              .method = SFM_TRAIN_FINITE,
                              .tolerance = 0.1,
                              .confidence = 0.95};
}

const char *sfm_train_method_name(sfm_train_method method) {
  static const char *const names[] = {"gp", "finite", "rff", "objective", "tddl", "tdil"};
  return (unsigned)method < sizeof names / sizeof names[0] ? names[method] : NULL;
}

const char *sfm_noise_shape_name(sfm_noise_shape shape) {
  static const char *const names[] = {"auto", "kernel", "isotropic"};
  return (unsigned)shape < sizeof names / sizeof names[0] ? names[shape] : NULL;
}

/* What settings say, in other words. */

sfm_vector_noise sfmi_design_train_noise(const sfm_train_settings *s) {
  if (s->noise_given) return s->noise;
  if (s->delta > 0) return SFM_VECTOR_NORMAL;
  return s->method == SFM_TRAIN_OBJECTIVE ? SFM_VECTOR_GAMMA : SFM_VECTOR_LAPLACE;
}

const char *const *sfmi_design_train_labels(const sfm_train_settings *s, size_t *count) {
  static const char *const usual[] = {"-1", "1"};
  *count = s->regression ? 0 : s->labels ? s->class_count : 2;
  if (s->regression) return NULL;
  return s->labels ? s->labels : usual;
}

size_t sfmi_design_train_machines(const sfm_train_settings *s) {
  size_t count;
  sfmi_design_train_labels(s, &count);
  return s->one_vs_rest ? count : 1;
}

static double half_width(const sfm_train_settings *s) {
  return s->regression ? 0.5 * s->label_upper - 0.5 * s->label_lower : 1;
}

sfmi_loss sfmi_design_train_loss(const sfm_train_settings *s) {
  sfmi_loss loss = {.kind = s->loss};
  if (loss.kind == SFM_MACHINE_HUBER)
    loss.parameter = isnan(s->parameter) ? HUBER : s->parameter / half_width(s);
  if (loss.kind == SFM_MACHINE_EPSILON_INSENSITIVE)
    loss.parameter = isnan(s->parameter) ? INSENSITIVE : s->parameter / half_width(s);
  return loss;
}

double sfmi_design_train_lambda(double kappa, uint64_t rows) {
  return kappa * kappa / sqrt((double)rows);
}

static bool is_finite(sfm_kernel_family kernel) {
  return !sfmi_kernel_stationary(kernel) || kernel == SFM_KERNEL_GAUSSIAN;
}

static sfmi_feature_map_form finite_form(sfm_kernel_family kernel) {
  if (kernel == SFM_KERNEL_LINEAR) return SFMI_FEATURE_MAP_LINEAR;
  return kernel == SFM_KERNEL_POLYNOMIAL ? SFMI_FEATURE_MAP_MONOMIALS : SFMI_FEATURE_MAP_TORUS;
}

sfmi_feature_map_form sfmi_design_train_form(const sfm_train_settings *s) {
  if (s->method == SFM_TRAIN_RFF || (s->method == SFM_TRAIN_OBJECTIVE && s->rff_features))
    return SFMI_FEATURE_MAP_RANDOM;
  if (s->method == SFM_TRAIN_GP && s->places) return SFMI_FEATURE_MAP_POINTS;
  if ((s->method == SFM_TRAIN_TDDL || s->method == SFM_TRAIN_TDIL) && !is_finite(s->kernel))
    return SFMI_FEATURE_MAP_POINTS;
  return finite_form(s->kernel);
}

/* Checks. */

static bool within(double x, double least, double most) {
  return x >= least && x <= most;
}

static sfm_status check_columns(const sfm_train_settings *s, sfm_error *error) {
  if (!s->schema)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine needs a schema, if only an empty one (sfm_schema_create)");
  if (sfm_schema_neighbours(s->schema) == SFM_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine is trained under --neighbours replace: its objective divides by "
                     "the number of records, which add-remove keeps private; a schema that says "
                     "\"neighbours\": \"add-remove\" is for other releases");
  if (!s->features) return SFM_OK;
  if (s->feature_count < 1)
    return sfmi_fail(error, SFM_INVALID, "name the columns to learn from: --features a,b,c");
  if (!s->label) return sfmi_fail(error, SFM_INVALID, "name the column of the labels: --label y");
  const char *person = sfm_schema_person(s->schema);
  if (person && strcmp(person, s->label) == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "the person '%s' is the label: records with the same label are not one "
                     "person's; name the column that says whose record it is, or leave --person "
                     "out",
                     person);
  for (size_t i = 0; i < s->feature_count; i++) {
    if (strcmp(s->features[i], s->label) == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "the label '%s' is among the features: a machine that is told the label "
                       "has nothing to learn; leave it out of --features",
                       s->label);
    for (size_t j = 0; j < i && s->feature_count <= 4096; j++)
      if (strcmp(s->features[i], s->features[j]) == 0)
        return sfmi_fail(error, SFM_INVALID, "--features names '%s' twice", s->features[i]);
  }
  return SFM_OK;
}

static sfm_status check_regression(const sfm_train_settings *s, sfm_error *error) {
  if (s->labels || s->one_vs_rest)
    return sfmi_fail(error, SFM_INVALID,
                     "--label-bounds are those of a number to predict, and --labels and "
                     "--one-vs-rest are about classes: leave out one of the two");
  if (!isfinite(s->label_lower) || !isfinite(s->label_upper) || !(s->label_lower < s->label_upper))
    return sfmi_fail(error, SFM_INVALID,
                     "the label's bounds must be two finite numbers, the lower one first, not "
                     "%g:%g; write for example --label-bounds 0:10",
                     s->label_lower, s->label_upper);
  if (!within(half_width(s), LABEL_LEAST, LABEL_MOST))
    return sfmi_fail(error, SFM_INVALID,
                     "--label-bounds %g:%g: sums of such numbers are no doubles; state the label "
                     "in another unit",
                     s->label_lower, s->label_upper);
  return SFM_OK;
}

static sfm_status check_classes(const sfm_train_settings *s, sfm_error *error) {
  size_t count;
  const char *const *labels = sfmi_design_train_labels(s, &count);
  if (count < 2)
    return sfmi_fail(error, SFM_INVALID,
                     "one label leaves nothing to decide: --labels 'no|yes' names two, the "
                     "negative one first (--label-bounds A:B predicts a number)");
  if (count > 2 && !s->one_vs_rest)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu labels are declared, and one machine decides between two: add "
                     "--one-vs-rest, which trains a machine for each (the noise grows by the root "
                     "of their number), or declare two",
                     count);
  if (count == 2 && s->one_vs_rest)
    return sfmi_fail(error, SFM_INVALID,
                     "two labels need one machine, not --one-vs-rest: leave that out");
  if (count > CLASSES_MAX)
    return sfmi_fail(error, SFM_INVALID, "there can be at most %zu labels, not %zu", CLASSES_MAX,
                     count);
  for (size_t i = 0; i < count; i++) {
    if (!*labels[i]) return sfmi_fail(error, SFM_INVALID, "label %zu is empty", i + 1);
    for (size_t j = 0; j < i; j++)
      if (strcmp(labels[i], labels[j]) == 0)
        return sfmi_fail(error, SFM_INVALID, "the label '%s' is declared twice", labels[i]);
  }
  return SFM_OK;
}

static sfm_status check_loss(const sfm_train_settings *s, sfm_error *error) {
  const sfmi_loss loss = sfmi_design_train_loss(s);
  const char *name = sfm_machine_loss_name(s->loss);
  if (!name) return sfmi_fail(error, SFM_INVALID, "there is no loss number %d", (int)s->loss);
  const bool signs = s->loss == SFM_MACHINE_HINGE || s->loss == SFM_MACHINE_SQUARED_HINGE ||
                     s->loss == SFM_MACHINE_LOGISTIC;
  if (s->regression && signs)
    return sfmi_fail(error, SFM_INVALID,
                     "the %s loss is for two classes; for a number use --loss huber, "
                     "epsilon-insensitive or squared",
                     name);
  if (s->loss == SFM_MACHINE_HUBER) {
    if (!within(loss.parameter, 1e-6, 1e6))
      return sfmi_fail(error, SFM_INVALID,
                       "--loss huber:T turns from square to line at T, a number above zero in "
                       "units of the label, not %g; write for example huber:%g",
                       s->parameter, HUBER * half_width(s));
  } else if (s->loss == SFM_MACHINE_EPSILON_INSENSITIVE) {
    if (!within(loss.parameter, 0, 1) || loss.parameter == 1)
      return sfmi_fail(error, SFM_INVALID,
                       "--loss epsilon-insensitive:E forgives errors up to E, from 0 to less than "
                       "%g (half of the label's width, which a machine that knows nothing never "
                       "misses by), not %g",
                       half_width(s), s->parameter);
  } else if (!isnan(s->parameter)) {
    return sfmi_fail(error, SFM_INVALID, "the %s loss has no parameter: write --loss %s", name,
                     name);
  }
  return SFM_OK;
}

static sfm_status check_kernel(const sfm_train_settings *s, sfm_error *error) {
  const char *name = sfm_kernel_name(s->kernel);
  if (!name || s->kernel == SFM_KERNEL_OWN)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine's kernel is linear, polynomial, gaussian, laplacian, matern12, "
                     "matern32, matern52 or cauchy");
  if (sfmi_kernel_stationary(s->kernel) && !within(s->bandwidth, 1e-6, 1e6))
    return sfmi_fail(error, SFM_INVALID,
                     "the %s kernel needs a bandwidth from 1e-6 to 1e6, in units of the scaled "
                     "columns, not %g; write for example --kernel %s:0.5",
                     name, s->bandwidth, name);
  if (s->kernel == SFM_KERNEL_POLYNOMIAL && (s->degree < 1 || s->degree > SFM_MAX_DEGREE))
    return sfmi_fail(error, SFM_INVALID,
                     "a polynomial kernel has a degree from 1 to %d, not %u; write for example "
                     "--kernel polynomial:3:1",
                     SFM_MAX_DEGREE, s->degree);
  if (s->kernel == SFM_KERNEL_POLYNOMIAL && !within(s->shift, 0, 1e6))
    return sfmi_fail(error, SFM_INVALID,
                     "the constant of a polynomial kernel is a number from 0 to 1e6, not %g",
                     s->shift);
  if (!within(s->constant, 0, 1e6))
    return sfmi_fail(error, SFM_INVALID,
                     "the constant feature must be a number from 0 (none) to 1e6, not %g; 1 is "
                     "usual",
                     s->constant);
  if (!sfm_scaling_name(s->scaling))
    return sfmi_fail(error, SFM_INVALID, "there is no scaling number %d", (int)s->scaling);
  if (s->clip_norm != 0 && !within(s->clip_norm, 1e-6, 1e6))
    return sfmi_fail(error, SFM_INVALID,
                     "--clip-norm is the length that rows are shortened to, from 1e-6 to 1e6, not "
                     "%g; write for example --clip-norm 1",
                     s->clip_norm);
  return SFM_OK;
}

/* A kernel that has no features of the kind that the method needs. */
static sfm_status check_features(const sfm_train_settings *s, sfm_error *error) {
  const char *name = sfm_kernel_name(s->kernel);
  const bool stationary = sfmi_kernel_stationary(s->kernel), finite = is_finite(s->kernel);
  const bool waves = sfmi_design_train_form(s) == SFMI_FEATURE_MAP_RANDOM;
  if (waves && !stationary)
    return sfmi_fail(error, SFM_INVALID,
                     "the %s kernel has finitely many features of its own, exactly, and no random "
                     "ones: use --method finite",
                     name);
  if (waves &&
      (s->rff_features < 2 || s->rff_features % 2 || s->rff_features > SFMI_FEATURE_MAP_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "random features are cosines and sines in pairs: an even number from 2 to "
                     "%zu, not %zu; write for example --method rff:2000",
                     SFMI_FEATURE_MAP_MAX, s->rff_features);
  if (!waves && !finite && sfmi_design_train_form(s) != SFMI_FEATURE_MAP_POINTS)
    return sfmi_fail(error, SFM_INVALID, "the %s kernel has no finite features: use --method %s",
                     name,
                     s->method == SFM_TRAIN_OBJECTIVE
                         ? "objective:1000, which has random ones"
                         : "rff:1000 (random features), or gp with --places FILE (public points at "
                           "which the machine is released)");
  if (s->places && s->method != SFM_TRAIN_GP)
    return sfmi_fail(error, SFM_INVALID,
                     "--places are for --method gp: use that, or leave them out");
  if (s->places && !s->features)
    return sfmi_fail(error, SFM_INVALID,
                     "--places need columns: they are not for sparse rows; use --method rff:1000");
  return SFM_OK;
}

static sfm_status check_objective(const sfm_train_settings *s, sfm_error *error) {
  if (s->loss != SFM_MACHINE_LOGISTIC && s->loss != SFM_MACHINE_HUBER)
    return sfmi_fail(error, SFM_INVALID,
                     "--method objective needs a smooth loss with a bounded slope: --loss logistic "
                     "or huber, not %s",
                     sfm_machine_loss_name(s->loss));
  if (sfmi_design_train_noise(s) == SFM_VECTOR_LAPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "--method objective draws gamma noise (pure epsilon) or normal noise (with a "
                     "delta), not laplace");
  if (sfm_schema_contributions(s->schema) > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "--method objective is for one record a person (--contributions 1)");
  if (s->calibration != SFM_CALIBRATION_EXACT)
    return sfmi_fail(error, SFM_INVALID,
                     "--calibration is about noise on the weights; --method objective has its "
                     "own: leave it out");
  return SFM_OK;
}

static sfm_status check_method(const sfm_train_settings *s, sfm_error *error) {
  const sfm_vector_noise noise = sfmi_design_train_noise(s);
  if (!sfm_train_method_name(s->method))
    return sfmi_fail(error, SFM_INVALID, "there is no method number %d", (int)s->method);
  if ((int)noise < 0 || noise > SFM_VECTOR_GAMMA)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine's noise is laplace, normal or gamma; write for example --noise "
                     "normal --delta 1e-6");
  if (s->method == SFM_TRAIN_GP && noise != SFM_VECTOR_NORMAL)
    return sfmi_fail(error, SFM_INVALID,
                     "--method gp is normal noise, which needs a delta: write for example --delta "
                     "1e-6; for pure epsilon use --method finite or rff:1000 with laplace or "
                     "gamma noise");
  if (!within(s->tolerance, 0, 1) || s->tolerance == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "the tolerance must be above 0 and at most 1, not %g; 0.1 is usual",
                     s->tolerance);
  if (s->threads > 1024)
    return sfmi_fail(error, SFM_INVALID, "there can be at most 1024 threads, not %zu", s->threads);
  if (s->lambda != 0 && !(s->lambda >= 1e-12 && s->lambda <= 1e12))
    return sfmi_fail(
        error, SFM_INVALID,
        "lambda must be from 1e-12 to 1e12, not %g%s; write for example --lambda 0.01", s->lambda,
        s->lambda < 1e-12 ? ": without a penalty one record could move the machine by any amount"
                          : "");
  sfm_status status = check_features(s, error);
  if (!status) status = sfmi_design_tddl_check(s, error);
  if (!status) status = sfmi_design_tdil_check(s, error);
  if (status) return status;
  return s->method == SFM_TRAIN_OBJECTIVE ? check_objective(s, error) : SFM_OK;
}

/* The guarantee, with a vector in the machine's place. */
static sfm_status check_guarantee(const sfm_train_settings *s, sfm_error *error) {
  const sfmi_design_train stand_in = {.joint = 1};
  const sfm_vector_settings vector = sfmi_design_train_vector(&stand_in, s);
  return sfm_vector_check(&vector, 1, error);
}

sfm_status sfmi_design_train_check(const sfm_train_settings *s, sfm_error *error) {
  sfm_status status = check_columns(s, error);
  if (!status) status = s->regression ? check_regression(s, error) : check_classes(s, error);
  if (!status) status = check_loss(s, error);
  if (!status) status = check_kernel(s, error);
  if (!status) status = check_method(s, error);
  return !status ? check_guarantee(s, error) : status;
}

/* Encoding. */

static bool copy_categories(sfmi_input *input, const char *const *categories, size_t count) {
  input->categories = sfmi_alloc(count, sizeof *input->categories);
  if (!input->categories) return false;
  for (; input->category_count < count; input->category_count++)
    if (!(input->categories[input->category_count] =
              sfmi_copy_string(categories[input->category_count])))
      return false;
  return true;
}

static bool copy_input(sfmi_input *input, const char *name, const sfm_column *column) {
  input->name = sfmi_copy_string(name);
  if (!input->name) return false;
  size_t count = 0;
  const char *const *categories = column ? sfmi_column_categories(column, &count) : NULL;
  if (count) return copy_categories(input, categories, count);
  if (column && column->has_bounds) {
    input->bounded = true;
    input->lower = column->lower;
    input->upper = column->upper;
  }
  return true;
}

static const char *why_bounds(const sfm_train_settings *s) {
  return sfmi_kernel_stationary(s->kernel)
             ? "the phases of random and torus features need a domain"
             : "without them one record could be as long as it likes, and move the machine by any "
               "amount";
}

/* A column without a domain. */
static sfm_status check_bounded(const sfm_train_settings *s, const char *name,
                                const sfm_column *column, sfm_error *error) {
  const bool text = column && column->type == SFM_STRING,
             boolean = column && column->type == SFM_BOOLEAN;
  if (text && !column->category_count)
    return sfmi_fail(
        error, SFM_INVALID,
        "the column '%s' holds texts and has no categories; they must be public: write "
        "--categories '%s=A|B|C'",
        name, name);
  if (s->clip_norm > 0 || boolean || (column && (column->has_bounds || column->category_count)))
    return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "no bounds for column '%s': %s. Bounds must be public knowledge that you state, "
                   "never read from the rows; write for example --bounds 0:1 (one pair for all, or "
                   "one a column). --clip-norm R would do too, but without bounds columns are not "
                   "scaled, and rows are shortened to R in the columns' own units",
                   name, why_bounds(s));
}

static sfm_status take_inputs(sfmi_encoding *encoding, const sfm_train_settings *s,
                              sfm_error *error) {
  encoding->inputs = sfmi_alloc(s->feature_count, sizeof *encoding->inputs);
  if (!encoding->inputs) return sfmi_fail_memory(error);
  for (size_t i = 0; i < s->feature_count; i++) {
    const sfm_column *column = sfm_schema_find(s->schema, s->features[i]);
    const sfm_status status = check_bounded(s, s->features[i], column, error);
    if (status) return status;
    encoding->input_count = i + 1;
    if (!copy_input(&encoding->inputs[i], s->features[i], column)) return sfmi_fail_memory(error);
  }
  return SFM_OK;
}

static sfm_status take_sparse(sfmi_encoding *encoding, const sfm_train_settings *s,
                              size_t dimension, sfm_error *error) {
  if (!s->sparse_bounded && s->clip_norm == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "no bounds for the numbers of the rows: %s. Write --bounds 0:1 (of every "
                     "coordinate), or --clip-norm 1, which shortens rows to that length; both are "
                     "public knowledge that you state, never read from the rows",
                     why_bounds(s));
  encoding->dimension = dimension;
  encoding->bounded = s->sparse_bounded;
  encoding->lower = s->sparse_lower;
  encoding->upper = s->sparse_upper;
  return SFM_OK;
}

sfm_status sfmi_design_train_encoding(sfmi_encoding *encoding, const sfm_train_settings *s,
                                      size_t dimension, sfm_error *error) {
  *encoding = (sfmi_encoding){.scaling = s->features ? s->scaling : SFM_SCALING_NONE,
                              .clip = s->clip_norm > 0 ? s->clip_norm : INFINITY,
                              .drop = s->outside == SFM_DROP};
  const sfm_status status =
      s->features ? take_inputs(encoding, s, error) : take_sparse(encoding, s, dimension, error);
  if (!status) return sfmi_encoding_complete(encoding, error);
  sfmi_encoding_clear(encoding);
  return status;
}

/* Features. */

static sfm_status take_box(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                           sfm_error *error) {
  stated->lower = sfmi_alloc(encoding->dimension, sizeof *stated->lower);
  stated->upper = sfmi_alloc(encoding->dimension, sizeof *stated->upper);
  if (!stated->lower || !stated->upper) return sfmi_fail_memory(error);
  for (size_t i = 0; i < encoding->dimension; i++)
    sfmi_encoding_range(encoding, &stated->lower[i], &stated->upper[i], i);
  return SFM_OK;
}

/* The places as coordinates u. */
static sfm_status take_places(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                              const sfm_train_settings *s, sfm_error *error) {
  const size_t inputs = encoding->input_count;
  stated->point_starts = sfmi_alloc(s->place_count + 1, sizeof *stated->point_starts);
  stated->point_indices = sfmi_alloc(s->place_count * inputs, sizeof *stated->point_indices);
  stated->point_values = sfmi_alloc(s->place_count * inputs, sizeof *stated->point_values);
  if (!stated->point_starts || !stated->point_indices || !stated->point_values)
    return sfmi_fail_memory(error);
  stated->point_count = s->place_count;
  for (size_t p = 0; p < s->place_count; p++) {
    const size_t at = stated->point_starts[p];
    const size_t count = sfmi_encoding_row(encoding, stated->point_indices + at,
                                           stated->point_values + at, s->places + p * inputs);
    if (count == SFMI_NO_ROW)
      return sfmi_fail(error, SFM_INVALID,
                       "place %zu has a cell without a value, or one outside its bounds", p + 1);
    stated->point_starts[p + 1] = at + count;
  }
  return SFM_OK;
}

/* tdil: the points among which it chooses. */
static sfm_status take_net(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                           const sfm_train_settings *s, sfm_error *error) {
  sfmi_net net;
  const sfm_status status = sfmi_design_tdil_net(&net, encoding, s, error);
  if (status) return status;
  stated->point_count = net.count;
  stated->point_starts = net.starts;
  stated->point_indices = net.indices;
  stated->point_values = net.values;
  return SFM_OK;
}

static sfm_status take_form(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                            const sfm_train_settings *s, uint64_t seed, sfm_error *error) {
  switch (stated->form) {
  case SFMI_FEATURE_MAP_RANDOM:
    stated->frequencies = s->rff_features / 2;
    stated->seed = seed;
    return SFM_OK;
  case SFMI_FEATURE_MAP_TORUS:
    return take_box(stated, encoding, error);
  case SFMI_FEATURE_MAP_POINTS:
    return s->method == SFM_TRAIN_TDIL ? take_net(stated, encoding, s, error)
                                       : take_places(stated, encoding, s, error);
  default:
    return SFM_OK;
  }
}

static sfm_status make_lift(sfmi_feature_map **map, const sfmi_encoding *encoding,
                            const sfm_train_settings *s, sfmi_feature_map_form form, uint64_t seed,
                            sfm_error *error) {
  sfmi_feature_map stated = {.form = form,
                             .dimension = encoding->dimension,
                             .radius = encoding->radius,
                             .kernel = s->kernel,
                             .constant = s->constant};
  *map = NULL;
  if (sfmi_kernel_stationary(s->kernel)) stated.bandwidth = s->bandwidth;
  if (s->kernel == SFM_KERNEL_POLYNOMIAL) {
    stated.degree = s->degree;
    stated.shift = s->shift;
  }
  const sfm_status status = take_form(&stated, encoding, s, seed, error);
  if (!status) return sfmi_feature_map_create(map, &stated, error);
  sfmi_feature_map_clear(&stated);
  return status;
}

/* Where there are too many finite features, those of tddl and tdil are the points. */
sfm_status sfmi_design_train_lift(sfmi_feature_map **map, const sfmi_encoding *encoding,
                                  const sfm_train_settings *s, uint64_t seed, sfm_error *error) {
  const sfmi_feature_map_form form = sfmi_design_train_form(s);
  size_t count;
  sfm_error why;
  if (s->method != SFM_TRAIN_TDDL && s->method != SFM_TRAIN_TDIL)
    return make_lift(map, encoding, s, form, seed, error);
  if (!s->gram && form != SFMI_FEATURE_MAP_POINTS && !make_lift(map, encoding, s, form, 0, &why))
    return SFM_OK;
  if (s->method == SFM_TRAIN_TDIL)
    return make_lift(map, encoding, s, SFMI_FEATURE_MAP_POINTS, 0, error);
  const sfm_status status = sfmi_design_tddl_count(&count, s, error);
  if (!status && s->gram) return sfmi_tddl_gram_lift(map, encoding, s, count, true, error);
  return !status ? sfmi_design_tddl_lift(map, encoding, s, count, error) : status;
}

/* Numbers. */

/* Noise in the objective, of one machine: a penalty that keeps the Jacobian's part of the loss of
 * privacy within half of epsilon, and the noise for the rest. */
static sfm_status perturb(sfmi_design_train *t, const sfm_train_settings *s, sfm_error *error) {
  const double machines = (double)t->machines, epsilon = s->epsilon / machines;
  const double curvature = sfmi_loss_curvature(&t->loss) * t->kappa * t->kappa / (double)t->rows;
  t->lambda = fmax(t->lambda, curvature / expm1(epsilon / 2) * ROUNDING);
  t->lipschitz = sfmi_loss_lipschitz_everywhere(&t->loss);
  t->gradient = 2 * t->lipschitz * t->kappa * ROUNDING;
  double rate = epsilon - log1p(curvature / t->lambda) * ROUNDING, mu = 0;
  if (rate < SFMI_EPSILON_MIN)
    return sfmi_fail(error, SFM_INVALID,
                     "an epsilon of %g%s leaves too little for noise in the objective: write at "
                     "least --epsilon %g",
                     s->epsilon, t->machines > 1 ? ", shared by the machines," : "",
                     4 * SFMI_EPSILON_MIN * machines);
  if (sfmi_design_train_noise(s) == SFM_VECTOR_NORMAL) {
    const sfm_status status =
        sfmi_gdp_mu_for(&mu, rate, s->delta / machines / 2, SFM_CALIBRATION_EXACT, error);
    if (status) return status;
    /* mu^2 = 2 (sqrt(1 + rate^2) - 1), without the difference */
    rate = fmin(mu, rate * sqrt(2 / (1 + sqrt(1 + rate * rate))) / ROUNDING);
  }
  t->scale = t->gradient / rate * ROUNDING;
  return SFM_OK;
}

/* Any target but the least would only lose: the theorem is about the exact minimiser. */
static void measure_objective(sfmi_design_train *t, double floor) {
  t->target = floor;
  t->distance = sqrt(2 * t->target / t->lambda);
}

static sfm_status measure(sfmi_design_train *t, const sfm_train_settings *s, double floor,
                          sfm_error *error) {
  t->bound = 2 * t->lipschitz * t->kappa / (t->lambda * (double)t->rows) * ROUNDING;
  t->distance = s->tolerance * t->bound;
  t->target = 0.5 * t->lambda * t->distance * t->distance;
  t->certificate = 2 * t->distance * ROUNDING;
  t->used = (t->contributions * t->bound + t->certificate) * ROUNDING;
  t->joint = sqrt((double)t->machines) * t->used * ROUNDING;
  if (t->target >= floor) return SFM_OK;
  const double possible = 1.06 * s->tolerance * sqrt(floor / t->target);
  /* Targets fall as 1/(lambda n^2), and what values are off by does not; beside kappa^2/lambda only
   * steps of duals are coarse. */
  if (!(possible <= 1))
    return sfmi_fail(error, SFM_INVALID,
                     "with a lambda of %g and %llu rows doubles cannot tell how near the exact "
                     "machine is: a %s --lambda can be certified",
                     t->lambda, (unsigned long long)t->rows,
                     t->lambda > SFMI_UNIT_ROUNDOFF * t->kappa * t->kappa ? "smaller" : "larger");
  return sfmi_fail(error, SFM_INVALID,
                   "a tolerance of %g is below what can be certified in doubles for every data "
                   "set of this size: write --tolerance %.2g",
                   s->tolerance, possible);
}

sfm_status sfmi_design_train_init(sfmi_design_train *t, const sfm_train_settings *s,
                                  const sfmi_feature_map *map, uint64_t rows, size_t width,
                                  sfm_error *error) {
  if (rows < 1)
    return sfmi_fail(error, SFM_INVALID, "there are no rows, so there is nothing to learn from");
  *t = (sfmi_design_train){.rows = rows,
                           .contributions = sfm_schema_contributions(s->schema),
                           .loss = sfmi_design_train_loss(s),
                           .kappa = map->kappa,
                           .machines = sfmi_design_train_machines(s),
                           .features = map->count};
  t->lambda = s->lambda > 0 ? s->lambda : sfmi_design_train_lambda(t->kappa, rows);
  if (t->features > SFMI_RELEASE_MAX / t->machines)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu machines of %zu features are more numbers than a release can have (%zu)",
                     t->machines, t->features, SFMI_RELEASE_MAX);
  t->lipschitz = sfmi_loss_lipschitz(&t->loss, t->lambda, t->kappa);
  const bool objective = s->method == SFM_TRAIN_OBJECTIVE;
  const sfm_status status = objective ? perturb(t, s, error) : SFM_OK;
  if (status) return status;
  t->reach = sfmi_loss_reach(&t->loss, t->lambda, t->kappa);
  const double floor = map->form == SFMI_FEATURE_MAP_POINTS
                           ? sfmi_kernel_ascent_floor(&t->loss, t->lambda, map, rows)
                           : sfmi_solver_floor(&t->loss, t->lambda, t->kappa, rows, width);
  if (!objective) return measure(t, s, floor, error);
  measure_objective(t, floor);
  return SFM_OK;
}

/* As sfmi_solver_floor, whose values are at most kappa times the reach: shifted ones are up to
 * kappa times the shift larger, and the minimiser is anywhere within L kappa/lambda. */
double sfmi_design_train_target(const sfmi_design_train *t, size_t width, double shift) {
  const double far = t->kappa * t->kappa * t->lipschitz / t->lambda;
  const double rounding =
      SFMI_UNIT_ROUNDOFF * ((2 * sfmi_sum_depth(width) + 72) * far + 8 * (far + t->kappa * shift));
  return t->target + 8 * t->lipschitz * rounding;
}

sfm_vector_settings sfmi_design_train_vector(const sfmi_design_train *t,
                                             const sfm_train_settings *s) {
  sfm_vector_settings vector = sfm_vector_settings_default();
  vector.norm = SFM_L2;
  vector.sensitivity = t->joint;
  vector.epsilon = s->epsilon;
  vector.delta = s->delta;
  vector.noise = sfmi_design_train_noise(s);
  vector.calibration = s->calibration;
  vector.confidence = s->confidence;
  vector.seeded = s->seeded;
  vector.seed = s->seed;
  return vector;
}
