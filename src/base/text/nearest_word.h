/* nearest_word.h - the word that was probably meant. */
#ifndef SFMI_NEAREST_WORD_H
#define SFMI_NEAREST_WORD_H

#include <stddef.h>

/* How many letters must be inserted, deleted or changed to turn one word into the other
 * (Levenshtein), upper and lower case being the same; SIZE_MAX when b has more than 64 letters. */
size_t sfmi_word_distance(const char *a, const char *b);

/* The candidate with the least distance from word; NULL when none is near.  Near is a distance of
 * at most 2, and less than the number of letters of word. */
const char *sfmi_nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
