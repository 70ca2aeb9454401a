/* encoding_fixtures.h - encodings stated column by column. */
#ifndef TEST_ENCODING_FIXTURES_H
#define TEST_ENCODING_FIXTURES_H

#include "test_support.h"

#include "features/maps/encoding.h"

static inline sfmi_input *encode_next(sfmi_encoding *encoding, const char *name) {
  encoding->inputs =
      realloc(encoding->inputs, (encoding->input_count + 1) * sizeof *encoding->inputs);
  assert_non_null(encoding->inputs);
  sfmi_input *input = &encoding->inputs[encoding->input_count++];
  *input = (sfmi_input){.name = sfmi_copy_string(name)};
  return input;
}

/* NaN: without bounds. */
static inline void encode_number(sfmi_encoding *encoding, const char *name, double lower,
                                 double upper) {
  sfmi_input *input = encode_next(encoding, name);
  input->bounded = !isnan(lower);
  input->lower = lower;
  input->upper = upper;
}

static inline void encode_categories(sfmi_encoding *encoding, const char *name,
                                     const char *const *categories, size_t count) {
  sfmi_input *input = encode_next(encoding, name);
  input->categories = sfmi_alloc(count, sizeof *input->categories);
  input->category_count = count;
  for (size_t k = 0; k < count; k++) input->categories[k] = sfmi_copy_string(categories[k]);
}

#endif
