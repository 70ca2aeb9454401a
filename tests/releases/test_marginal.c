/* test_marginal.c - a marginal is the integral over the other columns, in exact integers; its noise
 * is the sum of theirs and its band covers. */
/* suite: release */
#include "redraw.h"

#include <unistd.h>

#include "releases/eval/trig_polynomial.h"
#include "sfumato/marginal.h"
#include "sfumato/vector.h"

enum { ROWS = 80, SEED = 31 };

static double rows[3 * ROWS];

/* MIRROR: gp, b and c reflect. */
enum { LATTICE, GP, FOURIER, MIRROR, KINDS };

/* Columns a, b, c over [0, 1], of bandwidths h, 1.5 h, 2 h. */
static sfm_release *make(size_t dimension, double h, int kind, sfm_neighbours neighbours) {
  const sfm_density_method methods[] = {SFM_DENSITY_LATTICE, SFM_DENSITY_GP,
                                        SFM_DENSITY_FOURIER_LAPLACE, SFM_DENSITY_GP};
  static const sfm_boundary reflect[] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT,
                                         SFM_BOUNDARY_REFLECT};
  density_fixture t;
  density_fixture_rows(rows, ROWS, dimension, 0, 1, 30);
  density_fixture_init(&t, dimension, 0, 1, h, 1, kind == GP || kind == MIRROR ? 1e-6 : 0);
  for (size_t a = 0; a < dimension; a++) t.bandwidth[a] = h * (1 + 0.5 * (double)a);
  density_fixture_neighbours(&t, neighbours, 1);
  t.settings.method = methods[kind];
  t.settings.terms = kind == FOURIER ? 5 : 0;
  if (kind == MIRROR) t.settings.boundary = reflect;
  t.settings.context.seeded = true;
  t.settings.context.seed = SEED;
  sfm_release *release = density_fixture_release(&t, rows, ROWS);
  density_fixture_clear(&t);
  return release;
}

static sfm_release *marginal(const sfm_release *release, size_t count, const char *first,
                             const char *second) {
  const char *columns[] = {first, second};
  sfm_error error;
  sfm_release *out = NULL;
  assert_ok(sfm_release_marginal(&out, release, columns, count, &error), &error);
  return out;
}

static void load(sfmi_trig_poly **poly, const sfm_release *release) {
  sfm_error error;
  double *coefficients = calloc(release->length, sizeof *coefficients);
  for (size_t i = 0; i < release->length; i++)
    coefficients[i] = sfm_release_coefficient(release, i);
  assert_ok(sfmi_trig_poly_create(poly, release, &error), &error);
  sfmi_trig_poly_load(*poly, coefficients, 1);
  free(coefficients);
}

/* The integral of the function of column b at a = x, over the whole torus (where it reflects, half
 * of it): a mean of as many values as there are modes is exact. */
static double integral(const sfmi_trig_poly *poly, double x) {
  double sum = 0;
  const size_t P = poly->modes[1] + 1;
  for (size_t i = 0; i < P; i++) {
    double at[2] = {x, poly->period[1] * (double)i / (double)P};
    sum += sfmi_trig_poly_at(poly, at);
  }
  const bool reflects = poly->release->boundary[1] == SFM_BOUNDARY_REFLECT;
  return sum / (double)P * poly->period[1] * (reflects ? 0.5 : 1);
}

static void it_is_the_integral_over_the_other_column(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release = make(2, 0.15, kind, SFM_NEIGHBOURS_REPLACE);
    sfm_release *kept = marginal(release, 1, "a", NULL);
    sfmi_trig_poly *plane, *line;
    load(&plane, release);
    load(&line, kept);
    double largest = 0;
    for (int i = 0; i <= 20; i++) {
      const double x = i / 20.0, direct = integral(plane, x);
      largest = fmax(largest, fabs(direct));
      assert_near("integral", sfmi_trig_poly_at(line, &x), direct, 1e-11 * (largest + 1));
    }
    assert_int_equal(kept->dimension, 1);
    assert_int_equal(kept->function->dropped, 1);
    assert_string_equal(kept->columns[0], "a");
    assert_true(kept->rows == ROWS && kept->function->bandwidth[0] == 0.15);
    if (kind == FOURIER) {
      assert_true(kept->summed == 1 && kept->factor == 1 && kept->scale == release->scale);
      assert_true(sfm_release_coefficient(kept, 0) == ROWS);
    } else if (kind == GP || kind == MIRROR) {
      /* One over the amplitude of the constant, of 2.7 and 5.4 widths a bandwidth. */
      assert_true(kept->summed == 1 && kept->factor > (kind == GP ? 2.5 : 1.8));
      assert_relative("scale", kept->scale, release->scale * kept->factor, 1e-15);
    } else {
      assert_true(kept->factor == 1 && kept->scale == release->scale);
      assert_int_equal(kept->summed, release->function->lattice.axis[1].points);
    }
    sfmi_trig_poly_destroy(plane);
    sfmi_trig_poly_destroy(line);
    sfm_release_destroy(kept);
    sfm_release_destroy(release);
  }
}

