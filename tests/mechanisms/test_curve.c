/* test_curve.c - mean curves end to end: what is released without its noise, the noise against the
 * forecast, bands, files, sensitivities of releases, and charges. */
/* suite: release */
#include <unistd.h>

#include "mechanisms/functions/curve_release.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "sfumato/ledger.h"
#include "curve_fixture.h"

enum { WIDTH = CURVE_FIXTURE_POINTS + 1, RECORDS = 60, FINE = 601 };

static double records[RECORDS * WIDTH];

/* A release laid out, so that it can be drawn many times: the integers of the rows, noise ready to
 * be drawn, and the basis at FINE points. */
typedef struct studio {
  sfmi_design_curve curve_design;
  sfmi_hardening hardening;
  sfmi_hardener *hardener;
  sfmi_i128 *sums;                 /* of all directions */
  double *at;                      /* FINE x basis->count */
  double target[FINE], left[FINE]; /* without privacy; and of it, what the release leaves out */
  sfm_band band;
} studio;

static void values_of(double *values, const sfm_release *release) {
  sfm_error error;
  sfm_evaluator *evaluator = NULL;
  const size_t counts[] = {FINE};
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* One release at the points, as an evaluator of it would have it. */
static void draw(const studio *s, sfmi_hardener *hardener, double *values) {
  int64_t released[CURVE_FIXTURE_POINTS];
  const size_t m = s->curve_design.basis->count;
  sfmi_hardener_add(hardener, released, s->sums, s->curve_design.released);
  for (size_t i = 0; i < FINE; i++) {
    values[i] = 0;
    for (size_t j = 0; j < s->curve_design.released; j++)
      values[i] += (double)released[j] * s->hardening.step / RECORDS * s->at[i * m + j];
  }
}

/* What a studio draws from a seed is what the public function releases. */
static void check_production(studio *s, const curve_fixture *w) {
  sfm_error error;
  curve_fixture seeded = *w;
  sfmi_hardener *hardener = NULL;
  double values[FINE], wanted[FINE];
  seeded.settings.context.seeded = true;
  seeded.settings.context.seed = 9;
  sfm_release *release = curve_fixture_release(&seeded, NULL, records, RECORDS);
  values_of(wanted, release);
  assert_ok(sfmi_hardener_create(&hardener, &s->hardening.law, (sfmi_seed){true, 9}, &error),
            &error);
  draw(s, hardener, values);
  for (size_t i = 0; i < FINE; i++) assert_near("production", values[i], wanted[i], 1e-9);
  s->band = sfm_release_band(release);
  sfmi_hardener_destroy(hardener);
  sfm_release_destroy(release);
}

static void studio_init(studio *s, const curve_fixture *w) {
  sfm_error error;
  sfm_rows *rows = NULL;
  *s = (studio){0};
  assert_ok(sfm_rows_from_array(&rows, records, RECORDS, WIDTH, NULL, &error), &error);
  assert_ok(sfmi_design_curve_init(&s->curve_design, &w->settings, RECORDS, &error), &error);
  assert_ok(sfmi_curve_hardening(&s->hardening, &s->curve_design, w->settings.epsilon, &error),
            &error);
  assert_ok(sfmi_hardener_create(&s->hardener, &s->hardening.law, (sfmi_seed){0}, &error), &error);
  const size_t m = s->curve_design.basis->count, released = s->curve_design.released;
  s->curve_design.released = m;
  assert_ok(sfmi_curve_integers(&s->sums, &s->curve_design, rows, &w->settings, &error), &error);
  s->curve_design.released = released;
  s->at = calloc(FINE * m, sizeof *s->at);
  for (size_t i = 0; i < FINE; i++) {
    const double x = (double)i / (FINE - 1);
    sfmi_basis_at(s->curve_design.basis, s->at + i * m, &x, 1);
    for (size_t j = 0; j < m; j++) {
      const double part = (double)s->sums[j] * s->hardening.step / RECORDS * s->at[i * m + j];
      s->target[i] += part;
      if (j >= released) s->left[i] += part;
    }
  }
  sfm_rows_destroy(rows);
  check_production(s, w);
}

static void studio_clear(studio *s) {
  sfmi_design_curve_clear(&s->curve_design);
  sfmi_hardener_destroy(s->hardener);
  free(s->sums);
  free(s->at);
}

/* Simpson's rule for the square of a - b; b may be NULL. */
static double integral_square(const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < FINE; i++) {
    const double weight = i == 0 || i == FINE - 1 ? 1 : i % 2 ? 4 : 2;
    const double d = a[i] - (b ? b[i] : 0);
    sum += weight * d * d;
  }
  return sum / 3 / (FINE - 1);
}

