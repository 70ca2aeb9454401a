#include "nearest_word.h"

#include <stdint.h>
#include <string.h>

enum { LETTERS_MAX = 64 };

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Row by row of the table of distances between the beginnings of both words. */
size_t sfmi_word_distance(const char *a, const char *b) {
  size_t row[LETTERS_MAX + 1];
  const size_t length = strlen(b);
  if (length > LETTERS_MAX) return SIZE_MAX;
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
  size_t bound = least(3, length); /* the distance is less than this */
  for (size_t i = 0; i < count; i++) {
    const size_t other = strlen(candidates[i]);
    if (other > length + 3 || length > other + 3) continue;
    const size_t distance = sfmi_word_distance(candidates[i], word);
    if (distance >= bound) continue;
    bound = distance;
    nearest = candidates[i];
  }
  return nearest;
}
