/* predict.h - predictive differential privacy (thesis, definition 5.4.1), checked: how much a
 * release promises between records that all lie in a set where records are thought to lie.
 *
 * (epsilon, gamma)-predictive privacy is epsilon-DP between neighbours whose records are in a set S
 * that holds a record with probability 1 - gamma.  That it does is the owner's assumption; what is
 * computed here is the epsilon between records of S, from the release's public geometry alone.  It
 * is not differential privacy, and never charged as such. */
#ifndef SFUMATO_PREDICT_H
#define SFUMATO_PREDICT_H

#include "sfumato/release.h"
#include "sfumato/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a record is supposed to hold in one column: a number from lower to upper, or one of the
 * texts.  Borrowed. */
typedef struct sfm_supposition {
  const char *column;
  bool interval;
  double lower, upper;
  const char *const *texts;
  size_t text_count;
} sfm_supposition;

/* What a released histogram promises when one record of the set is replaced by another: the
 * guarantee it states, less the counts that no such replacement can change; pure with epsilon 0
 * when none can.  Columns that are not named may hold anything.  SFM_INVALID when it is no
 * histogram, under add-remove or random-dp, or a column is unknown or of another kind. Proof:
 * docs/proofs/random-dp.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_predict_table(sfm_guarantee *out, const sfm_release *release,
                                                    const sfm_supposition *suppositions,
                                                    size_t count, sfm_error *error);

/* Whether a predicate (NULL: all records) has one answer for all records of the set; false also
 * where that is not seen.  The schema is the one it was counted with. */
SFM_API SFM_MUST_CHECK sfm_status sfm_predict_where(bool *decided, const char *where,
                                                    const sfm_schema *schema,
                                                    const sfm_supposition *suppositions,
                                                    size_t count, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
