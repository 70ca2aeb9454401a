/* range.c - private rows in, quantiles of one column out, by the exponential mechanism.  Order of
 * events as in density.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/billing.h"
#include "mechanisms/ranging.h"
#include "releases/band.h"

sfm_range_settings sfm_range_settings_default(void) {
  return (sfm_range_settings){.outside = SFM_CLAMP, .confidence = 0.95};
}

sfm_status sfmi_ranging_rates(sfmi_rate *rates, const sfmi_survey *survey, sfm_error *error) {
  for (size_t i = 0; i < survey->count; i++)
    if (sfmi_exponential_rate(&rates[i], survey->epsilon, survey->moves[i], NULL) != SFM_OK)
      return sfmi_fail(error, SFM_INVALID,
                       "an epsilon of %g a quantile is out of range with so many contributions and "
                       "digits of the quantiles: write a larger epsilon, or fewer of those",
                       survey->epsilon);
  return SFM_OK;
}

static sfmi_selection selected(const sfm_range_settings *settings) {
  return (sfmi_selection){settings->schema, &settings->column, 1, settings->outside};
}

sfm_status sfmi_ranging_read(sfmi_ranks *ranks, sfm_rows *rows, const sfm_range_settings *settings,
                             sfm_error *error) {
  const sfmi_selection selection = selected(settings);
  const sfmi_batch *batch = NULL;
  uint64_t done = 0;
  sfm_status status = sfmi_rows_begin(rows, &selection, error);
  while (status == SFM_OK) {
    status = sfmi_rows_next(rows, &batch, error);
    if (status != SFM_OK || !batch) break;
    sfmi_ranks_add(ranks, batch);
    done += batch->rows;
    if (settings->progress) settings->progress(settings->progress_context, done);
  }
  if (status == SFM_OK) sfmi_ranks_add_up(ranks);
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

void sfmi_ranging_draw(int64_t *values, const sfmi_survey *survey, const sfmi_rate *rates,
                       const sfmi_ranks *ranks, sfmi_stream *stream) {
  for (size_t i = 0; i < survey->count; i++) {
    const ranked r = {ranks, survey->quantiles[i]};
    values[i] =
        ranks->first + (int64_t)sfmi_exponential_draw(stream, rates[i], loss_of, &r, ranks->cells);
  }
  qsort(values, survey->count, sizeof *values, compare_cells);
}

/* One release under way. */
typedef struct making {
  const sfm_range_settings *settings;
  sfm_rows *rows;
  sfmi_bill bill;
  sfmi_survey survey;
  sfmi_rate rates[SFM_RANGE_QUANTILES_MAX];
  sfmi_stream *stream;
  sfm_release *release;
  uint8_t fingerprint[SFMI_DIGEST_BYTES];
} making;

/* The release with all that is public filled in. */
static sfm_status begin_release(making *m, uint64_t rows, sfm_error *error) {
  const sfm_range_settings *s = m->settings;
  const sfmi_survey *survey = &m->survey;
  sfm_release *release = m->release = sfmi_release_create();
  if (!release) return sfmi_fail_memory(error);
  release->method = SFMI_EXPONENTIAL;
  release->hardened = true;
  release->is_private = !s->seeded;
  release->neighbours = sfm_schema_neighbours(s->schema);
  release->contributions = sfm_schema_contributions(s->schema);
  if (!sfmi_release_take_person(release, s->schema)) return sfmi_fail_memory(error);
  release->has_rows = release->neighbours == SFM_REPLACE;
  release->rows = rows;
  release->outside = s->outside;
  release->dimension = 1;
  release->columns[0] = sfmi_copy_string(s->column);
  release->lower[0] = survey->lower;
  release->upper[0] = survey->upper;
  release->guarantee = (sfm_guarantee){.kind = SFM_PURE, .epsilon = s->epsilon};
  release->law = sfmi_copy_string("exponential");
  release->step = survey->grid.step;
  release->sensitivity = survey->sensitivity;
  release->scale = 2 * survey->sensitivity / survey->epsilon;
  release->length = survey->count;
  release->integers = sfmi_alloc(survey->count, sizeof *release->integers);
  release->quantiles = sfmi_alloc(survey->count, sizeof *release->quantiles);
  if (!release->columns[0] || !release->law || !release->integers || !release->quantiles)
    return sfmi_fail_memory(error);
  for (size_t i = 0; i < survey->count; i++)
    release->quantiles[i] =
        (double)survey->quantiles[i].numerator / (double)survey->quantiles[i].denominator;
  return SFM_OK;
}