static void without_noise_it_is_the_mean_of_the_curves(void **state) {
  (void)state;
  curve_fixture w;
  studio s;
  double mean = 0;
  curve_fixture_curves(records, RECORDS, RECORDS, 0.5, 51);
  curve_fixture_init(&w, 1, 1e-6, 1, false);
  w.settings.clip = 50; /* nobody is clipped */
  w.settings.ridge = 1e-4;
  studio_init(&s, &w);
  /* On the grid, where every record has a value, it is the mean of the values but for their noise.
   */
  for (size_t i = 0; i < CURVE_FIXTURE_POINTS; i++) {
    size_t there = 0;
    mean = 0;
    for (size_t r = 0; r < RECORDS; r++) {
      const double y = records[r * WIDTH + 1 + i];
      if (isnan(y)) continue;
      mean += y;
      there++;
    }
    const double t = (double)i / (CURVE_FIXTURE_POINTS - 1) * (FINE - 1);
    const size_t k = (size_t)t < FINE - 1 ? (size_t)t : FINE - 2;
    const double value = s.target[k] + (t - (double)k) * (s.target[k + 1] - s.target[k]);
    assert_near("mean", value, mean / (double)there, 0.03);
  }
  studio_clear(&s);
  curve_fixture_clear(&w);
}

/* Kind, method, law and numbers of what is released. */
static void the_release_says_what_it_is(void **state) {
  (void)state;
  curve_fixture_curves(records, RECORDS, 20, 0.5, 52);
  for (int pure = 0; pure < 2; pure++)
    for (int person = 0; person < 2; person++) {
      curve_fixture w;
      sfm_curve_choice plan;
      curve_fixture_init(&w, 1, pure ? 0 : 1e-6, 3, person);
      w.settings.context.seeded = true;
      w.settings.variable = "age";
      sfm_release *r = curve_fixture_release(&w, &plan, records, RECORDS);
      assert_string_equal(sfm_kind_name(sfm_release_kind(r)), "function");
      assert_string_equal(sfm_release_method(r), "curve");
      assert_string_equal(sfm_release_column(r, 0), "age");
      assert_true(sfm_release_hardened(r) && !sfm_release_private(r));
      assert_int_equal(sfm_release_length(r), plan.coefficients);
      assert_int_equal(sfm_release_guarantee(r).kind,
                       pure ? SFM_GUARANTEE_PURE : SFM_GUARANTEE_GDP);
      assert_true(pure == (plan.coefficients < CURVE_FIXTURE_POINTS));
      assert_true(r->enforced == person && r->contributions == 3 && r->rows == RECORDS);
      assert_true(r->function->clip == 2 && r->function->ridge == 0.01);
      assert_true(r->scale >= plan.scale && r->scale <= plan.scale * (1 + 1e-12));
      assert_non_null(strstr(sfm_release_sentence(r),
                             person ? "together at most 3 times the clip" : "owner's assumption"));
      sfm_release_destroy(r);
      curve_fixture_clear(&w);
    }
}

/* Measured integrated squared error over fresh releases against the plan's; a forecast 10 % off
 * must be rejected by the same test. */
static void the_forecast_holds(void **state) {
  (void)state;
  enum { RELEASES = 16000 }; /* a forecast 10 % off is rejected by 5 standard errors to spare */
  curve_fixture_curves(records, RECORDS, RECORDS, 0.5, 53);
  for (int pure = 0; pure < 2; pure++) {
    curve_fixture w;
    studio s;
    double values[FINE], sum = 0, squares = 0;
    curve_fixture_init(&w, pure ? 2 : 0.5, pure ? 0 : 1e-6, 1, false);
    studio_init(&s, &w);
    for (int i = 0; i < RELEASES; i++) {
      draw(&s, s.hardener, values);
      const double error = integral_square(values, s.target);
      sum += error;
      squares += error * error;
    }
    const double forecast = s.curve_design.plan.privacy + integral_square(s.left, NULL);
    const double mean = sum / RELEASES,
                 width = TEST_Z * sqrt((squares / RELEASES - mean * mean) / RELEASES);
    print_message("%s: measured %.5g, forecast %.5g, of which %.2g left out\n",
                  pure ? "pure" : "normal", mean, forecast, integral_square(s.left, NULL));
    assert_near("forecast", mean, forecast, width);
    assert_true(fabs(mean - 1.1 * forecast) > width && fabs(mean - forecast / 1.1) > width);
    studio_clear(&s);
    curve_fixture_clear(&w);
  }
}