/* Without noise: the integers that the column alone has, in units of its part of the step. */
static void its_integers_are_those_of_the_columns_kept(void **state) {
  (void)state;
  redraw r;
  redraw_open(&r, make(2, 0.2, LATTICE, SFM_NEIGHBOURS_REPLACE), SEED);
  redraw_quiet(&r);
  sfm_release *kept = marginal(r.release, 1, "b", NULL);
  sfmi_lattice line = r.release->function->lattice;
  line.dimension = 1;
  line.axis[0] = line.axis[1];
  line.length = line.axis[0].points;
  sfmi_i128 *sums = calloc(line.length, sizeof *sums);
  sfmi_batch batch = {.rows = ROWS,
                      .columns = 1,
                      .values = calloc(SFMI_BATCH_ROWS, sizeof(double)),
                      .keep = calloc(ROWS, 1)};
  for (size_t i = 0; i < ROWS; i++) {
    batch.values[i] = rows[2 * i + 1];
    batch.keep[i] = 1;
  }
  sfmi_lattice_add(&line, sums, &batch, NULL);
  assert_int_equal(kept->length, line.length);
  for (size_t i = 0; i < line.length; i++)
    assert_true(kept->integers[i] == (int64_t)(sums[i] << line.bits));
  free(batch.values);
  free(batch.keep);
  free(sums);
  sfm_release_destroy(kept);
  redraw_close(&r);
}

static void marginals_of_marginals_agree(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    const double h = kind == GP || kind == MIRROR ? 0.5 : 0.3;
    sfm_release *release = make(3, h, kind, SFM_NEIGHBOURS_REPLACE);
    sfm_release *two = marginal(release, 2, "c", "a"), *one = marginal(two, 1, "a", NULL);
    sfm_release *direct = marginal(release, 1, "a", NULL);
    assert_string_equal(two->columns[0], "c");
    assert_string_equal(two->columns[1], "a");
    assert_int_equal(one->function->dropped, 2);
    assert_int_equal(direct->function->dropped, 2);
    assert_int_equal(one->length, direct->length);
    assert_memory_equal(one->integers, direct->integers, one->length * sizeof *one->integers);
    assert_true(one->summed == direct->summed && one->step == direct->step);
    assert_relative("factor", one->factor, direct->factor, 1e-14);
    assert_relative("band", one->band.half_width, direct->band.half_width, 1e-9);
    sfm_release_destroy(direct);
    sfm_release_destroy(one);
    sfm_release_destroy(two);
    sfm_release_destroy(release);
  }
}

/* Columns come in the order asked for. */
static void order_is_the_one_asked_for(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *release = make(3, 0.4, LATTICE, SFM_NEIGHBOURS_REPLACE);
  sfm_release *ac = marginal(release, 2, "a", "c"), *ca = marginal(release, 2, "c", "a");
  sfm_evaluator *first, *second;
  const double at[] = {0.2, 0.7}, turned[] = {0.7, 0.2};
  double u, v;
  assert_ok(sfm_evaluator_create(&first, ac, 0, &error), &error);
  assert_ok(sfm_evaluator_create(&second, ca, 0, &error), &error);
  assert_ok(sfm_evaluator_at(first, &u, at, 1, &error), &error);
  assert_ok(sfm_evaluator_at(second, &v, turned, 1, &error), &error);
  assert_near("turned", v, u, 1e-12);
  assert_true(ac->function->bandwidth[1] == ca->function->bandwidth[0] &&
              ac->function->bandwidth[0] != ac->function->bandwidth[1]);
  sfm_evaluator_destroy(first);
  sfm_evaluator_destroy(second);
  sfm_release_destroy(ac);
  sfm_release_destroy(ca);
  sfm_release_destroy(release);
}

