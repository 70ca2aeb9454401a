/* range_release.c - private rows in, quantiles of one column out, by the exponential mechanism. */
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/request_json.h"
#include "range_release.h"
#include "releases/core/release_kind.h"

void sfm_range_settings_init(sfm_range_settings *settings, size_t size) {
  const sfm_range_settings defaults = {.outside = SFM_OUTSIDE_CLAMP, .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

sfm_status sfmi_range_rates(sfmi_dyadic_rate *rates, const sfmi_design_range *range_design,
                            sfm_error *error) {
  for (size_t i = 0; i < range_design->count; i++)
    if (sfmi_exponential_rate(&rates[i], range_design->epsilon, range_design->moves[i], NULL))
      return sfmi_fail(
          error, SFM_INVALID,
          "an epsilon of %g per quantile is out of range for so many contributions and digits of "
          "the quantiles: write a larger epsilon, fewer contributions or fewer digits",
          range_design->epsilon);
  return SFM_OK;
}

static sfmi_selection selected(const sfm_range_settings *settings) {
  return (sfmi_selection){settings->context.schema, &settings->column, 1, settings->outside};
}

sfm_status sfmi_range_read(sfmi_ranks *ranks, sfm_rows *rows, const sfm_range_settings *settings,
                           sfm_error *error) {
  const sfmi_selection selection = selected(settings);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, &settings->context, 0, 0};
  sfm_status status = sfmi_rows_begin(rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error)) sfmi_ranks_add(ranks, batch);
  if (!status) sfmi_ranks_add_up(ranks);
  return status;
}

typedef struct ranked {
  const sfmi_ranks *ranks;
  sfm_ratio quantile;
} ranked;

static sfmi_u128 loss_of(const void *context, size_t i) {
  const ranked *r = context;
  return sfmi_ranks_loss(r->ranks, r->quantile, i);
}

static int compare_cells(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void sfmi_range_draw(int64_t *values, const sfmi_design_range *range_design,
                     const sfmi_dyadic_rate *rates, const sfmi_ranks *ranks, sfmi_stream *stream) {
  for (size_t i = 0; i < range_design->count; i++) {
    const ranked r = {ranks, range_design->quantiles[i]};
    values[i] =
        ranks->first + (int64_t)sfmi_exponential_draw(stream, rates[i], loss_of, &r, ranks->cells);
  }
  qsort(values, range_design->count, sizeof *values, compare_cells);
}

/* One release under way. */
typedef struct range_run {
  sfmi_release_run base;
  const sfm_range_settings *settings;
  sfmi_design_range range_design;
  sfmi_dyadic_rate rates[SFM_RANGE_QUANTILES_MAX];
  sfmi_stream *stream;
} range_run;

/* The release with all that is public filled in. */
static sfm_status begin_release(range_run *m, uint64_t rows, sfm_error *error) {
  const sfm_range_settings *s = m->settings;
  const sfmi_design_range *range_design = &m->range_design;
  sfm_release *release = m->base.release =
      sfmi_release_begin(&sfmi_range_kind, SFMI_EXPONENTIAL, &s->context);
  if (!release ||
      !sfmi_release_set_column(release, 0, s->column, range_design->lower, range_design->upper))
    return sfmi_fail_memory(error);
  release->hardened = true;
  release->has_rows = release->neighbours == SFM_NEIGHBOURS_REPLACE;
  release->rows = rows;
  release->outside = s->outside;
  release->dimension = 1;
  release->guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = s->epsilon};
  release->law = SFM_NOISE_LAW_EXPONENTIAL;
  release->step = range_design->grid.step;
  release->sensitivity = range_design->sensitivity;
  release->scale = 2 * range_design->sensitivity / range_design->epsilon;
  release->length = range_design->count;
  release->integers = sfmi_alloc(range_design->count, sizeof *release->integers);
  release->quantiles = sfmi_alloc(range_design->count, sizeof *release->quantiles);
  if (!release->integers || !release->quantiles) return sfmi_fail_memory(error);
  for (size_t i = 0; i < range_design->count; i++)
    release->quantiles[i] = (double)range_design->quantiles[i].numerator /
                            (double)range_design->quantiles[i].denominator;
  return SFM_OK;
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  range_run *m = (range_run *)run;
  const sfm_range_settings *settings = m->settings;
  const sfmi_selection selection = selected(settings);
  uint64_t count = 0;
  sfm_status status = sfmi_design_range_init(&m->range_design, settings, error);
  if (!status) status = sfmi_range_rates(m->rates, &m->range_design, error);
  if (!status) status = sfmi_rows_begin(run->rows, &selection, error);
  if (!status) status = sfmi_public_rows(&count, run->rows, settings->context.schema, error);
  if (!status) status = begin_release(m, count, error);
  if (!status) status = sfmi_ranks_alloc(&m->range_design.grid, error);
  return status ? status : sfmi_seed_stream(&m->stream, run->seed, error);
}

static json_t *parameters(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfm_range_settings *s = ((const range_run *)run)->settings;
  json_t *all = sfmi_request_parameters(run, "range");
  json_object_set_new(all, "column", sfmi_request_column(release, 0, s->context.schema));
  json_object_set_new(all, "quantiles", sfmi_request_numbers(release->quantiles, release->length));
  sfmi_request_number(all, "resolution", release->step);
  sfmi_request_text(all, "person", run->person);
  sfmi_request_text(all, "outside", sfm_outside_name(s->outside));
  return all;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  range_run *m = (range_run *)run;
  return sfmi_range_read(&m->range_design.grid, run->rows, m->settings, error);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  range_run *m = (range_run *)run;
  (void)error;
  sfmi_range_draw(run->release->integers, &m->range_design, m->rates, &m->range_design.grid,
                  m->stream);
  return SFM_OK;
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw};

sfm_status sfm_range_release(sfm_release **out, sfm_rows *rows, const sfm_range_settings *given,
                             sfm_error *error) {
  sfm_range_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_range_settings, &taken, given, error);
  if (status) return status;
  range_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context), .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_ranks_clear(&m.range_design.grid);
  sfmi_stream_destroy(m.stream);
  return status;
}
