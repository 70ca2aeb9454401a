#include "person_id.h"

#include <math.h>

#include "base/system/c_locale.h"
#include "base/text/decimal.h"

sfmi_person_id_type sfmi_person_id_type_of(const sfm_column *column) {
  if (!column) return SFMI_PERSON_TEXT;
  return column->type == SFM_COLUMN_TYPE_NUMBER    ? SFMI_PERSON_NUMBER
         : column->type == SFM_COLUMN_TYPE_INTEGER ? SFMI_PERSON_INTEGER
                                                   : SFMI_PERSON_TEXT;
}

/* The digits of a mantissa, from *at to where they stop, without the zeros that lead: how many.
 * *scale becomes how many of them stand behind the point. */
static size_t copy_digits(char *out, const char **at, const char *end, long long *scale) {
  size_t count = 0;
  bool fraction = false;
  for (*scale = 0; *at < end && (sfmi_is_digit(**at) || **at == '.'); ++*at) {
    fraction = fraction || **at == '.';
    if (**at == '.') continue;
    *scale += fraction;
    if (count > 0 || **at != '0') out[count++] = **at;
  }
  return count;
}

/* What stands behind an 'e'; false when it has more than nine digits. */
static bool read_exponent(long long *exponent, const char *at, const char *end) {
  const bool negative = at < end && *at == '-';
  long long size = 0;
  if (at < end && !sfmi_is_digit(*at)) at++;
  for (; at < end; at++) {
    size = 10 * size + (*at - '0');
    if (size > 999999999) return false;
  }
  *exponent = negative ? -size : size;
  return true;
}

/* A number, written as digits that neither begin nor end with a zero and a power of ten: "-12e3".
 * Its length, or 0 for a number that is none of its type. */
static size_t write_decimal(char *out, sfmi_text number, bool integer) {
  const char *at = number.text, *end = at + number.length;
  long long scale, exponent = 0;
  size_t start = 0;
  if (*at == '-') out[start++] = '-';
  if (*at == '-' || *at == '+') at++;
  size_t count = copy_digits(out + start, &at, end, &scale);
  if (count == 0) {
    out[0] = '0';
    return 1;
  }
  if (at < end && !read_exponent(&exponent, at + 1, end)) return 0;
  exponent -= scale;
  for (; out[start + count - 1] == '0'; count--) exponent++;
  if (integer && exponent < 0) return 0;
  return start + count +
         (size_t)sfmi_snprintf(out + start + count, SFMI_PERSON_ID_ROOM, "e%lld", exponent);
}

sfmi_text sfmi_person_id_read(sfmi_person_id_type how, const sfmi_cell *cell, char *room,
                              locale_t c) {
  sfmi_text id = sfmi_cell_trimmed(cell);
  double ignored;
  if (how == SFMI_PERSON_TEXT || id.length == 0) return id;
  if (cell->kind == SFMI_CELL_VALUE) {
    const bool whole = cell->number == trunc(cell->number);
    if (isnan(cell->number) || (how == SFMI_PERSON_INTEGER && !whole)) id.length = 0;
    return id;
  }
  if (!sfmi_decimal_read(&ignored, id.text, id.length, c)) return (sfmi_text){id.text, 0};
  const size_t length = write_decimal(room, id, how == SFMI_PERSON_INTEGER);
  return (sfmi_text){room, (uint32_t)length};
}
