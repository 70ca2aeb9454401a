/* test_bandwidth_selection.c - a density whose bandwidth is chosen privately: the choice follows
 * its law, the release is that of the chosen bandwidth with the rest of the budget, and what is
 * refused is refused before the charge. */
/* suite: release */
#include "random/sampler_checks.h"

#include <unistd.h>

#include "mechanisms/functions/bandwidth_selection.h"
#include "planner/forecast/shape_model.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "ledger_fixture.h"
#include "sfumato/plan.h"
#include "density_fixture.h"

static const double EIGHT[] = {0.5, 1, 2, 4, 8};

static void begin(density_fixture *t, const double *candidates, size_t count, size_t dimension,
                  double width, double epsilon, double delta) {
  density_fixture_init(t, dimension, 0, width, 1, epsilon, delta);
  t->settings.bandwidth = NULL;
  t->settings.candidates = candidates;
  t->settings.candidate_count = count;
}

/* Two bumps of width 5. */
static void bumps(double *values, size_t count, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) values[i] = (i % 2 ? 30 : 70) + 5 * sfmi_prng_normal(&prng);
}

/* --- The law. --- */

/* Choices of the production code at epsilon against the law of the losses at a claimed one. */
static double law_tested(double epsilon, double claimed, size_t candidates) {
  enum { ROWS = 300, DRAWS = 30000 };
  sfm_error error;
  density_fixture t;
  sfm_rows *rows = NULL;
  sfmi_bandwidth_selection s;
  double values[ROWS], masses[5], sum = 0;
  sfmi_u128 losses[SFMI_CROSS_VALIDATION_CANDIDATES];
  uint64_t seen[5] = {0};
  bumps(values, ROWS, 1);
  values[7] = NAN;
  begin(&t, EIGHT + 5 - candidates, candidates, 1, 100, epsilon, 0);
  t.settings.choice_share = 0.5;
  t.settings.context.seeded = true;
  assert_ok(sfm_rows_from_array(&rows, values, ROWS, 1, density_fixture_columns, &error), &error);
  assert_ok(sfmi_bandwidth_selection_begin(&s, rows, &t.settings, &error), &error);
  assert_ok(sfmi_bandwidth_selection_read(&s, losses, rows, &error), &error);
  for (size_t i = 0; i < candidates; i++)
    sum += masses[i] = exp(-(double)losses[i] / SFMI_CROSS_VALIDATION_SENSITIVITY * 0.5 * claimed *
                           (candidates == 2 ? 1 : 0.5));
  for (size_t i = 0; i < candidates; i++) masses[i] /= sum;
  for (int k = 0; k < DRAWS; k++) seen[sfmi_bandwidth_selection_draw(&s, losses)]++;
  sfmi_bandwidth_selection_clear(&s);
  sfm_rows_destroy(rows);
  density_fixture_clear(&t);
  return chi_square(seen, masses, candidates, DRAWS);
}

static void choices_follow_the_law(void **state) {
  (void)state;
  assert_true(law_tested(2, 2, 5) <= 1);
  assert_true(law_tested(0.3, 0.3, 2) <= 1);
  assert_true(law_tested(2, 3, 5) > 1);
  assert_true(law_tested(0.3, 0.6, 2) > 1);
}

/* --- The forecast. --- */

typedef struct forecast_case {
  const char *shape; /* NULL: the reference shape */
  size_t dimension, rows, count;
  double candidates[10], epsilon;
  sfm_boundary boundary;
} forecast_case;

