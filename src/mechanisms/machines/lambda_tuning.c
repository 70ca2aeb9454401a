#include "lambda_tuning.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/normal_distribution.h"
#include "mechanisms/core/request_json.h"
#include "planner/design/design_train_check.h"
#include "privacy/calibration.h"
#include "releases/kinds/machine_model.h"

/* Random stopping: eta, and how often the best candidate is never tried, at most. */
static const sfm_ratio ETA = {1, 2};
static const double MISSED = 0.1;
/* Steps of a prediction's error as a part of the label's range. */
static const uint64_t STEPS = (uint64_t)1 << 20;
/* A few roundings of doubles, downwards. */
static const double ROUNDING = 1 - 1e-14;
/* One row in so many scores. */
enum { PART = 5 };

/* ---- public ---- */

size_t sfmi_tuning_held(uint64_t rows) {
  return (size_t)(rows / PART);
}

/* P(a candidate is never tried) <= (sqrt k - 1)/(gamma^-1/2 - 1). */
uint64_t sfmi_tuning_patience(size_t count) {
  const double root = 1 + (sqrt((double)count) - 1) / MISSED;
  return (uint64_t)ceil(root * root);
}

static sfm_status check_candidates(const sfm_train_settings *s, sfm_error *error) {
  if (s->lambda_count < 2 || s->lambda_count > SFMI_TUNING_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a lambda is chosen among 2 to %d candidates, not among %zu; write for "
                     "example settings.lambdas = 1e-4,1e-3,1e-2",
                     SFMI_TUNING_MAX, s->lambda_count);
  if (s->lambda != 0)
    return sfmi_fail(error, SFM_INVALID, "a lambda is stated or chosen, not both: leave out one");
  for (size_t i = 0; i < s->lambda_count; i++) {
    if (!(s->lambdas[i] >= 1e-12 && s->lambdas[i] <= 1e12))
      return sfmi_fail(error, SFM_INVALID, "lambda must be from 1e-12 to 1e12, not %g",
                       s->lambdas[i]);
    for (size_t j = 0; j < i; j++)
      if (s->lambdas[i] == s->lambdas[j])
        return sfmi_fail(error, SFM_INVALID, "the candidate %g for lambda is listed twice",
                         s->lambdas[i]);
  }
  return SFM_OK;
}

static sfm_status check(const sfm_train_settings *s, sfm_error *error) {
  const sfm_status status = check_candidates(s, error);
  if (status) return status;
  if (s->method >= SFM_TRAIN_OBJECTIVE || s->places)
    return sfmi_fail(error, SFM_INVALID,
                     "a lambda is chosen for noise on weights: settings.method = finite, rff:F, or "
                     "gp without settings.places");
  if (sfm_schema_contributions(s->context.schema) != 1 || sfm_schema_person(s->context.schema))
    return sfmi_fail(error, SFM_INVALID,
                     "a lambda is chosen by rows that do not train, and one person's records could "
                     "be among both kinds: it needs one record per person (schema.contributions = "
                     "1, no schema.person); or state settings.lambda");
  return SFM_OK;
}

/* What the rows that train and those that score may each spend: all of it. */
static sfm_status split(sfmi_tuning *t, sfm_error *error) {
  const sfm_train_settings *s = t->asked;
  const bool normal = sfmi_design_train_noise(s) == SFM_VECTOR_NOISE_NORMAL;
  const double k = (double)t->count;
  double mu = 0;
  t->whole = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = s->epsilon};
  t->choice = s->epsilon;
  if (normal) {
    const sfm_status status = sfmi_gdp_mu_for(&mu, s->epsilon, s->delta, s->calibration, error);
    if (status) return status;
    t->whole = (sfm_guarantee){
        .kind = SFM_GUARANTEE_GDP, .epsilon = s->epsilon, .delta = s->delta, .mu = mu};
    t->mu = mu / sqrt(k) * ROUNDING;
    /* e^epsilon/(1 + e^epsilon) = Phi(mu/2) */
    t->choice = fmin(log(sfmi_normal_tail(-mu / 2) / sfmi_normal_tail(mu / 2)) * (1 - 1e-9),
                     SFMI_EPSILON_MAX);
    return SFM_OK;
  }
  const double runs = 2 + (double)ETA.numerator / (double)ETA.denominator;
  t->stopping = runs < k;
  t->each = s->epsilon / (t->stopping ? runs : k) * ROUNDING;
  if (t->stopping) t->choice = t->each;
  return SFM_OK;
}

