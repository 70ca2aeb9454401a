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

/* The enumerations that have words; SFM_ENUMERATION_ENGINE is that of sfm_engine. */
typedef enum sfm_enumeration {
  SFM_ENUMERATION_ACCOUNTING,
  SFM_ENUMERATION_BASIS,
  SFM_ENUMERATION_BOUNDARY,
  SFM_ENUMERATION_CALIBRATION,
  SFM_ENUMERATION_COLUMN_TYPE,
  SFM_ENUMERATION_DENSITY_BODY,
  SFM_ENUMERATION_DENSITY_METHOD,
  SFM_ENUMERATION_DENSITY_NOISE,
  SFM_ENUMERATION_ENGINE,
  SFM_ENUMERATION_GUARANTEE_KIND,
  SFM_ENUMERATION_HISTOGRAM_EXACT,
  SFM_ENUMERATION_HISTOGRAM_NOISE,
  SFM_ENUMERATION_INTERACT_SOURCE,
  SFM_ENUMERATION_INTERACT_UPDATE,
  SFM_ENUMERATION_KERNEL_FAMILY,
  SFM_ENUMERATION_KIND,
  SFM_ENUMERATION_LIMIT_KIND,
  SFM_ENUMERATION_LINEAR_METHOD,
  SFM_ENUMERATION_MACHINE_LOSS,
  SFM_ENUMERATION_NEIGHBOURS,
  SFM_ENUMERATION_NOISE_LAW,
  SFM_ENUMERATION_NOISE_SHAPE,
  SFM_ENUMERATION_OPTIMAL_FORM,
  SFM_ENUMERATION_OPTIMAL_LOSS,
  SFM_ENUMERATION_OPTIMAL_OBJECTIVE,
  SFM_ENUMERATION_OUTSIDE,
  SFM_ENUMERATION_SCALING,
  SFM_ENUMERATION_TASK,
  SFM_ENUMERATION_TRAIN_METHOD,
  SFM_ENUMERATION_VECTOR_NOISE,
  SFM_ENUMERATION_VECTOR_NORM,
  SFM_ENUMERATION_COUNT
} sfm_enumeration;

/* Returns the words of an enumeration in the order of its values, which count from 0; NULL at the
 * end.  Static storage.  NULL if there is no such enumeration. */
SFM_API const char *const *sfm_words(sfm_enumeration of);

#ifdef __cplusplus
}
#endif
#endif
