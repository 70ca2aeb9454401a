/* test_train.c - machines: what one record moves them by at most, what does not count, what is
 * refused before anything is read, and that the release is the machine with its noise. */
/* suite: release */
#include "train_fixture.h"

#include "base/math/prng.h"
#include "random/idealised_draws.h"
#include "releases/core/release_data.h"
#include "releases/kinds/machine_model.h"

/* ---- sensitivity, searched ---- */

enum { SEARCH_ROWS = 4, SEARCH_MOST = 64 };

typedef struct pair {
  double rows[2][SEARCH_ROWS * (TRAIN_FIXTURE_COLUMNS + 1)];
} pair;

static double uniform(sfmi_prng *prng, double least, double most) {
  return least + (most - least) * sfmi_prng_uniform(prng);
}

/* A row: corners of the box are likelier than what is between. */
static void draw_row(double *row, const train_fixture *s, sfmi_prng *prng) {
  const size_t d = s->settings.feature_count;
  for (size_t a = 0; a < d; a++) {
    const double u = sfmi_prng_uniform(prng);
    row[a] = u < 0.3 ? -1 : u < 0.6 ? 1 : u < 0.65 ? 0 : uniform(prng, -1, 1);
  }
  const double y = sfmi_prng_uniform(prng) < 0.5 ? -1 : 1;
  row[d] = s->settings.regression && sfmi_prng_uniform(prng) < 0.3 ? uniform(prng, -1, 1) : y;
  if (sfmi_prng_uniform(prng) < 0.03) row[d] = 7; /* counts as zero (a class), or as its bound */
}

static void draw_pair(pair *p, const train_fixture *s, size_t count, sfmi_prng *prng) {
  const size_t width = s->settings.feature_count + 1;
  for (size_t r = 0; r < count; r++) draw_row(p->rows[0] + r * width, s, prng);
  memcpy(p->rows[1], p->rows[0], sizeof p->rows[0]);
  draw_row(p->rows[1], s, prng);
}

/* One thing changed: a common row, or the one that is replaced. */
static void change_pair(pair *p, const train_fixture *s, size_t count, sfmi_prng *prng) {
  const size_t width = s->settings.feature_count + 1;
  const size_t r = (size_t)(sfmi_prng_uniform(prng) * (double)count);
  double row[TRAIN_FIXTURE_COLUMNS + 1];
  draw_row(row, s, prng);
  const int which = r > 0 ? 2 : sfmi_prng_uniform(prng) < 0.5;
  for (int k = 0; k < 2; k++)
    if (which == 2 || which == k) memcpy(p->rows[k] + r * width, row, width * sizeof *row);
}

static double distance_of(const pair *p, const sfmi_train_problem *l, const train_fixture *s,
                          size_t count) {
  double w[2][SEARCH_MOST];
  assert_in_range(l->numbers, 1, SEARCH_MOST);
  for (int k = 0; k < 2; k++) train_fixture_solve(w[k], l, s, p->rows[k], count);
  return train_fixture_distance(w[0], w[1], l->numbers);
}

/* The largest ratio of what was found to the bound.  What is found is off by the certificate. */
static double search(const train_fixture *s, size_t rounds, uint64_t seed) {
  sfmi_prng prng;
  double worst = 0;
  sfmi_prng_init(&prng, seed);
  for (size_t count = 1; count <= SEARCH_ROWS; count++) {
    pair best, tried;
    sfmi_train_problem l;
    draw_pair(&best, s, count, &prng);
    train_fixture_begin(&l, s, best.rows[0], count);
    double most = distance_of(&best, &l, s, count);
    for (size_t i = 0; i < rounds; i++) {
      tried = best;
      if (i % 16 == 15)
        draw_pair(&tried, s, count, &prng);
      else
        change_pair(&tried, s, count, &prng);
      const double distance = distance_of(&tried, &l, s, count);
      if (distance < most) continue;
      most = distance;
      best = tried;
    }
    const double ratio = most / l.training.bound,
                 allowed = 1 + l.training.certificate / l.training.bound;
    if (!(ratio <= allowed))
      fail_msg("%s, %zu rows: %g of the bound", sfm_machine_loss_name(s->settings.loss), count,
               ratio);
    worst = fmax(worst, ratio);
    sfmi_train_problem_clear(&l);
  }
  return worst;
}

typedef struct search_case {
  const char *name;
  sfm_kernel_family kernel;
  sfm_train_method method;
  size_t dimension;
  double constant;
} search_case;

