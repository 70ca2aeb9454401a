/* test_design_density.c - what is decided before the rows are opened: sizes that fit, refusals that
 * say what would fit, and choices that are the best predicted. */
/* suite: release */
#include "density_fixture.h"

#include "estimators/lattice/lattice_sensitivity.h"
#include "planner/density/design_density.h"
#include "releases/core/release_data.h"

static sfm_density_choice plan_of(const density_fixture *t, uint64_t rows) {
  sfm_density_choice plan;
  sfm_error error;
  assert_ok(sfm_density_choose(&plan, &t->settings, rows, &error), &error);
  return plan;
}

static sfm_density_choice plan_with(density_fixture *t, sfm_density_method method, uint64_t rows) {
  t->settings.method = method;
  return plan_of(t, rows);
}

static void errors_fall_with_rows_and_epsilon(void **state) {
  (void)state;
  for (size_t d = 1; d <= 2; d++)
    for (int gp = 0; gp < 2; gp++) {
      sfm_density_method method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
      double last = INFINITY;
      density_fixture t;
      for (uint64_t n = 10; n <= 1000000; n *= 10) {
        density_fixture_init(&t, d, 0, 1, 0.1, 1, gp ? 1e-6 : 0);
        sfm_density_choice plan = plan_with(&t, method, n);
        double error = plan.total - plan.smoothing;
        assert_true(error > 0 && error < last);
        last = error;
        density_fixture_clear(&t);
      }
      last = INFINITY;
      for (double epsilon = 1e-3; epsilon < 300; epsilon *= 3) {
        density_fixture_init(&t, d, 0, 1, 0.1, epsilon, gp ? 1e-6 : 0);
        sfm_density_choice plan = plan_with(&t, method, 1000);
        double error = plan.total - plan.smoothing;
        assert_true(error > 0 && error < last);
        last = error;
        density_fixture_clear(&t);
      }
    }
}

/* The numbers that a refusal suggests after the words, one per column. */
static void suggested(double *least, size_t d, const char *message, const char *words) {
  const char *at = strstr(message, words);
  if (!at) fail_msg("\"%s\" does not say \"%s\"", message, words);
  at += strlen(words);
  for (size_t a = 0; a < d; a++) {
    char *end;
    least[a] = strtod(at, &end);
    assert_true(end != at && *end == (a + 1 < d ? ',' : '\0'));
    at = end + 1;
  }
}

/* The refusal names the least bandwidth that fits; it does, and nine tenths of it do not. */
static void names_what_fits(size_t d, const sfm_boundary *boundary) {
  density_fixture t;
  sfm_error error = {0};
  sfm_density_choice plan;
  double least[SFM_MAX_DIMENSION] = {0};
  density_fixture_init(&t, d, -3, 4, 1e-9, 1, 0);
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.boundary = boundary;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
  suggested(least, d, error.message, "the smallest that fits is settings.bandwidth = ");
  for (size_t a = 0; a < d; a++) t.bandwidth[a] = least[a];
  assert_ok(sfm_density_choose(&plan, &t.settings, 1000, &error), &error);
  assert_true(plan.coefficients <= SFMI_RELEASE_MAX);
  for (size_t a = 0; a < d; a++) t.bandwidth[a] = 0.9 * least[a];
  /* Few cells a column: the same number of them may still do. */
  if (d <= 3) assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
  for (size_t a = 0; a < d; a++) t.bandwidth[a] = 0.5 * least[a];
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
  density_fixture_clear(&t);
}

enum { MANY = 13 };
static const sfm_boundary REFLECT[MANY] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                                           SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                                           SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                                           SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                                           SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                                           SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT,
                                           SFM_BOUNDARY_REFLECT},
                          PERIODIC[MANY] = {
                              SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                              SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                              SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                              SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                              SFM_BOUNDARY_PERIODIC};

static void the_smallest_that_fits_fits(void **state) {
  (void)state;
  /* One axis of sixteen million points takes its time. */
  for (size_t d = test_long() ? 1 : 2; d <= 3; d++) names_what_fits(d, NULL);
  names_what_fits(5, NULL);
  names_what_fits(3, REFLECT);
  names_what_fits(5, PERIODIC);
  names_what_fits(9, REFLECT);
  names_what_fits(9, PERIODIC);
  names_what_fits(10, PERIODIC);
}

