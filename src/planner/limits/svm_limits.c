/* svm_limits.c - every theorem about private kernel machines, with its conditions. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/system/c_locale.h"
#include "base/system/status.h"
#include "svm_utility.h"
#include "privacy/calibration.h"

/* What a line says whatever was stated. */
typedef struct heading {
  sfm_limit_kind kind;
  bool comparable;
  const char *quantity, *name, *expression;
} heading;

__attribute__((format(printf, 4, 5))) static void add(sfm_limits *limits, heading what,
                                                      double value, const char *format, ...) {
  sfm_limit *limit = &limits->at[limits->count++];
  va_list arguments;
  *limit = (sfm_limit){.name = what.name,
                       .kind = what.kind,
                       .expression = what.expression,
                       .holds = !isnan(value),
                       .value = value,
                       .comparable = what.comparable,
                       .quantity = what.quantity};
  va_start(arguments, format);
  sfmi_vsnprintf(limit->why, sizeof limit->why, format, arguments);
  va_end(arguments);
}

/* ---- what is asked ---- */

static sfm_status check_number(double value, double least, double most, const char *what,
                               sfm_error *error) {
  if (value == 0 || (value >= least && value <= most)) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "%s must be a number from %g to %g, not %g", what, least,
                   most, value);
}

static bool kernel_known(sfm_kernel_family kernel) {
  return kernel == SFM_KERNEL_LINEAR ||
         ((int)kernel >= SFM_KERNEL_GAUSSIAN && kernel <= SFM_KERNEL_CAUCHY);
}

static sfm_status check(const sfm_svm *s, sfm_error *error) {
  if (s->rows < 1 || s->rows > UINT64_C(1) << 53)
    return sfmi_fail(error, SFM_INVALID, "a machine is learned from 1 to 2^53 rows, not %llu",
                     (unsigned long long)s->rows);
  if (!(s->lambda >= 1e-15 && s->lambda <= 1e15))
    return sfmi_fail(error, SFM_INVALID, "lambda must be a number from 1e-15 to 1e15, not %g",
                     s->lambda);
  if (!kernel_known(s->kernel))
    return sfmi_fail(error, SFM_INVALID,
                     "the theorems are about linear kernels (or any finite features) and "
                     "stationary ones, not %s",
                     sfm_kernel_family_name(s->kernel) ? sfm_kernel_family_name(s->kernel)
                                                       : "this one");
  if (s->kernel != SFM_KERNEL_LINEAR && s->kappa != 1)
    return sfmi_fail(error, SFM_INVALID, "a %s kernel has K(x, x) = 1, so that kappa is 1, not %g",
                     sfm_kernel_family_name(s->kernel), s->kappa);
  if (s->kernel != SFM_KERNEL_LINEAR && !(s->bandwidth >= 1e-9 && s->bandwidth <= 1e9))
    return sfmi_fail(error, SFM_INVALID, "a bandwidth must be a number from 1e-9 to 1e9, not %g",
                     s->bandwidth);
  if (!(s->lipschitz > 0 && s->lipschitz <= 1e9) || !(s->kappa > 0 && s->kappa <= 1e9))
    return sfmi_fail(error, SFM_INVALID,
                     "the Lipschitz constant and kappa must be above 0 and at most 1e9, not %g and "
                     "%g",
                     s->lipschitz, s->kappa);
  if (s->failure != 0 && !(s->failure >= 1e-300 && s->failure < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the probability of failure must be above 0 and below 1 (0.05 is usual), or "
                     "left out, not %g",
                     s->failure);
  sfm_status status =
      check_number(s->epsilon, SFMI_EPSILON_MIN, SFMI_EPSILON_MAX, "epsilon", error);
  if (!status) status = check_number(s->accuracy, 1e-12, 1e12, "the accuracy", error);
  if (!status) status = check_number(s->entry, 1e-12, s->kappa, "the largest coordinate", error);
  if (!status) status = check_number(s->diameter, 1e-9, 1e9, "the diameter", error);
  if (!status) status = check_number(s->radius, 1e-9, 1e9, "the radius", error);
  if (!status) status = check_number((double)s->features, 1, 0x1p53, "the features", error);
  return status ? status : check_number((double)s->dimension, 1, 0x1p24, "the dimension", error);
}

/* What a theorem needs and was not stated: "needs accuracy, failure". */
enum { FEATURES = 1, EPSILON = 2, ACCURACY = 4, FAILURE = 8, DIMENSION = 16 };

static const char *missing(char *out, size_t size, const sfm_svm *s, unsigned needs) {
  static const char *const names[] = {"features", "epsilon", "accuracy", "failure", "dimension"};
  const bool stated[] = {s->features > 0, s->epsilon > 0, s->accuracy > 0, s->failure > 0,
                         s->dimension > 0};
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if ((needs & 1u << i) && !stated[i])
      used +=
          (size_t)sfmi_snprintf(out + used, size - used, "%s%s", used ? ", " : "needs ", names[i]);
  return used ? out : NULL;
}

/* ---- finite features ---- */

/* The machine that is zero is as accurate as this: such accuracies say nothing. */
static const char *vacuous(const sfm_svm *s, double accuracy) {
  return accuracy >= s->kappa * sfmi_svm_utility_reach(s)
             ? " VACUOUS: the machine that is zero everywhere is as near, at epsilon 0."
             : "";
}

/* Of an epsilon that is enough. */
static const char *worthless(const sfm_svm *s, double epsilon) {
  return epsilon > 100 ? " VACUOUS: such an epsilon hides nothing." : vacuous(s, s->accuracy);
}

static void add_zero(sfm_limits *limits, const sfm_svm *s) {
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "accuracy", "zero",
                "kappa min(L kappa/lambda, 1/sqrt(lambda))"},
      s->kappa * sfmi_svm_utility_reach(s),
      "the accuracy of the machine that is zero everywhere, at epsilon 0: a promise that is not "
      "below it says nothing");
}

