/* limits.h - how little error anyone could have at a given epsilon, and how much sfumato has.
 *
 * Four kinds of number, which must not be confused:
 *   exact     the least risk of any private mechanism, computed
 *   bound     no private mechanism has less in the worst case; proved, with its constant
 *   rate      how the least error grows; its constant is not known, so that the number shown, with
 *             constant 1, bounds nothing
 *   attained  what a mechanism of sfumato has: exactly, or at most
 * All are for pure epsilon, unless they say otherwise, and for the worst database.  Errors are mean
 * absolute ones, summed over the numbers of a table (l1).  Nothing here reads data.
 * Statements, conditions, proofs: docs/proofs/limits.md. */
#ifndef SFUMATO_LIMITS_H
#define SFUMATO_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_limit_kind {
  SFM_LIMIT_EXACT,
  SFM_LIMIT_BOUND,
  SFM_LIMIT_RATE,
  SFM_LIMIT_ATTAINED,
} sfm_limit_kind;

typedef struct sfm_limit {
  const char *name; /* static storage, like expression */
  sfm_limit_kind kind;
  const char *expression; /* "e^-2/epsilon" */
  bool holds;             /* its conditions are met; else value is NaN */
  double value;
  bool comparable; /* the worst mean error that was asked about, at pure epsilon: among these no
                      exact number or bound is above an attained one */
  char why[320];   /* what it says; when it does not hold, why not */
} sfm_limit;

enum { SFM_LIMITS_MAX = 12 };

typedef struct sfm_limits {
  sfm_limit at[SFM_LIMITS_MAX];
  size_t count;
} sfm_limits;

/* What is asked.  Each function says which fields it reads; the others may be anything. */
typedef struct sfm_limits_settings {
  uint64_t n;     /* records, public; 0: as many as it takes (not for a count) */
  double epsilon; /* 1e-6 to 1e3 */
  double delta;   /* 0: no normal noise is shown */
  sfm_neighbours neighbours;
  double worst;          /* a count: the stated worst risk of a mechanism; 0: the geometric one's */
  uint64_t cells;        /* of a table: 1 to 2^62 */
  uint64_t occupied;     /* of them, at most so many are not empty */
  const uint64_t *sizes; /* of margins: the categories of every column */
  size_t columns;        /* 1 to 64 */
} sfm_limits_settings;

/* replace, no delta; the rest must be set. */
SFM_API sfm_limits_settings sfm_limits_settings_default(void);

/* A count of 0 to n: n, epsilon, worst.  Takes up to some seconds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_count(sfm_limits *limits,
                                                   const sfm_limits_settings *settings,
                                                   sfm_error *error);
/* A table: cells, n, epsilon, delta, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_histogram(sfm_limits *limits,
                                                       const sfm_limits_settings *settings,
                                                       sfm_error *error);
/* A table that is mostly empty: cells, occupied, n, epsilon, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_sparse(sfm_limits *limits,
                                                    const sfm_limits_settings *settings,
                                                    sfm_error *error);
/* All one-way margins of a table, every category counted: sizes, columns, n, epsilon, delta,
 * neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_margins(sfm_limits *limits,
                                                     const sfm_limits_settings *settings,
                                                     sfm_error *error);

/* "exact", "bound", "rate", "attained".  Static storage. */
SFM_API const char *sfm_limit_kind_name(sfm_limit_kind kind);

#ifdef __cplusplus
}
#endif
#endif
