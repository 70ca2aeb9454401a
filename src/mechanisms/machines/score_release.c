/* score_release.c - how well a released machine does on rows: exactly when they are public, else
 * with noise.
 *
 * What is released is an integer that one record moves by at most `most`: the number of rows that
 * get their own label, or the sum of |prediction - label| in steps, both within the bounds of the
 * label.  The number of rows is public, and divides it.  Proof: docs/proofs/machine.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "base/system/c_locale.h"
#include "estimators/machine/examples_reader.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/hardened_noise.h"
#include "score_release.h"
#include "privacy/range_check.h"
#include "releases/core/release_kind.h"
#include "releases/kinds/machine_values.h"
#include "releases/core/release_write.h"

/* Steps that the width of a label's bounds has, at most. */
static const double RESOLUTION = 0x1p20;
/* Most rows: sums stay below 2^53. */
static const uint64_t ROWS_MAX = (uint64_t)1 << 32;
/* Rows whose values are computed at a time. */
static const size_t CHUNK = (size_t)1 << 16;

void sfm_score_settings_init(sfm_score_settings *settings, size_t size) {
  const sfm_score_settings defaults = {.context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* ---- marks ---- */

void sfmi_score_rule_init(sfmi_score_rule *out, const sfm_release *machine) {
  const sfmi_machine_model *model = machine->model;
  const bool regression = model->task == SFM_TASK_REGRESSION;
  *out = (sfmi_score_rule){.regression = regression, .step = 1, .most = 1};
  if (!regression) return;
  const double width = model->upper - model->lower;
  int exponent;
  frexp(width / RESOLUTION, &exponent); /* width/2^20 < 2^exponent */
  out->step = ldexp(1, exponent);
  out->most = out->counts = (uint64_t)ceil(width / out->step);
}

static double within(double value, double lower, double upper) {
  return fmin(fmax(value, lower), upper);
}

/* The class of row r. */
static size_t own_class(const sfmi_examples *examples, size_t r) {
  return examples->classes ? examples->classes[r] : examples->labels[r] > 0;
}

/* How far a prediction is off the label of row r, both within the label's bounds. */
static double absolute_error(const sfmi_machine_model *model, const sfmi_examples *examples,
                             size_t r, double prediction) {
  const double middle = model->lower / 2 + model->upper / 2,
               half = model->upper / 2 - model->lower / 2;
  const double label = within(middle + half * examples->labels[r], model->lower, model->upper);
  return fabs(within(prediction, model->lower, model->upper) - label);
}

/* The score of row r, where the machine has those values. */
static uint64_t score_row(const sfmi_score_rule *rule, const sfm_release *machine,
                          const sfmi_examples *examples, size_t r, const double *values) {
  if (!examples->keep[r]) return rule->counts;
  if (!rule->regression) return sfm_machine_decide(machine, values) == own_class(examples, r);
  const double error = absolute_error(machine->model, examples, r, values[0]);
  const uint64_t steps = (uint64_t)llround(error / rule->step);
  return steps < rule->most ? steps : rule->most;
}

/* Of public rows: sums over them, counts[k] of those of class k. */
static void count_row(sfm_score *score, uint64_t *counts, const sfm_release *machine,
                      const sfmi_examples *examples, size_t r, const double *values) {
  const sfmi_machine_model *model = machine->model;
  const bool regression = model->task == SFM_TASK_REGRESSION, kept = examples->keep[r];
  score->unlabelled += !kept;
  if (regression) {
    const double width = model->upper - model->lower, middle = model->lower / 2 + model->upper / 2;
    const double off = kept ? absolute_error(model, examples, r, values[0]) : width;
    score->spread += off * off;
    score->middle += kept ? absolute_error(model, examples, r, middle) : width;
  } else if (kept) {
    const size_t own = own_class(examples, r), said = sfm_machine_decide(machine, values);
    counts[own]++;
    if (model->class_count <= SFM_SCORE_TABLE && said < model->class_count)
      score->table[own][said]++;
  }
}

/* From sums to means. */
static void finish_counts(sfm_score *score, const uint64_t *counts, size_t class_count,
                          size_t rows) {
  for (size_t k = 1; k < class_count; k++)
    if (counts[k] > counts[score->commonest]) score->commonest = k;
  if (class_count > 0) score->majority = (double)counts[score->commonest] / (double)rows;
  score->spread = sqrt(score->spread / (double)rows);
  score->middle /= (double)rows;
}

/* The sum over rows of 1 for the right class, or of |prediction - label| in steps.  A row's part
 * depends on that row alone.  score: for PUBLIC rows, takes what else may be told of them; NULL:
 * the rows are private. */
static sfm_status add_up(uint64_t *sum, sfm_score *score, const sfmi_score_rule *rule,
                         const sfm_release *machine, const sfmi_examples *examples,
                         sfm_error *error) {
  const size_t functions = sfmi_machine_model_functions(machine->model),
               classes = machine->model->class_count;
  double *values = sfmi_alloc(CHUNK * functions, sizeof *values);
  uint64_t *counts = sfmi_alloc(classes + 1, sizeof *counts);
  sfm_status status = values && counts ? SFM_OK : sfmi_fail_memory(error);
  *sum = 0;
  for (size_t first = 0; !status && first < examples->rows; first += CHUNK) {
    const size_t left = examples->rows - first, count = left < CHUNK ? left : CHUNK;
    const sfmi_machine_points points = {.starts = examples->starts + first,
                                        .indices = examples->indices,
                                        .numbers = examples->values,
                                        .count = count,
                                        .encoded = true};
    status = sfmi_machine_model_values(machine, values, &points, error);
    for (size_t r = 0; !status && r < count; r++) {
      *sum += score_row(rule, machine, examples, first + r, values + r * functions);
      if (score) count_row(score, counts, machine, examples, first + r, values + r * functions);
    }
  }
  if (!status && score) finish_counts(score, counts, classes, examples->rows);
  sfmi_wipe_free(values, CHUNK * functions, sizeof *values);
  free(counts);
  return status;
}

/* ---- one score under way ---- */

typedef struct score_run {
  sfmi_release_run base;
  const sfm_score_settings *settings;
  const sfm_release *machine;
  const sfm_schema *schema;
  sfm_schema *owned; /* when none is given */
  sfmi_examples_source assembly;
  sfmi_score_rule rule;
  uint64_t count;
  sfmi_hardener *hardener; /* private rows */
  uint64_t sum;            /* PRIVATE, but of public rows */
  sfm_score told;          /* of public rows, what is no sum */
} score_run;

static sfm_status check(const score_run *m, sfm_error *error) {
  const sfm_score_settings *s = m->settings;
  if (!m->machine->model)
    return sfmi_fail(error, SFM_INVALID, "a release of kind %s is not a machine and has no score",
                     sfm_kind_name(sfm_release_kind(m->machine)));
  if (s->is_public && (s->epsilon != 0 || s->context.charge))
    return sfmi_fail(error, SFM_INVALID,
                     "public rows are scored exactly and cost nothing: leave out epsilon and the "
                     "ledger, or say that the rows are private");
  if (!s->is_public && sfmi_check_epsilon(s->epsilon, error)) return SFM_INVALID;
  if (!s->is_public && !(s->context.confidence > 0 && s->context.confidence < 1))
    return sfmi_fail(error, SFM_INVALID, "the confidence must be between 0 and 1, not %g",
                     s->context.confidence);
  if (sfm_schema_neighbours(m->schema) != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "a score is divided by the number of rows, which must be public: the schema "
                     "must not say \"neighbours\": \"add-remove\"");
  const sfm_status status = sfmi_machine_model_check_resources(m->machine, 1, false, error);
  return !status ? sfmi_feature_map_prepare(m->machine->model->map, error) : status;
}

static void describe(score_run *m) {
  const sfmi_machine_model *model = m->machine->model;
  m->assembly =
      (sfmi_examples_source){.schema = m->schema,
                             .encoding = &model->encoding,
                             .label = m->settings->label ? m->settings->label : model->label,
                             .labels = (const char *const *)model->classes,
                             .class_count = model->class_count,
                             .lower = model->lower,
                             .upper = model->upper};
  if (!model->encoding.inputs) m->assembly.label = NULL;
  sfmi_score_rule_init(&m->rule, m->machine);
}

/* The release with all that is public filled in, and its noise ready to be drawn. */
static sfm_status begin_release(score_run *m, sfm_error *error) {
  const sfm_score_settings *s = m->settings;
  const double moved = (double)m->rule.most * sfm_schema_contributions(m->schema);
  sfmi_noise_law law;
  char text[96];
  const char *label = text;
  const sfm_context context = {.schema = m->schema, .seeded = s->context.seeded};
  sfm_release *release = m->base.release =
      sfmi_release_begin(&sfmi_vector_kind, SFMI_LAPLACE, &context);
  if (!release) return sfmi_fail_memory(error);
  sfm_status status = sfmi_harden_laplace(&law, moved, s->epsilon, error);
  if (!status) status = sfmi_hardener_create(&m->hardener, &law, m->base.seed, error);
  if (status) return status;
  release->hardened = true;
  release->guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = s->epsilon};
  release->length = 1;
  release->step = m->rule.step;
  release->sensitivity = moved * m->rule.step;
  release->scale = sfmi_noise_scale(&law) * m->rule.step;
  release->law = SFM_NOISE_LAW_DISCRETE_LAPLACE;
  release->integers = sfmi_alloc(1, sizeof *release->integers);
  sfmi_snprintf(text, sizeof text,
                m->rule.regression ? "sum of errors over %llu rows" : "right of %llu rows",
                (unsigned long long)m->count);
  if (!release->integers || !sfmi_release_set_labels(release, &label))
    return sfmi_fail_memory(error);
  return SFM_OK;
}

/* All public checks. */
static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  score_run *m = (score_run *)run;
  const sfm_score_settings *s = m->settings;
  sfm_status status = SFM_OK;
  m->schema = s->context.schema;
  if (!m->schema) {
    status = sfm_schema_create(&m->owned, error);
    m->schema = m->owned;
  }
  if (!status) status = check(m, error);
  if (status) return status;
  describe(m);
  status = sfmi_examples_begin(m->base.rows, &m->assembly, error);
  if (!status) status = sfm_rows_count(m->base.rows, &m->count, error);
  if (!status && (m->count < 1 || m->count > ROWS_MAX))
    status = sfmi_fail(error, SFM_INVALID, "a score is of 1 to %llu rows, and there are %llu",
                       (unsigned long long)ROWS_MAX, (unsigned long long)m->count);
  if (!status && !s->is_public) status = begin_release(m, error);
  return status;
}

