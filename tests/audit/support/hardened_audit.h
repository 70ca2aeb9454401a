/* hardened_audit.h - a hardened mechanism laid out for the audit: the integers of both inputs, made
 * by the production code, and its noise, drawn afresh for every release. */
#ifndef TESTS_AUDIT_HARDENED_AUDIT_H
#define TESTS_AUDIT_HARDENED_AUDIT_H

#include "audit.h"
#include "features/bases/basis.h"
#include "mechanisms/functions/density_integers.h"
#include "mechanisms/core/vector_noise.h"
#include "mechanisms/functions/series_release.h"

/* Scores of a hardened release y whose values before noise are v0 or v1. */
enum {
  SCORE_RATIO,    /* a monotone function of the likelihood ratio: the best test there is */
  SCORE_TOTAL,    /* the sum of y */
  SCORE_LOW_BITS, /* the low bits of y where v0 and v1 differ most */
  HARDENED_AUDIT_SCORES
};

typedef struct hardened_audit {
  size_t length;
  sfmi_i128 *values[2]; /* those that get noise */
  sfmi_hardening hardening;
  sfmi_hardener *hardener;
  int64_t *released; /* the latest release */
  size_t widest;     /* where the inputs differ most */
} hardened_audit;

/* The most columns. */
#define HARDENED_AUDIT_DIMENSIONS 6

/* A density problem: rows of both inputs (row by row) under one schema. */
typedef struct density_problem {
  sfm_density_method method;
  size_t dimension;
  bool person;     /* rows have one more column, the id through which contributions are enforced */
  size_t groups;   /* rows have one more column, after that: which of so many they are in, from 0 */
  double width;    /* each column is bounded by 0:width; bandwidth 1 */
  unsigned order;  /* of the lattice; 0: the planner's choice */
  size_t features; /* of gp: by so many random ones */
  sfm_boundary boundary;   /* of every column */
  double period;           /* of every column, where they are periodic; 0: width */
  sfm_density_noise noise; /* of a lattice */
  size_t terms;            /* of fourier-laplace, on the circle of length width */
  sfm_neighbours neighbours;
  uint32_t contributions;
  double epsilon, delta;
  const double *rows[2];
  size_t count[2];
} density_problem;

/* A series problem: column "a" with bounds 0:1, rows of both inputs; eigen is of a gaussian kernel
 * of bandwidth 0.2. */
typedef struct series_problem {
  sfm_basis basis;
  size_t terms;
  double unit; /* hermite */
  sfm_vector_noise noise;
  uint32_t contributions;
  double epsilon, delta;
  const double *rows[2];
  size_t count;
} series_problem;

/* The random features of a problem, those of every seeded release of it; to be destroyed. */
sfmi_basis *hardened_audit_basis(const density_problem *problem);

/* Everything up to the noise, checked bit for bit against a seeded release of the public function
 * (unless the lattice's order is forced).  A wrong hardening can be put in before
 * hardened_audit_arm. */
void hardened_audit_init_density(hardened_audit *s, const density_problem *problem);
/* Of numbers before noise, with the noise that a vector's settings mean; not compared with a
 * release.
 */
void hardened_audit_init_numbers(hardened_audit *s, const sfm_vector_settings *settings,
                                 const double *const theta[2], size_t length);
void hardened_audit_init_vector(hardened_audit *s, const sfm_vector_settings *settings,
                                const double *theta[2], size_t length);
/* laplace and normal noise; gamma: the hardening is of its step and sensitivity alone, and of no
 * use to hardened_audit_arm. */
void hardened_audit_init_series(hardened_audit *s, const series_problem *problem);
/* Makes the sampler: from the operating system in the long tier, else seeded. */
void hardened_audit_arm(hardened_audit *s);
void hardened_audit_clear(hardened_audit *s);

/* Multiplies the noise scale by numerator/denominator. */
void hardened_audit_scale(hardened_audit *s, uint64_t numerator, uint64_t denominator);

/* The mechanism of a density problem, for an audit that is ready to draw. */
audit_mechanism hardened_audit_density_mechanism(const char *name, hardened_audit *s,
                                                 const density_problem *problem);
/* All of it for a density problem as it is: audit_honest. */
void hardened_audit_density_honest(const char *name, const density_problem *problem, double share);

/* One release into s->released, and its scores: an audit_draw. */
void hardened_audit_draw(void *context, int input, double *scores);
void hardened_audit_score(const hardened_audit *s, double *scores);

#endif
