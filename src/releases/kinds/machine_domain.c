#include "machine_domain.h"

#include <math.h>

static sfm_status check_cell(const sfmi_input *input, double x, size_t point, sfm_error *error) {
  const char *name = input->name;
  if (input->categories)
    return x >= 0 && x < (double)input->category_count && x == floor(x)
               ? SFM_OK
               : sfmi_fail(error, SFM_INVALID,
                           "point %zu is outside the domain: its %s is none of the categories; "
                           "nothing was answered",
                           point + 1, name);
  if (!isfinite(x))
    return sfmi_fail(error, SFM_INVALID,
                     "point %zu has no value for %s: a question needs all of them; nothing was "
                     "answered",
                     point + 1, name);
  if (input->bounded && !(x >= input->lower && x <= input->upper))
    return sfmi_fail(error, SFM_INVALID,
                     "point %zu is outside the domain: its %s is %g, and must be from %g to %g; "
                     "nothing was answered",
                     point + 1, name, x, input->lower, input->upper);
  return SFM_OK;
}

static sfm_status check_sparse(const sfmi_encoding *encoding, const sfmi_machine_points *points,
                               size_t p, sfm_error *error) {
  const size_t first = points->starts[p];
  for (size_t k = first; k < points->starts[p + 1]; k++) {
    const double x = points->numbers[k];
    const uint64_t index = points->indices[k];
    const bool within =
        isfinite(x) && (!encoding->bounded || (x >= encoding->lower && x <= encoding->upper));
    if (index >= encoding->dimension || (k > first && index <= points->indices[k - 1]))
      return sfmi_fail(error, SFM_INVALID,
                       "point %zu is outside the domain: coordinate %llu is beyond %zu, or not in "
                       "order; nothing was answered",
                       p + 1, (unsigned long long)index + 1, encoding->dimension);
    if (!within)
      return sfmi_fail(error, SFM_INVALID,
                       "point %zu is outside the domain: its coordinate %llu is %g, and must be "
                       "from %g to %g; nothing was answered",
                       p + 1, (unsigned long long)index + 1, x,
                       encoding->bounded ? encoding->lower : -INFINITY,
                       encoding->bounded ? encoding->upper : INFINITY);
  }
  return SFM_OK;
}

sfm_status sfmi_machine_domain_check(const sfmi_encoding *encoding,
                                     const sfmi_machine_points *points, sfm_error *error) {
  const size_t inputs = encoding->input_count;
  sfm_status status = SFM_OK;
  if (!points->cells != !encoding->inputs)
    return sfmi_fail(error, SFM_INVALID,
                     encoding->inputs ? "this session is of columns: give points with a cell for "
                                        "each, not sparse rows"
                                      : "this session is of sparse rows: give points as libsvm "
                                        "text");
  for (size_t p = 0; !status && p < points->count; p++) {
    if (!points->cells) status = check_sparse(encoding, points, p, error);
    for (size_t i = 0; points->cells && !status && i < inputs; i++)
      status = check_cell(&encoding->inputs[i], points->cells[p * inputs + i], p, error);
  }
  return status;
}