/* The variance of a coefficient's noise is summed times that of the law (discrete Laplace: twice
 * the scale squared, less one step squared over six). */
static void noise_adds_up(void **state) {
  (void)state;
  enum { DRAWS = 20 };
  redraw r;
  redraw_open(&r, make(2, 0.3, LATTICE, SFM_NEIGHBOURS_REPLACE), SEED);
  double squares = 0;
  size_t count = 0;
  sfm_release *kept = NULL;
  redraw_quiet(&r);
  sfm_release *quiet = marginal(r.release, 1, "a", NULL);
  for (int i = 0; i < DRAWS; i++) {
    redraw_next(&r);
    sfm_release_destroy(kept);
    kept = marginal(r.release, 1, "a", NULL);
    for (size_t k = 0; k < kept->length; k++) {
      double noise = (double)(kept->integers[k] - quiet->integers[k]) * kept->step / kept->scale;
      squares += noise * noise;
      count++;
    }
  }
  /* Kurtosis of a sum of k Laplace variables: 3 + 3/k. */
  const double k = (double)kept->summed, wanted = 2 * k;
  const double deviation = wanted * sqrt((2 + 3 / k) / (double)count);
  assert_near("variance", squares / (double)count, wanted, TEST_Z * deviation);
  assert_false(fabs(squares / (double)count - 2.2 * wanted) <= TEST_Z * deviation);
  sfm_release_destroy(kept);
  sfm_release_destroy(quiet);
  redraw_close(&r);
}

typedef struct tally {
  size_t sup, point, shrunk;
} tally;

static void cover(const char *name, double h, int kind) {
  enum { DRAWS = 24, GRID = 101 };
  sfm_error error;
  redraw r;
  tally t = {0};
  redraw_open(&r, make(2, h, kind, SFM_NEIGHBOURS_REPLACE), SEED);
  double truth[GRID], x[GRID], first[ROWS];
  for (size_t i = 0; i < ROWS; i++) first[i] = rows[2 * i];
  for (int i = 0; i < GRID; i++) {
    x[i] = i / (GRID - 1.0);
    truth[i] = density_fixture_density(first, ROWS, 1, &h, &x[i]);
  }
  for (int k = 0; k < DRAWS; k++) {
    redraw_next(&r);
    sfm_release *kept = marginal(r.release, 1, "a", NULL);
    sfm_evaluator *evaluator;
    double values[GRID], sup = 0;
    assert_ok(sfm_evaluator_create(&evaluator, kept, 0, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, values, x, GRID, &error), &error);
    for (int i = 0; i < GRID; i++) sup = fmax(sup, fabs(values[i] - truth[i]));
    t.sup += sup <= kept->band.half_width;
    t.shrunk += sup <= 0.45 * (kept->band.half_width - kept->band.systematic);
    t.point += fabs(values[GRID / 2] - truth[GRID / 2]) <= kept->band.pointwise;
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(kept);
  }
  print_message("%s: everywhere %.3f, at one place %.3f, shrunk %.3f\n", name,
                (double)t.sup / DRAWS, (double)t.point / DRAWS, (double)t.shrunk / DRAWS);
  assert_false(binomial_too_few(t.sup, DRAWS, 0.95));
  assert_false(binomial_too_few(t.point, DRAWS, 0.95));
  assert_true(binomial_too_few(t.shrunk, DRAWS, 0.95));
  redraw_close(&r);
}

static void bands_cover(void **state) {
  (void)state;
  cover("lattice", 0.25, LATTICE);
  cover("gp", 0.25, GP);
  cover("fourier-laplace", 0.25, FOURIER);
  cover("gp, the other reflects", 0.25, MIRROR);
}

static sfm_release *reread(const sfm_release *release, sfm_status *status, const char *was,
                           const char *is) {
  char path[] = "/tmp/sfumato_marginal.XXXXXX", *text = calloc(1 << 20, 1);
  sfm_error error;
  sfm_release *back = NULL;
  close(mkstemp(path));
  assert_ok(sfm_release_write(release, path, &error), &error);
  FILE *file = fopen(path, "rb");
  size_t length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  unlink(path);
  char *place = was ? strstr(text, was) : NULL;
  if (was) {
    assert_non_null(place);
    memcpy(place, is, strlen(is));
  }
  *status = sfm_release_parse(&back, text, length, "file", &error);
  free(text);
  return back;
}

