#include "arrow_type.h"

#include <stdlib.h>
#include <string.h>

static sfmi_arrow_type primitive(char format) {
  static const struct {
    char format;
    sfmi_arrow_kind kind;
    size_t width;
  } types[] = {
      {'n', SFMI_ARROW_EMPTY, 0},    {'b', SFMI_ARROW_BOOLEAN, 0},  {'c', SFMI_ARROW_INTEGER, 1},
      {'C', SFMI_ARROW_UNSIGNED, 1}, {'s', SFMI_ARROW_INTEGER, 2},  {'S', SFMI_ARROW_UNSIGNED, 2},
      {'i', SFMI_ARROW_INTEGER, 4},  {'I', SFMI_ARROW_UNSIGNED, 4}, {'l', SFMI_ARROW_INTEGER, 8},
      {'L', SFMI_ARROW_UNSIGNED, 8}, {'e', SFMI_ARROW_FLOAT, 2},    {'f', SFMI_ARROW_FLOAT, 4},
      {'g', SFMI_ARROW_FLOAT, 8},    {'u', SFMI_ARROW_TEXT, 4},     {'U', SFMI_ARROW_TEXT, 8},
      {'z', SFMI_ARROW_TEXT, 4},     {'Z', SFMI_ARROW_TEXT, 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].format == format)
      return (sfmi_arrow_type){.kind = types[i].kind, .width = types[i].width};
  return (sfmi_arrow_type){0};
}

/* A whole number at *at, which moves behind it; false where there is none from least to most. */
static bool take_number(long *number, const char **at, long least, long most) {
  char *end;
  *number = strtol(*at, &end, 10);
  const bool good = end != *at && *number >= least && *number <= most;
  *at = end;
  return good;
}

/* d:PRECISION,SCALE or d:PRECISION,SCALE,BITS. */
static sfmi_arrow_type decimal(const char *at) {
  long precision, scale, bits = 128;
  at += 2;
  bool good =
      take_number(&precision, &at, 1, 76) && *at++ == ',' && take_number(&scale, &at, -1000, 1000);
  if (good && *at == ',') good = at++ && take_number(&bits, &at, 32, 256);
  const bool width = bits == 32 || bits == 64 || bits == 128 || bits == 256;
  if (!good || *at || !width) return (sfmi_arrow_type){0};
  return (sfmi_arrow_type){
      .kind = SFMI_ARROW_DECIMAL, .width = (size_t)bits / 8, .scale = (int)scale};
}

/* tts, ttm, ttu, ttn; tdD, tdm, and tss:ZONE, tsm, tsu, tsn: instants in UTC where there is a zone.
 */
static sfmi_arrow_type instant(const char *format) {
  static const char units[] = "smun";
  sfmi_arrow_type type = {.kind = SFMI_ARROW_INSTANT, .width = 8};
  if (strncmp(format, "tt", 2) == 0 && format[2] && !format[3] && strchr(units, format[2])) {
    type.kind = SFMI_ARROW_TIME;
    type.width = format[2] == 's' || format[2] == 'm' ? 4 : 8;
    type.in_second = 1;
    for (const char *unit = units; *unit != format[2]; unit++) type.in_second *= 1000;
    return type;
  }
  if (format[1] == 'D' || format[1] == 'i') return (sfmi_arrow_type){.kind = SFMI_ARROW_EMPTY};
  if (strcmp(format, "tdD") == 0) {
    type.width = 4;
    type.each_unit = 86400;
  } else if (strcmp(format, "tdm") == 0 || strncmp(format, "tsm:", 4) == 0) {
    type.in_second = 1000;
  } else if (strncmp(format, "tss:", 4) == 0) {
    type.in_second = 1;
  } else if (strncmp(format, "tsu:", 4) == 0) {
    type.in_second = 1000000;
  } else if (strncmp(format, "tsn:", 4) == 0) {
    type.in_second = 1000000000;
  } else {
    return (sfmi_arrow_type){0};
  }
  return type;
}

sfmi_arrow_type sfmi_arrow_type_of(const char *format) {
  if (!format || !*format) return (sfmi_arrow_type){0};
  if (!format[1]) return primitive(*format);
  if (*format == '+' && strcmp(format, "+r") != 0)
    return (sfmi_arrow_type){.kind = SFMI_ARROW_EMPTY};
  if (strcmp(format, "vu") == 0 || strcmp(format, "vz") == 0)
    return (sfmi_arrow_type){.kind = SFMI_ARROW_VIEW, .width = 16};
  if (strncmp(format, "d:", 2) == 0) return decimal(format);
  if (*format == 't') return instant(format);
  long width;
  const char *at = format + 2;
  if (strncmp(format, "w:", 2) == 0 && take_number(&width, &at, 0, 1 << 20) && !*at)
    return (sfmi_arrow_type){.kind = SFMI_ARROW_FIXED, .width = (size_t)width};
  return (sfmi_arrow_type){0};
}

int64_t sfmi_arrow_type_buffers(const sfmi_arrow_type *type) {
  switch (type->kind) {
  case SFMI_ARROW_UNKNOWN:
  case SFMI_ARROW_EMPTY:
    return 0;
  case SFMI_ARROW_TEXT:
  case SFMI_ARROW_VIEW:
    return 3;
  default:
    return 2;
  }
}