/* The hash of the machine's file, but for the version of the program that writes it. */
static json_t *machine_json(const sfm_release *machine) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_error error;
  json_t *hash = NULL;
  if (!sfmi_release_print(machine, &bytes, &length, &error)) {
    const char *from = strstr(bytes, "\"kind\"");
    hash = sfmi_request_hash(from, strlen(from));
  }
  free(bytes);
  return hash;
}

static json_t *parameters(const sfmi_release_run *run) {
  const score_run *m = (const score_run *)run;
  json_t *all = sfmi_request_parameters(run, "score");
  json_object_set_new(all, "machine", machine_json(m->machine));
  sfmi_request_text(all, "label", m->assembly.label);
  sfmi_request_text(all, "person", run->person);
  return all;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  score_run *m = (score_run *)run;
  const sfm_score_settings *s = m->settings;
  sfmi_examples *examples = NULL;
  sfm_status status = sfmi_examples_begin(m->base.rows, &m->assembly, error);
  if (!status)
    status = sfmi_examples_read(&examples, m->base.rows, &m->assembly, m->machine->model->map,
                                SFMI_EXAMPLES_KERNEL, m->count, &s->context, error);
  if (!status)
    status = add_up(&m->sum, s->is_public ? &m->told : NULL, &m->rule, m->machine, examples, error);
  sfmi_examples_destroy(examples);
  return status;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  score_run *m = (score_run *)run;
  (void)error;
  sfmi_hardener_add_counts(m->hardener, run->release->integers, &m->sum, 1);
  return SFM_OK;
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw};

