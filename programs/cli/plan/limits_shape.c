/* limits_print_shape.c - theorems 3, 5 and 8 of Jain & Thakurta (docs/papers.md) beside a forecast,
 * as the shapes they are. */
#include "cli/core/text.h"
#include "limits_text.h"

void limits_print_shape(FILE *out, const sfm_learner *learner, unsigned theorem) {
  char text[512];
  sfm_limits limits;
  sfm_error why;
  if (sfm_limits_kernel(&limits, learner, &why)) return;
  const sfm_limit *limit = &limits.at[theorem == 3 ? 0 : theorem == 5 ? 1 : 2];
  if (!limit->holds) return;
  snprintf(text, sizeof text, "%s, %s = %.3g: shape; the constant is unstated", limit->name,
           limit->expression, limit->value);
  text_print_labelled(out, "shape", text);
}
