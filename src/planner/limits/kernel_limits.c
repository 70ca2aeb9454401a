/* kernel_limits.c - theorems 3, 5 and 8 of Jain & Thakurta (docs/papers.md) as shapes.
 *
 * a = L R^2/(n lambda epsilon) is the noise of one value, up to a constant.  k releases of it have
 * noise a sqrt(k log(1/delta)) each under (epsilon, delta), and a k without a delta.
 * - interactive: errors of sigma make at most k = (C R/sigma)^2 updates.  Each must be told from T
 *   questions, so sigma = a sqrt(k log(1/delta)) log(T/beta), which is solved for sigma.
 * - semi-interactive: least squares within |w| <= C of T noisy values.  The mean square is at most
 *   C R times noise/sqrt(T); and L C R/sqrt(T) is what T points do not tell of the others.
 * - non-interactive: as interactive, with a point of a net of e^(d log(n d)) in place of a
 *   question.
 *
 * Without a delta they are solved likewise.  docs/proofs/kernel-limits.md. */
#include <math.h>

#include "base/system/c_locale.h"
#include "base/system/status.h"
#include "sfumato/limits.h"

sfm_learner sfm_learner_default(void) {
  return (sfm_learner){.lipschitz = 1, .kappa = 1, .failure = 0.05};
}

static double unit(const sfm_learner *l) {
  return l->lipschitz * l->kappa * l->kappa / ((double)l->rows * l->lambda * l->epsilon);
}

static double norm_of(const sfm_learner *l) {
  return l->norm > 0 ? l->norm : l->lipschitz * l->kappa / l->lambda;
}

/* sigma = a sqrt(k log(1/delta)) times `telling`, k = (C R/sigma)^2; without a delta a k. */
static double balanced(const sfm_learner *l, double telling) {
  const double reach = norm_of(l) * l->kappa, a = unit(l) * telling;
  if (l->delta > 0) return sqrt(a * reach * sqrt(log(1 / l->delta)));
  return cbrt(a * reach * reach);
}

double sfm_learner_interactive(const sfm_learner *l) {
  if (!l->questions || !(l->epsilon > 0)) return NAN;
  return balanced(l, log((double)l->questions / l->failure));
}

double sfm_learner_semi_interactive(const sfm_learner *l) {
  if (!(l->epsilon > 0)) return NAN;
  const double reach = norm_of(l) * l->kappa, L = l->lipschitz;
  /* As many points as are best: from there on noise grows as fast as they tell. */
  if (l->delta > 0) {
    const double root = sqrt(log(1 / l->delta)), best = reach / (unit(l) * root);
    const double T = l->questions ? (double)l->questions : fmax(best, 1);
    return L * sqrt(log(fmax(T, 2) / l->failure)) *
           fmax(sqrt(unit(l) * reach * root), reach / sqrt(T));
  }
  const double best = pow(reach / unit(l), 2.0 / 3);
  const double T = l->questions ? (double)l->questions : fmax(best, 1);
  return L * sqrt(log(fmax(T, 2) / l->failure)) *
         fmax(sqrt(unit(l) * reach * sqrt(T)), reach / sqrt(T));
}

double sfm_learner_non_interactive(const sfm_learner *l) {
  if (!l->dimension || !(l->epsilon > 0)) return NAN;
  const double d = (double)l->dimension, n = (double)l->rows;
  return balanced(l, d * log(fmax(n * d, 2)) + log(fmax(n, 2) / l->failure));
}

static sfm_status check_number(double value, double least, double most, const char *what,
                               sfm_error *error) {
  if (value >= least && value <= most) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "%s must be a number from %g to %g, not %g", what, least,
                   most, value);
}

static sfm_status check(const sfm_learner *l, sfm_error *error) {
  if (l->rows < 1 || l->rows > UINT64_C(1) << 53)
    return sfmi_fail(error, SFM_INVALID, "a machine is learned from 1 to 2^53 rows, not %llu",
                     (unsigned long long)l->rows);
  sfm_status status = check_number(l->lambda, 1e-15, 1e15, "lambda", error);
  if (!status) status = check_number(l->lipschitz, 1e-15, 1e15, "lipschitz", error);
  if (!status) status = check_number(l->kappa, 1e-15, 1e15, "kappa", error);
  if (!status) status = check_number(l->norm, 0, 1e15, "the norm", error);
  if (!status) status = check_number(l->epsilon, 1e-6, 1e3, "epsilon", error);
  if (!status) status = check_number(l->delta, 0, 1 - 1e-9, "delta", error);
  if (!status) status = check_number(l->failure, 1e-300, 1 - 1e-9, "failure", error);
  return status;
}

static void add(sfm_limits *limits, const char *name, const char *expression, double value,
                const char *why, const char *needs) {
  sfm_limit *limit = &limits->at[limits->count++];
  *limit = (sfm_limit){.name = name,
                       .kind = SFM_LIMIT_RATE,
                       .expression = expression,
                       .holds = !isnan(value),
                       .value = value,
                       .quantity = "accuracy"};
  sfmi_snprintf(limit->why, sizeof limit->why, "%s%s", isnan(value) ? "needs " : "",
                isnan(value) ? needs : why);
}

/* The formula of which theorem 5's number is the value. */
static const char *semi_expression(const sfm_learner *l) {
  const double reach = norm_of(l) * l->kappa, T = (double)l->questions;
  const bool delta = l->delta > 0;
  const double root = delta ? sqrt(log(1 / l->delta)) : sqrt(T);
  if (l->questions && reach / sqrt(T) >= sqrt(unit(l) * reach * root))
    return "L C R sqrt(log(T/beta)/T)";
  if (delta) return "(L R)^(3/2) sqrt(C log(T/beta) sqrt(log(1/delta))/(n lambda epsilon))";
  return l->questions ? "(L R)^(3/2) sqrt(C sqrt(T) log(T/beta)/(n lambda epsilon))"
                      : "L C R (L R/(C n lambda epsilon))^(1/3) sqrt(log(T/beta))";
}

sfm_status sfm_limits_kernel(sfm_limits *limits, const sfm_learner *l, sfm_error *error) {
  const bool delta = l->delta > 0;
  *limits = (sfm_limits){0};
  const sfm_status status = check(l, error);
  if (status) return status;
  add(limits, "theorem 3",
      delta ? "sqrt(C L R^3 log(T/beta) sqrt(log(1/delta))/(n lambda epsilon))"
            : "(C^2 L R^4 log(T/beta)/(n lambda epsilon))^(1/3)",
      sfm_learner_interactive(l),
      "shape; the constant is unstated: how far any of T answers of an interactive session may be "
      "off",
      "questions");
  add(limits, "theorem 5", semi_expression(l), sfm_learner_semi_interactive(l),
      "shape; the constant is unstated: the mean loss that noise and too few points add over the "
      "points from which the T public ones (tddl) were drawn; where T is not stated, for the best "
      "T",
      "epsilon");
  add(limits, "theorem 8",
      delta ? "sqrt(C L R^3 (d log(n d) + log(n/beta)) sqrt(log(1/delta))/(n lambda epsilon))"
            : "(C^2 L R^4 (d log(n d) + log(n/beta))/(n lambda epsilon))^(1/3)",
      sfm_learner_non_interactive(l),
      "shape; the constant is unstated: how far a value of the released machine (tdil) may be off "
      "anywhere",
      "dimension");
  return SFM_OK;
}
