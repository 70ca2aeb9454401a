/* encoding.c - why no u is longer than the radius.
 *
 * A bounded number becomes a coordinate that is clamped once more after it was scaled: |u| <= 1
 * (unit) or |u| <= factor (ball) holds exactly, and so does u within its bounds (none).  The sum of
 * the squares' suprema is a sum of one number per input, rounded, then rounded up by more than it
 * can have lost.  Where all are one it is a whole number, and its root is only rounded so that it
 * is not too small.  factor is below 1/sqrt(number of inputs) by more than its rounding, so that
 * ball has the radius one.  What sfmi_ball_project shortens is within the clip exactly. */
#include "encoding.h"

#include <math.h>
#include <stdlib.h>

#include "ball_projection.h"

static void clear_input(sfmi_input *input) {
  sfmi_free_strings(input->categories, input->category_count);
  free(input->name);
}

void sfmi_encoding_clear(sfmi_encoding *encoding) {
  for (size_t i = 0; encoding->inputs && i < encoding->input_count; i++)
    clear_input(&encoding->inputs[i]);
  free(encoding->inputs);
  *encoding = (sfmi_encoding){0};
}

static bool copy_input(sfmi_input *out, const sfmi_input *input) {
  *out = *input;
  out->name = sfmi_copy_string(input->name);
  out->categories = input->categories ? sfmi_copy_strings((const char *const *)input->categories,
                                                          input->category_count)
                                      : NULL;
  return out->name && (out->categories || !input->categories);
}

bool sfmi_encoding_copy(sfmi_encoding *out, const sfmi_encoding *encoding) {
  *out = *encoding;
  if (!encoding->inputs) return true;
  out->inputs = sfmi_alloc(encoding->input_count, sizeof *out->inputs);
  for (size_t i = 0; out->inputs && i < encoding->input_count; i++) {
    if (copy_input(&out->inputs[i], &encoding->inputs[i])) continue;
    sfmi_encoding_clear(out);
    return false;
  }
  if (!out->inputs) *out = (sfmi_encoding){0};
  return out->inputs != NULL;
}

static sfm_status complete_categories(const sfmi_input *input, sfm_error *error) {
  if (input->category_count == 0)
    return sfmi_fail(error, SFM_INVALID, "column '%.64s' has an empty list of categories",
                     input->name);
  for (size_t k = 0; k < input->category_count; k++)
    if (!input->categories[k] || !*input->categories[k])
      return sfmi_fail(error, SFM_INVALID, "column '%.64s': category %zu is empty", input->name,
                       k + 1);
  return SFM_OK;
}

static sfm_status complete_number(sfmi_input *input, sfm_error *error) {
  if (!input->bounded) return SFM_OK;
  input->middle = input->lower / 2 + input->upper / 2;
  input->half = input->upper / 2 - input->lower / 2;
  if (input->lower < input->upper && isfinite(input->half) && input->half >= 0x1p-1000)
    return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "column '%.64s': bounds are two numbers, the lower one first, not %g:%g",
                   input->name, input->lower, input->upper);
}

static sfm_status complete_input(sfmi_encoding *encoding, size_t i, sfm_error *error) {
  sfmi_input *input = &encoding->inputs[i];
  if (!input->name || !*input->name)
    return sfmi_fail(error, SFM_INVALID, "input %zu has no name", i + 1);
  input->first = encoding->dimension;
  encoding->dimension += input->categories ? input->category_count : 1;
  if (encoding->scaling == SFM_SCALING_BALL && !input->categories && !input->bounded)
    return sfmi_fail(
        error, SFM_INVALID,
        "column '%.64s' has no bounds, and settings.scaling = ball needs those of every column: "
        "state them with schema.bounds, or write settings.scaling = unit and settings.clip_norm",
        input->name);
  if (encoding->dimension > SFMI_ENCODING_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "the columns have more than %zu coordinates (one per number, one per category)",
        SFMI_ENCODING_MAX);
  return input->categories ? complete_categories(input, error) : complete_number(input, error);
}