static void add_finite(sfm_limits *limits, const sfm_svm *s) {
  char lacks[160];
  const char *need = missing(lacks, sizeof lacks, s, FEATURES | EPSILON);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "scale", "theorem 10",
                "2 L kappa sqrt(F)/(lambda n epsilon)"},
      sfm_svm_scale(s), "%s",
      need ? need : "Laplace noise of this scale on every weight is private");
  const double accuracy = sfm_svm_accuracy(s);
  need = missing(lacks, sizeof lacks, s, FEATURES | EPSILON | FAILURE);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "accuracy", "theorem 11",
                "2 b Phi (F ln 2 + ln(1/failure))"},
      accuracy, "%s%s", need ? need : "what that noise, of scale b, has at least.",
      need ? "" : vacuous(s, accuracy));
  const double sharp = sfm_svm_accuracy_sharp(s);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "accuracy", "theorem 11, sharper",
                "b Phi times a quantile of Gamma(F)"},
      sharp, "%s%s", need ? need : "the same from the law of the noise's l1 norm itself.",
      need ? "" : vacuous(s, sharp));
  const double epsilon = sfm_svm_epsilon(s);
  need = missing(lacks, sizeof lacks, s, FEATURES | ACCURACY | FAILURE);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, s->kernel == SFM_KERNEL_LINEAR && s->lipschitz == 1, "epsilon",
                "corollary 19",
                "4 L kappa Phi sqrt(F) (F ln 2 + ln(1/failure))/(lambda n accuracy)"},
      epsilon, "%s%s", need ? need : "enough for the accuracy, by Laplace noise.",
      need ? "" : worthless(s, epsilon));
}

/* ---- random features ---- */

/* Why lemma 18 says nothing about this kernel; NULL: it does. */
static const char *no_lemma(const sfm_svm *s) {
  if (s->kernel == SFM_KERNEL_LINEAR) return "needs a stationary kernel such as gaussian:0.5";
  if (!isfinite(sfmi_spectral_moment(s->kernel)))
    return "does not hold here: the frequencies of this kernel have no second moment";
  return NULL;
}

static void add_random(sfm_limits *limits, const sfm_svm *s) {
  char lacks[160];
  const char *none = no_lemma(s);
  const char *need = none ? none : missing(lacks, sizeof lacks, s, ACCURACY | FAILURE | DIMENSION);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "features", "lemma 18",
                "8 (d+2)/a^2 ln(2^8 (sigma_p diam/a)^2/failure)"},
      none ? NAN : sfm_svm_kernel_features(s), "%s",
      need ? need
           : "random features, cosines and sines together, whose kernel is everywhere within a = "
             "accuracy of the kernel (independent frequencies)");
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "features", "theorem 13, corollary 20",
                "lemma 18 at a = (lambda accuracy/(2 (1 + sqrt 6) L))^2, failure/2"},
      none ? NAN : sfm_svm_random_features(s), "%s%s",
      need ? need : "enough for the machine itself to be within half the accuracy.",
      need ? "" : vacuous(s, s->accuracy));
  const double epsilon = none ? NAN : sfm_svm_random_epsilon(s);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, s->kernel == SFM_KERNEL_GAUSSIAN && s->lipschitz == 1,
                "epsilon", "theorem 21", "32 sqrt 2 (ln 2) L P/(lambda n accuracy), F = 2 P"},
      epsilon, "%s%s",
      need ? need
           : "enough for the accuracy with that many random features and Laplace noise: of order "
             "1/(lambda^5 accuracy^5 n).",
      need ? "" : worthless(s, epsilon));
  need = none ? none : missing(lacks, sizeof lacks, s, EPSILON | FAILURE | DIMENSION);
  const double accuracy = none ? NAN : sfm_svm_random_accuracy(s);
  add(limits,
      (heading){SFM_LIMIT_ATTAINED, false, "accuracy", "theorem 13",
                "least accuracy whose features and noise are allowed"},
      accuracy, "%s%s",
      need              ? need
      : isnan(accuracy) ? "does not hold here: so few random features have no proved accuracy"
      : s->features     ? "what the stated number of random features has at epsilon."
                        : "what the best number of random features has at epsilon.",
      need || isnan(accuracy) ? "" : vacuous(s, accuracy));
}

