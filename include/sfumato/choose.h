/* choose.h - one of public candidates, by private scores: the exponential mechanism. */
#ifndef SFUMATO_CHOOSE_H
#define SFUMATO_CHOOSE_H

#include "sfumato/ledger.h"
#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most candidates. */
#define SFM_CANDIDATES_MAX 1000000

/* Everything here is public, the candidates too.  Pointers are borrowed. */
typedef struct sfm_choose_settings {
  double sensitivity; /* how far one record can move any one score */
  /* No two scores move in opposite directions when a record is added or removed.  Refused under
   * SFM_REPLACE: a record replaced may leave one score and join another. */
  bool monotonic;
  sfm_neighbours neighbours;
  uint32_t contributions; /* the sensitivity is multiplied by it */
  const char *person;     /* as for a vector (sfumato/vector.h) */
  double epsilon;
  double confidence;        /* of the band: how far the chosen score is below the best */
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  /* When scores are given as NULL: fills them in, called once, after the charge. */
  sfm_status (*read)(void *context, double *scores, size_t count, sfm_error *error);
  void *read_context;
  bool seeded; /* for tests: the release says it is not private */
  uint64_t seed;
} sfm_choose_settings;

SFM_API sfm_choose_settings sfm_choose_settings_default(void);

/* Checks settings and candidates (UTF-8, none empty, none twice), before anything private is read.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_choose_check(const sfm_choose_settings *settings,
                                                   const char *const *candidates, size_t count,
                                                   sfm_error *error);

/* Chooses a candidate, the likelier the higher its score, kind "choice".  A score that is NaN
 * counts as zero; one beyond 2^51 steps (at least 2^39 sensitivities) as the end of that range.
 * Privacy: epsilon-DP, if neighbours' scores differ by at most the stated sensitivity each, and
 * with monotonic (add-remove only) all in one direction.  Exact, in integers.
 * Proof: docs/proofs/selection.md.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_choose_release(sfm_release **out,
                                                     const char *const *candidates,
                                                     const double *scores, size_t count,
                                                     const sfm_choose_settings *settings,
                                                     sfm_error *error);

/* How many candidates a choice was among (0: the release is none), the i-th one's name, owned by
 * the release, and which was chosen (SIZE_MAX: the release is none). */
SFM_API size_t sfm_release_candidates(const sfm_release *release);
SFM_API const char *sfm_release_candidate(const sfm_release *release, size_t i);
SFM_API size_t sfm_release_chosen(const sfm_release *release);

#ifdef __cplusplus
}
#endif
#endif