/* Open columns are padded by nine bandwidths: from seven on nothing fits, and is told so; rings
 * need none. */
static void many_columns_are_as_many_as_fit(void **state) {
  (void)state;
  sfm_error error = {0};
  sfm_density_choice plan;
  for (size_t d = 8; d <= MANY; d++) {
    density_fixture t;
    if (d < SFMI_LATTICE_DIMENSIONS && test_left_out(d, 4)) continue;
    density_fixture_init(&t, d, 0, 1, 0.5, 2, 0);
    t.settings.method = SFM_DENSITY_LATTICE;
    assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "columns"));
    t.settings.method = SFM_DENSITY_AUTO; /* then few frequencies, as long as they fit */
    if (!sfm_density_choose(&plan, &t.settings, 1000, &error))
      assert_true(plan.method == SFM_DENSITY_FOURIER_LAPLACE && d <= SFMI_LATTICE_DIMENSIONS);
    else
      assert_non_null(strstr(error.message, "columns"));
    t.settings.method = SFM_DENSITY_LATTICE;
    t.settings.boundary = PERIODIC;
    const sfm_status status = sfm_density_choose(&plan, &t.settings, 1000, &error);
    assert_int_equal(status, d <= SFMI_LATTICE_DIMENSIONS ? SFM_OK : SFM_INVALID);
    if (!status) assert_true(pow(plan.order, (double)d) <= 65536 || plan.order == 2);
    /* Too little is left for the weights of so many columns beside so much noise. */
    t.settings.epsilon = 1e-6;
    assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
    density_fixture_clear(&t);
  }
}

static void extremes_have_plans(void **state) {
  (void)state;
  const struct {
    size_t d;
    uint64_t rows;
    double h, epsilon, delta;
  } cases[] = {{1, 1, 0.1, 1, 0},
               {1, 1, 0.1, 1, 1e-6},
               {1, 1000, 0.1, 1e-6, 0},
               {1, 1000, 0.1, 1e-6, 1e-300},
               {1, 1000, 0.1, 1e3, 0},
               {2, 1000, 0.1, 1e3, 0.5},
               {1, 1000, 10, 1, 0},
               {1, 1000, 10, 1, 1e-6},
               {2, 1000, 10, 1, 1e-6},
               {4, 1000, 0.2, 1, 0},
               {4, 1000, 5, 1e-6, 0},
               {4, 1000, 2, 1, 1e-6},
               {1, ((uint64_t)1 << 36) - 1, 0.01, 1, 0},
               {1, 100, 1e-5, 1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    density_fixture t;
    density_fixture_init(&t, cases[i].d, 0, 1, cases[i].h, cases[i].epsilon, cases[i].delta);
    sfm_density_choice plan = plan_of(&t, cases[i].rows);
    assert_true(isfinite(plan.total) && plan.privacy > 0 && plan.aliasing >= 0);
    size_t product = 1;
    for (size_t a = 0; a < cases[i].d; a++) product *= plan.points[a];
    assert_int_equal(product, plan.coefficients);
    assert_true(plan.method != SFM_DENSITY_AUTO);
    density_fixture_clear(&t);
  }
}

/* Padding follows the kernel: in four dimensions ten times the domain is too wide,
 * and is told so. */
static void the_widest_that_fits_fits(void **state) {
  (void)state;
  density_fixture t;
  sfm_error error = {0};
  sfm_density_choice plan;
  density_fixture_init(&t, 4, 0, 1, 10, 1, 0);
  t.settings.method = SFM_DENSITY_LATTICE;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
  const char *at = strstr(error.message, "the widest that fits is settings.bandwidth = ");
  assert_non_null(at);
  double widest = strtod(at + strlen("the widest that fits is settings.bandwidth = "), NULL);
  for (size_t a = 0; a < 4; a++) t.bandwidth[a] = widest;
  assert_ok(sfm_density_choose(&plan, &t.settings, 1000, &error), &error);
  for (size_t a = 0; a < 4; a++) t.bandwidth[a] = 1.1 * widest;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 1000, &error), SFM_INVALID);
  density_fixture_clear(&t);
}

