/* online.h - a density that answers questions for ever.
 *
 * A session is one random function, drawn and paid for once, when it is created, and kept in a
 * private file (.sfs, mode 0600: it holds the function without noise and the latent state, so
 * whoever reads it has no privacy).  Questions are places in the domain; the same place always has
 * the same answer, in whatever order questions come, after any crash and in every copy of the file.
 * An answer is on the disk before sfm_online_ask returns.
 *
 * spectral: the whole function is released when the session is created; answers are evaluations.
 * markov:   laplacian and matern kernels of one variable; the latent normals belong to a key and to
 *           the nodes of a dyadic tree, so that copies of the file are one function.
 * gram:     any kernel and dimension; each answer is drawn given all before it.  A generation
 * number in the ledger or in an anchor is raised before answers are shown, and a copy that is
 *           behind it is refused (SFM_REFUSED). */
#ifndef SFUMATO_ONLINE_H
#define SFUMATO_ONLINE_H

#include "sfumato/density.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_online sfm_online;

/* Reads the rows and makes the session file; fails if there is one.  settings as for a density with
 * method gp (engine AUTO: spectral for gaussian, markov where it can be, else gram; not circulant;
 * release_* unused).  anchor: for gram without a ledger, a file to keep the generation in,
 * elsewhere than the session; NULL otherwise.  With a charge, repeating the request with the same
 * parameters finishes what a crash cut short and never makes a second draw. Privacy: mu-GDP for all
 * answers ever given, together; spectral hardened, else idealised. Proof: docs/proofs/online.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_create(const char *path, sfm_rows *rows,
                                                    const sfm_density_settings *settings,
                                                    const char *anchor, sfm_error *error);

/* Opens a session to ask it.  Several processes may have it open. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_open(sfm_online **out, const char *path,
                                                  sfm_error *error);
SFM_API void sfm_online_close(sfm_online *session);

/* values[i] at points[i] (count x dimension; all of them within the domain, else nothing is
 * answered).  Durable when it returns. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_ask(sfm_online *session, double *values,
                                                 const double *points, size_t count,
                                                 sfm_error *error);

/* What is public of it. */
typedef struct sfm_online_facts {
  sfm_engine engine;
  sfm_kernel_family kernel;
  size_t dimension;
  uint64_t answers;   /* stored so far; 0 for spectral, which stores none */
  double work, bytes; /* multiplications and bytes that the next answer takes (gram grows) */
} sfm_online_facts;
SFM_API sfm_online_facts sfm_online_about(const sfm_online *session);
/* The name and the bounds of variable i; the name is owned by the session. */
SFM_API const char *sfm_online_column(const sfm_online *session, size_t i);
SFM_API void sfm_online_bounds(const sfm_online *session, double *lower, double *upper, size_t i);

/* Everything answered so far as a release: for spectral the function, else points and values (at
 * least one must have been asked).  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_transcript(const sfm_online *session,
                                                        sfm_release **out, sfm_error *error);

/* Overwrites and removes the session file of an open session, durably.  Close it afterwards. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_wipe(sfm_online *session, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