static const search_case CASES[] = {
    {"linear", SFM_KERNEL_LINEAR, SFM_TRAIN_FINITE, 2, 0},
    {"linear, constant", SFM_KERNEL_LINEAR, SFM_TRAIN_FINITE, 2, 0.5},
    {"polynomial", SFM_KERNEL_POLYNOMIAL, SFM_TRAIN_FINITE, 2, 0},
    {"torus", SFM_KERNEL_GAUSSIAN, SFM_TRAIN_FINITE, 1, 0},
    {"random", SFM_KERNEL_LAPLACIAN, SFM_TRAIN_RFF, 2, 0},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static void case_init(train_fixture *s, const search_case *c, sfm_machine_loss loss,
                      double lambda) {
  train_fixture_init(s, c->dimension, 1, 1e-6);
  s->settings.kernel = c->kernel;
  s->settings.method = c->method;
  s->settings.constant = c->constant;
  s->settings.bandwidth = c->kernel == SFM_KERNEL_GAUSSIAN ? 2 : 0.7;
  s->settings.degree = 2;
  s->settings.shift = 1;
  s->settings.rff_features = 16;
  s->settings.loss = loss;
  s->settings.lambda = lambda;
  s->settings.tolerance = 0.001;
  s->settings.regression = loss > SFM_MACHINE_LOSS_LOGISTIC;
  s->settings.label_lower = -1;
  s->settings.label_upper = 1;
}

static void no_pair_of_neighbours_passes_the_bound(void **state) {
  (void)state;
  static const double lambdas[] = {0.03, 1};
  for (size_t i = 0; i < CASE_COUNT; i++)
    for (int loss = SFM_MACHINE_LOSS_HINGE; loss <= SFM_MACHINE_LOSS_SQUARED; loss++)
      for (size_t k = 0; k < 2; k++) {
        train_fixture s;
        case_init(&s, &CASES[i], (sfm_machine_loss)loss, lambdas[k]);
        const double found = search(&s, test_long() ? 1000 : 24, 100 * i + (size_t)loss);
        print_message("%-18s %-20s lambda %-5g %.3f of the bound\n", CASES[i].name,
                      sfm_machine_loss_name((sfm_machine_loss)loss), lambdas[k], found);
        if (i == 0 && loss == SFM_MACHINE_LOSS_HINGE && k == 1) assert_true(found > 0.95);
        train_fixture_clear(&s);
      }
}

/* Lemma 22 of Rubinstein et al. (docs/papers.md, E8): rows at +-1, one of which changes its label.
 */
static void hinge_attains_the_bound(void **state) {
  (void)state;
  enum { COUNT = 50 };
  double rows[2][COUNT * 2];
  train_fixture s;
  case_init(&s, &(search_case){"linear", SFM_KERNEL_LINEAR, SFM_TRAIN_FINITE, 1, 0},
            SFM_MACHINE_LOSS_HINGE, 1);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < COUNT; i++) {
      rows[k][2 * i] = 1;
      rows[k][2 * i + 1] = i % 2 || (k && i == 0) ? 1 : -1;
    }
  sfmi_train_problem l;
  double w[2];
  train_fixture_begin(&l, &s, rows[0], COUNT);
  for (int k = 0; k < 2; k++) train_fixture_solve(&w[k], &l, &s, rows[k], COUNT);
  const double ratio = fabs(w[1] - w[0]) / l.training.bound;
  assert_relative("2 L kappa/(lambda n)", l.training.bound, 2.0 / COUNT, 1e-9);
  assert_near("of the bound", ratio, 1, 0.0021);
  sfmi_train_problem_clear(&l);
  train_fixture_clear(&s);
}

static void one_vs_rest_moves_all_machines_at_once(void **state) {
  (void)state;
  static const char *const labels[] = {"1", "2", "3"};
  train_fixture s;
  train_fixture_init(&s, 1, 1, 1e-6);
  s.settings.labels = labels;
  s.settings.class_count = 3;
  s.settings.one_vs_rest = true;
  s.settings.lambda = 1;
  s.settings.tolerance = 0.001;
  const double rows[2][4] = {{1, 1, 1, 2}, {-1, 1, 1, 2}};
  sfmi_train_problem l;
  double w[2][3];
  train_fixture_begin(&l, &s, rows[0], 2);
  assert_int_equal(l.training.machines, 3);
  assert_relative("joint", l.training.joint, sqrt(3) * l.training.used, 1e-12);
  for (int k = 0; k < 2; k++) train_fixture_solve(w[k], &l, &s, rows[k], 2);
  for (int j = 0; j < 3; j++) /* every machine by its own bound */
    assert_near("a machine", fabs(w[0][j] - w[1][j]) / l.training.bound, 1, 0.0021);
  sfmi_train_problem_clear(&l);
  train_fixture_clear(&s);
}

