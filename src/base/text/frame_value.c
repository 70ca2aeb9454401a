#include "frame_value.h"

#include <math.h>

#include "base/system/c_locale.h"

/* Longer texts are no numbers. */
enum { NUMBER_MAX = 1024 };

#define DAY INT64_C(86400)
#define FIRST_SECOND (-INT64_C(62135596800)) /* 0001-01-01 */
#define LAST_SECOND INT64_C(253402300799)    /* 9999-12-31T23:59:59 */

static const sfmi_frame_value empty = {NULL, 0, NAN};

sfmi_frame_value sfmi_frame_number(double number, char room[SFMI_FRAME_ROOM]) {
  if (!isfinite(number)) return empty;
  return (sfmi_frame_value){room, sfmi_decimal_print(room, number), number};
}

double sfmi_instant_number(sfmi_instant instant) {
  if (instant.seconds < FIRST_SECOND || instant.seconds > LAST_SECOND) return NAN;
  return (double)instant.seconds + instant.nanos * 1e-9;
}

/* The proleptic Gregorian calendar, by Howard Hinnant's algorithms (days_from_civil,
 * civil_from_days). */
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(int64_t days, int *year, int *month, int *day) {
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
  const int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
  const int64_t shifted = (5 * of_year + 2) / 153;
  *day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
  *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
  *year = (int)(years + era * 400 + (*month <= 2));
}

static size_t put_digits(char *out, int value, int count) {
  for (int i = count; i-- > 0; value /= 10) out[i] = (char)('0' + value % 10);
  return (size_t)count;
}

/* HH:MM:SS, and a fraction if there is one. */
static size_t put_time(char *out, int64_t second, int32_t nanos) {
  size_t used = put_digits(out, (int)(second / 3600), 2);
  out[used++] = ':';
  used += put_digits(out + used, (int)(second / 60 % 60), 2);
  out[used++] = ':';
  used += put_digits(out + used, (int)(second % 60), 2);
  if (!nanos) return used;
  out[used++] = '.';
  used += put_digits(out + used, nanos, 9);
  while (out[used - 1] == '0') used--;
  return used;
}

sfmi_frame_value sfmi_frame_instant(sfmi_instant instant, char room[SFMI_FRAME_ROOM]) {
  const double number = sfmi_instant_number(instant);
  if (isnan(number)) return empty;
  int64_t days = instant.seconds / DAY, second = instant.seconds % DAY;
  if (second < 0) second += DAY, days--;
  int year, month, day;
  date_of(days, &year, &month, &day);
  size_t used = put_digits(room, year, 4);
  room[used++] = '-';
  used += put_digits(room + used, month, 2);
  room[used++] = '-';
  used += put_digits(room + used, day, 2);
  if (second || instant.nanos) {
    room[used++] = 'T';
    used += put_time(room + used, second, instant.nanos);
  }
  return (sfmi_frame_value){room, used, number};
}

sfmi_frame_value sfmi_frame_time(sfmi_instant time, char room[SFMI_FRAME_ROOM]) {
  if (time.seconds < 0 || time.seconds >= DAY) return empty;
  const size_t used = put_time(room, time.seconds, time.nanos);
  return (sfmi_frame_value){room, used, (double)time.seconds + time.nanos * 1e-9};
}

sfmi_frame_value sfmi_frame_boolean(bool value) {
  return (sfmi_frame_value){value ? "1" : "0", 1, value};
}

/* So many digits at *at, which moves behind them; -1 where there are fewer. */
static int take_digits(const char **at, const char *end, int count) {
  int value = 0;
  if (end - *at < count) return -1;
  for (int i = 0; i < count; i++, ++*at) {
    if (!sfmi_is_digit(**at)) return -1;
    value = 10 * value + (**at - '0');
  }
  return value;
}

static bool take_byte(const char **at, const char *end, char byte) {
  if (*at == end || **at != byte) return false;
  ++*at;
  return true;
}

