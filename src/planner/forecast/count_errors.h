/* count_errors.h - what integer noise does to counts, on average: exact sums over the law, in
 * doubles.
 *
 * Discrete Laplace noise Z of scale b has P(Z = z) = (1-a)/(1+a) a^|z|, a = e^(-1/b); rounded
 * normal noise of scale s is the nearest integer to s N.  Sums with very many terms are integrals
 * to 1e-7 of their value. */
#ifndef SFMI_COUNT_ERRORS_H
#define SFMI_COUNT_ERRORS_H

#include <stdbool.h>

/* A law of integer noise. */
typedef struct sfmi_integer_noise {
  bool normal;
  double scale;
} sfmi_integer_noise;

/* Mean errors: E|error| and E error^2; lost: the part of E|error| that is counts below the
 * threshold. */
typedef struct sfmi_count_error {
  double absolute, square, lost;
} sfmi_count_error;

/* P(|Z| >= k), k >= 1 whole. */
double sfmi_count_error_tail(sfmi_integer_noise law, double k);
/* The error of one number with noise; E max |Z_i| over so many; E|sum of so many|, for Laplace
 * noise. */
sfmi_count_error sfmi_count_error_of_noise(sfmi_integer_noise law);
double sfmi_count_error_largest(sfmi_integer_noise law, double cells);
double sfmi_count_error_of_sum(double scale, double cells);

/* Laplace noise on a count that is zero unless the sum is at least `least` (a whole number >= 1):
 * the error against the count. */
sfmi_count_error sfmi_count_error_thresholded(double scale, double least, double count);
/* Its mean |error| for the worst count >= 1; and the largest ratio of mean |error| to count. */
double sfmi_count_error_worst(double scale, double least);
double sfmi_count_error_worst_part(double scale, double least);

/* The truncated geometric mechanism: a count of 0 to n plus discrete Laplace noise of scale
 * 1/epsilon, brought into 0 to n.  Its error at a count; and E|error| at the worst,
 * which is n/2. */
sfmi_count_error sfmi_count_error_truncated_at(double epsilon, double n, double count);
double sfmi_count_error_truncated(double epsilon, double n);

#endif
