/* wipe.h - memory that held private numbers: zeroed before it is freed. */
#ifndef SFMI_WIPE_H
#define SFMI_WIPE_H

#include <stddef.h>

/* Zeroes count x size bytes, in a way that a compiler does not leave out, and frees them: what
 * sfmi_alloc(count, size) gave, or NULL. */
void sfmi_wipe_free(void *memory, size_t count, size_t size);

#endif
