/* test_sized_struct.c - structs that grow: an older, shorter one gets the defaults of what it does
 * not know; a newer or a broken one is refused. */
#include "test_support.h"

#include "base/system/sized_struct.h"

/* A struct in two versions. */
typedef struct old_settings {
  size_t size;
  double epsilon;
} old_settings;

typedef struct new_settings {
  size_t size;
  double epsilon;
  double added;
} new_settings;

static void new_settings_init(new_settings *settings, size_t size) {
  const new_settings defaults = {.epsilon = 1, .added = 7};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status take(new_settings *out, const void *given, sfm_error *error) {
  new_settings_init(out, sizeof *out);
  return sfmi_struct_take(out, sizeof *out, given, sizeof(old_settings), "sfm_x_settings", error);
}

static void older_structs_get_defaults(void **state) {
  (void)state;
  union {
    new_settings whole;
    old_settings part;
    unsigned char bytes[sizeof(new_settings)];
  } given;
  new_settings taken;
  sfm_error error;
  memset(given.bytes, 0xee, sizeof given.bytes);
  new_settings_init(&given.whole, sizeof(old_settings));
  assert_int_equal(given.part.size, sizeof(old_settings));
  assert_true(given.part.epsilon == 1);
  for (size_t i = sizeof(old_settings); i < sizeof given.bytes; i++)
    assert_int_equal(given.bytes[i], 0xee); /* not a byte beyond what the caller has */
  given.part.epsilon = 3;
  assert_ok(take(&taken, &given, &error), &error);
  assert_true(taken.size == sizeof taken && taken.epsilon == 3 && taken.added == 7);
}

static void structs_of_this_version_are_copied(void **state) {
  (void)state;
  new_settings given, taken;
  sfm_error error;
  new_settings_init(&given, sizeof given);
  given.added = 9;
  assert_ok(take(&taken, &given, &error), &error);
  assert_memory_equal(&given, &taken, sizeof given);
}

static void other_sizes_are_refused(void **state) {
  (void)state;
  struct {
    new_settings known;
    double unknown;
  } newer;
  new_settings taken;
  sfm_error error;
  new_settings_init(&newer.known, sizeof newer);
  assert_true(newer.known.size == sizeof newer && newer.unknown == 0 && newer.known.added == 7);
  assert_int_equal(take(&taken, &newer, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "newer version"));
  for (size_t size = 0; size < sizeof(old_settings); size++) {
    newer.known.size = size;
    assert_int_equal(take(&taken, &newer, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "sfm_x_settings_default()"));
  }
  assert_int_equal(take(&taken, NULL, &error), SFM_INVALID);
}

static void versions_are_compared(void **state) {
  (void)state;
  char version[64];
  snprintf(version, sizeof version, "%d.%d.%d", SFM_VERSION_MAJOR, SFM_VERSION_MINOR,
           SFM_VERSION_PATCH);
  assert_string_equal(version, sfm_version());
  assert_true(sfm_version_at_least(SFM_VERSION_MAJOR, SFM_VERSION_MINOR, SFM_VERSION_PATCH));
  assert_true(sfm_version_at_least(0, 1, 99));
  assert_false(sfm_version_at_least(SFM_VERSION_MAJOR, SFM_VERSION_MINOR, SFM_VERSION_PATCH + 1));
  assert_false(sfm_version_at_least(SFM_VERSION_MAJOR, SFM_VERSION_MINOR + 1, 0));
  assert_false(sfm_version_at_least(SFM_VERSION_MAJOR + 1, 0, 0));
  assert_true(SFM_VERSION_AT_LEAST(0, 2, 0) && SFM_VERSION_AT_LEAST(0, 1, 7));
  assert_false(SFM_VERSION_AT_LEAST(99, 0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(older_structs_get_defaults),
      cmocka_unit_test(structs_of_this_version_are_copied),
      cmocka_unit_test(other_sizes_are_refused),
      cmocka_unit_test(versions_are_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
