/* online.h - a density that answers questions for ever.
 *
 * A session is one random function, drawn and paid for once, when it is created, and kept in a
 * private file (.sfs, mode 0600: but for spectral it holds the function without noise and the
 * latent state, so that whoever reads it has no privacy).  Questions are places in the domain; the
 * same place always has the same answer, in whatever order questions come, after any crash and in
 * every copy of the file.  An answer is on the disk before sfm_online_ask returns.
 *
 * spectral: the whole function is released when the session is created; answers are evaluations of
 *           it, the same bits in every session of one build.
 * markov:   laplacian and matern kernels of one variable; the latent normals belong to a key and to
 *           the nodes of a dyadic tree, so that copies of the file are one function.
 * gram:     any kernel and dimension; each answer is drawn given all before it, and costs more than
 *           they did.  A generation number in the ledger or in an anchor is raised before answers
 *           are shown, and a copy that is behind it is refused (SFM_REFUSED).  At most 65,536
 *           answers.
 *
 * A session belongs to the process that opened it (not to a child made by fork) and to one thread
 * at a time; any number of processes may have the same file open. */
#ifndef SFUMATO_ONLINE_H
#define SFUMATO_ONLINE_H

#include "sfumato/density.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_online sfm_online;

/* Reads the rows and makes the session file; fails if there is one.  settings as for a density with
 * method gp (AUTO is gp; engine AUTO: spectral for gaussian of up to four variables, markov where
 * it can be, else gram; not circulant; no kernel of the caller's own; release_* unused; markov and
 * gram for replace neighbours only).  anchor: for gram without a ledger, and only there, a new file
 * to keep the generation in, elsewhere than the session; NULL otherwise.
 *
 * While it works there are PATH.lock and PATH.opening, and a crash may leave them; opening or
 * making the session, or making another one in its folder, wipes them, unless the ledger has
 * that session as the answer of its request.  With a charge, repeating the request with the same
 * parameters finishes what a crash cut short, or finds it done, and never makes a second draw: if
 * the session is gone, it is gone (SFM_REFUSED).
 *
 * Privacy: mu-GDP with mu from (epsilon, delta) for all answers ever given by all copies, together;
 * neighbours and contributions as the schema states; spectral hardened, the others idealised.
 * Proof: docs/proofs/online.md.  Blocks while it reads. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_create(const char *path, sfm_rows *rows,
                                                    const sfm_density_settings *settings,
                                                    const char *anchor, sfm_error *error);

/* Opens a session to ask it.  SFM_FORMAT when it is something else or damaged, SFM_REFUSED when it
 * was never finished, or is an older copy of a gram session.  The caller closes it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_open(sfm_online **out, const char *path,
                                                  sfm_error *error);
SFM_API void sfm_online_close(sfm_online *session);

/* values[i] at points[i] (count x dimension; all of them within the domain, else SFM_INVALID names
 * the first that is not, and nothing is answered).  Durable when it returns.  More than 65,536
 * points are answered in portions: should one fail, those before it are answered and stored. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_ask(sfm_online *session, double *values,
                                                 const double *points, size_t count,
                                                 sfm_error *error);

/* What is public of it. */
typedef struct sfm_online_facts {
  sfm_engine engine;
  sfm_kernel_family kernel;
  size_t dimension;
  uint64_t answers;   /* stored when it was last asked; 0 for spectral, which stores none */
  double work, bytes; /* multiplications and bytes that the next answer takes (gram grows) */
} sfm_online_facts;
SFM_API sfm_online_facts sfm_online_about(const sfm_online *session);
/* What all answers ever given promise together, and in a plain sentence, owned by the session. */
SFM_API sfm_guarantee sfm_online_guarantee(const sfm_online *session);
SFM_API const char *sfm_online_sentence(const sfm_online *session);
/* The ledger it was charged to and the anchor of a gram session, from the root; NULL: none.  Owned
 * by the session. */
SFM_API const char *sfm_online_ledger(const sfm_online *session);
SFM_API const char *sfm_online_anchor(const sfm_online *session);
/* The name and the bounds of variable i; the name is owned by the session. */
SFM_API const char *sfm_online_column(const sfm_online *session, size_t i);
SFM_API void sfm_online_bounds(const sfm_online *session, double *lower, double *upper, size_t i);

/* Everything answered so far as a release: for spectral the function, else points and values (at
 * least one must have been asked).  Kind density, method gp.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_transcript(sfm_online *session, sfm_release **out,
                                                        sfm_error *error);

/* Overwrites and removes the session file of an open session, durably, whoever else has it open.
 * Its anchor stays: copies that are left must go on to be told apart.  If a transcript was made and
 * others were answered since, nothing is wiped (SFM_IO): make another.  Close it afterwards. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_wipe(sfm_online *session, sfm_error *error);
/* The same of a session file that nobody has open, and that need not be fit to be asked: an older
 * copy, one that was never finished, one whose ledger or anchor is gone, what is left when wiping
 * it was cut short. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_discard(const char *path, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
