/* count_text.h - a released count in words. */
#ifndef CLI_COUNT_TEXT_H
#define CLI_COUNT_TEXT_H

#include <stddef.h>

#include "sfumato/release.h"

/* "1234 of 5000 records (24.68 %)". */
void count_text_write(char *buffer, size_t size, const sfm_release *release);

/* Under random differential privacy: whether the count is without noise, and why. */
const char *count_text_exact(const sfm_release *release);

#endif