/* Everywhere at once, and at a place fixed beforehand; also with a kernel that has kinks. */
static void bands_hold(void **state) {
  (void)state;
  enum { RELEASES = 4000 };
  curve_fixture_curves(records, RECORDS, RECORDS, 0.5, 54);
  for (int kind = 0; kind < 3; kind++) {
    curve_fixture w;
    studio s;
    double values[FINE];
    size_t within = 0, narrow = 0, pointwise = 0;
    curve_fixture_init(&w, 1, kind == 2 ? 0 : 1e-6, 1, false);
    w.settings.context.confidence = 0.9;
    if (kind == 1) {
      w.settings.kernel = SFM_KERNEL_MATERN12;
      w.settings.bandwidth = 0.05;
    }
    studio_init(&s, &w);
    for (int i = 0; i < RELEASES; i++) {
      double sup = 0, noise = 0;
      draw(&s, s.hardener, values);
      for (size_t k = 0; k < FINE; k++) {
        const double off = values[k] - s.target[k];
        sup = fmax(sup, fabs(off));
        noise = fmax(noise, fabs(off + s.left[k]));
      }
      within += sup <= s.band.half_width;
      narrow += noise <= 0.75 * (s.band.half_width - s.band.systematic);
      pointwise += fabs(values[FINE / 3] - s.target[FINE / 3]) <= s.band.pointwise;
    }
    print_message("kind %d: %.3f everywhere, %.3f at one place, %.3f of noise in a narrower one\n",
                  kind, (double)within / RELEASES, (double)pointwise / RELEASES,
                  (double)narrow / RELEASES);
    assert_false(binomial_too_few(within, RELEASES, 0.9));
    assert_false(binomial_too_few(pointwise, RELEASES, 0.9));
    assert_true(binomial_too_few(narrow, RELEASES, 0.9));
    studio_clear(&s);
    curve_fixture_clear(&w);
  }
}

/* How far a change of rows moves the integers, in the norm of the noise and the values' unit. */
static double moved(sfmi_design_curve *curve_design, const curve_fixture *w, const double *before,
                    const double *after) {
  const double *const both[] = {before, after};
  sfmi_i128 *sums[2];
  double l1 = 0, l2 = 0;
  for (int k = 0; k < 2; k++) {
    sfm_error error;
    sfm_rows *rows = NULL;
    assert_ok(sfm_rows_from_array(&rows, both[k], RECORDS, WIDTH, NULL, &error), &error);
    assert_ok(sfmi_curve_integers(&sums[k], curve_design, rows, &w->settings, &error), &error);
    sfm_rows_destroy(rows);
  }
  for (size_t j = 0; j < curve_design->released; j++) {
    const double d = (double)(sums[0][j] - sums[1][j]) * curve_design->clipping.step;
    l1 += fabs(d);
    l2 += d * d;
  }
  free(sums[0]);
  free(sums[1]);
  return w->settings.delta > 0 ? sqrt(l2) : l1;
}

static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  static double changed[RECORDS * WIDTH];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 55);
  for (int pure = 0; pure < 2; pure++)
    for (int person = 0; person < 2; person++) {
      curve_fixture w;
      sfm_error error;
      sfmi_design_curve curve_design;
      double worst = 0;
      const uint32_t k = 2;
      curve_fixture_init(&w, 1, pure ? 0 : 1e-6, k, person);
      assert_ok(sfmi_design_curve_init(&curve_design, &w.settings, RECORDS, &error), &error);
      for (int round = 0; round < 120; round++) {
        curve_fixture_curves(records, RECORDS, 7, 0.5, (uint64_t)(100 + round));
        memcpy(changed, records, sizeof changed);
        const double size = round % 3 ? 1e4 : 1e300;
        const double a = 20 * sfmi_prng_uniform(&prng), phase = 6 * sfmi_prng_uniform(&prng);
        for (size_t r = 0; r < RECORDS; r++) {
          if (person ? r % 7 != 3 : r >= k) continue;
          for (size_t i = 0; i < CURVE_FIXTURE_POINTS; i++) {
            /* Smooth and rough, whole and holed; spikes for the l1 norm. */
            double y = size * (round % 2 ? sin(a * w.grid[i] + phase)
                                         : sfmi_prng_normal(&prng) * exp(a / 10));
            if (round % 5 == 4 && i % 3) y = NAN;
            records[r * WIDTH + 1 + i] = y;
            changed[r * WIDTH + 1 + i] = -y;
          }
          if (round % 7 == 6)
            for (size_t i = 0; i < CURVE_FIXTURE_POINTS; i++) changed[r * WIDTH + 1 + i] = NAN;
        }
        const double share = moved(&curve_design, &w, records, changed) / curve_design.sensitivity;
        assert_true(share <= 1 + 1e-12);
        worst = fmax(worst, share);
      }
      print_message("pure %d, person %d: %.4f of the sensitivity\n", pure, person, worst);
      assert_true(worst > (pure ? 0.8 : 0.9999));
      sfmi_design_curve_clear(&curve_design);
      curve_fixture_clear(&w);
    }
}