/* The mechanism's exact probabilities for the rows it is given. */
static void add_probabilities(double *sums, const forecast_case *c, const density_fixture *t,
                              const double *values) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfmi_bandwidth_selection s;
  sfmi_u128 losses[SFMI_CROSS_VALIDATION_CANDIDATES];
  double masses[SFMI_CROSS_VALIDATION_CANDIDATES], all = 0;
  assert_ok(
      sfm_rows_from_array(&rows, values, c->rows, c->dimension, density_fixture_columns, &error),
      &error);
  assert_ok(sfmi_bandwidth_selection_begin(&s, rows, &t->settings, &error), &error);
  assert_ok(sfmi_bandwidth_selection_read(&s, losses, rows, &error), &error);
  for (size_t i = 0; i < c->count; i++)
    all += masses[i] =
        exp(-(double)losses[i] * ldexp((double)s.rate.numerator, -(int)s.rate.shift));
  for (size_t i = 0; i < c->count; i++) sums[i] += masses[i] / all;
  sfmi_bandwidth_selection_clear(&s);
  sfm_rows_destroy(rows);
}

/* The forecast of the mechanism, and what its releases will state. */
static void forecast_of(sfmi_bandwidth_forecast *out, const forecast_case *c,
                        const density_fixture *t, const double *values, double factor) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfmi_bandwidth_selection s;
  double errors[SFMI_CROSS_VALIDATION_CANDIDATES];
  assert_ok(
      sfm_rows_from_array(&rows, values, c->rows, c->dimension, density_fixture_columns, &error),
      &error);
  assert_ok(sfmi_bandwidth_selection_begin(&s, rows, &t->settings, &error), &error);
  for (size_t i = 0; i < c->count; i++)
    errors[i] = sfmi_bandwidth_choice_error(&s.runs[i].design->plan);
  assert_ok(sfmi_bandwidth_forecast_init(out, &t->settings, s.runs[0].design, s.cross_validation,
                                         errors, factor * s.budget.choice, c->rows, &error),
            &error);
  for (size_t i = 0; i < c->count && factor == 1; i++) {
    const sfmi_bandwidth_choice *said = &s.runs[i].base.release->function->choice;
    assert_true(said->likely == out->likely && said->chance == out->chance);
  }
  sfmi_bandwidth_selection_clear(&s);
  sfm_rows_destroy(rows);
}

/* How far the probabilities are from those that were predicted at factor times the epsilon. */
static double forecast_off(const forecast_case *c, double factor) {
  enum { SETS = 12 };
  sfm_error error;
  sfm_shape *shape = NULL;
  sfmi_shape_model *model;
  sfmi_prng prng;
  sfmi_bandwidth_forecast forecast;
  sfm_bandwidth_forecast planned;
  density_fixture t;
  const sfm_boundary boundary[] = {c->boundary, c->boundary};
  const double lower[] = {0, 0}, upper[] = {100, 100};
  double *values = calloc(c->rows * c->dimension, sizeof *values), off = 0,
         sums[SFMI_CROSS_VALIDATION_CANDIDATES] = {0};
  if (c->shape) assert_ok(sfm_shape_parse(&shape, c->shape, c->dimension, &error), &error);
  assert_ok(sfmi_shape_model_create(&model, shape, NULL, c->dimension, lower, upper, &error),
            &error);
  begin(&t, c->candidates, c->count, c->dimension, 100, c->epsilon, 0);
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.choice_share = 0.5;
  t.settings.boundary = boundary;
  t.settings.shape = shape;
  t.settings.context.seeded = true;
  sfmi_prng_init(&prng, 5);
  for (int k = 0; k < SETS; k++) {
    sfmi_shape_model_draw(model, values, c->rows, &prng);
    add_probabilities(sums, c, &t, values);
  }
  forecast_of(&forecast, c, &t, values, factor);
  for (size_t i = 0; i < c->count; i++)
    off = fmax(off, fabs(sums[i] / SETS - forecast.probabilities[i]));
  assert_ok(sfm_plan_bandwidth_choice(&planned, &t.settings, c->rows, &error), &error);
  if (factor == 1) {
    assert_int_equal(planned.best, forecast.best);
    assert_near("planned", planned.likely, forecast.likely, 1e-12);
    assert_near("planned", planned.chance, forecast.chance, 1e-12);
  }
  sfmi_shape_model_destroy(model);
  sfm_shape_destroy(shape);
  density_fixture_clear(&t);
  free(values);
  return off;
}

