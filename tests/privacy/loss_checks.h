/* loss_checks.h - losses as text ("laplace:0.5:3 randomised-response:1:2:10"), and what the tests
 * ask of intervals. */
#ifndef TEST_LOSS_CHECKS_H
#define TEST_LOSS_CHECKS_H

#include "test_support.h"

#include "sfumato/account.h"

#define LOSSES_MAX 64

static inline sfm_privacy_loss_kind losses_kind(const char *name) {
  static const char *const names[] = {
      "gaussian", "laplace", "discrete-laplace", "discrete-gaussian", "randomised-response",
      "pure"};
  for (int i = 0; i < 6; i++)
    if (strcmp(names[i], name) == 0) return (sfm_privacy_loss_kind)i;
  fail_msg("no kind '%s'", name);
  return SFM_PRIVACY_LOSS_PURE;
}

static inline size_t losses_read(sfm_privacy_loss losses[LOSSES_MAX], const char *text) {
  size_t count = 0;
  while (*text) {
    char name[32];
    unsigned long long times = 1;
    unsigned categories = 0;
    int used = 0;
    assert_true(count < LOSSES_MAX);
    sfm_privacy_loss *loss = &losses[count++];
    if (sscanf(text, "%31[^:]:%lf:%llu%n", name, &loss->parameter, &times, &used) < 3)
      fail_msg("cannot read '%s'", text);
    text += used;
    if (*text == ':') {
      assert_int_equal(sscanf(text, ":%u%n", &categories, &used), 1);
      text += used;
    }
    loss->kind = losses_kind(name);
    loss->count = times;
    loss->categories = categories;
    while (*text == ' ') text++;
  }
  return count;
}

static inline sfm_interval losses_epsilon(const sfm_privacy_loss *losses, size_t count,
                                          double delta) {
  sfm_interval out = {-1, -1};
  sfm_error error;
  assert_ok(sfm_account_epsilon(&out, losses, count, delta, &error), &error);
  assert_true(out.lower >= 0 && out.lower <= out.upper && isfinite(out.upper));
  return out;
}

static inline sfm_interval losses_delta(const sfm_privacy_loss *losses, size_t count,
                                        double epsilon) {
  sfm_interval out = {-1, -1};
  sfm_error error;
  assert_ok(sfm_account_delta(&out, losses, count, epsilon, &error), &error);
  assert_true(out.lower >= 0 && out.lower <= out.upper && out.upper <= 1);
  return out;
}

static inline sfm_interval losses_epsilon_of(const char *text, double delta) {
  sfm_privacy_loss losses[LOSSES_MAX];
  return losses_epsilon(losses, losses_read(losses, text), delta);
}

static inline sfm_interval losses_delta_of(const char *text, double epsilon) {
  sfm_privacy_loss losses[LOSSES_MAX];
  return losses_delta(losses, losses_read(losses, text), epsilon);
}

/* truth, itself right to `off`, lies in the interval. */
static inline bool losses_contains(sfm_interval x, double truth, double off) {
  return x.lower <= truth + off && truth - off <= x.upper;
}

static inline void losses_hold(const char *claim, sfm_interval x, double truth, double off) {
  if (!losses_contains(x, truth, off))
    fail_msg("%s: %.17g is not in [%.17g, %.17g]", claim, truth, x.lower, x.upper);
}

static inline double losses_width(sfm_interval x) {
  return x.upper > 0 ? (x.upper - x.lower) / x.upper : 0;
}

#endif
