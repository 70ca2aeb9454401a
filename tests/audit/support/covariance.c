#include "covariance.h"

#include <math.h>

void covariance_square(double *covariance, const double *map, size_t count, size_t terms,
                       double scale) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t k = 0; k < terms; k++) sum += map[i * terms + k] * map[j * terms + k];
      covariance[i * count + j] = covariance[j * count + i] = scale * scale * sum;
    }
}

void covariance_factor(double *covariance, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, covariance[i * count + i]);
  for (size_t i = 0; i < count; i++) {
    double *row = covariance + i * count;
    row[i] += COVARIANCE_FLOOR * largest;
    for (size_t j = 0; j <= i; j++) {
      const double *other = covariance + j * count;
      for (size_t k = 0; k < j; k++) row[j] -= row[k] * other[k];
      row[j] = j < i ? row[j] / other[j] : sqrt(fmax(row[j], COVARIANCE_FLOOR / 2 * largest));
    }
  }
}

void covariance_solve(const double *factor, double *v, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < i; k++) v[i] -= factor[i * count + k] * v[k];
    v[i] /= factor[i * count + i];
  }
  for (size_t i = count; i-- > 0;) {
    v[i] /= factor[i * count + i];
    for (size_t k = 0; k < i; k++) v[k] -= factor[i * count + k] * v[i];
  }
}

/* Powers of the inverse. */
void covariance_least(const double *factor, double *v, size_t count) {
  for (size_t i = 0; i < count; i++) v[i] = cos((double)(i * i));
  for (int step = 0; step < 100; step++) {
    double norm = 0;
    covariance_solve(factor, v, count);
    for (size_t i = 0; i < count; i++) norm = hypot(norm, v[i]);
    for (size_t i = 0; i < count; i++) v[i] /= norm;
  }
}
