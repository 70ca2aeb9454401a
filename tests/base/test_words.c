/* test_words.c - the words of enumerations: one for each value, no two alike, none beyond the
 * last; those that files and ledgers hold never change. */
#include "test_support.h"

#include "base/text/words.h"
#include "sfumato/sfumato.h"

static void words_of_an_enumeration_differ(void **state) {
  (void)state;
  for (sfm_enumeration of = 0; of < SFM_ENUMERATION_COUNT; of++) {
    const char *const *words = sfm_words(of);
    assert_non_null(words);
    assert_true(sfmi_word_count(of) >= 2);
    for (unsigned i = 0; words[i]; i++) {
      assert_ptr_equal(sfmi_word(of, i), words[i]);
      for (unsigned k = 0; k < i; k++) assert_string_not_equal(words[i], words[k]);
    }
    assert_null(sfmi_word(of, sfmi_word_count(of)));
  }
  assert_null(sfm_words(SFM_ENUMERATION_COUNT));
}

/* The last value of each enumeration that files hold, and what it is called there. */
static void words_of_files_stay(void **state) {
  (void)state;
  assert_string_equal(sfm_neighbours_name(SFM_NEIGHBOURS_REPLACE), "replace");
  assert_string_equal(sfm_neighbours_name(SFM_NEIGHBOURS_ADD_REMOVE), "add-remove");
  assert_null(sfm_neighbours_name(SFM_NEIGHBOURS_ADD_REMOVE + 1));
  assert_string_equal(sfm_outside_name(SFM_OUTSIDE_DROP), "drop");
  assert_string_equal(sfm_accounting_name(SFM_ACCOUNTING_GDP), "gdp");
  assert_string_equal(sfm_guarantee_kind_name(SFM_GUARANTEE_RANDOM_DP), "random-dp");
  assert_string_equal(sfm_boundary_name(SFM_BOUNDARY_PERIODIC), "periodic");
  assert_string_equal(sfm_density_body_name(SFM_DENSITY_BODY_HULL), "hull");
  assert_string_equal(sfm_density_method_name(SFM_DENSITY_CARATHEODORY), "caratheodory");
  assert_string_equal(sfm_engine_name(SFM_ENGINE_RANDOM), "random");
  assert_string_equal(sfm_kernel_family_name(SFM_KERNEL_OWN), "own");
  assert_string_equal(sfm_machine_loss_name(SFM_MACHINE_LOSS_SQUARED), "squared");
  assert_string_equal(sfm_task_name(SFM_TASK_REGRESSION), "regression");
  assert_string_equal(sfm_scaling_name(SFM_SCALING_NONE), "none");
  assert_string_equal(sfm_optimal_loss_name(SFM_OPTIMAL_LOSS_OWN), "own");
  assert_string_equal(sfm_optimal_objective_name(SFM_OPTIMAL_OBJECTIVE_EQUALISER), "equaliser");
  assert_string_equal(sfm_optimal_form_name(SFM_OPTIMAL_MATRIX), "matrix");
  assert_string_equal(sfm_noise_law_name(SFM_NOISE_LAW_ROUNDED_NORMAL), "rounded-normal");
  assert_string_equal(sfm_noise_law_name(SFM_NOISE_LAW_KNORM), "k-norm");
  assert_string_equal(sfm_noise_law_name(SFM_NOISE_LAW_MATRIX), "matrix");
  assert_string_equal(sfm_column_type_name(SFM_COLUMN_TYPE_BOOLEAN), "boolean");
  assert_string_equal(sfm_train_method_name(SFM_TRAIN_TDIL), "tdil");
  assert_string_equal(sfm_vector_noise_name(SFM_VECTOR_NOISE_KNORM), "k-norm");
  assert_string_equal(sfm_vector_norm_name(SFM_VECTOR_NORM_BODY), "body");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_of_an_enumeration_differ),
      cmocka_unit_test(words_of_files_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
