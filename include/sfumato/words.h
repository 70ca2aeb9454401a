/* words.h - the words of the enumerations, as release files, the ledger and the command write them.
 *
 * The typed functions (sfm_engine_name and so on) return the word of one value.  The lists here are
 * for programs that read words: bindings, options, files. */
#ifndef SFUMATO_WORDS_H
#define SFUMATO_WORDS_H

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The enumerations that have words; SFM_WORDS_ENGINE is that of sfm_engine. */
typedef enum sfm_enumeration {
  SFM_WORDS_ACCOUNTING,
  SFM_WORDS_BASIS,
  SFM_WORDS_BOUNDARY,
  SFM_WORDS_CALIBRATION,
  SFM_WORDS_COLUMN_TYPE,
  SFM_WORDS_DENSITY_BODY,
  SFM_WORDS_DENSITY_METHOD,
  SFM_WORDS_DENSITY_NOISE,
  SFM_WORDS_ENGINE,
  SFM_WORDS_GUARANTEE_KIND,
  SFM_WORDS_HISTOGRAM_EXACT,
  SFM_WORDS_HISTOGRAM_NOISE,
  SFM_WORDS_INTERACT_SOURCE,
  SFM_WORDS_INTERACT_UPDATE,
  SFM_WORDS_KERNEL_FAMILY,
  SFM_WORDS_KIND,
  SFM_WORDS_LIMIT_KIND,
  SFM_WORDS_LINEAR_METHOD,
  SFM_WORDS_MACHINE_LOSS,
  SFM_WORDS_NEIGHBOURS,
  SFM_WORDS_NOISE_LAW,
  SFM_WORDS_NOISE_SHAPE,
  SFM_WORDS_OPTIMAL_FORM,
  SFM_WORDS_OPTIMAL_LOSS,
  SFM_WORDS_OPTIMAL_OBJECTIVE,
  SFM_WORDS_OUTSIDE,
  SFM_WORDS_SCALING,
  SFM_WORDS_TASK,
  SFM_WORDS_TRAIN_METHOD,
  SFM_WORDS_VECTOR_NOISE,
  SFM_WORDS_VECTOR_NORM,
  SFM_WORDS_COUNT
} sfm_enumeration;

/* Returns the words of an enumeration in the order of its values, which count from 0; NULL at the
 * end.  Static storage.  NULL if there is no such enumeration. */
SFM_API const char *const *sfm_words(sfm_enumeration of);

#ifdef __cplusplus
}
#endif
#endif
