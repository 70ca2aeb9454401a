/* subject.h - a hardened mechanism laid out for the audit: the integers of both inputs, made by the
 * production code, and its noise, drawn afresh for every release. */
#ifndef TESTS_AUDIT_SUBJECT_H
#define TESTS_AUDIT_SUBJECT_H

#include "audit/audit.h"
#include "features/basis.h"
#include "mechanisms/integers.h"
#include "mechanisms/coordinates.h"
#include "mechanisms/summed.h"

/* Scores of a hardened release y whose values before noise are v0 or v1. */
enum {
  SCORE_RATIO,    /* a monotone function of the likelihood ratio: the best test there is */
  SCORE_TOTAL,    /* the sum of y */
  SCORE_LOW_BITS, /* the low bits of y where v0 and v1 differ most */
  SUBJECT_SCORES
};

typedef struct subject {
  size_t length;
  sfmi_i128 *values[2]; /* those that get noise */
  sfmi_hardening hardening;
  sfmi_hardener *hardener;
  int64_t *released; /* the latest release */
  size_t widest;     /* where the inputs differ most */
} subject;

/* The most columns. */
#define SUBJECT_DIMENSIONS 6

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

/* Whether SFM_LONG is set, and how many releases are then drawn on each input. */
bool audit_long(void);
size_t audit_draws(void);

/* The random features of a problem, those of every seeded release of it; to be destroyed. */
sfmi_basis *subject_basis(const density_problem *problem);

/* Everything up to the noise, checked bit for bit against a seeded release of the public function
 * (unless the lattice's order is forced).  A wrong hardening can be put in before subject_arm. */
void subject_init_density(subject *s, const density_problem *problem);
void subject_init_vector(subject *s, const sfm_vector_settings *settings, const double *theta[2],
                         size_t length);
/* laplace and normal noise; gamma: the hardening is of its step and sensitivity alone, and of no
 * use to subject_arm. */
void subject_init_series(subject *s, const series_problem *problem);
/* Makes the sampler: from the operating system in the long tier, else seeded. */
void subject_arm(subject *s);
void subject_clear(subject *s);

/* Multiplies the noise scale by numerator/denominator. */
void subject_scale(subject *s, uint64_t numerator, uint64_t denominator);

/* One release into s->released, and its scores: an audit_draw. */
void subject_draw(void *context, int input, double *scores);
void subject_score(const subject *s, double *scores);

/* Runs the audit and prints its line.  Honest: fails if the bound is
 * above epsilon, or below share x epsilon (the audit would have no power).  Twin: fails unless the
 * bound is above epsilon. */
void audit_honest(const audit_mechanism *mechanism, double share);
void audit_twin(const audit_mechanism *mechanism);
/* The same with other numbers of draws than audit_draws() and half of them. */
void audit_honest_of(const audit_mechanism *mechanism, size_t draws, double share);
void audit_twin_of(const audit_mechanism *mechanism, size_t draws);

#endif
