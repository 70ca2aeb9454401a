/* plan_count.c - the plan of one count: the geometric mechanism, and the best ones that linear
 * programs find. */
#include <math.h>
#include <stdlib.h>

#include "planner/optimal/design_optimal.h"
#include "plan.h"
#include "planner/forecast/count_errors.h"
#include "privacy/range_check.h"

/* Up to this n the best mechanisms are found here, in half a second. */
static const uint64_t PROGRAM_MAX = 200;

typedef struct count_plan {
  uint64_t n;
  double epsilon, share; /* share: of epsilon for one record */
  bool raw;              /* under add/remove: nothing is brought into 0 to n */
  double confidence;
} count_plan;

/* The geometric mechanism's error with so many records and that epsilon: of the worst count, and
 * the mean over counts that are all as likely. */
static void predict(const count_plan *r, sfm_forecast *f, double n, double epsilon) {
  const double e = epsilon * r->share, a = exp(-e);
  const sfmi_integer_noise law = {false, 1 / e};
  const sfmi_count_error worst =
      r->raw ? sfmi_count_error_of_noise(law) : sfmi_count_error_truncated_at(e, n, floor(n / 2));
  /* E|error| at i is (2 - a^i - a^(n-i)) a/(1-a^2). */
  const double even = -expm1(-e * (n + 1)) / -expm1(-e) / (n + 1);
  const double mean = r->raw ? worst.absolute : (2 - 2 * even) * a / -expm1(-2 * e);
  *f = (sfm_forecast){.privacy = worst.absolute,
                      .total = worst.absolute,
                      .cost = worst.absolute,
                      .relative = worst.absolute / n,
                      .absolute = true,
                      .each = mean,
                      .deviation = sqrt(worst.square)};
  /* |Z| >= k has probability 2 a^k/(1+a); at the worst count nothing beyond n/2 is seen. */
  const double room = r->raw ? INFINITY : ceil(n / 2);
  f->low = 0;
  while (1 - sfmi_count_error_tail(law, f->low + 1) < 0.025 && f->low < room) f->low++;
  f->high = fmin(fmax(ceil(log(2 / ((1 + a) * 0.025)) / e) - 1, 0), room);
  f->cost_low = f->low;
  f->cost_high = f->high;
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  (void)error;
  predict(context, out, rows, epsilon);
  return SFM_OK;
}

static const sfmi_plan_kind KIND = {.size = sizeof(count_plan), .forecast = forecast};

static sfm_plan_entry entry_of(const count_plan *r, const char *method) {
  return (sfm_plan_entry){.method = method,
                          .hardened = true,
                          .guarantee = {.kind = SFM_GUARANTEE_PURE, .epsilon = r->epsilon},
                          .apart = NAN,
                          .share = NAN};
}

static sfm_status add_geometric(sfm_plan *plan, const count_plan *r, sfm_error *error) {
  sfm_plan_entry entry = entry_of(r, "geometric");
  const double e = r->epsilon * r->share;
  predict(r, &entry.predicted, (double)r->n, r->epsilon);
  const double width = fmax(ceil(log(2 / ((1 + exp(-e)) * (1 - r->confidence))) / e) - 1, 0);
  entry.band = (sfm_band){.confidence = r->confidence,
                          .half_width = r->raw ? width : fmin(width, (double)r->n),
                          .pointwise = r->raw ? width : fmin(width, (double)r->n)};
  sfmi_plan_entry_text(&entry, "mechanism", "geometric", true);
  sfmi_plan_entry_number(&entry, "scale", 1 / e, false);
  return sfmi_plan_add_entry(plan, &entry, error);
}

/* Mean square and quantiles of the error at one count. */
static void describe_law(sfm_forecast *f, const double *law, size_t n, size_t truth) {
  double below = 0, square = 0;
  f->low = f->high = -1;
  for (size_t d = 0; d <= n; d++) {
    const double p = (d <= truth ? law[truth - d] : 0) + (d && truth + d <= n ? law[truth + d] : 0);
    square += p * (double)(d * d);
    below += p;
    if (f->low < 0 && below >= 0.025) f->low = (double)d;
    if (f->high < 0 && below >= 0.975 - 1e-12) f->high = (double)d;
  }
  if (f->high < 0) f->high = (double)n;
  f->deviation = sqrt(square);
  f->cost_low = f->low;
  f->cost_high = f->high;
}

