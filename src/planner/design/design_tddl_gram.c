#include "design_tddl_gram.h"

#include <math.h>

#include "estimators/machine/gram_machine.h"

/* Of kappa^2: what two entries of a pair may differ by, and a diagonal be above it; what an
 * eigenvalue may be below zero by, half of what is added to all of them. */
static const double ALIKE = SFMI_GRAM_MACHINE_SLACK, BELOW = 0x1p-21;
static const double KAPPA_LEAST = 1e-50, KAPPA_MOST = 1e50;

static sfm_status check(const sfm_train_settings *s, sfm_error *error) {
  const sfm_gram *g = s->gram;
  if (s->method != SFM_TRAIN_TDDL)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.gram is for settings.method = tddl, which releases a machine at "
                     "public points: use that");
  if (s->features)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.gram is in place of features and a kernel: leave out settings.features");
  if (!s->label)
    return sfmi_fail(error, SFM_INVALID, "name the column of the labels: settings.label = y");
  if (s->constant != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.constant cannot be used with settings.gram: add its square to all "
                     "entries of the matrices, and to kappa^2");
  if (!(g->kappa >= KAPPA_LEAST && g->kappa <= KAPPA_MOST))
    return sfmi_fail(error, SFM_INVALID,
                     "gram.kappa is missing or not a positive number: K(x, x) is at most its "
                     "square, for every possible record; write for example gram.kappa = 1");
  if (g->rows < 1 || g->rows > SFMI_GRAM_MACHINE_MOST)
    return sfmi_fail(error, SFM_INVALID, "a Gram matrix can be of 1 to %zu rows, not %zu",
                     SFMI_GRAM_MACHINE_MOST, g->rows);
  return SFM_OK;
}

sfm_status sfmi_tddl_gram_begin(sfmi_encoding *encoding, sfmi_encoding *bare,
                                const sfm_train_settings *s, sfm_error *error) {
  const sfm_status status = check(s, error);
  if (status) return status;
  const double square = s->gram->kappa * s->gram->kappa;
  *bare = (sfmi_encoding){.clip = INFINITY, .factor = 1, .drop = s->outside == SFM_OUTSIDE_DROP};
  bare->inputs = sfmi_alloc(1, sizeof *bare->inputs);
  if (!bare->inputs) return sfmi_fail_memory(error);
  *encoding = (sfmi_encoding){.dimension = s->gram->points,
                              .bounded = true,
                              .lower = -square,
                              .upper = square,
                              .scaling = SFM_SCALING_NONE,
                              .clip = INFINITY,
                              .drop = s->outside == SFM_OUTSIDE_DROP};
  return sfmi_encoding_complete(encoding, error);
}

sfm_status sfmi_tddl_gram_check_rows(const sfm_gram *g, uint64_t rows, sfm_error *error) {
  if (g->rows == rows) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the Gram matrix is of %zu rows, and the file of labels has %llu: one line per "
                   "row, in the same order",
                   g->rows, (unsigned long long)rows);
}

sfm_status sfmi_tddl_gram_public(double **matrix, const sfm_gram *g, size_t count,
                                 sfm_error *error) {
  const double square = g->kappa * g->kappa;
  double *m = *matrix = sfmi_alloc(count * count, sizeof *m);
  if (!m) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k <= i; k++) {
      const double a = g->between[i * g->points + k], b = g->between[k * g->points + i];
      if (!isfinite(a) || !isfinite(b) || fabs(a - b) > ALIKE * square)
        return sfmi_fail(error, SFM_INVALID,
                         "the public matrix is not symmetric and finite at row %zu, column %zu",
                         i + 1, k + 1);
      if (i == k && a > square * (1 + ALIKE))
        return sfmi_fail(error, SFM_INVALID,
                         "the public matrix has %g on its diagonal at row %zu, above gram.kappa's "
                         "square, %g: leave out the point, or declare a larger gram.kappa",
                         a, i + 1, square);
      m[i * count + k] = m[k * count + i] = a / 2 + b / 2;
    }
  return SFM_OK;
}

/* So that count times it is BELOW: a Gram matrix that is off by as much as a
 * positive one may be. */
double sfmi_tddl_gram_entry_error(const sfm_gram *g, size_t count) {
  return BELOW * g->kappa * g->kappa / (double)count;
}

sfm_status sfmi_tddl_gram_check_definite(const sfm_gram *g, const sfmi_design_tddl *tddl,
                                         sfm_error *error) {
  const sfmi_whitening *w = tddl->whole.whitening;
  const double least = w->values[w->count - 1];
  if (least >= -BELOW * g->kappa * g->kappa) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the public matrix is not positive semi-definite: it has the eigenvalue %.3g, "
                   "and no kernel has such a matrix",
                   least);
}

sfm_status sfmi_tddl_gram_map(sfmi_feature_map **map, const sfmi_encoding *encoding,
                              const sfm_train_settings *s, size_t count, bool learns,
                              sfm_error *error) {
  sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_POINTS,
                             .dimension = encoding->dimension,
                             .radius = encoding->radius,
                             .kernel = SFM_KERNEL_LINEAR};
  *map = NULL;
  sfm_status status = sfmi_feature_map_make_points(&stated, count, count, error);
  if (status) return status;
  for (size_t j = 0; j < count; j++) {
    stated.point_starts[j + 1] = j + 1;
    stated.point_indices[j] = (uint32_t)j;
    stated.point_values[j] = 1;
  }
  status = sfmi_feature_map_create(map, &stated, error);
  if (!status && learns)
    (*map)->kappa = s->gram->kappa * sqrt(1 + SFMI_GRAM_MACHINE_SLACK + SFMI_GRAM_MACHINE_JITTER) *
                    (1 + 0x1p-50);
  return status;
}