static void bits_fit_the_sampler_and_the_sums(void **state) {
  (void)state;
  for (double epsilon = 1e-6; epsilon < 1e3; epsilon *= 31)
    for (uint64_t n = 1; n < (uint64_t)1 << 36; n = n * 97 + 1)
      for (size_t d = 1; d <= 3; d++) {
        density_fixture t;
        sfmi_design_density design;
        sfm_error error;
        density_fixture_init(&t, d, 0, 1, 0.3, epsilon, 0);
        t.settings.method = SFM_DENSITY_LATTICE;
        assert_ok(sfmi_design_density_init(&design, &t.settings, n, &error), &error);
        int bits = (int)(design.lattice.bits * d);
        assert_true(bits <= 62 && ldexp((double)n, bits) <= 0x1p62);
        assert_true(ldexp(2 / epsilon, bits) <= 0x1p50);
        assert_true(design.lattice.bits >= SFMI_LATTICE_BITS_MIN && design.lattice.bits <= 24);
        density_fixture_clear(&t);
      }
}

/* Under add/remove nothing follows n, not even through the argument. */
static void add_remove_ignores_rows(void **state) {
  (void)state;
  density_fixture t;
  density_fixture_init(&t, 1, 0, 1, 0.05, 1, 1e-6);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  sfm_density_choice none = plan_of(&t, 0), few = plan_of(&t, 3), many = plan_of(&t, 1000000);
  assert_memory_equal(&none, &few, sizeof none);
  assert_memory_equal(&none, &many, sizeof none);
  t.settings.method = SFM_DENSITY_LATTICE;
  sfm_density_choice blind = plan_of(&t, 0);
  assert_int_equal(blind.order, 4);
  assert_true(blind.spacing[0] <= 0.9 * 0.05 && blind.spacing[0] > 0.8 * 0.05);
  t.settings.expected_rows = 100;
  sfm_density_choice small = plan_of(&t, 0);
  t.settings.expected_rows = 100000000;
  sfm_density_choice large = plan_of(&t, 0);
  assert_true(small.spacing[0] > large.spacing[0]); /* more rows, more noise is affordable */
  density_fixture_clear(&t);
}

/* The release is over one period; bounds that are no whole number of periods are refused, and what
 * the message suggests will do. */
static void periods_divide_the_bounds(void **state) {
  (void)state;
  const struct {
    double period;
    bool good;
  } cases[] = {{0, true},    {24, true},        {12, true},      {8, true},   {24.0 / 7, true},
               {7, false},   {25, false},       {24.001, false}, {60, false}, {-24, false},
               {NAN, false}, {INFINITY, false}, {1e-300, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    density_fixture t;
    sfmi_design_density design;
    sfm_error error = {0};
    density_fixture_init(&t, 1, 0, 24, 1, 1, 0);
    t.settings.method = SFM_DENSITY_LATTICE;
    t.settings.boundary = PERIODIC;
    t.settings.period = &cases[i].period;
    const sfm_status status = sfmi_design_density_init(&design, &t.settings, 100, &error);
    if (status != (cases[i].good ? SFM_OK : SFM_INVALID))
      fail_msg("period %g: status %d: %s", cases[i].period, (int)status, error.message);
    if (!status) {
      assert_relative("upper", design.upper[0], cases[i].period > 0 ? cases[i].period : 24, 1e-12);
      assert_int_equal(design.lattice.axis[0].points % 2, 1);
    }
    density_fixture_clear(&t);
  }
  density_fixture t;
  sfm_error error;
  sfm_density_choice plan;
  double period = 7;
  density_fixture_init(&t, 1, 0, 24, 1, 1, 0);
  t.settings.boundary = PERIODIC;
  t.settings.period = &period;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "the bounds 0:28"));
  assert_non_null(strstr(error.message, "settings.boundary = periodic, period = 8"));
  t.settings.boundary = REFLECT; /* which has no period */
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  density_fixture_clear(&t);
}

