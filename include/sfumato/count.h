/* count.h - releases the number of records that satisfy a condition, with noise. */
#ifndef SFUMATO_COUNT_H
#define SFUMATO_COUNT_H

#include "sfumato/context.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest length of a predicate, in bytes. */
#define SFM_WHERE_MAX 4096

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_count_settings {
  size_t size;         /* of this struct */
  sfm_context context; /* schema: types and categories; person, neighbours, contributions */
  /* The predicate, for example age >= 65 and sex == "F" (docs/guides/count.md).  NULL counts all
   * records.  NULL is refused under replace without a person column, because that number is
   * public. */
  const char *where;
  /* NULL: the geometric mechanism.  Otherwise a release of kind "mechanism" (sfumato/optimal.h)
   * whose n is the number of records.  Replace only. */
  const sfm_release *mechanism;
  double epsilon; /* with a mechanism: 0, or contributions times the epsilon of the mechanism */
  /* Above 0: random differential privacy, which is not differential privacy.  The count is released
   * without noise if it is so small that a new record would change it with probability at most
   * gamma.  Geometric mechanism, replace, contributions 1, no person column.  Default: 0. */
  double gamma;
} sfm_count_settings;

/* Returns the defaults.  schema and epsilon must be set. */
SFM_API void sfm_count_settings_init(sfm_count_settings *settings, size_t size);
SFM_DEFAULT(sfm_count_settings)

/* Releases the noisy count, kind "count".  sfm_release_coefficient(release, 0) is the count, a
 * whole number.  Under replace it is between 0 and the public number of records.  Under add-remove
 * it is not clamped and may be negative.  A comparison is unknown if the cell has no valid value
 * for its column.  A record is counted if the whole predicate is true.  Blocks while it reads.  The
 * caller destroys the release.
 * Privacy: pure epsilon; neighbours and contributions as the schema states.  With gamma: random
 * differential privacy (epsilon, 0, gamma), never charged.  Exact, in integers.
 * Proof: docs/proofs/count.md, docs/proofs/random-dp.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_count_release(sfm_release **out, sfm_rows *rows,
                                                    const sfm_count_settings *settings,
                                                    sfm_error *error);

/* Of a released count: the predicate (NULL: all records), owned by the release; and whether it was
 * released without noise, under random differential privacy. */
SFM_API const char *sfm_count_where(const sfm_release *release);
SFM_API bool sfm_count_exact(const sfm_release *release);

/* The optimal mechanism that answered (sfumato/optimal.h).  Texts are owned by the release. */
typedef struct sfm_mechanism_facts {
  double epsilon; /* of the mechanism, for counts that differ by one */
  double risk;
  const char *loss, *objective, *form;
  const char *hash; /* of its table */
} sfm_mechanism_facts;
/* Returns false if the count has geometric noise. */
SFM_API bool sfm_count_mechanism(const sfm_release *release, sfm_mechanism_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