/* The settings of one candidate's release. */
static sfm_train_settings settings_of(const sfmi_tuning *t, size_t i) {
  const sfm_train_settings *s = t->asked;
  sfm_train_settings one = *s;
  one.lambda = s->lambdas[i];
  one.lambdas = NULL;
  one.lambda_count = 0;
  if (t->each > 0) one.epsilon = t->each;
  one.context.seed = s->context.seed + i * UINT64_C(0x9e3779b97f4a7c15);
  return one;
}

static sfm_status set_candidates(sfm_release *release, const sfmi_tuning *t, size_t i,
                                 sfm_error *error) {
  sfmi_machine_model *model = release->model;
  model->candidates = sfmi_alloc(t->count, sizeof *model->candidates);
  if (!model->candidates) return sfmi_fail_memory(error);
  memcpy(model->candidates, t->asked->lambdas, t->count * sizeof *model->candidates);
  model->candidate_count = t->count;
  model->chosen = i;
  release->guarantee = t->whole;
  release->rows = t->trained + t->held;
  return SFM_OK;
}

/* A candidate's numbers, noise and release; the train_problem is the first one's. */
static sfm_status prepare(sfmi_tuning *t, size_t i, sfm_error *error) {
  sfmi_train_run *m = &t->train_runs[i];
  m->settings = &t->settings[i];
  m->mu = t->mu;
  if (i > 0) m->train_problem = t->train_runs[0].train_problem;
  m->train_problem.settings = &t->settings[i];
  const size_t width = sfmi_train_problem_width(&m->train_problem);
  sfm_status status = sfmi_design_train_init(&m->train_problem.training, &t->settings[i],
                                             m->train_problem.map, t->trained, width, error);
  if (!status) status = sfmi_train_run_outline(m, error);
  return !status ? set_candidates(m->base.release, t, i, error) : status;
}

static sfm_status prepare_choice(sfmi_tuning *t, sfm_error *error) {
  const sfm_train_settings *s = t->asked;
  const sfmi_seed source = {s->context.seeded, s->context.seed + 2};
  sfmi_noise_law law;
  sfm_status status =
      sfmi_seed_stream(&t->stream, (sfmi_seed){s->context.seeded, s->context.seed + 1}, error);
  t->most = s->regression ? STEPS : 1;
  if (status) return status;
  if (!t->stopping) return sfmi_exponential_rate(&t->rate, t->choice, (double)t->most, error);
  t->law = (sfmi_stopping_law){ETA, {1, sfmi_tuning_patience(t->count)}};
  status = sfmi_harden_laplace(&law, (double)t->most, t->choice, error);
  return !status ? sfmi_hardener_create(&t->scorer, &law, source, error) : status;
}

static sfm_status prepare_all(sfmi_tuning *t, sfm_error *error) {
  sfmi_train_run *first = &t->train_runs[0];
  for (size_t i = 0; i < t->count; i++) t->settings[i] = settings_of(t, i);
  first->base.rows = t->base.rows;
  sfm_status status = sfmi_train_problem_begin(&first->train_problem, t->base.rows, &t->settings[0],
                                               t->base.seed, error);
  if (status) return status;
  const uint64_t all = first->train_problem.training.rows;
  t->held = sfmi_tuning_held(all);
  t->trained = (size_t)all - t->held;
  if (t->held < 1)
    return sfmi_fail(error, SFM_INVALID,
                     "a fifth of the rows chooses the lambda, and a fifth of %llu rows is none: "
                     "state settings.lambda",
                     (unsigned long long)all);
  for (size_t i = 0; i < t->count && !status; i++) status = prepare(t, i, error);
  return status;
}

static sfmi_tuning tuning_of(sfm_rows *rows, const sfm_train_settings *s) {
  return (sfmi_tuning){.base = sfmi_release_run_rows(NULL, rows, &s->context), .asked = s};
}

static sfm_status prepare_tuning(sfmi_tuning *t, sfm_error *error) {
  const sfm_train_settings *s = t->asked;
  sfm_status status = check(s, error);
  if (status) return status;
  t->count = s->lambda_count;
  t->settings = sfmi_alloc(t->count, sizeof *t->settings);
  t->train_runs = sfmi_alloc(t->count, sizeof *t->train_runs);
  if (!t->settings || !t->train_runs) return sfmi_fail_memory(error);
  status = sfmi_design_train_check(s, error);
  if (!status) status = split(t, error);
  if (!status) status = prepare_all(t, error);
  return !status ? prepare_choice(t, error) : status;
}

sfm_status sfmi_tuning_begin(sfmi_tuning *t, sfm_rows *rows, const sfm_train_settings *s,
                             sfm_error *error) {
  *t = tuning_of(rows, s);
  return prepare_tuning(t, error);
}

