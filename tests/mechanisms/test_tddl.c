/* test_tddl.c - machines fitted at public points: what one record moves the numbers that get noise
 * by at most, that the fit is the machine where there is next to no noise, how far it is from it
 * where there is, and what is refused before anything is read. */
/* suite: release */
#include "train_fixture.h"

#include "base/math/linear_algebra.h"
#include "mechanisms/machines/tddl.h"
#include "releases/core/release_write.h"

enum { POINTS = 6, ROWS = 3, NUMBERS = 64 };

/* Public points in the square; the last one is there twice. */
static const double PUBLIC[POINTS * 2] = {1, 1, -0.5, 0.8, 0.3, -0.9, -1, -0.2, 0.6, 0.1, 0.6, 0.1};

static double uniform(sfmi_prng *prng, double least, double most) {
  return least + (most - least) * sfmi_prng_uniform(prng);
}

static void tddl_init(train_fixture *s, size_t dimension, double epsilon, double delta) {
  train_fixture_init(s, dimension, epsilon, delta);
  s->settings.method = SFM_TRAIN_TDDL;
  s->settings.public_cells = PUBLIC;
  s->settings.public_count = dimension == 2 ? POINTS : 2 * POINTS;
}

/* ---- sensitivity, searched ---- */

/* The numbers before noise, of machines of these rows. */
static void numbers_of(double *numbers, const sfmi_train_problem *l, const sfmi_tddl *t,
                       const train_fixture *s, const double *rows, size_t count) {
  double solved[NUMBERS * 4];
  sfm_error error;
  assert_in_range(l->training.machines * l->numbers, 1, NUMBERS * 4);
  train_fixture_solve(solved, l, s, rows, count);
  assert_ok(sfmi_tddl_numbers(numbers, t, solved, &error), &error);
}

static void draw_row(double *row, const train_fixture *s, sfmi_prng *prng) {
  const size_t d = s->settings.feature_count;
  for (size_t a = 0; a < d; a++) {
    const double u = sfmi_prng_uniform(prng);
    row[a] = u < 0.35 ? -1 : u < 0.7 ? 1 : uniform(prng, -1, 1);
  }
  row[d] = sfmi_prng_uniform(prng) < 0.5 ? -1 : 1;
  if (sfmi_prng_uniform(prng) < 0.03) row[d] = 7; /* counts as zero */
}

/* The largest part of the sensitivity that changes of one row or another find. */
static double search(const train_fixture *s, size_t rounds, uint64_t seed) {
  const size_t width = s->settings.feature_count + 1;
  double best[2][ROWS * 3], tried[2][ROWS * 3], numbers[2][NUMBERS], most = 0;
  sfmi_train_problem l;
  sfmi_tddl *t;
  sfmi_prng prng;
  sfm_error error;
  sfmi_prng_init(&prng, seed);
  for (size_t r = 0; r < ROWS; r++) draw_row(best[0] + r * width, s, &prng);
  memcpy(best[1], best[0], sizeof best[0]);
  train_fixture_begin(&l, s, best[0], ROWS);
  assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
  const sfmi_design_tddl_choice *c = sfmi_tddl_choice(t);
  for (size_t i = 0; i < rounds; i++) {
    const size_t r = (size_t)(sfmi_prng_uniform(&prng) * ROWS);
    double row[3];
    memcpy(tried, best, sizeof best);
    draw_row(row, s, &prng);
    for (int k = 0; k < 2; k++)
      if (r > 0 || k == (int)(i % 2)) memcpy(tried[k] + r * width, row, width * sizeof *row);
    for (int k = 0; k < 2; k++) numbers_of(numbers[k], &l, t, s, tried[k], ROWS);
    const double distance =
        train_fixture_distance(numbers[0], numbers[1], l.training.machines * c->directions);
    if (!(distance <= c->sensitivity))
      fail_msg("%g is more than the sensitivity of %g", distance, c->sensitivity);
    if (distance < most) continue;
    most = distance;
    memcpy(best, tried, sizeof best);
  }
  const double found = most / c->sensitivity;
  sfmi_tddl_destroy(t);
  sfmi_train_problem_clear(&l);
  return found;
}

typedef struct search_case {
  const char *name;
  sfm_kernel_family kernel;
  double constant;
} search_case;

