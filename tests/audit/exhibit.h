/* exhibit.h - values at places with the noise of an engine, laid out for the audit: the values of
 * both inputs and the noise are made by the production code, and the covariance of the noise is
 * read off the engine itself, by giving it one unit normal after another.  So the best attack is
 * known, and how well it does: on these inputs the release is mu-GDP with mu = |C^-1/2 (v1 - v0)|,
 * and no more private. */
#ifndef TESTS_AUDIT_EXHIBIT_H
#define TESTS_AUDIT_EXHIBIT_H

#include "audit/audit.h"
#include "mechanisms/placed.h"
#include "random/stream.h"
#include "sfumato/function.h"
#include "trial.h"

/* Scores of a release y whose values before noise are v0 or v1, and whose noise has covariance C.
 */
enum {
  EXHIBIT_RATIO, /* (v1 - v0)' C^-1 (y - v0): the likelihood ratio */
  EXHIBIT_LEAST, /* y along the direction in which there is least noise */
  EXHIBIT_PAIR,  /* y_i - y_j, where i and j are as near as two places are that differ */
  EXHIBIT_ONE,   /* y where v0 and v1 differ most */
  EXHIBIT_SUM,   /* of all y */
  EXHIBIT_UNITS, /* the low bits of that one y, in units */
  EXHIBIT_ZEROS, /* how many low bits of it, as a double, are zero */
  EXHIBIT_SCORES
};

typedef struct exhibit {
  /* What is public, and what is claimed.  A twin changes it between init and arm. */
  sfm_engine engine;
  sfm_kernel kernel; /* of the noise */
  double bandwidth[SFM_MAX_DIMENSION];
  sfmi_places places;
  double *points; /* of the places; NULL: a grid */
  double nugget, scale, mu;
  double *factor; /* a twin's own noise, scale x factor x normals; NULL: the engine's */
  size_t normals; /* columns of the factor */
  /* The values of both inputs: integers in units, and as numbers. */
  double unit;            /* 0: a function of doubles */
  sfmi_i128 *integers[2]; /* NULL then */
  double *values[2];
  /* From arm on. */
  sfmi_placer *placer;
  sfmi_stream *stream;       /* of a factor */
  double *released, *random; /* the latest release; room for a factor's normals */
  double *ratio, *least;     /* weights of two scores */
  size_t pair[2], widest;
} exhibit;

/* A problem with bounds 0:8 and bandwidth 1 in one or two dimensions, epsilon 2 and delta 0.1, and
 * values on a grid of 9 or 3 x 3; and values at a list of places instead. */
trial exhibit_line(sfm_engine engine, sfm_kernel_family kernel, size_t dimension);
void exhibit_at(trial *t, const double *points, size_t numbers);

/* Everything up to the noise, compared bit for bit with seeded releases of the public function.
 * rows[k] are those of input k, row by row; t->settings says all else but the seed, and that the
 * method is gp unless it is sobolev. */
void exhibit_init_density(exhibit *e, const trial *t, const double *const rows[2], size_t count);
/* The same for a function; its context is a pointer to the number of the input, an int. */
void exhibit_init_function(exhibit *e, const sfm_function_settings *settings);
/* Makes the sampler (from the operating system in the long tier, else seeded) and the attack. */
void exhibit_arm(exhibit *e);
void exhibit_clear(exhibit *e);

/* What mu is on these inputs, where less noise than GAUSS_FLOOR counts as that much.  Armed. */
double exhibit_mu(const exhibit *e);

/* One release into e->released, and its scores: an audit_draw. */
void exhibit_draw(void *context, int input, double *scores);
void exhibit_score(const exhibit *e, double *scores);

/* Arms, audits and clears.  With endless draws the audit would find exhibit_mu, which for an honest
 * mechanism must be at least `reach` of the claimed mu, and not above it. */
void exhibit_honest(const char *name, exhibit *e, double epsilon, double delta, double reach,
                    double share);
void exhibit_twin(const char *name, exhibit *e, double epsilon, double delta);

#endif
