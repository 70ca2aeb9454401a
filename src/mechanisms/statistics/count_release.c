/* count_release.c - private rows in, one private number out: how many satisfy a predicate. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "data/schema/category.h"
#include "mechanisms/core/partial_run.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/request_json.h"
#include "count_noise.h"
#include "count_release.h"
#include "releases/core/release_kind.h"
#include "releases/kinds/count_kind.h"

_Static_assert(SFM_WHERE_MAX == SFMI_PREDICATE_MAX, "the same limit");

void sfm_count_settings_init(sfm_count_settings *settings, size_t size) {
  const sfm_count_settings defaults = {.context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* The columns of the predicate; none where all records count. */
static const sfmi_cell_column *columns_of(const sfmi_predicate *predicate, size_t *count) {
  *count = 0;
  return predicate ? sfmi_predicate_columns(predicate, count) : NULL;
}

static size_t count_kept(const sfmi_batch *batch) {
  size_t count = 0;
  for (size_t r = 0; r < batch->rows; r++) count += batch->keep[r];
  return count;
}

sfm_status sfmi_count_read(uint64_t *count, sfm_rows *rows, sfmi_predicate *predicate,
                           const sfm_count_settings *settings, sfm_error *error) {
  uint8_t matches[SFMI_BATCH_ROWS];
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, &settings->context, 0, 0};
  size_t column_count;
  const sfmi_cell_column *columns = columns_of(predicate, &column_count);
  *count = 0;
  sfm_status status =
      sfmi_rows_begin_cells(rows, settings->context.schema, columns, column_count, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    *count += predicate ? sfmi_predicate_match(predicate, matches, batch) : count_kept(batch);
  return status;
}

/* One release under way. */
typedef struct count_run {
  sfmi_release_run base;
  const sfm_count_settings *settings;
  sfmi_predicate *predicate; /* NULL: all records */
  sfmi_count_rule rule;
  sfmi_count_noise *count_noise;
  uint64_t count; /* PRIVATE */
} count_run;

static sfm_guarantee guarantee_of(const count_run *m) {
  const double gamma = m->settings->gamma;
  return (sfm_guarantee){.kind = gamma > 0 ? SFM_GUARANTEE_RANDOM_DP : SFM_GUARANTEE_PURE,
                         .epsilon = m->rule.epsilon,
                         .gamma = gamma};
}

/* What stands for the mechanism: the hash of all that decides its answers, as bytes, each number
 * eight of them with the lowest first. */
static char *hash_mechanism(const sfmi_optimal *optimal) {
  const size_t entries = (optimal->n + 1) * (optimal->n + 1);
  const uint64_t facts[] = {optimal->n, (uint64_t)optimal->form, optimal->exact.numerator,
                            optimal->exact.denominator};
  enum { FACTS = sizeof facts / sizeof *facts };
  unsigned char *bytes = sfmi_alloc(FACTS + entries, 8);
  if (!bytes) return NULL;
  for (size_t i = 0; i < FACTS + entries; i++) {
    const uint64_t word = i < FACTS ? facts[i] : optimal->numerators[i - FACTS];
    for (unsigned k = 0; k < 8; k++) bytes[8 * i + k] = (unsigned char)(word >> 8 * k);
  }
  json_t *hash = sfmi_request_hash(bytes, 8 * (FACTS + entries));
  char *copy = hash ? sfmi_copy_string(json_string_value(hash)) : NULL;
  json_decref(hash);
  free(bytes);
  return copy;
}

/* tails[w]: the largest chance, over all counts, of an answer that is off by more than w. */
static void fill_tails(double *tails, double *law, const sfmi_optimal *optimal) {
  const size_t n = optimal->n;
  for (size_t truth = 0; truth <= n; truth++) {
    double tail = 0;
    sfmi_optimal_law(optimal, law, truth);
    for (size_t w = n; w-- > 0;) {
      tail += truth + w + 1 <= n ? law[truth + w + 1] : 0;
      tail += truth >= w + 1 ? law[truth - w - 1] : 0;
      /* The law is right to SFMI_OPTIMAL_PRECISION; sums of it are not below the truth. */
      tails[w] = fmax(tails[w], fmin(tail * (1 + 2 * SFMI_OPTIMAL_PRECISION), 1));
    }
  }
}