/* From coin tosses to certainty, against the mechanism with rows of the shape. */
static void choices_are_as_predicted(void **state) {
  (void)state;
  static const forecast_case cases[] = {
      {NULL, 1, 300, 4, {1, 2, 4, 8}, 0.2, SFM_BOUNDARY_OPEN},
      {NULL, 1, 10000, 4, {1, 2, 4, 8}, 2, SFM_BOUNDARY_OPEN},
      {"normal:30:5+normal:70:5", 1, 5000, 5, {0.5, 1, 2, 4, 8}, 2, SFM_BOUNDARY_OPEN},
      {"normal:30:5+normal:70:5", 1, 20000, 2, {1, 6}, 0.6, SFM_BOUNDARY_REFLECT},
      {"uniform", 1, 20000, 3, {1, 4, 16}, 3, SFM_BOUNDARY_OPEN},
      {"uniform", 1, 20000, 3, {1, 4, 16}, 3, SFM_BOUNDARY_PERIODIC},
      {"normal:0:20", 1, 20000, 3, {1, 4, 16}, 1, SFM_BOUNDARY_REFLECT},
      {"normal:40:8,normal:60:10", 2, 5000, 3, {2, 2, 4, 4, 12, 12}, 2, SFM_BOUNDARY_OPEN}};
  static const double NEAR = 0.02;
  double doubled = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double off = forecast_off(&cases[i], 1);
    if (!(off <= NEAR)) fail_msg("case %zu: probabilities are %.3f off", i, off);
    doubled = fmax(doubled, forecast_off(&cases[i], 2));
  }
  assert_true(doubled > 2 * NEAR); /* an epsilon that is twice as large would be noticed */
}

/* --- The release. --- */

/* What is released is, but for the guarantee and the choice, what the chosen bandwidth alone would
 * have been with the rest of the budget. */
static void same_as_plain(const density_fixture *t, const double *values, size_t count) {
  sfm_error error;
  density_fixture plain = *t;
  sfm_release *chosen = density_fixture_release(t, values, count);
  const sfmi_bandwidth_choice *choice = &chosen->function->choice;
  assert_int_equal(choice->count, t->settings.candidate_count);
  plain.settings.bandwidth = choice->candidates + choice->index * t->settings.dimension;
  plain.settings.candidate_count = 0;
  plain.settings.epsilon = choice->rest.epsilon;
  plain.settings.delta = choice->rest.delta;
  plain.settings.calibration = SFM_CALIBRATION_EXACT;
  sfm_release *alone = density_fixture_release(&plain, values, count);
  assert_int_equal(chosen->length, alone->length);
  if (chosen->integers)
    assert_memory_equal(chosen->integers, alone->integers, alone->length * sizeof *alone->integers);
  else
    assert_memory_equal(chosen->reals, alone->reals, alone->length * sizeof *alone->reals);
  assert_true(chosen->scale == alone->scale && chosen->band.half_width == alone->band.half_width);
  assert_true(chosen->guarantee.epsilon == t->settings.epsilon);
  assert_true(choice->rest.kind == alone->guarantee.kind);
  assert_true(choice->rest.mu == alone->guarantee.mu);
  assert_true(choice->rest.kind == chosen->guarantee.kind);
  if (chosen->guarantee.kind == SFM_GUARANTEE_PURE) {
    assert_relative("sum", choice->epsilon + choice->rest.epsilon, t->settings.epsilon, 1e-15);
  } else {
    sfm_guarantee converted;
    const sfm_guarantee pure = {.kind = SFM_GUARANTEE_PURE, .epsilon = choice->epsilon};
    assert_ok(sfm_guarantee_convert(&converted, &pure, SFM_GUARANTEE_GDP, &error), &error);
    assert_true(converted.mu * converted.mu + choice->rest.mu * choice->rest.mu <=
                chosen->guarantee.mu * chosen->guarantee.mu);
  }
  sfm_release_destroy(alone);
  sfm_release_destroy(chosen);
}

