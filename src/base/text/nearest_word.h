/* nearest_word.h - the word that was probably meant. */
#ifndef SFMI_NEAREST_WORD_H
#define SFMI_NEAREST_WORD_H

#include <stddef.h>

/* The candidate fewest edits away from word, capitals counting for nothing; NULL when none is near:
 * within two edits, and fewer than word has letters. */
const char *sfmi_nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