static void contributions_and_tolerance_are_in_what_is_used(void **state) {
  (void)state;
  train_fixture s;
  sfm_error error;
  double rows[2 * 40] = {0};
  train_fixture_init(&s, 1, 1, 1e-6);
  assert_ok(sfm_schema_set_contributions(s.schema, 3, &error), &error);
  s.settings.lambda = 0.1;
  s.settings.tolerance = 0.25;
  sfmi_train_problem l;
  train_fixture_begin(&l, &s, rows, 40);
  assert_relative("bound", l.training.bound, 2 / (0.1 * 40), 1e-9);
  assert_relative("certificate", l.training.certificate, 0.5 * l.training.bound, 1e-9);
  assert_relative("used", l.training.used, 3.5 * l.training.bound, 1e-9);
  assert_relative("target", l.training.target, 0.05 * pow(0.25 * l.training.bound, 2), 1e-9);
  sfmi_train_problem_clear(&l);
  sfm_release *release = train_fixture_release(&s, rows, 40);
  sfm_machine machine;
  assert_true(sfm_release_machine(release, &machine));
  assert_relative("used, released", machine.used, 3.5 * machine.bound, 1e-9);
  sfm_release_destroy(release);
  train_fixture_clear(&s);
}

/* ---- the release ---- */

static void fill(double *rows, const train_fixture *s, size_t count, uint64_t seed) {
  const size_t d = s->settings.feature_count;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t r = 0; r < count; r++) {
    double *row = rows + r * (d + 1), sum = 0;
    for (size_t a = 0; a < d; a++) sum += row[a] = uniform(&prng, -1, 1);
    row[d] = sum + 0.3 * sfmi_prng_normal(&prng) > 0 ? 1 : -1;
  }
}

/* A release's numbers less the machine's: as large as its noise is said to be. */
static void check_noise(const char *name, train_fixture *s, double sigma) {
  enum { COUNT = 200 };
  double *rows = calloc(COUNT * (s->settings.feature_count + 1), sizeof *rows);
  fill(rows, s, COUNT, 5);
  sfmi_train_problem l;
  train_fixture_begin(&l, s, rows, COUNT);
  const size_t length = l.training.machines * l.numbers;
  double *w = calloc(length, sizeof *w), square = 0;
  train_fixture_solve(w, &l, s, rows, COUNT);
  size_t draws = 0;
  for (s->settings.context.seed = 1; draws < 1600; s->settings.context.seed++) {
    sfm_release *release = train_fixture_release(s, rows, COUNT);
    assert_int_equal(sfm_release_length(release), length);
    assert_true(release->scale > 0);
    for (size_t i = 0; i < length; i++) {
      const double got =
          release->hardened ? (double)release->integers[i] * release->step : release->reals[i];
      square += pow((got - w[i]) / (release->scale * sigma), 2);
    }
    draws += length;
    sfm_release_destroy(release);
  }
  s->settings.context.seed = 1;
  /* Laplace has the heaviest fourth moment of the laws here: the variance of a square is 5. */
  assert_near(name, square / (double)draws, 1, TEST_Z * sqrt(6 / (double)draws));
  sfmi_train_problem_clear(&l);
  free(w);
  free(rows);
}

static void the_release_is_the_machine_with_its_noise(void **state) {
  (void)state;
  train_fixture s;
  train_fixture_init(&s, 8, 1, 1e-6);
  check_noise("normal", &s, 1);
  s.settings.method = SFM_TRAIN_GP;
  check_noise("gp", &s, 1);
  s.settings.method = SFM_TRAIN_FINITE;
  s.settings.delta = 0;
  check_noise("laplace", &s, sqrt(2));
  s.settings.noise_given = true;
  s.settings.noise = SFM_VECTOR_NOISE_GAMMA;
  check_noise("gamma", &s, sqrt(9)); /* E r^2/D of Gamma(8, 1): 8 * 9/8 */
  train_fixture_clear(&s);
}

static void scales_are_sensitivities_over_the_budget(void **state) {
  (void)state;
  enum { COUNT = 500 };
  train_fixture s;
  double rows[COUNT * 4];
  train_fixture_init(&s, 3, 0.5, 1e-6);
  fill(rows, &s, COUNT, 3);
  s.settings.lambda = 0.2;
  const double kappa = sqrt(3), used = 1.2 * 2 * kappa / (0.2 * COUNT);
  sfm_release *release = train_fixture_release(&s, rows, COUNT);
  double mu;
  sfm_error error;
  assert_ok(sfm_gdp_calibrate(&mu, 0.5, 1e-6, &error), &error);
  assert_relative("normal", release->scale, used / mu, 1.1e-3);
  assert_true(release->hardened && release->scale >= used / mu);
  sfm_release_destroy(release);
  s.settings.delta = 0;
  release = train_fixture_release(&s, rows, COUNT);
  assert_relative("laplace", release->scale, sqrt(3) * used / 0.5, 1.1e-3);
  assert_true(release->hardened && release->scale >= sqrt(3) * used / 0.5);
  sfm_release_destroy(release);
  s.settings.noise_given = true;
  s.settings.noise = SFM_VECTOR_NOISE_GAMMA;
  release = train_fixture_release(&s, rows, COUNT);
  assert_relative("gamma", release->scale, used / 0.5, 1e-6);
  assert_false(release->hardened);
  sfm_release_destroy(release);
  train_fixture_clear(&s);
}

