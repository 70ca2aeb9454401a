/* kernel_cache.h - lines of a kernel's matrix, kept while there is room: the lines used latest
 * stay. The room follows from the number of rows alone.  PRIVATE: wiped when destroyed. */
#ifndef SFMI_KERNEL_CACHE_H
#define SFMI_KERNEL_CACHE_H

#include "kernel_matrix.h"

/* Most bytes of all lines, unless SFMI_KERNEL_CACHE_LINES_MIN of them need more. */
#define SFMI_KERNEL_CACHE_BYTES_MAX ((size_t)1 << 30)
#define SFMI_KERNEL_CACHE_LINES_MIN ((size_t)256)

typedef struct sfmi_kernel_cache sfmi_kernel_cache;

/* For lines of `count` numbers, one line for each of `count` rows.  The first has room for as many
 * lines as the bytes allow, the second for `room` lines.  NULL when memory is short. */
sfmi_kernel_cache *sfmi_kernel_cache_create(size_t count);
sfmi_kernel_cache *sfmi_kernel_cache_create_for(size_t count, size_t room);
void sfmi_kernel_cache_destroy(sfmi_kernel_cache *cache);
/* How many lines there is room for. */
size_t sfmi_kernel_cache_room(const sfmi_kernel_cache *cache);

/* out[i]: the line of row which[i], valid until the next call; no row twice, and no more than there
 * is room for. */
void sfmi_kernel_cache_get(sfmi_kernel_cache *cache, const float **out,
                           const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                           const size_t *which, size_t count);

#endif
