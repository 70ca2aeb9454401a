#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text_layout.h"

/* Tick indices beyond this are not all distinct doubles. */
static const double INDEX_MAX = 4e15;
/* Written numbers from this on, or below the other, get a factor 10^k; longer ones an offset. */
static const double LARGE = 1e6, SMALL = 1e-3;
/* A lone number is written so only below this: beside an axis that ends at 0.001 it is 0.0002. */
static const double TINY = 1e-4;
/* An axis within these bounds is one of years, which have no commas. */
static const double YEAR_LEAST = 1500, YEAR_MOST = 2200;

static double scaled(double k, int m, int power) {
  return power >= 0 ? k * m * pow(10, power) : k * m / pow(10, -power);
}

/* What ticks of a fine axis are times a power of ten. */
static const int FINE[3] = {1, 2, 5};

/* Tick k of all that a fine axis can have, as its digit and the exponent. */
static int fine_tick(double k, int *exponent) {
  const double decade = floor(k / 3);
  *exponent = (int)decade;
  return FINE[(int)(k - 3 * decade)];
}

double draw_axis_tick(const draw_axis *axis, unsigned i) {
  if (axis->fine) {
    int exponent, digit = fine_tick(axis->first + i, &exponent);
    return exponent + log10(digit);
  }
  return scaled(axis->first + i, axis->m, axis->power);
}

/* How many multiples of m 10^power lie in the range (with a little grace for rounding). */
static double ticks_between(const draw_axis *axis, double *first) {
  double step = scaled(1, axis->m, axis->power), grace = 1e-9;
  *first = ceil(axis->lower / step - grace);
  return floor(axis->upper / step + grace) - *first + 1;
}

/* Chooses shift and exponent so that what is written stays short. */
static void shorten(draw_axis *axis) {
  double last = axis->first + axis->count - 1, most = fmax(fabs(axis->first), fabs(last));
  double round = pow(10, ceil(log10(axis->count + 1.0)) + 1);
  if (most * axis->m >= LARGE) {
    axis->shift = floor(axis->first / round) * round;
    most = last - axis->shift;
  }
  double size = scaled(most, axis->m, axis->power);
  if (size >= LARGE || (size < SMALL && size > 0)) axis->exponent = (int)floor(log10(size) + 1e-9);
}

/* A day in hours or minutes, a week in hours and a turn in degrees are not counted in tens: at most
 * `most` ticks at whole parts of them, or false. */
static bool init_turn(draw_axis *axis, unsigned most) {
  static const int turns[][9] = {{24, 1, 2, 3, 4, 6, 8, 12},
                                 {168, 12, 24, 48, 84},
                                 {360, 15, 30, 45, 60, 90, 120, 180},
                                 {1440, 60, 120, 180, 240, 360, 720}};
  const double range = axis->upper - axis->lower;
  for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
    if (range != turns[k][0] || fmod(axis->lower, turns[k][0] / 2.0) != 0) continue;
    for (const int *step = turns[k] + 1; *step; step++) {
      if (range / *step + 1 > most || fmod(axis->lower, *step) != 0) continue;
      axis->m = *step;
      axis->first = axis->lower / *step;
      axis->count = (unsigned)(range / *step) + 1;
      return true;
    }
  }
  return false;
}

void draw_axis_init(draw_axis *axis, double lower, double upper, unsigned most, bool whole) {
  *axis = (draw_axis){.lower = lower, .upper = upper, .m = 1};
  if (init_turn(axis, most)) return;
  *axis = (draw_axis){.lower = lower, .upper = upper, .m = 1};
  axis->power = (int)fmax(floor(log10((upper - lower) / fmax(most, 1))) - 1, -300);
  if (whole && axis->power < 0) axis->power = 0;
  double first, count = ticks_between(axis, &first);
  while (count > most && axis->power < 308) {
    axis->m = axis->m == 1 ? 2 : axis->m == 2 ? 5 : 1;
    if (axis->m == 1) axis->power++;
    count = ticks_between(axis, &first);
  }
  if (!(count >= 1 && count <= most && fabs(first) < INDEX_MAX)) return;
  axis->first = first;
  axis->count = (unsigned)count;
  shorten(axis);
}

void draw_axis_raise(draw_axis *axis, double lower, double upper, unsigned most) {
  draw_axis_init(axis, lower, upper, most, true);
  if (!(fabs(lower) < LARGE && fabs(upper) < LARGE)) axis->count = 0;
  axis->raised = true;
}

/* Makes the axis fine unless it then had no ticks, or more than most. */
static void refine(draw_axis *axis, unsigned most) {
  const double grace = 1e-9;
  draw_axis fine = *axis;
  fine.fine = true;
  fine.first = 3 * floor(axis->lower);
  while (draw_axis_tick(&fine, 0) < axis->lower - grace) fine.first++;
  for (fine.count = 0; draw_axis_tick(&fine, fine.count) <= axis->upper + grace; fine.count++)
    if (fine.count == most) return;
  if (fine.count) *axis = fine;
}