/* ---- rows that do not count ---- */

static void same_release(const train_fixture *s, const double *a, const double *b, size_t count) {
  sfm_release *first = train_fixture_release(s, a, count),
              *second = train_fixture_release(s, b, count);
  assert_int_equal(sfm_release_length(first), sfm_release_length(second));
  assert_memory_equal(first->integers, second->integers,
                      sfm_release_length(first) * sizeof *first->integers);
  sfm_release_destroy(first);
  sfm_release_destroy(second);
}

static void a_row_that_does_not_fit_contributes_zero_whatever_it_holds(void **state) {
  (void)state;
  enum { COUNT = 60 };
  static const struct {
    double a, b, y;
  } wrong[] = {{0.3, 0.2, 2},    {0.3, 0.2, NAN},   {NAN, 0.2, 1},
               {0.3, NAN, -1},   {NAN, NAN, NAN},   {INFINITY, 0, 1},
               {0, 0, INFINITY}, {0.3, 0.2, 1e300}, {0.3, 0.2, 1 + 1e-12}};
  double rows[2][COUNT * 3];
  train_fixture s;
  train_fixture_init(&s, 2, 1, 1e-6);
  for (size_t i = 1; i < sizeof wrong / sizeof wrong[0]; i++) {
    for (int k = 0; k < 2; k++) {
      fill(rows[k], &s, COUNT, 2);
      rows[k][30] = wrong[k * i].a;
      rows[k][31] = wrong[k * i].b;
      rows[k][32] = wrong[k * i].y;
    }
    same_release(&s, rows[0], rows[1], COUNT);
  }
  /* and n counts it: the machine is that of the others with the sum over n */
  double w[2], lone[2];
  sfmi_train_problem l;
  fill(rows[0], &s, COUNT, 2);
  for (size_t r = 1; r < COUNT; r++) rows[0][3 * r + 2] = 5;
  s.settings.lambda = 1;
  s.settings.tolerance = 0.001;
  train_fixture_begin(&l, &s, rows[0], COUNT);
  train_fixture_solve(w, &l, &s, rows[0], COUNT);
  for (int a = 0; a < 2; a++) lone[a] = rows[0][2] * rows[0][a] / COUNT;
  assert_true(train_fixture_distance(w, lone, 2) <= l.training.distance);
  sfmi_train_problem_clear(&l);
  /* outside drop: beyond a bound is no row */
  s.settings.outside = SFM_OUTSIDE_DROP;
  for (int k = 0; k < 2; k++) {
    fill(rows[k], &s, COUNT, 2);
    rows[k][30] = k ? 3 : -1e9;
  }
  same_release(&s, rows[0], rows[1], COUNT);
  train_fixture_clear(&s);
}

static void a_row_that_is_no_number_or_label_at_all_still_gives_a_release(void **state) {
  (void)state;
  train_fixture s;
  double rows[3 * 3];
  for (size_t i = 0; i < 9; i++) rows[i] = NAN;
  train_fixture_init(&s, 2, 1, 0);
  sfm_release *release = train_fixture_release(&s, rows, 3);
  assert_non_null(release);
  sfm_release_destroy(release);
  train_fixture_clear(&s);
}

