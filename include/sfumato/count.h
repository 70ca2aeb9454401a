/* count.h - how many records satisfy a predicate, as one private number. */
#ifndef SFUMATO_COUNT_H
#define SFUMATO_COUNT_H

#include "sfumato/ledger.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of a predicate. */
#define SFM_WHERE_MAX 4096

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_count_settings {
  const sfm_schema *schema; /* types and categories of columns; person, neighbours, contributions */
  const char *where;        /* which records: age >= 65 and sex == "F" (docs/guides/count.md); NULL:
                               all, refused under replace without a person column, where that
                               number is public */
  const sfm_release *mechanism; /* NULL: geometric; else one of kind "mechanism" for as many records
                                   as there are, under replace (sfumato/optimal.h) */
  double epsilon;               /* with a mechanism 0, or contributions times its own */
  double gamma;      /* above 0: random differential privacy, which is not differential privacy: the
                        count is exact where it is so small that a fresh record would not change it, but
                        for this probability.  Geometric, replace, contributions 1, no person column */
  double confidence; /* of the band, in (0, 1) */
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  bool seeded;              /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read); /* as for a density */
  void *progress_context;
} sfm_count_settings;

SFM_API sfm_count_settings sfm_count_settings_default(void);

/* Releases the noisy count, kind "count": sfm_release_coefficient(release, 0), a whole number;
 * under replace between 0 and the public number of records, under add-remove raw (it may be
 * negative).  A cell that holds no value of its column makes its comparison unknown; a record
 * counts where the predicate is true. Privacy: pure epsilon; neighbours and contributions as the
 * schema states.  With gamma random differential privacy (epsilon, 0, gamma), never charged. Exact,
 * in integers. Proof: docs/proofs/count.md, docs/proofs/random-dp.md. Blocks while it reads.  The
 * caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_count_release(sfm_release **out, sfm_rows *rows,
                                                    const sfm_count_settings *settings,
                                                    sfm_error *error);

/* Of a released count: the predicate (NULL: all records), owned by the release; and whether random
 * differential privacy let it out without noise. */
SFM_API const char *sfm_count_where(const sfm_release *release);
SFM_API bool sfm_count_exact(const sfm_release *release);

#ifdef __cplusplus
}
#endif
#endif