static void files_hold_them(void **state) {
  (void)state;
  sfm_status status;
  sfm_error error;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release =
        make(2, 0.2, kind, kind == FOURIER ? SFM_NEIGHBOURS_REPLACE : SFM_NEIGHBOURS_ADD_REMOVE);
    sfm_release *kept = marginal(release, 1, "b", NULL);
    sfm_release *back = reread(kept, &status, NULL, NULL);
    assert_int_equal(status, SFM_OK);
    assert_true(back->summed == kept->summed && back->factor == kept->factor);
    assert_true(back->function->dropped == 1 && back->step == kept->step &&
                back->scale == kept->scale);
    assert_memory_equal(back->integers, kept->integers, kept->length * sizeof *kept->integers);
    assert_relative("total", sfm_release_size(back), sfm_release_size(release), 1e-12);
    sfm_band band;
    assert_ok(sfm_release_band_at(back, &band, kept->band.confidence, &error), &error);
    assert_true(band.half_width == kept->band.half_width);
    sfm_release_destroy(back);
    if (kind == LATTICE) { /* the step belongs to one column more */
      assert_null(reread(kept, &status, "\"dropped\": 1", "\"dropped\": 0"));
      assert_int_equal(status, SFM_FORMAT);
      assert_null(reread(kept, &status, "\"summed\": ", "\"summed\":-"));
      assert_int_equal(status, SFM_FORMAT);
    }
    sfm_release_destroy(kept);
    sfm_release_destroy(release);
  }
}

/* Two columns of groups, of 2 and 3 categories, with made-up integers. */
static sfm_release *grouped(void) {
  static const char *const labels[2][3] = {{"f", "m", NULL}, {"x", "y", "z"}};
  sfm_release *release = make(2, 0.4, LATTICE, SFM_NEIGHBOURS_REPLACE);
  const size_t one = release->length;
  for (size_t i = 0; i < 2; i++) {
    release->function->by.columns[i] = sfmi_copy_string(i ? "region" : "sex");
    release->function->by.sizes[i] = 2 + i;
    release->function->by.labels[i] = sfmi_alloc(2 + i, sizeof(char *));
    for (size_t k = 0; k < 2 + i; k++)
      release->function->by.labels[i][k] = sfmi_copy_string(labels[i][k]);
  }
  release->function->by.count = 2;
  release->length = 6 * one;
  release->integers = realloc(release->integers, release->length * sizeof *release->integers);
  for (size_t i = 0; i < release->length; i++) release->integers[i] = (int64_t)(i * i % 1009 + i);
  return release;
}

static void groups_are_kept_or_added_up(void **state) {
  (void)state;
  sfm_release *release = grouped(), *kept = marginal(release, 2, "region", "b");
  const size_t A = release->function->lattice.axis[0].points,
               B = release->function->lattice.axis[1].points;
  assert_int_equal(kept->function->by.count, 1);
  assert_string_equal(kept->function->by.columns[0], "region");
  assert_string_equal(kept->function->by.labels[0][2], "z");
  assert_int_equal(kept->length, 3 * B);
  assert_int_equal(kept->summed, 2 * A);
  for (size_t g = 0; g < 3; g++)
    for (size_t b = 0; b < B; b++) {
      int64_t sum = 0;
      for (size_t s = 0; s < 2; s++)
        for (size_t a = 0; a < A; a++) sum += release->integers[(((s * 3) + g) * A + a) * B + b];
      assert_true(kept->integers[g * B + b] == sum);
    }
  sfm_release_destroy(kept);
  kept = marginal(release, 2, "b", "a");
  assert_int_equal(kept->function->by.count, 0);
  assert_int_equal(kept->summed, 6);
  assert_true(sfm_release_size(kept) == ROWS);
  sfm_release_destroy(kept);
  sfm_release_destroy(release);
}