static sfm_status complete_sparse(const sfmi_encoding *encoding, sfm_error *error) {
  if (encoding->dimension < 1 || encoding->dimension > SFMI_ENCODING_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "libsvm text needs its dimension, the highest index that there can be: write "
        "rows.dimension = D, from 1 to %zu. It is public and must not be taken from the rows",
        SFMI_ENCODING_MAX);
  if (encoding->scaling != SFM_SCALING_NONE)
    return sfmi_fail(
        error, SFM_INVALID,
        "the coordinates of libsvm text are taken as they are: write settings.scaling = none");
  if (!encoding->bounded) return SFM_OK;
  const double lower = encoding->lower, upper = encoding->upper;
  if (isfinite(lower) && isfinite(upper) && lower <= 0 && upper >= 0 && lower < upper)
    return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "bounds of the coordinates of libsvm text are two numbers with 0 among them, "
                   "since what is not written is 0; not %g:%g",
                   lower, upper);
}

/* The least double that is not below the root of a whole number. */
static double root_of_whole(double whole) {
  const double root = sqrt(whole);
  return fma(root, root, -whole) < 0 ? nextafter(root, INFINITY) : root;
}

/* The largest |u| that bounds alone allow; infinite where some are missing. */
static double corner(const sfmi_encoding *encoding) {
  double lower = encoding->lower, upper = encoding->upper, sum = 0;
  const double dimension = (double)encoding->dimension;
  bool whole = true;
  if (!encoding->inputs && !encoding->bounded) return INFINITY;
  if (!encoding->inputs && fmax(-lower, upper) == 1) return root_of_whole(dimension);
  if (!encoding->inputs) return fmax(-lower, upper) * (sqrt(dimension) * (1 + 0x1p-50));
  if (encoding->scaling == SFM_SCALING_BALL) return 1;
  for (size_t i = 0; i < encoding->input_count; i++) {
    const sfmi_input *input = &encoding->inputs[i];
    lower = input->lower, upper = input->upper;
    if (!input->categories && !input->bounded) return INFINITY;
    if (input->categories || encoding->scaling == SFM_SCALING_UNIT) lower = upper = 1;
    whole = whole && fmax(fabs(lower), fabs(upper)) == 1;
    sum += fmax(lower * lower, upper * upper);
  }
  const double slack = ((double)encoding->input_count + 8) * 0x1p-52;
  return whole ? root_of_whole(sum) : sqrt(sum) * (1 + slack);
}

/* Says which column keeps the radius from being finite. */
static sfm_status fail_unbounded(const sfmi_encoding *encoding, sfm_error *error) {
  for (size_t i = 0; i < encoding->input_count; i++)
    if (!encoding->inputs[i].categories && !encoding->inputs[i].bounded)
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' has neither bounds nor categories, so nothing limits what "
                       "one record can move: state its range with schema.bounds or "
                       "in a schema file, its categories with schema.categories, or "
                       "shorten all records with settings.clip_norm. All of these are public and "
                       "must come from knowledge of the subject, never from the rows",
                       encoding->inputs[i].name);
  if (encoding->inputs || encoding->bounded)
    return sfmi_fail(error, SFM_INVALID,
                     "the bounds are so wide that the length of a record overflows; write "
                     "settings.scaling = unit or settings.clip_norm");
  return sfmi_fail(
      error, SFM_INVALID,
      "nothing limits what one record of libsvm text can move: shorten all records with "
      "settings.clip_norm, or state the range of every coordinate with schema.bounds. Both are "
      "public and must come from knowledge of the subject, never from the rows");
}

static sfm_status complete_inputs(sfmi_encoding *encoding, sfm_error *error) {
  if (encoding->input_count == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "no column is a feature: write settings.features = A,B,...");
  encoding->dimension = 0;
  if (encoding->scaling == SFM_SCALING_BALL)
    encoding->factor = (1 - 0x1p-50) / sqrt((double)encoding->input_count);
  for (size_t i = 0; i < encoding->input_count; i++) {
    const sfm_status status = complete_input(encoding, i, error);
    if (status) return status;
  }
  return SFM_OK;
}

sfm_status sfmi_encoding_complete(sfmi_encoding *encoding, sfm_error *error) {
  sfm_status status = SFM_OK;
  encoding->factor = 1;
  if (!(encoding->clip > 0))
    status = sfmi_fail(error, SFM_INVALID,
                       "records can be shortened to a positive length, not to %g", encoding->clip);
  if (!status && (unsigned)encoding->scaling > SFM_SCALING_NONE)
    status = sfmi_fail(error, SFM_INVALID, "there is no scaling %u", (unsigned)encoding->scaling);
  if (!status)
    status = encoding->inputs ? complete_inputs(encoding, error) : complete_sparse(encoding, error);
  if (!status) encoding->radius = fmin(encoding->clip, corner(encoding));
  if (!status && !isfinite(encoding->radius)) status = fail_unbounded(encoding, error);
  if (status) sfmi_encoding_clear(encoding);
  return status;
}