/* ---- what nobody can pass ---- */

static void add_least(sfm_limits *limits, const sfm_svm *s) {
  char lacks[160];
  uint64_t group;
  const char *need = s->lipschitz != 1 ? "is about the hinge loss"
                                       : missing(lacks, sizeof lacks, s, ACCURACY | FAILURE);
  const double linear = sfm_svm_least_linear(s, &group);
  const double range = s->kappa * fmin(s->kappa / s->lambda, 1 / sqrt(s->lambda));
  const heading what = {SFM_LIMIT_BOUND, true, "epsilon", "theorem 23",
                        "ln((1-failure)/failure)/g, g records"};
  if (s->kernel != SFM_KERNEL_LINEAR)
    add(limits, what, NAN, "is about linear kernels");
  else if (need)
    add(limits, what, NAN, "%s", need);
  else if (isnan(linear))
    add(limits, what, NAN,
        s->failure >= 0.5
            ? "says nothing of failures as likely as 1/2 (accuracies below %.4g/n, g = 1; below "
              "%.4g with more records)"
            : "does not hold here: accuracies below %.4g/n (g = 1), or %.4g with more records",
        range, range);
  else
    add(limits, what, linear,
        "no private mechanism has the accuracy and the failure at less: of two databases that "
        "differ in g = %llu records the machines are more than twice the accuracy apart "
        "(with g = 1 up to an accuracy of %.4g)",
        (unsigned long long)group, range / (double)s->rows);
}

static void add_packing(sfm_limits *limits, const sfm_svm *s) {
  char lacks[160];
  uint64_t group;
  const double bound = sfm_svm_least_gaussian(s, &group), N = sfmi_svm_utility_packing(s);
  const heading what = {SFM_LIMIT_BOUND, true, "epsilon", "theorem 26",
                        "ln((1-failure)(N-1)/failure)/g, N databases"};
  const char *need = s->lipschitz != 1 ? "is about the hinge loss"
                     : s->kernel != SFM_KERNEL_GAUSSIAN
                         ? "is about gaussian kernels"
                         : missing(lacks, sizeof lacks, s, ACCURACY | FAILURE | DIMENSION);
  if (need)
    add(limits, what, NAN, "%s", need);
  else if (isnan(bound))
    add(limits, what, NAN,
        "does not hold here: it needs an accuracy below %.4g (g = 1) or 1/4 (more records), "
        "lambda n > g, a bandwidth below %.4g (it has N = %.0f) and failures less likely than "
        "1 - 1/N",
        1 / (4 * s->lambda * (double)s->rows), (s->radius > 0 ? s->radius : 1) * sqrt(2 / M_LN2),
        N);
  else
    add(limits, what, bound,
        "no private mechanism has the accuracy and the failure at less: the machines of N = %.0f "
        "databases, any two of which differ in g = %llu records, are more than twice the accuracy "
        "apart",
        N, (unsigned long long)group);
}

static void add_failure(sfm_limits *limits, const sfm_svm *s) {
  char lacks[160];
  const char *need = missing(lacks, sizeof lacks, s, EPSILON);
  add(limits, (heading){SFM_LIMIT_BOUND, false, "failure", "remark 24", "1/(1 + e^epsilon)"},
      s->kernel == SFM_KERNEL_LINEAR ? sfm_svm_least_failure(s) : NAN, "%s",
      s->kernel != SFM_KERNEL_LINEAR ? "is about linear kernels"
      : need                         ? need
             : "at epsilon, a mechanism that is nearer than theorem 23 allows with g = 1 fails at "
               "least so often");
}

sfm_status sfm_limits_svm(sfm_limits *limits, const sfm_svm *s, sfm_error *error) {
  *limits = (sfm_limits){0};
  sfm_status status = check(s, error);
  if (status) return status;
  add_zero(limits, s);
  add_finite(limits, s);
  add_random(limits, s);
  add_least(limits, s);
  add_packing(limits, s);
  add_failure(limits, s);
  return SFM_OK;
}