static void the_release_is_that_of_the_chosen_bandwidth(void **state) {
  (void)state;
  enum { ROWS = 2000 };
  static const double planes[] = {8, 16, 16, 16, 16, 32};
  static double values[2 * ROWS];
  density_fixture t;
  bumps(values, 2 * ROWS, 2);
  for (uint64_t seed = 0; seed < 1; seed++) {
    begin(&t, EIGHT + 1, 4, 1, 100, 1, 0);
    t.settings.context.seeded = true;
    t.settings.context.seed = seed;
    same_as_plain(&t, values, ROWS);
    t.settings.delta = 1e-6;
    same_as_plain(&t, values, ROWS);
    t.settings.method = SFM_DENSITY_GP;
    same_as_plain(&t, values, ROWS);
    t.settings.calibration = SFM_CALIBRATION_CLASSICAL;
    same_as_plain(&t, values, ROWS);
    t.settings.calibration = SFM_CALIBRATION_EXACT;
    t.settings.method = SFM_DENSITY_SOBOLEV;
    t.settings.release_grid[0] = 30;
    same_as_plain(&t, values, ROWS);
    density_fixture_clear(&t);
    begin(&t, EIGHT + 2, 3, 1, 100, 1, 1e-6);
    t.settings.context.seeded = true;
    t.settings.terms = 3;
    for (int m = SFM_DENSITY_FOURIER_LAPLACE; m <= SFM_DENSITY_CARATHEODORY; m++) {
      t.settings.method = (sfm_density_method)m;
      same_as_plain(&t, values, ROWS);
    }
    density_fixture_clear(&t);
    begin(&t, planes, 3, 2, 100, 1, 0);
    t.settings.context.seeded = true;
    t.settings.context.seed = seed;
    same_as_plain(&t, values, ROWS);
    density_fixture_clear(&t);
  }
}

/* Where some candidates would have normal noise and others not, all are pure. */
static void the_guarantee_does_not_depend_on_the_choice(void **state) {
  (void)state;
  static const double many[] = {1, 4, 16};
  static double values[2000];
  density_fixture t;
  bumps(values, 2000, 3);
  for (int k = 0; k < 2; k++) {
    sfm_guarantee first = {0};
    for (uint64_t seed = 0; seed < 4; seed++) {
      begin(&t, many, 3, 1, 100, k ? 5 : 0.5, 1e-4);
      t.settings.choice_share = 0.01; /* so that any is chosen */
      t.settings.context.seeded = true;
      t.settings.context.seed = seed;
      sfm_release *release = density_fixture_release(&t, values, 2000);
      if (seed == 0) first = release->guarantee;
      assert_memory_equal(&first, &release->guarantee, sizeof first);
      assert_true((first.kind == SFM_GUARANTEE_GDP) ==
                  (release->function->choice.rest.kind == SFM_GUARANTEE_GDP));
      sfm_release_destroy(release);
      density_fixture_clear(&t);
    }
  }
}

/* --- Use. --- */

/* How often each of the five is chosen, of so many rows at epsilon. */
static void choices(size_t *seen, const double *values, size_t count, double epsilon,
                    size_t draws) {
  sfm_error error;
  density_fixture t;
  sfm_rows *rows = NULL;
  sfmi_bandwidth_selection s;
  sfmi_u128 losses[SFMI_CROSS_VALIDATION_CANDIDATES];
  memset(seen, 0, 5 * sizeof *seen);
  begin(&t, EIGHT, 5, 1, 100, epsilon, 0);
  t.settings.context.seeded = true;
  assert_ok(sfm_rows_from_array(&rows, values, count, 1, density_fixture_columns, &error), &error);
  assert_ok(sfmi_bandwidth_selection_begin(&s, rows, &t.settings, &error), &error);
  assert_ok(sfmi_bandwidth_selection_read(&s, losses, rows, &error), &error);
  for (size_t k = 0; k < draws; k++) seen[sfmi_bandwidth_selection_draw(&s, losses)]++;
  sfmi_bandwidth_selection_clear(&s);
  sfm_rows_destroy(rows);
  density_fixture_clear(&t);
}