/* Records of a person beyond those allowed are rows that count for nothing. */
static void a_person_counts_as_often_as_is_said(void **state) {
  (void)state;
  enum { COUNT = 30, WIDTH = 3 };
  static const char *const names[WIDTH] = {"a", "y", "id"};
  double rows[2][COUNT * WIDTH];
  sfm_release *releases[2];
  train_fixture s;
  sfm_error error;
  sfmi_prng prng;
  train_fixture_init(&s, 1, 1, 1e-6);
  assert_ok(sfm_schema_set_person(s.schema, "id", &error), &error);
  assert_ok(sfm_schema_set_contributions(s.schema, 2, &error), &error);
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < COUNT; i++) {
    double *row = rows[0] + WIDTH * i;
    row[0] = i < 5 ? 0.3 : uniform(&prng, -1, 1); /* equal ones, of which any two may be kept */
    row[1] = i % 2 && i >= 5 ? 1 : -1;
    row[2] = i < 5 ? 7 : 100 + (double)i;
  }
  memcpy(rows[1], rows[0], sizeof rows[0]);
  for (size_t i = 2; i < 5; i++) rows[1][WIDTH * i + 2] = NAN; /* nobody's */
  for (int k = 0; k < 2; k++) {
    sfm_rows *opened;
    assert_ok(sfm_rows_from_array(&opened, rows[k], COUNT, WIDTH, names, &error), &error);
    assert_ok(sfm_train_release(&releases[k], opened, &s.settings, &error), &error);
    sfm_rows_destroy(opened);
  }
  assert_true(releases[0]->enforced && releases[0]->contributions == 2);
  assert_int_equal(releases[0]->integers[0], releases[1]->integers[0]);
  for (int k = 0; k < 2; k++) sfm_release_destroy(releases[k]);
  train_fixture_clear(&s);
}

/* ---- regression ---- */

static void regression_is_in_units_of_the_label(void **state) {
  (void)state;
  enum { COUNT = 400 };
  double rows[COUNT * 2], value;
  train_fixture s;
  sfm_error error;
  train_fixture_init(&s, 1, 1000, 0.5);
  s.settings.regression = true;
  s.settings.label_lower = 100;
  s.settings.label_upper = 300;
  s.settings.loss = SFM_MACHINE_LOSS_SQUARED;
  s.settings.lambda = 0.1;
  s.settings.tolerance = 0.01;
  double square = 0;
  for (size_t i = 0; i < COUNT; i++) {
    rows[2 * i] = -1 + 2 * (double)i / (COUNT - 1);
    rows[2 * i + 1] = 200 + 80 * rows[2 * i];
    square += rows[2 * i] * rows[2 * i] / COUNT;
  }
  sfm_release *release = train_fixture_release(&s, rows, COUNT);
  assert_ok(sfm_machine_at(release, &value, (double[]){0.5}, 1, &error), &error);
  const double slope = 0.8 * square / (square + 0.1);
  assert_near("the ridge at 0.5", value, 200 + 100 * slope / 2, 50 * TEST_Z * release->scale);
  assert_true(50 * TEST_Z * release->scale < 10);
  sfm_machine machine;
  assert_true(sfm_release_machine(release, &machine));
  assert_int_equal(machine.task, SFM_TASK_REGRESSION);
  assert_near("middle", machine.offset, 200, 0);
  assert_near("half", machine.factor, 100, 0);
  sfm_release_destroy(release);
  s.settings.loss = SFM_MACHINE_LOSS_HUBER;
  s.settings.parameter = 25;
  sfmi_train_problem l;
  train_fixture_begin(&l, &s, rows, COUNT);
  assert_near("25 of 100", l.training.loss.parameter, 0.25, 1e-15);
  assert_near("its slope", l.training.lipschitz, 0.25, 1e-12);
  sfmi_train_problem_clear(&l);
  train_fixture_clear(&s);
}

/* ---- noise in the objective ---- */

/* The released w is the minimiser of the objective with its noise: n grad P(w) + b = 0, with the b
 * that the seed gives. */
static void check_objective(bool normal, sfm_machine_loss loss) {
  enum { COUNT = 300, D = 3 };
  double rows[COUNT * (D + 1)], b[D], gradient[D] = {0};
  train_fixture s;
  sfm_error error;
  train_fixture_init(&s, D, 2, normal ? 1e-5 : 0);
  fill(rows, &s, COUNT, 9);
  s.settings.method = SFM_TRAIN_OBJECTIVE;
  s.settings.loss = loss;
  s.settings.lambda = 0.01;
  sfmi_train_problem l;
  train_fixture_begin(&l, &s, rows, COUNT);
  sfm_release *release = train_fixture_release(&s, rows, COUNT);
  assert_false(release->hardened);
  sfmi_stream *stream;
  assert_ok(sfmi_stream_create_seeded(&stream, s.settings.context.seed, &error), &error);
  double radius = 1;
  if (normal) {
    sfmi_idealised_normal(stream, b, D);
  } else {
    sfmi_idealised_direction(stream, b, D);
    radius = sfmi_idealised_gamma(stream, D);
  }
  sfmi_stream_destroy(stream);
  for (size_t i = 0; i < COUNT; i++) {
    const double *x = rows + i * (D + 1);
    double t = 0;
    for (size_t a = 0; a < D; a++) t += x[a] * release->reals[a];
    for (size_t a = 0; a < D; a++) gradient[a] += sfmi_loss_slope(&l.training.loss, t, x[D]) * x[a];
  }
  const sfmi_design_train *t = &l.training;
  const double unit = radius * release->scale;
  const double away = sqrt(
      2 / t->lambda * sfmi_design_train_target(t, D, 10 * sqrt(D) * unit / (COUNT * t->lambda)));
  const double steepest = sfmi_loss_curvature(&t->loss) * t->kappa * t->kappa + t->lambda;
  for (size_t a = 0; a < D; a++) {
    gradient[a] += COUNT * t->lambda * release->reals[a] + unit * b[a];
    assert_near("n grad P + b", gradient[a], 0, COUNT * steepest * away);
    assert_true(COUNT * steepest * away < 0.02 * unit);
  }
  sfm_release_destroy(release);
  sfmi_train_problem_clear(&l);
  train_fixture_clear(&s);
}

