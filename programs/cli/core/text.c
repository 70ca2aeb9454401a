#include "text.h"

#include <math.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "draw/text_layout.h"
#include "options.h"

static bool special_number(const char *text) {
  if (*text == '+' || *text == '-') text++;
  return strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0 ||
         strcasecmp(text, "infinity") == 0;
}

bool text_number(double *out, const char *text) {
  char *end;
  if (!*text || (text[strspn(text, "0123456789+-.eE")] && !special_number(text))) return false;
  double value = strtod(text, &end);
  if (*end || end == text) return false;
  *out = value;
  return true;
}

bool text_meant(char *out, size_t size, const char *text) {
  char copy[40];
  double number;
  const size_t length = strlen(text);
  if (length < 2 || length >= sizeof copy) return false;
  strcpy(copy, text);
  const bool percent = copy[length - 1] == '%';
  if (percent) copy[length - 1] = '\0';
  char *comma = strchr(copy, ',');
  if (comma) *comma = '.';
  if (!(percent || comma) || !text_number(&number, copy) || !isfinite(number)) return false;
  if (percent)
    snprintf(out, size, "%.10g", number / 100);
  else
    snprintf(out, size, "%s", copy);
  return true;
}

bool text_count(uint64_t *out, const char *text) {
  if (!*text || text[strspn(text, "0123456789")]) return false;
  errno = 0;
  unsigned long long value = strtoull(text, NULL, 10);
  if (errno) return false;
  *out = value;
  return true;
}

/* C0 and C1 controls, line separators, direction marks and what takes no room. */
static bool harmful(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x061c || c == 0x180e ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
         (c >= 0xe0000 && c <= 0xe0fff);
}

size_t text_escape_one(char out[TEXT_ESCAPED_MAX], const char *text, size_t *bytes) {
  const uint32_t code = draw_decode(text, bytes);
  const unsigned char first = (unsigned char)*text;
  const bool broken = first >= 0x80 && *bytes == 1;
  if (broken || (harmful(code) && code < 0x80)) return (size_t)sprintf(out, "\\x%02x", first);
  if (harmful(code)) return (size_t)sprintf(out, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
  return draw_encode(out, code);
}

void text_harmless(char *out, size_t size, const char *text) {
  char one[TEXT_ESCAPED_MAX];
  size_t used = 0, bytes;
  for (; *text; text += bytes) {
    const size_t length = text_escape_one(one, text, &bytes);
    if (used + length + 1 > size) break;
    memcpy(out + used, one, length);
    used += length;
  }
  out[used] = 0;
}

void text_print(FILE *out, const char *text, size_t length) {
  char one[TEXT_ESCAPED_MAX];
  for (size_t at = 0, bytes; at < length; at += bytes)
    fwrite(one, 1, text_escape_one(one, text + at, &bytes), out);
}

/* A printed number with a true minus sign, and commas between the thousands before its point. */
static void group(char *out, size_t size, const char *number) {
  const size_t first = number[0] == '-', whole = first + strspn(number + first, "0123456789"),
               length = strlen(number);
  size_t used = first ? (size_t)snprintf(out, size, "\u2212") : 0;
  for (size_t i = first; i < length && used + 2 < size; i++) {
    if (i > first && i < whole && (whole - i) % 3 == 0) out[used++] = ',';
    out[used++] = number[i];
  }
  if (used < size) out[used] = 0;
}

void text_whole(char *out, size_t size, double number) {
  char digits[336];
  snprintf(digits, sizeof digits, "%.0f", number);
  group(out, size, digits);
}

void text_grouped(char *out, size_t size, double number) {
  char digits[64];
  snprintf(digits, sizeof digits, fabs(number) >= 1e6 && fabs(number) < 1e15 ? "%.0f" : "%.6g",
           number);
  group(out, size, digits);
}

void text_width(char *out, size_t size, double width) {
  enum { WHOLE = 1000 };
  if (width >= WHOLE && width < 1e15)
    text_whole(out, size, ceil(width));
  else
    snprintf(out, size, "%.4g", width);
}

size_t text_columns(const char *text, size_t bytes) {
  char one[TEXT_ESCAPED_MAX];
  size_t columns = 0;
  for (size_t at = 0, step; at < bytes; at += step) {
    const size_t length = text_escape_one(one, text + at, &step);
    columns += one[0] == '\\' ? length : 1;
  }
  return columns;
}

/* Copies the item at *text to *to, both moved past it; the copy ends with a zero. */
static void take_item(const char **text, char **to, char separator) {
  const char *from = *text;
  char *start = *to, *end = start, *kept = start;
  bool quoted = false;
  while (*from == ' ') from++;
  for (; *from && (quoted || *from != separator); from++) {
    if (*from == '"' && quoted && from[1] == '"')
      *end++ = *from++;
    else if (*from == '"')
      quoted = !quoted;
    else
      *end++ = *from;
    if (quoted || *from != ' ') kept = end;
  }
  *kept = 0;
  *to = kept + 1;
  *text = from;
}

sfm_status text_split(text_list *list, const char *text, char separator, sfm_error *error) {
  size_t most = 1, length = strlen(text);
  *list = (text_list){0};
  for (const char *c = text; *c; c++) most += *c == separator;
  list->items = malloc(most * sizeof *list->items + length + most + 1);
  if (!list->items) return cli_fail_memory(error);
  char *to = (char *)(list->items + most);
  for (;;) {
    list->items[list->count++] = to;
    take_item(&text, &to, separator);
    if (!*text) return SFM_OK;
    text++;
  }
}

void text_list_clear(text_list *list) {
  free(list->items);
  *list = (text_list){0};
}

/* An item that stands for several. */
typedef struct range {
  int before; /* characters of the name that comes before the number */
  int digits; /* to which numbers are filled up with zeros */
  uint64_t first, last;
} range;

static bool is_range(range *out, const char *item) {
  const char *dots = strstr(item, "..");
  if (!dots || strstr(dots + 1, "..")) return false;
  const char *digits = dots;
  while (digits > item && digits[-1] >= '0' && digits[-1] <= '9') digits--;
  const size_t before = (size_t)(digits - item), length = (size_t)(dots - digits);
  char first[24];
  if (length == 0 || length >= sizeof first || strncmp(item, dots + 2, before) != 0) return false;
  snprintf(first, sizeof first, "%.*s", (int)length, digits);
  *out = (range){.before = (int)before, .digits = *digits == '0' ? (int)length : 1};
  return text_count(&out->first, first) && text_count(&out->last, dots + 2 + before) &&
         out->first < out->last;
}

sfm_status text_expand(text_list *list, const char *option, size_t most, sfm_error *error) {
  size_t count = 0, room = 0;
  range r;
  for (size_t i = 0; i < list->count; i++) {
    const bool several = is_range(&r, list->items[i]);
    const uint64_t more = several ? r.last - r.first : 0;
    if (more >= most || count + 1 + more > most)
      return cli_misuse(error, "--%s names more than %zu columns; more are not possible", option,
                        most);
    count += 1 + (size_t)more;
    room += (1 + (size_t)more) * (strlen(list->items[i]) + 1);
  }
  text_list all = {.items = malloc(count * sizeof *all.items + room)};
  if (!all.items) return cli_fail_memory(error);
  char *to = (char *)(all.items + count);
  for (size_t i = 0; i < list->count; i++) {
    const char *item = list->items[i];
    const bool several = is_range(&r, item);
    for (uint64_t k = several ? r.first : 0; k <= (several ? r.last : 0); k++) {
      all.items[all.count++] = to;
      to +=
          1 + (several ? sprintf(to, "%.*s%0*llu", r.before, item, r.digits, (unsigned long long)k)
                       : sprintf(to, "%s", item));
    }
  }
  text_list_clear(list);
  *list = all;
  return SFM_OK;
}

void text_join(char *buffer, size_t size, const char *const *items, size_t count) {
  size_t used = 0;
  buffer[0] = 0;
  for (size_t i = 0; i < count; i++) {
    size_t need = strlen(items[i]) + (i ? 2 : 0);
    if (used + need + 6 > size) {
      snprintf(buffer + used, size - used, i ? ", ..." : "%.*s...", (int)(size - 4), items[i]);
      return;
    }
    snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", items[i]);
    used += need;
  }
}

sfm_status text_numbers(double **out, size_t *count, const char *text, const char *option,
                        sfm_error *error) {
  text_list list;
  *out = NULL;
  *count = 0;
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  double *numbers = malloc(list.count * sizeof *numbers);
  if (!numbers) status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < list.count; i++)
    if (!text_number(&numbers[i], list.items[i]))
      status = cli_misuse(error, "--%s: '%s' is not a number; write numbers separated by commas",
                          option, list.items[i]);
  *count = list.count;
  text_list_clear(&list);
  if (status)
    free(numbers);
  else
    *out = numbers;
  return status;
}

