/* gram_check.c - what the owner of Gram matrices should know before they are used: private facts,
 * for the owner alone. */
#include <math.h>

#include "base/math/linear_algebra.h"
#include "base/system/arena.h"
#include "estimators/machine/gram_machine.h"
#include "sfumato/train.h"

/* Of kappa^2: as far below zero as an eigenvalue may be (planner/design/design_tddl_gram.c). */
static const double BELOW = SFMI_GRAM_MACHINE_JITTER / 2;

static bool counts(const sfm_gram *g, size_t i) {
  const double self = g->train[i * g->rows + i];
  return self >= 0 && self <= sfmi_gram_machine_most(g->kappa);
}

static void count_entries(sfm_gram_report *report, const sfm_gram *g) {
  const double square = g->kappa * g->kappa;
  for (size_t i = 0; i < g->rows; i++) {
    report->above += g->train[i * g->rows + i] > sfmi_gram_machine_most(g->kappa);
    report->dropped += !counts(g, i);
    for (size_t k = 0; k < g->rows; k++) {
      const double a = g->train[i * g->rows + k], b = g->train[k * g->rows + i];
      report->unreadable += !isfinite(a);
      if (isfinite(a) && isfinite(b))
        report->lopsided = fmax(report->lopsided, fabs(a - b) / square);
    }
    for (size_t j = 0; j < g->points; j++)
      report->unreadable += !isfinite(g->cross[i * g->points + j]);
  }
}

static double readable(double x) {
  return isfinite(x) ? x : 0;
}

/* Records that count for nothing have zeros. */
static void join(double *whole, const sfm_gram *g) {
  const size_t n = g->rows, T = g->points, all = n + T;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++)
      if (counts(g, i) && counts(g, k))
        whole[i * all + k] = readable(g->train[i * n + k]) / 2 + readable(g->train[k * n + i]) / 2;
    for (size_t j = 0; j < T; j++)
      if (counts(g, i))
        whole[i * all + n + j] = whole[(n + j) * all + i] = readable(g->cross[i * T + j]);
  }
  for (size_t j = 0; j < T; j++)
    for (size_t k = 0; k < T; k++) whole[(n + j) * all + n + k] = readable(g->between[j * T + k]);
}

sfm_status sfm_gram_check(sfm_gram_report *report, const sfm_gram *g, sfm_error *error) {
  const size_t all = g->rows + g->points;
  *report = (sfm_gram_report){0};
  if (g->rows < 1 || g->rows > SFMI_GRAM_MACHINE_MOST || g->points < 1 || !(g->kappa > 0))
    return sfmi_fail(
        error, SFM_INVALID,
        "Gram matrices need 1 to %zu rows, at least one public point, and a positive gram.kappa",
        SFMI_GRAM_MACHINE_MOST);
  sfmi_arena arena = {0};
  double *whole = sfmi_arena_get(&arena, all * all, sizeof *whole),
         *values = sfmi_arena_doubles(&arena, all);
  sfm_status status = arena.failed ? sfmi_fail_memory(error) : SFM_OK;
  if (!status) {
    count_entries(report, g);
    join(whole, g);
    status = sfmi_symmetric_eigen(whole, values, all, error);
  }
  if (!status) {
    report->least = values[0] / (g->kappa * g->kappa);
    report->fits = report->least >= -BELOW;
  }
  sfmi_arena_wipe(&arena);
  return status;
}
