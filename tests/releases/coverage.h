/* coverage.h - how often bands held, and whether that is as often as they say. */
#ifndef TEST_COVERAGE_H
#define TEST_COVERAGE_H

#include "density_fixture.h"

static const double confidences[] = {0.5, 0.9, 0.95, 0.99};
enum { LEVELS = 4, PLACES = 4 };

/* Of all draws, those within the band everywhere, and at each of a few places; and within a band
 * that is too narrow. */
typedef struct tally {
  size_t sup, shrunk_sup, point[PLACES], shrunk_point;
} tally;

static inline void judge(const char *name, const tally *t, size_t draws, double confidence,
                         bool sharp) {
  print_message(
      "%s at %.2f: everywhere %.3f, at one place %.3f %.3f %.3f %.3f; shrunk %.3f, %.3f\n", name,
      confidence, (double)t->sup / (double)draws, (double)t->point[0] / (double)draws,
      (double)t->point[1] / (double)draws, (double)t->point[2] / (double)draws,
      (double)t->point[3] / (double)draws, (double)t->shrunk_sup / (double)draws,
      (double)t->shrunk_point / (double)draws);
  assert_false(binomial_too_few(t->sup, draws, confidence));
  for (int i = 0; i < PLACES; i++) assert_false(binomial_too_few(t->point[i], draws, confidence));
  if (sharp) {
    assert_true(binomial_too_few(t->shrunk_sup, draws, confidence));
    assert_true(binomial_too_few(t->shrunk_point, draws, confidence));
  }
}

#endif
