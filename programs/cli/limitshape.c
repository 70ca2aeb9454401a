/* limitshape.c - theorems 3, 5 and 8 of [002] beside a forecast, as the shapes they are. */
#include "limitlines.h"
#include "report.h"

void limits_shape(FILE *out, const sfm_learner *learner, unsigned theorem) {
  char text[512];
  sfm_limits limits;
  sfm_error why;
  if (sfm_limits_kernel(&limits, learner, &why) != SFM_OK) return;
  const sfm_limit *limit = &limits.at[theorem == 3 ? 0 : theorem == 5 ? 1 : 2];
  if (!limit->holds) return;
  snprintf(text, sizeof text, "%s, %s = %.3g: shape; the constant is unstated", limit->name,
           limit->expression, limit->value);
  report_line(out, "shape", text);
}
