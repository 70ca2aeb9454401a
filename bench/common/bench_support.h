/* bench_support.h - what all benchmarks share: a clock, and an end where something fails. */
#ifndef BENCH_SUPPORT_H
#define BENCH_SUPPORT_H

#include "sfumato/status.h"

/* Seconds that have passed, from some moment on. */
double bench_clock(void);

/* Ends the program, with the message, when something failed. */
void bench_check(sfm_status status, const sfm_error *error);
/* The memory; ends the program when it is NULL. */
void *bench_memory(void *memory);

#endif