/* What a reader is told of an optimal mechanism. */
static sfm_status note_mechanism(sfm_release *release, const sfmi_optimal *optimal,
                                 sfm_error *error) {
  sfmi_count_data *count_data = release->count_data;
  double *law = sfmi_alloc(optimal->n + 1, sizeof *law);
  count_data->tails = sfmi_alloc(optimal->n + 1, sizeof *count_data->tails);
  count_data->tail_count = optimal->n + 1;
  count_data->epsilon = optimal->epsilon;
  count_data->risk = optimal->risk;
  count_data->loss = sfmi_copy_string(sfm_optimal_loss_name(optimal->loss));
  count_data->objective = sfmi_copy_string(sfm_optimal_objective_name(optimal->objective));
  count_data->form = sfmi_copy_string(sfm_optimal_form_name(optimal->form));
  count_data->hash = hash_mechanism(optimal);
  const bool good = law && count_data->tails && count_data->loss && count_data->objective &&
                    count_data->form && count_data->hash;
  if (good) fill_tails(count_data->tails, law, optimal);
  free(law);
  return good ? SFM_OK : sfmi_fail_memory(error);
}

/* The release with all that is public filled in. */
static sfm_status begin_release(count_run *m, uint64_t rows, sfm_error *error) {
  const sfm_count_settings *s = m->settings;
  const sfmi_optimal *optimal = m->rule.optimal;
  sfm_release *release = m->base.release = sfmi_release_begin(
      &sfmi_count_kind, optimal ? SFMI_COUNT_OPTIMAL : SFMI_COUNT_GEOMETRIC, &s->context);
  if (!release) return sfmi_fail_memory(error);
  release->hardened = true;
  release->has_rows = release->neighbours == SFM_NEIGHBOURS_REPLACE;
  release->rows = rows;
  release->guarantee = guarantee_of(m);
  release->law = optimal ? SFM_NOISE_LAW_OPTIMAL : SFM_NOISE_LAW_DISCRETE_LAPLACE;
  release->step = 1;
  release->sensitivity = release->contributions;
  release->scale = optimal ? INFINITY : sfmi_noise_scale(&m->rule.law);
  release->length = 1;
  release->integers = sfmi_alloc(1, sizeof *release->integers);
  if (!release->integers) return sfmi_fail_memory(error);
  if (s->where) release->count_data->where = sfmi_copy_string(s->where);
  if (s->where && !release->count_data->where) return sfmi_fail_memory(error);
  return optimal ? note_mechanism(release, optimal, error) : SFM_OK;
}

static sfm_status check(sfmi_release_run *run, sfm_error *error) {
  count_run *m = (count_run *)run;
  const sfm_count_settings *s = m->settings;
  sfm_status status = sfmi_count_check(s, error);
  if (status || !s->where) return status;
  status = sfmi_predicate_create(&m->predicate, s->where, s->context.schema, error);
  if (!status && sfmi_rows_are_values(run->rows))
    status = sfmi_predicate_use_values(m->predicate, error);
  return status;
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  count_run *m = (count_run *)run;
  const sfm_count_settings *s = m->settings;
  uint64_t count = 0;
  size_t column_count;
  const sfmi_cell_column *columns = columns_of(m->predicate, &column_count);
  sfm_status status =
      sfmi_rows_begin_cells(run->rows, s->context.schema, columns, column_count, error);
  if (!status) status = sfmi_public_rows(&count, run->rows, s->context.schema, error);
  if (!status) status = sfmi_count_rule_init(&m->rule, s, count, error);
  if (!status) status = begin_release(m, count, error);
  if (!status && !run->summing)
    status = sfmi_count_noise_create(&m->count_noise, &m->rule, run->seed, error);
  return status;
}

