/* mean_release.c - private rows in, one mean out, under random differential privacy, which cannot
 * be charged. */
#include <math.h>

#include "base/system/sized_struct.h"
#include "data/rows/rows.h"
#include "estimators/quantiles/smooth_spread.h"
#include "mean_release.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/rows_pass.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"
#include "random/idealised_draws.h"
#include "random_dp_checks.h"
#include "releases/core/release_kind.h"
#include "releases/core/release_data.h"

void sfm_mean_settings_init(sfm_mean_settings *settings, size_t size) {
  const sfm_mean_settings defaults = {.gamma = 0.05, .delta = 1e-6, .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status check_settings(const sfm_mean_settings *s, sfm_error *error) {
  const sfm_status status = sfmi_random_dp_check_gamma(s->gamma, error);
  if (status) return status;
  if (s->context.charge)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy cannot be charged to a ledger of differential "
                     "privacy; leave out the ledger");
  if (sfmi_check_epsilon(s->epsilon, error)) return SFM_INVALID;
  if (!(s->delta >= SFMI_DELTA_MIN && s->delta <= 0.5))
    return sfmi_fail(error, SFM_INVALID,
                     "a mean needs a delta above 0 and at most 0.5 (1e-6 is usual), not %g",
                     s->delta);
  return sfmi_random_dp_check_records(s->context.schema, error);
}

/* Beyond, sums of the values would not be finite. */
static sfm_status check_limits(const sfm_mean_settings *s, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(s->context.schema, s->column);
  if (fmax(fabs(column->lower), fabs(column->upper)) <= 1e150) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "the limits of '%s' must be at most 1e150 in size",
                   s->column);
}

void sfmi_mean_rule_init(sfmi_mean_rule *out, const sfm_mean_settings *settings, uint64_t rows) {
  const sfm_column *column = sfm_schema_find(settings->context.schema, settings->column);
  *out = (sfmi_mean_rule){.rows = rows,
                          .rank = sfmi_smooth_spread_rank(rows, settings->gamma),
                          .beta = sfmi_smooth_spread_beta(settings->epsilon, settings->delta),
                          .width = fmax(column->upper, 0) - fmin(column->lower, 0),
                          .epsilon = settings->epsilon};
}

double sfmi_mean_draw(const sfmi_mean_rule *a, double *values, sfmi_stream *stream) {
  const double n = (double)a->rows;
  long double sum = 0;
  for (uint64_t i = 0; i < a->rows; i++) sum += values[i];
  const double spread = sfmi_smooth_spread(values, a->rows, a->rank, a->beta, a->width);
  const double size = sfmi_idealised_gamma(stream, 1),
               sign = sfmi_idealised_uniform(stream) < 0.5 ? -1 : 1;
  return (double)(sum / n) + sign * size * 2 * spread / (a->epsilon * n);
}

/* One release under way. */
typedef struct mean_run {
  sfmi_release_run base;
  const sfm_mean_settings *settings;
  sfmi_mean_rule rule;
  double *values; /* PRIVATE */
  sfmi_stream *stream;
} mean_run;

static sfmi_selection selected(const sfm_mean_settings *settings) {
  return (sfmi_selection){settings->context.schema, &settings->column, 1, SFM_OUTSIDE_CLAMP};
}

/* The release with all that is public filled in: its sensitivity is that of any records. */
static sfm_status begin_release(mean_run *m, sfm_error *error) {
  const sfm_mean_settings *s = m->settings;
  const sfm_column *column = sfm_schema_find(s->context.schema, s->column);
  sfm_release *release = m->base.release =
      sfmi_release_begin(&sfmi_mean_kind, SFMI_MEAN_EMPIRICAL, &s->context);
  if (!release || !sfmi_release_set_column(release, 0, s->column, column->lower, column->upper))
    return sfmi_fail_memory(error);
  release->has_rows = true;
  release->rows = m->rule.rows;
  release->guarantee = (sfm_guarantee){
      .kind = SFM_GUARANTEE_RANDOM_DP, .epsilon = s->epsilon, .delta = s->delta, .gamma = s->gamma};
  release->dimension = 1;
  release->law = SFM_NOISE_LAW_LAPLACE;
  release->scale = INFINITY;
  release->sensitivity = m->rule.width / (double)m->rule.rows;
  release->band = (sfm_band){NAN, NAN, NAN, NAN};
  release->length = 1;
  release->reals = sfmi_alloc(1, sizeof *release->reals);
  return release->reals ? SFM_OK : sfmi_fail_memory(error);
}

static sfm_status check(sfmi_release_run *run, sfm_error *error) {
  return check_settings(((const mean_run *)run)->settings, error);
}

/* Also room for the values. */
static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  mean_run *m = (mean_run *)run;
  uint64_t count = 0;
  const sfmi_selection selection = selected(m->settings);
  sfm_status status = sfmi_rows_begin(run->rows, &selection, error);
  if (!status) status = check_limits(m->settings, error);
  if (!status) status = sfm_rows_count(run->rows, &count, error);
  if (!status && count < 2)
    status =
        sfmi_fail(error, SFM_INVALID, "this mean needs at least two records, and there are %llu",
                  (unsigned long long)count);
  if (status) return status;
  sfmi_mean_rule_init(&m->rule, m->settings, count);
  m->values = sfmi_alloc(count, sizeof *m->values);
  status = m->values ? begin_release(m, error) : sfmi_fail_memory(error);
  return status ? status : sfmi_seed_stream(&m->stream, run->seed, error);
}

/* The values in the order of the rows; one without a number is zero. */
static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  mean_run *m = (mean_run *)run;
  const sfmi_selection selection = selected(m->settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {run->rows, &m->settings->context, 0, 0};
  uint64_t filled = 0;
  sfm_status status = sfmi_rows_begin(run->rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    for (size_t r = 0; r < batch->rows && filled < m->rule.rows; r++)
      m->values[filled++] = batch->keep[r] ? batch->values[r] : 0;
  return status;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  mean_run *m = (mean_run *)run;
  (void)error;
  run->release->reals[0] = sfmi_mean_draw(&m->rule, m->values, m->stream);
  return SFM_OK;
}

static const sfmi_release_steps steps = {
    .check = check, .prepare = prepare, .read = read, .draw = draw};

sfm_status sfm_mean_release(sfm_release **out, sfm_rows *rows, const sfm_mean_settings *given,
                            sfm_error *error) {
  sfm_mean_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_mean_settings, &taken, given, error);
  if (status) return status;
  mean_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context), .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_wipe_free(m.values, m.rule.rows, sizeof *m.values);
  sfmi_stream_destroy(m.stream);
  return status;
}