/* Few cosines make many modes: what a reader would refuse is refused before it is made.  Here the
 * cosines fit, and the lattice of the rows. */
static void functions_too_large_to_read_are_refused(void **state) {
  (void)state;
  density_fixture t;
  sfm_density_choice plan;
  sfm_error error;
  density_fixture_init(&t, 2, 0, 1, 2.733 / 3000, 1, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.boundary = REFLECT;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "a grid of 35988001 points"));
  density_fixture_clear(&t);
  density_fixture_init(&t, 2, 0, 1, 2.733 / 2800, 1, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.boundary = REFLECT;
  assert_ok(sfm_density_choose(&plan, &t.settings, 100, &error), &error);
  assert_true(plan.coefficients < ((size_t)1 << 24) / 2);
  density_fixture_clear(&t);
}

/* Laplace or normal, whichever predicts less, but for a tenth, unless one is named; gp only where
 * nothing is periodic. */
static void noise_is_what_predicts_less(void **state) {
  (void)state;
  size_t normals = 0, laplaces = 0, processes = 0;
  for (size_t d = 1; d <= 3; d++)
    for (int b = 0; b < 3; b++)
      for (int i = 0; i < 4; i++) {
        const sfm_boundary *const boundaries[] = {density_fixture_open, REFLECT, PERIODIC};
        const double deltas[] = {1e-12, 1e-6, 1e-3, 0.1};
        density_fixture t;
        density_fixture_init(&t, d, 0, 1, 0.25, 1, deltas[i]);
        t.settings.boundary = boundaries[b];
        t.settings.noise = SFM_DENSITY_NOISE_LAPLACE;
        sfm_density_choice laplace = plan_with(&t, SFM_DENSITY_LATTICE, 10000);
        assert_int_equal(plan_with(&t, SFM_DENSITY_AUTO, 10000).noise, SFM_DENSITY_NOISE_LAPLACE);
        t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
        sfm_density_choice normal = plan_with(&t, SFM_DENSITY_LATTICE, 10000);
        assert_int_equal(laplace.noise, SFM_DENSITY_NOISE_LAPLACE);
        assert_int_equal(normal.noise, SFM_DENSITY_NOISE_NORMAL);
        t.settings.noise = SFM_DENSITY_NOISE_AUTO;
        sfm_density_choice chosen = plan_with(&t, SFM_DENSITY_LATTICE, 10000);
        const sfm_density_choice *best = normal.total < laplace.total ? &normal : &laplace;
        const bool is_normal = chosen.noise == SFM_DENSITY_NOISE_NORMAL;
        assert_true(chosen.total == (is_normal ? normal.total : laplace.total));
        assert_true(chosen.total <= 1.21 * best->total); /* within a tenth: the narrower band */
        *(is_normal ? &normals : &laplaces) += 1;
        chosen = plan_with(&t, SFM_DENSITY_AUTO, 10000);
        if (chosen.method == SFM_DENSITY_LATTICE) assert_true(chosen.total <= 1.21 * best->total);
        if (b == 1) {
          const sfm_density_choice gp = plan_with(&t, SFM_DENSITY_GP, 10000);
          const bool process = chosen.method == SFM_DENSITY_GP;
          assert_true(process || chosen.method == SFM_DENSITY_LATTICE);
          assert_true(chosen.total <= 1.21 * fmin(gp.total, best->total));
          processes += process;
        }
        if (b == 2) assert_int_not_equal(chosen.method, SFM_DENSITY_GP);
        density_fixture_clear(&t);
      }
  assert_true(normals > 0 && laplaces > 0 && processes > 0);
}