static const search_case CASES[] = {{"linear", SFM_KERNEL_LINEAR, 0},
                                    {"linear, constant", SFM_KERNEL_LINEAR, 0.5},
                                    {"polynomial", SFM_KERNEL_POLYNOMIAL, 0},
                                    {"gaussian, dual", SFM_KERNEL_GAUSSIAN, 0},
                                    {"laplacian, dual", SFM_KERNEL_LAPLACIAN, 0}};

static void case_init(train_fixture *s, const search_case *c, sfm_noise_shape shape) {
  tddl_init(s, 2, 1, 1e-6);
  s->settings.kernel = c->kernel;
  s->settings.constant = c->constant;
  s->settings.bandwidth = 1;
  s->settings.degree = 2;
  s->settings.shift = 1;
  s->settings.lambda = 1;
  s->settings.tolerance = 0.001;
  s->settings.shape = shape;
}

static void no_pair_of_neighbours_passes_the_sensitivity(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
    for (int shape = SFM_NOISE_SHAPE_KERNEL; shape <= SFM_NOISE_SHAPE_ISOTROPIC; shape++) {
      train_fixture s;
      case_init(&s, &CASES[i], (sfm_noise_shape)shape);
      /* a torus in two dimensions has thousands of features: points instead */
      if (CASES[i].kernel == SFM_KERNEL_GAUSSIAN) s.settings.bandwidth = 1e-3;
      const double found = search(&s, test_long() ? 3000 : 150, 7 * i + (size_t)shape);
      print_message("%-18s %-10s %.3f of the sensitivity\n", CASES[i].name,
                    sfm_noise_shape_name((sfm_noise_shape)shape), found);
      if (i == 0 && shape == SFM_NOISE_SHAPE_KERNEL) assert_true(found > 0.95);
      assert_true(found > 0.05);
      train_fixture_clear(&s);
    }
}

/* Where all points lie on the line along which the machine moves, both shapes lose nothing; and a
 * sensitivity with kappa^2 in place of the largest eigenvalue would be passed. */
static void the_sensitivity_is_attained(void **state) {
  (void)state;
  static const double line[] = {1, 1, 0.5, -1};
  static const double rows[2][4] = {{1, 1, 1, -1}, {1, -1, 1, -1}};
  for (int shape = SFM_NOISE_SHAPE_KERNEL; shape <= SFM_NOISE_SHAPE_ISOTROPIC; shape++) {
    double numbers[2][NUMBERS];
    train_fixture s;
    sfmi_train_problem l;
    sfmi_tddl *t;
    sfm_error error;
    case_init(&s, &CASES[0], (sfm_noise_shape)shape);
    train_fixture_clear(&s);
    train_fixture_init(&s, 1, 1, 1e-6);
    s.settings.method = SFM_TRAIN_TDDL;
    s.settings.lambda = 1;
    s.settings.tolerance = 0.001;
    s.settings.shape = (sfm_noise_shape)shape;
    s.settings.public_cells = line;
    s.settings.public_count = 4;
    train_fixture_begin(&l, &s, rows[0], 2);
    assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
    const sfmi_design_tddl_choice *c = sfmi_tddl_choice(t);
    for (int k = 0; k < 2; k++) numbers_of(numbers[k], &l, t, &s, rows[k], 2);
    const double distance = train_fixture_distance(numbers[0], numbers[1], c->directions);
    assert_near("of the sensitivity", distance / c->sensitivity, 1, 0.0025);
    if (shape == SFM_NOISE_SHAPE_ISOTROPIC) {
      assert_relative("sqrt(lambda_max)", c->sensitivity, sqrt(3.25) * l.training.used, 1e-5);
      assert_true(distance > 1.5 * l.training.kappa * l.training.used);
    } else {
      assert_relative("kernel", c->sensitivity, l.training.used, 1e-9);
      assert_int_equal(c->directions, 1); /* of four points on a line */
    }
    sfmi_tddl_destroy(t);
    sfmi_train_problem_clear(&l);
    train_fixture_clear(&s);
  }
}

static void one_vs_rest_moves_all_machines_at_once(void **state) {
  (void)state;
  static const char *const labels[] = {"-1", "1", "2"};
  train_fixture s;
  tddl_init(&s, 2, 1, 1e-6);
  s.settings.labels = labels;
  s.settings.class_count = 3;
  s.settings.one_vs_rest = true;
  s.settings.lambda = 1;
  s.settings.tolerance = 0.001;
  const double found = search(&s, 200, 9);
  print_message("one-vs-rest %.3f of the sensitivity\n", found);
  assert_true(found > 0.9);
  train_fixture_clear(&s);
}

