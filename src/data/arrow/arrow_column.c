#include "arrow_column.h"

#include <math.h>

#include "base/system/c_locale.h"

/* type_at(column, i): element i; buffers need not be aligned. */
#define DEFINE_ELEMENT(type)                                                                       \
  static inline type type##_at(const sfmi_arrow_column *column, int64_t i) {                       \
    type element;                                                                                  \
    memcpy(&element, column->data + (column->offset + i) * (int64_t)sizeof element,                \
           sizeof element);                                                                        \
    return element;                                                                                \
  }
DEFINE_ELEMENT(int8_t)
DEFINE_ELEMENT(int16_t)
DEFINE_ELEMENT(int32_t)
DEFINE_ELEMENT(int64_t)
DEFINE_ELEMENT(uint8_t)
DEFINE_ELEMENT(uint16_t)
DEFINE_ELEMENT(uint32_t)
DEFINE_ELEMENT(uint64_t)
DEFINE_ELEMENT(float)
DEFINE_ELEMENT(double)

static sfm_status malformed(const char *name, const char *what, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "the Arrow stream gave a malformed chunk: column '%.64s' %s",
                   name, what);
}

/* The buffers of long texts, and their sizes, which are the last buffer. */
static bool take_variadic(sfmi_arrow_column *column, const struct ArrowArray *array) {
  column->variadic = array->buffers + 2;
  column->variadic_count = array->n_buffers - 3;
  column->sizes = array->buffers[array->n_buffers - 1];
  return column->variadic_count == 0 || column->sizes;
}

sfm_status sfmi_arrow_column_init(sfmi_arrow_column *column, const sfmi_arrow_type *type,
                                  const struct ArrowArray *array, int64_t skip, int64_t length,
                                  const sfmi_arrow_column *dictionary, const char *name,
                                  sfm_error *error) {
  *column = (sfmi_arrow_column){.type = *type, .length = length, .dictionary = dictionary};
  if (!array || !array->release) return malformed(name, "is missing", error);
  const int64_t most = INT64_MAX / 8 / (type->width ? (int64_t)type->width : 1);
  if (array->offset < 0 || array->length < 0 || array->offset > most || array->length > most ||
      skip > array->length || length > array->length - skip)
    return malformed(name, "is shorter than the chunk", error);
  if (type->kind == SFMI_ARROW_EMPTY) return SFM_OK;
  if (array->n_buffers < sfmi_arrow_type_buffers(type) || !array->buffers)
    return malformed(name, "has too few buffers", error);
  column->offset = array->offset + skip;
  column->validity = array->buffers[0];
  column->data = array->buffers[1];
  if (type->kind == SFMI_ARROW_TEXT) column->bytes = array->buffers[2];
  if (!column->data && length > 0 && !(type->kind == SFMI_ARROW_FIXED && type->width == 0))
    return malformed(name, "has no data", error);
  if (type->kind == SFMI_ARROW_TEXT && length > 0)
    column->byte_count = type->width == 8 ? int64_t_at(column, length) : int32_t_at(column, length);
  if (type->kind == SFMI_ARROW_VIEW && !take_variadic(column, array))
    return malformed(name, "does not state the sizes of its buffers", error);
  return SFM_OK;
}

static inline bool bit(const uint8_t *bits, int64_t i) {
  return bits[i >> 3] >> (i & 7) & 1;
}

static inline bool is_there(const sfmi_arrow_column *column, int64_t i) {
  return (!column->row_validity || bit(column->row_validity, column->row_offset + i)) &&
         (!column->validity || bit(column->validity, column->offset + i));
}

static double half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                      : exponent == 0 ? ldexp(fraction, -24)
                                      : ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -size : size;
}

static int64_t signed_element(const sfmi_arrow_column *column, int64_t i) {
  switch (column->type.width) {
  case 1:
    return int8_t_at(column, i);
  case 2:
    return int16_t_at(column, i);
  case 4:
    return int32_t_at(column, i);
  default:
    return int64_t_at(column, i);
  }
}

