/* interactive.c - an interactive session beside other ways of answering the same questions with the
 * same guarantee for all answers together, and how fast it answers.
 *
 *   session  mean |answer - value without noise| over T questions of the law of the rows; of 1, 4,
 *            16 and 64 epochs the best number, found by trying: what is possible
 *   fresh    noise for every answer by itself (its mean, from the law)
 *   once     one release of all weights, which answers everything for ever: gp, or gamma noise
 *            where epsilon is pure
 *   tddl     one release fitted at 500 public points of the law of the questions
 *   nothing  answering 0
 *
 *   bench_interactive [FOLDER [MOST [ROWS [ONLY]]]]
 *
 * The folder is where sessions are written; most questions and rows (10^6 each); only `speed`, or
 * the simulated_problem of that name (interactive/simulated_rows.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interactive/session_comparison.h"
#include "interactive/session_speed.h"

static const double EPSILON = 1, DELTA = 1e-6;

static session_comparison_result best_session(const session_comparison *c, size_t questions,
                                              double delta) {
  static const uint64_t epochs[] = {1, 4, 16, 64};
  session_comparison_result best = {.error = INFINITY};
  for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
    const session_comparison_result s =
        session_comparison_interact(c, questions, epochs[i], EPSILON, delta);
    if (s.error < best.error) best = s;
  }
  return best;
}

static const char *winner(double session, double fresh, double once, double nothing) {
  if (nothing <= fmin(session, fmin(fresh, once))) return "nothing";
  if (once <= fmin(session, fresh)) return "once";
  return session <= fresh ? "session" : "fresh";
}

static void compare(session_comparison *c, size_t rows, size_t most, double delta) {
  const double once = session_comparison_one_release(c, EPSILON, delta),
               semi = session_comparison_tddl(c, EPSILON, delta);
  for (size_t questions = 1000; questions <= most; questions *= 10) {
    const session_comparison_result s = best_session(c, questions, delta);
    const double fresh = session_comparison_fresh_noise(c, questions, EPSILON, delta),
                 nothing = session_comparison_error_of_zero(c, questions);
    printf("%7g %8zu %8zu %8.3g %8.3g %6.1f %% %2llu of %2llu %8.3g %8.3g %8.3g %8.3g  %s\n", delta,
           rows, questions, s.error, s.bar, 100 * s.inside, (unsigned long long)s.used,
           (unsigned long long)s.epochs, fresh, once, semi, nothing,
           winner(s.error, fresh, once, nothing));
  }
}

static void run_town(simulated_rows_kind kind, size_t most_rows, size_t most,
                     const sfm_schema *schema) {
  const simulated_problem w = simulated_rows_problem(kind);
  printf("%s: %s, lambda %g, epsilon %g\n", w.name, w.features, w.settings.lambda, EPSILON);
  printf("%7s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s  %s\n", "delta", "rows", "T", "session",
         "its bar", "within", "epochs", "fresh", "once", "tddl", "nothing", "least, but tddl");
  for (size_t rows = 10000; rows <= most_rows; rows *= 10) {
    session_comparison *c = session_comparison_create(kind, rows, most, schema);
    compare(c, rows, most, DELTA);
    compare(c, rows, most, 0);
    session_comparison_destroy(c);
  }
}

int main(int count, char **words) {
  const char *folder = count > 1 ? words[1] : "build/bench", *only = count > 4 ? words[4] : NULL;
  const size_t most = count > 2 ? strtoul(words[2], NULL, 10) : 1000000;
  const size_t rows = count > 3 ? strtoul(words[3], NULL, 10) : 1000000;
  sfm_schema *schema;
  sfm_error error;
  setvbuf(stdout, NULL, _IOLBF, 0);
  bench_check(sfm_schema_create(&schema, &error), &error);
  if (!only || strcmp(only, "speed") == 0) session_speed_measure(folder);
  for (int kind = 0; kind < SIMULATED_COUNT; kind++)
    if (!only || strcmp(only, simulated_rows_problem((simulated_rows_kind)kind).name) == 0)
      run_town((simulated_rows_kind)kind, rows, most, schema);
  sfm_schema_destroy(schema);
  return 0;
}
