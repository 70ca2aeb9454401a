/* choose.h - chooses one of several public candidates by private scores, with the exponential
 * mechanism. */
#ifndef SFUMATO_CHOOSE_H
#define SFUMATO_CHOOSE_H

#include "sfumato/context.h"
#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of candidates. */
#define SFM_CANDIDATES_MAX 1000000

/* Everything here is public, and so are the candidates.  Pointers are borrowed. */
typedef struct sfm_choose_settings {
  size_t size;         /* of this struct */
  sfm_context context; /* no schema */
  double sensitivity;  /* how far one record can move any one score, in the unit of the scores */
  /* True: if a record is added or removed, all scores that change move in the same direction.
   * Refused under SFM_NEIGHBOURS_REPLACE: replacing a record may lower one score and raise another.
   */
  bool monotonic;
  sfm_neighbours neighbours; /* default: SFM_NEIGHBOURS_REPLACE */
  uint32_t contributions;    /* the sensitivity is multiplied by it; default: 1 */
  const char *person;        /* as in sfm_vector_settings */
  double epsilon;            /* 1e-6 to 1e3 */
  /* If scores are given as NULL: fills them in.  Called once, after the charge. */
  sfm_status (*read)(void *data, double *scores, size_t count, sfm_error *error);
  void *read_data;
} sfm_choose_settings;

/* Returns the defaults.  sensitivity and epsilon must be set. */
SFM_API void sfm_choose_settings_init(sfm_choose_settings *settings, size_t size);
SFM_DEFAULT(sfm_choose_settings)

/* Checks settings and candidates before anything private is read.  Candidates are UTF-8; none is
 * empty and no two are equal. */
SFM_API SFM_MUST_CHECK sfm_status sfm_choose_check(const sfm_choose_settings *settings,
                                                   const char *const *candidates, size_t count,
                                                   sfm_error *error);

/* Chooses one candidate and releases it, kind "choice".  A candidate with a higher score is more
 * likely.  A score that is NaN is replaced by 0.  Scores are rounded to steps; a score beyond 2^51
 * steps (at least 2^39 sensitivities) is replaced by the end of that range.  The caller destroys
 * the release.
 * Privacy: epsilon-DP, if between neighbours each score differs by at most the stated sensitivity
 * and, with monotonic (add-remove only), all scores move in one direction.  Exact, in integers.
 * Proof: docs/proofs/selection.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_choose_release(sfm_release **out,
                                                     const char *const *candidates,
                                                     const double *scores, size_t count,
                                                     const sfm_choose_settings *settings,
                                                     sfm_error *error);

/* Of a release of kind "choice": the number of candidates (0 for other kinds), the name of
 * candidate i (owned by the release), and the index of the chosen one (SIZE_MAX for other kinds).
 */
SFM_API size_t sfm_release_candidates(const sfm_release *release);
SFM_API const char *sfm_release_candidate(const sfm_release *release, size_t i);
SFM_API size_t sfm_release_chosen(const sfm_release *release);
/* Whether scores were stated to be monotonic. */
SFM_API bool sfm_release_monotonic(const sfm_release *release);

#ifdef __cplusplus
}
#endif
#endif