static uint64_t unsigned_element(const sfmi_arrow_column *column, int64_t i) {
  switch (column->type.width) {
  case 1:
    return uint8_t_at(column, i);
  case 2:
    return uint16_t_at(column, i);
  case 4:
    return uint32_t_at(column, i);
  default:
    return uint64_t_at(column, i);
  }
}

static double float_element(const sfmi_arrow_column *column, int64_t i) {
  if (column->type.width == 2) return half(uint16_t_at(column, i));
  return column->type.width == 4 ? (double)float_at(column, i) : double_at(column, i);
}

/* The integer in so many bytes; false where a double could not hold it. */
static inline bool small_integer(int64_t *integer, const uint8_t *bytes, size_t width) {
  int64_t words[4];
  if (width == 4) {
    int32_t narrow;
    memcpy(&narrow, bytes, sizeof narrow);
    *integer = narrow;
    return true;
  }
  memcpy(words, bytes, width);
  *integer = words[0];
  const int64_t sign = words[0] < 0 ? -1 : 0;
  for (size_t k = 1; k < width / 8; k++)
    if (words[k] != sign) return false;
  return words[0] <= INT64_C(1) << 53 && words[0] >= -(INT64_C(1) << 53);
}

/* The nearest double to an integer in so many bytes times 10^-scale, through its digits. */
static double large_decimal(const uint8_t *bytes, size_t width, int scale, locale_t c) {
  enum { LIMBS = 8, DIGITS = 90 };
  uint32_t limbs[LIMBS];
  const bool negative = bytes[width - 1] >> 7;
  memset(limbs, negative ? 255 : 0, sizeof limbs);
  memcpy(limbs, bytes, width);
  uint64_t carry = negative;
  for (size_t k = 0; negative && k < LIMBS; k++) {
    carry += ~limbs[k];
    limbs[k] = (uint32_t)carry;
    carry >>= 32;
  }
  char text[DIGITS + 16 + SFMI_DECIMAL_SLACK] = {0};
  size_t first = DIGITS;
  for (bool more = true; more;) {
    uint64_t rest = 0;
    more = false;
    for (size_t k = LIMBS; k-- > 0;) {
      rest = rest << 32 | limbs[k];
      limbs[k] = (uint32_t)(rest / 10);
      rest %= 10;
      more = more || limbs[k];
    }
    text[--first] = (char)('0' + rest);
  }
  sfmi_snprintf(text + DIGITS, 16, "e%d", -scale);
  double value = NAN;
  sfmi_decimal_scan(&value, text + first, c);
  return negative ? -value : value;
}

static inline double decimal_element(const sfmi_arrow_column *column, int64_t i, locale_t c) {
  const size_t width = column->type.width;
  const uint8_t *bytes = column->data + (column->offset + i) * (int64_t)width;
  const int scale = column->type.scale;
  int64_t small;
  if (scale >= 0 && scale <= 22 && small_integer(&small, bytes, width))
    return (double)small / sfmi_decimal_powers[scale];
  return large_decimal(bytes, width, scale, c);
}

static sfmi_instant instant_element(const sfmi_arrow_column *column, int64_t i) {
  const int64_t value = column->type.width == 4 ? int32_t_at(column, i) : int64_t_at(column, i);
  if (column->type.each_unit) return (sfmi_instant){value * column->type.each_unit, 0};
  const int64_t units = column->type.in_second;
  int64_t seconds = value / units, rest = value % units;
  if (rest < 0) rest += units, seconds--;
  return (sfmi_instant){seconds, (int32_t)(rest * (1000000000 / units))};
}

/* The bytes of a text; NULL where there are none that can be read. */
static const char *text_element(size_t *length, const sfmi_arrow_column *column, int64_t i) {
  const bool wide = column->type.width == 8;
  const int64_t start = wide ? int64_t_at(column, i) : int32_t_at(column, i);
  const int64_t end = wide ? int64_t_at(column, i + 1) : int32_t_at(column, i + 1);
  if (start < 0 || end <= start || end - start > (int64_t)SFMI_FRAME_TEXT_MAX || !column->bytes)
    return NULL;
  *length = (size_t)(end - start);
  return (const char *)column->bytes + start;
}

