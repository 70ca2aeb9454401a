/* lexicon.h - how often each string of bytes occurs: the cells of a table whose categories nobody
 * declared. */
#ifndef SFMI_LEXICON_H
#define SFMI_LEXICON_H

#include "base/fail.h"

typedef struct sfmi_lexeme {
  uint64_t hash;
  size_t offset; /* of its bytes */
  uint32_t length;
  uint64_t count;
} sfmi_lexeme;

typedef struct sfmi_lexicon {
  sfmi_lexeme *entries; /* as they were met; sorted by their bytes after sfmi_lexicon_sort */
  size_t count, room;
  size_t *slots; /* open addressing: 1 + the entry, 0 where free; at most half in use */
  size_t slot_count;
  char *bytes;
  size_t used, bytes_room;
} sfmi_lexicon;

/* Adds one to the count of these bytes, length >= 1. */
SFM_MUST_CHECK sfm_status sfmi_lexicon_add(sfmi_lexicon *lexicon, const char *bytes,
                                           uint32_t length, sfm_error *error);
/* After the last: in the order of their bytes. */
void sfmi_lexicon_sort(sfmi_lexicon *lexicon);
/* Wipes and frees.  A zeroed one is empty. */
void sfmi_lexicon_clear(sfmi_lexicon *lexicon);

#endif
