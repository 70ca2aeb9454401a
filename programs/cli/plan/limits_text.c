#include "limits_text.h"

#include <math.h>

#include "cli/core/text.h"
#include "cli/io/figure_output.h"
#include "cli/io/json_output.h"

json_t *limits_json(const sfm_limits *limits) {
  json_t *list = json_array();
  for (size_t i = 0; i < limits->count; i++) {
    const sfm_limit *l = &limits->at[i];
    json_t *line = json_pack("{s:s, s:s, s:o, s:b, s:b, s:s, s:s}", "name", l->name, "kind",
                             sfm_limit_kind_name(l->kind), "value", json_output_number(l->value),
                             "holds", l->holds, "comparable", l->comparable, "expression",
                             l->expression, "why", l->why);
    if (l->quantity) json_object_set_new(line, "quantity", json_string(l->quantity));
    json_array_append_new(list, line);
  }
  return list;
}

json_t *limits_number_json(double value) {
  return value > 0 ? json_real(value) : json_null();
}

json_t *limits_count_json(uint64_t value) {
  return value ? json_integer((json_int_t)value) : json_null();
}

void limits_value_text(char *out, size_t size, double value) {
  if (isnan(value))
    snprintf(out, size, "-");
  else if (value >= 1e9 || (value > 0 && value < 1e-3))
    snprintf(out, size, "%.3e", value);
  else
    snprintf(out, size, "%.*f", value >= 1000 ? 0 : value >= 10 ? 2 : 4, value);
}

void limits_print(const sfm_limit *l, size_t width) {
  char text[640], value[32];
  limits_value_text(value, sizeof value, l->value);
  int used = printf("%-10s%12s  ", sfm_limit_kind_name(l->kind), value);
  if (l->quantity) used += printf("%-10s", l->quantity);
  snprintf(text, sizeof text, "%s, %s: %s", l->name, l->expression, l->why);
  text_print_wrapped(stdout, text, (size_t)used, (size_t)used, width);
}

size_t limits_width(void) {
  unsigned columns, rows;
  figure_output_terminal_size(&columns, &rows);
  return columns < 60 ? 60 : columns > 100 ? 100 : columns;
}

void limits_print_rate(FILE *out, const sfm_learner *learner, unsigned theorem) {
  sfm_limits limits;
  sfm_error why;
  if (sfm_limits_kernel(&limits, learner, &why)) return;
  const sfm_limit *limit = &limits.at[theorem == 3 ? 0 : theorem == 5 ? 1 : 2];
  if (!limit->holds) return;
  text_say(out, "rate", "%s, %s = %.3g: its constant is not stated, so it bounds nothing",
           limit->name, limit->expression, limit->value);
}
