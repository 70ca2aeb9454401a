/* radix_sort.h - sorting many whole numbers. */
#ifndef SFMI_RADIX_SORT_H
#define SFMI_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts keys in ascending order; scratch has the same room.  A pass for every eight bits in which
 * they differ. */
void sfmi_radix_sort(uint64_t *keys, uint64_t *scratch, size_t count);

#endif
