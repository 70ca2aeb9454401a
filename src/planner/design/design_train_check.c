#include "design_train_check.h"

#include <math.h>
#include <string.h>

#include "base/system/remark.h"
#include "data/schema/schema.h"
#include "design_tddl.h"
#include "design_tdil.h"
#include "design_train.h"
#include "features/kernels/kernel.h"

/* Limits of half the range of a label, whose errors are summed over rows in doubles. */
static const double LABEL_LEAST = 1e-280, LABEL_MOST = 1e280;
/* Most labels. */
static const size_t CLASSES_MAX = 1000;

static bool within(double x, double least, double most) {
  return x >= least && x <= most;
}

static sfm_status check_columns(const sfm_train_settings *s, sfm_error *error) {
  if (sfm_schema_neighbours(s->context.schema) == SFM_NEIGHBOURS_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine is trained under schema.neighbours = replace: its objective "
                     "divides by the number of records, which add-remove keeps private; a schema "
                     "that says \"neighbours\": \"add-remove\" is for other releases");
  if (!s->features) return SFM_OK;
  if (s->feature_count < 1)
    return sfmi_fail(error, SFM_INVALID,
                     "name the columns to learn from: settings.features = a,b,c");
  if (!s->label)
    return sfmi_fail(error, SFM_INVALID, "name the column of the labels: settings.label = y");
  const char *person = sfm_schema_person(s->context.schema);
  if (person && strcmp(person, s->label) == 0)
    return sfmi_fail(
        error, SFM_INVALID,
        "the person '%s' is the label: records with the same label are not one person's; name the "
        "column that says whose record it is, or leave schema.person out",
        person);
  for (size_t i = 0; i < s->feature_count; i++) {
    if (strcmp(s->features[i], s->label) == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "the label '%s' is among the features: a machine that is told the label has "
                       "nothing to learn; leave it out of settings.features",
                       s->label);
    for (size_t j = 0; j < i && s->feature_count <= 4096; j++)
      if (strcmp(s->features[i], s->features[j]) == 0)
        return sfmi_fail(error, SFM_INVALID, "settings.features names '%s' twice", s->features[i]);
  }
  return SFM_OK;
}

static sfm_status check_regression(const sfm_train_settings *s, sfm_error *error) {
  if (s->labels || s->one_vs_rest)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.label_lower and label_upper are those of a number to predict, and "
        "settings.labels and settings.one_vs_rest are about classes: leave out one of the two");
  if (!isfinite(s->label_lower) || !isfinite(s->label_upper) || !(s->label_lower < s->label_upper))
    return sfmi_fail(error, SFM_INVALID,
                     "the label's bounds must be two finite numbers, the lower one first, not "
                     "%g:%g; write for example settings.label_lower = 0, label_upper = 10",
                     s->label_lower, s->label_upper);
  if (!within(sfmi_design_train_half_width(s), LABEL_LEAST, LABEL_MOST))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.label_lower = %g, label_upper = %g: sums of such numbers are beyond "
                     "the range of doubles; state the label in another unit",
                     s->label_lower, s->label_upper);
  return SFM_OK;
}