void sfmi_tuning_clear(sfmi_tuning *t) {
  for (size_t i = 0; t->train_runs && i < t->count; i++) sfmi_train_run_clear(&t->train_runs[i]);
  if (t->train_runs) sfmi_train_problem_clear(&t->train_runs[0].train_problem);
  sfmi_hardener_destroy(t->scorer);
  sfmi_stream_destroy(t->stream);
  free(t->train_runs);
  free(t->settings);
  *t = (sfmi_tuning){0};
}

/* ---- private ---- */

static size_t size_of(const sfmi_tuning *t) {
  return t->train_runs[0].base.release->length;
}

sfm_status sfmi_tuning_solve(double *numbers, const sfmi_tuning *t, const sfmi_examples *examples,
                             sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < t->count && !status; i++) {
    const sfmi_train_problem *l = &t->train_runs[i].train_problem;
    status = sfmi_train_problem_solve(numbers + i * size_of(t), l, &l->training, examples, 0,
                                      t->trained, NULL, error);
  }
  return status;
}

/* Of row r of the examples, which has values[machine * stride]. */
static uint64_t loss_of_row(const sfmi_tuning *t, const sfmi_examples *e, size_t r,
                            const double *values, size_t stride) {
  const size_t machines = t->train_runs[0].train_problem.training.machines;
  size_t best = 0;
  if (!e->keep[r]) return t->most;
  if (t->most > 1) {
    const double error = fabs(fmin(fmax(values[0], -1), 1) - e->labels[r]) / 2;
    const uint64_t steps = isnan(error) ? t->most : (uint64_t)llround(error * (double)t->most);
    return steps < t->most ? steps : t->most;
  }
  if (machines == 1) return (values[0] > 0) != (e->labels[r] > 0);
  for (size_t m = 1; m < machines; m++)
    if (values[m * stride] > values[best * stride]) best = m;
  return best != e->classes[r];
}

/* The released numbers as weights. */
static double *weights_of(const sfm_release *release) {
  double *weights = sfmi_alloc(release->length, sizeof *weights);
  for (size_t i = 0; weights && i < release->length; i++)
    weights[i] =
        release->integers ? (double)release->integers[i] * release->step : release->reals[i];
  return weights;
}

sfm_status sfmi_tuning_loss(uint64_t *loss, const sfmi_tuning *t, size_t candidate,
                            const sfmi_examples *examples, sfm_error *error) {
  const sfmi_train_run *m = &t->train_runs[candidate];
  const size_t size = t->held * m->train_problem.training.machines;
  double *weights = weights_of(m->base.release), *values = sfmi_alloc(size, sizeof *values);
  sfm_status status = weights && values ? SFM_OK : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_train_problem_values(values, &m->train_problem, examples, t->trained, t->held,
                                       weights, error);
  *loss = 0;
  for (size_t r = 0; r < t->held && !status; r++)
    *loss += loss_of_row(t, examples, t->trained + r, values + r, t->held);
  sfmi_wipe_free(values, size, sizeof *values);
  free(weights);
  return status;
}

static sfmi_u128 loss_of(const void *context, size_t i) {
  return ((const uint64_t *)context)[i];
}

/* Every candidate's release, and one of them by the exponential mechanism. */
static sfm_status draw_all(size_t *winner, sfmi_tuning *t, const double *numbers,
                           const sfmi_examples *examples, sfm_error *error) {
  uint64_t losses[SFMI_TUNING_MAX], least = UINT64_MAX;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < t->count && !status; i++) {
    status = sfmi_train_run_add_noise(&t->train_runs[i], numbers + i * size_of(t), error);
    if (!status) status = sfmi_tuning_loss(&losses[i], t, i, examples, error);
    if (!status && losses[i] < least) least = losses[i];
  }
  if (!status) {
    for (size_t i = 0; i < t->count; i++) losses[i] -= least;
    *winner = sfmi_exponential_draw(t->stream, t->rate, loss_of, losses, t->count);
  }
  explicit_bzero(losses, sizeof losses);
  return status;
}

/* The released numbers of a candidate. */
static void *numbers_of(sfm_release *release, size_t *bytes) {
  *bytes =
      release->length * (release->integers ? sizeof *release->integers : sizeof *release->reals);
  return release->integers ? (void *)release->integers : (void *)release->reals;
}

