/* gp_audit.h - values at places with the noise of an engine, laid out for the audit: the values of
 * both inputs and the noise are made by the production code, and the covariance of the noise is
 * read off the engine itself, by giving it one unit normal after another.  So the best attack is
 * known, and how well it does: on these inputs the release is mu-GDP with mu = |C^-1/2 (v1 - v0)|,
 * and no more private. */
#ifndef TESTS_AUDIT_GP_AUDIT_H
#define TESTS_AUDIT_GP_AUDIT_H

#include "audit.h"
#include "mechanisms/core/gp_noise.h"
#include "random/stream.h"
#include "sfumato/function.h"
#include "density_fixture.h"

/* Scores of a release y whose values before noise are v0 or v1, and whose noise has covariance C.
 */
enum {
  GP_AUDIT_RATIO, /* (v1 - v0)' C^-1 (y - v0): the likelihood ratio */
  GP_AUDIT_LEAST, /* y along the direction in which there is least noise */
  GP_AUDIT_PAIR,  /* y_i - y_j, where i and j are as near as two places are that differ */
  GP_AUDIT_ONE,   /* y where v0 and v1 differ most */
  GP_AUDIT_SUM,   /* of all y */
  GP_AUDIT_UNITS, /* the low bits of that one y, in units */
  GP_AUDIT_ZEROS, /* how many low bits of it, as a double, are zero */
  GP_AUDIT_SCORES
};

typedef struct gp_audit {
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
  sfmi_gp_noise *gp_noise;
  sfmi_stream *stream;       /* of a factor */
  double *released, *random; /* the latest release; room for a factor's normals */
  double *ratio, *least;     /* weights of two scores */
  size_t pair[2], widest;
} gp_audit;

/* A problem with bounds 0:8 and bandwidth 1 in one or two dimensions, epsilon 2 and delta 0.1, and
 * values on a grid of 9 or 3 x 3; and values at a list of places instead. */
density_fixture gp_audit_line(sfm_engine engine, sfm_kernel_family kernel, size_t dimension);
void gp_audit_at(density_fixture *t, const double *points, size_t numbers);

/* Everything up to the noise, compared bit for bit with seeded releases of the public function.
 * rows[k] are those of input k, row by row; t->settings says all else but the seed, and that the
 * method is gp unless it is sobolev. */
void gp_audit_init_density(gp_audit *e, const density_fixture *t, const double *const rows[2],
                           size_t count);
/* The same for a function; its context is a pointer to the number of the input, an int. */
void gp_audit_init_function(gp_audit *e, const sfm_function_settings *settings);
/* Makes the sampler (from the operating system in the long tier, else seeded) and the attack. */
void gp_audit_arm(gp_audit *e);
void gp_audit_clear(gp_audit *e);

/* What mu is on these inputs, where less noise than COVARIANCE_FLOOR counts as that much.  Armed.
 */
double gp_audit_mu(const gp_audit *e);

/* One release into e->released, and its scores: an audit_draw. */
void gp_audit_draw(void *context, int input, double *scores);
void gp_audit_score(const gp_audit *e, double *scores);

/* Arms, audits and clears.  With endless draws the audit would find gp_audit_mu, which for an
 * honest mechanism must be at least `reach` of the claimed mu, and not above it. */
void gp_audit_honest(const char *name, gp_audit *e, double epsilon, double delta, double reach,
                     double share);
void gp_audit_twin(const char *name, gp_audit *e, double epsilon, double delta);

#endif