static void a_sensible_bandwidth_is_chosen_for_two_bumps(void **state) {
  (void)state;
  enum { ROWS = 10000 };
  static double values[ROWS];
  size_t seen[5];
  for (uint64_t seed = 0; seed < 4; seed++) {
    bumps(values, ROWS, seed);
    choices(seen, values, ROWS, 1, 1000);
    /* 0.5, 1 and 2 are nearly as good; 4 smears the bumps, and 8 makes one of two. */
    assert_true(seen[0] + seen[1] + seen[2] >= 850);
    assert_true(seen[4] <= 10);
  }
}

/* With few rows noise is what matters, and the public prediction of it leads to wide kernels. */
static void noise_is_taken_into_account(void **state) {
  (void)state;
  static double values[100];
  size_t seen[5];
  bumps(values, 100, 5);
  choices(seen, values, 100, 0.05, 1000);
  assert_true(seen[0] == 0 && seen[1] == 0 && seen[4] > 500);
}

/* --- Refusals. --- */

static void refused(density_fixture *t, size_t columns, const char *part) {
  sfm_error error = {0};
  sfm_rows *rows = NULL;
  sfm_release *release;
  static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  assert_ok(
      sfm_rows_from_array(&rows, values, 8 / columns, columns, density_fixture_columns, &error),
      &error);
  assert_int_equal(sfm_density_release(&release, NULL, rows, &t->settings, &error), SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, part)) fail_msg("\"%s\" is not in: %s", part, error.message);
  sfm_rows_destroy(rows);
}

static void wrong_choices_are_refused(void **state) {
  (void)state;
  static const double same[] = {1, 2, 1}, zero[] = {1, 0}, infinite[] = {1, INFINITY},
                      wide[] = {1, 2000}, fine[] = {1e-5, 1}, ten[40] = {1};
  density_fixture t;
#define WRONG(list, count, dimension, change, part)                                                \
  do {                                                                                             \
    begin(&t, list, count, dimension, 100, 1, 0);                                                  \
    change;                                                                                        \
    refused(&t, dimension, part);                                                                  \
    density_fixture_clear(&t);                                                                     \
  } while (0)
  WRONG(EIGHT, 1, 1, , "at least two candidates");
  WRONG(same, 3, 1, , "are the same");
  WRONG(zero, 2, 1, , "positive");
  WRONG(infinite, 2, 1, , "positive");
  WRONG(wide, 2, 1, , "flat"); /* impossible alone */
  WRONG(fine, 2, 1, , "smallest");
  WRONG(ten, 33, 1, , "at most");
  WRONG(ten, 2, 4, , "up to 3 columns");
  WRONG(EIGHT, 3, 1, density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1), "add-remove");
  WRONG(EIGHT, 3, 1, t.settings.choice_share = 0, "share");
  WRONG(EIGHT, 3, 1, t.settings.choice_share = 1, "share");
  WRONG(EIGHT, 3, 1, t.settings.choice_share = NAN, "share");
  WRONG(EIGHT, 3, 1, t.settings.kernel = SFM_KERNEL_CAUCHY, "gaussian kernel");
  WRONG(EIGHT, 3, 1, t.settings.candidates = NULL, "candidates");
  WRONG(EIGHT, 3, 1, t.settings.epsilon = 0, "epsilon");
  WRONG(EIGHT, 3, 1, (t.settings.by = density_fixture_columns, t.settings.by_count = 1), "groups");
  WRONG(EIGHT, 3, 1, t.settings.method = SFM_DENSITY_GP, "delta");
  /* A method of pure epsilon would state the guarantee of normal noise. */
  for (int m = SFM_DENSITY_FOURIER_LAPLACE; m <= SFM_DENSITY_CARATHEODORY; m++)
    WRONG(EIGHT, 3, 1,
          (t.settings.method = (sfm_density_method)m, t.settings.delta = 1e-6,
           t.settings.noise = SFM_DENSITY_NOISE_NORMAL),
          "settings.noise");