static bool take_date(int64_t *days, const char **at, const char *end) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = take_digits(at, end, 4);
  if (year < 0 || !take_byte(at, end, '-')) return false;
  const int month = take_digits(at, end, 2);
  if (month < 1 || month > 12 || !take_byte(at, end, '-')) return false;
  const int day = take_digits(at, end, 2);
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  *days = days_of(year, month, day);
  return day >= 1 && day <= lengths[month - 1] + (month == 2 && leap);
}

/* HH, HH:MM, HH:MM:SS or HH:MM:SS.F; digits beyond the ninth of a fraction are cut off. */
static bool take_time(sfmi_instant *instant, const char **at, const char *end) {
  const int hour = take_digits(at, end, 2);
  if (hour < 0 || hour > 23) return false;
  instant->seconds += hour * 3600;
  if (!take_byte(at, end, ':')) return true;
  const int minute = take_digits(at, end, 2);
  if (minute < 0 || minute > 59) return false;
  instant->seconds += minute * 60;
  if (!take_byte(at, end, ':')) return true;
  const int second = take_digits(at, end, 2);
  if (second < 0 || second > 59) return false;
  instant->seconds += second;
  if (!take_byte(at, end, '.')) return true;
  int32_t unit = 100000000;
  const char *first = *at;
  for (; *at < end && sfmi_is_digit(**at); ++*at, unit /= 10) instant->nanos += unit * (**at - '0');
  return *at > first;
}

/* Z, +HH, +HHMM or +HH:MM; nothing is fine too. */
static bool take_zone(sfmi_instant *instant, const char **at, const char *end) {
  if (*at == end || take_byte(at, end, 'Z')) return true;
  const int sign = **at == '+' ? -1 : **at == '-' ? 1 : 0;
  if (!sign) return false;
  ++*at;
  const int hours = take_digits(at, end, 2);
  int minutes = 0;
  if (hours < 0 || hours > 23) return false;
  if (*at < end) {
    take_byte(at, end, ':');
    minutes = take_digits(at, end, 2);
  }
  instant->seconds += sign * (hours * 3600 + minutes * 60);
  return minutes >= 0 && minutes <= 59;
}

static bool read_instant(sfmi_instant *instant, const char *text, size_t length) {
  const char *at = text, *end = text + length;
  int64_t days = 0;
  if (length < 10 || text[4] != '-' || text[7] != '-' || !take_date(&days, &at, end)) return false;
  *instant = (sfmi_instant){days * DAY, 0};
  if (at == end) return true;
  if (!take_byte(&at, end, 'T') && !take_byte(&at, end, ' ')) return false;
  return take_time(instant, &at, end) && take_zone(instant, &at, end) && at == end;
}

/* A time of day, with its minutes. */
static bool read_time(sfmi_instant *time, const char *text, size_t length) {
  const char *at = text, *end = text + length;
  *time = (sfmi_instant){0};
  return length >= 5 && text[2] == ':' && take_time(time, &at, end) && at == end;
}

enum { SHORT = 16 };

/* The first length bytes of text, at most SHORT, and line ends behind them.  In whole words where
 * so much of text is readable: what is stored in pieces is slow to load as a word. */