/* The l2 sensitivity of normal noise, and that it is never above sqrt 2 and 1 record. */
static void normal_noise_has_the_energy_of_its_lattice(void **state) {
  (void)state;
  for (size_t d = 1; d <= 3; d++)
    for (int k = 1; k <= 2; k++) {
      density_fixture t;
      sfmi_design_density design;
      sfm_error error;
      density_fixture_init(&t, d, 0, 1, 0.2, 1, 1e-6);
      t.settings.method = SFM_DENSITY_LATTICE;
      t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
      density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, (uint32_t)k);
      assert_ok(sfmi_design_density_init(&design, &t.settings, 1000, &error), &error);
      double energy = sfmi_lattice_energy(&design.lattice),
             s = sfmi_design_density_lattice_sensitivity(&design);
      assert_relative("replace", s, k * sqrt(2 * energy), 1e-12);
      assert_true(s <= k * M_SQRT2 && design.mu > 0);
      density_fixture_clear(&t);
      density_fixture_init(&t, d, 0, 1, 0.2, 1, 1e-6);
      t.settings.method = SFM_DENSITY_LATTICE;
      t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
      density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, (uint32_t)k);
      assert_ok(sfmi_design_density_init(&design, &t.settings, 0, &error), &error);
      energy = sfmi_lattice_energy(&design.lattice);
      assert_relative("add-remove", sfmi_design_density_lattice_sensitivity(&design),
                      k * sqrt(energy), 1e-12);
      assert_true(energy <= pow(0.51, (double)d)); /* order 4: half an axis */
      density_fixture_clear(&t);
    }
}

static void boundaries_and_noises_of_other_methods_are_refused(void **state) {
  (void)state;
  density_fixture t;
  sfm_density_choice plan;
  sfm_error error;
  density_fixture_init(&t, 1, 0, 1, 0.1, 1, 1e-6);
  for (int m = SFM_DENSITY_GP; m <= SFM_DENSITY_SOBOLEV; m++) {
    t.settings.method = (sfm_density_method)m;
    t.settings.boundary = m == SFM_DENSITY_GP ? PERIODIC : REFLECT;
    assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "settings.method = lattice"));
  }
  t.settings.method = SFM_DENSITY_GP;
  t.settings.boundary = REFLECT;
  for (sfm_engine engine = SFM_ENGINE_CIRCULANT; engine <= SFM_ENGINE_RANDOM; engine++) {
    t.settings.engine = engine;
    assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "whole function"));
  }
  t.settings.engine = SFM_ENGINE_AUTO;
  t.settings.kernel = SFM_KERNEL_LAPLACIAN;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  t.settings.kernel = SFM_KERNEL_GAUSSIAN;
  t.settings.release_grid[0] = 5;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  t.settings.release_grid[0] = 0;
  assert_ok(sfm_density_choose(&plan, &t.settings, 100, &error), &error);
  t.settings.boundary = NULL;
  t.settings.method = SFM_DENSITY_GP;
  t.settings.noise = SFM_DENSITY_NOISE_LAPLACE;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  for (int m = SFM_DENSITY_FOURIER_LAPLACE; m <= SFM_DENSITY_CARATHEODORY; m++)
    for (int noise = SFM_DENSITY_NOISE_LAPLACE; noise <= SFM_DENSITY_NOISE_NORMAL; noise++) {
      t.settings.method = (sfm_density_method)m;
      t.settings.noise = (sfm_density_noise)noise;
      assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
      assert_non_null(strstr(error.message, "settings.noise"));
    }
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
  t.settings.delta = 0;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 100, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.delta"));
  density_fixture_clear(&t);
}