/* ---- matrices in place of coordinates ---- */

typedef struct matrices {
  double train[ROWS * ROWS], cross[ROWS * POINTS], between[POINTS * POINTS], labels[ROWS];
  sfm_gram gram;
} matrices;

static double inner(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1];
}

/* Of rows a, b, y, by the linear kernel. */
static void make_matrices(matrices *m, const double *rows) {
  for (size_t i = 0; i < ROWS; i++) {
    for (size_t k = 0; k < ROWS; k++) m->train[i * ROWS + k] = inner(rows + 3 * i, rows + 3 * k);
    for (size_t j = 0; j < POINTS; j++)
      m->cross[i * POINTS + j] = inner(rows + 3 * i, PUBLIC + 2 * j);
    m->labels[i] = rows[3 * i + 2];
  }
  for (size_t j = 0; j < POINTS; j++)
    for (size_t k = 0; k < POINTS; k++)
      m->between[j * POINTS + k] = inner(PUBLIC + 2 * j, PUBLIC + 2 * k);
  m->gram = (sfm_gram){ROWS, POINTS, m->train, m->cross, m->between, sqrt(2)};
}

/* The numbers that get noise, and what they move by at most. */
static double gram_numbers(double *numbers, const double *rows, double *distance) {
  static const char *const label[] = {"y"};
  matrices m;
  train_fixture s;
  sfmi_train_problem l;
  sfmi_tddl *t;
  sfm_rows *opened;
  sfmi_examples *examples = NULL;
  double solved[NUMBERS];
  sfm_error error;
  tddl_init(&s, 2, 1, 1e-6);
  make_matrices(&m, rows);
  s.settings.features = NULL;
  s.settings.feature_count = 0;
  s.settings.public_cells = NULL;
  s.settings.gram = &m.gram;
  s.settings.lambda = 1;
  s.settings.tolerance = 0.001;
  s.settings.shape = SFM_NOISE_SHAPE_KERNEL;
  assert_ok(sfm_rows_from_array(&opened, m.labels, ROWS, 1, label, &error), &error);
  assert_ok(sfmi_train_problem_begin(&l, opened, &s.settings, (sfmi_seed){true, 1}, &error),
            &error);
  assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
  assert_ok(sfmi_train_problem_read(&examples, &l, opened, &error), &error);
  assert_ok(sfmi_train_problem_solve(solved, &l, &l.training, examples, 0, ROWS, NULL, &error),
            &error);
  assert_ok(sfmi_tddl_numbers(numbers, t, solved, &error), &error);
  const double sensitivity = sfmi_tddl_choice(t)->sensitivity;
  assert_int_equal(sfmi_tddl_choice(t)->directions, 2);
  *distance = l.training.distance;
  sfmi_examples_destroy(examples);
  sfm_rows_destroy(opened);
  sfmi_tddl_destroy(t);
  sfmi_train_problem_clear(&l);
  train_fixture_clear(&s);
  return sensitivity;
}

/* A replaced record is another row and column of one matrix and another row of the other. */
static void matrices_move_by_no_more_than_is_said(void **state) {
  (void)state;
  double rows[2][ROWS * 3], numbers[2][NUMBERS], direct[NUMBERS], distance, found = 0;
  sfmi_prng prng;
  train_fixture s;
  sfmi_train_problem l;
  sfmi_tddl *t;
  sfm_error error;
  sfmi_prng_init(&prng, 12);
  case_init(&s, &CASES[0], SFM_NOISE_SHAPE_KERNEL);
  for (int round = 0; round < 200; round++) {
    for (size_t i = 0; i < ROWS; i++) draw_row(rows[0] + 3 * i, &s, &prng);
    memcpy(rows[1], rows[0], sizeof rows[0]);
    draw_row(rows[1], &s, &prng);
    double sensitivity = 0;
    for (int k = 0; k < 2; k++) sensitivity = gram_numbers(numbers[k], rows[k], &distance);
    const double apart = train_fixture_distance(numbers[0], numbers[1], 2);
    assert_true(apart <= sensitivity);
    found = fmax(found, apart / sensitivity);
  }
  print_message("matrices %.3f of the sensitivity\n", found);
  assert_true(found > 0.9);
  /* and they are the machine that coordinates give */
  train_fixture_begin(&l, &s, rows[0], ROWS);
  assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
  numbers_of(direct, &l, t, &s, rows[0], ROWS);
  assert_true(train_fixture_distance(direct, numbers[0], 2) <= 2 * distance + 1e-4);
  sfmi_tddl_destroy(t);
  sfmi_train_problem_clear(&l);
  train_fixture_clear(&s);
}