/* Classes that nobody stated are -1 and 1, which the schema may contradict. */
static sfm_status check_usual_classes(const sfm_train_settings *s, sfm_error *error) {
  const sfm_column *label =
      s->labels || !s->label ? NULL : sfm_schema_find(s->context.schema, s->label);
  if (!label) return SFM_OK;
  if (label->has_bounds && (label->lower > -1 || label->upper < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the label '%.64s' is a number from %g to %g in the schema, and without "
                     "settings.labels the classes are -1 and 1: name the classes, as in "
                     "settings.labels = '0|1', or predict the number with settings.label_lower = "
                     "%g, label_upper = %g",
                     s->label, label->lower, label->upper, label->lower, label->upper);
  size_t count;
  const char *const *stated = sfmi_column_categories(label, &count);
  const bool same = count == 2 && !strcmp(stated[0], "-1") && !strcmp(stated[1], "1");
  if (!same && (count > 0 || label->type == SFM_COLUMN_TYPE_STRING))
    return sfmi_fail(error, SFM_INVALID,
                     "the label '%.64s' is of type %s in the schema, and without settings.labels "
                     "the classes are -1 and 1: name the classes, the negative one first, as in "
                     "settings.labels = 'no|yes'",
                     s->label, sfm_column_type_name(label->type));
  return SFM_OK;
}

void sfmi_design_train_remarks(const sfm_train_settings *s) {
  if (s->labels || s->regression || !s->label || !s->features) return;
  sfmi_remark(&s->context,
              "the classes of the label '%.64s' are not stated, and are then -1 and 1: a record "
              "with any other label is ignored. State the classes, the negative one first "
              "(settings.labels = 'no|yes'), or to predict a number its range "
              "(settings.label_lower = 0, label_upper = 100)",
              s->label);
}

static sfm_status check_classes(const sfm_train_settings *s, sfm_error *error) {
  size_t count;
  const sfm_status status = check_usual_classes(s, error);
  if (status) return status;
  const char *const *labels = sfmi_design_train_labels(s, &count);
  if (count < 2)
    return sfmi_fail(
        error, SFM_INVALID,
        "one label leaves nothing to decide: settings.labels = 'no|yes' names two, the negative "
        "one first (settings.label_lower = A, label_upper = B predicts a number)");
  if (count > 2 && !s->one_vs_rest)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu labels are declared, and one machine decides between two: add "
                     "settings.one_vs_rest, which trains a machine for each (the noise grows by "
                     "the root of their number), or declare two",
                     count);
  if (count == 2 && s->one_vs_rest)
    return sfmi_fail(error, SFM_INVALID,
                     "two labels need one machine, not settings.one_vs_rest: leave that out");
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
  const bool signs = s->loss == SFM_MACHINE_LOSS_HINGE ||
                     s->loss == SFM_MACHINE_LOSS_SQUARED_HINGE ||
                     s->loss == SFM_MACHINE_LOSS_LOGISTIC;
  if (s->regression && signs)
    return sfmi_fail(error, SFM_INVALID,
                     "the %s loss is for two classes; for a number use settings.loss = huber, "
                     "epsilon-insensitive or squared",
                     name);
  if (s->loss == SFM_MACHINE_LOSS_HUBER) {
    if (!within(loss.parameter, 1e-6, 1e6))
      return sfmi_fail(
          error, SFM_INVALID,
          "settings.loss = huber, parameter = T turns from square to line at T, a number above "
          "zero in units of the label, not %g; write for example settings.loss = huber, parameter "
          "= %g",
          s->parameter, SFMI_DESIGN_TRAIN_HUBER * sfmi_design_train_half_width(s));
  } else if (s->loss == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE) {
    if (!within(loss.parameter, 0, 1) || loss.parameter == 1)
      return sfmi_fail(error, SFM_INVALID,
                       "settings.loss = epsilon-insensitive, parameter = E forgives errors up to "
                       "E, from 0 to less than %g (half of the label's width, the largest error of "
                       "a machine that is always zero), not %g",
                       sfmi_design_train_half_width(s), s->parameter);
  } else if (!isnan(s->parameter)) {
    return sfmi_fail(error, SFM_INVALID, "the %s loss has no parameter: write settings.loss = %s",
                     name, name);
  }
  return SFM_OK;
}

static sfm_status check_kernel(const sfm_train_settings *s, sfm_error *error) {
  const char *name = sfm_kernel_family_name(s->kernel);
  if (!name || s->kernel == SFM_KERNEL_OWN)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine's kernel is linear, polynomial, gaussian, laplacian, matern12, "
                     "matern32, matern52 or cauchy");
  if (sfmi_kernel_stationary(s->kernel) && !within(s->bandwidth, 1e-6, 1e6))
    return sfmi_fail(error, SFM_INVALID,
                     "the %s kernel needs a bandwidth from 1e-6 to 1e6, in units of the scaled "
                     "columns, not %g; write for example settings.kernel = %s, bandwidth = 0.5",
                     name, s->bandwidth, name);
  if (s->kernel == SFM_KERNEL_POLYNOMIAL && (s->degree < 1 || s->degree > SFM_MAX_DEGREE))
    return sfmi_fail(error, SFM_INVALID,
                     "a polynomial kernel has a degree from 1 to %d, not %u; write for example "
                     "settings.kernel = polynomial, degree = 3, shift = 1",
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
  if (s->clip_norm != 0 && !within(s->clip_norm, 1e-6, 1e6))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.clip_norm is the length that rows are shortened to, from 1e-6 to "
                     "1e6, not %g; write for example settings.clip_norm = 1",
                     s->clip_norm);
  return SFM_OK;
}

