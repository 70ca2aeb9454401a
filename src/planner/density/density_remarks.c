#include "density_remarks.h"

#include "base/system/remark.h"

/* Of the width of the bounds. */
static const double NARROW = 1e-3;

void sfmi_density_remarks(const sfm_density_settings *settings) {
  if (!settings->bandwidth || settings->kernel == SFM_KERNEL_OWN) return;
  for (size_t a = 0; a < settings->dimension; a++) {
    const sfm_column *column = sfm_schema_find(settings->context.schema, settings->columns[a]);
    const double width = column->upper - column->lower, h = settings->bandwidth[a];
    if (h <= NARROW * width)
      sfmi_remark(
          &settings->context,
          "the bandwidth of '%.64s' is %.6g, and its bounds are %.6g apart, %.4g bandwidths: "
          "mostly noise is released unless there are very many records. Is it in the unit "
          "of the column? A hundredth to a twentieth of the width is usual (%.3g to %.3g)",
          column->name, h, width, width / h, width / 100, width / 20);
  }
}
