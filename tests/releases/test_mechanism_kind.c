/* test_mechanism_kind.c - the file of a mechanism: what is written is read back exactly, what is
 * malformed is refused with a message, and nothing that is read is less private than it says. */
#include "density_fixture.h"

#include "releases/core/release_data.h"
#include "releases/kinds/mechanism_kind.h"
#include "releases/core/release_write.h"

static const double own[] = {0, 5, 1, 4, 3, 0, 2, 2, 6};

static sfm_release *design(const sfm_optimal_settings *settings) {
  sfm_release *release;
  sfm_error error;
  assert_ok(sfm_optimal_design(&release, settings, &error), &error);
  return release;
}

/* Every objective, loss and form. */
static sfm_release *make(int kind) {
  static const double prior[] = {0.25, 0.5, 0.25};
  sfm_optimal_settings settings = sfm_optimal_settings_default();
  settings.n = kind == 4 ? 9 : 2;
  settings.epsilon = kind % 2 ? 1.5 : 1;
  settings.loss = (sfm_optimal_loss)(kind % 4);
  settings.losses = own;
  settings.objective = (sfm_optimal_objective)(kind % 3);
  if (kind == 3) settings.prior = prior;
  return design(&settings);
}
enum { KINDS = 7 };

static char *text_of(const sfm_release *release, size_t *length) {
  char *text;
  sfm_error error;
  assert_ok(sfmi_release_print(release, &text, length, &error), &error);
  return text;
}

static void what_is_written_is_read_back(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release = make(kind), *back;
    sfm_optimal_report report;
    sfm_error error;
    size_t length, again;
    char *text = text_of(release, &length);
    assert_ok(sfm_release_parse(&back, text, length, "m.sfm", &error), &error);
    char *copy = text_of(back, &again);
    assert_int_equal(length, again);
    assert_memory_equal(text, copy, length);
    const sfmi_optimal *a = release->optimal, *b = back->optimal;
    const size_t entries = (a->n + 1) * (a->n + 1);
    assert_memory_equal(a->numerators, b->numerators, entries * sizeof *a->numerators);
    assert_memory_equal(a->losses, b->losses, entries * sizeof *a->losses);
    assert_true(a->exact.numerator == b->exact.numerator &&
                a->exact.denominator == b->exact.denominator && a->epsilon == b->epsilon);
    assert_ok(sfm_optimal_verify(back, &report, &error), &error);
    assert_near("spent", report.epsilon, fmin(report.epsilon, b->epsilon), 1e-9);
    assert_string_equal(sfm_kind_name(sfm_release_kind(back)), "mechanism");
    assert_string_equal(sfm_release_method(back), "optimal");
    free(text);
    free(copy);
    sfm_release_destroy(release);
    sfm_release_destroy(back);
  }
}

/* Bytes changed, cut or doubled at random: refused with a message, or a mechanism that is private.
 */
static void mutations_are_refused_or_private(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  const int rounds = test_long() ? 20000 : 400;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release = make(kind);
    size_t length;
    char *text = text_of(release, &length), *bad = malloc(length);
    for (int round = 0; round < rounds; round++) {
      sfm_release *back;
      sfm_error error = {0};
      size_t end = round % 7 == 0 ? sfmi_prng_word(&prng) % length : length;
      memcpy(bad, text, length);
      for (int change = round % 3; change >= 0; change--) {
        const size_t at = sfmi_prng_word(&prng) % length;
        bad[at] = round % 2 ? (char)('0' + sfmi_prng_word(&prng) % 10)
                            : bad[sfmi_prng_word(&prng) % length];
      }
      if (!sfm_release_parse(&back, bad, end, "m.sfm", &error)) {
        sfm_optimal_report report;
        const sfm_status status = sfm_optimal_verify(back, &report, &error);
        assert_true(!status || status == SFM_FORMAT);
        if (!status) assert_true(report.epsilon <= back->guarantee.epsilon * (1 + 1e-9));
        sfm_release_destroy(back);
      } else {
        assert_null(back);
        assert_true(error.message[0] != '\0');
      }
    }
    free(text);
    free(bad);
    sfm_release_destroy(release);
  }
}