static void noise_in_the_objective_is_minimised(void **state) {
  (void)state;
  for (int normal = 0; normal < 2; normal++) {
    check_objective(normal, SFM_MACHINE_LOSS_LOGISTIC);
    check_objective(normal, SFM_MACHINE_LOSS_HUBER);
  }
}

static void the_objective_has_the_numbers_of_its_theorem(void **state) {
  (void)state;
  double rows[100 * 2], mu;
  train_fixture s;
  sfm_error error;
  sfmi_train_problem l;
  train_fixture_init(&s, 1, 1, 0);
  s.settings.method = SFM_TRAIN_OBJECTIVE;
  s.settings.loss = SFM_MACHINE_LOSS_LOGISTIC;
  s.settings.lambda = 0.1;
  fill(rows, &s, 100, 1);
  train_fixture_begin(&l, &s, rows, 100);
  double rest = 1 - log1p(0.25 / (100 * 0.1));
  assert_relative("gamma", l.training.scale, 2 / rest, 1e-12);
  sfmi_train_problem_clear(&l);
  s.settings.delta = 1e-5;
  train_fixture_begin(&l, &s, rows, 100);
  assert_ok(sfm_gdp_calibrate(&mu, rest, 0.5e-5, &error), &error);
  assert_relative("normal", l.training.scale, 2 / mu, 1e-9);
  sfmi_train_problem_clear(&l);
  /* where the Jacobian would take more than half of epsilon, lambda is raised */
  s.settings.lambda = 1e-6;
  s.settings.delta = 0;
  train_fixture_begin(&l, &s, rows, 100);
  assert_relative("lambda", l.training.lambda, 0.25 / (100 * expm1(0.5)), 1e-9);
  assert_relative("half of epsilon", l.training.scale, 2 / 0.5, 1e-9);
  sfmi_train_problem_clear(&l);
  /* where delta allows much: the largest mu at which the sum over corners is that of one */
  s.settings.lambda = 1e6;
  s.settings.delta = 0.5;
  for (int i = 0; i < 20; i++) {
    s.settings.epsilon = 2e-6 * (1 + i / 7.0);
    train_fixture_begin(&l, &s, rows, 100);
    rest = s.settings.epsilon - log1p(0.25 / (100 * 1e6));
    const double square = pow(2 / l.training.scale, 2);
    assert_true(square * (1 + square / 4) <= rest * rest);
    assert_relative("largest", square * (1 + square / 4), rest * rest, 1e-9);
    sfmi_train_problem_clear(&l);
  }
  train_fixture_clear(&s);
}

/* ---- values at places ---- */

static void a_machine_at_places_has_the_values_of_its_features(void **state) {
  (void)state;
  enum { COUNT = 60, PLACES = 9 };
  double rows[COUNT * 2], places[PLACES], at[2][PLACES];
  train_fixture s;
  sfm_error error;
  train_fixture_init(&s, 1, 1000, 0.5);
  fill(rows, &s, COUNT, 4);
  for (size_t i = 0; i < PLACES; i++) places[i] = -1 + 0.25 * (double)i;
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  s.settings.bandwidth = 0.5;
  s.settings.constant = 0.5;
  s.settings.lambda = 0.05;
  s.settings.tolerance = 0.001;
  s.settings.method = SFM_TRAIN_FINITE;
  sfm_release *release = train_fixture_release(&s, rows, COUNT);
  assert_ok(sfm_machine_at(release, at[0], places, PLACES, &error), &error);
  const double noise = release->scale * release->model->map->kappa;
  sfm_release_destroy(release);
  s.settings.method = SFM_TRAIN_GP;
  s.settings.places = places;
  s.settings.place_count = PLACES;
  release = train_fixture_release(&s, rows, COUNT);
  assert_false(release->hardened);
  assert_int_equal(sfm_release_length(release), PLACES);
  assert_ok(sfm_machine_at(release, at[1], places, PLACES, &error), &error);
  for (size_t i = 0; i < PLACES; i++)
    assert_near("at a place", at[1][i], at[0][i], TEST_Z * 1.5 * noise + 0.01);
  sfm_release_destroy(release);
  train_fixture_clear(&s);
}

