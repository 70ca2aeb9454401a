/* covariance.h - normal vectors by their covariance, in plain loops that share nothing with the
 * library: what an attacker computes. */
#ifndef TESTS_AUDIT_COVARIANCE_H
#define TESTS_AUDIT_COVARIANCE_H

#include <stddef.h>

/* Variance that is taken for none, relative to the largest: far below the nugget (1e-6), and far
 * above the rounding of a factor (1e-16 x count). */
#define COVARIANCE_FLOOR 1e-12

/* covariance := scale^2 map map', the map count x terms, row by row. */
void covariance_square(double *covariance, const double *map, size_t count, size_t terms,
                       double scale);

/* The lower Cholesky factor of covariance + COVARIANCE_FLOOR of its largest entry, in place: where
 * there is no noise at all the attacker works with that much. */
void covariance_factor(double *covariance, size_t count);

/* v := covariance^-1 v, from the factor. */
void covariance_solve(const double *factor, double *v, size_t count);

/* A unit vector along which the variance is least. */
void covariance_least(const double *factor, double *v, size_t count);

#endif