/* ---- the fit ---- */

static void fill(double *rows, size_t count, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) {
    double *row = rows + 3 * i;
    row[0] = uniform(&prng, -1, 1);
    row[1] = uniform(&prng, -1, 1);
    row[2] = row[0] + 0.5 * row[1] * row[1] + 0.2 * sfmi_prng_normal(&prng) > 0.1 ? 1 : -1;
  }
}

/* The values at the points of the machine without noise. */
static void exact_values(double *values, const train_fixture *s, const double *rows, size_t count) {
  train_fixture other = *s;
  sfmi_train_problem l;
  sfmi_tddl *t;
  sfm_error error;
  other.settings.shape = SFM_NOISE_SHAPE_ISOTROPIC; /* whose numbers are the values */
  other.settings.public_points = s->settings.public_count;
  train_fixture_begin(&l, &other, rows, count);
  assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
  double *solved = calloc(l.training.machines * l.numbers, sizeof *solved);
  train_fixture_solve(solved, &l, &other, rows, count);
  assert_ok(sfmi_tddl_numbers(values, t, solved, &error), &error);
  free(solved);
  sfmi_tddl_destroy(t);
  sfmi_train_problem_clear(&l);
}

static const search_case FITTED[] = {{"linear", SFM_KERNEL_LINEAR, 0.5},
                                     {"polynomial", SFM_KERNEL_POLYNOMIAL, 0},
                                     {"gaussian", SFM_KERNEL_GAUSSIAN, 0},
                                     {"matern", SFM_KERNEL_MATERN32, 0.3}};

static void without_noise_the_fit_is_the_machine(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  double rows[COUNT * 3], exact[POINTS], values[POINTS];
  sfm_error error;
  fill(rows, COUNT, 3);
  for (size_t i = 0; i < sizeof FITTED / sizeof FITTED[0]; i++)
    for (int shape = SFM_NOISE_SHAPE_KERNEL; shape <= SFM_NOISE_SHAPE_ISOTROPIC; shape++) {
      train_fixture s;
      case_init(&s, &FITTED[i], (sfm_noise_shape)shape);
      s.settings.lambda = 0.1;
      s.settings.epsilon = 1000;
      s.settings.delta = 0.5;
      exact_values(exact, &s, rows, COUNT);
      sfm_release *release = train_fixture_release(&s, rows, COUNT);
      assert_ok(sfm_machine_at(release, values, PUBLIC, POINTS, &error), &error);
      assert_true(release->hardened && !release->integers && release->reals);
      const double kappa = release->model->map->kappa, away = 6 * release->scale * fmax(kappa, 1);
      assert_true(away < 0.2);
      for (size_t j = 0; j < POINTS; j++) assert_near(FITTED[i].name, values[j], exact[j], away);
      sfm_release_destroy(release);
      train_fixture_clear(&s);
    }
}