/* ---- random features ---- */

static void frequencies_are_of_their_own(void **state) {
  (void)state;
  enum { COUNT = 30 };
  double rows[COUNT * 3];
  uint64_t seeds[2];
  train_fixture s;
  train_fixture_init(&s, 2, 1, 1e-6);
  fill(rows, &s, COUNT, 4);
  s.settings.kernel = SFM_KERNEL_CAUCHY;
  s.settings.bandwidth = 1;
  s.settings.method = SFM_TRAIN_RFF;
  s.settings.rff_features = 20;
  s.settings.context.seeded = false;
  for (int k = 0; k < 2; k++) {
    sfm_release *release = train_fixture_release(&s, rows, COUNT);
    assert_int_equal(sfm_release_length(release), 20);
    seeds[k] = release->model->map->seed;
    assert_true(release->is_private);
    sfm_release_destroy(release);
  }
  assert_true(seeds[0] != seeds[1]);
  train_fixture_clear(&s);
}

/* ---- public checks ---- */

typedef struct refusal {
  const char *says;
  void (*spoil)(sfm_train_settings *settings);
} refusal;

static const char *const THREE[] = {"1", "2", "3"}, *const TWICE[] = {"1", "1"};
static void three(sfm_train_settings *s) {
  s->labels = THREE;
  s->class_count = 3;
}
static void one(sfm_train_settings *s) {
  s->labels = THREE;
  s->class_count = 1;
}
static void twice(sfm_train_settings *s) {
  s->labels = TWICE;
  s->class_count = 2;
}
static void rest_of_two(sfm_train_settings *s) {
  s->one_vs_rest = true;
}
static void below_zero(sfm_train_settings *s) {
  s->lambda = -1;
}
static void no_schema(sfm_train_settings *s) {
  s->context.schema = NULL;
}
static void not_a_lambda(sfm_train_settings *s) {
  s->lambda = NAN;
}
static void told(sfm_train_settings *s) {
  s->label = "a";
}
static void hinge_line(sfm_train_settings *s) {
  s->regression = true;
  s->label_upper = 1;
}
static void no_bounds(sfm_train_settings *s) {
  s->regression = true;
  s->loss = SFM_MACHINE_LOSS_SQUARED;
}
static void no_delta(sfm_train_settings *s) {
  s->noise_given = true;
  s->noise = SFM_VECTOR_NOISE_NORMAL;
  s->delta = 0;
}
static void pure_delta(sfm_train_settings *s) {
  s->noise_given = true;
  s->noise = SFM_VECTOR_NOISE_LAPLACE;
}
static void laplace_gp(sfm_train_settings *s) {
  s->method = SFM_TRAIN_GP;
  s->noise_given = true;
  s->noise = SFM_VECTOR_NOISE_LAPLACE;
  s->delta = 0;
}
static void no_features(sfm_train_settings *s) {
  s->kernel = SFM_KERNEL_LAPLACIAN;
  s->bandwidth = 1;
}
static void no_bandwidth(sfm_train_settings *s) {
  s->kernel = SFM_KERNEL_GAUSSIAN;
}
static void linear_waves(sfm_train_settings *s) {
  s->method = SFM_TRAIN_RFF;
  s->rff_features = 10;
}
static void odd_waves(sfm_train_settings *s) {
  s->kernel = SFM_KERNEL_GAUSSIAN;
  s->bandwidth = 1;
  s->method = SFM_TRAIN_RFF;
  s->rff_features = 11;
}
static void rough(sfm_train_settings *s) {
  s->method = SFM_TRAIN_OBJECTIVE;
}
static void tiny_tolerance(sfm_train_settings *s) {
  s->tolerance = 1e-30;
}
static void no_tolerance(sfm_train_settings *s) {
  s->tolerance = 0;
}
static void steep(sfm_train_settings *s) {
  s->lambda = 1e12;
  s->loss = SFM_MACHINE_LOSS_HUBER;
  s->parameter = 1e-3;
}
static void flat(sfm_train_settings *s) {
  s->lambda = 1e-12;
  s->constant = 1e6;
  s->kernel = SFM_KERNEL_POLYNOMIAL;
  s->degree = 4;
  s->shift = 1e6;
}
static void no_epsilon(sfm_train_settings *s) {
  s->epsilon = 0;
}
static void wide(sfm_train_settings *s) {
  s->loss = SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
  s->parameter = 1;
}
static void hinge_number(sfm_train_settings *s) {
  s->parameter = 1;
}
static void degree(sfm_train_settings *s) {
  s->kernel = SFM_KERNEL_POLYNOMIAL;
}
static const char *const UNBOUNDED[] = {"a", "free"};
static void unbounded(sfm_train_settings *s) {
  s->features = UNBOUNDED;
  s->feature_count = 2;
}
static void unbounded_waves(sfm_train_settings *s) {
  unbounded(s);
  s->kernel = SFM_KERNEL_GAUSSIAN;
  s->bandwidth = 1;
}
static const double PLACES[] = {0, 0};
static void misplaced(sfm_train_settings *s) {
  s->places = PLACES;
  s->place_count = 1;
}

