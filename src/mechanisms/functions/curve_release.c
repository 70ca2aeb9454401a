/* curve_release.c - private curves in, their mean out: hardened. */

#include <stddef.h>
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "estimators/curves/curve_sum.h"
#include "mechanisms/core/partial_run.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/request_json.h"
#include "curve_release.h"
#include "releases/band/band.h"

static sfmi_curve_selection selected(const sfm_curve_settings *settings) {
  return (sfmi_curve_selection){settings->context.schema, settings->columns, settings->first,
                                settings->count};
}

sfm_status sfmi_curve_hardening(sfmi_hardening *out, const sfmi_design_curve *curve_design,
                                double epsilon, sfm_error *error) {
  const double steps = curve_design->sensitivity / curve_design->clipping.step;
  out->step = curve_design->clipping.step;
  out->sensitivity = curve_design->sensitivity;
  return curve_design->mu > 0 ? sfmi_harden_normal(&out->law, steps, curve_design->mu, error)
                              : sfmi_harden_laplace(&out->law, steps, epsilon, error);
}

/* Adds the rows to the sum. */
static sfm_status read_rows(sfmi_curve_sum *curve_sum, sfm_rows *rows,
                            const sfm_curve_settings *settings, sfm_error *error) {
  const sfmi_curve_selection selection = selected(settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, &settings->context, 0, 0};
  sfm_status status = sfmi_rows_begin_curves(rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    status = sfmi_curve_sum_add(curve_sum, batch, error);
  return status;
}

/* Each part sums persons of its own, whose curves are together by then. */
static sfm_status sum_rows(sfmi_sums *sums, sfmi_design_curve *curve_design, sfm_rows *rows,
                           const sfm_curve_settings *settings, sfm_error *error) {
  sfmi_curve_sum *curve_sum = NULL;
  sfm_status status = sfmi_sums_init(sums, SFMI_SUMS_INTEGERS, curve_design->released, error);
  if (status || !rows) return status;
  status = sfmi_curve_sum_create(&curve_sum, curve_design->smoother, &curve_design->clipping,
                                 curve_design->basis, error);
  if (!status) status = read_rows(curve_sum, rows, settings, error);
  if (!status) sfmi_curve_sum_total(curve_sum, sums->integers, sums->count);
  sfmi_curve_sum_destroy(curve_sum);
  return status;
}

sfm_status sfmi_curve_integers(sfmi_i128 **values, sfmi_design_curve *curve_design, sfm_rows *rows,
                               const sfm_curve_settings *settings, sfm_error *error) {
  sfmi_sums sums = {0};
  const sfm_status status = sum_rows(&sums, curve_design, rows, settings, error);
  *values = status ? NULL : sums.integers;
  if (!status) sums.integers = NULL;
  sfmi_sums_clear(&sums);
  return status;
}

/* One release under way. */
typedef struct curve_run {
  sfmi_release_run base;
  const sfm_curve_settings *settings;
  sfmi_design_curve curve_design;
  sfmi_hardening hardening;
  sfmi_hardener *hardener;
  sfmi_i128 *values; /* PRIVATE */
} curve_run;

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  curve_run *m = (curve_run *)run;
  const sfm_curve_settings *settings = m->settings;
  const sfmi_curve_selection selection = selected(settings);
  uint64_t count = 0;
  sfm_status status = sfmi_design_curve_check(settings, error);
  if (!status) status = sfmi_rows_begin_curves(run->rows, &selection, error);
  if (!status) status = sfm_rows_count(run->rows, &count, error);
  if (!status) status = sfmi_design_curve_init(&m->curve_design, settings, count, error);
  if (!status)
    status = sfmi_curve_hardening(&m->hardening, &m->curve_design, settings->epsilon, error);
  if (!status)
    status =
        sfmi_design_curve_template(&run->release, &m->curve_design, settings, count,
                                   sfmi_noise_scale(&m->hardening.law) * m->hardening.step, error);
  return status || run->summing
             ? status
             : sfmi_hardener_create(&m->hardener, &m->hardening.law, run->seed, error);
}