/* What a record gives is its own: others changed do not move it, nor does their order. */
static void the_order_of_records_does_not_matter(void **state) {
  (void)state;
  static double mixed[RECORDS * WIDTH];
  for (int person = 0; person < 2; person++) {
    curve_fixture w;
    sfm_error error;
    sfmi_design_curve curve_design;
    curve_fixture_init(&w, 1, 1e-6, 2, person);
    assert_ok(sfmi_design_curve_init(&curve_design, &w.settings, RECORDS, &error), &error);
    curve_fixture_curves(records, RECORDS, 9, 1, 56);
    records[5 * WIDTH] = NAN; /* nobody's, when persons count */
    for (size_t r = 0; r < RECORDS; r++)
      memcpy(mixed + r * WIDTH, records + r * 7 % RECORDS * WIDTH, WIDTH * sizeof *mixed);
    assert_true(moved(&curve_design, &w, records, mixed) == 0);
    sfmi_design_curve_clear(&curve_design);
    curve_fixture_clear(&w);
  }
}

static void files_keep_it_exactly(void **state) {
  (void)state;
  curve_fixture_curves(records, RECORDS, 9, 0.5, 57);
  for (int pure = 0; pure < 2; pure++) {
    char path[] = "/tmp/sfumato-curve-XXXXXX";
    sfm_error error;
    curve_fixture w;
    double values[FINE], again[FINE];
    close(mkstemp(path));
    curve_fixture_init(&w, 1, pure ? 0 : 1e-6, 4, true);
    w.settings.context.seeded = true;
    sfm_release *release = curve_fixture_release(&w, NULL, records, RECORDS), *read = NULL;
    assert_ok(sfm_release_write(release, path, &error), &error);
    assert_ok(sfm_release_read(&read, path, &error), &error);
    values_of(values, release);
    values_of(again, read);
    assert_memory_equal(values, again, sizeof values);
    assert_true(read->function->clip == release->function->clip &&
                read->function->ridge == release->function->ridge);
    assert_true(read->function->basis->nodes == CURVE_FIXTURE_POINTS &&
                read->scale == release->scale);
    const double *measured;
    assert_int_equal(sfm_release_measured(read, &measured), CURVE_FIXTURE_POINTS);
    assert_memory_equal(measured, w.grid, sizeof w.grid);
    sfm_band band;
    assert_ok(sfm_release_band_at(read, &band, 0.95, &error), &error);
    assert_true(band.half_width == release->band.half_width &&
                band.pointwise == release->band.pointwise);
    assert_ok(sfm_release_band_at(read, &band, 0.99, &error), &error);
    assert_true(band.half_width > release->band.half_width);
    unlink(path);
    sfm_release_destroy(release);
    sfm_release_destroy(read);
    curve_fixture_clear(&w);
  }
}

