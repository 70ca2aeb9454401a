/* words.h - the word of a value of an enumeration (internal face of sfumato/words.h). */
#ifndef SFMI_WORDS_H
#define SFMI_WORDS_H

#include <stddef.h>

#include "sfumato/words.h"

/* NULL: it has no such value. */
const char *sfmi_word(sfm_enumeration of, unsigned value);
unsigned sfmi_word_count(sfm_enumeration of);

/* For messages about numbers that a caller made up. */
static inline const char *sfmi_known(const char *word) {
  return word ? word : "unknown";
}

#endif