static const refusal REFUSALS[] = {
    {"add settings.one_vs_rest", three},
    {"one label leaves nothing", one},
    {"declared twice", twice},
    {"two labels need one machine", rest_of_two},
    {"lambda must be from", below_zero},
    {"lambda must be from", not_a_lambda},
    {"context.schema is NULL", no_schema},
    {"among the features", told},
    {"hinge loss is for two classes", hinge_line},
    {"settings.label_lower = 0, label_upper = 10", no_bounds},
    {"normal noise needs a delta", no_delta},
    {"leave out settings.delta", pure_delta},
    {"settings.method = gp is normal noise", laplace_gp},
    {"has no finite features", no_features},
    {"needs a bandwidth", no_bandwidth},
    {"use settings.method = finite", linear_waves},
    {"an even number", odd_waves},
    {"settings.loss = logistic", rough},
    {"write settings.tolerance", tiny_tolerance},
    {"a smaller settings.lambda", steep},
    {"a larger settings.lambda", flat},
    {"tolerance must be above 0", no_tolerance},
    {"epsilon must be", no_epsilon},
    {"forgives errors", wide},
    {"has no parameter", hinge_number},
    {"degree from 1", degree},
    {"no bounds for column 'free'", unbounded},
    {"need a domain", unbounded_waves},
    {"settings.places are for settings.method = gp", misplaced},
};

static void what_cannot_be_is_refused_before_rows_are_read(void **state) {
  (void)state;
  enum { COUNT = 5 };
  double rows[COUNT * 3] = {0};
  for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++) {
    train_fixture s;
    sfm_error error;
    sfm_release *release = NULL;
    train_fixture_init(&s, 2, 1, 1e-6);
    s.names[1] = "b";
    REFUSALS[i].spoil(&s.settings);
    sfm_rows *opened = train_fixture_rows(&s, rows, COUNT);
    const sfm_status status = sfm_train_release(&release, opened, &s.settings, &error);
    if (status != SFM_INVALID || !strstr(error.message, REFUSALS[i].says))
      fail_msg("%s: status %d, %s", REFUSALS[i].says, (int)status, error.message);
    assert_null(release);
    sfm_rows_destroy(opened);
    train_fixture_clear(&s);
  }
}

static void add_remove_is_refused(void **state) {
  (void)state;
  double rows[6] = {0};
  train_fixture s;
  sfm_error error;
  sfm_release *release = NULL;
  train_fixture_init(&s, 2, 1, 1e-6);
  assert_ok(sfm_schema_set_neighbours(s.schema, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  sfm_rows *opened = train_fixture_rows(&s, rows, 2);
  assert_int_equal(sfm_train_release(&release, opened, &s.settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "add-remove"));
  sfm_rows_destroy(opened);
  train_fixture_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_of_neighbours_passes_the_bound),
      cmocka_unit_test(hinge_attains_the_bound),
      cmocka_unit_test(one_vs_rest_moves_all_machines_at_once),
      cmocka_unit_test(contributions_and_tolerance_are_in_what_is_used),
      cmocka_unit_test(the_release_is_the_machine_with_its_noise),
      cmocka_unit_test(scales_are_sensitivities_over_the_budget),
      cmocka_unit_test(a_row_that_does_not_fit_contributes_zero_whatever_it_holds),
      cmocka_unit_test(a_row_that_is_no_number_or_label_at_all_still_gives_a_release),
      cmocka_unit_test(a_person_counts_as_often_as_is_said),
      cmocka_unit_test(regression_is_in_units_of_the_label),
      cmocka_unit_test(noise_in_the_objective_is_minimised),
      cmocka_unit_test(the_objective_has_the_numbers_of_its_theorem),
      cmocka_unit_test(a_machine_at_places_has_the_values_of_its_features),
      cmocka_unit_test(frequencies_are_of_their_own),
      cmocka_unit_test(what_cannot_be_is_refused_before_rows_are_read),
      cmocka_unit_test(add_remove_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