/* Whether the kernel has features of the form that the method needs. */
static sfm_status check_features(const sfm_train_settings *s, sfm_error *error) {
  const char *name = sfm_kernel_family_name(s->kernel);
  const bool stationary = sfmi_kernel_stationary(s->kernel),
             finite = sfmi_design_train_finite(s->kernel);
  const bool waves = sfmi_design_train_form(s) == SFMI_FEATURE_MAP_RANDOM;
  if (waves && !stationary)
    return sfmi_fail(error, SFM_INVALID,
                     "the %s kernel has finitely many features of its own, exactly, and no random "
                     "ones: use settings.method = finite",
                     name);
  if (waves &&
      (s->rff_features < 2 || s->rff_features % 2 || s->rff_features > SFMI_FEATURE_MAP_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "random features are cosines and sines in pairs: an even number from 2 to "
                     "%zu, not %zu; write for example settings.method = rff, rff_features = 2000",
                     SFMI_FEATURE_MAP_MAX, s->rff_features);
  if (!waves && !finite && sfmi_design_train_form(s) != SFMI_FEATURE_MAP_POINTS)
    return sfmi_fail(error, SFM_INVALID,
                     "the %s kernel has no finite features: use settings.method = %s", name,
                     s->method == SFM_TRAIN_OBJECTIVE
                         ? "objective, rff_features = 1000, which has random ones"
                         : "rff, rff_features = 1000 (random features), or gp with settings.places "
                           "(public points at which the machine is released)");
  if (s->places && s->method != SFM_TRAIN_GP)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.places are for settings.method = gp: use that, or leave them out");
  if (s->places && !s->features)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.places need columns: they are not for sparse rows; use "
                     "settings.method = rff, rff_features = 1000");
  return SFM_OK;
}

static sfm_status check_objective(const sfm_train_settings *s, sfm_error *error) {
  if (s->loss != SFM_MACHINE_LOSS_LOGISTIC && s->loss != SFM_MACHINE_LOSS_HUBER)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.method = objective needs a smooth loss with a bounded slope: "
                     "settings.loss = logistic or huber, not %s",
                     sfm_machine_loss_name(s->loss));
  if (sfmi_design_train_noise(s) == SFM_VECTOR_NOISE_LAPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.method = objective draws gamma noise (pure epsilon) or normal noise "
                     "(with a delta), not laplace");
  if (sfm_schema_contributions(s->context.schema) > 1)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.method = objective is for one record per person (schema.contributions = 1)");
  if (s->calibration != SFM_CALIBRATION_EXACT)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.calibration is about noise on the weights; settings.method = "
                     "objective has its own: leave it out");
  return SFM_OK;
}

static sfm_status check_method(const sfm_train_settings *s, sfm_error *error) {
  const sfm_vector_noise noise = sfmi_design_train_noise(s);
  if (noise > SFM_VECTOR_NOISE_GAMMA)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine's noise is laplace, normal or gamma; write for example "
                     "settings.noise = normal and settings.delta = 1e-6");
  if (s->method == SFM_TRAIN_GP && noise != SFM_VECTOR_NOISE_NORMAL)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.method = gp is normal noise, which needs a delta: write for example "
                     "settings.delta = 1e-6; for pure epsilon use settings.method = finite or "
                     "rff:1000 with laplace or gamma noise");
  if (!within(s->tolerance, 0, 1) || s->tolerance == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "the tolerance must be above 0 and at most 1, not %g; 0.1 is usual",
                     s->tolerance);
  if (s->lambda != 0 && !(s->lambda >= 1e-12 && s->lambda <= 1e12))
    return sfmi_fail(
        error, SFM_INVALID,
        "lambda must be from 1e-12 to 1e12, not %g%s; write for example settings.lambda = 0.01",
        s->lambda,
        s->lambda < 1e-12 ? ": without a penalty one record could move the machine by any amount"
                          : "");
  sfm_status status = check_features(s, error);
  if (!status) status = sfmi_design_tddl_check(s, error);
  if (!status) status = sfmi_design_tdil_check(s, error);
  if (status) return status;
  return s->method == SFM_TRAIN_OBJECTIVE ? check_objective(s, error) : SFM_OK;
}

/* The guarantee is checked as that of a vector. */
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
