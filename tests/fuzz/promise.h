/* promise.h - what must hold whatever the input is: a fuzz target that breaks it is stopped. */
#ifndef TESTS_FUZZ_PROMISE_H
#define TESTS_FUZZ_PROMISE_H

#include <stdio.h>
#include <stdlib.h>

#define PROMISE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "broken promise: %s\n", #condition);                                         \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#endif
