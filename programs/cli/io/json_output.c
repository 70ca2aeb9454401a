#include "json_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/core/options.h"

sfm_status json_output_print(json_t *object, sfm_error *error) {
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  return text ? SFM_OK : cli_fail_memory(error);
}

json_t *json_output_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_output_integer(int64_t value) {
  const int64_t exact = INT64_C(1) << 53;
  return value < exact && value > -exact ? json_integer((json_int_t)value)
                                         : json_sprintf("%" PRId64, value);
}

json_t *json_output_text(const char *text) {
  return text ? json_string(text) : json_null();
}

void json_output_write_text(FILE *out, const char *text) {
  json_t *string = json_output_text(text);
  if (!string || json_dumpf(string, out, JSON_ENCODE_ANY)) fputs("null", out);
  json_decref(string);
}

sfm_status json_output_summary(json_t **out, const sfm_release *release, sfm_error *error) {
  char *text = NULL;
  const sfm_status status = sfm_release_summary(release, &text, error);
  *out = status ? NULL : json_loads(text, 0, NULL);
  sfm_free(text);
  return status || *out ? status : cli_fail_memory(error);
}