/* All public checks, and the stream ready to be drawn from. */
static sfm_status begin(making *m, sfm_rows *rows, const sfm_range_settings *settings,
                        sfm_error *error) {
  uint64_t count = 0;
  const sfmi_selection selection = selected(settings);
  *m = (making){.settings = settings, .rows = rows};
  sfm_status status = sfmi_survey_init(&m->survey, settings, error);
  if (status == SFM_OK) status = sfmi_ranging_rates(m->rates, &m->survey, error);
  if (status == SFM_OK) status = sfmi_rows_begin(rows, &selection, error);
  if (status == SFM_OK)
    status = sfmi_bill_ready(&m->bill, settings->charge, settings->seeded,
                             sfm_schema_person(settings->schema), error);
  if (status == SFM_OK && sfm_schema_neighbours(settings->schema) == SFM_REPLACE)
    status = sfm_rows_count(rows, &count, error);
  if (status == SFM_OK && count == 0 && sfm_schema_neighbours(settings->schema) == SFM_REPLACE)
    status = sfmi_fail(error, SFM_INVALID,
                       "there are no records: under replace neighbours the number of records is "
                       "public and must be at least 1");
  if (status == SFM_OK) status = begin_release(m, count, error);
  if (status == SFM_OK) status = sfmi_ranks_alloc(&m->survey.grid, error);
  if (status == SFM_OK)
    status = settings->seeded ? sfmi_stream_create_seeded(&m->stream, settings->seed, error)
                              : sfmi_stream_create(&m->stream, error);
  return status;
}

/* What was asked for, as the ledger remembers it. */
static json_t *parameters_json(const making *m) {
  const sfm_release *release = m->release;
  const sfm_range_settings *s = m->settings;
  const char *person = sfm_schema_person(s->schema);
  json_t *quantiles = json_array();
  json_t *all = sfmi_bill_parameters("range", &release->guarantee, release->neighbours,
                                     release->contributions, s->confidence);
  for (size_t i = 0; i < release->length; i++)
    json_array_append_new(quantiles, json_real(release->quantiles[i]));
  json_object_set_new(all, "column", sfmi_bill_column(release, 0, s->schema));
  json_object_set_new(all, "quantiles", quantiles);
  json_object_set_new(all, "resolution", json_real(release->step));
  json_object_set_new(all, "person", person ? json_string(person) : json_null());
  json_object_set_new(all, "outside", json_string(s->outside == SFM_CLAMP ? "clamp" : "drop"));
  return all;
}

/* From the charged release to the finished one: rows, draws, band. */
static sfm_status finish(making *m, sfm_error *error) {
  sfm_release *release = m->release;
  sfmi_rows_set_key(m->rows, sfmi_bill_key(&m->bill));
  sfm_status status = sfmi_ranging_read(&m->survey.grid, m->rows, m->settings, error);
  if (status != SFM_OK) return status;
  sfmi_ranging_draw(release->integers, &m->survey, m->rates, &m->survey.grid, m->stream);
  if (m->settings->charge) sfmi_rows_fingerprint(m->rows, m->fingerprint);
  release->band = sfmi_band_ranks(release, m->settings->confidence);
  return sfmi_release_write_sentence(release) ? SFM_OK : sfmi_fail_memory(error);
}

static void clear(making *m) {
  sfmi_ranks_clear(&m->survey.grid);
  sfmi_stream_destroy(m->stream);
  sfm_release_destroy(m->release);
}

sfm_status sfm_range_release(sfm_release **out, sfm_rows *rows, const sfm_range_settings *settings,
                             sfm_error *error) {
  sfm_release *stored = NULL;
  making m;
  *out = NULL;
  sfm_status status = begin(&m, rows, settings, error);
  if (status == SFM_OK)
    status = sfmi_bill_charge(&m.bill, &stored, m.release,
                              settings->charge ? parameters_json(&m) : NULL, error);
  if (status == SFM_OK && !stored) {
    status = finish(&m, error);
    if (status == SFM_OK) status = sfmi_bill_store(&m.bill, &m.release, m.fingerprint, error);
  }
  status = sfmi_bill_end(&m.bill, status, error);
  if (status == SFM_OK && !stored) {
    stored = m.release;
    m.release = NULL;
  }
  clear(&m);
  *out = stored;
  return status;
}
