/* suite_main.c - one program for all suites of a room: runs those that are named, else all.
 *
 * suites.h, which the build writes, has a line SUITE(test_<noun>) for each; the build calls the
 * main of tests/<room>/test_<noun>.c test_<noun>_main. */
#include <stdio.h>
#include <string.h>

#define SUITE(name) int name##_main(void);
#include "suites.h"
#undef SUITE

static const struct {
  const char *name;
  int (*run)(void);
} suites[] = {
#define SUITE(name) {#name, name##_main},
#include "suites.h"
#undef SUITE
};

enum { COUNT = sizeof suites / sizeof *suites };

/* 0 when all tests passed. */
static int run(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(suites[i].name, name) == 0) return suites[i].run() != 0;
  fprintf(stderr, "there is no suite %s here; there are:\n", name);
  for (size_t i = 0; i < COUNT; i++) fprintf(stderr, "  %s\n", suites[i].name);
  return 2;
}

int main(int count, char **words) {
  int worst = 0;
  for (int i = 1; i < count; i++) {
    const int code = run(words[i]);
    if (code > worst) worst = code;
  }
  for (size_t i = 0; count < 2 && i < COUNT; i++)
    if (suites[i].run() != 0) worst = 1;
  return worst;
}
