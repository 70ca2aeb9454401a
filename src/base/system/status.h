/* status.h - filling in the caller's error object, allocation, and 128-bit integers. */
#ifndef SFMI_STATUS_H
#define SFMI_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/status.h"

/* 128-bit integers: private sums and noisy sums are exact in them. */
__extension__ typedef __int128 sfmi_i128;
__extension__ typedef unsigned __int128 sfmi_u128;

/* Writes the message (printf-style, cut at SFM_MESSAGE_MAX) and returns status, so that a function
 * can end with `return sfmi_fail(error, SFM_INVALID, "...")`. */
sfm_status sfmi_fail(sfm_error *error, sfm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* sfmi_fail when memory is short. */
sfm_status sfmi_fail_memory(sfm_error *error);

/* count x size bytes, zeroed, or NULL (also when the product overflows; count 0 gives 1 element).
 */
void *sfmi_alloc(size_t count, size_t size);

/* Zeroes count x size bytes, in a way that a compiler does not leave out, and frees them: what
 * sfmi_alloc(count, size) gave for private numbers, or NULL. */
void sfmi_wipe_free(void *memory, size_t count, size_t size);

/* A copy of text on the heap, or NULL. */
char *sfmi_copy_string(const char *text);
/* The same of count texts, to be freed with sfmi_free_strings. */
char **sfmi_copy_strings(const char *const *texts, size_t count);
/* Frees count texts, some of which may be NULL, and their array. */
void sfmi_free_strings(char **texts, size_t count);

#endif