#undef WRONG
  /* A plan without rows has one bandwidth. */
  sfm_error error;
  sfm_density_choice plan;
  begin(&t, EIGHT, 3, 1, 100, 1, 0);
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  density_fixture_clear(&t);
}

/* Only one of many periods has to be as fine as the smallest candidate. */
static void a_period_is_what_must_be_fine(void **state) {
  (void)state;
  static const double fine[] = {0.01, 1}, day[] = {10};
  static const sfm_boundary wraps[] = {SFM_BOUNDARY_PERIODIC};
  double once[200], later[200];
  density_fixture t;
  begin(&t, fine, 2, 1, 10000, 1, 0);
  t.settings.boundary = wraps;
  t.settings.period = day;
  t.settings.context.seeded = true;
  bumps(once, 200, 8);
  for (size_t i = 0; i < 200; i++) {
    once[i] = ldexp(floor(ldexp(fmod(once[i], 10), 20)), -20); /* exact, and so is what follows */
    later[i] = once[i] + 10 * (double)(i % 900);
  }
  sfm_release *first = density_fixture_release(&t, once, 200),
              *second = density_fixture_release(&t, later, 200);
  assert_int_equal(first->function->choice.index, second->function->choice.index);
  assert_memory_equal(first->integers, second->integers, first->length * sizeof *first->integers);
  sfm_release_destroy(first);
  sfm_release_destroy(second);
  density_fixture_clear(&t);
}

/* --- The ledger and the file. --- */

static sfm_status charged(sfm_release **out, density_fixture *t, const char *path,
                          const char *request, sfm_error *error) {
  static double values[500];
  sfm_charge charge = {.dataset = "people", .request = request};
  sfm_rows *rows = NULL;
  bumps(values, 500, 6);
  assert_ok(sfm_rows_from_array(&rows, values, 500, 1, density_fixture_columns, error), error);
  assert_ok(sfm_ledger_open(&charge.ledger, path, error), error);
  t->settings.context.charge = &charge;
  sfm_status status = sfm_density_release(out, NULL, rows, &t->settings, error);
  t->settings.context.charge = NULL;
  sfm_ledger_close(charge.ledger);
  sfm_rows_destroy(rows);
  return status;
}

