/* test_request_parameters.c - which requests are the same: with the same parameters, but for what a
 * planner chose of a density that was answered. */
#include "test_support.h"

#include "ledger_scenario.h"

static scenario w;

static int setup(void **state) {
  (void)state;
  scenario_init(&w, false);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  scenario_clear(&w);
  return 0;
}

#define LATTICE(mechanism, asked, h)                                                               \
  "{\"mechanism\":\"" mechanism "\",\"guarantee\":\"pure\",\"epsilon\":0.1,\"delta\":0.0,"         \
  "\"bandwidth\":" #h ",\"asked\":\"" asked "\",\"method\":\"lattice\"}"
#define WAVES(mechanism, asked, h)                                                                 \
  "{\"mechanism\":\"" mechanism "\",\"guarantee\":\"pure\",\"epsilon\":0.1,\"delta\":0.0,"         \
  "\"bandwidth\":" #h ",\"asked\":\"" asked "\",\"method\":\"fourier-laplace\"}"
#define PROCESS(mechanism, asked, h)                                                               \
  "{\"mechanism\":\"" mechanism "\",\"guarantee\":\"gdp\",\"epsilon\":0.1,\"delta\":1e-6,"         \
  "\"mu\":0.03,\"bandwidth\":" #h ",\"asked\":\"" asked "\",\"method\":\"gp\"}"

/* Charges a request, and answers it; then makes it again with other parameters. */
static sfm_status again(const char *request, bool answered, const char *before, const char *now,
                        sfm_error *error) {
  sfm_ledger *ledger;
  sfmi_charge_handle handle = {0};
  const sfm_guarantee guarantee = scenario_pure(0.1);
  assert_ok(scenario_open(&w, &ledger, error), error);
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = request};
  assert_ok(sfmi_ledger_charge(&handle, &charge, before, &guarantee, error), error);
  if (answered) assert_ok(sfmi_ledger_answer(&handle, "noise", 5, w.fingerprint, error), error);
  sfmi_charge_handle_clear(&handle);
  const sfm_status status = sfmi_ledger_charge(&handle, &charge, now, &guarantee, error);
  if (!status) assert_true(handle.answer && memcmp(handle.answer, "noise", 5) == 0);
  sfmi_charge_handle_clear(&handle);
  sfm_ledger_close(ledger);
  return status;
}

static void refuses(const char *request, bool answered, const char *before, const char *now,
                    const char *word) {
  sfm_error error = {0};
  assert_int_equal(again(request, answered, before, now, &error), SFM_REFUSED);
  assert_non_null(strstr(error.message, word));
}

static void another_choice_of_the_planner_is_the_same_request(void **state) {
  (void)state;
  sfm_error error;
  assert_ok(
      again("a", true, LATTICE("density", "auto", 4.0), WAVES("density", "auto", 4.0), &error),
      &error);
}

/* Also where it is the planner's choice: somebody who asks for a pure guarantee is not given
 * another one. */
static void another_guarantee_is_another_request(void **state) {
  (void)state;
  refuses("b", true, LATTICE("density", "auto", 4.0), PROCESS("density", "auto", 4.0), "guarantee");
  refuses("i", true, PROCESS("density", "auto", 4.0), LATTICE("density", "auto", 4.0), "guarantee");
}

/* It would be released with a guarantee that was not charged. */
static void what_was_not_answered_is_completed_as_it_was_charged(void **state) {
  (void)state;
  refuses("c", false, LATTICE("density", "auto", 4.0), PROCESS("density", "auto", 4.0),
          "guarantee was \"pure\" and is now \"gdp\"");
  refuses("d", false, LATTICE("density", "auto", 4.0), WAVES("density", "auto", 4.0), "method");
}

static void other_parameters_are_another_request(void **state) {
  (void)state;
  refuses("e", true, LATTICE("density", "auto", 4.0), WAVES("density", "auto", 5.0), "bandwidth");
  refuses("f", true, LATTICE("density", "lattice", 4.0), WAVES("density", "auto", 4.0), "asked");
  refuses("g", true, LATTICE("density", "auto", 4.0), WAVES("density", "fourier-laplace", 4.0),
          "asked");
  refuses("h", true, LATTICE("series", "auto", 4.0), WAVES("series", "auto", 4.0), "method");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_choice_of_the_planner_is_the_same_request),
      cmocka_unit_test(another_guarantee_is_another_request),
      cmocka_unit_test(what_was_not_answered_is_completed_as_it_was_charged),
      cmocka_unit_test(other_parameters_are_another_request),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
