/* axis.h - ticks at 1, 2 or 5 times a power of ten, or at parts of a day, a week or a turn; and how
 * they are written. */
#ifndef DRAW_AXIS_H
#define DRAW_AXIS_H

#include <stdbool.h>
#include <stddef.h>

/* Tick i stands at (first + i) m 10^power, and is written as
 * (first + i - shift) m 10^(power - exponent); shift and exponent, where not 0, go to the label.
 * An axis that is raised has the decimal logarithms of what is written: whole k for 10^k; if it is
 * fine, tick i is that of number first + i of 1, 2, 5, 10, 20, 50, ..., counted from 0. */
typedef struct draw_axis {
  double lower, upper;
  unsigned count;
  double first, shift;
  int m, power, exponent;
  bool raised, fine;
  bool plain;       /* a raised one is written 0.5, 1,000 and not 10^k */
  const char *mark; /* follows every number that is written; NULL: nothing does */
} draw_axis;

/* At most `most` ticks between finite lower < upper; only at whole numbers if whole.  There may be
 * none, when the bounds are too close for double precision. */
void draw_axis_init(draw_axis *axis, double lower, double upper, unsigned most, bool whole);
/* The same for decimal logarithms. */
void draw_axis_raise(draw_axis *axis, double lower, double upper, unsigned most);
/* The same with ticks at 1, 2 and 5 times the powers of ten where most allows, written as plain
 * numbers where they are short.  mark is borrowed. */
void draw_axis_log(draw_axis *axis, double lower, double upper, unsigned most, const char *mark);
double draw_axis_tick(const draw_axis *axis, unsigned i);
/* Whether numbers between these bounds are years, and written without commas. */
bool draw_axis_of_years(double lower, double upper);
/* "-0.5" with a true minus sign, "2,000". */
void draw_axis_write(const draw_axis *axis, unsigned i, char *out, size_t size);
/* What follows an axis' name: its unit, factor and offset, "(10^6 euro)"; or nothing. */
void draw_axis_suffix(const draw_axis *axis, const char *unit, char *out, size_t size);
/* A lone number to two significant digits: "0.0031", "1.2 x 10^-9". */
void draw_number(double value, char *out, size_t size);

#define DRAW_NUMBER_MAX 96
#define DRAW_SUFFIX_MAX 256

#endif