void draw_axis_log(draw_axis *axis, double lower, double upper, unsigned most, const char *mark) {
  draw_axis_raise(axis, lower, upper, most);
  axis->mark = mark;
  if (fabs(lower) < LARGE && fabs(upper) < LARGE) refine(axis, most);
  axis->plain = axis->count > 0 && draw_axis_tick(axis, 0) >= log10(SMALL) &&
                draw_axis_tick(axis, axis->count - 1) <= log10(LARGE);
}

bool draw_axis_of_years(double lower, double upper) {
  return lower >= YEAR_LEAST && upper <= YEAR_MOST;
}

/* Copies digits with a true minus sign and, if `commas`, one every three before the point, as in
 * what the command says. */
static void group(const char *digits, bool commas, char *out, size_t size) {
  const char *minus = "\u2212";
  size_t used = 0;
  if (*digits == '-') {
    digits++;
    used = strlen(minus);
    memcpy(out, minus, used);
  }
  size_t whole = strspn(digits, "0123456789"), length = strlen(digits);
  for (size_t k = 0; k < length && used + 4 < size; k++) {
    if (commas && k > 0 && k < whole && (whole - k) % 3 == 0) out[used++] = ',';
    out[used++] = digits[k];
  }
  out[used] = 0;
}

/* "10" and its exponent raised. */
static void write_power(int exponent, char *out) {
  static const char *const raised[10] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char digits[16];
  snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
  strcpy(out, exponent < 0 ? "10\u207b" : "10");
  for (const char *d = digits; *d; d++) strcat(out, raised[*d - '0']);
}

/* A tick of a raised axis. */
static void write_raised(const draw_axis *axis, unsigned i, char *out, size_t size) {
  char digits[DRAW_NUMBER_MAX], power[48] = "";
  int exponent = (int)draw_axis_tick(axis, i), digit = 1;
  if (axis->fine) digit = fine_tick(axis->first + i, &exponent);
  if (axis->plain) {
    snprintf(digits, sizeof digits, "%.*f", exponent < 0 ? -exponent : 0,
             scaled(digit, 1, exponent));
    group(digits, true, out, size);
    return;
  }
  if (exponent) write_power(exponent, power);
  if (digit == 1 && exponent)
    snprintf(out, size, "%s", power);
  else
    snprintf(out, size, "%d%s%s", digit, exponent ? "\u00d7" : "", power);
}

/* Without its mark. */
static void write_tick(const draw_axis *axis, unsigned i, char *out, size_t size) {
  char digits[DRAW_NUMBER_MAX];
  int power = axis->power - axis->exponent;
  double k = axis->first + i - axis->shift;
  if (axis->raised) {
    write_raised(axis, i, out, size);
    return;
  }
  if (k == 0)
    snprintf(digits, sizeof digits, "0");
  else
    snprintf(digits, sizeof digits, "%.*f", power < 0 ? -power : 0, scaled(k, axis->m, power));
  group(digits, !draw_axis_of_years(axis->lower, axis->upper), out, size);
}

void draw_axis_write(const draw_axis *axis, unsigned i, char *out, size_t size) {
  write_tick(axis, i, out, size);
  const size_t used = strlen(out);
  if (axis->mark) snprintf(out + used, size - used, "%s", axis->mark);
}

void draw_axis_suffix(const draw_axis *axis, const char *unit, char *out, size_t size) {
  char factor[48] = "", offset[DRAW_NUMBER_MAX] = "", clean[48];
  draw_clean(clean, sizeof clean, unit);
  if (axis->exponent) {
    if (!*clean) strcpy(factor, "\u00d7");
    write_power(axis->exponent, factor + strlen(factor));
    if (*clean) strcat(factor, " ");
  }
  if (axis->shift != 0) {
    char digits[DRAW_NUMBER_MAX], grouped[DRAW_NUMBER_MAX];
    double shift = scaled(axis->shift, axis->m, axis->power);
    snprintf(digits, sizeof digits, "%.15g", fabs(shift));
    group(digits, true, grouped, sizeof grouped);
    snprintf(offset, sizeof offset, "%s%s%.60s", *factor || *clean ? ", " : "",
             shift < 0 ? "\u2212" : "+", grouped);
  }
  bool some = *factor || *clean || *offset;
  snprintf(out, size, some ? "(%s%s%s)" : "%s%s%s", factor, clean, offset);
}

void draw_number(double value, char *out, size_t size) {
  char digits[DRAW_NUMBER_MAX], power[48];
  double magnitude = fabs(value);
  if (magnitude == 0 || (magnitude >= TINY && magnitude < LARGE)) {
    int before = magnitude == 0 ? 0 : (int)floor(log10(magnitude));
    snprintf(digits, sizeof digits, "%.*f", before >= 1 ? 0 : 1 - before, value);
    group(digits, true, out, size);
    return;
  }
  snprintf(digits, sizeof digits, "%.1e", value);
  char *e = strchr(digits, 'e');
  int exponent = 0;
  if (!e || sscanf(e + 1, "%d", &exponent) != 1) exponent = 0;
  if (e) *e = 0;
  write_power(exponent, power);
  char mantissa[DRAW_NUMBER_MAX];
  group(digits, true, mantissa, sizeof mantissa);
  snprintf(out, size, "%.40s\u00d7%s", mantissa, power);
}
