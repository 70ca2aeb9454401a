#include "round_budget.h"

#include <assert.h>
#include <math.h>

#include "base/system/status.h"

/* The error of the few products behind the epsilon of a part, as a factor. */
static const double ROUNDING = 1 + 1e-14;
/* The solution is at most so far below the largest there is, relatively. */
static const double PRECISION = 1e-7;
/* The least epsilon of a part, as in account.h. */
static const double PART_LEAST = 1e-6;
/* ln of a delta that is taken for zero. */
static const double NOTHING = -800;

double sfmi_round_budget_steps(double k, double epsilon) {
  assert(k >= 1);
  return (k + epsilon / (4 * k)) * ROUNDING;
}

/* One kind of part after the other, with e for a round. */
static void losses_of(sfm_privacy_loss losses[SFMI_ROUND_PARTS], const sfmi_round_budget *r,
                      double e) {
  for (size_t i = 0; i < r->part_count; i++)
    losses[i] = (sfm_privacy_loss){
        .kind = r->parts[i].laplace ? SFM_PRIVACY_LOSS_LAPLACE : SFM_PRIVACY_LOSS_PURE,
        .parameter = fmin(fmax(r->parts[i].share * e * ROUNDING, PART_LEAST), 1e3),
        .count = r->count};
}

/* The sum of all rounds as a guarantee of the ledger's kind. */
static sfm_status sum(sfm_guarantee *out, const sfmi_round_budget *r, double e, sfm_error *error) {
  sfm_privacy_loss losses[SFMI_ROUND_PARTS];
  losses_of(losses, r, e);
  return sfm_account_sum(
      out, losses, r->part_count,
      r->accounting == SFM_ACCOUNTING_ZCDP ? SFM_GUARANTEE_ZCDP : SFM_GUARANTEE_GDP, error);
}

/* ln(delta(epsilon)/delta), rounded up: private where it is at most 0. */
static sfm_status excess(double *out, const sfmi_round_budget *r, double e, sfm_error *error) {
  sfm_interval delta = {0};
  sfm_status status;
  if (r->accounting == SFM_ACCOUNTING_BASIC) {
    sfm_privacy_loss losses[SFMI_ROUND_PARTS];
    losses_of(losses, r, e);
    status = sfm_account_delta(&delta, losses, r->part_count, r->epsilon, error);
  } else {
    sfm_guarantee all;
    status = sum(&all, r, e, error);
    if (!status) status = sfm_guarantee_delta(&delta.upper, &all, r->epsilon, error);
  }
  if (status) return status;
  if (delta.upper <= r->delta)
    *out = delta.upper > 0 ? fmin(fmax(log(delta.upper / r->delta), NOTHING), 0) : NOTHING;
  else
    *out = fmax(log(delta.upper / r->delta), 1e-300);
  return SFM_OK;
}

/* An interval of e: private at its lower end, not at its upper. */
typedef struct bracket {
  double lower, upper; /* e */
  double below, above; /* excess there */
} bracket;

static double largest_share(const sfmi_round_budget *r) {
  double most = 0;
  for (size_t i = 0; i < r->part_count; i++) most = fmax(most, r->parts[i].share);
  return most;
}

static double least_share(const sfmi_round_budget *r) {
  double least = 1;
  for (size_t i = 0; i < r->part_count; i++) least = fmin(least, r->parts[i].share);
  return least;
}

/* What is enough for all rounds together: their pure sum, or by rho and mu what their conversion
 * adds at most (mu of a small epsilon is 1.26 times it). */
static double enough(const sfmi_round_budget *r) {
  const double pure = 1.05 * PART_LEAST / least_share(r) * (double)r->count;
  if (r->delta == 0 || r->accounting == SFM_ACCOUNTING_BASIC) return pure;
  return pure * (1 + 1.3 * sqrt(2 * log(1 / r->delta) / (double)r->count));
}

