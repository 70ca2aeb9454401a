#include "nearest_word.h"

#include <string.h>

#define WORD_MAX 64 /* longer words are near nothing */

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Letters put in, left out or changed (Levenshtein), row by row. */
static size_t edits(const char *a, const char *b, size_t length) {
  size_t row[WORD_MAX + 1];
  for (size_t j = 0; j <= length; j++) row[j] = j;
  for (size_t i = 1; *a; a++, i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
      const size_t changed = diagonal + (lower(*a) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = least(changed, 1 + least(row[j], row[j - 1]));
    }
  }
  return row[length];
}

const char *sfmi_nearest_word(const char *word, const char *const *candidates, size_t count) {
  const size_t length = strlen(word);
  const char *nearest = NULL;
  size_t fewest = least(3, length); /* fewer edits than this */
  for (size_t i = 0; i < count && length <= WORD_MAX; i++) {
    const size_t other = strlen(candidates[i]);
    if (other > length + 3 || length > other + 3) continue;
    const size_t distance = edits(candidates[i], word, length);
    if (distance >= fewest) continue;
    fewest = distance;
    nearest = candidates[i];
  }
  return nearest;
}