/* The stated distance holds as often as it says, and what was predicted is about what is seen. */
static void the_stated_distance_holds_and_the_forecast_is_near(void **state) {
  (void)state;
  enum { COUNT = 400, SEEDS = 100, MANY = 40 };
  static double rows[COUNT * 3], points[MANY * 2];
  sfmi_prng prng;
  sfm_error error;
  fill(rows, COUNT, 4);
  sfmi_prng_init(&prng, 5);
  for (size_t i = 0; i < MANY * 2; i++) points[i] = uniform(&prng, -1, 1);
  for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_GAMMA; noise++)
    for (int shape = SFM_NOISE_SHAPE_KERNEL; shape <= SFM_NOISE_SHAPE_ISOTROPIC; shape++) {
      double exact[MANY], values[MANY], square = 0, rms = 0;
      size_t within = 0;
      train_fixture s;
      case_init(&s, &FITTED[1], (sfm_noise_shape)shape);
      s.settings.public_cells = points;
      s.settings.public_count = s.settings.public_points = MANY;
      s.settings.lambda = 0.5;
      s.settings.epsilon = 2;
      s.settings.delta = noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0;
      s.settings.noise_given = true;
      s.settings.noise = (sfm_vector_noise)noise;
      s.settings.context.confidence = 0.9;
      exact_values(exact, &s, rows, COUNT);
      for (s.settings.context.seed = 1; s.settings.context.seed <= SEEDS;
           s.settings.context.seed++) {
        sfm_release *release = train_fixture_release(&s, rows, COUNT);
        assert_ok(sfm_machine_at(release, values, points, MANY, &error), &error);
        const double apart = train_fixture_distance(values, exact, MANY) / sqrt(MANY);
        sfm_machine_fit fit;
        assert_true(sfm_release_fit(release, &fit));
        rms = fit.rms;
        within += apart <= rms;
        square += apart * apart / SEEDS;
        sfm_release_destroy(release);
      }
      s.settings.context.seed = 1;
      sfmi_train_problem l;
      sfmi_tddl *t;
      train_fixture_begin(&l, &s, rows, COUNT);
      assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
      const double predicted = sfmi_tddl_choice(t)->predicted;
      print_message("%d %-10s seen %.4f, predicted %.4f, stated %.4f (%zu of %d)\n", noise,
                    sfm_noise_shape_name((sfm_noise_shape)shape), sqrt(square), predicted, rms,
                    within, SEEDS);
      assert_false(binomial_too_few(within, SEEDS, 0.9));
      assert_true(predicted > 0.3 * sqrt(square) && predicted < 3 * sqrt(square));
      sfmi_tddl_destroy(t);
      sfmi_train_problem_clear(&l);
      train_fixture_clear(&s);
    }
}

/* No function that was fitted is longer than the ball. */
static void the_fit_stays_in_the_ball(void **state) {
  (void)state;
  enum { COUNT = 20 };
  double rows[COUNT * 3];
  sfm_machine_fit fit;
  fill(rows, COUNT, 6);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    train_fixture s;
    case_init(&s, &FITTED[1], seed % 2 ? SFM_NOISE_SHAPE_KERNEL : SFM_NOISE_SHAPE_ISOTROPIC);
    s.settings.epsilon = 0.01;
    s.settings.context.seed = seed;
    sfm_release *release = train_fixture_release(&s, rows, COUNT);
    assert_true(sfm_release_fit(release, &fit));
    const double *a = release->reals;
    double square = 0;
    for (size_t i = 0; i < POINTS; i++)
      for (size_t j = 0; j < POINTS; j++)
        square += a[i] * a[j] * sfmi_feature_map_kernel_between(release->model->map, i, j);
    assert_true(sqrt(square) <= fit.radius * (1 + 1e-9));
    assert_true(sqrt(square) > 0.9 * fit.radius); /* with so much noise it is on its edge */
    sfm_release_destroy(release);
    train_fixture_clear(&s);
  }
}

/* ---- choices ---- */

/* Pure noise is spent on few directions, normal noise on all; and on the better shape. */
static void choices_are_by_predicted_error(void **state) {
  (void)state;
  enum { COUNT = 200, MANY = 64 };
  static double rows[COUNT * 3], points[MANY * 2];
  sfmi_prng prng;
  sfm_error error;
  fill(rows, COUNT, 4);
  sfmi_prng_init(&prng, 5);
  for (size_t i = 0; i < MANY * 2; i++) points[i] = uniform(&prng, -1, 1);
  for (int pure = 0; pure < 2; pure++) {
    double predicted[3];
    size_t directions[3];
    for (int shape = 0; shape < 3; shape++) {
      train_fixture s;
      sfmi_train_problem l;
      sfmi_tddl *t;
      case_init(&s, &FITTED[3], (sfm_noise_shape)shape);
      s.settings.public_cells = points;
      s.settings.public_count = MANY;
      s.settings.delta = pure ? 0 : 1e-6;
      train_fixture_begin(&l, &s, rows, COUNT);
      assert_ok(sfmi_tddl_create(&t, &l, &error), &error);
      predicted[shape] = sfmi_tddl_choice(t)->predicted;
      directions[shape] = sfmi_tddl_choice(t)->directions;
      if (shape == 0)
        assert_true(sfmi_tddl_choice(t)->other >= predicted[0]);
      else
        assert_true(isnan(sfmi_tddl_choice(t)->other));
      sfmi_tddl_destroy(t);
      sfmi_train_problem_clear(&l);
      train_fixture_clear(&s);
    }
    assert_true(predicted[0] == fmin(predicted[1], predicted[2]));
    if (pure)
      assert_true(directions[1] < MANY && directions[2] < MANY);
    else
      assert_true(directions[1] == MANY && directions[2] == MANY);
  }
}