static sfm_status fail_many(const sfmi_round_budget *r, sfm_error *error) {
  const char *word = r->word ? r->word : "round";
  return sfmi_fail(error, SFM_INVALID,
                   "an epsilon of %g leaves too little to each part of %llu %s%s (less than %g): "
                   "an epsilon of %.2g is enough%s",
                   r->epsilon, (unsigned long long)r->count, word, r->count == 1 ? "" : "s",
                   PART_LEAST, enough(r), r->count == 1 ? "" : ", or ask for fewer");
}

static sfm_status enclose(bracket *b, const sfmi_round_budget *r, sfm_error *error) {
  const double least = PART_LEAST / least_share(r), most = 1e3 / largest_share(r) / ROUNDING;
  const double guess = r->epsilon / (double)r->count;
  *b = (bracket){.lower = fmin(fmax(guess / ROUNDING, least), most)};
  sfm_status status = excess(&b->below, r, b->lower, error);
  while (!status && b->below > 0) {
    if (b->lower <= least) return fail_many(r, error);
    b->upper = b->lower;
    b->above = b->below;
    b->lower = fmax(b->lower / 2, least);
    status = excess(&b->below, r, b->lower, error);
  }
  while (!status && b->upper == 0) {
    const double next = fmin(2 * b->lower, most);
    double there;
    status = excess(&there, r, next, error);
    if (status) break;
    if (there > 0 || next == most) {
      b->upper = next;
      b->above = there;
    } else {
      b->lower = next;
      b->below = there;
    }
  }
  return status;
}

/* Secants, with bisection wherever one end stays. */
static sfm_status narrow(bracket *b, const sfmi_round_budget *r, sfm_error *error) {
  int stayed = 0; /* how often the same end did: + the lower one */
  while (b->above > 0 && b->upper - b->lower > PRECISION * b->lower) {
    double e = 0.5 * (b->lower + b->upper), there;
    if (b->below > NOTHING && stayed > -2 && stayed < 2) {
      const double part = -b->below / (b->above - b->below), width = b->upper - b->lower;
      e = b->lower + width * fmin(fmax(part, 1e-3), 1 - 1e-3);
      /* Once the root itself is an end it stays one: step over it by the wanted precision. */
      e += (stayed > 0 ? -0.4 : 0.4) * PRECISION * b->lower;
    }
    const sfm_status status = excess(&there, r, e, error);
    if (status) return status;
    if (there > 0) {
      b->upper = e;
      b->above = there;
      stayed = stayed > 0 && stayed < 2 ? stayed + 1 : 1;
    } else {
      b->lower = e;
      b->below = there;
      stayed = stayed < 0 && stayed > -2 ? stayed - 1 : -1;
    }
  }
  return SFM_OK;
}

/* count e <= epsilon. */
static sfm_status solve_pure(double *e, sfm_guarantee *guarantee, const sfmi_round_budget *r,
                             sfm_error *error) {
  *e = r->epsilon / (double)r->count / ROUNDING;
  *guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = r->epsilon};
  return *e * least_share(r) >= PART_LEAST * 0.999 ? SFM_OK : fail_many(r, error);
}

sfm_status sfmi_round_budget_solve(double *e, sfm_guarantee *guarantee, const sfmi_round_budget *r,
                                   sfm_error *error) {
  assert(r->count >= 1 && r->part_count >= 1 && r->part_count <= SFMI_ROUND_PARTS);
  if (r->delta == 0) return solve_pure(e, guarantee, r, error);
  bracket b;
  sfm_status status = enclose(&b, r, error);
  if (!status) status = narrow(&b, r, error);
  if (status) return status;
  *e = b.lower;
  if (r->accounting == SFM_ACCOUNTING_BASIC) {
    *guarantee = (sfm_guarantee){
        .kind = SFM_GUARANTEE_APPROXIMATE, .epsilon = r->epsilon, .delta = r->delta};
    return SFM_OK;
  }
  status = sum(guarantee, r, *e, error);
  guarantee->epsilon = r->epsilon;
  guarantee->delta = r->delta;
  return status;
}