static const char *view_element(size_t *length, const sfmi_arrow_column *column, int64_t i) {
  enum { INLINE = 12 };
  const uint8_t *view = column->data + (column->offset + i) * 16;
  int32_t size, place, start;
  memcpy(&size, view, 4);
  if (size <= 0 || (size_t)size > SFMI_FRAME_TEXT_MAX) return NULL;
  *length = (size_t)size;
  if (size <= INLINE) return (const char *)view + 4;
  memcpy(&place, view + 8, 4);
  memcpy(&start, view + 12, 4);
  if (place < 0 || place >= column->variadic_count || start < 0) return NULL;
  int64_t there;
  memcpy(&there, column->sizes + 8 * (int64_t)place, 8);
  const char *bytes = column->variadic[place];
  return bytes && (int64_t)start + size <= there ? bytes + start : NULL;
}

static const char *any_text(size_t *length, const sfmi_arrow_column *column, int64_t i) {
  if (column->type.kind == SFMI_ARROW_TEXT) return text_element(length, column, i);
  if (column->type.kind == SFMI_ARROW_VIEW) return view_element(length, column, i);
  *length = column->type.width;
  return *length ? (const char *)column->data + (column->offset + i) * (int64_t)*length : NULL;
}

/* How many bytes can be read from a text of the column on. */
static size_t readable_from(const sfmi_arrow_column *column, const char *text, size_t length) {
  if (column->type.kind != SFMI_ARROW_TEXT) return length;
  const int64_t left = column->byte_count - (text - (const char *)column->bytes);
  return left > (int64_t)length ? (size_t)left : length;
}

/* The place in the dictionary of cell i (place may be &i); false where it has none. */
static bool find_entry(int64_t *place, const sfmi_arrow_column *column, int64_t i) {
  if (column->type.kind == SFMI_ARROW_INTEGER) {
    *place = signed_element(column, i);
  } else if (column->type.kind == SFMI_ARROW_UNSIGNED) {
    const uint64_t index = unsigned_element(column, i);
    *place = index > INT64_MAX ? -1 : (int64_t)index;
  } else {
    return false;
  }
  return *place >= 0 && *place < column->dictionary->length;
}

/* Cell i, which is there and in no dictionary. */
static sfmi_frame_value value_of(const sfmi_arrow_column *column, int64_t i,
                                 char room[SFMI_FRAME_ROOM], locale_t c) {
  size_t length;
  const char *text;
  switch (column->type.kind) {
  case SFMI_ARROW_BOOLEAN:
    return sfmi_frame_boolean(bit(column->data, column->offset + i));
  case SFMI_ARROW_INTEGER:
    return sfmi_frame_number((double)signed_element(column, i), room);
  case SFMI_ARROW_UNSIGNED:
    return sfmi_frame_number((double)unsigned_element(column, i), room);
  case SFMI_ARROW_FLOAT:
    return sfmi_frame_number(float_element(column, i), room);
  case SFMI_ARROW_DECIMAL:
    return sfmi_frame_number(decimal_element(column, i, c), room);
  case SFMI_ARROW_INSTANT:
    return sfmi_frame_instant(instant_element(column, i), room);
  case SFMI_ARROW_TIME:
    return sfmi_frame_time(instant_element(column, i), room);
  case SFMI_ARROW_UNKNOWN:
  case SFMI_ARROW_EMPTY:
    return sfmi_frame_number(NAN, room);
  default:
    text = any_text(&length, column, i);
    return text ? sfmi_frame_text(text, length, room, c) : sfmi_frame_number(NAN, room);
  }
}

void sfmi_arrow_column_cell(sfmi_cell *cell, const sfmi_arrow_column *column, int64_t i,
                            char room[SFMI_FRAME_ROOM], locale_t c) {
  *cell = (sfmi_cell){.kind = SFMI_CELL_ABSENT, .number = NAN};
  if (column->type.kind == SFMI_ARROW_EMPTY || !is_there(column, i)) return;
  if (column->dictionary) {
    if (!find_entry(&i, column, i) || !is_there(column->dictionary, i)) return;
    column = column->dictionary;
  }
  const sfmi_frame_value value = value_of(column, i, room, c);
  if (!value.text) return;
  *cell = (sfmi_cell){NULL, value.length, SFMI_CELL_VALUE, value.number};
  memcpy(&cell->text, &value.text, sizeof cell->text); /* texts of values are not changed */
}

