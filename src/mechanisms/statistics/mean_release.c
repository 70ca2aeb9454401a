/* mean_release.c - private rows in, one mean out, under random differential privacy.  Order of
 * events as in density_release.c, but that nothing can be charged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/rows/rows.h"
#include "estimators/quantiles/smooth_spread.h"
#include "mean_release.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/seed.h"
#include "privacy/calibration.h"
#include "random/idealised_draws.h"
#include "random_dp_checks.h"
#include "releases/core/release_data.h"
#include "releases/core/release_sentence.h"

sfm_mean_settings sfm_mean_settings_default(void) {
  return (sfm_mean_settings){.gamma = 0.05, .delta = 1e-6};
}

static sfm_status check(const sfm_mean_settings *s, sfm_error *error) {
  const sfm_status status = sfmi_random_dp_check_gamma(s->gamma, error);
  if (status) return status;
  if (s->charge)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy cannot be charged to a ledger of differential "
                     "privacy; leave out the ledger");
  if (!(s->epsilon >= SFMI_EPSILON_MIN && s->epsilon <= SFMI_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "epsilon must be a number from %g to %g, not %g",
                     SFMI_EPSILON_MIN, SFMI_EPSILON_MAX, s->epsilon);
  if (!(s->delta >= SFMI_DELTA_MIN && s->delta <= 0.5))
    return sfmi_fail(error, SFM_INVALID,
                     "a mean needs a delta above 0 and at most 0.5 (1e-6 is usual), not %g",
                     s->delta);
  return sfmi_random_dp_check_records(s->schema, error);
}

/* Beyond, sums of the values would not be finite. */
static sfm_status check_limits(const sfm_mean_settings *s, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(s->schema, s->column);
  if (fmax(fabs(column->lower), fabs(column->upper)) <= 1e150) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "the limits of '%s' must be at most 1e150 in size",
                   s->column);
}

void sfmi_mean_rule_init(sfmi_mean_rule *out, const sfm_mean_settings *settings, uint64_t rows) {
  const sfm_column *column = sfm_schema_find(settings->schema, settings->column);
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
typedef struct run {
  const sfm_mean_settings *settings;
  sfm_rows *rows;
  sfmi_mean_rule rule;
  double *values; /* PRIVATE */
  sfmi_stream *stream;
  sfm_release *release;
} run;

static sfmi_selection selected(const sfm_mean_settings *settings) {
  return (sfmi_selection){settings->schema, &settings->column, 1, SFM_CLAMP};
}

/* The release with all that is public filled in: its sensitivity is that of any records. */
static sfm_status begin_release(run *m, sfm_error *error) {
  const sfm_mean_settings *s = m->settings;
  const sfm_column *column = sfm_schema_find(s->schema, s->column);
  sfm_release *release = m->release = sfmi_release_create();
  if (!release) return sfmi_fail_memory(error);
  release->method = SFMI_MEAN_EMPIRICAL;
  release->is_private = !s->seeded;
  release->contributions = 1;
  release->has_rows = true;
  release->rows = m->rule.rows;
  release->guarantee = (sfm_guarantee){
      .kind = SFM_RANDOM_DP, .epsilon = s->epsilon, .delta = s->delta, .gamma = s->gamma};
  release->dimension = 1;
  release->columns[0] = sfmi_copy_string(s->column);
  release->lower[0] = column->lower;
  release->upper[0] = column->upper;
  release->law = sfmi_copy_string("laplace");
  release->scale = INFINITY;
  release->sensitivity = m->rule.width / (double)m->rule.rows;
  release->band = (sfm_band){NAN, NAN, NAN, NAN};
  release->length = 1;
  release->reals = sfmi_alloc(1, sizeof *release->reals);
  return release->columns[0] && release->law && release->reals ? SFM_OK : sfmi_fail_memory(error);
}

/* All public checks, room for the values, and the stream ready to be drawn from. */
static sfm_status begin(run *m, sfm_rows *rows, const sfm_mean_settings *settings,
                        sfm_error *error) {
  uint64_t count = 0;
  const sfmi_selection selection = selected(settings);
  *m = (run){.settings = settings, .rows = rows};
  sfm_status status = check(settings, error);
  if (!status) status = sfmi_rows_begin(rows, &selection, error);
  if (!status) status = check_limits(settings, error);
  if (!status) status = sfm_rows_count(rows, &count, error);
  if (!status && count < 2)
    status =
        sfmi_fail(error, SFM_INVALID, "this mean needs at least two records, and there are %llu",
                  (unsigned long long)count);
  if (status) return status;
  sfmi_mean_rule_init(&m->rule, settings, count);
  m->values = sfmi_alloc(count, sizeof *m->values);
  status = m->values ? begin_release(m, error) : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_seed_stream(&m->stream, (sfmi_seed){settings->seeded, settings->seed}, error);
  return status;
}

/* The values in the order of the rows; one without a number is zero. */
static sfm_status read_values(run *m, sfm_error *error) {
  const sfmi_selection selection = selected(m->settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {m->rows, m->settings->progress, m->settings->progress_context, 0, 0};
  uint64_t filled = 0;
  sfm_status status = sfmi_rows_begin(m->rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    for (size_t r = 0; r < batch->rows && filled < m->rule.rows; r++)
      m->values[filled++] = batch->keep[r] ? batch->values[r] : 0;
  return status;
}

static void clear(run *m) {
  if (m->values) explicit_bzero(m->values, m->rule.rows * sizeof *m->values);
  free(m->values);
  sfmi_stream_destroy(m->stream);
  sfm_release_destroy(m->release);
}

sfm_status sfm_mean_release(sfm_release **out, sfm_rows *rows, const sfm_mean_settings *settings,
                            sfm_error *error) {
  run m;
  *out = NULL;
  sfm_status status = begin(&m, rows, settings, error);
  if (!status) status = read_values(&m, error);
  if (!status) {
    m.release->reals[0] = sfmi_mean_draw(&m.rule, m.values, m.stream);
    if (!sfmi_release_write_sentence(m.release)) status = sfmi_fail_memory(error);
  }
  if (!status) {
    *out = m.release;
    m.release = NULL;
  }
  clear(&m);
  return status;
}