bool text_is_among(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strcmp(*words, text) == 0) return true;
  return false;
}

void text_short_power(char *number) {
  char *power = strstr(number, "e-0");
  if (power) memmove(power + 2, power + 3, strlen(power + 3) + 1);
}

void text_digits(char *out, size_t size, double number) {
  snprintf(out, size, "%.15g", number);
  text_short_power(out);
}

void text_shortest(char *out, size_t size, double number) {
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(out, size, "%.*g", digits, number);
    if (strtod(out, NULL) == number) break;
  }
}

void text_print_wrapped(FILE *out, const char *text, size_t column, size_t indent, size_t width) {
  bool first = true;
  while (*text) {
    size_t length = strcspn(text, " "), columns = text_columns(text, length);
    if (!first && column + 1 + columns > width) {
      fprintf(out, "\n%*s", (int)indent, "");
      column = indent;
      first = true;
    }
    if (!first) fputc(' ', out);
    text_print(out, text, length);
    column += columns + !first;
    first = false;
    text += length;
    while (*text == ' ') text++;
  }
  fputc('\n', out);
}

enum { LABEL_WIDTH = 12, LINE_WIDTH = 80 };

static void print_labelled(FILE *out, size_t width, const char *label, const char *text) {
  fprintf(out, "%-*s", LABEL_WIDTH, label);
  text_print_wrapped(out, text, LABEL_WIDTH, LABEL_WIDTH, width);
}

void text_print_labelled(FILE *out, const char *label, const char *text) {
  print_labelled(out, LINE_WIDTH, label, text);
}

void text_say(FILE *out, const char *label, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_labelled(out, LINE_WIDTH, label, text);
}

void text_say_within(FILE *out, size_t width, const char *label, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_labelled(out, width, label, text);
}

void text_add(char *out, size_t size, const char *format, ...) {
  const size_t used = strlen(out);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(out + used, size - used, format, arguments);
  va_end(arguments);
}
