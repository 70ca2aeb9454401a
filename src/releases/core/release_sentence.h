/* release_sentence.h - the guarantee of a release in words: first what it does for a person among
 * the rows, then the numbers. */
#ifndef SFMI_RELEASE_SENTENCE_H
#define SFMI_RELEASE_SENTENCE_H

#include "release_data.h"

/* Writes the plain sentence for the guarantee, from nothing but the members that state it, in place
 * of the one there is; false when memory is short. */
bool sfmi_release_write_sentence(sfm_release *release);

#endif