/* Runs of random candidates: the first of the best scores wins. */
static sfm_status draw_runs(size_t *winner, sfmi_tuning *t, const double *numbers,
                            const sfmi_examples *examples, sfm_error *error) {
  const uint64_t runs = sfmi_stopping_draw(t->stream, &t->law);
  size_t bytes;
  numbers_of(t->train_runs[0].base.release, &bytes);
  char *best = malloc(bytes);
  sfm_status status = best ? SFM_OK : sfmi_fail_memory(error);
  int64_t least = 0;
  for (uint64_t run = 0; run < runs && !status; run++) {
    const size_t i = (size_t)sfmi_uniform(t->stream, t->count);
    uint64_t loss = 0;
    int64_t score;
    status = sfmi_train_run_add_noise(&t->train_runs[i], numbers + i * size_of(t), error);
    if (!status) status = sfmi_tuning_loss(&loss, t, i, examples, error);
    if (status) break;
    sfmi_hardener_add_counts(t->scorer, &score, &loss, 1);
    if (run > 0 && score >= least) continue;
    least = score;
    *winner = i;
    memcpy(best, numbers_of(t->train_runs[i].base.release, &bytes), bytes);
  }
  if (!status) memcpy(numbers_of(t->train_runs[*winner].base.release, &bytes), best, bytes);
  sfmi_wipe_free(best, bytes, 1);
  return status;
}

sfm_status sfmi_tuning_draw(size_t *winner, sfmi_tuning *t, const double *numbers,
                            const sfmi_examples *examples, sfm_error *error) {
  *winner = 0;
  return t->stopping ? draw_runs(winner, t, numbers, examples, error)
                     : draw_all(winner, t, numbers, examples, error);
}

/* ---- the release ---- */

/* The first candidate's release is the one that is charged. */
static sfm_status prepare_run(sfmi_release_run *run, sfm_error *error) {
  sfmi_tuning *t = (sfmi_tuning *)run;
  const sfm_status status = prepare_tuning(t, error);
  if (status) return status;
  run->release = t->train_runs[0].base.release;
  t->train_runs[0].base.release = NULL;
  return SFM_OK;
}

static json_t *parameters(const sfmi_release_run *run) {
  sfmi_train_run first = ((const sfmi_tuning *)run)->train_runs[0];
  first.base = *run; /* with the release that was taken to be charged */
  json_t *all = sfmi_train_run_parameters(&first);
  const sfmi_machine_model *model = run->release->model;
  json_object_set_new(all, "lambda", json_null());
  json_object_set_new(all, "candidates",
                      sfmi_request_numbers(model->candidates, model->candidate_count));
  return all;
}

/* Into the first candidate's examples: all rows, those that train and those that score. */
static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  const sfmi_tuning *t = (const sfmi_tuning *)run;
  sfmi_train_run *first = &t->train_runs[0];
  sfmi_train_problem whole = first->train_problem;
  whole.training.rows = t->trained + t->held;
  return sfmi_train_problem_read(&first->examples, &whole, run->rows, error);
}

/* The map goes from the first candidate to the winner, with what the ledger has said. */
static void complete(sfmi_train_run *first, sfmi_train_run *winner) {
  if (first != winner) first->train_problem.map = NULL;
  sfmi_release_run_hand_over(winner->base.release, first->base.release);
  sfmi_train_run_complete(winner);
}

/* Machines, noise, the winner. */
static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  sfmi_tuning *t = (sfmi_tuning *)run;
  sfmi_train_run *first = &t->train_runs[0];
  size_t winner = 0;
  first->base.release = run->release;
  run->release = NULL;
  const size_t size = t->count * size_of(t);
  double *numbers = sfmi_alloc(size, sizeof *numbers);
  sfm_status status = numbers ? SFM_OK : sfmi_fail_memory(error);
  if (!status) status = sfmi_tuning_solve(numbers, t, first->examples, error);
  if (!status) status = sfmi_tuning_draw(&winner, t, numbers, first->examples, error);
  sfmi_wipe_free(numbers, size, sizeof *numbers);
  if (!status) complete(first, &t->train_runs[winner]);
  run->release = t->train_runs[winner].base.release;
  t->train_runs[winner].base.release = NULL;
  return status;
}

/* That of the candidates' common rows and matrices. */
static void fingerprint(sfmi_release_run *run) {
  sfmi_train_run first = ((const sfmi_tuning *)run)->train_runs[0];
  first.base = *run;
  sfmi_train_run_fingerprint(&first.base);
  *run = first.base;
  sodium_memzero(&first.base.protocol, sizeof first.base.protocol); /* its keys */
}

static const sfmi_release_steps steps = {.prepare = prepare_run,
                                         .parameters = parameters,
                                         .read = read,
                                         .draw = draw,
                                         .fingerprint = fingerprint};

sfm_status sfmi_tuning_release(sfm_release **out, sfm_rows *rows,
                               const sfm_train_settings *settings, sfm_error *error) {
  sfmi_tuning t = tuning_of(rows, settings);
  t.base.steps = &steps;
  const sfm_status status = sfmi_release_run_all(out, &t.base, error);
  sfmi_tuning_clear(&t);
  return status;
}