/* Wider than a ring is no matter: it has one mode, and of an even shape no error of smoothing. */
static void rings_take_any_bandwidth(void **state) {
  (void)state;
  sfm_error error;
  sfm_shape *even;
  assert_ok(sfm_shape_parse(&even, "uniform", 1, &error), &error);
  for (int b = 0; b < 2; b++)
    for (double h = 0.01; h <= 10; h *= 1.7) {
      density_fixture t;
      density_fixture_init(&t, 1, 0, 1, h, 1, 0);
      t.settings.boundary = b ? REFLECT : PERIODIC;
      t.settings.method = SFM_DENSITY_LATTICE;
      t.settings.shape = even;
      sfm_density_choice plan = plan_of(&t, 1000);
      assert_true(plan.smoothing < 1e-20 && plan.privacy > 0 && isfinite(plan.total));
      if (h > 2) assert_int_equal(plan.coefficients, 1);
      t.settings.method = SFM_DENSITY_AUTO;
      assert_true(plan_of(&t, 1000).total <= plan.total && plan_of(&t, 1000).privacy > 0);
      density_fixture_clear(&t);
    }
  sfm_shape_destroy(even);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  const struct {
    double lower, upper, h, epsilon, delta;
  } cases[] = {{0, 1, 0, 1, 0},           {0, 1, -1, 1, 0},
               {0, 1, NAN, 1, 0},         {0, 1, INFINITY, 1, 0},
               {0, 1, 10.5, 1, 0},        {0, 1, 0.1, 0, 0},
               {0, 1, 0.1, -1, 0},        {0, 1, 0.1, NAN, 0},
               {0, 1, 0.1, 1e4, 0},       {0, 1, 0.1, 1e-7, 0},
               {0, 1, 0.1, 1, 1},         {0, 1, 0.1, 1, -1e-9},
               {0, 1, 0.1, 1, NAN},       {0, 1, 0.1, 1, 2},
               {0, 1e-320, 1e-321, 1, 0}, {-1e308, 1e308, 1e307, 1, 0},
               {0, 1e200, 1e199, 1, 0},   {1e17, 1e17 + 64, 8, 1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    density_fixture t;
    sfm_density_choice plan;
    sfm_error error = {0};
    density_fixture_init(&t, 1, cases[i].lower, cases[i].upper, cases[i].h, cases[i].epsilon,
                         cases[i].delta);
    if (sfm_density_choose(&plan, &t.settings, 100, &error) != SFM_INVALID)
      fail_msg("case %zu was accepted", i);
    assert_true(strlen(error.message) > 20);
    density_fixture_clear(&t);
  }
  density_fixture t;
  sfm_density_choice plan;
  sfm_error error;
  density_fixture_init(&t, 1, 0, 1, 0.1, 1, 0);
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 0, &error), SFM_INVALID);
  assert_int_equal(sfm_density_choose(&plan, &t.settings, (uint64_t)1 << 36, &error), SFM_INVALID);
  t.settings.method = SFM_DENSITY_GP;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 10, &error), SFM_INVALID);
  t.settings.method = SFM_DENSITY_AUTO;
  t.settings.expected_rows = 10;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 10, &error), SFM_INVALID);
  t.settings.expected_rows = 0;
  for (double bad = -0.5; bad < 2; bad += 0.5) {
    t.settings.context.confidence = bad;
    if (bad != 0.5)
      assert_int_equal(sfm_density_choose(&plan, &t.settings, 10, &error), SFM_INVALID);
  }
  t.settings.context.confidence = 0.9;
  const char *const twice[] = {"a", "a"};
  double two[] = {0.1, 0.1};
  t.settings.columns = twice;
  t.settings.bandwidth = two;
  t.settings.dimension = 2;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 10, &error), SFM_INVALID);
  const char *const unknown[] = {"z"};
  t.settings.columns = unknown;
  t.settings.dimension = 1;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 10, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "schema.bounds"));
  t.settings.dimension = 9;
  assert_int_equal(sfm_density_choose(&plan, &t.settings, 10, &error), SFM_INVALID);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_fall_with_rows_and_epsilon),
      cmocka_unit_test(the_smallest_that_fits_fits),
      cmocka_unit_test(the_widest_that_fits_fits),
      cmocka_unit_test(many_columns_are_as_many_as_fit),
      cmocka_unit_test(periods_divide_the_bounds),
      cmocka_unit_test(functions_too_large_to_read_are_refused),
      cmocka_unit_test(noise_is_what_predicts_less),
      cmocka_unit_test(normal_noise_has_the_energy_of_its_lattice),
      cmocka_unit_test(boundaries_and_noises_of_other_methods_are_refused),
      cmocka_unit_test(rings_take_any_bandwidth),
      cmocka_unit_test(extremes_have_plans),
      cmocka_unit_test(bits_fit_the_sampler_and_the_sums),
      cmocka_unit_test(add_remove_ignores_rows),
      cmocka_unit_test(wrong_settings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