static void facts_laws_and_distances(void **state) {
  (void)state;
  sfm_release *release = make(4);
  sfm_optimal_facts facts;
  sfm_error error;
  double law[10], risk, worst = 0;
  size_t half, most;
  assert_ok(sfm_optimal_describe(release, &facts, &error), &error);
  assert_int_equal(facts.n, 9);
  assert_true(facts.epsilon == 1 && facts.objective == SFM_OPTIMAL_OBJECTIVE_MINIMAX);
  for (size_t i = 0; i <= 9; i++) {
    assert_ok(sfm_optimal_risk(release, &risk, i, &error), &error);
    worst = fmax(worst, risk);
  }
  assert_relative("the worst risk", worst, facts.risk, 1e-12);
  assert_ok(sfm_optimal_error(release, &half, 0.5, &error), &error);
  assert_ok(sfm_optimal_error(release, &most, 0.99, &error), &error);
  for (size_t i = 0; i <= 9; i++) {
    double near = 0;
    assert_ok(sfm_optimal_law(release, law, i, &error), &error);
    for (size_t j = 0; j <= 9; j++)
      if ((i > j ? i - j : j - i) <= most) near += law[j];
    assert_true(near >= 0.99);
  }
  assert_true(half < most);
  assert_int_equal(sfm_optimal_law(release, law, 10, &error), SFM_INVALID);
  assert_int_equal(sfm_optimal_error(release, &most, 1, &error), SFM_INVALID);
  sfm_release_destroy(release);
}

static void other_releases_are_no_mechanisms(void **state) {
  (void)state;
  density_fixture t;
  double rows[] = {1, 2, 3};
  density_fixture_init(&t, 1, 0, 10, 4, 1, 0);
  sfm_release *density = density_fixture_release(&t, rows, 3);
  sfm_optimal_facts facts;
  sfm_optimal_report report;
  sfm_error error;
  assert_int_equal(sfm_optimal_describe(density, &facts, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "this release is a density, no mechanism"));
  assert_int_equal(sfm_optimal_verify(density, &report, &error), SFM_INVALID);
  sfm_release_destroy(density);
  density_fixture_clear(&t);
  /* And a mechanism is no function. */
  sfm_release *release = make(0);
  sfm_evaluator *evaluator;
  sfm_band band;
  assert_int_equal(sfm_evaluator_create(&evaluator, release, 0, &error), SFM_INVALID);
  assert_int_equal(sfm_release_band_at(release, &band, 0.9, &error), SFM_INVALID);
  sfm_release_destroy(release);
}

static void settings_that_cannot_be_are_refused(void **state) {
  (void)state;
  static const double prior[] = {0.5, 0.25, 0.25};
  sfm_release *release;
  sfm_error error;
  sfm_optimal_settings settings = sfm_optimal_settings_default();
  assert_int_equal(sfm_optimal_design(&release, &settings, &error), SFM_INVALID);
  assert_null(release);
  settings.n = 2;
  settings.epsilon = 1;
  settings.prior = prior; /* of the minimax mechanism */
  assert_int_equal(sfm_optimal_design(&release, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "the minimax mechanism has none"));
  settings.prior = NULL;
  settings.loss = SFM_OPTIMAL_LOSS_OWN; /* without a table */
  assert_int_equal(sfm_optimal_design(&release, &settings, &error), SFM_INVALID);
  assert_null(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read_back),
      cmocka_unit_test(mutations_are_refused_or_private),
      cmocka_unit_test(facts_laws_and_distances),
      cmocka_unit_test(other_releases_are_no_mechanisms),
      cmocka_unit_test(settings_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