static json_t *parameters(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfm_curve_settings *s = ((const curve_run *)run)->settings;
  json_t *all = sfmi_request_parameters(run, "curve");
  json_object_set_new(all, "columns", sfmi_request_texts(s->columns, s->columns ? s->count : 0));
  json_object_set_new(all, "first", s->columns ? json_null() : json_integer((json_int_t)s->first));
  sfmi_request_count(all, "count", s->count);
  json_object_set_new(all, "grid", sfmi_request_hash(s->grid, s->count * sizeof *s->grid));
  sfmi_request_text(all, "variable", release->columns[0]);
  sfmi_request_text(all, "person", run->person);
  sfmi_request_number(all, "clip", s->clip);
  sfmi_request_number(all, "ridge", s->ridge);
  sfmi_request_text(all, "kernel", sfm_kernel_family_name(s->kernel));
  sfmi_request_number(all, "bandwidth", s->bandwidth);
  if (s->mean)
    json_object_set_new(all, "mean", sfmi_request_hash(s->mean, s->count * sizeof *s->mean));
  return all;
}

static sfm_status sum(sfmi_release_run *run, sfmi_sums *sums, sfm_rows *rows, sfm_error *error) {
  curve_run *m = (curve_run *)run;
  return sum_rows(sums, &m->curve_design, rows, m->settings, error);
}

static sfm_status take(sfmi_release_run *run, sfmi_sums *sums, sfm_error *error) {
  (void)error;
  ((curve_run *)run)->values = sums->integers;
  sums->integers = NULL;
  return SFM_OK;
}

static bool fits(const sfmi_release_run *run, const sfmi_sums *sums) {
  (void)run;
  return sfmi_sums_are_within(sums, 0, SFMI_CURVE_SUM_STEPS_LOG2_MAX);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  curve_run *m = (curve_run *)run;
  (void)error;
  sfmi_hardener_add(m->hardener, run->release->integers, m->values, run->release->length);
  return SFM_OK;
}

static sfm_status finish(sfmi_release_run *run, sfm_error *error) {
  const curve_run *m = (const curve_run *)run;
  return sfmi_band_expansion(&run->release->band, run->release, m->settings->context.confidence,
                             m->curve_design.systematic, error);
}

static const sfmi_release_steps steps = {.prepare = prepare,
                                         .parameters = parameters,
                                         .sum = sum,
                                         .take = take,
                                         .fits = fits,
                                         .draw = draw,
                                         .finish = finish};

static void clear(curve_run *m) {
  sfmi_wipe_free(m->values, m->curve_design.released, sizeof *m->values);
  sfmi_hardener_destroy(m->hardener);
  sfmi_design_curve_clear(&m->curve_design);
}

sfm_status sfm_curve_release(sfm_release **out, sfm_curve_choice *plan, sfm_rows *rows,
                             const sfm_curve_settings *given, sfm_error *error) {
  sfm_curve_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_curve_settings, &taken, given, error);
  if (status) return status;
  curve_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context), .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  if (plan && !status) *plan = m.curve_design.plan;
  clear(&m);
  return status;
}

static void clear_run(sfmi_release_run *run) {
  clear((curve_run *)run);
}

static const sfmi_partial_kind partial_kind =
    SFMI_PARTIAL_KIND(steps, curve_run, settings, clear_run);

sfm_status sfm_curve_partial_create(sfm_partial **out, const sfm_curve_settings *given,
                                    const sfm_part *part, sfm_error *error) {
  sfm_curve_settings taken;
  *out = NULL;
  const sfm_status status = SFMI_TAKE(sfm_curve_settings, &taken, given, error);
  return status ? status : sfmi_partial_create(out, &partial_kind, &taken, part, error);
}