/* A change to a good file after which it must be refused, with a word that the message has. */
static void wrong_files_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *says;
  } cases[] = {
      {"\"rows\": 60", "\"row\": 60", "rows"},      {"\"rows\": 60,", "", "rows"},
      {"\"replace\"", "\"add-remove\"", "rows"},    {"\"span\"", "\"eigen\"", "family"},
      {"\"clip\": ", "\"clip\": -", "clip"},        {"\"points\": [", "\"points\": [-1, ", "table"},
      {"\"table\": [", "\"table\": [0, ", "table"}, {"\"upper\": 1.0", "\"upper\": 1.5", "domain"},
  };
  sfm_error error;
  curve_fixture w;
  char *bytes;
  size_t length;
  curve_fixture_init(&w, 1, 1e-6, 1, false);
  w.settings.context.seeded = true;
  sfm_release *release = curve_fixture_release(&w, NULL, records, RECORDS), *again = NULL;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&again, bytes, length, "file", &error), &error);
  sfm_release_destroy(again);
  char *text = malloc(length + 64);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *place = strstr(bytes, cases[i].from);
    assert_non_null(place);
    sprintf(text, "%.*s%s%s", (int)(place - bytes), bytes, cases[i].to,
            place + strlen(cases[i].from));
    sfm_status status = sfm_release_parse(&again, text, strlen(text), "file", &error);
    if (status != SFM_FORMAT || again || !strstr(error.message, cases[i].says))
      fail_msg("%s to %s: status %d, %s", cases[i].from, cases[i].to, (int)status,
               status ? error.message : "accepted");
  }
  free(text);
  free(bytes);
  sfm_release_destroy(release);
  curve_fixture_clear(&w);
}

static void charges_come_before_rows_and_answers_come_back(void **state) {
  (void)state;
  char folder[] = "/tmp/sfumato-curve-XXXXXX", path[64], command[64];
  sfm_error error;
  const sfm_dataset dataset = {"clinic", 2, 0, SFM_ACCOUNTING_BASIC};
  sfm_dataset_status status;
  curve_fixture w;
  sfm_charge charge = {.dataset = "clinic", .request = "one"};
  sfm_rows *rows = NULL;
  sfm_release *release = NULL, *again = NULL;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/ledger.db", folder);
  assert_ok(sfm_ledger_create(path, NULL, &dataset, &error), &error);
  assert_ok(sfm_ledger_open(&charge.ledger, path, &error), &error);
  curve_fixture_curves(records, RECORDS, 9, 0.5, 58);
  curve_fixture_init(&w, 1.5, 0, 2, true);
  w.settings.context.charge = &charge;
  assert_ok(sfm_rows_from_array(&rows, records, RECORDS, WIDTH, NULL, &error), &error);
  /* Refused for public reasons: nothing is charged. */
  w.settings.first = 2;
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_INVALID);
  w.settings.first = 1;
  w.settings.clip = -1;
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_INVALID);
  w.settings.clip = 2;
  w.settings.context.seeded = true;
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_INVALID);
  w.settings.context.seeded = false;
  assert_ok(sfm_ledger_find(charge.ledger, &status, "clinic", &error), &error);
  assert_string_equal(status.spent.epsilon, "0");
  assert_ok(sfm_curve_release(&release, NULL, rows, &w.settings, &error), &error);
  assert_ok(sfm_curve_release(&again, NULL, rows, &w.settings, &error), &error);
  assert_int_equal(release->length, again->length);
  assert_memory_equal(release->integers, again->integers, again->length * sizeof *again->integers);
  assert_ok(sfm_ledger_find(charge.ledger, &status, "clinic", &error), &error);
  assert_string_equal(status.spent.epsilon, "1.5");
  assert_string_equal(status.protects, "replace person 0");
  sfm_release_destroy(release);
  /* Another request is beyond the total; the same id with another clip is another request. */
  charge.request = "two";
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_REFUSED);
  charge.request = "one";
  w.settings.clip = 3;
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_REFUSED);
  w.settings.clip = 2;
  w.settings.mean = records; /* and so it is with another guess */
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_REFUSED);
  w.settings.mean = NULL;
  /* Other rows under a request that is still to be answered are noticed. */
  w.settings.clip = 2;
  w.settings.epsilon = 0.5;
  charge.request = "three";
  records[7] += 1;
  assert_int_equal(sfm_curve_release(&release, NULL, rows, &w.settings, &error), SFM_REFUSED);
  sfm_rows_destroy(rows);
  sfm_release_destroy(again);
  sfm_ledger_close(charge.ledger);
  curve_fixture_clear(&w);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_noise_it_is_the_mean_of_the_curves),
      cmocka_unit_test(the_release_says_what_it_is),
      cmocka_unit_test(the_forecast_holds),
      cmocka_unit_test(bands_hold),
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(the_order_of_records_does_not_matter),
      cmocka_unit_test(files_keep_it_exactly),
      cmocka_unit_test(wrong_files_are_refused),
      cmocka_unit_test(charges_come_before_rows_and_answers_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