static inline void copy_short(char out[2 * SHORT + 8], const char *text, size_t length,
                              size_t readable) {
  memset(out, '\n', 2 * SHORT + 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (readable >= SHORT) {
    const uint64_t ends = UINT64_C(0x0a0a0a0a0a0a0a0a), ones = UINT64_MAX;
    uint64_t low, high;
    memcpy(&low, text, 8);
    memcpy(&high, text + 8, 8);
    const uint64_t keep_low = length >= 8 ? ones : ~(ones << (8 * length)),
                   keep_high = length >= SHORT ? ones
                               : length > 8    ? ~(ones << (8 * (length - 8)))
                                               : 0;
    low = (low & keep_low) | (ends & ~keep_low);
    high = (high & keep_high) | (ends & ~keep_high);
    memcpy(out, &low, 8);
    memcpy(out + 8, &high, 8);
    return;
  }
#endif
  memcpy(out, text, length);
}

/* A number that fills the text, of which so many bytes are readable; infinite when it overflows. */
static bool read_number(double *value, const char *text, size_t length, size_t readable,
                        locale_t c) {
  const char first = *text;
  if (length > NUMBER_MAX ||
      !(sfmi_is_digit(first) || first == '-' || first == '+' || first == '.'))
    return false;
  if (length <= SHORT) {
    char near[2 * SHORT + 8];
    copy_short(near, text, length, readable);
    if (sfmi_decimal_scan_short(value, near) == near + length) return true;
  }
  char copy[NUMBER_MAX + SFMI_DECIMAL_SLACK + 8];
  memcpy(copy, text, length);
  memset(copy + length, '\n', SFMI_DECIMAL_SLACK + 8);
  return sfmi_decimal_scan(value, copy, c) == copy + length;
}

/* Whether a text is that word, in small or capital letters. */
static bool is_word(const char *text, size_t length, const char *word) {
  for (size_t i = 0; i < length; i++, word++)
    if ((char)(text[i] | 0x20) != *word) return false;
  return *word == '\0';
}

/* Texts that producers take for a missing cell, and NaN and infinities. */
static bool is_missing(const char *text, size_t length) {
  static const char *const missing[] = {"#N/A",   "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN",
                                        "1.#IND", "1.#QNAN",  "<NA>", "N/A",     "NA",
                                        "NULL",   "None",     "n/a",  "null"};
  if (length > 10) return false;
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
    if (strlen(missing[i]) == length && memcmp(text, missing[i], length) == 0) return true;
  if (length > 3 && (*text == '+' || *text == '-')) text++, length--;
  return is_word(text, length, "nan") || is_word(text, length, "inf") ||
         is_word(text, length, "infinity");
}

/* A number that is too long to be read; its digits may say anything. */
static bool is_endless(const char *text, size_t length) {
  static const char allowed[] = "0123456789+-.eE";
  if (length <= NUMBER_MAX) return false;
  for (size_t i = 0; i < length; i++)
    if (!memchr(allowed, text[i], sizeof allowed - 1)) return false;
  return true;
}

static void trim(const char **text, size_t *length) {
  while (*length > 0 && (**text == ' ' || **text == '\t')) ++*text, --*length;
  while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) --*length;
}

/* A text without blanks around it, and not empty, as any value but itself; false where it is that.
 * Without room only its number is made. */
static bool read_value(sfmi_frame_value *value, const char *text, size_t length, size_t readable,
                       char room[SFMI_FRAME_ROOM], locale_t c) {
  double number;
  sfmi_instant instant;
  *value = empty;
  if (read_number(&number, text, length, readable, c))
    *value = room ? sfmi_frame_number(number, room)
                  : (sfmi_frame_value){NULL, 0, isfinite(number) ? number : NAN};
  else if (is_word(text, length, "true") || is_word(text, length, "false"))
    *value = sfmi_frame_boolean(length == 4);
  else if (read_instant(&instant, text, length))
    *value = room ? sfmi_frame_instant(instant, room)
                  : (sfmi_frame_value){NULL, 0, sfmi_instant_number(instant)};
  else if (read_time(&instant, text, length))
    *value = room ? sfmi_frame_time(instant, room)
                  : (sfmi_frame_value){NULL, 0, (double)instant.seconds + instant.nanos * 1e-9};
  else
    return is_missing(text, length) || is_endless(text, length);
  return true;
}

sfmi_frame_value sfmi_frame_text(const char *text, size_t length, char room[SFMI_FRAME_ROOM],
                                 locale_t c) {
  sfmi_frame_value value;
  trim(&text, &length);
  if (length == 0 || length > SFMI_FRAME_TEXT_MAX) return empty;
  if (read_value(&value, text, length, length, room, c)) return value;
  return (sfmi_frame_value){text, length, NAN};
}

double sfmi_frame_text_number(const char *text, size_t length, size_t readable, locale_t c) {
  sfmi_frame_value value;
  const char *first = text;
  trim(&text, &length);
  readable -= (size_t)(text - first);
  if (length == 0 || length > SFMI_FRAME_TEXT_MAX) return NAN;
  return read_value(&value, text, length, readable, NULL, c) ? value.number : NAN;
}