/* A column with all that decides which of its cells satisfy the predicate. */
static json_t *column_json(const sfmi_cell_column *column, const sfm_schema *schema) {
  const sfm_column *stated = sfm_schema_find(schema, column->name);
  const char *type = column->use == SFMI_USE_NUMBER ? "number" : "string";
  json_t *object = json_pack("{s:s, s:s}", "column", column->name, "type",
                             stated ? sfm_column_type_name(stated->type) : type);
  json_t *values = stated ? sfmi_request_values(stated) : NULL;
  if (values) json_object_set_new(object, "values", values);
  return object;
}

static json_t *parameters(const sfmi_release_run *run) {
  const count_run *m = (const count_run *)run;
  const sfm_release *release = run->release;
  const sfm_count_settings *s = m->settings;
  json_t *list = json_array();
  json_t *all = sfmi_request_parameters(run, "count");
  size_t count;
  const sfmi_cell_column *columns = columns_of(m->predicate, &count);
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, column_json(&columns[i], s->context.schema));
  sfmi_request_text(all, "where", s->where);
  json_object_set_new(all, "columns", list);
  const char *hash = release->count_data->hash;
  sfmi_request_text(all, "optimal", hash);
  sfmi_request_text(all, "person", run->person);
  return all;
}

/* The condition on values, where the rows are values and it was made for texts. */
static sfm_status sum_values(const count_run *m, uint64_t *count, sfm_rows *rows,
                             sfm_error *error) {
  sfmi_predicate *predicate = NULL;
  sfm_status status =
      sfmi_predicate_create(&predicate, m->settings->where, m->settings->context.schema, error);
  if (!status) status = sfmi_predicate_use_values(predicate, error);
  if (!status) status = sfmi_count_read(count, rows, predicate, m->settings, error);
  sfmi_predicate_destroy(predicate);
  return status;
}

static sfm_status sum(sfmi_release_run *run, sfmi_sums *sums, sfm_rows *rows, sfm_error *error) {
  const count_run *m = (const count_run *)run;
  const sfm_status status = sfmi_sums_init(sums, SFMI_SUMS_COUNTS, 1, error);
  if (status || !rows) return status;
  if (run->summing && m->predicate && sfmi_rows_are_values(rows))
    return sum_values(m, &sums->counts[0], rows, error);
  return sfmi_count_read(&sums->counts[0], rows, m->predicate, m->settings, error);
}

static sfm_status take(sfmi_release_run *run, sfmi_sums *sums, sfm_error *error) {
  (void)error;
  ((count_run *)run)->count = sums->counts[0];
  return SFM_OK;
}

static bool fits(const sfmi_release_run *run, const sfmi_sums *sums) {
  const sfmi_count_rule *rule = &((const count_run *)run)->rule;
  return !rule->bounded || sums->counts[0] <= rule->n;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  count_run *m = (count_run *)run;
  (void)error;
  run->release->integers[0] =
      sfmi_count_noise_draw(m->count_noise, m->count, &run->release->count_data->exact);
  return SFM_OK;
}

static const sfmi_release_steps steps = {.check = check,
                                         .prepare = prepare,
                                         .parameters = parameters,
                                         .sum = sum,
                                         .take = take,
                                         .fits = fits,
                                         .draw = draw};

static void clear(count_run *m) {
  sfmi_predicate_destroy(m->predicate);
  sfmi_count_noise_destroy(m->count_noise);
  explicit_bzero(&m->count, sizeof m->count);
}

sfm_status sfm_count_release(sfm_release **out, sfm_rows *rows, const sfm_count_settings *given,
                             sfm_error *error) {
  sfm_count_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_count_settings, &taken, given, error);
  if (status) return status;
  count_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context), .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  clear(&m);
  return status;
}

static void clear_run(sfmi_release_run *run) {
  clear((count_run *)run);
}

static const sfmi_partial_kind partial_kind =
    SFMI_PARTIAL_KIND(steps, count_run, settings, clear_run);

sfm_status sfm_count_partial_create(sfm_partial **out, const sfm_count_settings *given,
                                    const sfm_part *part, sfm_error *error) {
  sfm_count_settings taken;
  *out = NULL;
  const sfm_status status = SFMI_TAKE(sfm_count_settings, &taken, given, error);
  return status ? status : sfmi_partial_create(out, &partial_kind, &taken, part, error);
}