static sfm_status predict_best(sfm_forecast *f, const sfmi_optimal *optimal, sfm_error *error) {
  const size_t n = optimal->n;
  double *risks = sfmi_alloc(n + 1, sizeof *risks), *law = sfmi_alloc(n + 1, sizeof *law);
  sfm_status status =
      risks && law ? sfmi_optimal_risks(optimal, risks, error) : sfmi_fail_memory(error);
  size_t worst = 0;
  double sum = 0;
  for (size_t i = 0; !status && i <= n; i++) {
    if (risks[i] > risks[worst]) worst = i;
    sum += risks[i];
  }
  if (!status) {
    sfmi_optimal_law(optimal, law, worst);
    *f = (sfm_forecast){.privacy = risks[worst],
                        .total = risks[worst],
                        .cost = risks[worst],
                        .relative = risks[worst] / (double)n,
                        .absolute = true,
                        .each = sum / (double)(n + 1)};
    describe_law(f, law, n, worst);
  }
  free(risks);
  free(law);
  return status;
}

/* One that a linear program finds: for the worst count, or for counts that are all as likely. */
static sfm_status add_best(sfm_plan *plan, const count_plan *r, bool minimax, sfm_error *error) {
  sfm_plan_entry entry = entry_of(r, minimax ? "minimax" : "bayes");
  sfmi_optimal *optimal = NULL;
  size_t distance = 0;
  sfm_status status = sfmi_optimal_create(&optimal, r->n, r->epsilon * r->share, error);
  if (status) return status;
  sfmi_optimal_fill_losses(optimal, SFM_OPTIMAL_LOSS_ABSOLUTE);
  optimal->objective = minimax ? SFM_OPTIMAL_OBJECTIVE_MINIMAX : SFM_OPTIMAL_OBJECTIVE_BAYES;
  if (!minimax) {
    optimal->prior = sfmi_alloc(r->n + 1, sizeof *optimal->prior);
    if (!optimal->prior) status = sfmi_fail_memory(error);
    for (size_t i = 0; !status && i <= r->n; i++) optimal->prior[i] = 1 / (double)(r->n + 1);
    optimal->uniform = true;
  }
  if (!status) status = sfmi_design_optimal_find(optimal, error);
  if (!status) status = predict_best(&entry.predicted, optimal, error);
  if (!status) status = sfmi_optimal_error(optimal, &distance, r->confidence, error);
  sfmi_optimal_destroy(optimal);
  if (status) return status;
  entry.band = (sfm_band){
      .confidence = r->confidence, .half_width = (double)distance, .pointwise = (double)distance};
  sfmi_plan_entry_text(&entry, "mechanism", "m.sfm", true);
  return sfmi_plan_add_entry(plan, &entry, error);
}

/* Why the best mechanisms cannot be had, or NULL. */
static const char *absence(const count_plan *r) {
  if (r->raw) return "a best mechanism is for counts of 0 to n, and under add-remove n is private";
  if (r->n > PROGRAM_MAX)
    return "best mechanisms are planned for up to 200 records (those of up to 500 can be made); "
           "for more the geometric one is as good to a few per cent";
  if (!(r->epsilon * r->share >= SFMI_OPTIMAL_LEAST && r->epsilon * r->share <= SFMI_OPTIMAL_MOST))
    return "best mechanisms are for an epsilon from 1e-6 to 15 per record: above it the geometric "
           "one is as good";
  return NULL;
}

static sfm_status list(sfm_plan *plan, const count_plan *r, bool every, sfm_error *error) {
  const char *absent = absence(r);
  sfm_status status = add_geometric(plan, r, error);
  for (int minimax = 1; !status && every && minimax >= 0; minimax--) {
    const sfm_plan_entry missing = {.method = minimax ? "minimax" : "bayes", .absent = absent};
    status = absent ? sfmi_plan_add_entry(plan, &missing, error)
                    : add_best(plan, r, minimax == 1, error);
  }
  return status;
}

sfm_status sfm_plan_count(sfm_plan **out, uint64_t rows, double epsilon, sfm_neighbours neighbours,
                          uint32_t contributions, double confidence, bool every, sfm_error *error) {
  *out = NULL;
  sfm_status status = sfmi_check_epsilon(epsilon, error);
  if (status) return status;
  if (rows < 1) return sfmi_fail(error, SFM_INVALID, "a plan is for one record or more, not 0");
  if (contributions < 1)
    return sfmi_fail(error, SFM_INVALID, "a person has one record or more, not 0");
  status = sfmi_check_confidence(confidence, error);
  if (!status) status = sfmi_plan_create(out, &KIND, (double)rows, epsilon, error);
  if (status) return status;
  count_plan *r = (*out)->context;
  *r = (count_plan){.n = rows,
                    .epsilon = epsilon,
                    .share = 1.0 / contributions,
                    .raw = neighbours == SFM_NEIGHBOURS_ADD_REMOVE,
                    .confidence = confidence};
  return sfmi_plan_finish(out, list(*out, r, every, error), error);
}