/* ---- what does not count, what is refused ---- */

static void points_go_the_way_of_rows(void **state) {
  (void)state;
  enum { COUNT = 30 };
  static const double beyond[POINTS * 2] = {9,  1,    -0.5, 0.8, 0.3, -0.9,
                                            -1, -0.2, 0.6,  0.1, 0.6, 0.1};
  double rows[COUNT * 3];
  train_fixture s;
  fill(rows, COUNT, 6);
  tddl_init(&s, 2, 1, 1e-6);
  sfm_release *first = train_fixture_release(&s, rows, COUNT);
  s.settings.public_cells = beyond; /* 9 is clamped to 1 */
  sfm_release *second = train_fixture_release(&s, rows, COUNT);
  assert_memory_equal(first->reals, second->reals, POINTS * sizeof(double));
  sfm_release_destroy(first);
  sfm_release_destroy(second);
  train_fixture_clear(&s);
}

static void refuse(train_fixture *s, const char *part) {
  double rows[30 * 3];
  sfm_release *release = NULL;
  sfm_error error;
  fill(rows, 30, 6);
  sfm_rows *opened = train_fixture_rows(s, rows, 30);
  assert_int_equal(sfm_train_release(&release, opened, &s->settings, &error), SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
  sfm_rows_destroy(opened);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const double missing[] = {0, 0, 1, NAN}, lambdas[] = {0.1, 1};
  train_fixture s;
  tddl_init(&s, 2, 1, 1e-6);
  s.settings.public_count = 0;
  refuse(&s, "settings.public_cells");
  s.settings.public_count = POINTS;
  s.settings.public_points = POINTS + 1;
  refuse(&s, "there are 6 public points");
  s.settings.public_points = SFM_PUBLIC_MOST + 1;
  refuse(&s, "at most 5000");
  s.settings.public_points = 0;
  s.settings.public_cells = missing;
  s.settings.public_count = 2;
  refuse(&s, "public point 2");
  s.settings.public_cells = PUBLIC;
  s.settings.shape = (sfm_noise_shape)7;
  refuse(&s, "settings.shape");
  s.settings.shape = SFM_NOISE_SHAPE_AUTO;
  s.settings.lambdas = lambdas;
  s.settings.lambda_count = 2;
  refuse(&s, "a lambda is chosen for noise on weights");
  s.settings.lambda_count = 0;
  s.settings.method = SFM_TRAIN_FINITE;
  refuse(&s, "are for settings.method = tddl");
  train_fixture_clear(&s);
}

/* Whether a number of a row is in the text, to eight digits. */
static bool holds(const char *text, double number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.8f", fabs(number));
  return strstr(text, digits + 1) != NULL;
}

static void no_row_is_in_the_release(void **state) {
  (void)state;
  enum { COUNT = 50 };
  double rows[COUNT * 3];
  fill(rows, COUNT, 11);
  for (int dual = 0; dual < 2; dual++) {
    train_fixture s;
    char *text = NULL;
    size_t length = 0;
    sfm_error error;
    case_init(&s, &FITTED[dual ? 3 : 1], SFM_NOISE_SHAPE_AUTO);
    sfm_release *release = train_fixture_release(&s, rows, COUNT);
    assert_ok(sfmi_release_print(release, &text, &length, &error), &error);
    assert_non_null(strstr(text, "\"places\""));
    for (size_t i = 0; i < COUNT; i++)
      for (size_t a = 0; a < 2; a++) assert_false(holds(text, rows[3 * i + a]));
    free(text);
    sfm_release_destroy(release);
    train_fixture_clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_of_neighbours_passes_the_sensitivity),
      cmocka_unit_test(the_sensitivity_is_attained),
      cmocka_unit_test(one_vs_rest_moves_all_machines_at_once),
      cmocka_unit_test(matrices_move_by_no_more_than_is_said),
      cmocka_unit_test(without_noise_the_fit_is_the_machine),
      cmocka_unit_test(the_stated_distance_holds_and_the_forecast_is_near),
      cmocka_unit_test(the_fit_stays_in_the_ball),
      cmocka_unit_test(choices_are_by_predicted_error),
      cmocka_unit_test(points_go_the_way_of_rows),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(no_row_is_in_the_release),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
