/* online.h - answers questions about a private density, one at a time.  They are answered in a
 * session, which is charged once.
 *
 * A session is one random function.  It is drawn and charged once, when the session is created, and
 * kept in a private file (.sfs, mode 0600).  Except for spectral, the file contains the function
 * without noise and the latent state: nothing is protected from anyone who reads it.  A question is
 * a point of the domain.  The same point always has the same answer, in any order of questions,
 * after any crash, and in every copy of the file.  An answer is on disk before sfm_online_ask
 * returns.
 *
 * The engines:
 *   spectral  The whole function is released when the session is created, and answers are
 *             evaluations of it.  They are identical in all sessions of one build.
 *   markov    Laplacian and matern kernels of one column.  The latent normals are determined by a
 *             key and the nodes of a dyadic tree, so all copies of the file are the same function.
 *   gram      Any kernel and dimension.  Each answer is drawn given all earlier ones, and takes
 *             longer than they did.  A generation number in the ledger or in an anchor is raised
 *             before answers are returned, and a copy with an older generation is refused
 *             (SFM_REFUSED).  At most 65,536 answers.
 *
 * An open session belongs to the process that opened it (not to a child made by fork) and to one
 * thread at a time.  Any number of processes may have the same file open. */
#ifndef SFUMATO_ONLINE_H
#define SFUMATO_ONLINE_H

#include "sfumato/density.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_online sfm_online;

/* Reads the rows and creates the session file.  Fails if the file exists.  Blocks while it reads.
 *
 * settings are those of a density with method gp.  Method AUTO means gp.  Engine AUTO means
 * spectral for the gaussian kernel with up to four columns, otherwise markov if it is possible,
 * otherwise gram.  The engines circulant and random, and a kernel of the caller's own, are refused.
 * The fields release_* are ignored.  markov and gram need replace neighbours.
 * anchor: for gram without a charge, the path of a new file that keeps the generation; it must not
 * be the session's own path, and should be on another disk.  Otherwise NULL.
 *
 * While it works there are files PATH.lock and PATH.opening; a crash may leave them.  They are
 * wiped when this session is opened or created, or when another session is created in the same
 * folder, unless the ledger records that session as the answer of its request.  With a charge, a
 * repeated request with the same parameters finishes what a crash interrupted, or finds it
 * finished.  It never makes a second draw: if the session is gone, it is refused (SFM_REFUSED).
 *
 * Privacy: mu-GDP with mu from (epsilon, delta) for all answers that all copies ever give,
 * together; neighbours and contributions as the schema states; spectral is hardened, markov and
 * gram are idealised.
 * Proof: docs/proofs/online.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_create(const char *path, sfm_rows *rows,
                                                    const sfm_density_settings *settings,
                                                    const char *anchor, sfm_error *error);

/* Opens a session.  SFM_FORMAT if the file is not a session or is damaged; SFM_REFUSED if the
 * session was never finished, or is an older copy of a gram session.  The caller closes it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_open(sfm_online **out, const char *path,
                                                  sfm_error *error);
SFM_API void sfm_online_close(sfm_online *session);

/* Sets values[i] to the answer at points[i] (count x dimension numbers).  If a point is outside the
 * domain: SFM_INVALID, the message names the first such point, and nothing is answered.  Answers
 * are durable when it returns.  More than 65,536 points are answered in portions; if a portion
 * fails, the earlier ones are answered and stored. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_ask(sfm_online *session, double *values,
                                                 const double *points, size_t count,
                                                 sfm_error *error);

/* The public facts of a session. */
typedef struct sfm_online_facts {
  sfm_engine engine;
  sfm_kernel_family kernel;
  size_t dimension;
  uint64_t answers;   /* stored, as of the last question; 0 for spectral, which stores none */
  double work, bytes; /* multiplications and bytes for the next answer; they grow for gram */
} sfm_online_facts;
/* Returns them. */
SFM_API sfm_online_facts sfm_online_about(const sfm_online *session);
/* Returns the guarantee of all answers together, as numbers and as a sentence (owned by the
 * session). */
SFM_API sfm_guarantee sfm_online_guarantee(const sfm_online *session);
SFM_API const char *sfm_online_sentence(const sfm_online *session);
/* Return the absolute path of the ledger that was charged, and of the anchor of a gram session;
 * NULL: none.  Owned by the session. */
SFM_API const char *sfm_online_ledger(const sfm_online *session);
SFM_API const char *sfm_online_anchor(const sfm_online *session);
/* Return the name (owned by the session) and the bounds of column i. */
SFM_API const char *sfm_online_column(const sfm_online *session, size_t i);
SFM_API void sfm_online_bounds(const sfm_online *session, double *lower, double *upper, size_t i);

/* Makes a release of all answers so far, kind "density", method "gp": for spectral the function,
 * otherwise points and values.  At least one question must have been asked, except for spectral.
 * The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_transcript(sfm_online *session, sfm_release **out,
                                                        sfm_error *error);

/* Overwrites and removes the file of an open session, durably, even if others have it open.  Close
 * the session afterwards.  The anchor is kept, so that remaining copies are still recognised as
 * copies.  If a transcript was made and questions were answered after it, nothing is wiped
 * (SFM_IO): make another transcript. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_wipe(sfm_online *session, sfm_error *error);
/* The same for a session file that nobody has open.  The file may be one that cannot be asked any
 * more: an older copy, a session that was never finished, a session whose ledger or anchor is gone,
 * or what remains after an interrupted wipe. */
SFM_API SFM_MUST_CHECK sfm_status sfm_online_discard(const char *path, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