/* Of public rows it may be said which is not what it should be. */
static sfm_status score_exactly(score_run *m, sfm_error *error) {
  sfmi_rows_set_public(m->base.rows);
  sfm_status status = prepare(&m->base, error);
  if (!status && !m->machine->model->encoding.inputs)
    status = sfmi_rows_check_sparse(m->base.rows, error);
  return !status ? read(&m->base, error) : status;
}

/* Of the sum in its unit: no part of the rows is below none or above all. */
static void fill_score(sfm_score *score, const score_run *m, double sum) {
  const double n = (double)m->count;
  *score = m->told;
  score->regression = m->rule.regression;
  score->rows = m->count;
  score->accuracy = score->error = NAN;
  if (m->rule.regression)
    score->error = within(sum / n, 0, m->machine->model->upper - m->machine->model->lower);
  else
    score->accuracy = within(sum / n, 0, 1);
}

sfm_status sfm_score_rows(sfm_score *score, sfm_release **release, const sfm_release *machine,
                          sfm_rows *rows, const sfm_score_settings *given, sfm_error *error) {
  sfm_score_settings taken;
  *release = NULL;
  *score = (sfm_score){0};
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_score_settings, &taken, given, error);
  if (status) return status;
  score_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context),
                 .settings = &taken,
                 .machine = machine};
  status =
      taken.is_public ? score_exactly(&m, error) : sfmi_release_run_all(release, &m.base, error);
  if (!status)
    fill_score(score, &m,
               taken.is_public ? (double)m.sum * m.rule.step
                               : sfm_release_coefficient(*release, 0));
  explicit_bzero(&m.sum, sizeof m.sum);
  sfmi_hardener_destroy(m.hardener);
  sfm_schema_destroy(m.owned);
  return status;
}