/* A release of one group stays divided by that group's size. */
static void one_group_stays_itself(void **state) {
  (void)state;
  sfm_release *release = make(2, 0.4, LATTICE, SFM_NEIGHBOURS_REPLACE);
  release->function->by.columns[0] = sfmi_copy_string("sex");
  release->function->by.labels[0] = sfmi_alloc(1, sizeof(char *));
  release->function->by.labels[0][0] = sfmi_copy_string("f");
  release->function->by.count = release->function->by.sizes[0] = 1;
  sfm_release *kept = marginal(release, 1, "a", NULL);
  assert_int_equal(kept->function->by.count, 1);
  assert_relative("size", sfm_release_size(kept), sfm_release_size(release), 1e-12);
  assert_true(sfm_release_size(kept) != ROWS);
  sfm_release_destroy(kept);
  sfm_release_destroy(release);
}

/* Linear in between: the trapezoidal rule is the integral. */
static void refined_grids_are_integrated(void **state) {
  (void)state;
  sfm_release *release = make(2, 0.4, LATTICE, SFM_NEIGHBOURS_REPLACE);
  const size_t counts[] = {4, 3};
  const double values[] = {1, 2, 5, 0, 1, 0, 3, 3, 3, 2, 0, 2};
  free(release->integers);
  release->integers = NULL;
  release->refined.done = true;
  release->function->places = (sfmi_places){.dimension = 2, .count = 12};
  for (size_t a = 0; a < 2; a++) {
    release->function->places.counts[a] = counts[a];
    release->function->places.lower[a] = release->lower[a];
    release->function->places.upper[a] = release->upper[a];
  }
  release->length = 12;
  release->reals = calloc(12, sizeof *release->reals);
  memcpy(release->reals, values, sizeof values);
  release->band = (sfm_band){NAN, NAN, NAN, NAN};
  sfm_release *kept = marginal(release, 1, "a", NULL);
  const double wanted[] = {2.5, 0.5, 3, 1};
  assert_int_equal(kept->length, 4);
  for (int i = 0; i < 4; i++) assert_near("trapezoid", kept->reals[i], wanted[i], 1e-15);
  assert_true(kept->refined.done && isnan(kept->band.half_width));
  sfm_release_destroy(kept);
  sfm_release_destroy(release);
}

static void refuse(const sfm_release *release, size_t count, const char *first, const char *second,
                   const char *words) {
  const char *columns[] = {first, second};
  sfm_error error;
  sfm_release *out = NULL;
  assert_int_equal(sfm_release_marginal(&out, release, columns, count, &error), SFM_INVALID);
  assert_null(out);
  if (!strstr(error.message, words)) fail_msg("%s: %s", words, error.message);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_release *plane = make(2, 0.3, LATTICE, SFM_NEIGHBOURS_REPLACE), *groups = grouped(), *vector;
  refuse(plane, 1, "z", NULL, "no column 'z'; it has a, b");
  refuse(plane, 2, "a", "a", "named twice");
  refuse(plane, 2, "b", "a", "nothing is left to sum out");
  refuse(plane, 0, NULL, NULL, "at least one");
  refuse(groups, 1, "sex", NULL, "at least one variable; this release has a, b, and the groups");
  plane->integers[0] = INT64_MAX;
  plane->integers[1] = INT64_MAX;
  refuse(plane, 1, "a", NULL, "64 bits");
  const double theta[] = {1, 2};
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.sensitivity = settings.epsilon = 1;
  assert_ok(sfm_vector_release(&vector, theta, 2, &settings, &error), &error);
  refuse(vector, 1, "a", NULL, "this release is a vector");
  density_fixture t;
  density_fixture_init(&t, 2, 0, 1, 0.3, 1, 1e-6);
  t.settings.method = SFM_DENSITY_SOBOLEV;
  t.settings.release_grid[0] = t.settings.release_grid[1] = 5;
  sfm_release *placed = density_fixture_release(&t, rows, ROWS);
  refuse(placed, 1, "a", NULL, "values at points");
  density_fixture_clear(&t);
  sfm_release_destroy(placed);
  sfm_release_destroy(vector);
  sfm_release_destroy(groups);
  sfm_release_destroy(plane);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_integral_over_the_other_column),
      cmocka_unit_test(its_integers_are_those_of_the_columns_kept),
      cmocka_unit_test(marginals_of_marginals_agree),
      cmocka_unit_test(order_is_the_one_asked_for),
      cmocka_unit_test(noise_adds_up),
      cmocka_unit_test(bands_cover),
      cmocka_unit_test(files_hold_them),
      cmocka_unit_test(groups_are_kept_or_added_up),
      cmocka_unit_test(one_group_stays_itself),
      cmocka_unit_test(refined_grids_are_integrated),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