static void the_whole_is_charged_once(void **state) {
  (void)state;
  static const double wide[] = {1, 2000};
  char folder[] = "/tmp/sfumato-choice-XXXXXX", path[64], command[96];
  sfm_error error;
  sfm_release *one, *two;
  const sfm_dataset dataset = {"people", 2, 0, SFM_ACCOUNTING_BASIC};
  density_fixture t;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/l.db", folder);
  assert_ok(sfm_ledger_create(path, NULL, &dataset, &error), &error);
  begin(&t, EIGHT, 5, 1, 100, 0.5, 0);
  t.settings.choice_share = 0.05; /* so that any is chosen */
  for (int k = 0; k < 3; k++) {
    char id[16], *bytes[2];
    size_t length[2];
    snprintf(id, sizeof id, "r%d", k);
    assert_ok(charged(&one, &t, path, id, &error), &error);
    assert_ok(charged(&two, &t, path, id, &error), &error);
    assert_ok(sfmi_release_print(one, &bytes[0], &length[0], &error), &error);
    assert_ok(sfmi_release_print(two, &bytes[1], &length[1], &error), &error);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    assert_string_equal(one->request, id);
    free(bytes[0]);
    free(bytes[1]);
    sfm_release_destroy(one);
    sfm_release_destroy(two);
  }
  expect_spent(path, "people", "1.5");
  /* Other candidates, or another share, are another request. */
  t.settings.choice_share = 0.2;
  assert_int_equal(charged(&one, &t, path, "r0", &error), SFM_REFUSED);
  t.settings.choice_share = 0.05;
  t.settings.candidate_count = 4;
  assert_int_equal(charged(&one, &t, path, "r0", &error), SFM_REFUSED);
  /* What cannot be is refused before the charge, and so is what is too much. */
  t.settings.candidates = wide;
  t.settings.candidate_count = 2;
  assert_int_equal(charged(&one, &t, path, NULL, &error), SFM_INVALID);
  expect_spent(path, "people", "1.5");
  density_fixture_clear(&t);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

static void a_file_says_how_it_was_chosen(void **state) {
  (void)state;
  static const char *const changes[][2] = {
      {"\"chosen\": ", "\"chosen\": 1"},
      {"\"share\": 0.", "\"share\": 1."},
      {"\"likely\": ", "\"likely\": 1"},
      {"\"chance\": ", "\"chances\": "},
      {"\"likely\": ", "\"unlikely\": "},
      {"\"candidates\": [", "\"candidates\": [[1.0, 2.0],"},
      {"\"candidates\": [", "\"candidates\": [3,"},
      {"\"rest\": {", "\"rest\": 4, \"less\": {"},
      {"\"rest\": {\n   \"kind\": \"gdp\"", "\"rest\": {\n      \"kind\": \"pure\""},
      {"\"choice\": {", "\"choice\": 5, \"else\": {"}};
  sfm_error error;
  static double values[300];
  density_fixture t;
  char *bytes, *again, changed[1 << 16];
  size_t length, twice;
  bumps(values, 300, 7);
  begin(&t, EIGHT, 5, 1, 100, 2, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.context.seeded = true;
  sfm_release *release = density_fixture_release(&t, values, 300), *back;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&back, bytes, length, "back", &error), &error);
  assert_ok(sfmi_release_print(back, &again, &twice, &error), &error);
  assert_int_equal(length, twice);
  assert_memory_equal(bytes, again, length);
  assert_int_equal(back->function->choice.count, 5);
  assert_memory_equal(back->function->choice.candidates, EIGHT, sizeof EIGHT);
  assert_true(back->function->choice.rest.mu == release->function->choice.rest.mu);
  sfm_release_destroy(back);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    char *place = strstr(bytes, changes[i][0]);
    assert_non_null(place);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(place - bytes), bytes, changes[i][1],
             place + strlen(changes[i][0]));
    if (!sfm_release_parse(&back, changed, strlen(changed), "broken", &error))
      fail_msg("change %zu was accepted", i);
  }
  /* An older file says nothing of how good the choice was. */
  double likely, chance;
  assert_true(sfm_release_choice_forecast(release, &likely, &chance));
  assert_true(likely > 0 && likely <= 1 && chance >= 0.2 && chance <= 1);
  memcpy(strstr(bytes, "\"likely\""), "\"lixely\"", 8);
  memcpy(strstr(bytes, "\"chance\""), "\"chxnce\"", 8);
  assert_ok(sfm_release_parse(&back, bytes, length, "old", &error), &error);
  assert_false(sfm_release_choice_forecast(back, &likely, &chance));
  assert_true(isnan(likely) && isnan(chance));
  sfm_release_destroy(back);
  free(bytes);
  free(again);
  sfm_release_destroy(release);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices_follow_the_law),
      cmocka_unit_test(choices_are_as_predicted),
      cmocka_unit_test(the_release_is_that_of_the_chosen_bandwidth),
      cmocka_unit_test(the_guarantee_does_not_depend_on_the_choice),
      cmocka_unit_test(a_sensible_bandwidth_is_chosen_for_two_bumps),
      cmocka_unit_test(noise_is_taken_into_account),
      cmocka_unit_test(wrong_choices_are_refused),
      cmocka_unit_test(a_period_is_what_must_be_fine),
      cmocka_unit_test(the_whole_is_charged_once),
      cmocka_unit_test(a_file_says_how_it_was_chosen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
