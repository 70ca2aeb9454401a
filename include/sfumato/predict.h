/* predict.h - computes what a release promises under predictive differential privacy (Hall's
 * thesis, definition 5.4.1).  This is not differential privacy, and is never charged as such.
 *
 * (epsilon, gamma)-predictive privacy is epsilon-DP between neighbours whose records are all in a
 * set S, where a record is in S with probability 1 - gamma.  This probability is an assumption of
 * the owner.  The functions here compute the epsilon between records of S, from public facts of the
 * release alone. */
#ifndef SFUMATO_PREDICT_H
#define SFUMATO_PREDICT_H

#include "sfumato/release.h"
#include "sfumato/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The values that the records of S have in one column: numbers from lower to upper (interval true),
 * or one of the texts.  Pointers are borrowed. */
typedef struct sfm_supposition {
  const char *column;
  bool interval;
  double lower, upper;
  const char *const *texts;
  size_t text_count;
} sfm_supposition;

/* Computes what a released histogram promises if one record of S is replaced by another: its
 * guarantee, restricted to the counts that such a replacement can change.  Pure with epsilon 0 if
 * it can change none.  Columns that are not named may have any value.  SFM_INVALID if the release
 * is not a histogram, is under add-remove or random-dp, or if a column is unknown or of another
 * kind.
 * Proof: docs/proofs/random-dp.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_predict_table(sfm_guarantee *out, const sfm_release *release,
                                                    const sfm_supposition *suppositions,
                                                    size_t count, sfm_error *error);

/* Decides whether a predicate (NULL: all records) has the same value for all records of S.
 * *decided is also false if this cannot be determined.  The schema must be the one of the count. */
SFM_API SFM_MUST_CHECK sfm_status sfm_predict_where(bool *decided, const char *where,
                                                    const sfm_schema *schema,
                                                    const sfm_supposition *suppositions,
                                                    size_t count, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