/* The number of cell i, which is there. */
static double number_of(const sfmi_arrow_column *column, int64_t i, locale_t c) {
  char room[SFMI_FRAME_ROOM];
  size_t length;
  const char *text;
  switch (column->type.kind) {
  case SFMI_ARROW_UNKNOWN:
  case SFMI_ARROW_EMPTY:
    return NAN;
  case SFMI_ARROW_BOOLEAN:
    return bit(column->data, column->offset + i);
  case SFMI_ARROW_INTEGER:
    return (double)signed_element(column, i);
  case SFMI_ARROW_UNSIGNED:
    return (double)unsigned_element(column, i);
  case SFMI_ARROW_FLOAT:
    return float_element(column, i);
  case SFMI_ARROW_DECIMAL:
    return decimal_element(column, i, c);
  case SFMI_ARROW_INSTANT:
    return sfmi_instant_number(instant_element(column, i));
  case SFMI_ARROW_TIME:
    return sfmi_frame_time(instant_element(column, i), room).number;
  default:
    text = any_text(&length, column, i);
    return text ? sfmi_frame_text_number(text, length, readable_from(column, text, length), c)
                : NAN;
  }
}

static double entry_number(const sfmi_arrow_column *column, int64_t i, locale_t c) {
  int64_t place;
  if (!find_entry(&place, column, i) || !is_there(column->dictionary, place)) return NAN;
  return number_of(column->dictionary, place, c);
}

#define CONVERT(type)                                                                              \
  for (size_t k = 0; k < count; k++) numbers[k] = (double)type##_at(column, first + (int64_t)k)

/* All cells as if they were there; false for a type that has no loop of its own. */
static bool convert(double *numbers, const sfmi_arrow_column *column, int64_t first, size_t count,
                    locale_t c) {
  const sfmi_arrow_type *type = &column->type;
  if (column->dictionary) return false;
  if (type->kind == SFMI_ARROW_DECIMAL) {
    for (size_t k = 0; k < count; k++) numbers[k] = decimal_element(column, first + (int64_t)k, c);
    return true;
  }
  switch ((int)type->kind * 16 + (int)type->width) {
  case SFMI_ARROW_INTEGER * 16 + 1:
    CONVERT(int8_t);
    return true;
  case SFMI_ARROW_INTEGER * 16 + 2:
    CONVERT(int16_t);
    return true;
  case SFMI_ARROW_INTEGER * 16 + 4:
    CONVERT(int32_t);
    return true;
  case SFMI_ARROW_INTEGER * 16 + 8:
    CONVERT(int64_t);
    return true;
  case SFMI_ARROW_UNSIGNED * 16 + 1:
    CONVERT(uint8_t);
    return true;
  case SFMI_ARROW_UNSIGNED * 16 + 2:
    CONVERT(uint16_t);
    return true;
  case SFMI_ARROW_UNSIGNED * 16 + 4:
    CONVERT(uint32_t);
    return true;
  case SFMI_ARROW_UNSIGNED * 16 + 8:
    CONVERT(uint64_t);
    return true;
  case SFMI_ARROW_FLOAT * 16 + 4:
    CONVERT(float);
    return true;
  case SFMI_ARROW_FLOAT * 16 + 8:
    CONVERT(double);
    return true;
  default:
    return false;
  }
}

void sfmi_arrow_column_numbers(double *numbers, const sfmi_arrow_column *column, int64_t first,
                               size_t count, locale_t c) {
  const bool converted = convert(numbers, column, first, count, c);
  if (converted && !column->validity && !column->row_validity) return;
  for (size_t k = 0; k < count; k++) {
    const int64_t i = first + (int64_t)k;
    if (column->type.kind == SFMI_ARROW_EMPTY || !is_there(column, i))
      numbers[k] = NAN;
    else if (!converted)
      numbers[k] = column->dictionary ? entry_number(column, i, c) : number_of(column, i, c);
  }
}
