#include "density_remarks.h"

#include "base/system/remark.h"
#include "base/text/thousands.h"

/* Of the width of the bounds. */
static const double NARROW = 1e-3;

static void remark(const sfm_context *context, const char *name, double h, double width) {
  const double numbers[] = {h, width, width / h, width / 100, width / 20};
  static const int digits[] = {6, 6, 4, 3, 3};
  char texts[5][SFMI_THOUSANDS_MAX];
  for (size_t k = 0; k < 5; k++) sfmi_thousands(texts[k], sizeof texts[k], numbers[k], digits[k]);
  sfmi_remark(context,
              "the bandwidth of '%.64s' is %s, and its bounds are %s apart, %s bandwidths: mostly "
              "noise is released unless there are very many records. Is it in the unit of the "
              "column? A hundredth to a twentieth of the width is usual (%s to %s)",
              name, texts[0], texts[1], texts[2], texts[3], texts[4]);
}

void sfmi_density_remarks(const sfm_density_settings *settings) {
  if (!settings->bandwidth || settings->kernel == SFM_KERNEL_OWN) return;
  for (size_t a = 0; a < settings->dimension; a++) {
    const sfm_column *column = sfm_schema_find(settings->context.schema, settings->columns[a]);
    const double width = column->upper - column->lower, h = settings->bandwidth[a];
    if (h <= NARROW * width) remark(&settings->context, column->name, h, width);
  }
}
