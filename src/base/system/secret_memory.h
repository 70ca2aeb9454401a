/* secret_memory.h - memory for what must not reach a swap file or a core dump: pages of its own,
 * locked where the limit on locked memory (RLIMIT_MEMLOCK) allows it, and wiped when they are
 * freed. */
#ifndef SFMI_SECRET_MEMORY_H
#define SFMI_SECRET_MEMORY_H

#include <stddef.h>

/* count x size bytes, zeroed, aligned for any number; NULL as from sfmi_alloc.  Memory that cannot
 * be locked is given all the same. */
void *sfmi_secret_alloc(size_t count, size_t size);
/* Wipes and frees; fine with NULL. */
void sfmi_secret_free(void *memory);

#endif
