#include "privacy_loss.h"

#include <float.h>
#include <stdlib.h>

#include <mpfr.h>

#include "calibration.h"

#define COUNT_MAX UINT64_C(1000000000)
#define RATIO_MIN 1e-3
#define RATIO_MAX 1e6
/* So many that a count stays exact as a double. */
#define RELEASES_MAX 1e15

static sfm_status check_loss(const sfm_privacy_loss *loss, size_t number, sfm_error *error) {
  const bool normal =
      loss->kind == SFM_PRIVACY_LOSS_GAUSSIAN || loss->kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN;
  if (loss->kind < SFM_PRIVACY_LOSS_GAUSSIAN || loss->kind > SFM_PRIVACY_LOSS_PURE)
    return sfmi_fail(error, SFM_INVALID, "loss %zu is of no known kind", number);
  const char *name = loss->kind == SFM_PRIVACY_LOSS_GAUSSIAN            ? "sigma/Delta"
                     : loss->kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN ? "sigma"
                                                                        : "epsilon";
  const double least = normal ? RATIO_MIN : SFMI_EPSILON_MIN;
  const double most = normal ? RATIO_MAX : SFMI_EPSILON_MAX;
  if (!(loss->parameter >= least && loss->parameter <= most))
    return sfmi_fail(error, SFM_INVALID, "loss %zu: %s is %g: write a number from %g to %g", number,
                     name, loss->parameter, least, most);
  if (loss->count < 1 || loss->count > COUNT_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "loss %zu: its count is %llu: write a whole number from 1 to %llu", number,
                     (unsigned long long)loss->count, (unsigned long long)COUNT_MAX);
  if (loss->kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE && loss->categories == 1)
    return sfmi_fail(error, SFM_INVALID,
                     "loss %zu: randomised response has 1 category: write 2 or more", number);
  return SFM_OK;
}

sfm_status sfmi_losses_check(const sfm_privacy_loss *losses, size_t count, sfm_error *error) {
  if (!losses || count < 1)
    return sfmi_fail(error, SFM_INVALID, "there is no loss to account for: give at least one");
  double releases = 0;
  for (size_t i = 0; i < count; i++) {
    sfm_status status = check_loss(&losses[i], i + 1, error);
    if (status) return status;
    releases += (double)losses[i].count;
  }
  if (releases > RELEASES_MAX)
    return sfmi_fail(error, SFM_INVALID, "there are %g releases: at most %g can be composed",
                     releases, RELEASES_MAX);
  return SFM_OK;
}

static sfmi_loss_law law_of(const sfm_privacy_loss *loss) {
  sfmi_loss_law law = {SFMI_TWO_POINTS, loss->parameter, 0, loss->count};
  if (loss->kind == SFM_PRIVACY_LOSS_LAPLACE) {
    law.shape = SFMI_LAPLACE;
  } else if (loss->kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN) {
    law.shape = SFMI_LATTICE_NORMAL;
  } else if (loss->kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE && sfmi_loss_categories(loss) > 2) {
    law.shape = SFMI_THREE_POINTS;
    law.others = (double)(sfmi_loss_categories(loss) - 2);
  }
  return law;
}

static int compare_laws(const void *left, const void *right) {
  const sfmi_loss_law *a = left, *b = right;
  if (a->shape != b->shape) return a->shape < b->shape ? -1 : 1;
  if (a->parameter != b->parameter) return a->parameter < b->parameter ? -1 : 1;
  return (a->others > b->others) - (a->others < b->others);
}

/* Sorts, and joins what is equal. */
static size_t join(sfmi_loss_law *laws, size_t count) {
  qsort(laws, count, sizeof *laws, compare_laws);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept && compare_laws(&laws[kept - 1], &laws[i]) == 0) {
      laws[kept - 1].count += laws[i].count;
    } else {
      laws[kept++] = laws[i];
    }
  }
  return kept;
}

/* ln P(Y = eps) of one release of a bounded law. */
static long double log_top(const sfmi_loss_law *law) {
  if (law->shape == SFMI_LAPLACE) return -logl(2);
  return -log1pl((1 + (long double)law->others) * expl(-(long double)law->parameter));
}

/* The sum of the largest losses, rounded up; usually it is a double or next to one. */
static double top_above(const sfmi_total_loss *total) {
  mpfr_t sum, term;
  mpfr_inits2(256, sum, term, (mpfr_ptr)0);
  mpfr_set_zero(sum, 1);
  for (size_t i = 0; i < total->count; i++) {
    if (total->laws[i].shape == SFMI_LATTICE_NORMAL) continue;
    mpfr_set_d(term, total->laws[i].parameter, MPFR_RNDU);
    mpfr_mul_ui(term, term, total->laws[i].count, MPFR_RNDU);
    mpfr_add(sum, sum, term, MPFR_RNDU);
  }
  const double result = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, term, (mpfr_ptr)0);
  return result;
}

static void sum_up(sfmi_total_loss *total) {
  total->bounded = total->variance.hi == 0;
  for (size_t i = 0; i < total->count; i++) {
    const sfmi_loss_law *law = &total->laws[i];
    const double count = (double)law->count;
    if (law->shape == SFMI_LATTICE_NORMAL) {
      total->bounded = false;
      continue;
    }
    if (law->shape == SFMI_LAPLACE) total->laplaces += count;
    total->top = sfmi_dd_add(total->top, sfmi_dd_two_product(law->parameter, count));
    total->log_top += log_top(law) * (long double)count;
  }
  total->top_above = top_above(total);
  /* Every term is negative and right to a few units: so is the sum, to as many units as terms. */
  total->log_top_off = -total->log_top * (16 + (long double)total->count) * LDBL_EPSILON;
}

sfm_status sfmi_total_loss_init(sfmi_total_loss *total, const sfm_privacy_loss *losses,
                                size_t count, sfm_error *error) {
  *total = (sfmi_total_loss){0};
  sfm_status status = sfmi_losses_check(losses, count, error);
  if (status) return status;
  total->laws = sfmi_alloc(count, sizeof *total->laws);
  if (!total->laws) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    if (losses[i].kind != SFM_PRIVACY_LOSS_GAUSSIAN) {
      total->laws[total->count++] = law_of(&losses[i]);
      continue;
    }
    const double ratio = losses[i].parameter;
    sfmi_dd square = sfmi_dd_divide((double)losses[i].count, sfmi_dd_two_product(ratio, ratio));
    total->variance = sfmi_dd_add(total->variance, square);
  }
  total->count = join(total->laws, total->count);
  sum_up(total);
  return SFM_OK;
}

void sfmi_total_loss_clear(sfmi_total_loss *total) {
  free(total->laws);
  *total = (sfmi_total_loss){0};
}
