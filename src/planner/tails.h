/* tails.h - what integer noise does to counts, on average: exact sums over the law, in doubles.
 *
 * Discrete Laplace noise Z of scale b has P(Z = z) = (1-a)/(1+a) a^|z|, a = e^(-1/b); rounded
 * normal noise of scale s is the nearest integer to s N.  Sums with very many terms are integrals
 * to 1e-7 of their value. */
#ifndef SFMI_TAILS_H
#define SFMI_TAILS_H

#include <stdbool.h>

/* A law of integer noise. */
typedef struct sfmi_tail {
  bool normal;
  double scale;
} sfmi_tail;

/* An error on average: E|error| and E error^2, and what of the first is counts that were lost. */
typedef struct sfmi_mishap {
  double absolute, square, lost;
} sfmi_mishap;

/* P(|Z| >= k), k >= 1 whole. */
double sfmi_tail_beyond(sfmi_tail law, double k);
/* Of one number with noise; E max |Z_i| of so many; E|sum of so many|, of Laplace noise only. */
sfmi_mishap sfmi_tail_one(sfmi_tail law);
double sfmi_tail_most(sfmi_tail law, double cells);
double sfmi_tail_summed(double scale, double cells);

/* Laplace noise on a count that is zero unless the sum is at least `least` (a whole number >= 1):
 * the error against the count. */
sfmi_mishap sfmi_tail_kept(double scale, double least, double count);
/* Its mean |error| for the worst count >= 1; and the worst part of a count that it is. */
double sfmi_tail_worst(double scale, double least);
double sfmi_tail_worst_part(double scale, double least);

/* The truncated geometric mechanism: a count of 0 to n plus discrete Laplace noise of scale
 * 1/epsilon, brought into 0 to n.  Its error at a count; and E|error| at the worst, which is n/2.
 */
sfmi_mishap sfmi_tail_truncated_at(double epsilon, double n, double count);
double sfmi_tail_truncated(double epsilon, double n);

#endif