size_t sfmi_encoding_width(const sfmi_encoding *encoding, size_t nonzeros) {
  if (encoding->inputs) return encoding->input_count;
  return nonzeros < encoding->dimension ? nonzeros : encoding->dimension;
}

static double clamp(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

/* The coordinate of a finite number; NaN when its record is to be dropped. */
static double number(const sfmi_encoding *encoding, const sfmi_input *input, double x) {
  if (!input->bounded) return x;
  if (encoding->drop && !(x >= input->lower && x <= input->upper)) return NAN;
  const double inside = clamp(x, input->lower, input->upper);
  if (encoding->scaling == SFM_SCALING_NONE) return inside;
  return clamp((inside - input->middle) / input->half, -1, 1) * encoding->factor;
}

/* Shortens what is longer than the clip.  Without a clip rows are within the box, and need not be
 * looked at. */
static void shorten(const sfmi_encoding *encoding, double *u, size_t count) {
  if (isfinite(encoding->clip)) sfmi_ball_project(u, count, encoding->clip);
}

size_t sfmi_encoding_row(const sfmi_encoding *encoding, uint32_t *indices, double *u,
                         const double *cells) {
  size_t count = 0;
  for (size_t i = 0; i < encoding->input_count; i++) {
    const sfmi_input *input = &encoding->inputs[i];
    const double cell = cells[i];
    size_t place = input->first;
    double coordinate = encoding->factor;
    if (!isfinite(cell)) return SFMI_NO_ROW;
    if (input->categories) {
      if (!(cell >= 0 && cell < (double)input->category_count) || cell != trunc(cell))
        return SFMI_NO_ROW;
      place += (size_t)cell;
    } else {
      coordinate = number(encoding, input, cell);
      if (isnan(coordinate)) return SFMI_NO_ROW;
    }
    if (coordinate == 0) continue;
    indices[count] = (uint32_t)place;
    u[count++] = coordinate;
  }
  shorten(encoding, u, count);
  return count;
}

size_t sfmi_encoding_sparse(const sfmi_encoding *encoding, uint32_t *indices, double *u,
                            size_t nonzeros) {
  const double lower = encoding->lower, upper = encoding->upper;
  size_t count = 0;
  for (size_t j = 0; j < nonzeros; j++) {
    double x = u[j];
    if (indices[j] >= encoding->dimension || (j > 0 && indices[j] <= indices[j - 1])) break;
    if (!isfinite(x)) break;
    if (encoding->bounded && encoding->drop && !(x >= lower && x <= upper)) break;
    if (encoding->bounded) x = clamp(x, lower, upper);
    u[j] = x;
    count = j + 1;
  }
  if (count < nonzeros) return SFMI_NO_ROW;
  count = 0;
  for (size_t j = 0; j < nonzeros; j++) {
    if (u[j] == 0) continue;
    indices[count] = indices[j];
    u[count++] = u[j];
  }
  shorten(encoding, u, count);
  return count;
}

/* The input that coordinate i belongs to. */
static const sfmi_input *input_of(const sfmi_encoding *encoding, size_t i) {
  size_t from = 0, to = encoding->input_count;
  while (to - from > 1) {
    const size_t middle = from + (to - from) / 2;
    if (encoding->inputs[middle].first <= i)
      from = middle;
    else
      to = middle;
  }
  return &encoding->inputs[from];
}

/* A shortened row lies between what it was and zero, and nowhere beyond the clip. */
void sfmi_encoding_range(const sfmi_encoding *encoding, double *lower, double *upper, size_t i) {
  const sfmi_input *input = encoding->inputs ? input_of(encoding, i) : NULL;
  const bool bounded = input ? input->bounded : encoding->bounded;
  *lower = input ? input->lower : encoding->lower;
  *upper = input ? input->upper : encoding->upper;
  if (input && input->categories) {
    *lower = 0;
    *upper = encoding->factor;
  } else if (!bounded) {
    *lower = -INFINITY;
    *upper = INFINITY;
  } else if (encoding->scaling != SFM_SCALING_NONE) {
    *upper = encoding->factor;
    *lower = -encoding->factor;
  }
  if (!isfinite(encoding->clip)) return;
  *lower = fmax(fmin(*lower, 0), -encoding->clip);
  *upper = fmin(fmax(*upper, 0), encoding->clip);
}
